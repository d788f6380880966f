// Text in, findings out: one parse, one walk, all rules.
import semver from 'semver';
import type { Finding, MessageParts, ReportedSeverity, Severity } from '../protocol/finding.ts';
import type { DeploymentProject, ProjectInfo } from '../protocol/project.ts';
import { withEvidence, type EvidenceOf } from './evidence.ts';
import { enclosingFunctionName, endOf, startOf, type Node } from './ast.ts';
import { Facts } from './facts/index.ts';
import type { ModuleIndex } from './module.ts';
import { SCRIPT_FILE, type ParseIssue } from './parse.ts';
import type { AnyRule, Problem, RuleContext, Span } from './rule.ts';
import { Source } from './source.ts';
import { deploymentKindOf } from './deployment-files.ts';
import { applySuppressions, readLineComments } from './suppress.ts';
import { readModule, type ReadOutcome } from './text-reader.ts';

export interface RuleSetting {
  severity: Severity;
  /** Whether the user named the severity; then no report of the rule is raised above it. */
  explicit: boolean;
  options: Readonly<Record<string, unknown>>;
}

export type RuleSettings = Readonly<Record<string, RuleSetting>>;

export interface RuleCrash {
  ruleId: string;
  file: string;
  error: Error;
}

export interface LintResult {
  findings: readonly Finding[];
  /** Set when the text could not be parsed; there are no findings then. */
  issue?: ParseIssue;
  /** Rules that threw; each was dropped for this file. */
  crashes: readonly RuleCrash[];
  /** Findings that a comment silenced. */
  suppressed: number;
}

export interface LintRequest {
  file: string;
  text: string;
  project: ProjectInfo;
  rules: readonly AnyRule[];
  settings: RuleSettings;
  /** Whether fixes are worked out; false while a person types. A finding is the same but for `fixes` and `refused`, of which some are left out. */
  repairs?: boolean;
  /** Whether comments that silence nothing are reported. */
  reportUnusedDisables?: boolean;
  /** What profiles have shown of this file. */
  evidence?: EvidenceOf;
}

/** Settings with every rule at its declared severity and options. */
export function defaultSettings(rules: readonly AnyRule[]): RuleSettings {
  return Object.fromEntries(rules.map(({ meta }) => [meta.id, { severity: meta.severity, explicit: false, options: defaultOptions(meta) }]));
}

export function defaultOptions(meta: AnyRule['meta']): Record<string, unknown> {
  return Object.fromEntries(Object.entries(meta.options as Record<string, { default: unknown }>).map(([name, spec]) => [name, spec.default]));
}

/** Whether some version that the project runs on lies in `range`; true when the project's own range is not valid semver. */
export function runsOn(project: ProjectInfo, range: string): boolean {
  if (range === '*') return true;
  let answers = ANSWERS.get(project);
  if (!answers) ANSWERS.set(project, (answers = new Map()));
  let answer = answers.get(range);
  if (answer === undefined) answers.set(range, (answer = intersects(project.nodeRange, range)));
  return answer;
}

// One project's files ask the same few questions thousands of times, and semver takes 10 µs for each: 3 % of a run. Nothing but
// the answers of a pure function is remembered, for as long as the project's description lives.
const ANSWERS = new WeakMap<ProjectInfo, Map<string, boolean>>();

function intersects(a: string, b: string): boolean {
  try {
    return semver.intersects(a, b, { includePrerelease: true });
  } catch {
    // `engines.node` holds whatever a person typed; an unreadable range must not silence a rule.
    return true;
  }
}

export function lintText(request: LintRequest): LintResult {
  return lintOutcome(request, () => readModule(request.file, request.text), (module) => lintModule(request, module));
}

/** `read` is the engine's own work: what it throws is no fault of a rule. */
export function lintOutcome({ file }: LintRequest, read: () => ReadOutcome, lint: (module: ModuleIndex, outcome: ReadOutcome & { ok: true }) => LintResult): LintResult {
  let outcome: ReadOutcome;
  try {
    outcome = read();
  } catch (error) {
    return { findings: [], crashes: [{ ruleId: '(engine)', file, error: error as Error }], suppressed: 0 };
  }
  return outcome.ok ? lint(outcome.module, outcome) : { findings: [], issue: outcome.issue, crashes: [], suppressed: 0 };
}

