// Whether a call passes the rejections of the function that it is given on: `asyncHandler(fn)`. A name says nothing of it.
import {
  contains,
  findAncestor,
  isCall,
  isFunction,
  isMember,
  memberName,
  parentOf,
  unwrap,
  type CallNode,
  type FunctionNode,
  type Node,
} from '../module/ast.ts';
import { walkWithin } from '../module/module-index.ts';
import type { Facts } from '../facts/index.ts';

/** Packages that exist for it, looked at in 2026-11: what they export awaits the handler and calls `next(error)`. */
const PACKAGES: ReadonlySet<string> = new Set(['express-async-handler', 'express-async-wrap', 'async-middleware', 'middleware-async']);

export function isCatchingWrapper(call: CallNode, facts: Facts): boolean {
  const callee = unwrap(call.callee);
  const origin = facts.origins.moduleMember(callee);
  if (origin && PACKAGES.has(origin.module)) return true;
  const wrapper = callee.type === 'Identifier' ? functionOf(callee, facts) : undefined;
  return wrapper !== undefined && catchesFirst(wrapper, facts);
}

/** The function that a constant name stands for in this file. */
function functionOf(callee: Node & { type: 'Identifier' }, facts: Facts): FunctionNode | undefined {
  const binding = facts.bindings.resolve(callee);
  if (!binding || !facts.bindings.isConstant(binding)) return undefined;
  const { declaration } = binding;
  const value = declaration.type === 'VariableDeclarator' && declaration.id === binding.identifier ? declaration.init : declaration;
  const node = value ? unwrap(value) : undefined;
  return isFunction(node) ? node : undefined;
}

/** Whether every call of its first parameter has its rejection caught, and there is one. */
export function catchesFirst(wrapper: FunctionNode, facts: Facts): boolean {
  const [parameter] = wrapper.params;
  const binding = parameter?.type === 'Identifier' ? facts.bindings.lookUp(parameter.name, wrapper.body) : undefined;
  if (!binding) return false;
  let calls = 0;
  let caught = 0;
  walkWithin(wrapper.body, (node) => {
    if (node.type === 'Identifier' && facts.bindings.resolve(node) === binding) {
      const call = parentOf(node);
      calls += 1;
      if (call && isCall(call) && call.callee === node && isCaught(call, wrapper)) caught += 1;
    }
    return true;
  });
  return calls > 0 && caught === calls;
}

function isCaught(call: Node, wrapper: FunctionNode): boolean {
  let at: Node = call;
  for (let up = parentOf(at); up && contains(wrapper, up); at = up, up = parentOf(at)) {
    if (isMember(up) && up.object === at) continue;
    if (up.type === 'AwaitExpression') {
      const guard = findAncestor(up, (node) => node.type === 'TryStatement' && node.handler != null && contains(node.block, call));
      return guard?.type === 'TryStatement' && contains(wrapper, guard) && guard.handler != null && !throwsItself(guard.handler.body);
    }
    if (!isCall(up)) return false;
    const callee = unwrap(up.callee);
    // `fn(req, res, next).catch(next)`
    if (callee === at || up.callee === at) {
      const name = isMember(callee) ? memberName(callee) : undefined;
      if ((name === 'catch' && up.arguments.length > 0) || (name === 'then' && up.arguments.length > 1)) return true;
      if (name !== 'then' && name !== 'finally') return false;
      continue;
    }
    // `Promise.resolve(fn(req, res, next)).catch(next)`
    if (!(isMember(callee) && unwrap(callee.object).type === 'Identifier' && memberName(callee) === 'resolve')) return false;
  }
  return false;
}

export function throwsItself(body: Node): boolean {
  let throws = false;
  walkWithin(body, (node) => {
    if (node.type === 'ThrowStatement') throws = true;
    return !isFunction(node);
  });
  return throws;
}
