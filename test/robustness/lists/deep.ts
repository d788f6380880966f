// Files that are huge or nested deeper than anybody writes by hand, but as generators, bundlers and attackers do.
import type { OddCase } from '../child.ts';
import { dedent } from '../../../analysis/testing/dedent.ts';

const HUGE_BYTES = 10_000_000;

const NESTS: readonly [name: string, make: (depth: number) => string][] = [
  ['arrays', (n) => `x = ${'['.repeat(n)}${']'.repeat(n)};`],
  ['objects', (n) => `x = ${'{ a: '.repeat(n)}1${'}'.repeat(n)};`],
  ['calls in arguments', (n) => `${'a('.repeat(n)}${')'.repeat(n)};`],
  ['calls of results', (n) => `a${'(b)'.repeat(n)};`],
  ['method chains', (n) => `a${'.then(b)'.repeat(n)};`],
  ['route chains', (n) => `const app = require('express')(); app${".get('/', fn)".repeat(n)};`],
  ['promise chains with functions', (n) => `a${'.then((x) => fs.readFileSync(x))'.repeat(n)};`],
  ['member chains', (n) => `a${'.b'.repeat(n)};`],
  ['optional chains', (n) => `a${'?.b?.[c]'.repeat(n)};`],
  ['parentheses', (n) => `x = ${'('.repeat(n)}1${')'.repeat(n)};`],
  ['additions', (n) => `x = ${'a + '.repeat(n)}a;`],
  ['strings added', (n) => `x = ${"'line\\n' + ".repeat(n)}'';`],
  ['powers', (n) => `x = ${'a ** '.repeat(n)}a;`],
  ['logical operators', (n) => `x = ${'a && '.repeat(n)}a;`],
  ['mixed logical operators', (n) => `x = ${'a && b || '.repeat(n)}a;`],
  ['conditions', (n) => `x = ${'a ? b : '.repeat(n)}c;`],
  ['assignments', (n) => `${'a = '.repeat(n)}1;`],
  ['unary operators', (n) => `x = ${'!'.repeat(n)}a;`],
  ['template literals', (n) => `x = ${'`${'.repeat(n)}1${'}`'.repeat(n)};`],
  ['tagged templates', (n) => `a${'`x`'.repeat(n)};`],
  ['arrow functions', (n) => `x = ${'(a) => '.repeat(n)}1;`],
  ['functions', (n) => `${'function f() { '.repeat(n)}${'}'.repeat(n)}`],
  ['callbacks', (n) => `${'fs.readFile(a, (err, b) => { '.repeat(n)}${'});'.repeat(n)}`],
  ['classes', (n) => `x = ${'class { m() { return '.repeat(n)}1${'}}'.repeat(n)};`],
  ['blocks', (n) => `${'{'.repeat(n)}${'}'.repeat(n)}`],
  ['ifs', (n) => `${'if (a) { '.repeat(n)}${'}'.repeat(n)}`],
  ['else-ifs', (n) => `${'if (a) { b(); } else '.repeat(n)}{}`],
  ['loops', (n) => `${'for (const a of b) '.repeat(n)};`],
  ['tries', (n) => `${'try { '.repeat(n)}a();${'} catch {}'.repeat(n)}`],
  ['switches', (n) => `${'switch (a) { case 1: '.repeat(n)}${'}'.repeat(n)}`],
  ['labels', (n) => `${Array.from({ length: n }, (_, i) => `a${i}: `).join('')};`],
  ['patterns', (n) => `const ${'['.repeat(n)}a${']'.repeat(n)} = b;`],
  ['default values', (n) => `function f(${Array.from({ length: n }, (_, i) => `a${i} = a${Math.max(0, i - 1)}`).join(', ')}) {}`],
  ['JSX', (n) => `x = ${'<a>'.repeat(n)}${'</a>'.repeat(n)};`],
  ['spreads', (n) => `x = ${'[...'.repeat(n)}a${']'.repeat(n)};`],
  ['new', (n) => `x = ${'new '.repeat(n)}A;`],
  ['awaits', (n) => `async () => ${'await '.repeat(n)}a;`],
  ['sequence', (n) => `x = (${'a, '.repeat(n)}a);`],
  ['delete of a long path', (n) => `for (const a of b) delete a${'.b'.repeat(n)};`],
  [
    'functions that call each other in turn',
    (n) => Array.from({ length: n }, (_, i) => `function f${i}(req, res) { f${i + 1}(req, res); }`).join('\n'),
  ],
  [
    'functions that all call each other',
    (n) => {
      const k = Math.floor(Math.sqrt(n));
      const calls = Array.from({ length: k }, (_, i) => `f${i}();`).join(' ');
      return dedent`
        ${Array.from({ length: k }, (_, i) => `function f${i}() { ${calls} }`).join('\n')}
        require('http').createServer((req, res) => { f0(); res.end(require('fs').readFileSync('a')); });
      `;
    },
  ],
  [
    'aliases',
    (n) =>
      dedent`
        const a0 = require('fs').readFileSync;
        ${Array.from({ length: n }, (_, i) => `const a${i + 1} = a${i};`).join('\n')}
        require('http').createServer((req, res) => res.end(a${n}('x')));
      `,
  ],
  [
    'aliases in a circle',
    (n) =>
      dedent`
        ${Array.from({ length: n }, (_, i) => `let a${i} = a${(i + 1) % n};`).join('\n')}
        require('http').createServer((req, res) => res.end(a0.readFileSync('x')));
      `,
  ],
  [
    'reassignments of one variable',
    (n) =>
      dedent`
        let a = require('fs');
        ${'a = a.b || a;\n'.repeat(n)}require('http').createServer((req, res) => res.end(a.readFileSync('x')));
      `,
  ],
  [
    'variables that are all assigned to each other',
    (n) => {
      const k = Math.floor(Math.sqrt(n));
      const names = Array.from({ length: k }, (_, i) => `a${i}`);
      const writes = names.map((name) => names.map((other) => (name === other ? '' : `${name} = ${other};`)).join(' '));
      return dedent`
        let ${names.join(', ')};
        ${writes.join('\n')}
        require('http').createServer((req, res) => res.end(a0.readFileSync('x')));
      `;
    },
  ],
  [
    'loaders that load themselves',
    (n) =>
      dedent`
        const require = require('express')();
        ${Array.from({ length: n }, (_, i) => `const load${i} = load${(i + 1) % n}('a')();`).join('\n')}
        require('http').createServer((req, res) => res.end(load0('fs').readFileSync('x')));
      `,
  ],
  [
    'one object with many properties',
    (n) =>
      dedent`
        const o = { ${Array.from({ length: n }, (_, i) => `p${i}: (req, res) => o.p${i + 1}(req, res)`).join(', ')} };
        require('express')().get('/', o.p0);
      `,
  ],
  [
    'one class with many methods',
    (n) =>
      dedent`
        class A { ${Array.from({ length: n }, (_, i) => `m${i}() { this.x${i} = 1; return this.m${i + 1}(); }`).join(' ')} }
        new A().m0();
      `,
  ],
  [
    'calls of one function with many kinds',
    (n) =>
      dedent`
        function add(a, b) { return a + b; }
        for (;;) { ${Array.from({ length: n }, (_, i) => ['add(1, 2);', "add('', '');", 'add({}, []);', `add({ k${i}: 1 }, null);`][i % 4]).join(' ')} }
      `,
  ],
  ['deletes in one loop', (n) => `for (const a of list) { ${Array.from({ length: n }, (_, i) => `delete a.p${i};`).join(' ')} }`],
  [
    'promise functions that await each other',
    (n) => Array.from({ length: n }, (_, i) => `async function f${i}() { await f${(i + 1) % n}(); }`).join('\n'),
  ],
  ['ticks in a circle', (n) => Array.from({ length: n }, (_, i) => `function f${i}() { process.nextTick(f${(i + 1) % n}); }`).join('\n')],
  [
    'suppression comments',
    (n) =>
      `${dedent`
    // nodometer-disable-next-line no-sync-in-handler
    foo();

  `.repeat(n)}`,
  ],
  ['suppression comments for everything', (n) => `${'/* nodometer-disable */ /* nodometer-enable */\n'.repeat(n)}fs.readFileSync('a');`],
  // Each on a line of its own: 100,000 on one line take @babel/parser 7.29 alone half a minute.
  ['comments', (n) => `${'/* a */\n'.repeat(n)}x;`],
];

