// Places and ranges of the source. Pure.
import type { LoopBlock, SourcePlace } from '../../protocol/evidence.ts';
import type { PlaceRange } from './hypothesis.ts';

export function isIn(place: SourcePlace, { start, end }: PlaceRange): boolean {
  return place.file === start.file && !isBefore(place, start) && !isBefore(end, place);
}

export function isInAny(place: SourcePlace, ranges: readonly PlaceRange[]): boolean {
  return ranges.some((range) => isIn(place, range));
}

/** Whether all of the first lies in the second. */
export function isWithin(inner: PlaceRange, outer: PlaceRange): boolean {
  return isIn(inner.start, outer) && isIn(inner.end, outer);
}

/** In the same file. */
export function isBefore(a: SourcePlace, b: SourcePlace): boolean {
  return a.line < b.line || (a.line === b.line && a.column < b.column);
}

export function touches({ stack }: LoopBlock, ranges: readonly PlaceRange[]): boolean {
  return stack.some((frame) => isInAny(frame, ranges));
}
