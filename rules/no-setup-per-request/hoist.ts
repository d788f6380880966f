// Fix: what no request changes is built once, above the function that uses it.
import { getCodeStyle } from '../../analysis/fix/code-style.ts';
import { hasComment } from '../../analysis/fix/blocks.ts';
import { offsetBefore } from '../../analysis/fix/offset-before.ts';
import { isReference } from '../../analysis/facts/bindings.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import {
  contains,
  endOf,
  isCall,
  isFunction,
  isMember,
  memberName,
  parentOf,
  startOf,
  unwrap,
  type Node,
  type t,
} from '../../analysis/module/ast.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';
import type { Fix, Repair } from '../../analysis/rule.ts';
import { outdented, topLevelStatement, unusedName } from '../shared/top-level.ts';
import type { Setup } from './builds.ts';
import { isSafeToShare, whyNotShared } from './shareable.ts';

const TITLE = 'Build it once, at the top level of the module';
const NOTHING: Repair = { fixes: [], refused: [] };
const refusal = (reason: string): Repair => ({ fixes: [], refused: [{ title: TITLE, reason }] });

export function hoist({ row, whole, holder }: Setup, facts: Facts): Repair {
  const statement = topLevelStatement(whole);
  // A call that builds inside has nothing to keep; an Ajv instance of its own would have to move, too.
  if (!statement || row.makes === 'call' || holder) return NOTHING;
  const why = whyNotShared(whole, row, statement, facts);
  if (why) return refusal(why);
  const place = placeFor(statement, facts);
  const late = lateName(whole, place, facts);
  if (late) return refusal(`\`${late}\` is not known yet where the module begins`);
  if (hasComment(facts, whole)) return refusal('there is a comment in it, which would be moved with it');
  const { semicolon } = getCodeStyle(facts);
  const line = facts.source.lineBreak;
  const offset = offsetBefore(place, facts);
  const moved = movable(whole, facts);
  const name = moved ? moved.name : unusedName(nameFor(row), facts);
  if (moved?.comment?.endsWith('*/')) return refusal('the comment above it would have to move with it');
  const comment = moved?.comment ? `${moved.comment.replaceAll('\n', line)}${line}` : '';
  const edits: Fix['edits'] = [
    { start: offset, end: offset, text: `${comment}const ${name} = ${outdented(whole, facts)}${semicolon}${line}${line}` },
    moved ? { start: moved.start, end: moved.end, text: '' } : { start: startOf(whole), end: endOfChainLink(whole, facts), text: name },
  ];
  return { fixes: [{ title: TITLE, kind: isSafeToShare(whole, row) ? 'safe' : 'suggestion', edits }], refused: [] };
}

/**
 * Before the statement around it. A function declaration can be called before its statement is reached, though: if code of the module may do so,
 * before all that does more than load other modules.
 */
export function placeFor(statement: Node, facts: Facts): Node {
  const declared =
    statement.type === 'ExportNamedDeclaration' || statement.type === 'ExportDefaultDeclaration' ? statement.declaration : statement;
  if (declared?.type !== 'FunctionDeclaration') return statement;
  const { body } = facts.module.program;
  const before = body.filter((one) => startOf(one) < startOf(statement));
  return before.find((one) => callsOwnCode(one, facts)) ? (body.find((one) => !isLoading(one)) ?? statement) : statement;
}

function callsOwnCode(statement: Node, facts: Facts): boolean {
  let calls = false;
  walkWithin(statement, (node) => {
    if (isFunction(node)) return false;
    if (isCall(node)) {
      const isImmediate = isMember(node.callee) && RUNS_NOW.test(memberName(node.callee) ?? '');
      calls ||= facts.calls.edgesOfCall(node).some(({ via }) => via !== 'callback' || isImmediate);
    }
    return calls ? 'stop' : undefined;
  });
  return calls;
}

const RUNS_NOW = /^(?:map|forEach|filter|reduce|some|every|find|findIndex|flatMap|sort|from|then)$/;

/** `import x from 'x'`, `const { y } = require('y')` */
function isLoading(statement: Node): boolean {
  if (statement.type === 'ImportDeclaration') return true;
  return (
    statement.type === 'VariableDeclaration' &&
    statement.declarations.every(({ init }) => {
      let value = init ? unwrap(init) : undefined;
      while (value && isMember(value)) value = unwrap(value.object);
      return value?.type === 'CallExpression' && value.callee.type === 'Identifier' && value.callee.name === 'require';
    })
  );
}

