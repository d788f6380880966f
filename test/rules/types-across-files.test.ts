// Functions that calls of several files hand values of several kinds: found at the operation, with these calls, and not found where a call
// is not known or nothing is hot.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findingsOf, toldOf, type Files } from './whole-project.ts';

const RULE = 'no-polymorphic-call';

interface Found {
  at: string;
  related: string[];
}

const ADD = 'export function add(a, b) {\n  return a + b;\n}\n';
const HOT_ADD =
  "import { add } from './add.js';\nexport function total(rows) {\n  let sum = 0;\n  for (let i = 0; i < rows; i++) sum += add(i, 1);\n  return sum;\n}\n";
const ADD_TEXTS = "import { add } from './add.js';\nexport const label = () => add('a', 'b');\n";
const DISTANCE = 'exports.norm = function norm(p) {\n  return p.x * p.x + p.y * p.y;\n};\n';

const hot = (argument: string, name = 'norm', file = './norm'): string =>
  `const { ${name} } = require('${file}');\nexports.sum = function sum(n) {\n  let sum = 0;\n  for (let i = 0; i < n; i++) sum += ${name}(${argument});\n  return sum;\n};\n`;
const cold = (argument: string): string => `const { norm } = require('./norm');\nexports.one = () => norm(${argument});\n`;

const FOUND: readonly (readonly [name: string, files: Files, found: readonly Found[]])[] = [
  [
    'numbers in a loop of one file, texts in another',
    { 'add.js': ADD, 'hot.js': HOT_ADD, 'label.js': ADD_TEXTS },
    [{ at: 'add.js:2 typesAcross hint', related: ['hot.js:4 a number (in a loop)', 'label.js:2 a string'] }],
  ],
  [
    'numbers in its own file, texts in another',
    {
      'add.js': `${ADD}export function total(n) {\n  let sum = 0;\n  for (let i = 0; i < n; i++) sum += add(i, 1);\n  return sum;\n}\n`,
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
      'less.ts':
        'export function below(limit: any, rows: any[]) {\n  let count = 0;\n  for (const row of rows) if (row < limit) count++;\n  return count;\n}\n',
      'a.ts': "import { below } from './less';\nexport const few = (rows: number[]) => below(5, rows);\n",
      'b.ts': "import { below } from './less';\nexport const early = (rows: string[], letter: string) => below(letter, rows);\n",
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
        at: 'norm.js:2 manyShapesAcross warning',
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
        at: 'norm.js:2 manyShapesAcross warning',
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
      'points.js':
        'exports.Point = class Point {\n  constructor(x, y) {\n    this.x = x;\n    this.y = y;\n  }\n};\nexports.Pixel = class Pixel {\n  constructor(x, y) {\n    this.x = x;\n    this.y = y;\n  }\n};\n',
      'a.js': `const { Point } = require('./points');\nconst origin = new Point(0, 0);\n${hot('origin')}`,
      'b.js': `const { Pixel } = require('./points');\nconst corner = new Pixel(0, 0);\n${cold('corner')}`,
    },
    [{ at: 'norm.js:2 shapesAcross hint', related: ['a.js:6 a `Point` (in a loop)', 'b.js:4 a `Pixel`'] }],
  ],
];

const SILENT: readonly (readonly [name: string, files: Files])[] = [
  [
    'nothing is hot',
    { 'add.js': ADD, 'a.js': "import { add } from './add.js';\nexport const sum = () => add(1, 2);\n", 'b.js': ADD_TEXTS },
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
  ['one kind', { 'add.js': ADD, 'a.js': HOT_ADD, 'b.js': "import { add } from './add.js';\nexport const half = () => add(0.5, 0.25);\n" }],
  [
    'a call that is not known',
    {
      'add.js': ADD,
      'a.js': HOT_ADD,
      'b.js': ADD_TEXTS,
      'c.js': "import { add } from './add.js';\nexport const any = (a, b) => add(a, b);\n",
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
      'c.js': "import { add } from './add.js';\nexport const sum = (rows) => rows.reduce(add);\n",
    },
  ],
  [
    'a function that asks for the type',
    {
      'add.js': "export function add(a, b) {\n  if (typeof a === 'string') return a.length + b;\n  return a + b;\n}\n",
      'a.js': HOT_ADD,
      'b.js': ADD_TEXTS,
    },
  ],
  [
    'a text that is put together',
    {
      'add.js': 'export function add(prefix, id) {\n  return prefix + id;\n}\n',
      'a.js': HOT_ADD.replace('add(i, 1)', "add('p', i)"),
      'b.js': ADD_TEXTS,
    },
  ],
  [
    'a function that does more',
    { 'add.js': 'export function add(a, b) {\n  console.log(a);\n  return a + b;\n}\n', 'a.js': HOT_ADD, 'b.js': ADD_TEXTS },
  ],
  ['a function that waits', { 'add.js': 'export async function add(a, b) {\n  return a + b;\n}\n', 'a.js': HOT_ADD, 'b.js': ADD_TEXTS }],
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
    { 'add.js': ADD, 'a.js': HOT_ADD, 'b.js': "import { add } from './add.js';\nexport const one = () => add(undefined, null);\n" },
  ],
  [
    'a key',
    {
      'get.js': 'export function get(list, id) {\n  return list[id];\n}\n',
      'a.js': "import { get } from './get.js';\nexport const all = (n) => { for (let i = 0; i < n; i++) get([], i); };\n",
      'b.js': "import { get } from './get.js';\nexport const one = () => get([], 'a');\n",
    },
  ],
  [
    'two functions of the same name',
    { 'add.js': ADD, 'other.js': ADD, 'a.js': HOT_ADD, 'b.js': ADD_TEXTS.replace('./add.js', './other.js') },
  ],
  [
    'an argument behind many',
    {
      'add.js': 'export function add(a, b, c, d, e, f, g) {\n  return a + g;\n}\n',
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
      'c.js': `const { Point } = require('./points');\n${cold('new Point()')}`,
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
      'b.js': "import { add } from './add.js';\nexport const f = (x) => { try { x(); } catch { add('a', 'b'); } };\n",
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
    assert.equal(
      finding?.message.what,
      '`add` gets a number, and a string as well, for `a` from calls in several files, and runs in a hot place.',
    );
    assert.match(finding.message.why, /^Prediction; profile to confirm\. V8 compiles `\+` for the types it has seen/);
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
