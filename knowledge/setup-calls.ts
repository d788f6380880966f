// Calls that build something dear which could be built once. Every row was measured (`node bench/setup-costs/measure.js`), and a test
// compares the figures with bench/results/setup-costs.json. What took less than the bar on one of the versions is no row.

/**
 * `thing`: something that can be used again. `client`: it keeps connections, too. `call`: a call that builds one inside, uses it once, and
 * throws it away.
 */
export type SetupKind = 'thing' | 'client' | 'call';

export interface SetupCall {
  /** A package, or `global`. */
  module: string;
  /** Names from the module; empty for what the module itself is. */
  path: readonly string[];
  by: 'new' | 'call' | 'either';
  makes: SetupKind;
  /** µs of processor time for one build, on the fastest and the slowest Node of the measurement. */
  us: readonly [number, number];
  /** Its row in the measurement. */
  measured: string;
  /** The major version that was measured, where those before it take much less. */
  since?: number;
  /** Only the first argument is compiled; the others may come from the request. */
  onlyFirst?: true;
  /** Calls on the result belong to it: `Joi.object().keys({ … })`. */
  chain?: true;
  /** Nothing can change what was built: all requests can share it. */
  immutable?: true;
  /** The option without which it asks the environment for its key, and throws if there is none. */
  needsKey?: string;
  /** For `call`: what it builds. */
  built?: string;
  /** What to write instead, where it is not just the same at the top level. */
  instead?: string;
  source: string;
}

/** In µs, on each of the versions measured. At 1,000 requests per second, 10 µs are 1 % of a processor. */
export const SETUP_BAR_US = 10;
/**
 * From here on it is a warning, in µs, on each of the versions measured. Without a run, nobody knows how often a request arrives: a reader
 * of unseen code called warnings about 360 µs wrong, because the jobs ran once an hour. A millisecond counts wherever requests wait for it.
 */
export const SETUP_WARNING_US = 1_000;
/**
 * A client counts by its connections, whatever it takes to build. A request or query in ms of processor time, over a connection that is
 * kept, and over one of its own.
 */
export const CONNECTION_MS = {
  http: { kept: [0.42, 0.52], own: [0.75, 0.78] },
  https: { kept: [0.38, 0.49], own: [3.7, 4.3] },
  postgres: { kept: [0.21, 0.22], own: [3.6, 4.4] },
} as const;

const MDN_INTL = 'https://developer.mozilla.org/docs/Web/JavaScript/Reference/Global_Objects/Intl';
const CRYPTO = 'https://nodejs.org/api/crypto.html';
const AWS_3 = 'https://docs.aws.amazon.com/sdk-for-javascript/v3/developer-guide/creating-and-calling-service-objects.html';
const AWS_2 = 'https://docs.aws.amazon.com/lambda/latest/dg/best-practices.html';
const npm = (name: string): string => `https://www.npmjs.com/package/${name}`;

type Figures = Pick<SetupCall, 'us' | 'measured'>;
type More = Partial<Pick<SetupCall, 'by' | 'since' | 'onlyFirst' | 'chain' | 'immutable' | 'needsKey' | 'built' | 'instead' | 'source'>>;

/** One row for each path; `''` is the module itself. */
const rows = (makes: SetupKind, module: string, paths: readonly string[], figures: Figures, more: More = {}): SetupCall[] =>
  paths.map((path) => ({ module, path: path === '' ? [] : path.split('.'), by: 'call', makes, source: npm(module), ...figures, ...more }));

const intl = (name: string, figures: Figures): SetupCall => ({
  module: 'global',
  path: ['Intl', name],
  by: 'either',
  makes: 'thing',
  immutable: true,
  source: MDN_INTL,
  ...figures,
});

const AGENT = 'Create one agent at the top level of the module, with `keepAlive: true`, and let all requests share it.';
const TEMPLATE = { onlyFirst: true } as const;
const SCHEMA = { chain: true } as const;

/** Calls that use a schema, after which the chain is no longer part of it. */
export const USES_OF_SCHEMAS =
  /^(?:validate|validateAsync|validateSync|isValid|isValidSync|parse|parseAsync|safeParse|safeParseAsync|cast|spa)$/;

