// The time of two or more variants of the same thing, each in fresh processes, in turns: A B B A A B B A, so that what changes on the
// machine meanwhile meets all of them. One process gives one figure. Within a process everything is alike (where objects lie, what was
// compiled when), so that its own samples say nothing of what the next process will show.
import { vainReason } from '../evidence/call-problems.ts';
import { timingOf } from '../evidence/timing.ts';
import { recordsOf, requestsIn, type RequestSummary } from '../parse/records.ts';
import type { NodeBinary } from '../plan/node-binary.ts';
import type { ModuleFormat } from '../plan/module-format.ts';
import type { Loading, Replacement, ServedProgram, Target } from '../plan/plan.ts';
import { lastWords } from '../run/failure.ts';
import { runNode } from '../run/run.ts';

/** A file or an npm script that runs to its end. Its figure is the time from its start to its exit. */
export interface TimedProgram {
  node: NodeBinary;
  target: Target & { type: 'file' | 'command' };
  cwd: string;
}

/** One function and its calls, as they run in one process. */
export interface TimedProcess {
  node: NodeBinary;
  /** Absolute. */
  file: string;
  /** JavaScript that stands in for the file, with the calls behind it. */
  text: string;
  calls: readonly string[];
  /** Asked in place of the calls. */
  program?: ServedProgram;
  format?: ModuleFormat;
  loading?: Loading;
  replacements?: readonly Replacement[];
  /** V8 compiles beside the program, as it does without us. What it compiles again and again would else cost many times as much. */
  isConcurrent?: boolean;
}

/** What is compared: the figure of a round is the weighted sum of what its processes say. */
export interface Variant {
  processes: readonly { process: TimedProcess | TimedProgram; weight: number }[];
}

export interface InTurnsOptions {
  /** Figures for each variant. */
  rounds: number;
  /** How long one process measures, in ms; within it, a program has to end. */
  measureMs: number;
  readOnly?: boolean;
  env?: Readonly<Record<string, string | undefined>>;
  signal?: AbortSignal;
  /** Called before each process. */
  progress?(done: number, total: number): void;
}

export type InTurnsOutcome =
  /** ns per call, request or run: for each variant one figure a round. */
  | { ok: true; figures: readonly (readonly number[])[] }
  /** `reason` is a sentence. */
  | { ok: false; reason: string; variant: number; aborted: boolean };

/** Beside measuring: starting Node and loading the program, in ms. */
const START_UP_MS = 10_000;
/**
 * What a request may take, in ms: four times as long, it is late (harness/requester.cjs). The first one of a long input runs before V8 has
 * optimized its code: one that took 50 ms later was given up after 500 ms on a machine that worked on something else, too.
 */
const USUAL_MS = 500;
const LATE_MS = 4 * USUAL_MS;
const LEAST_REQUESTS = 5;
const MOST_RETRIES = 2;
/** The same code from the same calls on: a compiler thread that waits for a crowded machine would come later, or not at all. */
const STEADY_FLAGS = ['--no-concurrent-recompilation'];
const MS_PER_S = 1000;
const NS_PER_MS = 1e6;

export async function timeInTurns(variants: readonly Variant[], options: InTurnsOptions): Promise<InTurnsOutcome> {
  const { rounds, signal, progress } = options;
  const figures = variants.map((): number[] => []);
  const total = rounds * variants.reduce((sum, { processes }) => sum + processes.length, 0);
  let done = 0;
  for (let round = 0; round < rounds; round += 1) {
    const order = [...variants.keys()];
    if (round % 2 === 1) order.reverse();
    for (const index of order) {
      let figure = 0;
      for (const { process, weight } of variants[index]?.processes ?? []) {
        progress?.(done, total);
        const timed = () => ('target' in process ? timeOfProgram(process, options) : timeOf(process, options));
        let one = await timed();
        // A machine that stood still for a moment leaves a process without a single sample.
        for (let again = 0; again < MOST_RETRIES && one.ok && one.ns === undefined; again += 1) one = await timed();
        if (!one.ok) return { ok: false, reason: one.reason, variant: index, aborted: signal?.aborted ?? false };
        if (one.ns === undefined) return { ok: false, reason: 'The process measured no call.', variant: index, aborted: false };
        figure += one.ns * weight;
        done += 1;
      }
      figures[index]?.push(figure);
    }
  }
  return { ok: true, figures };
}

