// How the time of a call or request grows with its input: the same calls with lists or texts of several lengths, each in fresh processes,
// in turns.
import type { ProfileReport, ProgramRequest, Verdict } from '../../protocol/evidence.ts';
import { unitText, type ScaledUnit, type Scaling } from '../../protocol/scaling.ts';
import { median } from '../evidence/statistics.ts';
import { durationOfNs, isCostOfBlocking, TOO_LITTLE } from '../judge/cost.ts';
import { GROWING, GROWTH_UNMEASURED, UNMEASURED } from '../judge/loop-time.ts';
import { runOnce, timeInTurns, type InTurnsOptions, type TimedProcess } from './in-turns.ts';

/** The input in one size. */
export type ScaledInput =
  | { unit: ScaledUnit; most?: number; text: string; calls: readonly string[] }
  | { unit: ScaledUnit; most?: number; request: ProgramRequest };

export interface GrowthRequest {
  /** What was profiled. */
  process: TimedProcess;
  /** The calls, or the request, with so many elements; undefined where the verdict, by its number, is about something else. */
  scaled(verdict: number, size: number): ScaledInput | undefined;
  /** For the whole profile, in ms. */
  budgetMs: number;
  options: Pick<InTurnsOptions, 'readOnly' | 'env' | 'signal' | 'progress'>;
}

/** Each twice the one before. With 1,000, an object that is copied for each element already takes 0.3 s. */
export const GROWTH_SIZES: readonly number[] = [125, 250, 500, 1000];
const ROUNDS = 6;
const SHARE_OF_BUDGET = 0.05;
const PROCESS_MS = { least: 150, most: 400 };
/** All sizes in one process. */
const SERVED_MS = 1000;
/** A busy machine may answer in none of a round's time. So many rounds are run again. */
const MOST_LATE_ROUNDS = 3;
/** On a machine that stands still, starting the servers takes longer than anyone waits for, in ms. */
const MOST_SERVED_MS = 60_000;
/** From here on it is called quadratic, by the lower end of the interval. */
const LEAST_QUADRATIC = 1.5;
/**
 * A power law grows from each size to the next. Where the step that grows the most is left out, the others still have to grow faster than
 * in a straight line. Our choice: halfway between that and what is called quadratic. A sum of a linear and a quadratic part whose exponent
 * is 1.5 or more in all is above 1.4 in its first steps.
 */
const LEAST_WITHOUT_STEP = 1.25;
/** Below it, by the upper end, nothing tells that the code had longer input at all: what a call passes may be no list, or not the one. */
const LEAST_GROWTH = 0.1;
/** Of a text, what blocks for less delays nothing noticeably, in ns. Our choice. */
const LEAST_TEXT_NS = 10_000_000;
/** 97.5 % quantile of Student's distribution by degrees of freedom: 24 figures of four sizes or 18 of three, less two parameters. */
const T_975 = { 22: 2.074, 16: 2.12 };
/**
 * What a request takes anyway is a measured figure, too. Where it is more than half of a figure, what is left of that figure is mostly
 * error, and its logarithm makes the growth steeper than it is.
 */
const LEAST_TIMES_BASE = 2;
const LEAST_SIZES = 3;
/** Each takes two dozen processes and more: further inputs keep what the run said. */
const MOST_INPUTS = 3;

/**
 * What requests accept is found by asking, and so is what a text takes: the size is raised by this factor, until it is refused, or takes so
 * long that the next one may take seconds.
 */
const STEP = 4;
const FIRST_SIZE = 128;
/** Eighths of less are no lists. */
const LEAST_SIZE = 32;
const LONG_ENOUGH_NS = 50_000_000;
/** A probe on a busy machine may seem long; if the figures are then below this, in ns, larger sizes are measured. */
const TOO_SHORT_NS = LONG_ENOUGH_NS / STEP;
const MOST_SIZE: Readonly<Record<ScaledUnit, number>> = { element: 8192, character: 65_536 };
/** Long enough for V8 to optimize: what is slow at first would end the search at a size that tells nothing. */
const PROBE_MS = 400;

