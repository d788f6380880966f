// Patterns with one `*`, as in `paths` of a tsconfig.json and in `exports`: a project may have thousands of them, and of specifiers. Only
// those that begin as a text does are compared with it.

/** For one text. Beyond, a table is nobody's work. */
const MOST_COMPARED = 1000;

export class StarTable<T> {
  readonly #entries: readonly (readonly [pattern: string, value: T])[];
  /** By what stands before the star, or by the whole pattern. */
  readonly #byHead = new Map<string, number[]>();
  readonly #lengths: readonly number[];

  constructor(table: Readonly<Record<string, T>>) {
    this.#entries = Object.entries(table);
    for (const [i, [pattern]] of this.#entries.entries()) {
      const star = pattern.indexOf('*');
      const head = star < 0 ? pattern : pattern.slice(0, star);
      const list = this.#byHead.get(head);
      if (list) list.push(i);
      else this.#byHead.set(head, [i]);
    }
    this.#lengths = [...new Set([...this.#byHead.keys()].map((head) => head.length))];
  }

  /** In the order of the table, with what the star stands for: '' without one. */
  *matching(text: string): Generator<{ pattern: string; value: T; star: string }> {
    const found = this.#lengths
      .filter((length) => length <= text.length)
      .flatMap((length) => this.#byHead.get(text.slice(0, length))?.slice(0, MOST_COMPARED) ?? [])
      .sort((a, b) => a - b);
    for (const i of found.slice(0, MOST_COMPARED)) {
      const [pattern, value] = this.#entries[i] as readonly [string, T];
      const star = starMatch(pattern, text);
      if (star !== undefined) yield { pattern, value, star };
    }
  }
}

function starMatch(pattern: string, text: string): string | undefined {
  const at = pattern.indexOf('*');
  if (at < 0) return pattern === text ? '' : undefined;
  const tail = pattern.slice(at + 1);
  return text.length >= pattern.length - 1 && text.startsWith(pattern.slice(0, at)) && text.endsWith(tail)
    ? text.slice(at, text.length - tail.length)
    : undefined;
}
