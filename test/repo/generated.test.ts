// Files that are derived from the rules say what the rules say now.
import { dedent } from '../../analysis/testing/dedent.ts';
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { written } from '../../scripts/readme-tables.ts';
import { generated, ROOT } from '../../scripts/generate.ts';

/** Generated files of a checkout whose text is not what it should be. */
async function stale(root: string): Promise<string[]> {
  const wrong: string[] = [];
  for (const [path, text] of await generated(root)) {
    let found: string | undefined;
    try {
      found = readFileSync(join(root, path), 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    if (found !== text) wrong.push(path);
  }
  return wrong;
}

describe('generated files', () => {
  it('are what the generator writes: run `npm run generate` and commit what it changed', async () => {
    assert.deepEqual(await stale(ROOT), []);
  });

  it('have no empty cells', () => {
    assert.equal(
      written('a page', [
        ['rule', 'meaning'],
        ['a', 'b'],
      ]),
      dedent`
        | rule | meaning |
        |---|---|
        | a | b |
      `,
    );
    assert.throws(
      () =>
        written('a page', [
          ['rule', 'meaning'],
          ['a', ' '],
        ]),
      /"a page" has an empty cell: "meaning" of "a"/,
    );
  });

  it('are told when they are stale or missing', async () => {
    const copy = realpathSync(mkdtempSync(join(tmpdir(), 'nodometer-generated-')));
    try {
      // Only parts of these are generated; their authors' text around them is kept.
      const partly: [path: string, before: string, after: string][] = [
        ['README.md', '[no-', '[yes-'],
        ['docs/editor.md', '`nodometer.run`', '`nodometer.walk`'],
        ['docs/configuration.md', '`minimumKinds`', '`maximumKinds`'],
        ['docs/frameworks.md', '`express`', '`expresso`'],
        ['package.json', '"nodometer.lintWorkspace"', '"nodometer.lintAll"'],
        ['eslint-plugin/package.json', '"nodometer": "', '"nodometer": "9'],
        ['package.nls.json', '"rules.no-', '"rules.yes-'],
      ];
      const paths = [...(await generated(ROOT)).keys()].filter((path) => !partly.some(([name]) => name === path));
      for (const name of ['rules', 'analysis', 'knowledge', 'protocol', 'client', ...new Set(partly.map(([path]) => path))])
        cpSync(join(ROOT, name), join(copy, name), { recursive: true });
      symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'), 'junction');
      for (const path of paths) {
        const text = readFileSync(join(ROOT, path), 'utf8');
        cpSync(join(ROOT, path), join(copy, path), { recursive: true });
        writeFileSync(join(copy, path), `${text}\n`);
        assert.ok((await stale(copy)).includes(path), path);
        rmSync(join(copy, path));
        assert.ok((await stale(copy)).includes(path), `${path} is gone`);
        writeFileSync(join(copy, path), text);
      }
      assert.deepEqual(await stale(copy), []);
      for (const [path, before, after] of partly) {
        const text = readFileSync(join(ROOT, path), 'utf8');
        assert.ok(text.includes(before), `${path} lacks ${before}`);
        writeFileSync(join(copy, path), text.replace(before, after));
        assert.ok((await stale(copy)).includes(path), `${path}: ${before}`);
        writeFileSync(join(copy, path), text);
      }
    } finally {
      rmSync(copy, { recursive: true, force: true });
    }
  });
});
