// Fixes: a Set before the loop, or one object and one array that are added to.
import { getCodeStyle } from '../../analysis/fix/code-style.ts';
import { hasComment } from '../../analysis/fix/blocks.ts';
import { offsetBefore } from '../../analysis/fix/offset-before.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import {
  contains,
  endOf,
  isFunction,
  isMember,
  memberName,
  parentOf,
  startOf,
  unwrap,
  type FunctionNode,
  type Node,
} from '../../analysis/module/ast.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';
import type { Binding } from '../../analysis/facts/bindings.ts';
import type { Edit, Repair } from '../../analysis/rule.ts';
import { unusedName } from '../shared/top-level.ts';
import type { Copy } from './copies.ts';
import { variableOf, type Round } from './rounds.ts';
import type { Search } from './searches.ts';
import { whyChanged } from './unchanged.ts';

const NOTHING: Repair = { fixes: [], refused: [] };
const SET_TITLE = 'Search a `Set` that is built before the loop';

/** One search by a Set: where it is built, and what asks it. */
interface Plan {
  binding: Binding;
  round: Round;
  statement: Node;
  replaced: Node;
  wanted: Node;
  negated: boolean;
}

/** `others`: the searches of the same function, which one fix changes with it: what is new and what is gone are found side by side. */
export function searchInSet(search: Search, facts: Facts, others: readonly Search[] = []): Repair {
  const refuse = (reason: string): Repair => ({ fixes: [], refused: [{ title: SET_TITLE, reason }] });
  const own = planOf(search, facts);
  if (!own) return NOTHING;
  if ('reason' in own) return refuse(own.reason);
  const plans = [own];
  for (const other of others) {
    const plan = planOf(other, facts);
    if (!plan || 'reason' in plan) continue;
    if (plans.every((one) => isBeside(one, plan, facts))) plans.push(plan);
    else if (plan.binding === own.binding && !contains(own.replaced, plan.replaced) && !contains(plan.replaced, own.replaced))
      return refuse(
        `\`${own.binding.name}\` is searched again on line ${facts.source.positionAt(startOf(plan.replaced)).line}, and may be changed between`,
      );
  }
  plans.sort((one, two) => startOf(one.replaced) - startOf(two.replaced));
  const names = new Map<Binding, string>();
  const { semicolon } = getCodeStyle(facts);
  const edits = plans.flatMap(({ binding, statement, replaced, wanted, negated }): Edit[] => {
    const name = names.get(binding) ?? unusedName(`${binding.name}Set`, facts);
    const asks = {
      start: startOf(replaced),
      end: endOf(replaced),
      text: `${negated ? '!' : ''}${name}.has(${facts.source.slice(wanted)})`,
    };
    if (names.has(binding)) return [asks];
    names.set(binding, name);
    const offset = offsetBefore(statement, facts);
    const indent = facts.source.indentAt(startOf(statement));
    const text = `const ${name} = new Set(${binding.name})${semicolon}${facts.source.lineBreak}${indent}`;
    return [{ start: offset, end: offset, text }, asks];
  });
  const title = names.size > 1 ? 'Search `Set`s that are built before the loops' : SET_TITLE;
  return { fixes: [{ title, kind: 'suggestion', edits }], refused: [] };
}

/** Whether one fix may have both. A Set of the same list is built once, where nothing changes the list between the two. */
function isBeside(one: Plan, other: Plan, facts: Facts): boolean {
  if (contains(one.replaced, other.replaced) || contains(other.replaced, one.replaced)) return false;
  if (one.binding !== other.binding) return one.binding.name !== other.binding.name;
  if (one.statement === other.statement) return true;
  const [first, second] = startOf(one.statement) < startOf(other.statement) ? [one, other] : [other, one];
  const block = parentOf(first.statement);
  return (
    block !== undefined &&
    contains(block, second.statement) &&
    whyChanged(one.binding, { ...one.round, node: block, body: block }, facts) === undefined
  );
}

function planOf({ call, method, list, round }: Search, facts: Facts): Plan | { reason: string } | undefined {
  const binding = variableOf(list, facts);
  if (!binding || list.type !== 'Identifier' || !/^(?:includes|indexOf)$/.test(method)) return undefined;
  const [wanted, from] = call.arguments;
  if (!wanted || from || wanted.type === 'SpreadElement' || call.type !== 'CallExpression') return undefined;
  let replaced: Node = call;
  let negated = false;
  if (method === 'indexOf') {
    const sign = askedWhether(call);
    if (!sign) return undefined;
    if (!/^(?:string|int|boolean|bigint)$/.test(facts.values.valueOf(wanted).kind))
      return { reason: 'a `Set` finds NaN, and `indexOf` does not' };
    replaced = sign.node;
    negated = sign.negated;
  }
  const changed = whyChanged(binding, round, facts);
  if (changed !== undefined) return { reason: changed };
  if (facts.bindings.lookUp('Set', round.node)) return { reason: '`Set` is something else in this file' };
  const statement = statementOf(round.node);
  if (!statement || startOf(statement) < startOf(binding.identifier)) return { reason: 'there is no line before the loop to build it on' };
  return { binding, round, statement, replaced, wanted, negated };
}

