// `--format junit`: the report of a test run, for build servers that show nothing else. A file is a suite, a finding a test that failed.
import type { Finding } from '../../protocol/finding.ts';
import { asOneLine } from '../../protocol/safe-text.ts';
import { relativeFile } from './github.ts';
import { regionOf } from './region.ts';
import { COMMAND } from '../safe-output.ts';
import type { FileReport } from '../../workspace/lint-run.ts';
import { productionSentences, type Report } from '../report.ts';

export function formatJunit(report: Report): string {
  const suites = report.files.map((file) => suite(file, report));
  const findings = report.files.flatMap((file) => file.findings);
  const failures = findings.filter(isFailure).length;
  const passed =
    findings.length > 0
      ? []
      : [
          `  <testsuite name="nodometer" tests="1" failures="0" errors="0" skipped="0" time="0">`,
          // Build servers take a report without any test for a run that went wrong.
          `    <testcase name="No findings" classname="nodometer" time="0"/>`,
          `  </testsuite>`,
        ];
  const tests = Math.max(findings.length, 1);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="nodometer" tests="${tests}" failures="${failures}" errors="0">`,
    ...suites.flat(),
    ...passed,
    '</testsuites>',
    '',
  ].join('\n');
}

function suite({ file, findings }: FileReport, report: Report): string[] {
  const name = attribute(relativeFile(file, report.sourceRoot));
  const failures = findings.filter(isFailure).length;
  return [
    `  <testsuite name="${name}" tests="${findings.length}" failures="${failures}" errors="0" skipped="${findings.length - failures}" time="0">`,
    ...findings.map((finding) => testCase(finding, name, report)),
    '  </testsuite>',
  ];
}

function testCase(finding: Finding, name: string, report: Report): string {
  const { line, column } = regionOf(report.sources.get(finding.file), finding.span);
  const { what, why, remedy } = finding.message;
  const route = finding.route === undefined ? [] : [`Route: ${finding.route}`];
  const place = `${relativeFile(finding.file, report.sourceRoot)}:${line}:${column}`;
  // A line each, none of which begins with a file's name: build servers obey lines of their logs that begin with `::`.
  const text = [what, why, remedy, ...route, ...productionSentences(finding, report), `At ${place}`].map(asOneLine).join('\n');
  const outcome = isFailure(finding)
    ? `<failure type="${finding.severity}" message="${attribute(what)}">${content(text)}</failure>`
    : // A hint is no failure. What it says stands where servers show why a test was left out.
      `<skipped message="${attribute(`hint: ${what}`)}"/>`;
  return `    <testcase name="${attribute(`${finding.ruleId} ${line}:${column}`)}" classname="${name}" time="0">${outcome}</testcase>`;
}

function isFailure({ severity }: Finding): boolean {
  return severity !== 'hint';
}

/** What XML 1.0 cannot hold, even escaped, and text that would be read in another order than it has. */
const NOT_IN_XML =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

function content(text: string): string {
  return text
    .replace(NOT_IN_XML, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(COMMAND, '&#35;');
}

function attribute(text: string): string {
  // Line breaks in attributes become spaces when they are read.
  return content(text).replaceAll('"', '&quot;').replaceAll('\t', '&#9;').replaceAll('\n', '&#10;').replaceAll('\r', '&#13;');
}
