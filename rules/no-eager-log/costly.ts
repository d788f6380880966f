// Arguments that take long to make: text of a value whose size comes from a request, a message, or a query.
import type { Facts } from '../../analysis/facts/index.ts';
import { isCall, isFunction, isMember, memberName, unwrap, type CallNode, type Node } from '../../analysis/module/ast.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';
import { sourceOf } from '../shared/value-source.ts';

export interface Costly {
  call: CallNode;
  /** As messages name it. */
  name: string;
  value: Node;
}

/** The first costly part of an argument. What is in a function runs only if the logger calls it. */
export function costlyPartOf(argument: Node, facts: Facts): Costly | undefined {
  let found: Costly | undefined;
  walkWithin(argument, (node) => {
    if (isFunction(node) || node.type === 'ConditionalExpression' || node.type === 'LogicalExpression') return false;
    if (isCall(node)) found = costOf(node, facts);
    return found ? 'stop' : true;
  });
  return found;
}

function costOf(call: CallNode, facts: Facts): Costly | undefined {
  const made = textMaker(call, facts);
  if (!made) return undefined;
  const { from, isLiteral } = sourceOf(made.value, facts);
  return !isLiteral && /^(?:sent|rows|parsed)$/.test(from) ? { call, ...made } : undefined;
}

function textMaker(call: CallNode, facts: Facts): { name: string; value: Node } | undefined {
  const callee = unwrap(call.callee);
  const [first] = call.arguments;
  const { origins } = facts;
  if (first && first.type !== 'SpreadElement') {
    // With a list of names or a function, only a part is written.
    const [, second] = call.arguments;
    if (origins.isGlobal(callee, 'JSON.stringify'))
      return !second || /^(?:NullLiteral|Identifier)$/.test(second.type) ? { name: 'JSON.stringify', value: first } : undefined;
    const origin = origins.moduleMember(callee);
    if (origin?.module === 'util' && origin.path.join('.') === 'inspect') return { name: 'util.inspect', value: first };
  }
  if (!isMember(callee)) return undefined;
  const method = memberName(callee);
  const object = unwrap(callee.object);
  if (method === 'toString' && first?.type === 'StringLiteral' && /^(?:hex|base64|base64url)$/.test(first.value))
    return { name: `toString('${first.value}')`, value: object };
  // `rows.map((row) => row.name).join()`
  if (method === 'join' && isCall(object) && isMember(object.callee) && memberName(object.callee) === 'map')
    return { name: 'map(…).join', value: object.callee.object };
  return undefined;
}
