// Listeners and timers that a request starts and nothing takes away.
import type { Binding } from '../../analysis/facts/bindings.ts';
import { conditionsOn } from '../../analysis/facts/control-flow.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import {
  enclosingFunction,
  isCall,
  isFunction,
  isMember,
  memberName,
  parentOf,
  unwrap,
  type CallNode,
  type FunctionNode,
  type Node,
  type t,
} from '../../analysis/module/ast.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';
import { keeperOf, outlives, rootOf } from './owners.ts';

export interface AddedListener {
  /** The emitter as the code names it. */
  emitter: string;
  event: string;
  /** A call that is meant to remove the listener, and names another function. */
  futile: CallNode | undefined;
  /** The function that makes the emitter, if it is no variable of the module. */
  keeper: FunctionNode | undefined;
}

const ADDS: ReadonlySet<string> = new Set(['on', 'addListener', 'prependListener', 'addEventListener']);
const REMOVES: ReadonlySet<string> = new Set([
  'off',
  'removeListener',
  'removeEventListener',
  'removeAllListeners',
  'unsubscribe',
  'removeHandler',
]);
/** Emitters of which a process has one, by the names of their globals. */
const GLOBAL_EMITTERS: ReadonlySet<string> = new Set(['process']);

// Each is compared with all calls that remove one.
const MOST_LISTENERS = 200;

export function findListener(call: CallNode, facts: Facts): AddedListener | undefined {
  const callee = unwrap(call.callee);
  if (call.type === 'NewExpression' || !isMember(callee) || !ADDS.has(memberName(callee) ?? '')) return undefined;
  const [event, listener, options] = call.arguments;
  // `{ once: true }`, `{ signal }`
  if (!event || !listener || options || !(event.type === 'StringLiteral' || event.type === 'Identifier' || isMember(event)))
    return undefined;
  // Whoever keeps the result may end the subscription with it.
  const statement = parentOf(call);
  if (statement?.type !== 'ExpressionStatement') return undefined;
  const root = rootOf(callee.object);
  if (root ? !isLasting(root, call, facts) : !isOfLastingThis(callee.object, call, facts)) return undefined;
  const fn = functionOf(listener, facts);
  if (!fn) return undefined;
  const isSame = unwrap(listener).type === 'Identifier' && !enclosingFunction(fn);
  // The second time, the same function is not added to an `EventTarget`.
  if (isSame && memberName(callee) === 'addEventListener') return undefined;
  const count = facts.remember('listeners of what stays', () => ({ seen: 0 }));
  if (++count.seen > MOST_LISTENERS) return undefined;
  const emitter = facts.source.slice(callee.object);
  const removals = removalsFrom(root, event, facts);
  if (removals.some((removal) => mayRemove(removal, listener, facts))) return undefined;
  return {
    emitter,
    event: event.type === 'StringLiteral' ? event.value : facts.source.slice(event),
    futile: removals.find((removal) => !removesAnother(removal, facts)),
    keeper: root && makerOf(root, facts),
  };
}

/** What is passed to a function may be there before. */
function makerOf(root: t.Identifier, facts: Facts): FunctionNode | undefined {
  const binding = facts.bindings.resolve(root);
  return binding?.declaration.type === 'VariableDeclarator' ? keeperOf(binding) : undefined;
}

/** Whether the emitter is there before the request, and is the same one for all of them. */
function isLasting(root: t.Identifier, site: Node, facts: Facts): boolean {
  const binding = facts.bindings.resolve(root);
  if (!binding) return GLOBAL_EMITTERS.has(root.name);
  if (binding.kind === 'import') return true;
  if (!facts.bindings.isConstant(binding)) return false;
  if (binding.kind === 'param') return outlives(binding, site, facts);
  return binding.declaration.type === 'VariableDeclarator' && outlives(binding, site, facts);
}

