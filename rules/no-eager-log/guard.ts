// The fix: the level is asked first.
import { getCodeStyle } from '../../analysis/fix/code-style.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { isCall, isFunction, isMember, memberName, parentOf, startOf, unwrap, type CallNode } from '../../analysis/module/ast.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';
import type { Repair } from '../../analysis/rule.ts';
import type { LogCall } from './loggers.ts';

const TITLE = 'Check first whether the level is on';
const WITHOUT_EFFECTS = /^(?:stringify|inspect|toString|join|map|toISOString|keys|values|entries|slice|now)$/;

export function guardCall(call: CallNode, { library, guard }: LogCall, facts: Facts): Repair {
  const refusal = (reason: string): Repair => ({ fixes: [], refused: [{ title: TITLE, reason }] });
  if (!library) return refusal('the logger is created in another file');
  if (guard === undefined) return refusal('this logger has no method to check its level. Pass the value itself');
  const statement = parentOf(call);
  const block = statement && parentOf(statement);
  if (statement?.type !== 'ExpressionStatement' || !block || !/^(?:BlockStatement|Program|SwitchCase)$/.test(block.type))
    return refusal('the call is not a statement of its own');
  if (!call.arguments.every((argument) => isWithoutEffects(argument))) return refusal('its arguments call functions that may do more');
  const quote = getCodeStyle(facts).quote;
  const start = startOf(statement);
  return {
    fixes: [{ title: TITLE, kind: 'suggestion', edits: [{ start, end: start, text: `if (${guard.replaceAll("'", quote)}) ` }] }],
    refused: [],
  };

  function isWithoutEffects(argument: CallNode['arguments'][number]): boolean {
    let is = true;
    walkWithin(argument, (node) => {
      if (/^(?:Assignment|Update|Await|Yield)Expression$/.test(node.type)) is = false;
      if (isCall(node)) {
        const callee = unwrap(node.callee);
        const name = isMember(callee) ? memberName(callee) : callee.type === 'Identifier' ? callee.name : undefined;
        is &&= WITHOUT_EFFECTS.test(name ?? '');
      }
      if (isFunction(node) && node.type !== 'ArrowFunctionExpression') is = false;
      return is;
    });
    return is;
  }
}
