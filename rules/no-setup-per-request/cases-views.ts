// Settings that turn off the cache of views: for development, or always.
import type { InvalidCase, ValidCase } from '../../analysis/testing/rule-tester.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

const EXPRESS = "const express = require('express');\nconst app = express();\n";
const PUG = `${EXPRESS}app.set('view engine', 'pug');\n`;

const EJS = `${EXPRESS}const ejs = require('ejs');\nconst path = require('path');\n`;

export const viewInnocents: readonly ValidCase[] = [
  {
    name: 'a file whose template is kept',
    code: `${EJS}app.get('/', async (req, res) => res.send(await ejs.renderFile('views/a.ejs', { url: req.url }, { cache: true })));\n`,
  },
  {
    name: 'a file whose template is kept, by options with a name',
    code: dedent`
      ${EJS}const options = { cache: true };
      app.get('/', async (req, res) => res.send(await ejs.renderFile('views/a.ejs', { url: req.url }, options)));

    `,
  },
  {
    name: 'options that are written to',
    code: dedent`
      ${EJS}const options = {};
      options.cache = true;
      app.get('/', async (req, res) => res.send(await ejs.renderFile('views/a.ejs', { url: req.url }, options)));

    `,
  },
  {
    name: 'options of another file',
    code: dedent`
      ${EJS}const { options } = require('./views');
      app.get('/', async (req, res) => res.send(await ejs.renderFile('views/a.ejs', { url: req.url }, options)));

    `,
  },
  {
    name: 'a file that the request names',
    code: `${EJS}app.get('/:page', async (req, res) => res.send(await ejs.renderFile(path.join(__dirname, req.params.page), {})));\n`,
  },
  {
    name: 'rendered when the program starts',
    code: dedent`
      ${EJS}const page = ejs.renderFile('views/a.ejs', {});
      app.get('/', async (req, res) => res.send(await page));

    `,
  },
  {
    name: 'off in development only',
    code: `${PUG}if (process.env.NODE_ENV !== 'production') app.set('view cache', false);\n`,
  },
  { name: 'as the environment says', code: `${PUG}app.set('view cache', process.env.NODE_ENV === 'production');\n` },
  { name: 'off if a setting says so', code: `${PUG}const config = require('./config');\nconfig.noViews && app.disable('view cache');\n` },
  {
    name: 'off in the function for development',
    code: dedent`
      ${PUG}function configureDevelopment() { app.disable('view cache'); }
      if (app.get('env') === 'development') configureDevelopment();

    `,
  },
  {
    name: 'off in an environment of Express 3',
    code: `${PUG}app.configure('development', function () { app.disable('view cache'); });\n`,
  },
  {
    name: 'off below a way out in production',
    code: dedent`
      ${PUG}function setUp(app) {
        if (process.env.NODE_ENV === 'production') return;
        app.disable('view cache');
      }
      setUp(app);

    `,
  },
  {
    name: 'on again in production',
    code: dedent`
      ${PUG}app.set('view cache', false);
      if (process.env.NODE_ENV === 'production') app.set('view cache', true);

    `,
  },
  { name: 'on for each render', code: `${PUG}app.disable('view cache');\napp.locals.cache = true;\n` },
  {
    name: 'swig, which keeps views by itself',
    code: dedent`
      ${EXPRESS}const swig = require('swig');
      app.engine('html', swig.renderFile);
      app.set('view engine', 'html');
      app.set('view cache', false);

    `,
  },
  { name: 'no views at all', code: `${EXPRESS}app.disable('view cache');\napp.get('/', (req, res) => res.json({}));\n` },
  { name: 'a server for development', file: 'src/dev-server.js', code: `${PUG}app.disable('view cache');\n` },
  { name: 'a server for tests', file: 'test/app.js', code: `${PUG}app.disable('view cache');\n` },
  {
    name: 'nunjucks that writes pages once',
    code: "const nunjucks = require('nunjucks');\nnunjucks.configure('views', { noCache: true });\n",
  },
  {
    name: 'nunjucks in development',
    code: dedent`
      ${EXPRESS}const nunjucks = require('nunjucks');
      nunjucks.configure('views', { express: app, noCache: process.env.NODE_ENV !== 'production' });

    `,
  },
  {
    name: 'nunjucks that keeps views',
    code: dedent`
      ${EXPRESS}const nunjucks = require('nunjucks');
      nunjucks.configure('views', { express: app, noCache: false });

    `,
  },
];

