// Finds a case's fix as the editor and the terminal do: the analysis of all files, the rule's finding, the fix by its title.
import assert from 'node:assert/strict';
import { Facts } from '../../analysis/facts/index.ts';
import { applyEdits } from '../../analysis/module/edit.ts';
import { Source } from '../../analysis/module/source.ts';
import { readModule } from '../../analysis/module/text-reader.ts';
import { findDamage } from '../../analysis/fix/verify.ts';
import { ProjectGraph } from '../../analysis/project/graph.ts';
import { defaultSettings } from '../../analysis/run/rule-settings.ts';
import { analyzeModule, conclude, type LintRequest } from '../../analysis/run/run.ts';
import type { Edit, Finding } from '../../protocol/finding.ts';
import type { ProjectInfo } from '../../protocol/project.ts';
import { convertWithCallers } from '../../rules/no-sync-in-handler/across-files.ts';
import { rules } from '../../rules/index.ts';
import { EXPRESS_5, type FixCase } from './fix-case.ts';

const ROOT = '/app/';

export type Applied = { files: ReadonlyMap<string, string> } | { refused: readonly string[] };

/** The program's files without marks, and what the fix makes of them. */
export function applyFix(one: FixCase): { before: ReadonlyMap<string, string>; after: Applied } {
  const texts = new Map(Object.entries(one.files).map(([name, text]) => [name, text.replace(/[«»]/g, '')]));
  const project: ProjectInfo = {
    root: ROOT.slice(0, -1),
    manifest: { ...EXPRESS_5, ...one.manifest },
    nodeRange: '>=20',
    nodeRangeSource: 'the test',
  };
  const graph = new ProjectGraph({ packages: [{ root: ROOT.slice(0, -1) }], aliases: [] });
  const allFacts = new Map<string, Facts>();
  const analyses = [...texts].map(([name, text]) => {
    const file = ROOT + name;
    const request: LintRequest = { file, text, project, rules, settings: defaultSettings(rules), repairs: true, mode: 'summary' };
    const read = readModule(file, text);
    assert.ok(read.ok, `${name} does not parse:\n${text}`);
    allFacts.set(file, new Facts(read.module, new Source(file, text), project));
    const { analysis } = analyzeModule(request, read.module);
    assert.deepEqual(analysis.crashes, []);
    if (analysis.summary) graph.set(analysis.summary);
    return { analysis, request };
  });
  const found = analyses.flatMap(({ analysis, request }) => conclude(analysis, request, graph.lookup).findings);
  const finding = found.find((candidate) => candidate.ruleId === one.rule && isMarked(candidate, one));
  assert.ok(
    finding,
    `${one.rule} finds nothing there, only: ${found.map(({ ruleId, message }) => `${ruleId} ${message.what}`).join('; ')}`,
  );
  const edits = editsOf(one, finding);
  if ('refused' in edits) return { before: texts, after: edits };
  const after = new Map(texts);
  for (const [file, some] of edits.byFile) {
    const name = file.slice(ROOT.length);
    const text = texts.get(name) ?? '';
    const fixed = applyEdits(text, some);
    const damage = findDamage(file, text, fixed);
    if (damage !== undefined) return { before: texts, after: { refused: [damage] } };
    after.set(name, fixed);
  }
  return { before: texts, after: { files: after } };

  function editsOf(asked: FixCase, at: Finding): { byFile: ReadonlyMap<string, readonly Edit[]> } | { refused: readonly string[] } {
    if (asked.fix !== 'callers') {
      const title = asked.fix;
      const fix = at.fixes.find((candidate) => title.test(candidate.title));
      return fix ? { byFile: new Map([[at.file, fix.edits]]) } : { refused: at.refused.map(({ reason }) => reason) };
    }
    const outcome = convertWithCallers(at.file, at.span, {
      calls: graph.callSites(),
      factsOf: (file) => allFacts.get(file),
    });
    assert.ok(outcome, 'there is a promise form');
    return 'refused' in outcome ? { refused: [outcome.refused.reason] } : { byFile: outcome.conversion.edits };
  }
}

function isMarked({ file, span }: Finding, { files }: FixCase): boolean {
  const marked = Object.entries(files).find(([, text]) => text.includes('«'));
  return !marked || (file === ROOT + marked[0] && span.start === marked[1].indexOf('«'));
}
