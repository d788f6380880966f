// Moves the line that sets NODE_ENV before the statement that reads it.
import { parentOf, type Node } from '../../analysis/module/ast.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';
import type { Source } from '../../analysis/module/source.ts';
import type { Edit } from '../../protocol/finding.ts';
import type { NodeEnvWrite } from './node-env-writes.ts';
import type { EarlierRead } from './too-late.ts';

/** Edits that move the statement; undefined unless it is a plain statement in the same list of statements. */
export function moveBefore(write: NodeEnvWrite, read: EarlierRead, source: Source, facts: Facts): Edit[] | undefined {
  const statement = parentOf(write.node);
  const list = statement && parentOf(statement);
  if (statement?.type !== 'ExpressionStatement' || !list || write.value === undefined) return undefined;
  let target: Node = read.node;
  while (parentOf(target) && parentOf(target) !== list) target = parentOf(target) as Node;
  if (parentOf(target) !== list) return undefined;
  const at = target.start ?? 0;
  if (usesLaterName(write.node, at, facts)) return undefined;
  const text = source.text.slice(statement.start ?? 0, statement.end ?? 0);
  const line = source.positionAt(statement.start ?? 0).line;
  const isAlone = source.lineText(line).trim() === text.trim();
  // The whole line is removed with its line break. If it contains other text, only the statement is.
  const removal = isAlone
    ? { start: source.lineStart(line), end: source.lineStart(line + 1), text: '' }
    : { start: statement.start ?? 0, end: statement.end ?? 0, text: '' };
  return [{ start: at, end: at, text: `${text}${source.lineBreak}${source.indentAt(at)}` }, removal];
}

/** Whether the line uses a name that is declared after the place it would move to: `const { env } = process`. */
function usesLaterName(node: Node, at: number, facts: Facts): boolean {
  let found = false;
  walkWithin(node, (inner) => {
    const binding = inner.type === 'Identifier' ? facts.bindings.resolve(inner) : undefined;
    if (binding && binding.kind !== 'import' && (binding.identifier.start ?? 0) >= at) found = true;
  });
  return found;
}