const TITLE = 'Keep compiled views in production';

export const views: readonly InvalidCase<'views' | 'call'>[] = [
  {
    name: 'files of fixed names, without the option',
    code: dedent`
      ${EJS}app.get('/', (req, res) => {
        const filename = __dirname + '/page.ejs';
        const options = {};
        «ejs.renderFile»(filename, { url: req.url }, options, (error, page) => res.send(error ?? page));
      });
      app.get('/again', async (req, res) => res.send(await «ejs.renderFile»(path.join(__dirname, 'page.ejs'), req.query)));
    `,
    findings: [
      {
        messageId: 'call',
        severity: 'hint',
        message:
          '`ejs.renderFile` builds the template of a file on every `GET /`, and throws it away. With arguments that never change, each call takes 180 to 210 µs (Node 20 to 24), most of it to rebuild the same object. Pass the option `cache: true`: ejs then keeps the compiled template of each file.',
      },
      { messageId: 'call', severity: 'hint' },
    ],
  },
  {
    name: 'always off, with pug',
    code: `${PUG}«app.set('view cache', false)»;\n`,
    findings: [
      {
        messageId: 'views',
        severity: 'warning',
        message:
          "`set('view cache', false)` turns off the cache of `pug` views in production, too. Each response then reads and compiles its view again. For a page of some 25 lines, this took 12 to 15 ms, and 2.3 to 4.3 µs with the cache (Node 20 to 24). Remove it: with `NODE_ENV=production`, Express keeps compiled views, and otherwise it does not.",
        fixes: [{ kind: 'suggestion', title: TITLE, output: `${PUG}app.set('view cache', process.env.NODE_ENV === 'production');\n` }],
      },
    ],
  },
  {
    name: 'disabled, with ejs for another ending, in a function',
    code: dedent`
      module.exports = (server) => {
        server.set('views', 'views');
        server.engine('html', require('ejs').renderFile);
        server.set('view engine', 'html');
        «server.disable('view cache')»;
      };
    `,
    findings: [
      {
        messageId: 'views',
        severity: 'hint',
        data: { engine: 'ejs', cost: '72 to 140 µs' },
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
              module.exports = (server) => {
                server.set('views', 'views');
                server.engine('html', require('ejs').renderFile);
                server.set('view engine', 'html');
                server.set('view cache', process.env.NODE_ENV === 'production');
              };
            `,
          },
        ],
      },
    ],
  },
  {
    name: 'express-handlebars',
    code: dedent`
      ${EXPRESS}const { engine } = require('express-handlebars');
      app.engine('handlebars', engine());
      app.set('view engine', 'handlebars');
      «app.disable('view cache')»;

    `,
    findings: [
      {
        messageId: 'views',
        severity: 'warning',
        data: { engine: 'express-handlebars', cost: '2 to 5.8 ms' },
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
              ${EXPRESS}const { engine } = require('express-handlebars');
              app.engine('handlebars', engine());
              app.set('view engine', 'handlebars');
              app.set('view cache', process.env.NODE_ENV === 'production');

            `,
          },
        ],
      },
    ],
  },
  {
    name: 'nunjucks',
    code: dedent`
      ${EXPRESS}const nunjucks = require('nunjucks');
      nunjucks.configure('views', { express: app, «noCache: true» });

    `,
    findings: [
      {
        messageId: 'views',
        severity: 'hint',
        data: { call: 'noCache: true', engine: 'nunjucks' },
        fixes: [
          {
            kind: 'suggestion',
            title: TITLE,
            output: dedent`
              ${EXPRESS}const nunjucks = require('nunjucks');
              nunjucks.configure('views', {
                express: app,
                noCache: process.env.NODE_ENV !== 'production',
              });

            `,
          },
        ],
      },
    ],
  },
];