export const SETUP_CALLS: readonly SetupCall[] = [
  intl('DateTimeFormat', { us: [84, 140], measured: 'Intl.DateTimeFormat' }),
  intl('NumberFormat', { us: [14, 14], measured: 'Intl.NumberFormat' }),
  intl('RelativeTimeFormat', { us: [15, 17], measured: 'Intl.RelativeTimeFormat' }),
  ...rows('thing', 'crypto', ['createPrivateKey'], { us: [41, 480], measured: 'crypto.createPrivateKey' }, { source: CRYPTO }),
  ...rows('thing', 'crypto', ['createPublicKey'], { us: [16, 160], measured: 'crypto.createPublicKey' }, { source: CRYPTO }),
  ...rows(
    'thing',
    'tls',
    ['createSecureContext'],
    { us: [180, 220], measured: 'tls.createSecureContext' },
    { source: 'https://nodejs.org/api/tls.html#tlscreatesecurecontextoptions' },
  ),
  ...['joi', '@hapi/joi'].flatMap((name) =>
    rows('thing', name, ['object', 'Joi.object'], { us: [56, 610], measured: 'joi.object' }, SCHEMA),
  ),
  // The same schema takes 9 to 11 µs in zod 3.25 (Node 20 to 26), and smaller ones less: not above the bar on each version.
  ...rows('thing', 'zod', ['object', 'z.object'], { us: [77, 460], measured: 'zod.object' }, { ...SCHEMA, since: 4 }),
  ...rows('thing', 'yup', ['object'], { us: [34, 49], measured: 'yup.object' }, SCHEMA),
  ...rows('thing', 'handlebars', ['compile'], { us: [2000, 5800], measured: 'handlebars.compile' }, TEMPLATE),
  ...rows('thing', 'ejs', ['compile'], { us: [47, 61], measured: 'ejs.compile' }, TEMPLATE),
  ...rows('thing', 'pug', ['compile'], { us: [17000, 28000], measured: 'pug.compile' }, TEMPLATE),
  ...rows('thing', 'nunjucks', ['compile'], { us: [590, 6300], measured: 'nunjucks.compile' }, TEMPLATE),
  ...rows('thing', 'lodash', ['template'], { us: [96, 170], measured: 'lodash.template' }, TEMPLATE),
  ...rows(
    'call',
    'ejs',
    ['render'],
    { us: [68, 130], measured: 'ejs.render' },
    {
      onlyFirst: true,
      built: 'a template',
      instead: 'Compile the template once, with `ejs.compile` at the top level, and call the result with the data.',
    },
  ),
  ...rows(
    'call',
    'ejs',
    ['renderFile'],
    { us: [180, 210], measured: 'ejs.renderFile' },
    {
      onlyFirst: true,
      built: 'the template of a file',
      instead: 'Pass the option `cache: true`: ejs then keeps the compiled template of each file.',
    },
  ),
  ...rows(
    'call',
    'pug',
    ['render'],
    { us: [8400, 14000], measured: 'pug.render' },
    {
      onlyFirst: true,
      built: 'a template',
      instead: 'Compile the template once, with `pug.compile` at the top level, and call the result with the data.',
    },
  ),
  ...rows(
    'call',
    'nunjucks',
    ['renderString'],
    { us: [630, 1200], measured: 'nunjucks.renderString' },
    {
      onlyFirst: true,
      built: 'a template',
      instead: 'Compile the template once, with `nunjucks.compile` at the top level, and call its `render` with the data.',
    },
  ),
  ...['markdown-it'].flatMap((name) => rows('thing', name, [''], { us: [37, 97], measured: 'markdown-it' }, { by: 'either' })),
  ...rows('thing', 'graphql', ['buildSchema'], { us: [1300, 1500], measured: 'graphql.buildSchema' }),
  ...['@graphql-tools/schema', 'graphql-tools'].flatMap((name) =>
    rows('thing', name, ['makeExecutableSchema'], { us: [710, 3100], measured: 'makeExecutableSchema' }),
  ),
  ...rows('thing', 'winston', ['createLogger'], { us: [98, 150], measured: 'winston.createLogger' }),
  ...rows('thing', 'axios', ['create'], { us: [40, 140], measured: 'axios.create' }),
  // No client: all of them share one agent, which keeps connections (read in versions 7.63, 8.0, 8.222, 11.18, 14.25, 17.7, 19.3, and
  // 23.1).
  ...rows('thing', 'stripe', ['', 'Stripe'], { us: [360, 480], measured: 'stripe' }, { by: 'either' }),
  // Without a key, its constructor throws (6.49.0 client.js), as that of Stripe does (23.1.0).
  ...rows('thing', 'openai', ['', 'OpenAI'], { us: [66, 71], measured: 'openai' }, { by: 'new', needsKey: 'apiKey' }),
  ...rows('thing', 'jwks-rsa', ['', 'JwksClient'], { us: [79, 130], measured: 'jwks-rsa' }, { by: 'either' }),
  ...rows('client', 'redis', ['createClient'], { us: [320, 430], measured: 'redis.createClient' }),
  ...rows('client', 'mongodb', ['MongoClient'], { us: [510, 910], measured: 'mongodb.MongoClient' }, { by: 'new' }),
  ...rows('client', 'sequelize', ['', 'Sequelize'], { us: [450, 740], measured: 'sequelize' }, { by: 'new' }),
  ...rows('client', 'knex', ['', 'knex'], { us: [520, 820], measured: 'knex' }),
  ...rows('client', 'pg', ['Pool'], { us: [1.1, 2], measured: 'pg.Pool' }, { by: 'new' }),
  ...['mysql2', 'mysql2/promise', 'mysql'].flatMap((name) =>
    rows('client', name, ['createPool'], { us: [3.5, 18], measured: 'mysql2.createPool' }),
  ),
  ...rows('client', 'ioredis', ['', 'Redis'], { us: [7.8, 11], measured: 'ioredis' }, { by: 'new' }),
  ...rows(
    'client',
    'https',
    ['Agent'],
    { us: [0.76, 3.5], measured: 'https.Agent' },
    { by: 'new', instead: AGENT, source: 'https://nodejs.org/api/https.html#class-httpsagent' },
  ),
  ...rows(
    'client',
    'http',
    ['Agent'],
    { us: [0.63, 1.3], measured: 'http.Agent' },
    { by: 'new', instead: AGENT, source: 'https://nodejs.org/api/http.html#class-httpagent' },
  ),
  ...rows(
    'client',
    '@aws-sdk/client-s3',
    ['S3Client', 'S3'],
    { us: [340, 540], measured: '@aws-sdk/client-s3' },
    { by: 'new', source: AWS_3 },
  ),
  ...rows(
    'client',
    '@aws-sdk/client-dynamodb',
    ['DynamoDBClient', 'DynamoDB'],
    { us: [170, 280], measured: '@aws-sdk/client-dynamodb' },
    { by: 'new', source: AWS_3 },
  ),
  ...rows(
    'client',
    '@aws-sdk/client-sqs',
    ['SQSClient', 'SQS'],
    { us: [160, 210], measured: '@aws-sdk/client-sqs' },
    { by: 'new', source: AWS_3 },
  ),
  ...rows(
    'client',
    '@aws-sdk/client-sns',
    ['SNSClient', 'SNS'],
    { us: [130, 200], measured: '@aws-sdk/client-sns' },
    { by: 'new', source: AWS_3 },
  ),
  ...rows(
    'client',
    '@aws-sdk/client-lambda',
    ['LambdaClient', 'Lambda'],
    { us: [130, 200], measured: '@aws-sdk/client-lambda' },
    { by: 'new', source: AWS_3 },
  ),
  ...rows(
    'client',
    '@aws-sdk/client-ses',
    ['SESClient', 'SES'],
    { us: [130, 210], measured: '@aws-sdk/client-ses' },
    { by: 'new', source: AWS_3 },
  ),
  ...rows(
    'client',
    '@aws-sdk/client-secrets-manager',
    ['SecretsManagerClient', 'SecretsManager'],
    { us: [130, 190], measured: '@aws-sdk/client-secrets-manager' },
    { by: 'new', source: AWS_3 },
  ),
  ...rows('thing', 'aws-sdk', ['S3'], { us: [140, 160], measured: 'aws-sdk: S3' }, { by: 'new', source: AWS_2 }),
  ...rows('thing', 'aws-sdk', ['DynamoDB'], { us: [49, 76], measured: 'aws-sdk: DynamoDB' }, { by: 'new', source: AWS_2 }),
  ...rows(
    'thing',
    'aws-sdk',
    ['DynamoDB.DocumentClient'],
    { us: [31, 71], measured: 'aws-sdk: DynamoDB.DocumentClient' },
    { by: 'new', source: AWS_2 },
  ),
  ...rows('thing', 'aws-sdk', ['SQS'], { us: [40, 47], measured: 'aws-sdk: SQS' }, { by: 'new', source: AWS_2 }),
  ...rows('thing', 'aws-sdk', ['SNS'], { us: [35, 110], measured: 'aws-sdk: SNS' }, { by: 'new', source: AWS_2 }),
  ...rows('thing', 'aws-sdk', ['Lambda'], { us: [36, 45], measured: 'aws-sdk: Lambda' }, { by: 'new', source: AWS_2 }),
  ...rows('thing', 'aws-sdk', ['SES'], { us: [38, 51], measured: 'aws-sdk: SES' }, { by: 'new', source: AWS_2 }),
  ...rows(
    'thing',
    'aws-sdk',
    ['CognitoIdentityServiceProvider'],
    { us: [26, 47], measured: 'aws-sdk: CognitoIdentityServiceProvider' },
    { by: 'new', source: AWS_2 },
  ),
];

