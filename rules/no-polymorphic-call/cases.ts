import type { RuleCases } from '../../analysis/testing/rule-tester.ts';
import type { Messages } from './report.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

/** Classes with an `area` method each, for the cases about method calls. */
function classes(...names: string[]): string {
  return names
    .map((name) => `class ${name} { constructor(size) { this.size = size; } area() { return this.size * this.size; } }`)
    .join('\n');
}

const ADD = 'function add(a, b) { return a + b; }';
const LENGTH = 'function lengthOf(point) { return point.x * point.x + point.y * point.y; }';
const AREA = 'function areaOf(shape) { return shape.area(); }';

/** Of other files. */
const HOT_ADD = dedent`
    import { add } from './app.js';
    export function total(n) { let sum = 0; for (let i = 0; i < n; i++) sum += add(i, 1); return sum; }

  `;
const ADD_TEXTS = dedent`
  import { add } from './app.js';
  export const label = () => add('a', 'b');

`;
const hotLength = (point: string): string =>
  dedent`
    import { lengthOf } from './app.js';
    export function total(n) { let sum = 0; for (let i = 0; i < n; i++) sum += lengthOf(${point}); return sum; }

  `;
const oneLength = (point: string): string => dedent`
  import { lengthOf } from './app.js';
  export const one = () => lengthOf(${point});

`;

