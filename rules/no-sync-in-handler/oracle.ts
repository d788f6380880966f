import type { Oracle } from '../shared/oracle.ts';

// As many as the thread pool has threads: enough to make requests wait for each other, and few enough that a sample takes a tenth of a
// second.
const PASSWORDS = ['correct', 'horse', 'battery', 'staple'];

export const oracle: Oracle = {
  exportName: 'hashPasswords',
  args: () => [[...PASSWORDS]],
  calls: 1,
  metric: 'loop-delay-ratio',
  // Runs on Node 18 to 26 gave 5 to 24, on two cores that others used as well; three is far from both those and 1.
  atLeast: 3,
  nodeRange: '>=18',
  why: 'Four people sign in at once. Hashed in the handler, their passwords hold the event loop for all four hashes; hashed on the thread pool, the loop stays free. Both take the processor for as long: the claim is about who waits, not about the sum.',
};
