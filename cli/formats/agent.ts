// `--format agent`: one line for each finding, and a last line that is always there.
import { sep } from 'node:path';
import { SCRIPT_FILE } from '../../analysis/module/parse.ts';
import { VERDICT_WORDS } from '../../protocol/evidence.ts';
import type { Finding } from '../../protocol/finding.ts';
import { count } from '../../workspace/count.ts';
import { describeProduction } from '../../workspace/production/file-production.ts';
import { findingsInOrder, tallyOf, type Report } from '../report.ts';
import { agentLine, shellWord } from './agent-line.ts';
import { regionOf } from './region.ts';
import { insideOf } from '../../files/inside.ts';

export function formatAgent(report: Report): string {
  const findings = findingsInOrder(report);
  return [...findings.map((finding) => findingLine(finding, report)), closingLine(report)].join('');
}

export function findingLine(
  finding: Finding,
  report: Pick<Report, 'sources' | 'cwd' | 'idOf' | 'rules'> & Partial<Pick<Report, 'production' | 'now'>>,
): string {
  const production = report.production?.get(finding);
  const { what, remedy } = finding.message;
  const { id } = report.idOf(finding);
  return agentLine(
    `${placeText(finding, report)} ${finding.severity} ${finding.ruleId} ${id}`,
    finding.route ?? (finding.isForCallers ? 'for callers of this package' : undefined),
    `${what} ${remedy}`,
    viaOf(finding, report),
    `cost: ${costOf(finding)}`,
    production && `production: ${describeProduction(production, report.now ?? 0)}`,
    `fix: ${fixOf(finding, id)}`,
    `prove: ${proofOf(finding, report)}`,
  );
}

export function pathText(file: string, cwd: string): string {
  return (insideOf(cwd, file) || file).split(sep).join('/');
}

function placeText({ file, span }: Pick<Finding, 'file' | 'span'>, { sources, cwd }: Pick<Report, 'sources' | 'cwd'>): string {
  const { line, column } = regionOf(sources.get(file), span);
  return `${pathText(file, cwd)}:${line}:${column}`;
}

/** The last call on the way of a request. Whoever looks for a slow place may know that one only. */
function viaOf({ file, related }: Finding, report: Pick<Report, 'sources' | 'cwd'>): string | undefined {
  const step = related.at(-1);
  return step && /^(?:calls|passes) /.test(step.message)
    ? `via: ${placeText({ file: step.file ?? file, span: step.span }, report)}`
    : undefined;
}

function costOf({ evidence }: Finding): string {
  if (!evidence) return 'not measured';
  const { verdict, figure, node, date, stale } = evidence;
  const when = `Node ${node}, ${date.slice(0, 'yyyy-mm-dd'.length)}`;
  return `${figure} (${VERDICT_WORDS[verdict]}, ${when}${stale ? '; the code has changed since' : ''})`;
}

/** The first fix is the one that `nodometer fix` makes. */
function fixOf({ fixes, refused }: Finding, id: string): string {
  const fix = fixes.find(({ edits }) => edits.length > 0);
  if (fix) return `nodometer fix ${id} (${fix.kind}: ${fix.title}${fix.cost === undefined ? '' : `; ${fix.cost}`})`;
  const [no] = refused;
  return no ? `none (${no.title}: ${no.reason})` : 'none';
}

/** The command that judges the finding by running its code. */
export function proofOf(finding: Finding, report: Pick<Report, 'sources' | 'cwd' | 'idOf' | 'rules'>): string {
  const claims = report.rules
    .find(({ meta }) => meta.id === finding.ruleId)
    ?.meta.confirmedBy.filter(({ messages }) => !messages || messages.includes(finding.messageId));
  if (!claims || claims.length === 0) return 'none (no run can judge this rule)';
  if (claims.every(({ kind }) => kind === 'load')) return 'nodometer compare --load --node-env';
  if (!SCRIPT_FILE.test(finding.file)) return 'none (a run cannot judge this code)';
  const place = report.idOf(finding).isInFunction ? placeText(finding, report) : pathText(finding.file, report.cwd);
  const word = shellWord(place);
  return word === undefined
    ? 'none (the name of the file cannot be written in a command)'
    : `nodometer profile ${finding.isForCallers ? '--exports ' : ''}${word}`;
}

function closingLine({ files, scriptCount, deploymentCount, unread, crashes, known, since }: Report): string {
  const { errors, warnings, hints, files: fileCount } = tallyOf(files);
  const sum =
    errors + warnings + hints === 0
      ? 'no findings'
      : `${count(errors, 'error')}, ${count(warnings, 'warning')}, ${count(hints, 'hint')} in ${count(fileCount, 'file')}`;
  const left = [
    known ? `${count(known.length, 'finding')} in the baseline` : '',
    since ? `${count(since.unchanged, 'finding')} that no change since ${since.ref} touches` : '',
  ].filter(Boolean);
  return agentLine(
    `done: ${sum}`,
    `${count(scriptCount + deploymentCount, 'file')} read`,
    unread.length > 0 ? `${count(unread.length, 'file')} could not be parsed` : undefined,
    crashes.length > 0 ? `${count(crashes.length, 'rule')} crashed` : undefined,
    left.length > 0 ? `not shown: ${left.join(', ')}` : undefined,
  );
}
