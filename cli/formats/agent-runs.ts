// `--format agent` of the commands that run code: one line for each result, and a last line that is always there.
import type { ComparisonRow, Difference, LoopBlock, ProfileReport, SourcePlace, VerdictKind } from '../../protocol/evidence.ts';
import { nameOfTarget, VERDICT_WORDS } from '../../protocol/evidence.ts';
import type { LoadReport, RequestSource } from '../../protocol/load.ts';
import { SEEN_WORDS } from '../../protocol/seen-by-run.ts';
import { costText, durationOfNs } from '../../profiler/judge/cost.ts';
import { rateText } from '../../profiler/judge/retained.ts';
import { duration, percent } from '../../profiler/judge/words.ts';
import { perSecondText } from '../../workspace/formats/load-text.ts';
import { requestSourceText } from '../../workspace/formats/request-source.ts';
import { pathText } from './agent.ts';
import { agentLine } from './agent-line.ts';
import type { DifferenceReport } from './difference-text.ts';
import type { LoadDifferenceReport, LoadSweepReport } from './load-difference-text.ts';

const PERCENT = 100;
/** Calls and problems that are named. */
const MOST_NAMED = 5;

export function formatAgentProfile({
  reports,
  comparison,
  cwd,
  isSaved,
}: {
  reports: readonly ProfileReport[];
  comparison: readonly ComparisonRow[];
  cwd: string;
  isSaved: boolean;
}): string {
  const at = ({ file, line, column }: SourcePlace) => `${pathText(file, cwd)}:${line}:${column}`;
  const failures = comparison.flatMap(({ node, failure }) => (failure === undefined ? [] : [agentLine(`failed: Node ${node}`, failure)]));
  return [...reports.flatMap((report) => profileLines(report, at, isSaved, reports.length > 1)), ...failures].join('');
}

function profileLines(report: ProfileReport, at: (place: SourcePlace) => string, isSaved: boolean, isOneOfSeveral: boolean): string[] {
  const { target, machine, timing, verdicts, unpredicted, problems, program } = report;
  const node = isOneOfSeveral ? `Node ${machine.node}` : undefined;
  const sums = (Object.keys(VERDICT_WORDS) as VerdictKind[]).flatMap((kind) => {
    const n = verdicts.filter(({ verdict }) => verdict === kind).length;
    return n > 0 ? [`${n} ${VERDICT_WORDS[kind]}`] : [];
  });
  return [
    ...verdicts.map(({ place, verdict, ruleId, figure, cost, retained, remedy }) =>
      agentLine(
        `${at(place)} ${verdict} ${ruleId}`,
        figure,
        `cost: ${cost ? costText(cost) : verdict === 'confirmed' && retained ? rateText(retained) : 'none measured'}`,
        remedy && `do: ${remedy}`,
        node,
      ),
    ),
    ...(unpredicted?.findings ?? []).map(({ place, kind, figure, cost, remedy }) =>
      agentLine(`${at(place)} found-by-run ${SEEN_WORDS[kind]}`, figure, `cost: ${costText(cost)}`, `do: ${remedy}`, node),
    ),
    ...problems.slice(0, MOST_NAMED).map((problem) => agentLine(`problem: ${problem}`, node)),
    agentLine(
      `done: ${nameOfTarget(target) ?? pathText(target.file, '')} on Node ${machine.node}`,
      verdicts.length === 0 ? 'no findings to judge' : sums.join(', '),
      timing && `${durationOfNs(timing.median)} per ${target.origin === 'request' ? 'request' : 'call'} (median)`,
      program && program.exitCode !== null ? `exit code ${program.exitCode}` : undefined,
      target.calls.slice(0, MOST_NAMED).join('; '),
      isSaved ? 'saved to .nodometer/evidence.json' : 'not saved',
    ),
  ];
}

export function formatAgentDifference({ functionName, file, node, calls, note, difference }: DifferenceReport): string {
  const { first, second, per, low, high, confidence, verdict } = difference;
  const side = ({ name, median, figures }: Difference['first']) =>
    `${name}: ${durationOfNs(median)} per ${per} (${figures.length} processes)`;
  return [
    agentLine(
      `result: ${verdict}`,
      sizeOf(difference),
      side(first),
      side(second),
      `${(confidence * PERCENT).toFixed(1)} % interval of the difference: ${durationOfNs(low)} to ${durationOfNs(high)} per ${per}`,
      note === undefined ? undefined : `fix: ${note}`,
    ),
    agentLine(`done: ${functionName ?? file} on Node ${node}`, calls.slice(0, MOST_NAMED).join('; ')),
  ].join('');
}

