import type { Oracle } from '../shared/oracle.ts';

// Every second text is no address, as in links that people typed.
const LINKS = 400;

export const oracle: Oracle = {
  exportName: 'validLinks',
  args: () => [Array.from({ length: LINKS }, (_, i) => (i % 2 === 0 ? `https://example.org/page/${i}` : `page ${i}`))],
  calls: 20,
  metric: 'time-ratio',
  // Runs on Node 18 to 26 gave ratios from 10 upwards; four is far from both those and 1.
  atLeast: 4,
  // URL.canParse came with Node 18.17 and 19.9.
  nodeRange: '>=18.17.0 <19 || >=19.9.0',
  why: 'Both sides read the same list of links and keep the same half. The one that lets `new URL` throw pays for an Error and its stack for every text of the other half.',
};
