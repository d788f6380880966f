// Hops to other files by which a function may come round again through Node's queues of ticks and microtasks: what it puts into a queue,
// and what it calls. A file only sees its own hops. Whether they close a round, the project graph knows.
import { isCall, isMember, memberName, parentOf, unwrap, type CallNode, type FunctionNode, type Node } from '../module/ast.ts';
import { walkWithin } from '../module/module-index.ts';
import { unitAround } from './calls.ts';
import { constantOf, numberOf } from './constants.ts';
import { conditionsOn } from './control-flow.ts';
import { iteratingCallOf } from './hotness.ts';
import type { Bindings } from './bindings.ts';
import type { ModuleIndex } from '../module/module-index.ts';
import type { ProjectImports } from './project-imports.ts';
import { findTicker, Settled, type AwaitFacts } from './awaits/resolved-awaits.ts';

export type HopKind = 'call' | 'process.nextTick' | 'queueMicrotask' | 'then' | 'awaited';

export interface QueueHop {
  kind: HopKind;
  site: CallNode;
  from: FunctionNode;
  /** For a call in an async function: the last `await` before it. */
  after?: Node;
}

/** Names of calls that may queue a function. All other calls are skipped. */
const QUEUEING: ReadonlySet<string> = new Set(['nextTick', 'queueMicrotask', 'then', 'catch', 'finally']);
const PROMISE_METHODS = /^(?:then|catch|finally)$/;

export function isQueueing(node: Node): boolean {
  if (node.type !== 'CallExpression') return false;
  const { callee } = node;
  if (callee.type === 'Identifier')
    return QUEUEING.has(callee.name) || (node.arguments.length > 0 && /tick|micro|defer/i.test(callee.name));
  return callee.type === 'MemberExpression' && callee.property.type === 'Identifier' && QUEUEING.has(callee.property.name);
}

interface HopFacts extends AwaitFacts {
  readonly module: ModuleIndex;
  readonly projectImports: ProjectImports;
}

export class QueueHops {
  readonly #facts: HopFacts;
  readonly #imports: ProjectImports;
  readonly #settled: Settled;
  readonly #waits = new Map<FunctionNode, boolean>();
  /** Async functions with an `await` that obviously waits. */
  #waiting: ReadonlySet<Node> | undefined;

  constructor(facts: HopFacts) {
    this.#facts = facts;
    this.#imports = facts.projectImports;
    // The summary of another file says whether its functions wait.
    this.#settled = new Settled(facts, (call) => this.#imports.has(call.callee));
  }

  /** A file that imports nothing from other files closes no round with them. */
  get isEmpty(): boolean {
    return this.#imports.isEmpty;
  }

  /** Whether a function really waits, or leaves control to its caller, whatever other files do. */
  waits(fn: FunctionNode): boolean {
    let waits = this.#waits.get(fn);
    if (waits === undefined) this.#waits.set(fn, (waits = this.#findWaits(fn)));
    return waits;
  }

  /** Whether an async function never waits, provided that the functions of other files that it awaits never do. */
  isSettled(fn: FunctionNode): boolean {
    return fn.async === true && !fn.generator && !this.waits(fn) && this.#settled.isSettledFunction(fn);
  }

