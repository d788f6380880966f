import type { Oracle } from '../shared/oracle.ts';

export const oracle: Oracle = {
  exportName: 'handleRequests',
  args: () => [1000, 10],
  calls: 1,
  metric: 'time-ratio',
  atLeast: 3,
  nodeRange: '>=18',
  why: 'Both answer 1,000 requests, ten functions deep, with a timer that is cleared. The one creates the error for the timer each time, and the other when the timer fires, which it does not.',
};
