// Fixes that let the event loop turn. All are suggestions: other code then runs in between. That is the purpose, but it may have effects.
import { endOf, isMember, parentOf, startOf, unwrap, type LoopNode, type Node, type t } from '../../analysis/module/ast.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { addImport, isTaken } from '../../analysis/fix/add-import.ts';
import { hasComment, hasCommentBetween } from '../../analysis/fix/blocks.ts';
import { getCodeStyle } from '../../analysis/fix/code-style.ts';
import { FIX_COSTS } from '../../knowledge/fix-costs.ts';
import type { Edit, Fix, RefusedFix } from '../../protocol/finding.ts';
import type { SpinningLoop } from './loops.ts';
import type { Hop } from './requeue.ts';
import type { Settled } from '../../analysis/facts/awaits/resolved-awaits.ts';

export interface Offer {
  fixes: Fix[];
  refused: RefusedFix[];
}

/** A hop of a function into a queue. */
export type Step = Pick<Hop, 'site' | 'via' | 'after'>;

export type RunsOn = (range: string) => boolean;

/** `timers/promises` was added in Node 15. */
const WITHOUT_TIMER_PROMISES = '<15.0.0-0';
const TOO_OLD: Offer = {
  fixes: [],
  refused: [
    {
      title: 'Await `setImmediate` from `node:timers/promises`',
      reason: '`timers/promises` requires Node 15, and the project supports older versions. Set `engines.node` to a later one.',
    },
  ],
};
const NOTHING: Offer = { fixes: [], refused: [] };

const YIELD = 'yieldToEventLoop';

// A turn of the event loop costs one to two microseconds (Node 18 to 26). Per thousand iterations nobody notices that, and a timer is late
// by a thousand iterations at most.
const ROUNDS = 1000;

function addYield(facts: Facts): { edits: Edit[]; local: string } {
  return addImport(facts, 'node:timers/promises', 'setImmediate', YIELD);
}

export function requeueFixes(facts: Facts, settled: Settled, hop: Step, runsOn: RunsOn): Offer {
  switch (hop.via) {
    case 'process.nextTick':
    case 'queueMicrotask':
      return immediateFix(facts, hop);
    case 'then':
      return thenFix(facts, settled, hop, runsOn);
    case 'await':
      return runsOn(WITHOUT_TIMER_PROMISES) ? TOO_OLD : awaitFix(facts, settled, hop);
    default:
      return NOTHING;
  }
}

/** `process.nextTick(f, a)` → `setImmediate(f, a)` */
function immediateFix(facts: Facts, hop: Step): Offer {
  if (facts.bindings.lookUp('setImmediate', hop.site)) return NOTHING;
  return {
    fixes: [
      {
        title: `Use \`setImmediate\` instead of \`${hop.via}\``,
        kind: 'suggestion',
        edits: [{ start: startOf(hop.site.callee), end: endOf(hop.site.callee), text: 'setImmediate' }],
      },
    ],
    refused: [],
  };
}

/** `Promise.resolve().then(f)` → `setImmediate(f)`, or a promise of the next turn if the promise is used. */
function thenFix(facts: Facts, settled: Settled, hop: Step, runsOn: RunsOn): Offer {
  const { callee } = hop.site;
  if (
    !isMember(callee) ||
    !settled.isPlainlySettled(callee.object) ||
    callee.property.type !== 'Identifier' ||
    callee.property.name !== 'then'
  )
    return NOTHING;
  const base = unwrap(callee.object);
  const isBare = base.type === 'CallExpression' && base.arguments.length === 0;
  if (!isBare) return NOTHING;
  if (
    parentOf(hop.site)?.type === 'ExpressionStatement' &&
    hop.site.arguments.length === 1 &&
    !facts.bindings.lookUp('setImmediate', hop.site)
  ) {
    return {
      fixes: [
        {
          title: 'Use `setImmediate` instead of a settled promise',
          kind: 'suggestion',
          edits: [{ start: startOf(callee), end: endOf(callee), text: 'setImmediate' }],
        },
      ],
      refused: [],
    };
  }
  if (runsOn(WITHOUT_TIMER_PROMISES)) return TOO_OLD;
  const added = addYield(facts);
  return {
    fixes: [
      {
        title: 'Yield to the event loop instead',
        kind: 'suggestion',
        edits: [...added.edits, { start: startOf(callee.object), end: endOf(callee.object), text: `${added.local}()` }],
      },
    ],
    refused: [],
  };
}

