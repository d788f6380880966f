// Formatters whose move a maintainer would not merge (bench/fixes-read.md): few calls build them, or a query beside them takes longer.
import type { Facts } from '../../analysis/facts/index.ts';
import { findQuery } from '../../analysis/facts/queries.ts';
import {
  enclosingFunction,
  isCall,
  isFunction,
  isLoop,
  isMember,
  parentOf,
  startOf,
  unwrap,
  type FunctionNode,
  type Node,
} from '../../analysis/module/ast.ts';
import type { Setup } from './builds.ts';

export const isFormatter = ({ row }: Pick<Setup, 'row'>): boolean => row.path[0] === 'Intl';

export function whyNotWorth(setup: Setup, facts: Facts): string | undefined {
  return isFormatter(setup) ? (whySeldom(setup, facts) ?? whyBeside(setup, facts)) : undefined;
}

/** `given ?? new Intl.DateTimeFormat(…)`, `if (!year || !month) return new Intl.DateTimeFormat(…)` */
function whySeldom({ whole }: Setup, facts: Facts): string | undefined {
  for (let from: Node = whole, at = parentOf(from); at && !isFunction(at); from = at, at = parentOf(at)) {
    // It is built in each round.
    if (isLoop(at)) return undefined;
    const isInstead = at.type === 'LogicalExpression' && at.operator !== '&&' && at.right === from;
    const isMissing = at.type === 'IfStatement' && at.consequent === from && asksForMissing(at.test);
    if (!isInstead && !isMissing) continue;
    const asked = at.type === 'IfStatement' ? at.test : (at as { left: Node }).left;
    return `it is only built where line ${facts.source.positionAt(startOf(asked)).line} finds nothing. Give that value, or build it once where that is the rule`;
  }
  return undefined;
}

/** `!year`, `!year || !month` */
function asksForMissing(test: Node): boolean {
  const asked = unwrap(test);
  if (asked.type === 'LogicalExpression') return asked.operator === '||' && asksForMissing(asked.left) && asksForMissing(asked.right);
  return asked.type === 'UnaryExpression' && asked.operator === '!';
}

/** A query of the function, or of each function of the file that calls it, where nothing repeats it. */
function whyBeside({ whole }: Setup, facts: Facts): string | undefined {
  const fn = enclosingFunction(whole);
  if (!fn || facts.hotness.heatOf(whole).repetitions.length > 0) return undefined;
  const query = queryOf(fn, facts) ?? queryOfCallers(fn, facts);
  return (
    query &&
    `line ${facts.source.positionAt(startOf(query)).line} waits for a query, which takes longer than one formatter. Build it once where several are needed for one request`
  );
}

function queryOfCallers(fn: FunctionNode, facts: Facts): Node | undefined {
  const found = facts.calls
    .callersOf(fn)
    .map(({ edge: { via }, from }) => (via === 'call' && isFunction(from) ? queryOf(from, facts) : undefined));
  const callers = new Set(facts.calls.callersOf(fn).map(({ from }) => from));
  // Several calls of one function need several.
  return callers.size === found.length && found.every((one) => one !== undefined) ? found[0] : undefined;
}

function queryOf(fn: FunctionNode, facts: Facts): Node | undefined {
  const known = facts.remember('awaited queries of functions', () => new Map<Node, Node | undefined>());
  if (!known.has(fn))
    known.set(
      fn,
      facts.calls.callsIn(fn).find((call) => isAwaited(call) && findQuery(call, facts, true) !== undefined),
    );
  return known.get(fn);
}

function isAwaited(call: Node): boolean {
  let at = parentOf(call);
  while (at && (isMember(at) || isCall(at) || at.type === 'ArrayExpression')) at = parentOf(at);
  return at?.type === 'AwaitExpression';
}
