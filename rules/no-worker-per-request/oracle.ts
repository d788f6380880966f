import type { Oracle } from '../shared/oracle.ts';

// A few requests, one after the other: a sample takes some tenths of a second.
const NUMBERS = [1, 2, 3, 4];

export const oracle: Oracle = {
  exportName: 'doubleAll',
  args: () => [[...NUMBERS]],
  calls: 1,
  metric: 'time-ratio',
  // Runs on Node 18 to 26 gave more than this on two cores that others used as well; it is far from 1.
  atLeast: 2,
  nodeRange: '>=18',
  why: 'Both servers do the same small work on a thread. The one starts a thread for each request and ends it, the other keeps one: the difference is what the start costs.',
};
