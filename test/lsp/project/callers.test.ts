// A blocking call converted with its callers in other files, as an editor asks for it: reviewed, late, over unsaved texts; and why it is
// not offered.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { CodeAction, TextDocumentEdit, WorkspaceEdit } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { FIX_COSTS } from '../../../knowledge/fix-costs.ts';
import { builtIn } from '../../built.ts';
import { workerIndex } from '../../../server/workers/worker-jobs.ts';
import { folderWith } from '../../cli/support.ts';
import { uriOf, VS_CODE, withServer, type Session, type StartOptions } from '../harness.ts';
import { dedent } from '../../../analysis/testing/dedent.ts';

const APP = `const express = require('express');
const { show } = require('./lib/service');
const app = express();
app.get('/books/:id', (req, res) => { res.send(show(req.params.id)); });
`;
const SERVICE = `const { load } = require('./store');
exports.show = function show(id) {
  return load(id).trim();
};
`;
const STORE = `const fs = require('node:fs');
exports.load = function load(id) {
  return fs.readFileSync(id, 'utf8');
};
`;
const FILES = {
  'package.json': '{ "private": true, "dependencies": { "express": "^5.0.0" } }',
  'app.js': APP,
  'lib/service.js': SERVICE,
  'lib/store.js': STORE,
};
const AFTER = {
  'app.js': APP.replace(
    '(req, res) => { res.send(show(req.params.id)); });',
    dedent`
      async (req, res) => {
        res.send(await show(req.params.id));
      });
    `,
  ),
  'lib/service.js': SERVICE.replace('= function', '= async function').replace('load(id).trim()', '(await load(id)).trim()'),
  'lib/store.js': STORE.replace('= function', '= async function').replace('fs.readFileSync(', 'await fs.promises.readFile('),
};
const REVIEWING = {
  ...VS_CODE,
  workspace: { ...VS_CODE.workspace, workspaceEdit: { documentChanges: true, changeAnnotationSupport: { groupsOnLabel: true } } },
};
const CALL = 'fs.readFileSync';
const TITLE = `Convert to \`fs.promises.readFile\` with both callers (3 files) [${FIX_COSTS['await-readFile']}]`;

type Uri = (name: string) => string;

function inProject(
  files: Readonly<Record<string, string>>,
  capabilities: typeof VS_CODE,
  test: (session: Session, uri: Uri) => Promise<void>,
  deps: () => StartOptions['deps'] = () => undefined,
): () => Promise<void> {
  return async () => {
    const folder = folderWith(files);
    try {
      await withServer({ folders: [folder.path], capabilities, deps: deps() }, async (session) => {
        const uri = (name: string) => uriOf(join(folder.path, name));
        await session.open(uri('lib/store.js'), files['lib/store.js'] ?? '');
        await session.until('the index', () => session.logs.some(({ message }) => message.includes('files of the project were read')));
        await session.indexed();
        await test(session, uri);
      })();
    } finally {
      folder.dispose();
    }
  };
}

async function convertActions(session: Session, uri: string, call = CALL): Promise<CodeAction[]> {
  return (await session.actions(uri, session.rangeOf(uri, call), ['quickfix'])).filter(({ title }) => title.startsWith('Convert to'));
}

/** The texts that an edit makes, by URI. */
function applied(edit: WorkspaceEdit | undefined, textOf: (uri: string) => string): Record<string, string> {
  assert.ok(edit);
  const changes = edit.documentChanges
    ? (edit.documentChanges as TextDocumentEdit[]).map(({ textDocument, edits }) => [textDocument.uri, edits] as const)
    : Object.entries(edit.changes ?? {});
  return Object.fromEntries(
    changes.map(([uri, edits]) => [
      uri,
      TextDocument.applyEdits(
        TextDocument.create(uri, 'javascript', 0, textOf(uri)),
        edits as TextDocumentEdit['edits'] & { newText: string; range: never }[],
      ),
    ]),
  );
}

