// What a recording says, before anything of it is looked for in the project; and the sums of stacks.
import type { ProductionKind } from '../../protocol/production.ts';

export interface RecordedFunction {
  /** As the recording names it; empty for functions without a name. */
  name: string;
  /** As the recording names it: a path or a URL. Empty for what has no file. */
  url: string;
  /** From 1; undefined where the recording does not tell. */
  place?: { line: number; column: number };
  /** Offsets in the text that ran. */
  range?: { start: number; end: number };
  /** The first and the last line that samples were in, from 1. */
  lines?: { first: number; last: number };
  /** Samples, or nanoseconds, with the function on the stack, and in its own code. */
  total: number;
  self: number;
  calls: number;
}

export interface Recorded {
  kind: ProductionKind;
  /** In ms since 1970, if it says so. */
  date?: number;
  functions: readonly RecordedFunction[];
  /** But for what was idle. */
  total: number;
  routes: readonly { method: string; route: string; requests: number }[];
  /** What was left out, in sentences. */
  remarks: readonly string[];
}

/** What ends an import: a sentence that continues "<file> is no …: ". */
export class ImportProblem extends Error {
  override readonly name = 'ImportProblem';
}

/** It may be what it should be, and is more than is read. */
export class ImportLimit extends ImportProblem {}

/** Of those that run in a process, with all its packages: more than ten times those of a large server. */
const MOST_FUNCTIONS = 200_000;
const MOST_CHARACTERS = 64 * 1024 * 1024;
/** V8's names for time in which nothing of the program ran. */
export const IDLE = '(idle)';

/** Each function once, however many stacks it is on. */
export class FunctionTable {
  readonly all: RecordedFunction[] = [];
  readonly #known = new Map<string, number>();
  readonly #texts = new Map<string, string>();
  #characters = 0;

  numberOf(name: string, url: string, place: RecordedFunction['place'], range?: RecordedFunction['range']): number {
    const key = `${place ? `${place.line}:${place.column}` : ''}\n${range ? `${range.start}-${range.end}` : ''}\n${name}\n${url}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    if (this.all.length >= MOST_FUNCTIONS) throw new ImportLimit(`it has more than ${MOST_FUNCTIONS} different functions`);
    this.#characters += key.length;
    if (this.#characters > MOST_CHARACTERS) throw new ImportLimit('the names of its functions take too much memory');
    const number = this.all.length;
    this.#known.set(key, number);
    this.all.push({
      name,
      url: this.#interned(url),
      ...(place ? { place } : {}),
      ...(range ? { range } : {}),
      total: 0,
      self: 0,
      calls: 0,
    });
    return number;
  }

  addLine(number: number, line: number): void {
    const fn = this.all[number];
    if (!fn) return;
    fn.lines = fn.lines ? { first: Math.min(fn.lines.first, line), last: Math.max(fn.lines.last, line) } : { first: line, last: line };
  }

  #interned(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    this.#texts.set(text, text);
    return text;
  }
}

/** A whole number that a sum can hold; undefined for what is none, such as a negative count. */
export function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
