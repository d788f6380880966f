// Functions of the same file that send a query each time they are called.
import { findQuery, runsEachTime, type Query } from '../../analysis/facts/queries.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { parentOf, type CallNode, type FunctionNode } from '../../analysis/module/ast.ts';
import { elementsAround, usesElement, type Elements } from './elements.ts';

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
  const parent = parentOf(call);
  const isPromise = parent?.type === 'AwaitExpression' || parent?.type === 'ReturnStatement' || parent?.type === 'ArrowFunctionExpression';
  if (!isPromise || !usesElement(call.arguments, elements, facts) || facts.calls.functionsOf(call.callee).length > 0) return false;
  const origin = facts.origins.of(call.callee);
  return !origin || (origin.root === 'module' && /^[./#~@]/.test(origin.name));
}
