// When a worker, WebAssembly, or a Node-API addon pays (docs/leaving-javascript.md): three loops in six ways, start-up and copying
// included. `node bench/leaving-javascript/measure.js [path/to/node …]`; needs gcc or cc, and npm for two packages that it puts in a
// temporary folder. Prints one table for each Node.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const PACKAGES = ['wabt@1.0.39', 'node-api-headers@1.9.0'];
const WAYS = ['inline', 'tuned', 'worker-per-call', 'kept-worker', 'wasm', 'addon'];
const LOOPS = { compute: [1_000, 100_000, 5_000_000], checksum: [1_000_000], hash64: [1_000_000] };
/** Fresh processes for each figure. */
const PROCESSES = 5;
/** In ms; the slowest takes a second. */
const TIMEOUT = 60_000;

const folder = mkdtempSync(join(tmpdir(), 'leaving-javascript-'));
try {
  await build();
  for (const node of process.argv.length > 2 ? process.argv.slice(2) : [process.execPath]) measure(node);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function build() {
  writeFileSync(join(folder, 'package.json'), '{}');
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...PACKAGES], { cwd: folder, stdio: 'ignore' });
  const require = createRequire(join(folder, 'package.json'));
  const wabt = await require('wabt')();
  const module = wabt.parseWat('loops.wat', readFileSync(join(FOLDER, 'loops.wat'), 'utf8'));
  writeFileSync(join(folder, 'loops.wasm'), module.toBinary({}).buffer);
  const include = require('node-api-headers').include_dir;
  execFileSync('cc', ['-O2', '-shared', '-fPIC', `-I${include}`, join(FOLDER, 'addon.c'), '-o', join(folder, 'addon.node')]);
}

function measure(node) {
  const version = execFileSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' }).trim();
  console.log(`\nNode ${version}, ms; median of ${PROCESSES} processes (lowest to highest)\n`);
  console.log('| loop | size | option | until the first result | each later call | event loop blocked by it |');
  console.log('|---|---:|---|---:|---:|---:|');
  for (const [loop, sizes] of Object.entries(LOOPS)) {
    for (const size of sizes) {
      const results = Object.fromEntries(WAYS.map((way) => [way, []]));
      // In turn, so that what slows the machine down for a while does so for all.
      for (let i = 0; i < PROCESSES; i += 1) {
        for (const way of i % 2 === 0 ? WAYS : [...WAYS].reverse()) {
          const out = execFileSync(node, [join(FOLDER, 'one-way.cjs'), loop, way, String(size), folder], {
            encoding: 'utf8',
            timeout: TIMEOUT,
          });
          results[way].push(JSON.parse(out));
        }
      }
      for (const way of WAYS) {
        const cell = (key) => figures(results[way].map((result) => result[key]));
        console.log(`| ${loop} | ${size.toLocaleString('en-US')} | ${way} | ${cell('first')} | ${cell('each')} | ${cell('held')} |`);
      }
    }
  }
}

function figures(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const text = (value) => (value >= 100 ? value.toFixed(0) : value.toPrecision(2));
  return `${text(sorted[Math.floor(sorted.length / 2)])} (${text(sorted[0])} to ${text(sorted.at(-1))})`;
}
