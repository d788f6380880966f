import { dedent } from '../../analysis/testing/dedent.ts';
import type { InvalidCase, RuleCases } from '../../analysis/testing/rule-tester.ts';
import { APP, innocents, LODASH, PG, post } from './cases-innocents.ts';

type Kind = 'read' | 'shallow' | 'fresh';
const found = (name: string, messageId: Kind, code: string, refused: readonly string[] = []): InvalidCase<Kind> => ({
  name,
  code,
  findings: [{ messageId, severity: 'hint', refused }],
});
const fixed = (name: string, messageId: Kind, code: string, title: string, output: string): InvalidCase<Kind> => ({
  name,
  code,
  findings: [{ messageId, severity: 'hint', fixes: [{ kind: 'suggestion', title, output }] }],
});
const VALUE = 'Use the value itself';
const TOP = 'Copy the top level only';
const QUERY = "const { rows } = await pool.query('SELECT * FROM users');";
const LISTED = 'does not show whether the value is an object or a list';

export const cases: RuleCases<Kind> = {
  valid: innocents,
  invalid: [
    fixed(
      'a body that is only read',
      'read',
      post(
        APP,
        'const body = «structuredClone(req.body)»;',
        'if (!body.items) return res.sendStatus(400);',
        'res.json({ items: body.items });',
      ),
      VALUE,
      post(APP, 'const body = req.body;', 'if (!body.items) return res.sendStatus(400);', 'res.json({ items: body.items });'),
    ),
    fixed(
      'a body through JSON',
      'read',
      post(APP, 'const { items } = «JSON.parse(JSON.stringify(req.body))»;', 'res.json(items.map((item) => item.price));'),
      VALUE,
      post(APP, 'const { items } = req.body;', 'res.json(items.map((item) => item.price));'),
    ),
    fixed(
      'through V8',
      'read',
      post(
        `${APP}const v8 = require('node:v8');\n`,
        'const body = «v8.deserialize(v8.serialize(req.body))»;',
        'res.json(body.items.length);',
      ),
      VALUE,
      post(`${APP}const v8 = require('node:v8');\n`, 'const body = req.body;', 'res.json(body.items.length);'),
    ),
    fixed(
      'with lodash',
      'read',
      post(LODASH, 'const body = «_.cloneDeep(req.body)»;', 'res.json(body.items.length);'),
      VALUE,
      post(APP, 'const body = req.body;', 'res.json(body.items.length);'),
    ),
    fixed(
      'with a package for it',
      'read',
      post(`${APP}const clone = require('rfdc')();\n`, 'const body = «clone(req.body)»;', 'res.json(body.items.length);'),
      VALUE,
      post(`${APP}const clone = require('rfdc')();\n`, 'const body = req.body;', 'res.json(body.items.length);'),
    ),
    fixed(
      'with a function of the file',
      'read',
      post(
        `${APP}const clone = (value) => JSON.parse(JSON.stringify(value));\n`,
        'const body = «clone(req.body)»;',
        'res.json(body.items.length);',
      ),
      VALUE,
      post(`${APP}const clone = (value) => JSON.parse(JSON.stringify(value));\n`, 'const body = req.body;', 'res.json(body.items.length);'),
    ),
    fixed(
      'a function of the file that only reads',
      'read',
      dedent`
        ${post(APP, 'const body = «structuredClone(req.body)»;', 'res.json(totalOf(body));')}function totalOf({ items }) {
          let total = 0;
          for (const item of items) total += item.price;
          return total;
        }

      `,
      VALUE,
      dedent`
        ${post(APP, 'const body = req.body;', 'res.json(totalOf(body));')}function totalOf({ items }) {
          let total = 0;
          for (const item of items) total += item.price;
          return total;
        }

      `,
    ),
    found(
      'made to text anyway',
      'read',
      post(APP, "const { load } = require('./load');", 'res.json(«JSON.parse(JSON.stringify(load(req.body)))»);'),
      ['whether the value is plain data'],
    ),
    found(
      'a list of the module that is only read',
      'read',
      dedent`
        const plans = require('./plans');
        ${post(APP, 'res.json(«structuredClone(plans.all)».filter((plan) => plan.price < 10).length);')}
      `,
      ['whether the value is plain data'],
    ),
    found(
      'a body whose top level is changed',
      'shallow',
      post(APP, 'const body = «structuredClone(req.body)»;', 'delete body.password;', 'res.json(body);'),
      [LISTED],
    ),
    found(
      'a list that is sorted',
      'shallow',
      post(
        APP,
        'const list = «JSON.parse(JSON.stringify(req.body.items))»;',
        'list.sort((a, b) => a.price - b.price);',
        'res.json({ list, all: req.body.items });',
      ),
      [LISTED],
    ),
    found('spread into another object', 'shallow', post(APP, 'res.json({ ...«structuredClone(req.body)», at: Date.now() });'), [LISTED]),
    fixed(
      'rows of which one field is set',
      'shallow',
      post(
        PG,
        QUERY,
        'const shown = rows.map((row) => {',
        '  const copy = «structuredClone(row)»;',
        '  copy.isSelf = copy.id === req.body.id;',
        '  return copy;',
        '});',
        'res.json({ shown, count: rows.length });',
      ),
      TOP,
      post(
        PG,
        QUERY,
        'const shown = rows.map((row) => {',
        '  const copy = { ...row };',
        '  copy.isSelf = copy.id === req.body.id;',
        '  return copy;',
        '});',
        'res.json({ shown, count: rows.length });',
      ),
    ),
    found(
      'elements of a parameter, in its own variable',
      'shallow',
      dedent`
        ${LODASH}function plainOf(videos) {
          return videos.map((video) => {
            video = «_.cloneDeep(video)»;
            video.service = 1;
            delete video.id;
            return video;
          });
        }
        app.post('/', (req, res) => res.json(plainOf(load())));

      `,
      ['the copy is passed on'],
    ),
    found(
      'elements that replace those of the parameter',
      'shallow',
      dedent`
        ${LODASH}function named(users) {
          users = users.map((user) => {
            const copy = «_.cloneDeep(user)»;
            copy.label = copy.name;
            return copy;
          });
          return users.filter((user) => user.label);
        }
        app.post('/', (req, res) => res.json(named(load())));

      `,
      ['the copy is passed on'],
    ),
    found(
      'of each element, by a function of the file',
      'shallow',
      dedent`
        ${LODASH}function hidden(user, keys) {
          const copy = «_.cloneDeep(user)»;
          for (const key of keys) copy[key] = null;
          return copy;
        }
        app.post('/', (req, res) => res.json(load().map((user) => hidden(user, ['mail']))));

      `,
      ['the copy is passed on'],
    ),
    found(
      'made to text by hand',
      'read',
      post(APP, "const { load } = require('./load');", 'res.end(JSON.stringify(«structuredClone(load(req.body))»));'),
      ['whether the value is plain data'],
    ),
    found(
      'in one of two branches',
      'shallow',
      post(
        APP,
        'let shown = {};',
        'if (req.body.items) {',
        '  shown = «JSON.parse(JSON.stringify(req.body))»;',
        '  delete shown.secret;',
        '}',
        'res.json(shown);',
      ),
      [LISTED],
    ),
    fixed(
      'parsed, and copied',
      'fresh',
      post(APP, 'const page = JSON.parse(req.body.text);', 'const own = «structuredClone(page)»;', 'own.head.user = 1;', 'res.json(own);'),
      VALUE,
      post(APP, 'const page = JSON.parse(req.body.text);', 'const own = page;', 'own.head.user = 1;', 'res.json(own);'),
    ),
    fixed(
      'parsed, checked, and copied',
      'fresh',
      post(
        APP,
        'const page = JSON.parse(req.body.text);',
        'if (!page.head) return res.sendStatus(400);',
        'const own = «JSON.parse(JSON.stringify(page))»;',
        'own.head.user = 1;',
        'res.json(own);',
      ),
      VALUE,
      post(
        APP,
        'const page = JSON.parse(req.body.text);',
        'if (!page.head) return res.sendStatus(400);',
        'const own = page;',
        'own.head.user = 1;',
        'res.json(own);',
      ),
    ),
    fixed(
      'the answer of a service',
      'fresh',
      post(
        APP,
        'const response = await fetch(process.env.URL);',
        'const { data } = «structuredClone(await response.json())»;',
        'data.list.push(1);',
        'res.json(data);',
      ),
      VALUE,
      post(
        APP,
        'const response = await fetch(process.env.URL);',
        'const { data } = await response.json();',
        'data.list.push(1);',
        'res.json(data);',
      ),
    ),
    fixed(
      'a part of the answer of a service',
      'fresh',
      post(
        APP,
        'const response = await fetch(process.env.URL);',
        'const data = «structuredClone(await response.json())».data;',
        'data.list.push(1);',
        'res.json(data);',
      ),
      VALUE,
      post(
        APP,
        'const response = await fetch(process.env.URL);',
        'const data = (await response.json()).data;',
        'data.list.push(1);',
        'res.json(data);',
      ),
    ),
    fixed(
      'rows',
      'fresh',
      post(PG, QUERY, 'const own = «structuredClone(rows)»;', 'for (const row of own) row.settings.theme = 1;', 'res.json(own);'),
      VALUE,
      post(PG, QUERY, 'const own = rows;', 'for (const row of own) row.settings.theme = 1;', 'res.json(own);'),
    ),
  ],
};
