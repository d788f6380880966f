// Text in, findings out: one parse, one walk, all rules.
import semver from 'semver';
import type { Finding, FunctionCondition, MessageParts, ReportedSeverity } from '../../protocol/finding.ts';
import type { DeploymentProject, ProjectInfo } from '../../protocol/project.ts';
import { withEvidence, withProposedEvidence, type EvidenceOf } from './evidence.ts';
import { enclosingFunctionName, endOf, isFunction, startOf, type FunctionNode, type Node } from '../module/ast.ts';
import { unitAround } from '../facts/calls.ts';
import { isUnreachable } from '../facts/control-flow.ts';
import { Facts } from '../facts/index.ts';
import { isMemoized } from '../facts/once.ts';
import { fitWidth } from '../fix/layout/fit-width.ts';
import type { ModuleIndex } from '../module/module-index.ts';
import { SCRIPT_FILE, type ParseIssue } from '../module/parse.ts';
import { OTHER_FUNCTIONS, type FunctionKey, type FunctionLookup } from '../project/answers/function-answer.ts';
import { ProjectGraph } from '../project/graph.ts';
import { outlineOf, summarize, type Summarized } from '../project/summary/summarize.ts';
import type { FileSummary } from '../project/summary/format.ts';
import { concludeProposals } from './proposals.ts';
import type { Need, Proposal, Variant } from './proposal.ts';
import type { AnyRule, Problem, RequestCondition, RuleContext, Span } from '../rule.ts';
import type { RuleSetting, RuleSettings } from './rule-settings.ts';
import { Source } from '../module/source.ts';
import { deploymentKindOf } from '../deployment/deployment-files.ts';
import { applySuppressions, readLineComments, type CommentText, type Silenced } from './suppress.ts';
import { readModule, type ReadOutcome } from '../module/text-reader.ts';

export interface RuleCrash {
  ruleId: string;
  file: string;
  error: Error;
}

export interface LintResult {
  findings: readonly Finding[];
  /** Set if the text could not be parsed. There are no findings then. */
  issue?: ParseIssue;
  /** Rules that threw. Each was skipped for this file. */
  crashes: readonly RuleCrash[];
  /** Findings that a comment silenced. */
  silenced: readonly Silenced[];
}

/** Plain data, to be cached and sent between threads. */
export interface FileAnalysis {
  file: string;
  /** Findings that hold whatever the rest of the project does. */
  findings: readonly Finding[];
  proposals: readonly Proposal[];
  summary?: FileSummary;
  issue?: ParseIssue;
  crashes: readonly RuleCrash[];
  /** Comments that disable and enable reports. */
  comments: readonly CommentText[];
  /** Whether the summary is an outline. Proposals then have no function numbers. */
  isOutlined?: true;
  /** Rules whose fixes were computed. */
  repaired?: readonly string[];
}

export interface LintRequest {
  file: string;
  text: string;
  project: ProjectInfo;
  rules: readonly AnyRule[];
  settings: RuleSettings;
  /**
   * Whether to compute fixes; false while a person types. A finding is the same except for `fixes` and `refused`, which may be incomplete.
   */
  repairs?: boolean;
  /** Whether to report comments that suppress nothing. */
  reportUnusedDisables?: boolean;
  /** Whether to give findings that only a run can judge, too. */
  forRuns?: boolean;
  /** What profiles have shown of this file. */
  evidence?: EvidenceOf;
  /** What the whole project knows of the file's functions. */
  lookup?: FunctionLookup;
  /** Defaults to `by-start` with a `lookup`, and to `alone` without. */
  mode?: LintMode;
}

