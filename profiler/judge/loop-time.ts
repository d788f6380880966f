// What takes the event loop's time: blocking calls, exceptions, queues that starve it, blocks. Pure.
import type { EvidenceKind, LoopBlock } from '../../protocol/evidence.ts';
import type { Counted, Hypothesis, Opinion, Run } from './hypothesis.ts';
import { isIn, isInAny, touches } from './places.ts';
import { ENOUGH_WATCHED, LEAST_BY_DATA, mostRuns, notReached, silence } from './silence.ts';
import { amount, capital, duration, percent, sum, times } from './words.ts';

/** What the harness wraps (harness/sync-calls.cjs), by the names that messages use. What it does not see it cannot refute. */
const HOOKED =
  /^(?:fs|child_process|zlib|crypto|v8|process|process\.report)\.[a-z]\w*(?:\.native)?$|^(?:Dir|DatabaseSync|StatementSync|Sign|Verify)#\w+$|^Atomics\.wait$/;

export function judgeSyncIo({ range, call }: Hypothesis, run: Run, executions: Counted): Opinion {
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

/** Where it is enough that the place runs at all while the function is called, or a request waits. */
export function judgeRuns({ range }: Hypothesis, run: Run, executions: Counted): Opinion {
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

/**
 * Throwing in 4 % of the runs made small functions 2.6 to 2.9 times as slow, in 0.5 % 1.0 to 1.6 times (Node 24). Between the two the time
 * decides.
 */
const EVERYDAY_SHARE = 0.02;
const RARE_SHARE = 0.002;

/** The place threw, or something that it called did. */
export function judgeExceptions({ range, extent = [], related, entry }: Hypothesis, run: Run, executions: Counted): Opinion {
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

export function judgeStarvation({ range, functions, related }: Hypothesis, run: Run, executions: Counted): Opinion {
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

/** Kinds that no run judges by itself. */
const UNJUDGED: ReadonlySet<EvidenceKind> = new Set(['load', 'time']);

/** Blocks of the loop alone refute nothing: a call may be too short to be seen as one. */
export function judgeBlocks({ range, extent = [], kinds }: Hypothesis, run: Run, executions: Counted): Opinion | undefined {
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
  if (ran === undefined || kinds.some((kind) => kind !== 'loop-delay' && !UNJUDGED.has(kind))) return undefined;
  if (ran === 0) return notReached(areas, executions);
  const runs = `${amount(ran)} ${ran === 1 ? 'run' : 'runs'}`;
  return {
    verdict: 'inconclusive',
    figure: `no block in ${runs}`,
    ground: `In ${runs}, this code never blocked the event loop for long (Node ${run.machine.node}). Other data may block it.`,
  };
}
