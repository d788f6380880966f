// `for (let i = 0; i <= list.length; i++)` that reads `list[i]`: the last iteration reads past the end.
import {
  contains,
  endOf,
  isFunction,
  isMember,
  memberName,
  parentOf,
  startOf,
  unwrap,
  type Node,
  type t,
} from '../../analysis/module/ast.ts';
import type { Binding } from '../../analysis/facts/bindings.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';
import type { Fix, RefusedFix } from '../../protocol/finding.ts';
import { plainName, waitsWithin } from './rounds.ts';

export interface OverrunLoop {
  /** `i <= list.length` */
  test: t.BinaryExpression;
  index: string;
  list: string;
  /** `list.length`, or the variable that holds it. */
  end: string;
  reads: readonly Node[];
  /** Whether the code checks for `undefined` after the read, so that the extra iteration is intended. */
  isIntended: boolean;
}

export function findOverrunLoops(facts: Facts): OverrunLoop[] {
  const found: OverrunLoop[] = [];
  for (const type of ['ForStatement', 'WhileStatement'] as const) {
    for (const loop of facts.module.nodes(type)) {
      // One that waits in each iteration takes its time for that.
      const one = loop.test && !waitsWithin(loop.body) && check(facts, loop.test, loop.body);
      if (one) found.push(one);
    }
  }
  return found;
}

function check(facts: Facts, condition: Node, body: Node): OverrunLoop | undefined {
  const test = unwrap(condition);
  if (test.type !== 'BinaryExpression' || (test.operator !== '<=' && test.operator !== '>=')) return undefined;
  const [small, large] = test.operator === '<=' ? [test.left, test.right] : [test.right, test.left];
  if (small.type !== 'Identifier') return undefined;
  const index = facts.bindings.resolve(small);
  const list = index && listOf(facts, large);
  if (!index || !list) return undefined;
  const reads: Node[] = [];
  let isSafe = false;
  let isIntended = false;
  walkWithin(body, (node) => {
    if (isFunction(node)) return false;
    // The body checks the end itself, changes the index, or makes the list longer, so it is unknown what is read.
    if (node !== test && node.type === 'BinaryExpression' && mentionsEnd(facts, node, index, list)) isSafe = true;
    if (isWriteTo(facts, node, index) || isGrowth(node, list)) isSafe = true;
    if (isMember(node) && node.computed && plainName(node.object) === list && isIndex(facts, node.property, index)) {
      const parent = parentOf(node);
      if (isWriteTarget(node, parent)) isSafe = true;
      else {
        reads.push(node);
        if (isChecked(facts, node, parent)) isIntended = true;
      }
    }
    return true;
  });
  return reads.length > 0 && !isSafe ? { test, index: index.name, list, end: facts.source.slice(large), reads, isIntended } : undefined;
}

/** `list` in `list.length`, also through `const n = list.length`. */
function listOf(facts: Facts, end: Node): string | undefined {
  const node = unwrap(end);
  if (isMember(node)) return memberName(node) === 'length' ? plainName(node.object) : undefined;
  if (node.type !== 'Identifier') return undefined;
  const binding = facts.bindings.resolve(node);
  if (
    binding?.declaration.type !== 'VariableDeclarator' ||
    binding.declaration.id !== binding.identifier ||
    !binding.declaration.init ||
    !facts.bindings.isConstant(binding)
  )
    return undefined;
  const init = unwrap(binding.declaration.init);
  return isMember(init) && memberName(init) === 'length' ? plainName(init.object) : undefined;
}

function isIndex(facts: Facts, node: Node, index: Binding): boolean {
  const inner = unwrap(node);
  return inner.type === 'Identifier' && facts.bindings.resolve(inner) === index;
}

const DEEPEST_SUM = 20;

const COMPARING = /^[=!<>]=?=?$/;

/** `i === list.length`, `i < n` */
function mentionsEnd(facts: Facts, node: t.BinaryExpression, index: Binding, list: string): boolean {
  if (node.operator === 'in') return isIndex(facts, node.left, index);
  if (!COMPARING.test(node.operator)) return false;
  const sides = [node.left, node.right];
  return sides.some((side) => isIndex(facts, side, index)) && sides.some((side) => mentionsLength(facts, side, list));
}

