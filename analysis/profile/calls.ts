// With what a function can be called: what its comments say, what the file's own calls hand over, or nothing when it takes nothing.
// Every call is source text that holds at the end of the module. Nothing is made up.
import { parseExpression, type ParserPlugin } from '@babel/parser';
import type { CallOrigin } from '../../protocol/evidence.ts';
import type { Span } from '../../protocol/finding.ts';
import { endOf, isLoop, isMember, memberName, parentOf, startOf, unwrap, type FunctionNode, type Node, type t } from '../ast.ts';
import type { Facts } from '../facts/index.ts';
import { isReference } from '../facts/identifiers.ts';
import { walkWithin } from '../module.ts';
import type { FoundFunction } from './functions.ts';

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
  | { ok: false; why: string; remedy: string; /** The form of a call, where only arguments are missing. */ example?: string };

/** More different calls than this tell no more: V8 stops telling shapes apart at five. */
const MOST_CALLS = 16;

/** In the order in which they are believed: comments, the file's calls, no arguments. */
export function findCalls(facts: Facts, target: FoundFunction): CallSearch {
  const { access, fn } = target;
  if (access.kind === 'none') return { ok: false, why: access.why, remedy: access.remedy };
  const told = callsInComments(facts, target);
  if (told.length > 0) return { ok: true, calls: told };
  const seen = callSites(facts, target);
  if (seen.length > 0) return { ok: true, calls: seen };
  if (fn.params.length === 0) {
    const receiver = receiverOf(facts, target);
    if (receiver !== undefined) return { ok: true, calls: [{ text: callText(target, receiver, ''), origin: 'no-arguments' }] };
  }
  return { ok: false, why: 'nothing says with which arguments', remedy: `Add a comment above it, with arguments as they come in real life: \`/** @profile ${exampleOf(target)} */\`.`, example: exampleOf(target) };
}

/** Whether a comment at the function has a `@profile` tag, with calls or without. */
export function hasProfileTag(facts: Facts, { fn }: FoundFunction): boolean {
  return commentsOf(facts, fn).some(({ value }) => /@profile\b/.test(value));
}

// ---- comments

const TAG = /^[\s*]*@(profile|example)\b(.*)$/;

function callsInComments(facts: Facts, target: FoundFunction): FoundCall[] {
  const profile: FoundCall[] = [];
  const examples: FoundCall[] = [];
  let isOwn = false;
  for (const comment of commentsOf(facts, target.fn)) {
    let tag: 'profile' | 'example' | undefined;
    for (const line of comment.value.split(/\r\n|[\n\r]/)) {
      const match = TAG.exec(line);
      if (match) tag = match[1] as 'profile' | 'example';
      else if (/^[\s*]*@/.test(line)) tag = undefined;
      if (!tag) continue;
      const text = (match ? (match[2] ?? '') : line.replace(/^[\s*]+/, '')).replace(/\/\/.*$/, '').trim().replace(/;$/, '');
      const calls = text !== '' && callsTarget(text, target, facts);
      const call = { text, span: { start: comment.start ?? 0, end: comment.end ?? 0 } };
      if (tag === 'example' && calls) examples.push({ ...call, origin: 'jsdoc-example' });
      // What another function hands over belongs to it: such a call is told beside those of the function itself.
      else if (tag === 'profile' && (calls || (match && isCall(text, facts)))) profile.push({ ...call, origin: 'profile-comment' });
      if (tag === 'profile' && calls) isOwn = true;
    }
  }
  return (isOwn ? profile : examples).slice(0, MOST_CALLS);
}

function isCall(text: string, { source }: Facts): boolean {
  const expression = text === '' ? undefined : parseCall(text, source.file);
  const call = expression?.type === 'AwaitExpression' ? expression.argument : expression;
  return call?.type === 'CallExpression' || call?.type === 'NewExpression' || call?.type === 'OptionalCallExpression';
}

