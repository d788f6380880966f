// Assignments to process.env.NODE_ENV in code: what they write, and under which conditions.
import { isFunction, isMember, memberName, parentOf, unwrap, type Node, type t } from '../../analysis/module/ast.ts';
import type { Facts } from '../../analysis/facts/index.ts';

export interface NodeEnvWrite {
  node: t.AssignmentExpression;
  /** The literal that is written, always or if nothing was set before; undefined if it is computed. */
  value: string | undefined;
  literal: t.StringLiteral | undefined;
  /** Whether an existing value is kept: `||=`, `process.env.NODE_ENV || …`, `if (!process.env.NODE_ENV)`. */
  keepsOutside: boolean;
  /** Whether it runs whenever the module is loaded. Conditions that only test for an unset NODE_ENV do not count. */
  isCertain: boolean;
}

export function isNodeEnv(node: Node, facts: Facts): node is t.MemberExpression {
  const target = unwrap(node);
  if (!isMember(target) || memberName(target) !== 'NODE_ENV') return false;
  return facts.origins.isGlobal(target.object, 'process.env');
}

export function findNodeEnvWrites(facts: Facts): NodeEnvWrite[] {
  const writes: NodeEnvWrite[] = [];
  for (const node of facts.module.nodes('AssignmentExpression')) {
    if (!isNodeEnv(node.left, facts)) continue;
    const isDefaulting = node.operator === '||=' || node.operator === '??=';
    if (node.operator !== '=' && !isDefaulting) continue;
    const { literal, value, usesOutside } = readValue(node.right, facts);
    const around = conditionsAround(node, facts);
    writes.push({ node, literal, value, keepsOutside: isDefaulting || usesOutside || around.testsForUnset, isCertain: around.isCertain });
  }
  return writes;
}

function readValue(right: Node, facts: Facts): { literal: t.StringLiteral | undefined; value: string | undefined; usesOutside: boolean } {
  const node = unwrap(right);
  if (node.type === 'StringLiteral') return { literal: node, value: node.value, usesOutside: false };
  if (node.type === 'TemplateLiteral' && node.expressions.length === 0)
    return { literal: undefined, value: node.quasis[0]?.value.cooked ?? undefined, usesOutside: false };
  if (node.type === 'LogicalExpression' && node.operator !== '&&' && isNodeEnv(node.left, facts))
    return { ...readValue(node.right, facts), usesOutside: true };
  return { literal: undefined, value: undefined, usesOutside: false };
}

function conditionsAround(node: Node, facts: Facts): { testsForUnset: boolean; isCertain: boolean } {
  let testsForUnset = false;
  let isCertain = true;
  let from: Node = node;
  for (let at = parentOf(node); at; from = at, at = parentOf(at)) {
    if (isFunction(at) && !isImmediatelyCalled(at)) isCertain = false;
    else if (at.type === 'IfStatement' && at.test !== from) {
      if (at.consequent === from && isUnsetTest(at.test, facts)) testsForUnset = true;
      else isCertain = false;
    } else if (at.type === 'LogicalExpression' && at.right === from) {
      if ((at.operator === '&&' && isUnsetTest(at.left, facts)) || (at.operator !== '&&' && isNodeEnv(at.left, facts)))
        testsForUnset = true;
      else isCertain = false;
    } else if (at.type === 'ConditionalExpression' || at.type === 'SwitchCase' || at.type === 'CatchClause') isCertain = false;
  }
  return { testsForUnset, isCertain };
}

/**
 * `!process.env.NODE_ENV`, `process.env.NODE_ENV === undefined`, `typeof process.env.NODE_ENV === 'undefined'`, `!('NODE_ENV' in
 * process.env)`.
 */
function isUnsetTest(test: Node, facts: Facts): boolean {
  const node = unwrap(test);
  if (node.type === 'UnaryExpression' && node.operator === '!') {
    const inner = unwrap(node.argument);
    return (
      isNodeEnv(inner, facts) ||
      (inner.type === 'BinaryExpression' &&
        inner.operator === 'in' &&
        inner.left.type === 'StringLiteral' &&
        inner.left.value === 'NODE_ENV')
    );
  }
  if (node.type !== 'BinaryExpression' || (node.operator !== '===' && node.operator !== '==')) return false;
  const left = unwrap(node.left);
  const right = unwrap(node.right);
  if (left.type === 'UnaryExpression' && left.operator === 'typeof')
    return isNodeEnv(left.argument, facts) && right.type === 'StringLiteral' && right.value === 'undefined';
  return (
    isNodeEnv(left, facts) &&
    ((right.type === 'Identifier' && right.name === 'undefined') ||
      right.type === 'NullLiteral' ||
      (right.type === 'StringLiteral' && right.value === ''))
  );
}

function isImmediatelyCalled(fn: Node): boolean {
  const parent = parentOf(fn);
  return parent?.type === 'CallExpression' && parent.callee === fn;
}
