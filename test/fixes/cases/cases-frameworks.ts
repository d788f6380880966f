// The same handlers on several frameworks: what one of them does with a promise, another may not.
import { dedent } from '../../../analysis/testing/dedent.ts';
import { EXPRESS_4, EXPRESS_5, type FixCase } from '../fix-case.ts';

interface Framework {
  name: string;
  manifest: FixCase['manifest'];
  /** A program around the body of its one handler. */
  program(body: string, before: string): string;
  /** The file that a request names. */
  file: string;
  send(value: string): string;
}

const CORE = dedent`
  const fs = require('fs');
  const path = require('path');
  const zlib = require('zlib');
  const crypto = require('crypto');

`;
const manifestOf = (dependencies: Record<string, string>): FixCase['manifest'] => ({
  bin: [],
  scripts: {},
  devDependencies: {},
  private: true,
  dependencies,
});
const ERRORS = 'app.use((error, req, res, next) => { res.status(500).send(error.code ?? error.name); });\n';
const express = (version: string, manifest: FixCase['manifest']): Framework => ({
  name: `Express ${version}`,
  manifest,
  program: (body, before) =>
    dedent`
      ${CORE}const app = require('express')();
      ${before}app.get('/', (req, res) => {
      ${body}
      });
      ${ERRORS}exports.server = require('http').createServer(app);

    `,
  file: 'String(req.query.file)',
  send: (value) => `res.send(${value});`,
});

const FRAMEWORKS: readonly Framework[] = [
  express('4', EXPRESS_4),
  express('5', EXPRESS_5),
  {
    name: 'Fastify',
    manifest: manifestOf({ fastify: '^5.0.0' }),
    program: (body, before) =>
      dedent`
        ${CORE}const app = require('fastify')();
        ${before}app.get('/', (request, reply) => {
        ${body}
        });
        exports.server = async () => { await app.ready(); return app.server; };

      `,
    file: 'String(request.query.file)',
    send: (value) => `reply.send(${value});`,
  },
  {
    name: 'Koa',
    manifest: manifestOf({ koa: '^3.0.0' }),
    program: (body, before) =>
      dedent`
        ${CORE}const Koa = require('koa');
        const app = new Koa();
        ${before}app.use((ctx) => {
        ${body}
        });
        app.on('error', () => {});
        exports.server = require('http').createServer(app.callback());

      `,
    file: 'String(ctx.query.file)',
    send: (value) => `ctx.body = ${value};`,
  },
  {
    name: 'hapi',
    manifest: manifestOf({ '@hapi/hapi': '^21.0.0' }),
    program: (body, before) =>
      dedent`
        ${CORE}const Hapi = require('@hapi/hapi');
        const server = Hapi.server({ autoListen: false, debug: false });
        ${before}server.route({ method: 'GET', path: '/', handler: (request, h) => {
        ${body}
        } });
        exports.server = async () => { await server.initialize(); return server.listener; };

      `,
    file: 'String(request.query.file)',
    send: (value) => `return h.response(${value});`,
  },
  {
    name: 'node:http',
    manifest: manifestOf({}),
    program: (body, before) =>
      dedent`
        ${CORE}const http = require('http');
        ${before}exports.server = http.createServer((req, res) => {
        ${body}
        });

      `,
    file: "new URL(req.url, 'http://x').searchParams.get('file')",
    send: (value) => `res.end(${value});`,
  },
];

interface Handler {
  name: string;
  fix: FixCase['fix'];
  before?: string;
  body(framework: Framework): string;
}

const HANDLERS: readonly Handler[] = [
  { name: 'a read', fix: /^Convert to/, body: ({ file, send }) => `  const text = fs.readFileSync(${file}, 'utf8');\n  ${send('text')}` },
  { name: 'a read in the answer', fix: /^Convert to/, body: ({ file, send }) => `  ${send(`fs.readFileSync(${file}, 'utf8')`)}` },
  { name: 'a member of the result', fix: /^Convert to/, body: ({ file, send }) => `  ${send(`String(fs.readFileSync(${file}).length)`)}` },
  {
    name: 'a try around the call',
    fix: /^Convert to/,
    body: ({ file, send }) =>
      `  let value;\n  try {\n    value = JSON.parse(fs.readFileSync(${file}, 'utf8'));\n  } catch (error) {\n    value = { error: error.code ?? error.name };\n  }\n  ${send('JSON.stringify(value)')}`,
  },
  {
    name: 'two reads at once',
    fix: /^Convert 2 blocking calls/,
    body: ({ file, send }) =>
      `  const first = fs.readFileSync(${file}, 'utf8');\n  const second = fs.readFileSync('data.json', 'utf8');\n  ${send('first + second')}`,
  },
  {
    name: 'reads in a loop',
    fix: /^Convert to/,
    body: ({ file, send }) =>
      `  let text = '';\n  for (const name of [${file}, 'data.json']) text += fs.readFileSync(name, 'utf8');\n  ${send('text')}`,
  },
  {
    name: 'a check and a read',
    fix: /^Read the file without the check/,
    body: ({ send }) =>
      `  const file = 'data.json';\n  if (!fs.existsSync('data.json')) {\n    ${send("'none'").startsWith('return') ? send("'none'") : `${send("'none'")}\n    return;`}\n  }\n  const text = fs.readFileSync('data.json', 'utf8');\n  ${send('text + file')}`,
  },
  {
    name: 'a computation of the thread pool',
    fix: /^Convert to/,
    body: ({ file, send }) => `  const key = crypto.pbkdf2Sync(${file}, 'salt', 3000, 8, 'sha1');\n  ${send("key.toString('hex')")}`,
  },
  {
    name: 'there and back again',
    fix: /^Convert 2 blocking calls/,
    body: ({ file, send }) => `  const packed = zlib.gzipSync(${file});\n  ${send('zlib.gunzipSync(packed).toString()')}`,
  },
  {
    name: 'a helper with its caller',
    fix: /^Convert to .* and await it in the caller/,
    before: dedent`
      function load(file) {
        return JSON.parse(fs.readFileSync(file, 'utf8')).a;
      }

    `,
    body: ({ file, send }) => `  const value = load(${file});\n  ${send('String(value)')}`,
  },
  {
    name: 'a folder that may be there',
    fix: /^Replace the check by `mkdir`/,
    body: ({ send }) => `  if (!fs.existsSync('made')) fs.mkdirSync('made');\n  ${send("'made'")}`,
  },
  {
    name: 'a read at startup',
    fix: /^Read it once at startup/,
    body: ({ send }) => `  const text = fs.readFileSync(path.join(__dirname, 'data.json'), 'utf8');\n  ${send('text')}`,
  },
];

