// Everything of a release but the upload: `npm run release -- --dry-run`. Checks the version and the tree, runs the tests, makes all
// packages, looks into them, installs each in an empty folder and uses it there, and prints the commands that upload them.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createMessageConnection } from 'vscode-languageserver/node';
import { ROOT } from './generate.ts';
import { makePackage, MAX_BYTES } from './package.ts';
import { readVsix, unpack } from './vsix.ts';

/** What the tarball may have: npm adds package.json, README, and LICENSE by itself. */
const IN_TARBALL =
  /^package\/(?:dist\/|skills\/nodometer\/SKILL\.md$|(?:package\.json|README\.md|LICENSE|CHANGELOG\.md|nodometer(?:-evidence|-production)?\.schema\.json)$)/;
/** The same for the plugin. */
const IN_PLUGIN = /^package\/(?:dist\/plugin\.(?:js|d\.ts)|package\.json|README\.md|LICENSE)$/;
/** What no package may have: what is for people who work on Nodometer, and what may hold secrets. */
const NEVER =
  /(?:^|\/)(?:node_modules|test|bench|\.git|\.cache|\.npmrc|\.env)(?:\/|$)|(?<!\.d)\.ts$|\.(?:tsbuildinfo|map|tgz|vsix|pem|key|log)$/;
/** Licenses of bundled packages that ask for no more than their text, which is in the package. */
const FREE = /^(?:MIT|ISC|Apache-2\.0|BSD-[23]-Clause|0BSD|BlueOak-1\.0\.0|CC0-1\.0|Unlicense)$/;
/** 4 MB: twice the .vsix, since the command's bundles are in it, too. Our choice. */
const MOST_TARBALL_BYTES = 4_000_000;
const MAX_OUTPUT = 64 * 1024 * 1024;
/** How long the server may take to answer, in ms. */
const MOST_WAIT_MS = 60_000;

/** Has exactly one problem: a blocking call on a request path. */
const PROGRAM = `const fs = require('node:fs');
const app = require('express')();
app.get('/', (req, res) => res.send(fs.readFileSync(req.query.name, 'utf8')));
`;

/** A heading such as `## 0.2.0 (2026-12-01)`. */
export interface Heading {
  version: string;
  /** Undefined where it says `unreleased`. */
  date: string | undefined;
}

/** The first one of a changelog; undefined where none has this form. */
export function firstHeading(changelog: string): Heading | undefined {
  const [, version, date] = /^## (\d+\.\d+\.\d+(?:-[\w.]+)?) \((unreleased|\d{4}-\d\d-\d\d)\)$/m.exec(changelog) ?? [];
  return version === undefined ? undefined : { version, date: date === 'unreleased' ? undefined : date };
}

/** Why this version cannot be released, one sentence each. */
export function versionProblems(version: string, heading: Heading | undefined, tags: readonly string[]): string[] {
  if (!heading) return ['CHANGELOG.md has no heading such as `## 0.2.0 (2026-12-01)`.'];
  const problems: string[] = [];
  if (heading.version !== version) problems.push(`CHANGELOG.md begins with ${heading.version}, and package.json says ${version}.`);
  if (heading.date === undefined)
    problems.push(`CHANGELOG.md calls ${heading.version} unreleased. Write the date of the release in its heading.`);
  if (tags.includes(`v${version}`))
    problems.push(`The tag v${version} exists already. Raise the version in package.json and CHANGELOG.md.`);
  return problems;
}

/**
 * What is wrong with the files of a package, one sentence each.
 * @param files paths and contents @param secretPaths folders of this machine that no file may name
 */
export function contentProblems(files: ReadonlyMap<string, Buffer>, allowed: RegExp, secretPaths: readonly string[]): string[] {
  const problems: string[] = [];
  for (const [path, contents] of files) {
    if (!allowed.test(path) || NEVER.test(path)) problems.push(`${path} does not belong into the package.`);
    const text = contents.toString('latin1');
    for (const secret of secretPaths) if (namesFolder(text, secret)) problems.push(`${path} names ${secret}, a folder of this machine.`);
  }
  return problems;
}

/** Not `/root` in `notifications/roots`. */
function namesFolder(text: string, folder: string): boolean {
  for (let at = text.indexOf(folder); at !== -1; at = text.indexOf(folder, at + 1))
    if (!/[\w.-]/.test(text.charAt(at + folder.length))) return true;
  return false;
}

/** Bundled packages of which the license is missing or asks for more than its text. */
export function licenseProblems(licenses: string): string[] {
  const packages = [...licenses.matchAll(/^(\S+) (\d+\.\d+\.\S+) \(([^)]*)\)$/gm)];
  if (packages.length === 0) return ['THIRD-PARTY-LICENSES.txt lists no package.'];
  return packages.flatMap(([, name = '', version = '', license = '']) =>
    FREE.test(license) ? [] : [`${name} ${version} has the license \`${license}\`. Read it before it is shipped.`],
  );
}

