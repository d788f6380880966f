// Whether a place runs when nothing has failed, and nobody debugs.
import { conditionsOn } from '../../analysis/facts/control-flow.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import {
  contains,
  endOf,
  enclosingFunction,
  functionName,
  isCall,
  isMember,
  memberName,
  parentOf,
  startOf,
  unwrap,
  type FunctionNode,
  type Node,
} from '../../analysis/module/ast.ts';

/** Tests of what only developers turn on, and of what seldom happens. */
const RARE =
  /debug|verbose|enabled|\bdev\b|development|NODE_ENV|__DEV__|isTest|inspect|level|profil|diagnos|warn|deprecat|err|fail|invalid|reject|abort|timed?_?out|expired|missing|catch|exception|unexpected|unknown/i;
/** Functions that are called when something went wrong, or that build the error. */
const OF_FAILURES =
  /err(?:or)?s?(?:[A-Z_]|$)|fail|warn|deprecat|reject|abort|assert|invalid|fatal|debug|throw|exception|crash|panic|refus/i;
const ERROR_NAME = /^_?(?:e|er|err|error|ex|exception|reason|cause)$/i;
const RARE_EVENT = /err|fail|close|abort|timeout|warn|exception|reject|disconnect|exit|end|cancel|stall|drain/i;
/** What takes an error, or tells of one. */
const TAKES_ERRORS =
  /^(?:error|warn|warning|fatal|critical|alert|reject|next|callback|cb|done|fail|abort|destroy|emit|emitError|captureException|captureMessage|noticeError|recordException|assert|ok|rejects?|throws?)$/i;
// How far to follow the callers of a function in its file.
const MAX_CALLERS = 3;

/** Whether nothing around a place, or before it, says that it runs in case of a failure or for developers. */
export function isOnGoodPath(place: Node, facts: Facts, canBeChosen: boolean, depth = 0): boolean {
  let at = place;
  for (let fn = enclosingFunction(place); fn; at = fn, fn = enclosingFunction(fn)) {
    if (!isPlainWay(at, fn, facts, canBeChosen) || isFailureHandler(fn) || isRunLater(fn)) return false;
  }
  const own = enclosingFunction(place);
  if (!own || depth >= MAX_CALLERS) return true;
  const callers = facts.calls.callersOf(own).filter(({ from }) => from !== own);
  return callers.length === 0 || callers.some(({ edge }) => isOnGoodPath(edge.site, facts, true, depth + 1));
}

/** Whether the conditions between a function and a place in it leave it on the good path. */
function isPlainWay(place: Node, fn: FunctionNode, facts: Facts, canBeChosen: boolean): boolean {
  for (let at = parentOf(place); at && at !== fn; at = parentOf(at)) {
    if (isCall(at) && TAKES_ERRORS.test(calleeName(at.callee) ?? '') && at.callee !== place) return false;
    if (at.type === 'ThrowStatement') return false;
  }
  return conditionsOn(place, fn).every((condition) => {
    if (condition.type === 'CatchClause') return false;
    const owner = parentOf(condition);
    const isAround = condition.type === 'SwitchCase' || (owner !== undefined && contains(owner, place));
    const text = facts.source.slice(condition).slice(0, MAX_TEST);
    if (isAround) return (canBeChosen || /stack/i.test(text) || isLoopList(condition)) && !RARE.test(text) && !isNegated(condition);
    // `if (isReady) return;`: what follows may be the failure. After `if (!user) return;` and `throw`, it is not.
    return !/debug|verbose|level/i.test(text) && (canBeChosen || isForFailure(condition, owner, text));
  });
}

// Of a test, only so much is read.
const MAX_TEST = 400;

function isLoopList(condition: Node): boolean {
  const owner = parentOf(condition);
  return owner?.type === 'ForOfStatement' || owner?.type === 'ForInStatement' || owner?.type === 'ForStatement';
}

