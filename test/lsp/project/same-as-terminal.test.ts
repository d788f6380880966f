// The editor's findings are those of `nodometer lint --format json`: on the samples, and on files that are hard to count in.
import assert from 'node:assert/strict';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { describe, it } from 'node:test';
import { FileChangeType } from 'vscode-languageserver/node';
import { FIX_ALL_KIND } from '../../../protocol/editor.ts';
import { findDamage } from '../../../analysis/fix/verify.ts';
import { rules } from '../../../rules/index.ts';
import { folderWith, run } from '../../cli/support.ts';
import { uriOf, withServer } from '../harness.ts';
import { diagnosticRows, documentRows, terminalRows, workspaceRows } from '../rows.ts';
import { filesBelow, languageOf, SAMPLES } from '../samples.ts';
import { apply, editsOf } from '../snapshot.ts';
import { caseTexts, HANDLER, lintReal } from '../texts.ts';
import { dedent } from '../../../analysis/testing/dedent.ts';

describe('findings on the samples', () => {
  it(
    'are those of the terminal, document by document',
    withServer({ folders: [SAMPLES] }, async (session) => {
      const expected = await terminalRows(SAMPLES);
      assert.ok(expected.length > 20, `${expected.length} findings`);
      assert.deepEqual(await documentRows(session, filesBelow(SAMPLES)), expected);
    }),
  );

  it(
    'are those of the terminal, over the whole workspace',
    withServer({ folders: [SAMPLES] }, async (session) => {
      assert.deepEqual(await workspaceRows(session), await terminalRows(SAMPLES));
    }),
  );
});

describe('findings on files of all kinds', () => {
  const files = {
    'package.json':
      '{ "type": "commonjs", "scripts": { "start": "node crlf.js" }, "dependencies": { "express": "^5.0.0" }, "engines": { "node": ">=20" } }\n',
    'crlf.js': `${HANDLER}app.listen(3000);\n`.replaceAll('\n', '\r\n'),
    'cr.js': HANDLER.replaceAll('\n', '\r'),
    'wide.js': HANDLER.replace("'terms.txt'", "'😀é̀漢.txt'").replace("'/terms'", "'/😀'"),
    'tabs.js': HANDLER.replace(/^app/m, '\t\tapp'),
    'no end.js': HANDLER.trimEnd(),
    'größe 100%.js': HANDLER,
    'a#b?c.js': HANDLER,
    'bin/serve': `#!/usr/bin/env node\n${HANDLER}`,
    'bin/other': `#!/bin/sh\n${HANDLER}`,
    'view.jsx': `${HANDLER}export const view = <a>{/* x */}</a>;\n`,
    'typed.mts': HANDLER.replace('(request,', '(request: any,'),
    'types.d.ts': HANDLER,
    Dockerfile: 'FROM node:22\r\nCOPY . .\r\nCMD ["node", "crlf.js"]\r\n',
    '.pnp.cjs': HANDLER,
    'half.js': `${HANDLER}foo(`,
    'broken/package.json': '{ "scripts": { "start": "node ../crlf.js" }, "dependencies": { "express": "^5.0.0" ',
    'silenced.js': HANDLER.replace(/^app/m, '// nodometer-disable-next-line no-sync-in-handler\napp'),
    'idle.js': dedent`
      // nodometer-disable-next-line no-sync-in-handler
      ok();

    `,
    'x.min.js': HANDLER,
    'app.bundle.js': HANDLER,
    'node_modules/a/index.js': HANDLER,
    '.next/a.js': HANDLER,
    'out/a.js': HANDLER,
    '.gitignore': 'out/\n',
    'two.cjs': `${HANDLER}module.exports = app;`,
  };

  it('are those of the terminal', async () => {
    const folder = folderWith(files);
    try {
      await withServer({ folders: [folder.path] }, async (session) => {
        const expected = await terminalRows(folder.path);
        const named = new Set(expected.map(({ file }) => file.slice(folder.path.length + 1)));
        for (const name of [
          'crlf.js',
          'cr.js',
          'wide.js',
          'größe 100%.js',
          'a#b?c.js',
          'bin/serve',
          'Dockerfile',
          'broken/package.json',
          'typed.mts',
          'idle.js',
        ])
          assert.ok(named.has(name), `nothing found in ${name}: ${[...named].join(' ')}`);
        assert.deepEqual(await workspaceRows(session), expected, 'over the workspace');
        const all = Object.keys(files)
          .map((name) => join(folder.path, name))
          .sort();
        assert.deepEqual(await documentRows(session, all), expected, 'document by document');
      })();
    } finally {
      folder.dispose();
    }
  });
});

