// Which statement a fix can take away, and with how much around it: nothing else may change its place, its meaning, or its order.
import type { Edit, Span } from '../../protocol/finding.ts';
import {
  contains,
  enclosingFunction,
  endOf,
  findAncestor,
  isCall,
  isFunction,
  isMember,
  parentOf,
  startOf,
  unwrap,
  type FunctionNode,
  type Node,
} from '../module/ast.ts';
import { isReference } from '../facts/bindings.ts';
import type { Facts } from '../facts/index.ts';
import { walkWithin } from '../module/module-index.ts';
import { loadedBy, requiredBy } from './add-import.ts';
import { restOfLine } from './code-style.ts';
import { commentsBefore } from './blocks.ts';
import { offsetBefore } from './offset-before.ts';

/** Where a statement ends, without the semicolon at the beginning of a later line: `;[1, 2].forEach(…)`. */
export function ownEnd(statement: Node, { source }: Facts): number {
  const end = endOf(statement);
  if (source.text[end - 1] !== ';') return end;
  const own = startOf(statement) + source.text.slice(startOf(statement), end - 1).trimEnd().length;
  return /[\r\n\u2028\u2029]/.test(source.text.slice(own, end)) ? own : end;
}

/**
 * A statement with its line, if nothing else is on it. In a function, without the spaces before it, and with the empty line behind it where
 * it is the first of its block.
 */
export function lineOf(node: Node, facts: Facts): Span {
  const { source } = facts;
  const from = source.lineStart(source.positionAt(startOf(node)).line);
  const block = parentOf(node);
  const isFirst = block?.type === 'BlockStatement' && block.body[0] === node;
  const own = ownEnd(node, facts);
  const rest = (isFirst ? /^[\t ]*(?:\r\n|\n|\r)(?:[\t ]*(?:\r\n|\n|\r))?/ : /^[\t ]*(?:\r\n|\n|\r)/).exec(source.text.slice(own))?.[0];
  const isAlone = rest !== undefined && /^\uFEFF?[\t ]*$/.test(source.text.slice(from, startOf(node)));
  const start = isAlone && block?.type === 'BlockStatement' ? from : startOf(node);
  // What follows on the line takes its place.
  const end = isAlone ? own + rest.length : own + (/^[\t ]*(?=\S)/.exec(restOfLine(facts, own))?.[0].length ?? 0);
  return { start, end };
}

