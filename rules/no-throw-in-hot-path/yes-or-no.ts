// Tries whose only results are yes and no, and what all fixes of a try share.
import { endOf, isCall, isMember, memberName, parentOf, startOf, unwrap, type Node, type t } from '../../analysis/module/ast.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { getCodeStyle } from '../../analysis/fix/code-style.ts';
import { hasComment } from '../../analysis/fix/blocks.ts';
import type { Edit, Fix, RefusedFix } from '../../protocol/finding.ts';
import type { GuardedTry } from './catch-clause.ts';

export interface Offer {
  fixes: Fix[];
  refused: RefusedFix[];
}

export type RunsOn = (range: string) => boolean;

export const NOTHING: Offer = { fixes: [], refused: [] };

/** One statement in place of the whole try. */
export function replaceTry(node: GuardedTry, text: string): Edit[] {
  return [{ start: startOf(node), end: endOf(node), text }];
}

// ---- yes or no: `try { attempt(); return true } catch { return false }`

/** Whether the whole try can be written as one check. */
export function isPlainTest(facts: Facts, node: GuardedTry, culprit: Node): boolean {
  return yesOrNo(facts, node, culprit, '') !== undefined || booleanCast(facts, node, culprit, '') !== undefined;
}

/** `return <check>;` or `name = <check>;` for a try and a catch whose results are only yes and no. */
export function yesOrNo(facts: Facts, node: GuardedTry, call: Node, check: string): string | undefined {
  if (!isYesOrNo(node) || node.finalizer || node.handler.body.body.length !== 1 || node.block.body.length !== 2 || hasComment(facts, node))
    return undefined;
  const [attempt, yes] = node.block.body;
  if (!attempt || !yes || !isOnlyCalling(facts, attempt, call)) return undefined;
  const [no] = node.handler.body.body;
  const semicolon = getCodeStyle(facts).semicolon;
  if (yes.type === 'ReturnStatement' && no?.type === 'ReturnStatement') {
    const sign = yes.argument?.type === 'BooleanLiteral' && yes.argument.value ? '' : '!';
    return `return ${sign}${check}${semicolon}`;
  }
  if (
    yes.type === 'ExpressionStatement' &&
    no?.type === 'ExpressionStatement' &&
    yes.expression.type === 'AssignmentExpression' &&
    no.expression.type === 'AssignmentExpression'
  ) {
    if (
      facts.source.slice(yes.expression.left) !== facts.source.slice(no.expression.left) ||
      yes.expression.operator !== '=' ||
      no.expression.operator !== '='
    )
      return undefined;
    const sign = yes.expression.right.type === 'BooleanLiteral' && yes.expression.right.value ? '' : '!';
    return `${facts.source.slice(yes.expression.left)} = ${sign}${check}${semicolon}`;
  }
  return undefined;
}

/** Whether a statement only makes the call: its value is dropped, or goes into a variable that is never read. */
export function isOnlyCalling(facts: Facts, statement: t.Statement, call: Node): boolean {
  if (statement.type === 'ExpressionStatement')
    return (
      unwrap(statement.expression) === call || (statement.expression.type === 'UnaryExpression' && statement.expression.argument === call)
    );
  if (statement.type !== 'VariableDeclaration' || statement.declarations.length !== 1) return false;
  const [declarator] = statement.declarations;
  if (!declarator?.init || unwrap(declarator.init) !== call || declarator.id.type !== 'Identifier') return false;
  const binding = facts.bindings.resolve(declarator.id);
  return binding !== undefined && facts.bindings.references(binding).length === 0;
}

/** `try { return Boolean(new URL(x)) } catch { return false }` */
export function booleanCast(facts: Facts, node: GuardedTry, probe: Node, check: string): string | undefined {
  const [tried] = node.block.body;
  const [caught] = node.handler.body.body;
  if (node.block.body.length !== 1 || node.handler.body.body.length !== 1 || node.finalizer || hasComment(facts, node)) return undefined;
  if (
    tried?.type !== 'ReturnStatement' ||
    !tried.argument ||
    caught?.type !== 'ReturnStatement' ||
    caught.argument?.type !== 'BooleanLiteral' ||
    caught.argument.value
  )
    return undefined;
  const value = unwrap(tried.argument);
  const isCast =
    (value.type === 'CallExpression' &&
      value.callee.type === 'Identifier' &&
      value.callee.name === 'Boolean' &&
      value.arguments[0] === probe) ||
    (value.type === 'UnaryExpression' &&
      value.operator === '!' &&
      value.argument.type === 'UnaryExpression' &&
      value.argument.operator === '!' &&
      value.argument.argument === probe);
  return isCast ? `return ${check}${getCodeStyle(facts).semicolon}` : undefined;
}

/** Whether the results of try and catch are only two constants: `true` and `false`. */
export function isYesOrNo(node: GuardedTry): boolean {
  const tried = answerOf(node.block.body.at(-1));
  const caught = answerOf(node.handler.body.body.at(-1));
  return tried !== undefined && caught !== undefined && tried !== caught;
}

function answerOf(statement: t.Statement | undefined): boolean | undefined {
  const value =
    statement?.type === 'ReturnStatement'
      ? statement.argument
      : statement?.type === 'ExpressionStatement' && statement.expression.type === 'AssignmentExpression'
        ? statement.expression.right
        : undefined;
  return value?.type === 'BooleanLiteral' ? value.value : undefined;
}

/** Whether a value is asked what it is: `typeof value`, `value?.id`, `value && value.id`, `Array.isArray(value)`. */
export function isAsked(value: Node): boolean {
  const user = parentOf(value);
  switch (user?.type) {
    case 'UnaryExpression':
      return user.operator === 'typeof';
    case 'BinaryExpression':
      return user.operator === 'instanceof' ? user.left === value : user.operator === 'in' && user.right === value;
    case 'OptionalMemberExpression':
      return user.optional && user.object === value;
    case 'LogicalExpression':
      return user.operator === '&&' && user.left === value;
    case 'ConditionalExpression':
    case 'IfStatement':
      return user.test === value;
    case 'CallExpression':
      return isCall(user) && user.callee !== value && isMember(user.callee) && /^is[A-Z]/.test(memberName(user.callee) ?? '');
    default:
      return false;
  }
}
