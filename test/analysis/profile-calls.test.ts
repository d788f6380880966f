// Which functions can be called for a profile, by which text, and what is said of those that cannot.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Facts } from '../../analysis/facts/index.ts';
import { ModuleIndex } from '../../analysis/module/module-index.ts';
import { parse } from '../../analysis/module/parse.ts';
import { byVisibleName, findCalls, hasProfileTag } from '../../analysis/profile/calls.ts';
import { prepareCall } from '../../analysis/profile/prepared-call.ts';
import { findAt, findByName, findFunctions, functionsIn } from '../../analysis/profile/functions.ts';
import { Source } from '../../analysis/module/source.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

function factsOf(text: string, file = '/p/a.js'): Facts {
  const outcome = parse(file, text);
  if (!outcome.ok) throw new Error(outcome.issue.message);
  return new Facts(new ModuleIndex(outcome.ast), new Source(file, text), { nodeRange: '>=20', nodeRangeSource: 'test' });
}

function callsOf(text: string, name: string, file?: string): string[] | string {
  const facts = factsOf(text, file);
  const [target] = findByName(facts, name);
  assert.ok(target, `no function ${name}`);
  const search = findCalls(facts, target);
  return search.ok ? search.calls.map((call) => `${call.origin}: ${call.text}`) : `${search.why} | ${search.remedy}`;
}

describe('the name in a call', () => {
  it('is the one that the end of the module sees', () => {
    const text = `
      /** @profile hash('a') */
      exports.hash = function hash(text) { return text.length; };
      /** @profile later(1) */
      module.exports.later = (n) => n;
      /** @profile local(1) */
      function local(n) { return n; }
    `;
    assert.deepEqual(callsOf(text, 'exports.hash'), ["profile-comment: exports.hash('a')"]);
    assert.deepEqual(callsOf(text, 'local'), ['profile-comment: local(1)']);
    assert.deepEqual(callsOf(text, 'exports.later'), ['profile-comment: module.exports.later(1)']);
  });

  it('stays where a name of the module is meant', () => {
    const text = `
      const hash = require('./hash');
      /** @profile hash('a') */
      exports.hash = function hash(text) { return text.length; };
    `;
    assert.deepEqual(callsOf(text, 'exports.hash'), ["profile-comment: hash('a')"]);
  });
});

describe('the name in a call that somebody types', () => {
  const typed = (text: string, name: string, call: string): string => {
    const facts = factsOf(text);
    const [target] = findByName(facts, name);
    assert.ok(target);
    return byVisibleName(call, target, facts);
  };

  it('may be one that only the exports have', () => {
    const text = dedent`
      const decode = (text) => text.length;
      exports.parse = decode;
    `;
    assert.equal(typed(text, 'decode', "parse('a')"), "module.exports.parse('a')");
    assert.equal(typed(text, 'decode', "decode('a')"), "decode('a')");
    assert.equal(typed(text, 'decode', "read('a')"), "read('a')");
    const together = dedent`
      const decode = (text) => text.length;
      module.exports = { parse: decode, decode };
    `;
    assert.equal(typed(together, 'decode', "await parse('a')"), "await module.exports.parse('a')");
  });
});

describe('a line at the top level', () => {
  const found = (text: string, line: number): (string | undefined)[] => findFunctions(factsOf(text), { line }).map(({ name }) => name);

  it('means the function that uses what is declared there', () => {
    const text = dedent`
      const LINE = /a+$/;
      const NAMES = {
        url: /b+$/,
      };
      const NOBODY = /c+$/;
      const list = [1].map(() => LINE);
      const check = (text) => LINE.test(text);
      function tidy(text) { return text.replace(NAMES.url, ''); }
      const WORDS = ['a'];
      function count(list) { return list.filter((word) => WORDS.includes(word)).length; }
      const fs = require('fs');
      function read() { return fs.readFileSync('a'); }
    `;
    assert.deepEqual(found(text, 9), ['count']);
    assert.deepEqual(found(text, 11), []);
    assert.deepEqual(found(text, 1), ['check']);
    assert.deepEqual(found(text, 3), ['tidy']);
    assert.deepEqual(found(text, 5), []);
    assert.deepEqual(found(text, 8), ['tidy']);
  });
});

