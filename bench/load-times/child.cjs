// Loads one package in a fresh process, and prints what that took. Started by measure.js: `node child.cjs <folder> <package>`.
const { createRequire } = require('node:module');
const { join } = require('node:path');

const [, , folder, name] = process.argv;
const load = createRequire(join(folder, 'index.js'));

/** Waiting for a processor is not the package's fault: where the processor worked for less, that counts. */
function timeSince({ wall, cpu }) {
  const { user, system } = process.cpuUsage(cpu);
  return Math.min(performance.now() - wall, (user + system) / 1000);
}

async function main() {
  const start = { wall: performance.now(), cpu: process.cpuUsage() };
  let ms;
  try {
    load(name);
    ms = timeSince(start);
  } catch (error) {
    if (!/^ERR_REQUIRE/.test(error.code)) throw error;
    const again = { wall: performance.now(), cpu: process.cpuUsage() };
    await import(require('node:url').pathToFileURL(load.resolve(name)).href);
    ms = timeSince(again);
  }
  const packages = new Set(Object.keys(require.cache).flatMap((file) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []));
  console.log(`\n@${JSON.stringify({ ms, packages: [...packages], version: versionOf() })}`);
  process.exit(0);
}

function versionOf() {
  return JSON.parse(require('node:fs').readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')).version;
}

main();
