// Regular expressions with catastrophic backtracking on text that a request may send.
import { enclosingFunctionName, type Node } from '../../analysis/module/ast.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { defineRule, type Problem } from '../../analysis/rule.ts';
import { RequestData } from '../shared/request-data.ts';
import { onRequestPath } from '../shared/request-place.ts';
import { CallersData } from './exported.ts';
import { PASSED_ON, shownBytes, sizeOf, type TextSize } from '../shared/body-sizes.ts';
import { attackOf, UNLIMITED } from './tried.ts';
import { isOfHeader, mayBeInHeader } from './headers.ts';
import { findSlowness, mayBeSlow, type Slowness } from './super-linear.ts';
import { isPassed, isSlowText, limitOf, parameterOf } from './texts.ts';
import { isEverywhere, isInSchema, readConstructed, usesOf, usesByCallers, type Expression, type Use } from './uses.ts';

type MessageId =
  | 'exponential'
  | 'polynomial'
  | 'quadratic'
  | 'passed'
  | 'constant'
  | 'schema'
  | 'exportedExponential'
  | 'exportedPolynomial';

interface Options {
  exports: boolean;
}

// Cubic expressions take seconds for two thousand characters, and quadratic ones (`/\s+$/`) for fifty thousand (Node 18 to 26): they are in
// every program, and matter only where so much text arrives.
const CUBIC = 3;
const LONG_TEXT = 50_000;
// `/([0-9]+)+#/` took 8 to 69 ms for 20 digits, and half of that for each digit less. Texts with fewer characters than this are harmless.
const HARMLESS_LENGTH = 16;

export const rule = defineRule<MessageId, Options>({
  meta: {
    id: 'no-unsafe-regex',
    group: 'event-loop',
    summary: 'Regular expressions with catastrophic backtracking on text that a request may send',
    severity: 'warning',
    otherSeverities: ['hint'],
    proof: 'measured',
    nodeRange: '*',
    fix: 'none',
    forRequestsOnly: true,
    unlessOption: 'exports',
    messages: {
      exponential: {
        what: 'This regular expression can backtrack exponentially on every {{where}}: each additional `{{character}}` in a text that does not match {{growth}}.',
        why: '`{{part}}` can match the same text in many ways, and V8 tries them all. {{long}} (Node 18 to 26).',
        remedy: 'Rewrite it so that each text can match in only one way (no nested repetition), or reject long texts first.',
      },
      polynomial: {
        what: 'This regular expression can backtrack for a long time on every {{where}}: the time grows with the number of `{{character}}` in the text to the power of {{degree}}.',
        why: '`{{part}}` and what follows it can match the same characters in many ways, and V8 tries them all. At the third power, two thousand characters block the event loop for seconds (Node 18 to 26).',
        remedy: 'Rewrite it so that each text can match in only one way, or reject long texts first.',
      },
      quadratic: {
        what: 'This regular expression can backtrack for seconds on every {{where}}: the time grows with the square of the number of `{{character}}` in the text, which may have {{size}} ({{limit}}).',
        why: '`{{part}}` is tried again from each of these characters on. For fifty thousand characters, `/\\s+$/` blocked the event loop for 3 to 8 s (Node 18 to 26). A profile measures what this one takes at its size.',
        remedy: 'Reject long texts first, or avoid the expression: `trimEnd()`, `split()`, a loop over the characters.',
      },
      passed: {
        what: 'This regular expression can backtrack for seconds: the time grows with the square of the number of `{{character}}` in a text from {{sent}}.',
        why: '`{{part}}` is tried again from each of these characters on. For fifty thousand characters, `/\\s+$/` blocked the event loop for 3 to 8 s (Node 18 to 26). A profile measures what this one takes.',
        remedy: 'Reject long texts first, or avoid the expression: `trimEnd()`, `split()`, a loop over the characters.',
      },
      constant: {
        what: 'This regular expression backtracks exponentially on this text on every {{where}}.',
        why: '`{{part}}` can match a run of `{{character}}` in many ways, and V8 tries them all. Each additional one {{growth}}.',
        remedy: 'Rewrite it so that each text can match in only one way (no nested repetition).',
      },
      schema: {
        what: 'The pattern of this schema can backtrack exponentially: each additional `{{character}}` in a text that does not match {{growth}}.',
        why: '`{{part}}` can match the same text in many ways, and V8 tries them all. {{long}} (Node 18 to 26).',
        remedy: 'Rewrite it so that each text can match in only one way (no nested repetition), or let the schema reject long texts first.',
      },
      exportedExponential: {
        what: 'This regular expression can backtrack exponentially on a text that a caller of this library passes: each additional `{{character}}` in a text that does not match {{growth}}.',
        why: '`{{part}}` can match the same text in many ways, and V8 tries them all. {{long}} (Node 18 to 26).',
        remedy: 'Rewrite it so that each text can match in only one way (no nested repetition), or reject long texts first.',
      },
      exportedPolynomial: {
        what: 'This regular expression can backtrack for a long time on a text that a caller of this library passes: the time grows with the number of `{{character}}` in the text to the power of {{degree}}, and nothing here limits the text to less than {{size}}.',
        why: '`{{part}}` is tried again from each of these characters on. For fifty thousand characters, `/\\s+$/` blocked the event loop for 3 to 8 s (Node 18 to 26).',
        remedy: 'Rewrite it so that each text can match in only one way, or reject long texts first.',
      },
    },
    options: {
      exports: {
        type: 'boolean',
        default: false,
        description: 'For libraries: also check texts that callers of exported functions pass.',
      },
    },
    confirmedBy: [{ kind: 'loop-delay', expect: 'the event loop is blocked while the regular expression runs' }],
  },
  create({ facts, options, report }) {
    const check = (expression: Expression | undefined): void => {
      if (!expression || !mayBeSlow(expression.pattern)) return;
      if (isInSchema(expression, facts)) {
        const found = facts.isApplication() ? findSlowness(expression.pattern, expression.flags, false) : undefined;
        if (found?.degree === 'exponential')
          report({
            at: expression.node,
            messageId: 'schema',
            data: { ...dataOf(found) },
            attack: attackOf(expression, 'test', found.text, { bytes: undefined, limit: 'what the schema accepts' }),
          });
        return;
      }
      const otherwise = options.exports ? problemOfExport(expression, facts) : undefined;
      const problem = problemOfRequest(expression, facts);
      if (problem) report({ ...problem, ...(otherwise ? { otherwise } : {}) });
      else if (otherwise) report(otherwise);
    };
    return {
      RegExpLiteral(node) {
        check({ node, pattern: node.pattern, flags: node.flags });
      },
      NewExpression(node) {
        if (node.callee.type === 'Identifier' && node.callee.name === 'RegExp') check(readConstructed(node, facts));
      },
      CallExpression(node) {
        if (options.exports && node.callee.type === 'Identifier' && node.callee.name === 'RegExp') check(readConstructed(node, facts));
      },
    };
  },
});

