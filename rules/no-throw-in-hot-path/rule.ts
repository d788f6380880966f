// Exceptions as an ordinary result in code that runs often. The try itself has been free since Node 8.3; the throw is not.
import { enclosingFunction, startOf, type Node, type t } from '../../analysis/module/ast.ts';
import { defineRule, type Problem, type RuleContext } from '../../analysis/rule.ts';
import {
  afterCatch,
  endsCallersLoop,
  endsLoop,
  continuesAfter,
  hasAwait,
  hasCatch,
  isFallback,
  keepsError,
  mayRethrow,
  reportsError,
  usesError,
  waitsInTurn,
  type GuardedTry,
} from './catch-clause.ts';
import { hoistFix, probeFixes, throwFixes } from './fixes.ts';
import { isOnlyInSomeCases } from '../shared/good-path.ts';
import { isLongByConstant } from '../shared/long-loops.ts';
import { RequestData } from '../shared/request-data.ts';
import { parseOrNull, WITHOUT_URL_PARSE } from './url-fixes.ts';
import { isPlainTest } from './yes-or-no.ts';
import {
  findChunkHeat,
  findHeat,
  findNameAround,
  findSteadyHeat,
  HEAT_FROM_ELSEWHERE,
  isOfferedTest,
  isOfParameters,
  isSeldomCounted,
  isSteady,
  listOf,
  mayBeHeated,
  type Heat,
} from './heat.ts';
import { MESSAGES, messageOf, type MessageId } from './messages.ts';
import { findProbe, type Probe } from './probes.ts';
import { captureOf, doesSlowWork, findCallsElsewhere, findThrowingCall, nameOf, thrownInside } from './thrown.ts';

// Crankshaft, V8's optimizing compiler up to Node 8.2, did not optimize functions with a try. TurboFan replaced it in Node 8.3.
const CRANKSHAFT = '<8.3.0-0';
// A range that includes current versions (`>=6`) was written long ago, and nearly all users run the program on one of these.
const TODAY = '>=10.0.0';

type Context = RuleContext<MessageId>;

export const rule = defineRule<MessageId>({
  meta: {
    id: 'no-throw-in-hot-path',
    group: 'v8',
    summary: 'Exceptions used for ordinary control flow in loops and request handlers',
    severity: 'warning',
    isPrediction: true,
    proof: 'measured',
    nodeRange: '*',
    fix: 'safe',
    messages: MESSAGES,
    options: {},
    confirmedBy: [
      { kind: 'exceptions', expect: 'the code throws in a large share of its runs' },
      { kind: 'time', expect: 'the version that does not throw takes less time for the same input' },
    ],
  },
  create(context) {
    const isOld = context.runsOn(CRANKSHAFT) && !context.runsOn(TODAY);
    return {
      TryStatement(node) {
        if (!hasCatch(node) || isFallback(node)) return;
        if (checkProbe(context, node) || checkThrown(context, node) || checkCalledThrow(context, node)) return;
        if (isOld) checkOld(context, node);
      },
      // Most files never contain the word, and checking all their members would take 4 % of the run.
      ...(context.source.text.includes('stack') && {
        MemberExpression(node: t.MemberExpression) {
          if (node.property.type === 'Identifier' && node.property.name === 'stack') checkStack(context, node);
        },
      }),
    };
  },
});

/** The word `try`, because the block below it may be long. */
function tryWord(node: t.TryStatement): { start: number; end: number } {
  return { start: startOf(node), end: startOf(node) + 'try'.length };
}

function heatOfTry(context: Context, node: GuardedTry): ReturnType<typeof findHeat> {
  // A loop that ends at its first error throws at most once. One that waits in every iteration pays a thousand times more for that.
  return findHeat(
    context.facts,
    node,
    (repetition) =>
      endsLoop(node, repetition.node) || waitsInTurn(repetition.node) || endsCallersLoop(context.facts, node, repetition.node),
  );
}

/**
 * Reports what the file itself makes hot. For anything else, the project knows whether a loop of another file runs it; if none does, the
 * heat of the file remains, if any. `varies`: whether the behavior depends on the arguments of the function. Returns whether there is
 * something to report.
 */