/** What a file is analyzed for. It decides how its functions are identified, and whether its summary is computed. */
export type LintMode =
  /** Its findings. The file counts as the whole project. */
  | 'alone'
  /**
   * Its findings. `lookup` identifies functions by their start offsets. Their numbers are not computed: with them, linting 500 lines took
   * 4.1 times as long as the parse instead of 2.6 times.
   */
  | 'by-start'
  /** Its findings. `lookup` identifies functions by number, for a text that the project does not have, such as one with a fix. */
  | 'by-number'
  /** Its summary, for a graph. Its findings are concluded when the graph is solved. */
  | 'summary'
  /**
   * The same, but with an outline instead of a summary if the file does not participate by itself. If another file imports it, it must be
   * analyzed again.
   */
  | 'outline';

/** Whether the project runs on a version in `range`; true if the project's own range is not valid semver. */
export function runsOn(project: ProjectInfo, range: string): boolean {
  if (range === '*') return true;
  let answers = ANSWERS.get(project);
  if (!answers) ANSWERS.set(project, (answers = new Map()));
  let answer = answers.get(range);
  if (answer === undefined) answers.set(range, (answer = intersects(project.nodeRange, range)));
  return answer;
}

// The files of a project check the same few ranges thousands of times, and semver takes 10 µs for each: 3 % of a run. Only results of a
// pure function are cached, as long as the description of the project exists.
const ANSWERS = new WeakMap<ProjectInfo, Map<string, boolean>>();

function intersects(a: string, b: string): boolean {
  try {
    return semver.intersects(a, b, { includePrerelease: true });
  } catch {
    // `engines.node` may contain anything. An invalid range must not silence a rule.
    return true;
  }
}

export function lintText(request: LintRequest): LintResult {
  return lintOutcome(
    request,
    () => readModule(request.file, request.text),
    (module) => lintModule(request, module),
  );
}

/** `read` is part of the engine: its exceptions are not the fault of a rule. */
export function lintOutcome(
  { file }: LintRequest,
  read: () => ReadOutcome,
  lint: (module: ModuleIndex, outcome: ReadOutcome & { ok: true }) => LintResult,
): LintResult {
  let outcome: ReadOutcome;
  try {
    outcome = read();
  } catch (error) {
    return { findings: [], crashes: [{ ruleId: '(engine)', file, error: error as Error }], silenced: [] };
  }
  return outcome.ok ? lint(outcome.module, outcome) : { findings: [], issue: outcome.issue, crashes: [], silenced: [] };
}

/** `module` must be that of the request's text. Without `request.lookup`, the file counts as the whole project. */
export function lintModule(request: LintRequest, module: ModuleIndex, source?: Source): LintResult {
  const { analysis, summaryOf } = analyzeModule(request, module, source);
  const lookup = request.lookup ?? lookupAlone(summaryOf, analysis.proposals.length > 0);
  return conclude(analysis, request, lookup);
}

function lookupAlone(summaryOf: () => Summarized, needsGraph: boolean): FunctionLookup {
  const graph = new ProjectGraph();
  if (needsGraph) graph.set(summaryOf().summary);
  return graph.lookup;
}

export interface ModuleOutcome {
  analysis: FileAnalysis;
  facts: Facts;
  /** The summary of the file, computed on first use. */
  summaryOf: () => Summarized;
}

