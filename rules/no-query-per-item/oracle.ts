import type { Oracle } from '../shared/oracle.ts';

export const oracle: Oracle = {
  exportName: 'listOrders',
  args: () => [200],
  calls: 1,
  metric: 'time-ratio',
  atLeast: 1.5,
  nodeRange: '>=18',
  why: 'The service answers one request for a list of 200 orders. What differs is the number of trips to the database: 200, each after the one before, or one. The database is on the same machine, where a trip is the shortest.',
};
