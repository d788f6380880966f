// A function is profiled as a person does it: the lens, the question, the progress, the words at the lines' ends, the report; and nothing
// runs without trust.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { ROOT } from '../../../scripts/generate.ts';
import { openPage, startBrowser } from '../host/browser.ts';
import { installHost, type Installation } from '../host/install.ts';
import type { Browser, Locator } from '../host/playwright.ts';
import { startServer, type VsCodeServer } from '../host/server.ts';
import { stageExtension } from '../host/stage.ts';
import { openAll, THEMES, Workbench, stays, type Theme } from './workbench.ts';

const WIDE = { width: 1700, height: 900 };
/** Of the runs together, in seconds: enough for V8 to optimize something. */
const SECONDS = 3;
/** On a slow machine all of it may take many times as long. Only what never comes takes as long as this. */
const LIMIT_MS = 240_000;

/** `areaOf`, with a finding on line 56 that its `@profile` comment confirms: `shape.area()` on line 42 meets five shapes. */
const ROWS = 'rows.js';
const CURSOR = '60:1';
/** Leaves a mark when its module is loaded, and when it is called. */
const EFFECT = 'effect.js';
/** Nothing says how it is called. */
const BARE = 'bare.js';
const BARE_TEXT = `'use strict';
function longest(words) {
  let found = '';
  for (const word of words) if (word.length > found.length) found = word;
  return found;
}
exports.longest = longest;
`;
/** Throws in each call; the fix asks first, which takes a hundredth of the time. */
const LINKS = 'links.js';
const LINKS_TEXT = `'use strict';
/** @profile isLink('plain text') */
function isLink(text) {
  try {
    new URL(text);
    return true;
  } catch {
    return false;
  }
}
exports.links = (rows) => rows.filter(isLink);
`;
/** A list is searched for each element of another one. */
const ORDERS = 'orders/orders.js';
const ORDERS_TEXT = `'use strict';
const http = require('node:http');

/** @profile missing(Array.from({ length: 500 }, (_, i) => 'A-' + i), Array.from({ length: 500 }, (_, i) => ({ sku: 'B-' + i }))) */
function missing(wanted, rows) {
  const known = rows.map(({ sku }) => sku);
  return wanted.filter((sku) => !known.includes(sku));
}

const server = http.createServer(async (request, response) => {
  let text = '';
  for await (const piece of request) text += piece;
  const { wanted, rows } = JSON.parse(text);
  response.end(JSON.stringify(missing(wanted, rows)));
});
if (require.main === module) server.listen(3000);
`;
/** Samples for which no fix is offered. */
const BOARD = 'score-board/board.js';
const LIST = 'order-list/list.js';
/** Takes longer than anybody waits. */
const SLOW = 'slow.js';
const SLOW_TEXT = `'use strict';
/** @profile wait() */
function wait() {
  const end = Date.now() + 600_000;
  while (Date.now() < end);
}
exports.wait = wait;
`;

function effectText(mark: string): string {
  return `'use strict';
const fs = require('node:fs');
fs.writeFileSync(${JSON.stringify(`${mark}-loaded`)}, '');
/** @profile leave() */
function leave() {
  fs.writeFileSync(${JSON.stringify(`${mark}-called`)}, '');
}
exports.leave = leave;
`;
}

