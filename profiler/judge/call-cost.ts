// What blocking calls that were timed one by one take of a call, a request, or a run, and how much of that is certain. Pure.
import type { CallTimes } from '../../protocol/call-times.ts';
import type { Cost, SyncCall } from '../../protocol/evidence.ts';
import { isCostOfBlocking, type TimedCost } from './cost.ts';
import type { PlaceRange, Run } from './hypothesis.ts';
import { isIn } from './places.ts';
import { sum } from './words.ts';

const NS_PER_MS = 1e6;
/**
 * Where clocks show more than twice what the whole call takes without them, it is mostly theirs, unless each call is so many times as long:
 * then code that is not yet warm is slow. Our choice.
 */
const LEAST_PART = 0.5;
const CLOCKS_PER_CALL = 10;
/** Fewer calls have no interval worth the name, and say nothing of those to come. */
const LEAST_CALLS = 5;
/** 97.5 % quantile of the standard normal distribution. */
const Z_975 = 1.96;
/** Of fewer, each has to take so long, in ms; a single one so long, since loading what it needs may take a few. Our choice. */
const LEAST_OF_FEW_MS = 1;
const LEAST_SINGLE_MS = 10;

/** The calls of a name at a place. A hook of Node's and a clock in the text may time the same ones: the clock counts. */
export function timedIn(range: PlaceRange, call: string | undefined, { syncCalls }: Pick<Run, 'syncCalls'>): SyncCall[] {
  const timed = syncCalls.filter(({ name, place }) => name === call && isIn(place, range));
  const clocked = timed.filter(({ clockMs }) => clockMs !== undefined);
  return clocked.length > 0 ? clocked : timed;
}

/**
 * What the calls take of one call, request or run. Where not all requests come here, it is stated for those that do, and what share of
 * their time it is is not known.
 */
export function costOfCalls(seen: readonly SyncCall[], run: Run): TimedCost | undefined {
  const { unit, unitNs, timedCalls } = run;
  if (!timedCalls) return undefined;
  const count = sum(seen.map((call) => call.count));
  const times = timesOf(seen, run);
  const units = Math.min(timedCalls, count);
  const clocked = (totalOf(seen, run) * NS_PER_MS) / units;
  const isOfAll = unit === 'call' && unitNs !== undefined && unitNs > 0 && units >= timedCalls;
  // A part takes no longer than the whole, which was measured warm and without clocks: those of many short calls take longer than these.
  const part = isOfAll && clocked > unitNs ? unitNs / clocked : 1;
  const ns = clocked * part;
  const share = unitNs === undefined || unitNs === 0 || units < timedCalls ? undefined : Math.min(1, ns / unitNs);
  // What a clock shows of a call that does nothing has been taken off. What is left is not known to more than that.
  const clockMs = Math.max(0, ...seen.map((call) => call.clockMs ?? 0));
  const isTheirs = part < LEAST_PART && times.totalMs / times.count < CLOCKS_PER_CALL * clockMs;
  const limited = (leastMs: number): { isLimit?: boolean } => (leastMs < clockMs || isTheirs ? { isLimit: true } : {});
  const cost: Cost = { ns, per: unit, ...(share === undefined ? {} : { share }), method: 'timed' };
  const mean = intervalOfMean(times.count, times.totalMs, times.squaresMs);
  if (Number.isNaN(mean.low) || times.count < LEAST_CALLS) return { ...cost, ...limited(times.totalMs / times.count) };
  // Calls that the machine held up widen the interval in both directions, but say nothing against the others. The geometric mean is never
  // above the mean, and such calls hardly move it.
  const typical = Math.exp(intervalOfMean(times.count, times.logs, times.logSquares).low);
  const low = Math.max(0, mean.low, Number.isNaN(typical) ? 0 : typical);
  const factor = (count / units) * NS_PER_MS * part;
  // A wide interval reaches down to nothing, however long the calls are beside the clock.
  return { ...cost, low: low * factor, high: mean.high * factor, ...limited(Math.max(low, Math.exp(times.logs / times.count) || 0)) };
}

