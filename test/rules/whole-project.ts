// Files that are linted together, as a run over a project lints them.
import assert from 'node:assert/strict';
import { ProjectGraph } from '../../analysis/project/graph.ts';
import { analyzeModule, conclude, type LintRequest } from '../../analysis/run/run.ts';
import { defaultSettings } from '../../analysis/run/rule-settings.ts';
import { readModule } from '../../analysis/module/text-reader.ts';
import type { Finding } from '../../protocol/finding.ts';
import type { ProjectInfo } from '../../protocol/project.ts';
import { rules } from '../../rules/index.ts';

export const ROOT = '/app/';
const PROJECT: ProjectInfo = {
  root: ROOT.slice(0, -1),
  manifest: { bin: ['cli.js'], scripts: {}, dependencies: { express: '^5.0.0' }, devDependencies: {}, private: true },
  nodeRange: '>=20',
  nodeRangeSource: 'the test',
};

/** Texts by name. */
export type Files = Readonly<Record<string, string>>;

/** What the rules named find in all of them, by file and place. */
export function findingsOf(ruleIds: readonly string[], files: Files, more: Partial<ProjectInfo> = {}): Finding[] {
  const project = { ...PROJECT, ...more };
  const graph = new ProjectGraph({ packages: [{ root: PROJECT.root ?? '' }], aliases: [] });
  const analyses = Object.entries(files).map(([name, text]) => {
    const file = ROOT + name;
    const request: LintRequest = { file, text, project, rules, settings: defaultSettings(rules), forRuns: true, mode: 'summary' };
    const read = readModule(file, text);
    assert.ok(read.ok, `${name} does not parse:\n${text}`);
    const { analysis } = analyzeModule(request, read.module);
    assert.deepEqual(analysis.crashes, []);
    if (analysis.summary) graph.set(analysis.summary);
    return { analysis, request };
  });
  return analyses
    .flatMap(({ analysis, request }) => conclude(analysis, request, graph.lookup).findings)
    .filter(({ ruleId }) => ruleIds.includes(ruleId));
}

/** `b.js:4 longRequeue warning`, and the places with it. */
export function toldOf(finding: Finding, files: Files): { at: string; related: string[] } {
  const name = finding.file.slice(ROOT.length);
  const placeOf = (file: string, start: number): string => `${file}:${(files[file] ?? '').slice(0, start).split('\n').length}`;
  return {
    at: `${placeOf(name, finding.span.start)} ${finding.messageId} ${finding.severity}`,
    related: finding.related.map(
      ({ file, span, message }) => `${placeOf(file === undefined ? name : file.slice(ROOT.length), span.start)} ${message}`,
    ),
  };
}
