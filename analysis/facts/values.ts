// The type of an expression's value, as far as the file shows. If there are two possible types, both are listed. Anything unknown is listed
// as `unknown`, so that callers can tell "only strings" from "strings and something unknown".
import { isClass, isFunction, isMember, memberName, parentOf, unwrap, type Node, type t } from '../module/ast.ts';
import type { Binding, Bindings } from './bindings.ts';
import type { CallArguments } from './call-arguments.ts';
import type { Calls } from './calls.ts';
import type { Holders } from './holders.ts';
import type { Shapes } from './shapes.ts';
import {
  ARRAY_METHODS,
  BUILTIN_CLASSES,
  distinct,
  RETURNING_ELEMENT,
  GLOBAL_CALLS,
  passedElementsOf,
  isAccumulation,
  isNumeric,
  isSameType,
  KEEPING_ELEMENTS,
  primitiveOf,
  startOfReduction,
  STRING_METHODS,
  METHODS_OF_ONE_RESULT,
  typeOfBinary,
  typeOfUnary,
  UNKNOWN,
  type MethodResult,
  type TypedValue,
  type ValueType,
} from './value-types.ts';

// The longest chain of names, calls and parameters to follow.
const MAX_STEPS = 10;
// How many expressions to visit for one lookup. Generated code could need millions.
const MAX_VISITS = 1000;
// Integers of this size and above are stored as doubles (V8 on 64-bit Node: small integers have 32 bits).
const SMALL_INTEGER_LIMIT = 2 ** 31;

export class Values {
  readonly #bindings: Bindings;
  readonly #holders: Holders;
  readonly #calls: Calls;
  readonly #shapes: Shapes;
  readonly #callArguments: CallArguments;
  readonly #known = new Map<Node, readonly TypedValue[]>();
  /** Expressions being evaluated, with their depth. */
  readonly #inProgress = new Map<Node, number>();
  /**
   * The depth of the outermost expression in progress that the current one refers back to. Results are incomplete until that one is done.
   */
  #cameBackTo = Infinity;
  /** Variables whose elements are being collected. */
  readonly #listsInProgress = new Set<Binding>();
  /** Expressions visited since the outermost lookup. */
  #visits = 0;

  constructor(bindings: Bindings, holders: Holders, calls: Calls, shapes: Shapes, callArguments: CallArguments) {
    this.#callArguments = callArguments;
    this.#bindings = bindings;
    this.#holders = holders;
    this.#calls = calls;
    this.#shapes = shapes;
  }

  /** The only type that an expression has, or unknown. */
  valueOf(expression: Node): ValueType {
    const [first, ...rest] = this.valuesOf(expression);
    return first && rest.every((other) => isSameType(first.type, other.type)) ? first.type : UNKNOWN;
  }