describe('a byte order mark', () => {
  it('is no column of a file on disk, because editors take it out of the text', async () => {
    const line = HANDLER.replaceAll('\n', ' ');
    const folder = folderWith({ 'package.json': '{}', 'a.js': `\uFEFF${line}` });
    try {
      await withServer({ folders: [folder.path] }, async (session) => {
        const uri = uriOf(join(folder.path, 'a.js'));
        await session.open(uri, line);
        const open = diagnosticRows(uri, await session.diagnose(uri));
        assert.equal(open.length, 1);
        await session.close(uri);
        assert.deepEqual(await workspaceRows(session), open);
        // Changed by another program.
        writeFileSync(join(folder.path, 'a.js'), `\uFEFF  ${line}`);
        await session.watched({ uri, type: FileChangeType.Changed });
        let now = open;
        for (let i = 0; i < 1000 && now[0]?.place === open[0]?.place; i++) now = diagnosticRows(uri, await session.diagnose(uri));
        await session.open(uri, `  ${line}`);
        assert.deepEqual(now, diagnosticRows(uri, await session.diagnose(uri)));
      })();
    } finally {
      folder.dispose();
    }
  });
});

describe('fix-all on the samples', () => {
  for (const kind of ['safe', 'suggestion'] as const) {
    it(`makes of each file what the terminal makes of it (${kind})`, async () => {
      const copy = folderWith({});
      cpSync(SAMPLES, copy.path, { recursive: true });
      // The samples have suggestions only.
      const safe = caseTexts().find(({ file, text }) => lintReal(file, text).some((finding) => finding.fixes[0]?.kind === 'safe'));
      writeFileSync(join(copy.path, 'batch-report', `safe${extname(safe?.file ?? '')}`), safe?.text ?? '');
      try {
        await withServer({ folders: [copy.path] }, async (session) => {
          const fixed: string[] = [];
          for (const file of new Set((await terminalRows(copy.path)).map((row) => row.file))) {
            const text = readFileSync(file, 'utf8');
            await session.open(uriOf(file), text, { languageId: languageOf(file) });
            // What is shown is what is fixed.
            await session.diagnose(uriOf(file));
            const mine = apply(
              text,
              (await session.fixAll(uriOf(file), kind)).edits.map((edit) => ({ ...edit })),
            );
            const [onSave] = await session.actions(uriOf(file), { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }, [
              FIX_ALL_KIND,
            ]);
            if (kind === 'safe') assert.equal(apply(text, onSave ? editsOf(onSave) : []), mine, file);
            await session.close(uriOf(file));
            const { code } = await run(['lint', '--fix', '--fix-type', kind, '--exit-zero', file], {
              cwd: copy.path,
              rules,
              fixCheck: findDamage,
            });
            assert.equal(code, 0);
            assert.equal(mine, readFileSync(file, 'utf8'), file);
            if (mine !== text) fixed.push(basename(file));
            writeFileSync(file, text);
          }
          assert.ok(fixed.length > 0);
          if (kind === 'suggestion')
            for (const name of ['Dockerfile', 'ecosystem.config.js', 'app.js']) assert.ok(fixed.includes(name), `${name} was not fixed`);
        })();
      } finally {
        copy.dispose();
      }
    });
  }
});
