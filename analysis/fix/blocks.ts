// Moving code: its indentation, and comments that must not get lost.
import { endOf, startOf, type Node } from '../module/ast.ts';
import { firstFrom } from '../module/group-by.ts';
import type { Facts } from '../facts/index.ts';
import { walkWithin } from '../module/module-index.ts';

/** Whether there is a comment inside a node. A fix that rewrites the node would lose it. */
export function hasComment(facts: Facts, node: Node): boolean {
  return hasCommentBetween(facts, startOf(node), endOf(node));
}

export function hasCommentBetween(facts: Facts, start: number, end: number): boolean {
  // Of those that begin after `start`, the first one ends first.
  const first = facts.module.ast.comments?.[commentsBefore(facts, start)];
  return first !== undefined && (first.end ?? 0) <= end;
}

/** How many comments begin before an offset. They are in source order: a generated file may have one for each finding. */
export function commentsBefore({ module: { ast } }: Facts, offset: number): number {
  return firstFrom(ast.comments ?? [], offset);
}

/** `text` with one step of indentation less on every line but the first; unchanged if `root` contains a multi-line string. */
export function shiftLeft(facts: Facts, root: Node, text: string, step: string): string {
  if (longTextsOf(facts, root).length > 0) return text;
  return text
    .split('\n')
    .map((line, i) => (i > 0 && line.startsWith(step) ? line.slice(step.length) : line))
    .join('\n');
}

/** `text` with one step of indentation more on every line but the first, empty ones, and those that begin within a template. */
export function shiftRight(facts: Facts, root: Node, text: string, step: string): string {
  const long = longTextsOf(facts, root);
  if (long.some(({ type }) => type === 'JSXText')) return text;
  let at = startOf(root);
  return text
    .split('\n')
    .map((line, i) => {
      const begin = at;
      at += line.length + 1;
      const isMoved = i > 0 && line.trim() !== '' && !long.some((one) => startOf(one) < begin && begin < endOf(one));
      return isMoved ? `${step}${line}` : line;
    })
    .join('\n');
}

/** White space inside a template literal or JSX text is part of the program. */
function longTextsOf(facts: Facts, root: Node): Node[] {
  const found: Node[] = [];
  walkWithin(root, (node) => {
    if ((node.type === 'TemplateLiteral' || node.type === 'JSXText') && facts.source.slice(node).includes('\n')) found.push(node);
  });
  return found;
}
