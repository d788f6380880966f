// What outlives a request, and whether anything is ever taken out of it.
import type { Binding } from '../../analysis/facts/bindings.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { classAround } from '../../analysis/facts/origins.ts';
import {
  contains,
  enclosingFunction,
  isFunction,
  isMember,
  memberName,
  parentOf,
  staticName,
  unwrap,
  type ClassNode,
  type FunctionNode,
  type Node,
  type t,
} from '../../analysis/module/ast.ts';

/** A variable, or a field of an object or of the only instance of a class. */
export interface Owner {
  /** All expressions in the file that are the container. */
  uses: readonly Node[];
  /** What it is at first. */
  init: Node;
  /** Code of other files may reach it, so that this file does not show everything. */
  isOpen: boolean;
  /** The function that makes it, if it is no variable of the module. It outlives requests only if none of them leads there. */
  keeper?: FunctionNode | undefined;
}

// The owner of `state.users.active` is `state`: such chains are short.
const MAX_MEMBERS = 3;
// Each is looked for in the whole file.
const MOST_FIELDS = 50;
/** Classes that a container creates once. */
const ONE_INSTANCE = /^(?:Injectable|Controller|RestController|JsonController|Service|WebSocketGateway|Resolver|Processor)$/;

/** The owner of a container that a request at `site` adds to; undefined if it is not known to outlive the request. */
export function ownerOf(container: Node, site: Node, facts: Facts): Owner | undefined {
  const node = unwrap(container);
  if (node.type === 'Identifier') {
    const binding = facts.bindings.resolve(node);
    return binding && ownerOfVariable(binding, site, facts);
  }
  if (!isMember(node)) return undefined;
  const name = memberName(node);
  if (name === undefined) return undefined;
  const object = unwrap(node.object);
  if (object.type === 'ThisExpression') return ownerOfField(name, site, facts);
  if (object.type !== 'Identifier') return undefined;
  const binding = facts.bindings.resolve(object);
  return binding && ownerOfProperty(binding, name, site, facts);
}

function ownerOfVariable(binding: Binding, site: Node, facts: Facts): Owner | undefined {
  const { declaration } = binding;
  if (declaration.type !== 'VariableDeclarator' || declaration.id !== binding.identifier || !declaration.init) return undefined;
  if (!outlives(binding, site, facts) || isExported(declaration)) return undefined;
  return { uses: facts.bindings.references(binding), init: unwrap(declaration.init), isOpen: false, keeper: keeperOf(binding) };
}

/** `const state = { users: [] }` */
function ownerOfProperty(binding: Binding, name: string, site: Node, facts: Facts): Owner | undefined {
  const known = facts.remember('properties of objects of the module', () => new Map<Binding, Map<string, Owner | undefined>>());
  let properties = known.get(binding);
  if (!properties) known.set(binding, (properties = new Map()));
  if (!properties.has(name)) properties.set(name, properties.size < MOST_FIELDS ? findProperty(binding, name, facts) : undefined);
  return outlives(binding, site, facts) ? properties.get(name) : undefined;
}

function findProperty(binding: Binding, name: string, facts: Facts): Owner | undefined {
  const { declaration } = binding;
  if (declaration.type !== 'VariableDeclarator' || declaration.id !== binding.identifier || !declaration.init) return undefined;
  const literal = unwrap(declaration.init);
  if (literal.type !== 'ObjectExpression' || isExported(declaration)) return undefined;
  const property = literal.properties.find(
    (one): one is t.ObjectProperty => one.type === 'ObjectProperty' && staticName(one.key, one.computed) === name,
  );
  if (!property) return undefined;
  const uses: Node[] = [];
  for (const reference of facts.bindings.references(binding)) {
    const member = parentOf(reference);
    // Whoever has the whole object may do anything with its properties.
    if (!isMember(member) || member.object !== reference || memberName(member) === undefined) return undefined;
    if (memberName(member) === name) uses.push(member);
  }
  return { uses, init: unwrap(property.value), isOpen: false, keeper: keeperOf(binding) };
}

/** `this.users` in a class of which there is one instance. */
function ownerOfField(name: string, site: Node, facts: Facts): Owner | undefined {
  const owner = classAround(site);
  if (!owner) return undefined;
  const known = facts.remember('fields of classes with one instance', () => new Map<ClassNode, Map<string, Owner | undefined>>());
  let fields = known.get(owner);
  if (!fields) known.set(owner, (fields = new Map()));
  if (!fields.has(name)) fields.set(name, fields.size < MOST_FIELDS && isSingle(owner, facts) ? findField(name, owner, facts) : undefined);
  return fields.get(name);
}

