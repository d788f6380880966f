// Whether an expression means another object in every iteration of a repetition: `user` in `users.map((user) => …)`, `rows[i]`, `node` in
// `while (node) { …; node = node.next }`. Only then does something happen once per object.
import {
  contains,
  functionName,
  isCall,
  isFunction,
  isMember,
  memberName,
  parentOf,
  startOf,
  staticName,
  unwrap,
  type FunctionNode,
  type Node,
  type t,
} from '../../analysis/module/ast.ts';
import { writeOf, type Binding } from '../../analysis/facts/bindings.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { iteratingCallOf, type Repetition } from '../../analysis/facts/hotness.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';
import type { Related } from '../../protocol/finding.ts';
import { isOneOffFunction } from './one-off.ts';

export interface Round {
  /** Absent if code outside the file repeats it. `of` then says which objects. */
  repetition?: Repetition;
  of?: string;
  /** The calls from the repetition to the place, if it is in another function of the file. */
  path: readonly Related[];
  /** Whether each object is awaited on its own: `const user = await load(id)`. The wait then hides most other costs. */
  isAwaited: boolean;
  /** Set if the loop would be in another file, which the project knows. `parameter` must be another object in each of its iterations. */
  elsewhere?: { at: Node; parameter?: number };
}

// The longest chain of names to follow. Readable code has no longer ones.
const MAX_STEPS = 8;
const MAX_CALLERS = 3;
const LONGEST_CHAIN = 20;

// Loops known to be shorter are not reported: a few objects do not matter.
const SHORTEST = 10;

// Their callbacks see the same objects repeatedly, or get no object of their own.
const NO_ITEM: ReadonlySet<string> = new Set(['sort', 'toSorted', 'sortBy', 'times', 'replaceAll']);
// Their callbacks get the accumulator first and the item second.
const ITEM_SECOND: ReadonlySet<string> = new Set(['reduce', 'reduceRight']);

// Calls of such names return the same object every time.
const SHARED_RESULT =
  /(?:config|settings|options|session|cache|store|registry|instance|headers|schema|require|context|manager|service)s?$/i;

interface Budget {
  steps: number;
  callers: number;
}

/** The innermost repetition in which each iteration has another object in `expression`. */
export function findRound(facts: Facts, expression: Node): Round | undefined {
  const round = find(facts, expression, { steps: MAX_STEPS, callers: MAX_CALLERS });
  if (round?.repetition && isLong(facts, round.repetition)) return round;
  if (isSerialized(facts, expression)) return { of: 'every object that is serialized to JSON', path: [], isAwaited: false };
  return isStreamed(facts, expression) ? { of: 'every object that the stream delivers', path: [], isAwaited: false } : undefined;
}

/**
 * The round that a loop in another file would cause: for the parameter that an object is or comes from, or for an object that the function
 * creates on each call.
 */
export function findRoundElsewhere(facts: Facts, expression: Node): Round | undefined {
  const fn = functionAround(expression);
  if (!fn || fn.async || isOneOffFunction(facts, fn)) return undefined;
  let node = unwrap(expression);
  for (let steps = 0; steps < MAX_STEPS; steps++) {
    while (isMember(node)) {
      if (memberName(node) === undefined) return undefined;
      node = unwrap(node.object);
    }
    const binding = node.type === 'Identifier' ? facts.bindings.resolve(node) : undefined;
    if (!binding) return undefined;
    const { declaration } = binding;
    if (binding.kind === 'param') {
      const parameter = isFunction(declaration) ? declaration.params.findIndex((param) => contains(param, binding.identifier)) : -1;
      return declaration === fn && parameter >= 0 && fn.params[parameter]?.type !== 'RestElement' && !iteratingCallOf(fn)
        ? elsewhere(expression, parameter)
        : undefined;
    }
    if (
      declaration.type !== 'VariableDeclarator' ||
      !declaration.init ||
      functionAround(declaration) !== fn ||
      facts.hotness.repetitionsInFunction(declaration).length > 0
    )
      return undefined;
    if (isFresh(declaration.init)) return elsewhere(expression);
    node = unwrap(declaration.init);
  }
  return undefined;
}