// 700 links are just below the depth that is still read; Babel itself reads chains of any length.
const DEPTHS = [20, 300, 700, 10_000, 100_000] as const;
// What goes on beside itself, not inside itself, is all read and looked at: at 10,000 a square would already take minutes.
const WIDE =
  /^(?:functions that|variables that|loaders|aliases|reassignments|one |calls of one|deletes in|promise functions|ticks|suppression|comments|default values)/;
const WIDEST = 10_000;

/** Argument: a part of the name, to run some alone. */
export function* cases([only = '']: readonly string[]): Generator<OddCase> {
  for (const [name, make] of NESTS) {
    if (!name.includes(only)) continue;
    for (const depth of DEPTHS) {
      if (depth > WIDEST && WIDE.test(name)) continue;
      const text = make(depth);
      yield { name: `${depth} ${name}`, file: '/project/src/app.js', text, isHuge: text.length > 1_000_000 };
      if (depth === 300) {
        yield { name: `${depth} ${name}, TypeScript`, file: '/project/src/app.ts', text };
        yield { name: `${depth} ${name}, half of it`, file: '/project/src/app.js', text: text.slice(0, text.length / 2) };
      }
    }
  }
  for (const [name, unit] of HUGE) {
    if (name.includes(only)) yield { name, file: '/project/src/app.js', text: fill(unit), isHuge: true };
  }
}

const HUGE: readonly [name: string, unit: (i: number) => string][] = [
  [
    '10 MB of functions and handlers',
    (i) =>
      i % 50 === 0
        ? `app.get('/r${i}', (req, res) => { const text = fs.readFileSync('./f${i}', 'utf8'); delete req.body.x${i}; res.send(render(text, req.query)); });\n`
        : `function f${i}(a, b) { const c = a + b * ${i}; if (c > 3) { return { a, b, c, name: 'n${i}' }; } for (let j = 0; j < c; j++) list.push(j); return null; }\n`,
  ],
];

function fill(unit: (i: number) => string): string {
  const parts = ["const fs = require('fs'); const app = require('express')();\n"];
  for (let i = 0, size = 0; size < HUGE_BYTES; i++) {
    const part = unit(i);
    size += part.length;
    parts.push(part);
  }
  return parts.join('');
}
