// Settings, configuration files and what tells the Node range: changes apply at once, bad values are told once and replaced by what held.
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { CodeActionKind, FileChangeType, MessageType } from 'vscode-languageserver/node';
import { COMMANDS, FIX_ALL_KIND } from '../../protocol/editor.ts';
import { folderWith } from '../cli/support.ts';
import { RUNNING_NODE, SIMPLE_EDITOR, uriOf, VS_CODE, withServer, type Session, type StartOptions } from './harness.ts';
import { HANDLER, HANDLER_PLACES } from './texts.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

const URI = 'file:///nowhere/a.js';
const CONFIG = 'nodometer.config.json';
const ALL_OFF = { rules: { 'no-sync-in-handler': 'off' } };

interface Place {
  session: Session;
  /** URI of the one document that is open, app.js. */
  uri: string;
  /** Writes a file, or removes it, and has the server hear of it. */
  write(name: string, text: string | undefined): Promise<void>;
  path(name: string): string;
}

function inProject(
  files: Readonly<Record<string, string>>,
  options: StartOptions,
  test: (place: Place) => Promise<void>,
): () => Promise<void> {
  return async () => {
    const folder = folderWith({ 'package.json': '{}', 'app.js': HANDLER, ...files });
    try {
      await withServer({ folders: [folder.path], ...options }, async (session) => {
        const uri = uriOf(join(folder.path, 'app.js'));
        await session.open(uri, HANDLER);
        await session.diagnose(uri);
        await test({
          session,
          uri,
          path: (name) => join(folder.path, name),
          write: async (name, text) => {
            const path = join(folder.path, name);
            if (text === undefined) rmSync(path);
            else writeFileSync(path, text);
            await session.refreshed(() =>
              session.watched({ uri: uriOf(path), type: text === undefined ? FileChangeType.Deleted : FileChangeType.Changed }),
            );
          },
        });
      })();
    } finally {
      folder.dispose();
    }
  };
}

describe('the client is asked', () => {
  it('to tell of settings and files, and only what it can', async () => {
    await withServer({}, async (session) => {
      await session.until('registrations', () => session.registrations.length === 2);
      assert.deepEqual(session.registrations.map(({ method }) => method).sort(), [
        'workspace/didChangeConfiguration',
        'workspace/didChangeWatchedFiles',
      ]);
      assert.ok(JSON.stringify(session.registrations).includes('package.json'));
      const { diagnosticProvider, executeCommandProvider, codeActionProvider } = session.initialized.capabilities;
      assert.deepEqual(diagnosticProvider, { identifier: 'nodometer', interFileDependencies: true, workspaceDiagnostics: true });
      assert.equal(executeCommandProvider, undefined, 'the extension has the commands itself');
      assert.deepEqual(codeActionProvider, { codeActionKinds: ['quickfix', FIX_ALL_KIND], resolveProvider: true });
    })();
    await withServer({ capabilities: SIMPLE_EDITOR, options: {} }, async (session) => {
      await session.open(URI, HANDLER);
      await session.until('diagnostics', () => session.published.length > 0);
      assert.deepEqual(session.registrations, []);
      assert.equal(session.initialized.capabilities.diagnosticProvider, undefined);
      assert.deepEqual(session.initialized.capabilities.executeCommandProvider?.commands, [
        COMMANDS.openRuleDocumentation,
        COMMANDS.lintWorkspace,
        COMMANDS.fixFile,
        COMMANDS.acceptFinding,
      ]);
      assert.equal(session.statuses.size, 0, 'a client that does not know the status is not told');
    })();
  });
});

