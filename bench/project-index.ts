// The index of whole projects: cold, warm, edits, memory and growth, against bare Babel parses in the same run.
// `npm run bench:index [-- --folder path/to/app]… [-- --no-ghost] [-- --rounds 3] [-- --files 3000] [-- --edits 90] [-- --sizes
// 100,300,1000,3000,10000] [-- --no-save]`
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir, totalmem } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build as bundle } from 'esbuild';
import { SCRIPT_FILE } from '../analysis/module/parse.ts';
import { build } from '../scripts/build.ts';
import { DEFAULT_MAX_FILE_SIZE, readSource } from '../workspace/discovery/read-source.ts';
import { plotGrowth, type GrowthPoint } from './index/plot.ts';
import { startNodometer } from './latency/nodometer.ts';
import { table } from './lint-command.ts';
import { makeWorkspace } from './many-files.ts';
import { fetchPackage } from './packages.ts';
import { measure, median, percentile } from './speed/measure.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const CACHE = fileURLToPath(new URL('../.cache/index/', import.meta.url));
const RESULT = join(HERE, 'results', 'project-index.json');
const PLOT = join(HERE, 'results', 'project-index-growth.svg');
/** Edits are gathered for so long before the index hears of them, in ms (`server/index-client.ts`). */
const GATHER_MS = 40;
const TARGETS = { coldRatio: 1.5, warmSeconds: 1, editP95Ms: 150, memoryMb: 400, loopDelayP99Ms: 20 };

const { values } = parseArgs({
  options: {
    folder: { type: 'string', multiple: true },
    rounds: { type: 'string', default: '3' },
    edits: { type: 'string', default: '90' },
    files: { type: 'string', default: '3000' },
    sizes: { type: 'string', default: '100,300,1000,3000,10000' },
    'no-ghost': { type: 'boolean', default: false },
    'no-save': { type: 'boolean', default: false },
  },
});
const rounds = Number(values.rounds);
const memoryFiles = Number(values.files);
/** What takes minutes says how far it is. */
const tell = (what: string): void => console.error(`${new Date().toISOString().slice(11, 19)} ${what}`);

async function bundled(entry: string): Promise<string> {
  const outfile = join(CACHE, basename(entry).replace(/\.ts$/, '.mjs'));
  await bundle({
    entryPoints: [join(HERE, entry)],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    mainFields: ['module', 'main'],
    minifySyntax: true,
    minifyWhitespace: true,
    banner: { js: `import{createRequire as benchRequire}from'node:module';const require=benchRequire(import.meta.url);` },
  });
  return outfile;
}

const LINT = ['--no-ignore', '--no-config', '--no-progress', '--format', 'json', '--exit-zero'];

/** In seconds; the medians of all rounds. Parses and runs take turns, so that a busy machine is busy for both. */
function coldAndWarm(folder: string, command: string, inProcess: string, work: string) {
  const lint = (...more: string[]) => ({
    name: 'nodometer',
    file: process.execPath,
    args: [command, 'lint', folder, ...LINT, ...more],
    okCodes: [0],
  });
  const listed = measure(lint('--list-files'))
    .stdout.split('\n')
    .filter((path) => SCRIPT_FILE.test(path))
    .map((path) => join(process.cwd(), path));
  const isListed = new Set(listed);
  // What is listed is looked at when it is read: minified, compiled, and large files are left out then, of the parse as of the lint.
  const scripts = listed.filter((path) => readSource(path, DEFAULT_MAX_FILE_SIZE, false, (one) => isListed.has(one)).kind === 'text');
  const list = join(work, 'files');
  writeFileSync(list, scripts.join('\n'));
  const runs = { parse: [] as number[], cold: [] as number[], warm: [] as number[], coldMb: [] as number[] };
  let findings = 0;
  for (let i = 0; i < rounds; i++) {
    runs.parse.push(measure({ name: 'Babel parse', file: process.execPath, args: [inProcess, 'parse', list], okCodes: [0] }).seconds);
    const cache = join(work, `${i}.cache`);
    const cold = measure(lint('--cache-location', cache));
    runs.cold.push(cold.seconds);
    runs.coldMb.push(cold.megabytes ?? Number.NaN);
    findings = (JSON.parse(cold.stdout) as unknown[]).length;
    runs.warm.push(measure(lint('--cache-location', cache)).seconds);
    rmSync(cache, { force: true });
  }
  tell(`${folder}: cold and warm runs of ${scripts.length} files`);
  const [parse, cold, warm] = [median(runs.parse), median(runs.cold), median(runs.warm)];
  return { files: scripts.length, findings, parse, cold, ratio: cold / parse, warm, coldMb: median(runs.coldMb), runs };
}

