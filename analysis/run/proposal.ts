// A provisional finding: what a rule sees in one file, and what the whole project must know for it to hold. Plain data.
import type { Finding, FindingEvidence, MessageParts, ReportedSeverity } from '../../protocol/finding.ts';
import type { FunctionKey } from '../project/answers/function-answer.ts';
import type { KindsCondition } from '../rule.ts';

/** What the project must know of the function beside that a request leads there. */
export interface Need {
  /** A loop on a request's path runs it in each round; with a parameter: with another object. `{{loop}}` stands for it. */
  heat?: { parameter?: number };
  /** One of these calls, by where they start, throws. `{{name}}` stands for what is called. */
  throwing?: readonly number[];
  /**
   * In place of a request: this call, by where it starts, is a step from which functions of other files lead back. `ends`: what it comes to
   * where the data ends that.
   */
  round?: { site: number; ends: Variant };
  /**
   * In place of a request: calls of several files hand several kinds to the function. `{{odd}}`, `{{others}}` and `{{count}}` stand for
   * them.
   */
  parameterKinds?: KindsNeed;
}

export type KindsNeed = Omit<KindsCondition, 'many'> & { many?: Variant };

/** Another wording of a finding. */
export interface Variant {
  messageId: string;
  severity: ReportedSeverity;
  message: MessageParts;
  evidence?: FindingEvidence;
}

/** Plain data: it is cached with the file, and sent between threads. */
export interface Proposal {
  /** As it is where each request runs the place; `{{where}}` in its message stands for the route. */
  finding: Finding;
  /** The function that must be on a request's path. */
  fn: FunctionKey;
  /** Whether the place itself runs for the first request only. */
  isOnce: boolean;
  /** What it becomes where only the first request runs it; without this it is dropped there. */
  once?: Variant;
  needs?: Need;
  /** What it comes to where the project knows nothing of the kind. */
  otherwise?: Finding;
}
