// The reader of V8's logs on lines made for it: escapes, broken lines, code that moves, shapes.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import vm from 'node:vm';
import fc from 'fast-check';
import { CodeMap, type UserFunction } from '../../../profiler/parse/code-map.ts';
import { findFunctionName, readLocations, toFilePath, unescapeBytes, unescapeUnits } from '../../../profiler/parse/escapes.ts';
import { LIMITS } from '../../../profiler/parse/limits.ts';
import { PROBE_ROOT, PROBE_VALUE, shapeProbeSource } from '../../../profiler/parse/shape-probe.ts';
import { describeShape, ShapeTable } from '../../../profiler/parse/shapes.ts';
import { findTier } from '../../../profiler/parse/tiers.ts';
import { V8LogReader } from '../../../profiler/parse/v8-log.ts';
import { cacheAt, MAJORS, OPTIONS, readText, readTrace, short, traceNames, traceText } from './traces.ts';
import { dedent } from '../../../analysis/testing/dedent.ts';

function owner(name: string): UserFunction {
  return { name, place: { file: '/fixtures/a.js', line: 1, column: 1 } };
}

const CREATION = 'code-creation,JS,10,1000,0x1000,100,read /fixtures/a.js:1:14,0x9000,~';

describe('escapes of V8’s log', () => {
  it('UTF-16 units in code-creation, bytes of UTF-8 in code-deopt', () => {
    assert.equal(unescapeUnits('we ird\\x2C p\\xe4/\\u6587.js'), 'we ird, pä/文.js');
    assert.equal(unescapeUnits('\\xc3\\xa4'), 'Ã¤');
    assert.equal(unescapeBytes('we ird\\x2C p\\xc3\\xa4/\\xe6\\x96\\x87.js'), 'we ird, pä/文.js');
    assert.equal(unescapeBytes('p\\xe4'), 'pä', 'no UTF-8: left as units');
    assert.equal(unescapeUnits('a\\\\b\\nc'), 'a\\b\nc');
    assert.equal(unescapeUnits('C:\\\\new\\\\x41'), 'C:\\new\\x41');
  });

  it('URLs of modules become paths, other names stay', () => {
    assert.equal(toFilePath('file:///app/p%C3%A4%2C%20x.mjs'), '/app/pä, x.mjs');
    assert.equal(toFilePath('node:fs'), 'node:fs');
    assert.equal(toFilePath('file:///app/%2F.mjs'), 'file:///app/%2F.mjs');
    assert.equal(toFilePath('file:///app/%E0%A4%A.mjs'), 'file:///app/%E0%A4%A.mjs');
  });

  it('names with spaces before paths with spaces', () => {
    assert.deepEqual(findFunctionName('get size /we ird/a b.js:3:14'), {
      name: 'get size',
      rawFile: '/we ird/a b.js',
      line: 3,
      column: 14,
    });
    assert.deepEqual(findFunctionName(' /app/a.js:1:1'), { name: '', rawFile: '/app/a.js', line: 1, column: 1 });
    assert.deepEqual(findFunctionName('run file:///app/a.mjs:2:5'), { name: 'run', rawFile: 'file:///app/a.mjs', line: 2, column: 5 });
    assert.deepEqual(findFunctionName('add C:\\\\app\\\\a.js:2:5'), { name: 'add', rawFile: 'C:\\\\app\\\\a.js', line: 2, column: 5 });
    assert.deepEqual(findFunctionName('f evalmachine.<anonymous>:2:5'), {
      name: 'f',
      rawFile: 'evalmachine.<anonymous>',
      line: 2,
      column: 5,
    });
    assert.equal(findFunctionName('RegExp'), undefined);
  });

  it('chains of inlined places', () => {
    assert.deepEqual(readLocations('</a/b>c.js:2:12> inlined at </a/d.js:6:35> inlined at <file:///e.mjs:7:1>'), [
      { rawFile: '/a/b>c.js', line: 2, column: 12 },
      { rawFile: '/a/d.js', line: 6, column: 35 },
      { rawFile: 'file:///e.mjs', line: 7, column: 1 },
    ]);
    assert.deepEqual(readLocations('<unknown>'), []);
  });

  it('markers of tiers', () => {
    assert.deepEqual(findTier('~'), { tier: 'ignition', osr: false });
    assert.deepEqual(findTier('^'), { tier: 'sparkplug', osr: false });
    assert.deepEqual(findTier("+'"), { tier: 'maglev', osr: false });
    assert.deepEqual(findTier("o*'"), { tier: 'turbofan', osr: true });
    assert.equal(findTier('?'), undefined);
  });
});

