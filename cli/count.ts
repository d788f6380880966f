// Numbers with their noun, for messages.

/** `1 file`, `2 files`, `2 entries`. */
export function count(n: number, singular: string, plural: string = `${singular}s`): string {
  return `${n.toLocaleString('en-US')} ${n === 1 ? singular : plural}`;
}

/** `a`, `a and b`, `a, b and c`. */
export function listOf(items: readonly string[], conjunction = 'and'): string {
  if (items.length <= 1) return items[0] ?? '';
  return `${items.slice(0, -1).join(', ')} ${conjunction} ${items.at(-1)}`;
}
