// What the report's pictures show, as plain data, each with a text that says the same.
import {
  nameOfTarget,
  type CodeOwner,
  type ComparisonRow,
  type LoopDelay,
  type ProfileReport,
  type RunTarget,
  type SourcePlace,
  type TierEvent,
  type Timing,
} from '../../protocol/evidence.ts';
import type { LoadSlice, LoadTraffic } from '../../protocol/load.ts';
import { TIER_NAMES, TIER_ORDER } from '../profile/evidence-notes.ts';
import { amount, delayTime, milliseconds, time } from './figures.ts';
import type { Translate } from '../translate.ts';

interface Common {
  /** For those who do not see it. */
  alt: string;
}

/**
 * A row for each function with the tiers that it was compiled to, one after the other, and marks where optimized code was discarded. Times
 * in ms since the first event.
 */
export interface TimelinePicture extends Common {
  kind: 'timeline';
  /** Functions, from above; the profiled one first. */
  rows: readonly string[];
  end: number;
  /** `tier`: index into `tiers`. */
  bars: readonly { row: number; tier: number; from: number; to: number }[];
  /** Slow to fast. */
  tiers: readonly string[];
  marks: readonly number[];
  /** Name of the row of marks. */
  marksName: string;
  axis: string;
}

/** Times per call with their confidence intervals, in ns. */
export interface TimesPicture extends Common {
  kind: 'times';
  /** None of them is the one that the others are compared with. */
  areEqual?: boolean;
  runs: readonly { name: string; value: number; halfWidth: number }[];
  axis: string;
}

/** Event-loop delay in ms. */
export interface DelayPicture extends Common {
  kind: 'delay';
  bars: readonly { name: string; value: number; text: string }[];
  axis: string;
}

/** How many turns of the event loop were held up how long. */
export interface HistogramPicture extends Common {
  kind: 'histogram';
  /**
   * `isLong`: at and above the length from which a block is reported. The bars are drawn by the logarithm of `count`: one long block
   * counts.
   */
  bars: readonly { name: string; count: number; text: string; isLong: boolean }[];
}

/** Columns side by side: over time, the longest event-loop delay in each slice, in ms; over calls, how many of something stay. */
export interface SlicesPicture extends Common {
  kind: 'slices';
  /** `at`: its end, in seconds or calls since the beginning. */
  slices: readonly { at: number; value: number }[];
  axis: string;
  valueAxis: string;
}

/** Times by the size of the input, in ms, with their ranges; and a dashed line for what grows with the size alone. */
export interface CurvePicture extends Common {
  kind: 'curve';
  points: readonly { at: number; value: number; low: number; high: number }[];
  axis: string;
  valueAxis: string;
  legend: { measured: string; linear: string };
}

/** Call stacks: callers above what they call, as wide as their time. */
export interface FlamePicture extends Common {
  kind: 'flame';
  /** Each before what it calls. */
  frames: readonly FlameBox[];
  /** What the colors mean: the owners that there are. */
  legend: readonly { owner: CodeOwner; text: string }[];
  /** Of the button that shows all of them again. */
  reset: string;
}

export interface FlameBox {
  name: string;
  owner: CodeOwner;
  depth: number;
  /** Shares of the time, 0 to 1. */
  from: number;
  total: number;
  /** All that is known of it, in words. */
  words: string;
  /** A link to it, with the words of the link. */
  place?: SourcePlace;
  link?: string;
}

export type Picture = TimelinePicture | TimesPicture | DelayPicture | HistogramPicture | SlicesPicture | CurvePicture | FlamePicture;

const MS_PER_S = 1000;
/** More rows than these are not looked at. */
const MOST_FUNCTIONS = 8;

