// Messages of which a case or two say enough: what only shows in certain programs.
import { dedent } from '../../../analysis/testing/dedent.ts';
import type { Check, Edit, TruthCase } from '../case.ts';
import { cannotTell, edit, holds, holdsNot, pair, pairOfWork, runs, starves, starvesNot } from '../checks.ts';
import { asked, BODY, called, pool, served, server, WAIT } from './shared.ts';

const about = (ruleId: string, messageId: string, at: string, file?: string) => ({
  ruleId,
  messageId,
  at,
  ...(file === undefined ? {} : { file }),
});
const numbers = (count: number) => Array.from({ length: count }, (_, id) => id);
const post = (body: unknown) => `POST / ${JSON.stringify(body)}`;
const items = (count: number) => post({ items: numbers(count).map((id) => ({ id, name: `n${id}`, tags: [id] })) });

/** With further files, such as packages in node_modules. */
const withFiles = ({ files, target }: Pick<TruthCase, 'files' | 'target'>, more: TruthCase['files']) => ({
  files: { ...files, ...more },
  target,
});
const packageOf = (name: string, text: string) => ({
  [`node_modules/${name}/index.js`]: text,
  [`node_modules/${name}/package.json`]: `{ "name": "${name}", "version": "1.0.0", "main": "index.js" }`,
});

/** Logs nothing but errors unless told otherwise. */
const PINO = packageOf('pino', 'module.exports = () => ({ debug() {}, isLevelEnabled: () => false });\n');
const LOGGER = { 'log.js': "module.exports = require('pino')();\n" };
const LOGGED = dedent`
  const order = await body(req);
  log.debug(JSON.stringify(order));
  res.end('ok');
`;
const ASK_FIRST = pairOfWork(
  edit('log.debug(JSON.stringify(order));', "if (log.isLevelEnabled('debug')) log.debug(JSON.stringify(order));"),
);

const PUMP = dedent`
  async function pump(source) {
    const row = source.pop();
    if (row === undefined) return;
    await Promise.resolve();
    await pump(source);
  }
  const rows = (count) => Array.from({ length: count }, (_, id) => id);
  module.exports = { pump, rows };
`;

/** Compiles its text each time, as templates do. */
const EJS = packageOf(
  'ejs',
  dedent`
    exports.compile = (text) => {
      const parts = [];
      for (let i = 0; i < 500; i++) parts.push(...text.split(/(<%= \\w+ %>)/));
      const names = parts.map((part) => /^<%= (\\w+) %>$/.exec(part)?.[1]);
      return (data) => parts.slice(0, 3).map((part, i) => (names[i] ? data[names[i]] : part)).join('');
    };
    exports.render = (text, data) => exports.compile(text)(data);
  `,
);
const PAGE = "const ejs = require('ejs');\nconst PAGE = '<h1><%= name %></h1>';";

const PISCINA = {
  ...packageOf(
    'piscina',
    dedent`
      const { Worker } = require('node:worker_threads');
      module.exports = class Piscina {
        constructor({ filename }) { this.worker = new Worker(filename); }
        run(text) { return new Promise((resolve) => { this.worker.once('message', resolve); this.worker.postMessage(text); }); }
        destroy() { return this.worker.terminate(); }
      };

    `,
  ),
  'echo.js': dedent`
    const { parentPort } = require('node:worker_threads');
    parentPort.on('message', (text) => parentPort.postMessage(text + '!'));

  `,
};

const AXIOS = packageOf('axios', 'exports.get = (url) => new Promise((resolve) => setTimeout(resolve, 4, { data: url }));\n');
const GETS = 'await Promise.all(urls.map((url) => axios.get(url)))';
const CHECKS = 'await Promise.all(links.map((link) => check(link)))';
const CHECK = {
  ...AXIOS,
  'links.js': dedent`
    const axios = require('axios');
    exports.check = async (link) => {
      let sum = 0;
      for (let i = 0; i < link.rounds; i++) sum = (sum * 31 + i) | 0;
      return axios.get(link.url + sum);
    };
  `,
};
const links = (count: number, rounds: number) => post({ links: numbers(count).map((id) => ({ url: `http://links/${id}`, rounds })) });
const timedMap = (text: string, list: string) => text.replace(`${list}.map(`, `__timed('place', () => ${list}.map(`).replace(/\)$/, '))');

