import type { RuleCases } from '../../analysis/testing/rule-tester.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

const EXPRESS = "const app = require('express')();\n";

type MessageId =
  | 'exponential'
  | 'polynomial'
  | 'quadratic'
  | 'passed'
  | 'constant'
  | 'schema'
  | 'exportedExponential'
  | 'exportedPolynomial';

export const cases: RuleCases<MessageId> = {
  valid: [
    {
      name: 'a library: texts that callers choose, where nothing or little is tried before them',
      options: { exports: true },
      code: dedent`
        const escapeRegExp = require('lodash/escapeRegExp');
        exports.a = (text, word) => new RegExp('^' + escapeRegExp(word) + '.*').test(text);
        exports.b = (text, word) => new RegExp('.*?' + escapeRegExp(word), 'y').test(text);
        exports.c = (text, word) => new RegExp('^.*?' + escapeRegExp(word)).test(text);
        exports.d = (text, word) => new RegExp('.*?' + escapeRegExp(word) + '|$').exec(text);
        exports.e = (text, word) => new RegExp('(.*?' + escapeRegExp(word) + ')?x').test(text);
        exports.h = (text, word) => new RegExp('.*?' + escapeRegExp(word) + '?').test(text);
        exports.i = (text, word) => new RegExp('.*?' + unescapeText(word)).test(text);
        exports.f = (text, word) => new RegExp('.*?' + word).test(text);
        exports.g = (text, word) => new RegExp('[.*?' + escapeRegExp(word) + ']').test(text);
      `,
    },
    {
      name: 'only a line break could stop it, and headers have none',
      code: dedent`
        const app = require('express')();
        app.get('/', (req, res) => {
          const header = req.headers.authorization || '';
          const { cookie = '' } = req.headers;
          const token = header.match(/^\\s*(Bearer|Token)\\s+(.+)\\s*$/i);
          res.send([token, req.get('x-names').match(/^.*\\s+.*\\s*$/), cookie.split(';')[0].match(/^\\s*(.+)\\s*$/)]);
        });
      `,
    },
    {
      name: 'only a line break could stop it, and headers of other frameworks have none either',
      code: dedent`
        import Koa from 'koa';
        const app = new Koa();
        app.use(async (ctx) => {
          const { request } = ctx;
          ctx.body = [ctx.get('x-a').match(/^\\s*(.+)\\s*$/), ctx.headers.x.match(/^\\s*(.+)\\s*$/), request.get('x').match(/^\\s*(.+)\\s*$/), ctx.req.headers.x.match(/^\\s*(.+)\\s*$/)];
        });
      `,
    },
    {
      name: 'words with a separator between them',
      code: `${EXPRESS}app.post('/', (req, res) => { if (/^[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*$/.test(req.body.slug)) res.end(); });`,
    },
    {
      name: 'the spaces at the end of what is short: the URL, a header',
      code: `${EXPRESS}app.get('/:id', (req, res) => res.send(req.query.text.replace(/\\s+$/, '') + req.get('user-agent').replace(/\\s+$/, '')));`,
    },
    {
      name: 'the spaces at the end of a text that is cut',
      code: `${EXPRESS}app.post('/', (req, res) => res.send(req.body.text.slice(0, 2000).replace(/\\s+$/, '')));`,
    },
    {
      name: 'the spaces at the end of a text whose length is checked',
      code: `${EXPRESS}app.post('/', (req, res) => { const { text } = req.body; if (text.length > 5000) return res.sendStatus(413); res.send(text.replace(/\\s+$/, '')); });`,
    },
    {
      name: 'a helper that tries an expression on short texts only',
      code: `${EXPRESS}function match(re, text) { if (text.length > 20) return false; return re.test(text); }\napp.get('/', (req, res) => res.send(String(match(/^(a+)+$/, req.query.q))));`,
    },
    {
      name: 'a helper that tries an expression on a text of its own, or does something else with it',
      code: `${EXPRESS}function match(re, text) { return re.test('aaaa') && text; }\nfunction show(re, text) { return re.source + text; }\napp.get('/', (req, res) => res.send(String(match(/^(a+)+$/, req.query.q)) + show(/^(b+)+$/, req.query.q)));`,
    },
    {
      name: 'a helper that is given a text of our own, and one that is replaced',
      code: `${EXPRESS}function match(re, text) { return re.test(text); }\nlet other = (re, text) => re.test(text);\nother = () => true;\napp.get('/', (req, res) => res.send(String(match(/^(a+)+$/, 'aaaa') && other(/^(b+)+$/, req.query.q))));`,
    },
    {
      name: 'the body itself is limited',
      code: dedent`
        const express = require('express');
        const app = express();
        app.use(express.json({ limit: '10kb' }));
        app.post('/', (req, res) => res.send(req.body.text.replace(/\\s+$/, '')));
      `,
    },
    {
      name: 'a field with a limit in the schema of the route',
      code: dedent`
        const fastify = require('fastify')();
        const schema = { body: { type: 'object', properties: { text: { type: 'string', maxLength: 500 } } } };
        fastify.post('/', { schema }, (request, reply) => reply.send(request.body.text.replace(/\\s+$/, '')));
      `,
    },
    {
      name: 'a field with a limit in a schema of zod',
      code: dedent`
        import { z } from 'zod';
        import Koa from 'koa';
        const schema = z.object({ text: z.string().min(1).max(280) });
        new Koa().use(async (ctx) => { schema.parse(ctx.request.body); ctx.body = ctx.request.body.text.replace(/\\s+$/, ''); });
      `,
    },
    {
      name: 'a field with a limit of express-validator',
      code: dedent`
        const { body } = require('express-validator');
        ${EXPRESS}app.post('/', body('text').isLength({ max: 200 }), (req, res) => res.send(req.body.text.replace(/\\s+$/, '')));
      `,
    },
    {
      name: 'spaces at the start, and what has one way only: linear',
      code: `${EXPRESS}app.post('/', (req, res) => res.send(req.body.text.replace(/^\\s+/, '').replace(/\\s+/g, ' ').split(/,\\s*/).join().replace(/[^a-z]+/g, '-')));`,
    },
    {
      name: 'a library without the option',
      code: `exports.trim = (text) => text.replace(/\\s+$/, '');`,
    },
    {
      name: 'a library whose text is its own',
      options: { exports: true },
      code: dedent`
        const os = require('os');
        const name = os.hostname();
        exports.host = () => name.replace(/\\s+$/, '');
        exports.isBig = () => /^(a+)+$/.test(process.env.NAME);
      `,
    },
    {
      name: 'a library that cuts the text',
      options: { exports: true },
      code: `exports.trim = (text) => { if (text.length > 100) throw new Error('too long'); return text.replace(/\\s+$/, ''); };`,
    },
    {
      name: 'numbers, bounded',
      code: `${EXPRESS}app.get('/:id', (req, res) => res.send(String(/^(?:[0-9]{1,3}\\.){3}[0-9]{1,3}$/.test(req.params.id))));`,
    },
    {
      name: 'at start-up',
      code: dedent`
        ${EXPRESS}const isName = /^(a+)+$/.test(process.env.NAME);
        app.get('/', (req, res) => res.send(String(isName)));
      `,
    },
    { name: 'a text of our own', code: `${EXPRESS}app.get('/', (req, res) => res.send(String(/^(a+)+$/.test('aaaa!'))));` },
    {
      name: 'what a database holds',
      code: `${EXPRESS}app.get('/', async (req, res) => { const rows = await load(); res.send(rows.filter((row) => /^(\\w+\\s?)+$/.test(row.name))); });`,
    },
    {
      name: 'a short text',
      code: `${EXPRESS}app.post('/', (req, res) => { const code = req.body.code.slice(0, 10); res.send(String(/^([a-z]+)+$/.test(code))); });`,
    },
    {
      name: 'refused when it is long',
      code: `${EXPRESS}app.post('/', (req, res) => { const { code } = req.body; if (code.length > 12) return res.sendStatus(400); res.send(String(/^([a-z]+)+$/.test(code))); });`,
    },
    {
      name: 'a number has no letters to try',
      code: `${EXPRESS}app.get('/:id', (req, res) => { const id = Number(req.params.id); res.send(String(/^(\\d+)+$/.test(id))); });`,
    },
    {
      name: 'in a test',
      file: 'test/app.test.js',
      code: `${EXPRESS}app.post('/', (req, res) => res.send(String(/^(a+)+$/.test(req.body.name))));`,
    },
    { name: 'a repetition that cannot fail', code: `${EXPRESS}app.post('/', (req, res) => res.send(req.body.text.match(/(?:a+)+/)));` },
    {
      name: 'a schema with one way only',
      code: dedent`
        import Joi from 'joi';
        export const schema = Joi.object({ name: Joi.string().pattern(/^[a-z]+(?: [a-z]+)*$/) });
      `,
    },
    {
      name: 'a method of another thing',
      code: dedent`
        import { Suite } from './suite.js';
        export const suite = new Suite().pattern(/^([a-z]+)+$/);
      `,
    },
    { name: 'one of them only', code: `${EXPRESS}app.post('/', (req, res) => res.send(String(/^a+b*c$/.test(req.body.name))));` },
    {
      name: 'not an expression of the language',
      code: dedent`
        ${EXPRESS}class RegExp { test() { return true; } }
        app.post('/', (req, res) => res.send(String(new RegExp('^(a+)+$').test(req.body.name))));
      `,
    },
    {
      name: 'made of what is not known',
      code: `${EXPRESS}app.post('/', (req, res) => res.send(String(new RegExp(load()).test(req.body.name))));`,
    },
    {
      name: 'called in a loop over lines of a file',
      code: dedent`
        import { readFileSync } from 'node:fs';
        export const names = readFileSync('names').toString().split('\\n').filter((line) => /^(\\w+\\s?)*$/.test(line));
      `,
    },
  ],
  invalid: [
    {
      name: 'a body that a table of functions gets',
      code: dedent`
        ${EXPRESS}const kinds = { plain: (text) => text.replace(«/\\s+$/», '') };
        app.post('/notes', (req, res) => res.send(kinds[req.query.kind](req.body.text)));
      `,
      findings: [{ messageId: 'passed', severity: 'hint', data: { sent: 'the body of `POST /notes`' } }],
    },
    {
      code: dedent`
        ${EXPRESS}app.post('/profile', (req, res) => {
          const { bankRouting } = req.body;
          const regexPattern = «/([0-9]+)+\\#/»;
          if (!regexPattern.test(bankRouting)) return res.sendStatus(400);
          res.end();
        });
      `,
      findings: [
        {
          messageId: 'exponential',
          severity: 'warning',
          route: 'POST /profile',
          data: { character: '0', part: '([0-9]+)+', where: '`POST /profile`' },
        },
      ],
    },
    {
      name: 'at the top level, tried in a handler',
      code: dedent`
        import Koa from 'koa';
        const NAME = «/^(\\w+\\s?)*$/»;
        const app = new Koa();
        app.use(async (ctx) => {
          ctx.body = NAME.test(ctx.query.name);
        });
      `,
      findings: [{ messageId: 'exponential' }],
    },
    {
      name: 'through a helper',
      code: dedent`
        ${EXPRESS}function isMail(text) {
          return text.trim().match(«/^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}(([a-z]{2,3})|([a-z]{2,3}[.]{1}[a-z]{2,3}))$/») !== null;
        }
        app.post('/sign-up', (req, res) => res.send(String(isMail(req.body.mail))));
      `,
      findings: [{ messageId: 'exponential', functionName: 'isMail', data: { character: 'A' } }],
    },
    {
      name: 'a helper that is given the expression',
      code: `${EXPRESS}function match(re, text) { return re.test(text); }\napp.get('/', (req, res) => res.send(String(match(«/^(a+)+$/», req.query.q))));`,
      findings: [{ messageId: 'exponential', data: { character: 'a' } }],
    },
    {
      name: 'a helper that is given the expression by a constant',
      code: `${EXPRESS}const NAME = «/^(a+)+$/»;\nconst matches = (text, re) => text.match(re) !== null;\napp.get('/', (req, res) => res.send(String(matches(req.query.q, NAME))));`,
      findings: [{ messageId: 'exponential' }],
    },
    {
      name: 'made with `new`',
      code: `${EXPRESS}app.get('/', (req, res) => res.send(String(«new RegExp('^(a+)+$', 'i')».test(req.query.q))));`,
      findings: [{ messageId: 'exponential' }],
    },
    {
      name: 'in a table of patterns, on a header',
      code: dedent`
        import { createServer } from 'node:http';
        const patterns = { agent: «/^(([a-z])+.)+[A-Z]([a-z])+$/», host: /^[a-z.]+$/ };
        createServer((request, response) => {
          response.end(String(patterns.agent.test(request.headers['user-agent'])));
        }).listen(1);
      `,
      findings: [{ messageId: 'exponential' }],
    },
    {
      name: 'long texts are refused, but not long enough ago',
      code: `${EXPRESS}app.post('/', (req, res) => { const { code } = req.body; if (code.length > 1000) return res.sendStatus(400); res.send(String(«/^([a-z]+)+$/».test(code))); });`,
      findings: [{ messageId: 'exponential' }],
    },
    {
      name: 'a header that other characters stop, and one that is decoded',
      code: dedent`
        const app = require('express')();
        app.get('/', (req, res) => {
          const names = decodeURIComponent(req.headers['x-names']).match(«/^\\s*Names\\s+(.+)\\s*$/»);
          res.send([names, req.headers['x-list'].match(«/^\\s*(\\w*)\\s*(.+),\\s*(\\w*)$/»), req.headers.cookie.match(«/^([a-z]+)+$/»)]);
        });
      `,
      findings: [{ messageId: 'polynomial' }, { messageId: 'polynomial' }, { messageId: 'exponential' }],
    },
    {
      name: 'headers on which it takes long, though the limit of the search is soon used up',
      code: dedent`
        const app = require('express')();
        app.get('/', (req, res) => {
          const type = req.headers['content-type'].match(«/^([^;]+);?\\s*(.*?)\\s*charset=(.*)$/»);
          res.send([type, req.headers.x.match(«/^(.*?)\\s*(.*?)\\s*=/»), req.headers.cookie.match(«/(?:^|.*;\\s*)token\\s*=\\s*([^;]*).*$/»)]);
        });
      `,
      findings: [{ messageId: 'polynomial' }, { messageId: 'polynomial' }, { messageId: 'polynomial' }],
    },
    {
      name: 'what a body calls headers',
      code: `${EXPRESS}app.post('/', (req, res) => { const { a } = req.body.headers; res.send([a.match(«/^\\s*(\\w+)\\s+(.+)\\s*$/»), req.body.headers.b.match(«/^\\s*b\\s+(.+)\\s*$/»)]); });`,
      findings: [{ messageId: 'polynomial' }, { messageId: 'polynomial' }],
    },
    {
      name: 'a variable of Hono, and no header',
      code: dedent`
        import { Hono } from 'hono';
        const app = new Hono();
        app.use(async (c, next) => { c.set('text', await c.req.text()); await next(); });
        app.post('/1', (c) => c.json([c.get('text').match(«/^\\s*(Bearer|Token)\\s+(.+)\\s*$/i»), c.req.header('x').match(/^\\s*(.+)\\s*$/)]));
        export default app;
      `,
      findings: [{ messageId: 'polynomial' }],
    },
    {
      name: 'the third power',
      code: `${EXPRESS}app.get('/', (req, res) => res.send(req.query.q.replace(«/.*.*=.*/», '')));`,
      findings: [{ messageId: 'polynomial', severity: 'hint', data: { degree: '3' } }],
    },
    {
      name: 'what the source itself shows to take forever',
      code: dedent`
        import Koa from 'koa';
        const app = new Koa();
        app.use(async (ctx) => {
          const r = «/([a-z]+)+$/»;
          const s = 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!';
          ctx.body = r.test(s);
        });
      `,
      findings: [{ messageId: 'constant', data: { character: 'a' } }],
    },
    {
      name: 'a schema of Joi',
      code: dedent`
        import Joi from 'joi';
        export const schema = Joi.object({ name: Joi.string().max(40).pattern(«/^(\\w+\\s?)+$/») });
      `,
      findings: [{ messageId: 'schema', severity: 'warning', data: { part: '(\\w+\\s?)+' } }],
    },
    {
      name: 'checks before the handler',
      code: dedent`
        const { body } = require('express-validator');
        module.exports = [body('code').isString().matches(«/^([A-Z0-9]+-?)+$/»)];
      `,
      findings: [{ messageId: 'schema' }],
    },
    {
      name: 'a field of a class',
      file: 'src/user.dto.ts',
      code: dedent`
        import { Matches } from 'class-validator';
        export class UserDto {
          @Matches(«/^([a-z]+)*$/»)
          name: string;
        }
      `,
      findings: [{ messageId: 'schema' }],
    },
    {
      name: 'a model of mongoose',
      code: dedent`
        const mongoose = require('mongoose');
        module.exports = new mongoose.Schema({ mail: { type: String, match: [«/^(\\w+[.-]?)+@x$/», 'no mail'] } });
      `,
      findings: [{ messageId: 'schema' }],
    },
    {
      name: 'what a client says on its socket',
      code: dedent`
        const { WebSocketServer } = require('ws');
        new WebSocketServer({ port: 1 }).on('connection', (socket) => { socket.on('message', (data) => { if (data.toString().search(«/(x+x+)+y/») < 0) socket.close(); }); });
      `,
      findings: [{ messageId: 'exponential' }],
    },
    {
      name: 'each of the names that were sent',
      code: `${EXPRESS}app.post('/', (req, res) => res.send(req.body.names.filter((name) => «/^(?:\\w+ ?)+$/».test(name))));`,
      findings: [{ messageId: 'exponential' }],
    },
    {
      name: 'the spaces at the end of a field of the body',
      code: `${EXPRESS}app.post('/', (req, res) => res.send(req.body.text.replace(«/\\s+$/», '')));`,
      findings: [
        {
          messageId: 'quadratic',
          severity: 'hint',
          data: {
            character: 'space',
            part: '\\s+',
            size: '102,400 bytes',
            limit: 'body-parser accepts 102,400 bytes unless another limit is set',
          },
        },
      ],
    },
    {
      name: 'a usual e-mail address',
      code: `${EXPRESS}app.post('/', (req, res) => res.send(String(«/^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$/».test(req.body.email))));`,
      findings: [{ messageId: 'quadratic', severity: 'hint' }],
    },
    {
      name: 'tags of a text in a body of Fastify',
      code: dedent`
        const fastify = require('fastify')({ bodyLimit: 2097152 });
        fastify.post('/', (request, reply) => reply.send(request.body.text.replace(«/<[^>]*>/g», '')));
      `,
      findings: [{ messageId: 'quadratic', data: { size: '2,097,152 bytes', limit: '`bodyLimit` is 2,097,152 bytes' } }],
    },
    {
      name: 'a body with a limit unless the environment sets another one',
      code: dedent`
        const express = require('express');
        const app = express();
        app.use(express.json({ limit: process.env.JSON_BODY_LIMIT || '10mb' }));
        app.post('/', (req, res) => res.send(req.body.text.replace(«/\\s+$/», '')));
      `,
      findings: [
        {
          messageId: 'quadratic',
          data: { size: '10,485,760 bytes', limit: '`limit` is 10,485,760 bytes unless `process.env.JSON_BODY_LIMIT` is set' },
        },
      ],
    },
    {
      name: 'a body that nothing limits',
      code: dedent`
        import { createServer } from 'node:http';
        createServer((request, response) => {
          let body = '';
          request.on('data', (piece) => { body += piece; });
          request.on('end', () => response.end(body.trim().replace(«/^\\/+|\\/+$/g», '')));
        }).listen(1);
      `,
      findings: [{ messageId: 'quadratic', data: { size: 'any number of bytes' } }],
    },
    {
      name: 'two ways by alternatives alone',
      code: `${EXPRESS}app.get('/', (req, res) => res.send(String(«/^(a|a)*b$/».test(req.query.q))));`,
      findings: [{ messageId: 'exponential', data: { character: 'a' } }],
    },
    {
      name: 'twice as long with every second character',
      code: `${EXPRESS}app.get('/', (req, res) => res.send(String(«/^(?:(?:ab)+)+$/».test(req.query.q))));`,
      findings: [{ messageId: 'exponential', data: { character: 'ab' } }],
    },
    {
      name: 'a library: what a caller passes',
      options: { exports: true },
      code: dedent`
        function clean(text) {
          const short = text.trim();
          return short.replace(«/\\s+$/», '');
        }
        exports.title = (options) => clean(options.title);
        exports.isName = (name) => «/^(\\w+\\s?)*$/».test(name);
      `,
      findings: [
        { messageId: 'exportedPolynomial', severity: 'hint', data: { degree: '2', size: '100,000 characters' } },
        { messageId: 'exportedExponential', severity: 'warning' },
      ],
    },
    {
      name: 'a library: anything before a text that callers choose',
      options: { exports: true },
      code: dedent`
        const escapeRegExp = require('lodash/escapeRegExp');
        exports.parse = (text, options) => {
          const opening = «new RegExp('([^]*?)' + escapeRegExp(options.open) + '(-|_)?\\s*(' + options.prefixes.join('|') + ')?', 'g')»;
          return opening.exec(text);
        };
        exports.has = (text, word) => «new RegExp(\`.*\${escapeRegExp(word)}\`)».test(text);
      `,
      findings: [
        { messageId: 'exportedPolynomial', severity: 'hint', data: { degree: '2' } },
        { messageId: 'exportedPolynomial', severity: 'hint', data: { degree: '2' } },
      ],
    },
    {
      name: 'a library: an expression that it exports, and one in a table',
      options: { exports: true },
      code: dedent`
        const rules = { tail: «/\\s+$/» };
        exports.cut = function (text) { return text.replace(this.rules.tail, ''); };
        exports.rules = rules;
        module.exports.name = () => «/^([a-z]+)+$/»;
      `,
      findings: [{ messageId: 'exportedPolynomial' }, { messageId: 'exportedExponential' }],
    },
  ],
};
