// From what a run brought to light to a verdict on each finding. Pure. Silence refutes only where the code is known to have run.
import {
  tellsComparisons,
  type CacheState,
  type DeoptGroup,
  type EvidenceKind,
  type InlineCache,
  type LoopBlock,
  type ProfileReport,
  type SourcePlace,
  type TypeFeedback,
  type Verdict,
  type VerdictKind,
} from '../../protocol/evidence.ts';

export interface PlaceRange {
  start: SourcePlace;
  end: SourcePlace;
}

/** A finding as a claim that a run can test. */
export interface Hypothesis {
  ruleId: string;
  messageId: string;
  range: PlaceRange;
  /** The innermost functions around it and around the related places; none at the top level of the file. */
  functions: readonly PlaceRange[];
  /** Other places of the same claim: the accesses that meet the shapes, the call that hands over the second type. */
  related: readonly PlaceRange[];
  /** The code itself, where the range is a word of it: a loop with its body, the block of a `try`, the uses of an expression made once. */
  extent?: readonly PlaceRange[];
  /** Where that code begins to run: the `try`, or the body of the function around; none at the top level of the file. */
  entry?: SourcePlace;
  /** The one place that meets all the values, where the claim names it: the operator, the property access, the call. */
  meets?: PlaceRange;
  /** Literals and constructors of the claim: what happens inside them makes the objects, and does not meet them. */
  makers?: readonly PlaceRange[];
  /** Keys of the literals among them. */
  keys?: readonly string[];
  /** Fields that only some of the objects get, at the related places. */
  fields?: readonly string[];
  /** The blocking call that the finding is about, as its message names it: `fs.readFileSync`, `Dir#readSync`. */
  call?: string;
  kinds: readonly EvidenceKind[];
}

/** How often the code at a place ran in the run that brought evidence of a kind; undefined when it was not counted. */
export type Executions = (place: SourcePlace, kind: EvidenceKind) => number | undefined;

export type Run = Pick<
  ProfileReport,
  'machine' | 'calls' | 'tiers' | 'deopts' | 'inlineCaches' | 'mapEvents' | 'feedback' | 'syncCalls' | 'exceptions' | 'blocks'
> & {
  /** Calls of the run that counted how often each place ran, and what was thrown; where there were calls. */
  countedCalls?: number;
  /** Counting what was thrown ended before the run did: there was more, there and elsewhere. */
  moreThrown?: boolean;
};

interface Opinion {
  verdict: VerdictKind;
  figure: string;
  ground: string;
}

/**
 * Throwing in 4 % of the runs made small functions 2.6 to 2.9 times as slow, in 0.5 % 1.0 to 1.6 times (Node 24). Between the two the time
 * decides.
 */
const EVERYDAY_SHARE = 0.02;
const RARE_SHARE = 0.002;
/** What the harness wraps (harness/sync-calls.cjs), by the names that messages use. What it does not see it cannot refute. */
const HOOKED =
  /^(?:fs|child_process|zlib|crypto|v8|process|process\.report)\.[a-z]\w*(?:\.native)?$|^(?:Dir|DatabaseSync|StatementSync|Sign|Verify)#\w+$|^Atomics\.wait$/;
/**
 * Runs after which silence says something: V8's optimizing tiers were reached after 411 to 22,539 calls of a small function (Node 18 to
 * 26).
 */
export const ENOUGH_RUNS = 1000;
/**
 * What hangs on the data that come by: after 30 runs without it, it happens in fewer than one of ten with 95 % confidence (the rule of
 * three).
 */
const LEAST_BY_DATA = 30;
/** Our choice: that timers fired in time once or twice may be chance. */
export const ENOUGH_WATCHED = 3;

const OPERANDS_UNTOLD: Opinion = {
  verdict: 'inconclusive',
  figure: 'no deopt, operand types unknown',
  ground:
    'V8 kept the optimized code. This run did not record operand types, and V8 may have optimized for several types. Profile the function itself to find out.',
};