interface EditsResult {
  files: number;
  withFindings: number;
  buildMs: number;
  rssMb: number;
  changed: number;
  samples: Record<string, number[]>;
  /** What it took to make the index ready for edits of a file that was opened, in ms. */
  preparations: number[];
}

function editsIn(folder: string, script: string, thread: string) {
  const { stdout } = measure({
    name: 'edits',
    file: process.execPath,
    args: [script, folder, values.edits, pathToFileURL(thread).href],
    okCodes: [0],
  });
  const { samples, preparations, ...rest } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as EditsResult;
  tell(`${folder}: edits`);
  // Edits that came before the index was ready are told apart.
  const all = Object.entries(samples).flatMap(([kind, ms]) => (kind.endsWith('at once') ? [] : ms));
  const of = (ms: readonly number[]) => ({ edits: ms.length, p50: percentile(ms, 0.5), p95: percentile(ms, 0.95), max: Math.max(...ms) });
  return {
    ...rest,
    preparation: of(preparations),
    all: of(all),
    byKind: Object.fromEntries(Object.entries(samples).map(([kind, ms]) => [kind, of(ms)])),
  };
}

/** The server as an editor starts it, on a folder that no cache knows, until its index is built. */
async function serverOn(folder: string, server: string) {
  const client = await startNodometer(server, folder, 'pull');
  const started = performance.now();
  while (!client.log.some((message) => message.includes('files of the project were read'))) {
    if (!client.isRunning()) throw new Error(`the server ended: ${client.log.join('\n')}`);
    await sleep(100);
  }
  const seconds = (performance.now() - started) / 1000;
  const status = process.platform === 'linux' ? readFileSync(`/proc/${client.pid}/status`, 'utf8') : '';
  const kilobytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]);
  const memory = { atRestMb: Math.round(kilobytes('VmRSS') / 1024), peakMb: Math.round(kilobytes('VmHWM') / 1024) };
  await client.close();
  tell('the server');
  const delay = client.log.filter((message) => message.startsWith('Event-loop delay')).at(-1) ?? '';
  return { seconds, ...memory, loopDelayP99Ms: Number(/p99 ([\d.]+)/.exec(delay)?.[1]), delay };
}

function growth(command: string, work: string): GrowthPoint[] {
  return values.sizes
    .split(',')
    .map(Number)
    .filter(Boolean)
    .map((files) => {
      const folder = join(work, `growth-${files}`);
      makeWorkspace(folder, files);
      const { seconds, megabytes } = measure({
        name: 'nodometer',
        file: process.execPath,
        args: [command, 'lint', folder, ...LINT, '--no-cache'],
        okCodes: [0],
      });
      rmSync(folder, { recursive: true, force: true });
      tell(`${files} files`);
      return { files, seconds, megabytes: megabytes ?? Number.NaN };
    });
}

