// With what a function can be called: what its comments say, what calls in code hand over, or nothing when it takes nothing.
// Every call is source text that holds at the end of the module. Nothing is made up.
import { parseExpression, type ParserPlugin } from '@babel/parser';
import type { CallOrigin } from '../../protocol/evidence.ts';
import type { Span } from '../../protocol/finding.ts';
import {
  endOf,
  isCall,
  isClass,
  isMember,
  memberName,
  parentOf,
  startOf,
  unwrap,
  type CallNode,
  type ClassNode,
  type FunctionNode,
  type Node,
  type t,
  staticName,
} from '../module/ast.ts';
import type { Facts } from '../facts/index.ts';
import { walkWithin } from '../module/module-index.ts';
import { callsInExample } from './examples.ts';
import { lastNameOf, type FoundFunction } from './functions.ts';
import { argumentsText, withoutTypes } from './rebuild.ts';

export interface FoundCall {
  /** Holds at the end of the module. */
  text: string;
  origin: CallOrigin;
  /** The comment or the call that it is taken from. */
  span?: Span;
}

export type CallSearch =
  | { ok: true; calls: readonly FoundCall[] }
  /** `why` ends the sentence "It cannot be called because …"; `remedy` is what to add. */
  | { ok: false; why: string; remedy: string /** The form of a call, where only arguments are missing. */; example?: string };

/** More different calls than this tell no more: V8 stops telling shapes apart at five. */
export const MOST_CALLS = 16;

/**
 * In the order in which they are believed: comments, calls in code, no arguments. `inCode`: what `callsInCode` found, where more than the
 * file is known.
 */
export function findCalls(facts: Facts, target: FoundFunction, inCode?: readonly FoundCall[]): CallSearch {
  const { access } = target;
  if (access.kind === 'none') return { ok: false, why: access.why, remedy: access.remedy };
  const fromComments = callsInComments(facts, target).map((call) => ({ ...call, text: byVisibleName(call.text, target, facts) }));
  if (fromComments.length > 0) return { ok: true, calls: fromComments };
  const seen = inCode ?? callsInCode(facts, target);
  if (seen.length > 0) return { ok: true, calls: seen };
  return {
    ok: false,
    why: 'no example arguments found',
    remedy: `Add a comment above it with a typical call: \`/** @profile ${exampleOf(target)} */\`.`,
    example: exampleOf(target),
  };
}

/**
 * `add(1, 2)` of `exports.add = function add() {}` as `exports.add(1, 2)`: the function's own name is not seen at the end of the module.
 * `parse(1)` of `exports.parse = decode` as `module.exports.parse(1)`.
 */
export function byVisibleName(text: string, target: FoundFunction, facts: Facts): string {
  const { access, fn } = target;
  const expression = parseCall(text, facts.source.file);
  const call = expression?.type === 'AwaitExpression' ? unwrap(expression.argument) : expression;
  const callee = call?.type === 'CallExpression' ? unwrap(call.callee) : undefined;
  if (access.kind !== 'expression' || callee?.type !== 'Identifier') return text;
  const own = [
    target.name === undefined ? undefined : lastNameOf(target.name),
    'id' in fn && fn.id?.type === 'Identifier' ? fn.id.name : undefined,
  ];
  if (facts.bindings.lookUp(callee.name, facts.module.program)) return text;
  const visible = own.includes(callee.name) ? access.text : isExported(callee.name, facts) ? `module.exports.${callee.name}` : undefined;
  return visible === undefined ? text : text.slice(0, startOf(callee)) + visible + text.slice(endOf(callee));
}

/** `exports.parse = decode`, `module.exports = { parse: decode }` */
function isExported(name: string, { module, source }: Facts): boolean {
  return module.nodes('AssignmentExpression').some(({ left, right }) => {
    const target = source.slice(left);
    if (target === `exports.${name}` || target === `module.exports.${name}`) return true;
    return (
      target === 'module.exports' &&
      right.type === 'ObjectExpression' &&
      right.properties.some((one) => one.type !== 'SpreadElement' && staticName(one.key, one.computed) === name)
    );
  });
}

/** Whether a comment at the function has a `@profile` tag, with calls or without. */
export function hasProfileTag(facts: Facts, { fn }: FoundFunction): boolean {
  return commentsOf(facts, fn).some(({ value }) => /@profile\b/.test(value));
}

// ---- comments

const TAG = /^[\s*]*@(profile|example)\b(.*)$/;
const OTHER_TAG = /^[\s*]*@/;

