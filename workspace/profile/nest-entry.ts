// Which program serves a method of a Nest controller: one that starts Nest. An Express server that stands beside it answers 404.
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { textOfFile } from '../../files/read-text-file.ts';
import { DEFAULT_MAX_FILE_SIZE } from '../discovery/read-source.ts';
import { statsOf } from '../../files/path-stats.ts';

/** Nest builds `src/main.ts` and runs what came out (`nest start`). */
export const NEST_ENTRY = 'src/main.ts';

const OF_CONTROLLERS = /\bfrom\s*['"]@nestjs\/common['"]|\brequire\(\s*['"]@nestjs\/common['"]\s*\)/;
const STARTS_NEST = /\bNestFactory\b/;
const RELATIVE = /(?:\bfrom|\bimport|\brequire\s*\(|\bimport\s*\()\s*['"](\.{1,2}\/[^'"]+)['"]/g;
const ENDINGS = ['', '.js', '.ts', '.mjs', '.cjs', '/index.js', '/index.ts'];
/** What starts an application stands near its beginning. */
const MOST_FILES = 40;

export function isOfNest(text: string): boolean {
  return OF_CONTROLLERS.test(text);
}

/** Whether the file, or one that it imports by its path, creates a Nest application. True where that cannot be known. */
export function startsNest(entry: string): boolean {
  const seen = new Set([entry]);
  for (const file of seen) {
    const text = textOfFile(file, DEFAULT_MAX_FILE_SIZE);
    // A build that was not made yet, or an endless bundle.
    if (text === undefined || seen.size > MOST_FILES) return true;
    if (STARTS_NEST.test(text)) return true;
    for (const [, specifier = ''] of text.matchAll(RELATIVE)) {
      const path = resolve(dirname(file), specifier);
      const found = [...ENDINGS.map((ending) => path + ending), path.replace(/\.([cm]?)js$/, '.$1ts')].find(isFile);
      if (found !== undefined) seen.add(found);
    }
  }
  return false;
}

/** Where Nest's own commands put it. */
export function nestEntry(root: string | undefined): string | undefined {
  const path = root === undefined ? undefined : join(root, NEST_ENTRY);
  return path !== undefined && existsSync(path) && startsNest(path) ? path : undefined;
}

function isFile(path: string): boolean {
  return statsOf(path)?.isFile() === true;
}
