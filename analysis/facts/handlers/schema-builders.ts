// The names of fields that Pothos and Nexus build: `FIELD User.posts` for `builder.objectType('User', { fields: (t) => ({ posts: t.field(…)
// }) })`.
import { isCall, isMember, memberName, parentOf, staticName, unwrap, type CallNode, type Node } from '../../module/ast.ts';
import type { HandlerSources } from './handler.ts';
import { nameOf, propertyValue, readText } from './route-paths.ts';

/** Calls around a field that name its type, or say that it is one of the roots. */
const OF_TYPE =
  /^(?:(?:object|interface)(?:Type|Fields?)|prismaObject(?:Fields?)?|prismaNode|loadableObject|loadableNode|node|extendType)$/;
const OF_FIELD = /^(?:query|mutation|subscription|object|interface|prismaObject)Field$/;
const OF_ROOT = /^(query|mutation|subscription)(?:Type|Fields?)$/;
const MAKES = /^(?:objectRef|interfaceRef|objectType|interfaceType|prismaObject|prismaNode|prismaInterface|loadableObject)$/;

export function routeOfField(call: CallNode, sources: HandlerSources): string | undefined {
  const [first] = call.arguments;
  let field = first ? staticName(unwrap(first), true) : undefined;
  for (let at = parentOf(call); at; at = parentOf(at)) {
    if (at.type === 'ObjectProperty') field ??= staticName(at.key, at.computed);
    if (!isCall(at)) continue;
    const name = methodOf(at);
    const root = OF_ROOT.exec(name)?.[1];
    const argument = at.arguments[0];
    // `builder.queryField('users', …)`, `builder.objectField('User', 'posts', …)`
    const named = root ? argument : at.arguments[1];
    if (OF_FIELD.test(name) && named) field ??= staticName(unwrap(named), true);
    const type = root ? root.charAt(0).toUpperCase() + root.slice(1) : typeOf(at, name, sources);
    if (type !== undefined) return field === undefined ? undefined : `FIELD ${type}.${field}`;
  }
  return undefined;
}

/** `builder.objectType('User', …)`, `builder.objectType(UserRef, …)`, `UserRef.implement(…)`, Nexus' `objectType({ name: 'User', … })` */
function typeOf(call: CallNode, name: string, sources: HandlerSources): string | undefined {
  const callee = unwrap(call.callee);
  if (name === 'implement' && isMember(callee)) return nameOfReference(callee.object, sources);
  if (!OF_TYPE.test(name)) return undefined;
  const [first] = call.arguments;
  const node = first && unwrap(first);
  if (!node) return undefined;
  if (node.type !== 'ObjectExpression') return nameOfReference(node, sources);
  const own = propertyValue(node, 'name') ?? propertyValue(node, 'type');
  return own && readText(own, sources);
}

function nameOfReference(expression: Node, sources: HandlerSources): string | undefined {
  const node = unwrap(expression);
  if (isCall(node)) {
    const [first] = node.arguments;
    return MAKES.test(methodOf(node)) && first ? nameOfReference(first, sources) : undefined;
  }
  const text = readText(node, sources);
  if (text !== undefined) return text;
  const declaration = node.type === 'Identifier' ? sources.bindings.resolve(node)?.declaration : undefined;
  const made = declaration?.type === 'VariableDeclarator' && declaration.init ? unwrap(declaration.init) : undefined;
  if (isCall(made) && MAKES.test(methodOf(made))) return nameOfReference(made, sources);
  return nameOf(node) || undefined;
}

function methodOf({ callee }: CallNode): string {
  const node = unwrap(callee);
  return node.type === 'Identifier' ? node.name : isMember(node) ? (memberName(node) ?? '') : '';
}
