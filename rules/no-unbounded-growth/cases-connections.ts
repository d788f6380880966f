// Sockets that HTTP keeps, connections that come back twice, and timers whose handle is overwritten.
import type { InvalidCase, ValidCase } from '../../analysis/testing/rule-tester.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

const EXPRESS = "const app = require('express')();\n";
const SOCKETS = "const io = require('socket.io')(3000);\n";
const HTTP = "const https = require('node:https');\n";
const NET = "const net = require('node:net');\n";
const WS = "const WebSocket = require('ws');\n";
const NODE_20 = { project: { nodeRange: '>=20' } };

export const innocentConnections: readonly ValidCase[] = [
  {
    name: 'streams that something reads, or may read',
    code: dedent`
      const { PassThrough, Transform } = require('node:stream');
      exports.one = (source, res) => { const copy = new PassThrough(); source.pipe(copy); copy.pipe(res); };
      exports.two = (source) => { const copy = new PassThrough(); source.pipe(copy); return copy; };
      exports.three = (source) => { const copy = new PassThrough(); copy.on('data', console.log); source.pipe(copy); };
      exports.four = (source) => { const copy = new PassThrough(); source.pipe(copy); copy.resume(); };
      exports.five = (source, send) => { const copy = new PassThrough(); source.pipe(copy); send({ body: copy }); };
      exports.six = async (source) => { const copy = new PassThrough(); source.pipe(copy); for await (const piece of copy) console.log(piece); };
      exports.seven = (source, res) => { const copy = new PassThrough(); source.pipe(copy).pipe(res); };
      exports.eight = (source, res) => { const copy = new PassThrough(); source.pipe(copy); copy.on('error', res.destroy).pipe(res); };
      exports.nine = (source, event) => { const copy = new PassThrough(); source.pipe(copy); copy.on(event, console.log); };
      exports.ten = (source) => { const count = new Transform({ transform(piece, _, done) { done(); } }); source.pipe(count); };
      exports.eleven = (source, sink) => { const out = sink(); source.pipe(out); out.on('error', () => {}); };
      exports.twelve = (source, res) => { let copy = new PassThrough(); source.pipe(copy); copy = res; };
    `,
  },
  {
    name: 'listeners of the request and the response themselves',
    code: dedent`
      ${EXPRESS}app.get('/', (req, res) => { req.on('close', () => res.end()); res.on('close', () => console.log('gone')); res.end(); });
    `,
  },
  {
    name: 'a listener of the socket that goes with the request',
    code: dedent`
      ${EXPRESS}app.get('/', (req, res) => {
        const stop = () => res.destroy();
        req.socket.once('close', stop);
        res.on('finish', () => req.socket.removeListener('close', stop));
        res.end();
      });
    `,
  },
  {
    name: 'once for each socket',
    code: dedent`
      ${EXPRESS}const seen = new WeakSet();
      app.use((req, res, next) => {
        if (!seen.has(req.socket)) { seen.add(req.socket); req.socket.on('close', () => console.log('closed')); }
        next();
      });
    `,
  },
  {
    name: 'an answer that takes as long as its connection',
    code: dedent`
      ${EXPRESS}app.get('/events', (req, res) => {
        res.setHeader('Content-Type', 'text/event-stream');
        req.socket.on('close', () => res.end());
      });
    `,
  },
  {
    name: 'an answer that nothing ends but its connection',
    code: dedent`
      ${EXPRESS}const watchers = new Set();
      app.get('/sse', (req, res) => {
        const send = () => res.write('data: {}');
        watchers.add(send);
        req.socket.on('close', () => watchers.delete(send));
      });
    `,
  },
  {
    name: 'an answer after which the connection closes',
    code: dedent`
      ${EXPRESS}app.get('/', (req, res) => { res.setHeader('Connection', 'close'); req.socket.on('close', () => console.log('closed')); res.end(); });
    `,
  },
  {
    name: 'the socket of a connection that was upgraded',
    code: dedent`
      ${WS}const server = new WebSocket.Server({ port: 80 });
      server.on('connection', (ws, req) => { req.socket.on('close', () => ws.terminate()); });
    `,
  },
  {
    name: 'each connection of a server',
    code: dedent`
      const server = require('node:http').createServer((req, res) => res.end());
      server.on('connection', (socket) => { socket.on('close', () => console.log('closed')); socket.setTimeout(1000, () => socket.end()); });
    `,
  },
  {
    name: 'only while the socket connects',
    code: dedent`
      ${HTTP}exports.load = (url, done) => {
        const req = https.get(url, done);
        req.on('socket', (socket) => { if (socket.connecting) socket.once('connect', () => console.log('connected')); });
      };
    `,
    ...NODE_20,
  },
  {
    name: 'an agent that may not keep sockets',
    code: dedent`
      ${HTTP}exports.load = (url, agent, done) => {
        const req = https.get(url, { agent }, done);
        req.on('socket', (socket) => socket.on('timeout', () => req.destroy()));
      };
    `,
    ...NODE_20,
  },
  {
    name: 'Node 18, whose default agent does not keep sockets',
    code: dedent`
      ${HTTP}exports.load = (url, done) => {
        const req = https.get(url, done);
        req.on('socket', (socket) => socket.on('timeout', () => req.destroy()));
      };
    `,
    project: { nodeRange: '18.x' },
  },
  {
    name: 'the timeout of the request itself',
    code: dedent`
      ${HTTP}exports.load = (url, done) => {
        const req = https.get(url, done);
        req.setTimeout(5000, () => req.destroy());
        req.on('socket', (socket) => { socket.setTimeout(5000); socket.setNoDelay(true); });
      };
    `,
    ...NODE_20,
  },
  {
    name: 'a connection of its own',
    code: dedent`
      ${HTTP}exports.load = (url, socket, done) => {
        const req = https.request(url, { socket }, done);
        req.on('socket', (used) => used.on('secureConnect', () => console.log('secure')));
      };
    `,
    ...NODE_20,
  },
  {
    name: 'once for each socket, with a mark',
    code: dedent`
      ${HTTP}exports.load = (url, done) => {
        const req = https.get(url, done);
        req.on('socket', (socket) => {
          if (socket.isKnown) return;
          socket.isKnown = true;
          socket.on('error', () => console.log('lost'));
        });
      };
    `,
    ...NODE_20,
  },
  {
    name: 'another emitter whose event is called `socket`',
    code: dedent`
      const hub = require('./hub');
      hub.on('socket', (socket) => { socket.on('close', () => console.log('closed')); });

    `,
    ...NODE_20,
  },
  {
    name: 'connects again on `close` only',
    code: dedent`
      ${NET}function connect() {
        const socket = net.connect(80);
        socket.on('error', (error) => console.error(error));
        socket.on('close', () => setTimeout(connect, 1000));
      }
      connect();
    `,
  },
  {
    name: 'the first of both wins',
    code: dedent`
      ${NET}let isWaiting = false;
      function again() {
        if (isWaiting) return;
        isWaiting = true;
        setTimeout(() => { isWaiting = false; connect(); }, 1000);
      }
      function connect() { const socket = net.connect(80); socket.on('error', again); socket.on('close', again); }
      connect();
    `,
  },
  {
    name: 'the timer before is cleared',
    code: dedent`
      ${WS}class Client {
        connect() {
          this.ws = new WebSocket('ws://hub');
          this.ws.on('error', () => this.retry());
          this.ws.on('close', () => this.retry());
        }
        retry() { clearTimeout(this.timer); this.timer = setTimeout(() => this.connect(), 1000); }
      }
    `,
  },
  {
    name: 'the error takes the listeners away',
    code: dedent`
      ${NET}function connect() {
        const socket = net.connect(80);
        socket.on('error', () => { socket.removeAllListeners(); setTimeout(connect, 1000); });
        socket.on('close', () => setTimeout(connect, 1000));
      }
    `,
  },
  {
    name: 'unless there was an error, and by the state of the connection',
    code: dedent`
      ${NET}function connect() {
        const socket = net.connect(80);
        socket.on('error', () => setTimeout(connect, 1000));
        socket.on('close', (hadError) => { if (!hadError) setTimeout(connect, 1000); });
      }
      function other() {
        const socket = net.connect(81);
        const again = () => { if (socket.readyState === 'closed') setTimeout(other, 1000); };
        socket.on('error', again);
        socket.on('close', again);
      }
    `,
  },
  {
    name: 'a number of attempts',
    code: dedent`
      ${NET}let left = 5;
      function again() { if (left > 0) { left -= 1; setTimeout(connect, 1000); } }
      function connect() { const socket = net.connect(80); socket.on('error', again); socket.on('close', again); }
    `,
  },
  {
    name: 'an error that ends the process',
    code: dedent`
      ${NET}function connect() {
        const socket = net.connect(80);
        socket.on('error', () => { if (socket.destroyed) connect(); process.exit(1); });
        socket.on('close', connect);
      }
    `,
  },
  {
    name: 'a connection of something else, which may emit only one of both',
    code: dedent`
      const { connect: open } = require('some-queue');
      function connect() { const queue = open(); queue.on('error', connect); queue.on('close', connect); }
    `,
  },
  {
    name: 'connects to another server',
    code: dedent`
      ${NET}function next() { start(); }
      function start() { console.log('started'); }
      function connect() { const socket = net.connect(80); socket.on('error', next); socket.on('close', next); }
    `,
  },
  {
    name: 'the timer before is stopped, here or by a helper',
    code: dedent`
      ${SOCKETS}let timer; let other;
      function stop() { clearInterval(other); }
      io.on('connection', (socket) => {
        if (timer) clearInterval(timer);
        timer = setInterval(() => io.emit('time'), 1000);
        stop();
        other = setInterval(() => io.emit('time'), 1000);
      });
    `,
  },
  {
    name: 'one timer for all',
    code: dedent`
      ${SOCKETS}let timer;
      io.on('connection', (socket) => { if (!timer) { timer = setInterval(() => io.emit('time'), 1000); } });
    `,
  },
  {
    name: 'a timer of the connection',
    code: dedent`
      ${SOCKETS}io.on('connection', (socket) => {
        let timer;
        socket.on('start', () => { clearInterval(timer); timer = setInterval(() => socket.emit('time'), 1000); });
        socket.on('disconnect', () => clearInterval(timer));
      });
    `,
  },
  {
    name: 'the handle is kept elsewhere, too',
    code: dedent`
      ${SOCKETS}let timer;
      io.on('connection', (socket) => { timer = setInterval(() => socket.emit('time'), 1000); socket.timer = timer; });
    `,
  },
  {
    name: 'an emitter of the object, with its listener removed',
    code: dedent`
      ${SOCKETS}class News {
        constructor() {
          io.on('connection', (socket) => {
            const send = (line) => socket.emit('line', line);
            this.bus.on('line', send);
            socket.on('disconnect', () => this.bus.off('line', send));
          });
        }
      }
    `,
  },
  {
    name: 'an emitter that the handler makes',
    code: dedent`
      ${SOCKETS}class News {
        constructor() {
          io.on('connection', (socket) => { this.child = require('child_process').fork('x'); this.child.on('message', (line) => socket.emit(line)); });
        }
      }
    `,
  },
  {
    name: 'an emitter of the connection itself',
    code: dedent`
      ${SOCKETS}io.on('connection', function () { this.on('line', (line) => this.emit('line', line)); });
    `,
  },
  {
    name: 'a table that is read, and one with the few keys of its callers',
    code: dedent`
      let count = 0;
      const all = {};
      const known = {};
      exports.Client = class Client { constructor() { this.id = 'c' + count++; all[this.id] = this; } };
      exports.find = (id) => all[id];
      exports.declare = (name) => { if (known[name]) return; known[name] = true; };
    `,
  },
];

