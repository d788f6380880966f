// What a run saw and no rule predicted. It becomes a finding of the run where its cost was measured, else a sentence. Pure.
import type { Cost, CpuShares, EvidenceKind, InlineCache, LoopBlock, SourcePlace, SyncCall, Verdict } from '../../protocol/evidence.ts';
import type { SeenByRun, Unpredicted } from '../../protocol/seen-by-run.ts';
import { atLeast, certaintyOf, costOfCalls } from './call-cost.ts';
import { costSentence, costText, durationOfNs, isCostOfBlocking, isCostOfWork, LEAST_BLOCKING_NS, LEAST_SHARE } from './cost.ts';
import type { Hypothesis, Run } from './hypothesis.ts';
import { isMadeByNode, shownKeys } from '../../protocol/shown-shapes.ts';
import { SETS_PROTOTYPE } from './v8-states.ts';
import { BLOCK_WORDS, cameFirstOnly, costOfBlocks, costOfThrowing, howThrowing, OF_PARSING, STARTS, STATEMENT } from './loop-time.ts';
import { isInAny, touches } from './places.ts';
import { readersOf } from './v8-states.ts';
import { amount, capital, duration, percent, sum, times } from './words.ts';

export interface Judged {
  hypothesis: Hypothesis;
  verdict: Verdict;
}

export interface Seen extends Run {
  /** Where the time went, by line. */
  cpu?: CpuShares;
  /** Each call threw each time: what is thrown is then no part of what the function does. */
  isVain?: boolean;
}

const NS_PER_MS = 1e6;
/** Of the interval of the mean of timed calls (loop-time.ts). */
const CONFIDENCE = 0.95;
/** Our choice. */
const LEAST_TIMES = 2;
/** A program runs once, so that one block has to do; a short one may be the machine's doing. In ms, our choice. */
const LEAST_LONE_BLOCK_MS = 100;
/** V8's warm-up deoptimizes a place once to three times for one reason. Our choice. */
export const LEAST_DEOPTS = 10;
const MILLION = 1e6;
const MOST_FINDINGS = 12;
const MOST_REMARKS = 12;

/** @param judged what the rules reported, with what the run says about it */
export function findUnpredicted(run: Seen, judged: readonly Judged[]): Unpredicted {
  const calls = seenCalls(run, judged);
  const exceptions: Reported = run.isVain ? { findings: [], remarks: [] } : seenExceptions(run, judged);
  // What blocks the loop within a call that is reported by itself is reported once.
  const reported = [...calls.findings, ...calls.remarks, ...exceptions.findings].map(({ place }) => place);
  const blocks = seenBlocks(run, judged, reported);
  const findings = oneForEachLine([...calls.findings, ...exceptions.findings, ...blocks.findings]).sort((a, b) => b.cost.ns - a.cost.ns);
  const remarks = [...calls.remarks, ...exceptions.remarks, ...blocks.remarks, ...deoptRemarks(run, judged), ...accessRemarks(run, judged)];
  return { findings: findings.slice(0, MOST_FINDINGS), remarks: remarks.slice(0, MOST_REMARKS) };
}

/** Whether a rule predicted it here, and the run says what came of it. */
function isPredicted(judged: readonly Judged[], kinds: readonly EvidenceKind[], places: readonly SourcePlace[]): boolean {
  return judged.some(
    ({ hypothesis, verdict: { verdict } }) =>
      (verdict === 'confirmed' || verdict === 'seen') &&
      hypothesis.kinds.some((kind) => kinds.includes(kind)) &&
      places.some((place) => isInAny(place, areasOf(hypothesis))),
  );
}

function areasOf({ range, extent = [], related }: Hypothesis) {
  return [range, ...extent, ...related];
}

/** The kinds stand in the order in which they tell more. */
function oneForEachLine(findings: readonly SeenByRun[]): SeenByRun[] {
  const lines = new Map<string, SeenByRun>();
  for (const one of findings) {
    const key = lineOf(one.place);
    if (!lines.has(key)) lines.set(key, one);
  }
  return [...lines.values()];
}

