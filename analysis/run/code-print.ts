// What code says, whatever it looks like: the same before and after a formatter. A baseline recognizes findings by it.
import type { Span } from '../../protocol/finding.ts';
import { endOf, isFunction, startOf, type Node } from '../module/ast.ts';
import type { ModuleIndex } from '../module/module-index.ts';
import { SCRIPT_FILE } from '../module/parse.ts';
import { readModule } from '../module/text-reader.ts';

/** Where and how something is written. `loc` leads to the parent (`ast.ts`). */
const FORM_KEYS: ReadonlySet<string> = new Set(['type', 'start', 'end', 'loc', 'range', 'extra', 'computed', 'errors']);

export interface CodePrint {
  /** The syntax within the place. */
  code: string;
  /** The innermost function around the place, or the place itself at the top level. */
  around: string;
  /** Undefined where the syntax is not known. */
  isInFunction: boolean | undefined;
}

/** The prints of places in one text. Texts that are not JavaScript or TypeScript count without white space and quotation marks. */
export class CodePrints {
  readonly #text: string;
  readonly #module: ModuleIndex | undefined;
  readonly #functions = new Map<Node, string>();

  constructor(file: string, text: string) {
    this.#text = text;
    const outcome = SCRIPT_FILE.test(file) ? readModule(file, text) : undefined;
    this.#module = outcome?.ok ? outcome.module : undefined;
  }

  of(span: Span): CodePrint {
    if (!this.#module) {
      const code = this.#text.slice(span.start, span.end).replace(/[\s'"]+/g, '');
      return { code, around: code, isInFunction: undefined };
    }
    const found: Found = { parts: [], fn: undefined, around: '' };
    for (const child of childrenOf(this.#module.program)) collect(child, span, found);
    // A place may be a keyword alone, such as `try`.
    const code = found.parts.length > 0 ? found.parts.join(' ') : found.around;
    return { code, around: found.fn ? this.#functionPrint(found.fn) : code, isInFunction: found.fn !== undefined };
  }

  #functionPrint(fn: Node): string {
    let print = this.#functions.get(fn);
    if (print === undefined) {
      const parts: string[] = [];
      write(fn, parts);
      this.#functions.set(fn, (print = parts.join(' ')));
    }
    return print;
  }
}

interface Found {
  parts: string[];
  fn: Node | undefined;
  /** Kind of the innermost node around the place. */
  around: string;
}

/** Nodes that lie within the span, in source order: a place may be the head of a loop, or a call without its arguments. */
function collect(node: Node, span: Span, found: Found): void {
  if (endOf(node) <= span.start || startOf(node) >= span.end) return;
  if (startOf(node) >= span.start && endOf(node) <= span.end) {
    write(node, found.parts);
    return;
  }
  // The outer ones come first, so the last is the innermost.
  found.around = node.type;
  if (isFunction(node) && startOf(node) <= span.start && endOf(node) >= span.end) found.fn = node;
  for (const child of childrenOf(node)) collect(child, span, found);
}

function childrenOf(node: Node): Node[] {
  const children: Node[] = [];
  for (const [key, value] of Object.entries(node)) {
    if (FORM_KEYS.has(key)) continue;
    for (const one of Array.isArray(value) ? value : [value]) if (isNode(one)) children.push(one);
  }
  return children;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';
}

/** The syntax of a node as words. What Prettier writes in another way is written in one way. */
function write(node: Node, parts: string[]): void {
  switch (node.type) {
    case 'EmptyStatement':
      return;
    case 'TemplateElement':
      parts.push(JSON.stringify(node.value.raw));
      return;
    case 'RegExpLiteral':
      parts.push(`/${node.pattern}/${[...node.flags].sort().join('')}`);
      return;
    case 'JSXText': {
      const words = node.value.replace(/\s+/g, ' ').trim();
      if (words !== '') parts.push(JSON.stringify(words));
      return;
    }
    case 'JSXExpressionContainer':
      // `{' '}` stands at the ends of lines.
      if (node.expression.type === 'StringLiteral' && node.expression.value.trim() === '') return;
      break;
    case 'ExpressionStatement':
      // With or without its semicolon: a place may be the call alone.
      write(node.expression, parts);
      return;
    case 'TSParenthesizedType':
      write(node.typeAnnotation, parts);
      return;
    case 'LogicalExpression':
      // `a && (b && c)` loses its brackets.
      parts.push('(');
      writeChain(node, node.operator, parts);
      parts.push(')');
      return;
    default:
  }
  const { computed = false } = node as { computed?: boolean };
  parts.push(node.type, ...(computed ? ['computed'] : []));
  parts.push('(');
  // In an order of our own: the parser sets the properties of an arrow function with brackets in another order than of one without.
  for (const key of Object.keys(node).sort()) {
    const value: unknown = (node as unknown as Record<string, unknown>)[key];
    if (FORM_KEYS.has(key) || value === null || value === undefined || value === false) continue;
    if (key === 'key' && !computed && isNode(value)) writeKey(value, parts);
    else writeValue(value, parts);
  }
  parts.push(')');
}

function writeChain(node: Node, operator: string, parts: string[]): void {
  if (node.type !== 'LogicalExpression' || node.operator !== operator) return write(node, parts);
  writeChain(node.left, operator, parts);
  parts.push(operator);
  writeChain(node.right, operator, parts);
}

/** Quotation marks around keys come and go. */
function writeKey(key: Node, parts: string[]): void {
  if (key.type === 'Identifier') parts.push(JSON.stringify(key.name));
  else if (key.type === 'StringLiteral' || key.type === 'NumericLiteral') parts.push(JSON.stringify(String(key.value)));
  else write(key, parts);
}

function writeValue(value: unknown, parts: string[]): void {
  if (Array.isArray(value)) {
    parts.push('[');
    for (const one of value) {
      if (one === null) parts.push('hole');
      else writeValue(one, parts);
    }
    parts.push(']');
  } else if (isNode(value)) write(value, parts);
  else if (typeof value === 'bigint') parts.push(`${value}n`);
  else if (typeof value !== 'object') parts.push(JSON.stringify(value));
}
