// A folder whose settings name a program as Node. Run twice: trusted, where that program runs the server, and restricted, where it must
// not.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import { activate, becomes, choose, actionsAt, diagnosticsOf, expectedRows, readExpected, revert, rowsOf, show, uriOf } from './editor.ts';
import type { Expected } from './expected.ts';
import { runTests } from './runner.ts';

export interface TrustExpected extends Expected {
  trusted: boolean;
  /** The program that the folder's settings name; it leaves a mark when it is started. */
  nodePath: string;
  mark: string;
  file: string;
}

export async function run(): Promise<void> {
  const { trusted, nodePath, mark, file, findings } = readExpected<TrustExpected>();
  await runTests({
    [trusted ? 'is trusted' : 'is not trusted, and works all the same']: async () => {
      assert.equal(vscode.workspace.isTrusted, trusted);
      await activate();
      await show(uriOf(file));
      await becomes(() => rowsOf(uriOf(file)), expectedRows(findings, file), file);
    },
    [trusted ? 'starts the program that the settings name' : 'starts no program that the settings name']: async () => {
      assert.equal(vscode.workspace.getConfiguration('nodometer').get('nodePath'), trusted ? nodePath : '', 'what VS Code hands on');
      assert.equal(existsSync(mark), trusted);
    },
    [trusted ? 'answers language models' : 'answers no language model']: async () => {
      const asked = vscode.lm.invokeTool('nodometer_findings', { input: {}, toolInvocationToken: undefined });
      const text = await asked.then(
        ({ content }) => content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join(''),
        (error: Error) => `error: ${error.message}`,
      );
      assert.match(text, trusted ? /\ndone: / : /^error: /);
    },
    fixes: async () => {
      const uri = uriOf(file);
      const { document } = await show(uri);
      const before = document.getText();
      const fixable = findings.find((finding) => finding.file === file);
      assert.ok(fixable);
      const start = new vscode.Position(fixable.line - 1, fixable.column - 1);
      const [action] = (await actionsAt(uri, new vscode.Range(start, start))).filter((one) => one.edit);
      assert.ok(action);
      await choose(action);
      assert.notEqual(document.getText(), before);
      await revert();
      await becomes(() => diagnosticsOf(uri).length, findings.filter((finding) => finding.file === file).length, 'as before');
    },
  });
}
