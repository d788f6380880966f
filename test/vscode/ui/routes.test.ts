// The lens above a route and the view of all routes, in VS Code's own window: what their requests come by in other files, listed by a
// click and by keyboard; a handler without a name, profiled from the view.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { ROOT } from '../../../scripts/generate.ts';
import { openPage, startBrowser } from '../host/browser.ts';
import { installHost } from '../host/install.ts';
import type { Browser, Locator } from '../host/playwright.ts';
import { startServer, type VsCodeServer } from '../host/server.ts';
import { stageExtension } from '../host/stage.ts';
import { Workbench } from './workbench.ts';

/** The one file that registers routes, and the one, three calls away, that blocks. */
const ROUTES = 'routes.js';
const REGISTRATION = '13:1';
const STORE = 'store.js';

/** A server that runs without packages; its handler has no name. */
const INLINE = 'inline.js';
const INLINE_TEXT = `'use strict';
const { readFileSync } = require('node:fs');
const { createServer } = require('node:http');
createServer((req, res) => {
  res.end(readFileSync(__filename, 'utf8'));
}).listen(0);
`;
/** A profile takes seconds; on a slow machine many times as long. */
const PROFILE_MS = 240_000;

describe('the lens above a route, and the view of routes', () => {
  const work = realpathSync(mkdtempSync(join(tmpdir(), 'nodometer-routes-')));
  const library = join(work, 'express-library');
  let server: VsCodeServer;
  let browser: Browser;
  let workbench: Workbench;

  before(async () => {
    cpSync(join(ROOT, 'samples', 'express-library'), library, { recursive: true });
    writeFileSync(join(library, INLINE), INLINE_TEXT);
    const { folder } = await stageExtension(join(work, 'extension'));
    const installation = await installHost();
    server = await startServer(installation, { installed: [folder], settings: { 'workbench.colorTheme': 'Light 2026' } });
    browser = await startBrowser(installation);
    workbench = new Workbench(await openPage(browser), server);
    await workbench.open(library);
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
    rmSync(work, { recursive: true, force: true });
  });
  beforeEach(() => workbench.closeEditors());
  afterEach(async (t) => {
    if ('error' in t && t.error) await workbench.screenshot(`failed-${t.name.replaceAll(/\W+/g, '-')}`);
    await workbench.page.keyboard.press('Escape');
  });

  const lens = (): Locator => workbench.page.locator('.codelens-decoration a:visible', { hasText: '1 blocking call' });
  const peek = (): Locator => workbench.page.locator('.reference-zone-widget:visible');

  it('counts, and lists the places when it is clicked', async () => {
    await workbench.openFile(ROUTES);
    await lens().first().waitFor();
    // VS Code takes lenses away and shows them again when the server asks for it.
    await workbench.waitFor('one lens', async () => (await lens().count()) === 1);
    await lens().first().click();
    await peek().locator('.view-line', { hasText: 'readFileSync' }).first().waitFor();
    await workbench.screenshot('routes-1-lens-light');
    assert.ok((await peek().first().innerText()).includes(STORE));
    await workbench.page.keyboard.press('Escape');
    await peek().waitFor({ state: 'hidden' });
  });

  it('is reached from the palette, at the cursor', async () => {
    await workbench.openFile(ROUTES);
    await lens().first().waitFor();
    await workbench.goTo(REGISTRATION);
    await workbench.command('Nodometer: Show Blocking Calls of the Route at the Cursor');
    await peek().locator('.view-line', { hasText: 'readFileSync' }).first().waitFor();
    await workbench.page.keyboard.press('Escape');
    await peek().waitFor({ state: 'hidden' });
    await workbench.goTo('2:1');
    await workbench.command('Nodometer: Show Blocking Calls of the Route at the Cursor');
    await workbench.page
      .locator('.notification-toast', { hasText: 'No route with blocking calls is registered at or above the cursor.' })
      .first()
      .waitFor();
  });

  const pane = (): Locator =>
    workbench.page
      .locator('.pane')
      .filter({ has: workbench.page.locator('.pane-header', { hasText: 'Routes' }) })
      .first();
  const row = (text: string | RegExp): Locator => pane().locator('.monaco-list-row', { hasText: text }).first();

  it('opens all routes, with what they block on, and goes to the places', async () => {
    await workbench.command('Nodometer: Show Routes');
    const blocked = row(/1 blocking call/);
    await blocked.waitFor();
    assert.ok(await row(/no findings/).isVisible());
    await workbench.screenshot('routes-2-view-light');
    await blocked.click();
    await workbench.page.locator('.tabs-container .tab.active', { hasText: ROUTES }).first().waitFor();
    await blocked.locator('.monaco-tl-twistie').click();
    const place = row(new RegExp(STORE));
    await place.waitFor();
    await place.click();
    await workbench.page.locator('.tabs-container .tab.active', { hasText: STORE }).first().waitFor();
  });

  it('sorts them as the user wants', async () => {
    await workbench.command('Nodometer: Show Routes');
    await row(/1 blocking call/).waitFor();
    const first = async (): Promise<string> => (await pane().locator('.monaco-list-row').first().innerText()).replaceAll(/\s+/g, ' ');
    await workbench.waitFor('what blocks most first', async () => /blocking call/.test(await first()));
    await workbench.command('Nodometer: Sort Routes');
    await workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: 'By path' }).first().click();
    await workbench.waitFor('another order', async () => /no findings/.test(await first()));
    await workbench.command('Nodometer: Sort Routes');
    await workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: 'By number of blocking calls' }).first().click();
    await workbench.waitFor('the order as before', async () => /blocking call/.test(await first()));
  });

  it('profiles a handler without a name from the view; the lens above it and the view then say what came out', async () => {
    await workbench.openFile(INLINE);
    const lens = workbench.page.locator('.codelens-decoration a:visible', { hasText: 'Profile this route' });
    await lens.first().waitFor();
    await workbench.screenshot('routes-3-inline-light');
    await workbench.command('Nodometer: Show Routes');
    const handler = row(/Handler in inline\.js/);
    await handler.waitFor();
    await handler.hover();
    await handler.locator('.action-label[aria-label*="Profile This Route"]').first().click();
    await workbench.page.locator('.monaco-dialog-box .monaco-button', { hasText: /^Run$/ }).first().click();
    await workbench.page.locator('.codelens-decoration a:visible', { hasText: 'Profile again' }).first().waitFor({ timeout: PROFILE_MS });
    await workbench.waitFor('a time in the view', async () => /p99 |\/call/.test(await handler.innerText()));
    await workbench.screenshot('routes-4-profiled-light');
  });
});