export function judge(hypothesis: Hypothesis, run: Run, executions: Executions): Verdict {
  const { ruleId, messageId, range } = hypothesis;
  const opinions = hypothesis.kinds.flatMap((kind): (Opinion & { kind: EvidenceKind })[] => {
    const opinion = OPINIONS[kind]?.(hypothesis, run, (place) => executions(place, kind));
    return opinion ? [{ kind, ...opinion }] : [];
  });
  // Code that was optimized for a mix of operands stays optimized: where the operands were not told, that it did refutes nothing.
  if (hypothesis.kinds.includes('feedback') && opinions.find(({ kind }) => kind === 'feedback')?.verdict !== 'refuted') {
    for (const one of opinions) if (one.kind === 'deopt' && one.verdict === 'refuted') Object.assign(one, OPERANDS_UNTOLD);
  }
  const chosen =
    opinions.find((one) => one.verdict === 'not-reached') ??
    opinions.find((one) => one.verdict === 'confirmed') ??
    opinions.find((one) => one.verdict === 'refuted') ??
    opinions[0];
  const verdict = chosen?.verdict ?? 'inconclusive';
  const figure = chosen?.figure ?? 'not measured by this run';
  const grounds = opinions.filter((one) => one.verdict === verdict || one === chosen).map((one) => one.ground);
  if (!chosen)
    grounds.push(`Only ${hypothesis.kinds.join(' or ') || 'other evidence'} can confirm or refute this, and this run did not measure it.`);
  return { ruleId, messageId, place: range.start, verdict, figure, grounds };
}

type Counted = (place: SourcePlace) => number | undefined;
type Judge = (hypothesis: Hypothesis, run: Run, executions: Counted) => Opinion | undefined;

const OPINIONS: Readonly<Partial<Record<EvidenceKind, Judge>>> = {
  'sync-io': judgeSyncIo,
  'inline-cache': judgeCaches,
  deopt: judgeDeopts,
  'map-transition': judgeMaps,
  feedback: judgeFeedback,
  elements: judgeElements,
  bounds: judgeBounds,
  runs: judgeRuns,
  exceptions: judgeExceptions,
  microtasks: judgeStarvation,
  'loop-delay': judgeBlocks,
};

function judgeSyncIo({ range, call }: Hypothesis, run: Run, executions: Counted): Opinion {
  const seen = run.syncCalls.filter(({ place }) => isIn(place, range));
  if (seen.length === 0 && call !== undefined && !HOOKED.test(call) && executions(range.start) !== 0)
    return {
      verdict: 'inconclusive',
      figure: 'not timed',
      ground: `Nodometer times the blocking calls of Node.js itself. It cannot see \`${call}\`, so that nothing was observed proves nothing.`,
    };
  if (seen.length === 0) return silence(range.start, run, executions, 'no blocking call was observed', 'no blocking call');
  const count = sum(seen.map((call) => call.count));
  const total = sum(seen.map((call) => call.totalMs));
  const longest = Math.max(...seen.map((call) => call.maxMs));
  const name = seen[0]?.name ?? '';
  return {
    verdict: 'confirmed',
    figure:
      count === 1
        ? `${name} once, ${duration(total)}`
        : `${name} ×${amount(count)}, ${duration(total / count)} each, up to ${duration(longest)}`,
    ground: `After startup, \`${name}\` ran ${times(count)} here and blocked the event loop for ${duration(total)}${count === 1 ? '' : ` in total, ${duration(longest)} at most`} (Node ${run.machine.node}).`,
  };
}

const WORST: readonly CacheState[] = ['megamorphic', 'polymorphic', 'monomorphic', 'uninitialized'];

