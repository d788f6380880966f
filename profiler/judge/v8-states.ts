// What V8 keeps of a place: inline caches, type feedback, elements, maps. All of these are states: what they cost is another
// measurement. Deoptimizations are in deoptimizations.ts. Pure.
import { tellsComparisons, type CacheState, type InlineCache, type SyncCall, type TypeFeedback } from '../../protocol/evidence.ts';
import { shownKeys } from '../../protocol/shown-shapes.ts';
import type { Counted, Hypothesis, Opinion, Run } from './hypothesis.ts';
import { isBefore, isIn, isInAny } from './places.ts';
import { ENOUGH_RUNS, LEAST_BY_DATA, LEAST_OF_EACH_CALL, mostRuns, notCounted, notReached, silence, tooFew } from './silence.ts';
import { amount, capital, sum, times } from './words.ts';

const WORST: readonly CacheState[] = ['megamorphic', 'polymorphic', 'monomorphic', 'uninitialized'];

export function judgeCaches(hypothesis: Hypothesis, run: Run, executions: Counted): Opinion {
  const { range, functions, related, meets, makers = [], keys = [], fields = [] } = hypothesis;
  // What stands inside of the range makes the object or passes it on; the caches that meet it are elsewhere.
  const near = [...related, range];
  const ran = mostRuns(near, executions);
  const outside = run.inlineCaches.filter(({ place }) => !isIn(place, range) && !isInAny(place, makers));
  const exact = meets ? run.inlineCaches.filter(({ place }) => isIn(place, meets)) : outside.filter(({ place }) => isInAny(place, related));
  const caches =
    keys.length > 0
      ? withoutSources([...readersOf(outside, keys, fields), ...exact.filter(({ property }) => fields.includes(property))], hypothesis)
      : exact.length > 0
        ? exact
        : outside.filter(({ place }) => isInAny(place, functions));
  const worst = [...caches].sort(
    (a, b) => WORST.indexOf(a.state) - WORST.indexOf(b.state) || b.shapeCount - a.shapeCount || b.megamorphicMisses - a.megamorphicMisses,
  )[0];
  // Objects may be made while the program is loaded, and met afterwards.
  if (ran === 0 && !(worst && keys.length > 0)) return notReached(near, executions);
  if (!worst || worst.state === 'uninitialized')
    return {
      verdict: 'inconclusive',
      figure: 'no property access was logged',
      ground: 'V8 logged no property access at the locations of this finding.',
    };
  const where = `${worst.property ? `\`.${shownKeys([worst.property]).join('')}\`` : 'the access'} at ${worst.place.line}:${worst.place.column}`;
  if (worst.state === 'monomorphic') {
    // One of the orders never came.
    if (executions(range.start) === 0) return notReached([{ start: range.start, end: range.start }], executions);
    if (ran === undefined) return notCounted();
    if (ran < ENOUGH_RUNS) return tooFew(ran, run);
    return {
      verdict: 'refuted',
      figure: `monomorphic in ${amount(ran)} runs on Node ${run.machine.node}`,
      ground: `${capital(where)} saw one shape in ${amount(ran)} runs on Node ${run.machine.node}.`,
    };
  }
  const shapes = `${worst.shapeCount} shapes`;
  const misses = worst.megamorphicMisses > 0 ? `, ${amount(worst.megamorphicMisses)} further misses` : '';
  return {
    verdict: 'seen',
    figure: `${shapes}, ${worst.state}${misses}`,
    ground: `${capital(where)} saw ${shapes} and is ${worst.state} on Node ${run.machine.node}${misses}. ${propertiesOf(worst)}`.trim(),
  };
}

/**
 * Reads of the objects that the literals make: of a key or field of theirs, where V8 reported a shape that has all keys and nothing else,
 * or reported no properties.
 */
export function readersOf(caches: readonly InlineCache[], keys: readonly string[], fields: readonly string[]): InlineCache[] {
  const isOfClaim = (properties: readonly string[]): boolean =>
    keys.every((key) => properties.includes(key)) && properties.every((one) => keys.includes(one) || fields.includes(one));
  return caches.flatMap((cache): InlineCache[] => {
    if (!cache.kind.includes('Load') || !(keys.includes(cache.property) || fields.includes(cache.property))) return [];
    const own = cache.shapes.filter(({ properties }) => !properties || isOfClaim(properties));
    if (cache.shapes.length > 0 && own.length === 0) return [];
    // Further objects with the same key are not the claim's.
    if (own.length < cache.shapes.length && own.length <= 1) return [{ ...cache, state: 'monomorphic', shapeCount: 1 }];
    return [cache];
  });
}

/**
 * What is read between the literal and the last field that is added may be the data that the records are made of, which can have the same
 * keys. One shape there says nothing of the records.
 */
function withoutSources(readers: readonly InlineCache[], { range, added = [] }: Hypothesis): InlineCache[] {
  const ends = added.map(({ end }) => end).filter((end) => isBefore(range.start, end));
  return readers.filter((cache) => cache.state !== 'monomorphic' || !ends.some((end) => isIn(cache.place, { start: range.start, end })));
}

/** A request of a framework has dozens. */
const MOST_PROPERTIES = 12;

function propertiesOf({ shapes }: InlineCache): string {
  const known = shapes.flatMap(({ properties }) =>
    properties
      ? [
          properties.length === 0
            ? '{}'
            : `{ ${shownKeys(properties.slice(0, MOST_PROPERTIES)).join(', ')}${properties.length > MOST_PROPERTIES ? ', …' : ''} }`,
        ]
      : [],
  );
  // Several classes may have the same keys.
  const counts = new Map<string, number>();
  for (const one of known) counts.set(one, (counts.get(one) ?? 0) + 1);
  const shown = [...counts].map(([text, count]) => (count === 1 ? text : `${text} (${amount(count)} shapes)`));
  const MOST = 5;
  return known.length === 0 ? '' : `Seen: ${shown.slice(0, MOST).join(', ')}${shown.length > MOST ? ', …' : ''}.`;
}

/** Operands of operators, and what was called: in the functions that the values are passed to. */
export function judgeFeedback({ range, functions, related, meets }: Hypothesis, run: Run, executions: Counted): Opinion | undefined {
  if (!run.feedback) return undefined;
  const near = [...related, range];
  const ran = mostRuns(near, executions);
  if (ran === 0) return notReached(near, executions);
  const exact = run.feedback.filter(({ place }) => meets && isIn(place, meets));
  // The call that passes a value is listed in its own function, too: that it calls one function says nothing of the operands.
  const others = functions.filter((one) => !isIn(range.start, one));
  const around = run.feedback.filter(({ place }) => !isIn(place, range) && isInAny(place, others.length > 0 ? others : functions));
  const here = meets ? exact : around;
  const mixed = here.find((one) => one.mixed);
  if (mixed) {
    return {
      verdict: 'seen',
      figure: `${FEEDBACK_WORDS[mixed.kind]} at ${mixed.place.line}:${mixed.place.column} saw ${mixed.seen === 'Any' ? 'several types' : mixed.seen}`,
      ground:
        mixed.seen === 'several functions'
          ? `${capital(FEEDBACK_WORDS[mixed.kind])} at ${mixed.place.line}:${mixed.place.column} called several functions, so V8 keeps no call target for it (Node ${run.machine.node}).`
          : `${capital(FEEDBACK_WORDS[mixed.kind])} at ${mixed.place.line}:${mixed.place.column} saw operands of several types; V8 recorded "${mixed.seen}" (Node ${run.machine.node}).`,
    };
  }
  // What was seen may be about everything but the comparison that is meant.
  if (exact.length === 0 && !tellsComparisons(run.machine))
    return {
      verdict: 'inconclusive',
      figure: 'comparison feedback not reported',
      ground: `Node ${run.machine.node} does not report comparison feedback, and this finding may be about a comparison. Node 24 and earlier report it.`,
    };
  if (here.length === 0 && around.length > 0)
    return {
      verdict: 'inconclusive',
      figure: 'no feedback at this place',
      ground: `V8 recorded feedback for other operators and calls of the function, and none at the location of this finding (Node ${run.machine.node}).`,
    };
  if (here.length === 0) return undefined;
  if (ran === undefined) return notCounted();
  if (ran < ENOUGH_RUNS) return tooFew(ran, run);
  const { leastFeedbackCalls: least = Infinity } = run;
  // V8 has seen nothing of the values that such a call passes.
  if (least < LEAST_OF_EACH_CALL)
    return {
      verdict: 'inconclusive',
      figure: `one ${run.unit} ran only ${times(least)}`,
      ground: `One of the ${run.unit}s ran only ${times(least)} on Node ${run.machine.node} while V8's type feedback was recorded. That is too few to show what it passes. Profile it again when the machine is idle.`,
    };
  const seen = [...new Set(here.map((one) => one.seen))].join(', ');
  return {
    verdict: 'refuted',
    figure: `only ${seen} in ${amount(ran)} runs on Node ${run.machine.node}`,
    ground: `In ${amount(ran)} runs, each operator and call here saw one kind of value (${seen}; Node ${run.machine.node}).`,
  };
}

