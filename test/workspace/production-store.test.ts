// `.nodometer/production.json`: whole, bounded, nowhere else, and by nobody's mistake lost.
import { dedent } from '../../analysis/testing/dedent.ts';
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { ProductionFile, ProductionSource } from '../../protocol/production.ts';
import {
  byProduction,
  describeProduction,
  FileProduction,
  isRouteOf,
  percent,
  rankOf,
} from '../../workspace/production/file-production.ts';
import { findProduction, ProductionStores, readProduction, updateProduction } from '../../workspace/production/production-store.ts';
import { ParsedText } from '../../workspace/production/parsed-text.ts';
import { folderWith } from '../cli/support.ts';
import { TYPESCRIPT_FLAGS } from '../../scripts/typescript/flags.ts';

const WRITER = fileURLToPath(new URL('./production-writer.ts', import.meta.url));
const source = (name: string, more: Partial<ProductionSource> = {}): ProductionSource => ({
  name,
  kind: 'cpu-profile',
  date: '2026-11-21T10:00:00.000Z',
  total: 100,
  functions: [],
  routes: [],
  ...more,
});

async function inFolder(
  files: Readonly<Record<string, string>>,
  test: (path: string, root: string) => void | Promise<void>,
): Promise<void> {
  const folder = folderWith(files);
  try {
    await test(join(folder.path, '.nodometer/production.json'), folder.path);
  } finally {
    folder.dispose();
  }
}

describe('what was imported', () => {
  it('loses nothing where several write at the same time', () =>
    inFolder({}, async (path) => {
      const [writers, each] = [4, 4];
      const codes = await Promise.all(
        Array.from(
          { length: writers },
          (_, i) =>
            new Promise((resolve) =>
              spawn(process.execPath, [...TYPESCRIPT_FLAGS, WRITER, path, String(i), String(each)], { stdio: 'inherit' }).on(
                'exit',
                resolve,
              ),
            ),
        ),
      );
      assert.deepEqual(codes, Array(writers).fill(0));
      const { sources } = JSON.parse(readFileSync(path, 'utf8')) as ProductionFile;
      assert.equal(new Set(sources.map(({ name }) => name)).size, writers * each);
      assert.ok(!existsSync(`${path}.lock`));
    }));

  it('has 20 imports at most, the newest ones', () =>
    inFolder({}, (path) => {
      const warnings: string[] = [];
      const many = Array.from({ length: 22 }, (_, i) => source(`s${i}`, { date: `2026-11-21T10:00:${10 + i}.000Z` }));
      updateProduction(
        path,
        () => many,
        (message) => warnings.push(message),
      );
      const reading = readProduction(path);
      assert.ok('sources' in reading);
      assert.equal(reading.sources.length, 20);
      assert.ok(!reading.sources.some(({ name }) => name === 's0' || name === 's1'));
      assert.match(warnings.join(), /is full: 2 old imports were removed\./);
    }));

  it('is not written over what somebody may want to mend, nor behind a link', () =>
    inFolder({ '.nodometer/production.json': '<<<<<<< HEAD\n{}' }, (path, root) => {
      assert.throws(
        () =>
          updateProduction(
            path,
            () => [source('x')],
            () => undefined,
          ),
        /Nothing was saved, because .* cannot be read/,
      );
      assert.equal(readFileSync(path, 'utf8'), '<<<<<<< HEAD\n{}');
      writeFileSync(path, '{"version":2,"sources":[]}');
      assert.throws(
        () =>
          updateProduction(
            path,
            () => [source('x')],
            () => undefined,
          ),
        /is not a file of this version/,
      );
      if (process.platform === 'win32') return;
      const elsewhere = mkdtempSync(join(tmpdir(), 'nodometer-elsewhere-'));
      try {
        mkdirSync(join(root, 'p'));
        symlinkSync(elsewhere, join(root, 'p/.nodometer'));
        const linked = join(root, 'p/.nodometer/production.json');
        assert.throws(
          () =>
            updateProduction(
              linked,
              () => [source('x')],
              () => undefined,
            ),
          /is a link to .*, outside of/,
        );
        assert.ok(!existsSync(join(elsewhere, 'production.json')));
      } finally {
        rmSync(elsewhere, { recursive: true, force: true });
      }
    }));

  it('is read without the entries that are no imports, and found from folders below', () =>
    inFolder({ 'package.json': '{}', 'packages/a/x.js': '' }, (path, root) => {
      updateProduction(
        path,
        () => [source('good')],
        () => undefined,
      );
      const value = JSON.parse(readFileSync(path, 'utf8')) as { sources: unknown[] };
      const bad = [
        { name: 1 },
        source('no date', { date: 'yesterday' }),
        source('negative', { total: -1 }),
        source('a', { functions: [{ file: 'a' }] as never }),
      ];
      writeFileSync(path, JSON.stringify({ ...value, sources: [...value.sources, ...bad] }));
      assert.equal(findProduction(join(root, 'packages/a')), path);
      // Without a repository, a package is a project of its own.
      writeFileSync(join(root, 'packages/a/package.json'), '{}');
      assert.equal(findProduction(join(root, 'packages/a')), undefined);
      rmSync(join(root, 'packages/a/package.json'));
      const known = new ProductionStores(assert.fail).forFile(join(root, 'packages/a/x.js'));
      assert.deepEqual(
        known?.sources.map(({ name }) => name),
        ['good'],
      );
    }));
});

