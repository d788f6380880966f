// What a subject is handed, from where, and how often.
import { isCall, isFunction, parentOf, startOf, type Node } from '../../analysis/module/ast.ts';
import { findCallbackHeat, findHeat, type Heat } from '../../analysis/facts/hot-loops.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { passedElementsOf, type TypedValue, type ValueType } from '../../analysis/facts/value-types.ts';
import type { Subject } from './subject.ts';

export interface Feed {
  type: ValueType;
  /** The argument, or where an element of the array is made. */
  at: Node;
  /** The call that hands it over; the loop for a loop's variable. */
  site: Node;
  /** Whether the site itself goes round: a loop, or `shapes.map(areaOf)`. */
  isLoop: boolean;
  /** Whether the site hands over several kinds itself, as `areaOf(shapes[i])` does. */
  isShared: boolean;
  /** Whether nothing else than what is known may come from the site. */
  isCertain: boolean;
  /** Whether the site runs in a loop of its own function, or in one of a function that calls that. Asked late: it builds the call graph. */
  getHeat(): Heat;
}

/** Everything known that the subject is handed, in source order. */
export function findFeeds(subject: Subject, facts: Facts): Feed[] {
  const { owner, index, sites } = subject;
  if (!isFunction(owner)) return feedsOf(facts.values.elementsOf(owner.right), owner, () => findHeat(facts, owner.body));
  const feeds: Feed[] = [];
  const inline = passedElementsOf(owner, index);
  if (inline) feeds.push(...feedsOf(facts.values.elementsOf(inline), parentOf(owner) as Node, () => findHeat(facts, owner.body)));
  // A function written where it is handed over has no name to be called by.
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

/** Nothing is concluded from a value that is not known; a missing one (`null`, `undefined`) is an option left out. */
function isCounted({ type }: TypedValue): boolean {
  return type.kind !== 'unknown' && type.kind !== 'null' && type.kind !== 'undefined' && type.kind !== 'symbol';
}

/** In a `catch` or a `throw`: never run by a program that works. */
function isOnErrorPath(node: Node): boolean {
  for (let at = parentOf(node); at && !isFunction(at); at = parentOf(at))
    if (at.type === 'CatchClause' || at.type === 'ThrowStatement') return true;
  return false;
}
