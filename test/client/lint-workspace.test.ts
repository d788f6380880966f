// "Lint Workspace": what it found is in view afterwards.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { provideVsCode } from './vscode-stub.ts';

const done: string[] = [];
const show = async (text: string): Promise<undefined> => void done.push(text);
provideVsCode({
  commands: { executeCommand: async (command: string) => void done.push(command) },
  l10n: { t: (text: string) => text },
  window: {
    showInformationMessage: show,
    showWarningMessage: show,
    showErrorMessage: show,
    withProgress: undefined,
  },
  workspace: {},
  ...Object.fromEntries(['Position', 'ProgressLocation', 'Range', 'TextEdit', 'WorkspaceEdit'].map((name) => [name, {}])),
});
const { showResult } = await import('../../client/session/server-commands.ts');

describe('linting the workspace', () => {
  it('shows the Problems panel where there is something in it', async () => {
    for (const findings of [2, 0]) await showResult({ files: 3, findings, errors: 0, warnings: findings, hints: 0, cancelled: false });
    const [panel, found, nothing, ...more] = done;
    assert.deepEqual([panel, more], ['workbench.actions.view.problems', []]);
    assert.deepEqual(
      [found, nothing].map((text) => text?.startsWith('Nodometer: ')),
      [true, true],
    );
  });
});
