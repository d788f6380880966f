import type { Oracle } from '../shared/oracle.ts';

const REQUESTS = 500;

export const oracle: Oracle = {
  exportName: 'answerAll',
  args: () => [Array.from({ length: REQUESTS }, (_, i) => `/${i}`)],
  calls: 1,
  metric: 'time-ratio',
  // Far from 1, and far below what was measured.
  atLeast: 5,
  nodeRange: '>=18',
  why: 'Both services do the same for each request. The listeners that the one leaves behind all run again at each request, and later samples run those of earlier ones, too: the difference is what they cost.',
};
