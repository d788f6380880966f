import type { RuleCases } from '../../analysis/testing/rule-tester.ts';
import { dedent } from '../../analysis/testing/dedent.ts';
import { frequencyCases } from './cases-frequency.ts';

const EXPRESS = "const app = require('express')();\n";

export const cases: RuleCases<'thread' | 'process' | 'pool' | 'program'> = {
  valid: [
    {
      name: 'the version of the Node that is installed by now',
      code: dedent`
        ${EXPRESS}const { spawn } = require('child_process');
        app.get('/version', (req, res) => spawn(process.execPath, ['-v']).stdout.pipe(res));
        app.get('/npm', (req, res) => spawn('node', ['--version']).stdout.pipe(res));
      `,
    },
    {
      name: 'started with the server',
      code: dedent`
        ${EXPRESS}const { Worker } = require('node:worker_threads');
        const worker = new Worker('./hash.js');
        app.get('/', (req, res) => { worker.once('message', (hash) => res.send(hash)); worker.postMessage(req.query.text); });
      `,
    },
    {
      name: 'forked at start-up, one for each core',
      code: dedent`
        const { fork } = require('child_process');
        const http = require('http');
        const children = require('os').cpus().map(() => fork('./child.js'));
        http.createServer((request, response) => { children[0].send(request.url); response.end(); }).listen(80);
      `,
    },
    {
      name: "a queue's worker is no thread",
      code: dedent`
        ${EXPRESS}const { Worker } = require('bullmq');
        app.post('/queues/:name', (req, res) => { const worker = new Worker(req.params.name, async () => {}); res.send(worker.name); });
      `,
    },
    {
      name: 'a class of the file that is called Worker',
      code: dedent`
        ${EXPRESS}const { isMainThread } = require('worker_threads');
        class Worker { run() { return isMainThread; } }
        app.get('/', (req, res) => res.send(new Worker().run()));
      `,
    },
    {
      name: 'made the first time only',
      code: dedent`
        ${EXPRESS}const { Worker } = require('worker_threads');
        let worker;
        function getWorker() {
          if (!worker) worker = new Worker('./hash.js');
          return worker;
        }
        app.get('/', (req, res) => { getWorker().postMessage(1); res.end(); });
      `,
    },
    {
      name: 'taken from those that are idle, else started and kept',
      code: dedent`
        ${EXPRESS}const { Worker } = require('worker_threads');
        const idle = [];
        app.get('/', (req, res) => { const worker = idle.pop() ?? new Worker('./hash.js'); worker.once('message', (hash) => { idle.push(worker); res.send(hash); }); worker.postMessage(1); });
      `,
    },
    {
      name: 'put into a list that outlives the request',
      code: dedent`
        ${EXPRESS}const { Worker } = require('worker_threads');
        const all = new Set();
        app.get('/', (req, res) => { if (all.size < 4) { const worker = new Worker('./hash.js'); all.add(worker); } res.end(); });
      `,
    },
    {
      name: 'kept for its own thing, by name',
      code: dedent`
        ${EXPRESS}const { fork } = require('child_process');
        const bots = {};
        app.post('/bots/:id', (req, res) => { const child = fork('./bot.js'); bots[req.params.id] = child; res.sendStatus(201); });
      `,
    },
    {
      name: 'kept with more about it',
      code: dedent`
        ${EXPRESS}const { fork } = require('child_process');
        const bots = new Map();
        app.post('/bots/:id', (req, res) => { const child = fork('./bot.js'); bots.set(req.params.id, { child, since: Date.now() }); res.sendStatus(201); });
      `,
    },
    {
      name: 'a field of the service',
      code: dedent`
        ${EXPRESS}const { Worker } = require('worker_threads');
        class Camera { start() { this.worker = new Worker('./camera.js').on('error', console.error); } }
        const camera = new Camera();
        app.post('/start', (req, res) => { camera.start(); res.end(); });
      `,
    },
    {
      name: 'a word of a text that is given to a program of the system',
      code: dedent`
        ${EXPRESS}const { exec } = require('child_process');
        app.get('/size', (req, res) => exec(\`grep -c node \${req.app.log} | wc -l\`, (error, out) => res.send(out)));
      `,
    },
    {
      name: 'a short program of the system',
      code: dedent`
        ${EXPRESS}const { execFile } = require('child_process');
        app.get('/size', (req, res) => execFile('du', ['-s', '/data'], (error, out) => res.send(out)));
      `,
    },
    {
      name: 'a program that the source does not name',
      code: dedent`
        ${EXPRESS}const { spawn } = require('child_process');
        app.get('/run', (req, res) => spawn(process.env.CONVERTER, [req.query.file]).stdout.pipe(res));
      `,
    },
    {
      name: 'a test',
      file: 'test/threads.test.js',
      code: dedent`
        ${EXPRESS}const { Worker } = require('worker_threads');
        app.get('/', (req, res) => { new Worker('./hash.js').once('message', (hash) => res.send(hash)); });
      `,
    },
    {
      name: 'in development only',
      code: dedent`
        ${EXPRESS}const { fork } = require('child_process');
        app.get('/', (req, res) => { if (process.env.NODE_ENV !== 'production') fork('./rebuild.js'); res.end(); });
      `,
    },
    {
      name: 'the cluster, before anybody asks',
      code: dedent`
        const cluster = require('cluster');
        const http = require('http');
        if (cluster.isPrimary) { cluster.fork(); cluster.on('exit', () => cluster.fork()); }
        else http.createServer((request, response) => response.end()).listen(80);
      `,
    },
    {
      name: 'a pool that makes its threads when it is first used',
      code: dedent`
        ${EXPRESS}const { Worker } = require('worker_threads');
        class Pool {
          workers = [];
          fill() {
            while (this.workers.length < 4) {
              const worker = this.make();
              if (!worker) break;
              this.workers.push(worker);
            }
          }
          make() {
            const worker = new Worker('./job.js');
            const pooled = { worker, isBusy: false };
            worker.on('error', () => this.workers.splice(this.workers.indexOf(pooled), 1));
            return pooled;
          }
          run(job) { this.fill(); this.workers[0].worker.postMessage(job); }
        }
        const pool = new Pool();
        app.get('/', (req, res) => { pool.run(req.query.text); res.end(); });
      `,
    },
    {
      name: 'a pool at the top level',
      code: dedent`
        ${EXPRESS}const Piscina = require('piscina');
        const pool = new Piscina({ filename: './hash.js' });
        app.get('/', async (req, res) => res.send(await pool.run(req.query.text)));
      `,
    },
    {
      name: 'a maker whose caller keeps it',
      code: dedent`
        ${EXPRESS}const { fork } = require('child_process');
        const free = [];
        const all = [];
        const makeChild = () => fork('./minify.js');
        function getChild() { if (free.length > 0) return free.shift(); const child = makeChild(); all.push(child); return child; }
        app.get('/', (req, res) => { getChild().send(req.query.text); res.end(); });
      `,
    },
    {
      name: 'a maker for other files',
      code: dedent`
        const { fork } = require('child_process');
        module.exports = function startDebuggable(req, res, next) { res.locals.seen = req.url; next(); return fork('./a.js', [], { execArgv: ['--inspect'] }); };
      `,
    },
    {
      name: 'no request anywhere',
      code: dedent`
        import { Worker } from 'node:worker_threads';
        export function render(scene) { return new Worker('./render.js', { workerData: scene }); }
      `,
    },
  ],
  invalid: [
    ...frequencyCases,
    {
      name: 'a job of which only one runs at once, as a check in the function around it says',
      code: dedent`
        ${EXPRESS}const { Worker } = require('worker_threads');
        app.post('/restore', async (req, res) => {
          if (await Job.findOne({ isRunning: true })) return res.sendStatus(409);
          return Job.save(req.body).then((job) => {
            const worker = «new Worker»('./restore.js');
            worker.postMessage(job.id);
            res.end();
          });
        });
      `,
      findings: [{ messageId: 'thread', data: { limit: '' } }],
    },
    {
      name: 'a few at a time',
      code: dedent`
        ${EXPRESS}const { Worker } = require('worker_threads');
        const limit = require('p-limit')(4);
        app.get('/hash', (req, res) => limit(() => { «new Worker»('./hash.js').once('message', (hash) => res.send(hash)); }));
      `,
      findings: [{ messageId: 'thread', data: { limit: '' } }],
    },
    {
      name: 'given back to nobody',
      code: dedent`
        ${EXPRESS}const { Worker } = require('worker_threads');
        app.get('/hash', (req, res) => «new Worker»('./hash.js').once('message', (hash) => res.send(hash)));
      `,
      findings: [
        {
          messageId: 'thread',
          severity: 'warning',
          route: 'GET /hash',
          data: { call: 'new Worker', where: '`GET /hash`', limit: ' Nothing here limits how many run at once.' },
          related: ['GET /hash is handled here'],
        },
      ],
    },
    {
      code: dedent`
        ${EXPRESS}const { Worker } = require('worker_threads');
        app.get('/hash', (req, res) => {
          const worker = «new Worker»('./hash.js', { workerData: req.query.text });
          worker.on('message', (hash) => res.send(hash));
        });
      `,
      findings: [
        {
          messageId: 'thread',
          severity: 'warning',
          route: 'GET /hash',
          data: { call: 'new Worker', where: '`GET /hash`' },
          related: ['GET /hash is handled here'],
        },
      ],
    },
    {
      name: 'through a helper that promises',
      code: dedent`
        import { Worker } from 'node:worker_threads';
        import express from 'express';
        const app = express();
        function runInThread(file, input) {
          return new Promise((resolve, reject) => {
            const worker = «new Worker»(file, { workerData: input });
            worker.on('message', resolve);
            worker.on('error', reject);
          });
        }
        app.post('/resize', async (req, res) => res.send(await runInThread('./resize.js', req.body)));
      `,
      findings: [{ messageId: 'thread', related: ['POST /resize', 'runInThread', 'this function'] }],
    },
    {
      name: 'a maker whose caller does not keep it',
      code: dedent`
        ${EXPRESS}const { fork } = require('child_process');
        function makeChild(file) { return «fork»(file); }
        app.get('/', (req, res) => { const child = makeChild('./sum.js'); child.once('message', (sum) => res.send(String(sum))); child.send(req.query.n); });
      `,
      findings: [{ messageId: 'process', related: ['GET /', 'makeChild'] }],
    },
    {
      name: "all the module's names",
      code: dedent`
        ${EXPRESS}const threads = require('worker_threads');
        app.get('/', (req, res) => { «new threads.Worker»('./a.js').on('message', (m) => res.send(m)); });
      `,
      findings: [{ messageId: 'thread', data: { call: 'new threads.Worker' } }],
    },
    {
      name: 'web workers in Node',
      code: dedent`
        const Worker = require('webworker-threads').Worker;
        require('http').createServer(function (request, response) {
          const fibonacci = «new Worker»(function () { this.onmessage = (event) => postMessage(event.data); });
          fibonacci.onmessage = (event) => response.end(event.data);
          fibonacci.postMessage(35);
        }).listen(5555);
      `,
      findings: [{ messageId: 'thread', data: { where: 'request' } }],
    },
    {
      name: 'forked by a request event',
      code: dedent`
        const http = require('http');
        const { fork } = require('child_process');
        const server = http.createServer();
        server.on('request', (req, res) => {
          if (req.url === '/compute') {
            const compute = «fork»('compute.js');
            compute.send('start');
            compute.on('message', (sum) => res.end(\`\${sum}\`));
          } else res.end('ok');
        });
        server.listen(3000);
      `,
      findings: [{ messageId: 'process', data: { call: 'fork', where: 'request that reaches this line' } }],
    },
    {
      name: 'not every request gets to a branch, in the function itself or on the path to it',
      code: dedent`
        const { fork } = require('child_process');
        const app = require('express')();
        app.get('/a', (req, res) => { if (req.query.long) «fork»('work.js'); res.send(''); });
        app.get('/b', (req, res) => { res.send(req.query.long ? long() : ''); });
        app.get('/c', (req, res) => { if (!req.query.file) return res.sendStatus(400); «fork»('work.js'); res.send(''); });
        function long() { «fork»('work.js'); return ''; }
      `,
      findings: [
        { messageId: 'process', data: { where: '`GET /a` that reaches this line' } },
        { messageId: 'process', data: { where: '`GET /c` that reaches this line' } },
        { messageId: 'process', data: { where: '`GET /b` that reaches this line' } },
      ],
    },
    {
      name: 'required where it is used',
      code: dedent`
        ${EXPRESS}app.post('/export', (req, res) => {
          const child = «require('child_process').fork»('./export.js', [], { env: process.env });
          child.send({ user: req.user.id });
          res.sendStatus(202);
        });
      `,
      findings: [{ messageId: 'process', data: { call: 'fork' } }],
    },
    {
      name: 'Node by its path',
      code: dedent`
        ${EXPRESS}const cp = require('node:child_process');
        app.get('/', (req, res) => { «cp.spawn»(process.execPath, ['job.js']).stdout.pipe(res); });
      `,
      findings: [{ messageId: 'process', data: { call: "spawn('node')" } }],
    },
    {
      name: 'Node in a command line',
      code: dedent`
        ${EXPRESS}const { exec } = require('child_process');
        app.get('/', (req, res) => { «exec»(\`node job.js \${req.query.id}\`, (error, out) => res.send(out)); });
      `,
      findings: [{ messageId: 'process', data: { call: "exec('node')" } }],
    },
    {
      name: 'at the end of a pipe',
      code: dedent`
        ${EXPRESS}const { exec } = require('child_process');
        app.post('/compile', (req, res) => { «exec»(\`echo "\${req.body.code}" | node\`, (error, out) => res.send(out)); });
      `,
      findings: [{ messageId: 'process', data: { call: "exec('node')" } }],
    },
    {
      name: 'behind a change of folder',
      code: dedent`
        ${EXPRESS}const { exec } = require('child_process');
        app.get('/', (req, res) => { «exec»('cd ' + req.app.folder + ' && python3 main.py ' + req.query.x, (error, out) => res.send(out)); });
      `,
      findings: [{ messageId: 'program', severity: 'hint', data: { call: "exec('python3')" } }],
    },
    {
      name: 'promisified',
      code: dedent`
        import { execFile } from 'node:child_process';
        import fastify from 'fastify';
        const app = fastify();
        app.get('/predict', (request, reply) => { «execFile»('python3', ['predict.py', request.query.x], (error, out) => reply.send(out)); return reply; });
      `,
      findings: [{ messageId: 'program', severity: 'hint', data: { call: "execFile('python3')", where: '`GET /predict`' } }],
    },
    {
      name: 'a script by its folder',
      code: dedent`
        ${EXPRESS}const { spawn } = require('child_process');
        app.post('/score', (req, res) => { const python = «spawn»('/usr/bin/python', ['score.py']); python.stdout.on('data', (data) => res.send(data)); });
      `,
      findings: [{ messageId: 'program', severity: 'hint' }],
    },
    {
      name: 'a thread in an object that nothing keeps',
      code: dedent`
        ${EXPRESS}const { Worker } = require('worker_threads');
        function make() {
          const worker = «new Worker»('./job.js');
          const job = { worker, started: Date.now() };
          return job;
        }
        app.get('/', (req, res) => { const { worker } = make(); worker.once('message', (text) => res.send(text)); });
      `,
      findings: [{ messageId: 'thread' }],
    },
    {
      name: 'a pool for one request',
      code: dedent`
        import Piscina from 'piscina';
        import express from 'express';
        const app = express();
        app.get('/', async (req, res) => {
          const pool = «new Piscina»({ filename: './hash.js' });
          res.send(await pool.run(req.query.text));
        });
      `,
      findings: [{ messageId: 'pool', data: { call: 'new Piscina' } }],
    },
    {
      name: "workerpool's pool for one request",
      code: dedent`
        ${EXPRESS}const workerpool = require('workerpool');
        app.get('/', async (req, res) => { const pool = «workerpool.pool»('./hash.js'); res.send(await pool.exec('hash', [req.query.text])); });
      `,
      findings: [{ messageId: 'pool' }],
    },
    {
      name: 'a connection',
      code: dedent`
        const { WebSocketServer } = require('ws');
        const { fork } = require('child_process');
        const server = new WebSocketServer({ port: 1 });
        server.on('connection', (socket) => { socket.on('message', (text) => { const child = «fork»('./shell.js'); child.send(String(text)); }); });
      `,
      findings: [{ messageId: 'process', data: { where: '`WS message`' } }],
    },
    {
      name: 'a list that the request itself made',
      code: dedent`
        ${EXPRESS}const { Worker } = require('worker_threads');
        app.get('/', async (req, res) => { const workers = []; for (const part of req.body.parts) workers.push(«new Worker»('./part.js', { workerData: part })); res.send(await Promise.all(workers.map(resultOf))); });
        const resultOf = (worker) => new Promise((resolve) => worker.once('message', resolve));
      `,
      findings: [{ messageId: 'thread' }],
    },
  ],
};
