// How far `nodometer compare` can be believed: the same code against itself, and against itself with a fifth more work, on a machine that
// is kept busy.
// `npm run bench:compare [-- --same 200] [-- --planted 60] [-- --busy 1] [-- --node path/to/node] [-- --no-save]` prints a table and writes
// bench/results/compare.json.
import type { Difference } from '../protocol/evidence.ts';
import { spawn } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { prepareCall } from '../analysis/profile/prepared-call.ts';
import { judgeDifference } from '../profiler/compare/difference.ts';
import { timeInTurns, type TimedProcess } from '../profiler/compare/in-turns.ts';
import { exposeSuffix } from '../profiler/plan/plan.ts';
import { probeNode } from '../profiler/run/probe-node.ts';
import { table } from './lint-command.ts';

const RESULT = fileURLToPath(new URL('./results/compare.json', import.meta.url));
/** As `nodometer compare` has them. */
const ROUNDS = 12;
const PROCESS_MS = 400;
const TOLERANCE = 0.05;

interface Case {
  name: string;
  /** @param work how much: 5 as it is, 6 with a fifth more */
  text(work: number): string;
  call: string;
  /** Its time grows with the work. */
  isScaled: boolean;
}

const CASES: readonly Case[] = [
  {
    name: 'a property of a literal',
    text: () => 'exports.f = (item) => item.price * 2;',
    call: 'exports.f({ price: 2 })',
    isScaled: false,
  },
  {
    name: 'a loop over characters',
    text: (work) =>
      `exports.f = (text) => { let sum = 0; for (let n = 0; n < ${work * 10}; n += 1) for (let i = 0; i < text.length; i += 1) sum = (sum * 31 + text.charCodeAt(i)) | 0; return sum; };`,
    call: "exports.f('nodometer')",
    isScaled: true,
  },
  {
    name: 'objects of a list',
    text: (work) =>
      `exports.f = (list) => { let sum = 0; for (let n = 0; n < ${work}; n += 1) for (const one of list) sum += one.n; return sum; };`,
    call: 'exports.f(Array.from({ length: 100 }, (_, n) => ({ n })))',
    isScaled: true,
  },
  {
    name: 'JSON and strings',
    text: (work) =>
      `exports.f = (name) => { const rows = []; for (let n = 0; n < ${work * 2}; n += 1) rows.push(JSON.stringify({ n, name }).split(',').join(';')); return rows; };`,
    call: "exports.f('tea')",
    isScaled: true,
  },
  {
    name: 'an async function',
    text: (work) => `exports.f = async (n) => { for (let i = 0; i < ${work * 4}; i += 1) n = await n + 1; return n; };`,
    call: 'exports.f(1)',
    isScaled: true,
  },
];

const { values } = parseArgs({
  options: {
    same: { type: 'string', default: '200' },
    planted: { type: 'string', default: '60' },
    busy: { type: 'string', default: '1' },
    node: { type: 'string' },
    'no-save': { type: 'boolean', default: false },
  },
});

const probe = await probeNode(values.node ?? process.execPath);
if (!probe.ok) throw new Error(probe.reason);
const { node } = probe;
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'nodometer-compare-')));
// They end by themselves where the bench was killed.
const BUSY =
  'const parent = process.ppid; setInterval(() => { const end = Date.now() + 200; while (Date.now() < end); if (process.ppid !== parent) process.exit(); }, 0);';
const busy = Array.from({ length: Number(values.busy) }, () => spawn(process.execPath, ['-e', BUSY], { stdio: 'ignore' }));

function processOf({ call, text }: Case, work: number, file: string): TimedProcess {
  const two = prepareCall(call, file);
  const parts = new Map(two ? [[call, two] as const] : []);
  return { node, file, text: text(work) + exposeSuffix([call], '', parts), calls: [call] };
}

async function compare(one: Case, index: number, work: number): Promise<Difference> {
  const file = join(folder, `case-${index}.js`);
  writeFileSync(file, one.text(5));
  const variants = [5, work].map((amount) => ({ processes: [{ process: processOf(one, amount, file), weight: 1 }] }));
  const outcome = await timeInTurns(variants, { rounds: ROUNDS, measureMs: PROCESS_MS });
  if (!outcome.ok) throw new Error(outcome.reason);
  const [a = [], b = []] = outcome.figures;
  return judgeDifference({ name: 'first', figures: a }, { name: 'second', figures: b }, 'call', TOLERANCE);
}

interface Row {
  name: string;
  same: Record<Difference['verdict'], number>;
  planted: Record<Difference['verdict'], number>;
}

const none = (): Row['same'] => ({ slower: 0, faster: 0, same: 0, inconclusive: 0 });
const rows = CASES.map(({ name }): Row => ({ name, same: none(), planted: none() }));
try {
  const scaled = CASES.filter(({ isScaled }) => isScaled).length;
  for (const [index, one] of CASES.entries()) {
    const row = rows[index];
    if (!row) continue;
    for (let i = 0; i < Math.ceil(Number(values.same) / CASES.length); i += 1) row.same[(await compare(one, index, 5)).verdict] += 1;
    if (one.isScaled)
      for (let i = 0; i < Math.ceil(Number(values.planted) / scaled); i += 1) row.planted[(await compare(one, index, 6)).verdict] += 1;
    console.log(JSON.stringify(row));
  }
} finally {
  for (const child of busy) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}

const sum = (of: (row: Row) => number): number => rows.reduce((total, row) => total + of(row), 0);
const countOf = (counts: Row['same']): number => counts.slower + counts.faster + counts.same + counts.inconclusive;
const outcome = {
  same: { comparisons: sum(({ same }) => countOf(same)), toldAsDifferent: sum(({ same }) => same.slower + same.faster) },
  planted: { comparisons: sum(({ planted }) => countOf(planted)), found: sum(({ planted }) => planted.slower) },
};
console.log(
  table(
    ['function', 'same code: different', 'open', 'of', 'a fifth more: found', 'open', 'of'],
    rows.map(({ name, same, planted }) =>
      [name, same.slower + same.faster, same.inconclusive, countOf(same), planted.slower, planted.inconclusive, countOf(planted)].map(
        String,
      ),
    ),
  ),
);
console.log(JSON.stringify(outcome));
if (!values['no-save'])
  writeFileSync(
    RESULT,
    `${JSON.stringify({ date: new Date().toISOString().slice(0, 10), node: node.version, cpu: cpus()[0]?.model, cores: cpus().length, busyProcesses: busy.length, load: loadavg()[0], rounds: ROUNDS, processMs: PROCESS_MS, ...outcome, rows }, null, 2)}\n`,
  );
