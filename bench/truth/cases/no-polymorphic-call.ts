// Values of several kinds at one place: mixes that cost, mixes that do not, and mixes that never meet.
import { dedent } from '../../../analysis/testing/dedent.ts';
import type { Check, TruthCase } from '../case.ts';
import { edit, neverRuns, pair } from '../checks.ts';
import { called, program } from './shared.ts';

const finding = (at: string, messageId: string, file?: string) => ({
  ruleId: 'no-polymorphic-call',
  messageId,
  at,
  ...(file === undefined ? {} : { file }),
});

/** With `%GetOptimizationStatus` and its like no feedback can be asked for: V8 says what optimized code was thrown away for, and where. */
const deoptimizes = (at: RegExp, says: string, isThere = true): Check => ({
  by: 'v8',
  flags: ['--trace-deopt', '--no-use-osr'],
  shows: at,
  isThere,
  says,
});

const SUM_AND_TEXT = dedent`
  function add(a, b) {
    return a + b;
  }
  function sum(n) {
    let all = 0;
    for (let i = 0; i < n; i++) all = add(all, i);
    return all;
  }
  function label(text) {
    return add('EUR ', text);
  }
  function both(n) {
    const all = sum(n);
    return label('x').length + all;
  }
  module.exports = { add, sum, label, both };
`;

/** Shapes of points, made once, summed in a loop. */
const points = (literals: readonly string[], makes: string): string =>
  [
    'function lengthOf(point) {',
    '  return point.x * point.x + point.y * point.y;',
    '}',
    'function total(n) {',
    '  let sum = 0;',
    '  for (let i = 0; i < n; i++) {',
    ...literals.map((literal) => `    sum += lengthOf(${literal});`),
    '  }',
    '  return sum;',
    '}',
    `module.exports = { lengthOf, total${makes} };`,
    '',
  ].join('\n');

const classes = (names: readonly string[]): string =>
  names
    .map(
      (name, i) =>
        dedent`
          class ${name} {
            constructor(size) {
              this.size = size;
            }
            area() {
              return this.size * this.size * ${i + 1};
            }
          }
        `,
    )
    .join('\n');

/** Objects of classes in a list, asked in a loop. */
const areas = (names: readonly string[], more = ''): string => `${classes(names)}
function areaOf(shape) {
  return shape.area();
}
function total(n) {
  let sum = 0;
  for (let i = 0; i < n; i++) {
${names.map((name) => `    sum += areaOf(new ${name}(i));`).join('\n')}
  }
  return sum;
}
${more}module.exports = { total, areaOf };
`;
const FIVE = ['Square', 'Circle', 'Triangle', 'Cube', 'Line'];

/** Each class becomes the first one with a kind: the same work, one shape. */
const oneClass = (names: readonly string[]): Check => pair(...names.slice(1).map((name) => edit(`new ${name}(i)`, `new ${names[0]}(i)`)));

const callbacks = (count: number): string => dedent`
  function each(list, fn) {
    let sum = 0;
    for (let i = 0; i < list.length; i++) sum += fn(list[i]);
    return sum;
  }
  const LIST = Array.from({ length: 200 }, (_, i) => i);
  function all(rounds) {
    let sum = 0;
    for (let i = 0; i < rounds; i++) {
      ${Array.from({ length: count }, (_, i) => `sum += each(LIST, (n) => n * ${i + 2});`).join('\n      ')}
    }
    return sum;
  }
  module.exports = { each, all, LIST };
`;

