// What a catch does with the error: swallow it, report it, forward it, or end the loop.
import {
  contains,
  enclosingFunction,
  isCall,
  isFunction,
  isLoop,
  isMember,
  memberName,
  parentOf,
  type Node,
  type t,
} from '../../analysis/module/ast.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';

/** How execution continues after the catch. */
export type AfterCatch =
  /** The error is forwarded: `throw`, `reject(e)`, `next(e)`, `process.exit()`. */
  | 'passes-on'
  /** The function ends. */
  | 'returns'
  /** The innermost loop around the try ends. */
  | 'breaks'
  /** The next iteration, or the code after the try, runs. */
  | 'continues';

/** A `try` with a `catch`. */
export type GuardedTry = t.TryStatement & { handler: t.CatchClause };

export function hasCatch(node: t.TryStatement): node is GuardedTry {
  return node.handler != null;
}

const PASSING_ON: ReadonlySet<string> = new Set(['next', 'reject', 'callback', 'cb', 'done', 'exit', 'abort', 'destroy', 'fail']);
const REPORTING =
  /^(?:console|log|logger|logging|winston|debug|warn|error|info|trace|fatal|verbose|emit|notify|report\w*|capture\w*|track\w*|sentry)$/i;
// `logError(e)`, `requestLogger.warn(e)`, `auditLog.add(e)`; not `login` and `logout`.
const LOGGING = /^(?:log[A-Z]\w*|\w*[lL]ogger|\w+Log|onError|handleError|warning|addIssue|addError)$/;

export function afterCatch(clause: t.CatchClause): AfterCatch {
  for (const statement of clause.body.body) {
    if (statement.type === 'ExpressionStatement' && isPassingOn(statement.expression)) return 'passes-on';
  }
  return endOf(clause.body.body.at(-1));
}

function endOf(last: t.Statement | undefined): AfterCatch {
  switch (last?.type) {
    case 'ThrowStatement':
      return 'passes-on';
    case 'ReturnStatement':
      return last.argument && isPassingOn(last.argument) ? 'passes-on' : 'returns';
    case 'BreakStatement':
      return 'breaks';
    case 'BlockStatement':
      return endOf(last.body.at(-1));
    case 'IfStatement': {
      // Ends only if both branches do. `if (fatal) throw e` continues after the usual error.
      if (!last.alternate) return 'continues';
      const ends = [endOf(last.consequent), endOf(last.alternate)];
      return ends[0] === ends[1] ? (ends[0] as AfterCatch) : 'continues';
    }
    default:
      return 'continues';
  }
}

function isPassingOn(expression: Node): boolean {
  const node = expression.type === 'AwaitExpression' || expression.type === 'UnaryExpression' ? expression.argument : expression;
  if (!isCall(node)) return false;
  const name = node.callee.type === 'Identifier' ? node.callee.name : isMember(node.callee) ? memberName(node.callee) : undefined;
  return name !== undefined && PASSING_ON.has(name);
}

/** Whether the catch reports the error. Then it is an exception, not an expected result. */
export function reportsError(clause: t.CatchClause): boolean {
  let found = false;
  walkWithin(clause.body, (node) => {
    if (isCall(node)) {
      const names = calleeNames(node.callee);
      if (names.some((name) => REPORTING.test(name) || LOGGING.test(name))) found = true;
    }
    return !found;
  });
  return found;
}

/** `RED`, `log`, `error` for `RED.log.error(…)`. */
function calleeNames(callee: Node): string[] {
  if (callee.type === 'Identifier') return [callee.name];
  if (isMember(callee)) return [...calleeNames(callee.object), memberName(callee) ?? ''];
  return isCall(callee) ? calleeNames(callee.callee) : [];
}

/** Whether the catch rethrows some errors: `if (error.code !== 'ENOENT') throw error`. */
export function mayRethrow(clause: t.CatchClause): boolean {
  let found = false;
  walkWithin(clause.body, (node) => {
    if (isFunction(node)) return false;
    if (node.type === 'ThrowStatement') found = true;
    return !found;
  });
  return found;
}

/** Whether the catch reads the error. */
export function usesError(clause: t.CatchClause): boolean {
  const { param } = clause;
  if (!param) return false;
  if (param.type !== 'Identifier') return true;
  let used = false;
  walkWithin(clause.body, (node) => {
    if (
      node.type === 'Identifier' &&
      node.name === param.name &&
      !(isMember(parentOf(node)) && (parentOf(node) as t.MemberExpression).property === node)
    )
      used = true;
    return !used;
  });
  return used;
}