function judgeCaches(hypothesis: Hypothesis, run: Run, executions: Counted): Opinion {
  const { range, functions, related, meets, makers = [], keys = [], fields = [] } = hypothesis;
  // What stands inside of the range makes the object or hands it over; the caches that meet it are elsewhere.
  const near = [...related, range];
  const ran = mostRuns(near, executions);
  const outside = run.inlineCaches.filter(({ place }) => !isIn(place, range) && !isInAny(place, makers));
  const exact = meets ? run.inlineCaches.filter(({ place }) => isIn(place, meets)) : outside.filter(({ place }) => isInAny(place, related));
  const caches =
    keys.length > 0
      ? [...readersOf(outside, keys, fields), ...exact.filter(({ property }) => fields.includes(property))]
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
  const where = `${worst.property ? `\`.${worst.property}\`` : 'the access'} at ${worst.place.line}:${worst.place.column}`;
  if (worst.state === 'monomorphic') {
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
    verdict: 'confirmed',
    figure: `${shapes}, ${worst.state}${misses}`,
    ground: `${capital(where)} saw ${shapes} and is ${worst.state} on Node ${run.machine.node}${misses}. ${propertiesOf(worst)}`.trim(),
  };
}

/**
 * Reads of the objects that the literals make: of a key or field of theirs, where V8 told of a shape that has all keys and nothing else, or
 * told no properties.
 */
function readersOf(caches: readonly InlineCache[], keys: readonly string[], fields: readonly string[]): InlineCache[] {
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

/** A request of a framework has dozens. */
const MOST_PROPERTIES = 12;

function propertiesOf({ shapes }: InlineCache): string {
  const known = shapes.flatMap(({ properties }) =>
    properties
      ? [
          properties.length === 0
            ? '{}'
            : `{ ${properties.slice(0, MOST_PROPERTIES).join(', ')}${properties.length > MOST_PROPERTIES ? ', …' : ''} }`,
        ]
      : [],
  );
  const MOST = 5;
  return known.length === 0 ? '' : `Seen: ${known.slice(0, MOST).join(', ')}${known.length > MOST ? ', …' : ''}.`;
}

function judgeDeopts({ range, functions, related, meets }: Hypothesis, run: Run, executions: Counted): Opinion {
  const near = [range, ...related];
  // Without a place that meets the values the claim is about all of the function. V8 may tell a place beside it, in the same statement.
  const areas = meets ? [...near, ...functions.filter((one) => isIn(meets.start, one))] : [...near, ...functions];
  if (mostRuns(near, executions) === 0) return notReached(near, executions);
  // That a part had never run before says nothing of what it is handed.
  const here = run.deopts.filter((group) => !group.benign && !UNSEEN.test(group.reason) && areas.some((area) => isIn(group.place, area)));
  const [first] = [...here].sort((a, b) => b.count - a.count);
  if (first) {
    const count = sum(here.map((group) => group.count));
    return {
      verdict: 'confirmed',
      figure: `deopt ×${amount(count)}: ${first.reason}`,
      ground: `V8 discarded the optimized code ${times(count)} (${describeDeopt(first)}, Node ${run.machine.node}).${count === 1 ? ' A single deoptimization costs little; compare the measured time.' : ''}`,
    };
  }
  const optimized = run.tiers.some(
    (event) => (event.tier === 'maglev' || event.tier === 'turbofan') && [...near, ...functions].some((area) => isIn(event.place, area)),
  );
  const ran = mostRuns(near, executions);
  if (ran === undefined) return notCounted();
  if (ran < ENOUGH_RUNS) return tooFew(ran, run);
  if (!optimized)
    return {
      verdict: 'inconclusive',
      figure: `not optimized in ${amount(ran)} runs`,
      ground: `V8 did not optimize this function by itself in ${amount(ran)} runs. It may have been inlined, which V8 does not log.`,
    };
  return {
    verdict: 'refuted',
    figure: `optimized, 0 deopts in ${amount(ran)} runs on Node ${run.machine.node}`,
    ground: `V8 optimized this code and kept the optimized code in ${amount(ran)} runs on Node ${run.machine.node}.`,
  };
}

/** Operands of operators, and what was called: in the functions that the values are handed to. */
function judgeFeedback({ range, functions, related, meets }: Hypothesis, run: Run, executions: Counted): Opinion | undefined {
  if (!run.feedback) return undefined;
  const near = [...related, range];
  const ran = mostRuns(near, executions);
  if (ran === 0) return notReached(near, executions);
  const exact = run.feedback.filter(({ place }) => meets && isIn(place, meets));
  // The call that hands a value over is told in its own function, too: that it calls one function says nothing of the operands.
  const others = functions.filter((one) => !isIn(range.start, one));
  const around = run.feedback.filter(({ place }) => !isIn(place, range) && isInAny(place, others.length > 0 ? others : functions));
  const here = meets ? exact : around;
  const mixed = here.find((one) => one.mixed);
  if (mixed) {
    return {
      verdict: 'confirmed',
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

function judgeElements({ range }: Hypothesis, run: Run, executions: Counted): Opinion {
  const [first] = run.mapEvents.filter(({ place, reason }) => reason === 'elements kind' && isIn(place, range));
  if (first)
    return {
      verdict: 'confirmed',
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

/** Where it is enough that the place runs at all while the function is called, or a request waits. */
function judgeRuns({ range }: Hypothesis, run: Run, executions: Counted): Opinion {
  const ran = executions(range.start);
  if (ran === undefined || ran === 0) return notReached([range], executions);
  const calls = run.countedCalls ?? 0;
  const share = calls > 0 ? ` in ${amount(calls)} ${calls === 1 ? 'call' : 'calls'}` : '';
  return {
    verdict: 'confirmed',
    figure: `ran ${times(ran)}${share}`,
    ground: `This code ran ${times(ran)}${share} on Node ${run.machine.node}.`,
  };
}

/** Reads past the end of an array: V8 marks the cache of the place. */
function judgeBounds({ range, related }: Hypothesis, run: Run, executions: Counted): Opinion {
  const caches = run.inlineCaches.filter(({ place }) => isInAny(place, related));
  const past = caches.find((one) => one.outOfBounds);
  const ran = mostRuns([...related, range], executions) ?? 0;
  if (past)
    return {
      verdict: 'confirmed',
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

const UNSEEN = /^Insufficient type feedback/;

function describeDeopt({ reason, place }: DeoptGroup): string {
  return `"${reason}" at ${place.line}:${place.column}`;
}

/** V8 logs a map that loses a property or becomes a dictionary; a map that a new prototype gives is not always logged. */
const LOGGED_WHEN_IT_HAPPENS = /^deleted/;

function judgeMaps({ messageId, range, related }: Hypothesis, run: Run, executions: Counted): Opinion {
  const near = [range, ...related];
  const here = run.mapEvents.filter(({ place }) => isInAny(place, near));
  const [first] = [...here].sort((a, b) => b.count - a.count);
  if (!first) {
    const opinion = silence(range.start, run, executions, 'no object changed its shape', 'stable shapes', LEAST_BY_DATA);
    return opinion.verdict === 'refuted' && !LOGGED_WHEN_IT_HAPPENS.test(messageId)
      ? {
          verdict: 'inconclusive',
          figure: 'no shape change was logged',
          ground: `V8 does not log every shape change of this kind, so a missing log entry proves nothing (Node ${run.machine.node}).`,
        }
      : opinion;
  }
  const property = first.property === undefined ? '' : ` (\`${first.property}\`)`;
  return {
    verdict: 'confirmed',
    figure: `${first.reason} ×${amount(first.count)}`,
    ground: `V8 logged "${first.reason}"${property} ${times(first.count)} at ${first.place.line}:${first.place.column} on Node ${run.machine.node}.`,
  };
}

