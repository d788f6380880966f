// How far a project reaches whose paths through all files are wanted, where only a part of it was asked for.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { MOST_BYTES, textOfFile } from '../../files/read-text-file.ts';
import { findRepositoryRoot } from '../discovery/git-ignore.ts';
import { statsOf } from '../../files/path-stats.ts';

/** Files that say that the folders below belong together. */
const WORKSPACE_FILES = ['pnpm-workspace.yaml', 'lerna.json', 'nx.json', 'rush.json', 'turbo.json'];

/**
 * The outermost folder of a monorepo around the path, else the folder with the nearest package.json. Never above the repository; undefined
 * where no
 * folder says that it is a project. `path` is absolute.
 */
export function findProjectRoot(path: string): string | undefined {
  const start = statsOf(path)?.isDirectory() ? path : dirname(path);
  const last = findRepositoryRoot(start);
  let nearest: string | undefined;
  let outermost: string | undefined;
  for (let folder = start; ; folder = dirname(folder)) {
    if (WORKSPACE_FILES.some((name) => existsSync(join(folder, name)))) outermost = folder;
    if (existsSync(join(folder, 'package.json'))) {
      nearest ??= folder;
      if (hasWorkspaces(join(folder, 'package.json'))) outermost = folder;
    }
    if (folder === last || dirname(folder) === folder) break;
  }
  return outermost ?? nearest;
}

function hasWorkspaces(path: string): boolean {
  try {
    const manifest: unknown = JSON.parse(textOfFile(path, MOST_BYTES.settings) ?? '');
    return typeof manifest === 'object' && manifest !== null && 'workspaces' in manifest;
  } catch {
    // A broken or unreadable package.json says nothing about other folders.
    return false;
  }
}
