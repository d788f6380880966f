// The report of a profile as sections, tables and pictures, in words: what the page shows, without how.
import {
  tellsComparisons,
  type CallOrigin,
  type InlineCache,
  type LoopBlock,
  type LoopDelay,
  type ProfileReport,
  type SourcePlace,
  type Timing,
  type VerdictKind,
} from '../../protocol/evidence.ts';
import type { Profiled } from '../../protocol/editor.ts';
import { accessName, isManyShaped, problemDeopts, shapeName, shapesText, TIER_NAMES, topTier } from '../profile/evidence-notes.ts';
import { amount, bytes, milliseconds, time } from './figures.ts';
import { delayPictures, timelinePicture, timesPicture, type Picture } from './report-pictures.ts';
import type { Translate } from '../translate.ts';

export interface Cell {
  text: string;
  /** A link to it. */
  place?: SourcePlace;
  /** Figures stand in columns of their own, at the right. */
  isFigure?: boolean;
  isCode?: boolean;
  verdict?: VerdictKind;
  /** Sentences below the text. */
  details?: readonly string[];
  /** Further places below the text, each with words of its own. */
  more?: readonly { text: string; place: SourcePlace }[];
}

export interface Table {
  columns: readonly { title: string; isFigure?: boolean }[];
  rows: readonly (readonly Cell[])[];
}

export interface Section {
  id: string;
  title: string;
  text?: string;
  pictures?: readonly Picture[];
  table?: Table;
}

export interface ReportModel {
  title: string;
  /** Words beside figures, at the top. */
  figures: readonly { label: string; value: string; detail?: string }[];
  sections: readonly Section[];
  /** Machine, Node, date. */
  footer: readonly string[];
}

export interface ModelRequest {
  profiled: Pick<Profiled, 'report' | 'reasons'>;
  /** Runs of the same function before this one, the oldest first. */
  before: readonly ProfileReport[];
  /** Of the document: what lies behind was added for the run. */
  lineCount: number;
  /** As the user's workspace calls it. */
  pathOf(file: string): string;
  /** For people, in their own time zone. */
  dateOf(iso: string): string;
  t: Translate;
}

/** A longer table is cut, and says so. */
const MOST_ROWS = 40;

export function reportModel(request: ModelRequest): ReportModel {
  const {
    profiled: { report },
    pathOf,
    t,
  } = request;
  const { target } = report;
  const sections = [verdicts, tiers, timing, shapes, feedback, blocking, exceptions, eventLoop, problems, cpuProfile, calls].flatMap(
    (section) => section(request),
  );
  return {
    title: t('{0} in {1}', target.functionName ?? t('a function'), pathOf(target.file)),
    figures: figures(request),
    sections,
    footer: footer(report, request),
  };
}

function figures({ profiled: { report }, t }: ModelRequest): ReportModel['figures'] {
  const tier = topTier(report);
  const deopts = problemDeopts(report).reduce((sum, { count }) => sum + count, 0);
  const { timing } = report;
  return [
    ...(timing
      ? [
          {
            label: t('per call'),
            value: time(timing.median),
            detail:
              [
                ...(timing.halfWidth === undefined ? [] : [`± ${time(timing.halfWidth)}`]),
                ...(timing.p99 === undefined ? [] : [`p99 ${time(timing.p99)}`]),
              ].join(' · ') || undefined,
          },
        ]
      : []),
    ...(tier ? [{ label: t('highest tier'), value: TIER_NAMES[tier] }] : []),
    { label: t('deoptimizations'), value: amount(deopts) },
    ...(timing?.allocated === undefined ? [] : [{ label: t('allocated per call'), value: bytes(timing.allocated) }]),
  ];
}

/** What was found out comes first. */
const VERDICT_ORDER: readonly VerdictKind[] = ['confirmed', 'seen', 'refuted', 'inconclusive', 'not-reached'];

export function verdictWord(kind: VerdictKind, t: Translate): string {
  const words: Readonly<Record<VerdictKind, string>> = {
    confirmed: t('confirmed'),
    seen: t('seen, no cost shown'),
    refuted: t('refuted'),
    'not-reached': t('not reached'),
    inconclusive: t('inconclusive'),
  };
  return words[kind];
}

