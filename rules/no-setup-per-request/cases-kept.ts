// What may fail when the program starts, such as a client whose key is missing, is built on first use.
import type { InvalidCase, ValidCase } from '../../analysis/testing/rule-tester.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

type Message = 'thing' | 'client' | 'call' | 'compared';

const EXPRESS = "import express from 'express';\n";
const KEPT = 'Create it on first use, and keep it (changed settings then require a restart)';
const ON_FIRST_USE = 'Create it on first use, and keep it.';
const AT_TOP = 'Build it once, at the top level of the module.';

export const keptInnocents: readonly ValidCase[] = [
  {
    name: 'kept already',
    file: 'src/pay.ts',
    code: dedent`
      ${EXPRESS}import Stripe from 'stripe';
      import { env } from './env';
      const app = express();
      let stripe: Stripe | undefined;
      app.get('/', async (req, res) => {
        stripe ??= new Stripe(env.STRIPE_SECRET_KEY);
        res.json(await stripe.customers.list());
      });
    `,
  },
  {
    name: 'the key of the customer',
    code: dedent`
      ${EXPRESS}import Stripe from 'stripe';
      const app = express();
      app.get('/', async (req, res) => res.json(await new Stripe(req.user.stripeKey).customers.list()));
    `,
  },
];

export const kept: readonly InvalidCase<Message>[] = [
  {
    name: 'the region that AWS Lambda sets before it loads a function',
    project: {
      root: '/app',
      manifest: {
        bin: [],
        scripts: {},
        dependencies: { '@aws-sdk/client-sqs': '^3.0.0' },
        devDependencies: { '@types/aws-lambda': '^8.0.0' },
        private: true,
      },
      nodeRange: '>=20',
      nodeRangeSource: 'the test',
    },
    code: dedent`
      const { SQS } = require('@aws-sdk/client-sqs');
      exports.handler = async (event, context) => {
        const client = «new SQS»({ region: process.env.AWS_REGION });
        await client.sendMessage(event);
      };
    `,
    findings: [
      {
        messageId: 'client',
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
              const { SQS } = require('@aws-sdk/client-sqs');
              const client = new SQS({ region: process.env.AWS_REGION });

              exports.handler = async (event, context) => {
                await client.sendMessage(event);
              };
            `,
          },
        ],
      },
    ],
  },
  {
    name: 'a key of the settings of the project, in TypeScript',
    file: 'src/pay.ts',
    code: dedent`
      ${EXPRESS}import Stripe from 'stripe';
      import { env } from './env';

      const app = express();

      app.get('/', async (req, res) => {
        const stripe = «new Stripe»(env.STRIPE_SECRET_KEY);
        const all = await stripe.customers.list();
        res.json(all);
      });
    `,
    findings: [
      {
        messageId: 'thing',
        severity: 'hint',
        data: { instead: ON_FIRST_USE },
        fixes: [
          {
            kind: 'suggestion',
            title: KEPT,
            output: dedent`
              ${EXPRESS}import Stripe from 'stripe';
              import { env } from './env';

              const app = express();

              let stripe: Stripe | undefined;

              app.get('/', async (req, res) => {
                stripe ??= new Stripe(env.STRIPE_SECRET_KEY);
                const all = await stripe.customers.list();
                res.json(all);
              });
            `,
          },
        ],
      },
    ],
  },
  {
    name: 'used in a callback, where TypeScript would not know that it is there',
    file: 'src/pay.ts',
    code: dedent`
      ${EXPRESS}import Stripe from 'stripe';
      import { env } from './env';
      const app = express();
      app.post('/', async (req, res) => {
        const stripe = «new Stripe»(env.STRIPE_SECRET_KEY);
        res.json(await Promise.all(req.body.ids.map((id: string) => stripe.customers.retrieve(id))));
      });
    `,
    findings: [
      {
        messageId: 'thing',
        data: { instead: ON_FIRST_USE },
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
              ${EXPRESS}import Stripe from 'stripe';
              import { env } from './env';
              const app = express();
              let sharedStripe: Stripe | undefined;

              app.post('/', async (req, res) => {
                const stripe = (sharedStripe ??= new Stripe(env.STRIPE_SECRET_KEY));
                res.json(await Promise.all(req.body.ids.map((id: string) => stripe.customers.retrieve(id))));
              });
            `,
          },
        ],
      },
    ],
  },
  {
    name: 'a constructor that asks the environment itself',
    code: dedent`
      ${EXPRESS}import OpenAI from 'openai';
      const app = express();
      app.get('/', async (req, res) => res.json(await «new OpenAI»().models.list()));
    `,
    findings: [
      {
        messageId: 'thing',
        severity: 'hint',
        data: { instead: ON_FIRST_USE },
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
              ${EXPRESS}import OpenAI from 'openai';
              const app = express();
              let openai;

              app.get('/', async (req, res) =>
                res.json(await (openai ??= new OpenAI()).models.list()),
              );
            `,
          },
        ],
      },
    ],
  },
  {
    name: 'a key that the function reads, behind its own check',
    code: dedent`
      ${EXPRESS}import Stripe from 'stripe';
      const app = express();
      app.get('/', async (req, res) => {
        const { STRIPE_KEY } = process.env;
        if (!STRIPE_KEY) throw new Error('no key');
        const stripe = «new Stripe»(STRIPE_KEY)
        res.json(await stripe.customers.list());
      });
    `,
    findings: [
      {
        messageId: 'thing',
        data: { instead: ON_FIRST_USE },
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
              ${EXPRESS}import Stripe from 'stripe';
              const app = express();
              let stripe;

              app.get('/', async (req, res) => {
                const { STRIPE_KEY } = process.env;
                if (!STRIPE_KEY) throw new Error('no key');
                stripe ??= new Stripe(STRIPE_KEY)
                res.json(await stripe.customers.list());
              });
            `,
          },
        ],
      },
    ],
  },
  {
    name: 'within a try, which still catches it',
    code: dedent`
      ${EXPRESS}import Stripe from 'stripe';
      import config from './config.js';
      const app = express();
      app.get('/', async (req, res) => {
        try {
          const stripe = «new Stripe»(config.stripe.key);
          res.json(await stripe.customers.list());
        } catch { res.sendStatus(503); }
      });
    `,
    findings: [
      {
        messageId: 'thing',
        data: { instead: ON_FIRST_USE },
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
              ${EXPRESS}import Stripe from 'stripe';
              import config from './config.js';
              const app = express();
              let stripe;

              app.get('/', async (req, res) => {
                try {
                  stripe ??= new Stripe(config.stripe.key);
                  res.json(await stripe.customers.list());
                } catch { res.sendStatus(503); }
              });
            `,
          },
        ],
      },
    ],
  },
  {
    name: 'what a function returns, in TypeScript',
    file: 'src/api.ts',
    code: dedent`
      ${EXPRESS}import axios from 'axios';
      import { env } from './env';
      const app = express();
      app.get('/', async (req, res) => {
        const api = «axios.create»({ baseURL: env.API_URL });
        res.json((await api.get('/')).data);
      });
    `,
    findings: [{ messageId: 'thing', data: { instead: ON_FIRST_USE }, refused: ['does not name the type'] }],
  },
  {
    name: 'passed on, where its headers may be changed',
    code: dedent`
      ${EXPRESS}import axios from 'axios';
      import prepare from './prepare.js';
      const app = express();
      app.get('/', async (req, res) => {
        const api = «axios.create»({ baseURL: process.env.API_URL });
        prepare(api);
        res.json((await api.get('/')).data);
      });
    `,
    findings: [{ messageId: 'thing', data: { instead: ON_FIRST_USE }, refused: ['it is passed on (line 7)'] }],
  },
  {
    name: 'a template of a file',
    code: dedent`
      ${EXPRESS}import fs from 'node:fs';
      import pug from 'pug';
      const app = express();
      app.get('/', (req, res) => res.send(«pug.compile»(fs.readFileSync('views/mail.pug', 'utf8'))({ name: req.query.name })));
    `,
    findings: [
      {
        messageId: 'thing',
        severity: 'warning',
        data: { instead: ON_FIRST_USE },
        refused: ['it reads a file, and requests may have to see'],
      },
    ],
  },
  {
    name: 'a key that is written in the code, and one that is a constant of it',
    code: dedent`
      ${EXPRESS}import OpenAI from 'openai';
      const KEY = 'local';
      const app = express();
      app.get('/', async (req, res) => res.json(await «new OpenAI»({ apiKey: KEY, baseURL: 'http://localhost:8080' }).models.list()));
    `,
    findings: [
      {
        messageId: 'thing',
        severity: 'hint',
        data: { instead: AT_TOP },
        fixes: [
          {
            kind: 'suggestion',
            output: dedent`
              ${EXPRESS}import OpenAI from 'openai';
              const KEY = 'local';
              const app = express();
              const openai = new OpenAI({ apiKey: KEY, baseURL: 'http://localhost:8080' });

              app.get('/', async (req, res) => res.json(await openai.models.list()));
            `,
          },
        ],
      },
    ],
  },
  {
    name: 'a schema with the constants of another file cannot lack a key',
    code: dedent`
      ${EXPRESS}import Joi from 'joi';
      import { REASONS } from './reasons.js';
      const app = express();
      app.post('/', (req, res) => res.json(«Joi.object»({ reason: Joi.string().valid(...REASONS) }).validate(req.body)));
    `,
    findings: [{ messageId: 'thing', severity: 'hint', data: { instead: AT_TOP }, refused: ['`REASONS` comes from another file'] }],
  },
  {
    name: 'an agent for a client that is kept by its settings, and agents that are used, too, or go into a client that is not',
    code: dedent`
      ${EXPRESS}import { Agent } from 'node:https';
      import { S3Client } from './storage.js';
      import { OPTIONS } from './options.js';
      const app = express();
      const clients = {};
      function clientFor(settings) {
        const agent = new Agent(OPTIONS);
        const config = { ...settings };
        config.requestHandler = new Handler({ agent });
        const key = JSON.stringify(settings);
        let client = clients[key];
        if (!client) { client = new S3Client(config); clients[key] = client; }
        return client;
      }
      async function fetchWith(settings, url) {
        const agent = «new Agent»(OPTIONS);
        const key = JSON.stringify(settings);
        if (!clients[key]) clients[key] = new S3Client(settings);
        return fetch(url, { agent });
      }
      function madeFor(settings) {
        const agent = «new Agent»(OPTIONS);
        const client = new S3Client({ ...settings, agent });
        return client.list();
      }
      app.get('/', async (req, res) => {
        clientFor(req.query).list();
        madeFor(req.query);
        await fetchWith(req.query, '/');
        res.end();
      });
    `,
    findings: ['fetchWith', 'madeFor'].map(() => ({ messageId: 'client' as const, refused: ['the same is built on line'] })),
  },
];