/** `module` must be that of the request's text. */
export function lintModule(request: LintRequest, module: ModuleIndex): LintResult {
  const { file, text, project, rules, settings } = request;
  const source = new Source(file, text);
  const findings: Finding[] = [];
  const crashes: RuleCrash[] = [];
  const facts = new Facts(module, source, project);
  for (const rule of rules) {
    const setting = settings[rule.meta.id];
    if (!rule.create || !setting || setting.severity === 'off' || !runsOn(project, rule.meta.nodeRange)) continue;
    const found: Finding[] = [];
    const context: RuleContext = {
      file, source, facts, options: setting.options, project,
      runsOn: (range) => runsOn(project, range),
      report: (problem) => found.push(toFinding(rule, setting, problem, file, request.repairs ?? true)),
    };
    try {
      const listeners = rule.create(context);
      for (const [type, listen] of Object.entries(listeners)) {
        for (const node of facts.module.nodes(type as Node['type'])) (listen as (node: Node) => void)(node);
      }
      findings.push(...found);
    } catch (error) {
      // A rule that throws loses its findings in this file; the others keep theirs.
      crashes.push({ ruleId: rule.meta.id, file, error: error instanceof Error ? error : new Error(String(error)) });
    }
  }
  const kept = applySuppressions({ findings, source, comments: module.ast.comments ?? [], rules, settings, reportUnused: request.reportUnusedDisables ?? true,
    elsewhere: deploymentKindOf(file) ? new Set(rules.filter((rule) => rule.checkDeployment).map((rule) => rule.meta.id)) : undefined,
  });
  kept.findings.sort(bySpan);
  return { findings: request.evidence ? withEvidence(kept.findings, facts, request.evidence) : kept.findings, crashes, suppressed: kept.suppressed };
}

export interface DeploymentResult {
  findings: readonly Finding[];
  crashes: readonly RuleCrash[];
}

/** Runs the rules that look at how a project is started. */
export function lintDeployment(project: DeploymentProject, rules: readonly AnyRule[], settings: RuleSettings): DeploymentResult {
  const findings: Finding[] = [];
  const crashes: RuleCrash[] = [];
  for (const rule of rules) {
    const setting = settings[rule.meta.id];
    if (!rule.checkDeployment || !setting || setting.severity === 'off' || !runsOn(project.info, rule.meta.nodeRange)) continue;
    const found: Finding[] = [];
    try {
      rule.checkDeployment({
        project, options: setting.options,
        runsOn: (range) => runsOn(project.info, range),
        report: (problem) => found.push(toFinding(rule, setting, problem, problem.file.path, true)),
      });
      findings.push(...found);
    } catch (error) {
      crashes.push({ ruleId: rule.meta.id, file: project.root, error: error instanceof Error ? error : new Error(String(error)) });
    }
  }
  const kept = findings.filter((finding) => !project.files.some((file) => file.path === finding.file && file.text.includes('nodometer-')));
  for (const file of project.files) {
    if (!file.text.includes('nodometer-')) continue;
    kept.push(...applySuppressions({
      findings: findings.filter((finding) => finding.file === file.path), source: new Source(file.path, file.text), comments: readLineComments(file.text), rules, settings,
      // Modules are read by the other run too, which tells what is unused in them.
      reportUnused: !SCRIPT_FILE.test(file.path),
    }).findings);
  }
  kept.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : bySpan(a, b)));
  return { findings: kept, crashes };
}

const RANK: Readonly<Record<ReportedSeverity, number>> = { hint: 0, warning: 1, error: 2 };

function toFinding(rule: AnyRule, setting: RuleSetting, problem: Problem, file: string, repairs: boolean): Finding {
  const template = rule.meta.messages[problem.messageId];
  if (!template) throw new Error(`rule ${rule.meta.id} reported the unknown message "${problem.messageId}"`);
  const data = Object.fromEntries(Object.entries(problem.data ?? {}).map(([name, value]) => [name, String(value)]));
  const span = isNode(problem.at) ? { start: startOf(problem.at), end: endOf(problem.at) } : problem.at;
  const repair = repairs && problem.repair ? problem.repair() : problem;
  const own = setting.severity as ReportedSeverity;
  // A report may differ from the rule's default; a severity that the user chose is a ceiling for reports above hint.
  const wanted = problem.severity ?? own;
  const severity = setting.explicit ? (wanted === 'hint' ? 'hint' : own) : wanted;
  return {
    ruleId: rule.meta.id, messageId: problem.messageId, severity: RANK[severity] === undefined ? own : severity, message: fill(template, data), data, file, span,
    related: problem.related ?? [], fixes: repair.fixes ?? [], refused: repair.refused ?? [],
    functionName: problem.functionName ?? (isNode(problem.at) ? enclosingFunctionName(problem.at) : undefined),
    route: problem.route,
  };
}

function fill(template: MessageParts, data: Readonly<Record<string, string>>): MessageParts {
  const put = (text: string) => text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => data[name] ?? whole);
  return { what: put(template.what), why: put(template.why), remedy: put(template.remedy) };
}

function isNode(at: Node | Span): at is Node {
  return 'type' in at;
}

function bySpan(a: Finding, b: Finding): number {
  return a.span.start - b.span.start || a.span.end - b.span.end || (a.ruleId < b.ruleId ? -1 : a.ruleId > b.ruleId ? 1 : 0);
}
