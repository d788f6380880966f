// What the commands of the profiler say.
import type { LagReport, ProfileReport } from '../../protocol/evidence.ts';
import type { ProfileResult } from '../../protocol/editor.ts';
import { problemDeopts, TIER_NAMES, topTier } from './evidence-notes.ts';
import { amount, milliseconds, time } from '../report/figures.ts';
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
  const seen = report.verdicts.filter(({ verdict }) => verdict === 'seen').length;
  const refuted = report.verdicts.filter(({ verdict }) => verdict === 'refuted').length;
  const parts = [
    ...(confirmed > 0 ? [t('{0} confirmed', confirmed)] : []),
    ...(seen > 0 ? [t('{0} seen without a cost', seen)] : []),
    ...(refuted > 0 ? [t('{0} refuted', refuted)] : []),
    ...(report.timing ? [t('{0}/call', time(report.timing.median))] : []),
    ...(tier ? [TIER_NAMES[tier]] : []),
    deopts === 1 ? t('1 deopt') : t('{0} deopts', amount(deopts)),
  ];
  return t('{0} on Node {1}: {2}.', report.target.functionName ?? t('The function'), report.machine.node, parts.join(', '));
}

export function failureMessage({ why, remedy }: ProfileResult & { ok: false }, t: Translate): string {
  return t('Nodometer: {0}', [why, remedy].filter((sentence) => sentence !== '').join(' '));
}

/** In one line. */
export function programMessage(report: ProfileReport, t: Translate): string {
  const confirmed = report.verdicts.filter(({ verdict }) => verdict === 'confirmed').length;
  const deopts = problemDeopts(report).reduce((sum, { count }) => sum + count, 0);
  const { program, machine } = report;
  const parts = [
    ...(confirmed > 0 ? [t('{0} confirmed', confirmed)] : []),
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
    milliseconds(longest),
    blocks.length,
    milliseconds(delay.threshold),
  );
}
