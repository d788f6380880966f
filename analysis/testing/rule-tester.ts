// Runs a rule's cases and refuses sloppy ones. Cases are data; places are marked in the code itself:
//   code: `app.get('/', (req, res) => { «fs.readFileSync('a')»; })`   one pair of guillemets per finding, in source order; pairs may nest.
import assert from 'node:assert/strict';
import type { Finding, FixKind, NamedFix, ReportedSeverity } from '../../protocol/finding.ts';
import type { ProjectInfo } from '../../protocol/project.ts';
import { applyEdits } from '../module/edit.ts';
import { parse } from '../module/parse.ts';
import { ProjectGraph } from '../project/graph.ts';
import type { AnyRule } from '../rule.ts';
import { analyzeModule, lintText, conclude, type FileAnalysis, type LintRequest, type LintResult } from '../run/run.ts';
import { defaultOptions, defaultSettings, type RuleSettings } from '../run/rule-settings.ts';
import { readModule } from '../module/text-reader.ts';

export interface CaseBase {
  /** Shown if the case fails. Needed only if the code does not speak for itself. */
  name?: string;
  code: string;
  /** Defaults to `src/app.js`. The extension selects the syntax, the folders the role of the file. */
  file?: string;
  options?: Record<string, unknown>;
  project?: Partial<ProjectInfo>;
  /** Other files of the same project, by path. */
  others?: Readonly<Record<string, string>>;
}

export type ValidCase = CaseBase;

export interface ExpectedFix {
  kind: FixKind;
  title?: string;
  /** The name without which bulk fixing leaves it out; null if it has none. */
  named?: NamedFix | null;
  /** The whole text after the fix. */
  output: string;
}

export interface ExpectedFinding<M extends string = string> {
  messageId: M;
  severity?: ReportedSeverity;
  /** The whole text. */
  message?: string;
  data?: Record<string, string>;
  route?: string;
  functionName?: string;
  /** Whether it is not shown until a run has confirmed it. Checked where stated. */
  isForRuns?: boolean;
  /** Parts of the messages of all related places, in order. */
  related?: readonly string[];
  fixes?: readonly ExpectedFix[];
  /** Parts of the reasons for all fixes not offered, in order. */
  refused?: readonly string[];
}

export interface InvalidCase<M extends string = string> extends CaseBase {
  findings: readonly ExpectedFinding<M>[];
}

export interface RuleCases<M extends string = string> {
  valid: readonly (string | ValidCase)[];
  invalid: readonly InvalidCase<M>[];
}

const DEFAULT_PROJECT: ProjectInfo = { nodeRange: '>=18', nodeRangeSource: 'the test', root: '/project' };

/** Throws on the first case that fails or is invalid. */
export function checkCases(rule: AnyRule, cases: RuleCases, all: readonly AnyRule[] = [rule]): void {
  const seen = new Set<string>();
  const hitMessages = new Set<string>();
  const hitFixKinds = new Set<FixKind>();
  const hitSeverities = new Set<Finding['severity']>();
  for (const validCase of cases.valid) {
    const one = typeof validCase === 'string' ? { code: validCase } : validCase;
    refuseDuplicate(one, seen);
    assert.ok(!/[«»]/.test(one.code), `a valid case has no marks:\n${one.code}`);
    const { findings } = run(rule, one, one.code);
    assert.deepEqual(
      findings.map((finding) => `${finding.messageId} at ${one.code.slice(finding.span.start, finding.span.end)}`),
      [],
      `${label(one)} should report nothing:\n${one.code}`,
    );
    checkEverywhere(rule, one, one.code, 0, all);
  }
  for (const one of cases.invalid) {
    refuseDuplicate(one, seen);
    const { code, spans } = readMarks(one.code);
    assert.ok(one.findings.length > 0, `${label(one)}: an invalid case lists its findings`);
    assert.equal(spans.length, one.findings.length, `${label(one)}: ${spans.length} marked places for ${one.findings.length} findings`);
    const { findings } = run(rule, one, code);
    assert.deepEqual(
      findings.map((finding) => [finding.messageId, code.slice(finding.span.start, finding.span.end), finding.span.start]),
      one.findings.map((expected, i) => [expected.messageId, code.slice(spans[i]?.start, spans[i]?.end), spans[i]?.start]),
      `${label(one)}\n${code}`,
    );
    one.findings.forEach((expected, i) => {
      const finding = findings[i] as Finding;
      hitMessages.add(finding.messageId);
      hitSeverities.add(finding.severity);
      checkFinding(one, expected, finding);
      checkFixes(rule, one, code, expected, finding, hitFixKinds);
    });
    checkEverywhere(rule, one, code, one.findings.length, all);
  }
  for (const messageId of Object.keys(rule.meta.messages)) {
    if (rule.create && !rule.checkDeployment)
      assert.ok(hitMessages.has(messageId), `${rule.meta.id}: no case reports the message "${messageId}"`);
  }
  if (rule.create && !rule.checkDeployment && rule.meta.fix !== 'none')
    assert.ok(hitFixKinds.has(rule.meta.fix), `${rule.meta.id} declares ${rule.meta.fix} fixes but no case shows one`);
  checkSeverities(rule, hitSeverities);
  if (rule.meta.fix !== 'safe') assert.ok(!hitFixKinds.has('safe'), `${rule.meta.id} gives a safe fix but does not declare it`);
  if (rule.meta.fix === 'none') assert.equal(hitFixKinds.size, 0, `${rule.meta.id} gives a fix but declares none`);
}

