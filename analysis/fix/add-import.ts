// Makes an export of a module usable in a file, in the style of that file: `import` or `require`, its quotes, its semicolons, its spelling
// of core modules. An existing import is used or extended before a new one is written.
import type { Edit } from '../../protocol/finding.ts';
import { endOf, parentOf, startOf, unwrap, type Node, type t } from '../module/ast.ts';
import { isReference, patternIdentifiers } from '../facts/bindings.ts';
import type { Facts } from '../facts/index.ts';
import type { Origin } from '../facts/origins.ts';
import { endsItsLine, getCodeStyle, inBraces, restOfLine, usesImports, type CodeStyle } from './code-style.ts';

export interface AddedImport {
  /** Empty if the file already has it. */
  edits: Edit[];
  /** What to write to use the export: a name, or a member such as `fs.promises.readFile`. */
  local: string;
}

type RequireDeclaration = t.VariableDeclaration;

/**
 * Edits that make `name` of `module` (for example `node:timers/promises`) usable, and the expression for it. `preferred` is the local name
 * to use; if the file already uses it, another one is chosen.
 */
export function addImport(facts: Facts, module: string, name: string, preferred: string = name): AddedImport {
  return facts.remember(`import ${module} ${name} ${preferred}`, () => findImport(facts, module, name, preferred));
}

function findImport(facts: Facts, module: string, name: string, preferred: string): AddedImport {
  const present = findPresent(facts, module, name) ?? findPromisified(facts, module, name);
  if (present) return { edits: [], local: present };
  const local = freeName(facts, module, preferred);
  const style = getCodeStyle(facts);
  const merged = mergeEdit(facts, module, name, local);
  if (merged) return { edits: [merged], local };
  return {
    edits: [usesImports(facts) ? importEdit(facts, module, name, local, style) : requireEdit(facts, module, name, local, style)],
    local,
  };
}

// ---- what the file already has

/** How the file can refer to the export without any change. */
function findPresent(facts: Facts, module: string, name: string): string | undefined {
  const wanted = splitModule(module, name);
  let best: string | undefined;
  for (const { identifier, origin } of facts.remember('imported names', () => importedNames(facts))) {
    if (origin.name !== wanted[0]) continue;
    const have = [origin.name, ...origin.path];
    if (!have.every((part, i) => wanted[i] === part)) continue;
    if (have.length < wanted.length && isForeignDefault(identifier)) continue;
    if (isShadowed(facts, identifier) || !isFixed(facts, identifier)) continue;
    const found = [identifier.name, ...wanted.slice(have.length)].join('.');
    if (best === undefined || found.split('.').length < best.split('.').length) best = found;
  }
  return best;
}

/** `const readFile = promisify(fs.readFile)`, which is the function of `fs/promises` by another way. */
function findPromisified(facts: Facts, module: string, name: string): string | undefined {
  if (module !== 'node:fs/promises') return undefined;
  for (const statement of facts.module.program.body) {
    if (statement.type !== 'VariableDeclaration') continue;
    for (const { id, init } of statement.declarations) {
      const call = init && unwrap(init);
      if (id.type !== 'Identifier' || call?.type !== 'CallExpression' || call.arguments.length !== 1) continue;
      const made = facts.origins.moduleMember(call.callee);
      const of = facts.origins.moduleMember(call.arguments[0] as Node);
      const isIt = made?.module === 'util' && made.path.join('.') === 'promisify' && of?.module === 'fs' && of.path.join('.') === name;
      if (isIt && !isShadowed(facts, id) && isFixed(facts, id)) return id.name;
    }
  }
  return undefined;
}

/** `node:fs/promises`, `readFile` → `fs`, `promises`, `readFile`: as in origins. */
function splitModule(module: string, name: string): string[] {
  const bare = module.replace(/^node:/, '');
  const parts = /^(fs|dns|timers|stream|readline|path|util)\/(promises|posix|win32)$/.exec(bare);
  return parts?.[1] && parts[2] ? [parts[1], parts[2], name] : [bare, name];
}

/** Top-level names that stand for an export of another module. */
function importedNames(facts: Facts): { identifier: t.Identifier; origin: Origin }[] {
  return topLevelNames(facts).flatMap((identifier) => {
    const origin = facts.origins.of(identifier);
    return origin?.root === 'module' ? [{ identifier, origin }] : [];
  });
}

