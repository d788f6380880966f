// What building something takes that could be built once, against one use of it: bench/results/setup-costs.json, which
// knowledge/setup-calls.ts and the page of no-setup-per-request quote.
//   node bench/setup-costs/measure.js [--processes 5] [--postgres <url>] <node> [<node> …]    Node binaries; this one if there is none
// `--connections` measures those alone, and keeps the rows. With a URL, also what a new pool and its first query take there, against a
// query of a pool that is connected. With `--only <row>`, which may be given several times, only those rows are measured, and the others
// are kept. They say when that was. Installs the packages at exact versions, once, into .cache/setup-costs.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const CACHE = fileURLToPath(new URL('../../.cache/setup-costs', import.meta.url));
const RESULT = fileURLToPath(new URL('../results/setup-costs.json', import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    processes: { type: 'string', default: '5' },
    postgres: { type: 'string' },
    connections: { type: 'boolean' },
    only: { type: 'string', multiple: true, default: [] },
  },
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

const UNIT = 'ns of processor time, median of the processes';
const median = (numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1];
/** Three digits: the fourth is another one in the next process. */
const rounded = (ns) => Number(ns.toPrecision(3));

const versions = nodes.map((node) => execFileSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' }).trim());
// Sockets wait: one process each is enough.
const connections = {};
for (const [at, node] of values.only.length > 0 ? [] : nodes.entries()) {
  const args = [join(HERE, 'connections.cjs'), CACHE, ...(values.postgres ? [values.postgres] : [])];
  for (const line of execFileSync(node, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
    .trim()
    .split('\n')) {
    const { name, kept, own } = JSON.parse(line);
    (connections[name] ??= {})[versions[at]] = { kept: rounded(kept), own: rounded(own) };
  }
}

const found = new Map();
// In turns, so that what crowds the machine for a while crowds all versions.
for (let i = 0; i < (values.connections ? 0 : Number(values.processes)); i += 1)
  for (const [at, node] of nodes.entries()) {
    const args = ['--expose-gc', join(HERE, 'child.cjs'), CACHE, ...values.only];
    for (const line of execFileSync(node, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
      .trim()
      .split('\n')) {
      const { name, build, use } = JSON.parse(line);
      const row = found.get(name) ?? { build: {}, use: {} };
      found.set(name, row);
      (row.build[versions[at]] ??= []).push(build);
      if (use !== undefined) (row.use[versions[at]] ??= []).push(use);
    }
  }

const medians = (byVersion) => Object.fromEntries(Object.entries(byVersion).map(([version, list]) => [version, rounded(median(list))]));
const rows = Object.fromEntries(
  [...found].map(([name, { build, use }]) => [name, { build: medians(build), ...(Object.keys(use).length > 0 && { use: medians(use) }) }]),
);
const machine = {
  platform: `${process.platform} ${process.arch}`,
  cpu: cpus()[0]?.model.trim(),
  cores: cpus().length,
  load: loadavg()[0]?.toFixed(1),
  date: new Date().toISOString().slice(0, 10),
  processes: Number(values.processes),
};
const former = existsSync(RESULT) ? JSON.parse(readFileSync(RESULT, 'utf8')) : undefined;
const { date, load, processes } = machine;
/** The rows keep the machine that measured them. */
const result = () => {
  if (values.connections) return { ...former, connections };
  if (values.only.length === 0) return { unit: UNIT, machine, packages, rows, connections };
  const later = Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, { ...row, later: { date, load, processes } }]));
  return { ...former, packages, rows: { ...former.rows, ...later } };
};
writeFileSync(RESULT, `${JSON.stringify(result(), null, 2)}\n`);
await import('./table.js');
