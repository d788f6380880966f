// Profiles as text: what is shown, what is counted, and what a comparison may claim.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CpuShares, ProfileReport, Timing } from '../../../protocol/evidence.ts';
import { factorText } from '../../../workspace/formats/comparison-text.ts';
import type { ProfileStyle } from '../../../workspace/formats/profile-style.ts';
import { formatProfile } from '../../../workspace/formats/profile-text.ts';
import { nanoseconds } from '../../../workspace/formats/times.ts';
import { against, compareRuns } from '../../../profiler/compare/node-rows.ts';

const PLAIN: ProfileStyle = {
  title: (text) => `# ${text}`,
  section: (text) => `## ${text}`,
  row: (cells) => cells.filter(Boolean).join(' | '),
  verdict: (_, text) => text,
  dim: (text) => text,
  code: (lines) => [...lines],
  table: (head, rows) => [head, ...rows].map((cells) => cells.join(' | ')),
};
const timing = (median: number, halfWidth?: number): Timing => ({
  median,
  halfWidth,
  samples: 30,
  calls: 1000,
  gc: { count: 0, totalMs: 0, maxMs: 0 },
  suspectedDeadCode: false,
});
const at = (line: number, column = 1) => ({ file: '/p/a.js', line, column });

function report(more: Partial<ProfileReport> = {}): ProfileReport {
  return {
    target: { file: '/p/a.js', functionName: 'f', place: at(1), origin: 'call-site', calls: ['f(1)'] },
    machine: { node: '24.9.0', v8: '13.6', platform: 'linux x64', cpu: 'x', cores: 2 },
    date: '2026-11-21T00:00:00Z',
    calls: 60_000,
    tiers: [],
    deopts: [],
    inlineCaches: [],
    mapEvents: [],
    syncCalls: [],
    exceptions: [],
    blocks: [],
    verdicts: [],
    unreadLines: 0,
    problems: [],
    ...more,
  };
}

const textOf = (verbose: boolean, ...reports: ProfileReport[]) =>
  formatProfile({
    reports,
    comparison: reports.length > 1 ? compareRuns(reports.map((one) => ({ ok: true, report: one }))) : [],
    cwd: '/p',
    explainReason: (reason) => (reason === 'wrong map' ? 'Another shape came.' : undefined),
    style: PLAIN,
    verbose,
  });
const text = (...reports: ProfileReport[]) => textOf(true, ...reports);

