// Lists that are made with work for each element: their texts, or their order. Only worth a word if nothing reads them.
import type { Facts } from '../../analysis/facts/index.ts';
import { isCall, isFunction, isMember, memberName, unwrap, type CallNode, type Node } from '../../analysis/module/ast.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';
import { isPlain } from '../shared/reads.ts';
import { lastName, syncWork, type Work } from './work.ts';

/**
 * Functions that make a list or an object of another one, by their names: `_.mapValues`, `objectMap`. With a function that has no effect
 * and a result that nothing reads, the name says enough.
 */
const MAPS = /^(?:map|mapValues|mapKeys|objMap|objectMap|mapObject)$/;
const COPIES = /^(?:slice|concat|filter|map|from|keys|values|entries)$/;
/** What a comparator may call. */
const COMPARES = /^(?:localeCompare|compare|getTime|valueOf|toLowerCase|toUpperCase|toString|abs)$/;

export function unreadList(call: CallNode, facts: Facts): Work | undefined {
  if (call.type === 'NewExpression') return undefined;
  const method = lastName(call);
  if (method === 'sort' || method === 'toSorted') return isSortedCopy(call, method, facts) ? workOf(call, facts) : undefined;
  const make = call.arguments.at(-1);
  if (!MAPS.test(method) || !make || !isFunction(make) || !makesTexts(make, facts)) return undefined;
  const callee = unwrap(call.callee);
  // `list.map(fn)`, `_.map(list, fn)`
  const isOwn = call.arguments.length === 1 && isMember(callee) && method === 'map';
  if (!isOwn && call.arguments.length !== 2) return undefined;
  const given = isOwn ? callee.object : call.arguments[0];
  if (!given || !isPlain(given, facts)) return undefined;
  return workOf(call, facts);
}

const workOf = (call: CallNode, facts: Facts): Work => ({
  kind: 'made',
  whole: call,
  call,
  name: shortName(call, facts),
  isGuard: false,
});

// Longer names are shortened.
const MAX_NAME = 40;

function shortName(call: CallNode, facts: Facts): string {
  const written = facts.source.slice(unwrap(call.callee));
  return written.length <= MAX_NAME && !/\s/.test(written) ? written : `….${lastName(call)}`;
}

/** `[...list].sort(…)`, `list.slice().sort(…)`, `list.toSorted(…)` */
function isSortedCopy(call: CallNode, method: string, facts: Facts): boolean {
  const callee = unwrap(call.callee);
  const [compare, more] = call.arguments;
  if (!isMember(callee) || more || (compare && !(isFunction(compare) && isPure(compare, facts, isComparing)))) return false;
  const object = unwrap(callee.object);
  if (method === 'toSorted') return isPlain(object, facts);
  if (object.type === 'ArrayExpression') return object.elements.some((one) => one?.type === 'SpreadElement') && isPlain(object, facts);
  return isCall(object) && COPIES.test(lastName(object)) && isPlain(object, facts, [object]);
}

const isComparing = (call: CallNode): boolean => isMember(call.callee) && COMPARES.test(memberName(call.callee) ?? '');

/** Whether a function does nothing but make a text of what it gets: `(one) => JSON.stringify(one)`. */
function makesTexts(fn: Node, facts: Facts): boolean {
  let does = false;
  const isText = (call: CallNode): boolean => {
    const kind = syncWork(call, facts)?.kind;
    if (kind === 'text' || kind === 'hash') does = true;
    return kind === 'text' || kind === 'hash';
  };
  return isPure(fn, facts, isText) && does;
}

/** Whether a function has no effect: it returns something, and calls nothing but what is known. */
function isPure(fn: Node, facts: Facts, isKnown: (call: CallNode) => boolean): boolean {
  if (!isFunction(fn) || fn.async || fn.generator) return false;
  const known: Node[] = [];
  let is = true;
  walkWithin(fn.body, (node) => {
    if (isFunction(node) || node.type === 'ThrowStatement') is = false;
    if (isCall(node) && isKnown(node)) known.push(node);
    return is ? undefined : 'stop';
  });
  return is && isPlain(fn.body, facts, known);
}
