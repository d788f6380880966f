// What a run says about a finding: every kind of evidence confirms, refutes, does not reach and leaves open.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Run } from '../../../profiler/judge/hypothesis.ts';
import type { SourcePlace } from '../../../protocol/evidence.ts';
import { amount, duration } from '../../../profiler/judge/words.ts';
import { judge } from '../../../profiler/judge/verdict.ts';
import type { Hypothesis } from '../../../profiler/judge/hypothesis.ts';
import { at, block, cache, call, deopt, EMPTY, judged, verdictOf } from './judged.ts';

describe('verdicts', () => {
  it('on blocking calls', () => {
    assert.equal(verdictOf(['sync-io'], { syncCalls: [call] }), 'seen: fs.readFileSync ×120, 0.08 ms each, up to 0.31 ms');
    assert.equal(
      verdictOf(['sync-io'], { syncCalls: [{ ...call, place: at(8) }] }),
      'refuted: no blocking call in 5000 runs on Node 24.9.0',
    );
    assert.equal(verdictOf(['sync-io'], {}, 0), 'not-reached: never ran');
    assert.equal(
      judge(
        { ruleId: 'r', messageId: 'm', range: { start: at(3), end: at(3) }, functions: [], related: [], kinds: ['sync-io'] },
        EMPTY,
        () => undefined,
      ).verdict,
      'inconclusive',
    );
  });

  it('on blocking calls by what they take of a call or a request', () => {
    const long = { ...call, totalMs: 60, maxMs: 1.2, squaresMs: 36 };
    assert.equal(
      verdictOf(['sync-io'], { syncCalls: [long], timedCalls: 120, unit: 'request', unitNs: 2e6 }),
      'confirmed: fs.readFileSync: 0.50 ms per request (25 %), up to 1.20 ms each',
    );
    assert.equal(
      verdictOf(['sync-io'], { syncCalls: [long], timedCalls: 120, unitNs: 20e6 }),
      'seen: fs.readFileSync ×120, 0.50 ms each, up to 1.20 ms',
      'half a millisecond of twenty',
    );
    assert.equal(
      verdictOf(['sync-io'], { syncCalls: [{ ...long, totalMs: 240 }], timedCalls: 120, unitNs: 200e6 }).split(':')[0],
      'confirmed',
      'two milliseconds hold everything else up, whatever the rest takes',
    );
    const single = (ms: number): string =>
      verdictOf(['sync-io'], { syncCalls: [{ ...call, count: 1, totalMs: ms, maxMs: ms }], timedCalls: 1, unitNs: 2e6 }).split(':')[0] ??
      '';
    assert.deepEqual([single(0.08), single(0.2), single(5), single(12)], ['seen', 'seen', 'inconclusive', 'confirmed'], 'a single call');
    assert.equal(verdictOf(['sync-io'], { syncCalls: [call], timedCalls: 120, unitNs: 90_000 }).split(':')[0], 'seen', '0.08 ms');
    assert.equal(
      verdictOf(['sync-io'], { syncCalls: [long], timedCalls: 1200, unitNs: 2e6 }),
      'confirmed: fs.readFileSync: 0.50 ms per call, up to 1.20 ms each',
      'told for the calls that come here: no share of them all',
    );
    // So many calls of so many ms, and some that the machine held up.
    const timesOf = (...groups: readonly [number, number][]) => {
      const all = groups.flatMap(([count, ms]) => Array.from({ length: count }, () => ms));
      const sumOf = (of: (ms: number) => number) => all.reduce((sum, ms) => sum + of(ms), 0);
      return {
        ...call,
        count: all.length,
        totalMs: sumOf((ms) => ms),
        maxMs: Math.max(...all),
        squaresMs: sumOf((ms) => ms * ms),
        logs: sumOf(Math.log),
        logSquares: sumOf((ms) => Math.log(ms) ** 2),
      };
    };
    const heldUp = timesOf([12, 0.7], [10, 0.8], [1, 26], [2, 107]);
    assert.equal(
      verdictOf(['sync-io'], { syncCalls: [heldUp], timedCalls: 25, unit: 'request', unitNs: 11e6 }).split(':')[0],
      'confirmed',
      'long calls hide nothing',
    );
    const onlyOne = timesOf([23, 0.01], [1, 26]);
    assert.equal(
      verdictOf(['sync-io'], { syncCalls: [onlyOne], timedCalls: 24, unit: 'request', unitNs: 4e6 }).split(':')[0],
      'seen',
      'one long call is no cost of all',
    );
    const scattered = timesOf([2, 0.2], [2, 8], [1, 15], [1, 110]);
    assert.equal(
      verdictOf(['sync-io'], { syncCalls: [scattered], timedCalls: 6, unit: 'request', unitNs: 30e6 }),
      'inconclusive: fs.readFileSync ×6, 24 ms each, up to 110 ms, cost unclear',
      'a few calls whose times have nothing in common',
    );
    const ofMs = (...all: number[]) => {
      const { count, totalMs, squaresMs, logs, logSquares } = timesOf(...all.map((ms): [number, number] => [1, ms]));
      return { count, totalMs, squaresMs, logs, logSquares };
    };
    const withCold = (cold: number[], warm: number[]) => ({
      ...call,
      ...ofMs(...cold, ...warm),
      maxMs: Math.max(...cold, ...warm),
      minMs: Math.min(...cold, ...warm),
      ...(warm.length > 0 && { warm: ofMs(...warm) }),
    });
    const small = withCold([0.9, 0.4, 0.2], [0.07, 0.06]);
    assert.equal(
      verdictOf(['sync-io'], { syncCalls: [small], timedCalls: 5, unit: 'request', unitNs: 2e6 }),
      'inconclusive: fs.readFileSync ×5, 0.33 ms each, up to 0.90 ms, too few calls',
      'two warm calls say little',
    );
    const enough = withCold([0.9, 0.4, 0.2], [0.07, 0.06, 0.07, 0.06, 0.08]);
    assert.equal(
      verdictOf(['sync-io'], { syncCalls: [enough], timedCalls: 8, unit: 'request', unitNs: 0.4e6 }).split(':')[0],
      'seen',
      'the first three are not warm',
    );
    const tiny = judged(['sync-io'], { syncCalls: [enough], timedCalls: 8, unit: 'request', unitNs: 0.4e6 }).cost;
    assert.ok(tiny && Math.abs(tiny.ns - 68_000) < 10, String(tiny?.ns));
    const near = withCold([0.9, 0.4, 0.2], [0.07, 0.12, 0.13, 0.12, 0.12, 0.13, 0.12, 0.13, 0.12, 0.13, 0.12, 0.13, 0.12, 0.12, 0.13]);
    assert.equal(
      verdictOf(['sync-io'], { syncCalls: [near], timedCalls: 18, unit: 'request', unitNs: 0.23e6 }),
      'inconclusive: fs.readFileSync ×18, 0.18 ms each, up to 0.90 ms, cost unclear',
      'little more than the least, and one call took less',
    );
    const heavy = withCold([80, 60, 60], [60, 61]);
    assert.equal(
      verdictOf(['sync-io'], { syncCalls: [heavy], timedCalls: 5, unit: 'request', unitNs: 62e6 }).split(':')[0],
      'confirmed',
      'each of a few took long',
    );
    const once = (timedCalls: number, ms: number) =>
      verdictOf(['sync-io'], { syncCalls: [withCold([ms], [])], timedCalls, unit: 'request', unitNs: 1e6 }).split(':')[0];
    assert.deepEqual(
      [once(40, 14), once(3, 14), once(40, 600)],
      ['inconclusive', 'confirmed', 'confirmed'],
      'kept after the first request',
    );
    const asRun = verdictOf(['sync-io'], { syncCalls: [withCold([3], [])], timedCalls: 1, unit: 'run', unitNs: 20e6 });
    assert.equal(asRun.split(':')[0], 'confirmed', 'what a program does once is what it does');
    assert.equal(
      verdictOf(['sync-io'], { syncCalls: [call], timedCalls: 1, unit: 'run', unitNs: 5e9 }).split(':')[0],
      'seen',
      'a program that runs for long is no reason',
    );
    const cost = judged(['sync-io'], { syncCalls: [long], timedCalls: 120, unit: 'request', unitNs: 2e6 }).cost;
    assert.equal(cost?.ns, 500_000);
    assert.equal(cost?.share, 0.25);
    // Standard deviation 0.226 ms of 120 calls.
    assert.ok(cost?.low !== undefined && Math.abs(cost.low - 459_000) < 2000, String(cost?.low));
    assert.ok(cost?.high !== undefined && Math.abs(cost.high - 541_000) < 2000, String(cost?.high));
  });

  it('on exceptions by what they take', () => {
    const group = { place: at(3, 8), placement: 'exact', type: 'SyntaxError', message: '', thrown: 50 } as const;
    const throwNs = { median: 4000, low: 3800, high: 4400 };
    const run = { exceptions: [group], countedCalls: 1000, throwNs };
    assert.equal(
      verdictOf(['exceptions'], { ...run, unitNs: 900 }, 1000),
      'confirmed: 50 thrown in 1000 runs, at least 200 ns per call (22 %)',
    );
    assert.equal(verdictOf(['exceptions'], { ...run, unitNs: 90_000 }, 1000), 'seen: 50 thrown in 1000 runs');
    assert.equal(
      verdictOf(['exceptions'], { ...run, unit: 'request', unitNs: 900 }, 1000),
      'seen: 50 thrown in 1000 runs',
      'a fraction of a microsecond is nothing for a request',
    );
    const { cost } = judged(['exceptions'], { ...run, unitNs: 900 }, 1000);
    assert.deepEqual([cost?.low, cost?.high, cost?.method], [190, 220, 'calibrated']);
    // What JSON.parse throws takes longer than a plain Error.
    const parsing = { median: 6000, low: 5800, high: 6600 };
    const some = { ...run, exceptions: [group, { ...group, type: 'Error' }], throwNs: { ...throwNs, parsing }, unitNs: 9000 };
    assert.equal(judged(['exceptions'], some, 1000).cost?.ns, (50 * 6000 + 50 * 4000) / 1000);
    // And what `new URL` throws, but no other TypeError.
    const url = { median: 5000, low: 4800, high: 5600 };
    const ofUrl = { ...group, type: 'TypeError', message: 'Invalid URL' };
    const urls = {
      ...run,
      exceptions: [ofUrl, { ...ofUrl, message: 'text is not a function' }],
      throwNs: { ...throwNs, url },
      unitNs: 9000,
    };
    assert.equal(judged(['exceptions'], urls, 1000).cost?.ns, (50 * 5000 + 50 * 4000) / 1000);
  });

  it('on exceptions of `JSON.parse` by what it takes to fail on the texts of these calls, where they are those of one place', () => {
    const group = { place: at(3, 5), placement: 'exact', type: 'SyntaxError', message: 'no JSON', thrown: 1000 } as const;
    const throwNs = {
      ...{ median: 3000, low: 2900, high: 3300 },
      parsing: { median: 4000, low: 3800, high: 4400 },
      own: { median: 6800, low: 6600, high: 7000 },
    };
    const told = (exceptions: readonly (typeof group)[], thrown = throwNs as typeof throwNs | Omit<typeof throwNs, 'own'>) =>
      judged(['exceptions'], { exceptions, countedCalls: 1000, throwNs: thrown, unitNs: 7000 }, 1000);
    const { own, ...others } = throwNs;
    assert.ok(own.median > 0);
    assert.match(told([group], others).grounds[0] ?? '', /at least 4\.0 µs per call \(57 %\): .* a plain one on this Node\.$/);
    // The other place may fail on short texts.
    assert.match(told([group, { ...group, place: at(90, 5) } as typeof group]).grounds[0] ?? '', /at least 4\.0 µs per call \(57 %\)/);
    assert.match(
      told([group]).grounds[0] ?? '',
      /at least 6\.8 µs per call \(97 %\): .* `JSON\.parse` takes to fail on texts of these calls\.$/,
    );
  });

  it('on exceptions of the first call, which keeps its result: no cost of each call', () => {
    const group = { place: at(3, 8), placement: 'exact', type: 'SyntaxError', message: '', thrown: 3, first: 3 } as const;
    const run = { exceptions: [group], countedCalls: 400, throwNs: { median: 4000, low: 3800, high: 4400 }, unitNs: 86 };
    assert.equal(verdictOf(['exceptions'], run, 3), 'seen: 3 thrown in 3 runs, not again');
    assert.match(judged(['exceptions'], run, 3).grounds.join(), /3 times in the first call only, and not again in 400 calls/);
    const again = { ...run, exceptions: [{ ...group, thrown: 1200 }] };
    assert.equal(verdictOf(['exceptions'], again, 1200).split(':')[0], 'confirmed');
    assert.equal(verdictOf(['exceptions'], { ...run, countedCalls: 3 }, 3).split(':')[0], 'confirmed', 'too few calls to tell');
    assert.equal(verdictOf(['exceptions'], { ...run, moreThrown: true }, 3).split(':')[0], 'confirmed', 'counting stopped early');
  });

  it('on exceptions that another try catches first, not at all', () => {
    const thrown = (frames: SourcePlace[]) => ({
      exceptions: [
        {
          place: frames[0] ?? at(1),
          placement: 'exact',
          type: 'Error',
          message: '',
          thrown: 500,
          paths: [{ frames, thrown: 500 }],
        } as const,
      ],
    });
    const own = { extent: [{ start: at(3), end: at(8) }] };
    const inner = { ...own, catches: [{ start: at(5), end: at(6) }] };
    const elsewhere = { ...own, catches: [{ start: at(20), end: at(25) }] };
    const around = { ...own, catches: [{ start: at(2), end: at(9) }] };
    assert.equal(verdictOf(['exceptions'], thrown([at(5, 4)]), 1000, own).split(':')[0], 'seen');
    assert.equal(verdictOf(['exceptions'], thrown([at(5, 4)]), 1000, inner).split(':')[0], 'refuted', 'a try inside');
    assert.equal(verdictOf(['exceptions'], thrown([at(7, 4)]), 1000, inner).split(':')[0], 'seen', 'beside the try inside');
    assert.equal(
      verdictOf(['exceptions'], thrown([at(22), at(4, 2)]), 1000, elsewhere).split(':')[0],
      'refuted',
      'a function catches its own',
    );
    assert.equal(verdictOf(['exceptions'], thrown([at(30), at(4, 2)]), 1000, elsewhere).split(':')[0], 'seen');
    assert.equal(verdictOf(['exceptions'], thrown([at(5, 4)]), 1000, around).split(':')[0], 'seen', 'a try around comes later');
    assert.equal(verdictOf(['exceptions'], {}, 1000, { messageId: 'stackRead' }).split(':')[0], 'inconclusive');
    // Another rule's clock stands around the same reading.
    const read = { name: 'new Error(…).stack', place: at(3, 5), count: 1000, totalMs: 16, maxMs: 0.1, clockMs: 0.0007 };
    assert.equal(
      verdictOf(['exceptions'], { unit: 'request', timedCalls: 20, unitNs: 2e6, syncCalls: [read] }, 1000, { messageId: 'stackRead' }),
      'confirmed: read 1000 times, 0.80 ms per request (40 %)',
    );
  });

  it('on a blocking call, not on one among its arguments', () => {
    const large = { ...call, name: 'fs.readFileSync', place: at(3, 15), totalMs: 900 };
    const small = { ...call, name: 'fs.existsSync', place: at(3, 6), totalMs: 0.3 };
    assert.equal(
      verdictOf(['sync-io'], { syncCalls: [large, small], timedCalls: 120 }, 120, { call: 'fs.existsSync' }),
      'seen: fs.existsSync ×120, 2.5 µs each, up to 0.31 ms',
    );
    const row = { ...call, name: 'sqlite.StatementSync.get' };
    assert.match(
      verdictOf(['sync-io'], { syncCalls: [large, row], timedCalls: 120 }, 120, { call: 'StatementSync#get' }),
      /sqlite\.StatementSync\.get/,
    );
  });

  it('on an expression, not on what it calls back', () => {
    const stuck = (...lines: number[]) => ({
      blocks: [
        { duration: 90, kind: 'synchronous', endless: false, stack: lines.map((line) => ({ ...at(line, 6), functionName: 'f' })) } as const,
      ],
    });
    assert.equal(verdictOf(['loop-delay'], stuck(3), 10, { ruleId: 'no-unsafe-regex' }), 'confirmed: blocked 90 ms');
    assert.equal(verdictOf(['loop-delay'], stuck(7, 3), 10, { ruleId: 'no-unsafe-regex' }).split(':')[0], 'inconclusive');
    assert.equal(
      verdictOf(['loop-delay'], stuck(7, 3), 10, { ruleId: 'no-blocking-loop' }),
      'confirmed: blocked 90 ms',
      'what a loop calls is its own',
    );
  });

  it('on values that never came: the place that hands them over did not run', () => {
    const related = [{ start: at(10), end: at(10, 9) }];
    const run: Run = { ...EMPTY, inlineCaches: [{ ...cache, place: at(5) }] };
    const hypothesis: Hypothesis = {
      ruleId: 'no-polymorphic-call',
      messageId: 'shapes',
      range: { start: at(3), end: at(3, 9) },
      functions: [{ start: at(4), end: at(6) }],
      related,
      kinds: ['inline-cache', 'deopt'],
    };
    assert.equal(judge(hypothesis, run, ({ line }) => (line === 3 ? 0 : 5000)).verdict, 'not-reached');
    assert.equal(judge(hypothesis, run, () => 5000).verdict, 'refuted');
    const orders = { ...hypothesis, ruleId: 'no-unstable-shape', keys: ['x', 'y'], kinds: ['inline-cache'] as const };
    const reader = { ...EMPTY, inlineCaches: [{ ...cache, kind: 'LoadIC', property: 'x', place: at(5) }] };
    assert.equal(judge(orders, reader, ({ line }) => (line === 3 ? 0 : 5000)).verdict, 'not-reached', 'one order never came');
    const two = { ...reader, inlineCaches: [{ ...cache, state: 'polymorphic', shapeCount: 2, place: at(5) } as const] };
    assert.equal(judge(orders, two, ({ line }) => (line === 3 ? 0 : 5000)).verdict, 'seen', 'made while the program was loaded');
  });

  it('on what is built for each request by the time that building takes', () => {
    const built = { name: 'new Intl.NumberFormat', place: at(3, 5), count: 50, totalMs: 1, maxMs: 0.1 };
    const run = { unit: 'request', countedCalls: 50, timedCalls: 50 } as const;
    const said = (more: Partial<Run>, call = built.name) =>
      verdictOf(['runs', 'time'], { ...run, syncCalls: [built], ...more }, 50, { call });
    assert.equal(said({ unitNs: 200_000 }), 'confirmed: ran 50 times in 50 calls, 0.02 ms per request (10 %)');
    assert.equal(said({ unitNs: 2_000_000 }), 'seen: ran 50 times in 50 calls, 0.02 ms per request (1.0 %)');
    // Where the share is unknown, it counts as what blocks does.
    assert.equal(said({}), 'seen: ran 50 times in 50 calls, 0.02 ms per request');
    assert.equal(said({ syncCalls: [{ ...built, totalMs: 10 }] }), 'confirmed: ran 50 times in 50 calls, 0.20 ms per request');
    assert.equal(said({ unitNs: 200_000 }, 'new Intl.Collator'), 'seen: ran 50 times in 50 calls');
    assert.equal(said({ unitNs: 200_000, syncCalls: [{ ...built, place: at(8) }] }), 'seen: ran 50 times in 50 calls');
  });

  it('on work on a whole list for each element not by its share: the share does not tell how it grows', () => {
    const searched = { name: 'seen.includes', place: at(3, 5), count: 50_000, totalMs: 10, maxMs: 0.1 };
    const said = (messageId: string, totalMs: number): string =>
      verdictOf(
        ['runs', 'time'],
        { countedCalls: 50, timedCalls: 50, unitNs: totalMs * 25_000, syncCalls: [{ ...searched, totalMs }] },
        50_000,
        { ruleId: 'no-quadratic', messageId, call: searched.name },
      );
    assert.equal(said('searched', 1), 'seen: ran 50 k times in 50 calls, 0.02 ms per call (80 %)');
    assert.equal(said('searched', 100), 'seen: ran 50 k times in 50 calls, 2.00 ms per call (80 %)');
    // How a queue grows cannot be measured with lists that are short: there, what blocks counts, and a share alone does not.
    assert.equal(said('moved', 1), 'seen: ran 50 k times in 50 calls, 0.02 ms per call (80 %)');
    assert.equal(said('moved', 100), 'confirmed: ran 50 k times in 50 calls, 2.00 ms per call (80 %)');
  });

  it('on searches for each element of a list by what they take of one request together, and on no growth', () => {
    const searched = { name: 'users.find', place: at(3, 5), totalMs: 1, maxMs: 0.1 };
    const told = (perRequest: number, ms: number, { unitMs = 20, unit = 'request' as 'request' | 'call', ...more } = {}) =>
      judged(
        ['runs', 'time'],
        {
          unit,
          countedCalls: 10,
          timedCalls: 10,
          unitNs: unitMs * 1e6,
          syncCalls: [{ ...searched, count: 10 * perRequest, totalMs: 10 * ms, ...more }],
        },
        10 * perRequest,
        { ruleId: 'no-quadratic', messageId: 'searched', call: searched.name },
      ).verdict;
    assert.equal(told(40, 8.6), 'seen', 'few searches, each of which takes long');
    assert.equal(told(2000, 0.4, { unitMs: 0.5 }), 'seen', 'most of a short request');
    assert.equal(told(2000, 8.6, { unitMs: 400 }), 'seen', 'a small part of the request');
    assert.equal(told(2000, 8.6, { clockMs: 0.02 } as object), 'seen', 'no longer than the clock around it');
    assert.equal(told(2000, 8.6, { unit: 'call' }), 'seen', 'the growth of calls can be measured');
    assert.equal(told(2000, 8.6), 'confirmed');
    const { figure, grounds } = judged(
      ['runs', 'time'],
      { unit: 'request', countedCalls: 10, timedCalls: 10, unitNs: 20e6, syncCalls: [{ ...searched, count: 20_000, totalMs: 86 }] },
      20_000,
      { ruleId: 'no-quadratic', messageId: 'searched', call: searched.name },
    );
    assert.equal(figure, 'ran 2000 times for each request, 8.60 ms per request (43 %)');
    assert.match(grounds[0] ?? '', /Together, these calls take 8\.60 ms .* How it grows with longer lists was not measured\.$/);
  });

  it('on calls that take no longer than the clock around them with an upper limit, which confirms nothing', () => {
    // `shift` with a clock that shows 0.7 µs of nothing: 0.3 µs are left of 500 calls, in a call that takes 36.6 µs.
    const each = (ms: number, count = 4000) => {
      const log = Math.log(ms);
      return {
        count,
        totalMs: ms * count,
        squaresMs: ms * ms * count,
        logs: log * count,
        logSquares: log * log * count,
        minMs: ms,
        maxMs: ms,
      };
    };
    const timedAs = (ms: number, more: object = {}) => {
      const { minMs, maxMs, ...warm } = each(ms);
      return { name: 'queue.shift', place: at(3, 5), ...warm, minMs, maxMs, warm, clockMs: 0.0007, ...more };
    };
    const told = (call: ReturnType<typeof timedAs>, unitNs: number, ruleId = 'no-slow-api') =>
      judged(['runs'], { countedCalls: 8, timedCalls: 8, unitNs, syncCalls: [call] }, 4000, {
        ruleId,
        messageId: 'moved',
        call: call.name,
      });
    const short = told(timedAs(0.0003), 36_600);
    assert.equal(`${short.verdict}: ${short.figure}`, 'seen: ran 4000 times in 8 calls, at most 0.04 ms per call (100 %)');
    assert.match(short.grounds[0] ?? '', /It takes at most 0\.04 ms per call .* upper limit\.$/);
    assert.equal(short.cost, undefined);
    // A call that a crowded machine held up is no reason to believe the others.
    const heldUp = { totalMs: 26, maxMs: 24, squaresMs: 577 };
    const { warm } = timedAs(0.0003);
    assert.equal(told(timedAs(0.0003, { ...heldUp, warm: { ...warm, totalMs: 26, squaresMs: 577 } }), 36_600).verdict, 'seen');
    // Longer than the clock shows, and yet far longer than the whole takes without clocks.
    assert.equal(told(timedAs(0.0009), 36_600).verdict, 'seen');
    assert.equal(told(timedAs(0.0009), 1_000_000).verdict, 'confirmed', '0.45 of 1 ms');
    assert.equal(told(timedAs(0.02), 1_000_000).verdict, 'confirmed', 'warms up');
    const { clockMs, ...unclocked } = timedAs(0.0003);
    assert.ok(clockMs > 0);
    assert.equal(told(unclocked as ReturnType<typeof timedAs>, 36_600).verdict, 'confirmed', 'a call of Node itself has no such clock');
    // Few calls have a wide interval, whatever the clock takes: 8 of 0.25 ms, some of which took twice as long.
    const times = (list: readonly number[]) => ({
      count: list.length,
      totalMs: list.reduce((sum, ms) => sum + ms, 0),
      squaresMs: list.reduce((sum, ms) => sum + ms * ms, 0),
      logs: list.reduce((sum, ms) => sum + Math.log(ms), 0),
      logSquares: list.reduce((sum, ms) => sum + Math.log(ms) ** 2, 0),
    });
    const few = times([0.2, 0.2, 0.05, 0.2, 0.6]);
    const ofFew = { ...times([0.9, 0.8, 0.5, 0.2, 0.2, 0.05, 0.2, 0.6]), minMs: 0.05, maxMs: 0.9, warm: few, clockMs: 0.07 };
    const wide = told({ name: 'queue.shift', place: at(3, 5), ...ofFew }, 1_000_000);
    assert.doesNotMatch(`${wide.figure} ${wide.grounds.join(' ')}`, /at most|upper limit/);
    // What is far too little is so with the limit, too.
    assert.match(told(timedAs(0.0003), 100e6).grounds[0] ?? '', /at most 0\.15 ms per call \(0\.1 %\) .* too little to count\.$/);
  });

  it('on a call that a hook of Node and a clock in the text have timed by one of them', () => {
    const hooked = { name: 'JSON.stringify', place: at(3, 25), count: 40, totalMs: 24, maxMs: 1 };
    const clocked = { ...hooked, place: at(3, 20), clockMs: 0.0007 };
    for (const ruleId of ['no-eager-log', 'no-redundant-work'])
      for (const syncCalls of [[hooked, clocked], [hooked]])
        assert.match(
          judged(['runs'], { unit: 'request', countedCalls: 40, timedCalls: 40, unitNs: 2e6, syncCalls }, 40, {
            ruleId,
            messageId: 'unused',
            range: { start: at(3, 20), end: at(3, 60) },
            call: 'JSON.stringify',
          }).figure,
          / 0\.60 ms per request \(30 %\)$/,
        );
  });

  it('on short calls without the one that the machine held up, unless there are few', () => {
    const shown = (count: number, longestMs: number) => {
      const [ms, more] = [0.0015, longestMs - 0.0015];
      const times = {
        count,
        totalMs: count * ms + more,
        squaresMs: (count - 1) * ms ** 2 + longestMs ** 2,
        logs: (count - 1) * Math.log(ms) + Math.log(longestMs),
        logSquares: (count - 1) * Math.log(ms) ** 2 + Math.log(longestMs) ** 2,
      };
      const call = { name: 'text.replaceAll', place: at(3, 5), ...times, maxMs: longestMs, minMs: ms, warm: times, clockMs: 0.0007 };
      const run = { unit: 'request', countedCalls: 8, timedCalls: 8, unitNs: 2e6, syncCalls: [call] } as const;
      return judged(['runs'], run, count, { ruleId: 'no-slow-api', messageId: 'slow', call: call.name }).grounds[0];
    };
    assert.match(shown(3200, 33) ?? '', / takes 0\.60 ms per request \(30 %\)/);
    assert.match(shown(3200, 2) ?? '', / takes 0\.85 ms per request \(42 %\)/, 'less than the others together');
    assert.match(shown(24, 2) ?? '', / takes (?:at most )?0\.25 ms per request \(13 %\)/, 'of few, it may be the usual one');
  });

  it('on what is started all at once by how many there are, and how long starting them blocks', () => {
    const started = { name: 'run', place: at(3, 5), count: 400, totalMs: 800, maxMs: 4, awaitedMs: 40, peak: 20 };
    const said = (more: Partial<Run>, ran = 400): string =>
      verdictOf(['runs'], { unit: 'request', countedCalls: 20, timedCalls: 20, syncCalls: [started], ...more }, ran, {
        ruleId: 'no-unbounded-fan-out',
        call: started.name,
      });
    assert.equal(said({}), 'confirmed: ran 20 times for each request, at most 20 at once, started in 40 ms per request');
    const short = { ...started, totalMs: 20, maxMs: 0.1 };
    assert.equal(said({ syncCalls: [short] }), 'seen: ran 20 times for each request, at most 20 at once, started in 1.00 ms per request');
    const { peak, ...uncounted } = started;
    assert.equal(peak, 20);
    assert.equal(
      said({ syncCalls: [uncounted] }),
      'confirmed: ran 20 times for each request, started in 40 ms per request',
      'with callbacks',
    );
    assert.equal(said({ syncCalls: [] }), 'seen: ran 20 times for each request', 'not timed');
    assert.equal(said({}, 20), 'seen: ran 20 times in 20 calls', 'lists of one element');
    assert.equal(said({}, 0).split(':')[0], 'not-reached');
  });

  it('on jobs of the thread pool by what a file waits for a thread meanwhile', () => {
    const pool = { threads: 4, asked: 9, ms: 210.2, maxMs: 310, restMs: 0.2 };
    const jobs = { name: 'crypto.scrypt', place: at(3, 5), count: 60, totalMs: 1, maxMs: 0.1, awaitedMs: 1600, peak: 12, pool };
    const said = (more: Partial<typeof jobs>, ran = 60, calls = 5): string =>
      verdictOf(['runs'], { unit: 'request', countedCalls: calls, timedCalls: calls, syncCalls: [{ ...jobs, ...more }] }, ran, {
        ruleId: 'no-threadpool-saturation',
        call: jobs.name,
      });
    assert.equal(said({}), 'confirmed: at most 12 at once, files wait 210 ms longer');
    assert.equal(said({ pool: { ...pool, ms: 0.3 } }), 'inconclusive: at most 12 at once, waits unclear', 'one long wait');
    assert.equal(
      said({ pool: { ...pool, ms: 0.3, maxMs: 2600 } }),
      'confirmed: at most 12 at once, files wait 2.6 s longer',
      'once, but for seconds',
    );
    assert.equal(
      said({ pool: { ...pool, ms: 20.1, maxMs: 20.1 } }),
      'seen: at most 12 at once, files wait 20 ms longer',
      'a machine that is slow anyway',
    );
    assert.equal(said({ pool: { ...pool, asked: 1 } }), 'seen: at most 12 at once', 'done before anything could wait for them');
    assert.equal(said({ peak: 3 }), 'seen: at most 3 at once, 4 threads', 'a thread is left');
    assert.equal(said({ peak: 12 }, 15), 'seen: at most 12 at once, 4 threads', 'those of four requests, which did not wait for them');
    const { pool: _, ...unasked } = jobs;
    assert.equal(
      verdictOf(['runs'], { unit: 'request', countedCalls: 5, timedCalls: 5, syncCalls: [unasked] }, 60, {
        ruleId: 'no-threadpool-saturation',
        call: jobs.name,
      }),
      'seen: ran 60 times in 5 calls',
      'not asked',
    );
    assert.equal(said({}, 0).split(':')[0], 'not-reached');
  });

  it('on deep copies by what they take', () => {
    const copy = { name: 'structuredClone', place: at(3, 5), count: 20, totalMs: 28, maxMs: 2 };
    const said = (more: Partial<Run>, ran = 20): string =>
      verdictOf(['runs'], { unit: 'request', unitNs: 3e6, countedCalls: 20, timedCalls: 20, syncCalls: [copy], ...more }, ran, {
        ruleId: 'no-deep-clone',
        messageId: 'read',
        call: copy.name,
      });
    assert.equal(said({}), 'confirmed: ran 20 times in 20 calls, 1.40 ms per request (47 %)');
    assert.equal(
      said({ syncCalls: [{ ...copy, totalMs: 0.1, maxMs: 0.01 }] }),
      'seen: ran 20 times in 20 calls, 5.0 µs per request (0.2 %)',
    );
    assert.equal(said({ syncCalls: [] }), 'seen: ran 20 times in 20 calls', 'not timed');
    assert.equal(said({}, 0).split(':')[0], 'not-reached');
  });

  it('on threads and processes by how long they take to start', () => {
    const start = { name: 'worker_threads.Worker', place: at(3, 8), count: 5, totalMs: 2, maxMs: 1, started: 4, startMs: 120 };
    assert.equal(
      verdictOf(['runs'], { countedCalls: 5, timedCalls: 5, syncCalls: [start] }, 5),
      'confirmed: ran 5 times in 5 calls, 30 ms per start',
    );
    const fork = { name: 'child_process.fork', place: at(3, 8), count: 5, totalMs: 15, maxMs: 4 };
    assert.equal(
      verdictOf(['runs'], { countedCalls: 5, timedCalls: 5, syncCalls: [fork] }, 5),
      'confirmed: ran 5 times in 5 calls, 3.00 ms per call on this thread',
    );
    assert.equal(verdictOf(['runs'], { countedCalls: 5, syncCalls: [{ ...fork, place: at(8) }] }, 5), 'seen: ran 5 times in 5 calls');
  });

  it('on what was thrown after counting had ended', () => {
    const group = { place: at(3, 8), placement: 'exact', type: 'SyntaxError', message: '', thrown: 500 } as const;
    assert.equal(verdictOf(['exceptions'], { exceptions: [group], moreThrown: true }, 528), 'seen: at least 500 thrown in 528 runs');
    assert.equal(
      verdictOf(['exceptions'], { exceptions: [group], moreThrown: true }, 60_000),
      'inconclusive: at least 500 thrown in 60 k runs',
    );
    assert.equal(verdictOf(['exceptions'], { exceptions: [group] }, 600_000), 'seen: 500 thrown in 600 k runs');
    assert.equal(verdictOf(['exceptions'], { moreThrown: true }), 'inconclusive: counting stopped early');
    assert.equal(verdictOf(['exceptions'], { moreThrown: true }, 0), 'not-reached: never ran');
  });

  it('on what was not thrown', () => {
    assert.equal(verdictOf(['exceptions'], {}, 29), 'inconclusive: ran only 29 times');
    assert.equal(verdictOf(['exceptions'], {}, 30), 'refuted: nothing thrown in 30 runs on Node 24.9.0');
  });

  it('on what is enough to run', () => {
    assert.equal(verdictOf(['runs'], { calls: 203, countedCalls: 5 }, 5), 'seen: ran 5 times in 5 calls');
    assert.equal(verdictOf(['runs'], { calls: 1 }, 5), 'seen: ran 5 times');
  });

  it('on exceptions', () => {
    const thrown = { place: at(3, 6), placement: 'exact', type: 'TypeError', message: 'no', thrown: 2500 } as const;
    assert.equal(verdictOf(['exceptions'], { exceptions: [thrown] }), 'seen: 2500 thrown in 5000 runs');
    assert.equal(verdictOf(['exceptions'], { exceptions: [{ ...thrown, thrown: 3 }] }), 'seen: 3 thrown in 5000 runs');
    assert.equal(verdictOf(['exceptions'], {}), 'refuted: nothing thrown in 5000 runs on Node 24.9.0');
  });

  it('on starvation', () => {
    assert.equal(
      verdictOf(['microtasks', 'loop-delay'], { blocks: [block] }),
      'confirmed: did not finish in 500 ms: recursive process.nextTick',
    );
    assert.equal(
      verdictOf(['microtasks', 'loop-delay'], { blocks: [{ ...block, stack: [{ ...at(40), functionName: 'g' }] }] }),
      'refuted: timers fired on time in 5000 runs on Node 24.9.0',
    );
    assert.equal(verdictOf(['microtasks'], {}, 1), 'inconclusive: ran only once');
    // Three pieces of synchronous code with an `await` behind each are no queue that keeps growing.
    const loop = { messageId: 'longLoop', related: [{ start: at(5, 5), end: at(5, 30) }] };
    const taken = { ...block, kind: 'microtask', endless: false, duration: 300 } as const;
    assert.equal(
      verdictOf(['microtasks'], { blocks: [taken], watchedCalls: 2 }, 6, loop),
      'inconclusive: blocked by the code between 3 awaits',
    );
    assert.equal(
      verdictOf(['microtasks'], { blocks: [taken], watchedCalls: 2 }, 600_000, loop),
      'confirmed: blocked 300 ms: recursive microtasks',
    );
    assert.equal(
      verdictOf(['microtasks'], { blocks: [{ ...taken, endless: true }], watchedCalls: 2 }, 6, loop),
      'confirmed: did not finish in 300 ms: recursive microtasks',
    );
  });

  it('on loops that block', () => {
    const own = { ...block, kind: 'synchronous', endless: false } as const;
    assert.equal(verdictOf(['loop-delay'], { blocks: [own] }), 'confirmed: blocked 500 ms');
    // Once in many calls: the first one, or a crowded machine.
    const once = { ...own, duration: 199 };
    assert.equal(verdictOf(['loop-delay'], { blocks: [once], watchedCalls: 24 }), 'inconclusive: blocked once, for 199 ms');
    assert.equal(verdictOf(['loop-delay'], { blocks: [once, once], watchedCalls: 24 }), 'confirmed: blocked 2 times, up to 199 ms');
    assert.equal(verdictOf(['loop-delay'], { blocks: [once], watchedCalls: 2 }), 'confirmed: blocked 199 ms');
    assert.equal(verdictOf(['loop-delay'], { blocks: [own], watchedCalls: 24 }), 'confirmed: blocked 500 ms');
    assert.equal(
      verdictOf(['loop-delay'], { blocks: [{ ...own, stack: [{ ...at(40), functionName: 'g' }] }] }),
      'inconclusive: no block in 5000 runs',
    );
    assert.equal(verdictOf(['loop-delay', 'time'], {}, 1), 'inconclusive: no block in 1 run');
    // What stands still while it waits for a processor may block by the clock, as a loop around `Date.now()` does.
    assert.equal(verdictOf(['loop-delay'], { heldUp: [own] }, 7), 'inconclusive: the machine was busy');
    assert.equal(
      verdictOf(['loop-delay'], { heldUp: [{ ...own, stack: [{ ...at(40), functionName: 'g' }] }] }, 7),
      'inconclusive: no block in 7 runs',
    );
    assert.equal(verdictOf(['loop-delay'], {}, 0), 'not-reached: never ran');
    assert.equal(verdictOf(['loop-delay', 'sync-io'], {}), 'refuted: no blocking call in 5000 runs on Node 24.9.0');
    const uncounted = judge(
      { ruleId: 'r', messageId: 'm', range: { start: at(3), end: at(3) }, functions: [], related: [], kinds: ['loop-delay'] },
      EMPTY,
      () => undefined,
    );
    assert.equal(uncounted.figure, 'not measured by this run');
    assert.match(uncounted.grounds[0] ?? '', /^This run did not measure what would confirm or refute this: loop-delay\.$/);
    const memory = judge(
      { ruleId: 'no-whole-read', messageId: 'm', range: { start: at(3), end: at(3) }, functions: [], related: [], kinds: [] },
      EMPTY,
      () => 10,
    );
    assert.match(memory.grounds[0] ?? '', /^No run .* measures what this costs\. The page of the rule says how to measure it\.$/);
  });

  it('on loops too short for a block by what they take of a request', () => {
    const told = (
      ms: number,
      { unitMs = ms + 1, unit = 'request' as 'request' | 'call', name = 'for', ruleId = 'no-blocking-loop' } = {},
    ) =>
      judged(
        ['loop-delay'],
        { unit, timedCalls: 10, unitNs: unitMs * 1e6, syncCalls: [{ name, place: at(3, 5), count: 10, totalMs: 10 * ms, maxMs: ms }] },
        10,
        { ruleId },
      );
    const said = (...args: Parameters<typeof told>): string => `${told(...args).verdict}: ${told(...args).figure}`;
    // The next request may bring a larger number.
    assert.equal(said(3), 'inconclusive: no block in 10 runs, 3.00 ms per request (75 %)');
    assert.equal(said(12, { unitMs: 400 }), 'inconclusive: no block in 10 runs, 12 ms per request (3.0 %)', 'a small part');
    assert.equal(said(12, { unit: 'call' }), 'inconclusive: no block in 10 runs', 'nobody waits for a call');
    assert.equal(said(12, { name: 'fs.readFileSync' }), 'inconclusive: no block in 10 runs', 'a call in its head');
    assert.equal(said(12, { ruleId: 'no-unbounded-json' }), 'inconclusive: no block in 10 runs');
    assert.equal(said(12), 'confirmed: 12 ms per request (92 %)');
    assert.equal(told(12).cost?.ns, 12e6);
    // Four loops that follow each other are one block, which looks like one of them.
    const inOne = (ms: number, duration = 60, more: { count?: number; maxTurnMs?: number } = {}) =>
      verdictOf(
        ['loop-delay'],
        {
          ...{ unit: 'request', timedCalls: 10, unitNs: 65e6, watchedCalls: 10 },
          blocks: [1, 2].map(() => ({ ...block, kind: 'synchronous' as const, endless: false, duration })),
          syncCalls: [{ name: 'while', place: at(3, 5), count: 10, totalMs: 10 * ms, maxMs: ms, ...more }],
        },
        10,
        { ruleId: 'no-blocking-loop' },
      );
    assert.equal(inOne(15), 'confirmed: 15 ms per request (23 %)');
    assert.equal(inOne(3), 'inconclusive: 3.00 ms per request (4.6 %) of blocks of up to 60 ms');
    assert.equal(inOne(50), 'confirmed: blocked 2 times, up to 60 ms', 'its own');
    // So are many runs of one loop.
    assert.equal(inOne(3, 60, { maxTurnMs: 12 }), 'inconclusive: 3.00 ms per request (4.6 %) of blocks of up to 60 ms');
    assert.equal(inOne(3, 60, { maxTurnMs: 45 }), 'confirmed: blocked 2 times, up to 60 ms', 'of one request of many');
    assert.equal(inOne(3, 60, { count: 120 }), 'confirmed: blocked 2 times, up to 60 ms', 'of each request');
  });

  it('on exceptions count those that come through the try, against its runs', () => {
    const elsewhere = { place: at(40, 3), placement: 'exact', type: 'Error', message: '', thrown: 500 } as const;
    const guarded = { extent: [{ start: at(3, 5), end: at(6) }], entry: at(3, 5) };
    assert.equal(
      verdictOf(['exceptions'], { exceptions: [{ ...elsewhere, paths: [{ frames: [at(40, 3)], thrown: 500 }] }] }, 5000, guarded),
      'refuted: nothing thrown in 5000 runs on Node 24.9.0',
    );
    const paths = [
      { frames: [at(40, 3)], thrown: 100 },
      { frames: [at(40, 3), at(4, 8)], thrown: 400 },
    ];
    assert.equal(verdictOf(['exceptions'], { exceptions: [{ ...elsewhere, paths }] }, 5000, guarded), 'seen: 400 thrown in 5000 runs');
    // The throw statement runs as often as it throws: the share is that of the `try`.
    const own = { ...elsewhere, place: at(3, 6) };
    const { verdict, figure } = judge(
      {
        ruleId: 'r',
        messageId: 'm',
        range: { start: at(3, 5), end: at(3, 20) },
        functions: [],
        related: [],
        kinds: ['exceptions'],
        entry: at(2),
      },
      { ...EMPTY, exceptions: [own] },
      (place) => (place.line === 2 ? 1_000_000 : 500),
    );
    assert.equal(`${verdict}: ${figure}`, 'seen: 500 thrown in 1 M runs');
    assert.equal(verdictOf(['exceptions'], { exceptions: [own] }, 50_000), 'seen: 500 thrown in 50 k runs');
  });

  it('on exceptions go by the runs of the catch where counting stopped early', () => {
    const own = { place: at(3, 6), placement: 'exact', type: 'Error', message: '', thrown: 500 } as const;
    const guarded = { entry: at(2), handler: at(9) };
    const verdictWith = (caught: number, more: Partial<Run>) => {
      const claim = {
        ...{ ruleId: 'r', messageId: 'm', range: { start: at(3, 5), end: at(3, 20) }, functions: [], related: [] },
        kinds: ['exceptions' as const],
        ...guarded,
      };
      const { verdict, figure } = judge(claim, { ...EMPTY, moreThrown: true, ...more }, ({ line }) => (line === 9 ? caught : 100_000));
      return `${verdict}: ${figure}`;
    };
    assert.equal(verdictWith(40_000, { exceptions: [own] }), 'seen: 40 k thrown in 100 k runs');
    // The first 500 came from elsewhere.
    assert.equal(verdictWith(40_000, {}), 'seen: 40 k thrown in 100 k runs');
    assert.equal(verdictWith(0, {}), 'refuted: nothing thrown in 100 k runs on Node 24.9.0');
  });

  it('stay open where nothing of the kind was measured', () => {
    assert.equal(verdictOf(['load'], {}), 'inconclusive: not measured by this run');
    assert.equal(verdictOf(['time'], {}), 'inconclusive: not measured by this run');
  });

  it('a confirmation beats a refutation of another kind', () => {
    assert.equal(verdictOf(['inline-cache', 'deopt'], { inlineCaches: [cache], deopts: [deopt] }), 'seen: deopt ×3: not a Smi');
  });

  it('write numbers for people', () => {
    assert.deepEqual([0, 950, 9999, 12_345, 1_200_000, 3e9].map(amount), ['0', '950', '9999', '12.3 k', '1.2 M', '3 G']);
    assert.deepEqual([0.0004, 0.08, 3, 12.4, 1500].map(duration), ['0.4 µs', '0.08 ms', '3.00 ms', '12 ms', '1.5 s']);
  });
});