function run(command: string, argv: readonly string[], cwd: string, isShown = false): { code: number | null; out: string; err: string } {
  const { status, stdout, stderr, error } = spawnSync(command, argv, {
    cwd,
    encoding: 'utf8',
    stdio: isShown ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    maxBuffer: MAX_OUTPUT,
    shell: process.platform === 'win32',
  });
  return { code: status, out: stdout ?? '', err: error ? error.message : (stderr ?? '') };
}

function filesBelow(folder: string, prefix: string): Map<string, Buffer> {
  return new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => [`${prefix}${relative(folder, file).replaceAll('\\', '/')}`, readFileSync(file)]),
  );
}

/** Absolute path of the tarball. */
function pack(folder: string, name: string, out: string, isBuilt: boolean): string {
  const { code, err } = run(
    'npm',
    ['pack', '--pack-destination', out, '--loglevel=error', ...(isBuilt ? ['--ignore-scripts'] : [])],
    folder,
  );
  const tarball = join(out, name);
  if (code !== 0 || !existsSync(tarball)) throw new Error(`\`npm pack\` failed: ${err.trim()}`);
  return tarball;
}

function unpacked(tarball: string, folder: string): Map<string, Buffer> {
  mkdirSync(folder);
  const { code, err } = run('tar', ['-xzf', tarball, '-C', folder], folder);
  if (code !== 0) throw new Error(`${tarball} could not be unpacked: ${err.trim()}`);
  return filesBelow(folder, '');
}

/** Installs the tarball as its users do, and lints a program with it. */
function useCommand(tarball: string, work: string): string[] {
  const folder = join(work, 'command');
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  writeFileSync(join(folder, 'app.js'), PROGRAM);
  const installed = run('npm', ['install', '--no-audit', '--no-fund', '--no-progress', '--loglevel=error', tarball], folder);
  if (installed.code !== 0) return [`The tarball could not be installed: ${installed.err.trim()}`];
  const packages = readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'));
  const problems = packages.length === 1 ? [] : [`The tarball brings other packages along: ${packages.join(', ')}.`];
  const linted = run('npx', ['--no-install', 'nodometer', 'lint', '--no-config', '--format', 'json'], folder);
  if (!linted.out.includes('"no-sync-in-handler"'))
    problems.push(`The installed command did not find the problem of a program: ${linted.err.trim()}`);
  return problems;
}

/** Installs the plugin with the command and ESLint, and lints a program. */
function usePlugin(tarballs: readonly string[], work: string): string[] {
  const folder = join(work, 'plugin');
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  writeFileSync(join(folder, 'app.js'), PROGRAM);
  writeFileSync(
    join(folder, 'eslint.config.mjs'),
    "import nodometer from 'eslint-plugin-nodometer';\nexport default [nodometer.configs.recommended];\n",
  );
  const installed = run('npm', ['install', '--no-audit', '--no-fund', '--no-progress', '--loglevel=error', 'eslint', ...tarballs], folder);
  if (installed.code !== 0) return [`The plugin could not be installed: ${installed.err.trim()}`];
  const linted = run('npx', ['--no-install', 'eslint', '--format', 'json', '.'], folder);
  return linted.out.includes('"nodometer/no-sync-in-handler"')
    ? []
    : [`ESLint with the plugin did not find the problem of a program: ${linted.err.trim() || linted.out.trim()}`];
}

/** Starts the server of the .vsix, unpacked as VS Code does, and has it lint a program. */
async function useServer(entries: ReadonlyMap<string, Buffer>, work: string): Promise<string[]> {
  const folder = join(work, 'extension');
  unpack(entries, folder);
  const child = spawn(process.execPath, [join(folder, 'dist', 'server.js'), '--stdio'], { cwd: work, stdio: ['pipe', 'pipe', 'inherit'] });
  const connection = createMessageConnection(child.stdout, child.stdin);
  const timer = setTimeout(() => child.kill('SIGKILL'), MOST_WAIT_MS);
  try {
    const uri = pathToFileURL(join(work, 'app.js')).href;
    const found = new Promise<string>((resolve, reject) => {
      connection.onNotification('textDocument/publishDiagnostics', (params: unknown) => resolve(JSON.stringify(params)));
      connection.onRequest('client/registerCapability', () => null);
      child.once('exit', () => reject(new Error('it ended')));
    });
    connection.listen();
    await connection.sendRequest('initialize', { processId: process.pid, rootUri: null, capabilities: {} });
    await connection.sendNotification('initialized', {});
    await connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri, languageId: 'javascript', version: 1, text: PROGRAM },
    });
    return (await found).includes('no-sync-in-handler') ? [] : ['The server of the .vsix did not find the problem of a program.'];
  } catch (error) {
    return [`The server of the .vsix gave no diagnostics: ${error instanceof Error ? error.message : String(error)}.`];
  } finally {
    clearTimeout(timer);
    connection.dispose();
    child.kill('SIGKILL');
  }
}

