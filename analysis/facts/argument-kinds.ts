// The kind of each argument of a call, for other files, which do not see the call. Only certain kinds count; everything else is unknown.
import { isMember, memberName, unwrap, type CallNode, type Node, type t } from '../module/ast.ts';
import type { Facts } from './index.ts';
import type { ProjectImports } from './project-imports.ts';
import { GLOBAL_CALLS, isNumeric, primitiveOf, METHODS_OF_ONE_RESULT, type ValueType } from './value-types.ts';

export type ArgumentKind =
  | 'number'
  | 'string'
  | 'boolean'
  | 'bigint'
  | 'date'
  /** A left-out option: `null`, `undefined`. */
  | 'absent'
  /** Created with `new` from a class. Which one, the project knows. */
  | 'instance'
  /** None of these: a list, a function, a `Map`. */
  | 'other'
  /** An object literal: its keys, in order. */
  | { keys: readonly string[] };

/** Only this many arguments are read. */
export const MOST_ARGUMENTS = 6;
/** Literals with more keys are unknown. */
const MOST_KEYS = 24;

/** Undefined for an unknown argument. Undefined as a whole if none is known, or if a spread hides their positions. */
export function argumentKinds(call: CallNode, facts: Facts, imports: ProjectImports): readonly (ArgumentKind | undefined)[] | undefined {
  if (call.arguments.some((argument) => argument.type === 'SpreadElement')) return undefined;
  const kinds = call.arguments.slice(0, MOST_ARGUMENTS).map((argument) => kindOf(argument, facts, imports));
  return kinds.some((kind) => kind !== undefined) ? kinds : undefined;
}

/**
 * By syntax alone if possible. Values are resolved only for names that are initialized with something known, because that is costly. Few
 * arguments need it.
 */
function kindOf(argument: Node, facts: Facts, imports: ProjectImports): ArgumentKind | undefined {
  const node = unwrap(argument);
  switch (node.type) {
    case 'NumericLiteral':
    case 'UpdateExpression':
      return 'number';
    case 'StringLiteral':
    case 'TemplateLiteral':
      return 'string';
    case 'BooleanLiteral':
      return 'boolean';
    case 'BigIntLiteral':
      return 'bigint';
    case 'NullLiteral':
      return 'absent';
    case 'ArrayExpression':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
    case 'ClassExpression':
    case 'RegExpLiteral':
      return 'other';
    case 'ObjectExpression':
    case 'UnaryExpression':
    case 'BinaryExpression':
    case 'ConditionalExpression':
      return ofValues(node, facts);
    case 'NewExpression':
      return imports.has(node.callee) ? 'instance' : ofValues(node, facts);
    case 'Identifier':
      return ofIdentifier(node, facts, imports);
    case 'MemberExpression':
      return !node.computed && memberName(node) === 'length' ? ofValues(node, facts) : undefined;
    case 'CallExpression':
      return ofCall(node, facts);
    default:
      return undefined;
  }
}

function ofIdentifier(node: t.Identifier, facts: Facts, imports: ProjectImports): ArgumentKind | undefined {
  const binding = facts.bindings.resolve(node);
  if (!binding) return node.name === 'undefined' ? 'absent' : undefined;
  const { declaration } = binding;
  if (binding.identifier.typeAnnotation && primitiveOf(binding.identifier.typeAnnotation)) return ofValues(node, facts);
  if (binding.kind === 'param' || declaration.type !== 'VariableDeclarator' || declaration.id !== binding.identifier) return undefined;
  if (!declaration.init) return undefined;
  const init = unwrap(declaration.init);
  if (!BEGINNINGS.has(init.type)) return undefined;
  // A constant that holds an instance of a class from another file.
  if (init.type === 'NewExpression' && imports.has(init.callee)) return facts.bindings.isConstant(binding) ? 'instance' : undefined;
  return ofValues(node, facts);
}

/** Initial values whose kind can be known. Those of calls and members almost never can. */
const BEGINNINGS: ReadonlySet<string> = new Set([
  'NumericLiteral',
  'StringLiteral',
  'TemplateLiteral',
  'BooleanLiteral',
  'BigIntLiteral',
  'ObjectExpression',
  'NewExpression',
  'BinaryExpression',
]);

/** `String(x)`, `Math.min(…)`, `x.toFixed()` */
function ofCall(node: t.CallExpression, facts: Facts): ArgumentKind | undefined {
  const callee = unwrap(node.callee);
  if (callee.type === 'Identifier') return GLOBAL_CALLS.has(callee.name) ? ofValues(node, facts) : undefined;
  if (!isMember(callee)) return undefined;
  const object = unwrap(callee.object);
  const isKnown =
    METHODS_OF_ONE_RESULT.has(memberName(callee) ?? '') ||
    (object.type === 'Identifier' && (object.name === 'Math' || object.name === 'JSON' || object.name === 'Date'));
  return isKnown ? ofValues(node, facts) : undefined;
}

function ofValues(node: Node, facts: Facts): ArgumentKind | undefined {
  let found: ArgumentKind | undefined;
  for (const { type } of facts.values.valuesOf(node)) {
    const kind = kindOfType(type);
    if (kind === undefined) return undefined;
    if (kind === 'absent' || (found !== undefined && isSame(found, kind))) continue;
    if (found !== undefined) return undefined;
    found = kind;
  }
  return found ?? 'absent';
}

function kindOfType(type: ValueType): ArgumentKind | undefined {
  if (isNumeric(type)) return 'number';
  switch (type.kind) {
    case 'string':
    case 'boolean':
    case 'bigint':
      return type.kind;
    case 'null':
    case 'undefined':
    case 'symbol':
      return 'absent';
    case 'builtin':
      return type.name === 'Date' ? 'date' : 'other';
    case 'array':
    case 'function':
      return 'other';
    case 'object':
      if (type.shape.made === 'instance') return 'instance';
      return type.shape.made === 'literal' && type.shape.isComplete && type.shape.keys.length <= MOST_KEYS
        ? { keys: type.shape.keys }
        : undefined;
    default:
      return undefined;
  }
}

/** Instances may be of different classes, which only the project tells apart. */
function isSame(a: ArgumentKind, b: ArgumentKind): boolean {
  if (typeof a === 'string' || typeof b === 'string') return a === b && a !== 'instance';
  return a.keys.length === b.keys.length && a.keys.every((key, i) => key === b.keys[i]);
}
