// Versions of a server under the same load, each in fresh processes, in turns: A B B A, or A B C C B A. One process gives one figure.
import type { LoadDifference, LoadSweep } from '../../protocol/load.ts';
import { judgeLoad, judgeSweep, type LoadFigure } from './difference.ts';
import { generatorOf, isMachineBusy, limitOf, othersBusy, processesOf, trafficOf, whyNoResult } from './judge.ts';
import { serveUnderLoad, type Load, type LoadedProgram } from './served.ts';

export interface LoadedVersion {
  /** As people call it. */
  name: string;
  program: LoadedProgram;
}

export interface CompareLoadOptions {
  load: Load;
  /** Processes of each side. */
  rounds: number;
  /** As a share. */
  tolerance: number;
  signal?: AbortSignal;
  tempFolder?: string;
  listenMs?: number;
  /** Told before each process. */
  progress?(done: number, total: number): void;
}

interface Failure {
  ok: false;
  /** A sentence. */
  reason: string;
  aborted: boolean;
}
export type CompareLoadOutcome = { ok: true; difference: LoadDifference } | Failure;
export type SweepLoadOutcome = { ok: true; sweep: LoadSweep } | Failure;

export async function compareUnderLoad(
  first: LoadedVersion,
  second: LoadedVersion,
  options: CompareLoadOptions,
): Promise<CompareLoadOutcome> {
  const outcome = await loadInTurns([first, second], options);
  if (!outcome.ok) return outcome;
  const [a, b] = outcome.sides;
  if (!a || !b) throw new Error('A comparison has two sides.');
  return { ok: true, difference: judgeLoad(a, b, figureKind(options.load), options.tolerance) };
}

/** @param versions three or more, in the order of what is varied */
export async function sweepUnderLoad(versions: readonly LoadedVersion[], options: CompareLoadOptions): Promise<SweepLoadOutcome> {
  const outcome = await loadInTurns(versions, options);
  return outcome.ok ? { ok: true, sweep: judgeSweep(outcome.sides, figureKind(options.load), options.tolerance) } : outcome;
}

const figureKind = ({ rate }: Load): LoadDifference['figure'] => (rate === undefined ? 'rate' : 'p99');

type Side = LoadedVersion & { figures: LoadFigure[] };

async function loadInTurns(
  versions: readonly LoadedVersion[],
  options: CompareLoadOptions,
): Promise<{ ok: true; sides: readonly Side[] } | Failure> {
  const { rounds, progress } = options;
  const sides = versions.map((version): Side => ({ ...version, figures: [] }));
  let done = 0;
  for (let round = 0; round < rounds; round += 1) {
    for (const side of round % 2 === 0 ? sides : [...sides].reverse()) {
      progress?.(done, rounds * sides.length);
      const outcome = await figureOf(side.program, options);
      if (!outcome.ok) return { ...outcome, reason: `${side.name}: ${outcome.reason}` };
      side.figures.push(outcome.figure);
      done += 1;
    }
  }
  return { ok: true, sides };
}

async function figureOf(
  program: LoadedProgram,
  { load, signal, tempFolder, listenMs }: CompareLoadOptions,
): Promise<{ ok: true; figure: LoadFigure } | Failure> {
  const outcome = await serveUnderLoad(program, load, { diagnoses: false, signal, tempFolder, listenMs });
  if (!outcome.ok) return outcome;
  const traffic = trafficOf(outcome.result);
  const noResult = whyNoResult(traffic, outcome.died);
  if (noResult !== undefined) return { ok: false, reason: noResult, aborted: false };
  const processes = processesOf(outcome.records);
  const generator = generatorOf(outcome.result);
  const limit = limitOf(processes, generator, load.rate, traffic.perSecond);
  const at = (share: number): number => traffic.latency.percentiles.find(({ percent }) => percent === share)?.ms ?? traffic.latency.max;
  return {
    ok: true,
    figure: {
      perSecond: traffic.perSecond,
      p50: at(50),
      p99: at(99),
      isGeneratorFull: limit === 'generator' || limit === 'both',
      isMachineBusy: isMachineBusy(processes, generator, othersBusy(outcome.result, outcome.records)),
    },
  };
}
