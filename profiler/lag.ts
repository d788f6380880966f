// Measures how long a program holds its event loop up: delay, utilization, the longest blocks with the code that caused them, garbage
// collection apart.
import type { LagReport, LoopBlock, LoopDelay } from '../protocol/evidence.ts';
import { loopDelayOf, measureIdle } from './evidence/idle-loop.ts';
import { machineOf } from './run/machine.ts';
import type { NodeBinary } from './plan/node-binary.ts';
import type { Target } from './plan/plan.ts';
import { findBlocks, recordsOf, type RunRecord } from './parse/records.ts';
import { loaderRemedy } from './run/failure.ts';
import { runNode } from './run/run.ts';

export interface LagRequest {
  node: NodeBinary;
  target: Target & { type: 'file' | 'command' };
  /** How long the program is watched, in ms; one that ends earlier is watched to its end. */
  measureMs: number;
  /** Blocks shorter than this are not reported, in ms. */
  thresholdMs: number;
  /** As a person writes it. */
  command: string;
  /** ISO 8601, UTC. */
  date: string;
  cwd: string;
  /** Under Node's permission model: reads files, writes none, starts nothing. */
  readOnly?: boolean;
  /** Called before each of the two runs. */
  progress?(kind: 'idle' | 'watch'): void;
  signal?: AbortSignal;
}

export type LagOutcome = { ok: true; report: LagReport } | { ok: false; reason: string; aborted: boolean };

const START_UP_MS = 5000;
/**
 * The loop has not turned in all of the time, and not for so long: it will not, in ms. A program may wait for another for seconds
 * (`spawnSync`).
 */
const LEAST_ENDLESS_MS = 3000;

export async function measureLag({
  node,
  target,
  measureMs,
  thresholdMs,
  command,
  date,
  cwd,
  readOnly,
  progress,
  signal,
}: LagRequest): Promise<LagOutcome> {
  progress?.('idle');
  const { floor: idleFloor } = await measureIdle(node, signal);
  progress?.('watch');
  const watched = await runNode(
    {
      kind: 'watch',
      node,
      target,
      cwd,
      readOnly,
      thresholdMs,
      endlessMs: Math.max(LEAST_ENDLESS_MS, measureMs),
      limits: { wallMs: measureMs + START_UP_MS, measureMs },
    },
    ({ records }) => records,
    { signal },
  );
  if (signal?.aborted) return { ok: false, reason: 'Stopped.', aborted: true };
  const records: readonly RunRecord[] = watched.value ?? [];
  const delay = loopDelayOf(records, idleFloor);
  const blocks = findBlocks(records);
  if (!delay && blocks.length === 0 && !watched.ok) {
    const thrown = recordsOf(records, 'failure')[0]?.error;
    const remedy = thrown && target.type === 'file' ? loaderRemedy(target.file, thrown, node.version) : '';
    return { ok: false, reason: `${watched.reason}${remedy}`, aborted: false };
  }
  const problems = recordsOf(records, 'problem').map(({ text }) => text);
  if (!watched.ok && watched.kind !== 'endless') problems.push(watched.reason);
  // A program that ends at once blocks nobody: that is an answer, and no error.
  if (!delay && !blocks.some(({ endless }) => endless))
    problems.push(
      'The program ended before its event loop had run long enough to measure the delay. What it did while loading is no delay.',
    );
  if (idleFloor === undefined) problems.push('An idle event loop could not be measured for comparison.');
  const longestFirst = [...blocks].sort((a, b) => b.duration - a.duration);
  const plain = ({ duration, kind, stack, endless, isCut, call }: LoopBlock): LoopBlock => ({
    duration,
    kind,
    stack,
    endless,
    ...(isCut === undefined ? {} : { isCut }),
    ...(call === undefined ? {} : { call }),
  });
  const whole: LoopDelay = {
    resolution: 0,
    p50: 0,
    p90: 0,
    p99: 0,
    max: 0,
    utilization: 1,
    threshold: thresholdMs,
    window: 0,
    histogram: [],
    idleFloor: idleFloor ?? 0,
    blocks: blocks.filter((block) => !block.startUp).length,
  };
  return {
    ok: true,
    report: {
      machine: machineOf(node),
      command,
      date,
      delay: delay ?? whole,
      // One that start-up never came out of is no start-up.
      blocks: longestFirst.filter(({ startUp, endless }) => !startUp || endless).map(plain),
      startUpBlocks: longestFirst.filter(({ startUp, endless }) => startUp && !endless).map(plain),
      gc: recordsOf(records, 'gc').at(-1) ?? { count: 0, totalMs: 0, maxMs: 0 },
      stdout: watched.stdout.text,
      stderr: watched.stderr.text,
      exitCode: watched.exitCode,
      problems,
    },
  };
}
