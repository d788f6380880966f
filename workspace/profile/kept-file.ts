// What the files in `.nodometer` have in common: nobody ever reads half of one, and nothing is written where a stranger's link leads.
import { randomUUID } from 'node:crypto';
import { realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { targetOutside } from '../../files/read-text-file.ts';
import { linkStatsOf } from '../../files/path-stats.ts';

/** Why nothing may be written or removed: a stranger's repository can hold a link to any folder of the machine. */
export function whyElsewhere(file: string, root: string): string | undefined {
  for (const path of [dirname(file), file]) {
    if (!linkStatsOf(path)?.isSymbolicLink()) continue;
    const outside = targetOutside(path, root);
    if (outside !== undefined) return `${path} is a link to ${outside}, outside of ${root}`;
    if (!leadsSomewhere(path)) return `${path} is a link that leads nowhere`;
  }
  return undefined;
}

/** In one step. */
export function replaceWhole(path: string, text: string): void {
  // A name that nobody can foresee, and a file of our own making: a link that lies there already would be followed.
  const partial = `${path}.${randomUUID()}.tmp`;
  try {
    writeFileSync(partial, text, { flag: 'wx' });
    renameSync(partial, path);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}

function leadsSomewhere(link: string): boolean {
  try {
    realpathSync(link);
    return true;
  } catch {
    // In a circle, or to what is not there.
    return false;
  }
}
