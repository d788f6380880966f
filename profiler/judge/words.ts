// Figures for people. Pure.

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, n) => total + n, 0);
}

/** `950`, `12 k`, `1.2 M`. */
export function amount(n: number): string {
  const [unit, size] = n >= 1e9 ? [' G', 1e9] : n >= 1e6 ? [' M', 1e6] : n >= 1e4 ? [' k', 1e3] : ['', 1];
  const value = n / size;
  return `${value >= 100 || Number.isInteger(value) ? Math.round(value) : value.toFixed(1)}${unit}`;
}

export function times(n: number): string {
  return n === 1 ? 'once' : `${amount(n)} times`;
}

/** `0.08 ms`, `12 ms`, `1.5 s`. */
export function duration(ms: number): string {
  if (ms >= 1000) return `${(ms / 1000).toFixed(1)} s`;
  if (ms >= 10) return `${Math.round(ms)} ms`;
  return ms >= 0.01 ? `${ms.toFixed(2)} ms` : `${(ms * 1000).toFixed(1)} µs`;
}

export function percent(share: number): string {
  return share > 1 ? 'all' : `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;
}

export function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
