// What the parser makes of real traces of Node 18, 20, 22, 24 and 26 (scripts/refresh-traces.ts records them).
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DeoptGroup, TierEvent } from '../../../protocol/evidence.ts';
import { cacheAt, MAJORS, readTrace, shapesOf, short, traceNames } from './traces.ts';

const V8_OF: Readonly<Record<number, RegExp>> = { 18: /^10\.2\./, 20: /^11\.3\./, 22: /^12\.4\./, 24: /^13\.6\./, 26: /^14\.6\./ };

function tiersOf(events: readonly TierEvent[], at: string): Set<string> {
  return new Set(events.filter(({ place }) => short(place) === at).map(({ tier }) => tier));
}

function isOptimized(tiers: ReadonlySet<string>): boolean {
  return tiers.has('turbofan') || tiers.has('maglev');
}

function deoptsAt(groups: readonly DeoptGroup[], at: string): DeoptGroup[] {
  return groups.filter(({ place }) => short(place) === at);
}

for (const major of MAJORS)
  describe(`traces of Node ${major}`, () => {
    it('are read to the last line', () => {
      const names = traceNames(major);
      assert.ok(names.length >= 13, `${names.length} traces`);
      for (const name of names) {
        const log = readTrace(major, name);
        assert.equal(log.unreadLines, 0, name);
        assert.equal(log.dropped, 0, name);
        assert.match(log.v8 ?? '', V8_OF[major] ?? /^$/, name);
        assert.ok(log.tiers.length > 0, name);
        const scripts = log.tiers.filter(
          ({ place, functionName, tier }) => functionName === '' && place.line === 1 && place.column === 1 && tier === 'ignition',
        );
        assert.ok(scripts.length <= 1, `${name}: the script as a whole is no second function`);
        for (const { place } of [...log.tiers, ...log.inlineCaches, ...log.mapEvents]) assert.match(place.file, /^\/fixtures\//, name);
      }
    });

    it('numbers, then strings: optimized, then deoptimized at the +, not a Smi', () => {
      const log = readTrace(major, 'numbers-then-strings');
      assert.ok(isOptimized(tiersOf(log.tiers, 'numbers-then-strings.cjs:3:13')), 'add');
      const optimized = log.tiers.filter(
        ({ place, tier }) => short(place) === 'numbers-then-strings.cjs:3:13' && (tier === 'turbofan' || tier === 'maglev'),
      );
      const [deopt, ...others] = deoptsAt(log.deopts, 'numbers-then-strings.cjs:4:12');
      assert.ok(deopt);
      assert.deepEqual(others, []);
      assert.equal(deopt.reason, 'not a Smi');
      assert.equal(deopt.kind, 'deopt-eager');
      assert.equal(deopt.placement, 'exact');
      assert.equal(deopt.benign, false);
      assert.equal(deopt.at.length, deopt.count);
      assert.deepEqual(deopt.inlinedAt.map(short), ['numbers-then-strings.cjs:9:40']);
      assert.ok((optimized[0]?.at ?? Infinity) < (deopt.at[0] ?? 0), 'optimized first');
      assert.ok((optimized.at(-1)?.at ?? 0) > (deopt.at[0] ?? Infinity), 'and again afterwards');
    });

    it('finds the same under a name with spaces, comma, umlauts and Chinese', () => {
      const log = readTrace(major, 'escaped-name');
      const deopt = log.deopts.find(({ reason }) => reason === 'not a Smi');
      assert.equal(deopt?.place.file, '/fixtures/we ird, pä/nüm, 文 bers.cjs');
      assert.deepEqual(new Set(log.tiers.map(({ place }) => place.file)), new Set([deopt?.place.file]));
    });

    it('knows an ES module by its path, not by its URL', () => {
      const log = readTrace(major, 'module');
      assert.deepEqual(shapesOf(cacheAt(log, 'module.mjs:3:16', 'LoadIC')), ['Object{height,width}', 'Object{width,height}']);
      assert.ok(isOptimized(tiersOf(log.tiers, 'module.mjs:2:21')), 'area');
      assert.ok(log.deopts.some(({ reason, place }) => reason === 'wrong map' && place.file === '/fixtures/module.mjs'));
      const escaped = readTrace(major, 'escaped-url');
      assert.deepEqual(new Set(escaped.tiers.map(({ place }) => place.file)), new Set(['/fixtures/we ird, pä/möd, 文 ule.mjs']));
      assert.ok(
        escaped.deopts.some(({ reason, place }) => reason === 'wrong map' && place.file === '/fixtures/we ird, pä/möd, 文 ule.mjs'),
      );
    });

    it('1, 2, 4, 5 and 8 shapes at one place', () => {
      const log = readTrace(major, 'shapes');
      const four = ['Object{a,x}', 'Object{b,x}', 'Object{c,d,x}', 'Object{x}'];
      const expected: [at: string, state: string, shapes: string[]][] = [
        ['shapes.cjs:14:17', 'monomorphic', ['Object{x}']],
        ['shapes.cjs:17:17', 'polymorphic', ['Object{a,x}', 'Object{x}']],
        ['shapes.cjs:20:17', 'polymorphic', four],
        ['shapes.cjs:23:17', 'megamorphic', [...four, 'Object{e,x,f}'].sort()],
      ];
      for (const [at, state, shapes] of expected) {
        const cache = cacheAt(log, at, 'LoadIC');
        assert.equal(cache.state, state, at);
        assert.equal(cache.property, 'x', at);
        assert.deepEqual(shapesOf(cache), shapes, at);
        assert.equal(cache.shapeCount, shapes.length, at);
      }
      const eight = cacheAt(log, 'shapes.cjs:26:17', 'LoadIC');
      assert.equal(eight.state, 'megamorphic');
      assert.ok(eight.shapeCount > 5 && eight.shapeCount <= 8, `${eight.shapeCount} shapes`);
      assert.equal(cacheAt(log, 'shapes.cjs:29:12', 'StoreIC').state, 'megamorphic');
      const method = cacheAt(log, 'shapes.cjs:32:17', 'LoadIC');
      assert.equal(method.state, 'megamorphic');
      assert.deepEqual(shapesOf(method), ['A{p}', 'B{q}', 'C{r}', 'D{s}', 'E{t}']);
      assert.deepEqual(
        method.shapes.map(({ madeAt }) => madeAt && short(madeAt)).sort(),
        ['35', '36', '37', '38', '39'].map((line) => `shapes.cjs:${line}:34`),
      );
    });

    it('elements kinds and keys at keyed accesses', () => {
      const log = readTrace(major, 'elements');
      const first = cacheAt(log, 'elements.cjs:3:15', 'KeyedLoadIC');
      assert.equal(first.state, 'megamorphic');
      assert.deepEqual(shapesOf(first), ['Array(HOLEY_SMI)', 'Array(PACKED)', 'Array(PACKED_DOUBLE)', 'Array(PACKED_SMI)', 'Uint8Array']);
      const field = cacheAt(log, 'elements.cjs:9:16', 'KeyedLoadIC');
      assert.equal(field.state, 'megamorphic', 'by its keys');
      assert.equal(field.property, '');
      assert.deepEqual(shapesOf(field), ['Object{alpha,beta}']);
    });

    it('dictionary mode and swapped prototypes', () => {
      const log = readTrace(major, 'dictionaries');
      const events = new Map(log.mapEvents.map((event) => [`${event.reason} ${short(event.place)}`, event]));
      assert.equal(events.get('DeletingProperty dictionaries.cjs:3:3')?.count, 60);
      // The property added last: Node 18 and 20 step back to the shape before it.
      assert.equal(events.get('DeletingProperty dictionaries.cjs:7:3')?.count, major < 22 ? undefined : 60);
      assert.ok(events.get('TooManyFastProperties dictionaries.cjs:11:52'));
      assert.equal(events.get('prototype dictionaries.cjs:16:16')?.count, major < 24 ? 60 : undefined);
      assert.equal(events.get('prototype dictionaries.cjs:16:16')?.property, major < 24 ? 'later' : undefined);
      assert.ok(events.get('Deprecate dictionaries.cjs:52:12'));
      const read = shapesOf(cacheAt(log, 'dictionaries.cjs:20:16', 'LoadIC'));
      assert.ok(read.includes('Point[dictionary]'), read.join(' '));
      assert.ok(read.includes('Point{x,y,z}'), read.join(' '));
      assert.deepEqual(
        shapesOf(cacheAt(log, 'dictionaries.cjs:24:14', 'LoadIC')),
        ['Object{width,depth}', 'Object{width,height}', 'Object{width,top}'],
        'frozen, sealed, closed',
      );
      const [counter] = cacheAt(log, 'dictionaries.cjs:27:18', 'LoadIC').shapes;
      assert.ok(counter && counter.properties === undefined, 'a class has properties of its own from the start');
      // Made anew when one of its properties came to hold fractions: still made by the constructor.
      const [point] = cacheAt(log, 'dictionaries.cjs:52:12', 'StoreIC').shapes;
      assert.deepEqual(
        [point?.constructorName, point?.properties, point?.madeAt && short(point.madeAt)],
        ['Point', ['x', 'y', 'z'], 'dictionaries.cjs:36:12'],
      );
      assert.deepEqual(
        log.mapEvents.filter(({ reason }) => reason.endsWith('AsPrototype')),
        [],
      );
      const later = cacheAt(log, 'dictionaries.cjs:17:17', 'LoadIC');
      assert.equal(later.state, major < 24 ? 'megamorphic' : 'monomorphic');
      if (major < 24) assert.ok(later.megamorphicMisses > 20, `${later.megamorphicMisses} misses after megamorphic`);
      else assert.equal(later.megamorphicMisses, 0);
    });

    it('names where a deoptimized function was inlined, innermost first', () => {
      const log = readTrace(major, 'inlined');
      const reasons = log.deopts.filter(({ reason }) => reason === 'wrong map');
      assert.equal(reasons.length, 1);
      const chain = [reasons[0]?.place, ...(reasons[0]?.inlinedAt ?? [])].map((place) => place && short(place));
      // Node 18 checks the object where the array's element is read, one level up.
      assert.deepEqual(chain, major === 18 ? ['inlined.cjs:11:30'] : ['inlined.cjs:4:16', 'inlined.cjs:7:10', 'inlined.cjs:11:50']);
      const half = log.tiers.filter(({ place, inlinedInto }) => short(place) === 'inlined.cjs:3:14' && inlinedInto);
      assert.ok(half.length > 0, 'half has no code of its own');
      for (const { tier } of half) assert.match(tier, /^(?:maglev|turbofan)$/);
    });

    it('try and catch: optimized', () => {
      const log = readTrace(major, 'try-catch');
      assert.ok(
        tiersOf(
          log.tiers.filter(({ inlinedInto }) => !inlinedInto),
          'try-catch.cjs:2:17',
        ).has('turbofan'),
        'parseOr, in code of its own',
      );
    });

    it('a read past the end of an array', () => {
      const log = readTrace(major, 'out-of-bounds');
      const [deopt] = deoptsAt(log.deopts, 'out-of-bounds.cjs:4:49');
      assert.equal(deopt?.reason, 'out of bounds');
      assert.equal(deopt?.benign, false);
    });

    it('finds the places of functions that the garbage collector moves', () => {
      const log = readTrace(major, 'moving');
      for (const [at, kind] of [
        ['moving.cjs:3:17', 'LoadIC'],
        ['moving.cjs:6:16', 'StoreIC'],
      ] as const) {
        const cache = cacheAt(log, at, kind);
        assert.equal(cache.state, 'megamorphic');
        assert.equal(cache.shapeCount, 5);
        const known = ['Object{a,value}', 'Object{b,value}', 'Object{c,d,value}', 'Object{e,f,value}', 'Object{value}'];
        // Node 20 moves shapes without a word: their properties are unknown then, not guessed.
        if (major === 20) for (const shape of cache.shapes) assert.equal(shape.properties, undefined);
        else assert.deepEqual(shapesOf(cache), known);
      }
    });

    it('deoptimizations because of something elsewhere are placed at the function', () => {
      const log = readTrace(major, 'reasons-turbofan');
      const dependent = log.deopts.filter(({ kind }) => kind === 'dependency-change');
      assert.ok(dependent.length > 0);
      for (const { placement, reason } of dependent) {
        assert.equal(placement, 'function');
        assert.match(reason, major < 24 ? /^code dependencies$/ : /^dependent /);
      }
      const eager = log.deopts.filter(({ kind }) => kind === 'deopt-eager');
      assert.ok(new Set(eager.map(({ reason }) => reason)).size >= 8);
      for (const { placement } of eager) assert.equal(placement, 'exact');
    });
  });
