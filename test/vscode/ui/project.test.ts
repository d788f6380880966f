// A blocking call three files away from its route, in VS Code's own window: the warning with the way to it, which goes when a file between
// is edited. Pictures go to .artifacts/screenshots.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { ROOT } from '../../../scripts/generate.ts';
import { openPage, startBrowser, WINDOW } from '../host/browser.ts';
import { installHost } from '../host/install.ts';
import type { Browser, Locator } from '../host/playwright.ts';
import { startServer, type VsCodeServer } from '../host/server.ts';
import { stageExtension } from '../host/stage.ts';
import { askTerminal, type Expected } from '../suite/expected.ts';
import { Workbench } from './workbench.ts';
import { dedent } from '../../../analysis/testing/dedent.ts';

const STORE = 'lib/store.js';
const CATALOGUE = 'services/catalogue.js';
const CALLS = '  return loadBooks().find((book) => book.id === id);';
/** Two editors beside each other. */
const WIDE = { width: 1700, height: 900 };
const CALLS_NOT = '  return books.find((book) => book.id === id);';
/** Another application beside it. */
const NOTES = {
  'notes/app.js': dedent`
      const app = require('express')();
      const { show } = require('./notes');
      app.get('/notes/:id', (req, res) => { res.send(show(req.params.id)); });

    `,
  'notes/notes.js': dedent`
    const { load } = require('./disk');
    exports.show = function show(id) {
      return load(id).trim();
    };

  `,
  'notes/disk.js': dedent`
      const fs = require('node:fs');
      exports.load = function load(id) {
        return fs.readFileSync(\`\${id}.txt\`, 'utf8');
      };

    `,
} as const;
const CONVERTED = {
  app: NOTES['notes/app.js'].replace(
    '(req, res) => { res.send(show(req.params.id)); });',
    'async (req, res) => {\n  res.send(await show(req.params.id));\n});',
  ),
  notes: NOTES['notes/notes.js'].replace('= function', '= async function').replace('load(id).trim()', '(await load(id)).trim()'),
  disk: NOTES['notes/disk.js'].replace('= function', '= async function').replace('fs.readFileSync(', 'await fs.promises.readFile('),
};

