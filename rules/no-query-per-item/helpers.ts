// Functions of the same file that send a query each time they are called.
import { findQuery, isAssociationCall, runsEachTime, type Query } from '../../analysis/facts/queries.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { isMember, memberName, parentOf, unwrap, type CallNode, type FunctionNode, type Node } from '../../analysis/module/ast.ts';
import { elementsAround, usesElement, type Elements } from '../shared/elements.ts';

// How many calls below the call in the loop a query may be.
const MOST_BELOW = 2;
const NONE = 'no query';

export interface Helper {
  query: Query;
  call: CallNode;
}

/** The query that a call in the loop sends. */
export function queryOf(call: CallNode, elements: Elements, facts: Facts): Helper | undefined {
  if (!usesElement(call.arguments, elements, facts)) return undefined;
  return queryOfCalled(call, facts);
}

/** The query that a call sends each time, in a function of the file. */
export function queryOfCalled(call: CallNode, facts: Facts): Helper | undefined {
  const [target, ...others] = facts.calls.functionsOf(call.callee);
  // Callbacks that are written here are looked at as what they contain.
  if (!target || others.length > 0 || parentOf(target) === call) return undefined;
  return queryIn(target, facts, 0);
}

function queryIn(fn: FunctionNode, facts: Facts, depth: number): Helper | undefined {
  const found = facts.remember(`the query of the function at ${fn.start}, ${depth}`, () => searched(fn, facts, depth) ?? NONE);
  return found === NONE ? undefined : found;
}

function searched(fn: FunctionNode, facts: Facts, depth: number): Helper | undefined {
  for (const call of facts.calls.callsIn(fn)) {
    if (elementsAround(call, facts) || !runsEachTime(call, fn, facts)) continue;
    const query = findQuery(call, facts);
    if (query) return { query, call };
  }
  if (depth >= MOST_BELOW) return undefined;
  for (const call of facts.calls.callsIn(fn)) {
    if (elementsAround(call, facts) || !runsEachTime(call, fn, facts)) continue;
    const [target, ...others] = facts.calls.functionsOf(call.callee);
    if (target && target !== fn && others.length === 0) {
      const below = queryIn(target, facts, depth + 1);
      if (below) return below;
    }
  }
  return undefined;
}

/**
 * A call in the loop of what another file may have: it is awaited, or its promise is handed on. Whether it sends a query, only the project
 * knows.
 */
export function mayQueryElsewhere(call: CallNode, elements: Elements, facts: Facts): boolean {
  return isHandedOn(call) && usesElement(partsOf(call, facts), elements, facts) && isOfOtherFile(call, facts);
}

/** What tells the element that a call is about: its arguments, and for `order.getItems()` the order. */
export function partsOf(call: CallNode, facts: Facts): readonly Node[] {
  const callee = unwrap(call.callee);
  return isMember(callee) && isAssociationCall(call, facts) ? [callee.object, ...call.arguments] : call.arguments;
}

/** Whether something waits for a call: it is awaited, returned, or kept with others. */
export function isHandedOn(call: CallNode): boolean {
  let from: Node = call;
  for (let parent = parentOf(from); parent; from = parent, parent = parentOf(from)) {
    switch (parent.type) {
      case 'AwaitExpression':
      case 'ReturnStatement':
      case 'VariableDeclarator':
        return true;
      case 'ArrowFunctionExpression':
        return parent.body === from;
      case 'ArrayExpression':
        break;
      case 'ConditionalExpression':
        if (parent.test === from) return false;
        break;
      case 'LogicalExpression':
        if (parent.left === from) return false;
        break;
      case 'MemberExpression':
      case 'OptionalMemberExpression':
        if (!/^(?:then|catch|finally)$/.test(memberName(parent) ?? '')) return false;
        break;
      case 'CallExpression':
      case 'OptionalCallExpression': {
        // `pending.push(load(id))`
        const callee = unwrap(parent.callee);
        if (parent.callee === from) break;
        const name = isMember(callee) ? (memberName(callee) ?? '') : '';
        if (from.type !== 'ArrayExpression') return name === 'push';
        if (!/^all(?:Settled)?$/.test(name)) return false;
        break;
      }
      default:
        return false;
    }
  }
  return false;
}

/** Whether another file of the project may have the function, or what that function calls. */
export function isOfOtherFile(call: CallNode, facts: Facts): boolean {
  // A callback that is called here is looked at as what it contains.
  const own = facts.calls.functionsOf(call.callee);
  if (own.length > 0) return own.every((fn) => parentOf(fn) !== call);
  const origin = facts.origins.of(call.callee);
  return !origin || (origin.root === 'module' && /^[./#~@]/.test(origin.name));
}