async function release(hasTests: boolean): Promise<number> {
  const problems: string[] = [];
  const step = (name: string, found: readonly string[]): void => {
    console.log(`${found.length === 0 ? '✔' : '✖'} ${name}`);
    for (const problem of found) console.log(`    ${problem}`);
    problems.push(...found);
  };
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  const git = (...argv: string[]): string[] => run('git', argv, ROOT).out.split('\n').filter(Boolean);
  step(`version ${version}`, versionProblems(version, firstHeading(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')), git('tag')));
  step('a clean tree', git('status', '--porcelain').length === 0 ? [] : ['There are changes that are not committed: see `git status`.']);
  if (hasTests) step('all tests', run('npm', ['test'], ROOT, true).code === 0 ? [] : ['`npm test` failed.']);
  else step('all tests', ['They were not run (`--skip-tests`).']);

  const out = join(ROOT, '.artifacts', 'release');
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const work = realpathSync(mkdtempSync(join(tmpdir(), 'nodometer-release-')));
  const secretPaths = [ROOT, homedir()].filter((path) => path.length > 1);
  try {
    // The first one builds, for both.
    const tarball = pack(ROOT, `nodometer-${version}.tgz`, out, false);
    const files = unpacked(tarball, join(work, 'tarball'));
    const { size } = statSync(tarball);
    step(`tarball: ${files.size} files, ${kilobytes(size)}`, [
      ...contentProblems(files, IN_TARBALL, secretPaths),
      ...licenseProblems(files.get('package/dist/THIRD-PARTY-LICENSES.txt')?.toString() ?? ''),
      ...(size > MOST_TARBALL_BYTES ? [`It has more than ${kilobytes(MOST_TARBALL_BYTES)}.`] : []),
    ]);
    step('tarball: installed in an empty folder, and used', useCommand(tarball, work));

    const plugin = pack(join(ROOT, 'eslint-plugin'), `eslint-plugin-nodometer-${version}.tgz`, out, true);
    const pluginFiles = unpacked(plugin, join(work, 'plugin-tarball'));
    step(`plugin for ESLint: ${pluginFiles.size} files, ${kilobytes(statSync(plugin).size)}`, [
      ...contentProblems(pluginFiles, IN_PLUGIN, secretPaths),
      ...(pluginFiles.has('package/dist/plugin.js') ? [] : ['It has no code.']),
    ]);
    step('plugin for ESLint: installed in an empty folder, and used', usePlugin([tarball, plugin], work));

    const { file, bytes } = await makePackage(out);
    const entries = readVsix(file);
    step(`.vsix: ${entries.size} files, ${kilobytes(bytes)} of ${kilobytes(MAX_BYTES)}`, [
      ...contentProblems(entries, /^(?:extension\/|extension\.vsixmanifest$|\[Content_Types\]\.xml$)/, secretPaths),
      ...licenseProblems(entries.get('extension/dist/THIRD-PARTY-LICENSES.txt')?.toString() ?? ''),
    ]);
    step('.vsix: unpacked as VS Code does, and its server used', await useServer(entries, work));

    const [tgz, pluginTgz, vsix] = [tarball, plugin, file].map((path) => relative(ROOT, path));
    console.log(
      [
        '',
        'The upload, which this script leaves to you:',
        `  git tag -s v${version} -m ${version} && git push origin v${version}`,
        `  npm publish ${tgz} --access public --provenance   (from CI: provenance needs its identity)`,
        `  npm publish ${pluginTgz} --access public --provenance   (after that: it depends on it)`,
        `  npx @vscode/vsce publish --packagePath ${vsix}`,
        `  npx ovsx publish ${vsix}`,
        '',
        problems.length === 0 ? 'Ready.' : `Not ready: ${problems.length === 1 ? 'one problem' : `${problems.length} problems`}, above.`,
      ].join('\n'),
    );
    return problems.length === 0 ? 0 : 1;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(0)} kB`;

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const argv = process.argv.slice(2);
  const unknown = argv.filter((one) => one !== '--dry-run' && one !== '--skip-tests');
  if (unknown.length > 0 || !argv.includes('--dry-run')) {
    console.error(
      `${unknown.length > 0 ? `Unknown: ${unknown.join(' ')}. ` : ''}Nothing is uploaded from here. Use \`npm run release -- --dry-run [--skip-tests]\`, and then the commands that it prints.`,
    );
    process.exitCode = 2;
  } else process.exitCode = await release(!argv.includes('--skip-tests'));
}