/** Names declared at the top level by imports and variables. */
function topLevelNames(facts: Facts): t.Identifier[] {
  return facts.module.program.body.flatMap((statement): t.Identifier[] => {
    if (statement.type === 'ImportDeclaration')
      return statement.importKind === 'type' || statement.importKind === 'typeof'
        ? []
        : statement.specifiers.map((specifier) => specifier.local);
    if (statement.type === 'VariableDeclaration')
      return statement.declarations.flatMap((declarator) => (declarator.init ? patternIdentifiers(declarator.id) : []));
    return statement.type === 'TSImportEqualsDeclaration' ? [statement.id] : [];
  });
}

/** `import chalk from 'chalk'`: only core modules certainly have all their exports on the default export. */
function isForeignDefault(identifier: t.Identifier): boolean {
  const specifier = parentOf(identifier);
  const statement = specifier && parentOf(specifier);
  return specifier?.type === 'ImportDefaultSpecifier' && statement?.type === 'ImportDeclaration' && !CORE.test(statement.source.value);
}

/** Whether an inner scope declares the same name. */
function isShadowed(facts: Facts, identifier: t.Identifier): boolean {
  const own = facts.bindings.resolve(identifier);
  return facts.bindings.identifiersNamed(identifier.name).some((other) => {
    const binding = facts.bindings.resolve(other);
    return binding !== undefined && binding !== own;
  });
}

function isFixed(facts: Facts, identifier: t.Identifier): boolean {
  const binding = facts.bindings.resolve(identifier);
  return binding !== undefined && facts.bindings.isConstant(binding);
}

// ---- names

function namesOfTypes({ module }: Facts): ReadonlySet<string> {
  const types = [...module.nodes('TSInterfaceDeclaration'), ...module.nodes('TSTypeAliasDeclaration')];
  const imports = module.nodes('ImportDeclaration').flatMap(({ specifiers }) => specifiers.map(({ local }) => local.name));
  return new Set([...types.map(({ id }) => id.name), ...imports]);
}

function freeName(facts: Facts, module: string, preferred: string): string {
  if (!isTaken(facts, preferred)) return preferred;
  const last =
    module
      .replace(/^node:/, '')
      .split('/')
      .at(-1) ?? '';
  const camel = last.replace(/\W+(\w?)/g, (_, next: string) => next.toUpperCase());
  const base = last === 'promises' ? `${preferred}Async` : `${camel}${preferred.charAt(0).toUpperCase()}${preferred.slice(1)}`;
  if (!isTaken(facts, base)) return base;
  for (let n = 2; ; n++) if (!isTaken(facts, `${base}${n}`)) return `${base}${n}`;
}

/** Whether the file declares the name anywhere, or uses a global of that name. A property of that name is no conflict. */
export function isTaken(facts: Facts, name: string): boolean {
  const { bindings } = facts;
  if (facts.remember('names of types and imports', () => namesOfTypes(facts)).has(name)) return true;
  return bindings.identifiersNamed(name).some((identifier) => isReference(identifier) || bindings.resolve(identifier) !== undefined);
}

// ---- extending a statement that loads from the module

function mergeEdit(facts: Facts, module: string, name: string, local: string): Edit | undefined {
  for (const statement of facts.module.program.body) {
    if (
      statement.type === 'ImportDeclaration' &&
      sameModule(statement.source.value, module) &&
      statement.importKind !== 'type' &&
      statement.importKind !== 'typeof'
    ) {
      const text = local === name ? name : `${name} as ${local}`;
      const named = statement.specifiers.filter((specifier) => specifier.type === 'ImportSpecifier');
      const last = named.at(-1);
      if (last) return afterLast(facts, named, text);
      const [only] = statement.specifiers;
      if (only?.type === 'ImportDefaultSpecifier' && statement.specifiers.length === 1)
        return { start: endOf(only), end: endOf(only), text: `, ${inBraces(text, facts)}` };
    }
    if (statement.type !== 'VariableDeclaration') continue;
    for (const declarator of statement.declarations) {
      if (!isRequireOf(facts, declarator, module) || declarator.id.type !== 'ObjectPattern') continue;
      const { properties } = declarator.id;
      // Nothing may follow a rest element.
      if (properties.length === 0 || properties.some((property) => property.type === 'RestElement')) continue;
      return afterLast(facts, properties, local === name ? name : `${name}: ${local}`);
    }
  }
  return undefined;
}

/** Adds an item to a list in braces: on its own line if the items are on their own lines, and before a trailing comma. */
function afterLast(facts: Facts, items: readonly Node[], text: string): Edit {
  const { source } = facts;
  const last = items.at(-1) as Node;
  const at = endOf(last);
  const lastLine = source.positionAt(startOf(last)).line;
  const isOnePerLine =
    items.length > 1
      ? source.positionAt(startOf(items[0] as Node)).line !== lastLine
      : restOfLine(facts, at).trim().replace(',', '') === '';
  const separator = isOnePerLine ? `,${source.lineBreak}${source.indentAt(startOf(last))}` : ', ';
  return { start: at, end: at, text: `${separator}${text}` };
}

