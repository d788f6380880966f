// A profile for people, in the terminal or as Markdown: the verdicts first, then what V8 did, then the time.
import { relative } from 'node:path';
import {
  tellsComparisons,
  VERDICT_SYMBOLS,
  VERDICT_WORDS,
  nameOfTarget,
  type ComparisonRow,
  type DeoptGroup,
  type InlineCache,
  type ProfileReport,
  type SourcePlace,
  type Timing,
  type TypeFeedback,
} from '../../protocol/evidence.ts';
import { byAwaited, isAtMost } from '../../protocol/awaited-calls.ts';
import { unitText, type Scaling } from '../../protocol/scaling.ts';
import { costsSeen, sawAnything, SEEN_WORDS } from '../../protocol/seen-by-run.ts';
import { amount, duration } from '../../profiler/judge/words.ts';
import { formatComparison } from './comparison-text.ts';
import { annotatedLines, type ShownSource } from './annotated-source.ts';
import type { ProfileStyle } from './profile-style.ts';
import { shownKeys } from '../../protocol/shown-shapes.ts';
import { BY_KEYS, cacheText, hasManyShapes, isManyShaped, rateText } from './profile-words.ts';
import {
  asideLines,
  blockRows,
  cpuLines,
  delayLines,
  packageLines,
  programHead,
  programTiers,
  programVerdicts,
  worstFirst,
  counted,
} from './program-text.ts';
import { nanoseconds } from './times.ts';

/** More rows than this in a list are counted, not shown. */
const MOST_ROWS = 12;

export interface ProfileTextRequest {
  reports: readonly ProfileReport[];
  /** Set where several Nodes were asked. */
  comparison?: readonly ComparisonRow[];
  cwd: string;
  /** Plain words for a deoptimization's reason. */
  explainReason(reason: string): string | undefined;
  style: ProfileStyle;
  /** Also what V8 did: tiers, shapes, type feedback. */
  verbose: boolean;
  /** The function, where it is to be shown with what was measured. */
  source?: ShownSource;
}

type At = (place: SourcePlace) => string;

export function formatProfile({ reports, comparison = [], cwd, explainReason, style, verbose, source }: ProfileTextRequest): string {
  const at: At = (place) => `${relative(cwd, place.file) || place.file}:${place.line}:${place.column}`;
  const blocks = reports.map((report) => formatReport({ report, cwd, explainReason, style, verbose, source, at }));
  if (comparison.length > 0) blocks.push(formatComparison(comparison, style, cwd));
  return `${blocks.join('\n\n')}\n`;
}

interface ReportText {
  report: ProfileReport;
  cwd: string;
  explainReason(reason: string): string | undefined;
  style: ProfileStyle;
  verbose: boolean;
  source: ShownSource | undefined;
  at(place: SourcePlace): string;
}

/** What it costs and what to do comes first, what V8 did last. */
function formatReport({ report, cwd, style, at, ...more }: ReportText): string {
  const { target, machine, program } = report;
  const lines = program
    ? programHead(report, style)
    : [
        style.title(
          `${nameOfTarget(target) ?? `${relative(cwd, target.file)}${target.place ? `:${target.place.line}` : ''}`} on Node ${machine.node}`,
        ),
        style.dim(`${ORIGIN_WORDS[target.origin]}: ${target.calls.join('; ')}`),
      ];
  const seen = seenLines(report, at, style);
  // A cost is what people came for; sentences about what may be one can wait.
  if (costsSeen(report) > 0) lines.push(...seen);
  lines.push('', style.section('Verdicts'), ...verdictLines(report, at, style));
  if (costsSeen(report) === 0) lines.push(...seen);
  lines.push(...growthLines(report, at, style));
  if (report.timing) lines.push('', style.section('Time'), ...timingRows(report.timing, target, style));
  if (program) lines.push(...cpuLines(program, at, style));
  const [blocking, awaited] = byAwaited(report.syncCalls);
  if (blocking.length > 0) {
    lines.push('', style.section(program ? 'Blocking calls after startup' : 'Blocking calls'));
    for (const call of blocking.slice(0, MOST_ROWS))
      lines.push(
        style.row([
          call.name,
          at(call.place),
          `×${amount(call.count)}`,
          `${isAtMost(call) ? 'at most ' : ''}${duration(call.totalMs / call.count)} each, up to ${duration(call.maxMs)}`,
        ]),
      );
  }
  if (awaited.length > 0) {
    lines.push('', style.section('Awaited calls'));
    for (const { name, place, count, awaitedMs } of awaited.slice(0, MOST_ROWS))
      lines.push(style.row([name, at(place), `×${amount(count)}`, `${duration(awaitedMs / count)} each`]));
  }
  if (report.exceptions.length > 0) {
    lines.push('', style.section('Exceptions'));
    for (const group of report.exceptions.slice(0, MOST_ROWS))
      lines.push(style.row([group.type, at(group.place), `×${amount(group.thrown)}`, group.message]));
  }
  if (report.blocks.length > 0 || report.loopDelay) {
    lines.push('', style.section('Event loop'), ...(report.loopDelay ? delayLines(report.loopDelay, style) : []));
    lines.push(...blockRows(report.blocks, at, style).slice(0, MOST_ROWS));
  }
  if (more.source) lines.push(...annotatedLines(report, more.source, style));
  lines.push(...deoptLines({ report, cwd, style, at, ...more }));
  if (more.verbose) lines.push(...stateLines({ report, cwd, style, at, ...more }));
  else lines.push(...hiddenLines(report, style));
  if (report.cpuProfile !== undefined) lines.push('', style.dim(`CPU profile: ${relative(cwd, report.cpuProfile) || report.cpuProfile}`));
  for (const problem of report.problems) lines.push('', style.dim(problem));
  return lines.join('\n');
}

