// Functions of the same file that send a query each time they are called.
import { isUnconditional, conditionsOn } from '../../analysis/facts/control-flow.ts';
import { runsOnce } from '../../analysis/facts/once.ts';
import { findQuery, type Query } from '../../analysis/facts/queries.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { parentOf, type CallNode, type FunctionNode, type Node } from '../../analysis/module/ast.ts';
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

/** Not behind a cache, and not only for some of its arguments. A check of the arguments before it is fine. */
export function runsEachTime(call: CallNode, fn: Node, facts: Facts): boolean {
  if (runsOnce(call, facts)) return false;
  return (
    isUnconditional(call, fn) ||
    conditionsOn(call, fn).every((one) => /^\s{0,9}!(?!.{0,80}(?:cache|memo|\.has|\.get))/i.test(facts.source.slice(one)))
  );
}
