// What outlives a call of a function and may be seen by another request: variables from outside, what they hold, fields of `this`, globals,
// and all of that in the functions that are called.
import {
  contains,
  enclosingFunction,
  findAncestor,
  isCall,
  isFunction,
  isMember,
  memberName,
  parentOf,
  unwrap,
  type FunctionNode,
  type Node,
  type t,
} from '../module/ast.ts';
import type { Facts } from '../facts/index.ts';
import type { Binding } from '../facts/bindings.ts';
import { walkWithin } from '../module/module-index.ts';
import { isCoreModule } from './add-import.ts';

export interface SharedUse {
  /** Equal for uses of the same thing. */
  key: unknown;
  name: string;
  /** In the function itself: the use, or the call of a function that uses it. */
  node: Node;
  /**
   * `append`: it adds something, and nothing depends on what was there. `ask` and `tell` are calls of what is not known. `process`: a
   * folder or a mask.
   */
  access: 'read' | 'write' | 'append' | 'ask' | 'tell' | 'process';
}

/** Methods of arrays, maps, sets, and buffers that change them. */
export const MUTATES: ReadonlySet<string> = new Set(
  'push pop shift unshift splice sort reverse fill copyWithin set add delete clear write'.split(' '),
);
const APPENDS: ReadonlySet<string> = new Set(['push', 'unshift', 'add', 'write']);
/** Methods whose result is a part of their object. */
const TAKES_OUT: ReadonlySet<string> = new Set(['get', 'find', 'findLast', 'at', 'values', 'entries']);
/** Parts of a request, a context, or an interaction with a bot that all of them share. */
const SHARED_PARTS: ReadonlySet<string> = new Set(['app', 'server', 'client', 'bot']);

/** The uses in a function, in source order. */
export function sharedUses(fn: FunctionNode, facts: Facts): SharedUse[] {
  const uses: SharedUse[] = [];
  walkWithin(fn.body, (node) => {
    const use = useOf(node, fn, facts);
    if (use) uses.push(use);
    if (isCall(node)) uses.push(...usesByCall(node, fn, facts));
    return true;
  });
  return uses;
}

type FoundUse = Omit<SharedUse, 'node'>;

/**
 * Found once for a function. A function that calls itself, directly or through others, adds nothing to its own uses. Called functions come
 * first, so that a chain of any length needs no deep stack.
 */
function usesOfFunction(fn: FunctionNode, facts: Facts): readonly FoundUse[] {
  const known = facts.remember('shared uses of functions', () => new Map<FunctionNode, readonly FoundUse[]>());
  const pending = [fn];
  const open = new Set<FunctionNode>();
  for (let next = pending.at(-1); next; next = pending.at(-1)) {
    if (open.delete(next)) known.set(next, withoutRepeats(sharedUses(next, facts)));
    else if (!known.has(next)) {
      known.set(next, []);
      open.add(next);
      pending.push(...calledIn(next, facts).filter((one) => !known.has(one)));
      continue;
    }
    pending.pop();
  }
  return known.get(fn) ?? [];
}

function calledIn(fn: FunctionNode, facts: Facts): FunctionNode[] {
  const called: FunctionNode[] = [];
  walkWithin(fn.body, (node) => {
    if (isCall(node) && node.type !== 'NewExpression') called.push(...calledBy(node, fn, facts));
    return true;
  });
  return called;
}

/** The functions of the file that a call runs, but for those around it and in it. */
function calledBy(call: t.CallExpression | t.OptionalCallExpression, fn: FunctionNode, facts: Facts): FunctionNode[] {
  return facts.calls.functionsOf(call.callee).filter((one) => !contains(fn, one) && one !== fn);
}

function withoutRepeats(uses: readonly SharedUse[]): FoundUse[] {
  const byKey = new Map<string, FoundUse>();
  const numbers = new Map<unknown, number>();
  for (const { key, name, access } of uses) {
    const number = numbers.get(key) ?? numbers.set(key, numbers.size).size;
    byKey.set(`${number} ${access}`, { key, name, access });
  }
  return [...byKey.values()];
}

