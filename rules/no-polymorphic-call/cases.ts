import type { RuleCases } from '../../analysis/testing/rule-tester.ts';
import type { Messages } from './report.ts';

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
const HOT_ADD =
  "import { add } from './app.js';\nexport function total(n) { let sum = 0; for (let i = 0; i < n; i++) sum += add(i, 1); return sum; }\n";
const ADD_TEXTS = "import { add } from './app.js';\nexport const label = () => add('a', 'b');\n";
const hotLength = (point: string): string =>
  `import { lengthOf } from './app.js';\nexport function total(n) { let sum = 0; for (let i = 0; i < n; i++) sum += lengthOf(${point}); return sum; }\n`;
const oneLength = (point: string): string => `import { lengthOf } from './app.js';\nexport const one = () => lengthOf(${point});\n`;

export const cases: RuleCases<Messages> = {
  valid: [
    // One kind only.
    `${ADD}\nfor (let i = 0; i < 1e6; i++) add(i, 1);\nadd(2, 3);`,
    { name: 'a whole number and a fraction are numbers', code: `${ADD}\nfor (let i = 0; i < 1e6; i++) add(i, 1);\nadd(0.5, 1.5);` },
    {
      name: 'the same keys in the same order',
      code: `${LENGTH}\nfor (let i = 0; i < 1e6; i++) lengthOf({ x: i, y: 1 });\nconst y = 2;\nlengthOf({ x: 'wide', y });`,
    },
    {
      name: 'literals with a method each, made at one place',
      code: `${AREA}\nconst make = (size) => ({ size, area() { return this.size; } });\nfor (let i = 0; i < 1e6; i++) areaOf(make(i));\nareaOf(make(0));`,
    },
    {
      name: 'what comes is not known',
      code: `${ADD}\nexport function sum(rows, label) { let s = 0; for (const row of rows) s = add(s, row.amount); return add(label, row.currency); }`,
    },
    {
      name: 'a known kind beside an unknown one',
      code: `${LENGTH}\nexport function all(rows) { for (const row of rows) lengthOf(row); return lengthOf({ x: 1, y: 2 }); }`,
    },

    {
      name: 'another file hands over what is not known',
      code: `export ${ADD}`,
      others: {
        'src/hot.js': HOT_ADD,
        'src/label.js': ADD_TEXTS,
        'src/any.js': "import { add } from './app.js';\nexport const any = (a, b) => add(a, b);\n",
      },
    },
    {
      name: 'other files hand over several kinds, nowhere often',
      code: `export ${ADD}`,
      others: { 'src/cold.js': "import { add } from './app.js';\nexport const two = () => add(1, 1);\n", 'src/label.js': ADD_TEXTS },
    },

    // Two kinds, but nowhere hot.
    `${ADD}\nadd(1, 2);\nadd('', '');`,
    {
      name: 'at start-up, once each',
      code: `${LENGTH}\nconst origin = lengthOf({ x: 0, y: 0 });\nconst unit = lengthOf({ y: 1, x: 1 });\nexport { origin, unit };`,
    },
    { name: 'a short loop', code: `${ADD}\nfor (let i = 0; i < 20; i++) add(i, 1);\nadd('', '');` },
    {
      name: 'a loop over a short table',
      code: `${LENGTH}\nconst CORNERS = [{ x: 0, y: 0 }, { y: 1, x: 1 }];\nfor (const corner of CORNERS) lengthOf(corner);`,
    },
    {
      name: 'a table put together by pushes',
      code: `const routes = [];\nroutes.push({ path: '/', open: true });\nroutes.push({ path: '/me' });\nroutes.push({ path: '/you', role: 'a' });\nroutes.push({ path: '/us', roles: [] });\nroutes.push({ name: 'x', path: '/them' });\nexport const paths = routes.map((route) => route.path);`,
    },
    {
      name: 'a loop that waits for the network each round',
      code: `${ADD}\nexport async function load(ids) { let text = ''; for (const id of ids) { const page = await fetch(id); text = add('', page.url); add(1, 2); } return text; }`,
    },

    // The value is not used in a way that V8 specialises.
    {
      name: 'handed on',
      code: `function keep(value) { store.push(value); }\nconst store = [];\nfor (let i = 0; i < 1e6; i++) keep(i);\nkeep('end');`,
    },
    {
      name: 'a key of a map, string or number',
      code: `const byId = new Map();\nfunction find(id) { return byId.get(id); }\nfor (let i = 0; i < 1e6; i++) find(i);\nfind('me');`,
    },
    { name: 'put into a text', code: `function label(id) { return 'user ' + id; }\nfor (let i = 0; i < 1e6; i++) label(i);\nlabel('me');` },
    {
      name: 'put into a template',
      code: 'function label(id) { return `user ${id}`; }\nfor (let i = 0; i < 1e6; i++) label(i);\nlabel("me");',
    },
    {
      name: 'added to a text',
      code: `function join(id) { let text = ''; text += id; return text; }\nfor (let i = 0; i < 1e6; i++) join(i);\njoin('me');`,
    },
    {
      name: 'compared with one constant',
      code: `function matches(id) { return id === 'me'; }\nfor (let i = 0; i < 1e6; i++) matches(i);\nmatches('me');`,
    },
    {
      name: 'an element by its index',
      code: `function first(list) { return list[0]; }\nfor (let i = 0; i < 1e6; i++) first([i]);\nfirst(['a']);`,
    },
    {
      name: 'serialised',
      code: `function send(body) { return JSON.stringify(body); }\nfor (let i = 0; i < 1e6; i++) send({ id: i });\nsend({ error: 'no', id: 1 });`,
    },

    // Functions that are meant to take several kinds.
    {
      name: 'sorted by typeof',
      code: `function size(value) { if (typeof value === 'string') return value.length; return value + 1; }\nfor (let i = 0; i < 1e6; i++) size(i);\nsize('abc');`,
    },
    {
      name: 'sorted by instanceof',
      code: `${classes('Square', 'Circle')}\nfunction areaOf(shape) { if (shape instanceof Square) return shape.size; return shape.area(); }\nfor (let i = 0; i < 1e6; i++) { areaOf(new Square(i)); areaOf(new Circle(i)); }`,
    },
    {
      name: 'sorted by Array.isArray',
      code: `function count(value) { return Array.isArray(value) ? value.length : value.size; }\nfor (let i = 0; i < 1e6; i++) count({ size: i });\ncount({ id: 1, size: 2 });`,
    },
    {
      name: 'sorted by a predicate',
      code: `function plus(value) { return isText(value) ? value : value + 1; }\nfunction isText(value) { return typeof value === 'string'; }\nfor (let i = 0; i < 1e6; i++) plus(i);\nplus('');`,
    },
    {
      name: 'an option left out',
      code: `function step(value, by) { return value + (by ?? 1); }\nfor (let i = 0; i < 1e6; i++) step(i, 2);\nstep(1);\nstep(1, undefined);\nstep(1, null);`,
    },
    {
      name: 'a default value',
      code: `function step(value, by = 1) { return value + by; }\nfor (let i = 0; i < 1e6; i++) step(i, 2);\nstep(1, undefined);`,
    },
    {
      name: 'the parameter is replaced first',
      code: `function twice(value) { value = Number(value); return value + value; }\nfor (let i = 0; i < 1e6; i++) twice(i);\ntwice('4');`,
    },
    {
      name: 'the parameter is converted where it is used',
      code: `function twice(value) { return Number(value) * 2 + +value; }\nfor (let i = 0; i < 1e6; i++) twice(i);\ntwice('4');`,
    },
    {
      name: 'a logging helper',
      code: `function logValue(value) { return value + value; }\nfor (let i = 0; i < 1e6; i++) logValue(i);\nlogValue('end');`,
    },
    {
      name: 'an assertion',
      code: `function assertEqual(actual, expected) { return actual === expected; }\nfor (let i = 0; i < 1e6; i++) assertEqual(i, i);\nassertEqual('a', 'a');`,
    },
    {
      name: 'any number of arguments',
      code: `function sum(...values) { return values[0] + values[1]; }\nfor (let i = 0; i < 1e6; i++) sum(i, 1);\nsum('a', 'b');`,
    },
    {
      name: 'arguments that are spread',
      code: `${ADD}\nconst pair = ['a', 'b'];\nfor (let i = 0; i < 1e6; i++) add(i, 1);\nadd(...pair);`,
    },

    // So much is done beside it that nobody could measure the difference.
    {
      name: 'work in the function',
      code: `function show(shape) { console.log(shape.x, JSON.stringify(shape)); }\nfor (let i = 0; i < 1e6; i++) show({ x: i, y: 1 });\nshow({ y: 1, x: 1 });`,
    },
    {
      name: 'a query in the function',
      code: `async function find({ id, limit }) { return db.query('select 1', [id, limit]); }\nexport async function all(ids) { for (const id of ids) await find({ id, limit: 1 }); return find({ limit: 1, id: 0 }); }`,
    },
    {
      name: 'a copy of what comes',
      code: `function tagged(part) { return { kind: part.kind, ...part }; }\nexport function all(n) { const out = []; for (let i = 0; i < n; i++) { out.push(tagged({ kind: 1 }), tagged({ kind: 1, a: 1 }), tagged({ kind: 1, b: 1 }), tagged({ kind: 1, c: 1 }), tagged({ kind: 1, d: 1 })); } return out; }`,
    },
    {
      name: 'callbacks that do real work',
      code: `function each(list, fn) { for (const item of list) fn(item); }\nexport function run(rows, db) { each(rows, (row) => db.save(row)); each(rows, (row) => db.index(row.name)); each(rows, (row) => { cache.delete(row.id); }); }`,
    },
    {
      name: 'a helper that is there to be given functions',
      code: `function sumBy(list, fn) { let sum = 0; for (const item of list) sum += fn(item); return sum; }\nexport function run(list) { return [sumBy(list, (item) => item.a), sumBy(list, (item) => item.b)]; }`,
    },
    {
      name: 'adapters that do input and output',
      code: `class Disk { save(row) { return write(row); } }\nclass Cloud { save(row) { return put(row); } }\nfunction save(target, row) { return target.save(row); }\nexport function run(rows) { const disk = new Disk(); const cloud = new Cloud(); for (const row of rows) { save(disk, row); save(cloud, row); } }`,
    },
    {
      name: 'rows of one list with a field more or less',
      code: `export function names(rows) {\n  const parts = [];\n  for (const row of rows) { parts.push({ type: 'text', text: row.a }); parts.push({ type: 'call', id: row.b }); }\n  return parts.filter((part) => part.type === 'text');\n}`,
    },
    {
      name: 'keys that are not all known',
      code: `${LENGTH}\nexport function run(n, extra) { for (let i = 0; i < n; i++) lengthOf({ x: i, y: 1 }); return lengthOf({ x: 1, ...extra }); }`,
    },
    {
      name: 'a call for the error only',
      code: `${ADD}\nexport function total(rows) { let sum = 0; for (let i = 0; i < rows.length; i++) { try { sum = add(i, 1); } catch (error) { report(add('row ', 'bad')); } } return sum; }`,
    },
    { name: 'a call of the same name on something else', code: `${ADD}\nfor (let i = 0; i < 1e6; i++) add(i, 1);\ncart.add('a', 'b');` },
    {
      name: 'another function of the same name',
      code: `${ADD}\nfor (let i = 0; i < 1e6; i++) add(i, 1);\nexport function join() { const add = (a, b) => a + b; return add('a', 'b'); }`,
    },

    // Not in a program that serves.
    { name: 'a test', file: 'test/add.test.js', code: `${ADD}\nfor (let i = 0; i < 1e6; i++) add(i, 1);\nadd('', '');` },
    { name: 'a script', file: 'scripts/count.js', code: `${ADD}\nfor (let i = 0; i < 1e6; i++) add(i, 1);\nadd('', '');` },
    { name: 'a migration', file: 'migrations/0001-add.js', code: `${ADD}\nfor (let i = 0; i < 1e6; i++) add(i, 1);\nadd('', '');` },
    {
      name: 'left out by an option',
      options: { ignoreFunctions: ['add'] },
      code: `${ADD}\nfor (let i = 0; i < 1e6; i++) add(i, 1);\nadd('', '');`,
    },
    {
      name: 'fewer kinds than asked for',
      options: { minimumKinds: 5 },
      code: `${LENGTH}\nfor (let i = 0; i < 1e6; i++) lengthOf({ x: i, y: 1 });\nlengthOf({ y: 1, x: 1 });`,
    },
  ],

  invalid: [
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
      findings: [{ messageId: 'manyShapesAcross', severity: 'warning', data: { count: '5', odd: '`{ id, x, y }`' } }],
    },

    {
      name: 'the seed',
      code: `${ADD}\nfor (let i = 0; i < 1e6; i++) add(1, 2);\n«add('', '')»;`,
      findings: [
        {
          messageId: 'types',
          severity: 'hint',
          functionName: 'add',
          data: { owner: '`add`', parameter: 'a`, `b', odd: 'a string', others: 'a number', operation: '+', count: '2' },
          related: ['a number (in a loop)', '`+` meets all 2 of them'],
        },
      ],
    },
    {
      name: 'the odd call comes first',
      code: `const label = «add('a', 'b')»;\nfunction sum(n) { let s = 0; for (let i = 0; i < n; i++) s = add(s, i); return s; }\n${ADD}\nexport { label, sum };`,
      findings: [{ messageId: 'types', data: { parameter: 'a`, `b' } }],
    },
    {
      name: 'in a request handler',
      code: `const app = require('express')();\nconst add = (a, b) => a + b;\napp.get('/total', (req, res) => {\n  let sum = 0;\n  req.query.items.forEach((item, i) => { sum += add(i + 1, 1); });\n  res.json({ sum, text: «add('EUR ', 'x')» });\n});`,
      findings: [{ messageId: 'types', functionName: 'add' }],
    },
    {
      name: 'a sum that goes round, and a text at the end',
      code: `const add = (a, b) => a + b;\nexport function receipt(lines) {\n  let total = 0;\n  for (const line of lines) total = add(total, line.price);\n  return «add('Total: ', String(total))»;\n}`,
      findings: [{ messageId: 'types', data: { parameter: 'a', odd: 'a string' } }],
    },
    {
      name: 'a reduction',
      code: `const add = (a, b) => a + b;\nexport const receipt = (lines) => «add('Total: ', String(lines.length))» + lines.reduce((sum, line) => add(sum, line.price), 0);`,
      findings: [{ messageId: 'types' }],
    },
    {
      name: 'compared',
      code: `function isLess(a, b) { return a < b; }\nfunction less(a, b) { return a < b; }\nfor (let i = 0; i < 1e6; i++) less(i, 5);\n«less('a', 'b')»;`,
      findings: [{ messageId: 'types', data: { operation: '<' } }],
    },
    {
      name: 'compared with another variable',
      code: `function same(a, b) { return a === b; }\nfor (let i = 0; i < 1e6; i++) same(i, i + 1);\n«same('a', 'b')»;`,
      findings: [{ messageId: 'types', data: { operation: '===' } }],
    },
    {
      name: 'TypeScript says what comes',
      file: 'src/sum.ts',
      code: `function minus(a: any, b: any) { return a - b; }\nexport function run(list: unknown[], start: number, end: string) {\n  for (const item of list) minus(start, 1);\n  return «minus(end, 1)»;\n}`,
      findings: [{ messageId: 'types', data: { parameter: 'a', odd: 'a string' } }],
    },
    {
      name: 'three types',
      code: `${ADD}\nfor (let i = 0; i < 1e6; i++) add(i, 1);\nadd('', '');\n«add(1n, 2n)»;`,
      findings: [
        {
          messageId: 'types',
          data: { odd: 'a bigint', others: 'a number and a string' },
          related: ['a number', 'a string', 'meets all 3'],
        },
      ],
    },
    {
      name: 'a method of a class',
      code: `class Sum {\n  add(a, b) { return a + b; }\n  run(n) { let s = 0; for (let i = 0; i < n; i++) s = this.add(i, 1); return «this.add('n', 'o')»; }\n}`,
      findings: [{ messageId: 'types', functionName: 'Sum.add' }],
    },

    {
      name: 'another order of the keys',
      code: `${LENGTH}\nfor (let i = 0; i < 1e6; i++) lengthOf({ x: i, y: 1 });\n«lengthOf({ y: 1, x: 1 })»;`,
      findings: [
        {
          messageId: 'shapes',
          severity: 'hint',
          data: { odd: '`{ y, x }`', others: '`{ x, y }`', operation: 'point.x' },
          related: ['`{ x, y }`', '`point.x` meets all 2'],
        },
      ],
    },
    {
      name: 'a key more, and the parameter taken apart',
      code: `const lengthOf = ({ x, y }) => x * x + y * y;\nexport function run(n) {\n  let sum = 0;\n  for (let i = 0; i < n; i++) sum += lengthOf({ x: i, y: 1 });\n  return sum + «lengthOf({ x: 1, y: 2, z: 3 })»;\n}`,
      findings: [{ messageId: 'shapes', data: { parameter: '{ x, y }' } }],
    },
    {
      name: 'a literal and an instance',
      code: `class Point { constructor(x, y) { this.x = x; this.y = y; } }\n${LENGTH}\nexport function run(n) {\n  let sum = 0;\n  for (let i = 0; i < n; i++) sum += lengthOf(new Point(i, 1));\n  const origin = { x: 0, y: 0 };\n  return sum - «lengthOf(origin)»;\n}`,
      findings: [{ messageId: 'shapes', data: { others: 'a `Point`' } }],
    },
    {
      name: 'a property added after the object was made',
      code: `${LENGTH}\nexport function run(n) {\n  const last = { x: 1 };\n  last.z = 2;\n  last.y = 2;\n  for (let i = 0; i < n; i++) lengthOf({ x: i, y: 1 });\n  return «lengthOf(last)»;\n}`,
      findings: [{ messageId: 'shapes', data: { odd: '`{ x, z, y }`' } }],
    },
    {
      name: 'five shapes, written to',
      code: `function reset(item) { item.count = 0; }\nexport function run(n) {\n  for (let i = 0; i < n; i++) {\n    reset({ count: i });\n    reset({ a: 1, count: i });\n    reset({ b: 1, count: i });\n    reset({ c: 1, count: i });\n    «reset({ d: 1, count: i })»;\n  }\n}`,
      findings: [
        {
          messageId: 'manyShapes',
          severity: 'warning',
          data: { count: '5', operation: 'item.count' },
          related: ['{ count }', '{ a, count }', '{ b, count }', '{ c, count }', 'meets all 5'],
        },
      ],
    },
    {
      name: 'four rare shapes spoil the fifth',
      code: `${LENGTH}\nexport function run(n) {\n  for (let i = 0; i < n; i++) lengthOf({ x: i, y: 1 });\n  return [lengthOf({ y: 1, x: 1 }), lengthOf({ x: 1, y: 1, z: 1 }), lengthOf({ z: 1, x: 1, y: 1 }), «lengthOf({ x: 1, z: 1, y: 1 })»];\n}`,
      findings: [{ messageId: 'manyShapes', severity: 'warning' }],
    },

    {
      name: 'two classes',
      code: `${classes('Square', 'Circle')}\n${AREA}\nexport function run(n) { let sum = 0; for (let i = 0; i < n; i++) { sum += areaOf(new Square(i)); sum += «areaOf(new Circle(i))»; } return sum; }`,
      findings: [
        { messageId: 'receivers', severity: 'hint', data: { odd: 'a `Circle`', others: 'a `Square`', operation: 'shape.area()' } },
      ],
    },
    {
      name: 'a subclass that adds nothing',
      code: `${classes('Square')}\nclass Tile extends Square {}\n${AREA}\nexport function run(n) { let sum = 0; for (let i = 0; i < n; i++) sum += areaOf(new Square(i)); return sum + «areaOf(new Tile(1))»; }`,
      findings: [{ messageId: 'receivers' }],
    },
    {
      name: 'five classes through one list',
      code: `${classes('Square', 'Circle', 'Line', 'Ring', 'Oval')}\n${AREA}\nexport function run(n) {\n  const shapes = [];\n  for (let i = 0; i < n; i++) { shapes.push(new Square(i), new Circle(i), new Line(i)); shapes.push(new Ring(i)); shapes.push(new Oval(i)); }\n  let sum = 0;\n  for (const shape of shapes) sum += «areaOf(shape)»;\n  return sum;\n}`,
      findings: [
        {
          messageId: 'manyReceivers',
          severity: 'warning',
          functionName: 'areaOf',
          data: { odd: 'an `Oval`', others: 'a `Square`, a `Circle`, a `Line` and a `Ring`' },
          related: ['a `Square` for `shape`', 'a `Circle`', 'a `Line`', 'a `Ring`', '`shape.area()` meets all 5'],
        },
      ],
    },
    {
      name: 'five classes in a loop itself',
      code: `${classes('Square', 'Circle', 'Line', 'Ring', 'Oval')}\nconst kinds = [Square, Circle, Line, Ring, Oval];\nexport function run(n) {\n  const shapes = Array.from({ length: n }, (_, i) => new kinds[i % 5](i));\n  let sum = 0;\n  for (const shape of shapes) sum += «shape.area()»;\n  return sum;\n}`,
      findings: [{ messageId: 'manyReceivers', data: { owner: 'this loop', parameter: 'shape' } }],
    },
    {
      name: 'five classes in a callback',
      code: `${classes('Square', 'Circle', 'Line', 'Ring', 'Oval')}\nexport function run(n) {\n  const shapes = [];\n  while (shapes.length < n) shapes.push(new Square(1), new Circle(1), new Line(1), new Ring(1), new Oval(1));\n  return shapes.reduce((sum, shape) => sum + «shape.area()», 0);\n}`,
      findings: [{ messageId: 'manyReceivers', data: { owner: 'this callback' } }],
    },
    {
      name: 'five classes, the function handed over by name',
      code: `${classes('Square', 'Circle', 'Line', 'Ring', 'Oval')}\n${AREA}\nexport function run(n) {\n  const shapes = [];\n  for (let i = 0; i < n; i++) shapes.push(new Square(1), new Circle(1), new Line(1), new Ring(1), new Oval(1));\n  return «shapes.map(areaOf)»;\n}`,
      findings: [{ messageId: 'manyReceivers', functionName: 'areaOf' }],
    },
    {
      name: 'five classes through the callers of the loop',
      code: `${classes('Square', 'Circle', 'Line', 'Ring', 'Oval')}\n${AREA}\nfunction total(shape, n) { let sum = 0; for (let i = 0; i < n; i++) sum += areaOf(shape); return sum; }\nexport const all = (n) => [total(new Square(1), n), total(new Circle(1), n), total(new Line(1), n), total(new Ring(1), n), total(new Oval(1), n)];`.replace(
        'areaOf(shape); return sum',
        '«areaOf(shape)»; return sum',
      ),
      findings: [{ messageId: 'manyReceivers' }],
    },

    {
      name: 'two functions',
      code: `function apply(fn, x) { return fn(x); }\nconst inc = (x) => x + 1;\nexport function run(n) { let sum = 0; for (let i = 0; i < n; i++) { sum += apply(inc, i); sum += «apply((x) => x * 2, i)»; } return sum; }`,
      findings: [{ messageId: 'targets', severity: 'hint', data: { odd: 'an inline function', others: '`inc`', operation: 'fn()' } }],
    },
    {
      name: 'five functions, the loop inside',
      code: `function sumBy(list, fn) { let sum = 0; for (const item of list) sum += fn(item); return sum; }\nexport function run(list) { return [sumBy(list, (item) => item.a), sumBy(list, (item) => item.b), sumBy(list, (item) => item.c), sumBy(list, (item) => item.d), «sumBy(list, (item) => item.e)»]; }`,
      findings: [{ messageId: 'manyTargets', severity: 'warning', functionName: 'sumBy' }],
    },
    {
      name: 'literals of one shape with a method each',
      code: `function run(job, x) { return job.step(x); }\nexport function all(n) {\n  let sum = 0;\n  for (let i = 0; i < n; i++) { sum += run({ step(x) { return x + 1; } }, i); sum += «run({ step(x) { return x * 2; } }, i)»; }\n  return sum;\n}`,
      findings: [{ messageId: 'targets', data: { operation: 'job.step()' } }],
    },
    {
      name: 'five functions',
      code: `function apply(x, fn) { return fn(x); }\nexport function run(n) {\n  let sum = 0;\n  for (let i = 0; i < n; i++) {\n    sum += apply(i, (x) => x + 1) + apply(i, (x) => x + 2) + apply(i, (x) => x + 3) + apply(i, (x) => x + 4);\n    sum += «apply(i, (x) => x + 5)»;\n  }\n  return sum;\n}`,
      findings: [{ messageId: 'manyTargets', severity: 'warning', data: { count: '5', others: 'an inline function and 3 more' } }],
    },
    {
      name: 'a worker',
      file: 'src/sum.worker.js',
      code: `${ADD}\nfor (let i = 0; i < 1e6; i++) add(i, 1);\n«add('', '')»;`,
      findings: [{ messageId: 'types' }],
    },
    {
      name: 'five shapes in a loop that does more',
      code: `function end(token) { return token.start + 1; }\nexport function parse(text) {\n  let at = 0;\n  while (at < text.length) {\n    const word = /\\w+/.exec(text.slice(at))?.[0];\n    if (word === 'a') at = end({ start: at, a: 1 });\n    else if (word === 'b') at = end({ start: at, b: 1 });\n    else if (word === 'c') at = end({ start: at, c: 1 });\n    else if (word === 'd') at = end({ start: at, d: 1 });\n    else at = «end({ start: at })»;\n  }\n}`,
      findings: [{ messageId: 'manyShapes', severity: 'hint' }],
    },
    {
      name: 'five shapes in one list, read where it is walked',
      code: `export function sum(n) {\n  const points = [];\n  for (let i = 0; i < n; i++) points.push({ x: i }, { a: 1, x: i }, { b: 1, x: i }, { c: 1, x: i }, { d: 1, x: i });\n  let sum = 0;\n  for (const point of points) sum += «point.x»;\n  return sum;\n}`,
      findings: [{ messageId: 'manyShapes', severity: 'hint', data: { owner: 'this loop' } }],
    },
    {
      name: 'only what V8 gives up on',
      options: { minimumKinds: 5 },
      code: `${ADD}\n${AREA}\n${classes('Square', 'Circle', 'Line', 'Ring', 'Oval')}\nexport function run(n) {\n  for (let i = 0; i < n; i++) { add(i, 1); areaOf(new Square(i)); }\n  add('', '');\n  return areaOf(new Circle(1)) + areaOf(new Line(1)) + areaOf(new Ring(1)) + «areaOf(new Oval(1))»;\n}`,
      findings: [{ messageId: 'manyReceivers' }],
    },
  ],
};