/** The place threw, or something that it called did. */
function judgeExceptions({ range, extent = [], related, entry }: Hypothesis, run: Run, executions: Counted): Opinion {
  const areas = [range, ...extent, ...related];
  const here = run.exceptions.flatMap((group) => {
    const paths = group.paths ?? [{ frames: [group.place], thrown: group.thrown }];
    const thrown = sum(paths.filter(({ frames }) => frames.some((frame) => isInAny(frame, areas))).map((path) => path.thrown));
    return thrown > 0 ? [{ ...group, thrown }] : [];
  });
  const silent = here.length > 0 ? undefined : silence(range.start, run, executions, 'nothing was thrown', 'nothing thrown', LEAST_BY_DATA);
  if (silent)
    return silent.verdict === 'refuted' && run.moreThrown
      ? {
          verdict: 'inconclusive',
          figure: 'counting stopped early',
          ground:
            'So many exceptions were thrown elsewhere that counting stopped before the run ended. That none were counted here proves nothing.',
        }
      : silent;
  const thrown = sum(here.map((group) => group.thrown));
  const ran = (entry && executions(entry)) ?? executions(range.start) ?? run.countedCalls ?? run.calls;
  const share = ran > 0 ? thrown / ran : 1;
  const least = run.moreThrown ? 'at least ' : '';
  const text = `${least}${amount(thrown)} thrown in ${amount(ran)} runs`;
  if (share < EVERYDAY_SHARE && run.moreThrown)
    return {
      verdict: 'inconclusive',
      figure: text,
      ground: `Counting stopped after ${amount(thrown)} exceptions. How many of the ${amount(ran)} runs threw is unknown (Node ${run.machine.node}).`,
    };
  if (share >= RARE_SHARE && share < EVERYDAY_SHARE)
    return {
      verdict: 'inconclusive',
      figure: text,
      ground: `Thrown in ${percent(share)} of the runs (${text}, Node ${run.machine.node}). Whether that costs depends on how long the rest takes; compare the time with a version that does not throw.`,
    };
  return share >= EVERYDAY_SHARE
    ? {
        verdict: 'confirmed',
        figure: text,
        ground: `${capital(here[0]?.type ?? 'an error')} was thrown in ${least}${percent(share)} of the runs (${text}, Node ${run.machine.node}).`,
      }
    : {
        verdict: 'refuted',
        figure: text,
        ground: `Thrown in only ${percent(share)} of the runs (${text}, Node ${run.machine.node}), so exceptions are rare here.`,
      };
}

