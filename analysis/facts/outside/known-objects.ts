// Which properties an object may have, if a literal or a call makes it and its file only reads it: `const scene = await render()`. What the
// calls return, other files know.
import {
  enclosingFunction,
  isFunction,
  isMember,
  memberName,
  parentOf,
  staticName,
  unwrap,
  type FunctionNode,
  type Node,
  type t,
} from '../../module/ast.ts';
import type { Binding } from '../bindings.ts';
import type { Facts } from '../index.ts';

/** The property `name` of what a call returns. */
export interface Read {
  call: t.CallExpression;
  name: string;
}

/** All objects that a variable may hold, or a function may return. */
export interface KnownObjects {
  /** Names of properties that a literal sets. */
  set: Set<string>;
  /** By name: a literal copies it from there. */
  copied: Map<string, Read[]>;
  calls: t.CallExpression[];
}

/** Our choices: uses of a variable, reads and calls that its objects may come from, and variables that it is made of. */
const MOST_USES = 200;
const MOST_SOURCES = 200;
const DEEPEST = 20;

/** What must be undefined for a property never to be set; undefined if it may be. */
export function neededToLack({ set, copied, calls }: KnownObjects, name: string): Read[] | undefined {
  if (set.has(name) || name in {}) return undefined;
  return [...(copied.get(name) ?? []), ...calls.map((call) => ({ call, name }))];
}

/** Undefined if other values may be among them, or other code may change them. */
export function objectsIn(binding: Binding, facts: Facts): KnownObjects | undefined {
  const known = facts.remember('known objects', () => ({ byBinding: new Map<Binding, KnownObjects | undefined>(), depth: 0 }));
  if (known.byBinding.has(binding)) return known.byBinding.get(binding);
  if (known.depth >= DEEPEST) return undefined;
  known.byBinding.set(binding, undefined);
  known.depth++;
  const found = findObjectsIn(binding, facts);
  known.depth--;
  known.byBinding.set(binding, found);
  return found;
}

function findObjectsIn(binding: Binding, facts: Facts): KnownObjects | undefined {
  const { declaration } = binding;
  // A second `var` of the name may give it another value.
  if (declaration.type !== 'VariableDeclarator' || declaration.id !== binding.identifier || binding.kind === 'var') return undefined;
  const loop = parentOf(parentOf(declaration) ?? declaration);
  if (loop?.type === 'ExportNamedDeclaration') return undefined;
  if (!declaration.init && (loop?.type === 'ForOfStatement' || loop?.type === 'ForInStatement')) return undefined;
  const found = nothing();
  if (declaration.init && !add(found, declaration.init, facts)) return undefined;
  for (const value of facts.bindings.assignedValues(binding)) if (!value || !add(found, value, facts)) return undefined;
  const uses = facts.bindings.references(binding);
  return uses.length <= MOST_USES && uses.every((use) => isRead(use, declaration)) ? found : undefined;
}

const nothing = (): KnownObjects => ({ set: new Set(), copied: new Map(), calls: [] });

/** What a function returns, by its return statements. */
export function objectsReturnedBy(fn: FunctionNode, returned: readonly Node[], facts: Facts): KnownObjects | undefined {
  if (fn.generator) return undefined;
  const found = nothing();
  for (const value of fn.body.type === 'BlockStatement' ? returned : [fn.body]) if (!add(found, value, facts)) return undefined;
  return found;
}

/** The values of return statements, by function. */
export function returnedValues({ module }: Facts): Map<FunctionNode, Node[]> {
  const found = new Map<FunctionNode, Node[]>();
  for (const statement of module.nodes('ReturnStatement')) {
    const fn = enclosingFunction(statement);
    if (!fn || !statement.argument) continue;
    const known = found.get(fn);
    if (known) known.push(statement.argument);
    else found.set(fn, [statement.argument]);
  }
  return found;
}

/** Returns false if the value may be any object. */
function add(found: KnownObjects, value: Node, facts: Facts): boolean {
  const node = awaited(value);
  if (isNothing(node) || node.type === 'BooleanLiteral') return true;
  if (node.type === 'ObjectExpression') return node.properties.every((property) => addProperty(found, property, facts));
  if (node.type === 'ConditionalExpression') return add(found, node.consequent, facts) && add(found, node.alternate, facts);
  if (node.type === 'CallExpression') return isOfProject(node, facts) && addCalls(found, [node]);
  const binding = node.type === 'Identifier' ? facts.bindings.resolve(node) : undefined;
  const objects = binding && objectsIn(binding, facts);
  if (!objects) return false;
  for (const name of objects.set) found.set.add(name);
  for (const [name, reads] of objects.copied) addCopied(found, name, reads);
  return addCalls(found, objects.calls);
}

function addCalls({ calls }: KnownObjects, more: readonly t.CallExpression[]): boolean {
  for (const call of more) if (!calls.includes(call)) calls.push(call);
  return calls.length <= MOST_SOURCES;
}

