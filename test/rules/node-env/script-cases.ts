// Projects that start from scripts of package.json and of shells.
import { API, API_START, PAGES, manifest, type DeploymentCase } from './case.ts';
import { dedent } from '../../../analysis/testing/dedent.ts';

/** An Express application with scripts; `place` is marked inside the JSON text. */
function withScripts(
  scripts: Readonly<Record<string, string>>,
  more: { dependencies?: readonly string[]; devDependencies?: readonly string[] } = {},
): Record<string, string> {
  return {
    ...API,
    'package.json': manifest({
      dependencies: ['express', ...(more.dependencies ?? [])],
      devDependencies: more.devDependencies ?? [],
      scripts,
    }),
  };
}

export const scriptCases: readonly DeploymentCase[] = [
  {
    name: 'start with node: a hint where only error answers change and a platform may set it',
    files: withScripts({ start: '«node server.js»' }),
    finds: [
      {
        messageId: 'missing',
        severity: 'hint',
        says: ['The script `start`'],
        fixed: manifest({ dependencies: ['express'], scripts: { start: 'NODE_ENV=production node server.js' } }),
      },
    ],
  },
  {
    name: 'a package of a monorepo, and the Dockerfile of all sets it',
    files: {
      ...withScripts({ 'start:prod': 'node server.js' }),
      '../Dockerfile': dedent`
        FROM node:22
        COPY project .
        ENV NODE_ENV="production"
        CMD ["npm", "run", "start"]

      `,
    },
  },
  {
    name: 'the same by an argument with that default',
    files: {
      ...withScripts({ start: 'node server.js' }),
      '../Dockerfile': dedent`
        FROM node:22
        ARG NODE_ENV=production
        ENV NODE_ENV=\${NODE_ENV}
        ENTRYPOINT ["/opt/start.sh"]

      `,
    },
  },
  {
    name: 'a Dockerfile of all that sets it for the build only, or to something else',
    files: {
      ...withScripts({ 'start:prod': '«node server.js»' }),
      '../Dockerfile': dedent`
        FROM node:22
        ARG NODE_ENV=production
        ENV NODE_ENV development
        CMD ["npm", "run", "start"]

      `,
    },
    finds: [{ messageId: 'missing' }],
  },
  {
    name: 'start with pug: a warning',
    files: { ...PAGES, 'package.json': manifest({ dependencies: ['express', 'pug'], scripts: { start: '«node server.js»' } }) },
    finds: [{ messageId: 'missing', severity: 'warning', says: ['11–33×'] }],
  },
  {
    name: 'a script for production by name: a warning',
    files: withScripts({ start: 'nodemon server.js', 'start:prod': '«node server.js»' }),
    finds: [{ messageId: 'missing' }],
  },
  {
    name: 'the production script does it right',
    files: withScripts({ start: 'node server.js', 'start:prod': 'NODE_ENV=production node server.js' }),
  },
  {
    name: 'other variables are set: the new one goes first',
    files: withScripts({ start: '«NODE_OPTIONS=--trace-warnings node server.js»' }),
    finds: [
      {
        messageId: 'missing',
        severity: 'hint',
        fixed: manifest({
          dependencies: ['express'],
          scripts: { start: 'NODE_ENV=production NODE_OPTIONS=--trace-warnings node server.js' },
        }),
      },
    ],
  },
  {
    name: 'after a build',
    files: withScripts({ start: 'npm run build && «node server.js»', build: 'webpack' }),
    finds: [{ messageId: 'missing', severity: 'hint' }],
  },
  {
    name: 'with escaped quotes before it',
    files: withScripts({ start: 'echo "hello" && «node server.js»' }),
    finds: [
      {
        messageId: 'missing',
        severity: 'hint',
        fixed: manifest({ dependencies: ['express'], scripts: { start: 'echo "hello" && NODE_ENV=production node server.js' } }),
      },
    ],
  },
  {
    name: 'cross-env among the dependencies',
    files: withScripts({ start: '«node server.js»' }, { dependencies: ['cross-env'] }),
    finds: [
      {
        messageId: 'missing',
        severity: 'hint',
        fixed: manifest({ dependencies: ['express', 'cross-env'], scripts: { start: 'cross-env NODE_ENV=production node server.js' } }),
      },
    ],
  },
  {
    name: 'cross-env in the script',
    files: withScripts({ start: '«cross-env PORT=80 node server.js»' }, { devDependencies: ['cross-env'] }),
    finds: [
      {
        messageId: 'missing',
        severity: 'hint',
        fixed: manifest({
          dependencies: ['express'],
          devDependencies: ['cross-env'],
          scripts: { start: 'cross-env NODE_ENV=production PORT=80 node server.js' },
        }),
      },
    ],
  },
  {
    name: 'through another script',
    files: withScripts({ start: 'npm run serve', serve: '«node server.js»' }),
    finds: [{ messageId: 'missing', severity: 'hint', related: ['package.json: "npm run serve"'] }],
  },
  {
    name: 'through another script that sets it',
    files: withScripts({ start: 'npm run serve', serve: 'NODE_ENV=production node server.js' }),
  },
  { name: 'set for the script it calls', files: withScripts({ start: 'NODE_ENV=production npm run serve', serve: 'node server.js' }) },
  { name: 'cross-env', files: withScripts({ start: 'cross-env NODE_ENV=production PORT=80 node server.js' }) },
  { name: 'cross-env-shell with a quoted command', files: withScripts({ start: 'cross-env-shell NODE_ENV=production "node server.js"' }) },
  { name: 'env', files: withScripts({ start: 'env NODE_ENV=production node server.js' }) },
  { name: 'export', files: withScripts({ start: 'export NODE_ENV=production && node server.js' }) },
  {
    name: 'a shell variable that is not exported',
    files: withScripts({ start: 'NODE_ENV=production && «node server.js»' }),
    finds: [{ messageId: 'missing', severity: 'hint' }],
  },
  { name: 'cmd.exe, no space', files: withScripts({ start: 'set NODE_ENV=production&& node server.js' }) },
  { name: 'cmd.exe, quoted', files: withScripts({ start: 'set "NODE_ENV=production" && node server.js' }) },
  {
    name: 'cmd.exe takes the space into the value',
    files: withScripts({ start: 'set NODE_ENV=«production »&& node server.js' }),
    finds: [
      {
        messageId: 'misspelt',
        says: ['`production␠`'],
        fixed: manifest({ dependencies: ['express'], scripts: { start: 'set NODE_ENV=production&& node server.js' } }),
      },
    ],
  },
  {
    name: 'in a container `set` does nothing',
    files: {
      ...withScripts({ start: 'set NODE_ENV=production&& node server.js' }),
      Dockerfile: dedent`
        FROM node:22
        WORKDIR /app
        COPY . .
        «CMD npm start»

      `,
    },
    finds: [{ messageId: 'missing' }],
  },
  { name: 'PowerShell', files: withScripts({ start: "$env:NODE_ENV='production'; node server.js" }) },
  {
    name: 'env-cmd with a file',
    files: { ...withScripts({ start: 'env-cmd -f .env.production node server.js' }), '.env.production': 'NODE_ENV=production\n' },
  },
  {
    name: 'dotenv-cli with a file that lacks it',
    files: { ...withScripts({ start: '«dotenv -e conf/run.env -- node server.js»' }), 'conf/run.env': 'PORT=1\n' },
    finds: [{ messageId: 'missing', severity: 'hint' }],
  },
  {
    name: '--env-file',
    files: {
      ...withScripts({ start: 'node --env-file=.env server.js' }),
      '.env': dedent`
        PORT=1
        NODE_ENV=production

      `,
    },
  },
  { name: '--env-file that is not committed', files: withScripts({ start: 'node --env-file=.env server.js' }) },
  { name: 'misspelt', files: withScripts({ start: 'NODE_ENV=«prodution» node server.js' }), finds: [{ messageId: 'misspelt' }] },
  {
    name: 'upper case in a script that is not start',
    files: withScripts({ start: 'nodemon server.js', live: 'NODE_ENV=«PRODUCTION» node server.js' }),
    finds: [{ messageId: 'misspelt' }],
  },
  {
    name: 'development in a script for production',
    files: withScripts({ 'start:production': 'NODE_ENV=«development» node server.js' }),
    finds: [{ messageId: 'development' }],
  },
  { name: 'development in start is a choice', files: withScripts({ start: 'NODE_ENV=development node server.js' }) },
  { name: 'nodemon and --watch are for development', files: withScripts({ start: 'nodemon server.js', serve: 'node --watch server.js' }) },
  { name: 'a front end beside it', files: withScripts({ start: 'concurrently "node server.js" "react-scripts start"' }) },
  {
    name: 'scripts for development by name',
    files: withScripts({
      dev: 'node server.js',
      'start:dev': 'node server.js',
      'test:server': 'node server.js',
      'start-local': 'node server.js',
    }),
  },
  { name: 'no start script: a library', files: withScripts({ test: 'mocha', example: 'node server.js' }) },
  {
    name: 'the entry lies among the examples',
    files: {
      ...API,
      'examples/app.js': API['server.js'],
      'package.json': manifest({ dependencies: ['express'], scripts: { start: 'node examples/app.js' } }),
    },
  },
  {
    name: 'a tool without a server',
    files: {
      'package.json': manifest({ dependencies: ['express'], scripts: { start: 'node cli.js' } }),
      'cli.js': "require('./lib/print');",
      'lib/print.js': 'console.log(1)',
    },
  },
  {
    name: 'express for the tests only',
    files: {
      'package.json': manifest({ devDependencies: ['express'], scripts: { start: 'node index.js' } }),
      'index.js': "require('http').createServer().listen(1)",
    },
  },
  {
    name: 'a static site',
    files: { 'package.json': manifest({ dependencies: ['react', 'react-dom'], scripts: { start: 'react-scripts start' } }) },
  },
  {
    name: 'code that is not there',
    files: { 'package.json': manifest({ dependencies: ['express'], scripts: { start: 'node gone.js' } }) },
  },
  {
    name: 'code that is built first',
    files: { 'package.json': manifest({ dependencies: ['express'], scripts: { start: '«node dist/server.js»' } }) },
    finds: [{ messageId: 'missing', severity: 'hint' }],
  },
  {
    name: 'a built file is read in its source: a worker',
    files: {
      'package.json': manifest({ dependencies: ['express'], scripts: { start: 'node dist/worker/main.js' } }),
      'worker/main.ts': 'setInterval(() => {}, 1000);\n',
    },
  },
  {
    name: "the express generator's bin/www",
    files: {
      'package.json': manifest({ dependencies: ['express', 'jade'], scripts: { start: '«node ./bin/www»' } }),
      'bin/www': dedent`
        #!/usr/bin/env node
        var app = require('../app');
        require('http').createServer(app).listen(1);

      `,
      'app.js': dedent`
        var express = require('express');
        var app = express();
        app.set('view engine', 'jade');
        module.exports = app;

      `,
    },
    finds: [{ messageId: 'missing', severity: 'warning', says: ['jade compiles a template once', 'not measured'] }],
  },
  { name: 'Heroku', files: { ...API_START, Procfile: 'web: node server.js\n' } },
  { name: 'Heroku by app.json', files: { ...API_START, 'app.json': '{}' } },
  { name: 'App Engine', files: { ...API_START, 'app.yaml': 'runtime: nodejs22\n' } },
  {
    name: 'some other app.yaml',
    files: { ...withScripts({ start: '«node server.js»' }), 'app.yaml': 'name: x\n' },
    finds: [{ messageId: 'missing', severity: 'hint' }],
  },
  { name: 'a Makefile sets it', files: { ...API_START, Makefile: 'start:\n\tNODE_ENV=production pm2 start server.js\n' } },
  {
    name: 'the image sets it',
    files: {
      ...API_START,
      Dockerfile: dedent`
        FROM node:22
        ENV NODE_ENV=production
        WORKDIR /app
        COPY . .
        CMD ["npm", "start"]

      `,
    },
  },
  {
    name: 'the image sets it and starts it out of sight',
    files: {
      ...API_START,
      Dockerfile: dedent`
        FROM node:22
        ENV NODE_ENV=production
        WORKDIR /app
        COPY . .
        CMD ["/init"]

      `,
    },
  },
  {
    name: 'the image is for development',
    files: {
      ...withScripts({ start: '«node server.js»' }),
      'Dockerfile.dev': dedent`
        FROM node:22
        WORKDIR /app
        COPY . .
        CMD ["npm", "start"]

      `,
    },
    finds: [{ messageId: 'missing', severity: 'hint' }],
  },
];
