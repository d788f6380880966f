// What a run sees and no rule predicted.
import type { Cost, SourcePlace } from './cost.ts';

/**
 * What a run sees and no rule may have predicted.
 * - `block`: the event loop could not go on.
 * - `blocking-call`: a synchronous call of Node.js.
 * - `large-json`: `JSON.parse` or `JSON.stringify` of a large text.
 * - `exceptions`: thrown so often that throwing them takes time.
 * - `ready-values`: `for await` over values that are ready.
 * - `class-per-call`: a class that is made anew in each call.
 * - `deopt-loop`: code that V8 optimizes and deoptimizes again and again.
 */
export const SEEN_KINDS = ['block', 'blocking-call', 'large-json', 'exceptions', 'ready-values', 'class-per-call', 'deopt-loop'] as const;
export type SeenKind = (typeof SEEN_KINDS)[number];

/** As people read them. */
export const SEEN_WORDS: Readonly<Record<SeenKind, string>> = {
  block: 'event loop blocked',
  'blocking-call': 'blocking call',
  'large-json': 'large JSON',
  exceptions: 'exceptions',
  'ready-values': 'waiting for ready values',
  'class-per-call': 'class created per call',
  'deopt-loop': 'repeated deoptimization',
};

/** A cost that a run measured at a place that no rule reports for it. It is a finding of the run, and belongs to no rule. */
export interface SeenByRun {
  kind: SeenKind;
  place: SourcePlace;
  /** One line with the figure: `JSON.parse: 0.42 ms per request (31 %)`. */
  figure: string;
  /** What it rests on, in full sentences. */
  grounds: readonly string[];
  /** What to do about it, one sentence. */
  remedy: string;
  cost: Cost;
}

/** What a run saw and no rule predicted. */
export interface Unpredicted {
  /** With a measured cost, the largest first. */
  findings: readonly SeenByRun[];
  /** Sentences about what may cost something, and whose cost was not measured. */
  remarks: readonly { place: SourcePlace; text: string }[];
}

/** What of a report tells whether it saw anything. */
interface SeenParts {
  unpredicted?: Unpredicted | undefined;
  blocks: readonly unknown[];
  syncCalls: readonly unknown[];
  exceptions: readonly unknown[];
  mapEvents: readonly unknown[];
  deopts: readonly { benign: boolean }[];
  inlineCaches: readonly { state: string }[];
}

/** How many costs were measured that no rule predicted. */
export function costsSeen({ unpredicted }: Pick<SeenParts, 'unpredicted'>): number {
  return unpredicted?.findings.length ?? 0;
}

/** Whether the run saw anything that may cost time, whatever the rules reported. */
export function sawAnything({ unpredicted, blocks, syncCalls, exceptions, deopts, inlineCaches, mapEvents }: SeenParts): boolean {
  const hasUnpredicted = unpredicted !== undefined && unpredicted.findings.length + unpredicted.remarks.length > 0;
  return (
    hasUnpredicted ||
    [blocks, syncCalls, exceptions, mapEvents].some((list) => list.length > 0) ||
    deopts.some(({ benign }) => !benign) ||
    inlineCaches.some(({ state }) => state === 'megamorphic')
  );
}
