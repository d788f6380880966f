// Regular expressions on texts that one file gets from a request, and another one tests: where the text comes from, and where nobody knows.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dedent } from '../../analysis/testing/dedent.ts';
import { findingsOf, toldOf, type Files } from './whole-project.ts';

const EXPRESS = "const express = require('express');\nconst app = express();\n";
const HELPER = 'exports.clean = (text) => text.replace(/\\s+$/, "");';

/** An application with one route, or the messages of a socket, and the helper in `text.js`. */
function told(handler: string, helper = HELPER, more: Files = {}): string[] {
  const files = { 'app.js': `${EXPRESS}const { clean } = require('./text');\n${handler}`, 'text.js': helper, ...more };
  return findingsOf(['no-unsafe-regex'], files).map((one) => [toldOf(one, files).at, one.data['sent']].join(' '));
}

describe('texts that come from no request, or are short', () => {
  const handlers: Readonly<Record<string, string>> = {
    'the URL': "app.get('/', (req, res) => res.send(clean(req.query.text) + clean(req.params.id) + clean(req.headers['x-text'])));",
    'cut by the caller': "app.post('/', (req, res) => res.send(clean(req.body.text.slice(0, 200))));",
    'made by a validator':
      "const z = require('zod');\nconst schema = z.object({ text: z.string().max(100) });\napp.post('/', (req, res) => res.send(clean(schema.parse(req.body).text)));",
    'the length of a text': "app.post('/', (req, res) => res.send(clean(String(req.body.text.length))));",
    'a setting': "const config = require('./config.json');\napp.post('/', (req, res) => res.send(clean(config.text)));",
    'a row': "app.post('/', async (req, res) => { const row = await find(req.body.id); res.send(clean(row.text)); });",
    'a constant': "app.post('/', (req, res) => res.send(clean('some text')));",
    'the user that a check before the handler found': "app.post('/', (req, res) => res.send(clean(req.user.name)));",
    'another argument than the one that came':
      "const { Server } = require('socket.io');\nnew Server().on('connection', (socket) => socket.on('save', (message, answer) => clean(answer.text)));",
    'what belongs to the connection':
      "const { Server } = require('socket.io');\nnew Server().on('connection', (socket) => clean(socket.name));",
    'only at startup': "clean(process.argv[2]);\napp.post('/', (req, res) => res.send('ok'));",
    'behind a spread': "app.post('/', (req, res) => res.send(clean(...[1], req.body.text)));",
  };
  for (const [name, handler] of Object.entries(handlers)) it(name, () => assert.deepEqual(told(handler), []));

  const helpers: Readonly<Record<string, string>> = {
    'cut by the helper': 'exports.clean = (text) => text.slice(0, 100).replace(/\\s+$/, "");',
    'rejected by the helper': 'exports.clean = (text) => { if (text.length > 1000) return ""; return text.replace(/\\s+$/, ""); };',
    'another value since': 'exports.clean = (text) => { text = text.slice(0, 100); return text.replace(/\\s+$/, ""); };',
    'a part of it': 'exports.clean = (text) => text.split("\\n")[0].replace(/\\s+$/, "");',
    'a pattern that is fast': 'exports.clean = (text) => text.replace(/^\\s+/, "");',
    'a parameter that is not the one that is passed': 'exports.clean = (other, text) => text.replace(/\\s+$/, "");',
    'the text of a function inside': 'exports.clean = (text) => load((text) => text.replace(/\\s+$/, ""));',
  };
  for (const [name, helper] of Object.entries(helpers))
    it(name, () => assert.deepEqual(told("app.post('/', (req, res) => res.send(clean(req.body.text)));", helper), []));
});

describe('texts of a body or a message that functions pass on', () => {
  it('a field of a body', () => {
    assert.deepEqual(told("app.post('/notes', (req, res) => res.send(clean(req.body.text)));"), [
      'text.js:1 passed hint the body of `POST /notes`',
    ]);
  });
  it('a whole body, in variables and by destructuring, and a field that the helper reads', () => {
    const helper = 'exports.clean = (note) => { const text = note.text || ""; return text.trim().replace(/\\/*$/, ""); };';
    assert.deepEqual(told("app.post('/notes', (req, res) => { const note = req.body; res.send(clean(note)); });", helper), [
      'text.js:1 passed hint the body of `POST /notes`',
    ]);
    assert.deepEqual(told("app.post('/notes', (req, res) => { const { body } = req; res.send(clean(body)); });", helper), [
      'text.js:1 passed hint the body of `POST /notes`',
    ]);
  });
  it('a message, through a registry of seventy classes, with the way of the text', () => {
    const names = Array.from({ length: 70 }, (_, i) => `Service${i}`);
    const files: Files = {
      'app.js': dedent`
        const { Server } = require('socket.io');
        const { Sender } = require('./sender');
        Sender.init();
        new Server().on('connection', (socket) => {
          socket.on('test', async (settings, answer) => answer(await Sender.send(settings, 'hello')));
        });
      `,
      'sender.js': dedent`
        ${names.map((name) => `const ${name} = require('./${name}');`).join('\n')}
        class Sender {
          static init() {
            this.services = {};
            const list = [${names.map((name) => `new ${name}()`).join(', ')}];
            for (const item of list) this.services[item.name] = item;
          }
          static async send(settings, text) {
            if (this.services[settings.type]) return this.services[settings.type].send(settings, text);
          }
        }
        exports.Sender = Sender;
      `,
      ...Object.fromEntries(
        names.map((name, i) => [
          `${name}.js`,
          `class ${name} { name = '${name}'; async send(settings, text) { return fetch(${i === 69 ? 'settings.url.replace(/\\/*$/, "")' : "'https://a.example'"}, { method: 'POST', body: text }); } }\nmodule.exports = ${name};`,
        ]),
      ),
    };
    const found = findingsOf(['no-unsafe-regex'], files);
    assert.deepEqual(
      found.map((one) => [toldOf(one, files).at, one.data['sent'], one.route]),
      [['Service69.js:1 passed hint', 'a message `WS test`', 'WS test']],
    );
    assert.deepEqual(
      found.map((one) => toldOf(one, files).related.map((place) => place.replace(/ calls? .*/, ''))),
      [['app.js:5 WS test is handled here', 'app.js:5', 'sender.js:78']],
    );
  });
  it('a body of Koa, two files up', () => {
    const files: Files = {
      'app.js':
        "const Koa = require('koa');\nconst { save } = require('./notes');\nconst app = new Koa();\napp.use(async (ctx) => { ctx.body = await save(ctx.request.body.text); });",
      'notes.js': "const { clean } = require('./text');\nexports.save = async (text) => clean(text);",
      'text.js': HELPER,
    };
    assert.deepEqual(
      findingsOf(['no-unsafe-regex'], files).map((one) => toldOf(one, files).at),
      ['text.js:1 passed hint'],
    );
  });
  it('exponential ones of a field are warnings', () => {
    const helper = 'exports.clean = (note) => /^(\\w+\\s?)*$/.test(note.name);';
    assert.deepEqual(told("app.post('/notes', (req, res) => res.send(clean(req.body)));", helper), ['text.js:1 exponential warning ']);
  });
});