const STACK = "new Error('at').stack";

const RESOLVERS = dedent`
  const { ApolloServer, gql } = require('apollo-server');
  const typeDefs = gql${'`type Query { users: [User!]! } type User { id: ID! posts: [Post!]! } type Post { id: ID! }`'};
  const resolvers = {
    Query: { users: () => [{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }, { id: 5 }] },
    User: {
      posts(user) {
        return pool.query('SELECT * FROM posts WHERE author = $1', [user.id]);
      },
    },
  };
  new ApolloServer({ typeDefs, resolvers });
`;

const EXPRESS = "const express = require('express');\nconst app = express();\n";
/** The program asks itself, twice. */
const jsonApp = (options: string, isOneRoute: boolean, count: number) => ({
  files: {
    'a.js': dedent`
      const http = require('node:http');
      ${EXPRESS}${isOneRoute ? '' : `app.use(express.json(${options}));`}
      app.post('/', ${isOneRoute ? `express.json(${options}), ` : ''}(req, res) => {
        res.send(String(req.body.length));
      });
      const text = '[' + '{},'.repeat(${count}) + '{}]';
      const server = app.listen(0, () => ask(2));
      function ask(left) {
        if (left === 0) return server.close();
        const options = { method: 'POST', port: server.address().port, headers: { 'content-type': 'application/json', connection: 'close' } };
        http.request(options, (res) => res.resume().once('end', () => ask(left - 1))).end(text);
      }
    `,
  },
  target: { file: 'a.js' },
});
/** By the parser that the packages of this project bring. */
const parses = (is: typeof holds, ...more: Edit[]) =>
  is(
    edit(
      "const http = require('node:http');",
      "const http = require('node:http'); const { parse } = JSON; JSON.parse = (...all) => __timed('place', () => parse(...all));",
    ),
    ...more,
  );

const cold = (argument: string) => `const { norm } = require('./norm.js');\nexports.one = () => norm(${argument});\n`;
/** Each file hands an object of another shape to the same function. */
const NORM = {
  'norm.js': dedent`
    function norm(p) {
      return p.x * p.x + p.y * p.y;
    }
    module.exports = { norm };

  `,
  'a.js': dedent`
    const { norm } = require('./norm.js');
    exports.sum = (n) => {
      let sum = 0;
      for (let i = 0; i < n; i++) sum += norm({ x: i, y: 1 });
      return sum;
    };

  `,
  'b.js': cold('{ y: 1, x: 2 }'),
};
const normOf = (files: TruthCase['files']) => ({
  files: { ...NORM, ...files },
  target: { file: 'norm.js', function: 'norm', calls: ['norm({ x: 1, y: 2 })', 'norm({ x: 3, y: 4 })'], rounds: 60_000 },
});
const NO_WRONG_MAP: Check = {
  by: 'v8',
  flags: ['--trace-deopt', '--no-use-osr'],
  shows: /wrong map/,
  isThere: false,
  says: 'a deoptimization, "wrong map"',
};

/** Of a library, by the option. */
const asExported = (name: string, call: string, expression: string) =>
  withFiles(
    called(
      dedent`
        function ${name}(name) {
          return ${expression};
        }
        module.exports = { ${name} };

      `,
      name,
      call,
      { rounds: 2 },
    ),
    {
      'package.json': '{ "name": "names", "version": "1.0.0", "main": "a.js" }',
      'nodometer.config.json': '{ "rules": { "no-unsafe-regex": { "options": { "exports": true } } } }',
    },
  );

