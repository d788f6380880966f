// Fields that an object is known not to have: to delete one of them changes nothing.
import { writeOf } from '../../analysis/facts/bindings.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { isCall, isFunction, isMember, memberName, parentOf, staticName, unwrap, type Node, type t } from '../../analysis/module/ast.ts';
import { propertyValue } from '../../analysis/facts/handlers/route-paths.ts';

// The longest chain of calls and variables to follow.
const MAX_STEPS = 12;

/** `const copy = { id: row.id }; delete copy.geo`, and a row of `select({ id: users.id })`. */
export function lacksField(object: Node, field: string, facts: Facts): boolean {
  const binding = object.type === 'Identifier' ? facts.bindings.resolve(object) : undefined;
  if (!binding || facts.bindings.references(binding).some((reference) => mayAdd(reference, field))) return false;
  const { declaration } = binding;
  if (declaration.type === 'VariableDeclarator' && declaration.id === binding.identifier && declaration.init) {
    const made = unwrap(declaration.init);
    if (made.type !== 'ObjectExpression') return false;
    const shape = facts.shapes.shapeOfLiteral(made);
    if (shape.isComplete) return !shape.keys.includes(field);
    return made.properties.every((property) =>
      property.type === 'SpreadElement'
        ? lacksField(unwrap(property.argument), field, facts)
        : (staticName(property.key, property.computed) ?? field) !== field,
    );
  }
  const list = listAround(binding.identifier);
  const keys = list && selectedIn(list, facts, 0);
  return keys !== undefined && !keys.includes(field);
}

/** What puts an object somewhere without adding to it. */
const KEEPING = /^(?:push|unshift|json|send|log)$/;

/** Other uses than reading a field, deleting one, copying the object, and putting it somewhere. */
function mayAdd(reference: Node, field: string): boolean {
  const parent = parentOf(reference);
  if (isMember(parent) && parent.object === reference) {
    const above = parentOf(parent);
    return above?.type === 'AssignmentExpression' && above.left === parent && (memberName(parent) ?? field) === field;
  }
  if (writeOf(reference as t.Identifier)) return true;
  return isCall(parent) && !(isMember(parent.callee) && KEEPING.test(memberName(parent.callee) ?? ''));
}

/** `for (const row of list)`, `list.map((row) => …)` */
function listAround(variable: Node): Node | undefined {
  const parent = parentOf(variable);
  if (isFunction(parent) && parent.params[0] === variable) {
    const call = parentOf(parent);
    const callee = isCall(call) && call.arguments[0] === parent ? unwrap(call.callee) : undefined;
    return callee && isMember(callee) && /^(?:map|forEach|flatMap|filter)$/.test(memberName(callee) ?? '') ? callee.object : undefined;
  }
  const declaration = parent?.type === 'VariableDeclarator' ? parentOf(parent) : undefined;
  const loop = declaration && parentOf(declaration);
  return loop?.type === 'ForOfStatement' && loop.left === declaration ? loop.right : undefined;
}

/** `db.select({ id: users.id }).from(users)` of Drizzle, `prisma.user.findMany({ select: { id: true } })` */
function selectedIn(expression: Node, facts: Facts, steps: number): readonly string[] | undefined {
  if (steps > MAX_STEPS) return undefined;
  const node = unwrap(expression);
  if (node.type === 'AwaitExpression') return selectedIn(node.argument, facts, steps + 1);
  if (node.type === 'Identifier') {
    const binding = facts.bindings.resolve(node);
    if (!binding || !facts.bindings.isConstant(binding) || binding.declaration.type !== 'VariableDeclarator') return undefined;
    const { id, init } = binding.declaration;
    if (!init) return undefined;
    if (id === binding.identifier) return selectedIn(init, facts, steps + 1);
    // `const [rows, total] = await Promise.all([db.select(…), …])`
    const all = unwrap(unwrap(init).type === 'AwaitExpression' ? (unwrap(init) as t.AwaitExpression).argument : init);
    const list = isCall(all) ? all.arguments[0] : undefined;
    const index = id.type === 'ArrayPattern' ? id.elements.indexOf(binding.identifier) : -1;
    const part = index >= 0 && list?.type === 'ArrayExpression' ? list.elements[index] : undefined;
    return part ? selectedIn(part, facts, steps + 1) : undefined;
  }
  if (!isCall(node) || !isMember(node.callee)) return undefined;
  const method = memberName(node.callee);
  const [first] = node.arguments;
  const options = first && unwrap(first);
  if (method === 'select') return options?.type === 'ObjectExpression' ? keysOf(options) : undefined;
  if (method === 'findMany' && options?.type === 'ObjectExpression') {
    const select = propertyValue(options, 'select');
    return select?.type === 'ObjectExpression' ? keysOf(select) : undefined;
  }
  return selectedIn(node.callee.object, facts, steps + 1);
}

function keysOf(object: t.ObjectExpression): readonly string[] | undefined {
  const keys = object.properties.map((one) => (one.type === 'SpreadElement' ? undefined : staticName(one.key, one.computed)));
  return keys.every((key) => key !== undefined) ? keys : undefined;
}
