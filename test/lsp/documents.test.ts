// The life of documents: opened, cancelled, closed, renamed, deleted; those that are left out; those that lie on no disk.
import assert from 'node:assert/strict';
import { renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { join } from 'node:path';
import { CancellationTokenSource, FileChangeType, LSPErrorCodes, MessageType, ResponseError } from 'vscode-languageserver/node';
import { rules } from '../../rules/index.ts';
import type { ServerDeps } from '../../server/deps.ts';
import { crashing, folderWith, slow } from '../cli/support.ts';
import { indexHere, jobHere, quiet, uriOf, vscodeUri, withServer, type IndexWork, type Session, type StartOptions } from './harness.ts';
import { HANDLER, HANDLER_PLACES } from './texts.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

const URI = 'file:///nowhere/a.js';

/** A server whose one workspace folder holds the files. */
function inFolder(
  files: Readonly<Record<string, string>>,
  options: StartOptions,
  test: (session: Session, path: (name: string) => string) => Promise<void>,
): () => Promise<void> {
  return async () => {
    const folder = folderWith(files);
    try {
      await withServer({ folders: [folder.path], ...options }, (session) => test(session, (name) => join(folder.path, name)))();
    } finally {
      folder.dispose();
    }
  };
}

async function assertCancelled(request: Promise<unknown>): Promise<void> {
  await assert.rejects(request, (error: unknown) => error instanceof ResponseError && error.code === LSPErrorCodes.RequestCancelled);
}

describe('a pull', () => {
  it(
    'that is cancelled is answered as cancelled, and the next one in full',
    withServer({}, async (session) => {
      await session.open(URI, HANDLER);
      for (const method of ['textDocument/diagnostic', 'textDocument/codeAction', 'textDocument/hover']) {
        const cancellation = new CancellationTokenSource();
        const position = { line: 2, character: 60 };
        const request = session.connection.sendRequest(
          method,
          { textDocument: { uri: URI }, position, range: { start: position, end: position }, context: { diagnostics: [] } },
          cancellation.token,
        );
        cancellation.cancel();
        await assertCancelled(request);
      }
      assert.deepEqual(await session.places(URI), HANDLER_PLACES);
    }),
  );

  it(
    'in flight is cancelled between the stages',
    withServer({}, async (session) => {
      // The settings come late, so that the pull waits for them when it is cancelled.
      let give: (value: unknown) => void = () => undefined;
      session.settings = () => new Promise((resolve) => (give = resolve));
      await session.connection.sendNotification('workspace/didChangeConfiguration', { settings: null });
      await session.open(URI, HANDLER);
      const cancellation = new CancellationTokenSource();
      const request = session.connection.sendRequest('textDocument/diagnostic', { textDocument: { uri: URI } }, cancellation.token);
      const cancelled = assertCancelled(request);
      const other = session.pull(URI);
      cancellation.cancel();
      for (let i = 0; i < 50; i++) await new Promise((resolve) => setImmediate(resolve));
      give({});
      await cancelled;
      assert.equal((await other).kind, 'full');
    }),
  );

  it(
    'that knows the answer is told that nothing has changed',
    withServer({}, async (session) => {
      await session.open(URI, HANDLER);
      const first = await session.pull(URI);
      assert.ok(first.resultId);
      assert.deepEqual(await session.pull(URI, first.resultId), { kind: 'unchanged', resultId: first.resultId });
      await session.change(URI, { range: { start: { line: 3, character: 0 }, end: { line: 3, character: 0 } }, text: 'ok();\n' });
      assert.equal((await session.pull(URI, first.resultId)).kind, 'unchanged');
      await session.change(URI, { range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }, text: '\n' });
      const second = await session.pull(URI, first.resultId);
      assert.equal(second.kind, 'full');
      assert.notEqual(second.resultId, first.resultId);
    }),
  );
});