function problemOfRequest(expression: Expression, facts: Facts): Problem<MessageId> | undefined {
  for (const use of usesOf(expression, facts)) {
    const { call, text, method } = use;
    const request = onRequestPath(call, facts);
    if (!request || request.isOnce) continue;
    const data = new RequestData(facts, 'text');
    const isSent = data.isSent(text);
    const isParameter = !isSent && isPassed(text, facts);
    const parameter = isSent ? undefined : parameterOf(text, call, facts);
    if (!isSent && !isParameter && parameter === undefined && !mayBeKnown(text)) continue;
    const slowness = slownessOf(expression, use, isOfHeader(text, facts) ? mayBeInHeader : undefined);
    if (!slowness) continue;
    if (parameter !== undefined && !(isParameter && slowness.degree === 'exponential')) {
      const messageId = judge(slowness, use, PASSED_ON, facts);
      if (messageId) return problemOfPassed(expression, use, slowness, messageId, { ...request, sent: { parameter } }, facts);
      continue;
    }
    const size = isSent ? sizeOf(data.member, text, call, facts) : undefined;
    const messageId =
      isSent || (isParameter && slowness.degree === 'exponential') ? judge(slowness, use, size, facts) : judgeKnown(slowness, text, facts);
    if (!messageId) continue;
    return {
      at: expression.node,
      messageId,
      severity: messageId === 'polynomial' || messageId === 'quadratic' ? 'hint' : undefined,
      data: { ...dataOf(slowness), ...textOfSize(size) },
      request,
      functionName: enclosingFunctionName(call),
      attack:
        messageId === 'constant' ? undefined : attackOf(expression, method, slowness.text, sizeWithin(limitOf(text, call, facts), size)),
    };
  }
  return undefined;
}

/** Of a text that other functions pass on, out of a body or a message. */
function problemOfPassed(
  expression: Expression,
  { call, text, method }: Use,
  slowness: Slowness,
  judged: MessageId,
  request: NonNullable<Problem<MessageId>['request']>,
  facts: Facts,
): Problem<MessageId> {
  const messageId = judged === 'quadratic' ? 'passed' : judged;
  return {
    at: expression.node,
    messageId,
    severity: messageId === 'exponential' ? undefined : 'hint',
    data: { ...dataOf(slowness), ...(messageId === 'passed' ? { sent: '{{sent}}' } : {}) },
    request,
    functionName: enclosingFunctionName(call),
    attack: attackOf(expression, method, slowness.text, sizeWithin(limitOf(text, call, facts), PASSED_ON)),
  };
}

