// How much is kept of one log, so that a log of any size is read in bounded memory. What is over a limit is counted, not kept.
export const LIMITS = {
  /** A longer line is source text, which V8 writes into the log, too; the lines that are read have less than 1,000 characters. */
  lineLength: 64 * 1024,
  /** Code ranges of the user's files at a time: three tiers of some 5,000 functions. */
  codeRanges: 16_000,
  /** Maps known at a time. */
  maps: 24_000,
  /** Places of any kind: inline caches, deoptimizations, map events, functions. */
  places: 10_000,
  /** Tier changes kept of one function; a loop of optimizing and deoptimizing shows long before. */
  tierEventsPerFunction: 200,
  tierEvents: 10_000,
  /** Times kept of one group of deoptimizations. */
  times: 100,
  /** How many shapes are distinguished at one place; beyond it, the count stands still. */
  shapesPerPlace: 256,
  shapesAllPlaces: 24_000,
  /** Shapes that are described at one place. */
  describedShapes: 32,
} as const;

export type Limits = Readonly<Record<keyof typeof LIMITS, number>>;
