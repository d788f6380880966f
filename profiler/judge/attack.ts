// What a rule's own attack text says about a finding: how the time grows, and what the longest text that the place accepts takes. Pure.
import { isJsonAttack, type Attack, type AttackText, type JsonAttack } from '../../protocol/attack.ts';
import type { Cost } from '../../protocol/evidence.ts';
import type { Scaling } from '../../protocol/scaling.ts';
import type { Opinion } from './hypothesis.ts';
import { duration } from './words.ts';

/** One attempt. */
export interface AttackPoint {
  /** `begun`: the longest text is about to be tried, `ms` after the start of the process. */
  phase: 'warm-up' | 'search' | 'growth' | 'begun' | 'full';
  pumps: number;
  characters: number;
  ms: number;
}

export interface AttackRun {
  points: readonly AttackPoint[];
  /** Its time was up. */
  isKilled: boolean;
  isAborted: boolean;
  /** How long the longest text had taken at least when the process was killed; undefined where it was not come to. */
  unfinishedMs?: number;
}

export interface Growth {
  /** The power of the length; for what is exponential, the factor of each further pump. */
  value: number;
  low: number;
  high: number;
}

const NS_PER_MS = 1e6;
/**
 * Nobody sends such a text by accident, and a scan of 100,000 characters takes up to a millisecond: only what blocks for so long counts, in
 * ms. Our choice.
 */
const LEAST_MS = 10;
/** Others notice such a delay, in ms. Our choice. */
const LEAST_JSON_MS = 100;
/** An exponent below has a cause in the clock; above, the time grows faster than the text. */
const LINEAR = 1.3;
const LEAST_FACTOR = 1.1;

/** By least squares over the logarithms of the times, with the 95 % interval of the slope; undefined with fewer points than make one. */
export function growthOf(points: readonly AttackPoint[], isExponential: boolean): Growth | undefined {
  const own = points.filter(({ phase, ms }) => phase === 'growth' && ms > 0);
  const xs = own.map(({ pumps, characters }) => (isExponential ? pumps : Math.log(characters)));
  const ys = own.map(({ ms }) => Math.log(ms));
  const n = own.length;
  if (n < LEAST_POINTS || new Set(xs).size < LEAST_LENGTHS) return undefined;
  const mean = (list: readonly number[]): number => list.reduce((sum, one) => sum + one, 0) / n;
  const [mx, my] = [mean(xs), mean(ys)];
  const sxx = xs.reduce((sum, x) => sum + (x - mx) ** 2, 0);
  const slope = xs.reduce((sum, x, i) => sum + (x - mx) * ((ys[i] ?? my) - my), 0) / sxx;
  const rest = xs.reduce((sum, x, i) => sum + ((ys[i] ?? my) - my - slope * (x - mx)) ** 2, 0);
  const reach = (T_975[Math.min(n - 2, T_975.length - 1)] ?? 0) * Math.sqrt(rest / (n - 2) / sxx);
  const as = (one: number): number => (isExponential ? Math.exp(one) : one);
  return { value: as(slope), low: as(slope - reach), high: as(slope + reach) };
}

const LEAST_POINTS = 6;
const LEAST_LENGTHS = 3;
/** 97.5 % quantiles of Student's t distribution by degrees of freedom; the last for all above. */
const T_975 = [0, 12.71, 4.3, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.2, 2.18, 2.16] as const;

