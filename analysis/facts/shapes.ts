// Which hidden class ("map" in V8, "shape" here) the objects have that an expression makes: their own properties in the order they are
// added.
// What makes two objects share a shape was tried with %HaveSameMap, with the same answers on Node 18, 20, 22, 24 and 26:
// - literals with the same keys in the same order share one, wherever they stand and whatever the values are, methods and getters included;
//   index keys do not matter;
// - another order, a key more, a key given twice, `__proto__` or a property added after creation makes another one;
// - `{ ...a, b }` and `Object.assign({}, a)` do not share the shape of the literal with the same keys;
// - every class and constructor function has shapes of its own, a subclass that adds nothing included.
import {
  isClass,
  isFunction,
  isMember,
  memberName,
  parentOf,
  staticName,
  startOf,
  unwrap,
  type ClassNode,
  type FunctionNode,
  type Node,
  type t,
} from '../module/ast.ts';
import { walkWithin, type ModuleIndex } from '../module/module-index.ts';
import type { Binding, Bindings } from './bindings.ts';
import { unitAround, type Calls } from './calls.ts';
import type { Holders } from './holders.ts';

export interface Shape {
  /** Names of the own properties in the order in which they are added, without index keys. */
  readonly keys: readonly string[];
  /** Whether `keys` has all of them. An incomplete shape still identifies its maker. */
  readonly isComplete: boolean;
  /**
   * `literal`: an object literal alone. `extended`: a literal with spreads, or whose variable gets properties later. `instance`: created
   * with `new`.
   */
  readonly made: 'literal' | 'extended' | 'instance';
  /** The object literal, the class or the constructor function. */
  readonly source: t.ObjectExpression | ClassNode | FunctionNode;
}

export type ShapeComparison = 'same' | 'different' | 'unknown';

/** Whether objects of two shapes have the same V8 map. `unknown` if the source does not show it. */
export function compareShapes(a: Shape, b: Shape): ShapeComparison {
  if (a.made === 'instance' || b.made === 'instance') {
    if (a.source !== b.source) return 'different';
    return a.isComplete && b.isComplete ? 'same' : 'unknown';
  }
  if (a.isComplete && b.isComplete && (a.keys.length !== b.keys.length || a.keys.some((key, i) => key !== b.keys[i]))) return 'different';
  if (a.source === b.source && a.keys.length === b.keys.length) return 'same';
  return a.made === 'literal' && b.made === 'literal' && a.isComplete && b.isComplete ? 'same' : 'unknown';
}

// The longest chain of names, factories, spreads and superclasses to follow.
const MAX_STEPS = 8;
// How many expressions to visit for one lookup. Factories that return each other, and literals that spread each other, have billions of
// paths.
const MAX_VISITS = 1000;

export class Shapes {
  readonly #module: ModuleIndex;
  readonly #returned = new Map<FunctionNode, readonly Node[]>();
  readonly #bindings: Bindings;
  readonly #holders: Holders;
  readonly #calls: Calls;
  readonly #literals = new Map<t.ObjectExpression, Shape>();
  readonly #instances = new Map<ClassNode | FunctionNode, Shape>();
  readonly #changed = new Map<Binding, boolean>();
  /** Expressions visited since the outermost lookup. */
  #visits = 0;

  constructor(module: ModuleIndex, bindings: Bindings, holders: Holders, calls: Calls) {
    this.#module = module;
    this.#bindings = bindings;
    this.#holders = holders;
    this.#calls = calls;
  }

  /** The only shape of the objects that an expression evaluates to; undefined if it is unknown or not unique. */
  shapeOf(expression: Node): Shape | undefined {
    this.#visits = 0;
    return this.#find(expression, 0);
  }

  /** The shape of `new C()`. Properties of a superclass in this file come first. */
  shapeOfInstances(maker: ClassNode | FunctionNode): Shape {
    return this.#ofInstances(maker, 0);
  }

  /** The shape of an object literal, before anything is added to the object. */
  shapeOfLiteral(literal: t.ObjectExpression): Shape {
    this.#visits = 0;
    return this.#ofLiteral(literal, 0);
  }

