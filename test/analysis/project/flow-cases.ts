// Projects in which a handler is reached through values: returned, stored, passed, inherited.
import type { App } from './support.ts';
import { dedent } from '../../../analysis/testing/dedent.ts';

const EXPRESS = `const app = require('express')();\n`;
const show = (body: string): string => `${EXPRESS}app.get('/a', (req, res) => { ${body} });\n`;

/** How function values flow within and between files. */
export const flowCases: readonly App[] = [
  {
    name: 'a function and a variable in it have one name',
    files: {
      'app.js': dedent`
        const app = require('express')();
        const { worker, user } = require('./s');
        app.get('/a', worker);
        app.get('/b', (req, res) => res.send(user(req.query)));
      `,
      's.js': dedent`
        function worker(req, res) {
          const worker = start();
          worker.on('message', (text) => res.send(text));
        }
        function user(user) { return load(user); }
        function start() {}
        function load() {}
        module.exports = { worker, user };
      `,
    },
    reached: ['s.js#start GET /a', 's.js#load GET /b'],
  },
  {
    name: 'what is logged is no callback, unless it is one function',
    files: {
      'app.js': dedent`
        const app = require('express')();
        const { logger } = require('some-logger');
        const s = require('./s');
        const table = { first: s.first, second: s.second };
        app.get('/a', (req, res) => { logger.warn('unknown', table[req.query.name]); res.send(new RegExp(escapeText(table[req.query.name]))); });
        app.get('/b', (req, res) => { logger.debug(s.text); logger.debug(() => s.inner()); res.end(); });
        app.get('/c', (req, res) => { logger.run('unknown', table[req.query.name]); res.end(); });
      `,
      's.js': dedent`
        exports.first = function first() {};
        exports.second = function second() {};
        exports.text = function text() {};
        exports.inner = function inner() {};
      `,
    },
    reached: ['s.js#first GET /c', 's.js#inner GET /b', 's.js#second GET /c', 's.js#text GET /b'],
  },
  {
    name: 'what lodash reads is no callback',
    files: {
      'app.js': dedent`
        const app = require('express')();
        const _ = require('lodash');
        const s = require('./s');
        app.get('/a', (req, res) => { res.json(_.get(s.read, req.query.path)); });
        app.get('/b', (req, res) => { res.json(_.map(s.list, s.mapped)); _.once(s.once)(); });
      `,
      's.js': dedent`
        exports.read = function read() {};
        exports.mapped = function mapped() {};
        exports.once = function once() {};
        exports.list = function list() {};
      `,
    },
    reached: ['s.js#mapped GET /b', 's.js#once GET /b'],
  },
  {
    name: 'bind, call and apply',
    files: {
      'app.js': dedent`
        const s = require('./s');
        ${show(`const b = s.b.bind(s); b(); s.c.call(s, 1); s.d.apply(s, [1]);`)}
      `,
      's.js': dedent`
        exports.b = function b() { this.c2(); };
        exports.c2 = function c2() {};
        exports.c = function c() {};
        exports.d = function d() {};
      `,
    },
    reached: ['s.js#b', 's.js#c', 's.js#d', 's.js#c2'],
  },
  {
    name: 'classes: own, inherited, overridden and super',
    files: {
      'app.js': dedent`
        const { Child } = require('./child');
        const c = new Child();
        ${show('c.run();')}
      `,
      'child.js': dedent`
        const Base = require('./base');
        class Child extends Base { hook() { super.hook(); this.own(); } own() {} idle() {} }
        module.exports = { Child };
      `,
      'base.js': dedent`
        class Base { constructor() { this.prepare(); } prepare() {} run() { this.hook(); } hook() { this.deep(); } deep() {} unused() {} }
        module.exports = Base;
      `,
    },
    reached: ['base.js#run', 'child.js#hook', 'child.js#own', 'base.js#deep'],
    idle: ['child.js#idle', 'base.js#unused', 'base.js#prepare'],
  },
  {
    name: 'two classes with methods of one name',
    files: {
      'app.js': dedent`
        const { A, B } = require('./s');
        const a = new A();
        const b = new B();
        b.get();
        ${show('a.get();')}
      `,
      's.js': dedent`
        class A { get() { fromA(); } }
        class B { get() { fromB(); } }
        function fromA() {}
        function fromB() {}
        module.exports = { A, B };
      `,
    },
    reached: ['s.js#fromA'],
    idle: ['s.js#fromB'],
  },
  {
    name: 'constructor functions and prototypes',
    files: {
      'app.js': dedent`
        const Store = require('./store');
        const s = new Store();
        ${show('s.load();')}
      `,
      'store.js': dedent`
        const util = require('util');
        function Base() {}
        Base.prototype.read = function read() {};
        function Store() { Base.call(this); }
        util.inherits(Store, Base);
        Store.prototype.load = function load() { this.read(); };
        module.exports = Store;
      `,
    },
    reached: ['store.js#load', 'store.js#read'],
  },
  {
    name: 'results, arguments and arrays',
    files: {
      'app.js': dedent`
        const { make, run, list } = require('./s');
        ${show(`make()(); run(deep); for (const f of list) f();`)}function deep() {}
      `,
      's.js': dedent`
        exports.make = () => made;
        function made() {}
        exports.run = function run(fn) { fn(); };
        exports.list = [first, second];
        function first() {}
        function second() {}
        function idle() {}
      `,
    },
    reached: ['s.js#made', 'app.js#deep', 's.js#first', 's.js#second'],
    idle: ['s.js#idle'],
  },
  {
    name: 'what one caller hands over is not what the other runs',
    files: {
      'app.js': dedent`
        const { transaction } = require('./db');
        const { migrate } = require('./boot');
        ${show('transaction(work);')}function work() {}
        migrate();
      `,
      'boot.js': dedent`
        const { transaction } = require('./db');
        exports.migrate = function migrate() { transaction(upgrade); };
        function upgrade() {}
      `,
      'db.js': `exports.transaction = function transaction(fn) { return new Promise((resolve) => { resolve(fn()); }); };`,
    },
    reached: ['app.js#work'],
    idle: ['boot.js#upgrade', 'boot.js#migrate'],
  },
  {
    name: 'what one caller hands over in a literal is not what the other runs',
    files: {
      'app.js': dedent`
        const { inParts, retry, once } = require('./batch');
        const s = require('./s');
        ${show('inParts({ items: [1], run: async (item) => s.one(item) }); retry({ attempt() { s.two(); } }); once({ run: () => s.three() });')}
        function build() { inParts({ items: [2], run: (item) => s.idle(item) }); }
        function migrate() { retry({ attempt: () => s.idle() }); once({ run() { s.idle(); }, failed() {} }); }
        build();
        migrate();
      `,
      'batch.js': dedent`
        exports.inParts = async function inParts({ items, run, finished = () => {} }) {
          await Promise.all(items.map((item) => run(item)));
          finished();
        };
        exports.retry = function retry(options) { for (let i = 0; i < 3; i++) tryNow(options); };
        function tryNow(given) { const { attempt } = given; attempt(); }
        exports.once = function once(options) { if (options.run) options.run(); };
      `,
      's.js': dedent`
        exports.one = function one() {};
        exports.two = function two() {};
        exports.three = function three() {};
        exports.idle = function idle() {};
      `,
    },
    reached: ['s.js#one', 's.js#two', 's.js#three', 'batch.js#tryNow'],
    idle: ['s.js#idle'],
  },
  {
    name: 'functions in a literal that run later, or that stand somewhere else',
    files: {
      'app.js': dedent`
        const { makeStore, Job, run } = require('./store');
        const s = require('./s');
        const store = makeStore({ load: () => s.load(), listen: () => s.listen() });
        const job = new Job({ work: () => s.work() });
        const options = { run: () => s.run() };
        ${show('store.get(); store.listener(); job.start(); run(options);')}
      `,
      'store.js': dedent`
        exports.makeStore = function makeStore(options) {
          return { get() { return options.load(); }, listener: () => options.listen() };
        };
        exports.Job = class Job { constructor({ work }) { this.work = work; } start() { this.work(); } };
        exports.run = function run(options) { options.run(); };
      `,
      's.js': dedent`
        exports.load = function load() {};
        exports.listen = function listen() {};
        exports.work = function work() {};
        exports.run = function run() {};
      `,
    },
    reached: ['s.js#load', 's.js#listen', 's.js#work', 's.js#run'],
  },
  {
    name: 'a list that is filled later',
    files: {
      'app.js': dedent`
        const s = require('./s');
        const steps = [];
        steps.push(s.first);
        class Bus { constructor() { this.all = []; } add(fn) { this.all.push(fn); } run() { this.all.forEach((fn) => fn()); } }
        const bus = new Bus();
        bus.add(s.second);
        ${show('for (const step of steps) step(); bus.run();')}
      `,
      's.js': dedent`
        exports.first = function first() {};
        exports.second = function second() {};
        exports.idle = function idle() {};
      `,
    },
    reached: ['s.js#first', 's.js#second'],
    idle: ['s.js#idle'],
  },
  {
    name: 'a listener that is taken back',
    files: {
      'app.js': dedent`
        const s = require('./s');
        const all = [];
        all.push(s.idle);
        ${show('all.forEach((listener) => { req.removeListener("a", listener); }); clearTimeout(s.timer());')}
      `,
      's.js': `exports.idle = function idle() {};`,
    },
    idle: ['s.js#idle'],
  },
  {
    name: 'functions that a route file is given, and calls while starting, too',
    files: {
      'app.js': dedent`
        ${EXPRESS}const { load } = require('./s');
        require('./routes')(app, load);
      `,
      'routes.js': `module.exports = function (app, load) { load(); app.get('/a', (req, res) => { res.end(load()); }); };`,
      's.js': `exports.load = function load() {};`,
    },
    reached: ['s.js#load GET /a'],
  },
  {
    name: 'what runs only where an argument is left out',
    files: {
      'app.js': dedent`
        const app = require('express')();
        const s = require('./s');
        s.info();
        app.get('/a', (req, res) => res.send(s.info(req.pool) + s.read(req.query, undefined) + s.parse('x', {}) + s.prepare(req.query.path)));
        app.get('/b', (req, res) => res.send(s.again()));
      `,
      's.js': dedent`
        exports.info = function info(db) { if (!db) { db = idle(); } return db.query(); };
        exports.read = function read(query, config = load()) { return config; };
        exports.parse = function parse(text, options) { options = options || quiet(); return options; };
        exports.again = function again(db, other) { const pool = db ?? scan(); return pool; };
        exports.prepare = function prepare(path) { if (!path) install(); return path; };
        function idle() {}
        function load() {}
        function quiet() {}
        function scan() {}
        function install() {}
      `,
    },
    reached: ['s.js#scan GET /b', 's.js#install'],
    idle: ['s.js#idle', 's.js#quiet'],
  },
  {
    name: 'the branch for calls without a callback',
    files: {
      'app.js': dedent`
        const app = require('express')();
        const s = require('./s');
        app.get('/a', (req, res) => {
          s.choose(req.query, (rows) => res.json(rows));
          s.leave(req.query, (rows) => res.json(rows));
          s.test(req.query, (rows) => res.json(rows));
          s.guard(req.query, (rows) => res.json(rows));
        });
        app.get('/b', (req, res) => { s.mail(req.query); res.end(); });
        app.get('/c', (req, res) => { s.label(req.query, ''); res.end(); });
      `,
      's.js': dedent`
        exports.choose = function choose(query, cb) { cb ? cb([query]) : printChosen(); };
        exports.leave = function leave(query, cb) { if (cb) return cb([query]); printLeft(); };
        exports.test = function test(query, cb) { if (typeof cb === 'function') { cb([query]); } else { printTested(); } };
        exports.guard = function guard(query, cb) { if (!cb) { printGuarded(); return; } cb([query]); };
        exports.mail = function mail(query, cb) { if (cb) return cb([query]); send(); };
        exports.label = function label(query, text) { text ? show(text) : hide(); };
        function printChosen() {}
        function printLeft() {}
        function printTested() {}
        function printGuarded() {}
        function send() {}
        function show() {}
        function hide() {}
      `,
    },
    reached: ['s.js#send GET /b', 's.js#show GET /c', 's.js#hide GET /c'],
    idle: ['s.js#printChosen', 's.js#printLeft', 's.js#printTested', 's.js#printGuarded'],
  },
  {
    name: 'dispatch by a string',
    files: {
      'app.js': dedent`
        const actions = require('./actions');
        ${show('actions[req.query.action](req);')}
      `,
      'actions.js': dedent`
        module.exports = { save() { write(); }, drop() {} };
        function write() {}
        function idle() {}
      `,
    },
    reached: ['actions.js#write', 'actions.js#drop'],
    idle: ['actions.js#idle'],
  },
  {
    name: 'emitters across files',
    files: {
      'app.js': dedent`
        const bus = require('./bus');
        require('./mail');
        ${show(`bus.emit('signup', 1);`)}
      `,
      'bus.js': dedent`
        const { EventEmitter } = require('events');
        module.exports = new EventEmitter();
      `,
      'mail.js': dedent`
        const bus = require('./bus');
        bus.on('signup', function send() {});
        bus.on('other', function idle() {});
      `,
    },
    reached: ['mail.js#send'],
    idle: ['mail.js#idle'],
  },
  {
    name: 'promises',
    files: {
      'app.js': dedent`
        const s = require('./s');
        ${show(`s.find().then(s.after).catch(s.failed); Promise.all([1]).then(() => s.all());`)}
      `,
      's.js': dedent`
        exports.find = async function find() {};
        exports.after = function after() {};
        exports.failed = function failed() {};
        exports.all = function all() {};
      `,
    },
    reached: ['s.js#after', 's.js#failed', 's.js#all'],
  },
  {
    name: 'an emitter in a class of its own',
    files: {
      'app.js': dedent`
        const Bus = require('./bus');
        const bus = new Bus();
        bus.onSignup(require('./mail').send);
        ${show('bus.emitSignup(1);')}
      `,
      'bus.js': dedent`
        const { EventEmitter } = require('events');
        class Bus { constructor() { this.emitter = new EventEmitter(); } onSignup(fn) { this.on('signup', fn); } on(event, fn) { this.emitter.on(event, fn); } emitSignup(data) { this.emitter.emit('signup', data); } }
        module.exports = Bus;
      `,
      'mail.js': `exports.send = function send() {};`,
    },
    reached: ['mail.js#send'],
  },
  {
    name: "stubs that a plugin's members take the place of",
    files: {
      'app.js': dedent`
        const auth = require('./auth');
        auth.init();
        ${show('auth.check();')}
      `,
      'auth.js': dedent`
        const plugin = require('./ldap');
        const api = { check: () => {}, init() { for (const name in plugin) api[name] = plugin[name]; } };
        module.exports = api;
      `,
      'ldap.js': dedent`
        module.exports = { check() { bind(); } };
        function bind() {}
      `,
    },
    reached: ['ldap.js#bind'],
  },
  {
    name: 'arguments that are spread keep their places',
    files: {
      'app.js': dedent`
        const { run, Job } = require('./s');
        const args = [first, second];
        new Job(...args);
        ${show('run(...args); const [one] = args; one();')}function first() {}
        function second() {}
      `,
      's.js': dedent`
        exports.run = function run(a, b) { a(); };
        exports.Job = class Job { constructor(a, b) { this.later = b; } };
      `,
    },
    reached: ['app.js#first'],
    idle: ['app.js#second'],
  },
  {
    name: "properties that are written to another file's object",
    files: {
      'app.js': dedent`
        const y = require('./y');
        y.commons = require('./commons');
        ${show('y.commons.log();')}
      `,
      'y.js': `module.exports = {};`,
      'commons.js': `exports.log = function log() {};`,
    },
    reached: ['commons.js#log'],
  },
  {
    name: 'getters that are read',
    files: {
      'app.js': dedent`
        const Settings = require('./settings');
        ${show('const settings = new Settings(); settings.render();')}
      `,
      'settings.js': dedent`
        const s = require('./s');
        class Settings {
          get text() { return s.read(); }
          get isDirty() { return s.stat(); }
          static get shared() { return s.share(); }
          get idle() { return s.never(); }
          render() { if (this.isDirty) return \`\${this.text}\${Settings.shared}\`; this.idle = 1; }
        }
        class Other { get idle() { return s.other(); } show() { return this.idle; } }
        module.exports = Settings;
      `,
      's.js': dedent`
        exports.read = function read() {};
        exports.stat = function stat() {};
        exports.share = function share() {};
        exports.never = function never() {};
        exports.other = function other() {};
      `,
    },
    reached: ['s.js#read', 's.js#stat', 's.js#share'],
    idle: ['s.js#never', 's.js#other'],
  },
  {
    name: 'getters of literals, and of a parent class',
    files: {
      'app.js': dedent`
        const { api, Child } = require('./s');
        ${show('api.load(); new Child().run();')}
      `,
      's.js': dedent`
        const api = { get key() { return key(); }, load() { return this.key; } };
        function key() {}
        class Base { get home() { return home(); } }
        function home() {}
        class Child extends Base { run() { return this.home; } }
        module.exports = { api, Child };
      `,
    },
    reached: ['s.js#key', 's.js#home'],
  },

  // ---- start-up and request time
  {
    name: 'a boot function, listen callbacks, shutdown',
    files: {
      'app.js': dedent`
        const s = require('./s');
        ${EXPRESS}s.boot();
        app.get('/a', (req, res) => res.end());
        app.listen(1, () => s.listening());
        process.on('exit', () => s.bye());
        process.on('SIGTERM', s.term);
      `,
      's.js': dedent`
        exports.boot = function boot() {};
        exports.listening = function listening() {};
        exports.bye = function bye() {};
        exports.term = function term() {};
      `,
    },
    idle: ['s.js#boot', 's.js#listening', 's.js#bye', 's.js#term'],
  },
  {
    name: 'reached from both',
    files: {
      'app.js': dedent`
        const s = require('./s');
        s.load();
        ${show('s.load();')}
      `,
      's.js': `exports.load = function load() {};`,
    },
    reached: ['s.js#load'],
  },
  {
    name: 'tests, migrations and seeds call it too',
    files: {
      'app.js': `${EXPRESS}app.get('/a', (req, res) => res.end());`,
      's.js': `exports.load = function load() {};`,
      'test/s.test.js': dedent`
        const s = require('../s');
        const app = require('express')();
        app.get('/x', (req, res) => s.load());
      `,
      'migrations/1.js': dedent`
        const s = require('../s');
        exports.up = (req, res) => s.load();
      `,
    },
    idle: ['s.js#load'],
  },
  {
    name: 'a cache in another file',
    files: {
      'app.js': `const c = require('./cache');\n${show('c.get();')}`,
      'cache.js': dedent`
        const s = require('./s');
        let kept;
        exports.get = function get() { if (!kept) kept = s.load(); return kept; };
      `,
      's.js': dedent`
        exports.load = function load() { deep(); };
        function deep() {}
      `,
    },
    reached: ['cache.js#get'],
    once: ['s.js#load', 's.js#deep'],
  },
  {
    name: 'a cache that is filled at start-up',
    files: {
      'app.js': dedent`
        const c = require('./cache');
        c.get();
        ${show('c.get();')}
      `,
      'cache.js': dedent`
        const s = require('./s');
        let kept;
        exports.get = function get() { if (!kept) kept = s.load(); return kept; };
      `,
      's.js': `exports.load = function load() {};`,
    },
    idle: ['s.js#load'],
  },
  {
    name: 'development only, in another file',
    files: {
      'app.js': dedent`
        const { isDev } = require('./env');
        const s = require('./s');
        ${show('if (isDev) s.reload();')}if (process.env.NODE_ENV !== 'production') app.get('/debug', (req, res) => s.debug());
      `,
      'env.js': `exports.isDev = process.env.NODE_ENV === 'development';`,
      's.js': dedent`
        exports.reload = function reload() {};
        exports.debug = function debug() {};
      `,
    },
    idle: ['s.js#reload', 's.js#debug'],
  },
  {
    name: 'a set-up that is refused once it has been done',
    files: {
      'app.js': dedent`
        const app = require('express')();
        const s = require('./s');
        const db = require('./db');
        app.post('/setup', (req, res) => { if (db.isInitialized()) throw new Error('already there'); s.create(); });
        app.post('/open', (req, res) => { if (db.isLocked()) throw new Error('not now'); s.open(); });
      `,
      'db.js': dedent`
        exports.isInitialized = () => true;
        exports.isLocked = () => false;
      `,
      's.js': dedent`
        exports.create = function create() {};
        exports.open = function open() {};
      `,
    },
    reached: ['s.js#open'],
    idle: ['s.js#create'],
  },
  {
    name: 'what comes after a statement that always leaves, and what only seems to',
    files: {
      'app.js': dedent`
        const app = require('express')();
        const s = require('./s');
        app.get('/off', async (req, res) => {
          try {
            return res.status(403).json({ success: false });
            res.json(await s.afterReturn(req.query));
          } catch (error) { res.json(s.inCatch(error)); }
        });
        app.get('/both', (req, res) => {
          if (req.query.a) { res.end(); return; } else if (req.query.b) throw new Error('b'); else { try { return s.inTry(); } catch { return res.end(); } }
          s.afterBranches();
        });
        app.get('/cases', (req, res) => {
          switch (req.query.a) {
            case '1': s.inFirst(); break; s.afterBreak();
            case '2': s.inSecond();
          }
          s.afterSwitch();
        });
        app.get('/some', (req, res) => {
          if (req.query.a) return res.end();
          try { return s.inTry(); } catch (error) { res.end(); }
          s.afterSome();
          for (const one of req.query.b) { if (one) break; else continue; s.afterContinue(); }
          block: { break block; }
          s.afterBlock();
          return helper();
          function helper() { s.inHelper(); }
          [1].forEach(() => s.inDeadCallback());
        });
        app.get('/later', (req, res) => {
          return res.end();
          app.get('/never', function never(req, res) { s.inDeadRoute(); });
        });
      `,
      's.js': [
        'afterReturn',
        'inCatch',
        'inTry',
        'afterBranches',
        'inFirst',
        'afterBreak',
        'inSecond',
        'afterSwitch',
        'afterSome',
        'afterContinue',
        'afterBlock',
        'inHelper',
        'inDeadCallback',
        'inDeadRoute',
      ]
        .map((name) => `exports.${name} = function ${name}() {};`)
        .join('\n'),
    },
    reached: ['inCatch', 'inTry', 'inFirst', 'inSecond', 'afterSwitch', 'afterSome', 'afterBlock', 'inHelper'].map(
      (name) => `s.js#${name}`,
    ),
    idle: ['afterReturn', 'afterBranches', 'afterBreak', 'afterContinue', 'inDeadCallback', 'inDeadRoute'].map((name) => `s.js#${name}`),
  },
];
