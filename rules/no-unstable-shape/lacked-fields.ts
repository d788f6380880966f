// Fields that an object is known not to have: to delete one of them changes nothing.
import { writeOf } from '../../analysis/facts/bindings.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import {
  enclosingFunction,
  isCall,
  isFunction,
  isMember,
  memberName,
  parentOf,
  staticName,
  unwrap,
  type Node,
  type t,
} from '../../analysis/module/ast.ts';
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
  const keys = list && selectedIn(list, field, facts, 0);
  return keys !== undefined && !keys.includes(field);
}

/** What puts an object somewhere without adding to it. */
const KEEPING = /^(?:push|unshift|json|send|log)$/;

/** Other uses than reading a field, deleting one, copying the object, and putting it somewhere. Another name for it may add to it. */
function mayAdd(reference: Node, field: string): boolean {
  const parent = parentOf(reference);
  if (isMember(parent) && parent.object === reference) {
    const above = parentOf(parent);
    if (above?.type === 'AssignmentExpression' && above.left !== parent) return false;
    const isWritten = above?.type === 'AssignmentExpression' || above?.type === 'UpdateExpression';
    return isWritten && (memberName(parent) ?? field) === field;
  }
  return writeOf(reference as t.Identifier) !== undefined || !isKeptAsIs(reference, parent);
}

function isKeptAsIs(reference: Node, parent: Node | undefined): boolean {
  switch (parent?.type) {
    case 'SpreadElement':
    case 'ReturnStatement':
    case 'ArrowFunctionExpression':
    case 'ArrayExpression':
    case 'ObjectProperty':
    case 'IfStatement':
    case 'UnaryExpression':
    case 'BinaryExpression':
      return true;
    case 'VariableDeclarator':
      return parent.id.type === 'ObjectPattern';
    default:
      return isCall(parent) && parent.callee !== reference && isMember(parent.callee) && KEEPING.test(memberName(parent.callee) ?? '');
  }
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

/** `for (const row of rows)` and `rows.map((row) => …)`, seen from `rows` */
function elementOf(list: Node): Node | undefined {
  const parent = parentOf(list);
  if (parent?.type === 'ForOfStatement' && parent.right === list)
    return parent.left.type === 'VariableDeclaration' ? parent.left.declarations[0]?.id : undefined;
  const call = isMember(parent) && parent.object === list ? parentOf(parent) : undefined;
  const callback = isCall(call) && call.callee === parent ? call.arguments[0] : undefined;
  const [first] = callback && isFunction(callback) ? callback.params : [];
  return first && listAround(first) === list ? first : undefined;
}

/** Whether a use of a list may give its objects a field. */
function mayAddToAll(list: Node, field: string, facts: Facts): boolean {
  const parent = parentOf(list);
  if (isMember(parent) && parent.object === list && memberName(parent) === 'length') return false;
  const element = elementOf(list);
  const binding = element?.type === 'Identifier' ? facts.bindings.resolve(element) : undefined;
  if (binding) return facts.bindings.references(binding).some((reference) => mayAdd(reference, field));
  if (isMember(parent) || parent?.type === 'ForOfStatement') return true;
  return !isKeptAsIs(list, parent);
}

/** Methods of a query of Drizzle. Others, as `then` and `map`, may answer other rows. */
const OF_QUERY =
  /^(?:from|where|limit|offset|orderBy|groupBy|having|(?:inner|left|right|full|cross)Join|for|\$dynamic|\$withCache|all|execute)$/;

/** `db.select({ id: users.id }).from(users)` of Drizzle, `prisma.user.findMany({ select: { id: true } })` */
function selectedIn(expression: Node, field: string, facts: Facts, steps: number, isFrom = false): readonly string[] | undefined {
  if (steps > MAX_STEPS) return undefined;
  const node = unwrap(expression);
  if (node.type === 'AwaitExpression') return selectedIn(node.argument, field, facts, steps + 1);
  if (node.type === 'Identifier') {
    const binding = facts.bindings.resolve(node);
    if (!binding || !facts.bindings.isConstant(binding) || binding.declaration.type !== 'VariableDeclarator') return undefined;
    if (enclosingFunction(node) !== enclosingFunction(binding.identifier)) return undefined;
    if (facts.bindings.references(binding).some((one) => mayAddToAll(one, field, facts))) return undefined;
    const { id, init } = binding.declaration;
    if (!init) return undefined;
    if (id === binding.identifier) return selectedIn(init, field, facts, steps + 1);
    // `const [rows, total] = await Promise.all([db.select(…), …])`
    const all = unwrap(unwrap(init).type === 'AwaitExpression' ? (unwrap(init) as t.AwaitExpression).argument : init);
    const list = isCall(all) ? all.arguments[0] : undefined;
    const index = id.type === 'ArrayPattern' ? id.elements.indexOf(binding.identifier) : -1;
    const part = index >= 0 && list?.type === 'ArrayExpression' ? list.elements[index] : undefined;
    return part ? selectedIn(part, field, facts, steps + 1) : undefined;
  }
  if (!isCall(node) || !isMember(node.callee)) return undefined;
  const method = memberName(node.callee) ?? '';
  const [first] = node.arguments;
  const options = first && unwrap(first);
  // The `select` of Mongoose comes behind its `find`, adds `_id`, and leaves out as well.
  if (method === 'select') return isFrom && options?.type === 'ObjectExpression' ? keysOf(options, isColumn) : undefined;
  if (method === 'findMany' && options?.type === 'ObjectExpression') {
    const select = propertyValue(options, 'select');
    return select?.type === 'ObjectExpression' ? keysOf(select, isChoice) : undefined;
  }
  return OF_QUERY.test(method) ? selectedIn(node.callee.object, field, facts, steps + 1, isFrom || method === 'from') : undefined;
}

/** `users.id`, `count()`, and texts of SQL */
const isColumn = (value: Node): boolean => isMember(value) || isCall(value) || value.type === 'TaggedTemplateExpression';
/** `true`, `{ select: … }` */
const isChoice = (value: Node): boolean => value.type === 'BooleanLiteral' || value.type === 'ObjectExpression';

function keysOf(object: t.ObjectExpression, isFitting: (value: Node) => boolean): readonly string[] | undefined {
  const keys = object.properties.map((one) =>
    one.type === 'ObjectProperty' && isFitting(unwrap(one.value)) ? staticName(one.key, one.computed) : undefined,
  );
  return keys.every((key) => key !== undefined) ? keys : undefined;
}
