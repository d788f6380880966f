// Runs every test, or those whose path contains one of the words given: `npm run test:only -- cli`.
// Node 20 expands no globs after `--test`, and shells disagree on `**`, so the files are listed here.
import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { ROOT } from './generate.ts';

const words = process.argv.slice(2);
const files = readdirSync(join(ROOT, 'test'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.test.ts'))
  .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
  .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
  .sort();

/** What runs VS Code comes last and one file at a time: it takes all processors, and nobody's test should wait for them. */
const IN_EDITOR = join('test', 'vscode') + sep;
const groups = [files.filter((file) => !file.startsWith(IN_EDITOR)), files.filter((file) => file.startsWith(IN_EDITOR))];

if (files.length === 0) {
  console.error(`no test file matches ${words.join(' ')}`);
  process.exitCode = 1;
} else {
  for (const [index, group] of groups.entries()) {
    if (group.length === 0) continue;
    // Pictures of an earlier run would pass for those of this one.
    if (index === 1) rmSync(join(ROOT, '.artifacts', 'screenshots'), { recursive: true, force: true });
    const args = ['--import', 'tsx', '--test', '--test-reporter=spec', ...(index === 1 ? ['--test-concurrency=1'] : []), ...group];
    const { status } = spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' });
    process.exitCode ||= status ?? 1;
  }
}
