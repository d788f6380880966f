// What a constant at the top level is called, and what moves there together.
import type { InvalidCase, ValidCase } from '../../analysis/testing/rule-tester.ts';
import { dedent } from '../../analysis/testing/dedent.ts';
import { MOST_TOGETHER } from '../shared/together.ts';

type Message = 'thing' | 'client' | 'call' | 'compared';

const JOI = dedent`
  import express from 'express';
  import Joi from 'joi';
  const app = express();

`;
const BUILT = 'Build it once, at the top level of the module';
const BUILD_ONCE = 'Build it once, at the top level of the module.';
const NAME_BOTH = 'Name its language, for dates also the `timeZone`, and build it once, at the top level of the module.';

export const namedInnocents: readonly ValidCase[] = [
  {
    name: 'equal texts with values of their requests',
    code: dedent`
      ${JOI}app.post('/a', (req, res) => {
        const { most } = req.query;
        res.json(Joi.object({ n: Joi.number().max(most) }).validate(req.body));
      });
      app.post('/b', (req, res) => {
        const { most } = req.query;
        res.json(Joi.object({ n: Joi.number().max(most) }).validate(req.body));
      });
    `,
  },
];

/** As many equal setups as one fix does not change together. */
const MANY = Array.from({ length: MOST_TOGETHER + 1 }, (_, i) => i);

const CURRENCIES = [
  ['brl', "'pt-BR', { style: 'currency', currency: 'BRL' }"],
  ['us', "'en-US', { style: 'currency', currency: 'BRL' }"],
  ['share', "'en-US', { style: 'percent', currency: 'USD' }"],
] as const;
const withConstant = (which: number, name: string): string =>
  [
    "const app = require('express')();",
    'function add_days(date, days) { return new Date(date.getTime() + days * 864e5); }',
    ...CURRENCIES.flatMap(([route, options], i) => {
      const formatter = `new Intl.NumberFormat(${options})`;
      const handler = (used: string): string => `app.get('/${route}', (req, res) => res.send(${used}.format(req.query.n)));`;
      return i === which ? [`const ${name} = ${formatter};`, '', handler(name)] : [handler(formatter)];
    }),
  ].join('\n');

