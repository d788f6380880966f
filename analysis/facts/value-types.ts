// The types of values that the analysis distinguishes, and what built-in names and TypeScript annotations say about them.
import {
  contains,
  isFunction,
  isLoop,
  isMember,
  memberName,
  parentOf,
  unwrap,
  type ClassNode,
  type FunctionNode,
  type Node,
  type t,
} from '../module/ast.ts';
import { compareShapes, type Shape } from './shapes.ts';

export type PrimitiveKind = 'int' | 'double' | 'number' | 'string' | 'boolean' | 'bigint' | 'symbol' | 'null' | 'undefined';

export type ValueType =
  /** `int`: an integer that fits V8's small integers. `double`: any other number. `number`: either. */
  | { kind: PrimitiveKind }
  /** `target`: the function or class, if it is in this file. */
  | { kind: 'function'; target: FunctionNode | ClassNode | undefined }
  | { kind: 'array' }
  /** An object literal or an instance of a class of this file. */
  | { kind: 'object'; shape: Shape }
  /** An instance of a built-in class: `Map`, `Date`, `RegExp`, `Promise`, … */
  | { kind: 'builtin'; name: string }
  | { kind: 'unknown' };

export interface TypedValue {
  type: ValueType;
  /** The node that creates the value, such as the literal that a `const` holds. */
  at: Node;
}

/** The result of a built-in method. */
export type MethodResult = PrimitiveKind | 'array';

export const UNKNOWN: ValueType = { kind: 'unknown' };

export function isNumeric(type: ValueType): boolean {
  return type.kind === 'int' || type.kind === 'double' || type.kind === 'number';
}

/** Whether two types are certainly the same. Two unknown types never are. */
export function isSameType(a: ValueType, b: ValueType): boolean {
  if (a.kind === 'unknown' || b.kind === 'unknown') return false;
  if (a.kind === 'object' && b.kind === 'object') return compareShapes(a.shape, b.shape) === 'same';
  if (a.kind === 'function' && b.kind === 'function') return a.target !== undefined && a.target === b.target;
  if (a.kind === 'builtin' && b.kind === 'builtin') return a.name === b.name;
  return a.kind === b.kind;
}

// With more possible values than this, an expression says nothing useful.
const MAX_VALUES = 64;

export const BUILTIN_CLASSES: ReadonlySet<string> = new Set([
  'Map',
  'Set',
  'WeakMap',
  'WeakSet',
  'Date',
  'RegExp',
  'Promise',
  'Error',
  'TypeError',
  'RangeError',
  'SyntaxError',
  'URL',
  'URLSearchParams',
  'ArrayBuffer',
  'DataView',
  'Uint8Array',
  'Int8Array',
  'Uint16Array',
  'Int16Array',
  'Uint32Array',
  'Int32Array',
  'Float32Array',
  'Float64Array',
  'Uint8ClampedArray',
  'BigInt64Array',
  'BigUint64Array',
]);

export const GLOBAL_CALLS: ReadonlyMap<string, ValueType> = new Map(
  Object.entries<ValueType>({
    String: { kind: 'string' },
    Number: { kind: 'number' },
    parseInt: { kind: 'number' },
    parseFloat: { kind: 'number' },
    Boolean: { kind: 'boolean' },
    BigInt: { kind: 'bigint' },
    Symbol: { kind: 'symbol' },
    encodeURIComponent: { kind: 'string' },
    decodeURIComponent: { kind: 'string' },
    isNaN: { kind: 'boolean' },
    isFinite: { kind: 'boolean' },
  }),
);

/** Methods that only strings, numbers and dates have, and the type of their results. The receiver need not be known. */
export const METHODS_OF_ONE_RESULT = methodTable({
  string: 'toFixed toPrecision toLowerCase toUpperCase toISOString toLocaleString trim trimStart trimEnd padStart padEnd charAt',
  int: 'charCodeAt',
  boolean: 'startsWith endsWith',
});

/** String methods, used only if the receiver is known to be a string. */
export const STRING_METHODS = methodTable({
  string: 'toString slice substring substr replace replaceAll repeat concat normalize at',
  int: 'indexOf lastIndexOf search codePointAt localeCompare',
  boolean: 'includes',
  array: 'split',
});

export const ARRAY_METHODS = methodTable({
  string: 'join',
  int: 'indexOf lastIndexOf findIndex push unshift',
  boolean: 'includes some every',
  array: 'slice filter concat map flatMap sort reverse toSorted toReversed splice fill flat',
});

function methodTable(names: { readonly [K in MethodResult]?: string }): ReadonlyMap<string, MethodResult> {
  return new Map(
    Object.entries(names).flatMap(([result, list]) =>
      list.split(' ').map((name): [string, MethodResult] => [name, result as MethodResult]),
    ),
  );
}

