// `--format sarif`: SARIF 2.1.0 (OASIS), for code scanning and editors.
import { relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { titleWithCost, type Finding, type FindingEvidence, type Fix, type ReportedSeverity, type Span } from '../../protocol/finding.ts';
import type { AnyRule } from '../../analysis/rule.ts';
import { SUPPRESSION_RULE, type Silenced } from '../../analysis/run/suppress.ts';
import type { KnownFinding, Report } from '../report.ts';
import { CodePrints } from '../../analysis/run/code-print.ts';
import { hashOf } from '../../workspace/hash.ts';
import { regionOf } from './region.ts';
import { insideOf } from '../../files/inside.ts';

type Json = string | number | boolean | undefined | readonly Json[] | { readonly [key: string]: Json };

export interface SarifOptions {
  /** A rule's README, for the `help` of its descriptor. */
  findRuleDoc(ruleId: string): string | undefined;
  /**
   * Whether findings that are known or disabled are results, too. Not by itself: GitHub does not read `suppressions`, and shows such
   * results as open alerts (github/codeql-action, issue 1230).
   */
  withSuppressed: boolean;
}

const LEVEL: Readonly<Record<ReportedSeverity, string>> = { error: 'error', warning: 'warning', hint: 'note' };
const ROOT_ID = 'SRCROOT';

export function formatSarif(report: Report, options: SarifOptions): string {
  const log: Json = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: { name: 'Nodometer', version: report.version, semanticVersion: report.version, rules: descriptors(report, options) },
        },
        columnKind: 'utf16CodeUnits',
        originalUriBaseIds: { [ROOT_ID]: { uri: folderUri(report.sourceRoot) } },
        invocations: [
          {
            executionSuccessful: report.crashes.length === 0,
            workingDirectory: { uri: folderUri(report.cwd) },
            toolExecutionNotifications: notifications(report),
          },
        ],
        results: results(report, options),
      },
    ],
  };
  return `${JSON.stringify(log, undefined, 2)}\n`;
}

function descriptors(report: Report, { findRuleDoc }: SarifOptions): Json[] {
  const known = report.rules.map(({ meta }): Json => {
    const doc = findRuleDoc(meta.id);
    return {
      id: meta.id,
      name: pascal(meta.id),
      shortDescription: { text: `${meta.summary}.` },
      help: {
        text: doc ?? `${meta.summary}. For details, run: nodometer explain ${meta.id}`,
        ...(doc === undefined ? {} : { markdown: doc }),
      },
      messageStrings: Object.fromEntries(
        Object.entries(meta.messages).map(([id, { what, why, remedy }]) => [id, { text: `${what} ${why} ${remedy}` }]),
      ),
      defaultConfiguration: { level: LEVEL[meta.severity] },
      properties: { tags: ['performance', meta.group], proof: meta.proof, nodeRange: meta.nodeRange, fix: meta.fix },
    };
  });
  return [
    ...known,
    {
      id: SUPPRESSION_RULE,
      name: pascal(SUPPRESSION_RULE),
      shortDescription: { text: 'Unused nodometer-disable comment.' },
      help: { text: 'An unused disable comment can hide future findings. Remove it.' },
      defaultConfiguration: { level: LEVEL.warning },
    },
  ];
}

function results(report: Report, { withSuppressed }: SarifOptions): Json[] {
  const indexes = new Map([...report.rules.map((rule) => rule.meta.id), SUPPRESSION_RULE].map((id, i) => [id, i]));
  const groups = new Map(report.rules.map((rule: AnyRule) => [rule.meta.id, rule.meta.group]));
  const fingerprint = fingerprinter(report);
  const known = new Map(report.known?.map((one) => [one.finding, one]));
  const silenced = new Map(report.silenced.map((one) => [one.finding, one]));
  const reported = report.files.flatMap(({ findings }) => findings);
  // In the order of places, so that of equal lines each keeps its number whether it is known or not.
  const all = [...reported, ...(withSuppressed ? [...known.keys(), ...silenced.keys()] : [])].sort((a, b) =>
    a.file === b.file ? a.span.start - b.span.start : a.file < b.file ? -1 : 1,
  );
  return all.map((finding): Json => {
    const { what, why, remedy } = finding.message;
    const related = finding.related.map((place, i) => ({
      ...location(report, place.file ?? finding.file, place.span, place.message),
      id: i,
    }));
    return {
      ruleId: finding.ruleId,
      ruleIndex: indexes.get(finding.ruleId),
      level: LEVEL[finding.severity],
      message: { text: `${what} ${why} ${remedy}` },
      locations: [
        {
          ...location(report, finding.file, finding.span),
          ...(finding.functionName === undefined ? {} : { logicalLocations: [{ name: finding.functionName, kind: 'function' }] }),
        },
      ],
      ...(related.length > 0 ? { relatedLocations: related } : {}),
      ...(related.length > 0 && isCallPath(groups.get(finding.ruleId)) ? { codeFlows: [codeFlow(report, finding)] } : {}),
      ...(report.known ? { baselineState: known.has(finding) ? 'unchanged' : 'new' } : {}),
      ...suppressions(known.get(finding), silenced.get(finding)),
      partialFingerprints: fingerprints(fingerprint(finding)),
      ...(finding.fixes.length > 0 ? { fixes: finding.fixes.map((fix) => sarifFix(report, finding.file, fix)) } : {}),
      properties: {
        messageId: finding.messageId,
        ...(finding.route === undefined ? {} : { route: finding.route }),
        ...(finding.evidence === undefined ? {} : { evidence: jsonOf(finding.evidence) }),
        ...productionOf(report, finding),
        ...(finding.refused.length > 0 ? { refusedFixes: finding.refused.map(({ title, reason }) => `${title}: ${reason}`) } : {}),
      },
    };
  });
}

