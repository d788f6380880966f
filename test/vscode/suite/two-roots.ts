// A workspace of two folders: each has its own settings, its own configuration and its own project.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../protocol/editor.ts';
import { activate, becomes, expectedRows, folder, readExpected, rowsOf, show, until, uriOf } from './editor.ts';
import type { Expected } from './expected.ts';
import { runTests } from './runner.ts';

/** What the terminal says about each folder, given the same settings. */
export interface RootsExpected {
  roots: readonly [Expected, Expected];
}

export async function run(): Promise<void> {
  const { roots } = readExpected<RootsExpected>();
  const filesOf = ({ findings }: Expected): string[] => [...new Set(findings.map((finding) => finding.file))];
  const look = async (): Promise<void> => {
    for (const [index, expected] of roots.entries()) {
      const root = folder(index);
      for (const file of filesOf(expected))
        await becomes(() => rowsOf(uriOf(file, root), root), expectedRows(expected.findings, file), `${root.path} ${file}`);
    }
  };

  await runTests({
    'opens both folders': async () => {
      await activate();
      assert.equal(vscode.workspace.workspaceFolders?.length, 2);
      assert.ok(roots.every((expected) => expected.findings.length > 1));
    },
    'lints both folders on command': async () => {
      await vscode.commands.executeCommand(COMMANDS.lintWorkspace);
      await look();
    },
    // Before any of its files is shown: VS Code keeps documents open for minutes that a test has opened, and open documents are linted
    // wherever they are.
    'forgets a folder that is removed': async () => {
      const gone = folder(1);
      const [first, second] = roots;
      assert.ok(vscode.workspace.updateWorkspaceFolders(1, 1));
      await until('nothing is said about the second folder', () =>
        filesOf(second).every((file) => rowsOf(uriOf(file, gone), gone).length === 0),
      );
      for (const file of filesOf(first)) assert.deepEqual(rowsOf(uriOf(file)), expectedRows(first.findings, file));
      assert.ok(vscode.workspace.updateWorkspaceFolders(1, 0, { uri: gone }));
      await until('the folder is back', () => vscode.workspace.workspaceFolders?.length === 2);
    },
    'lints each file that is shown by its own folder': async () => {
      for (const [index, expected] of roots.entries()) for (const file of filesOf(expected)) await show(uriOf(file, folder(index)));
      await look();
    },
  });
}
