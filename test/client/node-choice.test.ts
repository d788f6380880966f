// Which Node runs the server: the setting where it can be followed, with a word where it cannot. One case asks a real Node.
import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { chooseNode, type ChoiceDeps } from '../../client/session/node-choice.ts';
import { canRunServer, NodeVersions, thisMachine, versionIn } from '../../node-versions/versions.ts';
import { english } from './english.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

const NODES: Readonly<Record<string, string>> = {
  '/usr/bin/node': '18.20.4',
  '/opt/node22/node': '22.11.0',
  '/opt/old/node': '20.18.3',
  '/home/ann/node': '24.0.0',
};

/** A machine with the Nodes above, one of them on PATH, and the programs that were started on it. */
function here(mayRun = true): ChoiceDeps & { asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    mayRun,
    t: english,
    machine: {
      platform: 'linux',
      arch: 'x64',
      env: { PATH: '/usr/bin' },
      home: '/home/ann',
      namesIn: () => [],
      isFile: (path) => path in NODES || path === '/bin/cat',
      realPath: (path) => path,
    },
    versions: new NodeVersions(async (path) => {
      asked.push(path);
      return NODES[path];
    }),
  };
}

describe('the Node that runs the server', () => {
  it('is the one inside VS Code without a setting; PATH says what the user runs', async () => {
    assert.deepEqual(await chooseNode('', here()), { version: '18.20.4', source: '`node` on PATH' });
  });

  it('is the one of the setting', async () => {
    assert.deepEqual(await chooseNode('/opt/node22/node', here()), {
      runtime: '/opt/node22/node',
      version: '22.11.0',
      source: '`nodometer.nodePath`',
    });
    assert.equal((await chooseNode('~/node', here())).runtime, '/home/ann/node');
  });

  it('is not the one of a setting that cannot be followed, and the reason is told', async () => {
    const wrong: [path: string, says: RegExp][] = [
      ['node', /must be an absolute path, not "node"/],
      ['./node', /must be an absolute path/],
      ['/no/such/node', /file not found: \/no\/such\/node/],
      ['/opt/old/node', /is Node 20\.18\.3, and Nodometer needs 20\.19\.0 or newer/],
      ['/bin/cat', /\/bin\/cat did not report a Node version/],
    ];
    for (const [path, says] of wrong) {
      const { runtime, version, problem } = await chooseNode(path, here());
      assert.deepEqual({ runtime, version }, { runtime: undefined, version: '18.20.4' }, path);
      assert.match(problem ?? '', says);
      assert.match(problem ?? '', /VS Code's own Node is used instead\.$/);
    }
  });

  it('is the one inside VS Code where nothing may be started, and nothing is', async () => {
    const deps = here(false);
    assert.deepEqual(await chooseNode('/opt/node22/node', deps), {});
    assert.deepEqual(deps.asked, []);
  });

  it('is asked for its version once', async () => {
    const deps = here();
    await Promise.all([chooseNode('', deps), chooseNode('', deps)]);
    assert.deepEqual(deps.asked, ['/usr/bin/node']);
    deps.versions.forget();
    await chooseNode('', deps);
    assert.equal(deps.asked.length, 2);
    assert.deepEqual(await deps.versions.ofAll(['/opt/old/node', '/nothing', ...Object.keys(NODES)]), [
      '20.18.3',
      undefined,
      ...Object.values(NODES),
    ]);
  });
});

describe('versions', () => {
  it('are read from what Node prints', () => {
    assert.equal(versionIn('v22.11.0\n'), '22.11.0');
    assert.equal(versionIn('v24.0.0-nightly20250101\r\n'), '24.0.0');
    for (const other of [
      '',
      '22.11.0',
      'git version 2.1.0',
      'v22',
      dedent`
      v22.1.0
      v22.1.0

    `,
    ])
      assert.equal(versionIn(other), undefined, other);
  });

  it('are new enough from 20.19.0 on', () => {
    for (const version of ['20.19.0', '20.19.1', '20.20.0', '21.0.0', '22.1.0', '100.0.0']) assert.ok(canRunServer(version), version);
    for (const version of ['20.18.9', '20.2.0', '19.99.0', '18.20.4', '0.12.18']) assert.ok(!canRunServer(version), version);
  });

  it('come from the program itself, without a shell and without NODE_OPTIONS', async () => {
    const folder = mkdtempSync(join(tmpdir(), "nodometer node's $(HOME) "));
    const before = process.env.NODE_OPTIONS;
    try {
      process.env.NODE_OPTIONS = '--no-such-option';
      assert.equal(await new NodeVersions().of(process.execPath), process.version.slice(1));
      const other = join(folder, 'other');
      writeFileSync(
        other,
        dedent`
        #!/bin/sh
        echo "I am not Node"

      `,
      );
      chmodSync(other, 0o755);
      assert.equal(await new NodeVersions().of(other), undefined);
      assert.equal(await new NodeVersions().of(join(folder, 'missing')), undefined);
    } finally {
      if (before === undefined) delete process.env.NODE_OPTIONS;
      else process.env.NODE_OPTIONS = before;
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('are looked for on the machine that this runs on', () => {
    const machine = thisMachine();
    assert.ok(machine.isFile(process.execPath));
    assert.ok(!machine.isFile(join(process.execPath, 'nothing')));
    assert.deepEqual(machine.namesIn(join(process.execPath, 'nothing')), []);
  });
});