  /** The class or constructor function of this file that a `new` runs, if there is exactly one. */
  makerOf(call: t.NewExpression): ClassNode | FunctionNode | undefined {
    const callee = unwrap(call.callee);
    if (isClass(callee)) return callee;
    const declaration = callee.type === 'Identifier' ? this.#bindings.resolve(callee)?.declaration : undefined;
    if (declaration && isClass(declaration)) return declaration;
    const classes = [...new Set(this.#holders.of(callee).filter((holder): holder is ClassNode => 'type' in holder && isClass(holder)))];
    if (classes.length > 0) return classes.length === 1 ? classes[0] : undefined;
    const functions = this.#calls.functionsOf(callee);
    const [only] = functions;
    return functions.length === 1 &&
      only &&
      (only.type === 'FunctionDeclaration' || only.type === 'FunctionExpression') &&
      this.returnedValues(only).length === 0
      ? only
      : undefined;
  }

  /** Whether properties are added to or removed from the object in a variable. */
  isChanged(binding: Binding): boolean {
    let isChanged = this.#changed.get(binding);
    if (isChanged === undefined)
      this.#changed.set(binding, (isChanged = this.#bindings.references(binding).some((reference) => changeOf(reference) !== undefined)));
    return isChanged;
  }

  #find(expression: Node, steps: number): Shape | undefined {
    if (steps > MAX_STEPS || ++this.#visits > MAX_VISITS) return undefined;
    const node = unwrap(expression);
    switch (node.type) {
      case 'ObjectExpression':
        return this.#ofLiteral(node, steps);
      case 'NewExpression': {
        const maker = this.makerOf(node);
        return maker && this.#ofInstances(maker, steps);
      }
      case 'Identifier':
        return this.#ofIdentifier(node, steps);
      case 'CallExpression':
        return this.#ofCall(node, steps);
      case 'AwaitExpression': {
        // `await make()` where `make` is an async function of this file.
        const call = unwrap(node.argument);
        return call.type === 'CallExpression' ? this.#ofCall(call, steps, true) : undefined;
      }
      case 'AssignmentExpression':
        return node.operator === '=' ? this.#find(node.right, steps + 1) : undefined;
      default:
        return undefined;
    }
  }

  #ofIdentifier(node: t.Identifier, steps: number): Shape | undefined {
    const binding = this.#bindings.resolve(node);
    const declaration = binding?.declaration;
    if (!binding || declaration?.type !== 'VariableDeclarator' || !declaration.init || declaration.id !== binding.identifier)
      return undefined;
    if (!this.#bindings.isConstant(binding)) return undefined;
    const made = this.#find(declaration.init, steps + 1);
    return made && this.#withAdditions(made, binding, declaration, node);
  }

  /** The shape after `o.b = 1`, `delete o.a` and the like between the declaration and the use. */
  #withAdditions(made: Shape, binding: Binding, declarator: t.VariableDeclarator, use: t.Identifier): Shape {
    const keys = [...made.keys];
    let isComplete = made.isComplete;
    for (const reference of this.#bindings.references(binding)) {
      const change = changeOf(reference);
      if (!change || (change.name !== undefined && made.keys.includes(change.name) && !change.isRemoval)) continue;
      const isStraight = change.name !== undefined && !change.isRemoval && this.#standsBetween(declarator, change.statement, use);
      // After the use in the same straight-line code: irrelevant for the use.
      if (isStraight === 'after') continue;
      if (isStraight !== 'between' || change.name === undefined) isComplete = false;
      else if (!keys.includes(change.name)) keys.push(change.name);
    }
    if (isComplete === made.isComplete && keys.length === made.keys.length) return made;
    return { keys, isComplete, made: made.made === 'instance' ? 'instance' : 'extended', source: made.source };
  }

  /**
   * Where a statement of the declaration's own block is: between declaration and use, after the use, or (false) where it may run or not.
   */
  #standsBetween(declarator: Node, statement: Node, use: Node): 'between' | 'after' | false {
    if (parentOf(statement) !== parentOf(statementAround(declarator)) || statement.type !== 'ExpressionStatement') return false;
    if (startOf(statement) < startOf(use)) return 'between';
    return unitAround(declarator, this.#module.program) === unitAround(use, this.#module.program) ? 'after' : false;
  }

  #ofCall(call: t.CallExpression, steps: number, isAwaited = false): Shape | undefined {
    const callee = unwrap(call.callee);
    if (
      isMember(callee) &&
      callee.object.type === 'Identifier' &&
      callee.object.name === 'Object' &&
      this.#bindings.isGlobal(callee.object)
    ) {
      const first = call.arguments[0];
      // Preventing extensions is a map transition: a new shape with the same keys.
      if (/^(?:freeze|seal|preventExtensions)$/.test(memberName(callee) ?? '') && first) {
        const made = this.#find(first, steps + 1);
        return made && { ...made, made: made.made === 'instance' ? 'instance' : 'extended' };
      }
      return undefined;
    }
    const makers = this.#calls.functionsOf(callee);
    const [maker] = makers;
    if (makers.length !== 1 || !maker || maker.generator || maker.async !== isAwaited) return undefined;
    const shapes = this.returnedValues(maker).map((value) => this.#find(value, steps + 1));
    const [first] = shapes;
    return first && shapes.every((other) => other && compareShapes(first, other) === 'same') ? first : undefined;
  }

  /** What a function returns. Every call of it asks, and the only function of a bundle may be megabytes long. */
  returnedValues(fn: FunctionNode): readonly Node[] {
    let found = this.#returned.get(fn);
    if (!found) this.#returned.set(fn, (found = returnedValues(fn)));
    return found;
  }

  #ofLiteral(literal: t.ObjectExpression, steps: number): Shape {
    const known = this.#literals.get(literal);
    if (known) return known;
    const keys: string[] = [];
    let isComplete = true;
    let made: Shape['made'] = 'literal';
    for (const property of literal.properties) {
      if (property.type === 'SpreadElement') {
        made = 'extended';
        const spread = this.#find(property.argument, steps + 1);
        if (!spread?.isComplete) isComplete = false;
        for (const key of spread?.keys ?? []) if (!keys.includes(key) && !key.startsWith('#')) keys.push(key);
        continue;
      }
      const name = staticName(property.key, property.computed);
      if (name === undefined) isComplete = false;
      else if (name === '__proto__' && property.type === 'ObjectProperty' && !property.computed && !property.shorthand) made = 'extended';
      else if (isIndexKey(name)) continue;
      else if (keys.includes(name) || property.computed) {
        // A getter and its setter are one property. Any other repetition makes a separate shape, and so does `['a']`.
        if (!(property.type === 'ObjectMethod' && property.kind !== 'method')) made = 'extended';
        if (!keys.includes(name)) keys.push(name);
      } else keys.push(name);
    }
    const shape: Shape = { keys, isComplete, made, source: literal };
    this.#literals.set(literal, shape);
    return shape;
  }

