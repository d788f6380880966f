// With one thread in the pool and that one busy, whatever needs the pool cannot finish and everything else does. No clocks.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { satisfies, validRange } from 'semver';
import { CORE_PLACES, findCallPlace, promiseFormOf, type CallPlace } from '../../knowledge/core-call-places.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

const VERSION = process.versions.node;
const PROBE = fileURLToPath(new URL('busy-pool.cjs', import.meta.url));

// Long enough for a crowded machine; the probe itself waits for events and takes well under a second.
const LIMIT_MS = 30_000;

function placeOf(name: string): CallPlace | undefined {
  const [module = '', ...path] = name.split('.');
  return findCallPlace(module, path)?.place;
}

test('every name in the table is a function of this Node, unless its row says otherwise', () => {
  const require = createRequire(import.meta.url);
  for (const row of CORE_PLACES) {
    if (row.nodeRange) assert.ok(validRange(row.nodeRange));
    if (!satisfies(VERSION, row.nodeRange ?? '*')) continue;
    const exports = require(`node:${row.module}`) as unknown;
    for (const name of row.names) {
      const value = name.split('.').reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], exports);
      assert.equal(typeof value, 'function', `${row.module}.${name} on ${VERSION}`);
    }
  }
});

test('the promise forms run where the callback forms do', () => {
  assert.equal(findCallPlace('fs', ['promises', 'readFile'])?.place, 'pool');
  assert.equal(findCallPlace('fs', ['readFileSync']), undefined);
});

test('the promise forms that are named are there on this Node', () => {
  const require = createRequire(import.meta.url);
  const named = new Set<string>();
  for (const { module, names, nodeRange } of CORE_PLACES) {
    if (!satisfies(VERSION, nodeRange ?? '*')) continue;
    for (const name of names) {
      const form = promiseFormOf(module, name.split('.'));
      if (form === undefined) continue;
      named.add(form);
      const [, base, path] =
        /^require\('node:(timers\/promises)'\)\.(\w+)$/.exec(form) ??
        /^util\.promisify\((\w+)\.(\w+)\)$/.exec(form) ??
        /^(\w+)\.([\w.]+)$/.exec(form) ??
        [];
      const value = (path ?? '')
        .split('.')
        .reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], require(`node:${base}`));
      assert.equal(typeof value, 'function', form);
    }
  }
  for (const form of [
    'fs.promises.readFile',
    'dns.promises.lookup',
    'util.promisify(crypto.pbkdf2)',
    "require('node:timers/promises').setTimeout",
  ])
    assert.ok(named.has(form), form);
  assert.equal(promiseFormOf('fs', ['promises', 'readFile']), undefined);
  assert.equal(promiseFormOf('fs', ['watchFile']), undefined);
});

test('what needs the pool waits while it is busy, and nothing else does', {
  skip: process.platform === 'win32' && 'named pipes of this kind are a POSIX thing',
}, () => {
  const folder = mkdtempSync(join(tmpdir(), 'busy-pool-'));
  try {
    const fifo = join(folder, 'fifo');
    execFileSync('mkfifo', [fifo]);
    const names = CORE_PLACES.flatMap((row) => row.names.map((name) => `${row.module}.${name}`));
    const free = names.filter((name) => placeOf(name) !== 'pool');
    const run = spawnSync(process.execPath, ['--no-warnings', PROBE, fifo, JSON.stringify(free)], {
      env: { ...process.env, UV_THREADPOOL_SIZE: '1', NODE_OPTIONS: '' },
      encoding: 'utf8',
      timeout: LIMIT_MS,
    });
    assert.equal(
      run.status,
      0,
      dedent`
      the probe did not finish: some call that should not need the pool waits for it
      ${run.stderr}
    `,
    );
    const { before, after } = JSON.parse(run.stdout) as { before: string[]; after: string[] };
    assert.deepEqual(
      before.filter((name) => placeOf(name) === 'pool' || placeOf(name) === undefined),
      [],
      'finished although the pool was busy',
    );
    assert.deepEqual(
      after.filter((name) => placeOf(name) !== 'pool'),
      [],
      'waited for the pool',
    );
    assert.ok(before.length >= 10 && after.length >= 25, `${before.length} and ${after.length} probes`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