/** Whether an early end is the failure, so that what follows is the good path. */
function isForFailure(condition: Node, owner: Node | undefined, text: string): boolean {
  if (owner?.type !== 'IfStatement') return false;
  const { consequent } = owner;
  const last = consequent.type === 'BlockStatement' ? consequent.body.at(-1) : consequent;
  return last?.type === 'ThrowStatement' || isNegated(condition) || RARE.test(text);
}

/** `!user`, `user === undefined`: mostly, what follows is the failure. */
function isNegated(condition: Node): boolean {
  const test = unwrap(condition);
  if (test.type === 'LogicalExpression') return isNegated(test.left) || isNegated(test.right);
  if (test.type === 'UnaryExpression') return test.operator === '!';
  return test.type === 'BinaryExpression' && /^===?$/.test(test.operator) && isNothing(test.right);
}

function isNothing(node: Node): boolean {
  return node.type === 'NullLiteral' || (node.type === 'Identifier' && node.name === 'undefined');
}

/** Whether a function is named for failures, or takes an error. */
function isFailureHandler(fn: FunctionNode): boolean {
  if (OF_FAILURES.test(functionName(fn)?.split('.').at(-1) ?? '')) return true;
  if (fn.params.some((param) => param.type === 'Identifier' && ERROR_NAME.test(param.name))) return true;
  if (fn.type === 'ClassMethod' && fn.kind === 'constructor') {
    const owner = parentOf(parentOf(fn) ?? fn);
    return (owner?.type === 'ClassDeclaration' || owner?.type === 'ClassExpression') && isErrorClassNode(owner);
  }
  return false;
}

export function isErrorClassNode({ id, superClass }: { id?: Node | null; superClass?: Node | null }): boolean {
  const base = superClass && unwrap(superClass);
  const names = [id, isMember(base) ? base.property : base];
  return names.some((one) => one?.type === 'Identifier' && /(?:Error|Exception)$/.test(one.name));
}

/** Whether a function is passed to something that runs it later, if at all: a timer, a listener for failures, a `catch`. */
export function isRunLater(fn: FunctionNode): boolean {
  const call = parentOf(fn);
  if (!call || !isCall(call) || call.callee === fn) return false;
  const name = calleeName(call.callee);
  const index = call.arguments.indexOf(fn as (typeof call.arguments)[number]);
  if (name === 'setTimeout' || name === 'catch') return true;
  if (name === 'then') return index === 1;
  if (!/^(?:on|once|addListener|addEventListener|prependListener|setTimeout)$/.test(name ?? '')) return false;
  const [event] = call.arguments;
  return event?.type === 'StringLiteral' && RARE_EVENT.test(event.value);
}

export function calleeName(callee: Node): string | undefined {
  const node = unwrap(callee);
  return node.type === 'Identifier' ? node.name : isMember(node) ? memberName(node) : undefined;
}

/** Whether a place runs only in some of the cases in which what was made before it was made. `uses`: all places that use it. */
export function isOnlyInSomeCases(place: Node, made: Node, uses: readonly Node[]): boolean {
  const fn = enclosingFunction(made);
  if (!fn) return false;
  if (isRunLaterThan(place, made)) return true;
  return conditionsOn(place, fn).some((condition) => {
    if (startOf(condition) < endOf(made) || isLoopList(condition)) return false;
    const owner = parentOf(condition);
    // `if (isStrict) throw error; return next(error);`: one of them runs.
    return !owner || contains(owner, place) || !uses.some((use) => contains(owner, use));
  });
}

/** Whether a place is in a function that runs later, if at all, and what was made is outside of it. */
export function isRunLaterThan(place: Node, made: Node): boolean {
  const fn = enclosingFunction(made);
  for (let at = enclosingFunction(place); at && at !== fn; at = enclosingFunction(at)) if (isRunLater(at)) return true;
  return false;
}

/** `Error.prepareStackTrace = (_, sites) => sites`: call sites are asked for, which is what the export function is for. */
export function isForCallSites(place: Node, facts: Facts): boolean {
  const fn = enclosingFunction(place);
  return fn !== undefined && facts.source.slice(fn).includes('prepareStackTrace');
}
