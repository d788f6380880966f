// What becomes of a read that fails. As a stream, it fails when the answer has begun: nothing else can be sent instead.
import type { Facts } from '../../analysis/facts/index.ts';
import { endOf, isCall, isFunction, isMember, memberName, parentOf, startOf, unwrap, type Node } from '../../analysis/module/ast.ts';

/** `fallback`: something else is sent instead, or done. `error`: the answer is an error. */
export type OnFailure = 'fallback' | 'error' | undefined;

export function onFailureOf(call: Node, facts: Facts): OnFailure {
  let found: OnFailure;
  for (let at = parentOf(call), from: Node = call; at; from = at, at = parentOf(at)) {
    const handler = handlerAt(at, from);
    if (handler) {
      if (!answersError(handler, facts) && !(isOnlyLogged(handler) && !isFollowed(at))) return 'fallback';
      found = 'error';
    }
    if (isFunction(at) && !isPromiseCallback(at)) break;
  }
  return found;
}

/** Whether a failure in a function goes on to what follows it: `promise.then(() => { … }).catch(handler)`. */
function isPromiseCallback(fn: Node): boolean {
  const call = parentOf(fn);
  return isCall(call) && isMember(call.callee) && /^(?:then|catch|finally)$/.test(memberName(call.callee) ?? '');
}

/** `try { … } catch { handler }`, `promise.catch(handler)` */
function handlerAt(at: Node, from: Node): Node | undefined {
  if (at.type === 'TryStatement') return at.block === from ? (at.handler?.body ?? undefined) : undefined;
  if (!isMember(at) || at.object !== from || memberName(at) !== 'catch') return undefined;
  const call = parentOf(at);
  const [handler] = isCall(call) && call.callee === at ? call.arguments : [];
  return handler && unwrap(handler);
}

const ERROR =
  /status|\bnext\b|\breject\b|\bcode\(|new \w{0,40}(?:Exception|HttpError)\b|createError|handleError|\b(?:badRequest|notFound|internal)\w{0,20}\(/i;

function answersError(handler: Node, facts: Facts): boolean {
  if (ERROR.test(facts.source.slice(handler))) return true;
  const block = isFunction(handler) ? handler.body : handler;
  const statements = block.type === 'BlockStatement' ? block.body : [block];
  // Whoever called it gets the same error.
  if (statements.at(-1)?.type === 'ThrowStatement') return true;
  const error = isFunction(handler)
    ? handler.params[0]
    : parentOf(handler)?.type === 'CatchClause'
      ? paramOf(parentOf(handler))
      : undefined;
  const done = statements.map((one) =>
    one.type === 'ExpressionStatement'
      ? unwrap(one.expression)
      : one.type === 'ReturnStatement'
        ? one.argument && unwrap(one.argument)
        : one,
  );
  const isError = (one: Node | null | undefined): boolean => one != null && isErrorAnswer(one, error ?? undefined, facts);
  // With a test, something else may be sent in some cases.
  return done.some(isError) && done.every((one) => one == null || isCall(one) || isError(one));
}

function paramOf(clause: Node | undefined): Node | undefined {
  return clause?.type === 'CatchClause' ? (clause.param ?? undefined) : undefined;
}

const RESPONSE = /^(?:res|resp|response|reply|rep|ctx|context|c|h|httpRes|httpResponse)$/;
const WORDS_OF_ERRORS = /err(?:or)?\b|errors?\W|fail|not found|missing|unable|cannot|could ?n[o']t|wrong|invalid|\b(?:ok|success): ?false/i;

/** `res.end('failed')`, `res.end(error.message)`, `sendError(res, error)`, `ctx.body = 'failed'`; and not `res.send(EMPTY)` */
function isErrorAnswer(done: Node, error: Node | undefined, facts: Facts): boolean {
  const tells = (sent: Node): boolean =>
    WORDS_OF_ERRORS.test(facts.source.slice(sent)) || (error !== undefined && isUsedIn(error, sent, facts));
  if (done.type === 'AssignmentExpression') return isMember(done.left) && isResponse(done.left.object) && tells(done.right);
  if (!isCall(done)) return false;
  const callee = unwrap(done.callee);
  if (isMember(callee) && isResponse(callee.object))
    return /^(?:end|destroy)$/.test(memberName(callee) ?? '') && done.arguments.length === 0 ? true : done.arguments.some(tells);
  return done.arguments.some(isResponse) && (/error|fail/i.test(facts.source.slice(callee)) || done.arguments.some(tells));
}

function isResponse(node: Node): boolean {
  const value = unwrap(node);
  return value.type === 'Identifier' && RESPONSE.test(value.name);
}

function isUsedIn(error: Node, sent: Node, facts: Facts): boolean {
  const binding = error.type === 'Identifier' ? facts.bindings.resolve(error) : undefined;
  return (
    binding !== undefined && facts.bindings.references(binding).some((one) => startOf(one) >= startOf(sent) && endOf(one) <= endOf(sent))
  );
}

/** `catch (error) { console.error(error) }` */
function isOnlyLogged(handler: Node): boolean {
  return (
    handler.type === 'BlockStatement' &&
    handler.body.length > 0 &&
    handler.body.every((one) => {
      const call = one.type === 'ExpressionStatement' ? unwrap(one.expression) : undefined;
      return isCall(call) && isMember(call.callee) && LOGS.test(memberName(call.callee) ?? '');
    })
  );
}

const LOGS = /^(?:log|error|warn|info|debug|trace)$/;

/** Whether the function goes on behind a statement. */
function isFollowed(statement: Node): boolean {
  for (let at = statement, up = parentOf(at); up && !isFunction(at); at = up, up = parentOf(at))
    if (up.type === 'BlockStatement' && up.body.at(-1) !== at) return true;
  return false;
}
