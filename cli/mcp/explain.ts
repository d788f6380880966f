// The tool `explain`: one finding with its path, its code, and its fixes; or a rule.
import { applyEdits } from '../../analysis/module/edit.ts';
import { Source } from '../../analysis/module/source.ts';
import { titleWithCost, type Finding, type Fix, type Span } from '../../protocol/finding.ts';
import { CommandError } from '../../workspace/errors.ts';
import { setupArguments } from '../commands/fix.ts';
import { findingLine, pathText } from '../formats/agent.ts';
import { codeFrame, type FrameLine } from '../formats/code-frame.ts';
import { visible } from '../formats/display-text.ts';
import { regionOf } from '../formats/region.ts';
import type { Host } from '../host.ts';
import { productionOf } from '../production-of.ts';
import { readProjectFindings, type ProjectFindings } from '../project-findings.ts';
import { safeText } from '../safe-output.ts';

const CONTEXT_LINES = 3;
const FRAME_WIDTH = 120;
/** The line that stands for others has no number of its own, and comes behind the third of an edit. */
const PART_OF_A_LINE = 2.5;
/** Steps of a path, and fixes. */
const MOST_STEPS = 20;
const MOST_FIXES = 4;

export async function explainFinding(id: string, host: Host): Promise<string> {
  const findings = await readProjectFindings(setupArguments(), host, true);
  const finding = findings.find(id);
  if (!finding)
    throw new CommandError(`No finding has the ID \`${id}\` now: it is fixed, or its code has changed. To list them, call \`findings\`.`);
  return safeText(textOf(finding, findings, host), false);
}

function textOf(finding: Finding, { run, ids, rules }: ProjectFindings, { cwd, date }: Host): string {
  const { file, span, message, related, fixes, refused, routes, route } = finding;
  const production = productionOf(run, [{ file, findings: [finding] }], () => undefined);
  const report = { sources: run.sources, cwd, rules, idOf: (one: Finding) => ids.of(one), production, now: date() };
  const source = run.sources.get(file);
  const place = (inFile: string, at: { start: number; end: number }): string => {
    const { line, column } = regionOf(run.sources.get(inFile), at);
    return visible(`${pathText(inFile, cwd)}:${line}:${column}`);
  };
  const reached = routes ?? (route === undefined ? [] : [route]);
  const steps = related
    .slice(0, MOST_STEPS)
    .map((step, i) => `  ${i + 1}. ${place(step.file ?? file, step.span)} ${visible(step.message)}`);
  return [
    findingLine(finding, report).trimEnd(),
    '',
    `What: ${visible(message.what)}`,
    `Why: ${visible(message.why)}`,
    `Remedy: ${visible(message.remedy)}`,
    ...(reached.length > 0 ? [`Routes: ${visible(reached.slice(0, MOST_STEPS).join(', '))}`] : []),
    ...(steps.length > 0 ? ['Path:', ...steps, ...(related.length > MOST_STEPS ? [`  and ${related.length - MOST_STEPS} more`] : [])] : []),
    ...(source ? ['Code:', ...frame(source, span).map(frameText)] : []),
    ...(source ? fixes.slice(0, MOST_FIXES).flatMap((fix, i) => fixLines(fix, i === 0, source)) : []),
    ...refused.slice(0, MOST_FIXES).map(({ title, reason }) => `No fix: ${visible(`${title}: ${reason}`)}`),
    `Rule: call explain with rule ${finding.ruleId}`,
    '',
  ].join('\n');
}

function frame(source: Source, span: Span, context = CONTEXT_LINES): FrameLine[] {
  return codeFrame({ source, span, context, width: FRAME_WIDTH });
}

function frameText({ number, text, mark }: FrameLine): string {
  return `${mark ? '>' : ' '} ${number === undefined ? '' : number} ${text}`.trimEnd();
}

/** The code as it is with the fix: around each of its edits. */
function fixLines(fix: Fix, isFirst: boolean, source: Source): string[] {
  const head = `Fix${isFirst ? ' (made by `nodometer fix`)' : ''}: ${visible(`${fix.kind}: ${titleWithCost(fix)}`)}`;
  const after = new Source(source.file, applyEdits(source.text, fix.edits));
  const lines = new Map<number, FrameLine>();
  let grown = 0;
  for (const { start, end, text } of [...fix.edits].sort((a, b) => a.start - b.start)) {
    const from = start + grown;
    for (const line of frame(after, { start: from, end: from + text.length }, 1)) {
      const key = line.number ?? after.positionAt(from).line + PART_OF_A_LINE;
      if (!lines.get(key)?.mark) lines.set(key, line);
    }
    grown += text.length - (end - start);
  }
  return [head, ...[...lines].sort(([a], [b]) => a - b).map(([, line]) => frameText(line))];
}
