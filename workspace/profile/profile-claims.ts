// What the linter claims about a file, as claims that a run can test, and their verdicts as they are kept.
import type { ProfileReport, SourcePlace, Verdict } from '../../protocol/evidence.ts';
import type { Retained, RetainedRate, Slope } from '../../protocol/retained.ts';
import type { SeenByRun } from '../../protocol/seen-by-run.ts';
import type { KeptSeen, KeptVerdict } from '../../protocol/kept-evidence.ts';
import type { Finding, Span } from '../../protocol/finding.ts';
import type { ProjectInfo } from '../../protocol/project.ts';
import { FindingPlaces } from '../../analysis/run/evidence.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { claimSpans } from '../../analysis/profile/claim-spans.ts';
import { functionsIn } from '../../analysis/profile/functions.ts';
import type { FunctionLookup } from '../../analysis/project/answers/function-answer.ts';
import type { AnyRule } from '../../analysis/rule.ts';
import { lintText } from '../../analysis/run/run.ts';
import type { RuleSettings } from '../../analysis/run/rule-settings.ts';
import type { Source } from '../../analysis/module/source.ts';
import type { Hypothesis, PlaceRange } from '../../profiler/judge/hypothesis.ts';
import { hashOf } from '../hash.ts';
import { keptSeen } from './kept-seen.ts';

export interface Claims {
  hypotheses: readonly Hypothesis[];
  /** In the order of the hypotheses. */
  findings: readonly Finding[];
  /** Verdicts on them, as they are kept. */
  keptVerdicts(verdicts: readonly Verdict[]): KeptVerdict[];
  /** What runs saw of the file and no rule predicted, as it is kept. */
  keptSeen(findings: readonly SeenByRun[]): KeptSeen[];
}

export interface ClaimRequest {
  rules: readonly AnyRule[];
  settings: RuleSettings;
  project: ProjectInfo;
  /** What the whole project knows of the file's functions; without it the file is taken for itself. */
  lookup?: FunctionLookup;
}

/** What the user asked about: a function, and maybe a line in it. */
export interface Asked {
  span: Span;
  line?: number;
}

/** What was asked about comes first: comparisons and attacks stop after a few. */
export function claimsOf(facts: Facts, { rules, settings, project, lookup }: ClaimRequest, asked?: Asked): Claims {
  const { file, text } = facts.source;
  const { findings } = lintText({ file, text, project, rules, settings, reportUnusedDisables: false, lookup, forRuns: true });
  const testable = findings.filter((finding) => rules.some((rule) => rule.meta.id === finding.ruleId));
  if (asked) testable.sort((a, b) => distanceOf(a, asked, facts) - distanceOf(b, asked, facts));
  return {
    findings: testable,
    hypotheses: testable.map((finding) => hypothesisOf(finding, facts, rules)),
    keptVerdicts: (verdicts) => keptVerdicts(verdicts, testable, facts),
    keptSeen: (seen) => keptSeen(seen, facts),
  };
}

/** 0 on the line that was asked about, 1 in the function, 2 elsewhere. */
function distanceOf({ span: { start } }: Finding, { span, line }: Asked, { source }: Facts): number {
  if (line !== undefined && source.positionAt(start).line === line) return 0;
  return span.start <= start && start < span.end ? 1 : 2;
}

/**
 * Findings about other functions of the file that the calls never came to are no matter of a function's profile. The verdicts are in the
 * order of the hypotheses.
 */
export function withoutStrangers(
  report: ProfileReport,
  span: Span,
  { hypotheses, source }: Pick<Claims, 'hypotheses'> & { source: Source },
): ProfileReport {
  const isInside = ({ line, column }: SourcePlace) => {
    const offset = source.offsetAt({ line, column });
    return span.start <= offset && offset <= span.end;
  };
  const isOwn = (i: number) =>
    [...(hypotheses[i]?.extent ?? []), ...(hypotheses[i]?.functions ?? [])].some((range) => range !== undefined && isInside(range.start));
  return {
    ...report,
    // What was seen and costs nobody knows how much is inconclusive, too.
    verdicts: report.verdicts.filter(
      ({ verdict, cost }, i) => isOwn(i) || verdict === 'confirmed' || verdict === 'seen' || verdict === 'refuted' || cost !== undefined,
    ),
  };
}

