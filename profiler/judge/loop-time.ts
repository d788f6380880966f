// What takes the event loop's time: blocking calls, exceptions, queues that starve it, blocks. Pure.
import type { Cost, EvidenceKind, ExceptionGroup, LoopBlock, SourcePlace, SyncCall } from '../../protocol/evidence.ts';
import { judgePerItem, judgeSequential, PER_ITEM, SEQUENTIAL, type PerItem } from './awaited.ts';
import { atLeast, certaintyOf, costOfCalls, timedIn, type Certainty } from './call-cost.ts';
import {
  costText,
  isCostOfBlocking,
  isCostOfWork,
  keptCost,
  LEAST_BLOCKING_NS,
  LEAST_SHARE,
  LIMIT,
  TOO_LITTLE,
  type TimedCost,
} from './cost.ts';
import type { Counted, Hypothesis, Opinion, PlaceRange, Run } from './hypothesis.ts';
import { isIn, isInAny, isWithin, touches } from './places.ts';
import { judgePool, SATURATION } from './pool.ts';
import { judgeRedundant, REDUNDANT } from './redundant.ts';
import { ENOUGH_WATCHED, LEAST_BY_DATA, mostRuns, notReached, silence } from './silence.ts';
import { amount, capital, duration, percent, sum, times } from './words.ts';

/** What the harness wraps (harness/sync-calls.cjs), by the names that messages use. What it does not see it cannot refute. */
export const HOOKED =
  /^(?:fs|child_process|zlib|crypto|v8|process|process\.report)\.[a-z]\w*(?:\.native)?$|^(?:Dir|DatabaseSync|StatementSync|Sign|Verify)#\w+$|^Atomics\.wait$/;

export function judgeSyncIo({ range, extent = [], call }: Hypothesis, run: Run, executions: Counted): Opinion {
  const inside = run.syncCalls.filter(({ place }) => isIn(place, range));
  // An argument may be a blocking call of its own.
  const named = inside.filter(({ name }) => call !== undefined && shortName(name) === shortName(call));
  const seen =
    named.length > 0 ? named : call === undefined ? inside : inside.filter(({ place }) => isInAny(place, [pointOf(range), ...extent]));
  if (seen.length === 0 && call !== undefined && !HOOKED.test(call) && executions(range.start) !== 0)
    return {
      verdict: 'inconclusive',
      figure: 'not timed',
      ground: `Nodometer times the blocking calls of Node.js itself. It cannot see \`${call}\`, so the lack of observations proves nothing.`,
    };
  if (seen.length === 0) return silence(range.start, run, executions, 'no blocking call was observed', 'no blocking call');
  const count = sum(seen.map((call) => call.count));
  const total = sum(seen.map((call) => call.totalMs));
  const longest = Math.max(...seen.map((call) => call.maxMs));
  const name = seen[0]?.name ?? '';
  const cost = costOfCalls(seen, run);
  const certainty = cost ? certaintyOf(cost, seen, run) : 'none';
  const isCost = certainty === 'cost';
  const one =
    count === 1
      ? `${name} once, ${duration(total)}`
      : `${name} ×${amount(count)}, ${duration(total / count)} each, up to ${duration(longest)}`;
  const ran = `After startup, \`${name}\` ran ${times(count)} here and blocked the event loop for ${duration(total)}${count === 1 ? '' : ` in total, ${duration(longest)} at most`} (Node ${run.machine.node}).`;
  if (cost && isOpenStill(certainty))
    return {
      verdict: 'inconclusive',
      figure: `${one}, ${OPEN_WORDS[certainty]}`,
      ground: `${ran} ${OPEN[certainty]}`,
      cost,
    };
  return {
    verdict: isCost ? 'confirmed' : 'seen',
    figure: isCost && cost && run.unit !== 'run' ? `${name}: ${costText(cost)}, up to ${duration(longest)} each` : one,
    ground: isCost || cost === undefined ? ran : `${ran} ${cost.ns >= LEAST_BLOCKING_NS && count === 1 ? SINGLE : SHORTER}`,
    ...keptCost(cost),
  };
}

function pointOf(range: PlaceRange): PlaceRange {
  return { start: range.start, end: range.start };
}