const DATA = { 'data.json': '{"a":1}', 'broken.json': '{', 'folder/b.txt': 'b' };
const REQUESTS = [
  { path: '/?file=data.json' },
  { path: '/?file=broken.json' },
  { path: '/?file=none' },
  { path: '/?file=folder' },
  [{ path: '/?file=data.json' }, { path: '/?file=none' }, { path: '/?file=broken.json' }],
];

export const frameworkCases: readonly FixCase[] = FRAMEWORKS.flatMap((framework) =>
  HANDLERS.map(
    ({ name, fix, before = '', body }): FixCase => ({
      name: `${framework.name}: ${name}`,
      files: { 'main.js': framework.program(body(framework), before) },
      manifest: framework.manifest,
      data: DATA,
      rule: 'no-sync-in-handler',
      fix,
      expect: 'same',
      requests: REQUESTS,
    }),
  ),
);

/** What is no HTTP server: programs whose `run` gives what is compared. */
const run = (
  name: string,
  manifest: FixCase['manifest'],
  main: string,
  fix: FixCase['fix'],
  expect: FixCase['expect'] = 'same',
): FixCase => ({
  name,
  files: { 'main.js': CORE + main },
  manifest,
  data: DATA,
  rule: 'no-sync-in-handler',
  fix,
  expect,
});

const FILES = "['data.json', 'none', 'folder', 'broken.json']";
const WS = `const { WebSocketServer, WebSocket } = require('ws');
exports.run = async () => {
  const wss = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  CONNECTION
  await new Promise((resolve) => wss.once('listening', resolve));
  const client = new WebSocket('ws://127.0.0.1:' + wss.address().port);
  const answers = [];
  await new Promise((resolve) => {
    client.on('open', () => { for (const file of ${FILES}) client.send(file); });
    client.on('message', (message) => { if (answers.push(String(message)) === 4) resolve(); });
  });
  client.terminate();
  wss.close();
  return answers.sort();
};
`;
const SOCKET_IO = `const { Server } = require('socket.io');
const { io: connect } = require('socket.io-client');
exports.run = async () => {
  const http = require('http').createServer();
  const io = new Server(http);
  CONNECTION
  await new Promise((resolve) => http.listen(0, '127.0.0.1', resolve));
  const client = connect('http://127.0.0.1:' + http.address().port);
  const answers = [];
  await new Promise((resolve) => {
    client.on('connect', () => { for (const file of ${FILES}) client.emit('read', file); });
    client.on('text', (text) => { if (answers.push(text) === 4) resolve(); });
  });
  client.close();
  io.close();
  return answers.sort();
};
`;
const READ = "let text; try { text = fs.readFileSync(String(file), 'utf8'); } catch (error) { text = error.code; }";

export const otherCases: readonly FixCase[] = [
  run(
    'ws: a read for each message',
    manifestOf({ ws: '^8.0.0' }),
    WS.replace('CONNECTION', `wss.on('connection', (ws) => { ws.on('message', (file) => { ${READ} ws.send(text); }); });`),
    /^Convert to .* \(a later message may be answered first\)$/,
  ),
  run(
    'ws: a read before the listener',
    manifestOf({ ws: '^8.0.0' }),
    WS.replace(
      'CONNECTION',
      "wss.on('connection', (ws) => { const motd = fs.readFileSync('data.json', 'utf8'); ws.on('message', (file) => ws.send(motd + file)); });",
    ),
    /^Convert to/,
    { refused: /listens for events after the call/ },
  ),
  run(
    'socket.io: a read for each message',
    manifestOf({ 'socket.io': '^4.0.0' }),
    SOCKET_IO.replace(
      'CONNECTION',
      `io.on('connection', (socket) => { socket.on('read', (file) => { ${READ} socket.emit('text', text); }); });`,
    ),
    /^Convert to .* \(a later message may be answered first\)$/,
  ),
  run(
    'AWS Lambda: a handler that is async',
    manifestOf({ '@types/aws-lambda': '^8.0.0' }),
    `exports.handler = async (event, context) => ({ statusCode: 200, body: fs.readFileSync(event.queryStringParameters.file, 'utf8') });
exports.run = async () => (await Promise.allSettled(${FILES}.map((file) => exports.handler({ queryStringParameters: { file } }, {})))).map((one) => one.value ?? one.reason.code);
`,
    /^Convert to/,
  ),
];
