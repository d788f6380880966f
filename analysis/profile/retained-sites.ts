// Where what a finding says of growth can be counted: the container at its place, and the key.
import type { Finding, Span } from '../../protocol/finding.ts';
import type { RetainedUnit } from '../../protocol/retained.ts';
import type { Facts } from '../facts/index.ts';
import { endOf, isMember, startOf, unwrap, type CallNode, type Node } from '../module/ast.ts';

export interface FoundSite {
  kind: 'container' | 'listener' | 'timer' | 'sessions';
  unit: RetainedUnit;
  /** As the code names what is added to. */
  name: string;
  held: Span;
  key?: Span;
}

/** Undefined where the finding is about nothing that could be counted. */
export function retainedSiteOf({ ruleId, messageId, span, data }: Pick<Finding, 'ruleId' | 'messageId' | 'span' | 'data'>, facts: Facts) {
  if (ruleId !== 'no-unbounded-growth') return undefined;
  return siteOf(messageId, span, data.name ?? '', facts);
}

function siteOf(messageId: string, span: Span, name: string, facts: Facts): FoundSite | undefined {
  // A timer that fires some day is gone by the end of most runs. Sockets and connections depend on the other end.
  if (/^(?:race|socket|reconnect)$/.test(messageId)) return undefined;
  const call = callAt(span, facts);
  if (messageId === 'timer' || messageId === 'overwritten' || messageId === 'sessions') {
    const kind = messageId === 'sessions' ? messageId : 'timer';
    const unit = kind === 'timer' ? 'timer' : 'session';
    return call && { kind, unit, name: kind === 'timer' ? 'setInterval' : 'express-session', held: spanOf(call) };
  }
  if (!call) return assignedAt(span, name, facts);
  const callee = unwrap(call.callee);
  const [first] = call.arguments;
  if (!isMember(callee) || !first || first.type === 'SpreadElement' || first.type === 'ArgumentPlaceholder') return undefined;
  const held = heldSpan(callee.object);
  if (!held) return undefined;
  const isListener = messageId === 'listener' || messageId === 'otherListener';
  return {
    kind: isListener ? 'listener' : 'container',
    unit: isListener ? 'listener' : 'entry',
    name,
    held,
    ...(messageId === 'entries' ? {} : { key: spanOf(first) }),
  };
}

/** `cache[key] = …` */
function assignedAt(span: Span, name: string, facts: Facts): FoundSite | undefined {
  for (const assignment of facts.module.nodes('AssignmentExpression')) {
    const target = unwrap(assignment.left as Node);
    if (startOf(target) !== span.start || endOf(target) !== span.end || target.type !== 'MemberExpression') continue;
    const held = heldSpan(target.object);
    return held && { kind: 'container', unit: 'entry', name, held, key: spanOf(target.property) };
  }
  return undefined;
}

function callAt(span: Span, { module }: Facts): CallNode | undefined {
  const calls: readonly CallNode[] = [...module.nodes('CallExpression'), ...module.nodes('OptionalCallExpression')];
  return calls.find((node) => startOf(node) === span.start && endOf(node.callee) === span.end);
}

/** `a?.b.set()`: where there is no `a`, the whole chain ends, which brackets around a part of it would change. */
function heldSpan(node: Node): Span | undefined {
  return node.type === 'Super' || node.type.startsWith('Optional') ? undefined : spanOf(node);
}

function spanOf(node: Node): Span {
  return { start: startOf(node), end: endOf(node) };
}