/** `StatementSync.get` of `sqlite.StatementSync.get` and of `StatementSync#get`. */
function shortName(name: string): string {
  return name.replaceAll('#', '.').split('.').slice(-2).join('.');
}

const OPEN = {
  once: 'It ran once and not again, so it may be start-up work, or its result was kept. It is no cost of each call or request.',
  unclear: 'The times differ too much to tell what the call itself takes, as on a busy machine. Run it again, or for longer.',
  few: 'The first calls usually take longer, and too few came after them to tell what a call takes. Repeat the call, or send more requests.',
} as const;
const OPEN_WORDS: Readonly<Record<keyof typeof OPEN, string>> = { once: 'not again', unclear: 'cost unclear', few: 'too few calls' };

function isOpenStill(certainty: Certainty): certainty is keyof typeof OPEN {
  return certainty !== 'cost' && certainty !== 'none';
}

const SINGLE = 'It ran once, which says little about the next call. A single call counts from 1 ms.';
const SHORTER = 'That is too short to delay anything else noticeably. An asynchronous call takes longer from the same thread.';

const NS_PER_MS = 1e6;

export const UNMEASURED = 'What it costs was not measured.';

/** Where it is enough that the place runs at all while the function is called, or a request waits. */
export function judgeRuns(hypothesis: Hypothesis, run: Run, executions: Counted): Opinion {
  const { ruleId, range, call } = hypothesis;
  if (ruleId === REDUNDANT) return judgeRedundant(hypothesis, run, executions);
  const ran = executions(range.start);
  if (ran === undefined || ran === 0) return notReached([range], executions);
  const calls = run.countedCalls ?? 0;
  const share = calls > 0 ? ` in ${amount(calls)} ${calls === 1 ? 'call' : 'calls'}` : '';
  const figure = `ran ${times(ran)}${share}`;
  const ground = `This code ran ${times(ran)}${share} on Node ${run.machine.node}.`;
  const timed = timedIn(range, call, run);
  if (ruleId === PER_ITEM) return judgePerItem({ ran, calls, timed, figure, ground }, run);
  if (ruleId === FAN_OUT) return judgeFanOut({ ran, calls, timed, figure, ground }, run);
  if (ruleId === SEQUENTIAL) return judgeSequential({ timed, figure, ground }, run);
  if (ruleId === SATURATION) return judgePool({ ran, calls, timed, figure, ground }, run);
  const time = timed.length > 0 ? costOfCalls(timed, run) : undefined;
  if (time && ruleId === GROWING && !NO_GROWTH.has(hypothesis.messageId))
    return judgeShare(time, { ran, calls, timed, figure, ground }, run);
  if (time) return judgeTimed(time, timed, { figure, ground }, run, ruleId === GROWING);
  const starts = run.syncCalls.filter(({ name, place }) => STARTS.test(name) && isIn(place, range));
  const online = sum(starts.map(({ started = 0 }) => started));
  if (online > 0) {
    const ns = (sum(starts.map(({ startMs = 0 }) => startMs)) * NS_PER_MS) / online;
    const cost: Cost = { ns, per: 'start', method: 'timed' };
    return {
      verdict: 'confirmed',
      figure: `${figure}, ${costText(cost)}`,
      ground: `${ground} A thread that is started here is ready after ${costText(cost)}, the mean of ${amount(online)}.`,
      cost,
    };
  }
  const cost = starts.length > 0 ? costOfCalls(starts, run) : undefined;
  const certainty = cost ? certaintyOf(cost, starts, run) : 'none';
  if (!cost || certainty !== 'cost') {
    const taken = cost ? `It takes ${costText(cost)} on the thread of the event loop.` : (NO_COST_OF[ruleId] ?? UNMEASURED);
    return {
      verdict: isOpenStill(certainty) ? 'inconclusive' : 'seen',
      figure: isOpenStill(certainty) ? `${figure}, ${OPEN_WORDS[certainty]}` : figure,
      ground: `${ground} ${taken}${isOpenStill(certainty) ? ` ${OPEN[certainty]}` : ''}`,
      ...(cost && { cost }),
    };
  }
  return {
    verdict: 'confirmed',
    figure: `${figure}, ${costText(cost)} on this thread`,
    ground: `${ground} Starting the process takes ${costText(cost)} on the thread of the event loop. It is ready some time later.`,
    cost,
  };
}