function lineOf({ file, line }: SourcePlace): string {
  return `${line} ${file}`;
}

const JSON_CALL = /^JSON\./;

function seenCalls(run: Seen, judged: readonly Judged[]): Reported {
  const findings: SeenByRun[] = [];
  const remarks: Remark[] = [];
  for (const call of run.syncCalls) {
    const { name, place, count, totalMs, maxMs } = call;
    const cost = costOfCalls([call], run);
    if (
      !cost ||
      STARTS.test(name) ||
      STATEMENT.test(name) ||
      name === SETS_PROTOTYPE ||
      !isCost(cost, call, run) ||
      isPredicted(judged, ['sync-io', 'runs', 'loop-delay'], [place])
    )
      continue;
    const isJson = JSON_CALL.test(name);
    if (!isRegular(count, totalMs, run, run.timedCalls) || (run.unit !== 'run' && isLoadedOnce(call))) {
      remarks.push({ place, text: `\`${name}\` ran ${times(count)} here and blocked the event loop for ${duration(totalMs)}. ${RARE}` });
      continue;
    }
    findings.push({
      kind: isJson ? 'large-json' : 'blocking-call',
      place,
      figure: `${name}: ${costText(cost)}`,
      grounds: [
        `\`${name}\`${isJson ? ' of large texts' : ''} ran ${times(count)} here and blocked the event loop for ${duration(totalMs)}${count === 1 ? '' : ` in total, ${duration(maxMs)} at most`} (Node ${run.machine.node}).`,
        `That is ${costSentence(cost, CONFIDENCE)}.`,
      ],
      remedy: isJson
        ? 'Parse or write less at a time, keep the result, or move the work to a worker thread.'
        : 'Use the asynchronous version, call it once and keep the result, or move the work to a worker thread.',
      cost,
    });
  }
  return { findings, remarks };
}

/**
 * What came once among many calls or requests may be the first one's, which loads and compiles; of few calls it may be half. What comes now
 * and then has to be a cost of all of them together.
 */
function isRegular(count: number, totalMs: number, { unit }: Seen, calls: number | undefined): boolean {
  if (unit === 'run') return true;
  const isRare = calls !== undefined && (totalMs * NS_PER_MS) / calls < LEAST_BLOCKING_NS;
  return !isRare && (count >= LEAST_TIMES || (calls !== undefined && count >= calls / 2));
}

/** A module that is loaded once is there from then on, in however few calls that was seen. */
function isLoadedOnce({ name, count }: SyncCall): boolean {
  return name === 'require' && count === 1;
}

const RARE = 'That is rare and may be start-up work, so it is not a finding.';

/** Nobody may wait for a program that runs from its start to its end: it has to be a part of its time, too. */
function isCost(cost: Cost, call: SyncCall, run: Seen): boolean {
  // What came once is a sentence, and no finding.
  const certainty = certaintyOf(cost, [call], run);
  if (certainty !== 'cost' && certainty !== 'once') return false;
  const least = atLeast(cost, call.count, run);
  return isCostOfBlocking(least) && (run.unit !== 'run' || (least.share ?? 0) >= LEAST_SHARE);
}

type Remark = Unpredicted['remarks'][number];

interface Reported {
  findings: SeenByRun[];
  remarks: Remark[];
}

