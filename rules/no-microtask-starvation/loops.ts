// Loops that await and still never let the event loop turn.
import { endOf, isFunction, isLoop, parentOf, startOf, type LoopNode, type Node, type t } from '../../analysis/module/ast.ts';
import { constantOf } from '../../analysis/facts/constants.ts';
import { isAlwaysTrue } from '../../analysis/facts/control-flow.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { SMALL_BOUND } from '../../analysis/facts/queue-hops.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';
import { isLong, isShort } from './bounds.ts';
import type { Settled } from '../../analysis/facts/awaits/resolved-awaits.ts';

export interface SpinningLoop {
  loop: LoopNode;
  /** The awaits in it, or the loop itself for `for await`. */
  awaits: readonly Node[];
  /** Whether nothing in the source ends it. */
  isEndless: boolean;
  /** An await that can only be meant to yield: `await null`. */
  plain?: t.AwaitExpression;
}

/** The outermost loop of a function around a settled await that awaits nothing else, if it may have many iterations. */
export function findSpinningLoop(facts: Facts, settled: Settled, node: Node): SpinningLoop | undefined {
  let found: SpinningLoop | undefined;
  let from = node;
  for (let at: Node | undefined = isLoop(node) ? node : parentOf(node); at && !isFunction(at); from = at, at = parentOf(at)) {
    if (isLoop(at) && isInRound(at, from, node)) found = judge(facts, settled, at) ?? found;
  }
  return found;
}

/** Whether a part of a loop runs in each iteration. */
function isInRound(loop: LoopNode, part: Node, node: Node): boolean {
  if (loop === node) return true;
  if (loop.type === 'ForStatement') return part !== loop.init;
  return !((loop.type === 'ForOfStatement' || loop.type === 'ForInStatement') && part === loop.right);
}

function judge(facts: Facts, settled: Settled, loop: LoopNode): SpinningLoop | undefined {
  const awaits = settledAwaits(settled, loop);
  const [first] = awaits;
  if (!first) return undefined;
  const plain = awaits.find(
    (node): node is t.AwaitExpression => node.type === 'AwaitExpression' && settled.isPlainlySettled(node.argument),
  );
  switch (loop.type) {
    case 'WhileStatement':
    case 'DoWhileStatement':
      if (isAlwaysTrue(loop.test)) return { loop, awaits, plain, isEndless: !hasExit(loop) };
      return isShort(facts, [loop.test]) ? undefined : { loop, awaits, plain, isEndless: false };
    case 'ForStatement': {
      if (!loop.test || isAlwaysTrue(loop.test)) return { loop, awaits, plain, isEndless: !hasExit(loop) };
      // A counted loop is long work like any other, unless it is meant to yield.
      return isLong(facts, loop.test) || (plain && !isShort(facts, [loop.test])) ? { loop, awaits, plain, isEndless: false } : undefined;
    }
    case 'ForOfStatement':
      if (isEndlessSource(settled, loop.right)) return { loop, awaits, plain, isEndless: !hasExit(loop) };
      return plain && !isShortList(facts, loop.right) ? { loop, awaits, plain, isEndless: false } : undefined;
    case 'ForInStatement':
      return plain ? { loop, awaits, plain, isEndless: false } : undefined;
  }
}

/** The awaits in the iterations of a loop; none if one of them may wait, or if it is up to the consumer of a generator. */
function settledAwaits(settled: Settled, loop: LoopNode): Node[] {
  const awaits: Node[] = [];
  let mayWait = false;
  walkWithin(loop, (node) => {
    if (mayWait || isFunction(node)) return false;
    if (node.type === 'YieldExpression') mayWait = true;
    if (node.type === 'AwaitExpression' && !isSetUp(loop, node)) {
      if (settled.isSettled(node.argument)) awaits.push(node);
      else mayWait = true;
    }
    if (node.type === 'ForOfStatement' && node.await) {
      if (settled.isSettledSource(node.right)) awaits.push(node);
      else mayWait = true;
    }
    return !mayWait;
  });
  return mayWait ? [] : awaits;
}

/** Whether an await is in a part of a loop that runs once, before the first iteration. */
function isSetUp(loop: LoopNode, node: Node): boolean {
  const once =
    loop.type === 'ForStatement' ? loop.init : loop.type === 'ForOfStatement' || loop.type === 'ForInStatement' ? loop.right : undefined;
  return once != null && startOf(once) <= startOf(node) && endOf(node) <= endOf(once);
}

/** Whether something in a loop leaves it. */
export function hasExit(loop: LoopNode): boolean {
  let exits = false;
  walkWithin(loop.body, (node) => {
    if (exits || isFunction(node)) return false;
    if (node.type === 'ReturnStatement' || node.type === 'ThrowStatement') exits = true;
    if (node.type === 'BreakStatement') exits ||= node.label != null || breaks(node, loop);
    if (node.type === 'ContinueStatement' && node.label) exits = true;
    return !exits;
  });
  return exits;
}

function breaks(node: t.BreakStatement, loop: LoopNode): boolean {
  for (let at = parentOf(node); at; at = parentOf(at)) {
    if (at === loop) return true;
    if (isLoop(at) || at.type === 'SwitchStatement') return false;
  }
  return false;
}

/** Whether a `for … of` iterates over a generator of this file that never ends. */
function isEndlessSource(settled: Settled, source: Node): boolean {
  return (
    settled.findGenerators(source)?.some((generator) => {
      let endless = false;
      walkWithin(generator.body, (node) => {
        if (endless || isFunction(node)) return false;
        if (
          (node.type === 'WhileStatement' && isAlwaysTrue(node.test)) ||
          (node.type === 'ForStatement' && (!node.test || isAlwaysTrue(node.test)))
        )
          endless = !hasExit(node as LoopNode) && hasYield(node);
        return !endless;
      });
      return endless;
    }) ?? false
  );
}

function hasYield(loop: Node): boolean {
  let found = false;
  walkWithin(loop, (node) => {
    if (isFunction(node)) return false;
    if (node.type === 'YieldExpression') found = true;
    return !found;
  });
  return found;
}

function isShortList(facts: Facts, expression: Node): boolean {
  const list = constantOf(expression, facts.bindings) ?? expression;
  return (
    list.type === 'ArrayExpression' &&
    list.elements.length <= SMALL_BOUND &&
    list.elements.every((element) => element?.type !== 'SpreadElement')
  );
}
