// Conditions of the knowledge table, asked of one call's arguments. What cannot be seen does not hold.
import { isCall, isFunction, isMember, staticName, unwrap, type CallNode, type Node } from '../../analysis/ast.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import type { BlockingCondition } from '../../knowledge/blocking-call.ts';

export function meetsCondition(call: CallNode, when: BlockingCondition, facts: Facts): boolean {
  const args = call.arguments;
  if (args.some((argument) => argument.type === 'SpreadElement')) return false;
  if (when.noCallbackFrom !== undefined && args.slice(when.noCallbackFrom).some((argument) => mayBeFunction(argument, facts))) return false;
  if (when.sizeArgument) {
    const size = numberOf(args[when.sizeArgument.index], facts);
    if (size === undefined || size < when.sizeArgument.atLeast) return false;
  }
  if (when.numberArgument !== undefined && numberOf(args[when.numberArgument], facts) === undefined) return false;
  if (when.pathArgument !== undefined && !isPath(args[when.pathArgument], facts)) return false;
  const { unlessOption } = when;
  if (unlessOption !== undefined && args.some((argument) => setsOption(argument, unlessOption))) return false;
  return true;
}

function mayBeFunction(argument: Node, facts: Facts): boolean {
  const node = unwrap(argument);
  if (isFunction(node)) return true;
  // A name, a member or a call may hold one; a literal, an object or an array does not.
  return node.type === 'Identifier' ? numberOf(node, facts) === undefined && textOf(node, facts) === undefined && node.name !== 'undefined' : isMember(node) || isCall(node);
}

// Longest chain of constants that is followed.
const MAX_STEPS = 6;

/** The number that an expression of literals and constants gives. */
export function numberOf(expression: Node | undefined, facts: Facts, steps = 0): number | undefined {
  if (!expression || steps > MAX_STEPS) return undefined;
  const node = unwrap(expression);
  if (node.type === 'NumericLiteral') return node.value;
  if (node.type === 'BinaryExpression') {
    const left = numberOf(node.left, facts, steps + 1);
    const right = numberOf(node.right, facts, steps + 1);
    if (left === undefined || right === undefined) return undefined;
    switch (node.operator) {
      case '*':
        return left * right;
      case '+':
        return left + right;
      case '<<':
        return left << right;
      case '**':
        return left ** right;
      default:
        return undefined;
    }
  }
  const init = constantOf(node, facts);
  return init ? numberOf(init, facts, steps + 1) : undefined;
}

/** The text that a literal or a constant gives. */
export function textOf(expression: Node, facts: Facts, steps = 0): string | undefined {
  const node = unwrap(expression);
  if (steps > MAX_STEPS) return undefined;
  const text = node.type === 'StringLiteral' || node.type === 'TemplateLiteral' ? staticName(node, true) : undefined;
  if (text !== undefined) return text;
  const init = constantOf(node, facts);
  return init ? textOf(init, facts, steps + 1) : undefined;
}

function constantOf(node: Node, facts: Facts): Node | undefined {
  if (node.type !== 'Identifier') return undefined;
  const binding = facts.bindings.resolve(node);
  if (binding?.declaration.type !== 'VariableDeclarator' || binding.declaration.id !== binding.identifier || !binding.declaration.init) return undefined;
  return facts.bindings.isConstant(binding) ? binding.declaration.init : undefined;
}

/** Whether an argument is surely a file's path: text, or what `path.join` and its like give. */
function isPath(argument: Node | undefined, facts: Facts): boolean {
  if (!argument) return false;
  const node = unwrap(argument);
  if (node.type === 'StringLiteral' || node.type === 'TemplateLiteral') return true;
  if (isCall(node)) return facts.origins.moduleMember(node.callee)?.module === 'path';
  if (node.type === 'BinaryExpression' && node.operator === '+') return isPath(node.left, facts) || isPath(node.right, facts);
  const init = constantOf(node, facts);
  return init !== undefined && init !== node && isPath(init, facts);
}

function setsOption(argument: Node, name: string): boolean {
  const node = unwrap(argument);
  return node.type === 'ObjectExpression' && node.properties.some((property) => property.type === 'ObjectProperty' && staticName(property.key, property.computed) === name && !(property.value.type === 'BooleanLiteral' && !property.value.value));
}