function reportHot(
  context: Context,
  node: Node,
  heat: Heat | undefined,
  describe: (heat: Heat) => Problem<MessageId>,
  varies = true,
): boolean {
  // Where nothing leads to the code although the project has entry points, readers of unseen applications found no such hint useful.
  const unlessOffPath = { unlessOffPath: true } as const;
  const isLong = heat?.repetition !== undefined && isLongByConstant(context.facts, heat.repetition);
  if (heat?.level === 'repeated' || !varies || !mayBeHeated(context.facts, node)) {
    const request = isLong ? undefined : { at: heat?.loopIn?.body ?? node, isOnce: false, ...unlessOffPath };
    if (heat) context.report({ ...describe(heat), request });
    return heat !== undefined;
  }
  context.report({
    ...describe(HEAT_FROM_ELSEWHERE),
    request: { at: node, isOnce: false, heat: {}, ...(heat && !isLong ? unlessOffPath : {}) },
    otherwise: heat && describe(heat),
  });
  return true;
}

function checkProbe(context: Context, node: GuardedTry): boolean {
  const probe = findProbe(context.facts, node);
  if (!probe || (probe.kind !== 'access' && doesSlowWork(context.facts, node.block))) return false;
  const heat = heatOfProbe(context, node, probe);
  // Without `URL.parse`, all that is left is to parse each valid URL twice. That pays only where many are invalid.
  const hasRemedy = !probe.isUsed || probe.kind !== 'url' || !context.runsOn(WITHOUT_URL_PARSE) || heat?.repetition !== undefined;
  if (!hasRemedy && !(heat?.list && new RequestData(context.facts, 'text').isSent(heat.list))) return true;
  return reportHot(
    context,
    node,
    heat,
    (heat) => ({
      at: tryWord(node),
      messageId: messageOf(probe),
      data: { name: probe.name, often: heat.often },
      // As many throws as a client likes, each a thousand times the check: that follows from the code. Any other cost needs a run.
      severity: isOfSentList(context, probe, heat) ? 'warning' : undefined,
      related: [
        { span: { start: startOf(probe.culprit), end: probe.culprit.end ?? startOf(probe.culprit) }, message: 'this throws' },
        ...heat.related,
      ],
      repair: () => probeFixes(context.facts, node, probe, (range) => context.runsOn(range), heat === HEAT_FROM_ELSEWHERE),
      route: heat.route ?? context.facts.requestPaths.toNode(node)?.handler.route,
      functionName: findNameAround(node),
    }),
    isOfParameters(context.facts, probe.culprit),
  );
}

const PROBES_OF_TEXTS: ReadonlySet<Probe['kind']> = new Set(['url', 'json', 'throwing-call']);

/** Whether each item of a list that a request sent is tested by a throw. */
function isOfSentList(context: Context, probe: Probe, { repetition }: Heat): boolean {
  const list = repetition && PROBES_OF_TEXTS.has(probe.kind) ? listOf(repetition.node) : undefined;
  return list !== undefined && new RequestData(context.facts, 'text').isSent(list);
}

function heatOfProbe(context: Context, node: GuardedTry, probe: Probe): Heat | undefined {
  const { facts } = context;
  if (probe.isPerChunk) return findChunkHeat(facts, node);
  // `break` in the catch of a walk down an object still means one throw per missing path. The same is true of a repeated parse.
  const heat = probe.kind === 'type-error' || probe.kind === 'json-until' ? findHeat(facts, node) : heatOfTry(context, node);
  if (heat?.level === 'repeated') return heat;
  if (isSeldomCounted(facts, node)) return undefined;
  const isTest = isPlainTest(facts, node, probe.culprit) || (probe.kind === 'url' && parseOrNull(facts, node, probe.culprit) !== undefined);
  if (heat) return probe.kind === 'json' || isTest ? heat : undefined;
  return probe.kind === 'url' && isPlainTest(facts, node, probe.culprit) && isOfferedTest(facts, node)
    ? { level: 'offered', often: 'in a shared function', related: [] }
    : undefined;
}