/** Array methods whose result contains elements of the array. */
export const KEEPING_ELEMENTS: ReadonlySet<string> = new Set([
  'slice',
  'filter',
  'sort',
  'reverse',
  'toSorted',
  'toReversed',
  'concat',
  'splice',
  'toSpliced',
  'values',
  'with',
]);
export const RETURNING_ELEMENT: ReadonlySet<string> = new Set(['pop', 'shift', 'at', 'find', 'findLast']);
/** Methods that call their callback with each element as the first argument. */
const PASSING_ELEMENTS: ReadonlySet<string> = new Set([
  'forEach',
  'map',
  'filter',
  'some',
  'every',
  'find',
  'findIndex',
  'findLast',
  'findLastIndex',
  'flatMap',
]);

/** The type that a TypeScript or Flow annotation names, if it is a single primitive. */
export function primitiveOf(annotation: Node | null | undefined): ValueType | undefined {
  const inner = annotation?.type === 'TSTypeAnnotation' || annotation?.type === 'TypeAnnotation' ? annotation.typeAnnotation : undefined;
  switch (inner?.type) {
    case 'TSNumberKeyword':
    case 'NumberTypeAnnotation':
      return { kind: 'number' };
    case 'TSStringKeyword':
    case 'StringTypeAnnotation':
      return { kind: 'string' };
    case 'TSBooleanKeyword':
    case 'BooleanTypeAnnotation':
      return { kind: 'boolean' };
    case 'TSBigIntKeyword':
      return { kind: 'bigint' };
    default:
      return undefined;
  }
}

/** The array whose elements a callback gets as its parameter: `list` of `list.forEach((item) => …)`. */
export function passedElementsOf(fn: Node, index: number): Node | undefined {
  const call = parentOf(fn);
  if ((call?.type !== 'CallExpression' && call?.type !== 'OptionalCallExpression') || call.arguments[0] !== fn || !isMember(call.callee))
    return undefined;
  const method = memberName(call.callee);
  if (!method) return undefined;
  if (index === 0 && PASSING_ELEMENTS.has(method)) return call.callee.object;
  if (index === 1 && /^reduce(?:Right)?$/.test(method)) return call.callee.object;
  return index <= 1 && /^(?:sort|toSorted)$/.test(method) ? call.callee.object : undefined;
}

/** The initial value of a reduction: `0` of `list.reduce((sum, item) => …, 0)`. The accumulator keeps its type. */
export function startOfReduction(fn: Node): Node | undefined {
  const call = parentOf(fn);
  if ((call?.type !== 'CallExpression' && call?.type !== 'OptionalCallExpression') || call.arguments[0] !== fn || !isMember(call.callee))
    return undefined;
  return /^reduce(?:Right)?$/.test(memberName(call.callee) ?? '') ? call.arguments[1] : undefined;
}

/** `sum = add(sum, row)` in a loop, with the variable declared outside. The accumulator keeps its type. */
export function isAccumulation(declared: t.Identifier, value: Node): boolean {
  const call = unwrap(value);
  if (
    call.type !== 'CallExpression' ||
    !call.arguments.some((argument) => argument.type === 'Identifier' && argument.name === declared.name)
  )
    return false;
  for (let at = parentOf(value); at && !isFunction(at); at = parentOf(at)) if (isLoop(at)) return !contains(at, declared);
  return false;
}

/** One value for each type, the first in source order. All unknown values count as one, and too many values as unknown. */
export function distinct(values: readonly TypedValue[], node: Node): readonly TypedValue[] {
  const found: TypedValue[] = [];
  for (const value of values) {
    const isThere = found.some(({ type }) => isSameType(type, value.type) || (type.kind === 'unknown' && value.type.kind === 'unknown'));
    if (isThere) continue;
    if (found.length >= MAX_VALUES) return [{ type: UNKNOWN, at: node }];
    found.push(value);
  }
  return found;
}

export function typeOfUnary(operator: t.UnaryExpression['operator'], operand: ValueType): ValueType {
  switch (operator) {
    case '!':
    case 'delete':
      return { kind: 'boolean' };
    case 'typeof':
      return { kind: 'string' };
    case 'void':
      return { kind: 'undefined' };
    case '+':
      return { kind: 'number' };
    case '-':
      return operand.kind === 'int' || operand.kind === 'double' || operand.kind === 'bigint' ? operand : { kind: 'number' };
    case '~':
      return operand.kind === 'bigint' ? operand : { kind: 'int' };
    default:
      return UNKNOWN;
  }
}

/** Sums and products of small integers count as small integers. An overflow only shows at run time. */
export function typeOfBinary(operator: string, left: ValueType, right: ValueType): ValueType {
  if (/^(?:[=!]==?|[<>]=?|in|instanceof)$/.test(operator)) return { kind: 'boolean' };
  if (operator === '|>') return UNKNOWN;
  if (operator === '+') {
    if (left.kind === 'string' || right.kind === 'string') return { kind: 'string' };
    if (![left, right].every((type) => isNumeric(type) || type.kind === 'bigint')) return UNKNOWN;
  }
  if (left.kind === 'bigint' || right.kind === 'bigint') return { kind: 'bigint' };
  if (/^(?:[&|^]|<<|>>)$/.test(operator)) return { kind: 'int' };
  if (left.kind === 'int' && right.kind === 'int' && /^[-+*%]$/.test(operator)) return { kind: 'int' };
  return left.kind === 'double' && right.kind === 'double' && operator === '+' ? { kind: 'double' } : { kind: 'number' };
}
