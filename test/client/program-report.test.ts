// The reports of whole programs, of lag and of comparisons: what they say, and what their pictures say to those who do not see them.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { comparisonModel } from '../../client/report/comparison-model.ts';
import { lagModel } from '../../client/report/lag-model.ts';
import { lagMessage, programMessage } from '../../client/profile/profile-text.ts';
import { programModel } from '../../client/report/program-model.ts';
import type { ReportModel } from '../../client/report/report-parts.ts';
import { reportPage } from '../../client/report/report-view.ts';
import type { ComparisonRow, LagReport, LoopDelay, ProgramFacts } from '../../protocol/evidence.ts';
import { english as t } from './english.ts';
import { at, FILE, reportOf } from './profile-report.ts';

const words = { pathOf: (file: string) => file.replace('/p/', ''), dateOf: (iso: string) => iso.slice(0, 10), t };
const DELAY: LoopDelay = {
  resolution: 1,
  p50: 0.1,
  p90: 0.4,
  p99: 80,
  max: 120,
  idleFloor: 1.5,
  utilization: 0.61,
  blocks: 3,
  threshold: 50,
  window: 3000,
  histogram: [{ upTo: 1, count: 900 }, { upTo: 2, count: 0 }, { upTo: 50, count: 2 }, { upTo: 100, count: 3 }, { count: 0 }],
};
const PROGRAM: ProgramFacts = {
  command: 'npm run start',
  exitCode: 0,
  processes: 3,
  files: [FILE, '/p/lib/b.js'],
  monomorphic: 40,
  aside: { packageDeopts: 5, coreDeopts: 2, cacheLines: 9000 },
  cpu: {
    busyMs: 800,
    user: 0.5,
    packages: 0.25,
    core: 0.2,
    gc: 0.05,
    functions: [
      { functionName: 'hot', place: at(4, 9), self: 0.4, total: 0.5 },
      { functionName: '', place: at(1, 1), self: 0, total: 0.5 },
      { functionName: 'cold', place: at(5), self: 0.001, total: 0.002 },
    ],
    lines: [],
    byPackage: [{ name: 'express', self: 0.2 }],
    flame: [],
  },
};

function rowsOf(model: ReportModel, id: string): string[] {
  return model.sections.find((section) => section.id === id)?.table?.rows.map((row) => row.map(({ text }) => text).join(' | ')) ?? [];
}

function linksOf(model: ReportModel): number {
  return reportPage({ model, source: 'x', nonce: 'n', script: 's', style: 'c', language: 'en', t }).places.length;
}

describe('the report of a program', () => {
  const report = reportOf({
    target: { file: '/p/package.json', origin: 'script', calls: ['npm run start'] },
    program: PROGRAM,
    timing: undefined,
    loopDelay: DELAY,
    cpuProfile: '/cache/npm.cpuprofile',
  });
  const model = programModel({ report, reasons: {}, ...words });

  it('names the files with every place, and tells where the time went', () => {
    assert.equal(model.title, 'npm run start');
    assert.deepEqual(
      model.figures.map(({ value, label }) => `${value} ${label}`),
      ['50 % CPU time in your code', '25 % CPU time in packages', '52 ms longest block'],
    );
    assert.deepEqual(
      model.sections.map(({ id }) => id),
      ['verdicts', 'cpu', 'blocking', 'exceptions', 'event-loop', 'tiers', 'shapes', 'aside', 'cpu-profile'],
    );
    assert.deepEqual(rowsOf(model, 'cpu'), ['hot | shop.js:4:9 | 40 % | 50 %', '(top level) | shop.js:1:1 | 0 % | 50 %']);
    assert.match(
      model.sections[1]?.text ?? '',
      /800 ms of CPU time: your code 50 %, packages 25 %, Node internals 20 %, garbage collection 5\.0 %\. Packages: express 20 %\./,
    );
    assert.deepEqual(rowsOf(model, 'tiers'), ['shop.js:5:9 | ×3 | wrong map | deopt-eager']);
    assert.equal(model.sections.find(({ id }) => id === 'tiers')?.pictures, undefined, 'the clocks of several processes are not one');
    assert.deepEqual(model.footer.slice(0, 3), ['2 of your files ran', '3 Node processes', 'exit code 0']);
    assert.equal(model.sections.at(-1)?.table?.rows[0]?.[0]?.place?.file, '/cache/npm.cpuprofile');
  });

  it('says it in one line', () => {
    assert.equal(programMessage(report, t), 'npm run start on Node 24.1.0: 1 confirmed, 50 % of the CPU time in your code, 3 deopts.');
  });
});