describe('code map', () => {
  it('finds, moves, replaces and forgets ranges', () => {
    const map = new CodeMap(10);
    map.add(1000, 100, owner('a'));
    map.add(1100, 50, owner('b'));
    assert.equal(map.find(999), undefined);
    assert.equal(map.find(1000)?.name, 'a');
    assert.equal(map.find(1099)?.name, 'a');
    assert.equal(map.find(1100)?.name, 'b');
    assert.equal(map.find(1150), undefined);
    map.move(1000, 5000);
    assert.equal(map.find(1000), undefined);
    assert.equal(map.find(5099)?.name, 'a');
    map.add(5050, 10, owner('c'));
    assert.equal(map.find(5000), undefined, 'overlapped: gone as a whole');
    assert.equal(map.find(5055)?.name, 'c');
    map.move(77, 5050);
    assert.equal(map.find(5055), undefined, 'something unknown came to lie here');
    map.delete(1100);
    assert.equal(map.size, 0);
  });

  it('keeps to its limit and counts what it dropped', () => {
    const map = new CodeMap(2);
    for (let i = 0; i < 5; i++) map.add(i * 1000, 10, owner(`f${i}`));
    assert.equal(map.size, 2);
    assert.equal(map.dropped, 3);
  });

  it('agrees with a slow list of ranges', () => {
    const address = fc.integer({ min: 0, max: 3 * 2 ** 18 });
    const step = fc.oneof(
      fc.record({ kind: fc.constant('add' as const), at: address, size: fc.integer({ min: 1, max: 2 ** 19 }) }),
      fc.record({ kind: fc.constant('clear' as const), at: address, size: fc.integer({ min: 1, max: 2 ** 10 }) }),
      fc.record({ kind: fc.constant('delete' as const), at: address, size: fc.constant(0) }),
      fc.record({ kind: fc.constant('move' as const), at: fc.nat(20), size: address }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), fc.array(address, { maxLength: 10 }), (steps, asked) => {
        const map = new CodeMap(1000);
        let slow: { start: number; end: number; name: string }[] = [];
        const put = (start: number, size: number, name?: string): void => {
          slow = slow.filter((range) => range.end <= start || range.start >= start + size);
          if (name !== undefined) slow.push({ start, end: start + size, name });
        };
        steps.forEach(({ kind, at, size }, index) => {
          if (kind === 'add') {
            map.add(at, size, owner(`f${index}`));
            put(at, size, `f${index}`);
          } else if (kind === 'clear') {
            map.clear(at, size);
            put(at, size);
          } else if (kind === 'delete') {
            map.delete(at);
            slow = slow.filter(({ start }) => start !== at);
          } else {
            const range = slow[at % Math.max(slow.length, 1)];
            if (!range) return;
            map.move(range.start, size);
            slow = slow.filter((other) => other !== range);
            put(size, range.end - range.start, range.name);
          }
        });
        assert.equal(map.size, slow.length);
        for (const place of [...asked, ...slow.map(({ start }) => start)])
          assert.equal(map.find(place)?.name, slow.find(({ start, end }) => start <= place && place < end)?.name);
      }),
      { numRuns: 200 },
    );
  });
});

