// Which mixes are worth a report. Precision matters more than recall, because most functions of a program may take any kind.
import { contains, isFunction } from '../../analysis/module/ast.ts';
import { isInHotLoop, loopLightness } from '../../analysis/facts/hot-loops.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { isLightFunction } from '../../analysis/facts/light-code.ts';
import type { Feed } from './feeds.ts';
import { isHot, isMegamorphic, type Mix } from './kinds.ts';
import type { Subject } from './subject.ts';

/**
 * Whether a mix is reported, and with which severity. A megamorphic place is a warning if the loop around it does little else. If the loop
 * does more, it is a hint: a profile can confirm the state of the place, but hardly the time. A few kinds cost a fraction of a nanosecond
 * each time. They are only reported if the file shows all values, and if the loop is next to the call or the use and does little else.
 */
export function severityOf(mix: Mix, subject: Subject, facts: Facts): 'warning' | 'hint' | undefined {
  const feeds = mix.kinds.flatMap((kind) => kind.feeds);
  const isUseInLoop = isInHotLoop(facts, mix.use.node);
  const isLoopLight = loopLightness(facts, new Set(feeds.map((feed) => feed.site)));
  const isInLightLoop = (feed: Feed): boolean => feed.isLoop || isLoopLight(feed.site);
  if (isMegamorphic(mix)) {
    if (!isUseInLoop && !mix.kinds.some(isHot)) return undefined;
    // Nodes of a tree, parts of a message: code that walks them is meant to read their tags.
    if (mix.family === 'shapes' && isInline(subject, feeds)) return feeds.every((feed) => feed.isCertain) ? 'hint' : undefined;
    return isUseInLoop || feeds.some((feed) => feed.getHeat() !== 'cold' && isInLightLoop(feed)) ? 'warning' : 'hint';
  }
  if (!feeds.every((feed) => feed.isCertain)) return undefined;
  // Rows of one list, some with an extra field, read where they are iterated: no call is odd, and there is nothing to gain.
  if (mix.family === 'shapes' && isInline(subject, feeds)) return undefined;
  // `sumBy(list, fn)` is meant to get functions. Only calls that are hot themselves prove that it gets many.
  const hasLightLoop =
    feeds.some((feed) => feed.getHeat() === 'own' && isInLightLoop(feed)) ||
    (isFunction(subject.owner) && isUseInLoop && mix.family !== 'targets');
  return hasLightLoop ? 'hint' : undefined;
}

function isInline({ owner }: Subject, feeds: readonly Feed[]): boolean {
  return !isFunction(owner) || feeds.every((feed) => contains(feed.site, owner));
}

/** The callee must be small as well, or the cost of the call does not show. */
export function hasLightTargets({ targets }: Mix, facts: Facts): boolean {
  return targets.every((target) => target !== undefined && isLightFunction(target, facts));
}
