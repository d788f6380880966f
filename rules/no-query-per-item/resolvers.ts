// Resolvers of fields of an element: GraphQL runs them for each element of a list.
import { enclosingFunction, parentOf, staticName, type CallNode, type Node, type t } from '../../analysis/module/ast.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';
import type { Facts } from '../../analysis/facts/index.ts';

/** `comments: { async resolve(expense) { return Comment.findAll({ where: { ExpenseId: expense.id } }); } }` */
export function isResolverOfElement(call: CallNode, facts: Facts): boolean {
  const fn = enclosingFunction(call);
  if (!fn) return false;
  const property = fn.type === 'ObjectMethod' ? fn : parentOf(fn);
  if (property?.type !== 'ObjectMethod' && property?.type !== 'ObjectProperty') return false;
  const handler = facts.handlers.handlers.find((one) => one.fn === fn);
  const isGraphql =
    handler?.route?.startsWith('FIELD ') === true ||
    (staticName(property.key, property.computed) === 'resolve' && /\bgraphql\b/.test(facts.source.text));
  if (!isGraphql || /^FIELD (?:Query|Mutation|Subscription|RootQuery\w*)\./.test(handler?.route ?? '')) return false;
  const [parent] = fn.params;
  const pattern = parent && (parent as Node).type === 'AssignmentPattern' ? (parent as t.AssignmentPattern).left : parent;
  if (!pattern) return false;
  let uses = false;
  for (const argument of call.arguments)
    walkWithin(argument, (inner) => {
      if (inner.type !== 'Identifier') return undefined;
      const binding = facts.bindings.resolve(inner);
      if (binding && binding.declaration === fn && isWithin(binding.identifier, pattern)) uses = true;
      return undefined;
    });
  return uses;
}

function isWithin(inner: Node, outer: Node): boolean {
  for (let at: Node | undefined = inner; at; at = parentOf(at)) if (at === outer) return true;
  return false;
}