describe('functions of a module', () => {
  it('have the names that people give them', () => {
    const facts = factsOf(`
      function add(a, b) { return a + b; }
      const double = (x) => x * 2;
      const api = { get() {}, post: function () {}, deep: { put: () => 1 }, 'odd name'() {} };
      class Cart { constructor(n) {} total() {} static of() {} get size() { return 1; } #secret() {} }
      exports.create = (req, res) => {};
      module.exports.list = function () {};
      Cart.prototype.clear = function () {};
      let later; later = () => {};
    `);
    assert.deepEqual(
      functionsIn(facts).map(({ name, access }) => [
        name,
        access.kind === 'none' ? 'none' : access.kind === 'instance' ? 'instance' : access.text,
      ]),
      [
        ['add', 'add'],
        ['double', 'double'],
        ['api.get', 'api.get'],
        ['api.post', 'api.post'],
        ['api.deep.put', 'api.deep.put'],
        ['api["odd name"]', 'api["odd name"]'],
        ['new Cart', 'new Cart'],
        ['Cart.total', 'instance'],
        ['Cart.of', 'Cart.of'],
        ['Cart.size', 'none'],
        ['Cart.#secret', 'none'],
        ['exports.create', 'exports.create'],
        ['exports.list', 'module.exports.list'],
        ['Cart.prototype.clear', 'Cart.prototype.clear'],
        ['later', 'later'],
      ],
    );
  });

  it('have the name of the export where they have none of their own', () => {
    const accessOf = (text: string, name: string): unknown =>
      findByName(factsOf(text), name).map(({ name: told, access }) => [
        told,
        access.kind === 'expression' ? access.text : access.kind === 'instance' ? [access.className, access.method] : access.kind,
      ]);
    assert.deepEqual(accessOf('export default function (a) {}', 'default'), [['exports.default', 'exports.default']]);
    assert.deepEqual(accessOf('export default ((a) => a);', 'exports.default'), [['exports.default', 'exports.default']]);
    assert.deepEqual(accessOf('export default { get(id) {}, put: () => {} };', 'get'), [['exports.default.get', 'exports.default.get']]);
    assert.deepEqual(accessOf('export default class { total() {} }', 'total'), [['exports.default.total', ['exports.default', 'total']]]);
    assert.deepEqual(accessOf('export default function load(a) {}', 'load'), [['load', 'load']]);
    assert.deepEqual(
      callsOf(
        dedent`
      /** @profile exports.default(3) */
      export default (a) => a;
    `,
        'default',
      ),
      ['profile-comment: exports.default(3)'],
    );
  });

  it('are fields of a class, too', () => {
    const text = dedent`
        class Cart { total = (n) => n * 2; static make = function () {}; #own = () => 1; sums = [() => 2]; }
        new Cart().total(4);
      `;
    assert.deepEqual(
      functionsIn(factsOf(text)).map(({ name, access }) => [name, access.kind]),
      [
        ['Cart.total', 'instance'],
        ['Cart.make', 'expression'],
        [undefined, 'none'],
        [undefined, 'none'],
      ],
    );
    assert.deepEqual(callsOf(text, 'Cart.total'), ['call-site: new Cart().total(4)']);
    const hidden = findAt(factsOf(text), text.indexOf('() => 1'));
    assert.ok(hidden?.access.kind === 'none' && /private members and members with computed names/.test(hidden.access.why));
  });

  it('are found by name, by a part of the name, and by place', () => {
    const text = dedent`
      class A { run() { return [1].map((x) => x); } }
      class B { run() {} }
    `;
    const facts = factsOf(text);
    assert.equal(findByName(facts, 'A.run').length, 1);
    assert.equal(findByName(facts, 'run').length, 2);
    assert.equal(findByName(facts, 'walk').length, 0);
    assert.equal(findAt(facts, text.indexOf('[1]'))?.name, 'A.run');
    assert.equal(findAt(facts, text.indexOf('=>'))?.access.kind, 'none');
  });

  it('that exist only inside others say so', () => {
    assert.match(
      String(callsOf('function outer() { function inner(a) {} inner(1); }', 'inner')),
      /created inside `outer` .* \| Profile `outer`/,
    );
    assert.match(String(callsOf('class C { get size() { return 1; } }', 'C.size')), /getter or setter/);
    const facts = factsOf("app.get('/', (req, res) => res.end());");
    const [handler] = functionsIn(facts);
    assert.ok(handler);
    const search = findCalls(facts, handler);
    assert.ok(!search.ok && /it has no name in this file/.test(search.why));
  });
});