/** A block of this length is reported even where no warning is about it, in ms: as long as the one that `nodometer lag` reports. */
const LONG_BLOCK_MS = 50;

function verdictLines(report: ProfileReport, at: At, style: ProfileStyle): string[] {
  const { program } = report;
  const lines: string[] = [];
  if (report.verdicts.length === 0)
    lines.push(
      style.dim(
        sawAnything(report)
          ? 'No rule reports this code. The other sections show what the run saw.'
          : program
            ? 'There are no warnings in the files that ran.'
            : 'There are no findings to verify here.',
      ),
    );
  const { shown, rest } = program ? programVerdicts(report, at) : { shown: report.verdicts, rest: undefined };
  for (const { verdict, figure, place, ruleId, grounds, remedy } of shown) {
    lines.push(`${style.verdict(verdict, `${VERDICT_SYMBOLS[verdict]} ${VERDICT_WORDS[verdict]}`)}  ${ruleId}  ${at(place)}  ${figure}`);
    if (verdict === 'confirmed' && remedy !== undefined) lines.push(style.dim(`    → ${remedy}`));
    for (const ground of grounds) lines.push(style.dim(`    ${ground}`));
  }
  if (rest !== undefined) lines.push(style.dim(rest));
  const longest = Math.max(0, ...report.blocks.map((block) => block.duration));
  const isEndless = report.blocks.some(({ endless }) => endless);
  if ((longest >= LONG_BLOCK_MS || isEndless) && costsSeen(report) === 0 && report.verdicts.every(({ verdict }) => verdict !== 'confirmed'))
    lines.push(
      style.dim(
        `The event loop was blocked ${isEndless ? `for at least ${duration(longest)}, until the run was stopped` : `for ${duration(longest)}`}. See Event loop below.`,
      ),
    );
  return lines;
}

/** A row for each finding: the sizes of the input, and how long it took. */
function growthLines({ verdicts }: ProfileReport, at: At, style: ProfileStyle): string[] {
  const rows = verdicts.flatMap(({ place, scaling }) => (scaling ? [growthRow(at(place), scaling, style)] : []));
  return rows.length === 0 ? [] : ['', style.section('How the time grows'), ...rows.slice(0, MOST_ROWS)];
}

function growthRow(place: string, { unit, per, points, exponent }: Scaling, style: ProfileStyle): string {
  const [value, low, high] = [exponent.value, exponent.low, exponent.high].map((n) => n.toFixed(2));
  return style.row([
    place,
    `n^${value} (${low} to ${high})`,
    `per ${per} of ${points.map(({ size }) => amount(size)).join(', ')} ${unitText(unit, 2)}: ${points.map(({ ns }) => nanoseconds(ns)).join(', ')}`,
  ]);
}

/** What no rule predicted: with a cost first. */
function seenLines({ unpredicted }: ProfileReport, at: At, style: ProfileStyle): string[] {
  if (!unpredicted || unpredicted.findings.length + unpredicted.remarks.length === 0) return [];
  const lines = ['', style.section('Seen by the run')];
  for (const { kind, place, figure, grounds, remedy } of unpredicted.findings) {
    lines.push(`${style.verdict('confirmed', `${VERDICT_SYMBOLS.confirmed} ${SEEN_WORDS[kind]}`)}  ${at(place)}  ${figure}`);
    lines.push(style.dim(`    → ${remedy}`), ...grounds.map((ground) => style.dim(`    ${ground}`)));
  }
  for (const { place, text } of unpredicted.remarks) lines.push(style.dim(`${at(place)}  ${text}`));
  return lines;
}

