// Whether a place runs often enough for V8 to optimize it with the types it has seen there.
import {
  contains,
  enclosingFunction,
  isCall,
  isFunction,
  isMember,
  memberName,
  parentOf,
  unwrap,
  type Node,
  type t,
} from '../module/ast.ts';
import type { Facts } from './index.ts';
import type { Repetition } from './hotness.ts';
import { isLight } from './light-code.ts';
import { walkWithin } from '../module/module-index.ts';

// A loop with fewer iterations than this ends before V8 optimizes anything in it: on Node 24 and 26, a function with one addition took 411
// calls.
const HOT_ROUNDS = 100;
// On a request path, each iteration counts once per request.
const HOT_ROUNDS_PER_REQUEST = 10;

/** `own`: in a hot loop of its own function. `callers`: its function is called in one. `cold`: neither. */
export type Heat = 'own' | 'callers' | 'cold';

export function findHeat(facts: Facts, node: Node): Heat {
  if (isInHotLoop(facts, node)) return 'own';
  const rounds = roundsOf(facts, facts.hotness.heatOf(node).repetitions);
  return rounds >= HOT_ROUNDS || (rounds >= HOT_ROUNDS_PER_REQUEST && facts.requestPaths.toNode(node) !== undefined) ? 'callers' : 'cold';
}

/** The heat of a callback that is passed by name: `shapes.forEach(draw)`. */
export function findCallbackHeat(facts: Facts, call: t.CallExpression | t.OptionalCallExpression): Heat {
  const own = [{ node: call, by: 'callback' }, ...facts.hotness.repetitionsInFunction(call)];
  return roundsOf(facts, own) >= HOT_ROUNDS ? 'own' : findHeat(facts, call);
}

/** Whether the loops around a place, in its own function, are hot. */
export function isInHotLoop(facts: Facts, node: Node): boolean {
  return roundsOf(facts, facts.hotness.repetitionsInFunction(node)) >= HOT_ROUNDS;
}

/**
 * Whether the innermost loop around a call does little besides the calls of `exempt`. If that loop is in a caller, the call's function is
 * judged. Each loop is walked once.
 */
export function loopLightness(facts: Facts, exempt: ReadonlySet<Node>): (site: Node) => boolean {
  const known = new Map<Node, boolean>();
  return (site) => {
    const node = facts.hotness.repetitionsInFunction(site)[0]?.node;
    const body =
      node === undefined
        ? enclosingFunction(site)?.body
        : isCall(node)
          ? node.arguments.find((argument) => contains(argument, site))
          : node.body;
    if (!body) return true;
    let answer = known.get(body);
    if (answer === undefined) known.set(body, (answer = isLight(body, facts, exempt)));
    return answer;
  };
}

/** How often loops repeat a place without waiting: 0 without any, and Infinity if the source shows no end. */
export function roundsOf(facts: Facts, repetitions: readonly Repetition[]): number {
  let rounds = 1;
  for (const repetition of repetitions)
    if (!isWaiting(facts, repetition)) rounds *= repetition.atMost ?? lengthOfList(facts, repetition) ?? Infinity;
  return repetitions.length === 0 ? 0 : rounds;
}

/**
 * How many elements the list of a loop can have, if the file shows all of them: a constant table, even one filled by a few `push` calls.
 */
function lengthOfList(facts: Facts, { node }: Repetition): number | undefined {
  const isCallback = node.type === 'CallExpression' || node.type === 'OptionalCallExpression';
  const list =
    node.type === 'ForOfStatement' ? unwrap(node.right) : isCallback && isMember(node.callee) ? unwrap(node.callee.object) : undefined;
  if (list?.type === 'ArrayExpression')
    return list.elements.some((element) => element?.type === 'SpreadElement') ? undefined : list.elements.length;
  const binding = list?.type === 'Identifier' ? facts.bindings.resolve(list) : undefined;
  if (
    binding?.declaration.type !== 'VariableDeclarator' ||
    binding.declaration.id !== binding.identifier ||
    !binding.declaration.init ||
    !facts.bindings.isConstant(binding)
  )
    return undefined;
  const init = unwrap(binding.declaration.init);
  if (init.type !== 'ArrayExpression' || init.elements.some((element) => element?.type === 'SpreadElement')) return undefined;
  let length = init.elements.length;
  for (const reference of facts.bindings.references(binding)) {
    const member = parentOf(reference);
    if (!isMember(member) || member.object !== reference) {
      // The list itself is passed: the callee may add to it.
      if (member?.type === 'CallExpression' || member?.type === 'NewExpression') return undefined;
      continue;
    }
    const call = parentOf(member);
    if (memberName(member) === undefined && call?.type === 'AssignmentExpression' && call.left === member) return undefined;
    if (call?.type !== 'CallExpression' || call.callee !== member || !/^(?:push|unshift|splice)$/.test(memberName(member) ?? '')) continue;
    if (facts.hotness.heatOf(call).repetitions.length > 0 || call.arguments.some((argument) => argument.type === 'SpreadElement'))
      return undefined;
    length += call.arguments.length;
  }
  return length;
}

/** Waiting for a file or a server costs thousands of times as much as a call site can. */
function isWaiting(facts: Facts, repetition: Repetition): boolean {
  // A long loop body would be walked again for each of its calls.
  const known = facts.remember('loops that wait', () => new Map<Node, boolean>());
  let answer = known.get(repetition.node);
  if (answer === undefined) known.set(repetition.node, (answer = waitsInside(repetition)));
  return answer;
}

function waitsInside(repetition: Repetition): boolean {
  const { node } = repetition;
  if (node.type === 'CallExpression' || node.type === 'OptionalCallExpression')
    return node.arguments.some((argument) => isFunction(argument) && (argument.async || argument.generator));
  if (node.type === 'ForOfStatement' && node.await) return true;
  let waits = false;
  walkWithin(node.body, (inner) => {
    if (isFunction(inner)) return false;
    waits = inner.type === 'AwaitExpression' || inner.type === 'YieldExpression' || (inner.type === 'ForOfStatement' && inner.await);
    return waits ? 'stop' : true;
  });
  return waits;
}
