// What is awaited together with a timed call: the body of its response, the reads that wait for each other, the other elements of a list.
import type { Finding, Span } from '../../protocol/finding.ts';
import type { Facts } from '../facts/index.ts';
import {
  endOf,
  enclosingFunction,
  isCall,
  isFunction,
  isMember,
  memberName,
  parentOf,
  startOf,
  unwrap,
  type CallNode,
  type Node,
  type t,
} from '../module/ast.ts';
import { walkWithin } from '../module/module-index.ts';

/** What a finding says of the reads that could start together with its own. */
export const AWAITED_WITH = { before: 'awaited before it', after: 'could start with them' } as const;

/** A call whose time belongs to the read of that number. */
export interface AwaitedCall {
  call: Span;
  index: number;
  isPart: boolean;
}

/**
 * The reads of a finding that wait for each other, in the order in which they run: what is awaited, or an element of the list of a
 * `Promise.all`. The bodies of their responses are parts of them. Empty where they cannot be timed.
 */
export function awaitedTogether({ span, related }: Pick<Finding, 'span' | 'related'>, facts: Facts): { of: number; calls: AwaitedCall[] } {
  const { source } = facts;
  const words: readonly string[] = Object.values(AWAITED_WITH);
  const spans = [span, ...related.filter(({ message, file }) => file === undefined && words.includes(message)).map((one) => one.span)];
  const found = spans.flatMap((one) => callAt(one, facts) ?? []).sort((a, b) => startOf(a) - startOf(b));
  const isTimed = found.every((call) => source.text[endOf(call) - 1] === ')' && isWaitedFor(call));
  if (!isTimed || found.length !== spans.length) return { of: 0, calls: [] };
  const calls = found.flatMap((call, index) => [
    { call: spanOf(call), index, isPart: false },
    // What only some rounds read would leave the others without an end.
    ...bodiesOf(call, facts)
      .filter((body) => isWaitedFor(body) && alwaysFollows(body, call))
      .map((body) => ({ call: spanOf(body), index, isPart: true })),
  ]);
  return { of: found.length, calls: calls.sort((a, b) => a.call.end - b.call.end) };
}

/** Calls that read the body of the response for which a timed call is awaited. */
export function bodyReadsOf({ start, end }: Span, facts: Facts): Span[] {
  const call = callAt({ start, end }, facts);
  return call && call.type !== 'NewExpression' ? bodiesOf(call, facts).map(spanOf) : [];
}

/** `Promise.all([first(), call()])`: the list, and the number of the call in it from 0. */
export function listAround(span: Span, facts: Facts): { list: Span; own: number } | undefined {
  const call = callAt(span, facts);
  let element: Node | undefined = call;
  while (element && parentOf(element)?.type !== 'ArrayExpression') {
    const up: Node | undefined = parentOf(element);
    element = up && unwrap(up) === call ? up : undefined;
  }
  const list = element && parentOf(element);
  if (!element || list?.type !== 'ArrayExpression') return undefined;
  const all = parentOf(list);
  if (!isCall(all) || all.arguments[0] !== list) return undefined;
  if (!facts.origins.isGlobal(all.callee, 'Promise.all') && !facts.origins.isGlobal(all.callee, 'Promise.allSettled')) return undefined;
  const own = list.elements.indexOf(element as t.Expression);
  return list.elements.some((one) => one?.type === 'SpreadElement') ? undefined : { list: spanOf(list), own };
}

/** `fetch(url).then((response) => response.json())`: the call behind which the body is there. */
export function withBody(call: CallNode): CallNode {
  const member = parentOf(call);
  const then = isMember(member) && member.object === call && memberName(member) === 'then' ? parentOf(member) : undefined;
  const [made] = then && isCall(then) && then.type === 'CallExpression' && then.callee === member ? then.arguments : [];
  const [response] = made && isFunction(made) ? made.params : [];
  if (!made || !then || !isCall(then) || response?.type !== 'Identifier') return call;
  let reads = false;
  walkWithin(made, (node) => {
    reads ||= isCall(node) && isBodyOf(node, (object) => object.type === 'Identifier' && object.name === response.name);
    return reads ? 'stop' : undefined;
  });
  return reads ? then : call;
}

const BODY = /^(?:json|text|arrayBuffer|blob|bytes|formData)$/;

function isBodyOf(call: CallNode, isResponse: (object: Node) => boolean): boolean {
  const callee = unwrap(call.callee);
  return isMember(callee) && call.arguments.length === 0 && BODY.test(memberName(callee) ?? '') && isResponse(unwrap(callee.object));
}

/** `await (await fetch(url)).json()`, and `response.json()` in the function where `const response = await fetch(url)`. */
function bodiesOf(call: CallNode, facts: Facts): CallNode[] {
  let value: Node = call;
  for (let up = parentOf(value); up && (up.type === 'AwaitExpression' || unwrap(up) === unwrap(value)); up = parentOf(up)) value = up;
  if (unwrap(value).type !== 'AwaitExpression') return [];
  const up = parentOf(value);
  const direct = isMember(up) ? parentOf(up) : undefined;
  if (isCall(direct) && isBodyOf(direct, (object) => object === unwrap(value))) return [direct];
  const binding = up?.type === 'VariableDeclarator' && up.id.type === 'Identifier' ? facts.bindings.resolve(up.id) : undefined;
  if (!binding) return [];
  return facts.bindings.references(binding).flatMap((reference) => {
    const member = parentOf(reference);
    const read = isMember(member) ? parentOf(member) : undefined;
    const isBody = isCall(read) && read.type === 'CallExpression' && isBodyOf(read, (object) => object === reference);
    return isBody && enclosingFunction(read) === enclosingFunction(call) ? [read] : [];
  });
}

/** Whether it stands in a statement of the same block, under no condition. */
function alwaysFollows(body: CallNode, call: CallNode): boolean {
  const block = blockAround(call);
  for (let at: Node | undefined = body; at && at !== block; at = parentOf(at)) {
    if (isFunction(at) || CONDITIONS.test(at.type)) return false;
    if (at.type === 'BlockStatement') return false;
  }
  return true;
}

const CONDITIONS = /^(?:IfStatement|ConditionalExpression|LogicalExpression|SwitchCase|CatchClause|Optional\w+|\w*While\w+|For\w+)$/;

function blockAround(node: Node): Node | undefined {
  let at: Node | undefined = node;
  while (at && at.type !== 'BlockStatement' && at.type !== 'Program') at = parentOf(at);
  return at;
}

/** What is done with its value is the same for a promise of Node's own in its place. */
function isWaitedFor(call: CallNode): boolean {
  let at = parentOf(call);
  while (at && at.type !== 'AwaitExpression' && unwrap(at) === call) at = parentOf(at);
  return at?.type === 'AwaitExpression' || at?.type === 'ArrayExpression';
}

function callAt(span: Span, { module }: Facts): CallNode | undefined {
  const calls: readonly CallNode[] = [...module.nodes('CallExpression'), ...module.nodes('OptionalCallExpression')];
  return calls.find((call) => startOf(call) === span.start && endOf(call) === span.end);
}

function spanOf(node: Node): Span {
  return { start: startOf(node), end: endOf(node) };
}