function sameModule(a: string, b: string): boolean {
  return a.replace(/^node:/, '') === b.replace(/^node:/, '');
}

function isRequireOf(facts: Facts, declarator: t.VariableDeclarator, module: string): boolean {
  const specifier = declarator.init ? requiredBy(facts, declarator.init) : undefined;
  return specifier !== undefined && sameModule(specifier, module);
}

/** The specifier of `require('m')`, or of a member of it. */
export function requiredBy(facts: Facts, expression: Node): string | undefined {
  const node = unwrap(expression);
  if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier' || node.callee.name !== 'require') return undefined;
  const first = node.arguments[0];
  return first?.type === 'StringLiteral' && facts.bindings.isGlobal(node.callee) ? first.value : undefined;
}

/** The specifier of `await import('m')`. */
export function loadedBy(init: Node): string | undefined {
  const awaited = unwrap(init);
  const loaded = awaited.type === 'AwaitExpression' ? unwrap(awaited.argument) : undefined;
  const [first] = loaded?.type === 'CallExpression' && loaded.callee.type === 'Import' ? loaded.arguments : [];
  return first?.type === 'StringLiteral' ? first.value : undefined;
}

// ---- a new statement

function importEdit(facts: Facts, module: string, name: string, local: string, style: CodeStyle): Edit {
  const imports = facts.module.program.body.filter((statement): statement is t.ImportDeclaration => statement.type === 'ImportDeclaration');
  const specifier = spelled(
    module,
    imports.map((statement) => statement.source.value),
  );
  const text = `import ${inBraces(local === name ? name : `${name} as ${local}`, facts)} from ${style.quote}${specifier}${style.quote}`;
  return statementEdit(facts, text, specifier, style, imports, (statement) => statement.source.value);
}

function requireEdit(facts: Facts, module: string, name: string, local: string, style: CodeStyle): Edit {
  const specifierOf = (statement: RequireDeclaration): string => {
    const { init } = statement.declarations[0] as t.VariableDeclarator;
    const node = init ? unwrap(init) : undefined;
    return (node && requiredBy(facts, node.type === 'MemberExpression' ? node.object : node)) ?? '';
  };
  const requires = facts.module.program.body.filter(
    (statement): statement is RequireDeclaration => statement.type === 'VariableDeclaration' && specifierOf(statement) !== '',
  );
  const specifier = spelled(module, requires.map(specifierOf));
  const kind = requires.length > 0 && requires.every((statement) => statement.kind === 'var') ? 'var' : 'const';
  const text = `${kind} ${inBraces(local === name ? name : `${name}: ${local}`, facts)} = require(${style.quote}${specifier}${style.quote})`;
  return statementEdit(facts, text, specifier, style, requires, specifierOf);
}

/** Core modules may be written with or without `node:`, and the file's own style is kept. These exist only with it. */
const PREFIX_ONLY = /^node:(?:test|sea|sqlite|test\/reporters)$/;
const CORE =
  /^(?:node:|(?:assert|buffer|child_process|cluster|crypto|dns|events|fs|http|http2|https|module|net|os|path|perf_hooks|process|querystring|readline|stream|string_decoder|timers|tls|tty|url|util|v8|vm|worker_threads|zlib)(?:\/|$))/;

export function isCoreModule(specifier: string): boolean {
  return CORE.test(specifier);
}

function spelled(module: string, others: readonly string[]): string {
  if (!module.startsWith('node:') || PREFIX_ONLY.test(module)) return module;
  const core = others.filter((other) => CORE.test(other));
  const [, bare = ''] = /^node:(\w+)/.exec(module) ?? [];
  // `fs/promises` beside `fs`
  const same = core.find((other) => other === bare || other === `node:${bare}`);
  if (same !== undefined) return same === bare ? module.slice('node:'.length) : module;
  return core.length > 0 && core.every((other) => !other.startsWith('node:')) ? module.slice('node:'.length) : module;
}

/**
 * Inserts a statement in its place among sorted ones, after the last one of its kind (core modules stay together), or before the first
 * statement of the file.
 */
