// The few statistics that a report needs: a median with its confidence interval by order statistics, which asks nothing of the
// distribution.

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length === 0
    ? 0
    : sorted.length % 2 === 1
      ? (sorted[middle] ?? 0)
      : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

/** The sample below which `share` (0 to 1) of them lie, by rank; undefined where fewer than ten would lie above it. */
export function tail(numbers: readonly number[], share: number): number | undefined {
  const LEAST_ABOVE = 10;
  if (numbers.length * (1 - share) < LEAST_ABOVE) return undefined;
  return [...numbers].sort((a, b) => a - b)[Math.ceil(numbers.length * share) - 1];
}

/** 97.5 % quantile of the standard normal distribution. */
const Z_975 = 1.96;

/**
 * Half of the width of the median's 95 % confidence interval: between the order statistics n/2 ± 1.96·√n/2
 * (normal approximation of the binomial distribution; Conover, Practical Nonparametric Statistics, 3.2). Undefined for fewer than 6
 * samples.
 */
export function medianHalfWidth(numbers: readonly number[]): number | undefined {
  const MIN_SAMPLES = 6;
  if (numbers.length < MIN_SAMPLES) return undefined;
  const sorted = [...numbers].sort((a, b) => a - b);
  const n = sorted.length;
  const reach = (Z_975 * Math.sqrt(n)) / 2;
  const low = Math.max(0, Math.floor(n / 2 - reach));
  const high = Math.min(n - 1, Math.ceil(n / 2 + reach));
  return ((sorted[high] ?? 0) - (sorted[low] ?? 0)) / 2;
}
