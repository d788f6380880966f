// What one run of `nodometer lint` found: plain data that every format is made from.
import type { Finding, Fix, ReportedSeverity } from '../protocol/finding.ts';
import type { AnyRule } from '../analysis/rule.ts';
import type { RuleCrash } from '../analysis/run/run.ts';
import type { Silenced } from '../analysis/run/suppress.ts';
import type { Source } from '../analysis/module/source.ts';
import type { FileReport, NodeRangeUse, RejectedFix, UnreadFile } from '../workspace/lint-run.ts';
import { count } from '../workspace/count.ts';
import type { KnownEntry } from '../workspace/baseline/baseline-file.ts';
import type { ChangedVerdict } from '../workspace/baseline/changed-verdicts.ts';
import type { FindingId } from '../workspace/baseline/finding-ids.ts';
import type { Production } from '../protocol/production.ts';
import { byProduction, describeProduction } from '../workspace/production/file-production.ts';
import type { Skipped } from '../workspace/discovery/skipped.ts';

export interface Report {
  /** Files with findings, by path. */
  files: readonly FileReport[];
  unread: readonly UnreadFile[];
  crashes: readonly RuleCrash[];
  /** Text of every file that a finding, a related place or an unread file points into. */
  sources: ReadonlyMap<string, Source>;
  rules: readonly AnyRule[];
  cwd: string;
  /** The repository's root, or `cwd`: what machine formats give paths relative to. */
  sourceRoot: string;
  version: string;
  /** JavaScript and TypeScript files read. */
  scriptCount: number;
  /** package.json, Dockerfile and the like. */
  deploymentCount: number;
  silenced: readonly Silenced[];
  /** Findings of the baseline; undefined without one. They are not among those of `files`. */
  known?: readonly KnownFinding[];
  /** What the baseline knows and the code no longer has, with absolute paths. */
  gone?: readonly KnownEntry[];
  /** `--since`, how many findings nothing of the change touches, and the verdicts of committed evidence that have changed. */
  since?: { ref: string; unchanged: number; verdicts: readonly ChangedVerdict[] };
  /** Findings that a kept verdict says something of, as long as their code is the same. */
  evidence: EvidenceTally;
  /** What was imported of the functions and routes of findings. It changes nothing but their order. */
  production: ReadonlyMap<Finding, Production>;
  order: 'place' | 'production';
  /** In ms since 1970. */
  now: number;
  /** What identifies each finding, for commands that take one. */
  idOf(finding: Finding): FindingId;
  skipped: Skipped;
  nodeRanges: readonly NodeRangeUse[];
  fixes: { made: number; files: number; dryRun: boolean; rejected: readonly RejectedFix[] };
  elapsedMs: number;
}

/** A finding that a baseline knows. */
export interface KnownFinding {
  finding: Finding;
  /** yyyy-mm-dd */
  date: string;
  reason?: string;
}

export interface EvidenceTally {
  /** Shown as hints, whatever they were. */
  refuted: number;
  /** Shown as warnings at least. */
  confirmed: number;
}

export function evidenceIn(files: readonly FileReport[]): EvidenceTally {
  const tally: EvidenceTally = { refuted: 0, confirmed: 0 };
  for (const { findings } of files)
    for (const { evidence } of findings)
      if (evidence && !evidence.stale && (evidence.verdict === 'refuted' || evidence.verdict === 'confirmed')) tally[evidence.verdict]++;
  return tally;
}

/** Empty where evidence changes nothing. */
export function evidenceSentence({ refuted, confirmed }: EvidenceTally): string {
  const parts = [
    refuted > 0 ? `${count(refuted, 'finding')} refuted by evidence (shown as ${refuted === 1 ? 'a hint' : 'hints'})` : '',
    confirmed > 0 ? `${count(confirmed, 'finding')} confirmed by evidence` : '',
  ].filter(Boolean);
  return parts.join(', ');
}

export interface Tally {
  errors: number;
  warnings: number;
  hints: number;
  files: number;
  safe: number;
  suggestions: number;
  /** Findings whose only fixes are made by name. */
  named: number;
}

export function tallyOf(files: readonly FileReport[]): Tally {
  const tally: Tally = { errors: 0, warnings: 0, hints: 0, files: 0, safe: 0, suggestions: 0, named: 0 };
  for (const { findings } of files) {
    if (findings.length > 0) tally.files++;
    for (const finding of findings) {
      tally[COUNTED_AS[finding.severity]]++;
      const best = bestFix(finding.fixes);
      if (best?.kind === 'safe') tally.safe++;
      else if (best?.named) tally.named++;
      else if (best) tally.suggestions++;
    }
  }
  return tally;
}

const COUNTED_AS: Readonly<Record<ReportedSeverity, 'errors' | 'warnings' | 'hints'>> = {
  error: 'errors',
  warning: 'warnings',
  hint: 'hints',
};

function bestFix(fixes: readonly Fix[]): Fix | undefined {
  return fixes.find((fix) => fix.kind === 'safe') ?? fixes.find((fix) => fix.named === undefined) ?? fixes[0];
}

/** Empty where nothing is known of the findings. */
export function productionSentence({ files, order, production }: Pick<Report, 'files' | 'order' | 'production'>): string {
  const known = files.flatMap(({ findings }) => findings.filter((finding) => production.has(finding))).length;
  if (known === 0) return '';
  const sentence = `${count(known, 'finding')} in code that ran in production`;
  return order === 'production'
    ? `${sentence}, the most samples and requests first`
    : `${sentence} (to show them first: --order production)`;
}

/** A sentence of what is known of a finding; none where nothing is. */
export function productionSentences(finding: Finding, { production, now }: Pick<Report, 'production' | 'now'>): string[] {
  const known = production.get(finding);
  return known ? [`${describeProduction(known, now)}.`] : [];
}

/** All findings in the order that was asked for. */
export function findingsInOrder({ files, order, production }: Pick<Report, 'files' | 'order' | 'production'>): Finding[] {
  const findings = files.flatMap((file) => file.findings);
  return order === 'place' ? findings : findings.sort((a, b) => byProduction(production.get(a), production.get(b)));
}

/** The report with the errors alone (`--quiet`). */
export function errorsOnly(report: Report): Report {
  const files = report.files
    .map((one) => ({ ...one, findings: one.findings.filter((finding) => finding.severity === 'error') }))
    .filter((one) => one.findings.length > 0);
  return { ...report, files };
}
