// A promise that races against a timer which nobody clears: the timer stays until it fires, whoever wins.
import { numberOf } from '../../analysis/facts/constants.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import {
  enclosingFunction,
  functionName,
  isCall,
  isFunction,
  isMember,
  memberName,
  parentOf,
  unwrap,
  type CallNode,
  type FunctionNode,
  type Node,
} from '../../analysis/module/ast.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';

export interface Race {
  /** The element that starts the timer. */
  timer: Node;
  /** Whether the caller passes what races against it: a helper, which many may call. */
  isHelper: boolean;
  /** Whether it is gone before many of them add up. */
  isBrief: boolean;
}

// The longest chain of names, calls, and functions between the list and the timer.
const MAX_STEPS = 5;
/** A timer of less than a second is gone before it counts, in ms. */
const SHORT_MS = 1000;
/** Each keeps 0.7 KB: at 100 requests per second, those of a shorter time keep less than 5 MB. Readers acted on longer ones only. */
const LONG_MS = 60_000;
/** Packages whose result is a promise of a timer. */
const DELAYS: ReadonlySet<string> = new Set(['delay', 'sleep-promise']);
/** A file of the project that is named after what it exports: `require('./delay')`. */
const DELAY_FILE = /^[./#~@].*\/(?:delay|sleep|wait)(?:\.[cm]?[jt]s)?$/;

/** `Promise.race([work(), new Promise((_, reject) => setTimeout(reject, 5000))])` */
export function findRace(call: CallNode, facts: Facts): Race | undefined {
  const [list] = call.arguments;
  if (call.type === 'NewExpression' || list?.type !== 'ArrayExpression' || list.elements.length < 2) return undefined;
  if (!facts.origins.isGlobal(call.callee, 'Promise.race') || !enclosingFunction(call)) return undefined;
  const elements = list.elements.filter((one) => one !== null);
  const timers = elements.filter((one) => isLostTimer(one, call, facts, 0));
  const [timer] = timers;
  // A race of timers waits for the shortest one on purpose.
  if (!timer || timers.length === elements.length) return undefined;
  const isBrief = (lengthOf(timer, facts) ?? LONG_MS) < LONG_MS && facts.hotness.repetitionsInFunction(call).length === 0;
  return { timer, isBrief, isHelper: elements.some((one) => !timers.includes(one) && isPassed(one, call, facts)) };
}

/** The time of a timer that is started on the spot, as far as the file shows it. */
function lengthOf(timer: Node, facts: Facts): number | undefined {
  const node = unwrap(timer);
  const declaration = node.type === 'Identifier' ? facts.bindings.resolve(node)?.declaration : undefined;
  let ms: number | undefined;
  walkWithin((declaration?.type === 'VariableDeclarator' && declaration.init) || node, (inner) => {
    if (inner.type === 'CallExpression' && facts.origins.isGlobal(inner.callee, 'setTimeout'))
      ms ??= numberOf(inner.arguments[1], facts.bindings);
    return ms === undefined ? undefined : 'stop';
  });
  return ms;
}

/** `work`, `work()` */
function isPassed(element: Node, race: CallNode, facts: Facts): boolean {
  const node = unwrap(element);
  const name = node.type === 'CallExpression' ? unwrap(node.callee) : node;
  const binding = name.type === 'Identifier' ? facts.bindings.resolve(name) : undefined;
  return binding?.kind === 'param' && binding.declaration === enclosingFunction(race);
}

function isLostTimer(element: Node, race: CallNode, facts: Facts, steps: number): boolean {
  if (steps > MAX_STEPS) return false;
  const node = unwrap(element);
  if (node.type === 'NewExpression') {
    const [executor] = node.arguments;
    const fn = executor && unwrap(executor);
    return facts.origins.isGlobal(node.callee, 'Promise') && fn !== undefined && isFunction(fn) && dropsTimer(fn, facts);
  }
  if (node.type === 'Identifier') {
    // Another race, or another function, may use a promise that has a name.
    const binding = facts.bindings.resolve(node);
    const declaration = binding?.declaration;
    return (
      declaration?.type === 'VariableDeclarator' &&
      declaration.init != null &&
      enclosingFunction(declaration) === enclosingFunction(race) &&
      facts.bindings.references(binding as NonNullable<typeof binding>).length === 1 &&
      isLostTimer(declaration.init, race, facts, steps + 1)
    );
  }
  if (node.type !== 'CallExpression') return false;
  const callee = unwrap(node.callee);
  if (isMember(callee) && /^(?:then|catch|finally)$/.test(memberName(callee) ?? ''))
    return isLostTimer(callee.object, race, facts, steps + 1);
  if (isShort(node.arguments[0])) return false;
  const origin = facts.origins.moduleMember(callee);
  if (origin) {
    if ([origin.module, ...origin.path].join('.').replace('/', '.') === 'timers.promises.setTimeout') return node.arguments.length < 3;
    return (DELAYS.has(origin.module) || DELAY_FILE.test(origin.module)) && origin.path.length <= 1 && node.arguments.length === 1;
  }
  const [fn, ...more] = facts.calls.functionsOf(callee);
  const result = fn && more.length === 0 ? resultOf(fn) : undefined;
  return result !== undefined && isLostTimer(result, race, facts, steps + 1);
}

/** Whether a timer starts, and nobody keeps its handle. */
function dropsTimer(executor: FunctionNode, facts: Facts): boolean {
  let drops = false;
  walkWithin(executor.body, (node) => {
    if (isFunction(node)) return false;
    if (node.type !== 'CallExpression' || !facts.origins.isGlobal(node.callee, 'setTimeout') || isShort(node.arguments[1]))
      return undefined;
    const parent = parentOf(node);
    drops ||= parent?.type === 'ExpressionStatement' || parent === executor;
    return undefined;
  });
  return drops;
}

function isShort(time: Node | undefined): boolean {
  return time?.type === 'NumericLiteral' && time.value < SHORT_MS;
}

/** What a function that does nothing else returns. */
function resultOf(fn: FunctionNode): Node | undefined {
  if (fn.body.type !== 'BlockStatement') return unwrap(fn.body);
  const [only, ...more] = fn.body.body;
  return only?.type === 'ReturnStatement' && only.argument && more.length === 0 ? unwrap(only.argument) : undefined;
}

/** Functions that run once, at the end or before the first request. */
const ONCE =
  /(?:^|\.|_)(?:shut_?down|close|stop|exit|dispose|destroy|cleanup|teardown|terminate|kill|quit|drain|disconnect|main|bootstrap|on_?exit)(?![a-z])/i;

export function isAtTheEnd(node: Node): boolean {
  for (let fn = enclosingFunction(node); fn; fn = enclosingFunction(fn)) {
    if (ONCE.test(functionName(fn) ?? '')) return true;
    // `process.on('SIGTERM', async () => …)`
    const call = parentOf(fn);
    if (
      isCall(call) &&
      call.arguments.some((one) => one.type === 'StringLiteral' && /^SIG[A-Z]+$|^(?:beforeExit|uncaughtException)$/.test(one.value))
    )
      return true;
  }
  return false;
}
