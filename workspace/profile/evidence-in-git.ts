// The first evidence of a project is a new file in somebody's repository: they decide whether it is committed.
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gitIgnoreOptions, findRepositoryRoot, scopeAbove, scopeIn } from '../discovery/git-ignore.ts';

/**
 * Whether Git would list an evidence file as one that it does not know. Not asked of Git itself: a file that was just made is not tracked.
 */
export function isNewToGit(evidence: string, platform: string): boolean {
  const folder = dirname(evidence);
  if (findRepositoryRoot(folder) === undefined) return false;
  const options = gitIgnoreOptions(platform, () => undefined);
  const scope = scopeIn(folder, scopeAbove(folder, options), options);
  return scope?.answer(folder, true) !== 'ignored' && scope?.answer(evidence, false) !== 'ignored';
}

/**
 * Makes Git ignore everything in the folder of an evidence file, except a baseline, which CI needs. A file that is there already stays.
 * @throws what writing a file throws
 */
export function hideFromGit(evidence: string): void {
  writeFileSync(join(dirname(evidence), '.gitignore'), '*\n!baseline.json\n', { flag: 'wx' });
}
