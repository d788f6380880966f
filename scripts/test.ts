// Runs every test, or those whose path contains one of the words given: `npm run test:only -- cli`.
// Node 20 expands no globs after `--test`, and shells disagree on `**`, so the files are listed here.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ROOT } from './generate.ts';

const words = process.argv.slice(2);
const files = readdirSync(join(ROOT, 'test'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.test.ts'))
  .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
  .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
  .sort();

if (files.length === 0) {
  console.error(`no test file matches ${words.join(' ')}`);
  process.exitCode = 1;
} else {
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', '--test', '--test-reporter=spec', ...files], { cwd: ROOT, stdio: 'inherit' });
  process.exitCode = status ?? 1;
}
