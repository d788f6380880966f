// Makes the .vsix: builds, gathers what runs in VS Code and nothing else, packs it, tells its size and contents. `npm run package [--
// <folder>]`
import { cpSync, mkdtempSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from './build.ts';
import { extensionReadme, picturesOf } from './extension-readme.ts';
import { ROOT } from './generate.ts';

/** 2 MB: what an editor should fetch for a linter. */
export const MAX_BYTES = 2_000_000;

/** Beside dist/. The list is of what is shipped, so that a new file in the project is not shipped by accident. */
const SHIPPED = [
  'LICENSE',
  'CHANGELOG.md',
  'nodometer.schema.json',
  'nodometer-evidence.schema.json',
  'nodometer-production.schema.json',
  'package.nls.json',
  'l10n',
  'images/icon.png',
  'images/walkthrough',
  'walkthrough/sample',
];
/** Files of dist/ that VS Code, the server or the report's page starts; what they import comes with them. */
const STARTED = [
  'extension.cjs',
  'language-client.cjs',
  'profile.cjs',
  'agent-tools.js',
  'server.js',
  'lint-worker.js',
  'index-thread.js',
  'analysis-thread.js',
  'report.js',
];
/** Of package.json: what only npm and people who work on Nodometer read. */
const NOT_FOR_VSCODE = ['bin', 'scripts', 'dependencies', 'devDependencies'];

export interface Package {
  /** Absolute path of the .vsix. */
  file: string;
  /** Size of the .vsix in bytes. */
  bytes: number;
  /** Paths inside the extension, with their unpacked sizes in bytes, largest first. */
  contents: readonly { path: string; bytes: number }[];
}

interface Vsce {
  createVSIX(options: {
    cwd: string;
    packagePath: string;
    dependencies: boolean;
    allowMissingRepository: boolean;
    rewriteRelativeLinks: boolean;
  }): Promise<void>;
}

/** Throws when the package is larger than allowed. */
export async function makePackage(outFolder: string, maxBytes: number = MAX_BYTES): Promise<Package> {
  const stage = mkdtempSync(join(tmpdir(), 'nodometer-package-'));
  try {
    const { imports } = await build(join(stage, 'dist'));
    keepOnly(join(stage, 'dist'), reachedFrom(STARTED, imports));
    for (const path of SHIPPED) cpSync(join(ROOT, path), join(stage, path), { recursive: true });
    const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<string, unknown>;
    writeFileSync(
      join(stage, 'README.md'),
      extensionReadme(readFileSync(join(ROOT, 'README.md'), 'utf8'), picturesOf(manifest.repository)),
    );
    for (const field of NOT_FOR_VSCODE) delete manifest[field];
    writeFileSync(join(stage, 'package.json'), `${JSON.stringify({ ...manifest, files: ['dist', 'README.md', ...SHIPPED] }, null, 2)}\n`);
    mkdirSync(outFolder, { recursive: true });
    const file = join(outFolder, `nodometer-${String(manifest.version)}.vsix`);
    const { createVSIX } = createRequire(import.meta.url)('@vscode/vsce') as Vsce;
    // Everything is bundled: there are no packages to collect.
    await createVSIX({ cwd: stage, packagePath: file, dependencies: false, allowMissingRepository: true, rewriteRelativeLinks: false });
    const bytes = statSync(file).size;
    if (bytes > maxBytes) throw new Error(`the package has ${bytes} bytes, ${maxBytes} are allowed: ${file}`);
    return { file, bytes, contents: filesIn(stage) };
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

/** The files and all that they import, directly or not. */
export function reachedFrom(files: readonly string[], imports: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const reached = new Set<string>();
  const pending = [...files];
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    if (reached.has(file)) continue;
    if (!imports.has(file)) throw new Error(`the build made no ${file}`);
    reached.add(file);
    pending.push(...(imports.get(file) ?? []));
  }
  return reached;
}

/** Removes code that is not in the set; other files stay. */
function keepOnly(folder: string, kept: ReadonlySet<string>): void {
  for (const name of readdirSync(folder)) if (/\.c?js$/.test(name) && !kept.has(name)) rmSync(join(folder, name));
}

function filesIn(folder: string): { path: string; bytes: number }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const file = join(entry.parentPath, entry.name);
      return { path: relative(folder, file).split(sep).join('/'), bytes: statSync(file).size };
    })
    .sort((a, b) => b.bytes - a.bytes);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { file, bytes, contents } = await makePackage(resolve(process.argv[2] ?? ROOT));
  for (const entry of contents) console.log(`${(entry.bytes / 1000).toFixed(1).padStart(9)} kB  ${entry.path}`);
  console.log(`made ${relative(process.cwd(), file)}: ${(bytes / 1000).toFixed(0)} kB in ${contents.length} files`);
}