const onDisk = (uri: string): string => readFileSync(fileURLToPath(uri), 'utf8');

describe('converting a blocking call with its callers', () => {
  it(
    'is offered, worked out when chosen, and to be confirmed',
    inProject(FILES, REVIEWING, async (session, uri) => {
      const [action, ...others] = await convertActions(session, uri('lib/store.js'));
      assert.deepEqual(others, []);
      assert.equal(action?.title, TITLE);
      assert.equal(action.kind, 'quickfix');
      assert.equal(action.edit, undefined, 'the edit waits');
      assert.equal(action.isPreferred, undefined, 'nobody makes it unseen');
      assert.ok(action.diagnostics?.length === 1);
      const { edit } = await session.resolve(action);
      assert.deepEqual(applied(edit, onDisk), Object.fromEntries(Object.entries(AFTER).map(([name, text]) => [uri(name), text])));
      const annotations = Object.entries(edit?.changeAnnotations ?? {});
      assert.equal(annotations.length, 1);
      assert.equal(annotations[0]?.[1].needsConfirmation, true);
      const edits = ((edit?.documentChanges ?? []) as TextDocumentEdit[]).flatMap((one) => one.edits);
      assert.ok(
        edits.length > 0 && edits.every((one) => 'annotationId' in one && one.annotationId === annotations[0]?.[0]),
        'each edit is to be confirmed',
      );
      const versions = new Map(
        ((edit?.documentChanges ?? []) as TextDocumentEdit[]).map(({ textDocument }) => [textDocument.uri, textDocument.version]),
      );
      assert.deepEqual([versions.get(uri('lib/store.js')), versions.get(uri('app.js'))], [1, null]);
      // What only the file itself would say is not said beside it.
      assert.ok(
        !(await session.actions(uri('lib/store.js'), session.rangeOf(uri('lib/store.js'), CALL), ['quickfix'])).some(({ disabled }) =>
          disabled?.reason.includes('callers in other files'),
        ),
      );
    }),
  );

  it(
    'goes by what stands in the editor, saved or not',
    inProject(FILES, REVIEWING, async (session, uri) => {
      await session.open(uri('lib/service.js'), SERVICE);
      await session.replace(uri('lib/service.js'), '  return load(id)', '  // unsaved\n  return load(`${id}`)');
      const [action] = await convertActions(session, uri('lib/store.js'));
      assert.ok(action);
      const { edit } = await session.resolve(action);
      const texts = applied(edit, (of) => (of === uri('lib/service.js') ? session.textOf(of) : onDisk(of)));
      assert.equal(
        texts[uri('lib/service.js')],
        AFTER['lib/service.js'].replace('  return (await load(id))', '  // unsaved\n  return (await load(`${id}`))'),
      );
      const versions = new Map(
        ((edit?.documentChanges ?? []) as TextDocumentEdit[]).map(({ textDocument }) => [textDocument.uri, textDocument.version]),
      );
      assert.equal(versions.get(uri('lib/service.js')), 2);
    }),
  );

  it(
    'leaves nothing to be found',
    inProject(FILES, REVIEWING, async (session, uri) => {
      const [action] = await convertActions(session, uri('lib/store.js'));
      assert.ok(action);
      assert.deepEqual(await session.places(uri('lib/store.js')), ['3:10 no-sync-in-handler']);
      for (const [of, text] of Object.entries(applied((await session.resolve(action)).edit, onDisk))) {
        if (of === uri('lib/store.js')) await session.change(of, { text });
        else await session.open(of, text);
      }
      await session.indexed();
      for (const name of Object.keys(AFTER)) assert.deepEqual(await session.places(uri(name)), [], name);
    }),
  );

  it(
    'is a plain change where the client knows no annotations, and at once where it resolves nothing',
    inProject(
      FILES,
      {
        ...VS_CODE,
        textDocument: { ...VS_CODE.textDocument, codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: [] } } } },
        workspace: { configuration: true },
      },
      async (session, uri) => {
        const [action] = await convertActions(session, uri('lib/store.js'));
        assert.ok(action?.edit?.changes);
        assert.equal(action.edit.changeAnnotations, undefined);
        assert.equal(action.title, `${TITLE}: check what requests share`);
        assert.deepEqual(applied(action.edit, onDisk), Object.fromEntries(Object.entries(AFTER).map(([name, text]) => [uri(name), text])));
      },
    ),
  );

  it(
    'has the warning in its title where annotations would have no place: they need changes that name versions',
    inProject(
      FILES,
      {
        ...REVIEWING,
        workspace: { ...REVIEWING.workspace, workspaceEdit: { documentChanges: false, changeAnnotationSupport: { groupsOnLabel: true } } },
      },
      async (session, uri) => {
        const [action] = await convertActions(session, uri('lib/store.js'));
        assert.ok(action);
        assert.match(action.title, /: check what requests share$/);
        assert.equal((await session.resolve(action)).edit?.changeAnnotations, undefined);
      },
    ),
  );

  it(
    'is not offered where a caller cannot be converted: the place is named',
    inProject(
      {
        ...FILES,
        'boot.js': dedent`
        const { show } = require('./lib/service');
        const first = show('a');
        module.exports = first;

      `,
      },
      REVIEWING,
      async (session, uri) => {
        const [action] = await convertActions(session, uri('lib/store.js'));
        assert.match(action?.disabled?.reason ?? '', /^It is called at the top level, .* \(boot\.js:2\)\.?$/);
        assert.equal((await session.resolve(action as CodeAction)).edit, undefined);
      },
    ),
  );

  it(
    'says why nothing happens where the text has changed since it was offered',
    inProject(FILES, REVIEWING, async (session, uri) => {
      const [action] = await convertActions(session, uri('lib/store.js'));
      assert.ok(action && !action.edit);
      await session.replace(uri('lib/store.js'), "'utf8'", "'latin1'");
      assert.equal((await session.resolve(action)).edit, undefined);
      await session.until('the message', () => session.messages.some(({ message }) => message.includes('The code has changed since')));
    }),
  );

  it(
    'is refused anew when an open file takes the function in another way',
    inProject(FILES, REVIEWING, async (session, uri) => {
      await session.open(uri('app.js'), APP);
      await session.replace(uri('app.js'), 'res.send(show(req.params.id))', 'res.send([1].map(show))');
      const [action] = await convertActions(session, uri('lib/store.js'));
      assert.match(action?.disabled?.reason ?? '', /^`show` is passed to `\[1\]\.map`, .* \(app\.js:4\)\.?$/);
    }),
  );
});

describe('converting, in the thread of the built server', () => {
  const work = realpathSync(mkdtempSync(join(tmpdir(), 'nodometer-callers-')));
  before(() => builtIn(join(work, 'dist')));
  after(() => rmSync(work, { recursive: true, force: true }));

  it(
    'gives the same change',
    inProject(
      FILES,
      REVIEWING,
      async (session, uri) => {
        // The thread may have read the project before the document was opened: then it answers for it later. And where it gets no processor
        // for two seconds, the menu shows what the file alone says: that other files call the function.
        let action: CodeAction | undefined;
        for (let tries = 0; (!action || action.disabled) && tries < 100; tries++) {
          await delay(100);
          [action] = await convertActions(session, uri('lib/store.js'));
        }
        assert.ok(action);
        assert.equal(action.disabled, undefined);
        assert.deepEqual(
          applied((await session.resolve(action)).edit, onDisk),
          Object.fromEntries(Object.entries(AFTER).map(([name, text]) => [uri(name), text])),
        );
      },
      () => ({ startIndex: workerIndex(pathToFileURL(join(work, 'dist', 'index-thread.js'))) }),
    ),
  );
});
