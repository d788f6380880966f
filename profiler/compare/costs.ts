// What a state that was seen costs: the same calls with and without it, each in fresh processes, in turns.
import type { Cost, ProfileReport, Verdict } from '../../protocol/evidence.ts';
import { costSentence, costText, durationOfNs, isCostOfWork } from '../judge/cost.ts';
import { median } from '../evidence/statistics.ts';
import { timeInTurns, type InTurnsOptions, type TimedProcess, type Variant } from './in-turns.ts';
import { CONFIDENCE, isShown, shiftBetween, type Shift } from './shift.ts';

/** The same work without what a finding is about. */
export interface Without {
  /** For "Compared with …". */
  description: string;
  /** The weights make 1. */
  processes: readonly { text: string; calls: readonly string[]; weight: number }[];
}

export interface CostRequest {
  /** What was profiled. */
  process: TimedProcess;
  /** By the number of the verdict; undefined where there is nothing to compare with. */
  without(verdict: number): Without | undefined;
  /** For the whole profile, in ms. */
  budgetMs: number;
  options: Pick<InTurnsOptions, 'readOnly' | 'env' | 'signal' | 'progress'>;
}

/** Comparing takes time of its own: more findings than these keep their state without a cost. */
export const MOST_COMPARED = 3;
/** Of the profile's time for each process. Below the least, V8 has not optimized; above the most, nothing more is learned, in ms. */
const SHARE_OF_BUDGET = 0.05;
const PROCESS_MS = { least: 150, most: 400 };
/** With fewer, a single process that lands elsewhere makes the interval too wide. */
const LEAST_ROUNDS = 8;
/** A larger budget buys more processes, in ms. */
const MS_PER_ROUND = 625;
const MOST_ROUNDS = 20;
/**
 * Where the first processes leave it open, more are started, twice at most. Each look may tell a thing as different from itself in 0.3 %,
 * so that all of them together stay below 1 %.
 */
const MOST_LOOKS = 3;
/** An interval that reaches so far above, as a share of the time of the call, hides what one would want to know. */
const TOO_WIDE = 0.3;
/**
 * A difference of less is a few instructions, or where the code happens to lie, in ns. By the lower end of the interval. Our choice: the
 * same `add` beside a copy of itself for another type was 1.8 ns slower (0.2 to 12.6) in one of nine comparisons, and not in seven.
 */
const LEAST_NS = 0.5;
/** Less than this cannot be distinguished from the clock's own uncertainty, and nobody waits for it, in ns. */
const NOTHING_NS = 5;

/** The report with the costs that could be measured. Verdicts without one stay as they are. */
export async function withCosts(report: ProfileReport, request: CostRequest): Promise<ProfileReport> {
  const { without } = request;
  const compared = new Map<string, { without: Without; verdicts: number[] }>();
  for (const [index, verdict] of report.verdicts.entries()) {
    const other = asksForCost(verdict) ? without(index) : undefined;
    if (!other) continue;
    const key = JSON.stringify(other.processes);
    const known = compared.get(key);
    if (known) known.verdicts.push(index);
    else if (compared.size < MOST_COMPARED) compared.set(key, { without: other, verdicts: [index] });
  }
  const list = [...compared.values()];
  const outcome = await compareWith(
    list.map((one) => one.without),
    request,
  );
  if (!outcome) return report;
  const { own, others, failures } = outcome;
  const verdicts = [...report.verdicts];
  for (const [i, { without: one, verdicts: indexes }] of list.entries()) {
    const shift = shiftBetween(others[i] ?? [], own);
    if (shift)
      for (const index of indexes) {
        const verdict = verdicts[index];
        if (verdict) verdicts[index] = judgeCost(verdict, shift, median(own), { description: one.description, processes: own.length });
      }
  }
  return { ...report, verdicts, problems: [...report.problems, ...failures.map((why) => `What it costs was not measured: ${why}`)] };
}

/**
 * ns per call of what was profiled and of each version, one figure a process; undefined where nothing was compared, or the user stopped it.
 */
