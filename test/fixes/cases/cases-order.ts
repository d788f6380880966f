// Who goes on while a handler waits: the next listener, the middleware before it, the framework that sends what it returns.
import { dedent } from '../../../analysis/testing/dedent.ts';
import type { PackageManifest } from '../../../protocol/project.ts';
import type { FixCase } from '../fix-case.ts';

const FS = "const fs = require('fs');\nconst zlib = require('zlib');\n";
const FIX = /^Convert to/;

const orders = (
  name: string,
  dependencies: PackageManifest['dependencies'],
  code: string,
  expect: FixCase['expect'],
  requests: FixCase['requests'] = [
    { path: '/?file=one.txt' },
    { path: '/?file=none' },
    { path: '/?file=folder' },
    { path: '/?file=one.txt&x=1' },
    [{ path: '/?file=two.txt' }, { path: '/?file=one.txt' }, { path: '/?file=none' }],
  ],
): FixCase => ({
  name,
  files: { 'main.js': FS + code },
  manifest: { bin: [], scripts: {}, devDependencies: {}, private: true, dependencies },
  data: { 'one.txt': 'one', 'two.txt': 'two two', 'folder/three.txt': '3' },
  rule: 'no-sync-in-handler',
  fix: FIX,
  expect,
  requests,
});

const koa = (name: string, code: string, expect: FixCase['expect']): FixCase =>
  orders(
    `Koa: ${name}`,
    { koa: '^3.0.0' },
    dedent`
      const Koa = require('koa');
      const app = new Koa();
      app.on('error', () => {});
      ${code}
      exports.server = require('http').createServer(app.callback());

    `,
    expect,
  );
const SENDS = "app.use((ctx) => { ctx.body = fs.readFileSync(String(ctx.query.file), 'utf8'); });";

const fastify = (name: string, body: string, expect: FixCase['expect'], before = ''): FixCase =>
  orders(
    `Fastify: ${name}`,
    { fastify: '^5.0.0' },
    dedent`
      const app = require('fastify')();
      ${before}
      app.get('/', (request, reply) => {
        const { file, x } = request.query;
        const text = fs.readFileSync(file, 'utf8');
        ${body}
      });
      exports.server = async () => { await app.ready(); return app.server; };

    `,
    expect,
  );
const EMPTY = { refused: /without returning its reply/ };

const http = (name: string, code: string, expect: FixCase['expect']): FixCase => orders(`node:http: ${name}`, {}, code, expect);
const FILE = "new URL(req.url, 'http://x').searchParams.get('file')";

const ws = (name: string, listener: string, expect: FixCase['expect']): FixCase =>
  orders(
    `ws: ${name}`,
    { ws: '^8.0.0' },
    dedent`
      const { WebSocketServer } = require('ws');
      const attach = (ws, t) => { ws.on('message', (m) => ws.send(t + m)); };
      const wss = new WebSocketServer({ port: 0 });
      ${listener}

    `,
    expect,
    [],
  );

