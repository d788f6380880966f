// What code a finding is about, where its own range is a word of it: the loop behind its head, the whole `try`, the uses of an expression
// that is made once, all deletions of a round. Evidence counts only where it lies in that code.
import type { Finding, Span } from '../../protocol/finding.ts';
import type { Facts } from '../facts/index.ts';
import { endOf, isMember, memberName, parentOf, startOf, staticName, unwrap, type CallNode, type Node, type t } from '../module/ast.ts';
import { functionsIn } from './functions.ts';

export interface ClaimSpans {
  /** The code itself; at least the finding's range. */
  extent: readonly Span[];
  /** Where it begins to run: the `try` that catches, or the body of the function around. Absent at the top level. */
  entry?: number;
  /** Where the `catch` of that `try` begins to run: what is caught there was thrown here. */
  handler?: number;
  /** V8 does not count the code apart: it ran at most as often as what is around it. */
  isUncounted: boolean;
  /** The blocks of all other `try … catch`. */
  catches: readonly Span[];
  /** The one place that meets all the values of a call's claim: the operator, the access, the call. */
  meets?: Span;
  /** Literals and constructors that make the objects of the claim. What happens inside them does not meet the objects. */
  makers: readonly Span[];
  /** Keys of the literals among them: who meets the objects meets these. */
  keys: readonly string[];
  /** Fields that only some of the objects get, at the related places. */
  fields: readonly string[];
  /** Where they get them. */
  added: readonly Span[];
}

const LOOPS = ['ForStatement', 'ForInStatement', 'ForOfStatement', 'WhileStatement', 'DoWhileStatement'] as const;

export function claimSpans(
  finding: Pick<Finding, 'ruleId' | 'messageId' | 'span' | 'related' | 'file'> & Partial<Pick<Finding, 'data'>>,
  facts: Facts,
): ClaimSpans {
  const { span } = finding;
  const { module } = facts;
  const own = finding.related.filter(({ file }) => file === undefined || file === finding.file).map((one) => one.span);
  const startsHere = <T extends Node>(nodes: readonly T[]): T | undefined => nodes.find((node) => startOf(node) === span.start);
  const loop = LOOPS.flatMap((type) => startsHere<Node>(module.nodes(type)) ?? [])[0];
  const guarded = startsHere(module.nodes('TryStatement')) ?? tryAround(span, facts);
  const literal = module.nodes('RegExpLiteral').find((node) => isSame(node, span)) ?? patternAt(span, facts);
  const extent =
    loop !== undefined
      ? [spanOf(loop)]
      : guarded !== undefined
        ? [spanOf(guarded.block)]
        : literal !== undefined
          ? [span, withCall(literal), ...usesOf(literal, facts)]
          : finding.messageId === 'deletedField'
            ? [span, ...deletionsAmong(own, facts).map(spanOf)]
            : [finding.data?.call === undefined ? span : withoutArguments(span, facts)];
  // A call may take a literal, which then is no claim about literals.
  const shaped = finding.ruleId === 'no-unstable-shape' ? [span, ...own] : [];
  const made = shaped.flatMap((one) => module.nodes('ObjectExpression').find((node) => isSame(node, one)) ?? []);
  const classes = shaped.flatMap((one) => module.nodes('ClassMethod').find((node) => isSame(node.key, one)) ?? []);
  return {
    extent,
    ...(guarded ? { entry: startOf(guarded) } : entryOf(span, facts)),
    ...(guarded?.handler ? { handler: startOf(guarded.handler.body) + 1 } : {}),
    isUncounted: isUncounted(span, facts),
    catches: module
      .nodes('TryStatement')
      .filter((one) => one.handler && one !== guarded)
      .map((one) => spanOf(one.block)),
    ...meetingPlace(finding, own),
    makers: [...made, ...classes].map(spanOf),
    keys: [...new Set(made.flatMap(keysOf))],
    fields: [...new Set(shaped.flatMap((one) => fieldAt(one, facts) ?? []))],
    added: shaped.filter((one) => fieldAt(one, facts) !== undefined),
  };
}

/** One finding is about all deletions of a round: each of them may be the one that runs. */
export function deletionsAmong(spans: readonly Span[], { module }: Facts): t.UnaryExpression[] {
  return module.nodes('UnaryExpression').filter((node) => node.operator === 'delete' && spans.some((span) => isSame(node, span)));
}

/** A call is where its name stands: what its arguments do is another matter. */
function withoutArguments(span: Span, { module }: Facts): Span {
  const calls: readonly CallNode[] = [
    ...module.nodes('CallExpression'),
    ...module.nodes('OptionalCallExpression'),
    ...module.nodes('NewExpression'),
  ];
  const call = calls.find((node) => endOf(node) === span.end && startOf(node) <= span.start);
  return call ? { start: span.start, end: endOf(call.callee) } : span;
}

