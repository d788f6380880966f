// Parts of a text that a layout takes over as they are: blocks, types, templates. Their lines move with the first one.
import { endOf, startOf, type Node, type t } from '../../module/ast.ts';
import { childrenOf } from './children.ts';
import { hardLine, literalLine, type Doc } from './doc.ts';

/** Thrown for what cannot be laid out. The code then stays as the fix has written it. */
export class NoLayout extends Error {}

export interface LayoutStyle {
  /** Where multi-line lists end with a comma: nowhere, in literals, or everywhere. */
  trailingComma: 'none' | 'literals' | 'all';
  /** One step of indentation. */
  step: string;
  braceSpace: ' ' | '';
}

export class SourceText {
  readonly text: string;
  readonly #root: Node;
  readonly #comments: readonly t.Comment[];
  readonly #taken: [start: number, end: number][] = [];
  /** Where a line begins within a template or string, white space is part of the value. */
  #values: readonly Node[] | undefined;

  constructor(text: string, root: Node, comments: readonly t.Comment[]) {
    this.text = text;
    this.#root = root;
    this.#comments = comments;
  }

  slice(start: number, end: number): string {
    return this.text.slice(start, end);
  }

  raw(node: Node): Doc {
    return this.rawRange(startOf(node), endOf(node));
  }

  /** The text of a range. All its lines but the first are moved so that the last one has the indentation of the document around it. */
  rawRange(start: number, end: number): Doc {
    this.#taken.push([start, end]);
    const text = this.slice(start, end);
    if (!text.includes('\n')) return text;
    const docs: Doc[] = [];
    const base = this.#indentOfLine(end - 1);
    let at = start;
    for (const [i, part] of text.split('\n').entries()) {
      const row = part.replace(/\r$/, '');
      if (i === 0) docs.push(row);
      else if (this.#isInValue(at)) docs.push(literalLine, row);
      else if (row.trim() === '') docs.push(hardLine);
      else if (row.startsWith(base)) docs.push(hardLine, row.slice(base.length));
      else throw new NoLayout();
      at += part.length + 1;
    }
    return docs;
  }

  /** Whether what is laid out has comments or empty lines, apart from the parts that stay as they are. */
  hasLooseParts({ start, end }: { start: number; end: number }): boolean {
    const isTaken = (from: number, to: number): boolean => this.#taken.some(([first, last]) => first <= from && to <= last);
    const isWithin = (from: number, to: number): boolean => start <= from && to <= end;
    if (this.#comments.some((one) => isWithin(one.start ?? 0, one.end ?? 0) && !isTaken(one.start ?? 0, one.end ?? 0))) return true;
    for (const { index } of this.slice(start, end).matchAll(/\n[\t \r]*(?=\n)/g))
      if (!isTaken(start + index, start + index + 1)) return true;
    return false;
  }

  #indentOfLine(offset: number): string {
    const start = this.text.lastIndexOf('\n', offset) + 1;
    return /^[\t ]*/.exec(this.slice(start, start + 400))?.[0] ?? '';
  }

  #isInValue(lineStart: number): boolean {
    this.#values ??= multiLineValues(this.#root, this.text);
    return this.#values.some((value) => startOf(value) < lineStart && lineStart <= endOf(value));
  }
}

function multiLineValues(root: Node, text: string): Node[] {
  const found: Node[] = [];
  const open = [root];
  for (let node = open.pop(); node; node = open.pop()) {
    const isValue =
      node.type === 'TemplateElement' || node.type === 'StringLiteral' || node.type === 'DirectiveLiteral' || node.type === 'JSXText';
    if (isValue && text.slice(startOf(node), endOf(node)).includes('\n')) found.push(node);
    open.push(...childrenOf(node));
  }
  return found;
}
