// Where a regular expression is tried on a text: `re.test(text)`, `text.match(re)`, and what checks a field of a request with it.
import { isCall, isMember, memberName, parentOf, unwrap, type CallNode, type Node, type t } from '../../analysis/ast.ts';
import { textOf } from '../../analysis/facts/constants.ts';
import type { Facts } from '../../analysis/facts/index.ts';

export interface Expression {
  node: t.RegExpLiteral | t.CallExpression | t.NewExpression;
  pattern: string;
  flags: string;
}

export interface Use {
  call: CallNode;
  text: Node;
}

/** `new RegExp('…')` with a text that the source shows. */
export function readConstructed(node: t.CallExpression | t.NewExpression, facts: Facts): Expression | undefined {
  if (node.callee.type !== 'Identifier' || node.callee.name !== 'RegExp' || !facts.bindings.isGlobal(node.callee)) return undefined;
  const [first, second] = node.arguments;
  const pattern = first && textOf(first, facts.bindings);
  const flags = second ? textOf(second, facts.bindings) : '';
  return pattern === undefined || flags === undefined ? undefined : { node, pattern, flags };
}

const OF_EXPRESSION = /^(?:test|exec)$/;
const OF_TEXT = /^(?:match|matchAll|replace|replaceAll|search|split)$/;

/** All uses of an expression in the file: where it stands, and through the constant, the property or the `this` field that holds it. */
export function usesOf({ node }: Expression, facts: Facts): Use[] {
  const places: Node[] = [node];
  const parent = parentOf(node);
  if (parent?.type === 'VariableDeclarator' && parent.init === node && parent.id.type === 'Identifier') {
    const binding = facts.bindings.resolve(parent.id);
    if (binding && facts.bindings.isConstant(binding)) places.push(...facts.bindings.references(binding));
  }
  // `const patterns = { name: /…/ }; patterns.name.test(text)`
  const holder = parent?.type === 'ObjectProperty' && parent.value === node ? parentOf(parentOf(parent) ?? parent) : undefined;
  if (parent?.type === 'ObjectProperty' && holder?.type === 'VariableDeclarator' && holder.id.type === 'Identifier' && parent.key.type === 'Identifier') {
    const { name } = parent.key;
    const binding = facts.bindings.resolve(holder.id);
    const members = binding ? facts.bindings.references(binding).map((reference) => parentOf(reference)) : [];
    places.push(...members.filter((member): member is t.MemberExpression => isMember(member) && memberName(member) === name));
  }
  return places.flatMap((place) => useAt(place) ?? []);
}

function useAt(place: Node): Use | undefined {
  let value = place;
  let up = parentOf(value);
  while (up && unwrap(up) === place && !isCall(up) && !isMember(up)) {
    value = up;
    up = parentOf(up);
  }
  if (!up) return undefined;
  if (isMember(up) && up.object === value) {
    const call = parentOf(up);
    const text = isCall(call) && call.callee === up && OF_EXPRESSION.test(memberName(up) ?? '') ? call.arguments[0] : undefined;
    return isCall(call) && text ? { call, text } : undefined;
  }
  if (!isCall(up) || up.callee === value || up.arguments[0] !== value || !isMember(up.callee)) return undefined;
  return OF_TEXT.test(memberName(up.callee) ?? '') ? { call: up, text: up.callee.object } : undefined;
}
