// Fixes for a try around `new URL`.
import { isReference } from '../../analysis/facts/identifiers.ts';
import {
  contains,
  enclosingFunction,
  enclosingFunctionName,
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
import type { Facts } from '../../analysis/facts/index.ts';
import { getCodeStyle } from '../../analysis/fix/code-style.ts';
import { hasComment, hasCommentBetween, shiftLeft } from '../../analysis/fix/blocks.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';
import { FIX_COSTS } from '../../knowledge/fix-costs.ts';
import type { Edit, FixKind } from '../../protocol/finding.ts';
import { afterCatch, usesError, type GuardedTry } from './catch-clause.ts';
import { booleanCast, isOnlyCalling, NOTHING, replaceTry, yesOrNo, type Offer, type RunsOn } from './yes-or-no.ts';

/** Node versions without `URL.canParse` and `URL.parse`. The `-0` excludes pre-releases of 18.17 from `<18.17.0`. */
const WITHOUT_CAN_PARSE = '<18.17.0-0 || >=19.0.0 <19.9.0-0';
export const WITHOUT_URL_PARSE = '<20.18.0-0 || >=21.0.0 <22.1.0-0';
/** Whether a value certainly is a text. A symbol is caught in the try, and `URL.canParse` throws for it. */
function isText(node: Node, facts: Facts): boolean {
  const inner = unwrap(node);
  if (inner.type === 'StringLiteral') return true;
  if (inner.type === 'TemplateLiteral') return inner.expressions.every((part) => part.type === 'NumericLiteral' || isText(part, facts));
  if (inner.type === 'BinaryExpression') return inner.operator === '+' && isText(inner.left, facts) && isText(inner.right, facts);
  if (inner.type !== 'Identifier') return false;
  const type = facts.bindings.resolve(inner)?.identifier.typeAnnotation;
  return type?.type === 'TSTypeAnnotation' && type.typeAnnotation.type === 'TSStringKeyword';
}

/** There whenever a server calls the function. */
const ALWAYS_THERE = /^(?:this|process|process\.env|(?:req|request|ctx)(?:\.(?:params|query|headers))?)$/;

/** Why reading what is parsed may throw, which the `try` catches as well; undefined if it cannot. Calls are judged where they matter. */
function whyReadingThrows(argument: Node, guarded: GuardedTry, facts: Facts): string | undefined {
  let why: string | undefined;
  walkWithin(argument, (node) => {
    if (node.type !== 'MemberExpression') return undefined;
    const around = parentOf(node);
    const object = facts.source.slice(node.object);
    // A method of a call's result: `String(value).trim()`.
    if (isCall(around) && around.callee === node) return undefined;
    if (ALWAYS_THERE.test(object) || isOfModule(node.object, facts) || isUsedBefore(object, guarded, facts)) return undefined;
    why = `\`${facts.source.slice(node)}\` throws if there is no \`${object}\`, and nothing would catch that. Use \`${object}?.\``;
    return 'stop';
  });
  return why;
}

/** What a file imports, requires, or writes as an object. */
function isOfModule(object: Node, { bindings }: Facts): boolean {
  const binding = object.type === 'Identifier' ? bindings.resolve(object) : undefined;
  if (!binding || binding.kind === 'import') return binding !== undefined;
  const { declaration, kind } = binding;
  const init = kind === 'const' && declaration.type === 'VariableDeclarator' && declaration.init ? unwrap(declaration.init) : undefined;
  return init?.type === 'ObjectExpression' || (isCall(init) && init.callee.type === 'Identifier' && init.callee.name === 'require');
}

/** Whether a statement before the `try` has read a property of it, or its `catch` does: they would throw, too. */
function isUsedBefore(object: string, guarded: GuardedTry, facts: Facts): boolean {
  if (facts.source.slice(guarded.handler.body).includes(`${object}.`)) return true;
  const block = parentOf(guarded);
  if (block?.type !== 'BlockStatement') return false;
  return block.body.some(
    (statement) =>
      endOf(statement) <= startOf(guarded) &&
      (statement.type === 'VariableDeclaration' || statement.type === 'ExpressionStatement') &&
      facts.source.slice(statement).includes(`${object}.`),
  );
}

// Readers of fixes merged none of these (bench/fixes-read.md): the code is as long as before, and answers the same as fast.
const SELDOM_INVALID =
  'its name says that it is given URLs, and only for an invalid one does an exception cost anything. Where many are invalid, use `URL.parse`, which returns null';

/** Whether names tell that what is parsed is meant to be a URL: `normalizeUrl(value)`, `new URL(imageUrl)`. Words of a text may be anything. */
function isNearlyAlwaysValid(probe: t.NewExpression): boolean {
  const [argument] = probe.arguments;
  const given = argument && unwrap(argument);
  const name = given && (isMember(given) ? memberName(given) : given.type === 'Identifier' ? given.name : undefined);
  return URL_NAME.test(name ?? '') || URL_NAME.test(enclosingFunctionName(probe) ?? '');
}

const URL_NAME = /ur[li]s?(?![a-z])|Ur[li]|^(?:href|webhook|endpoint|origin|referr?er)s?$/;

export function urlFixes(facts: Facts, node: GuardedTry, probe: t.NewExpression, runsOn: RunsOn, isSeldom: boolean): Offer {
  if (probe.arguments.length === 0 || probe.arguments.some((argument) => argument.type === 'SpreadElement')) return NOTHING;
  const why = probe.arguments.map((argument) => whyReadingThrows(argument, node, facts)).find((one) => one !== undefined);
  if (why !== undefined) return { fixes: [], refused: [{ title: 'Check the URL without `try`', reason: why }] };
  const url = facts.source.slice(probe.callee);
  const args = facts.source.text.slice(startOf(probe.arguments[0] as Node), endOf(probe.arguments.at(-1) as Node));
  const kind: FixKind = probe.arguments.every((argument) => isText(argument, facts)) ? 'safe' : 'suggestion';
  const parsed = parseOrNull(facts, node, probe);
  if (parsed !== undefined) {
    if (runsOn(WITHOUT_URL_PARSE))
      return {
        fixes: [],
        refused: [
          {
            title: 'Use `URL.parse`',
            reason: '`URL.parse` requires Node 20.18 or 22.1, and the project supports older versions. Set `engines.node` to a later one.',
          },
        ],
      };
    return {
      fixes: [
        { title: 'Use `URL.parse`, which returns null', kind, edits: replaceTry(node, parsed.replace('\0', `${url}.parse(${args})`)) },
      ],
      refused: [],
    };
  }
  const tooOld: Offer = {
    fixes: [],
    refused: [
      {
        title: 'Use `URL.canParse`',
        reason: '`URL.canParse` requires Node 18.17 or 19.9, and the project supports older versions. Set `engines.node` to a later one.',
      },
    ],
  };
  const answer = yesOrNo(facts, node, probe, `${url}.canParse(${args})`) ?? booleanCast(facts, node, probe, `${url}.canParse(${args})`);
  if (answer !== undefined)
    return runsOn(WITHOUT_CAN_PARSE)
      ? tooOld
      : { fixes: [{ title: 'Use `URL.canParse`', kind, cost: FIX_COSTS['can-parse'], edits: replaceTry(node, answer) }], refused: [] };
  const checked = checkInstead(facts, node, probe, `!${url}.canParse(${args})`);
  if (checked !== undefined)
    return runsOn(WITHOUT_CAN_PARSE)
      ? tooOld
      : { fixes: [{ title: 'Check with `URL.canParse`', kind, edits: replaceTry(node, checked) }], refused: [] };
  // A second URL in the block could be the invalid one.
  const guarded = countNew(node.block) === 1 ? checkFirst(facts, node, probe, `!${url}.canParse(${args})`) : undefined;
  if (guarded === undefined) return NOTHING;
  const once =
    'text' in guarded && !runsOn(WITHOUT_URL_PARSE) && probe.arguments.every(makesText)
      ? parseFirst(facts, node, probe, `${url}.parse(${args})`)
      : undefined;
  const [first, second] = node.block.body;
  // Of a test, both answers are ordinary.
  const isTest = first !== undefined && second !== undefined && isOnlyCalling(facts, first, probe);
  const isListed = !isSeldom && (isTest || facts.hotness.repetitionsInFunction(node).length > 0);
  if (once && !isListed && isNearlyAlwaysValid(probe))
    return { fixes: [], refused: [{ title: 'Use `URL.parse`, which returns null', reason: SELDOM_INVALID }] };
  if (once)
    return {
      fixes: [
        {
          title: 'Use `URL.parse`, which returns null',
          kind: 'suggestion',
          edits: [...once.declaration, ...replaceTry(node, once.text)],
        },
      ],
      refused: [],
    };
  if (runsOn(WITHOUT_CAN_PARSE)) return tooOld;
  const title = 'Check with `URL.canParse` first';
  if ('text' in guarded && probe.arguments.some((argument) => hasCall(argument)))
    return {
      fixes: [],
      refused: [{ title, reason: `\`${args}\` would be worked out twice. Assign it to a variable first, if it cannot throw` }],
    };
  if (!isListed && 'text' in guarded)
    return {
      fixes: [],
      refused: [
        {
          title,
          reason:
            'each valid URL would be parsed twice, and this function does not show that many are invalid. `URL.parse` (Node 20.18, 22.1) parses once',
        },
      ],
    };
  if ('text' in guarded)
    return { fixes: [{ title, kind: 'suggestion', edits: [...guarded.declaration, ...replaceTry(node, guarded.text)] }], refused: [] };
  const { line } = facts.source.positionAt(startOf(guarded.mayThrow));
  const reason = `Line ${line} may throw, too, so the \`try\` would have to stay, with its \`catch\` written a second time before it. Move the code after \`new URL\` out of the \`try\`.`;
  return { fixes: [], refused: [{ title, reason }] };
}

function hasCall(expression: Node): boolean {
  let has = false;
  walkWithin(expression, (node) => void (has ||= isCall(node)));
  return has;
}

const TEXT_METHODS = /^(?:trim|trimStart|trimEnd|toLowerCase|toUpperCase|slice|replace|replaceAll)$/;

/** Whether an argument calls nothing but `String`, and methods of texts that it makes. Other calls may throw, as `text.trim()` of no text. */
function makesText(argument: Node): boolean {
  const value = unwrap(argument);
  if (!isCall(value)) return !hasCall(value);
  const callee = unwrap(value.callee);
  if (value.type === 'NewExpression' || value.arguments.some(hasCall)) return false;
  if (callee.type === 'Identifier') return callee.name === 'String';
  if (!isMember(callee) || !TEXT_METHODS.test(memberName(callee) ?? '')) return false;
  const object = unwrap(callee.object);
  return (object.type === 'TemplateLiteral' && !hasCall(object)) || (isCall(object) && makesText(object));
}

function countNew(block: t.BlockStatement): number {
  let count = 0;
  walkWithin(block, (node) => void (node.type === 'NewExpression' && count++));
  return count;
}

/** `try { return new URL(x) } catch { return null }`, with the position of the call marked. */
export function parseOrNull(facts: Facts, node: GuardedTry, probe: Node): string | undefined {
  const [tried] = node.block.body;
  const [caught] = node.handler.body.body;
  if (node.block.body.length !== 1 || node.handler.body.body.length !== 1 || node.finalizer || hasComment(facts, node)) return undefined;
  const { semicolon } = getCodeStyle(facts);
  if (
    tried?.type === 'ReturnStatement' &&
    tried.argument &&
    unwrap(tried.argument) === probe &&
    caught?.type === 'ReturnStatement' &&
    caught.argument?.type === 'NullLiteral'
  )
    return `return \0${semicolon}`;
  if (
    tried?.type !== 'ExpressionStatement' ||
    caught?.type !== 'ExpressionStatement' ||
    tried.expression.type !== 'AssignmentExpression' ||
    caught.expression.type !== 'AssignmentExpression'
  )
    return undefined;
  if (
    tried.expression.right !== probe ||
    caught.expression.right.type !== 'NullLiteral' ||
    facts.source.slice(tried.expression.left) !== facts.source.slice(caught.expression.left)
  )
    return undefined;
  return `${facts.source.slice(tried.expression.left)} = \0${semicolon}`;
}

/** `try { new URL(x) } catch { x = other }`: the block makes the call and does nothing else. */
function checkInstead(facts: Facts, node: GuardedTry, probe: Node, check: string): string | undefined {
  const [only] = node.block.body;
  if (
    node.block.body.length !== 1 ||
    !only ||
    !isOnlyCalling(facts, only, probe) ||
    node.finalizer ||
    usesError(node.handler) ||
    node.handler.body.body.length === 0
  )
    return undefined;
  if (hasComment(facts, node.block) || hasCommentBetween(facts, endOf(node.block), startOf(node.handler.body))) return undefined;
  return `if (${check}) ${facts.source.slice(node.handler.body)}`;
}

/** `if (<check>) { <catch> }`, followed by the statements of the try; the code that keeps the try necessary, if there is any. */
function checkFirst(
  facts: Facts,
  node: GuardedTry,
  probe: Node,
  check: string,
): { text: string; declaration: readonly Edit[] } | { mayThrow: Node } | undefined {
  const { source } = facts;
  const [first, second] = node.block.body;
  // What stands before the probe would no longer run where the probe fails.
  if (!first || !contains(first, probe) || isSkippable(probe, first)) return undefined;
  if (node.finalizer || usesError(node.handler) || node.handler.body.body.length === 0) return undefined;
  const after = afterCatch(node.handler);
  const last = node.handler.body.body.at(-1);
  if (after !== 'returns' && after !== 'breaks' && last?.type !== 'ContinueStatement') return undefined;
  const parent = parentOf(node);
  if (parent?.type !== 'BlockStatement') return undefined;
  const { lineBreak, indent } = getCodeStyle(facts);
  const checked = `if (${check}) ${source.slice(node.handler.body)}${lineBreak}${source.indentAt(startOf(node))}`;
  const mayThrow = otherThatMayThrow(facts, node.block, probe);
  if (mayThrow) return { mayThrow };
  const between = source.text.slice(endOf(node.block), startOf(node.handler.body));
  if (declaresTakenName(facts, node.block, parent) || /\/[/*]/.test(between)) return undefined;
  // The check makes an attempt whose value nobody uses unnecessary.
  const from =
    second && isOnlyCalling(facts, first, probe) && !hasCommentBetween(facts, startOf(node.block), startOf(second))
      ? startOf(second)
      : startOf(node.block) + 1;
  const body = source.text.slice(from, endOf(node.block) - 1).trim();
  const declared = second ? undefined : declaredBefore(facts, node, first);
  if (declared) return { text: `${checked}${declared.start}${shiftLeft(facts, node.block, body, indent)}`, declaration: [declared.edit] };
  return { text: `${checked}${shiftLeft(facts, node.block, body, indent)}`, declaration: [] };
}

/** `flag && new URL(text)`: it may not run, and the block then goes on. */
function isSkippable(probe: Node, statement: Node): boolean {
  for (let at = probe, up = parentOf(at); up && at !== statement; at = up, up = parentOf(up)) {
    if (up.type === 'LogicalExpression' && up.left !== at) return true;
    if ((up.type === 'ConditionalExpression' || up.type === 'IfStatement') && up.test !== at) return true;
  }
  return false;
}

/** `const url = URL.parse(text); if (!url) { <catch> }`, for a block of which `checkFirst` has said that nothing else may throw. */
function parseFirst(
  facts: Facts,
  node: GuardedTry,
  probe: Node,
  parse: string,
): { text: string; declaration: readonly Edit[] } | undefined {
  const { source } = facts;
  const [first, second] = node.block.body;
  if (!first || (second && isOnlyCalling(facts, first, probe)) || hasCommentBetween(facts, startOf(node.block), startOf(first)))
    return undefined;
  const { lineBreak, indent, semicolon } = getCodeStyle(facts);
  const gap = `${lineBreak}${source.indentAt(startOf(node))}`;
  const checked = (name: string): string => `const ${name} = ${parse}${semicolon}${gap}if (!${name}) ${source.slice(node.handler.body)}`;
  const declared = second ? undefined : declaredBefore(facts, node, first);
  if (declared && first.type === 'ExpressionStatement' && first.expression.type === 'AssignmentExpression')
    return { text: checked(source.slice(first.expression.left)), declaration: [declared.edit] };
  const declarator = first.type === 'VariableDeclaration' && first.kind === 'const' ? first.declarations[0] : undefined;
  if (declarator?.init === probe && first.type === 'VariableDeclaration' && first.declarations.length === 1) {
    const { id } = declarator;
    if (!second || id.type !== 'Identifier' || id.typeAnnotation) return undefined;
    const rest = source.text.slice(startOf(second), endOf(node.block) - 1).trim();
    return { text: `${checked(id.name)}${gap}${shiftLeft(facts, node.block, rest, indent)}`, declaration: [] };
  }
  // An assignment to what lives on may be seen as null.
  const name = isMember(parentOf(probe)) ? ['url', 'parsed', 'parsedUrl'].find((one) => isFree(one, node, facts)) : undefined;
  if (name === undefined) return undefined;
  const body =
    `${source.text.slice(startOf(first), startOf(probe))}${name}${source.text.slice(endOf(probe), endOf(node.block) - 1)}`.trim();
  return { text: `${checked(name)}${gap}${shiftLeft(facts, node.block, body, indent)}`, declaration: [] };
}

/** Whether nothing has the name, where the try is and in its function. */
function isFree(name: string, node: Node, facts: Facts): boolean {
  if (facts.bindings.lookUp(name, node)) return false;
  const around = enclosingFunction(node) ?? facts.module.program;
  return (
    !facts.module.nodes('Identifier').some((one) => one.name === name && isReference(one) && contains(around, one)) &&
    !declares(name, around)
  );
}

function declares(name: string, around: Node): boolean {
  let does = false;
  walkWithin(
    around,
    (node) => void (does ||= node.type === 'VariableDeclarator' && node.id.type === 'Identifier' && node.id.name === name),
  );
  return does;
}

/** `let url;` right before the try, where nothing but the statement gives it a value: `const` goes before the statement instead. */
function declaredBefore(facts: Facts, node: GuardedTry, statement: Node): { start: string; edit: Edit } | undefined {
  const { source } = facts;
  const parent = parentOf(node);
  const assigned = statement.type === 'ExpressionStatement' ? statement.expression : undefined;
  if (parent?.type !== 'BlockStatement' || assigned?.type !== 'AssignmentExpression' || assigned.operator !== '=') return undefined;
  const { left } = assigned;
  const before = parent.body[parent.body.indexOf(node as t.Statement) - 1];
  if (left.type !== 'Identifier' || before?.type !== 'VariableDeclaration' || before.kind !== 'let') return undefined;
  const [declarator, more] = before.declarations;
  const binding = facts.bindings.resolve(left);
  if (!declarator || more || declarator.init || declarator.id.type !== 'Identifier') return undefined;
  // The type of `new URL(…)` says the same.
  const type = declarator.id.typeAnnotation && source.slice(declarator.id.typeAnnotation).replace(/^:\s*/, '');
  if (type !== undefined && (assigned.right.type !== 'NewExpression' || type !== source.slice(assigned.right.callee))) return undefined;
  if (binding?.identifier !== declarator.id || hasCommentBetween(facts, startOf(before), startOf(node))) return undefined;
  const isElsewhere = facts.bindings.references(binding).some((reference) => reference !== left && startOf(reference) < endOf(node));
  const isWrittenAgain = facts.bindings.writes(binding).some((write) => write.node !== assigned && write.node !== declarator);
  // Comments below it, and a statement on the same line, stay where they are.
  const gap = source.text.slice(endOf(before), startOf(node));
  return isElsewhere || isWrittenAgain || gap.trim() !== ''
    ? undefined
    : { start: 'const ', edit: { start: startOf(before), end: startOf(node), text: '' } };
}

/** Methods of URLs and their texts that throw for no literal. */
const HARMLESS_METHODS: ReadonlySet<string> = new Set(
  'toString toJSON get getAll has split slice substring replace replaceAll toLowerCase toUpperCase trim startsWith endsWith includes indexOf'.split(
    ' ',
  ),
);

/** Code of the block that may throw although `probe` does not. It would no longer be caught without the try. */
function otherThatMayThrow(facts: Facts, block: t.BlockStatement, probe: Node): Node | undefined {
  const isOfProbe = (node: Node): boolean => {
    let root = unwrap(node);
    while (isMember(root) || (root.type === 'CallExpression' && isMember(root.callee))) {
      if (isMember(root) && root.computed && root.property.type !== 'StringLiteral') return false;
      root = unwrap(isMember(root) ? root.object : (root.callee as t.MemberExpression).object);
    }
    if (root === probe) return true;
    const declaration = root.type === 'Identifier' ? facts.bindings.resolve(root)?.declaration : undefined;
    return declaration?.type === 'VariableDeclarator' && declaration.init === probe;
  };
  const isHarmless = (node: Node): boolean => {
    const parent = parentOf(node);
    if (isMember(node)) return isOfProbe(node);
    switch (node.type) {
      case 'ObjectPattern':
        return (parent?.type === 'VariableDeclarator' && parent.init === probe) || isAssigned(parent);
      case 'AssignmentExpression':
        return isAssigned(node) || (node.operator === '=' && node.left.type === 'Identifier');
      case 'CallExpression':
        return (
          isMember(node.callee) &&
          isOfProbe(node.callee) &&
          HARMLESS_METHODS.has(memberName(node.callee) ?? '') &&
          node.arguments.every(({ type }) => type === 'StringLiteral' || type === 'NumericLiteral')
        );
      case 'BinaryExpression':
        return /^[!=]==?$/.test(node.operator);
      default:
        return CANNOT_THROW.test(node.type);
    }
  };
  const isAssigned = (node: Node | undefined): boolean =>
    node?.type === 'AssignmentExpression' && node.operator === '=' && node.left.type !== 'ArrayPattern' && node.right === probe;
  let found: Node | undefined;
  walkWithin(block, (node) => {
    if (found || node === probe) return false;
    if (!isHarmless(node)) found = node;
    return !found;
  });
  return found;
}

const CANNOT_THROW =
  /^(?:BlockStatement|ReturnStatement|VariableDeclaration|VariableDeclarator|ExpressionStatement|IfStatement|ContinueStatement|BreakStatement|Identifier|StringLiteral|NumericLiteral|BooleanLiteral|NullLiteral|RegExpLiteral|ConditionalExpression|LogicalExpression|ParenthesizedExpression|ObjectExpression|ObjectProperty|ArrayExpression)$/;

/** Whether a declaration of the block would conflict with one in the block around it. */
function declaresTakenName(facts: Facts, block: t.BlockStatement, outer: Node): boolean {
  const scope = parentOf(outer);
  return block.body.some((statement) => {
    if (statement.type === 'FunctionDeclaration' || statement.type === 'ClassDeclaration') return true;
    if (statement.type !== 'VariableDeclaration' || statement.kind === 'var') return false;
    const names: string[] = [];
    for (const declarator of statement.declarations)
      walkWithin(declarator.id, (node) => void (node.type === 'Identifier' && names.push(node.name)));
    return names.some((name) => {
      const other = facts.bindings.lookUp(name, outer);
      return (
        other !== undefined &&
        (other.scope === outer ||
          other.scope === scope ||
          facts.bindings.references(other).some((reference) => startOf(reference) >= startOf(outer) && endOf(reference) <= endOf(outer)))
      );
    });
  });
}
