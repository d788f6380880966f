// The report for people: place, code frame, what, why, what to do, the way there, fixes; then a summary.
import type { Colors } from 'picocolors/types';
import { VERDICT_WORDS } from '../../protocol/evidence.ts';
import { titleWithCost, type Finding, type FindingEvidence, type ReportedSeverity } from '../../protocol/finding.ts';
import type { Source } from '../../analysis/module/source.ts';
import { count } from '../../workspace/count.ts';
import { describeProduction } from '../../workspace/production/file-production.ts';
import { evidenceSentence, findingsInOrder, productionSentence, tallyOf, type Report } from '../report.ts';
import { codeFrame, type FrameLine } from './code-frame.ts';
import { visible, wrap } from './display-text.ts';
import { positionOf } from './region.ts';
import { insideOf } from '../../files/inside.ts';

export interface StylishOptions {
  colors: Colors;
  /** Width of the terminal; undefined when nobody looks at one: then nothing is wrapped. */
  columns?: number;
  /** Glyphs beyond ASCII. */
  unicode: boolean;
}

interface Style extends StylishOptions {
  glyphs: Readonly<Record<ReportedSeverity | 'ok' | 'bar' | 'arrow' | 'skip', string>>;
  paint: Readonly<Record<ReportedSeverity, (text: string) => string>>;
  sources: ReadonlyMap<string, Source>;
  cwd: string;
}

const UNICODE_GLYPHS = { error: '✖', warning: '⚠', hint: 'ℹ', ok: '✔', bar: '│', arrow: '❯', skip: '⋮' };
const ASCII_GLYPHS = { error: 'x', warning: '!', hint: 'i', ok: 'ok', bar: '|', arrow: '>', skip: ':' };

/** Lines of code before and after the finding. */
const CONTEXT = 2;
// Code lines are cut at the terminal's edge; without one, where a reviewer would stop reading.
const UNKNOWN_CODE_WIDTH = 160;
const MIN_COLUMNS = 40;
const INDENT = '  ';
/** Widest label (`suggestion`) and a gap. */
const LABEL = 12;

