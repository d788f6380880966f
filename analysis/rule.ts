// The contract between the engine and a rule. A rule declares what it is (meta) and returns listeners by node type.
import type { Attack } from '../protocol/attack.ts';
import type { EvidenceKind } from '../protocol/evidence.ts';
import type { Edit, Fix, FixKind, Finding, MessageParts, RefusedFix, Related, Severity, Span } from '../protocol/finding.ts';
import type { DeploymentFile, DeploymentProject, ProjectInfo } from '../protocol/project.ts';
import type { FunctionNode, Node, NodeOfType, NodeType } from './module/ast.ts';
import type { Facts } from './facts/index.ts';
import type { Source } from './module/source.ts';

export type RuleGroup = 'event-loop' | 'v8' | 'config' | 'api';

/**
 * How the claim is backed: `measured` by a run of the rule's own oracle, `documented` by Node or V8, or `heuristic` if neither covers every
 * case and only a profile can tell.
 */
export type Proof = 'measured' | 'documented' | 'heuristic';

export interface OptionSpec<T = unknown> {
  type: 'boolean' | 'number' | 'string' | 'string[]';
  default: T;
  description: string;
  /** For numbers: the inclusive minimum. */
  minimum?: number;
  /** For strings: the values allowed. */
  values?: readonly string[];
}

export type OptionSpecs<O> = { readonly [K in keyof O]: OptionSpec<O[K]> };

export interface RuleMeta<M extends string = string, O extends object = object> {
  /** The same as the folder name. */
  id: string;
  group: RuleGroup;
  /** One sentence without a full stop at the end: README row, settings text. */
  summary: string;
  /** Default severity. A report may have another one (`Problem.severity`). */
  severity: Exclude<Severity, 'off'>;
  /** The severities that some of its reports have instead, for the README. Those of predictions follow from `isPrediction`. */
  otherSeverities?: readonly Exclude<Severity, 'off'>[];
  /**
   * Whether the source alone cannot tell what the problem costs. Reports are then hints, except those that set a severity, until a run has
   * measured the cost.
   */
  isPrediction?: true;
  proof: Proof;
  /** Semver range of the Node versions for which the claim holds. The rule is silent on projects that only run on others. */
  nodeRange: string;
  /** The strongest kind of fix that the rule offers. */
  fix: FixKind | 'none';
  /** `{{name}}` is replaced by the value of that name in a report's data. */
  messages: Readonly<Record<M, MessageParts>>;
  /** Whether the rule only reports on request paths, and in files that may register handlers. It skips all other files. */
  forRequestsOnly?: true;
  /** The option with which it reports elsewhere, too. */
  unlessOption?: string;
  options: OptionSpecs<O>;
  /** The evidence that confirms the claim, the strongest first. `messages`: only for these, if the rule makes several claims. */
  confirmedBy: readonly { kind: EvidenceKind; expect: string; messages?: readonly string[] }[];
}

export interface Problem<M extends string = string> {
  /** A node, or a span for a part of a node. */
  at: Node | Span;
  messageId: M;
  data?: Record<string, string | number>;
  related?: readonly Related[];
  /** Overrides the rule's severity. A severity that the user set is the maximum. */
  severity?: Exclude<Severity, 'off'>;
  fixes?: readonly Fix[];
  refused?: readonly RefusedFix[];
  /**
   * Computes `fixes` and `refused` on demand, if that is costly. Nobody looks at fixes while typing, and a fix costs more than its finding.
   * The rest of the finding must not depend on it.
   */
  repair?(): Repair;
  /** A text on which the code takes long, for a run to try. */
  attack?: Attack;
  functionName?: string;
  route?: string;
  /**
   * Set if the problem only holds on a request path. The project graph then provides the path, the route, `{{where}}`, and `{{stands}}`.
   */
  request?: RequestCondition<M>;
  /** Whether no request runs it, but who uses the package. */
  isForCallers?: true;
  /**
   * Whether it is not shown as a hint, unless a run has confirmed it or the user set the severity of the rule: readers of unseen
   * applications found such hints right, and acted on none (bench/unseen-applications.md).
   */
  isForRuns?: boolean;
  /** Reported instead if the project does not know what `request` needs. */
  otherwise?: Problem<M>;
}

