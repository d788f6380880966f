// Copies that somebody needs, that are small, or of which nobody knows.
import { dedent } from '../../analysis/testing/dedent.ts';
import type { ValidCase } from '../../analysis/testing/rule-tester.ts';

export const APP = "const app = require('express')();\n";
export const PG = `${APP}const { Pool } = require('pg');\nconst pool = new Pool();\n`;
export const LODASH = `${APP}const _ = require('lodash');\n`;

export const post = (head: string, ...lines: string[]): string =>
  `${head}app.post('/', async (req, res) => {\n${lines.map((line) => `  ${line}\n`).join('')}});\n`;

export const innocents: readonly ValidCase[] = [
  {
    name: 'a copy that is changed deeply, and the original is used',
    code: post(APP, 'const copy = structuredClone(req.body);', 'copy.user.name = 1;', 'res.json({ before: req.body, after: copy });'),
  },
  {
    name: 'a copy whose part is changed by another name',
    code: post(
      APP,
      'const copy = structuredClone(req.body);',
      'const { items } = copy;',
      'items.push(1);',
      'res.json({ before: req.body, after: copy });',
    ),
  },
  {
    name: 'a copy whose elements are changed in a loop',
    code: post(
      APP,
      'const copy = structuredClone(req.body.items);',
      'for (const item of copy) item.price *= 2;',
      'res.json({ before: req.body.items, after: copy });',
    ),
  },
  {
    name: 'a copy whose elements are changed in a callback',
    code: post(
      APP,
      'const copy = structuredClone(req.body.items);',
      'copy.forEach((item) => { delete item.secret; });',
      'res.json({ before: req.body.items, after: copy });',
    ),
  },
  {
    name: 'a copy that is passed to what may change it',
    code: post(
      APP,
      "const { apply } = require('./apply');",
      'const copy = structuredClone(req.body);',
      'apply(copy);',
      'res.json(req.body);',
    ),
  },
  {
    name: 'a copy that a function of the file changes deeply',
    code: dedent`
      ${post(APP, 'const copy = structuredClone(req.body);', 'hide(copy);', 'res.json({ copy, all: req.body });')}function hide(user) {
        user.card.number = '';
      }

    `,
  },
  {
    name: 'elements that replace those of the parameter, and are changed',
    code: dedent`
      ${LODASH}function named(users) {
        users = users.map((user) => _.cloneDeep(user));
        for (const user of users) user.name.first = '';
        return users;
      }
      app.post('/', (req, res) => res.json(named(load())));

    `,
  },
  {
    name: 'a copy that a function changes at all levels',
    code: dedent`
      ${post(APP, 'const copy = structuredClone(req.body);', 'clean(copy);', 'res.json({ copy, all: req.body });')}function clean(value) {
        delete value.secret;
        for (const part of Object.values(value)) clean(part);
      }

    `,
  },
  {
    name: 'a picture of what was before',
    code: post(
      PG,
      "const { rows } = await pool.query('SELECT * FROM users');",
      'const before = structuredClone(rows);',
      'rows[0].seen.last = Date.now();',
      'res.json({ before, rows });',
    ),
  },
  {
    name: 'a picture of state that others change while it is compared',
    code: dedent`
      const users = [];
      ${post(APP, 'const before = structuredClone(users);', 'await load();', 'res.json({ added: users.length - before.length });')}
    `,
  },
  {
    name: 'settings of the module that are handed out',
    code: dedent`
      const settings = require('./settings.json');
      ${post(APP, 'const own = structuredClone(settings);', 'own.user = req.body.user;', 'req.settings = own;', 'res.sendStatus(204);')}
    `,
  },
  {
    name: 'a list of the module that is handed out',
    code: dedent`
      ${APP}const plans = load();
      function plansOf() {
        return structuredClone(plans);
      }
      app.get('/', (req, res) => res.json(price(plansOf())));

    `,
  },
  {
    name: 'a small object that is written in the function',
    code: post(
      APP,
      'const defaults = { page: 1, size: 20 };',
      'const options = structuredClone(defaults);',
      'options.page = req.body.page;',
      'res.json(options);',
    ),
  },
  {
    name: 'one object of unknown size',
    code: dedent`
      ${APP}function withTime(options) {
        const own = structuredClone(options);
        own.time = 1;
        return own;
      }
      app.get('/', (req, res) => res.json(withTime(load())));

    `,
  },
  {
    name: 'a constant',
    code: post(APP, 'const copy = structuredClone({ a: 1 });', 'copy.b = 2;', 'res.json(copy);'),
  },
  {
    name: 'at startup',
    code: dedent`
      ${APP}const config = structuredClone(require('./config.json'));
      for (const route of config.routes) app.get(route, (req, res) => res.send(''));

    `,
  },
  {
    name: 'once',
    code: dedent`
      ${APP}let table;
      app.get('/', (req, res) => {
        table ??= structuredClone(JSON.parse(req.query.table));
        res.json(table.size);
      });

    `,
  },
  {
    name: 'a document of Mongoose that becomes plain',
    code: post(
      `${APP}const mongoose = require('mongoose');\nconst User = mongoose.model('User');\n`,
      'const users = await User.find({ team: req.body.team });',
      'const plain = users.map((user) => {',
      '  const copy = JSON.parse(JSON.stringify(user));',
      '  copy.isOnline = true;',
      '  return copy;',
      '});',
      'res.json(plain);',
    ),
    project: {
      manifest: { bin: [], scripts: {}, dependencies: { mongoose: '^8.0.0', express: '^4.0.0' }, devDependencies: {}, private: true },
    },
  },
  {
    name: 'dates that become texts',
    code: post(
      PG,
      "const { rows } = await pool.query('SELECT * FROM users');",
      'const plain = JSON.parse(JSON.stringify(rows));',
      'res.render("users", { since: plain.map((row) => row.since.slice(0, 10)) });',
    ),
  },
  {
    name: 'what is undefined is dropped',
    code: post(
      APP,
      'const { change } = JSON.parse(JSON.stringify({ change: patchOf(req.body) }));',
      'res.json(Object.keys(change).length);',
    ),
  },
  {
    name: 'with a replacer',
    code: post(APP, "const copy = JSON.parse(JSON.stringify(req.body, ['id', 'name']));", 'res.json(copy.id);'),
  },
  {
    name: 'with a list of what is moved',
    code: post(APP, 'const copy = structuredClone(req.body, { transfer: [] });', 'res.json(copy.id);'),
  },
  {
    name: 'a copy for each round of a loop, of an object that was parsed once',
    code: post(
      APP,
      'const template = JSON.parse(req.body.template);',
      'const pages = [];',
      'for (const user of req.body.users) {',
      '  const page = structuredClone(template);',
      '  page.head.user = user;',
      '  pages.push(page);',
      '}',
      'res.json(pages);',
    ),
  },
  {
    name: 'parsed, kept, and copied to be changed',
    code: dedent`
      const cache = new Map();
      ${post(APP, 'const page = JSON.parse(req.body.text);', 'cache.set(req.body.id, page);', 'const own = structuredClone(page);', 'own.head.user = 1;', 'res.json(own);')}
    `,
  },
  {
    name: 'parsed, and a part of it is used beside the copy',
    code: post(
      APP,
      'const page = JSON.parse(req.body.text);',
      'const head = page.head;',
      'const own = structuredClone(page);',
      'own.head.user = 1;',
      'res.json({ own, head });',
    ),
  },
  {
    name: 'a function of the same name',
    code: dedent`
      ${APP}function structuredClone(value) {
        return value.id;
      }
      app.post('/', (req, res) => res.json(structuredClone(req.body)));

    `,
  },
  {
    name: 'a package of another kind',
    code: dedent`
      ${APP}const _ = require('./lodash');
      app.post('/', (req, res) => res.json(_.cloneDeep(req.body).id));

    `,
  },
  {
    name: 'methods that nobody knows',
    code: post(LODASH, 'const grants = _.cloneDeep(req.body.grants);', "grants.deleteRole('owner');", 'res.json(grants);'),
  },
  {
    name: 'in a script',
    code: dedent`
      const text = require('node:fs').readFileSync('a.json', 'utf8');
      function main() {
        const all = structuredClone(JSON.parse(text));
        console.log(all.length);
      }
      main();

    `,
  },
];