describe('a file of a stranger', () => {
  it('that names a function a hundred thousand times is read like any other', () =>
    inFolder({ 'a.js': 'const f = () => 1;\n'.repeat(2000) }, (path, root) => {
      const text = 'const f = () => 1;\n'.repeat(2000);
      const parsed = ParsedText.of('a.js', text);
      const [first] = parsed?.functions ?? [];
      assert.ok(parsed && first);
      const one = { file: 'a.js', function: 'f', line: 1999, hash: parsed.hashOf(first), total: 1 };
      mkdirSync(join(root, '.nodometer'));
      writeFileSync(path, JSON.stringify({ version: 1, sources: [source('x', { functions: Array<typeof one>(100_000).fill(one) })] }));
      const known = new ProductionStores(assert.fail).forFile(join(root, 'a.js'));
      assert.ok(known);
      assert.ok(known.functions.length <= 5000);
      assert.equal(FileProduction.of(known, 'a.js', text).functions.size, 1);
    }));
});

describe('what was imported of a function', () => {
  const TEXT = dedent`
      function hot(a) {
        return a + 1;
      }
      function cold(a) {
        return [a].map((b) => b + a);
      }
      const one = () => 1;
      const two = () => 1;

    `;
  const hashes = (text: string): Map<string, string> => {
    const parsed = ParsedText.of('/p/a.js', text);
    assert.ok(parsed);
    return new Map(parsed.functions.map((fn) => [fn.name ?? '', parsed.hashOf(fn)]));
  };
  const kept = (name: string, line: number, total: number) => ({
    file: 'a.js',
    function: name,
    line,
    hash: hashes(TEXT).get(name) ?? '',
    total,
    self: 1,
  });
  const heatOf = (text: string, sources: readonly ProductionSource[]): FileProduction =>
    FileProduction.of(
      { sources, functions: sources.flatMap((one) => one.functions.map((fn) => ({ source: one, kept: fn }))) },
      '/p/a.js',
      text,
    );

  it('belongs to its text, wherever it stands, and to nothing else', () => {
    const all = [source('p', { functions: [kept('hot', 1, 4), kept('one', 7, 9)] })];
    const shares = (text: string) => [...heatOf(text, all).functions].map(([fn, { samples }]) => [fn.name, samples?.share]);
    assert.deepEqual(shares(TEXT), [
      ['hot', 0.04],
      ['one', 0.09],
    ]);
    assert.deepEqual(shares(`// moved\n${TEXT}`), [
      ['hot', 0.04],
      ['one', 0.09],
    ]);
    const changed = heatOf(TEXT.replace('a + 1', 'a + 2'), all);
    assert.deepEqual(
      [...changed.functions.keys()].map(({ name }) => name),
      ['one'],
    );
    assert.equal(changed.changed, 1);
    assert.equal(heatOf('syntax error(', all).changed, 2);
  });

  it('is that of the innermost function around a finding: what is not known there is not taken from outside', () => {
    const heat = heatOf(TEXT, [source('p', { functions: [kept('cold', 4, 50)] })]);
    const at = (code: string) => ({ span: { start: TEXT.indexOf(code), end: TEXT.indexOf(code) + code.length } });
    assert.equal(heat.ofFinding(at('return [a]'))?.samples?.share, 0.5);
    assert.equal(heat.ofFinding(at('b + a')), undefined);
    assert.equal(heat.ofFinding(at('return a + 1')), undefined);
  });

  it('is told by the newest import that knows it', () => {
    const older = source('older', { functions: [kept('hot', 1, 90), kept('one', 7, 90)] });
    const newer = source('newer', { date: '2026-11-22T10:00:00.000Z', functions: [kept('hot', 1, 4)] });
    const shares = [...heatOf(TEXT, [newer, older]).functions.values()].map(({ samples }) => [samples?.source, samples?.share]);
    assert.deepEqual(shares, [
      ['newer', 0.04],
      ['older', 0.9],
    ]);
  });

  it('is told in words, with the year where it is another one', () => {
    const now = Date.UTC(2026, 11, 1);
    const samples = { share: 0.04, self: 0.01, source: 'p', date: '2026-11-21T23:59:00.000Z' };
    assert.equal(describeProduction({ samples }, now), '4 % of samples in production, 21 November');
    assert.equal(describeProduction({ samples }, Date.UTC(2027, 0, 1)), '4 % of samples in production, 21 November 2026');
    const requests = { share: 0.614, count: 614, source: 's', date: '2026-11-21T01:00:00.000Z' };
    assert.equal(describeProduction({ samples, requests }, now), '4 % of samples and 61 % of requests in production, 21 November');
    const calls = { count: 12_000, source: 'c', date: '2026-11-02T00:00:00.000Z' };
    assert.equal(
      describeProduction({ samples, calls }, now),
      '4 % of samples in production, 21 November; 12,000 calls in production, 2 November',
    );
    assert.deepEqual([0, 0.0004, 0.003, 0.0996, 1].map(percent), ['0 %', 'less than 0.1 %', '0.3 %', '10 %', '100 %']);
  });

  it('orders by share of samples times requests, and what is not known comes last as it was', () => {
    const of = (share: number | undefined, requests?: number) => ({
      ...(share === undefined ? {} : { samples: { share, self: 0, source: 'p', date: '' } }),
      ...(requests === undefined ? {} : { requests: { share: requests, count: 1, source: 's', date: '' } }),
    });
    assert.deepEqual([of(0.5, 0.1), of(0.2), of(undefined, 0.1), {}, undefined].map(rankOf), [0.05, 0.2, 0.1, undefined, undefined]);
    const [a, b, c, d] = [of(0.5, 0.1), of(0.2), undefined, of(undefined, 0.1)];
    assert.deepEqual([c, a, b, undefined, d].sort((x, y) => byProduction(x, y)).slice(0, 3), [b, d, a]);
  });

  it('knows a route by its method and its path, whatever the parameters are called', () => {
    const is = (method: string, route: string, ...routes: string[]) => isRouteOf({ method, route, requests: 1 }, routes);
    assert.ok(is('GET', '/users/:id', 'GET /users/:userId'));
    assert.ok(is('GET', '/users/{id}', 'POST /x', 'GET /users/[id]'));
    assert.ok(is('GET', '/users/:id/', 'ALL /users/:id'));
    assert.ok(!is('POST', '/users/:id', 'GET /users/:id'));
    assert.ok(!is('GET', '/users/me', 'GET /users/:id'));
    assert.ok(!is('GET', '/users', 'GET /users/:id'));
  });
});
