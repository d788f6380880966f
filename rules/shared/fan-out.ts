// Where a call is made many times without waiting for the one before.
import { numberOf } from '../../analysis/facts/constants.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import {
  isCall,
  isFunction,
  isMember,
  memberName,
  parentOf,
  unwrap,
  type FunctionNode,
  type Node,
  type t,
} from '../../analysis/module/ast.ts';

export interface FanOut {
  /** The loop, or the call that calls back for each item. */
  node: Node;
  /** How many calls, if the source shows it. */
  count: number | undefined;
  /** What is walked. */
  list: Node | undefined;
  /** The call that runs for each item: the one in question, or that of the function of the file around it. */
  site: Node;
}

type Found = Omit<FanOut, 'site'>;

// The longest chain of functions of the file to follow.
const MAX_CALLERS = 3;
const PER_ITEM: ReadonlySet<string> = new Set(['map', 'forEach', 'flatMap']);

export function fanOutOf(call: Node, facts: Facts, steps = 0): FanOut | undefined {
  return fanOutAt(call, facts) ?? throughCallers(directOf(call, facts).around, facts, steps);
}

/** Of the call itself, and not of a function around it. */
export function fanOutAt(call: Node, facts: Facts): FanOut | undefined {
  const { found } = directOf(call, facts);
  return found && { ...found, site: call };
}

/** `around`: the function that ends the search. */
function directOf(call: Node, facts: Facts): { found?: Found | undefined; around?: FunctionNode } {
  let isAwaited = false;
  let child: Node = call;
  for (let node = parentOf(call); node; child = node, node = parentOf(node)) {
    if (node.type === 'AwaitExpression') isAwaited = true;
    const found = isAwaited ? undefined : loopAt(node, child, facts);
    if (found) return { found };
    if (node.type === 'ArrayExpression') {
      const all = allOf(node, call, facts);
      if (all) return { found: all };
    }
    if (!isFunction(node)) continue;
    const parent = parentOf(node);
    if (parent?.type === 'NewExpression' && parent.arguments[0] === node && facts.origins.isGlobal(parent.callee, 'Promise')) {
      isAwaited = false;
      continue;
    }
    return { found: itemsOf(node, parent, facts), around: node };
  }
  return {};
}

/** A loop that does not wait. One that a condition ends (`while`) is not counted. */
function loopAt(node: Node, child: Node, facts: Facts): Found | undefined {
  if (node.type === 'ForOfStatement' && node.body === child && !node.await) return overList(node, node.right, facts);
  if (node.type !== 'ForStatement' || node.body !== child) return undefined;
  const test = node.test;
  if (test?.type !== 'BinaryExpression' || !/^<=?$/.test(test.operator)) return undefined;
  const bound = unwrap(test.right);
  if (isMember(bound) && memberName(bound) === 'length') return overList(node, bound.object, facts);
  const first = firstOf(node, facts);
  const end = numberOf(bound, facts.bindings);
  if (first === undefined || end === undefined || node.update?.type !== 'UpdateExpression') return undefined;
  return { node, count: end - first + (test.operator === '<=' ? 1 : 0), list: undefined };
}

/** The number that a loop begins with. */
function firstOf({ init }: t.ForStatement, facts: Facts): number | undefined {
  const value =
    init?.type === 'VariableDeclaration' ? init.declarations[0]?.init : init?.type === 'AssignmentExpression' ? init.right : undefined;
  return value ? numberOf(value, facts.bindings) : undefined;
}

/** `Promise.all([job(), job(), …])`: how many of its elements make the same call. */
function allOf(list: t.ArrayExpression, call: Node, facts: Facts): Found | undefined {
  const parent = parentOf(list);
  if (!isPromiseAll(parent, facts) || !isCall(call)) return undefined;
  const callee = facts.source.slice(call.callee);
  const same = list.elements.filter((element) => isCall(element) && facts.source.slice(element.callee) === callee);
  return same.length > 1 ? { node: parent, count: same.length, list: undefined } : undefined;
}

function isPromiseAll(node: Node | undefined, facts: Facts): node is t.CallExpression {
  return (
    node?.type === 'CallExpression' &&
    ['Promise.all', 'Promise.allSettled', 'Promise.any', 'Promise.race'].some((name) => facts.origins.isGlobal(node.callee, name))
  );
}

/** `items.map(async (item) => …)`: each call starts without waiting for the one before, whatever it awaits itself. */
function itemsOf(fn: FunctionNode, call: Node | undefined, facts: Facts): Found | undefined {
  if (!isCall(call) || call.arguments[0] !== fn || !isMember(call.callee) || !PER_ITEM.has(memberName(call.callee) ?? '')) return undefined;
  return overList(call, call.callee.object, facts);
}

function overList(node: Node, list: Node, facts: Facts): Found | undefined {
  const items = unwrap(list);
  if (items.type === 'ArrayExpression') {
    const isKnown = items.elements.every((element) => element && element.type !== 'SpreadElement');
    return isKnown ? { node, count: items.elements.length, list: undefined } : undefined;
  }
  return isPart(items, facts) ? undefined : { node, count: undefined, list };
}

/** A part of a list, cut so that not too much runs at once: `chunk` of `for (const chunk of chunks)`, `items.slice(0, 4)`. */
function isPart(list: Node, facts: Facts): boolean {
  if (/\b(?:slice|splice|chunks?|batch(?:es)?)\b/i.test(facts.source.slice(list))) return true;
  if (list.type !== 'Identifier') return false;
  const binding = facts.bindings.resolve(list);
  const declaration = binding?.declaration;
  if (declaration?.type !== 'VariableDeclarator') return false;
  const outer = parentOf(declaration);
  if (outer && parentOf(outer)?.type === 'ForOfStatement') return true;
  const init = declaration.init ? facts.source.slice(declaration.init) : '';
  return /\b(?:slice|splice|chunks?|batch(?:es)?)\b/i.test(init);
}

/** Functions of the file that call the one around the job. All that is known of a call from another file is that it is one call. */
function throughCallers(fn: FunctionNode | undefined, facts: Facts, steps: number): FanOut | undefined {
  if (!fn || steps >= MAX_CALLERS) return undefined;
  for (const { edge } of facts.calls.callersOf(fn)) {
    const found = edge.via === 'callback' ? undefined : fanOutOf(edge.site, facts, steps + 1);
    if (found) return found;
  }
  return undefined;
}
