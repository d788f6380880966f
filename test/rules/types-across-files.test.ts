// Functions that calls of several files hand values of several kinds: found at the operation, with these calls, and not found where a call
// is not known or nothing is hot.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findingsOf, toldOf, type Files } from './whole-project.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

const RULE = 'no-polymorphic-call';

interface Found {
  at: string;
  related: string[];
}

const ADD = dedent`
  export function add(a, b) {
    return a + b;
  }

`;
const HOT_ADD = dedent`
    import { add } from './add.js';
    export function total(rows) {
      let sum = 0;
      for (let i = 0; i < rows; i++) sum += add(i, 1);
      return sum;
    }

  `;
const ADD_TEXTS = dedent`
  import { add } from './add.js';
  export const label = () => add('a', 'b');

`;
const DISTANCE = dedent`
  exports.norm = function norm(p) {
    return p.x * p.x + p.y * p.y;
  };

`;

const hot = (argument: string, name = 'norm', file = './norm'): string =>
  dedent`
    const { ${name} } = require('${file}');
    exports.sum = function sum(n) {
      let sum = 0;
      for (let i = 0; i < n; i++) sum += ${name}(${argument});
      return sum;
    };

  `;
const cold = (argument: string): string => dedent`
  const { norm } = require('./norm');
  exports.one = () => norm(${argument});

`;

const FOUND: readonly (readonly [name: string, files: Files, found: readonly Found[]])[] = [
  [
    'numbers in a loop of one file, texts in another',
    { 'add.js': ADD, 'hot.js': HOT_ADD, 'label.js': ADD_TEXTS },
    [{ at: 'add.js:2 typesAcross hint', related: ['hot.js:4 a number (in a loop)', 'label.js:2 a string'] }],
  ],
  [
    'numbers in its own file, texts in another',
    {
      'add.js': dedent`
        ${ADD}export function total(n) {
          let sum = 0;
          for (let i = 0; i < n; i++) sum += add(i, 1);
          return sum;
        }

      `,
      'label.js': ADD_TEXTS,
    },
    [{ at: 'add.js:2 typesAcross hint', related: ['add.js:6 a number (in a loop)', 'label.js:2 a string'] }],
  ],
  [
    'through a file that exports it again',
    {
      'add.js': ADD,
      'index.js': "export * from './add.js';\n",
      'hot.js': HOT_ADD.replace('./add.js', './index.js'),
      'label.js': ADD_TEXTS,
    },
    [{ at: 'add.js:2 typesAcross hint', related: ['hot.js:4 a number (in a loop)', 'label.js:2 a string'] }],
  ],
  [
    'a loop in the function itself',
    {
      'less.ts': dedent`
          export function below(limit: any, rows: any[]) {
            let count = 0;
            for (const row of rows) if (row < limit) count++;
            return count;
          }

        `,
      'a.ts': dedent`
        import { below } from './less';
        export const few = (rows: number[]) => below(5, rows);

      `,
      'b.ts': dedent`
        import { below } from './less';
        export const early = (rows: string[], letter: string) => below(letter, rows);

      `,
    },
    [{ at: 'less.ts:3 typesAcross hint', related: ['a.ts:2 a number', 'b.ts:2 a string'] }],
  ],
  [
    'literals of two shapes',
    { 'norm.js': DISTANCE, 'a.js': hot('{ x: i, y: 1 }'), 'b.js': cold('{ y: 1, x: 2 }') },
    [{ at: 'norm.js:2 shapesAcross hint', related: ['a.js:4 `{ x, y }` (in a loop)', 'b.js:2 `{ y, x }`'] }],
  ],
  [
    'five shapes',
    {
      'norm.js': DISTANCE,
      'a.js': hot('{ x: i, y: 1 }'),
      'b.js': cold('{ y: 1, x: 2 }'),
      'c.js': cold('{ x: 1, y: 2, z: 3 }'),
      'd.js': cold('{ id: 0, x: 1, y: 2 }'),
      'e.js': cold('{ w: 0, x: 1, y: 2 }'),
    },
    [
      {
        at: 'norm.js:2 manyShapesAcross hint',
        related: [
          'a.js:4 `{ x, y }` (in a loop)',
          'b.js:2 `{ y, x }`',
          'c.js:2 `{ x, y, z }`',
          'd.js:2 `{ id, x, y }`',
          'e.js:2 `{ w, x, y }`',
        ],
      },
    ],
  ],
  [
    'five shapes, one call not known',
    {
      'norm.js': DISTANCE,
      'a.js': hot('{ x: i, y: 1 }'),
      'b.js': cold('{ y: 1, x: 2 }'),
      'c.js': cold('{ x: 1, y: 2, z: 3 }'),
      'd.js': cold('{ id: 0, x: 1, y: 2 }'),
      'e.js': cold('{ w: 0, x: 1, y: 2 }'),
      'f.js': cold('load()'),
    },
    [
      {
        at: 'norm.js:2 manyShapesAcross hint',
        related: [
          'a.js:4 `{ x, y }` (in a loop)',
          'b.js:2 `{ y, x }`',
          'c.js:2 `{ x, y, z }`',
          'd.js:2 `{ id, x, y }`',
          'e.js:2 `{ w, x, y }`',
        ],
      },
    ],
  ],
  [
    'instances of classes of a third file',
    {
      'norm.js': DISTANCE,
      'points.js': dedent`
          exports.Point = class Point {
            constructor(x, y) {
              this.x = x;
              this.y = y;
            }
          };
          exports.Pixel = class Pixel {
            constructor(x, y) {
              this.x = x;
              this.y = y;
            }
          };

        `,
      'a.js': dedent`
        const { Point } = require('./points');
        const origin = new Point(0, 0);
        ${hot('origin')}
      `,
      'b.js': dedent`
        const { Pixel } = require('./points');
        const corner = new Pixel(0, 0);
        ${cold('corner')}
      `,
    },
    [{ at: 'norm.js:2 shapesAcross hint', related: ['a.js:6 a `Point` (in a loop)', 'b.js:4 a `Pixel`'] }],
  ],
];

