// What stays of each call or request: where it is counted, what the counts say, and real runs of code that grows and of code that does not.
import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { runInNewContext } from 'node:vm';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { dedent } from '../../analysis/testing/dedent.ts';
import { judgeRetained, rateText, slopeOf, type RetainedClaim, type RetainedPhase } from '../../profiler/judge/retained.ts';
import type { NodeBinary } from '../../profiler/plan/node-binary.ts';
import { withRetained } from '../../profiler/plan/retained.ts';
import type { Verdict } from '../../protocol/evidence.ts';
import { withoutCounts } from '../../profiler/evidence/retained.ts';
import { reportOf } from '../client/profile-report.ts';
import { prepared, profiled } from './prepared.ts';
import { nodesToTest } from './runs.ts';

const MAP: RetainedClaim = { unit: 'entry', name: 'cache', isKeyed: true };
const LIST: RetainedClaim = { unit: 'entry', name: 'visits', isKeyed: false };
const ROUNDS = [1, 2, 3, 4, 5, 6, 7, 8];

/** @param count after so many calls @param keys the same */
function phasesOf(count: (calls: number) => number | undefined, { keys = (calls: number) => calls, bytes = 300 } = {}): RetainedPhase[] {
  return ROUNDS.map((round) => {
    const calls = round * 100;
    const there = count(calls);
    return { calls, adds: calls, keys: keys(calls), bytes: 5e6 + calls * bytes, ...(there === undefined ? {} : { count: there }) };
  });
}

const judged = (
  claim: RetainedClaim,
  phases: readonly RetainedPhase[],
  more: { timer?: { file: string; line: number; delay: number } } = {},
) => judgeRetained(claim, { phases, per: 'request', node: '22.0.0', ...more });

