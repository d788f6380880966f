// What figures under load mean: errors, limits, a busy machine, counts per request, two versions against each other, and how it is put.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { judgeLoad, judgeSweep, type LoadFigure } from '../../profiler/load/difference.ts';
import type { GeneratorResult } from '../../profiler/load/generator.ts';
import { causesOf, isMachineBusy, limitOf, othersBusy, processesOf, trafficOf, whyNoResult } from '../../profiler/load/judge.ts';
import { whyNone, withType } from '../../profiler/load/server.ts';
import type { RunRecord } from '../../profiler/parse/records.ts';
import type { LoadReport } from '../../protocol/load.ts';
import { MARKDOWN } from '../../workspace/formats/profile-style.ts';
import { formatLoad, perRequest, perSecondText, sparkline } from '../../workspace/formats/load-text.ts';
import { readRoute } from '../../workspace/load/load-program.ts';

function result(more: Partial<GeneratorResult> = {}): GeneratorResult {
  return {
    isWhole: true,
    windowMs: 2000,
    answered: 400,
    bytes: 1000,
    statuses: { 200: 400 },
    failures: {},
    bad: 0,
    latency: { mean: 5, max: 20, percentiles: [50, 99].map((percent) => ({ percent, ms: percent / 10 })) },
    generator: { cpuMs: 200, waitedMs: 20, utilization: 0.2, delayP99: 1, machineBusyMs: 2400 },
    ...more,
  };
}

function loadRecord(pid: number, more: Partial<RunRecord & { type: 'load' }> = {}): RunRecord {
  return {
    pid,
    type: 'load',
    isWhole: true,
    windowMs: 2000,
    started: 100,
    finished: 100,
    activeMean: 3,
    activeMax: 10,
    cpuMs: 1600,
    waitedMs: 100,
    utilization: 0.95,
    delay: { p50: 1, p90: 2, p99: 3, max: 4 },
    gcTime: { count: 1, totalMs: 2, maxMs: 2 },
    heap: { start: 1, max: 2, rss: 3 },
    slices: [],
    counts: { sockets: 50, outgoing: 20, fetches: 30 },
    ...more,
  };
}

