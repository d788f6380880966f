// TypeScript that takes a compiler: profiled through the project's loader or compiler, with every place where it stands in the source.
import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { transformSync } from 'esbuild';
import type { NodeBinary } from '../../profiler/plan/node-binary.ts';
import { SourceMaps } from '../../profiler/parse/source-maps.ts';
import type { ProfileReport, SourcePlace } from '../../protocol/evidence.ts';
import { ROOT } from '../../scripts/generate.ts';
import { dedent } from '../../analysis/testing/dedent.ts';
import { rules } from '../../rules/index.ts';
import { folderWith, run } from '../cli/support.ts';
import { prepared, profiled } from './prepared.ts';
import { nodesToTest } from './runs.ts';

/**
 * Does what ts-node does to Node, without ts-node: the real one was tried by hand (10.9 with TypeScript 5.9, and @swc-node/register 1.12,
 * on Node 20 to 26).
 */
const STAND_IN = `const { readFileSync } = require('node:fs');
const { transformSync } = require(${JSON.stringify(join(ROOT, 'node_modules', 'esbuild'))});
require('node:module')._extensions['.ts'] = (module, file) => module._compile(transformSync(readFileSync(file, 'utf8'), { loader: 'ts', format: 'cjs', sourcemap: 'inline', sourcefile: file, tsconfigRaw: { compilerOptions: { experimentalDecorators: true } } }).code, file);
`;
const TSCONFIG = '{ "compilerOptions": { /* as Nest has it */ "experimentalDecorators": true } }';
const SHAPES = `import { Unit, unitOf } from './unit.ts';

export interface Row { size: number }

function logged(_target: object, _key: string, descriptor: PropertyDescriptor): PropertyDescriptor {
  return descriptor;
}

export class Sum {
  constructor(private readonly unit: Unit, public total: number = 0) {}

  @logged
  add(row: Row): this {
    this.total =
      this.total + (row.size as number);
    return this;
  }
}

/**
 * @profile join(1, 2 as number)
 * @profile join('a', 'b')
 * @profile addAll([{ size: 1 }, { size: 2, unit: 'm' } as Row])
 */
export function join<T extends number | string>(a: T, b: T): T {
  return (a as any)   + b;
}

export function addAll(rows: readonly Row[]): number {
  const sum = new Sum(unitOf(rows.length));
  for (const row of rows) sum.add(row);
  return sum.total;
}
`;
const UNIT = `export enum Unit { Metre = 'm', Foot = 'ft' }

export function unitOf(n: number): Unit {
  return n > 100 ? Unit.Foot : Unit.Metre;
}
`;
const BUDGET_MS = 1500;

describe('source maps', () => {
  const SOURCE = `export function total(rows: readonly { size: number }[], plus: number) {
  let sum = 0 as number;
  for (const row of rows) {
    sum = (sum as number & {})   + (row.size as number) *
      plus;
  }
  return -sum + (rows.length > 1 ? sum % 2 : 0);
}
`;
  const { code, map } = transformSync(SOURCE, { loader: 'ts', sourcemap: 'external', minifyWhitespace: true });
  const maps = new SourceMaps([{ file: '/a.ts', text: code, map }], () => SOURCE);
  const lines = SOURCE.split('\n');
  const compiledLines = code.split('\n');

  it('lead back to the same token, however the space and the types around it went', () => {
    let checked = 0;
    compiledLines.forEach((text, row) => {
      for (const { 0: token, index } of text.matchAll(/[+*%>]|\b(?:sum|row|rows|size|plus|length|return)\b/g)) {
        const place = maps.toSource({ file: '/a.ts', line: row + 1, column: index + 1 });
        assert.ok(
          place && lines[place.line - 1]?.startsWith(token, place.column - 1),
          `${token} at ${index} of ${text}: ${JSON.stringify(place)}`,
        );
        checked += 1;
      }
    });
    assert.ok(checked > 15, String(checked));
  });

  it('lead from a place of the source to the code that runs, and leave other files alone', () => {
    const place = { file: '/a.ts', line: 4, column: (lines[3] ?? '').indexOf('row.size') + 1 };
    const [compiled] = maps.toCompiled(place);
    assert.ok(compiled && compiledLines[compiled.line - 1]?.startsWith('row.size', compiled.column - 1), JSON.stringify(compiled));
    assert.deepEqual(maps.toSource({ file: '/b.ts', line: 9, column: 9 }), { file: '/b.ts', line: 9, column: 9 });
    assert.equal(maps.toSource({ file: '/a.ts', line: 99, column: 1 }), undefined);
    assert.equal(new SourceMaps([{ file: '/a.ts', text: code, map: '{' }], () => SOURCE).isEmpty, true);
  });
});

type Tool = 'tsx' | 'esbuild' | 'ts-node' | 'none';

