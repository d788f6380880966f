// `--format github`: workflow commands that GitHub shows as annotations beside the code.
import { sep } from 'node:path';
import type { ReportedSeverity } from '../../protocol/finding.ts';
import { productionSentences, type Report } from '../report.ts';
import { safeInCommand } from '../safe-output.ts';
import { regionOf } from './region.ts';
import { insideOf } from '../../files/inside.ts';

const COMMAND: Readonly<Record<ReportedSeverity, string>> = { error: 'error', warning: 'warning', hint: 'notice' };

export function formatGithub(report: Report): string {
  return report.files
    .flatMap(({ findings }) =>
      findings.map((finding) => {
        const { line, column, endLine, endColumn } = regionOf(report.sources.get(finding.file), finding.span);
        const properties = [
          `file=${property(relativeFile(finding.file, report.sourceRoot))}`,
          `line=${line}`,
          `endLine=${endLine}`,
          // GitHub refuses columns for a range over several lines. Its end column is the last one inside.
          ...(line === endLine ? [`col=${column}`, `endColumn=${Math.max(column, endColumn - 1)}`] : []),
          `title=${property(`nodometer/${finding.ruleId}`)}`,
        ];
        const { what, why, remedy } = finding.message;
        const route = finding.route === undefined ? '' : ` [${finding.route}]`;
        return `::${COMMAND[finding.severity]} ${properties.join(',')}::${data([`${what}${route}`, why, remedy, ...productionSentences(finding, report)].join('\n'))}\n`;
      }),
    )
    .join('');
}

/** GitHub finds the line in the checkout, so the path starts at the repository's root. */
export function relativeFile(file: string, root: string): string {
  return (insideOf(root, file) ?? file).split(sep).join('/');
}

// As @actions/core escapes them.
function data(text: string): string {
  return safeInCommand(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
