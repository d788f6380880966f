// What V8 did, for those who want to know why: tiers and deoptimizations, shapes, type feedback. One click below what it costs.
import { tellsComparisons, type InlineCache } from '../../protocol/evidence.ts';
import {
  accessName,
  hasManyShapes,
  isManyShaped,
  problemDeopts,
  shapeName,
  shapesText,
  TIER_NAMES,
  topTier,
} from '../profile/evidence-notes.ts';
import { amount } from './figures.ts';
import { cutText, isShown, MOST_ROWS, placeCell, type Cell, type ModelRequest, type Section } from './report-parts.ts';
import { timelinePicture } from './report-pictures.ts';
import type { Translate } from '../translate.ts';

export function tiers(request: ModelRequest): Section[] {
  const {
    profiled: { report, reasons },
    t,
  } = request;
  const deopts = problemDeopts(report);
  const benign = report.deopts.length - deopts.length;
  const rows = deopts.filter(isShown(request)).map(({ place, reason, kind, count }): Cell[] => {
    const words = reasons[reason];
    return [
      placeCell(place, request),
      { text: `×${amount(count)}`, isFigure: true, details: report.program ? [] : rateText(count, report.calls, t) },
      { text: reason, details: words ? [words.meaning, words.remedy] : [] },
      { text: kind, isCode: true },
    ];
  });
  const left =
    benign === 0 ? '' : benign === 1 ? t('1 warm-up deoptimization not shown.') : t('{0} warm-up deoptimizations not shown.', benign);
  // The clocks of several processes are not one.
  const picture = report.program && report.program.processes > 1 ? undefined : timelinePicture(report, isShown(request), t);
  const count = deopts.reduce((sum, one) => sum + one.count, 0);
  const tier = report.program ? undefined : topTier(report);
  return [
    {
      id: 'tiers',
      title: t('Tiers and deoptimizations'),
      deeper: [...(tier ? [TIER_NAMES[tier]] : []), count === 1 ? t('1 deoptimization') : t('{0} deoptimizations', amount(count))].join(
        ' · ',
      ),
      text: [rows.length === 0 ? t('No significant deoptimizations.') : '', left].filter((part) => part !== '').join(' '),
      ...(picture ? { pictures: [picture] } : {}),
      ...(rows.length > 0
        ? {
            table: {
              columns: [{ title: t('Location') }, { title: t('Count'), isFigure: true }, { title: t('Reason') }, { title: t('Kind') }],
              rows,
            },
          }
        : {}),
    },
  ];
}

/** Fewer calls than these say nothing of a million: what happens once while V8 warms up would be multiplied. */
const LEAST_RATED = 1_000_000;

function rateText(count: number, calls: number, t: Translate): string[] {
  return calls < LEAST_RATED ? [] : [t('{0} per million calls', amount((count * LEAST_RATED) / calls))];
}

export function shapes(request: ModelRequest): Section[] {
  const {
    profiled: { report },
    t,
  } = request;
  const caches = report.inlineCaches
    .filter(isShown(request))
    .filter(isManyShaped)
    .sort((a, b) => Number(b.state === 'megamorphic') - Number(a.state === 'megamorphic') || b.shapeCount - a.shapeCount);
  const rows = caches.map((cache): Cell[] => [
    placeCell(cache.place, request),
    { text: accessName(cache, t).replaceAll('`', ''), isCode: cache.property !== '' },
    { text: shapesText(cache, t), details: namesOf(cache, t) },
    { text: amount(cache.misses), isFigure: true },
    { text: amount(cache.megamorphicMisses), isFigure: true },
  ]);
  const changes = report.mapEvents
    .filter(isShown(request))
    .map(({ place, property, reason, count }): Cell[] => [
      placeCell(place, request),
      { text: property ? `.${property}` : '', isCode: true },
      { text: t('{0}: slower object representation', reason) },
      { text: `×${amount(count)}`, isFigure: true },
      { text: '' },
    ]);
  const ofNode = report.inlineCaches.filter(isShown(request)).filter(hasManyShapes).length - caches.length;
  const left =
    ofNode === 0
      ? ''
      : ofNode === 1
        ? t("1 access to Node's requests and responses not shown.")
        : t("{0} accesses to Node's requests and responses not shown.", ofNode);
  if (rows.length + changes.length === 0)
    return [
      ofNode > 0
        ? { id: 'shapes', title: t('Shapes'), deeper: t('one each'), text: left }
        : { id: 'shapes', title: t('Shapes'), deeper: t('one each'), text: t('Every property access saw one shape.') },
    ];
  const worst = caches.filter(({ state }) => state === 'megamorphic').length;
  const columns = [
    { title: t('Location') },
    { title: t('Property access') },
    { title: t('Shapes') },
    { title: t('Misses'), isFigure: true },
    { title: t('Misses after megamorphic'), isFigure: true },
  ];
  return [
    {
      id: 'shapes',
      title: t('Shapes'),
      deeper: [
        ...(worst > 0 ? [t('{0} megamorphic', worst)] : []),
        ...(caches.length > worst ? [t('{0} polymorphic', caches.length - worst)] : []),
        ...(changes.length === 1 ? [t('1 slower representation')] : []),
        ...(changes.length > 1 ? [t('{0} slower representations', changes.length)] : []),
      ].join(' · '),
      table: { columns, rows: [...rows, ...changes].slice(0, MOST_ROWS) },
      ...textOf(left, cutText(rows.length + changes.length, t).text),
    },
  ];
}

function textOf(...sentences: readonly (string | undefined)[]): { text?: string } {
  const text = sentences.filter((one) => one !== undefined && one !== '').join(' ');
  return text === '' ? {} : { text };
}

/** Each once, with how often there were more that look the same. */
function namesOf(cache: InlineCache, t: Translate): string[] {
  const names = new Map<string, number>();
  for (const shape of cache.shapes) names.set(shapeName(shape, t), (names.get(shapeName(shape, t)) ?? 0) + 1);
  return [...names].map(([name, count]) => (count > 1 ? `${name} ×${count}` : name));
}

/** Operators and calls that met several kinds of value, and arrays that changed theirs. */
export function feedback(request: ModelRequest): Section[] {
  const {
    profiled: { report },
    t,
  } = request;
  const words = { operator: t('operator'), comparison: t('comparison'), call: t('call'), construct: t('new') };
  const mixed = (report.feedback ?? []).filter((one) => one.mixed && isShown(request)(one));
  const rows = [
    ...mixed.map(({ place, kind, seen }): Cell[] => [
      placeCell(place, request),
      { text: words[kind] },
      {
        text: kind === 'call' || kind === 'construct' ? t('several functions') : t('several types'),
        details: seen === 'Any' ? [t('V8 recorded "{0}".', seen)] : [],
      },
    ]),
    ...(report.elements ?? [])
      .filter(isShown(request))
      .map(({ place, from, to }): Cell[] => [placeCell(place, request), { text: t('array') }, { text: `${from} → ${to}`, isCode: true }]),
  ];
  const text =
    report.feedback && !tellsComparisons(report.machine)
      ? { text: t('This Node version does not report comparison feedback (<, ===). Node 24 and earlier do.') }
      : {};
  if (rows.length === 0) return [];
  return [
    {
      id: 'feedback',
      title: t('Operators, calls, and arrays'),
      deeper: rows.length === 1 ? t('1 location') : t('{0} locations', rows.length),
      ...text,
      table: { columns: [{ title: t('Location') }, { title: t('Kind') }, { title: t('Seen') }], rows: rows.slice(0, MOST_ROWS) },
      ...cutText(rows.length, t),
    },
  ];
}
