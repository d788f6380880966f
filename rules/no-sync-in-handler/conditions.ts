// Conditions of the knowledge table, checked for the arguments of one call. What the source does not show does not hold.
import {
  enclosingFunction,
  isCall,
  isFunction,
  isMember,
  memberName,
  parentOf,
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

/** Array methods that run their callback for each element while the function runs. */
const RUNS_AT_ONCE = /^(?:forEach|map|flatMap|filter|some|every|find|findIndex|findLast|findLastIndex|reduce|reduceRight|sort|toSorted)$/;

/** The argument that a call runs for each element while its function runs: `list.map(callback)`, `Array.from(list, callback)`. */
export function callbackAtOnce(call: CallNode): Node | undefined {
  const callee = unwrap(call.callee);
  if (!isMember(callee)) return undefined;
  const name = memberName(callee) ?? '';
  if (RUNS_AT_ONCE.test(name)) return call.arguments[0];
  const object = unwrap(callee.object);
  return name === 'from' && object.type === 'Identifier' && object.name === 'Array' ? call.arguments[1] : undefined;
}

/** Whether a function is such a callback. */
export function runsAtOnce(fn: Node): boolean {
  const call = parentOf(fn);
  return isCall(call) && callbackAtOnce(call) === fn;
}

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
  if (unlessOption !== undefined && mayGiveOption(call, unlessOption, facts, when.changingText)) return false;
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

/**
 * Whether an argument is a variable of a function around the one that calls, or of the module. A callback of an array method runs with its
 * function, for the same request.
 */
function isFromOutside(argument: Node | undefined, call: CallNode, facts: Facts): boolean {
  const node = argument && unwrap(argument);
  const binding = node?.type === 'Identifier' ? facts.bindings.resolve(node) : undefined;
  if (!binding) return false;
  const owner = enclosingFunction(binding.identifier);
  let fn = enclosingFunction(call);
  while (fn && fn !== owner && runsAtOnce(fn)) fn = enclosingFunction(fn);
  return fn !== owner;
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
  return call.arguments.some((argument) => {
    const node = unwrap(argument);
    return node.type === 'ObjectExpression' && node.properties.some((property) => setsOption(property, name));
  });
}

function setsOption(property: Node, name: string): boolean {
  return (
    property.type === 'ObjectProperty' &&
    staticName(property.key, property.computed) === name &&
    !(property.value.type === 'BooleanLiteral' && !property.value.value)
  );
}

/**
 * Whether a call may be given an object that has that property: also in a variable or a spread, or what is named as options are. `text`: the
 * position of the argument that is a text.
 */
export function mayGiveOption(call: CallNode, name: string, facts: Facts, text?: number): boolean {
  return call.arguments.some((argument, i) => i !== text && maySetOption(argument, name, facts));
}

const OPTIONS_NAME = /(?:options?|opts|config|configuration|settings)$/i;

// The longest chain of variables and spreads to follow.
const MAX_STEPS = 6;

function maySetOption(argument: Node, name: string, facts: Facts, steps = 0): boolean {
  const node = unwrap(argument);
  const isIn = (one: Node): boolean => maySetOption(one, name, facts, steps + 1);
  if (steps > MAX_STEPS) return true;
  if (node.type === 'ObjectExpression') {
    // The last one counts.
    for (const property of node.properties.toReversed()) {
      if (property.type === 'SpreadElement' ? isIn(property.argument) : setsOption(property, name)) return true;
      if (property.type !== 'SpreadElement' && staticName(property.key, property.computed) === name) return false;
    }
    return false;
  }
  if (node.type === 'ConditionalExpression') return isIn(node.consequent) || isIn(node.alternate);
  if (node.type === 'LogicalExpression') return isIn(node.left) || isIn(node.right);
  if (isCall(node)) {
    const called = unwrap(node.callee);
    return isNamedOptions(called) || (facts.origins.isGlobal(called, 'Object.assign') && node.arguments.some(isIn));
  }
  const init = constantOf(node, facts.bindings);
  const value = init && unwrap(init);
  if (isFunction(value ?? node) || isDeclaredFunction(node, facts)) return false;
  if (!value || value.type !== 'ObjectExpression') return isNamedOptions(node) || (value !== undefined && isIn(value));
  const binding = node.type === 'Identifier' ? facts.bindings.resolve(node) : undefined;
  const references = binding ? facts.bindings.references(binding) : [];
  return isIn(value) || references.some((one) => isAssigned(one, name));
}

const isDeclaredFunction = (node: Node, facts: Facts): boolean =>
  node.type === 'Identifier' && facts.bindings.resolve(node)?.kind === 'function';

function isNamedOptions(node: Node): boolean {
  const name = node.type === 'Identifier' ? node.name : isMember(node) ? memberName(node) : undefined;
  return name !== undefined && OPTIONS_NAME.test(name);
}

/** `options.async = true` */
function isAssigned(object: Node, name: string): boolean {
  const member = parentOf(object);
  const assignment = member && parentOf(member);
  return (
    isMember(member) &&
    member.object === object &&
    memberName(member) === name &&
    assignment?.type === 'AssignmentExpression' &&
    assignment.left === member
  );
}
