// `const format = new Intl.NumberFormat('en');` in a function: the declaration goes, with the comment that is about it.
import type { Facts } from '../../analysis/facts/index.ts';
import { endOf, parentOf, startOf, type Node, type t } from '../../analysis/module/ast.ts';
import type { Fix } from '../../analysis/rule.ts';

interface Declared {
  id: t.Identifier;
  declaration: t.VariableDeclaration;
}

/** The declaration that holds nothing else, of what keeps its value. */
export function declarationOf(whole: Node, facts: Facts): Declared | undefined {
  const declarator = parentOf(whole);
  const declaration = declarator && parentOf(declarator);
  if (declarator?.type !== 'VariableDeclarator' || declarator.init !== whole || declarator.id.type !== 'Identifier') return undefined;
  if (declarator.id.typeAnnotation || declaration?.type !== 'VariableDeclaration' || declaration.kind === 'var') return undefined;
  const binding = facts.bindings.resolve(declarator.id);
  if (!binding || !facts.bindings.isConstant(binding)) return undefined;
  if (declaration.declarations.length !== 1 || parentOf(declaration)?.type !== 'BlockStatement') return undefined;
  return { id: declarator.id, declaration };
}

export interface Taken {
  start: number;
  end: number;
  /** The lines above it that are about it alone, without their indentation. */
  comment?: string;
}

/** The lines of a declaration that goes, or why it cannot. @param others declarations that go with it */
export function takenLines({ id, declaration }: Declared, others: readonly Declared[], facts: Facts): Taken | { reason: string } {
  const { text } = facts.source;
  const start = text.lastIndexOf('\n', startOf(declaration)) + 1;
  const next = text.indexOf('\n', endOf(declaration));
  const beside = next === -1 ? '' : text.slice(endOf(declaration), next).trim();
  if (/^\/[/*]/.test(beside)) return { reason: 'the comment beside it would have to move with it' };
  if (text.slice(start, startOf(declaration)).trim() !== '' || next === -1 || beside !== '')
    return { start: startOf(declaration), end: endOf(declaration) };
  return linesOf(text, start, next + 1, id.name, others);
}

function linesOf(text: string, start: number, end: number, name: string, others: readonly Declared[]): Taken | { reason: string } {
  const after = text.slice(end, lineEnd(text, end)).trim();
  let first = start;
  const comments: string[] = [];
  for (let above = lineAbove(text, first); /^(?:\/\/|\/?\*)/.test(above.trim()); above = lineAbove(text, first)) {
    comments.unshift(above.trim());
    first -= above.length;
  }
  const comment = comments.join('\n');
  if (comment.endsWith('*/')) return { reason: 'the comment above it would have to move with it' };
  let last = end;
  for (const other of others)
    if (text.slice(last, startOf(other.declaration)).trim() === '') last = lineEnd(text, endOf(other.declaration));
  const behind = text.slice(last, lineEnd(text, last)).trim();
  const isAlone = behind === '' || behind.startsWith('}') || behind.startsWith('//');
  if (comment !== '' && !isAlone && !names(comment, name)) return { reason: 'the comment above it may be about more than it' };
  const before = lineAbove(text, first).trim();
  const isGap = after === '' && end < text.length && (before === '' || before.endsWith('{'));
  return { start: first, end: isGap ? lineEnd(text, end) : end, ...(comment !== '' && { comment }) };
}

const MIN_WORD = 3;

/** Whether a comment speaks of it: of agents, for `httpsAgent`. */
function names(comment: string, name: string): boolean {
  const last = name.split(/(?=[A-Z])/).at(-1) ?? name;
  // Of `userID`, the last part says nothing.
  const word = last.length < MIN_WORD ? name : last;
  return comment.toLowerCase().includes(word.toLowerCase());
}

/** Behind the line break. */
const lineEnd = (text: string, offset: number): number => text.indexOf('\n', offset) + 1 || text.length;

/** The line that ends at an offset, with its line break; empty at the beginning of the text. */
const lineAbove = (text: string, offset: number): string =>
  offset === 0 ? '' : text.slice(text.lastIndexOf('\n', offset - 2) + 1, offset);

/** Edits that give a variable another name where it is used; undefined where its type is asked for. */
export function renamed({ id }: Declared, name: string, facts: Facts): Fix['edits'] | undefined {
  const binding = facts.bindings.resolve(id);
  if (!binding) return undefined;
  if (id.name === name) return [];
  const asked = facts.remember('names that types ask for', () => {
    const all = (['TSTypeQuery', 'TSQualifiedName'] as const).flatMap((type) => facts.module.nodes(type));
    const parts = all.flatMap((one): Node[] => (one.type === 'TSTypeQuery' ? [one.exprName] : [one.left, one.right]));
    return new Set(parts.flatMap((one) => (one.type === 'Identifier' ? [one.name] : [])));
  });
  if (asked.has(id.name)) return undefined;
  return facts.bindings.references(binding).map((one) => {
    const up = parentOf(one);
    const isShort = up?.type === 'ObjectProperty' && up.shorthand;
    return { start: startOf(one), end: endOf(one), text: isShort ? `${one.name}: ${name}` : name };
  });
}
