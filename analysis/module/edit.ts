// Applies edits to text: a fix as a whole or not at all, and only fixes that do not overlap.
import type { Edit, Fix } from '../../protocol/finding.ts';

/** The text after the edits. Edits must not overlap. Insertions at one place are applied in the given order. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const sorted = edits
    .map((edit, order) => ({ edit, order }))
    .sort((a, b) => a.edit.start - b.edit.start || a.edit.end - b.edit.end || a.order - b.order);
  let result = '';
  let at = 0;
  for (const { edit } of sorted) {
    if (edit.start < at) throw new Error(`edits overlap at offset ${edit.start}`);
    result += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return result + text.slice(at);
}

/**
 * The fixes, in order, whose edits do not overlap an earlier one, and which declare no name at the top level that an earlier one declares,
 * too. The others wait for the next pass.
 */
export function pickCompatible(fixes: readonly Fix[]): Fix[] {
  const picked: Fix[] = [];
  /** Sorted, and apart from each other: of 100,000 edits, each is compared with two. */
  const taken: Edit[] = [];
  const declared = new Set<string>();
  for (const fix of fixes) {
    const names = fix.edits.flatMap(namesDeclared);
    if (names.some((name) => declared.has(name)) || fix.edits.some((edit) => touches(taken, edit))) continue;
    picked.push(fix);
    for (const edit of fix.edits) taken.splice(placeIn(taken, edit), 0, edit);
    for (const name of names) declared.add(name);
  }
  return picked;
}

/** How many of the edits begin before this one. */
function placeIn(taken: readonly Edit[], { start, end }: Edit): number {
  let low = 0;
  let high = taken.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = taken[middle] as Edit;
    if (other.start < start || (other.start === start && other.end < end)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function touches(taken: readonly Edit[], edit: Edit): boolean {
  const at = placeIn(taken, edit);
  return [taken[at - 1], taken[at]].some((other) => other !== undefined && edit.start <= other.end && other.start <= edit.end);
}

const DECLARED = /^(?:const|let|var|function|class) ([\w$]+)/gm;

/** What a fix declares in lines of their own, without indentation. */
function namesDeclared({ start, end, text }: Edit): string[] {
  if (start !== end || !text.endsWith('\n')) return [];
  return [...text.matchAll(DECLARED)].flatMap(([, name]) => name ?? []);
}
