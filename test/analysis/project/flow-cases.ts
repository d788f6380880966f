import type { App } from './support.ts';

const EXPRESS = `const app = require('express')();\n`;
const show = (body: string): string => `${EXPRESS}app.get('/a', (req, res) => { ${body} });\n`;

/** How function values flow within and between files. */
export const flowCases: readonly App[] = [
  {
    name: 'a function and a variable in it have one name',
    files: {
      'app.js': `const app = require('express')();\nconst { worker, user } = require('./s');\napp.get('/a', worker);\napp.get('/b', (req, res) => res.send(user(req.query)));`,
      's.js': `function worker(req, res) {\n  const worker = start();\n  worker.on('message', (text) => res.send(text));\n}\nfunction user(user) { return load(user); }\nfunction start() {}\nfunction load() {}\nmodule.exports = { worker, user };`,
    },
    reached: ['s.js#start GET /a', 's.js#load GET /b'],
  },
  {
    name: 'bind, call and apply',
    files: {
      'app.js': `const s = require('./s');\n${show(`const b = s.b.bind(s); b(); s.c.call(s, 1); s.d.apply(s, [1]);`)}`,
      's.js': `exports.b = function b() { this.c2(); };\nexports.c2 = function c2() {};\nexports.c = function c() {};\nexports.d = function d() {};`,
    },
    reached: ['s.js#b', 's.js#c', 's.js#d', 's.js#c2'],
  },
  {
    name: 'classes: own, inherited, overridden and super',
    files: {
      'app.js': `const { Child } = require('./child');\nconst c = new Child();\n${show('c.run();')}`,
      'child.js': `const Base = require('./base');\nclass Child extends Base { hook() { super.hook(); this.own(); } own() {} idle() {} }\nmodule.exports = { Child };`,
      'base.js': `class Base { constructor() { this.prepare(); } prepare() {} run() { this.hook(); } hook() { this.deep(); } deep() {} unused() {} }\nmodule.exports = Base;`,
    },
    reached: ['base.js#run', 'child.js#hook', 'child.js#own', 'base.js#deep'],
    idle: ['child.js#idle', 'base.js#unused', 'base.js#prepare'],
  },
  {
    name: 'two classes with methods of one name',
    files: {
      'app.js': `const { A, B } = require('./s');\nconst a = new A();\nconst b = new B();\nb.get();\n${show('a.get();')}`,
      's.js': `class A { get() { fromA(); } }\nclass B { get() { fromB(); } }\nfunction fromA() {}\nfunction fromB() {}\nmodule.exports = { A, B };`,
    },
    reached: ['s.js#fromA'],
    idle: ['s.js#fromB'],
  },
  {
    name: 'constructor functions and prototypes',
    files: {
      'app.js': `const Store = require('./store');\nconst s = new Store();\n${show('s.load();')}`,
      'store.js': `const util = require('util');\nfunction Base() {}\nBase.prototype.read = function read() {};\nfunction Store() { Base.call(this); }\nutil.inherits(Store, Base);\nStore.prototype.load = function load() { this.read(); };\nmodule.exports = Store;`,
    },
    reached: ['store.js#load', 'store.js#read'],
  },
  {
    name: 'results, arguments and arrays',
    files: {
      'app.js': `const { make, run, list } = require('./s');\n${show(`make()(); run(deep); for (const f of list) f();`)}function deep() {}`,
      's.js': `exports.make = () => made;\nfunction made() {}\nexports.run = function run(fn) { fn(); };\nexports.list = [first, second];\nfunction first() {}\nfunction second() {}\nfunction idle() {}`,
    },
    reached: ['s.js#made', 'app.js#deep', 's.js#first', 's.js#second'],
    idle: ['s.js#idle'],
  },
  {
    name: 'what one caller hands over is not what the other runs',
    files: {
      'app.js': `const { transaction } = require('./db');\nconst { migrate } = require('./boot');\n${show('transaction(work);')}function work() {}\nmigrate();`,
      'boot.js': `const { transaction } = require('./db');\nexports.migrate = function migrate() { transaction(upgrade); };\nfunction upgrade() {}`,
      'db.js': `exports.transaction = function transaction(fn) { return new Promise((resolve) => { resolve(fn()); }); };`,
    },
    reached: ['app.js#work'],
    idle: ['boot.js#upgrade', 'boot.js#migrate'],
  },
  {
    name: 'a list that is filled later',
    files: {
      'app.js': `const s = require('./s');\nconst steps = [];\nsteps.push(s.first);\nclass Bus { constructor() { this.all = []; } add(fn) { this.all.push(fn); } run() { this.all.forEach((fn) => fn()); } }\nconst bus = new Bus();\nbus.add(s.second);\n${show('for (const step of steps) step(); bus.run();')}`,
      's.js': `exports.first = function first() {};\nexports.second = function second() {};\nexports.idle = function idle() {};`,
    },
    reached: ['s.js#first', 's.js#second'],
    idle: ['s.js#idle'],
  },
  {
    name: 'a listener that is taken back',
    files: {
      'app.js': `const s = require('./s');\nconst all = [];\nall.push(s.idle);\n${show('all.forEach((listener) => { req.removeListener("a", listener); }); clearTimeout(s.timer());')}`,
      's.js': `exports.idle = function idle() {};`,
    },
    idle: ['s.js#idle'],
  },
  {
    name: 'functions that a route file is given, and calls while starting, too',
    files: {
      'app.js': `${EXPRESS}const { load } = require('./s');\nrequire('./routes')(app, load);`,
      'routes.js': `module.exports = function (app, load) { load(); app.get('/a', (req, res) => { res.end(load()); }); };`,
      's.js': `exports.load = function load() {};`,
    },
    reached: ['s.js#load GET /a'],
  },
  {
    name: 'what runs only where an argument is left out',
    files: {
      'app.js': `const app = require('express')();\nconst s = require('./s');\ns.info();\napp.get('/a', (req, res) => res.send(s.info(req.pool) + s.read(req.query, undefined) + s.parse('x', {}) + s.prepare(req.query.path)));\napp.get('/b', (req, res) => res.send(s.again()));`,
      's.js': `exports.info = function info(db) { if (!db) { db = idle(); } return db.query(); };\nexports.read = function read(query, config = load()) { return config; };\nexports.parse = function parse(text, options) { options = options || quiet(); return options; };\nexports.again = function again(db, other) { const pool = db ?? scan(); return pool; };\nexports.prepare = function prepare(path) { if (!path) install(); return path; };\nfunction idle() {}\nfunction load() {}\nfunction quiet() {}\nfunction scan() {}\nfunction install() {}`,
    },
    reached: ['s.js#scan GET /b', 's.js#install'],
    idle: ['s.js#idle', 's.js#quiet'],
  },
  {
    name: 'dispatch by a string',
    files: {
      'app.js': `const actions = require('./actions');\n${show('actions[req.query.action](req);')}`,
      'actions.js': `module.exports = { save() { write(); }, drop() {} };\nfunction write() {}\nfunction idle() {}`,
    },
    reached: ['actions.js#write', 'actions.js#drop'],
    idle: ['actions.js#idle'],
  },
  {
    name: 'emitters across files',
    files: {
      'app.js': `const bus = require('./bus');\nrequire('./mail');\n${show(`bus.emit('signup', 1);`)}`,
      'bus.js': `const { EventEmitter } = require('events');\nmodule.exports = new EventEmitter();`,
      'mail.js': `const bus = require('./bus');\nbus.on('signup', function send() {});\nbus.on('other', function idle() {});`,
    },
    reached: ['mail.js#send'],
    idle: ['mail.js#idle'],
  },
  {
    name: 'promises',
    files: {
      'app.js': `const s = require('./s');\n${show(`s.find().then(s.after).catch(s.failed); Promise.all([1]).then(() => s.all());`)}`,
      's.js': `exports.find = async function find() {};\nexports.after = function after() {};\nexports.failed = function failed() {};\nexports.all = function all() {};`,
    },
    reached: ['s.js#after', 's.js#failed', 's.js#all'],
  },
  {
    name: 'an emitter in a class of its own',
    files: {
      'app.js': `const Bus = require('./bus');\nconst bus = new Bus();\nbus.onSignup(require('./mail').send);\n${show('bus.emitSignup(1);')}`,
      'bus.js': `const { EventEmitter } = require('events');\nclass Bus { constructor() { this.emitter = new EventEmitter(); } onSignup(fn) { this.on('signup', fn); } on(event, fn) { this.emitter.on(event, fn); } emitSignup(data) { this.emitter.emit('signup', data); } }\nmodule.exports = Bus;`,
      'mail.js': `exports.send = function send() {};`,
    },
    reached: ['mail.js#send'],
  },
  {
    name: "stubs that a plugin's members take the place of",
    files: {
      'app.js': `const auth = require('./auth');\nauth.init();\n${show('auth.check();')}`,
      'auth.js': `const plugin = require('./ldap');\nconst api = { check: () => {}, init() { for (const name in plugin) api[name] = plugin[name]; } };\nmodule.exports = api;`,
      'ldap.js': `module.exports = { check() { bind(); } };\nfunction bind() {}`,
    },
    reached: ['ldap.js#bind'],
  },
  {
    name: 'arguments that are spread keep their places',
    files: {
      'app.js': `const { run, Job } = require('./s');\nconst args = [first, second];\nnew Job(...args);\n${show('run(...args); const [one] = args; one();')}function first() {}\nfunction second() {}`,
      's.js': `exports.run = function run(a, b) { a(); };\nexports.Job = class Job { constructor(a, b) { this.later = b; } };`,
    },
    reached: ['app.js#first'],
    idle: ['app.js#second'],
  },
  {
    name: "properties that are written to another file's object",
    files: {
      'app.js': `const y = require('./y');\ny.commons = require('./commons');\n${show('y.commons.log();')}`,
      'y.js': `module.exports = {};`,
      'commons.js': `exports.log = function log() {};`,
    },
    reached: ['commons.js#log'],
  },
  {
    name: 'getters that are read',
    files: {
      'app.js': `const Settings = require('./settings');\n${show('const settings = new Settings(); settings.render();')}`,
      'settings.js': `const s = require('./s');\nclass Settings {\n  get text() { return s.read(); }\n  get isDirty() { return s.stat(); }\n  static get shared() { return s.share(); }\n  get idle() { return s.never(); }\n  render() { if (this.isDirty) return \`\${this.text}\${Settings.shared}\`; this.idle = 1; }\n}\nclass Other { get idle() { return s.other(); } show() { return this.idle; } }\nmodule.exports = Settings;`,
      's.js': `exports.read = function read() {};\nexports.stat = function stat() {};\nexports.share = function share() {};\nexports.never = function never() {};\nexports.other = function other() {};`,
    },
    reached: ['s.js#read', 's.js#stat', 's.js#share'],
    idle: ['s.js#never', 's.js#other'],
  },
  {
    name: 'getters of literals, and of a parent class',
    files: {
      'app.js': `const { api, Child } = require('./s');\n${show('api.load(); new Child().run();')}`,
      's.js': `const api = { get key() { return key(); }, load() { return this.key; } };\nfunction key() {}\nclass Base { get home() { return home(); } }\nfunction home() {}\nclass Child extends Base { run() { return this.home; } }\nmodule.exports = { api, Child };`,
    },
    reached: ['s.js#key', 's.js#home'],
  },

  // ---- start-up and request time
  {
    name: 'a boot function, listen callbacks, shutdown',
    files: {
      'app.js': `const s = require('./s');\n${EXPRESS}s.boot();\napp.get('/a', (req, res) => res.end());\napp.listen(1, () => s.listening());\nprocess.on('exit', () => s.bye());\nprocess.on('SIGTERM', s.term);`,
      's.js': `exports.boot = function boot() {};\nexports.listening = function listening() {};\nexports.bye = function bye() {};\nexports.term = function term() {};`,
    },
    idle: ['s.js#boot', 's.js#listening', 's.js#bye', 's.js#term'],
  },
  {
    name: 'reached from both',
    files: { 'app.js': `const s = require('./s');\ns.load();\n${show('s.load();')}`, 's.js': `exports.load = function load() {};` },
    reached: ['s.js#load'],
  },
  {
    name: 'tests, migrations and seeds call it too',
    files: {
      'app.js': `${EXPRESS}app.get('/a', (req, res) => res.end());`,
      's.js': `exports.load = function load() {};`,
      'test/s.test.js': `const s = require('../s');\nconst app = require('express')();\napp.get('/x', (req, res) => s.load());`,
      'migrations/1.js': `const s = require('../s');\nexports.up = (req, res) => s.load();`,
    },
    idle: ['s.js#load'],
  },
  {
    name: 'a cache in another file',
    files: {
      'app.js': `const c = require('./cache');\n${show('c.get();')}`,
      'cache.js': `const s = require('./s');\nlet kept;\nexports.get = function get() { if (!kept) kept = s.load(); return kept; };`,
      's.js': `exports.load = function load() { deep(); };\nfunction deep() {}`,
    },
    reached: ['cache.js#get'],
    once: ['s.js#load', 's.js#deep'],
  },
  {
    name: 'a cache that is filled at start-up',
    files: {
      'app.js': `const c = require('./cache');\nc.get();\n${show('c.get();')}`,
      'cache.js': `const s = require('./s');\nlet kept;\nexports.get = function get() { if (!kept) kept = s.load(); return kept; };`,
      's.js': `exports.load = function load() {};`,
    },
    idle: ['s.js#load'],
  },
  {
    name: 'development only, in another file',
    files: {
      'app.js': `const { isDev } = require('./env');\nconst s = require('./s');\n${show('if (isDev) s.reload();')}if (process.env.NODE_ENV !== 'production') app.get('/debug', (req, res) => s.debug());`,
      'env.js': `exports.isDev = process.env.NODE_ENV === 'development';`,
      's.js': `exports.reload = function reload() {};\nexports.debug = function debug() {};`,
    },
    idle: ['s.js#reload', 's.js#debug'],
  },
  {
    name: 'a set-up that is refused once it has been done',
    files: {
      'app.js': `const app = require('express')();\nconst s = require('./s');\nconst db = require('./db');\napp.post('/setup', (req, res) => { if (db.isInitialized()) throw new Error('already there'); s.create(); });\napp.post('/open', (req, res) => { if (db.isLocked()) throw new Error('not now'); s.open(); });`,
      'db.js': `exports.isInitialized = () => true;\nexports.isLocked = () => false;`,
      's.js': `exports.create = function create() {};\nexports.open = function open() {};`,
    },
    reached: ['s.js#open'],
    idle: ['s.js#create'],
  },
];
