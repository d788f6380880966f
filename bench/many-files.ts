// Workspaces of any size: copies of published packages' scripts, each copy a package of another name.
import { mkdirSync, readFileSync, writeFileSync, copyFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fetchPackage, type PackageSpec } from './packages.ts';
import { scriptsBelow } from './script-files.ts';

/** Ghost first: a small workspace is a part of it. */
const PACKAGES: readonly PackageSpec[] = ['ghost@5.130.6', 'express@5.3.0', 'fastify@5.12.8', 'sequelize@6.37.8', 'pm2@7.0.4'];

/**
 * Round after round into folders of other names, until there are so many scripts. What no editor lints is left out: built files, and what
 * browsers run.
 */
export function makeWorkspace(folder: string, count: number): void {
  let made = 0;
  for (let round = 1; ; round++) {
    for (const spec of PACKAGES) {
      const source = fetchPackage(spec);
      const name = `${spec.split('@')[0]}-${round}`;
      const target = join(folder, name);
      mkdirSync(target, { recursive: true });
      const manifest = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')) as Record<string, unknown>;
      writeFileSync(join(target, 'package.json'), JSON.stringify({ ...manifest, name }));
      for (const file of scriptsBelow(source)) {
        const path = relative(source, file).replaceAll('\\', '/');
        if (/\.d\.[cm]?ts$|\.min\.|(?:^|\/)(?:built|dist|public|vendor)\//.test(path)) continue;
        mkdirSync(dirname(join(target, path)), { recursive: true });
        copyFileSync(file, join(target, path));
        if (++made >= count) return;
      }
    }
  }
}
