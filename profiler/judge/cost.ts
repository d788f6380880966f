// When something that was seen costs enough to be called a cost, and how it is put into words. Pure.
import type { Cost } from '../../protocol/evidence.ts';
import { duration, percent } from './words.ts';

/**
 * What blocks the event loop for less delays nothing noticeably, in ns. Our choice, and far above what leaving the thread takes: `await
 * fs.promises.access` took 16 to 21 µs of the same thread where `fs.existsSync` took 0.8 µs, `fs.promises.readFile` 60 to 74 µs where
 * `fs.readFileSync` took 4 to 6 µs (a small file in the cache of the file system, Node 22 and 24).
 */
export const LEAST_BLOCKING_NS = 100_000;
/** From here on it is a cost, however long the rest takes, in ns. Our choice. */
const ALWAYS_BLOCKING_NS = 1_000_000;
/** Of the call or the request. Our choice. */
export const LEAST_SHARE = 0.05;
const NS_PER_MS = 1e6;
/** Of what was measured as it was given. Other input may decide otherwise, and then this is left out. */
export const TOO_LITTLE = ' That is too little to count.';

/** Whether blocking the event loop for so long is a cost. */
export function isCostOfBlocking({ ns, share }: Pick<Cost, 'ns' | 'share'>): boolean {
  return ns >= ALWAYS_BLOCKING_NS || (ns >= LEAST_BLOCKING_NS && (share === undefined || share >= LEAST_SHARE));
}

/** Whether work that could be left out is a cost: of a request it is one where it blocks, of a call where it is a part of its time. */
export function isCostOfWork(cost: Pick<Cost, 'ns' | 'share' | 'per'>): boolean {
  return cost.per === 'request' || cost.share === undefined ? isCostOfBlocking(cost) : cost.share >= LEAST_SHARE;
}

/** `isLimit`: clocks take about as long as the calls that they are around. It costs no more than that, and may cost next to nothing. */
export type TimedCost = Cost & { isLimit?: boolean };
/** Said of it. */
export const LIMIT = ' The clocks around the calls take about as long as the calls, or longer, so this is an upper limit.';

/** What is kept of a cost: an upper limit is none. */
export function keptCost(cost: TimedCost | undefined): { cost?: Cost } {
  return cost && !cost.isLimit ? { cost } : {};
}

/** `0.42 ms per request (31 %)`, `at most 0.04 ms per call (44 %)`. */
export function costText({ ns, per, share, isLimit = false }: TimedCost): string {
  return `${isLimit ? 'at most ' : ''}${durationOfNs(ns)} per ${per}${share === undefined ? '' : ` (${percent(share)})`}`;
}

/** `0.42 ms per request, 31 % of its time (95 % interval 0.40 to 0.44 ms)`. @param confidence of the interval, 0 to 1 */
export function costSentence({ ns, per, share, low, high }: Cost, confidence: number): string {
  const interval =
    low === undefined || high === undefined
      ? ''
      : ` (${(confidence * 100).toFixed(1).replace(/\.0$/, '')} % interval ${intervalOfNs(low, high)})`;
  return `${durationOfNs(ns)} per ${per}${share === undefined ? '' : `, ${percent(share)} of its time`}${interval}`;
}

const MICROSECOND = 1000;
/** From here on, `durationOfNs` gives milliseconds. */
const IN_MS = 10_000;

/** `9.8 µs to 12 µs`: one unit, where the two are on both sides of a change of units. */
function intervalOfNs(low: number, high: number): string {
  const isMixed = low >= 0 && low < IN_MS && high >= IN_MS && high < 10 * IN_MS;
  return isMixed
    ? `${(low / MICROSECOND).toFixed(1)} µs to ${(high / MICROSECOND).toFixed(0)} µs`
    : `${durationOfNs(low)} to ${durationOfNs(high)}`;
}

/** `1.3 ns`, `12 µs`, `0.42 ms`; with its sign where it is below zero. */
export function durationOfNs(ns: number): string {
  const size = Math.abs(ns);
  const sign = ns < 0 ? '−' : '';
  if (size >= 10_000) return sign + duration(size / NS_PER_MS);
  return `${sign}${size >= 1000 ? `${(size / 1000).toFixed(1)} µs` : `${size.toFixed(size < 100 ? 1 : 0)} ns`}`;
}
