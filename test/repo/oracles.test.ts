// A rule that says `measured` has an oracle, and the record holds a run of today's files that confirmed it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { validRange } from 'semver';
import type { AnyRule } from '../../analysis/rule.ts';
import type { Oracle, OracleMetric } from '../../rules/shared/oracle.ts';
import { ROOT, ruleIds } from '../../scripts/generate.ts';
import {
  hashOracle,
  judge,
  mergeEntry,
  oracleTable,
  rulesWithOracle,
  spreadOf,
  TABLE_END,
  TABLE_START,
  withTable,
  type OracleEntry,
} from '../../scripts/oracles/record.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

const CHILD = join(ROOT, 'scripts', 'oracle-run.js');
const METRICS: ReadonlySet<OracleMetric> = new Set(['time-ratio', 'loop-delay-ratio', 'timer-starved', 'heap-kept']);

// A comparison of the small examples below takes about two seconds.
const LIMIT_MS = 60_000;

const record = JSON.parse(readFileSync(join(ROOT, 'bench', 'oracles.json'), 'utf8')) as OracleEntry[];

async function load<T>(rule: string, file: string): Promise<T> {
  return (await import(pathToFileURL(join(ROOT, 'rules', rule, file)).href)) as T;
}

for (const id of ruleIds()) {
  test(`${id}: what is said to be measured has been measured`, async () => {
    const { rule } = await load<{ rule: AnyRule }>(id, 'rule.ts');
    if (rule.meta.proof !== 'measured') return;
    assert.ok(rulesWithOracle(ROOT).includes(id), `rules/${id} says proof: 'measured' but lacks bad.js, good.js or oracle.ts`);
    const fresh = record.filter((entry) => entry.rule === id && entry.hash === hashOracle(ROOT, id));
    assert.ok(fresh.length > 0, `bench/oracles.json has no run of today's bad.js, good.js and oracle.ts: npm run oracles -- ${id}`);
    assert.deepEqual(
      fresh.filter((entry) => entry.verdict !== 'confirmed').map((entry) => `${entry.verdict} on Node ${entry.node}`),
      [],
    );
  });
}

for (const id of rulesWithOracle(ROOT)) {
  test(`${id}: the oracle is well formed, and its README shows the record`, async () => {
    const { oracle } = await load<{ oracle: Oracle }>(id, 'oracle.ts');
    assert.ok(METRICS.has(oracle.metric));
    assert.ok(oracle.atLeast >= 1 && oracle.calls >= 1 && oracle.why.length > 20 && validRange(oracle.nodeRange));
    assert.deepEqual(JSON.parse(JSON.stringify(oracle.args())), oracle.args(), 'arguments are JSON values');
    assert.notEqual(oracle.args(), oracle.args(), 'each sample gets arguments of its own');
    const readme = readFileSync(join(ROOT, 'rules', id, 'README.md'), 'utf8');
    assert.ok(
      readme.includes(TABLE_START),
      dedent`
        the README has no place for the measured table: put these two lines under "## Measured"
        ${TABLE_START}
        ${TABLE_END}
      `,
    );
    assert.equal(readme, withTable(readme, oracleTable(record, id)), 'npm run oracles writes the table');
    const fns = await Promise.all(
      ['bad.js', 'good.js'].map(async (file) => (await load<Record<string, unknown>>(id, file))[oracle.exportName]),
    );
    const results = await Promise.all(
      fns.map(async (fn) => {
        assert.ok(typeof fn === 'function', `bad.js and good.js export ${oracle.exportName}`);
        return (await Reflect.apply(fn, undefined, [...oracle.args()])) as unknown;
      }),
    );
    assert.deepEqual(results[0], results[1], 'bad.js and good.js return the same');
  });
}

