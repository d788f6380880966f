// Which mixes are worth a report: precision before recall, since most functions of a program may take what they like.
import { contains, isCall, isFunction, type Node } from '../../analysis/ast.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import type { Feed } from './feeds.ts';
import { isInHotLoop } from './hot.ts';
import { isHot, isMegamorphic, type Mix } from './kinds.ts';
import { isLight, isLightFunction } from './light.ts';
import type { Subject } from './subject.ts';

/**
 * A lost place is worth a warning wherever it is hot. A few kinds cost a fraction of a nanosecond each time: they are named only where the file shows
 * all that comes, and where the loop stands beside the call or the use and does little else.
 */
export function isWorthIt(mix: Mix, subject: Subject, facts: Facts): boolean {
  if (isMegamorphic(mix)) return mix.kinds.some(isHot) || isInHotLoop(facts, mix.use.node);
  const feeds = mix.kinds.flatMap((kind) => kind.feeds);
  if (!feeds.every((feed) => feed.isCertain)) return false;
  // Rows of one list that have a field more or less, read where they are walked: there is no odd call to point at, and nothing to gain.
  if (mix.family === 'shapes' && isInline(subject, feeds)) return false;
  const sites = new Set(feeds.map((feed) => feed.site));
  return feeds.some((feed) => feed.getHeat() === 'own' && isInLightLoop(feed.site, sites, facts)) || (isFunction(subject.owner) && isInHotLoop(facts, mix.use.node));
}

/** Whether the innermost loop around a call does little else. */
function isInLightLoop(site: Node, exempt: ReadonlySet<Node>, facts: Facts): boolean {
  const [innermost] = facts.hotness.repetitionsInFunction(site);
  // The site is the loop, or the call that loops.
  if (!innermost) return true;
  const { node } = innermost;
  const body = isCall(node) ? node.arguments.find((argument) => contains(argument, site)) : node.body;
  return body !== undefined && isLight(body, facts, exempt);
}

function isInline({ owner }: Subject, feeds: readonly Feed[]): boolean {
  return !isFunction(owner) || feeds.every((feed) => contains(feed.site, owner));
}

/** What is called must itself be small, or the way to it does not show. */
export function hasLightTargets({ targets }: Mix, facts: Facts): boolean {
  return targets.every((target) => target !== undefined && isLightFunction(target, facts));
}
