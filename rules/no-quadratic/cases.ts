import type { RuleCases } from '../../analysis/testing/rule-tester.ts';
import { dedent } from '../../analysis/testing/dedent.ts';
import { innocents } from './cases-innocents.ts';
import { columnCases, innocentColumns } from './cases-columns.ts';
import { rowCases } from './cases-rows.ts';

const EXPRESS = "const app = require('express')();\n";
const inHandler = (...lines: readonly string[]): string =>
  `${EXPRESS}app.post('/', async (req, res) => {\n${lines.map((line) => `  ${line}\n`).join('')}});\n`;
const SET_TITLE = 'Search a `Set` that is built before the loop';

export const cases: RuleCases<
  'searched' | 'copied' | 'spread' | 'rows' | 'joined' | 'counted' | 'moved' | 'compared' | 'keys' | 'exchanged'
> = {
  valid: [...innocents, ...innocentColumns],
  invalid: [
    {
      name: 'both lists come with the request',
      code: inHandler(
        'const { orders, payments } = req.body;',
        'res.json(orders.map((order) => «payments.find((one) => one.orderId === order.id)»));',
      ),
      findings: [
        {
          messageId: 'searched',
          severity: 'warning',
          route: 'POST /',
          data: {
            call: 'payments.find',
            list: 'payments',
            each: 'orders',
            remedy: 'Build a `Map` of `payments` by `orderId` before the loop, and get each element from there.',
          },
          related: ['for each element here', 'POST / is handled here'],
        },
      ],
    },
    {
      name: 'a search for more than one value',
      code: inHandler(
        'const { orders, payments } = req.body;',
        'res.json(orders.map((order) => «payments.find((one) => one.orderId === order.id && one.size === order.size)»));',
      ),
      findings: [
        {
          messageId: 'searched',
          severity: 'warning',
          data: { remedy: 'Group `payments` by `orderId` in a `Map` before the loop, and search only the group of each element.' },
        },
      ],
    },
    {
      name: 'a callback that awaits something before it searches',
      code: dedent`
        const app = require('express')();
        app.use(require('express').json());
        app.post('/', async (req, res) => {
          const { orders, payments } = req.body;
          await Promise.all(orders.map(async (order) => {
            await order.load();
            order.payment = «payments.find((one) => one.orderId === order.id)»;
          }));
          res.json(orders);
        });
      `,
      findings: [
        {
          messageId: 'searched',
          severity: 'hint',
          data: { stands: 'The loop awaits in between, so other requests can run.' },
        },
      ],
    },
    ...[
      [
        'a limit that lets much through',
        'const MAX = 50_000;',
        'for (const name of names) {',
        '  if (known.length >= MAX) break;',
        '  if (!«known.includes(name)») known.push(name);',
        '}',
      ],
      [
        'a limit before the loop that fills the list',
        'if (known.length > 10) return;',
        'for (const name of names) if (!«known.includes(name)») known.push(name);',
      ],
      [
        'lists that are searched only if they are long',
        'if (known.length > 10) {',
        '  for (const name of names) if (!«known.includes(name)») res.write(name);',
        '}',
      ],
      [
        'a limit of another list',
        'if (found.length > 10) return;',
        'for (const name of names) if (!«known.includes(name)») res.write(name);',
      ],
    ].map(([name = '', ...lines]) => ({
      name,
      code: inHandler('const { names, known, found } = req.body;', 'known.sort();', ...lines, 'res.json(known);'),
      findings: [
        {
          messageId: 'searched' as const,
          refused: [lines.some((line) => line.includes('push')) ? 'may be changed in the loop' : 'may change `known`'],
        },
      ],
    })),
    {
      name: 'a list to which the loop adds: a Set from before would lack that',
      code: inHandler(
        'const { names } = req.body;',
        'const { known } = req.body;',
        'for (const name of names) if (!«known.includes(name)») known.push(name);',
        'res.json(known);',
      ),
      findings: [
        {
          messageId: 'searched',
          data: { which: '', remedy: 'The loop also adds to `known`: keep a `Set` or `Map` beside it, and add to both.' },
          refused: ['may be changed in the loop'],
        },
      ],
    },
    {
      name: 'a list of which the loop takes away: no index from before holds',
      code: inHandler(
        'const { open } = req.body;',
        'open.forEach((name) => { if (!name) return; open.splice(«open.indexOf(name)», 1); });',
        'res.json(open);',
      ),
      findings: [
        {
          messageId: 'searched',
          data: {
            which: ' for which its conditions hold',
            remedy:
              'The loop also changes `open`, so an index of it would be outdated: collect the changes, and apply them after the loop.',
          },
        },
      ],
    },
    {
      name: 'a join by two loops',
      code: inHandler(
        'const { orders, payments } = req.body;',
        'for (const order of orders) {',
        '  for (const payment of payments) {',
        '    if («payment.orderId === order.id») order.paid = payment.amount;',
        '  }',
        '}',
        'res.json(orders);',
      ),
      findings: [
        {
          messageId: 'compared',
          severity: 'warning',
          route: 'POST /',
          data: { list: 'payments', each: 'orders' },
          related: ['for each element here', 'POST / is handled here'],
        },
      ],
    },
    {
      name: 'a join by counters, with names for the elements',
      code: dedent`
        exports.join = function (bookings, payments) {
          for (let i = 0; i < bookings.length; i++) {
            for (let j = 0; j < payments.length; j++) {
              if («bookings[i].id === payments[j].orderId && payments[j].isDone») {
                bookings[i].payment = payments[j];
                break;
              }
            }
          }
          bookings.forEach((booking) => {
            payments.forEach((payment) => {
              const { orderId } = payment;
              if («payment.orderId === booking.id») booking.done = orderId;
            });
          });
        };
      `,
      findings: [
        { messageId: 'compared', severity: 'hint' },
        { messageId: 'compared', severity: 'hint' },
      ],
    },
    {
      name: 'keys that are compared with keys',
      code: dedent`
        exports.share = function (ours, theirs) {
          for (const mine in ours) {
            for (const yours in theirs) {
              if («mine === yours») return true;
            }
          }
          return false;
        };
      `,
      findings: [{ messageId: 'keys', severity: 'hint', data: { list: 'theirs', each: 'ours' } }],
    },
    {
      name: 'a sort that exchanges elements, and one that bubbles',
      code: dedent`
        exports.sort = function (dates, numbers) {
          for (let i = 0; i < dates.length - 1; i++) {
            for (let j = i + 1; j < dates.length; j++) {
              if («dates[i] > dates[j]») {
                const one = dates[i];
                dates[i] = dates[j];
                dates[j] = one;
              }
            }
          }
          for (let i = 0; i < numbers.length; i++) {
            for (let j = 0; j < numbers.length - i - 1; j++) {
              if («numbers[j].at > numbers[j + 1].at») {
                const one = numbers[j];
                numbers[j] = numbers[j + 1];
                numbers[j + 1] = one;
              }
            }
          }
        };
      `,
      findings: [
        { messageId: 'exchanged', severity: 'hint', data: { list: 'dates' } },
        { messageId: 'exchanged', severity: 'hint', data: { list: 'numbers' } },
      ],
    },
    {
      name: 'the body is gathered by hand, in pieces of bytes',
      code: dedent`
        require('node:http').createServer(async (request, response) => {
          const pieces = [];
          for await (const piece of request) pieces.push(piece);
          const { wanted, known } = JSON.parse(Buffer.concat(pieces).toString());
          response.end(JSON.stringify(wanted.filter((sku) => «known.some((one) => one === sku)»)));
        }).listen(3000);

      `,
      findings: [{ messageId: 'searched', severity: 'warning' }],
    },
    {
      name: 'two searches of one list in a comparator: one report',
      code: inHandler(
        'const ids = req.body.rows.map(({ id }) => id);',
        'res.json(req.body.items.map((one) => «ids.indexOf(one)» - ids.indexOf(one)));',
      ),
      findings: [{ messageId: 'searched', severity: 'warning' }],
    },
    {
      name: 'a list that a callback of map makes',
      code: inHandler(
        'const known = req.body.rows.map(({ sku }) => sku);',
        'res.json(req.body.wanted.filter((sku) => !«known.includes(sku)»));',
      ),
      findings: [
        {
          messageId: 'searched',
          severity: 'warning',
          fixes: [
            {
              title: SET_TITLE,
              kind: 'suggestion',
              output: inHandler(
                'const known = req.body.rows.map(({ sku }) => sku);',
                'const knownSet = new Set(known);',
                'res.json(req.body.wanted.filter((sku) => !knownSet.has(sku)));',
              ),
            },
          ],
        },
      ],
    },
    {
      name: 'the body is gathered by hand, as text, by a helper',
      code: dedent`
        async function bodyOf(request) {
          let text = '';
          for await (const piece of request) text += piece;
          return text;
        }
        require('node:http').createServer(async (request, response) => {
          const { wanted, known } = JSON.parse(await bodyOf(request));
          response.end(JSON.stringify(wanted.filter((sku) => «known.some((one) => one === sku)»)));
        }).listen(3000);

      `,
      findings: [{ messageId: 'searched', severity: 'warning' }],
    },
    {
      name: 'both lists come from the database',
      code: inHandler(
        'const users = await User.findAll();',
        "const { rows: posts } = await pool.query('select * from posts');",
        'for (const user of users) user.posts = «posts.filter((post) => post.userId === user.id)»;',
        'res.json(users);',
      ),
      findings: [{ messageId: 'searched', severity: 'warning', related: ['for each element here', 'POST / is handled here'] }],
    },
    ...rowCases,
    ...columnCases,
    {
      name: 'a loop that waits in each round lets other requests run: a hint',
      code: inHandler(
        'const users = await User.findAll();',
        'const posts = await Post.findAll();',
        'for (const user of users) {',
        '  const own = «posts.filter((post) => post.userId === user.id)»;',
        '  await user.setPosts(own);',
        '}',
        'res.json(users);',
      ),
      findings: [
        {
          messageId: 'searched',
          severity: 'hint',
          data: { stands: 'The loop awaits in between, so other requests can run.' },
          related: ['for each element here'],
        },
      ],
    },
    {
      name: 'a list that only its caller knows: a hint',
      code: dedent`
        exports.missing = function (ids: string[], known: string[]) {
          return ids.filter((id) => !«known.includes(id)»);
        };
      `,
      file: '/app/lib/missing.ts',
      findings: [
        {
          messageId: 'searched',
          severity: 'hint',
          related: ['for each element here'],
          fixes: [
            {
              kind: 'suggestion',
              title: SET_TITLE,
              output: dedent`
                exports.missing = function (ids: string[], known: string[]) {
                  const knownSet = new Set(known);
                  return ids.filter((id) => !knownSet.has(id));
                };
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'a Set goes above the comment of its statement',
      code: dedent`
        exports.missing = function (ids: string[], known: string[]) {
          // Those that nobody knows.
          return ids.filter((id) => !«known.includes(id)»);
        };
      `,
      file: '/app/lib/missing.ts',
      findings: [
        {
          messageId: 'searched',
          severity: 'hint',
          related: ['for each element here'],
          fixes: [
            {
              kind: 'suggestion',
              title: SET_TITLE,
              output: dedent`
                exports.missing = function (ids: string[], known: string[]) {
                  const knownSet = new Set(known);
                  // Those that nobody knows.
                  return ids.filter((id) => !knownSet.has(id));
                };
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'the same list: duplicates',
      code: 'module.exports = (names) => names.filter((name, i) => «names.indexOf(name)» === i);\n',
      findings: [{ messageId: 'searched', severity: 'hint', related: ['for each element here'] }],
    },
    {
      name: 'duplicates, in the list that the callback is given',
      code: 'module.exports = (names) => names.filter((name, i, all) => «all.indexOf(name)» === i);\n',
      findings: [{ messageId: 'searched', severity: 'hint', related: ['for each element here'] }],
    },
    {
      name: 'the same in `reduce`, which gives it after the index',
      code: 'module.exports = (names) => names.reduce((found, name, i, all) => found + («all.indexOf(name)» === i ? 1 : 0), 0);\n',
      findings: [{ messageId: 'searched', severity: 'hint', related: ['for each element here'] }],
    },
    {
      name: 'the list that the loop fills',
      code: dedent`
        exports.unique = (rows) => {
          const seen = [];
          for (const row of rows) {
            if (!«seen.includes(row.id)») seen.push(row.id);
          }
          return seen;
        };
      `,
      findings: [
        {
          messageId: 'searched',
          severity: 'hint',
          related: ['for each element here'],
          refused: ['`seen` may be changed in the loop'],
        },
      ],
    },
    {
      name: 'a function that the loop calls adds to the list',
      code: dedent`
        exports.fill = function (ids: string[], known: string[]) {
          const keep = (id: string) => void known.push(id);
          for (const id of ids) {
            if (!«known.includes(id)») keep(id);
          }
        };
      `,
      file: '/app/lib/missing.ts',
      findings: [{ messageId: 'searched', related: ['for each element here'], refused: ['`keep` may change `known` while the loop runs'] }],
    },
    {
      name: 'other requests run between two rounds',
      code: dedent`
        exports.missing = async function (ids: string[], known: string[], save: (id: string) => Promise<void>) {
          for (const id of ids) {
            if (!«known.includes(id)») await save(id);
          }
        };
      `,
      file: '/app/lib/missing.ts',
      findings: [
        {
          messageId: 'searched',
          related: ['for each element here'],
          refused: ['other code, which runs meanwhile, may change `known` while the loop runs'],
        },
      ],
    },
    {
      name: 'nobody else has the list, whatever the loop calls',
      code: dedent`
        exports.missing = function (ids: string[], rows: { id: string }[], save: (id: string) => void) {
          const known: string[] = rows.map((row) => row.id);
          for (const id of ids) {
            if (!«known.includes(id)») save(id);
          }
        };
      `,
      file: '/app/lib/missing.ts',
      findings: [
        {
          messageId: 'searched',
          related: ['for each element here'],
          fixes: [
            {
              kind: 'suggestion',
              title: SET_TITLE,
              output: dedent`
                exports.missing = function (ids: string[], rows: { id: string }[], save: (id: string) => void) {
                  const known: string[] = rows.map((row) => row.id);
                  const knownSet = new Set(known);
                  for (const id of ids) {
                    if (!knownSet.has(id)) save(id);
                  }
                };
              `,
            },
          ],
        },
      ],
    },
    {
      name: '`Set` of another library',
      code: dedent`
        import { Set } from 'immutable';
        export function missing(ids: string[], known: string[]) {
          return Set(ids.filter((id) => !«known.includes(id)»));
        }
      `,
      file: '/app/lib/missing.ts',
      findings: [{ messageId: 'searched', related: ['for each element here'], refused: ['`Set` is something else in this file'] }],
    },
    {
      name: 'a list of any length is spread into the accumulator',
      code: 'exports.tags = (rows) => rows.reduce((all, row) => («[...all, ...row.tags]»), []);\n',
      findings: [
        {
          messageId: 'copied',
          severity: 'hint',
          refused: ['`push(...list)` fails for lists of more than about 125,000 elements'],
        },
      ],
    },
    {
      name: '`indexOf` of texts',
      code: dedent`
        exports.known = (names: string[], words: string[]) => {
          return words.filter((word) => «names.indexOf(String(word))» !== -1);
        };
      `,
      file: '/app/lib/known.ts',
      findings: [
        {
          messageId: 'searched',
          related: ['for each element here'],
          fixes: [
            {
              kind: 'suggestion',
              title: SET_TITLE,
              output: dedent`
                exports.known = (names: string[], words: string[]) => {
                  const namesSet = new Set(names);
                  return words.filter((word) => namesSet.has(String(word)));
                };
              `,
            },
          ],
        },
      ],
    },
    {
      name: '`indexOf` of what may be NaN',
      code: dedent`
        exports.known = (names: number[], words: number[]) => {
          return words.filter((word) => «names.indexOf(word)» >= 0);
        };
      `,
      file: '/app/lib/known.ts',
      findings: [
        {
          messageId: 'searched',
          related: ['for each element here'],
          refused: ['a `Set` finds NaN, and `indexOf` does not'],
        },
      ],
    },
    {
      name: 'an object that is copied for each element, where parameters have no parentheses',
      code: inHandler('const ids = req.body.rows.map(row => row.id);', 'res.json(ids.reduce((all, id) => («{ ...all, [id]: 1 }»), {}));'),
      findings: [
        {
          messageId: 'spread',
          fixes: [
            {
              kind: 'suggestion',
              title: 'Make the object with `Object.fromEntries`',
              output: inHandler('const ids = req.body.rows.map(row => row.id);', 'res.json(Object.fromEntries(ids.map(id => [id, 1])));'),
            },
          ],
        },
      ],
    },
    {
      name: 'an object that is copied for some elements',
      code: inHandler(
        'let all = {};',
        'for (const row of req.body.rows) if (row.isOpen) all = «{ ...all, [row.id]: row }»;',
        'res.json(all);',
      ),
      findings: [{ messageId: 'spread', data: { each: 'req.body.rows', which: ' for which its conditions hold' } }],
    },
    {
      name: 'an object that is copied for each element',
      code: inHandler('res.json(req.body.rows.reduce((all, row) => («{ ...all, [row.id]: row }»), {}));'),
      findings: [
        {
          messageId: 'spread',
          severity: 'warning',
          related: ['POST / is handled here'],
          fixes: [
            {
              kind: 'suggestion',
              title: 'Make the object with `Object.fromEntries`',
              output: inHandler('res.json(Object.fromEntries(req.body.rows.map((row) => [row.id, row])));'),
            },
          ],
        },
      ],
    },
    {
      name: 'what is added depends on what was gathered',
      code: inHandler('res.json(req.body.rows.reduce((all, row) => («{ ...all, [row.id]: (all[row.id] ?? 0) + 1 }»), {}));'),
      findings: [
        {
          messageId: 'spread',
          related: ['POST / is handled here'],
          refused: ['what is added depends on `all`'],
        },
      ],
    },
    {
      name: '`Object.assign` to a new object',
      code: 'exports.byId = (list) => list.reduce((all, one) => «Object.assign({}, all, { [one.id]: one })», {});\n',
      findings: [{ messageId: 'spread', severity: 'hint' }],
    },
    {
      name: 'an array that is copied for each element',
      code: 'exports.names = (list) => list.reduce((all, one) => «[...all, one.name]», []);\n',
      findings: [
        {
          messageId: 'copied',
          severity: 'hint',
          fixes: [
            {
              kind: 'suggestion',
              title: 'Add to the same array',
              output: dedent`
                exports.names = (list) =>
                  list.reduce((all, one) => {
                    all.push(one.name);
                    return all;
                  }, []);

              `,
            },
          ],
        },
      ],
    },
    {
      name: '`concat` in a loop',
      code: dedent`
        exports.all = (pages) => {
          let rows = [];
          for (const page of pages) rows = «rows.concat(page.rows)»;
          return rows;
        };
      `,
      findings: [{ messageId: 'copied', severity: 'hint' }],
    },
    {
      name: 'a body that is joined at every chunk',
      code: inHandler(
        'let body = Buffer.alloc(0);',
        "req.on('data', (chunk) => {",
        '  body = «Buffer.concat([body, chunk])»;',
        '});',
        "req.on('end', () => res.send(body));",
      ),
      findings: [{ messageId: 'joined', severity: 'warning', related: ['POST / is handled here', 'passes this function as a callback'] }],
    },
    {
      name: 'keys that are counted for each element',
      code: dedent`
        exports.index = (rows) => {
          const all = {};
          for (const row of rows) all[row.id] = «Object.keys(all).length»;
          return all;
        };
      `,
      findings: [{ messageId: 'counted', severity: 'hint' }],
    },
    {
      name: 'a queue',
      code: inHandler('const { jobs } = req.body;', 'while (jobs.length > 0) res.write(«jobs.shift()»);', 'res.end();'),
      findings: [{ messageId: 'moved', severity: 'hint' }],
    },
    {
      name: 'a list that a loop without a known end fills, and a method empties from the front',
      code: dedent`
        class Parser {
          rule() {
            const tokens = [];
            let token;
            while ((token = this.next())) tokens.push(token);
            return this.declaration(tokens);
          }
          declaration(tokens) {
            let text = '';
            while (tokens.length > 0) text += «tokens.shift()»[1];
            return text;
          }
        }
        module.exports = Parser;
      `,
      findings: [{ messageId: 'moved', severity: 'hint' }],
    },
  ],
};
