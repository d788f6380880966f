// What `nodometer import` says: what was found again in the project, and which functions are hot although no rule reports anything in them.
import type { KeptFunction, KeptRoute, ProductionKind, ProductionSource } from '../../protocol/production.ts';
import { count } from '../../workspace/count.ts';
import { dayOf, percent } from '../../workspace/production/file-production.ts';
import { LEFT_OVER, type Leftover, type Placed } from '../../workspace/production/place-functions.ts';
import { visible } from './display-text.ts';

export interface HotFunction extends KeptFunction {
  /** As it is shown. */
  path: string;
  /** Of the findings in it. */
  rules: readonly string[];
}

export interface HotRoute extends KeptRoute {
  /** Findings that it reaches. */
  findings: number;
}

export interface ImportReport {
  source: ProductionSource;
  remarks: readonly string[];
  placed: Placed;
  functions: readonly HotFunction[];
  routes: readonly HotRoute[];
  /** Lines of each list. */
  top: number;
  /** In ms since 1970. */
  now: number;
  /** Undefined where it was not saved. */
  savedTo?: string;
}

const KIND_WORDS: Readonly<Record<ProductionKind, string>> = {
  'cpu-profile': 'CPU profile',
  pprof: 'pprof profile',
  coverage: 'V8 coverage',
  spans: 'OpenTelemetry spans',
};
const RECOGNIZED_BY: Readonly<Record<Exclude<ProductionKind, 'spans'>, string>> = {
  'cpu-profile': 'name, line, and column',
  pprof: 'name and lines',
  coverage: 'name, start, and end',
};
/** They are no functions of anybody's code, and nothing is missing without them. */
const NO_FUNCTIONS: ReadonlySet<Leftover> = new Set<Leftover>(['outside', 'wasm']);
const MOST_PACKAGES = 5;
const LABEL = 14;
/** Widest figure: `< 0.1 %`. */
const FIGURE = 7;

export function importText(report: ImportReport): string {
  const { source, savedTo, now } = report;
  const lines = [
    `${visible(source.name)}: ${KIND_WORDS[source.kind]}, ${dayOf(source.date, now)}${amountOf(source)}${source.commit === undefined ? '' : `, commit ${source.commit}`}`,
  ];
  const say = (label: string, text: string) => lines.push(`  ${label.padEnd(LABEL)}${visible(text)}`);
  if (source.kind !== 'spans') say('found', foundText(report));
  // A profile does not have the text of what ran.
  if (source.kind !== 'spans' && source.commit === undefined)
    say('recognized', `by ${RECOGNIZED_BY[source.kind]}. To compare their text with what ran, use --commit`);
  const packages = packagesText(report);
  if (packages !== '') say('packages', packages);
  if (isOfTime(source)) say('Node and V8', `${percent(report.placed.core / source.total)} of samples`);
  for (const [why, { functions, self, examples }] of report.placed.left) {
    const share = isOfTime(source) ? ` (${percent(self / source.total)} of samples)` : '';
    if (NO_FUNCTIONS.has(why)) {
      if (self > 0) say('elsewhere', `${LEFT_OVER[why]}${share}`);
    } else say('not matched', `${count(functions, 'function')}${share}: ${LEFT_OVER[why]}. Example: ${examples[0] ?? ''}`);
  }
  for (const [url, files] of report.placed.ambiguous)
    say('ambiguous', `${url} could be ${files.slice(0, 3).join(' or ')}; use --path-prefix`);
  for (const remark of report.remarks) say('left out', remark);
  lines.push(...functionLists(report), ...routeList(report));
  lines.push(
    '',
    savedTo === undefined ? 'Not saved.' : `Saved to ${savedTo}. \`nodometer lint --order production\` shows the findings in this order.`,
  );
  return `${lines.join('\n')}\n`;
}

function amountOf({ kind, total }: ProductionSource): string {
  if (kind === 'spans') return `, ${count(total, 'request')}`;
  return kind === 'cpu-profile' ? `, ${count(total, 'sample')} (idle ones not counted)` : '';
}

function isOfTime({ kind, total }: ProductionSource): boolean {
  return (kind === 'cpu-profile' || kind === 'pprof') && total > 0;
}

function foundText({ source, functions, placed: { left } }: ImportReport): string {
  const missing = [...left].reduce((sum, [why, one]) => sum + (NO_FUNCTIONS.has(why) ? 0 : one.functions), 0);
  const own = functions.reduce((sum, { self = 0 }) => sum + self, 0);
  const share = isOfTime(source) ? `, ${percent(own / source.total)} of samples in their own code` : '';
  return `${count(functions.length, 'function')} of the project${share}${missing > 0 ? `; ${missing} not matched` : ''}`;
}

function packagesText({ source, placed: { packages } }: ImportReport): string {
  const sorted = [...packages].filter(([, amount]) => amount > 0).sort(([, a], [, b]) => b - a);
  if (sorted.length === 0) return '';
  const all = sorted.reduce((sum, [, amount]) => sum + amount, 0);
  const figure = (amount: number) => (isOfTime(source) ? percent(amount / source.total) : count(amount, 'call'));
  const named = sorted.slice(0, MOST_PACKAGES).map(([name, amount]) => `${name} ${figure(amount)}`);
  const more = sorted.length - named.length;
  return `${figure(all)}${isOfTime(source) ? ' of samples' : ''} in ${count(sorted.length, 'package')} (${named.join(', ')}${more > 0 ? `, ${more} more` : ''})`;
}