/** Why a run shows no cost, and what would. */
const NO_COST_OF: Readonly<Record<string, string>> = {
  'no-late-threadpool-size':
    'A run does not measure what a larger thread pool would save: set `UV_THREADPOOL_SIZE` before Node starts, and compare the two.',
};

/** The rule whose calls are all started before the first is done. */
export const FAN_OUT = 'no-unbounded-fan-out';

/**
 * What blocks the event loop in one piece for less is felt by few others, in ns for each call or request. Our choice. A limit saves nothing
 * of it: it lets others run between.
 */
const LEAST_PIECE_NS = 10e6;

/** Calls that are started all at once: how many were at the same time, and how long starting them blocks. */
function judgeFanOut({ ran, calls, timed, figure, ground }: PerItem, run: Run): Opinion {
  const each = calls > 0 ? ran / calls : 0;
  if (each <= 1)
    return { verdict: 'seen', figure, ground: `${ground} With lists of one element, nothing runs together. Try it with longer ones.` };
  const often = `ran ${amount(Math.round(each))} times for each ${run.unit}`;
  const peak = Math.max(0, ...timed.map((one) => one.peak ?? 0));
  const peaked = peak > 0 ? `${often}, at most ${amount(peak)} at once` : often;
  const cost = timed.length > 0 ? costOfCalls(timed, run) : undefined;
  const counted =
    peak > 0
      ? ` At most ${amount(peak)} of its promises were pending at the same time.`
      : ' How many were pending at the same time was not counted.';
  if (!cost) return { verdict: 'seen', figure: peaked, ground: `${ground}${counted}` };
  const isCost = cost.ns >= LEAST_PIECE_NS && !cost.isLimit;
  return {
    verdict: isCost ? 'confirmed' : 'seen',
    figure: `${peaked}, started in ${costText(cost)}`,
    ground: `${ground}${counted} Starting them takes ${costText(cost)} on the thread of the event loop, and no other request is handled between.${cost.isLimit ? LIMIT : ''}`,
    ...keptCost(cost),
  };
}

/** The rule about time that grows with the square of a list. */
export const GROWING = 'no-quadratic';
/** Its findings whose growth does not show with the lists that a profile makes: V8 moves a short array without copying, chunks are few. */
export const NO_GROWTH: ReadonlySet<string> = new Set(['moved', 'joined']);
/** Left out where it was measured. */
export const GROWTH_UNMEASURED = ' How it grows with longer lists was not measured.';

/** Of fewer in one request, the cost is that of single calls, and not of one for each element. Our choice. */
const LEAST_PER_ELEMENT = 50;
/** A search that is repeated for so long in one request is a cost, in ns, if it is a part of the request that counts. Our choice. */
const LEAST_REPEATED_NS = 1_000_000;

/**
 * What a place takes with one list says nothing of its growth: a search in a list of five keys is most of a loop, too. What many searches
 * of one request take together is a cost, however it grows; with calls, growth is measured.
 */
function judgeShare(cost: TimedCost, { ran, calls, timed, figure, ground }: PerItem, run: Run): Opinion {
  const each = calls > 0 ? ran / calls : 0;
  const isCost = ({ ns, share = 0 }: Pick<Cost, 'ns' | 'share'>): boolean => ns >= LEAST_REPEATED_NS && share >= LEAST_SHARE;
  if (run.unit === 'request' && each >= LEAST_PER_ELEMENT && certaintyOf(cost, timed, run, isCost) === 'cost')
    return {
      verdict: 'confirmed',
      figure: `ran ${amount(Math.round(each))} times for each request, ${costText(cost)}`,
      ground: `${ground} Together, these calls take ${costText(cost)} on the thread of the event loop.${GROWTH_UNMEASURED}`,
      cost,
    };
  const certainty = certaintyOf(cost, timed, run, isCostOfBlocking);
  return isOpenStill(certainty)
    ? { verdict: 'seen', figure, ground: `${ground} ${UNMEASURED}${GROWTH_UNMEASURED}` }
    : {
        verdict: 'seen',
        figure: `${figure}, ${costText(cost)}`,
        ground: `${ground} It takes ${costText(cost)} on the thread of the event loop.${cost.isLimit ? LIMIT : ''}${GROWTH_UNMEASURED}`,
        ...keptCost(cost),
      };
}

