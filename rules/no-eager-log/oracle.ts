import type { Oracle } from '../shared/oracle.ts';

export const oracle: Oracle = {
  exportName: 'handleRequests',
  args: () => [200],
  calls: 1,
  metric: 'time-ratio',
  atLeast: 1.2,
  nodeRange: '>=18',
  why: 'Both parse the same order of 10 kB, log it under a level that is off, and answer with its sum. The one makes text of the order for the log, and the other lets the logger do that.',
};