describe('the report of lag', () => {
  const stack = [
    { ...at(6, 3), functionName: 'block' },
    { ...at(10, 3), functionName: '' },
  ];
  const block = (duration: number) => ({ duration, kind: 'synchronous' as const, stack, endless: false });
  const report: LagReport = {
    machine: reportOf().machine,
    command: 'node server.js',
    date: '2026-01-02T03:04:05.000Z',
    delay: DELAY,
    blocks: [block(120), block(60)],
    startUpBlocks: [block(300)],
    gc: { count: 4, totalMs: 8, maxMs: 3 },
    stdout: '',
    stderr: '',
    exitCode: 0,
    problems: [],
  };
  const model = lagModel({ report, ...words });

  it('does not leave a longest delay beside no blocks without a word', () => {
    const textOf = (delay: LagReport['delay']) => lagModel({ report: { ...report, delay }, ...words }).sections[0]?.text ?? '';
    assert.match(
      textOf({ ...DELAY, blocks: 0 }),
      /noise\. The longest delay is not counted as a block: other programs used the processors,/,
    );
    assert.doesNotMatch(textOf(DELAY), /not counted/);
    assert.doesNotMatch(textOf({ ...DELAY, blocks: 0, max: DELAY.threshold - 1 }), /not counted/);
  });

  it('has the percentiles, a histogram in words, and each place once with its callers', () => {
    assert.deepEqual(
      model.figures.map(({ value, label }) => `${label} ${value}`),
      ['p50 100 µs', 'p90 400 µs', 'p99 80 ms', 'longest 120 ms', 'utilization 61 %', 'blocks over 50 ms 3'],
    );
    const [percentiles, histogram] = model.sections[0]?.pictures ?? [];
    assert.deepEqual(percentiles?.kind === 'delay' && percentiles.bars.map(({ text }) => text), ['100 µs', '400 µs', '80 ms', '120 ms']);
    assert.equal(percentiles?.alt, 'p50: 100 µs; p90: 400 µs; p99: 80 ms; max: 120 ms');
    assert.equal(histogram?.alt, 'up to 1 ms: ×900; 1 ms to 2 ms: ×0; 2 ms to 50 ms: ×2; 50 ms to 100 ms: ×3');
    assert.deepEqual(histogram?.kind === 'histogram' && histogram.bars.map(({ isLong }) => isLong), [false, false, false, true]);
    assert.deepEqual(rowsOf(model, 'blocks'), ['120 ms | synchronous code | shop.js:6:3']);
    const inCall = lagModel({ report: { ...report, blocks: [{ ...block(120), call: 'fs.readFileSync' }, block(60)] }, ...words });
    assert.deepEqual(
      inCall.sections.find(({ id }) => id === 'blocks')?.table?.rows.map((row) => row[1]?.details),
      [['fs.readFileSync'], undefined],
      'named apart from other code at the place',
    );
    const place = model.sections.find(({ id }) => id === 'blocks')?.table?.rows[0];
    assert.deepEqual(
      [place?.[0]?.details, place?.[2]?.details, place?.[2]?.more?.map(({ text }) => text)],
      [['and 1 shorter'], ['block'], ['(anonymous) shop.js:10:3']],
    );
    assert.deepEqual(rowsOf(model, 'start-up'), ['300 ms | synchronous code | shop.js:6:3']);
    assert.equal(model.sections.find(({ id }) => id === 'gc')?.text, '4 times, 8 ms in total, 3 ms at most.');
    assert.equal(linksOf(model), 4);
    assert.equal(lagMessage(report, t), 'node server.js on Node 24.1.0: longest block 120 ms, blocks over 50 ms: 2.');
  });

  it('says so where there is nothing', () => {
    const quiet = lagModel({
      report: { ...report, blocks: [], startUpBlocks: [], gc: { count: 0, totalMs: 0, maxMs: 0 }, delay: { ...DELAY, histogram: [] } },
      ...words,
    });
    assert.deepEqual(quiet.sections.map(({ id, text = '' }) => `${id}: ${text}`).slice(1), [
      'blocks: Nothing blocked the event loop for longer than 50 ms.',
      'gc: None.',
    ]);
    assert.equal(quiet.sections[0]?.pictures?.length, 1);
    const unmeasured = { ...DELAY, window: 0, p50: 0, max: 0, histogram: [] };
    const stuck = lagModel({ report: { ...report, delay: unmeasured, blocks: [{ ...block(3000), endless: true }] }, ...words });
    assert.deepEqual(
      [stuck.figures.map(({ label }) => label), stuck.sections[0]?.text, stuck.sections[0]?.pictures],
      [['blocks over 50 ms'], 'Unknown: the event loop was blocked until the program was stopped.', undefined],
    );
    const brief = lagModel({ report: { ...report, delay: unmeasured, blocks: [] }, ...words });
    assert.deepEqual([brief.sections[0]?.text, brief.sections[0]?.pictures], ['Not measured: the program ended too early.', undefined]);
  });

  it('never says that a delay was 0', () => {
    const still: LagReport = { ...report, blocks: [], delay: { ...DELAY, p50: 0, p90: 0, p99: 0.04, max: 0.1 } };
    const { figures, sections } = lagModel({ report: still, ...words });
    assert.deepEqual(
      figures.slice(0, 4).map(({ value }) => value),
      ['< 0.1 ms', '< 0.1 ms', '< 0.1 ms', '100 µs'],
    );
    const [percentiles] = sections[0]?.pictures ?? [];
    // The same figures stand at the bars.
    assert.deepEqual(percentiles?.kind === 'delay' && percentiles.bars.map(({ text }) => text), [
      '< 0.1 ms',
      '< 0.1 ms',
      '< 0.1 ms',
      '100 µs',
    ]);
    assert.match(lagMessage({ ...still, delay: { ...still.delay, max: 0 } }, t), /longest block < 0\.1 ms/);
  });
});

