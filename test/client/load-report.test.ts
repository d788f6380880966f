// The report of a route under load: its figures, what it says of the limit, and what its pictures say to those who do not see them.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadMessage } from '../../client/profile/profile-text.ts';
import { loadModel } from '../../client/report/load-model.ts';
import type { ReportModel } from '../../client/report/report-parts.ts';
import { reportPage } from '../../client/report/report-view.ts';
import type { LoadReport, RequestSource } from '../../protocol/load.ts';
import { english as t } from './english.ts';
import { at, reportOf } from './profile-report.ts';

const words = { pathOf: (file: string) => file.replace('/p/', ''), dateOf: (iso: string) => iso.slice(0, 10), t };
const { machine, date } = reportOf();
const REPORT: LoadReport = {
  machine,
  date,
  command: 'node server.js',
  request: { method: 'GET', path: '/users' },
  connections: 10,
  traffic: {
    windowMs: 10_000,
    answered: 12_345,
    perSecond: 1234.5,
    bytes: 1000,
    statuses: { 200: 12_345 },
    failures: {},
    errorShare: 0.002,
    latency: {
      mean: 8,
      max: 90,
      percentiles: [
        { percent: 50, ms: 7.5 },
        { percent: 99, ms: 42 },
      ],
    },
  },
  limit: 'server',
  generator: { utilization: 0.3, cpuShare: 0.3, waitedShare: 0, delayP99: 1 },
  othersBusy: 0,
  isMachineBusy: false,
  processes: [
    {
      pid: 7,
      utilization: 0.99,
      cpuShare: 1.1,
      waitedShare: 0,
      delay: { p50: 0.05, p90: 2, p99: 12, max: 80 },
      gc: { count: 4, totalMs: 12, maxMs: 6 },
      heap: { start: 20e6, max: 45e6, rss: 90e6 },
      active: { mean: 9.5, max: 10 },
      slices: [
        { at: 500, delay: 3, utilization: 1, requests: 600, heap: 21e6 },
        { at: 1000, delay: 80, utilization: 1, requests: 500, heap: 45e6 },
      ],
    },
  ],
  causes: {
    requests: 5000,
    windowMs: 5000,
    blocks: [{ duration: 80, kind: 'synchronous', stack: [{ functionName: 'parse', ...at(3) }], endless: false }],
    calls: [
      { name: 'fs.readFileSync', place: at(5, 9), perRequest: 2, msPerRequest: 0.4, maxMs: 3 },
      { name: 'zlib.gzipSync', perRequest: 0.025, msPerRequest: 0.01, maxMs: 1, inside: at(9) },
    ],
    counts: { blockingCalls: 2.025, threads: 0, processes: 0, sockets: 0.5, outgoing: 0 },
    pool: { p50: 0.1, p99: 4, max: 9 },
  },
  problems: [],
};

function section(model: ReportModel, id: string): ReportModel['sections'][number] {
  const found = model.sections.find((one) => one.id === id);
  assert.ok(found, `section ${id} in ${model.sections.map((one) => one.id).join(', ')}`);
  return found;
}

function rowsOf(model: ReportModel, id: string): string[] {
  return section(model, id).table?.rows.map((row) => row.map(({ text }) => text).join(' | ')) ?? [];
}

