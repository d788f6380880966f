// What the commands of the profiler say.
import { nameOfTarget, type LagReport, type ProfileReport } from '../../protocol/evidence.ts';
import type { LoadReport } from '../../protocol/load.ts';
import { costsSeen } from '../../protocol/seen-by-run.ts';
import type { MeasureChangeResult, MeasureFixResult, RunFailure } from '../../protocol/editor.ts';
import { problemDeopts, TIER_NAMES, topTier } from './evidence-notes.ts';
import { amount, delayTime, milliseconds, time } from '../report/figures.ts';
import type { Translate } from '../translate.ts';

/** Why nothing may be run here, or undefined when it may. */
export function refusalOf(
  { trusted, virtual, onDisk }: { trusted: boolean; virtual: boolean; onDisk: boolean },
  t: Translate,
): string | undefined {
  if (!trusted) return t('Profiling runs code, and this workspace is not trusted. Nothing was run.');
  if (virtual) return t('Profiling runs code, and this workspace is not on disk. Nothing was run.');
  return onDisk ? undefined : t('Only saved files can be run. Save the file first.');
}

/** In one line. */
export function doneMessage(report: ProfileReport, t: Translate): string {
  const tier = topTier(report);
  const deopts = problemDeopts(report).reduce((sum, { count }) => sum + count, 0);
  const confirmed = report.verdicts.filter(({ verdict }) => verdict === 'confirmed').length;
  const costs = costsSeen(report);
  const seen = report.verdicts.filter(({ verdict }) => verdict === 'seen').length;
  const refuted = report.verdicts.filter(({ verdict }) => verdict === 'refuted').length;
  const parts = [
    ...(confirmed > 0 ? [t('{0} confirmed', confirmed)] : []),
    ...(costs > 0 ? [t('{0} seen by the run', costs)] : []),
    ...(seen > 0 ? [t('{0} seen without a cost', seen)] : []),
    ...(refuted > 0 ? [t('{0} refuted', refuted)] : []),
    ...(report.timing ? [t('{0}/call', time(report.timing.median))] : []),
    ...(tier ? [TIER_NAMES[tier]] : []),
    deopts === 1 ? t('1 deopt') : t('{0} deopts', amount(deopts)),
  ];
  return t('{0} on Node {1}: {2}.', nameOfTarget(report.target) ?? t('The function'), report.machine.node, parts.join(', '));
}

/** In one line: what the fix gains, and whether it was applied. */
export function measuredMessage({ functionName, difference }: MeasureFixResult & { ok: true }, isApplied: boolean, t: Translate): string {
  const { verdict, first, second, low, high, per } = difference;
  const name = functionName ?? t('The function');
  const times = t('{0} → {1} per {2}', time(first.median), time(second.median), per === 'call' ? t('call') : t('request'));
  const interval = t('99.7 % interval of the difference: {0} to {1}', time(low), time(high));
  const what = {
    faster: t('{0} is faster with the fix: {1} ({2}).', name, times, interval),
    slower: t('{0} is slower with the fix: {1} ({2}).', name, times, interval),
    same: t('{0}: no difference shown with the fix, {1} ({2}).', name, times, interval),
    inconclusive: t('{0}: the times vary too much to tell what the fix gains, {1} ({2}).', name, times, interval),
  }[verdict];
  if (isApplied) return t('{0} The fix was applied.', what);
  return verdict === 'slower' ? t('{0} It was not applied.', what) : t('{0} It was not applied, because the file has changed.', what);
}

/** In one line: the function now and at a commit. */
export function changeMessage({ functionName, difference }: MeasureChangeResult & { ok: true }, t: Translate): string {
  const { verdict, first, second, low, high, per } = difference;
  const name = functionName ?? t('The function');
  const times = t('{0} → {1} per {2}', time(first.median), time(second.median), per === 'call' ? t('call') : t('request'));
  const interval = t('99.7 % interval of the difference: {0} to {1}', time(low), time(high));
  return {
    faster: t('{0} is faster than at {1}: {2} ({3}).', name, first.name, times, interval),
    slower: t('{0} is slower than at {1}: {2} ({3}).', name, first.name, times, interval),
    same: t('{0}: no difference shown since {1}, {2} ({3}).', name, first.name, times, interval),
    inconclusive: t('{0}: the times vary too much to tell what has changed since {1}, {2} ({3}).', name, first.name, times, interval),
  }[verdict];
}

export function failureMessage({ why, remedy }: RunFailure, t: Translate): string {
  return t('Nodometer: {0}', [why, remedy].filter((sentence) => sentence !== '').join(' '));
}

/** In one line. */
export function programMessage(report: ProfileReport, t: Translate): string {
  const confirmed = report.verdicts.filter(({ verdict }) => verdict === 'confirmed').length;
  const costs = costsSeen(report);
  const deopts = problemDeopts(report).reduce((sum, { count }) => sum + count, 0);
  const { program, machine } = report;
  const parts = [
    ...(confirmed > 0 ? [t('{0} confirmed', confirmed)] : []),
    ...(costs > 0 ? [t('{0} seen by the run', costs)] : []),
    ...(program?.cpu ? [t('{0} % of the CPU time in your code', Math.round(program.cpu.user * 100))] : []),
    deopts === 1 ? t('1 deopt') : t('{0} deopts', amount(deopts)),
  ];
  return t('{0} on Node {1}: {2}.', program?.command ?? t('The program'), machine.node, parts.join(', '));
}

/** In one line. */
export function lagMessage({ command, machine, delay, blocks }: LagReport, t: Translate): string {
  const longest = Math.max(delay.max, ...blocks.map(({ duration }) => duration));
  return t(
    '{0} on Node {1}: longest block {2}, blocks over {4}: {3}.',
    command,
    machine.node,
    delayTime(longest),
    blocks.length,
    milliseconds(delay.threshold),
  );
}

/** In one line. */
export function loadMessage({ request, machine, traffic, noResult }: LoadReport, t: Translate): string {
  const name = `${request.method} ${request.path}`;
  if (noResult !== undefined) return t('{0}: no result. {1}', name, noResult);
  const p99 = traffic.latency.percentiles.find(({ percent }) => percent === 99);
  return t(
    '{0} on Node {1}: {2} requests/s, p99 {3}.',
    name,
    machine.node,
    amount(traffic.perSecond),
    milliseconds(p99?.ms ?? traffic.latency.max),
  );
}