/** What the functions that a call runs use, and what a call of something unknown may do to it. */
function usesByCall(call: t.CallExpression | t.OptionalCallExpression | t.NewExpression, fn: FunctionNode, facts: Facts): SharedUse[] {
  if (call.type === 'NewExpression') return [];
  const called = calledBy(call, fn, facts);
  if (called.length > 0) {
    const uses = called.flatMap((one) => usesOfFunction(one, facts).filter(({ key }) => !isWithin(key, fn)));
    return uses.map((use) => ({ ...use, node: call }));
  }
  const callee = unwrap(call.callee);
  if (!isMember(callee)) return [];
  const root = rootOf(callee);
  const binding = root?.type === 'Identifier' ? facts.bindings.resolve(root) : undefined;
  if (!binding || isOwn(binding, fn) || MUTATES.has(memberName(callee) ?? '') || isOfNode(callee, facts)) return [];
  const isStatement = parentOf(call)?.type === 'ExpressionStatement';
  if (!isStatement && !isTested(call)) return [];
  return [{ key: binding, name: binding.name, node: call, access: isStatement ? 'tell' : 'ask' }];
}

function isOfNode(callee: Node, facts: Facts): boolean {
  const origin = facts.origins.of(callee);
  return origin !== undefined && (origin.root === 'global' || (origin.root === 'module' && isCoreModule(origin.name)));
}

/** `if (!stock.has())`, `stock.has() ? … : …`, `stock.has() && …` */
function isTested(call: Node): boolean {
  for (let at = call, up = parentOf(at); up; at = up, up = parentOf(up)) {
    if (up.type === 'IfStatement' || up.type === 'ConditionalExpression' || up.type === 'WhileStatement') return up.test === at;
    if (up.type === 'LogicalExpression' && up.left === at) return true;
    if (up.type !== 'UnaryExpression' && up.type !== 'BinaryExpression' && up.type !== 'LogicalExpression' && up.type !== 'AwaitExpression')
      return false;
  }
  return false;
}

function useOf(node: Node, fn: FunctionNode, facts: Facts): SharedUse | undefined {
  if (node.type === 'ThisExpression') {
    const member = parentOf(node);
    const name = isMember(member) && member.object === node ? memberName(member) : undefined;
    return name === undefined || !isMember(member) ? undefined : used(`this.${name}`, `this.${name}`, member, facts);
  }
  if (node.type !== 'Identifier') return undefined;
  const parent = parentOf(node);
  if (isMember(parent) && parent.property === node && !parent.computed) return undefined;
  if (parent?.type === 'ObjectProperty' && parent.key === node && !parent.computed && !parent.shorthand) return undefined;
  const binding = facts.bindings.resolve(node);
  if (!binding) return globalUse(node, facts);
  // Nobody changes a function by calling it, and a chain of calls would have all of its functions in each of them.
  if (binding.kind === 'function' && isCall(parent) && parent.callee === node && facts.bindings.isConstant(binding)) return undefined;
  if (!isOwn(binding, fn)) return used(binding, node.name, node, facts);
  const part = sharedPart(node);
  if (part) return used(`${binding.name} ${part.name}`, facts.source.slice(part.node), part.node, facts);
  // Of a local name for something shared, only what it holds is shared.
  return binding.identifier !== node && isMember(parent) && parent.object === node && isAlias(binding, fn, facts)
    ? used(binding, node.name, node, facts)
    : undefined;
}

function used(key: unknown, name: string, node: Node, facts: Facts): SharedUse {
  return { key, name, node, access: accessOf(node, facts) };
}

/** `global.x`, `process.env.X`, and names that nobody declares. */
function globalUse(node: t.Identifier, facts: Facts): SharedUse | undefined {
  const parent = parentOf(node);
  if (!isMember(parent) || parent.object !== node)
    return isWrite(node) ? used(`global ${node.name}`, node.name, node, facts) : undeclared(node, facts);
  const name = memberName(parent);
  if (node.name === 'global' || node.name === 'globalThis') return name ? used(`global ${name}`, name, parent, facts) : undefined;
  const outer = parentOf(parent);
  if (
    node.name === 'process' &&
    isCall(outer) &&
    outer.callee === parent &&
    outer.arguments.length > 0 &&
    /^(?:chdir|umask)$/.test(name ?? '')
  )
    return { key: `process ${name}`, name: `process.${name}`, node: parent, access: 'process' };
  if (node.name !== 'process' || name !== 'env' || !isMember(outer) || outer.object !== parent) return undefined;
  const variable = memberName(outer) ?? 'process.env';
  return used(`env ${variable}`, `process.env.${variable}`, outer, facts);
}

/** A name is a variable of the whole program if the file assigns it. */
function undeclared(node: t.Identifier, facts: Facts): SharedUse | undefined {
  const written = facts.remember(
    'undeclared variables',
    () =>
      new Set(
        facts.module
          .nodes('AssignmentExpression')
          .flatMap(({ left }) => (left.type === 'Identifier' && facts.bindings.resolve(left) === undefined ? [left.name] : [])),
      ),
  );
  return written.has(node.name) ? used(`global ${node.name}`, node.name, node, facts) : undefined;
}

