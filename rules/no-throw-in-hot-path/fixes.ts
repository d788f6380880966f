// Fixes for a try with a throw that is an expected result.
import {
  endOf,
  isFunction,
  isLoop,
  isMember,
  parentOf,
  startOf,
  unwrap,
  type LoopNode,
  type Node,
  type t,
} from '../../analysis/module/ast.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { addImport } from '../../analysis/fix/add-import.ts';
import { getCodeStyle } from '../../analysis/fix/code-style.ts';
import { hasComment, hasCommentBetween, shiftLeft } from '../../analysis/fix/blocks.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';
import type { Edit, Fix, FixKind, RefusedFix } from '../../protocol/finding.ts';
import { afterCatch, endsLoop, usesError, type GuardedTry } from './catch-clause.ts';
import { isError } from './thrown.ts';
import { isYesOrNo, type Probe } from './probes.ts';

export interface Offer {
  fixes: Fix[];
  refused: RefusedFix[];
}

export type RunsOn = (range: string) => boolean;

/** Node versions without `URL.canParse`, `URL.parse`, `?.`. The `-0` excludes pre-releases of 18.17 from `<18.17.0`. */
const WITHOUT_CAN_PARSE = '<18.17.0-0 || >=19.0.0 <19.9.0-0';
const WITHOUT_URL_PARSE = '<20.18.0-0 || >=21.0.0 <22.1.0-0';
const WITHOUT_OPTIONAL_CHAINING = '<14.0.0-0';

export function probeFixes(facts: Facts, node: GuardedTry, probe: Probe, runsOn: RunsOn): Offer {
  switch (probe.kind) {
    case 'url':
      return urlFixes(facts, node, probe.culprit as t.NewExpression, runsOn);
    case 'access':
      return accessFixes(facts, node, probe.culprit as t.CallExpression);
    case 'type-error':
      return chainFixes(facts, node, runsOn);
    default:
      return { fixes: [], refused: [] };
  }
}

const NOTHING: Offer = { fixes: [], refused: [] };

/** One statement in place of the whole try. */
function replaceTry(node: GuardedTry, text: string): Edit[] {
  return [{ start: startOf(node), end: endOf(node), text }];
}

// ---- yes or no: `try { attempt(); return true } catch { return false }`

/** Whether the whole try can be written as one check. */
export function isPlainTest(facts: Facts, node: GuardedTry, culprit: Node): boolean {
  return yesOrNo(facts, node, culprit, '') !== undefined || booleanCast(facts, node, culprit, '') !== undefined;
}

/** `return <check>;` or `name = <check>;` for a try and a catch whose results are only yes and no. */
function yesOrNo(facts: Facts, node: GuardedTry, call: Node, check: string): string | undefined {
  if (!isYesOrNo(node) || node.finalizer || node.handler.body.body.length !== 1 || node.block.body.length !== 2 || hasComment(facts, node))
    return undefined;
  const [attempt, yes] = node.block.body;
  if (!attempt || !yes || !isOnlyCalling(facts, attempt, call)) return undefined;
  const [no] = node.handler.body.body;
  const semicolon = getCodeStyle(facts).semicolon;
  if (yes.type === 'ReturnStatement' && no?.type === 'ReturnStatement') {
    const sign = yes.argument?.type === 'BooleanLiteral' && yes.argument.value ? '' : '!';
    return `return ${sign}${check}${semicolon}`;
  }
  if (
    yes.type === 'ExpressionStatement' &&
    no?.type === 'ExpressionStatement' &&
    yes.expression.type === 'AssignmentExpression' &&
    no.expression.type === 'AssignmentExpression'
  ) {
    if (
      facts.source.slice(yes.expression.left) !== facts.source.slice(no.expression.left) ||
      yes.expression.operator !== '=' ||
      no.expression.operator !== '='
    )
      return undefined;
    const sign = yes.expression.right.type === 'BooleanLiteral' && yes.expression.right.value ? '' : '!';
    return `${facts.source.slice(yes.expression.left)} = ${sign}${check}${semicolon}`;
  }
  return undefined;
}

/** Whether a statement only makes the call: its value is dropped, or goes into a variable that is never read. */
function isOnlyCalling(facts: Facts, statement: t.Statement, call: Node): boolean {
  if (statement.type === 'ExpressionStatement')
    return (
      unwrap(statement.expression) === call || (statement.expression.type === 'UnaryExpression' && statement.expression.argument === call)
    );
  if (statement.type !== 'VariableDeclaration' || statement.declarations.length !== 1) return false;
  const [declarator] = statement.declarations;
  if (!declarator?.init || unwrap(declarator.init) !== call || declarator.id.type !== 'Identifier') return false;
  const binding = facts.bindings.resolve(declarator.id);
  return binding !== undefined && facts.bindings.references(binding).length === 0;
}