export const cases: readonly TruthCase[] = [
  {
    name: 'a text of 2,000 items for a log that another file makes',
    ...withFiles(served(`${BODY}\nconst log = require('./log.js');`, LOGGED, items(2000)), { ...PINO, ...LOGGER }),
    finding: about('no-eager-log', 'elsewhere', 'JSON.stringify'),
    truth: 'confirmed',
    established: [ASK_FIRST],
  },
  {
    name: 'a text of one item for a log that another file makes',
    ...withFiles(served(`${BODY}\nconst log = require('./log.js');`, LOGGED, items(1)), { ...PINO, ...LOGGER }),
    finding: about('no-eager-log', 'elsewhere', 'JSON.stringify'),
    truth: 'seen',
    established: [ASK_FIRST],
  },
  {
    name: '300,000 rows, each awaited within the one before',
    ...called(PUMP, 'pump', 'pump(rows(300_000))', { rounds: 1 }),
    finding: about('no-microtask-starvation', 'longRecursion', 'await pump(source)'),
    truth: 'confirmed',
    established: [starves()],
  },
  {
    name: 'three rows, each awaited within the one before',
    ...called(PUMP, 'pump', 'pump(rows(3))'),
    finding: about('no-microtask-starvation', 'longRecursion', 'await pump(source)'),
    truth: 'refuted',
    established: [starvesNot(edit('await pump(source)', "__hit('place'); await pump(source)"))],
  },
  {
    name: 'a format for dates at each request',
    ...asked(server("const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long' });\nres.end(day.format(0));")),
    finding: about('no-setup-per-request', 'thing', 'new Intl.DateTimeFormat'),
    truth: 'confirmed',
    established: [
      pairOfWork(
        edit("const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long' });\n", ''),
        edit(
          "const http = require('node:http');",
          dedent`
            const http = require('node:http');
            const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long' });
          `,
        ),
      ),
    ],
  },
  {
    name: 'a format for dates at each request, beside a wait of 8 ms',
    ...served(
      WAIT,
      dedent`
        const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long' });
        await wait(8);
        res.end(day.format(0));
      `,
    ),
    finding: about('no-setup-per-request', 'thing', 'new Intl.DateTimeFormat'),
    truth: 'seen',
    established: [
      pair(
        edit("const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long' });\n", ''),
        edit(
          "const http = require('node:http');",
          dedent`
            const http = require('node:http');
            const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long' });
          `,
        ),
      ),
    ],
  },
  {
    name: 'a pool of a database that opens 2 ms long, at each request',
    ...withFiles(
      served(
        "const { Pool } = require('pg');",
        dedent`
          const pool = new Pool({ host: 'db' });
          const { rows } = await pool.query('SELECT 1');
          res.end(String(rows.length));
        `,
      ),
      packageOf(
        'pg',
        dedent`
          exports.Pool = class Pool {
            constructor() { const end = process.hrtime.bigint() + 2_000_000n; while (process.hrtime.bigint() < end); }
            query() { return Promise.resolve({ rows: [] }); }
          };

        `,
      ),
    ),
    finding: about('no-setup-per-request', 'client', 'new Pool'),
    truth: 'confirmed',
    established: [
      pairOfWork(
        edit("const pool = new Pool({ host: 'db' });\n", ''),
        edit("const { Pool } = require('pg');", "const { Pool } = require('pg');\nconst pool = new Pool({ host: 'db' });"),
      ),
    ],
  },
  {
    name: 'a template that is compiled at each request',
    ...withFiles(asked(server('res.end(ejs.render(PAGE, { name: req.url }));', PAGE)), EJS),
    finding: about('no-setup-per-request', 'call', 'ejs.render'),
    truth: 'confirmed',
    established: [
      pairOfWork(
        edit('ejs.render(PAGE, { name: req.url })', 'kept({ name: req.url })'),
        edit("const PAGE = '<h1><%= name %></h1>';", "const PAGE = '<h1><%= name %></h1>';\nconst kept = ejs.compile(PAGE);"),
      ),
    ],
  },
  {
    name: 'a pool of threads for each request',
    ...withFiles(
      served(
        "const Piscina = require('piscina');",
        dedent`
          const threads = new Piscina({ filename: './echo.js' });
          const text = await threads.run(req.url);
          await threads.destroy();
          res.end(text);
        `,
      ),
      PISCINA,
    ),
    finding: about('no-worker-per-request', 'pool', 'new Piscina'),
    truth: 'confirmed',
    established: [
      pair(
        edit("const threads = new Piscina({ filename: './echo.js' });\n", ''),
        edit(
          "const Piscina = require('piscina');",
          "const Piscina = require('piscina');\nconst threads = new Piscina({ filename: './echo.js' });",
        ),
        edit('await threads.destroy();\n', ''),
      ),
    ],
  },
  {
    name: '500 stacks for a list',
    ...served(
      BODY,
      dedent`
        const { names } = await body(req);
        const at = names.map((name) => name + ${STACK});
        res.end(String(at.length));
      `,
      post({ names: numbers(500).map(String) }),
    ),
    finding: about('no-stack-capture', 'read', '.stack'),
    truth: 'confirmed',
    established: [pairOfWork(edit(`name + ${STACK}`, 'name'))],
  },
  {
    name: 'a stack beside a wait of 8 ms',
    ...served(
      WAIT,
      dedent`
        const at = ${STACK};
        await wait(8);
        res.end(at);
      `,
    ),
    finding: about('no-stack-capture', 'read', '.stack'),
    truth: 'seen',
    established: [pair(edit(STACK, "'Error: at'"))],
  },
  {
    name: 'twelve requests at once for what a client sends',
    ...withFiles(
      served(
        `const axios = require('axios');\n${BODY}`,
        dedent`
          const { urls } = await body(req);
          const all = ${GETS};
          res.end(String(all.length));
        `,
        post({ urls: numbers(12).map((id) => `http://a/${id}`) }),
      ),
      AXIOS,
    ),
    finding: about('no-unbounded-fan-out', 'request', 'axios.get(url)'),
    truth: 'seen',
    established: [holdsNot(edit(GETS, timedMap(GETS, 'urls')))],
  },
  {
    name: '30 checks at once by another file, each of which computes before it asks',
    ...withFiles(
      served(
        `const { check } = require('./links.js');\n${BODY}`,
        dedent`
          const { links } = await body(req);
          const all = ${CHECKS};
          res.end(String(all.length));
        `,
        links(30, 2_000_000),
        3,
      ),
      CHECK,
    ),
    finding: about('no-unbounded-fan-out', 'elsewhere', 'check(link)'),
    truth: 'confirmed',
    established: [holds(edit(CHECKS, timedMap(CHECKS, 'links')))],
  },
  {
    name: '30 checks at once by another file, which ask at once',
    ...withFiles(
      served(
        `const { check } = require('./links.js');\n${BODY}`,
        dedent`
          const { links } = await body(req);
          const all = ${CHECKS};
          res.end(String(all.length));
        `,
        links(30, 1),
      ),
      CHECK,
    ),
    finding: about('no-unbounded-fan-out', 'elsewhere', 'check(link)'),
    truth: 'seen',
    established: [holdsNot(edit(CHECKS, timedMap(CHECKS, 'links')))],
  },
  {
    name: 'the posts of each of five users, by their resolver',
    ...withFiles(
      served(
        `${pool('wait(4, [{ id: 1 }])')}\n${RESOLVERS}`,
        dedent`
          const users = resolvers.Query.users();
          let count = 0;
          for (const user of users) count += (await resolvers.User.posts(user)).length;
          res.end(String(count));
        `,
      ),
      packageOf('apollo-server', 'exports.gql = (texts) => texts.join("");\nexports.ApolloServer = class {};\n'),
    ),
    finding: about('no-query-per-item', 'resolver', 'pool.query('),
    truth: 'confirmed',
    established: [
      pair(
        edit(
          'for (const user of users) count += (await resolvers.User.posts(user)).length;',
          'count += (await resolvers.User.posts(users[0])).length * users.length;',
        ),
      ),
    ],
  },
  {
    name: 'JSON of up to 50 MB for all routes, and bodies of 1.8 MB',
    ...jsonApp("{ limit: '50mb' }", false, 600_000),
    finding: about('no-unbounded-json', 'limit', '50mb'),
    truth: 'confirmed',
    established: [parses(holds)],
  },
  {
    name: 'JSON of up to 50 MB for all routes, and bodies of 33 bytes',
    ...jsonApp("{ limit: '50mb' }", false, 10),
    finding: about('no-unbounded-json', 'limit', '50mb'),
    // A request may bring a long one: the limit accepts it.
    truth: 'confirmed',
    established: [parses(holds, edit('.repeat(10)', '.repeat(600_000)'))],
  },
  {
    name: 'JSON of up to 50 MB for one route, and bodies of 1.8 MB',
    ...jsonApp("{ limit: '50mb' }", true, 600_000),
    finding: about('no-unbounded-json', 'route', '50mb'),
    truth: 'confirmed',
    established: [parses(holds)],
  },
  {
    name: 'JSON of any size for all routes, and bodies of 1.8 MB',
    ...jsonApp('{ limit: Infinity }', false, 600_000),
    finding: about('no-unbounded-json', 'unlimited', 'Infinity'),
    truth: 'confirmed',
    established: [parses(holds)],
  },
  {
    name: 'a session for each request, in memory',
    ...withFiles(
      asked(
        dedent`
          ${EXPRESS}const session = require('express-session');
          app.use(session({ secret: 'x', resave: false, saveUninitialized: true }));
          app.get('/', function handle(req, res) {
            res.send('ok');
          });
          app.listen(3000);

        `,
      ),
      packageOf(
        'express-session',
        dedent`
          const { randomUUID } = require('node:crypto');
          class MemoryStore {
            sessions = Object.create(null);
          }
          module.exports = () => {
            const store = new MemoryStore();
            return (req, res, next) => {
              req.sessionStore = store;
              req.sessionID = randomUUID();
              store.sessions[req.sessionID] = '{}';
              /* behind */
              next();
            };
          };
        `,
      ),
    ),
    finding: about('no-unbounded-growth', 'sessions', 'session({'),
    truth: 'confirmed',
    established: [
      {
        by: 'counters',
        insert: [
          edit('/* behind */', "if (Object.keys(store.sessions).length > 5) __hit('grown');", 'node_modules/express-session/index.js'),
        ],
        holds: ({ hits }) => (hits.grown ?? 0) > 0,
        says: 'after six requests, the store has more than five sessions',
      },
    ],
  },
  {
    name: 'a name that callers of a library pass, exponential',
    ...asExported('isName', 'isName("abc")', String.raw`/^(\w+\s?)*$/.test(name)`),
    finding: about('no-unsafe-regex', 'exportedExponential', '.test(name)'),
    truth: 'confirmed',
    established: [
      holds(edit('.test(name)', ".test('a'.repeat(22) + '!')"), edit('return ', "return __timed('place', () => "), edit(';\n}', ');\n}')),
    ],
  },
  {
    name: 'a title that callers of a library pass, polynomial',
    ...asExported('title', 'title("abc")', String.raw`name.replace(/\s+$/, '')`),
    finding: about('no-unsafe-regex', 'exportedPolynomial', 'name.replace'),
    truth: 'confirmed',
    established: [
      holds(
        edit('name.replace', "(' '.repeat(10_000) + 'x').replace"),
        edit('return ', "return __timed('place', () => "),
        edit(';\n}', ');\n}'),
      ),
    ],
  },
  {
    name: 'two files hand over two shapes, and the calls of this run only one',
    ...normOf({}),
    finding: about('no-polymorphic-call', 'shapesAcross', 'p.x * p.x'),
    truth: 'refuted',
    established: [NO_WRONG_MAP],
  },
  {
    name: 'five files hand over five shapes, and the calls of this run only one',
    ...normOf({ 'c.js': cold('{ x: 1, y: 2, z: 3 }'), 'd.js': cold('{ id: 0, x: 1, y: 2 }'), 'e.js': cold('{ w: 0, x: 1, y: 2 }') }),
    finding: about('no-polymorphic-call', 'manyShapesAcross', 'p.x * p.x'),
    truth: 'refuted',
    established: [NO_WRONG_MAP],
  },
  {
    name: 'the size is set by a thread of the program',
    files: {
      'a.js': dedent`
        const { Worker } = require('node:worker_threads');
        new Worker(require('node:path').join(__dirname, 'thread.js')).once('message', (text) => console.log(text));

      `,
      'thread.js': dedent`
        const { parentPort } = require('node:worker_threads');
        process.env.UV_THREADPOOL_SIZE = '8';
        parentPort.postMessage('ready');

      `,
    },
    target: { file: 'a.js' },
    finding: about('no-late-threadpool-size', 'worker', 'UV_THREADPOOL_SIZE', 'thread.js'),
    truth: 'inconclusive',
    established: [
      cannotTell('a profile of a program measures its main thread'),
      runs(1, edit('(text) => console.log(text)', "() => __hit('place')", 'a.js')),
    ],
  },
];