/** `dompurify(new JSDOM('').window)`: of a JSDOM, only the window for this is the same for all requests. */
export const PURIFIER: SetupCall = {
  module: 'dompurify',
  path: [],
  by: 'call',
  makes: 'thing',
  us: [12000, 15000],
  measured: 'jsdom and dompurify',
  source: npm('dompurify'),
};

export const AJV_PACKAGES: readonly string[] = ['ajv', 'ajv/dist/2019', 'ajv/dist/2020', 'ajv/dist/jtd', 'ajv-draft-04'];
const AJV = 'https://ajv.js.org/guide/managing-schemas.html';
/** The instance is built for the schema. */
export const AJV_NEW: SetupCall = {
  module: 'ajv',
  path: [],
  by: 'call',
  makes: 'thing',
  us: [21000, 31000],
  measured: 'ajv: new and compile',
  source: AJV,
};
/** The instance knows what it compiled by the identity of the schema, and a literal is another object each time. */
export const AJV_ANOTHER: SetupCall = { ...AJV_NEW, us: [1500, 3700], measured: 'ajv: compile another literal' };

const DATES = 'https://developer.mozilla.org/docs/Web/JavaScript/Reference/Global_Objects/Date/toLocaleString#performance';
/** A date or a number: the source may not say which. */
export const FORMATTED: SetupCall = {
  module: 'global',
  path: ['toLocaleString'],
  by: 'call',
  makes: 'call',
  us: [39, 72],
  measured: 'number.toLocaleString(locale, options)',
  built: 'a formatter',
  instead:
    'Create an `Intl.DateTimeFormat` or `Intl.NumberFormat` with the same locale and options at the top level, and call its `format`. That of a date throws if the date is invalid.',
  source: DATES,
};
/**
 * Without a field in its options, a call prints fields that `Intl.DateTimeFormat` does not (ECMA-402, `CreateDateTimeFormat`):
 * `toLocaleString` the date and the time, `toLocaleTimeString` the time.
 */
