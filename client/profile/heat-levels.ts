// The steps of the gutter's bars.

export interface HeatLevel {
  /** From this share of the time on, 0 to 1. */
  from: number;
  /** Of the bar, in pixels of 16. */
  width: number;
  /** On light and on dark backgrounds: at least 3 to 1 against white and against #1e1e1e, as WCAG 2.1 asks of graphics (1.4.11). */
  light: string;
  dark: string;
  /** Color of the theme in the overview ruler. */
  ruler: string;
}

/** Cool to hot. Each step is about twice the one before. */
export const HEAT_LEVELS: readonly HeatLevel[] = [
  { from: 0, width: 2, light: '#6f7f8f', dark: '#8b9bab', ruler: 'nodometer.evidenceForeground' },
  { from: 0.05, width: 4, light: '#a06a00', dark: '#d7a94b', ruler: 'nodometer.evidenceForeground' },
  { from: 0.1, width: 6, light: '#b85000', dark: '#e8903a', ruler: 'nodometer.evidenceProblemForeground' },
  { from: 0.25, width: 9, light: '#c22f18', dark: '#f06a45', ruler: 'nodometer.evidenceProblemForeground' },
  { from: 0.5, width: 12, light: '#a8121f', dark: '#ff4d5e', ruler: 'nodometer.evidenceProblemForeground' },
];

/** Index of the level that a share (0 to 1) belongs to. */
export function levelOf(share: number): number {
  return HEAT_LEVELS.findLastIndex(({ from }) => share >= from);
}
