// How often a finding says that it happens: on every request only where nothing on the way there is conditional.
import type { InvalidCase } from '../../analysis/testing/rule-tester.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

const RUN = "«fork»('work.js')";

function told(
  name: string,
  code: string,
  where: string,
  more: Partial<InvalidCase<'thread' | 'process' | 'pool' | 'program'>> = {},
): InvalidCase<'thread' | 'process' | 'pool' | 'program'> {
  return { name, code, findings: [{ messageId: 'process' as const, data: { where } }], ...more };
}

export const frequencyCases: readonly InvalidCase<'thread' | 'process' | 'pool' | 'program'>[] = [
  told(
    'every request, where nothing before it ends the request',
    dedent`
      const { fork } = require('child_process');
      const app = require('express')();
      app.get('/', async (req, res) => { const rows = await load(req).catch(() => []); rows.forEach((row) => { if (!row) return; }); res.send(${RUN}); });
    `,
    '`GET /`',
  ),
  ...(
    [
      [
        'behind the files of a folder',
        "app.use('/*', serveStatic({ root: 'public' }));",
        'get',
        '/about',
        '`GET /about` that reaches this line',
      ],
      ['with parameters, which are no files', "app.use('/*', serveStatic({ root: 'public' }));", 'get', '/users/:id', '`GET /users/:id`'],
      ['behind the files of another path', "app.use('/assets/*', serveStatic({ root: 'public' }));", 'get', '/about', '`GET /about`'],
      ['not asked for as a file', "app.use('/*', serveStatic({ root: 'public' }));", 'post', '/about', '`POST /about`'],
    ] as const
  ).map(([name, files, method, path, where]) =>
    told(
      name,
      dedent`
        const { fork } = require('child_process');
        const { serveStatic } = require('@hono/node-server/serve-static');
        const { Hono } = require('hono');
        const app = new Hono();
        ${files}
        app.${method}('${path}', (c) => c.text(String(${RUN})));
      `,
      where,
    ),
  ),
  told(
    'before the files of a folder',
    dedent`
      const { fork } = require('child_process');
      const express = require('express');
      const app = express();
      app.get('/', (req, res) => res.send(${RUN}));
      app.use(express.static('public'));
    `,
    '`GET /`',
  ),
  told(
    'after the files of a folder',
    dedent`
      const { fork } = require('child_process');
      const express = require('express');
      const app = express();
      app.use(express.static('public'));
      app.get('/', (req, res) => res.send(${RUN}));
    `,
    '`GET /` that reaches this line',
  ),
  told(
    'not after a check that throws',
    dedent`
      const { fork } = require('child_process');
      const app = require('express')();
      app.get('/', (req, res) => { if (!req.user) throw new Error('who'); res.send(${RUN}); });
    `,
    '`GET /` that reaches this line',
  ),
  told(
    'a function in options, which waits for somebody who asks for it',
    dedent`
      const { fork } = require('child_process');
      const { stream } = require('ai');
      const app = require('express')();
      app.post('/chat', (req, res) => { stream({ res, execute: () => { ${RUN}; } }); });
    `,
    '`POST /chat` that reaches this line',
  ),
  told(
    'what `then` and `forEach` run',
    dedent`
      const { fork } = require('child_process');
      const app = require('express')();
      app.get('/', (req, res) => load(req).then((rows) => { rows.forEach((row) => { ${RUN}; }); res.end(); }));
    `,
    '`GET /`',
  ),
  told(
    'what a listener or a `catch` runs',
    dedent`
      const { fork } = require('child_process');
      const app = require('express')();
      app.get('/', (req, res) => load(req).catch(() => res.send(${RUN})));
    `,
    '`GET /` that reaches this line',
  ),
  told(
    'middleware without a path gets every request',
    dedent`
      const { fork } = require('child_process');
      const app = require('express')();
      app.use((req, res, next) => { res.locals.page = ${RUN}; next(); });
    `,
    'request',
  ),
  told(
    'one that handles errors does not',
    dedent`
      const { fork } = require('child_process');
      const app = require('express')();
      app.use((error, req, res, next) => { res.status(500).send(${RUN}); });
    `,
    'request that reaches this line',
  ),
  told(
    'nor does the one of Fastify, or its hook for errors',
    dedent`
      const { fork } = require('child_process');
      const app = require('fastify')();
      app.setErrorHandler((error, req, reply) => { reply.send(${RUN}); });
    `,
    'request that reaches this line',
  ),
  told(
    'a hook of Fastify with four parameters',
    dedent`
      const { fork } = require('child_process');
      const app = require('fastify')();
      app.addHook('onSend', (req, reply, payload, done) => { done(null, ${RUN}); });
    `,
    'request',
  ),
  told(
    'a resolver is named by its field, also in a table from another file',
    dedent`
      const { fork } = require('child_process');
      exports.resolvers = { Query: { report(parent, args) { ${RUN}; } } };
    `,
    '`FIELD Query.report`',
    {
      others: {
        'src/server.js': dedent`
          const { ApolloServer } = require('@apollo/server');
          const { merge } = require('lodash');
          const { resolvers } = require('./app');
          const users = require('./users');
          module.exports = new ApolloServer({ typeDefs: [], resolvers: merge(resolvers, users.resolvers) });
        `,
        'src/users.js': 'exports.resolvers = { Query: { users: () => [] } };\n',
      },
    },
  ),
];
