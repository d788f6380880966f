// A list that is searched from its start for each element of another one, or of itself.
import type { Facts } from '../../analysis/facts/index.ts';
import { endsLoopAfter } from '../../analysis/facts/control-flow.ts';
import {
  contains,
  endOf,
  isCall,
  isFunction,
  isMember,
  memberName,
  parentOf,
  startOf,
  unwrap,
  type FunctionNode,
  type Node,
  type t,
} from '../../analysis/module/ast.ts';
import { isKeptShort } from './limits.ts';
import { callsOn, dependsOn, isSameInAllRounds, roundsAround, variableOf, type Round } from './rounds.ts';
import { together, type Size, type Sizes } from './sizes.ts';

export type SearchCall = t.CallExpression | t.OptionalCallExpression;

export interface Search {
  call: SearchCall;
  method: string;
  list: Node;
  round: Round;
  /** The member that the callback compares: `id`; undefined for the element itself. */
  key?: string;
  /** The callback asks for more than that one value. */
  hasMore: boolean;
  /** How certain it is that both lists can be long. */
  size: Size;
  /** What is searched grows with what is walked. Of two lists, one is short as a rule. */
  isOwn: boolean;
}

const BY_VALUE = /^(?:includes|indexOf|lastIndexOf)$/;
const BY_CALLBACK = /^(?:find|findIndex|findLast|findLastIndex|some|filter)$/;
export const MAY_SEARCH = /\.(?:includes|indexOf|lastIndexOf|find|findIndex|findLast|findLastIndex|some|filter)\b/;
/** Members that most elements have a value of their own for. */
const OF_ONE_ELEMENT =
  /(?:id|ids|uid|pid|tid|uuid|guid|key|name|slug|email|url|path|hash|sku|number|login|username|handle|address)$|^[a-z]$/i;

export function findSearch(call: SearchCall, facts: Facts, sizes: Sizes): Search | undefined {
  const callee = unwrap(call.callee);
  if (!isMember(callee) || callee.computed) return undefined;
  const method = memberName(callee) ?? '';
  const [first] = call.arguments;
  const byValue = BY_VALUE.test(method);
  if (!first || (!byValue && !BY_CALLBACK.test(method))) return undefined;
  const list = unwrap(callee.object);
  const rounds = roundsAround(call);
  if (rounds.length === 0 || isAfterFailure(call)) return undefined;
  const test = byValue ? undefined : equalityOf(first);
  if (!byValue && !test) return undefined;
  for (const round of rounds) {
    const isWalked = isWalkedList(list, round, facts);
    if (!(isWalked || isSameInAllRounds(list, round, facts)) || !dependsOn(first, round, facts) || isLastRound(call, round)) continue;
    const filled = filledBy(list, round, facts);
    const key = test?.key ?? keyOf(first);
    // Groups, kinds, and languages are few, however many elements have them.
    if (!isOfOneElement(key)) return undefined;
    const outer = sizes.of(round.list);
    const inner = filled || isWalked ? outer : sizes.of(list);
    const size = together(outer, inner);
    if (!size || isKeptShort(list, call, filled ? round.node : undefined, facts) || isKeptShort(round.list, call, undefined, facts))
      continue;
    if (byValue && !isWalked && !isArray(list, facts)) return undefined;
    return {
      call,
      method,
      list,
      round,
      size,
      isOwn: filled || isWalked || facts.source.slice(list) === facts.source.slice(round.list),
      hasMore: test?.hasMore ?? false,
      ...(test?.key === undefined ? {} : { key: test.key }),
    };
  }
  return undefined;
}

/** The last part of what is searched for: `id` of `row.id`; undefined for an element itself. */
function keyOf(value: Node): string | undefined {
  const node = unwrap(value);
  return isMember(node) ? memberName(node) : undefined;
}

function isOfOneElement(key: string | undefined): boolean {
  return key === undefined || OF_ONE_ELEMENT.test(key);
}

/** `list.filter((one, i, all) => all.indexOf(one) === i)`: the callback gets the list that is walked as its last parameter. */
function isWalkedList(list: Node, { node, body }: Round, facts: Facts): boolean {
  if (!isFunction(body) || !isCall(node)) return false;
  const callee = unwrap(node.callee);
  const method = isMember(callee) ? (memberName(callee) ?? '') : '';
  // What `reduce` has gathered comes first. `sort` gets two elements, and no list.
  const parameter = /sort/i.test(method) ? undefined : body.params[method.startsWith('reduce') ? 3 : 2];
  return parameter?.type === 'Identifier' && variableOf(list, facts)?.identifier === parameter;
}

/** Whether the loop fills the list that it searches. */
function filledBy(list: Node, round: Round, facts: Facts): boolean {
  const binding = variableOf(list, facts);
  return binding !== undefined && callsOn(binding, /^(?:push|unshift)$/, facts).some((push) => contains(round.body, push));
}

/** `(one) => one.id === row.id`, also with more conditions: the member of the element that is compared. */
function equalityOf(callback: Node): { key: string | undefined; hasMore: boolean } | undefined {
  const fn = unwrap(callback);
  if (!isFunction(fn)) return undefined;
  const result = resultOf(fn);
  const found = result && equalityIn(result, fn);
  return found && { ...found, hasMore: result.type === 'LogicalExpression' };
}

function resultOf(fn: FunctionNode): Node | undefined {
  if (fn.body.type !== 'BlockStatement') return unwrap(fn.body);
  const [only, ...more] = fn.body.body;
  return only?.type === 'ReturnStatement' && only.argument && more.length === 0 ? unwrap(only.argument) : undefined;
}

