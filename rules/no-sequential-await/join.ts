// Fix: the reads start together, and one `await` waits for all of them.
import { hasCommentBetween, shiftRight } from '../../analysis/fix/blocks.ts';
import { getCodeStyle } from '../../analysis/fix/code-style.ts';
import { onOwnLine } from '../../analysis/fix/layout/fit-width.ts';
import { getLayoutStyle, lineWidthOf } from '../../analysis/fix/layout/line-width.ts';
import type { Binding } from '../../analysis/facts/bindings.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import {
  contains,
  enclosingFunction,
  endOf,
  findAncestor,
  isMember,
  parentOf,
  startOf,
  unwrap,
  type Node,
  type t,
} from '../../analysis/module/ast.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';
import type { Repair } from '../../analysis/rule.ts';
import { bindingsOf, mentions, targetOf, type Group, type Member } from './groups.ts';
import { namedLists } from './named-lists.ts';
import { sharedArgument } from './shared-argument.ts';
import { whyNotWorth } from './worth.ts';

const TITLE = 'Start them together, with `Promise.all`';
const TITLE_OF_LIST = 'Remove the `await` in the list';

const refusal = (reason: string): Repair => ({ fixes: [], refused: [{ title: TITLE, reason }] });

export function join(group: Group, facts: Facts): Repair {
  if (group.form === 'all') return withoutAwaits(group.members, facts);
  if (group.form === 'expression')
    return refusal('they are parts of one expression. Assign their results to variables above it, with one `Promise.all`');
  const passed = passedWhole(group.members, facts);
  const fixed = group.between.find((piece) => !isMovable(piece, passed, facts));
  if (fixed)
    return refusal(
      `line ${lineOf(fixed, facts)} stands between them. Move it above or below them, if it needs none of the answers or all of them`,
    );
  const shared = sharedArgument(group.members, facts);
  if (shared !== undefined)
    return refusal(
      `several of the calls get \`${shared}\`, and the function that they call may change it, as \`params.push(tenant)\` does. Pass a copy to each`,
    );
  const why = whyNotWorth(group, facts);
  return why === undefined ? joined(group, facts) : refusal(why);
}

/** A declaration by itself, of which nothing but the answers can have changed meanwhile. */
function isMovable(piece: Node, passed: ReadonlySet<Binding>, facts: Facts): boolean {
  const statement = parentOf(piece);
  if (piece.type !== 'VariableDeclarator' || statement?.type !== 'VariableDeclaration' || statement.declarations.length > 1) return false;
  if (statement.kind === 'var' || !piece.init) return false;
  const fn = enclosingFunction(piece);
  let is = fn !== undefined;
  walkWithin(piece, (node) => {
    // The time, what is awaited (`response.json()`), and fields that others may set.
    if (node.type === 'NewExpression' || node.type === 'AwaitExpression' || node.type === 'ThisExpression') is = false;
    if (node.type !== 'Identifier' || isPropertyName(node)) return is ? undefined : 'stop';
    const binding = facts.bindings.resolve(node);
    is &&= binding
      ? facts.bindings.isConstant(binding) &&
        (binding.declaration === piece || !passed.has(binding)) &&
        fn !== undefined &&
        contains(fn, binding.identifier)
      : SAME_AT_ALL_TIMES.test(node.name);
    return is ? undefined : 'stop';
  });
  return is;
}

/** Variables that a read gets as they are: it may change what they hold, as Mongoose casts a filter in place. */
function passedWhole(members: readonly Member[], facts: Facts): ReadonlySet<Binding> {
  const passed = new Set<Binding>();
  for (const { awaited } of members)
    if (awaited)
      walkWithin(awaited.argument, (node) => {
        const parent = parentOf(node);
        if (node.type !== 'Identifier' || isPropertyName(node) || (isMember(parent) && parent.object === node)) return;
        const binding = facts.bindings.resolve(node);
        if (binding) passed.add(binding);
      });
  return passed;
}

function isPropertyName(name: t.Identifier): boolean {
  const parent = parentOf(name);
  if (isMember(parent)) return parent.property === name && !parent.computed;
  return parent?.type === 'ObjectProperty' && parent.key === name && !parent.computed && !parent.shorthand;
}

