// Lints successive versions of one text. An edit in a comment, or between two statements, moves findings but does not change them.
import type { ModuleIndex } from '../module/module-index.ts';
import { moveFindings, type OffsetChange } from '../module/moved-findings.ts';
import { lintModule, lintOutcome, type LintRequest, type LintResult } from './run.ts';
import { Source, type TextTest } from '../module/source.ts';
import { TextReader } from '../module/text-reader.ts';

interface Answer {
  request: LintRequest;
  module: ModuleIndex;
  result: LintResult;
  /** Ranges of the text that rules have read as text: start, end, start, end, … */
  readRanges: readonly number[];
  /** Tests that rules have run on the text of longer ranges. */
  textTests: readonly TextTest[];
}

/** Gives the results that `lintText` gives. */
export class TextLinter {
  readonly #reader = new TextReader();
  #last: Answer | undefined;

  /** All parts of a request except its text are compared by identity, so a changed part must be another object. */
  lint(request: LintRequest): LintResult {
    return lintOutcome(
      request,
      () => this.#reader.read(request.file, request.text),
      (module, { idle }) => this.#lintRead(request, module, idle),
    );
  }

  #lintRead(request: LintRequest, module: ModuleIndex, idle: OffsetChange | undefined): LintResult {
    const last = this.#last;
    this.#last = undefined;
    const answer = idle && last?.module === module && isSameRequest(last.request, request) ? moved(last, idle, request.text) : undefined;
    if (answer) {
      this.#last = { ...answer, request, module };
      return answer.result;
    }
    const source = new Source(request.file, request.text);
    const result = lintModule(request, module, source);
    this.#last = { request, module, result, readRanges: source.readRanges, textTests: source.textTests };
    return result;
  }
}

/**
 * Undefined if a finding may change: the edit is within it or within text that a rule has read, or it has fixes, which refer to the old
 * text.
 */
function moved(
  { result, readRanges, textTests }: Answer,
  change: OffsetChange,
  text: string,
): Pick<Answer, 'result' | 'readRanges' | 'textTests'> | undefined {
  const { start, removed, inserted } = change;
  const end = start + removed;
  if (result.findings.some(({ span, fixes }) => fixes.length > 0 || (span.start <= end && start <= span.end))) return undefined;
  for (let i = 0; i < readRanges.length; i += 2)
    if ((readRanges[i] as number) < start && end < (readRanges[i + 1] as number)) return undefined;
  const startNow = (offset: number): number => (offset >= end ? offset + inserted - removed : offset);
  const endNow = (offset: number): number => (offset > start ? offset + inserted - removed : offset);
  const kept: TextTest[] = [];
  for (const textTest of textTests) {
    const now = { ...textTest, start: startNow(textTest.start), end: endNow(textTest.end) };
    if (textTest.start < start && end < textTest.end && now.test(text.slice(now.start, now.end)) !== now.outcome) return undefined;
    kept.push(now);
  }
  return {
    result: { ...result, findings: moveFindings(result.findings, change) },
    readRanges: readRanges.map((offset, i) => (i % 2 === 0 ? startNow(offset) : endNow(offset))),
    textTests: kept,
  };
}

function isSameRequest(one: LintRequest, other: LintRequest): boolean {
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]) as Set<keyof LintRequest>;
  keys.delete('text');
  return [...keys].every((key) => one[key] === other[key]);
}