/** `this.bus` in a handler that a method of the same object registers: `wss.on('connection', (ws) => this.bus.on('news', …))` */
function isOfLastingThis(emitter: Node, site: Node, facts: Facts): boolean {
  const path = facts.source.slice(emitter);
  if (!/^this(?:\.#?\w+)*$/.test(path)) return false;
  let isInHandler = false;
  let owner = enclosingFunction(site);
  for (; owner?.type === 'ArrowFunctionExpression'; owner = enclosingFunction(owner)) {
    const fn = owner;
    // What a handler assigns is another one for each request.
    isInHandler ||= facts.handlersOf(fn).length > 0;
  }
  if (!owner || !isInHandler || enclosingFunction(owner) || facts.requestPaths.toFunction(owner)) return false;
  return !facts.module
    .nodes('AssignmentExpression')
    .some(({ left }) => facts.source.slice(left) === path && enclosingFunction(left)?.type === 'ArrowFunctionExpression');
}

/** The function that is added, if the file has it; a bound function counts as the function. */
export function functionOf(listener: Node, facts: Facts): Node | undefined {
  const node = unwrap(listener);
  if (isFunction(node)) return node;
  if (node.type === 'Identifier') {
    const declaration = facts.bindings.resolve(node)?.declaration;
    if (declaration && isFunction(declaration)) return declaration;
    const init = declaration?.type === 'VariableDeclarator' && declaration.init ? unwrap(declaration.init) : undefined;
    return init && (isFunction(init) || isBound(init)) ? init : undefined;
  }
  return isBound(node) ? node : undefined;
}

function isBound(node: Node): boolean {
  return node.type === 'CallExpression' && isMember(node.callee) && memberName(node.callee) === 'bind';
}

/** Calls in the file that remove listeners of the event from something with the same root. */
function removalsFrom(root: t.Identifier | undefined, event: Node, facts: Facts): readonly CallNode[] {
  const binding = root && facts.bindings.resolve(root);
  return removingCalls(facts).filter((call) => {
    const callee = unwrap(call.callee);
    if (!isMember(callee)) return false;
    const object = rootOf(callee.object);
    // Through another name or a member of anything, it may be the same emitter.
    if (object && binding && isOther(facts.bindings.resolve(object), binding)) return false;
    const [first] = call.arguments;
    const areKnown = first?.type === 'StringLiteral' && event.type === 'StringLiteral';
    return !areKnown || first.value === event.value || memberName(callee) === 'unsubscribe';
  });
}

function isOther(a: Binding | undefined, b: Binding): boolean {
  return a !== b && a?.kind !== 'let' && a?.kind !== 'var' && a?.kind !== 'const';
}

export function removingCalls(facts: Facts): readonly CallNode[] {
  return facts.remember('calls that remove listeners', () =>
    (['CallExpression', 'OptionalCallExpression'] as const).flatMap((type) =>
      facts.module.nodes(type).filter((call) => {
        const callee = unwrap(call.callee);
        return isMember(callee) && REMOVES.has(memberName(callee) ?? '');
      }),
    ),
  );
}

/** Whether a call may remove what was added. It does not if both functions are known, and are not the same. */
function mayRemove(removal: CallNode, added: Node, facts: Facts): boolean {
  const [, given] = removal.arguments;
  if (!given) return true;
  const removed = unwrap(given);
  // A function that is made on the spot is one that nobody has added.
  if (isFunction(removed) || isBound(removed)) return false;
  if (removed.type !== 'Identifier') return true;
  const binding = facts.bindings.resolve(removed);
  const listener = unwrap(added);
  // Only the emitter itself can name a function that has no name.
  if (isFunction(listener)) return binding !== undefined && (binding.kind === 'param' || isListed(binding, facts));
  if (listener.type === 'Identifier') return facts.bindings.resolve(listener) === binding || !isKnown(removed, facts);
  return !isKnown(removed, facts);
}

/** Whether a call removes what another call adds: it does what it is meant to, for that one. */
function removesAnother({ arguments: [, given] }: CallNode, facts: Facts): boolean {
  const removed = given && unwrap(given);
  const binding = removed?.type === 'Identifier' ? facts.bindings.resolve(removed) : undefined;
  if (!binding) return false;
  return facts.bindings.references(binding).some((reference) => {
    const call = parentOf(reference);
    if (!isCall(call) || call.arguments[1] !== reference) return false;
    const callee = unwrap(call.callee);
    return isMember(callee) && ADDS.has(memberName(callee) ?? '');
  });
}

/** `const [first] = emitter.listeners('change')` */
function isListed({ declaration }: Binding, facts: Facts): boolean {
  return declaration.type !== 'VariableDeclarator' || (declaration.init != null && /isteners\(/.test(facts.source.slice(declaration.init)));
}

/** Whether the file shows which function a name is. */
function isKnown(name: t.Identifier, facts: Facts): boolean {
  const binding = facts.bindings.resolve(name);
  return binding !== undefined && facts.bindings.isConstant(binding) && functionOf(name, facts) !== undefined;
}

export interface EndlessTimer {
  /** The variable that has the handle of the last timer only. */
  overwritten?: string;
}

/** `setInterval(…)` whose handle nobody keeps, or another one replaces, so that nobody can stop it. */
export function findEndlessTimer(call: CallNode, facts: Facts): EndlessTimer | undefined {
  if (call.type === 'NewExpression' || !facts.origins.isGlobal(call.callee, 'setInterval')) return undefined;
  const [callback] = call.arguments;
  // `clearInterval(this)`
  if (!callback || !isFunction(unwrap(callback)) || endsItself(callback)) return undefined;
  const holder = parentOf(call);
  if (holder?.type === 'ExpressionStatement') return {};
  if (holder?.type === 'AssignmentExpression') return holder.operator === '=' ? findOverwritten(holder, facts) : undefined;
  if (holder?.type !== 'VariableDeclarator' || holder.id.type !== 'Identifier') return undefined;
  const binding = facts.bindings.resolve(holder.id);
  if (!binding || binding.scope.type === 'Program') return undefined;
  const isUnused = facts.bindings.references(binding).every(isUnreferenced);
  return isUnused ? {} : undefined;
}

/** `timer = setInterval(…)`, with a variable that all requests share, and nothing that stops the timer before. */
function findOverwritten(assignment: t.AssignmentExpression, facts: Facts): EndlessTimer | undefined {
  const { left } = assignment;
  const binding = left.type === 'Identifier' ? facts.bindings.resolve(left) : undefined;
  const statement = parentOf(assignment);
  if (!binding || statement?.type !== 'ExpressionStatement' || !outlives(binding, assignment, facts)) return undefined;
  const around: FunctionNode[] = [];
  for (let at: Node = assignment, fn = enclosingFunction(at); fn; at = fn, fn = enclosingFunction(fn)) {
    around.push(fn);
    if (
      conditionsOn(at, fn).some((test) =>
        facts.source
          .slice(test)
          .match(/[\w$]+/g)
          ?.includes(binding.name),
      )
    )
      return undefined;
  }
  const isStopped = facts.bindings.references(binding).some((reference) => {
    const user = enclosingFunction(reference);
    if (!user || reference === left || isUnreferenced(reference)) return false;
    return (
      around.includes(user) || facts.calls.callersOf(user).some(({ from, edge }) => edge.via === 'call' && around.some((fn) => fn === from))
    );
  });
  return isStopped ? undefined : { overwritten: binding.name };
}

/** `timer.unref()` */
function isUnreferenced(handle: Node): boolean {
  const member = parentOf(handle);
  return (
    isMember(member) && member.object === handle && /^(?:unref|ref|hasRef)$/.test(memberName(member) ?? '') && isCall(parentOf(member))
  );
}

function endsItself(callback: Node): boolean {
  let ends = false;
  walkWithin(callback, (node) => {
    if (node.type === 'Identifier' && node.name === 'clearInterval') ends = true;
    return ends ? 'stop' : undefined;
  });
  return ends;
}