/** Undefined where the run says nothing: it was stopped, or never came to compare lengths. */
export function judgeAttack(attack: Attack, run: AttackRun, node: string): Opinion | undefined {
  if (run.isAborted) return undefined;
  if (isJsonAttack(attack)) return judgeJson(attack, run, node);
  const growth = growthOf(run.points, attack.isExponential);
  const longest = run.points.find(({ phase }) => phase === 'full');
  const ms = longest?.ms ?? run.unfinishedMs;
  const text = describe(attack);
  if (ms === undefined || !growth) return undecided(run, text, node);
  const characters = amountOf(attack.size);
  const atLeast = longest ? '' : 'more than ';
  const scaling = attack.isExponential ? undefined : scalingOf(run.points, growth);
  const rate = growthText(growth, attack.isExponential);
  const figure = `${atLeast}${duration(ms)} for ${amountOf(longest?.characters ?? attack.size)} characters, ${rate.short}`;
  const ground = `${text}, up to ${characters} characters (${attack.limit}): ${rate.long}. The longest took ${atLeast}${duration(ms)}${longest ? '' : ', when it was stopped'} (Node ${node}, in a process of its own).`;
  const cost: Cost = { ns: ms * NS_PER_MS, per: 'text', method: 'timed' };
  const isFaster = growth.low > (attack.isExponential ? LEAST_FACTOR : LINEAR);
  const isLinear = !attack.isExponential && growth.high < LINEAR;
  if (isFaster && ms >= LEAST_MS) return { verdict: 'confirmed', figure, ground, cost, ...(scaling && { scaling }) };
  // The text may be so short, or the place accept so little, that the growth does not matter.
  if (isFaster)
    return {
      verdict: 'seen',
      figure,
      ground: `${ground} That is too short to delay anything noticeably.`,
      cost,
      ...(scaling && { scaling }),
    };
  if (isLinear && longest && ms < LEAST_MS)
    return { verdict: 'refuted', figure, ground: `${ground} V8 does not backtrack on this text as the finding says.` };
  return {
    verdict: 'inconclusive',
    figure: 'growth unclear',
    ground: `${ground} The times differ too much to tell how they grow. Close other programs, and run it again.`,
    cost,
  };
}

/** What is exponential has no power of its length. */
function scalingOf(points: readonly AttackPoint[], exponent: Growth): Scaling {
  const bySize = new Map<number, number[]>();
  for (const { phase, characters, ms } of points)
    if (phase === 'growth' && ms > 0)
      bySize.set(
        characters,
        [...(bySize.get(characters) ?? []), ms * NS_PER_MS].sort((a, b) => a - b),
      );
  const sizes = [...bySize].sort(([a], [b]) => a - b);
  return {
    unit: 'character',
    per: 'text',
    points: sizes.map(([size, all]) => ({ size, ns: all[Math.floor(all.length / 2)] ?? 0, low: all[0] ?? 0, high: all.at(-1) ?? 0 })),
    exponent,
  };
}

/** Parsing needs no growth to be a problem: what the longest text takes is what a request can cost. */
function judgeJson(attack: JsonAttack, run: AttackRun, node: string): Opinion {
  const longest = run.points.find(({ phase }) => phase === 'full');
  const ms = longest?.ms ?? run.unfinishedMs;
  const text = describe(attack);
  if (ms === undefined) return undecided(run, text, node);
  const atLeast = longest ? '' : 'more than ';
  const figure = `${atLeast}${duration(ms)} for ${amountOf(longest?.characters ?? attack.size)} characters`;
  const ground = `${text}, ${amountOf(longest?.characters ?? attack.size)} characters (${attack.limit}): \`JSON.parse\` took ${atLeast}${duration(ms)}${longest ? '' : ', when it was stopped'} (Node ${node}, in a process of its own).`;
  const cost: Cost = { ns: ms * NS_PER_MS, per: 'text', method: 'timed' };
  return ms >= LEAST_JSON_MS
    ? { verdict: 'confirmed', figure, ground, cost }
    : { verdict: 'seen', figure, ground: `${ground} That is too short to delay others noticeably.`, cost };
}

function undecided(run: AttackRun, text: string, node: string): Opinion {
  return {
    verdict: 'inconclusive',
    figure: run.isKilled ? 'attack text not finished' : 'attack text not tried',
    ground: `${text}: ${run.isKilled ? 'time ran out before lengths could be compared' : 'the process ended before lengths could be compared'} (Node ${node}).`,
  };
}

/** ``Tried with `0` repeated, and `!` behind it``; what cannot be read is left out. */
function describe({ prefix, pump, suffix }: AttackText): string {
  const shown = (part: string): string => JSON.stringify(part);
  return `Tried with ${shown(pump)} repeated${prefix === '' ? '' : ` behind ${shown(prefix)}`}${suffix === '' ? '' : `, followed by ${shown(suffix)}`}`;
}

function growthText({ value, low, high }: Growth, isExponential: boolean): { short: string; long: string } {
  const range = `${low.toFixed(2)} to ${high.toFixed(2)}`;
  return isExponential
    ? {
        short: `×${value.toFixed(2)} for each repetition`,
        long: `each repetition multiplies the time by ${value.toFixed(2)} (95 % interval ${range})`,
      }
    : {
        short: `grows with the power of ${value.toFixed(1)}`,
        long: `the time grows with the length to the power of ${value.toFixed(2)} (95 % interval ${range})`,
      };
}

/** `102,400` */
function amountOf(n: number): string {
  return n.toLocaleString('en-US');
}
