// What the suites do in VS Code: open files, wait for findings, choose actions, change settings.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as vscode from 'vscode';
import type { ExtensionApi } from '../../../client/extension.ts';
import { EXPECTED_FILE, WAIT_LIMIT } from './runner.ts';
import type { Expected, ExpectedFinding } from './expected.ts';

const POLL_MS = 25;
const ASKED_AGAIN = 10;
/** Only what never happens takes as long. */
const WAIT_LIMIT_MS = Number(process.env[WAIT_LIMIT] ?? 120_000);

const SEVERITIES: Readonly<Record<vscode.DiagnosticSeverity, string>> = {
  0: 'error',
  1: 'warning',
  2: 'hint',
  3: 'not a severity of Nodometer',
};

/** What in-host.test.ts wrote for the suite. */
export function readExpected<T = Expected>(): T {
  const file = process.env[EXPECTED_FILE];
  if (!file) throw new Error(`${EXPECTED_FILE} is not set`);
  return JSON.parse(readFileSync(file, 'utf8')) as T;
}

export function folder(index = 0): vscode.Uri {
  const found = vscode.workspace.workspaceFolders?.[index];
  if (!found) throw new Error(`there is no folder ${index}`);
  return found.uri;
}

export function uriOf(file: string, root: vscode.Uri = folder()): vscode.Uri {
  return vscode.Uri.joinPath(root, ...file.split('/'));
}

/** In a tab of its own: findings of a file go when its tab does. */
export async function show(uri: vscode.Uri): Promise<vscode.TextEditor> {
  return vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: false });
}

export async function activate(): Promise<vscode.Extension<ExtensionApi>> {
  const extension = vscode.extensions.getExtension<ExtensionApi>('nodometer.nodometer');
  if (!extension) throw new Error('VS Code does not know the extension nodometer.nodometer');
  const api = await extension.activate();
  await api.started;
  return extension;
}

export function diagnosticsOf(uri: vscode.Uri): vscode.Diagnostic[] {
  return vscode.languages.getDiagnostics(uri).filter((diagnostic) => diagnostic.source === 'nodometer');
}

export function ruleOf(diagnostic: vscode.Diagnostic): string {
  return typeof diagnostic.code === 'object' ? String(diagnostic.code.value) : String(diagnostic.code);
}

/** Waits until `look` gives something. */
export async function until<T>(what: string, look: () => T | undefined | false | Promise<T | undefined | false>): Promise<T> {
  for (const end = Date.now() + WAIT_LIMIT_MS; Date.now() < end; ) {
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error(`waited in vain: ${what}`);
}

/** Waits until `look` gives what is expected; then, or in the end, compares, so that a failure shows the difference. */
export async function becomes<T>(look: () => T, expected: T, message: string): Promise<void> {
  const wanted = JSON.stringify(expected);
  for (const end = Date.now() + WAIT_LIMIT_MS; Date.now() < end && JSON.stringify(look()) !== wanted; )
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  assert.deepEqual(look(), expected, message);
}

/** Findings as lines, from the editor … */
export function rowsOf(uri: vscode.Uri, root: vscode.Uri = folder()): string[] {
  const name = (file: vscode.Uri): string => file.path.slice(root.path.length + 1);
  return diagnosticsOf(uri)
    .map((diagnostic) => {
      const { start, end } = diagnostic.range;
      const related = (diagnostic.relatedInformation ?? []).map(
        ({ location, message }) =>
          `\n    ${name(location.uri)}:${location.range.start.line + 1}:${location.range.start.character + 1} ${message}`,
      );
      return `${name(uri)}:${start.line + 1}:${start.character + 1}-${end.line + 1}:${end.character + 1} ${SEVERITIES[diagnostic.severity]} ${ruleOf(diagnostic)} ${diagnostic.message.replaceAll('\n', ' ')}${related.join('')}`;
    })
    .sort();
}

/** … and from the terminal. */
export function expectedRows(findings: readonly ExpectedFinding[], file: string): string[] {
  return findings
    .filter((finding) => finding.file === file)
    .map((finding) => {
      const { line, column, endLine, endColumn, severity, ruleId, message, related } = finding;
      return `${file}:${line}:${column}-${endLine}:${endColumn} ${severity} ${ruleId} ${message}${related.map((place) => `\n    ${place.file}:${place.line}:${place.column} ${place.message}`).join('')}`;
    })
    .sort();
}

/** What the light bulb offers at a place, without the refused ones, which VS Code keeps to itself. */
export async function actionsAt(uri: vscode.Uri, range: vscode.Range, kind = vscode.CodeActionKind.QuickFix): Promise<vscode.CodeAction[]> {
  for (let tried = 1; ; tried++) {
    try {
      return await vscode.commands.executeCommand<vscode.CodeAction[]>('vscode.executeCodeActionProvider', uri, range, kind.value, 100);
    } catch (error) {
      // VS Code takes its question back where findings come meanwhile.
      if (tried === ASKED_AGAIN || !String(error).includes('Canceled')) throw error;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }
}

export async function choose(action: vscode.CodeAction): Promise<void> {
  if (action.edit) assert.ok(await vscode.workspace.applyEdit(action.edit), `the edit of "${action.title}" was not taken`);
  if (action.command) await vscode.commands.executeCommand(action.command.command, ...((action.command.arguments ?? []) as unknown[]));
}

/** The active editor's file as it is on disk. */
export async function revert(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.files.revert');
}

export async function set(key: string, value: unknown, scope: vscode.Uri = folder()): Promise<void> {
  await vscode.workspace.getConfiguration(undefined, scope).update(key, value, vscode.ConfigurationTarget.WorkspaceFolder);
}