/** Of the condition in a nested loop: what is compared with a part of the element that most elements have a value of their own for. */
export function equalityOfElements(test: Node, element: Node): { other: Node } | undefined {
  const node = unwrap(test);
  if (node.type === 'LogicalExpression' && node.operator === '&&')
    return equalityOfElements(node.left, element) ?? equalityOfElements(node.right, element);
  if (node.type !== 'BinaryExpression' || !/^===?$/.test(node.operator)) return undefined;
  for (const [own, other] of [
    [node.left, node.right],
    [node.right, node.left],
  ] as const) {
    if (!isElement(own, element) || isElement(other, element)) continue;
    const key = element.type === 'ObjectPattern' ? nameOfKey(unwrap(own)) : keyOf(own);
    return isOfOneElement(key) && isOfOneElement(keyOf(other)) ? { other } : undefined;
  }
  return undefined;
}

function isElement(node: Node, element: Node): boolean {
  if (element.type !== 'MemberExpression') return isAbout(node, element);
  let at = unwrap(node);
  for (; isMember(at); at = unwrap(at.object)) if (at.computed && element.computed && isSameIndex(at, element)) return true;
  return false;
}

function isSameIndex(a: Node, b: t.MemberExpression): boolean {
  if (!isMember(a) || a.property.type !== 'Identifier' || b.property.type !== 'Identifier') return false;
  return a.property.name === b.property.name;
}

function nameOfKey(node: Node): string | undefined {
  return node.type === 'Identifier' ? node.name : keyOf(node);
}

function equalityIn(test: Node, fn: FunctionNode): { key: string | undefined } | undefined {
  const node = unwrap(test);
  if (node.type === 'LogicalExpression' && node.operator === '&&') return equalityIn(node.left, fn) ?? equalityIn(node.right, fn);
  if (node.type !== 'BinaryExpression' || !/^===?$/.test(node.operator)) return undefined;
  return sideOf(node.left, node.right, fn) ?? sideOf(node.right, node.left, fn);
}

/** The side that is about the element, if the other one is not. */
function sideOf(own: Node, other: Node, fn: FunctionNode): { key: string | undefined } | undefined {
  const [param] = fn.params;
  if (!param || isAbout(other, param)) return undefined;
  // `String(one.id)`, `one.id.toString()`
  let node = unwrap(own);
  while (node.type === 'CallExpression' || node.type === 'OptionalCallExpression') {
    const callee = unwrap(node.callee);
    const [first] = node.arguments;
    const inner = isMember(callee) ? callee.object : first;
    if (!inner) return undefined;
    node = unwrap(inner);
  }
  if (!isAbout(node, param)) return undefined;
  return { key: isMember(node) ? memberName(node) : param.type === 'ObjectPattern' && node.type === 'Identifier' ? node.name : undefined };
}

function isAbout(node: Node, param: Node): boolean {
  const names = new Set<string>();
  if (param.type === 'Identifier') names.add(param.name);
  else if (param.type === 'ObjectPattern')
    for (const one of param.properties) if (one.type === 'ObjectProperty' && one.value.type === 'Identifier') names.add(one.value.name);
  let at = unwrap(node);
  while (isMember(at)) at = unwrap(at.object);
  if (at.type === 'CallExpression' && isMember(at.callee)) return isAbout(at.callee.object, param);
  if (at.type === 'CallExpression') return at.arguments.some((argument) => isAbout(argument, param));
  return at.type === 'Identifier' && names.has(at.name);
}

/** In a `catch`: it runs for what fails, which is not every element. */
function isAfterFailure(node: Node): boolean {
  for (let at = parentOf(node); at && !isFunction(at); at = parentOf(at)) if (at.type === 'CatchClause') return true;
  return false;
}

/** Whether the loop always ends with the round that searches. */
function isLastRound(call: Node, { node }: Round): boolean {
  for (let at: Node | undefined = call; at && at !== node; at = parentOf(at))
    if (at.type === 'ReturnStatement' && node.type.startsWith('For')) return true;
  return endsLoopAfter(call, node);
}

/** Texts have `includes` and `indexOf`, too. */
function isArray(list: Node, facts: Facts): boolean {
  if (facts.values.valueOf(list).kind === 'array') return true;
  const binding = variableOf(list, facts);
  if (!binding) return false;
  if (binding.kind === 'const' && binding.declaration.type === 'VariableDeclarator' && isMapped(binding.declaration.init)) return true;
  const annotation = 'typeAnnotation' in binding.identifier ? binding.identifier.typeAnnotation : undefined;
  if (
    annotation &&
    /^:\s*(?:readonly\s+)?(?:[\w.]+\[\]|(?:Readonly)?Array<)/.test(facts.source.text.slice(startOf(annotation), endOf(annotation)))
  )
    return true;
  return callsOn(binding, /^(?:push|unshift|map|forEach|filter|reduce|some|every|find|findIndex|flatMap|join|sort)$/, facts).length > 0;
}

/** `rows.map(({ sku }) => sku)`: nothing but lists is asked for its elements that way. */
function isMapped(init: Node | null | undefined): boolean {
  const call = init ? unwrap(init) : undefined;
  if (!call || !isCall(call) || !isMember(call.callee) || !/^(?:map|flatMap)$/.test(memberName(call.callee) ?? '')) return false;
  const [callback] = call.arguments;
  return callback !== undefined && isFunction(callback);
}