/** The same for an object created at a place. */
export function findRoundOfPlaceElsewhere(facts: Facts, place: Node): Round | undefined {
  const fn = functionAround(place);
  return !fn || fn.async || isOneOffFunction(facts, fn) ? undefined : elsewhere(place);
}

function elsewhere(at: Node, parameter?: number): Round {
  return {
    of: 'a different object in each iteration of {{loop}}',
    path: [],
    isAwaited: false,
    elsewhere: { at, ...(parameter === undefined ? {} : { parameter }) },
  };
}

/**
 * How often a value is created or a statement runs, for objects that have no name: the repetition around it, or around a call of its
 * function.
 */
export function findRoundOfPlace(facts: Facts, place: Node, waits: Waits): Round | undefined {
  const own = facts.hotness.repetitionsInFunction(place).find((one) => isCounted(facts, one));
  if (own) return { repetition: own, path: [], isAwaited: waits.isIn(own, place) };
  const heat = facts.hotness.heatOf(place);
  const repetition = heat.repetitions.find((one) => isCounted(facts, one));
  const fn = functionAround(place);
  return repetition && { repetition, path: heat.path, isAwaited: fn?.async === true || heat.path.length === 0 };
}

function isCounted(facts: Facts, repetition: Repetition): boolean {
  return isLong(facts, repetition) && repetition.by !== 'sort' && repetition.by !== 'toSorted';
}

/**
 * Whether each iteration of a repetition waits for something (or blocks on it). That takes a thousand times longer than anything V8 does to
 * an object. Caches its answers, because a loop may contain thousands of places to check.
 */
export class Waits {
  readonly #known = new Map<Node, boolean>();

  isIn(repetition: Repetition, place: Node): boolean {
    const fn = functionAround(place);
    const body = fn && contains(repetition.node, fn) ? fn.body : repetition.node;
    let known = this.#known.get(body);
    if (known === undefined) this.#known.set(body, (known = waitsWithin(body)));
    return known;
  }

  /** `for (…) { …; await save(row); }`: one after another, not `Promise.all(rows.map(async …))`. */
  isInTurn(repetition: Repetition, place: Node): boolean {
    return repetition.by === 'loop' && contains(repetition.node, place) && this.isIn(repetition, place);
  }
}

export function waitsWithin(body: Node): boolean {
  let waits = false;
  walkWithin(body, (node) => {
    if (waits || (node !== body && isFunction(node))) return false;
    // `yield load(row)` is the await of a coroutine (Koa 1, `co`). `yield row` is an item of a generator.
    if (
      node.type === 'AwaitExpression' ||
      (node.type === 'ForOfStatement' && node.await) ||
      (node.type === 'YieldExpression' && !node.delegate && node.argument && isCall(unwrap(node.argument)))
    )
      waits = true;
    else if (node.type === 'CallExpression' && isMember(node.callee) && /Sync$/.test(memberName(node.callee) ?? '')) waits = true;
    return true;
  });
  return waits;
}

/**
 * A copy that a serializer returns: created in a `toJSON` method, or the second parameter of a `transform` under `toJSON` or `toObject`
 * (Mongoose). Those run once for every object that is sent.
 */
function isSerialized(facts: Facts, expression: Node): boolean {
  const node = unwrap(expression);
  const binding = node.type === 'Identifier' ? facts.bindings.resolve(node) : undefined;
  if (!binding) return false;
  const { declaration } = binding;
  if (declaration.type === 'VariableDeclarator') {
    const fn = functionAround(declaration);
    return fn !== undefined && /(?:^|\.)toJSON$/.test(functionName(fn) ?? '') && declaration.init != null && isFresh(declaration.init);
  }
  return (
    isFunction(declaration) &&
    declaration.params[1] === binding.identifier &&
    functionName(declaration) === 'transform' &&
    isUnderToJson(declaration) &&
    !isHashTableBefore(declaration)
  );
}

