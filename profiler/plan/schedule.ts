// Which processes a profile of a function takes, what each of them collects in which order, and for how long. Pure.
import type { RunKind, Phase } from './plan.ts';
import type { Hypothesis } from '../judge/hypothesis.ts';
import { SATURATION } from '../judge/pool.ts';
import { ENOUGH_RUNS, ENOUGH_WATCHED } from '../judge/silence.ts';
import type { EvidenceKind } from '../../protocol/evidence.ts';

/** The shares of the budget; the clock's run is worth most. A run that has nothing more to see ends earlier. */
const SHARES: Readonly<Partial<Record<RunKind, number>>> = {
  watch: 0.15,
  trace: 0.3,
  counts: 0.1,
  feedback: 0.1,
  exceptions: 0.1,
  io: 0.1,
  time: 0.35,
  cpu: 0.1,
};
/**
 * What one process collects: the kinds of a phase at the same time, the phases one after the other. Starting a process and loading the
 * program takes longer
 * than most of what is measured then, so those that leave each other alone share one: blocking calls are timed while the watchdog only
 * looks out for what
 * never ends; counts and exceptions ask for no times; the clock comes after the CPU profile, which ends before it.
 */
export type Shared = readonly (readonly RunKind[])[];
/** Before all else: it tells whether the others will ever end. */
export const FIRST: Shared = [['io'], ['watch']];
/** Beside each other, as many as there are processors. */
export const BESIDE: readonly Shared[] = [[['trace']], [['counts', 'exceptions']], [['feedback']]];
/**
 * A program that is asked, and code that is compiled, take longer to start than to be counted: what V8 keeps is asked for behind the
 * counts, in the same process.
 */
export const BESIDE_OF_SLOW_STARTS: readonly Shared[] = [[['trace']], [['counts', 'exceptions'], ['feedback']]];
/**
 * It has the machine for itself, but is loaded as soon as there is a processor for it; of a program, the process of `FIRST` waits for its
 * turn.
 */
export const LAST: Shared = [['cpu'], ['time']];
/**
 * Of requests that take long (20 ms each, on average) so many are enough: they say what there is to say of blocking calls and counts, and
 * of a median.
 */
const FEW_CALLS: Readonly<Partial<Record<RunKind, number>>> = {
  // The first three are not warm, and fewer than five others say little.
  io: 8,
  watch: 8,
  trace: 16,
  counts: 5,
  exceptions: 5,
  feedback: 5,
  cpu: 5,
  time: 16,
};
/** Runs whose silence says nothing before V8 had reason to optimize. */
const PATIENT: ReadonlySet<RunKind> = new Set(['trace', 'feedback', 'watch']);
const OF_OPTIMIZING: ReadonlySet<EvidenceKind> = new Set(['inline-cache', 'deopt', 'feedback', 'bounds']);
/** Of jobs in the thread pool, a call has one or two that something else waits for. */
const ENOUGH_OF_JOBS = 5;
const OF_WATCHING: ReadonlySet<EvidenceKind> = new Set(['microtasks']);
/** What starting Node, loading the target and reading the results may take on top, in ms. */
const START_UP_MS = 5000;
/** A whole program loads more, and may wait for others, in ms. */
const PROGRAM_START_UP_MS = 10_000;
/** A loop that has not turned for so long will not: enough to be sure, short enough to wait for, in ms. */
export const ENDLESS_MS = 1000;
/** How long too few calls are waited for at least: a short budget is no reason to know nothing, in ms. */
const LEAST_PATIENCE_MS = 5000;
/** The same for the requests of a program, whose start-up has taken its time, in ms. */
const LEAST_REQUEST_PATIENCE_MS = 2000;
/** What is no patience of a larger budget, in ms: whoever gives more time wants to know, and a crowded machine needs it. */
const IMPATIENT_MS = 3000;
/** What may come on top of the budget until everything is known, where a program starts fast enough, in ms. */
const MOST_OVER_BUDGET_MS = 2500;
/**
 * What loading the program costs in the runs that come beside each other, and with V8's log or counts, in terms of its first start (Nest
 * behind tsx: 2.1 and 1.6 times the processor time of the first).
 */
const FURTHER_START_UPS = 2.5;
/** How much longer a later start may take at most, where it is bounded by the first one: V8's log, and a machine that others use, too. */
const MOST_LATER_START_UPS = 4;
/** So much of its time each run keeps, however long the program takes to start. */
const LEAST_SHARE = 0.4;
/** How many more runs are asked for than are needed: it is the counts of another process that say it. */
const NEED_MARGIN = 1.05;
/** Compiling comes on top. */
const COMPILED_FACTOR = 2;
/** What is left to a run of code that is known to be endless, beside its share, in ms. */
const ENDLESS_START_UP_MS = 2000;

