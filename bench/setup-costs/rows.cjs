// What is measured: how each thing is built, and what using it once takes, with fresh data each time.
const crypto = require('node:crypto');
const fs = require('node:fs');
const http = require('node:http');
const https = require('node:https');
const os = require('node:os');
const path = require('node:path');
const tls = require('node:tls');
const vm = require('node:vm');

let turn = 0;
const day = () => new Date(1.6e12 + (turn += 1) * 86_400_000);
const number = () => 1234.5 + (turn += 1);
const person = () => ({ name: `name${(turn += 1)}`, mail: `a${turn}@example.org`, age: turn % 90, tags: ['a', 'b'] });
const view = () => ({
  title: `t${(turn += 1)}`,
  rows: [1, 2, 3].map((n) => ({ kind: 'k', name: `n${n + turn}`, price: n * turn })),
});

const DATE = { year: 'numeric', month: 'short', day: 'numeric', timeZone: 'UTC' };
const MONEY = { style: 'currency', currency: 'USD' };
const SCHEMA = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1 },
    mail: { type: 'string' },
    age: { type: 'integer', minimum: 0 },
    tags: { type: 'array', items: { type: 'string' } },
  },
  required: ['name', 'mail'],
  additionalProperties: false,
};
// A page of some 25 lines.
const TWENTY = 20;
const HANDLEBARS = `<ul>{{#each rows}}<li class="{{kind}}">{{name}}: {{price}}</li>{{/each}}</ul>${'<p>{{title}}</p>\n'.repeat(TWENTY)}`;
const EJS = `<ul><% rows.forEach((row) => { %><li class="<%= row.kind %>"><%= row.name %>: <%= row.price %></li><% }) %></ul>${'<p><%= title %></p>\n'.repeat(TWENTY)}`;
const PUG = `ul\n  each row in rows\n    li(class=row.kind) #{row.name}: #{row.price}\n${'p= title\n'.repeat(TWENTY)}`;
const NUNJUCKS = `<ul>{% for row in rows %}<li class="{{row.kind}}">{{row.name}}: {{row.price}}</li>{% endfor %}</ul>${'<p>{{title}}</p>\n'.repeat(TWENTY)}`;
const GRAPHQL =
  'type Query { user(id: ID!): User users: [User!]! } type User { id: ID! name: String posts: [Post] } type Post { id: ID! title: String author: User }';
const PRIVATE_KEY = crypto.generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' });
const PUBLIC_KEY = crypto.createPublicKey(PRIVATE_KEY).export({ type: 'spki', format: 'pem' });
const AWS_OPTIONS = { region: 'eu-west-1' };
const AWS_3 = [
  ['s3', 'S3Client'],
  ['dynamodb', 'DynamoDBClient'],
  ['sqs', 'SQSClient'],
  ['sns', 'SNSClient'],
  ['lambda', 'LambdaClient'],
  ['ses', 'SESClient'],
  ['secrets-manager', 'SecretsManagerClient'],
];
const AWS_2 = ['S3', 'DynamoDB', 'DynamoDB.DocumentClient', 'SQS', 'SNS', 'Lambda', 'SES', 'CognitoIdentityServiceProvider'];
const POSTGRES = 'postgres://a:b@localhost/c';

const NAMES = Array.from({ length: 1000 }, (_, i) => `header-${i}`);
const EXPRESSION = NAMES.slice(0, 100).join('|');
const SUM = 'a + 1';

/** An application with a page of some 25 lines, which renders it with or without the cache of its views. */
function pageOf(load, engine, text) {
  const views = fs.mkdtempSync(path.join(os.tmpdir(), 'views-'));
  process.on('exit', () => fs.rmSync(views, { recursive: true, force: true }));
  fs.writeFileSync(path.join(views, `page.${engine}`), text);
  if (engine === 'njk') {
    const { Environment, FileSystemLoader } = load('nunjucks');
    const [on, off] = [false, true].map((noCache) => new Environment(new FileSystemLoader(views, { noCache })));
    return { on: () => on.render('page.njk', view()), off: () => off.render('page.njk', view()) };
  }
  const [on, off] = [true, false].map((cached) => {
    const app = load('express')();
    app.set('views', views).set('view engine', engine).set('view cache', cached);
    return () => {
      let html;
      app.render('page', view(), (error, text) => {
        if (error) throw error;
        html = text;
      });
      return html;
    };
  });
  const file = path.join(views, `page.${engine}`);
  const rendered = (options) => () => {
    let html;
    // Without a promise, it renders at once.
    load('ejs').renderFile(file, view(), options, (error, text) => {
      if (error) throw error;
      html = text;
    });
    return html;
  };
  return { on, off, file: rendered({}), kept: rendered({ cache: true }) };
}