/** The report with what the growth of the calls says. Verdicts about something else stay as they are. */
export async function withGrowth(report: ProfileReport, request: GrowthRequest): Promise<ProfileReport> {
  const groups = new Map<string, { input: ScaledInput; indexes: number[] }>();
  for (const [index, { verdict }] of report.verdicts.entries()) {
    if (verdict === 'not-reached') continue;
    const input = request.scaled(index, FIRST_SIZE);
    if (!input || !asks(verdict, input.unit)) continue;
    const key = JSON.stringify(input);
    const group = groups.get(key);
    if (group) group.indexes.push(index);
    else groups.set(key, { input, indexes: [index] });
  }
  let judged = report;
  for (const [i, { input, indexes }] of [...groups.values()].entries()) {
    if (request.options.signal?.aborted) return judged;
    if (i >= MOST_INPUTS) {
      judged = { ...judged, verdicts: judged.verdicts.map((one, index) => (indexes.includes(index) ? notMeasured(one, TOO_MANY) : one)) };
      continue;
    }
    judged = await withGrowthOf(judged, input, indexes, request);
  }
  return judged;
}

/** A text that a run has not met says nothing against a finding about it. */
function asks(verdict: Verdict['verdict'], unit: ScaledUnit): boolean {
  return verdict === 'seen' || verdict === 'confirmed' || unit === 'character';
}

async function withGrowthOf(
  report: ProfileReport,
  input: ScaledInput,
  indexes: readonly number[],
  request: GrowthRequest,
): Promise<ProfileReport> {
  const [first = 0] = indexes;
  const isServed = 'request' in input;
  const range = isServed || input.unit === 'character' ? await rangeOf(input, first, request) : { ok: true as const, sizes: GROWTH_SIZES };
  const change = (of: (verdict: Verdict) => Verdict): ProfileReport => ({
    ...report,
    verdicts: report.verdicts.map((verdict, index) => (indexes.includes(index) ? of(verdict) : verdict)),
  });
  if (!range.ok) {
    if (range.isAborted) return report;
    return change((verdict) => (range.isRefusal ? refused(verdict, range.reason) : notMeasured(verdict, range.reason)));
  }
  const measure = isServed ? timesOfRequests : timesOfCalls;
  let { sizes } = range;
  let outcome = await measure(first, sizes, request);
  while (outcome.ok && range.most !== undefined && last(sizes) < range.most && median(last(outcome.figures)) < TOO_SHORT_NS) {
    const larger = sizesUpTo(Math.min(last(sizes) * STEP, range.most));
    const again = await measure(first, larger, request);
    if (!again.ok) break;
    sizes = larger;
    outcome = again;
  }
  if (!outcome.ok) {
    const { aborted, reason } = outcome;
    return aborted ? report : change((verdict) => notMeasured(verdict, reason));
  }
  const measured: MeasuredGrowth = {
    unit: input.unit,
    per: isServed ? 'request' : 'call',
    sizes,
    figures: outcome.figures,
    base: outcome.base,
    node: report.machine.node,
    isOnly: indexes.length === 1,
    limit: range.limit,
  };
  return change((verdict) => judgeGrowth(verdict, measured));
}

const TOO_MANY = `a profile measures ${MOST_INPUTS} inputs. Profile the line of this finding`;

/** That a place costs nothing with short input says nothing of long input. */
function notMeasured(verdict: Verdict, reason: string): Verdict {
  const ground = `How the time grows was not measured: ${reason}`;
  const sentence = /\.$/.test(ground) ? ground : `${ground}.`;
  const known = without(verdict.grounds, GROWTH_UNMEASURED);
  return verdict.verdict === 'seen'
    ? { ...verdict, verdict: 'inconclusive', figure: 'growth not measured', grounds: [sentence, ...known] }
    : { ...verdict, grounds: [...known, sentence] };
}

/** `most`: sizes up to this one may be tried, too. */
type Range =
  | { ok: true; sizes: readonly number[]; most?: number; limit?: string }
  | { ok: false; isRefusal: boolean; isAborted: boolean; reason: string };
type Times = { ok: true; figures: readonly (readonly number[])[]; base?: number } | { ok: false; reason: string; aborted: boolean };