describe('shapes', () => {
  const transition = (from: number, to: number, name: string, reason = ''): Parameters<ShapeTable['take']>[0] => ({
    type: 'Transition',
    from,
    to,
    reason,
    name,
  });

  it('are lists of properties in order, where the beginning is known', () => {
    const table = new ShapeTable(100);
    table.take({ type: 'InitialMap', from: 0, to: 1, reason: '', name: 'Point' }, undefined);
    table.take(transition(1, 2, 'x'), { file: '/a.js', line: 3, column: 5 });
    table.take(transition(2, 3, 'symbol("tag" hash 49a298e)'), undefined);
    table.take(transition(3, 4, 'symbol("#secret" hash 1)'), undefined);
    assert.deepEqual(describeShape(table.get(4)), {
      id: '0x4',
      properties: ['x', 'Symbol(tag)', '#secret'],
      madeAt: { file: '/a.js', line: 3, column: 5 },
      constructorName: 'Point',
      dictionary: false,
    });
    table.take(transition(90, 91, 'late'), undefined);
    assert.equal(describeShape(table.get(91)).properties, undefined);
    table.take({ type: 'NormalizeCached', from: 4, to: 5, reason: 'DeletingProperty', name: '' }, undefined);
    assert.deepEqual(describeShape(table.get(5)), { id: '0x5', constructorName: 'Point', dictionary: true });
  });

  it('are others when V8 uses an address again', () => {
    const table = new ShapeTable(100);
    table.take(transition(1, 2, PROBE_ROOT), undefined);
    table.take(transition(1, 3, 'a'), undefined);
    const old = table.get(3);
    table.born(3);
    table.take(transition(1, 3, 'b'), undefined);
    assert.deepEqual([describeShape(old).properties, describeShape(table.get(3)).properties], [['a'], ['b']]);
    assert.notEqual(describeShape(old).id, describeShape(table.get(3)).id);
  });

  it('keep to their limit', () => {
    const table = new ShapeTable(100);
    for (let i = 1; i < 10_000; i++) table.take(transition(i, i + 1, `p${i}`), undefined);
    assert.ok(table.size <= 100, `${table.size}`);
  });

  it('the probe is plain script that leaves nothing behind', () => {
    const context = vm.createContext({ Buffer });
    vm.runInContext(shapeProbeSource(), context);
    assert.deepEqual(Object.keys(context), ['Buffer']);
    assert.match(shapeProbeSource(), new RegExp(`\\.${PROBE_VALUE}Array_HOLEY_DOUBLE;`));
  });
});

