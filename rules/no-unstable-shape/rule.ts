// Objects in hot code whose shapes change: deleted fields, fields on some paths, key orders, prototypes; and arrays read past their end.
import type { Fix, RefusedFix, Related, Span } from '../../protocol/finding.ts';
import { enclosingFunction, endOf, memberName, startOf, type Node } from '../../analysis/module/ast.ts';
import { conditionsOn } from '../../analysis/facts/control-flow.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { defineRule, type Repair, type RequestCondition, type RuleContext } from '../../analysis/rule.ts';
import { CLIFF, findConditionalFields, type ConditionalFields } from './conditional-fields.ts';
import { chooseDeleteFixes } from './delete-fixes.ts';
import { findDeletedFields, listNames, type DeletedFields } from './deleted-fields.ts';
import { findKeyOrders, putInOrder, type KeyOrders } from './key-orders.ts';
import { declareInLiteral } from './literal-fixes.ts';
import { messages, type MessageId } from './messages.ts';
import { isLongByConstant } from '../shared/long-loops.ts';
import { isPerformanceRelevant, routeOf } from './one-off.ts';
import { findOverrunLoops, stopBeforeEnd, type OverrunLoop } from './overrun-loops.ts';
import { findReplacedPrototypes, type ReplacedPrototype } from './replaced-prototypes.ts';
import type { Round } from './rounds.ts';
import { MOST_COUNTED } from './shape-paths.ts';
import { findSparseArrays, type SparseArray } from './sparse-arrays.ts';

interface Options {
  minShapes: number;
}

type Context = RuleContext<MessageId, Options>;

// Where V8's behavior changed between the measured Node versions (21 and 23 were not measured).
const KEEPS_LAST_FAST = '<22';
const DROPS_LAST_TOO = '>=22';
const MAPS_PER_OBJECT = '<24';

const COST_PER_OBJECT = [
  'Up to Node 22, V8 then creates hidden classes for this one object: creating it and adding four fields took 2 to 3 µs instead of 0.01 to 0.02 µs (Node 18 to 22). From Node 24 on, it took 0.14 µs.',
  'Creating an object took 0.14 µs with this call and 0.01 µs without it (Node 24 and 26).',
] as const;
const COST_PER_REQUEST = [
  'Up to Node 22, V8 then creates hidden classes for this one object, and later accesses miss their inline caches. A plain HTTP server that does this to request and response needed 3.1 to 3.6 times the CPU time per request (Node 18 to 22), and 1.2 times from Node 24 on.',
  'A plain HTTP server that does this to request and response needed 1.2 times the CPU time per request (Node 24 and 26).',
] as const;

// More places than this do not help.
const MOST_RELATED = 20;

const BELOW_CLIFF =
  'Predicted. Hot code that reads them is polymorphic: it takes 1.0 to 1.7 times as long with two to four shapes (Node 18 to 26).';
const PAST_CLIFF =
  'Predicted. Hot code that reads more than four shapes at one location is megamorphic: it takes 3 to 5 times as long (Node 18 to 26).';

export const rule = defineRule<MessageId, Options>({
  meta: {
    id: 'no-unstable-shape',
    group: 'v8',
    summary:
      'Deleted fields, fields added only on some paths or in a different order, replaced prototypes, and array reads past the end in hot code',
    severity: 'warning',
    isPrediction: true,
    proof: 'measured',
    nodeRange: '*',
    fix: 'suggestion',
    messages,
    options: {
      minShapes: {
        type: 'number',
        default: 2,
        minimum: 2,
        description:
          'Minimum number of shapes at which to report records whose fields depend on the path. From 5 shapes on, reads are megamorphic.',
      },
    },
    confirmedBy: [
      {
        kind: 'map-transition',
        expect: 'the object switches to dictionary mode at the delete, or to its own hidden class (map) at setPrototypeOf',
        messages: ['deletedField', 'replacedPrototype', 'replacedPerRequest'],
      },
      {
        kind: 'inline-cache',
        expect: 'code that reads the records is polymorphic (two to four shapes) or megamorphic (five or more)',
        messages: ['conditionalFields', 'keyOrder'],
      },
      { kind: 'elements', expect: 'the array switches to dictionary elements at the write', messages: ['sparseArray'] },
      { kind: 'bounds', expect: 'V8 prepares the read for indexes past the end', messages: ['overrunRead'] },
      { kind: 'time', expect: 'the loop is at least 1.5 times as fast with one shape' },
    ],
  },
  create(context) {
    return {
      Program() {
        const { facts } = context;
        if (!isPerformanceRelevant(facts)) return;
        for (const found of findDeletedFields(facts)) reportDeleted(context, found);
        for (const found of findConditionalFields(facts)) if (found.shapes >= context.options.minShapes) reportConditional(context, found);
        for (const found of findKeyOrders(facts)) reportOrder(context, found);
        for (const found of findReplacedPrototypes(facts)) reportPrototype(context, found);
        for (const found of findSparseArrays(facts)) reportSparse(context, found);
        for (const found of findOverrunLoops(facts)) reportOverrun(context, found);
      },
    };
  },
});

