// How values flow through classes: members, constructors, inheritance, injected parameters.
import { isCall, isMember, memberName, staticName, unwrap, type ClassNode, type Node, type t } from '../../module/ast.ts';
import { assign } from './assignments.ts';
import { cradleFor, inject, provideById } from './container-flow.ts';
import { evaluate, merged } from './expressions.ts';
import { getterName, setterName, type Flow } from './walk.ts';
import { ofFunction, resultOf } from './function-flow.ts';
import { ITERATOR, ObjectFlag, ObjectKind, Op } from './format.ts';
import { implementedType, readTypeOf } from './type-flow.ts';

export function readClass(flow: Flow, node: ClassNode): number {
  const { out } = flow;
  for (const decorator of node.decorators ?? []) evaluate(flow, decorator.expression, false);
  const base = node.superClass ? evaluate(flow, node.superClass) : 0;
  const opened = flow.open(node);
  const constructor = node.body.body.find(
    (member): member is t.ClassMethod => member.type === 'ClassMethod' && member.kind === 'constructor',
  );
  const instance = out.object(ObjectKind.Instance, -1, -1, node.id ? out.text(node.id.name) : -1);
  const object = out.object(ObjectKind.Class, -1, instance, node.id ? out.text(node.id.name) : -1);
  out.setCounterpart(instance, object);
  for (const [index, name] of keptCallbacks(flow, node, constructor)) out.keep(object, index, out.text(name));
  if (node.type === 'ClassDeclaration' && node.abstract) out.setObjectFlags(instance, ObjectFlag.Abstract);
  const holder = out.holding(object);
  const self = out.holding(instance);
  // Subclasses implement what an abstract class calls on itself.
  if (node.type === 'ClassDeclaration' && node.abstract) out.op(Op.Instance, self, holder);
  if (node.id) {
    const own = flow.binding(node.id.name);
    if (own?.declaration === node) out.copy(flow.nodeOf(own), holder);
  }
  if (base !== 0) {
    out.op(Op.Inherit, object, base);
    out.op(Op.Extend, instance, base);
  }
  for (const one of node.implements ?? []) {
    const type = implementedType(flow, one);
    if (type !== 0) out.op(Op.Implements, self, type);
  }
  if (constructor) {
    ofFunction(flow, constructor, { node: self, base, isStatic: false });
    const index = flow.functionIndexes.get(constructor) ?? -1;
    out.setConstructor(object, index);
    readConstructorParameters(flow, constructor, index, self);
    if (constructor.params.length > 0) out.copy(out.firstParameterOf(index), cradleFor(flow, node));
  }
  provideById(flow, node, self);
  const outer = flow.frame;
  // What initializes a field runs when the class is constructed.
  const maker = constructor ? (flow.functionIndexes.get(constructor) ?? -1) : -1;
  for (const member of node.body.body) if (member !== constructor) readMember(flow, member, object, instance, holder, self, base, maker);
  flow.frame = outer;
  if (opened) flow.close();
  return holder;
}

function readMember(
  flow: Flow,
  member: t.ClassBody['body'][number],
  object: number,
  instance: number,
  holder: number,
  self: number,
  base: number,
  maker: number,
): void {
  const { out } = flow;
  const isStatic = 'static' in member && Boolean(member.static);
  const outer = flow.frame;
  const owner = isStatic ? holder : self;
  if (member.type === 'StaticBlock') {
    flow.frame = { ...outer, self: holder, base, isStatic: true };
    const opened = flow.open(member);
    for (const statement of member.body) evaluate(flow, statement, false);
    if (opened) flow.close();
    flow.frame = outer;
    return;
  }
  if (member.type === 'TSIndexSignature' || member.type === 'TSDeclareMethod') return;
  for (const decorator of ('decorators' in member ? member.decorators : undefined) ?? []) evaluate(flow, decorator.expression, false);
  const computed = 'computed' in member && Boolean(member.computed);
  if (computed) evaluate(flow, member.key, false);
  const name = staticName(member.key, computed);
  const at = name === undefined ? -1 : out.text(name);
  const target = isStatic ? object : instance;
  if (member.type === 'ClassMethod' || member.type === 'ClassPrivateMethod') {
    const method = ofFunction(flow, member, { node: owner, base, isStatic });
    if (member.kind === 'get') {
      out.field(target, at, resultOf(flow, member));
      if (name !== undefined) out.field(target, out.text(getterName(name)), method);
    } else if (member.kind === 'method') out.field(target, isIterator(member) ? out.text(ITERATOR) : at, method);
    else if (member.kind === 'set' && name !== undefined) out.field(target, out.text(setterName(name)), method);
    return;
  }
  flow.frame = { ...outer, self: owner, base, isStatic, ...(isStatic || maker < 0 ? {} : { fn: maker }) };
  const { value } = member;
  const inner = value ? unwrap(value) : undefined;
  const held = inner?.type === 'FunctionExpression' ? ofFunction(flow, inner, { node: owner, base: 0, isStatic }) : evaluate(flow, value);
  const type = 'typeAnnotation' in member && member.typeAnnotation ? readTypeOf(flow, member.typeAnnotation) : 0;
  const injected = injectedBy(flow, 'decorators' in member ? member.decorators : undefined, true);
  flow.frame = outer;
  // A property may also be assigned elsewhere, so it is not a declared member.
  const both = merged(flow, [held, type, injected]);
  if (at >= 0) out.store(owner, at, both);
}