describe('calls for a profile', () => {
  it('come from @profile before anything else', () => {
    assert.deepEqual(
      callsOf(
        dedent`
          /**
           * Adds.
           * @profile add(1, 2)
           * @profile add("a", "b")
           * @example add(9, 9)
           */
          function add(a, b) { return a + b; }
          add(3, 4);
        `,
        'add',
      ),
      ['profile-comment: add(1, 2)', 'profile-comment: add("a", "b")'],
    );
    assert.deepEqual(
      callsOf(
        dedent`
      // @profile add(1, 2)
      export function add(a, b) { return a + b; }
    `,
        'add',
      ),
      ['profile-comment: add(1, 2)'],
    );
    assert.deepEqual(
      callsOf(
        dedent`
      class Cart {
        /** @profile new Cart(3).total({ tax: 0.2 }) */
        total(options) {}
      }
    `,
        'Cart.total',
      ),
      ['profile-comment: new Cart(3).total({ tax: 0.2 })'],
    );
  });

  it('take the calls of other functions that @profile tells beside its own', () => {
    assert.deepEqual(
      callsOf(
        dedent`
          function add(a, b) { return a + b; }
          function total(l) { return add(l, 1); }
          /**
           * @profile total([1])
           * @profile label('a')
           * @profile by hand
           */
          function label(x) { return add('x', x); }
        `,
        'label',
      ),
      ['profile-comment: total([1])', "profile-comment: label('a')"],
    );
    assert.match(String(callsOf('/** @profile other(1) */\nfunction add(a, b) {}', 'add')), /no example arguments found/);
  });

  it('come from JSDoc examples as their readers write them: over several lines, with what they name, by the name of the package', () => {
    const example = (lines: string, code: string, name: string) =>
      callsOf(
        `/**\n * @example\n${lines
          .split('\n')
          .map((line) => ` * ${line}\n`)
          .join('')} */\n${code}`,
        name,
      );
    assert.deepEqual(
      example(
        dedent`
          var users = [
            { age: 1, by },
          ];
          var by = 3, far = 4;
          _.chunk(['a', 'b'], 2);
          // => [['a', 'b']]
          console.log(_.chunk(users, 1))
        `,
        'function chunk(list, size) {}\nmodule.exports = chunk;',
        'chunk',
      ),
      ["jsdoc-example: chunk(['a', 'b'], 2)"],
    );
    assert.deepEqual(
      example(
        dedent`
          const rate = 2;
          const unit = { rate, deep: { far: rate } };
          assert.equal(price(unit), 4);
        `,
        'exports.price = (unit) => unit.rate;',
        'price',
      ),
      ['jsdoc-example: exports.price(({ rate: (2), deep: { far: (2) } }))'],
    );
    assert.deepEqual(
      example(
        dedent`
          import { Cart } from 'carts';
          const cart = new Cart(3);
          cart.total(1);
          other.total(2);
        `,
        'class Cart { constructor(n) {} total(x) {} }',
        'Cart.total',
      ),
      ['jsdoc-example: (new Cart(3)).total(1)'],
    );
    assert.deepEqual(
      example(
        dedent`
        const _ = require('lodash');
        _.chunk(_.range(4), 2);
        _.chunk([1], 2);
      `,
        'function chunk(list, size) {}',
        'chunk',
      ),
      ['jsdoc-example: chunk([1], 2)'],
    );
    assert.deepEqual(
      example(
        dedent`
        const cart = new Cart(3);
        cart.total(1);
        other.total(2);
      `,
        'class Cart { constructor(n) {} total(x) {} }',
        'Cart.total',
      ),
      ['jsdoc-example: (new Cart(3)).total(1)'],
    );
    assert.deepEqual(
      callsOf(
        dedent`
          // @profile load('http://a.b/c') // see http://d.e
          function load(url) {}
        `,
        'load',
      ),
      ["profile-comment: load('http://a.b/c')"],
    );
    // The wrong kind of brackets is no JavaScript: what stands in one line is still a call.
    assert.deepEqual(
      example(
        dedent`
      Use it so:
      add(1, 2) // 3
      and not so: add(
    `,
        'const add = (a, b) => a + b;',
        'add',
      ),
      ['jsdoc-example: add(1, 2)'],
    );
    assert.deepEqual(
      example(
        dedent`
          add(await load(), 1);
          add(missing, 1);
          add(twice(2), 1);
        `,
        'const add = (a, b) => a + b;\nconst twice = (n) => 2 * n;',
        'add',
      ),
      ['jsdoc-example: add(twice(2), 1)'],
    );
  });

  it('come from JSDoc examples, prose and other calls passed over', () => {
    assert.deepEqual(
      callsOf(
        dedent`
          /**
           * @example
           * // adds two numbers:
           * add(1, 2); // 3
           * const x = 1
           * other(5)
           * @returns {number}
           */
          const add = (a, b) => a + b;
        `,
        'add',
      ),
      ['jsdoc-example: add(1, 2)'],
    );
  });

  it('come from the calls of the file whose arguments hold at its end', () => {
    assert.deepEqual(
      callsOf(
        dedent`
          const RATE = 0.2;
          function add(a, b) { return a + b; }
          for (let i = 0; i < 9; i++) add(i, 1);
          add('a', \`b\`);
          function run(x) { add(x, 1); const tax = { rate: RATE }; add(tax, [1, -2]); }
        `,
        'add',
      ),
      ['call-site: add(1, 1)', "call-site: add('a', `b`)", 'call-site: add(({ rate: RATE }), [1, -2])'],
    );
    assert.deepEqual(
      callsOf(
        dedent`
        class Cart { constructor(n) {} total(x) {} }
        const cart = new Cart(3);
        cart.total({ a: 1 });
      `,
        'Cart.total',
      ),
      ['call-site: new Cart(3).total({ a: 1 })'],
    );
    assert.deepEqual(callsOf('function f(cb, d) {}\nf((x) => x + 1, new Date(0));', 'f'), ['call-site: f((x) => x + 1, new Date(0))']);
  });

  it('are not made up from what exists only where the call stands', () => {
    const nothing = /no example arguments found \| Add a comment .*@profile f\(a\)/;
    for (const call of [
      'function run(x) { f(x); }',
      'f(readConfig());',
      'f(this.x);',
      'async function run() { f(await load()); }',
      'items.forEach((item) => f(item.id));',
      'items.map(f);',
      'function run(x) { f(() => x); }',
    ]) {
      assert.match(String(callsOf(`function f(a) {}\n${call}`, 'f')), nothing, call);
    }
  });

  it('need no arguments where the function takes none', () => {
    assert.deepEqual(callsOf('function tick() { return 1; }', 'tick'), ['no-arguments: tick()']);
    assert.deepEqual(callsOf('class Clock { now() { return 1; } }', 'now'), ['no-arguments: new Clock().now()']);
    assert.match(String(callsOf('class Clock { constructor(zone) {} now() { return 1; } }', 'now')), /@profile new Clock\(…\)\.now\(\)/);
  });

  it('are limited in number', () => {
    const calls = callsOf(`function f(a) {}\n${Array.from({ length: 100 }, (_, i) => `f(${i});`).join('\n')}`, 'f');
    assert.equal(calls.length, 16);
  });

  it('in TypeScript keep what TypeScript allows', () => {
    assert.deepEqual(
      callsOf(
        dedent`
      interface P { x: number }
      function f(p: P): number { return p.x; }
      f({ x: 1 } as P);
    `,
        'f',
        '/p/a.ts',
      ),
      ['call-site: f({ x: 1 } as P)'],
    );
  });

  it('the tag alone asks for a lens', () => {
    const facts = factsOf(dedent`
      /** @profile */
      function f(a) {}
      function g() {}
    `);
    assert.deepEqual(
      functionsIn(facts).map((found) => hasProfileTag(facts, found)),
      [true, false],
    );
  });
});

