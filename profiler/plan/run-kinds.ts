// The kinds of runs in relation to what a verdict asks for, and to what a person reads.
import type { NodeBinary } from './node-binary.ts';
import { isAllowed, type RunKind } from './plan.ts';
import type { EvidenceKind } from '../../protocol/evidence.ts';

export const RUN_OF: Readonly<Record<EvidenceKind, RunKind>> = {
  'inline-cache': 'trace',
  deopt: 'trace',
  'map-transition': 'trace',
  feedback: 'feedback',
  bounds: 'trace',
  elements: 'trace',
  retained: 'retained',
  runs: 'counts',
  'sync-io': 'io',
  exceptions: 'exceptions',
  microtasks: 'watch',
  'loop-delay': 'watch',
  load: 'watch',
  time: 'time',
};

export const KIND_WORDS: Readonly<Record<RunKind, string>> = {
  trace: 'V8 optimizations',
  feedback: 'type feedback',
  time: 'execution time',
  io: 'blocking calls',
  exceptions: 'exceptions',
  watch: 'event loop',
  idle: 'idle event loop',
  counts: 'execution counts',
  cpu: 'CPU usage',
  load: 'behavior under load',
  retained: 'what stays in memory',
};

/** `V8 optimizations, execution counts, and execution time` */
export function wordsOf(kinds: readonly RunKind[]): string {
  const words = kinds.map((kind) => KIND_WORDS[kind]);
  return words.length > 1 ? `${words.slice(0, -1).join(', ')}${words.length > 2 ? ',' : ''} and ${words.at(-1)}` : words.join();
}

/** Which runs there cannot be under the permission model of this Node, as a sentence. */
export function leftOutProblems(node: NodeBinary, readOnly: boolean | undefined): string[] {
  if (isAllowed('counts', node, readOnly)) return [];
  return [
    `Under its permission model, Node ${node.version} does not allow the inspector (Node 24 does). Execution counts, exceptions, and event loop blocks were not measured. Findings that depend on them are not refuted.`,
  ];
}