export const cases: readonly TruthCase[] = [
  {
    name: 'numbers in a loop, a text at its end',
    ...called(SUM_AND_TEXT, 'add', ['sum(1000)', "label('x')"], { drive: 'both(1000)' }),
    finding: finding("add('EUR '", 'types'),
    truth: 'confirmed',
    established: [pair(edit("add('EUR ', text)", "'EUR ' + text"))],
  },
  {
    name: 'numbers in a loop, and the text is never asked for',
    ...called(SUM_AND_TEXT, 'sum', 'sum(1000)'),
    finding: finding("add('EUR '", 'types'),
    truth: 'not-reached',
    established: [neverRuns(edit("return add('EUR '", "__hit('place'); return add('EUR '"))],
  },
  {
    name: 'numbers a million times, then a text, as a file',
    ...program(dedent`
      function add(a, b) { return a + b; }
      for (let i = 0; i < 1000000; i++) add(i, i + 1);
      add('', '');
    `),
    finding: finding("add('', '')", 'types'),
    truth: 'seen',
    established: [
      deoptimizes(/not a Smi/, 'a deoptimization, "not a Smi"'),
      {
        by: 'counters',
        insert: [
          edit(
            'for (let i = 0; i < 1000000; i++) add(i, i + 1);',
            "__from('all'); for (let i = 0; i < 1000000; i++) add(i, i + 1); __to('all');",
          ),
          edit("add('', '');", "__timed('rest', () => add('', ''));"),
        ],
        holds: ({ ms }) => (ms.rest?.total ?? 1) < 0.05 * (ms.all?.total ?? 0),
        says: 'the clock: nothing hot comes after the deoptimization, and the call with it takes less than 5 % of the loop',
      },
    ],
  },
  {
    name: 'a text is announced, and a number comes',
    ...called(
      dedent`
        function minus(a: any, b: any): number {
          return a - b;
        }
        export function run(list: unknown[], start: number, end: string): number {
          let sum = 0;
          for (const item of list) sum += minus(start, 1) + (item ? 1 : 0);
          return sum + minus(end, 1);
        }
        export const LIST: unknown[] = Array.from({ length: 1000 }, (_, i) => i);
        export const five = (): any => 5;
      `,
      'run',
      'run(LIST, 7, five())',
      {},
      'a.mts',
    ),
    finding: finding('minus(end, 1)', 'types'),
    truth: 'refuted',
    established: [deoptimizes(/not a Smi|not a Number/, 'a deoptimization of the operator', false)],
  },
  {
    name: 'a bigint beside numbers, in the same loop',
    ...called(
      dedent`
        function twice(n) {
          return n + n;
        }
        function run(n) {
          let sum = 0;
          for (let i = 0; i < n; i++) {
            sum += twice(i);
            sum += Number(twice(10n));
          }
          return sum;
        }
        module.exports = { twice, run };
      `,
      'run',
      'run(1000)',
    ),
    finding: finding('twice(10n)', 'types'),
    truth: 'confirmed',
    established: [pair(edit('twice(10n)', '10n + 10n'))],
  },
  {
    name: 'a third type behind a switch that is off',
    ...called(
      dedent`
        function add(a, b) {
          return a + b;
        }
        function run(n, isVerbose) {
          let sum = 0;
          for (let i = 0; i < n; i++) sum = add(sum, i);
          if (isVerbose) console.log(add('sum: ', sum));
          return sum;
        }
        module.exports = { add, run };
      `,
      'run',
      'run(1000, false)',
    ),
    finding: finding("add('sum: '", 'types'),
    truth: 'not-reached',
    established: [neverRuns(edit("console.log(add('sum: '", "(__hit('place'), console).log(add('sum: '"))],
    inCi: true,
  },
  {
    name: 'two orders of keys in a loop of literals',
    ...called(points(['{ x: i, y: 1 }', '{ y: 1, x: i }'], ''), 'total', 'total(1000)'),
    finding: finding('{ y: 1, x: i }', 'shapes'),
    truth: 'seen',
    established: [pair(edit('{ y: 1, x: i }', '{ x: i, y: 1 }'))],
  },
  {
    name: 'five shapes in a loop of literals',
    ...called(
      points(['{ x: i, y: 1 }', '{ y: 1, x: i }', '{ a: 1, x: i, y: 1 }', '{ b: 1, x: i, y: 1 }', '{ c: 1, x: i, y: 1 }'], ''),
      'total',
      'total(1000)',
    ),
    finding: finding('{ c: 1, x: i, y: 1 }', 'manyShapes'),
    truth: 'seen',
    established: [
      pair(
        edit('{ y: 1, x: i }', '{ x: i, y: 1 }'),
        edit('{ a: 1, x: i, y: 1 }', '{ x: i, y: 1 }'),
        edit('{ b: 1, x: i, y: 1 }', '{ x: i, y: 1 }'),
        edit('{ c: 1, x: i, y: 1 }', '{ x: i, y: 1 }'),
      ),
    ],
  },
  {
    name: 'five shapes, the function called for each from outside',
    ...called(
      dedent`
        function lengthOf(point) {
          return point.x * point.x + point.y * point.y;
        }
        const A = { x: 1, y: 2 };
        const B = { y: 1, x: 2 };
        const C = { a: 1, x: 1, y: 2 };
        const D = { b: 1, x: 1, y: 2 };
        const E = { c: 1, x: 1, y: 2 };
        function total(n) {
          let sum = 0;
          for (let i = 0; i < n; i++) sum += lengthOf(A) + lengthOf(B) + lengthOf(C) + lengthOf(D) + lengthOf(E);
          return sum;
        }
        module.exports = { lengthOf, total, A, B, C, D, E };
      `,
      'total',
      'total(1000)',
    ),
    finding: finding('sum += lengthOf(A)', 'manyShapes'),
    truth: 'seen',
    established: [
      pair(edit('lengthOf(B) + lengthOf(C) + lengthOf(D) + lengthOf(E)', 'lengthOf(A) + lengthOf(A) + lengthOf(A) + lengthOf(A)')),
    ],
  },
  {
    name: 'five shapes are announced, and one comes',
    ...called(
      `${points(['{ x: i, y: 1 }', '{ y: 1, x: i }', '{ a: 1, x: i, y: 1 }', '{ b: 1, x: i, y: 1 }', '{ c: 1, x: i, y: 1 }'], '')}`
        .replace(
          'function total(n) {',
          dedent`
            const P = { x: 1, y: 2 };
            function plain(n) {
              let sum = 0;
              for (let i = 0; i < n; i++) sum += lengthOf(P);
              return sum;
            }
            function total(n) {
          `,
        )
        .replace('{ lengthOf, total', '{ lengthOf, plain, total'),
      'plain',
      'plain(1000)',
    ),
    finding: finding('{ c: 1, x: i, y: 1 }', 'manyShapes'),
    truth: 'not-reached',
    established: [neverRuns(edit('sum += lengthOf({ c: 1', "__hit('place'); sum += lengthOf({ c: 1"))],
  },
  {
    name: 'five classes at one call',
    ...called(areas(FIVE), 'total', 'total(500)'),
    finding: finding('new Line(i)', 'manyReceivers'),
    truth: 'confirmed',
    established: [oneClass(FIVE)],
  },
  {
    name: 'two classes at one call',
    ...called(areas(FIVE.slice(0, 2)), 'total', 'total(500)'),
    finding: finding('new Circle(i)', 'receivers'),
    truth: 'confirmed',
    established: [oneClass(FIVE.slice(0, 2))],
  },
  {
    name: 'five classes, and only one of them is made in this run',
    ...called(
      dedent`
        ${classes(FIVE)}
        function areaOf(shape) {
          return shape.area();
        }
        function total(n, kinds) {
          let sum = 0;
          for (let i = 0; i < n; i++) {
            sum += areaOf(new Square(i));
            if (kinds > 1) sum += areaOf(new Circle(i));
            if (kinds > 2) sum += areaOf(new Triangle(i));
            if (kinds > 3) sum += areaOf(new Cube(i));
            if (kinds > 4) sum += areaOf(new Line(i));
          }
          return sum;
        }
        module.exports = { total, areaOf };

      `,
      'total',
      'total(1000, 1)',
    ),
    finding: finding('new Line(i)', 'manyReceivers'),
    truth: 'not-reached',
    established: [neverRuns(edit('if (kinds > 4) sum', "if (kinds > 4) __hit('place'), sum"))],
  },
  {
    name: 'five classes in an ES module, one of them rarely',
    ...called(
      dedent`
        ${classes(FIVE).replace(/^/, '')}
        function areaOf(shape) {
          return shape.area();
        }
        export function total(n) {
          let sum = areaOf(new Circle(1)) + areaOf(new Triangle(1)) + areaOf(new Cube(1));
          sum += areaOf(new Line(1));
          for (let i = 0; i < n; i++) sum += areaOf(new Square(i));
          return sum;
        }

      `,
      'total',
      'total(1000)',
      {},
      'a.mjs',
    ),
    finding: finding('new Line(1)', 'manyReceivers'),
    truth: 'confirmed',
    established: [
      pair(
        edit(
          'areaOf(new Circle(1)) + areaOf(new Triangle(1)) + areaOf(new Cube(1))',
          'new Circle(1).area() + new Triangle(1).area() + new Cube(1).area()',
        ),
        edit('areaOf(new Line(1))', 'new Line(1).area()'),
      ),
    ],
  },
  {
    name: 'two callbacks at one call',
    ...called(callbacks(2), 'all', 'all(20)'),
    finding: finding('n * 3', 'targets'),
    truth: 'seen',
    established: [
      pair(
        edit('each(LIST, (n) => n * 3)', 'other(LIST, (n) => n * 3)'),
        edit(
          'const LIST',
          dedent`
            function other(list, fn) {
              let sum = 0;
              for (let i = 0; i < list.length; i++) sum += fn(list[i]);
              return sum;
            }
            const LIST
          `,
        ),
      ),
    ],
  },
  {
    name: 'five callbacks at one call that V8 inlines into its caller',
    ...called(callbacks(5).replace('length: 200', 'length: 5000'), 'all', 'all(1)'),
    finding: finding('n * 6', 'manyTargets'),
    truth: 'seen',
    established: [
      pair(
        ...[3, 4, 5, 6].map((n) => edit(`each(LIST, (n) => n * ${n})`, `each${n}(LIST, (n) => n * ${n})`)),
        edit(
          'const LIST',
          dedent`
            ${[3, 4, 5, 6].map((n) => `function each${n}(list, fn) {\n  let sum = 0;\n  for (let i = 0; i < list.length; i++) sum += fn(list[i]);\n  return sum;\n}`).join('\n')}
            const LIST
          `,
        ),
      ),
    ],
  },
  {
    name: 'two files hand over two types, and the calls of this run only numbers',
    files: {
      'a.js': dedent`
        const { add } = require('./add.js');
        function total(n) {
          let sum = 0;
          for (let i = 0; i < n; i++) sum = add(sum, i);
          return sum;
        }
        module.exports = { total };

      `,
      'label.js': "const { add } = require('./add.js');\nexports.label = () => add('a', 'b');\n",
      'add.js': dedent`
        function add(a, b) {
          return a + b;
        }
        module.exports = { add };

      `,
    },
    target: { file: 'add.js', function: 'add', calls: ['add(1, 2)', 'add(3, 4)'], rounds: 60_000 },
    finding: finding('return a + b', 'typesAcross', 'add.js'),
    truth: 'refuted',
    established: [deoptimizes(/not a Smi/, 'a deoptimization, "not a Smi"', false)],
  },
];