describe('what the counts say', () => {
  it('growth that goes on is confirmed, with its rate and its bytes', () => {
    const found = judged(
      LIST,
      phasesOf((calls) => calls),
    );
    assert.equal(found?.verdict, 'confirmed');
    assert.equal(found.figure, '1 entry and 300 bytes per request stay (800 requests)');
    assert.match(
      found.ground,
      /had 100 entries after 100 requests, and 800 after 800, .* 1 entry in every round\. The heap keeps 300 bytes/,
    );
    assert.equal(found.retained?.points.length, ROUNDS.length);
    assert.deepEqual([found.retained.rate.low, found.retained.rate.high].map(Math.round), [1, 1]);
  });

  it('every other request is half an entry', () => {
    const found = judged(
      LIST,
      phasesOf((calls) => calls / 2, { bytes: 0 }),
    );
    assert.equal(found?.figure, '0.5 entries per request stay (800 requests)');
    assert.equal(found.retained?.bytes, undefined);
  });

  it('what reaches a limit is refuted', () => {
    const found = judged(
      MAP,
      phasesOf((calls) => Math.min(calls, 250)),
    );
    assert.equal(found?.verdict, 'refuted');
    assert.match(found.figure, /^stays at 250 entries in 800 requests$/);
  });

  it('a limit that comes late is not confirmed', () => {
    for (const limit of [500, 600, 700])
      assert.notEqual(
        judged(
          MAP,
          phasesOf((calls) => Math.min(calls, limit)),
        )?.verdict,
        'confirmed',
      );
  });

  it('what becomes less again is refuted', () => {
    const found = judged(
      LIST,
      phasesOf((calls) => calls % 300),
    );
    assert.equal(found?.verdict, 'refuted');
    assert.match(found.figure, /taken out/);
  });

  it('what is removed by the end of each request is refuted', () => {
    assert.equal(
      judged(
        { ...LIST, unit: 'listener' },
        phasesOf(() => 0),
      )?.verdict,
      'refuted',
    );
  });

  it('the same keys in all requests say nothing, and how to vary them is said', () => {
    const found = judged(
      MAP,
      phasesOf(() => 1, { keys: () => 1 }),
    );
    assert.equal(found?.verdict, 'inconclusive');
    assert.match(found.ground, /brought no new key to `cache`.*`\{n\}` stands for its number/);
    const calls = judgeRetained(MAP, { phases: phasesOf(() => 1, { keys: () => 1 }), per: 'call', node: '22.0.0' });
    assert.match(calls?.ground ?? '', /Math\.random/);
  });

  it('a place that ran in the first round alone says nothing', () => {
    const phases = phasesOf(() => 5).map((phase) => ({ ...phase, adds: 5, keys: 5 }));
    assert.equal(judged(MAP, phases)?.verdict, 'inconclusive');
    assert.equal(judged(LIST, phases)?.verdict, 'inconclusive');
  });

  it('a timer that has yet to run leaves it open', () => {
    const found = judged(
      MAP,
      phasesOf((calls) => calls),
      { timer: { file: '/app/clean.js', line: 7, delay: 60_000 } },
    );
    assert.equal(found?.verdict, 'inconclusive');
    assert.match(found.ground, /timer in clean\.js:7 \(60 s\) may remove it/);
  });

  it('growth that slows down, and figures that jump, are not confirmed', () => {
    assert.equal(
      judged(
        MAP,
        phasesOf((calls) => Math.round(100 * Math.log(calls))),
      )?.verdict,
      'inconclusive',
    );
    const jumps = [0, 3, 0, 90, 95, 88, 91, 130];
    assert.notEqual(
      judged(
        LIST,
        phasesOf((calls) => jumps[calls / 100 - 1]),
      )?.verdict,
      'confirmed',
    );
  });

  it('sessions that nobody changes, what cannot be counted, and too few rounds stay open', () => {
    assert.equal(
      judged(
        { unit: 'session', name: 'express-session', isKeyed: false },
        phasesOf(() => 0),
      )?.verdict,
      'inconclusive',
    );
    const uncounted = judged(
      LIST,
      phasesOf(() => undefined),
    );
    assert.match(uncounted?.ground ?? '', /cannot be counted\. The heap keeps 300 bytes per request/);
    assert.equal(judged(LIST, phasesOf((calls) => calls).slice(0, 3))?.verdict, 'inconclusive');
  });

  it('a place that nothing came to leaves the verdict as it is', () => {
    assert.equal(judged(LIST, []), undefined);
    const phases = phasesOf(() => 0).map((phase) => ({ ...phase, adds: 0 }));
    assert.equal(judged(LIST, phases), undefined);
  });

  it('with several places that leave something, the heap is that of all', () => {
    const found = judgeRetained(LIST, { phases: phasesOf((calls) => calls), per: 'call', node: '22.0.0', isShared: true });
    assert.equal(found?.figure, '1 entry per call stays (800 calls)');
    assert.match(found.ground, /keeps 300 bytes per call .*, for this and the other findings\./);
    assert.equal(found.retained?.bytes, undefined);
  });

  it('has slopes with their interval', () => {
    const exact = slopeOf([1, 2, 3, 4], [10, 12, 14, 16]);
    assert.deepEqual(
      [exact?.value, exact?.low, exact?.high].map((one) => Math.round((one ?? 0) * 1e6) / 1e6),
      [2, 2, 2],
    );
    const rough = slopeOf([1, 2, 3, 4], [10, 13, 13, 16]);
    assert.ok(rough && rough.low < 1.8 && rough.high > 1.8 && Math.abs(rough.value - 1.8) < 1e-9, JSON.stringify(rough));
    assert.equal(slopeOf([1, 1, 1], [1, 2, 3]), undefined);
    assert.equal(slopeOf([1, 2], [1, 2]), undefined);
  });

  it('names what stays', () => {
    const rate = { value: 1, low: 1, high: 1 };
    assert.equal(rateText({ unit: 'listener', per: 'call', rate }), '1 listener per call');
    assert.equal(
      rateText({ unit: 'session', per: 'request', rate: { ...rate, value: 2 }, bytes: { value: 4096, low: 1, high: 9 } }),
      '2 sessions and 4.1 kB per request',
    );
  });
});

