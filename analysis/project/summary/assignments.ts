// How values flow into variables, members and patterns.
import { isMember, memberName, staticName, unwrap, type Node, type t } from '../../module/ast.ts';
import { EXPORTS_NODE, FIRST_EXPORTS_NODE } from './builder.ts';
import { constantKey, evaluate, isExportsObject, isPlain, memberOf, merged, PLAIN_GLOBALS, siteOf } from './expressions.ts';
import { getterName, setterName, type Flow } from './walk.ts';
import { ofFunction } from './function-flow.ts';
import { ANY_NAME, ELEMENT, INDEXES, Op } from './format.ts';
import { readTypeOf } from './type-flow.ts';

export function ofAssignment(flow: Flow, node: t.AssignmentExpression): number {
  if (node.operator !== '=' && !/^(?:\?\?|\|\||&&)=$/.test(node.operator)) {
    evaluate(flow, node.right, false);
    evaluate(flow, node.left, false);
    return 0;
  }
  const right = unwrap(node.right);
  if (isMember(node.left) && isMember(right) && copiesMember(flow, node.left, right)) {
    // `for (const name in plugin) api[name] = plugin[name]`
    evaluate(flow, right.property, false);
    const from = evaluate(flow, right.object);
    flow.out.op(Op.Mix, evaluate(flow, node.left.object), from);
    return memberOf(flow, right, from);
  }
  let value: number;
  let holder: number | undefined;
  if (isMember(node.left) && right.type === 'FunctionExpression') {
    const base = evaluate(flow, node.left.object);
    value = ofFunction(flow, right, { node: base, base: 0, isStatic: false });
    if (!isPlain(node.left.object)) holder = base;
  } else value = evaluate(flow, node.right);
  // `api[key] = promisify(api[key])` for every key: each function keeps its name.
  const isWrapping = isMember(node.left) && memberName(node.left) === undefined && flow.slice(node.right).includes(flow.slice(node.left));
  if (isMember(node.left)) assignMember(flow, node.left, isWrapping ? 0 : value, holder);
  else assign(flow, node.left, isWrapping ? 0 : value);
  return value;
}

function copiesMember(
  flow: Flow,
  to: t.MemberExpression | t.OptionalMemberExpression,
  from: t.MemberExpression | t.OptionalMemberExpression,
): boolean {
  return (
    memberName(to) === undefined &&
    memberName(from) === undefined &&
    flow.slice(to.property) === flow.slice(from.property) &&
    flow.slice(to.object) !== flow.slice(from.object)
  );
}

/** Assigns a value to a variable, a member or a pattern. `isWalked`: what the target computes was walked before. */
export function assign(flow: Flow, target: Node, value: number, isWalked = false): void {
  const { out } = flow;
  switch (target.type) {
    case 'Identifier': {
      const binding = flow.binding(target.name);
      if (binding) out.copy(flow.nodeOf(binding), value);
      else if (target.name === 'exports') out.copy(FIRST_EXPORTS_NODE, value);
      else if (value !== 0 && !PLAIN_GLOBALS.has(target.name)) {
        out.store(flow.global('globalThis'), out.text(target.name), value);
        if (flow.makesGlobal(target.name)) out.copy(flow.global(target.name), value);
      }
      return;
    }
    case 'MemberExpression':
    case 'OptionalMemberExpression':
      if (!isWalked || isPlain(target)) assignMember(flow, target, value);
      return;
    case 'AssignmentPattern':
      if ('typeAnnotation' in target.left && target.left.typeAnnotation)
        assign(flow, target.left, readTypeOf(flow, target.left.typeAnnotation));
      assign(flow, target.left, isWalked ? value : merged(flow, [value, evaluate(flow, target.right)]), isWalked);
      return;
    case 'ObjectPattern':
      for (const property of target.properties) {
        if (property.type === 'RestElement') assign(flow, property.argument, value, isWalked);
        else {
          if (property.computed && !isWalked) evaluate(flow, property.key, false);
          const name = staticName(property.key, property.computed);
          if (name !== undefined && value !== 0 && flow.getters.has(name))
            out.call({ site: siteOf(flow, property, property.key), callee: flow.load(value, getterName(name)), self: value });
          assign(flow, property.value, value === 0 ? 0 : out.load(value, name === undefined ? ANY_NAME : out.text(name)), isWalked);
        }
      }
      return;
    case 'ArrayPattern':
      target.elements.forEach((element, i) => {
        if (!element) return;
        if (element.type === 'RestElement') assign(flow, element.argument, value, isWalked);
        else assign(flow, element, value === 0 ? 0 : out.load(value, out.text(INDEXES[i] ?? ELEMENT)), isWalked);
      });
      return;
    case 'RestElement':
      assign(flow, target.argument, value, isWalked);
      return;
    case 'TSParameterProperty':
      assign(flow, target.parameter, value, isWalked);
      return;
    default: {
      const inner = unwrap(target);
      if (inner !== target) assign(flow, inner, value, isWalked);
    }
  }
}

/** `holder`: the node of the object, if it was walked before. */
function assignMember(flow: Flow, target: t.MemberExpression | t.OptionalMemberExpression, value: number, holder?: number): void {
  const { out } = flow;
  if (target.computed) evaluate(flow, target.property, false);
  if (isExportsObject(flow, target)) {
    out.copy(EXPORTS_NODE, value);
    return;
  }
  const name = memberName(target) ?? constantKey(flow, target);
  const isSetter = name !== undefined && flow.setters.has(name);
  const base = holder ?? openObject(flow, target.object, value !== 0 || isSetter);
  if (isSetter && base !== 0)
    out.call({ site: siteOf(flow, target, target.property), callee: flow.load(base, setterName(name)), self: base, args: [value] });
  if (name === '__proto__' && base !== 0 && value !== 0) {
    out.op(Op.Mix, base, value);
    return;
  }
  out.store(base, name === undefined ? ANY_NAME : out.text(/^\d+$/.test(name) ? ELEMENT : name), value);
}

/** The node of an object that is written to. On the path to it, objects of packages get the named properties. */
function openObject(flow: Flow, expression: Node, wanted: boolean): number {
  const node = unwrap(expression);
  if (!isMember(node) || !wanted || isExportsObject(flow, node)) return evaluate(flow, node, wanted);
  const base = openObject(flow, node.object, true);
  if (node.computed) evaluate(flow, node.property, false);
  return memberOf(flow, node, base, memberName(node) !== 'prototype');
}

export function ofDeclarator(flow: Flow, declarator: t.VariableDeclarator): void {
  const { id, init } = declarator;
  const value = init ? evaluate(flow, init) : 0;
  const type = 'typeAnnotation' in id && id.typeAnnotation ? readTypeOf(flow, id.typeAnnotation) : 0;
  const both = merged(flow, [value, type]);
  if (both !== 0 || id.type !== 'Identifier') assign(flow, id, both);
}
