// What silence says: nothing, unless the code is known to have run often enough. Pure.
import type { SourcePlace } from '../../protocol/evidence.ts';
import type { Counted, Opinion, PlaceRange, Run } from './hypothesis.ts';
import { amount, times } from './words.ts';

/**
 * Runs after which silence says something: V8's optimizing tiers were reached after 411 to 22,539 calls of a small function (Node 18 to
 * 26).
 */
export const ENOUGH_RUNS = 1000;
/**
 * What hangs on the data that come by: after 30 runs without it, it happens in fewer than one of ten with 95 % confidence (the rule of
 * three).
 */
export const LEAST_BY_DATA = 30;
/**
 * A function has a feedback vector after 4 to 9 calls (measured on Node 18 to 26). What a call text passes before is in no feedback, so
 * each of them must have run this often.
 */
export const LEAST_OF_EACH_CALL = 30;
/** Our choice: that timers fired in time once or twice may be chance. */
export const ENOUGH_WATCHED = 3;

/** @param least fewer runs than this leave it open */
export function silence(place: SourcePlace, run: Run, executions: Counted, what: string, short: string, least = 1): Opinion {
  const ran = executions(place);
  if (ran !== undefined && ran > 0 && ran < least)
    return {
      verdict: 'inconclusive',
      figure: `ran only ${times(ran)}`,
      ground: `This code ran only ${times(ran)} on Node ${run.machine.node}, and ${what}. Other data may give another result.`,
    };
  if (ran === undefined)
    return {
      verdict: 'inconclusive',
      figure: 'not counted',
      ground: 'Executions of this code were not counted, so missing evidence proves nothing.',
    };
  if (ran === 0) return notReached([{ start: place, end: place }], executions);
  return {
    verdict: 'refuted',
    figure: `${short} in ${amount(ran)} ${ran === 1 ? 'run' : 'runs'} on Node ${run.machine.node}`,
    ground: `This code ran ${times(ran)} on Node ${run.machine.node}, and ${what}.`,
  };
}

/** How often the busiest of the places ran; undefined when none was counted. */
export function mostRuns(areas: readonly PlaceRange[], executions: Counted): number | undefined {
  const counts = areas.flatMap(({ start }) => executions(start) ?? []);
  return counts.length === 0 ? undefined : Math.max(...counts);
}

export function notReached(areas: readonly PlaceRange[], executions: Counted): Opinion {
  return mostRuns(areas, executions) === undefined ? notCounted() : NOT_REACHED;
}

const NOT_REACHED: Opinion = {
  verdict: 'not-reached',
  figure: 'never ran',
  ground: 'The calls of this run did not reach this code. Other arguments or requests may.',
};

export function notCounted(): Opinion {
  return { verdict: 'inconclusive', figure: 'not counted', ground: 'Executions of this code were not counted.' };
}

export function tooFew(ran: number, run: Run): Opinion {
  if (ran === 0) return NOT_REACHED;
  return {
    verdict: 'inconclusive',
    figure: `ran only ${times(ran)}`,
    ground: `This code ran only ${times(ran)} on Node ${run.machine.node}, not often enough for V8 to optimize it.`,
  };
}