export function verdicts(request: ModelRequest): Section[] {
  const {
    profiled: { report },
    t,
  } = request;
  const reached = report.verdicts
    .filter(({ verdict }) => verdict !== 'not-reached')
    .sort((a, b) => VERDICT_ORDER.indexOf(a.verdict) - VERDICT_ORDER.indexOf(b.verdict));
  const missed = report.verdicts
    .filter(({ verdict }) => verdict === 'not-reached')
    .map(({ place, ruleId }) => `${placeCell(place, request).text} (${ruleId})`);
  const rows = reached.map(({ verdict, ruleId, place, figure, grounds }): Cell[] => [
    { text: verdictWord(verdict, t), verdict },
    { ...placeCell(place, request), details: [ruleId] },
    { text: figure, details: grounds },
  ]);
  const text =
    missed.length > 0
      ? t('Not reached: {0}.', missed.join(', '))
      : rows.length === 0
        ? report.program
          ? t('The files that ran have no warnings to verify.')
          : t('This function has no warnings to verify.')
        : '';
  const columns = [{ title: t('Verdict') }, { title: t('Location') }, { title: t('Measured') }];
  return [
    { id: 'verdicts', title: t('Verdicts'), ...(text === '' ? {} : { text }), ...(rows.length > 0 ? { table: { columns, rows } } : {}) },
  ];
}

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
      { text: `×${amount(count)}`, isFigure: true },
      { text: reason, details: words ? [words.meaning, words.remedy] : [] },
      { text: kind, isCode: true },
    ];
  });
  const left = benign > 0 ? t('{0} warm-up deoptimizations not shown.', benign) : '';
  // The clocks of several processes are not one.
  const picture = report.program && report.program.processes > 1 ? undefined : timelinePicture(report, isShown(request), t);
  return [
    {
      id: 'tiers',
      title: t('Tiers and deoptimizations'),
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

function timing({ profiled: { report }, before, dateOf, t }: ModelRequest): Section[] {
  const runs = [...before, report].flatMap((one) => (one.timing ? [{ ...one, timing: one.timing }] : []));
  if (runs.length === 0 || !report.timing) return [];
  const rows = runs.map(({ timing, machine, date }, index): Cell[] => [
    index === runs.length - 1 ? { text: t('this run') } : { text: t('run {0}', index + 1), details: [dateOf(date)] },
    { text: machine.node, isFigure: true },
    { text: time(timing.median), isFigure: true },
    { text: timing.halfWidth === undefined ? '' : `± ${time(timing.halfWidth)}`, isFigure: true },
    { text: timing.allocated === undefined ? '' : bytes(timing.allocated), isFigure: true },
    { text: `${amount(timing.gc.count)} · ${milliseconds(timing.gc.totalMs)}`, isFigure: true },
    { text: amount(timing.samples), isFigure: true },
  ]);
  const picture = timesPicture(runs, t);
  return [
    {
      id: 'time',
      title: t('Time'),
      text: [
        changeText(runs.at(-2), report.timing, t),
        t('Median of the samples with the 95 % confidence interval.'),
        report.timing.suspectedDeadCode ? t('Suspiciously fast: V8 may have eliminated the work as dead code.') : '',
      ]
        .filter((part) => part !== '')
        .join(' '),
      ...(picture ? { pictures: [picture] } : {}),
      table: {
        columns: [
          { title: t('Run') },
          { title: t('Node'), isFigure: true },
          { title: t('Per call'), isFigure: true },
          { title: t('95 % CI'), isFigure: true },
          { title: t('Allocated'), isFigure: true },
          { title: t('GC'), isFigure: true },
          { title: t('Samples'), isFigure: true },
        ],
        rows,
      },
    },
  ];
}

/** What became of the time since the run before; empty where there was none, or too few samples to tell. */
function changeText(before: { timing: Timing } | undefined, now: Timing, t: Translate): string {
  const timing = before?.timing;
  if (timing?.halfWidth === undefined || now.halfWidth === undefined) return '';
  // Intervals of 95 % that lie apart differ by more than chance.
  const isApart = Math.abs(timing.median - now.median) > timing.halfWidth + now.halfWidth;
  if (!isApart) return t('No difference from the previous run: the intervals overlap.');
  const factor = timing.median / now.median;
  return factor > 1
    ? t('{0} times as fast as the previous run.', factor.toFixed(2))
    : t('{0} % slower than the previous run.', Math.round((1 / factor - 1) * 100));
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
  if (rows.length + changes.length === 0) return [{ id: 'shapes', title: t('Shapes'), text: t('Every property access saw one shape.') }];
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
      table: { columns, rows: [...rows, ...changes].slice(0, MOST_ROWS) },
      ...cutText(rows.length + changes.length, t),
    },
  ];
}

