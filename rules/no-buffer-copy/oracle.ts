import type { Oracle } from '../shared/oracle.ts';

export const oracle: Oracle = {
  exportName: 'handleRequests',
  args: () => [20, 65_536],
  calls: 1,
  metric: 'time-ratio',
  atLeast: 3,
  nodeRange: '>=18',
  why: 'Both send 20 images of 64 kB as data URLs. The one makes a text of each byte first, and the other lets Buffer make the base64.',
};
