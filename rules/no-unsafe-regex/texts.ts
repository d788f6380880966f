// The text that an expression is tested on: one of any length that a request sent, or one that the source shows.
import {
  enclosingFunction,
  isCall,
  isFunction,
  isMember,
  memberName,
  parentOf,
  startOf,
  unwrap,
  type FunctionNode,
  type Node,
} from '../../analysis/module/ast.ts';
import { numberOf, textOf } from '../../analysis/facts/constants.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { firstFrom } from '../../analysis/module/group-by.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';

/**
 * The shortest run of the repeated character with which an exponential expression takes long: `/([0-9]+)+#/` took 0.1 to 0.6 s for 24
 * digits, and 2 to 8 s for 28 (Node 18 to 26).
 */
const LONG_RUN = 24;

/** Whether a text in the source contains such a long run of one kind of character that an exponential expression does not finish. */
export function isSlowText(text: Node, part: string, facts: Facts): boolean {
  const known = textOf(text, facts.bindings);
  if (known === undefined) return false;
  const kind = /\[[^\]]*\]?|\\[wdsS]|\./.exec(part)?.[0];
  if (kind === undefined) return new RegExp(`(.)\\1{${LONG_RUN},}`).test(known);
  return new RegExp(`${kind}{${LONG_RUN},}`).test(known);
}

/** Whether the text is a parameter of a helper that nothing in its own file calls: another file does. */
export function isPassed(text: Node, facts: Facts): boolean {
  let node = unwrap(text);
  while (
    node.type === 'CallExpression' &&
    isMember(node.callee) &&
    /^(?:trim\w*|to\w+Case|normalize|toString)$/.test(memberName(node.callee) ?? '')
  )
    node = unwrap(node.callee.object);
  if (node.type === 'CallExpression' && node.callee.type === 'Identifier' && node.callee.name === 'String' && node.arguments[0])
    node = unwrap(node.arguments[0]);
  const binding = node.type === 'Identifier' ? facts.bindings.resolve(node) : undefined;
  if (binding?.kind !== 'param' || !isFunction(binding.declaration) || !facts.bindings.isConstant(binding)) return false;
  const fn = binding.declaration;
  const index = fn.params.indexOf(binding.identifier);
  // A function that is passed to another one gets its arguments from there.
  const parent = parentOf(fn);
  if (index < 0 || (isCall(parent) && parent.callee !== fn)) return false;
  return facts.calls.callersOf(fn).length === 0;
}

// The longest chain of variables and calls to follow.
const MAX_STEPS = 8;
/** Methods of texts whose result is as long as the text. */
const KEEPING = /^(?:trim\w*|to(?:Locale)?(?:Low|Upp)erCase|normalize|toString|replace|replaceAll)$/;

/**
 * The index of the parameter of the function around the use that the text is, or is a property of. Callers know where it is from.
 */
export function parameterOf(text: Node, use: Node, facts: Facts): number | undefined {
  let node = unwrap(text);
  for (let steps = 0; steps < MAX_STEPS; steps++) {
    if (isMember(node)) {
      if (/^(?:length|size)$/.test(memberName(node) ?? '')) return undefined;
      node = unwrap(node.object);
    } else if (isCall(node) && isMember(node.callee) && KEEPING.test(memberName(node.callee) ?? '')) node = unwrap(node.callee.object);
    else if (isCall(node) && node.callee.type === 'Identifier' && node.callee.name === 'String' && node.arguments[0])
      node = unwrap(node.arguments[0]);
    else if (node.type === 'LogicalExpression' && node.operator !== '&&') node = unwrap(node.left);
    else if (node.type === 'Identifier') {
      const binding = facts.bindings.resolve(node);
      if (!binding || !facts.bindings.isConstant(binding)) return undefined;
      const { declaration } = binding;
      if (binding.kind === 'param' && isFunction(declaration))
        return declaration === enclosingFunction(use) ? indexIn(declaration, binding.identifier) : undefined;
      if (declaration.type !== 'VariableDeclarator' || declaration.id !== binding.identifier || !declaration.init) return undefined;
      node = unwrap(declaration.init);
    } else return undefined;
  }
  return undefined;
}

function indexIn({ params }: FunctionNode, name: Node): number | undefined {
  const index = params.findIndex((param) => param === name || (param.type === 'AssignmentPattern' && param.left === name));
  return index < 0 ? undefined : index;
}

/**
 * The maximum length of the text before the expression is tested on it, if the source shows one: `text.slice(0, 100)`, `if (text.length >
 * 100) return`.
 */
export function limitOf(text: Node, use: Node, facts: Facts): number | undefined {
  const cut = cutTo(unwrap(text), facts);
  if (cut !== undefined) return cut;
  const name = facts.source.slice(unwrap(text));
  let limit: number | undefined;
  for (let fn = parentOf(use); fn; fn = parentOf(fn)) {
    const compared = isFunction(fn) ? (comparedIn(fn, facts).get(name) ?? []) : [];
    limit = compared[firstFrom(compared, startOf(use) + 1) - 1]?.limit ?? limit;
  }
  return limit;
}

interface ComparedLength {
  start: number;
  limit: number;
}

/** The comparisons of lengths in a function, in source order, by what has the length as it is written. */
function comparedIn(fn: FunctionNode, facts: Facts): ReadonlyMap<string, readonly ComparedLength[]> {
  const byFunction = facts.remember('compared lengths', () => new Map<Node, ReadonlyMap<string, readonly ComparedLength[]>>());
  const known = byFunction.get(fn);
  if (known) return known;
  const found = new Map<string, ComparedLength[]>();
  walkWithin(fn.body, (node) => {
    if (node.type !== 'BinaryExpression' || !/^[<>]=?$/.test(node.operator)) return;
    for (const [side, other] of [
      [node.left, node.right],
      [node.right, node.left],
    ] as const) {
      const length = unwrap(side);
      if (!isMember(length) || memberName(length) !== 'length') continue;
      const number = numberOf(other, facts.bindings);
      if (number !== undefined && number <= 1) continue;
      const name = facts.source.slice(length.object);
      const compared = { start: startOf(node), limit: number ?? 0 };
      const list = found.get(name);
      if (list) list.push(compared);
      else found.set(name, [compared]);
    }
  });
  byFunction.set(fn, found);
  return found;
}

function cutTo(node: Node, facts: Facts): number | undefined {
  if (node.type !== 'CallExpression' || !isMember(node.callee)) {
    if (node.type !== 'Identifier') return undefined;
    const declaration = facts.bindings.resolve(node)?.declaration;
    return declaration?.type === 'VariableDeclarator' && declaration.init && declaration.id.type === 'Identifier'
      ? cutTo(unwrap(declaration.init), facts)
      : undefined;
  }
  const method = memberName(node.callee);
  const [first, second] = node.arguments;
  if (/^(?:slice|substring|substr)$/.test(method ?? '') && first && second)
    return (numberOf(second, facts.bindings) ?? 0) - (numberOf(first, facts.bindings) ?? 0);
  return /^(?:trim\w*|to\w+Case|normalize|toString)$/.test(method ?? '') ? cutTo(unwrap(node.callee.object), facts) : undefined;
}
