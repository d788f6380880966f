import type { Oracle } from '../shared/oracle.ts';

export const oracle: Oracle = {
  exportName: 'beginningOfLog',
  args: () => [16],
  calls: 1,
  metric: 'time-ratio',
  atLeast: 3,
  nodeRange: '>=18',
  why: 'Both send the same file of 64 MB. What is measured ends with the first byte that the client gets, and has the start of the service in it. The one reads the whole file before that.',
};
