// Nothing that a workspace holds becomes a link, a command, an icon or a control code where the window shows it.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { describe, it } from 'node:test';
import { asLabel, asNotice, asOneLine } from '../../protocol/safe-text.ts';
import { ROOT } from '../../scripts/generate.ts';
import { provideVsCode } from './vscode-stub.ts';

/** As VS Code 1.139 reads them in notifications (`linkedText.ts`) and labels (`iconLabels.ts`). */
const VSCODE_LINK = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;
const VSCODE_ICON = /(?<!\\)\$\([A-Za-z0-9-]+(?:~[A-Za-z]+)?\)/;

const HOSTILE = [
  '[text](command:workbench.action.terminal.sendSequence?%7B%7D)',
  '![t](https://host.example/a.png)[.js',
  '[[a](https://host.example)](file:///etc/passwd)',
  '[a\n](command:x)[b](command:y)',
  '$(sync~spin) $(check)',
  '[$(check)](command:x "title")',
  'a\u001b]8;;https://host.example\u0007b\u202ec',
  ']\u0000(command:x)[a]\u2066(command:x)',
];

function isSafe(text: string): void {
  assert.doesNotMatch(text, VSCODE_LINK);
  assert.doesNotMatch(text, VSCODE_ICON);
  assert.doesNotMatch(text, /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u2028\u2029]/);
}

interface Asked {
  texts: string[];
}

/** The functions of client/message.ts with a VS Code that writes down what it is asked to show. */
async function messages(): Promise<{ asked: Asked; message: typeof import('../../client/message.ts') }> {
  const asked: Asked = { texts: [] };
  const take = (...given: unknown[]): void => {
    for (const one of given)
      if (typeof one === 'string') asked.texts.push(one);
      else if (Array.isArray(one)) take(...(one as unknown[]));
      else if (typeof one === 'object' && one !== null && !(one instanceof Promise))
        for (const [key, value] of Object.entries(one)) if (key !== 'item' && key !== 'value') take(value);
  };
  const show = async (...given: unknown[]): Promise<undefined> => {
    take(...given);
    return undefined;
  };
  const window = {
    showInformationMessage: show,
    showWarningMessage: show,
    showErrorMessage: show,
    setStatusBarMessage: (text: string) => take(text),
    showQuickPick: async (items: Promise<unknown[]>, options: unknown) => take(await items, options),
    showInputBox: async (options: { validateInput?: (text: string) => Promise<unknown> }) =>
      take(options, await options.validateInput?.('x')),
    withProgress: async (options: unknown, work: (progress: { report: typeof take }, cancel: unknown) => Promise<unknown>) => {
      take(options);
      return work({ report: take }, {});
    },
  };
  provideVsCode({ window, commands: {} });
  return { asked, message: await import('../../client/message.ts') };
}

describe('text of the workspace', () => {
  it('stays text in notifications, labels and lines', () => {
    for (const text of HOSTILE) {
      isSafe(asNotice(text));
      assert.doesNotMatch(asLabel(text), VSCODE_ICON);
      assert.doesNotMatch(asOneLine(text), /[\n\u001b\u202e\u2066]/);
    }
    // What VS Code reads there before: the cases are no straw men.
    assert.match(HOSTILE[0] ?? '', VSCODE_LINK);
    assert.match(HOSTILE[4] ?? '', VSCODE_ICON);
  });

  it('is left alone where it is harmless', () => {
    for (const text of ['load(name)[0]', 'a[b] (c)', '$(', '`a` costs $5 (USD)', 'GET /a/:b', '日本語 é'])
      assert.equal(asNotice(text), text);
  });

  it('stays text in every message, list, prompt and progress of the window', async () => {
    const { asked, message } = await messages();
    for (const text of HOSTILE) {
      message.tell('warning', text);
      message.mention(`[](${text}`, 1);
      await message.ask('warning', { text, detail: text });
      await message.pick([{ label: text, description: text, detail: text }], { title: text, placeHolder: text });
      await message.pickSeveral([{ label: text, description: text, detail: text }], { title: text });
      await message.askForText({ title: text, prompt: text, placeHolder: text, validateInput: () => text });
      await message.withProgress({ location: 15, title: text }, async (progress) => progress.report({ message: text }));
    }
    assert.ok(asked.texts.length >= HOSTILE.length * 16, String(asked.texts.length));
    for (const text of asked.texts) isSafe(text);
  });

  it('is shown by client/message.ts alone', () => {
    const direct =
      /\bwindow\s*\.\s*(?:show(?:Information|Warning|Error)Message|showQuickPick|showInputBox|withProgress|create(?:QuickPick|InputBox|StatusBarItem)|setStatusBarMessage)\b/;
    const places = readdirSync(join(ROOT, 'client'), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && direct.test(readFileSync(join(ROOT, 'client', path), 'utf8')))
      .map((path) =>
        relative(ROOT, join(ROOT, 'client', path))
          .split(sep)
          .join('/'),
      );
    assert.deepEqual(places, ['client/message.ts']);
    const status = readFileSync(join(ROOT, 'client/session/status.ts'), 'utf8');
    for (const line of status.match(/item\.(?:text|detail) = .*/g) ?? []) assert.match(line, /asLabel|asNotice/);
  });
});
