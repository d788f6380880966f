// Conditions of the knowledge table, checked for the arguments of one call. What the source does not show does not hold.
import {
  enclosingFunction,
  isCall,
  isFunction,
  isMember,
  memberName,
  staticName,
  unwrap,
  type CallNode,
  type FunctionNode,
  type Node,
} from '../../analysis/module/ast.ts';
import { constantOf, numberOf, textOf } from '../../analysis/facts/constants.ts';
import { isReference } from '../../analysis/facts/bindings.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';
import type { BlockingCondition } from '../../knowledge/blocking-call.ts';
import { isKept } from '../shared/kept.ts';

/** `module`: where the function comes from. */
export function meetsCondition(call: CallNode, module: string, when: BlockingCondition, facts: Facts): boolean {
  const args = call.arguments;
  if (args.some((argument) => argument.type === 'SpreadElement')) return false;
  if (when.noCallbackFrom !== undefined && args.slice(when.noCallbackFrom).some((argument) => mayBeFunction(argument, facts))) return false;
  if (when.sizeArgument) {
    const size = numberOf(args[when.sizeArgument.index], facts.bindings);
    if (size === undefined || size < when.sizeArgument.atLeast) return false;
  }
  const small = when.unlessSmallBuffer;
  if (small) {
    const bytes = bytesOf(args[small.index], facts);
    if (bytes !== undefined && bytes < small.under) return false;
  }
  if (when.numberArgument !== undefined && numberOf(args[when.numberArgument], facts.bindings) === undefined) return false;
  if (when.pathArgument !== undefined && !isPath(args[when.pathArgument], facts)) return false;
  if (when.changingText !== undefined && !mayChange(args[when.changingText], facts)) return false;
  if (when.notFromOutside !== undefined && isFromOutside(args[when.notFromOutside], call, facts)) return false;
  if (when.ownObject && !hasOwnObject(call, facts)) return false;
  if (when.unlessBeside?.some((name) => isBeside(call, module, name, facts))) return false;
  const other = when.unlessText;
  const given = other && args[other.index];
  if (given && other.oneOf.includes(textOf(given, facts.bindings) ?? '')) return false;
  if (when.noArgument !== undefined && args[when.noArgument]) return false;
  if (when.unlessKept && isKept(call, facts)) return false;
  const { unlessOption } = when;
  if (unlessOption !== undefined && args.some((argument) => setsOption(argument, unlessOption))) return false;
  return true;
}

/** The size of `Buffer.alloc(16)`, `new Uint32Array(16)`, or a constant that holds one. */
function bytesOf(argument: Node | undefined, facts: Facts): number | undefined {
  if (!argument) return undefined;
  const node = unwrap(argument);
  if (node.type === 'Identifier') {
    const init = constantOf(node, facts.bindings);
    return init && init !== node && !(init.type === 'Identifier') ? bytesOf(init, facts) : undefined;
  }
  if (!isCall(node)) return undefined;
  const callee = unwrap(node.callee);
  const length = numberOf(node.arguments[0], facts.bindings);
  if (length === undefined) return undefined;
  if (node.type !== 'NewExpression') return /^Buffer\.(?:alloc|allocUnsafe)$/.test(facts.source.slice(callee)) ? length : undefined;
  const bits =
    callee.type === 'Identifier' ? /^(?:Big)?(?:Int|Uint|Float)(8|16|32|64)(?:Clamped)?Array$/.exec(callee.name)?.[1] : undefined;
  return bits === undefined ? undefined : (length * Number(bits)) / 8;
}

function mayBeFunction(argument: Node, facts: Facts): boolean {
  const node = unwrap(argument);
  if (isFunction(node)) return true;
  // A name, a member or a call may be one. A literal, an object or an array is not.
  return node.type === 'Identifier'
    ? numberOf(node, facts.bindings) === undefined && textOf(node, facts.bindings) === undefined && node.name !== 'undefined'
    : isMember(node) || isCall(node);
}

/** `archivePath`, `req.file.path`: a path by its name. What holds the bytes themselves is named otherwise. */
const PATH_NAME = /(?:^|[a-z\d_])(?:[Pp]ath|[Ff]ile[Nn]ame)$/;

