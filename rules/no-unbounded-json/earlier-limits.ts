// A parser that runs before another one for the same application: bodies beyond its limit get 413, and others are parsed by then. A larger
// limit after it does nothing, measured with Express 4 and 5.
import {
  enclosingFunction,
  isCall,
  isMember,
  memberName,
  parentOf,
  staticName,
  unwrap,
  type Node,
  type t,
} from '../../analysis/module/ast.ts';
import { firstFrom, groupBy } from '../../analysis/module/group-by.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { bytesOf } from '../shared/body-sizes.ts';

const DEFAULT_BYTES = 100 * 1024;

/** Whether a parser with a smaller limit takes all bodies of the application first. `isParser`: whether a call makes such a parser. */
export function comesLater(parser: Node, bytes: number, isParser: (call: t.CallExpression) => boolean, facts: Facts): boolean {
  const use = parentOf(parser);
  if (!use || !isCall(use) || !isMember(use.callee)) return false;
  const known = facts.remember('limits of the parsers of applications', () => findLimits(isParser, facts));
  const limits = known.get(facts.source.slice(use.callee.object));
  const fn = enclosingFunction(use);
  // In the same function, or in two methods that one function calls in this order. Each without a condition.
  if (isLessBefore(use, bytes, limits?.inFunction.get(fn))) return true;
  const call = onlyCallOf(fn, facts);
  return call !== undefined && isLessBefore(call, bytes, limits?.inMethods.get(enclosingFunction(call)));
}

interface Limit {
  /** What is to run before another call: that of the parser, or of the method with it. */
  start: number;
  bytes: number;
}

interface Limits {
  /** By the function, in source order. Each has the least of those before it, too. */
  inFunction: ReadonlyMap<Node | undefined, readonly Limit[]>;
  /** By the function that calls the methods with the parsers. */
  inMethods: ReadonlyMap<Node | undefined, readonly Limit[]>;
}

function isLessBefore({ start }: Node, bytes: number, limits: readonly Limit[] = []): boolean {
  const last = limits[firstFrom(limits, start ?? 0) - 1];
  return last !== undefined && last.bytes < bytes;
}

/** By the text of the application. */
function findLimits(isParser: (call: t.CallExpression) => boolean, facts: Facts): ReadonlyMap<string, Limits> {
  const found = facts.module.nodes('CallExpression').flatMap((made) => {
    const use = parentOf(made);
    const isUse =
      isCall(use) &&
      isMember(use.callee) &&
      use.arguments[0] === made &&
      memberName(use.callee) === 'use' &&
      parentOf(use)?.type === 'ExpressionStatement' &&
      isParser(made) &&
      isUnconditional(use);
    const bytes = isUse ? limitOf(made, facts) : undefined;
    return isUse && bytes !== undefined ? [{ app: facts.source.slice((use.callee as t.MemberExpression).object), use, bytes }] : [];
  });
  return new Map(
    [...groupBy(found, ({ app }) => app)].map(([app, all]) => {
      const own = all.map(({ use, bytes }) => ({ fn: enclosingFunction(use), start: use.start ?? 0, bytes }));
      const ofMethods = all.flatMap(({ use, bytes }) => {
        const call = onlyCallOf(enclosingFunction(use), facts);
        return call && isUnconditional(call) ? [{ fn: enclosingFunction(call), start: call.start ?? 0, bytes }] : [];
      });
      return [app, { inFunction: leastByFunction(own), inMethods: leastByFunction(ofMethods) }];
    }),
  );
}

function leastByFunction(limits: readonly (Limit & { fn: Node | undefined })[]): ReadonlyMap<Node | undefined, readonly Limit[]> {
  const byFunction = groupBy(
    [...limits].sort((a, b) => a.start - b.start),
    ({ fn }) => fn,
  );
  for (const all of byFunction.values())
    for (const [i, one] of all.entries()) one.bytes = Math.min(one.bytes, all[i - 1]?.bytes ?? one.bytes);
  return byFunction;
}

/** Undefined if it is not known, or if the parser takes only some types. */
function limitOf({ arguments: [options] }: t.CallExpression, facts: Facts): number | undefined {
  if (!options) return DEFAULT_BYTES;
  if (options.type !== 'ObjectExpression') return undefined;
  let bytes: number | undefined = DEFAULT_BYTES;
  for (const property of options.properties) {
    const name = property.type === 'ObjectProperty' ? staticName(property.key, property.computed) : undefined;
    if (property.type !== 'ObjectProperty' || name === undefined || name === 'type') return undefined;
    if (name === 'limit') bytes = bytesOf(unwrap(property.value), facts);
  }
  return bytes;
}

function isUnconditional(call: Node): boolean {
  const statement = parentOf(call);
  const block = statement && parentOf(statement);
  const owner = block && parentOf(block);
  return block?.type === 'Program' || (block?.type === 'BlockStatement' && owner !== undefined && owner === enclosingFunction(call));
}

/** `this.initMiddlewares()` */
function onlyCallOf(fn: Node | undefined, facts: Facts): Node | undefined {
  const name = fn?.type === 'ClassMethod' ? staticName(fn.key, fn.computed) : undefined;
  if (name === undefined) return undefined;
  const byMethod = facts.remember('calls by the method that they name', () =>
    groupBy(facts.module.nodes('CallExpression'), ({ callee }) => (isMember(callee) ? memberName(callee) : undefined)),
  );
  const calls = byMethod.get(name) ?? [];
  return calls.length === 1 ? calls[0] : undefined;
}
