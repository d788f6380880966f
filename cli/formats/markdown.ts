// `--format markdown`: a table for each rule, short enough for a comment on a pull request.
import type { Finding } from '../../protocol/finding.ts';
import { count } from '../../workspace/count.ts';
import { describeProduction } from '../../workspace/production/file-production.ts';
import { findingsInOrder, tallyOf, type Report } from '../report.ts';
import { relativeFile } from './github.ts';
import { regionOf } from './region.ts';

/** Rows of a table. GitHub takes 65,536 characters in a comment. Our choice. */
const MOST_ROWS = 50;

export function formatMarkdown(report: Report): string {
  const { errors, warnings, hints, files } = tallyOf(report.files);
  const isPartial = report.known !== undefined || report.since !== undefined;
  const findings = findingsInOrder(report);
  const sum = [
    errors > 0 ? count(errors, 'error') : '',
    warnings > 0 ? count(warnings, 'warning') : '',
    hints > 0 ? count(hints, 'hint') : '',
  ].filter(Boolean);
  const head =
    findings.length === 0
      ? `**Nodometer**: no ${isPartial ? 'new ' : ''}problems found.`
      : `**Nodometer**: ${sum.join(', ')} in ${count(files, 'file')}.`;
  const left = [
    report.known ? `${count(report.known.length, 'finding')} in the baseline` : '',
    report.since ? `${count(report.since.unchanged, 'finding')} that no change since ${code(report.since.ref)} touches` : '',
  ].filter(Boolean);
  const byRule = new Map<string, Finding[]>();
  for (const finding of findings) byRule.set(finding.ruleId, [...(byRule.get(finding.ruleId) ?? []), finding]);
  const tables = [...byRule].sort(([a], [b]) => (a < b ? -1 : 1)).map(([rule, list]) => table(rule, list, report));
  return `${[head, ...tables, fixed(report), judgedAnew(report), left.length > 0 ? `Not shown: ${left.join(', ')}.` : ''].filter(Boolean).join('\n\n')}\n`;
}

function table(rule: string, findings: readonly Finding[], report: Report): string {
  // A column of its own, where something was imported.
  const isKnown = findings.some((finding) => report.production.has(finding));
  const rows = findings.slice(0, MOST_ROWS).map((finding) => {
    const { line } = regionOf(report.sources.get(finding.file), finding.span);
    const place = code(`${relativeFile(finding.file, report.sourceRoot)}:${line}`);
    const production = report.production.get(finding);
    const cells = [place, finding.severity, prose(finding.message.what), finding.route === undefined ? '' : code(finding.route)];
    return `| ${[...cells, ...(isKnown ? [production ? describeProduction(production, report.now) : ''] : [])].join(' | ')} |`;
  });
  const more = findings.length - rows.length;
  return [
    `### ${rule} (${findings.length})`,
    '',
    `| place | severity | finding | route |${isKnown ? ' production |' : ''}`,
    `|---|---|---|---|${isKnown ? '---|' : ''}`,
    ...rows,
    ...(more > 0 ? [`| ${more} more | | | |${isKnown ? ' |' : ''}`] : []),
  ].join('\n');
}

/** What the baseline knows and the code no longer has. */
function fixed({ gone = [], sourceRoot }: Report): string {
  const rows = gone.map(
    ({ file, rule, code: text, routes }) =>
      `| ${[code(relativeFile(file, sourceRoot)), rule, code(text), routes.map(code).join(', ')].join(' | ')} |`,
  );
  return section('Fixed', ['place', 'rule', 'code', 'routes'], rows);
}

/** Verdicts of committed evidence that differ from those before the change. */
function judgedAnew({ since, sourceRoot }: Report): string {
  const rows = (since?.verdicts ?? []).map(
    ({ file, function: fn, rule, code: text, before, now }) =>
      `| ${[code(`${relativeFile(file, sourceRoot)}:${fn}`), rule, code(text), before ?? 'none', now ?? 'none'].join(' | ')} |`,
  );
  return section('Changed verdicts', ['place', 'rule', 'code', 'before', 'now'], rows);
}

function section(title: string, columns: readonly string[], rows: readonly string[]): string {
  if (rows.length === 0) return '';
  const more = rows.length - MOST_ROWS;
  return [
    `### ${title} (${rows.length})`,
    '',
    `| ${columns.join(' | ')} |`,
    `|${'---|'.repeat(columns.length)}`,
    ...rows.slice(0, MOST_ROWS),
    ...(more > 0 ? [`| ${more} more |${' |'.repeat(columns.length - 1)}`] : []),
  ].join('\n');
}

/** Messages have `code` in back quotes. All else is text, whatever Markdown, HTML, or GitHub would make of it. */
function prose(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part, i) => (i % 2 === 1 ? code(part.slice(1, -1)) : escaped(part)))
    .join('');
}

/** What CommonMark and tables give a meaning, and what GitHub makes a link or a notification of. */
function escaped(text: string): string {
  return oneLine(text)
    .replace(/[\\`*_[\]~|!]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[@#]|:(?=\/\/)|(?<=www)\./gi, '$&<!-- -->');
}

/** Code with a fence of its own. A table ends a cell at a bar within code, too. */
function code(text: string): string {
  const clean = oneLine(text);
  if (clean.trim() === '') return '';
  const longest = Math.max(0, ...(clean.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  const padding = clean.startsWith('`') || clean.endsWith('`') ? ' ' : '';
  return `${fence}${padding}${clean.replaceAll('|', '\\|')}${padding}${fence}`;
}

function oneLine(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ');
}
