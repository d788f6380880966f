// `--format json`: an array of findings, lines and columns from 1, absolute paths. Every key always stands there.
import type { FindingEvidence, FixKind, NamedFix, ReportedSeverity } from '../../protocol/finding.ts';
import type { Production } from '../../protocol/production.ts';
import { findingsInOrder, type Report } from '../report.ts';
import { regionOf } from './region.ts';

export interface JsonFinding {
  file: string;
  line: number;
  column: number;
  endLine: number;
  endColumn: number;
  ruleId: string;
  messageId: string;
  severity: ReportedSeverity;
  /** What, why and what to do, one after the other. */
  message: string;
  related: { file: string; line: number; column: number; message: string }[];
  fixes: { title: string; kind: FixKind; named?: NamedFix; cost?: string }[];
  /** Null where there is none, or no known one. */
  function: string | null;
  route: string | null;
  /** The verdict of a profile that was kept; null without one. */
  evidence: FindingEvidence | null;
  /** What was imported of its function and its routes; null where nothing is known. */
  production: Production | null;
}

export function jsonFindings(report: Report): JsonFinding[] {
  return findingsInOrder(report).map((finding): JsonFinding => {
    const source = report.sources.get(finding.file);
    return {
      file: finding.file,
      ...regionOf(source, finding.span),
      ruleId: finding.ruleId,
      messageId: finding.messageId,
      severity: finding.severity,
      message: `${finding.message.what} ${finding.message.why} ${finding.message.remedy}`,
      related: finding.related.map((place) => {
        const file = place.file ?? finding.file;
        const { line, column } = regionOf(report.sources.get(file), place.span);
        return { file, line, column, message: place.message };
      }),
      fixes: finding.fixes.map(({ title, kind, named, cost }) => ({
        title,
        kind,
        ...(named && { named }),
        ...(cost !== undefined && { cost }),
      })),
      function: finding.functionName ?? null,
      route: finding.route ?? null,
      evidence: finding.evidence ?? null,
      production: report.production.get(finding) ?? null,
    };
  });
}

export function formatJson(report: Report): string {
  return `${JSON.stringify(jsonFindings(report), undefined, 2)}\n`;
}
