// A stranger's folder in VS Code's own window, whose names and values try to be links, commands, pictures, or icons: every place that shows
// them is looked at, in Restricted Mode and then, where runs are possible, in a trusted window. Nobody outside of this machine is asked for
// anything. A link, a picture, and a request of the test's own show that each of them would be noticed.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { openPage, startBrowser } from '../host/browser.ts';
import { installHost } from '../host/install.ts';
import type { Browser, Locator } from '../host/playwright.ts';
import { recordRequests, type Requests } from '../host/requests.ts';
import { startServer, type VsCodeServer } from '../host/server.ts';
import { stageExtension } from '../host/stage.ts';
import { openAll, stays, Workbench } from './workbench.ts';

/** In every address, command, and name that must not act, and nowhere else. */
const MARK = 'evil';
const COMMAND = '[evil](command:evil.run)';
const PICTURE = '![evil](https://evil.invalid/picture.png)';
const HTML = '<img src=https://evil.invalid/html.png><a href="https://evil.invalid/a">evil</a>';
/** Nothing else in the window has this icon. */
const ICON = '$(squirrel)';
/** As a text in the source: the characters themselves are in the value. */
const CODES = '\\u202e\\u001b[31m';
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

/** Folders' names: the slash is that between two of them. */
const FOLDERS = '![evil](https:/evil.invalid/a.png)[';
const STORE = `${FOLDERS}/store.js`;
const ROUTE = `/${COMMAND}${PICTURE}${HTML}${ICON}`;
const FILES: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify({
    name: COMMAND,
    engines: { node: `>=20 || ${COMMAND}` },
    scripts: { [`${COMMAND} ${ICON}`]: `node app.js # ${PICTURE} ${HTML}` },
  }),
  'nodometer.config.json': JSON.stringify({ [`${COMMAND} ${ICON} \u202e`]: 1 }),
  'app.js': `const app = require('express')();
const { load } = require(${JSON.stringify(`./${STORE}`)});
app.get('${ROUTE}${CODES}', (req, res) => res.end(load(req.query.name)));
`,
  [STORE]: `const fs = require('node:fs');
exports.load = function load(name) { return fs.readFileSync(name, 'utf8'); };
`,
  'values.js': `'use strict';
/** @profile read({ '${COMMAND}': '${HTML}', '${PICTURE}': 1 }) */
function read(row) {
  let found = 0;
  for (const key in row) found += key.length;
  return found;
}
exports.read = read;
`,
  'plant.md': `[a](https://evil.invalid/planted)\n\n![a](https://planted-page.invalid/picture.png)\n`,
};
/** An extension of the test's own, beside ours: what it asks for is seen if what ours asks for would be. */
const PLANT: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify({
    name: 'plant',
    publisher: 'test',
    version: '1.0.0',
    engines: { vscode: '^1.90.0' },
    main: './main.js',
    activationEvents: ['onStartupFinished'],
    capabilities: { untrustedWorkspaces: { supported: true } },
  }),
  'main.js': `exports.activate = () => {
  fetch('https://planted-fetch.invalid/').catch(() => undefined);
  require('node:https').get('https://planted-https.invalid/').on('error', () => undefined);
};
`,
};
const PLANTED = ['planted-fetch.invalid', 'planted-https.invalid'];
/** Asked by VS Code itself, in any folder: its list of extensions. */
const OWN_HOSTS: readonly string[] = ['open-vsx.org'];

/** How long the list of messages is looked at before it is opened once more. */
const LOOKED_AT_MS = 5000;
/** A profile takes seconds; on a slow machine many times as long. */
const PROFILE_MS = 240_000;

/** Everything in a frame that acts, or shows a picture, because of the folder's text; a link of ours to one of its files is not. */
const SCAN = `(() => {
  const found = [];
  const look = (root) => {
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot) look(element.shadowRoot);
      if (element.classList.contains('codicon-squirrel')) found.push('icon');
      for (const { name, value } of element.attributes) {
        if (!/^(?:(?:data-)?href|src|srcset|xlink:href|action|formaction|data|poster|background|style|on\\w+)$/.test(name)) continue;
        if (!value.includes('${MARK}') || /^(?:file|vscode-remote):/.test(value) || (name === 'style' && !value.includes('url('))) continue;
        found.push(element.localName + ' ' + name + '=' + value);
      }
    }
  };
  look(document);
  return found;
})()`;

