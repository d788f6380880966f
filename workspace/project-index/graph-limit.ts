// The time that the call graph of a project may take. What it takes grows with who may call whom, and a few hundred files can make that
// hours.
import os from 'node:os';
import { CommandError } from '../errors.ts';
import { TookTooLong, withinTimeUnlessStopped } from '../time-limit.ts';

/** In ms. Ten times what the largest project of bench/README.md takes, for each of its files; our choice. */
const LIMIT_MS = 15_000;
const FILE_MS = 5;
// A project of 3,900 files took 27 s of processor time in all, and went past 35 s by the clock where 20 programs wanted each processor.
const MOST_BUSY = 8;

/** How many programs want each processor, by the last minute: 1 to 8. Windows does not say, and counts as 1. */
export function busyFactor(load = os.loadavg()[0] ?? 0, processors = os.availableParallelism()): number {
  return Math.min(MOST_BUSY, Math.max(1, load / processors));
}

export class GraphTookTooLong extends CommandError {
  override readonly name = 'GraphTookTooLong';
}

export class GraphLimit {
  readonly #limit: number | undefined;
  #ended: GraphTookTooLong | undefined;

  /** `limit` in ms; by the number of files, and by how busy the machine is, unless said. */
  constructor(limit?: number) {
    this.#limit = limit;
  }

  /** Throws `GraphTookTooLong` once the work has been ended, and from then on at once. */
  run<T>(work: () => T, files: number): T {
    if (this.#ended) throw this.#ended;
    const limit = this.#limit ?? Math.ceil((LIMIT_MS + FILE_MS * files) * busyFactor());
    try {
      return withinTimeUnlessStopped(work, limit);
    } catch (error) {
      if (!(error instanceof TookTooLong)) throw error;
      this.#ended = new GraphTookTooLong(`The call graph across files took too long (more than ${Math.round(limit / 1000)} s).`);
      throw this.#ended;
    }
  }
}