/** `query.on('row', (row) => …)`, `parser.on('data', (row) => …)` */
function isStreamed(facts: Facts, expression: Node): boolean {
  const node = unwrap(expression);
  const binding = node.type === 'Identifier' ? facts.bindings.resolve(node) : undefined;
  if (!binding || !isFunction(binding.declaration) || binding.declaration.params[0] !== binding.identifier) return false;
  const call = parentOf(binding.declaration);
  if (call?.type !== 'CallExpression' || !isMember(call.callee) || !/^(?:on|addListener)$/.test(memberName(call.callee) ?? ''))
    return false;
  const [event] = call.arguments;
  return event?.type === 'StringLiteral' && /^(?:data|row|record|result|entry|document)$/.test(event.value);
}

/** `schema.set('toJSON', { transform })`, `new Schema({}, { toJSON: { transform } })` */
function isUnderToJson(transform: FunctionNode): boolean {
  const property = transform.type === 'ObjectMethod' ? transform : parentOf(transform);
  const literal = property && parentOf(property);
  const holder = literal && parentOf(literal);
  if (holder?.type === 'ObjectProperty') return /^to(?:JSON|Object)$/.test(staticName(holder.key, holder.computed) ?? '');
  return (
    holder?.type === 'CallExpression' &&
    holder.arguments[0]?.type === 'StringLiteral' &&
    /^to(?:JSON|Object)$/.test(holder.arguments[0].value)
  );
}

/**
 * With `versionKey: false` and `virtuals: true`, Mongoose deletes `__v` after it has added the virtuals, before it calls `transform`: the
 * object is a hash table by then. Asked with `%HasFastProperties` (Mongoose 5.13, 6.13, and 8.24; Node 20 and 22).
 */
function isHashTableBefore(transform: FunctionNode): boolean {
  const literal = parentOf(transform.type === 'ObjectMethod' ? transform : (parentOf(transform) ?? transform));
  if (literal?.type !== 'ObjectExpression') return false;
  const isSet = (name: string, value: boolean): boolean =>
    literal.properties.some(
      (one) =>
        one.type === 'ObjectProperty' &&
        staticName(one.key, one.computed) === name &&
        one.value.type === 'BooleanLiteral' &&
        one.value.value === value,
    );
  return isSet('versionKey', false) && isSet('virtuals', true);
}

export function isLong(facts: Facts, repetition: Repetition): boolean {
  return repetition.atMost === undefined ? !isFixedList(facts, repetition) : repetition.atMost >= SHORTEST;
}

/** A list written out in the program: `const KINDS = ['a', 'b']`, or a constant of another file, judged by its spelling. */
function isFixedList(facts: Facts, repetition: Repetition): boolean {
  const { node } = repetition;
  const list = node.type === 'ForOfStatement' ? node.right : isCall(node) && isMember(node.callee) ? node.callee.object : undefined;
  const source = list && unwrap(list);
  if (source?.type !== 'Identifier') return false;
  if (/^[A-Z][A-Z\d_]+$/.test(source.name)) return true;
  const binding = facts.bindings.resolve(source);
  if (binding?.declaration.type !== 'VariableDeclarator' || binding.declaration.id !== binding.identifier || !binding.declaration.init)
    return false;
  const init = unwrap(binding.declaration.init);
  return (
    init.type === 'ArrayExpression' &&
    init.elements.length > 0 &&
    init.elements.length < SHORTEST &&
    init.elements.every((element) => element?.type !== 'SpreadElement') &&
    !isPushedOnto(facts, binding)
  );
}

function isPushedOnto(facts: Facts, binding: Binding): boolean {
  return facts.bindings.references(binding).some((reference) => {
    const member = parentOf(reference);
    return isMember(member) && member.object === reference && /^(?:push|unshift|splice)$/.test(memberName(member) ?? '');
  });
}

function find(facts: Facts, expression: Node, budget: Budget): Round | undefined {
  if (budget.steps <= 0) return undefined;
  const next = { ...budget, steps: budget.steps - 1 };
  const node = unwrap(expression);
  if (isMember(node)) {
    if (memberName(node) === undefined) {
      const changing = findChangingKey(facts, node.property);
      if (changing) return { repetition: changing, path: [], isAwaited: false };
    }
    return find(facts, node.object, next);
  }
  return node.type === 'Identifier' ? ofIdentifier(facts, node, next) : undefined;
}

