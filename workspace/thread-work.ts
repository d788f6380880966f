// How long a thread works, and how much of that it only waits for a processor: what a crowded machine makes of a file's time is not the
// file's.
import { openSync, readSync } from 'node:fs';

/** A piece of work of one thread. */
export interface Work {
  /** By the clock on the wall, in ms. */
  ms: number;
  /** Of these: how long others had the processor, in ms. 0 where the system does not count it. */
  waited: number;
}

const NS_PER_MS = 1e6;
/** Three numbers of at most 20 digits. */
const BYTES = 64;

/** Counted by Linux for each thread; the path means the thread that opens it, which loads this module. */
const SCHEDSTAT = opened('/proc/thread-self/schedstat');

/** Begins a piece of work of this thread. What it returns tells how long the work has taken so far. */
export function startWork(): () => Work {
  const start = performance.now();
  const before = waitedInAll();
  return () => ({ ms: performance.now() - start, waited: Math.max(0, waitedInAll() - before) });
}

/**
 * Of this thread since it began, in ms. The kernel gives the ns on the processor, the ns of waiting on a run queue, and the number of
 * timeslices (Documentation/scheduler/sched-stats.rst).
 */
function waitedInAll(): number {
  if (SCHEDSTAT === undefined) return 0;
  try {
    const bytes = Buffer.allocUnsafe(BYTES);
    const length = readSync(SCHEDSTAT, bytes, 0, BYTES, 0);
    const waited = Number(bytes.toString('latin1', 0, length).split(' ')[1]);
    return Number.isFinite(waited) ? waited / NS_PER_MS : 0;
  } catch {
    // Not known: then all of it is the work's.
    return 0;
  }
}

/** Undefined on other systems, and where the kernel does not count. */
function opened(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch {
    return undefined;
  }
}
