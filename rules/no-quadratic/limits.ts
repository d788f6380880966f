// Lists that a test keeps short: `if (tags.length >= MAX_TAGS) break`.
import { numberOf } from '../../analysis/facts/constants.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { isMember, memberName, parentOf, unwrap, type Node } from '../../analysis/module/ast.ts';

/** Lists of that length are searched in some milliseconds. */
const MOST_ELEMENTS = 1000;

/** Limits that another file sets, by name. */
const LIMIT = /^(?:[A-Z\d]+_)*(?:MAX|LIMIT|MAXIMUM)(?:_[A-Z\d]+)*$/;

/** Whether a node runs only while a list is short. `within`: a loop that makes the list longer, so that only its own tests count. */
export function isKeptShort(list: Node, node: Node, within: Node | undefined, facts: Facts): boolean {
  const name = facts.source.slice(unwrap(list));
  const limits = (test: Node, isLess: boolean): boolean => {
    const tested = unwrap(test);
    // Both hold if `&&` holds, and neither if `||` does not.
    if (tested.type === 'LogicalExpression' && tested.operator === (isLess ? '&&' : '||'))
      return limits(tested.left, isLess) || limits(tested.right, isLess);
    if (tested.type !== 'BinaryExpression') return false;
    const { left, right, operator } = tested;
    if (!(isLess ? /^<=?$/ : /^>=?$/).test(operator) || !isMember(left) || memberName(left) !== 'length') return false;
    return facts.source.slice(left.object) === name && isLow(unwrap(right), facts);
  };
  let from = node;
  for (let at = parentOf(node); at && from !== within; from = at, at = parentOf(at)) {
    if (at.type === 'IfStatement' && at.consequent === from && limits(at.test, true)) return true;
    if (at.type === 'LogicalExpression' && at.operator === '&&' && at.right === from && limits(at.left, true)) return true;
    if (at.type !== 'BlockStatement') continue;
    for (const one of at.body) {
      if (one === from) break;
      if (one.type === 'IfStatement' && leaves(one.consequent) && limits(one.test, false)) return true;
    }
  }
  return false;
}

function isLow(limit: Node, facts: Facts): boolean {
  const number = numberOf(limit, facts.bindings);
  if (number !== undefined) return number <= MOST_ELEMENTS;
  const name = limit.type === 'Identifier' ? limit.name : isMember(limit) ? memberName(limit) : undefined;
  return LIMIT.test(name ?? '');
}

function leaves(statement: Node): boolean {
  const last = statement.type === 'BlockStatement' ? statement.body.at(-1) : statement;
  return /^(?:Return|Throw|Break|Continue)Statement$/.test(last?.type ?? '');
}
