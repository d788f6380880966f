// The same calls on several Nodes, in turns.
import type { NodeBinary } from '../plan/node-binary.ts';
import { PROCESS_MS, SERVER_MS } from './versions.ts';
import { timeInTurns, type InTurnsOptions, type TimedProcess } from './in-turns.ts';

/** Of each Node: enough for an interval of 99.7 % that one process alone does not widen. */
const ROUNDS = 8;

/** ns per call or request, one figure of each process, by the Node's version; empty where one of them could not be timed. */
export async function timeOnNodes(
  process: Omit<TimedProcess, 'node'>,
  nodes: readonly NodeBinary[],
  options: Pick<InTurnsOptions, 'readOnly' | 'signal' | 'progress'>,
): Promise<ReadonlyMap<string, readonly number[]>> {
  if (nodes.length < 2) return new Map();
  const outcome = await timeInTurns(
    nodes.map((node) => ({ processes: [{ process: { ...process, node }, weight: 1 }] })),
    { ...options, rounds: ROUNDS, measureMs: process.program ? SERVER_MS : PROCESS_MS },
  );
  return new Map(outcome.ok ? nodes.map((node, i) => [node.version, outcome.figures[i] ?? []]) : []);
}