const BRACKETS = /[([`+\-/*.,]/;
/** Also without a semicolon, what follows does not continue them. */
const CLOSED = /^(?:(?:Function|Class)Declaration|(?:Block|Try|Switch)Statement)$/;

/** Whether a statement has to stay: a comment is about it, or it keeps the statements around it apart. */
export function whyStays(statement: Node, edits: readonly Edit[], facts: Facts): 'comment' | 'semicolon' | undefined {
  if (hasOwnComment(statement, facts)) return 'comment';
  const block = parentOf(statement);
  const siblings: readonly Node[] = block?.type === 'Program' || block?.type === 'BlockStatement' ? block.body : [];
  if (ownEnd(statement, facts) !== endOf(statement))
    return edits.some(({ start, end }) => start <= endOf(statement) && end >= endOf(statement)) ? 'semicolon' : undefined;
  const at = siblings.indexOf(statement);
  const next = siblings[at + 1];
  if (!next || !BRACKETS.test(facts.source.text[startOf(next)] ?? '')) return undefined;
  // Those directly before it may go, too.
  for (let i = at - 1; i >= 0; i--) {
    const before = siblings[i] as Node;
    if (facts.source.text[endOf(before) - 1] !== ';' && !CLOSED.test(before.type)) return 'semicolon';
    if (!/^(?:Variable|Import)Declaration$/.test(before.type)) break;
  }
  return undefined;
}

const DIRECTIVE = /^[\s*!]*(?:eslint-|@ts-|prettier-|biome-|oxlint-|istanbul |c8 |v8 |deno-|nodometer-|tslint:)/;

function hasOwnComment(statement: Node, facts: Facts): boolean {
  const { module, source } = facts;
  const comments = module.ast.comments ?? [];
  const inside = comments[commentsBefore(facts, startOf(statement))];
  if (inside && (inside.start ?? 0) < endOf(statement)) return true;
  if (/^[\t ]*\/[/*]/.test(restOfLine(facts, ownEnd(statement, facts)))) return true;
  const above = offsetBefore(statement, facts);
  if (above === startOf(statement)) return false;
  const last = comments[commentsBefore(facts, startOf(statement)) - 1];
  if (!last || DIRECTIVE.test(last.value)) return true;
  const block = parentOf(statement);
  if (block?.type !== 'Program') return true;
  // The comment of the file, or of several imports.
  const [first] = block.body;
  const next = block.body[block.body.indexOf(statement as (typeof block.body)[number]) + 1];
  if (first === statement) return false;
  return !next || !isLoad(next, facts) || source.positionAt(startOf(next)).line !== source.positionAt(endOf(statement)).line + 1;
}

function isLoad(statement: Node, facts: Facts): boolean {
  if (statement.type !== 'VariableDeclaration') return statement.type === 'ImportDeclaration';
  const init = statement.declarations[0]?.init;
  return init != null && requiredBy(facts, init) !== undefined;
}

/**
 * Whether the function still waits where `await import('m')` is taken away: for one of the calls that a fix replaces. Code in between would
 * run before the caller of the function continues.
 */
export function waitsInstead(
  statement: Node,
  callees: readonly Node[],
  edits: readonly Edit[],
  isGone: (statement: Node) => boolean,
  facts: Facts,
): boolean {
  const block = parentOf(statement);
  const fn = enclosingFunction(statement);
  if (!fn || block?.type !== 'BlockStatement') return false;
  const next = block.body.find((one) => startOf(one) >= endOf(statement) && !isGone(one));
  if (!next) return false;
  // It stays, or what follows it waits.
  const [only] = next.type === 'VariableDeclaration' && next.declarations.length === 1 ? next.declarations : [];
  if (only?.init && loadedBy(only.init) !== undefined) return true;
  return callees.some((callee) => {
    const call = contains(next, callee) ? findAncestor(callee, isCall) : undefined;
    if (!call || !isAlwaysRun(call, next)) return false;
    const isAwaited = edits.some(({ start, end, text }) => /\bawait\b/.test(text) && start <= endOf(callee) && end >= startOf(call));
    return isAwaited && runsFirst(call, next, fn, facts);
  });
}

const ALWAYS =
  /^(?:VariableDeclarat(?:ion|or)|(?:Expression|Return)Statement|(?:Call|New|Array|Object|Member|Binary|Await|Assignment|Unary)Expression|ObjectProperty|SpreadElement|TemplateLiteral|TS\w+)$/;

function isAlwaysRun(call: Node, statement: Node): boolean {
  for (let at = parentOf(call); at; at = parentOf(at)) {
    if (!ALWAYS.test(at.type) || (at.type === 'AssignmentExpression' && at.operator !== '=')) return false;
    if (at === statement) return true;
  }
  return false;
}

const READS =
  /^(?:Identifier|MemberExpression|\w*Literal|TemplateElement|BinaryExpression|Object(?:Expression|Property|Pattern)|ArrayExpression|ArrayPattern|VariableDeclarator|TS\w+)$/;
const GLOBALS: ReadonlySet<string> = new Set(['undefined', 'String', 'Number', '__dirname', '__filename', 'Buffer']);

/** Whether what the statement evaluates before the call does nothing, and reads nothing that others may change in the meantime. */
function runsFirst(call: Node, statement: Node, fn: FunctionNode, facts: Facts): boolean {
  let isPlain = true;
  const isHandler = facts.handlersOf(fn).length > 0;
  walkWithin(statement, (node) => {
    if (!isPlain || startOf(node) >= endOf(call) || isFunction(node)) return false;
    if (isCall(node) && !contains(node, call)) isPlain = isPure(node.callee, facts);
    else if (!contains(node, call)) isPlain = READS.test(node.type);
    if (node.type === 'Identifier' && isReference(node)) isPlain &&= isSteady(node, isHandler, facts);
    return isPlain;
  });
  return isPlain;
}

/** `String` and functions of `path`. */
function isPure(callee: Node, facts: Facts): boolean {
  const node = unwrap(callee);
  if (node.type === 'Identifier' && facts.bindings.isGlobal(node)) return node.name === 'String' || node.name === 'Number';
  return facts.origins.moduleMember(node)?.module === 'path';
}

/** The caller may change what an object holds, unless it is a framework that calls a handler. */
function isSteady(identifier: Node & { type: 'Identifier' }, isHandler: boolean, facts: Facts): boolean {
  const binding = facts.bindings.resolve(identifier);
  if (!binding) return GLOBALS.has(identifier.name);
  if (!facts.bindings.isConstant(binding)) return false;
  if (facts.origins.of(identifier)?.root === 'module' || !isMember(parentOf(identifier))) return true;
  return isHandler && binding.scope.type !== 'Program';
}
