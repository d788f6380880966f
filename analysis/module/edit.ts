// Applies edits to text: all of a fix's or none, and only fixes that do not touch each other.
import type { Edit, Fix } from '../../protocol/finding.ts';

/** The text with the edits made. Edits must not overlap; insertions at one place are made in the order given. */
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

/** The fixes, in order, whose edits overlap no earlier one's. The rest wait for the next pass. */
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