export const cases: RuleCases<Messages> = {
  valid: [
    // One kind only.
    dedent`
      ${ADD}
      for (let i = 0; i < 1e6; i++) add(i, 1);
      add(2, 3);
    `,
    {
      name: 'an adapter makes what its argument asks for: a program reads from one kind of source',
      code: dedent`
        class Text { constructor(text) { this.text = text; } at(i) { return this.text.charCodeAt(i); } }
        class Bytes { constructor(bytes) { this.bytes = bytes; } at(i) { return this.bytes[i]; } }
        function readerOf(input) {
          if (typeof input === 'string') return new Text(input);
          return new Bytes(input);
        }
        function skip(reader, start) {
          let index = start;
          while (reader.at(index) === 32) index += 1;
          return index;
        }
        export function scan(input) {
          const reader = readerOf(input);
          return skip(reader, 0);
        }
      `,
    },
    {
      name: 'a whole number and a fraction are numbers',
      code: dedent`
      ${ADD}
      for (let i = 0; i < 1e6; i++) add(i, 1);
      add(0.5, 1.5);
    `,
    },
    {
      name: 'the same keys in the same order',
      code: dedent`
        ${LENGTH}
        for (let i = 0; i < 1e6; i++) lengthOf({ x: i, y: 1 });
        const y = 2;
        lengthOf({ x: 'wide', y });
      `,
    },
    {
      name: 'literals with a method each, made at one place',
      code: dedent`
        ${AREA}
        const make = (size) => ({ size, area() { return this.size; } });
        for (let i = 0; i < 1e6; i++) areaOf(make(i));
        areaOf(make(0));
      `,
    },
    {
      name: 'what comes is not known',
      code: dedent`
        ${ADD}
        export function sum(rows, label) { let s = 0; for (const row of rows) s = add(s, row.amount); return add(label, row.currency); }
      `,
    },
    {
      name: 'a known kind beside an unknown one',
      code: dedent`
        ${LENGTH}
        export function all(rows) { for (const row of rows) lengthOf(row); return lengthOf({ x: 1, y: 2 }); }
      `,
    },

    {
      name: 'another file hands over what is not known',
      code: `export ${ADD}`,
      others: {
        'src/hot.js': HOT_ADD,
        'src/label.js': ADD_TEXTS,
        'src/any.js': dedent`
          import { add } from './app.js';
          export const any = (a, b) => add(a, b);

        `,
      },
    },
    {
      name: 'other files hand over several kinds, nowhere often',
      code: `export ${ADD}`,
      others: {
        'src/cold.js': dedent`
        import { add } from './app.js';
        export const two = () => add(1, 1);

      `,
        'src/label.js': ADD_TEXTS,
      },
    },

    // Two kinds, but nowhere hot.
    dedent`
      ${ADD}
      add(1, 2);
      add('', '');
    `,
    {
      name: 'at start-up, once each',
      code: dedent`
        ${LENGTH}
        const origin = lengthOf({ x: 0, y: 0 });
        const unit = lengthOf({ y: 1, x: 1 });
        export { origin, unit };
      `,
    },
    {
      name: 'a short loop',
      code: dedent`
      ${ADD}
      for (let i = 0; i < 20; i++) add(i, 1);
      add('', '');
    `,
    },
    {
      name: 'a loop over a short table',
      code: dedent`
        ${LENGTH}
        const CORNERS = [{ x: 0, y: 0 }, { y: 1, x: 1 }];
        for (const corner of CORNERS) lengthOf(corner);
      `,
    },
    {
      name: 'a table put together by pushes',
      code: dedent`
        const routes = [];
        routes.push({ path: '/', open: true });
        routes.push({ path: '/me' });
        routes.push({ path: '/you', role: 'a' });
        routes.push({ path: '/us', roles: [] });
        routes.push({ name: 'x', path: '/them' });
        export const paths = routes.map((route) => route.path);
      `,
    },
    {
      name: 'a loop that waits for the network each round',
      code: dedent`
        ${ADD}
        export async function load(ids) { let text = ''; for (const id of ids) { const page = await fetch(id); text = add('', page.url); add(1, 2); } return text; }
      `,
    },

    // The value is not used in a way that V8 specializes.
    {
      name: 'handed on',
      code: dedent`
        function keep(value) { store.push(value); }
        const store = [];
        for (let i = 0; i < 1e6; i++) keep(i);
        keep('end');
      `,
    },
    {
      name: 'a key of a map, string or number',
      code: dedent`
        const byId = new Map();
        function find(id) { return byId.get(id); }
        for (let i = 0; i < 1e6; i++) find(i);
        find('me');
      `,
    },
    {
      name: 'put into a text',
      code: dedent`
      function label(id) { return 'user ' + id; }
      for (let i = 0; i < 1e6; i++) label(i);
      label('me');
    `,
    },
    {
      name: 'put into a template',
      code: dedent`
        function label(id) { return \`user \${id}\`; }
        for (let i = 0; i < 1e6; i++) label(i);
        label("me");
      `,
    },
    {
      name: 'added to a text',
      code: dedent`
        function join(id) { let text = ''; text += id; return text; }
        for (let i = 0; i < 1e6; i++) join(i);
        join('me');
      `,
    },
    {
      name: 'compared with one constant',
      code: dedent`
        function matches(id) { return id === 'me'; }
        for (let i = 0; i < 1e6; i++) matches(i);
        matches('me');
      `,
    },
    {
      name: 'an element by its index',
      code: dedent`
        function first(list) { return list[0]; }
        for (let i = 0; i < 1e6; i++) first([i]);
        first(['a']);
      `,
    },
    {
      name: 'serialized',
      code: dedent`
        function send(body) { return JSON.stringify(body); }
        for (let i = 0; i < 1e6; i++) send({ id: i });
        send({ error: 'no', id: 1 });
      `,
    },

    // Functions that are meant to take several kinds.
    {
      name: 'sorted by typeof',
      code: dedent`
        function size(value) { if (typeof value === 'string') return value.length; return value + 1; }
        for (let i = 0; i < 1e6; i++) size(i);
        size('abc');
      `,
    },
    {
      name: 'sorted by instanceof',
      code: dedent`
        ${classes('Square', 'Circle')}
        function areaOf(shape) { if (shape instanceof Square) return shape.size; return shape.area(); }
        for (let i = 0; i < 1e6; i++) { areaOf(new Square(i)); areaOf(new Circle(i)); }
      `,
    },
    {
      name: 'sorted by Array.isArray',
      code: dedent`
        function count(value) { return Array.isArray(value) ? value.length : value.size; }
        for (let i = 0; i < 1e6; i++) count({ size: i });
        count({ id: 1, size: 2 });
      `,
    },
    {
      name: 'sorted by a predicate',
      code: dedent`
        function plus(value) { return isText(value) ? value : value + 1; }
        function isText(value) { return typeof value === 'string'; }
        for (let i = 0; i < 1e6; i++) plus(i);
        plus('');
      `,
    },
    {
      name: 'an option left out',
      code: dedent`
        function step(value, by) { return value + (by ?? 1); }
        for (let i = 0; i < 1e6; i++) step(i, 2);
        step(1);
        step(1, undefined);
        step(1, null);
      `,
    },
    {
      name: 'a default value',
      code: dedent`
        function step(value, by = 1) { return value + by; }
        for (let i = 0; i < 1e6; i++) step(i, 2);
        step(1, undefined);
      `,
    },
    {
      name: 'the parameter is replaced first',
      code: dedent`
        function twice(value) { value = Number(value); return value + value; }
        for (let i = 0; i < 1e6; i++) twice(i);
        twice('4');
      `,
    },
    {
      name: 'the parameter is converted where it is used',
      code: dedent`
        function twice(value) { return Number(value) * 2 + +value; }
        for (let i = 0; i < 1e6; i++) twice(i);
        twice('4');
      `,
    },
    {
      name: 'a logging helper',
      code: dedent`
        function logValue(value) { return value + value; }
        for (let i = 0; i < 1e6; i++) logValue(i);
        logValue('end');
      `,
    },
    {
      name: 'an assertion',
      code: dedent`
        function assertEqual(actual, expected) { return actual === expected; }
        for (let i = 0; i < 1e6; i++) assertEqual(i, i);
        assertEqual('a', 'a');
      `,
    },
    {
      name: 'any number of arguments',
      code: dedent`
        function sum(...values) { return values[0] + values[1]; }
        for (let i = 0; i < 1e6; i++) sum(i, 1);
        sum('a', 'b');
      `,
    },
    {
      name: 'arguments that are spread',
      code: dedent`
        ${ADD}
        const pair = ['a', 'b'];
        for (let i = 0; i < 1e6; i++) add(i, 1);
        add(...pair);
      `,
    },

    // So much is done beside it that nobody could measure the difference.
    {
      name: 'work in the function',
      code: dedent`
        function show(shape) { console.log(shape.x, JSON.stringify(shape)); }
        for (let i = 0; i < 1e6; i++) show({ x: i, y: 1 });
        show({ y: 1, x: 1 });
      `,
    },
    {
      name: 'a query in the function',
      code: dedent`
        async function find({ id, limit }) { return db.query('select 1', [id, limit]); }
        export async function all(ids) { for (const id of ids) await find({ id, limit: 1 }); return find({ limit: 1, id: 0 }); }
      `,
    },
    {
      name: 'a copy of what comes',
      code: dedent`
        function tagged(part) { return { kind: part.kind, ...part }; }
        export function all(n) { const out = []; for (let i = 0; i < n; i++) { out.push(tagged({ kind: 1 }), tagged({ kind: 1, a: 1 }), tagged({ kind: 1, b: 1 }), tagged({ kind: 1, c: 1 }), tagged({ kind: 1, d: 1 })); } return out; }
      `,
    },
    {
      name: 'callbacks that do real work',
      code: dedent`
        function each(list, fn) { for (const item of list) fn(item); }
        export function run(rows, db) { each(rows, (row) => db.save(row)); each(rows, (row) => db.index(row.name)); each(rows, (row) => { cache.delete(row.id); }); }
      `,
    },
    {
      name: 'a helper that is there to be given functions',
      code: dedent`
        function sumBy(list, fn) { let sum = 0; for (const item of list) sum += fn(item); return sum; }
        export function run(list) { return [sumBy(list, (item) => item.a), sumBy(list, (item) => item.b)]; }
      `,
    },
    {
      name: 'adapters that do input and output',
      code: dedent`
        class Disk { save(row) { return write(row); } }
        class Cloud { save(row) { return put(row); } }
        function save(target, row) { return target.save(row); }
        export function run(rows) { const disk = new Disk(); const cloud = new Cloud(); for (const row of rows) { save(disk, row); save(cloud, row); } }
      `,
    },
    {
      name: 'rows of one list with a field more or less',
      code: dedent`
        export function names(rows) {
          const parts = [];
          for (const row of rows) { parts.push({ type: 'text', text: row.a }); parts.push({ type: 'call', id: row.b }); }
          return parts.filter((part) => part.type === 'text');
        }
      `,
    },
    {
      name: 'keys that are not all known',
      code: dedent`
        ${LENGTH}
        export function run(n, extra) { for (let i = 0; i < n; i++) lengthOf({ x: i, y: 1 }); return lengthOf({ x: 1, ...extra }); }
      `,
    },
    {
      name: 'a call for the error only',
      code: dedent`
        ${ADD}
        export function total(rows) { let sum = 0; for (let i = 0; i < rows.length; i++) { try { sum = add(i, 1); } catch (error) { report(add('row ', 'bad')); } } return sum; }
      `,
    },
    {
      name: 'a call of the same name on something else',
      code: dedent`
      ${ADD}
      for (let i = 0; i < 1e6; i++) add(i, 1);
      cart.add('a', 'b');
    `,
    },
    {
      name: 'another function of the same name',
      code: dedent`
        ${ADD}
        for (let i = 0; i < 1e6; i++) add(i, 1);
        export function join() { const add = (a, b) => a + b; return add('a', 'b'); }
      `,
    },

    // Not in a program that serves.
    {
      name: 'a test',
      file: 'test/add.test.js',
      code: dedent`
      ${ADD}
      for (let i = 0; i < 1e6; i++) add(i, 1);
      add('', '');
    `,
    },
    {
      name: 'a script',
      file: 'scripts/count.js',
      code: dedent`
      ${ADD}
      for (let i = 0; i < 1e6; i++) add(i, 1);
      add('', '');
    `,
    },
    {
      name: 'a migration',
      file: 'migrations/0001-add.js',
      code: dedent`
      ${ADD}
      for (let i = 0; i < 1e6; i++) add(i, 1);
      add('', '');
    `,
    },
    {
      name: 'left out by an option',
      options: { ignoreFunctions: ['add'] },
      code: dedent`
        ${ADD}
        for (let i = 0; i < 1e6; i++) add(i, 1);
        add('', '');
      `,
    },
    {
      name: 'fewer kinds than asked for',
      options: { minimumKinds: 5 },
      code: dedent`
        ${LENGTH}
        for (let i = 0; i < 1e6; i++) lengthOf({ x: i, y: 1 });
        lengthOf({ y: 1, x: 1 });
      `,
    },
  ],

  invalid: [
    {
      name: 'cells of five kinds, which one function makes by the kind of each value',
      code: dedent`
        class Text { constructor(v) { this.v = v; } size() { return 1; } }
        class Num { constructor(v) { this.v = v; this.n = 1; } size() { return 2; } }
        class Flag { constructor(v) { this.f = 1; this.v = v; } size() { return 3; } }
        class List { constructor(v) { this.l = 1; this.v = v; } size() { return 4; } }
        class Obj { constructor(v) { this.o = 1; this.v = v; } size() { return 5; } }
        function wrap(v) {
          if (typeof v === 'string') return new Text(v);
          if (typeof v === 'number') return new Num(v);
          if (typeof v === 'boolean') return new Flag(v);
          if (Array.isArray(v)) return new List(v);
          return new Obj(v);
        }
        function measure(node) { return node.size(); }
        export function total(rows) {
          let sum = 0;
          for (const row of rows) for (const cell of row) sum += «measure(wrap(cell))»;
          return sum;
        }
      `,
      findings: [{ messageId: 'manyReceivers' }],
    },
    {
      name: 'a function makes one or the other by a setting of each call',
      code: dedent`
        class Text { constructor(text) { this.text = text; } at(i) { return this.text.charCodeAt(i); } }
        class Bytes { constructor(bytes) { this.bytes = bytes; } at(i) { return this.bytes[i]; } }
        function readerOf(input, isText) {
          if (isText) return new Text(input);
          return new Bytes(input);
        }
        function skip(reader, start) {
          let index = start;
          while (reader.at(index) === 32) index += 1;
          return index;
        }
        export function scan(input, isText) {
          const reader = readerOf(input, isText);
          return «skip(reader, 0)»;
        }
      `,
      findings: [{ messageId: 'receivers' }],
    },
    // Calls of other files.
    {
      code: 'export function add(a, b) { return «a + b»; }',
      others: { 'src/hot.js': HOT_ADD, 'src/label.js': ADD_TEXTS },
      findings: [
        {
          messageId: 'typesAcross',
          severity: 'hint',
          functionName: 'add',
          related: ['a number (in a loop)', 'a string'],
          data: { odd: 'a string', others: 'a number', operation: '+' },
        },
      ],
    },
    {
      code: 'export function lengthOf(point) { return «point.x» * point.x + point.y * point.y; }',
      others: { 'src/a.js': hotLength('{ x: i, y: 1 }'), 'src/b.js': oneLength('{ y: 1, x: 1 }') },
      findings: [{ messageId: 'shapesAcross', severity: 'hint', related: ['`{ x, y }` (in a loop)', '`{ y, x }`'] }],
    },
    {
      code: 'export function lengthOf(point) { return «point.x» * point.x + point.y * point.y; }',
      others: {
        'src/a.js': hotLength('{ x: i, y: 1 }'),
        'src/b.js': oneLength('{ y: 1, x: 1 }'),
        'src/c.js': oneLength('{ x: 1, y: 1, z: 1 }'),
        'src/d.js': oneLength('{ z: 1, x: 1, y: 1 }'),
        'src/e.js': oneLength('{ id: 1, x: 1, y: 1 }'),
      },
      findings: [{ messageId: 'manyShapesAcross', severity: 'hint', data: { count: '5', odd: '`{ id, x, y }`' } }],
    },

    {
      name: 'the seed',
      code: dedent`
        ${ADD}
        for (let i = 0; i < 1e6; i++) add(1, 2);
        «add('', '')»;
      `,
      findings: [
        {
          messageId: 'types',
          severity: 'hint',
          functionName: 'add',
          data: { owner: '`add`', parameter: 'a`, `b', odd: 'a string', others: 'a number', operation: '+', count: '2' },
          related: ['a number (in a loop)', '`+` sees both of them'],
        },
      ],
    },
    {
      name: 'the odd call comes first',
      code: dedent`
        const label = «add('a', 'b')»;
        function sum(n) { let s = 0; for (let i = 0; i < n; i++) s = add(s, i); return s; }
        ${ADD}
        export { label, sum };
      `,
      findings: [{ messageId: 'types', data: { parameter: 'a`, `b' } }],
    },
    {
      name: 'in a request handler',
      code: dedent`
        const app = require('express')();
        const add = (a, b) => a + b;
        app.get('/total', (req, res) => {
          let sum = 0;
          req.query.items.forEach((item, i) => { sum += add(i + 1, 1); });
          res.json({ sum, text: «add('EUR ', 'x')» });
        });
      `,
      findings: [{ messageId: 'types', functionName: 'add' }],
    },
    {
      name: 'a sum that goes round, and a text at the end',
      code: dedent`
        const add = (a, b) => a + b;
        export function receipt(lines) {
          let total = 0;
          for (const line of lines) total = add(total, line.price);
          return «add('Total: ', String(total))»;
        }
      `,
      findings: [{ messageId: 'types', data: { parameter: 'a', odd: 'a string' } }],
    },
    {
      name: 'a reduction',
      code: dedent`
        const add = (a, b) => a + b;
        export const receipt = (lines) => «add('Total: ', String(lines.length))» + lines.reduce((sum, line) => add(sum, line.price), 0);
      `,
      findings: [{ messageId: 'types' }],
    },
    {
      name: 'compared',
      code: dedent`
        function isLess(a, b) { return a < b; }
        function less(a, b) { return a < b; }
        for (let i = 0; i < 1e6; i++) less(i, 5);
        «less('a', 'b')»;
      `,
      findings: [{ messageId: 'types', data: { operation: '<' } }],
    },
    {
      name: 'compared with another variable',
      code: dedent`
        function same(a, b) { return a === b; }
        for (let i = 0; i < 1e6; i++) same(i, i + 1);
        «same('a', 'b')»;
      `,
      findings: [{ messageId: 'types', data: { operation: '===' } }],
    },
    {
      name: 'TypeScript says what comes',
      file: 'src/sum.ts',
      code: dedent`
        function minus(a: any, b: any) { return a - b; }
        export function run(list: unknown[], start: number, end: string) {
          for (const item of list) minus(start, 1);
          return «minus(end, 1)»;
        }
      `,
      findings: [{ messageId: 'types', data: { parameter: 'a', odd: 'a string' } }],
    },
    {
      name: 'three types',
      code: dedent`
        ${ADD}
        for (let i = 0; i < 1e6; i++) add(i, 1);
        add('', '');
        «add(1n, 2n)»;
      `,
      findings: [
        {
          messageId: 'types',
          data: { odd: 'a bigint', others: 'a number and a string' },
          related: ['a number', 'a string', 'sees all 3'],
        },
      ],
    },
    {
      name: 'a method of a class',
      code: dedent`
        class Sum {
          add(a, b) { return a + b; }
          run(n) { let s = 0; for (let i = 0; i < n; i++) s = this.add(i, 1); return «this.add('n', 'o')»; }
        }
      `,
      findings: [{ messageId: 'types', functionName: 'Sum.add' }],
    },

    {
      name: 'another order of the keys',
      code: dedent`
        ${LENGTH}
        for (let i = 0; i < 1e6; i++) lengthOf({ x: i, y: 1 });
        «lengthOf({ y: 1, x: 1 })»;
      `,
      findings: [
        {
          messageId: 'shapes',
          severity: 'hint',
          data: { odd: '`{ y, x }`', others: '`{ x, y }`', operation: 'point.x' },
          related: ['`{ x, y }`', '`point.x` sees both of them'],
        },
      ],
    },
    {
      name: 'a key more, and the parameter taken apart',
      code: dedent`
        const lengthOf = ({ x, y }) => x * x + y * y;
        export function run(n) {
          let sum = 0;
          for (let i = 0; i < n; i++) sum += lengthOf({ x: i, y: 1 });
          return sum + «lengthOf({ x: 1, y: 2, z: 3 })»;
        }
      `,
      findings: [{ messageId: 'shapes', data: { parameter: '{ x, y }' } }],
    },
    {
      name: 'a literal and an instance',
      code: dedent`
        class Point { constructor(x, y) { this.x = x; this.y = y; } }
        ${LENGTH}
        export function run(n) {
          let sum = 0;
          for (let i = 0; i < n; i++) sum += lengthOf(new Point(i, 1));
          const origin = { x: 0, y: 0 };
          return sum - «lengthOf(origin)»;
        }
      `,
      findings: [{ messageId: 'shapes', data: { others: 'a `Point`' } }],
    },
    {
      name: 'a property added after the object was made',
      code: dedent`
        ${LENGTH}
        export function run(n) {
          const last = { x: 1 };
          last.z = 2;
          last.y = 2;
          for (let i = 0; i < n; i++) lengthOf({ x: i, y: 1 });
          return «lengthOf(last)»;
        }
      `,
      findings: [{ messageId: 'shapes', data: { odd: '`{ x, z, y }`' } }],
    },
    {
      name: 'five shapes, written to',
      code: dedent`
        function reset(item) { item.count = 0; }
        export function run(n) {
          for (let i = 0; i < n; i++) {
            reset({ count: i });
            reset({ a: 1, count: i });
            reset({ b: 1, count: i });
            reset({ c: 1, count: i });
            «reset({ d: 1, count: i })»;
          }
        }
      `,
      findings: [
        {
          messageId: 'manyShapes',
          severity: 'hint',
          data: { count: '5', operation: 'item.count' },
          related: ['{ count }', '{ a, count }', '{ b, count }', '{ c, count }', 'sees all 5'],
        },
      ],
    },
    {
      name: 'four rare shapes spoil the fifth',
      code: dedent`
        ${LENGTH}
        export function run(n) {
          for (let i = 0; i < n; i++) lengthOf({ x: i, y: 1 });
          return [lengthOf({ y: 1, x: 1 }), lengthOf({ x: 1, y: 1, z: 1 }), lengthOf({ z: 1, x: 1, y: 1 }), «lengthOf({ x: 1, z: 1, y: 1 })»];
        }
      `,
      findings: [{ messageId: 'manyShapes', severity: 'hint' }],
    },

    {
      name: 'two classes',
      code: dedent`
        ${classes('Square', 'Circle')}
        ${AREA}
        export function run(n) { let sum = 0; for (let i = 0; i < n; i++) { sum += areaOf(new Square(i)); sum += «areaOf(new Circle(i))»; } return sum; }
      `,
      findings: [
        { messageId: 'receivers', severity: 'hint', data: { odd: 'a `Circle`', others: 'a `Square`', operation: 'shape.area()' } },
      ],
    },
    {
      name: 'a subclass that adds nothing',
      code: dedent`
        ${classes('Square')}
        class Tile extends Square {}
        ${AREA}
        export function run(n) { let sum = 0; for (let i = 0; i < n; i++) sum += areaOf(new Square(i)); return sum + «areaOf(new Tile(1))»; }
      `,
      findings: [{ messageId: 'receivers' }],
    },
    {
      name: 'five classes through one list',
      code: dedent`
        ${classes('Square', 'Circle', 'Line', 'Ring', 'Oval')}
        ${AREA}
        export function run(n) {
          const shapes = [];
          for (let i = 0; i < n; i++) { shapes.push(new Square(i), new Circle(i), new Line(i)); shapes.push(new Ring(i)); shapes.push(new Oval(i)); }
          let sum = 0;
          for (const shape of shapes) sum += «areaOf(shape)»;
          return sum;
        }
      `,
      findings: [
        {
          messageId: 'manyReceivers',
          severity: 'hint',
          functionName: 'areaOf',
          data: { odd: 'an `Oval`', others: 'a `Square`, a `Circle`, a `Line` and a `Ring`' },
          related: ['a `Square` for `shape`', 'a `Circle`', 'a `Line`', 'a `Ring`', '`shape.area()` sees all 5'],
        },
      ],
    },
    {
      name: 'five classes in a loop itself',
      code: dedent`
        ${classes('Square', 'Circle', 'Line', 'Ring', 'Oval')}
        const kinds = [Square, Circle, Line, Ring, Oval];
        export function run(n) {
          const shapes = Array.from({ length: n }, (_, i) => new kinds[i % 5](i));
          let sum = 0;
          for (const shape of shapes) sum += «shape.area()»;
          return sum;
        }
      `,
      findings: [{ messageId: 'manyReceivers', data: { owner: 'this loop', parameter: 'shape' } }],
    },
    {
      name: 'five classes in a callback',
      code: dedent`
        ${classes('Square', 'Circle', 'Line', 'Ring', 'Oval')}
        export function run(n) {
          const shapes = [];
          while (shapes.length < n) shapes.push(new Square(1), new Circle(1), new Line(1), new Ring(1), new Oval(1));
          return shapes.reduce((sum, shape) => sum + «shape.area()», 0);
        }
      `,
      findings: [{ messageId: 'manyReceivers', data: { owner: 'this callback' } }],
    },
    {
      name: 'five classes, the function handed over by name',
      code: dedent`
        ${classes('Square', 'Circle', 'Line', 'Ring', 'Oval')}
        ${AREA}
        export function run(n) {
          const shapes = [];
          for (let i = 0; i < n; i++) shapes.push(new Square(1), new Circle(1), new Line(1), new Ring(1), new Oval(1));
          return «shapes.map(areaOf)»;
        }
      `,
      findings: [{ messageId: 'manyReceivers', functionName: 'areaOf' }],
    },
    {
      name: 'five classes through the callers of the loop',
      code: dedent`
        ${classes('Square', 'Circle', 'Line', 'Ring', 'Oval')}
        ${AREA}
        function total(shape, n) { let sum = 0; for (let i = 0; i < n; i++) sum += areaOf(shape); return sum; }
        export const all = (n) => [total(new Square(1), n), total(new Circle(1), n), total(new Line(1), n), total(new Ring(1), n), total(new Oval(1), n)];
      `.replace('areaOf(shape); return sum', '«areaOf(shape)»; return sum'),
      findings: [{ messageId: 'manyReceivers' }],
    },

    {
      name: 'two functions',
      code: dedent`
        function apply(fn, x) { return fn(x); }
        const inc = (x) => x + 1;
        export function run(n) { let sum = 0; for (let i = 0; i < n; i++) { sum += apply(inc, i); sum += «apply((x) => x * 2, i)»; } return sum; }
      `,
      findings: [{ messageId: 'targets', severity: 'hint', data: { odd: 'an inline function', others: '`inc`', operation: 'fn()' } }],
    },
    {
      name: 'five functions, the loop inside',
      code: dedent`
        function sumBy(list, fn) { let sum = 0; for (const item of list) sum += fn(item); return sum; }
        export function run(list) { return [sumBy(list, (item) => item.a), sumBy(list, (item) => item.b), sumBy(list, (item) => item.c), sumBy(list, (item) => item.d), «sumBy(list, (item) => item.e)»]; }
      `,
      findings: [{ messageId: 'manyTargets', severity: 'hint', functionName: 'sumBy' }],
    },
    {
      name: 'literals of one shape with a method each',
      code: dedent`
        function run(job, x) { return job.step(x); }
        export function all(n) {
          let sum = 0;
          for (let i = 0; i < n; i++) { sum += run({ step(x) { return x + 1; } }, i); sum += «run({ step(x) { return x * 2; } }, i)»; }
          return sum;
        }
      `,
      findings: [{ messageId: 'targets', data: { operation: 'job.step()' } }],
    },
    {
      name: 'five functions',
      code: dedent`
        function apply(x, fn) { return fn(x); }
        export function run(n) {
          let sum = 0;
          for (let i = 0; i < n; i++) {
            sum += apply(i, (x) => x + 1) + apply(i, (x) => x + 2) + apply(i, (x) => x + 3) + apply(i, (x) => x + 4);
            sum += «apply(i, (x) => x + 5)»;
          }
          return sum;
        }
      `,
      findings: [{ messageId: 'manyTargets', severity: 'hint', data: { count: '5', others: 'an inline function and 3 more' } }],
    },
    {
      name: 'a worker',
      file: 'src/sum.worker.js',
      code: dedent`
        ${ADD}
        for (let i = 0; i < 1e6; i++) add(i, 1);
        «add('', '')»;
      `,
      findings: [{ messageId: 'types' }],
    },
    {
      name: 'five shapes in a loop that does more',
      code: dedent`
        function end(token) { return token.start + 1; }
        export function parse(text) {
          let at = 0;
          while (at < text.length) {
            const word = /\\w+/.exec(text.slice(at))?.[0];
            if (word === 'a') at = end({ start: at, a: 1 });
            else if (word === 'b') at = end({ start: at, b: 1 });
            else if (word === 'c') at = end({ start: at, c: 1 });
            else if (word === 'd') at = end({ start: at, d: 1 });
            else at = «end({ start: at })»;
          }
        }
      `,
      findings: [{ messageId: 'manyShapes', severity: 'hint' }],
    },
    {
      name: 'five shapes in one list, read where it is walked',
      code: dedent`
        export function sum(n) {
          const points = [];
          for (let i = 0; i < n; i++) points.push({ x: i }, { a: 1, x: i }, { b: 1, x: i }, { c: 1, x: i }, { d: 1, x: i });
          let sum = 0;
          for (const point of points) sum += «point.x»;
          return sum;
        }
      `,
      findings: [{ messageId: 'manyShapes', severity: 'hint', data: { owner: 'this loop' } }],
    },
    {
      name: 'only what V8 gives up on',
      options: { minimumKinds: 5 },
      code: dedent`
        ${ADD}
        ${AREA}
        ${classes('Square', 'Circle', 'Line', 'Ring', 'Oval')}
        export function run(n) {
          for (let i = 0; i < n; i++) { add(i, 1); areaOf(new Square(i)); }
          add('', '');
          return areaOf(new Circle(1)) + areaOf(new Line(1)) + areaOf(new Ring(1)) + «areaOf(new Oval(1))»;
        }
      `,
      findings: [{ messageId: 'manyReceivers' }],
    },
  ],
};
