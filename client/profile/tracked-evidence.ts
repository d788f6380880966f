// Evidence in a text that is edited: its lines move with the code, it is stale while the code is another, and it never moves to other code.
import type { Note } from './evidence-notes.ts';

/** As VS Code tells it. Lines and characters from 0. */
export interface TextChange {
  range: { start: { line: number; character: number }; end: { line: number; character: number } };
  text: string;
}

export interface TrackedNote extends Note {
  /** The line as it was when the function was run. */
  code: string;
}

export interface TrackedEvidence {
  /** Which function this is about: a new run takes the place of the old one. */
  key: string;
  /** Lines of the function, from 0, the last one included. */
  first: number;
  last: number;
  /** The function's lines as they were. */
  code: string;
  notes: readonly TrackedNote[];
}

/** `linesOf`: the document's lines from one to another, the last one included. */
export type LinesOf = (first: number, last: number) => string;

export function track(key: string, first: number, last: number, notes: readonly Note[], linesOf: LinesOf): TrackedEvidence {
  return { key, first, last, code: linesOf(first, last), notes: notes.map((note) => ({ ...note, code: linesOf(note.line, note.line) })) };
}

export function moved(evidence: TrackedEvidence, change: TextChange): TrackedEvidence {
  const { start, end } = change.range;
  const added = change.text.split('\n').length - 1;
  const delta = added - (end.line - start.line);
  // Undefined: the line is gone.
  const move = (line: number): number | undefined => {
    if (line < start.line) return line;
    if (line === start.line) {
      if (start.character > 0) return line;
      // What is put before a line's first character pushes the line down.
      if (end.line === line) return end.character === 0 ? line + delta : line;
      return undefined;
    }
    if (line > end.line || (line === end.line && end.character === 0)) return line + delta;
    return undefined;
  };
  const first = move(evidence.first) ?? start.line;
  return {
    ...evidence,
    first,
    last: Math.max(first, move(evidence.last) ?? start.line + added),
    notes: evidence.notes.flatMap((note) => {
      const line = move(note.line);
      return line === undefined ? [] : [{ ...note, line }];
    }),
  };
}

export interface ShownNote extends Note {
  stale: boolean;
}

/** Undoing an edit makes the evidence fresh again. */
export function shownNotes({ first, last, code, notes }: TrackedEvidence, linesOf: LinesOf): ShownNote[] {
  const isOther = linesOf(first, last) !== code;
  return notes.map(({ code: own, ...note }) => ({ ...note, stale: isOther || linesOf(note.line, note.line) !== own }));
}