function findField(name: string, owner: ClassNode, facts: Facts): Owner | undefined {
  const field = owner.body.body.find(
    (one): one is t.ClassProperty | t.ClassPrivateProperty =>
      (one.type === 'ClassProperty' || one.type === 'ClassPrivateProperty') && !one.static && keyOf(one) === name,
  );
  const uses: Node[] = [];
  let init: Node | undefined = field?.value ? unwrap(field.value) : undefined;
  // An instance under another name is the same one.
  for (const type of ['MemberExpression', 'OptionalMemberExpression'] as const)
    for (const member of facts.module.nodes(type)) {
      if (memberName(member) !== name) continue;
      const assignment = parentOf(member);
      const isFirst =
        assignment?.type === 'AssignmentExpression' &&
        assignment.left === member &&
        assignment.operator === '=' &&
        isInConstructor(member, owner);
      if (isFirst && !init) init = unwrap(assignment.right);
      else uses.push(member);
    }
  if (!init) return undefined;
  const isPrivate = name.startsWith('#') || name.startsWith('_') || (field?.type === 'ClassProperty' && field.accessibility === 'private');
  return { uses, init, isOpen: !isPrivate };
}

function keyOf(field: t.ClassProperty | t.ClassPrivateProperty): string | undefined {
  return staticName(field.key, field.type === 'ClassProperty' && Boolean(field.computed));
}

function isInConstructor(node: Node, owner: ClassNode): boolean {
  const fn = enclosingFunction(node);
  return fn?.type === 'ClassMethod' && fn.kind === 'constructor' && parentOf(parentOf(fn) ?? fn) === owner;
}

/** Whether there is one instance for the whole process: a container of classes makes it, or the top level of this module does. */
function isSingle(owner: ClassNode, facts: Facts): boolean {
  const decorators = 'decorators' in owner && Array.isArray(owner.decorators) ? (owner.decorators as t.Decorator[]) : [];
  const isManaged = decorators.some(({ expression }) => {
    const call = unwrap(expression);
    if (call.type !== 'CallExpression' || call.callee.type !== 'Identifier' || !ONE_INSTANCE.test(call.callee.name)) return false;
    return !/\b(?:REQUEST|TRANSIENT|scope)\b/.test(facts.source.slice(call));
  });
  if (isManaged) return true;
  const made = facts.module.nodes('NewExpression').filter((one) => facts.holders.classOf(one.callee) === owner);
  return made.length > 0 && made.every((one) => !enclosingFunction(one));
}

/**
 * Whether a variable is still there at the next request: it belongs to the module, or to a function that sets up the handler and is no
 * handler itself.
 */
export function outlives(binding: Binding, site: Node, facts: Facts): boolean {
  const { scope } = binding;
  if (scope.type === 'Program') return true;
  const setUp = keeperOf(binding);
  if (!setUp || !contains(setUp, site) || (scope !== setUp && isInLoop(scope, setUp))) return false;
  if (facts.requestPaths.toFunction(setUp) || enclosingFunction(setUp)) return false;
  for (let fn: FunctionNode | undefined = enclosingFunction(site); fn && fn !== setUp; fn = enclosingFunction(fn)) {
    const registered = fn;
    if (facts.handlersOf(registered).length > 0) return true;
  }
  return false;
}

/** The function that a variable belongs to; undefined for variables of the module. */
export function keeperOf({ scope }: Binding): FunctionNode | undefined {
  return isFunction(scope) ? scope : enclosingFunction(scope);
}

function isInLoop(scope: Node, setUp: Node): boolean {
  for (let at: Node | undefined = scope; at && at !== setUp; at = parentOf(at)) if (/^(?:For|While|DoWhile)/.test(at.type)) return true;
  return false;
}

function isExported(declarator: Node): boolean {
  const declaration = parentOf(declarator);
  return declaration !== undefined && parentOf(declaration)?.type === 'ExportNamedDeclaration';
}

/** The variable at the root of `bus`, `mongoose.connection`, or `app.signalk`; undefined for anything that is computed or called. */
export function rootOf(expression: Node): t.Identifier | undefined {
  let node = unwrap(expression);
  for (let steps = 0; isMember(node) && steps < MAX_MEMBERS; steps++) {
    if (memberName(node) === undefined) return undefined;
    node = unwrap(node.object);
  }
  return node.type === 'Identifier' ? node : undefined;
}
