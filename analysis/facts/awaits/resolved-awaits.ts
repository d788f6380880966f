// Values that can be awaited without the event loop turning. Everything unknown counts as real I/O.
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
  type t,
} from '../../module/ast.ts';
import { constantOf } from '../constants.ts';
import type { Bindings } from '../bindings.ts';
import type { Calls } from '../calls.ts';
import type { Origins } from '../origins.ts';
import { firstFrom } from '../../module/group-by.ts';
import { walkWithin } from '../../module/module-index.ts';

// The longest chain of functions and values to follow.
const MAX_STEPS = 8;
// How many values to visit for one lookup. Promises that settle with each other have billions of paths.
const MAX_VISITS = 1000;

/** Built-in functions that never return a promise. */
const PLAIN_GLOBALS =
  /^(?:Math\.\w+|JSON\.(?:parse|stringify)|Object\.(?:keys|values|entries|assign|freeze|fromEntries)|Array\.(?:from|of|isArray)|Date\.now|performance\.now|Number|String|Boolean|BigInt|Symbol|parseInt|parseFloat|Number\.\w+|String\.\w+|console\.\w+|process\.(?:hrtime|uptime|memoryUsage|cwd))$/;

const MICROTASKS: readonly string[] = ['process.nextTick', 'queueMicrotask'];

/** The facts that tell whether a value is there already. */
export interface AwaitFacts {
  readonly bindings: Bindings;
  readonly origins: Origins;
  readonly calls: Calls;
}

/** Whether a call puts a function into the queue of ticks or of microtasks. */
export function findTicker(facts: Pick<AwaitFacts, 'origins'>, call: CallNode): 'process.nextTick' | 'queueMicrotask' | undefined {
  const callee = unwrap(call.callee);
  const name = callee.type === 'Identifier' ? callee.name : isMember(callee) ? memberName(callee) : undefined;
  if (name === undefined || call.type === 'NewExpression') return undefined;
  return MICROTASKS.find((dotted) => facts.origins.isGlobal(callee, dotted)) as 'process.nextTick' | 'queueMicrotask' | undefined;
}

export class Settled {
  readonly #facts: AwaitFacts;
  readonly #functions = new Map<FunctionNode, boolean>();
  /** In source order. */
  readonly #awaits = new Map<FunctionNode, readonly Node[]>();
  readonly #isTrusted: (call: t.CallExpression) => boolean;
  /** Values visited since the outermost lookup. */
  #visits = 0;
  #isVisiting = false;

  /** `isTrusted`: calls assumed not to wait, for example because another file decides that. */
  constructor(facts: AwaitFacts, isTrusted: (call: t.CallExpression) => boolean = () => false) {
    this.#facts = facts;
    this.#isTrusted = isTrusted;
  }

  /** The last `await` of a function that has ended before a place. */
  lastAwaitBefore(place: Node, fn: FunctionNode): Node | undefined {
    let awaits = this.#awaits.get(fn);
    if (!awaits) {
      const found: Node[] = [];
      walkWithin(fn.body, (node) => {
        if (isFunction(node)) return false;
        if (node.type === 'AwaitExpression') found.push(node);
        return true;
      });
      this.#awaits.set(fn, (awaits = found));
    }
    // Those between, if any, are around the place.
    for (let i = firstFrom(awaits, startOf(place)) - 1; i >= 0; i--) if (endOf(awaits[i] as Node) <= startOf(place)) return awaits[i];
    return undefined;
  }

