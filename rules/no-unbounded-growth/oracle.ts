import type { Oracle } from '../shared/oracle.ts';

export const oracle: Oracle = {
  exportName: 'answer',
  args: () => ['/news'],
  // What a call keeps stands out from what the heap does by itself.
  calls: 100,
  metric: 'heap-kept',
  // A listener is a function with a context of its own: half of what was measured.
  atLeast: 50,
  nodeRange: '>=18',
  why: 'Both services answer the same requests. After a forced collection, the one still has the listener of each of them, and the other has none.',
};
