// How long the event loop of a program was held up, beside what an idle loop of the same Node shows on the same machine.
import type { LoopDelay } from '../../protocol/evidence.ts';
import type { NodeBinary } from '../plan/node-binary.ts';
import { findBlocks, recordsOf, type RunRecord } from '../parse/records.ts';
import { runNode } from './run.ts';

/** Long enough for three hundred samples of an idle loop, in ms: the user waits for it. */
const IDLE_MS = 350;
/** What starting Node and reading the results may take on top, in ms. */
const START_UP_MS = 5000;

/**
 * p99 of an idle loop, in ms; undefined where it could not be measured. @param hold Node is started, and nothing is measured before this
 * settles
 */
export async function measureIdleFloor(
  node: NodeBinary,
  signal: AbortSignal | undefined,
  hold?: Promise<void>,
): Promise<number | undefined> {
  const idle = await runNode(
    { kind: 'idle', node, limits: { wallMs: IDLE_MS + START_UP_MS, measureMs: IDLE_MS } },
    ({ records }) => recordsOf(records, 'loop-delay').at(-1),
    { signal, hold },
  );
  return idle.ok ? idle.value?.p99 : undefined;
}

/** Of less than so much nothing can be said: a program that does its work while it is loaded has next to no event loop, in ms. */
const LEAST_WINDOW_MS = 20;

/** Of the process whose loop was held up longest; undefined where none was watched for long enough. */
export function loopDelayOf(records: readonly RunRecord[], idleFloor: number | undefined): LoopDelay | undefined {
  const [busiest] = recordsOf(records, 'loop-delay')
    .filter(({ window }) => window >= LEAST_WINDOW_MS)
    .sort((a, b) => b.max - a.max);
  if (!busiest) return undefined;
  const { resolution, p50, p90, p99, max, utilization, threshold, window, histogram } = busiest;
  return {
    resolution,
    p50,
    p90,
    p99,
    max,
    utilization,
    threshold,
    window,
    histogram,
    idleFloor: idleFloor ?? 0,
    blocks: findBlocks(records).filter((block) => !block.startUp).length,
  };
}