/** Each once, with how often there were more that look the same. */
function namesOf(cache: InlineCache, t: Translate): string[] {
  const names = new Map<string, number>();
  for (const shape of cache.shapes) names.set(shapeName(shape, t), (names.get(shapeName(shape, t)) ?? 0) + 1);
  return [...names].map(([name, count]) => (count > 1 ? `${name} ×${count}` : name));
}

export function blocking(request: ModelRequest): Section[] {
  const {
    profiled: { report },
    t,
  } = request;
  if (report.syncCalls.length === 0) return [];
  const rows = report.syncCalls.map(({ name, place, count, totalMs, maxMs }): Cell[] => [
    { text: name, isCode: true },
    placeCell(place, request),
    { text: `×${amount(count)}`, isFigure: true },
    { text: milliseconds(totalMs / count), isFigure: true },
    { text: milliseconds(maxMs), isFigure: true },
  ]);
  const columns = [
    { title: t('Call') },
    { title: t('Location') },
    { title: t('Count'), isFigure: true },
    { title: t('Average'), isFigure: true },
    { title: t('Longest'), isFigure: true },
  ];
  return [{ id: 'blocking', title: t('Blocking calls'), table: { columns, rows: rows.slice(0, MOST_ROWS) }, ...cutText(rows.length, t) }];
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
      ...text,
      table: { columns: [{ title: t('Location') }, { title: t('Kind') }, { title: t('Seen') }], rows: rows.slice(0, MOST_ROWS) },
      ...cutText(rows.length, t),
    },
  ];
}

export function exceptions(request: ModelRequest): Section[] {
  const {
    profiled: { report },
    t,
  } = request;
  if (report.exceptions.length === 0) return [];
  const rows = report.exceptions.map(({ type, place, thrown, message }): Cell[] => [
    { text: type, isCode: true, details: message === '' ? [] : [message] },
    placeCell(place, request),
    { text: `×${amount(thrown)}`, isFigure: true },
  ]);
  return [
    {
      id: 'exceptions',
      title: t('Exceptions'),
      table: {
        columns: [{ title: t('Type') }, { title: t('Location') }, { title: t('Thrown'), isFigure: true }],
        rows: rows.slice(0, MOST_ROWS),
      },
      ...cutText(rows.length, t),
    },
  ];
}

export function eventLoop(request: ModelRequest): Section[] {
  const {
    profiled: {
      report: { blocks, loopDelay },
    },
    t,
  } = request;
  const shown = blocks.filter(({ stack, endless }) => stack.length > 0 || endless);
  if (shown.length === 0 && !loopDelay) return [];
  return [
    {
      id: 'event-loop',
      title: t('Event loop'),
      ...(loopDelay ? { text: delayText(loopDelay, t), pictures: delayPictures(loopDelay, t) } : {}),
      ...(shown.length > 0 ? { table: blockTable(shown, request) } : {}),
    },
  ];
}

export function delayText({ resolution, idleFloor, utilization, blocks, threshold }: LoopDelay, t: Translate): string {
  return t(
    'Utilization {0} %, blocks over {1}: {2}. The timer resolution of {3} is subtracted. An idle loop on this machine has a p99 of {4}; lower values cannot be distinguished from noise.',
    Math.round(utilization * 100),
    milliseconds(threshold),
    blocks,
    milliseconds(resolution),
    milliseconds(idleFloor),
  );
}

