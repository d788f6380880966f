// The editor's findings are those of `nodometer lint --format json`: on the samples, and on files that are hard to count in.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { join } from 'node:path';
import { folderWith } from '../cli/support.ts';
import { uriOf, withServer } from './harness.ts';
import { documentRows, terminalRows, workspaceRows } from './rows.ts';
import { filesBelow, SAMPLES } from './samples.ts';

const HANDLER = `const fs = require('node:fs');
const app = require('express')();
app.get('/terms', (request, response) => { response.send(fs.readFileSync('terms.txt', 'utf8')); });
`;

describe('findings on the samples', () => {
  it('are those of the terminal, document by document', withServer({ folders: [SAMPLES] }, async (session) => {
    const expected = await terminalRows(SAMPLES);
    assert.ok(expected.length > 20, `${expected.length} findings`);
    assert.deepEqual(await documentRows(session, filesBelow(SAMPLES)), expected);
  }));

  it('are those of the terminal, over the whole workspace', withServer({ folders: [SAMPLES] }, async (session) => {
    assert.deepEqual(await workspaceRows(session), await terminalRows(SAMPLES));
  }));
});

describe('findings on files of all kinds', () => {
  const files = {
    'package.json': '{ "type": "commonjs", "scripts": { "start": "node crlf.js" }, "dependencies": { "express": "^5.0.0" }, "engines": { "node": ">=20" } }\n',
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
    'Dockerfile': 'FROM node:22\r\nCOPY . .\r\nCMD ["node", "crlf.js"]\r\n',
    '.pnp.cjs': HANDLER,
    'half.js': `${HANDLER}foo(`,
    'broken/package.json': '{ "scripts": { "start": "node ../crlf.js" }, "dependencies": { "express": "^5.0.0" ',
    'silenced.js': HANDLER.replace(/^app/m, '// nodometer-disable-next-line no-sync-in-handler\napp'),
    'idle.js': '// nodometer-disable-next-line no-sync-in-handler\nok();\n',
    'x.min.js': HANDLER, 'app.bundle.js': HANDLER, 'node_modules/a/index.js': HANDLER, '.next/a.js': HANDLER, 'out/a.js': HANDLER, '.gitignore': 'out/\n',
    'two.cjs': `${HANDLER}module.exports = app;`,
  };

  it('are those of the terminal', async () => {
    const folder = folderWith(files);
    try {
      await withServer({ folders: [folder.path] }, async (session) => {
        const expected = await terminalRows(folder.path);
        const named = new Set(expected.map(({ file }) => file.slice(folder.path.length + 1)));
        for (const name of ['crlf.js', 'cr.js', 'wide.js', 'größe 100%.js', 'a#b?c.js', 'bin/serve', 'Dockerfile', 'broken/package.json', 'typed.mts', 'idle.js']) assert.ok(named.has(name), `nothing found in ${name}: ${[...named].join(' ')}`);
        assert.deepEqual(await workspaceRows(session), expected, 'over the workspace');
        // An editor tells by the first line that these are JavaScript, or not.
        const others = Object.keys(files).filter((name) => !name.startsWith('bin/')).map((name) => join(folder.path, name)).sort();
        const scriptUri = uriOf(join(folder.path, 'bin/serve'));
        await session.open(scriptUri, files['bin/serve'], { languageId: 'javascript' });
        assert.equal((await session.diagnose(scriptUri)).length, expected.filter(({ file }) => file.endsWith('bin/serve')).length);
        assert.deepEqual(await documentRows(session, others), expected.filter(({ file }) => !file.endsWith('bin/serve')), 'document by document');
      })();
    } finally {
      folder.dispose();
    }
  });
});
