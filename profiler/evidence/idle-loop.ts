// How long the event loop of a program was held up, beside what an idle loop of the same Node shows on the same machine.
import type { LoopDelay } from '../../protocol/evidence.ts';
import { throwNsOf } from './timing.ts';
import type { NodeBinary } from '../plan/node-binary.ts';
import { findBlocks, recordsOf, type RunRecord } from '../parse/records.ts';
import { runNode } from '../run/run.ts';

/** Long enough for three hundred samples of an idle loop, in ms: the user waits for it. */
const IDLE_MS = 350;
/** What starting Node and reading the results may take on top, in ms. */
const START_UP_MS = 5000;

/** What a process without any work tells of a Node and its machine; parts are undefined where they could not be measured. */
export interface Idle {
  /** p99 of the loop's delay, in ms. */
  floor?: number;
  /** What throwing and catching one Error takes. */
  throwNs?: ReturnType<typeof throwNsOf>;
}

/** @param hold Node is started, and nothing is measured before this settles */
export async function measureIdle(node: NodeBinary, signal: AbortSignal | undefined, hold?: Promise<void>): Promise<Idle> {
  const idle = await runNode(
    { kind: 'idle', node, limits: { wallMs: IDLE_MS + START_UP_MS, measureMs: IDLE_MS } },
    ({ records }): Idle => ({ floor: recordsOf(records, 'loop-delay').at(-1)?.p99, throwNs: throwNsOf(records) }),
    { signal, hold },
  );
  return idle.ok ? idle.value : {};
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
