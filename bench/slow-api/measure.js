// What is said to be slow, against what does the same: writes bench/results/slow-api.json, the figures of the rule
// (knowledge/slow-api-figures.ts), and the table on its page.
//   node bench/slow-api/measure.js [--processes 5] [node ...]
// Each process measures all rows with both forms in turns. The ratio has a 99 % interval over the processes. Installs jsonwebtoken at an
// exact version, once, into .cache/slow-api.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const CACHE = fileURLToPath(new URL('../../.cache/slow-api', import.meta.url));
const RESULT = fileURLToPath(new URL('../results/slow-api.json', import.meta.url));
const PACKAGES = { jsonwebtoken: '9.0.2' };
// Student's t for 99 %, by the number of processes.
const T_99 = { 3: 9.925, 4: 5.841, 5: 4.604, 6: 4.032, 7: 3.707, 8: 3.499, 9: 3.355, 10: 3.25 };
// Work whose time does not grow with the calls was left out, or done once.
const GROWTH = [0.6, 1.7];

const { values, positionals } = parseArgs({ allowPositionals: true, options: { processes: { type: 'string', default: '5' } } });
const processes = Number(values.processes);
if (!T_99[processes]) throw new Error('3 to 10 processes');
const nodes = positionals.length > 0 ? positionals : [process.execPath];

const manifest = JSON.stringify({ private: true, dependencies: PACKAGES });
if (!existsSync(join(CACHE, 'package.json')) || readFileSync(join(CACHE, 'package.json'), 'utf8') !== manifest) {
  mkdirSync(CACHE, { recursive: true });
  writeFileSync(join(CACHE, 'package.json'), manifest);
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--prefer-offline'];
  execFileSync('npm', args, { cwd: CACHE, stdio: ['ignore', 'ignore', 'inherit'] });
}

const versions = nodes.map((node) => execFileSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' }).trim());
const began = loadavg()[0];
const found = new Map();
// In turns, so that what crowds the machine for a while crowds all versions.
for (let i = 0; i < processes; i += 1)
  for (const [at, node] of nodes.entries()) {
    const text = execFileSync(node, ['--expose-gc', join(HERE, 'child.cjs'), CACHE], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    for (const line of text.trim().split('\n')) {
      const { name, ...row } = JSON.parse(line);
      if (row.problem) throw new Error(`${name}, Node ${versions[at]}: ${row.problem}`);
      const byVersion = found.get(name) ?? {};
      found.set(name, byVersion);
      (byVersion[versions[at]] ??= []).push(row);
    }
  }

const median = (numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1];
const rounded = (value) => Number(value.toPrecision(3));

/** Medians in ns above the empty call, the ratio with its interval, and whether the guard of growing time held. */
function figuresOf(samples) {
  const slow = samples.map((one) => one.slow - one.empty);
  const fast = samples.map((one) => one.fast - one.empty);
  const figures = { slow: rounded(median(slow)), fast: rounded(median(fast)) };
  const grows = [0, 1].every((form) => {
    const growth = median(samples.map((one) => one.growth[form]));
    return growth >= GROWTH[0] && growth <= GROWTH[1];
  });
  // Less than a nanosecond is the noise of the empty call.
  const logs = slow.map((ns, i) => Math.log(Math.max(1, ns) / Math.max(1, fast[i])));
  const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length;
  const deviation = Math.sqrt(logs.reduce((sum, log) => sum + (log - mean) ** 2, 0) / (logs.length - 1));
  const half = (T_99[logs.length] * deviation) / Math.sqrt(logs.length);
  return { ...figures, ratio: rounded(Math.exp(mean)), low: rounded(Math.exp(mean - half)), high: rounded(Math.exp(mean + half)), grows };
}

const rows = Object.fromEntries(
  [...found].map(([name, byVersion]) => [
    name,
    Object.fromEntries(Object.entries(byVersion).map(([version, samples]) => [version, figuresOf(samples)])),
  ]),
);
const machine = {
  platform: `${process.platform} ${process.arch}`,
  cpu: cpus()[0]?.model.trim(),
  cores: cpus().length,
  load: [began, loadavg()[0]].map((load) => load.toFixed(1)).join(' to '),
  date: new Date().toISOString().slice(0, 10),
  processes,
};
writeFileSync(
  RESULT,
  `${JSON.stringify({ unit: 'ns of processor time per call, above an empty call', machine, packages: PACKAGES, rows }, null, 2)}\n`,
);
await import('./table.js');