/** Of globals; `Date` and `process` are others. */
const SAME_AT_ALL_TIMES =
  /^(?:Number|String|Boolean|parseInt|parseFloat|encodeURIComponent|Math|JSON|Object|Array|undefined|NaN|Infinity)$/;

/** `[await a(), await b()]` becomes `[a(), b()]`. */
function withoutAwaits(members: readonly Member[], facts: Facts): Repair {
  const unknown = members.find(({ isUnknown }) => isUnknown);
  if (unknown)
    return {
      fixes: [],
      refused: [{ title: TITLE_OF_LIST, reason: `\`${unknown.read.name}\` may do more than read, and what it does may need this order` }],
    };
  const edits = members.flatMap(({ awaited }) => (awaited ? [{ start: startOf(awaited), end: startOf(awaited.argument), text: '' }] : []));
  if (edits.some(({ start, end }) => hasCommentBetween(facts, start, end)))
    return { fixes: [], refused: [{ title: TITLE_OF_LIST, reason: 'there is a comment behind an `await`' }] };
  return { fixes: [{ title: TITLE_OF_LIST, kind: 'suggestion', edits }], refused: [] };
}

function joined({ members, between }: Group, facts: Facts): Repair {
  const statements = members.map(({ keeper }) => keeper && parentOf(keeper));
  const [first] = statements;
  const last = statements.at(-1);
  if (!first || !last || statements.some((one) => !one)) return { fixes: [], refused: [] };
  if (hasCommentBetween(facts, startOf(first), endOf(last)))
    return refusal('there are comments between them, which would lose their place');
  const kinds = new Set(statements.map((one) => (one?.type === 'VariableDeclaration' ? one.kind : one?.type)));
  if (kinds.size > 1) return refusal('some of the results are declared, and others are assigned, or declared in another way');
  // `findUniqueOrThrow` ends the function where there is nothing.
  const unused = members
    .map(({ keeper, read }) => (keeper && !read.isGuard ? targetOf(keeper) : undefined))
    .find((target) => target && isUnused(target, facts));
  if (unused) return refusal(`nothing uses \`${facts.source.slice(unused)}\`. Remove the call`);
  const kept = members.find(({ keeper }) => keeper && (outlivesError(keeper, facts) || isSeenBefore(keeper, first, facts)))?.keeper;
  if (kept)
    return refusal(
      `where a later one fails, what line ${lineOf(kept, facts)} has assigned is still there, and with one \`Promise.all\` it is not. Declare variables for the answers first`,
    );
  if (members.some(({ keeper }) => keeper?.type === 'VariableDeclarator' && hasType(keeper.id)))
    return refusal('a variable has a type annotation, which a pattern cannot keep');
  const isOwn = statements.every((one) => one?.type !== 'VariableDeclaration' || one.declarations.length === 1 || isWhole(one, members));
  if (!isOwn) return refusal('another variable is declared with them. Declare it by itself');
  const { semicolon: usual, lineBreak, indent: step } = getCodeStyle(facts);
  // A file may mix both.
  const semicolon = facts.source.text[endOf(last) - 1] === ';' ? ';' : usual;
  const isDeclared = first.type === 'VariableDeclaration';
  if (!isDeclared && usual === '') return refusal('a line that begins with a bracket needs a semicolon before it');
  const indent = facts.source.indentAt(startOf(first));
  const operands = members.map(({ awaited }) => (awaited as t.AwaitExpression).argument);
  const named = isDeclared ? namedLists(members, operands, facts) : undefined;
  const texts = operands.map((one) => named?.get(one)?.call ?? facts.source.slice(one));
  const names = members.map(({ keeper }) =>
    facts.source.slice(keeper?.type === 'VariableDeclarator' ? keeper.id : (keeper as t.AssignmentExpression).left),
  );
  const oneLine = `${isDeclared ? `${first.kind} ` : ''}[${names.join(', ')}] = await Promise.all([${texts.join(', ')}])${semicolon}`;
  const isLong = oneLine.includes('\n') || indent.length + oneLine.length > lineWidthOf(facts);
  const comma = getLayoutStyle(facts).trailingComma === 'none' ? '' : ',';
  const lines = operands.map((one, i) => {
    const end = i < operands.length - 1 ? ',' : comma;
    const statement = statements[i];
    const laidOut = statement && !named?.has(one) && onOwnLine(one, statement, `${indent}${step}`, end, facts);
    return `${lineBreak}${indent}${step}${laidOut || `${shiftRight(facts, one, texts[i] ?? '', step)}${end}`}`;
  });
  const list = isLong ? `[${lines.join('')}${lineBreak}${indent}]` : `[${texts.join(', ')}]`;
  const together = `${isDeclared ? `${first.kind} ` : ''}[${names.join(', ')}] = await Promise.all(${list})${semicolon}`;
  const { above, below } = aroundThem(members, between, facts);
  const lists = [...(named?.values() ?? [])].map(({ name, list: own }) => `const ${name} = ${facts.source.slice(own)}${semicolon}`);
  const text = [...above, ...lists, together, ...below].join(`${lineBreak}${indent}`);
  return { fixes: [{ title: TITLE, kind: 'suggestion', edits: [{ start: startOf(first), end: endOf(last), text }] }], refused: [] };
}