describe('a log', () => {
  it('is the same in pieces of any size', () => {
    const text = traceText(24, 'shapes');
    const whole = readText(text);
    for (const size of [1, 7, 1000]) {
      const reader = new V8LogReader(OPTIONS);
      for (let at = 0; at < text.length; at += size) reader.write(text.slice(at, at + size));
      assert.deepEqual(reader.end(), whole, `pieces of ${size}`);
    }
    assert.deepEqual(readText(text.replaceAll('\n', '\r\n')), whole);
  });

  it('counts lines with a known prefix that it cannot read', () => {
    const broken = [
      'code-creation,JS,10,1000',
      'code-creation,JS,10,1000,0x1000,99999999999999,read /fixtures/a.js:1:14,0x9000,~',
      'code-creation,JS,10,1000,0x1000,100,read /fixtures/a.js:1:14,0x9000,?',
      'code-move,0x10',
      'code-move,0x10,0x20,0x30',
      'code-delete,here',
      'code-deopt,1,2,0x3,-1,4,deopt-eager,</fixtures/a.js:2>,not a Smi',
      'code-deopt,1,2,0x3,-1,4,deopt-eager,</fixtures/a.js:2:3>',
      'LoadIC,0x1000,1,2,3,0,?,0x1,x,,',
      'LoadIC,0x1000,1,2,3,0,1,0x1',
      'LoadIC,0x1000,1,two,3,0,1,0x1,x,,',
      'map,Transition,1,0x1,0x2,0x3,1,2,',
      'map,Transition,1,from,0x2,0x3,1,2,,x',
      'map-create,1',
      'map-move,1,0x2',
      'sfi-move,0x2',
      'v8-version,14',
    ];
    const fine = [
      'tick,whatever',
      'script-source,1,a,b',
      '',
      '# a comment',
      'map-details,1,0x1,',
      'heap-capacity,1',
      'new,MemoryChunk,0x1,2',
    ];
    const log = readText([...broken, ...fine].join('\n'));
    assert.equal(log.unreadLines, broken.length);
    assert.equal(log.lines, broken.length + fine.length);
    assert.equal(log.foreignCacheLines, 0);
    for (const line of broken) assert.equal(readText(line).unreadLines, 1, line);
  });

  it('without an end, as a killed process leaves it, gives what came before', () => {
    const text = traceText(22, 'numbers-then-strings');
    const at = text.indexOf('not a Smi') + 'not a S'.length;
    const log = readText(text.slice(0, at));
    assert.deepEqual(
      log.deopts.map(({ reason }) => reason),
      ['not a S'],
    );
    assert.equal(log.deopts[0]?.benign, false, 'unknown reasons are never benign');
    const earlier = readText(text.slice(0, text.indexOf(',not a Smi')));
    assert.equal(earlier.deopts.length, 0);
    assert.equal(earlier.unreadLines, 1);
  });

  it('garbled anyhow does not stop the reader', () => {
    const text = traceText(26, 'dictionaries');
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(fc.nat(text.length - 1), fc.oneof(fc.string({ maxLength: 5 }), fc.constantFrom('\n', ',', '\0', '<', 'ÿ', '0x'))),
          { minLength: 1, maxLength: 30 },
        ),
        (cuts) => {
          let garbled = text;
          for (const [at, by] of cuts) garbled = garbled.slice(0, at) + by + garbled.slice(at + 3);
          const log = readText(garbled);
          for (const { place } of [...log.tiers, ...log.inlineCaches]) assert.ok(place.line >= 0 && place.column >= 0);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('drops a line that has no end', () => {
    const reader = new V8LogReader(OPTIONS);
    reader.write(`${CREATION}\nscript-source,1,/fixtures/a.js,`);
    for (let i = 0; i < 40; i++) reader.write('x'.repeat(LIMITS.lineLength));
    reader.write(dedent`

      LoadIC,0x1010,2000,2,17,0,1,0xabc,x,,

    `);
    const log = reader.end();
    assert.equal(log.lines, 3);
    assert.equal(cacheAt(log, 'a.js:2:17', 'LoadIC').state, 'monomorphic');
  });

  it('states: the worst is kept, no feedback is no miss, misses after megamorphic are counted apart', () => {
    const line = (states: string, map: number, key = 'x'): string => `LoadIC,0x1010,2000,2,17,${states},0x${map.toString(16)},${key},,`;
    const log = readText(
      [CREATION, line('X,X', 1), line('0,1', 1), line('1,P', 2), line('P,N', 3), line('N,N', 4), line('N,N', 4), line('0,1', 1)].join('\n'),
    );
    const cache = cacheAt(log, 'a.js:2:17', 'LoadIC');
    assert.deepEqual([cache.state, cache.misses, cache.megamorphicMisses, cache.shapeCount, cache.property], ['megamorphic', 6, 2, 4, 'x']);
    const unfed = cacheAt(readText([CREATION, line('X,X', 1)].join('\n')), 'a.js:2:17', 'LoadIC');
    assert.deepEqual([unfed.state, unfed.misses, unfed.shapeCount], ['uninitialized', 0, 0]);
    const keyed = cacheAt(readText([CREATION, line('0,1', 1, 'a'), line('1,N', 1, 'b')].join('\n')), 'a.js:2:17', 'LoadIC');
    assert.deepEqual([keyed.state, keyed.property, keyed.shapeCount], ['megamorphic', '', 1]);
  });

  it('a shape that V8 replaced does not count beside its successor', () => {
    const lines = [
      CREATION,
      `map,Transition,1,0xa0,0xa1,0x1010,1,1,,${PROBE_ROOT}`,
      'map,Transition,2,0xa0,0xb1,0x1010,3,5,,x',
      'LoadIC,0x1010,3,2,17,0,1,0xb1,x,,',
      'map,Deprecate,4,0xb1,0x0,0x1010,3,5,,',
      'map,Transition,5,0xa0,0xb2,0x1010,3,5,,x',
      'LoadIC,0x1010,6,2,17,1,1,0xb2,x,,',
    ];
    const cache = cacheAt(readText(lines.join('\n')), 'a.js:2:17', 'LoadIC');
    assert.deepEqual(
      cache.shapes.map(({ id, properties }) => [id, properties]),
      [['0xb2', ['x']]],
    );
    assert.equal(cache.shapeCount, 1);
  });

  it('deoptimizations without a place are placed at their function, or left out', () => {
    const deopt = (code: string, location: string): string => `code-deopt,2000,64,${code},-1,5,deopt-eager,${location},wrong map`;
    const log = readText(
      [
        CREATION,
        deopt('0x1000', '<unknown>'),
        deopt('0x7777', '<unknown>'),
        deopt('0x7777', '<node:fs:3:4>'),
        deopt('0x7777', '<node:path:3:4> inlined at </fixtures/a.js:9:8>'),
      ].join('\n'),
    );
    assert.deepEqual(
      log.deopts.map(({ place, placement, inlinedAt }) => [place.file, place.line, placement, inlinedAt.map(short)]),
      [
        ['/fixtures/a.js', 1, 'function', []],
        ['node:path', 3, 'exact', ['a.js:9:8']],
      ],
    );
    assert.equal(log.unreadLines, 0);
  });

  it('tells where a function was inlined, even when it was not the first time', () => {
    const line = (location: string): string => `code-deopt,1,64,0x1000,-1,5,deopt-eager,${location},wrong map`;
    const [group] = readText(
      [CREATION, line('</fixtures/a.js:2:5>'), line('</fixtures/a.js:2:5> inlined at </fixtures/a.js:9:8>')].join('\n'),
    ).deopts;
    assert.equal(group?.count, 2);
    assert.deepEqual(group?.inlinedAt.map(short), ['a.js:9:8']);
  });

  it('of a single deoptimization the log tells what came next', () => {
    const lost = 'code-deopt,2000,64,0x1000,-1,5,deopt-eager,</fixtures/a.js:2:5>,wrong map';
    const made = (us: number, name: string, address: string): string => `code-creation,JS,10,${us},${address},100,${name},0x9000,*`;
    const nextOf = (...lines: string[]): unknown => readText([CREATION, ...lines].join('\n')).deopts[0]?.next;
    const read = made(5000, 'read /fixtures/a.js:1:14', '0x3000');
    const other = made(7000, 'other /fixtures/b.js:1:15', '0x4000');
    const end = made(8000, 'nodometerProgramEnds /harness/preload.cjs:35:30', '0x5000');
    assert.deepEqual(nextOf(lost, read, other), { event: 'optimized', afterMs: 3 });
    assert.deepEqual(nextOf(lost, other), { event: 'ended', afterMs: 5 });
    assert.deepEqual(nextOf(lost, other, end, made(9000, 'finish /harness/preload.cjs:99:1', '0x6000')), { event: 'ended', afterMs: 6 });
    assert.equal(nextOf(lost, lost, read), undefined);
  });

  it('an address that is used again is another shape', () => {
    const root = `map,Transition,1,0xa0,0xa1,0x1010,1,1,,${PROBE_ROOT}`;
    const made = (name: string): string => `map,Transition,2,0xa0,0xb1,0x1010,3,5,,${name}`;
    const load = 'LoadIC,0x1010,3,2,17,1,1,0xb1,x,,';
    const log = readText([CREATION, root, 'map-create,1,0xb1', made('x'), load, 'map-create,3,0xb1', made('y'), load].join('\n'));
    assert.deepEqual(
      cacheAt(log, 'a.js:2:17', 'LoadIC').shapes.map(({ properties }) => properties),
      [['x'], ['y']],
    );
  });

  it('many deoptimizations at one place are one group with a limited list of times', () => {
    const lines = Array.from(
      { length: 500 },
      (_, i) => `code-deopt,${1000 * i},64,0x1000,-1,5,deopt-eager,</fixtures/a.js:2:5>,Insufficient type feedback for call`,
    );
    const [group, ...others] = readText([CREATION, ...lines].join('\n')).deopts;
    assert.deepEqual(others, []);
    assert.equal(group?.count, 500);
    assert.equal(group?.at.length, LIMITS.times);
    assert.equal(group?.at[1], 1);
    assert.equal(group?.benign, false, 'the first time only');
  });

  it('of other files costs nothing and gives nothing', () => {
    for (const major of MAJORS)
      for (const name of traceNames(major)) {
        const asked = new Set<string>();
        const log = readText(traceText(major, name), {
          ...OPTIONS,
          isUserFile: (file) => (assert.ok(!asked.has(file), `asked twice: ${file}`), asked.add(file), false),
        });
        assert.deepEqual([log.tiers, log.deopts, log.inlineCaches, log.mapEvents], [[], [], [], []]);
        assert.ok(![...asked].some((file) => file.startsWith('node:')));
      }
  });

  it('is left whole by a round trip through JSON', () => {
    const log = readTrace(26, 'shapes');
    assert.deepEqual(JSON.parse(JSON.stringify(log)), log);
  });
});