export interface RequestCondition<M extends string = string> {
  /** The place that a request must run. */
  at: Node;
  /** Set if only other files can show that the call (`at`) is a blocking function of a package, or a line of a log that is off. */
  isUnproven?: boolean;
  /** Set if the place only runs where a file of its package makes a global of `require`. */
  needsRequire?: boolean;
  /** Whether the place itself runs for the first request only. */
  isOnce: boolean;
  /**
   * The severity of a warning where the platform sends this process one request at a time (AWS Lambda): nobody else waits. A hint is
   * dropped there.
   */
  alone?: Exclude<Severity, 'off'>;
  /** Whether a hint is reported where only administrators wait, and in the background; or only in the background, too. */
  listsAll?: true | 'background';
  /** Whether a fix saves microseconds, so that none is offered where only administrators or timers lead. */
  isShort?: boolean;
  /** Reported if only the first request runs the place. Without it, nothing is reported then. */
  once?: { messageId: M; severity: Exclude<Severity, 'off'>; data?: Record<string, string | number>; isForRuns?: boolean };
  /**
   * Set if the request must run the function in each iteration of a loop. `parameter`: with another object for it. The project provides
   * `{{loop}}`.
   */
  heat?: { parameter?: number };
  /** Set if this parameter of the function around `at` must get what a request or message brought. The project provides `{{sent}}`. */
  sent?: { parameter: number };
  /**
   * Set if nothing is to be reported, neither this nor `otherwise`, where entry points lead to the package, and none to the function around
   * `at`. `hint`: only a hint without fixes, because a timer may run it. Alone, it is set instead of a request. It says nothing of code
   * outside of functions.
   */
  unlessOffPath?: true | 'hint';
  /**
   * The function that makes what the place changes, if it must outlive requests. Nothing is reported if a request leads there, too: then
   * each has its own.
   */
  keeper?: FunctionNode | undefined;
  /** The function with the loop that repeats the place, if it is another one: a request must lead there, and the path to it is told. */
  loopIn?: FunctionNode | undefined;
  /** Set if one of these calls must throw, wherever its callee is. The project provides `{{name}}`. */
  throwing?: readonly Node[];
  /** Set if this call must send a query each time, in a function of another file. The project provides `{{remedy}}`. */
  querying?: Node;
  /** As `querying`, for a call that must take a connection, a process, or a file. `{{remedy}}` is which. */
  taking?: Node;
  /**
   * Set if the function must resolve a field of a type of GraphQL that another field returns a list of. The project provides `{{field}}`
   * and `{{lister}}`.
   */
  isOfElement?: boolean;
  /**
   * Set instead of a request: only some runs of a command, or none of a serverless function, may use this package that the file loads at
   * once. `cache`: the file must be a command that needs such packages and has no code cache. The project provides `{{command}}`, and
   * `{{packages}}`.
   */
  start?: string | { cache: true };
  /**
   * Set instead of a request: calls in several files must pass several kinds to a parameter of the function around `at`. The project
   * provides `{{odd}}`, `{{others}}` and `{{count}}`.
   */
  parameterKinds?: KindsCondition<M>;
  /**
   * Set instead of a request: the call (`at`) must be a hop from which functions of other files lead back here. `ends`: reported if the
   * data ends that round.
   */
  round?: { ends: { messageId: M; severity: Exclude<Severity, 'off'>; data?: Record<string, string | number> } };
}

export interface KindsCondition<M extends string = string> {
  parameter: number;
  /** What the place depends on: types of values, or shapes of objects. */
  family: 'types' | 'shapes';
  /** Whether the place itself is in a hot loop. */
  isHot: boolean;
  /** For `+`: the parameter on the other side. If it is always a string, the result is one, whatever is added. */
  other?: number;
  /** The minimum number of kinds to report. */
  minimum: number;
  /** Reported if the place becomes megamorphic. */
  many?: { messageId: M; severity: Exclude<Severity, 'off'>; data?: Record<string, string | number> };
}

/** Fixes, and the reasons why obvious fixes are not offered. */
export interface Repair {
  fixes: readonly Fix[];
  refused: readonly RefusedFix[];
}

export interface RuleContext<M extends string = string, O extends object = object> {
  /** Absolute path of the file. */
  readonly file: string;
  readonly source: Source;
  readonly facts: Facts;
  readonly options: Readonly<O>;
  readonly project: ProjectInfo;
  /** Whether the range includes a Node version of the project. */
  runsOn(range: string): boolean;
  /** Whether the project may know the argument kinds of a function. If it does not, nothing needs to be proposed. */
  hasArgumentKinds(fn: FunctionNode): boolean;
  report(problem: Problem<M>): void;
}

/** Called once per node of the type, in source order. A subtree cannot be skipped, because that would hide nodes from other rules. */
export type Listeners = { readonly [T in NodeType]?: (node: NodeOfType<T>) => void };

export interface DeploymentContext<M extends string = string, O extends object = object> {
  readonly project: DeploymentProject;
  readonly options: Readonly<O>;
  runsOn(range: string): boolean;
  report(problem: Omit<Problem<M>, 'at'> & { file: DeploymentFile; at: Span }): void;
}

export interface Rule<M extends string = string, O extends object = object> {
  readonly meta: RuleMeta<M, O>;
  /** Checks one JavaScript or TypeScript module. */
  create?(context: RuleContext<M, O>): Listeners;
  /** Checks how a project is started: package.json scripts, Dockerfile, compose, PM2, … */
  checkDeployment?(context: DeploymentContext<M, O>): void;
}

/** Any rule, its own message ids and options forgotten. */
// eslint-style registries hold rules of different option types; the run decodes options from meta before it calls a rule.
export type AnyRule = {
  readonly meta: RuleMeta;
  create?(context: RuleContext): Listeners;
  checkDeployment?(context: DeploymentContext): void;
};

/** Types a rule and freezes its metadata. */
export function defineRule<M extends string, O extends object = Record<never, never>>(rule: Rule<M, O>): AnyRule {
  Object.freeze(rule.meta);
  return rule as unknown as AnyRule;
}

export type { Edit, Fix, FixKind, Finding, RefusedFix, Related, Span, Severity };
