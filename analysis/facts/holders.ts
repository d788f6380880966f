// What `x` may be in `x.m`: an object literal, a class, an instance, the exports of the module, a variable that gets properties. Each has
// one key, so that two names of the same thing have the same key.
import {
  isClass,
  isFunction,
  isMember,
  memberName,
  parentOf,
  startOf,
  staticName,
  unwrap,
  type ClassNode,
  type FunctionNode,
  type Node,
  type t,
} from '../module/ast.ts';
import type { ModuleIndex } from '../module/module-index.ts';
import type { Binding, Bindings } from './bindings.ts';

/** Instances of one class or constructor function. */
export interface Instances {
  readonly of: ClassNode | FunctionNode;
}

/**
 * ObjectExpression: that literal. Class: its static side. Program: the exports of the module. Binding: the properties that are assigned to
 * the variable.
 */
export type Holder = t.ObjectExpression | ClassNode | t.Program | Binding | Instances;

const NONE: readonly Holder[] = [];

// An expression that may be more things than this is not resolved. In real code it is one to five.
const MOST = 64;

// The longest chain of aliases and nested objects to follow.
const MAX_STEPS = 12;

export class Holders {
  readonly #module: ModuleIndex;
  readonly #bindings: Bindings;
  readonly #instances = new Map<Node, Instances>();
  readonly #known = new Map<Node, readonly Holder[]>();
  readonly #byHolder = new Map<string, ReadonlyMap<Holder, t.AssignmentExpression[]> | 'being made'>();
  #assignments: Map<string, t.AssignmentExpression[]> | undefined;
  #assigned: Set<string> | undefined;

  constructor(module: ModuleIndex, bindings: Bindings) {
    this.#module = module;
    this.#bindings = bindings;
  }

  /** Everything that an expression may be, as far as the file shows. */
  of(expression: Node): readonly Holder[] {
    return this.#find(expression, 0);
  }

  /** Values assigned to a member of that name (of any name if undefined), on anything that an expression may be. */
  valuesOf(object: Node, name: string | undefined): Node[] {
    return this.#isAssigned(name) ? this.memberValues(this.of(object), name) : [];
  }

  /** Values assigned to a member of that name (of any name if undefined), on any of the holders. */
  memberValues(holders: readonly Holder[], name: string | undefined): Node[] {
    const values: Node[] = [];
    if (holders.length === 0) return values;
    const seen = new Set<Holder>();
    for (const holder of holders) this.#ownValues(holder, name, values, 0, seen);
    const named = this.#memberAssignments();
    if (name === undefined) for (const one of named.keys()) values.push(...this.#assignedTo(holders, one));
    else if (named.has(name)) values.push(...this.#assignedTo(holders, name));
    return values;
  }

  /** Values from assignments to a member of that name, on any of the holders, in source order. */
  #assignedTo(holders: readonly Holder[], name: string): Node[] {
    const byHolder = this.#assignmentsByHolder(name);
    if (byHolder && !holders.some((holder) => byHolder.has(holder))) return [];
    const found = new Set<t.AssignmentExpression>();
    if (byHolder) {
      for (const holder of holders) for (const assignment of byHolder.get(holder) ?? []) found.add(assignment);
      return [...found].sort((a, b) => startOf(a) - startOf(b)).map((assignment) => assignment.right);
    }
    for (const assignment of this.#memberAssignments().get(name) ?? []) {
      if (this.of((assignment.left as t.MemberExpression).object).some((holder) => holders.includes(holder))) found.add(assignment);
    }
    return [...found].map((assignment) => assignment.right);
  }

  /**
   * Assignments to members of a name, by the holder. With this table, a bundle's thousand `x.kind = …` are read once, not for each
   * `y.kind`. Undefined while the table is being built; nested lookups then search by themselves.
   */
  #assignmentsByHolder(name: string): ReadonlyMap<Holder, t.AssignmentExpression[]> | undefined {
    const known = this.#byHolder.get(name);
    if (known) return known === 'being made' ? undefined : known;
    this.#byHolder.set(name, 'being made');
    const byHolder = new Map<Holder, t.AssignmentExpression[]>();
    for (const assignment of this.#memberAssignments().get(name) ?? []) {
      for (const holder of this.of((assignment.left as t.MemberExpression).object)) {
        const list = byHolder.get(holder);
        if (list) list.push(assignment);
        else byHolder.set(holder, [assignment]);
      }
    }
    this.#byHolder.set(name, byHolder);
    return byHolder;
  }

