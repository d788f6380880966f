// Work on a text of any origin, ended after a time. Babel doubles its work with each level of some 230 bytes of TypeScript, and patterns
// can do the same: neither can be foreseen, and neither gives the thread back. Node can end what a thread runs, as it does for scripts that
// have a time limit; what was being worked out is lost, and the thread goes on.
import { isMainThread } from 'node:worker_threads';
import vm from 'node:vm';
import { Interrupted } from './errors.ts';

/** For each file, and for each million characters that it has, in ms: a hundred times what such a file takes. */
export const FILE_LIMIT_MS = 10_000;
/** On the thread that answers the editor, in ms: nothing else is answered meanwhile. */
export const EDITOR_LIMIT_MS = 5000;

/** On the same thread, where another one can take over, in ms: what people take for immediate (RAIL's limit for a response). */
export const TURN_LIMIT_MS = 100;
/** The same for the first texts that the thread analyzes, while V8 has compiled little. */
export const FIRST_TURN_LIMIT_MS = 300;

/** By then nearly every short file is done, in ms; Ctrl-C waits no longer than that. */
export const QUICK_LIMIT_MS = 200;

/** The work was ended. */
export class TookTooLong extends Error {
  override readonly name = 'TookTooLong';
  /** In ms. */
  readonly limit: number;

  constructor(limit: number) {
    super(`took too long (more than ${limit / 1000} s)`);
    this.limit = limit;
  }
}

export function limitFor(text: string): number {
  return FILE_LIMIT_MS * (1 + Math.floor(text.length / 1e6));
}

/** The result of `work`. Throws `TookTooLong` after `limit` ms: what `work` was changing may then be half changed. */
export function withinTime<T>(work: () => T, limit: number): T {
  return resultOf(work, limit, false);
}

/** Work that had the processor for less than this share of its time was held up by other programs, and gets more time once. */
export const HELD_UP_SHARE = 0.5;
/** How many times its limit it may take then: it never holds up a thread for longer. Our choice. */
export const MOST_STRETCH = 8;

/** `withinTimeOr` with a limit of its own choice. */
export type Limited = <T>(otherwise: T, work: () => T) => T;

/** The same for work that others can do without. */
export function withinTimeOr<T>(otherwise: T, limit: number, work: () => T): T {
  try {
    return withinTime(work, limit);
  } catch (error) {
    if (error instanceof TookTooLong) return otherwise;
    throw error;
  }
}

/** The same for several pieces of work that share one limit, in ms. */
export function withinOneLimit(limit: number): Limited {
  let left = limit;
  return (otherwise, work) => {
    if (left < 1) return otherwise;
    const startedAt = performance.now();
    try {
      return withinTimeOr(otherwise, Math.ceil(left), work);
    } finally {
      left -= performance.now() - startedAt;
    }
  };
}

/**
 * As `withinTime`, for a command that works on its main thread: Ctrl-C ends it, too, and throws `Interrupted`. Node takes the listeners for
 * the signal away meanwhile, and a signal that has come and was not heard yet is lost: let the loop turn before.
 */
export function withinTimeUnlessStopped<T>(work: () => T, limit: number): T {
  // Another thread is ended by the one that has started it.
  return resultOf(work, limit, isMainThread);
}

function resultOf<T>(work: () => T, limit: number, breakOnSigint: boolean): T {
  const results: T[] = [];
  const { work: around } = PLACE;
  const { stackTraceLimit } = Error;
  PLACE.work = () => {
    results[0] = work();
  };
  try {
    RUN.runInContext(CONTEXT, { timeout: limit, breakOnSigint });
  } catch (error) {
    // Work that is ended puts nothing back: its `finally` is not run. The parser switches traces off while it works.
    Error.stackTraceLimit = stackTraceLimit;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw new TookTooLong(limit);
    if (code === 'ERR_SCRIPT_EXECUTION_INTERRUPTED') throw new Interrupted('stopped');
    throw error;
  } finally {
    PLACE.work = around;
  }
  return results[0] as T;
}

/** The script's own globals; making them for each piece of work would cost half a millisecond. */
const PLACE: { work(): void } = { work: () => undefined };
const CONTEXT = vm.createContext(PLACE);
const RUN = new vm.Script('work()');
