// The time of two or more variants of the same thing, each in fresh processes, in turns: A B B A A B B A, so that what changes on the
// machine meanwhile meets all of them. One process gives one figure. Within a process everything is alike (where objects lie, what was
// compiled when), so that its own samples say nothing of what the next process will show.
import { timingOf } from '../evidence/timing.ts';
import type { NodeBinary } from '../plan/node-binary.ts';
import type { Loading, ModuleFormat, Replacement } from '../plan/plan.ts';
import { runNode } from '../run/run.ts';

/** One function and its calls, as they run in one process. */
export interface TimedProcess {
  node: NodeBinary;
  /** Absolute. */
  file: string;
  /** JavaScript that stands in for the file, with the calls behind it. */
  text: string;
  calls: readonly string[];
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
        const one = await timeOf(process, options);
        if (!one.ok) return { ok: false, reason: one.reason, variant: index, aborted: signal?.aborted ?? false };
        figure += one.ns * weight;
        done += 1;
      }
      figures[index]?.push(figure);
    }
  }
  return { ok: true, figures };
}

async function timeOf(
  { node, file, text, calls, format, loading, replacements }: TimedProcess,
  { measureMs, readOnly, env, signal }: InTurnsOptions,
): Promise<{ ok: true; ns: number } | { ok: false; reason: string }> {
  const outcome = await runNode(
    {
      kind: 'time',
      node,
      target: { type: 'function', file, calls, text, format },
      loading,
      replacements,
      readOnly,
      env,
      limits: { wallMs: START_UP_MS + 4 * measureMs, measureMs },
    },
    ({ records }) => timingOf(records)?.median,
    { signal },
  );
  if (!outcome.ok) return outcome;
  return outcome.value === undefined ? { ok: false, reason: 'The process measured no call.' } : { ok: true, ns: outcome.value };
}