/** Whether an argument is the path of a file: a string, the result of `path.join` and similar functions, or what is named so. */
function isPath(argument: Node | undefined, facts: Facts): boolean {
  if (!argument) return false;
  const node = unwrap(argument);
  if (node.type === 'StringLiteral' || node.type === 'TemplateLiteral') return true;
  if (isCall(node)) return facts.origins.moduleMember(node.callee)?.module === 'path';
  if (node.type === 'BinaryExpression' && node.operator === '+') return isPath(node.left, facts) || isPath(node.right, facts);
  const name = node.type === 'Identifier' ? node.name : isMember(node) ? memberName(node) : undefined;
  if (name !== undefined && PATH_NAME.test(name)) return true;
  const init = constantOf(node, facts.bindings);
  return init !== undefined && init !== node && isPath(init, facts);
}

/** Whether an argument may be another text at the next call. What is the same, the rule no-setup-per-request tells to be built once. */
export function mayChange(argument: Node | undefined, facts: Facts): boolean {
  if (!argument || isOfModule(argument, facts)) return false;
  const init = constantOf(argument, facts.bindings);
  return !init || !(isOfModule(init, facts) || /\breadFile(?:Sync)?\b/.test(facts.source.slice(init)));
}

/** Whether an argument is a variable of a function around the one that calls, or of the module. */
function isFromOutside(argument: Node | undefined, call: CallNode, facts: Facts): boolean {
  const node = argument && unwrap(argument);
  const binding = node?.type === 'Identifier' ? facts.bindings.resolve(node) : undefined;
  return binding !== undefined && enclosingFunction(binding.identifier) !== enclosingFunction(call);
}

/** Whether the function around a call, without the functions in it, calls that function of the module, which a file of the project may pass on. */
function isBeside(call: CallNode, module: string, name: string, facts: Facts): boolean {
  const fn = enclosingFunction(call);
  if (!fn) return false;
  const known = facts.remember(`functions that call ${name} of ${module}`, () => new Map<FunctionNode, boolean>());
  let found = known.get(fn);
  if (found === undefined) {
    found = false;
    walkWithin(fn.body, (node) => {
      if (isFunction(node)) return false;
      found ||= isCall(node) && isOfPackage(unwrap(node.callee), module, name, facts);
      return found ? 'stop' : undefined;
    });
    known.set(fn, found);
  }
  return found;
}

function isOfPackage(callee: Node, module: string, name: string, facts: Facts): boolean {
  const called = callee.type === 'Identifier' ? callee.name : isMember(callee) ? memberName(callee) : undefined;
  const origin = facts.origins.moduleMember(callee);
  return origin !== undefined && (origin.module === module || origin.module.startsWith('.')) && (origin.path.at(-1) ?? called) === name;
}

/** `new Script(code).runInThisContext()`, or a variable of the function that calls. */
function hasOwnObject(call: CallNode, facts: Facts): boolean {
  const callee = unwrap(call.callee);
  const object = isMember(callee) ? unwrap(callee.object) : undefined;
  return object !== undefined && (isCall(object) || (object.type === 'Identifier' && !isFromOutside(object, call, facts)));
}

/** Whether an expression is made of constants and imports of the module, without a call other than the reading of a file. */
function isOfModule(expression: Node, facts: Facts): boolean {
  let isSame = true;
  walkWithin(expression, (node) => {
    if (node.type === 'ThisExpression') isSame = false;
    else if (isCall(node)) isSame = /\breadFile(?:Sync)?$/.test(facts.source.slice(node.callee));
    else if (node.type === 'Identifier' && isReference(node)) {
      const binding = facts.bindings.resolve(node);
      isSame = binding === undefined || (binding.scope.type === 'Program' && facts.bindings.isConstant(binding));
    }
    return isSame ? undefined : 'stop';
  });
  return isSame;
}

/** Whether a call is given an object that has a property of that name. */
export function givesOption(call: CallNode, name: string): boolean {
  return call.arguments.some((argument) => setsOption(argument, name));
}

function setsOption(argument: Node, name: string): boolean {
  const node = unwrap(argument);
  return (
    node.type === 'ObjectExpression' &&
    node.properties.some(
      (property) =>
        property.type === 'ObjectProperty' &&
        staticName(property.key, property.computed) === name &&
        !(property.value.type === 'BooleanLiteral' && !property.value.value),
    )
  );
}
