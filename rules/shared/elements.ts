// The loop around a call that runs it once for each element of a list.
import type { Facts } from '../../analysis/facts/index.ts';
import { isReference, type Binding } from '../../analysis/facts/bindings.ts';
import { conditionsOn, endsLoopAfter } from '../../analysis/facts/control-flow.ts';
import {
  contains,
  endOf,
  isCall,
  isFunction,
  isLoop,
  isMember,
  memberName,
  parentOf,
  startOf,
  unwrap,
  type CallNode,
  type Node,
  type t,
} from '../../analysis/module/ast.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';

export interface Elements {
  /** The loop, or the call that calls back for each element. */
  node: Node;
  /** What runs for each element: the body of the loop, or the callback. */
  body: Node;
  list: Node;
  /** Each call waits for the one before. */
  isSequential: boolean;
}

const METHODS = /^(?:forEach|map|flatMap|reduce|reduceRight)$/;
/** Of packages: the list comes first, then the callback. */
const PACKAGES: ReadonlySet<string> = new Set([
  'bluebird',
  'async',
  'lodash',
  'underscore',
  'p-map',
  'p-each-series',
  'p-map-series',
  'p-each',
]);
const ONE_BY_ONE = /series|^each$|mapSeries|eachOf/i;
/** Runs what it is passed, now or later, once. */
const ONCE = /^(?:then|catch|finally|limit|limiter|throttle|queue|add|schedule|run|retry|wrap|push)$/i;

/** Packages that run what they are passed at other times, again and again. */
const TIMERS: ReadonlySet<string> = new Set(['node-cron', 'cron', 'croner', 'node-schedule', 'toad-scheduler']);

/** The innermost loop around a call, within its function. */
export function elementsAround(call: Node, facts: Facts): Elements | undefined {
  let isAwaited = false;
  let from = call;
  for (let at = parentOf(call); at; from = at, at = parentOf(at)) {
    if (at.type === 'AwaitExpression') isAwaited = true;
    else if (isLoop(at)) {
      const list = at.body === from ? listOf(at) : undefined;
      return list && !leavesAfter(call, at, facts) ? { node: at, body: at.body, list, isSequential: isAwaited } : undefined;
    } else if (isFunction(at)) {
      const parent = parentOf(at);
      if (!isCall(parent)) return undefined;
      if (parent.callee === at) continue;
      const found = callbackOf(parent, at, facts);
      if (found) return found;
      const callee = unwrap(parent.callee);
      const name = callee.type === 'Identifier' ? callee.name : isMember(callee) ? memberName(callee) : undefined;
      if (TIMERS.has(facts.origins.moduleMember(callee)?.module ?? '')) return undefined;
      if (name === undefined || !(ONCE.test(name) || (parent.type === 'NewExpression' && name === 'Promise'))) return undefined;
    }
  }
  return undefined;
}

/** Names of objects with a key for each of many. */
const TABLE = /s$|By[A-Z]\w{0,40}$|Map$|Table$/;

function lastNameOf(expression: Node): string {
  const node = unwrap(expression);
  return node.type === 'Identifier' ? node.name : isMember(node) ? (memberName(node) ?? '') : '';
}

/** `for (const x of list)`, `for (let i = 0; i < list.length; i++)` */
function listOf(loop: Node): Node | undefined {
  if (loop.type === 'ForOfStatement') return loop.await ? undefined : loop.right;
  // The keys of one record are its fields, as a rule: `for (const field in record)`.
  if (loop.type === 'ForInStatement') return TABLE.test(lastNameOf(loop.right)) ? loop.right : undefined;
  if (loop.type !== 'ForStatement' || loop.test?.type !== 'BinaryExpression' || !/^<=?$/.test(loop.test.operator)) return undefined;
  // One step at a time: `i += 500` cuts the list into parts.
  if (loop.update?.type !== 'UpdateExpression') return undefined;
  const end = unwrap(loop.test.right);
  return isMember(end) && memberName(end) === 'length' ? end.object : undefined;
}

function callbackOf(call: CallNode, fn: Node, facts: Facts): Elements | undefined {
  const callee = unwrap(call.callee);
  const index = call.arguments.findIndex((one) => unwrap(one) === fn);
  const [first] = call.arguments;
  const origin = facts.origins.of(callee);
  if (index > 0 && first && !isFunction(unwrap(first))) {
    const name = isMember(callee) ? (memberName(callee) ?? '') : (origin?.name ?? '');
    const isOfPackage = origin?.root === 'module' && PACKAGES.has(origin.name);
    // Promises of Bluebird: `Promise.map(list, fn)`
    const isPromise = isMember(callee) && unwrap(callee.object).type === 'Identifier' && facts.source.slice(callee.object) === 'Promise';
    if ((isOfPackage || isPromise) && /^(?:map|each|forEach|eachOf|flatMap|p-)/.test(name))
      return { node: call, body: fn, list: first, isSequential: ONE_BY_ONE.test(name) };
    return undefined;
  }
  if (index !== 0 || !isMember(callee) || !METHODS.test(memberName(callee) ?? '')) return undefined;
  return { node: call, body: fn, list: callee.object, isSequential: /^reduce/.test(memberName(callee) ?? '') };
}