/** The largest size that is accepted, or takes long enough, with its halves. */
async function rangeOf({ unit, most = Infinity }: ScaledInput, verdict: number, request: GrowthRequest): Promise<Range> {
  const largest = Math.min(MOST_SIZE[unit], most);
  let accepted = 0;
  let failed: { size: number; reason: string; isRefusal: boolean } | undefined;
  const isAccepted = async (size: number): Promise<boolean> => {
    let asked = await probe(verdict, size, request);
    // A server that was late once may have waited for the machine.
    if (!asked.ok && !asked.isRefusal && !request.options.signal?.aborted) asked = await probe(verdict, size, request);
    if (!asked.ok) {
      failed = { size, ...asked };
      return false;
    }
    accepted = size;
    return asked.ns < LONG_ENOUGH_NS;
  };
  let size = Math.min(FIRST_SIZE, largest);
  while ((await isAccepted(size)) && size < largest) size = Math.min(size * STEP, largest);
  // Half of what was refused may be accepted.
  if (failed && failed.size / 2 > accepted) await isAccepted(failed.size / 2);
  if (request.options.signal?.aborted) return { ok: false, isRefusal: false, isAborted: true, reason: '' };
  const why = failed && `${failed.reason} with ${amount(failed.size)} ${unitText(unit, failed.size)}.`;
  if (accepted < LEAST_SIZE) return { ok: false, isRefusal: failed?.isRefusal ?? false, isAborted: false, reason: why ?? '' };
  return { ok: true, sizes: sizesUpTo(accepted), most: failed ? undefined : largest, limit: why };
}

function sizesUpTo(most: number): number[] {
  return [8, 4, 2, 1].map((part) => Math.floor(most / part));
}

function last<T>(items: readonly T[]): T {
  const item = items.at(-1);
  if (item === undefined) throw new Error('There are sizes, and figures of each');
  return item;
}

type Probed = { ok: true; ns: number } | { ok: false; reason: string; isRefusal: boolean };

async function probe(verdict: number, size: number, { process, scaled, options }: GrowthRequest): Promise<Probed> {
  const input = scaled(verdict, size);
  if (!input) return { ok: false, reason: 'There is no input', isRefusal: false };
  const once = await runOnce(versionOf(process, [input]), { ...options, measureMs: PROBE_MS });
  if (!once.ok) return { ok: false, reason: once.reason.replace(/\.$/, ''), isRefusal: false };
  const [refusal] = once.refusals;
  if (refusal) return { ok: false, ...refusal };
  const [ns] = once.fastest;
  return ns === undefined ? { ok: false, reason: 'Nothing was measured', isRefusal: false } : { ok: true, ns };
}

/** All requests, if there are several, go to one process. */
function versionOf(process: TimedProcess, inputs: readonly ScaledInput[]): TimedProcess {
  const requests = inputs.flatMap((input) => ('request' in input ? [input.request] : []));
  if (process.program && requests.length > 0) return { ...process, program: { ...process.program, requests } };
  const [input] = inputs;
  return input && 'calls' in input ? { ...process, text: input.text, calls: input.calls } : process;
}

async function timesOfCalls(
  verdict: number,
  sizes: readonly number[],
  { process, scaled, budgetMs, options }: GrowthRequest,
): Promise<Times> {
  const variants = sizes.flatMap((size) => {
    const input = scaled(verdict, size);
    return input ? [{ processes: [{ process: versionOf(process, [input]), weight: 1 }] }] : [];
  });
  return timeInTurns(variants, {
    ...options,
    rounds: ROUNDS,
    measureMs: Math.max(PROCESS_MS.least, Math.min(PROCESS_MS.most, budgetMs * SHARE_OF_BUDGET)),
  });
}

