// The suites inside VS Code, started by @vscode/test-electron: on the server and browser from npm, and, where NODOMETER_VSCODE_DESKTOP is set, on the desktop program.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { runTests } from '@vscode/test-electron';
import { build as bundle } from 'esbuild';
import { ROOT } from '../../scripts/generate.ts';
import { stageExtension, type Staged } from './host/stage.ts';
import { askTerminal } from './suite/expected.ts';
import { EXPECTED_FILE, RESULTS_FILE, type TestResult } from './suite/runner.ts';

const SUITES = ['samples'] as const;
type Suite = (typeof SUITES)[number];

const LAUNCHER = join(ROOT, 'test', 'vscode', 'host', process.platform === 'win32' ? 'launcher.cmd' : 'launcher.mjs');
const LINKS = 'links/links.js';
const LINKS_TEXT = `'use strict';
exports.valid = (links) => links.filter((link) => {
  try {
    new URL(link);
    return true;
  } catch {
    return false;
  }
});
exports.broken = (links) => links.filter((link) => { try { new URL(link); return false; } catch { return true; } });
`;

const work = realpathSync(mkdtempSync(join(tmpdir(), 'nodometer-in-host-')));
let staged: Staged = { folder: '', command: '' };

interface Opened {
  path: string;
  expected: unknown;
  settings?: Readonly<Record<string, unknown>>;
  trust?: 'restricted';
}

before(async () => {
  staged = await stageExtension(join(work, 'extension'));
  await bundle({
    entryPoints: SUITES.map((name) => join(ROOT, 'test', 'vscode', 'suite', `${name}.ts`)),
    outdir: join(work, 'suite'), outExtension: { '.js': '.cjs' },
    bundle: true, platform: 'node', target: 'node20', format: 'cjs', external: ['vscode'], sourcemap: 'inline',
  });
});
after(() => rmSync(work, { recursive: true, force: true }));

/** Each host runs the suite in a fresh copy of what it opens; each of the suite's tests is a test here. */
async function runSuite(t: TestContext, suite: Suite, open: (folder: string) => Opened): Promise<void> {
  const hosts: [name: string, executable: string | undefined][] = [['VS Code from npm', LAUNCHER]];
  if (process.env['NODOMETER_VSCODE_DESKTOP']) hosts.push(['desktop VS Code', undefined]);
  for (const [index, [name, executable]] of hosts.entries()) {
    const folder = join(work, `${suite}-${index}`);
    mkdirSync(folder);
    const { path, expected, settings = {}, trust } = open(folder);
    const results = join(folder, 'results.json');
    writeFileSync(join(folder, 'expected.json'), JSON.stringify(expected));
    mkdirSync(join(folder, 'profile', 'User'), { recursive: true });
    writeFileSync(join(folder, 'profile', 'User', 'settings.json'), JSON.stringify(settings));
    let failure: unknown;
    try {
      await runTests({
        ...(executable ? { vscodeExecutablePath: executable } : {}),
        extensionDevelopmentPath: staged.folder,
        extensionTestsPath: join(work, 'suite', `${suite}.cjs`),
        launchArgs: [path, `--user-data-dir=${join(folder, 'profile')}`, ...(trust ? [`--nodometer-trust=${trust}`] : [])],
        extensionTestsEnv: { [RESULTS_FILE]: results, [EXPECTED_FILE]: join(folder, 'expected.json') },
      });
    } catch (error) {
      failure = error;
    }
    const tests = existsSync(results) ? (JSON.parse(readFileSync(results, 'utf8')) as TestResult[]) : [];
    for (const test of tests) await t.test(`${name}: ${test.name}`, () => assert.ok(test.error === undefined, test.error));
    if (failure) throw new Error(`The suite "${suite}" failed on ${name}; what it printed stands above.`, { cause: failure });
    assert.ok(tests.length > 0, `the suite "${suite}" ran no test on ${name}`);
  }
}

describe('in the extension host', () => {
  it('samples', (t) => runSuite(t, 'samples', (folder) => {
    const path = join(folder, 'samples');
    cpSync(join(ROOT, 'samples'), path, { recursive: true });
    const expected = askTerminal(staged.command, path);
    mkdirSync(join(path, 'links'));
    writeFileSync(join(path, LINKS), LINKS_TEXT);
    return { path, expected: { ...expected, fixAll: { file: LINKS, text: fixedByTerminal() } } };
  }));
});

function fixedByTerminal(): string {
  const folder = mkdtempSync(join(work, 'fixed-'));
  const file = join(folder, 'links.js');
  writeFileSync(file, LINKS_TEXT);
  const { status, stderr } = spawnSync(process.execPath, [staged.command, 'lint', file, '--fix', '--no-progress'], { cwd: folder, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  const text = readFileSync(file, 'utf8');
  assert.notEqual(text, LINKS_TEXT, 'the terminal fixed something');
  return text;
}
