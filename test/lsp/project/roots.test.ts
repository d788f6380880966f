// Several workspace folders: each has its own settings and configuration, inner ones their own files; they come and go.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { WorkspaceDiagnosticReport } from 'vscode-languageserver/node';
import { folderWith } from '../../cli/support.ts';
import { depsForTests, Session, SIMPLE_EDITOR, uriOf, withServer } from '../harness.ts';
import { diagnosticRows, terminalRows, workspaceRows } from '../rows.ts';
import { HANDLER, HANDLER_PLACES } from '../texts.ts';
import { dedent } from '../../../analysis/testing/dedent.ts';

const ERROR = { rules: { 'no-sync-in-handler': 'error' } };
const HINT = { rules: { 'no-sync-in-handler': 'hint' } };

async function severities(session: Session, ...uris: string[]): Promise<(number | undefined)[]> {
  const found: (number | undefined)[] = [];
  for (const uri of uris) {
    await session.open(uri, HANDLER);
    found.push(...(await session.diagnose(uri)).map(({ severity }) => severity));
    await session.close(uri);
  }
  return found;
}

/** Severities by URI, as the whole workspace was last linted. */
async function workspaceSeverities(session: Session): Promise<Record<string, (number | undefined)[]>> {
  const { findings } = await session.lintWorkspace();
  if (findings === 0) return {};
  const { items } = await session.connection.sendRequest<WorkspaceDiagnosticReport>('workspace/diagnostic', { previousResultIds: [] });
  return Object.fromEntries(
    items.flatMap((item) =>
      item.kind === 'full' && item.items.length > 0 ? [[item.uri, item.items.map(({ severity }) => severity)]] : [],
    ),
  );
}

describe('two folders', () => {
  it('have settings and configurations of their own', async () => {
    const one = folderWith({ 'package.json': '{ "engines": { "node": "18" } }', 'a.js': HANDLER });
    const two = folderWith({
      'package.json': '{ "engines": { "node": "24" } }',
      'a.js': HANDLER,
      'strict/nodometer.config.json': JSON.stringify(ERROR),
      'strict/a.js': HANDLER,
    });
    try {
      const settings = (scopeUri: string | undefined) => (scopeUri === uriOf(one.path) ? HINT : {});
      await withServer({ folders: [one.path, two.path], settings }, async (session) => {
        const uris = [join(one.path, 'a.js'), join(two.path, 'a.js'), join(two.path, 'strict/a.js')].map(uriOf);
        assert.deepEqual(await severities(session, ...uris), [3, 2, 1]);
        assert.deepEqual(
          uris.map((uri) => session.statuses.get(uri)?.nodeRange),
          ['18', '24', '24'],
        );
        assert.deepEqual(await workspaceSeverities(session), Object.fromEntries(uris.map((uri, i) => [uri, [3 - i]])));
        // One folder's settings change.
        await session.refreshed(() =>
          session.configure((scopeUri: string | undefined) => (scopeUri === uriOf(two.path) ? { enable: false } : HINT)),
        );
        assert.deepEqual(await severities(session, ...uris), [3]);
        assert.deepEqual(await workspaceSeverities(session), { [uris[0] ?? '']: [3] });
      })();
    } finally {
      one.dispose();
      two.dispose();
    }
  });

  it('come and go', async () => {
    const one = folderWith({ 'a.js': HANDLER });
    const two = folderWith({ 'a.js': HANDLER, '.gitignore': 'a.js' });
    try {
      await withServer(
        { folders: [one.path], settings: (scopeUri: string | undefined) => (scopeUri === uriOf(two.path) ? ERROR : HINT) },
        async (session) => {
          const [a = '', b = ''] = [one, two].map(({ path }) => uriOf(join(path, 'a.js')));
          const change = (added: string[], removed: string[]) =>
            session.refreshed(() =>
              session.connection.sendNotification('workspace/didChangeWorkspaceFolders', {
                event: { added: added.map((uri) => ({ uri, name: uri })), removed: removed.map((uri) => ({ uri, name: uri })) },
              }),
            );
          await session.open(b, HANDLER);
          assert.deepEqual(await session.places(b), HANDLER_PLACES, 'outside of every folder git’s ignoring does not matter');
          assert.deepEqual(Object.keys(await workspaceSeverities(session)), [a]);
          await change([uriOf(two.path)], []);
          assert.deepEqual(await session.places(b), []);
          assert.equal(session.statuses.get(b)?.state, 'skipped');
          await change([], [uriOf(one.path), uriOf(two.path)]);
          assert.deepEqual(await session.places(b), HANDLER_PLACES);
          assert.deepEqual(await session.lintWorkspace(), { files: 0, findings: 0, errors: 0, warnings: 0, hints: 0, cancelled: false });
          assert.deepEqual(await workspaceSeverities(session), {});
          await change([uriOf(one.path)], []);
          assert.deepEqual(await workspaceSeverities(session), { [a]: [3] });
        },
      )();
    } finally {
      one.dispose();
      two.dispose();
    }
  });
});

