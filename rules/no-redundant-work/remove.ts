// Fixes: what nothing uses is removed, and what an early end does not use is read below it.
import { hasCommentBetween } from '../../analysis/fix/blocks.ts';
import { endsItsLine, getCodeStyle } from '../../analysis/fix/code-style.ts';
import { isReference, type Binding } from '../../analysis/facts/bindings.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import {
  contains,
  enclosingFunction,
  endOf,
  isCall,
  isMember,
  memberName,
  parentOf,
  startOf,
  unwrap,
  type Node,
  type t,
} from '../../analysis/module/ast.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';
import type { Repair } from '../../analysis/rule.ts';
import { findRead, isPlain } from '../shared/reads.ts';
import type { Dropped } from './dropped.ts';
import { undeclaredIn, whyMayThrow } from './may-throw.ts';

const REMOVE = 'Remove what nothing uses';
const MOVE = 'Move it below the condition';

export function without({ declaration, isPart, work }: Dropped, facts: Facts): Repair {
  const refusal = (reason: string): Repair => ({ fixes: [], refused: [{ title: REMOVE, reason }] });
  if (isPart) return refusal('it is part of a list of promises. Remove it there, with its variable');
  if (work.kind === 'text' || (work.kind === 'made' && !/sort/i.test(work.name)))
    return refusal('it calls `toJSON` methods and getters, and throws for cycles. Remove it if nothing depends on that');
  if (work.isGuard || mayFindNothing(declaration, facts))
    return refusal('it may throw if nothing is found, and callers would then get another answer');
  const mayThrow = whyMayThrow(work, declaration, facts);
  if (mayThrow) return refusal(mayThrow);
  const lines = linesOf(declaration, facts);
  if (!lines) return refusal('it shares its line with other code');
  if (hasCommentBetween(facts, previousLine(lines.start, facts), lines.end))
    return refusal('there is a comment beside it, which may be about it');
  const left = onlyFor(declaration, facts);
  if (left)
    return refusal(`\`${left.name}\` on line ${facts.source.positionAt(startOf(left.identifier)).line} ${whatToDoWith(left, facts)}`);
  return { fixes: [{ title: REMOVE, kind: 'suggestion', edits: [{ ...withBlankLine(lines, facts), text: '' }] }], refused: [] };
}

/** A variable of the function that nothing but the statement reads, and what fills it: `params` of `if (from) params.push(from)`. */
function onlyFor(statement: Node, facts: Facts): Binding | undefined {
  const fn = enclosingFunction(statement);
  const named = new Set<Binding>();
  walkWithin(statement, (node) => {
    const binding = node.type === 'Identifier' && isReference(node) ? facts.bindings.resolve(node) : undefined;
    if (binding && fn && binding.kind !== 'param' && contains(fn.body, binding.identifier) && !contains(statement, binding.identifier))
      named.add(binding);
    return undefined;
  });
  return [...named].find((one) => facts.bindings.references(one).every((at) => contains(statement, at) || isFilled(at)));
}

/** `const number = next()` may count. */
function whatToDoWith({ declaration }: Binding, facts: Facts): string {
  const made = declaration.type === 'VariableDeclarator' ? declaration.init : undefined;
  return !made || isPlain(made, facts)
    ? 'only serves it. Remove both'
    : 'is used nowhere else, but what it is made with may have an effect. Keep that, unless it has none';
}

/** `list` of `list.push(one);`, and `if (one) list.push(one);` */
function isFilled(reference: Node): boolean {
  const member = parentOf(reference);
  const call =
    isMember(member) && member.object === reference && /^(?:push|unshift)$/.test(memberName(member) ?? '') ? parentOf(member) : undefined;
  return isCall(call) && call.callee === member && parentOf(call)?.type === 'ExpressionStatement';
}

export function below({ declaration, work }: Dropped, { test }: NonNullable<Dropped['early']>, facts: Facts): Repair {
  const refusal = (reason: string): Repair => ({ fixes: [], refused: [{ title: MOVE, reason }] });
  if (!isPlain(test.test, facts)) return refusal('the condition calls a function, which may have to run after it');
  if (mayFindNothing(declaration, facts)) return refusal('it throws if nothing is found, and the condition would then run first');
  const found = foundBefore(test.test, facts);
  if (found !== undefined)
    return refusal(`\`${found}\` is there for nearly all requests, which gain nothing. Start both reads together, with \`Promise.all\``);
  const undeclared = undeclaredIn(test.test, facts);
  if (undeclared !== undefined) return refusal(`the condition reads \`${undeclared}\`, which is not declared in this file`);
  const checked = checkedBefore(test.test, facts);
  if (checked) return refusal(`\`${checked}\` is a type of input. Where that is checked before, the condition never holds`);
  const mayThrow = whyMayThrow(work, declaration, facts);
  if (mayThrow) return refusal(mayThrow);
  const lines = linesOf(declaration, facts);
  if (!lines || !endsItsLine(facts, test)) return refusal('it shares its line with other code');
  if (hasCommentBetween(facts, previousLine(lines.start, facts), startOf(test)))
    return refusal('there are comments beside it, which would lose their place');
  const { lineBreak } = getCodeStyle(facts);
  const text = facts.source.slice(declaration);
  const indent = facts.source.indentAt(startOf(declaration));
  // A paragraph of its own stays one.
  const hadBlank = withBlankLine(lines, facts).end > lines.end && isBlankAt(endOfLine(endOf(test), facts), facts);
  return {
    fixes: [
      {
        title: MOVE,
        kind: 'suggestion',
        edits: [
          { ...withBlankLine(lines, facts), text: '' },
          { start: endOf(test), end: endOf(test), text: `${hadBlank ? lineBreak : ''}${lineBreak}${indent}${text}` },
        ],
      },
    ],
    refused: [],
  };
}

