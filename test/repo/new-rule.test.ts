// A new rule must pass the suite as it is: the command is run in a copy of the project, and then everything that looks at rules or samples.
import { dedent } from '../../analysis/testing/dedent.ts';
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ROOT } from '../../scripts/generate.ts';
import { createRule } from '../../scripts/new-rule.ts';

const ID = 'no-new-thing';
/** Runs the copy's TypeScript. */
const FROM_COPY = ['--import', './scripts/typescript/register.mjs'];
/** For what hangs: on a busy machine, the tests below take five minutes. */
const LIMIT_MS = 900_000;
/**
 * What takes a machine for itself, or starts VS Code; what only takes the samples or rules as input, a minute of processor time of them;
 * and this test.
 */
const ELSEWHERE =
  /^test\/(?:profiler|knowledge|robustness|vscode|windows)\/|^test\/cli\/(?:built|lag|profile|program)|^test\/lsp\/(?:runs|same-as-terminal)|^test\/eslint-plugin\/|^test\/repo\/(?:extension-page|oracles)|text-reader|new-rule/;
/** A test whose text names these sees the rules' folders, the samples, or what is generated from them. */
const LOOKS_AT_RULES = /\bSAMPLES\b|\bsamples'|ruleIds|generated\(|breaksOf\(|readFileSync\(join\(folderOf/;

function tracked(): string[] {
  return execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).split('\0').filter(Boolean);
}

describe('new-rule', () => {
  it('makes a rule with which the suite passes', () => {
    const copy = mkdtempSync(join(tmpdir(), 'nodometer-new-rule-'));
    try {
      const files = tracked();
      for (const file of files) cpSync(join(ROOT, file), join(copy, file), { recursive: true });
      symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'), 'junction');
      // What is compiled already is found by its content.
      const store = join('.cache', 'compiled');
      mkdirSync(join(ROOT, store), { recursive: true });
      mkdirSync(join(copy, '.cache'));
      symlinkSync(join(ROOT, store), join(copy, store), 'junction');
      const { NODE_TEST_CONTEXT: _, ...env } = process.env;
      const runs = (name: string, args: readonly string[]): void => {
        const run = spawnSync(process.execPath, args, { cwd: copy, env, encoding: 'utf8', timeout: LIMIT_MS });
        assert.equal(
          run.status,
          0,
          dedent`
          ${name}:
          ${run.stdout}
          ${run.stderr}
        `,
        );
      };
      runs('npm run new-rule', [...FROM_COPY, 'scripts/new-rule.ts', ID]);
      runs('biome', [
        join('node_modules', '@biomejs', 'biome', 'bin', 'biome'),
        'check',
        '--vcs-enabled=false',
        `rules/${ID}`,
        `samples/${ID}`,
      ]);
      const tests = files.filter(
        (file) => file.endsWith('.test.ts') && !ELSEWHERE.test(file) && LOOKS_AT_RULES.test(readFileSync(join(ROOT, file), 'utf8')),
      );
      const expected = ['test/samples.test.ts', 'test/rules/rules.test.ts', 'test/lsp/snapshots.test.ts', 'test/repo/generated.test.ts'];
      for (const file of expected) assert.ok(tests.includes(file), `${file} was not found among ${tests.join(', ')}`);
      // One process for all: each would spend three seconds of processor time on loading the rules.
      writeFileSync(join(copy, 'all.test.mjs'), tests.map((file) => `await import('./${file}');\n`).join(''));
      runs('the tests', [...FROM_COPY, '--test', 'all.test.mjs']);
    } finally {
      rmSync(copy, { recursive: true, force: true });
    }
  });

  it('refuses bad names and names that are taken', async () => {
    assert.match((await createRule('Something')) ?? '', /not a rule id/);
    assert.match((await createRule('no-sync-in-handler')) ?? '', /there already/);
  });
});
