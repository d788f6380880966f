// One file's analysis: worked out, and written as text for other threads and for the cache.
import type { FileSummary } from '../../analysis/project/summary.ts';
import { analyseModule, type FileAnalysis, type LintRequest } from '../../analysis/run.ts';
import { readModule } from '../../analysis/text-reader.ts';
import { hashOf } from '../hash.ts';

/** What one file's analysis depends on, as plain data. */
export type AnalysisTask = Pick<LintRequest, 'file' | 'text' | 'project' | 'settings' | 'repairs'> & { profiles?: NonNullable<LintRequest['evidence']>['profiles'] };

/** Both JSON. They are apart because most runs need no summary again. */
export interface AnalysedText {
  result: string;
  summary: string;
}

/** One parse, one walk: what the rules say, what they propose, and the file's part of the graph. */
export function analyseFile(request: LintRequest): FileAnalysis {
  const { file, text } = request;
  const nothing = { file, findings: [], proposals: [], comments: [] };
  try {
    const outcome = readModule(file, text);
    return outcome.ok ? analyseModule(request, outcome.module, true).analysis : { ...nothing, issue: outcome.issue, crashes: [] };
  } catch (error) {
    return { ...nothing, crashes: [{ ruleId: '(engine)', file, error: error as Error }] };
  }
}

export function requestOf({ profiles, ...task }: AnalysisTask, rules: LintRequest['rules']): LintRequest {
  return { ...task, rules, ...(profiles ? { evidence: { profiles, hash: hashOf } } : {}) };
}

export function taskOf({ file, text, project, settings, repairs, evidence }: LintRequest): AnalysisTask {
  return { file, text, project, settings, repairs, ...(evidence ? { profiles: evidence.profiles } : {}) };
}

export function written({ summary, crashes, ...analysis }: FileAnalysis): AnalysedText {
  const told = crashes.map(({ ruleId, file, error }) => ({ ruleId, file, message: error.message, stack: error.stack }));
  return { result: JSON.stringify({ ...analysis, crashes: told }), summary: summary ? JSON.stringify(summary) : '' };
}

/** The summary is left to `summaryOf`: it is much the larger part. */
export function read(result: string): FileAnalysis {
  const { crashes, ...analysis } = JSON.parse(result) as Omit<FileAnalysis, 'crashes'> & { crashes: { ruleId: string; file: string; message: string; stack?: string }[] };
  return { ...analysis, crashes: crashes.map(({ ruleId, file, message, stack }) => ({ ruleId, file, error: Object.assign(new Error(message), { stack }) })) };
}

export function summaryOf(text: string): FileSummary | undefined {
  return text === '' ? undefined : (JSON.parse(text) as FileSummary);
}
