// What calls at one place took, and what waited for them.

/** Sums of times in ms, of their squares, of their natural logarithms and of the squares of these. */
export interface CallTimes {
  count: number;
  totalMs: number;
  squaresMs: number;
  logs: number;
  logSquares: number;
}

/**
 * Looks at a file, from another thread: how often, the usual and the longest wait in ms, and the median while none of the jobs is pending.
 */
export interface PoolWaits {
  threads: number;
  asked: number;
  ms: number;
  maxMs: number;
  restMs: number;
}