function seenExceptions(run: Seen, judged: readonly Judged[]): Reported {
  const findings: SeenByRun[] = [];
  const remarks: Remark[] = [];
  const runs = run.unit === 'run' ? 1 : (run.countedCalls ?? run.calls);
  const least = run.moreThrown ? 'at least ' : '';
  for (const group of run.exceptions) {
    const { place, type, thrown, paths = [], placement } = group;
    if (cameFirstOnly(group, run)) continue;
    const comes = [place, ...paths.flatMap(({ frames }) => frames)];
    if (placement === 'none' || isPredicted(judged, ['exceptions'], comes)) continue;
    // What is no Error takes no stack, and was not timed.
    const cost = type === NO_ERROR ? undefined : costOfThrowing(thrown, [group], run);
    const count = `${least}${amount(thrown)} thrown in ${amount(runs)} ${runs === 1 ? run.unit : `${run.unit}s`}`;
    if (cost && isCostOfWork(lowEnd(cost)))
      findings.push({
        kind: 'exceptions',
        place,
        figure: `${type}: ${count}, at least ${costText(cost)}`,
        grounds: [
          `${capital(type)} was thrown here ${least}${times(thrown)} (Node ${run.machine.node}).`,
          `Throwing and catching takes at least ${costText(cost)}: ${howThrowing(type === OF_PARSING, run)}`,
        ],
        remedy: 'Return a value in expected cases, and throw only in unexpected ones.',
        cost,
      });
    else if (!cost && thrown >= MANY_THROWN)
      remarks.push({ place, text: `${capital(type)} was thrown here ${least}${times(thrown)}. What that costs was not measured.` });
  }
  return { findings, remarks };
}

/** harness/exceptions.cjs */
const NO_ERROR = '(not an Error)';
/** Fewer take less than a millisecond in all. */
const MANY_THROWN = 100;

/** What it takes at least. */
function lowEnd({ ns, low = ns, share, per }: Cost): Pick<Cost, 'ns' | 'share' | 'per'> {
  return { ns: low, per, ...(share === undefined || ns === 0 ? {} : { share: (share * low) / ns }) };
}

