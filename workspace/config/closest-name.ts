// "Did you mean …?": the candidate that a typing slip would turn into the given word.

/** The nearest candidate, or undefined when none is near enough to be what was meant. */
export function findClosestName(word: string, candidates: Iterable<string>): string | undefined {
  // One slip in three letters is a typing error; more is another word.
  const limit = Math.max(1, Math.floor(word.length / 3));
  let best: string | undefined;
  let bestDistance = limit + 1;
  const wanted = word.toLowerCase();
  for (const candidate of candidates) {
    const distance = editDistance(wanted, candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best ?? findCompletion(wanted, candidates);
}

/** `sync` for `no-sync-in-handler`: a part long enough to be distinctive, found in one candidate only. */
function findCompletion(wanted: string, candidates: Iterable<string>): string | undefined {
  const MEANINGFUL_PART = 4;
  if (wanted.length < MEANINGFUL_PART) return undefined;
  const holders = [...candidates].filter((candidate) => candidate.toLowerCase().includes(wanted));
  return holders.length === 1 ? holders[0] : undefined;
}

export function didYouMean(word: string, candidates: Iterable<string>): string {
  const closest = findClosestName(word, candidates);
  return closest === undefined ? '' : ` Did you mean \`${closest}\`?`;
}

/** Insertions, deletions, replacements and swaps of neighbors that lead from one word to the other. */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1);
      row.push(cost);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
