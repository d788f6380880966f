// Timers that run a function again and again: `setInterval`, and `setTimeout` in the function that it calls. While the function blocks, a
// process that serves answers nobody (https://nodejs.org/api/timers.html#setintervalcallback-delay-args).
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
} from '../../module/ast.ts';
import { walkWithin } from '../../module/module-index.ts';
import { numberOf } from '../constants.ts';
import type { Facts } from '../index.ts';

/** In ms. Our choice: what runs more seldom is rarely noticed. */
export const MOST_SELDOM = 3_600_000;

export interface RepeatedCallback {
  /** What is passed to the timer. */
  callback: Node;
  call: CallNode;
}

/** Those that repeat at least once an hour, or nobody can tell how often. */
export function repeatedCallbacks(facts: Facts): readonly RepeatedCallback[] {
  const { module, origins, bindings, source } = facts;
  if (!/\bset(?:Interval|Timeout)\b/.test(source.text)) return [];
  return module.nodes('CallExpression').flatMap((call) => {
    const [callback, delay] = call.arguments;
    if (!callback || !isTimer(call.callee, facts)) return [];
    const isRepeated = origins.isGlobal(call.callee, 'setInterval')
      ? !endsItself(callback, facts)
      : callsWhatIsAround(callback, call, facts);
    return isRepeated && (numberOf(delay, bindings) ?? 0) <= MOST_SELDOM && !isInPrimary(call, facts) ? [{ callback, call }] : [];
  });
}

function isTimer(callee: Node, { origins }: Facts): boolean {
  return origins.isGlobal(callee, 'setInterval') || origins.isGlobal(callee, 'setTimeout');
}

/** `setInterval(() => { if (!isReady) return; clearInterval(timer); … })`: it waits for something that comes once. */
function endsItself(callback: Node, { calls, source }: Facts): boolean {
  return calls.functionsOf(callback).some((fn) => source.slice(fn.body).includes('clearInterval('));
}

/** In the branch of the process or thread that starts the others, and serves nobody. */
export function isInPrimary(call: Node, { source }: Facts): boolean {
  for (let at: Node = call, up = parentOf(at); up; at = up, up = parentOf(up))
    if (up.type === 'IfStatement' && up.consequent === at && /^(?:\w+\.)?(?:isPrimary|isMaster|isMainThread)$/.test(source.slice(up.test)))
      return true;
  return false;
}

/** Methods and events of what failed. */
const FAILED = /^(?:catch|error|close|end|disconnect|exit|timeout)$/;

/** Whether a call is made on the way to the end of a function, and not only where something failed or is not ready. */
function isOnTheWay(call: Node, fn: FunctionNode): boolean {
  let at: Node = call;
  for (let up = parentOf(at); up && at !== fn; at = up, up = parentOf(up)) {
    if (up.type === 'CatchClause') return false;
    // `if (!isStopped) setTimeout(poll, 1000);` is last; after another branch, more follows.
    const block = up.type === 'IfStatement' ? parentOf(up) : undefined;
    if (up.type === 'IfStatement' && !(block?.type === 'BlockStatement' && block.body.at(-1) === up && up.alternate == null)) return false;
    if (!isFunction(up) || up === fn) continue;
    const around = parentOf(up);
    const callee = isCall(around) ? unwrap(around.callee) : undefined;
    const [event] = isCall(around) ? around.arguments : [];
    const names = [isMember(callee) ? memberName(callee) : undefined, event?.type === 'StringLiteral' ? event.value : undefined];
    if (names.some((name) => name !== undefined && FAILED.test(name))) return false;
    if (isMember(callee) && memberName(callee) === 'then' && isCall(around) && around.arguments[0] !== up) return false;
  }
  return true;
}

const CONDITIONS = /^(?:If|Switch|While|For(?:In|Of)?)Statement$|^(?:Conditional|Logical)Expression$|^CatchClause$/;

/** Whether each run of a function makes a call: no condition is around it, and none before it may end the function. */
function isMadeInEachRun(call: Node, fn: FunctionNode): boolean {
  for (let at: Node = call, up = parentOf(at); up && at !== fn; at = up, up = parentOf(up)) {
    if (CONDITIONS.test(up.type) || (isFunction(up) && up !== fn)) return false;
    if (up.type === 'BlockStatement' && up.body.slice(0, up.body.indexOf(at as t.Statement)).some(mayEnd)) return false;
  }
  return true;
}

/** `if (isReady) return;` */
function mayEnd(statement: t.Statement): boolean {
  let ends = false;
  walkWithin(statement, (node) => {
    if (isFunction(node)) return false;
    ends ||= node.type === 'ReturnStatement' || node.type === 'ThrowStatement';
    return ends ? 'stop' : undefined;
  });
  return ends;
}

/**
 * `function poll() { …; setTimeout(poll, 1000); }`, also as `setTimeout(() => poll(), 1000)`, or `setTimeout(async () => { await poll(); },
 * 1000)`. In a block, what counts its retries is passed the count, and what is called on a condition tries again what failed.
 */
function callsWhatIsAround(callback: Node, call: CallNode, { calls }: Facts): boolean {
  const around = new Set<FunctionNode>();
  for (let fn = enclosingFunction(call); fn; fn = enclosingFunction(fn)) if (isOnTheWay(call, fn)) around.add(fn);
  if (around.size === 0) return false;
  const node = unwrap(callback);
  const body = node.type === 'ArrowFunctionExpression' ? unwrap(node.body) : undefined;
  const called = isCall(body)
    ? [body.callee]
    : isFunction(node)
      ? calls.callsIn(node).flatMap((one) => (one.arguments.length === 0 && isMadeInEachRun(one, node) ? [one.callee] : []))
      : [callback];
  return called.some((one) => calls.functionsOf(one).some((fn) => around.has(fn)));
}
