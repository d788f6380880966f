// Projects whose code sets NODE_ENV, or reads it.
import { API, manifest, type DeploymentCase } from './case.ts';
import { dedent } from '../../../analysis/testing/dedent.ts';

const DOCKER = dedent`
  FROM node:22
  WORKDIR /app
  COPY . .
  CMD ["node", "server.js"]

`;
const MARKED = DOCKER.replace('CMD ["node", "server.js"]', '«CMD ["node", "server.js"]»');
const EXPRESS = dedent`
  const app = require('express')();
  app.listen(1);

`;

/** An image that starts a server whose code begins so. */
function code(first: string, more: Readonly<Record<string, string>> = {}): Record<string, string> {
  return { ...API, 'server.js': `${first}\n${EXPRESS}`, Dockerfile: DOCKER, ...more };
}

export const codeCases: readonly DeploymentCase[] = [
  { name: 'set before anything loads', files: code("process.env.NODE_ENV = 'production';") },
  { name: 'a default for the unset', files: code("process.env.NODE_ENV = process.env.NODE_ENV || 'production';") },
  { name: '??=', files: code("process.env.NODE_ENV ??= 'production';") },
  {
    name: 'if it is not set',
    files: code(dedent`
    if (!process.env.NODE_ENV) {
      process.env.NODE_ENV = 'production';
    }
  `),
  },
  {
    name: 'if it is undefined, in brackets',
    files: code("if (process.env.NODE_ENV === undefined) process.env['NODE_ENV'] = 'production';"),
  },
  {
    name: 'in a module of its own',
    files: code("require('./config/env');", {
      'config/env.js': dedent`
        const { env } = process;
        env.NODE_ENV = env.NODE_ENV || 'production';

      `,
    }),
  },
  {
    name: 'on a condition: not known here',
    files: code("if (process.argv.includes('--production')) process.env.NODE_ENV = 'production';"),
  },
  {
    name: 'from a configuration: not known here',
    files: code("process.env.NODE_ENV = require('./conf').mode;", { 'conf.js': 'module.exports = {}' }),
  },
  { name: 'Object.assign: not known here', files: code('Object.assign(process.env, { NODE_ENV: mode() });') },
  {
    name: 'a default for development is no production',
    files: code("process.env.NODE_ENV = process.env.NODE_ENV || 'development';", { Dockerfile: MARKED }),
    finds: [{ messageId: 'missing' }],
  },
  {
    name: 'only compared',
    files: code("const isProduction = process.env.NODE_ENV === 'production';", { Dockerfile: MARKED }),
    finds: [{ messageId: 'missing' }],
  },
  {
    name: 'set in a comment',
    files: code("// process.env.NODE_ENV = 'production'", { Dockerfile: MARKED }),
    finds: [{ messageId: 'missing' }],
  },
  {
    name: 'set in the tests only',
    files: { ...API, Dockerfile: MARKED, 'test/setup.js': "process.env.NODE_ENV = 'production';" },
    finds: [{ messageId: 'missing' }],
  },
  { name: 'dotenv and a .env with it', files: code("require('dotenv').config();", { '.env': 'NODE_ENV=production\n' }) },
  {
    name: 'dotenv preloaded',
    files: {
      ...API,
      '.env': 'NODE_ENV=production\n',
      Dockerfile: dedent`
        FROM node:22
        WORKDIR /app
        COPY . .
        CMD ["node", "-r", "dotenv/config", "server.js"]

      `,
    },
  },
  {
    name: 'dotenv with a path',
    files: code("require('dotenv').config({ path: __dirname + '/conf/live.env' });", { 'conf/live.env': 'NODE_ENV=production\n' }),
  },
  {
    name: 'dotenv, no .env, no template',
    files: code("require('dotenv').config();", { Dockerfile: MARKED }),
    finds: [{ messageId: 'missing' }],
  },
  {
    name: 'dotenv and a template that asks for production',
    files: code("require('dotenv').config();", { '.env.example': 'NODE_ENV=production\n' }),
  },
  {
    name: 'dotenv and a template for development: a hint',
    files: code("require('dotenv').config();", { '.env.example': 'NODE_ENV=development\n', Dockerfile: MARKED }),
    finds: [{ messageId: 'missing', severity: 'hint' }],
  },
  {
    name: 'dotenv and a misspelt .env',
    files: code("require('dotenv').config();", { '.env': 'NODE_ENV=«prod»\n' }),
    finds: [{ messageId: 'misspelt', fixed: 'NODE_ENV=production\n' }],
  },
  {
    name: 'express in another file',
    files: {
      'package.json': manifest({ dependencies: ['express'] }),
      'server.js': "require('./src/app');\n",
      'src/app.js': "module.exports = require('express')();\n",
      Dockerfile: MARKED,
    },
    finds: [{ messageId: 'missing' }],
  },
  {
    name: 'express only in a file that is not loaded',
    files: {
      'package.json': manifest({ dependencies: ['express'] }),
      'server.js': "require('./src/bot');\n",
      'src/bot.js': 'setInterval(() => {}, 1);\n',
      'src/app.js': "module.exports = require('express')();\n",
      Dockerfile: DOCKER,
    },
  },
  {
    name: 'files loaded by computed names: the dependencies tell',
    files: {
      'package.json': manifest({ dependencies: ['express'] }),
      'server.js': dedent`
        for (const name of names) require(\`./plugins/\${name}\`);
        make().listen(1);

      `,
      Dockerfile: MARKED,
    },
    finds: [{ messageId: 'missing' }],
  },
  {
    name: 'a worker that loads files by computed names',
    files: {
      'package.json': manifest({ dependencies: ['express'] }),
      'server.js': 'for (const name of names) require(`./jobs/${name}`);\n',
      Dockerfile: DOCKER,
    },
  },
];