export function timelinePicture(
  report: ProfileReport,
  isShown: (event: { place: SourcePlace }) => boolean,
  t: Translate,
): TimelinePicture | undefined {
  const { target } = report;
  const events = report.tiers
    .filter((event) => !event.inlinedInto && isShown(event))
    // The profiled handler may have no name of its own: its route stands for it.
    .map((event) => (isUnnamedTarget(event, target) ? { ...event, functionName: nameOfTarget(target) ?? '' } : event))
    .filter(({ functionName }) => functionName !== '');
  const byFunction = new Map<string, TierEvent[]>();
  for (const event of events) {
    const key = `${event.place.file}:${event.place.line}:${event.place.column}`;
    byFunction.set(key, [...(byFunction.get(key) ?? []), event]);
  }
  const isTarget = ([{ functionName }]: TierEvent[] | [TierEvent]): boolean =>
    functionName === (target.functionName ?? nameOfTarget(target));
  const own = [...byFunction.values()]
    .map((steps) => steps.sort((a, b) => a.at - b.at) as [TierEvent, ...TierEvent[]])
    .sort((a, b) => Number(isTarget(b)) - Number(isTarget(a)) || b.length - a.length)
    .slice(0, MOST_FUNCTIONS);
  if (own.length === 0) return undefined;
  const deopts = report.deopts
    .filter(({ benign }) => !benign)
    .filter(isShown)
    .flatMap(({ at }) => at);
  const times = [...own.flat().map(({ at }) => at), ...deopts];
  const [start, end] = [Math.min(...times), Math.max(...times)];
  const nameOf = ({ functionName, place }: TierEvent): string =>
    own.filter(([first]) => first.functionName === functionName).length > 1 ? t('{0} (line {1})', functionName, place.line) : functionName;
  const said = own.map(
    (steps) =>
      `${nameOf(steps[0])}: ${steps.map(({ tier, at }) => t('{0} at {1}', TIER_NAMES[tier], milliseconds(at - start))).join(', ')}`,
  );
  return {
    kind: 'timeline',
    rows: own.map(([first]) => (isInlined(first, report) ? t('{0}, inlined', nameOf(first)) : nameOf(first))),
    end: end - start,
    axis: t('ms since the first call'),
    bars: own.flatMap((steps, row) =>
      steps.map(({ tier, at }, index) => ({
        row,
        tier: TIER_ORDER.indexOf(tier),
        from: at - start,
        to: (steps[index + 1]?.at ?? end) - start,
      })),
    ),
    tiers: TIER_ORDER.map((tier) => TIER_NAMES[tier]),
    marks: deopts.map((at) => at - start),
    marksName: t('deoptimized'),
    alt: [
      ...said,
      ...(deopts.length > 0
        ? [
            givenUpText(
              deopts.map((at) => at - start),
              t,
            ),
          ]
        : []),
    ].join('; '),
  };
}

/** Between the start of a function and its parameters, where V8 places it: `async function* `. */
const MOST_BEFORE_PARAMETERS = 16;

function isUnnamedTarget({ functionName, place }: TierEvent, target: RunTarget): boolean {
  const at = target.place;
  if (functionName !== '' || target.functionName !== undefined || !at || place.file !== at.file || place.line !== at.line) return false;
  return at.column <= place.column && place.column <= at.column + MOST_BEFORE_PARAMETERS;
}

function givenUpText(times: readonly number[], t: Translate): string {
  const [first = 0, last = 0] = [Math.min(...times), Math.max(...times)];
  return times.length === 1
    ? t('deoptimized at {0}', milliseconds(first))
    : t('deoptimized {0} times, from {1} to {2}', times.length, milliseconds(first), milliseconds(last));
}

/** Its own code is not the one that runs, or not always. */
function isInlined({ place, functionName }: TierEvent, { tiers }: ProfileReport): boolean {
  return tiers.some(
    (event) =>
      event.inlinedInto !== undefined &&
      event.functionName === functionName &&
      event.place.file === place.file &&
      event.place.line === place.line &&
      event.place.column === place.column,
  );
}