describe('code that is compiled while it is loaded', () => {
  it('is not counted, and the verdict says so', () => {
    const hypothesis = { ruleId: 'r', messageId: 'm', range: { start: PLACE, end: PLACE }, functions: [], related: [] };
    const [first] = reportOf().verdicts;
    assert.ok(first);
    const report = reportOf({
      verdicts: [
        { ...first, verdict: 'seen' },
        { ...first, verdict: 'seen' },
      ],
    });
    const { verdicts } = withoutCounts(report, [
      { ...hypothesis, kinds: ['retained', 'runs'] },
      { ...hypothesis, kinds: ['runs'] },
    ]);
    assert.match(verdicts[0]?.grounds.at(-1) ?? '', /not counted, because this code is compiled/);
    assert.deepEqual(verdicts[1]?.grounds, first.grounds);
  });
});

const PLACE = { file: '/app/a.js', line: 1, column: 1 };

describe('notes around places', () => {
  it('go around containers and keys, also of each other, and move no line', () => {
    const text = 'a.set(b.add(k), v);\nc[k] = 1;\n';
    const at = (part: string, from = 0) => ({ start: text.indexOf(part, from), end: text.indexOf(part, from) + part.length });
    const common = { kind: 'container', unit: 'entry', name: '' } as const;
    const marked = withRetained({
      text,
      sites: [
        { ...common, hypothesis: 0, held: at('a'), key: at('b.add(k)') },
        { ...common, hypothesis: 1, held: at('b'), key: at('k') },
        { ...common, hypothesis: 2, held: at('c['.slice(0, 1), 19), key: at('k', 19) },
      ],
    });
    const plain = marked.replaceAll(
      `''.constructor.valueOf.call(''.constructor["nodometer.retained"]||{key:(_,v)=>v,held:(_,v)=>v,timer:(_,v)=>v,sessions:(_,v)=>v})`,
      'N',
    );
    assert.equal(
      plain,
      dedent`
        N.held(0,(a)).set(N.key(0,(N.held(1,(b)).add(N.key(1,(k))))), v);
        N.held(2,(c))[N.key(2,(k))] = 1;

      `,
    );
    const shadowed = withRetained({ text: 'a.add(1)', sites: [{ ...common, hypothesis: 0, held: { start: 0, end: 1 } }] });
    const own = 'const [Object, Symbol, String, globalThis] = [];';
    assert.equal(runInNewContext(`{ ${own} const a = new Set()\n${shadowed} === a }`), true, 'a file with names of its own');
  });
});

const SERVER = (handler: string, before = '') =>
  dedent`
    const http = require('node:http');
    ${before}
    http.createServer(function handle(req, res) {
      const url = new URL(req.url, 'http://localhost');
      ${handler}
    }).listen(0);
  `;

interface RealCase {
  name: string;
  text: string;
  at: string;
  verdict: Verdict['verdict'];
  figure: RegExp;
}