/** A server takes long to start: one process is asked in all sizes, in turns. */
async function timesOfRequests(verdict: number, sizes: readonly number[], { process, scaled, options }: GrowthRequest): Promise<Times> {
  const inputs = sizes.flatMap((size) => scaled(verdict, size) ?? []);
  const [given] = process.program?.requests ?? [];
  const all = versionOf(process, [...inputs, ...(given ? [{ unit: 'element' as const, request: given }] : [])]);
  const figures = sizes.map((): number[] => []);
  const ofGiven: number[] = [];
  const began = performance.now();
  let late = 0;
  for (let round = 0; round < ROUNDS; ) {
    options.progress?.(round, ROUNDS);
    if (performance.now() - began > MOST_SERVED_MS)
      return { ok: false, reason: 'It took too long. Close other programs, and run it again.', aborted: false };
    const once = await runOnce(all, { ...options, measureMs: SERVED_MS });
    const aborted = options.signal?.aborted ?? false;
    if (!once.ok) return { ok: false, reason: once.reason, aborted };
    const refusal = once.refusals.find(({ isRefusal }) => isRefusal);
    if (refusal) return { ok: false, reason: `${refusal.reason}.`, aborted };
    // The fastest answer counts, so one that came too late is no loss, as long as others came.
    if (once.fastest.length < inputs.length + (given ? 1 : 0)) {
      late += 1;
      if (late <= MOST_LATE_ROUNDS) continue;
      return { ok: false, reason: `${once.refusals[0]?.reason ?? 'Not all requests were answered'}.`, aborted };
    }
    for (const [i, ns] of once.fastest.entries()) (figures[i] ?? ofGiven).push(ns);
    round += 1;
  }
  return { ok: true, figures, base: ofGiven.length > 0 ? Math.min(...ofGiven) : 0 };
}

/** A handler that refuses the input has not done with it what the finding says: that neither confirms nor refutes anything. */
function refused(verdict: Verdict, reason: string): Verdict {
  const ground = `How the time grows was not measured, because longer input is refused: ${reason}`;
  const known = without(verdict.grounds, GROWTH_UNMEASURED);
  if (verdict.verdict === 'confirmed') return { ...verdict, grounds: [...known, ground] };
  return { ...verdict, verdict: 'inconclusive', figure: 'longer input is refused', grounds: [ground, ...known] };
}

/** The grounds without sentences that no longer hold. */
function without(grounds: readonly string[], ...sentences: readonly string[]): string[] {
  return grounds.map((ground) => sentences.reduce((text, sentence) => text.replace(sentence, ''), ground));
}

export interface MeasuredGrowth {
  unit: ScaledUnit;
  per: 'call' | 'request';
  sizes: readonly number[];
  /** ns, for each of the sizes. */
  figures: readonly (readonly number[])[];
  /** What a request takes anyway, in ns: the least that the request as it is given took in one of the processes. */
  base?: number;
  node: string;
  /** No other finding in the calls is about growth. */
  isOnly?: boolean;
  limit?: string;
}

/**
 * Growth confirms, and never refutes: only the lists that the calls pass are longer, and a list that is read from elsewhere stays as long
 * as it is. The times are those of the whole call, so they say nothing of one of several findings. Exported for its test.
 */
