// How other files of a project call a function: which of their arguments can be said again in the function's own file.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { folderWith } from '../cli/support.ts';
import { prepared } from '../profiler/prepared.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

const PACKAGE = { 'package.json': '{ "name": "shop", "version": "1.0.0", "type": "module" }' };

async function callsOf(files: Readonly<Record<string, string>>, file: string, name: string): Promise<readonly string[] | string> {
  const folder = folderWith({ ...PACKAGE, ...files });
  try {
    const outcome = await prepared(join(folder.path, file), { name });
    return outcome.ok ? [outcome.prepared.target.origin, ...outcome.prepared.target.calls] : outcome.why;
  } finally {
    folder.dispose();
  }
}

describe('calls in other files', () => {
  it('are made with what is written there, constants put in', async () => {
    assert.deepEqual(
      await callsOf(
        {
          'add.js': dedent`
            export function add(a, b) { return a + b; }
            export const twice = (x) => add(x, x);

          `,
          'use.js': dedent`
              import { add } from './add.js';
              const RATE = 2;
              const unit = { price: RATE };
              export function total(n) { return add(1, n) + add(unit.price, [RATE, -1]); }
              export const label = add('a', \`b\${RATE}\`);

            `,
          'other.cjs': dedent`
            const all = async () => (await import('./add.js')).add(new Map([[1, 2]]), null);
            module.exports = all;

          `,
        },
        'add.js',
        'add',
      ),
      ['call-site', 'add(new Map([[1, 2]]), null)', 'add(({ price: (2) }).price, [(2), -1])', "add('a', `b${(2)}`)"],
    );
  });

  it('are left out where their arguments exist only there', async () => {
    assert.match(
      String(
        await callsOf(
          {
            'add.js': dedent`
              import { join } from 'node:path';
              export function add(a, b) { return join(a, b); }

            `,
            'use.js': dedent`
                import { add } from './add.js';
                import { sep } from './sep.js';
                class Own {}
                function join() {}
                export const x = [add(sep, 1), add(new Own(), 1), add(join(), 1), add(__dirname, 1), add((v) => join(v), 1), add(this, 1)];

              `,
            'sep.js': "export const sep = '/';\n",
            // A global there, something of the module's own here.
            'more.js': dedent`
              import { add } from './add.js';
              export const y = add((a) => join(a), 1);

            `,
          },
          'add.js',
          'add',
        ),
      ),
      /no example arguments found/,
    );
  });

  it('count by what they run, not by their name', async () => {
    assert.deepEqual(
      await callsOf(
        {
          'add.js': 'export default function add(a, b) { return a + b; }\n',
          'use.js': dedent`
              import plus from './add.js';
              function add(a) { return a; }
              export const x = [plus(1, 2), add('another'), [3].map(plus), plus.call(null, 4, 5)];

            `,
        },
        'add.js',
        'add',
      ),
      ['call-site', 'add(1, 2)'],
    );
  });

  it('of methods need an object: one that is made in any file', async () => {
    const shop =
      'export class Shop { constructor(rate) { this.rate = rate; } price(n) { return n * this.rate; } rates() { return this.rate; } }\n';
    const use = dedent`
      import { Shop } from './shop.js';
      const shop = new Shop(1.2);
      export const x = shop.price(4);

    `;
    assert.deepEqual(await callsOf({ 'shop.js': shop, 'use.js': use }, 'shop.js', 'Shop.price'), ['call-site', 'new Shop(1.2).price(4)']);
    assert.deepEqual(await callsOf({ 'shop.js': shop, 'use.js': use }, 'shop.js', 'Shop.rates'), ['no-arguments', 'new Shop(1.2).rates()']);
    assert.match(
      String(
        await callsOf(
          {
            'shop.js': shop,
            'use.js': dedent`
            import { Shop } from './shop.js';
            export const make = (rate) => new Shop(rate).price(4);

          `,
          },
          'shop.js',
          'Shop.price',
        ),
      ),
      /no example arguments found/,
    );
    // What a subclass hands on to the constructor makes no object of this class.
    assert.match(
      String(
        await callsOf(
          {
            'shop.js': shop,
            'use.js': dedent`
              import { Shop } from './shop.js';
              class Big extends Shop {}
              export const x = new Big(2).price(4);

            `,
          },
          'shop.js',
          'Shop.price',
        ),
      ),
      /no example arguments found/,
    );
  });

  it('lose the types of their own file', async () => {
    assert.deepEqual(
      await callsOf(
        {
          'add.js': 'export function add(a, b) { return a.x + b; }\n',
          'use.ts': dedent`
              import { add } from './add.js';
              interface Point { x: number }
              export const n: number = add({ x: 1 } as Point, 2 as number);

            `,
        },
        'add.js',
        'add',
      ),
      ['call-site', 'add({ x: 1 }         , 2          )'],
    );
  });

  it('of tests count where there are no others', async () => {
    const add = dedent`
        export function add(a, b) { return a + b; }
        export class Cart { constructor(n) { this.n = n; } total(x) { return this.n * x; } }

      `;
    const test = `import assert from 'node:assert/strict';
import { it } from 'node:test';
import { add, Cart } from '../add.js';
import { other } from './other.js';
const fake = { add };
it('adds', () => {
  assert.equal(add(1, 2), 3);
  const list = [1];
  add(list, 'x');
  add(other, 1);
  fake.add(5, 6);
  const cart = new Cart(2);
  assert.equal(cart.total(3), 6);
});
`;
    assert.deepEqual(await callsOf({ 'add.js': add, 'test/add.test.js': test }, 'add.js', 'add'), ['test', 'add(1, 2)', "add(([1]), 'x')"]);
    assert.deepEqual(await callsOf({ 'add.js': add, 'test/add.test.js': test }, 'add.js', 'Cart.total'), [
      'test',
      '(new Cart(2)).total(3)',
    ]);
    assert.deepEqual(
      await callsOf(
        {
          'add.js': add,
          'test/add.test.js': test,
          'use.js': dedent`
          import { add } from './add.js';
          export const x = add(7, 8);

        `,
        },
        'add.js',
        'add',
      ),
      ['call-site', 'add(7, 8)'],
    );
    // What a test calls for its arguments may write, and would be done thousands of times; its types mean nothing in JavaScript.
    const load = dedent`
      import fs from 'node:fs';
      export const other = () => 1;
      export function load(a) { return a; }

    `;
    assert.deepEqual(
      await callsOf(
        {
          'load.js': load,
          'test/load.test.ts': dedent`
              import fs from 'node:fs';
              import { load, other } from '../load.js';
              load(fs.mkdtempSync('x'));
              load(other());
              load({ a: 1 } as object);

            `,
        },
        'load.js',
        'load',
      ),
      ['test', 'load({ a: 1 }          )'],
    );
    // A request is more like life than what a test makes up.
    const server = dedent`
        import http from 'node:http';
        export function answer(req, res) { res.end('x'); }
        http.createServer(answer).listen(0);

      `;
    assert.deepEqual(
      await callsOf(
        {
          'server.js': server,
          'test/server.test.js': dedent`
            import { answer } from '../server.js';
            answer({}, { end() {} });
            answer({}, new Map());

          `,
        },
        'server.js',
        'answer',
      ),
      ['request', 'GET /'],
    );
  });

  it('go behind what a comment at the function says', async () => {
    assert.deepEqual(
      await callsOf(
        {
          'add.js': dedent`
            /** @profile add(7, 8) */
            export function add(a, b) { return a + b; }

          `,
          'use.js': dedent`
            import { add } from './add.js';
            export const x = add(1, 2);

          `,
        },
        'add.js',
        'add',
      ),
      ['profile-comment', 'add(7, 8)'],
    );
  });
});
