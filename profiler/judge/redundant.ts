// Work that is done again, or whose result is dropped: how often, and what the part that could be left out takes. Pure.
import { awaitedOf, laterOf, savedMs } from './awaited.ts';
import { costOfCalls, timedIn, totalOf } from './call-cost.ts';
import { costText, isCostOfBlocking, keptCost, LEAST_SHARE, LIMIT, TOO_LITTLE, type TimedCost } from './cost.ts';
import type { Counted, Hypothesis, Opinion, Run } from './hypothesis.ts';
import { notReached } from './silence.ts';
import { amount, percent, sum, times } from './words.ts';

/** The rule whose claim it is. */
export const REDUNDANT = 'no-redundant-work';

/** Fewer calls that all went on refute nothing: those that are turned away may come later. */
const ENOUGH_WENT_ON = 30;
const NS_PER_MS = 1e6;
/** What ends so little after others, in ns, ends with them. Our choice. */
const LEAST_LATER_NS = 10_000;

export function judgeRedundant({ messageId, range, related, call }: Hypothesis, run: Run, executions: Counted): Opinion {
  const ran = executions(range.start);
  if (ran === undefined || ran === 0) return notReached([range], executions);
  const calls = run.countedCalls ?? 0;
  const timed = timedIn(range, call, run);
  const [other] = related;
  const there = other && executions(other.start);
  if (messageId === 'early') return judgeEarly(ran, there ?? 0, costOf(timed, run), run);
  if (messageId === 'each') return judgeEach(ran, calls, timed, run);
  const each = calls > 0 ? (ran + (there ?? 0)) / calls : 0;
  const often =
    messageId === 'unused' ? `ran ${times(ran)}, unused` : `ran ${each > 0 ? `${amountOf(each)} times for each ${run.unit}` : times(ran)}`;
  const ground = `This code ran ${times(ran)}${messageId === 'unused' ? '' : ' after the same work'} in ${amount(calls)} ${calls === 1 ? 'call' : 'calls'} on Node ${run.machine.node}.`;
  const cost = costOf(timed, run);
  if (!cost || !isBeside(timed)) return judged(often, ground, cost);
  if (cost.ns < LEAST_LATER_NS)
    return {
      verdict: 'seen',
      figure: `${often}, beside what takes longer`,
      ground: `${ground} It ran beside others in its list that took longer, so no ${run.unit} would end sooner without it.`,
    };
  return judged(often, `${ground} It ran beside others, and only the time after the last of these counts.`, cost);
}

/** One of the rounds has to do it. */
function judgeEach(ran: number, calls: number, timed: Run['syncCalls'], run: Run): Opinion {
  const each = calls > 0 ? ran / calls : 0;
  const ground = `This code ran ${times(ran)} in ${amount(calls)} ${calls === 1 ? 'call' : 'calls'} on Node ${run.machine.node}.`;
  if (each <= 1)
    return {
      verdict: 'seen',
      figure: `ran ${times(ran)}`,
      ground: `${ground} With lists of one element, nothing is repeated. Try it with longer ones.`,
    };
  const whole = costOf(timed, run);
  const awaitedMs = sum(timed.map((one) => one.awaitedMs ?? 0));
  // Those that are sent at once take about as long as one.
  const msOfAll = whole && awaitedMs > 0 ? whole.ns / NS_PER_MS : 0;
  const part = msOfAll > 0 ? savedMs(msOfAll, each, timed) / msOfAll : 1 - 1 / each;
  return judged(`ran ${amountOf(each)} times for each ${run.unit}`, ground, partOf(whole, part));
}

/** What is dropped by those that leave early. */
function judgeEarly(ran: number, left: number, whole: TimedCost | undefined, run: Run): Opinion {
  const ground = `This code ran ${times(ran)} on Node ${run.machine.node}, and ${times(left)} its answer was dropped.`;
  if (left === 0)
    return {
      verdict: ran >= ENOUGH_WENT_ON ? 'seen' : 'inconclusive',
      figure: `never dropped in ${amount(ran)} ${ran === 1 ? 'run' : 'runs'}`,
      ground: `${ground} Rejected requests were not among them.`,
    };
  const part = Math.min(1, left / ran);
  const cost = partOf(whole, part);
  return judged(`dropped in ${percent(part)} of ${amount(ran)} ${ran === 1 ? 'run' : 'runs'}`, ground, cost);
}

function partOf(whole: TimedCost | undefined, part: number): TimedCost | undefined {
  return whole && { ...whole, ns: whole.ns * part, ...(whole.share === undefined ? {} : { share: whole.share * part }) };
}

/** In a list of a `Promise.all`. */
function isBeside(timed: Run['syncCalls']): boolean {
  return timed.some(({ lists = 0 }) => lists > 0);
}

function judged(often: string, ground: string, cost: TimedCost | undefined): Opinion {
  if (!cost) return { verdict: 'seen', figure: often, ground: `${ground} How long it takes was not measured.` };
  const isEnough = cost.share === undefined ? isCostOfBlocking(cost) : cost.share >= LEAST_SHARE;
  const isCost = isEnough && !cost.isLimit;
  return {
    verdict: isCost ? 'confirmed' : 'seen',
    figure: `${often}, ${costText(cost)}`,
    ground: `${ground} The avoidable part takes ${costText(cost)}.${isCost ? '' : isEnough ? LIMIT : TOO_LITTLE}`,
    ...keptCost(cost),
  };
}

/** Of one call or request: how long its promises were pending, or what it takes of the thread. */
function costOf(timed: Run['syncCalls'], run: Run): TimedCost | undefined {
  const { unit, unitNs, timedCalls } = run;
  const units = Math.min(timedCalls ?? 0, sum(timed.map((one) => one.count)));
  if (units === 0) return undefined;
  const awaitedMs = awaitedOf(timed, units);
  // What ends before the others in its list delays nothing.
  const ms = isBeside(timed) ? laterOf(timed, units) : awaitedMs > 0 ? awaitedMs : totalOf(timed, run) / units;
  const ns = ms * NS_PER_MS;
  const share = unitNs && units === timedCalls ? Math.min(1, ns / unitNs) : undefined;
  const isLimit = awaitedMs === 0 && costOfCalls(timed, run)?.isLimit;
  return { ns, per: unit, ...(share === undefined ? {} : { share }), method: 'timed', ...(isLimit && { isLimit }) };
}

function amountOf(each: number): string {
  return amount(Math.round(each * 10) / 10);
}