describe('profiling in the window of VS Code', () => {
  const work = realpathSync(mkdtempSync(join(tmpdir(), 'nodometer-profile-ui-')));
  const folder = join(work, 'project');
  const mark = join(work, 'mark');
  let extension = '';
  let installation: Installation;
  let browser: Browser;

  before(async () => {
    mkdirSync(folder);
    for (const name of ['rows.js', 'package.json']) cpSync(join(ROOT, 'samples', 'batch-report', name), join(folder, name));
    mkdirSync(join(folder, 'plain'));
    writeFileSync(join(folder, 'plain', 'package.json'), '{ "type": "commonjs" }\n');
    for (const [name, text] of [
      [EFFECT, effectText(mark)],
      [BARE, BARE_TEXT],
      [LINKS, LINKS_TEXT],
      [SLOW, SLOW_TEXT],
    ] as const)
      writeFileSync(join(folder, 'plain', name), text);
    mkdirSync(join(folder, 'orders'));
    writeFileSync(join(folder, 'orders', 'package.json'), '{ "type": "commonjs" }\n');
    writeFileSync(join(folder, ORDERS), ORDERS_TEXT);
    for (const file of [BOARD, LIST]) {
      const name = dirname(file);
      cpSync(join(ROOT, 'samples', name), join(folder, name), { recursive: true });
      // The list of files to open is by name.
      renameSync(join(folder, name, 'server.js'), join(folder, file));
      writeFileSync(join(folder, name, 'package.json'), JSON.stringify({ scripts: { start: `node ${basename(file)}` } }));
    }
    // Enough for the change to show on a busy machine.
    const ids = Array.from({ length: 40 }, (_, i) => `id=${i}`).join('&');
    writeFileSync(join(folder, LIST), readFileSync(join(folder, LIST), 'utf8').replace('id=1&id=2&id=3', ids));
    writeFileSync(join(folder, '.gitignore'), '.nodometer\n');
    const git = (...args: readonly string[]): void => {
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false', ...args], { cwd: folder });
    };
    git('init', '-q');
    git('add', '.');
    git('commit', '-q', '-m', 'before');
    ({ folder: extension } = await stageExtension(join(work, 'extension')));
    installation = await installHost();
    browser = await startBrowser(installation);
  });
  after(async () => {
    await browser?.close();
    rmSync(work, { recursive: true, force: true });
  });

  /** A window with the project in it. */
  async function windowOf(server: VsCodeServer): Promise<Workbench> {
    const workbench = new Workbench(await openPage(browser), server);
    await workbench.page.setViewportSize(WIDE);
    await workbench.open(folder);
    return workbench;
  }

  function toast(workbench: Workbench, text: RegExp): Locator {
    return workbench.page.locator('.notification-toast', { hasText: text }).first();
  }

  /** Words at the ends of lines: they are in the style, not in the page. What is only marked for its share of the time has none. */
  async function notes(workbench: Workbench): Promise<string[]> {
    const contents = (await workbench.page.evaluate(
      "[...document.querySelectorAll('.view-line span')].map((span) => getComputedStyle(span, '::after').content)",
    )) as string[];
    return contents
      .filter((content) => content.startsWith('"'))
      .map((content) => content.slice(1, -1))
      .filter((words) => words !== '');
  }

  async function waitForNotes(workbench: Workbench, what: string, isRight: (all: string[]) => boolean): Promise<void> {
    for (const end = Date.now() + LIMIT_MS; Date.now() < end; ) {
      if (isRight(await notes(workbench))) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    assert.fail(`waited in vain for ${what}: ${(await notes(workbench)).join(' | ')}`);
  }

  /** The page of the report is a frame in a frame. */
  async function report(workbench: Workbench): Promise<Locator> {
    let found: Locator | undefined;
    await workbench.waitFor('the report', async () => {
      for (const frame of workbench.page.frames()) {
        const main = frame.locator('main');
        if (await stays(main.locator('#verdicts'))) found = main;
      }
      return found !== undefined;
    });
    assert.ok(found);
    return found;
  }

  describe('in a trusted folder', () => {
    let server: VsCodeServer;
    let workbench: Workbench;

    before(async () => {
      server = await startServer(installation, {
        installed: [extension],
        settings: { 'workbench.colorTheme': 'Light 2026', 'nodometer.profile.seconds': SECONDS },
      });
      workbench = await windowOf(server);
    });
    after(async () => {
      await server?.stop();
    });
    // The words at the ends of lines go when a file is closed. For the pictures, one run is enough: a theme changes how they look.
    let keepsEditors = false;
    beforeEach(async () => {
      if (!keepsEditors) await workbench.closeEditors();
      await workbench.command('Notifications: Clear All Notifications');
    });
    afterEach(async (t) => {
      if ('error' in t && t.error) await workbench.screenshot(`failed-${t.name.replaceAll(/\W+/g, '-')}`);
      await workbench.page.keyboard.press('Escape');
    });

    it('a lens asks, runs, and shows what was found: at the lines, in the finding, in a report', async () => {
      const { page } = workbench;
      await workbench.openFile(ROWS, CURSOR);
      const lens = page.locator('.codelens-decoration a:visible', { hasText: 'Profile this function' }).first();
      await lens.click();
      const question = page.locator('.monaco-dialog-box');
      await question.filter({ hasText: 'This executes rows.js repeatedly' }).waitFor();
      await question.locator('.monaco-button', { hasText: /^Run$/ }).click();
      await toast(workbench, /profiling/).waitFor();
      await page.locator('.tabs-container .tab', { hasText: 'Profile: areaOf' }).waitFor({ timeout: LIMIT_MS });
      await waitForNotes(
        workbench,
        'the evidence',
        (all) => all.some((note) => /^⚡ \w+ · [\d.]+ [nµm]s\/call · \d+ deopts?$/.test(note)) && all.includes('5+ shapes, megamorphic'),
      );
      await page.locator('.codelens-decoration a:visible', { hasText: /confirmed: .*5 shapes.* · Profile again/ }).waitFor();

      const main = await report(workbench);
      assert.equal(await main.locator('section > details[open]').count(), 0, 'what V8 did is closed');
      await openAll(main);
      const text = (await main.innerText()).replaceAll(/\s+/g, ' ');
      for (const words of [
        'areaOf in rows.js',
        'confirmed',
        'no-polymorphic-call',
        'Give the objects one shape',
        'TurboFan',
        'per call',
        'line 42',
        'areaOf([{ size: 1 }, { size: 2 }, { size: 3 }])',
      ])
        assert.ok(text.includes(words), `${words} in ${text}`);
      await main.locator('canvas').first().waitFor();
      const picture = main.locator('[role=img]').first();
      assert.match((await picture.getAttribute('aria-label')) ?? '', /areaOf: Ignition at .*TurboFan at/);

      // Call stacks, with the keyboard alone.
      const box = main.locator('[role=treeitem]', { hasText: /^areaOf$/ }).first();
      await box.focus();
      await page.keyboard.press('Enter');
      await main.locator('.flame-words', { hasText: /areaOf \(line \d+:\d+\): \d+ % of CPU time/ }).waitFor();
      const whole = await main.locator('.flame').boundingBox();
      const enlarged = await box.boundingBox();
      assert.ok(whole && enlarged && Math.abs(whole.width - enlarged.width) < 2, 'as wide as all');
      await main.locator('button', { hasText: 'Show All' }).waitFor();
      await page.keyboard.press('Escape');
      await main.locator('button', { hasText: 'Show All' }).waitFor({ state: 'hidden' });

      const hover = await workbench.hover(workbench.squiggles().first(), 'confirmed');
      assert.match(hover.replaceAll(/\s+/g, ' '), /5 shapes/);

      // A link reveals its place.
      await main.locator('a', { hasText: 'line 42:' }).first().click();
      await page.locator('.statusbar-item', { hasText: 'Ln 42, Col 16' }).waitFor();
    });

    it('a report is there again after a reload, says when the code has changed, and profiles again', async () => {
      const { page } = workbench;
      await workbench.openFile(ROWS, CURSOR);
      await workbench.command('Nodometer: Show Profile Report');
      await report(workbench);
      await workbench.command('Developer: Reload Window');
      await page.locator('.tabs-container .tab', { hasText: 'Profile: areaOf' }).waitFor({ timeout: LIMIT_MS });
      const main = await report(workbench);
      assert.match((await main.innerText()).replaceAll(/\s+/g, ' '), /areaOf in rows\.js.*confirmed/);
      assert.equal(await toast(workbench, /profiling/).count(), 0, 'nothing is run');
      const again = main.locator('button', { hasText: 'Profile Again' });
      assert.equal(await again.isVisible(), false);

      // A file that is opened in the report's group would hide it.
      await workbench.command('View: Focus First Editor Group');
      await workbench.openFile(ROWS, '1:1');
      await page.keyboard.insertText('0;');
      await again.waitFor();
      assert.match(await main.locator('#stale').innerText(), /rows\.js has changed since this was measured\./);
      await workbench.screenshot('report-stale');
      await page.keyboard.press('Control+Z');
      await again.waitFor({ state: 'hidden' });
      await page.keyboard.insertText('0;');
      await again.click();
      await toast(workbench, /profiling/).waitFor();
      await toast(workbench, /profiling/).waitFor({ state: 'detached', timeout: LIMIT_MS });
      await workbench.waitFor(
        'a report that is up to date',
        async () => !(await (await report(workbench)).locator('#stale button').isVisible()),
      );
      await workbench.openFile(ROWS);
      await page.keyboard.press('Control+Z');
    });

    it('a report is exported as Markdown, into a file that the user names', async () => {
      const { page } = workbench;
      await workbench.openFile(ROWS, CURSOR);
      await workbench.command('Nodometer: Show Profile Report');
      await (await report(workbench)).locator('button', { hasText: 'Export as Markdown' }).click();
      const input = page.locator('.quick-input-widget input:visible').first();
      await input.waitFor();
      let target = '';
      await workbench.waitFor('the name of the file', async () => {
        target = await input.inputValue();
        return /\/project\/profile-areaOf-\d{4}-\d\d-\d\d\.md$/.test(target);
      });
      await page.keyboard.press('Enter');
      await toast(workbench, /The report was saved as profile-areaOf-/).waitFor();
      assert.match(readFileSync(target, 'utf8'), /^# areaOf on Node [^]*## Verdicts\n\n- \*\*✖ confirmed\*\*/);
      rmSync(target);
    });

    it('an edit greys the evidence, undoing it brings it back; a file that was agreed to is not asked for again', async () => {
      const { page } = workbench;
      await workbench.openFile(ROWS, CURSOR);
      await workbench.command('Nodometer: Profile This Function');
      await waitForNotes(workbench, 'the evidence', (all) => all.some((note) => note.startsWith('⚡')));
      await workbench.openFile(ROWS, '50:3');
      await page.keyboard.insertText('0;');
      await waitForNotes(workbench, 'grey words', (all) => all.length > 0 && all.every((note) => note.endsWith('(code has changed)')));
      await workbench.screenshot('profile-stale');
      await page.keyboard.press('Control+Z');
      await waitForNotes(workbench, 'fresh words', (all) => all.length > 0 && all.every((note) => !note.includes('changed')));
      await workbench.goTo('45:1');
      await page.keyboard.insertText('\n\n');
      await waitForNotes(
        workbench,
        'words that moved with the code',
        (all) => all.length > 1 && all.every((note) => !note.includes('changed')),
      );
      await workbench.command('Nodometer: Clear Evidence');
      await toast(workbench, /Evidence cleared/).waitFor();
      await waitForNotes(workbench, 'no words', (all) => all.length === 0);
      assert.equal(existsSync(join(folder, '.nodometer', 'evidence.json')), false);
    });

    it('arguments that nobody knows are asked for, and the function is run with them', async () => {
      const { page } = workbench;
      await workbench.openFile(`plain/${BARE}`, '3:3');
      await workbench.command('Nodometer: Profile This Function');
      await page.locator('.monaco-dialog-box .monaco-button', { hasText: /^Run$/ }).click();
      const input = page.locator('.quick-input-widget input:visible').first();
      await input.waitFor({ timeout: LIMIT_MS });
      assert.match(await input.inputValue(), /^longest\(/);
      await input.fill('longest(');
      await page.locator('.quick-input-message', { hasText: 'is not matched' }).waitFor();
      await input.fill("longest(['a', 'bc'])");
      await page.keyboard.press('Enter');
      await waitForNotes(workbench, 'the evidence', (all) => all.some((note) => note.startsWith('⚡')));
      // Its panel was closed: it comes when it is asked for.
      await workbench.command('Nodometer: Show Profile Report');
      assert.match(await (await report(workbench)).innerText(), /The calls that you entered[^]*longest\(\['a', 'bc'\]\)/);
    });

    it('applies a fix and measures it: the gain is told, stands above the function, and is still there in a new window', async () => {
      const { page } = workbench;
      await workbench.openFile(`plain/${LINKS}`, '4:4');
      await workbench.waitForSquiggles(1, 'info');
      const fixes = await workbench.fixes('keys');
      const index = fixes.findIndex((title) => title.startsWith('Apply and measure: '));
      assert.ok(index > 0, fixes.join(' | '));
      await page.locator('.action-widget .monaco-list-row.action', { hasText: 'Apply and measure: ' }).first().click();
      await page.locator('.monaco-dialog-box .monaco-button', { hasText: /^Run$/ }).click();
      await toast(workbench, /measuring the fix/).waitFor();
      const result = toast(
        workbench,
        /is faster with the fix: .* → .* per call \(99\.7 % interval of the difference: .* to .*\)\. The fix was applied/,
      );
      await result.waitFor({ timeout: LIMIT_MS });
      const gain = page.locator('.codelens-decoration a:visible', { hasText: /Faster with the fix: .* → .* per call · Profile again/ });
      await gain.waitFor();
      await page.locator('.view-line', { hasText: 'URL.canParse' }).first().waitFor();
      await workbench.waitForSquiggles(0, 'info');
      await workbench.screenshot('fix-measured');
      await workbench.command('File: Save');
      await workbench.waitFor('the fixed file on disk', () => readFileSync(join(folder, 'plain', LINKS), 'utf8').includes('URL.canParse'));
      await workbench.open(folder);
      await workbench.openFile(`plain/${LINKS}`, '4:4');
      await gain.waitFor();
    });

    /** Profiles the function above which the lens with `from` stands, until a lens says `to`. */
    async function profileByLens(workbench: Workbench, to: RegExp): Promise<void> {
      const { page } = workbench;
      await page
        .locator('.codelens-decoration a:visible', { hasText: /Profile this function|Code changed: profile again/ })
        .first()
        .click();
      const run = page.locator('.monaco-dialog-box .monaco-button', { hasText: /^Run$/ });
      const lens = page.locator('.codelens-decoration a:visible', { hasText: to }).first();
      // A file that was agreed to is not asked for again.
      await run
        .or(toast(workbench, /profiling/))
        .first()
        .waitFor();
      if (await run.isVisible()) await run.click();
      await lens.waitFor({ timeout: LIMIT_MS });
      // The panel of an earlier report was closed.
      await workbench.command('Nodometer: Show Profile Report');
    }

    /** In place of the line at the cursor. */
    async function replaceLine(workbench: Workbench, file: string, from: RegExp, to: string): Promise<void> {
      const line =
        readFileSync(join(folder, file), 'utf8')
          .split('\n')
          .findIndex((one) => from.test(one)) + 1;
      assert.ok(line > 0, String(from));
      await workbench.goTo(`${line}:1`);
      await workbench.page.keyboard.press('Shift+End');
      await workbench.page.keyboard.insertText(to);
      await workbench.command('File: Save');
      await workbench.waitFor('the file on disk', () => readFileSync(join(folder, file), 'utf8').includes(to));
    }

    it('proves that time grows with the square of the input, shows the curve, and measures the fix', async () => {
      const { page } = workbench;
      await workbench.openFile(ORDERS, '7:34');
      // The other one is about the size of the body.
      await workbench.waitForSquiggles(2, 'warning');
      await profileByLens(workbench, /confirmed: .*grows with n\^/);
      const main = await report(workbench);
      assert.match(await main.innerText(), /How the time grows[^]*measured: n\^[12]\.\d/);
      await workbench.screenshot('curve-of-growth');
      await workbench.command('View: Focus First Editor Group');
      await workbench.openFile(ORDERS, '7:34');
      const fixes = await workbench.fixes('keys');
      assert.ok(
        fixes.some((title) => title.startsWith('Apply and measure: Search a')),
        fixes.join(' | '),
      );
      await page.locator('.action-widget .monaco-list-row.action', { hasText: 'Apply and measure: Search a' }).first().click();
      await toast(workbench, /measuring the fix/).waitFor();
      await toast(workbench, /missing is faster with the fix: .* per call .*The fix was applied/).waitFor({ timeout: LIMIT_MS });
      await page.locator('.view-line', { hasText: 'new Set(known)' }).first().waitFor();
      await workbench.waitForSquiggles(1, 'warning');
    });

    it('proves that entries stay after requests, and is silent about a list that is kept short', async () => {
      await workbench.openFile(BOARD, '12:3');
      await workbench.waitForSquiggles(2, 'info');
      await profileByLens(workbench, /confirmed: .*(?:entr|stay)/);
      const main = await report(workbench);
      assert.match((await main.innerText()).replaceAll(/\s+/g, ' '), /visits/);
      await workbench.screenshot('entries-that-stay');
      await workbench.command('View: Focus First Editor Group');
      await workbench.openFile(BOARD, '12:3');
      await replaceLine(workbench, BOARD, /@3 no-unbounded-growth: entries/, '  if (visits.length > MOST_LINES) visits.shift();');
      await workbench.waitForSquiggles(1, 'info');
      await workbench.openFile(BOARD, '12:3');
      await workbench.command('Nodometer: Profile This Function');
      await workbench.waitFor('a report without a verdict on it', async () =>
        /No rule reports this code|has no warnings to verify/.test(await (await report(workbench)).innerText()),
      );
    });

    it('proves a query for each element, and measures the change that the user makes against the last commit', async () => {
      const { page } = workbench;
      await workbench.openFile(LIST, '10:42');
      await workbench.waitForSquiggles(1, 'info');
      await profileByLens(workbench, /confirmed: .*40 times/);
      await workbench.command('View: Focus First Editor Group');
      await workbench.openFile(LIST, '10:42');
      await replaceLine(
        workbench,
        LIST,
        /for \(const id of ids\) found\.push/,
        "  found.push(await database.query('SELECT id, name FROM customers WHERE id = ANY($1)', [ids]));",
      );
      await workbench.waitForSquiggles(0, 'info');
      await workbench.goTo('9:3');
      await workbench.command('Nodometer: Measure Change Since Commit');
      const input = page.locator('.quick-input-widget input:visible').first();
      await workbench.waitFor('the last commit as the default', async () => (await input.inputValue()) === 'HEAD');
      await page.keyboard.press('Enter');
      await toast(workbench, /measuring the change/).waitFor();
      await toast(workbench, /customersOf is faster than at HEAD \([\da-f]{8}\): .* → .* per request \(99\.7 % interval/).waitFor({
        timeout: LIMIT_MS,
      });
      await page.locator('.codelens-decoration a:visible', { hasText: /Faster than at HEAD \(.*per request · Profile again/ }).waitFor();
      await workbench.screenshot('change-measured');
    });

    it('runs a file with all that it does', async () => {
      await workbench.openFile(`plain/${EFFECT}`, '6:3');
      await workbench.command('Nodometer: Profile This Function');
      await workbench.page.locator('.monaco-dialog-box .monaco-button', { hasText: /^Run$/ }).click();
      await waitForNotes(workbench, 'the evidence', (all) => all.some((note) => note.startsWith('⚡')));
      for (const name of ['loaded', 'called']) {
        assert.ok(existsSync(`${mark}-${name}`), name);
        rmSync(`${mark}-${name}`);
      }
    });

    it('is not run when the question is answered with Cancel', async () => {
      await workbench.openFile(`plain/${SLOW}`, '4:3');
      await workbench.command('Nodometer: Profile This Function');
      const question = workbench.page.locator('.monaco-dialog-box');
      await question.locator('.monaco-button', { hasText: 'Cancel' }).click();
      await question.waitFor({ state: 'detached' });
      assert.equal(await toast(workbench, /profiling/).count(), 0);
    });

    it('stops when it is cancelled', async () => {
      await workbench.openFile(`plain/${SLOW}`, '4:3');
      await workbench.command('Nodometer: Profile This Function');
      await workbench.page.locator('.monaco-dialog-box .monaco-button', { hasText: /^Run$/ }).click();
      const progress = toast(workbench, /profiling: .*\d of \d/);
      await progress.waitFor();
      await progress.locator('.monaco-button', { hasText: 'Cancel' }).click();
      await toast(workbench, /Profiling was stopped/).waitFor();
      assert.deepEqual(await notes(workbench), []);
    });

    for (const theme of Object.keys(THEMES) as Theme[]) {
      it(`can be read in ${theme}`, async () => {
        await workbench.useTheme(theme);
        // A file that is opened in the report's group would hide it.
        if (keepsEditors) await workbench.command('View: Focus First Editor Group');
        await workbench.openFile(ROWS, CURSOR);
        if (!keepsEditors) await workbench.command('Nodometer: Profile This Function');
        await waitForNotes(workbench, 'the evidence', (all) => all.some((note) => note.startsWith('⚡')));
        keepsEditors = true;
        await workbench.command('Nodometer: Show Profile Report');
        const main = await report(workbench);
        await workbench.screenshot(`profile-${theme}-1`);
        await openAll(main);
        await main.locator('canvas').first().waitFor();
        await main.locator('#flame').scrollIntoViewIfNeeded();
        await workbench.screenshot(`profile-${theme}-2`);
        await main.locator('#shapes').scrollIntoViewIfNeeded();
        await workbench.screenshot(`profile-${theme}-3`);
      });
    }
  });

  it('in a folder that is not trusted nothing is run, and the command says why', async () => {
    const server = await startServer(installation, {
      installed: [extension],
      trust: 'restricted',
      settings: { 'workbench.colorTheme': 'Light 2026', 'nodometer.profile.seconds': SECONDS, 'nodometer.profile.confirm': 'never' },
    });
    try {
      const workbench = await windowOf(server);
      try {
        await workbench.openFile(ROWS, CURSOR);
        // Predictions, of which those that a run has confirmed before are warnings.
        await workbench.waitFor(
          'its findings',
          async () => (await workbench.squiggles('info').count()) + (await workbench.squiggles().count()) >= 2,
        );
        assert.equal(await workbench.page.locator('.codelens-decoration a:visible', { hasText: /profile/i }).count(), 0, 'no lens');
        await workbench.openFile(`plain/${EFFECT}`, '6:3');
        await workbench.command('Nodometer: Profile This Function');
        const refusal = toast(workbench, /this workspace is not trusted\. Nothing was run/);
        await refusal.waitFor();
        await refusal.locator('.monaco-button', { hasText: 'Manage Workspace Trust' }).waitFor();
        await workbench.screenshot('profile-not-trusted');
        assert.deepEqual([existsSync(`${mark}-loaded`), existsSync(`${mark}-called`)], [false, false]);
      } catch (error) {
        await workbench.screenshot('failed-profile-not-trusted');
        throw error;
      }
    } finally {
      await server.stop();
    }
  });
});
