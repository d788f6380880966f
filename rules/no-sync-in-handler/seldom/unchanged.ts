// Objects that stay as they were written.
import { isCall, isMember, memberName, parentOf, unwrap, type Node, type t } from '../../../analysis/module/ast.ts';
import type { Bindings } from '../../../analysis/facts/bindings.ts';

/**
 * Whether the object of a variable keeps its properties: the file only reads them, spreads it, or gives it to functions that derive keys. What
 * has another name, or is given to others, may be changed there.
 */
export function isObjectKept(variable: t.Identifier, bindings: Bindings): boolean {
  const binding = bindings.resolve(variable);
  return binding !== undefined && bindings.references(binding).every(isRead);
}

function isRead(reference: Node): boolean {
  let node = reference;
  let parent = parentOf(node);
  while (parent && unwrap(parent) === unwrap(node)) [node, parent] = [parent, parentOf(parent)];
  if (!parent) return false;
  if (parent.type === 'SpreadElement') return parentOf(parent)?.type === 'ObjectExpression';
  if (isCall(parent) && parent.callee !== node) return derivesKeys(parent.callee);
  return isMember(parent) && parent.object === node && isMemberRead(parent);
}

/** `OPTIONS.N`, and neither `OPTIONS.N = 1`, `OPTIONS.N++`, `delete OPTIONS.N`, `[OPTIONS.N] = list`, nor `OPTIONS.set(1)`. */
function isMemberRead(member: Node): boolean {
  const parent = parentOf(member);
  if (!parent || (isCall(parent) && parent.callee === member)) return false;
  if (parent.type === 'AssignmentExpression') return parent.right === member;
  if (isMember(parent)) return parent.object !== member || isMemberRead(parent);
  return (
    !/^(?:UpdateExpression|UnaryExpression|ArrayPattern|AssignmentPattern|RestElement|For(?:Of|In)Statement|TS\w+)$/.test(parent.type) &&
    !isOfPattern(parent)
  );
}

const isOfPattern = (property: Node): boolean => property.type === 'ObjectProperty' && parentOf(property)?.type === 'ObjectPattern';

function derivesKeys(callee: Node): boolean {
  const called = unwrap(callee);
  const name = called.type === 'Identifier' ? called.name : isMember(called) ? memberName(called) : undefined;
  return name === 'scryptSync' || name === 'scrypt';
}
