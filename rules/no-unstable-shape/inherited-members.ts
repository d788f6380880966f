// What objects of a constructor inherit: a field of that name, even an undefined one, would hide it.
import { isCall, isClass, isMember, memberName, parentOf, staticName, type Node } from '../../analysis/module/ast.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import type { Constructor } from './conditional-fields.ts';

/** Why one of the names cannot be a field from the start; undefined if nothing of that name is inherited. */
export function whyHidden(facts: Facts, made: Constructor, names: readonly string[]): string | undefined {
  const plain = names.find((name) => name in Object.prototype);
  if (plain !== undefined) return `every object inherits \`${plain}\`, and the field would hide it. Give the field another name`;
  const owner = made.type === 'ClassMethod' ? parentOf(parentOf(made) ?? made) : undefined;
  if (isClass(owner)) {
    if (owner.superClass)
      return 'the constructor of the base class runs first, and the field could hide a member of that class. Declare the fields there';
    const member = owner.body.body.map((one) => memberNameOf(one)).find((name) => name !== undefined && names.includes(name));
    if (member !== undefined) return `the class has a member \`${member}\`, which the field would hide. Give the field another name`;
  }
  const id = isClass(owner) ? owner.id : made.type === 'ClassMethod' ? undefined : made.id;
  const binding = id ? facts.bindings.resolve(id) : undefined;
  if (!binding && made.type === 'FunctionExpression') return 'what the prototype of the constructor holds is not known';
  for (const reference of binding ? facts.bindings.references(binding) : []) {
    const parent = parentOf(reference);
    if (!parent) continue;
    // `inherits(Parser, Base)`, `mixin(Parser)`
    if (isCall(parent) && parent.callee !== reference)
      return `\`${facts.source.slice(parent)}\` may give it members that the field would hide. Declare the field in the class by hand if it has none of that name`;
    if (!isMember(parent) || parent.object !== reference || memberName(parent) !== 'prototype') continue;
    const outer = parentOf(parent);
    const name = isMember(outer) && outer.object === parent ? memberName(outer) : undefined;
    if (name === undefined) return 'its prototype is replaced or passed on, so the field could hide a member';
    if (names.includes(name)) return `its prototype has a member \`${name}\`, which the field would hide. Give the field another name`;
  }
  return undefined;
}

function memberNameOf(member: Node): string | undefined {
  return member.type === 'ClassMethod' || member.type === 'ClassProperty' || member.type === 'ClassAccessorProperty'
    ? staticName(member.key, member.computed === true)
    : undefined;
}
