// What a profile says at the ends of the editor's lines: a few words for each line, and what the hover adds.
import { byAwaited } from '../../protocol/awaited-calls.ts';
import { isMadeByNode, shownKeys } from '../../protocol/shown-shapes.ts';
import {
  nameOfTarget,
  type DeoptGroup,
  type InlineCache,
  type ProfileReport,
  type SourcePlace,
  type Tier,
} from '../../protocol/evidence.ts';
import { asOneLine } from '../../protocol/safe-text.ts';
import type { ReasonWords } from '../../protocol/editor.ts';
import { amount, milliseconds, time } from '../report/figures.ts';
import type { Translate } from '../translate.ts';

export interface Note {
  /** From 0. */
  line: number;
  text: string;
  /** `problem`: V8 or Node had trouble here. */
  tone: 'plain' | 'problem';
  /** Markdown. */
  hover: string;
  /** The part of the line, or of the function that begins here, in the processor's time, 0 to 1, where it is worth a mark. */
  share?: number;
}

export interface NotesRequest {
  report: ProfileReport;
  /** V8's reasons in plain words. */
  reasons: Readonly<Record<string, ReasonWords>>;
  /** First line of the function, from 0. */
  start: number;
  /** Of the document: what lies behind was added for the run. */
  lineCount: number;
  t: Translate;
}

export const TIER_NAMES: Readonly<Record<Tier, string>> = {
  ignition: 'Ignition',
  sparkplug: 'Sparkplug',
  maglev: 'Maglev',
  turbofan: 'TurboFan',
};
/** Slow to fast. */
export const TIER_ORDER: readonly Tier[] = ['ignition', 'sparkplug', 'maglev', 'turbofan'];

/** In the order of lines, one for each. */
export function notesOf(request: NotesRequest): Note[] {
  const { report, lineCount } = request;
  const byLine = new Map<number, Note[]>();
  const add = (note: Note): void => {
    byLine.set(note.line, [...(byLine.get(note.line) ?? []), note]);
  };
  add(functionNote(request));
  for (const [line, groups] of onLines(problemDeopts(report), request)) add(deoptNote(line, groups, request));
  for (const [line, caches] of onLines(report.inlineCaches.filter(isManyShaped), request)) add(cacheNote(line, caches, request));
  const [blocking, awaited] = byAwaited(report.syncCalls);
  for (const [line, calls] of onLines(blocking, request))
    for (const { name, count, totalMs, maxMs } of calls) add(syncNote(line, name, count, totalMs, maxMs, request));
  for (const [line, calls] of onLines(awaited, request))
    for (const { name, count, awaitedMs } of calls) add(awaitedNote(line, name, count, awaitedMs, request));
  for (const [line, groups] of onLines(report.exceptions, request))
    for (const { type, thrown, message } of groups) add(exceptionNote(line, type, thrown, message, request));
  for (const [line, events] of onLines(report.mapEvents, request)) add(mapNote(line, events, request));
  for (const note of heatNotes(request)) add(note);
  return [...byLine]
    .filter(([line]) => line >= 0 && line < lineCount)
    .sort(([a], [b]) => a - b)
    .map(([line, notes]) => ({
      line,
      text: notes
        .map(({ text }) => text)
        .filter((text) => text !== '')
        .join('  ·  '),
      tone: notes.some(({ tone }) => tone === 'problem') ? 'problem' : 'plain',
      hover: notes.map(({ hover }) => hover).join('\n\n'),
      share: notes.reduce<number | undefined>((most, { share }) => (share !== undefined && share > (most ?? 0) ? share : most), undefined),
    }));
}

export function problemDeopts(report: ProfileReport): DeoptGroup[] {
  return report.deopts.filter(({ benign }) => !benign);
}

export function hasManyShapes({ state }: InlineCache): boolean {
  return state === 'polymorphic' || state === 'megamorphic';
}

/** Of those, the ones that the user can change. */
export function isManyShaped(cache: InlineCache): boolean {
  return hasManyShapes(cache) && !isMadeByNode(cache);
}