/** What is known when a run is to begin. */
export interface Situation {
  hypotheses: readonly Hypothesis[];
  /** For all runs together, in ms. */
  budgetMs: number;
  /** Since all of it began, in ms. */
  elapsedMs: number;
  /** How long the program took until it could be asked, or the module until it was loaded, in ms; 0 before the first start. */
  startUpMs: number;
  /** Requests are sent to a program. */
  hasRequests: boolean;
  isCompiled: boolean;
  /** It never lets go of the event loop. */
  isEndless: boolean;
}

/** Of its time for each run: what the program takes to start is part of the budget. */
export function shareOf({ budgetMs, startUpMs }: Pick<Situation, 'budgetMs' | 'startUpMs'>): number {
  return Math.min(1, Math.max(LEAST_SHARE, (budgetMs - startUpMs * (1 + FURTHER_START_UPS)) / budgetMs));
}

/** @param share of its time that the phase has */
export function phaseOf(kinds: readonly RunKind[], share: number, situation: Situation): Phase {
  const { hypotheses, budgetMs, hasRequests, isEndless } = situation;
  const measureMs = budgetMs * share * Math.max(...kinds.map((kind) => SHARES[kind] ?? 0));
  const isWatching = kinds.includes('watch');
  const wanted = isWatching ? OF_WATCHING : OF_OPTIMIZING;
  const isPatient =
    kinds.some((kind) => PATIENT.has(kind)) && !isEndless && hypotheses.some((one) => one.kinds.some((kind) => wanted.has(kind)));
  // Without a single call a run says nothing at all.
  const patienceMs = isEndless
    ? 0
    : !isPatient
      ? LEAST_PATIENCE_MS
      : hasRequests && !isWatching
        ? requestPatience(measureMs, situation)
        : Math.max(budgetMs, LEAST_PATIENCE_MS);
  const asksPool = kinds.includes('io') && hypotheses.some(({ ruleId }) => ruleId === SATURATION);
  const leastCalls = asksPool ? ENOUGH_OF_JOBS : !isPatient ? 1 : isWatching ? ENOUGH_WATCHED : ENOUGH_RUNS;
  return {
    kinds,
    measureMs,
    patienceMs,
    leastCalls,
    ...(hasRequests && { fewCalls: Math.max(...kinds.map((kind) => FEW_CALLS[kind] ?? Infinity)) }),
  };
}

/** What is left of the time in which everything should be known. */
function requestPatience(measureMs: number, { budgetMs, elapsedMs, startUpMs }: Situation): number {
  const toCome =
    startUpMs * FURTHER_START_UPS + measureMs + budgetMs * shareOf({ budgetMs, startUpMs }) * ((SHARES.cpu ?? 0) + (SHARES.time ?? 0));
  return Math.max(LEAST_REQUEST_PATIENCE_MS, budgetMs - IMPATIENT_MS, budgetMs + MOST_OVER_BUDGET_MS - elapsedMs - toCome);
}

/** How long starting, loading and reading the results may take, in ms. */
export function startUpLimit({ startUpMs, hasRequests, isCompiled, isEndless }: Situation): number {
  if (isEndless) return Math.max(ENDLESS_START_UP_MS, startUpMs * MOST_LATER_START_UPS);
  return (hasRequests ? PROGRAM_START_UP_MS : START_UP_MS) * (isCompiled ? COMPILED_FACTOR : 1);
}

/**
 * How many calls it takes until silence of the patient runs says something; undefined where it is not known how often they come to the
 * places in question.
 * @param runsPerCall each of the places' own: none where nothing was counted
 */
export function callsNeeded(
  hypotheses: readonly Hypothesis[],
  runsPerCall: (place: Hypothesis['range']['start']) => readonly number[],
): number | undefined {
  let needed = 0;
  for (const { range, related, kinds } of hypotheses) {
    if (!kinds.some((kind) => OF_OPTIMIZING.has(kind))) continue;
    const runs = [range, ...related].flatMap(({ start }) => runsPerCall(start));
    if (runs.length === 0) return undefined;
    const most = Math.max(...runs);
    // What no call comes to is not worth waiting for.
    if (most > 0) needed = Math.max(needed, Math.ceil((ENOUGH_RUNS * NEED_MARGIN) / most));
  }
  return needed;
}