function reportDeleted(context: Context, found: DeletedFields): void {
  const { facts } = context;
  const [first, ...others] = found.deletions;
  if (!first || (found.position === 'last' && !context.runsOn(DROPS_LAST_TOO))) return;
  context.report({
    at: first,
    messageId: 'deletedField',
    request: conditionOf(context, first, found.round),
    data: { fields: listNames(found.fields), each: eachOf(found.round, isConditional(found, facts)), when: versionsOf(context, found) },
    related: [
      ...others
        .slice(0, MOST_RELATED)
        .map((other) => place(other, `removes \`${memberName(other.argument)}\` from \`${facts.source.slice(other.argument.object)}\``)),
      ...found.round.path,
    ],
    route: routeOf(facts, first),
    repair: () => chooseDeleteFixes(facts, found),
  });
}

function versionsOf(context: Context, found: DeletedFields): string {
  // The callers of a function may have objects without the field.
  const isThere = found.position === 'unknown' && found.round.path.length > 0;
  if (found.position === 'earlier' || !context.runsOn(KEEPS_LAST_FAST)) return isThere ? 'If the object has the field, ' : '';
  if (found.position === 'last') return 'On Node 22 and later (18 and 20 tolerate it for the field added last), ';
  return context.runsOn(DROPS_LAST_TOO)
    ? 'On Node 22 and later, and on 18 and 20 for any field except the one added last, '
    : 'Unless the field was the last one added, ';
}

function reportConditional(context: Context, found: ConditionalFields): void {
  const isPastCliff = found.shapes >= CLIFF;
  const how = found.isOrder ? 'in a different order on some paths' : 'only on some paths';
  context.report({
    at: headOf(found),
    messageId: 'conditionalFields',
    request: conditionOf(context, 'body' in found.made ? found.made.body : found.made, found.round),
    data: {
      fields: listNames(found.added.map(({ name }) => name)),
      how,
      shapes: found.shapes,
      // Which combinations occur, the data decides.
      count: found.shapes < MOST_COUNTED ? `up to ${found.shapes}` : 'dozens of',
      cost: isPastCliff ? PAST_CLIFF : BELOW_CLIFF,
    },
    related: [
      ...found.added.map(({ name, site }) => place(site, `adds \`${name}\`, ${how}`)),
      ...(found.reader ? [place(found.reader, 'the records are read in a loop here')] : []),
      ...found.round.path,
    ],
    route: routeOf(context.facts, found.made),
    repair: () => repairOf(declareInLiteral(context.facts, found)),
  });
}

/** The literal or `new C()`. For a constructor, its name, not its body. */
function headOf({ made }: ConditionalFields): Node | Span {
  if (made.type === 'ObjectExpression' || made.type === 'NewExpression') return made;
  if (made.type === 'ClassMethod') return made.key;
  return made.id ?? { start: startOf(made), end: startOf(made.body) };
}

function reportOrder(context: Context, found: KeyOrders): void {
  const [first, ...others] = found.others;
  if (!first) return;
  context.report({
    at: first,
    messageId: 'keyOrder',
    request: conditionOf(context, first, found.round),
    data: { place: found.place },
    related: [
      place(found.first, 'the same keys in a different order'),
      ...others.map((other) => place(other, 'and in yet another order')),
      ...found.round.path,
    ],
    repair: () => repairOf(putInOrder(context.facts, found)),
  });
}

