// YAML with positions. Aliases and merge keys are resolved; broken documents are skipped.
import {
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  parseAllDocuments,
  visit,
  type Alias,
  type Document,
  type Node,
  type Pair,
  type Scalar,
  type YAMLMap,
} from 'yaml';
import type { Span } from '../../protocol/finding.ts';
import { mappedShellText, opaqueShellText, plainWord, shellText, wordList, type CommandText } from './command-text.ts';
import { nestingOf } from './json-tree.ts';
import type { Place } from './launch.ts';
import type { Word } from './shell-words.ts';

export interface YamlEntry {
  key: string;
  keySpan: Span;
  value: Node | undefined;
}

export class YamlFile {
  readonly path: string;
  readonly text: string;
  readonly documents: readonly Document.Parsed[];
  readonly #entries = new WeakMap<Node, YamlEntry[]>();

  constructor(path: string, text: string) {
    this.path = path;
    this.text = text;
    this.documents = parseDocuments(text);
  }

  /** The entries of a map, followed by those of merge keys (`<<: *base`). A map's own key hides a merged one. */
  entries(node: unknown, document: Document): YamlEntry[] {
    const map = resolve(node, document);
    if (!map) return [];
    // Each setting of a service is asked for by itself.
    let known = this.#entries.get(map);
    if (!known) this.#entries.set(map, (known = this.#entriesOf(map, document, new Set())));
    return known;
  }

  #entriesOf(node: unknown, document: Document, seen: Set<unknown>): YamlEntry[] {
    const map = resolve(node, document);
    // A map that was merged once adds nothing. This also ends cycles and merge bombs.
    if (!isMap(map) || seen.has(map)) return [];
    seen.add(map);
    const own: YamlEntry[] = [];
    const merged: YamlEntry[] = [];
    for (const pair of map.items as Pair[]) {
      if (!isPair(pair) || !isScalar(pair.key)) continue;
      const key = String(pair.key.value);
      const value = resolve(pair.value, document);
      if (key === '<<') {
        for (const source of isSeq(value) ? value.items : [pair.value]) merged.push(...this.#entriesOf(source, document, seen));
      } else own.push({ key, keySpan: spanOf(pair.key as Node), value });
    }
    const names = new Set(own.map((entry) => entry.key));
    return [...own, ...merged.filter((entry) => !names.has(entry.key))];
  }

  find(node: unknown, key: string, document: Document): YamlEntry | undefined {
    return this.entries(node, document).find((entry) => entry.key === key);
  }

  items(node: unknown, document: Document): Node[] {
    const list = resolve(node, document);
    return isSeq(list) ? list.items.flatMap((item) => resolve(item, document) ?? []) : [];
  }

  /** The value of a scalar as text; undefined for anything else and for an empty value. */
  scalar(node: unknown): string | undefined {
    return isScalar(node) && node.value !== null && node.value !== undefined
      ? String(node.source !== undefined && typeof node.value !== 'string' ? node.source : node.value)
      : undefined;
  }

  /** The span of a scalar's value without its quotes. */
  valueSpan(node: Node): Span {
    const span = spanOf(node);
    return isScalar(node) && (node.type === 'QUOTE_DOUBLE' || node.type === 'QUOTE_SINGLE')
      ? { start: span.start + 1, end: Math.max(span.start + 1, span.end - 1) }
      : span;
  }

  place(span: Span): Place {
    return { path: this.path, span };
  }

  /** A command as a string for the shell or as a list of words. */
  command(node: unknown, document: Document): CommandText | undefined {
    const target = resolve(node, document);
    if (isSeq(target)) {
      const words: Word[] = [];
      for (const item of this.items(target, document)) {
        const value = this.scalar(item);
        if (value === undefined) return undefined;
        const span = this.valueSpan(item);
        words.push(plainWord(value, span.start, span.end));
      }
      return wordList(this.path, this.text, words);
    }
    const value = this.scalar(target);
    return value === undefined || !target ? undefined : this.shell(target as Scalar, value);
  }

  shell(node: Node, value: string): CommandText {
    const span = this.valueSpan(node);
    if (this.text.slice(span.start, span.end) === value) return shellText(this.path, value, span.start);
    const offsets = matchOffsets(value, this.text, span);
    return offsets ? mappedShellText(this.path, value, offsets) : opaqueShellText(this.place(span), value);
  }
}

/** The offsets of the characters of a folded or block scalar, except white space; undefined if they cannot be matched. */
function matchOffsets(value: string, text: string, span: Span): number[] | undefined {
  const offsets: number[] = [];
  let at = span.start;
  for (const char of value) {
    if (/\s/.test(char)) {
      offsets.push(at);
      continue;
    }
    while (at < span.end && text[at] !== char) {
      // Only white space, the header of the block (`|-`, `>`) and escapes may be in between.
      if (!/[\s|>+\-\\0-9]/.test(text[at] ?? '')) return undefined;
      at++;
    }
    if (at >= span.end) return undefined;
    offsets.push(at++);
  }
  offsets.push(at);
  return offsets;
}

// The parser takes seconds for a thousand levels, of brackets or of indentation. A compose file has ten.
const DEEPEST_BRACKETS = 200;
const WIDEST_INDENT = /^[ \t]{400}/m;

function parseDocuments(text: string): Document.Parsed[] {
  if (WIDEST_INDENT.test(text) || nestingOf(text) > DEEPEST_BRACKETS) return [];
  try {
    const documents = parseAllDocuments(text, { prettyErrors: false, uniqueKeys: false, strict: false });
    return (Array.isArray(documents) ? documents : []).filter((document) => document.errors.length === 0);
  } catch {
    // Templates (`{{ … }}`) and half-typed files give nothing.
    return [];
  }
}

export function resolve(node: unknown, document: Document): Node | undefined {
  let target = node;
  // An alias names an anchored node. A few steps are enough.
  for (let i = 0; i < 10 && isAlias(target); i++) target = aliasesOf(document).get(target);
  return target as Node | undefined;
}

const aliases = new WeakMap<Document, ReadonlyMap<Alias, Node>>();

/**
 * What each alias of a document names: the last node before it that has its anchor. `Alias.resolve` goes through the document each time.
 */
function aliasesOf(document: Document): ReadonlyMap<Alias, Node> {
  const known = aliases.get(document);
  if (known) return known;
  const anchored = new Map<string, Node>();
  const found = new Map<Alias, Node>();
  visit(document, {
    Node(_, node) {
      const anchor = isAlias(node) ? anchored.get(node.source) : undefined;
      if (isAlias(node)) {
        if (anchor) found.set(node, anchor);
      } else if (node.anchor !== undefined) anchored.set(node.anchor, node);
    },
  });
  aliases.set(document, found);
  return found;
}

export function spanOf(node: Node): Span {
  const range = node.range;
  return range ? { start: range[0], end: range[1] } : { start: 0, end: 0 };
}

export function isYamlMap(node: unknown): node is YAMLMap {
  return isMap(node);
}

export { isSeq as isYamlList, isScalar as isYamlScalar };
export type { Document as YamlDocument, Node as YamlNode };
