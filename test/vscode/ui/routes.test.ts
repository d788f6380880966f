// The lens above a route, in VS Code's own window: what its requests come by in other files, listed by a click and by keyboard.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
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

describe('the lens above a route', () => {
  const work = realpathSync(mkdtempSync(join(tmpdir(), 'nodometer-routes-')));
  const library = join(work, 'express-library');
  let server: VsCodeServer;
  let browser: Browser;
  let workbench: Workbench;

  before(async () => {
    cpSync(join(ROOT, 'samples', 'express-library'), library, { recursive: true });
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
});
