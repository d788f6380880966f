import type { Oracle } from '../shared/oracle.ts';

// Some hundred milliseconds of work: many times what a timer of 5 ms needs to be late.
const VALUES = 400_000;
const ROUNDS_OF_ALL = 40;

export const oracle: Oracle = {
  exportName: 'sumInRounds',
  args: () => [Array.from({ length: VALUES }, (_, i) => i % 997)],
  calls: ROUNDS_OF_ALL,
  metric: 'timer-starved',
  atLeast: 1,
  nodeRange: '>=18',
  why: 'Both sides add up the same numbers in the same rounds. A timer that comes due meanwhile fires in time only where the rounds are put off with setImmediate.',
};
