// What calls of packages take that compute on the event loop's thread, and whether their promise forms let others in:
// bench/results/blocking-packages.json, which knowledge/blocking-packages-compute.ts and the page of no-sync-in-handler quote.
//   node bench/blocking-packages/measure.js [--processes 3] [--only Jimp,canvas] <node> [<node> …]    Node binaries; this one if there is none
// `--only`: the rows whose names have one of these parts; the figures of the others stay.
// Installs the packages at exact versions, once, into .cache/blocking-packages. Rows that a Node cannot load (isolated-vm 6 needs Node 22)
// are left out.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const CACHE = fileURLToPath(new URL('../../.cache/blocking-packages', import.meta.url));
const RESULT = fileURLToPath(new URL('../results/blocking-packages.json', import.meta.url));
const JOBS = [1, 4];
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { processes: { type: 'string', default: '3' }, only: { type: 'string', default: '' } },
});
const nodes = positionals.length > 0 ? positionals : [process.execPath];

const packages = JSON.parse(readFileSync(join(HERE, 'packages.json'), 'utf8'));
const manifest = JSON.stringify({ private: true, dependencies: packages });
if (!existsSync(join(CACHE, 'package.json')) || readFileSync(join(CACHE, 'package.json'), 'utf8') !== manifest) {
  mkdirSync(CACHE, { recursive: true });
  writeFileSync(join(CACHE, 'package.json'), manifest);
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--prefer-offline'];
  execFileSync('npm', args, { cwd: CACHE, stdio: ['ignore', 'ignore', 'inherit'] });
}

const { jobsOf, rowsOf } = createRequire(import.meta.url)('./rows.cjs');
const median = (numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1];
/** Two digits: the third is another one in the next process. */
const rounded = (ms) => Number(ms.toPrecision(2));
const versions = nodes.map((node) => execFileSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' }).trim());

/** By version: the medians of the processes. */
function measured(args) {
  const found = {};
  // In turns, so that what crowds the machine for a while crowds all versions.
  for (let i = 0; i < Number(values.processes); i += 1)
    for (const [at, node] of nodes.entries()) {
      try {
        const line = execFileSync(node, [join(HERE, 'child.cjs'), CACHE, ...args], {
          encoding: 'utf8',
          stdio: ['ignore', 'pipe', 'ignore'],
        });
        (found[versions[at]] ??= []).push(JSON.parse(line));
      } catch {
        console.error(`${args.join(' ')}: not on Node ${versions[at]}`);
      }
    }
  return Object.fromEntries(
    Object.entries(found).map(([version, all]) => [
      version,
      Object.fromEntries(Object.keys(all[0]).map((key) => [key, rounded(median(all.map((one) => one[key])))])),
    ]),
  );
}

const load = () => undefined;

const before = existsSync(RESULT) ? JSON.parse(readFileSync(RESULT, 'utf8')) : {};
const isMeant = (name) => values.only.split(',').some((part) => name.includes(part));
const of = (kind, name, ...more) => (isMeant(name) ? measured([kind, name, ...more]) : undefined);
const rows = Object.fromEntries(Object.keys(rowsOf(load)).map((name) => [name, of('call', name) ?? before.rows?.[name] ?? {}]));
const blocks = Object.fromEntries(
  Object.keys(jobsOf(load)).flatMap((name) =>
    JOBS.map((jobs) => {
      const key = `${name}, ${jobs} at a time`;
      return [key, of('loop', name, String(jobs)) ?? before.blocks?.[key] ?? {}];
    }),
  ),
);
// What stays was measured earlier: both are named.
const also = (name, now) => {
  const earlier = values.only === '' ? undefined : before.machine?.[name];
  return earlier === undefined || String(earlier).split(', ').includes(now) ? (earlier ?? now) : `${earlier}, ${now}`;
};
const machine = {
  platform: `${process.platform} ${process.arch}`,
  cpu: cpus()[0]?.model.trim(),
  cores: cpus().length,
  load: also('load', loadavg()[0]?.toFixed(1)),
  date: also('date', new Date().toISOString().slice(0, 10)),
  processes: also('processes', values.processes),
};
const unit =
  'rows: ms of processor time of the first call of a process, and of one after five and more. blocks: the longest ms between two turns of the event loop, by the clock. Medians of the processes';
writeFileSync(RESULT, `${JSON.stringify({ unit, machine, packages, rows, blocks }, null, 2)}\n`);
await import('./table.js');