describe('settings', () => {
  it(
    'that change apply at once',
    withServer({}, async (session) => {
      await session.open(URI, HANDLER);
      const severities: [unknown, (number | undefined)[]][] = [
        [{}, [2]],
        [{ rules: { 'no-sync-in-handler': 'error' } }, [1]],
        [{ rules: { 'no-sync-in-handler': 'hint' } }, [3]],
        [ALL_OFF, []],
        [{ enable: false }, []],
        [undefined, [2]],
        [{ maxFileSize: 10 }, []],
        [{ rules: {} }, [2]],
      ];
      for (const [settings, expected] of severities) {
        await session.refreshed(() => session.configure(settings));
        assert.deepEqual(
          (await session.diagnose(URI)).map(({ severity }) => severity),
          expected,
          JSON.stringify(settings),
        );
      }
      await session.refreshed(() => session.configure({ enable: false }));
      await session.diagnose(URI);
      assert.deepEqual(
        [session.statuses.get(URI)?.state, session.statuses.get(URI)?.reason],
        ['off', 'Nodometer is disabled here (nodometer.enable).'],
      );
      assert.deepEqual(await session.actions(URI, { start: { line: 2, character: 60 }, end: { line: 2, character: 60 } }), []);
    }),
  );

  it(
    'of hovers, actions and idle comments',
    withServer({}, async (session) => {
      const text = dedent`
        ${HANDLER}// nodometer-disable-next-line no-sync-in-handler
        ok();

      `;
      await session.open(URI, text);
      const titles = async () =>
        (await session.actions(URI, { start: { line: 2, character: 60 }, end: { line: 2, character: 60 } })).map(({ title }) => title);
      const all = await titles();
      assert.ok(all.some((title) => title.startsWith('Disable')) && all.some((title) => title.startsWith('Show documentation')));
      assert.notEqual(await session.hover(URI, { line: 2, character: 60 }), null);
      assert.equal((await session.diagnose(URI)).length, 2);
      await session.refreshed(() =>
        session.configure({
          hover: { enable: false },
          'codeAction.showDocumentation': false,
          codeAction: { disableComment: { enable: false } },
          reportUnusedDisables: false,
        }),
      );
      assert.deepEqual(
        await titles(),
        all.filter((title) => !/^Disable|^Show documentation/.test(title)),
      );
      assert.equal(await session.hover(URI, { line: 2, character: 60 }), null);
      assert.equal((await session.diagnose(URI)).length, 1);
      await session.refreshed(() => session.configure({ codeAction: { disableComment: { location: 'sameLine' } } }));
      const disable = (await session.actions(URI, { start: { line: 2, character: 60 }, end: { line: 2, character: 60 } })).find(
        ({ title }) => title === 'Disable no-sync-in-handler for this line',
      );
      assert.ok(disable);
      assert.match(JSON.stringify((await session.resolve(disable)).edit), /nodometer-disable-line/);
    }),
  );

  it(
    'with bad values: one warning for each, and the default',
    withServer(
      {
        settings: {
          enable: 'yes',
          maxFileSize: -1,
          node: 'soon',
          rules: { 'no-such-rule': 'error', 'no-sync-in-handler': 'loud', 'no-unstable-shape': 'off' },
          run: 7,
          color: 'red',
        },
      },
      async (session) => {
        await session.open(URI, HANDLER);
        assert.deepEqual(await session.places(URI), HANDLER_PLACES);
        await session.open('file:///nowhere/b.js', HANDLER);
        assert.deepEqual(await session.places('file:///nowhere/b.js'), HANDLER_PLACES);
        const about = session.messages.map(({ type, message }) => {
          assert.equal(type, MessageType.Warning);
          return /`nodometer\.([\w.-]+)`/.exec(message)?.[1];
        });
        assert.deepEqual(about.sort(), ['color', 'enable', 'maxFileSize', 'node', 'rules', 'rules.no-sync-in-handler', 'run']);
        // Another setting changes: nothing is said again. The value is mended and broken again: it is.
        await session.refreshed(() => session.configure({ enable: 'yes' }));
        await session.diagnose(URI);
        assert.equal(session.messages.length, 7);
        await session.refreshed(() => session.configure({}));
        await session.diagnose(URI);
        await session.refreshed(() => session.configure({ enable: 'yes' }));
        await session.diagnose(URI);
        assert.equal(session.messages.length, 8);
      },
    ),
  );

  it(
    'that are no object, or cannot be had, are the defaults',
    withServer({ settings: 7 }, async (session) => {
      await session.open(URI, HANDLER);
      assert.deepEqual(await session.places(URI), HANDLER_PLACES);
      assert.equal(session.messages.length, 1);
      await session.refreshed(() => session.configure(() => Promise.reject(new Error('no settings today'))));
      assert.deepEqual(await session.places(URI), HANDLER_PLACES);
      assert.ok(session.logs.some(({ message }) => message.includes('no settings today')));
      await session.refreshed(() => session.configure(ALL_OFF));
      assert.deepEqual(await session.places(URI), []);
    }),
  );

  it(
    'that a client sends unasked hold, nested, flat or under their name',
    withServer({ capabilities: { textDocument: VS_CODE.textDocument } }, async (session) => {
      await session.open(URI, HANDLER);
      const send = (settings: unknown) => session.connection.sendNotification('workspace/didChangeConfiguration', { settings });
      for (const settings of [{ nodometer: ALL_OFF }, ALL_OFF]) {
        await send(settings);
        assert.deepEqual(await session.places(URI), []);
        await send({ nodometer: {} });
        assert.deepEqual(await session.places(URI), HANDLER_PLACES);
      }
      await send(null);
      assert.deepEqual(await session.places(URI), HANDLER_PLACES);
      assert.deepEqual(session.messages, []);
    }),
  );
});

