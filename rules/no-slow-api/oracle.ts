import type { Oracle } from '../shared/oracle.ts';

export const oracle: Oracle = {
  exportName: 'handleRequests',
  args: () => [200],
  calls: 1,
  metric: 'time-ratio',
  // The one reads files of the system for each request, and the other a number.
  atLeast: 5,
  nodeRange: '>=18',
  why: 'Both answer 200 requests with a share of the processors. The one asks the system for their number each time, and the other asked once.',
};
