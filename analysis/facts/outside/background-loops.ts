// Loops without an end that wait in every round: `while (this.isRunning) { await this.work(); await sleep(5000); }`. While a function that
// such a loop calls blocks, a process that serves answers nobody.
import {
  contains,
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
import { isInPrimary, MOST_SELDOM } from './timers.ts';

type Loop = t.WhileStatement | t.DoWhileStatement | t.ForStatement;

export interface BackgroundLoop {
  loop: Loop;
  /**
   * What the loop calls, and the function around it, if that does nothing of note outside of the loop. Both, because the function may begin
   * with `if (this.isRunning) return`, and what follows then runs once.
   */
  runs: readonly Node[];
}

/** Flags that are set while something works: `while (this.isRunning)`. */
const WORKING =
  /(?:^|[._])(?:is_?|should_?|keep_?)?(?:running|run|active|alive|started|enabled|going|listening|polling|watching|looping)$/i;
/** Flags that are set when something shall end: `while (!stopped)`. */
const ENDING = /(?:stop|shut|abort|cancel|terminat|destroy|dispos|halt|quit|clos|kill|exit)[a-z]*$/i;
/** What a condition says that ends the program or its work. */
const ENDS = /stop|shut|abort|cancel|terminat|destroy|dispos|halt|quit|clos|kill|running|active|alive/i;
const SLEEPS = /^(?:sleep|delay|wait|pause|snooze)(?:_?(?:ms|for|millis|milliseconds|seconds))?$/i;
/** Of a function that is read for each of its loops. */
const MOST_CALLS = 500;
const LOGS = /^(?:console|log|logger|_logger|debug|winston|pino)$/i;

export function backgroundLoops(facts: Facts): readonly BackgroundLoop[] {
  const { module, source } = facts;
  if (!/\b(?:while|for)\b/.test(source.text) || !/sleep|delay|wait|pause|setTimeout/i.test(source.text)) return [];
  return [...module.nodes('WhileStatement'), ...module.nodes('DoWhileStatement'), ...module.nodes('ForStatement')].flatMap((loop) => {
    const fn = enclosingFunction(loop);
    if ((fn && 'generator' in fn && fn.generator) || !isEndless(loop, facts) || isInPrimary(loop, facts)) return [];
    const called = calledIn(loop, facts);
    return called ? [{ loop, runs: fn && isAllOf(fn, loop, facts) ? [fn, ...called] : called }] : [];
  });
}

function isEndless(loop: Loop, facts: Facts): boolean {
  const test = loop.test && unwrap(loop.test);
  if (!test) return true;
  if (test.type === 'BooleanLiteral') return test.value;
  if (test.type === 'NumericLiteral') return test.value !== 0;
  if (loop.type === 'ForStatement') return false;
  const isNot = test.type === 'UnaryExpression' && test.operator === '!';
  const flag = isNot ? unwrap(test.argument) : test;
  if (flag.type !== 'Identifier' && !isMember(flag)) return false;
  return (isNot ? ENDING : WORKING).test(facts.source.slice(flag));
}

/** What a loop calls. None if it may end, or does not wait in every round. */
function calledIn(loop: Loop, facts: Facts): readonly Node[] | undefined {
  const called: Node[] = [];
  const test = loop.test ? facts.source.slice(loop.test).replace(/^!/, '') : '';
  let sleeps = false;
  let ends = false;
  walkWithin(loop.body, (node) => {
    if (ends) return 'stop';
    if (isFunction(node)) return false;
    // One that sets its flag itself waits for something that comes.
    if (node.type === 'AssignmentExpression') ends = facts.source.slice(node.left) === test;
    else if (node.type === 'ReturnStatement' || node.type === 'BreakStatement' || node.type === 'ThrowStatement')
      ends = leaves(node, loop) && !isStopped(node, loop, facts);
    else if (node.type === 'AwaitExpression' && isSleep(unwrap(node.argument), facts)) {
      if (!isInCatch(node, loop)) sleeps = true;
      return false;
    } else if (isCall(node)) called.push(node.callee, ...node.arguments.filter((one) => isFunction(one)));
    return ends ? 'stop' : undefined;
  });
  return sleeps && !ends ? called : undefined;
}

/** Whether a statement ends the loop, and not something within. */
function leaves(node: t.ReturnStatement | t.BreakStatement | t.ThrowStatement, loop: Loop): boolean {
  for (let at: Node = node, up = parentOf(at); up && up !== loop; at = up, up = parentOf(up)) {
    if (node.type === 'ThrowStatement' && up.type === 'TryStatement' && up.block === at && up.handler) return false;
    if (node.type === 'BreakStatement' && !node.label && /^(?:For\w*|While|DoWhile|Switch)Statement$/.test(up.type)) return false;
  }
  return true;
}

/** `if (this.stopped) return;` */
function isStopped(node: Node, loop: Loop, { source }: Facts): boolean {
  for (let at: Node = node, up = parentOf(at); up && up !== loop; at = up, up = parentOf(up))
    if (up.type === 'IfStatement' && up.consequent === at && ENDS.test(source.slice(up.test))) return true;
  return false;
}

function isInCatch(node: Node, loop: Loop): boolean {
  for (let up = parentOf(node); up && up !== loop; up = parentOf(up)) if (up.type === 'CatchClause') return true;
  return false;
}

/** `sleep(5000)`, `setTimeout(5000)` of timers/promises, `new Promise((resolve) => setTimeout(resolve, 5000))`, for an hour at most. */
function isSleep(node: Node, facts: Facts): boolean {
  const { calls, bindings, origins } = facts;
  if (node.type === 'NewExpression') return isTimerPromise(node, facts);
  if (!isCall(node)) return false;
  const [ms] = node.arguments;
  if (!ms || (numberOf(ms, bindings) ?? 0) > MOST_SELDOM) return false;
  const origin = origins.moduleMember(node.callee);
  if (origin && /^(?:node:)?timers/.test(origin.module)) return /setTimeout|wait/.test(origin.path.at(-1) ?? '');
  const name = isMember(node.callee) ? memberName(node.callee) : node.callee.type === 'Identifier' ? node.callee.name : undefined;
  if (name === undefined || !SLEEPS.test(name)) return false;
  const known = calls.functionsOf(node.callee);
  return known.length === 0 || known.some((fn) => /\bsetTimeout\b/.test(facts.source.slice(fn.body)));
}

function isTimerPromise(node: CallNode, { origins, bindings }: Facts): boolean {
  const [executor] = node.arguments;
  if (!origins.isGlobal(node.callee, 'Promise') || !executor) return false;
  let found = false;
  walkWithin(executor, (one) => {
    if (isCall(one) && origins.isGlobal(one.callee, 'setTimeout') && (numberOf(one.arguments[1], bindings) ?? 0) <= MOST_SELDOM)
      found = true;
    return found ? 'stop' : undefined;
  });
  return found;
}

/** Whether a function calls nothing outside of a loop, but for what it logs. */
function isAllOf(fn: FunctionNode, loop: Loop, { calls }: Facts): boolean {
  const all = calls.callsIn(fn);
  return all.length <= MOST_CALLS && all.every((call) => contains(loop, call) || isLog(call));
}

function isLog({ callee }: CallNode): boolean {
  if (!isMember(callee)) return false;
  const object = unwrap(callee.object);
  const name = object.type === 'Identifier' ? object.name : isMember(object) ? memberName(object) : undefined;
  return name !== undefined && LOGS.test(name);
}
