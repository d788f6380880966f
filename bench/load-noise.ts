// How far `nodometer compare --load` can be believed: the same server against itself, and against itself with a fifth more work.
// `npm run bench:load [-- --same 100] [-- --planted 20] [-- --rounds 12] [-- --seconds 1] [-- --node path/to/node] [-- --no-save]` prints a
// table and writes bench/results/load.json. With the defaults of the command (12 processes of 2 s) 100 comparisons take three hours.
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { compareUnderLoad } from '../profiler/load/compare.ts';
import { probeNode } from '../profiler/run/probe-node.ts';
import type { LoadDifference } from '../protocol/load.ts';
import { table } from './lint-command.ts';

const RESULT = fileURLToPath(new URL('./results/load.json', import.meta.url));
const MS_PER_S = 1000;
/** As `nodometer compare --load` has it. */
const TOLERANCE = 0.05;
const CONNECTIONS = 10;
const WORK = 50_000;
const A_FIFTH_MORE = 60_000;

const { values } = parseArgs({
  options: {
    same: { type: 'string', default: '100' },
    planted: { type: 'string', default: '20' },
    rounds: { type: 'string', default: '12' },
    seconds: { type: 'string', default: '2' },
    'warm-up': { type: 'string', default: '1' },
    node: { type: 'string' },
    'no-save': { type: 'boolean', default: false },
  },
});

const probe = await probeNode(values.node ?? process.execPath);
if (!probe.ok) throw new Error(probe.reason);
const { node } = probe;
const rounds = Number(values.rounds);
const load = {
  request: { method: 'GET', path: '/' },
  connections: CONNECTIONS,
  warmUpMs: Number(values['warm-up']) * MS_PER_S,
  measureMs: Number(values.seconds) * MS_PER_S,
};
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'nodometer-bench-')));
const write = (name: string, work: number): string => {
  const path = join(folder, name);
  writeFileSync(
    path,
    `require('node:http').createServer((request, response) => { let sum = 0; for (let n = 0; n < ${work}; n += 1) sum = (sum * 31 + n) | 0; response.end(String(sum)); }).listen(3000);\n`,
  );
  return path;
};

async function compare(first: string, second: string, count: number): Promise<LoadDifference[]> {
  const found: LoadDifference[] = [];
  const version = (name: string, file: string) => ({
    name,
    program: { node, target: { type: 'file' as const, file, arguments: [] }, cwd: folder },
  });
  for (let i = 0; i < count; i += 1) {
    const outcome = await compareUnderLoad(version('first', first), version('second', second), { load, rounds, tolerance: TOLERANCE });
    if (!outcome.ok) throw new Error(outcome.reason);
    found.push(outcome.difference);
    process.stderr.write(`\r${i + 1}/${count} ${outcome.difference.verdict} ${outcome.difference.ratio.toFixed(3)}   `);
  }
  return found;
}

const countOf = (differences: readonly LoadDifference[], verdict: LoadDifference['verdict']): number =>
  differences.filter((one) => one.verdict === verdict).length;

try {
  const own = write('server.js', WORK);
  const cases = [
    { name: 'the same server', truth: 'same', differences: await compare(own, own, Number(values.same)) },
    {
      name: 'a fifth more work',
      truth: 'slower',
      differences: await compare(own, write('slower.js', A_FIFTH_MORE), Number(values.planted)),
    },
  ];
  const rows = cases.map(({ name, truth, differences }) => ({
    name,
    truth,
    comparisons: differences.length,
    same: countOf(differences, 'same'),
    slower: countOf(differences, 'slower'),
    faster: countOf(differences, 'faster'),
    inconclusive: countOf(differences, 'inconclusive'),
    // Whatever the tolerance: that the interval leaves 1 out.
    shown: differences.filter(({ low, high }) => low > 1 || high < 1).length,
    ratios: differences.map(({ ratio, low, high }) => [ratio, low, high].map((value) => Number(value.toFixed(4)))),
  }));
  process.stderr.write('\n');
  console.log(
    table(
      ['case', 'comparisons', 'interval without 1', 'same', 'slower', 'faster', 'inconclusive'],
      rows.map((row) => [row.name, row.comparisons, row.shown, row.same, row.slower, row.faster, row.inconclusive]),
    ),
  );
  if (!values['no-save'])
    writeFileSync(
      RESULT,
      `${JSON.stringify({ date: new Date().toISOString().slice(0, 10), node: node.version, cpu: cpus()[0]?.model, cores: cpus().length, loadAverage: loadavg().map((value) => Number(value.toFixed(1))), rounds, load, rows }, null, 2)}\n`,
    );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