describe('the report of a comparison', () => {
  const timing = (median: number) => ({
    ...reportOf().timing,
    median,
    halfWidth: 1,
    samples: 9,
    calls: 9,
    gc: { count: 0, totalMs: 0, maxMs: 0 },
    suspectedDeadCode: false,
  });
  const verdict = { ruleId: 'no-x', messageId: 'm', place: at(7, 17), figure: '5 shapes', grounds: [] };
  const rows: ComparisonRow[] = [
    { node: '18.20.8', failure: 'It crashed.', deopts: 0, megamorphic: 0, blockingCalls: 0, verdicts: [] },
    {
      node: '20.1.0',
      timing: timing(10),
      tier: 'turbofan',
      deopts: 3,
      megamorphic: 1,
      blockingCalls: 0,
      verdicts: [{ ...verdict, verdict: 'confirmed' }],
    },
    {
      node: '24.1.0',
      timing: timing(20),
      factor: 2,
      isApart: true,
      deopts: 0,
      megamorphic: 0,
      blockingCalls: 0,
      verdicts: [{ ...verdict, verdict: 'refuted' }],
    },
  ];
  const model = comparisonModel({ rows, reports: [reportOf()], ...words });

  it('is a table with a row for each Node, and one with the verdicts of each', () => {
    assert.equal(model.title, 'total in shop.js on 3 Node versions');
    assert.deepEqual(rowsOf(model, 'comparison'), [
      '18.20.8 | – | – | – | – | – | –',
      '20.1.0 | 10 ns ± 1 ns |  | TurboFan | 3 | 1 | 408 B',
      '24.1.0 | 20 ns ± 1 ns | 2.00× | none | 0 | 0 | 408 B',
    ]);
    assert.deepEqual(rowsOf(model, 'verdicts'), ['shop.js:7:17 | confirmed | refuted']);
    assert.deepEqual(rowsOf(model, 'problems'), ['Node 18.20.8: It crashed.']);
    assert.equal(model.sections[0]?.pictures?.[0]?.alt, 'Node 20.1.0: 10 ns ± 1 ns; Node 24.1.0: 20 ns ± 1 ns');
    assert.deepEqual(
      model.figures.map(({ value, label }) => `${value} ${label}`),
      ['10 ns fastest: Node 20.1.0', '20 ns slowest: Node 24.1.0'],
    );
  });

  it('calls nothing fastest where the intervals meet', () => {
    const near = rows.map((row) => (row.timing ? { ...row, timing: { ...row.timing, halfWidth: 6 }, isApart: false } : row));
    const { figures } = comparisonModel({ rows: near, reports: [reportOf()], ...words });
    assert.deepEqual(
      figures.map(({ value, label }) => `${value} ${label}`),
      ['no clear difference between these Node versions'],
    );
  });
});
