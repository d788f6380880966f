// What timers run again and again, in a process that serves and elsewhere.
import { dedent } from '../../../analysis/testing/dedent.ts';
import type { App } from './support.ts';

const S = dedent`
  exports.load = function load() {};
  exports.scan = function scan() {};
  exports.read = function read() {};
  exports.daily = function daily() {};
`;
const LISTENING = dedent`
  const app = require('express')();
  app.get('/a', (req, res) => res.end());
  app.listen(3000);

`;

export const timerCases: readonly App[] = [
  {
    name: 'functions that setInterval and a timer that sets itself again run, and those of callers',
    files: {
      'app.js':
        LISTENING +
        dedent`
          const s = require('./s');
          const { every } = require('./every');
          setInterval(() => s.load(), 30_000);
          function poll() { s.scan(); setTimeout(poll, 1000); }
          poll();
          every('read', 60 * 1000, () => s.read());
        `,
      'every.js': dedent`
        exports.every = function every(name, ms, job) {
          const timer = setInterval(() => { void (async () => { try { await job(); } catch (error) { console.error(name, error); } })(); }, ms);
          timer.unref();
        };
      `,
      's.js': S,
    },
    reached: ['s.js#load', 's.js#scan', 's.js#read'],
    idle: ['s.js#daily'],
  },
  {
    name: 'a method that an object starts',
    files: {
      'app.js': `${LISTENING}require('./ingestion').start();\n`,
      'ingestion.js': dedent`
        const s = require('./s');
        class Ingestion {
          start() { this.interval = setInterval(() => { this.poll().catch(console.error); }, Number(process.env.INTERVAL)); }
          async poll() { s.load(); }
        }
        module.exports = new Ingestion();
      `,
      's.js': S,
    },
    reached: ['s.js#load'],
  },
  {
    name: 'what runs once, once a day, during development, or nowhere is none',
    files: {
      'app.js':
        LISTENING +
        dedent`
          const s = require('./s');
          setTimeout(() => s.load(), 1000);
          setInterval(() => s.daily(), 24 * 60 * 60 * 1000);
          if (process.env.NODE_ENV === 'development') setInterval(() => s.scan(), 1000);
          const own = { setInterval: (run) => run };
          own.setInterval(() => s.read());
        `,
      's.js': S,
    },
    idle: ['s.js#load', 's.js#daily', 's.js#scan', 's.js#read'],
  },
  {
    name: 'a process that serves nobody, and a file that the server does not load',
    files: {
      'app.js': LISTENING,
      'watch.js': `const s = require('./s');\nsetInterval(() => s.load(), 1000);\n`,
      'agent.js': `const s = require('./s');\nfunction poll() { s.scan(); setTimeout(() => poll(), 1000); }\npoll();\n`,
      's.js': S,
    },
    idle: ['s.js#load', 's.js#scan'],
  },
  {
    name: 'a request says more than a timer',
    files: {
      'app.js': dedent`
        const app = require('express')();
        const s = require('./s');
        setInterval(() => s.load(), 1000);
        app.get('/a', (req, res) => { s.load(); res.end(); });
        app.listen(3000);
      `,
      's.js': S,
    },
    reached: ['s.js#load GET /a'],
  },
  {
    name: 'retries, waiting for something, the process that starts the others, and a cache that startup fills',
    files: {
      'app.js':
        LISTENING +
        dedent`
          const cluster = require('cluster');
          const s = require('./s');
          let kept;
          async function connect() { try { await s.load(); } catch (error) { setTimeout(connect, 1000); } }
          connect();
          function wait() { if (!s.isReady) { setTimeout(wait, 100); return; } s.scan(); }
          wait();
          const timer = setInterval(() => { if (!s.isReady) return; clearInterval(timer); s.read(); }, 100);
          if (cluster.isPrimary) setInterval(() => s.daily(), 1000);
          function refresh() { kept = s.cached(); }
          refresh();
          setInterval(refresh, 60_000);
          app.get('/b', (req, res) => { if (!kept) refresh(); res.json(kept); });
        `,
      's.js': `${S}exports.cached = function cached() {};\n`,
    },
    idle: ['s.js#load', 's.js#scan', 's.js#read', 's.js#daily'],
    reached: ['s.js#cached'],
  },
  {
    name: 'loops that end, that wait for something, that nothing paces, and of what is not a server',
    files: {
      'app.js':
        LISTENING +
        dedent`
          const s = require('./s');
          const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
          let isReady = false, isRunning = false, stopped = false;
          async function untilReady() { while (!isReady) { s.load(); await sleep(100); } }
          async function retry() { let attempts = 0; while (attempts < 5) { s.load(); await sleep(100); attempts += 1; } }
          async function connect() { while (true) { try { return await s.load(); } catch { await sleep(1000); } } }
          async function ask() { for (;;) { const job = s.load(); if (job.done) break; await sleep(500); } }
          async function failing() { let n = 0; while (true) { s.scan(); if ((n += 1) > 5) throw new Error('no answer'); await sleep(500); } }
          async function drain() { isRunning = true; while (isRunning) { s.read(); if (s.isEmpty) isRunning = false; await sleep(10); } }
          async function idle() { while (!stopped) await sleep(1000); s.daily(); }
          async function never() { while (true) { s.daily(); await sleep(24 * 60 * 60 * 1000); } }
          function spin() { while (!stopped) { s.daily(); } }
          async function* events() { while (true) { yield s.daily(); await sleep(1000); } }
          async function later() { while (true) { setTimeout(() => undefined, 10); s.daily(); if (await s.next()) continue; } }
          if (process.env.NODE_ENV === 'development') (async () => { while (true) { s.daily(); await sleep(1000); } })();
          for (const start of [untilReady, retry, connect, ask, failing, drain, idle, never, spin, events, later]) start();
        `,
      'tool.js': dedent`
        const t = require('./t');
        async function main() { while (true) { t.work(); await new Promise((resolve) => setTimeout(resolve, 1000)); } }
        main();
      `,
      's.js': S,
      't.js': 'exports.work = function work() {};',
    },
    idle: ['s.js#load', 's.js#scan', 's.js#read', 's.js#daily', 't.js#work'],
  },
  {
    name: 'a loop in a request handler is the request of it, and what a function does before its loop is done once',
    files: {
      'app.js': dedent`
        const app = require('express')();
        const s = require('./s');
        const { setTimeout: sleep } = require('node:timers/promises');
        app.get('/a', async (req, res) => { let closed = false; req.on('close', () => { closed = true; }); while (!closed) { s.load(); await sleep(100); } res.end(); });
        async function start() { s.daily(); while (true) { s.scan(); await sleep(1000); } }
        app.listen(3000, start);
      `,
      's.js': S,
    },
    reached: ['s.js#load GET /a', 's.js#scan'],
    idle: ['s.js#daily'],
  },
  {
    name: 'loops without an end that sleep in every round, of functions and methods',
    files: {
      'app.js':
        LISTENING +
        dedent`
          const s = require('./s');
          require('./worker').start();
          const { sleep } = require('./wait');
          let stopping = false;
          process.on('SIGTERM', () => { stopping = true; });
          async function scanning() { while (!stopping) { try { await s.scan(); } catch (error) { console.error(error); } await sleep(1000); } }
          scanning();
          (async () => { for (;;) { if (stopping) break; s.read(); await new Promise((resolve) => setTimeout(resolve, 1000)); } })();
        `,
      'worker.js': dedent`
        const s = require('./s');
        class Worker {
          async start() {
            if (this.isRunning) { console.log('running'); return; }
            this.isRunning = true;
            while (this.isRunning) {
              try { await this.work(); } catch (error) { console.error(error); }
              await this.sleep(5000);
            }
          }
          stop() { this.isRunning = false; }
          async work() { s.load(); }
          sleep(ms) { return new Promise((resolve) => setTimeout(resolve, ms)); }
        }
        module.exports = new Worker();
      `,
      'wait.js': 'exports.sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));',
      's.js': S,
    },
    reached: ['s.js#load', 's.js#scan', 's.js#read'],
    idle: ['s.js#daily'],
  },
  {
    name: 'timers and loops of functions that nobody calls',
    files: {
      'app.js':
        LISTENING +
        dedent`
          const s = require('./s');
          require('./jobs');
          const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
          async function forgotten() { while (true) { s.load(); await sleep(100); } }
          const left = () => { setInterval(() => { s.scan(); }, 1000); };
          function again() { s.read(); setTimeout(again, 1000); }
        `,
      'jobs.js': dedent`
        const s = require('./s');
        function startDailyJobs() { setInterval(() => { s.daily(); }, 1000); }
        module.exports = { startDailyJobs };
      `,
      's.js': S,
    },
    idle: ['s.js#load', 's.js#scan', 's.js#read', 's.js#daily'],
  },
  {
    name: 'timers and loops of functions that are passed on, exported by default, or called by an importer',
    files: {
      'app.js': dedent`
        const app = require('express')();
        const s = require('./s');
        const jobs = require('./jobs');
        require('./scanning')();
        const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
        async function load() { while (true) { s.load(); await sleep(100); } }
        app.listen(3000, load);
        jobs.startDailyJobs();
      `,
      'jobs.js': dedent`
        const s = require('./s');
        function startDailyJobs() { setInterval(() => { s.daily(); }, 1000); }
        module.exports = { startDailyJobs };
      `,
      'scanning.js': dedent`
        const s = require('./s');
        module.exports = function scanning() { setInterval(() => { s.scan(); }, 1000); };
      `,
      's.js': S,
    },
    reached: ['s.js#load', 's.js#scan', 's.js#daily'],
  },
  {
    name: 'what a timer tries again on a condition, in a block',
    files: {
      'app.js':
        LISTENING +
        dedent`
          const s = require('./s');
          let socket;
          function connect() { socket = s.load(); setTimeout(() => { if (!socket.authorized) connect(); }, 5000); }
          function open() { const key = s.scan(); setTimeout(() => { try { use(key); } catch { open(); } }, 5000); }
          function join() { socket = s.read(); setTimeout(() => { if (socket.authorized) return; join(); }, 5000); }
          function reach() { socket = s.daily(); setTimeout(() => socket.authorized || reach(), 5000); }
          function use() {}
          connect(); open(); join(); reach();
        `,
      's.js': S,
    },
    idle: ['s.js#load', 's.js#scan', 's.js#read', 's.js#daily'],
  },
  {
    name: 'what a timer runs in each of its rounds, in a block',
    files: {
      'app.js':
        LISTENING +
        dedent`
          const s = require('./s');
          function poll() { s.load(); setTimeout(() => { try { poll(); } catch (error) { console.error(error); } }, 5000); }
          function pollLater() { s.scan(); setTimeout(() => { if (s.isVerbose) console.log('again'); pollLater(); }, 5000); }
          poll(); pollLater();
        `,
      's.js': S,
    },
    reached: ['s.js#load', 's.js#scan'],
  },
  {
    name: 'methods that set a timer for themselves',
    files: {
      'app.js': `${LISTENING}require('./a').poll();\n`,
      'a.js': dedent`
        const s = require('./s');
        class A {
          async poll() { await s.load(); this.timer = setTimeout(() => this.poll(), 1000); }
          async scan() { try { s.scan(); } finally { setTimeout(this.scan.bind(this), 1000); } }
          async read() { s.read(); setTimeout(async () => { await this.read(); }, 1000); }
        }
        module.exports = new A();
      `,
      's.js': S,
    },
    reached: ['s.js#load', 's.js#scan', 's.js#read'],
  },
  {
    name: 'a file that is named a worker: of the process that imports it, and of a thread',
    files: {
      'app.js': `${LISTENING}require('./mail.worker').start();\nnew (require('node:worker_threads').Worker)('./scan.worker.js');\nrequire('./own.worker');\n`,
      'mail.worker.js': dedent`
        const s = require('./s');
        exports.start = () => { setInterval(() => s.load(), 1000); };
      `,
      'scan.worker.js': `const s = require('./s');\nsetInterval(() => s.scan(), 1000);\n`,
      'own.worker.js': `const { parentPort } = require('node:worker_threads');\nconst s = require('./s');\nif (parentPort) setInterval(() => s.read(), 1000);\n`,
      's.js': S,
    },
    reached: ['s.js#load'],
    idle: ['s.js#scan', 's.js#read'],
  },
  {
    name: 'a file that is named a worker, and of which a server has types only, or which a package runs in a thread',
    files: {
      'app.ts': dedent`
        import express from 'express';
        import type { Mail } from './mail.worker.js';
        import { type Job } from './scan.worker.js';
        import { Task } from './read.worker.js';
        import { daily } from './daily.worker.js';
        const app = express();
        app.get('/a', (req, res) => { const task: Task = {} as Mail & Job; res.json(daily(task)); });
        app.listen(3000);
      `,
      ...Object.fromEntries(
        ['load', 'scan', 'read'].map((name) => [
          `${name === 'load' ? 'mail' : name}.worker.ts`,
          `import * as s from './s';\nexport type Mail = any; export type Job = any; export type Task = any;\nsetInterval(() => { s.${name}(); }, 1000);\n`,
        ]),
      ),
      'daily.worker.ts': dedent`
        import { expose } from 'threads/worker';
        import * as s from './s';
        export const daily = (task: unknown) => task;
        setInterval(() => { s.daily(); }, 1000);
        expose(daily);
      `,
      's.ts': ['load', 'scan', 'read', 'daily'].map((name) => `export function ${name}() {}\n`).join(''),
    },
    idle: ['s.ts#load', 's.ts#scan', 's.ts#read', 's.ts#daily'],
  },
  {
    name: 'a file that is named a worker, of which a server has more than types',
    files: {
      'app.ts': dedent`
        import express from 'express';
        import type { Mail } from './mail.worker.js';
        import { start } from './mail.worker.js';
        const app = express();
        app.get('/a', (req, res) => { res.json({} as Mail); });
        app.listen(3000, start);
      `,
      'mail.worker.ts':
        "import * as s from './s';\nexport type Mail = any;\nexport function start() { setInterval(() => { s.load(); }, 1000); }\n",
      's.ts': 'export function load() {}\n',
    },
    reached: ['s.ts#load'],
  },
];