function deoptLines({ report, explainReason, style, at, verbose }: ReportText): string[] {
  const { program, calls } = report;
  const deopts = report.deopts.filter((group) => !group.benign);
  const benign = report.deopts.length - deopts.length;
  const tiers = !verbose ? [] : program ? programTiers(report, style) : tierRows(report, at, style);
  const lines: string[] = [];
  for (const group of deopts.slice(0, MOST_ROWS)) {
    lines.push(
      style.row([`↓ deopt ×${amount(group.count)}`, at(group.place), describeDeopt(group), program ? '' : rateText(group.count, calls)]),
    );
    const words = explainReason(group.reason);
    if (words !== undefined) lines.push(style.dim(`    ${words}`));
  }
  if (deopts.length > MOST_ROWS) lines.push(style.dim(`and ${counted(deopts.length - MOST_ROWS, 'more location')}`));
  if (benign > 0 && (verbose || lines.length > 0)) lines.push(style.dim(`${counted(benign, 'warm-up deoptimization')} not shown.`));
  if (program && verbose) lines.push(...asideLines(program, style));
  if (tiers.length + lines.length === 0) return [];
  return ['', style.section(verbose ? 'Tiers and deoptimizations' : 'Deoptimizations'), ...tiers, ...lines];
}

function stateLines({ report, cwd, style, at }: ReportText): string[] {
  const { program } = report;
  const cpu = report.cpu ?? program?.cpu;
  const lines = cpu ? packageLines(cpu, at, style) : [];
  const caches = report.inlineCaches.filter(isManyShaped);
  if (program) caches.sort(worstFirst);
  if (caches.length > 0)
    lines.push(
      '',
      style.section('Polymorphic and megamorphic property accesses'),
      ...caches.slice(0, MOST_ROWS).flatMap((cache) => cacheRows(cache, at, style)),
    );
  if (caches.length > MOST_ROWS) lines.push(style.dim(`and ${caches.length - MOST_ROWS} more`));
  const ofNode = report.inlineCaches.filter(hasManyShapes).length - caches.length;
  if (ofNode > 0) lines.push(style.dim(`${counted(ofNode, 'access', 'es')} to Node's requests and responses not shown.`));
  const mixed = (report.feedback ?? []).filter((one) => one.mixed);
  if (mixed.length > 0)
    lines.push(
      '',
      style.section('Polymorphic operators and calls'),
      ...mixed
        .slice(0, MOST_ROWS)
        .map((one) => style.row([FEEDBACK_WORDS[one.kind], at(one.place), one.seen === 'Any' ? 'several types' : one.seen])),
    );
  if (report.feedback && !tellsComparisons(report.machine))
    lines.push(
      ...(mixed.length > 0 ? [] : ['', style.section('Operators and calls')]),
      style.dim(`Node ${report.machine.node} does not report comparison feedback (<, ===). Node 24 and earlier do.`),
    );
  const elements = report.elements ?? [];
  if (elements.length > 0)
    lines.push(
      '',
      style.section('Elements kind transitions of arrays'),
      ...elements
        .slice(0, MOST_ROWS)
        .map(({ place, from, to }) => style.row([`${relative(cwd, place.file) || place.file}:${place.line}`, `${from} → ${to}`])),
    );
  if (program && program.monomorphic > 0)
    lines.push(
      ...(caches.length > 0 ? [] : ['', style.section('Property accesses')]),
      style.dim(`Monomorphic, not shown: ${amount(program.monomorphic)}.`),
    );
  return lines;
}

/** What there is of the above, and how to see it. */
function hiddenLines({ inlineCaches, feedback = [], elements = [] }: ProfileReport, style: ProfileStyle): string[] {
  const many = inlineCaches.filter(isManyShaped);
  const mega = many.filter(({ state }) => state === 'megamorphic').length;
  const mixed = feedback.filter((one) => one.mixed).length;
  const parts = [
    'tiers',
    ...(many.length > mega ? [counted(many.length - mega, 'polymorphic property access', 'es')] : []),
    ...(mega > 0 ? [counted(mega, 'megamorphic property access', 'es')] : []),
    ...(mixed > 0 ? [`${amount(mixed)} polymorphic ${mixed === 1 ? 'operator or call' : 'operators and calls'}`] : []),
    ...(elements.length > 0 ? [counted(elements.length, 'elements kind transition')] : []),
  ];
  return ['', style.dim(`Not shown: ${parts.join(', ')}. Use \`--verbose\` to show what V8 did.`)];
}

