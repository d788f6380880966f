import type { Oracle } from '../shared/oracle.ts';

export const oracle: Oracle = {
  exportName: 'lookWhileBusy',
  args: () => [],
  calls: 1,
  metric: 'time-ratio',
  // Both start a Node; the one then waits 400 ms for a thread. On a machine that starts a Node in 100 ms that makes a ratio of five.
  atLeast: 1.5,
  nodeRange: '>=18',
  why: 'Five reads of pipes wait in the pool, and a look at a folder comes behind them. With eight threads it is done at once; with the four that the pool has when the variable is set too late, it waits until somebody writes to the pipes.',
};
