// What two sets of process figures say about each other. Pure.
import type { Difference, Measured } from '../../protocol/evidence.ts';
import { median } from '../evidence/statistics.ts';
import { CONFIDENCE, isShown, shiftBetween } from './shift.ts';

/** A slowdown that nobody may miss, as a share. Our choice. */
export const NOT_TO_MISS = 0.2;
/** A call that takes less cannot be distinguished from an empty one, in ns. */
const NOTHING_NS = 1;

/** @param tolerance a share of the first's time: a smaller difference is none @throws where there are too few figures for an interval */
export function judgeDifference(first: Measured, second: Measured, per: Difference['per'], tolerance: number): Difference {
  const shift = shiftBetween(first.figures, second.figures);
  if (!shift) throw new Error('A comparison takes at least 6 processes on each side.');
  const [was, is] = [median(first.figures), median(second.figures)];
  const isBeyond = isShown(shift) && Math.abs(shift.difference) > tolerance * was;
  const isWide = shift.high > Math.max(NOT_TO_MISS * was, NOTHING_NS);
  return {
    verdict: isBeyond ? (shift.difference > 0 ? 'slower' : 'faster') : !isShown(shift) && isWide ? 'inconclusive' : 'same',
    per,
    first: { ...first, median: was },
    second: { ...second, median: is },
    ns: shift.difference,
    low: shift.low,
    high: shift.high,
    confidence: CONFIDENCE,
    ...(was > NOTHING_NS ? { ratio: (was + shift.difference) / was } : {}),
  };
}