/** Whether evaluating an argument cannot throw. The try would have caught that, too. */
function cannotThrow(node: Node): boolean {
  const inner = unwrap(node);
  switch (inner.type) {
    case 'Identifier':
    case 'StringLiteral':
    case 'NumericLiteral':
    case 'BooleanLiteral':
    case 'NullLiteral':
    case 'ThisExpression':
      return true;
    case 'TemplateLiteral':
      return inner.expressions.every((part) => cannotThrow(part));
    case 'BinaryExpression':
      return inner.operator === '+' && cannotThrow(inner.left) && cannotThrow(inner.right);
    default:
      return false;
  }
}

// ---- URL

function urlFixes(facts: Facts, node: GuardedTry, probe: t.NewExpression, runsOn: RunsOn): Offer {
  if (probe.arguments.length === 0 || probe.arguments.some((argument) => argument.type === 'SpreadElement')) return NOTHING;
  const url = facts.source.slice(probe.callee);
  const args = facts.source.text.slice(startOf(probe.arguments[0] as Node), endOf(probe.arguments.at(-1) as Node));
  const kind: FixKind = probe.arguments.every(cannotThrow) ? 'safe' : 'suggestion';
  const parsed = parseOrNull(facts, node, probe);
  if (parsed !== undefined) {
    if (runsOn(WITHOUT_URL_PARSE))
      return {
        fixes: [],
        refused: [
          { title: 'Use `URL.parse`', reason: '`URL.parse` requires Node 20.18 or 22.1, and the project supports older versions.' },
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
      { title: 'Use `URL.canParse`', reason: '`URL.canParse` requires Node 18.17 or 19.9, and the project supports older versions.' },
    ],
  };
  const answer = yesOrNo(facts, node, probe, `${url}.canParse(${args})`) ?? booleanCast(facts, node, probe, `${url}.canParse(${args})`);
  if (answer !== undefined)
    return runsOn(WITHOUT_CAN_PARSE)
      ? tooOld
      : { fixes: [{ title: 'Use `URL.canParse`', kind, edits: replaceTry(node, answer) }], refused: [] };
  const checked = checkInstead(facts, node, probe, `!${url}.canParse(${args})`);
  if (checked !== undefined)
    return runsOn(WITHOUT_CAN_PARSE)
      ? tooOld
      : { fixes: [{ title: 'Check with `URL.canParse`', kind, edits: replaceTry(node, checked) }], refused: [] };
  // A second URL in the block could be the invalid one.
  const guarded = countNew(node.block) === 1 ? checkFirst(facts, node, `!${url}.canParse(${args})`) : undefined;
  if (guarded === undefined) return NOTHING;
  return runsOn(WITHOUT_CAN_PARSE)
    ? tooOld
    : { fixes: [{ title: 'Check with `URL.canParse` first', kind: 'suggestion', edits: replaceTry(node, guarded) }], refused: [] };
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

/** `try { return Boolean(new URL(x)) } catch { return false }` */
function booleanCast(facts: Facts, node: GuardedTry, probe: Node, check: string): string | undefined {
  const [tried] = node.block.body;
  const [caught] = node.handler.body.body;
  if (node.block.body.length !== 1 || node.handler.body.body.length !== 1 || node.finalizer || hasComment(facts, node)) return undefined;
  if (
    tried?.type !== 'ReturnStatement' ||
    !tried.argument ||
    caught?.type !== 'ReturnStatement' ||
    caught.argument?.type !== 'BooleanLiteral' ||
    caught.argument.value
  )
    return undefined;
  const value = unwrap(tried.argument);
  const isCast =
    (value.type === 'CallExpression' &&
      value.callee.type === 'Identifier' &&
      value.callee.name === 'Boolean' &&
      value.arguments[0] === probe) ||
    (value.type === 'UnaryExpression' &&
      value.operator === '!' &&
      value.argument.type === 'UnaryExpression' &&
      value.argument.operator === '!' &&
      value.argument.argument === probe);
  return isCast ? `return ${check}${getCodeStyle(facts).semicolon}` : undefined;
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

/** `if (<check>) { <catch> }`, followed by the statements of the try. */
function checkFirst(facts: Facts, node: GuardedTry, check: string): string | undefined {
  const { source } = facts;
  if (node.finalizer || usesError(node.handler) || node.handler.body.body.length === 0) return undefined;
  const after = afterCatch(node.handler);
  const last = node.handler.body.body.at(-1);
  if (after !== 'returns' && after !== 'breaks' && last?.type !== 'ContinueStatement') return undefined;
  const parent = parentOf(node);
  if (parent?.type !== 'BlockStatement' || declaresTakenName(facts, node.block, parent)) return undefined;
  const between = source.text.slice(endOf(node.block), startOf(node.handler.body));
  if (/\/[/*]/.test(between)) return undefined;
  const { lineBreak, indent } = getCodeStyle(facts);
  const body = source.text.slice(startOf(node.block) + 1, endOf(node.block) - 1).trim();
  return `if (${check}) ${source.slice(node.handler.body)}${lineBreak}${source.indentAt(startOf(node))}${shiftLeft(facts, node.block, body, indent)}`;
}

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

// ---- fs.accessSync

function accessFixes(facts: Facts, node: GuardedTry, call: t.CallExpression): Offer {
  const name = facts.origins.moduleMember(call.callee)?.path[0];
  const [path] = call.arguments;
  // A mode checks more than existence. lstat finds broken links, existsSync does not.
  if (!path || call.arguments.length !== 1 || path.type === 'SpreadElement' || name === 'lstatSync') return NOTHING;
  const callee = unwrap(call.callee);
  const added = isMember(callee)
    ? { edits: [], local: `${facts.source.slice(callee.object)}.existsSync` }
    : addImport(facts, 'node:fs', 'existsSync');
  const answer = yesOrNo(facts, node, call, `${added.local}(${facts.source.slice(path)})`);
  if (answer === undefined) return NOTHING;
  return {
    fixes: [
      {
        title: 'Use `existsSync`, which does not throw',
        kind: name === 'accessSync' && cannotThrow(path) ? 'safe' : 'suggestion',
        edits: [...added.edits, ...replaceTry(node, answer)],
      },
    ],
    refused: [],
  };
}

// ---- `?.`

function chainFixes(facts: Facts, node: GuardedTry, runsOn: RunsOn): Offer {
  const [tried] = node.block.body;
  const [caught] = node.handler.body.body;
  if (
    node.block.body.length !== 1 ||
    node.handler.body.body.length > 1 ||
    node.finalizer ||
    usesError(node.handler) ||
    hasComment(facts, node)
  )
    return NOTHING;
  const { semicolon } = getCodeStyle(facts);
  let head: string;
  let chain: Node;
  let fallback: string | undefined;
  if (tried?.type === 'ReturnStatement' && tried.argument && caught?.type === 'ReturnStatement') {
    [head, chain, fallback] = ['return ', tried.argument, caught.argument ? fallbackText(facts, caught.argument) : ''];
  } else if (
    tried?.type === 'ExpressionStatement' &&
    tried.expression.type === 'AssignmentExpression' &&
    tried.expression.operator === '='
  ) {
    const target = facts.source.slice(tried.expression.left);
    [head, chain] = [`${target} = `, tried.expression.right];
    if (!caught) fallback = tried.expression.left.type === 'Identifier' ? target : undefined;
    else if (
      caught.type === 'ExpressionStatement' &&
      caught.expression.type === 'AssignmentExpression' &&
      caught.expression.operator === '=' &&
      facts.source.slice(caught.expression.left) === target
    )
      fallback = fallbackText(facts, caught.expression.right);
  } else return NOTHING;
  const optional = fallback === undefined ? undefined : optionalChain(facts, chain);
  if (optional === undefined) return NOTHING;
  if (runsOn(WITHOUT_OPTIONAL_CHAINING))
    return { fixes: [], refused: [{ title: 'Use `?.`', reason: '`?.` requires Node 14, and the project supports older versions.' }] };
  return {
    fixes: [
      {
        title: 'Use `?.` (also uses the fallback for null and undefined along the path)',
        kind: 'suggestion',
        edits: replaceTry(node, `${head}${optional}${fallback ? ` ?? ${fallback}` : ''}${semicolon}`),
      },
    ],
    refused: [],
  };
}

/** The fallback as written; empty for undefined, which `?.` returns by itself. */
function fallbackText(facts: Facts, node: Node): string | undefined {
  const inner = unwrap(node);
  if (inner.type === 'Identifier' && inner.name === 'undefined') return '';
  if (
    /^(?:Identifier|StringLiteral|NumericLiteral|BooleanLiteral|NullLiteral|MemberExpression|ObjectExpression|ArrayExpression|TemplateLiteral)$/.test(
      inner.type,
    )
  )
    return facts.source.slice(node);
  return undefined;
}

/** `a.b[c].d()` → `a?.b?.[c]?.d()`; undefined for anything but a plain chain from a variable. */
function optionalChain(facts: Facts, expression: Node): string | undefined {
  const node = expression;
  switch (node.type) {
    case 'Identifier':
    case 'ThisExpression':
      return facts.source.slice(node);
    case 'MemberExpression':
    case 'OptionalMemberExpression': {
      const object = optionalChain(facts, node.object);
      if (object === undefined) return undefined;
      const mark = node.object.type === 'ThisExpression' ? '' : '?.';
      return node.computed
        ? `${object}${mark}[${facts.source.slice(node.property)}]`
        : `${object}${mark || '.'}${facts.source.slice(node.property)}`;
    }
    case 'CallExpression': {
      const callee = isMember(node.callee) ? optionalChain(facts, node.callee) : undefined;
      return callee === undefined ? undefined : `${callee}${facts.source.text.slice(endOf(node.callee), endOf(node))}`;
    }
    default:
      return undefined;
  }
}

// ---- return instead of throw

/** Replaces the throws by the statements of the catch. */
export function throwFixes(facts: Facts, node: GuardedTry, thrown: readonly t.ThrowStatement[]): Fix[] {
  const { handler } = node;
  if (usesError(handler) || handler.body.body.length === 0 || node.finalizer || hasComment(facts, handler)) return [];
  const last = handler.body.body.at(-1) as t.Statement;
  const jumps = last.type === 'ReturnStatement' || last.type === 'ContinueStatement' || last.type === 'BreakStatement';
  // At the end of the loop's body there is nothing to skip, so `continue` does what the catch did.
  const needsContinue = !jumps && isLastInLoop(node);
  if (!jumps && !needsContinue) return [];
  if ((last.type === 'ContinueStatement' || last.type === 'BreakStatement') && last.label) return [];
  let isPlain = true;
  for (const one of thrown) {
    if (functionOf(one) !== functionOf(node)) return [];
    if (
      last.type !== 'ReturnStatement' &&
      targetOfJump(one, last.type === 'BreakStatement') !== targetOfJump(node, last.type === 'BreakStatement')
    )
      return [];
    if (hasComment(facts, one) || seesOtherNames(facts, handler, one)) return [];
    if (!isBuiltInError(facts, one)) isPlain = false;
  }
  const style = getCodeStyle(facts);
  const isSafe = isPlain && handler.body.body.every((statement) => statementCannotThrow(statement));
  const edits = thrown.map((one): Edit => {
    const parent = parentOf(one);
    const texts = [
      ...handler.body.body.map((statement) => facts.source.slice(statement)),
      ...(needsContinue ? [`continue${style.semicolon}`] : []),
    ];
    const indent = facts.source.indentAt(startOf(one));
    const isInBlock = parent?.type === 'BlockStatement';
    if (texts.length === 1) return { start: startOf(one), end: endOf(one), text: texts[0] as string };
    const text = isInBlock
      ? texts.join(`${style.lineBreak}${indent}`)
      : `{${style.lineBreak}${texts.map((line) => `${indent}${style.indent}${line}${style.lineBreak}`).join('')}${indent}}`;
    return { start: startOf(one), end: endOf(one), text };
  });
  return [
    {
      title: jumps ? `Do here what the catch does: \`${facts.source.slice(last)}\`` : 'Do here what the catch does, and continue',
      kind: isSafe ? 'safe' : 'suggestion',
      edits,
    },
  ];
}

function functionOf(node: Node): Node | undefined {
  for (let at = parentOf(node); at; at = parentOf(at)) if (isFunction(at)) return at;
  return undefined;
}

function isLastInLoop(node: Node): boolean {
  const parent = parentOf(node);
  if (isLoop(parent)) return true;
  return parent?.type === 'BlockStatement' && parent.body.at(-1) === node && isLoop(parentOf(parent));
}

/** What `continue` (or `break`) at a node would apply to. */
function targetOfJump(node: Node, isBreak: boolean): Node | undefined {
  for (let at = parentOf(node); at && !isFunction(at); at = parentOf(at))
    if (isLoop(at) || (isBreak && at.type === 'SwitchStatement')) return at;
  return undefined;
}

/** Whether a name in the catch refers to something else at the throw. */
function seesOtherNames(facts: Facts, handler: t.CatchClause, at: Node): boolean {
  let differs = false;
  walkWithin(handler.body, (node) => {
    if (node.type === 'Identifier' && facts.bindings.lookUp(node.name, node) !== facts.bindings.lookUp(node.name, at)) differs = true;
    return !differs;
  });
  return differs;
}

/** `throw new Error('…')` without side effects. */
function isBuiltInError(facts: Facts, node: t.ThrowStatement): boolean {
  const value = unwrap(node.argument);
  if (value.type === 'NewExpression' || value.type === 'CallExpression')
    return isError(facts, value.callee) && value.arguments.every((argument) => cannotThrow(argument) || isPlainRead(argument));
  return cannotThrow(value);
}

function isPlainRead(node: Node): boolean {
  if (node.type === 'TemplateLiteral') return node.expressions.every((part) => isPlainRead(part));
  return cannotThrow(node) || (isMember(node) && isPlainRead(node.object));
}

function statementCannotThrow(statement: t.Statement): boolean {
  switch (statement.type) {
    case 'ContinueStatement':
    case 'BreakStatement':
      return true;
    case 'ReturnStatement':
      return (
        !statement.argument ||
        cannotThrow(statement.argument) ||
        (/^(?:ArrayExpression|ObjectExpression|UnaryExpression)$/.test(statement.argument.type) && isConstant(statement.argument))
      );
    case 'ExpressionStatement':
      return statement.expression.type === 'UpdateExpression'
        ? statement.expression.argument.type === 'Identifier'
        : statement.expression.type === 'AssignmentExpression' &&
            statement.expression.left.type === 'Identifier' &&
            cannotThrow(statement.expression.right);
    default:
      return false;
  }
}

function isConstant(node: Node): boolean {
  let only = true;
  walkWithin(node, (inner) => {
    if (isMember(inner) || /Call|New|Await|Function|Spread/.test(inner.type)) only = false;
    return only;
  });
  return only;
}

// ---- a try around the loop (Node < 8.3)

/** Moves a try that is the whole body of a loop outside of it, if the first error ends the loop anyway. */
export function hoistFix(facts: Facts, node: GuardedTry): Fix | undefined {
  const body = parentOf(node);
  const loop = body?.type === 'BlockStatement' ? parentOf(body) : undefined;
  if (!isLoop(loop) || body?.type !== 'BlockStatement' || body.body.length !== 1 || node.finalizer || !endsLoop(node, loop))
    return undefined;
  const last = node.handler.body.body.at(-1);
  if (
    last?.type === 'BreakStatement' ||
    parentOf(loop)?.type === 'LabeledStatement' ||
    parentOf(loop)?.type !== 'BlockStatement' ||
    readsLoopNames(facts, node.handler, loop)
  )
    return undefined;
  const { source } = facts;
  const gaps: [number, number][] = [
    [startOf(body) + 1, startOf(node.block) + 1],
    [endOf(node), endOf(body)],
    [endOf(node.block), startOf(node.handler.body)],
  ];
  if (
    gaps.some(([start, end]) => /\/[/*]/.test(source.text.slice(start, end))) ||
    node.handler.body.body.some((statement) => /`[^`]*\n/.test(source.slice(statement)))
  )
    return undefined;
  const { lineBreak, indent: step } = getCodeStyle(facts);
  const indent = source.indentAt(startOf(loop));
  const clause = shiftLeft(facts, node.handler, source.slice(node.handler), step);
  return {
    title: 'Move the try around the loop, which stops at the first error anyway',
    kind: 'suggestion',
    edits: [
      { start: startOf(loop), end: startOf(loop), text: `try {${lineBreak}${indent}${step}` },
      { start: startOf(body) + 1, end: startOf(node.block) + 1, text: '' },
      { start: endOf(node.block), end: endOf(body), text: `${lineBreak}${indent}} ${clause}` },
    ],
  };
}

function readsLoopNames(facts: Facts, handler: t.CatchClause, loop: LoopNode): boolean {
  let reads = false;
  walkWithin(handler.body, (node) => {
    if (node.type === 'Identifier') {
      const binding = facts.bindings.resolve(node);
      if (
        binding &&
        binding.declaration !== handler &&
        startOf(binding.identifier) >= startOf(loop) &&
        endOf(binding.identifier) <= endOf(loop) &&
        startOf(binding.identifier) < startOf(handler)
      )
        reads = true;
    }
    return !reads;
  });
  return reads;
}
