// Lines and columns of a span as readers outside count them: from 1, in UTF-16 code units, a byte order mark left out.
import type { Span } from '../../protocol/finding.ts';
import type { Position, Source } from '../../analysis/module/source.ts';

export interface Region {
  line: number;
  column: number;
  endLine: number;
  endColumn: number;
}

const BYTE_ORDER_MARK = 0xfeff;

/** Editors take the mark off before they count. */
export function positionOf(source: Source, offset: number): Position {
  const { line, column } = source.positionAt(offset);
  return line === 1 && column > 1 && source.text.charCodeAt(0) === BYTE_ORDER_MARK ? { line, column: column - 1 } : { line, column };
}

/** The first character where the text is not to be had: a file that is gone has no better place. */
export function regionOf(source: Source | undefined, span: Span): Region {
  const start = source ? positionOf(source, span.start) : { line: 1, column: 1 };
  const end = source ? positionOf(source, span.end) : start;
  return { line: start.line, column: start.column, endLine: end.line, endColumn: end.column };
}
