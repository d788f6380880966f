import { API, API_START, PAGES, manifest, type DeploymentCase } from './case.ts';

const HEAD = 'FROM node:22-alpine\nWORKDIR /app\nCOPY package*.json ./\nRUN npm ci --omit=dev\nCOPY . .\n';

export const dockerCases: readonly DeploymentCase[] = [
  {
    name: 'CMD with node, nothing set: JSON routes are said to gain nothing',
    files: { ...API, Dockerfile: `${HEAD}«CMD ["node", "server.js"]»\n` },
    finds: [
      {
        messageId: 'missing',
        says: ['This image starts `node server.js`', 'JSON routes ran no faster with it (measured 1.0×', 'stack trace'],
        saysNot: ['view cache', '6×'],
        related: [],
        fixed: `${HEAD}ENV NODE_ENV=production\nCMD ["node", "server.js"]\n`,
      },
    ],
  },
  {
    name: 'Express with pug: the measured figure for pug',
    files: { ...PAGES, Dockerfile: `${HEAD}«CMD node server.js»\n` },
    finds: [{ messageId: 'missing', says: ['pages of pug were 11–33× faster, Node 18 to 26', 'view cache'], saysNot: ['JSON routes'] }],
  },
  {
    name: 'Express with ejs and hbs: a figure for ejs only',
    files: { ...PAGES, 'package.json': manifest({ dependencies: ['express', 'ejs', 'hbs'] }), Dockerfile: `${HEAD}«CMD node server.js»\n` },
    finds: [
      {
        messageId: 'missing',
        says: ['pages of ejs were 1.7–2.4× faster', 'hbs compiles a template once instead of for every page (not measured here)'],
      },
    ],
  },
  {
    name: 'pug is a dependency but nothing renders a view',
    files: { ...API, 'package.json': manifest({ dependencies: ['express', 'pug'] }), Dockerfile: `${HEAD}«CMD node server.js»\n` },
    finds: [{ messageId: 'missing', saysNot: ['pug'] }],
  },
  {
    name: 'view cache set by hand: no view figure',
    files: { ...PAGES, 'server.js': `${PAGES['server.js']}app.enable('view cache');\n`, Dockerfile: `${HEAD}«CMD node server.js»\n` },
    finds: [{ messageId: 'missing', saysNot: ['pug'] }],
  },
  { name: 'ENV', files: { ...API, Dockerfile: `${HEAD}ENV NODE_ENV=production\nCMD ["node", "server.js"]\n` } },
  { name: 'ENV in the old form', files: { ...API, Dockerfile: `${HEAD}ENV NODE_ENV production\nCMD ["node", "server.js"]\n` } },
  {
    name: 'ENV with several variables on several lines',
    files: { ...API, Dockerfile: `${HEAD}ENV PORT=80 \\\n    NODE_ENV="production"\nCMD ["node", "server.js"]\n` },
  },
  { name: 'ENV behind the CMD', files: { ...API, Dockerfile: `${HEAD}CMD ["node", "server.js"]\nENV NODE_ENV=production\n` } },
  {
    name: 'ARG with a default, handed on',
    files: { ...API, Dockerfile: `${HEAD}ARG NODE_ENV=production\nENV NODE_ENV=$NODE_ENV\nCMD ["node", "server.js"]\n` },
  },
  {
    name: 'ARG of another name, handed on',
    files: { ...API, Dockerfile: `${HEAD}ARG mode=production\nENV NODE_ENV \${mode}\nCMD ["node", "server.js"]\n` },
  },
  {
    name: 'default in the expansion',
    files: { ...API, Dockerfile: `${HEAD}ARG NODE_ENV\nENV NODE_ENV=\${NODE_ENV:-production}\nCMD ["node", "server.js"]\n` },
  },
  {
    name: 'ARG without a default: whoever builds decides',
    files: { ...API, Dockerfile: `${HEAD}ARG NODE_ENV\nENV NODE_ENV=$NODE_ENV\nCMD ["node", "server.js"]\n` },
  },
  {
    name: 'ARG alone is gone when the container runs',
    files: { ...API, Dockerfile: `${HEAD}ARG NODE_ENV=production\n«CMD ["node", "server.js"]»\n` },
    finds: [
      {
        messageId: 'missing',
        says: ['its ARG is gone when the container runs'],
        related: ['Dockerfile: ARG NODE_ENV=production'],
        fixed: `${HEAD}ARG NODE_ENV=production\nENV NODE_ENV=$NODE_ENV\nCMD ["node", "server.js"]\n`,
      },
    ],
  },
  {
    name: 'RUN with the variable ends with that step',
    files: { ...API, Dockerfile: 'FROM node:22\nWORKDIR /app\nCOPY . .\nRUN NODE_ENV=production npm ci\n«CMD ["node", "server.js"]»\n' },
    finds: [{ messageId: 'missing', says: ['what a RUN step sets is gone'], related: ['Dockerfile: RUN NODE_ENV=production npm ci'] }],
  },
  { name: 'inline in a shell CMD', files: { ...API, Dockerfile: `${HEAD}CMD NODE_ENV=production node server.js\n` } },
  { name: 'env in an exec CMD', files: { ...API, Dockerfile: `${HEAD}CMD ["env", "NODE_ENV=production", "node", "server.js"]\n` } },
  {
    name: 'cross-env in an exec CMD',
    files: { ...API, Dockerfile: `${HEAD}CMD ["npx", "cross-env", "NODE_ENV=production", "node", "server.js"]\n` },
  },
  { name: 'sh -c with export', files: { ...API, Dockerfile: `${HEAD}CMD ["sh", "-c", "export NODE_ENV=production && node server.js"]\n` } },
  {
    name: 'sh -c without',
    files: { ...API, Dockerfile: `${HEAD}«CMD ["sh", "-c", "node migrate.js && exec node server.js"]»\n` },
    finds: [{ messageId: 'missing', says: ['`node server.js`'] }],
  },
  {
    name: 'a default taken from outside',
    files: { ...API, Dockerfile: `${HEAD}CMD ["sh", "-c", "NODE_ENV=\${NODE_ENV:-production} node server.js"]\n` },
  },
  {
    name: 'through wrappers',
    files: {
      ...API,
      Dockerfile: `${HEAD}ENTRYPOINT ["/sbin/tini", "--"]\n«CMD ["node", "--max-old-space-size=512", "-r", "./trace.js", "server.js"]»\n`,
      'trace.js': '',
    },
    finds: [{ messageId: 'missing' }],
  },
  {
    name: 'dumb-init and su-exec',
    files: { ...API, Dockerfile: `${HEAD}«CMD ["dumb-init", "su-exec", "node", "node", "server.js"]»\n` },
    finds: [{ messageId: 'missing' }],
  },
  {
    name: 'through npm start',
    files: { ...API_START, Dockerfile: `${HEAD}«CMD ["npm", "start"]»\n` },
    finds: [{ messageId: 'missing', related: ['package.json: "node server.js"'] }],
  },
  {
    name: 'npm start, set in the script',
    files: {
      ...API,
      'package.json': manifest({ dependencies: ['express'], scripts: { start: 'cross-env NODE_ENV=production node server.js' } }),
      Dockerfile: `${HEAD}CMD ["npm", "start"]\n`,
    },
  },
  { name: 'npm start --omit=dev: npm sets it', files: { ...API_START, Dockerfile: `${HEAD}CMD ["npm", "start", "--omit=dev"]\n` } },
  {
    name: 'ENV NPM_CONFIG_PRODUCTION: npm sets it',
    files: { ...API_START, Dockerfile: `${HEAD}ENV NPM_CONFIG_PRODUCTION=true\nCMD npm start\n` },
  },
  {
    name: 'NPM_CONFIG_PRODUCTION does not reach a plain node',
    files: { ...API_START, Dockerfile: `${HEAD}ENV NPM_CONFIG_PRODUCTION=true\n«CMD node server.js»\n` },
    finds: [{ messageId: 'missing' }],
  },
  {
    name: 'yarn and pnpm',
    files: {
      ...API,
      'package.json': manifest({ dependencies: ['express'], scripts: { 'start:prod': 'pnpm run serve', serve: 'node server.js' } }),
      Dockerfile: `${HEAD}«CMD yarn start:prod»\n`,
    },
    finds: [{ messageId: 'missing', related: ['package.json: "pnpm run serve"', 'package.json: "node server.js"'] }],
  },
  {
    name: 'the development script',
    files: {
      ...API,
      'package.json': manifest({ dependencies: ['express'], scripts: { dev: 'nodemon server.js' } }),
      Dockerfile: `${HEAD}CMD npm run dev\n`,
    },
  },
  { name: 'nodemon', files: { ...API, Dockerfile: `${HEAD}CMD ["nodemon", "server.js"]\n` } },
  {
    name: 'a development image by name',
    files: {
      ...API,
      'Dockerfile.dev': `${HEAD}CMD ["node", "server.js"]\n`,
      'docker/test/Dockerfile': `${HEAD}CMD ["node", "server.js"]\n`,
    },
  },
  {
    name: 'an explicit other value in an unnamed Dockerfile',
    files: { ...API, Dockerfile: `${HEAD}ENV NODE_ENV=development\nCMD ["node", "server.js"]\n` },
  },
  {
    name: 'development in a production file',
    files: { ...API, 'Dockerfile.prod': `${HEAD}ENV NODE_ENV=«development»\nCMD ["node", "server.js"]\n` },
    finds: [{ messageId: 'development', fixed: `${HEAD}ENV NODE_ENV=production\nCMD ["node", "server.js"]\n` }],
  },
  {
    name: 'prod is not production',
    files: { ...API, Dockerfile: `${HEAD}ENV NODE_ENV=«prod»\nCMD ["node", "server.js"]\n` },
    finds: [{ messageId: 'misspelt', says: ['`prod`', 'express'], fixed: `${HEAD}ENV NODE_ENV=production\nCMD ["node", "server.js"]\n` }],
  },
  {
    name: 'padded inside quotes',
    files: { ...API, Dockerfile: `${HEAD}ENV NODE_ENV="«production »"\nCMD ["node", "server.js"]\n` },
    finds: [{ messageId: 'misspelt', says: ['`production␠`'], fixed: `${HEAD}ENV NODE_ENV="production"\nCMD ["node", "server.js"]\n` }],
  },
  {
    name: 'equals sign with spaces: the old form takes it into the value',
    files: { ...API, Dockerfile: `${HEAD}ENV NODE_ENV «= production»\nCMD ["node", "server.js"]\n` },
    finds: [{ messageId: 'misspelt' }],
  },
  {
    name: 'misspelt default of an ARG',
    files: { ...API, Dockerfile: `${HEAD}ARG NODE_ENV=«Production»\nENV NODE_ENV=$NODE_ENV\nCMD ["node", "server.js"]\n` },
    finds: [{ messageId: 'misspelt', fixed: `${HEAD}ARG NODE_ENV=production\nENV NODE_ENV=$NODE_ENV\nCMD ["node", "server.js"]\n` }],
  },
  { name: "staging is somebody's decision", files: { ...API, Dockerfile: `${HEAD}ENV NODE_ENV=staging\nCMD ["node", "server.js"]\n` } },
  {
    name: 'set in an earlier stage that the last one builds on',
    files: {
      ...API,
      Dockerfile: 'FROM node:22 AS base\nENV NODE_ENV=production\nWORKDIR /app\nFROM base AS prod\nCOPY . .\nCMD ["node", "server.js"]\n',
    },
  },
  {
    name: 'set only in the build stage',
    files: {
      ...API,
      Dockerfile:
        'FROM node:22 AS build\nENV NODE_ENV=production\nWORKDIR /src\nCOPY . .\nRUN npm ci\nFROM node:22-slim\nWORKDIR /app\nCOPY --from=build /src /app\n«CMD ["node", "server.js"]»\n',
    },
    finds: [{ messageId: 'missing' }],
  },
  {
    name: 'CMD in the stage below',
    files: {
      ...API,
      Dockerfile: 'FROM node:22 AS base\nWORKDIR /app\nCOPY . .\n«CMD ["node", "server.js"]»\nFROM base AS final\nRUN npm ci\n',
    },
    finds: [
      {
        messageId: 'missing',
        fixed:
          'FROM node:22 AS base\nWORKDIR /app\nCOPY . .\nCMD ["node", "server.js"]\nFROM base AS final\nRUN npm ci\nENV NODE_ENV=production\n',
      },
    ],
  },
  {
    name: 'the last stage is for development',
    files: {
      ...API,
      Dockerfile:
        'FROM node:22 AS production\nENV NODE_ENV=production\nWORKDIR /app\nCOPY . .\nCMD ["node", "server.js"]\nFROM production AS development\nENV NODE_ENV=development\nCMD ["node", "server.js"]\n',
    },
  },
  {
    name: 'the last stage is for development and the production one lacks it',
    files: {
      ...API,
      Dockerfile:
        'FROM node:22 AS production\nWORKDIR /app\nCOPY . .\n«CMD ["node", "server.js"]»\nFROM production AS dev\nCMD ["nodemon", "server.js"]\n',
    },
    finds: [{ messageId: 'missing' }],
  },
  {
    name: 'RUN behind the CMD: the fix goes to the end',
    files: { ...API, Dockerfile: 'FROM node:22\nWORKDIR /app\nCOPY . .\n«CMD ["node", "server.js"]»\nRUN npm ci\n' },
    finds: [
      {
        messageId: 'missing',
        fixed: 'FROM node:22\nWORKDIR /app\nCOPY . .\nCMD ["node", "server.js"]\nRUN npm ci\nENV NODE_ENV=production\n',
      },
    ],
  },
  {
    name: "a base image of somebody's own may set it",
    files: { ...API, Dockerfile: 'FROM registry.example.com/team/node-base:4\nWORKDIR /app\nCOPY . .\nCMD ["node", "server.js"]\n' },
  },
  {
    name: 'mirrors of the official image',
    files: {
      ...API,
      Dockerfile:
        'ARG VERSION=22\nFROM public.ecr.aws/docker/library/node:${VERSION}\nWORKDIR /app\nCOPY . .\n«CMD ["node", "server.js"]»\n',
    },
    finds: [{ messageId: 'missing' }],
  },
  {
    name: 'a plain system image with node installed',
    files: { ...API, Dockerfile: 'FROM ubuntu:24.04\nRUN apt-get install -y nodejs\nWORKDIR /srv\nADD . /srv\n«CMD nodejs server.js»\n' },
    finds: [{ messageId: 'missing' }],
  },
  {
    name: 'distroless runs node itself',
    files: {
      ...API,
      Dockerfile:
        'FROM node:22 AS build\nWORKDIR /app\nCOPY . .\nFROM gcr.io/distroless/nodejs22-debian12\nCOPY --from=build /app /app\nWORKDIR /app\n«CMD ["server.js"]»\n',
    },
    finds: [{ messageId: 'missing' }],
  },
  {
    name: 'the official entrypoint runs node for a script',
    files: { ...API, Dockerfile: `${HEAD}«CMD ["server.js"]»\n` },
    finds: [{ messageId: 'missing' }],
  },
  {
    name: 'a start script in the image',
    files: {
      ...API,
      'start.sh': '#!/bin/sh\nset -e\nnode migrate.js || exit 1\nexec su-exec node node server.js\n',
      Dockerfile: `${HEAD}«CMD ["./start.sh"]»\n`,
    },
    finds: [{ messageId: 'missing', related: ['start.sh: exec su-exec node node server.js'] }],
  },
  {
    name: 'a start script that sets it',
    files: { ...API, 'start.sh': '#!/bin/sh\nexport NODE_ENV="production"\nexec node server.js\n', Dockerfile: `${HEAD}CMD ./start.sh\n` },
  },
  {
    name: 'an entrypoint script that hands over',
    files: {
      ...API,
      'docker-entrypoint.sh': '#!/bin/sh\nset -e\nexec "$@"\n',
      Dockerfile: `${HEAD}ENTRYPOINT ["./docker-entrypoint.sh"]\n«CMD ["node", "server.js"]»\n`,
    },
    finds: [{ messageId: 'missing' }],
  },
  {
    name: 'an entrypoint script that sets a default',
    files: {
      ...API,
      'docker/entrypoint.sh': '#!/bin/bash\n: "${NODE_ENV:=production}"\nexport NODE_ENV\nexec "$@"\n',
      Dockerfile: `${HEAD}COPY docker/entrypoint.sh /entrypoint.sh\nENTRYPOINT ["/entrypoint.sh"]\nCMD ["node", "server.js"]\n`,
    },
  },
  {
    name: 'an entrypoint script that chooses by NODE_ENV',
    files: {
      ...API,
      'run.sh': '#!/bin/sh\nif [ "$NODE_ENV" = "production" ]; then\n  node server.js\nelse\n  npx nodemon server.js\nfi\n',
      Dockerfile: `${HEAD}CMD ["sh", "run.sh"]\n`,
    },
  },
  {
    name: 'an entrypoint that is not in the project',
    files: { ...API, Dockerfile: `${HEAD}ENTRYPOINT ["/opt/entry.sh"]\nCMD ["node", "server.js"]\n` },
  },
  {
    name: 'the official entrypoint, named again',
    files: { ...API, Dockerfile: `${HEAD}ENTRYPOINT ["docker-entrypoint.sh"]\n«CMD ["node", "server.js"]»\n` },
    finds: [{ messageId: 'missing' }],
  },
  {
    name: 'an entrypoint of its own under the official name',
    files: {
      ...API,
      'docker/docker-entrypoint.sh': '#!/bin/sh\nexport NODE_ENV=production\nexec "$@"\n',
      Dockerfile: `${HEAD}COPY docker/docker-entrypoint.sh /usr/local/bin/\nENTRYPOINT ["docker-entrypoint.sh"]\nCMD ["node", "server.js"]\n`,
    },
  },
  {
    name: 'a script for development by name',
    files: { ...API, 'startup.dev.sh': '#!/bin/sh\nnode server.js\n', Dockerfile: `${HEAD}CMD ["./startup.dev.sh"]\n` },
  },
  {
    name: 'two programs: the one that is seen to be a server is named',
    files: { ...API, 'after.js': 'require(process.argv[2]).listen(1);', Dockerfile: `${HEAD}«CMD node server.js & node after.js ./x»\n` },
    finds: [{ messageId: 'missing', says: ['`node server.js`'] }],
  },
  { name: 'no command at all', files: { ...API, Dockerfile: HEAD } },
  {
    name: 'no Node program',
    files: { ...API, Dockerfile: 'FROM nginx:alpine\nCOPY dist /usr/share/nginx/html\nCMD ["nginx", "-g", "daemon off;"]\n' },
  },
  {
    name: 'ENTRYPOINT set anew forgets the CMD below',
    files: {
      ...API,
      'tool.js': 'console.log(1)',
      Dockerfile: 'FROM node:22 AS base\nWORKDIR /app\nCOPY . .\nCMD ["server.js"]\nFROM base\nENTRYPOINT ["node"]\n',
    },
  },
  {
    name: 'built from TypeScript in another stage',
    files: {
      'package.json': manifest({ dependencies: ['express'] }),
      'src/main.ts': "import express from 'express';\nexpress().listen(1);\n",
      Dockerfile:
        'FROM node:22 AS build\nWORKDIR /app\nCOPY . .\nRUN npm run build\nFROM node:22\nWORKDIR /srv/app\nCOPY --from=build /app/dist ./dist\n«CMD ["node", "dist/main.js"]»\n',
    },
    finds: [{ messageId: 'missing' }],
  },
  {
    name: 'a folder of its own for Docker files',
    files: { ...API, 'docker/Dockerfile': `${HEAD}«CMD ["node", "server.js"]»\n` },
    finds: [{ messageId: 'missing' }],
  },
  {
    name: 'a subfolder is copied, its package.json decides',
    files: {
      'package.json': '{"name":"mono","private":true}',
      'server/package.json': manifest({ dependencies: ['express'] }),
      'server/index.js': "require('express')().listen(1)",
      Dockerfile: 'FROM node:22\nWORKDIR /app\nCOPY server/ ./\nRUN npm ci\n«CMD ["node", "index.js"]»\n',
    },
    finds: [{ messageId: 'missing' }],
  },
  {
    name: 'cloned inside the image: the folder tells',
    files: {
      'package.json': '{"name":"front"}',
      'server/package.json': manifest({ dependencies: ['express'] }),
      'server/app.js': "require('express')().listen(1)",
      Dockerfile: 'FROM node:6\nRUN git clone https://example.com/x\nWORKDIR x/server\n«CMD ["node", "app.js"]»\n',
    },
    finds: [{ messageId: 'missing' }],
  },
  {
    name: 'a worker beside the server loads no server',
    files: {
      ...API,
      'worker.js': "require('./lib/jobs');",
      'lib/jobs.js': 'setInterval(() => {}, 1000);',
      Dockerfile: `${HEAD}CMD ["node", "worker.js"]\n`,
    },
  },
  {
    name: 'next start sets it',
    files: {
      'package.json': manifest({ dependencies: ['next', 'react', 'react-dom', 'express'], scripts: { start: 'next start' } }),
      Dockerfile: `${HEAD}CMD ["npm", "start"]\n`,
    },
  },
  {
    name: 'a standalone build that is not in the project',
    files: {
      'package.json': manifest({ dependencies: ['next', 'express'] }),
      Dockerfile: 'FROM node:22\nWORKDIR /app\nCOPY --from=x /app/.next/standalone ./\nCMD ["node", "server.js"]\n',
    },
  },
  { name: 'hidden environment', files: { ...API, Dockerfile: `${HEAD}CMD ["doppler", "run", "--", "node", "server.js"]\n` } },
  {
    name: 'docker run in package.json gives it',
    files: {
      ...API,
      'package.json': manifest({ dependencies: ['express'], scripts: { 'docker:run': 'docker run -p 80:80 -e NODE_ENV=production app' } }),
      Dockerfile: `${HEAD}CMD ["node", "server.js"]\n`,
    },
  },
  {
    name: 'fly.toml gives it',
    files: { ...API, 'fly.toml': '[env]\n  NODE_ENV = "production"\n', Dockerfile: `${HEAD}CMD ["node", "server.js"]\n` },
  },
  { name: 'a file that is no Dockerfile yet', files: { ...API, 'Dockerfile.hbs': `${HEAD}CMD ["node", "server.js"]\n` } },
  {
    name: 'Nest alone: nothing measured, nothing leaked by its own routes, so a hint',
    files: {
      'package.json': manifest({ dependencies: ['@nestjs/core', '@nestjs/platform-express'] }),
      'src/main.ts': "import { NestFactory } from '@nestjs/core';\n",
      Dockerfile: `${HEAD}«CMD ["node", "dist/main"]»\n`,
    },
    finds: [{ messageId: 'missing', severity: 'hint', says: ['Nest answers its own routes'] }],
  },
  {
    name: 'Nest with hbs views',
    files: {
      'package.json': manifest({ dependencies: ['@nestjs/core', '@nestjs/platform-express', 'hbs'] }),
      'src/main.ts':
        "import { NestFactory } from '@nestjs/core';\nasync function go() { const app = await NestFactory.create(null); app.setViewEngine('hbs'); }\n",
      Dockerfile: `${HEAD}«CMD ["node", "dist/main"]»\n`,
    },
    finds: [{ messageId: 'missing', says: ['hbs compiles a template once'] }],
  },
  {
    name: 'Koa reads NODE_ENV nowhere',
    files: {
      'package.json': manifest({ dependencies: ['koa'] }),
      'server.js': "const Koa = require('koa'); new Koa().listen(1);",
      Dockerfile: `${HEAD}CMD node server.js\n`,
    },
  },
  {
    name: 'nor does Fastify',
    files: {
      'package.json': manifest({ dependencies: ['fastify'] }),
      'server.js': "require('fastify')().listen({ port: 1 });",
      Dockerfile: `${HEAD}CMD node server.js\n`,
    },
  },
  {
    name: '@fastify/view does',
    files: {
      'package.json': manifest({ dependencies: ['fastify', '@fastify/view'] }),
      'server.js': "const app = require('fastify')(); app.register(require('@fastify/view'), {});",
      Dockerfile: `${HEAD}«CMD node server.js»\n`,
    },
    finds: [{ messageId: 'missing', says: ['@fastify/view keeps compiled templates only', 'not measured here'] }],
  },
  {
    name: 'Apollo on Koa',
    files: {
      'package.json': manifest({ dependencies: ['koa', '@apollo/server', 'graphql'] }),
      'server.mjs': "import Koa from 'koa';\nimport { ApolloServer } from '@apollo/server';\n",
      Dockerfile: `${HEAD}«CMD node server.mjs»\n`,
    },
    finds: [{ messageId: 'missing', says: ['Apollo Server allows introspection'], saysNot: ['Express'] }],
  },
  {
    name: 'react-dom on the server',
    files: {
      'package.json': manifest({ dependencies: ['fastify', 'react', 'react-dom'] }),
      'server.mjs': "import fastify from 'fastify';\nimport { renderToString } from 'react-dom/server';\n",
      Dockerfile: `${HEAD}«CMD node server.mjs»\n`,
    },
    finds: [{ messageId: 'missing', says: ['react-dom loads its development build'] }],
  },
  {
    name: 'react-dom for the browser only',
    files: {
      'package.json': manifest({ dependencies: ['fastify', 'react', 'react-dom'] }),
      'server.mjs': "import fastify from 'fastify';\n",
      Dockerfile: `${HEAD}CMD node server.mjs\n`,
    },
  },
  {
    name: 'a type import loads nothing',
    files: {
      'package.json': manifest({ dependencies: ['fastify', 'express'] }),
      'server.ts': "import type { Request } from 'express';\nimport fastify from 'fastify';\n",
      Dockerfile: `${HEAD}CMD npx tsx server.ts\n`,
    },
  },
];
