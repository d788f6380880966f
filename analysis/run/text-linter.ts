// Lints the versions of one text one after the other. What was typed into a comment, or between two statements, moves findings and changes
// none.
import type { ModuleIndex } from '../module/module-index.ts';
import { moveFindings, type OffsetChange } from '../module/moved-findings.ts';
import { lintModule, lintOutcome, type LintRequest, type LintResult } from './run.ts';
import { Source, type TextQuestion } from '../module/source.ts';
import { TextReader } from '../module/text-reader.ts';

interface Answer {
  request: LintRequest;
  module: ModuleIndex;
  result: LintResult;
  /** Stretches of the text that rules have read as text, start and end in turn. */
  looks: readonly number[];
  /** What rules have asked of the text of longer stretches. */
  questions: readonly TextQuestion[];
}

/** Gives the results that `lintText` gives. */
export class TextLinter {
  readonly #reader = new TextReader();
  #last: Answer | undefined;

  /** All parts of a request but its text are compared by identity: one that says something else must be another object. */
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
    const answer = idle && last?.module === module && isSameQuestion(last.request, request) ? moved(last, idle, request.text) : undefined;
    if (answer) {
      this.#last = { ...answer, request, module };
      return answer.result;
    }
    const source = new Source(request.file, request.text);
    const result = lintModule(request, module, source);
    this.#last = { request, module, result, looks: source.looks, questions: source.questions };
    return result;
  }
}

/**
 * Undefined where a finding is not left as it was: the change lies within it or within what a rule has read, or it has fixes, which are
 * about the old text.
 */
function moved(
  { result, looks, questions }: Answer,
  change: OffsetChange,
  text: string,
): Pick<Answer, 'result' | 'looks' | 'questions'> | undefined {
  const { start, removed, inserted } = change;
  const end = start + removed;
  if (result.findings.some(({ span, fixes }) => fixes.length > 0 || (span.start <= end && start <= span.end))) return undefined;
  for (let i = 0; i < looks.length; i += 2) if ((looks[i] as number) < start && end < (looks[i + 1] as number)) return undefined;
  const startNow = (offset: number): number => (offset >= end ? offset + inserted - removed : offset);
  const endNow = (offset: number): number => (offset > start ? offset + inserted - removed : offset);
  const kept: TextQuestion[] = [];
  for (const question of questions) {
    const now = { ...question, start: startNow(question.start), end: endNow(question.end) };
    if (question.start < start && end < question.end && now.ask(text.slice(now.start, now.end)) !== now.answer) return undefined;
    kept.push(now);
  }
  return {
    result: { ...result, findings: moveFindings(result.findings, change) },
    looks: looks.map((offset, i) => (i % 2 === 0 ? startNow(offset) : endNow(offset))),
    questions: kept,
  };
}

function isSameQuestion(one: LintRequest, other: LintRequest): boolean {
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]) as Set<keyof LintRequest>;
  keys.delete('text');
  return [...keys].every((key) => one[key] === other[key]);
}