function judgeStarvation({ range, functions, related }: Hypothesis, run: Run, executions: Counted): Opinion {
  const stuck = run.blocks.filter((block) => touches(block, [range, ...related, ...functions]));
  const queued = stuck.filter(({ kind }) => kind === 'next-tick' || kind === 'microtask');
  const [longest] = [...queued].sort((a, b) => b.duration - a.duration);
  if (!longest && stuck.length > 0)
    return {
      verdict: 'inconclusive',
      figure: 'blocked by other code',
      ground: `The event loop was blocked here, but not by a queue of ticks or microtasks (Node ${run.machine.node}). Whether the queue starves it, too, is not known.`,
    };
  const ran = executions(range.start);
  if (!longest && ran !== undefined && ran > 0 && ran < ENOUGH_WATCHED)
    return {
      verdict: 'inconclusive',
      figure: `ran only ${times(ran)}`,
      ground: `This code ran only ${times(ran)} while the event loop was monitored (Node ${run.machine.node}), not often enough to draw a conclusion.`,
    };
  if (!longest) return silence(range.start, run, executions, 'timers fired on time', 'timers fired on time');
  const kept = BLOCK_WORDS[longest.kind];
  return {
    verdict: 'confirmed',
    figure: `${longest.endless ? 'did not finish in' : 'blocked'} ${duration(longest.duration)}: ${kept}`,
    ground: `For ${duration(longest.duration)}, no timers or I/O could run (${kept}${longest.endless ? '; the run was stopped' : ''}, Node ${run.machine.node}).`,
  };
}

const BLOCK_WORDS: Readonly<Record<LoopBlock['kind'], string>> = {
  'next-tick': 'recursive process.nextTick',
  microtask: 'recursive microtasks',
  synchronous: 'synchronous code',
  unknown: 'unknown cause',
};

/** Blocks of the loop alone refute nothing: a call may be too short to be seen as one. */
function judgeBlocks({ range, extent = [], kinds }: Hypothesis, run: Run, executions: Counted): Opinion | undefined {
  // By a frame in the code itself, or called from it: what else the function does is another matter.
  const areas = [range, ...extent];
  const stuck = run.blocks.filter((block) => touches(block, areas));
  const [longest] = [...stuck].sort((a, b) => b.duration - a.duration);
  if (longest)
    return {
      verdict: 'confirmed',
      figure: `blocked ${duration(longest.duration)}`,
      ground: `The event loop was blocked for ${duration(longest.duration)} with this code on the stack (Node ${run.machine.node}).`,
    };
  const ran = mostRuns(areas, executions);
  // Where other evidence tells, too, that has the word.
  if (ran === undefined || kinds.some((kind) => kind !== 'loop-delay' && OPINIONS[kind])) return undefined;
  if (ran === 0) return notReached(areas, executions);
  const runs = `${amount(ran)} ${ran === 1 ? 'run' : 'runs'}`;
  return {
    verdict: 'inconclusive',
    figure: `no block in ${runs}`,
    ground: `In ${runs}, this code never blocked the event loop for long (Node ${run.machine.node}). Other data may block it.`,
  };
}