describe('figures under load', () => {
  it('count answers a second, and what failed', () => {
    const traffic = trafficOf(result({ answered: 380, statuses: { 200: 370, 503: 10 }, bad: 10, failures: { ECONNRESET: 20 } }));
    assert.equal(traffic.perSecond, 190);
    assert.equal(traffic.errorShare, 30 / 400);
  });

  it('are no result where more than one in a hundred requests failed, or the server ended', () => {
    const why = (more: Partial<GeneratorResult>, died?: string) => whyNoResult(trafficOf(result(more)), died);
    assert.equal(why({}), undefined);
    assert.equal(why({ failures: { ECONNRESET: 4 } }), undefined);
    assert.match(why({ failures: { ECONNRESET: 5 } }) ?? '', /^1\.2 % of the requests failed \(ECONNRESET: 5\)\./);
    assert.match(
      why({ statuses: { 200: 300, 404: 100 }, bad: 100, failures: { 'no answer': 3 } }) ?? '',
      /\(status 404: 100, no answer: 3\)/,
    );
    assert.match(why({}, 'it exited with code 1.') ?? '', /^The server ended under load: it exited with code 1\.$/);
    assert.match(why({ answered: 0, statuses: {} }) ?? '', /^No request was answered/);
  });

  it('say what the limit was', () => {
    const cases: [server: number, generator: number, rate: number | undefined, perSecond: number, limit: string][] = [
      [0.99, 0.4, undefined, 100, 'server'],
      [0.5, 0.95, undefined, 100, 'generator'],
      [0.95, 0.95, undefined, 100, 'both'],
      [0.2, 0.1, undefined, 100, 'waiting'],
      [0.2, 0.1, 100, 99, 'rate'],
      [0.2, 0.1, 100, 60, 'waiting'],
      [0.99, 0.1, 100, 60, 'server'],
    ];
    for (const [server, generator, rate, perSecond, limit] of cases)
      assert.equal(limitOf([{ utilization: 0.1 }, { utilization: server }], { utilization: generator }, rate, perSecond), limit);
  });

  it('say when the machine was busy: by what waited, or by what others took', () => {
    const [quiet, waits] = [{ waitedShare: 0.02 }, { waitedShare: 0.2 }];
    assert.equal(isMachineBusy([quiet], quiet, 1.5), false);
    assert.equal(isMachineBusy([quiet, waits], quiet, 0), true);
    assert.equal(isMachineBusy([quiet], waits, 0), true);
    // Another system than Linux counts nothing.
    const nothing = { waitedShare: 0 };
    assert.equal(isMachineBusy([nothing], nothing, 0.2), false);
    assert.equal(isMachineBusy([nothing], nothing, 0.8), true);
    // Of 2.4 s that all processors were busy, the generator took 0.2 s and the server 1.6 s.
    assert.equal(othersBusy(result(), [loadRecord(1)]), 0.3);
  });

  it('come from the processes that serve', () => {
    const records: RunRecord[] = [
      { pid: 1, type: 'listening', port: 1, protocol: 'tcp' },
      { pid: 2, type: 'listening', port: 1, protocol: 'http' },
      { pid: 3, type: 'listening', port: 1, protocol: 'http' },
      loadRecord(1),
      loadRecord(2, { utilization: 0.5 }),
      loadRecord(3, { utilization: 0.7 }),
    ];
    assert.deepEqual(
      processesOf(records).map(({ pid, cpuShare, waitedShare }) => [pid, cpuShare, waitedShare]),
      [
        [3, 0.8, 0.05],
        [2, 0.8, 0.05],
      ],
    );
  });

  it('count per request what the processes did that answered some', () => {
    const place = { file: '/app.js', line: 3, column: 5 };
    const call = (name: string, count: number, totalMs: number) => ({ name, place, count, totalMs, maxMs: totalMs });
    const records: RunRecord[] = [
      loadRecord(1),
      loadRecord(2),
      loadRecord(3, { finished: 0 }),
      {
        pid: 1,
        type: 'sync-calls',
        left: 0,
        calls: [
          call('fs.readFileSync', 100, 50),
          call('child_process.spawn', 20, 30),
          call('worker_threads.Worker', 10, 5),
          call('child_process.execSync', 10, 500),
        ],
      },
      { pid: 2, type: 'sync-calls', left: 0, calls: [call('fs.readFileSync', 100, 10)] },
      { pid: 3, type: 'sync-calls', left: 0, calls: [call('fs.readFileSync', 1000, 10)] },
      { pid: 1, type: 'pool-delay', count: 10, p50: 1, p99: 2, max: 3 },
      { pid: 2, type: 'pool-delay', count: 10, p50: 4, p99: 5, max: 6 },
      { pid: 1, type: 'heap-kept', before: 10, after: 30 },
      { pid: 2, type: 'heap-kept', before: 10, after: 10 },
    ];
    const causes = causesOf(records);
    assert.ok(causes);
    assert.equal(causes.requests, 200);
    assert.deepEqual(causes.counts, { blockingCalls: 1.05, threads: 0.05, processes: 0.15, sockets: 0.5, outgoing: 0.5 });
    assert.deepEqual(
      causes.calls.map(({ name, perRequest: n, msPerRequest }) => [name, n, msPerRequest]),
      [
        ['child_process.execSync', 0.05, 2.5],
        ['fs.readFileSync', 1, 0.3],
        ['child_process.spawn', 0.1, 0.15],
        ['worker_threads.Worker', 0.05, 0.025],
      ],
    );
    assert.deepEqual(causes.pool, { p50: 4, p99: 5, max: 6 });
    assert.deepEqual(causes.heapKept, { before: 20, after: 40 });
    assert.equal(causesOf([loadRecord(1, { finished: 0 })]), undefined);
  });
});

