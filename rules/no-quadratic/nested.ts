// Two loops of which one is inside the other: a join by hand, keys that are compared with keys, a sort that exchanges elements.
import type { Facts } from '../../analysis/facts/index.ts';
import { contains, isFunction, isMember, parentOf, unwrap, type Node, type t } from '../../analysis/module/ast.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';
import { dependsOn, isSameInAllRounds, roundsAround, variableOf, type Round } from './rounds.ts';
import { equalityOfElements } from './searches.ts';
import { together, type Size, type Sizes } from './sizes.ts';

export interface Nested {
  /** The condition that compares. */
  at: Node;
  kind: 'compared' | 'keys' | 'exchanged';
  list: Node;
  each: Node;
  size: Size;
  /** The outer loop. */
  loop: Node;
}

/** `for (const a of as) for (const b of bs) if (a.id === b.id) …`: by what its body does, and does not do. */
export function findJoin(test: t.IfStatement, facts: Facts, sizes: Sizes): Nested | undefined {
  const [inner, outer] = roundsAround(test);
  if (!inner || !outer || test.alternate || !isWholeBody(test, inner)) return undefined;
  if (!isSameInAllRounds(inner.list, outer, facts) || isSameText(inner.list, outer.list, facts)) return undefined;
  const element = elementOf(inner, facts);
  if (!element) return undefined;
  const compared = equalityOfElements(test.test, element);
  if (!compared || !dependsOn(compared.other, outer, facts) || !dependsOnElement(compared.other, outer, inner, facts)) return undefined;
  const size = together(sizes.of(inner.list), sizes.of(outer.list));
  if (!size) return undefined;
  return {
    at: test.test,
    kind: 'compared',
    list: inner.list,
    each: outer.list,
    size,
    loop: outer.node,
  };
}

/** `for (const a in as) for (const b in bs) if (a === b) …`: whether one object has a key of the other. */
export function findKeys(test: t.IfStatement, facts: Facts): Nested | undefined {
  const inner = keyLoopAround(test);
  const outer = inner && keyLoopAround(inner);
  if (!inner || !outer || test.alternate || !isWholeBody(test, { node: inner, body: inner.body, list: inner.right })) return undefined;
  const node = unwrap(test.test);
  if (node.type !== 'BinaryExpression' || !/^===?$/.test(node.operator)) return undefined;
  const [left, right] = [variableOf(node.left, facts), variableOf(node.right, facts)];
  if (!left || !right) return undefined;
  const isOf = (loop: t.ForInStatement, binding: typeof left): boolean =>
    contains(loop.left, binding.identifier) || (loop.left.type === 'Identifier' && facts.bindings.resolve(loop.left) === binding);
  if (!((isOf(inner, left) && isOf(outer, right)) || (isOf(inner, right) && isOf(outer, left)))) return undefined;
  return { at: test.test, kind: 'keys', list: inner.right, each: outer.right, size: 'open', loop: outer };
}

function keyLoopAround(node: Node): t.ForInStatement | undefined {
  for (let at = parentOf(node); at && !isFunction(at); at = parentOf(at)) {
    if (at.type === 'ForInStatement') return at;
    if (at.type !== 'BlockStatement' && at.type !== 'LabeledStatement') return undefined;
  }
  return undefined;
}

/** `for (let i …) for (let j …) if (list[i] > list[j]) { const one = list[i]; list[i] = list[j]; list[j] = one; }` */
export function findExchange(loop: t.ForStatement, facts: Facts, sizes: Sizes): Nested | undefined {
  const j = counterOf(loop);
  const outer = outerLoopOf(loop);
  const i = outer && counterOf(outer);
  if (!j || !i || !outer) return undefined;
  let list: Node | undefined;
  let at: Node | undefined;
  walkWithin(loop.body, (node) => {
    if (isFunction(node)) return false;
    if (node.type !== 'IfStatement') return undefined;
    list = exchangedIn(node, [i, j], facts);
    at = node.test;
    return list ? 'stop' : undefined;
  });
  if (!list || !at || sizes.of(list) === 'short' || !isSameInAllRounds(list, { node: outer, body: outer.body, list }, facts))
    return undefined;
  return { at, kind: 'exchanged', list, each: list, size: 'open', loop: outer };
}

