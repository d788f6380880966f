// Equal blocking calls of other functions of a file, which one fix changes together.
import { contains, enclosingFunction, type CallNode, type FunctionNode } from '../../analysis/module/ast.ts';
import { groupBy } from '../../analysis/module/group-by.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { MOST_TOGETHER } from '../shared/together.ts';
import { mayBeBlocking, type BlockingMatch } from './blocking.ts';
import { checkBefore, type Idiom } from './idioms.ts';
import { methodsBeside, nameOf } from './chained-calls.ts';
import { isOfMicroseconds, whySmall } from './remedies.ts';
import { isCheck, isHalfOf, toAsync } from './to-async.ts';

/**
 * The calls of other handlers and async functions of the file, and of other async methods of the class, that do the same: whoever changes
 * one of them changes all.
 */
export function equalCalls(
  fn: FunctionNode,
  siblings: readonly BlockingMatch[],
  facts: Facts,
  siblingsOf: (fn: FunctionNode) => readonly BlockingMatch[],
  idiomAt: (call: CallNode) => Idiom | undefined,
): BlockingMatch[] {
  const texts = new Set(siblings.map((one) => textOf(one, facts)));
  const { handlers, byText } = facts.remember('functions by the blocking calls in them', () => functionsByCalls(facts, siblingsOf));
  const isKnown = fn.async || handlers.has(fn);
  if (isKnown && [...texts].some((text) => (byText.get(text)?.length ?? 0) > MOST_TOGETHER + 1)) return [];
  const beside = new Set(methodsBeside(fn, siblings, siblingsOf).flatMap((one) => (one.fn.async === fn.async ? [one.fn] : [])));
  const others = new Set([...beside, ...(isKnown ? [...texts].flatMap((text) => byText.get(text) ?? []) : [])]);
  others.delete(fn);
  if (others.size > MOST_TOGETHER) return [];
  const names = new Set(siblings.map(nameOf));
  const changed = siblings.filter((one) => !isCheck(one));
  return [...others].flatMap((other) => {
    // A check that has to stay is no reason against the others.
    const calls =
      contains(other, fn) || contains(fn, other)
        ? []
        : siblingsOf(other).filter(
            (one) => (changed.length > 0 ? changed : siblings).some((own) => isHalfOf(one, own)) && !checkBefore(one.call, facts),
          );
    const isEqual = (one: BlockingMatch): boolean =>
      (beside.has(other) ? names.has(nameOf(one)) : texts.has(textOf(one, facts))) && idiomAt(one.call) === undefined;
    if (!calls.every((one) => isEqual(one) && 'fix' in (toAsync(one, facts)[0] ?? {}))) return [];
    // What gains nothing where it is, as its own finding says, stays.
    return siblingsOf(other).every(isOfMicroseconds) ? calls.filter((one) => whySmall(one, facts) === undefined) : calls;
  });
}

/** The call; of a line of a log, only the file. */
function textOf({ call, row }: BlockingMatch, facts: Facts): string {
  const [path] = call.arguments;
  return path && row.path.at(-1) === 'appendFileSync' ? `append ${facts.source.slice(path)}` : facts.source.slice(call);
}

/** Handlers and async functions, by the texts of their blocking calls. */
function functionsByCalls(facts: Facts, siblingsOf: (fn: FunctionNode) => readonly BlockingMatch[]) {
  const handlers = new Set(facts.handlers.handlers.filter(({ kind }) => kind !== 'signature').map((one) => one.fn));
  const functions = new Set(handlers);
  for (const type of ['CallExpression', 'OptionalCallExpression', 'NewExpression'] as const)
    for (const call of facts.module.nodes(type)) {
      const fn = mayBeBlocking(call) ? enclosingFunction(call) : undefined;
      if (fn?.async) functions.add(fn);
    }
  const uses = [...functions].flatMap((fn) => [...new Set(siblingsOf(fn).map((one) => textOf(one, facts)))].map((text) => ({ text, fn })));
  const byText = new Map([...groupBy(uses, ({ text }) => text)].map(([text, all]) => [text, all.map(({ fn }) => fn)]));
  return { handlers, byText };
}
