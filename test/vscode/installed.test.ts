// The .vsix installed into VS Code by VS Code's own installer, and used there.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { build as bundle } from 'esbuild';
import { ROOT } from '../../scripts/generate.ts';
import { makePackage } from '../../scripts/package.ts';
import { openPage, startBrowser } from './host/browser.ts';
import { installHost } from './host/install.ts';
import { startServer } from './host/server.ts';
import { RESULTS_FILE, type TestResult } from './suite/runner.ts';

/** Only what hangs takes as long. */
const LIMIT_MS = 600_000;

const work = realpathSync(mkdtempSync(join(tmpdir(), 'nodometer-installed-')));
after(() => rmSync(work, { recursive: true, force: true }));

describe('the installed .vsix', () => {
  it('works', { timeout: LIMIT_MS + 60_000 }, async (t) => {
    const { file } = await makePackage(work);
    const suite = join(work, 'suite.cjs');
    await bundle({
      entryPoints: [join(ROOT, 'test', 'vscode', 'suite', 'installed.ts')],
      outfile: suite,
      bundle: true,
      platform: 'node',
      target: 'node20',
      format: 'cjs',
      external: ['vscode'],
      sourcemap: 'inline',
    });
    // VS Code runs tests only beside an extension under development; this one does nothing.
    const dummy = join(work, 'dummy');
    mkdirSync(dummy);
    writeFileSync(
      join(dummy, 'package.json'),
      JSON.stringify({ name: 'dummy', publisher: 'nobody', version: '1.0.0', engines: { vscode: '^1.100.0' } }),
    );
    const samples = join(work, 'samples');
    cpSync(join(ROOT, 'samples'), samples, { recursive: true });
    const results = join(work, 'results.json');

    const installation = await installHost();
    const server = await startServer(installation, { env: { [RESULTS_FILE]: results } });
    try {
      const { status, stdout, stderr } = spawnSync(
        installation.node,
        [installation.server, '--install-extension', file, '--server-data-dir', server.folder],
        { encoding: 'utf8' },
      );
      assert.equal(status, 0, stderr);
      assert.match(stdout, /nodometer-0.*\.vsix' was successfully installed/);
      const browser = await startBrowser(installation);
      try {
        const page = await openPage(browser);
        let settle: (code: number) => void = () => {};
        const ended = new Promise<number>((resolve) => (settle = resolve));
        await page.exposeFunction('codeAutomationExit', settle);
        await page.exposeFunction('codeAutomationLog', () => {});
        await page.goto(server.address({ path: samples, extensions: [dummy], tests: suite }));
        const late = setTimeout(() => settle(-1), LIMIT_MS);
        const code = await ended;
        clearTimeout(late);
        const tests = existsSync(results) ? (JSON.parse(readFileSync(results, 'utf8')) as TestResult[]) : [];
        for (const test of tests) await t.test(test.name, () => assert.ok(test.error === undefined, test.error));
        assert.ok(tests.length > 0, `no test ran (code ${code}); the server printed: ${server.log()}`);
        assert.equal(code, 0);
      } finally {
        await browser.close();
      }
    } finally {
      await server.stop();
    }
  });
});
