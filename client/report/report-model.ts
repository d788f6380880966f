// The report of a profile as sections, tables and pictures, in words: what the page shows, without how.
import {
  nameOfTarget,
  type CallOrigin,
  type LoopBlock,
  type LoopDelay,
  type ProfileReport,
  type Timing,
  type VerdictKind,
} from '../../protocol/evidence.ts';
import { byAwaited } from '../../protocol/awaited-calls.ts';
import { costsSeen, sawAnything } from '../../protocol/seen-by-run.ts';
import { flame } from './flame-section.ts';
import { amount, bytes, milliseconds, time } from './figures.ts';
import { cutText, MOST_ROWS, placeCell, type Cell, type ModelRequest, type ReportModel, type Section, type Table } from './report-parts.ts';
import { delayPictures, timesPicture } from './report-pictures.ts';
import { retained } from './retained-section.ts';
import { scaling } from './scaling-section.ts';
import { seenByRun } from './seen-section.ts';
import { feedback, shapes, tiers } from './v8-sections.ts';
import type { Translate } from '../translate.ts';

export function reportModel(request: ModelRequest): ReportModel {
  const {
    profiled: { report },
    pathOf,
    t,
  } = request;
  const { target } = report;
  const sections = [
    verdictsAndSeen,
    scaling,
    retained,
    timing,
    calls,
    blocking,
    exceptions,
    eventLoop,
    problems,
    flame,
    tiers,
    shapes,
    feedback,
    cpuProfile,
  ].flatMap((section) => section(request));
  return {
    title: t('{0} in {1}', nameOfTarget(target) ?? t('a function'), pathOf(target.file)),
    figures: figures(request),
    sections,
    footer: footer(report, request),
  };
}

function figures({ profiled: { report }, t }: ModelRequest): ReportModel['figures'] {
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
  const rows = reached.map(({ verdict, ruleId, place, figure, remedy, grounds }): Cell[] => [
    { text: verdictWord(verdict, t), verdict },
    { ...placeCell(place, request), details: [ruleId] },
    {
      text: figure,
      // Why nothing can be said is shown at once; what a verdict rests on, to those who ask.
      details: verdict === 'inconclusive' ? grounds : verdict === 'confirmed' && remedy !== undefined ? [remedy] : [],
      ...(verdict === 'inconclusive' || grounds.length === 0 ? {} : { deeper: { title: t('How this was found'), sentences: grounds } }),
    },
  ]);
  const text = [leadText(report, t), ...(missed.length > 0 ? [t('Not reached: {0}.', missed.join(', '))] : [])].join(' ');
  const columns = [{ title: t('Verdict') }, { title: t('Location') }, { title: t('Measured') }];
  return [{ id: 'verdicts', title: t('Verdicts'), text, ...(rows.length > 0 ? { table: { columns, rows } } : {}) }];
}

/** A cost is what people came for; sentences about what may be one can wait. */
export function verdictsAndSeen(request: ModelRequest): Section[] {
  const [seen, judged] = [seenByRun(request), verdicts(request)];
  return costsSeen(request.profiled.report) > 0 ? [...seen, ...judged] : [...judged, ...seen];
}

/** A block of this length is reported even where no warning is about it, in ms: as long as the one that `nodometer lag` reports. */
const LONG_BLOCK_MS = 50;