/** The time of all calls in ms, as if those that were not warm had taken as long as the others. */
export function totalOf(seen: readonly SyncCall[], run: Run): number {
  const { count, totalMs } = timesOf(seen, run);
  return count === 0 ? 0 : (totalMs / count) * sum(seen.map((call) => call.count));
}

/**
 * Of the calls that count: those that came warm, if there are enough of them. What a program does from its start to its end is all of it.
 */
function timesOf(seen: readonly SyncCall[], { unit }: Pick<Run, 'unit'>): CallTimes {
  const warm = seen.flatMap((call) => call.warm ?? []);
  const counted: readonly Partial<CallTimes>[] =
    unit !== 'run' && sum(warm.map(({ count }) => count)) >= LEAST_CALLS && warm.length === seen.length ? warm : seen;
  const sumOf = (name: keyof CallTimes): number => sum(counted.map((one) => one[name] ?? Number.NaN));
  const times = {
    count: sumOf('count'),
    totalMs: sumOf('totalMs'),
    squaresMs: sumOf('squaresMs'),
    logs: sumOf('logs'),
    logSquares: sumOf('logSquares'),
  };
  return unit === 'run' ? times : withoutHeldUp(times, Math.max(0, ...seen.map(({ maxMs }) => maxMs)));
}

/** Of so many calls, one that takes longer than all others together is no usual one. Our choice. */
const ENOUGH_OTHERS = 30;

/**
 * A thread may rest while others collect its garbage, which counts as no wait for a processor: 33 ms in one of 3,200 calls of 1.5 µs, on a
 * busy machine (Node 20).
 */
function withoutHeldUp(times: CallTimes, longestMs: number): CallTimes {
  const { count, totalMs, squaresMs, logs, logSquares } = times;
  const rest = totalMs - longestMs;
  // The longest may be one that is not warm, and not among these.
  const isAmong = rest > 0 && squaresMs >= longestMs ** 2;
  if (!isAmong || count <= ENOUGH_OTHERS || rest >= longestMs) return times;
  const log = Math.log(longestMs);
  return { count: count - 1, totalMs: rest, squaresMs: squaresMs - longestMs ** 2, logs: logs - log, logSquares: logSquares - log ** 2 };
}

/** Whether too few of them were warm to say what the next one takes. */
export function areTooFew(seen: readonly SyncCall[], { unit }: Pick<Run, 'unit'>): boolean {
  // Records without the shortest call do not tell which of them were warm.
  return unit !== 'run' && sum(seen.map(({ count, minMs, warm }) => (minMs === undefined ? count : (warm?.count ?? 0)))) < LEAST_CALLS;
}

/** Whether those few are a cost nevertheless: each of them took long. */
export function areLongEach(seen: readonly SyncCall[]): boolean {
  const count = sum(seen.map((call) => call.count));
  const shortest = Math.min(...seen.map((call) => call.minMs ?? (call.count === 1 ? call.totalMs : 0)));
  return shortest >= (count === 1 ? LEAST_SINGLE_MS : LEAST_OF_FEW_MS);
}

export type Certainty = 'cost' | 'once' | 'few' | 'unclear' | 'none';

/** It ran once in so many calls or requests and more: it may be start-up work, or its result was kept. Our choice. */
const ENOUGH_TO_REPEAT = 5;
/** A call that takes so long is a cost even if it comes once, in ms, as a single block is. */
const LONG_ONCE_MS = 500;

/** Whether it is no cost of each call or request, however long it took that once. */
function cameOnce(seen: readonly SyncCall[], { unit, timedCalls = 0 }: Run): boolean {
  return (
    unit !== 'run' &&
    timedCalls >= ENOUGH_TO_REPEAT &&
    sum(seen.map((call) => call.count)) === 1 &&
    sum(seen.map((call) => call.totalMs)) < LONG_ONCE_MS
  );
}

