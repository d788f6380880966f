// Two versions of the same code, as a person asks for them.
import type { Difference } from '../../protocol/evidence.ts';
import { judgeDifference } from './difference.ts';
import { timeInTurns, type InTurnsOptions, type TimedProcess, type TimedProgram } from './in-turns.ts';

/** A process measures for so long, in ms: long enough for V8 to optimize, short enough for many of them. */
export const PROCESS_MS = 400;
/** Requests take longer than calls, and their server longer to start. */
export const SERVER_MS = 1500;
/** Nobody waits for 12 runs of a longer program, in ms. */
const PROGRAM_MS = 60_000;

export interface Version {
  /** As people call it. */
  name: string;
  process: TimedProcess | TimedProgram;
}

export type VersionsOutcome = { ok: true; difference: Difference } | { ok: false; reason: string; aborted: boolean };

/** @param tolerance a share of the first's time: a smaller difference is none */
export async function compareVersions(
  first: Version,
  second: Version,
  { tolerance, ...options }: Omit<InTurnsOptions, 'measureMs'> & { tolerance: number },
): Promise<VersionsOutcome> {
  const per = unitOf(first.process);
  const outcome = await timeInTurns(
    [first, second].map(({ process }) => ({ processes: [{ process, weight: 1 }] })),
    { ...options, measureMs: LASTS[per] },
  );
  if (!outcome.ok)
    return { ok: false, reason: `${(outcome.variant === 0 ? first : second).name}: ${outcome.reason}`, aborted: outcome.aborted };
  const [a = [], b = []] = outcome.figures;
  const difference = judgeDifference({ name: first.name, figures: a }, { name: second.name, figures: b }, per, tolerance);
  return { ok: true, difference };
}

const LASTS: Readonly<Record<Difference['per'], number>> = { call: PROCESS_MS, request: SERVER_MS, run: PROGRAM_MS };

function unitOf(process: TimedProcess | TimedProgram): Difference['per'] {
  if ('target' in process) return 'run';
  return process.program ? 'request' : 'call';
}
