// Small files, each made to break a search through the program: without a memo or a bound it would take years, or overflow the stack.
import type { OddCase } from '../child.ts';
import { dedent } from '../../../analysis/testing/dedent.ts';

/** Every case is linted in a program that serves requests and blocks, so that its summary is computed as well. */
const PROGRAM = dedent`
  require('http').createServer((req, res) => { for (const row of req.rows) { delete row.a; use(row); } res.end(require('fs').readFileSync('x')); });
  function use(row) { for (const one of row) { require('fs').statSync(one.name); } return row.a + row.b; }
`;

const times = (n: number, make: (i: number) => string, separator = '\n'): string =>
  Array.from({ length: n }, (_, i) => make(i)).join(separator);
const nested = (n: number, before: string, inner: string, after: string): string => before.repeat(n) + inner + after.repeat(n);

/** How often something stands beside itself: all of it once takes milliseconds, each time again for each takes minutes. */
const WIDE = 5000;

const CASES: readonly [name: string, text: string][] = [
  // Searches along every path.
  [
    'factories that return each other',
    `${times(30, (i) => `function make${i}(a) { ${times(30, (j) => `if (a === ${j}) return make${(i + j + 1) % 30}(a);`, ' ')} }`)}
for (const a of list) { const one = make0(a); use(one); delete one.b; one.c = 1; }`,
  ],
  [
    'literals that spread each other',
    `${times(30, (i) => `const one${i} = { ${times(30, (j) => `...one${(i + j + 1) % 30}`, ', ')}, a${i}: 1 };`)}
for (const a of list) { use(one0); use({ ...one0 }); one0.handler(a); one0[a](); }`,
  ],
  [
    'promises of each other',
    `${times(12, (i) => `const one${i} = Promise.all([${times(200, () => `one${i + 1}`, ', ')}]);`)}
async function wait() { for (;;) { await one0; } }
async function turn() { await one0; process.nextTick(turn); }`,
  ],
  [
    'promises that resolve each other',
    `${times(12, (i) => `const one${i} = new Promise((resolve) => { ${times(200, () => `resolve(one${i + 1});`, ' ')} });`)}
async function wait() { for (;;) { await one0; } }`,
  ],
  [
    'light functions that call each other',
    `${times(6, (i) => `function light${i}() { ${times(80, () => `light${i + 1}();`, ' ')} }`)}
function light6() {}
for (let i = 0; i < 1e6; i++) { kinds[i % 5].area(); light0(); light0(i); }
function area(shape) { light0(); return shape.w * shape.h; }
for (let i = 0; i < 1e6; i++) { area({ w: 1, h: 2 }); area({ h: 1, w: 2 }); area({ x: 1, w: 1, h: 2 }); area({ y: 1, w: 1, h: 2 }); area({ z: 1, w: 1, h: 2 }); light0(); }`,
  ],
  [
    'templates of templates',
    dedent`
      ${times(6, (i) => `const path${i} = \`./a\${path${i + 1}}${`\${path${i + 1}}`.repeat(400)}\`;`)}
      const path6 = 'abcdefgh';
      require(path0);
    `,
  ],
  [
    'long constants in a template',
    dedent`
      const part = '/${'a'.repeat(20_000)}';
      app.get(\`${'${part}'.repeat(10_000)}\`, (req, res) => res.end());
      setup(app, \`${'${part}'.repeat(10_000)}\`, handler);
    `,
  ],
  // Searches without an end.
  [
    'superclasses in a circle',
    dedent`
      class A extends B { a() { return super.x(); } }
      class B extends A { b() { return this.y(); } }
      new A().x(); new B()[k]();
    `,
  ],
  [
    'many superclasses',
    dedent`
    class A0 {}
    ${times(5000, (i) => `class A${i + 1} extends A${i} {}`)}
    new A5000().x(); new A5000()[k]();
  `,
  ],
  [
    'generators that iterate over each other',
    dedent`
      ${times(1200, (i) => `async function* g${i}() { for await (const x of g${i + 1}()) yield x; }`)}
      async function f() { for await (const x of g0()) show(x); }
    `,
  ],
  [
    'functions in one long chain',
    `require('http').createServer((q, r) => { f0(); r.end(); });
${times(1000, (i) => `function f${i}() { f${i + 1}(); }`)}
function f1000() { require('fs').readFileSync('a'); }`,
  ],
  [
    'calls behind a blocking call, in one long chain',
    `let total = 0;
require('http').createServer((q, r) => { const before = total; const text = require('fs').readFileSync('a'); f0(); total = before + text.length; r.end(); });
${times(3000, (i) => `function f${i}() { f${i + 1}(); }`)}
function f3000() { total += 1; }`,
  ],
  [
    'lists of files in a circle',
    dedent`
      const a = b.filter(Boolean);
      const b = a;
      const c = c;
      for (const file of a) require(file);
      for (const file of c) require(file);
      c.forEach((file) => require(file));
    `,
  ],
  ['many lists of files', `${times(WIDE, (i) => `const a${i} = a${i + 1};`)}\nfor (const file of a0) require(file);`],
  // What is evaluated twice where it stands inside itself.
  ['bindings of tokens', nested(60, 'bind(', 'X', ').to(Y)')],
  ['providers of providers', `x = ${nested(60, '{ provide: ', 'X', ', useClass: Y }')};`],
  ['injected classes', `x = ${nested(60, 'class { @Inject(', 'X', ') a }')};`],
  ['injected classes, late', `x = ${nested(50, 'class { @Inject(forwardRef(() => ', 'X', ')) a }')};`],
  ['copies of members of copies', nested(60, 'a[k] = (b[k] = ', 'c', '[k])[k]')],
  ['functions assigned to members of calls', nested(60, 'f(', 'x', ').a = function () {}')],
  ['functions assigned within calls', nested(60, 'f(() => { ', 'x', ' }).a = function () {};')],
  ['defaults of entries', nested(60, 'for (const [a = () => { ', 'x', ' }] of m) ;')],
  ['members of entries', nested(60, 'for ([(() => { ', 'x', ' })().b] of m) ;')],
  ['plugins of plugins', nested(60, 's.register({ plugin: ', 'x', '.a, routes: { prefix: "/a" } })')],
  [
    'tables of tables',
    nested(40, 'for (const { path, router } of [{ path: "/a", router: (() => { ', 'x', ' })().a }]) app.use(path, router);'),
  ],
  // Squares.
  [
    'calls and callers of one function',
    dedent`
      function f(x) { ${times(WIDE, (i) => `delete x.a${i}; fs.statSync(x);`, ' ')} }
      ${times(WIDE, (i) => `f(${i});`)}
    `,
  ],
  [
    'one parameter, used and passed often',
    dedent`
      function f(a, b) { for (;;) { ${times(WIDE, () => 'a + b;', ' ')} } }
      ${times(WIDE, (i) => `f(${i}, 'x');`)}
    `,
  ],
  [
    'awaits and calls of another file',
    `const { g } = require('./g');\nasync function f() { ${times(WIDE, () => 'await g(); g();', ' ')} }`,
  ],
  [
    'a long text about the environment',
    `const fs = require('fs'); if ('${'NODE_ENV '.repeat(WIDE)}') { ${times(500, (i) => `app.get('/${i}', (req, res) => { fs.readFileSync('a'); });`)} }`,
  ],
  ['a list that is read and filled often', `const list = [];\n${times(WIDE, (i) => `list.push(${i}); list[i] + list[j];`)}`],
];

/** Argument: a part of the name, to run some alone. */
export function* cases([only = '']: readonly string[]): Generator<OddCase> {
  for (const [name, text] of CASES) {
    if (!name.includes(only)) continue;
    for (const end of ['js', 'ts']) yield { name: `${name}, ${end}`, file: `/project/src/app.${end}`, text: `${text}\n${PROGRAM}` };
  }
}
