// Calls whose answers are awaited, for each element of a list or one after the other: how much of that time could be saved. Pure.
import type { Cost, SyncCall } from '../../protocol/evidence.ts';
import { costText, durationOfNs, LEAST_SHARE, TOO_LITTLE } from './cost.ts';
import type { Opinion, Run } from './hypothesis.ts';
import { amount, sum } from './words.ts';

const NS_PER_MS = 1e6;

/** The rule whose calls are awaited, and could be one: what they take of the thread says little. */
export const PER_ITEM = 'no-query-per-item';
/** The rule whose reads are awaited one after the other. */
export const SEQUENTIAL = 'no-sequential-await';

export interface PerItem extends Pick<Opinion, 'figure' | 'ground'> {
  ran: number;
  calls: number;
  timed: readonly SyncCall[];
}

/**
 * A call for each element: how often it ran for each call of the function or request, how long that waited for them, and how much longer than
 * for one of them. Those that are sent at once are answered about as soon as one.
 */
export function judgePerItem({ ran, calls, timed, figure, ground }: PerItem, run: Run): Opinion {
  const each = calls > 0 ? ran / calls : 0;
  if (each <= 1)
    return { verdict: 'seen', figure, ground: `${ground} With lists of one element, nothing is repeated. Try it with longer ones.` };
  const often = `ran ${amount(Math.round(each))} times for each ${run.unit}`;
  const units = Math.min(run.timedCalls ?? 0, sum(timed.map((one) => one.count)));
  const awaitedMs = awaitedOf(timed, units);
  if (awaitedMs === 0) return { verdict: 'seen', figure: often, ground: `${ground} How long it was awaited was not measured.` };
  const cost = costOf(savedMs(awaitedMs, each, timed), awaitedMs, units, run);
  const isCost = (cost.share ?? 0) >= LEAST_SHARE;
  return {
    verdict: isCost ? 'confirmed' : 'seen',
    figure: `${often}, awaited ${costText(cost)} longer than one`,
    ground: `${ground} Its promises were pending for ${durationOfNs(awaitedMs * NS_PER_MS)} per ${run.unit}; those at the same time count once. That is ${costText(cost)} longer than for one of them.${isCost ? '' : TOO_LITTLE}`,
    cost,
  };
}

/**
 * What a part of the time for which a call or request waits is of its own time. That part takes no longer than the whole, which was measured
 * warm.
 */
function costOf(partMs: number, awaitedMs: number, units: number, { unit, unitNs, timedCalls }: Run): Cost {
  const whole = unitNs && units === timedCalls ? unitNs : undefined;
  const ns = partMs * NS_PER_MS * Math.min(1, whole === undefined ? 1 : whole / (awaitedMs * NS_PER_MS));
  return { ns, per: unit, ...(whole === undefined ? {} : { share: Math.min(1, ns / whole) }), method: 'timed' };
}

/**
 * How long a call or request waits for them, in ms. The first request, which opens connections and runs code that is not warm, counts only if
 * it is the only one.
 * @param units so many calls or requests came here
 */
export function awaitedOf(timed: readonly SyncCall[], units: number): number {
  const all = sum(timed.map((one) => one.awaitedMs ?? 0));
  return partOfUnit(all, sum(timed.map((one) => one.firstAwaitedMs ?? 0)), units);
}

/** The same of how much later than all others of a list they are there. */
export function laterOf(timed: readonly SyncCall[], units: number): number {
  // Those that are there in time take nothing of the first request, and yet they were in it.
  const hasFirst = timed.some((one) => one.firstLaterMs !== undefined);
  const all = sum(timed.map((one) => one.laterMs ?? 0));
  return partOfUnit(all, hasFirst ? Math.max(Number.MIN_VALUE, sum(timed.map((one) => one.firstLaterMs ?? 0))) : 0, units);
}

function partOfUnit(all: number, first: number, units: number): number {
  if (units === 0) return 0;
  return first > 0 && units > 1 ? (all - first) / (units - 1) : all / units;
}

/** One has to stay. What is answered alone tells how long that takes; else all are taken to be alike. @param awaitedMs of a call or request */
export function savedMs(awaitedMs: number, each: number, timed: readonly SyncCall[]): number {
  const known = timed.flatMap((one) => one.aloneMs ?? []);
  return Math.max(0, awaitedMs - (known.length > 0 ? Math.min(...known) : awaitedMs / each));
}

/**
 * Waiting for less is lost among the times of a network, in ms for each call or request. Our choice: a trip within one data center takes
 * about as long, and a database on the same machine answers a simple query in a tenth of it.
 */
const LEAST_OVERLAP_MS = 1;
/** What is answered at once has nothing to overlap, in ms. */
const AT_ONCE_MS = 0.05;
/** Fewer rounds refute nothing. */
const ENOUGH_ROUNDS = 5;

/** Reads one after the other: how much less the call or request would wait if they started together. */
export function judgeSequential({ timed, figure, ground }: Pick<PerItem, 'timed' | 'figure' | 'ground'>, run: Run): Opinion {
  const rounds = sum(timed.map((one) => one.rounds ?? 0));
  const mixed = sum(timed.map((one) => one.mixedRounds ?? 0));
  if (rounds === 0 || mixed > rounds)
    return {
      verdict: 'inconclusive',
      figure: mixed > 0 ? `${figure}, several at once` : `${figure}, not timed`,
      ground:
        mixed > 0
          ? `${ground} It ran several times at once, so the times cannot be told apart. Profile the function itself, with one call.`
          : `${ground} No run came to the end of all reads, so their times are not known. Check that the requests or arguments are answered without an error.`,
    };
  const overlapMs = sum(timed.map((one) => one.overlapMs ?? 0));
  const units = Math.min(run.timedCalls ?? rounds, rounds);
  const awaitedMs = awaitedOf(timed, units);
  const cost = costOf(overlapMs / units, awaitedMs, units, run);
  const { ns, share } = cost;
  const said = `${ground} The reads were awaited for ${durationOfNs(awaitedMs * NS_PER_MS)} per ${run.unit}, one after the other.`;
  if (overlapMs / rounds < AT_ONCE_MS) {
    const isEnough = rounds >= ENOUGH_ROUNDS;
    return {
      verdict: isEnough ? 'refuted' : 'inconclusive',
      figure: `answered at once in ${amount(rounds)} ${rounds === 1 ? 'round' : 'rounds'}`,
      ground: `${said} All but one were answered at once, the first round apart: they were running already, or their answers were kept.${isEnough ? '' : ' That is too few to draw a conclusion. Repeat the call, or send more requests.'}`,
    };
  }
  const isCost = ns >= LEAST_OVERLAP_MS * NS_PER_MS && (share === undefined || share >= LEAST_SHARE);
  return {
    verdict: isCost ? 'confirmed' : 'seen',
    figure: `one after the other, ${costText(cost)} could overlap`,
    ground: `${said} If they started together, ${costText(cost)} of that could overlap: the sum of their times minus the longest.${isCost ? '' : ' That is too little to count here. Over a network, each read takes longer: profile with a database that is as far away as in production.'}`,
    cost,
  };
}