/**
 * Work that could be left out: a part of what a call or request takes. Where that is unknown, it counts as what blocks does.
 * @param mustBlock a part alone is no cost
 */
function judgeTimed(
  cost: TimedCost,
  timed: readonly SyncCall[],
  { figure, ground }: Pick<Opinion, 'figure' | 'ground'>,
  run: Run,
  mustBlock: boolean,
): Opinion {
  const isCost = (some: Pick<Cost, 'ns' | 'share'>): boolean => isCostOfBlocking(some) || (!mustBlock && (some.share ?? 0) >= LEAST_SHARE);
  const certainty = certaintyOf(cost, timed, run, isCost);
  const words = `${figure}, ${costText(cost)}`;
  const limit = cost.isLimit && isCost(cost) ? LIMIT : TOO_LITTLE;
  const more = isOpenStill(certainty) ? ` ${OPEN[certainty]}` : certainty === 'cost' ? '' : limit;
  return {
    verdict: certainty === 'cost' ? 'confirmed' : isOpenStill(certainty) ? 'inconclusive' : 'seen',
    figure: isOpenStill(certainty) ? `${words}, ${OPEN_WORDS[certainty]}` : words,
    ground: `${ground} It takes ${costText(cost)} on the thread of the event loop.${more}`,
    ...keptCost(cost),
  };
}

/** What the harness times although it does not wait for the end. */
export const STARTS = /^(?:child_process\.(?:spawn|fork|exec|execFile)|worker_threads\.Worker)$/;

/** Where counting stopped early, from this share on it is enough. */
const TELLING_SHARE = 0.02;
/**
 * Throwing in 0.5 % of the runs made small functions 1.0 to 1.6 times as slow (Node 24). Below this share it is no cost, from it on the
 * time decides.
 */
const RARE_SHARE = 0.002;