/** A property: neither the level nor the rank of a result depends on it. */
function productionOf({ production }: Report, finding: Finding): { production?: Json } {
  const known = production.get(finding);
  if (!known) return {};
  const { samples, calls, requests } = known;
  return {
    production: {
      ...(samples ? { samples: { ...samples } } : {}),
      ...(calls ? { calls: { ...calls } } : {}),
      ...(requests ? { requests: { ...requests } } : {}),
    },
  };
}

/** Interfaces have no index signature: their copies do. */
function jsonOf({ cost, retained, ...evidence }: FindingEvidence): Json {
  return {
    ...evidence,
    ...(cost && { cost: { ...cost } }),
    ...(retained && {
      retained: { ...retained, rate: { ...retained.rate }, bytes: retained.bytes && { ...retained.bytes } },
    }),
  };
}

/** GitHub knows alerts by the second alone. Where a report has none, it takes a hash of the line's text, which formatting changes. */
function fingerprints(print: string): Json {
  return { 'nodometerFinding/v2': print, primaryLocationLineHash: print };
}

/** Empty for a finding that is reported. The standard has a list, which may not be empty where others have one. */
function suppressions(known: KnownFinding | undefined, silenced: Silenced | undefined): { suppressions?: Json } {
  if (known)
    return {
      suppressions: [
        {
          kind: 'external',
          status: 'accepted',
          ...(known.reason === undefined ? {} : { justification: known.reason }),
          properties: { since: known.date },
        },
      ],
    };
  if (silenced)
    return { suppressions: [{ kind: 'inSource', ...(silenced.reason === undefined ? {} : { justification: silenced.reason }) }] };
  return {};
}

/** Event-loop rules give the way from the handler to the call as related places; the others give things to compare with. */
function isCallPath(group: string | undefined): boolean {
  return group === 'event-loop';
}

function codeFlow(report: Report, finding: Finding): Json {
  const steps = finding.related.map((place) => location(report, place.file ?? finding.file, place.span, place.message));
  const end = location(report, finding.file, finding.span, finding.message.what);
  return { threadFlows: [{ locations: [...steps, end].map((step) => ({ location: step })) }] };
}

function sarifFix(report: Report, file: string, fix: Fix): Json {
  const replacements = [...fix.edits]
    .sort((a, b) => a.start - b.start)
    .map((edit) => ({
      deletedRegion: region(report, file, edit),
      insertedContent: { text: edit.text },
    }));
  return {
    description: { text: `${titleWithCost(fix)} (${fix.kind})` },
    artifactChanges: [{ artifactLocation: artifact(report, file), replacements }],
  };
}

function notifications(report: Report): Json[] {
  return [
    ...report.unread.map(
      ({ file, issue }): Json => ({
        level: 'warning',
        message: { text: issue.tookTooLong ? `The file was not read: ${issue.message}` : `The file could not be parsed: ${issue.message}` },
        locations: [location(report, file, { start: issue.offset, end: issue.offset })],
      }),
    ),
    ...report.crashes.map(
      ({ ruleId, file, error }): Json => ({
        level: 'error',
        message: { text: `Rule ${ruleId} crashed: ${error.message}` },
        ...(report.rules.some((rule) => rule.meta.id === ruleId) ? { associatedRule: { id: ruleId } } : {}),
        locations: [{ physicalLocation: { artifactLocation: artifact(report, file) } }],
      }),
    ),
  ];
}

function location(report: Report, file: string, span: Span, message?: string) {
  return {
    physicalLocation: { artifactLocation: artifact(report, file), region: region(report, file, span) },
    ...(message === undefined ? {} : { message: { text: message } }),
  };
}

function region(report: Report, file: string, span: Span) {
  const { line, column, endLine, endColumn } = regionOf(report.sources.get(file), span);
  return { startLine: line, startColumn: column, endLine, endColumn };
}

/** Relative to the repository where it can be, so that a report holds on another machine. */
function artifact(report: Report, file: string) {
  const inside = insideOf(report.sourceRoot, file);
  if (inside === undefined) return { uri: pathToFileURL(file).href };
  return { uri: inside.split(sep).map(encodeURIComponent).join('/'), uriBaseId: ROOT_ID };
}

function folderUri(folder: string): string {
  return `${pathToFileURL(folder).href.replace(/\/$/, '')}/`;
}

/**
 * The same for a finding that only moved, or whose code was formatted anew: what a baseline recognizes it by, and a count where a file has
 * the same code twice.
 */
export function fingerprinter(report: Report): (finding: Finding) => string {
  const seen = new Map<string, number>();
  const prints = new Map<string, CodePrints>();
  const printOf = ({ file, span }: Finding): string => {
    let own = prints.get(file);
    if (!own) prints.set(file, (own = new CodePrints(file, report.sources.get(file)?.text ?? '')));
    return own.of(span).code;
  };
  return (finding) => {
    const path = relative(report.sourceRoot, finding.file).split(sep).join('/');
    const hash = hashOf([finding.ruleId, finding.messageId, path, finding.functionName ?? '', printOf(finding)].join('\n'));
    const nth = (seen.get(hash) ?? 0) + 1;
    seen.set(hash, nth);
    return `${hash}:${nth}`;
  };
}

function pascal(id: string): string {
  return id.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
