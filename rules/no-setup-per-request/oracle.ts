import type { Oracle } from '../shared/oracle.ts';

const DAY_MS = 86_400_000;
// Different days, so that no answer can be kept.
const TIMES = Array.from({ length: 200 }, (_, i) => i * DAY_MS);

export const oracle: Oracle = {
  exportName: 'answerAll',
  args: () => [[...TIMES]],
  calls: 1,
  metric: 'time-ratio',
  // Far below what the runs gave, and far above 1.
  atLeast: 5,
  nodeRange: '>=18',
  why: 'Both give the same answers to the same requests. The one builds a formatter for each, from constants, the other one for all. The sockets are left out: they take the same time in both.',
};
