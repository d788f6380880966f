// The pure parts of a program's profile: logs of several processes as one, counts of several processes, CPU profiles as shares, Nodes side
// by side.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DeoptGroup, InlineCache, ProfileReport } from '../../protocol/evidence.ts';
import { compareRuns } from '../../profiler/compare/node-rows.ts';
import { runsAt, type CountRecord } from '../../profiler/evidence/coverage.ts';
import { cpuShares } from '../../profiler/parse/cpu-profile.ts';
import { mergeLogs } from '../../profiler/parse/merge-logs.ts';
import type { V8Log } from '../../profiler/parse/v8-log.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

const at = (line: number, column = 1, file = '/p/a.js') => ({ file, line, column });
const EMPTY: V8Log = {
  tiers: [],
  deopts: [],
  inlineCaches: [],
  mapEvents: [],
  lines: 1,
  unreadLines: 0,
  foreignCacheLines: 2,
  packageDeopts: 1,
  coreDeopts: 0,
  dropped: 0,
};

describe('logs of several processes', () => {
  const deopt = (count: number, benign: boolean): DeoptGroup => ({
    place: at(2),
    placement: 'exact',
    inlinedAt: [],
    kind: 'deopt-eager',
    reason: 'wrong map',
    count,
    at: [5],
    benign,
  });
  const cache = (state: InlineCache['state'], shapeCount: number, misses = 1): InlineCache => ({
    place: at(3),
    kind: 'LoadIC',
    property: 'x',
    state,
    shapes: [],
    shapeCount,
    misses,
    megamorphicMisses: 0,
  });

  it('are added up where that makes sense, and only there', () => {
    const merged = mergeLogs(
      { ...EMPTY, deopts: [deopt(1, true)], inlineCaches: [cache('polymorphic', 3, 4)] },
      { ...EMPTY, deopts: [deopt(2, true)], inlineCaches: [cache('monomorphic', 1, 2)] },
    );
    assert.deepEqual(
      merged.deopts.map(({ count, benign, at: times }) => [count, benign, times]),
      [[3, true, [5, 5]]],
      'each process has its own warm-up',
    );
    assert.deepEqual(
      merged.inlineCaches.map(({ state, shapeCount, misses }) => [state, shapeCount, misses]),
      [['polymorphic', 3, 6]],
      'the same shapes have other addresses elsewhere',
    );
    assert.deepEqual([merged.lines, merged.foreignCacheLines, merged.packageDeopts], [2, 4, 2]);
    assert.equal(mergeLogs({ ...EMPTY, deopts: [deopt(1, true)] }, { ...EMPTY, deopts: [deopt(9, false)] }).deopts[0]?.benign, false);
  });

  it('keep other places, reasons and keys apart', () => {
    const other = { ...deopt(1, false), reason: 'not a Smi' };
    const merged = mergeLogs(
      { ...EMPTY, deopts: [deopt(1, false)], inlineCaches: [cache('monomorphic', 1)] },
      {
        ...EMPTY,
        deopts: [other],
        inlineCaches: [
          { ...cache('monomorphic', 1), property: 'y' },
          { ...cache('monomorphic', 1), place: at(1) },
        ],
      },
    );
    assert.equal(merged.deopts.length, 2);
    assert.deepEqual(
      merged.inlineCaches.map(({ place, property }) => [place.line, property]),
      [
        [1, 'x'],
        [3, ''],
      ],
    );
  });
});

describe('counts of several processes', () => {
  const counts = (pid: number, inner: number): CountRecord => ({
    pid,
    type: 'counts',
    files: [
      {
        file: '/p/a.js',
        functions: [
          { name: '', blocks: true, ranges: [{ start: 0, end: 30, count: 1 }] },
          { name: 'f', blocks: true, ranges: [{ start: 10, end: 20, count: inner }] },
        ],
      },
    ],
  });

  it('are added up by the innermost range', () => {
    const runs = runsAt(
      [counts(1, 5), counts(2, 7)],
      () => dedent`
      012345678
      012345678
      012345678

    `,
    );
    assert.deepEqual([runs(at(2, 3)), runs(at(1, 1)), runs(at(2, 1, '/p/b.js'))], [12, 2, undefined]);
    assert.equal(runsAt([counts(1, 5)], () => undefined)(at(2, 3)), undefined);
  });
});

