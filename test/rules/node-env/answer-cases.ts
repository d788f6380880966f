// What a program does itself, so that NODE_ENV changes less, or more, than in others.
import { dedent } from '../../../analysis/testing/dedent.ts';
import type { DeploymentCase } from './case.ts';

const manifest = (...names: string[]): string =>
  JSON.stringify({ name: 'app', dependencies: Object.fromEntries(names.map((name) => [name, '*'])) });
const DOCKERFILE = dedent`
  FROM node:22
  WORKDIR /app
  COPY . .
  RUN npm ci
  «CMD ["node", "server.js"]»

`;
const QUIET = DOCKERFILE.replace(/[«»]/g, '');
const EXPRESS = "const express = require('express');\nconst app = express();\n";
const ROUTE = "app.get('/', (req, res) => res.json({ ok: true }));\n";
const LISTEN = 'app.listen(3000);\n';
const ANSWER = dedent`
  (err, req, res, next) => {
    if (res.headersSent) return next(err);
    res.status(500).json({ error: err.message });
  }
`;
const MISSING = { messageId: 'missing', severity: 'hint' } as const;

const silent = (name: string, files: Readonly<Record<string, string>>, ...names: string[]): DeploymentCase => ({
  name,
  files: { 'package.json': manifest('express', ...names), Dockerfile: QUIET, ...files },
  finds: [],
});
const hint = (name: string, files: Readonly<Record<string, string>>, ...names: string[]): DeploymentCase => ({
  name,
  files: { 'package.json': manifest('express', ...names), Dockerfile: DOCKERFILE, ...files },
  finds: [MISSING],
});