function checkThrown(context: Context, node: GuardedTry): boolean {
  if (isIsolation(context, node)) return false;
  const thrown = thrownInside(node);
  const [first] = thrown;
  if (!first) return false;
  // A throw out of a callback is still a jump.
  if (keepsError(node.handler) && thrown.every((one) => enclosingFunction(one) === enclosingFunction(node))) return false;
  const found = heatOfTry(context, node);
  // Once per request, with a catch that ends the work: that is the answer to an invalid request.
  return reportHot(
    context,
    node,
    found && found.level !== 'repeated' && !continuesAfter(node) ? undefined : found,
    (heat) => ({
      at: { start: startOf(first), end: startOf(first) + 'throw'.length },
      messageId: 'caughtThrow',
      data: { often: heat.often },
      related: [
        { span: { start: startOf(node.handler), end: startOf(node.handler) + 'catch'.length }, message: 'this catch handles it' },
        ...thrown
          .slice(1)
          .map((other) => ({ span: { start: startOf(other), end: startOf(other) + 'throw'.length }, message: 'this throws as well' })),
        { span: tryWord(node), message: 'in this try' },
        ...heat.related,
      ],
      repair: () => ({ fixes: throwFixes(context.facts, node, thrown), refused: [] }),
      route: heat.route,
      functionName: findNameAround(node),
    }),
    isOfParameters(context.facts, node.block),
  );
}

/** Whether a throw is negligible: something is awaited, loaded or logged, or the error is forwarded. */
function isIsolation(context: Context, node: GuardedTry): boolean {
  return (
    afterCatch(node.handler) === 'passes-on' ||
    reportsError(node.handler) ||
    hasAwait(node.block) ||
    doesSlowWork(context.facts, node.block)
  );
}

function checkCalledThrow(context: Context, node: GuardedTry): boolean {
  if (isIsolation(context, node) || keepsError(node.handler) || mayRethrow(node.handler)) return false;
  const found = findThrowingCall(context.facts, node);
  const heat = heatOfTry(context, node);
  const hot = heat?.level === 'repeated' ? heat : undefined;
  if (!found) return checkThrowElsewhere(context, node, hot);
  return reportHot(
    context,
    node,
    hot,
    ({ often, related }) => ({
      at: tryWord(node),
      messageId: 'swallowedThrow',
      data: { often, name: nameOf(found.target) },
      related: [
        { span: { start: startOf(found.call), end: found.call.callee.end ?? startOf(found.call) }, message: 'this call throws' },
        { span: { start: startOf(found.thrown), end: startOf(found.thrown) + 'throw'.length }, message: 'thrown here' },
        ...related,
      ],
      functionName: findNameAround(node),
    }),
    isOfParameters(context.facts, found.call),
  );
}

/** The same for functions of other files. Whether they throw, and whether a request leads here, the project knows. */
function checkThrowElsewhere(context: Context, node: GuardedTry, hot: Heat | undefined): boolean {
  // Reporting the error is the result of a validation, which is what exceptions are for.
  const calls =
    !usesError(node.handler) && (hot || mayBeHeated(context.facts, node))
      ? findCallsElsewhere(context.facts, node).filter((call) => hot || isOfParameters(context.facts, call))
      : [];
  if (calls.length === 0) return false;
  const { often, related } = hot ?? HEAT_FROM_ELSEWHERE;
  context.report({
    at: tryWord(node),
    messageId: 'swallowedThrow',
    data: { often, name: '{{name}}' },
    related,
    functionName: findNameAround(node),
    request: { at: node, isOnce: false, throwing: calls, ...(hot ? { loopIn: hot.loopIn } : { heat: {} }) },
  });
  return true;
}

function checkOld(context: Context, node: GuardedTry): void {
  if (hasAwait(node.block)) return;
  const heat = findHeat(context.facts, node);
  // Only the function that contains the loop: what a loop merely registers runs on an event.
  if (heat?.level !== 'repeated' || context.facts.hotness.repetitionsInFunction(node).length === 0) return;
  context.report({
    at: tryWord(node),
    messageId: 'oldTry',
    data: { often: heat.often, range: context.project.nodeRange },
    related: heat.related,
    repair: () => ({ fixes: [hoistFix(context.facts, node)].filter((fix) => fix !== undefined), refused: [] }),
    functionName: findNameAround(node),
  });
}

const loopsAround = ({ facts }: Context, place: Node): number => facts.hotness.repetitionsInFunction(place).length;

function checkStack(context: Context, node: t.MemberExpression): void {
  const capture = captureOf(context.facts, node);
  // What is captured before a loop is no longer captured in it, and its text is made in the first round.
  const place = capture && loopsAround(context, node) > loopsAround(context, capture) ? capture : node;
  if (!capture || (place === capture && isOnlyInSomeCases(node, capture, []))) return;
  const own = findSteadyHeat(context.facts, place);
  if (!own && !isSteady(place)) return;
  reportHot(context, place, own, (heat) => ({
    at: node,
    messageId: 'stackRead',
    data: { often: heat.often },
    related: heat.related,
    route: heat.route,
  }));
}