/** `await users.findUniqueOrThrow(…)`, `await users.findFirst(…).then((user) => user.id)`, `const { id } = await users.findFirst(…)` */
function mayFindNothing(declaration: t.VariableDeclaration, facts: Facts): boolean {
  const text = facts.source.slice(declaration);
  const isTaken = declaration.declarations[0]?.id.type === 'ObjectPattern' && /\.(?:find\w*|first|get|one)\s*\(/.test(text);
  return isTaken || /(?:OrThrow|[oO]rFail)\b|rejectOnEmpty|\.then\s*\(/.test(text);
}

/** `user` of `if (!user) return`, where that is what another query has found by its ID. A code that a client sends is often none. */
function foundBefore(test: Node, facts: Facts): string | undefined {
  const not = unwrap(test);
  const answer = not.type === 'UnaryExpression' && not.operator === '!' ? unwrap(not.argument) : undefined;
  const declaration = answer?.type === 'Identifier' ? facts.bindings.resolve(answer)?.declaration : undefined;
  const init = declaration?.type === 'VariableDeclarator' && declaration.init ? unwrap(declaration.init) : undefined;
  const read = init?.type === 'AwaitExpression' ? findRead(init.argument, facts) : undefined;
  return answer?.type === 'Identifier' && read && isById(facts.source.slice(read.call)) ? answer.name : undefined;
}

/** `findById(id)`, `findOne({ _id: id })`, `query('… WHERE id = $1', [id])`: not how many there are, nor whether there is one. */
const isById = (text: string): boolean =>
  /By(?:Id|Pk|PrimaryKey)\b|(?:^|[^a-z])(?:_id|uu?id|id)\b["'\]]?\s{0,3}[:=,}]/i.test(text.slice(0, MOST_READ)) &&
  !/count|exists/i.test(text.slice(0, MOST_READ));

/** Of a query, in characters. */
const MOST_READ = 400;

/**
 * The type of the input of which the condition only asks whether it has a field: `!data.apiKey`, for a parameter `data: CredentialsDto`.
 */
function checkedBefore(test: Node, facts: Facts): string | undefined {
  const not = unwrap(test);
  const field = not.type === 'UnaryExpression' && not.operator === '!' ? unwrap(not.argument) : undefined;
  const object = field && isMember(field) ? unwrap(field.object) : undefined;
  const type = object?.type === 'Identifier' ? facts.bindings.resolve(object)?.identifier.typeAnnotation : undefined;
  const named =
    type?.type === 'TSTypeAnnotation' && type.typeAnnotation.type === 'TSTypeReference' ? type.typeAnnotation.typeName : undefined;
  return named?.type === 'Identifier' && /(?:Dto|DTO|Input|Body|Payload)$/.test(named.name) ? named.name : undefined;
}

/** The lines of a statement that has them for itself. */
function linesOf(statement: Node, facts: Facts): { start: number; end: number } | undefined {
  const { text } = facts.source;
  const start = text.lastIndexOf('\n', startOf(statement) - 1) + 1;
  if (text.slice(start, startOf(statement)).trim() !== '' || !endsItsLine(facts, statement)) return undefined;
  const next = text.indexOf('\n', endOf(statement));
  return next < 0 ? undefined : { start, end: next + 1 };
}

/** At the beginning of a block, or after an empty line, with the empty line below. */
function withBlankLine({ start, end }: { start: number; end: number }, facts: Facts): { start: number; end: number } {
  const { text } = facts.source;
  const before = text.slice(previousLine(start, facts), start).trimEnd();
  const isOpen = before.trim() === '' || before.endsWith('{');
  return isOpen && isBlankAt(end, facts) ? { start, end: endOfLine(end, facts) } : { start, end };
}

/** Whether a line, which begins there, is empty. */
const isBlankAt = (offset: number, facts: Facts): boolean => facts.source.text.slice(offset, endOfLine(offset, facts)).trim() === '';

/** Behind the line break. */
const endOfLine = (offset: number, { source: { text } }: Facts): number => text.indexOf('\n', offset) + 1 || text.length;

function previousLine(start: number, { source }: Facts): number {
  return source.text.lastIndexOf('\n', start - 2) + 1;
}