export const named: readonly InvalidCase<Message>[] = [
  {
    name: 'amounts of a currency, in a file with names in snake case',
    code: dedent`
      const app = require('express')();
      function add_days(date, days) { return new Date(date.getTime() + days * 864e5); }
      function format_money(cents) { return «new Intl.NumberFormat»('pt-BR', { style: 'currency', currency: 'BRL' }).format(cents / 100); }
      function format_count(count) { return «new Intl.NumberFormat»('pt-BR').format(count); }
      app.get('/', (req, res) => res.json([add_days(new Date(), 1), format_money(req.query.cents), format_count(req.query.count)]));
    `,
    findings: [
      {
        messageId: 'thing',
        fixes: [
          {
            kind: 'safe',
            output: dedent`
              const app = require('express')();
              function add_days(date, days) { return new Date(date.getTime() + days * 864e5); }
              const brl_format = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' });

              function format_money(cents) { return brl_format.format(cents / 100); }
              function format_count(count) { return new Intl.NumberFormat('pt-BR').format(count); }
              app.get('/', (req, res) => res.json([add_days(new Date(), 1), format_money(req.query.cents), format_count(req.query.count)]));
            `,
          },
        ],
      },
      {
        messageId: 'thing',
        fixes: [
          {
            kind: 'safe',
            output: dedent`
              const app = require('express')();
              function add_days(date, days) { return new Date(date.getTime() + days * 864e5); }
              function format_money(cents) { return new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' }).format(cents / 100); }
              const number_format = new Intl.NumberFormat('pt-BR');

              function format_count(count) { return number_format.format(count); }
              app.get('/', (req, res) => res.json([add_days(new Date(), 1), format_money(req.query.cents), format_count(req.query.count)]));
            `,
          },
        ],
      },
    ],
  },
  {
    name: 'two formatters of a currency, in a file with names in snake case',
    code: dedent`
      const app = require('express')();
      function show_total(cents) { return «new Intl.NumberFormat»('de-DE', { style: 'currency', currency: 'EUR' }).format(cents); }
      function show_sum(cents) { return «new Intl.NumberFormat»('fr-FR', { style: 'currency', currency: 'EUR' }).format(cents); }
      app.get('/', (req, res) => res.json([show_total(req.query.cents), show_sum(req.query.cents)]));
    `,
    findings: [
      {
        messageId: 'thing',
        fixes: [
          {
            kind: 'safe',
            output: dedent`
              const app = require('express')();
              const show_total_eur_format = new Intl.NumberFormat('de-DE', { style: 'currency', currency: 'EUR' });

              function show_total(cents) { return show_total_eur_format.format(cents); }
              function show_sum(cents) { return new Intl.NumberFormat('fr-FR', { style: 'currency', currency: 'EUR' }).format(cents); }
              app.get('/', (req, res) => res.json([show_total(req.query.cents), show_sum(req.query.cents)]));
            `,
          },
        ],
      },
      {
        messageId: 'thing',
        fixes: [
          {
            kind: 'safe',
            output: dedent`
              const app = require('express')();
              function show_total(cents) { return new Intl.NumberFormat('de-DE', { style: 'currency', currency: 'EUR' }).format(cents); }
              const show_sum_eur_format = new Intl.NumberFormat('fr-FR', { style: 'currency', currency: 'EUR' });

              function show_sum(cents) { return show_sum_eur_format.format(cents); }
              app.get('/', (req, res) => res.json([show_total(req.query.cents), show_sum(req.query.cents)]));
            `,
          },
        ],
      },
    ],
  },
  {
    name: 'the route names the currency already; percents have none',
    code: dedent`
      const app = require('express')();
      function add_days(date, days) { return new Date(date.getTime() + days * 864e5); }
      app.get('/brl', (req, res) => res.send(«new Intl.NumberFormat»('pt-BR', { style: 'currency', currency: 'BRL' }).format(req.query.n)));
      app.get('/us', (req, res) => res.send(«new Intl.NumberFormat»('en-US', { style: 'currency', currency: 'BRL' }).format(req.query.n)));
      app.get('/share', (req, res) => res.send(«new Intl.NumberFormat»('en-US', { style: 'percent', currency: 'USD' }).format(req.query.n)));
    `,
    findings: ['brl_format', 'us_brl_format', 'number_format'].map((name, i) => ({
      messageId: 'thing' as const,
      fixes: [
        {
          kind: 'safe' as const,
          output: withConstant(i, name),
        },
      ],
    })),
  },
  {
    name: 'a client of AWS SDK 2: `AWS.config` is read when it is built, and may be set below or in another file',
    code: dedent`
      const AWS = require('aws-sdk');
      const app = require('express')();
      const config = { region: process.env.SES_REGION, accessKeyId: process.env.SES_ID, secretAccessKey: process.env.SES_KEY };
      app.post('/', (req, res) => {
        «new AWS.SES»(config).sendEmail(req.body).promise().then(() => res.end());
      });
    `,
    findings: [
      {
        messageId: 'thing',

        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
              const AWS = require('aws-sdk');
              const app = require('express')();
              const config = { region: process.env.SES_REGION, accessKeyId: process.env.SES_ID, secretAccessKey: process.env.SES_KEY };
              let ses;

              app.post('/', (req, res) => {
                (ses ??= new AWS.SES(config)).sendEmail(req.body).promise().then(() => res.end());
              });
            `,
          },
        ],
      },
    ],
  },
  {
    name: 'many that are the same: no constant for each of them',
    code: `${JOI}${MANY.map((i) => `app.get('/${i}', (req, res) => res.json(«new Intl.NumberFormat»('en', { style: 'percent' }).format(req.query.n${i})));\n`).join('')}`,
    findings: MANY.map(() => ({
      messageId: 'thing' as const,
      severity: 'hint' as const,
      refused: [`${MANY.length} places of this file build the same`],
    })),
  },
  {
    name: 'the name of one hides a parameter where the other is used',
    code: dedent`
      import express from 'express';
      const app = express();
      app.get('/a', (req, res) => {
        const price = «new Intl.NumberFormat»('en', { style: 'currency', currency: 'EUR' });
        res.json(price.format(1));
      });
      app.post('/b', (req, res) => {
        const f = «new Intl.NumberFormat»('en', { style: 'currency', currency: 'EUR' });
        res.json(req.body.list.map((price) => f.format(price)));
      });
    `,
    findings: ['/a', '/b'].map(() => ({
      messageId: 'thing' as const,
      severity: 'hint' as const,
      refused: ['the code has no name for both'],
    })),
  },
  {
    name: 'without a name, among several handlers: the whole list of it, under the name of its route, and the call on one line',
    code: dedent`
      ${JOI}app.post('/api/users', (req, res) => res.json({}));
      app.post('/api/playlist/tracks', (req, res) => {
        const { value } = validated(
          Joi.array().items(
            «Joi.object»({
              title: Joi.string().min(1).max(100),
              artist: Joi.string().min(1).max(100).required(),
            }),
          ),
          req.body,
        );
        res.json(value);
      });
    `,
    findings: [
      {
        messageId: 'thing',
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
              ${JOI}app.post('/api/users', (req, res) => res.json({}));
              const playlistTracksSchema = Joi.array().items(
                Joi.object({
                  title: Joi.string().min(1).max(100),
                  artist: Joi.string().min(1).max(100).required(),
                }),
              );

              app.post('/api/playlist/tracks', (req, res) => {
                const { value } = validated(playlistTracksSchema, req.body);
                res.json(value);
              });
            `,
          },
        ],
      },
    ],
  },
  {
    name: 'one name for two schemas: each gets that of its route',
    code: dedent`
      ${JOI}app.post('/api/v1/playlist/delete', (req, res) => {
        const schema = «Joi.object»({ name: Joi.string() });
        res.json({ schema, id: 1 });
      });
      app.post('/api/v1/playlist/:id/set-title', (req, res) => {
        const schema = «Joi.object»({ title: Joi.string() });
        res.json(schema.validate(req.body));
      });
    `,
    findings: [
      {
        messageId: 'thing',
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
              ${JOI}const playlistDeleteSchema = Joi.object({ name: Joi.string() });

              app.post('/api/v1/playlist/delete', (req, res) => {
                res.json({ schema: playlistDeleteSchema, id: 1 });
              });
              app.post('/api/v1/playlist/:id/set-title', (req, res) => {
                const schema = Joi.object({ title: Joi.string() });
                res.json(schema.validate(req.body));
              });
            `,
          },
        ],
      },
      {
        messageId: 'thing',
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
              ${JOI}app.post('/api/v1/playlist/delete', (req, res) => {
                const schema = Joi.object({ name: Joi.string() });
                res.json({ schema, id: 1 });
              });
              const setTitleSchema = Joi.object({ title: Joi.string() });

              app.post('/api/v1/playlist/:id/set-title', (req, res) => {
                res.json(setTitleSchema.validate(req.body));
              });
            `,
          },
        ],
      },
    ],
  },
  {
    name: 'two methods of one route, and a function with a name of its own',
    code: dedent`
      ${JOI}app.post('/users', (req, res) => res.json(«Joi.object»({ name: Joi.string() }).validate(req.body)));
      app.put('/users', (req, res) => res.json(«Joi.object»({ mail: Joi.string() }).validate(req.body)));
      app.post('/login', login);
      function login(req, res) {
        const schema = «Joi.object»({ password: Joi.string() });
        res.json(schema.validate(req.body));
      }
    `,
    findings: [
      {
        messageId: 'thing',
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
              ${JOI}const postUsersSchema = Joi.object({ name: Joi.string() });

              app.post('/users', (req, res) => res.json(postUsersSchema.validate(req.body)));
              app.put('/users', (req, res) => res.json(Joi.object({ mail: Joi.string() }).validate(req.body)));
              app.post('/login', login);
              function login(req, res) {
                const schema = Joi.object({ password: Joi.string() });
                res.json(schema.validate(req.body));
              }
            `,
          },
        ],
      },
      {
        messageId: 'thing',
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
              ${JOI}app.post('/users', (req, res) => res.json(Joi.object({ name: Joi.string() }).validate(req.body)));
              const putUsersSchema = Joi.object({ mail: Joi.string() });

              app.put('/users', (req, res) => res.json(putUsersSchema.validate(req.body)));
              app.post('/login', login);
              function login(req, res) {
                const schema = Joi.object({ password: Joi.string() });
                res.json(schema.validate(req.body));
              }
            `,
          },
        ],
      },
      {
        messageId: 'thing',
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
              ${JOI}app.post('/users', (req, res) => res.json(Joi.object({ name: Joi.string() }).validate(req.body)));
              app.put('/users', (req, res) => res.json(Joi.object({ mail: Joi.string() }).validate(req.body)));
              app.post('/login', login);
              const loginSchema = Joi.object({ password: Joi.string() });

              function login(req, res) {
                res.json(loginSchema.validate(req.body));
              }
            `,
          },
        ],
      },
    ],
  },
  {
    name: 'no name for it: a handler of all routes, and another schema',
    code: dedent`
      ${JOI}app.use((req, res, next) => {
        const schema = «Joi.object»({ name: Joi.string() });
        next(schema.validate(req.body).error);
      });
      const check = (schema, value) => schema.validate(value);
    `,
    findings: [{ messageId: 'thing', refused: ['neither a route nor a function names'] }],
  },
  {
    name: 'the same in two routes: one constant for both',
    code: dedent`
      ${JOI}app.get('/info', (req, res) => {
        const schema = «Joi.object»({ url: Joi.string().uri() });
        res.json(schema.validate(req.query));
      });
      app.post('/load', (req, res) => {
        const schema = «Joi.object»({
          url: Joi.string().uri(),
        });
        res.json(schema.validate(req.body));
      });
      app.post('/name', (req, res) => {
        const schema = Joi.string();
        res.json(schema.validate(req.body));
      });
    `,
    findings: [
      ...[0, 1].map(() => ({
        messageId: 'thing' as const,
        fixes: [
          {
            kind: 'suggestion' as const,
            output: dedent`
              ${JOI}const urlSchema = Joi.object({ url: Joi.string().uri() });

              app.get('/info', (req, res) => {
                res.json(urlSchema.validate(req.query));
              });
              app.post('/load', (req, res) => {
                res.json(urlSchema.validate(req.body));
              });
              app.post('/name', (req, res) => {
                const schema = Joi.string();
                res.json(schema.validate(req.body));
              });
            `,
          },
        ],
      })),
    ],
  },
  {
    name: 'the same twice, without a name for both, or with a comment that would be lost',
    code: dedent`
      ${JOI}app.post('/a', (req, res) => {
        const schema = «Joi.object»({ a: Joi.string(), b: Joi.string(), c: Joi.string() });
        res.json(schema.validate(req.body));
      });
      app.post('/b', (req, res) => {
        const schema = «Joi.object»({ a: Joi.string(), b: Joi.string(), c: Joi.string() });
        res.json(schema.validate(req.body));
      });
      app.post('/c', (req, res) => {
        const user = «Joi.object»({ id: Joi.string() });
        res.json(user.validate(req.body));
      });
      const isSchema = (schema) => Joi.isSchema(schema);
      app.post('/d', (req, res) => {
        // A user as others see them.
        const user = «Joi.object»({ id: Joi.string() });
        res.json(user.validate(req.body));
      });
    `,
    findings: [
      { messageId: 'thing', refused: ['the same is built on line 9'] },
      { messageId: 'thing', refused: ['the same is built on line 9'] },
      { messageId: 'thing', refused: ['the comment above line 19 would have to move with it'] },
      { messageId: 'thing', refused: ['the comment above line 19 would have to move with it'] },
    ],
  },
  {
    name: 'there already at the top level',
    code: dedent`
      ${JOI}const known = Joi.object({ id: Joi.string() });
      app.post('/a', (req, res) => res.json(known.validate(req.body)));
      app.post('/b', (req, res) => res.json(«Joi.object»({ id: Joi.string() }).validate(req.body)));
    `,
    findings: [{ messageId: 'thing', refused: ['the same object is already built on line 4'] }],
  },
  {
    name: 'agents that belong together, with a comment that names them, from a constant of the settings',
    code: dedent`
      import http from 'http';
      import https from 'https';
      import axios from 'axios';
      import config from 'config';
      import express from 'express';
      const app = express();
      const limits = config.get('limits');
      app.get('/', async (req, res) => {
        // Agents for both protocols
        const secure = «new https.Agent»(limits);
        const plain = «new http.Agent»(limits);
        const { data } = await axios.get(req.query.url, { httpAgent: plain, httpsAgent: secure });
        res.json(data);
      });
    `,
    findings: [
      { messageId: 'client', refused: ['the comment above it may be about more than it'] },
      { messageId: 'client', refused: ['the comment above it may be about more than it'] },
    ],
  },
  {
    name: 'agents that belong together, by name',
    code: dedent`
      import http from 'http';
      import https from 'https';
      import axios from 'axios';
      import config from 'config';
      import express from 'express';
      const app = express();
      const limits = config.get('limits');
      app.get('/', async (req, res) => {
        // Agents for both protocols
        const httpsAgent = «new https.Agent»(limits);
        const httpAgent = «new http.Agent»(limits);
        const { data } = await axios.get(req.query.url, { httpAgent, httpsAgent });
        res.json(data);
      });
    `,
    findings: [0, 1].map(() => ({
      messageId: 'client' as const,
      fixes: [
        {
          kind: 'suggestion' as const,
          output: dedent`
            import http from 'http';
            import https from 'https';
            import axios from 'axios';
            import config from 'config';
            import express from 'express';
            const app = express();
            const limits = config.get('limits');
            // Agents for both protocols
            const httpsAgent = new https.Agent(limits);
            const httpAgent = new http.Agent(limits);

            app.get('/', async (req, res) => {
              const { data } = await axios.get(req.query.url, { httpAgent, httpsAgent });
              res.json(data);
            });
          `,
        },
      ],
    })),
  },
  {
    name: 'one of two agents may fail at the start: none of them moves alone',
    code: dedent`
      import http from 'http';
      import https from 'https';
      import axios from 'axios';
      import config from 'config';
      import express from 'express';
      const app = express();
      app.get('/', async (req, res) => {
        const agents = { httpAgent: «new http.Agent»({ maxSockets: 9 }), httpsAgent: «new https.Agent»(config.get('tls')) };
        res.json((await axios.get('https://example.org', agents)).data);
      });
    `,
    findings: [
      { messageId: 'client', refused: ['line 8 belongs to it'] },
      { messageId: 'client', refused: ['line 8 belongs to it'] },
    ],
  },
  {
    name: 'the language of the process, and its time zone: both may change, and a setting may name none',
    file: 'src/list.ts',
    code: dedent`
      import express from 'express';
      const app = express();
      const ZONE = process.env.ZONE;
      const OPTIONS = { timeZone: 'UTC' } as const;
      app.get('/', (req, res) => {
        const formatter = «new Intl.NumberFormat»(undefined, { style: 'percent' });
        res.send(formatter.format(Number(req.query.n)));
      });
      app.get('/day', (req, res) => {
        const days = «new Intl.DateTimeFormat»('en', { dateStyle: 'long' });
        res.send(days.format(Number(req.query.n)));
      });
      app.get('/zone', (req, res) => {
        const days = «new Intl.DateTimeFormat»('en', { timeZone: ZONE });
        res.send(days.format(Number(req.query.n)));
      });
      app.get('/utc', (req, res) => {
        const utcDays = «new Intl.DateTimeFormat»('en', OPTIONS);
        res.send(utcDays.format(Number(req.query.n)));
      });
    `,
    findings: [
      { messageId: 'thing', data: { instead: NAME_BOTH }, refused: ['is that of the process, which may change'] },
      { messageId: 'thing', data: { instead: NAME_BOTH }, refused: ['is that of the process, which may change'] },
      { messageId: 'thing', data: { instead: NAME_BOTH }, refused: ['is that of the process, which may change'] },
      {
        messageId: 'thing',
        data: { instead: BUILD_ONCE },
        fixes: [
          {
            kind: 'suggestion',
            title: BUILT,
            output: dedent`
              import express from 'express';
              const app = express();
              const ZONE = process.env.ZONE;
              const OPTIONS = { timeZone: 'UTC' } as const;
              app.get('/', (req, res) => {
                const formatter = new Intl.NumberFormat(undefined, { style: 'percent' });
                res.send(formatter.format(Number(req.query.n)));
              });
              app.get('/day', (req, res) => {
                const days = new Intl.DateTimeFormat('en', { dateStyle: 'long' });
                res.send(days.format(Number(req.query.n)));
              });
              app.get('/zone', (req, res) => {
                const days = new Intl.DateTimeFormat('en', { timeZone: ZONE });
                res.send(days.format(Number(req.query.n)));
              });
              const utcDays = new Intl.DateTimeFormat('en', OPTIONS);

              app.get('/utc', (req, res) => {
                res.send(utcDays.format(Number(req.query.n)));
              });
            `,
          },
        ],
      },
    ],
  },
  {
    name: 'a schema beside a request to another service, also by a helper',
    code: dedent`
      ${JOI}async function load(url) {
        const answer = await fetch(url);
        return answer.json();
      }
      app.post('/a', async (req, res) => {
        const a = «Joi.object»({ n: Joi.number() });
        if (a.validate(req.body).error) return res.status(400).end();
        res.json(await load('https://example.org'));
      });
    `,
    findings: [{ messageId: 'thing', refused: ['sends a request to another service (line 11), beside which this does not count'] }],
  },
  {
    name: 'a schema by settings that a reload replaces',
    code: dedent`
      import * as config from './config.js';
      ${JOI}app.post('/load', (req, res) => {
        const formats = Object.keys(config.program.formats);
        const schema = «Joi.object»({ format: Joi.string().valid(...formats) });
        res.json(schema.validate(req.body));
      });
    `,
    findings: [{ messageId: 'thing', refused: ['`config` comes from another file, which may set it again while the program runs'] }],
  },
  {
    name: 'a client by settings that the file changes',
    code: dedent`
      import config from './config.js';
      import Stripe from 'stripe';
      import express from 'express';
      const app = express();
      app.get('/', async (req, res) => {
        const stripe = «new Stripe»(config.key);
        res.json(await stripe.customers.list());
      });
      app.post('/key', (req, res) => {
        config.key = req.body.key;
        res.end();
      });
    `,
    findings: [{ messageId: 'thing', refused: ['`config` comes from another file, which may set it again while the program runs'] }],
  },
  {
    name: 'a comment beside it, and a part of a larger one that stays',
    code: dedent`
      ${JOI}app.post('/a', (req, res) => {
        const user = «Joi.object»({ id: Joi.string() }); // of the old kind
        res.json(user.validate(req.body));
      });
      app.post('/b', (req, res) => {
        const range = «Joi.object»({ min: Joi.number(), max: Joi.number() });
        const ranges = «Joi.object»({
          // At most 16.
          all: Joi.array().items(range).max(16),
        });
        res.json(ranges.validate(req.body));
      });
    `,
    findings: [
      { messageId: 'thing', refused: ['the comment beside it would have to move with it'] },
      { messageId: 'thing', refused: ['what is built of it on line 10 would stay'] },
      { messageId: 'thing', refused: ['`range` is not defined yet'] },
    ],
  },
];
