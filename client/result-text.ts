// What the commands say when they are done.
import type { FixAllResult, LintWorkspaceResult } from '../protocol/editor.ts';
import { countText } from './session/status-text.ts';
import type { Translate } from './translate.ts';

export function workspaceMessage(result: LintWorkspaceResult, t: Translate): string {
  const files = result.files === 1 ? t('1 file') : t('{0} files', result.files);
  if (result.cancelled) return t('Nodometer: stopped after {0}: {1} so far.', files, countText(result.findings, t));
  if (result.files === 0) return t('Nodometer: nothing to lint. The workspace has no JavaScript, TypeScript, or deployment files.');
  if (result.findings === 0) return t('Nodometer: no findings in {0}.', files);
  return t(
    'Nodometer: {0} in {1} (errors: {2}, warnings: {3}, hints: {4}).',
    countText(result.findings, t),
    files,
    result.errors,
    result.warnings,
    result.hints,
  );
}

export function fixMessage(result: Pick<FixAllResult, 'made' | 'rejected'>, t: Translate): string {
  const made = result.made === 0 ? t('no safe fixes') : result.made === 1 ? t('1 fix applied') : t('{0} fixes applied', result.made);
  if (result.rejected.length === 0) return t('Nodometer: {0}.', made);
  const first = result.rejected[0];
  const rejected = result.rejected.length === 1 ? t('1 not applied') : t('{0} not applied', result.rejected.length);
  return t('Nodometer: {0}, {1}. {2}', made, rejected, first ? `${first.ruleId}: ${first.reason}` : '');
}

/** One line for each fix that was not made, for the log. */
export function rejectedLines({ rejected }: Pick<FixAllResult, 'rejected'>): string[] {
  return rejected.map(({ ruleId, title, reason }) => `not fixed: ${ruleId}: ${title}: ${reason}`);
}
