// The scripts below a folder, dependencies left out.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { SCRIPT_FILE } from '../analysis/module/parse.ts';

/** Paths of all scripts below a folder, in a fixed order; the path itself when it is a file. */
export function* scriptsBelow(
  path: string,
  isDependency: (name: string) => boolean = (name) => name === 'node_modules',
): Generator<string> {
  if (!statSync(path).isDirectory()) {
    yield path;
    return;
  }
  const entries = readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const full = join(path, entry.name);
    if (entry.isDirectory() && !isDependency(entry.name)) yield* scriptsBelow(full, isDependency);
    else if (entry.isFile() && SCRIPT_FILE.test(entry.name)) yield full;
  }
}