  /** The hop that a call in a function makes: into a queue, or to another function. Undefined if it is unknown what runs. */
  hopAt(site: CallNode, from: FunctionNode): QueueHop | undefined {
    if (site.type === 'NewExpression') return undefined;
    if (isQueueing(site)) {
      const [first] = site.arguments;
      const ticker = findTicker(this.#facts, site);
      if (ticker) return first && this.#isDirect(first) && !this.waits(from) ? { kind: ticker, site, from } : undefined;
      if (this.#isSettledThen(site))
        return site.arguments.every((callback) => this.#isDirect(callback)) && !this.waits(from) ? { kind: 'then', site, from } : undefined;
    }
    if (!this.#isDirect(site.callee) || this.waits(from)) return undefined;
    return { kind: 'call', site, from, ...this.#afterAwait(site, from) };
  }

  #findWaits(fn: FunctionNode): boolean {
    if (fn.generator) return true;
    if (!fn.async) return false;
    if ((this.#waiting ??= this.#findWaiting()).has(fn)) return true;
    return this.#settled.waitsIn(fn);
  }

  /** Settles nearly every async function, before any name is resolved. */
  #findWaiting(): ReadonlySet<Node> {
    const { module } = this.#facts;
    const found = new Set<Node>();
    for (const node of module.nodes('AwaitExpression')) if (!this.#looksSettled(node.argument)) found.add(unitAround(node, module.program));
    return found;
  }

  #looksSettled(argument: Node): boolean {
    const node = unwrap(argument);
    if (isMember(node)) return false;
    if (!isCall(node)) return true;
    if (!isMember(node.callee)) return this.#mayBeOwn(node.callee);
    const object = unwrap(node.callee.object);
    if (isCall(object)) return PROMISE_METHODS.test(memberName(node.callee) ?? '') && this.#looksSettled(object);
    // Methods do not count, because a subclass may replace them.
    return object.type === 'Identifier' && (object.name === 'Promise' || this.#mayBeOwn(object));
  }

  /** Whether a name belongs to the project: it is not a package's, not a parameter and not a global. */
  #mayBeOwn(callee: Node): boolean {
    if (callee.type !== 'Identifier') return true;
    const binding = this.#facts.bindings.resolve(callee);
    if (!binding) return callee.name === 'Promise';
    return binding.kind === 'import' ? this.#imports.has(callee) : binding.kind !== 'param';
  }

  /** Whether an expression is itself one function, of this file or exported by another. */
  #isDirect(expression: Node): boolean {
    const node = unwrap(expression);
    if (node.type === 'CallExpression')
      return isMember(node.callee) && memberName(node.callee) === 'bind' && this.#isDirect(node.callee.object);
    return this.#imports.has(node) || this.#settled.directFunctions(node)?.length === 1;
  }

  #isSettledThen({ callee }: CallNode): boolean {
    if (!isMember(callee) || !PROMISE_METHODS.test(memberName(callee) ?? '')) return false;
    const object = unwrap(callee.object);
    const value = unwrap(constantOf(object, this.#facts.bindings) ?? object);
    return isCall(value) && this.#looksSettled(value) && this.#settled.isSettled(callee.object);
  }

  #afterAwait(site: Node, fn: FunctionNode): { after?: Node } {
    if (!fn.async) return {};
    const after = this.#settled.lastAwaitBefore(site, fn);
    return after ? { after } : {};
  }
}

/** What decides whether a hop runs, as plain numbers. */
export interface HopConditions {
  /** How many conditions are tested before it. */
  count: number;
  /** Whether one of the conditions rules out a round: a case of a state machine, an error, a count that is or may be small. */
  isUnfit: boolean;
  /** Runs once per child, as in a walk over a tree. It ends with the tree. */
  isWalk: boolean;
}

export function conditionsOf(facts: { readonly bindings: Bindings }, { site, from }: QueueHop): HopConditions {
  const conditions = conditionsOn(site, from);
  return {
    count: conditions.length,
    isUnfit: conditions.some((condition) => isState(condition) || mayBeShort(facts, condition)),
    isWalk: isInWalk(site, from),
  };
}

function isInWalk(site: Node, from: FunctionNode): boolean {
  for (let at = parentOf(site); at && at !== from; at = parentOf(at))
    if (at.type === 'ForOfStatement' || at.type === 'ForInStatement') return true;
  return iteratingCallOf(from) !== undefined;
}

/** A state machine or error handling: a loop in the source, but not at run time. */
export function isState(condition: Node): boolean {
  return condition.type === 'SwitchCase' || condition.type === 'CatchClause' || testsState(condition);
}

/** `event === 'finish'`, `if (error)` */
function testsState(condition: Node): boolean {
  let found = false;
  walkWithin(condition, (node) => {
    if (
      node.type === 'BinaryExpression' &&
      /^[!=]==?$/.test(node.operator) &&
      (node.left.type === 'StringLiteral' || node.right.type === 'StringLiteral') &&
      !isTypeTest(node.left) &&
      !isTypeTest(node.right)
    )
      found = true;
    if (node.type === 'Identifier' && /^(?:e|err|error|\w*Error)$/.test(node.name)) found = true;
    return !found;
  });
  return found;
}

function isTypeTest(node: Node): boolean {
  return node.type === 'UnaryExpression' && node.operator === 'typeof';
}

// A thousand empty ticks, microtasks or settled awaits took 0.03 to 0.5 ms on Node 18 to 26. That delays no timer.
export const SMALL_BOUND = 1000;

/** Whether a condition may count up to a small number. Other files may decide where the count starts, so any counter qualifies. */
function mayBeShort(facts: { readonly bindings: Bindings }, condition: Node): boolean {
  const test = unwrap(condition);
  switch (test.type) {
    case 'LogicalExpression':
      return mayBeShort(facts, test.left) || mayBeShort(facts, test.right);
    case 'UnaryExpression':
      return test.operator === '!' && mayBeShort(facts, test.argument);
    case 'BinaryExpression': {
      if (!/^(?:[<>]=?|[!=]==?)$/.test(test.operator)) return false;
      const right = numberOf(test.right, facts.bindings);
      const limit = right ?? numberOf(test.left, facts.bindings);
      return limit !== undefined && limit <= SMALL_BOUND && (limit > 0 || isCounter(facts, right === undefined ? test.right : test.left));
    }
    default:
      return isCounter(facts, test);
  }
}

/** `n++`, `n -= 1`, or passed on as `n + 1` */
function isCounter(facts: { readonly bindings: Bindings }, expression: Node): boolean {
  const node = unwrap(expression);
  if (node.type === 'UpdateExpression') return true;
  const binding = node.type === 'Identifier' ? facts.bindings.resolve(node) : undefined;
  return (
    binding !== undefined &&
    facts.bindings.references(binding).some((reference) => {
      const parent = parentOf(reference);
      if (parent?.type === 'UpdateExpression') return true;
      if (parent?.type === 'AssignmentExpression') return parent.left === reference && /^[-+]=$/.test(parent.operator);
      return parent?.type === 'BinaryExpression' && /^[-+]$/.test(parent.operator) && isCall(parentOf(parent));
    })
  );
}