describe('two servers under load', () => {
  const figures = (values: readonly number[], more: Partial<LoadFigure> = {}): LoadFigure[] =>
    values.map((value) => ({ perSecond: value, p50: 1, p99: value, isGeneratorFull: false, isMachineBusy: false, ...more }));
  const around = (center: number, spread = 0.02) => Array.from({ length: 8 }, (_, i) => center * (1 + spread * (i - 3.5)));
  const judged = (a: readonly LoadFigure[], b: readonly LoadFigure[], figure: 'rate' | 'p99' = 'rate') =>
    judgeLoad({ name: 'a', figures: a }, { name: 'b', figures: b }, figure, 0.05);

  it('are told apart by their ratio and its interval', () => {
    const slower = judged(figures(around(1000)), figures(around(500)));
    assert.equal(slower.verdict, 'slower');
    assert.ok(Math.abs(slower.ratio - 0.5) < 0.001 && slower.low < 0.5 && slower.high > 0.5 && slower.high < 1);
    assert.equal(judged(figures(around(500)), figures(around(1000))).verdict, 'faster');
    // A longer latency is slower.
    assert.equal(judged(figures(around(5)), figures(around(10)), 'p99').verdict, 'slower');
  });

  it('are the same where no difference is shown, or a small one', () => {
    assert.equal(judged(figures(around(1000)), figures(around(1000))).verdict, 'same');
    assert.equal(judged(figures(around(1000, 0.001)), figures(around(980, 0.001))).verdict, 'same');
  });

  it('are inconclusive where the interval is wide, or the load generator was the limit', () => {
    assert.equal(judged(figures(around(1000, 0.2)), figures(around(900, 0.2))).verdict, 'inconclusive');
    const full = judged(figures(around(1000), { isGeneratorFull: true }), figures(around(1000)));
    assert.equal(full.verdict, 'inconclusive');
    assert.match(full.problems.join(), /load generator was the limit/);
    const apart = judged(figures(around(1000), { isGeneratorFull: true }), figures(around(500)));
    assert.equal(apart.verdict, 'slower');
    assert.match(apart.problems.join(), /may be faster still/);
  });

  it('say that the machine was busy', () => {
    assert.match(judged(figures(around(1000), { isMachineBusy: true }), figures(around(500))).problems.join(), /machine was busy/);
    assert.throws(() => judged(figures([1, 2, 3]), figures([1, 2, 3])), /at least 6/);
  });
});

describe('several servers under load', () => {
  const side = (name: string, center: number, spread = 0.01, more: Partial<LoadFigure> = {}) => ({
    name,
    figures: Array.from({ length: 8 }, (_, i): LoadFigure => {
      const value = center * (1 + spread * (i - 3.5));
      return { perSecond: value, p50: 1, p99: value, isGeneratorFull: false, isMachineBusy: false, ...more };
    }),
  });
  const swept = (sides: ReturnType<typeof side>[], figure: 'rate' | 'p99' = 'rate') => judgeSweep(sides, figure, 0.05);

  it('have one that is enough, and those behind it that are worse', () => {
    const { best, enough, worse, points } = swept([side('1', 500), side('2', 1000), side('4', 1010), side('8', 700)]);
    assert.deepEqual({ best, enough, worse }, { best: 2, enough: 1, worse: [3] });
    assert.equal(points[0]?.toFirst, undefined);
    const { ratio = 0, low = 0, high = 0 } = points[1]?.toFirst ?? {};
    assert.ok(Math.abs(ratio - 2) < 0.01 && low < 2 && high > 2);
  });

  it('are told by the latency where the rate is fixed', () => {
    const { best, enough, worse } = swept([side('1', 60), side('4', 20), side('8', 20.1), side('16', 40)], 'p99');
    assert.deepEqual({ best, enough, worse }, { best: 1, enough: 1, worse: [3] });
  });

  it('may all be alike', () => {
    const { enough, worse } = swept([side('1', 1000), side('2', 1001), side('3', 1002)]);
    assert.deepEqual({ enough, worse }, { enough: 0, worse: [] });
  });

  it('are inconclusive where the intervals are wide, or the load generator was the limit', () => {
    const wide = swept([side('1', 900, 0.2), side('2', 1000, 0.2), side('3', 950, 0.2)]);
    assert.equal(wide.enough, undefined);
    // Those that are told apart from the best one are told all the same.
    const partly = swept([side('1', 100), side('2', 900, 0.2), side('3', 1000, 0.2)]);
    assert.deepEqual({ enough: partly.enough, worse: partly.worse }, { enough: undefined, worse: [0] });
    const full = swept([
      side('1', 500),
      side('2', 1000, 0.01, { isGeneratorFull: true }),
      side('3', 1000, 0.01, { isGeneratorFull: true }),
    ]);
    assert.equal(full.enough, undefined);
    assert.match(full.problems.join(), /load generator was the limit/);
    assert.throws(() => swept([{ name: 'a', figures: [] }]), /at least 6/);
  });
});

