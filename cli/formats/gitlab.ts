// `--format gitlab`: a Code Quality report, which GitLab shows beside the lines of a merge request.
import type { ReportedSeverity } from '../../protocol/finding.ts';
import { relativeFile } from './github.ts';
import { fingerprinter } from './sarif.ts';
import { regionOf } from './region.ts';
import { productionSentences, type Report } from '../report.ts';

/** GitLab also has `critical` and `blocker`: nothing that is predicted deserves them. */
const SEVERITY: Readonly<Record<ReportedSeverity, string>> = { error: 'major', warning: 'minor', hint: 'info' };

export function formatGitlab(report: Report): string {
  const fingerprint = fingerprinter(report);
  const issues = report.files.flatMap(({ findings }) =>
    findings.map((finding) => {
      const { line, endLine } = regionOf(report.sources.get(finding.file), finding.span);
      const { what, why, remedy } = finding.message;
      return {
        description: [
          what,
          why,
          remedy,
          ...(finding.route === undefined ? [] : [`[${finding.route}]`]),
          ...productionSentences(finding, report),
        ].join(' '),
        check_name: finding.ruleId,
        fingerprint: fingerprint(finding),
        severity: SEVERITY[finding.severity],
        location: { path: relativeFile(finding.file, report.sourceRoot), lines: { begin: line, end: endLine } },
      };
    }),
  );
  return `${JSON.stringify(issues, undefined, 2)}\n`;
}