const ORIGIN_WORDS: Readonly<Record<ProfileReport['target']['origin'], string>> = {
  'profile-comment': 'Calls from @profile',
  'jsdoc-example': 'Calls from @example',
  'call-site': 'Calls like those in the project',
  test: 'Calls like those in the tests',
  typed: 'Calls as specified',
  request: 'Requests',
  'no-arguments': 'Call without arguments',
  file: 'Run',
  script: 'Run',
};

const MS = 1;

function tierRows({ tiers }: ProfileReport, at: (place: SourcePlace) => string, style: ProfileStyle): string[] {
  const byFunction = new Map<string, { name: string; place: SourcePlace; steps: string[] }>();
  for (const { functionName, place, tier, osr, at: time } of tiers) {
    if (tier === 'ignition') continue;
    const key = at(place);
    const entry = byFunction.get(key) ?? { name: functionName || '(anonymous)', place, steps: [] };
    entry.steps.push(`${tier}${osr ? ' (OSR)' : ''} ${Math.round(time / MS)} ms`);
    byFunction.set(key, entry);
  }
  if (byFunction.size === 0) return [style.dim('V8 did not optimize this code.')];
  return [...byFunction.values()]
    .slice(0, MOST_ROWS)
    .map(({ name, place, steps }) =>
      style.row([name, at(place), steps.slice(0, MOST_STEPS).join(' → ') + (steps.length > MOST_STEPS ? ' → …' : '')]),
    );
}

const MOST_STEPS = 6;
/** A request of a framework has dozens. */
const MOST_PROPERTIES = 12;

function describeDeopt({ reason, kind, inlinedAt }: DeoptGroup): string {
  return `${reason}${kind === 'deopt-eager' ? '' : ` (${kind})`}${inlinedAt[0] ? `, inlined at line ${inlinedAt[0].line}` : ''}`;
}

const FEEDBACK_WORDS: Readonly<Record<TypeFeedback['kind'], string>> = {
  operator: 'operator',
  comparison: 'comparison',
  call: 'call',
  construct: 'new',
};

function cacheRows(cache: InlineCache, at: (place: SourcePlace) => string, style: ProfileStyle): string[] {
  // An object that serves as a dictionary has its keys for properties.
  const shapes =
    cacheText(cache) === BY_KEYS
      ? []
      : cache.shapes.flatMap(({ properties, constructorName }) =>
          properties
            ? [
                `${constructorName && constructorName !== 'Object' ? `${constructorName} ` : ''}{ ${shownKeys(properties).slice(0, MOST_PROPERTIES).join(', ')}${properties.length > MOST_PROPERTIES ? ', …' : ''} }`,
              ]
            : [],
        );
  const rows = [
    style.row([
      cache.property ? `.${cache.property}` : '[…]',
      at(cache.place),
      cache.state,
      cacheText(cache),
      cache.megamorphicMisses > 0 ? `${amount(cache.megamorphicMisses)} further misses` : '',
    ]),
  ];
  const MOST_SHAPES = 6;
  const counts = new Map<string, number>();
  for (const shape of shapes) counts.set(shape, (counts.get(shape) ?? 0) + 1);
  for (const [shape, count] of [...counts].slice(0, MOST_SHAPES)) rows.push(style.dim(`    ${shape}${count > 1 ? ` ×${count}` : ''}`));
  return rows;
}

function timingRows(
  { median, halfWidth, p99, calls, allocated, perCall = [], gc, suspectedDeadCode }: Timing,
  target: ProfileReport['target'],
  style: ProfileStyle,
): string[] {
  const unit = target.origin === 'request' ? 'request' : 'call';
  const rows = [
    style.row([
      `${nanoseconds(median)} per ${unit}${unit === 'request' ? ' (loopback round trip)' : ''}`,
      halfWidth === undefined ? '' : `± ${nanoseconds(halfWidth)}`,
      p99 === undefined ? '' : `p99 ${nanoseconds(p99)}`,
      counted(calls, unit),
      allocated === undefined ? '' : `${amount(Math.round(allocated))} bytes per call`,
      gc.count > 0 ? `${counted(gc.count, 'garbage collection')}, ${duration(gc.totalMs)}` : '',
    ]),
  ];
  for (const one of perCall)
    rows.push(
      style.dim(
        `    ${nanoseconds(one.median)}${one.halfWidth === undefined ? '' : ` ± ${nanoseconds(one.halfWidth)}`}  ${target.calls[one.call] ?? ''}`,
      ),
    );
  if (suspectedDeadCode)
    rows.push(style.dim('    Suspiciously fast: V8 may have eliminated the work as dead code. Vary the arguments and use the result.'));
  return rows;
}