function folderFor(tool: Tool, type: 'module' | 'commonjs'): ReturnType<typeof folderWith> {
  // Most packages of CommonJS do not say so; their sources are written as ES modules all the same.
  const start = tool === 'ts-node' ? 'node -r ts-node/register/transpile-only src/shapes.ts' : 'node .';
  const folder = folderWith({
    'package.json': JSON.stringify({ name: 'p', scripts: { start }, ...(type === 'module' ? { type } : {}) }),
    'tsconfig.json': TSCONFIG,
    'src/shapes.ts': SHAPES,
    'src/unit.ts': UNIT,
  });
  mkdirSync(join(folder.path, 'node_modules'));
  if (tool === 'ts-node') {
    mkdirSync(join(folder.path, 'node_modules/ts-node/register'), { recursive: true });
    writeFileSync(join(folder.path, 'node_modules/ts-node/register/transpile-only.js'), STAND_IN);
  } else if (tool !== 'none') symlinkSync(join(ROOT, 'node_modules', tool), join(folder.path, 'node_modules', tool), 'junction');
  return folder;
}

describe('TypeScript with decorators, enums and parameter properties', async () => {
  const report = async (node: NodeBinary, file: string, name: string): Promise<ProfileReport> => {
    const outcome = await prepared(file, { name });
    assert.ok(outcome.ok, outcome.ok ? '' : `${outcome.why} ${outcome.remedy}`);
    const result = await profiled(outcome.prepared, node, BUDGET_MS);
    assert.ok(result.ok, result.ok ? '' : result.reason);
    return result.report;
  };
  const at = ({ line, column }: SourcePlace) => `${line}:${column}`;

  for (const node of await nodesToTest()) {
    for (const [tool, type] of [
      ['tsx', 'module'],
      ['esbuild', 'module'],
      ['tsx', 'commonjs'],
      ['esbuild', 'commonjs'],
      ['ts-node', 'commonjs'],
    ] as const) {
      it(`is placed on its source by ${tool} as ${type} on Node ${node.version}`, async () => {
        const folder = folderFor(tool, type);
        try {
          const file = join(folder.path, 'src/shapes.ts');
          const { deopts, feedback = [], inlineCaches, tiers, calls, problems } = await report(node, file, 'join');
          assert.ok(calls > 1000, `${calls} calls`);
          assert.deepEqual(problems, []);
          assert.ok(
            deopts.some(
              ({ place, placement, reason, benign }) => at(place) === '26:23' && placement === 'exact' && reason === 'not a Smi' && !benign,
            ),
            JSON.stringify(deopts),
          );
          assert.ok(
            feedback.some(({ place, kind, mixed }) => at(place) === '26:23' && kind === 'operator' && mixed),
            JSON.stringify(feedback),
          );
          assert.ok(
            inlineCaches.some(
              ({ place, property, shapeCount, state }) =>
                at(place) === '15:25' && property === 'size' && shapeCount === 2 && state === 'polymorphic',
            ),
            JSON.stringify(inlineCaches.map(({ place, property, state }) => `${at(place)} ${property} ${state}`)),
          );
          assert.ok(
            tiers.some(({ functionName, place, tier }) => functionName === 'addAll' && place.line === 29 && tier !== 'ignition'),
            JSON.stringify(tiers.map(({ functionName, place }) => `${functionName} ${at(place)}`)),
          );
          for (const { place } of [...deopts, ...inlineCaches, ...tiers]) assert.ok(place.line <= 34, `${place.file}:${at(place)}`);
        } finally {
          folder.dispose();
        }
      });
    }
  }

  it('behind a loader has no clocks, and the verdict says so', async () => {
    const folder = folderWith({
      'package.json': '{ "type": "module", "scripts": { "start": "tsx app.ts" }, "devDependencies": { "tsx": "4" } }',
      'app.ts': dedent`
        import { createServer, type ServerResponse } from 'node:http';
        createServer((_request, response: ServerResponse) => {
          response.end(new Intl.NumberFormat('de-DE').format(1));
        }).listen(3000);

      `,
    });
    try {
      mkdirSync(join(folder.path, 'node_modules'));
      symlinkSync(join(ROOT, 'node_modules', 'tsx'), join(folder.path, 'node_modules', 'tsx'), 'dir');
      const argv = ['profile', 'app.ts:2', '--request', 'GET /', '--time', '2', '--yes', '--no-save', '-f', 'json'];
      const { out, err } = await run(argv, { cwd: folder.path, env: { PATH: process.env.PATH ?? '' }, rules });
      assert.notEqual(out, '', err);
      const verdicts = (JSON.parse(out) as ProfileReport).verdicts.filter(({ ruleId }) => ruleId === 'no-setup-per-request');
      assert.deepEqual(
        verdicts.map(({ verdict, grounds }) => `${verdict}: ${(grounds.at(-1) ?? '').slice(0, 60)}`),
        ['seen: Clocks cannot be put into code that a loader compiles. If No'],
      );
    } finally {
      folder.dispose();
    }
  });

  it('without anything that compiles it says what is missing', async () => {
    const folder = folderFor('none', 'module');
    try {
      const outcome = await prepared(join(folder.path, 'src/shapes.ts'), { name: 'join' });
      assert.ok(!outcome.ok);
      assert.match(outcome.why, /enums are code|parameter properties|decorators are code/);
      assert.match(outcome.remedy, /Install tsx, /);
    } finally {
      folder.dispose();
    }
  });
});
