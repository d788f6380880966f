// What a rule says about a place in a file, as plain JSON: the terminal, the language server and the profiler all read this.
import type { Attack } from './attack.ts';
import type { Cost, VerdictKind } from './evidence.ts';
import type { RetainedRate } from './retained.ts';

/** `off` silences a rule; `hint` never changes an exit code. */
export type Severity = 'off' | 'hint' | 'warning' | 'error';
export const SEVERITIES: readonly Severity[] = ['off', 'hint', 'warning', 'error'];
export type ReportedSeverity = Exclude<Severity, 'off'>;

/** Half-open range of UTF-16 code units in one file's text, as JavaScript strings count them. */
export interface Span {
  start: number;
  end: number;
}

/** A second place that explains the finding: one step of a call path, another shape at the same call site. */
export interface Related {
  /** Absolute path; absent when it is the finding's own file. */
  file?: string;
  span: Span;
  message: string;
}

export interface Edit extends Span {
  text: string;
}

/**
 * `safe` keeps behavior and may be applied unseen (`--fix`, fix on save);
 * `suggestion` is offered one at a time, because its author must look at it.
 */
export type FixKind = 'safe' | 'suggestion';

/**
 * Suggestions whose result depends on more than the code (files that may change, keys that others list, shells) or looks worse than what a
 * maintainer would write. Fixing in bulk leaves them out
 * unless they are named (`--fix-kind`).
 */
export const NAMED_FIXES = [
  'startup-read',
  'first-read',
  'undefined-field',
  'initial-field',
  'start-script',
  'parallel-calls',
  'child-process',
  'nested-try',
  'message-order',
] as const;
export type NamedFix = (typeof NAMED_FIXES)[number];

export interface Fix {
  title: string;
  kind: FixKind;
  named?: NamedFix;
  /** What it costs or saves, as measured on a small server (`npm run oracles -- --fixes`). */
  cost?: string;
  /** Non-overlapping, all in the finding's own file. */
  edits: readonly Edit[];
  /** What the fix holds for: that nothing but a framework calls these functions of the file. Never in a finding that is reported. */
  unlessCalled?: FunctionCondition;
  /** What the fix holds for: that whoever calls these async functions of the file waits for them. Never in a finding that is reported. */
  unlessDropped?: FunctionCondition;
  /** Instead of the fix where a test of the package replaces functions of `fs`. Never in a finding that is reported. */
  unlessMocked?: RefusedFix;
  /** Instead of the fix where another file of the package writes files of one of these names. Never in a finding that is reported. */
  unlessWritten?: { names: readonly string[]; refused: RefusedFix };
}

/** The title as a user sees it: with what the fix costs, where that was measured. */
export function titleWithCost({ title, cost }: Pick<Fix, 'title' | 'cost'>): string {
  return cost === undefined ? title : `${title} [${cost}]`;
}

export interface FunctionCondition {
  /** Start offsets, with the numbers in the file's summary where functions are numbered. */
  functions: readonly { start: number; number?: number }[];
  /** Instead of the fix where the project does not show it. */
  refused: RefusedFix;
}

/** A fix that the reader would expect, and why it is not offered here. */
export interface RefusedFix {
  title: string;
  reason: string;
  /** Whether it is because of callers, of which the whole project may tell more than the file. */
  acrossFiles?: boolean;
}

/** The three parts of every message: what happens, why it costs, what to do about it. */
export interface MessageParts {
  what: string;
  why: string;
  remedy: string;
}

/** The verdict of a profile that was kept, as far as it still counts. */
export interface FindingEvidence {
  verdict: VerdictKind;
  /** One line with the figure. */
  figure: string;
  /** What it costs, where that was measured. */
  cost?: Cost;
  /** What stays of each call or request, where that was counted. */
  retained?: RetainedRate;
  /** Version of the Node that ran it. */
  node: string;
  /** ISO 8601, UTC. */
  date: string;
  /** The code has changed since: the verdict is about what stood there then. */
  stale: boolean;
}

export interface Finding {
  ruleId: string;
  messageId: string;
  severity: ReportedSeverity;
  message: MessageParts;
  data: Readonly<Record<string, string>>;
  /** Absolute path. */
  file: string;
  span: Span;
  related: readonly Related[];
  fixes: readonly Fix[];
  refused: readonly RefusedFix[];
  /** Name of the function that the place belongs to, when it has one. */
  functionName?: string;
  /** The route as a person writes it, e.g. `GET /users/:id`, when it is known. */
  route?: string;
  /** The routes that lead to the place, 1,000 at most, `route` first; absent where it is the only one. */
  routes?: readonly string[];
  /** A text on which the code takes long, for a run to try. */
  attack?: Attack;
  /** No request leads there: whoever uses the package runs it. */
  isForCallers?: true;
  /** A hint that nobody acts on before a run has measured its cost: claimed to the profiler, and shown once a run has confirmed it. */
  isForRuns?: true;
  /** What a run of the profiler said of it. */
  evidence?: FindingEvidence;
}
