// YAML as plain values. What aliases name is shared, not copied: looking each one up would go through the whole file.
import { isAlias, isMap, isPair, isScalar, isSeq, parseDocument, visit, type Alias, type Node } from 'yaml';

/** What `<<` may copy, in entries. */
const MOST_MERGED = 100_000;

/** `why` continues a sentence that begins with the file's name. */
export function plainYaml(text: string): { ok: true; value: unknown } | { ok: false; why: string } {
  try {
    const document = parseDocument(text, { uniqueKeys: false, strict: false, logLevel: 'error' });
    const [error] = document.errors;
    if (error) return { ok: false, why: `is not valid YAML${error.linePos ? ` (line ${error.linePos[0].line})` : ''}` };
    const found = new Map<Alias, Node>();
    const anchored = new Map<string, Node>();
    visit(document, {
      Node(_, node) {
        const target = isAlias(node) ? anchored.get(node.source) : undefined;
        if (target) found.set(node as Alias, target);
        if (!isAlias(node) && node.anchor !== undefined) anchored.set(node.anchor, node);
      },
    });
    const values = new PlainValues(found);
    const value = values.of(document.contents);
    return values.isTooMuch ? { ok: false, why: 'has aliases that stand for too much' } : { ok: true, value };
  } catch {
    // The parser calls itself for each level.
    return { ok: false, why: 'cannot be read as YAML' };
  }
}

class PlainValues {
  isTooMuch = false;
  readonly #aliases: ReadonlyMap<Alias, Node>;
  /** A value that stands in itself is `undefined` there. */
  readonly #known = new Map<unknown, unknown>();
  #merged = 0;

  constructor(aliases: ReadonlyMap<Alias, Node>) {
    this.#aliases = aliases;
  }

  of(node: unknown): unknown {
    if (isAlias(node)) return this.of(this.#aliases.get(node));
    if (isScalar(node)) return node.value;
    if (!isMap(node) && !isSeq(node)) return undefined;
    if (this.#known.has(node)) return this.#known.get(node);
    this.#known.set(node, undefined);
    const value = isSeq(node) ? node.items.map((item) => this.of(item)) : this.#map(node.items);
    this.#known.set(node, value);
    return value;
  }

  #map(pairs: readonly unknown[]): unknown {
    const own: [string, unknown][] = [];
    const merged: [string, unknown][] = [];
    for (const pair of pairs) {
      if (!isPair(pair)) continue;
      const key = isScalar(pair.key) ? String(pair.key.value) : undefined;
      const value = this.of(pair.value);
      if (key === '<<') for (const source of Array.isArray(value) ? value : [value]) merged.push(...this.#entriesOf(source));
      else if (key !== undefined) own.push([key, value]);
    }
    return Object.fromEntries([...merged.reverse(), ...own]);
  }

  #entriesOf(source: unknown): [string, unknown][] {
    const entries = typeof source === 'object' && source !== null ? Object.entries(source) : [];
    this.#merged += entries.length;
    this.isTooMuch ||= this.#merged > MOST_MERGED;
    return this.isTooMuch ? [] : entries;
  }
}