  #ofInstances(maker: ClassNode | FunctionNode, steps: number): Shape {
    const known = this.#instances.get(maker);
    if (known) return known;
    const keys: string[] = [];
    let isComplete = steps <= MAX_STEPS;
    if (isClass(maker)) {
      if (maker.superClass && isComplete) {
        const base = this.#holders.classOf(maker.superClass);
        const inherited = base && base !== maker ? this.#ofInstances(base, steps + 1) : undefined;
        if (!inherited?.isComplete) isComplete = false;
        keys.push(...(inherited?.keys ?? []));
      }
      for (const member of maker.body.body) {
        if (member.type !== 'ClassProperty' && member.type !== 'ClassPrivateProperty') continue;
        if (member.static || (member.type === 'ClassProperty' && member.declare)) continue;
        const name = staticName(member.key, member.type === 'ClassProperty' && Boolean(member.computed));
        if (name === undefined) isComplete = false;
        else if (!keys.includes(name) && !isIndexKey(name)) keys.push(name);
      }
      const own = maker.body.body.find((member): member is t.ClassMethod => member.type === 'ClassMethod' && member.kind === 'constructor');
      if (own) {
        for (const param of own.params) {
          if (param.type !== 'TSParameterProperty') continue;
          const name =
            param.parameter.type === 'Identifier'
              ? param.parameter.name
              : param.parameter.left.type === 'Identifier'
                ? param.parameter.left.name
                : undefined;
          if (name !== undefined && !keys.includes(name)) keys.push(name);
        }
        if (!addAssignedKeys(own, keys)) isComplete = false;
      }
    } else if (!addAssignedKeys(maker, keys)) isComplete = false;
    const shape: Shape = { keys, isComplete, made: 'instance', source: maker };
    this.#instances.set(maker, shape);
    return shape;
  }
}