const REAL: readonly RealCase[] = [
  {
    name: 'a list of requests',
    text: SERVER('visits.push({ url: req.url });\n  res.end();', 'const visits = [];'),
    at: 'visits.push',
    verdict: 'confirmed',
    figure: /^1 entry and \d+ bytes per request stay/,
  },
  {
    name: 'a map by a random id',
    text: SERVER(
      'jobs.set(randomUUID(), req.url);\n  res.end();',
      "const { randomUUID } = require('node:crypto');\nconst jobs = new Map();",
    ),
    at: 'jobs.set',
    verdict: 'confirmed',
    figure: /^1 entry/,
  },
  {
    name: 'a cache by a query that is made up anew for each request',
    text: SERVER(
      dedent`
        const key = url.searchParams.get('q');
          if (!cache[key]) cache[key] = { key };
          res.end();
      `,
      'const cache = Object.create(null);',
    ),
    at: 'cache[key]',
    verdict: 'confirmed',
    figure: /^1 entry/,
  },
  {
    name: 'hits by address: all requests come from one',
    text: SERVER('hits[req.socket.remoteAddress] = (hits[req.socket.remoteAddress] || 0) + 1;\n  res.end();', 'const hits = {};'),
    at: 'hits[req',
    verdict: 'inconclusive',
    figure: /no new keys/,
  },
  {
    name: 'listeners that another function is removed for, of a stream that never ends',
    text: SERVER(
      dedent`
        const send = (line) => res.write(line);
          news.on('line', send.bind(null));
          req.on('close', () => news.off('line', send.bind(null)));
          res.write(':');
      `,
      dedent`
        const { EventEmitter } = require('node:events');
        const news = new EventEmitter().setMaxListeners(0);
      `,
    ),
    at: 'news.on',
    verdict: 'confirmed',
    figure: /^1 listener/,
  },
  {
    name: 'a timer for each request',
    text: SERVER('setInterval(() => res.writableEnded, 60000);\n  res.end();'),
    at: 'setInterval',
    verdict: 'confirmed',
    figure: /^1 timer/,
  },
  {
    name: 'a timer whose handle each request overwrites',
    text: SERVER('timer = setInterval(() => res.writableEnded, 60000);\n  res.end();', 'let timer;'),
    at: 'setInterval',
    verdict: 'confirmed',
    figure: /^1 timer/,
  },
];

/** Places that only look as if they grew: all are counted, whatever the rule says of them. */
const INNOCENTS: readonly RealCase[] = [
  {
    name: 'a cache of the last hundred',
    text: dedent`
      let n = 0;
      const cache = new Map();
      function handle() {
        if (cache.size >= 100) cache.delete(cache.keys().next().value);
        cache.set(n++, {});
      }
    `,
    at: 'cache.set',
    verdict: 'refuted',
    figure: /^stays at 100 entries in [\d,]+ calls/,
  },
  {
    name: 'a limit that comes in the middle of the run',
    text: dedent`
      let n = 0;
      const cache = new Map();
      function handle() {
        if (cache.size >= 7800) cache.delete(cache.keys().next().value);
        cache.set(n++, {});
      }
    `,
    at: 'cache.set',
    verdict: 'inconclusive',
    figure: /^growth unclear/,
  },
  {
    name: 'entries that a timer deletes after a minute',
    text: dedent`
      let n = 0;
      const cache = new Map();
      function handle() {
        const key = n++;
        cache.set(key, {});
        setTimeout(() => cache.delete(key), 60000).unref();
      }
    `,
    at: 'cache.set',
    verdict: 'inconclusive',
    figure: /timer may remove it/,
  },
  {
    name: 'entries that a timer deletes after a moment',
    text: dedent`
      let n = 0;
      const cache = new Map();
      function handle() {
        const key = n++;
        cache.set(key, {});
        setTimeout(() => cache.delete(key), 60);
      }
    `,
    at: 'cache.set',
    verdict: 'refuted',
    figure: /^stays at 0 entries/,
  },
  {
    name: 'a list that is sent and emptied at 170',
    text: dedent`
      let list = [];
      function handle() {
        list.push({});
        if (list.length >= 170) list = [];
      }
    `,
    at: 'list.push',
    verdict: 'refuted',
    figure: /taken out/,
  },
  {
    name: 'a fixed set of keys',
    text: dedent`
      let n = 0;
      const sizes = {};
      function handle() {
        sizes[["s", "m", "l"][n++ % 3]] = {};
      }
    `,
    at: 'sizes[["s"',
    verdict: 'inconclusive',
    figure: /^no new keys/,
  },
  {
    name: 'a list that each call makes',
    text: dedent`
      function handle() {
        const list = [];
        list.push({});
        return list;
      }
    `,
    at: 'list.push',
    verdict: 'refuted',
    figure: /^stays at/,
  },
  {
    name: 'a listener that the end of the call removes',
    text: dedent`
      const news = new (require('node:events').EventEmitter)();
      function handle() {
        const hear = () => {};
        news.on('line', hear);
        news.emit('line');
        news.off('line', hear);
      }
    `,
    at: 'news.on',
    verdict: 'refuted',
    figure: /^stays at 0 listeners/,
  },
  {
    name: 'keys that may go with their objects',
    text: dedent`
      const started = new WeakMap();
      function handle() {
        started.set({}, 1);
      }
    `,
    at: 'started.set',
    verdict: 'inconclusive',
    figure: /not counted/,
  },
];