/** First what nothing is reported in: that is what `lint` does not show. */
function functionLists({ source, functions, top }: ImportReport): string[] {
  if (functions.length === 0) return [];
  const isTime = isOfTime(source);
  const order = (a: HotFunction, b: HotFunction) =>
    (b.self ?? 0) - (a.self ?? 0) || (b.total ?? 0) - (a.total ?? 0) || (b.calls ?? 0) - (a.calls ?? 0);
  const section = (title: string, chosen: readonly HotFunction[]) => {
    if (chosen.length === 0) return [];
    const rows = [...chosen].sort(order).slice(0, top);
    const more = chosen.length - rows.length;
    return [
      '',
      `${title}${isTime ? ' (share of samples: its own code, with what it calls)' : ''}:`,
      ...rows.map(
        (one) =>
          `  ${figuresOf(one, source)}  ${visible(`${one.path}:${one.line}`)}  ${visible(one.function || '(anonymous)')}${rulesText(one)}`,
      ),
      ...(more > 0 ? [`  and ${more} more`] : []),
    ];
  };
  return [
    ...section(
      'Hot functions without a finding',
      functions.filter(({ rules }) => rules.length === 0),
    ),
    ...section(
      'Functions with findings',
      functions.filter(({ rules }) => rules.length > 0),
    ),
  ];
}

function figuresOf({ self = 0, total = 0, calls = 0 }: HotFunction, source: ProductionSource): string {
  if (!isOfTime(source)) return count(calls, 'call').padStart(2 * FIGURE);
  return [self, total].map((amount) => shortPercent(amount / source.total).padStart(FIGURE)).join(' ');
}

/** `< 0.1 %` */
function shortPercent(share: number): string {
  return percent(share).replace('less than', '<');
}

function rulesText({ rules }: HotFunction): string {
  return rules.length === 0 ? '' : `  (${[...new Set(rules)].join(', ')})`;
}

function routeList({ source, routes, top }: ImportReport): string[] {
  if (routes.length === 0) return [];
  const rows = [...routes].sort((a, b) => b.requests - a.requests).slice(0, top);
  const more = routes.length - rows.length;
  return [
    '',
    'Routes by requests:',
    ...rows.map(
      ({ method, route, requests, findings }) =>
        `  ${shortPercent(requests / source.total).padStart(FIGURE)}  ${visible(`${method} ${route}`.trim())}${findings > 0 ? `  (${count(findings, 'finding')})` : ''}`,
    ),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
}

export function importJson({ source, remarks, placed, functions, routes, savedTo }: ImportReport): string {
  const value = {
    name: source.name,
    kind: source.kind,
    date: source.date,
    commit: source.commit ?? null,
    total: source.total,
    functions: [...functions]
      .sort((a, b) => (b.self ?? 0) - (a.self ?? 0) || (b.total ?? 0) - (a.total ?? 0) || (b.calls ?? 0) - (a.calls ?? 0))
      .map(({ file, function: name, line, total, self, calls, rules }) => ({
        file,
        function: name,
        line,
        total: total ?? null,
        self: self ?? null,
        calls: calls ?? null,
        rules,
      })),
    routes: [...routes].sort((a, b) => b.requests - a.requests),
    packages: [...placed.packages].map(([name, amount]) => ({ name, amount })).sort((a, b) => b.amount - a.amount),
    core: placed.core,
    unmatched: [...placed.left].map(([reason, one]) => ({ reason, ...one })),
    ambiguous: [...placed.ambiguous].map(([path, files]) => ({ path, files })),
    remarks,
    savedTo: savedTo ?? null,
  };
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

/** @param changed functions of each import that are another text by now */
export function listText(sources: readonly ProductionSource[], changed: ReadonlyMap<string, number>, path: string): string {
  if (sources.length === 0) return 'Nothing was imported.\n';
  const lines = sources.map((source) => {
    const left = changed.get(source.name) ?? 0;
    const what =
      source.kind === 'spans'
        ? count(source.routes.length, 'route')
        : `${count(source.functions.length, 'function')}${left > 0 ? `, of which ${left} ${left === 1 ? 'has' : 'have'} changed since and ${left === 1 ? 'is' : 'are'} not shown` : ''}`;
    return `  ${visible(source.name)}: ${KIND_WORDS[source.kind]}, ${source.date.slice(0, 'yyyy-mm-dd'.length)}${amountOf(source)}: ${what}`;
  });
  return [`${path}:`, ...lines, 'To remove one, run `nodometer import --remove <name>`.', ''].join('\n');
}

export function listJson(sources: readonly ProductionSource[], changed: ReadonlyMap<string, number>): string {
  const value = sources.map(({ functions, routes, ...rest }) => ({
    ...rest,
    functions: functions.length,
    changed: changed.get(rest.name) ?? 0,
    routes: routes.length,
  }));
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
