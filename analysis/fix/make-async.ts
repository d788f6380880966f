// How to make one function async and await one call.
import {
  contains,
  findAncestor,
  functionName,
  isCall,
  isClass,
  isMember,
  memberName,
  parentOf,
  startOf,
  endOf,
  unwrap,
  type CallNode,
  type FunctionNode,
  type Node,
  type t,
} from '../module/ast.ts';
import type { Facts } from '../facts/index.ts';
import type { Edit } from '../rule.ts';

/** `load`, or a description for messages. */
export function calledName(fn: FunctionNode): string {
  const name = functionName(fn);
  return name ? `\`${name}\`` : 'the function';
}

/** Why nothing can be awaited at a place in a function; undefined if it can. */
export function whyNoAwait(fn: FunctionNode, site: Node): string | undefined {
  const called = calledName(fn);
  if (!contains(fn.body, site)) return "the call is in a parameter's default value. Move it into the body of the function";
  if (findAncestor(site, isRunElsewhere))
    return 'the call is in a class field, static block, or namespace, where `await` is not possible. Move it into a function';
  if (fn.generator)
    return `${called} is a generator: its consumers expect values, not promises. Read before it starts, or make it an async generator`;
  if (fn.async) return undefined;
  if (isExceptionFilter(fn))
    return 'Nest does not wait for `catch` of an exception filter: an error would leave the request without a response. Make the call before, when the filter is created';
  if (declaredType(fn)?.type === 'TSTypePredicate') return `${called} is a type guard, which cannot be async. Pass it what it reads`;
  if ('kind' in fn && fn.kind === 'constructor')
    return 'a constructor cannot be async. Pass it what it reads, from an async function that creates the object';
  if ('kind' in fn && (fn.kind === 'get' || fn.kind === 'set'))
    return `a ${fn.kind === 'get' ? 'getter' : 'setter'} cannot be async. Make it a method`;
  return undefined;
}

/** Why a function should not become async before somebody has renamed it, or rewritten the comment above it. */
export function whyToldSync(fn: FunctionNode, facts: Facts): string | undefined {
  if (fn.async) return undefined;
  const name = functionName(fn)?.split('.').at(-1) ?? '';
  if (/[a-z\d]Sync$/.test(name)) return `the name of ${calledName(fn)} says that it is synchronous. Rename it first`;
  const comment = commentAbove(fn, facts);
  return comment?.loc && startsLine(comment, facts) && SYNCHRONOUS.test(comment.value) && !NOT_SYNCHRONOUS.test(comment.value)
    ? `the comment on line ${comment.loc.start.line} says that ${calledName(fn)} is synchronous, which would no longer be true. Rewrite it first`
    : undefined;
}

/** Not `sync with the server`, nor `the sync function of accounts`, which brings two places in line. */
const SYNCHRONOUS = /\bsynchronous(?:ly)?\b|\(sync[,;)]|\bsync (?:fallback|version|variant|wrapper|API|read)\b/i;
const NOT_SYNCHRONOUS = /\b(?:no|not|non|never|longer|without|instead of|rather than)[ -]synchronous/i;

/** A comment after code is about that code. */
const startsLine = ({ start, loc }: t.Comment, { source }: Facts): boolean =>
  start != null && loc != null && !/\S/.test(source.text.slice(start - loc.start.column, start));

/** `catch(exception, host)` of a class with `@Catch()`: https://docs.nestjs.com/exception-filters */
function isExceptionFilter(fn: FunctionNode): boolean {
  if (fn.type !== 'ClassMethod' || fn.key.type !== 'Identifier' || fn.key.name !== 'catch') return false;
  const body = parentOf(fn);
  const owner = body && parentOf(body);
  return (
    isClass(owner) &&
    (owner.decorators ?? []).some(({ expression }) => {
      const callee = isCall(expression) ? unwrap(expression.callee) : expression;
      return callee.type === 'Identifier' && callee.name === 'Catch';
    })
  );
}

/** Places in a function where `await` would not belong to the function itself. */
function isRunElsewhere({ type }: Node): boolean {
  return (
    type === 'ClassProperty' ||
    type === 'ClassPrivateProperty' ||
    type === 'ClassAccessorProperty' ||
    type === 'StaticBlock' ||
    type === 'TSModuleBlock' ||
    type === 'TSEnumDeclaration'
  );
}

