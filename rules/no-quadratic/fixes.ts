// Fixes: a Set before the loop, or one object and one array that are added to.
import { getCodeStyle } from '../../analysis/fix/code-style.ts';
import { hasComment } from '../../analysis/fix/blocks.ts';
import { offsetBefore } from '../../analysis/fix/offset-before.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { endOf, isFunction, isMember, memberName, parentOf, startOf, unwrap, type Node } from '../../analysis/module/ast.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';
import type { Repair } from '../../analysis/rule.ts';
import { unusedName } from '../shared/top-level.ts';
import type { Copy } from './copies.ts';
import { variableOf } from './rounds.ts';
import type { Search } from './searches.ts';
import { whyChanged } from './unchanged.ts';

const NOTHING: Repair = { fixes: [], refused: [] };
const SET_TITLE = 'Search a `Set` that is built before the loop';

export function searchInSet({ call, method, list, round }: Search, facts: Facts): Repair {
  const refuse = (reason: string): Repair => ({ fixes: [], refused: [{ title: SET_TITLE, reason }] });
  const binding = variableOf(list, facts);
  if (!binding || list.type !== 'Identifier' || !/^(?:includes|indexOf)$/.test(method)) return NOTHING;
  const [wanted, from] = call.arguments;
  if (!wanted || from || wanted.type === 'SpreadElement' || call.type !== 'CallExpression') return NOTHING;
  let replaced: Node = call;
  let negated = false;
  if (method === 'indexOf') {
    const sign = askedWhether(call);
    if (!sign) return NOTHING;
    if (!/^(?:string|int|boolean|bigint)$/.test(facts.values.valueOf(wanted).kind))
      return refuse('a `Set` finds NaN, and `indexOf` does not');
    replaced = sign.node;
    negated = sign.negated;
  }
  const changed = whyChanged(binding, round, facts);
  if (changed !== undefined) return refuse(changed);
  if (facts.bindings.lookUp('Set', round.node)) return refuse('`Set` is something else in this file');
  const statement = statementOf(round.node);
  if (!statement || startOf(statement) < startOf(binding.identifier)) return refuse('there is no line before the loop to build it on');
  const name = unusedName(`${list.name}Set`, facts);
  const { semicolon } = getCodeStyle(facts);
  const offset = offsetBefore(statement, facts);
  const indent = facts.source.indentAt(startOf(statement));
  return {
    fixes: [
      {
        title: SET_TITLE,
        kind: 'suggestion',
        edits: [
          {
            start: offset,
            end: offset,
            text: `const ${name} = new Set(${list.name})${semicolon}${facts.source.lineBreak}${indent}`,
          },
          { start: startOf(replaced), end: endOf(replaced), text: `${negated ? '!' : ''}${name}.has(${facts.source.slice(wanted)})` },
        ],
      },
    ],
    refused: [],
  };
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
    const text = `Object.fromEntries(${slice(callee.object)}.map((${params.slice(1).join(', ')}) => [${slice(only.key)}, ${slice(only.value)}]))`;
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

function mentions(node: Node, name: string): boolean {
  let found = false;
  walkWithin(node, (inner) => {
    if (inner.type === 'Identifier' && inner.name === name) found = true;
    return found ? 'stop' : undefined;
  });
  return found;
}