/** The findings and proposals of one file, with its summary if the mode needs it. */
export function analyzeModule(request: LintRequest, module: ModuleIndex, source = new Source(request.file, request.text)): ModuleOutcome {
  const { file, project, rules, settings } = request;
  const findings: Finding[] = [];
  const proposals: Proposal[] = [];
  const crashes: RuleCrash[] = [];
  const facts = new Facts(module, source, project);
  let summarized: Summarized | undefined;
  const summaryOf = (): Summarized => (summarized ??= summarize(facts));
  const mode = request.mode ?? (request.lookup ? 'by-start' : 'alone');
  const withSummary = mode === 'summary' || mode === 'outline';
  const outline = mode === 'outline' ? outlineOf(facts) : undefined;
  /** Whether all possible proposals are needed, because the whole project will conclude them. */
  const isInProject = (withSummary && !outline) || mode === 'by-number';
  for (const rule of rules) {
    const setting = settings[rule.meta.id];
    if (
      !rule.create ||
      !setting ||
      setting.severity === 'off' ||
      !runsOn(project, rule.meta.nodeRange) ||
      (outline && rule.meta.forRequestsOnly && !(rule.meta.unlessOption !== undefined && setting.options[rule.meta.unlessOption] === true))
    )
      continue;
    const found: Finding[] = [];
    const proposed: Proposal[] = [];
    const context: RuleContext = {
      file,
      source,
      facts,
      options: setting.options,
      project,
      runsOn: (range) => runsOn(project, range),
      hasArgumentKinds: (fn) => isInProject || request.lookup?.(file, { start: startOf(fn) })?.parameterKinds !== undefined,
      report: (problem) => {
        const place = problem.request?.at ?? problem.at;
        if (isNode(place) && isUnreachable(place)) return;
        const finding = toFinding(rule, setting, problem, file, request.repairs ?? true, facts);
        const { request: condition } = problem;
        if (!condition) return void found.push(finding);
        const isForRuns = problem.otherwise?.isForRuns ?? problem.isForRuns;
        const otherwise =
          problem.otherwise && toFinding(rule, setting, { ...problem.otherwise, isForRuns }, file, request.repairs ?? true, facts);
        const proposal = toProposal(rule, setting, finding, condition, facts, isInProject || mode === 'alone' ? summaryOf : undefined);
        if (proposal)
          proposed.push({ ...proposal, finding: withNumbers(proposal.finding, summaryOf), ...(otherwise ? { otherwise } : {}) });
        else if (otherwise) found.push(otherwise);
        else if (isOnlyUnlessOffPath(condition)) found.push(finding);
      },
    };
    try {
      const listeners = rule.create(context);
      for (const [type, listen] of Object.entries(listeners)) {
        const nodes: readonly Node[] = facts.module.nodes(type as Node['type']);
        // Most of this code runs unoptimized, where an iterator costs several times as much.
        for (let i = 0; i < nodes.length; i++) (listen as (node: Node) => void)(nodes[i] as Node);
      }
      findings.push(...found);
      proposals.push(...proposed);
    } catch (error) {
      // A rule that throws loses its findings in this file. The other rules keep theirs.
      crashes.push({ ruleId: rule.meta.id, file, error: error instanceof Error ? error : new Error(String(error)) });
    }
  }
  const comments = !request.text.includes('nodometer-')
    ? []
    : (module.ast.comments ?? []).flatMap(({ value, start, end }) =>
        value.includes('nodometer-') ? [{ value, start: start ?? 0, end: end ?? 0 }] : [],
      );
  const judged = request.evidence ? withEvidence(findings, facts, request.evidence, settings) : findings;
  return {
    analysis: {
      file,
      findings: judged,
      proposals: request.evidence ? withProposedEvidence(proposals, facts, request.evidence, settings) : proposals,
      crashes,
      comments,
      ...(outline ? { summary: outline, isOutlined: true } : withSummary ? { summary: summaryOf().summary } : {}),
    },
    facts,
    summaryOf,
  };
}

/** Concludes the findings of an analyzed file with what the project knows. */
export function conclude(
  analysis: FileAnalysis,
  request: Pick<LintRequest, 'text' | 'rules' | 'settings' | 'reportUnusedDisables' | 'forRuns'>,
  lookup: FunctionLookup,
): LintResult {
  const { file, comments, crashes, proposals } = analysis;
  const { rules, settings } = request;
  const findings = [...analysis.findings, ...concludeProposals(proposals, lookup)];
  const kept = applySuppressions({
    findings,
    source: new Source(file, request.text),
    comments,
    rules,
    settings,
    reportUnused: request.reportUnusedDisables ?? true,
    elsewhere: deploymentKindOf(file) ? new Set(rules.filter((rule) => rule.checkDeployment).map((rule) => rule.meta.id)) : undefined,
  });
  const shown = request.forRuns ? kept.findings : kept.findings.filter((finding) => !finding.isForRuns || finding.severity !== 'hint');
  shown.sort(bySpan);
  return { findings: shown, crashes, silenced: kept.silenced, ...(analysis.issue ? { issue: analysis.issue } : {}) };
}

