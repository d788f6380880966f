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
import { hasComment, shiftLeft } from '../../analysis/fix/blocks.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';
import type { Edit, Fix } from '../../protocol/finding.ts';
import { endsLoop, usesError, type GuardedTry } from './catch-clause.ts';
import { isError } from './thrown.ts';
import type { Probe } from './probes.ts';
import { urlFixes } from './url-fixes.ts';
import { NOTHING, replaceTry, yesOrNo, type Offer, type RunsOn } from './yes-or-no.ts';

/** Node versions without `?.`. */
const WITHOUT_OPTIONAL_CHAINING = '<14.0.0-0';

/** @param isSeldom whether only a loop of another file makes it hot, so that this one does not show what is tested */
export function probeFixes(facts: Facts, node: GuardedTry, probe: Probe, runsOn: RunsOn, isSeldom = false): Offer {
  switch (probe.kind) {
    case 'url':
      return urlFixes(facts, node, probe.culprit as t.NewExpression, runsOn, isSeldom);
    case 'access':
      return accessFixes(facts, node, probe.culprit as t.CallExpression);
    case 'type-error':
      return chainFixes(facts, node, runsOn);
    default:
      return { fixes: [], refused: [] };
  }
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
    if (!caught) fallback = KEPT;
    else if (
      caught.type === 'ExpressionStatement' &&
      caught.expression.type === 'AssignmentExpression' &&
      caught.expression.operator === '=' &&
      facts.source.slice(caught.expression.left) === target
    )
      fallback = fallbackText(facts, caught.expression.right);
  } else return NOTHING;
  const text = fallback === undefined ? undefined : readWithFallback(facts, head, chain, fallback);
  if (text === undefined) return NOTHING;
  const inner = /\.(constructor|prototype|__proto__)\b/.exec(facts.source.slice(chain))?.[1];
  if (inner !== undefined)
    return {
      fixes: [],
      refused: [
        {
          title: 'Use `?.`',
          reason: `code that reads \`.${inner}\` of any value also meets getters that throw, which the \`catch\` handles and \`?.\` does not. Check first which values can occur`,
        },
      ],
    };
  if (runsOn(WITHOUT_OPTIONAL_CHAINING))
    return {
      fixes: [],
      refused: [
        { title: 'Use `?.`', reason: '`?.` requires Node 14, and the project supports older versions. Set `engines.node` to a later one.' },
      ],
    };
  return { fixes: [{ title: 'Use `?.`', kind: 'suggestion', edits: replaceTry(node, `${text}${semicolon}`) }], refused: [] };
}

/** In place of a fallback: the variable keeps its value. */
const KEPT = '\0';

/** The read without a throw. A value of null or undefined at the end of the chain stays what it is: only a missing object throws. */
function readWithFallback(facts: Facts, head: string, chain: Node, fallback: string): string | undefined {
  // A call may throw in the function, or because there is none. The try would have caught that, too.
  if (!isMember(chain)) return undefined;
  const object = optionalChain(facts, chain.object);
  if (object === undefined) return undefined;
  const value = `${head}${facts.source.slice(chain)}`;
  if (fallback === '') return `${head}${optionalChain(facts, chain) ?? ''}`;
  return fallback === KEPT ? `if (${object} != null) ${value}` : `${head}${object} != null ? ${facts.source.slice(chain)} : ${fallback}`;
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

/** `a.b[c].d` → `a?.b?.[c]?.d`; undefined for anything but a plain chain from a variable. */
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
