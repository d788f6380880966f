import type { Oracle } from '../shared/oracle.ts';

export const oracle: Oracle = {
  exportName: 'totalArea',
  // A thousand shapes, each asked two hundred times: making them is lost beside asking them.
  args: () => [1000, 200],
  calls: 5,
  metric: 'time-ratio',
  atLeast: 2,
  nodeRange: '>=18',
  why: 'A method of five classes called at one place against one class with a kind: the same arithmetic, and nothing else in the loop, so what differs is the megamorphic call.',
};