const FEEDBACK_WORDS: Readonly<Record<TypeFeedback['kind'], string>> = {
  operator: 'the operator',
  comparison: 'the comparison',
  call: 'the call',
  construct: 'the `new`',
};

export function judgeElements({ range }: Hypothesis, run: Run, executions: Counted): Opinion {
  const [first] = run.mapEvents.filter(({ place, reason }) => reason === 'elements kind' && isIn(place, range));
  if (first)
    return {
      verdict: 'seen',
      figure: 'elements kind changed',
      ground: `V8 changed the elements kind of the array at ${first.place.line}:${first.place.column} (Node ${run.machine.node}).`,
    };
  const ran = executions(range.start);
  if (ran === 0) return notReached([range], executions);
  // V8 logs the change once for each map, and none for arrays that are made with that many places.
  return {
    verdict: 'inconclusive',
    figure: 'no elements kind change was logged',
    ground:
      'V8 logs each elements kind change only once, and not for arrays that are created with that kind. A missing log entry proves nothing.',
  };
}

/** Reads past the end of an array: V8 marks the cache of the place. */
export function judgeBounds({ range, related }: Hypothesis, run: Run, executions: Counted): Opinion {
  const caches = run.inlineCaches.filter(({ place }) => isInAny(place, related));
  const past = caches.find((one) => one.outOfBounds);
  const ran = mostRuns([...related, range], executions) ?? 0;
  if (past)
    return {
      verdict: 'seen',
      figure: `out-of-bounds reads, ${amount(ran)} runs`,
      ground: `V8 switched the read at ${past.place.line}:${past.place.column} to handle out-of-bounds indexes (Node ${run.machine.node}).`,
    };
  if (ran === 0) return notReached([range, ...related], executions);
  if (caches.length === 0)
    return {
      verdict: 'inconclusive',
      figure: 'no array access was logged',
      ground: 'V8 logged no array access at the locations of this finding.',
    };
  if (ran < ENOUGH_RUNS) return tooFew(ran, run);
  return {
    verdict: 'refuted',
    figure: `no out-of-bounds reads in ${amount(ran)} runs on Node ${run.machine.node}`,
    ground: `In ${amount(ran)} runs, no read went past the end of the array (Node ${run.machine.node}).`,
  };
}

