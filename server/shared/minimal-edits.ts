// The few edits that turn one text into another: what stays the same is not touched, so that cursors and folds stay where they are.
import type { Edit } from '../../protocol/finding.ts';

/**
 * Lines that the comparison may take out or put in before it gives up and replaces all between the first and the last difference.
 * Its time and memory grow with the square of this number: 500 are 125,000 steps. A fix changes a few lines.
 */
const MAX_CHANGED_LINES = 500;

/** Not overlapping, in order, none of them empty. No edit begins or ends inside a CRLF or a surrogate pair. */
export function minimalEdits(before: string, after: string): Edit[] {
  if (before === after) return [];
  const a = splitLines(before);
  const b = splitLines(after);
  const start = commonStart(a, b);
  const tail = commonEnd(a, b, start);
  const inner = { a: a.slice(start, a.length - tail), b: b.slice(start, b.length - tail) };
  const edits: Edit[] = [];
  let at = lengthOf(a, 0, start);
  let line = 0;
  for (const { from, to, lines } of changedLines(inner.a, inner.b)) {
    at += lengthOf(inner.a, line, from);
    const removed = inner.a.slice(from, to).join('');
    const edit = trim(before, at, removed, lines.join(''));
    if (edit) edits.push(edit);
    at += removed.length;
    line = to;
  }
  return edits;
}

/** Lines with their line breaks, as the Language Server Protocol counts them. */
function splitLines(text: string): string[] {
  return text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? [];
}

function commonStart(a: readonly string[], b: readonly string[]): number {
  let n = 0;
  while (n < a.length && n < b.length && a[n] === b[n]) n++;
  return n;
}

function commonEnd(a: readonly string[], b: readonly string[], start: number): number {
  let n = 0;
  while (n < a.length - start && n < b.length - start && a[a.length - 1 - n] === b[b.length - 1 - n]) n++;
  return n;
}

function lengthOf(lines: readonly string[], from: number, to: number): number {
  let length = 0;
  for (let i = from; i < to; i++) length += lines[i]?.length ?? 0;
  return length;
}

interface Hunk {
  /** Lines of the first text that go, half open. */
  from: number;
  to: number;
  /** Lines of the second text that come in their place. */
  lines: readonly string[];
}

/** Myers' greedy comparison: the fewest lines out and in. */
function changedLines(a: readonly string[], b: readonly string[]): Hunk[] {
  const trace = findShortest(a, b);
  if (!trace) return [{ from: 0, to: a.length, lines: b }];
  const gone = new Set<number>();
  const added = new Set<number>();
  let x = a.length;
  let y = b.length;
  // The way back: each step but the first is one line out or one line in, before a stretch of equal lines.
  for (let d = trace.length - 1; d > 0; d--) {
    const reached = trace[d] as ReadonlyMap<number, number>;
    const before = isLineAdded(reached, d, x - y) ? x - y + 1 : x - y - 1;
    const fromX = reached.get(before) ?? 0;
    const fromY = fromX - before;
    if (before > x - y) added.add(fromY);
    else gone.add(fromX);
    x = fromX;
    y = fromY;
  }
  return collectHunks(a, b, gone, added);
}

function collectHunks(a: readonly string[], b: readonly string[], gone: ReadonlySet<number>, added: ReadonlySet<number>): Hunk[] {
  const hunks: Hunk[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    const from = i;
    const first = j;
    while (gone.has(i)) i++;
    while (added.has(j)) j++;
    if (i > from || j > first) hunks.push({ from, to: i, lines: b.slice(first, j) });
    i++;
    j++;
  }
  return hunks;
}

/** Whether the farthest way to the diagonal `k` in `d` steps ends with a line put in, not with one taken out. */
function isLineAdded(reached: ReadonlyMap<number, number>, d: number, k: number): boolean {
  return k === -d || (k !== d && (reached.get(k - 1) ?? -1) < (reached.get(k + 1) ?? -1));
}

/** For each number of steps how far each diagonal was reached before it; undefined when it takes too many. */
function findShortest(a: readonly string[], b: readonly string[]): ReadonlyMap<number, number>[] | undefined {
  const trace: ReadonlyMap<number, number>[] = [];
  let reached = new Map<number, number>();
  for (let d = 0; d <= Math.min(a.length + b.length, MAX_CHANGED_LINES); d++) {
    trace.push(reached);
    const next = new Map(reached);
    for (let k = -d; k <= d; k += 2) {
      let x = d === 0 ? 0 : isLineAdded(reached, d, k) ? (reached.get(k + 1) ?? 0) : (reached.get(k - 1) ?? 0) + 1;
      let y = x - k;
      while (x < a.length && y < b.length && a[x] === b[y]) {
        x++;
        y++;
      }
      next.set(k, x);
      if (x >= a.length && y >= b.length) return trace;
    }
    reached = next;
  }
  return undefined;
}

/** The edit without the characters that it would put back as they were. */
function trim(text: string, at: number, removed: string, inserted: string): Edit | undefined {
  const shorter = Math.min(removed.length, inserted.length);
  let head = 0;
  while (head < shorter && removed[head] === inserted[head]) head++;
  while (head > 0 && (isInsidePair(text, at + head) || isInsidePair(inserted, head))) head--;
  let tail = 0;
  while (tail < shorter - head && removed[removed.length - 1 - tail] === inserted[inserted.length - 1 - tail]) tail++;
  while (tail > 0 && (isInsidePair(text, at + removed.length - tail) || isInsidePair(inserted, inserted.length - tail))) tail--;
  const edit = { start: at + head, end: at + removed.length - tail, text: inserted.slice(head, inserted.length - tail) };
  return edit.start === edit.end && edit.text === '' ? undefined : edit;
}

/** Whether an offset lies between the halves of a CRLF or of a surrogate pair. */
function isInsidePair(text: string, offset: number): boolean {
  const first = text.charCodeAt(offset - 1);
  const second = text.charCodeAt(offset);
  return (first === 13 && second === 10) || (first >= 0xd800 && first < 0xdc00 && second >= 0xdc00 && second < 0xe000);
}
