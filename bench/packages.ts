// Published packages at pinned versions, fetched once with npm into a cache folder that git ignores.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const CACHE = fileURLToPath(new URL('../.cache/packages/', import.meta.url));

/** `name@version`; the version is exact, so that figures of two runs can be compared. */
export type PackageSpec = `${string}@${string}`;

/** Folder with the package's own files, without its dependencies. Nothing of the package is run. */
export function fetchPackage(spec: PackageSpec, cache: string = CACHE): string {
  const folder = join(cache, spec.replace('/', '+'));
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  const temporary = `${folder}.part`;
  rmSync(temporary, { recursive: true, force: true });
  mkdirSync(temporary);
  execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', temporary, spec], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const archive = readdirSync(temporary).find((name) => name.endsWith('.tgz'));
  if (!archive) throw new Error(`npm pack gave no archive of ${spec}`);
  execFileSync('tar', ['xzf', archive, '--strip-components=1', '--no-same-owner'], { cwd: temporary });
  rmSync(join(temporary, archive));
  renameSync(temporary, folder);
  return folder;
}