export const connections: readonly InvalidCase<'socket' | 'reconnect' | 'overwritten' | 'listener' | 'entries' | 'unread'>[] = [
  {
    name: 'a listener of the socket for each request on it',
    code: dedent`
      ${EXPRESS}app.get('/', async (req, res) => {
        const stop = new AbortController();
        «req.socket.once»('close', () => stop.abort());
        res.json(await load(req.query.id, stop.signal));
      });
    `,
    findings: [{ messageId: 'socket', severity: 'hint', route: 'GET /', data: { name: 'req.socket', event: 'close', where: '`GET /`' } }],
  },
  {
    name: 'in a middleware, with a timeout',
    code: dedent`
      ${EXPRESS}app.use((req, res, next) => {
        «res.connection.setTimeout»(5000, () => next(new Error('late')));
        next();
      });
    `,
    findings: [{ messageId: 'socket', data: { event: 'timeout' } }],
  },
  {
    name: 'the timeout of a request that is sent',
    code: dedent`
      ${HTTP}exports.load = (url, done) => {
        const sent = https.get(url, done);
        sent.on('socket', (socket) => {
          socket.setTimeout(5000);
          «socket.on»('timeout', () => sent.destroy());
        });
      };
    `,
    ...NODE_20,
    findings: [{ messageId: 'socket', severity: 'hint', data: { name: 'socket', event: 'timeout', where: 'request that is sent here' } }],
  },
  {
    name: 'an agent that keeps sockets in any version; a socket that is connected never emits `connect` again',
    code: dedent`
      const http = require('node:http');
      const agent = new http.Agent({ keepAlive: true });
      exports.load = (url, done) => {
        const req = http.request(url, { agent }, done);
        req.once('socket', (socket) => { «socket.once»('connect', () => console.log('connected')); });
        req.end();
      };
    `,
    project: { nodeRange: '18.x' },
    findings: [{ messageId: 'socket', data: { event: 'connect' } }],
  },
  {
    name: 'both listeners connect again',
    code: dedent`
      ${NET}function connect() {
        const socket = net.connect(80);
        «socket.on»('error', again);
        socket.on('close', again);
      }
      function again() { setTimeout(connect, 1000); }
      connect();
    `,
    findings: [
      {
        messageId: 'reconnect',
        severity: 'hint',
        data: { name: 'socket' },
        related: ['connects again on `error`', 'connects again on `close`'],
      },
    ],
  },
  {
    name: 'in a class, unless it was closed on purpose',
    code: dedent`
      ${WS}class Client {
        connect() {
          this.ws = new WebSocket('ws://hub');
          «this.ws.on»('error', (error) => { console.error(error); this.retry(); });
          this.ws.on('close', () => this.retry());
        }
        retry() { if (!this.isClosed) setTimeout(() => this.connect(), 1000); }
        close() { this.isClosed = true; this.ws.close(); }
      }
    `,
    findings: [{ messageId: 'reconnect', data: { name: 'this.ws' } }],
  },
  {
    name: 'a handle that only a connection that opens clears',
    code: dedent`
      ${WS}class Client {
        connect() {
          const ws = (this.ws = new WebSocket(this.url));
          ws.on('open', () => { if (this.timer) clearTimeout(this.timer); });
          ws.on('close', () => this.retry());
          «ws.on»('error', () => this.retry());
        }
        retry() { this.timer = setTimeout(() => this.connect(), 3000); }
      }
    `,
    findings: [{ messageId: 'reconnect', data: { name: 'ws' } }],
  },
  {
    name: 'a function that gets the connection, with a handle that is overwritten',
    code: dedent`
      ${WS}const node = require('./node');
      function start() { const socket = new WebSocket(node.path); handle(socket); }
      function handle(socket) {
        socket.on('close', () => { if (!node.isClosing) { node.timer = setTimeout(() => start(), 3000); } });
        «socket.on»('error', () => { if (!node.isClosing) { node.timer = setTimeout(() => start(), 3000); } });
      }
      start();
    `,
    findings: [{ messageId: 'reconnect' }],
  },
  {
    name: 'a handle that the next connection overwrites',
    code: dedent`
      ${SOCKETS}let timer;
      io.on('connection', (socket) => {
        timer = «setInterval»(() => socket.emit('time'), 1000);
        timer.unref();
        socket.on('disconnect', () => clearInterval(timer));
      });
    `,
    findings: [{ messageId: 'overwritten', severity: 'hint', data: { name: 'timer' } }],
  },
  {
    name: 'an emitter of the object that registers the handler',
    code: dedent`
      ${SOCKETS}class News {
        constructor() {
          io.on('connection', (socket) => { «this.bus.on»('line', (line) => socket.emit('line', line)); });
        }
      }
    `,
    findings: [{ messageId: 'listener', severity: 'hint', data: { name: 'this.bus', event: 'line' } }],
  },
  {
    name: 'a table by a counter, which nobody reads',
    code: dedent`
      let count = 0;
      const all = {};
      exports.Client = function Client() {
        count++;
        while (all['c' + count]) count++;
        this.id = 'c' + count;
        «all[this.id]» = this;
      };
    `,
    findings: [{ messageId: 'entries', severity: 'hint', data: { name: 'all', where: 'call of `Client`' } }],
  },
  {
    name: 'a stream that nobody reads',
    code: dedent`
      import { PassThrough } from 'node:stream';
      export async function upload(request, store) {
        const copy = new PassThrough();
        copy.on('error', () => {});
        request.raw.on('error', (error) => copy.destroy(error));
        «request.raw.pipe»(copy);
        await store.put(request.raw);
      }
    `,
    findings: [{ messageId: 'unread', severity: 'hint', data: { name: 'copy', source: 'request.raw' } }],
  },
];
