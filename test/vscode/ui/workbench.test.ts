// What a person sees and does in VS Code's own window: one server and one browser for all of it. Pictures go to .artifacts/screenshots.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { ROOT } from '../../../scripts/generate.ts';
import { openPage, startBrowser, WINDOW } from '../host/browser.ts';
import { installHost } from '../host/install.ts';
import type { Browser } from '../host/playwright.ts';
import { startServer, type VsCodeServer } from '../host/server.ts';
import { stageExtension } from '../host/stage.ts';
import { askTerminal, type Expected } from '../suite/expected.ts';
import { THEMES, Workbench, type Theme } from './workbench.ts';

const INVOICES = 'express-shop/lib/invoices.js';

const WIDE = { width: 1700, height: 900 };

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  contributes: {
    commands: { command: string; title: string }[];
    menus: { commandPalette: { command: string; when: string }[] };
    walkthroughs: [{ steps: { media: { svg: string } }[] }];
  };
};
const texts = JSON.parse(readFileSync(join(ROOT, 'package.nls.json'), 'utf8')) as Record<string, string>;

describe('in the window of VS Code', () => {
  const work = realpathSync(mkdtempSync(join(tmpdir(), 'nodometer-ui-')));
  const samples = join(work, 'samples');
  let server: VsCodeServer;
  let browser: Browser;
  let workbench: Workbench;
  let expected: Expected;
  /** Lines and columns of the two findings of INVOICES. */
  let withFix = '';
  let withoutFix = '';

  before(async () => {
    cpSync(join(ROOT, 'samples'), samples, { recursive: true });
    const { folder, command } = await stageExtension(join(work, 'extension'));
    expected = askTerminal(command, samples);
    const place = (indexes: readonly { finding: number }[]): string => {
      const [found] = indexes.map(({ finding }) => expected.findings[finding]).filter((finding) => finding?.file === INVOICES);
      assert.ok(found, 'the sample has both kinds');
      return `${found.line}:${found.column + 2}`;
    };
    withFix = place(expected.fixes);
    withoutFix = place(expected.refused);
    const installation = await installHost();
    server = await startServer(installation, { installed: [folder], settings: { 'workbench.colorTheme': 'Light 2026' } });
    browser = await startBrowser(installation);
    workbench = new Workbench(await openPage(browser), server);
    await workbench.open(samples);
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
    // A failed test leaves a picture of what it saw.
    if ('error' in t && t.error) await workbench.screenshot(`failed-${t.name.replaceAll(/\W+/g, '-')}`);
    await workbench.page.keyboard.press('Escape');
  });

  it('underlines what delays a request, and says why in the hover', async () => {
    await workbench.openFile(INVOICES);
    await workbench.waitForSquiggles(2);
    const [finding] = expected.findings.filter(({ file, message }) => file === INVOICES && message.includes('pbkdf2Sync'));
    assert.ok(finding);
    let words = '';
    // The file alone is answered first, the path through the project when all files are read.
    await workbench.waitFor('the message with the path through the project', async () => {
      words = (await workbench.hover(workbench.squiggles().first(), 'pbkdf2Sync')).replaceAll(/\s+/g, ' ');
      return words.includes(finding.message);
    });
    assert.ok(words.includes('no-sync-in-handler'), 'the rule');
    for (const { line, message } of finding.related)
      assert.ok(words.includes(`(${line}, `) && words.includes(message), `the call path: ${message} in ${words}`);
  });

  it('shows the light bulb and its fixes; a refused fix only when it is asked for, with the reason', async () => {
    await workbench.openFile(INVOICES);
    await workbench.waitForSquiggles(2);
    await workbench.goTo(withFix);
    await workbench.page.locator('.lightBulbWidget, .codicon-gutter-lightbulb, .codicon-light-bulb').first().waitFor();
    const fixes = await workbench.fixes('keys');
    const own = expected.fixes.filter(({ finding }) => expected.findings[finding]?.file === INVOICES).map(({ title }) => title);
    assert.deepEqual(fixes, [
      ...own,
      'Disable no-sync-in-handler for this line',
      'Disable no-sync-in-handler for the entire file',
      'Accept for now…',
      ...own.map((title) => `Apply and measure: ${title}`),
      'Profile this function',
      'Show documentation for no-sync-in-handler',
    ]);
    await workbench.closeMenus();

    await workbench.goTo(withoutFix);
    assert.ok(!(await workbench.fixes('keys')).some((row) => row.includes('promise form')), 'VS Code hides what cannot be chosen');
    await workbench.closeMenus();
    await workbench.fixes('command');
    await workbench.showRefused();
    const refused = workbench.page.locator('.action-widget .monaco-list-row.option-disabled');
    await refused.first().waitFor();
    const [reason] = expected.refused.filter(({ finding }) => expected.findings[finding]?.file === INVOICES).map(({ text }) => text);
    assert.ok(reason);
    assert.deepEqual(
      (await refused.allInnerTexts()).map((row) => row.toLowerCase()),
      [`${reason}.`.toLowerCase()],
    );
    await workbench.closeMenus();
  });

  it('applies a fix: the file changes, the squiggle goes', async () => {
    const file = join(samples, INVOICES);
    const before = readFileSync(file, 'utf8');
    await workbench.openFile(INVOICES);
    await workbench.waitForSquiggles(2);
    await workbench.goTo(withFix);
    await workbench.fixes('keys');
    await workbench.page.keyboard.press('Enter');
    await workbench.waitForSquiggles(1);
    await workbench.page.keyboard.press('Control+S');
    const [fix] = expected.fixes.filter(({ finding }) => expected.findings[finding]?.file === INVOICES);
    assert.ok(fix);
    await workbench.waitFor('the fixed file on disk', () => readFileSync(file, 'utf8') === fix.text);
    await workbench.page.keyboard.press('Control+Z');
    await workbench.waitForSquiggles(2);
    await workbench.page.keyboard.press('Control+S');
    await workbench.waitFor('the file as it was', () => readFileSync(file, 'utf8') === before);
  });

  it('follows what is typed', async () => {
    await workbench.openFile('express-shop/lib/session.js');
    await workbench.waitForSquiggles(0);
    await workbench.page.keyboard.press('Control+End');
    await workbench.page.keyboard.insertText("\nexports.slow = (req, res) => res.end(require('node:fs').readFileSync(req.params.id));");
    await workbench.waitForSquiggles(1);
    // Takes the line away.
    await workbench.page.keyboard.press('Control+Shift+K');
    await workbench.waitForSquiggles(0);
  });

  it('lists the findings in the Problems panel, with their call path, and F8 goes from one to the next', async () => {
    await workbench.openFile(INVOICES, '1:1');
    await workbench.waitForSquiggles(2);
    await workbench.page.keyboard.press('F8');
    const peek = workbench.page.locator('.zone-widget', { hasText: '1 of 2 problems' });
    await peek.first().waitFor();
    await workbench.page.keyboard.press('Escape');
    await workbench.command('View: Focus Problems');
    const rows = workbench.page.locator('.markers-panel .monaco-list-row');
    const own = expected.findings.filter(({ file }) => file === INVOICES);
    await workbench.waitFor(
      'the rows of both findings',
      async () => (await rows.filter({ hasText: 'no-sync-in-handler' }).count()) === own.length,
    );
    const texts = (await rows.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));
    for (const { line, column, message, related } of own) {
      assert.ok(
        texts.some((text) => text.includes(`[Ln ${line}, Col ${column}]`) && text.includes(message.split('. ')[0] ?? message)),
        `${message} in ${texts.join(' | ')}`,
      );
      for (const place of related)
        assert.ok(
          texts.some((text) => text.includes(place.message)),
          place.message,
        );
    }
    const label = await rows.filter({ hasText: 'pbkdf2Sync' }).first().getAttribute('aria-label');
    assert.match(label ?? '', /warning/i, 'a screen reader hears the severity');
    await workbench.command('View: Hide Panel');
  });

  it('says in the language status how many findings there are and which Node holds', async () => {
    await workbench.openFile(INVOICES);
    await workbench.waitForSquiggles(2);
    await workbench.page.locator('#status\\.languageStatus').first().hover();
    const status = workbench.page.locator('.hover-language-status');
    await status.first().waitFor();
    const text = (await status.allInnerTexts()).join('\n');
    assert.match(text, /Nodometer.*2 findings/);
    assert.match(text, /Node >=20/);
    assert.match(text, /engines\.node in package\.json/);
  });

  it('opens the page of a rule', async () => {
    await workbench.openFile(INVOICES);
    await workbench.waitForSquiggles(2);
    await workbench.goTo(withoutFix);
    await workbench.fixes('keys');
    await workbench.page.locator('.action-widget .monaco-list-row', { hasText: 'Show documentation for' }).first().click();
    await workbench.page.locator('.tabs-container .tab', { hasText: 'no-sync-in-handler' }).first().waitFor();
  });

  it('has its commands in the palette', async () => {
    await workbench.openFile(INVOICES);
    await workbench.waitForSquiggles(2);
    // One of them is only there with a selection.
    await workbench.page.keyboard.press('Control+A');
    await workbench.page.keyboard.press('F1');
    const input = workbench.page.locator('.quick-input-widget input').first();
    // Those of a run, of its report, and of an entry of a view are there with these alone.
    const isAbsent = (when = ''): boolean => when === 'false' || /^nodometer\.(?:isRunning|has)/.test(when);
    const { commands, menus } = manifest.contributes;
    const offered = commands.filter(({ command }) => !isAbsent(menus.commandPalette.find((item) => item.command === command)?.when));
    assert.ok(offered.length < commands.length && offered.length > 15, String(offered.length));
    for (const { title } of offered) {
      const label = `Nodometer: ${texts[title.replaceAll('%', '')]}`;
      // The list holds only the rows that can be seen, so each is asked for.
      await input.fill(`>${label}`);
      await workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: label }).first().waitFor();
    }
    await workbench.page.keyboard.press('Escape');
    await workbench.command('Nodometer: Show Output');
    // What is logged cannot be seen on the server from npm: the part that writes logs is native and not compiled there.
    await workbench.page.locator('.panel .monaco-select-box').first().waitFor();
    await workbench.command('View: Hide Panel');
  });

  for (const theme of Object.keys(THEMES) as Theme[]) {
    it(`can be read in ${theme}`, async () => {
      await workbench.useTheme(theme);
      await workbench.openFile(INVOICES);
      await workbench.waitForSquiggles(2);
      await workbench.hover(workbench.squiggles().first(), 'pbkdf2Sync');
      await workbench.screenshot(`${theme}-1-hover`);
      await workbench.goTo(withoutFix);
      await workbench.fixes('command');
      await workbench.showRefused();
      await workbench.screenshot(`${theme}-2-fixes`);
      await workbench.closeMenus();
      await workbench.command('View: Focus Problems');
      await workbench.page.locator('.markers-panel .monaco-list-row', { hasText: 'pbkdf2Sync' }).first().waitFor();
      await workbench.page.locator('#status\\.languageStatus').first().hover();
      await workbench.page.locator('.hover-language-status', { hasText: 'Nodometer' }).first().waitFor();
      await workbench.screenshot(`${theme}-3-problems-and-status`);
      await workbench.command('View: Hide Panel');

      await workbench.command('Welcome: Open Walkthrough...');
      await workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: 'Nodometer' }).first().click();
      const steps = workbench.page.locator('.gettingStartedContainer .getting-started-step');
      await steps.first().waitFor();
      const {
        walkthroughs: [{ steps: declared }],
      } = manifest.contributes;
      assert.equal(await steps.count(), declared.length);
      // Beside a narrow editor VS Code shows no pictures.
      await workbench.page.setViewportSize(WIDE);
      for (const [index, { media }] of declared.entries()) {
        await steps.nth(index).click({ position: { x: 40, y: 12 } });
        await workbench.waitForWalkthroughPicture(readFileSync(join(ROOT, media.svg), 'utf8'));
        await workbench.screenshot(`${theme}-4-walkthrough-${index + 1}`);
      }
    });
  }

  // Last: its findings stay in the Problems panel.
  it('lints the workspace on command, and says what came of it', async () => {
    await workbench.command('Nodometer: Lint Workspace');
    const count = expected.findings.length;
    await workbench.page
      .locator('.notification-toast', { hasText: `${count} findings in ` })
      .first()
      .waitFor();
    await workbench.page
      .locator('.panel .badge', { hasText: String(count) })
      .first()
      .waitFor();
    await workbench.screenshot('high-contrast-light-5-workspace');
    await workbench.command('Notifications: Clear All Notifications');
    await workbench.command('View: Hide Panel');
  });
});
