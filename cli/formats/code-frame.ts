// A few lines of code with the span underlined, as columns of a terminal.
import type { Span } from '../../protocol/finding.ts';
import type { Source } from '../../analysis/source.ts';
import { toCells } from './display-text.ts';

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

export function codeFrame({ source, span, context, width }: FrameRequest): FrameLine[] {
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
  // Minified neighbours have megabytes in a line: only the characters near the window are split into cells.
  const margin = Math.floor(width / 4);
  const reach = width * CHARS_PER_COLUMN;
  const isLong = text.length > reach;
  const base = isLong && start !== undefined ? snap(text, Math.max(0, Math.min(start - margin, text.length - width))) : 0;
  const cells = toCells(isLong ? text.slice(base, snap(text, base + reach)) : text);
  const columns: number[] = [];
  let total = 0;
  for (const cell of cells) {
    columns.push(total);
    total += cell.width;
  }
  const columnOf = (offset: number) => {
    const index = cells.findIndex((cell) => cell.offset + base >= offset);
    return index === -1 ? total : columns[index] ?? total;
  };
  const markStart = start === undefined ? 0 : columnOf(start);
  const markEnd = start === undefined ? 0 : Math.max(columnOf(end), markStart + 1);
  const needsCut = total > width || base > 0;
  const shift = !needsCut || markEnd < width - 1 ? 0 : Math.max(0, Math.min(markStart - margin, total - width + 1));
  const cutBefore = base > 0 || shift > 0;
  const room = width - (cutBefore ? 1 : 0) - 1;
  const shown = needsCut ? cells.filter((_, i) => (columns[i] ?? 0) >= shift && (columns[i] ?? 0) + (cells[i]?.width ?? 0) <= shift + room) : cells;
  const lastShown = shown.at(-1);
  const cutAfter = needsCut && (lastShown === undefined || lastShown.offset + base + lastShown.text.length < text.length);
  const line = `${cutBefore ? CUT : ''}${shown.map((cell) => cell.text).join('')}${cutAfter ? CUT : ''}`.trimEnd();
  if (start === undefined) return { number, text: line };
  const before = cutBefore ? 1 : 0;
  const shownWidth = shown.reduce((sum, cell) => sum + cell.width, 0);
  const at = markStart - shift + before;
  return { number, text: line, mark: { start: at, width: Math.max(1, Math.min(markEnd - markStart, shownWidth + before - at)) } };
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
