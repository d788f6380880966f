// How other files of a project call a function: which of their arguments can be said again in the function's own file.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { folderWith } from '../cli/support.ts';
import { prepared } from '../profiler/prepared.ts';

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
          'add.js': 'export function add(a, b) { return a + b; }\nexport const twice = (x) => add(x, x);\n',
          'use.js':
            "import { add } from './add.js';\nconst RATE = 2;\nconst unit = { price: RATE };\nexport function total(n) { return add(1, n) + add(unit.price, [RATE, -1]); }\nexport const label = add('a', `b${RATE}`);\n",
          'other.cjs': "const all = async () => (await import('./add.js')).add(new Map([[1, 2]]), null);\nmodule.exports = all;\n",
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
            'add.js': "import { join } from 'node:path';\nexport function add(a, b) { return join(a, b); }\n",
            'use.js':
              "import { add } from './add.js';\nimport { sep } from './sep.js';\nclass Own {}\nfunction join() {}\nexport const x = [add(sep, 1), add(new Own(), 1), add(join(), 1), add(__dirname, 1), add((v) => join(v), 1), add(this, 1)];\n",
            'sep.js': "export const sep = '/';\n",
            // A global there, something of the module's own here.
            'more.js': "import { add } from './add.js';\nexport const y = add((a) => join(a), 1);\n",
          },
          'add.js',
          'add',
        ),
      ),
      /nothing says with which arguments/,
    );
  });

  it('count by what they run, not by their name', async () => {
    assert.deepEqual(
      await callsOf(
        {
          'add.js': 'export default function add(a, b) { return a + b; }\n',
          'use.js':
            "import plus from './add.js';\nfunction add(a) { return a; }\nexport const x = [plus(1, 2), add('another'), [3].map(plus), plus.call(null, 4, 5)];\n",
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
    const use = "import { Shop } from './shop.js';\nconst shop = new Shop(1.2);\nexport const x = shop.price(4);\n";
    assert.deepEqual(await callsOf({ 'shop.js': shop, 'use.js': use }, 'shop.js', 'Shop.price'), ['call-site', 'new Shop(1.2).price(4)']);
    assert.deepEqual(await callsOf({ 'shop.js': shop, 'use.js': use }, 'shop.js', 'Shop.rates'), ['no-arguments', 'new Shop(1.2).rates()']);
    assert.match(
      String(
        await callsOf(
          { 'shop.js': shop, 'use.js': "import { Shop } from './shop.js';\nexport const make = (rate) => new Shop(rate).price(4);\n" },
          'shop.js',
          'Shop.price',
        ),
      ),
      /nothing says with which arguments/,
    );
    // What a subclass hands on to the constructor makes no object of this class.
    assert.match(
      String(
        await callsOf(
          {
            'shop.js': shop,
            'use.js': "import { Shop } from './shop.js';\nclass Big extends Shop {}\nexport const x = new Big(2).price(4);\n",
          },
          'shop.js',
          'Shop.price',
        ),
      ),
      /nothing says with which arguments/,
    );
  });

  it('lose the types of their own file', async () => {
    assert.deepEqual(
      await callsOf(
        {
          'add.js': 'export function add(a, b) { return a.x + b; }\n',
          'use.ts':
            "import { add } from './add.js';\ninterface Point { x: number }\nexport const n: number = add({ x: 1 } as Point, 2 as number);\n",
        },
        'add.js',
        'add',
      ),
      ['call-site', 'add({ x: 1 }         , 2          )'],
    );
  });

  it('of tests count where there are no others', async () => {
    const add =
      'export function add(a, b) { return a + b; }\nexport class Cart { constructor(n) { this.n = n; } total(x) { return this.n * x; } }\n';
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
        { 'add.js': add, 'test/add.test.js': test, 'use.js': "import { add } from './add.js';\nexport const x = add(7, 8);\n" },
        'add.js',
        'add',
      ),
      ['call-site', 'add(7, 8)'],
    );
    // What a test calls for its arguments may write, and would be done thousands of times; its types mean nothing in JavaScript.
    const load = "import fs from 'node:fs';\nexport const other = () => 1;\nexport function load(a) { return a; }\n";
    assert.deepEqual(
      await callsOf(
        {
          'load.js': load,
          'test/load.test.ts':
            "import fs from 'node:fs';\nimport { load, other } from '../load.js';\nload(fs.mkdtempSync('x'));\nload(other());\nload({ a: 1 } as object);\n",
        },
        'load.js',
        'load',
      ),
      ['test', 'load({ a: 1 }          )'],
    );
    // A request is more like life than what a test makes up.
    const server =
      "import http from 'node:http';\nexport function answer(req, res) { res.end('x'); }\nhttp.createServer(answer).listen(0);\n";
    assert.deepEqual(
      await callsOf(
        {
          'server.js': server,
          'test/server.test.js': "import { answer } from '../server.js';\nanswer({}, { end() {} });\nanswer({}, new Map());\n",
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
          'add.js': '/** @profile add(7, 8) */\nexport function add(a, b) { return a + b; }\n',
          'use.js': "import { add } from './add.js';\nexport const x = add(1, 2);\n",
        },
        'add.js',
        'add',
      ),
      ['profile-comment', 'add(7, 8)'],
    );
  });
});
