// One file's analysis: worked out, and written as text for other threads and for the cache.
import type { FileSummary } from '../../analysis/project/summary/format.ts';
import type { Finding } from '../../protocol/finding.ts';
import { analyzeModule, type FileAnalysis, type LintRequest } from '../../analysis/run/run.ts';
import { readModule } from '../../analysis/module/text-reader.ts';
import { Interrupted } from '../errors.ts';
import { hashOf } from '../hash.ts';
import { limitFor, TookTooLong, withinTime } from '../time-limit.ts';

/** What one file's analysis depends on, as plain data. */
export type AnalysisTask = Pick<LintRequest, 'file' | 'text' | 'project' | 'settings' | 'repairs' | 'mode'> & {
  profiles?: NonNullable<LintRequest['evidence']>['profiles'];
};

/** Both JSON. They are apart because most runs need no summary again. */
export interface AnalyzedText {
  result: string;
  summary: string;
}

/** Ends the work after a time: `withinTime`, or `withinTimeUnlessStopped`. */
type Limited = typeof withinTime;

/** One parse, one walk: what the rules say, what they propose, and the file's part of the graph. */
export function analyzeFile(request: LintRequest, limit = limitFor(request.text), limited: Limited = withinTime): FileAnalysis {
  const { file, text, rules, repairs, mode = 'summary' } = request;
  const repaired = (repairs ?? true) ? rules.map(({ meta }) => meta.id) : [];
  const nothing = { file, findings: [], proposals: [], comments: [], repaired };
  try {
    return limited((): FileAnalysis => {
      const outcome = readModule(file, text);
      return outcome.ok
        ? { ...analyzeModule({ ...request, mode }, outcome.module).analysis, repaired }
        : { ...nothing, issue: outcome.issue, crashes: [] };
    }, limit);
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    if (error instanceof TookTooLong) return { ...nothing, issue: { message: error.message, offset: 0, tookTooLong: true }, crashes: [] };
    return { ...nothing, crashes: [{ ruleId: '(engine)', file, error: error as Error }] };
  }
}

/**
 * With the fixes of these rules' findings and proposals: they are work, and only a few files need them. Nothing else is worked out again.
 * Undefined if they take too long.
 * @param limit in ms
 */
export function repaired(
  analysis: FileAnalysis,
  request: LintRequest,
  ruleIds: ReadonlySet<string>,
  limit = limitFor(request.text),
  limited: Limited = withinTime,
): FileAnalysis | undefined {
  // Where functions are known by where they start the file's part of the graph is not needed; all that may be proposed must be.
  const again = analyzeFile(
    {
      ...request,
      rules: request.rules.filter(({ meta }) => ruleIds.has(meta.id)),
      repairs: true,
      lookup: () => ({ parameterKinds: [] }),
      mode: 'by-start',
    },
    limit,
    limited,
  );
  if (again.issue?.tookTooLong) return undefined;
  const found = new Map<string, Finding[]>();
  for (const finding of [
    ...again.findings,
    ...again.proposals.flatMap((proposal) => [proposal.finding, ...(proposal.otherwise ? [proposal.otherwise] : [])]),
  ]) {
    const known = found.get(keyOf(finding));
    if (known) known.push(finding);
    else found.set(keyOf(finding), [finding]);
  }
  let isWhole = again.crashes.length === 0 && !again.issue;
  const repair = (finding: Finding): Finding => {
    if (!ruleIds.has(finding.ruleId)) return finding;
    const same = found.get(keyOf(finding))?.shift();
    if (!same) isWhole = false;
    return same ? { ...finding, fixes: same.fixes, refused: same.refused } : finding;
  };
  const findings = analysis.findings.map(repair);
  const proposals = analysis.proposals.map((proposal) => ({
    ...proposal,
    finding: repair(proposal.finding),
    ...(proposal.otherwise ? { otherwise: repair(proposal.otherwise) } : {}),
  }));
  if (isWhole) return { ...analysis, findings, proposals, repaired: [...new Set([...(analysis.repaired ?? []), ...ruleIds])] };
  const { summary, isOutlined } = analysis;
  return {
    ...analyzeFile({ ...request, repairs: true }, limit, limited),
    ...(summary ? { summary } : {}),
    ...(isOutlined ? { isOutlined } : {}),
  };
}

/** What tells a report from the others of its file, but for reports at the same place, which keep their order. */
function keyOf({ ruleId, messageId, span }: Finding): string {
  return `${ruleId} ${messageId} ${span.start} ${span.end}`;
}

export function requestOf({ profiles, ...task }: AnalysisTask, rules: LintRequest['rules']): LintRequest {
  return { ...task, rules, ...(profiles ? { evidence: { profiles, hash: hashOf } } : {}) };
}

export function taskOf({ file, text, project, settings, repairs, evidence }: LintRequest): AnalysisTask {
  return { file, text, project, settings, repairs, ...(evidence ? { profiles: evidence.profiles } : {}) };
}

export function written({ summary, crashes, ...analysis }: FileAnalysis): AnalyzedText {
  const plain = crashes.map(({ ruleId, file, error }) => ({ ruleId, file, message: error.message, stack: error.stack }));
  return { result: JSON.stringify({ ...analysis, crashes: plain }), summary: summary ? JSON.stringify(summary) : '' };
}

/** The summary is left to `summaryOf`: it is much the larger part. */
export function read(result: string): FileAnalysis {
  const { crashes, ...analysis } = JSON.parse(result) as Omit<FileAnalysis, 'crashes'> & {
    crashes: { ruleId: string; file: string; message: string; stack?: string }[];
  };
  return {
    ...analysis,
    crashes: crashes.map(({ ruleId, file, message, stack }) => ({ ruleId, file, error: Object.assign(new Error(message), { stack }) })),
  };
}

export function summaryOf(text: string): FileSummary | undefined {
  return text === '' ? undefined : (JSON.parse(text) as FileSummary);
}
