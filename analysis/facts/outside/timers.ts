// Timers that run a function again and again: `setInterval`, and `setTimeout` in the function that it calls. While the function blocks, a
// process that serves answers nobody (https://nodejs.org/api/timers.html#setintervalcallback-delay-args).
import { enclosingFunction, isCall, unwrap, type CallNode, type FunctionNode, type Node } from '../../module/ast.ts';
import { numberOf } from '../constants.ts';
import type { Facts } from '../index.ts';

/** Milliseconds. What runs more seldom is noise to those who were asked (bench/unseen-applications.md). */
const MOST_SELDOM = 3_600_000;

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
    const isRepeated = origins.isGlobal(call.callee, 'setInterval') || callsWhatIsAround(callback, call, facts);
    return isRepeated && (numberOf(delay, bindings) ?? 0) <= MOST_SELDOM ? [{ callback, call }] : [];
  });
}

function isTimer(callee: Node, { origins }: Facts): boolean {
  return origins.isGlobal(callee, 'setInterval') || origins.isGlobal(callee, 'setTimeout');
}

/** `function poll() { …; setTimeout(poll, 1000); }`, also as `setTimeout(() => poll(), 1000)` */
function callsWhatIsAround(callback: Node, call: CallNode, { calls }: Facts): boolean {
  const around = new Set<FunctionNode>();
  for (let fn = enclosingFunction(call); fn; fn = enclosingFunction(fn)) around.add(fn);
  if (around.size === 0) return false;
  const node = unwrap(callback);
  const body = node.type === 'ArrowFunctionExpression' ? unwrap(node.body) : undefined;
  const called = isCall(body) ? body.callee : callback;
  return calls.functionsOf(called).some((fn) => around.has(fn));
}
