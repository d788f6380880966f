// How the time of a call grows with its lists: the same calls with 125 to 1,000 elements, each in fresh processes, in turns.
import type { ProfileReport, Verdict } from '../../protocol/evidence.ts';
import { median } from '../evidence/statistics.ts';
import { durationOfNs, isCostOfBlocking } from '../judge/cost.ts';
import { timeInTurns, type InTurnsOptions, type TimedProcess } from './in-turns.ts';

export interface GrowthRequest {
  /** What was profiled. */
  process: TimedProcess;
  /** The calls with lists of so many elements; undefined where the verdict, by its number, is about something else. */
  scaled(verdict: number, size: number): { text: string; calls: readonly string[] } | undefined;
  /** For the whole profile, in ms. */
  budgetMs: number;
  options: Pick<InTurnsOptions, 'readOnly' | 'env' | 'signal' | 'progress'>;
}

export interface Exponent {
  exponent: number;
  low: number;
  high: number;
}

/** Each twice the one before. With 1,000, an object that is copied for each element already takes 0.3 s. */
export const GROWTH_SIZES: readonly number[] = [125, 250, 500, 1000];
const ROUNDS = 6;
const SHARE_OF_BUDGET = 0.05;
const PROCESS_MS = { least: 150, most: 400 };
/** From here on it is called quadratic, by the lower end of the interval. */
const LEAST_QUADRATIC = 1.5;
/** 97.5 % quantile of Student's distribution with 22 degrees of freedom: 24 figures, two parameters. */
const T_975 = 2.074;

/** The report with what the growth of the calls says. Verdicts about something else stay as they are. */
export async function withGrowth(report: ProfileReport, { process, scaled, budgetMs, options }: GrowthRequest): Promise<ProfileReport> {
  const asking = report.verdicts.flatMap(({ verdict }, index) => (verdict === 'seen' || verdict === 'confirmed' ? [index] : []));
  const indexes = asking.filter((index) => scaled(index, GROWTH_SIZES[0] ?? 0) !== undefined);
  const [first] = indexes;
  if (first === undefined) return report;
  const variants = GROWTH_SIZES.flatMap((size) => {
    const version = scaled(first, size);
    return version ? [{ processes: [{ process: { ...process, ...version }, weight: 1 }] }] : [];
  });
  const outcome = await timeInTurns(variants, {
    ...options,
    rounds: ROUNDS,
    measureMs: Math.max(PROCESS_MS.least, Math.min(PROCESS_MS.most, budgetMs * SHARE_OF_BUDGET)),
  });
  if (!outcome.ok)
    return outcome.aborted
      ? report
      : { ...report, problems: [...report.problems, `How the time grows was not measured: ${outcome.reason}`] };
  const { figures } = outcome;
  const verdicts = report.verdicts.map((verdict, index) =>
    indexes.includes(index) ? judgeGrowth(verdict, figures, report.machine.node, indexes.length === 1) : verdict,
  );
  return { ...report, verdicts };
}

/**
 * Growth confirms, and never refutes: only the lists that the calls pass are longer, and a list that is read from elsewhere stays as long as
 * it is. The times are those of the whole call, so they say nothing of one of several findings.
 * @param figures ns per call, for each of the sizes @param isOnly whether no other finding in the calls is about growth. Exported for its test
 */
export function judgeGrowth(verdict: Verdict, figures: readonly (readonly number[])[], node: string, isOnly = true): Verdict {
  const found = exponentOf(GROWTH_SIZES, figures);
  if (!found) return verdict;
  const { exponent, low, high } = found;
  const times = figures.map(median);
  const longest = times.at(-1) ?? 0;
  const most = (GROWTH_SIZES.at(-1) ?? 0).toLocaleString('en-US');
  const power = `n^${exponent.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`;
  const ground = `With lists of ${GROWTH_SIZES.map((size) => size.toLocaleString('en-US')).join(', ')} elements, a call took ${times.map(durationOfNs).join(', ')} on Node ${node}: the time grows with ${power}, with a 95 % interval from ${figures.flat().length} processes.`;
  const grounds = [...verdict.grounds, ground];
  if (isOnly && low >= LEAST_QUADRATIC && isCostOfBlocking({ ns: longest }))
    return {
      ...verdict,
      verdict: 'confirmed',
      figure: `grows with ${power}: ${most} elements take ${durationOfNs(longest)}`,
      grounds,
      cost: { ns: longest, per: 'call', method: 'timed' },
    };
  return { ...verdict, grounds };
}

/** The slope of the logarithms, by least squares; undefined where there are too few figures, or some that took no time. */
export function exponentOf(sizes: readonly number[], figures: readonly (readonly number[])[]): Exponent | undefined {
  const points = sizes.flatMap((size, i) => (figures[i] ?? []).map((ns) => ({ x: Math.log(size), y: Math.log(ns) })));
  if (points.length < sizes.length * ROUNDS || points.some(({ y }) => !Number.isFinite(y))) return undefined;
  const mean = (of: (point: { x: number; y: number }) => number): number =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [x0, y0] = [mean(({ x }) => x), mean(({ y }) => y)];
  const sxx = points.reduce((sum, { x }) => sum + (x - x0) ** 2, 0);
  const exponent = points.reduce((sum, { x, y }) => sum + (x - x0) * (y - y0), 0) / sxx;
  const rest = points.reduce((sum, { x, y }) => sum + (y - y0 - exponent * (x - x0)) ** 2, 0);
  const reach = T_975 * Math.sqrt(rest / (points.length - 2) / sxx);
  return { exponent, low: exponent - reach, high: exponent + reach };
}
