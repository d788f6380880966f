// What a function does with the promise of a handler that it wraps: `asyncHandler(show)`. Its body decides, never its name.
import { enclosingFunction, findAncestor, isCall, isFunction, isMember, memberName, parentOf, contains, unwrap } from '../module/ast.ts';
import type { CallNode, FunctionNode, Node } from '../module/ast.ts';
import { walkWithin } from '../module/module-index.ts';
import type { Facts } from '../facts/index.ts';

/**
 * `catches`: a rejection is handled. `returns`: the promise goes to whoever calls the wrapped handler. `drops`: neither, or nobody knows.
 */
export type Wrapping = 'catches' | 'returns' | 'drops';

/** The functions of other files that a call runs; undefined if that is unknown. */
export type FunctionsOfCall = (call: CallNode) => readonly { fn: FunctionNode; facts: Facts }[] | undefined;

// Packages whose function calls the handler and passes its rejection to `next`, by their documentation.
const CATCHING_PACKAGES: ReadonlyMap<string, readonly string[]> = new Map([
  // npmjs.com/package/express-async-handler
  ['express-async-handler', ['', 'default']],
  // npmjs.com/package/async-middleware
  ['async-middleware', ['wrap']],
]);

/** What `call`, which gets a handler, does with it. */
export function wrappingOf(call: CallNode, facts: Facts, elsewhere: FunctionsOfCall = () => undefined): Wrapping {
  const origin = facts.origins.moduleMember(call.callee);
  if (origin) {
    const name = origin.path.join('.');
    if (CATCHING_PACKAGES.get(origin.module)?.includes(name)) return 'catches';
  }
  const own = facts.calls.functionsOf(call.callee);
  const candidates = own.length > 0 ? own.map((fn) => ({ fn, facts })) : (elsewhere(call) ?? []);
  const found = candidates.map((candidate) => wrappingBy(candidate.fn, candidate.facts));
  if (found.length === 0 || found.includes('drops')) return 'drops';
  return found.includes('returns') ? 'returns' : 'catches';
}

/** What a function does with its first parameter: all calls of it must be alike. */
function wrappingBy(wrapper: FunctionNode, facts: Facts): Wrapping {
  const [parameter] = wrapper.params;
  const binding = parameter?.type === 'Identifier' ? facts.bindings.resolve(parameter) : undefined;
  if (!binding) return 'drops';
  const found = facts.bindings.references(binding).flatMap((reference): Wrapping[] => {
    const call = parentOf(reference);
    if (isMember(call) && call.object === reference) {
      const outer = parentOf(call);
      if (isCall(outer) && outer.callee === call && /^(?:call|apply)$/.test(memberName(call) ?? '')) return [fateOf(outer)];
      // `fn.name`, `fn.length`
      return /^(?:name|length)$/.test(memberName(call) ?? '') ? [] : ['drops'];
    }
    if (!isCall(call)) return parentOf(reference)?.type === 'UnaryExpression' ? [] : ['drops'];
    return call.callee === reference ? [fateOf(call)] : ['drops'];
  });
  if (found.length === 0 || found.includes('drops')) return 'drops';
  return found.includes('returns') ? 'returns' : 'catches';
}

/** What becomes of the promise that a call gives. */
function fateOf(call: Node): Wrapping {
  for (let at = call, parent = parentOf(at); parent; at = parent, parent = parentOf(at)) {
    if (parent.type === 'AwaitExpression') return fateOfAwait(parent);
    if (parent.type === 'ReturnStatement' || (parent.type === 'ArrowFunctionExpression' && parent.body === at)) {
      const fn = enclosingFunction(at);
      // `try { return fn(req, res) } catch { … }` catches what is thrown, and not what is rejected.
      if (findAncestor(at, (node) => node.type === 'TryStatement' && contains(node.block, at))) return 'drops';
      const passedTo = fn && parentOf(fn);
      // `Promise.resolve().then(() => fn(req, res)).catch(next)`
      if (fn && isCall(passedTo) && passedTo.callee !== fn && (isThen(passedTo) || isOfPromise(passedTo))) {
        parent = passedTo;
        continue;
      }
      return 'returns';
    }
    if (isMember(parent) && parent.object === at) {
      const outer = parentOf(parent);
      if (!isCall(outer) || outer.callee !== parent) return 'drops';
      const name = memberName(parent);
      if (name === 'catch' && outer.arguments.length > 0) return 'catches';
      if (name === 'then' && outer.arguments.length > 1) return 'catches';
      if (name !== 'then' && name !== 'finally') return 'drops';
      parent = outer;
      continue;
    }
    if (isCall(parent) && parent.callee !== at && isOfPromise(parent)) continue;
    return 'drops';
  }
  return 'drops';
}

function fateOfAwait(site: Node): Wrapping {
  const fn = enclosingFunction(site);
  const guard = findAncestor(site, (node) => node.type === 'TryStatement' && node.handler != null && contains(node.block, site));
  if (!fn || !guard || !contains(fn.body, guard) || guard.type !== 'TryStatement' || !guard.handler) return 'returns';
  return containsThrow(guard.handler.body) ? 'returns' : 'catches';
}

function containsThrow(block: Node): boolean {
  let found = false;
  walkWithin(block, (node) => {
    if (node.type === 'ThrowStatement') found = true;
    return !isFunction(node);
  });
  return found;
}

function isThen(call: CallNode): boolean {
  const callee = unwrap(call.callee);
  return isMember(callee) && memberName(callee) === 'then';
}

/** `Promise.resolve(…)`, `Promise.try(…)` */
function isOfPromise(call: CallNode): boolean {
  const callee = unwrap(call.callee);
  return (
    isMember(callee) &&
    callee.object.type === 'Identifier' &&
    callee.object.name === 'Promise' &&
    /^(?:resolve|try)$/.test(memberName(callee) ?? '')
  );
}