/** Whether the catch stores the error itself: `errors.push(e)`, `firstError = e`, `{ error: e }`. It is then a result, not control flow. */
export function keepsError(clause: t.CatchClause): boolean {
  const { param } = clause;
  if (param?.type !== 'Identifier') return false;
  let kept = false;
  walkWithin(clause.body, (node) => {
    if (node.type === 'Identifier' && node.name === param.name && isPassedOn(node)) kept = true;
    return !kept;
  });
  return kept;
}

function isPassedOn(error: t.Identifier): boolean {
  const parent = parentOf(error);
  switch (parent?.type) {
    case 'CallExpression':
    case 'OptionalCallExpression':
    case 'NewExpression':
      return parent.callee !== error;
    case 'AssignmentExpression':
      return parent.right === error;
    case 'ObjectProperty':
      return parent.value === error;
    case 'ArrayExpression':
    case 'ReturnStatement':
      return true;
    default:
      return false;
  }
}

/** Whether the function continues after the catch. If the catch comes last, the work ends there. */
export function continuesAfter(node: GuardedTry): boolean {
  if (afterCatch(node.handler) !== 'continues') return false;
  for (let from: Node = node, at = parentOf(node); at && !isFunction(from); from = at, at = parentOf(at)) {
    if (at.type === 'BlockStatement' && at.body.at(-1) !== from) return true;
    if (isLoop(at)) return true;
  }
  return false;
}

/** Whether the loop around the try ends when its catch has run. */
export function endsLoop(node: GuardedTry, loop: Node): boolean {
  const after = afterCatch(node.handler);
  if (!isLoop(loop)) return after === 'passes-on';
  switch (after) {
    case 'passes-on':
      return true;
    case 'returns':
      return functionAround(node) === functionAround(loop);
    case 'breaks': {
      const label = (node.handler.body.body.at(-1) as t.BreakStatement).label;
      return (label !== null && label !== undefined) || loopAround(node) === loop;
    }
    default:
      return false;
  }
}

function functionAround(node: Node): Node | undefined {
  for (let at = parentOf(node); at; at = parentOf(at)) if (isFunction(at)) return at;
  return undefined;
}

/** What a `break` without a label in the catch would leave. */
function loopAround(node: Node): Node | undefined {
  for (let at = parentOf(node); at && !isFunction(at); at = parentOf(at)) if (isLoop(at) || at.type === 'SwitchStatement') return at;
  return undefined;
}

/** Whether code awaits something. Then I/O decides how long it takes, not the throw. */
export function hasAwait(root: Node): boolean {
  let found = false;
  walkWithin(root, (node) => {
    if (node !== root && isFunction(node)) return false;
    if (node.type === 'AwaitExpression' || node.type === 'YieldExpression' || (node.type === 'ForOfStatement' && node.await)) found = true;
    return !found;
  });
  return found;
}

/**
 * `for (…) { …; await save(row); }`: one iteration after another. Not `Promise.all(rows.map(async …))`, and not the chunks of `for await`.
 */
export function waitsInTurn(loop: Node): boolean {
  return isLoop(loop) && hasAwait(loop.body);
}

/** `for (…) if (!isValid(x)) return …` around the call of a function whose catch returns `false`: the first throw is the last. */
export function endsCallersLoop(facts: Facts, node: GuardedTry, loop: Node): boolean {
  const fn = enclosingFunction(node);
  const last = node.handler.body.body.at(-1);
  if (!fn || !isLoop(loop) || last?.type !== 'ReturnStatement' || last.argument?.type !== 'BooleanLiteral' || last.argument.value)
    return false;
  return facts.calls.callersOf(fn).some(({ edge }) => contains(loop, edge.site) && leavesUnless(edge.site));
}

/** `if (!call()) return;` */
function leavesUnless(call: Node): boolean {
  const not = parentOf(call);
  const test = not?.type === 'UnaryExpression' && not.operator === '!' ? parentOf(not) : undefined;
  if (test?.type !== 'IfStatement' || test.test !== not) return false;
  const last = test.consequent.type === 'BlockStatement' ? test.consequent.body.at(-1) : test.consequent;
  return last?.type === 'ReturnStatement' || last?.type === 'ThrowStatement' || last?.type === 'BreakStatement';
}

/** Whether a `try` is in a `catch`: it only runs after a failure, however often the code around it does. */
export function isFallback(node: Node): boolean {
  for (let at = parentOf(node); at && !isFunction(at) && !isLoop(at); at = parentOf(at)) if (at.type === 'CatchClause') return true;
  return false;
}
