// Where many files can be analyzed, and what is kept of it between runs.
import { readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { hashOf } from '../hash.ts';
import { AnalysisCache } from './analysis-cache.ts';
import type { ProjectRunRequest } from './project-run.ts';
import { statsOf } from '../../files/path-stats.ts';

/** Plain data, to be sent to threads. */
export interface AnalysisPlace {
  /** Threads that may work at the same time, the one that asks included. */
  threads: number;
  /** Script of a further thread, as a URL. */
  entry: string;
  /** Tells this build of the program from every other. */
  fingerprint: string;
  /** Absolute path of the user's folder for caches, Nodometer's part of it. */
  cacheFolder: string;
}

/** What nobody has written for so long is swept up, in ms: two weeks, a holiday. */
const OLD_MS = 14 * 24 * 60 * 60 * 1000;

/** `file`: absolute path of the cache where the user names one; false for none. */
export function openAnalysis(
  place: AnalysisPlace,
  root: string,
  now: () => number,
  file?: string | false,
): Pick<ProjectRunRequest, 'threads' | 'entry' | 'cache'> {
  const { threads, entry, fingerprint } = place;
  const path = file === undefined ? cacheFileOf(root, place) : file;
  // What a cache has to say about itself is of no use to those who lint.
  const cache = path === false ? undefined : new AnalysisCache({ path, fingerprint, now, log: () => undefined });
  if (file === undefined && path !== false) sweep(path, now());
  return { threads, entry: new URL(entry), cache };
}

/**
 * One file for each project and build: an editor's extension and a project's own command may be of different versions. It lies in the
 * user's folder for caches, so that nothing is put into the project.
 */
export function cacheFileOf(root: string, { cacheFolder, fingerprint }: AnalysisPlace): string {
  return join(cacheFolder, 'analyses', `${hashOf(root)}-${hashOf(fingerprint)}.cache`);
}

/** The program that names itself by its script: every build writes all of its files. */
export function fingerprintOf(version: string, entry: string): string {
  const { size, mtimeMs } = statSync(new URL(entry));
  return `${version} ${size} ${mtimeMs}`;
}

function sweep(own: string, now: number): void {
  const folder = dirname(own);
  try {
    for (const name of readdirSync(folder)) {
      const age = now - (statsOf(join(folder, name))?.mtimeMs ?? Infinity);
      if (name.endsWith('.cache') && name !== basename(own) && age > OLD_MS) rmSync(join(folder, name), { force: true });
    }
  } catch {
    // There is no folder yet, or another process sweeps it just now.
  }
}