function addProperty(found: KnownObjects, property: t.ObjectExpression['properties'][number], facts: Facts): boolean {
  const name = property.type === 'SpreadElement' ? undefined : staticName(property.key, property.computed);
  if (name === undefined || name === '__proto__') return false;
  if (property.type !== 'ObjectProperty') return found.set.add(name).size > 0;
  const value = unwrap(property.value);
  if (isNothing(value)) return true;
  // `{ path: result.path }`
  const from = isMember(value) ? memberName(value) : undefined;
  const object = isMember(value) ? unwrap(value.object) : undefined;
  const binding = object?.type === 'Identifier' ? facts.bindings.resolve(object) : undefined;
  const objects = binding && from !== undefined ? objectsIn(binding, facts) : undefined;
  const reads = objects && neededToLack(objects, from as string);
  if (reads) addCopied(found, name, reads);
  else found.set.add(name);
  return true;
}

function addCopied({ set, copied }: KnownObjects, name: string, reads: readonly Read[]): void {
  const known = copied.get(name) ?? [];
  const more = reads.filter((one) => !known.some(({ call, name: other }) => call === one.call && other === one.name));
  if (known.length + more.length > MOST_SOURCES) set.add(name);
  else copied.set(name, [...known, ...more]);
}

function awaited(value: Node): Node {
  const node = unwrap(value);
  return node.type === 'AwaitExpression' ? unwrap(node.argument) : node;
}

function isNothing(node: Node): boolean {
  return node.type === 'NullLiteral' || (node.type === 'Identifier' && node.name === 'undefined');
}

/** A function that is declared under this name, here or in another file. What else a callee may be is not always known. */
function isOfProject({ callee }: t.CallExpression, { bindings }: Facts): boolean {
  const node = unwrap(callee);
  const root = isMember(node) && memberName(node) !== undefined ? unwrap(node.object) : node;
  const binding = root.type === 'Identifier' ? bindings.resolve(root) : undefined;
  if (!binding || !bindings.isConstant(binding)) return false;
  const { declaration, kind } = binding;
  if (kind === 'import') return true;
  if (root === node && kind === 'function') return true;
  const init = declaration.type === 'VariableDeclarator' && declaration.init ? unwrap(declaration.init) : undefined;
  if (root === node && isFunction(init)) return true;
  const loaded = isMember(init) ? unwrap(init.object) : init;
  return loaded?.type === 'CallExpression' && loaded.callee.type === 'Identifier' && loaded.callee.name === 'require';
}

/** Whether a use of a variable leaves its object as it is, and gives it to nobody but the caller. */
function isRead(use: t.Identifier, declaration: Node): boolean {
  let at: Node = use;
  let parent = parentOf(at);
  while (parent && unwrap(parent) !== parent) {
    at = parent;
    parent = parentOf(at);
  }
  switch (parent?.type) {
    case 'MemberExpression':
    case 'OptionalMemberExpression':
      return parent.object === at && isValueRead(parent);
    case 'AssignmentExpression':
      return parent.left === at && parent.operator === '=' && parentOf(parent)?.type === 'ExpressionStatement';
    case 'IfStatement':
      return parent.test === at;
    case 'LogicalExpression':
      return parent.left === at && parent.operator === '&&';
    case 'ReturnStatement':
      // Of a variable that outlives the call, several callers get the same object.
      return enclosingFunction(parent) === enclosingFunction(declaration);
    case 'CallExpression': {
      const callee = unwrap(parent.callee);
      const object = isMember(callee) ? unwrap(callee.object) : undefined;
      return callee !== at && object?.type === 'Identifier' && /^(?:console|JSON)$/.test(object.name);
    }
    case 'UnaryExpression':
    case 'BinaryExpression':
    case 'SpreadElement':
      return true;
    default:
      return false;
  }
}

/** Whether a member is read: neither written nor deleted, and not called with its object as `this`. */
function isValueRead(member: Node): boolean {
  let at = member;
  let parent = parentOf(at);
  while (parent && unwrap(parent) !== parent) {
    at = parent;
    parent = parentOf(at);
  }
  switch (parent?.type) {
    case 'AssignmentExpression':
      return parent.left !== at;
    case 'CallExpression':
    case 'OptionalCallExpression':
      return parent.callee !== at;
    case 'UnaryExpression':
      return parent.operator !== 'delete';
    case 'VariableDeclarator':
    case 'ObjectProperty':
      // In a pattern, it would be written.
      return parent.type === 'VariableDeclarator' || parentOf(parent)?.type === 'ObjectExpression';
    case 'UpdateExpression':
    case 'ForOfStatement':
    case 'ForInStatement':
    case 'ArrayPattern':
    case 'RestElement':
    case 'AssignmentPattern':
    case 'TaggedTemplateExpression':
      return false;
    default:
      return true;
  }
}
