// Lays a snapshot out in a folder of its own, and brings it back to its first state between runs.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Project } from './projects.ts';
import type { Place } from './suite.ts';

const SHORT_COMMIT = 10;

export interface LaidOut extends Place {
  isInstalled(): boolean;
  /** What the installation has written becomes part of the state to come back to. */
  keepInstalled(): void;
  /** Undoes every change since the installation; what git ignores stays. */
  restore(): void;
  /** Files that differ from the installation, relative to the folder. */
  changed(): string[];
}

/**
 * @param mirror folder of snapshots: `owner+name/repo`, a git directory each
 * @param work folder for the project and what belongs to its runs; a project that is laid out there already stays as it is
 */
export function layOut({ repository, commit, leaveOut = [] }: Project, mirror: string, work: string, node: string): LaidOut {
  const name = repository.replace('/', '+');
  const beside = join(work, `${name}-${commit.slice(0, SHORT_COMMIT)}`);
  const folder = join(beside, 'project');
  const installed = join(beside, 'installed');
  const place: LaidOut = {
    folder,
    beside,
    node,
    isInstalled: () => existsSync(installed),
    keepInstalled() {
      keep(folder);
      writeFileSync(installed, '');
    },
    restore() {
      git(folder, ['reset', '--quiet', '--hard']);
      git(folder, ['clean', '-fdq']);
    },
    changed: () => git(folder, ['diff', '--name-only', '-z']).split('\0').filter(Boolean),
  };
  if (place.isInstalled()) return place;
  rmSync(beside, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const archive = join(beside, 'archive.tar');
  const paths = ['.', ...leaveOut.map((path) => `:(exclude)${path}`)];
  execFileSync('git', ['-C', join(mirror, name, 'repo'), 'archive', '--output', archive, commit, '--', ...paths], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  execFileSync('tar', ['xf', archive, '--no-same-owner'], { cwd: folder });
  rmSync(archive);
  git(folder, ['init', '--quiet']);
  // Some projects keep files that they ignore.
  keep(folder, ['--force']);
  return place;
}

function keep(folder: string, options: readonly string[] = []): void {
  git(folder, ['add', '--all', ...options]);
  git(folder, [
    '-c',
    'user.name=bench',
    '-c',
    'user.email=bench@localhost',
    'commit',
    '--quiet',
    '--no-verify',
    '--allow-empty',
    '-m',
    'state',
  ]);
}

function git(folder: string, args: readonly string[]): string {
  return execFileSync('git', ['-c', 'core.autocrlf=false', '-c', 'core.hooksPath=/dev/null', '-c', 'commit.gpgsign=false', ...args], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
}