/** `list.indexOf(one) !== -1`, `>= 0`, `> -1`; negated: `=== -1`, `< 0` */
function askedWhether(call: Node): { node: Node; negated: boolean } | undefined {
  const test = parentOf(call);
  if (test?.type !== 'BinaryExpression' || test.left !== call) return undefined;
  const { operator, right } = test;
  const isMinusOne =
    right.type === 'UnaryExpression' && right.operator === '-' && right.argument.type === 'NumericLiteral' && right.argument.value === 1;
  const isZero = right.type === 'NumericLiteral' && right.value === 0;
  if ((isMinusOne && /^(?:!==?|>)$/.test(operator)) || (isZero && operator === '>=')) return { node: test, negated: false };
  if ((isMinusOne && /^===?$/.test(operator)) || (isZero && operator === '<')) return { node: test, negated: true };
  return undefined;
}

/** The statement around a loop, if it stands in a block of its own function. */
function statementOf(node: Node): Node | undefined {
  let at = node;
  for (let up = parentOf(at); up; at = up, up = parentOf(up)) {
    if (up.type === 'BlockStatement' || up.type === 'Program') return at;
    if (isFunction(up) || up.type === 'SwitchCase' || up.type === 'LabeledStatement') return undefined;
    if (up.type.endsWith('Statement') && up.type !== 'ReturnStatement' && up.type !== 'ExpressionStatement') return undefined;
  }
  return undefined;
}

export function gatherInPlace({ reduction, kind, at, gathered }: Copy, facts: Facts): Repair {
  const fn = reduction?.arguments[0] && unwrap(reduction.arguments[0]);
  const start = reduction?.arguments[1];
  if (!reduction || !fn || !start || fn.type !== 'ArrowFunctionExpression' || fn.async || hasComment(facts, reduction)) return NOTHING;
  // A longer body may do more than add to it.
  if (unwrap(fn.body) !== at || fn.returnType || fn.typeParameters || reduction.typeParameters) return NOTHING;
  const slice = (node: Node): string => facts.source.slice(node);
  const params = fn.params.map(slice);
  if (kind === 'object' && at.type === 'ObjectExpression' && start.type === 'ObjectExpression' && start.properties.length === 0) {
    const title = 'Make the object with `Object.fromEntries`';
    const [, only, ...more] = at.properties;
    const callee = unwrap(reduction.callee);
    if (only?.type !== 'ObjectProperty' || more.length > 0 || params.length > 3 || !isMember(callee) || memberName(callee) !== 'reduce')
      return NOTHING;
    if (mentions(only, gathered)) return { fixes: [], refused: [{ title, reason: `what is added depends on \`${gathered}\`` }] };
    const [, one, index] = fn.params;
    const isBare =
      one?.type === 'Identifier' &&
      !index &&
      !/\W/.test(slice(one)) &&
      facts.module.nodes('ArrowFunctionExpression').some(isWithoutParentheses);
    const text = `Object.fromEntries(${slice(callee.object)}.map(${isBare ? params[1] : `(${params.slice(1).join(', ')})`} => [${slice(only.key)}, ${slice(only.value)}]))`;
    return { fixes: [{ title, kind: 'suggestion', edits: [{ start: startOf(reduction), end: endOf(reduction), text }] }], refused: [] };
  }
  if (kind === 'list' && at.type === 'ArrayExpression' && start.type === 'ArrayExpression' && start.elements.length === 0) {
    const title = 'Add to the same array';
    const [first, ...added] = at.elements;
    if (first?.type !== 'SpreadElement' || added.some((one) => one === null)) return NOTHING;
    if (added.some((one) => one && mentions(one, gathered)))
      return { fixes: [], refused: [{ title, reason: `what is added depends on \`${gathered}\`` }] };
    if (added.some((one) => one?.type === 'SpreadElement'))
      return { fixes: [], refused: [{ title, reason: '`push(...list)` fails for lists of more than about 125,000 elements' }] };
    const { semicolon } = getCodeStyle(facts);
    const items = added.map((one) => (one ? slice(one) : '')).join(', ');
    const text = `(${params.join(', ')}) => { ${gathered}.push(${items}); return ${gathered}${semicolon || ';'} }`;
    return { fixes: [{ title, kind: 'suggestion', edits: [{ start: startOf(fn), end: endOf(fn), text }] }], refused: [] };
  }
  return NOTHING;
}

/** `one => …`, as Prettier writes it with `arrowParens: 'avoid'`. */
function isWithoutParentheses(fn: FunctionNode): boolean {
  const [only] = fn.params;
  return only !== undefined && startOf(only) === startOf(fn) + (fn.async ? 'async '.length : 0);
}

function mentions(node: Node, name: string): boolean {
  let found = false;
  walkWithin(node, (inner) => {
    if (inner.type === 'Identifier' && inner.name === name) found = true;
    return found ? 'stop' : undefined;
  });
  return found;
}
