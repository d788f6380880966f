// Which models of Sequelize a file creates in bulk. Nothing else runs their hooks `beforeBulkCreate` and `afterBulkCreate`:
// https://sequelize.org/docs/v6/other-topics/hooks/#model-hooks
import { endOf, isCall, isMember, memberName, parentOf, staticName, unwrap, type Node } from '../../module/ast.ts';
import { propertyValue } from '../handlers/route-paths.ts';
import type { Facts } from '../index.ts';

/** Packages that create in bulk what a request names. */
const CREATING = /feathers|adminjs|admin-bro|finale|epilogue|umzug|fixtures|restful|crud|nestjs-query/;

/** The name of the model that a call defines: `sequelize.define('User', …)`, `User.init(…)`. */
export function definedModel(site: Node, { project: { manifest } }: Facts): string | undefined {
  const callee = isCall(site) ? unwrap(site.callee) : undefined;
  if (!isCall(site) || !isMember(callee) || Object.keys(manifest?.dependencies ?? {}).some((name) => CREATING.test(name))) return undefined;
  if (memberName(callee) === 'init') return lastName(callee.object);
  const [first] = site.arguments;
  return memberName(callee) === 'define' && first ? staticName(unwrap(first), true) : undefined;
}

/** By the names in the text; '' for one that it does not name. */
export function modelsCreatedInBulk({ module, source: { text } }: Facts): readonly string[] {
  const found = new Set<string>();
  if (text.includes('bulkCreate')) {
    let known = 0;
    for (const type of ['MemberExpression', 'OptionalMemberExpression'] as const)
      for (const member of module.nodes(type))
        if (memberName(member) === 'bulkCreate') {
          // Rows of an included model are created with their own hooks.
          const call = parentOf(member);
          const isAlone = isCall(call) && call.callee === member && !/\binclude\b/.test(text.slice(endOf(member), endOf(call)));
          found.add((isAlone && lastName(member.object)) || '');
          known++;
        }
    // `const { bulkCreate } = User`, `User[method]`
    if (text.split('bulkCreate').length - 1 > known) found.add('');
  }
  // `belongsToMany(Role, { through: UserRole })`: `user.addRoles(…)` creates rows of `UserRole` in bulk.
  if (text.includes('through'))
    for (const property of module.nodes('ObjectProperty'))
      if (staticName(property.key, property.computed) === 'through') {
        const value = unwrap(property.value);
        found.add(lastName(value.type === 'ObjectExpression' ? (propertyValue(value, 'model') ?? value) : value) ?? '');
      }
  return [...found];
}

/** `User` of `db.User`. A variable such as `model` or `repository` may hold any. */
function lastName(expression: Node): string | undefined {
  const node = unwrap(expression);
  if (node.type === 'StringLiteral') return node.value;
  const name = isMember(node) ? memberName(node) : node.type === 'Identifier' && /^[A-Z]/.test(node.name) ? node.name : undefined;
  return name === undefined || /model|repo|entity|table|store|schema/i.test(name) ? undefined : name;
}

/** Whether a name may stand for a model: `users`, `DbUser` for `User`; not `UserRole`. */
export function mayNameModel(name: string, model: string): boolean {
  const [one = '', other = ''] = [name, model].map((text) =>
    text.toLowerCase().replace(/[_-]/g, '').replace(/ies$/, 'y').replace(/s$/, ''),
  );
  return one.endsWith(other) || other.endsWith(one);
}
