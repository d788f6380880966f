// What packages take to load, each in fresh processes, on several versions of Node.
//   node bench/load-times/measure.js <folder> <node>… > load-times.jsonl
// The folder has one folder for each package, in which `npm install` was run: `lodash`, `@babel+core`, `typescript@5`. No dependencies.
// `cached`: the same with V8's code cache on disk, which `module.enableCompileCache()` turns on (Node 22.1 and later).
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const SAMPLES = 3;
/** Less is not listed, and not measured any further. */
const LEAST_MS = 20;
const child = join(import.meta.dirname, 'child.cjs');

const median = (numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1];
const round = (ms) => Math.round(ms * 10) / 10;

function load(node, folder, name, env) {
  const text = execFileSync(node, [child, folder, name], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, ...env },
    timeout: 30_000,
  });
  return JSON.parse(text.slice(text.lastIndexOf('\n@') + 2));
}

const versionOf = (node) => execFileSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' }).trim();

function measure({ node, version: of }, folder, name) {
  const { packages, version } = load(node, folder, name, {});
  const ms = median(Array.from({ length: SAMPLES }, () => load(node, folder, name, {}).ms));
  if (Number(of.split('.')[0]) < 22 || ms < LEAST_MS) return { ms: round(ms), packages, version };
  const cache = mkdtempSync(join(tmpdir(), 'load-times-'));
  const env = { NODE_COMPILE_CACHE: cache };
  try {
    load(node, folder, name, env);
    return {
      ms: round(ms),
      cached: round(median(Array.from({ length: SAMPLES }, () => load(node, folder, name, env).ms))),
      packages,
      version,
    };
  } finally {
    rmSync(cache, { recursive: true, force: true });
  }
}

const [root, ...binaries] = process.argv.slice(2);
const nodes = binaries.map((node) => ({ node, version: versionOf(node) }));
const folders = readdirSync(root).sort();
const nameOf = (folder) => folder.replace('+', '/').replace(/(.)@.*/, '$1');
for (const folder of folders) {
  const name = nameOf(folder);
  const times = {};
  let loads = [];
  let own = '';
  try {
    for (const node of nodes) {
      if (Object.values(times).some(({ ms }) => ms < LEAST_MS)) break;
      const { ms, cached, packages, version } = measure(node, resolve(root, folder), name);
      times[node.version] = cached === undefined ? { ms } : { ms, cached };
      loads = packages.filter((one) => one !== name).sort();
      own = version;
    }
    console.log(JSON.stringify({ name, version: own, times, loads }));
  } catch (error) {
    console.error(name, 'cannot be loaded:', String(error.message).slice(0, 200));
  }
}
