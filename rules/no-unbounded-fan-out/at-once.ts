// Where something is started for all elements of a list, and nothing says how many may run together.
import { constantOf, numberOf } from '../../analysis/facts/constants.ts';
import { conditionsOn } from '../../analysis/facts/control-flow.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import {
  contains,
  enclosingFunction,
  isCall,
  isFunction,
  isLoop,
  isMember,
  memberName,
  parentOf,
  staticName,
  unwrap,
  type CallNode,
  type Node,
} from '../../analysis/module/ast.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';
import { isForFew, isPart, pausesBefore, usesElement, type Elements } from '../shared/elements.ts';
import { fanOutAt, fanOutOf, type FanOut } from '../shared/fan-out.ts';

export interface AtOnce extends Elements {
  /** The call that runs for each element: the one in question, or that of a function of the file around it. */
  site: Node;
}

/** Something in the callback waits for its turn. */
const TURN = /semaphore|mutex|limiter|bottleneck|acquire|throttl|\bp?[lL]imit\w{0,20}\(|\bqueue\w{0,20}\.|concurrency/i;
/** A query that returns a part of the rows, and names of such parts. */
const PART_OF_ROWS =
  /\b(?:limit|take|top|first|per_?page|page_?size|page|max_?results|count)\b\W{1,4}[\w.[(]|\bLIMIT\b|\b(?:take|limit)\b\s{0,3}[,}]/i;

/**
 * Undefined for a list with a length that the code limits.
 * @param isDirect whether only loops around the call itself count
 */
export function startedAtOnce(call: CallNode, facts: Facts, isDirect: boolean): AtOnce | undefined {
  const found = ofLoop(isDirect ? fanOutAt(call, facts) : fanOutOf(call, facts)) ?? ofPackage(call, facts);
  if (!found || isPart(found, facts) || isLimited(found, facts)) return undefined;
  if (TURN.test(facts.source.slice(found.node.type.startsWith('For') ? found.body : found.node))) return undefined;
  if (pausesBefore(found.site, found, facts) || (found.site !== call && isBehindCache(call, facts))) return undefined;
  return isForFew(found.site, found, facts) || !usesElement([found.site], found, facts) ? undefined : found;
}

// `cache.has(url)`, `userCache`, `cached`, and `memo[url]`, but not `inMemory`
const CACHE = /(?:^|[^A-Za-z])(?:[cC]ache[ds]?|[mM]emo(?:ized)?|CACHE|MEMO)(?![a-z])|[a-z](?:Cache[ds]?|Memo)(?![a-z])/;

/** `if (cache.has(url)) return cache.get(url)`: what is started for the first request is not for the next. */
function isBehindCache(call: CallNode, facts: Facts): boolean {
  for (let fn = enclosingFunction(call), from: Node = call; fn; from = fn, fn = enclosingFunction(fn)) {
    const around = fn;
    if (conditionsOn(from, fn).some((condition) => isOfCache(condition, around, facts))) return true;
  }
  return false;
}

function isOfCache(condition: Node, fn: Node, facts: Facts): boolean {
  const asked = unwrap(condition.type === 'UnaryExpression' ? condition.argument : condition);
  const init = constantOf(asked, facts.bindings);
  return [condition, ...(init ? [init] : [])].some(
    (one) => CACHE.test(facts.source.slice(one)) || lookupsIn(one).some((lookup) => isKept(lookup, condition, asked, fn, facts)),
  );
}

/** What is asked for a key: `sent.has(url)`. */
function lookupsIn(expression: Node): Lookup[] {
  const found: Lookup[] = [];
  walkWithin(expression, (node) => {
    if (isCall(node) && isMember(node.callee) && /^(?:has|get)$/.test(memberName(node.callee) ?? ''))
      found.push({ receiver: node.callee.object, key: node.arguments[0] });
  });
  return found;
}

interface Lookup {
  receiver: Node;
  key: Node | undefined;
}

/** Whether the function fills what it has asked, or returns what was found. `user.settings.get('mail')` is no cache. */
function isKept(lookup: Lookup, condition: Node, asked: Node, fn: Node, facts: Facts): boolean {
  const branch = parentOf(condition);
  // `known.get(url) ?? fetch(url)`
  if (branch?.type === 'LogicalExpression' && branch.operator !== '&&') return true;
  const consequent = branch?.type === 'IfStatement' && branch.test === condition ? branch.consequent : undefined;
  const written = (node: Node | undefined): string => (node ? facts.source.slice(node) : '');
  const receiver = written(lookup.receiver);
  const isSame = (one: Lookup): boolean => written(one.receiver) === receiver && written(one.key) === written(lookup.key);
  let does = false;
  walkWithin(fn, (node) => {
    if (does) return false;
    if (node.type === 'ReturnStatement' && node.argument)
      does =
        lookupsIn(node.argument).some(isSame) ||
        (consequent !== undefined && contains(consequent, node) && mentions(node.argument, asked, facts));
    const target = isCall(node) ? unwrap(node.callee) : node.type === 'AssignmentExpression' ? node.left : undefined;
    if (target && isMember(target) && written(target.object) === receiver)
      does ||= isCall(node) ? /^(?:set|add|put)/.test(memberName(target) ?? '') : target.computed;
    return undefined;
  });
  return does;
}

function mentions(expression: Node, name: Node, facts: Facts): boolean {
  const binding = name.type === 'Identifier' ? facts.bindings.resolve(name) : undefined;
  return binding !== undefined && facts.bindings.references(binding).some((one) => contains(expression, one));
}

function ofLoop(fanOut: FanOut | undefined): AtOnce | undefined {
  if (!fanOut?.list || fanOut.count !== undefined) return undefined;
  const { node, list, site } = fanOut;
  const body = isLoop(node) ? node.body : isCall(node) ? node.arguments[0] : undefined;
  if (!body || (isLoop(node) && waits(body))) return undefined;
  return { node, body: unwrap(body), list, site, isSequential: false };
}

/** `const answer = fetch(url); await answer;`: the loop waits, although the call is not what it waits for. */
function waits(body: Node): boolean {
  let does = false;
  walkWithin(body, (node) => {
    if (does || isFunction(node)) return false;
    does = node.type === 'AwaitExpression' || node.type === 'YieldExpression';
    return undefined;
  });
  return does;
}

const OF_ASYNC = /^(?:each|forEach|eachOf|forEachOf|map|mapValues|filter|reject|concat|flatMap|groupBy)$/;

/** `Promise.map(list, fn)` of Bluebird, `async.each(list, fn)`, and `pMap(list, fn)`. */
function ofPackage(call: CallNode, facts: Facts): AtOnce | undefined {
  for (let fn = enclosingFunction(call); fn; fn = enclosingFunction(fn)) {
    const around = parentOf(fn);
    if (!isCall(around) || around.arguments[1] !== fn) continue;
    const [list, , options] = around.arguments;
    if (!list || isFunction(unwrap(list)) || !startsAll(around.callee, options, facts)) return undefined;
    return { node: around, body: fn, list, site: call, isSequential: false };
  }
  return undefined;
}

function startsAll(callee: Node, options: Node | undefined, facts: Facts): boolean {
  const origin = facts.origins.of(unwrap(callee));
  const path = origin?.path.join('.') ?? '';
  if (origin?.root === 'global') return origin.name === 'Promise' && path === 'map' && !hasConcurrency(options);
  if (origin?.root !== 'module') return false;
  if (origin.name === 'async') return OF_ASYNC.test(path);
  if (origin.name === 'bluebird') return /^(?:Promise\.)?map$/.test(path) && !hasConcurrency(options);
  return origin.name === 'p-map' && path === '' && !hasConcurrency(options);
}

/** Options that are not written here may have one. */
function hasConcurrency(options: Node | undefined): boolean {
  if (!options) return false;
  const node = unwrap(options);
  if (node.type !== 'ObjectExpression') return true;
  return node.properties.some((one) => one.type !== 'ObjectProperty' || staticName(one.key, one.computed) === 'concurrency');
}

/** Whether a query returns a part, a check refuses longer lists, or a schema of the file does. */
function isLimited({ list, node }: AtOnce, facts: Facts): boolean {
  return madeOf(list, facts).some((part) => PART_OF_ROWS.test(facts.source.slice(part))) || isChecked(list, node, facts);
}

// The longest chain of variables to follow.
const MAX_STEPS = 6;

/** The list, and the values of the variables that it is made of. */
function madeOf(list: Node, facts: Facts): Node[] {
  const parts: Node[] = [list];
  for (let i = 0; i < parts.length && i < MAX_STEPS; i++)
    walkWithin(parts[i] as Node, (node) => {
      if (node.type !== 'Identifier' || parts.length > MAX_STEPS) return undefined;
      const declaration = facts.bindings.resolve(node)?.declaration;
      if (declaration?.type === 'VariableDeclarator' && declaration.init && !parts.some((one) => contains(one, declaration)))
        parts.push(declaration.init);
      return undefined;
    });
  return parts;
}

const SCHEMA_LIMIT = /\bmaxItems\b|\bArrayMaxSize\b|\.max\(\d|\bMAX_[A-Z_]{0,30}(?:ITEMS|IDS|FILES|COUNT|LENGTH|SIZE)\b/;

/** `if (ids.length > 100) return response.sendStatus(413)` */
function isChecked(list: Node, before: Node, facts: Facts): boolean {
  if (facts.remember('schemas that limit lists', () => SCHEMA_LIMIT.test(facts.source.text))) return true;
  const fn = enclosingFunction(before);
  if (!fn) return false;
  const checked = checkedIn(fn, facts);
  return madeOf(list, facts).some((one) => checked.has(facts.source.slice(unwrap(one)).replaceAll('?.', '.')));
}

/** The lists whose lengths a function compares, as they are written. */
function checkedIn(fn: Node, facts: Facts): ReadonlySet<string> {
  const byFunction = facts.remember('lists of which the length is checked', () => new Map<Node, ReadonlySet<string>>());
  const known = byFunction.get(fn);
  if (known) return known;
  const lists = new Set<string>();
  walkWithin(fn, (node) => {
    if (node.type !== 'BinaryExpression' || !/^[<>]=?$/.test(node.operator)) return;
    const [length, limit] = node.operator.startsWith('>') ? [node.left, node.right] : [node.right, node.left];
    const size = unwrap(length);
    if (isMember(size) && memberName(size) === 'length' && (numberOf(limit, facts.bindings) ?? 2) > 1)
      lists.add(facts.source.slice(size.object).replaceAll('?.', '.'));
  });
  byFunction.set(fn, lists);
  return lists;
}