export function judgeGrowth(
  verdict: Verdict,
  { unit, per, sizes, figures, base = 0, node, isOnly = true, limit }: MeasuredGrowth,
): Verdict {
  const beyond = beyondBase(figures, base);
  const isAbove = beyond !== undefined;
  const exponent = isAbove ? exponentOf(sizes.slice(-beyond.length), beyond) : exponentOf(sizes, figures);
  if (!exponent) return notMeasured(verdict, `A ${per} took too little time to be measured`);
  if (exponent.high < LEAST_GROWTH) return verdict;
  const times = figures.map(median);
  const longest = times.at(-1) ?? 0;
  const most = amount(sizes.at(-1) ?? 0);
  const power = powerText(exponent);
  const counted = (beyond ?? figures).flat().length;
  const leftOut =
    counted < figures.flat().length ? ` The shortest ${INPUTS[unit]} do not count: most of their time is what every request takes.` : '';
  const ground = `With ${INPUTS[unit]} of ${sizes.map(amount).join(', ')} ${unitText(unit, 2)}, a ${per} took ${per === 'request' ? 'at least ' : ''}${times.map(durationOfNs).join(', ')} on Node ${node}: the time${isAbove ? ` beyond the ${durationOfNs(base)} that a request takes anyway` : ''} grows with ${power}, with a 95 % interval from ${counted} figures.${leftOut}${limit === undefined ? '' : ` ${limit}`}`;
  const scaling: Scaling = {
    unit,
    per,
    points: sizes.map((size, i) => {
      const own = figures[i] ?? [];
      return { size, ns: median(own), low: Math.min(...own), high: Math.max(...own) };
    }),
    exponent: { value: exponent.exponent, low: exponent.low, high: exponent.high },
    ...(limit !== undefined && { limit }),
  };
  const told = { ...verdict, grounds: [...without(verdict.grounds, GROWTH_UNMEASURED), ground], scaling };
  const isLong = unit === 'character' ? longest >= LEAST_TEXT_NS : isCostOfBlocking({ ns: longest });
  // What was confirmed by the time of a call is about the list that it was given.
  if (exponent.high < LEAST_QUADRATIC)
    return verdict.ruleId === GROWING && verdict.verdict === 'confirmed' ? { ...told, verdict: 'seen' } : told;
  if (!isOnly || !isLong) return told;
  const open = whyOpen(sizes.slice(-(beyond ?? figures).length), beyond ?? figures, exponent, unit);
  if (open !== undefined)
    return verdict.verdict === 'confirmed' && verdict.ruleId !== GROWING
      ? told
      : {
          ...told,
          verdict: 'inconclusive',
          figure: `growth unclear: ${most} ${unitText(unit, 2)} take ${durationOfNs(longest)}`,
          grounds: [`${ground} ${open}`, ...without(verdict.grounds, TOO_LITTLE, GROWTH_UNMEASURED)],
        };
  return {
    ...told,
    // What decided comes first. That the input as it was given takes little is no longer the point.
    grounds: [ground, ...without(verdict.grounds, TOO_LITTLE, GROWTH_UNMEASURED, ` ${UNMEASURED}`)],
    verdict: 'confirmed',
    figure: `grows with ${power}: ${most} ${unitText(unit, 2)} take ${durationOfNs(longest)}`,
    cost: { ns: longest, per, method: 'timed' },
  };
}

/** Why the figures do not tell whether the growth is quadratic, as sentences; undefined where they do. */
function whyOpen(
  sizes: readonly number[],
  figures: readonly (readonly number[])[],
  exponent: Exponent,
  unit: ScaledUnit,
): string | undefined {
  if (exponent.low < LEAST_QUADRATIC)
    return `The interval reaches from below ${LEAST_QUADRATIC} to above it, so it may be quadratic or not. Run it again when the machine is less busy, or for longer.`;
  const steps = sizes.slice(1).map((size, i) => {
    const [from = 0, to = 0] = [figures[i], figures[i + 1]].map((own) => median(own ?? []));
    return { from: sizes[i] ?? 0, to: size, exponent: Math.log(to / from) / Math.log(size / (sizes[i] ?? 0)) };
  });
  const jump = steps.reduce((most, step) => (step.exponent > most.exponent ? step : most));
  const others = steps.filter((step) => step !== jump);
  const mean = others.reduce((sum, step) => sum + step.exponent, 0) / others.length;
  if (mean >= LEAST_WITHOUT_STEP) return undefined;
  return `Nearly all of it is one jump, between ${amount(jump.from)} and ${amount(jump.to)} ${unitText(unit, 2)}: without it, the time grows with n^${mean.toFixed(2)}. A single jump is no growth. Run it again when the machine is less busy.`;
}

/** The figures of the largest sizes without the base, in ns; undefined where too few of them are well above it. */
function beyondBase(figures: readonly (readonly number[])[], base: number): number[][] | undefined {
  if (base <= 0) return undefined;
  const first = figures.findLastIndex((own) => median(own) < LEAST_TIMES_BASE * base || own.some((ns) => ns <= base)) + 1;
  const kept = figures.slice(first);
  return kept.length < LEAST_SIZES ? undefined : kept.map((own) => own.map((ns) => ns - base));
}

const INPUTS: Readonly<Record<ScaledUnit, string>> = { element: 'lists', character: 'texts' };

/** `n^1.97 (1.93 to 2.01)` */
export function powerText({ exponent, low, high }: Exponent): string {
  return `n^${exponent.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`;
}

export interface Exponent {
  exponent: number;
  low: number;
  high: number;
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
  const quantile = points.length - 2 < 22 ? T_975[16] : T_975[22];
  const reach = quantile * Math.sqrt(rest / (points.length - 2) / sxx);
  return { exponent, low: exponent - reach, high: exponent + reach };
}

function amount(n: number): string {
  return n.toLocaleString('en-US');
}
