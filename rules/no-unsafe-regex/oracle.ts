import type { Oracle } from '../shared/oracle.ts';

// With two more digits each sample would take four times as long.
const DIGITS = 22;

export const oracle: Oracle = {
  exportName: 'checkAll',
  args: () => [['1!', '0'.repeat(DIGITS)]],
  calls: 1,
  metric: 'loop-delay-ratio',
  // Two more digits make four times as much of it; three is far from 1 on two cores that others use as well.
  atLeast: 3,
  nodeRange: '>=18',
  why: 'Both services check the same two numbers, of which the longer lacks the mark. One expression can read twenty-two digits in two million ways and tries them all while the event loop stands still; the other reads them in one.',
};
