// A route under load: one server that only clocks watch, for the figures, and a second one that is watched for causes, because looking for
// them slows it down.
import type { LoadReport } from '../../protocol/load.ts';
import { recordsOf } from '../parse/records.ts';
import { percent } from '../judge/words.ts';
import { machineOf } from '../run/machine.ts';
import { causesOf, generatorOf, isMachineBusy, limitOf, othersBusy, processesOf, trafficOf, whyNoResult } from './judge.ts';
import { serveUnderLoad, type Load, type LoadedProgram, type ServedOptions } from './served.ts';

export interface LoadRequest {
  program: LoadedProgram;
  /** As a person writes it. */
  command: string;
  load: Load;
  /** ISO 8601, UTC. */
  date: string;
  /** Told before each of the two servers is started. */
  progress?(step: 'figures' | 'causes'): void;
  signal?: AbortSignal;
  tempFolder?: string;
  listenMs?: number;
}

export type LoadOutcome = { ok: true; report: LoadReport } | { ok: false; reason: string; aborted: boolean };

/** Causes show themselves sooner than figures get narrow, in ms. */
const MOST_CAUSES_MS = 5000;

export async function measureLoad(request: LoadRequest): Promise<LoadOutcome> {
  const { program, command, load, date, progress, signal, tempFolder, listenMs } = request;
  const options: ServedOptions = { diagnoses: false, signal, tempFolder, listenMs };
  progress?.('figures');
  const measured = await serveUnderLoad(program, load, options);
  if (!measured.ok) return measured;
  const traffic = trafficOf(measured.result);
  const processes = processesOf(measured.records);
  const generator = generatorOf(measured.result);
  const others = othersBusy(measured.result, measured.records);
  const noResult = whyNoResult(traffic, measured.died);
  const problems = [...new Set(recordsOf(measured.records, 'problem').map(({ text }) => text))];
  if (noResult === undefined && processes.length === 0)
    problems.push('The server did not say how it fared: its event loop did not turn to the end of the measured time.');
  const limit = noResult === undefined ? limitOf(processes, generator, load.rate, traffic.perSecond) : undefined;
  if (load.rate !== undefined && limit !== undefined && limit !== 'rate')
    problems.push(
      `${load.rate} requests/s were asked for, and ${traffic.perSecond.toFixed(traffic.perSecond < 100 ? 1 : 0)} were answered. Latencies are counted from when a request was due.`,
    );
  progress?.('causes');
  const watched = await serveUnderLoad(
    program,
    { ...load, measureMs: Math.min(load.measureMs, MOST_CAUSES_MS) },
    { ...options, diagnoses: true },
  );
  if (!watched.ok && watched.aborted) return watched;
  const causes = watched.ok ? causesOf(watched.records) : undefined;
  if (!watched.ok) problems.push(`Causes were not found out: ${watched.reason}`);
  else if (!causes && noResult === undefined)
    problems.push('Causes were not found out: the server that was watched for them answered no request.');
  if (measured.leftBehind > 0)
    problems.push(
      `The program left ${measured.leftBehind} ${measured.leftBehind === 1 ? 'process' : 'processes'} behind, which Nodometer ended.`,
    );
  const isBusy = isMachineBusy(processes, generator, others);
  return {
    ok: true,
    report: {
      machine: machineOf(program.node),
      date,
      command,
      request: load.request,
      connections: load.connections,
      ...(load.rate !== undefined && { rate: load.rate }),
      traffic,
      ...(limit && { limit }),
      generator,
      othersBusy: others,
      isMachineBusy: isBusy,
      processes,
      ...(causes && { causes }),
      ...(noResult !== undefined && { noResult }),
      problems: isBusy ? [...problems, busySentence(processes, generator)] : problems,
    },
  };
}

function busySentence(processes: LoadReport['processes'], generator: LoadReport['generator']): string {
  const waited = Math.max(...processes.map(({ waitedShare }) => waitedShare), 0);
  const who =
    waited >= generator.waitedShare
      ? `the server waited ${percent(waited)} of the time for a processor`
      : `the load generator waited ${percent(generator.waitedShare)} of the time for a processor`;
  return `The machine was too busy for these figures: ${generator.waitedShare + waited > 0 ? who : 'other programs took half a processor or more'}. Close other programs, and measure again.`;
}
