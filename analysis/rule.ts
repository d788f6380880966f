// The contract between the engine and a rule. A rule declares what it is (meta) and returns listeners by node type.
import type { EvidenceKind } from '../protocol/evidence.ts';
import type { Edit, Fix, FixKind, Finding, MessageParts, RefusedFix, Related, Severity, Span } from '../protocol/finding.ts';
import type { DeploymentFile, DeploymentProject, ProjectInfo } from '../protocol/project.ts';
import type { FunctionNode, Node, NodeOfType, NodeType } from './module/ast.ts';
import type { Facts } from './facts/index.ts';
import type { Source } from './module/source.ts';

export type RuleGroup = 'event-loop' | 'v8' | 'config' | 'api';

/**
 * How the claim is backed: `measured` by a run of the rule's own oracle, `documented` by Node or V8,
 * `heuristic` when neither holds for every case and only a profile can tell.
 */
export type Proof = 'measured' | 'documented' | 'heuristic';

export interface OptionSpec<T = unknown> {
  type: 'boolean' | 'number' | 'string' | 'string[]';
  default: T;
  description: string;
  /** For numbers: inclusive lowest value. */
  minimum?: number;
  /** For strings: the values allowed. */
  values?: readonly string[];
}

export type OptionSpecs<O> = { readonly [K in keyof O]: OptionSpec<O[K]> };

export interface RuleMeta<M extends string = string, O extends object = object> {
  /** Equals the folder's name. */
  id: string;
  group: RuleGroup;
  /** One sentence without a full stop at the end: README row, settings text. */
  summary: string;
  /** Default severity; a single report may be lower (`hint`) where the rule is less sure. */
  severity: Exclude<Severity, 'off'>;
  proof: Proof;
  /** Semver range of Node versions where the claim holds; the rule is silent on projects that never run there. */
  nodeRange: string;
  /** The strongest kind of fix that the rule offers. */
  fix: FixKind | 'none';
  /** `{{name}}` takes the value of that name from a report's data. */
  messages: Readonly<Record<M, MessageParts>>;
  /** Whether nothing is reported but on requests' paths, and in files that may register handlers: all others need not be looked at. */
  forRequestsOnly?: true;
  options: OptionSpecs<O>;
  /** Which evidence speaks for the claim, the most telling first; `messages`: only for these, where the rule has several claims. */
  confirmedBy: readonly { kind: EvidenceKind; expect: string; messages?: readonly string[] }[];
}

export interface Problem<M extends string = string> {
  /** A node, or a span where a part of a node is meant. */
  at: Node | Span;
  messageId: M;
  data?: Record<string, string | number>;
  related?: readonly Related[];
  /** Lower or higher than the rule's severity; a user's explicit setting caps it. */
  severity?: Exclude<Severity, 'off'>;
  fixes?: readonly Fix[];
  refused?: readonly RefusedFix[];
  /**
   * In place of these two where fixes are work: asked only when somebody wants to see it: while a person types nobody does, and a fix costs
   * more than the
   * finding. Nothing that is said of the finding may hang on it.
   */
  repair?(): Repair;
  functionName?: string;
  route?: string;
  /** Set where the problem only holds on a request's path: the project's graph then gives the path, the route and `{{where}}`. */
  request?: RequestCondition<M>;
  /** What is reported where the project knows nothing of the kind that `request` asks for. */
  otherwise?: Problem<M>;
}

export interface RequestCondition<M extends string = string> {
  /** The place that a request must run. */
  at: Node;
  /** Set where only other files can tell that the call (`at`) is a package's blocking function. */
  isUnproven?: boolean;
  /** Whether the place itself runs for the first request only. */
  isOnce: boolean;
  /** What is reported where only the first request runs it; nothing without this. */
  once?: { messageId: M; severity: Exclude<Severity, 'off'>; data?: Record<string, string | number> };
  /**
   * Set where the request must run the function in each round of a loop; `parameter`: with another object for it. The project gives
   * `{{loop}}`.
   */
  heat?: { parameter?: number };
  /** Set where one of these calls must throw, wherever what they call stands. The project gives `{{name}}`. */
  throwing?: readonly Node[];
  /**
   * Set in place of a request: calls of several files must hand several kinds to a parameter of the function (`at` stands in it). The
   * project gives `{{odd}}`, `{{others}}` and `{{count}}`.
   */
  parameterKinds?: KindsCondition<M>;
  /**
   * Set in place of a request: the call (`at`) must be a step from which functions of other files lead back here; `ends`: what is reported
   * where the data ends that.
   */
  round?: { ends: { messageId: M; severity: Exclude<Severity, 'off'>; data?: Record<string, string | number> } };
}

export interface KindsCondition<M extends string = string> {
  parameter: number;
  /** What the place tells apart: types of values, or shapes of objects. */
  family: 'types' | 'shapes';
  /** Whether the place goes round often by itself. */
  isHot: boolean;
  /** For `+`: the parameter that is added to; where that is always a text, one more text is made of whatever comes. */
  other?: number;
  /** Fewest kinds that are reported. */
  minimum: number;
  /** What is reported where V8 gives up on the place. */
  many?: { messageId: M; severity: Exclude<Severity, 'off'>; data?: Record<string, string | number> };
}

/** Fixes, and why a fix that suggests itself is not offered. */
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
  /** Whether some Node version of the project lies in the range. */
  runsOn(range: string): boolean;
  /** Whether the project may have something to say of what a function is handed: where it is known not to, nothing needs to be proposed. */
  hasArgumentKinds(fn: FunctionNode): boolean;
  report(problem: Problem<M>): void;
}

/** Called once per node of the type, in source order. There is no way to skip a subtree: that would hide nodes from other rules. */
export type Listeners = { readonly [T in NodeType]?: (node: NodeOfType<T>) => void };

export interface DeploymentContext<M extends string = string, O extends object = object> {
  readonly project: DeploymentProject;
  readonly options: Readonly<O>;
  runsOn(range: string): boolean;
  report(problem: Omit<Problem<M>, 'at'> & { file: DeploymentFile; at: Span }): void;
}

export interface Rule<M extends string = string, O extends object = object> {
  readonly meta: RuleMeta<M, O>;
  /** Looks at one JavaScript or TypeScript module. */
  create?(context: RuleContext<M, O>): Listeners;
  /** Looks at how a project is started: package.json scripts, Dockerfile, compose, PM2, … */
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
