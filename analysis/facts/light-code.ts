// Whether code is so light that a few nanoseconds at one place matter. A megamorphic call costs about 15 ns. Next to a query, a regular
// expression or string concatenation nobody can measure that, and a report would mislead its reader.
import { isCall, isClass, isFunction, isMember, memberName, unwrap, type CallNode, type FunctionNode, type Node } from '../module/ast.ts';
import type { Facts } from './index.ts';
import { walkWithin } from '../module/module-index.ts';

// Nodes of the syntax tree: about thirty lines of arithmetic.
const LARGEST = 250;
// Calls of calls of functions of this file.
const MAX_DEPTH = 3;

/** Methods that V8 inlines, or that take a few nanoseconds. */
const CHEAP_METHODS: ReadonlySet<string> = new Set([
  'push',
  'pop',
  'at',
  'charCodeAt',
  'codePointAt',
  'charAt',
  'get',
  'has',
  'set',
  'add',
]);
/** Methods that are as light as their callback. */
const ITERATING_METHODS: ReadonlySet<string> = new Set([
  'forEach',
  'map',
  'filter',
  'reduce',
  'reduceRight',
  'some',
  'every',
  'find',
  'findIndex',
  'sort',
]);

export interface Names {
  has(name: string): boolean;
}

/**
 * The same by names alone, before anything is resolved. It is false for most functions of a real program, which saves building the bindings
 * and the call graph of the file. `localNames`: the functions and classes of the file, and parameters that are called.
 */
export function mayBeLight(root: Node, localNames: Names): boolean {
  return isWithinBounds(root, (call) => {
    const callee = unwrap(call.callee);
    const name = callee.type === 'Identifier' ? callee.name : isMember(callee) ? memberName(callee) : undefined;
    return (
      name === undefined ||
      localNames.has(name) ||
      CHEAP_CALLS.has(name) ||
      CHEAP_METHODS.has(name) ||
      ITERATING_METHODS.has(name) ||
      isOfMath(callee)
    );
  });
}

/** `exempt`: calls that are judged elsewhere. */
export function isLight(root: Node, facts: Facts, exempt: ReadonlySet<Node> = new Set(), depth = 0): boolean {
  return depth <= MAX_DEPTH && isWithinBounds(root, (call) => exempt.has(call) || isLightCall(call, facts, depth));
}

function isWithinBounds(root: Node, isLightEnough: (call: CallNode) => boolean): boolean {
  let nodes = 0;
  let isHeavy = false;
  walkWithin(root, (node) => {
    // Runs once, when something fails.
    if (node.type === 'ThrowStatement' || node.type === 'CatchClause') return false;
    isHeavy = ++nodes > LARGEST || HEAVY.has(node.type) || isClass(node) || (isCall(node) && !isLightEnough(node));
    return isHeavy ? 'stop' : true;
  });
  return !isHeavy;
}

// A spread copies a whole object or list, which takes longer than any lookup.
const HEAVY: ReadonlySet<string> = new Set([
  'AwaitExpression',
  'YieldExpression',
  'SpreadElement',
  'TaggedTemplateExpression',
  'RegExpLiteral',
  'JSXElement',
  'JSXFragment',
  'ImportExpression',
  'WithStatement',
]);

function isLightCall(call: CallNode, facts: Facts, depth: number): boolean {
  const callee = unwrap(call.callee);
  if (isMember(callee)) {
    const name = memberName(callee);
    if (isOfMath(callee)) return true;
    if (name !== undefined && CHEAP_METHODS.has(name)) return true;
    // Their callbacks are inline and are walked as well.
    if (name !== undefined && ITERATING_METHODS.has(name)) return true;
  }
  if (callee.type === 'Identifier' && CHEAP_CALLS.has(callee.name) && facts.bindings.isGlobal(callee)) return true;
  return (
    areLight(
      facts.calls
        .edgesOfCall(call)
        .filter((edge) => edge.via !== 'callback')
        .map((edge) => edge.target),
      facts,
      depth,
    ) || isPlainConstruction(call, facts)
  );
}

function isOfMath(callee: Node): boolean {
  return isMember(callee) && callee.object.type === 'Identifier' && callee.object.name === 'Math';
}

const CHEAP_CALLS: ReadonlySet<string> = new Set(['Number', 'Boolean', 'isNaN', 'isFinite']);

/** `new Point(x, y)` of a class of this file without a constructor. */
function isPlainConstruction(call: CallNode, facts: Facts): boolean {
  if (call.type !== 'NewExpression') return false;
  const maker = facts.shapes.makerOf(call);
  return (
    maker !== undefined &&
    isClass(maker) &&
    !maker.superClass &&
    !maker.body.body.some((member) => member.type === 'ClassMethod' && member.kind === 'constructor')
  );
}

/** Whether all functions are light. False for an empty list, because then it is unknown what runs. */
export function areLight(functions: readonly FunctionNode[], facts: Facts, depth = 0): boolean {
  return functions.length > 0 && functions.every((fn) => !fn.async && !fn.generator && isLight(fn.body, facts, undefined, depth + 1));
}

export function isLightFunction(node: Node, facts: Facts): boolean {
  return isFunction(node) && areLight([node], facts);
}
