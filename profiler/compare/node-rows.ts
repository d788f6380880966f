// The same thing on several Nodes, side by side. Pure: what can be said of reports that are there already.
import type { ComparisonRow, ProfileReport, Tier } from '../../protocol/evidence.ts';
import { isShown, shiftBetween } from './shift.ts';
import { median } from '../evidence/statistics.ts';

/** What became of one Node: a report, or why there is none. */
export type ComparedRun = { ok: true; report: ProfileReport } | { ok: false; node: string; why: string };

const TIERS: readonly Tier[] = ['ignition', 'sparkplug', 'maglev', 'turbofan'];

/** ns per call, one figure of each process, by the Node's version. */
export type FiguresByNode = ReadonlyMap<string, readonly number[]>;

/** One row for each, against the first that was timed. Differences come from processes that took turns, and from nothing else. */
export function compareRuns(runs: readonly ComparedRun[], figures: FiguresByNode = new Map()): ComparisonRow[] {
  const first = runs.find((run) => run.ok && figures.has(run.report.machine.node));
  return runs.map((run): ComparisonRow => {
    if (!run.ok) return { node: run.node, failure: run.why, deopts: 0, megamorphic: 0, blockingCalls: 0, verdicts: [] };
    const { machine, timing, deopts, inlineCaches, syncCalls, verdicts } = run.report;
    const tier = topTierOf(run.report);
    return {
      node: machine.node,
      v8: machine.v8,
      ...(timing ? { timing } : {}),
      ...(run === first || !first?.ok ? {} : against(figures.get(machine.node), figures.get(first.report.machine.node))),
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
function isNamed(functionName: string, wanted: string): boolean {
  return functionName === wanted || functionName === wanted.split('.').at(-1);
}

/** Where the interval of the difference holds zero, none is claimed. */
export function against(
  figures: readonly number[] | undefined,
  first: readonly number[] | undefined,
): Pick<ComparisonRow, 'factor' | 'isApart' | 'difference'> {
  const shift = figures && first && shiftBetween(first, figures);
  const was = median(first ?? []);
  if (!shift || was === 0) return {};
  return {
    factor: Math.max(0, (was + shift.difference) / was),
    isApart: isShown(shift),
    difference: { ns: shift.difference, low: shift.low, high: shift.high },
  };
}