function callsInComments(facts: Facts, target: FoundFunction): FoundCall[] {
  const profile: FoundCall[] = [];
  const examples: FoundCall[] = [];
  let isOwn = false;
  for (const comment of commentsOf(facts, target.fn)) {
    const span = { start: comment.start ?? 0, end: comment.end ?? 0 };
    for (const { tag, lines } of taggedParts(comment.value)) {
      if (tag === 'example') {
        examples.push(...callsInExample(lines, facts, target).map((text): FoundCall => ({ text, origin: 'jsdoc-example', span })));
        continue;
      }
      for (const [i, line] of lines.entries()) {
        const text = withoutNote(line, facts);
        const calls = text !== '' && callsTarget(text, target, facts);
        // What another function passes on belongs to it: such a call is listed beside those of the function itself.
        if (calls || (i === 0 && isCallText(text, facts))) profile.push({ text, origin: 'profile-comment', span });
        isOwn ||= calls;
      }
    }
  }
  const found = isOwn ? profile : examples.length > 0 ? examples : callsInClassExamples(facts, target);
  return found.filter(({ text }, i) => found.findIndex((one) => one.text === text) === i).slice(0, MOST_CALLS);
}

/** `add(1, 2); // gives 3` without its note; an address is none: `load('http://a.b')`. */
function withoutNote(line: string, { source }: Facts): string {
  const ends = [...[...line.matchAll(/\/\//g)].map(({ index }) => index), line.length];
  const texts = ends.map((end) => line.slice(0, end).trim().replace(/;$/, ''));
  return texts.find((text) => text !== '' && parseCall(text, source.file)) ?? texts[0] ?? '';
}

/** A class's examples show its methods at work. */
function callsInClassExamples(facts: Facts, target: FoundFunction): FoundCall[] {
  const classNode = parentOf(parentOf(target.fn) ?? target.fn);
  return isClass(classNode)
    ? commentsOf(facts, classNode).flatMap((comment) =>
        taggedParts(comment.value).flatMap(({ tag, lines }) =>
          tag !== 'example'
            ? []
            : callsInExample(lines, facts, target).map(
                (text): FoundCall => ({ text, origin: 'jsdoc-example', span: { start: comment.start ?? 0, end: comment.end ?? 0 } }),
              ),
        ),
      )
    : [];
}

/** What stands behind each `@profile` and `@example`, to the next tag. */
function taggedParts(comment: string): { tag: 'profile' | 'example'; lines: string[] }[] {
  const parts: { tag: 'profile' | 'example'; lines: string[] }[] = [];
  let isOpen = false;
  for (const line of comment.split(/\r\n|[\n\r]/)) {
    const match = TAG.exec(line);
    if (match) parts.push({ tag: match[1] as 'profile' | 'example', lines: [match[2] ?? ''] });
    else if (isOpen && !OTHER_TAG.test(line)) parts.at(-1)?.lines.push(line.replace(/^[\s*]+/, ''));
    isOpen = match !== null || (isOpen && !OTHER_TAG.test(line));
  }
  return parts;
}

function isCallText(text: string, { source }: Facts): boolean {
  const expression = text === '' ? undefined : parseCall(text, source.file);
  const call = expression?.type === 'AwaitExpression' ? expression.argument : expression;
  return call?.type === 'CallExpression' || call?.type === 'NewExpression' || call?.type === 'OptionalCallExpression';
}

/** Comments right above the function or class, or the statement that it stands in. */
export function commentsOf({ module, source }: Facts, fn: FunctionNode | ClassNode): readonly t.Comment[] {
  let statement: Node = fn;
  for (
    let at = parentOf(fn);
    at && at.type !== 'Program' && at.type !== 'ClassBody' && at.type !== 'ObjectExpression' && at.type !== 'BlockStatement';
    at = parentOf(at)
  )
    statement = at;
  const all = module.ast.comments ?? [];
  const isRightAbove = ({ end }: t.Comment, start: number): boolean =>
    (end ?? 0) <= start && source.text.slice(end ?? 0, start).trim() === '';
  const own = new Set([startOf(fn), startOf(statement)].flatMap((start) => all.filter((comment) => isRightAbove(comment, start))));
  // Any number of comments may stand above each other. They are in the order of the text.
  const found = new Set<t.Comment>();
  for (const comment of all.toReversed()) {
    const belongs = own.has(comment) || [...found].some((next) => isRightAbove(comment, next.start ?? 0));
    if (belongs) found.add(comment);
  }
  return [...found].toReversed();
}

function callsTarget(text: string, { access, fn }: FoundFunction, { source }: Facts): boolean {
  const name = access.kind === 'instance' ? access.method : access.kind === 'expression' ? lastNameOf(access.text) : undefined;
  const expression = parseCall(text, source.file);
  if (!expression || name === undefined) return false;
  let found = false;
  walkWithin(expression, (node) => {
    if (node.type !== 'CallExpression' && node.type !== 'NewExpression' && node.type !== 'OptionalCallExpression') return;
    const callee = unwrap(node.callee as Node);
    const called = callee.type === 'Identifier' ? callee.name : isMember(callee) ? memberName(callee) : undefined;
    if (called === name || (fn.type === 'ClassMethod' && fn.kind === 'constructor' && node.type === 'NewExpression' && called === name))
      found = true;
  });
  return found;
}

function parseCall(text: string, file: string): Node | undefined {
  const plugins: ParserPlugin[] = /\.[cm]?tsx?$/i.test(file) ? ['typescript', 'topLevelAwait'] : ['topLevelAwait'];
  try {
    const expression = parseExpression(text, { plugins, sourceType: 'module' });
    return expression as Node;
  } catch {
    // Prose after a tag is no call; it is passed over.
    return undefined;
  }
}

// ---- calls in code

/** A call that stands in another file than the function. */
export interface ElsewhereCall {
  facts: Facts;
  call: CallNode;
}

export interface Elsewhere {
  /** Calls of the function, whatever it is called there. */
  calls: Iterable<ElsewhereCall>;
  /** Calls of the constructor of its class, where it is a method. */
  makers: Iterable<ElsewhereCall>;
}

/** Calls whose arguments can be rebuilt at the end of the function's module; one without arguments for a function that takes none. */
export function callsInCode(facts: Facts, target: FoundFunction, elsewhere: Elsewhere = { calls: [], makers: [] }): FoundCall[] {
  const receiver = receiverOf(facts, target, elsewhere.makers);
  if (receiver === undefined) return [];
  const found = new Map<string, FoundCall>();
  const add = (args: string | undefined, span?: Span) => {
    const text = args === undefined ? undefined : callText(target, receiver, args);
    if (text !== undefined && !found.has(text)) found.set(text, { text, origin: 'call-site', span });
  };
  const own = facts.calls
    .callersOf(target.fn)
    .filter(({ edge }) => edge.via !== 'callback')
    .flatMap(({ edge }) => (isCall(edge.site) ? edge.site : []));
  for (const call of own.sort((a, b) => startOf(a) - startOf(b)))
    add(argumentsText({ from: facts, into: facts }, call), { start: startOf(call), end: endOf(call) });
  for (const { facts: from, call } of elsewhere.calls) {
    if (found.size >= MOST_CALLS) break;
    add(plainArguments(from, facts, call));
  }
  if (found.size === 0 && target.fn.params.length === 0) return [{ text: callText(target, receiver, ''), origin: 'no-arguments' }];
  return [...found.values()].slice(0, MOST_CALLS);
}

function plainArguments(from: Facts, into: Facts, call: CallNode): string | undefined {
  const args = argumentsText({ from, into }, call);
  // As the arguments of any call.
  return args === undefined ? undefined : withoutTypes(from, `f(${args})`)?.slice(2, -1);
}

// ---- texts

/** What stands before the method: `new Cart(3)`; empty text for functions that need none; undefined when no object can be made. */
function receiverOf(facts: Facts, { access }: FoundFunction, makers: Iterable<ElsewhereCall>): string | undefined {
  if (access.kind !== 'instance') return '';
  const { classNode, className } = access;
  const maker = classNode.body.body.find(
    (member): member is t.ClassMethod => member.type === 'ClassMethod' && member.kind === 'constructor',
  );
  for (const creation of facts.module.nodes('NewExpression')) {
    const callee = unwrap(creation.callee);
    if (callee.type !== 'Identifier' || callee.name !== className) continue;
    const args = argumentsText({ from: facts, into: facts }, creation);
    if (args !== undefined) return `new ${className}(${args})`;
  }
  for (const { facts: from, call } of makers) {
    const args = call.type === 'NewExpression' ? plainArguments(from, facts, call) : undefined;
    if (args !== undefined) return `new ${className}(${args})`;
  }
  const needs = maker?.params.some((param) => param.type !== 'AssignmentPattern' && param.type !== 'RestElement') ?? false;
  return needs || (!maker && classNode.superClass) ? undefined : `new ${className}()`;
}

function callText({ access }: FoundFunction, receiver: string, args: string): string {
  if (access.kind === 'instance') return `${receiver}.${access.method}(${args})`;
  return access.kind === 'expression' ? `${access.text}(${args})` : '';
}

/** How a call would look, with the parameters' own names in place of values. */
function exampleOf(target: FoundFunction): string {
  const names = target.fn.params.map((param, i) => {
    const inner = param.type === 'AssignmentPattern' ? param.left : param.type === 'TSParameterProperty' ? param.parameter : param;
    return inner.type === 'Identifier' ? inner.name : inner.type === 'RestElement' ? '…' : `argument${i + 1}`;
  });
  const { access } = target;
  return callText(target, access.kind === 'instance' ? `new ${access.className}(…)` : '', names.join(', '));
}