/** A name that is declared below, or in the function. */
function lateName(whole: Node, statement: Node, facts: Facts): string | undefined {
  let late: string | undefined;
  walkWithin(whole, (node) => {
    if (node.type === 'Identifier' && isReference(node)) {
      const binding = facts.bindings.resolve(node);
      const isKnown =
        !binding ||
        (startOf(whole) <= startOf(binding.identifier) && startOf(binding.identifier) < endOf(whole)) ||
        (binding.scope.type === 'Program' &&
          (binding.kind === 'import' || binding.kind === 'function' || startOf(binding.identifier) < startOf(statement)));
      if (!isKnown) late = node.name;
    }
    return late === undefined ? undefined : 'stop';
  });
  return late;
}

/** `schema.parse(body)`, where the call stood on a line of its own. */
function endOfChainLink(whole: Node, { source: { text } }: Facts): number {
  const end = endOf(whole);
  const next = end + (/^\s*/.exec(text.slice(end, end + MOST_SPACE))?.[0].length ?? 0);
  return /^\??\.[\w$]/.test(text.slice(next, next + 3)) ? next : end;
}

/** Of what follows, in characters: longer white space is left as it is. */
const MOST_SPACE = 200;

interface Moved {
  name: string;
  start: number;
  end: number;
  /** The lines above it that are about it alone, without their indentation. */
  comment?: string;
}

/** `const format = new Intl.NumberFormat('en');` in a function, with a name that nothing else in the file has. */
function movable(whole: Node, facts: Facts): Moved | undefined {
  const declarator = parentOf(whole);
  const declaration = declarator && parentOf(declarator);
  if (declarator?.type !== 'VariableDeclarator' || declarator.init !== whole || declarator.id.type !== 'Identifier') return undefined;
  if (declarator.id.typeAnnotation || declaration?.type !== 'VariableDeclaration' || declaration.kind !== 'const') return undefined;
  if (declaration.declarations.length !== 1 || parentOf(declaration)?.type !== 'BlockStatement') return undefined;
  const { id } = declarator as { id: t.Identifier };
  const own = facts.bindings.resolve(id);
  // Another variable of that name in another function hides the constant there, where nothing asks for it.
  const isFree = facts.bindings.identifiersNamed(id.name).every((one) => {
    const binding = facts.bindings.resolve(one);
    return binding ? binding === own || (binding.scope.type !== 'Program' && !contains(binding.scope, declaration)) : !isReference(one);
  });
  if (!own || !isFree) return undefined;
  const { text } = facts.source;
  const start = text.lastIndexOf('\n', startOf(declaration)) + 1;
  const next = text.indexOf('\n', endOf(declaration));
  const isOnItsLine =
    text.slice(start, startOf(declaration)).trim() === '' && next !== -1 && text.slice(endOf(declaration), next).trim() === '';
  if (!isOnItsLine) return { name: id.name, start: startOf(declaration), end: endOf(declaration) };
  return { name: id.name, ...linesOf(text, start, next + 1) };
}

/**
 * Lines of a declaration that goes: with the comment above it, if it is a paragraph of its own, and with one of the two empty lines around it.
 */
function linesOf(text: string, start: number, end: number): Omit<Moved, 'name'> {
  const after = text.slice(end, lineEnd(text, end)).trim();
  let first = start;
  const comments: string[] = [];
  if (after === '' || after.startsWith('}')) {
    for (let above = lineAbove(text, first); /^(?:\/\/|\/?\*)/.test(above.trim()); above = lineAbove(text, first)) {
      comments.unshift(above.trim());
      first -= above.length;
    }
  }
  const before = lineAbove(text, first).trim();
  const isGap = after === '' && end < text.length && (before === '' || before.endsWith('{'));
  return { start: first, end: isGap ? lineEnd(text, end) : end, ...(comments.length > 0 && { comment: comments.join('\n') }) };
}

/** Behind the line break. */
const lineEnd = (text: string, offset: number): number => text.indexOf('\n', offset) + 1 || text.length;

/** The line that ends at an offset, with its line break; empty at the beginning of the text. */
const lineAbove = (text: string, offset: number): string =>
  offset === 0 ? '' : text.slice(text.lastIndexOf('\n', offset - 2) + 1, offset);

/** `numberFormat` for `Intl.NumberFormat`, `httpsAgent` for `https.Agent`, `schema` for `Joi.object`. */
export function nameFor({ module, path, makes, chain }: Setup['row']): string {
  const last = path.at(-1) ?? module;
  if (chain) return 'schema';
  if (/^(?:compile|template)$/.test(last)) return 'template';
  const word = (last === 'Agent' ? `${module}Agent` : last)
    .replace(/^.*\//, '')
    .replace(/^create(?=[A-Z])/, '')
    .replace(/[^A-Za-z0-9]+(\w)?/g, (_, letter?: string) => letter?.toUpperCase() ?? '');
  const start = /^[A-Z]+(?![a-z])/.exec(word)?.[0] ?? word.slice(0, 1);
  const name = start.toLowerCase() + word.slice(start.length);
  return /^[A-Za-z]\w*$/.test(name) ? name : makes;
}
