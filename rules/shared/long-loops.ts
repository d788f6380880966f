// Loops that are long by a constant in the source.
import { unwrap } from '../../analysis/module/ast.ts';
import type { Repetition } from '../../analysis/facts/hotness.ts';
import type { Facts } from '../../analysis/facts/index.ts';

/** Neither startup code nor a list of a request has a loop with this many iterations by a constant. Our choice. */
const LARGE = 1000;

/** `for (let i = 0; i < 1e6; i++)`, also `i < ROUNDS` with a constant: real work, wherever it is. */
export function isLongByConstant(facts: Facts, repetition: Repetition): boolean {
  if (repetition.atMost !== undefined) return repetition.atMost >= LARGE;
  const { node } = repetition;
  if (node.type !== 'ForStatement' || node.test?.type !== 'BinaryExpression') return false;
  const end = unwrap(node.test.right);
  const binding = end.type === 'Identifier' ? facts.bindings.resolve(end) : undefined;
  const init =
    binding?.declaration.type === 'VariableDeclarator' && facts.bindings.isConstant(binding) && binding.declaration.init
      ? unwrap(binding.declaration.init)
      : undefined;
  return init?.type === 'NumericLiteral' && init.value >= LARGE;
}
