// Lints the versions of one text one after the other. What was typed into a comment, or between two statements, moves findings and changes none.
import type { Finding } from '../protocol/finding.ts';
import type { ModuleIndex } from './module.ts';
import { moveFindings, type OffsetChange } from './moved-findings.ts';
import { lintModule, lintOutcome, type LintRequest, type LintResult } from './run.ts';
import { TextReader } from './text-reader.ts';

interface Answer {
  request: LintRequest;
  module: ModuleIndex;
  result: LintResult;
}

/** Gives the results that `lintText` gives. */
export class TextLinter {
  readonly #reader = new TextReader();
  #last: Answer | undefined;

  /** All parts of a request but its text are compared by identity: one that says something else must be another object. */
  lint(request: LintRequest): LintResult {
    return lintOutcome(request, () => this.#reader.read(request.file, request.text), (module, { idle }) => this.#lintRead(request, module, idle));
  }

  #lintRead(request: LintRequest, module: ModuleIndex, idle: OffsetChange | undefined): LintResult {
    const last = this.#last;
    this.#last = undefined;
    const findings = idle && last?.module === module && isSameQuestion(last.request, request) ? moved(last.result, idle) : undefined;
    const result = findings && last ? { ...last.result, findings } : lintModule(request, module);
    this.#last = { request, module, result };
    return result;
  }
}

/** Undefined where a finding is not left as it was: the change lies within it, or it has fixes, which are about the old text. */
function moved({ findings }: LintResult, change: OffsetChange): readonly Finding[] | undefined {
  const isTouched = findings.some(({ span, fixes }) => fixes.length > 0 || (span.start <= change.start + change.removed && change.start <= span.end));
  return isTouched ? undefined : moveFindings(findings, change);
}

function isSameQuestion(one: LintRequest, other: LintRequest): boolean {
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]) as Set<keyof LintRequest>;
  keys.delete('text');
  return [...keys].every((key) => one[key] === other[key]);
}
