// Calls that no hook of Node's sees, such as those of packages that compute: where the clock starts and stops around each of them.
import type { Finding, Span } from '../../protocol/finding.ts';
import type { Facts } from '../facts/index.ts';
import { SETUP_CALLS, USES_OF_SCHEMAS } from '../../knowledge/setup-calls.ts';
import { findBlockingCall } from '../../knowledge/blocking-calls.ts';
import { withBody } from './awaited-with.ts';
import { endOf, isCall, isFunction, isMember, memberName, parentOf, startOf, unwrap, type CallNode, type Node } from '../module/ast.ts';
import { walkWithin } from '../module/module-index.ts';

export interface TimedCall {
  /** As its finding names it: `bcryptjs.hashSync`. */
  name: string;
  /** The place of the finding. */
  at: number;
  call: Span;
  /** The last argument, without the dots of a spread: the clock starts when it has been worked out, and without one before the call. */
  last?: Span;
}

/** Undefined where the finding is about no call that could be timed. The message says whether its arguments are part of the claim. */
export function timedCallOf(
  { ruleId, messageId, span, data }: Pick<Finding, 'ruleId' | 'messageId' | 'span' | 'data'>,
  facts: Facts,
): TimedCall | undefined {
  const { module, source } = facts;
  if (data.call === undefined || isLater(data.call)) return undefined;
  // Reading it makes the text.
  if (ruleId === 'no-stack-capture' && source.text.slice(span.start, span.end).endsWith('.stack'))
    return isWritten(span, facts) ? undefined : { name: data.call, at: span.start, call: span };
  const calls: readonly CallNode[] = [
    ...module.nodes('CallExpression'),
    ...module.nodes('OptionalCallExpression'),
    ...module.nodes('NewExpression'),
  ];
  // A schema has many lines, of which its finding only marks the beginning, and so has a callback.
  const call =
    ruleId === 'no-setup-per-request' || ruleId === 'no-threadpool-saturation'
      ? calls.find((node) => startOf(node) === span.start && endOf(node.callee) === span.end)
      : calls.find((node) => endOf(node) === span.end && startOf(node) <= span.start);
  // `new Database` has no brackets.
  if (!call || source.text[endOf(call) - 1] !== ')' || isPartOfChain(call)) return undefined;
  const last = isWholeClaim(ruleId, messageId) && !mayWait(call) ? undefined : argumentOf(call, ruleId);
  const value = last?.type === 'SpreadElement' ? last.argument : last;
  return {
    name: data.call,
    at: span.start,
    call: { start: startOf(call), end: endOf(wholeOf(call, ruleId, messageId, facts)) },
    ...(value ? { last: { start: startOf(value), end: endOf(value) } } : {}),
  };
}

/** `error.stack = …`, `delete error.stack`, `[error.stack] = …`: no clock can go around what is written to. */
function isWritten({ start, end }: Span, { module }: Facts): boolean {
  const member = [...module.nodes('MemberExpression'), ...module.nodes('OptionalMemberExpression')].find(
    (node) => startOf(node) === start && endOf(node) === end,
  );
  const parent = member && parentOf(member);
  switch (parent?.type) {
    case 'AssignmentExpression':
    case 'AssignmentPattern':
    case 'ForInStatement':
    case 'ForOfStatement':
      return parent.left === member;
    case 'UnaryExpression':
      return parent.operator === 'delete';
    case 'UpdateExpression':
    case 'ArrayPattern':
    case 'RestElement':
      return true;
    case 'ObjectProperty':
      return parent.value === member && parentOf(parent)?.type === 'ObjectPattern';
    default:
      return member === undefined;
  }
}

/** `Object.setPrototypeOf(object, prototype)` of a finding; undefined where it is written in another way. */
export function prototypeCallOf(
  { span }: Pick<Finding, 'span'>,
  { module, source }: Facts,
): { name: string; call: Span; object: Span; last: Span } | undefined {
  const call = module.nodes('CallExpression').find((node) => startOf(node) === span.start && endOf(node) === span.end);
  const [object, prototype] = call?.arguments ?? [];
  if (!call || !object || !prototype || object.type === 'SpreadElement' || prototype.type === 'SpreadElement') return undefined;
  if (source.slice(call.callee) !== SETS_PROTOTYPE || call.arguments.length !== 2) return undefined;
  const spanOf = (node: Node): Span => ({ start: startOf(node), end: endOf(node) });
  return { name: SETS_PROTOTYPE, call: spanOf(call), object: spanOf(object), last: spanOf(prototype) };
}