describe('a document', () => {
  it(
    'that is closed has no findings left, and starts anew when it is opened again',
    withServer({}, async (session) => {
      await session.open(URI, HANDLER);
      assert.deepEqual(await session.places(URI), HANDLER_PLACES);
      await session.close(URI);
      assert.deepEqual(await session.places(URI), []);
      assert.deepEqual(await session.actions(URI, { start: { line: 2, character: 60 }, end: { line: 2, character: 60 } }), []);
      assert.equal(await session.hover(URI, { line: 2, character: 60 }), null);
      // The same version of another text.
      await session.open(URI, 'ok();');
      assert.deepEqual(await session.places(URI), []);
    }),
  );

  it(
    'that is closed while it is linted leaves nothing to the next of its name',
    withServer({}, async (session) => {
      for (let i = 0; i < 20; i++) {
        await session.open(URI, HANDLER);
        const late = session.pull(URI);
        for (let turns = 0; turns < i; turns++) await new Promise((resolve) => setImmediate(resolve));
        await session.close(URI);
        await session.open(URI, 'ok();');
        assert.deepEqual(await session.places(URI), []);
        await late;
        assert.deepEqual(await session.places(URI), []);
        await session.change(URI, { text: 'foo(' });
        assert.deepEqual(await session.places(URI), []);
        await session.close(URI);
      }
    }),
  );

  it(
    'that names a rule in a comment links to its page',
    withServer({}, async (session) => {
      await session.open(
        URI,
        dedent`
        // nodometer-disable-next-line no-sync-in-handler
        ok();

      `,
      );
      const links = await session.connection.sendRequest<{ range: unknown; target: string }[]>('textDocument/documentLink', {
        textDocument: { uri: URI },
      });
      assert.deepEqual(
        links.map(({ range, target }) => [range, target.replace(/^.*\/rules\//, '')]),
        [[session.rangeOf(URI, 'no-sync-in-handler'), 'no-sync-in-handler/README.md']],
      );
    }),
  );

  it(
    'that is renamed: the new one has the findings, the old one none, in the workspace, too',
    inFolder({ 'package.json': '{}', 'old.js': HANDLER }, {}, async (session, path) => {
      assert.equal((await session.lintWorkspace()).findings, 1);
      await session.open(uriOf(path('old.js')), HANDLER);
      renameSync(path('old.js'), path('new.js'));
      await session.close(uriOf(path('old.js')));
      await session.open(uriOf(path('new.js')), HANDLER);
      await session.watched(
        { uri: uriOf(path('old.js')), type: FileChangeType.Deleted },
        { uri: uriOf(path('new.js')), type: FileChangeType.Created },
      );
      assert.deepEqual(await session.places(uriOf(path('new.js'))), HANDLER_PLACES);
      assert.deepEqual(await session.places(uriOf(path('old.js'))), []);
      await session.close(uriOf(path('new.js')));
      assert.deepEqual(await known(session), { [uriOf(path('new.js'))]: HANDLER_PLACES });
    }),
  );

  it(
    'that is deleted while it is closed or open',
    inFolder({ 'package.json': '{}', 'a.js': HANDLER, 'b.js': HANDLER }, {}, async (session, path) => {
      assert.equal((await session.lintWorkspace()).findings, 2);
      await session.open(uriOf(path('b.js')), HANDLER);
      for (const name of ['a.js', 'b.js']) {
        rmSync(path(name));
        await session.watched({ uri: uriOf(path(name)), type: FileChangeType.Deleted });
      }
      // What is open is still there for its user.
      assert.deepEqual(await session.places(uriOf(path('b.js'))), HANDLER_PLACES);
      await session.close(uriOf(path('b.js')));
      assert.deepEqual(await known(session), {});
    }),
  );

  it('that is deleted while the index tells of it is not told of any more', async () => {
    const held: (() => void)[] = [];
    let isHeld = true;
    const work: IndexWork = { pending: 0 };
    const startIndex: ServerDeps['startIndex'] = (listen, died) =>
      indexHere(rules, work)((message) => {
        if (isHeld && message.kind === 'files') held.push(() => listen(message));
        else listen(message);
      }, died);
    await inFolder({ 'package.json': '{}', 'a.js': HANDLER }, { deps: { startIndex } }, async (session, path) => {
      assert.equal((await session.lintWorkspace()).findings, 1);
      await quiet(work);
      assert.equal(held.length, 1);
      rmSync(path('a.js'));
      await session.watched({ uri: uriOf(path('a.js')), type: FileChangeType.Deleted });
      await session.hover(uriOf(path('a.js')), { line: 0, character: 0 });
      isHeld = false;
      for (const tell of held) tell();
      await quiet(work);
      assert.deepEqual(await known(session), {});
    })();
  });

  it(
    'that is changed by another program is linted anew where the workspace was linted',
    inFolder({ 'package.json': '{}', 'a.js': 'ok();\n', 'b.js': HANDLER }, {}, async (session, path) => {
      await session.lintWorkspace();
      const names = Array.from({ length: 60 }, (_, i) => `many/${i}.js`);
      writeFileSync(path('a.js'), HANDLER);
      writeFileSync(path('b.js'), 'ok();\n');
      await session.watched(
        ...['a.js', 'b.js'].map((name) => ({ uri: uriOf(path(name)), type: FileChangeType.Changed as FileChangeType })),
        ...names.map((name) => ({ uri: uriOf(path(name)), type: FileChangeType.Deleted as FileChangeType })),
      );
      assert.deepEqual(await known(session), { [uriOf(path('a.js'))]: HANDLER_PLACES });
    }),
  );

  it(
    'with unsaved changes that is closed is linted as it is on disk',
    inFolder(
      {
        'package.json': '{}',
        'a.js': HANDLER,
        'bin/serve': `#!/usr/bin/env node\n${HANDLER}`,
        'large.js': `${HANDLER}${'// \n'.repeat(300_000)}`,
        'nodometer.config.json': '{ "maxFileSize": 2000000 }',
      },
      {},
      async (session, path) => {
        assert.equal((await session.lintWorkspace()).findings, 3);
        for (const name of ['a.js', 'bin/serve', 'large.js']) {
          await session.open(uriOf(path(name)), 'ok();\n');
          assert.deepEqual(await session.places(uriOf(path(name))), []);
          await session.close(uriOf(path(name)));
        }
        assert.deepEqual(
          Object.keys(await known(session)).sort(),
          ['a.js', 'bin/serve', 'large.js'].map((name) => uriOf(path(name))),
        );
      },
    ),
  );
});

/** Places in the files that are not open, by URI. */
async function known(session: Session): Promise<Record<string, string[]>> {
  // What was asked for by notifications is done when a later request is answered, some turns later for files that are read.
  for (let i = 0; i < 30; i++) await session.hover('file:///nowhere/none.js', { line: 0, character: 0 });
  await session.indexed();
  const cancellation = new CancellationTokenSource();
  const request = session.connection.sendRequest<{
    items: { uri: string; items: { code: string; range: { start: { line: number; character: number } } }[] }[];
  }>('workspace/diagnostic', { previousResultIds: [] }, cancellation.token);
  await session.hover('file:///nowhere/none.js', { line: 0, character: 0 });
  cancellation.cancel();
  const { items } = await request;
  return Object.fromEntries(
    items
      .filter((item) => item.items.length > 0)
      .map((item) => [item.uri, item.items.map(({ range: { start }, code }) => `${start.line + 1}:${start.character + 1} ${code}`)]),
  );
}

describe('a rule that throws', () => {
  const broken = { rules: [...rules, crashing, slow] };
  const text = dedent`
    ${HANDLER}crashMe();
    slow();

  `;

  it(
    'is dropped for that file and told once; the others stay',
    inFolder(
      { 'package.json': '{}', 'a.js': text, 'b.js': text },
      { deps: { ...broken, startLintJob: jobHere(broken.rules) } },
      async (session, path) => {
        const uri = uriOf(path('a.js'));
        await session.open(uri, text);
        for (let i = 0; i < 3; i++) {
          assert.deepEqual(await session.places(uri), [...HANDLER_PLACES, '5:1 no-slow']);
          await session.change(uri, { text: `${session.textOf(uri)}// \n` });
        }
        assert.equal(session.statuses.get(uri)?.state, 'failed');
        assert.equal(session.statuses.get(uri)?.reason, 'A rule crashed here (no-crash). See the output for details.');
        const { findings } = await session.lintWorkspace();
        assert.equal(findings, 4);
        assert.deepEqual(
          session.messages.map(({ type, message }) => [type, message.replace(path('a.js'), '<a.js>')]),
          [
            [
              MessageType.Warning,
              'Nodometer: rule no-crash crashed on <a.js> (out of order). Its findings there are missing; other findings are not affected. This is a bug in Nodometer; please report it. See the output for details.',
            ],
          ],
        );
        const errors = session.takeErrors();
        assert.equal(errors.length, 2);
        for (const error of errors)
          assert.match(error, /^Rule no-crash crashed on .*[ab]\.js, so its findings there are missing\.\nError: out of order\n {4}at /);
        // Without what it throws at, all is well.
        await session.change(uri, { text: HANDLER });
        assert.deepEqual(await session.places(uri), HANDLER_PLACES);
        assert.equal(session.statuses.get(uri)?.state, 'linted');
      },
    ),
  );
});

describe('what is left out', () => {
  const files: Record<string, string> = {
    'package.json': '{}',
    '.gitignore': dedent`
      out/
      *.gen.js

    `,
    'nodometer.config.json': '{ "ignores": ["vendor/"], "maxFileSize": 20000 }',
    'node_modules/a/index.js': HANDLER,
    'packages/b/node_modules/c/index.js': HANDLER,
    'out/a.js': HANDLER,
    'a.gen.js': HANDLER,
    'vendor/a.js': HANDLER,
    '.next/a.js': HANDLER,
    '.git/hooks/a.js': HANDLER,
    'a.min.js': HANDLER,
    'main.bundle.js': HANDLER,
    'long.js': `${HANDLER}x(${'1,'.repeat(4000)}1);`,
    'webpacked.js': dedent`
      /* webpackBootstrap */
      ${HANDLER}${'ok();\n'.repeat(1000)}
    `,
    'large.js': `${HANDLER}${'ok();\n'.repeat(4000)}`,
    'binary.js': `${HANDLER}\0`,
    'types.d.ts': HANDLER,
    'notes.md': HANDLER,
  };
  const reasons: readonly (readonly [string, string])[] = [
    ['node_modules/a/index.js', 'it is in node_modules'],
    ['packages/b/node_modules/c/index.js', 'it is in node_modules'],
    ['out/a.js', 'its folder is ignored (.gitignore or the configuration)'],
    ['vendor/a.js', 'its folder is ignored (.gitignore or the configuration)'],
    ['a.gen.js', 'it is ignored (.gitignore or the configuration)'],
    ['.next/a.js', 'its folder is generated by tools'],
    ['.git/hooks/a.js', 'its folder is generated by tools'],
    ['a.min.js', 'it is minified'],
    ['main.bundle.js', 'it is a bundle'],
    ['long.js', 'lines are 2043 characters long on average, which indicates generated code'],
    ['webpacked.js', 'starts like bundler output, which indicates generated code'],
    ['large.js', 'it is larger than 20000 bytes (maxFileSize)'],
    ['binary.js', 'it is binary'],
    ['types.d.ts', 'files of this type are not supported'],
    ['notes.md', 'files of this type are not supported'],
  ];

  it(
    'has no findings, and the status says why',
    inFolder(files, {}, async (session, path) => {
      assert.equal((await session.lintWorkspace()).findings, 0);
      for (const [name, reason] of reasons) {
        const uri = uriOf(path(name));
        await session.open(uri, files[name] ?? '', { languageId: name.endsWith('.md') ? 'markdown' : 'javascript' });
        assert.deepEqual(await session.diagnose(uri), [], name);
        const status = session.statuses.get(uri);
        assert.deepEqual([status?.state, status?.reason], ['skipped', `Not linted: ${reason}.`], name);
        assert.deepEqual(await session.actions(uri, { start: { line: 2, character: 60 }, end: { line: 2, character: 60 } }), [], name);
        assert.deepEqual(await session.fixAll(uri, 'suggestion'), { edits: [], made: 0, rejected: [] }, name);
        assert.equal(await session.hover(uri, { line: 2, character: 60 }), null, name);
      }
      // A file beside them is linted.
      await session.open(uriOf(path('a.js')), HANDLER);
      assert.deepEqual(await session.places(uriOf(path('a.js'))), HANDLER_PLACES);
    }),
  );

  it(
    'is linted as soon as it is no longer',
    inFolder(files, {}, async (session, path) => {
      const uri = uriOf(path('large.js'));
      await session.open(uri, files['large.js'] ?? '');
      assert.deepEqual(await session.places(uri), []);
      await session.change(uri, { text: HANDLER });
      assert.deepEqual(await session.places(uri), HANDLER_PLACES);
      assert.equal(session.statuses.get(uri)?.state, 'linted');
      await session.change(uri, { text: `${HANDLER}\0` });
      assert.deepEqual(await session.places(uri), []);
    }),
  );

  it(
    'outside of every folder is only what others wrote',
    inFolder({ 'a.js': HANDLER, 'node_modules/b/index.js': HANDLER, '.gitignore': '*' }, { folders: [] }, async (session, path) => {
      await session.open(uriOf(path('a.js')), HANDLER);
      assert.deepEqual(await session.places(uriOf(path('a.js'))), HANDLER_PLACES);
      await session.open(uriOf(path('node_modules/b/index.js')), HANDLER);
      assert.deepEqual(await session.places(uriOf(path('node_modules/b/index.js'))), []);
    }),
  );
});

describe('documents that lie on no disk', () => {
  it(
    'are linted by the settings alone',
    withServer({ settings: { node: '>=22', rules: { 'no-sync-in-handler': 'error' } } }, async (session) => {
      for (const uri of [
        'untitled:Untitled-1',
        'vscode-vfs://github/owner/repo/src/a.js',
        'git:/p/a.js?%7B%22ref%22%3A%22~%22%7D',
        'vscode-notebook-cell:/p/a.ipynb#W0sZmlsZQ%3D%3D',
      ]) {
        await session.open(uri, HANDLER);
        const [found, ...more] = await session.diagnose(uri);
        assert.deepEqual([found?.severity, found?.code, more], [1, 'no-sync-in-handler', []], uri);
        const status = session.statuses.get(uri);
        assert.deepEqual([status?.state, status?.nodeRange, status?.nodeRangeSource], ['linted', '>=22', 'nodometer.node in the settings']);
        for (const { location } of found?.relatedInformation ?? []) assert.equal(location.uri, uri);
        const { edits, made } = await session.fixAll(uri, 'suggestion');
        assert.deepEqual([made, edits.length > 0], [1, true], uri);
        assert.notEqual(await session.hover(uri, { line: 2, character: 60 }), null);
        await session.close(uri);
      }
    }),
  );

  it(
    'are left out where they would be on disk',
    withServer({}, async (session) => {
      const documents: readonly (readonly [string, string, string, string])[] = [
        ['vscode-vfs://github/owner/repo/node_modules/a/index.js', 'javascript', HANDLER, 'it is in node_modules'],
        [
          'vscode-vfs://github/owner/repo/package.json',
          'json',
          '{ "scripts": { "start": "node server.js" }, "dependencies": { "express": "5" } }',
          'deployment files are checked only on disk, together with the files around them',
        ],
        ['untitled:Untitled-2', 'plaintext', HANDLER, 'files of this type are not supported'],
      ];
      for (const [uri, languageId, text, reason] of documents) {
        await session.open(uri, text, { languageId });
        assert.deepEqual(await session.diagnose(uri), []);
        assert.equal(session.statuses.get(uri)?.reason, `Not linted: ${reason}.`);
      }
    }),
  );

  it(
    'have their dialect from their language',
    withServer({}, async (session) => {
      for (const [languageId, text] of [
        ['typescript', 'let a: number = 1;\n'],
        ['typescriptreact', 'const a: number = 1, b = <a/>;\n'],
        ['javascriptreact', 'const b = <a/>;\n'],
      ] as const) {
        const uri = `untitled:${languageId}`;
        await session.open(uri, text + HANDLER, { languageId });
        assert.deepEqual(await session.places(uri), ['4:58 no-sync-in-handler']);
      }
    }),
  );
});

describe('names and texts that are hard to write', () => {
  const names = [
    'größe.js',
    'mit leer zeichen.js',
    '100%.js',
    'a#b?c&d=e.js',
    '[id].js',
    "it's (1)@2,3;4+5!.js",
    '漢字/😀.js',
    'c:/windows.js',
    'per%20cent.js',
  ];
  it(
    'URIs however they are encoded lead to the file',
    inFolder(
      Object.fromEntries([
        ...names.map((name) => [name, HANDLER]),
        ['package.json', '{}'],
        ['nodometer.config.json', '{ "rules": { "no-sync-in-handler": "hint" } }'],
      ]),
      {},
      async (session, path) => {
        assert.equal((await session.lintWorkspace()).findings, names.length);
        for (const name of names) {
          const node = uriOf(path(name));
          const everything = `file://${path(name)
            .split('/')
            .map((part) => [...Buffer.from(part)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''))
            .join('/')}`;
          for (const uri of new Set([node, vscodeUri(path(name)), everything, everything.toLowerCase()])) {
            await session.open(uri, HANDLER);
            const [found, ...more] = await session.diagnose(uri);
            // The configuration beside it was found, and what it says holds.
            assert.deepEqual([found?.severity, more], [3, []], uri);
            assert.deepEqual(
              found?.relatedInformation?.map(({ location }) => location.uri),
              [uri],
            );
            await session.close(uri);
            assert.deepEqual(await session.places(uri), HANDLER_PLACES, `${uri} after it was closed`);
          }
        }
        assert.equal(Object.keys(await known(session)).length, names.length);
      },
    ),
  );

  it(
    'CRLF, CR and a byte order mark',
    withServer({}, async (session) => {
      for (const [name, text, expected] of [
        ['crlf', HANDLER.replaceAll('\n', '\r\n'), HANDLER_PLACES],
        ['cr', HANDLER.replaceAll('\n', '\r'), HANDLER_PLACES],
        ['bom', `\uFEFF${HANDLER}`, HANDLER_PLACES],
        ['bom on the line', `\uFEFF${HANDLER.replaceAll('\n', ' ')}`, [`1:${HANDLER.indexOf('fs.readFileSync') + 2} no-sync-in-handler`]],
        // JavaScript counts these as line breaks; the protocol does not.
        ['separator', HANDLER.replace("'/terms'", "'/\u2028'"), ['3:54 no-sync-in-handler']],
      ] as const) {
        const uri = `file:///nowhere/${encodeURIComponent(name)}.js`;
        await session.open(uri, text);
        assert.deepEqual(await session.places(uri), expected, name);
        const [found] = await session.diagnose(uri);
        const { edits } = await session.fixAll(uri, 'suggestion');
        await session.change(uri, ...[...edits].reverse().map(({ range, newText }) => ({ range, text: newText })));
        assert.deepEqual(await session.places(uri), [], name);
        if (name === 'crlf') assert.ok(!/[^\r]\n/.test(session.textOf(uri)), 'the fix writes the file’s own line breaks');
        assert.ok(found);
      }
    }),
  );

  it(
    'a link to a file is linted like the file',
    inFolder({ 'package.json': '{}', 'src/a.js': HANDLER }, {}, async (session, path) => {
      symlinkSync(path('src/a.js'), path('b.js'));
      await session.open(uriOf(path('b.js')), HANDLER);
      assert.deepEqual(await session.places(uriOf(path('b.js'))), HANDLER_PLACES);
      assert.equal((await session.lintWorkspace()).findings, 1);
    }),
  );
});
