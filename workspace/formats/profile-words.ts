// Words that the texts of a profile share.
import { isMadeByNode } from '../../protocol/shown-shapes.ts';
import type { InlineCache } from '../../protocol/evidence.ts';
import { LIMITS } from '../../profiler/parse/limits.ts';
import { amount } from '../../profiler/judge/words.ts';
import { counted } from './program-text.ts';

/** Fewer calls than these say nothing of a million: what happens once while V8 warms up would be multiplied. */
const LEAST_RATED = 1_000_000;

/** @param calls in which they came; 0 where that is unknown */
export function rateText(count: number, calls: number): string {
  if (calls === 0) return '';
  const rate = (count * LEAST_RATED) / calls;
  return calls < LEAST_RATED
    ? `in ${counted(calls, 'call')}`
    : `${rate >= 1 ? amount(Math.round(rate)) : rate.toPrecision(1)} per million calls`;
}

export function hasManyShapes({ state }: InlineCache): boolean {
  return state === 'polymorphic' || state === 'megamorphic';
}

/** Of those, the ones that the user can change. */
export function isManyShaped(cache: InlineCache): boolean {
  return hasManyShapes(cache) && !isMadeByNode(cache);
}

/**
 * Once megamorphic, V8 tells of misses only: fewer shapes than make a place so were not all. A keyed access is megamorphic by its keys,
 * too.
 */
export function cacheText({ state, kind, shapeCount }: InlineCache): string {
  if (state === 'megamorphic' && shapeCount < LEAST_MEGAMORPHIC) return kind.startsWith('Keyed') ? BY_KEYS : `${LEAST_MEGAMORPHIC}+ shapes`;
  return `${shapeCount}${shapeCount >= LIMITS.shapesPerPlace ? '+' : ''} ${shapeCount === 1 ? 'shape' : 'shapes'}`;
}

/** V8 remembers four shapes at one place (measured on Node 18 to 26). */
const LEAST_MEGAMORPHIC = 5;
export const BY_KEYS = 'varying keys';
