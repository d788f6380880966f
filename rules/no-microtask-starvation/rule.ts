// Ticks and microtasks that keep the event loop from turning. Rare in real code, so candidates must be cheap to find, and everything
// unknown counts as real I/O.
import { isPageCode } from '../shared/page-code.ts';
import { endOf, functionName, startOf, type CallNode, type FunctionNode, type LoopNode, type Node } from '../../analysis/module/ast.ts';
import type { FileRole } from '../../analysis/facts/file-role.ts';
import { isQueueing } from '../../analysis/facts/queue-hops.ts';
import { Settled } from '../../analysis/facts/awaits/resolved-awaits.ts';
import { defineRule, type Related, type RuleContext, type Span } from '../../analysis/rule.ts';
import { isShort } from './bounds.ts';
import { functionAround, looksPlain, mayRequeue, namesItself, isInRelevantLoop } from './candidates.ts';
import { loopFixes, requeueFixes, type Step } from './fixes.ts';
import { findSpinningLoop } from './loops.ts';
import { MESSAGES, type MessageId } from './messages.ts';
import { Requeue, type Cycle, type Hop } from './requeue.ts';

type Context = RuleContext<MessageId>;

export const rule = defineRule<MessageId>({
  meta: {
    id: 'no-microtask-starvation',
    group: 'event-loop',
    summary: 'Ticks, microtasks, and awaits that requeue themselves and starve timers and I/O',
    severity: 'error',
    otherSeverities: ['warning'],
    proof: 'measured',
    nodeRange: '*',
    fix: 'suggestion',
    messages: MESSAGES,
    options: {},
    confirmedBy: [
      { kind: 'microtasks', expect: 'the `process.nextTick` or microtask queue does not empty' },
      { kind: 'loop-delay', expect: 'a timer that is due fires late' },
    ],
  },
  create(context) {
    const { facts } = context;
    if (facts.module.nodes('CallExpression').length === 0 && !facts.module.has('AwaitExpression')) return {};
    const settled = new Settled(facts);
    const requeue = new Requeue(facts, settled);
    const loops = new Set<Node>();
    const recursions = new Set<Node>();
    const proposed = new Set<Node>();
    const isWatched = (isEndless: boolean) =>
      isOfNode(context) && (isEndless ? facts.role !== 'test' || !isTestSuite(context) : !WAITS_ALONE.has(facts.role));

    const checkLoop = (node: Node) => {
      const spinning = findSpinningLoop(facts, settled, node);
      if (!spinning || loops.has(spinning.loop) || !isWatched(spinning.isEndless)) return;
      loops.add(spinning.loop);
      context.report({
        at: headOf(spinning.loop),
        messageId: spinning.isEndless ? 'endlessLoop' : 'longLoop',
        severity: spinning.isEndless ? 'error' : 'warning',
        related: spinning.awaits.map((one) => ({
          span: one.type === 'AwaitExpression' ? { start: startOf(one), end: endOf(one) } : headOf(one as LoopNode),
          message: 'this never yields to the event loop',
        })),
        functionName: nameAround(node),
        // What only a test or a script runs starves nobody.
        ...(spinning.isEndless ? {} : { request: { at: node, isOnce: false, unlessOffPath: 'hint' } }),
        repair: () => loopFixes(facts, spinning, (range) => context.runsOn(range)),
      });
    };

    return {
      CallExpression(node) {
        const from = isQueueing(node) ? functionAround(node) : undefined;
        if (!from || !mayRequeue(context.source, node, from)) return;
        if (
          requeue.queuedHops(from).some((hop) => hop.site === node && checkHop(context, settled, requeue, hop)) ||
          facts.queueHops.isEmpty
        )
          return;
        const step = facts.queueHops.hopAt(node, from);
        if (step && step.kind !== 'call' && step.kind !== 'awaited') propose({ site: node, via: step.kind });
      },
      AwaitExpression(node) {
        const isPlain = looksPlain(node.argument);
        const from = functionAround(node);
        const isInLoop = isInRelevantLoop(node, isPlain);
        const isRecursive =
          from !== undefined && from.async === true && !recursions.has(from) && (isPlain || namesItself(context.source, from));
        if (isRecursive && !facts.queueHops.isEmpty) proposeRecursion(from);
        if ((!isInLoop && !isRecursive) || !settled.isSettled(node.argument)) return;
        if (isInLoop) checkLoop(node);
        if (!isRecursive) return;
        recursions.add(from);
        for (const hop of requeue.queuedHops(from)) if (hop.via === 'await' && checkHop(context, settled, requeue, hop)) return;
      },
      ForOfStatement(node) {
        if (node.await && settled.isSettledSource(node.right)) checkLoop(node);
      },
    };

    /** Once for each function: the calls after its awaits, if none of these waits as far as the file shows. */
    function proposeRecursion(from: FunctionNode): void {
      if (proposed.has(from)) return;
      proposed.add(from);
      if (facts.queueHops.waits(from)) return;
      for (const call of facts.calls.callsIn(from)) {
        const step = facts.queueHops.hopAt(call, from);
        if (step?.kind === 'call' && step.after) propose({ site: call, via: 'await', after: step.after });
      }
    }

    /** A hop from which functions of other files may lead back. The project knows. */
    function propose(step: Step): void {
      if (!isOfNode(context) || facts.role === 'test') return;
      const isRecursion = step.via === 'await';
      const data = { name: nameFor(step), via: step.via };
      context.report({
        at: spanOf(step.site),
        messageId: isRecursion ? 'endlessRecursion' : 'endlessRequeue',
        severity: 'error',
        data,
        related: step.after
          ? [{ span: { start: startOf(step.after), end: endOf(step.after) }, message: 'this never yields to the event loop' }]
          : [],
        functionName: nameAround(step.site),
        request: {
          at: step.site,
          isOnce: false,
          round: { ends: { messageId: isRecursion ? 'longRecursion' : 'longRequeue', severity: 'warning', data } },
        },
        repair: () => requeueFixes(facts, settled, step, (range) => context.runsOn(range)),
      });
    }

    function checkHop(inContext: Context, known: Settled, search: Requeue, hop: Hop): boolean {
      const cycle = search.findCycle(hop);
      const isEndless = cycle?.conditions.length === 0;
      if (
        !cycle ||
        !isWatched(isEndless) ||
        !isFirst(cycle) ||
        isShort(
          facts,
          cycle.conditions,
          cycle.hops.map((one) => one.from),
        )
      )
        return false;
      const isRecursion = hop.via === 'await';
      inContext.report({
        at: spanOf(hop.site),
        messageId: isRecursion ? (isEndless ? 'endlessRecursion' : 'longRecursion') : isEndless ? 'endlessRequeue' : 'longRequeue',
        severity: isEndless ? 'error' : 'warning',
        data: { name: nameFor(hop), via: hop.via === 'then' ? 'then' : hop.via },
        related: describe(cycle),
        functionName: nameAround(hop.site),
        repair: () => requeueFixes(facts, known, hop, (range) => inContext.runsOn(range)),
      });
      return true;
    }
  },
});

