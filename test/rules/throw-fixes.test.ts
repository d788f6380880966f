// Fixes of no-throw-in-hot-path must not change what a program does: before and after are run on the same inputs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyEdits } from '../../analysis/module/edit.ts';
import { lintText } from '../../analysis/run/run.ts';
import { defaultSettings } from '../../analysis/run/rule-settings.ts';
import { rule } from '../../rules/no-throw-in-hot-path/rule.ts';
import type { FixKind } from '../../protocol/finding.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

const PROJECT = { nodeRange: '>=22.1', nodeRangeSource: 'the test', root: '/project' };

const TEXTS = [
  'https://example.org/a?b#c',
  'no address',
  '',
  'mailto:x@y',
  'http://',
  '//host',
  'https://ex ample.org',
  'data:,x',
  null,
  undefined,
  7,
  {},
];
const ROWS = [{ id: 1, price: 2 }, { id: 2 }, {}, { id: 3, price: 0 }, { price: 5 }];

/** `suggestion`: equal for all inputs but symbols, for which `URL.canParse` throws. */
const programs: readonly { name: string; kind?: FixKind; code: string; inputs: readonly unknown[] }[] = [
  {
    name: 'URL.canParse',
    kind: 'suggestion',
    inputs: TEXTS,
    code: dedent`
      export const run = (list) => list.filter((x) => {
        try {
          new URL(x);
          return true;
        } catch {
          return false;
        }
      });
    `,
  },
  {
    name: 'a variable that is declared before',
    kind: 'suggestion',
    inputs: TEXTS,
    code: dedent`
      export const run = (list) => list.map((x) => {
        let url;
        try {
          url = new URL(x);
        } catch {
          return 'none';
        }
        return url.hostname;
      });
    `,
  },
  {
    name: 'a variable that is declared before, and set again',
    kind: 'suggestion',
    inputs: TEXTS,
    code: dedent`
      export const run = (list) => list.map((x) => {
        let url;
        try {
          url = new URL(x);
        } catch {
          return 'none';
        }
        if (url.hash) url = 'hash';
        return String(url);
      });
    `,
  },
  {
    name: 'its negation, with a base',
    kind: 'suggestion',
    inputs: TEXTS,
    code: dedent`
      export const run = (list) => list.filter((x) => {
        try { new URL(x, "https://base.example/"); return false; } catch { return true; }
      });
    `,
  },
  {
    name: 'a boolean cast',
    kind: 'suggestion',
    inputs: TEXTS,
    code: 'export const run = (list) => list.map((x) => { try { return !!new URL(x); } catch { return false; } });',
  },
  {
    name: 'only the catch does something',
    kind: 'suggestion',
    inputs: TEXTS,
    code: 'export const run = (list) => list.map((x) => { try { new URL(x); } catch { x = `https://${String(x)}`; } return x; });',
  },
  {
    name: 'URL.parse',
    kind: 'suggestion',
    inputs: TEXTS,
    code: 'export const run = (list) => list.map((x) => { try { return new URL(x); } catch { return null; } }).map((url) => url && url.href);',
  },
  {
    name: 'the address is used, and nothing else can throw',
    kind: 'suggestion',
    inputs: TEXTS,
    code: 'export const run = (list) => list.map((x) => { try { const url = new URL(x); return url.host.toUpperCase(); } catch { return 0; } });',
  },
  {
    name: 'a part of the address, where the first name for it is taken',
    kind: 'suggestion',
    inputs: TEXTS,
    code: 'export const run = (list) => list.map((x) => { const url = `${x}`; try { return new URL(url).host; } catch { return 0; } });',
  },
  {
    name: 'an assignment takes the address apart',
    kind: 'suggestion',
    inputs: TEXTS,
    code: 'export const run = (list) => list.map((x) => { let host; try { ({ host } = new URL(x)); } catch { return 0; } return host; });',
  },
  {
    name: 'an attempt whose value nobody uses',
    kind: 'suggestion',
    inputs: TEXTS,
    code: 'export const run = (list) => list.map((x) => { let n = 0; try { new URL(x); n = 1; } catch { return 0; } return n; });',
  },
  {
    name: 'a chain that ends with null',
    kind: 'suggestion',
    inputs: [{}, { a: null }, { a: { b: null } }, { a: { b: { c: null } } }, { a: { b: { c: 0 } } }, { a: { b: {} } }, null],
    code: 'export const run = (list) => list.map((row) => { try { return row.a.b.c; } catch { return "none"; } });',
  },
  {
    name: 'a chain into a variable that keeps its value',
    kind: 'suggestion',
    inputs: [{}, { a: null }, { a: { b: null } }, { a: { b: 1 } }],
    code: 'export const run = (list) => list.map((row) => { let name = 7; try { name = row.a.b; } catch {} return name; });',
  },
  {
    name: 'existsSync',
    inputs: ['/', '/no/such/file', '', 'a\0b'],
    code: dedent`
      import { accessSync } from 'node:fs';
      export const run = (list) => list.filter((x) => { try { accessSync(x); return true; } catch { return false; } });
    `,
  },
  {
    name: 'return instead of throw',
    inputs: ROWS,
    code: "export const run = (list) => list.map((row) => { try { if (!row.price) throw new Error('no price'); return row.price * 2; } catch { return null; } });",
  },
  {
    name: 'continue instead of throw',
    inputs: ROWS,
    code: dedent`
      export function run(list) {
        let bad = 0;
        let sum = 0;
        for (const row of list) {
          try {
            if (!row.id) throw new Error(\`\${row.price}\`);
            if (row.price === undefined) throw new Error('price');
            sum += row.price;
          } catch {
            bad++;
          }
        }
        return [bad, sum];
      }
    `,
  },
];

async function load(code: string): Promise<(inputs: readonly unknown[]) => unknown> {
  const module = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as { run(inputs: readonly unknown[]): unknown };
  return module.run;
}

for (const { name, kind = 'safe', code, inputs } of programs) {
  test(`${name}: the same results before and after`, async (context) => {
    const { findings, crashes } = lintText({
      file: '/project/src/a.js',
      text: code,
      project: PROJECT,
      rules: [rule],
      settings: defaultSettings([rule]),
    });
    assert.deepEqual(crashes, []);
    const fixes = findings.flatMap((finding) => finding.fixes);
    assert.deepEqual(
      fixes.map((fix) => fix.kind),
      [kind],
    );
    const fixed = applyEdits(code, fixes[0]?.edits ?? []);
    // The functions themselves may be younger than the Node that runs this.
    if (/URL\.parse\(/.test(fixed) && !('parse' in URL)) return context.skip('this Node has no URL.parse');
    const [before, after] = [await load(code), await load(fixed)];
    assert.deepEqual(after(inputs), before(inputs), fixed);
  });
}