describe(CONFIG, () => {
  it(
    'is followed when it is made, edited, broken, mended and removed; it wins over the settings',
    inProject(
      {},
      { settings: { rules: { 'no-sync-in-handler': 'hint', 'no-unstable-shape': 'off' } } },
      async ({ session, uri, write }) => {
        const severity = async () => (await session.diagnose(uri)).map((one) => one.severity);
        assert.deepEqual(await severity(), [3]);
        await write(CONFIG, '{ "rules": { "no-sync-in-handler": "error" } }');
        assert.deepEqual(await severity(), [1]);
        await write(CONFIG, '{ "rules": { "no-sync-in-handler": "off" } }');
        assert.deepEqual(await severity(), []);
        assert.equal(session.messages.length, 0);
        await write(CONFIG, '{\n  "rules": { "no-sync-in-handler": "of');
        assert.deepEqual(await severity(), [], 'the last good one holds');
        assert.deepEqual(
          session.messages.map(({ type, message }) => [type, message.replace(/ \S*\/(?=nodometer\.config)/, ' <folder>/')]),
          [
            [
              MessageType.Error,
              'Nodometer: <folder>/nodometer.config.json:2: invalid JSON: unexpected end of string. The last valid configuration stays in effect.',
            ],
          ],
        );
        await write('package.json', '{ "name": "a" }');
        assert.deepEqual(await severity(), []);
        assert.equal(session.messages.length, 1, 'something else changes: it is not said again');
        session.takeErrors();
        await write(CONFIG, '{ "rules": { "no-sync-in-handler": "warning" } }');
        assert.deepEqual(await severity(), [2]);
        await write(CONFIG, undefined);
        assert.deepEqual(await severity(), [3]);
        assert.equal(session.messages.length, 1);
      },
    ),
  );

  it(
    'is looked at again when the client tells nothing of its changes',
    inProject({ [CONFIG]: '{ "rules": { "no-sync-in-handler": "error" } }' }, {}, async ({ session, uri, write, path }) => {
      const severity = async () => (await session.diagnose(uri)).map((one) => one.severity);
      assert.deepEqual(await severity(), [1]);
      await session.refreshed(async () => {
        writeFileSync(path(CONFIG), '{ "rules": { "no-sync-in-handler": "hint" } }');
        assert.deepEqual(await severity(), [3], 'edited');
      });
      await write(CONFIG, '{ "rules": { "no-sync-in-handler": "of');
      assert.deepEqual(await severity(), [3], 'the last good one holds');
      const { refreshes } = session;
      await severity();
      assert.equal(session.refreshes, refreshes, 'one that is broken is not read again and again');
      session.takeErrors();
      await session.refreshed(async () => {
        rmSync(path(CONFIG));
        assert.deepEqual(await severity(), [2], 'deleted');
      });
    }),
  );

  it(
    'that is broken from the start is told, and the defaults hold',
    inProject({ [CONFIG]: '{ "rules": { "no-such": "off" } }' }, {}, async ({ session, uri, write }) => {
      assert.deepEqual(await session.places(uri), HANDLER_PLACES);
      assert.equal(session.takeErrors().length, 1);
      assert.equal(session.messages.length, 1);
      await write(CONFIG, '{ "rules": { "no-sync-in-handler": "off" } }');
      assert.deepEqual(await session.places(uri), []);
    }),
  );

  it(
    'that changes while a document is linted makes the result void',
    inProject({}, {}, async ({ session, uri }) => {
      for (const severity of ['off', 'warning', 'off', 'warning']) {
        await session.change(uri, { text: `${session.textOf(uri)}\n` });
        writeFileSync(new URL(uri.replace('app.js', CONFIG)), JSON.stringify({ rules: { 'no-sync-in-handler': severity } }));
        const inFlight = session.pull(uri);
        await session.configure({});
        await inFlight;
        assert.deepEqual(await session.places(uri), severity === 'off' ? [] : HANDLER_PLACES);
      }
    }),
  );

  it(
    'that is open shows its mistakes where they are, as they are typed',
    inProject({ [CONFIG]: '{}' }, {}, async ({ session, uri }) => {
      const config = uri.replace('app.js', CONFIG);
      await session.open(config, '{}', { languageId: 'jsonc' });
      assert.deepEqual(await session.diagnose(config), []);
      await session.change(config, {
        text: dedent`
        {
          // off
          "rules": { "no-such": "off" },
          "maxFileSize": "large"
        }
      `,
      });
      assert.deepEqual(
        (await session.diagnose(config)).map(({ range, severity, message }) => [
          `${range.start.line + 1}:${range.start.character + 1}-${range.end.character + 1}`,
          severity,
          (message as string).slice(0, 32),
        ]),
        [
          ['3:14-23', 1, 'unknown rule `no-such`. Availabl'],
          ['4:18-25', 1, 'expected a positive whole number'],
        ],
      );
      // On disk it is as it was.
      assert.deepEqual(await session.places(uri), HANDLER_PLACES);
      for (const text of ['{', '{ "rules": ', '[]', '', '{}}', '\0']) {
        await session.change(config, { text });
        assert.ok((await session.diagnose(config)).length > 0, text);
      }
    }),
  );

  it(
    'ignores and overrides',
    inProject({}, {}, async ({ session, uri, write }) => {
      await write(CONFIG, '{ "ignores": ["app.js"] }');
      assert.deepEqual(await session.places(uri), []);
      assert.equal(session.statuses.get(uri)?.state, 'skipped');
      await write(CONFIG, '{ "overrides": [{ "files": ["app*"], "rules": { "no-sync-in-handler": "error" } }] }');
      assert.deepEqual(
        (await session.diagnose(uri)).map(({ severity }) => severity),
        [1],
      );
      await write(CONFIG, '{ "maxFileSize": 10 }');
      assert.deepEqual(await session.places(uri), []);
    }),
  );
});

