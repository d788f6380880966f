// What becomes of a read that fails. As a stream, it fails when the answer has begun: nothing else can be sent instead.
import type { Facts } from '../../analysis/facts/index.ts';
import { isCall, isFunction, isMember, memberName, parentOf, unwrap, type Node } from '../../analysis/module/ast.ts';

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
    if (isFunction(at) && !isCall(parentOf(at))) break;
  }
  return found;
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
/status|\bnext\b|\breject\b|\bcode\(|[Ee]xception|HttpError|createError|[Hh]andleError|\b(?:badRequest|notFound|internal)\w{0,20}\(/i;

function answersError(handler: Node, facts: Facts): boolean {
  if (ERROR.test(facts.source.slice(handler))) return true;
  const block = isFunction(handler) ? handler.body : handler;
  const last = block.type === 'BlockStatement' ? block.body.at(-1) : undefined;
  // Whoever called it gets the same error.
  return last?.type === 'ThrowStatement';
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
