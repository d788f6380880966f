// Reports as Markdown: what the terminal writes with `--format markdown`.
import { findDeoptReason } from '../../knowledge/deopt-reasons.ts';
import type { ComparisonRow, LagReport, ProfileReport } from '../../protocol/evidence.ts';
import type { LoadReport } from '../../protocol/load.ts';
import { formatLag } from '../../workspace/formats/lag-text.ts';
import { formatLoad } from '../../workspace/formats/load-text.ts';
import { MARKDOWN } from '../../workspace/formats/profile-style.ts';
import { formatProfile } from '../../workspace/formats/profile-text.ts';

/** @param root folder that the files are named from */
export function profileMarkdown(reports: readonly ProfileReport[], root: string, comparison?: readonly ComparisonRow[]): string {
  return formatProfile({
    reports,
    comparison,
    cwd: root,
    explainReason: (reason) => findDeoptReason(reason)?.meaning,
    style: MARKDOWN,
    verbose: true,
  });
}

export function lagMarkdown(report: LagReport, root: string): string {
  return formatLag(report, root, MARKDOWN);
}

export function loadMarkdown(report: LoadReport, root: string): string {
  return formatLoad(report, root, MARKDOWN);
}