describe('a folder inside another', () => {
  const SERVER = `${HANDLER}app.listen(3000);\n`;
  const files = {
    'package.json': '{ "scripts": { "start": "node a.js" }, "dependencies": { "express": "5" } }',
    'a.js': SERVER,
    'packages/inner/a.js': SERVER,
    'packages/inner/Dockerfile': dedent`
      FROM node:22
      COPY . .
      CMD ["node", "a.js"]

    `,
    'packages/inner/compose.yaml': dedent`
      services:
        web:
          build: .
          environment:
            NODE_ENV: production

    `,
    'packages/inner2/a.js': HANDLER,
  };

  it('has its own settings, and its files are linted once', async () => {
    const outer = folderWith(files);
    try {
      const inner = join(outer.path, 'packages/inner');
      await withServer(
        { folders: [outer.path, inner], settings: (scopeUri: string | undefined) => (scopeUri === uriOf(inner) ? ERROR : HINT) },
        async (session) => {
          const uris = ['a.js', 'packages/inner/a.js', 'packages/inner2/a.js'].map((name) => uriOf(join(outer.path, name)));
          assert.deepEqual(await severities(session, ...uris), [3, 1, 3]);
          const all = await workspaceSeverities(session);
          assert.deepEqual(
            uris.map((uri) => all[uri]),
            [[3], [1], [3]],
          );
          const { files: read } = await session.lintWorkspace({ folders: [uriOf(outer.path)] });
          assert.equal(read, 3, 'the inner folder is left to itself');
        },
      )();
    } finally {
      outer.dispose();
    }
  });

  it('finds what the terminal finds in the outer one, over the workspace and document by document', async () => {
    const outer = folderWith(files);
    try {
      const expected = await terminalRows(outer.path);
      assert.ok(expected.some(({ ruleId }) => ruleId === 'require-node-env') || expected.length >= 3);
      await withServer({ folders: [outer.path, join(outer.path, 'packages/inner')] }, async (session) => {
        assert.deepEqual(await workspaceRows(session), expected);
        for (const name of Object.keys(files)) {
          const path = join(outer.path, name);
          await session.open(uriOf(path), files[name as keyof typeof files], {
            languageId: name.endsWith('.js') ? 'javascript' : 'plaintext',
          });
          assert.deepEqual(
            diagnosticRows(uriOf(path), await session.diagnose(uriOf(path))),
            expected.filter(({ file }) => file === path),
            name,
          );
        }
      })();
    } finally {
      outer.dispose();
    }
  });
});

describe('the packages of a monorepo whose charts are a package of their own', () => {
  const MANIFEST = '{ "name": "p", "dependencies": { "express": "5" } }';
  const chart = (name: string): string =>
    dedent`
      apiVersion: apps/v1
      kind: Deployment
      spec:
        template:
          spec:
            containers:
            - name: ${name}
              image: {{ include "image" . | quote }}
              env:
              - name: NODE_ENV
                value: production

    `;
  const server = (folder: string) => ({
    [`${folder}/package.json`]: MANIFEST,
    [`${folder}/a.js`]: `${HANDLER}app.listen(3000);\n`,
    [`${folder}/Dockerfile`]: dedent`
      FROM node:22
      COPY . .
      CMD ["node", "a.js"]

    `,
  });
  const files: Record<string, string> = {
    'package.json': '{ "name": "all", "private": true }',
    ...server('shop-api'),
    ...server('shop-mail'),
    'deploy/package.json': '{ "name": "deploy" }',
    'deploy/helm/internal-charts/api/templates/deployment.yaml': chart('api'),
  };

  it('are given the variable by their chart, in the terminal and in the editor', async () => {
    const folder = folderWith(files);
    try {
      const nodeEnv = (rows: readonly { ruleId: string; file: string }[]) =>
        rows.filter(({ ruleId }) => ruleId === 'require-node-env').map(({ file }) => file);
      const mail = join(folder.path, 'shop-mail/Dockerfile');
      assert.deepEqual(nodeEnv(await terminalRows(folder.path)), [mail]);
      await withServer({ folders: [folder.path] }, async (session) => {
        assert.deepEqual(nodeEnv(await workspaceRows(session)), [mail]);
        for (const path of [mail, join(folder.path, 'shop-api/Dockerfile')]) {
          await session.open(uriOf(path), files[path.slice(folder.path.length + 1)] ?? '', { languageId: 'dockerfile' });
          assert.deepEqual(nodeEnv(diagnosticRows(uriOf(path), await session.diagnose(uriOf(path)))), path === mail ? [mail] : []);
        }
      })();
    } finally {
      folder.dispose();
    }
  });
});

describe('a client that knows one root only', () => {
  it('by URI and by path', async () => {
    const folder = folderWith({ 'a.js': HANDLER, '.gitignore': 'a.js' });
    try {
      for (const root of [{ rootUri: uriOf(folder.path) }, { rootUri: null, rootPath: folder.path }]) {
        const session = new Session(depsForTests(), undefined);
        await session.connection.sendRequest('initialize', { processId: null, capabilities: SIMPLE_EDITOR, ...root });
        await session.connection.sendNotification('initialized', {});
        assert.equal((await session.lintWorkspace()).files, 0);
        await session.open(uriOf(join(folder.path, 'a.js')), HANDLER);
        await session.until('diagnostics', () => session.published.length > 0);
        assert.deepEqual(session.published.at(-1)?.diagnostics, [], 'the root’s .gitignore holds');
        await session.dispose();
      }
    } finally {
      folder.dispose();
    }
  });
});