  /** Whether awaiting the value never waits for a timer, for I/O or for anything outside this file. */
  isSettled(expression: Node, steps = 0): boolean {
    if (this.#isVisiting) return this.#isSettled(expression, steps);
    this.#visits = 0;
    this.#isVisiting = true;
    try {
      return this.#isSettled(expression, steps);
    } finally {
      this.#isVisiting = false;
    }
  }

  #isSettled(expression: Node, steps: number): boolean {
    if (steps > MAX_STEPS || ++this.#visits > MAX_VISITS) return false;
    const node = unwrap(expression);
    switch (node.type) {
      case 'NullLiteral':
      case 'NumericLiteral':
      case 'StringLiteral':
      case 'BooleanLiteral':
      case 'BigIntLiteral':
      case 'RegExpLiteral':
      case 'TemplateLiteral':
      case 'ArrayExpression':
      case 'ObjectExpression':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
      case 'ClassExpression':
      case 'BinaryExpression':
      case 'UpdateExpression':
        return true;
      case 'UnaryExpression':
        return true;
      case 'Identifier': {
        if (node.name === 'undefined' && this.#facts.bindings.isGlobal(node)) return true;
        const init = constantOf(node, this.#facts.bindings);
        return init !== undefined && init !== node && this.isSettled(init, steps + 1);
      }
      case 'ConditionalExpression':
        return this.isSettled(node.consequent, steps + 1) && this.isSettled(node.alternate, steps + 1);
      case 'LogicalExpression':
        return this.isSettled(node.left, steps + 1) && this.isSettled(node.right, steps + 1);
      case 'AssignmentExpression':
        return this.isSettled(node.right, steps + 1);
      case 'AwaitExpression':
        return this.isSettled(node.argument, steps + 1);
      case 'CallExpression':
        return this.#isSettledCall(node, steps);
      case 'NewExpression':
        return this.#isSettledPromise(node, steps);
      default:
        return false;
    }
  }

  /** Whether a value is so obviously settled that its `await` can only be meant to yield: `null`, `Promise.resolve()`. */
  isPlainlySettled(expression: Node): boolean {
    const node = unwrap(expression);
    if (
      /Literal$/.test(node.type) ||
      (node.type === 'Identifier' && node.name === 'undefined') ||
      (node.type === 'UnaryExpression' && node.operator === 'void')
    )
      return true;
    if (node.type === 'CallExpression') {
      return (
        isMember(node.callee) &&
        memberName(node.callee) === 'resolve' &&
        this.#facts.origins.isGlobal(node.callee, 'Promise.resolve') &&
        node.arguments.every((argument) => this.isPlainlySettled(argument))
      );
    }
    return node.type === 'NewExpression' && this.#isSettledPromise(node, 0);
  }

  /** Whether a function of this file never waits. */
  isSettledFunction(fn: FunctionNode, steps = 0): boolean {
    const known = this.#functions.get(fn);
    if (known !== undefined) return known;
    // A function that awaits itself waits for nothing else.
    this.#functions.set(fn, true);
    const settled = this.#neverWaits(fn, steps);
    this.#functions.set(fn, settled);
    return settled;
  }

  /** The functions of this file that a callee is directly, not through a wrapper; undefined if that is uncertain. */
  directFunctions(callee: Node): readonly FunctionNode[] | undefined {
    const node = unwrap(callee);
    if (isFunction(node)) return [node];
    if (node.type === 'Identifier') {
      const binding = this.#facts.bindings.resolve(node);
      if (!binding || !this.#facts.bindings.isConstant(binding) || binding.kind === 'param') return undefined;
      if (isFunction(binding.declaration)) return [binding.declaration];
      if (binding.declaration.type !== 'VariableDeclarator' || binding.declaration.id !== binding.identifier || !binding.declaration.init)
        return undefined;
      const init = unwrap(binding.declaration.init);
      return isFunction(init) ? [init] : undefined;
    }
    if (isMember(node)) {
      const found = this.#facts.calls.functionsOf(node);
      return found.length > 0 && found.every((fn) => isOwnMember(fn) && !isStub(fn)) ? found : undefined;
    }
    if (node.type === 'CallExpression' && isMember(node.callee) && memberName(node.callee) === 'bind')
      return this.directFunctions(node.callee.object);
    return undefined;
  }

  /** Whether one of a function's own awaits lets the event loop turn. */
  waitsIn(fn: FunctionNode): boolean {
    let waits = false;
    walkWithin(fn.body, (node) => {
      if (waits || isFunction(node)) return false;
      if (node.type === 'AwaitExpression') waits = !this.isSettled(node.argument);
      else if (node.type === 'ForOfStatement' && node.await) waits = !this.isSettledSource(node.right);
      return !waits;
    });
    return waits;
  }

  /** Whether a `for await` iterates over values that are all available. */
  isSettledSource(expression: Node, steps = 0): boolean {
    const node = unwrap(expression);
    if (node.type === 'ArrayExpression')
      return node.elements.every((element) => element !== null && element.type !== 'SpreadElement' && this.isSettled(element));
    if (node.type === 'StringLiteral' || node.type === 'TemplateLiteral') return true;
    if (node.type === 'Identifier') {
      const init = constantOf(node, this.#facts.bindings);
      return init !== undefined && init !== node && unwrap(init).type === 'ArrayExpression' && this.isSettledSource(init, steps);
    }
    if (node.type !== 'CallExpression') return false;
    if (this.#facts.origins.isGlobal(node.callee, 'Object.keys')) return true;
    return this.findGenerators(node, steps) !== undefined;
  }

  /** The generators of this file that a call starts, if they never wait between two values. */
  findGenerators(call: Node, steps = 0): readonly FunctionNode[] | undefined {
    if (steps > MAX_STEPS) return undefined;
    const node = unwrap(call);
    if (node.type !== 'CallExpression') return undefined;
    const targets = this.directFunctions(node.callee);
    return targets?.every((target) => target.generator && this.isSettledFunction(target, steps + 1)) ? targets : undefined;
  }

  #neverWaits(fn: FunctionNode, steps: number): boolean {
    if (fn.body.type !== 'BlockStatement') return this.isSettled(fn.body, steps + 1);
    let waits = false;
    walkWithin(fn.body, (node) => {
      if (waits || isFunction(node)) return false;
      if (node.type === 'AwaitExpression') waits = !this.isSettled(node.argument, steps + 1);
      else if (node.type === 'ForOfStatement' && node.await) waits = !this.isSettledSource(node.right, steps + 1);
      else if (node.type === 'YieldExpression')
        waits =
          node.delegate ||
          (node.argument != null && !this.isSettled(node.argument, steps + 1) && !isSyncGenerator(fn) && !this.#isPlainRead(node.argument));
      // A returned value may be a promise that something else settles.
      else if (node.type === 'ReturnStatement' && node.argument && !fn.generator) waits = !this.isSettled(node.argument, steps + 1);
      return !waits;
    });
    return !waits;
  }

  /** A counter that a generator yields. */
  #isPlainRead(expression: Node): boolean {
    const node = unwrap(expression);
    if (node.type !== 'Identifier') return false;
    const binding = this.#facts.bindings.resolve(node);
    if (binding?.declaration.type !== 'VariableDeclarator' || !binding.declaration.init || binding.declaration.id !== binding.identifier)
      return false;
    return (
      binding.declaration.init.type === 'NumericLiteral' &&
      this.#facts.bindings.assignedValues(binding).every((value) => value === undefined || this.isSettled(value, 1))
    );
  }

  #isSettledCall(node: t.CallExpression, steps: number): boolean {
    const { callee } = node;
    if (this.#isTrusted(node)) return true;
    const { origins } = this.#facts;
    if (isMember(callee)) {
      const method = memberName(callee);
      if (method === 'resolve' && origins.isGlobal(callee, 'Promise.resolve'))
        return node.arguments.every((argument) => this.isSettled(argument, steps + 1));
      if (
        (method === 'all' || method === 'allSettled' || method === 'race' || method === 'any') &&
        origins.isGlobal(callee, `Promise.${method}`)
      )
        return this.#areSettled(node.arguments[0], method, steps);
      if (method === 'then' || method === 'catch' || method === 'finally')
        return (
          this.isSettled(callee.object, steps + 1) &&
          isPromiseLike(callee.object) &&
          node.arguments.every((argument) => this.#isSettledCallback(argument, steps))
        );
    }
    const origin = origins.of(callee);
    if (origin?.root === 'global' && PLAIN_GLOBALS.test([origin.name, ...origin.path].join('.'))) return true;
    const targets = this.directFunctions(callee);
    return targets !== undefined && targets.every((target) => !target.generator && this.isSettledFunction(target, steps + 1));
  }

  #areSettled(list: Node | undefined, method: string, steps: number): boolean {
    const node = list && unwrap(list);
    if (node?.type === 'ArrayExpression') {
      const settled = node.elements.map(
        (element) => element !== null && element.type !== 'SpreadElement' && this.isSettled(element, steps + 1),
      );
      return method === 'race' || method === 'any' ? settled.some(Boolean) : settled.every(Boolean);
    }
    // `Promise.all(items.map(work))`
    if (node?.type !== 'CallExpression' || !isMember(node.callee) || memberName(node.callee) !== 'map' || !node.arguments[0]) return false;
    return this.#isSettledCallback(node.arguments[0], steps);
  }

  #isSettledCallback(argument: Node, steps: number): boolean {
    const targets = this.directFunctions(argument);
    return targets !== undefined && targets.every((target) => this.isSettledFunction(target, steps + 1));
  }

  /** `new Promise((resolve) => resolve())`, also through a tick or a microtask. */
  #isSettledPromise(node: t.NewExpression, steps: number): boolean {
    if (steps > MAX_STEPS || node.callee.type !== 'Identifier' || !this.#facts.origins.isGlobal(node.callee, 'Promise')) return false;
    const [executor] = node.arguments;
    const fn = executor && unwrap(executor);
    // `new Promise(async (resolve) => { await work(); resolve() })` waits for the work.
    if (!fn || !isFunction(fn) || (fn.async && !this.isSettledFunction(fn, steps + 1))) return false;
    const [resolve] = fn.params;
    if (resolve?.type !== 'Identifier') return false;
    const binding = this.#facts.bindings.lookUp(resolve.name, fn.body);
    const uses = binding ? this.#facts.bindings.references(binding) : [];
    return uses.some((use) => {
      const call = parentOf(use);
      if (!isCall(call) || functionAround(call) !== fn || parentsAreConditional(call, fn)) return false;
      if (call.callee === use) return call.arguments.every((argument) => this.isSettled(argument, steps + 1));
      return call.arguments[0] === use && findTicker(this.#facts, call) !== undefined;
    });
  }
}

function functionAround(node: Node): Node | undefined {
  for (let at = parentOf(node); at; at = parentOf(at)) if (isFunction(at)) return at;
  return undefined;
}

function parentsAreConditional(node: Node, upTo: Node): boolean {
  for (let at = parentOf(node); at && at !== upTo; at = parentOf(at))
    if (/^(?:If|Switch|Conditional|Logical|For|While|DoWhile|Try)/.test(at.type)) return true;
  return false;
}

/** The value of a member as written in a class or an object, not the result of a call. */
function isOwnMember(fn: FunctionNode): boolean {
  return (
    fn.type === 'ClassMethod' ||
    fn.type === 'ClassPrivateMethod' ||
    fn.type === 'ObjectMethod' ||
    /^(?:ObjectProperty|ClassProperty|ClassPrivateProperty|AssignmentExpression)$/.test(parentOf(fn)?.type ?? '')
  );
}

/** `async run() {}`, `async run() { throw new Error('not implemented') }`: a subclass is meant to replace it. */
function isStub(fn: FunctionNode): boolean {
  return (
    fn.body.type === 'BlockStatement' &&
    (fn.body.body.length === 0 || fn.body.body.every((statement) => statement.type === 'ThrowStatement'))
  );
}

function isSyncGenerator(fn: FunctionNode): boolean {
  return fn.generator === true && !fn.async;
}

/** Whether the receiver of `then` is certainly a promise. */
function isPromiseLike(node: Node): boolean {
  const inner = unwrap(node);
  return isCall(inner) || inner.type === 'Identifier';
}
