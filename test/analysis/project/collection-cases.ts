import type { App } from './support.ts';

const S = `exports.load = function load() {};\nexports.scan = function scan() {};\nexports.idle = function idle() {};`;

/**
 * What libraries' functions for collections, folders of plug-ins and globals of several programs bring together, and what they must not.
 */
export const collectionCases: readonly App[] = [
  {
    name: 'a table of objects that async goes through, by a limit',
    files: {
      'app.js': `const app = require('express')();\nconst async = require('async');\nconst sources = require('./sources');\napp.get('/refresh', (req, res) => {\n  async.forEachOfLimit(sources, 3, function (source, key, done) { async.waterfall([(next) => source.fetch(next)], done); }, () => res.end());\n});`,
      'sources.js': `const s = require('./s');\nconst table = {};\ntable.first = { fetch: function (next) { s.load(); next(); } };\ntable.second = { fetch: function (next) { s.scan(); next(); }, warm: () => s.idle() };\nmodule.exports = table;`,
      's.js': S,
    },
    reached: ['s.js#load GET /refresh', 's.js#scan GET /refresh'],
    idle: ['s.js#idle'],
  },
  {
    name: 'lists that lodash and a single function of async go through, and what map makes of them',
    files: {
      'app.js': `const app = require('express')();\nconst _ = require('lodash');\nconst { eachSeries } = require('async');\nconst s = require('./s');\nconst checks = [{ run: () => s.load(), warm: () => s.idle() }];\nconst steps = _.map([{ run: () => s.scan() }], (step) => step.run);\napp.get('/check', (req, res) => { _.each(checks, (check) => check.run()); });\napp.get('/steps', (req, res) => { eachSeries(steps, (step, next) => { step(); next(); }, () => res.end()); });`,
      's.js': S,
    },
    reached: ['s.js#load GET /check', 's.js#scan GET /steps'],
    idle: ['s.js#idle'],
  },
  {
    name: "a project's own function of that name goes through nothing",
    files: {
      'app.js': `const app = require('express')();\nconst _ = require('./own');\nconst s = require('./s');\napp.get('/a', (req, res) => { _.each([{ run: () => s.idle() }], (item) => item.run()); s.load(); });`,
      'own.js': `exports.each = function each() {};`,
      's.js': S,
    },
    reached: ['s.js#load GET /a'],
  },
  {
    name: "a folder of plug-ins that a package's or the project's own loader hands over one by one",
    files: {
      'app.js': `const http = require('http');\nconst path = require('path');\nconst requireDir = require('./lib/require-dir');\nconst actions = {};\nconst api = { register(name, run) { actions[name] = run; } };\nrequireDir(path.join(__dirname, './actions'), (plugin) => { plugin(api); });\nhttp.createServer((req, res) => { actions[req.url.slice(1)](); res.end(); }).listen(3000);`,
      'lib/require-dir.js': `const fs = require('fs');\nconst path = require('path');\nmodule.exports = function (folder, use) { fs.readdirSync(folder).map((name) => ({ full: path.join(folder, name) })).forEach((file) => use(require(file.full))); };`,
      'actions/say.js': `const provide = require('../provide');\nmodule.exports = function (api) { api.register('say', () => provide()); };`,
      'provide.js': `const requireDir = require('some-package/lib/helpers/require-dir');\nconst path = require('path');\nconst providers = [];\nrequireDir(path.join(__dirname, './providers'), (provider) => { providers.push(provider); });\nmodule.exports = () => providers.reduce((promise, provider) => promise.then(() => provider()), Promise.resolve());`,
      'providers/local.js': `const s = require('../s');\nmodule.exports = function local() { return s.load(); };\nmodule.exports.warm = () => s.idle();`,
      's.js': S,
    },
    reached: ['providers/local.js#local', 's.js#load'],
    idle: ['s.js#idle'],
  },
  {
    name: 'programs that each make a global of the same name',
    files: {
      'server.js': `const io = require('socket.io')(3000);\nconst fs = require('./s');\ns = { started: true };\ns.video = function video() { fs.load(); };\nio.on('connection', (client) => { client.on('video', () => s.video()); });`,
      'child.js': `const fs = require('./s');\ns = { child: true };\ns.video = function video() { fs.idle(); };\nsetTimeout(() => s.video(), 1000);`,
      'helper.js': `exports.help = () => s.video();`,
      's.js': S,
    },
    reached: ['s.js#load WS video'],
    idle: ['s.js#idle'],
  },
  {
    name: 'a global that one file makes is there for the others',
    files: {
      'app.js': `const app = require('express')();\nconst fs = require('./s');\nservices = {};\nservices.files = { list: () => fs.load() };\nrequire('./routes')(app);`,
      'routes.js': `module.exports = (app) => { app.get('/files', (req, res) => res.send(services.files.list())); };`,
      's.js': S,
    },
    reached: ['s.js#load GET /files'],
    idle: ['s.js#idle'],
  },
  {
    name: 'a controller that runs commands with shelljs, and a script that does',
    files: {
      'app/controller/plugin.js': `const { Controller } = require('egg');\nconst shell = require('shelljs');\nconst s = require('../../s');\nclass PluginController extends Controller { async install() { shell.exec('npm install'); s.load(); } }\nmodule.exports = PluginController;`,
      'run.js': `const shell = require('shelljs');\nconst s = require('./s');\nconst run = (req, res) => { s.idle(); res.end(); };\nrun({}, {});`,
      's.js': S,
    },
    reached: ['s.js#load'],
    idle: ['s.js#idle'],
  },
];