async function main(): Promise<void> {
  mkdirSync(CACHE, { recursive: true });
  const work = realpathSync(mkdtempSync(join(tmpdir(), 'nodometer-index-')));
  // The user's own caches are left alone.
  process.env.XDG_CACHE_HOME = join(work, 'caches');
  try {
    const { command } = await build(join(CACHE, 'command'));
    const [inProcess, edits] = [await bundled('speed/in-process.ts'), await bundled('index/edits.ts')];
    const dist = dirname(command);
    const loadBefore = loadavg()[0] ?? 0;
    const folders = [...(values['no-ghost'] ? [] : [fetchPackage('ghost@5.130.6')]), ...(values.folder ?? [])].map((folder) =>
      realpathSync(folder),
    );
    const projects = folders.map((folder) => ({
      name: basename(folder),
      ...coldAndWarm(folder, command, inProcess, work),
      edits: editsIn(folder, edits, join(dist, 'analysis-thread.js')),
    }));
    const many = join(work, 'many');
    makeWorkspace(many, memoryFiles);
    const large = {
      ...coldAndWarm(many, command, inProcess, work),
      edits: editsIn(many, edits, join(dist, 'analysis-thread.js')),
      server: await serverOn(many, join(dist, 'server.js')),
    };
    const grown = growth(command, work);
    const loadAfter = loadavg()[0] ?? 0;
    const all = [...projects, { name: `${memoryFiles} copies`, ...large }];
    const ms = (value: number) => value.toFixed(0);
    console.log(
      table(
        ['', 'files', 'parse s', 'cold s', `ratio (≤ ${TARGETS.coldRatio})`, 'warm s', 'cold MB', 'findings'],
        all.map((one) => [
          one.name,
          one.files,
          one.parse.toFixed(2),
          one.cold.toFixed(2),
          one.ratio.toFixed(2),
          one.warm.toFixed(2),
          one.coldMb,
          one.findings,
        ]),
      ),
    );
    console.log(
      `\nFrom an edit that the index hears of to all findings told, others' included, in ms; ${GATHER_MS} ms of gathering come on top (target p95 ≤ ${TARGETS.editP95Ms} in all)\n`,
    );
    console.log(
      table(
        ['', 'edit', 'edits', 'p50', 'p95', 'max'],
        all.flatMap(({ name, edits: { all: total, byKind, preparation } }) =>
          Object.entries({ all: total, ...byKind, '(made ready)': preparation }).map(([kind, one]) => [
            name,
            kind,
            one.edits,
            ms(one.p50),
            ms(one.p95),
            ms(one.max),
          ]),
        ),
      ),
    );
    console.log(
      `\n${memoryFiles} files in the server: index built after ${large.server.seconds.toFixed(1)} s, ${large.server.atRestMb} MB then, ${large.server.peakMb} MB at most (target ≤ ${TARGETS.memoryMb}); loop delay p99 ${large.server.loopDelayP99Ms} ms (target ≤ ${TARGETS.loopDelayP99Ms})\n`,
    );
    console.log(
      table(
        ['files', 'seconds', 'ms per file', 'MB'],
        grown.map(({ files, seconds, megabytes }) => [files, seconds.toFixed(2), ((seconds / files) * 1000).toFixed(2), megabytes]),
      ),
    );
    console.log(`\nload ${loadBefore.toFixed(1)} before, ${loadAfter.toFixed(1)} after, on ${cpus().length} cores`);
    if (values['no-save']) return;
    mkdirSync(dirname(RESULT), { recursive: true });
    writeFileSync(PLOT, plotGrowth(grown));
    writeFileSync(
      RESULT,
      `${JSON.stringify(
        {
          machine: {
            cpu: cpus()[0]?.model,
            cores: cpus().length,
            memoryGb: Math.round(totalmem() / 2 ** 30),
            node: process.version,
            platform: `${process.platform} ${process.arch}`,
            loadBefore,
            loadAfter,
          },
          targets: TARGETS,
          gatherMs: GATHER_MS,
          projects,
          large,
          growth: grown,
          plot: relative(HERE, PLOT),
        },
        null,
        1,
      )}\n`,
    );
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

await main();
