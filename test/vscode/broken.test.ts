// The extension broken on purpose: what the user reads when it cannot do its work, and that nothing else breaks with it.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { COMMANDS } from '../../protocol/editor.ts';
import { openPage, startBrowser } from './host/browser.ts';
import { installHost, type Installation } from './host/install.ts';
import type { Browser } from './host/playwright.ts';
import { startServer, type VsCodeServer } from './host/server.ts';
import { stageExtension } from './host/stage.ts';
import { Workbench } from './ui/workbench.ts';

const FILE = 'page.js';
const CODE = "require('http').createServer((req, res) => res.end(require('fs').readFileSync('page')));\n";

const work = realpathSync(mkdtempSync(join(tmpdir(), 'nodometer-broken-')));
let server: VsCodeServer;
let browser: Browser;
let extension = '';

before(async () => {
  const installation: Installation = await installHost();
  ({ folder: extension } = await stageExtension(join(work, 'extension')));
  server = await startServer(installation);
  browser = await startBrowser(installation);
});
after(async () => {
  await browser.close();
  await server.stop();
  rmSync(work, { recursive: true, force: true });
});

/** Opens a folder with one file in a folder of its own, so that nothing but the file wakes the extension. */
async function open(): Promise<Workbench> {
  const folder = mkdtempSync(join(work, 'folder-'));
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'src', FILE), CODE);
  const workbench = new Workbench(await openPage(browser), server);
  await workbench.page.goto(server.address({ path: folder, extensions: [extension] }));
  await workbench.page.locator('.explorer-viewlet .monaco-list-row').first().waitFor();
  await workbench.openFile(FILE);
  return workbench;
}

/** The text of a message that is there or comes up. */
async function message(workbench: Workbench, words: string): Promise<string> {
  await workbench.command('Notifications: Show Notifications');
  const row = workbench.page.locator('.notifications-center .notification-list-item', { hasText: words }).first();
  await row.waitFor();
  return row.innerText();
}

describe('the extension, broken on purpose', () => {
  it('works when it is not', async () => {
    const workbench = await open();
    await workbench.waitForSquiggles(1);
    await workbench.page.close();
  });

  it('says what to do when an exception ends its activation', async () => {
    // As if another extension had taken one of the commands before.
    const main = join(extension, 'dist', 'extension.cjs');
    const whole = readFileSync(main, 'utf8');
    writeFileSync(main, `require('vscode').commands.registerCommand('${COMMANDS.lintWorkspace}', () => {});${whole}`);
    const workbench = await open();
    const said = await message(workbench, 'Nodometer could not be activated');
    assert.match(said, /command 'nodometer\.lintWorkspace' already exists\. Reload the window\. If that does not help/);
    assert.match(said, /Show Output/);
    await workbench.page.close();
    writeFileSync(main, whole);
  });

  it('says what to do when the file of its server is missing', async () => {
    rmSync(join(extension, 'dist', 'server.js'));
    const workbench = await open();
    const said = await message(workbench, 'The language server file is missing');
    assert.match(said, /dist.server\.js\. Reinstall the extension; in a checkout, run `npm run build`\./);
    assert.match(said, /Restart[^]*Show Output/);
    await workbench.page.locator('#status\\.languageStatus').hover();
    await workbench.page.locator('.hover-language-status', { hasText: 'Nodometer: Cannot start' }).first().waitFor();
    await workbench.page.close();
  });
});