function sizeOf({ verdict, ns, ratio, second, per }: Difference): string {
  if (verdict === 'same') return 'no difference shown';
  if (verdict === 'inconclusive') return 'the times vary too much to tell: close other programs, or use more --rounds';
  return `${second.name} is ${verdict} by ${durationOfNs(Math.abs(ns))} per ${per}${ratio === undefined ? '' : `, ${ratio.toFixed(2)} times the time`}`;
}

export function formatAgentLoad(
  { request, source, machine, command, traffic, limit, noResult, problems, causes }: LoadReport,
  cwd: string,
): string {
  const { perSecond, latency, errorShare } = traffic;
  const blocks = causes?.blocks ?? [];
  return [
    noResult === undefined
      ? agentLine(
          `result: ${perSecondText(perSecond)}`,
          latency.percentiles.map(({ percent: share, ms }) => `p${share} ${duration(ms)}`).join(', '),
          `${percent(errorShare)} errors`,
          limit && `limit: ${limit}`,
        )
      : agentLine('result: none', noResult),
    ...blocks.slice(0, MOST_NAMED).map((block) => agentLine(`block: ${duration(block.duration)}`, placeOf(block, cwd))),
    ...problems.slice(0, MOST_NAMED).map((problem) => agentLine(`problem: ${problem}`)),
    ...sourceLine(source, cwd),
    agentLine(`done: ${request.method} ${request.path} under load on Node ${machine.node}`, command),
  ].join('');
}

function placeOf({ stack: [frame] }: LoopBlock, cwd: string): string | undefined {
  return frame && `${pathText(frame.file, cwd)}:${frame.line}:${frame.column} ${frame.functionName}`;
}

function sourceLine(source: RequestSource | undefined, cwd: string): string[] {
  return source ? [agentLine(requestSourceText(source, cwd))] : [];
}

export function formatAgentLoadDifference(
  { request, source, notes = [], node, command, note, difference }: LoadDifferenceReport,
  cwd: string,
): string {
  const { first, second, figure, verdict, ratio, low, high, confidence, problems } = difference;
  const text = (value: number): string => (figure === 'rate' ? perSecondText(value) : `p99 ${duration(value)}`);
  return [
    agentLine(
      `result: ${verdict}`,
      `${first.name}: ${text(first.median)}`,
      `${second.name}: ${text(second.median)}`,
      `ratio ${ratio.toFixed(2)}, ${(confidence * PERCENT).toFixed(1)} % interval ${low.toFixed(2)} to ${high.toFixed(2)}`,
      note === undefined ? undefined : `fix: ${note}`,
    ),
    ...problems.slice(0, MOST_NAMED).map((problem) => agentLine(`problem: ${problem}`)),
    ...notes.map((text) => agentLine(`problem: ${text}`)),
    ...sourceLine(source, cwd),
    agentLine(`done: ${request.method} ${request.path} under load on Node ${node}`, command),
  ].join('');
}

export function formatAgentLoadSweep({ request, source, notes = [], node, command, sweep }: LoadSweepReport, cwd: string): string {
  const { figure, points, enough, worse, confidence, problems } = sweep;
  const text = (value: number): string => (figure === 'rate' ? perSecondText(value) : `p99 ${duration(value)}`);
  return [
    agentLine(`result: ${enough === undefined ? 'inconclusive' : `${points[enough]?.name} is enough`}`),
    ...points.map(({ name, median, toFirst }, i) =>
      agentLine(
        name,
        text(median),
        toFirst &&
          `ratio to the first ${toFirst.ratio.toFixed(2)}, ${(confidence * PERCENT).toFixed(1)} % interval ${toFirst.low.toFixed(2)} to ${toFirst.high.toFixed(2)}`,
        worse.includes(i) ? 'worse than the best' : undefined,
      ),
    ),
    ...problems.slice(0, MOST_NAMED).map((problem) => agentLine(`problem: ${problem}`)),
    ...notes.map((text) => agentLine(`problem: ${text}`)),
    ...sourceLine(source, cwd),
    agentLine(`done: ${request.method} ${request.path} under load on Node ${node}`, command),
  ].join('');
}
