// Projects with Dockerfiles.
import { API, API_START, PAGES, manifest, type DeploymentCase } from './case.ts';
import { dedent } from '../../../analysis/testing/dedent.ts';

const HEAD = dedent`
  FROM node:22-alpine
  WORKDIR /app
  COPY package*.json ./
  RUN npm ci --omit=dev
  COPY . .

`;

/** Each loads the next one. */
const many = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`r${i}.js`, i < 499 ? `require('./r${i + 1}');\n` : '']));

export const dockerCases: readonly DeploymentCase[] = [
  {
    name: 'CMD with node, nothing set: JSON routes are said to gain nothing',
    files: { ...API, Dockerfile: `${HEAD}«CMD ["node", "server.js"]»\n` },
    finds: [
      {
        messageId: 'missing',
        says: ['This image starts `node server.js`', 'JSON routes were no faster with it (measured 1.0×', 'stack trace'],
        saysNot: ['view cache', '6×'],
        related: [],
        fixed: dedent`
          ${HEAD}ENV NODE_ENV=production
          CMD ["node", "server.js"]

        `,
      },
    ],
  },
  {
    name: 'a comment right above the CMD stays there',
    files: {
      ...API,
      Dockerfile: dedent`
        ${HEAD}USER node

        # Port 80
        # in the cluster
        «CMD ["node", "server.js"]»

      `,
    },
    finds: [
      {
        messageId: 'missing',
        fixed: dedent`
          ${HEAD}USER node

          ENV NODE_ENV=production

          # Port 80
          # in the cluster
          CMD ["node", "server.js"]

        `,
      },
    ],
  },
  {
    name: 'a comment right above the CMD, with no blank line before it',
    files: {
      ...API,
      Dockerfile: dedent`
        ${HEAD}USER node
        # Port 80
        «CMD ["node", "server.js"]»

      `,
    },
    finds: [
      {
        messageId: 'missing',
        fixed: dedent`
          ${HEAD}USER node
          ENV NODE_ENV=production
          # Port 80
          CMD ["node", "server.js"]

        `,
      },
    ],
  },
  {
    name: 'Express with pug: the measured figure for pug',
    files: { ...PAGES, Dockerfile: `${HEAD}«CMD node server.js»\n` },
    finds: [
      {
        messageId: 'missing',
        severity: 'warning',
        says: ['pages of pug were 11–33× faster (Node 18 to 26)', 'view cache'],
        saysNot: ['JSON routes'],
      },
    ],
  },
  {
    name: 'Express with ejs and hbs: a figure for ejs only',
    files: { ...PAGES, 'package.json': manifest({ dependencies: ['express', 'ejs', 'hbs'] }), Dockerfile: `${HEAD}«CMD node server.js»\n` },
    finds: [
      {
        messageId: 'missing',
        severity: 'warning',
        says: ['pages of ejs were 1.7–2.4× faster', 'hbs compiles a template once instead of once per page (not measured here)'],
      },
    ],
  },
  {
    name: 'pug is a dependency but nothing renders a view',
    files: { ...API, 'package.json': manifest({ dependencies: ['express', 'pug'] }), Dockerfile: `${HEAD}«CMD node server.js»\n` },
    finds: [{ messageId: 'missing', saysNot: ['pug'] }],
  },
  {
    name: 'pug fills in mails, which Express knows nothing of',
    files: {
      ...PAGES,
      'server.js': dedent`
        ${API['server.js']}exports.mail = (name) => require('pug').renderFile('mail.pug', { name });
        const pug = require('pug');
        exports.text = (name) => pug.render('p hello', { name });

      `,
      Dockerfile: `${HEAD}«CMD node server.js»\n`,
    },
    finds: [{ messageId: 'missing', saysNot: ['pages of pug', 'view cache'] }],
  },
  {
    name: 'more files than are read, and no views near the entry',
    files: {
      ...PAGES,
      ...many,
      'server.js': `${API['server.js']}require('./r0');\nrequire('./missing');\n`,
      Dockerfile: `${HEAD}«CMD node server.js»\n`,
    },
    finds: [{ messageId: 'missing', saysNot: ['pages of pug', 'view cache'] }],
  },
  {
    name: 'more files than are read, and some that nobody can name',
    files: {
      ...PAGES,
      ...many,
      'server.js': `${API['server.js']}require('./r0');\nrequire(process.argv[2]);\n`,
      Dockerfile: `${HEAD}«CMD node server.js»\n`,
    },
    finds: [{ messageId: 'missing', severity: 'warning', says: ['pages of pug', 'view cache'] }],
  },
  {
    name: 'view cache set by hand: no view figure',
    files: { ...PAGES, 'server.js': `${PAGES['server.js']}app.enable('view cache');\n`, Dockerfile: `${HEAD}«CMD node server.js»\n` },
    finds: [{ messageId: 'missing', saysNot: ['pug'] }],
  },
  {
    name: 'ENV',
    files: {
      ...API,
      Dockerfile: dedent`
        ${HEAD}ENV NODE_ENV=production
        CMD ["node", "server.js"]

      `,
    },
  },
  {
    name: 'ENV in the old form',
    files: {
      ...API,
      Dockerfile: dedent`
        ${HEAD}ENV NODE_ENV production
        CMD ["node", "server.js"]

      `,
    },
  },
  {
    name: 'ENV with several variables on several lines',
    files: {
      ...API,
      Dockerfile: dedent`
        ${HEAD}ENV PORT=80 \\
            NODE_ENV="production"
        CMD ["node", "server.js"]

      `,
    },
  },
  {
    name: 'ENV behind the CMD',
    files: {
      ...API,
      Dockerfile: dedent`
        ${HEAD}CMD ["node", "server.js"]
        ENV NODE_ENV=production

      `,
    },
  },
  {
    name: 'ARG with a default, handed on',
    files: {
      ...API,
      Dockerfile: dedent`
        ${HEAD}ARG NODE_ENV=production
        ENV NODE_ENV=$NODE_ENV
        CMD ["node", "server.js"]

      `,
    },
  },
  {
    name: 'ARG of another name, handed on',
    files: {
      ...API,
      Dockerfile: dedent`
        ${HEAD}ARG mode=production
        ENV NODE_ENV \${mode}
        CMD ["node", "server.js"]

      `,
    },
  },
  {
    name: 'default in the expansion',
    files: {
      ...API,
      Dockerfile: dedent`
        ${HEAD}ARG NODE_ENV
        ENV NODE_ENV=\${NODE_ENV:-production}
        CMD ["node", "server.js"]

      `,
    },
  },
  {
    name: 'ARG without a default: whoever builds decides',
    files: {
      ...API,
      Dockerfile: dedent`
        ${HEAD}ARG NODE_ENV
        ENV NODE_ENV=$NODE_ENV
        CMD ["node", "server.js"]

      `,
    },
  },
  {
    name: 'ARG alone is gone when the container runs',
    files: {
      ...API,
      Dockerfile: dedent`
        ${HEAD}ARG NODE_ENV=production
        «CMD ["node", "server.js"]»

      `,
    },
    finds: [
      {
        messageId: 'missing',
        says: ['its ARG does not exist when the container runs'],
        related: ['Dockerfile: ARG NODE_ENV=production'],
        fixed: dedent`
          ${HEAD}ARG NODE_ENV=production
          ENV NODE_ENV=$NODE_ENV
          CMD ["node", "server.js"]

        `,
      },
    ],
  },
  {
    name: 'RUN with the variable ends with that step',
    files: {
      ...API,
      Dockerfile: dedent`
        FROM node:22
        WORKDIR /app
        COPY . .
        RUN NODE_ENV=production npm ci
        «CMD ["node", "server.js"]»

      `,
    },
    finds: [
      { messageId: 'missing', says: ['a value set in a RUN step does not exist'], related: ['Dockerfile: RUN NODE_ENV=production npm ci'] },
    ],
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
      Dockerfile: dedent`
        ${HEAD}ENTRYPOINT ["/sbin/tini", "--"]
        «CMD ["node", "--max-old-space-size=512", "-r", "./trace.js", "server.js"]»

      `,
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
    files: {
      ...API_START,
      Dockerfile: dedent`
        ${HEAD}ENV NPM_CONFIG_PRODUCTION=true
        CMD npm start

      `,
    },
  },
  {
    name: 'NPM_CONFIG_PRODUCTION does not reach a plain node',
    files: {
      ...API_START,
      Dockerfile: dedent`
        ${HEAD}ENV NPM_CONFIG_PRODUCTION=true
        «CMD node server.js»

      `,
    },
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
    files: {
      ...API,
      Dockerfile: dedent`
        ${HEAD}ENV NODE_ENV=development
        CMD ["node", "server.js"]

      `,
    },
  },
  {
    name: 'development in a production file',
    files: {
      ...API,
      'Dockerfile.prod': dedent`
        ${HEAD}ENV NODE_ENV=«development»
        CMD ["node", "server.js"]

      `,
    },
    finds: [
      {
        messageId: 'development',
        fixed: dedent`
          ${HEAD}ENV NODE_ENV=production
          CMD ["node", "server.js"]

        `,
      },
    ],
  },
  {
    name: 'development for the build steps',
    files: {
      ...API,
      'Dockerfile.prod': dedent`
        FROM node:22-alpine
        WORKDIR /app
        ENV NODE_ENV=«development»
        COPY . .
        RUN npm ci && npm run build
        CMD ["node", "server.js"]

      `,
    },
    finds: [
      {
        messageId: 'development',
        fixed: dedent`
          FROM node:22-alpine
          WORKDIR /app
          ENV NODE_ENV=development
          COPY . .
          RUN npm ci && npm run build
          ENV NODE_ENV=production
          CMD ["node", "server.js"]

        `,
      },
    ],
  },
  {
    name: 'development for the build steps, and a service that starts the image by a command of its own',
    files: {
      ...API,
      'Dockerfile.prod': dedent`
        FROM node:22-alpine
        ENV NODE_ENV=«development»
        WORKDIR /app
        COPY . .
        RUN npm ci && npm run build
        CMD ["node", "server.js"]

      `,
      'docker-compose.prod.yml': dedent`
        services:
          web:
            build: { context: ., dockerfile: Dockerfile.prod }
            command: node server.js

      `,
    },
    finds: [
      {
        messageId: 'development',
        fixed: dedent`
          FROM node:22-alpine
          ENV NODE_ENV=development
          WORKDIR /app
          COPY . .
          RUN npm ci && npm run build
          ENV NODE_ENV=production
          CMD ["node", "server.js"]

        `,
      },
    ],
  },
  {
    name: 'prod is not production',
    files: {
      ...API,
      Dockerfile: dedent`
        ${HEAD}ENV NODE_ENV=«prod»
        CMD ["node", "server.js"]

      `,
    },
    finds: [
      {
        messageId: 'misspelt',
        says: ['`prod`', 'express'],
        fixed: dedent`
          ${HEAD}ENV NODE_ENV=production
          CMD ["node", "server.js"]

        `,
      },
    ],
  },
  {
    name: 'padded inside quotes',
    files: {
      ...API,
      Dockerfile: dedent`
        ${HEAD}ENV NODE_ENV="«production »"
        CMD ["node", "server.js"]

      `,
    },
    finds: [
      {
        messageId: 'misspelt',
        says: ['`production␠`'],
        fixed: dedent`
          ${HEAD}ENV NODE_ENV="production"
          CMD ["node", "server.js"]

        `,
      },
    ],
  },
  {
    name: 'equals sign with spaces: the old form takes it into the value',
    files: {
      ...API,
      Dockerfile: dedent`
        ${HEAD}ENV NODE_ENV «= production»
        CMD ["node", "server.js"]

      `,
    },
    finds: [{ messageId: 'misspelt' }],
  },
  {
    name: 'misspelt default of an ARG',
    files: {
      ...API,
      Dockerfile: dedent`
        ${HEAD}ARG NODE_ENV=«Production»
        ENV NODE_ENV=$NODE_ENV
        CMD ["node", "server.js"]

      `,
    },
    finds: [
      {
        messageId: 'misspelt',
        fixed: dedent`
          ${HEAD}ARG NODE_ENV=production
          ENV NODE_ENV=$NODE_ENV
          CMD ["node", "server.js"]

        `,
      },
    ],
  },
  {
    name: "staging is somebody's decision",
    files: {
      ...API,
      Dockerfile: dedent`
        ${HEAD}ENV NODE_ENV=staging
        CMD ["node", "server.js"]

      `,
    },
  },
  {
    name: 'set in an earlier stage that the last one builds on',
    files: {
      ...API,
      Dockerfile: dedent`
        FROM node:22 AS base
        ENV NODE_ENV=production
        WORKDIR /app
        FROM base AS prod
        COPY . .
        CMD ["node", "server.js"]

      `,
    },
  },
  {
    name: 'set only in the build stage',
    files: {
      ...API,
      Dockerfile: dedent`
        FROM node:22 AS build
        ENV NODE_ENV=production
        WORKDIR /src
        COPY . .
        RUN npm ci
        FROM node:22-slim
        WORKDIR /app
        COPY --from=build /src /app
        «CMD ["node", "server.js"]»

      `,
    },
    finds: [{ messageId: 'missing' }],
  },
  {
    name: 'CMD in the stage below',
    files: {
      ...API,
      Dockerfile: dedent`
        FROM node:22 AS base
        WORKDIR /app
        COPY . .
        «CMD ["node", "server.js"]»
        FROM base AS final
        RUN npm ci

      `,
    },
    finds: [
      {
        messageId: 'missing',
        fixed: dedent`
          FROM node:22 AS base
          WORKDIR /app
          COPY . .
          CMD ["node", "server.js"]
          FROM base AS final
          RUN npm ci
          ENV NODE_ENV=production

        `,
      },
    ],
  },
  {
    name: 'the last stage is for development',
    files: {
      ...API,
      Dockerfile: dedent`
        FROM node:22 AS production
        ENV NODE_ENV=production
        WORKDIR /app
        COPY . .
        CMD ["node", "server.js"]
        FROM production AS development
        ENV NODE_ENV=development
        CMD ["node", "server.js"]

      `,
    },
  },
  {
    name: 'the last stage is for development and the production one lacks it',
    files: {
      ...API,
      Dockerfile: dedent`
        FROM node:22 AS production
        WORKDIR /app
        COPY . .
        «CMD ["node", "server.js"]»
        FROM production AS dev
        CMD ["nodemon", "server.js"]

      `,
    },
    finds: [{ messageId: 'missing' }],
  },
  {
    name: 'RUN behind the CMD: the fix goes to the end',
    files: {
      ...API,
      Dockerfile: dedent`
        FROM node:22
        WORKDIR /app
        COPY . .
        «CMD ["node", "server.js"]»
        RUN npm ci

      `,
    },
    finds: [
      {
        messageId: 'missing',
        fixed: dedent`
          FROM node:22
          WORKDIR /app
          COPY . .
          CMD ["node", "server.js"]
          RUN npm ci
          ENV NODE_ENV=production

        `,
      },
    ],
  },
  {
    name: "a base image of somebody's own may set it",
    files: {
      ...API,
      Dockerfile: dedent`
        FROM registry.example.com/team/node-base:4
        WORKDIR /app
        COPY . .
        CMD ["node", "server.js"]

      `,
    },
  },
  {
    name: 'mirrors of the official image',
    files: {
      ...API,
      Dockerfile: dedent`
        ARG VERSION=22
        FROM public.ecr.aws/docker/library/node:\${VERSION}
        WORKDIR /app
        COPY . .
        «CMD ["node", "server.js"]»

      `,
    },
    finds: [{ messageId: 'missing' }],
  },
  {
    name: 'a plain system image with node installed',
    files: {
      ...API,
      Dockerfile: dedent`
        FROM ubuntu:24.04
        RUN apt-get install -y nodejs
        WORKDIR /srv
        ADD . /srv
        «CMD nodejs server.js»

      `,
    },
    finds: [{ messageId: 'missing' }],
  },
  {
    name: 'distroless runs node itself',
    files: {
      ...API,
      Dockerfile: dedent`
        FROM node:22 AS build
        WORKDIR /app
        COPY . .
        FROM gcr.io/distroless/nodejs22-debian12
        COPY --from=build /app /app
        WORKDIR /app
        «CMD ["server.js"]»

      `,
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
      'start.sh': dedent`
        #!/bin/sh
        set -e
        node migrate.js || exit 1
        exec su-exec node node server.js

      `,
      Dockerfile: `${HEAD}«CMD ["./start.sh"]»\n`,
    },
    finds: [{ messageId: 'missing', related: ['start.sh: exec su-exec node node server.js'] }],
  },
  {
    name: 'a start script that sets it',
    files: {
      ...API,
      'start.sh': dedent`
        #!/bin/sh
        export NODE_ENV="production"
        exec node server.js

      `,
      Dockerfile: `${HEAD}CMD ./start.sh\n`,
    },
  },
  {
    name: 'an entrypoint script that hands over',
    files: {
      ...API,
      'docker-entrypoint.sh': dedent`
        #!/bin/sh
        set -e
        exec "$@"

      `,
      Dockerfile: dedent`
        ${HEAD}ENTRYPOINT ["./docker-entrypoint.sh"]
        «CMD ["node", "server.js"]»

      `,
    },
    finds: [{ messageId: 'missing' }],
  },
  {
    name: 'an entrypoint script that sets a default',
    files: {
      ...API,
      'docker/entrypoint.sh': dedent`
        #!/bin/bash
        : "\${NODE_ENV:=production}"
        export NODE_ENV
        exec "$@"

      `,
      Dockerfile: dedent`
        ${HEAD}COPY docker/entrypoint.sh /entrypoint.sh
        ENTRYPOINT ["/entrypoint.sh"]
        CMD ["node", "server.js"]

      `,
    },
  },
  {
    name: 'an entrypoint script that chooses by NODE_ENV',
    files: {
      ...API,
      'run.sh': dedent`
        #!/bin/sh
        if [ "$NODE_ENV" = "production" ]; then
          node server.js
        else
          npx nodemon server.js
        fi

      `,
      Dockerfile: `${HEAD}CMD ["sh", "run.sh"]\n`,
    },
  },
  {
    name: 'an entrypoint that is not in the project',
    files: {
      ...API,
      Dockerfile: dedent`
        ${HEAD}ENTRYPOINT ["/opt/entry.sh"]
        CMD ["node", "server.js"]

      `,
    },
  },
  {
    name: 'the official entrypoint, named again',
    files: {
      ...API,
      Dockerfile: dedent`
        ${HEAD}ENTRYPOINT ["docker-entrypoint.sh"]
        «CMD ["node", "server.js"]»

      `,
    },
    finds: [{ messageId: 'missing' }],
  },
  {
    name: 'an entrypoint of its own under the official name',
    files: {
      ...API,
      'docker/docker-entrypoint.sh': dedent`
        #!/bin/sh
        export NODE_ENV=production
        exec "$@"

      `,
      Dockerfile: dedent`
        ${HEAD}COPY docker/docker-entrypoint.sh /usr/local/bin/
        ENTRYPOINT ["docker-entrypoint.sh"]
        CMD ["node", "server.js"]

      `,
    },
  },
  {
    name: 'a script for development by name',
    files: {
      ...API,
      'startup.dev.sh': dedent`
        #!/bin/sh
        node server.js

      `,
      Dockerfile: `${HEAD}CMD ["./startup.dev.sh"]\n`,
    },
  },
  {
    name: 'two programs: the one that is seen to be a server is named',
    files: { ...API, 'after.js': 'require(process.argv[2]).listen(1);', Dockerfile: `${HEAD}«CMD node server.js & node after.js ./x»\n` },
    finds: [{ messageId: 'missing', says: ['`node server.js`'] }],
  },
  { name: 'no command at all', files: { ...API, Dockerfile: HEAD } },
  {
    name: 'no Node program',
    files: {
      ...API,
      Dockerfile: dedent`
        FROM nginx:alpine
        COPY dist /usr/share/nginx/html
        CMD ["nginx", "-g", "daemon off;"]

      `,
    },
  },
  {
    name: 'ENTRYPOINT set anew forgets the CMD below',
    files: {
      ...API,
      'tool.js': 'console.log(1)',
      Dockerfile: dedent`
        FROM node:22 AS base
        WORKDIR /app
        COPY . .
        CMD ["server.js"]
        FROM base
        ENTRYPOINT ["node"]

      `,
    },
  },
  {
    name: 'built from TypeScript in another stage',
    files: {
      'package.json': manifest({ dependencies: ['express'] }),
      'src/main.ts': dedent`
        import express from 'express';
        express().listen(1);

      `,
      Dockerfile: dedent`
        FROM node:22 AS build
        WORKDIR /app
        COPY . .
        RUN npm run build
        FROM node:22
        WORKDIR /srv/app
        COPY --from=build /app/dist ./dist
        «CMD ["node", "dist/main.js"]»

      `,
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
      Dockerfile: dedent`
        FROM node:22
        WORKDIR /app
        COPY server/ ./
        RUN npm ci
        «CMD ["node", "index.js"]»

      `,
    },
    finds: [{ messageId: 'missing' }],
  },
  {
    name: 'cloned inside the image: the folder tells',
    files: {
      'package.json': '{"name":"front"}',
      'server/package.json': manifest({ dependencies: ['express'] }),
      'server/app.js': "require('express')().listen(1)",
      Dockerfile: dedent`
        FROM node:6
        RUN git clone https://example.com/x
        WORKDIR x/server
        «CMD ["node", "app.js"]»

      `,
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
      Dockerfile: dedent`
        FROM node:22
        WORKDIR /app
        COPY --from=x /app/.next/standalone ./
        CMD ["node", "server.js"]

      `,
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
    files: {
      ...API,
      'fly.toml': dedent`
        [env]
          NODE_ENV = "production"

      `,
      Dockerfile: `${HEAD}CMD ["node", "server.js"]\n`,
    },
  },
  { name: 'a file that is no Dockerfile yet', files: { ...API, 'Dockerfile.hbs': `${HEAD}CMD ["node", "server.js"]\n` } },
  {
    name: 'Nest alone: no views, and nothing leaked by its own routes',
    files: {
      'package.json': manifest({ dependencies: ['@nestjs/core', '@nestjs/platform-express'] }),
      'src/main.ts': "import { NestFactory } from '@nestjs/core';\n",
      Dockerfile: `${HEAD}CMD ["node", "dist/main"]\n`,
    },
  },
  {
    name: 'Nest with hbs views',
    files: {
      'package.json': manifest({ dependencies: ['@nestjs/core', '@nestjs/platform-express', 'hbs'] }),
      'src/main.ts': dedent`
        import { NestFactory } from '@nestjs/core';
        async function go() { const app = await NestFactory.create(null); app.setViewEngine('hbs'); }

      `,
      Dockerfile: `${HEAD}«CMD ["node", "dist/main"]»\n`,
    },
    finds: [{ messageId: 'missing', severity: 'warning', says: ['hbs compiles a template once'] }],
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
    finds: [{ messageId: 'missing', severity: 'warning', says: ['@fastify/view caches compiled templates only', 'not measured here'] }],
  },
  {
    name: 'Apollo on Koa',
    files: {
      'package.json': manifest({ dependencies: ['koa', '@apollo/server', 'graphql'] }),
      'server.mjs': dedent`
        import Koa from 'koa';
        import { ApolloServer } from '@apollo/server';

      `,
      Dockerfile: `${HEAD}«CMD node server.mjs»\n`,
    },
    finds: [{ messageId: 'missing', says: ['Apollo Server allows introspection'], saysNot: ['Express'] }],
  },
  {
    name: 'react-dom on the server',
    files: {
      'package.json': manifest({ dependencies: ['fastify', 'react', 'react-dom'] }),
      'server.mjs': dedent`
        import fastify from 'fastify';
        import { renderToString } from 'react-dom/server';

      `,
      Dockerfile: `${HEAD}«CMD node server.mjs»\n`,
    },
    finds: [{ messageId: 'missing', severity: 'warning', says: ['react-dom loads its development build'] }],
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
      'server.ts': dedent`
        import type { Request } from 'express';
        import fastify from 'fastify';

      `,
      Dockerfile: `${HEAD}CMD npx tsx server.ts\n`,
    },
  },
];
