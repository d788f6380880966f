// The samples as `npm run open` shows them: a copy, so that fixes can be tried without changing what the tests expect of them.
import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withoutExpectations } from '../analysis/testing/annotated.ts';
import { ROOT } from './generate.ts';

const SIDECAR = /nodometer-expect\.txt$/;

/**
 * Into `folder`/samples, without the comments that say what is found. Their packages are those of the checkout, which Node finds in the
 * folder above; it is not shown, and the link alone is removed with it.
 */
export function copySamples(folder: string): string {
  const path = join(folder, 'samples');
  cpSync(join(ROOT, 'samples'), path, { recursive: true, filter: (source) => !SIDECAR.test(source) });
  for (const entry of readdirSync(path, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const text = readFileSync(file, 'utf8');
    const without = withoutExpectations(text);
    if (without !== text) writeFileSync(file, without);
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
  return path;
}