/** Runs the child with small files in place of a rule's. */
function compare(oracle: Partial<Oracle>, bad: string, good: string): { problem?: string; value?: number } {
  const folder = mkdtempSync(join(tmpdir(), 'oracle-test-'));
  try {
    const { args, ...rest } = { exportName: 'work', calls: 1, args: '() => [1]', ...oracle };
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    writeFileSync(join(folder, 'oracle.mjs'), `export const oracle = { ...${JSON.stringify(rest)}, args: ${String(args)} };`);
    writeFileSync(join(folder, 'bad.js'), bad);
    writeFileSync(join(folder, 'good.js'), good);
    const run = spawnSync(process.execPath, [CHILD, ...['oracle.mjs', 'bad.js', 'good.js'].map((name) => join(folder, name))], {
      encoding: 'utf8',
      timeout: LIMIT_MS,
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    assert.equal(run.status, 0, run.stderr);
    return JSON.parse(run.stdout) as { problem?: string; value?: number };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const spin = (ms: number): string => `const end = performance.now() + ${ms}; while (performance.now() < end);`;
const starving = `export async function work() { ${spin(30).replace('while (performance.now() < end);', 'while (performance.now() < end) await null;')} return 1; }`;
const yielding = `export async function work() { ${spin(30).replace('while (performance.now() < end);', 'while (performance.now() < end) await new Promise(setImmediate);')} return 1; }`;

test('heap-kept counts what stays, and not what a call takes for itself', () => {
  const keeping = 'const all = []; export const work = () => all.push(new Array(100).fill(1)) > 0;';
  const leaving = 'export const work = () => [].concat(new Array(100).fill(1)).length > 0;';
  const kept = compare({ metric: 'heap-kept', calls: 200 }, keeping, leaving).value ?? 0;
  assert.ok(kept > 700 && kept < 1100, String(kept));
  assert.ok((compare({ metric: 'heap-kept', calls: 200 }, leaving, keeping).value ?? 0) < 0);
});

test('timer-starved tells starving from yielding, and the other way round shows nothing', () => {
  assert.equal(compare({ metric: 'timer-starved' }, starving, yielding).value, 1);
  assert.equal(compare({ metric: 'timer-starved' }, yielding, starving).value, 0);
  assert.match(
    compare({ metric: 'timer-starved' }, 'export const work = () => 1;', 'export const work = () => 1;').problem ?? '',
    /more calls/,
  );
});

test('time-ratio and loop-delay-ratio see a difference that is there', () => {
  const slow = `export function work() { ${spin(8)} return 1; }`;
  const quick = `export function work() { ${spin(1)} return 1; }`;
  assert.ok((compare({ metric: 'time-ratio' }, slow, quick).value ?? 0) > 2);
  const blocking = `export function work() { ${spin(60)} return 1; }`;
  const waiting = 'export const work = () => new Promise((resolve) => setTimeout(resolve, 60, 1));';
  assert.ok((compare({ metric: 'loop-delay-ratio' }, blocking, waiting).value ?? 0) > 2);
});

test('two functions that return different things are not compared', () => {
  assert.match(
    compare({ metric: 'time-ratio' }, 'export const work = () => 1;', 'export const work = () => 2;').problem ?? '',
    /different results/,
  );
  assert.match(
    compare({ metric: 'time-ratio' }, 'export const other = () => 1;', 'export const work = () => 2;').problem ?? '',
    /must both export/,
  );
});

test('a verdict needs every run', () => {
  assert.equal(judge([3, 4], 3), 'confirmed');
  assert.equal(judge([1, 4], 3), 'inconclusive');
  assert.equal(judge([1, 2], 3), 'refuted');
  assert.deepEqual(spreadOf([3, 1, 2]), { lowest: 1, median: 2, highest: 3 });
});

test('an entry replaces its own kind and what is out of date', () => {
  const entry = (node: string, hash: string, rule = 'a'): OracleEntry => ({
    rule,
    hash,
    node,
    v8: '',
    platform: '',
    cpu: '',
    cores: 1,
    load: 0,
    date: '',
    metric: 'time-ratio',
    atLeast: 1,
    nodeRange: '*',
    runs: 1,
    verdict: 'confirmed',
  });
  const merged = mergeEntry(
    [entry('20.1.0', 'new'), entry('22.1.0', 'new'), entry('24.1.0', 'old'), entry('24.1.0', 'x', 'b')],
    entry('20.9.0', 'new'),
  );
  assert.deepEqual(
    merged.map((one) => `${one.rule} ${one.node}`),
    ['a 20.9.0', 'a 22.1.0', 'b 24.1.0'],
  );
  assert.equal(withTable('no marks here', 'table'), 'no marks here');
});
