// What the first request runs, and others do not: what a guard keeps, also of a function that it was passed.
import { dedent } from '../../../analysis/testing/dedent.ts';
import type { App } from './support.ts';

const S = dedent`
  exports.load = function load() {};
  exports.scan = function scan() {};
  exports.read = function read() {};
`;

const app = (body: string): string => dedent`
  const app = require('express')();
  const s = require('./s');
  const loader = require('./loader');
  app.get('/a', (req, res) => { ${body} });

`;

export const onceCases: readonly App[] = [
  {
    name: 'an object that is empty until the first request, and one that belongs to a request',
    files: {
      'app.js': app('loader.read(); loader.mine({}); loader.again();'),
      'loader.js': dedent`
        const s = require('./s');
        const known = {};
        const others = {};
        exports.read = function () {
          if (Object.keys(known).length) return known;
          known.info = s.load();
          return known;
        };
        exports.mine = function (own) { if (Object.keys(own).length === 0) own.info = s.scan(); return own; };
        exports.again = function () { if (Object.keys(others).length > 0) return others; return s.read(); };
      `,
      's.js': S,
    },
    once: ['s.js#load'],
    reached: ['s.js#scan', 's.js#read'],
  },
  {
    name: 'a loader with states, and what it is given to load',
    files: {
      'app.js': dedent`
        const loaders = require('./loaders');
        ${app('loaders.get((error, value) => { s.read(value); res.end(); });')}
      `,
      'loaders.js': dedent`
        const Loader = require('./loader');
        const s = require('./s');
        const loader = new Loader();
        function load(callback) { callback(null, s.load()); }
        exports.get = function get(done) { loader.load(load, (error, value) => { s.scan(); done(error, value); }); };
      `,
      'loader.js': dedent`
        function Loader() { this.state = 'waiting'; this.waiting = []; }
        Loader.prototype.load = function (read, done) {
          if (this.state === 'loaded') return done(null, this.value);
          this.waiting.push(done);
          if (this.state === 'loading') return;
          this.state = 'loading';
          const self = this;
          read((error, value) => {
            if (error) { self.state = 'waiting'; return; }
            self.value = value;
            self.state = 'loaded';
            for (const one of self.waiting) one(null, value);
          });
        };
        module.exports = Loader;
      `,
      's.js': S,
    },
    reached: ['s.js#read', 's.js#scan'],
    once: ['s.js#load'],
  },
  {
    name: 'a state that the function only asks for, and one that another function sets',
    files: {
      'app.js': app('loader.run(() => s.load()); loader.check(() => s.scan()); res.end();'),
      'loader.js': dedent`
        class Loader {
          run(work) { if (this.state === 'closed') return; work(); this.state = 'open'; }
          check(work) { if (this.state === 'closed') return; work(); }
          close() { this.state = 'closed'; }
        }
        module.exports = new Loader();
      `,
      's.js': S,
    },
    reached: ['s.js#load', 's.js#scan'],
  },
  {
    name: 'the branch that sets what the other one asks for',
    files: {
      'app.js': app('loader.init(() => s.load()); loader.each(() => s.scan()); res.end();'),
      'loader.js': dedent`
        let isReady = false;
        exports.init = function (load) { if (isReady) { log(); } else { isReady = true; load(); } };
        exports.each = function (load) { if (isReady) { log(); } else { load(); } };
        function log() {}
      `,
      's.js': S,
    },
    reached: ['s.js#scan'],
    once: ['s.js#load'],
  },
  {
    name: 'what a guard itself calls',
    files: {
      'app.js': app('loader.show(res);'),
      'loader.js': dedent`
        const s = require('./s');
        let page;
        exports.show = function (res) { if (page) return s.read(res, page); page = s.load(); s.read(res, page); };
      `,
      's.js': S,
    },
    reached: ['s.js#read'],
    once: ['s.js#load'],
  },
  {
    name: 'a function that is run once in one place, and each time in another',
    files: {
      'app.js': app('loader.both(() => s.load()); loader.passed(() => s.scan()); res.end();'),
      'loader.js': dedent`
        let kept;
        function keep(load) { if (!kept) kept = load(); return kept; }
        exports.both = function (load) { keep(load); load(); };
        exports.passed = function (load) { return keep(load); };
      `,
      's.js': S,
    },
    reached: ['s.js#load'],
    once: ['s.js#scan'],
  },
  {
    name: 'a promise that is kept under a name, and one that is kept under another name than it is looked for',
    files: {
      'app.js': app('loader.open(); loader.other(); loader.ask(); res.end();'),
      'loader.js': dedent`
        const s = require('./s');
        const getShared = (key) => globalThis[key];
        const setShared = (key, value) => { globalThis[key] = value; };
        const READY = 'ready';
        exports.open = async function () {
          const pending = getShared(READY);
          if (pending) { if (!globalThis.isClosed) return pending; }
          const made = (async () => { s.load(); })();
          setShared(READY, made);
          return made;
        };
        exports.other = async function () {
          const pending = getShared(READY);
          if (pending) return pending;
          const made = (async () => { s.scan(); })();
          setShared('other', made);
          return made;
        };
        exports.ask = async function () {
          const pending = getShared(READY);
          if (pending) { if (!globalThis.isClosed) return 1; }
          setShared(READY, (async () => { s.read(); })());
        };
      `,
      's.js': S,
    },
    reached: ['s.js#scan', 's.js#read'],
    once: ['s.js#load'],
  },
  {
    name: 'caches that startup fills: one that a signal, a failure, and a closed connection empty, and one that requests empty',
    files: {
      'app.js': dedent`
        const cache = require('./cache');
        const app = require('express')();
        app.get('/', (req, res) => { res.send([cache.kept(), cache.saved()]); });
        app.post('/', (req, res) => { cache.save(); cache.retry(); res.end(); });
        process.on('SIGHUP', () => cache.reset());
        cache.kept(); cache.saved();
        app.listen(3000);
      `,
      'cache.js': dedent`
        const s = require('./s');
        class Cache {
          constructor() { this.own = null; this.config = null; }
          kept() { if (!this.own) this.own = s.load(); return this.own; }
          saved() { if (!this.config) { this.config = s.scan(); } return this.config; }
          reset() { this.own = null; }
          retry() { try { s.read(); } catch { this.own = null; } source.on('close', () => { this.own = null; }); }
          save() { this.config = null; }
        }
        module.exports = new Cache();
      `,
      's.js': S,
    },
    idle: ['s.js#load'],
    once: ['s.js#scan'],
    reached: ['s.js#read'],
  },
  {
    name: 'caches that startup fills, and what empties another one of that name, a local variable, or one of several',
    files: {
      'app.js': dedent`
        const cache = require('./cache');
        const app = require('express')();
        app.get('/', (req, res) => { res.send([cache.words.all(), cache.both()]); });
        app.post('/', (req, res) => { cache.draft.clear(); cache.find(req.body); cache.forget(); res.end(); });
        cache.words.all(); cache.both();
        app.listen(3000);
      `,
      'cache.js': dedent`
        const s = require('./s');
        class Words { all() { if (!this.data) this.data = s.load(); return this.data; } }
        class Draft { clear() { this.data = null; } }
        let first, second;
        exports.both = () => { if (!first) first = s.scan(); if (!second) second = s.idle(); return first + second; };
        exports.find = (text) => { let first = text; if (text.empty) first = null; return first; };
        exports.forget = () => { second = null; };
        exports.words = new Words();
        exports.draft = new Draft();
      `,
      's.js': S,
    },
    idle: ['s.js#load', 's.js#scan'],
    reached: [],
  },
  {
    name: 'caches that startup fills: one that is kept, and two that expire',
    files: {
      'app.js': dedent`
        const loader = require('./loader');
        const app = require('express')();
        app.get('/', (req, res) => { loader.kept(); loader.timed(); loader.stale(); res.end(); });
        loader.kept(); loader.timed(); loader.stale();
        app.listen(3000);
      `,
      'loader.js': dedent`
        const s = require('./s');
        let kept, timed = null, old;
        exports.kept = function () { if (kept) return kept; kept = s.load(); return kept; };
        exports.timed = async function () {
          const now = Date.now();
          if (timed && timed.expiresAt > now) return timed.value;
          const value = await s.scan();
          timed = { value, expiresAt: now + 20_000 };
          return value;
        };
        exports.stale = function () { if (!old || isStale(old)) old = s.read(); return old; };
      `,
      's.js': S,
    },
    idle: ['s.js#load'],
    once: ['s.js#scan', 's.js#read'],
  },
  {
    name: 'a lock that is given up again, and what is made anew only when it failed or was closed',
    files: {
      'app.js': app('loader.lock(); loader.later(); loader.shared(); loader.timed(); loader.failed(); loader.connected();'),
      'loader.js': dedent`
        const s = require('./s');
        let busy = 0;
        let running = false;
        let pending = null;
        let waiting = false;
        let made, connection;
        exports.lock = function () {
          if (busy) { console.log('busy'); return; }
          busy = Date.now();
          void (async () => { try { await s.load(); } catch (error) { console.error(error); } finally { busy = 0; } })();
        };
        exports.later = async function () {
          if (running) return;
          running = true;
          await s.scan();
          running = false;
        };
        exports.shared = function () {
          if (pending) return pending;
          pending = s.read().finally(() => { pending = null; });
          return pending;
        };
        exports.timed = function () {
          if (waiting) return;
          waiting = true;
          s.count();
          setTimeout(() => { waiting = false; }, 1000);
        };
        exports.failed = async function () {
          if (made) return made;
          try { made = await s.make(); } catch (error) { made = undefined; throw error; }
          return made;
        };
        exports.connected = function () {
          if (connection) return connection;
          connection = s.connect();
          connection.on('close', () => { connection = undefined; });
          return connection;
        };
      `,
      's.js': `${S}exports.count = function count() {};\nexports.make = function make() {};\nexports.connect = function connect() {};\n`,
    },
    reached: ['s.js#load', 's.js#scan', 's.js#read', 's.js#count'],
    once: ['s.js#make', 's.js#connect'],
  },
  {
    name: 'a Map of a class that is filled while it is empty, at startup or by the first request, and one that is emptied',
    files: {
      'app.js': dedent`
        const app = require('express')();
        const { Loader, Lazy, Emptied } = require('./loader');
        app.get('/a', async (req, res) => { await Loader.get('a'); await Lazy.get('a'); await Emptied.get('a'); res.end(); });
        async function start() { await Loader.load(); app.listen(3000); }
        start();
      `,
      'loader.js': dedent`
        const s = require('./s');
        class Loader {
          static known = new Map();
          static async load() { Loader.known.set('a', s.load()); Loader.known = new Map([...Loader.known].sort()); }
          static async get(name) { if (Loader.known.size == 0) { await Loader.load(); } return Loader.known.get(name); }
        }
        class Lazy {
          static known = new Map();
          static async load() { Lazy.known = new Map([['a', s.scan()]]); }
          static async get(name) { if (!Lazy.known.size) await Lazy.load(); return Lazy.known.get(name); }
        }
        class Emptied {
          static left = new Map();
          static async load() { Emptied.left = new Map([['a', s.read()]]); }
          static async get(name) { if (Emptied.left.size === 0) await Emptied.load(); const one = Emptied.left.get(name); Emptied.left.delete(name); return one; }
        }
        module.exports = { Loader, Lazy, Emptied };
      `,
      's.js': S,
    },
    idle: ['s.js#load'],
    once: ['s.js#scan'],
    reached: ['s.js#read GET /a'],
  },
  {
    name: 'what is emptied before it is filled, freed after failures alone, or after an hour is a cache',
    files: {
      'app.js': app('loader.total(); loader.flag(); loader.rejected(); loader.hour(); loader.either();'),
      'loader.js': dedent`
        const s = require('./s');
        let total, ready, begun, fresh, data;
        exports.total = () => { if (total) return total; total = 0; for (const one of s.load()) total += one; return total; };
        exports.flag = () => { if (ready) return; ready = false; s.scan(); ready = true; };
        exports.rejected = () => { if (begun) return; begun = true; s.read().then(() => {}, () => { begun = false; }); };
        exports.hour = () => { if (fresh) return; fresh = true; s.hourly(); setTimeout(() => { fresh = false; }, 3_600_000); };
        exports.either = () => { if (data) return data; let ok; try { data = s.made(); ok = true; } finally { ok || (data = null); } return data; };
      `,
      's.js': `${S}exports.hourly = function hourly() {};\nexports.made = function made() {};\n`,
    },
    once: ['s.js#load', 's.js#scan', 's.js#read', 's.js#hourly', 's.js#made'],
  },
];
