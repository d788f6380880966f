// What can happen while a function waits: events that nobody hears, other requests between two steps.
import { dedent } from '../../../analysis/testing/dedent.ts';
import type { FixCase } from '../fix-case.ts';

const RULE = 'no-sync-in-handler';
const FIX = /^Convert to/;
const FS = "const fs = require('fs');\n";
const APP = `${FS}const app = require('express')();\n`;
const SERVE = "\nexports.server = require('http').createServer(app);\n";

const waits = (name: string, code: string, expect: FixCase['expect'], more: Partial<FixCase> = {}): FixCase => ({
  name,
  files: { 'main.js': code },
  rule: RULE,
  fix: FIX,
  expect,
  ...more,
});

export const waitingCases: readonly FixCase[] = [
  waits(
    'F6: a listener of ws after the read',
    dedent`
      ${FS}const { WebSocketServer } = require('ws');
      const wss = new WebSocketServer({ port: 0 });
      wss.on('connection', (ws) => { const text = fs.readFileSync('motd.txt', 'utf8'); ws.on('message', (m) => ws.send(text + m)); });
    `,
    { refused: /ws\.on.* listens for events after the call/ },
  ),
  waits(
    'F6: a listener of socket.io after the read',
    dedent`
      ${FS}const { Server } = require('socket.io');
      const io = new Server(3000);
      io.on('connection', (socket) => { const text = fs.readFileSync('motd.txt', 'utf8'); socket.on('chat', (m) => socket.emit('chat', text + m)); });
    `,
    { refused: /socket\.on.* listens for events after the call/ },
  ),
  waits(
    'F6: the end of a request',
    `${APP}app.post('/', (req, res) => { const text = fs.readFileSync(req.query.file, 'utf8'); req.on('close', () => res.locals.log?.(text)); res.send(text); });${SERVE}`,
    { refused: /req\.on.* listens for events after the call/ },
  ),
  waits(
    'a read when the body of the request has ended',
    `${APP}app.post('/', (req, res) => { let body = ''; req.on('data', (part) => { body += part; }); req.on('end', () => { res.send(body + fs.readFileSync('motd.txt', 'utf8')); }); });${SERVE}`,
    'same',
    {
      data: { 'motd.txt': 'hello' },
      requests: [{ path: '/', method: 'POST', body: 'one' }, [{ path: '/', method: 'POST', body: 'two' }, { path: '/' }]],
    },
  ),
  waits(
    'each part of a body, which would overlap',
    `${APP}app.post('/', (req, res) => { let body = ''; req.on('data', (part) => { body += fs.readFileSync(String(part), 'utf8'); }); req.on('end', () => { res.send(body); }); });${SERVE}`,
    { refused: /must return synchronously/ },
  ),
  waits(
    'F6: a listener before the read',
    `${APP}app.get('/', (req, res) => { res.on('finish', () => {}); res.send(fs.readFileSync('motd.txt', 'utf8')); });${SERVE}`,
    'same',
    { data: { 'motd.txt': 'hello' }, requests: [{ path: '/' }, [{ path: '/' }, { path: '/x' }]] },
  ),
  waits(
    'F7: Fastify answers in a callback',
    dedent`
      ${FS}const fastify = require('fastify')();
      fastify.get('/', (request, reply) => { const t = fs.readFileSync(request.query.file, 'utf8'); setTimeout(() => reply.send(t), 5); });
      exports.server = async () => { await fastify.ready(); return fastify.server; };
    `,
    { refused: /replies in a callback/ },
  ),
  waits(
    'F7: Fastify returns its answer',
    dedent`
      ${FS}const fastify = require('fastify')();
      fastify.get('/', (request, reply) => { return { text: fs.readFileSync(request.query.file, 'utf8') }; });
      exports.server = async () => { await fastify.ready(); return fastify.server; };
    `,
    'same',
    { data: { 'motd.txt': 'hello' }, requests: [{ path: '/?file=motd.txt' }, { path: '/?file=none' }, { path: '/' }] },
  ),
  waits(
    'F7: a serverless handler with a callback',
    `${FS}exports.handler = (event, context, callback) => { const t = fs.readFileSync(event.file, 'utf8'); setTimeout(() => callback(null, { statusCode: 200, body: t }), 5); };`,
    { refused: /answers by a callback/ },
  ),
  waits(
    'F11: one user gets the data of another',
    dedent`
      ${APP}let current;
      app.get('/:user', (req, res) => { current = req.params.user; const t = fs.readFileSync(req.query.file, 'utf8'); res.send(t + current); });${SERVE}
    `,
    { refused: /`current` outlives the request/ },
  ),
  waits(
    'F11: more is sold than there is',
    dedent`
      ${APP}const stock = { n: 1 };
      app.get('/', (req, res) => { if (stock.n <= 0) return res.send('none'); const t = fs.readFileSync(req.query.file, 'utf8'); stock.n--; res.send(t); });${SERVE}
    `,
    { refused: /`stock` outlives the request/ },
  ),
  waits(
    'F11: a sum',
    dedent`
      ${APP}let total = 0;
      app.get('/', (req, res) => { total += fs.readFileSync(req.query.file, 'utf8').length; res.send(String(1)); });${SERVE}
    `,
    { refused: /`total` outlives the request/ },
  ),
  waits(
    'F11: a file that is read and written',
    `${APP}app.get('/', (req, res) => { const n = Number(fs.readFileSync(req.query.file, 'utf8')) + 1; fs.writeFileSync(req.query.file, String(n)); res.send(String(n)); });${SERVE}`,
    { refused: /`req\.query\.file` is also written/ },
  ),
  waits(
    'F11: a counter on one side',
    dedent`
      ${APP}let hits = 0;
      const names = { a: 'x' };
      app.get('/', (req, res) => { hits++; res.send(fs.readFileSync('motd.txt', 'utf8') + names.a); });${SERVE}
    `,
    'same',
    { data: { 'motd.txt': 'hello' }, requests: [{ path: '/' }, [{ path: '/' }, { path: '/' }]] },
  ),
  waits(
    'a short timer that is kept, so that it can be cleared',
    `${APP}app.get('/', (req, res) => { const timer = setTimeout(() => res.end('late'), 0); const t = fs.readFileSync(req.query.file, 'utf8'); clearTimeout(timer); res.end(t); });${SERVE}`,
    { refused: /what `setTimeout` starts/ },
  ),
  waits(
    'a timer that is long, and is cleared',
    `${APP}app.get('/', (req, res) => { const timer = setTimeout(() => res.end('late'), 5000); const t = fs.readFileSync(req.query.file, 'utf8'); clearTimeout(timer); res.end(t); });${SERVE}`,
    'same',
    { data: { 'motd.txt': 'hello' }, requests: [{ path: '/?file=motd.txt' }, { path: '/?file=none' }] },
  ),
  ...[
    'const all = []; await Promise.all(LIST.map(async (f) => { const t = fs.readFileSync(f, "utf8"); all.push(t); })); res.json(all);',
    'let all = 0; await Promise.all(LIST.map(async (f) => { all += fs.statSync(f).size; })); res.json(all);',
    'let all = ""; await Promise.all(LIST.map(async (f) => { all = all + fs.readFileSync(f, "utf8"); })); res.json(all);',
  ].map((code, index) =>
    waits(
      `elements that are done one after the other: ${index + 1}`,
      `${APP}const LIST = ['motd.txt', 'b.txt'];\napp.get('/', async (req, res) => { ${code} });${SERVE}`,
      { refused: /`all` is changed after the call/ },
    ),
  ),
  waits(
    'elements whose callback returns what it reads',
    dedent`
      ${APP}const LIST = ['motd.txt', 'b.txt'];
      app.get('/', async (req, res) => { const all = await Promise.all(LIST.map(async (f) => { const one = []; one.push(fs.readFileSync(f, 'utf8')); return one; })); res.json(all); });${SERVE}
    `,
    'same',
    { data: { 'motd.txt': 'hello', 'b.txt': 'b' }, requests: [{ path: '/' }, [{ path: '/' }, { path: '/' }]] },
  ),
  waits(
    'elements that already wait before the call',
    dedent`
      ${APP}const LIST = ['motd.txt'];
      app.get('/', async (req, res) => { const all = []; await Promise.all(LIST.map(async (f) => { await null; const t = fs.readFileSync(f, 'utf8'); all.push(t); })); res.json(all); });${SERVE}
    `,
    'same',
    { data: { 'motd.txt': 'hello' }, requests: [{ path: '/' }, [{ path: '/' }, { path: '/' }]] },
  ),
  waits(
    'F12: a file that open() makes',
    dedent`
      ${APP}const { open } = require('./db');
      app.get('/', (req, res) => { const needsInit = !fs.existsSync(req.query.file); const db = open(req.query.file); res.send(String(needsInit) + db); });${SERVE}
    `,
    { refused: /the check takes about 2 µs/ },
  ),
];
