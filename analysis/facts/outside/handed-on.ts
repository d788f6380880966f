// What a file hands on besides its exports: a class that registers its object as it is built, and a file that reads its own exports.
import { isCall, isClass, isFunction, isMember, memberName, parentOf, staticName, unwrap, type Node, type t } from '../../module/ast.ts';
import { walkWithin } from '../../module/module-index.ts';
import { isReference } from '../identifiers.ts';
import type { Facts } from '../index.ts';

/** `x` of `exports.x` and `module.exports.x` */
export function exportedAs(target: Node): string | undefined {
  return isMember(target) && isAllExports(unwrap(target.object)) ? memberName(target) : undefined;
}

/** `exports`, `module.exports` */
export function isAllExports(target: Node): boolean {
  if (target.type === 'Identifier') return target.name === 'exports';
  return isMember(target) && memberName(target) === 'exports' && target.object.type === 'Identifier' && target.object.name === 'module';
}

/** Whether a file uses its own exports: `registry.add(module.exports)`. Sets and calls, such as `exports.find()`, hand nothing on. */
export function readsExports(facts: Facts): boolean {
  const { bindings, module } = facts;
  return facts.remember('whether the exports of the file are read', () =>
    module.nodes('Identifier').some((name) => {
      if (name.name !== 'exports' && name.name !== 'module') return false;
      const parent = parentOf(name);
      if (!parent || !isReference(name) || !bindings.isGlobal(name)) return false;
      if (name.name === 'exports') return isRead(name, facts);
      if (!isMember(parent)) return parent.type !== 'BinaryExpression' && parent.type !== 'UnaryExpression';
      return memberName(parent) === 'exports' && isRead(parent, facts);
    }),
  );
}

function isRead(exported: Node, { module }: Facts): boolean {
  const parent = parentOf(exported);
  const member = isMember(parent) && parent.object === exported ? parent : undefined;
  const value = member ?? exported;
  const use = parentOf(value);
  if (use?.type === 'AssignmentExpression') return use.left !== value && exportedAs(use.left) === undefined && !isAllExports(use.left);
  // A called function may hand on its `this`.
  return member === undefined || use?.type !== 'CallExpression' || use.callee !== member || module.has('ThisExpression');
}

/** Whether a class may hand its new object on as it builds it, as with `register(this)`. A superclass may, too. */
export function handsObjectOn(owner: t.Class, facts: Facts): boolean {
  const known = facts.remember('classes that hand their objects on', () => new Map<t.Class, boolean>());
  return known.get(owner) ?? keep(known, owner, owner.superClass != null || usesThis(owner, false));
}

/** Whether a class may hand itself on where it is declared: `static { register(this); }` */
export function handsItselfOn(owner: t.Class, facts: Facts): boolean {
  const known = facts.remember('classes that hand themselves on', () => new Map<t.Class, boolean>());
  return known.get(owner) ?? keep(known, owner, usesThis(owner, true));
}

function keep(known: Map<t.Class, boolean>, owner: t.Class, answer: boolean): boolean {
  known.set(owner, answer);
  return answer;
}

/** Whether what runs as a class is built or declared uses `this` for more than to set and read what is no method, and to call methods. */
function usesThis({ body: { body } }: t.Class, isStatic: boolean): boolean {
  const methods = new Map<string | undefined, Node[]>();
  const running = new Set<Node>();
  for (const member of body) {
    if (member.type === 'StaticBlock') {
      if (isStatic) running.add(member);
      continue;
    }
    if (!('key' in member) || ('static' in member && member.static === true) !== isStatic) continue;
    const fn = isFunction(member) ? member : 'value' in member ? member.value : undefined;
    if (!fn) continue;
    if (!isFunction(fn) || (fn.type === 'ClassMethod' && fn.kind === 'constructor')) running.add(fn);
    if (!isFunction(fn)) continue;
    const name = staticName(member.key, 'computed' in member && member.computed === true);
    const same = methods.get(name);
    if (same) same.push(fn);
    else methods.set(name, [fn]);
  }
  let isUsed = false;
  for (const root of running) {
    walkWithin(root, (node) => {
      if (node !== root && (isClass(node) || (isFunction(node) && node.type !== 'ArrowFunctionExpression'))) return false;
      if (node.type !== 'ThisExpression') return undefined;
      const runs = runBy(node, methods);
      if (runs) for (const method of runs) running.add(method);
      else isUsed = true;
      return isUsed ? 'stop' : undefined;
    });
    if (isUsed) return true;
  }
  return false;
}

/** The methods that a use of `this` runs; undefined if it may hand on the object or a method. */
function runBy(self: Node, methods: ReadonlyMap<string | undefined, readonly Node[]>): readonly Node[] | undefined {
  const member = parentOf(self);
  if (!isMember(member) || member.object !== self) return isBoundAgain(member, self) ? [] : undefined;
  const name = memberName(member);
  const own = (name !== undefined && methods.get(name)) || [];
  const use = parentOf(member);
  const isAccessor = own.some((method) => method.type === 'ClassMethod' && (method.kind === 'get' || method.kind === 'set'));
  if (use?.type === 'AssignmentExpression' && use.left === member) return isAccessor ? own : [];
  if (name === undefined || name === 'prototype') return undefined;
  if (isAccessor) return own;
  // What is not the class's own gets the object when it is called: `this.register()`.
  if (isCall(use) && use.type !== 'NewExpression' && use.callee === member) return own.length > 0 ? own : undefined;
  if (own.length === 0 && name !== 'constructor') return own;
  if (!isMember(use) || use.object !== member) return undefined;
  // `this.constructor.name`
  return memberName(use) === 'name' || isBoundAgain(parentOf(use), self) ? [] : undefined;
}

/** `this.show = this.show.bind(this)` */
function isBoundAgain(call: Node | undefined, self: Node): boolean {
  const assignment = call && parentOf(call);
  if (!isCall(call) || call.arguments.length !== 1 || assignment?.type !== 'AssignmentExpression' || !isMember(call.callee)) return false;
  const { left } = assignment;
  const { object } = call.callee;
  if (memberName(call.callee) !== 'bind' || call.arguments[0]?.type !== self.type || !isMember(object) || !isMember(left)) return false;
  const isOwn = object.object.type === self.type && left.object.type === self.type;
  return isOwn && memberName(object) !== undefined && memberName(object) === memberName(left);
}
