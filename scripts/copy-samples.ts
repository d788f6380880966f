// The samples as `npm run open` shows them: a copy, so that fixes can be tried without changing what the tests expect of them.
import { cpSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './generate.ts';

/**
 * Into `folder`/samples. Their packages are those of the checkout, which Node finds in the folder above; it is not shown, and the link alone
 * is removed with it.
 */
export function copySamples(folder: string): string {
  const path = join(folder, 'samples');
  cpSync(join(ROOT, 'samples'), path, { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
  return path;
}