/** `req.app`, `ctx.app.context`: the first member that all requests share. */
function sharedPart(node: t.Identifier): { name: string; node: Node } | undefined {
  const parts: string[] = [];
  let at: Node = node;
  for (let up = parentOf(at); isMember(up) && up.object === at; at = up, up = parentOf(up)) {
    const name = memberName(up);
    if (name === undefined) break;
    parts.push(name);
    if (SHARED_PARTS.has(name)) return parts.length > 2 ? undefined : { name: parts.join('.'), node: up };
  }
  return undefined;
}

/** `const item = stock.a`, `const user = users.get(id)`, `const { items } = state`, `for (const item of items)` */
function isAlias(binding: Binding, fn: FunctionNode, facts: Facts): boolean {
  const known = facts.remember('names for something shared', () => new Map<Binding, boolean>());
  let alias = known.get(binding);
  if (alias === undefined) {
    known.set(binding, false);
    const { declaration } = binding;
    const loop = declaration ? parentOf(parentOf(declaration) ?? declaration) : undefined;
    const from =
      declaration?.type !== 'VariableDeclarator'
        ? undefined
        : (declaration.init ?? (loop?.type === 'ForOfStatement' && contains(loop.left, declaration) ? loop.right : undefined));
    alias = from != null && isShared(from, fn, facts);
    known.set(binding, alias);
  }
  return alias;
}

function isShared(value: Node, fn: FunctionNode, facts: Facts): boolean {
  const node = unwrap(value);
  if (node.type === 'LogicalExpression') return isShared(node.left, fn, facts) || isShared(node.right, fn, facts);
  if (isCall(node) && isFromGetter(node, fn, facts)) return true;
  const root = rootOf(node);
  if (root?.type === 'ThisExpression') return true;
  if (root?.type !== 'Identifier') return false;
  const binding = facts.bindings.resolve(root);
  if (!binding) return root.name === 'global' || root.name === 'globalThis';
  if (sharedPart(root)) return true;
  return isOwn(binding, fn) ? binding.identifier !== root && isAlias(binding, fn, facts) : binding.kind !== 'function';
}

const GETTERS = /^(?:get|find|lookup|current)(?=[A-Z]|$)/;

/**
 * `getInstance(id)`, `instances.getInstance(id)`: what it gives may be there before the request, and after it, unless each call makes it.
 */
function isFromGetter(call: t.CallExpression | t.OptionalCallExpression | t.NewExpression, fn: FunctionNode, facts: Facts): boolean {
  if (call.type === 'NewExpression') return false;
  const callee = unwrap(call.callee);
  const name = callee.type === 'Identifier' ? callee.name : isMember(callee) ? memberName(callee) : undefined;
  if (name === undefined || !GETTERS.test(name) || TAKES_OUT.has(name) || isOfNode(callee, facts)) return false;
  const root = callee.type === 'Identifier' ? callee : rootOf(callee);
  const binding = root?.type === 'Identifier' ? facts.bindings.resolve(root) : undefined;
  if (root?.type !== 'ThisExpression' && (!binding || isOwn(binding, fn))) return false;
  const returned = facts.calls.functionsOf(callee).flatMap((one) => facts.shapes.returnedValues(one));
  return returned.length === 0 || returned.some((one) => !isMade(one));
}

function isMade(value: Node): boolean {
  const { type } = unwrap(value);
  return type === 'ObjectExpression' || type === 'ArrayExpression' || type === 'NewExpression';
}

/** `stock` of `stock.items.get(id).price`; undefined if something else is called on the way. */
function rootOf(node: Node): t.Identifier | t.ThisExpression | undefined {
  let at = unwrap(node);
  for (;;) {
    if (at.type === 'Identifier' || at.type === 'ThisExpression') return at;
    if (isMember(at)) at = unwrap(at.object);
    else if (isCall(at) && at.type !== 'NewExpression') {
      const callee = unwrap(at.callee);
      if (!isMember(callee) || !TAKES_OUT.has(memberName(callee) ?? '')) return undefined;
      at = unwrap(callee.object);
    } else return undefined;
  }
}

function isOwn(binding: Binding, fn: FunctionNode): boolean {
  return binding.scope === fn || contains(fn, binding.scope);
}

function isWithin(key: unknown, fn: FunctionNode): boolean {
  return typeof key === 'object' && key !== null && 'scope' in key && isOwn(key as Binding, fn);
}