/** V8 logs a map that loses a property or becomes a dictionary; a map that a new prototype gives is not always logged. */
const LOGGED_WHEN_IT_HAPPENS = /^deleted/;
/**
 * Up to V8 11.3, an object that loses the field added last goes back to its earlier map, and the log has nothing of it (measured on Node 18
 * and 20). From Node 22 on such an object becomes a dictionary, which is logged.
 */
const ROLLS_BACK_UNLOGGED_UP_TO = 21;

function majorOf({ machine }: Run): number {
  return Number.parseInt(machine.node, 10);
}

/** By the name that a clock around it has. */
export const SETS_PROTOTYPE = 'Object.setPrototypeOf';

/** Objects whose prototype was set, each of which was asked for the one before. */
function judgeReplaced(sets: readonly SyncCall[], { machine }: Run): Opinion {
  const count = sum(sets.map((one) => one.count));
  const changed = sum(sets.map((one) => one.changed ?? 0));
  const of = `${amount(count)} ${count === 1 ? 'object' : 'objects'}`;
  if (changed > 0)
    return {
      verdict: 'seen',
      figure: `replaced in ${amount(changed)} of ${of}`,
      ground: `This code set the prototype of ${of}, and ${amount(changed)} of them had another one before (Node ${machine.node}).`,
    };
  const isEnough = count >= LEAST_BY_DATA;
  return {
    verdict: isEnough ? 'refuted' : 'inconclusive',
    figure: `the same prototype in ${of}`,
    ground: `This code set the prototype of ${of}, which had the same one before (Node ${machine.node}).${isEnough ? '' : ' That is too few to draw a conclusion.'}`,
  };
}

