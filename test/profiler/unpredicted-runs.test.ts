// What a run sees and no rule predicts, in real profiles of small functions: from the evidence to the exit code and to what is kept.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { dedent } from '../../analysis/testing/dedent.ts';
import type { ProfileReport } from '../../protocol/evidence.ts';
import type { SeenByRun } from '../../protocol/seen-by-run.ts';
import type { EvidenceFile } from '../../protocol/kept-evidence.ts';
import { rules } from '../../rules/index.ts';
import { folderWith, run } from '../cli/support.ts';

const TEXT = dedent`
  'use strict';
  const crypto = require('node:crypto');
  const TEXT = JSON.stringify(Array.from({ length: 20_000 }, (_, id) => ({ id, name: 'row ' + id })));
  /** @profile parsed() */
  function parsed() {
    return JSON.parse(TEXT).length;
  }
  /** @profile derived() */
  function derived() {
    return crypto.pbkdf2Sync('secret', 'salt', 20_000, 32, 'sha256');
  }
  const NUMBERS = Array.from({ length: 300_000 }, (_, i) => (i * 7919) % 300_007);
  /** @profile sorted() */
  function sorted() {
    return NUMBERS.slice().sort((a, b) => a - b)[0];
  }
  const ACTIONS = { add: (n) => n + 1 };
  /** @profile acted('remove', 1) */
  function acted(name, n) {
    try {
      return ACTIONS[name](n);
    } catch {
      return n;
    }
  }
  /** @profile quick([1, 2, 3]) */
  function quick(list) {
    return list.length;
  }
  const ROWS = Array.from({ length: 2000 }, (_, id) => ({ id }));
  /** @profile awaited() */
  async function awaited() {
    let total = 0;
    for await (const row of ROWS) total += row.id;
    return total;
  }
  /** @profile made(3) */
  function made(n) {
    class Point {
      constructor(x) { this.x = x; }
      twice() { return this.x * 2; }
    }
    return new Point(n).twice();
  }
  const LATER = [1, 2, 3].map(async (n) => n);
  /** @profile pending() */
  async function pending() {
    let total = 0;
    try {
      for await (const n of LATER) total += n;
    } catch {
      total = -1;
    }
    return total;
  }
  async function* pages() {
    for (let page = 0; page < 100; page += 1) yield page;
  }
  /** @profile paged() */
  async function paged() {
    let total = 0;
    for await (const page of pages()) total += page;
    return total;
  }
  /** @profile captured(3) */
  function captured(n) {
    class Point {
      twice() { return n * 2; }
    }
    return new Point().twice();
  }
  const BYTES = new Uint8Array(300);
  function look(i) { return BYTES[i % 5] + BYTES[-(i % 3)]; }
  /** @profile swept() */
  function swept() {
    let total = 0;
    for (let i = 0; i < 1000; i += 1) total += look(i);
    return total;
  }
  const KEPT = new Map();
  function costly(n) {
    let x = n;
    for (let i = 0; i < 30_000_000; i += 1) x = (x * 31 + i) % 1_000_003;
    return x;
  }
  /** @profile kept(5) */
  function kept(n) {
    if (!KEPT.has(n)) KEPT.set(n, costly(n));
    return KEPT.get(n);
  }
  module.exports = { kept, parsed, derived, sorted, acted, quick, awaited, made, pending, paged, captured, swept };

`;
/** The line of `look`. */
const LOOK = TEXT.split('\n').findIndex((line) => line.startsWith('function look')) + 1;
const EXIT_OK = 0;
const EXIT_FINDINGS = 1;

describe('what a run sees and no rule predicts', () => {
  const folder = folderWith({ 'package.json': '{ "name": "a" }', 'a.js': TEXT });
  after(() => folder.dispose());

  async function profile(name: string, ...more: string[]): Promise<{ report: ProfileReport; code: number }> {
    const { out, err, code } = await run(['profile', `a.js:${name}`, '--yes', '--time', '1', '-f', 'json', ...more], {
      cwd: folder.path,
      rules,
    });
    assert.notEqual(out, '', err);
    return { report: JSON.parse(out) as ProfileReport, code };
  }

  const cases: readonly [name: string, line: number, kind: SeenByRun['kind']][] = [
    ['parsed', 6, 'large-json'],
    ['derived', 10, 'blocking-call'],
    ['sorted', 15, 'block'],
    ['acted', 21, 'exceptions'],
    ['awaited', 34, 'ready-values'],
    ['made', 39, 'class-per-call'],
  ];
  for (const [name, line, kind] of cases)
    it(`is a finding on its line: ${kind}`, async () => {
      const { report, code } = await profile(name, '--no-save');
      const own = report.unpredicted?.findings.filter((one) => one.place.line === line) ?? [];
      assert.deepEqual(
        own.map((one) => one.kind),
        [kind],
        JSON.stringify([report.unpredicted, report.problems]),
      );
      assert.ok(own.every(({ cost }) => cost.ns > 0));
      assert.equal(code, EXIT_FINDINGS);
    });

  it('is nothing where nothing costs', async () => {
    const { report, code } = await profile('quick', '--no-save');
    assert.deepEqual(report.unpredicted, { findings: [], remarks: [] });
    assert.equal(code, EXIT_OK);
  });

  for (const [name, what] of [
    ['pending', 'values that are promises'],
    ['paged', 'an asynchronous generator'],
    ['captured', 'a class that uses what its function got'],
  ] as const)
    it(`is nothing for ${what}`, async () => {
      const { report, code } = await profile(name, '--no-save');
      assert.deepEqual(report.unpredicted?.findings, []);
      assert.equal(code, EXIT_OK);
      assert.ok(!report.problems.some((text) => text.startsWith('What it costs')), report.problems.join('\n'));
    });

  // How much it costs depends on how soon V8 optimizes again, and on some Nodes it costs nothing that can be shown.
  it('is a function that V8 deoptimizes again and again: with its cost, or a sentence', async () => {
    const { report } = await profile('swept', '--no-save');
    const { findings = [], remarks = [] } = report.unpredicted ?? {};
    const loops = findings.filter(({ kind }) => kind === 'deopt-loop');
    const sentences = remarks.filter(({ text }) => text.includes('deoptimized it again'));
    assert.deepEqual(
      [...loops, ...sentences].map(({ place }) => place.line),
      [LOOK],
      JSON.stringify([report.unpredicted, report.problems]),
    );
    assert.ok(loops.every(({ cost, figure }) => cost.method === 'compared' && figure.includes('at least')));
  });

  it('is said of a function that keeps its results, whose time is that of later calls', async () => {
    const isSaid = ({ problems }: ProfileReport): boolean => problems.some((text) => text.startsWith('The first call of `kept(5)` took'));
    assert.ok(isSaid((await profile('kept', '--no-save')).report));
    assert.ok(!isSaid((await profile('quick', '--no-save')).report));
  });

  it('is kept with the verdicts', async () => {
    await profile('parsed');
    const { profiles } = JSON.parse(readFileSync(join(folder.path, '.nodometer', 'evidence.json'), 'utf8')) as EvidenceFile;
    const [seen] = profiles.flatMap((one) => one.seen ?? []);
    assert.equal(seen?.kind, 'large-json');
    assert.equal(seen?.code, 'return JSON.parse(TEXT).length;');
    assert.equal(seen?.cost.method, 'timed');
  });
});
