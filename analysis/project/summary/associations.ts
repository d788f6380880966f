// Getters that Sequelize gives to models: each call of `order.getItems()` sends a query.
// https://sequelize.org/docs/v6/core-concepts/assocs/#special-methodsmixins-added-to-instances
import { usesPackage } from '../../facts/queries.ts';
import type { Facts } from '../../facts/index.ts';
import { enclosingFunction, isMember, memberName, staticName, unwrap, type CallNode, type FunctionNode } from '../../module/ast.ts';
import { propertyValue } from '../../facts/handlers/route-paths.ts';

const ASSOCIATES = /^(?:belongsTo|hasOne|hasMany|belongsToMany)$/;
const TO_MANY = /Many$/;
const GETTER = /^(?:get|count)[A-Z]\w{0,80}$/;

/** `order.getItems()`, if the project uses Sequelize. Whether there is such an association, other files say. */
export function isAssociationCall(call: CallNode, facts: Facts): boolean {
  const callee = unwrap(call.callee);
  return (
    call.type !== 'NewExpression' &&
    isMember(callee) &&
    callee.object.type !== 'ThisExpression' &&
    GETTER.test(memberName(callee) ?? '') &&
    usesPackage(['sequelize'], facts)
  );
}

/** The calls of a file that may be such, with their functions. */
export function associationCalls(facts: Facts): { fn: FunctionNode; call: CallNode; name: string }[] {
  return facts.module.nodes('CallExpression').flatMap((call) => {
    const callee = unwrap(call.callee);
    const name = isMember(callee) ? memberName(callee) : undefined;
    const fn = name !== undefined && GETTER.test(name) && isAssociationCall(call, facts) ? enclosingFunction(call) : undefined;
    return fn && name !== undefined ? [{ fn, call, name }] : [];
  });
}

/** The getters that the associations of a file make: `Order.hasMany(models.Item)`, `Order.belongsTo(User, { as: 'buyer' })`. */
export function associationGetters(facts: Facts): readonly string[] {
  if (!usesPackage(['sequelize'], facts)) return [];
  return facts.module.nodes('CallExpression').flatMap((call) => {
    const callee = unwrap(call.callee);
    const kind = isMember(callee) ? (memberName(callee) ?? '') : '';
    const [target, second] = call.arguments;
    if (!ASSOCIATES.test(kind) || !target) return [];
    const options = second && unwrap(second);
    const alias = options?.type === 'ObjectExpression' ? propertyValue(options, 'as') : undefined;
    const given = alias && unwrap(alias);
    const model = unwrap(target);
    // `as: { singular, plural }`
    if (given && given.type !== 'StringLiteral') return [];
    const name = given?.type === 'StringLiteral' ? given.value : isMember(model) ? memberName(model) : staticName(model, false);
    if (name === undefined || !/^[A-Za-z]/.test(name)) return [];
    const own = name.charAt(0).toUpperCase() + name.slice(1);
    const names = TO_MANY.test(kind) && !given ? [own, pluralOf(own)] : [own];
    return names.flatMap((one) => (TO_MANY.test(kind) ? [`get${one}`, `count${one}`] : [`get${one}`]));
  });
}

function pluralOf(name: string): string {
  if (/[^aeiou]y$/.test(name)) return `${name.slice(0, -1)}ies`;
  return /(?:s|x|ch|sh)$/.test(name) ? `${name}es` : `${name}s`;
}
