// Whether an argument may be a function at run time, for handlers that stand in other files.
import { isFunction, unwrap, type Node } from '../../ast.ts';
import type { HandlerSources } from '../handlers.ts';

// `const a = b; const b = c`: real code needs one or two steps.
const MAX_STEPS = 4;

/** An options object never is, except for one that holds a handler. */
export function mayBeFunction(argument: Node, sources: HandlerSources, steps = 0): boolean {
  const node = argument.type === 'SpreadElement' ? unwrap(argument.argument) : unwrap(argument);
  if (isFunction(node)) return true;
  switch (node.type) {
    case 'Identifier': {
      if (node.name === 'undefined') return false;
      const binding = sources.bindings.resolve(node);
      const declaration = binding?.declaration;
      if (!binding || declaration?.type !== 'VariableDeclarator' || declaration.id !== binding.identifier || !declaration.init) return true;
      return steps >= MAX_STEPS || !sources.bindings.isConstant(binding) || mayBeFunction(declaration.init, sources, steps + 1);
    }
    case 'MemberExpression':
    case 'OptionalMemberExpression':
    case 'CallExpression':
    case 'OptionalCallExpression':
      return true;
    case 'ArrayExpression':
      return node.elements.length > 0 && node.elements.every((element) => element !== null && mayBeFunction(element, sources, steps + 1));
    case 'LogicalExpression':
      return mayBeFunction(node.right, sources, steps + 1);
    case 'ConditionalExpression':
      return mayBeFunction(node.consequent, sources, steps + 1) || mayBeFunction(node.alternate, sources, steps + 1);
    case 'AssignmentExpression':
      return mayBeFunction(node.right, sources, steps + 1);
    case 'ObjectExpression':
      return node.properties.some((property) => property.type !== 'SpreadElement' && property.key.type === 'Identifier' && property.key.name === 'handler');
    default:
      return false;
  }
}