/** The repetition that gives `i` in `rows[i]` another value in each iteration. */
function findChangingKey(facts: Facts, key: Node): Repetition | undefined {
  let found: Repetition | undefined;
  walkWithin(key, (node) => {
    if (found || isFunction(node)) return false;
    if (node.type !== 'Identifier') return true;
    const binding = facts.bindings.resolve(node);
    if (!binding) return true;
    found = facts.hotness
      .repetitionsInFunction(key)
      .find((repetition) => contains(repetition.node, binding.identifier) || isWrittenIn(facts, binding, repetition));
    return true;
  });
  return found;
}

function ofIdentifier(facts: Facts, node: t.Identifier, budget: Budget): Round | undefined {
  const binding = facts.bindings.resolve(node);
  if (!binding) return undefined;
  const repetitions = facts.hotness.repetitionsInFunction(node);
  const { declaration } = binding;
  if (binding.kind === 'param' && isFunction(declaration)) {
    return ofReassigned(facts, binding, repetitions) ?? ofParameter(facts, declaration, binding, budget);
  }
  if (declaration.type !== 'VariableDeclarator') return undefined;
  const head = parentOf(parentOf(declaration) ?? declaration);
  if ((head?.type === 'ForOfStatement' || head?.type === 'ForInStatement') && head.left === parentOf(declaration)) {
    const own = repetitions.find((repetition) => repetition.node === head);
    return own && { repetition: own, path: [], isAwaited: false };
  }
  const around = repetitions.find((repetition) => contains(repetition.node, declaration) && !isLoopStart(repetition, declaration));
  if (around && declaration.init) return ofValue(facts, declaration.init, around, budget);
  const reassigned = ofReassigned(facts, binding, repetitions);
  if (reassigned) return reassigned;
  if (!declaration.init) return undefined;
  // Created on each call of the function around it.
  return isFresh(declaration.init)
    ? ofCallers(facts, functionAround(declaration), undefined, budget, isWaitedFor(declaration.init))
    : find(facts, declaration.init, budget);
}

/** `for (let i = 0, row; …)`: declared once, assigned in each iteration. */
function isLoopStart(repetition: Repetition, declarator: Node): boolean {
  return repetition.node.type === 'ForStatement' && repetition.node.init === parentOf(declarator);
}

function ofReassigned(facts: Facts, binding: Binding, repetitions: readonly Repetition[]): Round | undefined {
  const repetition = repetitions.find((one) =>
    !contains(one.node, binding.declaration) || isLoopStart(one, binding.declaration) ? isWrittenIn(facts, binding, one) : false,
  );
  return repetition && { repetition, path: [], isAwaited: false };
}

function isWrittenIn(facts: Facts, binding: Binding, repetition: Repetition): boolean {
  return facts.bindings.references(binding).some((reference) => {
    if (!contains(repetition.node, reference)) return false;
    const write = writeOf(reference);
    // Outside of it, `x = x || {}` and `x = { ...x }` do not make another object in every iteration. A plain value does.
    return (
      write !== undefined && !(repetition.node.type === 'ForStatement' && repetition.node.init && contains(repetition.node.init, reference))
    );
  });
}

function ofValue(facts: Facts, value: Node, repetition: Repetition, budget: Budget): Round | undefined {
  const node = unwrap(value);
  if (node.type === 'ConditionalExpression')
    return ofValue(facts, node.consequent, repetition, budget) ?? ofValue(facts, node.alternate, repetition, budget);
  if (node.type === 'LogicalExpression')
    return ofValue(facts, node.left, repetition, budget) ?? ofValue(facts, node.right, repetition, budget);
  return isFresh(node) ? { repetition, path: [], isAwaited: isWaitedFor(node) } : find(facts, node, budget);
}

