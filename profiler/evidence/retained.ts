// Findings that say something stays: the same calls or requests again and again in one process, and what is there after each round.
import type { ProfileReport, Verdict, SourcePlace } from '../../protocol/evidence.ts';
import type { Hypothesis } from '../judge/hypothesis.ts';
import { UNMEASURED } from '../judge/loop-time.ts';
import { judgeRetained, type RetainedPhase, type RetainedRun } from '../judge/retained.ts';
import { recordsOf, type RunRecord } from '../parse/records.ts';
import type { RetainedPlaces, RetainedSite } from '../plan/retained.ts';
import type { Phase, RunRequest } from '../plan/plan.ts';
import { runNode } from '../run/run.ts';

export interface RetainedRequest {
  run: Pick<RunRequest, 'node' | 'target' | 'cwd' | 'env' | 'flags' | 'readOnly' | 'replacements'>;
  places: RetainedPlaces;
  /** For the whole profile, in ms. */
  budgetMs: number;
  /** How many forms of calls or requests there are. */
  forms: number;
  signal?: AbortSignal;
  progress?(): void;
}

/** The first one warms up. With eight, each half has enough to tell a limit from growth. */
const ROUNDS = 8;
/**
 * A cache of a thousand entries is full before the second half begins. Requests have a connection each, and a system has only so many
 * ports.
 */
const PER_ROUND = { call: 1500, request: 500 };
const SHARE_OF_BUDGET = 0.1;
const ROUND_MS = { least: 400, most: 1500 };
/** Until timers that are due soon have run, and everything is collected, in ms. */
const SETTLE_MS = 2500;
const START_UP_MS = 15_000;
/** What a request took so far says how long the next may take. */
const USUAL_TIMES = 4;
const MOST_USUAL_MS = 3000;
const NS_PER_MS = 1e6;

/** The report with what stays. Verdicts about something else stay as they are. */
export async function withRetained(report: ProfileReport, request: RetainedRequest): Promise<ProfileReport> {
  const { run, budgetMs, forms, signal } = request;
  const isServed = run.target?.type === 'file';
  // What no call came to will not be come to.
  const sites = request.places.sites.filter(({ hypothesis }) => isServed || isOpen(report.verdicts[hypothesis]));
  if (sites.length === 0 || signal?.aborted) return report;
  request.progress?.();
  const places = { ...request.places, sites };
  const measureMs = Math.max(ROUND_MS.least, Math.min(ROUND_MS.most, budgetMs * SHARE_OF_BUDGET));
  const phases: Phase[] = Array.from({ length: ROUNDS }, () => ({ kinds: ['retained'], measureMs, patienceMs: SETTLE_MS }));
  const usual = isServed && report.timing ? Math.min(MOST_USUAL_MS, (report.timing.median / NS_PER_MS) * USUAL_TIMES) : undefined;
  const outcome = await runNode(
    {
      ...run,
      kind: 'retained',
      phases,
      retained: places,
      usualMs: usual,
      callLimit: Math.max(1, Math.ceil(PER_ROUND[isServed ? 'request' : 'call'] / forms)),
      limits: { wallMs: START_UP_MS + ROUNDS * (measureMs + SETTLE_MS) },
    },
    ({ records }) => records,
    { signal },
  );
  if (signal?.aborted) return report;
  const records = outcome.value ?? [];
  const verdicts = [...report.verdicts];
  const rounds = sites.map(({ unrelated = [] }, i) =>
    roundsOf(records, i, ({ file, line }) => file === places.file && unrelated.includes(line)),
  );
  const isShared = rounds.filter(({ phases: all }) => (all.at(-1)?.count ?? 0) > (all[0]?.count ?? 0)).length > 1;
  for (const [i, site] of sites.entries()) {
    const verdict = verdicts[site.hypothesis];
    const own = rounds[i];
    if (verdict && own)
      verdicts[site.hypothesis] = judged(verdict, site, {
        ...own,
        isShared,
        per: isServed ? 'request' : 'call',
        node: report.machine.node,
      });
  }
  const problems =
    outcome.ok || recordsOf(records, 'retained').length > 0 ? [] : [`What stays in memory was not measured: ${outcome.reason}`];
  return { ...report, verdicts, problems: [...report.problems, ...problems] };
}

/** Code that is compiled while it is loaded has no text in which a container could be noted. */
export function withoutCounts(report: ProfileReport, hypotheses: readonly Hypothesis[]): ProfileReport {
  const isAbout = (i: number): boolean => hypotheses[i]?.kinds.includes('retained') ?? false;
  const verdicts = report.verdicts.map((one, i) =>
    one.verdict === 'seen' && isAbout(i) ? { ...one, grounds: [...one.grounds, UNCOUNTED] } : one,
  );
  return { ...report, verdicts };
}

const UNCOUNTED =
  'What stays in memory was not counted, because this code is compiled while it is loaded. Profile the compiled JavaScript.';

function isOpen(verdict: Verdict | undefined): boolean {
  return verdict !== undefined && verdict.verdict !== 'not-reached';
}

function judged(verdict: Verdict, { unit, name, key }: RetainedSite, run: RetainedRun): Verdict {
  const opinion = judgeRetained({ unit, name, isKeyed: unit === 'entry' && key !== undefined }, run);
  if (!opinion) return verdict;
  const { ground, ...rest } = opinion;
  const { cost: _, ...before } = verdict;
  // This run came to it, whatever an earlier one says.
  const known = verdict.verdict === 'not-reached' ? [] : verdict.grounds.map((one) => one.replace(` ${UNMEASURED}`, ''));
  return { ...before, ...rest, grounds: [ground, ...known] };
}

/**
 * What was counted at one place, of the process that came to it most often.
 * @param isUnrelated whether a timer takes nothing out there
 */
export function roundsOf(
  records: readonly RunRecord[],
  site: number,
  isUnrelated: (timer: SourcePlace) => boolean = () => false,
): Pick<RetainedRun, 'phases' | 'timer'> {
  const own = recordsOf(records, 'retained');
  const addsOf = (pid: number): number => own.findLast((one) => one.pid === pid)?.sites[site]?.adds ?? 0;
  const [pid] = [...new Set(own.map((one) => one.pid))].sort((a, b) => addsOf(b) - addsOf(a));
  const counted = own.filter((one) => one.pid === pid);
  let calls = 0;
  const phases = counted.flatMap(({ heap, sites }, phase): RetainedPhase[] => {
    calls += callsOf(records, phase);
    const one = sites[site];
    return one ? [{ calls, bytes: heap, ...one }] : [];
  });
  const timer = counted.at(-1)?.timers.find((one) => !isUnrelated(one));
  return { phases, ...(timer && { timer }) };
}

function callsOf(records: readonly RunRecord[], phase: number): number {
  const asked = recordsOf(records, 'requests').findLast((one) => (one.phase ?? 0) === phase);
  const called = recordsOf(records, 'calls').findLast((one) => (one.phase ?? 0) === phase);
  return [...(asked?.requests ?? []).map(({ sent }) => sent), ...(called?.calls ?? []).map((one) => one.calls)].reduce(
    (sum, n) => sum + n,
    0,
  );
}
