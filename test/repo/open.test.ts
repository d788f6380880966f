// `npm run open`: the samples that it shows can run, and it leaves nothing when it is stopped before VS Code is there.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, it } from 'node:test';
import { copySamples } from '../../scripts/copy-samples.ts';
import { ROOT } from '../../scripts/generate.ts';
import { TYPESCRIPT_FLAGS } from '../../scripts/typescript/flags.ts';

/** It takes a second on a machine of one's own. */
const LIMIT_MS = 120_000;

describe('npm run open', () => {
  it('shows samples that find their packages, and takes no package away with them', () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'nodometer-open-test-')));
    try {
      const shop = join(copySamples(folder), 'express-shop', 'lib', 'invoices.js');
      assert.ok(existsSync(shop), 'the file that it tells one to try');
      assert.ok(existsSync(createRequire(shop).resolve('express')));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    assert.ok(existsSync(join(ROOT, 'node_modules', 'express')));
  });

  it('leaves no folder when it is stopped while it builds', { skip: process.platform === 'win32' && 'no signals' }, async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'nodometer-open-test-')));
    try {
      const child = spawn(process.execPath, [...TYPESCRIPT_FLAGS, join(ROOT, 'scripts', 'open.ts')], {
        env: { ...process.env, TMPDIR: folder },
        stdio: 'ignore',
      });
      const ended = once(child, 'exit');
      const staged = () => readdirSync(folder).filter((name) => name.startsWith('nodometer-open-'));
      for (const end = Date.now() + LIMIT_MS; staged().length === 0 && Date.now() < end; ) await delay(10);
      assert.equal(staged().length, 1);
      child.kill('SIGINT');
      assert.deepEqual(await ended, [130, null]);
      assert.deepEqual(staged(), []);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