/** The place threw, or something that it called did. */
export function judgeExceptions(
  { messageId, range, extent = [], related, entry, handler, catches = [] }: Hypothesis,
  run: Run,
  executions: Counted,
): Opinion {
  // `no-stack-capture` has a clock around it.
  const read = run.syncCalls.filter(({ name, place, clockMs }) => clockMs !== undefined && name.endsWith('.stack') && isIn(place, range));
  const reading = messageId === 'stackRead' && read.length > 0 ? costOfCalls(read, run) : undefined;
  if (reading) {
    const figure = `read ${times(sum(read.map(({ count }) => count)))}`;
    return judgeTimed(reading, read, { figure, ground: `A stack was ${figure} here on Node ${run.machine.node}.` }, run, false);
  }
  if (messageId === 'stackRead' && executions(range.start) !== 0)
    return {
      verdict: 'inconclusive',
      figure: 'not measured',
      ground: 'Nothing is thrown here, and reading a stack is not measured by a run.',
    };
  const areas = [range, ...extent, ...related];
  const comesHere = (frames: readonly SourcePlace[]): boolean => {
    for (const frame of frames) {
      if (!isInAny(frame, areas)) {
        if (isInAny(frame, catches)) return false;
        continue;
      }
      // An inner `try` catches it first.
      return !catches.some((one) => isIn(frame, one) && areas.every((area) => !isIn(frame, area) || isWithin(one, area)));
    }
    return false;
  };
  const here = run.exceptions.flatMap((group): (ExceptionGroup & { all: number })[] => {
    const paths = group.paths ?? [{ frames: [group.place], thrown: group.thrown }];
    const thrown = sum(paths.filter(({ frames }) => comesHere(frames)).map((path) => path.thrown));
    return thrown > 0 ? [{ ...group, thrown, all: group.thrown }] : [];
  });
  // Where counting what was thrown stopped early, how often the `catch` ran was counted until the end.
  const caught = run.moreThrown && handler ? executions(handler) : undefined;
  const silent =
    here.length > 0 || caught ? undefined : silence(range.start, run, executions, 'nothing was thrown', 'nothing thrown', LEAST_BY_DATA);
  if (silent)
    return silent.verdict === 'refuted' && run.moreThrown && caught === undefined
      ? {
          verdict: 'inconclusive',
          figure: 'counting stopped early',
          ground:
            'So many exceptions were thrown elsewhere that counting stopped before the run ended. So the count of zero here proves nothing.',
        }
      : silent;
  const thrown = Math.max(caught ?? 0, sum(here.map((group) => group.thrown)));
  const ran = (entry && executions(entry)) ?? executions(range.start) ?? run.countedCalls ?? run.calls;
  const share = ran > 0 ? thrown / ran : 1;
  const isCut = run.moreThrown && caught === undefined;
  const least = isCut ? 'at least ' : '';
  const text = `${least}${amount(thrown)} thrown in ${amount(ran)} runs`;
  const types = sum(here.map((group) => group.thrown));
  const parsing = sum(here.map((group) => (group.type === OF_PARSING ? group.thrown : 0)));
  const cost = costOfThrowing(thrown, here, run);
  if (share < TELLING_SHARE && isCut)
    return {
      verdict: 'inconclusive',
      figure: text,
      ground: `Counting stopped after ${amount(thrown)} exceptions. How many of the ${amount(ran)} runs threw is unknown (Node ${run.machine.node}).`,
    };
  if (share < RARE_SHARE)
    return {
      verdict: 'seen',
      figure: text,
      ground: `Thrown in only ${percent(share)} of the runs (${text}, Node ${run.machine.node}), so exceptions are rare here.`,
      ...(cost && { cost }),
    };
  const type = here[0]?.type ?? 'an error';
  if (caught === undefined && here.length > 0 && here.every((group) => cameFirstOnly({ ...group, thrown: group.all }, run)))
    return {
      verdict: 'seen',
      figure: `${text}, not again`,
      ground: `${capital(type)} was thrown ${times(thrown)} in the first call only, and not again in ${amount(run.countedCalls ?? 0)} calls (Node ${run.machine.node}), so its result was probably kept. It is no cost of each call.`,
    };
  const ground = `${capital(type)} was thrown in ${least}${percent(share)} of the runs (${text}, Node ${run.machine.node}).`;
  if (!cost) return { verdict: 'seen', figure: text, ground: `${ground} What that costs was not measured.` };
  return isCostOfWork(cost)
    ? {
        verdict: 'confirmed',
        figure: `${text}, at least ${costText(cost)}`,
        ground: `${ground} Throwing and catching takes at least ${costText(cost)}: ${howThrowing(parsing === types, run)}`,
        cost,
      }
    : {
        // What was not counted comes on top.
        verdict: isCut ? 'inconclusive' : 'seen',
        figure: text,
        ground: `${ground} Throwing and catching takes at least ${costText(cost)}.${isCut ? '' : TOO_LITTLE}`,
        cost,
      };
}

/** Whether it came in the first call, and in none of those after it. */
export function cameFirstOnly(
  { thrown, first }: Pick<ExceptionGroup, 'thrown' | 'first'>,
  { unit, countedCalls = 0, moreThrown }: Run,
): boolean {
  return unit === 'call' && !moreThrown && first === thrown && countedCalls >= ENOUGH_TO_REPEAT;
}

/** Of TypeErrors, only this one is known to come of `new URL` (Node 18 to 26). */
export const INVALID_URL = 'Invalid URL';

/**
 * Counted, times what one takes at least. SyntaxErrors come of `JSON.parse` nearly always.
 * @param groups of which kinds they are, if any were seen one by one
 */