describe('a path over four files', () => {
  const work = realpathSync(mkdtempSync(join(tmpdir(), 'nodometer-path-')));
  const library = join(work, 'express-library');
  let server: VsCodeServer;
  let browser: Browser;
  let workbench: Workbench;
  let command: string;
  let finding: Expected['findings'][number];

  before(async () => {
    cpSync(join(ROOT, 'samples', 'express-library'), library, { recursive: true });
    const staged = await stageExtension(join(work, 'extension'));
    command = staged.command;
    const [only, ...more] = askTerminal(command, library).findings;
    assert.ok(only && more.length === 0);
    finding = only;
    const installation = await installHost();
    server = await startServer(installation, {
      installed: [staged.folder],
      settings: { 'workbench.colorTheme': 'Light 2026', 'nodometer.lintScope': 'workspace' },
    });
    browser = await startBrowser(installation);
    workbench = new Workbench(await openPage(browser), server);
    await workbench.open(library);
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
    rmSync(work, { recursive: true, force: true });
  });
  beforeEach(async () => {
    await workbench.page.setViewportSize(WINDOW);
    await workbench.closeEditors();
  });
  afterEach(async (t) => {
    if ('error' in t && t.error) await workbench.screenshot(`failed-${t.name.replaceAll(/\W+/g, '-')}`);
    await workbench.page.keyboard.press('Escape');
  });

  const rows = (): Locator => workbench.page.locator('.markers-panel .monaco-list-row');

  /** In the editor that has the focus, the line that calls; nothing is saved. */
  async function writeCall(text: string): Promise<void> {
    const line = readFileSync(join(library, CATALOGUE), 'utf8').split('\n').indexOf(CALLS) + 1;
    assert.ok(line > 0, 'nothing was saved');
    await workbench.goTo(`${line}:1`);
    await workbench.page.keyboard.press('Shift+End');
    await workbench.page.keyboard.insertText(text);
  }

  it('is shown with the warning, and each of its places leads there', async () => {
    await workbench.openFile(STORE);
    await workbench.waitForSquiggles(1);
    const words = (await workbench.hover(workbench.squiggles().first(), 'readFileSync')).replaceAll(/\s+/g, ' ');
    assert.ok(words.includes(finding.message), words);
    assert.equal(finding.related.length, 4);
    for (const { file, line, message } of finding.related)
      assert.ok(words.includes(`${file.split('/').at(-1)}(${line}, `) && words.includes(message), `${file}:${line} ${message} in ${words}`);
    await workbench.screenshot('path-1-hover-light');
    await workbench.page.keyboard.press('Escape');
    for (const { file, line, message } of finding.related.slice(-2)) {
      await workbench.command('View: Focus Problems');
      await rows().filter({ hasText: message }).first().dblclick();
      await workbench.page
        .locator('.tabs-container .tab.active', { hasText: file.split('/').at(-1) ?? file })
        .first()
        .waitFor();
      await workbench.page
        .locator('.statusbar-item', { hasText: `Ln ${line}, ` })
        .first()
        .waitFor();
    }
    await workbench.command('View: Hide Panel');
  });

  it('goes when the file between calls it no more, in a file that is open beside it; comes back with the call', async () => {
    await workbench.page.setViewportSize(WIDE);
    await workbench.openFile(STORE);
    await workbench.waitForSquiggles(1);
    await workbench.command('View: Split Editor Right');
    await workbench.openFile(CATALOGUE);
    await workbench.waitForSquiggles(1);
    await writeCall(CALLS_NOT);
    await workbench.waitForSquiggles(0);
    await workbench.screenshot('path-2-gone-light');
    await writeCall(CALLS);
    await workbench.waitForSquiggles(1);
    await workbench.screenshot('path-3-back-light');
    await workbench.useTheme('dark');
    await workbench.command('View: Focus Problems');
    await rows().filter({ hasText: 'calls `loadBooks`' }).first().waitFor();
    await workbench.screenshot('path-4-problems-dark');
    await workbench.command('View: Hide Panel');
  });

  it('goes in a file that is not open, too', async () => {
    await workbench.openFile(CATALOGUE);
    await workbench.command('View: Focus Problems');
    const own = rows().filter({ hasText: 'no-sync-in-handler' });
    await workbench.waitFor('the finding of the other file', async () => (await own.count()) === 1);
    await workbench.page.locator('.editor-instance .view-lines').first().click();
    await writeCall(CALLS_NOT);
    await workbench.waitFor('no finding', async () => (await own.count()) === 0);
    await workbench.screenshot('path-5-not-open-dark');
    await writeCall(CALLS);
    await workbench.waitFor('the finding again', async () => (await own.count()) === 1);
    await workbench.command('View: Hide Panel');
  });

  it('tells what ran in production, as soon as a profile and spans are imported', async () => {
    const [line] = readFileSync(join(library, STORE), 'utf8')
      .split('\n')
      .flatMap((text, i) => (text.includes('function loadBooks') ? [{ lineNumber: i, columnNumber: text.indexOf('(') }] : []));
    const node = (id: number, functionName: string, place: object, hitCount: number, children: number[]): object => ({
      id,
      callFrame: { functionName, scriptId: '1', ...place },
      hitCount,
      children,
    });
    const profile = {
      nodes: [
        node(1, '(root)', { url: '', lineNumber: -1, columnNumber: -1 }, 6, [2]),
        node(2, 'exports.loadBooks', { url: `file://${library}/${STORE}`, ...line }, 4, []),
      ],
      startTime: 0,
      endTime: 10_000,
    };
    const span = {
      kind: 2,
      endTimeUnixNano: '1795219200000000000',
      attributes: [
        { key: 'http.request.method', value: { stringValue: 'GET' } },
        { key: 'http.route', value: { stringValue: '/api/books/:id' } },
      ],
    };
    writeFileSync(join(work, 'web.cpuprofile'), JSON.stringify(profile));
    writeFileSync(join(work, 'spans.json'), JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }));
    await workbench.openFile(STORE);
    await workbench.waitForSquiggles(1);
    const importFile = (file: string): void => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [command, 'import', join(work, file), '--date', '2026-11-21'], {
        cwd: library,
        encoding: 'utf8',
      });
      assert.equal(status, 0, stdout + stderr);
    };
    importFile('web.cpuprofile');
    const told = '40 % of samples in production, 21 November';
    await workbench.page.locator('.codelens-decoration:visible', { hasText: told }).first().waitFor();
    importFile('spans.json');
    const words = await workbench.hover(workbench.squiggles().first(), 'samples in production');
    assert.ok(words.replaceAll(/\s+/g, ' ').includes(`${told} (web.cpuprofile)`), words);
    await workbench.screenshot('path-6-production-dark');
    await workbench.page.keyboard.press('Escape');
    await workbench.openFile('routes.js');
    await workbench.page
      .locator('.codelens-decoration:visible', { hasText: '100 % of requests in production, 21 November' })
      .first()
      .waitFor();
    await workbench.screenshot('path-7-production-lens-dark');
  });

  it('can be converted with its callers, as one change of three files that is looked at before it is made', async () => {
    for (const [name, text] of Object.entries(NOTES)) {
      mkdirSync(dirname(join(library, name)), { recursive: true });
      writeFileSync(join(library, name), text);
    }
    const onDisk = (): string[] => Object.keys(NOTES).map((name) => readFileSync(join(library, name), 'utf8'));
    await workbench.openFile('notes/disk.js', '3:12');
    await workbench.waitForSquiggles(1);
    const review = workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: 'Discard' }).first();
    for (let tried = 1; tried <= 3 && !(await review.isVisible()); tried++) {
      await workbench.fixes('keys');
      await workbench.screenshot('path-8-convert-menu-dark');
      await workbench.page
        .locator('.action-widget .monaco-list-row', { hasText: 'Convert to `fs.promises.readFile` with both callers (3 files)' })
        .first()
        .click();
      // New findings close a menu that is being clicked.
      await review.waitFor({ timeout: 15_000 }).catch((error: unknown) => console.log(`asked again: ${String(error)}`));
    }
    // The three files beside each other, before and after.
    const shown = workbench.page.locator('.multiDiffEditor .multiDiffEntry');
    await workbench.waitFor('the three files', async () => (await shown.count()) === 3);
    await workbench.page.locator('.multiDiffEditor .char-insert, .multiDiffEditor .line-insert').first().waitFor();
    await workbench.screenshot('path-9-convert-review-dark');
    assert.deepEqual(onDisk(), Object.values(NOTES), 'nothing is written before that');
    const choice = workbench.page.locator('.quick-input-list .monaco-list-row');
    await choice.filter({ hasText: 'Discard' }).first().click();
    await shown.first().waitFor({ state: 'hidden' });
    assert.deepEqual(onDisk(), Object.values(NOTES));
    await workbench.fixes('keys');
    await workbench.page.locator('.action-widget .monaco-list-row', { hasText: 'Convert to' }).first().click();
    await choice.filter({ hasText: 'Apply to 3 files' }).first().click();
    await workbench.waitForSquiggles(0);
    await workbench.command('File: Save All Files');
    await workbench.waitFor('the converted files', () => onDisk().every((text) => text.includes('async')));
    assert.deepEqual(onDisk(), Object.values(CONVERTED));
  });
});