/** Whether evaluating an expression again creates a new object. */
function isFresh(value: Node): boolean {
  const node = unwrap(value);
  if (node.type === 'AwaitExpression') return isFresh(node.argument);
  if (node.type === 'ObjectExpression' || node.type === 'NewExpression') return true;
  if (!isCall(node)) return false;
  const callee = unwrap(node.callee);
  const name = callee.type === 'Identifier' ? callee.name : isMember(callee) ? memberName(callee) : undefined;
  return name === undefined || !SHARED_RESULT.test(name);
}

function isWaitedFor(value: Node): boolean {
  return unwrap(value).type === 'AwaitExpression';
}

function ofParameter(facts: Facts, fn: FunctionNode, binding: Binding, budget: Budget): Round | undefined {
  const at = fn.params.findIndex((param) => contains(param, binding.identifier));
  const iterating = iteratingCallOf(fn);
  if (iterating) return isItem(iterating, at) ? { repetition: iterating, path: [], isAwaited: false } : undefined;
  return ofCallers(facts, fn, at, budget, false);
}

function isItem(repetition: Repetition, parameter: number): boolean {
  return !NO_ITEM.has(repetition.by) && parameter === (ITEM_SECOND.has(repetition.by) ? 1 : 0);
}

/** The repetition around a call of `fn`: any if `parameter` is undefined, else one that passes another object each time. */
function ofCallers(
  facts: Facts,
  fn: FunctionNode | undefined,
  parameter: number | undefined,
  budget: Budget,
  isAwaited: boolean,
): Round | undefined {
  if (!fn || budget.callers <= 0) return undefined;
  const iterating = iteratingCallOf(fn);
  if (iterating) return parameter === undefined ? { repetition: iterating, path: [], isAwaited } : undefined;
  for (const { edge } of facts.calls.callersOf(fn)) {
    const step: Related = {
      span: { start: startOf(edge.site), end: edge.site.end ?? startOf(edge.site) },
      message: 'called for each of them here',
    };
    if (edge.via === 'callback') {
      const iteratingCall = iteratingCallOf(edge.site as FunctionNode);
      if (iteratingCall && isLong(facts, iteratingCall) && (parameter === undefined || isItem(iteratingCall, parameter)))
        return { repetition: iteratingCall, path: [step], isAwaited };
      continue;
    }
    if (!isCall(edge.site)) continue;
    const next = { steps: budget.steps, callers: budget.callers - 1 };
    // `for (const row of rows) await save(row)`: one round trip for each row.
    const waits = isAwaited || parentOf(edge.site)?.type === 'AwaitExpression';
    if (parameter === undefined) {
      const around = facts.hotness.heatOf(edge.site).repetitions.find((one) => isLong(facts, one));
      if (around) return { repetition: around, path: [step], isAwaited: waits };
      continue;
    }
    const argument = edge.site.arguments[parameter];
    const value = argument && unwrap(argument);
    if (!value) continue;
    const round = isFresh(value) ? freshArgument(facts, value) : find(facts, value, next);
    if (round?.repetition && isLong(facts, round.repetition))
      return { repetition: round.repetition, path: [step, ...round.path], isAwaited: round.isAwaited || waits };
  }
  return undefined;
}

/** `clean(toObject(row))` in a loop. */
function freshArgument(facts: Facts, value: Node): Round | undefined {
  const repetition = facts.hotness.heatOf(value).repetitions.find((one) => isLong(facts, one));
  return repetition && { repetition, path: [], isAwaited: isWaitedFor(value) };
}

function functionAround(node: Node): FunctionNode | undefined {
  for (let at = parentOf(node); at; at = parentOf(at)) if (isFunction(at)) return at;
  return undefined;
}

/** `user.profile` for an expression that is a chain of names; undefined for any other. */
export function plainName(expression: Node): string | undefined {
  const names: string[] = [];
  let node = unwrap(expression);
  for (; isMember(node); node = unwrap(node.object)) {
    const name = staticName(node.property, node.computed);
    if (name === undefined) return undefined;
    names.unshift(name);
    if (names.length > LONGEST_CHAIN) return undefined;
  }
  if (node.type !== 'Identifier' && node.type !== 'ThisExpression') return undefined;
  return [node.type === 'Identifier' ? node.name : 'this', ...names].join('.');
}
