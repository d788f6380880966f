// "Open Rule Documentation": rendered also where nothing has opened Markdown before, and only pages of rules.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { provideVsCode } from './vscode-stub.ts';

const done: string[] = [];
let hasMarkdown = true;
let isActive = false;
provideVsCode({
  commands: {
    // As in a window: the command comes with the extension.
    executeCommand: async (command: string, page: string) => {
      if (!isActive) throw new Error(`command '${command}' not found`);
      done.push(`${command} ${page}`);
    },
  },
  extensions: {
    getExtension: () => (hasMarkdown ? { activate: async () => (isActive = true) } : undefined),
  },
  l10n: { t: (text: string) => text },
  Uri: { joinPath: (folder: string, name: string) => `${folder}/${name}` },
  window: {
    showTextDocument: async (page: string) => done.push(`text ${page}`),
    showQuickPick: async () => {
      done.push('asked');
      return undefined;
    },
  },
});
const { openRuleDocumentation } = await import('../../client/rule-documentation.ts');
const open = (wanted: unknown): Promise<void> =>
  openRuleDocumentation([{ id: 'no-a', summary: '', severity: 'warning' }], '/docs' as never, wanted);

describe('the page of a rule', () => {
  it('is rendered also where it is the first Markdown in the window', async () => {
    await open('no-a');
    assert.deepEqual(done.splice(0), ['markdown.showPreview /docs/no-a.md']);
  });

  it("is shown as it is written where VS Code's Markdown is switched off", async () => {
    hasMarkdown = false;
    await open('no-a');
    assert.deepEqual(done.splice(0), ['text /docs/no-a.md']);
  });

  it('is asked for where no rule has the name, whatever a link says', async () => {
    for (const wanted of ['../../secret', undefined, 7]) await open(wanted);
    assert.deepEqual(done.splice(0), ['asked', 'asked', 'asked']);
  });
});