describe('CPU profiles', () => {
  const frame = (functionName: string, url = '', lineNumber = 0) => ({ functionName, url, lineNumber, columnNumber: 9 });
  const PROFILE = JSON.stringify({
    nodes: [
      { id: 1, callFrame: frame('(root)'), children: [2, 6, 7, 8] },
      { id: 2, callFrame: frame('outer', 'file:///p/a.js'), children: [3, 5] },
      { id: 3, callFrame: frame('inner', '/p/a.js', 4), children: [4] },
      { id: 4, callFrame: frame('inner', '/p/a.js', 4), children: [] },
      { id: 5, callFrame: frame('get', '/p/node_modules/@scope/pack/node_modules/lodash/get.js'), children: [] },
      { id: 6, callFrame: frame('(idle)') },
      { id: 7, callFrame: frame('(garbage collector)') },
      { id: 8, callFrame: frame('readSync') },
    ],
    samples: [2, 3, 4, 5, 6, 7, 8, 8],
    timeDeltas: [1000, 2000, 2000, 2000, 50_000, 1000, 1000, 1000],
  });

  it('become shares of the time that was not idle, recursion counted once', () => {
    const shares = cpuShares([PROFILE], (file) => file === '/p/a.js');
    assert.ok(shares);
    assert.deepEqual([shares.busyMs, shares.user, shares.packages, shares.core, shares.gc], [10, 0.5, 0.2, 0.2, 0.1]);
    assert.deepEqual(
      shares.functions.map(({ functionName, place, self, total }) => [functionName, place.file, place.line, place.column, self, total]),
      [
        ['inner', '/p/a.js', 5, 10, 0.4, 0.4],
        ['outer', '/p/a.js', 1, 10, 0.1, 0.7],
      ],
    );
    assert.deepEqual(shares.byPackage, [{ name: 'lodash', self: 0.2 }]);
  });

  it('of several processes are one, and half of one is none', () => {
    assert.equal(cpuShares([PROFILE, PROFILE], () => true)?.busyMs, 20);
    assert.equal(
      cpuShares([PROFILE.slice(0, 90)], () => true),
      undefined,
    );
    assert.equal(
      cpuShares([], () => true),
      undefined,
    );
  });
});

describe('Nodes side by side', () => {
  const report = (node: string, median: number, halfWidth: number | undefined): ProfileReport => ({
    target: { file: '/p/a.js', functionName: 'Cart.total', place: at(1), origin: 'typed', calls: [] },
    machine: { node, v8: '1', platform: 'x', cpu: 'x', cores: 1 },
    date: '',
    calls: 1,
    tiers: [
      { functionName: 'total', place: at(1, 4), tier: 'turbofan', osr: false, at: 1 },
      { functionName: 'other', place: at(9), tier: 'maglev', osr: false, at: 2 },
    ],
    deopts: [],
    inlineCaches: [],
    mapEvents: [],
    syncCalls: [{ name: 'fs.x', place: at(2), count: 3, totalMs: 1, maxMs: 1 }],
    exceptions: [],
    blocks: [],
    verdicts: [],
    unreadLines: 0,
    problems: [],
    timing: {
      median,
      ...(halfWidth === undefined ? {} : { halfWidth }),
      samples: 9,
      calls: 9,
      gc: { count: 0, totalMs: 0, maxMs: 0 },
      suspectedDeadCode: false,
    },
  });

  it('are compared with the first that took turns; a failure is a row, too', () => {
    const around = (ns: number): number[] => [-4, -3, -2, -1, 1, 2, 3, 4].map((step) => ns + step / 4);
    const rows = compareRuns(
      [
        { ok: false, node: '18', why: 'No.' },
        { ok: true, report: report('20', 10, undefined) },
        { ok: true, report: report('22', 10, 1) },
        { ok: true, report: report('24', 30, 1) },
        { ok: true, report: report('26', 10.5, 1) },
      ],
      new Map([
        ['22', around(10)],
        ['24', around(30)],
        ['26', around(10.5)],
      ]),
    );
    assert.deepEqual(
      rows.map(({ node, failure, factor, isApart, tier, blockingCalls }) => [node, failure, factor, isApart, tier, blockingCalls]),
      [
        ['18', 'No.', undefined, undefined, undefined, 0],
        ['20', undefined, undefined, undefined, 'turbofan', 3],
        ['22', undefined, undefined, undefined, 'turbofan', 3],
        ['24', undefined, 3, true, 'turbofan', 3],
        ['26', undefined, 1.05, false, 'turbofan', 3],
      ],
    );
  });
});
