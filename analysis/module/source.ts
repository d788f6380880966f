// The text of a file with its line starts. Converts offsets to lines and columns, and back.

export interface Position {
  /** From 1. */
  line: number;
  /** From 1, in UTF-16 code units. */
  column: number;
}

const LF = 0x0a;
const CR = 0x0d;
const LINE_SEPARATOR = 0x2028;
const PARAGRAPH_SEPARATOR = 0x2029;

/** A test that a rule ran on a range of the text. Its outcome depends on that text alone. */
export interface TextTest {
  start: number;
  end: number;
  test(text: string): boolean;
  outcome: boolean;
}

export class Source {
  readonly file: string;
  readonly text: string;
  #lineStarts: number[] | undefined;
  #lineBreak: string | undefined;
  readonly #readRanges: number[] = [];
  readonly #textTests: TextTest[] = [];

  /** `text` is unchanged, including byte order mark and CRLF, so that offsets are those of the file. */
  constructor(file: string, text: string) {
    this.file = file;
    this.text = text;
  }

  get lineCount(): number {
    return this.#starts().length;
  }

  /** Offsets outside the text are clamped. */
  positionAt(offset: number): Position {
    const starts = this.#starts();
    const at = Math.min(Math.max(offset, 0), this.text.length);
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: at - (starts[low] ?? 0) + 1 };
  }

  offsetAt(position: Position): number {
    const starts = this.#starts();
    const line = Math.min(Math.max(position.line, 1), starts.length);
    const start = starts[line - 1] ?? 0;
    const end = starts[line] ?? this.text.length;
    return Math.min(Math.max(start + position.column - 1, start), end);
  }

  /** The text of a line without its line break. `line` starts at 1. */
  lineText(line: number): string {
    const start = this.lineStart(line);
    const next = this.#starts()[line];
    return this.text.slice(start, next).replace(/(?<![\r\n\u2028\u2029])[\r\n\u2028\u2029]+$/u, '');
  }

  lineStart(line: number): number {
    return this.#starts()[line - 1] ?? this.text.length;
  }

  /** White space at the start of the line that contains the offset. */
  indentAt(offset: number): string {
    const start = this.lineStart(this.positionAt(offset).line);
    return /^[\t ]*/.exec(this.text.slice(start, start + 400))?.[0] ?? '';
  }

  /** The file's own line break, for text that fixes insert. */
  get lineBreak(): string {
    return (this.#lineBreak ??= this.text.includes('\r\n') ? '\r\n' : '\n');
  }

  slice(node: { start?: number | null; end?: number | null }): string {
    const { start, end } = node;
    this.#readRanges.push(start ?? 0, end ?? 0);
    return this.text.slice(start ?? 0, end ?? 0);
  }

  /** Tests a node's text. An edit in it matters only if it changes the outcome, so `predicate` must depend on the text alone. */
  test({ start, end }: { start?: number | null; end?: number | null }, predicate: (text: string) => boolean): boolean {
    const record = { start: start ?? 0, end: end ?? 0, test: predicate, outcome: predicate(this.text.slice(start ?? 0, end ?? 0)) };
    this.#textTests.push(record);
    return record.outcome;
  }

  /** The tests run with `test`. */
  get textTests(): readonly TextTest[] {
    return this.#textTests;
  }

  /** The ranges read with `slice`: start, end, start, end, … No rule has seen a comment outside of them. */
  get readRanges(): readonly number[] {
    return this.#readRanges;
  }

  #starts(): number[] {
    if (this.#lineStarts) return this.#lineStarts;
    const { text } = this;
    const starts = [0];
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      // CR LF is one break, which ends after the LF.
      if (code === LF || (code === CR && text.charCodeAt(i + 1) !== LF) || code === LINE_SEPARATOR || code === PARAGRAPH_SEPARATOR)
        starts.push(i + 1);
    }
    this.#lineStarts = starts;
    return starts;
  }
}
