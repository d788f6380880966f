// Where a value comes from: which export of which module, or which global. By binding, never by name: `readFileSync(p)` is Node's only if
// its declaration leads to `fs`.
import {
  isClass,
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
} from '../module/ast.ts';
import type { ModuleIndex } from '../module/module-index.ts';
import { writeOf, type Binding, type Bindings } from './bindings.ts';

export interface Origin {
  root: 'module' | 'global';
  /** Module specifier without `node:`, or the name of the global. `fs/promises` is module `fs` with path `['promises']`. */
  name: string;
  /** Property names from the root, without `default`: `require('fs').promises.readFile` is `['promises', 'readFile']`. */
  path: readonly string[];
}

// The longest chain of declarations to follow. Real code needs three or four.
const MAX_STEPS = 24;

// Core modules that also export globals.
const MODULES_OF_GLOBALS: ReadonlySet<string> = new Set(['timers', 'buffer', 'console', 'url', 'util', 'worker_threads', 'perf_hooks']);

// Calls that return their first argument, or something with the same members.
const TRANSPARENT_CALLS: ReadonlySet<string> = new Set([
  '_interopRequireDefault',
  '_interopRequireWildcard',
  '__importDefault',
  '__importStar',
  '__toESM',
  'promisifyAll',
  'gracefulify',
]);

export class Origins {
  readonly #module: ModuleIndex;
  readonly #bindings: Bindings;
  readonly #known = new Map<Node, Origin | undefined>();
  readonly #ofBindings = new Map<Binding, Origin | undefined>();
  readonly #bindingsInProgress = new Set<Binding>();
  /** How often a chain was cut off because of a cycle or its length. */
  #cuts = 0;

  readonly #properties = new Map<t.ObjectExpression, Map<string, Node>>();
  #assignedToThis: ReadonlyMap<Node, ReadonlyMap<string, readonly Node[]>> | undefined;

  constructor(module: ModuleIndex, bindings: Bindings) {
    this.#module = module;
    this.#bindings = bindings;
  }

  /** What an expression refers to; undefined if that is local or unknown. */
  of(expression: Node): Origin | undefined {
    if (this.#known.has(expression)) return this.#known.get(expression);
    // A cycle (`a = b; b = a`) finds this entry and gets no answer.
    this.#known.set(expression, undefined);
    const found = this.#find(expression, 0);
    this.#known.set(expression, found);
    return found;
  }

  /** `fs.readFileSync` for `readFileSync` imported from `node:fs`; undefined for anything that does not come from a module. */
  moduleMember(expression: Node): { module: string; path: readonly string[] } | undefined {
    const origin = this.of(expression);
    return origin?.root === 'module' ? { module: origin.name, path: origin.path } : undefined;
  }

  /**
   * Whether an expression is the global of that dotted name, e.g. `process.nextTick`, also when imported from the core module that exports
   * it.
   */
  isGlobal(expression: Node, dotted: string): boolean {
    const origin = this.of(expression);
    if (!origin) return false;
    const full = [origin.name, ...origin.path].join('.');
    if (full === dotted) return origin.root === 'global' || origin.name === 'process';
    return origin.root === 'module' && MODULES_OF_GLOBALS.has(origin.name) && origin.path.join('.') === dotted;
  }

  #find(expression: Node, steps: number): Origin | undefined {
    if (steps > MAX_STEPS) {
      this.#cuts++;
      return undefined;
    }
    const node = unwrap(expression);
    switch (node.type) {
      case 'Identifier':
        return this.#ofIdentifier(node, steps);
      case 'MemberExpression':
      case 'OptionalMemberExpression':
        return this.#ofMember(node, steps);
      case 'CallExpression':
      case 'OptionalCallExpression':
        return this.#ofCall(node, steps);
      case 'NewExpression':
        return undefined;
      case 'AwaitExpression':
        return this.#find(node.argument, steps + 1);
      case 'ImportExpression':
        return fromSpecifier(node.source);
      case 'AssignmentExpression':
        return node.operator === '=' ? this.#find(node.right, steps + 1) : undefined;
      case 'LogicalExpression':
        // `deps.fs || require('fs')`: a default. The other value is unknown, so the answer holds only if both agree.
        return node.operator === '&&' ? this.#find(node.right, steps + 1) : undefined;
      default:
        return undefined;
    }
  }

