// The suites inside VS Code, started by @vscode/test-electron: on the server and browser from npm, and, where NODOMETER_VSCODE_DESKTOP is
// set, on the desktop program.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { downloadAndUnzipVSCode, runTests } from '@vscode/test-electron';
import { build as bundle } from 'esbuild';
import { ROOT } from '../../scripts/generate.ts';
import { stageExtension, type Staged } from './host/stage.ts';
import { askTerminal } from './suite/expected.ts';
import { EXPECTED_FILE, RESULTS_FILE, type TestResult } from './suite/runner.ts';
import type { TrustExpected } from './suite/trust.ts';
import type { RootsExpected } from './suite/two-roots.ts';
import type { VirtualExpected } from './suite/virtual.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

const SUITES = ['samples', 'trust', 'two-roots', 'virtual'] as const;
type Suite = (typeof SUITES)[number];

const LAUNCHER = join(ROOT, 'test', 'vscode', 'host', process.platform === 'win32' ? 'launcher.cmd' : 'launcher.mjs');
/** Typed, so that its fixes change nothing and are applied in bulk. */
const LINKS = 'links/links.ts';
const LINKS_TEXT = `export const valid = (links: string[]) => links.filter((link: string) => {
  try {
    new URL(link);
    return true;
  } catch {
    return false;
  }
});
export const broken = (links: string[]) => links.filter((link: string) => { try { new URL(link); return false; } catch { return true; } });
`;

const work = realpathSync(mkdtempSync(join(tmpdir(), 'nodometer-in-host-')));
let staged: Staged = { folder: '', command: '' };

interface Host {
  name: string;
  /** For the launcher, which hands the desktop program what it understands. */
  env: Readonly<Record<string, string>>;
}
const hosts: Host[] = [{ name: 'VS Code from npm', env: {} }];

interface Opened {
  path: string;
  expected: unknown;
  settings?: Readonly<Record<string, unknown>>;
  trust?: 'restricted';
}

async function desktopHost(): Promise<Host> {
  try {
    const program = await downloadAndUnzipVSCode({ cachePath: join(ROOT, '.cache', 'vscode-desktop') });
    console.log(`desktop VS Code: ${program}`);
    return { name: 'desktop VS Code', env: { NODOMETER_DESKTOP: program } };
  } catch (error) {
    throw new Error(
      'NODOMETER_VSCODE_DESKTOP is set, but the desktop build could not be downloaded. Without it the suites run on VS Code from npm only.',
      { cause: error },
    );
  }
}

