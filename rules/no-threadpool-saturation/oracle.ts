import type { Oracle } from '../shared/oracle.ts';

export const oracle: Oracle = {
  exportName: 'readWhileHashing',
  args: () => [],
  calls: 1,
  metric: 'time-ratio',
  // Both start a Node and its server; the one then waits until the first of four hashes is done, which share two cores here.
  atLeast: 1.5,
  nodeRange: '>=18',
  why: 'Both services get six passwords in one request. Whoever reads a file meanwhile waits for a thread of the pool where all are hashed at once, and not where one is hashed at a time.',
};