function accessOf(node: Node, facts: Facts): SharedUse['access'] {
  const write = writeOf(node);
  if (!write || isFirstFill(write, node, facts)) return 'read';
  if (parentOf(write)?.type !== 'ExpressionStatement') return 'write';
  if (write.type === 'UpdateExpression') return 'append';
  const callee = isCall(write) ? unwrap(write.callee) : undefined;
  return isMember(callee) && APPENDS.has(memberName(callee) ?? '') ? 'append' : 'write';
}

function isWrite(node: Node): boolean {
  return writeOf(node) !== undefined;
}

/** `x = …`, `x.y++`, `delete x[k]`, `x.items.push(…)`, `Object.assign(x, …)` */
function writeOf(node: Node): Node | undefined {
  let at = node;
  for (let up = parentOf(at); up; at = up, up = parentOf(at)) {
    if (up.type === 'AssignmentExpression') return up.left === at ? up : undefined;
    if (up.type === 'UpdateExpression') return up;
    if (up.type === 'UnaryExpression') return up.operator === 'delete' ? up : undefined;
    if (isCall(up)) {
      const callee = unwrap(up.callee);
      if (callee === at) return isMember(at) && MUTATES.has(memberName(at) ?? '') ? up : undefined;
      return up.arguments[0] === at && isMember(callee) && memberName(callee) === 'assign' ? up : undefined;
    }
    if (!(isMember(up) && up.object === at)) return undefined;
  }
  return undefined;
}

/** `x ??= …`, `if (!x) x = …`: whoever comes first fills it, and all see the same. */
function isFirstFill(write: Node, node: Node, facts: Facts): boolean {
  if (write.type !== 'AssignmentExpression') return false;
  if (write.operator === '??=' || write.operator === '||=') return true;
  if (write.operator !== '=' || write.left !== node) return false;
  const condition = findAncestor(write, (one) => one.type === 'IfStatement' || isFunction(one));
  if (condition?.type !== 'IfStatement') return false;
  const name = facts.source.slice(node);
  const test = facts.source.slice(condition.test);
  return [`!${name}`, `${name} === undefined`, `${name} == null`, `${name} === null`].includes(test);
}

interface SetForRequest {
  /** `current` of `state.current = …`; undefined where the variable itself is set. */
  member: string | undefined;
  assignment: Node;
  writer: FunctionNode;
}

/** The assignment to what `use` reads, by another handler, for the request that it serves and that then comes to `fn`. */
export function setForRequest({ key, node }: SharedUse, fn: FunctionNode, facts: Facts): Node | undefined {
  const all = facts.remember('variables set for a request', () => findSetForRequest(facts)).get(key);
  const parent = parentOf(node);
  const member = isMember(parent) && parent.object === node ? memberName(parent) : undefined;
  return all?.find(
    (one) =>
      (one.member === undefined || one.member === member) &&
      one.writer !== fn &&
      !contains(fn, one.writer) &&
      (callsParameter(one.writer, facts) || reaches(one.writer, fn, facts)),
  )?.assignment;
}

function findSetForRequest(facts: Facts): ReadonlyMap<unknown, readonly SetForRequest[]> {
  const handlers = new Set(facts.handlers.handlers.map(({ fn }) => fn));
  const found = new Map<unknown, SetForRequest[]>();
  for (const assignment of facts.module.nodes('AssignmentExpression')) {
    const writer = enclosingFunction(assignment);
    if (!writer || !handlers.has(writer) || assignment.operator !== '=') continue;
    const left = unwrap(assignment.left);
    const root = left.type === 'Identifier' ? left : isMember(left) && !left.computed ? unwrap(left.object) : undefined;
    const binding = root?.type === 'Identifier' ? facts.bindings.resolve(root) : undefined;
    if (!binding || isOwn(binding, writer)) continue;
    const member = isMember(left) ? memberName(left) : undefined;
    found.set(binding, [...(found.get(binding) ?? []), { member, assignment, writer }]);
  }
  return found;
}

/** `next()` */
function callsParameter(fn: FunctionNode, facts: Facts): boolean {
  return fn.params.some((parameter) => {
    const binding = parameter.type === 'Identifier' ? facts.bindings.resolve(parameter) : undefined;
    return (
      binding !== undefined &&
      facts.bindings.references(binding).some((reference) => {
        const call = parentOf(reference);
        return isCall(call) && call.callee === reference;
      })
    );
  });
}

/** Whether a function calls another, directly or by others. */
function reaches(from: FunctionNode, to: FunctionNode, facts: Facts): boolean {
  const queue = [to];
  for (const one of queue)
    for (const { from: caller } of facts.calls.callersOf(one)) {
      if (caller === from) return true;
      if (isFunction(caller) && !queue.includes(caller)) queue.push(caller);
    }
  return false;
}
