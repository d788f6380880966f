// What two sets of servers under load say about each other. Pure.
import type { LoadDifference, LoadSide } from '../../protocol/load.ts';
import { CONFIDENCE, isShown, shiftBetween } from '../compare/shift.ts';
import { median } from '../evidence/statistics.ts';

/** One process of one side. */
export interface LoadFigure {
  perSecond: number;
  /** In ms. */
  p50: number;
  p99: number;
  /** The load generator was as busy as it can be. */
  isGeneratorFull: boolean;
  isMachineBusy: boolean;
}

/** A slowdown that nobody may miss, as a share. As `compare/difference.ts` has it. */
const NOT_TO_MISS = 0.2;
/** A share of the processes that says nothing of the whole. Our choice. */
const SOME = 0.25;

/**
 * Ratios, because a loaded machine slows both sides by a factor: the interval is that of the logarithms.
 * @param tolerance a smaller difference is none, as a share
 * @throws where there are too few figures for an interval
 */
export function judgeLoad(
  first: { name: string; figures: readonly LoadFigure[] },
  second: { name: string; figures: readonly LoadFigure[] },
  figure: LoadDifference['figure'],
  tolerance: number,
): LoadDifference {
  const [a, b] = [sideOf(first, figure), sideOf(second, figure)];
  const shift = shiftBetween(a.figures.map(Math.log), b.figures.map(Math.log));
  if (!shift) throw new Error('A comparison takes at least 6 processes on each side.');
  const ratio = Math.exp(shift.difference);
  const [low, high] = [Math.exp(shift.low), Math.exp(shift.high)];
  // More requests a second are better, a longer latency is worse: as times, both grow.
  const slower = figure === 'rate' ? 1 / ratio - 1 : ratio - 1;
  const atWorst = figure === 'rate' ? 1 / low - 1 : high - 1;
  const all = [...first.figures, ...second.figures];
  const shareOf = (test: (one: LoadFigure) => boolean): number => all.filter(test).length / all.length;
  const generatorShare = shareOf(({ isGeneratorFull }) => isGeneratorFull);
  const busyShare = shareOf(({ isMachineBusy }) => isMachineBusy);
  const isToldApart = isShown(shift) && Math.abs(slower) > tolerance;
  const isOpen = figure === 'rate' && generatorShare > SOME;
  const problems: string[] = [];
  if (isOpen)
    problems.push(
      isToldApart
        ? 'The load generator was the limit in some of the processes, so the faster side may be faster still.'
        : 'The load generator was the limit, so a difference between the two may not have shown. Use a route that does more, or `--rate`.',
    );
  if (busyShare > SOME) problems.push('The machine was busy. Both sides met that alike, but the intervals are wider for it.');
  return {
    verdict: isToldApart
      ? slower > 0
        ? 'slower'
        : 'faster'
      : isOpen || (!isShown(shift) && atWorst > NOT_TO_MISS)
        ? 'inconclusive'
        : 'same',
    figure,
    first: a,
    second: b,
    ratio,
    low,
    high,
    confidence: CONFIDENCE,
    problems,
  };
}

function sideOf({ name, figures }: { name: string; figures: readonly LoadFigure[] }, figure: LoadDifference['figure']): LoadSide {
  const own = figures.map(({ perSecond, p99 }) => (figure === 'rate' ? perSecond : p99));
  return {
    name,
    figures: own,
    median: median(own),
    p50: median(figures.map(({ p50 }) => p50)),
    p99: median(figures.map(({ p99 }) => p99)),
  };
}
