// Lists that a test keeps short: `if (tags.length >= MAX_TAGS) break`.
import { numberOf } from '../../analysis/facts/constants.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { isMember, memberName, parentOf, startOf, unwrap, type Node, type t } from '../../analysis/module/ast.ts';

/** Lists of that length are searched in some milliseconds. */
const MOST_ELEMENTS = 1000;

/** Limits that another file sets, by name. */
const LIMIT = /^(?:[A-Z\d]+_)*(?:MAX|LIMIT|MAXIMUM)(?:_[A-Z\d]+)*$/;

/** Whether a node runs only while a list is short. `within`: a loop that makes the list longer, so that only its own tests count. */
export function isKeptShort(list: Node, node: Node, within: Node | undefined, facts: Facts): boolean {
  const name = facts.source.slice(unwrap(list));
  const limits = (test: Node): boolean => limitedBy(test, true, facts).includes(name);
  let from = node;
  for (let at = parentOf(node); at && from !== within; from = at, at = parentOf(at)) {
    if (at.type === 'IfStatement' && at.consequent === from && limits(at.test)) return true;
    if (at.type === 'LogicalExpression' && at.operator === '&&' && at.right === from && limits(at.left)) return true;
    if (at.type !== 'BlockStatement') continue;
    const first = limitsIn(at, facts).get(name);
    if (first && startOf(first) < startOf(from)) return true;
  }
  return false;
}

/** Of a block: the first statement that leaves it for long lists, by list. */
function limitsIn(block: t.BlockStatement, facts: Facts): ReadonlyMap<string, Node> {
  const byBlock = facts.remember('limits of lists by block', () => new Map<Node, ReadonlyMap<string, Node>>());
  const known = byBlock.get(block);
  if (known) return known;
  const limits = new Map<string, Node>();
  for (const one of block.body)
    if (one.type === 'IfStatement' && leaves(one.consequent))
      for (const name of limitedBy(one.test, false, facts)) if (!limits.has(name)) limits.set(name, one);
  byBlock.set(block, limits);
  return limits;
}

/** The lists, as they are written, that are short where a test holds (`isLess`), or where it does not. */
function limitedBy(test: Node, isLess: boolean, facts: Facts): readonly string[] {
  const tested = unwrap(test);
  // Both hold if `&&` holds, and neither if `||` does not.
  if (tested.type === 'LogicalExpression' && tested.operator === (isLess ? '&&' : '||'))
    return [...limitedBy(tested.left, isLess, facts), ...limitedBy(tested.right, isLess, facts)];
  if (tested.type !== 'BinaryExpression') return [];
  const { left, right, operator } = tested;
  if (!(isLess ? /^<=?$/ : /^>=?$/).test(operator) || !isMember(left) || memberName(left) !== 'length') return [];
  return isLow(unwrap(right), facts) ? [facts.source.slice(left.object)] : [];
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
