// Answers in pages: what a program reads at once is bounded, and the rest is kept for a while.
import { hashOf } from '../../workspace/hash.ts';

/** About 2,000 tokens. */
export const PAGE_CHARACTERS = 8_000;
/** For the line that says how to go on. */
const FOOT_CHARACTERS = 200;
/** Answers whose rest is kept. Our choice. */
const MOST_KEPT = 8;
/** Of one answer. The rest is cut off, and said to be. */
const MOST_CHARACTERS = 2_000_000;

export class Pages {
  readonly #kept = new Map<string, string>();

  /** The first page of a new answer. */
  first(text: string): string {
    const cut =
      text.length > MOST_CHARACTERS ? `${text.slice(0, text.lastIndexOf('\n', MOST_CHARACTERS))}\ncut: the answer is too long\n` : text;
    if (cut.length <= PAGE_CHARACTERS) return cut;
    const name = hashOf(cut);
    this.#kept.delete(name);
    this.#kept.set(name, cut);
    for (const old of this.#kept.keys()) {
      if (this.#kept.size <= MOST_KEPT) break;
      this.#kept.delete(old);
    }
    return this.#page(name, cut, 0);
  }

  /** Undefined for a cursor that nobody gave out, or whose answer is no longer kept. */
  next(cursor: string): string | undefined {
    const [, name = '', from = ''] = /^([0-9a-f]{16})\.(\d{1,7})$/.exec(cursor) ?? [];
    const text = this.#kept.get(name);
    const start = Number(from);
    return text === undefined || start >= text.length ? undefined : this.#page(name, text, start);
  }

  /** Ends with a line, or within one that is longer than a page, but never within a character. */
  #page(name: string, text: string, start: number): string {
    if (text.length - start <= PAGE_CHARACTERS) return text.slice(start);
    const most = start + PAGE_CHARACTERS - FOOT_CHARACTERS;
    const line = text.lastIndexOf('\n', most - 1) + 1;
    let end = line > start ? line : most;
    if (/[\ud800-\udbff]/.test(text.charAt(end - 1))) end--;
    const part = text.slice(start, end);
    return `${part}${part.endsWith('\n') ? '' : '\n'}more: ${text.length - end} characters are left. Call the tool again with only the cursor ${name}.${end}\n`;
  }
}
