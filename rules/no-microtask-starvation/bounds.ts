// Conditions that end a round of ticks or a loop after a small number of iterations that the source shows.
import { isCall, isMember, parentOf, unwrap, type FunctionNode, type Node, type t } from '../../analysis/module/ast.ts';
import type { Binding } from '../../analysis/facts/bindings.ts';
import { numberOf } from '../../analysis/facts/constants.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { SMALL_BOUND } from '../../analysis/facts/queue-hops.ts';

// From this many iterations on, a counted loop takes tens of milliseconds even if it is empty.
const LARGE_BOUND = 1_000_000;

/** Whether a condition counts to a number that is certainly large. */
export function isLong(facts: Facts, condition: Node): boolean {
  return leaves(condition).some((test) => (roundsOf(facts, test, []) ?? 0) >= LARGE_BOUND);
}

/** Whether one of the conditions counts to a small number. */
export function isShort(facts: Facts, conditions: readonly Node[], functions: readonly FunctionNode[] = []): boolean {
  return conditions.flatMap(leaves).some((test) => {
    const rounds = roundsOf(facts, test, functions);
    return rounds !== undefined && rounds <= SMALL_BOUND;
  });
}

/** The parts of `a && b || !c`. */
function leaves(test: Node): Node[] {
  const node = unwrap(test);
  if (node.type === 'LogicalExpression') return [...leaves(node.left), ...leaves(node.right)];
  if (node.type === 'UnaryExpression' && node.operator === '!') return leaves(node.argument);
  return [node];
}

/** How many iterations the test of a counter allows, as far as the source shows. */
function roundsOf(facts: Facts, test: Node, functions: readonly FunctionNode[]): number | undefined {
  if (test.type === 'BinaryExpression' && /^(?:[<>]=?|[!=]==?)$/.test(test.operator)) {
    const right = numberOf(test.right, facts.bindings);
    if (right !== undefined) return roundsOfCounter(facts, test.left, right, functions);
    const left = numberOf(test.left, facts.bindings);
    return left === undefined ? undefined : roundsOfCounter(facts, test.right, left, functions);
  }
  return roundsOfCounter(facts, test, 0, functions);
}

function roundsOfCounter(facts: Facts, counter: Node, limit: number, functions: readonly FunctionNode[]): number | undefined {
  const inner = unwrap(counter);
  const node = inner.type === 'UpdateExpression' ? unwrap(inner.argument) : inner;
  // `this.tries < 3`: such counters start at zero.
  if (isMember(node)) return limit > 0 && isCountedUp(facts, node) ? limit : undefined;
  if (node.type !== 'Identifier') return undefined;
  const binding = facts.bindings.resolve(node);
  if (!binding) return undefined;
  const isCounter = stepsOf(facts, binding, functions);
  if (!isCounter) return undefined;
  const start = startOfCounter(facts, binding, functions);
  if (start === undefined) return undefined;
  return Math.abs(limit - start);
}

/** Whether the file counts a member up: `this.tries++`, `state.tries += 1`. */
function isCountedUp(facts: Facts, member: Node): boolean {
  const text = facts.source.slice(member);
  return (
    facts.module.nodes('UpdateExpression').some((update) => update.operator === '++' && facts.source.slice(update.argument) === text) ||
    facts.module
      .nodes('AssignmentExpression')
      .some(
        (assignment) =>
          assignment.operator === '+=' &&
          facts.source.slice(assignment.left) === text &&
          numberOf(assignment.right, facts.bindings) !== undefined,
      )
  );
}

/** Whether a variable is counted up or down: `n++`, `n -= 1`, or passed on as `n + 1`. */
function stepsOf(facts: Facts, binding: Binding, functions: readonly FunctionNode[]): boolean {
  const index = parameterIndex(binding);
  return facts.bindings.references(binding).some((reference) => {
    const parent = parentOf(reference);
    if (parent?.type === 'UpdateExpression') return true;
    if (parent?.type === 'AssignmentExpression' && parent.left === reference)
      return (parent.operator === '+=' || parent.operator === '-=') && numberOf(parent.right, facts.bindings) !== undefined;
    if (parent?.type !== 'BinaryExpression' || (parent.operator !== '+' && parent.operator !== '-')) return false;
    const call = parentOf(parent);
    return index !== undefined && functions.includes(binding.scope as FunctionNode) && isCall(call) && call.arguments.includes(parent);
  });
}

/** The initial value of a counter: that of its declaration, or what every call from outside passes. */
function startOfCounter(facts: Facts, binding: Binding, functions: readonly FunctionNode[]): number | undefined {
  const { declaration } = binding;
  if (declaration.type === 'VariableDeclarator')
    return declaration.init && declaration.id === binding.identifier ? numberOf(declaration.init, facts.bindings) : undefined;
  const index = parameterIndex(binding);
  if (index === undefined) return undefined;
  const fn = binding.scope as FunctionNode;
  const param = fn.params[index];
  const byDefault = param?.type === 'AssignmentPattern' ? numberOf(param.right, facts.bindings) : undefined;
  const starts: (number | undefined)[] = [];
  for (const { from, edge } of facts.calls.callersOf(fn)) {
    if (functions.includes(from as FunctionNode)) continue;
    const passed = isCall(edge.site) ? argumentOf(edge.site, index) : undefined;
    starts.push(passed ? numberOf(passed, facts.bindings) : byDefault);
  }
  if (starts.length === 0) return byDefault;
  return starts.every((start) => start !== undefined) ? Math.max(...(starts as number[])) : undefined;
}

function argumentOf(call: t.CallExpression | t.OptionalCallExpression | t.NewExpression, index: number): Node | undefined {
  const callee = unwrap(call.callee);
  // `process.nextTick(fn, n)` passes the arguments after the function.
  const isPassed = isMember(callee) && callee.property.type === 'Identifier' && callee.property.name === 'nextTick';
  return call.arguments[index + (isPassed ? 1 : 0)];
}

function parameterIndex(binding: Binding): number | undefined {
  if (binding.kind !== 'param') return undefined;
  const fn = binding.scope as FunctionNode;
  const index = fn.params.findIndex(
    (param) => param === binding.identifier || (param.type === 'AssignmentPattern' && param.left === binding.identifier),
  );
  return index < 0 ? undefined : index;
}
