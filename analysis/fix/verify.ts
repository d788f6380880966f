// The last check before a fix is applied: the text must still parse, and every name must still be declared. @babel/traverse builds the
// scopes here, independently of ours, which the fix was built from.
import traverseModule, { type NodePath } from '@babel/traverse';
import type { t } from '../module/ast.ts';
import { patternIdentifiers } from '../facts/identifiers.ts';
import { parse } from '../module/parse.ts';

// The package is CommonJS; bundlers and Node disagree on what its default import is.
const traverse =
  typeof traverseModule === 'function' ? traverseModule : (traverseModule as unknown as { default: typeof traverseModule }).default;

/** What a fix breaks, in words; undefined if nothing. `before` must be the text that the fix was made for. */
export function findDamage(file: string, before: string, after: string): string | undefined {
  const was = parse(file, before);
  const is = parse(file, after);
  if (!was.ok) return undefined;
  if (!is.ok) return `the result would not parse: ${is.issue.message}`;
  if (is.recovered.length > was.recovered.length) return `the result would have a syntax error: ${is.recovered.at(-1)?.message ?? ''}`;
  return isSoundByParts(was.ast, before, is.ast, after) ? undefined : findLostNames(file, before, after);
}

/** Checks the names of the whole file. Babel caches the scopes of nodes that it has visited, so this needs separate trees. */
export function findLostNames(file: string, before: string, after: string): string | undefined {
  const was = parse(file, before);
  const is = parse(file, after);
  const known = was.ok ? readScope(was.ast) : undefined;
  const now = is.ok ? readScope(is.ast) : undefined;
  // Code that Babel cannot scope (a duplicate declaration by the author) cannot be compared.
  if (known === undefined) return undefined;
  if (now === undefined) return 'a name would be declared twice';
  const lost = [...now.undeclared].filter((name) => !known.undeclared.has(name) && !NEW_GLOBALS.has(name));
  return lost.length > 0 ? `the result would not declare ${lost.map((name) => `\`${name}\``).join(', ')}` : undefined;
}

/**
 * Whether the changed statements are sound next to the unchanged ones. Babel takes half a second for the scopes of 4,600 lines (measured on
 * Node 20), and an editor asks at every light bulb. False if the whole file must be checked.
 */
function isSoundByParts(wasAst: t.File, before: string, isAst: t.File, after: string): boolean {
  const was = wasAst.program.body;
  const is = isAst.program.body;
  const sliceOf = (text: string, node: t.Statement | undefined) => text.slice(node?.start ?? 0, node?.end ?? 0);
  let head = 0;
  while (head < was.length && head < is.length && sliceOf(before, was[head]) === sliceOf(after, is[head])) head++;
  let tail = 0;
  while (
    tail < was.length - head &&
    tail < is.length - head &&
    sliceOf(before, was[was.length - 1 - tail]) === sliceOf(after, is[is.length - 1 - tail])
  )
    tail++;
  const same = [...is.slice(0, head), ...is.slice(is.length - tail)];
  const old = readScope(withBody(wasAst, was.slice(head, was.length - tail)));
  const fresh = readScope(withBody(isAst, is.slice(head, is.length - tail)));
  if (!old || !fresh) return false;
  const declared = new Set(same.flatMap(declaredNames));
  if ([...fresh.undeclared].some((name) => !old.undeclared.has(name) && !declared.has(name) && !NEW_GLOBALS.has(name))) return false;
  if ([...old.declared].some((name) => !fresh.declared.has(name) && !declared.has(name))) return false;
  // A new name may conflict with an existing one, wherever that is declared.
  const added = [...fresh.declared].filter((name) => !old.declared.has(name));
  return !same.some((statement) => added.some((name) => sliceOf(after, statement).includes(name)));
}

function withBody(ast: t.File, body: t.Statement[]): t.File {
  return { ...ast, program: { ...ast.program, body } };
}

/** Names that a top-level statement certainly declares. Others are left out. */
function declaredNames(statement: t.Statement): string[] {
  switch (statement.type) {
    case 'ImportDeclaration':
      return statement.specifiers.map((specifier) => specifier.local.name);
    case 'ExportNamedDeclaration':
      return statement.declaration ? declaredNames(statement.declaration) : [];
    case 'VariableDeclaration':
      return statement.declarations.flatMap(({ id }) => patternIdentifiers(id).map((identifier) => identifier.name));
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
      return statement.id ? [statement.id.name] : [];
    default:
      return [];
  }
}

// Globals that fixes may introduce.
const NEW_GLOBALS: ReadonlySet<string> = new Set([
  'Buffer',
  'URL',
  'setImmediate',
  'require',
  'Promise',
  'Object',
  'Set',
  'undefined',
  'process',
]);

interface ProgramScope {
  /** Names that the module uses and does not declare. */
  undeclared: ReadonlySet<string>;
  /** Names that the module itself declares. */
  declared: ReadonlySet<string>;
}

/** Undefined if Babel finds the declarations contradictory. */
function readScope(ast: t.File): ProgramScope | undefined {
  let found: ProgramScope | undefined;
  try {
    traverse(ast, {
      Program(path: NodePath<t.Program>) {
        const { globals, bindings } = path.scope as unknown as { globals: Record<string, unknown>; bindings: Record<string, unknown> };
        found = { undeclared: new Set(Object.keys(globals)), declared: new Set(Object.keys(bindings)) };
        path.stop();
      },
    });
  } catch {
    return undefined;
  }
  return found;
}
