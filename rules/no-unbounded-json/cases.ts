import type { RuleCases } from '../../analysis/testing/rule-tester.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

const EXPRESS = "const express = require('express');\nconst app = express();\n";
const ROUTE = "\napp.post('/notes', (req, res) => res.send(req.body.text));\napp.listen(3000);";
const HTTP = "const http = require('node:http');\n";

export const cases: RuleCases<'limit' | 'route' | 'unlimited' | 'gathered'> = {
  valid: [
    {
      name: 'a small limit unless the environment sets another one, and a setting that this file does not show',
      code: dedent`
        ${EXPRESS}app.use(express.json({ limit: process.env.LIMIT || '100kb' }));
        app.post('/a', express.json({ limit: process.env.LIMIT || process.env.OTHER_LIMIT }));
        app.post('/b', express.json({ limit: isLarge && '50mb' }));${ROUTE}
      `,
    },
    { name: 'the default limit', code: `${EXPRESS}app.use(express.json());${ROUTE}` },
    { name: 'a limit of 1 MB', code: `${EXPRESS}app.use(express.json({ limit: '1mb' }));${ROUTE}` },
    { name: 'a limit of 5 MB, for pictures', code: `${EXPRESS}app.use(express.json({ limit: 5 * 1024 * 1024 }));${ROUTE}` },
    {
      name: 'a limit of the configuration',
      code: dedent`
        ${EXPRESS}const config = require('./config');
        app.use(express.json({ limit: config.limit }));${ROUTE}
      `,
    },
    {
      name: 'a parser of the application comes first, with its default limit',
      code: dedent`
        ${EXPRESS}app.use(express.json());
        app.use('/import', express.json({ limit: '50mb' }), (req, res) => res.send(req.body.text));${ROUTE}
      `,
    },
    {
      name: 'a parser of the application comes first, in a method that runs before',
      code: dedent`
        import express from 'express';
        export class Server {
          constructor() { this.app = express(); this.addMiddleware(); this.addRoutes(); }
          addRoutes() { this.app.use('/import', express.json({ limit: '50mb' }), (req, res) => res.send(req.body.text)); }
          addMiddleware() { this.app.use(express.json({ limit: '1mb' })); }
          start() { this.app.listen(3000); }
        }
      `,
    },
    { name: 'bytes that are not parsed', code: `${EXPRESS}app.use(express.raw({ limit: '50mb' }));${ROUTE}` },
    { name: 'text that is not parsed', code: `${EXPRESS}app.use(express.text({ limit: '50mb' }));${ROUTE}` },
    {
      name: 'a form: its parser stops after a thousand fields',
      code: `${EXPRESS}app.use(express.urlencoded({ extended: true, limit: '50mb' }));${ROUTE}`,
    },
    {
      name: 'a limit of a query',
      code: `${EXPRESS}app.get('/users', async (req, res) => res.json(await db.users.find({ limit: 50000000 })));`,
    },
    {
      name: 'a limit of a parser that is no JSON parser',
      code: `${EXPRESS}const { json } = require('./format');\napp.use(json({ limit: '50mb' }));${ROUTE}`,
    },
    { name: 'a text that is no size', code: `${EXPRESS}app.use(express.json({ limit: 'none' }));${ROUTE}` },
    {
      name: 'while developing',
      code: `${EXPRESS}if (process.env.NODE_ENV !== 'production') app.use(express.json({ limit: '50mb' }));${ROUTE}`,
    },
    { name: 'a test', file: 'test/app.test.js', code: `${EXPRESS}app.use(express.json({ limit: '50mb' }));${ROUTE}` },
    {
      name: 'multipart files of hapi, which are written to the disk',
      code: dedent`
        const Hapi = require('@hapi/hapi');
        const server = Hapi.server({ port: 3000 });
        server.route({ method: 'POST', path: '/files', options: { payload: { maxBytes: 1e9, output: 'file', parse: true } }, handler: (request) => request.payload.path });
      `,
    },
    {
      name: 'the limit of fastify that is its default',
      code: dedent`
        const fastify = require('fastify')({ bodyLimit: 1048576 });
        fastify.post('/', async (request) => request.body);
      `,
    },
    {
      name: 'a body that is gathered up to a limit',
      code: dedent`
        ${HTTP}http.createServer((req, res) => {
          let body = '';
          req.on('data', (chunk) => { body += chunk; if (body.length > 1e6) req.destroy(); });
          req.on('end', () => res.end(JSON.parse(body).name));
        }).listen(3000);
      `,
    },
    {
      name: 'a body whose bytes are counted',
      code: dedent`
        ${HTTP}http.createServer(async (req, res) => {
          const chunks = [];
          let size = 0;
          for await (const chunk of req) {
            size += chunk.length;
            if (size > 100_000) return res.writeHead(413).end();
            chunks.push(chunk);
          }
          res.end(JSON.parse(Buffer.concat(chunks).toString()).name);
        }).listen(3000);
      `,
    },
    {
      name: 'a body with a length that was checked',
      code: dedent`
        ${HTTP}http.createServer((req, res) => {
          if (!isAllowed(req.headers['content-length'])) return res.end();
          let body = '';
          req.on('data', (chunk) => { body += chunk; });
          req.on('end', () => res.end(JSON.parse(body).name));
        }).listen(3000);
      `,
    },
    {
      name: 'the answer of another server, to a request of our own',
      code: dedent`
        ${HTTP}http.createServer((req, res) => {
          http.get('http://prices/today', (answer) => {
            let text = '';
            answer.on('data', (chunk) => { text += chunk; });
            answer.on('end', () => res.end(JSON.parse(text).price));
          });
        }).listen(3000);
      `,
    },
    {
      name: 'a body that is gathered and not parsed',
      code: dedent`
        ${HTTP}http.createServer((req, res) => {
          let body = '';
          req.on('data', (chunk) => { body += chunk; });
          req.on('end', () => res.end(body));
        }).listen(3000);
      `,
    },
    {
      name: 'a server for this machine alone',
      code: dedent`
        ${HTTP}http.createServer((req, res) => {
          let body = '';
          req.on('data', (chunk) => { body += chunk; });
          req.on('end', () => res.end(JSON.parse(body).name));
        }).listen(3000, '127.0.0.1');
      `,
    },
    {
      name: 'a text of the program',
      code: `${EXPRESS}app.get('/', (req, res) => { const data = '{"a":1}'; res.json(JSON.parse(data)); });`,
    },
    {
      name: 'a field of a body that has the default limit',
      code: dedent`
        ${EXPRESS}app.use(express.json());
        app.post('/', (req, res) => { const data = req.body.data; res.json(JSON.parse(data)); });
      `,
    },
    {
      name: 'configuration that is read before the server listens',
      code: dedent`
        ${HTTP}let data = '';
        for (const part of require('./parts')) data += part;
        const config = JSON.parse(data);
        http.createServer((req, res) => res.end(config.name)).listen(3000);
      `,
    },
    {
      name: 'what a child process writes',
      code: dedent`
        ${HTTP}const { spawn } = require('node:child_process');
        http.createServer((req, res) => {
          const child = spawn('uptime-json');
          let data = '';
          child.stdout.on('data', (chunk) => { data += chunk; });
          child.on('close', () => res.end(JSON.parse(data).up));
        }).listen(3000);
      `,
    },
    {
      name: 'a command that reads its input',
      code: dedent`
        let data = '';
        process.stdin.on('data', (chunk) => { data += chunk; });
        process.stdin.on('end', () => console.log(JSON.parse(data).name));
      `,
    },
  ],
  invalid: [
    {
      name: 'fifty megabytes for all routes',
      code: `${EXPRESS}app.use(express.json({ limit: «'50mb'» }));${ROUTE}`,
      findings: [
        {
          messageId: 'limit',
          severity: 'warning',
          data: { option: 'limit', size: '50 MB', records: 'about 0.2 to 0.5 s', slow: 'about 3 to 5 s', byDefault: '100 kB' },
        },
      ],
    },
    {
      name: 'with imports, and in bytes',
      code: dedent`
        import express from 'express';
        import { json } from 'body-parser';
        const app = express();
        app.use(json({ strict: true, limit: «100 * 1024 * 1024» }));
        app.post('/', (req, res) => res.send(req.body.name));
      `,
      findings: [{ messageId: 'limit', severity: 'warning', data: { size: '100 MB' } }],
    },
    {
      name: 'a constant',
      code: dedent`
        ${EXPRESS}const LIMIT = '500MB';
        const options = { limit: «LIMIT» };
        app.use(express.json(options));${ROUTE}
      `,
      findings: [{ messageId: 'limit', severity: 'warning', data: { size: '500 MB', slow: 'about 32 to 54 s' } }],
    },
    {
      name: 'ten megabytes',
      code: dedent`
        ${EXPRESS}const bodyParser = require('body-parser');
        app.use(bodyParser.json({ limit: «'10mb'» }));${ROUTE}
      `,
      findings: [{ messageId: 'limit', severity: 'hint', data: { size: '10 MB' } }],
    },
    {
      name: 'a limit that is longer than any text',
      code: `${EXPRESS}app.use(express.json({ limit: «'2048mb'» }));${ROUTE}`,
      findings: [{ messageId: 'unlimited', severity: 'warning', data: { most: '2,048 MB of JSON', unless: '' } }],
    },
    {
      name: 'a limit that holds unless the environment sets another one',
      code: dedent`
        ${EXPRESS}const jsonBodyLimit = process.env.JSON_BODY_LIMIT || '50mb';
        app.post('/import', express.json({ limit: «config.limits.body ?? '80mb'» }));
        app.use(express.json({ limit: «jsonBodyLimit» }));${ROUTE}
      `,
      findings: [
        { messageId: 'route', severity: 'hint', data: { size: '80 MB', unless: ' unless `config.limits.body` is set' } },
        { messageId: 'limit', severity: 'hint', data: { size: '50 MB', unless: ' unless `process.env.JSON_BODY_LIMIT` is set' } },
      ],
    },
    {
      name: 'a limit of the file, whatever stands behind it, and one that two settings may change',
      code: dedent`
        ${EXPRESS}const limits = { json: '20mb', zero: 0, late: '90mb' };
        limits.late = process.env.LATE;
        app.post('/a', express.json({ limit: «limits.json || '10mb'» }));
        app.post('/b', express.json({ limit: «process.env.A || limits.json || '10mb'» }));
        app.post('/c', express.json({ limit: «process.env.A || process.env.B || '50mb'» }));
        app.post('/d', express.json({ limit: «limits.zero || '40mb'» }));
        app.post('/e', express.json({ limit: load() || '60mb' }));${ROUTE}
      `,
      findings: [
        { messageId: 'route', severity: 'hint', data: { size: '20 MB', unless: '' } },
        { messageId: 'route', severity: 'hint', data: { size: '20 MB', unless: ' unless `process.env.A` is set' } },
        { messageId: 'route', severity: 'hint', data: { size: '50 MB', unless: ' unless `process.env.A` or `process.env.B` is set' } },
        { messageId: 'route', severity: 'hint', data: { size: '40 MB' } },
      ],
    },
    {
      name: 'no limit',
      code: `${EXPRESS}app.use(express.json({ limit: «Infinity» }));${ROUTE}`,
      findings: [{ messageId: 'unlimited', severity: 'warning' }],
    },
    {
      name: 'for one route',
      code: `${EXPRESS}app.post('/import', express.json({ limit: «'50mb'» }), (req, res) => res.send(req.body.name));`,
      findings: [{ messageId: 'route', severity: 'hint' }],
    },
    {
      name: 'for some routes',
      code: dedent`
        ${EXPRESS}const large = express.json({ limit: «'50mb'» });
        app.use('/import', large);
        app.post('/import', (req, res) => res.send(req.body.name));
      `,
      findings: [{ messageId: 'route', severity: 'hint' }],
    },
    {
      name: 'the parser of the application comes after it',
      code: dedent`
        ${EXPRESS}app.use('/import', express.json({ limit: «'50mb'» }), (req, res) => res.send(req.body.text));
        app.use(express.json());${ROUTE}
      `,
      findings: [{ messageId: 'route', severity: 'hint' }],
    },
    {
      name: 'the parser before it is for another route, runs on a condition, or takes more',
      code: dedent`
        ${EXPRESS}app.use('/notes', express.json());
        if (process.env.SMALL) app.use(express.json());
        app.use(express.json({ limit: '5mb', verify }));
        app.use('/import', express.json({ limit: «'50mb'», type: '*/*' }));${ROUTE}
      `,
      findings: [{ messageId: 'route', severity: 'hint' }],
    },
    {
      name: 'a parser in a variable, for all routes',
      code: `${EXPRESS}const parser = express.json({ limit: «'50mb'» });\napp.use(parser);${ROUTE}`,
      findings: [{ messageId: 'limit', severity: 'warning' }],
    },
    {
      name: 'fastify',
      code: dedent`
        const fastify = require('fastify')({ logger: true, bodyLimit: «50 * 1024 * 1024» });
        fastify.post('/', async (request) => request.body);
      `,
      findings: [{ messageId: 'limit', severity: 'warning', data: { option: 'bodyLimit', byDefault: '1 MB' } }],
    },
    {
      name: 'a route of fastify',
      code: dedent`
        import Fastify from 'fastify';
        const app = Fastify();
        app.post('/import', { bodyLimit: «1e8» }, async (request) => request.body);
      `,
      findings: [{ messageId: 'route', severity: 'hint' }],
    },
    {
      name: 'koa-body',
      code: dedent`
        const Koa = require('koa');
        const { koaBody } = require('koa-body');
        const app = new Koa();
        app.use(koaBody({ jsonLimit: «'64mb'» }));
        app.use((ctx) => { ctx.body = ctx.request.body; });
      `,
      findings: [{ messageId: 'limit', severity: 'warning', data: { option: 'jsonLimit' } }],
    },
    {
      name: 'a route of hapi',
      code: dedent`
        const Hapi = require('@hapi/hapi');
        const server = Hapi.server({ port: 3000 });
        server.route({ method: 'POST', path: '/import', options: { payload: { maxBytes: «104857600» } }, handler: (request) => request.payload });
      `,
      findings: [{ messageId: 'route', severity: 'hint', data: { option: 'maxBytes' } }],
    },
    {
      name: 'Nest',
      code: dedent`
        import { NestFactory } from '@nestjs/core';
        import { json } from 'express';
        import { AppModule } from './app.module';
        async function bootstrap() {
          const app = await NestFactory.create(AppModule, { bodyParser: false });
          app.use(json({ limit: «'50mb'» }));
          await app.listen(3000);
        }
        bootstrap();
      `,
      file: 'src/main.ts',
      findings: [{ messageId: 'limit', severity: 'warning' }],
    },
    {
      name: 'a body that is gathered as text',
      code: dedent`
        ${HTTP}http.createServer((req, res) => {
          let body = '';
          req.on('data', (chunk) => { body += chunk; });
          req.on('end', () => res.end(«JSON.parse(body)».name));
        }).listen(3000);
      `,
      findings: [{ messageId: 'gathered', severity: 'warning', data: { size: '50 MB' } }],
    },
    {
      name: 'a body that is gathered in pieces',
      code: dedent`
        import { createServer } from 'node:http';
        createServer(async (request, response) => {
          const chunks = [];
          for await (const chunk of request) chunks.push(chunk);
          const body = Buffer.concat(chunks).toString('utf8');
          response.end(«JSON.parse(body || '{}')».name);
        }).listen(3000);
      `,
      findings: [{ messageId: 'gathered', severity: 'warning' }],
    },
    {
      name: 'in a helper of the file',
      code: dedent`
        ${HTTP}function readBody(req) {
          return new Promise((resolve, reject) => {
            const chunks = [];
            req.on('data', (chunk) => chunks.push(chunk)).on('error', reject);
            req.on('end', () => resolve(«JSON.parse(Buffer.concat(chunks))»));
          });
        }
        http.createServer(async (req, res) => res.end((await readBody(req)).name)).listen(3000);
      `,
      findings: [{ messageId: 'gathered', severity: 'warning' }],
    },
    {
      name: 'with stream/consumers',
      code: dedent`
        import { createServer } from 'node:http';
        import { json } from 'node:stream/consumers';
        createServer(async (request, response) => response.end((await «json(request)»).name)).listen(3000);
      `,
      findings: [{ messageId: 'gathered' }],
    },
  ],
};
