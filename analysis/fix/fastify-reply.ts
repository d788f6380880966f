// How a Fastify handler ends. Once it is async, Fastify sends what it returns: nothing, unless it returns the reply or has sent all of it.
import { endOf, isCall, isFunction, isMember, memberName, startOf, unwrap, type FunctionNode, type Node, type t } from '../module/ast.ts';
import type { Facts } from '../facts/index.ts';
import { walkWithin } from '../module/module-index.ts';
import type { Edit } from '../../protocol/finding.ts';

/** The edits that make each end of a handler return its reply; or the node where that is not clear. */
export function returnReply(fn: FunctionNode, facts: Facts): { edits: Edit[] } | { unclear: Node } {
  const { body } = fn;
  if (body.type !== 'BlockStatement') return { edits: [] };
  const reply = fn.params[1]?.type === 'Identifier' ? facts.bindings.resolve(fn.params[1]) : undefined;
  const edits: Edit[] = [];
  let unclear: Node | undefined;

  const isReply = (node: Node): boolean => {
    if (node.type !== 'ExpressionStatement') return false;
    let at = unwrap(node.expression);
    const sends = isCall(at) && isMember(at.callee) ? memberName(at.callee) : undefined;
    while (isCall(at) || isMember(at)) at = unwrap(isMember(at) ? at.object : at.callee);
    return (
      at.type === 'Identifier' &&
      reply !== undefined &&
      facts.bindings.resolve(at) === reply &&
      sends !== undefined &&
      /^(?:send|redirect|view|sendFile|callNotFound)$/.test(sends)
    );
  };
  const isRaw = (node: Node): boolean =>
    reply !== undefined &&
    node.type === 'ExpressionStatement' &&
    new RegExp(`^${reply.name.replaceAll('$', '\\$')}\\.raw\\.end\\(`).test(facts.source.slice(node));
  const send = (node: Node): void => {
    edits.push({ start: startOf(node), end: startOf(node), text: 'return ' });
  };

  const endsWell = (statements: readonly t.Statement[], whole: Node): void => {
    const last = statements.at(-1);
    if (!last) unclear ??= whole;
    else if (isReply(last)) send(last);
    else if (last.type === 'BlockStatement') endsWell(last.body, last);
    else if (last.type === 'IfStatement' && last.alternate) {
      endsWell([last.consequent], last);
      endsWell([last.alternate], last);
    } else if (last.type === 'TryStatement') {
      endsWell(last.block.body, last);
      if (last.handler) endsWell(last.handler.body.body, last);
    } else if (last.type !== 'ReturnStatement' && last.type !== 'ThrowStatement' && !isRaw(last)) unclear ??= last;
  };
  endsWell(body.body, body);

  walkWithin(body, (node) => {
    if (isFunction(node)) return false;
    const list = node.type === 'BlockStatement' ? node.body : node.type === 'SwitchCase' ? node.consequent : [];
    for (const [index, statement] of list.entries()) {
      if (statement.type !== 'ReturnStatement' || statement.argument) continue;
      const before = list[index - 1];
      if (before && isReply(before)) {
        send(before);
        edits.push({ start: endOf(before), end: endOf(statement), text: '' });
      } else if (!before || !isRaw(before)) unclear ??= statement;
    }
    // `if (…) return;`
    if (node.type === 'IfStatement')
      for (const branch of [node.consequent, node.alternate])
        if (branch?.type === 'ReturnStatement' && !branch.argument) unclear ??= branch;
    return true;
  });
  return unclear ? { unclear } : { edits };
}
