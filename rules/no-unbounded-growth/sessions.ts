// Sessions without a store: `express-session` then keeps all of them in memory.
import type { Facts } from '../../analysis/facts/index.ts';
import { isMember, memberName, parentOf, staticName, unwrap, type CallNode, type Node } from '../../analysis/module/ast.ts';

export function isSessionWithoutStore(call: CallNode, facts: Facts): boolean {
  if (call.type !== 'CallExpression' || call.arguments.length > 1) return false;
  const origin = facts.origins.moduleMember(call.callee);
  if (origin?.module !== 'express-session' || origin.path.length > 0) return false;
  const [options] = call.arguments;
  return !options || hasNoStore(unwrap(options), facts);
}

function hasNoStore(options: Node, facts: Facts): boolean {
  if (options.type === 'ObjectExpression')
    return options.properties.every((one) => {
      if (one.type === 'SpreadElement') return false;
      const name = staticName(one.key, one.computed);
      return name !== undefined && name !== 'store';
    });
  if (options.type !== 'Identifier') return false;
  const binding = facts.bindings.resolve(options);
  const declaration = binding?.declaration;
  if (!binding || declaration?.type !== 'VariableDeclarator' || declaration.id !== binding.identifier || !declaration.init) return false;
  if (
    !facts.bindings.isConstant(binding) ||
    unwrap(declaration.init).type !== 'ObjectExpression' ||
    !hasNoStore(unwrap(declaration.init), facts)
  )
    return false;
  // `options.store = …`, or anything that may do so.
  return facts.bindings.references(binding).every((reference) => {
    const parent = parentOf(reference);
    return reference === options || (isMember(parent) && parent.object === reference && !['store', undefined].includes(memberName(parent)));
  });
}
