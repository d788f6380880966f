// Projects whose calls go through functions of lodash and async.
import type { App } from './support.ts';
import { dedent } from '../../../analysis/testing/dedent.ts';

const S = dedent`
  exports.load = function load() {};
  exports.scan = function scan() {};
  exports.idle = function idle() {};
`;

/**
 * What libraries' functions for collections, folders of plug-ins and globals of several programs bring together, and what they must not.
 */
export const collectionCases: readonly App[] = [
  {
    name: 'a table of objects that async goes through, by a limit',
    files: {
      'app.js': dedent`
        const app = require('express')();
        const async = require('async');
        const sources = require('./sources');
        app.get('/refresh', (req, res) => {
          async.forEachOfLimit(sources, 3, function (source, key, done) { async.waterfall([(next) => source.fetch(next)], done); }, () => res.end());
        });
      `,
      'sources.js': dedent`
        const s = require('./s');
        const table = {};
        table.first = { fetch: function (next) { s.load(); next(); } };
        table.second = { fetch: function (next) { s.scan(); next(); }, warm: () => s.idle() };
        module.exports = table;
      `,
      's.js': S,
    },
    reached: ['s.js#load GET /refresh', 's.js#scan GET /refresh'],
    idle: ['s.js#idle'],
  },
  {
    name: 'lists that lodash and a single function of async go through, and what map makes of them',
    files: {
      'app.js': dedent`
        const app = require('express')();
        const _ = require('lodash');
        const { eachSeries } = require('async');
        const s = require('./s');
        const checks = [{ run: () => s.load(), warm: () => s.idle() }];
        const steps = _.map([{ run: () => s.scan() }], (step) => step.run);
        app.get('/check', (req, res) => { _.each(checks, (check) => check.run()); });
        app.get('/steps', (req, res) => { eachSeries(steps, (step, next) => { step(); next(); }, () => res.end()); });
      `,
      's.js': S,
    },
    reached: ['s.js#load GET /check', 's.js#scan GET /steps'],
    idle: ['s.js#idle'],
  },
  {
    name: "a project's own function of that name goes through nothing",
    files: {
      'app.js': dedent`
        const app = require('express')();
        const _ = require('./own');
        const s = require('./s');
        app.get('/a', (req, res) => { _.each([{ run: () => s.idle() }], (item) => item.run()); s.load(); });
      `,
      'own.js': `exports.each = function each() {};`,
      's.js': S,
    },
    reached: ['s.js#load GET /a'],
  },
  {
    name: "a folder of plug-ins that a package's or the project's own loader hands over one by one",
    files: {
      'app.js': dedent`
        const http = require('http');
        const path = require('path');
        const requireDir = require('./lib/require-dir');
        const actions = {};
        const api = { register(name, run) { actions[name] = run; } };
        requireDir(path.join(__dirname, './actions'), (plugin) => { plugin(api); });
        http.createServer((req, res) => { actions[req.url.slice(1)](); res.end(); }).listen(3000);
      `,
      'lib/require-dir.js': dedent`
        const fs = require('fs');
        const path = require('path');
        module.exports = function (folder, use) { fs.readdirSync(folder).map((name) => ({ full: path.join(folder, name) })).forEach((file) => use(require(file.full))); };
      `,
      'actions/say.js': dedent`
        const provide = require('../provide');
        module.exports = function (api) { api.register('say', () => provide()); };
      `,
      'provide.js': dedent`
        const requireDir = require('some-package/lib/helpers/require-dir');
        const path = require('path');
        const providers = [];
        requireDir(path.join(__dirname, './providers'), (provider) => { providers.push(provider); });
        module.exports = () => providers.reduce((promise, provider) => promise.then(() => provider()), Promise.resolve());
      `,
      'providers/local.js': dedent`
        const s = require('../s');
        module.exports = function local() { return s.load(); };
        module.exports.warm = () => s.idle();
      `,
      's.js': S,
    },
    reached: ['providers/local.js#local', 's.js#load'],
    idle: ['s.js#idle'],
  },
  {
    name: 'programs that each make a global of the same name',
    files: {
      'server.js': dedent`
        const io = require('socket.io')(3000);
        const fs = require('./s');
        s = { started: true };
        s.video = function video() { fs.load(); };
        io.on('connection', (client) => { client.on('video', () => s.video()); });
      `,
      'child.js': dedent`
        const fs = require('./s');
        s = { child: true };
        s.video = function video() { fs.idle(); };
        setTimeout(() => s.video(), 1000);
      `,
      'helper.js': `exports.help = () => s.video();`,
      's.js': S,
    },
    reached: ['s.js#load WS video'],
    idle: ['s.js#idle'],
  },
  {
    name: 'a global that one file makes is there for the others',
    files: {
      'app.js': dedent`
        const app = require('express')();
        const fs = require('./s');
        services = {};
        services.files = { list: () => fs.load() };
        require('./routes')(app);
      `,
      'routes.js': `module.exports = (app) => { app.get('/files', (req, res) => res.send(services.files.list())); };`,
      's.js': S,
    },
    reached: ['s.js#load GET /files'],
    idle: ['s.js#idle'],
  },
  {
    name: 'a controller that runs commands with shelljs, and a script that does',
    files: {
      'app/controller/plugin.js': dedent`
        const { Controller } = require('egg');
        const shell = require('shelljs');
        const s = require('../../s');
        class PluginController extends Controller { async install() { shell.exec('npm install'); s.load(); } }
        module.exports = PluginController;
      `,
      'run.js': dedent`
        const shell = require('shelljs');
        const s = require('./s');
        const run = (req, res) => { s.idle(); res.end(); };
        run({}, {});
      `,
      's.js': S,
    },
    reached: ['s.js#load'],
    idle: ['s.js#idle'],
  },
];
