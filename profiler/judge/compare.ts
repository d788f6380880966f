// The same thing on several Nodes, side by side. Pure: what can be said of reports that are there already.
import type { ComparisonRow, ProfileReport, Tier, Timing } from '../../protocol/evidence.ts';

/** What became of one Node: a report, or why there is none. */
export type ComparedRun = { ok: true; report: ProfileReport } | { ok: false; node: string; why: string };

const TIERS: readonly Tier[] = ['ignition', 'sparkplug', 'maglev', 'turbofan'];

/** One row for each, against the first that was timed. */
export function compareRuns(runs: readonly ComparedRun[]): ComparisonRow[] {
  const first = runs.find((run) => run.ok && run.report.timing?.halfWidth !== undefined);
  return runs.map((run): ComparisonRow => {
    if (!run.ok) return { node: run.node, failure: run.why, deopts: 0, megamorphic: 0, blockingCalls: 0, verdicts: [] };
    const { machine, timing, deopts, inlineCaches, syncCalls, verdicts } = run.report;
    const tier = topTierOf(run.report);
    return {
      node: machine.node,
      v8: machine.v8,
      ...(timing ? { timing } : {}),
      ...(run === first || !first?.ok ? {} : against(timing, first.report.timing)),
      ...(tier ? { tier } : {}),
      deopts: deopts.filter(({ benign }) => !benign).reduce((sum, { count }) => sum + count, 0),
      megamorphic: inlineCaches.filter(({ state }) => state === 'megamorphic').length,
      blockingCalls: syncCalls.reduce((sum, { count }) => sum + count, 0),
      verdicts,
    };
  });
}

/** The fastest tier that the function's own code reached; of a program's functions, any. */
function topTierOf({ tiers, target }: ProfileReport): Tier | undefined {
  const own = tiers.filter(
    ({ place, functionName, inlinedInto }) =>
      !inlinedInto && (target.functionName === undefined || (isNamed(functionName, target.functionName) && place.file === target.file)),
  );
  return TIERS.findLast((tier) => own.some((event) => event.tier === tier));
}

/** V8 calls `Cart.total` by its last name, and `exports.total = () => …` by the whole. */
function isNamed(functionName: string, asked: string): boolean {
  return functionName === asked || functionName === asked.split('.').at(-1);
}

/** Where the 95 % intervals of the medians meet, no difference is claimed. */
export function against(timing: Timing | undefined, first: Timing | undefined): Pick<ComparisonRow, 'factor' | 'isApart'> {
  if (timing?.halfWidth === undefined || first?.halfWidth === undefined || timing.median === 0 || first.median === 0) return {};
  return { factor: timing.median / first.median, isApart: Math.abs(timing.median - first.median) > timing.halfWidth + first.halfWidth };
}