export interface DeploymentResult {
  findings: readonly Finding[];
  crashes: readonly RuleCrash[];
}

/** Runs the rules that check how a project is started. */
export function lintDeployment(project: DeploymentProject, rules: readonly AnyRule[], settings: RuleSettings): DeploymentResult {
  const findings: Finding[] = [];
  const crashes: RuleCrash[] = [];
  for (const rule of rules) {
    const setting = settings[rule.meta.id];
    if (!rule.checkDeployment || !setting || setting.severity === 'off' || !runsOn(project.info, rule.meta.nodeRange)) continue;
    const found: Finding[] = [];
    try {
      rule.checkDeployment({
        project,
        options: setting.options,
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
    kept.push(
      ...applySuppressions({
        findings: findings.filter((finding) => finding.file === file.path),
        source: new Source(file.path, file.text),
        comments: readLineComments(file.text),
        rules,
        settings,
        // Modules are also read by the other run, which reports what is unused in them.
        reportUnused: !SCRIPT_FILE.test(file.path),
      }).findings,
    );
  }
  kept.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : bySpan(a, b)));
  return { findings: kept, crashes };
}

/**
 * `summaryOf`: set if functions are numbered. Returns undefined for a place outside of functions, because no request waits for code that
 * runs while the module is loaded.
 */
function toProposal(
  rule: AnyRule,
  { explicit }: RuleSetting,
  finding: Finding,
  {
    at,
    isOnce,
    once,
    alone,
    listsAll,
    isShort,
    isUnproven,
    needsRequire,
    heat,
    sent,
    throwing,
    querying,
    taking,
    isOfElement,
    round,
    parameterKinds,
    unlessOffPath,
    keeper,
    loopIn,
    start,
  }: RequestCondition,
  facts: Facts,
  summaryOf: (() => Summarized) | undefined,
): Proposal | undefined {
  if (start !== undefined)
    return { finding, fn: { number: OTHER_FUNCTIONS, start: OTHER_FUNCTIONS }, isOnce, isConditional: false, needs: { start } };
  const unit = unitAround(at, facts.module.program);
  if (!isFunction(unit)) return undefined;
  const number = isUnproven ? summaryOf?.().blocking.get(at) : summaryOf?.().functions.get(unit);
  const variant = (of: NonNullable<RequestCondition['once']>): Variant[] => {
    const template = rule.meta.messages[of.messageId];
    if (!template) return [];
    const isForRuns = of.isForRuns && !explicit ? { isForRuns: true as const } : {};
    return [{ messageId: of.messageId, severity: of.severity, message: fill(template, textsOf(of.data)), ...isForRuns }];
  };
  const [onlyOnce] = once ? variant(once) : [];
  const [ends] = round ? variant(round.ends) : [];
  const [many] = parameterKinds?.many ? variant(parameterKinds.many) : [];
  if (summaryOf && number === undefined) return undefined;
  const keyOf = (of: FunctionNode): FunctionKey => {
    const index = summaryOf?.().functions.get(of);
    return { ...(index === undefined ? {} : { number: index }), start: startOf(of) };
  };
  const needs: Need = {
    ...(heat ? { heat } : {}),
    ...(sent ? { sent } : {}),
    ...(throwing ? { throwing: throwing.map(startOf) } : {}),
    ...(querying ? { querying: startOf(querying) } : {}),
    ...(isOfElement ? { element: true as const } : {}),
    ...(taking ? { taking: startOf(taking) } : {}),
    ...(ends ? { round: { site: startOf(at), ends } } : {}),
    ...(parameterKinds ? { parameterKinds: { ...parameterKinds, many } } : {}),
    ...(unlessOffPath ? { unlessOffPath } : {}),
  };
  return {
    finding,
    fn: { ...(number === undefined ? {} : { number }), start: startOf(isUnproven ? at : unit) },
    isOnce,
    isConditional: facts.chosenPlaces.has(at),
    ...(isOnce && isMemoized(unit) ? { isMemoized: true as const } : {}),
    ...(needsRequire ? { needsRequire: true as const } : {}),
    ...(onlyOnce ? { once: onlyOnce } : {}),
    ...(alone ? { alone } : {}),
    ...(listsAll ? { listsAll } : {}),
    ...(isShort ? { isShort } : {}),
    ...(keeper ? { keeper: keyOf(keeper) } : {}),
    ...(loopIn ? { loopIn: keyOf(loopIn) } : {}),
    ...(Object.keys(needs).length > 0 ? { needs } : {}),
  };
}

function isOnlyUnlessOffPath({ unlessOffPath, heat }: RequestCondition): boolean {
  return unlessOffPath !== undefined && heat === undefined;
}

/** The functions that fixes depend on, with their numbers: the project knows them by these. Few fixes have any. */
function withNumbers(finding: Finding, summaryOf: () => Summarized): Finding {
  if (finding.fixes.every(({ unlessCalled, unlessDropped }) => !unlessCalled && !unlessDropped)) return finding;
  const byStart = new Map([...summaryOf().functions].map(([fn, number]) => [startOf(fn), number]));
  const numbered = (condition: FunctionCondition): FunctionCondition => ({
    ...condition,
    functions: condition.functions.map(({ start }) => ({ start, number: byStart.get(start) })),
  });
  const fixes = finding.fixes.map(({ unlessCalled, unlessDropped, ...fix }) => ({
    ...fix,
    ...(unlessCalled ? { unlessCalled: numbered(unlessCalled) } : {}),
    ...(unlessDropped ? { unlessDropped: numbered(unlessDropped) } : {}),
  }));
  return { ...finding, fixes };
}

const RANK: Readonly<Record<ReportedSeverity, number>> = { hint: 0, warning: 1, error: 2 };

function toFinding(rule: AnyRule, setting: RuleSetting, problem: Problem, file: string, repairs: boolean, facts?: Facts): Finding {
  const template = rule.meta.messages[problem.messageId];
  if (!template) throw new Error(`rule ${rule.meta.id} reported the unknown message "${problem.messageId}"`);
  const data = textsOf(problem.data);
  const span = isNode(problem.at) ? { start: startOf(problem.at), end: endOf(problem.at) } : problem.at;
  const repair = repairs && problem.repair ? problem.repair() : problem;
  const own = setting.severity as ReportedSeverity;
  // A report may have another severity than the rule's default. A severity that the user set is the maximum for reports above hint.
  const wanted = problem.severity ?? (rule.meta.isPrediction ? 'hint' : own);
  const severity = setting.explicit ? (wanted === 'hint' ? 'hint' : own) : wanted;
  return {
    ruleId: rule.meta.id,
    messageId: problem.messageId,
    severity: RANK[severity] === undefined ? own : severity,
    message: fill(template, data),
    data,
    file,
    span,
    related: problem.related ?? [],
    fixes: facts ? (repair.fixes ?? []).map((fix) => ({ ...fix, edits: fitWidth(fix.edits, facts) })) : (repair.fixes ?? []),
    refused: repair.refused ?? [],
    functionName: problem.functionName ?? (isNode(problem.at) ? enclosingFunctionName(problem.at) : undefined),
    route: problem.route,
    ...(problem.attack ? { attack: problem.attack } : {}),
    ...(problem.isForCallers ? { isForCallers: true } : {}),
    ...(problem.isForRuns && !setting.explicit ? { isForRuns: true } : {}),
  };
}

function textsOf(data: Problem['data']): Record<string, string> {
  return Object.fromEntries(Object.entries(data ?? {}).map(([name, value]) => [name, String(value)]));
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