  instancesOf(node: ClassNode | FunctionNode): Instances {
    let found = this.#instances.get(node);
    if (!found) this.#instances.set(node, (found = { of: node }));
    return found;
  }

  /** The class that a superclass expression names, if it is in this file. */
  classOf(expression: Node): ClassNode | undefined {
    return this.of(expression).find((holder): holder is ClassNode => 'type' in holder && isClass(holder));
  }

  /** Caches every step: without the cache, a bundle's chains of aliases take exponential time. */
  #find(expression: Node, steps: number): readonly Holder[] {
    const known = this.#known.get(expression);
    if (known) return known;
    if (steps > MAX_STEPS) return NONE;
    // A cycle (`a = b; b = a`) contributes nothing.
    this.#known.set(expression, NONE);
    const found = eachOnce(this.#look(unwrap(expression), steps), MOST);
    this.#known.set(expression, found);
    return found;
  }

  #look(node: Node, steps: number): readonly Holder[] {
    switch (node.type) {
      case 'ObjectExpression':
        return [node];
      case 'ClassExpression':
      case 'ClassDeclaration':
        return [node];
      case 'ThisExpression':
        return this.#ofThis(node);
      case 'Super':
        return this.#ofSuper(node);
      case 'Identifier':
        return this.#ofIdentifier(node, steps);
      case 'MemberExpression':
      case 'OptionalMemberExpression':
        return this.#ofMember(node, steps);
      case 'NewExpression':
        return this.#constructed(node.callee, steps);
      case 'AssignmentExpression':
        return [
          ...this.#find(node.right, steps + 1),
          ...(node.left.type === 'Identifier' || isMember(node.left) ? this.#find(node.left, steps + 1) : []),
        ];
      case 'AwaitExpression':
        return this.#find(node.argument, steps + 1);
      case 'LogicalExpression':
        return [...this.#find(node.left, steps + 1), ...this.#find(node.right, steps + 1)];
      case 'ConditionalExpression':
        return [...this.#find(node.consequent, steps + 1), ...this.#find(node.alternate, steps + 1)];
      case 'CallExpression':
        return this.#ofCall(node, steps);
      default:
        return NONE;
    }
  }

  #ofIdentifier(node: t.Identifier, steps: number): readonly Holder[] {
    const binding = this.#bindings.resolve(node);
    if (!binding) return node.name === 'exports' ? [this.#module.program] : [];
    const { declaration } = binding;
    if (isClass(declaration)) return [declaration, binding];
    if (declaration.type !== 'VariableDeclarator') return [binding];
    const values: Node[] = [];
    if (declaration.init && declaration.id === binding.identifier) values.push(declaration.init);
    for (const value of binding.kind === 'const' ? [] : this.#bindings.assignedValues(binding)) if (value) values.push(value);
    return values.length === 0 ? [binding] : [binding, ...values.flatMap((value) => this.#find(value, steps + 1))];
  }

  #ofMember(node: t.MemberExpression | t.OptionalMemberExpression, steps: number): readonly Holder[] {
    const name = memberName(node);
    const object = unwrap(node.object);
    if (object.type === 'Identifier' && object.name === 'module' && name === 'exports' && this.#bindings.isGlobal(object)) {
      return [this.#module.program, ...this.#exportedValues().flatMap((value) => this.#find(value, steps + 1))];
    }
    if (name === 'prototype') return this.#constructed(object, steps);
    if (!this.#isAssigned(name)) return NONE;
    const holders = this.#find(object, steps + 1);
    return holders.length === 0 ? NONE : this.memberValues(holders, name).flatMap((value) => this.#find(value, steps + 1));
  }

  /** Instances of the class or function that `callee` constructs. */
  #constructed(callee: Node, steps: number): Holder[] {
    const node = unwrap(callee);
    const made: Holder[] = [];
    if (node.type === 'Identifier') {
      const declaration = this.#bindings.resolve(node)?.declaration;
      if (declaration && isFunction(declaration) && declaration.type === 'FunctionDeclaration') made.push(this.instancesOf(declaration));
      if (declaration?.type === 'VariableDeclarator' && declaration.init && isFunction(unwrap(declaration.init)))
        made.push(this.instancesOf(unwrap(declaration.init) as FunctionNode));
    }
    for (const holder of this.#find(node, steps + 1)) if ('type' in holder && isClass(holder)) made.push(this.instancesOf(holder));
    return made;
  }

  #ofCall(node: t.CallExpression, steps: number): readonly Holder[] {
    const callee = unwrap(node.callee);
    if (!isMember(callee) || callee.object.type !== 'Identifier' || callee.object.name !== 'Object') return [];
    const name = memberName(callee);
    if (name === 'freeze' || name === 'seal' || name === 'assign')
      return node.arguments.flatMap((argument) => this.#find(argument, steps + 1));
    return [];
  }

  #ofThis(node: t.ThisExpression): readonly Holder[] {
    let from: Node = node;
    for (let at = parentOf(node); at; from = at, at = parentOf(at)) {
      if (
        at.type === 'ClassMethod' ||
        at.type === 'ClassPrivateMethod' ||
        at.type === 'ClassProperty' ||
        at.type === 'ClassPrivateProperty' ||
        at.type === 'StaticBlock'
      ) {
        const owner = parentOf(parentOf(at) ?? at);
        if (!isClass(owner)) return [];
        return at.type === 'StaticBlock' || at.static ? [owner] : [this.instancesOf(owner)];
      }
      if (at.type === 'ObjectMethod') return holderOfParent(at);
      if (at.type === 'FunctionExpression' || at.type === 'FunctionDeclaration') return this.#thisOfFunction(at);
      if (at.type === 'ClassBody') return [];
    }
    return from === this.#module.program ? [this.#module.program] : [];
  }

  #thisOfFunction(fn: t.FunctionExpression | t.FunctionDeclaration): Holder[] {
    const holders: Holder[] = [this.instancesOf(fn)];
    const parent = parentOf(fn);
    if (parent?.type === 'ObjectProperty') holders.push(...holderOfParent(parent));
    // `Users.prototype.find = function () { this.load() }` and `controller.show = function () { this.load() }`
    if (parent?.type === 'AssignmentExpression' && parent.right === fn && isMember(parent.left))
      holders.push(...this.of(parent.left.object));
    return holders;
  }

  #ofSuper(node: Node): readonly Holder[] {
    for (let at = parentOf(node); at; at = parentOf(at)) {
      if (!isClass(at)) continue;
      const base = at.superClass ? this.classOf(at.superClass) : undefined;
      return base ? [base, this.instancesOf(base)] : [];
    }
    return [];
  }

  /** `seen`: literals that spread each other have billions of paths. */
  #ownValues(holder: Holder, name: string | undefined, values: Node[], depth: number, seen: Set<Holder>): void {
    if (depth > MAX_STEPS || seen.has(holder)) return;
    seen.add(holder);
    if ('of' in holder) {
      if (!isClass(holder.of)) return;
      this.#classValues(holder.of, false, name, values, depth);
    } else if ('type' in holder) {
      if (isClass(holder)) this.#classValues(holder, true, name, values, depth);
      else if (holder.type === 'ObjectExpression') this.#literalValues(holder, name, values, depth, seen);
      else
        for (const value of this.#exportedValues())
          for (const inner of this.of(value)) this.#ownValues(inner, name, values, depth + 1, seen);
    }
  }

  #classValues(node: ClassNode, isStatic: boolean, name: string | undefined, values: Node[], depth: number): void {
    const before = values.length;
    for (const member of node.body.body) {
      if (member.type === 'StaticBlock' || member.type === 'TSIndexSignature' || member.type === 'TSDeclareMethod') continue;
      if (Boolean(member.static) !== isStatic) continue;
      const key = staticName(member.key, 'computed' in member && Boolean(member.computed));
      if (name !== undefined && key !== name) continue;
      if (member.type === 'ClassMethod' || member.type === 'ClassPrivateMethod') values.push(member);
      else if (member.value) values.push(member.value);
    }
    // A class's own member hides that of the superclass. Classes may extend each other.
    if (depth <= MAX_STEPS && (name === undefined || values.length === before) && node.superClass) {
      const base = this.classOf(node.superClass);
      if (base && base !== node) this.#classValues(base, isStatic, name, values, depth + 1);
    }
  }

  #literalValues(node: t.ObjectExpression, name: string | undefined, values: Node[], depth: number, seen: Set<Holder>): void {
    for (const property of node.properties) {
      if (property.type === 'SpreadElement') {
        for (const inner of this.of(property.argument)) this.#ownValues(inner, name, values, depth + 1, seen);
        continue;
      }
      if (name !== undefined && staticName(property.key, property.computed) !== name) continue;
      values.push(property.type === 'ObjectMethod' ? property : property.value);
    }
  }

  /** Right-hand sides of `module.exports = …` and `exports = module.exports = …`. */
  #exportedValues(): Node[] {
    return (this.#memberAssignments().get('exports') ?? [])
      .filter((assignment) => {
        const { object } = assignment.left as t.MemberExpression;
        return object.type === 'Identifier' && object.name === 'module' && this.#bindings.isGlobal(object);
      })
      .map((assignment) => assignment.right);
  }

  /** Whether the file assigns a member of that name. Most names that are read (`push`, `length`) belong to objects from elsewhere. */
  #isAssigned(name: string | undefined): boolean {
    if (name === undefined) return true;
    if (!this.#assigned) {
      this.#assigned = new Set(this.#memberAssignments().keys());
      for (const type of [
        'ObjectProperty',
        'ObjectMethod',
        'ClassMethod',
        'ClassPrivateMethod',
        'ClassProperty',
        'ClassPrivateProperty',
        'ClassAccessorProperty',
      ] as const) {
        for (const member of this.#module.nodes(type)) {
          const assigned = staticName(member.key, 'computed' in member && Boolean(member.computed));
          if (assigned !== undefined) this.#assigned.add(assigned);
        }
      }
    }
    return this.#assigned.has(name);
  }

  #memberAssignments(): Map<string, t.AssignmentExpression[]> {
    if (this.#assignments) return this.#assignments;
    const byName = new Map<string, t.AssignmentExpression[]>();
    for (const assignment of this.#module.nodes('AssignmentExpression')) {
      if (assignment.operator !== '=' || !isMember(assignment.left)) continue;
      const name = memberName(assignment.left);
      if (name === undefined) continue;
      const list = byName.get(name);
      if (list) list.push(assignment);
      else byName.set(name, [assignment]);
    }
    return (this.#assignments = byName);
  }
}

/** The list without duplicates, cut off at a length. Nearly all lists have one entry or none. */
export function eachOnce<T>(list: readonly T[], most: number): readonly T[] {
  return list.length < 2 ? list : [...new Set(list)].slice(0, most);
}

function holderOfParent(member: Node): Holder[] {
  const parent = parentOf(member);
  return parent?.type === 'ObjectExpression' ? [parent] : [];
}