export function costOfThrowing(
  thrown: number,
  groups: readonly Pick<ExceptionGroup, 'type' | 'message' | 'thrown'>[],
  run: Run,
): Cost | undefined {
  const { unit, unitNs, countedCalls, calls, throwNs } = run;
  const units = unit === 'run' ? 1 : (countedCalls ?? calls);
  if (!throwNs || units === 0) return undefined;
  const ofParsing = (isOfOwnTexts(run) ? throwNs.own : throwNs.parsing) ?? throwNs;
  const ofUrls = throwNs.url ?? throwNs;
  const each = groups.map(({ type, message, thrown: count }) => ({
    count,
    ns: type === OF_PARSING ? ofParsing : type === 'TypeError' && message === INVALID_URL ? ofUrls : throwNs,
  }));
  const inAll = sum(each.map(({ count }) => count));
  const of = (name: 'median' | 'low' | 'high'): number =>
    ((inAll === 0 ? throwNs[name] : sum(each.map(({ count, ns }) => count * ns[name])) / inAll) * thrown) / units;
  const ns = of('median');
  return { ns, low: of('low'), high: of('high'), per: unit, ...(unitNs ? { share: Math.min(1, ns / unitNs) } : {}), method: 'calibrated' };
}

export const OF_PARSING = 'SyntaxError';

/** Whether the texts that were tried are those of one place: of several, one may fail on longer texts than the others. */
function isOfOwnTexts({ exceptions, throwNs }: Run): boolean {
  return throwNs?.own !== undefined && exceptions.filter(({ type }) => type === OF_PARSING).length === 1;
}

/** How the cost of exceptions was worked out, as the end of a sentence. @param isParsing all of them are SyntaxErrors */
export function howThrowing(isParsing: boolean, run: Run): string {
  return isParsing && isOfOwnTexts(run)
    ? 'the number of exceptions, times what `JSON.parse` takes to fail on texts of these calls.'
    : 'the number of exceptions, times the cost of a plain one on this Node.';
}

/** Between two awaits, code that takes longer is what blocks, and not their number, in ms. Our choice. */
const LONG_STEP_MS = 5;

/** How often a loop awaits in one call or request; undefined where it was not counted. */
function stepsOf({ messageId, related }: Hypothesis, { watchedCalls }: Run, executions: Counted): number | undefined {
  if (messageId !== 'longLoop' || !watchedCalls) return undefined;
  const steps = mostRuns(related, executions);
  return steps === undefined ? undefined : Math.max(1, steps / watchedCalls);
}

export function judgeStarvation(hypothesis: Hypothesis, run: Run, executions: Counted): Opinion {
  const { range, functions, related } = hypothesis;
  const ran = executions(range.start);
  if (ran === 0) return notReached([range], executions);
  const stuck = run.blocks.filter((block) => touches(block, [range, ...related, ...functions]));
  const queued = stuck.filter(({ kind }) => kind === 'next-tick' || kind === 'microtask');
  const [longest] = [...queued].sort((a, b) => b.duration - a.duration);
  if (!longest && stuck.length > 0)
    return {
      verdict: 'inconclusive',
      figure: 'blocked by other code',
      ground: `The event loop was blocked here, but not by a queue of ticks or microtasks (Node ${run.machine.node}). Whether the queue starves it, too, is not known.`,
    };
  if (!longest && ran !== undefined && ran < ENOUGH_WATCHED)
    return {
      verdict: 'inconclusive',
      figure: `ran only ${times(ran)}`,
      ground: `This code ran only ${times(ran)} while the event loop was monitored (Node ${run.machine.node}), not often enough to draw a conclusion.`,
    };
  if (!longest) return silence(range.start, run, executions, 'timers fired on time', 'timers fired on time');
  const steps = stepsOf(hypothesis, run, executions);
  if (steps !== undefined && !longest.endless && longest.duration / steps > LONG_STEP_MS)
    return {
      verdict: 'inconclusive',
      figure: `blocked by the code between ${amount(Math.round(steps))} ${steps < 1.5 ? 'await' : 'awaits'}`,
      ground: `The event loop was blocked for ${duration(longest.duration)} while this loop awaited ${times(Math.round(steps))} per ${run.unit} (Node ${run.machine.node}): the synchronous code in between takes ${duration(longest.duration / steps)} each time. Whether more elements starve the event loop by themselves is not known.`,
    };
  const kept = BLOCK_WORDS[longest.kind];
  return {
    verdict: 'confirmed',
    figure: `${longest.endless ? 'did not finish in' : 'blocked'} ${duration(longest.duration)}: ${kept}`,
    ground: `For ${duration(longest.duration)}, no timers or I/O could run (${kept}${longest.endless ? '; the run was stopped' : ''}, Node ${run.machine.node}).`,
    cost: costOfBlocks(queued, run),
  };
}