/** The fastest tier that the target's own code reached. */
export function topTier({ tiers, target }: ProfileReport): Tier | undefined {
  // V8 calls `Cart.total` by its last name, and `exports.total = () => …` by the whole.
  const names = [target.functionName ?? '', target.functionName?.split('.').at(-1)];
  const own = tiers.filter(
    ({ functionName, place, inlinedInto }) => !inlinedInto && names.includes(functionName) && place.file === target.file,
  );
  return TIER_ORDER.findLast((tier) => own.some((event) => event.tier === tier));
}

function functionNote({ report, start, t }: NotesRequest): Note {
  const tier = topTier(report);
  const deopts = problemDeopts(report).reduce((sum, { count }) => sum + count, 0);
  const { timing, machine, calls } = report;
  const parts = [
    ...(tier ? [TIER_NAMES[tier]] : []),
    ...(timing ? [t('{0}/call', time(timing.median))] : []),
    deopts === 1 ? t('1 deopt') : t('{0} deopts', amount(deopts)),
  ];
  const hover = [
    t('**{0}** on Node {1}: {2} calls.', codeOf(nameOfTarget(report.target) ?? t('this function')), machine.node, amount(calls)),
  ];
  if (timing)
    hover.push(
      timing.halfWidth === undefined
        ? t('{0} per call, too few samples for a confidence interval.', time(timing.median))
        : t('{0} per call, ± {1} (95 % confidence, {2} samples).', time(timing.median), time(timing.halfWidth), timing.samples),
    );
  if (timing?.suspectedDeadCode) hover.push(t('Suspiciously fast: V8 may have eliminated the work as dead code.'));
  return {
    line: report.target.place ? report.target.place.line - 1 : start,
    text: `⚡ ${parts.join(' · ')}`,
    tone: 'plain',
    hover: hover.join(' '),
  };
}

function deoptNote(line: number, groups: readonly DeoptGroup[], { reasons, t }: NotesRequest): Note {
  const count = groups.reduce((sum, group) => sum + group.count, 0);
  const [first] = [...groups].sort((a, b) => b.count - a.count);
  const others = new Set(groups.map(({ reason }) => reason)).size - 1;
  const text = t('↓ deopt ×{0}: {1}', amount(count), first?.reason ?? '');
  const hover = groups.map(({ reason, kind, place, placement, count }) => {
    const words = reasons[reason];
    const where = placement === 'exact' ? t('column {0}', place.column) : t('in this function');
    return [
      t('**Deoptimized ×{0}** ({1}, {2}): {3}.', amount(count), codeOf(kind), where, codeOf(reason)),
      ...(words ? [words.meaning, words.remedy] : []),
    ].join(' ');
  });
  return { line, text: others > 0 ? t('{0} and {1} more', text, others) : text, tone: 'problem', hover: hover.join('\n\n') };
}

function cacheNote(line: number, caches: readonly InlineCache[], { t }: NotesRequest): Note {
  const [worst] = [...caches].sort(
    (a, b) => Number(b.state === 'megamorphic') - Number(a.state === 'megamorphic') || b.shapeCount - a.shapeCount,
  );
  const hover = caches.map((cache) => {
    const shapes = cache.shapes.map((shape) => codeOf(shapeName(shape, t))).join(', ');
    const missed = cache.state === 'megamorphic' ? ` ${t('{0} further misses.', amount(cache.megamorphicMisses))}` : '';
    return `**${accessName(cache, t)}**: ${shapesText(cache, t)}.${missed}${shapes === '' ? '' : ` ${shapes}`}`;
  });
  return {
    line,
    text: worst ? shapesText(worst, t) : '',
    tone: worst?.state === 'megamorphic' ? 'problem' : 'plain',
    hover: hover.join('\n\n'),
  };
}

function syncNote(line: number, name: string, count: number, totalMs: number, maxMs: number, { t }: NotesRequest): Note {
  const each = milliseconds(totalMs / count);
  return {
    line,
    text: t('{0} ×{1} · {2} each', name, amount(count), each),
    tone: 'problem',
    hover: t('**{0}** blocked the event loop ×{1}: {2} on average, {3} at most.', codeOf(name), amount(count), each, milliseconds(maxMs)),
  };
}

