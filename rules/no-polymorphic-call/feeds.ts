// Which values a subject gets, from where, and how often.
import { isCall, isFunction, parentOf, startOf, type Node } from '../../analysis/module/ast.ts';
import { findCallbackHeat, findHeat, type Heat } from '../../analysis/facts/hot-loops.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { passedElementsOf, type TypedValue, type ValueType } from '../../analysis/facts/value-types.ts';
import type { Subject } from './subject.ts';

export interface Feed {
  type: ValueType;
  /** The argument, or the expression that creates an element of the array. */
  at: Node;
  /** The call that passes it. For the variable of a loop, the loop. */
  site: Node;
  /** Whether the site itself repeats: a loop, or `shapes.map(areaOf)`. */
  isLoop: boolean;
  /** Whether the site itself passes several kinds, as `areaOf(shapes[i])` does. */
  isShared: boolean;
  /** Whether all values from the site are known. */
  isCertain: boolean;
  /** Whether the site runs in a loop of its own function, or of one of its callers. Called late, because it builds the call graph. */
  getHeat(): Heat;
}

/** All known values that the subject gets, in source order. */
export function findFeeds(subject: Subject, facts: Facts): Feed[] {
  const { owner, index, sites } = subject;
  if (!isFunction(owner)) return feedsOf(facts.values.elementsOf(owner.right), owner, () => findHeat(facts, owner.body));
  const feeds: Feed[] = [];
  const inline = passedElementsOf(owner, index);
  if (inline) feeds.push(...feedsOf(facts.values.elementsOf(inline), parentOf(owner) as Node, () => findHeat(facts, owner.body)));
  // An inline function has no name to be called by.
  if (isCall(parentOf(owner))) return feeds;
  for (const { argument, call } of facts.callArguments.of(owner, index)) {
    if (!isOnErrorPath(call)) feeds.push(...feedsOf(facts.values.valuesOf(argument), call, () => findHeat(facts, call), argument));
  }
  // `shapes.forEach(draw)`
  for (const site of sites) {
    const list = isCall(site) ? undefined : passedElementsOf(site, index);
    const call = parentOf(site);
    if (list && isCall(call) && call.type !== 'NewExpression' && facts.calls.functionsOf(site).includes(owner))
      feeds.push(...feedsOf(facts.values.elementsOf(list), call, () => findCallbackHeat(facts, call)));
  }
  return feeds.sort((a, b) => startOf(a.site) - startOf(b.site));
}

function feedsOf(values: readonly TypedValue[], site: Node, getHeat: () => Heat, argument?: Node): Feed[] {
  const counted = values.filter(isCounted);
  let heat: Heat | undefined;
  const isCertain = values.every(({ type }) => type.kind !== 'unknown');
  return counted.map(({ type, at }) => ({
    type,
    at: counted.length > 1 ? at : (argument ?? at),
    site,
    isLoop: argument === undefined,
    isShared: counted.length > 1 || argument === undefined,
    isCertain,
    getHeat: () => (heat ??= getHeat()),
  }));
}

/** An unknown value proves nothing, and a missing one (`null`, `undefined`) is a left-out option. */
function isCounted({ type }: TypedValue): boolean {
  return type.kind !== 'unknown' && type.kind !== 'null' && type.kind !== 'undefined' && type.kind !== 'symbol';
}

/** In a `catch` or a `throw`: a working program never runs it. */
function isOnErrorPath(node: Node): boolean {
  for (let at = parentOf(node); at && !isFunction(at); at = parentOf(at))
    if (at.type === 'CatchClause' || at.type === 'ThrowStatement') return true;
  return false;
}