/** The middle one, and how far they reach. */
export function costOfBlocks(blocks: readonly LoopBlock[], { unit, unitNs }: Run): Cost {
  const sorted = blocks.map(({ duration: ms }) => ms * NS_PER_MS).sort((a, b) => a - b);
  const ns = sorted[sorted.length >> 1] ?? 0;
  return {
    ns,
    per: 'block',
    ...(sorted.length > 1 ? { low: sorted[0] ?? ns, high: sorted.at(-1) ?? ns } : {}),
    ...(unitNs && unit !== 'run' ? { share: Math.min(1, ns / unitNs) } : {}),
    method: 'timed',
  };
}

/** What was stopped would have gone on. */
function atLeastWords({ endless, isCut }: LoopBlock): string {
  return endless || isCut ? 'at least ' : '';
}

export const BLOCK_WORDS: Readonly<Record<LoopBlock['kind'], string>> = {
  'next-tick': 'recursive process.nextTick',
  microtask: 'recursive microtasks',
  synchronous: 'synchronous code',
  unknown: 'unknown cause',
};

/** Kinds that no run judges by itself. */
const UNJUDGED: ReadonlySet<EvidenceKind> = new Set(['load', 'time']);

/** A single block among so many calls is shorter than this where it may be the first call's, or another program's, in ms. Our choice. */
const REPEATS_MS = 500;
const ENOUGH_TO_REPEAT = 5;

/** Whether the same call was made again, and did not block again: the first run of code takes longer, and so does a crowded machine. */
function isUnrepeated([block, another]: readonly LoopBlock[], { unit, watchedCalls = 0 }: Run): boolean {
  return (
    unit !== 'run' && block?.endless === false && another === undefined && block.duration < REPEATS_MS && watchedCalls >= ENOUGH_TO_REPEAT
  );
}

/** The rule about loops. Their clock has the name of the statement. */
export const LOOPING = 'no-blocking-loop';
export const STATEMENT = /^(?:for|while|do)$/;

/** A loop in a request that was too short for a block, by its own clock. */
function judgeLoop({ ruleId, range }: Hypothesis, run: Run): (Omit<Opinion, 'verdict'> & { isCost: boolean }) | undefined {
  const timed = ruleId === LOOPING ? run.syncCalls.filter(({ name, place }) => STATEMENT.test(name) && isIn(place, range)) : [];
  const cost = timed.length > 0 && run.unit === 'request' ? costOfCalls(timed, run) : undefined;
  if (!cost || cost.isLimit) return undefined;
  const isEnough = ({ ns, share = 0 }: Pick<Cost, 'ns' | 'share'>): boolean => ns >= LEAST_PIECE_NS && share >= LEAST_SHARE;
  const count = sum(timed.map((one) => one.count));
  return {
    isCost: isEnough(atLeast(cost, count, run)) && certaintyOf(cost, timed, run, isCostOfBlocking) === 'cost',
    figure: costText(cost),
    ground: `This loop ran ${times(count)}, and kept the event loop from other requests for ${costText(cost)} (Node ${run.machine.node}).`,
    cost,
  };
}

/** Fewer runs of a loop do not say how long the next one takes. Our choice. */
const ENOUGH_LOOPS = 5;

/**
 * Whether the loop never took half as long: several loops that follow each other are one block, which looks like the one of them. A block
 * may hold many runs of the loop, also some in microtasks of their own: as many as a request has, each as long as the longest.
 */
function isMostlyOthers({ duration: ms, endless, isCut }: LoopBlock, { ruleId, range }: Hypothesis, run: Run): boolean {
  if (ruleId !== LOOPING || endless || isCut) return false;
  const timed = run.syncCalls.filter(({ name, place }) => STATEMENT.test(name) && isIn(place, range));
  const most = timed.map(({ count, maxMs, maxTurnMs = 0 }) => Math.max(maxTurnMs, maxMs * Math.max(1, count / (run.timedCalls ?? 1))));
  return sum(timed.map(({ count }) => count)) >= ENOUGH_LOOPS && sum(most) < ms / 2;
}