/** What the callers of a library may pass. */
function problemOfExport(expression: Expression, facts: Facts): Problem<MessageId> | undefined {
  if (!LIBRARY_ROLES.has(facts.role)) return undefined;
  const { uses, isExported } = usesByCallers(expression, facts);
  const use = uses.find(({ text }) => new CallersData(facts).mayBe(text));
  if (!use && !isExported) return undefined;
  const slowness = slownessOf(expression, use);
  if (!slowness) return undefined;
  const limit = use && limitOf(use.text, use.call, facts);
  const isExponential = slowness.degree === 'exponential';
  if (limit !== undefined && (isExponential ? limit < HARMLESS_LENGTH : !isSlowWithin(slowness, limit))) return undefined;
  const size = sizeWithin(limit, { bytes: undefined, limit: 'nothing here limits it' });
  return {
    at: expression.node,
    messageId: isExponential ? 'exportedExponential' : 'exportedPolynomial',
    severity: isExponential ? undefined : 'hint',
    isForCallers: true,
    data: { ...dataOf(slowness), size: shownBytes(size.bytes ?? UNLIMITED, 'characters') },
    functionName: enclosingFunctionName(use?.call ?? expression.node),
    attack: attackOf(expression, use?.method ?? 'test', slowness.text, size),
  };
}

/** Code of a package that runs where it is used, be that a server or a browser. */
const LIBRARY_ROLES: ReadonlySet<string> = new Set(['application', 'browser', 'worker', 'script', 'cli']);

function slownessOf(
  { pattern, flags }: Expression,
  use: Pick<Use, 'method'> | undefined,
  mayContain?: (text: string) => boolean,
): Slowness | undefined {
  return findSlowness(pattern, flags, use !== undefined && isEverywhere(use.method, flags), mayContain);
}

function dataOf({ character, part, degree, text }: Slowness): Record<string, string | number> {
  const growth = text?.growth;
  const factor = growth && Number(growth.factor.toPrecision(2));
  return {
    character: shown(growth ? (text?.pump ?? character) : character),
    part,
    degree,
    ...(degree === 'exponential'
      ? {
          growth: factor === undefined ? 'multiplies the time' : factor === 2 ? 'doubles the time' : `multiplies the time by ${factor}`,
          long: `${growth ? `A text of about ${growth.length} characters` : 'A short text'} can block the event loop for seconds`,
        }
      : {}),
  };
}

function textOfSize(size: TextSize | undefined): Record<string, string> {
  return size ? { size: size.bytes === undefined ? 'any number of bytes' : shownBytes(size.bytes), limit: size.limit } : {};
}

/** A length that the code itself checks counts where it is less. */
function sizeWithin(limit: number | undefined, size: TextSize | undefined): TextSize {
  if (limit === undefined) return size ?? { bytes: undefined, limit: 'no limit is known' };
  return size?.bytes !== undefined && size.bytes < limit ? size : { bytes: limit, limit: 'the code itself limits it' };
}

function mayBeKnown(text: Node): boolean {
  return text.type === 'Identifier' || text.type === 'StringLiteral' || text.type === 'TemplateLiteral';
}

function judge(slowness: Slowness, { text, call }: Use, size: TextSize | undefined, facts: Facts): MessageId | undefined {
  const { degree } = slowness;
  const limit = limitOf(text, call, facts);
  if (degree === 'exponential') return limit === undefined || limit >= HARMLESS_LENGTH ? 'exponential' : undefined;
  if (degree >= CUBIC)
    return limit === undefined && (size?.bytes === undefined || isSlowWithin(slowness, size.bytes)) ? 'polynomial' : undefined;
  // Nothing is known of where it comes from, or it is short.
  if (!size || !slowness.text) return undefined;
  return isSlowWithin(slowness, sizeWithin(limit, size).bytes ?? Number.POSITIVE_INFINITY) ? 'quadratic' : undefined;
}

/** Whether a text of so many characters may take a second. */
function isSlowWithin({ degree }: Slowness, characters: number): boolean {
  return degree === 'exponential' || characters ** Number(degree) >= LONG_TEXT ** 2;
}

function judgeKnown({ degree, part }: Slowness, text: Node, facts: Facts): MessageId | undefined {
  return degree === 'exponential' && isSlowText(text, part, facts) ? 'constant' : undefined;
}

function shown(text: string): string {
  const cut = text.length > 20 ? `${text.slice(0, 20)}…` : text;
  return cut === ' ' ? 'space' : JSON.stringify(cut).slice(1, -1).replaceAll('\\"', '"').replaceAll('\\\\', '\\');
}