export async function compareWith(
  versions: readonly Without[],
  { process, budgetMs, options }: Pick<CostRequest, 'process' | 'budgetMs' | 'options'>,
): Promise<{ own: readonly number[]; others: readonly (readonly number[])[]; failures: readonly string[] } | undefined> {
  if (versions.length === 0) return undefined;
  const variants: Variant[] = [
    { processes: [{ process, weight: 1 }] },
    ...versions.map((one) => ({
      processes: one.processes.map(({ text, calls, weight }) => ({ process: { ...process, text, calls }, weight })),
    })),
  ];
  const figures = variants.map((): number[] => []);
  let open: readonly number[] = [...variants.keys()];
  const failures: string[] = [];
  for (let look = 0; look < MOST_LOOKS && open.length > 1; ) {
    const chosen = open;
    const outcome = await timeInTurns(
      chosen.flatMap((index) => variants[index] ?? []),
      {
        ...options,
        rounds: look === 0 ? Math.max(LEAST_ROUNDS, Math.min(MOST_ROUNDS, Math.round(budgetMs / MS_PER_ROUND))) : LEAST_ROUNDS,
        measureMs: Math.max(PROCESS_MS.least, Math.min(PROCESS_MS.most, budgetMs * SHARE_OF_BUDGET)),
      },
    );
    if (outcome.ok) for (const [i, more] of outcome.figures.entries()) figures[chosen[i] ?? 0]?.push(...more);
    else if (outcome.aborted) return undefined;
    else if (look > 0) break;
    else {
      // What is missing may be what the rest of the function needs. The others can still be compared.
      const failed = chosen[outcome.variant] ?? 0;
      const version = versions[failed - 1];
      failures.push(version ? failureOf(version, outcome.reason) : outcome.reason);
      open = failed === 0 ? [] : chosen.filter((index) => index !== failed);
      continue;
    }
    look += 1;
    const [own = [], ...others] = figures;
    const wide = others.flatMap((other, i) => (isOpen(shiftBetween(other, own), median(own)) ? [i + 1] : []));
    open = wide.length > 0 ? [0, ...wide] : [];
  }
  const [own = [], ...others] = figures;
  return { own, others, failures };
}

/** What fails without the finding's code says nothing of the program. Exported for its test. */
export function failureOf({ description }: Pick<Without, 'description'>, reason: string): string {
  return `the code was compared with ${description}, and in that version, ${reason.replace(/\.$/, '')}. That says nothing about the code as it is.`;
}

/** What it costs, by the difference. @param ns of a call with it */
export function costOf({ difference, low, high }: Shift, ns: number): Cost {
  const share = ns > 0 && difference > 0 ? { share: Math.min(1, difference / ns) } : {};
  return { ns: difference, low, high, per: 'call', ...share, method: 'compared' };
}

/** V8 tells nothing of an array that keeps its elements in a dictionary, and of a stack that is read: only the time does. */
const TOLD_BY_TIME: ReadonlySet<string> = new Set(['sparseArray', 'stackRead']);

function asksForCost({ verdict, messageId, cost }: Verdict): boolean {
  return cost === undefined && (verdict === 'seen' || (verdict === 'inconclusive' && TOLD_BY_TIME.has(messageId)));
}

/** An interval so wide hides a cost as well as none. @param ns of a call with it */
function isOpen(shift: Shift | undefined, ns: number): boolean {
  return shift !== undefined && shift.high > Math.max(NOTHING_NS, TOO_WIDE * ns) && !isCost(shift, ns);
}

/** By the lower end of the interval, as it is with what blocks. @param ns of a call with it */
export function isCost({ low }: Shift, ns: number): boolean {
  return low >= LEAST_NS && isCostOfWork({ ns: low, per: 'call', share: ns > 0 ? low / ns : 1 });
}

/** @param ns of a call with it. Exported for its test. */
export function judgeCost(verdict: Verdict, shift: Shift, ns: number, how: { description: string; processes: number }): Verdict {
  const cost = costOf(shift, ns);
  const against = `Compared with ${how.description}, ${how.processes} processes each`;
  const range = `${durationOfNs(shift.low)} to ${durationOfNs(shift.high)} per call`;
  const grounds = (...more: string[]): string[] => [...verdict.grounds, ...more];
  if (isCost(shift, ns))
    return {
      ...verdict,
      verdict: 'confirmed',
      figure: `${verdict.figure}, costs ${costText(cost)}`,
      grounds: [`${against}: it costs ${costSentence(cost, CONFIDENCE)}.`, ...verdict.grounds],
      cost,
    };
  if (isOpen(shift, ns)) {
    const why = `the times vary too much to tell (difference ${range}, of ${durationOfNs(ns)}). Close other programs, or give it more time.`;
    return {
      ...verdict,
      verdict: 'inconclusive',
      figure: `${verdict.figure}, cost unclear`,
      grounds: [`${against}: ${why}`, ...verdict.grounds],
      cost,
    };
  }
  if (!isShown(shift)) return { ...verdict, grounds: grounds(`${against}: no difference shown (${range}, of ${durationOfNs(ns)}).`), cost };
  return shift.low > 0
    ? { ...verdict, grounds: grounds(`${against}: too little to count, ${costSentence(cost, CONFIDENCE)}.`), cost }
    : { ...verdict, grounds: grounds(`${against}: this code is faster as it is (difference ${range}).`), cost };
}
