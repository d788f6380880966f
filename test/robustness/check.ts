// What must hold for the result of linting any text at all. Complaints are plain sentences; none means that all is well.
import { applyEdits, pickCompatible } from '../../analysis/module/edit.ts';
import { parse } from '../../analysis/module/parse.ts';
import type { AnyRule } from '../../analysis/rule.ts';
import { lintDeployment, lintText, type DeploymentResult, type LintResult } from '../../analysis/run/run.ts';
import { defaultSettings } from '../../analysis/run/rule-settings.ts';
import type { Finding, Fix, Span } from '../../protocol/finding.ts';
import type { DeploymentProject, ProjectInfo } from '../../protocol/project.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

export const PROJECT: ProjectInfo = {
  root: '/project',
  nodeRange: '>=18',
  nodeRangeSource: 'the test',
  manifest: {
    bin: [],
    scripts: {},
    dependencies: { express: '^5.0.0', koa: '^2.0.0', fastify: '^5.0.0' },
    devDependencies: {},
    private: true,
  },
};

export interface CheckResult {
  complaints: string[];
  findings: number;
  fixes: number;
  /** Whether Babel could read the text. */
  isRead: boolean;
  /** Processor time of the lint alone, without these checks. */
  cpuMs: number;
}

/** Processor time of some work: unlike the clock it does not run on while other processes have the processor. */
export function cpuMsOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

// Findings whose fixes are tried: a generated file of 10 MB has a hundred thousand of one kind.
const FIXES_TRIED = 30;
// Texts longer than this are linted, but their fixes are not each parsed again.
const LONGEST_FIXED = 200_000;

export function checkText(rules: readonly AnyRule[], file: string, text: string): CheckResult {
  const complaints: string[] = [];
  let result: LintResult = { findings: [], crashes: [], silenced: [] };
  const cpuMs = cpuMsOf(() => {
    try {
      result = lintText({ file, text, project: PROJECT, rules, settings: defaultSettings(rules) });
    } catch (error) {
      complaints.push(`threw ${stackOf(error)}`);
    }
  });
  for (const crash of result.crashes) complaints.push(`rule ${crash.ruleId} crashed: ${stackOf(crash.error)}`);
  if (result.issue && !isInside({ start: result.issue.offset, end: result.issue.offset }, text))
    complaints.push(`issue at ${result.issue.offset} outside the text`);
  for (const finding of result.findings) complaints.push(...checkPlaces(finding, text));
  const fixes =
    text.length > LONGEST_FIXED
      ? []
      : result.findings.slice(0, FIXES_TRIED).flatMap((finding) => finding.fixes.map((fix) => ({ fix, finding })));
  const before = fixes.length > 0 ? parse(file, text) : undefined;
  const isClean = before?.ok === true && before.recovered.length === 0;
  const comments = before?.ok ? commentsOf(before.ast) : [];
  for (const { fix, finding } of fixes)
    complaints.push(...checkFix(`${finding.ruleId} fix "${fix.title}"`, file, text, [fix], isClean, comments));
  if (fixes.length > 1)
    complaints.push(...checkFix('all fixes together', file, text, pickCompatible(fixes.map(({ fix }) => fix)), isClean, comments));
  return { complaints, findings: result.findings.length, fixes: fixes.length, isRead: !result.issue, cpuMs };
}

function checkPlaces(finding: Finding, text: string): string[] {
  const spans: [string, Span][] = [['span', finding.span]];
  for (const related of finding.related) if (!related.file || related.file === finding.file) spans.push(['related place', related.span]);
  for (const fix of finding.fixes) for (const edit of fix.edits) spans.push(['edit', edit]);
  return spans
    .filter(([, span]) => !isInside(span, text))
    .map(([what, span]) => `${finding.ruleId}: ${what} ${span.start}-${span.end} outside the text of ${text.length}`);
}

function isInside(span: Span, text: string): boolean {
  return Number.isInteger(span.start) && Number.isInteger(span.end) && span.start >= 0 && span.start <= span.end && span.end <= text.length;
}

function checkFix(
  what: string,
  file: string,
  text: string,
  fixes: readonly Fix[],
  isClean: boolean,
  comments: readonly string[],
): string[] {
  let output: string;
  try {
    output = applyEdits(
      text,
      fixes.flatMap((fix) => fix.edits),
    );
  } catch (error) {
    return [`${what}: ${stackOf(error)}`];
  }
  if (output === text) return [`${what} changes nothing`];
  const after = parse(file, output);
  if (isClean && !after.ok)
    return [
      dedent`
    ${what} breaks the syntax: ${after.issue.message}
    ${output}
  `,
    ];
  if (isClean && after.ok && after.recovered.length > 0)
    return [
      dedent`
    ${what} gives a syntax error: ${after.recovered[0]?.message}
    ${output}
  `,
    ];
  if (!after.ok) return [];
  const kept = commentsOf(after.ast);
  for (const comment of comments) {
    const at = kept.indexOf(comment);
    if (at < 0)
      return [
        dedent`
      ${what} loses the comment ${JSON.stringify(comment)}
      ${output}
    `,
      ];
    kept.splice(at, 1);
  }
  return [];
}

/** Comments without their white space, which a fix may re-indent, and without the promise that it may put around a documented type. */
function commentsOf(ast: { comments?: readonly { value: string }[] | null }): string[] {
  return (ast.comments ?? []).map((comment) =>
    comment.value
      .replace(/\s+/g, ' ')
      .replace(/(@returns? \{)Promise<([^{}]*)>(?=\})/, '$1$2')
      .trim(),
  );
}

/** The same for a project's deployment files. */
export function checkDeployment(rules: readonly AnyRule[], project: DeploymentProject): CheckResult {
  const complaints: string[] = [];
  let result: DeploymentResult = { findings: [], crashes: [] };
  const cpuMs = cpuMsOf(() => {
    try {
      result = lintDeployment(project, rules, defaultSettings(rules));
    } catch (error) {
      complaints.push(`threw ${stackOf(error)}`);
    }
  });
  for (const crash of result.crashes) complaints.push(`rule ${crash.ruleId} crashed: ${stackOf(crash.error)}`);
  let fixes = 0;
  for (const finding of result.findings) {
    const text = project.files.find((file) => file.path === finding.file)?.text ?? project.readText(finding.file);
    if (text === undefined) {
      complaints.push(`${finding.ruleId} reports ${finding.file}, which is not there`);
      continue;
    }
    complaints.push(...checkPlaces(finding, text));
    for (const fix of finding.fixes) {
      fixes++;
      try {
        const output = applyEdits(text, fix.edits);
        if (output === text) complaints.push(`${finding.ruleId} fix "${fix.title}" changes nothing`);
        if (finding.file.endsWith('.json') && isJson(text) && !isJson(output))
          complaints.push(dedent`
            ${finding.ruleId} fix "${fix.title}" breaks the JSON:
            ${output}
          `);
      } catch (error) {
        complaints.push(`${finding.ruleId} fix "${fix.title}": ${stackOf(error)}`);
      }
    }
  }
  return { complaints, findings: result.findings.length, fixes, isRead: true, cpuMs };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message).split('\n').slice(0, 6).join('\n') : String(error);
}
