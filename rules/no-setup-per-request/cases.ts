import type { RuleCases } from '../../analysis/testing/rule-tester.ts';
import { FORMATTED, FORMATTED_BY_DEFAULT } from '../../knowledge/setup-calls.ts';
import { contextInnocents, contexts } from './cases-contexts.ts';
import { homeInnocents, homes } from './cases-homes.ts';
import { innocents } from './cases-innocents.ts';
import { kept, keptInnocents } from './cases-kept.ts';
import { libraries, libraryInnocents } from './cases-library.ts';
import { viewInnocents, views } from './cases-views.ts';
import { formatterCases } from './cases-formatters.ts';
import { named, namedInnocents } from './cases-names.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

const EXPRESS = "const app = require('express')();\n";
const BUILD_ONCE = 'Build it once, at the top level of the module';
const KEPT = 'Create it on first use, and keep it (changed settings then require a restart)';

export const cases: RuleCases<'thing' | 'client' | 'call' | 'compared' | 'context' | 'views'> = {
  valid: [...innocents, ...libraryInnocents, ...keptInnocents, ...contextInnocents, ...viewInnocents, ...namedInnocents, ...homeInnocents],
  invalid: [
    ...libraries,
    ...kept,
    ...contexts,
    ...views,
    ...named,
    ...formatterCases,
    ...homes,
    {
      name: 'a formatter with a name of its own',
      code: dedent`
        ${EXPRESS}app.get('/price', (req, res) => {
          const money = «new Intl.NumberFormat»('en-US', { style: 'currency', currency: 'USD' });
          res.send(money.format(Number(req.query.n)));
        });
      `,
      findings: [
        {
          messageId: 'thing',
          severity: 'hint',
          route: 'GET /price',
          data: { call: 'new Intl.NumberFormat', where: '`GET /price`' },
          related: ['GET /price is handled here'],
          fixes: [
            {
              kind: 'safe',
              title: BUILD_ONCE,
              output: dedent`
                ${EXPRESS}const money = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

                app.get('/price', (req, res) => {
                  res.send(money.format(Number(req.query.n)));
                });
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'used at once, in a helper',
      code: dedent`
        ${EXPRESS}const day = (value) => «new Intl.DateTimeFormat»('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(value);
        app.get('/', (req, res) => res.send(day(req.user.since)));
      `,
      findings: [
        {
          messageId: 'thing',
          related: ['GET /', 'day'],
          fixes: [
            {
              kind: 'safe',
              title: BUILD_ONCE,
              output: dedent`
                ${EXPRESS}const dateTimeFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

                const day = (value) => dateTimeFormat.format(value);
                app.get('/', (req, res) => res.send(day(req.user.since)));
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'a schema with a schema in it',
      code: dedent`
        import express from 'express';
        import Joi from 'joi';
        const app = express();
        app.post('/', (req, res) => {
          const schema = «Joi.object»({
            name: Joi.string().required(),
            place: Joi.object({ city: Joi.string() }),
          }).unknown();
          res.send(schema.validate(req.body).error ? 'no' : 'yes');
        });
      `,
      findings: [
        {
          messageId: 'thing',
          severity: 'hint',
          data: { call: 'Joi.object' },
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                import express from 'express';
                import Joi from 'joi';
                const app = express();
                const schema = Joi.object({
                  name: Joi.string().required(),
                  place: Joi.object({ city: Joi.string() }),
                }).unknown();

                app.post('/', (req, res) => {
                  res.send(schema.validate(req.body).error ? 'no' : 'yes');
                });
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'validated at once',
      code: dedent`
        import { z } from 'zod';
        import fastify from 'fastify';
        const app = fastify();
        app.post('/', async (request) => «z.object»({ n: z.number() }).safeParse(request.body).success);
      `,
      findings: [
        {
          messageId: 'thing',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                import { z } from 'zod';
                import fastify from 'fastify';
                const app = fastify();
                const schema = z.object({ n: z.number() });

                app.post('/', async (request) => schema.safeParse(request.body).success);
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'a pool, by the environment',
      code: dedent`
        ${EXPRESS}const { Pool } = require('pg');
        app.get('/users', async (req, res) => {
          const pool = «new Pool»({ connectionString: process.env.DATABASE_URL });
          res.json((await pool.query('select * from users')).rows);
        });
      `,
      findings: [
        {
          messageId: 'client',
          severity: 'warning',
          data: { call: 'new Pool', instead: 'Create it on first use, keep it, and let all requests share it.' },
          fixes: [
            {
              kind: 'suggestion',
              title: KEPT,
              output: dedent`
                ${EXPRESS}const { Pool } = require('pg');
                let pool;

                app.get('/users', async (req, res) => {
                  pool ??= new Pool({ connectionString: process.env.DATABASE_URL });
                  res.json((await pool.query('select * from users')).rows);
                });
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'a client from a maker, for each request',
      code: dedent`
        ${EXPRESS}const { S3Client, GetObjectCommand } = require('@aws-sdk/client-s3');
        const OPTIONS = { region: 'eu-west-1' };
        function makeClient() { return «new S3Client»(OPTIONS); }
        app.get('/:key', async (req, res) => { const s3 = makeClient(); res.send(await s3.send(new GetObjectCommand({ Key: req.params.key }))); });
      `,
      findings: [
        {
          messageId: 'client',
          related: ['GET /:key', 'makeClient'],
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                ${EXPRESS}const { S3Client, GetObjectCommand } = require('@aws-sdk/client-s3');
                const OPTIONS = { region: 'eu-west-1' };
                const s3Client = new S3Client(OPTIONS);

                function makeClient() { return s3Client; }
                app.get('/:key', async (req, res) => { const s3 = makeClient(); res.send(await s3.send(new GetObjectCommand({ Key: req.params.key }))); });
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'an agent among the options',
      code: dedent`
        ${EXPRESS}const https = require('https');
        app.get('/', (req, res) => https.get({ host: 'example.org', agent: «new https.Agent»({ rejectUnauthorized: false }) }, (answer) => answer.pipe(res)));
      `,
      findings: [
        {
          messageId: 'client',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                ${EXPRESS}const https = require('https');
                const httpsAgent = new https.Agent({ rejectUnauthorized: false });

                app.get('/', (req, res) => https.get({ host: 'example.org', agent: httpsAgent }, (answer) => answer.pipe(res)));
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'a template of a file with a fixed name',
      code: dedent`
        import { readFile } from 'node:fs/promises';
        import Handlebars from 'handlebars';
        import express from 'express';
        const app = express();
        app.get('/', async (req, res) => {
          const source = await readFile('views/mail.hbs', 'utf8');
          res.send(«Handlebars.compile»(source)({ name: req.query.name }));
        });
      `,
      findings: [{ messageId: 'thing', severity: 'warning', refused: ['it reads a file'] }],
    },
    {
      name: 'rendered from a constant',
      code: dedent`
        ${EXPRESS}const ejs = require('ejs');
        const PAGE = '<h1><%= name %></h1>';
        app.get('/', (req, res) => res.send(«ejs.render»(PAGE, { name: req.query.name })));
      `,
      findings: [{ messageId: 'call', severity: 'hint', data: { call: 'ejs.render', built: 'a template' } }],
    },
    {
      name: 'a validator of its own',
      code: dedent`
        ${EXPRESS}const Ajv = require('ajv');
        app.post('/', (req, res) => {
          const ajv = new Ajv({ allErrors: true });
          const validate = «ajv.compile»({ type: 'object', required: ['name'] });
          res.send(validate(req.body));
        });
      `,
      findings: [{ messageId: 'thing', severity: 'warning', data: { call: 'ajv.compile' } }],
    },
    {
      name: 'another literal for the validator of the module',
      code: dedent`
        ${EXPRESS}const Ajv = require('ajv');
        const ajv = new Ajv();
        app.post('/', (req, res) => res.send(«ajv.validate»({ type: 'object' }, req.body)));
      `,
      findings: [{ messageId: 'thing' }],
    },
    {
      name: 'a page only to clean texts',
      code: dedent`
        ${EXPRESS}const { JSDOM } = require('jsdom');
        const createDOMPurify = require('dompurify');
        app.post('/', (req, res) => {
          const window = new JSDOM('').window;
          const purify = «createDOMPurify»(window);
          res.send(purify.sanitize(req.body.html));
        });
      `,
      findings: [{ messageId: 'thing', severity: 'warning' }],
    },
    {
      name: 'markdown with plugins of the module',
      code: dedent`
        ${EXPRESS}const markdownIt = require('markdown-it');
        const anchors = require('markdown-it-anchor');
        app.post('/', (req, res) => {
          const md = «markdownIt»({ html: true });
          md.use(anchors, { level: 2 });
          res.send(md.render(req.body.text));
        });
      `,
      findings: [
        {
          messageId: 'thing',
          severity: 'hint',
          refused: ['it is changed after it was built'],
        },
      ],
    },
    {
      name: 'dates of a list, with options',
      code: dedent`
        ${EXPRESS}const DAY = { month: 'short', day: 'numeric' };
        app.get('/', (req, res) => res.json(req.user.visits.map((visit) => «visit.at.toLocaleDateString»('en-US', DAY))));
      `,
      findings: [{ messageId: 'call', severity: 'hint', data: { built: 'a formatter' } }],
    },
    {
      name: 'what a call prints by itself, and a formatter does not',
      code: dedent`
        ${EXPRESS}const ZONE = { timeZone: 'UTC' };
        app.get('/', (req, res) => {
          const now = new Date();
          res.json([
            «now.toLocaleString»('en-GB', { timeZone: 'UTC' }),
            «now.toLocaleTimeString»('en-GB', { timeZone: 'UTC' }),
            «now.toLocaleDateString»('en-GB', { hour: '2-digit' }),
            «now.toLocaleString»('en-GB', { ...ZONE }),
          ]);
        });
        app.get('/same', (req, res) => {
          const now = new Date();
          res.json([
            «now.toLocaleString»('en-GB', { timeZone: 'UTC', dateStyle: 'short' }),
            «now.toLocaleTimeString»('en-GB', { hour: '2-digit' }),
            «now.toLocaleDateString»('en-GB', { timeZone: 'UTC' }),
            «req.app.price.toLocaleString»('en-GB', { style: 'currency', currency: 'EUR' }),
          ]);
        });
      `,
      findings: ['/', '/', '/', '/', '/same', '/same', '/same', '/same'].map((route) => ({
        messageId: 'call' as const,
        severity: 'hint' as const,
        data: { instead: (route === '/' ? FORMATTED_BY_DEFAULT : FORMATTED).instead ?? '' },
      })),
    },
    {
      name: 'a sort by texts with numbers in them',
      code: dedent`
        ${EXPRESS}app.get('/', (req, res) => res.json(req.app.files.sort((a, b) => «a.name.localeCompare»(b.name, 'en', { numeric: true }))));
      `,
      findings: [{ messageId: 'compared', severity: 'hint', data: { which: '' } }],
    },
    {
      name: 'a sort by texts that only compares the names where the groups are equal',
      code: dedent`
        ${EXPRESS}app.get('/', (req, res) => res.json(req.app.files.sort((a, b) => a.at - b.at || «a.name.localeCompare»(b.name, 'en', { numeric: true }))));
      `,
      findings: [{ messageId: 'compared', severity: 'hint', data: { which: ' that reaches this line' } }],
    },
    {
      name: 'what the module has built already',
      code: dedent`
        ${EXPRESS}import Stripe from 'stripe';
        const stripe = new Stripe(process.env.STRIPE_SECRET_KEY, {
          apiVersion: '2024-06-20',
        });
        app.post('/webhook', (req, res) => {
          const event = «new Stripe»(process.env.STRIPE_SECRET_KEY, { apiVersion: '2024-06-20' }).webhooks.constructEvent(req.body, req.get('stripe-signature'), SECRET);
          res.json(event);
        });
        app.post('/', (req, res) => res.json(stripe.webhooks.constructEvent(req.body, req.get('stripe-signature'), SECRET)));
      `,
      findings: [
        {
          messageId: 'thing',
          data: { instead: 'Use `stripe`, which this module has already built.' },
          refused: ['the same object is already built on line 3. Use that one'],
        },
      ],
    },
    {
      name: 'what the module has built of another value, or of a text with other spaces',
      code: dedent`
        ${EXPRESS}const locale = 'en';
        const fmt = new Intl.NumberFormat(locale);
        const en = new Intl.DateTimeFormat('en', { timeZone: 'Europe/Paris', x: \` a\` });
        app.get('/1', (req, res) => { const locale = 'de'; res.send(«new Intl.NumberFormat»(locale).format(req.query.n)); });
        app.get('/2', (req, res) => { res.send(«new Intl.DateTimeFormat»('en', { timeZone: 'Europe/Paris', x: \`  a\` }).format(req.query.n)); });
        app.get('/3', (req, res) => { res.send(«new Intl.NumberFormat»(locale).format(req.query.n)); });
        app.get('/4', (req, res) => { res.send([fmt, en]); });
      `,
      findings: [
        {
          messageId: 'thing',
          data: { instead: 'Build it once, at the top level of the module.' },
          refused: ['`locale` is not defined yet at the top of the module'],
        },
        {
          messageId: 'thing',
          data: { instead: 'Build it once, at the top level of the module.' },
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                ${EXPRESS}const locale = 'en';
                const fmt = new Intl.NumberFormat(locale);
                const en = new Intl.DateTimeFormat('en', { timeZone: 'Europe/Paris', x: \` a\` });
                app.get('/1', (req, res) => { const locale = 'de'; res.send(new Intl.NumberFormat(locale).format(req.query.n)); });
                const dateTimeFormat = new Intl.DateTimeFormat('en', { timeZone: 'Europe/Paris', x: \`  a\` });

                app.get('/2', (req, res) => { res.send(dateTimeFormat.format(req.query.n)); });
                app.get('/3', (req, res) => { res.send(new Intl.NumberFormat(locale).format(req.query.n)); });
                app.get('/4', (req, res) => { res.send([fmt, en]); });
              `,
            },
          ],
        },
        {
          messageId: 'thing',
          data: { instead: 'Use `fmt`, which this module has already built.' },
          refused: ['the same object is already built on line 3. Use that one'],
        },
      ],
    },
    {
      name: 'in a handler of Lambda',
      file: 'src/handler.js',
      code: dedent`
        const AWS = require('aws-sdk');
        module.exports.handler = async (event) => {
          const s3 = «new AWS.S3»({ signatureVersion: 'v4' });
          return { statusCode: 200, body: await s3.getSignedUrlPromise('getObject', { Bucket: 'b', Key: event.pathParameters.key }) };
        };
      `,
      findings: [
        {
          messageId: 'thing',
          severity: 'hint',
          data: { instead: 'Build it once, at the top level of the module.' },
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                const AWS = require('aws-sdk');
                const s3 = new AWS.S3({ signatureVersion: 'v4' });

                module.exports.handler = async (event) => {
                  return { statusCode: 200, body: await s3.getSignedUrlPromise('getObject', { Bucket: 'b', Key: event.pathParameters.key }) };
                };
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'a template that is read for each request',
      code: dedent`
        ${EXPRESS}const fs = require('fs');
        const Handlebars = require('handlebars');
        app.get('/', (req, res) => res.send(«Handlebars.compile»(fs.readFileSync('views/mail.hbs', 'utf8'))({ name: req.query.name })));
      `,
      findings: [{ messageId: 'thing', refused: ['it reads a file'] }],
    },
    {
      name: 'a client that is connected for each request',
      code: dedent`
        ${EXPRESS}const { createClient } = require('redis');
        app.get('/', async (req, res) => {
          const client = «createClient»({ url: 'redis://localhost' });
          await client.connect();
          res.send(await client.get(req.query.key));
        });
      `,
      findings: [{ messageId: 'client', refused: ['`connect` is called on it'] }],
    },
    {
      name: 'a client for a helper of the file, and one for whatever another file does',
      code: dedent`
        ${EXPRESS}const axios = require('axios');
        const prepare = require('./prepare');
        const read = (client, id) => client.get('/' + id);
        app.get('/:id', async (req, res) => {
          const api = «axios.create»({ baseURL: 'https://example.org' });
          res.json((await read(api, req.params.id)).data);
        });
        app.post('/:id', async (req, res) => {
          const client = «axios.create»({ baseURL: 'https://example.org' });
          prepare(client);
          res.json((await client.get('/')).data);
        });
      `,
      findings: [
        {
          messageId: 'thing',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                ${EXPRESS}const axios = require('axios');
                const prepare = require('./prepare');
                const read = (client, id) => client.get('/' + id);
                const api = axios.create({ baseURL: 'https://example.org' });

                app.get('/:id', async (req, res) => {
                  res.json((await read(api, req.params.id)).data);
                });
                app.post('/:id', async (req, res) => {
                  const client = axios.create({ baseURL: 'https://example.org' });
                  prepare(client);
                  res.json((await client.get('/')).data);
                });
              `,
            },
          ],
        },
        { messageId: 'thing', refused: ['it is passed on (line 11)'] },
      ],
    },
    {
      name: 'a key of the environment, in a constant',
      code: dedent`
        ${EXPRESS}const Stripe = require('stripe');
        const KEY = process.env.STRIPE_KEY;
        app.get('/', async (req, res) => res.json(await «new Stripe»(KEY).customers.list()));
      `,
      findings: [
        {
          messageId: 'thing',
          severity: 'hint',
          data: { instead: 'Create it on first use, and keep it.' },
          fixes: [
            {
              kind: 'suggestion',
              title: KEPT,
              output: dedent`
                ${EXPRESS}const Stripe = require('stripe');
                const KEY = process.env.STRIPE_KEY;
                let stripe;

                app.get('/', async (req, res) => res.json(await (stripe ??= new Stripe(KEY)).customers.list()));
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'errors of a validator, which are read after a wait, or at once',
      code: dedent`
        ${EXPRESS}const Ajv = require('ajv');
        app.post('/late', async (req, res) => {
          const validate = «new Ajv().compile»({ type: 'object' });
          const ok = validate(req.body);
          await req.app.save(ok);
          res.json(validate.errors);
        });
        app.post('/now', (req, res) => {
          const check = «new Ajv().compile»({ type: 'object' });
          res.json(check(req.body) ? [] : check.errors);
        });
      `,
      findings: [
        { messageId: 'thing', refused: ['its `errors` are those of the last validation'] },
        {
          messageId: 'thing',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                ${EXPRESS}const Ajv = require('ajv');
                app.post('/late', async (req, res) => {
                  const validate = new Ajv().compile({ type: 'object' });
                  const ok = validate(req.body);
                  await req.app.save(ok);
                  res.json(validate.errors);
                });
                const check = new Ajv().compile({ type: 'object' });

                app.post('/now', (req, res) => {
                  res.json(check(req.body) ? [] : check.errors);
                });
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'a paragraph with its comment',
      code: dedent`
        ${EXPRESS}const Joi = require('joi');
        app.post('/', (req, res) => {
          // What a user may send,
          // and no more.
          const user = «Joi.object»({ name: Joi.string() });

          res.json(user.validate(req.body));
        });
      `,
      findings: [
        {
          messageId: 'thing',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                ${EXPRESS}const Joi = require('joi');
                // What a user may send,
                // and no more.
                const user = Joi.object({ name: Joi.string() });

                app.post('/', (req, res) => {
                  res.json(user.validate(req.body));
                });
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'a paragraph between others',
      code: dedent`
        ${EXPRESS}const Joi = require('joi');
        app.post('/', (req, res) => {
          console.log('new');

          const user = «Joi.object»({ name: Joi.string() });

          res.json(user.validate(req.body));
        });
      `,
      findings: [
        {
          messageId: 'thing',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                ${EXPRESS}const Joi = require('joi');
                const user = Joi.object({ name: Joi.string() });

                app.post('/', (req, res) => {
                  console.log('new');

                  res.json(user.validate(req.body));
                });
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'a comment on more than the declaration',
      code: dedent`
        ${EXPRESS}const Joi = require('joi');
        app.post('/', (req, res) => {
          // Check and answer.
          const user = «Joi.object»({ name: Joi.string() });
          res.json(user.validate(req.body));
        });
      `,
      findings: [{ messageId: 'thing', refused: ['the comment above it may be about more than it'] }],
    },
    {
      name: 'used on the next line',
      code: dedent`
        ${EXPRESS}const Joi = require('joi');
        app.post('/', (req, res) => {
          const { error } = «Joi.object»({ name: Joi.string() })
            .validate(req.body);
          res.json(error);
        });
      `,
      findings: [
        {
          messageId: 'thing',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                ${EXPRESS}const Joi = require('joi');
                const schema = Joi.object({ name: Joi.string() });

                app.post('/', (req, res) => {
                  const { error } = schema.validate(req.body);
                  res.json(error);
                });
              `,
            },
          ],
        },
      ],
    },
    {
      name: 'a comment of another kind',
      code: dedent`
        ${EXPRESS}const Joi = require('joi');
        app.post('/', (req, res) => {
          /* What a user may send. */
          const user = «Joi.object»({ name: Joi.string() });

          res.json(user.validate(req.body));
        });
      `,
      findings: [{ messageId: 'thing', refused: ['the comment above it would have to move with it'] }],
    },
    {
      name: 'a client that others get with the request, or by a promise',
      code: dedent`
        ${EXPRESS}const axios = require('axios');
        app.use((req, res, next) => {
          const api = «axios.create»({ baseURL: 'https://example.org' });
          req.api = api;
          next();
        });
        async function connect() {
          return «axios.create»({ baseURL: 'https://example.org' });
        }
        app.get('/', (req, res) => {
          connect().then((client) => {
            client.defaults.headers.common.Authorization = req.headers.authorization;
            res.end();
          });
        });
      `,
      findings: [
        { messageId: 'thing', refused: ['it is passed on (line 5)'] },
        { messageId: 'thing', refused: ['it is passed on (line 12)'] },
      ],
    },
  ],
};
