// The last look before a fix is written: does the text still parse, and does every name still mean something?
// Here @babel/traverse builds its scopes: a second opinion that shares no code with the facts that the fix was made from.
import traverseModule, { type NodePath } from '@babel/traverse';
import type { t } from '../ast.ts';
import { parse } from '../parse.ts';

// The package is CommonJS; bundlers and Node disagree on what its default import is.
const traverse = (typeof traverseModule === 'function' ? traverseModule : (traverseModule as unknown as { default: typeof traverseModule }).default);

/** What a fix breaks, in words, or undefined when nothing is found. `before` must be the text that the fix was made for. */
export function findDamage(file: string, before: string, after: string): string | undefined {
  const was = parse(file, before);
  const is = parse(file, after);
  if (!was.ok) return undefined;
  if (!is.ok) return `the text would not parse any more: ${is.issue.message}`;
  if (is.recovered.length > was.recovered.length) return `the text would have a syntax error: ${is.recovered.at(-1)?.message ?? ''}`;
  const known = undeclaredNames(was.ast);
  const now = undeclaredNames(is.ast);
  // Code that Babel itself cannot scope (a duplicate declaration of the author's own) cannot be compared.
  if (known === undefined) return undefined;
  if (now === undefined) return 'a name would be declared twice';
  const lost = [...now].filter((name) => !known.has(name) && !NEW_GLOBALS.has(name));
  return lost.length > 0 ? `nothing would declare ${lost.map((name) => `\`${name}\``).join(', ')}` : undefined;
}

// Globals that fixes may bring in.
const NEW_GLOBALS: ReadonlySet<string> = new Set(['URL', 'setImmediate', 'require', 'Promise', 'Object', 'undefined', 'process']);

/** Names that the module uses and does not declare; undefined when Babel finds the declarations contradictory. */
function undeclaredNames(ast: t.File): Set<string> | undefined {
  let names: Set<string> | undefined;
  try {
    traverse(ast, {
      Program(path: NodePath<t.Program>) {
        names = new Set(Object.keys((path.scope as unknown as { globals: Record<string, unknown> }).globals));
        path.stop();
      },
    });
  } catch {
    return undefined;
  }
  return names;
}
