// Patterns of a .gitignore by a part of a path that they need: a file may have 20,000 of them, and a folder as many files. Of a path, only
// the few that can say something of it are tried.
import { mayBeSlow } from './globs.ts';

/** By a text that a segment of the path must be, begin with, or end with. */
type Table = Map<string, number[]>;

export class PatternIndex {
  /** Without those that stand again further down: the last one decides. */
  readonly lines: readonly string[];
  readonly #ignorecase: boolean;
  /** These may match any path. */
  readonly #any: number[] = [];
  readonly #whole: Table = new Map();
  readonly #heads: Table = new Map();
  readonly #tails: Table = new Map();
  readonly #slow = new Set<number>();
  readonly #headLengths: readonly number[];
  readonly #tailLengths: readonly number[];

  constructor(lines: readonly string[], ignorecase: boolean) {
    this.#ignorecase = ignorecase;
    this.lines = [...new Set(lines.toReversed())].reverse().filter((line) => line !== '' && !line.startsWith('#'));
    for (const [i, line] of this.lines.entries()) {
      this.#add(ignorecase ? line.toLowerCase() : line, i);
      if (mayBeSlow(line)) this.#slow.add(i);
    }
    this.#headLengths = lengthsOf(this.#heads);
    this.#tailLengths = lengthsOf(this.#tails);
  }

  /** Numbers of the lines that may match the path or a folder of it, in their order. */
  candidates(path: string): readonly number[] {
    const found = new Set<number>();
    const take = (numbers: readonly number[] | undefined): void => {
      for (const one of numbers ?? []) found.add(one);
    };
    for (const segment of new Set((this.#ignorecase ? path.toLowerCase() : path).split('/'))) {
      take(this.#whole.get(segment));
      for (const length of this.#headLengths) if (length <= segment.length) take(this.#heads.get(segment.slice(0, length)));
      for (const length of this.#tailLengths) if (length <= segment.length) take(this.#tails.get(segment.slice(-length)));
    }
    if (found.size === 0) return this.#any;
    take(this.#any);
    return [...found].sort((a, b) => a - b);
  }

  isSlow(line: number): boolean {
    return this.#slow.has(line);
  }

  #add(line: string, number: number): void {
    // Escapes, sets of characters, and blanks at the end have rules of their own, and so have letters beyond ASCII where case does not
    // count.
    if (/[\\[\s]/.test(line) || (this.#ignorecase && /[^\x20-\x7e]/.test(line))) {
      this.#any.push(number);
      return;
    }
    const segments = line.replace(/^!/, '').split('/');
    const named = segments.filter((segment) => /[^*?]/.test(segment));
    const whole = named.findLast((segment) => !/[*?]/.test(segment));
    const last = named.at(-1) ?? '';
    const tail = last.slice(Math.max(last.lastIndexOf('*'), last.lastIndexOf('?')) + 1);
    const head = last.slice(0, Math.max(0, last.search(/[*?]/)));
    if (whole !== undefined) push(this.#whole, whole, number);
    else if (tail !== '') push(this.#tails, tail, number);
    else if (head !== '') push(this.#heads, head, number);
    else this.#any.push(number);
  }
}

function push(table: Table, key: string, number: number): void {
  const list = table.get(key);
  if (list) list.push(number);
  else table.set(key, [number]);
}

function lengthsOf(table: Table): number[] {
  return [...new Set([...table.keys()].map((key) => key.length))];
}
