// What an `await` in the middle of a function would change: between the call and what follows it, other requests run, and events arrive.
import {
  contains,
  endOf,
  findAncestor,
  isCall,
  isFunction,
  isLoop,
  isMember,
  memberName,
  parentOf,
  startOf,
  unwrap,
  type FunctionNode,
  type Node,
} from '../module/ast.ts';
import type { Facts } from '../facts/index.ts';
import { walkWithin } from '../module/module-index.ts';

const LISTENS: ReadonlySet<string> = new Set(['on', 'once', 'addListener', 'prependListener', 'prependOnceListener', 'addEventListener']);
/** Methods of arrays, maps and sets that change them. */
const MUTATES: ReadonlySet<string> = new Set([
  'push',
  'pop',
  'shift',
  'unshift',
  'splice',
  'sort',
  'reverse',
  'fill',
  'set',
  'add',
  'delete',
  'clear',
]);

/** Why the rest of a function cannot wait for `site`, although it could be awaited; undefined if it can. */
export function whyNoGap(fn: FunctionNode, site: Node, facts: Facts): string | undefined {
  // In a loop, what stands before the call also runs after it.
  const loop = findAncestor(site, (node) => isLoop(node) && contains(fn.body, node));
  const isInLoop = (node: Node): boolean => loop !== undefined && contains(loop, node);
  const isAfter = (node: Node): boolean => startOf(node) >= endOf(site) || isInLoop(node);
  return whyListener(fn, isAfter, facts) ?? whyShared(fn, site, { isAfter, isInLoop }, facts);
}

interface Gaps {
  /** What listens for events, and to which object. */
  listeners: readonly { node: Node; object: Node }[];
  /** Uses of what outlives a call and is written in the function, in source order. */
  shared: readonly SharedUse[];
}

interface SharedUse {
  key: unknown;
  name: string;
  node: Node;
}

/** Found once for a function: it may have thousands of findings. */
function gapsOf(fn: FunctionNode, facts: Facts): Gaps {
  const known = facts.remember('what an await would part', () => new Map<FunctionNode, Gaps>());
  let gaps = known.get(fn);
  if (!gaps) known.set(fn, (gaps = findGaps(fn, facts)));
  return gaps;
}

function findGaps(fn: FunctionNode, facts: Facts): Gaps {
  const listeners: { node: Node; object: Node }[] = [];
  walkWithin(fn.body, (node) => {
    if (isFunction(node)) return false;
    const object = listenedObject(node);
    if (object) listeners.push({ node, object });
    return true;
  });
  const uses: SharedUse[] = [];
  const written = new Set<unknown>();
  walkWithin(fn.body, (node) => {
    const use = sharedUse(node, fn, facts);
    if (!use) return true;
    uses.push(use);
    if (isWritten(use.node)) written.add(use.key);
    return true;
  });
  return { listeners, shared: uses.filter(({ key }) => written.has(key)) };
}

/** `socket.on('message', …)` behind the call: a message that arrives while it waits would be lost. */
function whyListener(fn: FunctionNode, isAfter: (node: Node) => boolean, facts: Facts): string | undefined {
  const found = gapsOf(fn, facts).listeners.find(({ node, object }) => isAfter(node) && !isMadeAfter(object, isAfter, facts))?.node;
  if (!found) return undefined;
  const what = isCall(found) ? facts.source.slice(found.callee) : facts.source.slice(found).split('=')[0]?.trim();
  return `\`${what}\` listens for events after the call, and would miss those that arrive while it waits. Attach the listener first`;
}

function listenedObject(node: Node): Node | undefined {
  if (isCall(node)) {
    const callee = unwrap(node.callee);
    if (!isMember(callee) || !LISTENS.has(memberName(callee) ?? '') || node.arguments.length < 2) return undefined;
    return unwrap(callee.object);
  }
  if (node.type !== 'AssignmentExpression' || !isMember(node.left) || !isFunction(unwrap(node.right))) return undefined;
  return /^on[a-z]+$/.test(memberName(node.left) ?? '') ? unwrap(node.left.object) : undefined;
}

/** What is made after the call has no events before. */
function isMadeAfter(object: Node, isAfter: (node: Node) => boolean, facts: Facts): boolean {
  let root = object;
  while (isMember(root) || isCall(root)) {
    if (isCall(root) && (root.type === 'NewExpression' || !isMember(unwrap(root.callee)))) return true;
    root = unwrap(isMember(root) ? root.object : root.callee);
  }
  if (root.type !== 'Identifier') return false;
  const declaration = facts.bindings.resolve(root)?.declaration;
  return declaration !== undefined && isAfter(declaration) && declaration.type === 'VariableDeclarator';
}

/**
 * A variable from outside of the function, or a field of `this`, that the function writes, and that it uses both before and after the
 * call: while it waits, another request may have changed it.
 */
function whyShared(
  fn: FunctionNode,
  site: Node,
  { isAfter, isInLoop }: { isAfter(node: Node): boolean; isInLoop(node: Node): boolean },
  facts: Facts,
): string | undefined {
  const uses = new Map<unknown, { name: string; before: boolean; after: boolean }>();
  // `total += await …` reads first and writes last.
  const target = assignedFrom(site);
  for (const { key, name, node } of gapsOf(fn, facts).shared) {
    const known = uses.get(key) ?? { name, before: false, after: false };
    const isTarget = target !== undefined && contains(target.left, node);
    known.before ||= !isAfter(node) || isInLoop(node) || (isTarget && target.isUpdate);
    known.after ||= isAfter(node) || isTarget;
    uses.set(key, known);
  }
  const [shared] = [...uses.values()].filter(({ before, after }) => before && after);
  return (
    shared && `\`${shared.name}\` outlives the request and is used before and after the call: while it waits, another request may change it`
  );
}

function assignedFrom(site: Node): { left: Node; isUpdate: boolean } | undefined {
  const assignment = findAncestor(site, (node) => node.type === 'AssignmentExpression' && contains(node.right, site));
  return assignment?.type === 'AssignmentExpression' ? { left: assignment.left, isUpdate: assignment.operator !== '=' } : undefined;
}

/** A reference to what lives longer than a call of the function: by binding, or by the field's name of `this`. */
function sharedUse(node: Node, fn: FunctionNode, facts: Facts): SharedUse | undefined {
  if (node.type === 'ThisExpression') {
    const member = parentOf(node);
    const name = isMember(member) && member.object === node ? memberName(member) : undefined;
    return name === undefined || !isMember(member) ? undefined : { key: `this.${name}`, name: `this.${name}`, node: member };
  }
  if (node.type !== 'Identifier') return undefined;
  const parent = parentOf(node);
  if (isMember(parent) && parent.property === node && !parent.computed) return undefined;
  if (parent?.type === 'ObjectProperty' && parent.key === node && !parent.computed && !parent.shorthand) return undefined;
  const binding = facts.bindings.resolve(node);
  if (!binding || binding.scope === fn || contains(fn, binding.scope)) return undefined;
  return { key: binding, name: node.name, node };
}

/** `x = …`, `x.y++`, `delete x[k]`, `x.items.push(…)` */
function isWritten(node: Node): boolean {
  let at = node;
  for (let up = parentOf(at); up; at = up, up = parentOf(at)) {
    if (up.type === 'AssignmentExpression') return up.left === at;
    if (up.type === 'UpdateExpression') return true;
    if (up.type === 'UnaryExpression') return up.operator === 'delete';
    if (isCall(up)) return up.callee === at && isMember(at) && MUTATES.has(memberName(at) ?? '');
    if (!(isMember(up) && up.object === at)) return false;
  }
  return false;
}
