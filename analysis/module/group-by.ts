// Indexes of a file's places, which keep questions about each of them linear: generated files have thousands.

/** `Map.groupBy`, which Node 20 does not have. */
export function groupBy<K, T>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** The index of the first that begins at an offset or behind it. `nodes` are in source order, as those of a module are. */
export function firstFrom(nodes: readonly { start?: number | null }[], offset: number): number {
  let low = 0;
  for (let high = nodes.length; low < high; ) {
    const middle = (low + high) >> 1;
    if ((nodes[middle]?.start ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