/** `async` before the function, `Promise<…>` around the type of its result, also in its JSDoc comment. */
export function asyncEdits(fn: FunctionNode, facts: Facts): Edit[] {
  if (fn.async) return [];
  const edits = [insert(asyncOffset(fn, facts), 'async ')];
  const type = declaredType(fn);
  if (type && !isPromiseType(type)) edits.push(insert(startOf(type), 'Promise<'), insert(endOf(type), '>'));
  return [...edits, ...documentedType(fn, facts)];
}

// Types with braces of their own are rare in comments, and are left to their author.
const RETURNS = /@returns?[ \t]+\{([^{}\n]*)\}/;

/** The comment right before the function, or before the statement that declares it. */
function commentAbove(fn: FunctionNode, facts: Facts): t.Comment | undefined {
  let outer: Node = fn;
  for (let parent = parentOf(outer); parent && DECLARES.has(parent.type); parent = parentOf(outer)) outer = parent;
  const { text } = facts.source;
  const comments = facts.module.ast.comments ?? [];
  // In source order. A file may have thousands, and as many functions.
  let from = 0;
  let to = comments.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((comments[middle]?.end ?? 0) <= startOf(outer)) from = middle + 1;
    else to = middle;
  }
  const last = comments[from - 1];
  return last?.end != null && !/\S/.test(text.slice(last.end, startOf(outer))) ? last : undefined;
}

/** `@returns {Promise<boolean>}` in the comment above. */
function documentedType(fn: FunctionNode, facts: Facts): Edit[] {
  const above = commentAbove(fn, facts);
  const comment = above?.type === 'CommentBlock' && above.value.startsWith('*') ? above : undefined;
  const found = comment && RETURNS.exec(comment.value);
  const type = found?.[1];
  if (comment?.start == null || !found || type === undefined || /^\s*(?:Promise\b|$)/.test(type)) return [];
  const start = comment.start + '/*'.length + found.index + found[0].length - type.length - 1;
  return [insert(start, 'Promise<'), insert(start + type.length, '>')];
}

const DECLARES: ReadonlySet<string> = new Set([
  'VariableDeclarator',
  'VariableDeclaration',
  'AssignmentExpression',
  'ExpressionStatement',
  'ObjectProperty',
  'ClassProperty',
  'ExportNamedDeclaration',
  'ExportDefaultDeclaration',
]);

/** `await` before the call, with parentheses if it would apply to more than the call. */
export function awaitEdits(call: CallNode, facts: Facts): Edit[] {
  if (parentOf(call)?.type === 'AwaitExpression') return [];
  const tight = bindsTighter(call);
  return [
    insert(startOf(call), tight ? `${openingParenthesis(call, facts)}await ` : 'await '),
    ...(tight ? [closingParenthesis(call, facts)] : []),
  ];
}

/** Chains of fewer calls stay on one line, if it is not too long. */
const CHAIN = 3;

/** `)`, in place of the line break of a chain that is none any more: `zlib⏎.gzipSync(text)⏎.toString()`. `before`: what it closes, too. */
export function closingParenthesis(call: Node, facts: Facts, before = ''): Edit {
  const at = endOf(call);
  const gap = /^\s*(?=\??\.)/.exec(facts.source.text.slice(at))?.[0] ?? '';
  let calls = 0;
  // Of a chain that stays one, each call keeps its line.
  let goesOn = false;
  for (let node: Node | undefined = parentOf(call), inner: Node = call; node; inner = node, node = parentOf(node)) {
    if (isMember(node) ? node.object !== inner : !isCall(node) || node.callee !== inner) break;
    if (isCall(node)) calls++;
    else if (isMember(node) && inner !== call) goesOn ||= facts.source.text.slice(endOf(inner), startOf(node.property)).includes('\n');
  }
  const joins = calls < CHAIN && !goesOn && gap.includes('\n');
  return { start: at, end: at + (joins ? gap.length : 0), text: `${before})` };
}

/** The declared type of the result, in TypeScript or Flow. */
export function declaredType({ returnType }: FunctionNode): Node | undefined {
  return returnType?.type === 'TSTypeAnnotation' || returnType?.type === 'TypeAnnotation' ? returnType.typeAnnotation : undefined;
}

export function isPromiseType(type: Node): boolean {
  const name = type.type === 'TSTypeReference' ? type.typeName : type.type === 'GenericTypeAnnotation' ? type.id : undefined;
  return name?.type === 'Identifier' && name.name === 'Promise';
}

