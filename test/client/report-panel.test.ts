// The panel of the report: one that the user has closed stays closed until the user asks for it, and then shows the newest report.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ShownPage } from '../../client/report/report-panel.ts';
import { provideVsCode } from './vscode-stub.ts';

const nothing = { dispose() {} };
const panels: { title: string; html: string; close(): void }[] = [];

function createWebviewPanel() {
  let closed = (): void => undefined;
  const webview = {
    options: {},
    html: '',
    cspSource: '',
    asWebviewUri: (uri: string) => uri,
    onDidReceiveMessage: () => nothing,
    postMessage: async () => true,
  };
  const panel = {
    title: '',
    webview,
    viewColumn: 2,
    reveal() {},
    dispose: () => closed(),
    onDidDispose: (listener: () => void) => {
      closed = listener;
      return nothing;
    },
  };
  panels.push({
    get title() {
      return panel.title;
    },
    get html() {
      return webview.html;
    },
    close: () => closed(),
  });
  return panel;
}

const contexts = new Map<string, unknown>();
provideVsCode({
  commands: { executeCommand: async (_: string, key: string, value: unknown) => void contexts.set(key, value) },
  env: { language: 'en' },
  l10n: { t: (text: string) => text },
  FileSystemError: Error,
  Range: class {},
  Uri: { joinPath: (folder: string, name: string) => `${folder}/${name}`, file: (path: string) => path },
  ViewColumn: { One: 1, Beside: -2 },
  window: { createWebviewPanel, onDidChangeWindowState: () => nothing, visibleTextEditors: [] },
  workspace: {
    asRelativePath: (path: string) => path,
    onDidChangeTextDocument: () => nothing,
    onDidOpenTextDocument: () => nothing,
    onDidCloseTextDocument: () => nothing,
  },
});
const { ReportPanel } = await import('../../client/report/report-panel.ts');
const { KeptReport } = await import('../../client/report/kept-report.ts');

function pageOf(name: string): ShownPage {
  return {
    title: name,
    model: () => ({ title: `${name} on Node`, figures: [], sections: [], footer: [] }),
    markdown: '',
    date: '2026-01-02T03:04:05.000Z',
    again: { kind: 'lag', uri: 'file:///a.js' },
    prints: [],
  };
}

describe('the panel of the report', () => {
  const kept = new Map<string, unknown>();
  const store = {
    get: <T>(key: string) => kept.get(key) as T | undefined,
    update: async (key: string, value: unknown) => void kept.set(key, value),
  };
  const newPanel = () => new ReportPanel({ folder: '/media' as never, kept: new KeptReport(store, '1.0.0') });

  it('stays closed once the user has closed it, and comes back with the newest report', () => {
    const panel = newPanel();
    assert.equal(panel.showAgain(), false);
    assert.equal(panel.show(pageOf('first')), true);
    assert.equal(panel.show(pageOf('second')), true);
    assert.deepEqual(
      panels.map(({ title }) => title),
      ['second'],
      'there is one',
    );
    panels[0]?.close();
    // The answer makes the caller offer it.
    assert.equal(panel.show(pageOf('third')), false);
    assert.equal(panels.length, 1);
    assert.equal(panel.showAgain(), true);
    assert.deepEqual([panels.length, panels[1]?.title], [2, 'third']);
    assert.match(panels[1]?.html ?? '', /third on Node/);
    assert.equal(panel.show(pageOf('fourth')), true, 'it is open again');
    assert.equal(panels[1]?.title, 'fourth');
  });

  it('has the last report after a reload', () => {
    const panel = newPanel();
    assert.equal(panel.showAgain(), true);
    assert.equal(panels.at(-1)?.title, 'fourth');
    assert.equal(contexts.get('nodometer.hasReport'), true);
  });
});
