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
];
