// Deoptimizations at a place: optimized code that V8 discarded, or kept. A deoptimization is a state: what it costs is another measurement.
// Pure.
import type { DeoptGroup } from '../../protocol/evidence.ts';
import type { Counted, Hypothesis, Opinion, Run } from './hypothesis.ts';
import { isIn } from './places.ts';
import { ENOUGH_RUNS, mostRuns, notCounted, notReached, tooFew } from './silence.ts';
import { amount, duration, sum, times } from './words.ts';

const NS_PER_MS = 1e6;
const UNSEEN = /^Insufficient type feedback/;

export function judgeDeopts({ range, functions, related, meets }: Hypothesis, run: Run, executions: Counted): Opinion {
  const near = [range, ...related];
  // Without a place that meets the values the claim is about all of the function. V8 may tell a place beside it, in the same statement.
  const areas = meets ? [...near, ...functions.filter((one) => isIn(meets.start, one))] : [...near, ...functions];
  if (mostRuns(near, executions) === 0) return notReached(near, executions);
  // That a part had never run before says nothing of its arguments.
  const here = run.deopts.filter((group) => !group.benign && !UNSEEN.test(group.reason) && areas.some((area) => isIn(group.place, area)));
  const [first] = [...here].sort((a, b) => b.count - a.count);
  if (first) {
    const count = sum(here.map((group) => group.count));
    return {
      verdict: 'seen',
      figure: `deopt ×${amount(count)}: ${first.reason}`,
      ground: `V8 discarded the optimized code ${times(count)} (${describeDeopt(first)}, Node ${run.machine.node}).${count === 1 ? ` ${whatOneCost(first, run)}` : ''}`,
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

/** Calls are compared with calls without it. A program is run as it is, so the time that was left is all that can be said. */
function whatOneCost({ next }: DeoptGroup, { unit, unitNs }: Run): string {
  if (unit !== 'run' || !next) return 'A single deoptimization costs little; compare the measured time.';
  if (next.event === 'optimized')
    return `V8 optimized the function again ${duration(next.afterMs)} later; until then, it ran without that code.`;
  const busyMs = unitNs === undefined ? Infinity : unitNs / NS_PER_MS;
  return busyMs < next.afterMs
    ? `The whole program kept the processor busy for ${duration(busyMs)}, so it cost less than that.`
    : `The run ended ${duration(next.afterMs)} later, so it cost less than that.`;
}

function describeDeopt({ reason, place }: DeoptGroup): string {
  return `"${reason}" at ${place.line}:${place.column}`;
}
