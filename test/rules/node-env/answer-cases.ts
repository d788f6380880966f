// What a program does itself, so that NODE_ENV changes less, or more, than in others.
import type { DeploymentCase } from './case.ts';

const manifest = (...names: string[]): string =>
  JSON.stringify({ name: 'app', dependencies: Object.fromEntries(names.map((name) => [name, '*'])) });
const DOCKERFILE = 'FROM node:22\nWORKDIR /app\nCOPY . .\nRUN npm ci\n«CMD ["node", "server.js"]»\n';
const QUIET = DOCKERFILE.replace(/[«»]/g, '');
const EXPRESS = "const express = require('express');\nconst app = express();\n";
const ROUTE = "app.get('/', (req, res) => res.json({ ok: true }));\n";
const LISTEN = 'app.listen(3000);\n';
const ANSWER = '(err, req, res, next) => {\n  if (res.headersSent) return next(err);\n  res.status(500).json({ error: err.message });\n}';
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
    'server.js': `${EXPRESS}${ROUTE}app.use(${ANSWER});\napp.use((req, res) => res.sendStatus(404));\n${LISTEN}`,
  }),
  silent('a handler of another file', {
    'server.js': `${EXPRESS}const handle = require('./handle');\n${ROUTE}app.use(handle);\n${LISTEN}`,
    'handle.js': `module.exports = function (error, request, response, next) { response.status(500).json({}); };\n`,
  }),
  silent('a handler among others in another file, in TypeScript', {
    'server.ts': `import express from 'express';\nimport { errors } from './handlers';\nconst app = express();\n${ROUTE}app.use(errors);\n${LISTEN}`,
    'handlers.ts':
      'import type { Request, Response, NextFunction } from "express";\nexport const errors = (err: Error, req: Request, res: Response<any, Record<string, any>>, _next: NextFunction): void => { res.status(500).end(); };\n',
  }),
  silent('a handler that a function makes', {
    'server.js': `${EXPRESS}const { makeHandler } = require('./handle');\n${ROUTE}app.use(makeHandler({ log: console }));\n${LISTEN}`,
    'handle.js': `exports.makeHandler = ({ log }) => (err, req, res, next) => { log.error(err); res.sendStatus(500); };\n`,
  }),
  silent('a handler by an alias of the bundler', {
    'server.js': `${EXPRESS}const errorHandler = require('@middleware/error-handler');\n${ROUTE}app.use(errorHandler);\n${LISTEN}`,
  }),
  hint('a handler before the routes', { 'server.js': `${EXPRESS}app.use(${ANSWER});\n${ROUTE}${LISTEN}` }),
  hint('a handler before what may fail behind it', {
    'server.js': `${EXPRESS}${ROUTE}app.use(${ANSWER});\napp.use('/proxy', require('./proxy'));\n${LISTEN}`,
    'proxy.js': 'module.exports = (req, res, next) => next(new Error("no"));\n',
  }),
  hint('a handler before the routes that another file adds', {
    'server.js': `${EXPRESS}${ROUTE}app.use(${ANSWER});\nrequire('./proxy').apply(app);\n${LISTEN}`,
    'proxy.js': "exports.apply = (app) => app.use('/proxy', (req, res, next) => next(new Error('no')));\n",
  }),
  silent('a handler before the server that gets the application', {
    'server.js': `${EXPRESS}${ROUTE}app.use(${ANSWER});\nrequire('http').createServer(app).listen(3000);\n`,
  }),
  hint('a handler that only writes, and passes the error on', {
    'server.js': `${EXPRESS}${ROUTE}app.use((err, req, res, next) => { console.error(err, res.statusCode); next(err); });\n${LISTEN}`,
  }),
  hint('a handler that nobody registers', { 'server.js': `${EXPRESS}const handle = ${ANSWER};\n${ROUTE}${LISTEN}` }),
  hint(
    'the handler of Sentry, which passes the error on',
    { 'server.js': `${EXPRESS}const { errorHandler } = require('@sentry/node');\n${ROUTE}app.use(errorHandler());\n${LISTEN}` },
    '@sentry/node',
  ),
  {
    name: 'views stay, where errors have their handler',
    files: {
      'package.json': manifest('express', 'pug'),
      Dockerfile: DOCKERFILE,
      'server.js': `${EXPRESS}app.set('view engine', 'pug');\napp.get('/', (req, res) => res.render('page'));\napp.use(${ANSWER});\n${LISTEN}`,
    },
    finds: [{ messageId: 'missing', severity: 'warning', says: ['pages of pug were 11–33× faster'], saysNot: ['error handler'] }],
  },
  {
    name: 'templates of nunjucks that are kept in production only',
    files: {
      'package.json': manifest('express', 'nunjucks'),
      Dockerfile: DOCKERFILE,
      'server.js': `${EXPRESS}const { NODE_ENV } = process.env;\nrequire('nunjucks').configure('views', { express: app, noCache: NODE_ENV !== 'production' });\napp.get('/', (req, res) => res.render('page.njk'));\napp.use(${ANSWER});\n${LISTEN}`,
    },
    finds: [{ messageId: 'missing', severity: 'warning', says: ['`noCache` of nunjucks', '0.59 to 6.3 ms'], saysNot: ['error handler'] }],
  },
  silent(
    'templates of nunjucks that are never kept',
    {
      'server.js': `${EXPRESS}require('nunjucks').configure('views', { express: app, noCache: true });\napp.get('/', (req, res) => res.render('page.njk'));\napp.use(${ANSWER});\n${LISTEN}`,
    },
    'nunjucks',
  ),
  silent(
    'Next is prepared before Express is created',
    {
      'server.js': `const express = require('express');\nconst next = require('next');\nconst dev = process.env.MODE !== 'prod';\nconst pages = next({ dev });\npages.prepare().then(() => {\n  const app = express();\n  app.all('*', pages.getRequestHandler());\n  ${LISTEN}});\n`,
    },
    'next',
  ),
  silent(
    'Next is awaited before Express is created',
    {
      'server.mjs': '',
      'server.js': `import express from 'express';\nimport next from 'next';\nconst pages = next({});\nawait pages.prepare();\nconst app = express();\napp.all('*', pages.getRequestHandler());\n${LISTEN}`,
    },
    'next',
  ),
  hint(
    'Express is created before Next is prepared',
    {
      'server.js': `${EXPRESS}const next = require('next');\nconst pages = next({ dev: false });\npages.prepare().then(() => {\n  app.all('*', pages.getRequestHandler());\n  ${LISTEN}});\n`,
    },
    'next',
  ),
  hint(
    'Next is prepared for development where the variable is unset',
    {
      'server.js': `const express = require('express');\nconst next = require('next');\nconst dev = process.env.NODE_ENV !== 'production';\nconst pages = next({ dev });\npages.prepare().then(() => {\n  const app = express();\n  app.all('*', pages.getRequestHandler());\n  ${LISTEN}});\n`,
    },
    'next',
  ),
  {
    name: 'a service that shows tracing',
    files: {
      'package.json': manifest('express', 'pug'),
      'docker/otel/docker-compose.yml':
        'services:\n  web:\n    image: node:22\n    working_dir: /app\n    command: «node server.js»\n    build: ../..\n',
      Dockerfile: QUIET.replace('CMD ["node", "server.js"]\n', ''),
      'server.js': `${EXPRESS}app.set('view engine', 'pug');\napp.get('/', (req, res) => res.render('page'));\n${LISTEN}`,
    },
    finds: [MISSING],
  },
];
