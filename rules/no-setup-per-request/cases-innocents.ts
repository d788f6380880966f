// What looks like setup for each request, and is right as it is.
import type { ValidCase } from '../../analysis/testing/rule-tester.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

const EXPRESS = "const app = require('express')();\n";

export const innocents: readonly ValidCase[] = [
  {
    name: 'built with the module',
    code: dedent`
      ${EXPRESS}const money = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
      app.get('/', (req, res) => res.send(money.format(req.query.n)));
    `,
  },
  {
    name: 'what a decorator of a method, or of its parameter, is given is made once, with the class',
    file: 'list.ts',
    code: dedent`
      import { Controller, Get, Query } from '@nestjs/common';
      import { z } from 'zod';
      import { ApiDoc, Valid } from './doc';
      @Controller('list')
      export class List {
        @Get()
        @ApiDoc({ query: z.object({ page: z.string() }) })
        all(@Query(new Valid(z.object({ page: z.string() }))) query: object) { return []; }
      }
    `,
  },
  {
    name: 'a schema of zod 3, which takes a tenth of the time',
    project: { manifest: { bin: [], scripts: {}, dependencies: { zod: '^3.25.76' }, devDependencies: {}, private: true } },
    code: dedent`
      ${EXPRESS}const { z } = require('zod');
      app.get('/', (req, res) => res.json(z.object({ id: z.string() }).parse(req.query)));
    `,
  },
  {
    name: 'the time zone of the process, which may be set while it runs',
    code: dedent`
      ${EXPRESS}app.get('/', (req, res) => res.send(Intl.DateTimeFormat().resolvedOptions().timeZone));
    `,
  },
  {
    name: 'only after an exception',
    code: dedent`
      ${EXPRESS}app.get('/', (req, res) => {
        let today;
        try {
          today = new Date().toLocaleString('en-GB', { timeZone: req.query.zone });
        } catch {
          today = new Date().toLocaleString('en-GB', { timeZone: 'UTC' });
        }
        res.send(today);
      });
    `,
  },
  {
    name: 'the request chooses the currency',
    code: dedent`
      ${EXPRESS}app.get('/', (req, res) => res.send(new Intl.NumberFormat('en-US', { style: 'currency', currency: req.query.currency }).format(1)));
    `,
  },
  {
    name: 'a parameter of a helper',
    code: dedent`
      ${EXPRESS}const day = (value, locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'long' }).format(value);
      app.get('/', (req, res) => res.send(day(Date.now(), req.acceptsLanguages()[0])));
    `,
  },
  {
    name: 'built at the first request, and kept',
    code: dedent`
      ${EXPRESS}const { Pool } = require('pg');
      let pool;
      function getPool() {
        if (!pool) pool = new Pool({ connectionString: process.env.DATABASE_URL });
        return pool;
      }
      app.get('/', async (req, res) => res.json(await getPool().query('select 1')));
    `,
  },
  {
    name: 'kept by key',
    code: dedent`
      ${EXPRESS}const formats = new Map();
      function formatOf(currency) {
        let format = formats.get(currency);
        if (!format) {
          format = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
          formats.set(currency, format);
        }
        return format;
      }
      app.get('/', (req, res) => res.send(formatOf('USD').format(req.query.n)));
    `,
  },
  {
    name: 'a client that is closed at the end',
    code: dedent`
      ${EXPRESS}const { MongoClient } = require('mongodb');
      app.get('/', async (req, res) => {
        const client = new MongoClient('mongodb://localhost/x');
        try { res.json(await client.db().collection('a').findOne()); } finally { await client.close(); }
      });
    `,
  },
  {
    name: 'a client with the credentials of the user',
    code: dedent`
      ${EXPRESS}const { S3Client } = require('@aws-sdk/client-s3');
      app.get('/', async (req, res) => { const s3 = new S3Client({ region: 'eu-west-1', credentials: req.user.credentials }); res.send(await s3.send({})); });
    `,
  },
  {
    name: 'a client that the request logs in, by a part of it',
    code: dedent`
      ${EXPRESS}const axios = require('axios');
      app.get('/', async (req, res) => {
        const api = axios.create({ baseURL: 'https://example.org' });
        const { headers } = api.defaults;
        headers.common.Authorization = req.headers.authorization;
        res.json((await api.get('/')).data);
      });
    `,
  },
  {
    name: 'a client that the request logs in, by another name',
    code: dedent`
      ${EXPRESS}const axios = require('axios');
      app.get('/', async (req, res) => {
        const api = axios.create({ baseURL: 'https://example.org' });
        const mine = api;
        mine.interceptors.request.use((config) => ({ ...config, headers: req.headers }));
        res.json((await api.get('/')).data);
      });
    `,
  },
  {
    name: 'a client that the request logs in, by its options',
    code: dedent`
      ${EXPRESS}const axios = require('axios');
      app.get('/', async (req, res) => {
        const api = axios.create({ baseURL: 'https://example.org' });
        Object.assign(api.defaults.headers, { authorization: req.headers.authorization });
        res.json((await api.get('/')).data);
      });
    `,
  },
  {
    name: 'a client that a helper logs in',
    code: dedent`
      ${EXPRESS}const axios = require('axios');
      function logIn(client, user) { client.defaults.headers.common.Authorization = user.token; }
      app.get('/', async (req, res) => {
        const api = axios.create({ baseURL: 'https://example.org' });
        logIn(api, req.user);
        res.json((await api.get('/')).data);
      });
    `,
  },
  {
    name: 'options that are filled by the request',
    code: dedent`
      ${EXPRESS}const https = require('https');
      app.get('/', (req, res) => {
        const options = { keepAlive: true };
        options.ca = req.app.locals.ca;
        https.get({ host: 'example.org', agent: new https.Agent(options) }, (answer) => answer.pipe(res));
      });
    `,
  },
  {
    name: 'options of the module that a request writes into',
    code: dedent`
      ${EXPRESS}const { Pool } = require('pg');
      const options = { host: 'localhost' };
      app.post('/host', (req, res) => { options.host = req.body.host; res.end(); });
      app.get('/', async (req, res) => { const pool = new Pool(options); res.json(await pool.query('select 1')); });
    `,
  },
  {
    name: 'a variable of the module that is set later',
    code: dedent`
      ${EXPRESS}let locale = 'en';
      app.post('/locale', (req, res) => { locale = req.body.locale; res.end(); });
      app.get('/', (req, res) => res.send(new Intl.NumberFormat(locale).format(req.query.n)));
    `,
  },
  {
    name: 'a document of its own, which is changed',
    code: dedent`
      ${EXPRESS}const { JSDOM } = require('jsdom');
      app.post('/', (req, res) => { const { document } = new JSDOM('').window; document.body.innerHTML = req.body.html; res.send(document.title); });
    `,
  },
  {
    name: 'markdown with a plugin of the request',
    code: dedent`
      ${EXPRESS}const MarkdownIt = require('markdown-it');
      app.post('/', (req, res) => {
        const md = new MarkdownIt();
        md.use(linksOf(req.user));
        res.send(md.render(req.body.text));
      });
      const linksOf = (user) => (md) => { md.validateLink = (url) => url.includes(user.name); };
    `,
  },
  {
    name: 'a rule of the renderer for this request',
    code: dedent`
      ${EXPRESS}const MarkdownIt = require('markdown-it');
      app.post('/', (req, res) => {
        const md = new MarkdownIt();
        md.renderer.rules.image = (tokens, i) => req.baseUrl + tokens[i].content;
        res.send(md.render(req.body.text));
      });
    `,
  },
  {
    name: 'a schema whose limit the request sets',
    code: dedent`
      import Joi from 'joi';
      import express from 'express';
      const app = express();
      app.post('/', (req, res) => res.send(Joi.object({ n: Joi.number().max(req.user.limit) }).validate(req.body)));
    `,
  },
  {
    name: 'a schema for a validator that keeps what it compiled',
    code: dedent`
      ${EXPRESS}const Ajv = require('ajv');
      const ajv = new Ajv();
      const SCHEMA = { type: 'object' };
      app.post('/', (req, res) => res.send(ajv.compile(SCHEMA)(req.body)));
    `,
  },
  {
    name: 'a schema that the request sends',
    code: dedent`
      ${EXPRESS}const Ajv = require('ajv');
      app.post('/', (req, res) => { const ajv = new Ajv(); res.send(ajv.compile(req.body.schema)(req.body.data)); });
    `,
  },
  {
    name: 'a template that the database holds',
    code: dedent`
      ${EXPRESS}const Handlebars = require('handlebars');
      app.get('/', async (req, res) => { const mail = await req.db.mails.findOne(); res.send(Handlebars.compile(mail.text)({ name: 'a' })); });
    `,
  },
  {
    name: 'a template that the engine keeps',
    code: dedent`
      ${EXPRESS}const ejs = require('ejs');
      const PAGE = '<h1><%= name %></h1>';
      app.get('/', (req, res) => res.send(ejs.render(PAGE, { name: req.query.name }, { cache: true, filename: 'page' })));
    `,
  },
  {
    name: 'a transport of nodemailer, which connects for each mail anyway',
    code: dedent`
      ${EXPRESS}const nodemailer = require('nodemailer');
      app.post('/', async (req, res) => { const mail = nodemailer.createTransport({ host: 'localhost' }); res.send(await mail.sendMail({ to: req.body.to })); });
    `,
  },
  {
    name: 'an expression from a constant, which V8 keeps',
    code: dedent`
      ${EXPRESS}app.get('/', (req, res) => res.send(new RegExp('^/files/(.*)$').test(req.query.path)));
    `,
  },
  {
    name: 'dates without options, for which V8 keeps the formatter',
    code: dedent`
      ${EXPRESS}app.get('/', (req, res) => res.send(new Date().toLocaleString('en-US') + req.app.count.toLocaleString()));
    `,
  },
  {
    name: 'one comparison with options, outside of any sort',
    code: dedent`
      ${EXPRESS}app.get('/', (req, res) => res.send(String(req.query.a.localeCompare(req.query.b, 'en', { sensitivity: 'base' }))));
    `,
  },
  {
    name: 'a class of the file that is called Pool',
    code: dedent`
      ${EXPRESS}const { Client } = require('pg');
      class Pool { query() { return Client; } }
      app.get('/', (req, res) => res.send(new Pool({}).query()));
    `,
  },
  {
    name: 'while the routes are registered',
    code: dedent`
      import Joi from 'joi';
      export function register(server) {
        server.route({ method: 'POST', path: '/', handler: () => 'ok', options: { validate: { payload: Joi.object({ n: Joi.number() }) } } });
      }
    `,
  },
  {
    name: 'a field of the service',
    code: dedent`
      ${EXPRESS}const { S3Client } = require('@aws-sdk/client-s3');
      class Files { open() { this.s3 = new S3Client({ region: 'eu-west-1' }); } }
      const files = new Files();
      app.post('/open', (req, res) => { files.open(); res.end(); });
    `,
  },
  {
    name: 'a test',
    file: 'test/prices.test.js',
    code: dedent`
      ${EXPRESS}app.get('/', (req, res) => res.send(new Intl.NumberFormat('en-US', { style: 'percent' }).format(1)));
    `,
  },
  {
    name: 'no request anywhere',
    code: dedent`
      export const day = (value) => new Intl.DateTimeFormat('en-US', { dateStyle: 'short' }).format(value);
    `,
  },
];
