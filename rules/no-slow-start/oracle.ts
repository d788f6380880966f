import type { Oracle } from '../shared/oracle.ts';

export const oracle: Oracle = {
  exportName: 'start',
  args: () => [['package.json']],
  calls: 1,
  metric: 'time-ratio',
  atLeast: 1.3,
  nodeRange: '>=18',
  why: 'Both start the command as a user does, in a new process, without the option that needs the package. One loads it all the same.',
};
