// Fix: a blocking call in the callback of an array's method, which cannot wait. `forEach` and `filter` become a loop, and `map` becomes
// `Promise.all`.
import {
  contains,
  enclosingFunction,
  endOf,
  isCall,
  isFunction,
  isMember,
  memberName,
  parentOf,
  startOf,
  unwrap,
  type FunctionNode,
  type Node,
  type t,
} from '../../analysis/module/ast.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { whyNoGap } from '../../analysis/fix/await-gap.ts';
import { hasCommentBetween } from '../../analysis/fix/blocks.ts';
import { getCodeStyle } from '../../analysis/fix/code-style.ts';
import { asyncEdits, bindsTighter, closingParenthesis, openingParenthesis, whyNoAwait } from '../../analysis/fix/make-async.ts';
import { sharedUses } from '../../analysis/fix/shared-state.ts';
import { applyEdits } from '../../analysis/module/edit.ts';
import { unlessMocked } from './stubs.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';
import type { Edit, Fix } from '../../analysis/rule.ts';
import { AsyncPlan } from './async-plan.ts';
import { startsProcess, type BlockingMatch } from './blocking.ts';
import { callEdits } from './call-edits.ts';
import { whySamePath } from './same-path.ts';

/** `list.map(callback)` in the function `outer`. */
interface Iteration {
  call: t.CallExpression;
  list: Node;
  method: 'forEach' | 'filter' | 'map';
  callback: t.ArrowFunctionExpression | t.FunctionExpression;
  parameter: t.Identifier | t.ObjectPattern | t.ArrayPattern;
  outer: FunctionNode;
}

/**
 * The fix, or undefined where the call is in no such callback, or more than waiting would change. `around`: the blocking calls of the
 * function around it, which would still block.
 */
export function convertCallback(
  match: BlockingMatch,
  facts: Facts,
  siblings: readonly BlockingMatch[],
  around: readonly BlockingMatch[] = [],
): Fix | undefined {
  const iteration = iterationOf(match, facts);
  if (!iteration || !isPrivate(iteration, facts)) return undefined;
  // Nobody writes a list of several lines into the head of a loop.
  if (iteration.method !== 'map' && facts.source.slice(iteration.list).includes('\n')) return undefined;
  const { call, callback, method, outer } = iteration;
  const inside = siblings.filter((one) => canConvert(one, iteration, facts));
  if (!inside.some((one) => one.call === match.call)) return undefined;
  const plan = new AsyncPlan(facts);
  if (plan.makeAsync(outer, call) !== undefined) return undefined;
  const outside = around.filter(
    (one) =>
      !('reason' in one.promiseForm) &&
      !startsProcess(one) &&
      plan.makeAsync(outer, one.call) === undefined &&
      whySamePath(one, outer, facts) === undefined,
  );
  const matches = [...inside, ...outside];
  const editsOf = (some: readonly BlockingMatch[]): Edit[] =>
    some.flatMap((one) => ('reason' in one.promiseForm ? [] : callEdits(one, one.promiseForm, facts)));
  const list = listWith(iteration, editsOf(outside), facts);
  const moved = plan.passesErrorsOn ? getCodeStyle(facts).indent : '';
  const rewritten =
    method === 'map'
      ? inParallel(iteration, facts)
      : method === 'forEach'
        ? asLoop(iteration, list, facts)
        : asFilteringLoop(iteration, list, moved, facts);
  if (!rewritten) return undefined;
  const own = editsOf(matches).filter((edit) => method === 'map' || !isInside(edit, iteration.list));
  const { promiseForm } = match;
  const what =
    matches.length === 1 && 'label' in promiseForm ? `\`${promiseForm.label}\`` : `promise forms (${matches.length} blocking calls)`;
  const title =
    method === 'map'
      ? `Convert to ${what} for all elements at once, with \`Promise.all\` (of several errors, the first in time counts)`
      : `Convert to ${what} in a loop instead of \`${method}\``;
  const fix = plan.fix(
    title,
    [...rewritten, ...(method === 'map' ? asyncEdits(callback, facts) : []), ...own],
    matches.map((one) => one.call.callee),
  );
  if (method === 'map') return { ...fix, ...unlessMocked(matches), named: 'parallel-calls' };
  return { ...fix, ...unlessMocked(matches), ...(matches.some(startsProcess) ? { named: 'child-process' } : {}) };
}

