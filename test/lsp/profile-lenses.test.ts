// Lenses that profile a function: which functions have one, and what a cursor in a callback means.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { FileChangeType } from 'vscode-languageserver-protocol/node';
import { CLEAR_EVIDENCE_REQUEST, COMMANDS, PROFILE_REQUEST, type ProfileResult, type ProfileTarget } from '../../protocol/editor.ts';
import { nameOfTarget } from '../../protocol/evidence.ts';
import { dedent } from '../../analysis/testing/dedent.ts';
import { folderWith } from '../cli/support.ts';
import { uriOf, VS_CODE, withServer, type Session } from './harness.ts';

const TRUSTED = { clientCommands: true, trusted: true };
const WITH_LENSES = { ...VS_CODE, workspace: { ...VS_CODE.workspace, codeLens: { refreshSupport: true } } };

/** Where each lens that profiles stands (line from 1), its title, and where it points to. */
async function profileLenses(session: Session, uri: string): Promise<string[]> {
  return (await session.lenses(uri)).flatMap(({ range, command }) => {
    if (command?.command !== COMMANDS.profileFunction) return [];
    const [target] = command.arguments as [ProfileTarget];
    return [`${range.start.line + 1}: ${command.title} → ${target.position.line + 1}:${target.position.character + 1}`];
  });
}

async function inFolder(files: Readonly<Record<string, string>>, test: (session: Session, uri: (name: string) => string) => Promise<void>) {
  const folder = folderWith({ 'package.json': '{}', ...files });
  try {
    await withServer({ folders: [folder.path], options: TRUSTED, capabilities: WITH_LENSES }, async (session) => {
      for (const [name, text] of Object.entries(files)) await session.open(uriOf(join(folder.path, name)), text);
      await session.indexed();
      await test(session, (name) => uriOf(join(folder.path, name)));
    })();
  } finally {
    folder.dispose();
  }
}

describe('lenses that profile', () => {
  it('stand above handlers without a name, wherever they are registered, and not above the function around them', async () => {
    const app = dedent`
      const express = require('express');
      const fs = require('node:fs');
      const app = express();
      app.get('/page', (req, res) => {
        res.end(fs.readFileSync('page.html'));
      });
      app.use((req, res, next) => {
        fs.statSync('page.html');
        next();
      });
      app.get('/fine', (req, res) => res.end('fine'));
      app.listen(3000);

    `;
    const plugin = dedent`
      const fs = require('node:fs');
      const { Router } = require('express');
      module.exports = function mount() {
        const router = Router();
        router.post('/save', (req, res) => {
          [1].forEach(() => fs.writeFileSync('saved', ''));
          res.end();
        });
        return router;
      };

    `;
    await inFolder({ 'app.js': app, 'plugin.js': plugin }, async (session, uri) => {
      assert.deepEqual(await profileLenses(session, uri('app.js')), ['4: Profile this route → 4:18', '7: Profile this route → 7:9']);
      assert.deepEqual(await profileLenses(session, uri('plugin.js')), ['5: Profile this route → 5:24']);
    });
  });

  it('stand above a handler that only another file registers', async () => {
    const app = dedent`
      const express = require('express');
      const { register } = require('./register');
      const fs = require('node:fs');
      const app = express();
      register(app, '/page', (req, res) => {
        res.end(fs.readFileSync('page.html'));
      });

    `;
    const register = 'exports.register = (app, path, handler) => app.get(path, handler);\n';
    await inFolder({ 'app.js': app, 'register.js': register }, async (session, uri) => {
      assert.deepEqual(await profileLenses(session, uri('app.js')), ['5: Profile this route → 5:24']);
    });
  });

  it('stand above an inline handler whose comment names a request', async () => {
    const app = dedent`
      const app = require('express')();
      app.get(/^\\/fi+ne$/, /** @profile GET /fine */ (req, res) => res.end('fine'));

    `;
    await inFolder({ 'app.js': app }, async (session, uri) => {
      assert.deepEqual(await profileLenses(session, uri('app.js')), ['2: Profile this route → 2:48']);
    });
  });
});

describe('lenses with a verdict', () => {
  it('are asked for again after every profile, after the evidence is cleared, and after another program wrote it', async () => {
    const text = dedent`
      exports.one = function one() {
        return 1;
      };

    `;
    await inFolder({ 'a.js': text }, async (session, uri) => {
      const asksAgain = async (what: string, work: () => Promise<unknown>): Promise<void> => {
        await session.indexed();
        const before = session.lensRefreshes;
        await work();
        await session.until(`lenses to be asked for again after ${what}`, () => session.lensRefreshes > before);
      };
      const profile = async (): Promise<void> => {
        const result = await session.connection.sendRequest<ProfileResult>(PROFILE_REQUEST, {
          textDocument: { uri: uri('a.js') },
          position: { line: 1, character: 2 },
          budgetMs: 500,
          nodePath: process.execPath,
        });
        assert.ok(result.ok, result.ok ? '' : result.why);
      };
      // Only the first one creates the file, which VS Code reports as a change.
      await asksAgain('the first profile', profile);
      await asksAgain('the second profile', profile);
      await asksAgain('clearing', () => session.connection.sendRequest(CLEAR_EVIDENCE_REQUEST, { textDocument: { uri: uri('a.js') } }));
      await asksAgain('a change on disk', () => session.watched({ uri: uri('.nodometer/evidence.json'), type: FileChangeType.Changed }));
    });
  });
});

describe('a cursor in a callback', () => {
  const text = dedent`
    exports.valid = function valid() {
      return [1, 2].every((n) => n > 0);
    };
    exports.scale = function scale(by) {
      return [1, 2].map((n) => n * by);
    };
    setTimeout(() => {}, 1);

  `;
  const profile = (session: Session, uri: string, line: number, character: number): Promise<ProfileResult> =>
    session.connection.sendRequest<ProfileResult>(PROFILE_REQUEST, {
      textDocument: { uri },
      position: { line, character },
      budgetMs: 500,
      nodePath: process.execPath,
    });

  it('means the function that it runs in', async () => {
    await inFolder({ 'a.js': text }, async (session, uri) => {
      const result = await profile(session, uri('a.js'), 1, text.split('\n')[1]?.indexOf('n > 0') ?? 0);
      assert.ok(result.ok, result.ok ? '' : result.why);
      assert.equal(nameOfTarget(result.report.target), 'exports.valid');
      assert.equal(result.range.start.line, 0);
    });
  });

  it('asks for the arguments of that function, and says what is wrong where nothing is around it', async () => {
    await inFolder({ 'a.js': text }, async (session, uri) => {
      const scale = await profile(session, uri('a.js'), 4, text.split('\n')[4]?.indexOf('n * by') ?? 0);
      assert.ok(!scale.ok && scale.example?.startsWith('exports.scale('), JSON.stringify(scale));
      const alone = await profile(session, uri('a.js'), 6, 18);
      assert.ok(!alone.ok && /it has no name in this file/.test(alone.why), JSON.stringify(alone));
    });
  });

  it('means the route that its handler answers, by its request', async () => {
    const server = dedent`
      const { createServer } = require('node:http');
      createServer((req, res) => {
        res.end([1, 2].map((n) => n * 2).join());
      }).listen(0);

    `;
    await inFolder({ 'server.js': server }, async (session, uri) => {
      writeFileSync(new URL(uri('server.js')), server);
      const result = await profile(session, uri('server.js'), 2, server.split('\n')[2]?.indexOf('n * 2') ?? 0);
      assert.ok(result.ok, result.ok ? '' : result.why);
      assert.equal(result.report.target.origin, 'request');
    });
  });
});
