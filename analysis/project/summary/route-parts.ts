// The parts of a registration (method, path and handler) that only its callers or a route table determine: parameters, members of rows, and
// the texts that calls and rows pass for them.
import {
  contains,
  isCall,
  isFunction,
  isMember,
  memberName,
  parentOf,
  staticName,
  unwrap,
  type CallNode,
  type FunctionNode,
  type Node,
  type t,
} from '../../module/ast.ts';
import type { Binding } from '../../facts/bindings.ts';
import { textOf } from '../../facts/constants.ts';
import { walkWithin } from '../../module/module-index.ts';
import type { Flow } from './walk.ts';
import { ANY_NAME, ELEMENT, INDEXES, Op, type RoutePart, type RouteParts } from './format.ts';

const HTTP_METHOD = /^(?:get|post|put|patch|delete|del|head|options|all|any|use|\*)$/i;
// `const a = row; const { path } = a;`
const MAX_STEPS = 4;

/**
 * `setup(router, 'get', '/users', show)`: the texts, for a function that registers its arguments. To be called after the call was recorded.
 */
export function noteTexts(flow: Flow, call: CallNode): void {
  const { out } = flow;
  if (call.arguments.length < 2 || !call.arguments.some(mayBePath)) return;
  call.arguments.forEach((argument, i) => {
    const text = textIn(flow, argument);
    if (text !== undefined && isPathOrMethod(text)) out.op(Op.ArgumentText, i, out.text(text));
  });
}

/** `{ method: 'get', path: '/users', handler: show }`: the texts of a row, so that its path stays with its handler. */
export function noteObjectRow(flow: Flow, object: number, holder: number, { properties }: t.ObjectExpression): void {
  if (
    !properties.some((property) => property.type === 'ObjectProperty' && mayBePath(property.value)) ||
    !properties.some((property) => property.type !== 'ObjectProperty' || !isText(property.value))
  )
    return;
  for (const property of properties)
    if (property.type === 'ObjectProperty') noteField(flow, object, staticName(property.key, property.computed), property.value);
  flow.rows.set(holder, object);
}

/** `['get', '/users', show]` */
export function noteArrayRow(flow: Flow, object: number, holder: number, { elements }: t.ArrayExpression): void {
  if (!elements.some((element) => element && mayBePath(element)) || !elements.some((element) => element && !isText(element))) return;
  elements.forEach((element, i) => {
    if (element) noteField(flow, object, INDEXES[i], element);
  });
  flow.rows.set(holder, object);
}

function noteField(flow: Flow, object: number, name: string | undefined, value: Node): void {
  const { out } = flow;
  const text = textIn(flow, value);
  if (name !== undefined && text !== undefined && isPathOrMethod(text)) out.op(Op.FieldText, object, out.text(name), out.text(text));
}

function isText(node: Node): boolean {
  return node.type === 'StringLiteral' || node.type === 'TemplateLiteral';
}

/** A cheap check first, because every call and literal is tested. */
function mayBePath(node: Node): boolean {
  if (node.type === 'StringLiteral') return isPath(node.value);
  if (node.type !== 'TemplateLiteral') return false;
  const head = node.quasis[0]?.value.cooked ?? '';
  return head.startsWith('/') || (head === '' && node.expressions.length > 0);
}

/** A string, or a template of literals and constants. */
function textIn(flow: Flow, node: Node): string | undefined {
  return isText(node) ? constantText(flow, node) : undefined;
}

/** The value of a constant expression: literals, constants, templates and sums of these. */
export function constantText(flow: Flow, expression: Node): string | undefined {
  const node = unwrap(expression);
  if (node.type === 'BinaryExpression' && node.operator === '+') {
    const left = constantText(flow, node.left);
    const right = left === undefined ? undefined : constantText(flow, node.right);
    return right === undefined ? undefined : `${left}${right}`;
  }
  if (node.type !== 'TemplateLiteral') return textOf(node, flow.bindings);
  let text = '';
  for (const [i, quasi] of node.quasis.entries()) {
    const inner = node.expressions[i];
    const value = inner ? constantText(flow, inner) : '';
    if (value === undefined) return undefined;
    text += (quasi.value.cooked ?? '') + value;
  }
  return text;
}

