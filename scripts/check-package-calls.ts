// Looks every blocking call of a package up in the published versions that knowledge/blocking-packages.ts cites.
//   npx tsx scripts/check-package-calls.ts
// Installs the versions (without their install scripts) in a temporary folder, imports them in a child process and prints what is
// missing. Needs the npm registry, so it is not part of the tests; run it after a change to the table.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PACKAGE_CALLS, SAME_AS_CORE, type AsyncForm, type BlockingCall } from '../knowledge/blocking-calls.ts';

interface Version {
  name: string;
  version: string;
}

interface Probe {
  label: string;
  /** Import specifier by alias and property path, in any of which the function may be. */
  places: { specifier: string; path: readonly string[] }[];
}

function versionsOf(source: string): Version[] {
  return [...source.matchAll(/(@[\w-]+\/[\w.-]+|[\w.-]+)@(\d[\w.-]*)/g)].map((match) => ({
    name: match[1] as string,
    version: match[2] as string,
  }));
}

function aliasOf({ name, version }: Version): string {
  return `${name.replace(/^@/, '').replace('/', '-')}-${version.replaceAll('.', '-')}`;
}

function place(module: string, path: readonly string[], version: Version): Probe['places'] {
  return module === version.name || module.startsWith(`${version.name}/`)
    ? [{ specifier: aliasOf(version) + module.slice(version.name.length), path }]
    : [];
}

function formOf(form: AsyncForm): { module: string; path: readonly string[] } | undefined {
  return form.kind === 'promise' || form.kind === 'callback' ? form : undefined;
}

function probesOf(row: BlockingCall): Probe[] {
  const versions = versionsOf(row.source);
  const label = [row.module, ...row.path].join('.');
  const wanted = row.madeBy ? row.madeBy.map((maker) => ({ module: row.module, path: maker.path })) : [row];
  const probes = wanted.map(({ module, path }) => ({
    label: row.madeBy ? `${label} (made by ${path.join('.') || 'the module'})` : label,
    places: versions.flatMap((version) => place(module, path, version)),
  }));
  const form = formOf(row.asyncForm);
  if (form && !form.module.startsWith('node:'))
    probes.push({
      label: `${label} -> ${[form.module, ...form.path].join('.')}`,
      places: versions.flatMap((version) => place(form.module, form.path, version)),
    });
  return probes.filter((probe) => probe.places.length > 0);
}

// Runs in the child: answers with the probes that are not functions, and the packages that could not be imported.
const CHILD = `
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
const require = createRequire(process.cwd() + '/probe.js');
const probes = JSON.parse(readFileSync('probes.json', 'utf8'));
const loaded = new Map();
async function load(specifier) {
  if (!loaded.has(specifier)) loaded.set(specifier, await import(specifier).catch(() => ({ default: require(specifier) })).catch((error) => ({ failed: error.message.split('\\n')[0] })));
  return loaded.get(specifier);
}
// CommonJS modules stand under 'default' and their names beside it; a module may also be a function by its default export alone.
function find(namespace, path) {
  for (const root of [namespace, namespace.default, namespace.default?.default]) {
    let value = root;
    for (const name of path) value = value?.[name];
    if (typeof value === 'function') return true;
  }
  return false;
}
const missing = [];
const unchecked = [];
for (const probe of probes) {
  let found = false;
  let imported = false;
  for (const { specifier, path } of probe.places) {
    const namespace = await load(specifier);
    if (!namespace.failed) imported = true;
    if (!namespace.failed && find(namespace, path)) found = true;
  }
  if (!found) (imported ? missing : unchecked).push(probe.label);
}
const failed = [...loaded].filter(([, namespace]) => namespace.failed).map(([specifier, namespace]) => specifier + ': ' + namespace.failed);
writeFileSync('answer.json', JSON.stringify({ missing, unchecked, failed }));
process.exit(0);
`;

function main(): void {
  const sources = [...PACKAGE_CALLS.map((row) => row.source), ...Object.values(SAME_AS_CORE).map((core) => core.source)];
  const versions = new Map(sources.flatMap(versionsOf).map((version) => [aliasOf(version), version]));
  const probes = PACKAGE_CALLS.flatMap(probesOf);
  const folder = mkdtempSync(join(tmpdir(), 'package-calls-'));
  try {
    const dependencies = Object.fromEntries([...versions].map(([alias, { name, version }]) => [alias, `npm:${name}@${version}`]));
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies }));
    writeFileSync(join(folder, 'probes.json'), JSON.stringify(probes));
    writeFileSync(join(folder, 'probe.js'), CHILD);
    execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--silent', '--legacy-peer-deps'], {
      cwd: folder,
      stdio: 'inherit',
    });
    execFileSync(process.execPath, ['probe.js'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
    const { missing, unchecked, failed } = JSON.parse(readFileSync(join(folder, 'answer.json'), 'utf8')) as {
      missing: string[];
      unchecked: string[];
      failed: string[];
    };
    console.log(
      `${probes.length} functions looked up in ${versions.size} package versions; ${missing.length} not found, ${unchecked.length} not to be looked up because their package cannot be imported here.`,
    );
    for (const label of missing) console.log(`  not found: ${label}`);
    for (const label of unchecked) console.log(`  not looked up: ${label}`);
    for (const line of failed) console.log(`  not imported: ${line}`);
    process.exitCode = missing.length > 0 ? 1 : 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

main();