/** Whether a query is made until one is found: the loop ends at the first answer. What ends it for a missing answer is an error. */
function leavesAfter(call: Node, loop: Node, facts: Facts): boolean {
  if (endsLoopAfter(call, loop)) return true;
  const known = facts.remember('last places that leave loops', () => new Map<Node, number>());
  const last = known.get(loop) ?? lastLeaving(loop, facts);
  known.set(loop, last);
  return last >= endOf(call);
}

/** Where the last statement starts that leaves a loop, but not for a missing answer; -1 without one. */
function lastLeaving(loop: Node, facts: Facts): number {
  let last = -1;
  walkWithin(loop, (node) => {
    if (isFunction(node)) return false;
    if ((node.type === 'BreakStatement' && parentOf(node)?.type !== 'SwitchCase') || node.type === 'ReturnStatement')
      if (!isForMissing(node, loop, facts)) last = Math.max(last, startOf(node));
    return undefined;
  });
  return last;
}

const MISSING = /^\s{0,9}!(?!=)|===?\s{0,9}(?:null|undefined|false|0|-1)\b|<=?\s|\berr(?:or)?\b/;

/** `if (!user) return response.sendStatus(404)` */
function isForMissing(jump: Node, loop: Node, facts: Facts): boolean {
  for (let at = parentOf(jump); at && at !== loop; at = parentOf(at)) {
    if (at.type === 'IfStatement')
      return MISSING.test(facts.source.slice(at.test)) || /\b(?:status\(|error|reject|[45]\d\d\b)/i.test(facts.source.slice(jump));
    if (at.type === 'CatchClause') return true;
  }
  return false;
}

/** Names of the elements that are no single elements. */
const PART = /chunk|batch|slice|(?:^|[a-z_])pages?$|cursor|stream|iterator|bucket|partition|shard/i;

/** Whether a call uses what only this element knows. `except`: what is not looked at. */
export function usesElement(nodes: readonly Node[], { body }: Elements, facts: Facts): boolean {
  let uses = false;
  for (const one of nodes)
    walkWithin(one, (inner) => {
      if (uses) return false;
      if (inner.type !== 'Identifier' || !isReference(inner)) return undefined;
      const binding = facts.bindings.resolve(inner);
      const loop = parentOf(body);
      uses =
        binding !== undefined &&
        contains(loop ?? body, binding.identifier) &&
        !contains(one, binding.identifier) &&
        !(loop && isCall(loop) && !contains(body, binding.identifier));
      return undefined;
    });
  return uses;
}

/** Whether the call only runs for one element, for those that a cache lacks, or after an error. */
export function isForFew(call: Node, { body }: Elements, facts: Facts): boolean {
  return conditionsOn(call, body).some((condition) => {
    if (condition.type === 'CatchClause' || lacksKept(condition, body, facts)) return true;
    const text = facts.source.slice(condition);
    return /\b\w{0,40}[iI]d\b[^&|]{0,9}===|===?[^&|]{0,60}\w[iI]d\b|cache|memo|\bseen\b|\.has\(|\bisFirst\b|=== 0\b|\[0\]/.test(text);
  });
}

/**
 * `if (!template) { logger.warn('no template'); await markSent(row.id); continue; }`: a branch that first warns that something of the element
 * is missing is for what seldom happens. A message about what has been done says nothing of how often it is.
 */
export function isWhereItWarns(call: Node, elements: Elements, facts: Facts): boolean {
  for (let at = parentOf(call), from = call; at && at !== elements.body; from = at, at = parentOf(at)) {
    const branch = at.type === 'BlockStatement' ? parentOf(at) : undefined;
    if (at.type !== 'BlockStatement' || branch?.type !== 'IfStatement' || branch.consequent !== at) continue;
    if (!MISSING.test(facts.source.slice(branch.test)) || !isOfElement(branch.test, elements, facts)) continue;
    if (at.body.slice(0, at.body.indexOf(from as t.Statement)).some(isWarning)) return true;
  }
  return false;
}

function isWarning(statement: t.Statement): boolean {
  const call = statement.type === 'ExpressionStatement' ? unwrap(statement.expression) : undefined;
  return isCall(call) && isMember(call.callee) && /^(?:warn|warning|error)$/.test(memberName(call.callee) ?? '');
}

/** `if (!user) users.set(id, user = …)` for `let user = users.get(id)`: those that a Map, or an object, does not have yet. */
function lacksKept(condition: Node, body: Node, facts: Facts): boolean {
  const test = unwrap(condition);
  const asked =
    test.type === 'UnaryExpression' && test.operator === '!'
      ? unwrap(test.argument)
      : test.type === 'BinaryExpression' && /^===?$/.test(test.operator) && /^(?:undefined|null)$/.test(facts.source.slice(test.right))
        ? unwrap(test.left)
        : undefined;
  const kept = asked?.type === 'Identifier' ? initOf(asked, facts) : asked;
  if (!kept) return false;
  if (isMember(kept)) return kept.computed && fills(body, kept.object, facts);
  return (
    isCall(kept) &&
    isMember(kept.callee) &&
    memberName(kept.callee) === 'get' &&
    kept.arguments.length === 1 &&
    fills(body, kept.callee.object, facts)
  );
}

/** A Map of the rows that exist already is not filled in the loop: the others still take a query each. */
function fills(body: Node, cache: Node, facts: Facts): boolean {
  const text = facts.source.slice(cache);
  let does = false;
  walkWithin(body, (node) => {
    if (does) return false;
    const target = isCall(node) ? unwrap(node.callee) : node.type === 'AssignmentExpression' ? node.left : undefined;
    does =
      target !== undefined &&
      isMember(target) &&
      facts.source.slice(target.object) === text &&
      (isCall(node) ? memberName(target) === 'set' : target.computed);
    return undefined;
  });
  return does;
}

function initOf(name: t.Identifier, facts: Facts): Node | undefined {
  const declaration = facts.bindings.resolve(name)?.declaration;
  return declaration?.type === 'VariableDeclarator' && declaration.init ? unwrap(declaration.init) : undefined;
}

/** Whether a query needs what an earlier round found: a variable from outside that the loop sets. No single query can stand for such. */
export function needsRoundBefore(call: CallNode, { node, body }: Elements, facts: Facts): boolean {
  let needs = false;
  for (const argument of call.arguments)
    walkWithin(argument, (inner) => {
      if (needs) return false;
      const binding = inner.type === 'Identifier' && isReference(inner) ? facts.bindings.resolve(inner) : undefined;
      needs =
        binding !== undefined &&
        !contains(node, binding.identifier) &&
        facts.bindings.writes(binding).some((write) => write.node !== binding.declaration && contains(body, write.node));
      return undefined;
    });
  return needs;
}

// The longest chain of variables to follow.
const MAX_STEPS = 4;

/** Whether an expression is about the element: it has the variable of the loop, or one that is made of it. */
export function isOfElement(node: Node, elements: Elements, facts: Facts, steps = 0): boolean {
  return referencesIn(node, facts).some(({ binding }) => {
    if (isElementItself(binding.identifier, elements)) return true;
    const { declaration } = binding;
    return (
      steps < MAX_STEPS &&
      declaration.type === 'VariableDeclarator' &&
      contains(elements.body, declaration) &&
      declaration.init != null &&
      isOfElement(declaration.init, elements, facts, steps + 1)
    );
  });
}

function isElementItself(identifier: Node, { node, body }: Elements): boolean {
  if (isFunction(body)) return body.params.some((one) => contains(one, identifier));
  return contains(node, identifier) && !contains(body, identifier);
}

interface Reference {
  identifier: t.Identifier;
  binding: Binding;
}

/** The references to variables in an expression. */
export function referencesIn(node: Node, facts: Facts): readonly Reference[] {
  const found: Reference[] = [];
  walkWithin(node, (inner) => {
    if (inner.type !== 'Identifier' || !isReference(inner)) return;
    const binding = facts.bindings.resolve(inner);
    if (binding) found.push({ identifier: inner, binding });
  });
  return found;
}

const DELAYS = /^(?:delay|sleep|wait|pause|setTimeout)$|(?:Delay|Sleep)$/;
const TURNS = /^(?:acquire|lock|throttle)$|(?:Turn|Semaphore)$/;

/**
 * Whether each callback first waits for its turn, or for a delay that differs from that of the others: they do not get to a call all at
 * once. After one delay that is the same for all, they do.
 */
export function pausesBefore(call: Node, elements: Elements, facts: Facts): boolean {
  const { body } = elements;
  if (!isFunction(body)) return false;
  let pauses = false;
  walkWithin(body, (node) => {
    if (pauses || (isFunction(node) && node !== body && !contains(node, call))) return false;
    if (node.type !== 'AwaitExpression' || endOf(node) > startOf(call)) return undefined;
    const pause = pauseOf(unwrap(node.argument), facts);
    pauses =
      pause !== undefined &&
      (pause === 'turn' || pause.some((part) => differs(part, elements, facts))) &&
      isAlwaysBefore(node, call, body, facts);
    return undefined;
  });
  return pauses;
}

/**
 * Whether a loop waits for a while whenever it makes a call, so that another service is not asked too often: its queries are not what takes
 * time. A rest after every thousandth element, or only where the query finds nothing, leaves the others as they are.
 */
export function rests(call: Node, { body, isSequential }: Elements, facts: Facts): boolean {
  return isSequential && awaits(body, (awaited) => Array.isArray(pauseOf(awaited, facts)) && isRestOf(awaited, call, body, facts));
}

/** Whether something that is awaited for an element, and not only after an error, passes a test. */
export function awaits(body: Node, test: (awaited: Node) => boolean): boolean {
  let does = false;
  walkWithin(body, (node) => {
    if (does || node.type === 'CatchClause' || (isFunction(node) && node !== body)) return false;
    does = node.type === 'AwaitExpression' && test(unwrap(node.argument));
    return undefined;
  });
  return does;
}

/** What decides how long a pause takes. */
function pauseOf(awaited: Node, facts: Facts): 'turn' | Node[] | undefined {
  if (!isCall(awaited)) return undefined;
  if (awaited.type === 'NewExpression') return facts.origins.isGlobal(awaited.callee, 'Promise') ? timeIn(awaited) : undefined;
  const last = lastNameOf(awaited.callee);
  const name = `${last.charAt(0).toLowerCase()}${last.slice(1)}`;
  if (TURNS.test(name)) return 'turn';
  return DELAYS.test(name) ? [awaited.callee, ...awaited.arguments.slice(0, 1)] : undefined;
}

/** `new Promise((resolve) => setTimeout(resolve, bot.seconds * 1000))` */
function timeIn(promise: Node): Node[] {
  const found: Node[] = [];
  walkWithin(promise, (node) => {
    if (isCall(node) && lastNameOf(node.callee) === 'setTimeout') found.push(...node.arguments.slice(1, 2));
  });
  return found;
}

/** Of the element or its index, counted up, or random. */
function differs(time: Node, elements: Elements, facts: Facts): boolean {
  return (
    isOfElement(time, elements, facts) ||
    /\brandom/i.test(facts.source.slice(time)) ||
    referencesIn(time, facts).some(
      ({ binding }) =>
        !contains(elements.body, binding.identifier) && facts.bindings.writes(binding).some((write) => contains(elements.body, write.node)),
    )
  );
}

/** Whether something that is awaited comes with each call: under no other condition than the call. */
export function isWithEach(awaited: Node, call: Node, body: Node, except?: (condition: Node) => boolean): boolean {
  const ofCall = conditionsOn(call, body);
  return conditionsOn(awaited, body).every((condition) => ofCall.includes(condition) || except?.(condition));
}

/** The same of a pause, with `if (index > 0)`. */
const isAlwaysBefore = (pause: Node, call: Node, body: Node, facts: Facts): boolean =>
  isWithEach(pause, call, body, (condition) => isNotFirst(condition, body, facts));

const isRestOf = (rest: Node, call: Node, body: Node, facts: Facts): boolean =>
  isWithEach(rest, call, body, (condition) => BETWEEN.test(facts.source.slice(condition)));

/** `if (i > 0)`, `if (i < list.length - 1)`: between all of them. */
const BETWEEN = /^\w{1,40}\s?(?:>\s?0|<\s?[\w.]{1,60}\.length\s?-\s?1)$/;

function isNotFirst(condition: Node, body: Node, facts: Facts): boolean {
  const test = unwrap(condition);
  const asked =
    test.type === 'BinaryExpression' && /^(?:>=?|!==?)$/.test(test.operator) && /^[01]$/.test(facts.source.slice(test.right))
      ? unwrap(test.left)
      : test;
  const index = isFunction(body) ? body.params[1] : undefined;
  return index !== undefined && asked.type === 'Identifier' && facts.bindings.resolve(asked)?.identifier === index;
}

/** Whether the list is a part that was cut off so that not too much is asked at once. */
export function isPart({ list, node }: Elements, facts: Facts): boolean {
  if (PART.test(facts.source.slice(list).slice(0, 200))) return true;
  if (node.type !== 'ForOfStatement') return false;
  const { left } = node;
  return left.type === 'VariableDeclaration' && PART.test(facts.source.slice(left.declarations[0]?.id ?? left));
}