/** The list as the head of a loop has it: `for (const name of await readdir(folder))`. */
function listWith({ list }: Iteration, edits: readonly Edit[], facts: Facts): string {
  const from = startOf(list);
  const inside = edits.filter((edit) => isInside(edit, list)).map((edit) => ({ ...edit, start: edit.start - from, end: edit.end - from }));
  const text = applyEdits(facts.source.slice(list), inside);
  return inside.length > 0 && isCall(list) && text.startsWith('(await ') ? text.slice(1, -1) : text;
}

const isInside = ({ start, end }: Edit, node: Node): boolean => start >= startOf(node) && end <= endOf(node);

function iterationOf({ call: blocking }: BlockingMatch, facts: Facts): Iteration | undefined {
  const callback = enclosingFunction(blocking);
  if (callback?.type !== 'ArrowFunctionExpression' && callback?.type !== 'FunctionExpression') return undefined;
  const call = parentOf(callback);
  if (call?.type !== 'CallExpression' || call.arguments.length !== 1 || call.arguments[0] !== callback) return undefined;
  const { callee } = call;
  const method = callee.type === 'MemberExpression' ? memberName(callee) : undefined;
  if (callee.type !== 'MemberExpression' || (method !== 'forEach' && method !== 'filter' && method !== 'map')) return undefined;
  const [parameter, another] = callback.params;
  const isPlain = parameter?.type === 'Identifier' || parameter?.type === 'ObjectPattern' || parameter?.type === 'ArrayPattern';
  const outer = enclosingFunction(call);
  if (
    !outer ||
    !isPlain ||
    (another && method !== 'map') ||
    callback.async ||
    callback.generator ||
    callback.returnType ||
    callback.typeParameters
  )
    return undefined;
  return isArray(callee.object, facts) ? { call, list: callee.object, method, callback, parameter, outer } : undefined;
}

function isArray(list: Node, facts: Facts): boolean {
  if (facts.values.valueOf(list).kind === 'array') return true;
  const node = unwrap(list);
  const init = node.type === 'Identifier' ? constantOf(node, facts) : node;
  const made = init?.type === 'AwaitExpression' ? unwrap(init.argument) : init;
  const name = made?.type === 'CallExpression' ? facts.origins.moduleMember(made.callee)?.path.at(-1) : undefined;
  return name === (made === init ? 'readdirSync' : 'readdir');
}

function constantOf(identifier: t.Identifier, facts: Facts): Node | undefined {
  const binding = facts.bindings.resolve(identifier);
  const declaration = binding && facts.bindings.isConstant(binding) ? binding.declaration : undefined;
  return declaration?.type === 'VariableDeclarator' && declaration.id.type === 'Identifier' && declaration.init
    ? unwrap(declaration.init)
    : undefined;
}

/** Between two elements, other requests run; and with `map`, the elements themselves run at the same time. */
function isPrivate({ callback, call, outer, method }: Iteration, facts: Facts): boolean {
  const isChange = ({ access }: { access: string }): boolean => access !== 'read' && access !== 'ask';
  if (sharedUses(method === 'map' ? callback : outer, facts).some((use) => contains(call, use.node) && isChange(use))) return false;
  let plain = true;
  walkWithin(callback.body, (node) => {
    if (node.type === 'ThisExpression' && callback.type === 'FunctionExpression') plain = false;
    if (node.type === 'Identifier' && node.name === 'arguments') plain = false;
    return plain;
  });
  return plain;
}

function canConvert(match: BlockingMatch, { callback, method, outer }: Iteration, facts: Facts): boolean {
  return (
    !('reason' in match.promiseForm) &&
    // Nobody wants a process for each element at once.
    !(method === 'map' && startsProcess(match)) &&
    enclosingFunction(match.call) === callback &&
    whyNoAwait(callback, match.call) === undefined &&
    // In a loop, the callback's code is that of the function around it.
    whyNoGap(method === 'map' ? callback : outer, match.call, facts) === undefined &&
    whySamePath(match, callback, facts) === undefined
  );
}