describe('the width of lines', () => {
  const line = "const text = fs.readFileSync(path.join(__dirname, 'pages', 'a.html'), 'utf8');";
  const text = dedent`
    const fs = require('node:fs');
    const path = require('node:path');
    require('http').createServer(async (req, res) => {
      ${line}
      res.end(text);
    }).listen(3000);

  `;

  it(
    'of a fix follows the configurations of formatters as they change',
    inProject({ 'wide.js': text }, {}, async ({ session, path, write }) => {
      const uri = uriOf(path('wide.js'));
      await session.open(uri, text);
      const isBroken = async () => {
        const [finding] = await session.diagnose(uri);
        assert.ok(finding);
        const actions = await session.actions(uri, finding.range, [CodeActionKind.QuickFix]);
        const edit = JSON.stringify(actions.find(({ title }) => title.includes('promise'))?.edit);
        assert.match(edit, /await/);
        return edit.includes('\\n  ');
      };
      await write('.prettierrc', '{ "printWidth": 80 }');
      assert.equal(await isBroken(), true);
      await write('.prettierrc', '{ "printWidth": 180 }');
      assert.equal(await isBroken(), false);
      await write('.prettierrc', undefined);
      await write('biome.json', '{ "formatter": { "lineWidth": 80 } }');
      assert.equal(await isBroken(), true);
      await write('biome.json', undefined);
      await write('.editorconfig', '[*]\nmax_line_length = 180\n');
      assert.equal(await isBroken(), false);
    }),
  );
});