describe('profiles as text', () => {
  it('begin with the verdicts, each with its figure and grounds', () => {
    const out = text(
      report({
        verdicts: [{ ruleId: 'no-x', messageId: 'x', place: at(3, 5), verdict: 'confirmed', figure: '7 shapes', grounds: ['Seven came.'] }],
      }),
    );
    assert.match(
      out,
      /^# f on Node 24\.9\.0\nCalls like those in the project: f\(1\)\n\n## Verdicts\n✖ confirmed {2}no-x {2}a\.js:3:5 {2}7 shapes\n {4}Seven came\./,
    );
  });

  it('have a row for how the time grows', () => {
    const points = [1000, 2000].map((size) => ({ size, ns: size ** 2, low: size ** 2, high: size ** 2 }));
    const scaling = { unit: 'element' as const, per: 'request' as const, points, exponent: { value: 2, low: 1.9, high: 2.1 } };
    const verdict = { ruleId: 'no-quadratic', messageId: 'searched', place: at(3), verdict: 'seen' as const, figure: '', grounds: [] };
    const text = textOf(false, report({ verdicts: [{ ...verdict, scaling }] }));
    assert.match(
      text,
      /## How the time grows\na\.js:3:1 \| n\^2\.00 \(1\.90 to 2\.10\) \| per request of 1,?000, 2,?000 elements: 1\.00 ms, 4\.00 ms\n/,
    );
    assert.doesNotMatch(textOf(false, report({ verdicts: [verdict] })), /How the time grows/);
  });

  it('tell what is awaited from what blocks', () => {
    const call = { place: at(3), count: 2, totalMs: 0.01, maxMs: 0.01 };
    const out = text(
      report({
        syncCalls: [
          { ...call, name: 'fs.readFileSync', totalMs: 6, maxMs: 4 },
          { ...call, name: 'database.query', awaitedMs: 8 },
        ],
      }),
    );
    assert.match(
      out,
      /## Blocking calls\nfs\.readFileSync [^\n]*\n\n## Awaited calls\ndatabase\.query \| a\.js:3:1 \| ×2 \| 4\.00 ms each\n/,
    );
  });

  it('list a call once, and what its clock dominates as a limit', () => {
    const call = { count: 2, totalMs: 6, maxMs: 4 };
    const clocked = { ...call, clockMs: 0.0007 };
    const out = text(
      report({
        syncCalls: [
          { ...clocked, name: 'JSON.parse(JSON.stringify(user))', place: at(3, 7) },
          { ...call, name: 'JSON.parse', place: at(3, 12) },
          { ...call, name: 'JSON.stringify', place: at(3, 23) },
          // Another call of the line, and what a callback of the call does.
          { ...call, name: 'JSON.stringify', place: at(3, 90) },
          { ...clocked, name: 'names.map', place: at(5, 3) },
          { ...call, name: 'fs.readFileSync', place: at(5, 7) },
          { ...clocked, name: 'names.indexOf', place: at(9), totalMs: 0.0008, maxMs: 0.0006 },
        ],
      }),
    );
    const rows = out
      .slice(out.indexOf('## Blocking calls'))
      .split('\n')
      .filter((line) => line.includes('each'));
    assert.deepEqual(
      rows.map((row) => row.split(' | ').slice(0, 2).join(' ')),
      [
        'JSON.parse(JSON.stringify(user)) a.js:3:7',
        'JSON.stringify a.js:3:90',
        'names.map a.js:5:3',
        'fs.readFileSync a.js:5:7',
        'names.indexOf a.js:9:1',
      ],
    );
    assert.match(rows.at(-1) ?? '', /at most 0\.4 µs each, up to 0\.6 µs/);
  });

  it('say what to do where it costs something, before all that V8 did', () => {
    const verdict = { ruleId: 'no-x', messageId: 'x', place: at(3, 5), figure: '3 ms per call', remedy: 'Do this.', grounds: ['It ran.'] };
    const out = text(
      report({
        verdicts: [
          { ...verdict, verdict: 'confirmed' },
          { ...verdict, verdict: 'seen' },
        ],
        timing: timing(10, 1),
        syncCalls: [{ name: 'fs.readFileSync', place: at(3), count: 2, totalMs: 6, maxMs: 4 }],
        tiers: [{ functionName: 'f', place: at(1), tier: 'turbofan', osr: false, at: 3 }],
      }),
    );
    assert.match(
      out,
      /✖ confirmed {2}no-x {2}a\.js:3:5 {2}3 ms per call\n {4}→ Do this\.\n {4}It ran\.\n○ seen, no cost shown [^\n]*\n {4}It ran\./,
    );
    assert.deepEqual(
      [...out.matchAll(/^## (.*)$/gm)].map(([, title]) => title),
      ['Verdicts', 'Time', 'Blocking calls', 'Tiers and deoptimizations'],
    );
  });

  it('leave tiers, shapes and type feedback to --verbose, and say so', () => {
    const cache = { place: at(4), kind: 'LoadIC', property: 'a', shapes: [], shapeCount: 8, misses: 9, megamorphicMisses: 40 };
    const given = report({
      tiers: [{ functionName: 'f', place: at(1), tier: 'turbofan', osr: false, at: 3 }],
      inlineCaches: [
        { ...cache, state: 'megamorphic' },
        { ...cache, state: 'polymorphic' },
        { ...cache, state: 'polymorphic' },
        { ...cache, state: 'monomorphic' },
      ],
      feedback: [{ place: at(2), kind: 'operator', seen: 'Any', mixed: true }],
    });
    const out = textOf(false, given);
    assert.match(
      out,
      /\n\nNot shown: tiers, 2 polymorphic property accesses, 1 megamorphic property access, 1 polymorphic operator or call\. Use `--verbose` to show what V8 did\.\n$/,
    );
    assert.doesNotMatch(out, /turbofan|## (?:Tiers|Poly|Deopt)/);
    assert.doesNotMatch(text(given), /--verbose/);
  });

  it('list the functions inside of packages with --verbose', () => {
    const frame = { owner: 'packages', module: 'lodash', depth: 1, total: 0.5 } as const;
    const place = (line: number) => ({ file: '/p/node_modules/lodash/a.js', line, column: 1 });
    const cpu: CpuShares = {
      busyMs: 10,
      user: 0.3,
      packages: 0.5,
      core: 0,
      gc: 0,
      functions: [],
      lines: [],
      byPackage: [],
      flame: [
        { functionName: 'f', owner: 'user', place: at(1), depth: 0, self: 0.3, total: 1 },
        { ...frame, functionName: 'map', place: place(3), self: 0.1 },
        { ...frame, functionName: 'each', place: place(9), self: 0.35 },
        { ...frame, functionName: 'map', place: place(3), depth: 2, self: 0.3 },
        { ...frame, functionName: 'rare', place: place(12), self: 0.001 },
      ],
    };
    assert.match(
      text(report({ cpu })),
      /## CPU time in packages\nfunction \| package \| self \| location\nmap \| lodash \| 40 % \| node_modules\/lodash\/a\.js:3:1\neach \| lodash \| 35 % \| [^\n]*:9:1\n(?!rare)/,
    );
    assert.doesNotMatch(textOf(false, report({ cpu })), /packages/);
  });

  it('tell deoptimizations per million calls, where there were as many', () => {
    const deopt = {
      place: at(2),
      placement: 'exact',
      inlinedAt: [],
      kind: 'deopt-eager',
      reason: 'x',
      count: 6,
      at: [],
      benign: false,
    } as const;
    const rate = (calls: number) => /x \| (.*)\n/.exec(textOf(false, report({ calls, deopts: [deopt] })))?.[1];
    assert.deepEqual(
      [rate(60_000), rate(1_000_000), rate(4_000_000), rate(30_000_000), rate(0)],
      ['in 60 k calls', '6 per million calls', '2 per million calls', '0.2 per million calls', undefined],
    );
  });

  it('tell the time of each call where there are several', () => {
    const { target } = report();
    const out = text(
      report({
        target: { ...target, calls: ['f(1)', 'f(null)'] },
        timing: {
          ...timing(10, 1),
          perCall: [
            { call: 0, median: 16, halfWidth: 1 },
            { call: 1, median: 4 },
          ],
        },
      }),
    );
    assert.match(out, /## Time\n10 ns per call [^\n]*\n {4}16 ns ± 1\.0 ns {2}f\(1\)\n {4}4\.0 ns {2}f\(null\)\n/);
  });

  it('do not call clean what blocked the event loop', () => {
    const block = { duration: 2000, kind: 'synchronous', stack: [], endless: false } as const;
    assert.match(
      text(report({ blocks: [block] })),
      /No rule reports this code\. The other sections show what the run saw\.\nThe event loop was blocked for 2\.\d* s\. See Event loop below\.[^]*## Event loop/,
    );
    assert.match(
      text(report({ blocks: [{ ...block, endless: true }] })),
      /The event loop was blocked for at least 2.0 s, until the run was stopped\./,
    );
    assert.doesNotMatch(text(report({ blocks: [{ ...block, duration: 20 }] })), /loop was blocked/);
    const named = { ...block, call: 'fs.readFileSync', stack: [{ ...at(5, 7), functionName: 'f' }] };
    assert.match(text(report({ blocks: [named] })), /2\.0 s \| synchronous code \(fs\.readFileSync\) \| f a\.js:5:7/);
  });

  it('say when nothing was suspected, and when V8 optimized nothing', () => {
    assert.match(text(report()), /There are no findings to verify here\.[^]*V8 did not optimize this code\./);
  });

  it('say first what the run saw and no rule predicted, and never that nothing is there above it', () => {
    const finding = {
      kind: 'block',
      place: at(5, 7),
      figure: 'blocked the event loop 3 times, up to 2.0 s',
      grounds: ['It could not go on.'],
      remedy: 'Do less at a time.',
      cost: { ns: 2e9, per: 'block', method: 'timed' },
    } as const;
    const remark = { place: at(9, 3), text: 'V8 deoptimized this 50 times.' };
    const out = text(report({ unpredicted: { findings: [finding], remarks: [remark] } }));
    assert.match(
      out,
      /f\(1\)\n\n## Seen by the run\n✖ event loop blocked {2}a\.js:5:7 {2}blocked the event loop 3 times, up to 2\.0 s\n {4}→ Do less at a time\.\n {4}It could not go on\.\na\.js:9:3 {2}V8 deoptimized this 50 times\.\n\n## Verdicts\nNo rule reports this code\./,
    );
    assert.match(
      text(report({ unpredicted: { findings: [], remarks: [remark] } })),
      /## Verdicts\nNo rule reports this code\.[^]*## Seen by the run\na\.js:9:3/,
    );
    assert.match(text(report({ unpredicted: { findings: [], remarks: [] } })), /There are no findings to verify here\./);
    const block = { duration: 2000, kind: 'synchronous', stack: [], endless: false } as const;
    assert.doesNotMatch(text(report({ blocks: [block] })), /no findings/);
  });

  it('show deoptimizations with their reason in plain words, those of every warm-up counted apart', () => {
    const deopt = {
      place: at(2, 7),
      placement: 'exact',
      inlinedAt: [at(9)],
      kind: 'deopt-eager',
      reason: 'wrong map',
      count: 3,
      at: [1],
      benign: false,
    } as const;
    const out = text(report({ deopts: [deopt, { ...deopt, benign: true }] }));
    assert.match(
      out,
      /↓ deopt ×3 \| a\.js:2:7 \| wrong map, inlined at line 9 \| in 60 k calls\n {4}Another shape came\.\n1 warm-up deoptimization not shown\./,
    );
  });

  it('show the shapes at a place, and long lists cut', () => {
    const shapes = Array.from({ length: 8 }, (_, i) => ({ id: `${i}`, properties: ['a', `b${i}`], dictionary: false }));
    const out = text(
      report({
        inlineCaches: [
          { place: at(4), kind: 'LoadIC', property: 'a', state: 'megamorphic', shapes, shapeCount: 8, misses: 9, megamorphicMisses: 40 },
        ],
      }),
    );
    assert.match(out, /\.a \| a\.js:4:1 \| megamorphic \| 8 shapes \| 40 further misses\n {4}\{ a, b0 \}/);
    assert.equal(out.match(/\{ a, b\d \}/g)?.length, 6);
    const many = Array.from(
      { length: 30 },
      (_, i) =>
        ({
          place: at(i + 1),
          placement: 'exact',
          inlinedAt: [],
          kind: 'deopt-eager',
          reason: 'x',
          count: 1,
          at: [],
          benign: false,
        }) as const,
    );
    assert.match(text(report({ deopts: many })), /and 18 more locations/);
  });

  it('show operators and calls that met several kinds, arrays that changed, and no keys of dictionaries', () => {
    const out = text(
      report({
        feedback: [
          { place: at(2, 12), kind: 'operator', seen: 'Any', mixed: true },
          { place: at(3, 4), kind: 'call', seen: 'several functions', mixed: true },
          { place: at(9), kind: 'call', seen: 'one function', mixed: false, callee: 'f' },
        ],
        elements: [{ place: at(7), from: 'PACKED_SMI', to: 'HOLEY_DOUBLE', count: 3 }],
        inlineCaches: [
          {
            place: at(4),
            kind: 'KeyedLoadIC',
            property: '',
            state: 'megamorphic',
            shapes: [{ id: '1', properties: ['some-key', 'other-key'], dictionary: false }],
            shapeCount: 1,
            misses: 9,
            megamorphicMisses: 0,
          },
        ],
      }),
    );
    assert.match(
      out,
      /## Polymorphic operators and calls\noperator \| a\.js:2:12 \| several types\ncall \| a\.js:3:4 \| several functions\n\n## Elements kind transitions of arrays\na\.js:7 \| PACKED_SMI → HOLEY_DOUBLE/,
    );
    assert.match(out, /varying keys/);
    assert.doesNotMatch(out, /some-key|one function/);
  });

  it('doubt times that are too good', () => {
    assert.match(
      text(report({ timing: { ...timing(0.1, 0.1), suspectedDeadCode: true } })),
      /0\.1 ns per call \| ± 0\.1 ns[^]*may have eliminated the work as dead code/,
    );
  });

  it('compare only what differs by more than its spread', () => {
    const around = (ns: number, spread: number) => [-4, -3, -2, -1, 1, 2, 3, 4].map((step) => ns + (step * spread) / 4);
    assert.deepEqual(
      [
        against(around(10, 1), around(20, 2)),
        against(around(30, 1), around(20, 2)),
        against(around(21, 2), around(20, 2)),
        against(around(21, 2).slice(3), around(20, 2)),
        against(undefined, around(20, 2)),
      ].map(factorText),
      ['0.50×', '1.50×', 'no clear difference', 'no clear difference', ''],
    );
    const other = report({ timing: timing(10, 1), machine: { ...report().machine, node: '26.1.0' } });
    const figures = new Map([
      ['24.9.0', around(20, 1)],
      ['26.1.0', around(10, 1)],
    ]);
    const runs = [report({ timing: timing(20, 1) }), other];
    assert.match(
      formatProfile({
        reports: runs,
        comparison: compareRuns(
          runs.map((one) => ({ ok: true, report: one })),
          figures,
        ),
        cwd: '/p',
        explainReason: () => undefined,
        style: PLAIN,
        verbose: false,
      }),
      /## Comparison\nNode \| time \| time vs\. Node 24\.9\.0 \| highest tier \| deopts \| megamorphic \| blocking calls \| confirmed \| seen, no cost \| refuted\n24\.9\.0 \| 20 ns ± 1\.0 ns \| {2}\| none \| 0 \| 0 \| 0 \| 0 \| 0 \| 0\n26\.1\.0 \| 10 ns ± 1\.0 ns \| 0\.50× \|/,
    );
    assert.match(text(...runs), /26\.1\.0 \| 10 ns ± 1\.0 ns \| {2}\|/, 'processes that took no turns say nothing');
  });

  it('compare also what could not be run, and name verdicts that are not the same', () => {
    const verdict = (kind: 'confirmed' | 'refuted') => ({
      verdicts: [{ ruleId: 'no-x', messageId: 'x', place: at(3, 5), verdict: kind, figure: '', grounds: [] }],
    });
    const rows = compareRuns([
      { ok: false, node: '18.20.8', why: 'It crashed.' },
      { ok: true, report: report(verdict('confirmed')) },
      { ok: true, report: report({ ...verdict('refuted'), machine: { ...report().machine, node: '26.1.0' } }) },
    ]);
    const out = formatProfile({ reports: [], comparison: rows, cwd: '/p', explainReason: () => undefined, style: PLAIN, verbose: false });
    assert.match(
      out,
      /18\.20\.8 \| not run \| –[^]*Node 18\.20\.8: It crashed\.[^]*no-x at a\.js:3:5: confirmed on 24\.9\.0, refuted on 26\.1\.0/,
    );
  });

  it('write times for people', () => {
    assert.deepEqual([0.4, 12, 1500, 3.2e6].map(nanoseconds), ['0.4 ns', '12 ns', '1.5 µs', '3.20 ms']);
  });
});
