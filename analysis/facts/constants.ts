// Constant numbers and strings: literals, simple arithmetic on them, and names of constants.
import { staticName, unwrap, type Node } from '../module/ast.ts';
import type { Bindings } from './bindings.ts';

// The longest chain of constants to follow.
const MAX_STEPS = 6;

/** The value of a numeric constant expression. */
export function numberOf(expression: Node | undefined, bindings: Bindings, steps = 0): number | undefined {
  if (!expression || steps > MAX_STEPS) return undefined;
  const node = unwrap(expression);
  if (node.type === 'NumericLiteral') return node.value;
  if (node.type === 'BinaryExpression') {
    const left = numberOf(node.left, bindings, steps + 1);
    const right = numberOf(node.right, bindings, steps + 1);
    return left === undefined || right === undefined ? undefined : calculated(node.operator, left, right);
  }
  const init = constantOf(node, bindings);
  return init ? numberOf(init, bindings, steps + 1) : undefined;
}

/** The operators with which people write sizes: `64 * 1024`, `1 << 26`, `2 ** 26`. */
export function calculated(operator: string, left: number, right: number): number | undefined {
  switch (operator) {
    case '*':
      return left * right;
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '<<':
      return left << right;
    case '**':
      return left ** right;
    default:
      return undefined;
  }
}

/** The value of a string literal or constant. */
export function textOf(expression: Node, bindings: Bindings, steps = 0): string | undefined {
  const node = unwrap(expression);
  if (steps > MAX_STEPS) return undefined;
  const text = node.type === 'StringLiteral' || node.type === 'TemplateLiteral' ? staticName(node, true) : undefined;
  if (text !== undefined) return text;
  const init = constantOf(node, bindings);
  return init ? textOf(init, bindings, steps + 1) : undefined;
}

/** The initial value of a `const`, or of a variable that is never written again. */
export function constantOf(node: Node, bindings: Bindings): Node | undefined {
  if (node.type !== 'Identifier') return undefined;
  const binding = bindings.resolve(node);
  if (binding?.declaration.type !== 'VariableDeclarator' || binding.declaration.id !== binding.identifier || !binding.declaration.init)
    return undefined;
  return bindings.isConstant(binding) ? binding.declaration.init : undefined;
}
