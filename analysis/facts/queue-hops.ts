// The steps by which a function may come round again through Node's queues of ticks and microtasks, where they lead to other files: what it
// puts into a queue, and what
// it calls. One file sees its own steps only; whether they close a circle, the project's graph knows.
import {
  endOf,
  isCall,
  isFunction,
  isMember,
  memberName,
  parentOf,
  startOf,
  unwrap,
  type CallNode,
  type FunctionNode,
  type Node,
} from '../module/ast.ts';
import { walkWithin } from '../module/module-index.ts';
import { unitAround } from './calls.ts';
import { constantOf, numberOf } from './constants.ts';
import { conditionsOn } from './control-flow.ts';
import { iteratingCallOf } from './hotness.ts';
import type { Facts } from './index.ts';
import type { ProjectImports } from './project-imports.ts';
import { findTicker, Settled } from './resolved-awaits.ts';

export type HopKind = 'call' | 'process.nextTick' | 'queueMicrotask' | 'then' | 'awaited';

export interface QueueHop {
  kind: HopKind;
  site: CallNode;
  from: FunctionNode;
  /** For a call in an async function: the last `await` before it. */
  after?: Node;
}

/** Names of calls that may queue a function; everything else is passed over unread. */
const QUEUEING: ReadonlySet<string> = new Set(['nextTick', 'queueMicrotask', 'then', 'catch', 'finally']);
const PROMISE_METHODS = /^(?:then|catch|finally)$/;

export function isQueueing(node: Node): boolean {
  if (node.type !== 'CallExpression') return false;
  const { callee } = node;
  if (callee.type === 'Identifier')
    return QUEUEING.has(callee.name) || (node.arguments.length > 0 && /tick|micro|defer/i.test(callee.name));
  return callee.type === 'MemberExpression' && callee.property.type === 'Identifier' && QUEUEING.has(callee.property.name);
}

export class QueueHops {
  readonly #facts: Facts;
  readonly #imports: ProjectImports;
  readonly #settled: Settled;
  readonly #waits = new Map<FunctionNode, boolean>();
  /** Async functions with an `await` that waits at first sight. */
  #waiting: ReadonlySet<Node> | undefined;

  constructor(facts: Facts) {
    this.#facts = facts;
    this.#imports = facts.projectImports;
    // What a function of another file does while it is awaited, its own summary says.
    this.#settled = new Settled(facts, (call) => this.#imports.has(call.callee));
  }

  /** A file that takes nothing from another closes no circle with it. */
  get isEmpty(): boolean {
    return this.#imports.isEmpty;
  }

  /** Whether a function waits for something real, or gives its caller the say, whatever other files do. */
  waits(fn: FunctionNode): boolean {
    let waits = this.#waits.get(fn);
    if (waits === undefined) this.#waits.set(fn, (waits = this.#findWaits(fn)));
    return waits;
  }

  /** Whether an async function is done without having waited, if the other files' functions that it awaits are. */
  isSettled(fn: FunctionNode): boolean {
    return fn.async === true && !fn.generator && !this.waits(fn) && this.#settled.isSettledFunction(fn);
  }

  /** The step that a call in a function is: into a queue, or to another function; undefined where it is not known what runs. */
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

  /** Nearly every async function ends here, before any name is resolved. */
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
    // Methods are not looked into: a subclass may replace them.
    return object.type === 'Identifier' && (object.name === 'Promise' || this.#mayBeOwn(object));
  }

  /** Whether a name is one of the project's: neither a package's, nor a parameter, nor a global. */
  #mayBeOwn(callee: Node): boolean {
    if (callee.type !== 'Identifier') return true;
    const binding = this.#facts.bindings.resolve(callee);
    if (!binding) return callee.name === 'Promise';
    return binding.kind === 'import' ? this.#imports.has(callee) : binding.kind !== 'param';
  }

  /** Whether an expression is one function by itself: of this file, or what another exports. */
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
    let after: Node | undefined;
    walkWithin(fn.body, (node) => {
      if (isFunction(node)) return false;
      if (node.type === 'AwaitExpression' && endOf(node) <= startOf(site)) after = node;
      return true;
    });
    return after ? { after } : {};
  }
}

/** What decides whether a step is made, for those who have nothing but numbers. */
export interface HopConditions {
  /** How many questions are asked before it. */
  count: number;
  /** Whether one of them says that this is no round of a loop: a case of a state machine, an error, a count that is or may be small. */
  isUnfit: boolean;
  /** Made once per child, as in a walk over a tree: that ends with the tree. */
  isWalk: boolean;
}

export function conditionsOf(facts: Facts, { site, from }: QueueHop): HopConditions {
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

/** A state machine or the handling of an error: it comes back to itself in the source and not at run time. */
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

// A thousand empty ticks, microtasks or settled awaits took 0.03 to 0.5 ms on Node 18 to 26: no timer is late for that.
export const SMALL_BOUND = 1000;

/** Whether a condition may count to a small number: where a count starts, other files may say, so that any counter does. */
function mayBeShort(facts: Facts, condition: Node): boolean {
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
function isCounter(facts: Facts, expression: Node): boolean {
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