export const FORMATTED_BY_DEFAULT: SetupCall = {
  ...FORMATTED,
  instead:
    'Create an `Intl.DateTimeFormat` with the same locale and options at the top level, and call its `format`, which throws for an invalid date. Name the fields that it shall print (`year`, `hour`, …): by itself, it prints only the date.',
};
/** The only row below the bar: a sort makes many of them. */
export const COMPARED: SetupCall = {
  module: 'global',
  path: ['localeCompare'],
  by: 'call',
  makes: 'call',
  us: [5.3, 5.6],
  measured: 'text.localeCompare(other, locale, options)',
  source: 'https://developer.mozilla.org/docs/Web/JavaScript/Reference/Global_Objects/String/localeCompare#performance',
};

const VM = 'https://nodejs.org/api/vm.html#what-does-it-mean-to-contextify-an-object';
const NEW_CONTEXT = { module: 'vm', by: 'call', makes: 'thing', source: VM } as const;
/** A context has globals of its own. What runs in it is found in `rules/no-setup-per-request/contexts.ts`. */
export const CONTEXT: SetupCall = { ...NEW_CONTEXT, path: ['createContext'], us: [290, 410], measured: 'vm.createContext' };
export const RUN_IN_NEW_CONTEXT: SetupCall = { ...NEW_CONTEXT, path: ['runInNewContext'], us: [290, 460], measured: 'vm.runInNewContext' };
export const SCRIPT_IN_NEW_CONTEXT: SetupCall = {
  ...NEW_CONTEXT,
  path: ['Script', 'runInNewContext'],
  us: [280, 400],
  measured: 'script.runInNewContext',
};

/** An engine whose views are compiled each time if their cache is off. */
export interface ViewEngine extends Pick<SetupCall, 'us' | 'measured' | 'source'> {
  /** µs of processor time with the cache. */
  kept: readonly [number, number];
}

const EXPRESS_VIEWS = 'https://expressjs.com/en/4x/api.html#app.settings.table';
const PUG: ViewEngine = {
  us: [12000, 15000],
  kept: [2.3, 4.3],
  measured: 'express and pug: a view without the cache',
  source: EXPRESS_VIEWS,
};
const EJS: ViewEngine = { us: [72, 140], kept: [12, 14], measured: 'express and ejs: a view without the cache', source: EXPRESS_VIEWS };
/**
 * By the names of packages. With `hbs` and `express-handlebars`, which read their files asynchronously, the compiler alone was measured.
 */
const HANDLEBARS: ViewEngine = { us: [2000, 5800], kept: [4.7, 7.8], measured: 'handlebars.compile', source: EXPRESS_VIEWS };
export const VIEW_ENGINES: ReadonlyMap<string, ViewEngine> = new Map([
  ['pug', PUG],
  ['ejs', EJS],
  ['hbs', HANDLEBARS],
  ['express-handlebars', HANDLEBARS],
  ['handlebars', HANDLEBARS],
  [
    'nunjucks',
    {
      us: [330, 580],
      kept: [6.6, 11],
      measured: 'nunjucks: a view without the cache',
      source: 'https://mozilla.github.io/nunjucks/api.html#configure',
    },
  ],
]);