export function judgeMaps({ messageId, range, extent = [], related }: Hypothesis, run: Run, executions: Counted): Opinion {
  const near = [range, ...extent, ...related];
  const here = run.mapEvents.filter(({ place }) => isInAny(place, near));
  const [first] = [...here].sort((a, b) => b.count - a.count);
  const ran = mostRuns([range, ...extent], executions) ?? 0;
  // V8 does not always log it. Counted one by one, or else that the code ran is enough.
  const sets = run.syncCalls.filter(({ name, place, changed }) => name === SETS_PROTOTYPE && changed !== undefined && isIn(place, range));
  if (sets.length > 0 && messageId.startsWith('replaced')) return judgeReplaced(sets, run);
  if (!first && messageId.startsWith('replaced') && ran > 0)
    return {
      verdict: 'seen',
      figure: `ran ${times(ran)}`,
      ground: `This code set the prototype of an object ${times(ran)} (Node ${run.machine.node}). How many of the objects had another prototype before was not counted.`,
    };
  if (!first) {
    const busiest = [range, ...extent].find(({ start }) => executions(start) === ran) ?? range;
    const opinion = silence(busiest.start, run, executions, 'no object changed its shape', 'stable shapes', LEAST_BY_DATA);
    // Either the objects did not have the field, or V8 took it off without a word.
    if (opinion.verdict === 'refuted' && messageId.startsWith('deleted') && majorOf(run) <= ROLLS_BACK_UNLOGGED_UP_TO)
      return {
        verdict: 'seen',
        figure: `stayed in fast mode, ran ${times(ran)}`,
        ground: `This code ran ${times(ran)}, and no object became a dictionary. On Node ${run.machine.node}, V8 does not log that an object loses the field that was added last, so this does not mean that nothing was deleted. A cost that was measured is that of deleting, not that of a dictionary.`,
      };
    return opinion.verdict === 'refuted' && !LOGGED_WHEN_IT_HAPPENS.test(messageId)
      ? {
          verdict: 'inconclusive',
          figure: 'no shape change was logged',
          ground: `V8 does not log every shape change of this kind, so a missing log entry proves nothing (Node ${run.machine.node}).`,
        }
      : opinion;
  }
  const property = first.property === undefined ? '' : ` (\`${shownKeys([first.property]).join('')}\`)`;
  return {
    verdict: 'seen',
    figure: `${first.reason} ×${amount(first.count)}`,
    ground: `V8 logged "${first.reason}"${property} ${times(first.count)} at ${first.place.line}:${first.place.column} on Node ${run.machine.node}.`,
  };
}