/** What whoever started the program waits for to the end. */
const WAITS_ALONE: ReadonlySet<FileRole> = new Set(['test', 'script', 'cli', 'migration', 'config']);

/** Whether Node runs the file. Components and browser code block a tab, not a server. */
function isOfNode({ facts }: Context): boolean {
  return facts.role !== 'browser' && facts.role !== 'declaration' && !facts.module.has('JSXElement') && !isPageCode(facts);
}

/** Tests flush microtasks on purpose. A folder called `test` is not enough to recognize one. */
function isTestSuite({ facts }: Context): boolean {
  return ['describe', 'it', 'test', 'suite', 'beforeEach'].some((name) => facts.bindings.identifiersNamed(name).length > 0);
}

/** Whether a cycle is reported at this hop. Two functions that queue each other are one problem, reported once. */
function isFirst(cycle: Cycle): boolean {
  const [first] = cycle.hops;
  return cycle.hops.every((hop) => hop.via === 'call' || hop.from === first?.from || startOf(hop.from) >= startOf(first?.from ?? hop.from));
}

function describe(cycle: Cycle): Related[] {
  const [first, ...rest] = cycle.hops;
  const places = rest.map((hop): Related => {
    const name = functionName(hop.target);
    const target = name ? `\`${name}\`` : 'this function';
    return {
      span: { start: startOf(hop.site), end: endOf(hop.site.callee) },
      message: hop.via === 'call' || hop.via === 'await' ? `calls ${target}` : `queues ${target} with ${hop.via}`,
    };
  });
  if (first?.after)
    places.unshift({ span: { start: startOf(first.after), end: endOf(first.after) }, message: 'this never yields to the event loop' });
  return places;
}

function nameFor(hop: Step): string {
  const name = nameAround(hop.site);
  return name ? `\`${name}\`` : 'This function';
}

function nameAround(node: Node): string | undefined {
  for (let fn = functionAround(node); fn; fn = functionAround(fn)) {
    const name = functionName(fn);
    if (name) return name;
  }
  return undefined;
}

// Only the callee of a multi-line call is underlined.
const SHORT_CALL = 60;

function spanOf(call: CallNode): Span {
  const start = startOf(call);
  return { start, end: endOf(call) - start <= SHORT_CALL ? endOf(call) : endOf(call.callee) };
}

/** A loop without its body. */
function headOf(loop: LoopNode): { start: number; end: number } {
  const start = startOf(loop);
  if (loop.type === 'DoWhileStatement') return { start, end: start + 'do'.length };
  return { start, end: Math.max(start, loop.type === 'WhileStatement' ? endOf(loop.test) + 1 : startOf(loop.body) - 1) };
}