function awaitedNote(line: number, name: string, count: number, awaitedMs: number, { t }: NotesRequest): Note {
  const each = milliseconds(awaitedMs / count);
  return {
    line,
    text: t('{0} ×{1} · awaited for {2} each', name, amount(count), each),
    tone: 'plain',
    hover: t('**{0}** was awaited ×{1}: {2} on average.', codeOf(name), amount(count), each),
  };
}

function exceptionNote(line: number, type: string, thrown: number, message: string, { t }: NotesRequest): Note {
  return {
    line,
    text: t('throws {0} ×{1}', type, amount(thrown)),
    tone: 'problem',
    hover: t('**{0}** was thrown ×{1}: {2}', codeOf(type), amount(thrown), codeOf(message)),
  };
}

function mapNote(line: number, events: ProfileReport['mapEvents'], { t }: NotesRequest): Note {
  const hover = events.map(({ reason, property, count }) =>
    t('Objects changed to a slower representation ×{0}: {1}', amount(count), codeOf(property ? `${reason} ${property}` : reason)),
  );
  return {
    line,
    text: t('slower objects ×{0}', amount(events.reduce((sum, { count }) => sum + count, 0))),
    tone: 'problem',
    hover: hover.join('\n\n'),
  };
}

/** Lines that take at least so much of the time are marked: less is within what sampling misses. */
const LEAST_SHARE = 0.02;

/**
 * The gutter shows it; the words are in the hover. V8 tells the lines of what runs itself, and for what it calls only the function:
 * so a blocking call counts where its function begins.
 */
function heatNotes({ report, t }: NotesRequest): Note[] {
  const { target, program } = report;
  const cpu = report.cpu ?? program?.cpu;
  if (!cpu) return [];
  const isHot = (file: string, share: number): boolean => file === target.file && share >= LEAST_SHARE;
  const percent = (share: number): number => Math.round(share * 100);
  const note = (line: number, share: number, hover: string): Note => ({ line: line - 1, text: '', tone: 'plain', hover, share });
  const functions = cpu.functions
    .filter(({ place, total }) => isHot(place.file, total))
    .map(({ functionName, place, self, total }) =>
      note(
        place.line,
        total,
        t(
          '**{0} %** of CPU time is spent in {1} and what it calls, {2} % in the function itself.',
          percent(total),
          codeOf(functionName || t('this function')),
          percent(self),
        ),
      ),
    );
  const lines = cpu.lines
    .filter(({ file, self }) => isHot(file, self))
    .map(({ line, self }) => note(line, self, t('**{0} %** of CPU time is spent on this line.', percent(self))));
  return [...functions, ...lines];
}

/** `7 shapes, megamorphic`. Once megamorphic, V8 tells of misses only: there may be more. */
export function shapesText({ state, shapeCount }: InlineCache, t: Translate): string {
  if (state === 'megamorphic') return shapeCount > 1 ? t('{0}+ shapes, megamorphic', shapeCount) : t('megamorphic (varying keys)');
  return t('{0} shapes, {1}', shapeCount, state);
}

export function accessName({ property, kind }: InlineCache, t: Translate): string {
  return property === '' ? t('Access with varying keys ({0})', kind) : codeOf(`.${property.replaceAll('`', '')}`);
}

export function shapeName({ properties, constructorName, elements, madeAt }: InlineCache['shapes'][number], t: Translate): string {
  const name = [constructorName, elements].filter((part) => part !== undefined).join(' ');
  if (properties) return `${name}{ ${shownKeys(properties).join(', ')} }`.replace(/^(\S+)\{/, '$1 {');
  if (name !== '') return name;
  return madeAt ? t('created at line {0}', madeAt.line) : t('unknown');
}

/** By line from 0, those in the document that belong to the target's file. */
function onLines<T extends { place: SourcePlace }>(things: readonly T[], { report, lineCount }: NotesRequest): Map<number, T[]> {
  const lines = new Map<number, T[]>();
  for (const thing of things) {
    const line = thing.place.line - 1;
    if (thing.place.file !== report.target.file || line >= lineCount) continue;
    lines.set(line, [...(lines.get(line) ?? []), thing]);
  }
  return lines;
}

/** Markdown that shows the text as it is. */
function codeOf(text: string): string {
  return `\`${asOneLine(text).replaceAll('`', "'")}\``;
}
