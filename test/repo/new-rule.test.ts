// A new rule's folder must pass the same tests as the rules that ship, in a copy of the project.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createRule } from '../../scripts/new-rule.ts';
import { ROOT } from '../../scripts/generate.ts';

describe('new-rule', () => {
  it('makes a folder that passes the rules test', async () => {
    const copy = mkdtempSync(join(tmpdir(), 'nodometer-new-rule-'));
    try {
      for (const name of [
        'analysis',
        'cli',
        'client',
        'knowledge',
        'l10n',
        'protocol',
        'rules',
        'scripts',
        'README.md',
        'package.json',
        'package.nls.json',
        'tsconfig.json',
      ])
        cpSync(join(ROOT, name), join(copy, name), { recursive: true });
      mkdirSync(join(copy, 'test'));
      cpSync(join(ROOT, 'test', 'rules'), join(copy, 'test', 'rules'), { recursive: true });
      symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'), 'junction');
      assert.equal(await createRule('no-new-thing', copy), undefined);
      const { NODE_TEST_CONTEXT: _, ...env } = process.env;
      const run = spawnSync(
        process.execPath,
        ['--import', 'tsx', '--test', '--test-name-pattern', 'no-new-thing', 'test/rules/rules.test.ts'],
        { cwd: copy, env, encoding: 'utf8', timeout: 120_000 },
      );
      assert.equal(run.status, 0, run.stdout);
      assert.match(run.stdout, /# pass [1-9]/);
      assert.match(run.stdout, /no-new-thing/);
    } finally {
      rmSync(copy, { recursive: true, force: true });
    }
  });

  it('refuses bad names and names that are taken', async () => {
    assert.match((await createRule('Something')) ?? '', /not a rule id/);
    assert.match((await createRule('no-sync-in-handler')) ?? '', /there already/);
  });
});