function isPath(text: string | undefined): boolean {
  return text !== undefined && (text.startsWith('/') || text === '*');
}

function isPathOrMethod(text: string): boolean {
  return isPath(text) || HTTP_METHOD.test(text);
}

/** Undefined if nobody can determine them. */
export function routeParts(flow: Flow, method: string | Node | undefined, path: Node, prefix: string): RouteParts | undefined {
  const parts = partsOf(flow, unwrap(path));
  const name = typeof method === 'object' ? partOf(flow, methodIn(unwrap(method))) : method;
  if (!parts || name === undefined) return undefined;
  return { method: name, path: prefix === '' || prefix === '/' ? parts : [prefix.replace(/\/$/, ''), ...parts] };
}

/** `method.toLowerCase()` */
function methodIn(node: Node): Node {
  const callee = isCall(node) ? unwrap(node.callee) : undefined;
  return callee && isMember(callee) && /^to(?:Lower|Upper)Case$/.test(memberName(callee) ?? '') ? unwrap(callee.object) : node;
}

function partsOf(flow: Flow, node: Node): RoutePart[] | undefined {
  if (node.type === 'TemplateLiteral') {
    const parts: RoutePart[] = [];
    for (const [i, quasi] of node.quasis.entries()) {
      if (quasi.value.cooked) parts.push(quasi.value.cooked);
      const inner = node.expressions[i];
      if (!inner) continue;
      const part = partsOf(flow, unwrap(inner));
      if (!part) return undefined;
      parts.push(...part);
    }
    return parts;
  }
  if (node.type === 'BinaryExpression' && node.operator === '+') {
    const left = partsOf(flow, unwrap(node.left));
    const right = partsOf(flow, unwrap(node.right));
    return left && right && [...left, ...right];
  }
  const part = partOf(flow, node);
  return part === undefined ? undefined : [part];
}

function partOf(flow: Flow, node: Node): RoutePart | undefined {
  return textOf(node, flow.bindings) ?? spotOf(flow, node);
}

/** The node of a variable or member, as close to its origin as this file shows: a parameter, or a member of a row. */
export function spotOf(flow: Flow, expression: Node, steps = 0): number | undefined {
  const node = unwrap(expression);
  const { out } = flow;
  if (steps > MAX_STEPS) return undefined;
  if (isMember(node)) {
    const name = memberName(node);
    const base = spotOf(flow, node.object, steps + 1);
    if (base === undefined) return undefined;
    // `args[args.length - 1]`: any of the arguments.
    return out.load(base, name === undefined ? ANY_NAME : out.text(/^\d+$/.test(name) ? (INDEXES[Number(name)] ?? ELEMENT) : name));
  }
  if (node.type !== 'Identifier') return undefined;
  const binding = flow.bindings.resolve(node);
  if (!binding) return undefined;
  const { identifier, declaration } = binding;
  if (declaration === undefined || !flow.bindings.isConstant(binding)) return flow.nodeOf(binding);
  const place = placeInPattern(identifier);
  const holder = place ? place.pattern : identifier;
  const base = sourceOf(flow, holder, steps);
  if (place) return base === undefined ? flow.nodeOf(binding) : out.load(base, out.text(place.name));
  return base ?? flow.nodeOf(binding);
}

/** `path` in `{ path }` or `[method, path]`, with the pattern. */
function placeInPattern(identifier: Node): { pattern: Node; name: string } | undefined {
  let at: Node = identifier;
  let parent = parentOf(at);
  if (parent?.type === 'AssignmentPattern' && parent.left === at) [at, parent] = [parent, parentOf(parent)];
  if (parent?.type === 'ArrayPattern') {
    const index = (parent.elements as readonly (Node | null)[]).indexOf(at);
    return { pattern: parent, name: INDEXES[index] ?? ELEMENT };
  }
  const pattern = parent?.type === 'ObjectProperty' && parent.value === at ? parentOf(parent) : undefined;
  const name = parent?.type === 'ObjectProperty' ? staticName(parent.key, parent.computed) : undefined;
  return pattern?.type === 'ObjectPattern' && name !== undefined ? { pattern, name } : undefined;
}