  /** Every value that an expression may have, one for each type, with `unknown` if there may be others. Never empty. */
  valuesOf(expression: Node): readonly TypedValue[] {
    this.#visits = 0;
    return known(this.#of(expression, 0), expression);
  }

  /** Every value that the elements of an array may have: those of its literal, and those pushed or assigned through its variable. */
  elementsOf(expression: Node): readonly TypedValue[] {
    this.#visits = 0;
    return known(distinct(this.#elements(expression, 0), expression), expression);
  }

  #of(expression: Node, steps: number): readonly TypedValue[] {
    const node = unwrap(expression);
    const before = this.#known.get(node);
    if (before) return before;
    const depth = this.#inProgress.get(node);
    if (depth !== undefined) {
      // A variable that depends on itself (`i = i + 1`) adds nothing to its other values.
      this.#cameBackTo = Math.min(this.#cameBackTo, depth);
      return [];
    }
    if (steps > MAX_STEPS || ++this.#visits > MAX_VISITS) return [{ type: UNKNOWN, at: node }];
    const own = this.#inProgress.size;
    const outer = this.#cameBackTo;
    this.#cameBackTo = Infinity;
    this.#inProgress.set(node, own);
    const found = distinct(this.#find(node, steps), node);
    this.#inProgress.delete(node);
    if (this.#cameBackTo >= own) this.#known.set(node, found);
    this.#cameBackTo = Math.min(outer, this.#cameBackTo < own ? this.#cameBackTo : Infinity);
    return found;
  }

  #find(node: Node, steps: number): readonly TypedValue[] {
    const one = (type: ValueType): TypedValue[] => [{ type, at: node }];
    switch (node.type) {
      case 'NumericLiteral':
        return one({ kind: Number.isInteger(node.value) && node.value < SMALL_INTEGER_LIMIT ? 'int' : 'double' });
      case 'StringLiteral':
      case 'TemplateLiteral':
        return one({ kind: 'string' });
      case 'BooleanLiteral':
        return one({ kind: 'boolean' });
      case 'BigIntLiteral':
        return one({ kind: 'bigint' });
      case 'NullLiteral':
        return one({ kind: 'null' });
      case 'RegExpLiteral':
        return one({ kind: 'builtin', name: 'RegExp' });
      case 'ArrayExpression':
        return one({ kind: 'array' });
      case 'ObjectExpression':
        return one({ kind: 'object', shape: this.#shapes.shapeOfLiteral(node) });
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
      case 'ClassExpression':
        return one({ kind: 'function', target: node });
      case 'NewExpression':
        return this.#ofNew(node, steps);
      case 'UnaryExpression':
        return one(typeOfUnary(node.operator, this.#single(node.argument, steps + 1)));
      case 'UpdateExpression':
        return one(this.#single(node.argument, steps + 1).kind === 'bigint' ? { kind: 'bigint' } : { kind: 'number' });
      case 'BinaryExpression':
        return one(typeOfBinary(node.operator, this.#single(node.left, steps + 1), this.#single(node.right, steps + 1)));
      case 'AssignmentExpression':
        return node.operator === '=' ? this.#of(node.right, steps + 1) : this.#ofCompound(node, steps);
      case 'LogicalExpression':
        return node.operator === '&&'
          ? [...this.#of(node.right, steps + 1), ...one(UNKNOWN)]
          : [...this.#of(node.left, steps + 1), ...this.#of(node.right, steps + 1)];
      case 'ConditionalExpression':
        return [...this.#of(node.consequent, steps + 1), ...this.#of(node.alternate, steps + 1)];
      case 'Identifier':
        return this.#ofIdentifier(node, steps);
      case 'MemberExpression':
      case 'OptionalMemberExpression':
        return this.#ofMember(node, steps);
      case 'CallExpression':
      case 'OptionalCallExpression':
        return this.#ofCall(node, steps, false);
      case 'AwaitExpression': {
        const inner = unwrap(node.argument);
        return inner.type === 'CallExpression' ? this.#ofCall(inner, steps, true) : one(UNKNOWN);
      }
      default:
        return one(UNKNOWN);
    }
  }

  #single(expression: Node, steps: number): ValueType {
    const [first, ...rest] = this.#of(expression, steps);
    if (!first) return UNKNOWN;
    if (rest.length > 0 && [first, ...rest].every(({ type }) => isNumeric(type))) return { kind: 'number' };
    return rest.length === 0 ? first.type : UNKNOWN;
  }

  #ofNew(node: t.NewExpression, steps: number): TypedValue[] {
    const callee = unwrap(node.callee);
    if (callee.type === 'Identifier' && this.#bindings.isGlobal(callee)) {
      if (callee.name === 'Array') return [{ type: { kind: 'array' }, at: node }];
      return [{ type: BUILTIN_CLASSES.has(callee.name) ? { kind: 'builtin', name: callee.name } : UNKNOWN, at: node }];
    }
    const maker = this.#shapes.makerOf(node);
    if (maker) return [{ type: { kind: 'object', shape: this.#shapes.shapeOfInstances(maker) }, at: node }];
    // `new kinds[i % 5](i)`, `new (isRound ? Circle : Square)()`
    return this.#of(callee, steps + 1).map(({ type }) => ({
      type:
        type.kind === 'function' && isClass(type.target) ? { kind: 'object', shape: this.#shapes.shapeOfInstances(type.target) } : UNKNOWN,
      at: node,
    }));
  }

  #ofCompound(node: t.AssignmentExpression, steps: number): TypedValue[] {
    const operator = node.operator.slice(0, -1);
    if (operator === '||' || operator === '&&' || operator === '??') return [{ type: UNKNOWN, at: node }];
    const right = this.#single(node.right, steps + 1);
    const left = this.#of(node.left, steps + 1);
    // `sum += 1`, reached while `sum` is evaluated: adding a number keeps its type, adding a string makes it a string.
    if (left.length === 0 && (isNumeric(right) || right.kind === 'bigint')) return [];
    return [{ type: typeOfBinary(operator, this.#single(node.left, steps + 1), right), at: node }];
  }

  #ofIdentifier(node: t.Identifier, steps: number): readonly TypedValue[] {
    const unknown: TypedValue[] = [{ type: UNKNOWN, at: node }];
    const binding = this.#bindings.resolve(node);
    if (!binding) {
      if (node.name === 'undefined') return [{ type: { kind: 'undefined' }, at: node }];
      return node.name === 'NaN' || node.name === 'Infinity' ? [{ type: { kind: 'double' }, at: node }] : unknown;
    }
    const declared = primitiveOf(binding.identifier.typeAnnotation);
    if (declared) return [{ type: declared, at: binding.identifier }];
    const { declaration } = binding;
    if (binding.kind === 'param') return this.#ofParameter(binding, steps);
    if (isFunction(declaration) || isClass(declaration)) return [{ type: { kind: 'function', target: declaration }, at: declaration }];
    if (declaration.type !== 'VariableDeclarator') return unknown;
    if (declaration.id !== binding.identifier) return unknown;
    const statement = parentOf(declaration);
    const head = statement && parentOf(statement);
    if (head?.type === 'ForOfStatement' && head.left === statement) return this.#elements(head.right, steps + 1);
    if (head?.type === 'ForInStatement' && head.left === statement) return [{ type: { kind: 'string' }, at: node }];
    const found: TypedValue[] = [];
    // An object in a variable has the properties that were added before the use.
    const shape = declaration.init ? this.#shapes.shapeOf(node) : undefined;
    if (shape) found.push({ type: { kind: 'object', shape }, at: shape.made === 'instance' ? (declaration.init ?? node) : shape.source });
    else if (declaration.init) found.push(...this.#of(declaration.init, steps + 1));
    if (binding.kind !== 'const') found.push(...this.#writtenValues(binding, steps));
    // A changed literal in a variable that may hold others as well. Only an instance can still be identified, by its class.
    if (shape || !this.#shapes.isChanged(binding)) return found;
    return found.map((value) =>
      value.type.kind === 'object' && value.type.shape.made !== 'instance' ? { type: UNKNOWN, at: value.at } : value,
    );
  }

  #writtenValues(binding: Binding, steps: number): TypedValue[] {
    const found: TypedValue[] = [];
    for (const write of this.#bindings.writes(binding)) {
      const { identifier } = write;
      if (write.value && isAccumulation(binding.identifier, write.value)) continue;
      if (write.value) found.push(...this.#of(write.value, steps + 1));
      else if (write.node.type === 'AssignmentExpression' && write.node.left === identifier)
        found.push(...this.#ofCompound(write.node, steps));
      // `i++` changes no type.
      else if (write.node.type !== 'UpdateExpression') found.push({ type: UNKNOWN, at: write.node });
    }
    return found;
  }

  #ofParameter(binding: Binding, steps: number): TypedValue[] {
    const fn = binding.declaration;
    const unknown: TypedValue = { type: UNKNOWN, at: binding.identifier };
    if (!isFunction(fn) || !this.#bindings.isConstant(binding)) return [unknown];
    const index = fn.params.findIndex(
      (param) => param === binding.identifier || (param.type === 'AssignmentPattern' && param.left === binding.identifier),
    );
    if (index < 0) return [unknown];
    const list = passedElementsOf(fn, index);
    if (list) return [...this.#elements(list, steps + 1)];
    const start = index === 0 ? startOfReduction(fn) : undefined;
    if (start) return [...this.#of(start, steps + 1)];
    return [...this.#callArguments.of(fn, index).flatMap(({ argument }) => [...this.#of(argument, steps + 1)]), unknown];
  }

  #ofMember(node: t.MemberExpression | t.OptionalMemberExpression, steps: number): readonly TypedValue[] {
    const unknown: TypedValue[] = [{ type: UNKNOWN, at: node }];
    const name = memberName(node);
    if (name === undefined) {
      const elements = this.#elements(node.object, steps + 1);
      return elements.length > 0 ? elements : unknown;
    }
    // A fixed index means one element of a tuple, which says nothing about the others.
    if (/^\d+$/.test(name)) {
      const element = this.#literalOf(node.object)?.elements[Number(name)];
      return element && element.type !== 'SpreadElement' ? this.#of(element, steps + 1) : unknown;
    }
    const object = this.#single(node.object, steps + 1);
    if (name === 'length' && (object.kind === 'string' || object.kind === 'array')) return [{ type: { kind: 'int' }, at: node }];
    if (name === 'size' && object.kind === 'builtin' && /^(?:Map|Set)$/.test(object.name)) return [{ type: { kind: 'int' }, at: node }];
    if (object.kind !== 'object' && node.object.type !== 'ThisExpression') return unknown;
    const values = this.#holders.valuesOf(node.object, name);
    // A property that this file assigns may also be assigned elsewhere.
    return [...values.flatMap((value) => [...this.#of(value, steps + 1)]), ...unknown];
  }

  /** The array literal that an expression is, or that its constant holds. */
  #literalOf(expression: Node): t.ArrayExpression | undefined {
    const node = unwrap(expression);
    if (node.type === 'ArrayExpression') return node.elements.some((element) => element?.type === 'SpreadElement') ? undefined : node;
    const binding = node.type === 'Identifier' ? this.#bindings.resolve(node) : undefined;
    if (
      binding?.declaration.type !== 'VariableDeclarator' ||
      binding.declaration.id !== binding.identifier ||
      !binding.declaration.init ||
      !this.#bindings.isConstant(binding)
    )
      return undefined;
    const init = unwrap(binding.declaration.init);
    return init.type === 'ArrayExpression' ? this.#literalOf(init) : undefined;
  }

  #ofCall(node: t.CallExpression | t.OptionalCallExpression, steps: number, isAwaited: boolean): readonly TypedValue[] {
    const unknown: TypedValue[] = [{ type: UNKNOWN, at: node }];
    const callee = unwrap(node.callee);
    if (callee.type === 'Identifier' && this.#bindings.isGlobal(callee)) {
      const type = GLOBAL_CALLS.get(callee.name);
      return type ? [{ type, at: node }] : unknown;
    }
    if (isMember(callee)) {
      const type = this.#ofMethodCall(node, callee, steps);
      if (type) return type;
    }
    const targets = this.#calls.functionsOf(node.callee);
    if (targets.length === 0 || targets.some((fn) => fn.generator || fn.async !== isAwaited)) return unknown;
    return targets.flatMap((fn) => {
      const declared = primitiveOf(fn.returnType);
      if (declared) return [{ type: declared, at: node }];
      const values = this.#shapes.returnedValues(fn);
      return values.length === 0
        ? [{ type: { kind: 'undefined' } as const, at: node }]
        : values.flatMap((value) => this.#of(value, steps + 1));
    });
  }

  #ofMethodCall(
    node: t.CallExpression | t.OptionalCallExpression,
    callee: t.MemberExpression | t.OptionalMemberExpression,
    steps: number,
  ): readonly TypedValue[] | undefined {
    const method = memberName(callee);
    if (!method) return undefined;
    const ofKind = (kind: MethodResult): TypedValue[] => [{ type: { kind }, at: node }];
    const object = unwrap(callee.object);
    if (object.type === 'Identifier' && this.#bindings.isGlobal(object)) {
      if (object.name === 'Math') return ofKind(/^(?:imul|clz32)$/.test(method) ? 'int' : 'number');
      if (object.name === 'Number' && /^parse/.test(method)) return ofKind('number');
      if (object.name === 'JSON' && method === 'stringify') return ofKind('string');
      if (object.name === 'Date' && method === 'now') return ofKind('double');
      if (object.name === 'Array' && (method === 'from' || method === 'of')) return ofKind('array');
      if (object.name === 'Array' && method === 'isArray') return ofKind('boolean');
      if (object.name === 'Object' && /^(?:keys|values|entries|getOwnPropertyNames)$/.test(method)) return ofKind('array');
      const shape = object.name === 'Object' ? this.#shapes.shapeOf(node) : undefined;
      if (shape) return [{ type: { kind: 'object', shape }, at: shape.source }];
      if (object.name === 'String' && method === 'fromCharCode') return ofKind('string');
    }
    const resultKind = METHODS_OF_ONE_RESULT.get(method);
    if (resultKind) return ofKind(resultKind);
    const receiver = this.#single(object, steps + 1);
    const ofString = receiver.kind === 'string' ? STRING_METHODS.get(method) : undefined;
    if (ofString) return ofKind(ofString);
    if (isNumeric(receiver) && method === 'toString') return ofKind('string');
    if (receiver.kind === 'array') {
      if (RETURNING_ELEMENT.has(method)) return this.#elements(object, steps + 1);
      const ofArray = ARRAY_METHODS.get(method);
      if (ofArray) return ofKind(ofArray);
    }
    return undefined;
  }

  #elements(expression: Node, steps: number): readonly TypedValue[] {
    const node = unwrap(expression);
    const unknown: TypedValue[] = [{ type: UNKNOWN, at: node }];
    if (steps > MAX_STEPS || ++this.#visits > MAX_VISITS) return unknown;
    switch (node.type) {
      case 'ArrayExpression':
        return node.elements.flatMap((element) =>
          !element
            ? []
            : element.type === 'SpreadElement'
              ? [...this.#elements(element.argument, steps + 1)]
              : [...this.#of(element, steps + 1)],
        );
      case 'ConditionalExpression':
        return [...this.#elements(node.consequent, steps + 1), ...this.#elements(node.alternate, steps + 1)];
      case 'Identifier':
        return this.#elementsOfVariable(node, steps);
      case 'CallExpression':
        return this.#elementsOfCall(node, steps);
      case 'NewExpression':
        return node.callee.type === 'Identifier' && node.callee.name === 'Array' ? [] : unknown;
      default:
        return unknown;
    }
  }

  #elementsOfVariable(node: t.Identifier, steps: number): readonly TypedValue[] {
    const unknown: TypedValue[] = [{ type: UNKNOWN, at: node }];
    const binding = this.#bindings.resolve(node);
    if (!binding) return unknown;
    const { declaration } = binding;
    if (binding.kind === 'param') {
      if (!isFunction(declaration)) return unknown;
      const index = declaration.params.indexOf(binding.identifier);
      if (index < 0) return unknown;
      return [
        ...this.#callArguments.of(declaration, index).flatMap(({ argument }) => [...this.#elements(argument, steps + 1)]),
        ...unknown,
      ];
    }
    if (declaration.type !== 'VariableDeclarator' || declaration.id !== binding.identifier || !this.#bindings.isConstant(binding))
      return unknown;
    // `list.push(...list)` adds no element of another type.
    if (this.#listsInProgress.has(binding)) return [];
    this.#listsInProgress.add(binding);
    const found: TypedValue[] = declaration.init ? [...this.#elements(declaration.init, steps + 1)] : [];
    for (const reference of this.#bindings.references(binding)) {
      const member = parentOf(reference);
      if (!isMember(member) || member.object !== reference) continue;
      const above = parentOf(member);
      const method = memberName(member);
      if (above?.type === 'CallExpression' && above.callee === member && (method === 'push' || method === 'unshift')) {
        for (const argument of above.arguments)
          found.push(...(argument.type === 'SpreadElement' ? this.#elements(argument.argument, steps + 1) : this.#of(argument, steps + 1)));
      } else if (
        above?.type === 'AssignmentExpression' &&
        above.left === member &&
        above.operator === '=' &&
        (member.computed || method === undefined)
      ) {
        found.push(...this.#of(above.right, steps + 1));
      }
    }
    this.#listsInProgress.delete(binding);
    return distinct(found, node);
  }

  #elementsOfCall(node: t.CallExpression, steps: number): readonly TypedValue[] {
    const unknown: TypedValue[] = [{ type: UNKNOWN, at: node }];
    const callee = unwrap(node.callee);
    const [first, second] = node.arguments;
    if (!isMember(callee)) {
      const targets = this.#calls.functionsOf(callee);
      if (targets.length === 0 || targets.some((fn) => fn.generator || fn.async)) return unknown;
      return targets.flatMap((fn) => this.#shapes.returnedValues(fn).flatMap((value) => [...this.#elements(value, steps + 1)]));
    }
    const method = memberName(callee);
    if (!method) return unknown;
    const object = unwrap(callee.object);
    if (object.type === 'Identifier' && this.#bindings.isGlobal(object)) {
      if (object.name === 'Array' && method === 'from')
        return second ? this.#resultsOf(second, steps) : first ? this.#elements(first, steps + 1) : unknown;
      if (object.name === 'Object' && method === 'keys') return [{ type: { kind: 'string' }, at: node }];
      if (object.name === 'Object' && method === 'values' && first) {
        const literal = this.#holders
          .of(first)
          .find((holder): holder is t.ObjectExpression => 'type' in holder && holder.type === 'ObjectExpression');
        if (literal)
          return literal.properties.flatMap((property) =>
            property.type === 'ObjectProperty' ? [...this.#of(property.value, steps + 1)] : unknown,
          );
      }
      return unknown;
    }
    if (KEEPING_ELEMENTS.has(method)) return this.#elements(object, steps + 1);
    if (method === 'map' && first) return this.#resultsOf(first, steps);
    if (method === 'fill' && first) return this.#of(first, steps + 1);
    if (method === 'split') return [{ type: { kind: 'string' }, at: node }];
    return unknown;
  }

  #resultsOf(callback: Node, steps: number): readonly TypedValue[] {
    const targets = this.#calls.functionsOf(callback);
    if (targets.length === 0 || targets.some((fn) => fn.generator || fn.async)) return [{ type: UNKNOWN, at: callback }];
    return targets.flatMap((fn) => this.#shapes.returnedValues(fn).flatMap((value) => [...this.#of(value, steps + 1)]));
  }
}

/** An expression that only refers back to itself has no known value. */
function known(values: readonly TypedValue[], node: Node): readonly TypedValue[] {
  return values.length > 0 ? values : [{ type: UNKNOWN, at: node }];
}