/** Taken back where a text has blocked it. */
export const OTHER_DATA = ' Other data may block it.';

/** Blocks of the loop alone refute nothing: a call may be too short to be seen as one. */
export function judgeBlocks(hypothesis: Hypothesis, run: Run, executions: Counted): Opinion | undefined {
  const { ruleId, range, extent = [], kinds, call } = hypothesis;
  // Whether a queue starves the loop is judged by what was in the queue.
  if (kinds.includes('microtasks')) return undefined;
  // By a frame in the code itself, or called from it: what else the function does is another matter.
  const areas = call === undefined ? [range, ...extent] : [pointOf(range), ...extent];
  // An expression runs below the frame that holds it: what it calls back, and what makes its text, are other code.
  const isInItself = ruleId === 'no-unsafe-regex';
  const stuck = run.blocks.filter((block) => touches(isInItself ? { ...block, stack: block.stack.slice(0, 1) } : block, areas));
  const [longest] = [...stuck].sort((a, b) => b.duration - a.duration);
  const isOfOthers = longest !== undefined && isMostlyOthers(longest, hypothesis, run);
  const timed = stuck.length > 0 && !isUnrepeated(stuck, run) && !isOfOthers ? undefined : judgeLoop(hypothesis, run);
  if (timed?.isCost) return { verdict: 'confirmed', figure: timed.figure, ground: timed.ground, ...(timed.cost && { cost: timed.cost }) };
  if (longest && isOfOthers && timed)
    return {
      verdict: 'inconclusive',
      figure: `${timed.figure} of blocks of up to ${duration(longest.duration)}`,
      ground: `The event loop was blocked for up to ${duration(longest.duration)} with this code on the stack, but the loop itself takes ${timed.figure} (Node ${run.machine.node}). Other code takes most of that time.`,
    };
  if (longest && isUnrepeated(stuck, run))
    return {
      verdict: 'inconclusive',
      figure: `blocked once, for ${duration(longest.duration)}`,
      ground: `The event loop was blocked for ${duration(longest.duration)} with this code on the stack, once in ${amount(run.watchedCalls ?? 0)} ${run.unit}s (Node ${run.machine.node}). Code is slower the first time it runs, and other programs may have been using the processors. Profile it again when the machine is idle, or with the input that takes long.`,
    };
  if (longest)
    return {
      verdict: 'confirmed',
      figure:
        stuck.length === 1
          ? `blocked ${atLeastWords(longest)}${duration(longest.duration)}`
          : `blocked ${times(stuck.length)}, up to ${duration(longest.duration)}`,
      ground: `The event loop was blocked ${stuck.length === 1 ? '' : `${times(stuck.length)}, `}for ${stuck.length === 1 ? atLeastWords(longest) : 'up to '}${duration(longest.duration)} with this code on the stack (Node ${run.machine.node}).`,
      cost: costOfBlocks(stuck, run),
    };
  const ran = mostRuns(areas, executions);
  // Where other evidence tells, too, that has the word.
  if (ran === undefined || kinds.some((kind) => kind !== 'loop-delay' && !UNJUDGED.has(kind))) return undefined;
  if (ran === 0) return notReached(areas, executions);
  const runs = `${amount(ran)} ${ran === 1 ? 'run' : 'runs'}`;
  const held = (run.heldUp ?? []).filter((block) => touches(block, areas));
  if (held.length > 0)
    return {
      verdict: 'inconclusive',
      figure: 'the machine was busy',
      ground: `The event loop stood still ${times(held.length)} with this code on the stack, for ${held.length === 1 ? '' : 'up to '}${duration(Math.max(...held.map((block) => block.duration)))}, while other programs used the processors (Node ${run.machine.node}). Whether the code blocks it by itself is not known. Profile it again when the machine is less busy.`,
    };
  return {
    verdict: 'inconclusive',
    figure: `no block in ${runs}${timed ? `, ${timed.figure}` : ''}`,
    ground: `In ${runs}, this code never blocked the event loop for long (Node ${run.machine.node}).${timed ? ` It takes ${timed.figure}.` : ''}${OTHER_DATA}`,
  };
}
