// A function's source without what changes nothing: white space and comments. Evidence belongs to it, and goes stale when it changes.
import { endOf, startOf, type FunctionNode } from '../module/ast.ts';
import type { Facts } from '../facts/index.ts';

export function normalizedSource({ module, source }: Facts, fn: FunctionNode): string {
  const start = startOf(fn);
  const end = endOf(fn);
  const inside = (node: { start?: number | null; end?: number | null }) => (node.start ?? 0) >= start && (node.end ?? 0) <= end;
  const comments = (module.ast.comments ?? []).filter(inside);
  // White space counts in texts.
  const texts = [
    ...module.nodes('StringLiteral'),
    ...module.nodes('TemplateElement'),
    ...module.nodes('RegExpLiteral'),
    ...module.nodes('JSXText'),
  ].filter(inside);
  const pieces = [
    ...comments.map((comment) => ({ start: comment.start ?? 0, end: comment.end ?? 0, text: undefined })),
    ...texts.map((node) => ({ start: startOf(node), end: endOf(node), text: source.slice(node) })),
  ].sort((a, b) => a.start - b.start);
  let result = '';
  let code = '';
  let at = start;
  for (const piece of pieces) {
    code += source.text.slice(at, piece.start);
    if (piece.text === undefined) code += ' ';
    else {
      result += squeezed(code) + piece.text;
      code = '';
    }
    at = piece.end;
  }
  return (result + squeezed(code + source.text.slice(at, end))).trim();
}

function squeezed(code: string): string {
  return code.replace(/\s+/g, ' ').replace(/ ?([;,(){}[\]]) ?/g, '$1');
}
