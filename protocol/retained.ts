// What calls or requests leave behind in memory, as plain JSON.

/** What stays. */
export const RETAINED_UNITS = ['entry', 'listener', 'timer', 'session'] as const;
export type RetainedUnit = (typeof RETAINED_UNITS)[number];

/** A slope, with the ends of its 95 % interval. */
export interface Slope {
  value: number;
  low: number;
  high: number;
}

/** What calls or requests leave behind: counted after forced collections, in the container that the finding names. */
export interface RetainedRate {
  unit: RetainedUnit;
  per: 'call' | 'request';
  /** How many of them each call or request leaves. */
  rate: Slope;
  /** Bytes of the heap, and of its buffers, for each call or request; undefined where they do not stand out. */
  bytes?: Slope;
}

export interface Retained extends RetainedRate {
  /** Calls or requests until then, how many there were after a collection, and the bytes on the heap. */
  points: readonly { calls: number; count: number; bytes: number }[];
}