async function timeOfProgram(
  { node, target, cwd }: TimedProgram,
  { measureMs, readOnly, env, signal }: InTurnsOptions,
): Promise<{ ok: true; ns: number } | { ok: false; reason: string }> {
  const limits = { wallMs: START_UP_MS + measureMs, measureMs };
  const outcome = await runNode({ kind: 'time', node, target, cwd, readOnly, env, limits }, () => undefined, { signal });
  if (!outcome.ok) return outcome;
  if (outcome.endedBy !== 'exit')
    return {
      ok: false,
      reason: `The program did not end within ${measureMs / MS_PER_S} s. A server has no end: compare one of its routes.`,
    };
  if (outcome.exitCode !== 0)
    return { ok: false, reason: `The program exited with code ${outcome.exitCode}${lastWords(outcome.stderr.text)}.` };
  return { ok: true, ns: outcome.elapsedMs * NS_PER_MS };
}

async function timeOf(
  process: TimedProcess,
  options: InTurnsOptions,
): Promise<{ ok: true; ns: number | undefined } | { ok: false; reason: string }> {
  return runOnce(process, options);
}

/** A request that was not answered as it should be. */
export interface Refusal {
  /** A sentence without its full stop. */
  reason: string;
  /** The server says so, by a status or by closing the connection: it was not just slow. */
  isRefusal: boolean;
}

export type OnceOutcome =
  /**
   * ns: per call or request; and of each of them the fastest one, because what else runs on the machine delays a short request by several
   * times what it takes.
   */
  { ok: true; ns: number | undefined; fastest: readonly number[]; refusals: readonly Refusal[] } | { ok: false; reason: string };

/** One process. */
export async function runOnce(
  { node, file, text, calls, program, format, loading, replacements, isConcurrent }: TimedProcess,
  { measureMs, readOnly, env, signal }: Omit<InTurnsOptions, 'rounds'>,
): Promise<OnceOutcome> {
  const outcome = await runNode(
    {
      kind: 'time',
      node,
      target: program
        ? { type: 'file', file: program.entry, arguments: program.arguments ?? [], requests: program.requests }
        : { type: 'function', file, calls, text, format },
      cwd: program?.cwd,
      flags: program ? program.flags : isConcurrent ? [] : STEADY_FLAGS,
      loading,
      replacements,
      readOnly,
      env: { ...program?.env, ...env },
      usualMs: USUAL_MS,
      limits: {
        wallMs: START_UP_MS + 4 * measureMs + (program ? LATE_MS : 0),
        measureMs,
        ...(program && { patienceMs: LATE_MS }),
      },
      // The fastest of one or two would be that of cold code.
      ...(program && { leastCalls: LEAST_REQUESTS }),
    },
    ({ records }) => {
      const timing = timingOf(records);
      return {
        ns: timing?.median,
        fastest: recordsOf(records, 'timing').flatMap(({ samples, overhead }) =>
          samples.length > 0 ? [Math.min(...samples) - overhead] : [],
        ),
        refusals: requestsIn(records).flatMap((one) => refusalOf(one) ?? []),
        inVain: vainReason(records, calls),
      };
    },
    { signal },
  );
  if (!outcome.ok) return outcome;
  const { inVain, ...found } = outcome.value;
  // The time of throwing says nothing of the function.
  return inVain === undefined ? { ok: true, ...found } : { ok: false, reason: `${inVain}.` };
}

const FIRST_ERROR_STATUS = 400;
/** Fewer than these among the answers are the application's own business. */
const TELLING_SHARE = 0.1;
/** A text in a query may be very long. */
const MOST_SHOWN = 80;

function refusalOf({ request, sent, statuses, errors }: RequestSummary): Refusal | undefined {
  const name = request.length > MOST_SHOWN ? `${request.slice(0, MOST_SHOWN)}…` : request;
  const [status] = Object.entries(statuses).find(([code, n]) => Number(code) >= FIRST_ERROR_STATUS && n >= sent * TELLING_SHARE) ?? [];
  if (status !== undefined) return { reason: `\`${name}\` returned status ${status}`, isRefusal: true };
  const [error] = Object.entries(errors).find(([, n]) => n >= sent * TELLING_SHARE) ?? [];
  if (error === undefined) return undefined;
  return error === 'no answer'
    ? { reason: `\`${name}\` got no response in time`, isRefusal: false }
    : { reason: `\`${name}\` failed (${error})`, isRefusal: true };
}
