// Whole programs as a person traces and watches them: the question, the progress, the report; several Nodes side by side; the stop; and
// nothing without trust.
import assert from 'node:assert/strict';
import { cpSync, existsSync, linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { ROOT } from '../../../scripts/generate.ts';
import { openPage, startBrowser } from '../host/browser.ts';
import { installHost, type Installation } from '../host/install.ts';
import type { Browser, Locator } from '../host/playwright.ts';
import { startServer, type VsCodeServer } from '../host/server.ts';
import { stageExtension } from '../host/stage.ts';
import { openAll, Workbench, stays, type Theme } from './workbench.ts';

const WIDE = { width: 1700, height: 1000 };
/** For each run of a program. */
const SECONDS = 3;
/** Only what never comes takes as long as this. */
const LIMIT_MS = 240_000;

/** Blocks the loop again and again, reads a file while it works, throws, and hands different shapes to one place. */
const BUSY = `'use strict';
const fs = require('node:fs');
const { total } = require('./total.js');
function block(ms) {
  const end = Date.now() + ms;
  while (Date.now() < end);
}
let turn = 0;
const timer = setInterval(function work() {
  block(turn % 5 === 0 ? 120 : 3);
  fs.readFileSync(__filename, 'utf8');
  for (let i = 0; i < 500; i += 1) total(i % 2 ? { price: i } : { id: 1, price: i });
  try { JSON.parse('{'); } catch { /* Every day. */ }
  if ((turn += 1) === 20) clearInterval(timer);
}, 20);
`;
const TOTAL = `'use strict';
/** @profile exports.total({ price: 2 }) */
exports.total = function total(item) {
  return item.price * 2;
};
exports.other = (n) => n;
`;

/** Blocks in one of its routes. */
const SERVE = `'use strict';
const fs = require('node:fs');
const express = require('express');
const app = express();
app.get('/pages/:id', (req, res) => {
  res.send(fs.readFileSync(__filename, 'utf8'));
});
app.listen(process.env.PORT || 3000);
`;

describe('programs in the window of VS Code', () => {
  const work = realpathSync(mkdtempSync(join(tmpdir(), 'nodometer-programs-ui-')));
  const folder = join(work, 'project');
  const mark = join(work, 'mark');
  let extension = '';
  let installation: Installation;
  let browser: Browser;

  before(async () => {
    mkdirSync(folder);
    const manifest = { name: 'p', scripts: { start: 'node busy.js', forever: 'node forever.js', mark: 'node mark.js' } };
    const files = {
      'package.json': JSON.stringify(manifest),
      'busy.js': BUSY,
      'total.js': TOTAL,
      'serve.js': SERVE,
      'forever.js': 'setInterval(() => {}, 1000);\n',
      'mark.js': `require('node:fs').writeFileSync(${JSON.stringify(mark)}, '');\n`,
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(join(ROOT, 'node_modules', 'express'), join(folder, 'node_modules', 'express'), 'junction');
    // A second Node of this machine's, where the version manager n would have put it.
    const second = join(work, 'n', 'versions', 'node', process.versions.node, 'bin', 'node');
    mkdirSync(dirname(second), { recursive: true });
    try {
      linkSync(realpathSync(process.execPath), second);
    } catch {
      // Another disk: then it is a copy.
      cpSync(realpathSync(process.execPath), second);
    }
    ({ folder: extension } = await stageExtension(join(work, 'extension')));
    installation = await installHost();
    browser = await startBrowser(installation);
  });
  after(async () => {
    await browser?.close();
    rmSync(work, { recursive: true, force: true });
  });

  async function windowOf(server: VsCodeServer): Promise<Workbench> {
    const workbench = new Workbench(await openPage(browser), server);
    await workbench.page.setViewportSize(WIDE);
    await workbench.open(folder);
    return workbench;
  }

  function toast(workbench: Workbench, text: RegExp): Locator {
    return workbench.page.locator('.notification-toast', { hasText: text }).first();
  }

  async function agree(workbench: Workbench, words: RegExp): Promise<void> {
    const question = workbench.page.locator('.monaco-dialog-box');
    await question.filter({ hasText: words }).waitFor();
    await question.locator('.monaco-button', { hasText: /^Run$/ }).click();
  }

  async function pick(workbench: Workbench, label: string): Promise<void> {
    await workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: label }).first().click();
  }

  /** The page of the report, when it has this heading. */
  async function report(workbench: Workbench, heading: RegExp): Promise<Locator> {
    for (const end = Date.now() + LIMIT_MS; Date.now() < end; ) {
      for (const frame of workbench.page.frames()) {
        const main = frame.locator('main');
        const title = await main
          .locator('h1')
          .innerText({ timeout: 200 })
          .catch(() => '');
        if (heading.test(title) && (await stays(main))) return main;
      }
      // Its panel was closed: it comes when it is asked for.
      const show = workbench.page.locator('.notification-toast .monaco-button', { hasText: 'Show Report' }).first();
      if (await show.isVisible()) await show.click().catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    return assert.fail(`waited in vain for the report ${heading}`);
  }

  const words = async (main: Locator): Promise<string> => (await main.innerText()).replaceAll(/\s+/g, ' ');

  async function pictures(workbench: Workbench, main: Locator, name: string, last: string): Promise<void> {
    for (const theme of ['light', 'dark'] satisfies Theme[]) {
      await workbench.useTheme(theme);
      await main.locator('h1').scrollIntoViewIfNeeded();
      await workbench.screenshot(`${name}-${theme}-1`);
      await main.locator(last).scrollIntoViewIfNeeded();
      await workbench.screenshot(`${name}-${theme}-2`);
    }
    await workbench.useTheme('light');
  }

  describe('in a trusted folder', () => {
    let server: VsCodeServer;
    let workbench: Workbench;

    before(async () => {
      server = await startServer(installation, {
        installed: [extension],
        env: { N_PREFIX: work },
        settings: {
          'workbench.colorTheme': 'Light 2026',
          'nodometer.profile.programSeconds': SECONDS,
          'nodometer.profile.seconds': SECONDS,
        },
      });
      workbench = await windowOf(server);
    });
    after(async () => {
      await server?.stop();
    });
    beforeEach(async () => {
      await workbench.closeEditors();
      await workbench.command('Notifications: Clear All Notifications');
    });
    afterEach(async (t) => {
      if ('error' in t && t.error) await workbench.screenshot(`failed-${t.name.replaceAll(/\W+/g, '-')}`);
      await workbench.page.keyboard.press('Escape');
    });

    it('measures the lag of a file: delay, histogram, and the blocks with their code', async () => {
      await workbench.openFile('busy.js');
      await workbench.command('Nodometer: Measure Event Loop Lag of This File');
      await agree(workbench, /This executes busy\.js for up to 3 s/);
      await toast(workbench, /monitoring busy\.js/).waitFor();
      const main = await report(workbench, /^Event loop lag of node busy\.js$/);
      const text = await words(main);
      for (const part of [
        'p50',
        'p99',
        'longest',
        'Longest blocks',
        'synchronous code',
        'busy.js:6:',
        'work busy.js:',
        'Garbage collection',
        'idle loop',
      ])
        assert.ok(text.includes(part), `${part} in ${text}`);
      await main.locator('canvas').nth(1).waitFor();
      assert.match((await main.locator('[role=img]').nth(1).getAttribute('aria-label')) ?? '', /up to 1 ms: ×\d.*100 ms to 200 ms: ×[1-9]/);
      await pictures(workbench, main, 'lag', '#gc');
      // A caller's link reveals its place.
      await main
        .locator('a', { hasText: /^work busy\.js:10:/ })
        .first()
        .click();
      await workbench.page.locator('.statusbar-item', { hasText: 'Ln 10,' }).waitFor();
    });

    it('puts a route under load from its lens: figures, delay over time, and what blocks', async () => {
      await workbench.openFile('serve.js');
      await workbench.page.locator('.codelens-decoration a:visible', { hasText: 'Measure under load' }).first().click();
      await pick(workbench, 'node serve.js');
      const input = workbench.page.locator('.quick-input-widget input').first();
      await workbench.waitFor('the request of the route', async () => (await input.inputValue()) === 'GET /pages/1');
      await workbench.page.keyboard.press('Enter');
      await agree(workbench, /This starts serve\.js twice .* sends it GET \/pages\/1 over 10 connections for up to 3 s each/);
      await toast(workbench, /measuring GET \/pages\/1 under load/).waitFor();
      const main = await report(workbench, /^GET \/pages\/1 under load$/);
      const text = await words(main);
      for (const part of ['requests/s', 'p99', 'event loop busy', 'Latency', 'fs.readFileSync', 'serve.js:6:', 'blocking calls 1'])
        assert.ok(text.includes(part), `${part} in ${text}`);
      await main.locator('canvas').nth(1).waitFor();
      assert.match(
        (await main.locator('[role=img]').nth(1).getAttribute('aria-label')) ?? '',
        /^Event loop delay over [^]* at most, after /,
      );
      await pictures(workbench, main, 'load', '#calls');
    });

    it('traces an npm script, whose verdicts then stand in the files, and opens its CPU profile', async () => {
      const { page } = workbench;
      await workbench.openFile('busy.js');
      await workbench.command('Nodometer: Trace Optimizations of npm Script');
      await pick(workbench, 'start');
      await agree(workbench, /This executes `npm run start` up to 7 times, for up to 3 s each/);
      const main = await report(workbench, /^npm run start$/);
      await openAll(main);
      const text = await words(main);
      for (const part of [
        'CPU time in your code',
        'CPU time',
        'total.js',
        'polymorphic',
        'fs.readFileSync',
        'SyntaxError',
        '2 of your files ran',
      ]) {
        assert.ok(part === '2 of your files ran' || text.includes(part), `${part} in ${text}`);
      }
      await pictures(workbench, main, 'trace', '#cpu-profile');
      await main.locator('a', { hasText: 'Open in VS Code' }).click();
      await page.locator('.tabs-container .tab', { hasText: '.cpuprofile' }).waitFor();
      assert.ok(existsSync(join(folder, '.nodometer', 'evidence.json')) || !text.includes('confirmed'));
    });

    it('traces the file where the selection touches no function, and the functions where it does', async () => {
      const { page } = workbench;
      await workbench.openFile('total.js', '3:1');
      await page.keyboard.press('Shift+ArrowDown');
      await page.keyboard.press('Shift+ArrowDown');
      await workbench.command('Nodometer: Trace Optimizations of the Selection');
      await agree(workbench, /This executes total\.js repeatedly/);
      await report(workbench, /^exports\.total in total\.js$/);
      await workbench.openFile('total.js', '1:1');
      await page.keyboard.press('Shift+End');
      await workbench.command('Nodometer: Trace Optimizations of the Selection');
      await report(workbench, /^node total\.js$/);
    });

    it('compares a function on the Nodes that are picked', async () => {
      const { page } = workbench;
      await workbench.openFile('total.js', '4:3');
      await workbench.command('Nodometer: Compare Node Versions');
      const rows = page.locator('.quick-input-list .monaco-list-row');
      await rows.filter({ hasText: 'installed by n' }).first().waitFor();
      await page.locator('.quick-input-list .monaco-list-row', { hasText: 'on PATH' }).first().click();
      await rows.filter({ hasText: 'installed by n' }).first().click();
      await page.locator('.quick-input-widget .monaco-button', { hasText: 'OK' }).first().click();
      const main = await report(workbench, /on 2 Node versions$/);
      const text = await words(main);
      for (const part of ['Comparison', 'Per call', 'Highest tier', 'TurboFan', process.versions.node])
        assert.ok(text.includes(part), `${part} in ${text}`);
      assert.equal(await main.locator('#comparison ~ .scroll tbody tr').count(), 2);
      await pictures(workbench, main, 'compare', '#calls');
    });

    it('stops by a command of its own', async () => {
      await workbench.openFile('busy.js');
      await workbench.command('Nodometer: Measure Event Loop Lag of npm Script');
      await pick(workbench, 'forever');
      await agree(workbench, /This executes `npm run forever` for up to 3 s/);
      await toast(workbench, /monitoring forever: /).waitFor();
      await workbench.command('Nodometer: Stop Current Run');
      await toast(workbench, /Profiling was stopped/).waitFor();
    });
  });

  it('in a folder that is not trusted nothing is run', async () => {
    const server = await startServer(installation, {
      installed: [extension],
      trust: 'restricted',
      settings: { 'workbench.colorTheme': 'Light 2026', 'nodometer.profile.confirm': 'never' },
    });
    try {
      const workbench = await windowOf(server);
      try {
        await workbench.openFile('mark.js');
        for (const command of [
          'Trace Optimizations of This File',
          'Measure Event Loop Lag of This File',
          'Trace Optimizations of npm Script',
          'Measure Event Loop Lag of npm Script',
          'Compare Node Versions',
        ]) {
          await workbench.command(`Nodometer: ${command}`);
          await toast(workbench, /this workspace is not trusted\. Nothing was run/).waitFor();
          await workbench.command('Notifications: Clear All Notifications');
        }
        assert.equal(existsSync(mark), false);
      } catch (error) {
        await workbench.screenshot('failed-programs-not-trusted');
        throw error;
      }
    } finally {
      await server.stop();
    }
  });
});
