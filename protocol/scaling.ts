// How the time of a call or request grows with its input, as plain JSON.
import type { Slope } from './retained.ts';

/** What there is more of: elements of lists, also of those that a text is split into, or characters of a text. */
export type ScaledUnit = 'element' | 'character';

export interface Scaling {
  unit: ScaledUnit;
  per: 'call' | 'request' | 'text';
  /** From small to large: the median in ns, with the least and the most that a process (for texts, an attempt) took. */
  points: readonly { size: number; ns: number; low: number; high: number }[];
  /** The power of the size that the time grows with. */
  exponent: Slope;
  /** Why the sizes end there, as a sentence; undefined where that is our choice. */
  limit?: string;
}

/** `element`, `elements` */
export function unitText(unit: ScaledUnit, size: number): string {
  return size === 1 ? unit : `${unit}s`;
}