function mentionsLength(facts: Facts, node: Node, list: string, depth = 0): boolean {
  const inner = unwrap(node);
  // Deeper sums are assumed to check the end: nothing is reported then.
  if (depth > DEEPEST_SUM) return true;
  if (inner.type === 'BinaryExpression')
    return mentionsLength(facts, inner.left, list, depth + 1) || mentionsLength(facts, inner.right, list, depth + 1);
  return listOf(facts, inner) === list;
}

function isWriteTo(facts: Facts, node: Node, index: Binding): boolean {
  if (node.type === 'UpdateExpression') return isIndex(facts, node.argument, index) && !isLastStep(node);
  return node.type === 'AssignmentExpression' && isIndex(facts, node.left, index);
}

/** `while (i <= list.length) { …; i++; }`: the increment at the end of the body, after every read. */
function isLastStep(node: t.UpdateExpression): boolean {
  const statement = parentOf(node);
  const block = statement && parentOf(statement);
  return (
    statement?.type === 'ExpressionStatement' &&
    block?.type === 'BlockStatement' &&
    parentOf(block)?.type === 'WhileStatement' &&
    block.body.at(-1) === statement
  );
}

function isGrowth(node: Node, list: string): boolean {
  return (
    node.type === 'CallExpression' &&
    isMember(node.callee) &&
    /^(?:push|unshift|splice)$/.test(memberName(node.callee) ?? '') &&
    plainName(node.callee.object) === list
  );
}

function isWriteTarget(node: Node, parent: Node | undefined): boolean {
  return (
    (parent?.type === 'AssignmentExpression' && parent.left === node) ||
    parent?.type === 'UpdateExpression' ||
    (parent?.type === 'UnaryExpression' && parent.operator === 'delete')
  );
}

/** `list[i] === undefined`, `!list[i]`, `list[i] && …`, `list[i]?.x`, and the same for a variable that holds it. */
function isChecked(facts: Facts, read: Node, parent: Node | undefined): boolean {
  if (isCheck(read, parent)) return true;
  if (parent?.type !== 'VariableDeclarator' || parent.id.type !== 'Identifier') return false;
  const binding = facts.bindings.resolve(parent.id);
  return (
    binding !== undefined &&
    facts.bindings.references(binding).some((reference) => startOf(reference) > startOf(read) && isCheck(reference, parentOf(reference)))
  );
}

function isCheck(node: Node, parent: Node | undefined): boolean {
  switch (parent?.type) {
    case 'UnaryExpression':
      return parent.operator === '!' || parent.operator === 'typeof';
    case 'LogicalExpression':
      return parent.left === node || parent.right !== node;
    case 'IfStatement':
    case 'ConditionalExpression':
      return parent.test === node;
    case 'OptionalMemberExpression':
    case 'OptionalCallExpression':
      return contains(parent, node) && parent.optional === true;
    case 'BinaryExpression':
      return (
        /^[=!]==?$/.test(parent.operator) &&
        [parent.left, parent.right].some((side) => side.type === 'NullLiteral' || (side.type === 'Identifier' && side.name === 'undefined'))
      );
    default:
      return false;
  }
}

/** `<=` to `<`. */
export function stopBeforeEnd(facts: Facts, found: OverrunLoop): Fix | RefusedFix {
  const title = `Stop at \`${found.index} < ${found.end}\``;
  if (found.isIntended)
    return {
      title,
      reason: 'the code checks for undefined, so the iteration past the end may be intended. If it is not, remove the check',
    };
  const from = endOf(found.test.left);
  const between = facts.source.text.slice(from, startOf(found.test.right));
  const at = between.indexOf(found.test.operator);
  if (!/^\s*[<>]=\s*$/.test(between)) return { title, reason: 'there is a comment next to the operator. Move it out of the condition' };
  return {
    title: `${title} (skips the iteration that reads undefined)`,
    kind: 'suggestion',
    edits: [{ start: from + at, end: from + at + 2, text: found.test.operator.slice(0, 1) }],
  };
}
