// Finds the fixes of a program as the editor and the terminal do: the analysis of all files, the rules' findings, their fixes.
import assert from 'node:assert/strict';
import { Facts } from '../../analysis/facts/index.ts';
import { applyEdits, pickCompatible } from '../../analysis/module/edit.ts';
import { Source } from '../../analysis/module/source.ts';
import { readModule } from '../../analysis/module/text-reader.ts';
import { findDamage } from '../../analysis/fix/verify.ts';
import { ProjectGraph } from '../../analysis/project/graph.ts';
import { defaultSettings } from '../../analysis/run/rule-settings.ts';
import { analyzeModule, conclude, type LintRequest } from '../../analysis/run/run.ts';
import type { Edit, Finding, Fix } from '../../protocol/finding.ts';
import type { PackageManifest, ProjectInfo } from '../../protocol/project.ts';
import { convertWithCallers } from '../../rules/no-sync-in-handler/across-files.ts';
import { rules } from '../../rules/index.ts';
import { EXPRESS_5, type FixCase } from './fix-case.ts';

const ROOT = '/app/';

type Files = ReadonlyMap<string, string>;
type EditsByFile = ReadonlyMap<string, readonly Edit[]>;

export type Applied = { files: Files } | { refused: readonly string[] };

/** The program's files without marks, and what the fix makes of them. */
export function applyFix(one: FixCase): { before: Files; after: Applied } {
  const texts = new Map(Object.entries(one.files).map(([name, text]) => [name, text.replace(/[«»]/g, '')]));
  const program = analyze(texts, one.manifest);
  const finding = program.found.find((candidate) => candidate.ruleId === one.rule && isMarked(candidate, one));
  assert.ok(
    finding,
    `${one.rule} finds nothing there, only: ${program.found.map(({ ruleId, message }) => `${ruleId} ${message.what}`).join('; ')}`,
  );
  const title = one.fix;
  if (title === 'callers') {
    const outcome = program.withCallers(finding);
    assert.ok(outcome, 'there is a promise form');
    return { before: texts, after: 'refused' in outcome ? { refused: [outcome.refused] } : applied(texts, outcome.edits) };
  }
  const fix = finding.fixes.find((candidate) => title.test(candidate.title));
  if (!fix) return { before: texts, after: { refused: finding.refused.map(({ reason }) => reason) } };
  return { before: texts, after: applied(texts, new Map([[finding.file, fix.edits]])) };
}

export interface OfferedFix {
  rule: string;
  title: string;
  named: Fix['named'];
  files: Files;
}

/** Every fix of every finding, each applied alone. */
export function everyFix(texts: Files, manifest?: Partial<PackageManifest>): OfferedFix[] {
  const program = analyze(texts, manifest);
  const offered: OfferedFix[] = [];
  const seen = new Set<string>();
  const add = (rule: string, { title, named }: Pick<Fix, 'title' | 'named'>, edits: EditsByFile): void => {
    const after = applied(texts, edits);
    assert.ok('files' in after, `a fix damages the code: ${title}: ${'refused' in after ? after.refused.join('; ') : ''}`);
    const key = JSON.stringify([...after.files]);
    // Findings of one function share the fix for all of them.
    if (!seen.has(key)) offered.push({ rule, title, named, files: after.files });
    seen.add(key);
  };
  for (const finding of program.found) {
    for (const fix of finding.fixes) add(finding.ruleId, fix, new Map([[finding.file, fix.edits]]));
    const outcome = finding.ruleId === 'no-sync-in-handler' ? program.withCallers(finding) : undefined;
    if (outcome && 'edits' in outcome) add(finding.ruleId, { title: outcome.title }, outcome.edits);
  }
  return offered;
}

/** All fixes that depend on nothing but the code, as `--fix --fix-type suggestion` applies them: until none is left. */
export function allFixes(texts: Files, manifest?: Partial<PackageManifest>): Files {
  let files = texts;
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    const byFile = new Map<string, Fix[]>();
    for (const { file, fixes } of analyze(files, manifest).found) {
      const fix = fixes.find(({ named }) => named === undefined);
      if (fix) byFile.set(file, [...(byFile.get(file) ?? []), fix]);
    }
    const after = applied(files, new Map([...byFile].map(([file, fixes]) => [file, pickCompatible(fixes).flatMap(({ edits }) => edits)])));
    assert.ok('files' in after, `fixes damage the code together: ${'refused' in after ? after.refused.join('; ') : ''}`);
    if (byFile.size === 0) return files;
    files = after.files;
  }
  return files;
}

const MOST_PASSES = 10;

interface AnalyzedProgram {
  found: readonly Finding[];
  withCallers(finding: Finding): { title: string; edits: EditsByFile } | { refused: string } | undefined;
}

function analyze(texts: Files, manifest: Partial<PackageManifest> | undefined): AnalyzedProgram {
  const project: ProjectInfo = {
    root: ROOT.slice(0, -1),
    manifest: { ...EXPRESS_5, ...manifest },
    nodeRange: '>=20',
    nodeRangeSource: 'the test',
  };
  const graph = new ProjectGraph({ packages: [{ root: ROOT.slice(0, -1) }], aliases: [] });
  const allFacts = new Map<string, Facts>();
  const analyses = [...texts].map(([name, text]) => {
    const file = ROOT + name;
    const request: LintRequest = {
      file,
      text,
      project,
      rules,
      settings: defaultSettings(rules),
      repairs: true,
      forRuns: true,
      mode: 'summary',
    };
    const read = readModule(file, text);
    assert.ok(read.ok, `${name} does not parse:\n${text}`);
    allFacts.set(file, new Facts(read.module, new Source(file, text), project));
    const { analysis } = analyzeModule(request, read.module);
    assert.deepEqual(analysis.crashes, []);
    if (analysis.summary) graph.set(analysis.summary);
    return { analysis, request };
  });
  return {
    found: analyses.flatMap(({ analysis, request }) => conclude(analysis, request, graph.lookup).findings),
    withCallers: ({ file, span }) => {
      const outcome = convertWithCallers(file, span, { calls: graph.callSites(), factsOf: (name) => allFacts.get(name) });
      if (!outcome) return undefined;
      return 'refused' in outcome ? { refused: outcome.refused.reason } : outcome.conversion;
    },
  };
}

function applied(texts: Files, edits: EditsByFile): Applied {
  const after = new Map(texts);
  for (const [file, some] of edits) {
    const name = file.slice(ROOT.length);
    const text = texts.get(name) ?? '';
    const fixed = applyEdits(text, some);
    const damage = findDamage(file, text, fixed);
    if (damage !== undefined) return { refused: [damage] };
    after.set(name, fixed);
  }
  return { files: after };
}

function isMarked({ file, span }: Finding, { files }: FixCase): boolean {
  const marked = Object.entries(files).find(([, text]) => text.includes('«'));
  return !marked || (file === ROOT + marked[0] && span.start === marked[1].indexOf('«'));
}
