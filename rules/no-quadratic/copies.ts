// What was gathered so far, and is copied, joined, or counted again for each element.
import type { Facts } from '../../analysis/facts/index.ts';
import {
  contains,
  isCall,
  isFunction,
  isMember,
  memberName,
  parentOf,
  unwrap,
  type FunctionNode,
  type Node,
  type t,
} from '../../analysis/module/ast.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';
import { roundsAround, variableOf, type Round } from './rounds.ts';
import type { Size, Sizes } from './sizes.ts';

export interface Copy {
  kind: 'object' | 'list' | 'bytes';
  /** What copies: the literal, or the call. */
  at: Node;
  /** The variable that holds what was gathered. */
  gathered: string;
  /** What is walked; undefined for the chunks of a stream. */
  list: Node | undefined;
  /** The reduction, if it is one. */
  reduction?: t.CallExpression | t.OptionalCallExpression;
  /** It is made for each row, and `size` says how many rows there are. The columns of one are few. */
  isPerRow?: true;
  size: Size;
}

export const MAY_COPY = /\.\.\.|\.concat\(|Object\.assign/;

/** `list.reduce((all, one) => ({ ...all, [one.id]: one }), {})` */
export function findReduction(call: t.CallExpression | t.OptionalCallExpression, facts: Facts, sizes: Sizes): Copy | undefined {
  const callee = unwrap(call.callee);
  if (!isMember(callee) || !/^reduce(?:Right)?$/.test(memberName(callee) ?? '')) return undefined;
  const fn = call.arguments[0] && unwrap(call.arguments[0]);
  if (!fn || !isFunction(fn) || !call.arguments[1] || fn.params[0]?.type !== 'Identifier') return undefined;
  const { name } = fn.params[0];
  for (const value of resultsOf(fn)) {
    const copy = copyOf(value, name, facts);
    if (!copy) continue;
    const size = sizes.of(callee.object);
    const found = { ...copy, gathered: name, list: callee.object, reduction: call };
    const rows = copy.kind === 'object' && /^(?:short|unknown)$/.test(size) ? rowsAround(call, callee.object, facts, sizes) : undefined;
    return rows ? { ...found, isPerRow: true, size: rows } : { ...found, size };
  }
  return undefined;
}

// Fewer are copied in no time.
const LEAST_COLUMNS = 5;

/** How many rows get an object each, which is copied for each column; undefined where they may be few. */
function rowsAround(call: Node, columns: Node, facts: Facts, sizes: Sizes): Size | undefined {
  const list = unwrap(columns);
  if (list.type === 'ArrayExpression' && list.elements.length < LEAST_COLUMNS) return undefined;
  if (roundsAround(call).some((round) => sizes.of(round.list) === 'input')) return 'input';
  return isOfStreamedRow(list, facts) ? 'open' : undefined;
}

/** `query.on('row', (row) => …)`, and `row` or `Object.keys(row)` is walked */
function isOfStreamedRow(list: Node, facts: Facts): boolean {
  const row = list.type === 'CallExpression' && list.arguments[0] ? unwrap(list.arguments[0]) : list;
  const binding = row.type === 'Identifier' ? facts.bindings.resolve(row) : undefined;
  const fn = binding?.declaration;
  const call = fn && isFunction(fn) && fn.params[0] === binding?.identifier ? parentOf(fn) : undefined;
  if (!call || !isCall(call) || !isMember(call.callee) || memberName(call.callee) !== 'on') return false;
  const [event] = call.arguments;
  return event?.type === 'StringLiteral' && /^(?:row|record|data)$/.test(event.value);
}

/** `all = [...all, one]`, `all = all.concat(one)`, `body = Buffer.concat([body, chunk])` in a loop */
export function findGathering(assignment: t.AssignmentExpression, facts: Facts, sizes: Sizes): Copy | undefined {
  if (assignment.operator !== '=' || assignment.left.type !== 'Identifier') return undefined;
  const { name } = assignment.left;
  const copy = copyOf(assignment.right, name, facts);
  const binding = copy && facts.bindings.resolve(assignment.left);
  if (!copy || !binding) return undefined;
  const [round] = roundsAround(assignment).filter(({ node }) => !contains(node, binding.identifier));
  const stream = round ? undefined : chunksAround(assignment, facts);
  const whole = round?.node ?? stream;
  if (!whole || contains(whole, binding.identifier)) return undefined;
  // Begun anew, or used up, on the way: what is copied stays short.
  const writes = facts.bindings.writes(binding).filter(({ node }) => node !== assignment && contains(whole, node));
  const others =
    copy.kind === 'bytes'
      ? facts.bindings.writes(binding).filter(({ node }) => node !== assignment && node !== binding.declaration)
      : writes;
  if (others.length > 0) return undefined;
  if (copy.kind === 'bytes' && round === undefined) return { ...copy, gathered: name, list: undefined, size: 'input' };
  return round && { ...copy, gathered: name, list: round.list, size: sizes.of(round.list) };
}

/** `Object.keys(all).length` in a loop that adds to `all` */
export function findCount(
  member: t.MemberExpression,
  facts: Facts,
  sizes: Sizes,
): { at: Node; object: Node; round: Round; size: Size } | undefined {
  const call = unwrap(member.object);
  if (memberName(member) !== 'length' || call.type !== 'CallExpression') return undefined;
  const object = call.arguments[0];
  if (!object || !['Object.keys', 'Object.values', 'Object.entries'].some((name) => facts.origins.isGlobal(call.callee, name)))
    return undefined;
  const text = facts.source.slice(object);
  const root = variableOf(rootOf(object), facts);
  const writes = root ? facts.bindings.writes(root) : [];
  // Begun anew in the loop, it stays as short as one part.
  const rounds = roundsAround(member).filter(
    ({ node }) => !(root && contains(node, root.identifier)) && !writes.some((write) => contains(node, write.node)),
  );
  if (!rounds.some((round) => addsTo(round, text, facts))) return undefined;
  const known = rounds.map((round) => ({ round, size: sizes.of(round.list) }));
  const longest = (['input', 'some', 'open', 'unknown', 'short'] as const)
    .map((size) => known.find((one) => one.size === size))
    .find((one) => one);
  return longest && { at: member, object, ...longest };
}

function rootOf(expression: Node): Node {
  let at = unwrap(expression);
  while (isMember(at)) at = unwrap(at.object);
  return at;
}

/** `all[key] = value` */
function addsTo({ body }: Round, object: string, facts: Facts): boolean {
  let adds = false;
  walkWithin(body, (node) => {
    if (
      node.type === 'AssignmentExpression' &&
      isMember(node.left) &&
      node.left.computed &&
      facts.source.slice(node.left.object) === object
    )
      adds = true;
    return adds ? 'stop' : undefined;
  });
  return adds;
}

/** What a callback returns. */
export function resultsOf(fn: FunctionNode): Node[] {
  if (fn.body.type !== 'BlockStatement') return [fn.body];
  const found: Node[] = [];
  walkWithin(fn.body, (node) => {
    if (node.type === 'ReturnStatement' && node.argument) found.push(node.argument);
    return !isFunction(node);
  });
  return found;
}

function copyOf(value: Node, name: string, facts: Facts): Pick<Copy, 'kind' | 'at'> | undefined {
  const node = unwrap(value);
  if (node.type === 'ConditionalExpression') return copyOf(node.consequent, name, facts) ?? copyOf(node.alternate, name, facts);
  if (node.type === 'ObjectExpression') {
    const [first, ...more] = node.properties;
    return first?.type === 'SpreadElement' && isNamed(first.argument, name) && more.some(isGrowing)
      ? { kind: 'object', at: node }
      : undefined;
  }
  if (node.type === 'ArrayExpression') {
    if (!node.elements.some((one) => one?.type === 'SpreadElement' && isNamed(one.argument, name)) || node.elements.length < 2)
      return undefined;
    return { kind: 'list', at: node };
  }
  if (node.type !== 'CallExpression') return undefined;
  const [first, second, third] = node.arguments;
  if (facts.origins.isGlobal(node.callee, 'Object.assign')) {
    const isCopy = first?.type === 'ObjectExpression' && first.properties.length === 0 && second && isNamed(second, name);
    return isCopy && third?.type === 'ObjectExpression' && third.properties.some(isGrowing) ? { kind: 'object', at: node } : undefined;
  }
  if (facts.origins.isGlobal(node.callee, 'Buffer.concat')) {
    const has = first?.type === 'ArrayExpression' && first.elements.length > 1 && first.elements[0] && isNamed(first.elements[0], name);
    // `Buffer.concat([start, chunk], 2)` cuts what it gives to that length: the copy never grows.
    return has && second?.type !== 'NumericLiteral' ? { kind: 'bytes', at: node } : undefined;
  }
  const callee = unwrap(node.callee);
  // Texts have `concat`, too, and V8 does not copy them.
  if (!isMember(callee) || memberName(callee) !== 'concat' || !isNamed(callee.object, name) || !first) return undefined;
  return facts.values.valuesOf(callee.object).some(({ type }) => type.kind === 'array') ? { kind: 'list', at: node } : undefined;
}

/** Another key for each element: `[one.id]: one`, `...one`. Fixed keys are few. */
function isGrowing(property: Node): boolean {
  return (
    property.type === 'SpreadElement' || (property.type === 'ObjectProperty' && property.computed && property.key.type !== 'StringLiteral')
  );
}

function isNamed(node: Node, name: string): boolean {
  const inner = unwrap(node);
  return inner.type === 'Identifier' && inner.name === name;
}

/** `stream.on('data', (chunk) => …)`, `for await (const chunk of stream)` */
function chunksAround(node: Node, facts: Facts): Node | undefined {
  for (let at = parentOf(node); at; at = parentOf(at)) {
    if (at.type === 'ForOfStatement' && at.await) return at;
    if (!isFunction(at)) continue;
    const call = parentOf(at);
    if (!isCall(call) || !isMember(call.callee) || memberName(call.callee) !== 'on') return undefined;
    return call.arguments[0]?.type === 'StringLiteral' && call.arguments[0].value === 'data' && facts ? call : undefined;
  }
  return undefined;
}
