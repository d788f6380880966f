// The child nodes of a node, types included. A fixed text is parsed without an index.
import type { Node } from '../../module/ast.ts';
import { VISITOR_KEYS } from '../../module/visitor-keys.ts';

export function childrenOf(node: Node): Node[] {
  const found: Node[] = [];
  for (const key of VISITOR_KEYS[node.type] ?? []) {
    const value = (node as unknown as Record<string, unknown>)[key];
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) found.push(child);
  }
  return found;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';
}