function seenBlocks(run: Seen, judged: readonly Judged[], reported: readonly SourcePlace[]): Reported {
  const confirmed = judged.filter(({ verdict }) => verdict.verdict === 'confirmed');
  const explained = (block: LoopBlock): boolean =>
    confirmed.some(({ hypothesis }) => touches(block, areasOf(hypothesis))) ||
    block.stack.some((frame) => reported.some((place) => lineOf(place) === lineOf(frame)));
  const byLine = new Map<string, { place: SourcePlace; blocks: LoopBlock[] }>();
  for (const block of run.blocks) {
    const [innermost] = block.stack;
    if (!innermost || explained(block)) continue;
    const { file, line, column } = innermost;
    const entry = byLine.get(lineOf(innermost)) ?? { place: { file, line, column }, blocks: [] };
    entry.blocks.push(block);
    byLine.set(lineOf(innermost), entry);
  }
  const findings: SeenByRun[] = [];
  const remarks: Remark[] = [];
  for (const { place, blocks } of byLine.values()) {
    const longest = blocks.reduce((a, b) => (b.duration > a.duration ? b : a));
    const cost = costOfBlocks(blocks, run);
    const count = blocks.length === 1 ? 'once' : times(blocks.length);
    const upTo = `${blocks.length === 1 ? '' : 'up to '}${duration(longest.duration)}`;
    if (isFarLonger(longest, run))
      remarks.push({
        place,
        text: `The event loop was blocked ${count} with this code on the stack, ${upTo}, and a call takes ${durationOfNs(run.unitNs ?? 0)}. Other programs may have used the processors, or few calls take much longer than the others, so it is not a finding.`,
      });
    else if (isReported(blocks, longest, run))
      findings.push({
        kind: 'block',
        place,
        figure: longest.endless
          ? `blocked the event loop, not finished after ${duration(longest.duration)}`
          : `blocked the event loop ${count}, ${upTo}`,
        grounds: [
          `The event loop was blocked for ${upTo} while this code ran (${BLOCK_WORDS[longest.kind]}${longest.call === undefined ? '' : `, \`${longest.call}\``}${longest.endless ? '; the run was stopped' : ''}, Node ${run.machine.node}).`,
        ],
        remedy: REMEDIES[longest.kind],
        cost,
      });
    else remarks.push({ place, text: `The event loop was blocked ${count} with this code on the stack, ${upTo}. ${RARE}` });
  }
  return { findings, remarks };
}

const REMEDIES: Readonly<Record<LoopBlock['kind'], string>> = {
  'next-tick': 'Use `setImmediate` for the next step, so that timers and I/O can run in between.',
  microtask: 'Let timers and I/O run in between by awaiting `setImmediate`, or do not await values that are available.',
  synchronous: 'Do less at a time, split the work with `setImmediate`, or move it to a worker thread.',
  unknown: 'Do less at a time, split the work with `setImmediate`, or move it to a worker thread.',
};

/**
 * A block of so many times the time of a call is not what the call does, unless something tells where it comes from. Our choice. Linux tells
 * how long the thread was on a processor, and what it waited for is no block there.
 */
const FAR_LONGER = 20;

function isFarLonger({ endless, call, duration: ms }: LoopBlock, { unit, unitNs, machine }: Seen): boolean {
  if (machine.platform.startsWith('linux')) return false;
  return unit === 'call' && !endless && call === undefined && unitNs !== undefined && unitNs > 0 && ms * NS_PER_MS > FAR_LONGER * unitNs;
}

function isReported(blocks: readonly LoopBlock[], { endless, duration: longestMs }: LoopBlock, run: Seen): boolean {
  if (endless) return true;
  if (run.unit === 'run') {
    const totalNs = sum(blocks.map(({ duration: ms }) => ms)) * NS_PER_MS;
    const isPart = run.unitNs === undefined || run.unitNs === 0 || totalNs / run.unitNs >= LEAST_SHARE;
    return isPart && (blocks.length >= LEAST_TIMES || longestMs >= LEAST_LONE_BLOCK_MS);
  }
  return isRegular(blocks.length, sum(blocks.map(({ duration: ms }) => ms)), run, run.watchedCalls ?? run.timedCalls);
}

/** How often V8 did it is known; what it took is not. */
function deoptRemarks(run: Seen, judged: readonly Judged[]): Remark[] {
  return run.deopts
    .filter(
      ({ benign, count, placement, place }) =>
        !benign &&
        count >= LEAST_DEOPTS &&
        placement !== 'none' &&
        !isPredicted(judged, ['deopt', 'feedback', 'inline-cache', 'map-transition', 'elements', 'bounds'], [place]),
    )
    .map(({ place, count, reason }) => ({
      place,
      text: `V8 optimized this code and deoptimized it again ${times(count)} (${reason}${perMillion(count, run)}). What that costs was not measured.`,
    }));
}

function perMillion(count: number, { unit, calls }: Seen): string {
  return unit === 'call' && calls > 0 ? `, ${amount(Math.round((count / calls) * MILLION))} per million calls` : '';
}

/** Whether a finding about the keys of objects was judged by this read: its verdict says what was seen here, and what that costs. */
function isRead(judged: readonly Judged[], cache: InlineCache): boolean {
  return judged.some(
    ({ hypothesis: { kinds, keys = [], fields = [] }, verdict: { verdict } }) =>
      (verdict === 'confirmed' || verdict === 'seen') &&
      kinds.includes('inline-cache') &&
      keys.length > 0 &&
      readersOf([cache], keys, fields).some(({ state }) => state === cache.state),
  );
}

/** The line's own time is the most that the access can take. Where that is little, nothing is said. */
function accessRemarks(run: Seen, judged: readonly Judged[]): Remark[] {
  const shares = new Map(run.cpu?.lines.map((line) => [lineOf({ ...line, column: 1 }), line.self]));
  const lines = new Map<string, Remark>();
  for (const cache of run.inlineCaches) {
    const { state, place, property, megamorphicMisses } = cache;
    // Nobody can change how Node and the framework make a request.
    if (isMadeByNode(cache)) continue;
    const share = shares.get(lineOf(place)) ?? 0;
    if (state !== 'megamorphic' || share < LEAST_SHARE || lines.has(lineOf(place))) continue;
    if (isPredicted(judged, ['inline-cache', 'map-transition'], [place]) || isRead(judged, cache)) continue;
    const misses = megamorphicMisses > 0 ? `, with ${amount(megamorphicMisses)} further misses` : '';
    lines.set(lineOf(place), {
      place,
      text: `${property === '' ? 'A property access with varying keys' : `The access to \`.${shownKeys([property]).join('')}\``} is megamorphic${misses}. The line takes ${percent(share)} of the CPU time, which is the most that it can cost. What it costs was not measured.`,
    });
  }
  return [...lines.values()];
}