/** Default values, what follows `?.`, and the right side of `??=`: V8's counts of blocks know none of them (Node 24). */
function isUncounted(span: Span, { module }: Facts): boolean {
  const holds = (node: Node | null | undefined): boolean => node != null && startOf(node) <= span.start && span.end <= endOf(node);
  return (
    module.nodes('AssignmentPattern').some(({ right }) => holds(right)) ||
    module.nodes('OptionalCallExpression').some((call) => call.arguments.some(holds)) ||
    module.nodes('OptionalMemberExpression').some(({ computed, property }) => computed && holds(property)) ||
    module.nodes('AssignmentExpression').some(({ operator, right }) => /^(?:\?\?|\|\||&&)=$/.test(operator) && holds(right))
  );
}

/** Of calls of several files it is the finding's own place; else what `no-polymorphic-call` names last. */
function meetingPlace({ ruleId, messageId, span }: Pick<Finding, 'ruleId' | 'messageId' | 'span'>, own: readonly Span[]): { meets?: Span } {
  const meets = ruleId !== 'no-polymorphic-call' ? undefined : messageId.endsWith('Across') ? span : own.at(-1);
  return meets ? { meets } : {};
}

/** `new RegExp('…')` and `RegExp('…')`. */
function patternAt(span: Span, { module }: Facts): Node | undefined {
  return [...module.nodes('NewExpression'), ...module.nodes('CallExpression')].find(
    (node) => isSame(node, span) && unwrap(node.callee).type === 'Identifier' && (unwrap(node.callee) as t.Identifier).name === 'RegExp',
  );
}

/** `const RE = /…/` and `const patterns = { name: /…/ }`: where the name stands, with the call around it. */
function usesOf(literal: Node, facts: Facts): Span[] {
  const parent = parentOf(literal);
  if (parent?.type === 'VariableDeclarator' && parent.id.type === 'Identifier') {
    const binding = facts.bindings.resolve(parent.id);
    return binding ? facts.bindings.references(binding).map(withCall) : [];
  }
  const name = parent?.type === 'ObjectProperty' && parent.value === literal ? staticName(parent.key, parent.computed) : undefined;
  const holder = name === undefined || !parent ? undefined : parentOf(parentOf(parent) ?? parent);
  if (holder?.type !== 'VariableDeclarator' || holder.id.type !== 'Identifier') return [];
  const binding = facts.bindings.resolve(holder.id);
  const members = binding ? facts.bindings.references(binding).map((one) => parentOf(one)) : [];
  return members.filter((one) => one !== undefined && isMember(one) && memberName(one) === name).map((one) => withCall(one as Node));
}

/** `RE.test(text)`, `text.replace(RE, '')`; the reference itself where no call is near. */
function withCall(reference: Node): Span {
  let node = reference;
  for (let up = parentOf(node); up; up = parentOf(up)) {
    if (up.type === 'CallExpression' || up.type === 'OptionalCallExpression') return spanOf(up);
    if (!isMember(up)) break;
    node = up;
  }
  return spanOf(reference);
}

/** The innermost `try` with a `catch` whose block holds a `throw` that the finding is about. */
function tryAround(span: Span, { module }: Facts): t.TryStatement | undefined {
  if (!module.nodes('ThrowStatement').some((node) => startOf(node) === span.start)) return undefined;
  return module
    .nodes('TryStatement')
    .filter((node) => node.handler && startOf(node.block) <= span.start && span.end <= endOf(node.block))
    .sort((a, b) => startOf(b) - startOf(a))[0];
}

function entryOf(span: Span, facts: Facts): { entry?: number } {
  const around = functionsIn(facts).filter((one) => one.span.start <= span.start && span.end <= one.span.end);
  const body = around.at(-1)?.fn.body;
  // Behind the brace: what V8 counts there is how often the function was entered.
  return body ? { entry: body.type === 'BlockStatement' ? startOf(body) + 1 : startOf(body) } : {};
}

function keysOf({ properties }: t.ObjectExpression): string[] {
  return properties.flatMap((property) => (property.type === 'SpreadElement' ? [] : (staticName(property.key, property.computed) ?? [])));
}

/** `record.field = value` */
function fieldAt(span: Span, { module }: Facts): string | undefined {
  const assignment = module.nodes('AssignmentExpression').find((node) => isSame(node, span) || isSame(node.left, span));
  return assignment && isMember(assignment.left) ? memberName(assignment.left) : undefined;
}

function spanOf(node: Node): Span {
  return { start: startOf(node), end: endOf(node) };
}

function isSame(node: Node, span: Span): boolean {
  return startOf(node) === span.start && endOf(node) === span.end;
}
