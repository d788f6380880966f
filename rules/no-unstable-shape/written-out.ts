// Records that only become JSON: whatever writes them reads each field once, so that their shapes hardly matter.
import { isCall, isMember, memberName, parentOf, type Node } from '../../analysis/module/ast.ts';
import type { Binding } from '../../analysis/facts/bindings.ts';
import type { Facts } from '../../analysis/facts/index.ts';

/** Methods that send a value as JSON. */
const SENDING: ReadonlySet<string> = new Set(['json', 'jsonp', 'send', 'stringify']);

/** Whether an expression only becomes a part of an answer or of a JSON text. */
export function isWrittenOut(facts: Facts, expression: Node): boolean {
  let at = expression;
  for (let up = parentOf(at); up; at = up, up = parentOf(up)) {
    switch (up.type) {
      case 'ObjectProperty':
        if (up.value !== at) return false;
        break;
      case 'ObjectExpression':
      case 'ArrayExpression':
      case 'SpreadElement':
      case 'AwaitExpression':
      case 'TSAsExpression':
        break;
      case 'AssignmentExpression':
        // `ctx.body = rows`
        return up.right === at && isMember(up.left) && memberName(up.left) === 'body';
      default:
        if (!isCall(up) || up.callee === at || !isMember(up.callee)) return false;
        return memberName(up.callee) === 'stringify'
          ? facts.origins.isGlobal(up.callee, 'JSON.stringify')
          : SENDING.has(memberName(up.callee) ?? '');
    }
  }
  return false;
}

/** The same for a list: nothing else is done with it than to fill it. */
export function isListWrittenOut(facts: Facts, list: Binding): boolean {
  const uses = facts.bindings.references(list).filter((reference) => {
    const member = parentOf(reference);
    return !(isMember(member) && member.object === reference && /^(?:push|unshift|length)$/.test(memberName(member) ?? ''));
  });
  return uses.length > 0 && uses.every((use) => isWrittenOut(facts, use));
}