/** The README tells the severities of a rule by its metadata. */
function checkSeverities({ meta, create, checkDeployment }: AnyRule, hit: ReadonlySet<Finding['severity']>): void {
  const others = meta.otherSeverities ?? [];
  const told = new Set([meta.severity, ...others, ...(meta.isPrediction ? ['hint'] : [])]);
  for (const severity of hit) assert.ok(told.has(severity), `${meta.id} reports a ${severity}, and its metadata does not say so`);
  if (!create || checkDeployment) return;
  for (const severity of others) assert.ok(hit.has(severity), `${meta.id}: no case is a ${severity}, as its metadata says`);
}

function run(rule: AnyRule, one: CaseBase, code: string, rules: readonly AnyRule[] = [rule]): { findings: readonly Finding[] } {
  const unknown = Object.keys(one.options ?? {}).filter((name) => !(name in rule.meta.options));
  assert.deepEqual(unknown, [], `${label(one)}: options that ${rule.meta.id} does not have`);
  const settings: RuleSettings = {
    ...defaultSettings(rules),
    [rule.meta.id]: { severity: rule.meta.severity, explicit: false, options: { ...defaultOptions(rule.meta), ...one.options } },
  };
  const file = `/project/${one.file ?? 'src/app.js'}`;
  const request: LintRequest = {
    file,
    text: code,
    project: { ...DEFAULT_PROJECT, ...one.project },
    rules,
    settings,
    reportUnusedDisables: false,
    forRuns: true,
  };
  const result = one.others
    ? lintAmong(
        request,
        Object.entries(one.others).map(([name, text]) => ({ ...request, file: `/project/${name}`, text })),
      )
    : lintText(request);
  assert.equal(result.issue, undefined, `${label(one)} does not parse: ${result.issue?.message}\n${code}`);
  for (const crash of result.crashes) throw crash.error;
  return { findings: result.findings };
}

/** Lints one file as a run over the whole project does. */
function lintAmong(own: LintRequest, others: readonly LintRequest[]): LintResult {
  const graph = new ProjectGraph({ packages: [{ root: '/project' }], aliases: [] });
  const analyses = [own, ...others].map((request) => {
    const read = readModule(request.file, request.text);
    assert.ok(read.ok, `${request.file} does not parse:\n${request.text}`);
    const { analysis } = analyzeModule({ ...request, mode: 'summary' }, read.module);
    if (analysis.summary) graph.set(analysis.summary);
    return analysis;
  });
  return conclude(analyses[0] as FileAnalysis, own, graph.lookup);
}

