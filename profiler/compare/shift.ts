// How far two sets of measurements lie apart: the Hodges-Lehmann estimate with the interval of the Mann-Whitney test. It asks nothing of
// the distribution, which matters here: a process lands on one of several levels, by where its code and objects happen to lie.
// Source: Hollander, Wolfe, Chicken, Nonparametric Statistical Methods, 3rd edition, 4.2 and 4.3.
import { median } from '../evidence/statistics.ts';

/** In the unit of the measurements. */
export interface Shift {
  /** What the second lies above the first: the median of all differences between the two. */
  difference: number;
  low: number;
  high: number;
}

/** Share of intervals that hold the true shift. Of 1,000 comparisons of a thing with itself, at most three are called different. */
export const CONFIDENCE = 0.997;

/** Undefined where there are too few measurements for an interval: fewer than 6 and 6, whose outermost one has 99.78 %. */
export function shiftBetween(first: readonly number[], second: readonly number[]): Shift | undefined {
  const cut = criticalRank(first.length, second.length);
  if (cut === undefined) return undefined;
  const differences = second.flatMap((b) => first.map((a) => b - a)).sort((a, b) => a - b);
  const low = differences[cut];
  const high = differences[differences.length - 1 - cut];
  return low === undefined || high === undefined ? undefined : { difference: median(differences), low, high };
}

/** Whether the interval leaves zero out. */
export function isShown({ low, high }: Pick<Shift, 'low' | 'high'>): boolean {
  return low > 0 || high < 0;
}

/**
 * How many of the sorted differences lie outside of the interval on each side: the largest k with P(U < k) of at most half of what is
 * left beside the confidence, under the exact distribution of the Mann-Whitney statistic. Undefined where not even one has so little.
 */
function criticalRank(m: number, n: number): number | undefined {
  const all = countsByStatistic(m, n);
  const total = all.reduce((sum, count) => sum + count, 0);
  let below = 0;
  let rank = -1;
  for (const [u, count] of all.entries()) {
    below += count;
    if (below / total > (1 - CONFIDENCE) / 2) break;
    rank = u;
  }
  return rank < 0 ? undefined : rank;
}

/** In how many orders of m and n measurements the statistic has each value: the coefficients of the Gaussian binomial. */
function countsByStatistic(m: number, n: number): number[] {
  let counts = [1];
  for (let i = 1; i <= m; i += 1) counts = dividedBy(timesTerm(counts, n + i), i);
  return counts;
}

/** Times 1 - q^power. */
function timesTerm(counts: readonly number[], power: number): number[] {
  const product = [...counts, ...Array.from({ length: power }, () => 0)];
  for (const [i, count] of counts.entries()) product[i + power] = (product[i + power] ?? 0) - count;
  return product;
}

/** By 1 - q^power, which leaves nothing over. */
function dividedBy(counts: readonly number[], power: number): number[] {
  const quotient: number[] = [];
  for (const [i, count] of counts.entries()) quotient.push(count + (quotient[i - power] ?? 0));
  while (quotient.length > 1 && quotient.at(-1) === 0) quotient.pop();
  return quotient;
}