/** In a sentence or two: what it comes to. */
function leadText(report: ProfileReport, t: Translate): string {
  const { verdicts, program, blocks } = report;
  const count = (kind: VerdictKind): number => verdicts.filter(({ verdict }) => verdict === kind).length;
  const costs = count('confirmed');
  const shown = shownBlocks(blocks);
  const longest = Math.max(0, ...shown.map(({ duration }) => duration));
  const isEndless = shown.some(({ endless }) => endless);
  const unwarned =
    costs + costsSeen(report) > 0 || (longest < LONG_BLOCK_MS && !isEndless)
      ? ''
      : isEndless
        ? t('The event loop was blocked for at least {0}, until the run was stopped. See Event loop below.', milliseconds(longest))
        : t('The event loop was blocked for {0}. See Event loop below.', milliseconds(longest));
  const lead =
    verdicts.length === 0
      ? sawAnything(report)
        ? unwarned === ''
          ? t('No rule reports this code. The other sections show what the run saw.')
          : t('No rule reports this code.')
        : program
          ? t('The files that ran have no warnings to verify.')
          : t('This function has no warnings to verify.')
      : costs === 0
        ? count('seen') + count('refuted') > 0
          ? t('No warning was shown to cost anything.')
          : t('No warning could be verified.')
        : costs === 1
          ? t('1 warning was confirmed.')
          : t('{0} warnings were confirmed.', costs);
  return [lead, unwarned].filter((part) => part !== '').join(' ');
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
        runs.length > 1
          ? t(
              'Each run is one process, and two processes of the same code differ. To compare two versions, use Apply and Measure or `nodometer compare`.',
            )
          : '',
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

export function blocking(request: ModelRequest): Section[] {
  const {
    profiled: { report },
    t,
  } = request;
  const [calls, awaited] = byAwaited(report.syncCalls);
  const rows = calls.map(({ name, place, count, totalMs, maxMs }): Cell[] => [
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
  const awaitedRows = awaited.map(({ name, place, count, awaitedMs }): Cell[] => [
    { text: name, isCode: true },
    placeCell(place, request),
    { text: `×${amount(count)}`, isFigure: true },
    { text: milliseconds(awaitedMs / count), isFigure: true },
  ]);
  const section = (id: string, title: string, columnCount: number, all: Cell[][]): Section[] =>
    all.length === 0
      ? []
      : [{ id, title, table: { columns: columns.slice(0, columnCount), rows: all.slice(0, MOST_ROWS) }, ...cutText(all.length, t) }];
  return [
    ...section('blocking', t('Blocking calls'), columns.length, rows),
    ...section('awaited', t('Awaited calls'), columns.length - 1, awaitedRows),
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

/** Of others nobody knows whose they are. */
function shownBlocks(blocks: readonly LoopBlock[]): LoopBlock[] {
  return blocks.filter(({ stack, endless }) => stack.length > 0 || endless);
}

export function eventLoop(request: ModelRequest): Section[] {
  const {
    profiled: {
      report: { blocks, loopDelay },
    },
    t,
  } = request;
  const shown = shownBlocks(blocks);
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

export function delayText({ resolution, idleFloor, utilization, blocks, threshold, max }: LoopDelay, t: Translate): string {
  const figures = t(
    'Utilization {0} %, blocks over {1}: {2}. The timer resolution of {3} is subtracted. An idle loop on this machine has a p99 of {4}; lower values cannot be distinguished from noise.',
    Math.round(utilization * 100),
    milliseconds(threshold),
    blocks,
    milliseconds(resolution),
    milliseconds(idleFloor),
  );
  // As in the terminal: a long delay beside no blocks would look like a mistake.
  if (blocks > 0 || max < threshold) return figures;
  return `${figures} ${t('The longest delay is not counted as a block: other programs used the processors, or its code was not seen. Measure again when the machine is less busy.')}`;
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
    const key = JSON.stringify([block.kind, block.endless, block.call, block.stack[0] ?? null]);
    groups.set(key, [...(groups.get(key) ?? []), block]);
  }
  const rows = [...groups.values()].flatMap(([longest, ...others]): Cell[][] => {
    if (!longest) return [];
    const {
      duration,
      kind,
      stack: [top, ...callers],
      endless,
      isCut,
      call,
    } = longest;
    const length: Cell = {
      text: endless
        ? t('not finished after {0}', milliseconds(duration))
        : isCut
          ? t('at least {0}', milliseconds(duration))
          : milliseconds(duration),
      ...(others.length > 0 ? { details: [t('and {0} shorter', others.length)] } : {}),
    };
    const nameOf = (name: string) => name || t('(anonymous)');
    return [
      [
        length,
        { text: kinds[kind], ...(call === undefined ? {} : { details: [call] }) },
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
    report: { target, calls, timing },
  },
  t,
}: ModelRequest): Section[] {
  const origins: Readonly<Record<CallOrigin, string>> = {
    'profile-comment': t('Calls from the @profile comment above it.'),
    'jsdoc-example': t('Calls from its @example.'),
    'call-site': t('Calls like those in its callers.'),
    test: t('Calls like those in its tests.'),
    typed: t('The calls that you entered.'),
    request: t('Requests to its route.'),
    'no-arguments': t('Called without arguments.'),
    file: t('The file was run.'),
    script: t('The npm script was run.'),
  };
  return [
    {
      id: 'calls',
      title: t('Calls'),
      text: `${origins[target.origin]} ${calls === 1 ? t('It ran once.') : t('It ran {0} times.', amount(calls))}${target.origin === 'request' ? ` ${t('Each kind of evidence comes from a run of its own, so the counts of the sections differ.')}` : ''}`,
      ...(target.calls.length > 0 ? { table: callTable(target.calls, timing?.perCall, t) } : {}),
    },
  ];
}

/** With its own time beside each, where there are several. */
function callTable(calls: readonly string[], times: Timing['perCall'], t: Translate): Table {
  if (!times) return { columns: [{ title: t('Call') }], rows: calls.map((text) => [{ text, isCode: true }]) };
  return {
    columns: [
      { title: t('Call') },
      { title: t('Time'), isFigure: true },
      { title: t('95 % CI'), isFigure: true },
      { title: t('Allocated'), isFigure: true },
    ],
    rows: calls.map((text, index): Cell[] => {
      const own = times.find(({ call }) => call === index);
      return [
        { text, isCode: true },
        { text: own ? time(own.median) : '', isFigure: true },
        { text: own?.halfWidth === undefined ? '' : `± ${time(own.halfWidth)}`, isFigure: true },
        { text: own?.allocated === undefined ? '' : bytes(own.allocated), isFigure: true },
      ];
    }),
  };
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