const SILENT: readonly (readonly [name: string, files: Files])[] = [
  [
    'nothing is hot',
    {
      'add.js': ADD,
      'a.js': dedent`
      import { add } from './add.js';
      export const sum = () => add(1, 2);

    `,
      'b.js': ADD_TEXTS,
    },
  ],
  ['a short loop', { 'add.js': ADD, 'a.js': HOT_ADD.replace('i < rows', 'i < 3'), 'b.js': ADD_TEXTS }],
  [
    'a loop that waits',
    {
      'add.js': ADD,
      'a.js': HOT_ADD.replace('export function', 'export async function').replace(
        'sum += add(i, 1);',
        '{ sum += add(i, 1); await save(sum); }',
      ),
      'b.js': ADD_TEXTS,
    },
  ],
  [
    'a loop that does more',
    {
      'add.js': ADD,
      'a.js': HOT_ADD.replace('sum += add(i, 1);', '{ sum += add(i, 1); console.log(`${sum} of ${rows}`); }'),
      'b.js': ADD_TEXTS,
    },
  ],
  [
    'one kind',
    {
      'add.js': ADD,
      'a.js': HOT_ADD,
      'b.js': dedent`
    import { add } from './add.js';
    export const half = () => add(0.5, 0.25);

  `,
    },
  ],
  [
    'a call that is not known',
    {
      'add.js': ADD,
      'a.js': HOT_ADD,
      'b.js': ADD_TEXTS,
      'c.js': dedent`
        import { add } from './add.js';
        export const any = (a, b) => add(a, b);

      `,
    },
  ],
  [
    'a call that is only partly known',
    { 'add.js': ADD, 'a.js': HOT_ADD, 'b.js': ADD_TEXTS.replace("add('a', 'b')", "add('a', 'b', ...rest)") },
  ],
  [
    'handed on as a value',
    {
      'add.js': ADD,
      'a.js': HOT_ADD,
      'b.js': ADD_TEXTS,
      'c.js': dedent`
        import { add } from './add.js';
        export const sum = (rows) => rows.reduce(add);

      `,
    },
  ],
  [
    'a function that asks for the type',
    {
      'add.js': dedent`
        export function add(a, b) {
          if (typeof a === 'string') return a.length + b;
          return a + b;
        }

      `,
      'a.js': HOT_ADD,
      'b.js': ADD_TEXTS,
    },
  ],
  [
    'a text that is put together',
    {
      'add.js': dedent`
        export function add(prefix, id) {
          return prefix + id;
        }

      `,
      'a.js': HOT_ADD.replace('add(i, 1)', "add('p', i)"),
      'b.js': ADD_TEXTS,
    },
  ],
  [
    'a function that does more',
    {
      'add.js': dedent`
      export function add(a, b) {
        console.log(a);
        return a + b;
      }

    `,
      'a.js': HOT_ADD,
      'b.js': ADD_TEXTS,
    },
  ],
  [
    'a function that waits',
    {
      'add.js': dedent`
    export async function add(a, b) {
      return a + b;
    }

  `,
      'a.js': HOT_ADD,
      'b.js': ADD_TEXTS,
    },
  ],
  [
    'a name for anything',
    {
      'add.js': ADD.replace('add', 'formatSum'),
      'a.js': HOT_ADD.replaceAll('add', 'formatSum').replace('./formatSum.js', './add.js'),
      'b.js': ADD_TEXTS.replaceAll('add', 'formatSum').replace('./formatSum.js', './add.js'),
    },
  ],
  [
    'an option left out',
    {
      'add.js': ADD,
      'a.js': HOT_ADD,
      'b.js': dedent`
      import { add } from './add.js';
      export const one = () => add(undefined, null);

    `,
    },
  ],
  [
    'a key',
    {
      'get.js': dedent`
        export function get(list, id) {
          return list[id];
        }

      `,
      'a.js': dedent`
        import { get } from './get.js';
        export const all = (n) => { for (let i = 0; i < n; i++) get([], i); };

      `,
      'b.js': dedent`
        import { get } from './get.js';
        export const one = () => get([], 'a');

      `,
    },
  ],
  [
    'two functions of the same name',
    { 'add.js': ADD, 'other.js': ADD, 'a.js': HOT_ADD, 'b.js': ADD_TEXTS.replace('./add.js', './other.js') },
  ],
  [
    'an argument behind many',
    {
      'add.js': dedent`
        export function add(a, b, c, d, e, f, g) {
          return a + g;
        }

      `,
      'a.js': HOT_ADD.replace('add(i, 1)', 'add(i, 1, 1, 1, 1, 1, 1)'),
      'b.js': ADD_TEXTS.replace("add('a', 'b')", "add(1, 1, 1, 1, 1, 1, 'a')"),
    },
  ],
  [
    'a class that is not known',
    {
      'norm.js': DISTANCE,
      'a.js': hot('{ x: i, y: 1 }'),
      'b.js': cold('{ y: 1, x: 2 }'),
      'c.js': dedent`
        const { Point } = require('./points');
        ${cold('new Point()')}
      `,
      'points.js': 'module.exports = require(process.argv[2]);\n',
    },
  ],
  ['shapes that cannot be told apart', { 'norm.js': DISTANCE, 'a.js': hot('{ x: i, y: 1 }'), 'b.js': cold('{ ...corner, x: 2 }') }],
  ['the same shape in several files', { 'norm.js': DISTANCE, 'a.js': hot('{ x: i, y: 1 }'), 'b.js': cold('{ x: 1, y: 2 }') }],
  [
    'an error',
    {
      'add.js': ADD,
      'a.js': HOT_ADD,
      'b.js': dedent`
        import { add } from './add.js';
        export const f = (x) => { try { x(); } catch { add('a', 'b'); } };

      `,
    },
  ],
  ['a test', { 'add.js': ADD, 'a.js': HOT_ADD, 'b.test.js': `${ADD_TEXTS}it('adds', label);\n` }],
];

describe('calls of several files hand over several kinds', () => {
  for (const [name, files, found] of FOUND) {
    it(name, () => {
      assert.deepEqual(
        findingsOf([RULE], files).map((finding) => toldOf(finding, files)),
        found,
      );
    });
  }

  it('says so in words', () => {
    const [finding] = findingsOf([RULE], FOUND[0]?.[1] ?? {});
    assert.equal(finding?.message.what, 'In hot code, `add` receives a number, and also a string, for `a` from calls in several files.');
    assert.match(finding.message.why, /^Predicted\. Run a profile to confirm\. V8 optimizes `\+` for the types it has seen/);
    assert.deepEqual([finding.data.odd, finding.data.others, finding.functionName], ['a string', 'a number', 'add']);
  });
});

describe('calls of several files say nothing', () => {
  for (const [name, files] of SILENT) {
    it(name, () => {
      assert.deepEqual(
        findingsOf([RULE], files).map((finding) => toldOf(finding, files)),
        [],
      );
    });
  }
});
