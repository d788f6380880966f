// Measures how long a program holds its event loop up: delay, utilisation, the longest blocks with the code that caused them, garbage collection apart.
import { cpus } from 'node:os';
import type { GcTime, LoopBlock, LoopDelay, RunMachine } from '../protocol/evidence.ts';
import type { NodeBinary } from './node-binary.ts';
import type { Target } from './plan.ts';
import { findBlocks, recordsOf, type RunRecord } from './records.ts';
import { runNode } from './run.ts';

export interface LagRequest {
  node: NodeBinary;
  target: Target & { type: 'file' | 'command' };
  /** How long the program is watched, in ms; one that ends earlier is watched to its end. */
  measureMs: number;
  /** Blocks shorter than this are not told, in ms. */
  thresholdMs: number;
  cwd: string;
  signal?: AbortSignal;
}

export interface LagReport {
  machine: RunMachine;
  delay: LoopDelay;
  /** The longest first. */
  blocks: readonly LoopBlock[];
  /** Blocks while the program was being loaded, which no request waits for. */
  startUpBlocks: readonly LoopBlock[];
  gc: GcTime;
  /** What the program wrote, as far as it was kept. */
  stdout: string;
  stderr: string;
  exitCode: number | null;
  /** Sentences about what could not be measured. */
  problems: readonly string[];
}

export type LagOutcome = { ok: true; report: LagReport } | { ok: false; reason: string; aborted: boolean };

/** Long enough for some hundred samples of an idle loop, in ms. */
const IDLE_MS = 800;
const START_UP_MS = 5000;
/** The loop has not turned for so long: it will not, in ms. */
const ENDLESS_MS = 3000;

export async function measureLag({ node, target, measureMs, thresholdMs, cwd, signal }: LagRequest): Promise<LagOutcome> {
  const idle = await runNode({ kind: 'idle', node, limits: { wallMs: IDLE_MS + START_UP_MS, measureMs: IDLE_MS } }, ({ records }) => recordsOf(records, 'loop-delay').at(-1), { signal });
  const watched = await runNode(
    { kind: 'watch', node, target, cwd, thresholdMs, endlessMs: ENDLESS_MS, limits: { wallMs: measureMs + START_UP_MS, measureMs } },
    ({ records }) => records,
    { signal },
  );
  if (signal?.aborted) return { ok: false, reason: 'Stopped.', aborted: true };
  const records: readonly RunRecord[] = watched.value ?? [];
  const delay = busiest(records);
  const blocks = findBlocks(records);
  if (!delay && blocks.length === 0) return { ok: false, reason: watched.ok ? 'The program ended before its event loop was watched.' : watched.reason, aborted: false };
  const problems = recordsOf(records, 'problem').map(({ text }) => text);
  if (!watched.ok && watched.kind !== 'endless') problems.push(watched.reason);
  if (!idle.ok || !idle.value) problems.push('An idle event loop could not be measured for comparison.');
  const longestFirst = [...blocks].sort((a, b) => b.duration - a.duration);
  const plain = ({ duration, kind, stack, endless }: LoopBlock): LoopBlock => ({ duration, kind, stack, endless });
  const whole = { resolution: 0, p50: 0, p90: 0, p99: 0, max: 0, utilization: 1, threshold: thresholdMs, window: 0 };
  const { resolution, p50, p90, p99, max, utilization, threshold, window } = delay ?? whole;
  return {
    ok: true,
    report: {
      machine: { node: node.version, v8: node.v8, platform: `${node.platform} ${node.arch}`, cpu: cpus()[0]?.model ?? 'unknown', cores: cpus().length },
      delay: { resolution, p50, p90, p99, max, utilization, threshold, window, idleFloor: idle.value?.p99 ?? 0, blocks: blocks.filter((block) => !block.startUp).length },
      blocks: longestFirst.filter((block) => !block.startUp).map(plain),
      startUpBlocks: longestFirst.filter((block) => block.startUp).map(plain),
      gc: recordsOf(records, 'gc').at(-1) ?? { count: 0, totalMs: 0, maxMs: 0 },
      stdout: watched.stdout.text, stderr: watched.stderr.text, exitCode: watched.exitCode,
      problems,
    },
  };
}

/** A script may start several processes: the one whose loop was held up longest is told. */
function busiest(records: readonly RunRecord[]) {
  return [...recordsOf(records, 'loop-delay')].sort((a, b) => b.max - a.max)[0];
}