/** Comments right above the function or the statement that it stands in. */
export function commentsOf({ module, source }: Facts, fn: FunctionNode): readonly t.Comment[] {
  let statement: Node = fn;
  for (let at = parentOf(fn); at && at.type !== 'Program' && at.type !== 'ClassBody' && at.type !== 'ObjectExpression' && at.type !== 'BlockStatement'; at = parentOf(at)) statement = at;
  const starts = new Set([startOf(fn), startOf(statement)]);
  const own = (module.ast.comments ?? []).filter(({ end }) => [...starts].some((start) => (end ?? 0) <= start && /^\s*$/.test(source.text.slice(end ?? 0, start))));
  // Several comments may stand above each other.
  const above = (module.ast.comments ?? []).filter((comment) => !own.includes(comment) && own.some((next) => (comment.end ?? 0) <= (next.start ?? 0) && /^\s*$/.test(source.text.slice(comment.end ?? 0, next.start ?? 0))));
  return [...above, ...own];
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
    if (called === name || (fn.type === 'ClassMethod' && fn.kind === 'constructor' && node.type === 'NewExpression' && called === name)) found = true;
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

// ---- calls in the file

function callSites(facts: Facts, target: FoundFunction): FoundCall[] {
  const found = new Map<string, FoundCall>();
  for (const { edge } of facts.calls.callersOf(target.fn)) {
    const { site } = edge;
    if (edge.via === 'callback' || (site.type !== 'CallExpression' && site.type !== 'OptionalCallExpression' && site.type !== 'NewExpression')) continue;
    const args = argumentsText(facts, site);
    if (args === undefined) continue;
    const receiver = receiverOf(facts, target);
    if (receiver === undefined) continue;
    const text = callText(target, receiver, args);
    if (!found.has(text)) found.set(text, { text, origin: 'call-site', span: { start: startOf(site), end: endOf(site) } });
    if (found.size >= MOST_CALLS) break;
  }
  return [...found.values()].sort((a, b) => (a.span?.start ?? 0) - (b.span?.start ?? 0));
}

/** The arguments as text that means the same at the end of the module; undefined when some of them exist only where the call stands. */
function argumentsText(facts: Facts, { arguments: args }: t.CallExpression | t.OptionalCallExpression | t.NewExpression): string | undefined {
  const texts: string[] = [];
  for (const arg of args) {
    const text = rebuild(facts, arg);
    if (text === undefined) return undefined;
    texts.push(text);
  }
  return texts.join(', ');
}

interface Replacement {
  start: number;
  end: number;
  text: string;
}

function rebuild(facts: Facts, node: Node): string | undefined {
  const replacements: Replacement[] = [];
  let holds = true;
  walkWithin(node, (at): boolean | 'stop' | void => {
    const answer = judge(facts, at, node);
    if (answer === 'leave') return false;
    if (answer === 'lost') {
      holds = false;
      return 'stop';
    }
    if (typeof answer === 'object') replacements.push(answer);
    return undefined;
  });
  if (!holds) return undefined;
  const base = startOf(node);
  let text = '';
  let at = base;
  for (const { start, end, text: instead } of replacements.sort((a, b) => a.start - b.start)) {
    text += facts.source.text.slice(at, start) + instead;
    at = end;
  }
  return text + facts.source.text.slice(at, endOf(node));
}

/** What to do with one node of an argument: `keep` it, take other text for it, or give the call up. */
function judge(facts: Facts, node: Node, root: Node): 'keep' | 'leave' | 'lost' | Replacement {
  switch (node.type) {
    case 'Identifier':
      return judgeName(facts, node, root);
    case 'StringLiteral': case 'NumericLiteral': case 'BigIntLiteral': case 'BooleanLiteral': case 'NullLiteral': case 'RegExpLiteral':
    case 'TemplateLiteral': case 'TemplateElement': case 'ArrayExpression': case 'ObjectExpression': case 'ObjectProperty': case 'UnaryExpression': case 'BinaryExpression':
    case 'LogicalExpression': case 'ConditionalExpression': case 'SpreadElement': case 'TSAsExpression': case 'TSSatisfiesExpression': case 'TSNonNullExpression': case 'ParenthesizedExpression':
      return 'keep';
    case 'MemberExpression':
      // A constant's member is read again, and a getter runs again; neither writes anything in decent code.
      return 'keep';
    case 'NewExpression':
    case 'CallExpression':
      return isPlainMaker(facts, node) ? 'keep' : 'lost';
    case 'ArrowFunctionExpression': case 'FunctionExpression':
      return hasOnlyOuterNames(facts, node) ? 'leave' : 'lost';
    default:
      return 'lost';
  }
}

function judgeName(facts: Facts, node: t.Identifier, root: Node): 'keep' | 'lost' | Replacement {
  if (!isReference(node)) return 'keep';
  const binding = facts.bindings.resolve(node);
  if (!binding || binding.scope.type === 'Program') return 'keep';
  // A loop's counter stands for any small whole number.
  const { declaration } = binding;
  const loop = declaration.type === 'VariableDeclarator' ? parentOf(parentOf(declaration) ?? declaration) : undefined;
  const init = declaration.type === 'VariableDeclarator' ? declaration.init : undefined;
  if (loop && isLoop(loop) && loop.type === 'ForStatement' && init?.type === 'NumericLiteral') return { start: startOf(node), end: endOf(node), text: String(init.value + 1) };
  // Written once, from something that holds elsewhere: as good as that.
  if (binding.kind === 'const' && declaration.type === 'VariableDeclarator' && declaration.id.type === 'Identifier' && init && init !== root && startOf(init) < startOf(root)) {
    const text = rebuild(facts, init);
    return text === undefined ? 'lost' : { start: startOf(node), end: endOf(node), text: `(${text})` };
  }
  return 'lost';
}

/** Globals that make a value out of their arguments and do nothing else. */
const MAKERS: ReadonlySet<string> = new Set(['Date', 'Map', 'Set', 'URL', 'URLSearchParams', 'RegExp', 'Error', 'TypeError', 'RangeError', 'Array', 'Object', 'String', 'Number', 'Boolean', 'BigInt', 'Symbol', 'Uint8Array', 'Uint16Array', 'Uint32Array', 'Int8Array', 'Int16Array', 'Int32Array', 'Float32Array', 'Float64Array', 'ArrayBuffer']);
const MAKER_METHODS: ReadonlySet<string> = new Set(['Buffer.from', 'Buffer.alloc', 'Array.from', 'Array.of', 'Object.create', 'Object.fromEntries', 'Object.freeze', 'Date.now', 'Math.floor', 'Math.round', 'Math.max', 'Math.min', 'JSON.parse']);

function isPlainMaker(facts: Facts, { callee }: t.NewExpression | t.CallExpression): boolean {
  if (callee.type === 'Identifier') {
    const binding = facts.bindings.resolve(callee);
    // Classes of this file are made by their own constructors; those of records and errors do nothing else.
    return binding ? binding.kind === 'class' && binding.scope.type === 'Program' : MAKERS.has(callee.name);
  }
  if (callee.type !== 'MemberExpression' || callee.object.type !== 'Identifier' || facts.bindings.resolve(callee.object)) return false;
  return MAKER_METHODS.has(`${callee.object.name}.${memberName(callee) ?? ''}`);
}

function hasOnlyOuterNames(facts: Facts, fn: FunctionNode): boolean {
  let outer = true;
  walkWithin(fn, (node) => {
    if (node.type === 'ThisExpression' || node.type === 'Super' || node.type === 'YieldExpression') outer = false;
    if (node.type !== 'Identifier' || !isReference(node)) return;
    const binding = facts.bindings.resolve(node);
    const isOwn = binding && startOf(fn) <= startOf(binding.scope) && endOf(binding.scope) <= endOf(fn);
    if (binding && !isOwn && binding.scope.type !== 'Program') outer = false;
  });
  return outer;
}

// ---- texts

/** What stands before the method: `new Cart(3)`; empty text for functions that need none; undefined when no object can be made. */
function receiverOf(facts: Facts, { access }: FoundFunction): string | undefined {
  if (access.kind !== 'instance') return '';
  const { classNode, className } = access;
  const maker = classNode.body.body.find((member): member is t.ClassMethod => member.type === 'ClassMethod' && member.kind === 'constructor');
  for (const creation of facts.module.nodes('NewExpression')) {
    const callee = unwrap(creation.callee);
    if (callee.type !== 'Identifier' || callee.name !== className) continue;
    const args = argumentsText(facts, creation);
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

function lastNameOf(text: string): string | undefined {
  return /([\p{ID_Continue}$]+)(?:"\])?$/u.exec(text)?.[1];
}
