// Takes findings along with edits.
import type { Finding, Related, Span } from '../../protocol/finding.ts';

/** One replacement in a text; lengths and offsets in UTF-16 code units. */
export interface OffsetChange {
  start: number;
  /** How much of the old text goes. */
  removed: number;
  /** How much comes in its place. */
  inserted: number;
}

/**
 * The findings at their places after the change. What was deleted, or cut at one end, vanishes; a change inside a finding
 * keeps it, grown or shrunk, because that is where people type. Fixes are gone: their text may no longer be right.
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

/** Where a span is after the change, or undefined when its text was deleted or cut. Text put in at either end stays outside. */
export function moveSpan(span: Span, { start, removed, inserted }: OffsetChange): Span | undefined {
  const end = start + removed;
  const shift = inserted - removed;
  if (end <= span.start) return { start: span.start + shift, end: span.end + shift };
  if (start >= span.end) return span;
  if (start < span.start || end > span.end) return undefined;
  return end - start === span.end - span.start ? undefined : { start: span.start, end: span.end + shift };
}

/** The one replacement that turns `before` into `after`: what lies between their common start and their common end. */
export function changeBetween(before: string, after: string): OffsetChange {
  const start = commonStart(before, after);
  const tail = commonEnd(before, after, Math.min(before.length, after.length) - start);
  return { start, removed: before.length - tail - start, inserted: after.length - tail - start };
}

// Halving compares whole stretches at once, which is faster than a loop over the characters of a long text.
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
