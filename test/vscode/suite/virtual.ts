// A workspace that lies on no disk: files are linted as they are shown, nothing is read beside them.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import {
  actionsAt,
  activate,
  becomes,
  choose,
  diagnosticsOf,
  expectedRows,
  folder,
  readExpected,
  rowsOf,
  ruleOf,
  set,
  show,
  uriOf,
} from './editor.ts';
import type { Expected } from './expected.ts';
import { runTests } from './runner.ts';
import { dedent } from '../../../analysis/testing/dedent.ts';

export interface VirtualExpected extends Expected {
  texts: Readonly<Record<string, string>>;
}

/** A flat folder in memory. */
class Memory implements vscode.FileSystemProvider {
  readonly #files = new Map<string, Uint8Array>();
  readonly #changes = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.#changes.event;

  constructor(texts: Readonly<Record<string, string>>) {
    for (const [name, text] of Object.entries(texts)) this.#files.set(`/shop/${name}`, new TextEncoder().encode(text));
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => {});
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    const content = this.#files.get(uri.path);
    if (content) return { type: vscode.FileType.File, ctime: 0, mtime: 0, size: content.byteLength };
    if ([...this.#files.keys()].some((path) => path.startsWith(`${uri.path}/`)))
      return { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 };
    throw vscode.FileSystemError.FileNotFound(uri);
  }

  readDirectory(uri: vscode.Uri): [string, vscode.FileType][] {
    return [...this.#files.keys()]
      .filter((path) => path.startsWith(`${uri.path}/`))
      .map((path) => [path.slice(uri.path.length + 1), vscode.FileType.File]);
  }

  readFile(uri: vscode.Uri): Uint8Array {
    const content = this.#files.get(uri.path);
    if (!content) throw vscode.FileSystemError.FileNotFound(uri);
    return content;
  }

  writeFile(uri: vscode.Uri, content: Uint8Array): void {
    const type = this.#files.has(uri.path) ? vscode.FileChangeType.Changed : vscode.FileChangeType.Created;
    this.#files.set(uri.path, content);
    this.#changes.fire([{ type, uri }]);
  }

  createDirectory(): void {}

  delete(uri: vscode.Uri): void {
    this.#files.delete(uri.path);
  }

  rename(): void {
    throw vscode.FileSystemError.NoPermissions();
  }
}

export async function run(): Promise<void> {
  const { texts, findings } = readExpected<VirtualExpected>();
  const [file = ''] = Object.keys(texts);
  vscode.workspace.registerFileSystemProvider('memfs', new Memory(texts), { isCaseSensitive: true });

  await runTests({
    'has a folder that is on no disk': async () => {
      assert.equal(folder().toString(), 'memfs:/shop');
      await activate();
    },
    'lints what is shown': async () => {
      await show(uriOf(file));
      await becomes(() => rowsOf(uriOf(file)), expectedRows(findings, file), file);
    },
    'follows what is typed, and the settings': async () => {
      const uri = uriOf(file);
      const { document } = await show(uri);
      const before = rowsOf(uri).length;
      const edit = new vscode.WorkspaceEdit();
      edit.insert(
        uri,
        document.positionAt(document.getText().length),
        dedent`

          exports.more = (req, res) => res.end(require('node:fs').readFileSync('x'));

        `,
      );
      await vscode.workspace.applyEdit(edit);
      await becomes(() => diagnosticsOf(uri).length, before + 1, 'one more');
      await set('nodometer.rules', { 'no-sync-in-handler': 'off' });
      await becomes(() => diagnosticsOf(uri).filter((one) => ruleOf(one) === 'no-sync-in-handler').length, 0, 'switched off');
      await set('nodometer.rules', undefined);
      await becomes(() => diagnosticsOf(uri).length, before + 1, 'switched on');
    },
    'fixes and saves': async () => {
      const uri = uriOf(file);
      const { document } = await show(uri);
      const fixable = findings.find((finding) => finding.file === file);
      assert.ok(fixable);
      const start = new vscode.Position(fixable.line - 1, fixable.column - 1);
      const [action] = (await actionsAt(uri, new vscode.Range(start, start))).filter((one) => one.edit);
      assert.ok(action);
      const before = diagnosticsOf(uri).length;
      await choose(action);
      await becomes(() => diagnosticsOf(uri).length < before, true, 'the fix takes its finding away');
      assert.ok(await document.save());
      assert.equal(new TextDecoder().decode(await vscode.workspace.fs.readFile(uri)), document.getText());
    },
  });
}