/** Blocks of one kind at one place are one row, the longest first. */
export function blockTable(blocks: readonly LoopBlock[], request: ModelRequest): Table {
  const { t } = request;
  const kinds = {
    'next-tick': t('recursive process.nextTick'),
    microtask: t('recursive microtasks'),
    synchronous: t('synchronous code'),
    unknown: t('unknown cause'),
  };
  const groups = new Map<string, LoopBlock[]>();
  for (const block of [...blocks].sort((a, b) => b.duration - a.duration)) {
    const key = JSON.stringify([block.kind, block.endless, block.stack[0] ?? null]);
    groups.set(key, [...(groups.get(key) ?? []), block]);
  }
  const rows = [...groups.values()].flatMap(([longest, ...others]): Cell[][] => {
    if (!longest) return [];
    const {
      duration,
      kind,
      stack: [top, ...callers],
      endless,
    } = longest;
    const length: Cell = {
      text: endless ? t('did not finish') : milliseconds(duration),
      ...(others.length > 0 ? { details: [t('and {0} shorter', others.length)] } : {}),
    };
    const nameOf = (name: string) => name || t('(anonymous)');
    return [
      [
        length,
        { text: kinds[kind] },
        top
          ? {
              ...placeCell(top, request),
              details: [nameOf(top.functionName)],
              more: callers
                .slice(0, MOST_CALLERS)
                .map((frame) => ({ text: `${nameOf(frame.functionName)} ${placeCell(frame, request).text}`, place: frame })),
            }
          : { text: '' },
      ],
    ];
  });
  return { columns: [{ title: t('Duration') }, { title: t('Cause') }, { title: t('Location') }], rows: rows.slice(0, MOST_ROWS) };
}

const MOST_CALLERS = 4;

export function problems({ profiled: { report }, t }: ModelRequest): Section[] {
  if (report.problems.length === 0) return [];
  return [
    {
      id: 'problems',
      title: t('Limitations'),
      table: { columns: [{ title: t('Problem') }], rows: report.problems.map((text) => [{ text }]) },
    },
  ];
}

function calls({
  profiled: {
    report: { target, calls },
  },
  t,
}: ModelRequest): Section[] {
  const origins: Readonly<Record<CallOrigin, string>> = {
    'profile-comment': t('Calls from the @profile comment above it.'),
    'jsdoc-example': t('Calls from its @example.'),
    'call-site': t('Calls as in its callers.'),
    test: t('Calls as in its tests.'),
    typed: t('Calls as you entered them.'),
    request: t('Requests to its route.'),
    'no-arguments': t('Called without arguments.'),
    file: t('The file was run.'),
    script: t('The npm script was run.'),
  };
  return [
    {
      id: 'calls',
      title: t('Calls'),
      text: `${origins[target.origin]} ${t('It ran {0} times.', amount(calls))}`,
      ...(target.calls.length > 0
        ? { table: { columns: [{ title: t('Call') }], rows: target.calls.map((text) => [{ text, isCode: true }]) } }
        : {}),
    },
  ];
}

export function cpuProfile({
  profiled: {
    report: { cpuProfile: file },
  },
  t,
}: ModelRequest): Section[] {
  if (file === undefined) return [];
  return [
    {
      id: 'cpu-profile',
      title: t('CPU profile'),
      table: {
        columns: [{ title: t('File') }],
        rows: [[{ text: t('Open in VS Code'), place: { file, line: 1, column: 1 } }]],
      },
    },
  ];
}

export function footer(
  { machine, date }: Pick<ProfileReport, 'machine' | 'date'>,
  { dateOf, t }: Pick<ModelRequest, 'dateOf' | 't'>,
): string[] {
  return [
    t('Node {0} (V8 {1})', machine.node, machine.v8),
    machine.platform,
    t('{0}, {1} cores', machine.cpu, machine.cores),
    dateOf(date),
  ];
}

export function placeCell(place: SourcePlace, { profiled: { report }, lineCount, pathOf, t }: ModelRequest): Cell {
  if (place.file !== report.target.file || report.program)
    return { text: report.program ? `${pathOf(place.file)}:${place.line}:${place.column}` : `${pathOf(place.file)}:${place.line}`, place };
  return place.line > lineCount ? { text: t('profiler code') } : { text: t('line {0}:{1}', place.line, place.column), place };
}

/** Whether it is not about the lines that were added for the run. */
function isShown({ profiled: { report }, lineCount }: ModelRequest): (thing: { place: SourcePlace }) => boolean {
  return ({ place }) => place.file !== report.target.file || place.line <= lineCount;
}

function cutText(rows: number, t: Translate): { text?: string } {
  return rows > MOST_ROWS ? { text: t('The first {0} of {1} are shown.', MOST_ROWS, rows) } : {};
}
