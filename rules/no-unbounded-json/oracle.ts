import type { Oracle } from '../shared/oracle.ts';

export const oracle: Oracle = {
  exportName: 'askWhileSending',
  args: () => [],
  calls: 1,
  metric: 'loop-delay-ratio',
  // Parsing takes hundreds of milliseconds, and receiving the bytes a few; three is far from 1 on two cores that others use as well.
  atLeast: 3,
  nodeRange: '>=18',
  why: 'Both services are sent 2 MB of JSON, and then asked for something small. One gathers and parses the list, and the event loop stands still meanwhile. The other counts the bytes, and refuses the list when there are more than 100 kB.',
};