function statementEdit<T extends t.Statement>(
  facts: Facts,
  text: string,
  specifier: string,
  style: CodeStyle,
  alike: readonly T[],
  specifierOf: (statement: T) => string,
): Edit {
  const last = alike.findLast((statement) => CORE.test(specifierOf(statement))) ?? alike.at(-1);
  // Few linters sort calls of `require`.
  const { rules } = facts.project.lint ?? {};
  const isSorted = last?.type === 'ImportDeclaration' || rules?.['import/order'] || rules?.['import-x/order'];
  const sorted = last && isSorted ? sortedWith(facts, last, alike, specifierOf) : [];
  const [first] = sorted;
  const anchor = sorted.findLast((one) => isBefore(specifierOf(one), specifier)) ?? last;
  if (first && anchor === last && !isBefore(specifierOf(first), specifier) && !hasCommentAbove(facts, first)) {
    const semicolon = facts.source.text[endOf(first) - 1] === ';' ? ';' : '';
    return {
      start: startOf(first),
      end: startOf(first),
      text: `${text}${semicolon}${style.lineBreak}${facts.source.indentAt(startOf(first))}`,
    };
  }
  if (anchor) {
    const semicolon = facts.source.text[endOf(anchor) - 1] === ';' ? ';' : '';
    const at = endsItsLine(facts, anchor) ? endOf(anchor) + restOfLine(facts, endOf(anchor)).length : endOf(anchor);
    return { start: at, end: at, text: `${style.lineBreak}${facts.source.indentAt(startOf(anchor))}${text}${semicolon}` };
  }
  const at = firstStatementStart(facts);
  // `import … from 'm'` without a semicolon would continue on a line that starts with a bracket.
  const [below] = facts.module.program.body;
  const semicolon = below && /[([`+\-/*]/.test(facts.source.text[startOf(below)] ?? '') ? ';' : style.semicolon;
  return { start: at, end: at, text: `${text}${semicolon}${style.lineBreak}${style.lineBreak}` };
}

/** The statements that load core modules, or all on lines without a gap around a single one, if they are sorted by what they load. */
function sortedWith<T extends t.Statement>({ source }: Facts, last: T, alike: readonly T[], specifierOf: (statement: T) => string): T[] {
  const lineOf = (offset: number): number => source.positionAt(offset).line;
  let from = alike.indexOf(last);
  for (; from > 0; from--) if (lineOf(endOf(alike[from - 1] as T)) + 1 !== lineOf(startOf(alike[from] as T))) break;
  const block = alike.slice(from).filter((one, i, all) => i === 0 || lineOf(endOf(all[i - 1] as T)) + 1 === lineOf(startOf(one)));
  const core = block.filter((one) => CORE.test(specifierOf(one)));
  const list = core.length === 1 && block.length > 2 ? block : core;
  return list.length > 1 && list.every((one, i) => i === 0 || isBefore(specifierOf(list[i - 1] as T), specifierOf(one))) ? list : [];
}

function hasCommentAbove({ module, source }: Facts, statement: Node): boolean {
  const { line } = source.positionAt(startOf(statement));
  return (module.ast.comments ?? []).some(({ end }) => end != null && end <= startOf(statement) && source.positionAt(end).line + 1 >= line);
}

const isBefore = (one: string, other: string): boolean => one.toLowerCase() <= other.toLowerCase();

// A comment of this kind is about the whole file, not about the statement below it.
const FILE_COMMENT =
  /^[\s*!]*(?:@ts-|@flow|@license|@preserve|@file|@module|eslint|jshint|globals?\s|copyright|license|SPDX)|copyright|nodometer-/i;

/**
 * Where the first statement starts: below the hashbang, directives and the comment at the top of the file, above a comment that belongs to
 * the statement.
 */
function firstStatementStart(facts: Facts): number {
  const { module, source } = facts;
  const first = module.program.body[0];
  if (!first) return source.text.length;
  let at = startOf(first);
  const directive = module.program.directives.at(-1);
  const floor = directive ? endOf(directive) : 0;
  const before = (module.ast.comments ?? []).filter((comment) => (comment.start ?? 0) >= floor && (comment.end ?? 0) <= startOf(first));
  for (const comment of before.reverse()) {
    const isAdjacent = source.positionAt(comment.end ?? 0).line + 1 >= source.positionAt(at).line;
    if (!isAdjacent || FILE_COMMENT.test(comment.value)) break;
    const start = comment.start ?? 0;
    // A comment at the end of the directive's line stays there.
    if (
      source.text
        .slice(source.lineStart(source.positionAt(start).line), start)
        .replace(/^\uFEFF/, '')
        .trim() !== ''
    )
      break;
    at = start;
  }
  return at;
}