/** Each host runs the suite in a fresh copy of what it opens; each of the suite's tests is a test here. */
async function runSuite(t: TestContext, suite: Suite, open: (folder: string) => Opened): Promise<void> {
  for (const [index, { name, env }] of hosts.entries()) {
    const folder = mkdtempSync(join(work, `${suite}-${index}-`));
    const { path, expected, settings = {}, trust } = open(folder);
    const results = join(folder, 'results.json');
    writeFileSync(join(folder, 'expected.json'), JSON.stringify(expected));
    mkdirSync(join(folder, 'profile', 'User'), { recursive: true });
    writeFileSync(join(folder, 'profile', 'User', 'settings.json'), JSON.stringify(settings));
    let failure: unknown;
    try {
      await runTests({
        vscodeExecutablePath: LAUNCHER,
        extensionDevelopmentPath: staged.folder,
        extensionTestsPath: join(work, 'suite', `${suite}.cjs`),
        launchArgs: [path, `--user-data-dir=${join(folder, 'profile')}`, ...(trust ? [`--nodometer-trust=${trust}`] : [])],
        extensionTestsEnv: { ...env, [RESULTS_FILE]: results, [EXPECTED_FILE]: join(folder, 'expected.json') },
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
  before(async () => {
    if (process.env['NODOMETER_VSCODE_DESKTOP']) hosts.push(await desktopHost());
    else console.log('desktop VS Code: not tested. NODOMETER_VSCODE_DESKTOP=1 downloads it and runs the suites there, too.');
    staged = await stageExtension(join(work, 'extension'));
    await bundle({
      entryPoints: SUITES.map((name) => join(ROOT, 'test', 'vscode', 'suite', `${name}.ts`)),
      outdir: join(work, 'suite'),
      outExtension: { '.js': '.cjs' },
      bundle: true,
      platform: 'node',
      target: 'node20',
      format: 'cjs',
      external: ['vscode'],
      sourcemap: 'inline',
    });
  });
  after(() => rmSync(work, { recursive: true, force: true }));

  it('samples', (t) =>
    runSuite(t, 'samples', (folder) => {
      const path = join(folder, 'samples');
      cpSync(join(ROOT, 'samples'), path, { recursive: true });
      const expected = askTerminal(staged.command, path);
      mkdirSync(join(path, 'links'));
      writeFileSync(join(path, LINKS), LINKS_TEXT);
      return { path, expected: { ...expected, fixAll: { file: LINKS, text: fixedByTerminal() } } };
    }));

  for (const trusted of [true, false]) {
    it(trusted ? 'a trusted folder' : 'a folder that is not trusted', (t) =>
      runSuite(t, 'trust', (folder) => {
        const path = join(folder, 'shop');
        cpSync(join(ROOT, 'samples', 'express-shop'), path, { recursive: true });
        const expected = askTerminal(staged.command, path);
        const mark = join(folder, 'started');
        const nodePath = nodeThatLeavesMark(join(folder, 'node-of-the-folder'), mark);
        mkdirSync(join(path, '.vscode'));
        writeFileSync(join(path, '.vscode', 'settings.json'), JSON.stringify({ 'nodometer.nodePath': nodePath }));
        return {
          path,
          expected: { ...expected, trusted, nodePath, mark, file: 'lib/invoices.js' } satisfies TrustExpected,
          ...(trusted ? {} : { trust: 'restricted' as const }),
        };
      }),
    );
  }

  it('two roots', (t) =>
    runSuite(t, 'two-roots', (folder) => {
      const [shop, notes] = ['express-shop', 'koa-notes'].map((name) => {
        cpSync(join(ROOT, 'samples', name), join(folder, name), { recursive: true });
        return join(folder, name);
      }) as [string, string];
      const settings = { 'nodometer.rules': { 'no-sync-in-handler': 'error', 'no-unstable-shape': 'off' } };
      for (const root of [shop, notes]) {
        mkdirSync(join(root, '.vscode'));
        writeFileSync(join(root, '.vscode', 'settings.json'), JSON.stringify(settings));
      }
      // Where both speak, this wins over the settings.
      writeFileSync(join(notes, 'nodometer.config.json'), JSON.stringify({ rules: { 'no-sync-in-handler': 'hint' } }));
      const path = join(folder, 'two.code-workspace');
      writeFileSync(path, JSON.stringify({ folders: [{ path: 'express-shop' }, { path: 'koa-notes' }] }));
      const roots = [
        askTerminal(staged.command, shop, '--rule', 'no-sync-in-handler=error', '--rule', 'no-unstable-shape=off'),
        askTerminal(staged.command, notes, '--rule', 'no-unstable-shape=off'),
      ] as const;
      return { path, expected: { roots } satisfies RootsExpected };
    }));

  it('a folder that lies on no disk', (t) =>
    runSuite(t, 'virtual', (folder) => {
      const text = readFileSync(join(ROOT, 'samples', 'express-shop', 'lib', 'invoices.js'), 'utf8');
      const path = join(folder, 'virtual.code-workspace');
      writeFileSync(path, JSON.stringify({ folders: [{ uri: 'memfs:/shop' }] }));
      mkdirSync(join(folder, 'on-disk'));
      writeFileSync(join(folder, 'on-disk', 'invoices.js'), text);
      return {
        path,
        expected: { ...askTerminal(staged.command, join(folder, 'on-disk')), texts: { 'invoices.js': text } } satisfies VirtualExpected,
      };
    }));
});

function fixedByTerminal(): string {
  const folder = mkdtempSync(join(work, 'fixed-'));
  const file = join(folder, 'links.ts');
  writeFileSync(file, LINKS_TEXT);
  const { status, stderr } = spawnSync(process.execPath, [staged.command, 'lint', file, '--fix', '--no-progress'], {
    cwd: folder,
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  const text = readFileSync(file, 'utf8');
  assert.notEqual(text, LINKS_TEXT, 'the terminal fixed something');
  return text;
}

/**
 * A program that is our Node and leaves a mark when it is started. Windows starts no scripts as programs: there it is the Node itself, and
 * the mark is always there.
 */
function nodeThatLeavesMark(file: string, mark: string): string {
  if (process.platform === 'win32') {
    writeFileSync(mark, '');
    return process.execPath;
  }
  writeFileSync(
    file,
    dedent`
    #!/bin/sh
    : > '${mark}'
    exec '${process.execPath}' "$@"

  `,
  );
  chmodSync(file, 0o755);
  return file;
}