export function formatStylish(report: Report, options: StylishOptions): string {
  const { colors } = options;
  const style: Style = {
    ...options,
    columns: options.columns === undefined ? undefined : Math.max(options.columns, MIN_COLUMNS),
    glyphs: options.unicode ? UNICODE_GLYPHS : ASCII_GLYPHS,
    paint: { error: (text) => colors.red(text), warning: (text) => colors.yellow(text), hint: (text) => colors.blue(text) },
    sources: report.sources,
    cwd: report.cwd,
  };
  const blocks = findingsInOrder(report).map((finding) => {
    const production = report.production.get(finding);
    return findingBlock(finding, style, production && describeProduction(production, report.now));
  });
  blocks.push(summaryBlock(report, style));
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function findingBlock(finding: Finding, style: Style, production: string | undefined): string[] {
  const { colors, glyphs } = style;
  const paint = style.paint[finding.severity];
  const place = `${placeOf(finding.file, finding.span.start, style)}`;
  const lines = [`${colors.underline(place)}  ${paint(`${glyphs[finding.severity]} ${finding.severity}`)}  ${colors.dim(finding.ruleId)}`];
  for (const line of wrap(finding.message.what, innerWidth(style, INDENT.length))) lines.push(`${INDENT}${colors.bold(line)}`);
  const source = style.sources.get(finding.file);
  if (source) lines.push('', ...frame(source, finding.span, CONTEXT, INDENT, style, paint), '');
  lines.push(...labeled('why', finding.message.why, style), ...labeled('do', finding.message.remedy, style));
  if (finding.route !== undefined) lines.push(...labeled('route', finding.route, style));
  if (finding.functionName !== undefined) lines.push(...labeled('in', `${finding.functionName}()`, style));
  if (finding.evidence) lines.push(...labeled('evidence', describeEvidence(finding.evidence), style));
  if (production !== undefined) lines.push(...labeled('production', production, style));
  lines.push(...relatedLines(finding, style), ...fixLines(finding, style));
  return lines;
}

/** `confirmed: 7 shapes, megamorphic (Node 24.9.0, 2026-11-20)`. */
function describeEvidence({ verdict, figure, node, date, stale }: FindingEvidence): string {
  return `${stale ? 'outdated, the code has changed: ' : ''}${VERDICT_WORDS[verdict]}: ${figure} (Node ${node}, ${date.slice(0, 'yyyy-mm-dd'.length)})`;
}

function relatedLines(finding: Finding, style: Style): string[] {
  const { colors } = style;
  return finding.related.flatMap((place, i) => {
    const file = place.file ?? finding.file;
    const head = `${i + 1}. ${place.message}`;
    const indent = INDENT + ' '.repeat(LABEL);
    const [first = '', ...rest] = wrap(head, innerWidth(style, indent.length));
    const lines = [
      `${i === 0 ? INDENT + colors.dim('see'.padEnd(LABEL)) : indent}${first}`,
      ...rest.map((line) => `${indent}   ${line}`),
      `${indent}   ${colors.dim(placeOf(file, place.span.start, style))}`,
    ];
    const source = style.sources.get(file);
    if (source) lines.push(...frame(source, place.span, 0, `${indent}   `, style, (text) => colors.cyan(text)));
    return lines;
  });
}

function fixLines(finding: Finding, style: Style): string[] {
  const lines = finding.fixes.flatMap((fix) =>
    fix.kind === 'safe'
      ? labeled('fix', `${titleWithCost(fix)} (safe: --fix)`, style)
      : labeled(
          'suggestion',
          `${titleWithCost(fix)} (review it: ${fix.named ? `--fix-kind ${fix.named}` : '--fix-type suggestion'})`,
          style,
        ),
  );
  return [...lines, ...finding.refused.flatMap((refused) => labeled('not offered', `${refused.title}: ${refused.reason}`, style))];
}

/** A dimmed label and its text, wrapped under itself. */
function labeled(label: string, text: string, style: Style): string[] {
  const [first = '', ...rest] = wrap(text, innerWidth(style, INDENT.length + LABEL));
  return [`${INDENT}${style.colors.dim(label.padEnd(LABEL))}${first}`, ...rest.map((line) => `${INDENT}${' '.repeat(LABEL)}${line}`)];
}

function frame(
  source: Source,
  span: { start: number; end: number },
  context: number,
  indent: string,
  style: Style,
  paint: (text: string) => string,
): string[] {
  const { colors, glyphs, columns } = style;
  // A first guess of the gutter is enough: line numbers of one frame differ by a digit at most.
  const digits = String(source.positionAt(span.end).line + context).length;
  const gutter = indent.length + digits + 5;
  const lines = codeFrame({
    source,
    span,
    context,
    width: Math.max((columns ?? UNKNOWN_CODE_WIDTH + gutter) - gutter, MIN_COLUMNS - gutter),
  });
  return lines.flatMap((line) => frameLine(line));

  function frameLine(line: FrameLine): string[] {
    if (line.number === undefined)
      return [`${indent}  ${colors.dim(glyphs.skip.padStart(digits))} ${colors.dim(`${glyphs.bar} ${line.text}`)}`];
    const number = String(line.number).padStart(digits);
    const bar = colors.dim(glyphs.bar);
    if (!line.mark) return [`${indent}  ${colors.dim(number)} ${bar} ${line.text}`.trimEnd()];
    const underline = ' '.repeat(line.mark.start) + paint('^'.repeat(line.mark.width));
    return [`${indent}${paint(glyphs.arrow)} ${number} ${bar} ${line.text}`, `${indent}  ${' '.repeat(digits)} ${bar} ${underline}`];
  }
}

function summaryBlock(report: Report, style: Style): string[] {
  const { colors, glyphs, paint } = style;
  const tally = tallyOf(report.files);
  const seconds = `${(report.elapsedMs / 1000).toFixed(2)} s`;
  const looked = listParts([
    count(report.scriptCount, 'file'),
    report.deploymentCount > 0 ? count(report.deploymentCount, 'deployment file') : '',
  ]);
  const isEmpty = report.scriptCount + report.deploymentCount === 0;
  const found = [
    tally.errors > 0 ? paint.error(`${glyphs.error} ${count(tally.errors, 'error')}`) : '',
    tally.warnings > 0 ? paint.warning(`${glyphs.warning} ${count(tally.warnings, 'warning')}`) : '',
    tally.hints > 0 ? paint.hint(`${glyphs.hint} ${count(tally.hints, 'hint')}`) : '',
  ].filter(Boolean);
  const lines = [
    found.length > 0
      ? `${found.join(', ')} in ${count(tally.files, 'file')} (${seconds})`
      : isEmpty
        ? `No files were checked (${seconds})`
        : `${colors.green(`${glyphs.ok} No ${report.known || report.since ? 'new ' : ''}problems found`)} (${seconds})`,
  ];
  const say = (label: string, text: string) => {
    if (text !== '') lines.push(...labeled(label, text, style));
  };
  if (!isEmpty) say('checked', looked);
  const { fixes } = report;
  if (fixes.made > 0)
    say(
      'fixed',
      `${count(fixes.made, 'finding')} in ${count(fixes.files, 'file')}${fixes.dryRun ? ' (dry run: no files were changed)' : ''}`,
    );
  say(
    'fixable',
    listParts([
      tally.safe > 0 ? `${tally.safe} with --fix` : '',
      tally.suggestions > 0 ? `${tally.suggestions} with --fix-type suggestion` : '',
      tally.named > 0 ? `${tally.named} with --fix-kind` : '',
    ]),
  );
  for (const rejected of fixes.rejected)
    say('not fixed', `${shown(rejected.file, style.cwd)}: ${rejected.title} (${rejected.ruleId}): ${rejected.reason}`);
  const slow = report.unread.filter(({ issue }) => issue.tookTooLong).length;
  if (report.unread.length > slow) say('not parsed', `${count(report.unread.length - slow, 'file')} with syntax errors`);
  if (slow > 0) say('not read', `${count(slow, 'file')} that took too long`);
  if (report.silenced.length > 0) say('suppressed', `${count(report.silenced.length, 'finding')} by nodometer-disable comments`);
  if (report.known) say('known', `${count(report.known.length, 'finding')} in the baseline`);
  if (report.since) say('unchanged', `${count(report.since.unchanged, 'finding')} that no change since ${report.since.ref} touches`);
  say('evidence', evidenceSentence(report.evidence));
  say('production', productionSentence(report));
  say('skipped', listParts(report.skipped.describe()));
  say('Node', rangesOf(report));
  return lines;
}

/** Node ranges named in the summary; a large monorepo has more than anyone reads. */
const SHOWN_RANGES = 3;

function rangesOf({ nodeRanges }: Report): string {
  const named = nodeRanges
    .slice(0, SHOWN_RANGES)
    .map((use) => `${use.range} (${use.source}${nodeRanges.length > 1 ? `, ${count(use.files, 'file')}` : ''})`);
  const more = nodeRanges.length - named.length;
  return listParts([...named, more > 0 ? `${more} more` : '']);
}

function listParts(parts: readonly string[]): string {
  return parts.filter(Boolean).join(', ');
}

function innerWidth({ columns }: Style, used: number): number | undefined {
  return columns === undefined ? undefined : Math.max(columns - used, MIN_COLUMNS / 2);
}

/** `path:line:column`, which terminals make clickable. */
function placeOf(file: string, offset: number, style: Style): string {
  const source = style.sources.get(file);
  const position = source ? positionOf(source, offset) : undefined;
  return `${shown(file, style.cwd)}${position ? `:${position.line}:${position.column}` : ''}`;
}

/** Relative to the working directory, unless that would lead out of it. */
function shown(file: string, cwd: string): string {
  return visible(insideOf(cwd, file) || file);
}
