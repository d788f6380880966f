// When something that was seen costs enough to be called a cost, and how it is put into words. Pure.
import type { Cost } from '../../protocol/evidence.ts';
import { duration, percent } from './words.ts';

/** Every request waits for it, and so does everything else on the event loop, in ns. Our choice: a tenth of a millisecond. */
const LEAST_NS = 100_000;
/** Of the call or the request. Our choice. */
const LEAST_SHARE = 0.05;
/**
 * A blocking call that is shorter costs less than its asynchronous counterpart takes from the same thread, however large its share is:
 * `await fs.promises.access` took 16 to 21 µs of it where `fs.existsSync` took 0.8 µs, and `fs.promises.readFile` 60 to 74 µs where
 * `fs.readFileSync` took 4 to 6 µs (a small file, Node 22 and 24), in ns.
 */
const LEAST_BLOCKING_NS = 20_000;
const NS_PER_MS = 1e6;

/** Whether blocking the event loop for so long is a cost. */
export function isCostOfBlocking({ ns, share }: Pick<Cost, 'ns' | 'share'>): boolean {
  return ns >= LEAST_NS || (ns >= LEAST_BLOCKING_NS && (share ?? 0) >= LEAST_SHARE);
}

/** Whether work that could be left out is a cost. */
export function isCostOfWork({ ns, share }: Pick<Cost, 'ns' | 'share'>): boolean {
  return share === undefined ? ns >= LEAST_NS : share >= LEAST_SHARE;
}

/** `0.42 ms per request (31 %)`. */
export function costText({ ns, per, share }: Cost): string {
  return `${durationOfNs(ns)} per ${per}${share === undefined ? '' : ` (${percent(share)})`}`;
}

/** `0.42 ms per request, 31 % of its time (95 % interval 0.40 to 0.44 ms)`. @param confidence of the interval, 0 to 1 */
export function costSentence({ ns, per, share, low, high }: Cost, confidence: number): string {
  const interval =
    low === undefined || high === undefined
      ? ''
      : ` (${(confidence * 100).toFixed(1).replace(/\.0$/, '')} % interval ${durationOfNs(low)} to ${durationOfNs(high)})`;
  return `${durationOfNs(ns)} per ${per}${share === undefined ? '' : `, ${percent(share)} of its time`}${interval}`;
}

/** `1.3 ns`, `12 µs`, `0.42 ms`; with its sign where it is below zero. */
export function durationOfNs(ns: number): string {
  const size = Math.abs(ns);
  const sign = ns < 0 ? '−' : '';
  if (size >= 10_000) return sign + duration(size / NS_PER_MS);
  return `${sign}${size >= 1000 ? `${(size / 1000).toFixed(1)} µs` : `${size.toFixed(size < 100 ? 1 : 0)} ns`}`;
}