/** The node that a variable or pattern is bound to: an argument of a function, an item of a list, another variable. */
function sourceOf(flow: Flow, target: Node, steps: number): number | undefined {
  const parent = parentOf(target);
  const fn = parent?.type === 'AssignmentPattern' && parent.left === target ? parentOf(parent) : parent;
  if (isFunction(fn)) return parameterOf(flow, fn, target);
  if (parent?.type !== 'VariableDeclarator' || parent.id !== target) return undefined;
  const loop = parentOf(parentOf(parent) ?? parent);
  if (loop?.type === 'ForOfStatement' && loop.left === parentOf(parent)) {
    const list = spotOf(flow, loop.right, steps + 1) ?? flow.values.get(loop.right);
    return list ? flow.out.load(list, flow.out.text(ELEMENT)) : undefined;
  }
  const init = parent.init ? unwrap(parent.init) : undefined;
  return init && (init.type === 'Identifier' || (isMember(init) && target.type === 'Identifier'))
    ? spotOf(flow, init, steps + 1)
    : undefined;
}

function parameterOf(flow: Flow, fn: FunctionNode, target: Node): number | undefined {
  const index = fn.params.findIndex(
    (parameter) => parameter === target || (parameter.type === 'AssignmentPattern' && parameter.left === target),
  );
  const own = flow.functionIndexes.get(fn);
  return index < 0 || own === undefined ? undefined : flow.out.firstParameterOf(own) + index;
}

/**
 * Nodes of the functions behind a handler: passed to a wrapper (`wrap(handler)`), or called by an inline function (`(req, res) =>
 * handler(req)`).
 */
export function spotsWithin(flow: Flow, handler: Node, site: Node): number[] {
  const node = unwrap(handler);
  if (isFunction(node)) return contains(site, node) ? spotsCalled(flow, node) : [];
  return isCall(node)
    ? node.arguments.flatMap((one) =>
        one.type === 'Identifier' || isMember(one) ? (spotOf(flow, one) ?? []) : spotsWithin(flow, one, site),
      )
    : [];
}

/** Functions that are called with the handler's own parameters: `handler(req, res)`, `run(handler, req)`. */
function spotsCalled(flow: Flow, fn: FunctionNode): number[] {
  const found: number[] = [];
  const bindingOf = (node: Node): Binding | undefined => {
    const root = isMember(node) ? unwrap(node.object) : node;
    return root.type === 'Identifier' ? flow.bindings.resolve(root) : undefined;
  };
  walkWithin(fn.body, (node) => {
    if (node.type !== 'CallExpression') return;
    const args = node.arguments.map((argument) => unwrap(argument.type === 'SpreadElement' ? argument.argument : argument));
    if (!args.some((one) => one.type === 'Identifier' && bindingOf(one)?.declaration === fn)) return;
    for (const one of [unwrap(node.callee), ...args.filter(({ type }) => type === 'Identifier')]) {
      const binding = bindingOf(one);
      const owner = binding && ownerOf(flow, binding, 0);
      // The handler's own variables do not depend on who registers it.
      if (owner === undefined || owner === fn || contains(fn, owner)) continue;
      const spot = spotOf(flow, one);
      if (spot !== undefined && !found.includes(spot)) found.push(spot);
    }
  });
  return found;
}

/**
 * What gives a variable its changing value: the function whose parameter it comes from, or the loop whose item it is; undefined for others.
 */
function ownerOf(flow: Flow, { kind, declaration }: Binding, steps: number): Node | undefined {
  if (kind === 'param') return isFunction(declaration) ? declaration : undefined;
  if (declaration.type !== 'VariableDeclarator' || steps > MAX_STEPS) return undefined;
  const loop = parentOf(parentOf(declaration) ?? declaration);
  if (loop?.type === 'ForOfStatement' && loop.left === parentOf(declaration)) return loop;
  let root = declaration.init ? unwrap(declaration.init) : undefined;
  while (root && isMember(root)) root = unwrap(root.object);
  const from = root?.type === 'Identifier' ? flow.bindings.resolve(root) : undefined;
  return from && ownerOf(flow, from, steps + 1);
}
