// What the server does for editors whose ways differ from VS Code's, as they were seen in those editors.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import type { ClientCapabilities } from 'vscode-languageserver/node';
import { folderWith } from '../cli/support.ts';
import { uriOf, withServer, type Session } from './harness.ts';
import { HANDLER, HANDLER_PLACES } from './texts.ts';

/** What Neovim 0.12.4 on Linux says of itself, as far as the server asks. */
const NEOVIM: ClientCapabilities = {
  textDocument: {
    diagnostic: { dynamicRegistration: true, relatedInformation: true, dataSupport: true, tagSupport: { valueSet: [1, 2] } },
    publishDiagnostics: { relatedInformation: true, dataSupport: true, tagSupport: { valueSet: [1, 2] } },
    codeAction: {
      codeActionLiteralSupport: { codeActionKind: { valueSet: [] } },
      disabledSupport: true,
      isPreferredSupport: true,
      dataSupport: true,
      resolveSupport: { properties: ['edit', 'command'] },
    },
    hover: { contentFormat: ['markdown', 'plaintext'] },
  },
  workspace: {
    configuration: true,
    didChangeConfiguration: { dynamicRegistration: false },
    didChangeWatchedFiles: { dynamicRegistration: false },
    workspaceFolders: true,
    diagnostics: { refreshSupport: true },
    applyEdit: true,
  },
  window: { workDoneProgress: true, showDocument: { support: true } },
};

function inNeovim(test: (session: Session, path: (name: string) => string) => Promise<void>): () => Promise<void> {
  return async () => {
    const folder = folderWith({ 'package.json': '{}', 'lib/app.js': HANDLER, 'b.js': HANDLER });
    try {
      await withServer({ folders: [folder.path], capabilities: NEOVIM, client: 'Neovim', options: {} }, (session) =>
        test(session, (name) => join(folder.path, name)),
      )();
    } finally {
      folder.dispose();
    }
  };
}

function pushed(session: Session): [uri: string, findings: number][] {
  return session.published.splice(0).map(({ uri, diagnostics }) => [uri, diagnostics.length]);
}

describe('Neovim', () => {
  it(
    'asks for open documents, and is sent what is known of other files',
    inNeovim(async (session, path) => {
      const { diagnosticProvider } = session.initialized.capabilities;
      assert.deepEqual(diagnosticProvider, { identifier: 'nodometer', interFileDependencies: true, workspaceDiagnostics: false });
      const [a, b] = [uriOf(path('lib/app.js')), uriOf(path('b.js'))];
      await session.open(a, HANDLER);
      await session.lintWorkspace();
      await session.until('the other file', () => session.published.length > 0);
      assert.deepEqual(pushed(session), [[b, HANDLER_PLACES.length]]);
      assert.deepEqual(await session.places(a), HANDLER_PLACES);
      // Both would be shown side by side.
      await session.open(b, HANDLER);
      assert.deepEqual(await session.places(b), HANDLER_PLACES);
      assert.deepEqual(pushed(session), [[b, 0]]);
      await session.close(b);
      await session.until('the closed file', () => session.published.length > 0);
      assert.deepEqual(pushed(session), [[b, HANDLER_PLACES.length]]);
    }),
  );

  it(
    'watches no files: a configuration that appears is found at the next answer',
    inNeovim(async (session, path) => {
      const uri = uriOf(path('lib/app.js'));
      await session.open(uri, HANDLER);
      const severity = async () => (await session.diagnose(uri)).map((one) => one.severity);
      assert.deepEqual(await severity(), [2]);
      const appears = async (name: string, value: string) =>
        session.refreshed(async () => {
          mkdirSync(dirname(path(name)), { recursive: true });
          writeFileSync(path(name), `{ "rules": { "no-sync-in-handler": "${value}" } }`);
          await session.diagnose(uri);
        });
      await appears('nodometer.config.json', 'hint');
      assert.deepEqual(await severity(), [3]);
      await appears('lib/nodometer.config.json', 'error');
      assert.deepEqual(await severity(), [1], 'a nearer one');
      const { refreshes } = session;
      await severity();
      assert.equal(session.refreshes, refreshes, 'it is found once');
    }),
  );
});
