// Moves findings along with edits.
import type { Finding, Related, Span } from '../../protocol/finding.ts';

/** One replacement in a text. Lengths and offsets are in UTF-16 code units. */
export interface OffsetChange {
  start: number;
  /** The length of the removed text. */
  removed: number;
  /** The length of the inserted text. */
  inserted: number;
}

/**
 * The findings at their positions after the change. Findings in deleted text, or cut at one end, are dropped. A change inside a finding
 * keeps it, longer or shorter, because that is where people type. Fixes are dropped, because their text may be wrong now.
 */
export function moveFindings(findings: readonly Finding[], change: OffsetChange): Finding[] {
  return findings.flatMap((finding) => {
    const span = moveSpan(finding.span, change);
    if (!span) return [];
    const related = finding.related.flatMap((place): Related[] => {
      if (place.file !== undefined && place.file !== finding.file) return [place];
      const moved = moveSpan(place.span, change);
      return moved ? [{ ...place, span: moved }] : [];
    });
    return [{ ...finding, span, related, fixes: [] }];
  });
}

/** The span after the change; undefined if its text was deleted or cut. Text inserted at either end is not part of it. */
export function moveSpan(span: Span, { start, removed, inserted }: OffsetChange): Span | undefined {
  const end = start + removed;
  const shift = inserted - removed;
  if (end <= span.start) return { start: span.start + shift, end: span.end + shift };
  if (start >= span.end) return span;
  if (start < span.start || end > span.end) return undefined;
  return end - start === span.end - span.start ? undefined : { start: span.start, end: span.end + shift };
}

/** The single replacement that turns `before` into `after`: what is between their common start and their common end. */
export function changeBetween(before: string, after: string): OffsetChange {
  const start = commonStart(before, after);
  const tail = commonEnd(before, after, Math.min(before.length, after.length) - start);
  return { start, removed: before.length - tail - start, inserted: after.length - tail - start };
}

// A binary search compares whole ranges at once, which is faster than a loop over the characters of a long text.
function commonStart(before: string, after: string): number {
  let low = 0;
  let high = Math.min(before.length, after.length);
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (before.slice(low, middle) === after.slice(low, middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

function commonEnd(before: string, after: string, limit: number): number {
  let low = 0;
  let high = limit;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (before.slice(before.length - middle, before.length - low) === after.slice(after.length - middle, after.length - low)) low = middle;
    else high = middle - 1;
  }
  return low;
}
