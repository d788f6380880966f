// The extension as it was installed from the .vsix: it runs from there, and it lives through crashes of its server.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../protocol/editor.ts';
import { activate, diagnosticsOf, folder, show, until, uriOf } from './editor.ts';
import { runTests } from './runner.ts';

const INVOICES = 'express-shop/lib/invoices.js';
const CRASHES_SURVIVED = 4;

export async function run(): Promise<void> {
  const lines = (): number[] => diagnosticsOf(uriOf(INVOICES)).map(({ range }) => range.start.line);
  /** Ends the server as a crash would, and waits until the system has taken note. */
  const crash = async (pid: number): Promise<void> => {
    process.kill(pid, 'SIGKILL');
    const { exports } = await activate();
    await until('the extension misses its server', () => exports.serverPid() !== pid);
  };

  await runTests({
    'is installed, not under development': async () => {
      const { extensionPath, packageJSON, exports } = await activate();
      assert.match(extensionPath, /[\\/]extensions[\\/]nodometer\.nodometer-/);
      // VS Code fills in the texts of package.nls.json.
      assert.equal((packageJSON as { contributes: { commands: { category: string }[] } }).contributes.commands[0]?.category, 'Nodometer');
      assert.ok(exports.activationTime > 0);
      assert.ok(exports.serverPid());
    },

    'finds what is planted': async () => {
      await show(uriOf(INVOICES));
      await until('findings', () => lines().length === 2);
    },

    'starts its server again after each crash, with the text as it is by then': async () => {
      const { exports } = await activate();
      const editor = await show(uriOf(INVOICES));
      for (let crashes = 1; crashes <= CRASHES_SURVIVED; crashes++) {
        const before = lines();
        const pid = exports.serverPid();
        assert.ok(pid);
        await crash(pid);
        // Typed while nobody listens.
        assert.ok(await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), '\n')));
        await until(`another server after crash ${crashes}`, () => exports.serverPid());
        await until(
          `findings one line further down after crash ${crashes}`,
          () => lines().join() === before.map((line) => line + 1).join(),
        );
      }
    },

    'gives up after the fifth crash, and starts again when it is asked to': async () => {
      const { exports } = await activate();
      const pid = exports.serverPid();
      assert.ok(pid);
      await crash(pid);
      await until('no findings that nobody keeps up to date', () => lines().length === 0);
      assert.equal(exports.serverPid(), undefined);
      await vscode.commands.executeCommand(COMMANDS.restartServer);
      assert.ok(exports.serverPid());
      await until('findings', () => lines().length === 2);
      await vscode.commands.executeCommand('workbench.action.files.revert');
    },

    'makes a configuration file, once': async () => {
      const uri = uriOf('nest-users/nodometer.config.json');
      await vscode.commands.executeCommand(COMMANDS.createConfig, uriOf('nest-users'));
      assert.equal(vscode.window.activeTextEditor?.document.uri.path, uri.path);
      assert.equal(vscode.window.activeTextEditor?.document.languageId, 'jsonc');
      await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode('{}'));
      await vscode.commands.executeCommand(COMMANDS.createConfig, uriOf('nest-users'));
      assert.equal(new TextDecoder().decode(await vscode.workspace.fs.readFile(uri)), '{}', 'an existing file is opened, not written');
      await vscode.workspace.fs.delete(uri);
    },

    'fixes a file in one step': async () => {
      const uri = vscode.Uri.joinPath(folder(), 'links.ts');
      const line =
        'export const valid = (links: string[]) => links.filter((link: string) => { try { new URL(link); return true; } catch { return false; } });\n';
      const text = line.repeat(2).replace('valid', 'broken');
      await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
      const { document } = await show(uri);
      await until('findings', () => diagnosticsOf(uri).length === 2);
      await vscode.commands.executeCommand(COMMANDS.fixFile);
      assert.ok(!document.getText().includes('try'), document.getText());
      await vscode.commands.executeCommand('undo');
      assert.equal(document.getText(), text);
      await vscode.commands.executeCommand('workbench.action.files.revert');
      await vscode.workspace.fs.delete(uri);
    },
  });
}
