// Which mixes are worth a report. Precision matters more than recall, because most functions of a program may take any kind.
import { conditionsOn } from '../../analysis/facts/control-flow.ts';
import {
  contains,
  enclosingFunction,
  isCall,
  isFunction,
  isMember,
  memberName,
  unwrap,
  type FunctionNode,
  type Node,
} from '../../analysis/module/ast.ts';
import { isInHotLoop, loopLightness } from '../../analysis/facts/hot-loops.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { isLightFunction } from '../../analysis/facts/light-code.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';
import type { Feed } from './feeds.ts';
import { isHot, isMegamorphic, type Mix } from './kinds.ts';
import type { Subject } from './subject.ts';

/**
 * Whether a mix is reported. A few kinds cost a fraction of a nanosecond each time. They are only reported if the file shows all values,
 * and if the loop is next to the call or the use and does little else.
 */
export function isWorthReporting(mix: Mix, subject: Subject, facts: Facts): boolean {
  const feeds = mix.kinds.flatMap((kind) => kind.feeds);
  const isUseInLoop = isInHotLoop(facts, mix.use.node);
  if (isMegamorphic(mix)) {
    if (!isUseInLoop && !mix.kinds.some(isHot)) return false;
    // Nodes of a tree, parts of a message: code that walks them is meant to read their tags.
    return mix.family !== 'shapes' || !isInline(subject, feeds) || feeds.every((feed) => feed.isCertain);
  }
  if (isOfAdapter(feeds) || !feeds.every((feed) => feed.isCertain)) return false;
  // Rows of one list, some with an extra field, read where they are iterated: no call is odd, and there is nothing to gain.
  if (mix.family === 'shapes' && isInline(subject, feeds)) return false;
  const isLoopLight = loopLightness(facts, new Set(feeds.map((feed) => feed.site)));
  // `sumBy(list, fn)` is meant to get functions. Only calls that are hot themselves prove that it gets many.
  return (
    feeds.some((feed) => feed.getHeat() === 'own' && (feed.isLoop || isLoopLight(feed.site))) ||
    (isFunction(subject.owner) && isUseInLoop && mix.family !== 'targets')
  );
}

/**
 * `if (typeof input === 'string') return new TextReader(input); …; return new BytesReader(input)`: one function makes all kinds, by the kind
 * of what it is given. A program gives it one kind, as a rule: what a socket, a file, or an HTTP client reads is always the same. Five kinds or more are cells
 * of a table, or fields of a message.
 */
function isOfAdapter(feeds: readonly Feed[]): boolean {
  const [first] = feeds;
  const maker = first && enclosingFunction(first.at);
  if (!maker || feeds.some(({ at, site }) => enclosingFunction(at) !== maker || contains(maker, site))) return false;
  return feeds.some(({ at }) => conditionsOn(at, maker).some((test) => asksForKind(test, maker)));
}

/** `typeof input === 'string'`, `input instanceof ArrayBuffer`, `Array.isArray(input)`, of a parameter. */
function asksForKind(test: Node, { params }: FunctionNode): boolean {
  const isParameter = (node: Node | null | undefined): boolean => {
    const value = node && unwrap(node);
    return value?.type === 'Identifier' && params.some((one) => one.type === 'Identifier' && one.name === value.name);
  };
  let asks = false;
  walkWithin(test, (node) => {
    asks ||=
      (node.type === 'UnaryExpression' && node.operator === 'typeof' && isParameter(node.argument)) ||
      (node.type === 'BinaryExpression' && node.operator === 'instanceof' && isParameter(node.left)) ||
      (isCall(node) && isMember(node.callee) && /^is[A-Z]/.test(memberName(node.callee) ?? '') && isParameter(node.arguments[0]));
    return !asks;
  });
  return asks;
}

function isInline({ owner }: Subject, feeds: readonly Feed[]): boolean {
  return !isFunction(owner) || feeds.every((feed) => contains(feed.site, owner));
}

/** The callee must be small as well, or the cost of the call does not show. */
export function hasLightTargets({ targets }: Mix, facts: Facts): boolean {
  return targets.every((target) => target !== undefined && isLightFunction(target, facts));
}