function reportPrototype(context: Context, found: ReplacedPrototype): void {
  const isOld = context.runsOn(MAPS_PER_OBJECT);
  const [old, recent] = found.round ? COST_PER_OBJECT : COST_PER_REQUEST;
  context.report({
    at: found.node,
    messageId: found.round ? 'replacedPrototype' : 'replacedPerRequest',
    data: { cost: isOld ? old : recent, ...(found.round ? { each: eachOf(found.round) } : {}) },
    related: found.round?.path,
    request: found.round ? conditionOf(context, found.node, found.round) : found.request ? undefined : { at: found.node, isOnce: false },
    route: found.request?.handler.route,
    repair: () =>
      repairOf({
        title: 'Create the object with its prototype',
        reason:
          'the object is created elsewhere, or gets its fields before its prototype. Use `Object.create(prototype)` where it is created',
      }),
  });
}

function reportSparse(context: Context, found: SparseArray): void {
  const number = found.number.toLocaleString('en');
  context.report({
    at: found.node,
    messageId: 'sparseArray',
    data: {
      what:
        found.how === 'index'
          ? `\`${found.name}[${found.number}]\` is more than 1,024 elements past the end.`
          : `This gives ${found.name === 'the array' ? found.name : `\`${found.name}\``} ${number} elements at once. V8 does not preallocate more than 33,554,432.`,
    },
    repair: () =>
      repairOf({
        title: 'Use a Map',
        reason: 'every read and write of the array would have to change as well. Create the Map by hand, and use `get` and `set`',
      }),
  });
}

function reportOverrun(context: Context, found: OverrunLoop): void {
  context.report({
    at: found.test,
    messageId: 'overrunRead',
    request: { at: found.test, isOnce: false, unlessOffPath: true },
    data: { index: found.index, list: found.list, end: found.end },
    related: found.reads.map((read) => place(read, 'is undefined in the last iteration')),
    repair: () => repairOf(stopBeforeEnd(context.facts, found)),
  });
}

/**
 * Where no request, message, or job leads to the code, although the project has some, a few objects gain nothing: of 21 such hints in
 * unseen applications, readers found none useful (bench/unseen-applications.md). Loops that are known to be long are work of their own.
 */
function conditionOf({ facts }: Context, at: Node, { elsewhere, repetition }: Round): RequestCondition<MessageId> | undefined {
  if (elsewhere)
    return { at: elsewhere.at, isOnce: false, heat: elsewhere.parameter === undefined ? {} : { parameter: elsewhere.parameter } };
  return repetition && isLongByConstant(facts, repetition) ? undefined : { at, isOnce: false, unlessOffPath: true };
}

function repairOf(fix: Fix | RefusedFix): Repair {
  return 'edits' in fix ? { fixes: [fix], refused: [] } : { fixes: [], refused: [fix] };
}

function eachOf({ repetition, of = 'every object' }: Round, isSome = false): string {
  const each =
    repetition === undefined
      ? of
      : repetition.by === 'loop'
        ? 'a different object in each iteration of the loop'
        : `every object that \`${repetition.by}\` visits`;
  return isSome ? each.replace(/^every object/, 'some of the objects').replace('in each iteration', 'in some iterations') : each;
}

/** Whether no object loses a field without a condition: `if (row.isDraft) delete row.text`. */
function isConditional({ deletions, round: { repetition, path } }: DeletedFields, facts: Facts): boolean {
  return deletions.every((deletion) => {
    const fn = enclosingFunction(deletion);
    const upTo = repetition && path.length === 0 ? repetition.node : fn;
    const isMissing = `!${facts.source.slice(deletion.argument.object)}`;
    // `if (!row) return`: there is no object then.
    return upTo !== undefined && conditionsOn(deletion, upTo).some((one) => facts.source.slice(one) !== isMissing);
  });
}

function place(node: Node, message: string): Related {
  return { span: { start: startOf(node), end: endOf(node) }, message };
}
