// A few lines of code with the span underlined, as columns of a terminal.
import type { Span } from '../../protocol/finding.ts';
import type { Source } from '../../analysis/module/source.ts';
import { toCells, type Cell } from './display-text.ts';

export interface FrameLine {
  /** From 1; undefined for the line that stands for those left out. */
  number?: number;
  text: string;
  /** Columns of the underline, when the span touches this line. */
  mark?: { start: number; width: number };
}

export interface FrameRequest {
  source: Source;
  span: Span;
  /** Lines shown before and after the span. */
  context: number;
  /** Columns for the code. */
  width: number;
}

// A span over more lines is shown by its first and last ones: nobody reads the rest.
const WHOLE_SPAN_LINES = 5;
const SHOWN_AT_START = 3;
/** Characters of a line looked at for a window of `width` columns: clusters of several characters fit in. */
const CHARS_PER_COLUMN = 4;
const CUT = '…';

export function codeFrame({ source, span: given, context, width }: FrameRequest): FrameLine[] {
  const span = { start: Math.min(given.start, source.text.length), end: Math.min(given.end, source.text.length) };
  const first = source.positionAt(span.start).line;
  // The end is exclusive: a span that ends with a line break does not touch the next line.
  const last = Math.max(first, source.positionAt(Math.max(span.start, span.end - 1)).line);
  const from = Math.max(1, first - context);
  const to = Math.min(source.lineCount, last + context);
  const lines: FrameLine[] = [];
  for (let number = from; number <= to; number++) {
    const skipFrom = first + SHOWN_AT_START;
    const skipTo = last - 1;
    if (last - first >= WHOLE_SPAN_LINES && number === skipFrom) {
      lines.push({ text: `${CUT} ${skipTo - skipFrom + 1} more lines` });
      number = skipTo;
      continue;
    }
    lines.push(frameLine(source, number, span, first, width));
  }
  return trimBlank(lines);
}

function frameLine(source: Source, number: number, span: Span, firstLine: number, width: number): FrameLine {
  const lineStart = source.lineStart(number);
  const text = number === 1 ? source.lineText(number).replace(/^\uFEFF/, ' ') : source.lineText(number);
  const touches = span.start <= lineStart + text.length && (span.end > lineStart || number === firstLine) && number >= firstLine;
  const indent = /^[\t ]*/.exec(text)?.[0].length ?? 0;
  // Later lines of a long span are underlined from their code on, not from the margin.
  const start = number === firstLine ? Math.min(span.start - lineStart, text.length) : indent;
  const end = Math.min(span.end - lineStart, text.length);
  return cutLine({ number, text, start: touches ? start : undefined, end, width });
}

interface Cut {
  number: number;
  text: string;
  start: number | undefined;
  end: number;
  width: number;
}

/** Keeps the window of the line that shows the span, with a margin before it. */
function cutLine({ number, text, start, end, width }: Cut): FrameLine {
  // A minified neighbor has megabytes in a line: only the characters near the window are split into cells.
  const reach = width * CHARS_PER_COLUMN;
  const base = text.length > reach && start !== undefined ? snap(text, Math.max(0, start - width)) : 0;
  const cells = placeCells(text.slice(base, snap(text, base + reach)), base);
  const last = cells.at(-1);
  const total = last ? last.column + last.width : 0;
  const reachesEnd = base + reach >= text.length;
  const columnOf = (offset: number) => cells.find((cell) => cell.offset >= offset)?.column ?? total;
  const markStart = start === undefined ? 0 : columnOf(start);
  const markEnd = start === undefined ? 0 : Math.max(columnOf(end), markStart + 1);
  let from = 0;
  if (base > 0 || (total > width && markEnd > width - 1)) {
    from = Math.max(0, markStart - Math.floor(width / 4));
    // At the line's end there is nothing to leave room for.
    if (reachesEnd) from = Math.min(from, Math.max(0, total - (width - 1)));
  }
  const before = base > 0 || from > 0 ? CUT : '';
  const fitsToEnd = reachesEnd && total - from <= width - before.length;
  const room = width - before.length - (fitsToEnd ? 0 : 1);
  const shown = cells.filter((cell) => cell.column >= from && cell.column + cell.width <= from + room);
  const line = `${before}${shown.map((cell) => cell.text).join('')}${fitsToEnd ? '' : CUT}`.trimEnd();
  if (start === undefined) return { number, text: line };
  // A wide character on the edge is left out whole, so the first column shown may lie behind `from`.
  const origin = (shown[0]?.column ?? from) - before.length;
  const at = Math.max(0, markStart - origin);
  return { number, text: line, mark: { start: at, width: Math.max(1, Math.min(markEnd - markStart, width - at)) } };
}

function placeCells(text: string, base: number): (Cell & { column: number })[] {
  let column = 0;
  return toCells(text).map((cell) => {
    const placed = { ...cell, offset: cell.offset + base, column };
    column += cell.width;
    return placed;
  });
}

/** Not into the middle of a surrogate pair. */
function snap(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}

/** Empty lines at the edges say nothing. */
function trimBlank(lines: FrameLine[]): FrameLine[] {
  const isBlank = (line: FrameLine | undefined) => line !== undefined && line.text === '' && !line.mark;
  while (isBlank(lines[0])) lines.shift();
  while (isBlank(lines.at(-1))) lines.pop();
  return lines;
}