/** The values of a function's `return` statements, in order; empty if it returns nothing. */
export function returnedValues(fn: FunctionNode): Node[] {
  if (fn.body.type !== 'BlockStatement') return [fn.body];
  const values: Node[] = [];
  walkWithin(fn.body, (node) => {
    if (isFunction(node) || isClass(node)) return false;
    if (node.type === 'ReturnStatement' && node.argument) values.push(node.argument);
    return true;
  });
  return values;
}

/** Adds the keys of `this.x = …` in a constructor, in order. Returns false if some may be missing or conditional. */
function addAssignedKeys(maker: FunctionNode, keys: string[]): boolean {
  let isComplete = true;
  walkWithin(maker.body, (node) => {
    if (node !== maker.body && ((isFunction(node) && node.type !== 'ArrowFunctionExpression') || isClass(node))) return false;
    if (node.type === 'AssignmentExpression' && isMember(node.left) && node.left.object.type === 'ThisExpression') {
      const name = memberName(node.left);
      if (name === undefined) isComplete = false;
      else if (!keys.includes(name) && !isIndexKey(name)) {
        keys.push(name);
        if (isConditional(node, maker)) isComplete = false;
      }
    } else if (node.type === 'ThisExpression' && passesThisOn(node)) isComplete = false;
    return true;
  });
  return isComplete;
}

/** `this.init()`, `Object.assign(this, …)`, `Base.call(this)`: something else may add properties. */
function passesThisOn(node: t.ThisExpression): boolean {
  const parent = parentOf(node);
  if (!parent) return false;
  if (isMember(parent) && parent.object === node) {
    const above = parentOf(parent);
    return (above?.type === 'CallExpression' || above?.type === 'OptionalCallExpression') && above.callee === parent;
  }
  return parent.type === 'CallExpression' || parent.type === 'NewExpression';
}

function isConditional(node: Node, fn: FunctionNode): boolean {
  for (let at = parentOf(node); at && at !== fn; at = parentOf(at)) {
    if (isFunction(at)) return true;
    switch (at.type) {
      case 'ExpressionStatement':
      case 'BlockStatement':
      case 'SequenceExpression':
      case 'AssignmentExpression':
        continue;
      default:
        return true;
    }
  }
  return false;
}

interface Change {
  /** The property, if the source shows its name. */
  name: string | undefined;
  isRemoval: boolean;
  statement: Node;
}

/** What a use of a variable does to the shape of the object in it. */
function changeOf(reference: t.Identifier): Change | undefined {
  const member = parentOf(reference);
  if (!member) return undefined;
  if (isMember(member) && member.object === reference) {
    const above = parentOf(member);
    const name = memberName(member);
    if (above?.type === 'AssignmentExpression' && above.left === member)
      return { name, isRemoval: false, statement: statementAround(above) };
    if (above?.type === 'UnaryExpression' && above.operator === 'delete')
      return { name, isRemoval: true, statement: statementAround(above) };
    return undefined;
  }
  if (
    member.type === 'CallExpression' &&
    member.arguments[0] === reference &&
    isMember(member.callee) &&
    member.callee.object.type === 'Identifier'
  ) {
    const owner = member.callee.object.name;
    const method = memberName(member.callee) ?? '';
    if ((owner === 'Object' || owner === 'Reflect') && /^(?:assign|defineProperty|defineProperties|setPrototypeOf)$/.test(method))
      return { name: undefined, isRemoval: false, statement: statementAround(member) };
  }
  return undefined;
}

function statementAround(node: Node): Node {
  let at = node;
  for (
    let up = parentOf(at);
    up && up.type !== 'BlockStatement' && up.type !== 'Program' && up.type !== 'SwitchCase' && !isFunction(up);
    up = parentOf(up)
  )
    at = up;
  return at;
}

/** Array indices are stored in the elements, apart from the shape. */
function isIndexKey(name: string): boolean {
  return /^(?:0|[1-9]\d{0,9})$/.test(name);
}
