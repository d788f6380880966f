// The kinds of runs in relation to what a verdict asks for, and to what a person reads.
import type { NodeBinary } from './node-binary.ts';
import { isAllowed, type RunKind } from './plan.ts';
import type { EvidenceKind } from '../judge/verdict.ts';

export const RUN_OF: Readonly<Record<EvidenceKind, RunKind>> = {
  'inline-cache': 'trace',
  deopt: 'trace',
  'map-transition': 'trace',
  feedback: 'feedback',
  bounds: 'trace',
  elements: 'trace',
  runs: 'counts',
  'sync-io': 'io',
  exceptions: 'exceptions',
  microtasks: 'watch',
  'loop-delay': 'watch',
  load: 'watch',
  time: 'time',
};

export const KIND_WORDS: Readonly<Record<RunKind, string>> = {
  trace: "V8's log",
  feedback: 'operators and calls',
  time: 'the time',
  io: 'blocking calls',
  exceptions: 'exceptions',
  watch: 'the event loop',
  idle: 'the idle event loop',
  counts: 'the counts',
  cpu: 'the CPU profile',
};

/** `V8's log, the counts and the time` */
export function wordsOf(kinds: readonly RunKind[]): string {
  const words = kinds.map((kind) => KIND_WORDS[kind]);
  return words.length > 1 ? `${words.slice(0, -1).join(', ')} and ${words.at(-1)}` : words.join();
}

/** Which runs there cannot be under the permission model of this Node, as a sentence. */
export function leftOutProblems(node: NodeBinary, readOnly: boolean | undefined): string[] {
  if (isAllowed('counts', node, readOnly)) return [];
  return [
    `Under its permission model, Node ${node.version} gives no access to the inspector (Node 24 can): it was not seen how often each place ran, what was thrown, and what held the event loop up. What was not seen is not refuted.`,
  ];
}