describe('a call in two parts', () => {
  const parts = (text: string, file = '/p/a.js') => {
    const two = prepareCall(text, file);
    return two && [two.values, two.call];
  };
  it('makes what is handed over before the clock starts', () => {
    assert.deepEqual(parts('total({ price: 2 })'), ['[({ price: 2 })]', 'total(nodometerValues[0])']);
    assert.deepEqual(parts("await load([1], 'x', ...make(2), -1)"), [
      '[([1]), (make(2))]',
      "await load(nodometerValues[0], 'x', ...nodometerValues[1], -1)",
    ]);
    assert.deepEqual(parts('(new Cart(3)).total(1)'), ['[(new Cart(3))]', '(nodometerValues[0]).total(1)']);
    assert.deepEqual(parts('new Cart([1, 2])'), ['[([1, 2])]', 'new Cart(nodometerValues[0])']);
    assert.deepEqual(parts('show(user as User, <T>(x: T) => x)', '/p/a.ts'), [
      '[(<T>(x: T) => x)]',
      'show(user as User, nodometerValues[0])',
    ]);
    assert.deepEqual(parts('total({ a: 1 }, ({ b: 2 }))'), ['[({ a: 1 }), ({ b: 2 })]', 'total(nodometerValues[0], (nodometerValues[1]))']);
  });

  it('is left whole where nothing is made', () => {
    for (const text of ['add(1, 2)', "api.get('/x', -1, `y`)", 'add(a, undefined)', 'add()', 'a + b', '{', 'await x'])
      assert.equal(parts(text), undefined, text);
  });
});
