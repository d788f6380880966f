// Puts spaces in place of TypeScript's types, so that what is left is JavaScript with every line and column where it was.
// What has meaning at run time (enums, parameter properties, namespaces with values) is refused, as Node's own stripping does.
import type { Span } from '../../protocol/finding.ts';
import { endOf, parentOf, startOf, type Node, type t } from '../module/ast.ts';
import { parse } from '../module/parse.ts';

export type BlankedTypes = { ok: true; text: string } | { ok: false; why: string; offset: number };

/** `file` tells the dialect by its ending. The text must be TypeScript that parses. */
export function blankTypes(file: string, text: string): BlankedTypes {
  const outcome = parse(file, text);
  if (!outcome.ok) return { ok: false, why: `it cannot be parsed (${outcome.issue.message})`, offset: outcome.issue.offset };
  const blanker = new Blanker(text);
  blanker.visit(outcome.ast.program, undefined);
  if (blanker.refusal) return { ok: false, ...blanker.refusal };
  blanker.elideImports(outcome.ast.program);
  const blanked = blanker.result();
  const check = parse(
    file.replace(/tsx?$/i, (ending) => (ending.length === 3 ? 'jsx' : 'js')),
    blanked,
  );
  // Types that end in the middle of a line break (`): A\n=>`) leave what JavaScript reads otherwise.
  if (!check.ok) return { ok: false, why: `without its types, it cannot be parsed (${check.issue.message})`, offset: check.issue.offset };
  return { ok: true, text: blanked };
}

const REFUSED: ReadonlyMap<string, string> = new Map([
  ['TSEnumDeclaration', 'enums must be compiled by TypeScript'],
  ['TSParameterProperty', 'parameter properties (`constructor(private x)`) must be compiled by TypeScript'],
  ['TSImportEqualsDeclaration', '`import x = require()` must be compiled by TypeScript'],
  ['TSExportAssignment', '`export =` must be compiled by TypeScript'],
  ['Decorator', 'decorators must be compiled by TypeScript'],
]);

/** Whole nodes without any meaning at run time. */
const TYPES_ONLY: ReadonlySet<string> = new Set([
  'TSTypeAnnotation',
  'TSTypeParameterDeclaration',
  'TSTypeParameterInstantiation',
  'TSInterfaceDeclaration',
  'TSTypeAliasDeclaration',
  'TSDeclareFunction',
  'TSDeclareMethod',
  'TSIndexSignature',
  'TSAbstractClassProperty',
  'TSNamespaceExportDeclaration',
  'TSExpressionWithTypeArguments',
  'TSInterfaceHeritage',
  'TSClassImplements',
]);
const STATEMENTS: ReadonlySet<string> = new Set([
  'TSInterfaceDeclaration',
  'TSTypeAliasDeclaration',
  'TSDeclareFunction',
  'TSModuleDeclaration',
  'TSNamespaceExportDeclaration',
]);

class Blanker {
  readonly #text: string;
  readonly #spans: Span[] = [];
  /** Blanked statements begin with a semicolon: what stands before them must not run on into what stands behind. */
  readonly #semicolons = new Set<number>();
  readonly #valueNames = new Map<string, number>();
  refusal: { why: string; offset: number } | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  visit(node: Node, key: string | undefined): void {
    if (this.refusal) return;
    const declared = (node as { declare?: boolean | null }).declare === true;
    const refused = declared
      ? undefined
      : (REFUSED.get(node.type) ??
        (node.type === 'TSModuleDeclaration' && hasValues(node) ? 'namespaces with values must be compiled by TypeScript' : undefined));
    if (refused !== undefined) {
      this.refusal = { why: refused, offset: startOf(node) };
      return;
    }
    if (this.#blankWhole(node, declared)) return;
    this.#blankParts(node);
    if (node.type === 'Identifier' || node.type === 'JSXIdentifier') this.#countName(node, key);
    for (const [name, child] of childrenOf(node)) this.visit(child, name);
  }

  /** Named imports that only types use do not exist when the program runs, so TypeScript leaves them out. */
  elideImports(program: t.Program): void {
    for (const statement of program.body) {
      if (statement.type !== 'ImportDeclaration' || statement.importKind === 'type') continue;
      const unused = statement.specifiers.filter(
        (specifier) =>
          !(specifier.type === 'ImportSpecifier' && specifier.importKind === 'type') && !this.#valueNames.has(specifier.local.name),
      );
      if (unused.length === 0) continue;
      if (
        statement.specifiers.every(
          (specifier) => unused.includes(specifier) || (specifier.type === 'ImportSpecifier' && specifier.importKind === 'type'),
        )
      )
        this.#blankStatement(statement);
      else for (const specifier of unused) if (specifier.type === 'ImportSpecifier') this.#blankWithComma(specifier);
    }
  }

  result(): string {
    const pieces: string[] = [];
    let at = 0;
    for (const { start, end } of this.#spans.sort((a, b) => a.start - b.start || b.end - a.end)) {
      if (end <= at) continue;
      const from = Math.max(start, at);
      const blank = this.#text.slice(from, end).replace(/[^\r\n\u2028\u2029]/g, ' ');
      pieces.push(this.#text.slice(at, from), this.#semicolons.has(start) ? `;${blank.slice(1)}` : blank);
      at = end;
    }
    return pieces.join('') + this.#text.slice(at);
  }

  #blankWhole(node: Node, declared: boolean): boolean {
    const isType =
      TYPES_ONLY.has(node.type) ||
      node.type === 'TSModuleDeclaration' ||
      declared ||
      (node.type === 'ImportDeclaration' && node.importKind === 'type') ||
      ((node.type === 'ExportNamedDeclaration' || node.type === 'ExportAllDeclaration') && node.exportKind === 'type') ||
      ((node.type === 'ClassMethod' || node.type === 'ClassProperty') && node.abstract === true);
    if (!isType) return false;
    if (STATEMENTS.has(node.type) || declared || (node.type.endsWith('Declaration') && node.type !== 'TSTypeParameterDeclaration'))
      this.#blankStatement(node);
    else this.#blank(startOf(node), endOf(node));
    return true;
  }

  #blankParts(node: Node): void {
    switch (node.type) {
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
        this.#blank(endOf(node.expression) + this.#closing(endOf(node.expression)), endOf(node));
        break;
      case 'TSNonNullExpression':
        this.#blank(endOf(node) - 1, endOf(node));
        break;
      case 'TSTypeAssertion':
        this.#blank(startOf(node), this.#text.indexOf('>', endOf(node.typeAnnotation)) + 1);
        break;
      case 'ImportSpecifier':
      case 'ExportSpecifier':
        if (
          (node as { importKind?: string; exportKind?: string }).importKind === 'type' ||
          (node as { exportKind?: string }).exportKind === 'type'
        )
          this.#blankWithComma(node);
        break;
      case 'ClassDeclaration':
      case 'ClassExpression':
        if (node.implements?.length) this.#blankImplements(node);
        this.#blankModifiers(startOf(node), node.body.start ?? endOf(node), /\babstract\b/g);
        break;
      case 'ClassMethod':
      case 'ClassProperty':
      case 'ClassPrivateProperty':
      case 'ClassPrivateMethod':
      case 'ClassAccessorProperty':
        this.#blankMemberModifiers(node);
        break;
      default:
        if (node.type === 'Identifier' && node.optional) this.#blankMark(startOf(node) + node.name.length, '?');
    }
    const params = (node as { params?: Node[] }).params;
    const first = Array.isArray(params) ? params[0] : undefined;
    if (first?.type === 'Identifier' && first.name === 'this') this.#blankWithComma(first);
  }

