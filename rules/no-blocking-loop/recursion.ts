// Functions that call themselves twice for each step down: `fib(n - 1) + fib(n - 2)`, `sums(list.slice(1), n) || sums(list.slice(1), n -
// list[0])`. The time doubles with every step or two.
import {
  isFunction,
  isMember,
  memberName,
  parentOf,
  unwrap,
  type CallNode,
  type FunctionNode,
  type Node,
  type t,
} from '../../analysis/module/ast.ts';
import { numberOf } from '../../analysis/facts/constants.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';

export interface Doubling {
  fn: FunctionNode;
  /** Position of the parameter that counts down. */
  index: number;
  /** How much each of the two calls subtracts. */
  steps: readonly [number, number];
  /** The parameter is a list that gets shorter. */
  isList: boolean;
  at: t.BinaryExpression | t.LogicalExpression;
}

/** A check of the node alone: both sides call the same name with an argument minus a number. Most binary expressions fail it. */
export function looksDoubling(node: t.BinaryExpression | t.LogicalExpression): boolean {
  const left = unwrap(node.left);
  const right = unwrap(node.right);
  return (
    left.type === 'CallExpression' &&
    right.type === 'CallExpression' &&
    calledName(left) !== undefined &&
    calledName(left) === calledName(right)
  );
}

function calledName(call: t.CallExpression): string | undefined {
  const callee = unwrap(call.callee);
  return callee.type === 'Identifier' ? callee.name : isMember(callee) ? memberName(callee) : undefined;
}

export function findDoubling(node: t.BinaryExpression | t.LogicalExpression, facts: Facts): Doubling | undefined {
  const left = unwrap(node.left) as t.CallExpression;
  const right = unwrap(node.right) as t.CallExpression;
  const fn = facts.calls.functionsOf(left.callee).find((target) => isAround(target, node));
  if (!fn || fn.generator || !facts.calls.functionsOf(right.callee).includes(fn)) return undefined;
  for (const [index, param] of fn.params.entries()) {
    if (param.type !== 'Identifier') continue;
    for (const [isList, stepOf] of [
      [false, stepDown],
      [true, shortenedBy],
    ] as const) {
      const steps = [left, right].map((call) => stepOf(call.arguments[index], param.name, facts));
      // Without a number or a list that gets smaller on both sides, one of them ends soon.
      if (steps[0] !== undefined && steps[1] !== undefined)
        return remembers(fn, param.name, facts) ? undefined : { fn, index, steps: [steps[0], steps[1]], isList, at: node };
    }
  }
  return undefined;
}

function isAround(fn: FunctionNode, node: Node): boolean {
  for (let at = parentOf(node); at; at = parentOf(at)) if (isFunction(at)) return at === fn;
  return false;
}

/** The number that `n - 2` subtracts from `n`. */
function stepDown(argument: Node | undefined, name: string, facts: Facts): number | undefined {
  const node = argument && unwrap(argument);
  if (node?.type !== 'BinaryExpression' || node.operator !== '-' || node.left.type !== 'Identifier' || node.left.name !== name)
    return undefined;
  const step = numberOf(node.right, facts.bindings);
  return step !== undefined && step > 0 ? step : undefined;
}

/** How many items `list.slice(1)` leaves out, also through a constant: `const rest = list.slice(1)`, `const [first, ...rest] = list`. */
function shortenedBy(argument: Node | undefined, name: string, facts: Facts): number | undefined {
  const node = argument && unwrap(argument);
  if (node?.type === 'CallExpression' && isMember(node.callee) && memberName(node.callee) === 'slice') {
    const list = unwrap(node.callee.object);
    const count = node.arguments.length === 1 ? numberOf(node.arguments[0] as Node, facts.bindings) : undefined;
    return list.type === 'Identifier' && list.name === name && count !== undefined && count > 0 ? count : undefined;
  }
  const binding = node?.type === 'Identifier' ? facts.bindings.resolve(node) : undefined;
  const declaration = binding?.declaration;
  if (!binding || declaration?.type !== 'VariableDeclarator' || !declaration.init || !facts.bindings.isConstant(binding)) return undefined;
  const { id } = declaration;
  if (id.type === 'Identifier') return shortenedBy(declaration.init, name, facts);
  const init = unwrap(declaration.init);
  const last = id.type === 'ArrayPattern' ? id.elements.at(-1) : undefined;
  return id.type === 'ArrayPattern' &&
    init.type === 'Identifier' &&
    init.name === name &&
    last?.type === 'RestElement' &&
    last.argument === binding.identifier &&
    id.elements.length > 1
    ? id.elements.length - 1
    : undefined;
}

/** Whether results are cached by their number: `memo[n]`, `seen.get(n)`. */
function remembers(fn: FunctionNode, name: string, facts: Facts): boolean {
  const known = facts.remember('recursions that keep results', () => new Map<FunctionNode, Map<string, boolean>>());
  let ofNames = known.get(fn);
  if (!ofNames) known.set(fn, (ofNames = new Map()));
  const found = ofNames.get(name) ?? readsKept(fn, name);
  ofNames.set(name, found);
  return found;
}

function readsKept(fn: FunctionNode, name: string): boolean {
  let found = false;
  walkWithin(fn.body, (node) => {
    if (found) return false;
    if (isMember(node) && node.computed && node.property.type === 'Identifier' && node.property.name === name) found = true;
    if (
      node.type === 'CallExpression' &&
      isMember(node.callee) &&
      /^(?:has|get)$/.test(memberName(node.callee) ?? '') &&
      node.arguments.some((argument) => argument.type === 'Identifier' && argument.name === name)
    )
      found = true;
    return !found;
  });
  return found;
}

/** Calls from outside the function itself. */
export function callsFromOutside({ fn }: Doubling, facts: Facts): Node[] {
  return facts.calls
    .callersOf(fn)
    .filter(({ edge }) => edge.via !== 'callback' && !isInside(edge.site, fn))
    .map(({ edge }) => edge.site);
}

function isInside(node: Node, fn: FunctionNode): boolean {
  return (node.start ?? 0) >= (fn.start ?? 0) && (node.end ?? 0) <= (fn.end ?? 0);
}

// More calls than any program could make. Counting further would only overflow.
const MOST_CALLS = 1e15;

/** How many calls a call makes, if the source shows its argument. */
export function callCount({ index, steps }: Doubling, call: Node, facts: Facts): number | undefined {
  const argument = (call as CallNode).arguments[index];
  const from = argument && argument.type !== 'SpreadElement' ? numberOf(argument, facts.bindings) : undefined;
  if (from === undefined) return undefined;
  const counts: number[] = [];
  for (let n = 0; n <= from; n++) {
    counts[n] = 1 + (n < 2 ? 0 : (counts[n - steps[0]] ?? 0) + (counts[n - steps[1]] ?? 0));
    if ((counts[n] ?? 0) > MOST_CALLS) return MOST_CALLS;
  }
  return counts.at(-1) ?? 0;
}
