import type { Oracle } from '../shared/oracle.ts';

export const oracle: Oracle = {
  exportName: 'checkNames',
  args: () => [100],
  calls: 1,
  metric: 'loop-delay-ratio',
  // With eight at a time, at most eight starts follow each other; 100 are twelve times as many.
  atLeast: 3,
  nodeRange: '>=18',
  why: 'The service runs a small program for each of 100 names. Node starts a process on the thread of the event loop, so that whoever starts 100 of them blocks it for the sum. With eight at a time, the loop runs between them.',
};