// ---- what silence says

/** @param least fewer runs than this leave it open */
function silence(place: SourcePlace, run: Run, executions: Counted, what: string, short: string, least = 1): Opinion {
  const ran = executions(place);
  if (ran !== undefined && ran > 0 && ran < least)
    return {
      verdict: 'inconclusive',
      figure: `ran only ${times(ran)}`,
      ground: `This code ran only ${times(ran)} on Node ${run.machine.node}, and ${what}. Other data may give another result.`,
    };
  if (ran === undefined)
    return {
      verdict: 'inconclusive',
      figure: 'not counted',
      ground: 'Executions of this code were not counted, so missing evidence proves nothing.',
    };
  if (ran === 0) return notReached([{ start: place, end: place }], executions);
  return {
    verdict: 'refuted',
    figure: `${short} in ${amount(ran)} ${ran === 1 ? 'run' : 'runs'} on Node ${run.machine.node}`,
    ground: `This code ran ${times(ran)} on Node ${run.machine.node}, and ${what}.`,
  };
}

/** How often the busiest of the places ran; undefined when none was counted. */
function mostRuns(areas: readonly PlaceRange[], executions: Counted): number | undefined {
  const counts = areas.flatMap(({ start }) => executions(start) ?? []);
  return counts.length === 0 ? undefined : Math.max(...counts);
}

function notReached(areas: readonly PlaceRange[], executions: Counted): Opinion {
  return mostRuns(areas, executions) === undefined
    ? notCounted()
    : {
        verdict: 'not-reached',
        figure: 'never ran',
        ground: 'The calls of this run did not reach this code. Other arguments or requests may.',
      };
}

function notCounted(): Opinion {
  return { verdict: 'inconclusive', figure: 'not counted', ground: 'Executions of this code were not counted.' };
}

function tooFew(ran: number, run: Run): Opinion {
  return {
    verdict: 'inconclusive',
    figure: `ran only ${times(ran)}`,
    ground: `This code ran only ${times(ran)} on Node ${run.machine.node}, not often enough for V8 to optimize it.`,
  };
}

// ---- places and words

function isIn(place: SourcePlace, { start, end }: PlaceRange): boolean {
  return place.file === start.file && !isBefore(place, start) && !isBefore(end, place);
}

function isInAny(place: SourcePlace, ranges: readonly PlaceRange[]): boolean {
  return ranges.some((range) => isIn(place, range));
}

function isBefore(a: SourcePlace, b: SourcePlace): boolean {
  return a.line < b.line || (a.line === b.line && a.column < b.column);
}

function touches({ stack }: LoopBlock, ranges: readonly PlaceRange[]): boolean {
  return stack.some((frame) => isInAny(frame, ranges));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, n) => total + n, 0);
}

/** `950`, `12 k`, `1.2 M`. */
export function amount(n: number): string {
  const [unit, size] = n >= 1e9 ? [' G', 1e9] : n >= 1e6 ? [' M', 1e6] : n >= 1e4 ? [' k', 1e3] : ['', 1];
  const value = n / size;
  return `${value >= 100 || Number.isInteger(value) ? Math.round(value) : value.toFixed(1)}${unit}`;
}

function times(n: number): string {
  return n === 1 ? 'once' : `${amount(n)} times`;
}

/** `0.08 ms`, `12 ms`, `1.5 s`. */
export function duration(ms: number): string {
  if (ms >= 1000) return `${(ms / 1000).toFixed(1)} s`;
  if (ms >= 10) return `${Math.round(ms)} ms`;
  return ms >= 0.01 ? `${ms.toFixed(2)} ms` : `${(ms * 1000).toFixed(1)} µs`;
}

function percent(share: number): string {
  return share > 1 ? 'all' : `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
