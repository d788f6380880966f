// The loops around a place that run it once for each element of a list.
import type { Binding } from '../../analysis/facts/bindings.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { iteratingCallOf } from '../../analysis/facts/hotness.ts';
import {
  contains,
  endOf,
  isFunction,
  isLoop,
  isMember,
  memberName,
  parentOf,
  startOf,
  unwrap,
  type Node,
  type t,
} from '../../analysis/module/ast.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';

export interface Round {
  /** The loop, or the call that calls back for each element. */
  node: Node;
  /** What runs for each element: the body of the loop, or the callback. */
  body: Node;
  /** What is walked. */
  list: Node;
}

const METHODS = /^(?:forEach|map|flatMap|filter|reduce|reduceRight|some|every|find|findIndex|findLast|findLastIndex|sort|toSorted)$/;

/** Innermost first, within the function, and through callbacks that run at once. */
export function roundsAround(node: Node): Round[] {
  const found: Round[] = [];
  let from = node;
  for (let at = parentOf(node); at; from = at, at = parentOf(at)) {
    if (isLoop(at)) {
      const list = at.body === from ? listOf(at) : undefined;
      if (list) found.push({ node: at, body: at.body, list });
    } else if (isFunction(at)) {
      const call = iteratingCallOf(at)?.node;
      if (!call || isLoop(call) || !isMember(call.callee) || call.arguments[0] !== at) return found;
      if (METHODS.test(memberName(call.callee) ?? '')) found.push({ node: call, body: at, list: call.callee.object });
      at = call;
    }
  }
  return found;
}

/** `for (const x of list)`, `for (let i = 0; i < list.length; i++)` */
function listOf(loop: Node): Node | undefined {
  if (loop.type === 'ForOfStatement') return loop.right;
  if (loop.type !== 'ForStatement' || loop.test?.type !== 'BinaryExpression' || !/^<=?$/.test(loop.test.operator)) return undefined;
  const end = unwrap(loop.test.right);
  return isMember(end) && memberName(end) === 'length' ? end.object : undefined;
}

/** Whether an expression means the same thing in every round: all its names are declared outside, and it is only made of names. */
export function isSameInAllRounds(expression: Node, { node }: Round, facts: Facts): boolean {
  let at = unwrap(expression);
  while (isMember(at) && !at.computed) at = unwrap(at.object);
  if (at.type === 'ThisExpression') return true;
  const binding = at.type === 'Identifier' ? facts.bindings.resolve(at) : undefined;
  return (
    binding !== undefined &&
    !contains(node, binding.identifier) &&
    !facts.bindings.writes(binding).some((write) => contains(node, write.identifier))
  );
}

/** Whether an expression uses what only this round knows. */
export function dependsOn(expression: Node, { node }: Round, facts: Facts): boolean {
  let depends = false;
  walkWithin(expression, (inner) => {
    if (inner.type !== 'Identifier') return depends ? 'stop' : undefined;
    const binding = facts.bindings.resolve(inner);
    depends ||= binding !== undefined && contains(node, binding.identifier) && !contains(expression, binding.identifier);
    return depends ? 'stop' : undefined;
  });
  return depends;
}

/**
 * Whether a loop awaits something before its next round, or its callback before it comes to the call: other code runs in between. A
 * callback that is async does not make `map` wait by itself.
 */
export function waitsInEachRound({ node, body }: Pick<Round, 'node' | 'body'>, call: Node, facts: Facts): boolean {
  if (!isLoop(node)) return firstWaitIn(body, facts) <= startOf(call);
  return (node.type === 'ForOfStatement' && node.await === true) || firstWaitIn(body, facts) < Infinity;
}

/** Where the first `await` of a body ends, without those of other functions; Infinity if there is none. */
function firstWaitIn(body: Node, facts: Facts): number {
  const byBody = facts.remember('first waits of rounds', () => new Map<Node, number>());
  const known = byBody.get(body);
  if (known !== undefined) return known;
  let first = Infinity;
  walkWithin(body, (inner) => {
    if (inner !== body && isFunction(inner)) return false;
    if (inner.type === 'AwaitExpression') first = Math.min(first, endOf(inner));
    return undefined;
  });
  byBody.set(body, first);
  return first;
}

/** The variable that an expression names. */
export function variableOf(expression: Node, facts: Facts): Binding | undefined {
  const node = unwrap(expression);
  return node.type === 'Identifier' ? facts.bindings.resolve(node) : undefined;
}

/** The calls of a method of a variable: `push` for `list.push(one)`. */
export function callsOn(binding: Binding, method: RegExp, facts: Facts): (t.CallExpression | t.OptionalCallExpression)[] {
  return facts.bindings.references(binding).flatMap((reference) => {
    const member = parentOf(reference);
    if (!isMember(member) || member.object !== reference || !method.test(memberName(member) ?? '')) return [];
    const call = parentOf(member);
    return (call?.type === 'CallExpression' || call?.type === 'OptionalCallExpression') && call.callee === member ? [call] : [];
  });
}
