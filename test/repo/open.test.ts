// `npm run open`: the samples that it shows can run, and it leaves nothing when it is stopped before VS Code is there.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, it } from 'node:test';
import { readExpectations } from '../../analysis/testing/annotated.ts';
import { rules } from '../../rules/index.ts';
import { run } from '../cli/support.ts';
import { copySamples } from '../../scripts/copy-samples.ts';
import { ROOT } from '../../scripts/generate.ts';
import { TYPESCRIPT_FLAGS } from '../../scripts/typescript/flags.ts';

/** It takes a second on a machine of one's own. */
const LIMIT_MS = 120_000;

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

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

  it('shows samples whose comments do not say what is found, and the same is found', async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'nodometer-open-test-')));
    try {
      const path = copySamples(folder);
      const marked = filesBelow(path).filter((file) => readExpectations(readFileSync(file, 'utf8')).length > 0);
      assert.deepEqual(marked, []);
      const shop = join(path, 'express-shop');
      const { out } = await run(['lint', '--format', 'json', shop], { cwd: shop, rules });
      const found = (JSON.parse(out) as { ruleId: string; messageId: string }[]).map(({ ruleId, messageId }) => `${ruleId}: ${messageId}`);
      const expected = filesBelow(join(ROOT, 'samples', 'express-shop')).flatMap((file) => readExpectations(readFileSync(file, 'utf8')));
      assert.deepEqual(found.sort(), expected.map(({ ruleId, messageId }) => `${ruleId}: ${messageId}`).sort());
      assert.ok(found.length > 0);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
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
