// How values flow into functions and out of them, and through object literals, whose methods are functions.
import { functionName, startOf, staticName, unwrap, type FunctionNode, type Node, type t } from '../../module/ast.ts';
import { assign } from './assignments.ts';
import { isIterator } from './class-flow.ts';
import { readProvider } from './container-flow.ts';
import { evaluate, readBlock } from './expressions.ts';
import { getterName, setterName, type Flow, type Frame } from './walk.ts';
import { ANY_NAME, ELEMENT, FunctionFlag, ITERATOR, ObjectKind, Op, SiteFlag } from './format.ts';
import { leaveCallback } from './repeats.ts';
import { noteObjectRow } from './route-parts.ts';
import { readTypeOf } from './type-flow.ts';

function nameFunction(flow: Flow, node: t.FunctionDeclaration | t.FunctionExpression, holder: number): void {
  const own = node.id ? flow.binding(node.id.name) : undefined;
  if (own?.declaration === node) flow.out.copy(flow.nodeOf(own), holder);
}

/** Records a function: its record, its object and its body. */
export function ofFunction(flow: Flow, node: FunctionNode, self?: { node: number; base: number; isStatic: boolean }): number {
  const { out } = flow;
  const isArrow = node.type === 'ArrowFunctionExpression';
  const flags =
    (isArrow ? FunctionFlag.Arrow : 0) |
    (node.async ? FunctionFlag.Async : 0) |
    (node.generator ? FunctionFlag.Generator : 0) |
    (node.params.at(-1)?.type === 'RestElement' ? FunctionFlag.Rest : 0) |
    (node.type === 'ClassMethod' && (node.accessibility === 'private' || node.accessibility === 'protected') ? FunctionFlag.Restricted : 0);
  const made = out.function(functionName(node), startOf(node), startOf(node.body), node.params.length, flags, flow.frame.fn);
  const object = out.object(ObjectKind.Function, made.index);
  flow.functionIndexes.set(node, made.index);
  flow.functionObjects.set(node, object);
  const holder = out.holding(object);
  const outer = flow.frame;
  const flagsBefore = flow.flags;
  const frame: Frame = isArrow
    ? { ...outer, fn: made.index, node, result: made.result, generated: -1, loop: undefined, waits: 0, isCatching: false, hasThrown: false }
    : {
        fn: made.index,
        node,
        result: made.result,
        self: made.self,
        arguments: 0,
        generated: node.generator ? out.object(ObjectKind.Literal) : -1,
        base: self?.base ?? 0,
        isStatic: self?.isStatic ?? false,
        loop: undefined,
        waits: 0,
        isCatching: false,
        hasThrown: false,
      };
  if (self) out.copy(made.self, self.node);
  if (frame.generated >= 0) out.put(made.result, frame.generated);
  flow.frame = frame;
  flow.flags &= SiteFlag.DevelopmentOnly;
  // The name of a declaration belongs to the scope around it, even if its body or parameters redeclare it. The name of an expression
  // belongs to its own scope.
  if (node.type === 'FunctionDeclaration') nameFunction(flow, node, holder);
  const opened = flow.open(node);
  if (node.type === 'FunctionExpression') nameFunction(flow, node, holder);
  node.params.forEach((param, i) => readParameter(flow, param, made.first + i));
  const type = node.returnType ? readTypeOf(flow, node.returnType) : 0;
  if (type) out.copy(made.result, type);
  const firstSite = out.sites.length;
  if (node.body.type === 'BlockStatement') readBlock(flow, node.body);
  else out.copy(made.result, evaluate(flow, node.body));
  leaveCallback(flow, node, firstSite);
  if (opened) flow.close();
  if (!isArrow && frame.arguments !== 0) out.addFunctionFlag(made.index, FunctionFlag.Arguments);
  if (isArrow && frame.arguments !== outer.arguments) outer.arguments = frame.arguments;
  flow.frame = outer;
  flow.flags = flagsBefore;
  return holder;
}

function readParameter(flow: Flow, param: Node, node: number): void {
  const { out } = flow;
  if (param.type === 'RestElement') {
    const array = out.object(ObjectKind.Array);
    out.field(array, out.text(ELEMENT), node);
    const list = out.holding(array);
    assign(flow, param.argument, list);
    const binding = param.argument.type === 'Identifier' ? flow.binding(param.argument.name) : undefined;
    if (binding) out.op(Op.Rest, node, flow.nodeOf(binding));
    return;
  }
  const pattern = param.type === 'TSParameterProperty' ? param.parameter : param;
  const target = pattern.type === 'AssignmentPattern' ? pattern.left : pattern;
  if (pattern.type === 'AssignmentPattern') {
    const value = evaluate(flow, pattern.right);
    out.copy(node, value);
    if (value !== 0) out.op(Op.Default, node, value);
  }
  if ('typeAnnotation' in target && target.typeAnnotation) out.copy(node, readTypeOf(flow, target.typeAnnotation));
  if (target.type === 'Identifier') {
    const binding = flow.binding(target.name);
    // With two declarations (`function f(a) { var a }`), the first node stands for both.
    if (binding && binding.identifier === target) flow.setNode(binding, node);
    else if (binding) out.copy(flow.nodeOf(binding), node);
  } else assign(flow, target, node);
}

export function resultOf(flow: Flow, fn: FunctionNode): number {
  const index = flow.functionIndexes.get(fn);
  return index === undefined ? 0 : flow.out.resultOf(index);
}

export function ofObject(flow: Flow, node: t.ObjectExpression): number {
  const { out } = flow;
  const object = flow.literal();
  const holder = out.holding(object);
  let isProvider = false;
  for (const property of node.properties) {
    if (property.type === 'SpreadElement') {
      const from = evaluate(flow, property.argument);
      flow.values.set(property.argument, from);
      if (from !== 0) out.op(Op.Inherit, object, from);
      continue;
    }
    if (property.computed) evaluate(flow, property.key, false);
    const name = staticName(property.key, property.computed);
    isProvider ||= name === 'provide';
    const at = name === undefined ? ANY_NAME : out.text(name);
    if (property.type === 'ObjectMethod') {
      const method = ofFunction(flow, property, { node: holder, base: 0, isStatic: false });
      // The value of a getter is what it returns.
      if (property.kind === 'method') out.field(object, isIterator(property) ? out.text(ITERATOR) : at, method);
      else if (property.kind === 'get') out.field(object, at, resultOf(flow, property));
      if (property.kind !== 'method' && name !== undefined)
        out.field(object, out.text(property.kind === 'get' ? getterName(name) : setterName(name)), method);
      continue;
    }
    const value = unwrap(property.value);
    if (value.type === 'FunctionExpression') {
      const method = ofFunction(flow, value, { node: holder, base: 0, isStatic: false });
      flow.values.set(property.value, method);
      out.field(object, at, method);
    } else {
      const held = evaluate(flow, property.value);
      flow.values.set(property.value, held);
      if (name === '__proto__' && !property.computed && !property.shorthand && held !== 0) out.op(Op.Inherit, object, held);
      else out.field(object, at, held);
    }
  }
  if (isProvider) readProvider(flow, node);
  noteObjectRow(flow, object, holder, node);
  return holder;
}
