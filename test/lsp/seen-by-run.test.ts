// What runs saw and no rule predicted, on its line in the editor: as long as the function is the same, wherever it stands.
import { dedent } from '../../analysis/testing/dedent.ts';
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { DiagnosticSeverity, type Diagnostic } from 'vscode-languageserver-protocol/node';
import { Facts } from '../../analysis/facts/index.ts';
import { ModuleIndex } from '../../analysis/module/module-index.ts';
import { parse } from '../../analysis/module/parse.ts';
import { Source } from '../../analysis/module/source.ts';
import type { EvidenceFile, KeptProfile } from '../../protocol/kept-evidence.ts';
import { findSeen, keptSeen } from '../../workspace/profile/kept-seen.ts';
import { folderWith } from '../cli/support.ts';
import { start, uriOf } from './harness.ts';

const TEXT = `function parsed(text) {
  return JSON.parse(text);
}
function other(text) {
  return JSON.parse(text);
}
module.exports = { parsed, other };
`;

function keptOf(file: string, line: number, date = '2026-11-21T00:00:00Z'): KeptProfile {
  const outcome = parse(file, TEXT);
  assert.ok(outcome.ok);
  const facts = new Facts(new ModuleIndex(outcome.ast), new Source(file, TEXT), { nodeRange: '*', nodeRangeSource: '' });
  const seen = keptSeen(
    [
      {
        kind: 'large-json',
        place: { file, line, column: 15 },
        figure: 'JSON.parse: 2.00 ms per call',
        grounds: ['It ran 100 times.'],
        remedy: 'Parse less at a time.',
        cost: { ns: 2e6, per: 'call', method: 'timed' },
      },
      {
        kind: 'block',
        place: { file: '/another.js', line: 1, column: 1 },
        figure: '',
        grounds: [],
        remedy: '',
        cost: { ns: 1, per: 'block', method: 'timed' },
      },
    ],
    facts,
  );
  assert.equal(seen.length, 1, 'of this file only');
  return {
    file: 'a.js',
    function: 'parsed',
    hash: 'x',
    node: '24.9.0',
    v8: '13.6',
    platform: 'linux x64',
    cpu: 'x',
    date,
    budgetMs: 1000,
    origin: 'typed',
    calls: [],
    verdicts: [],
    seen,
  };
}

const linesOf = (profiles: readonly KeptProfile[], text: string): number[] =>
  findSeen(profiles, '/p/a.js', text).map(({ span }) => new Source('/p/a.js', text).positionAt(span.start).line);

describe('what runs saw', () => {
  it('is found again as long as the function is the same', () => {
    const profiles = [keptOf('/p/a.js', 5)];
    assert.deepEqual(linesOf(profiles, TEXT), [5], 'and not at the same line of another function');
    assert.deepEqual(linesOf(profiles, `\n\n${TEXT}`), [7]);
    assert.deepEqual(linesOf(profiles, TEXT.replace('function other(text) {', 'function other(text) { // why')), [5]);
    assert.deepEqual(linesOf(profiles, TEXT.replace('function other(text) {', 'function other(text) {\n  if (!text) return;')), []);
    assert.deepEqual(linesOf(profiles, 'nothing();\n'), []);
    assert.deepEqual(linesOf(profiles, `${TEXT}(`), []);
  });

  it('is told once for each line, by the newest profile', () => {
    const [older, newer] = [keptOf('/p/a.js', 2), { ...keptOf('/p/a.js', 2, '2026-11-22T00:00:00Z'), node: '26.1.0' }];
    assert.deepEqual(
      findSeen([older, newer], '/p/a.js', TEXT).map(({ profile }) => profile.node),
      ['26.1.0'],
    );
  });

  it('stands on its line as an information of its own source, and goes when the function changes', async () => {
    const folder = folderWith({ 'package.json': '{}', 'a.js': TEXT });
    try {
      mkdirSync(join(folder.path, '.nodometer'));
      const kept: EvidenceFile = { version: 1, profiles: [keptOf(join(folder.path, 'a.js'), 2)] };
      writeFileSync(join(folder.path, '.nodometer/evidence.json'), JSON.stringify(kept));
      const session = await start({ folders: [folder.path] });
      const uri = uriOf(join(folder.path, 'a.js'));
      await session.open(uri, TEXT);
      const [diagnostic, ...more]: Diagnostic[] = await session.diagnose(uri);
      assert.deepEqual(more, []);
      assert.deepEqual(diagnostic?.range, { start: { line: 1, character: 2 }, end: { line: 1, character: 26 } });
      assert.equal(diagnostic?.severity, DiagnosticSeverity.Information);
      assert.equal(diagnostic?.source, 'nodometer run');
      assert.equal(diagnostic?.code, 'large-json');
      assert.equal(
        diagnostic?.message,
        dedent`
          Seen by the run on Node 24.9.0: JSON.parse: 2.00 ms per call.
          It ran 100 times.
          Parse less at a time.
        `,
      );
      await session.replace(uri, 'return JSON.parse(text);', 'return JSON.parse(text) ?? 1;');
      assert.deepEqual(await session.diagnose(uri), []);
      await session.dispose();
    } finally {
      folder.dispose();
    }
  });
});