describe('routes for a load', () => {
  it('are a method and a path on the own server', () => {
    const cases: [text: string, method: string, path: string][] = [
      ['GET /users/1?full=1', 'GET', '/users/1?full=1'],
      ['/users', 'GET', '/users'],
      ['  POST /users {"name":"a:b//c"}', 'POST', '/users'],
      ['GET /proxy?to=http://example.com/', 'GET', '/proxy?to=http://example.com/'],
    ];
    for (const [text, method, path] of cases) {
      const read = readRoute(text);
      assert.ok(read.ok, text);
      assert.deepEqual([read.request.method, read.request.path], [method, path]);
    }
    const posted = readRoute('POST /users -H "x-key: 1"', '{"a":1}');
    assert.ok(posted.ok);
    assert.deepEqual([posted.request.headers, posted.request.body], [{ 'x-key': '1' }, '{"a":1}']);
    assert.deepEqual(withType(posted.request.headers, posted.request.body), { 'content-type': 'application/json', 'x-key': '1' });
  });

  it('are refused where they name a host', () => {
    for (const text of [
      'http://example.com/',
      'GET http://example.com/',
      'GET https://127.0.0.1/x',
      '//example.com/x',
      'GET //example.com/x',
      'localhost:3000/x',
      'get HTTP://EXAMPLE.COM',
    ]) {
      const read = readRoute(text);
      assert.ok(!read.ok, text);
      assert.match(read.why, /names a host/, text);
    }
    for (const text of ['users', 'FETCH /x', '', 'example.com/x']) {
      const read = readRoute(text);
      assert.ok(!read.ok && /must be a method/.test(read.why), text);
    }
  });

  it('that no server knows are told by the nearest answer', () => {
    const request = { method: 'GET', path: '/x' };
    assert.match(whyNone(request, [{ status: 404, text: '' }]), /with status 404, so there is nothing to measure\. Specify/);
    assert.match(
      whyNone(request, [{ status: 404, text: 'a' }, { status: 401, text: 'log\n in' }, { error: 'x' }]),
      /status 401, so there is nothing to measure: log in\./,
    );
    assert.match(whyNone(request, [{ error: 'socket hang up' }]), /did not answer `GET \/x`: socket hang up\./);
  });
});

describe('the text of a load', () => {
  const report: LoadReport = {
    machine: { node: '20.0.0', v8: '11', platform: 'linux x64', cpu: 'A CPU', cores: 2 },
    date: '2026-01-01T00:00:00.000Z',
    command: 'node app.js',
    request: { method: 'GET', path: '/' },
    connections: 10,
    traffic: trafficOf(result({ answered: 4000 })),
    limit: 'server',
    generator: { utilization: 0.2, cpuShare: 0.2, waitedShare: 0, delayP99: 1 },
    othersBusy: 0,
    isMachineBusy: false,
    processes: processesOf([{ pid: 2, type: 'listening', port: 1, protocol: 'http' }, loadRecord(2)]),
    problems: [],
  };

  it('begins with the requests a second, and says what the limit was', () => {
    const text = formatLoad(report, '/', MARKDOWN);
    assert.match(text, /^# GET \/ under load on Node 20\.0\.0\n/);
    assert.match(text, /- 2,000 requests\/s · 4,000 answers · no errors\n- The server was the limit/);
    assert.match(text, /\| p50 \| p99 \| max \| mean \|/);
    assert.match(text, /event loop busy 95 % · 0\.80 processors used/);
  });

  it('calls a figure a lower bound where the load generator was the limit', () => {
    assert.match(formatLoad({ ...report, limit: 'generator' }, '/', MARKDOWN), /at least 2,000 requests\/s/);
  });

  it('shows no figure where there is no result', () => {
    const text = formatLoad({ ...report, limit: undefined, noResult: '3 % of the requests failed.' }, '/', MARKDOWN);
    assert.match(text, /No result\. 3 % of the requests failed\./);
    assert.doesNotMatch(text, /requests\/s|p50 \|/);
  });

  it('has short figures', () => {
    assert.deepEqual([0, 1, 2.5, 12.4, 0.05, 0.004].map(perRequest), ['0', '1', '2.5', '12', 'one in 20', 'one in 250']);
    assert.deepEqual([12_345.6, 100, 12.34].map(perSecondText), ['12,346 requests/s', '100 requests/s', '12.3 requests/s']);
    assert.equal(sparkline([0, 1, 8, 4]), '▁▂█▅');
    assert.equal(sparkline([0, 0]), '▁▁');
  });
});