/** Whether `await` before the call would apply to more than the call, or look as if it did: formatters add these parentheses, too. */
export function bindsTighter(call: Node): boolean {
  const parent = parentOf(call);
  if (!parent) return false;
  if (parent.type === 'ConditionalExpression') return parent.test === call;
  if (isMember(parent)) return parent.object === call;
  if (isCall(parent)) return parent.callee === call;
  return (
    (parent.type === 'TaggedTemplateExpression' && parent.tag === call) ||
    OPERATORS.has(parent.type) ||
    (isClass(parent) && parent.superClass === call)
  );
}

const OPERATORS: ReadonlySet<string> = new Set([
  'UnaryExpression',
  'BinaryExpression',
  'LogicalExpression',
  'SpreadElement',
  'TSNonNullExpression',
  'TSAsExpression',
  'TSSatisfiesExpression',
]);

/** `(`, or `;(` where it would otherwise call what the line before ends with: without semicolons, a statement may begin with it. */
export function openingParenthesis(call: Node, facts: Facts): string {
  const statement = findAncestor(call, ({ type }) => type === 'ExpressionStatement');
  if (!statement || startOf(statement) !== startOf(call)) return '(';
  const list = parentOf(statement);
  const siblings =
    list?.type === 'Program' || list?.type === 'BlockStatement' ? list.body : list?.type === 'SwitchCase' ? list.consequent : [];
  const before = siblings[siblings.indexOf(statement as (typeof siblings)[number]) - 1];
  return before && !facts.source.slice(before).endsWith(';') && !BLOCKS.has(before.type) ? ';(' : '(';
}

/** What follows them begins a new statement, whatever it begins with. */
const BLOCKS: ReadonlySet<string> = new Set([
  'FunctionDeclaration',
  'ClassDeclaration',
  'BlockStatement',
  'IfStatement',
  'ForStatement',
  'ForInStatement',
  'ForOfStatement',
  'WhileStatement',
  'SwitchStatement',
  'TryStatement',
]);

/** A callback whose promise is awaited: `.then(fn)`. */
export function isPromiseCallback(call: CallNode): boolean {
  const callee = unwrap(call.callee);
  return isMember(callee) && /^(?:then|catch|finally)$/.test(memberName(callee) ?? '');
}

/**
 * A listener for the end of a request: nothing uses its result, nothing follows that could overtake it, and an error ends the process
 * either way. `data` comes several times, and its listeners would overlap.
 */
export function isEndListener(call: CallNode, facts: Facts): boolean {
  const callee = unwrap(call.callee);
  const [event] = call.arguments;
  if (!isMember(callee) || !/^(?:on|once)$/.test(memberName(callee) ?? '') || event?.type !== 'StringLiteral' || event.value !== 'end')
    return false;
  const emitter = unwrap(callee.object);
  const binding = emitter.type === 'Identifier' ? facts.bindings.resolve(emitter) : undefined;
  return binding !== undefined && facts.handlers.handlers.some(({ fn }) => fn.params[0] === binding.identifier);
}

/** Why a function passed to a call cannot return a promise instead. */
export function callbackReason(call: CallNode, facts: Facts): string {
  const callee = unwrap(call.callee);
  const name = isMember(callee) ? memberName(callee) : callee.type === 'Identifier' ? callee.name : undefined;
  if (name === 'sort' || name === 'toSorted') return 'a sort comparator must return synchronously. Read what it compares before the call';
  if (call.type === 'NewExpression' && name === 'Promise') return 'a promise executor is not awaited. Make the call before `new Promise`';
  return `the callback of \`${name ?? facts.source.slice(callee)}\` must return synchronously, or its caller may not await it. Move the blocking call out of it`;
}

/** Where `async` goes: before `function`, before an arrow's parameters, before a method's name. */
function asyncOffset(fn: FunctionNode, facts: Facts): number {
  if (fn.type !== 'ClassMethod' && fn.type !== 'ClassPrivateMethod' && fn.type !== 'ObjectMethod') return startOf(fn);
  // Decorators, `public` and `static` come first.
  return fn.type !== 'ClassPrivateMethod' && fn.computed ? facts.source.text.lastIndexOf('[', startOf(fn.key)) : startOf(fn.key);
}

function insert(offset: number, text: string): Edit {
  return { start: offset, end: offset, text };
}
