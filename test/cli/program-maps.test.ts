// A program whose JavaScript was made of other files, by a build or while it is loaded: what V8 says is told at the places of the sources.
import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { buildSync, transformSync } from 'esbuild';
import type { ProfileReport } from '../../protocol/evidence.ts';
import { rules } from '../../rules/index.ts';
import { ROOT } from '../../scripts/generate.ts';
import { folderWith, run } from './support.ts';

const ROWS = `import { readFileSync } from 'node:fs';

export enum Unit { Metre = 'm' }

export interface Row {
  size: number;
}

export function read(row: Row): number {
  return (row as Row)
    .size;
}

export function load(file: string): string {
  return readFileSync(file, 'utf8');
}

export function parseOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
`;
const MAIN = `import { createServer, get } from 'node:http';
import { load, parseOr, read, Unit, type Row } from './rows';

const rows: Row[] = [{ size: 1 }, { size: 2, a: Unit.Metre } as Row, { b: 1, size: 3 } as Row, { size: 4, c: 1 } as Row, { d: 1, size: 5 } as Row];

const server = createServer((_req, res) => {
  for (let i = 0; i < 40; i += 1) for (const row of rows) read(row);
  parseOr('{');
  res.end(load(__filename));
});

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as { port: number };
  let left: number = 20;
  const ask = (): void => {
    left -= 1;
    if (left === 0) server.close();
    else get({ port, host: '127.0.0.1', agent: false }, (answer) => answer.resume().on('end', ask));
  };
  ask();
});
`;
const SPIN = `enum Step { One = 1 }
interface State { n: number }
const state: State = { n: 0 };

function spin(): void {
  for (;;)   (state as State).n += Step.One;
}
setTimeout(() => spin(), 50);
`;
const PACKAGE = JSON.stringify({
  name: 'p',
  scripts: {
    dist: 'node dist/main.js',
    inline: 'node inline/main.js',
    bundle: 'node bundle/main.js',
    tsx: 'tsx src/main.ts',
    spin: 'tsx src/spin.ts',
  },
});

/** Where the code stands in the source: `line:column`. */
function at(text: string, code: string, plus = 0): string {
  const offset = text.indexOf(code) + plus;
  const before = text.slice(0, offset).split('\n');
  return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
}

describe('a program that is built', () => {
  const folder = folderWith({ 'package.json': PACKAGE, 'src/rows.ts': ROWS, 'src/main.ts': MAIN, 'src/spin.ts': SPIN });
  const here = (name: string) => join(folder.path, name);
  before(() => {
    for (const out of ['dist', 'inline', 'bundle']) mkdirSync(here(out));
    for (const [name, text] of [
      ['main', MAIN],
      ['rows', ROWS],
    ] as const) {
      const one = transformSync(text, {
        loader: 'ts',
        format: 'cjs',
        sourcemap: 'external',
        sourcefile: `../src/${name}.ts`,
        sourcesContent: false,
        banner: '"use strict";\n',
      });
      writeFileSync(here(`dist/${name}.js`), `${one.code}//# sourceMappingURL=${name}.js.map\n`);
      writeFileSync(here(`dist/${name}.js.map`), one.map);
      writeFileSync(
        here(`inline/${name}.js`),
        transformSync(text, { loader: 'ts', format: 'cjs', sourcemap: 'inline', sourcefile: `../src/${name}.ts` }).code,
      );
    }
    buildSync({
      entryPoints: [here('src/main.ts')],
      bundle: true,
      platform: 'node',
      minifyWhitespace: true,
      sourcemap: true,
      outfile: here('bundle/main.js'),
    });
    mkdirSync(here('node_modules/.bin'), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', 'tsx'), here('node_modules/tsx'), 'junction');
    symlinkSync(join(ROOT, 'node_modules', '.bin', 'tsx'), here('node_modules/.bin/tsx'));
  });
  after(() => folder.dispose());
  const profile = async (script: string, seconds = 5): Promise<ProfileReport> =>
    JSON.parse(
      (
        await run(['profile', '--script', script, '--yes', '--no-save', '--time', String(seconds), '-f', 'json'], {
          cwd: folder.path,
          rules,
          env: { PATH: process.env.PATH ?? '', HOME: folder.path },
        })
      ).out,
    ) as ProfileReport;

  for (const [script, how] of [
    ['dist', 'with its maps beside it'],
    ['inline', 'with its maps in it'],
    ['bundle', 'into one file, without white space'],
    ['tsx', 'while it is loaded'],
  ] as const) {
    it(`${how} is told in the places of its sources`, async () => {
      const { program, inlineCaches, syncCalls, exceptions, verdicts, tiers, deopts, problems } = await profile(script);
      assert.deepEqual(problems, []);
      assert.deepEqual(program?.files, [here('src/main.ts'), here('src/rows.ts')]);
      const placed = <T extends { place: { file: string; line: number; column: number } }>(list: readonly T[]) =>
        list.map(({ place }) => `${place.file} ${place.line}:${place.column}`);
      assert.deepEqual(
        inlineCaches
          .filter(({ property }) => property === 'size')
          .map(({ place, state, shapeCount }) => [place.file, `${place.line}:${place.column}`, state, shapeCount]),
        [[here('src/rows.ts'), at(ROWS, '.size', 1), 'megamorphic', 5]],
      );
      assert.deepEqual(
        syncCalls.map(({ name, place, count }) => [name, place.file, place.line, count]),
        [['fs.readFileSync', here('src/rows.ts'), 15, 19]],
      );
      assert.deepEqual(
        exceptions.map(({ type, place, thrown }) => [type, place.file, place.line, thrown]),
        [['SyntaxError', here('src/rows.ts'), 20, 19]],
      );
      const blocking = verdicts.filter(({ ruleId }) => ruleId === 'no-sync-in-handler');
      assert.deepEqual(
        blocking.map(({ place }) => [place.file, place.line]),
        [[here('src/rows.ts'), 15]],
      );
      // A read takes microseconds, and on a machine that is busy enough, so many that they count.
      assert.match(blocking[0]?.verdict ?? '', /^(?:seen|confirmed)$/);
      assert.ok(
        tiers.some(({ place, functionName }) => functionName === 'read' && `${place.file} ${place.line}` === `${here('src/rows.ts')} 9`),
        placed(tiers).join(),
      );
      for (const place of placed([...tiers, ...deopts, ...inlineCaches])) assert.match(place, /\.ts \d/);
    });
  }

  it('that is stuck says where in its sources', async () => {
    const { blocks } = await profile('spin', 3);
    const stuck = blocks.filter(({ endless }) => endless);
    assert.deepEqual(
      stuck.map(({ stack: [top] }) => [top?.functionName, top?.file, top?.line]),
      [['spin', here('src/spin.ts'), 6]],
      JSON.stringify(blocks),
    );
  });

  it('of another text than the sources now have is told as it was built', async () => {
    writeFileSync(here('src/rows.ts'), `// More.\n${ROWS}`);
    const { program, syncCalls, problems } = await profile('inline', 2);
    assert.deepEqual(program?.files, [here('inline/rows.js'), here('src/main.ts')]);
    assert.deepEqual(
      syncCalls.map(({ place }) => place.file),
      [here('inline/rows.js')],
    );
    assert.deepEqual(problems, [
      `${here('inline/rows.js')} is outdated: ${here('src/rows.ts')} has changed since the build. Locations refer to the built code. Build again.`,
    ]);
  });
});