const SETS_PROTOTYPE = 'Object.setPrototypeOf';

/** The statements of a loop that the finding is about, with its labels; undefined where it waits in between, or the finding is about no loop. */
export function timedLoopOf({ span }: Pick<Finding, 'span'>, { module }: Facts): { name: string; call: Span } | undefined {
  const loop = [...module.nodes('ForStatement'), ...module.nodes('WhileStatement'), ...module.nodes('DoWhileStatement')].find(
    (node) => startOf(node) === span.start,
  );
  if (!loop) return undefined;
  const isIn = (node: Node): boolean => startOf(loop) <= startOf(node) && endOf(node) <= endOf(loop);
  if ([...module.nodes('AwaitExpression'), ...module.nodes('YieldExpression')].some(isIn)) return undefined;
  if (module.nodes('ForOfStatement').some((node) => node.await && isIn(node))) return undefined;
  let whole: Node = loop;
  for (let up = parentOf(loop); up?.type === 'LabeledStatement'; up = parentOf(up)) whole = up;
  const name = loop.type === 'ForStatement' ? 'for' : loop.type === 'WhileStatement' ? 'while' : 'do';
  return { name, call: { start: startOf(whole), end: endOf(whole) } };
}

/**
 * Whether all of an expression could be left out, or done once: the calls before the last one of a chain, and what its arguments take. Of
 * `createHash('sha512').update(text).digest('hex')`, the last call takes next to nothing.
 */
function isWholeClaim(ruleId: string, messageId: string): boolean {
  if (ruleId === 'no-setup-per-request') return messageId === 'thing' || messageId === 'client';
  return ruleId === 'no-redundant-work' || ruleId === 'no-eager-log';
}

/** With the calls behind it whose time belongs to the claim. */
function wholeOf(call: CallNode, ruleId: string, messageId: string, { origins }: Facts): CallNode {
  if (ruleId === 'no-query-per-item') return withBody(call);
  const module = ruleId === 'no-setup-per-request' && messageId === 'thing' ? origins.of(call.callee)?.name : undefined;
  let whole = call;
  if (!SETUP_CALLS.some((row) => row.chain && row.module === module)) return whole;
  // `z.object({ … }).strict()`, without `.parse(body)`.
  for (;;) {
    const member = parentOf(whole);
    const outer = isMember(member) && member.object === whole ? parentOf(member) : undefined;
    if (!isMember(member) || outer?.type !== 'CallExpression' || outer.callee !== member) return whole;
    if (USES_OF_SCHEMAS.test(memberName(member) ?? '')) return whole;
    whole = outer;
  }
}

/** What others do meanwhile is no time of its own. */
function mayWait(call: CallNode): boolean {
  let does = false;
  walkWithin(call, (node) => {
    if (isFunction(node)) return false;
    does ||= node.type === 'AwaitExpression' || node.type === 'YieldExpression';
    return does ? 'stop' : undefined;
  });
  return does;
}

/** `bcryptjs.hash`: it returns at once, and computes afterward. */
function isLater(name: string): boolean {
  const [module = '', ...path] = name.split('.');
  return findBlockingCall(module, path)?.isLater === true;
}

/** What is worked out before the clock starts. A copy by `JSON.parse(JSON.stringify(value))` is both calls. */
function argumentOf(call: CallNode, ruleId: string): CallNode['arguments'][number] | undefined {
  const last = call.arguments.at(-1);
  const inner = ruleId === 'no-deep-clone' && last ? unwrap(last) : undefined;
  const isRoundTrip = isCall(inner) && isMember(inner.callee) && /^(?:stringify|serialize)$/.test(memberName(inner.callee) ?? '');
  return isRoundTrip ? inner.arguments.at(-1) : last;
}

/** `archive?.readSync().length`: where there is no archive, the whole chain ends, which a call in brackets would change. */
function isPartOfChain(call: CallNode): boolean {
  const parent = parentOf(call);
  if (parent?.type === 'OptionalMemberExpression') return parent.object === call;
  return parent?.type === 'OptionalCallExpression' && parent.callee === call;
}
