// The command does its work in one go on the main thread; a turn of the loop now and then lets Ctrl-C and the progress line through.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Interrupted } from './errors.ts';

/** Short enough for Ctrl-C to feel immediate; a turn this often costs nothing that could be measured. */
const TURN_MS = 50;

export class Turns {
  readonly #now: () => number;
  readonly #signal: AbortSignal;
  #last: number;

  readonly #turnMs: number;

  /** `turnMs`: how long the thread may be held at a time. */
  constructor(host: { now(): number; signal: AbortSignal }, turnMs: number = TURN_MS) {
    this.#turnMs = turnMs;
    this.#now = () => host.now();
    this.#signal = host.signal;
    this.#last = host.now();
  }

  /** Waits for work on other threads. Throws `Interrupted` when the user asks to stop. */
  async unlessStopped<T>(work: Promise<T>): Promise<T> {
    const signal = this.#signal;
    let stop: () => void = () => undefined;
    const stopped = new Promise<never>((_, reject) => {
      stop = () => reject(new Interrupted('stopped'));
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop, { once: true });
    });
    try {
      return await Promise.race([work, stopped]);
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  /** Lets the loop turn now. Throws `Interrupted` when the user has asked to stop. */
  async turn(): Promise<void> {
    await nextTurn();
    if (this.#signal.aborted) throw new Interrupted('stopped');
    this.#last = this.#now();
  }

  /** Whether it was time for a turn. Throws `Interrupted` when the user has asked to stop. */
  async take(): Promise<boolean> {
    if (this.#now() - this.#last < this.#turnMs) return false;
    await this.turn();
    return true;
  }
}
