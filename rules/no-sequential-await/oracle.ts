import type { Oracle } from '../shared/oracle.ts';

export const oracle: Oracle = {
  exportName: 'overviewOf',
  args: () => ['c-17'],
  calls: 5,
  metric: 'time-ratio',
  atLeast: 1.5,
  nodeRange: '>=18',
  why: 'The service answers one request. What differs is when the second read starts: when the first one is answered, or together with it. Both take 10 ms, as over a network; the rest of the request takes about as long in both.',
};