  #ofIdentifier(node: t.Identifier, steps: number): Origin | undefined {
    const binding = this.#bindings.resolve(node);
    if (!binding) return node.name === 'undefined' ? undefined : normalize({ root: 'global', name: node.name, path: [] });
    return this.ofBinding(binding, steps + 1);
  }

  ofBinding(binding: Binding, steps = 0): Origin | undefined {
    if (this.#ofBindings.has(binding)) return this.#ofBindings.get(binding);
    if (this.#bindingsInProgress.has(binding)) {
      this.#cuts++;
      return undefined;
    }
    const cuts = this.#cuts;
    this.#bindingsInProgress.add(binding);
    const found = this.#findBinding(binding, steps);
    this.#bindingsInProgress.delete(binding);
    // An answer found in a cycle holds only for the lookup that started it.
    if (this.#cuts === cuts || this.#bindingsInProgress.size === 0) this.#ofBindings.set(binding, found);
    return found;
  }

  #findBinding(binding: Binding, steps: number): Origin | undefined {
    const { declaration } = binding;
    switch (declaration.type) {
      case 'ImportDefaultSpecifier':
      case 'ImportNamespaceSpecifier':
      case 'ImportSpecifier': {
        const statement = parentOf(declaration) as t.ImportDeclaration;
        const path =
          declaration.type === 'ImportSpecifier'
            ? [declaration.imported.type === 'Identifier' ? declaration.imported.name : declaration.imported.value]
            : [];
        return normalize({ root: 'module', name: statement.source.value, path });
      }
      case 'TSImportEqualsDeclaration':
        if (declaration.moduleReference.type === 'TSExternalModuleReference') return fromSpecifier(declaration.moduleReference.expression);
        return undefined;
      case 'VariableDeclarator':
        return this.#ofVariable(binding, declaration, steps);
      default:
        return undefined;
    }
  }

  #ofVariable(binding: Binding, declarator: t.VariableDeclarator, steps: number): Origin | undefined {
    let agreed: Origin | undefined;
    for (const value of this.#valuesOf(binding, declarator, steps)) {
      // One that is unknown settles it. Going on would follow every path of variables that are assigned to each other.
      if (!value || (agreed && !sameOrigin(agreed, value))) return undefined;
      agreed = value;
    }
    return agreed;
  }

  /** What the declaration and each later assignment give a variable, found one at a time. */
  *#valuesOf(binding: Binding, declarator: t.VariableDeclarator, steps: number): Generator<Origin | undefined> {
    let hasValue = false;
    if (declarator.init) {
      hasValue = true;
      const base = this.#find(declarator.init, steps + 1);
      yield declarator.id === binding.identifier ? base : this.#throughPattern(declarator.id, binding.identifier, base);
    }
    if (binding.kind === 'const') return;
    for (const identifier of this.#bindings.references(binding)) {
      const write = writeOf(identifier);
      if (!write) continue;
      // `try { bcrypt = require('bcrypt') } catch { bcrypt = require('bcryptjs') }`: the second module replaces the first.
      if (isFallback(write.node) && hasValue) continue;
      if (write.value && isEmptyValue(write.value)) continue;
      hasValue = true;
      if (write.value) yield this.#find(write.value, steps + 1);
      else if (write.node.type === 'AssignmentExpression' && write.node.left.type === 'ObjectPattern') {
        // `({ readFileSync } = require('fs'))`
        yield this.#throughPattern(write.node.left, identifier, this.#find(write.node.right, steps + 1));
      } else yield undefined;
    }
  }

  /** Follows a destructuring pattern, from the value on its right to the identifier that it assigns. */
  #throughPattern(pattern: Node, target: t.Identifier, base: Origin | undefined): Origin | undefined {
    if (!base) return undefined;
    if (pattern === target) return base;
    if (pattern.type === 'AssignmentPattern') return this.#throughPattern(pattern.left, target, base);
    if (pattern.type !== 'ObjectPattern') return undefined;
    for (const property of pattern.properties) {
      if (property.type === 'RestElement') {
        // The rest of a module is still that module, without the names already taken.
        if (property.argument === target) return base;
        continue;
      }
      const name = staticName(property.key, property.computed);
      if (name === undefined) continue;
      const found = this.#throughPattern(property.value, target, extend(base, name));
      if (found) return found;
    }
    return undefined;
  }

  #ofMember(node: t.MemberExpression | t.OptionalMemberExpression, steps: number): Origin | undefined {
    const name = memberName(node) ?? this.#constantString(node.property);
    if (name === undefined) return undefined;
    const object = unwrap(node.object);
    if (object.type === 'ThisExpression') return this.#ofThisMember(node, name, steps);
    const base = this.#find(object, steps + 1);
    if (base) return extend(base, name);
    // `const io = { read: fs.readFileSync }; io.read(p)`
    const literal = this.#objectLiteral(object);
    if (!literal) return undefined;
    const value = this.#propertiesOf(literal).get(name);
    return value && this.#find(value, steps + 1);
  }

  /** Values by name. A bundle's message table has thousands, and is read as often. */
  #propertiesOf(literal: t.ObjectExpression): ReadonlyMap<string, Node> {
    let values = this.#properties.get(literal);
    if (values) return values;
    values = new Map();
    for (const property of literal.properties) {
      const name = property.type === 'ObjectProperty' ? staticName(property.key, property.computed) : undefined;
      if (property.type === 'ObjectProperty' && name !== undefined && !values.has(name)) values.set(name, property.value);
    }
    this.#properties.set(literal, values);
    return values;
  }

  /** `this.fs.readFileSync` if the class sets `this.fs = fs` once, or declares `fs = fs`. */
  #ofThisMember(node: Node, name: string, steps: number): Origin | undefined {
    const owner = classAround(node);
    if (!owner) return undefined;
    const values: Node[] = [];
    for (const member of owner.body.body) {
      if (member.type === 'ClassProperty' && staticName(member.key, member.computed) === name && member.value) values.push(member.value);
      if (
        (member.type === 'ClassMethod' || member.type === 'ClassPrivateMethod') &&
        staticName(member.key, member.type === 'ClassMethod' && member.computed) === name
      )
        return undefined;
    }
    values.push(...(this.#thisAssignments().get(owner)?.get(name) ?? []));
    return values.length === 1 && values[0] ? this.#find(values[0], steps + 1) : undefined;
  }

  /** The values of `this.x = value`, by class and name. */
  #thisAssignments(): ReadonlyMap<Node, ReadonlyMap<string, readonly Node[]>> {
    if (this.#assignedToThis) return this.#assignedToThis;
    const byClass = new Map<Node, Map<string, Node[]>>();
    for (const { left, right } of this.#module.nodes('AssignmentExpression')) {
      if (left.type !== 'MemberExpression' || left.object.type !== 'ThisExpression') continue;
      const name = memberName(left);
      const owner = name === undefined ? undefined : classAround(left);
      if (name === undefined || !owner) continue;
      let byName = byClass.get(owner);
      if (!byName) byClass.set(owner, (byName = new Map()));
      const values = byName.get(name);
      if (values) values.push(right);
      else byName.set(name, [right]);
    }
    return (this.#assignedToThis = byClass);
  }

  #ofCall(node: t.CallExpression | t.OptionalCallExpression, steps: number): Origin | undefined {
    const callee = unwrap(node.callee);
    const first = node.arguments[0];
    if (callee.type === 'Import') return first ? fromSpecifier(first) : undefined;
    if (callee.type === 'Identifier') {
      if (!first) return undefined;
      if (TRANSPARENT_CALLS.has(callee.name)) return this.#find(first, steps + 1);
      const isRequire = (callee.name === 'require' && this.#bindings.isGlobal(callee)) || this.#isCreatedRequire(callee, steps);
      return isRequire ? fromSpecifier(first) : undefined;
    }
    if (!isMember(callee)) return undefined;
    const method = memberName(callee);
    if (method === 'bind') return this.#find(callee.object, steps + 1);
    if (method && TRANSPARENT_CALLS.has(method) && first) return this.#find(first, steps + 1);
    if (first && method === 'getBuiltinModule' && this.#find(callee.object, steps + 1)?.name === 'process') return fromSpecifier(first);
    if (first && method === 'require' && callee.object.type === 'Identifier') {
      const { name } = callee.object;
      // Meteor loads the modules of Node and npm with its global `Npm.require`.
      if (name === 'module' || (name === 'Npm' && this.#bindings.isGlobal(callee.object))) return fromSpecifier(first);
    }
    return undefined;
  }

  /** `const require = createRequire(import.meta.url)` */
  #isCreatedRequire(callee: t.Identifier, steps: number): boolean {
    const binding = this.#bindings.resolve(callee);
    const declaration = binding?.declaration;
    if (!binding || declaration?.type !== 'VariableDeclarator' || declaration.init?.type !== 'CallExpression') return false;
    // `const require = require('express')()`: what makes it is itself.
    if (this.#bindingsInProgress.has(binding)) {
      this.#cuts++;
      return false;
    }
    this.#bindingsInProgress.add(binding);
    const maker = this.#find(declaration.init.callee, steps + 1);
    this.#bindingsInProgress.delete(binding);
    return maker?.root === 'module' && maker.name === 'module' && maker.path[0] === 'createRequire';
  }

  /** The string of a `const` that is used as a key: `const READ = 'readFileSync'; fs[READ](p)`. */
  #constantString(key: Node): string | undefined {
    const node = unwrap(key);
    if (node.type !== 'Identifier') return undefined;
    const binding = this.#bindings.resolve(node);
    if (binding?.declaration.type !== 'VariableDeclarator' || binding.declaration.id !== binding.identifier || !binding.declaration.init)
      return undefined;
    return this.#bindings.isConstant(binding) ? staticName(binding.declaration.init, true) : undefined;
  }

  #objectLiteral(node: Node): t.ObjectExpression | undefined {
    if (node.type === 'ObjectExpression') return node;
    if (node.type !== 'Identifier') return undefined;
    const binding = this.#bindings.resolve(node);
    if (binding?.declaration.type !== 'VariableDeclarator' || binding.declaration.id !== binding.identifier || !binding.declaration.init)
      return undefined;
    const init = unwrap(binding.declaration.init);
    return init.type === 'ObjectExpression' && this.#bindings.isConstant(binding) ? init : undefined;
  }
}

/** Whether a write loads another module in a `catch`, because the first one is not installed. */
function isFallback(write: Node): boolean {
  if (write.type !== 'AssignmentExpression' || unwrap(write.right).type !== 'CallExpression') return false;
  const { callee } = unwrap(write.right) as t.CallExpression;
  if (callee.type !== 'Identifier' || callee.name !== 'require') return false;
  for (let at = parentOf(write); at && !isFunction(at); at = parentOf(at)) if (at.type === 'CatchClause') return true;
  return false;
}

/** The class that `this` at a node belongs to, if any. */
export function classAround(node: Node): ClassNode | undefined {
  for (let at = parentOf(node); at; at = parentOf(at)) {
    if (isClass(at)) return at;
    // A plain function or an object's method has its own `this`.
    if (isFunction(at) && isOwnThis(at)) return undefined;
  }
  return undefined;
}

function isOwnThis(fn: FunctionNode): boolean {
  return fn.type === 'FunctionDeclaration' || fn.type === 'FunctionExpression' || fn.type === 'ObjectMethod';
}

function fromSpecifier(node: Node): Origin | undefined {
  const name = staticName(unwrap(node), true);
  return name === undefined ? undefined : normalize({ root: 'module', name, path: [] });
}

function extend(base: Origin, name: string): Origin {
  // Interop wrappers put CommonJS modules under `default`. No core module has such a member.
  if (name === 'default') return base;
  return normalize({ ...base, path: [...base.path, name] });
}

function normalize(origin: Origin): Origin {
  if (origin.root === 'global') {
    if ((origin.name === 'globalThis' || origin.name === 'global') && origin.path[0] !== undefined)
      return { root: 'global', name: origin.path[0], path: origin.path.slice(1) };
    return origin;
  }
  const name = origin.name.replace(/^node:/, '');
  const path = origin.path[0] === 'default' ? origin.path.slice(1) : origin.path;
  const parts = /^(fs|dns|timers|stream|readline|path|util)\/(promises|posix|win32)$/.exec(name);
  if (parts?.[1] && parts[2]) return { root: 'module', name: parts[1], path: [parts[2], ...path] };
  return { root: 'module', name, path };
}

function sameOrigin(a: Origin, b: Origin): boolean {
  return a.root === b.root && a.name === b.name && a.path.join('.') === b.path.join('.');
}

/** Values that only mark a variable as not set yet. */
function isEmptyValue(node: Node): boolean {
  return (
    node.type === 'NullLiteral' ||
    (node.type === 'Identifier' && node.name === 'undefined') ||
    (node.type === 'UnaryExpression' && node.operator === 'void')
  );
}
