// The file sets of the speed bench: copies of published packages' own scripts, the same files for every tool.
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { scriptsBelow } from '../script-files.ts';
import { fetchPackage, type PackageSpec } from '../packages.ts';

export interface FileSet {
  name: string;
  about: string;
  folder: string;
  files: readonly string[];
  lines: number;
  bytes: number;
  /** Whether the files must be named one by one, because a linter leaves files of such a size or look out. */
  namesFiles: boolean;
}

interface SetSpec {
  name: string;
  about: string;
  packages: readonly PackageSpec[];
  wants(path: string): boolean;
  namesFiles?: boolean;
}

/** What a linter of sources would skip on its own: declarations, bundles, minified and built files. */
const isSource = (path: string): boolean => !/\.d\.[cm]?ts$|\.min\.[cm]?js$|(?:^|\/)(?:dist|build|built|_cjs|_esm)\//.test(path);

const SPECS: readonly SetSpec[] = [
  {
    name: 'small',
    about: 'express and fastify',
    packages: ['express@5.3.0', 'fastify@5.12.8'],
    wants: (path) => /\.[cm]?js$/.test(path) && isSource(path),
  },
  {
    name: 'medium',
    about: "Ghost 5's server",
    packages: ['ghost@5.130.6'],
    wants: (path) => /\.js$/.test(path) && isSource(path) && !path.startsWith('core/built/') && !path.includes('/public/'),
  },
  {
    name: 'medium-ts',
    about: 'TypeScript sources of viem',
    packages: ['viem@2.57.20'],
    wants: (path) => /\.ts$/.test(path) && isSource(path),
  },
  {
    name: 'large',
    about: 'typescript.js (9 MB) and lodash.js',
    packages: ['typescript@5.9.3', 'lodash@4.18.1'],
    wants: (path) => path === 'lib/typescript.js' || path === 'lodash.js',
    namesFiles: true,
  },
];

export const SET_NAMES: readonly string[] = SPECS.map((spec) => spec.name);

export function getFileSet(name: string, cache: string): FileSet {
  const spec = SPECS.find((one) => one.name === name);
  if (!spec) throw new Error(`no file set "${name}"; there are ${SET_NAMES.join(', ')}`);
  const folder = join(cache, spec.name);
  if (!existsSync(folder)) stage(spec, folder);
  const files = [...scriptsBelow(folder)];
  let lines = 0;
  let bytes = 0;
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    lines += text.split('\n').length;
    bytes += Buffer.byteLength(text);
  }
  return { name: spec.name, about: spec.about, folder, files, lines, bytes, namesFiles: spec.namesFiles ?? false };
}

function stage(spec: SetSpec, folder: string): void {
  const temporary = `${folder}.part`;
  rmSync(temporary, { recursive: true, force: true });
  for (const one of spec.packages) {
    const source = fetchPackage(one);
    // Tools that look for a project find the package's own.
    const wanted = [...scriptsBelow(source)].filter((file) => spec.wants(relative(source, file).replaceAll('\\', '/')));
    for (const file of [join(source, 'package.json'), ...wanted]) {
      const target = join(temporary, one.split('@')[0] || 'package', relative(source, file));
      mkdirSync(dirname(target), { recursive: true });
      copyFileSync(file, target);
    }
  }
  renameSync(temporary, folder);
}
