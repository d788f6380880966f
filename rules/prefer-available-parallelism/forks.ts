// Which expression says how often `cluster.fork()` is called, and what it counts.
import { constantOf, numberOf } from '../../analysis/facts/constants.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { isCall, isFunction, isMember, memberName, parentOf, unwrap, type Node, type t } from '../../analysis/module/ast.ts';

export type Count =
  | { kind: 'fixed'; node: Node; number: number }
  /** `os.cpus().length`. `name`, `object`: `cpus` and `os`, if one is a property of the other. */
  | { kind: 'machine'; node: Node; name: Node | undefined; object: Node | undefined };

// The longest chain of variables and operators to follow.
const MAX_STEPS = 6;
const PER_ITEM: ReadonlySet<string> = new Set(['forEach', 'map', 'from']);

/** The expression that bounds the loop around a call of `cluster.fork`; for loops over a list, the list. */
export function findForks(call: t.CallExpression, facts: Facts): Node | undefined {
  const callee = unwrap(call.callee);
  if (callee.type !== 'Identifier' && !isMember(callee)) return undefined;
  const origin = facts.origins.moduleMember(callee);
  if (origin?.module !== 'cluster' || origin.path.at(-1) !== 'fork') return undefined;
  for (let node: Node | undefined = call, child: Node = call; node; child = node, node = parentOf(node)) {
    if (node.type === 'ForStatement') return node.body === child ? boundOf(node) : undefined;
    if (node.type === 'ForOfStatement') return node.body === child ? node.right : undefined;
    if (isFunction(node)) return listOf(node);
  }
  return undefined;
}

/** `i < n` of a loop that starts at 0 and counts up. */
function boundOf({ init, test, update }: t.ForStatement): Node | undefined {
  if (test?.type !== 'BinaryExpression' || test.operator !== '<' || update?.type !== 'UpdateExpression' || update.operator !== '++')
    return undefined;
  const first =
    init?.type === 'VariableDeclaration' ? init.declarations[0]?.init : init?.type === 'AssignmentExpression' ? init.right : init;
  return first?.type === 'NumericLiteral' && first.value === 0 ? test.right : undefined;
}

/** `os.cpus().forEach(() => …)`, `Array.from({ length: n }, () => …)` */
function listOf(fn: Node): Node | undefined {
  const call = parentOf(fn);
  if (!isCall(call) || !isMember(call.callee) || !PER_ITEM.has(memberName(call.callee) ?? '')) return undefined;
  if (memberName(call.callee) !== 'from') return call.arguments[0] === fn ? call.callee.object : undefined;
  const first = call.arguments[0];
  if (call.arguments[1] !== fn || first?.type !== 'ObjectExpression') return undefined;
  const length = first.properties.find(
    (property): property is t.ObjectProperty =>
      property.type === 'ObjectProperty' && property.key.type === 'Identifier' && property.key.name === 'length',
  );
  return length?.value;
}

export function countOf(times: Node, facts: Facts): Count | undefined {
  const number = literalOf(times, facts, 0);
  if (number) return number;
  return machineOf(times, facts, 0);
}

/** A literal of two or more: one process alone is a supervisor that starts it again. */
function literalOf(expression: Node, facts: Facts, steps: number): Count | undefined {
  const node = unwrap(expression);
  if (node.type === 'NumericLiteral') return node.value >= 2 ? { kind: 'fixed', node, number: node.value } : undefined;
  const init = steps < MAX_STEPS ? constantOf(node, facts.bindings) : undefined;
  return init && numberOf(init, facts.bindings) !== undefined ? literalOf(init, facts, steps + 1) : undefined;
}

/** `os.cpus().length`, also as a default (`Number(env) || os.cpus().length`) and in a variable. */
function machineOf(expression: Node, facts: Facts, steps: number): Count | undefined {
  if (steps > MAX_STEPS) return undefined;
  const node = unwrap(expression);
  // `os.availableParallelism?.() ?? os.cpus().length`
  if (facts.source.slice(node).includes('availableParallelism')) return undefined;
  if (isMember(node) && memberName(node) === 'length') return listedBy(node.object, node, facts);
  if (isCall(node)) return listedBy(node, undefined, facts);
  if (node.type === 'LogicalExpression' && node.operator !== '&&') return machineOf(node.right, facts, steps + 1);
  if (node.type === 'ConditionalExpression')
    return machineOf(node.alternate, facts, steps + 1) ?? machineOf(node.consequent, facts, steps + 1);
  const init = constantOf(node, facts.bindings);
  return init ? machineOf(init, facts, steps + 1) : undefined;
}

/** `whole` is what stands for the number: without it, the list itself is walked, and no number can replace it. */
function listedBy(list: Node, whole: Node | undefined, facts: Facts): Count | undefined {
  const call = unwrap(list.type === 'Identifier' ? (constantOf(list, facts.bindings) ?? list) : list);
  if (!isCall(call)) return undefined;
  const callee = unwrap(call.callee);
  const origin = facts.origins.moduleMember(callee);
  if (origin?.module !== 'os' || origin.path.join('.') !== 'cpus') return undefined;
  const member = whole !== undefined && list === call && isMember(callee) && !callee.computed ? callee : undefined;
  return { kind: 'machine', node: whole ?? call, name: member?.property, object: member?.object };
}