describe('the report of a route under load', () => {
  it('begins with the figures, and says what the limit was', () => {
    const model = loadModel({ report: REPORT, ...words });
    assert.equal(model.title, 'GET /users under load');
    assert.deepEqual(
      model.figures.map(({ label, value }) => `${label}: ${value}`),
      ['requests/s: 1235', 'p50: 7.5 ms', 'p99: 42 ms', 'event loop busy: 99 %', 'errors: 0.2 %'],
    );
    assert.match(section(model, 'latency').text ?? '', /^The server was the limit/);
    assert.equal(section(loadModel({ report: { ...REPORT, isMachineBusy: true }, ...words }), 'latency').text, undefined);
    assert.deepEqual(model.footer.slice(0, 3), ['node server.js', '10 connections', 'monitored for 10 s']);
    assert.equal(loadMessage(REPORT, t), 'GET /users on Node 24.1.0: 1235 requests/s, p99 42 ms.');
  });

  it('shows latencies and the delay over time, in words too', () => {
    const model = loadModel({ report: REPORT, ...words });
    assert.equal(section(model, 'latency').pictures?.[0]?.alt, 'p50: 7.5 ms; p99: 42 ms; max: 90 ms');
    const server = section(model, 'server-7');
    assert.equal(server.title, 'Server');
    assert.match(server.text ?? '', /busy 99 % of the time, and it used 1\.10 processors/);
    const [picture] = server.pictures ?? [];
    assert.ok(picture?.kind === 'slices');
    assert.deepEqual(picture.slices, [
      { at: 0.5, value: 3 },
      { at: 1, value: 80 },
    ]);
    assert.equal(picture.alt, 'Event loop delay over 1 s: 80 ms at most, after 1 s.');
  });

  it('names causes per request, with their places as links', () => {
    const model = loadModel({ report: REPORT, ...words });
    assert.deepEqual(rowsOf(model, 'per-request'), [
      'blocking calls | 2.02',
      'threads started | 0',
      'processes started | 0',
      'sockets opened | 0.5',
      'outgoing requests | 0',
    ]);
    assert.match(section(model, 'per-request').text ?? '', /^Seen in a second run of the server.* p50 100 µs, p99 4 ms, 9 ms at most\.$/);
    assert.deepEqual(rowsOf(model, 'calls'), [
      'fs.readFileSync | shop.js:5:9 | 2 | 400 µs | 3 ms',
      'zlib.gzipSync | shop.js:9:1 | one in 40 | 10 µs | 1 ms',
    ]);
    const page = reportPage({ model, source: 'x', nonce: 'n', script: 's', style: 'c', language: 'en', t });
    assert.ok(page.places.some(({ line, column }) => line === 5 && column === 9));
    assert.match(rowsOf(model, 'blocks')[0] ?? '', /^80 ms/);
  });

  it('gives no figures where there is no result, and "at least" where the generator was the limit', () => {
    const failed = loadModel({
      report: { ...REPORT, limit: undefined, noResult: '40 % of the requests failed.', processes: [], causes: undefined },
      ...words,
    });
    assert.deepEqual(failed.figures, []);
    assert.deepEqual([section(failed, 'latency').title, section(failed, 'latency').text], ['No result', '40 % of the requests failed.']);
    assert.match(loadMessage({ ...REPORT, noResult: 'All failed.' }, t), /no result\. All failed\./);
    const [first] = loadModel({ report: { ...REPORT, limit: 'generator' }, ...words }).figures;
    assert.equal(first?.value, 'at least 1235');
  });

  it('names the processes of a cluster, and what must be known', () => {
    const [one] = REPORT.processes;
    assert.ok(one);
    const model = loadModel({
      report: { ...REPORT, processes: [one, { ...one, pid: 8, slices: [] }], problems: ['The machine was too busy.'] },
      ...words,
    });
    assert.deepEqual([section(model, 'server-7').title, section(model, 'server-8').title], ['Server process 7', 'Server process 8']);
    assert.equal(section(model, 'server-8').pictures, undefined);
    assert.deepEqual(rowsOf(model, 'problems'), ['The machine was too busy.']);
  });

  it('says where the request came from, unless the user typed it', () => {
    const textOf = (source: RequestSource) => section(loadModel({ report: { ...REPORT, source }, ...words }), 'request').text;
    const comment: RequestSource = { kind: 'comment', file: '/p/users.js', line: 3, parts: ['path', 'body'], madeUp: [], hasHosts: false };
    assert.equal(textOf(comment), 'From the comment at users.js:3: path, body.');
    const operation = { ...comment, kind: 'openapi' as const, file: '/p/openapi.yaml', line: undefined, operation: 'GET /users/{id}' };
    assert.equal(
      textOf({ ...operation, madeUp: ['path id'], hasHosts: true }),
      'From GET /users/{id} in openapi.yaml: path, body. Made up from types: path id. The hosts that the file names are not used.',
    );
    assert.ok(loadModel({ report: REPORT, ...words }).sections.every(({ id }) => id !== 'request'));
  });
});
