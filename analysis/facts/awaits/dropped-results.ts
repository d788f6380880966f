// Calls whose promise nobody waits for, although their function goes on.
import {
  endOf,
  isCall,
  isFunction,
  isLoop,
  isMember,
  memberName,
  parentOf,
  startOf,
  type CallNode,
  type FunctionNode,
  type Node,
} from '../../module/ast.ts';
import { walkWithin } from '../../module/module-index.ts';
import type { Facts } from '../index.ts';

/**
 * Whether a call's result is dropped, and calls follow that do not wait for it: `save(order); notify(order)`. If `save` is async, its code
 * up to its first `await` runs before them, and the rest after them.
 */
export function isDroppedAndFollowed(call: CallNode, facts: Facts): boolean {
  const statement = statementThatDrops(call);
  return statement !== undefined && isFollowed(statement, facts);
}

/** `save()`, `void save()`, `save().catch(log)`, `ready && save()` */
function statementThatDrops(call: CallNode): Node | undefined {
  let from: Node = call;
  for (let at = parentOf(from); at; from = at, at = parentOf(at)) {
    if (at.type === 'ExpressionStatement') return at;
    const isKept = isMember(at)
      ? at.object !== from || !/^(?:then|catch|finally)$/.test(memberName(at) ?? '')
      : isCall(at)
        ? at.callee !== from
        : at.type === 'LogicalExpression'
          ? at.right !== from
          : !(at.type === 'UnaryExpression' && at.operator === 'void');
    if (isKept) return undefined;
  }
  return undefined;
}

/** Whether a later statement of the function, or the next round of a loop, calls anything. */
function isFollowed(statement: Node, facts: Facts): boolean {
  const ends = facts.remember('ends of the last statements that call', () => new Map<Node, number>());
  let from = statement;
  for (let at = parentOf(from); at && !isFunction(from); from = at, at = parentOf(at)) {
    if (isLoop(at)) return true;
    let end = ends.get(at);
    if (end === undefined) ends.set(at, (end = endOfLastCalling(at)));
    if (end > endOf(from)) return true;
  }
  return false;
}

/** -1 if no statement of the list calls anything. */
function endOfLastCalling(at: Node): number {
  const list = at.type === 'BlockStatement' || at.type === 'Program' ? at.body : at.type === 'SwitchCase' ? at.consequent : [];
  const last = list.findLast(calls);
  return last ? endOf(last) : -1;
}

function calls(statement: Node): boolean {
  let does = false;
  if (!isFunction(statement))
    walkWithin(statement, (node) => {
      if (isFunction(node)) return false;
      does = isCall(node);
      return does ? 'stop' : true;
    });
  return does;
}

/** Whether an async function always waits for something before it gets to `site`: what its callers do next has happened by then. */
export function waitsBefore(fn: FunctionNode, site: Node, facts: Facts): boolean {
  const known = facts.remember('what functions wait for', () => new Map<FunctionNode, Node[]>());
  const waits = known.get(fn) ?? waitsOf(fn);
  known.set(fn, waits);
  for (const node of waits) {
    if (startOf(node) >= startOf(site)) return false;
    if (endOf(node) <= startOf(site) && isOnWayTo(node, site, fn)) return true;
  }
  return false;
}

/** In the order of the source. */
function waitsOf(fn: FunctionNode): Node[] {
  const waits: Node[] = [];
  walkWithin(fn.body, (node) => {
    if (isFunction(node)) return false;
    if (node.type === 'AwaitExpression' || (node.type === 'ForOfStatement' && node.await)) waits.push(node);
    return true;
  });
  return waits;
}

/** Whether what runs `site` has run `node` before: no condition, `catch`, or loop between them and what contains both. */
function isOnWayTo(node: Node, site: Node, fn: FunctionNode): boolean {
  let from = node;
  for (let at = parentOf(from); at && from !== fn.body; from = at, at = parentOf(at)) {
    if (startOf(at) <= startOf(site) && endOf(at) >= endOf(site)) return true;
    if (isBranch(at, from)) return false;
  }
  return true;
}

function isBranch(at: Node, part: Node): boolean {
  if (at.type === 'IfStatement' || at.type === 'ConditionalExpression') return at.test !== part;
  if (at.type === 'LogicalExpression') return at.right === part;
  return isLoop(at) || at.type === 'SwitchCase' || at.type === 'CatchClause' || at.type === 'AssignmentPattern';
}
