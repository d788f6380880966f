// The time of two or more variants of the same thing, each in fresh processes, in turns: A B B A A B B A, so that what changes on the
// machine meanwhile meets all of them. One process gives one figure. Within a process everything is alike (where objects lie, what was
// compiled when), so that its own samples say nothing of what the next process will show.
import { allThrew, callProblems } from '../evidence/call-problems.ts';
import { timingOf } from '../evidence/timing.ts';
import type { NodeBinary } from '../plan/node-binary.ts';
import type { Loading, ModuleFormat, Replacement, ServedProgram } from '../plan/plan.ts';
import { runNode } from '../run/run.ts';

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
}

/** What is compared: the figure of a round is the weighted sum of what its processes say. */
export interface Variant {
  processes: readonly { process: TimedProcess; weight: number }[];
}

export interface InTurnsOptions {
  /** Figures for each variant. */
  rounds: number;
  /** How long one process measures, in ms. */
  measureMs: number;
  readOnly?: boolean;
  env?: Readonly<Record<string, string | undefined>>;
  signal?: AbortSignal;
  /** Told before each process. */
  progress?(done: number, total: number): void;
}

export type InTurnsOutcome =
  /** ns per call: for each variant one figure a round. */
  | { ok: true; figures: readonly (readonly number[])[] }
  /** `reason` is a sentence. */
  | { ok: false; reason: string; variant: number; aborted: boolean };

/** Beside measuring: starting Node and loading the program, in ms. */
const START_UP_MS = 10_000;
const MOST_RETRIES = 2;

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
        let one = await timeOf(process, options);
        // A machine that stood still for a moment leaves a process without a single sample.
        for (let again = 0; again < MOST_RETRIES && one.ok && one.ns === undefined; again += 1) one = await timeOf(process, options);
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

async function timeOf(
  { node, file, text, calls, program, format, loading, replacements }: TimedProcess,
  { measureMs, readOnly, env, signal }: InTurnsOptions,
): Promise<{ ok: true; ns: number | undefined } | { ok: false; reason: string }> {
  const outcome = await runNode(
    {
      kind: 'time',
      node,
      target: program
        ? { type: 'file', file: program.entry, arguments: [], requests: program.requests }
        : { type: 'function', file, calls, text, format },
      cwd: program?.cwd,
      flags: program?.flags,
      loading,
      replacements,
      readOnly,
      env: { ...program?.env, ...env },
      limits: { wallMs: START_UP_MS + 4 * measureMs, measureMs },
    },
    ({ records }) => ({ ns: timingOf(records)?.median, inVain: allThrew(records) ? callProblems(records, calls)[0] : undefined }),
    { signal },
  );
  if (!outcome.ok) return outcome;
  // The time of throwing says nothing of the function.
  return outcome.value.inVain === undefined ? { ok: true, ns: outcome.value.ns } : { ok: false, reason: outcome.value.inVain };
}