function checkFinding(one: CaseBase, expected: ExpectedFinding, finding: Finding): void {
  const text = `${finding.message.what} ${finding.message.why} ${finding.message.remedy}`;
  assert.ok(!/\{\{|\}\}|undefined|\[object/.test(text), `${label(one)}: message has a hole: ${text}`);
  if (expected.message !== undefined) assert.equal(text, expected.message, `${label(one)}: message`);
  for (const field of ['severity', 'route', 'functionName'] as const)
    if (expected[field] !== undefined) assert.equal(finding[field], expected[field], `${label(one)}: ${field}`);
  if (expected.isForRuns !== undefined) assert.equal(finding.isForRuns ?? false, expected.isForRuns, `${label(one)}: is it for runs only?`);
  for (const [name, value] of Object.entries(expected.data ?? {})) assert.equal(finding.data[name], value, `${label(one)}: data.${name}`);
  if (expected.related) {
    assert.equal(
      finding.related.length,
      expected.related.length,
      `${label(one)}: related places: ${finding.related.map((place) => place.message).join(' | ')}`,
    );
    expected.related.forEach((part, i) =>
      assert.ok(
        finding.related[i]?.message.includes(part),
        `${label(one)}: related place ${i} "${finding.related[i]?.message}" lacks "${part}"`,
      ),
    );
  }
}

function checkFixes(
  rule: AnyRule,
  one: CaseBase,
  code: string,
  expected: ExpectedFinding,
  finding: Finding,
  hitFixKinds: Set<FixKind>,
): void {
  const wanted = expected.fixes ?? [];
  const got = finding.fixes.map((fix) => ({ kind: fix.kind, output: applyEdits(code, fix.edits) }));
  assert.deepEqual(
    got,
    wanted.map(({ kind, output }) => ({ kind, output })),
    `${label(one)}: fixes of ${finding.messageId}`,
  );
  finding.fixes.forEach((fix, i) => {
    hitFixKinds.add(fix.kind);
    if (wanted[i]?.title) assert.equal(fix.title, wanted[i].title, `${label(one)}: title`);
    if (wanted[i]?.named !== undefined) assert.equal(fix.named ?? null, wanted[i].named, `${label(one)}: name of the fix`);
    const output = applyEdits(code, fix.edits);
    const outcome = parse(`/project/${one.file ?? 'src/app.js'}`, output);
    assert.ok(outcome.ok && outcome.recovered.length === 0, `${label(one)}: the fix breaks the syntax:\n${output}`);
    for (const comment of comments(one, code))
      assert.ok(withoutPromises(output).includes(withoutPromises(comment)), `${label(one)}: the fix loses the comment ${comment}`);
    // The first read of what is kept still happens, and may be said, as a hint.
    const isWorse = ({ severity }: Finding): boolean => fix.named !== 'first-read' || severity !== 'hint' || finding.severity === 'hint';
    const before = run(rule, one, code).findings.filter(isWorse).length;
    const after = run(rule, one, output).findings.filter(isWorse).length;
    assert.ok(after < before, `${label(one)}: the fix does not clear the finding:\n${output}`);
  });
  if (expected.refused || finding.refused.length > 0) {
    const reasons = finding.refused.map((refusal) => refusal.reason);
    assert.equal(reasons.length, expected.refused?.length ?? 0, `${label(one)}: refused fixes: ${reasons.join(' | ')}`);
    expected.refused?.forEach((part, i) => assert.ok(reasons[i]?.includes(part), `${label(one)}: refusal "${reasons[i]}" lacks "${part}"`));
  }
}

/** The same number of findings with CRLF, after a byte order mark, and together with all other rules. */
function checkEverywhere(rule: AnyRule, one: CaseBase, code: string, count: number, all: readonly AnyRule[]): void {
  const variants: [string, string][] = [['CRLF', code.replaceAll('\n', '\r\n')]];
  // Neither Node nor Babel accepts a hashbang after a byte order mark.
  if (!code.startsWith('#!')) variants.push(['a byte order mark', `\uFEFF${code}`]);
  for (const [variant, text] of variants) {
    assert.equal(run(rule, one, text).findings.length, count, `${label(one)}: other result with ${variant}`);
  }
  const own = run(rule, one, code, all).findings.filter((finding) => finding.ruleId === rule.meta.id);
  assert.equal(own.length, count, `${label(one)}: other result beside all rules`);
}

/** A fix may make a documented type that of a promise. */
function withoutPromises(text: string): string {
  return text.replaceAll(/(@returns?[ \t]+\{)Promise<([^{}\n]*)>(?=\})/g, '$1$2');
}

function comments(one: CaseBase, code: string): string[] {
  const outcome = parse(`/project/${one.file ?? 'src/app.js'}`, code);
  return outcome.ok ? (outcome.ast.comments ?? []).map((comment) => comment.value) : [];
}

function refuseDuplicate(one: CaseBase, seen: Set<string>): void {
  const key = JSON.stringify([one.code.replace(/\s+/g, ' ').replace(/[«»]/g, ''), one.file, one.options, one.project, one.others]);
  assert.ok(!seen.has(key), `the same case stands twice:\n${one.code}`);
  seen.add(key);
}

/** Removes the marks from the code of a case. */
export function readMarks(marked: string): { code: string; spans: { start: number; end: number }[] } {
  const spans: { start: number; end: number }[] = [];
  const open: { start: number; end: number }[] = [];
  let code = '';
  for (const part of marked.split(/([«»])/)) {
    if (part === '«') {
      const span = { start: code.length, end: -1 };
      spans.push(span);
      open.push(span);
    } else if (part === '»') {
      const span = open.pop();
      assert.ok(span, `mark closed but not opened:\n${marked}`);
      span.end = code.length;
    } else code += part;
  }
  assert.equal(open.length, 0, `mark not closed:\n${marked}`);
  return { code, spans };
}

function label(one: CaseBase): string {
  return one.name ? `case "${one.name}"` : 'case';
}