function isUnused(target: Node, facts: Facts): boolean {
  const binding = target.type === 'Identifier' ? facts.bindings.resolve(target) : undefined;
  return binding !== undefined && facts.bindings.references(binding).length === 0;
}

/** Whether code that runs after an error can see what was assigned: around a `try` of the function, or outside of the function. */
function outlivesError(keeper: NonNullable<Member['keeper']>, facts: Facts): boolean {
  const fn = enclosingFunction(keeper);
  const around = findAncestor(keeper, ({ type }) => type === 'TryStatement');
  const isInTry = around !== undefined && fn !== undefined && contains(fn, around);
  const statement = parentOf(keeper);
  if (keeper.type === 'VariableDeclarator') return isInTry && statement?.type === 'VariableDeclaration' && statement.kind === 'var';
  const [binding] = bindingsOf(keeper.left, facts);
  if (!binding || !fn || !contains(fn.body, binding.identifier)) return true;
  return isInTry && !contains(around, binding.identifier);
}

/** Whether a function that may run while the reads do uses an answer: `res.on('finish', () => log(user))`. */
function isSeenBefore(keeper: NonNullable<Member['keeper']>, first: Node, facts: Facts): boolean {
  const fn = enclosingFunction(keeper);
  return bindingsOf(targetOf(keeper), facts).some((binding) =>
    facts.bindings.references(binding).some((one) => {
      const other = enclosingFunction(one);
      return other !== fn && other !== undefined && (startOf(other) < startOf(first) || other.type === 'FunctionDeclaration');
    }),
  );
}

/** The declarations between the reads, as they stand: those that the reads may need come first, and those that need an answer last. */
function aroundThem(members: readonly Member[], between: readonly Node[], facts: Facts): { above: string[]; below: string[] } {
  const known = new Set(members.flatMap(({ keeper }) => (keeper ? bindingsOf(targetOf(keeper), facts) : [])));
  const above: string[] = [];
  const below: string[] = [];
  for (const piece of between) {
    const needsAnswer = mentions(piece, known, facts);
    if (needsAnswer && piece.type === 'VariableDeclarator') for (const binding of bindingsOf(piece.id, facts)) known.add(binding);
    (needsAnswer ? below : above).push(facts.source.slice(parentOf(piece) ?? piece));
  }
  return { above, below };
}

/** Whether all that a declaration declares is among the members. */
function isWhole(declaration: t.VariableDeclaration, members: readonly Member[]): boolean {
  return declaration.declarations.every((one) => members.some(({ keeper }) => keeper === one));
}

function hasType(id: Node): boolean {
  return 'typeAnnotation' in id && Boolean(id.typeAnnotation);
}

function lineOf(node: Node, facts: Facts): number {
  return facts.source.positionAt(startOf(unwrap(node))).line;
}
