// What the view of routes says: its order, and the words of its entries. Without VS Code, so that it can be tested.
import type { IndexState, KnownRoute, RouteFinding, RoutesResult } from '../protocol/editor.ts';
import type { VerdictKind } from '../protocol/evidence.ts';
import { asNotice } from '../protocol/safe-text.ts';
import { time } from './report/figures.ts';
import type { Translate } from './translate.ts';

export type RoutesOrder = 'path' | 'findings' | 'time';
export const ROUTES_ORDERS: readonly RoutesOrder[] = ['path', 'findings', 'time'];

/** By what matters most first; what is the same in that goes by its path. Routes without a time come last. */
export function sortedRoutes(routes: readonly KnownRoute[], order: RoutesOrder): KnownRoute[] {
  const byPath = (a: KnownRoute, b: KnownRoute): number => compare(pathOf(a), pathOf(b)) || compare(methodOf(a), methodOf(b));
  return [...routes].sort((a, b) => {
    if (order === 'findings') return b.blocking - a.blocking || b.others - a.others || byPath(a, b);
    if (order === 'time') return (b.time?.ns ?? -1) - (a.time?.ns ?? -1) || byPath(a, b);
    return byPath(a, b);
  });
}

function methodOf({ route = '' }: KnownRoute): string {
  return route.slice(0, route.indexOf(' '));
}

/** Those whose path is not known come last. */
function pathOf({ route }: KnownRoute): string {
  return route === undefined ? '\uffff' : route.slice(route.indexOf(' ') + 1);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Texts are safe to show. */
export interface EntryWords {
  label: string;
  description: string;
  tooltip: string;
  /** The name of one of VS Code's icons. All that it says stands in the words, too. */
  icon: 'flame' | 'warning' | 'info' | 'pass' | 'circle-outline';
}

export function routeWords(one: KnownRoute, place: string, t: Translate): EntryWords {
  const { route, blocking, others, verdict, time: taken } = one;
  const counts = [
    ...(blocking === 0 ? [] : [blocking === 1 ? t('1 blocking call') : t('{0} blocking calls', blocking)]),
    ...(others === 0 ? [] : [blocking > 0 ? t('{0} more', others) : others === 1 ? t('1 finding') : t('{0} findings', others)]),
  ];
  const parts = [
    ...(counts.length === 0 ? [t('no findings')] : counts),
    ...(verdict ? [verdictWord(verdict, t)] : []),
    ...(taken ? [taken.isP99 ? t('p99 {0}', time(taken.ns)) : t('{0}/call', time(taken.ns))] : []),
  ];
  const label = asNotice(route ?? t('Handler in {0}', place));
  return {
    label,
    description: asNotice(parts.join(' · ')),
    tooltip: asNotice(
      [
        `${route ?? t('The path of this route is not known.')}`,
        t('registered in {0}', place),
        parts.join(', '),
        ...(taken ? [t('measured on Node {0}', taken.node)] : []),
      ].join('; '),
    ),
    icon: verdict === 'confirmed' ? 'flame' : blocking > 0 ? 'warning' : others > 0 ? 'info' : 'pass',
  };
}

export function findingWords({ what, verdict }: RouteFinding, place: string, t: Translate): EntryWords {
  const description = [place, ...(verdict ? [verdictWord(verdict, t)] : [])].join(' · ');
  return {
    label: asNotice(what),
    description: asNotice(description),
    tooltip: asNotice(`${what} (${description})`),
    icon: verdict === 'confirmed' ? 'flame' : verdict === 'refuted' ? 'pass' : 'circle-outline',
  };
}

function verdictWord(verdict: VerdictKind, t: Translate): string {
  const words: Readonly<Record<VerdictKind, string>> = {
    confirmed: t('confirmed'),
    seen: t('no cost shown'),
    refuted: t('refuted'),
    'not-reached': t('not reached'),
    inconclusive: t('inconclusive'),
  };
  return words[verdict];
}

/** What stands in place of an empty list; undefined where there is one. */
export function routesMessage(
  result: RoutesResult | undefined,
  { index, isRunning }: { index: IndexState | undefined; isRunning: boolean },
  t: Translate,
): string | undefined {
  if (result && result.routes.length > 0) return undefined;
  if (!isRunning) return t('The language server is not running.');
  if (index?.kind === 'building' || !index) return t('Reading the project…');
  if (index.kind === 'off' || result?.isOn === false) return t('The project index is off. Set `nodometer.index.enable` to see the routes.');
  return t('No routes of a known framework were found.');
}

export function orderWord(order: RoutesOrder, t: Translate): string {
  const words: Readonly<Record<RoutesOrder, string>> = {
    path: t('By path'),
    findings: t('By number of blocking calls'),
    time: t('By time, the slowest first'),
  };
  return words[order];
}
