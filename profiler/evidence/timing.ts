// What a timed run measured, as one figure for the user. Pure.
import type { CallTiming, GcTime, Timing } from '../../protocol/evidence.ts';
import type { MiddleNs, ThrowNs } from '../judge/hypothesis.ts';
import { recordsOf, type RunRecord } from '../parse/records.ts';
import { median, medianHalfWidth, tail } from './statistics.ts';

/**
 * Below this a call did nothing that could be distinguished from an empty loop, whose round takes 0.24 to 0.48 ns (Node 18 to 26), in ns.
 */
const NOTHING_NS = 0.5;

/** What throwing and catching one Error takes, with the range of the middle nine tenths. */
export function throwNsOf(records: readonly RunRecord[]): ThrowNs | undefined {
  const own = recordsOf(records, 'throw-cost');
  const error = middleOf(own.flatMap(({ samples }) => samples));
  const parsing = middleOf(own.flatMap((record) => record.parsing ?? []));
  const url = middleOf(own.flatMap((record) => record.url ?? []));
  const texts = middleOf(own.flatMap((record) => record.own ?? []));
  return error && { ...error, ...(parsing && { parsing }), ...(url && { url }), ...(texts && { own: texts }) };
}

function middleOf(samples: readonly number[]): MiddleNs | undefined {
  const sorted = [...samples].sort((a, b) => a - b);
  if (sorted.length === 0) return undefined;
  const at = (share: number): number => sorted[Math.round((sorted.length - 1) * share)] ?? 0;
  return { median: median(sorted), low: at(0.05), high: at(0.95) };
}

/** The calls one after the other, as their sum: what one round of all of them costs, for each call. */
export function timingOf(records: readonly RunRecord[]): Timing | undefined {
  const timings = recordsOf(records, 'timing').filter((timing) => timing.samples.length > 0);
  const gc: GcTime = recordsOf(records, 'gc').at(-1) ?? { count: 0, totalMs: 0, maxMs: 0 };
  if (timings.length === 0) return undefined;
  const mean = (numbers: readonly number[]) => numbers.reduce((sum, n) => sum + n, 0) / numbers.length;
  const medians = timings.map(({ samples, overhead }) => Math.max(0, median(samples) - overhead));
  const halfWidths = timings.flatMap(({ samples }) => medianHalfWidth(samples) ?? []);
  const single = timings.every(({ callsPerSample, overhead }) => callsPerSample === 1 && overhead === 0)
    ? tail(
        timings.flatMap(({ samples }) => samples),
        0.99,
      )
    : undefined;
  const perCall = timings.map(({ call, samples, allocated }, index): CallTiming => {
    const halfWidth = medianHalfWidth(samples);
    return {
      call,
      median: medians[index] ?? 0,
      ...(halfWidth === undefined ? {} : { halfWidth }),
      ...(allocated === undefined ? {} : { allocated }),
    };
  });
  const allocations = timings.flatMap(({ allocated }) => (allocated === undefined ? [] : [allocated]));
  return {
    median: mean(medians),
    halfWidth:
      halfWidths.length < timings.length ? undefined : Math.sqrt(halfWidths.reduce((sum, width) => sum + width ** 2, 0)) / timings.length,
    ...(single === undefined ? {} : { p99: single }),
    samples: timings.reduce((sum, { samples }) => sum + samples.length, 0),
    calls: timings.reduce((sum, { samples, callsPerSample }) => sum + samples.length * callsPerSample, 0),
    allocated: allocations.length === timings.length ? mean(allocations) : undefined,
    ...(perCall.length > 1 ? { perCall } : {}),
    gc: { count: gc.count, totalMs: gc.totalMs, maxMs: gc.maxMs },
    suspectedDeadCode: medians.some((ns) => ns < NOTHING_NS),
  };
}