function outerLoopOf(loop: Node): t.ForStatement | undefined {
  for (let at = parentOf(loop); at && !isFunction(at); at = parentOf(at)) if (at.type === 'ForStatement') return at;
  return undefined;
}

/** The name that a loop counts up to the length of something: `i` of `for (let i = 0; i < list.length - 1; i++)`. */
function counterOf({ test, update }: t.ForStatement): string | undefined {
  if (update?.type !== 'UpdateExpression' || update.argument.type !== 'Identifier' || test?.type !== 'BinaryExpression') return undefined;
  return test.left.type === 'Identifier' && test.left.name === update.argument.name ? test.left.name : undefined;
}

/** The list of which an `if` compares two elements, and exchanges them. */
function exchangedIn({ test, consequent }: t.IfStatement, counters: readonly string[], facts: Facts): Node | undefined {
  const written: { list: Node; index: string; from: string }[] = [];
  walkWithin(consequent, (node) => {
    if (node.type !== 'AssignmentExpression' || node.operator !== '=') return undefined;
    const left = unwrap(node.left);
    if (left.type === 'MemberExpression' && left.computed && unwrap(left.object).type === 'Identifier')
      written.push({ list: left.object, index: facts.source.slice(left.property), from: facts.source.slice(node.right) });
    return undefined;
  });
  const [first, second] = written;
  if (!first || !second || written.length !== 2) return undefined;
  const name = facts.source.slice(first.list);
  const compared = facts.source.slice(test);
  const isOf = (index: string): boolean => counters.some((counter) => index.split(/\W/).includes(counter));
  if (facts.source.slice(second.list) !== name || first.index === second.index || !isOf(first.index) || !isOf(second.index))
    return undefined;
  const elements = [`${name}[${first.index}]`, `${name}[${second.index}]`];
  if (first.from !== elements[1] || !elements.every((one) => compared.includes(one)) || !/[<>]/.test(compared)) return undefined;
  return first.list;
}

/** Whether the `if` is all that the inner loop does, after the element got a name. */
function isWholeBody(test: t.IfStatement, { body }: Round): boolean {
  if (body === test) return true;
  const block = isFunction(body) ? body.body : body;
  if (block.type !== 'BlockStatement' || block.body.at(-1) !== test) return false;
  return block.body.slice(0, -1).every(({ type }) => type === 'VariableDeclaration');
}

/** What stands for the element of the inner list in a condition: its name, or `list[j]`. */
function elementOf({ node, body, list }: Round, facts: Facts): Node | undefined {
  if (node.type === 'ForOfStatement') {
    const name = node.left.type === 'VariableDeclaration' ? node.left.declarations[0]?.id : node.left;
    return node.await ? undefined : (name ?? undefined);
  }
  if (isFunction(body)) return body.params[0];
  if (node.type !== 'ForStatement') return undefined;
  const counter = counterOf(node);
  let element: Node | undefined;
  walkWithin(body, (inner) => {
    if (
      isMember(inner) &&
      inner.computed &&
      inner.property.type === 'Identifier' &&
      inner.property.name === counter &&
      isSameText(inner.object, list, facts)
    ) {
      const up = parentOf(inner);
      element ??= up?.type === 'VariableDeclarator' && up.id.type === 'Identifier' ? up.id : inner;
    }
    return element ? 'stop' : undefined;
  });
  return element;
}

/** Whether the other side is about the element of the outer list, and not of something between the loops. */
function dependsOnElement(other: Node, outer: Round, inner: Round, facts: Facts): boolean {
  return contains(outer.body, inner.node) && !dependsOn(other, inner, facts);
}

function isSameText(a: Node, b: Node, facts: Facts): boolean {
  return facts.source.slice(a) === facts.source.slice(b);
}
