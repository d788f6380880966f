// The report's page: what it says, that it is sound, and that a program's text cannot become part of it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { LoopBlock, VerdictKind } from '../../protocol/evidence.ts';
import { reportModel } from '../../client/report/report-model.ts';
import { reportPage } from '../../client/report/report-view.ts';
import { ROOT } from '../../scripts/generate.ts';
import { english as t } from './english.ts';
import { at, FILE, LINES, profiledOf, reportOf } from './profile-report.ts';

function modelOf(more: Parameters<typeof profiledOf>[0] = {}, before = [] as ReturnType<typeof reportOf>[]) {
  return reportModel({
    profiled: profiledOf(more),
    before,
    lineCount: LINES,
    pathOf: (file) => file.replace('/p/', ''),
    dateOf: (iso) => iso.slice(0, 10),
    t,
  });
}

function rowsOf(model: ReturnType<typeof modelOf>, id: string): string[] {
  return model.sections.find((section) => section.id === id)?.table?.rows.map((row) => row.map(({ text }) => text).join(' | ')) ?? [];
}

describe('the report', () => {
  it('tells everything that was measured', () => {
    const model = modelOf();
    assert.equal(model.title, 'total in shop.js');
    assert.deepEqual(
      model.figures.map(({ label, value }) => `${value} ${label}`),
      ['12 ns per call', '408 B allocated per call'],
    );
    assert.deepEqual(
      model.sections.map(({ id }) => id),
      ['verdicts', 'time', 'calls', 'blocking', 'exceptions', 'event-loop', 'tiers', 'shapes'],
    );
    assert.deepEqual(rowsOf(model, 'verdicts'), ['confirmed | line 7:17 | 5 shapes, megamorphic']);
    assert.deepEqual(rowsOf(model, 'tiers'), ['line 5:9 | ×3 | wrong map | deopt-eager']);
    assert.deepEqual(rowsOf(model, 'shapes'), [
      'line 7:17 | .price | 5+ shapes, megamorphic | 9 | 4',
      'line 7:30 | .count | 3 shapes, polymorphic | 3 | 0',
      'line 9:1 | .tax | DeletingProperty: slower object representation | ×2 | ',
    ]);
    assert.deepEqual(rowsOf(model, 'blocking'), ['fs.readFileSync | line 10:1 | ×200 | 30 µs | 1.2 ms']);
    assert.deepEqual(rowsOf(model, 'exceptions'), ['SyntaxError | line 10:3 | ×200']);
    assert.deepEqual(rowsOf(model, 'event-loop'), ['52 ms | synchronous code | line 10:1']);
    assert.deepEqual(rowsOf(model, 'calls'), ['total([1])']);
    assert.deepEqual(model.footer, ['Node 24.1.0 (V8 13.6)', 'linux x64', 'a processor, 2 cores', '2026-01-02']);
  });

  it('shows what the user can change: no shapes of what Node makes, no keys that are data, and the handler in the timeline', () => {
    const base = reportOf();
    const [cache] = base.inlineCaches;
    assert.ok(cache);
    const shape = (constructorName: string, ...properties: string[]) => ({ id: '0x1', dictionary: false, constructorName, properties });
    const place = { ...at(10, 21) };
    const model = modelOf({
      target: { file: FILE, place: at(10, 19), origin: 'request', calls: ['GET /terms'] },
      inlineCaches: [
        { ...cache, property: 'send', shapes: [shape('ServerResponse', 'req'), shape('ServerResponse', 'res')] },
        { ...cache, property: 'user', shapes: [shape('Object', 's1a2b3c4d', 'user'), shape('Object', 's9z8y7x6w', 'user')] },
      ],
      mapEvents: [],
      tiers: [
        { functionName: '', place, tier: 'sparkplug', osr: false, at: 100 },
        { functionName: '', place: at(20, 3), tier: 'sparkplug', osr: false, at: 101 },
        { functionName: 'helper', place: at(3, 1), tier: 'maglev', osr: false, at: 103 },
      ],
    });
    assert.equal(model.title, 'GET /terms in shop.js', 'a handler without a name has its route');
    const shapes = model.sections.find(({ id }) => id === 'shapes');
    assert.deepEqual(
      shapes?.table?.rows.map(([, access, seen]) => [access?.text, seen?.details]),
      [['.user', ['Object { [key], user } ×2']]],
    );
    assert.equal(shapes?.text, "1 access to Node's requests and responses not shown.");
    const [timeline] = model.sections.find(({ id }) => id === 'tiers')?.pictures ?? [];
    assert.deepEqual(timeline?.kind === 'timeline' && timeline.rows, ['GET /terms', 'helper']);
    assert.match(model.sections.find(({ id }) => id === 'calls')?.text ?? '', /so the counts of the sections differ\.$/);
  });

  it('tells which operators and calls met several kinds, and which arrays changed', () => {
    const place = (line: number) => ({ file: '/p/shop.js', line, column: 3 });
    const model = modelOf({
      feedback: [
        { place: place(6), kind: 'operator', seen: 'Any', mixed: true },
        { place: place(7), kind: 'call', seen: 'several functions', mixed: true },
        { place: place(8), kind: 'call', seen: 'one function', mixed: false },
      ],
      elements: [{ place: place(9), from: 'PACKED_SMI', to: 'HOLEY', count: 2 }],
    });
    assert.deepEqual(rowsOf(model, 'feedback'), [
      'line 6:3 | operator | several types',
      'line 7:3 | call | several functions',
      'line 9:3 | array | PACKED_SMI → HOLEY',
    ]);
  });

  it('shows what stays in memory, with a picture that also says it in words', () => {
    const [first] = reportOf().verdicts;
    assert.ok(first);
    const points = [100, 200, 300].map((calls) => ({ calls, count: calls * 2, bytes: 5e6 }));
    const rate = { value: 2, low: 2, high: 2 };
    const model = modelOf({ verdicts: [{ ...first, retained: { unit: 'listener', per: 'request', rate, points } }] });
    const section = model.sections.find(({ id }) => id === 'retained');
    assert.equal(section?.title, 'What stays in memory');
    const [picture] = section.pictures ?? [];
    assert.ok(picture?.kind === 'slices');
    assert.deepEqual(
      [picture.axis, picture.valueAxis, picture.slices.map(({ at: calls, value }) => `${calls}: ${value}`).join(', ')],
      ['requests', 'listeners', '100: 200, 200: 400, 300: 600'],
    );
    assert.equal(picture.alt, 'line 7:17: 600 listeners after 300 requests (200, 400, 600)');
  });

  it('shows how the time grows, with a curve that also says it in words', () => {
    const [first] = reportOf().verdicts;
    assert.ok(first);
    const points = [1000, 2000].map((size) => ({ size, ns: size ** 2, low: 0.9 * size ** 2, high: 1.1 * size ** 2 }));
    const limit = '`POST /` returned status 413 with 4,000 elements.';
    const exponent = { value: 2, low: 1.9, high: 2.1 };
    const model = modelOf({ verdicts: [{ ...first, scaling: { unit: 'element', per: 'request', points, exponent, limit } }] });
    const section = model.sections.find(({ id }) => id === 'scaling');
    assert.equal(section?.title, 'How the time grows');
    assert.ok(section.text?.endsWith(limit));
    const [picture] = section.pictures ?? [];
    assert.ok(picture?.kind === 'curve');
    assert.deepEqual(
      [picture.axis, picture.valueAxis, picture.legend.measured],
      ['elements', 'ms per request', 'measured: n^2.00 (1.90 to 2.10)'],
    );
    assert.deepEqual(
      picture.points.map(({ at: size, value, low, high }) => [size, value, low, high]),
      [
        [1000, 1, 0.9, 1.1],
        [2000, 4, 3.6, 4.4],
      ],
    );
    assert.equal(picture.alt, 'line 7:17: the time grows with n^2.00 (1.90 to 2.10). 1000 elements: 1 ms; 2000 elements: 4 ms');
    assert.equal(
      modelOf().sections.find(({ id }) => id === 'scaling'),
      undefined,
    );
  });

  it('tells calls that are awaited from those that block', () => {
    const call = { place: at(10), count: 2, totalMs: 0.01, maxMs: 0.01 };
    const model = modelOf({
      syncCalls: [
        { ...call, name: 'fs.readFileSync', totalMs: 6, maxMs: 4 },
        { ...call, name: 'database.query', awaitedMs: 8 },
      ],
    });
    assert.match(rowsOf(model, 'blocking').join(), /^fs\.readFileSync [^,]*$/);
    assert.match(rowsOf(model, 'awaited').join(), /^database\.query .*×2.*4 ms$/);
  });

  it('says so where there is nothing', () => {
    const model = modelOf({
      verdicts: [],
      deopts: [],
      inlineCaches: [],
      mapEvents: [],
      syncCalls: [],
      exceptions: [],
      blocks: [],
      tiers: [],
      timing: undefined,
      problems: ['No trace was written.'],
    });
    assert.deepEqual(
      model.sections.map(({ id, text = '' }) => `${id}: ${text}`),
      [
        'verdicts: This function has no warnings to verify.',
        'calls: Calls from the @profile comment above it. It ran 60 k times.',
        'problems: ',
        'tiers: No significant deoptimizations.',
        'shapes: Every property access saw one shape.',
      ],
    );
    assert.deepEqual(rowsOf(model, 'problems'), ['No trace was written.']);
  });

  it('begins with what the run saw and no rule predicted, where it has a cost', () => {
    const finding = {
      kind: 'large-json',
      place: at(5),
      figure: 'JSON.parse: 2.00 ms per request',
      grounds: ['It ran 100 times.'],
      remedy: 'Parse less.',
      cost: { ns: 2e6, per: 'request', method: 'timed' },
    } as const;
    const remark = { place: at(7), text: 'Deoptimized 50 times.' };
    const model = modelOf({ verdicts: [], unpredicted: { findings: [finding], remarks: [remark] } });
    assert.deepEqual(
      model.sections.slice(0, 2).map(({ id }) => id),
      ['seen', 'verdicts'],
    );
    assert.deepEqual(rowsOf(model, 'seen'), [
      'large JSON | line 5:1 | JSON.parse: 2.00 ms per request',
      'cost not measured | line 7:1 | Deoptimized 50 times.',
    ]);
    assert.equal(model.sections[1]?.text, 'No rule reports this code. The other sections show what the run saw.');
    const without = modelOf({ verdicts: [], unpredicted: { findings: [], remarks: [remark] } });
    assert.deepEqual(
      without.sections.slice(0, 2).map(({ id }) => id),
      ['verdicts', 'seen'],
    );
  });

  it('puts first what was found out, and names what was not reached in one line', () => {
    const verdict = { ruleId: 'no-a', messageId: 'm', figure: 'x', grounds: [] };
    const model = modelOf({
      verdicts: [
        { ...verdict, place: at(4), verdict: 'not-reached' },
        { ...verdict, place: at(5), verdict: 'inconclusive' },
        { ...verdict, place: at(6), verdict: 'refuted' },
        { ...verdict, place: at(7), verdict: 'confirmed' },
      ],
    });
    assert.deepEqual(rowsOf(model, 'verdicts'), ['confirmed | line 7:1 | x', 'refuted | line 6:1 | x', 'inconclusive | line 5:1 | x']);
    assert.equal(model.sections[0]?.text, '1 warning was confirmed. Not reached: line 4:1 (no-a).');
  });

  it('says first what it costs and what to do; what V8 did, and how that was found, are opened', () => {
    const verdict = { ruleId: 'no-a', messageId: 'm', place: at(5), figure: '3 ms per call', remedy: 'Do this.', grounds: ['It ran.'] };
    const cellOf = (kind: 'confirmed' | 'seen' | 'inconclusive') =>
      modelOf({ verdicts: [{ ...verdict, verdict: kind }] }).sections[0]?.table?.rows[0]?.at(-1);
    const deeper = { title: 'How this was found', sentences: ['It ran.'] };
    assert.deepEqual(cellOf('confirmed'), { text: '3 ms per call', details: ['Do this.'], deeper });
    assert.deepEqual(cellOf('seen'), { text: '3 ms per call', details: [], deeper }, 'nothing to do');
    assert.deepEqual(cellOf('inconclusive'), { text: '3 ms per call', details: ['It ran.'] }, 'why, at once');
    assert.deepEqual(
      modelOf().sections.flatMap(({ id, deeper }) => (deeper === undefined ? [] : [`${id}: ${deeper}`])),
      ['tiers: TurboFan · 3 deoptimizations', 'shapes: 1 megamorphic · 1 polymorphic · 1 slower representation'],
    );
  });

  it('leads with what the verdicts come to, and never calls a blocked loop clean', () => {
    const verdict = { ruleId: 'no-a', messageId: 'm', place: at(5), figure: 'x', grounds: [] };
    const block = { duration: 2000, kind: 'synchronous', stack: [{ ...at(5), functionName: 'f' }], endless: false } as const;
    const lead = (kinds: VerdictKind[], blocks: readonly LoopBlock[] = []) =>
      modelOf({ verdicts: kinds.map((kind) => ({ ...verdict, verdict: kind })), blocks }).sections[0]?.text;
    assert.equal(lead(['confirmed', 'confirmed', 'seen']), '2 warnings were confirmed.');
    assert.equal(lead(['seen', 'inconclusive']), 'No warning was shown to cost anything.');
    assert.equal(lead(['inconclusive']), 'No warning could be verified.');
    assert.equal(lead([], [block]), 'No rule reports this code. The event loop was blocked for 2 s. See Event loop below.');
    assert.equal(lead(['seen'], [{ ...block, duration: 20 }]), 'No warning was shown to cost anything.', 'short');
    assert.equal(
      lead([], [{ ...block, endless: true }]),
      'No rule reports this code. The event loop was blocked for at least 2 s, until the run was stopped. See Event loop below.',
    );
  });

  it('tells the time of each call where there are several', () => {
    const { timing, target } = reportOf();
    assert.ok(timing);
    const model = modelOf({
      target: { ...target, calls: ['total([1])', 'total([])', 'total(null)'] },
      timing: {
        ...timing,
        perCall: [
          { call: 0, median: 20, halfWidth: 1, allocated: 400 },
          { call: 2, median: 4 },
        ],
      },
    });
    assert.deepEqual(rowsOf(model, 'calls'), ['total([1]) | 20 ns | ± 1 ns | 400 B', 'total([]) |  |  | ', 'total(null) | 4 ns |  | ']);
  });

  it("draws the tiers of the user's functions, and says the same in words", () => {
    const picture = modelOf().sections.find(({ id }) => id === 'tiers')?.pictures?.[0];
    assert.ok(picture?.kind === 'timeline');
    assert.deepEqual(picture.rows, ['total'], 'not those of the profiler code');
    assert.deepEqual(
      picture.bars.map(({ tier, from, to }) => [picture.tiers[tier], from, to]),
      [
        ['Ignition', 0, 3],
        ['Maglev', 3, 10],
        ['TurboFan', 10, 40],
      ],
    );
    assert.deepEqual([picture.marks, picture.end], [[20, 30, 40], 40]);
    assert.equal(picture.alt, 'total: Ignition at 0 ns, Maglev at 3 ms, TurboFan at 10 ms; deoptimized 3 times, from 20 ms to 40 ms');
  });

  it('tells deoptimizations per million calls, where there were as many', () => {
    const cell = (calls: number) => modelOf({ calls }).sections.find(({ id }) => id === 'tiers')?.table?.rows[0]?.[1]?.details;
    assert.deepEqual([cell(999_999), cell(2_000_000), cell(30_000_000)], [[], ['1.5 per million calls'], ['0.1 per million calls']]);
  });

  it('says which functions run inside of others', () => {
    const { tiers } = reportOf();
    const picture = modelOf({
      tiers: [...tiers, { functionName: 'total', place: at(3, 15), tier: 'turbofan', osr: false, at: 120, inlinedInto: at(1) }],
    }).sections.find(({ id }) => id === 'tiers')?.pictures?.[0];
    assert.deepEqual(picture?.kind === 'timeline' && picture.rows, ['total, inlined']);
  });

  it('shows a run beside those before', () => {
    assert.equal(modelOf().sections.find(({ id }) => id === 'time')?.pictures?.[0], undefined);
    const earlier = reportOf({
      timing: { median: 40, halfWidth: 2, samples: 50, calls: 1, gc: { count: 0, totalMs: 0, maxMs: 0 }, suspectedDeadCode: false },
    });
    const model = modelOf({}, [earlier]);
    assert.deepEqual(rowsOf(model, 'time'), [
      'run 1 | 24.1.0 | 40 ns | ± 2 ns |  | 0 · 0 ns | 50',
      'this run | 24.1.0 | 12 ns | ± 0.8 ns | 408 B | 3 · 2 ms | 60',
    ]);
    const time = model.sections.find(({ id }) => id === 'time');
    assert.deepEqual(time?.table?.rows[0]?.[0]?.details, ['2026-01-02']);
    assert.equal(time.pictures?.[0]?.alt, 'run 1: 40 ns ± 2 ns; this run: 12 ns ± 0.8 ns');
    assert.match(
      time.text ?? '',
      /^Each run is one process, and two processes of the same code differ\. .* Median of the samples/,
      'no version is called faster',
    );
    assert.doesNotMatch(modelOf().sections.find(({ id }) => id === 'time')?.text ?? '', /differ/);
  });

  it("draws the event loop's delay", () => {
    const section = modelOf({
      loopDelay: {
        histogram: [],
        p50: 0.2,
        p90: 1,
        p99: 20,
        max: 52,
        resolution: 1,
        idleFloor: 0.5,
        utilization: 0.934,
        blocks: 2,
        threshold: 20,
        window: 1000,
      },
    }).sections.find(({ id }) => id === 'event-loop');
    assert.equal(
      section?.text,
      'Utilization 93 %, blocks over 20 ms: 2. The timer resolution of 1 ms is subtracted. An idle loop on this machine has a p99 of 500 µs; lower values cannot be distinguished from noise.',
    );
    assert.equal(section?.pictures?.[0]?.alt, 'p50: 200 µs; p90: 1 ms; p99: 20 ms; max: 52 ms');
  });
});

