// TypeScript without its types: the same places, the same meaning as TypeScript's own compiler gives it, or a refusal.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { transformSync } from 'esbuild';
import { blankTypes } from '../../analysis/profile/blank-types.ts';
import { ROOT } from '../../scripts/generate.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

/** Each with what is left where the exact text is worth reading. */
const CASES: readonly [typescript: string, javascript?: string][] = [
  ['let a: number = 1;', 'let a         = 1;'],
  ['function f<T>(a?: T, ...b: T[]): a is T { return a!; }', 'function f   (a    , ...b     )         { return a ; }'],
  ['const b = (x as string).length + (y satisfies T);'],
  ['const c = <string>x;', 'const c =         x;'],
  ['interface A { a: 1 }\nconst d = 1;'],
  [
    dedent`
      const e = 1
      type B = string
      (f)()
    `,
    dedent`
      const e = 1
      ;              
      (f)()
    `,
  ],
  ['export type { A } from "a";\nexport { b } from "b";'],
  ['import { type A, b } from "a";\nb();', 'import {         b } from "a";\nb();'],
  ['import { A, b } from "a";\nconst x: A = b;', 'import {    b } from "a";\nconst x    = b;'],
  ['import { A } from "a";\nlet x: A;'],
  [
    'abstract class C<T> extends D<T> implements E, F { private readonly x?: number = 1; declare y: string; z!: T; abstract g(): void; static override h?(): void {} [k: string]: any }',
  ],
  [
    dedent`
      function g(this: Window, a: number): void;
      function g(a) { return a; }
    `,
  ],
  [
    dedent`
      declare const X: number;
      declare module "m" { }
      namespace N { export type T = 1 }
      X;
    `,
  ],
  ['const h = async <T,>(a: T): Promise<T> => a;'],
  ['f<string>(1); new Map<string, number>(); tag<T>`x`;'],
];

describe('blanking of types', () => {
  it('leaves JavaScript at its places', () => {
    for (const [typescript, javascript] of CASES) {
      const outcome = blankTypes('/p/a.ts', typescript);
      assert.ok(outcome.ok, `${typescript}: ${outcome.ok ? '' : outcome.why}`);
      assert.equal(outcome.text.length, typescript.length);
      if (javascript !== undefined) assert.equal(outcome.text, javascript);
      assert.equal(minified(outcome.text, 'js'), minified(typescript, 'ts'), typescript);
    }
  });

  it('refuses what has a meaning at run time', () => {
    const refused: [text: string, why: RegExp, place: string][] = [
      ['const a = 1; enum E { A }', /enums/, 'enum'],
      ['class A { constructor(private x: number) {} }', /parameter properties/, 'private'],
      ['namespace N { export const a = 1; }', /namespaces/, 'namespace'],
      ['import a = require("a");', /require/, 'import'],
      ['@Injectable() class A {}', /decorators/, '@'],
      ['const a: = 1;', /cannot be parsed/, '= 1'],
    ];
    for (const [text, why, place] of refused) {
      const outcome = blankTypes('/p/a.ts', text);
      assert.ok(!outcome.ok, text);
      assert.match(outcome.why, why);
      assert.ok(Math.abs(outcome.offset - text.indexOf(place)) <= 2, `${text}: ${outcome.offset}`);
    }
  });

  it('gives what a compiler gives, on this project itself', () => {
    let compared = 0;
    for (const folder of ['analysis', 'cli', 'workspace', 'server', 'protocol', 'knowledge', 'client']) {
      for (const name of readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).filter((entry) => entry.endsWith('.ts'))) {
        const text = readFileSync(join(ROOT, folder, name), 'utf8');
        const outcome = blankTypes(join(ROOT, folder, name), text);
        assert.ok(
          outcome.ok,
          `${folder}/${name}: ${outcome.ok ? '' : `${outcome.why} at ${text.slice(outcome.offset, outcome.offset + 60)}`}`,
        );
        assert.equal(outcome.text.length, text.length);
        assert.equal(minified(outcome.text, 'js'), minified(text, 'ts'), `${folder}/${name}`);
        compared++;
      }
    }
    assert.ok(compared > 100);
  });
});

function minified(text: string, loader: 'ts' | 'js'): string {
  // Class fields and imports are left as they are; esbuild drops unused imports of TypeScript, as tsc does.
  return transformSync(text, {
    loader,
    minifyWhitespace: true,
    minifySyntax: true,
    target: 'esnext',
    legalComments: 'none',
    tsconfigRaw: { compilerOptions: { useDefineForClassFields: true, target: 'esnext' } },
  }).code;
}
