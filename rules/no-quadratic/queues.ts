// A list whose elements are taken from its front, or added there, one by one.
import type { Facts } from '../../analysis/facts/index.ts';
import { contains, isFunction, isMember, memberName, parentOf, unwrap, type Node, type t } from '../../analysis/module/ast.ts';
import { callsOn, roundsAround, variableOf, waitsInEachRound } from './rounds.ts';
import { isLong, type Size, type Sizes } from './sizes.ts';

export const MAY_SHIFT = /\.(?:shift|unshift|splice)\(/;

export interface Queue {
  list: Node;
  size: Size;
  /** Whether it waits for each element, which takes longer than to move the others. */
  waits: boolean;
}

/** `while (list.length > 0) list.shift()`, `for (const one of other) list.unshift(one)` */
export function findQueue(call: t.CallExpression | t.OptionalCallExpression, facts: Facts, sizes: Sizes): Queue | undefined {
  const callee = unwrap(call.callee);
  if (!isMember(callee)) return undefined;
  const method = memberName(callee);
  const takesFirst = method === 'shift' || (method === 'splice' && isSpliceOfFirst(call));
  if (!takesFirst && method !== 'unshift') return undefined;
  const binding = variableOf(callee.object, facts);
  if (!binding) return undefined;
  if (method === 'unshift') {
    const [round] = roundsAround(call);
    if (!round || contains(round.node, binding.identifier)) return undefined;
    const size = sizes.of(round.list);
    return size === 'input' || size === 'some' ? { list: callee.object, size, waits: false } : undefined;
  }
  const loop = loopUntilEmpty(call);
  if (!loop || contains(loop, binding.identifier) || (loop.test && endsEarly(loop.test))) return undefined;
  // A queue that the loop also fills is as long as what waits in it: of a tree, one level.
  if (callsOn(binding, /^(?:push|unshift)$/, facts).some((push) => contains(loop, push))) return undefined;
  const size = sizes.of(callee.object);
  return isLong(size) ? { list: callee.object, size, waits: waitsInEachRound({ node: loop, body: loop.body }, call, facts) } : undefined;
}

/** `while (list.length && taken < 9)`: a few elements from the front, however many there are. */
function endsEarly(test: Node): boolean {
  const node = unwrap(test);
  if (node.type === 'LogicalExpression') return node.operator === '&&' && (endsEarly(node.left) || endsEarly(node.right));
  return (
    node.type === 'BinaryExpression' &&
    /^<=?$/.test(node.operator) &&
    unwrap(node.left).type === 'Identifier' &&
    node.right.type === 'NumericLiteral' &&
    node.right.value <= FEW
  );
}

// V8 moves the start of an array of this length instead of its elements.
const FEW = 10_000;

function isSpliceOfFirst({ arguments: [from, count] }: t.CallExpression | t.OptionalCallExpression): boolean {
  return from?.type === 'NumericLiteral' && from.value === 0 && count?.type === 'NumericLiteral' && count.value === 1;
}

function loopUntilEmpty(node: Node): t.WhileStatement | t.DoWhileStatement | t.ForStatement | undefined {
  for (let at = parentOf(node); at && !isFunction(at); at = parentOf(at))
    if (at.type === 'WhileStatement' || at.type === 'DoWhileStatement' || (at.type === 'ForStatement' && !at.update)) return at;
  return undefined;
}