function write(folder: string, files: Readonly<Record<string, string>>): string {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

describe("a stranger's folder in the window", { skip: process.platform === 'win32' && 'Windows has no such names' }, () => {
  const work = realpathSync(mkdtempSync(join(tmpdir(), 'nodometer-hostile-ui-')));
  const folder = write(join(work, 'project'), FILES);
  let requests: Requests;
  let server: VsCodeServer;
  let browser: Browser;
  let workbench: Workbench;

  before(async () => {
    const installation = await installHost();
    const { folder: extension } = await stageExtension(join(work, 'extension'));
    requests = await recordRequests(work);
    server = await startServer(installation, {
      installed: [extension, write(join(work, 'plant'), PLANT)],
      trust: 'restricted',
      settings: { 'workbench.colorTheme': 'Light 2026' },
      env: requests.env,
    });
    browser = await startBrowser(installation, requests.proxy);
    workbench = new Workbench(await openPage(browser), server);
    await workbench.open(folder);
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
    await requests?.stop();
    rmSync(work, { recursive: true, force: true });
  });
  afterEach(async (t) => {
    if ('error' in t && t.error) await workbench.screenshot(`failed-${t.name.replaceAll(/\W+/g, '-')}`);
    await workbench.page.keyboard.press('Escape');
  });

  async function acting(): Promise<string[]> {
    const found: string[] = [];
    for (const frame of workbench.page.frames()) {
      try {
        found.push(...((await frame.evaluate(SCAN)) as string[]));
      } catch (error) {
        // A frame that goes while it is looked at shows nothing.
        if (!/detached|context was destroyed|closed/.test((error as Error).message)) throw error;
      }
    }
    return found;
  }

  /** What a place shows while it is there: the folder's words, and nothing of it acts. */
  async function isText(place: Locator, words: string | RegExp): Promise<string> {
    const seen = place.filter({ hasText: words }).first();
    await seen.waitFor();
    const text = await seen.innerText();
    assert.doesNotMatch(text, CONTROL);
    assert.deepEqual(await acting(), []);
    return text;
  }

  const locate = (selector: string): Locator => workbench.page.locator(selector);

  it('is text in the notification about its configuration', async () => {
    await workbench.openFile('app.js');
    const message = locate('.notification-list-item').filter({ hasText: 'command:evil.run' });
    // A message goes after some seconds; it is still in the list behind the bell, which closes when anything else takes the focus.
    await workbench.waitFor('the message', async () => {
      if (await message.first().isVisible()) return true;
      await workbench.command('Notifications: Show Notifications');
      return message
        .first()
        .waitFor({ timeout: LOOKED_AT_MS })
        .then(
          () => true,
          () => false,
        );
    });
    await isText(message, 'command:evil.run');
  });

  it('is text in hovers and diagnostics', async () => {
    await workbench.openFile('store.js');
    await workbench.waitForSquiggles(1);
    const hover = locate('.monaco-hover .hover-row').filter({ hasText: 'evil.invalid/picture.png' }).first();
    await workbench.waitFor('a hover that is there while it is looked at', async () => {
      const words = await workbench.hover(workbench.squiggles().first(), 'readFileSync');
      assert.match(words, /evil\.invalid\/picture\.png/);
      assert.doesNotMatch(words, CONTROL);
      assert.deepEqual(await acting(), []);
      return hover.isVisible();
    });
    await workbench.screenshot('hostile-hover');
    await workbench.command('View: Focus Problems');
    await isText(locate('.markers-panel .monaco-list'), 'evil.invalid/picture.png');
    await workbench.screenshot('hostile-problems');
  });

  it('is text in lenses, and in what they list', async () => {
    await workbench.openFile('app.js');
    const lens = locate('.codelens-decoration a:visible').filter({ hasText: '1 blocking call' });
    await lens.first().waitFor();
    assert.deepEqual(await acting(), []);
    await lens.first().click();
    await isText(locate('.reference-zone-widget:visible'), 'readFileSync');
    await workbench.screenshot('hostile-lens');
    await workbench.page.keyboard.press('Escape');
  });

  it('is text in the language status', async () => {
    await workbench.openFile('app.js');
    const status = locate('.statusbar-item[id="status.languageStatus"]').first();
    await status.click();
    // Of a folder's words, only a range of versions gets there.
    assert.doesNotMatch(await isText(locate('.hover-language-status'), 'the running Node'), new RegExp(MARK));
    await workbench.screenshot('hostile-status');
    await workbench.page.keyboard.press('Escape');
  });

  it('is text in the list of routes', async () => {
    await workbench.command('Nodometer: Show Routes');
    const row = locate('.pane .monaco-list-row').filter({ hasText: 'evil.invalid/picture.png' });
    await isText(row, 'evil.invalid/picture.png');
    await row.first().hover();
    await isText(locate('.monaco-hover:visible'), 'evil');
    await row.first().locator('.monaco-tl-twistie').click();
    await isText(locate('.pane .monaco-list-row'), 'readFileSync');
    await workbench.screenshot('hostile-routes');
  });

  it('would be noticed, and so would a request', async () => {
    assert.deepEqual(await acting(), []);
    await workbench.openFile('plant.md');
    await workbench.command('Markdown: Open Preview');
    await workbench.waitFor('the planted link', async () => (await acting()).some((one) => /^a .*evil\.invalid\/planted/.test(one)));
    await workbench.waitFor('the planted picture', () => requests.ofBrowser().includes('planted-page.invalid'));
    await workbench.waitFor('the planted requests', () => PLANTED.every((host) => requests.ofServer().some((one) => one.host === host)));
    await workbench.closeEditors();
  });

  it('is text in lists, questions, and reports of a trusted window', async () => {
    server.writeSettings({ 'security.workspace.trust.enabled': false, 'nodometer.profile.seconds': 1 });
    await workbench.open(folder);
    await workbench.openFile('values.js', '3:3');
    await locate('.codelens-decoration a:visible').filter({ hasText: 'Profile this function' }).first().waitFor();
    await workbench.command('Nodometer: Trace Optimizations of npm Script…');
    const script = locate('.quick-input-list .monaco-list-row').filter({ hasText: 'command:evil.run' });
    await isText(script, 'evil.invalid/html.png');
    await workbench.screenshot('hostile-scripts');
    await script.first().click();
    const question = locate('.monaco-dialog-box');
    await isText(question, 'command:evil.run');
    await workbench.screenshot('hostile-question');
    await question.locator('.monaco-button', { hasText: 'Cancel' }).click();
    await workbench.openFile('values.js', '3:3');
    await workbench.command('Nodometer: Profile This Function');
    await question.locator('.monaco-button', { hasText: /^Run$/ }).click();
    await locate('.tabs-container .tab').filter({ hasText: 'Profile: read' }).first().waitFor({ timeout: PROFILE_MS });
    let words = '';
    await workbench.waitFor('the report', async () => {
      for (const frame of workbench.page.frames()) {
        const main = frame.locator('main');
        if (!(await stays(main.locator('#verdicts')))) continue;
        await openAll(main);
        words = await main.innerText();
        return true;
      }
      return false;
    });
    await workbench.screenshot('hostile-report');
    assert.match(words, /evil\.invalid\/html\.png/);
    assert.deepEqual(await acting(), []);
  });

  it('has nobody outside of this machine asked for anything', () => {
    assert.ok(
      requests.processes().some((line) => /nodometer[^ ]*server\.js/.test(line)),
      'the language server is recorded',
    );
    const ofPage = new Set(requests.ofBrowser().filter((host) => !OWN_HOSTS.includes(host)));
    assert.deepEqual([...ofPage], ['planted-page.invalid']);
    // VS Code's own process has none of our code.
    const ours = requests.ofServer().filter(({ process }) => !/server-main\.js/.test(process));
    assert.deepEqual([...new Set(ours.map(({ host }) => host))].sort(), PLANTED);
    for (const { process } of ours) assert.match(process, /--type=extensionHost/);
  });
});
