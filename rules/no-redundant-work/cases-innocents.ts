// Work that looks redundant and is not, or of which nobody knows.
import { dedent } from '../../analysis/testing/dedent.ts';
import type { ValidCase } from '../../analysis/testing/rule-tester.ts';

const APP = "const app = require('express')();\n";
const PG = `${APP}const { Pool } = require('pg');\nconst pool = new Pool();\n`;
const MONGOOSE = dedent`
  ${APP}const mongoose = require('mongoose');
  const User = mongoose.model('User');
  const Post = mongoose.model('Post');

`;

const get = (head: string, ...lines: string[]): string =>
  `${head}app.get('/', async (req, res) => {\n${lines.map((line) => `  ${line}\n`).join('')}});\n`;

export const innocents: readonly ValidCase[] = [
  {
    name: 'the text of a small value',
    code: get(
      APP,
      "const text = JSON.stringify(req.query).length < 400 ? JSON.stringify(req.query) : '[big]';",
      'if (JSON.stringify(req.params).length <= 1000) console.log(JSON.stringify(req.params));',
      'res.end(text);',
    ),
  },
  {
    name: 'patterns and texts that differ, or that only some elements need',
    options: { exports: true },
    code: dedent`
      const { makeRe } = require('./patterns');
      exports.match = (files, patterns, word, state) => {
        let rest = word;
        const found = files.filter((file) => new RegExp(file.pattern).test(word));
        for (const file of files) if (file.isOdd) found.push(makeRe(patterns[0]));
        let at;
        for (at = 0; at < patterns.length; at++) found.push(makeRe(patterns[at]));
        found.push(...state.fields.map((field) => ({ [field]: new RegExp(word, 'i') })));
        for (const file of files) {
          rest = rest.slice(1);
          if (new RegExp(rest).test(file)) found.push(file);
        }
        while (state.next()) {
          const text = state.text.trim().replace('a', 'b');
          state.move(text);
        }
        for (const file of files) {
          const pattern = new RegExp(word, 'g');
          while (pattern.test(file)) found.push(file);
        }
        for (const file of files) if (file.startsWith(word.toLowerCase())) found.push(file);
        return found.filter((file) => new RegExp('a b').test(file));
      };
    `,
  },
  {
    name: 'functions that are known by their names alone, in an application',
    code: dedent`
      ${APP}const { stringify, makeRe } = require('./text');
      app.post('/', (req, res) => {
        const { cookie, pattern, files } = req.body;
        const text = stringify(cookie);
        if (text) res.append('Set-Cookie', stringify(cookie));
        res.json(files.filter((file) => makeRe(pattern).test(file)));
      });
    `,
  },
  {
    name: 'a function that is called twice, and whose argument changes in between',
    options: { exports: true },
    code: dedent`
      const { stringify, format } = require('./text');
      exports.write = (stream, cookie, user) => {
        const text = stringify(cookie);
        cookie.path = '/';
        stream.write(text, stringify(cookie));
        const name = format(user);
        stream.write(user);
        stream.write(format(user), name);
      };
    `,
  },
  {
    name: 'read again after a write',
    code: get(
      MONGOOSE,
      'const before = await User.findById(req.params.id);',
      'await User.updateOne({ _id: req.params.id }, { seen: true });',
      'const after = await User.findById(req.params.id);',
      'res.json({ before, after });',
    ),
  },
  {
    name: 'read again after a document was saved',
    code: get(
      MONGOOSE,
      'const user = await User.findById(req.params.id);',
      'user.name = req.query.name;',
      'await user.save();',
      'const after = await User.findById(req.params.id);',
      'res.json({ user, after });',
    ),
  },
  {
    name: 'read again after what may write',
    code: get(
      PG,
      "const before = await pool.query('SELECT * FROM orders WHERE id = $1', [req.params.id]);",
      'await ship(before.rows[0]);',
      "const after = await pool.query('SELECT * FROM orders WHERE id = $1', [req.params.id]);",
      'res.json({ before, after });',
    ),
  },
  {
    name: 'read again because the first was changed',
    code: get(
      MONGOOSE,
      'const user = await User.findById(req.params.id);',
      "user.name = 'changed';",
      'const old = await User.findById(req.params.id);',
      'res.json({ user, old });',
    ),
  },
  {
    name: 'one of two branches',
    code: get(
      MONGOOSE,
      'let user;',
      'if (req.query.full) user = await User.findById(req.params.id);',
      'else user = await User.findById(req.params.id);',
      'res.json(user);',
    ),
  },
  {
    name: 'only some requests have read it',
    code: get(
      MONGOOSE,
      'if (req.query.check) {',
      '  const user = await User.findById(req.params.id);',
      '  if (!user) return res.sendStatus(404);',
      '}',
      'res.json(await User.findById(req.params.id));',
    ),
  },
  {
    name: 'another question',
    code: get(
      MONGOOSE,
      'let id = req.params.id;',
      'const user = await User.findById(id);',
      'id = user.friend;',
      'const friend = await User.findById(id);',
      'res.json({ user, friend });',
    ),
  },
  {
    name: 'another variable of the same name',
    code: get(
      MONGOOSE,
      'const id = req.params.id;',
      'const user = await User.findById(id);',
      'if (user) {',
      '  const id = user.friend;',
      '  return res.json(await User.findById(id));',
      '}',
      'res.json(user);',
    ),
  },
  {
    name: 'a lock is checked again once it is held',
    code: get(
      `${APP}const redis = require('redis').createClient();\n`,
      "let value = await redis.get('report');",
      "await lock.acquire('report');",
      "value = value ?? (await redis.get('report'));",
      'res.json(value);',
    ),
  },
  {
    name: 'waits until it is there',
    code: get(
      MONGOOSE,
      'let job = await Post.findById(req.params.id);',
      'while (!job.done) {',
      '  await new Promise((resolve) => setTimeout(resolve, 50));',
      '  job = await Post.findById(req.params.id);',
      '}',
      'res.json(job);',
    ),
  },
  {
    name: 'random rows',
    code: get(
      PG,
      "const one = await pool.query('SELECT id FROM users ORDER BY random() LIMIT 1');",
      "const other = await pool.query('SELECT id FROM users ORDER BY random() LIMIT 1');",
      'res.json({ one, other });',
    ),
  },
  {
    name: 'tried again after an error',
    code: get(
      MONGOOSE,
      'let user;',
      'try {',
      '  user = await User.findById(req.params.id);',
      '} catch {',
      '  user = await User.findById(req.params.id);',
      '}',
      'res.json(user);',
    ),
  },
  {
    name: 'two objects of their own',
    code: get(
      APP,
      'const data = JSON.parse(req.query.text);',
      'const old = JSON.parse(req.query.text);',
      'change(data);',
      'res.json({ data, old });',
    ),
  },
  {
    name: 'a copy',
    code: get(APP, 'const copy = JSON.parse(JSON.stringify(req.body));', 'res.json([copy, JSON.parse(JSON.stringify(req.body))]);'),
  },
  {
    name: 'a text of what has changed meanwhile',
    code: get(
      APP,
      'const before = JSON.stringify(req.body);',
      'normalize(req.body);',
      'res.json({ before, after: JSON.stringify(req.body) });',
    ),
  },
  {
    name: 'a text of a property that is written',
    code: get(
      APP,
      'const before = JSON.stringify(req.body);',
      "req.body.name = 'changed';",
      'res.json({ before, after: JSON.stringify(req.body) });',
    ),
  },
  {
    name: 'a text with an await between, in which others may change it',
    code: get(APP, 'const before = JSON.stringify(state);', 'await load();', 'res.json({ before, after: JSON.stringify(state) });'),
  },
  {
    name: 'another text is parsed',
    code: get(APP, 'let text = req.query.a;', 'const a = JSON.parse(text);', 'text = req.query.b;', 'res.json([a, JSON.parse(text)]);'),
  },
  {
    name: 'a file that is written between',
    code: get(
      `${APP}const fs = require('node:fs');\n`,
      "const before = fs.readFileSync(req.query.file, 'utf8');",
      'fs.writeFileSync(req.query.file, before.trim());',
      "res.send(fs.readFileSync(req.query.file, 'utf8'));",
    ),
  },
  {
    name: 'a key of its own each time',
    code: get(
      `${APP}const crypto = require('node:crypto');\n`,
      "const a = crypto.createHash('sha256').update(String(Date.now())).digest('hex');",
      "const b = crypto.createHash('sha256').update(String(Date.now())).digest('hex');",
      'res.json({ a, b });',
    ),
  },
  {
    name: 'not for a request',
    code: dedent`
      ${PG}async function main() {
        console.log(await pool.query('SELECT * FROM users'));
        console.log(await pool.query('SELECT * FROM users'));
      }
      main();

    `,
  },
  {
    name: 'a condition that needs the answer',
    code: get(MONGOOSE, 'const user = await User.findById(req.params.id);', 'if (!user) return res.sendStatus(404);', 'res.json(user);'),
  },
  {
    name: 'a way out that uses the answer',
    code: get(
      MONGOOSE,
      'const user = await User.findById(req.params.id);',
      'if (req.query.short) return res.json(user.name);',
      'res.json(user);',
    ),
  },
  {
    name: 'a read that ends the request itself',
    code: get(
      MONGOOSE,
      'const user = await User.findById(req.params.id).orFail();',
      'if (!req.query.full) return res.sendStatus(204);',
      'res.json(user);',
    ),
  },
  {
    name: 'a condition that is awaited',
    code: get(
      MONGOOSE,
      'const user = await User.findById(req.params.id);',
      'if (await isBanned(req.ip)) return res.sendStatus(403);',
      'res.json(user);',
    ),
  },
  {
    name: 'something else happens before the way out',
    code: get(
      MONGOOSE,
      'const user = await User.findById(req.params.id);',
      'count(req);',
      'if (!req.query.full) return res.sendStatus(204);',
      'res.json(user);',
    ),
  },
  {
    name: 'a condition that goes on',
    code: get(
      MONGOOSE,
      'const user = await User.findById(req.params.id);',
      "if (!req.query.full) res.set('X-Short', '1');",
      'res.json(user);',
    ),
  },
  {
    name: 'asks whether the database is there',
    code: dedent`
      ${PG}app.get('/health', async function health(req, res) {
        const answer = await pool.query('SELECT 1');
        res.send('ok');
      });

    `,
  },
  {
    name: 'a result that is meant to be unused',
    code: get(MONGOOSE, 'const _user = await User.findById(req.params.id);', "res.send('ok');"),
  },
  {
    name: 'a request to another service, which may do something',
    code: get(APP, "const answer = await fetch('https://example.com/hook');", "res.send('ok');"),
  },
  {
    name: 'a text that is parsed to see whether it can be',
    code: get(APP, 'const parsed = JSON.parse(req.query.text);', "res.send('ok');"),
  },
  {
    name: 'an update whose result nobody needs',
    code: get(MONGOOSE, 'const result = await User.findOneAndUpdate({ _id: req.params.id }, { seen: true });', "res.send('ok');"),
  },
  {
    name: 'a query about the element',
    code: get(
      MONGOOSE,
      'for (const id of req.body.ids) {',
      '  const user = await User.findById(id);',
      '  if (user) res.write(user.name);',
      '}',
      'res.end();',
    ),
  },
  {
    name: 'a count that each round changes',
    code: get(
      MONGOOSE,
      'for (const title of req.body.titles) {',
      '  const number = await Post.countDocuments({ author: req.query.id });',
      '  await Post.create({ title, number });',
      '}',
      'res.end();',
    ),
  },
  {
    name: 'a loop that ends with the first',
    code: get(
      MONGOOSE,
      'for (const wait of req.body.waits) {',
      '  const user = await User.findById(req.query.id);',
      '  if (user.isReady) return res.json(user);',
      '  await sleep(wait);',
      '}',
      'res.end();',
    ),
  },
  {
    name: 'a fresh object for each element',
    code: get(APP, 'res.json(req.body.ids.map((id) => Object.assign(JSON.parse(req.body.template), { id })));'),
  },
  {
    name: 'tried up to three times',
    code: get(MONGOOSE, 'let user;', 'for (let i = 0; i < 3 && !user; i++) user = await User.findById(req.query.id);', 'res.json(user);'),
  },
  {
    name: 'a few elements that stand in the code',
    code: get(
      MONGOOSE,
      'const found = [];',
      "for (const kind of ['a', 'b']) found.push([kind, await User.findById(req.query.id)]);",
      'res.json(found);',
    ),
  },
  {
    name: 'a library, without the option',
    code: 'exports.hash = (value) => { log(JSON.stringify(value)); return key(JSON.stringify(value)); };\n',
  },
  {
    name: 'a library: only at start',
    options: { exports: true },
    code: dedent`
      const value = load();
      function hash() { log(JSON.stringify(value)); return key(JSON.stringify(value)); }
      exports.key = hash();

    `,
  },
  {
    name: 'lists that nothing reads, whose making does something',
    code: get(
      APP,
      'const sent = req.body.map((one) => res.write(JSON.stringify(one)));',
      'const sorted = req.body.sort();',
      'const ordered = [...req.body].sort((a, b) => compareAndCount(a, b));',
      'const checked = req.body.map((one) => JSON.parse(one));',
      'const numbered = req.body.map((one) => { count += 1; return JSON.stringify(one); });',
      'res.json(sorted);',
    ),
  },
  {
    name: 'lists that are read, or meant to be unused',
    code: get(
      APP,
      'const texts = req.body.map((one) => JSON.stringify(one));',
      'const sorted = [...req.body].sort();',
      'const _ordered = req.body.toSorted();',
      'const names = req.body.map((one) => one.name);',
      'res.json({ texts, sorted });',
    ),
  },
  {
    name: 'functions that may do more than make a list',
    code: get(
      `${APP}const { forEachOf, mapAndSend } = require('./objects');\n`,
      'const texts = forEachOf(req.body, (one) => JSON.stringify(one));',
      'const sent = mapAndSend(req.body, (one) => JSON.stringify(one));',
      "res.send('ok');",
    ),
  },
  {
    name: 'dates of each element, dates that are changed, and dates that others get',
    code: dedent`
      const moment = require('moment');
      const app = require('express')();
      app.post('/', (req, res) => {
        const { until, rows } = req.body;
        let last = req.body.last;
        res.json([
          rows.filter((row) => moment(row.at).isSame(moment(row.until))),
          rows.map((row) => moment(until).add(row.days, 'day')),
          rows.map((row) => row.plan(moment(until))),
          rows.filter((row) => { last = row.at; return moment(row.at).isBefore(moment(last)); }),
          rows.filter((row) => row.isOpen && other(row) ? true : moment(row.at).isBefore(moment(until))),
          rows.find((row) => row.isOpen && moment().isBefore(row.at)),
          ['a', 'b'].filter((name) => moment(rows[name]).isBefore(moment(until))),
        ]);
      });
    `,
  },
];