  #blankMemberModifiers(
    node: t.ClassMethod | t.ClassProperty | t.ClassPrivateProperty | t.ClassPrivateMethod | t.ClassAccessorProperty,
  ): void {
    const keyStart = startOf(node.key);
    this.#blankModifiers(startOf(node), keyStart, /\b(?:public|private|protected|readonly|override|abstract|declare)\b/g);
    const afterKey = endOf(node.key) + ('computed' in node && node.computed ? this.#text.slice(endOf(node.key)).search(/\]/) + 1 : 0);
    if ('optional' in node && node.optional) this.#blankMark(afterKey, '?');
    if ('definite' in node && node.definite) this.#blankMark(afterKey, '!');
  }

  #blankModifiers(start: number, end: number, words: RegExp): void {
    for (const match of this.#text.slice(start, end).matchAll(words))
      this.#blank(start + match.index, start + match.index + match[0].length);
  }

  #blankMark(from: number, mark: string): void {
    const at = this.#text.indexOf(mark, from);
    if (at !== -1 && /^\s*$/.test(this.#text.slice(from, at))) this.#blank(at, at + 1);
  }

  #blankImplements(node: t.ClassDeclaration | t.ClassExpression): void {
    const last = node.implements?.at(-1);
    const first = node.implements?.[0];
    if (!first || !last) return;
    this.#blank(this.#text.lastIndexOf('implements', startOf(first)), endOf(last));
  }

  #blankStatement(node: Node): void {
    const parent = parentOf(node);
    const exported = parent?.type === 'ExportNamedDeclaration' || parent?.type === 'ExportDefaultDeclaration' ? parent : node;
    this.#semicolons.add(startOf(exported));
    this.#blank(startOf(exported), endOf(exported));
  }

  /** A list's entry with the comma behind it. */
  #blankWithComma(node: Node): void {
    const comma = /^\s*,/.exec(this.#text.slice(this.#endWithType(node)));
    this.#blank(startOf(node), this.#endWithType(node) + (comma?.[0].length ?? 0));
  }

  #endWithType(node: Node): number {
    const annotation = (node as { typeAnnotation?: Node | null }).typeAnnotation;
    return Math.max(endOf(node), annotation ? endOf(annotation) : 0);
  }

  /** Parentheses around an expression end behind it. */
  #closing(end: number): number {
    return /^(?:\s*\))*/.exec(this.#text.slice(end))?.[0].length ?? 0;
  }

  #blank(start: number, end: number): void {
    if (start >= 0 && end > start) this.#spans.push({ start, end });
  }

  #countName(node: t.Identifier | t.JSXIdentifier, key: string | undefined): void {
    if (key === 'local' || key === 'imported') return;
    this.#valueNames.set(node.name, (this.#valueNames.get(node.name) ?? 0) + 1);
  }
}

function hasValues(node: t.TSModuleDeclaration): boolean {
  const { body } = node;
  if (body.type !== 'TSModuleBlock') return true;
  return body.body.some((statement) => {
    const inner = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    return inner != null && !TYPES_ONLY.has(inner.type) && (inner as { declare?: boolean }).declare !== true;
  });
}

function* childrenOf(node: Node): Generator<[key: string, child: Node]> {
  for (const [key, value] of Object.entries(node)) {
    if (key === 'parent' || key === 'loc' || key === 'extra' || key.endsWith('Comments') || value === null || typeof value !== 'object')
      continue;
    if (Array.isArray(value)) {
      for (const one of value) if (isNode(one)) yield [key, one];
    } else if (isNode(value)) yield [key, value];
  }
}

function isNode(value: unknown): value is Node {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as { type?: unknown }).type === 'string' &&
    typeof (value as { start?: unknown }).start === 'number'
  );
}