/** `await Promise.all(list.map(async (element) => …))` */
function inParallel({ call }: Iteration, facts: Facts): Edit[] | undefined {
  if (parentOf(call)?.type === 'ArrayExpression' || isPromiseAll(parentOf(call))) return undefined;
  const tight = bindsTighter(call);
  return [
    { start: startOf(call), end: startOf(call), text: `${tight ? openingParenthesis(call, facts) : ''}await Promise.all(` },
    tight ? closingParenthesis(call, facts, ')') : { start: endOf(call), end: endOf(call), text: ')' },
  ];
}

function isPromiseAll(node: Node | undefined): boolean {
  return node?.type === 'CallExpression' && isMember(node.callee) && /^(?:all|allSettled|any|race)$/.test(memberName(node.callee) ?? '');
}

/** `for (const element of list) { … }` */
function asLoop({ call, callback, parameter }: Iteration, list: string, facts: Facts): Edit[] | undefined {
  const { body } = callback;
  const statement = parentOf(call);
  if (statement?.type !== 'ExpressionStatement' || body.extra?.['parenthesized'] || leavesOrDeclares(callback)) return undefined;
  if (hasCommentBetween(facts, startOf(call), startOf(body)) || hasCommentBetween(facts, endOf(body), endOf(statement))) return undefined;
  const { semicolon } = getCodeStyle(facts);
  return [
    { start: startOf(call), end: startOf(body), text: `${headOf(parameter, list, facts)} ` },
    { start: endOf(body), end: endOf(statement), text: body.type === 'BlockStatement' ? '' : semicolon },
  ];
}

/** `moved`: how far the lines move to the right. `const kept = []; for (const element of list) { if (…) kept.push(element); }` */
function asFilteringLoop({ call, callback, parameter }: Iteration, list: string, moved: string, facts: Facts): Edit[] | undefined {
  const { body } = callback;
  const declarator = parentOf(call);
  const declaration = declarator && parentOf(declarator);
  if (
    declarator?.type !== 'VariableDeclarator' ||
    declarator.id.type !== 'Identifier' ||
    declaration?.type !== 'VariableDeclaration' ||
    declaration.declarations.length !== 1 ||
    parentOf(declaration)?.type !== 'BlockStatement' ||
    parameter.type !== 'Identifier' ||
    body.type === 'BlockStatement' ||
    body.extra?.['parenthesized'] ||
    hasCommentBetween(facts, startOf(declaration), startOf(body)) ||
    hasCommentBetween(facts, endOf(body), endOf(declaration))
  )
    return undefined;
  const { lineBreak, indent, semicolon } = getCodeStyle(facts);
  const line = `${lineBreak}${moved}${facts.source.indentAt(startOf(declaration))}`;
  return [
    { start: startOf(call), end: startOf(body), text: `[]${semicolon}${line}${headOf(parameter, list, facts)} {${line}${indent}if (` },
    // With braces: many projects require them (`curly`), and none forbids them here.
    {
      start: endOf(body),
      end: endOf(declaration),
      text: `) {${line}${indent}${indent}${declarator.id.name}.push(${parameter.name})${semicolon}${line}${indent}}${line}}`,
    },
  ];
}

function headOf(parameter: Iteration['parameter'], list: string, facts: Facts): string {
  let isConstant = true;
  walkWithin(parameter, (node) => {
    const binding = node.type === 'Identifier' ? facts.bindings.resolve(node) : undefined;
    if (binding && binding.identifier === node) isConstant &&= facts.bindings.isConstant(binding);
    return true;
  });
  return `for (${isConstant ? 'const' : 'let'} ${facts.source.slice(parameter)} of ${list})`;
}

/** In a loop, `return` would leave the function, and `var` would be one variable for all elements. */
function leavesOrDeclares({ body }: Iteration['callback']): boolean {
  let found = false;
  walkWithin(body, (node) => {
    if (isFunction(node)) return false;
    found ||= node.type === 'ReturnStatement' || (node.type === 'VariableDeclaration' && node.kind === 'var');
    return !found;
  });
  return found;
}
