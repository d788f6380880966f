// Takes findings along with edits: while text is half typed and cannot be read, the last good warnings stay where their code is.
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { TextDocumentContentChangeEvent } from 'vscode-languageserver/node';
import type { Finding, Related, Span } from '../protocol/finding.ts';

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

/** A change of the protocol as offsets. `document` must hold the text before it. */
export function toOffsetChange(document: TextDocument, change: TextDocumentContentChangeEvent): OffsetChange {
  if (!('range' in change)) return changeBetween(document.getText(), change.text);
  const a = document.offsetAt(change.range.start);
  const b = document.offsetAt(change.range.end);
  return { start: Math.min(a, b), removed: Math.abs(b - a), inserted: change.text.length };
}

/** The one replacement that turns `before` into `after`: what lies between their common start and their common end. */
export function changeBetween(before: string, after: string): OffsetChange {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  let tail = 0;
  while (tail < shorter - start && before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)) tail++;
  return { start, removed: before.length - tail - start, inserted: after.length - tail - start };
}
