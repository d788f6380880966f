// The source of a profiled function with what was measured beside its lines, in the terminal or as Markdown.
import { byAwaited, isAtMost } from '../../protocol/awaited-calls.ts';
import { VERDICT_SYMBOLS, VERDICT_WORDS, type ProfileReport, type SourcePlace } from '../../protocol/evidence.ts';
import { amount, duration } from '../../profiler/judge/words.ts';
import type { ProfileStyle } from './profile-style.ts';
import { cacheText, isManyShaped, rateText } from './profile-words.ts';
import { percent } from './program-text.ts';

/** The lines of a function, fit to be shown. */
export interface ShownSource {
  /** Absolute path. */
  file: string;
  /** Number of the first line, from 1. */
  first: number;
  lines: readonly string[];
}

/** Nobody reads more in a terminal: of a longer function, only the lines with something beside them and those around are shown. */
const MOST_LINES = 80;
const CONTEXT = 2;
/** Less than this is no sample or two of a run, and stands beside half of the lines. */
const LEAST_SHARE = 0.005;

export function annotatedLines(report: ProfileReport, source: ShownSource, style: ProfileStyle): string[] {
  const { first, lines } = source;
  const shares = sharesOf(report, source);
  const notes = notesOf(report, source);
  const last = first + lines.length - 1;
  const isMarked = (line: number): boolean => notes.has(line) || shares.has(line);
  const isShown = (line: number): boolean => {
    if (lines.length <= MOST_LINES || line === first || line === last) return true;
    for (let near = line - CONTEXT; near <= line + CONTEXT; near++) if (isMarked(near)) return true;
    return false;
  };
  const digits = String(last).length;
  const margin = ' '.repeat(SHARE_WIDTH + digits + 2);
  const shown: string[] = [];
  let isCut = false;
  for (const [index, text] of lines.entries()) {
    const line = first + index;
    if (!isShown(line)) {
      if (!isCut) shown.push(`${margin}  ⋮`);
      isCut = true;
      continue;
    }
    isCut = false;
    const share = shares.get(line);
    shown.push(`${(share === undefined ? '' : percent(share)).padStart(SHARE_WIDTH)}  ${String(line).padStart(digits)}  ${text}`.trimEnd());
    const indent = /^\s*/.exec(text)?.[0] ?? '';
    for (const note of notes.get(line) ?? []) shown.push(`${margin}  ${indent}${note}`);
  }
  return [
    '',
    style.section('Source'),
    ...style.code(shown),
    style.dim(
      shares.size > 0
        ? 'Beside the lines: their own share of the CPU time. V8 takes about one sample per millisecond.'
        : 'The CPU profile has no samples in these lines.',
    ),
  ];
}

const SHARE_WIDTH = 6;

function sharesOf(report: ProfileReport, { file }: ShownSource): ReadonlyMap<number, number> {
  const own = (report.cpu?.lines ?? []).filter((one) => one.file === file && one.self >= LEAST_SHARE);
  return new Map(own.map(({ line, self }) => [line, self]));
}

/** By line; the verdicts first. */
function notesOf(report: ProfileReport, { file, first, lines }: ShownSource): ReadonlyMap<number, readonly string[]> {
  const notes = new Map<number, string[]>();
  const add = ({ file: where, line }: SourcePlace, text: string): void => {
    if (where === file && line >= first && line < first + lines.length) notes.set(line, [...(notes.get(line) ?? []), text]);
  };
  for (const { verdict, ruleId, place, figure } of report.verdicts)
    add(place, `${VERDICT_SYMBOLS[verdict]} ${VERDICT_WORDS[verdict]}: ${ruleId}, ${figure}`);
  for (const { place, reason, count, benign } of report.deopts) {
    const rate = rateText(count, report.calls);
    if (!benign) add(place, `↓ deopt ×${amount(count)}: ${reason}${rate === '' ? '' : ` (${rate})`}`);
  }
  for (const cache of report.inlineCaches)
    if (isManyShaped(cache)) add(cache.place, `◆ ${cache.property ? `.${cache.property}` : '[…]'}: ${cacheText(cache)}, ${cache.state}`);
  const [blocking, awaited] = byAwaited(report.syncCalls);
  for (const call of blocking)
    add(
      call.place,
      `■ ${call.name} ×${amount(call.count)}, ${isAtMost(call) ? 'at most ' : ''}${duration(call.totalMs / call.count)} each`,
    );
  for (const { name, place, count, awaitedMs } of awaited)
    add(place, `□ ${name} ×${amount(count)}, awaited for ${duration(awaitedMs / count)} each`);
  for (const { type, place, thrown } of report.exceptions) add(place, `! throws ${type} ×${amount(thrown)}`);
  return notes;
}
