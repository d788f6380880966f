// Which mixes are worth a report: precision before recall, since most functions of a program may take what they like.
import { contains, isFunction } from '../../analysis/module/ast.ts';
import { isInHotLoop, loopLightness } from '../../analysis/facts/hot-loops.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { isLightFunction } from '../../analysis/facts/light-code.ts';
import type { Feed } from './feeds.ts';
import { isHot, isMegamorphic, type Mix } from './kinds.ts';
import type { Subject } from './subject.ts';

/**
 * Whether a mix is reported, and how loudly. A lost place is a warning where the loop around it does little else, and a hint where it does
 * more: then
 * the state of the place can be confirmed, but hardly the time. A few kinds cost a fraction of a nanosecond each time: they are named only
 * where the
 * file shows all that comes, and where the loop stands beside the call or the use and does little else.
 */
export function findWorth(mix: Mix, subject: Subject, facts: Facts): 'warning' | 'hint' | undefined {
  const feeds = mix.kinds.flatMap((kind) => kind.feeds);
  const isUseInLoop = isInHotLoop(facts, mix.use.node);
  const isLoopLight = loopLightness(facts, new Set(feeds.map((feed) => feed.site)));
  const isInLightLoop = (feed: Feed): boolean => feed.isLoop || isLoopLight(feed.site);
  if (isMegamorphic(mix)) {
    if (!isUseInLoop && !mix.kinds.some(isHot)) return undefined;
    // The nodes of a tree, the parts of a message: walking them and reading their tag is what they are there for.
    if (mix.family === 'shapes' && isInline(subject, feeds)) return feeds.every((feed) => feed.isCertain) ? 'hint' : undefined;
    return isUseInLoop || feeds.some((feed) => feed.getHeat() !== 'cold' && isInLightLoop(feed)) ? 'warning' : 'hint';
  }
  if (!feeds.every((feed) => feed.isCertain)) return undefined;
  // Rows of one list that have a field more or less, read where they are walked: there is no odd call to point at, and nothing to gain.
  if (mix.family === 'shapes' && isInline(subject, feeds)) return undefined;
  // `sumBy(list, fn)` is there to be given functions; only calls that are hot themselves say that it is given many.
  const isBesideLoop =
    feeds.some((feed) => feed.getHeat() === 'own' && isInLightLoop(feed)) ||
    (isFunction(subject.owner) && isUseInLoop && mix.family !== 'targets');
  return isBesideLoop ? 'hint' : undefined;
}

function isInline({ owner }: Subject, feeds: readonly Feed[]): boolean {
  return !isFunction(owner) || feeds.every((feed) => contains(feed.site, owner));
}

/** What is called must itself be small, or the way to it does not show. */
export function hasLightTargets({ targets }: Mix, facts: Facts): boolean {
  return targets.every((target) => target !== undefined && isLightFunction(target, facts));
}
