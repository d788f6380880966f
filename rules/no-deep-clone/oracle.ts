import type { Oracle } from '../shared/oracle.ts';

export const oracle: Oracle = {
  exportName: 'handleRequests',
  args: () => [50],
  calls: 1,
  metric: 'time-ratio',
  atLeast: 1.4,
  nodeRange: '>=18',
  why: 'Both parse the same text of 500 records, set the name of the user, and write the answer as JSON. The one copies the parsed object before. What the copy takes is measured against all that the request has to do anyway.',
};