describe("the report's page", () => {
  const request = {
    source: 'https://source',
    nonce: 'N0NCE',
    script: 'https://source/report.js',
    style: 'https://source/report.css',
    language: 'en',
    t,
  };

  it('lets in nothing but its own script and style', () => {
    const { html } = reportPage({ model: modelOf(), ...request });
    const policy = /Content-Security-Policy" content="([^"]+)"/.exec(html)?.[1];
    assert.equal(policy, 'default-src &#39;none&#39;; style-src https://source; script-src &#39;nonce-N0NCE&#39;');
    assert.deepEqual(
      [...html.matchAll(/<script[^>]*>/g)].map(([tag]) => tag),
      ['<script nonce="N0NCE" src="https://source/report.js">'],
    );
    assert.doesNotMatch(html, /\sstyle=|\son\w+=/);
  });

  it("shows a program's text as text", () => {
    const evil = '"><img src=x onerror=alert(1)>';
    const { html } = reportPage({
      model: modelOf({
        target: { file: FILE, functionName: evil, place: at(3), origin: 'typed', calls: [evil] },
        problems: [evil],
        exceptions: [{ place: at(4), placement: 'exact', type: evil, message: evil, thrown: 1 }],
      }),
      ...request,
    });
    assert.doesNotMatch(html, /<img/);
    assert.ok(html.includes('&lt;img src=x onerror=alert(1)&gt;'));
  });

  it('has headings, named tables, and links whose places it does not know itself', () => {
    const { html, places } = reportPage({ model: modelOf(), ...request });
    assert.equal([...html.matchAll(/<h2 /g)].length, 8);
    for (const [, id] of html.matchAll(/aria-labelledby="([^"]+)"/g)) assert.ok(html.includes(`<h2 id="${id ?? ''}">`));
    assert.equal([...html.matchAll(/<a href="#" title="[^"]+:\d+:\d+" data-place="\d+">/g)].length, places.length);
    assert.deepEqual(places[0], at(7, 17));
    // What is wider than the window is scrolled to, not cut off.
    assert.ok(html.includes('<table') && !/(?<!<div class="scroll">)<table/.test(html));
    assert.match(readFileSync(join(ROOT, 'client/report/page/report.css'), 'utf8'), /\.scroll \{\s+overflow-x: auto;/);
    assert.match(
      html,
      /<details data-id="tiers"><summary><h2 id="tiers">[^<]+<\/h2> <small>TurboFan · 3 deoptimizations<\/small><\/summary>/,
    );
    assert.doesNotMatch(html, /\/p\/shop/);
    assert.match(html, /role="img" aria-label="total: Ignition at 0 ns/);
  });
});
