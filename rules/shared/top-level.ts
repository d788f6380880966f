// Moving an expression to the top level of a module.
import { parentOf, startOf, type Node } from '../../analysis/module/ast.ts';
import { isTaken } from '../../analysis/fix/add-import.ts';
import type { Facts } from '../../analysis/facts/index.ts';

/** The top-level statement around a node; none if it is inside a namespace or follows another one on the same line. */
export function topLevelStatement(node: Node): Node | undefined {
  let at = node;
  for (let up = parentOf(at); up; up = parentOf(up)) {
    if (up.type === 'Program') return at;
    if (up.type === 'TSModuleBlock') return undefined;
    at = up;
  }
  return undefined;
}

/** The text of an expression, with its later lines moved to the left margin as a whole. */
export function outdented(call: Node, facts: Facts): string {
  const indent = facts.source.indentAt(startOf(call));
  return facts.source
    .slice(call)
    .split('\n')
    .map((text, i) => (i > 0 && text.startsWith(indent) ? text.slice(indent.length) : text))
    .join('\n');
}

/** A chain of calls on one line: where it moves to, it may fit. */
export function inChain(text: string): string {
  if (/`|\/[/*]/.test(text)) return text;
  const [first = '', ...rest] = text.split('\n');
  return rest.reduce((joined, line) => {
    const start = line.trimStart();
    return /^\??\.[\w$]/.test(start) ? joined.trimEnd() + start : `${joined}\n${line}`;
  }, first);
}

/** The name, with a number behind it if the file uses it. */
export function unusedName(base: string, facts: Facts): string {
  const known = facts.remember('unused names', () => new Map<string, string>());
  let name = known.get(base) ?? base;
  for (let i = 2; !known.has(base) && (isTaken(facts, name) || RESERVED.has(name)); i++) name = `${base}${i}`;
  known.set(base, name);
  return name;
}

const RESERVED: ReadonlySet<string> = new Set([
  'default',
  'function',
  'class',
  'return',
  'import',
  'export',
  'package',
  'private',
  'public',
  'static',
  'switch',
  'delete',
  'typeof',
  'while',
  'with',
  'yield',
  'await',
  'this',
  'throw',
  'super',
  'null',
  'true',
  'false',
  'case',
  'catch',
  'const',
  'continue',
  'debugger',
  'else',
  'enum',
  'extends',
  'finally',
  'for',
  'new',
  'try',
  'var',
  'void',
  'let',
  'interface',
  'implements',
  'protected',
  'arguments',
  'eval',
]);
