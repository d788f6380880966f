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

/** The fixes, in order, whose edits do not overlap an earlier one. The others wait for the next pass. */
export function pickCompatible(fixes: readonly Fix[]): Fix[] {
  const picked: Fix[] = [];
  const taken: Edit[] = [];
  for (const fix of fixes) {
    const clash = fix.edits.some((edit) => taken.some((other) => edit.start <= other.end && other.start <= edit.end));
    if (clash) continue;
    picked.push(fix);
    taken.push(...fix.edits);
  }
  return picked;
}