export const orderCases: readonly FixCase[] = [
  koa('a middleware that does not wait', `app.use((ctx, next) => { ctx.set('x-a', '1'); next(); });\n${SENDS}`, {
    refused: /calls `next\(\)` without waiting/,
  }),
  koa('an async middleware that does not wait', `app.use(async (ctx, next) => { next(); });\n${SENDS}`, {
    refused: /calls `next\(\)` without waiting/,
  }),
  koa('a middleware that changes the answer', `app.use((ctx, next) => { next(); ctx.body += '!'; });\n${SENDS}`, {
    refused: /calls `next\(\)` without waiting/,
  }),
  koa('a middleware that waits', `app.use(async (ctx, next) => { await next(); ctx.body += '!'; });\n${SENDS}`, 'same'),
  koa(
    'a middleware that catches',
    dedent`
      app.use(async (ctx, next) => { try { await next(); } catch (error) { ctx.body = error.code; } });
      ${SENDS}
    `,
    'same',
  ),
  koa(
    'a middleware that reads',
    dedent`
      app.use((ctx, next) => { ctx.state.text = fs.readFileSync(String(ctx.query.file), 'utf8'); return next(); });
      app.use((ctx) => { ctx.body = ctx.state.text; });
    `,
    'same',
  ),
  fastify('a text', 'reply.send(text);', 'same'),
  fastify('a stream', 'reply.header("x-length", text.length);\n  reply.send(fs.createReadStream(file));', 'same'),
  fastify(
    'hooks that wait before it is sent',
    'reply.send(text);',
    'same',
    "app.addHook('onSend', async (request, reply, payload) => { await new Promise((resolve) => setTimeout(resolve, 5)); return payload; });",
  ),
  fastify(
    'two ends',
    dedent`
    if (x) {
        reply.code(201).send(text);
        return;
      }
      reply.send({ text });
  `,
    'same',
  ),
  fastify('two branches', 'if (x) reply.code(201).send(text);\n  else reply.send({ text });', 'same'),
  fastify(
    'a try',
    dedent`
    try {
        reply.send(JSON.parse(text));
      } catch {
        reply.code(422).send("no JSON");
      }
  `,
    'same',
  ),
  fastify('a redirection', "reply.redirect('/' + text);", 'same'),
  fastify('the raw response', 'reply.hijack();\n  reply.raw.end(text);', 'same'),
  fastify('a value', 'return { text };', 'same'),
  fastify('a branch without an end', 'if (x) reply.send(text);', EMPTY),
  fastify('a bare return', 'if (x) return;\n  reply.send(text);', EMPTY),
  fastify(
    'a function that sends later',
    'later(reply, text);',
    EMPTY,
    'const later = (reply, text) => { setTimeout(() => reply.send(text), 5); };',
  ),
  orders(
    'Fastify: a part of the reply',
    { fastify: '^5.0.0' },
    dedent`
      const app = require('fastify')();
      app.get('/', (request, { raw }) => { const t = fs.readFileSync(request.query.file, 'utf8'); setTimeout(() => raw.end(t), 5); });
      exports.server = async () => { await app.ready(); return app.server; };
    `,
    EMPTY,
  ),
  orders(
    'hapi: a server method',
    { '@hapi/hapi': '^21.0.0' },
    dedent`
      const Hapi = require('@hapi/hapi');
      const server = Hapi.server({ autoListen: false, debug: false });
      server.method('load', (file) => fs.readFileSync(file, 'utf8'));
      server.route({ method: 'GET', path: '/', handler: (request) => server.methods.load(request.query.file).length });
      exports.server = async () => { await server.initialize(); return server.listener; };
    `,
    { refused: /server method/ },
  ),
  orders(
    'hapi: what comes before the handler',
    { '@hapi/hapi': '^21.0.0' },
    dedent`
      const Hapi = require('@hapi/hapi');
      const server = Hapi.server({ autoListen: false, debug: false });
      server.route({ method: 'GET', path: '/', options: { pre: [{ method: (request) => fs.readFileSync(request.query.file, 'utf8'), assign: 't' }] }, handler: (request) => request.pre.t });
      exports.server = async () => { await server.initialize(); return server.listener; };
    `,
    'same',
  ),
  http(
    'a second listener',
    dedent`
      const server = require('http').createServer();
      server.on('request', (req, res) => { res.setHeader('x-a', fs.readFileSync(${FILE}, 'utf8')); });
      server.on('request', (req, res) => { res.end(String(res.getHeader('x-a'))); });
      exports.server = server;
    `,
    { refused: /another listener of `request` \(line 5\)/ },
  ),
  http(
    'a listener besides that of createServer',
    dedent`
      const server = require('http').createServer((req, res) => { res.setHeader('x-a', fs.readFileSync(${FILE}, 'utf8')); });
      server.on('request', (req, res) => { res.end(String(res.getHeader('x-a'))); });
      exports.server = server;
    `,
    { refused: /another listener of `request` \(line 4\)/ },
  ),
  http(
    'a flag that a function returns',
    dedent`
      function handle(req, res) { if (!${FILE}) return false; res.end(fs.readFileSync(${FILE}, 'utf8')); return true; }
      exports.server = require('http').createServer((req, res) => { if (!handle(req, res)) { res.statusCode = 404; res.end('no'); } });
    `,
    'same',
  ),
  http(
    'a try of the caller',
    dedent`
      function handle(req, res) { res.end(fs.readFileSync(${FILE}, 'utf8')); }
      exports.server = require('http').createServer((req, res) => { try { handle(req, res); } catch (error) { res.statusCode = 500; res.end(error.code); } });
    `,
    'same',
  ),
  http(
    'what the caller writes afterwards',
    dedent`
      function handle(req, res) { res.write(fs.readFileSync(${FILE}, 'utf8')); }
      exports.server = require('http').createServer((req, res) => { handle(req, res); res.end('!'); });
    `,
    'same',
  ),
  ws('a function that listens', "wss.on('connection', (ws, req) => { attach(ws, fs.readFileSync(req.url, 'utf8')); });", {
    refused: /`attach` \(line \d+\) listens for events after the call/,
  }),
  ws(
    "another file's function",
    dedent`
      const setUp = require('./set-up');
      wss.on('connection', (ws, req) => { setUp(ws, fs.readFileSync(req.url, 'utf8')); });
    `,
    { refused: /`setUp` \(line \d+\) listens for events after the call/ },
  ),
];