/** Verdicts that say nothing are not worth keeping. */
function keptVerdicts(verdicts: readonly Verdict[], findings: readonly Finding[], facts: Facts): KeptVerdict[] {
  const places = new FindingPlaces(facts, hashOf);
  return verdicts
    .filter(({ place }) => place.file === facts.source.file)
    .flatMap(({ ruleId, messageId, place, verdict, figure, grounds, cost, retained }): KeptVerdict[] => {
      const finding = findings.find(
        (one) => one.ruleId === ruleId && one.messageId === messageId && isSamePlace(facts.source.positionAt(one.span.start), place),
      );
      if (!finding || verdict === 'not-reached' || verdict === 'inconclusive') return [];
      return [
        {
          ruleId,
          messageId,
          code: places.codeOf(finding.span),
          hash: places.hashAround(finding.span),
          verdict,
          figure,
          grounds,
          ...(cost && { cost }),
          ...(retained && { retained: rateOf(retained) }),
        },
      ];
    });
}

/** The points are in the report. More digits are noise and make for diffs. */
function rateOf({ unit, per, rate, bytes }: Retained): RetainedRate {
  const rounded = ({ value, low, high }: Slope): Slope => {
    const [a = 0, b = 0, c = 0] = [value, low, high].map((n) => Math.round(n * 100) / 100);
    return { value: a, low: b, high: c };
  };
  return { unit, per, rate: rounded(rate), ...(bytes && { bytes: rounded(bytes) }) };
}

function isSamePlace(a: { line: number; column: number }, b: { line: number; column: number }): boolean {
  return a.line === b.line && a.column === b.column;
}

function hypothesisOf(finding: Finding, facts: Facts, rules: readonly AnyRule[]): Hypothesis {
  const { source } = facts;
  const own = finding.related.filter(({ file }) => file === undefined || file === finding.file).map(({ span }) => span);
  const spans = claimSpans(finding, facts);
  const range = (span: Span): PlaceRange => ({ start: placeAt(source, span.start), end: placeAt(source, span.end) });
  return {
    ruleId: finding.ruleId,
    messageId: finding.messageId,
    range: range(finding.span),
    functions: functionsAround(facts, [finding.span, ...own]).map(range),
    related: own.map(range),
    extent: spans.extent.map(range),
    ...(spans.entry === undefined ? {} : { entry: placeAt(source, spans.entry) }),
    ...(spans.handler === undefined ? {} : { handler: placeAt(source, spans.handler) }),
    ...(spans.meets ? { meets: range(spans.meets) } : {}),
    isUncounted: spans.isUncounted,
    catches: spans.catches.map(range),
    makers: spans.makers.map(range),
    keys: spans.keys,
    fields: spans.fields,
    added: spans.added.map(range),
    ...(finding.data.call === undefined ? {} : { call: finding.data.call }),
    ...(finding.attack ? { attack: finding.attack } : {}),
    remedy: finding.message.remedy,
    kinds:
      rules
        .find((rule) => rule.meta.id === finding.ruleId)
        ?.meta.confirmedBy.filter(({ messages }) => !messages || messages.includes(finding.messageId))
        .map(({ kind }) => kind) ?? [],
  };
}

/** The innermost function around each span, each once. */
function functionsAround(facts: Facts, spans: readonly Span[]): Span[] {
  const all = functionsIn(facts);
  const found = spans.flatMap((span) => all.filter((one) => one.span.start <= span.start && span.end <= one.span.end).at(-1) ?? []);
  return [...new Set(found)].map((one) => one.span);
}

export function placeAt(source: Source, offset: number): SourcePlace {
  return { file: source.file, ...source.positionAt(offset) };
}
