// Places where an edit changes no token: inside a comment, and between the statements of a list.
import { endOf, startOf, type Node, type t } from './ast.ts';
import { RUNTIME_KEYS } from './module-index.ts';
import type { OffsetChange } from './moved-findings.ts';

export interface IdlePlace {
  /** The nodes around it, outermost first. */
  around: readonly Node[];
  /** The comment that was edited. */
  comment: t.Comment | undefined;
}

const LINE_BREAK = /[\n\r\u2028\u2029]/;
// Comments with a meaning, and a word that is searched in the whole text.
const MEANINGFUL = /nodometer-|awilix/;
/** Nodes whose children follow one another and are complete by themselves. */
const LISTS: ReadonlySet<string> = new Set(['Program', 'BlockStatement', 'StaticBlock', 'ClassBody']);
/** Keys that lead down to statements. */
const WAYS: ReadonlySet<string> = new Set([
  'body',
  'consequent',
  'alternate',
  'block',
  'handler',
  'finalizer',
  'cases',
  'declaration',
  'declarations',
  'init',
  'value',
  'right',
  'expression',
  'argument',
  'arguments',
  'properties',
  'elements',
]);

/** Undefined if the change may have a meaning. */
export function findIdlePlace({ ast }: { ast: t.File }, before: string, after: string, change: OffsetChange): IdlePlace | undefined {
  const inserted = after.slice(change.start, change.start + change.inserted);
  const comment = commentAround(ast.comments ?? [], change.start);
  if (comment && startsInside(comment, change.start)) {
    if (!isIdleIn(comment, before, after, change)) return undefined;
    const around = nodesAround(ast.program, comment.start ?? 0, comment.end ?? 0, true);
    // A comment alone in braces of JSX is a node, as long as the comment is.
    return around && !around.at(-1)?.type.startsWith('JSX') ? { around, comment } : undefined;
  }
  if (change.removed > 0 || !/^[ \t\r\n]+$/.test(inserted)) return undefined;
  // A space after a line comment becomes part of it, and one before its second slash ends the comment.
  if (comment && change.start < (comment.end ?? 0)) return undefined;
  // Our own comments refer to lines.
  if (LINE_BREAK.test(inserted) && before.includes('nodometer-')) return undefined;
  const around = nodesAround(ast.program, change.start, change.start, false);
  return around && LISTS.has(around.at(-1)?.type ?? '') ? { around, comment: undefined } : undefined;
}

/** The last comment that starts before an offset. */
function commentAround(comments: readonly t.Comment[], offset: number): t.Comment | undefined {
  let low = 0;
  let high = comments.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((comments[middle]?.start ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return comments[low - 1];
}

function startsInside({ type, start, end }: t.Comment, offset: number): boolean {
  return offset >= (start ?? 0) + 2 && offset <= (end ?? 0) - (type === 'CommentBlock' ? 2 : 0);
}

function isIdleIn({ type, start, end }: t.Comment, before: string, after: string, change: OffsetChange): boolean {
  const from = (start ?? 0) + 2;
  const to = (end ?? 0) - (type === 'CommentBlock' ? 2 : 0);
  const changeEnd = change.start + change.removed;
  if (changeEnd > to) return false;
  const was = before.slice(from, to);
  const is = after.slice(from, to + change.inserted - change.removed);
  if (MEANINGFUL.test(was) || MEANINGFUL.test(is)) return false;
  // Line numbers matter, and a line comment ends with its line.
  if (LINE_BREAK.test(before.slice(change.start, changeEnd)) || LINE_BREAK.test(after.slice(change.start, change.start + change.inserted)))
    return false;
  return type === 'CommentLine' || !`${is}*`.includes('*/');
}

/** The nodes around a range; undefined if the path to it is not one of `WAYS`, or if its nodes are not in the order of the text. */
function nodesAround(program: t.Program, start: number, end: number, isAnywhere: boolean): Node[] | undefined {
  const around: Node[] = [program];
  for (let at: Node = program; ; ) {
    const below = childAround(at, start, end);
    if (!below) return at.type === 'TemplateLiteral' ? undefined : around;
    if (
      at.type === 'TemplateLiteral' ||
      !(isAnywhere || WAYS.has(below.key)) ||
      ('decorators' in below.child && below.child.decorators?.length)
    )
      return undefined;
    at = below.child;
    around.push(at);
  }
}

function childAround(node: Node, start: number, end: number): { key: string; child: Node } | undefined {
  for (const key of RUNTIME_KEYS.get(node.type) ?? []) {
    const child = (node as unknown as Record<string, unknown>)[key];
    if (!child) continue;
    for (const one of Array.isArray(child) ? (child as (Node | null)[]) : [child as Node])
      if (one && startOf(one) < start && end < endOf(one)) return { key, child: one };
  }
  return undefined;
}
