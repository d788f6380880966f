// The time that slow files of a run may take together.
import type { FileAnalysis, LintRequest } from '../../analysis/run/run.ts';
import { stretchFor } from '../second-try.ts';
import { SharedLimit } from '../shared-limit.ts';
import { startWork, type Work } from '../thread-work.ts';
import { limitFor, type withinTime } from '../time-limit.ts';
import { analyzeFile } from './file-analysis.ts';

/** In ms, on each thread: six files that are ended at their own limits. Our choice. */
const ALL_LIMIT_MS = 60_000;
/**
 * What every file may take, also after that, in ms: some ten times what a file takes, so that the time for a folder grows with its size
 * alone.
 */
const OWN_MS = 50;
const OWN_MS_PER_CHARACTER = 0.02;

export class SlowFiles {
  readonly #shared: SharedLimit;

  readonly #startWork: typeof startWork;
  #last: Work = { ms: 0, waited: 0 };

  /** `limit` in ms. */
  constructor(limit = ALL_LIMIT_MS, start = startWork) {
    this.#shared = new SharedLimit(limit);
    this.#startWork = start;
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

  /**
   * Limits end work by the clock on the wall. Only the time in which it had a processor is counted, though, and if that was little, the
   * file is tried again, with a limit that is longer by as much as the machine held it up.
   */
  analyze(request: LintRequest, limit: number, limited?: typeof withinTime): FileAnalysis {
    const first = this.look(request, limit, limited);
    const stretch = first.issue?.tookTooLong ? stretchFor(this.#last) : undefined;
    if (stretch === undefined) return first;
    const second = this.look(request, limit, limited, stretch);
    // What it is told with is the limit that people know.
    return second.issue?.tookTooLong ? first : second;
  }

  /** As `analyze`, but tried once: the time until it returns has a limit on a crowded machine, too. */
  look(request: LintRequest, limit: number, limited?: typeof withinTime, stretch = 1): FileAnalysis {
    const work = this.#startWork();
    const analysis = analyzeFile(request, Math.ceil(this.limitFor(request.text, limit) * stretch), limited);
    this.#last = work();
    this.took(request.text, this.#last.ms - this.#last.waited);
    return analysis;
  }

  /** The same for other work on a file: what it may take, in ms, and what it took count with all slow files. Ctrl-C ends it. */
  limited<T>(text: string, work: (limit: number) => T): T {
    const done = this.#startWork();
    try {
      return work(Math.ceil(this.limitFor(text, limitFor(text))));
    } finally {
      const { ms, waited } = done();
      this.took(text, ms - waited);
    }
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
