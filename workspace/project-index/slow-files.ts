// The time that slow files of a run may take together.
import type { FileAnalysis, LintRequest } from '../../analysis/run/run.ts';
import type { withinTime } from '../time-limit.ts';
import { SharedLimit } from '../shared-limit.ts';
import { analyzeFile } from './file-analysis.ts';

/** In ms, on each thread: six files that are ended at their own limits. Our choice. */
const ALL_LIMIT_MS = 60_000;
/** What every file may take, also after that, in ms: some ten times what a file takes, so that the time for a folder grows with its size alone. */
const OWN_MS = 50;
const OWN_MS_PER_CHARACTER = 0.02;

export class SlowFiles {
  readonly #shared: SharedLimit;

  constructor(limit = ALL_LIMIT_MS) {
    this.#shared = new SharedLimit(limit);
  }

  get isUsedUp(): boolean {
    return this.#shared.isUsedUp;
  }

  /** Time for a file, in ms: `limit`, or less where little is left. */
  limitFor({ length }: string, limit: number): number {
    return this.#shared.limitFor(ownTime(length), limit);
  }

  /** A file took so many ms. */
  took({ length }: string, ms: number): void {
    this.#shared.took(ownTime(length), ms);
  }

  analyze(request: LintRequest, limit: number, limited?: typeof withinTime): FileAnalysis {
    const start = performance.now();
    const analysis = analyzeFile(request, this.limitFor(request.text, limit), limited);
    this.took(request.text, performance.now() - start);
    return analysis;
  }

  /** For a file that is not tried again, because nothing is left. */
  leftOut(analysis: FileAnalysis): FileAnalysis {
    if (!this.isUsedUp || !analysis.issue?.tookTooLong) return analysis;
    const message = `took too long, and the limit for all slow files together (${this.#shared.total / 1000} s) was used up`;
    return { ...analysis, issue: { ...analysis.issue, message } };
  }
}

function ownTime(length: number): number {
  return OWN_MS + length * OWN_MS_PER_CHARACTER;
}
