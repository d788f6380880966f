// What brings VS Code up and down again, tried without VS Code: shared folders, the guard, arguments, and the message where npm cannot be
// reached.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../../scripts/generate.ts';
import { desktopArguments, parseArguments } from './host/launch.ts';
import { makeOnce } from './host/once.ts';
import { TYPESCRIPT_FLAGS } from '../../scripts/typescript/flags.ts';

const HOST = join(ROOT, 'test', 'vscode', 'host');

describe('the host of the editor tests', () => {
  let folder = '';
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'nodometer-host-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('makes a shared folder once, whoever asks', async () => {
    const target = join(folder, 'shared');
    let made = 0;
    const said: string[] = [];
    const make = async (partial: string): Promise<void> => {
      made++;
      await sleep(50);
      writeFileSync(join(partial, 'whole'), 'yes');
    };
    await Promise.all([1, 2, 3].map(() => makeOnce(target, make, (line) => said.push(line))));
    assert.equal(made, 1);
    assert.equal(readFileSync(join(target, 'whole'), 'utf8'), 'yes');
    assert.equal(said.length, 2, 'two of the three waited, and said so');
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.startsWith('shared')),
      ['shared'],
      'no lock is left',
    );
  });

  it('starts again where a run failed or was killed half-way', async () => {
    const target = join(folder, 'again');
    await assert.rejects(
      makeOnce(
        target,
        () => Promise.reject(new Error('no network')),
        () => {},
      ),
      /no network/,
    );
    assert.ok(!existsSync(target));
    mkdirSync(`${target}.partial`, { recursive: true });
    writeFileSync(join(`${target}.partial`, 'half'), '');
    // A process that has ended cannot own a lock.
    writeFileSync(`${target}.lock`, String(spawnSync(process.execPath, ['-e', '']).pid));
    await makeOnce(
      target,
      (partial) => Promise.resolve(writeFileSync(join(partial, 'whole'), 'yes')),
      () => {},
    );
    assert.deepEqual(readdirSync(target), ['whole']);
  });

  it('says what to do where npm cannot be reached', () => {
    const { status, stderr } = spawnSync(
      process.execPath,
      [...TYPESCRIPT_FLAGS, '-e', `import(${JSON.stringify(pathToFileURL(join(HOST, 'install.ts')).href)}).then((m) => m.installHost())`],
      {
        cwd: ROOT,
        encoding: 'utf8',
        env: {
          ...process.env,
          NODOMETER_VSCODE_CACHE: join(folder, 'cache'),
          npm_config_registry: 'http://127.0.0.1:9/',
          npm_config_cache: join(folder, 'npm'),
          npm_config_fetch_retries: '0',
        },
      },
    );
    assert.notEqual(status, 0);
    assert.match(stderr, /could not get it from npm[^]*ECONNREFUSED[^]*What to do: let this machine reach the npm registry/);
  });

  // Where it fails, the pipe stays open: the limit turns that into a failure.
  it('ends what it started when the process that asked for it is killed', { timeout: 180_000 }, async () => {
    const data = join(folder, 'data');
    mkdirSync(data);
    // A program that leaves a child behind, asked for by a process that is killed without a chance to tidy up. All of them hold our pipe.
    const program = `require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { stdio: 'inherit' }); setInterval(() => {}, 1e6); console.log('runs');`;
    const asker = `require('node:child_process').spawn(process.execPath, ${JSON.stringify([join(HOST, 'guard.mjs'), data, process.execPath, '-e', program])}, { stdio: ['pipe', 'inherit', 'inherit'] }); setInterval(() => {}, 1e6);`;
    const child = spawn(process.execPath, ['-e', asker], { stdio: ['ignore', 'pipe', 'inherit'] });
    assert.match(await new Promise<string>((resolve) => child.stdout.setEncoding('utf8').once('data', resolve)), /runs/);
    const allGone = new Promise((resolve) => child.stdout.on('close', resolve));
    child.kill('SIGKILL');
    await allGone;
    assert.ok(!existsSync(data), 'its folder is removed');
  });

  it('reads the arguments that `runTests` gives', () => {
    mkdirSync(join(folder, 'profile', 'User'), { recursive: true });
    writeFileSync(join(folder, 'profile', 'User', 'settings.json'), '{"editor.tabSize":3}');
    const args = [
      join(folder, 'shared'),
      `--user-data-dir=${join(folder, 'profile')}`,
      '--nodometer-trust=restricted',
      '--nodometer-limit=7',
      '--no-sandbox',
      '--disable-workspace-trust',
      `--extensionTestsPath=${join(folder, 'suite.cjs')}`,
      `--extensionDevelopmentPath=${folder}`,
      '--user-data-dir=elsewhere',
    ];
    assert.deepEqual(parseArguments(args), {
      path: join(folder, 'shared'),
      extensions: [folder],
      tests: join(folder, 'suite.cjs'),
      settings: { 'editor.tabSize': 3 },
      trust: 'restricted',
      limitMs: 7000,
    });
    const forDesktop = desktopArguments(args);
    assert.ok(
      !forDesktop.some((arg) => arg.includes('nodometer-') && arg.startsWith('--nodometer')),
      'VS Code does not know our arguments',
    );
    assert.ok(!forDesktop.includes('--disable-workspace-trust'), 'else nothing is restricted');
    assert.ok(desktopArguments(args.filter((arg) => !arg.startsWith('--nodometer-trust'))).includes('--disable-workspace-trust'));
  });
});