export const answerCases: readonly DeploymentCase[] = [
  silent('a handler for errors behind the routes', { 'server.js': `${EXPRESS}${ROUTE}app.use(${ANSWER});\n${LISTEN}` }),
  silent('a handler for errors, and the answer to unknown paths behind it', {
    'server.js': dedent`
      ${EXPRESS}${ROUTE}app.use(${ANSWER});
      app.use((req, res) => res.sendStatus(404));
      ${LISTEN}
    `,
  }),
  silent('a handler of another file', {
    'server.js': dedent`
      ${EXPRESS}const handle = require('./handle');
      ${ROUTE}app.use(handle);
      ${LISTEN}
    `,
    'handle.js': `module.exports = function (error, request, response, next) { response.status(500).json({}); };\n`,
  }),
  silent('a handler among others in another file, in TypeScript', {
    'server.ts': dedent`
      import express from 'express';
      import { errors } from './handlers';
      const app = express();
      ${ROUTE}app.use(errors);
      ${LISTEN}
    `,
    'handlers.ts': dedent`
      import type { Request, Response, NextFunction } from "express";
      export const errors = (err: Error, req: Request, res: Response<any, Record<string, any>>, _next: NextFunction): void => { res.status(500).end(); };

    `,
  }),
  silent('a handler that a function makes', {
    'server.js': dedent`
      ${EXPRESS}const { makeHandler } = require('./handle');
      ${ROUTE}app.use(makeHandler({ log: console }));
      ${LISTEN}
    `,
    'handle.js': `exports.makeHandler = ({ log }) => (err, req, res, next) => { log.error(err); res.sendStatus(500); };\n`,
  }),
  silent('a handler by an alias of the bundler', {
    'server.js': dedent`
      ${EXPRESS}const errorHandler = require('@middleware/error-handler');
      ${ROUTE}app.use(errorHandler);
      ${LISTEN}
    `,
  }),
  hint('a handler before the routes', { 'server.js': `${EXPRESS}app.use(${ANSWER});\n${ROUTE}${LISTEN}` }),
  hint('a handler before what may fail behind it', {
    'server.js': dedent`
      ${EXPRESS}${ROUTE}app.use(${ANSWER});
      app.use('/proxy', require('./proxy'));
      ${LISTEN}
    `,
    'proxy.js': 'module.exports = (req, res, next) => next(new Error("no"));\n',
  }),
  hint('a handler before the routes that another file adds', {
    'server.js': dedent`
      ${EXPRESS}${ROUTE}app.use(${ANSWER});
      require('./proxy').apply(app);
      ${LISTEN}
    `,
    'proxy.js': "exports.apply = (app) => app.use('/proxy', (req, res, next) => next(new Error('no')));\n",
  }),
  silent('a handler before the server that gets the application', {
    'server.js': `${EXPRESS}${ROUTE}app.use(${ANSWER});\nrequire('http').createServer(app).listen(3000);\n`,
  }),
  hint('a handler that only writes, and passes the error on', {
    'server.js': dedent`
      ${EXPRESS}${ROUTE}app.use((err, req, res, next) => { console.error(err, res.statusCode); next(err); });
      ${LISTEN}
    `,
  }),
  hint('a handler that nobody registers', { 'server.js': `${EXPRESS}const handle = ${ANSWER};\n${ROUTE}${LISTEN}` }),
  hint(
    'the handler of Sentry, which passes the error on',
    {
      'server.js': dedent`
        ${EXPRESS}const { errorHandler } = require('@sentry/node');
        ${ROUTE}app.use(errorHandler());
        ${LISTEN}
      `,
    },
    '@sentry/node',
  ),
  {
    name: 'views stay, where errors have their handler',
    files: {
      'package.json': manifest('express', 'pug'),
      Dockerfile: DOCKERFILE,
      'server.js': dedent`
        ${EXPRESS}app.set('view engine', 'pug');
        app.get('/', (req, res) => res.render('page'));
        app.use(${ANSWER});
        ${LISTEN}
      `,
    },
    finds: [{ messageId: 'missing', severity: 'warning', says: ['pages of pug were 11–33× faster'], saysNot: ['error handler'] }],
  },
  {
    name: 'templates of nunjucks that are kept in production only',
    files: {
      'package.json': manifest('express', 'nunjucks'),
      Dockerfile: DOCKERFILE,
      'server.js': dedent`
        ${EXPRESS}const { NODE_ENV } = process.env;
        require('nunjucks').configure('views', { express: app, noCache: NODE_ENV !== 'production' });
        app.get('/', (req, res) => res.render('page.njk'));
        app.use(${ANSWER});
        ${LISTEN}
      `,
    },
    finds: [{ messageId: 'missing', severity: 'warning', says: ['`noCache` of nunjucks', '0.59 to 6.3 ms'], saysNot: ['error handler'] }],
  },
  silent(
    'templates of nunjucks that are never kept',
    {
      'server.js': dedent`
        ${EXPRESS}require('nunjucks').configure('views', { express: app, noCache: true });
        app.get('/', (req, res) => res.render('page.njk'));
        app.use(${ANSWER});
        ${LISTEN}
      `,
    },
    'nunjucks',
  ),
  silent(
    'Next is prepared before Express is created',
    {
      'server.js': dedent`
        const express = require('express');
        const next = require('next');
        const dev = process.env.MODE !== 'prod';
        const pages = next({ dev });
        pages.prepare().then(() => {
          const app = express();
          app.all('*', pages.getRequestHandler());
          ${LISTEN}});

      `,
    },
    'next',
  ),
  silent(
    'Next is awaited before Express is created',
    {
      'server.mjs': '',
      'server.js': dedent`
        import express from 'express';
        import next from 'next';
        const pages = next({});
        await pages.prepare();
        const app = express();
        app.all('*', pages.getRequestHandler());
        ${LISTEN}
      `,
    },
    'next',
  ),
  hint(
    'Express is created before Next is prepared',
    {
      'server.js': dedent`
        ${EXPRESS}const next = require('next');
        const pages = next({ dev: false });
        pages.prepare().then(() => {
          app.all('*', pages.getRequestHandler());
          ${LISTEN}});

      `,
    },
    'next',
  ),
  hint(
    'Next is prepared for development where the variable is unset',
    {
      'server.js': dedent`
        const express = require('express');
        const next = require('next');
        const dev = process.env.NODE_ENV !== 'production';
        const pages = next({ dev });
        pages.prepare().then(() => {
          const app = express();
          app.all('*', pages.getRequestHandler());
          ${LISTEN}});

      `,
    },
    'next',
  ),
  {
    name: 'a service that shows tracing',
    files: {
      'package.json': manifest('express', 'pug'),
      'docker/otel/docker-compose.yml': dedent`
        services:
          web:
            image: node:22
            working_dir: /app
            command: «node server.js»
            build: ../..

      `,
      Dockerfile: QUIET.replace('CMD ["node", "server.js"]\n', ''),
      'server.js': dedent`
        ${EXPRESS}app.set('view engine', 'pug');
        app.get('/', (req, res) => res.render('page'));
        ${LISTEN}
      `,
    },
    finds: [MISSING],
  },
];
