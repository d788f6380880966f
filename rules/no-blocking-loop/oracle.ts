import type { Oracle } from '../shared/oracle.ts';

export const oracle: Oracle = {
  exportName: 'meanOfDraws',
  args: () => [],
  calls: 1,
  metric: 'loop-delay-ratio',
  // A part takes about a millisecond, the whole some hundred: three is far from both that and 1, on two cores that others use as well.
  atLeast: 3,
  nodeRange: '>=18',
  why: 'Both services draw the same thirty million numbers. In one piece they hold the event loop until they are done; in parts, others get their turn between two of them. Both take the processor for as long: the claim is about who waits.',
};
