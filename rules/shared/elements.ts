// The loop around a call that runs it once for each element of a list.
import type { Facts } from '../../analysis/facts/index.ts';
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
  let leaves = false;
  walkWithin(loop, (node) => {
    if (leaves || isFunction(node)) return false;
    if (startOf(node) < endOf(call)) return undefined;
    if ((node.type === 'BreakStatement' && parentOf(node)?.type !== 'SwitchCase') || node.type === 'ReturnStatement')
      leaves ||= !isForMissing(node, loop, facts);
    return undefined;
  });
  return leaves;
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
      if (inner.type !== 'Identifier') return undefined;
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
      const binding = inner.type === 'Identifier' ? facts.bindings.resolve(inner) : undefined;
      needs =
        binding !== undefined &&
        !contains(node, binding.identifier) &&
        facts.bindings.writes(binding).some((write) => write.node !== binding.declaration && contains(body, write.node));
      return undefined;
    });
  return needs;
}

const PAUSES = /^(?:delay|sleep|wait|pause|acquire|lock|throttle|setTimeout)$|(?:Delay|Sleep|Turn|Semaphore)$/;
const PAUSE_OF_OWN = /^new Promise\b[\s\S]{0,80}\bsetTimeout\(/;

/** Whether each callback waits for a delay, or for its turn, before it gets to a call: they do not get there all at once. */
export function pausesBefore(call: Node, { body }: Elements, facts: Facts): boolean {
  if (!isFunction(body)) return false;
  let pauses = false;
  walkWithin(body, (node) => {
    if (pauses || (isFunction(node) && node !== body && !contains(node, call))) return false;
    if (node.type !== 'AwaitExpression' || endOf(node) > startOf(call)) return undefined;
    const awaited = unwrap(node.argument);
    if (awaited.type === 'NewExpression') pauses = PAUSE_OF_OWN.test(facts.source.slice(awaited));
    else if (isCall(awaited)) {
      const name = lastNameOf(awaited.callee);
      pauses = PAUSES.test(`${name.charAt(0).toLowerCase()}${name.slice(1)}`);
    }
    return undefined;
  });
  return pauses;
}

/** Whether the list is a part that was cut off so that not too much is asked at once. */
export function isPart({ list, node }: Elements, facts: Facts): boolean {
  if (PART.test(facts.source.slice(list).slice(0, 200))) return true;
  if (node.type !== 'ForOfStatement') return false;
  const { left } = node;
  return left.type === 'VariableDeclaration' && PART.test(facts.source.slice(left.declarations[0]?.id ?? left));
}
