// How truths are established, in words that the cases share. Each gives data only; run-check.ts carries them out.
import type { Check, Counters, Edit } from './case.ts';

/** A loop, a regular expression or a queue that holds the event loop so long is confirmed, in ms. */
const HELD_MS = 20;
/** A blocking call is confirmed from so many ms on, or from this share of its request or call on. */
const BLOCKS_MS = 0.1;
const BLOCKS_SHARE = 0.05;

export function edit(find: string, put: string, file?: string): Edit {
  return { find, put, ...(file === undefined ? {} : { file }) };
}

/** Counts how often the text's code is come to: `$hit` is put before a statement, or around an expression with a comma. */
export const HIT = "__hit('place')";

/** The fix takes away what the finding is about: both are timed. */
export const pair = (...fix: Edit[]): Check => ({ by: 'pair', fix });

/** The same for requests that wait for nothing. */
export const pairOfWork = (...fix: Edit[]): Check => ({ by: 'pair', fix, clock: 'processor' });

/** Inserted by hand at the place, the counter stays at zero. */
export const neverRuns = (...insert: Edit[]): Check => ({
  by: 'counters',
  insert,
  holds: ({ hits }) => (hits.place ?? 0) === 0,
  says: 'a counter at the place stays at zero',
});

export const runs = (least: number, ...insert: Edit[]): Check => ({
  by: 'counters',
  insert,
  holds: ({ hits }) => (hits.place ?? 0) >= least,
  says: `a counter at the place comes to ${least} or more`,
});

/** `__timed('place', () => call)` around the blocking call: it takes 0.1 ms or 5 % of the call or request. */
export const blocks = (...insert: Edit[]): Check => ({
  by: 'counters',
  insert,
  holds: (counters) => (counters.ms.place?.count ?? 0) > 0 && doesBlock(counters),
  says: 'the clock around the call: 0.1 ms each, or 5 % of the request',
});

export const blocksNotWorthTelling = (...insert: Edit[]): Check => ({
  by: 'counters',
  insert,
  holds: (counters) => (counters.ms.place?.count ?? 0) > 0 && !doesBlock(counters),
  says: 'the clock around the call: it runs, for less than 0.1 ms and less than 5 % of the request',
});

function doesBlock({ ms, perDrive }: Counters): boolean {
  const place = ms.place;
  if (!place) return false;
  return place.middle >= BLOCKS_MS || (perDrive !== undefined && place.middle >= perDrive * BLOCKS_SHARE);
}

/** The clock before and behind the code: the longest stretch is long enough to matter. */
export const holds = (...insert: Edit[]): Check => ({
  by: 'counters',
  insert,
  holds: ({ ms }) => (ms.place?.longest ?? 0) >= HELD_MS,
  says: `the clock around the code: ${HELD_MS} ms or more`,
});

export const holdsNot = (...insert: Edit[]): Check => ({
  by: 'counters',
  insert,
  holds: ({ ms }) => ms.place !== undefined && ms.place.count > 0 && ms.place.longest < HELD_MS,
  says: `the clock around the code: it runs, each time for less than ${HELD_MS} ms`,
});

/** A timer that was due before the work began fires late. */
export const starves = (...insert: Edit[]): Check => ({
  by: 'counters',
  insert,
  holds: ({ late }) => late >= HELD_MS,
  says: `a timer that is due fires ${HELD_MS} ms late, or never`,
});

export const starvesNot = (...insert: Edit[]): Check => ({
  by: 'counters',
  insert,
  holds: ({ late, hits }) => late < HELD_MS && (hits.place ?? 1) > 0,
  says: `a timer that is due fires within ${HELD_MS} ms`,
});

/** `__hit('try')` in the try's block, `__hit('caught')` in its catch. */
export const throwsIn = (least: number, most: number, ...insert: Edit[]): Check => ({
  by: 'counters',
  insert,
  holds: ({ hits }) => (hits.try ?? 0) > 0 && (hits.caught ?? 0) / (hits.try ?? 1) >= least && (hits.caught ?? 0) / (hits.try ?? 1) <= most,
  says:
    least === 0 && most === 0
      ? 'counters in the try and its catch: nothing is thrown'
      : `counters in the try and its catch: ${least * 100} to ${most * 100} % throw`,
});

/** With a native function of V8 put in by hand, which writes `yes` or `no`. */
export const asks = (says: string, answer: 'yes' | 'no', ...insert: Edit[]): Check => ({
  by: 'v8',
  flags: ['--allow-natives-syntax'],
  insert,
  shows: new RegExp(`^${answer}$`, 'm'),
  says: `${says}: ${answer}`,
});

export const cannotTell = (why: string): Check => ({ by: 'reason', why });
