// What sets of servers under load say about each other. Pure.
import type { LoadDifference, LoadPoint, LoadSide, LoadSweep } from '../../protocol/load.ts';
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
  const { ratio, low, high, slower, atWorst, isApart } = ratioBetween(a, b, figure);
  const { generatorShare, busyShare } = sharesOf([...first.figures, ...second.figures]);
  const isToldApart = isApart && Math.abs(slower) > tolerance;
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
    verdict: isToldApart ? (slower > 0 ? 'slower' : 'faster') : isOpen || (!isApart && atWorst > NOT_TO_MISS) ? 'inconclusive' : 'same',
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

/**
 * Which of several versions is enough. Each interval stands for itself: among many versions, one is told as different by chance more often
 * than among two.
 * @param sides in the order of what is varied
 * @throws where there are too few figures for an interval
 */
export function judgeSweep(
  sides: readonly { name: string; figures: readonly LoadFigure[] }[],
  figure: LoadDifference['figure'],
  tolerance: number,
): LoadSweep {
  const points = sides.map((side) => sideOf(side, figure));
  const [first] = points;
  if (!first) throw new Error('A sweep has points.');
  const medians = points.map(({ median: value }) => value);
  const best = medians.indexOf(figure === 'rate' ? Math.max(...medians) : Math.min(...medians));
  const top = points[best] ?? first;
  const { generatorShare, busyShare } = sharesOf(sides.flatMap(({ figures }) => figures));
  const isOpen = figure === 'rate' && generatorShare > SOME;
  // By how much the point is worse than the best one, by its interval.
  const against = points.map((point) => ratioBetween(top, point, figure));
  const isWorse = against.map(({ isApart, slower }) => isApart && slower > tolerance);
  const enough = isWorse.indexOf(false);
  // Between the first that may be enough and the best one, a difference that matters may have stayed hidden.
  const chosen = enough === best ? undefined : against[enough];
  const isUnclear = isOpen || (chosen !== undefined && !chosen.isApart && chosen.atWorst > NOT_TO_MISS);
  const problems: string[] = [];
  if (isOpen)
    problems.push(
      'The load generator was the limit in some of the processes, so differences may not have shown. Use a route that does more, or `--rate`.',
    );
  if (busyShare > SOME) problems.push('The machine was busy. All sides met that alike, but the intervals are wider for it.');
  return {
    figure,
    points: points.map((point, i): LoadPoint => {
      if (i === 0) return point;
      const { ratio, low, high } = ratioBetween(first, point, figure);
      return { ...point, toFirst: { ratio, low, high } };
    }),
    best,
    ...(isUnclear ? {} : { enough }),
    worse: points.flatMap((_, i) => (isWorse[i] && (isUnclear || i > enough) ? [i] : [])),
    confidence: CONFIDENCE,
    problems,
  };
}

interface Ratio {
  /** Of the second's figure to the first's, with its interval. */
  ratio: number;
  low: number;
  high: number;
  /** By which share the second is slower, and what the interval leaves possible. */
  slower: number;
  atWorst: number;
  /** Whether the interval leaves 1 out. */
  isApart: boolean;
}

function ratioBetween(first: LoadSide, second: LoadSide, figure: LoadDifference['figure']): Ratio {
  const shift = shiftBetween(first.figures.map(Math.log), second.figures.map(Math.log));
  if (!shift) throw new Error('A comparison takes at least 6 processes on each side.');
  const ratio = Math.exp(shift.difference);
  const [low, high] = [Math.exp(shift.low), Math.exp(shift.high)];
  // More requests a second are better, a longer latency is worse: as times, both grow.
  const slower = figure === 'rate' ? 1 / ratio - 1 : ratio - 1;
  return { ratio, low, high, slower, atWorst: figure === 'rate' ? 1 / low - 1 : high - 1, isApart: isShown(shift) };
}

function sharesOf(figures: readonly LoadFigure[]): { generatorShare: number; busyShare: number } {
  const shareOf = (test: (one: LoadFigure) => boolean): number => figures.filter(test).length / figures.length;
  return {
    generatorShare: shareOf(({ isGeneratorFull }) => isGeneratorFull),
    busyShare: shareOf(({ isMachineBusy }) => isMachineBusy),
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
