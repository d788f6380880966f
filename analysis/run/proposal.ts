// A provisional finding: what a rule sees in one file, and what the whole project must know for it to hold. Plain data.
import type { Finding, FindingEvidence, MessageParts, ReportedSeverity } from '../../protocol/finding.ts';
import type { FunctionKey } from '../project/answers/function-answer.ts';
import type { KindsCondition } from '../rule.ts';

/** What the project must know of the function, besides a request path to it. */
export interface Need {
  /** A loop on a request path runs it in each iteration; with a parameter: with another object. Provides `{{loop}}`. */
  heat?: { parameter?: number };
  /** This parameter of the function gets what a request or message brought. Provides `{{sent}}`. */
  sent?: { parameter: number };
  /** One of these calls, by start offset, throws. Provides `{{name}}`, the callee. */
  throwing?: readonly number[];
  /** This call, by start offset, runs a function that sends a query each time. Provides `{{remedy}}`. */
  querying?: number;
  /** As `querying`, for a connection, a process, or a file. */
  taking?: number;
  /**
   * The function resolves a field of a type of GraphQL that another field returns a list of. Provides `{{field}}` and `{{lister}}`.
   */
  element?: true;
  /**
   * Instead of a request: this call, by start offset, is a hop from which functions of other files lead back. `ends`: reported if the data
   * ends that round.
   */
  round?: { site: number; ends: Variant };
  /** Instead of a request: the package is loaded too early, or no code cache is used. Of the file, not of a function. */
  start?: string | { cache: true };
  /** Both findings are dropped if entry points lead to the package and none to the function. Alone: no request is needed. */
  unlessOffPath?: true | 'hint';
  /** Instead of a request: calls in several files pass several kinds to the function. Provides `{{odd}}`, `{{others}}` and `{{count}}`. */
  parameterKinds?: KindsNeed;
}

export type KindsNeed = Omit<KindsCondition, 'many'> & { many?: Variant };

/** Another message for a finding. */
export interface Variant {
  messageId: string;
  severity: ReportedSeverity;
  message: MessageParts;
  isForRuns?: true;
  evidence?: FindingEvidence;
}

/** Plain data: it is cached with the file and sent between threads. */
export interface Proposal {
  /** The finding if each request runs the place. `{{where}}` in its message stands for the route, `{{stands}}` for what waits. */
  finding: Finding;
  /** The function that must be on a request path. */
  fn: FunctionKey;
  /** Whether the place itself runs for the first request only. */
  isOnce: boolean;
  /** Set if the place only runs where a file of its package makes a global of `require`. */
  needsRequire?: true;
  /** Set if it runs once because its function is passed to a memoizer, which calls it later. */
  isMemoized?: true;
  /** Whether the place itself is in a branch of its function. */
  isConditional: boolean;
  /** The severity of a warning where only invocations lead there: the platform sends the process one at a time. A hint is dropped there. */
  alone?: ReportedSeverity;
  /** Whether a hint is kept where only administrators wait, and in the background; or only in the background, too. */
  listsAll?: true | 'background';
  /** Set if a fix saves microseconds, so that none is offered where only administrators or timers lead. */
  isShort?: true;
  /** The finding if only the first request runs it; `{{standsAtFirst}}` for what waits. Without it, the finding is dropped then. */
  once?: Variant;
  needs?: Need;
  /** Nothing is reported if a request leads to this function, too, unless it is the first one only. */
  keeper?: FunctionKey;
  /** The function with the loop that repeats the place, if it is another one. A request must lead there. */
  loopIn?: FunctionKey;
  /** The finding if the project does not know what is needed. */
  otherwise?: Finding;
}

/** The functions of its file whose answers decide. */
export function functionsAsked({ fn, keeper, loopIn }: Proposal): readonly FunctionKey[] {
  return [fn, keeper, loopIn].filter((one) => one !== undefined);
}