/** By name: the version of the package, how it is built, and how it is used. @param load requires a package */
exports.rowsOf = (load) => {
  const kept = new Map();
  const once = (name, build) => {
    if (!kept.has(name)) kept.set(name, build());
    return kept.get(name);
  };
  return {
    'Intl.DateTimeFormat': { build: () => new Intl.DateTimeFormat('en-US', DATE), use: (it) => it.format(day()) },
    'Intl.NumberFormat': { build: () => new Intl.NumberFormat('en-US', MONEY), use: (it) => it.format(number()) },
    'Intl.RelativeTimeFormat': {
      build: () => new Intl.RelativeTimeFormat('en', { numeric: 'auto' }),
      use: (it) => it.format(-Math.trunc(number()), 'day'),
    },
    'Intl.Collator': { build: () => new Intl.Collator('de', { numeric: true }), use: (it) => it.compare(`a${number()}`, 'b') },
    'Intl.PluralRules': { build: () => new Intl.PluralRules('en'), use: (it) => it.select(number()) },
    'Intl.ListFormat': { build: () => new Intl.ListFormat('en'), use: (it) => it.format(['a', `${number()}`]) },
    'Intl.DisplayNames': { build: () => new Intl.DisplayNames('en', { type: 'region' }), use: (it) => it.of(number() % 2 ? 'US' : 'DE') },
    'Intl.Segmenter': {
      build: () => new Intl.Segmenter('en', { granularity: 'word' }),
      use: (it) => [...it.segment(`hello world ${number()}`)].length,
    },
    'date.toLocaleString(locale, options)': { build: () => day().toLocaleString('en-US', DATE) },
    'date.toLocaleString(locale)': { build: () => day().toLocaleString('en-US') },
    'number.toLocaleString(locale, options)': { build: () => number().toLocaleString('en-US', MONEY) },
    'number.toLocaleString(locale)': { build: () => number().toLocaleString('en-US') },
    'text.localeCompare(other, locale, options)': { build: () => `a${number()}`.localeCompare('b', 'de', { numeric: true }) },
    'text.localeCompare(other)': { build: () => `a${number()}`.localeCompare('b') },
    TextDecoder: { build: () => new TextDecoder(), use: (it) => it.decode(Buffer.from(`text ${number()}`)) },
    'RegExp of 30 characters': {
      build: () => /^\/uploads\/files\/([^/]*)\.png$/i,
      use: (it) => it.test(`/uploads/files/${number()}.png`),
    },
    'RegExp of 100 words, the same text': { build: () => new RegExp(EXPRESSION), use: (it) => it.test(`${number()}`) },
    'five RegExp of one character each': {
      build: () => ['&', '<', '>', '"', "'"].map((one) => new RegExp(one, 'g')),
    },
    'Set of 20 texts': { build: () => new Set(NAMES.slice(0, 20)), use: (it) => it.has(`header-${number()}`) },
    'Set of 100 texts': { build: () => new Set(NAMES.slice(0, 100)), use: (it) => it.has(`header-${number()}`) },
    'Set of 1,000 texts': { build: () => new Set(NAMES), use: (it) => it.has(`header-${number()}`) },
    'Map of 100 entries': { build: () => new Map(NAMES.slice(0, 100).map((name) => [name, 1])), use: (it) => it.get(`header-${number()}`) },
    'Object.freeze of 100 elements': { build: () => Object.freeze(NAMES.slice(0, 100)) },
    'vm.createContext': {
      build: () => vm.createContext({ a: number() }),
      use: (it) => {
        it.a = number();
        return once('script', () => new vm.Script(SUM)).runInContext(it);
      },
    },
    'script.runInNewContext': { build: () => once('script', () => new vm.Script(SUM)).runInNewContext({ a: number() }) },
    'vm.runInNewContext': { build: () => vm.runInNewContext(SUM, { a: number() }) },
    'vm.Script': { build: () => new vm.Script('a + b * 2') },
    'crypto.createPrivateKey': { build: () => crypto.createPrivateKey(PRIVATE_KEY), use: (it) => it.type },
    'crypto.createPublicKey': { build: () => crypto.createPublicKey(PUBLIC_KEY), use: (it) => it.type },
    'tls.createSecureContext': { build: () => tls.createSecureContext({}) },
    'http.Agent': { build: () => new http.Agent({ keepAlive: true }) },
    'https.Agent': { build: () => new https.Agent({ keepAlive: true }) },
    'import()': { build: () => import('node:fs') },
    'ajv: new and compile': { build: () => new (load('ajv').default)().compile(SCHEMA), use: (it) => it(person()) },
    'ajv: compile another literal': {
      build: () => once('ajv', () => new (load('ajv').default)()).compile({ ...SCHEMA }),
      use: (it) => it(person()),
    },
    'ajv: compile the same object': {
      build: () => once('ajv', () => new (load('ajv').default)()).compile(SCHEMA),
      use: (it) => it(person()),
    },
    'joi.object': {
      build: () => {
        const joi = load('joi');
        return joi.object({
          name: joi.string().min(1).required(),
          mail: joi.string().email().required(),
          age: joi.number().integer().min(0),
          tags: joi.array().items(joi.string()),
        });
      },
      use: (it) => it.validate(person()),
    },
    'zod.object': {
      build: () => {
        const { z } = load('zod');
        return z.object({ name: z.string().min(1), mail: z.string().email(), age: z.number().int().min(0), tags: z.array(z.string()) });
      },
      use: (it) => it.safeParse(person()),
    },
    'yup.object': {
      build: () => {
        const yup = load('yup');
        return yup.object({
          name: yup.string().min(1).required(),
          mail: yup.string().email().required(),
          age: yup.number().integer().min(0),
          tags: yup.array().of(yup.string()),
        });
      },
      use: (it) => it.isValidSync(person()),
    },
    'handlebars.compile': {
      // It compiles at the first call.
      build: () => {
        const template = load('handlebars').compile(HANDLEBARS);
        template(view());
        return template;
      },
      use: (it) => it(view()),
    },
    'ejs.compile': { build: () => load('ejs').compile(EJS), use: (it) => it(view()) },
    'ejs.render': { build: () => load('ejs').render(EJS, view()) },
    'ejs.renderFile': {
      build: () => once('page.ejs', () => pageOf(load, 'ejs', EJS)).file(),
      use: () => once('page.ejs', () => pageOf(load, 'ejs', EJS)).kept(),
    },
    'pug.compile': { build: () => load('pug').compile(PUG), use: (it) => it(view()) },
    'pug.render': { build: () => load('pug').render(PUG, view()) },
    'express and pug: a view without the cache': {
      build: () => once('page.pug', () => pageOf(load, 'pug', PUG)).off(),
      use: () => once('page.pug', () => pageOf(load, 'pug', PUG)).on(),
    },
    'express and ejs: a view without the cache': {
      build: () => once('page.ejs', () => pageOf(load, 'ejs', EJS)).off(),
      use: () => once('page.ejs', () => pageOf(load, 'ejs', EJS)).on(),
    },
    'nunjucks: a view without the cache': {
      build: () => once('page.njk', () => pageOf(load, 'njk', NUNJUCKS)).off(),
      use: () => once('page.njk', () => pageOf(load, 'njk', NUNJUCKS)).on(),
    },
    'nunjucks.compile': {
      build: () => {
        const template = load('nunjucks').compile(NUNJUCKS);
        template.render(view());
        return template;
      },
      use: (it) => it.render(view()),
    },
    'nunjucks.renderString': { build: () => load('nunjucks').renderString(NUNJUCKS, view()) },
    'lodash.template': { build: () => load('lodash').template(EJS), use: (it) => it(view()) },
    ...Object.fromEntries(
      AWS_3.map(([name, client]) => [
        `@aws-sdk/client-${name}`,
        { build: () => new (load(`@aws-sdk/client-${name}`)[client])(AWS_OPTIONS) },
      ]),
    ),
    ...Object.fromEntries(
      AWS_2.map((path) => {
        const built = () => path.split('.').reduce((object, key) => object[key], load('aws-sdk'));
        return [`aws-sdk: ${path}`, { build: () => new (built())(AWS_OPTIONS) }];
      }),
    ),
    'pg.Pool': { build: () => new (load('pg').Pool)({ connectionString: POSTGRES }) },
    'mysql2.createPool': { build: () => load('mysql2').createPool({ host: 'localhost', user: 'a' }) },
    'redis.createClient': { build: () => load('redis').createClient({ url: 'redis://localhost:1' }) },
    ioredis: { build: () => new (load('ioredis').default)({ lazyConnect: true }) },
    'mongodb.MongoClient': { build: () => new (load('mongodb').MongoClient)('mongodb://localhost:27017/x') },
    sequelize: { build: () => new (load('sequelize').Sequelize)(POSTGRES, { logging: false }) },
    knex: { build: () => load('knex')({ client: 'pg', connection: POSTGRES }) },
    'jsdom and dompurify': {
      build: () => load('dompurify')(new (load('jsdom').JSDOM)('').window),
      use: (it) => it.sanitize(`<b>${number()}</b>`),
    },
    'markdown-it': { build: () => new (load('markdown-it'))({ html: true }), use: (it) => it.render(`# a ${number()}`) },
    'showdown.Converter': { build: () => new (load('showdown').Converter)(), use: (it) => it.makeHtml(`# a ${number()}`) },
    'axios.create': { build: () => load('axios').create({ baseURL: 'http://localhost' }) },
    stripe: { build: () => new (load('stripe'))('sk_test_1') },
    openai: { build: () => new (load('openai').OpenAI)({ apiKey: 'x' }) },
    'graphql.buildSchema': { build: () => load('graphql').buildSchema(GRAPHQL) },
    makeExecutableSchema: { build: () => load('@graphql-tools/schema').makeExecutableSchema({ typeDefs: GRAPHQL, resolvers: {} }) },
    'jwks-rsa': { build: () => load('jwks-rsa')({ jwksUri: 'http://localhost' }) },
    'winston.createLogger': {
      build: () => load('winston').createLogger({ transports: [new (load('winston').transports.Console)({ silent: true })] }),
    },
    nodemailer: { build: () => load('nodemailer').createTransport({ host: 'localhost', port: 25, auth: { user: 'u', pass: 'p' } }) },
    multer: { build: () => load('multer')({ storage: load('multer').memoryStorage() }).single('file') },
    'google-auth-library.OAuth2Client': { build: () => new (load('google-auth-library').OAuth2Client)('id', 'secret', 'http://x') },
  };
};