/** `*[Symbol.iterator]() { … }`: what a loop over the object runs. */
export function isIterator(member: t.ClassMethod | t.ClassPrivateMethod | t.ObjectMethod): boolean {
  const key = 'computed' in member && member.computed ? member.key : undefined;
  return (
    isMember(key) && key.object.type === 'Identifier' && key.object.name === 'Symbol' && /^(?:i|asyncI)terator$/.test(memberName(key) ?? '')
  );
}

/**
 * The functions that a constructor only keeps, and that the class calls: index of the parameter, and name of the property. `new
 * Lazy(read).get()` runs `read`, and no function of another `new Lazy`.
 */
function keptCallbacks(flow: Flow, node: ClassNode, constructor: t.ClassMethod | undefined): [number, string][] {
  if (!constructor || constructor.params.length === 0) return [];
  const text = flow.facts.source.slice(node.body);
  const indexes = new Map<string, number>();
  const kept: [number, string][] = [];
  constructor.params.forEach((param, i) => {
    const inner = param.type === 'TSParameterProperty' ? param.parameter : param;
    const target = inner.type === 'AssignmentPattern' ? inner.left : inner;
    if (target.type !== 'Identifier') return;
    indexes.set(target.name, i);
    if (param.type === 'TSParameterProperty') kept.push([i, target.name]);
  });
  for (const statement of constructor.body.body) {
    const assignment = statement.type === 'ExpressionStatement' ? unwrap(statement.expression) : undefined;
    if (assignment?.type !== 'AssignmentExpression' || assignment.operator !== '=' || !isMember(assignment.left)) continue;
    const name = assignment.left.object.type === 'ThisExpression' ? memberName(assignment.left) : undefined;
    const value = unwrap(assignment.right);
    const index = value.type === 'Identifier' ? indexes.get(value.name) : undefined;
    if (name !== undefined && index !== undefined) kept.push([index, name]);
  }
  return kept.filter(([, name]) => ['(', '?.(', '.call(', '.apply('].some((call) => text.includes(`this.${name}${call}`)));
}

function readConstructorParameters(flow: Flow, constructor: t.ClassMethod, index: number, self: number): void {
  const { out } = flow;
  const first = out.firstParameterOf(index);
  constructor.params.forEach((param, i) => {
    const node = first + i;
    const injected = injectedBy(flow, 'decorators' in param ? param.decorators : undefined, false);
    out.copy(node, injected);
    if (param.type !== 'TSParameterProperty') return;
    const target = param.parameter.type === 'AssignmentPattern' ? param.parameter.left : param.parameter;
    if (target.type === 'Identifier') out.store(self, out.text(target.name), node);
    else assign(flow, target, node);
  });
}

/** `@Inject(TOKEN)`: what the container provides for the token. `isWalked`: the decorators were walked before. */
function injectedBy(flow: Flow, decorators: readonly t.Decorator[] | null | undefined, isWalked: boolean): number {
  for (const { expression } of decorators ?? []) {
    const call: Node = unwrap(expression);
    if (!isCall(call) || call.callee.type !== 'Identifier' || !/^(?:[Ii]nject|InjectRepository|Autowired)$/.test(call.callee.name))
      continue;
    const [token] = call.arguments;
    if (token) return inject(flow, lazyToken(unwrap(token)), isWalked);
  }
  return 0;
}

/** `forwardRef(() => Users)`, `() => Users`, `delay(() => Users)` */
function lazyToken(token: Node): Node {
  if (token.type === 'ArrowFunctionExpression' && token.body.type !== 'BlockStatement') return unwrap(token.body);
  if (isCall(token) && token.callee.type === 'Identifier' && /^(?:forwardRef|delay)$/.test(token.callee.name) && token.arguments[0])
    return lazyToken(unwrap(token.arguments[0]));
  return token;
}
