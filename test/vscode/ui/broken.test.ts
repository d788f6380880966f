// The server broken on purpose: what the user is told, and that the suites notice. ../broken.test.ts is about the extension itself.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { build as bundle } from 'esbuild';
import { ROOT } from '../../../scripts/generate.ts';
import { openPage, startBrowser } from '../host/browser.ts';
import { installHost } from '../host/install.ts';
import type { Browser } from '../host/playwright.ts';
import { startServer, type VsCodeServer } from '../host/server.ts';
import { stageExtension } from '../host/stage.ts';
import { askTerminal, type Expected } from '../suite/expected.ts';
import { EXPECTED_FILE, RESULTS_FILE, WAIT_LIMIT, type TestResult } from '../suite/runner.ts';
import type { TrustExpected } from '../suite/trust.ts';
import { Workbench } from './workbench.ts';

/** How long the list of messages is looked at before it is opened once more. */
const LOOKED_AT_MS = 5000;
const INVOICES = 'express-shop/lib/invoices.js';
/** Has findings of three rules. */
const ROWS = 'batch-report/rows.js';
const BROKEN = 'broken on purpose';

describe('a broken server', () => {
  const work = realpathSync(mkdtempSync(join(tmpdir(), 'nodometer-broken-')));
  const samples = join(work, 'samples');
  const sound = join(work, 'sound');
  let expected: Expected;
  let server: VsCodeServer;
  let browser: Browser;

  before(async () => {
    cpSync(join(ROOT, 'samples'), samples, { recursive: true });
    const { command } = await stageExtension(sound);
    expected = askTerminal(command, samples);
    const installation = await installHost();
    server = await startServer(installation, { settings: { 'workbench.colorTheme': 'Light 2026' } });
    browser = await startBrowser(installation);
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
    rmSync(work, { recursive: true, force: true });
  });

  /** A copy of the extension with something broken. */
  function broken(name: string, damage: (dist: string) => void): string {
    const folder = join(work, name);
    cpSync(sound, folder, { recursive: true });
    damage(join(folder, 'dist'));
    return folder;
  }

  async function see(t: TestContext, extension: string, look: (workbench: Workbench) => Promise<void>): Promise<void> {
    const page = await openPage(browser);
    const workbench = new Workbench(page, server);
    try {
      await workbench.open(samples, extension);
      await look(workbench);
    } catch (error) {
      await workbench.screenshot(`failed-${t.name.replaceAll(/\W+/g, '-')}`);
      throw error;
    } finally {
      await page.close();
    }
  }

  async function notification(workbench: Workbench, text: RegExp, buttons: readonly string[]): Promise<void> {
    // Windows that are driven by a program show no toasts; the messages are in the list behind the bell, which closes again when anything
    // else takes the focus.
    const toast = workbench.page.locator('.notification-list-item', { hasText: text });
    await workbench.waitFor('the message', async () => {
      await workbench.command('Notifications: Show Notifications');
      return toast
        .first()
        .waitFor({ timeout: LOOKED_AT_MS })
        .then(
          () => true,
          () => false,
        );
    });
    for (const button of buttons) await toast.locator('.monaco-button', { hasText: button }).first().waitFor();
  }

  async function statusSays(workbench: Workbench, text: RegExp): Promise<void> {
    await workbench.page.locator('#status\\.languageStatus').first().hover();
    await workbench.page.locator('.hover-language-status', { hasText: text }).first().waitFor();
  }

  it('whose server crashes is started again, and says so after the fifth time', (t) => {
    const extension = broken('crashing-server', (dist) => writeFileSync(join(dist, 'server.js'), `throw new Error('${BROKEN}');\n`));
    return see(t, extension, async (workbench) => {
      await workbench.openFile(INVOICES);
      await notification(workbench, /crashed five times .* will not be restarted/, ['Restart', 'Show Output']);
      await statusSays(workbench, /Nodometer.*Stopped/);
      await workbench.screenshot('broken-1-crashing-server');
    });
  });

  it('of which one rule throws keeps the findings of the others', (t) => {
    const extension = broken('throwing-rule', (dist) => {
      const rule = /id:"no-throw-in-hot-path"[^]*?\bcreate\([^)]*\) ?\{/;
      const chunks = readdirSync(dist)
        .map((name) => join(dist, name))
        .filter((file) => file.endsWith('.js') && rule.test(readFileSync(file, 'utf8')));
      assert.ok(chunks.length > 0, 'the rule was found');
      for (const chunk of chunks) insert(chunk, rule, `throw new Error("${BROKEN}");`);
    });
    return see(t, extension, async (workbench) => {
      const others = expected.findings.filter((finding) => finding.file === ROWS && finding.ruleId !== 'no-throw-in-hot-path');
      const [warnings, hints] = ['warning', 'hint'].map((severity) => others.filter((finding) => finding.severity === severity).length) as [
        number,
        number,
      ];
      assert.ok(hints > 0);
      // Between those that are kept, so that both can be seen.
      const lost = expected.findings.find((finding) => finding.file === ROWS && finding.ruleId === 'no-throw-in-hot-path');
      assert.ok(lost);
      await workbench.openFile(ROWS, `${lost.line}:1`);
      await workbench.waitForSquiggles(warnings);
      await workbench.waitForSquiggles(hints, 'info');
      await statusSays(workbench, /Nodometer.*Incomplete.*no-throw-in-hot-path/s);
      await workbench.screenshot('broken-2-throwing-rule');
    });
  });

  it('fails the suite in the extension host', async () => {
    const shop = join(samples, 'express-shop');
    const suite = join(work, 'trust.cjs');
    await bundle({
      entryPoints: [join(ROOT, 'test', 'vscode', 'suite', 'trust.ts')],
      outfile: suite,
      bundle: true,
      platform: 'node',
      format: 'cjs',
      external: ['vscode'],
    });
    const results = join(work, 'results.json');
    const facts: TrustExpected = {
      ...expected,
      findings: expected.findings.map((finding) => ({ ...finding, file: finding.file.replace('express-shop/', '') })),
      trusted: true,
      nodePath: '',
      mark: shop,
      file: 'lib/invoices.js',
    };
    writeFileSync(join(work, 'expected.json'), JSON.stringify(facts));
    const extension = broken('without-server', (dist) => rmSync(join(dist, 'server.js')));
    const { status, stdout } = spawnSync(
      process.execPath,
      [
        join(ROOT, 'test', 'vscode', 'host', 'launcher.mjs'),
        shop,
        `--extensionTestsPath=${suite}`,
        `--extensionDevelopmentPath=${extension}`,
      ],
      {
        cwd: ROOT,
        encoding: 'utf8',
        env: { ...process.env, [RESULTS_FILE]: results, [EXPECTED_FILE]: join(work, 'expected.json'), [WAIT_LIMIT]: '2000' },
      },
    );
    assert.equal(status, 1, stdout);
    const [first, second] = JSON.parse(readFileSync(results, 'utf8')) as TestResult[];
    assert.match(first?.error ?? '', /no-sync-in-handler/, 'the findings that are missing');
    assert.equal(second?.error, undefined, 'what does not need the server passes');
    assert.match(stdout, /✖ is trusted/);
  });
});

function insert(file: string, place: RegExp, code: string): void {
  const text = readFileSync(file, 'utf8');
  const match = place.exec(text);
  assert.ok(match, `${file} has no place to break`);
  const end = match.index + match[0].length;
  writeFileSync(file, `${text.slice(0, end)}${code}${text.slice(end)}`);
}