function awaitFix(facts: Facts, settled: Settled, hop: Step): Offer {
  const after = hop.after as t.AwaitExpression;
  if (settled.isPlainlySettled(after.argument) && !hasComment(facts, after.argument))
    return { fixes: [waitInstead(facts, after)], refused: [] };
  const statement = statementOf(hop.site);
  if (!statement) return NOTHING;
  const added = addYield(facts);
  const { semicolon, lineBreak } = getCodeStyle(facts);
  const indent = facts.source.indentAt(startOf(statement));
  return {
    fixes: [
      {
        title: 'Yield to the event loop first',
        kind: 'suggestion',
        edits: [
          ...added.edits,
          { start: startOf(statement), end: startOf(statement), text: `await ${added.local}()${semicolon}${lineBreak}${indent}` },
        ],
      },
    ],
    refused: [],
  };
}

/** `await null` → `await yieldToEventLoop()` */
function waitInstead(facts: Facts, node: t.AwaitExpression): Fix {
  const added = addYield(facts);
  const afterWord = startOf(node) + 'await'.length;
  // Parentheses around the value are removed with it, a comment is not.
  const edit = hasCommentBetween(facts, afterWord, endOf(node))
    ? { start: startOf(node.argument), end: endOf(node.argument), text: `${added.local}()` }
    : { start: afterWord, end: endOf(node), text: ` ${added.local}()` };
  return { title: 'Yield to the event loop instead', kind: 'suggestion', edits: [...added.edits, edit] };
}

export function loopFixes(facts: Facts, spinning: SpinningLoop, runsOn: RunsOn): Offer {
  if (runsOn(WITHOUT_TIMER_PROMISES)) return TOO_OLD;
  const { plain, loop } = spinning;
  const fixes: Fix[] = [];
  // A turn in each iteration costs more than the loop itself, where it does little.
  const spaced = yieldNowAndThen(facts, loop, plain);
  if (spaced) fixes.push({ ...spaced, cost: FIX_COSTS['spaced-turns'] });
  // What the value says goes with it.
  if (plain && !hasComment(facts, plain.argument)) fixes.push({ ...waitInstead(facts, plain), cost: FIX_COSTS['each-turn'] });
  return { fixes, refused: [] };
}

/** A counter before the loop, and inside it a turn of the event loop every thousand iterations. */
function yieldNowAndThen(facts: Facts, loop: LoopNode, plain: t.AwaitExpression | undefined): Fix | undefined {
  const { body } = loop;
  const before = statementToPrecede(loop);
  if (body.type !== 'BlockStatement' || !before) return undefined;
  const plainStatement =
    plain && parentOf(plain)?.type === 'ExpressionStatement' && parentOf(parentOf(plain) as Node) === body
      ? (parentOf(plain) as t.ExpressionStatement)
      : undefined;
  // Without anything else in it, the loop does no work to spread over a turn.
  if (plainStatement && body.body.length === 1) return undefined;
  const { source } = facts;
  const { semicolon, lineBreak, indent } = getCodeStyle(facts);
  const added = addYield(facts);
  const counter = freeCounter(facts);
  const turn = `if (++${counter} % ${ROUNDS} === 0) await ${added.local}()${semicolon}`;
  const outer = source.indentAt(startOf(before));
  const first = body.body[0];
  const inner =
    first && source.positionAt(startOf(first)).line !== source.positionAt(startOf(body)).line
      ? source.indentAt(startOf(first))
      : outer + indent;
  const edit: Edit = plainStatement
    ? { start: startOf(plainStatement), end: endOf(plainStatement), text: turn }
    : { start: startOf(body) + 1, end: startOf(body) + 1, text: `${lineBreak}${inner}${turn}` };
  return {
    title: `Yield to the event loop every ${ROUNDS.toLocaleString('en')} iterations`,
    kind: 'suggestion',
    edits: [
      ...added.edits,
      { start: startOf(before), end: startOf(before), text: `let ${counter} = 0${semicolon}${lineBreak}${outer}` },
      edit,
    ],
  };
}

function freeCounter(facts: Facts): string {
  if (!isTaken(facts, 'rounds')) return 'rounds';
  for (let n = 2; ; n++) if (!isTaken(facts, `rounds${n}`)) return `rounds${n}`;
}

/** The loop, or the label before it, if a declaration can precede it. */
function statementToPrecede(loop: LoopNode): Node | undefined {
  let at: Node = loop;
  while (parentOf(at)?.type === 'LabeledStatement') at = parentOf(at) as Node;
  const parent = parentOf(at);
  return parent?.type === 'BlockStatement' || parent?.type === 'Program' ? at : undefined;
}

/** The statement around a call, if another statement can precede it. */
function statementOf(node: Node): Node | undefined {
  for (let at: Node | undefined = node; at; at = parentOf(at)) {
    const parent = parentOf(at);
    if (parent?.type === 'BlockStatement' || parent?.type === 'Program') return at;
    if (parent && /Function|Method$/.test(parent.type)) return undefined;
  }
  return undefined;
}
