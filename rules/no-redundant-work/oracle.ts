import type { Oracle } from '../shared/oracle.ts';

export const oracle: Oracle = {
  exportName: 'profileOf',
  args: () => ['c-17'],
  calls: 5,
  metric: 'time-ratio',
  atLeast: 1.5,
  nodeRange: '>=18',
  why: 'The service answers one request. What differs is how often it asks the database for the same row: twice, or once. A read takes 10 ms, as over a network; the rest of the request takes about as long in both.',
};