/** One run alone is no picture. */
export function timesPicture(runs: readonly { timing: Timing; machine: { node: string } }[], t: Translate): TimesPicture | undefined {
  if (runs.length < 2) return undefined;
  const named = runs.map(({ timing }, index) => ({
    name: index === runs.length - 1 ? t('this run') : t('run {0}', index + 1),
    value: timing.median,
    halfWidth: timing.halfWidth ?? 0,
  }));
  return {
    kind: 'times',
    runs: named,
    axis: t('time per call'),
    alt: named.map(({ name, value, halfWidth }) => t('{0}: {1} ± {2}', name, time(value), time(halfWidth))).join('; '),
  };
}

export function delayPictures(delay: LoopDelay, t: Translate): Picture[] {
  const { p50, p90, p99, max, histogram, threshold } = delay;
  const bars = [
    { name: 'p50', value: p50 },
    { name: 'p90', value: p90 },
    { name: 'p99', value: p99 },
    { name: 'max', value: max },
  ].map((bar) => ({ ...bar, text: delayTime(bar.value) }));
  const percentiles: DelayPicture = {
    kind: 'delay',
    bars,
    axis: t('delay in ms'),
    alt: bars.map(({ name, text }) => `${name}: ${text}`).join('; '),
  };
  const last = histogram.findLastIndex(({ count }) => count > 0);
  if (last < 0) return [percentiles];
  const buckets = histogram.slice(0, last + 1).map(({ upTo, count }, index) => {
    const from = histogram[index - 1]?.upTo ?? 0;
    const name =
      upTo === undefined
        ? t('over {0}', milliseconds(from))
        : index === 0
          ? t('up to {0}', milliseconds(upTo))
          : t('{0} to {1}', milliseconds(from), milliseconds(upTo));
    return { name, count, text: `×${amount(count)}`, isLong: from >= threshold };
  });
  return [percentiles, { kind: 'histogram', bars: buckets, alt: buckets.map(({ name, text }) => `${name}: ${text}`).join('; ') }];
}

/** How long answers took, by percentile. */
export function latencyPicture({ percentiles, max }: LoadTraffic['latency'], t: Translate): DelayPicture {
  const bars = [...percentiles.map(({ percent, ms }) => ({ name: `p${percent}`, value: ms })), { name: 'max', value: max }].map((bar) => ({
    ...bar,
    text: milliseconds(bar.value),
  }));
  return { kind: 'delay', bars, axis: t('latency in ms'), alt: bars.map(({ name, text }) => `${name}: ${text}`).join('; ') };
}

export function slicesPicture(slices: readonly LoadSlice[], t: Translate): SlicesPicture {
  const points = slices.map(({ at, delay }) => ({ at: at / MS_PER_S, value: delay }));
  const longest = points.reduce((most, point) => (point.value > most.value ? point : most), { at: 0, value: 0 });
  return {
    kind: 'slices',
    slices: points,
    axis: t('seconds since the measurement began'),
    valueAxis: t('longest delay in ms'),
    alt: t(
      'Event loop delay over {0}: {1} at most, after {2}.',
      milliseconds((points.at(-1)?.at ?? 0) * MS_PER_S),
      milliseconds(longest.value),
      milliseconds(longest.at * MS_PER_S),
    ),
  };
}

/** The same function on several Nodes, in ns. */
export function nodesPicture(rows: readonly ComparisonRow[], t: Translate): TimesPicture | undefined {
  const runs = rows.flatMap(({ node, timing }) =>
    timing ? [{ name: t('Node {0}', node), value: timing.median, halfWidth: timing.halfWidth ?? 0 }] : [],
  );
  if (runs.length < 2) return undefined;
  return {
    kind: 'times',
    areEqual: true,
    runs,
    axis: t('time per call'),
    alt: runs.map(({ name, value, halfWidth }) => t('{0}: {1} ± {2}', name, time(value), time(halfWidth))).join('; '),
  };
}