describe('the Node range', () => {
  it(
    'follows package.json, .nvmrc, the configuration, the settings and the Node that runs',
    inProject({}, { options: { clientCommands: true, nodeVersion: '22.5.0' } }, async ({ session, uri, write }) => {
      const range = async () => {
        await session.diagnose(uri);
        const { nodeRange, nodeRangeSource } = session.statuses.get(uri) ?? {};
        return `${nodeRange ?? ''} from ${(nodeRangeSource ?? '').replace(/\S*\/(?=nodometer)/, '')}`;
      };
      assert.equal(await range(), '22.5.0 from the running Node');
      await write('.nvmrc', 'v18.4.0\n');
      assert.equal(await range(), '18.4.0 from .nvmrc');
      await write('package.json', '{ "engines": { "node": ">=24" } }');
      assert.equal(await range(), '>=24 from engines.node in package.json');
      await write('package.json', '{ "engines": { "node": "soon" } }');
      assert.equal(await range(), '18.4.0 from .nvmrc');
      assert.ok(session.logs.some(({ type, message }) => type === MessageType.Warning && message.includes('`soon`')));
      await session.refreshed(() => session.configure({ node: '^20' }));
      assert.equal(await range(), '^20 from nodometer.node in the settings');
      await write(CONFIG, '{ "node": ">=26" }');
      assert.equal(await range(), '>=26 from node in nodometer.config.json');
      await write(CONFIG, undefined);
      await session.refreshed(() => session.configure({}));
      await write('package.json', '{ "engines": ');
      assert.equal(await range(), '18.4.0 from .nvmrc');
      await write('.nvmrc', undefined);
      assert.equal(await range(), '22.5.0 from the running Node');
    }),
  );

  it(
    'is the server’s own where the client knows none',
    withServer({ options: { clientCommands: true } }, async (session) => {
      await session.open(URI, HANDLER);
      await session.diagnose(URI);
      assert.equal(session.statuses.get(URI)?.nodeRange, RUNNING_NODE);
    }),
  );

  it(
    'decides whether a finding holds',
    inProject(
      {
        'app.js': dedent`
      for (const row of rows) {
        delete row.last;
      }

    `,
      },
      {},
      async ({ session, uri, write }) => {
        await session.change(uri, {
          text: dedent`
          const app = require('express')();
          app.get('/', (request, response) => {
            for (const row of request.app.locals.rows) {
              row.a = 1;
              row.last = 2;
              delete row.last;
            }
            response.end();
          });

        `,
        });
        await write('package.json', '{ "engines": { "node": ">=24" } }');
        const on24 = await session.diagnose(uri);
        await write('package.json', '{ "engines": { "node": "20" } }');
        assert.notDeepEqual(await session.diagnose(uri), on24);
      },
    ),
  );
});

describe('.gitignore', () => {
  it(
    'is followed',
    inProject({}, {}, async ({ session, uri, write }) => {
      await write('.gitignore', '*.js\n');
      assert.deepEqual(await session.places(uri), []);
      assert.equal(session.statuses.get(uri)?.state, 'skipped');
      await write(
        '.gitignore',
        dedent`
        *.js
        !app.js

      `,
      );
      assert.deepEqual(await session.places(uri), HANDLER_PLACES);
      await write('.gitignore', undefined);
      assert.deepEqual(await session.places(uri), HANDLER_PLACES);
    }),
  );
});

describe('a client that watches no files', () => {
  it(
    'is followed by what it saves',
    inProject({}, {}, async ({ session, uri }) => {
      const config = uri.replace('app.js', CONFIG);
      await session.open(config, '{}', { languageId: 'jsonc' });
      writeFileSync(new URL(config), '{ "rules": { "no-sync-in-handler": "off" } }');
      await session.refreshed(() => session.save(config));
      assert.deepEqual(await session.places(uri), []);
    }),
  );
});