describe('real runs', { concurrency: 1 }, () => {
  let folder = '';
  let node: NodeBinary | undefined;
  before(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'nodometer-retained-')));
    [node] = await nodesToTest();
    writeFileSync(join(folder, 'package.json'), '{ "name": "retained", "private": true }');
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  for (const [i, one] of REAL.entries())
    it(one.name, async () => {
      assert.ok(node);
      const file = join(folder, `server-${i}.js`);
      writeFileSync(file, one.text);
      const target = await prepared(file, { offset: one.text.indexOf(one.at) });
      assert.ok(target.ok, target.ok ? '' : target.why);
      const outcome = await profiled(target.prepared, node, 1500, new Set(['counts', 'retained']));
      assert.ok(outcome.ok, outcome.ok ? '' : outcome.reason);
      const { verdicts, problems } = outcome.report;
      const found = verdicts.find(({ ruleId }) => ruleId === 'no-unbounded-growth');
      assert.equal(found?.verdict, one.verdict, JSON.stringify([verdicts, problems], null, 1));
      assert.match(found.figure, one.figure);
    });

  for (const [i, one] of INNOCENTS.entries())
    it(`innocent: ${one.name}`, async () => {
      assert.ok(node);
      const file = join(folder, `innocent-${i}.js`);
      const text = dedent`
        /** @profile handle() */
        ${one.text}
        module.exports = { handle };

      `;
      writeFileSync(file, text);
      const target = await prepared(file, { name: 'handle' });
      assert.ok(target.ok, target.ok ? '' : target.why);
      const start = text.indexOf(one.at);
      const [name = '', method = ''] = /^(\w+)[.[](\w*)/.exec(one.at)?.slice(1) ?? [];
      const isListener = method === 'on';
      const open = start + one.at.length + 1;
      const key = one.at.includes('[')
        ? { start: start + name.length + 1, end: text.indexOf(' = ', start) - 1 }
        : { start: open, end: text.indexOf(text.startsWith('{}', open) ? ', 1' : ',', open) };
      const range = {
        start: { file, ...target.prepared.source.positionAt(start) },
        end: { file, ...target.prepared.source.positionAt(start + 1) },
      };
      const outcome = await profiled(
        {
          ...target.prepared,
          hypotheses: [
            {
              ruleId: 'no-unbounded-growth',
              messageId: 'keys',
              range,
              functions: [],
              related: [],
              extent: [],
              catches: [],
              makers: [],
              keys: [],
              fields: [],
              kinds: ['retained', 'runs'],
            },
          ],
          retained: {
            file,
            text: target.prepared.text,
            format: undefined,
            sites: [
              {
                hypothesis: 0,
                kind: isListener ? 'listener' : 'container',
                unit: isListener ? 'listener' : 'entry',
                name,
                held: { start, end: start + name.length },
                ...(method === 'push' ? {} : { key }),
              },
            ],
          },
        },
        node,
        1500,
        new Set(['counts', 'retained']),
      );
      assert.ok(outcome.ok, outcome.ok ? '' : outcome.reason);
      const [found] = outcome.report.verdicts;
      assert.equal(found?.verdict, one.verdict, JSON.stringify([found, outcome.report.problems], null, 1));
      assert.match(found.figure, one.figure);
    });
});