/** @param isEnough whether so much is a cost */
export function certaintyOf(
  cost: TimedCost,
  seen: readonly SyncCall[],
  run: Run,
  isEnough: (some: Pick<Cost, 'ns' | 'share'>) => boolean = isCostOfBlocking,
): Certainty {
  if (cost.isLimit) return 'none';
  const count = sum(seen.map((call) => call.count));
  // A single call says little about the next one: only its time alone counts, not its share.
  const counted = (some: Pick<Cost, 'ns' | 'share'>): Pick<Cost, 'ns' | 'share'> => (count === 1 ? { ...some, share: 0 } : some);
  if (cameOnce(seen, run)) return isEnough(counted(cost)) ? 'once' : 'none';
  if (areTooFew(seen, run)) return !isEnough(counted(cost)) ? 'none' : areLongEach(seen) ? 'cost' : 'few';
  const isEnoughAtLeast = (some: Cost): boolean => isEnough(counted(atLeast(some, count, run)));
  if (isEnoughAtLeast(cost))
    return isEnough(halfOf(atLeast(cost, count, run))) || isEnough(shortestOf(cost, seen, run)) ? 'cost' : 'unclear';
  return isEnoughAtLeast(typicalCost(cost, seen, run)) ? 'unclear' : 'none';
}

/**
 * What other programs do to the caches and the clock of a processor counts in no statistics: `gzipSync` of 3 bytes took 0.07 ms on an idle
 * machine, and 0.12 ms on a busy one. So half of the cost has to be one, or what the shortest call takes.
 */
function halfOf({ ns, share }: Pick<Cost, 'ns' | 'share'>): Pick<Cost, 'ns' | 'share'> {
  return { ns: ns / 2, ...(share === undefined ? {} : { share: share / 2 }) };
}

/** As if all calls had taken as long as the shortest one. What a program does from its start to its end has no shorter one. */
function shortestOf({ ns, share }: Cost, seen: readonly SyncCall[], run: Run): Pick<Cost, 'ns' | 'share'> {
  const total = totalOf(seen, run);
  const shortest = sum(seen.map(({ count, minMs, totalMs }) => (minMs === undefined ? totalMs : minMs * count)));
  const part = run.unit === 'run' || total === 0 ? 1 : Math.min(1, shortest / total);
  return { ns: ns * part, ...(share === undefined ? {} : { share: share * part }) };
}

/** The cost by the geometric mean, which calls that the machine held up hardly move, without an interval. */
function typicalCost({ ns, share, per, method }: Cost, seen: readonly SyncCall[], run: Run): Cost {
  const { count, totalMs, logs } = timesOf(seen, run);
  const part = totalMs === 0 ? 0 : (Math.exp(logs / count) * count) / totalMs;
  return { ns: ns * part, per, method, ...(share === undefined ? {} : { share: share * part }) };
}

/** By Student's distribution, whose quantile is near enough from five on (Cornish and Fisher's expansion). */
function intervalOfMean(count: number, total: number, squares: number): { low: number; high: number } {
  const mean = total / count;
  const free = count - 1;
  const deviation = Math.sqrt(Math.max(0, squares / count - mean * mean) * (count / free));
  const quantile = Z_975 + (Z_975 ** 3 + Z_975) / (4 * free) + (5 * Z_975 ** 5 + 16 * Z_975 ** 3 + 3 * Z_975) / (96 * free ** 2);
  const reach = (quantile * deviation) / Math.sqrt(count);
  return { low: mean - reach, high: mean + reach };
}

/**
 * What counts: the lower end of the interval, since on a crowded machine a call may be held up for once; and in a program's run, which may
 * be long, how long each call holds it up.
 */
export function atLeast(cost: Cost, count: number, { unit }: Run): Pick<Cost, 'ns' | 'share'> {
  const { ns, low = ns, share } = cost;
  return { ns: low / (unit === 'run' ? count : 1), ...(share === undefined || ns === 0 ? {} : { share: (share * low) / ns }) };
}
