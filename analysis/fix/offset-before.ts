// Where to insert a statement before another one: above the comments that belong to it.
import { startOf, type Node } from '../module/ast.ts';
import type { Facts } from '../facts/index.ts';
import { commentsBefore } from './blocks.ts';

/** The offset before a statement and the comments directly above it. */
export function offsetBefore(statement: Node, facts: Facts): number {
  let offset = startOf(statement);
  const { text } = facts.source;
  const comments = facts.module.ast.comments ?? [];
  for (let i = commentsBefore(facts, offset) - 1; i >= 0; i--) {
    const comment = comments[i];
    if (!comment || (comment.end ?? 0) > offset) continue;
    const between = text.slice(comment.end ?? 0, offset);
    // A comment at the end of a line of code belongs to that line.
    const lineBefore = text.slice(text.lastIndexOf('\n', (comment.start ?? 0) - 1) + 1, comment.start ?? 0);
    if (between.trim() !== '' || /\n[\t ]*\r?\n/.test(between) || lineBefore.trim() !== '') break;
    if (comment.value.startsWith('!') && comment.start === 0) break;
    offset = comment.start ?? offset;
  }
  return Math.max(offset, endOfHashbang(text));
}

function endOfHashbang(text: string): number {
  return text.startsWith('#!') ? Math.min(text.length, text.indexOf('\n') + 1 || text.length) : 0;
}
