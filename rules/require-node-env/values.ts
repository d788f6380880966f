// What a value of NODE_ENV means to packages that compare it with `production`.

export type ValueVerdict =
  /** Exactly `production`. */
  | 'production'
  /** Meant as production, but no package accepts it: `prod`, `Production`, `production ` with a space, `"production"` with its quotes. */
  | 'misspelt'
  | 'development'
  /** `test`, `staging`, a value of the project itself: a deliberate choice. */
  | 'other'
  | 'empty';

export function judgeValue(value: string): ValueVerdict {
  if (value === 'production') return 'production';
  const bare = value.replace(/^[\s"'`=]+|(?<![\s"'`;,&])[\s"'`;,&]+$/g, '').toLowerCase();
  if (bare === '') return 'empty';
  if (bare === 'production' || bare === 'prod' || bare === 'prd' || isTypoOfProduction(bare)) return 'misspelt';
  if (/^(?:dev|develop|development|devel|local|debug)$/.test(bare)) return 'development';
  return 'other';
}

/**
 * Whether a value is clearly a misspelled `production`: padded, in other case, or with missing or swapped letters. `prod` is a separate
 * name and does not count.
 */
export function isSlipOfProduction(value: string): boolean {
  return (
    value !== 'production' &&
    /prod/i.test(value) &&
    (value.trim().toLowerCase() === 'production' || isTypoOfProduction(value.trim().toLowerCase()))
  );
}

// Two wrong letters of ten: `prodution`, `produciton`, `productoin`. With more, it may be another word.
const MAX_TYPO_DISTANCE = 2;

function isTypoOfProduction(word: string): boolean {
  const target = 'production';
  // `production-eu` and `preproduction` are separate names.
  if (word === target || Math.abs(word.length - target.length) > MAX_TYPO_DISTANCE || !word.startsWith('pr') || /[^a-z]/.test(word))
    return false;
  if (word === 'products' || word === 'product' || word === 'productive') return false;
  return distance(word, target) <= MAX_TYPO_DISTANCE;
}

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next.push(Math.min((next[j - 1] ?? 0) + 1, (row[j] ?? 0) + 1, (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/** A value as shown in a message: spaces made visible, quotes kept. */
export function showValue(value: string): string {
  return `\`${value.replaceAll(' ', '␠')}\``;
}
