// Projects with Compose files.
import { API, API_START, PAGES, manifest, type DeploymentCase } from './case.ts';
import { dedent } from '../../../analysis/testing/dedent.ts';

const IMAGE = dedent`
  FROM node:22
  WORKDIR /app
  COPY . .
  RUN npm ci

`;
const STARTS = `${IMAGE}CMD ["node", "server.js"]\n`;

export const composeCases: readonly DeploymentCase[] = [
  {
    name: "a name without a value passes the host's on",
    files: {
      ...API_START,
      Dockerfile: IMAGE,
      'docker-compose.yml': dedent`
          services:
            web:
              build: .
              environment:
                «NODE_ENV:»
                PORT: 80
              command: sh -c "until nc -z db 1; do sleep 1; done; node seed.js && npm start"

        `,
      'seed.js': '',
    },
    finds: [
      {
        messageId: 'host',
        says: ['The service `web` starts `node server.js`'],
        related: ['package.json: "node server.js"'],
        fixed: dedent`
            services:
              web:
                build: .
                environment:
                  NODE_ENV: \${NODE_ENV:-production}
                  PORT: 80
                command: sh -c "until nc -z db 1; do sleep 1; done; node seed.js && npm start"

          `,
      },
    ],
  },
  {
    name: 'the same in the list form, reported here and not in the Dockerfile again',
    files: {
      ...API,
      Dockerfile: STARTS,
      'compose.yaml': dedent`
        services:
          web:
            build: .
            environment:
              - PORT=80
              - «NODE_ENV»

      `,
    },
    finds: [
      {
        messageId: 'host',
        fixed: dedent`
        services:
          web:
            build: .
            environment:
              - PORT=80
              - NODE_ENV=\${NODE_ENV:-production}

      `,
      },
    ],
  },
  {
    name: '${NODE_ENV} without a default',
    files: {
      ...API,
      Dockerfile: STARTS,
      'docker-compose.yml': dedent`
        services:
          web:
            build: .
            environment:
              - NODE_ENV=«\${NODE_ENV}»

      `,
    },
    finds: [
      {
        messageId: 'host',
        fixed: dedent`
      services:
        web:
          build: .
          environment:
            - NODE_ENV=\${NODE_ENV:-production}

    `,
      },
    ],
  },
  {
    name: '${NODE_ENV:-production}',
    files: {
      ...API,
      Dockerfile: STARTS,
      'docker-compose.yml': dedent`
        services:
          web:
            build: .
            environment:
              NODE_ENV: \${NODE_ENV:-production}

      `,
    },
  },
  {
    name: '${NODE_ENV} from the .env beside it',
    files: {
      ...API,
      Dockerfile: STARTS,
      '.env': 'NODE_ENV=production\n',
      'docker-compose.yml': dedent`
        services:
          web:
            build: .
            environment:
              NODE_ENV: \${NODE_ENV}

      `,
    },
  },
  {
    name: 'a template asks for it in .env',
    files: {
      ...API,
      Dockerfile: STARTS,
      '.env.example': 'NODE_ENV=development\n',
      'docker-compose.yml': dedent`
        services:
          web:
            build: .
            environment:
              NODE_ENV: \${NODE_ENV}

      `,
    },
  },
  {
    name: 'the image sets it, the name without a value aside',
    files: {
      ...API,
      Dockerfile: dedent`
        ${IMAGE}ENV NODE_ENV=production
        CMD ["node", "server.js"]

      `,
      'docker-compose.yml': dedent`
        services:
          web:
            build: .
            environment:
              PORT: 80

      `,
    },
  },
  {
    name: 'compose sets it for the image, map',
    files: {
      ...API,
      Dockerfile: STARTS,
      'docker-compose.yml': dedent`
        services:
          web:
            build: .
            environment:
              NODE_ENV: production

      `,
    },
  },
  {
    name: 'compose sets it for the image, list',
    files: {
      ...API,
      Dockerfile: STARTS,
      'docker-compose.yml': dedent`
        services:
          web:
            build:
              context: .
            environment:
              - "NODE_ENV=production"

      `,
    },
  },
  {
    name: 'compose sets it in an env_file',
    files: {
      ...API,
      Dockerfile: STARTS,
      'web.env': 'NODE_ENV=production\n',
      'docker-compose.yml': dedent`
        services:
          web:
            build: .
            env_file:
              - web.env

      `,
    },
  },
  {
    name: 'an env_file that is not committed',
    files: {
      ...API,
      Dockerfile: STARTS,
      'docker-compose.yml': dedent`
      services:
        web:
          build: .
          env_file: .env

    `,
    },
  },
  {
    name: 'an env_file without it',
    files: {
      ...API,
      Dockerfile: `${IMAGE}«CMD ["node", "server.js"]»\n`,
      'web.env': 'PORT=80\n',
      'docker-compose.yml': dedent`
        services:
          web:
            build: .
            env_file: web.env

      `,
    },
    finds: [{ messageId: 'missing', related: ['docker-compose.yml: web'] }],
  },
  {
    name: 'compose sets it for the image as it is published',
    files: {
      ...API,
      Dockerfile: STARTS,
      'docker-compose.yml': dedent`
        services:
          web:
            image: me/app:latest
            environment:
              NODE_ENV: production

      `,
    },
  },
  {
    name: 'set in a merged block',
    files: {
      ...API,
      Dockerfile: STARTS,
      'docker-compose.yml': dedent`
          x-env: &env
            NODE_ENV: production
          services:
            web:
              build: .
              environment:
                <<: *env
                PORT: 80

        `,
    },
  },
  {
    name: 'set in an anchored list',
    files: {
      ...API,
      Dockerfile: STARTS,
      'docker-compose.yml': dedent`
        x-env: &env
          - NODE_ENV=production
        services:
          web:
            build: .
            environment: *env

      `,
    },
  },
  {
    name: 'set in the service that it extends',
    files: {
      ...API,
      Dockerfile: STARTS,
      'docker-compose.yml': dedent`
          services:
            base:
              build: .
              environment: { NODE_ENV: production }
            web:
              extends: base
              ports: ["80:80"]

        `,
    },
  },
  {
    name: 'one cause: the Dockerfile, with the service beside it',
    files: {
      ...API,
      Dockerfile: `${IMAGE}«CMD ["node", "server.js"]»\n`,
      'docker-compose.yml': dedent`
        services:
          web:
            build: .
            ports: ["80:80"]

      `,
    },
    finds: [{ messageId: 'missing', related: ['docker-compose.yml: web'] }],
  },
  {
    name: 'its own command on an image without one, no environment yet',
    files: {
      ...API,
      Dockerfile: IMAGE,
      'docker-compose.yml': dedent`
        services:
            web:
                build: .
                command: «node server.js»

      `,
    },
    finds: [
      {
        messageId: 'missing',
        fixed: dedent`
            services:
                web:
                    environment:
                        NODE_ENV: production
                    build: .
                    command: node server.js

          `,
      },
    ],
  },
  {
    name: 'the environment as a map',
    files: {
      ...API,
      Dockerfile: IMAGE,
      'docker-compose.yml': dedent`
          services:
            web:
              build: .
              command: «["node", "server.js"]»
              environment:
                # the port
                PORT: 80

        `,
    },
    finds: [
      {
        messageId: 'missing',
        fixed: dedent`
            services:
              web:
                build: .
                command: ["node", "server.js"]
                environment:
                  # the port
                  NODE_ENV: production
                  PORT: 80

          `,
      },
    ],
  },
  {
    name: 'the environment as a list',
    files: {
      ...API,
      Dockerfile: IMAGE,
      'docker-compose.yml': dedent`
        services:
          web:
            build: .
            command: «npm run serve»
            environment:
            - PORT=80

      `,
      'package.json': manifest({ dependencies: ['express'], scripts: { serve: 'node server.js' } }),
    },
    finds: [
      {
        messageId: 'missing',
        related: ['package.json: "node server.js"'],
        fixed: dedent`
          services:
            web:
              build: .
              command: npm run serve
              environment:
              - NODE_ENV=production
              - PORT=80

        `,
      },
    ],
  },
  {
    name: 'an empty environment map',
    files: {
      ...API,
      Dockerfile: IMAGE,
      'docker-compose.yml': dedent`
        services:
          web:
            build: .
            command: «node server.js»
            environment: {}

      `,
    },
    finds: [
      {
        messageId: 'missing',
        fixed: dedent`
        services:
          web:
            build: .
            command: node server.js
            environment: { NODE_ENV: production }

        `,
      },
    ],
  },
  {
    name: 'an empty environment list',
    files: {
      ...API,
      Dockerfile: IMAGE,
      'docker-compose.yml': dedent`
        services:
          web:
            build: .
            command: «node server.js»
            environment: []

      `,
    },
    finds: [
      {
        messageId: 'missing',
        fixed: dedent`
        services:
          web:
            build: .
            command: node server.js
            environment: [NODE_ENV=production]

        `,
      },
    ],
  },
  {
    name: 'an environment without a value',
    files: {
      ...API,
      Dockerfile: IMAGE,
      'docker-compose.yml': dedent`
        services:
          web:
            build: .
            command: «node server.js»
            environment: # to do
            restart: always

      `,
    },
    finds: [
      {
        messageId: 'missing',
        fixed: dedent`
        services:
          web:
            build: .
            command: node server.js
            environment: # to do
              NODE_ENV: production
            restart: always

        `,
      },
    ],
  },
  {
    name: 'a service in flow style',
    files: {
      ...API,
      Dockerfile: IMAGE,
      'docker-compose.yml': dedent`
        services:
          web: { build: ., command: «node server.js» }

      `,
    },
    finds: [
      {
        messageId: 'missing',
        fixed: dedent`
        services:
          web: { environment: { NODE_ENV: production }, build: ., command: node server.js }

        `,
      },
    ],
  },
  {
    name: 'a service in flow style with an environment',
    files: {
      ...API,
      Dockerfile: IMAGE,
      'docker-compose.yml': dedent`
        services:
          web: { build: ., command: «node server.js», environment: { PORT: 80 } }

      `,
    },
    finds: [
      {
        messageId: 'missing',
        fixed: dedent`
        services:
          web: { build: ., command: node server.js, environment: { NODE_ENV: production, PORT: 80 } }

        `,
      },
    ],
  },
  {
    name: 'the environment in flow style',
    files: {
      ...API,
      Dockerfile: IMAGE,
      'docker-compose.yml': dedent`
        services:
          web:
            build: .
            command: «node server.js»
            environment: { PORT: 80 }

      `,
    },
    finds: [
      {
        messageId: 'missing',
        fixed: dedent`
          services:
            web:
              build: .
              command: node server.js
              environment: { NODE_ENV: production, PORT: 80 }

        `,
      },
    ],
  },
  {
    name: 'set in the command',
    files: {
      ...API,
      Dockerfile: IMAGE,
      'docker-compose.yml': dedent`
        services:
          web:
            build: .
            command: sh -c "NODE_ENV=production node server.js"

      `,
    },
  },
  {
    name: 'sources mounted for development',
    files: {
      ...API,
      Dockerfile: IMAGE,
      'docker-compose.yml': dedent`
        services:
          web:
            build: .
            command: node server.js
            volumes:
              - .:/app

      `,
    },
  },
  {
    name: 'data mounted',
    files: {
      ...API,
      Dockerfile: IMAGE,
      'docker-compose.yml': dedent`
          services:
            web:
              build: .
              command: «node server.js»
              volumes:
                - ./data:/data
                - uploads:/app/uploads

        `,
    },
    finds: [{ messageId: 'missing' }],
  },
  {
    name: 'a development file',
    files: {
      ...API,
      Dockerfile: IMAGE,
      'docker-compose.dev.yml': dedent`
        services:
          web:
            build: .
            command: node server.js

      `,
      'docker-compose.override.yml': dedent`
        services:
          web:
            build: .
            command: node server.js

      `,
    },
  },
  {
    name: 'a service for tests',
    files: {
      ...API,
      Dockerfile: IMAGE,
      'docker-compose.yml': dedent`
          services:
            web-test:
              build: .
              command: node server.js
            web:
              profiles: [dev]
              build: .
              command: node server.js

        `,
    },
  },
  {
    name: 'only databases',
    files: {
      ...API,
      'docker-compose.yml': dedent`
    services:
      db:
        image: mongo:6
      cache:
        image: redis

  `,
    },
  },
  {
    name: 'an image from elsewhere',
    files: {
      ...API,
      'docker-compose.yml': dedent`
    services:
      web:
        image: somebody/app:1

  `,
    },
  },
  {
    name: 'development in a plain compose file',
    files: {
      ...API,
      Dockerfile: STARTS,
      'docker-compose.yml': dedent`
        services:
          web:
            build: .
            environment:
              NODE_ENV: development

      `,
    },
  },
  {
    name: 'development in the production file, over the base',
    files: {
      ...API,
      Dockerfile: STARTS,
      'docker-compose.yml': dedent`
        services:
          web:
            build: .

      `,
      'docker-compose.prod.yml': dedent`
        services:
          web:
            environment:
              NODE_ENV: «development»

      `,
    },
    finds: [
      {
        messageId: 'development',
        says: ['The service `web`'],
        fixed: dedent`
        services:
          web:
            environment:
              NODE_ENV: production

      `,
      },
    ],
  },
  {
    name: 'the production file sets it over the base',
    files: {
      ...API,
      Dockerfile: STARTS,
      'docker-compose.yml': dedent`
        services:
          web:
            build: .
            environment:
              NODE_ENV: \${NODE_ENV}

      `,
      'docker-compose.prod.yml': dedent`
        services:
          web:
            environment:
              NODE_ENV: production

      `,
    },
  },
  {
    name: 'quotes in a list belong to the value',
    files: {
      ...API,
      Dockerfile: STARTS,
      'docker-compose.yml': dedent`
        services:
          web:
            build: .
            environment:
              - NODE_ENV=«"production"»

      `,
    },
    finds: [
      {
        messageId: 'misspelt',
        fixed: dedent`
      services:
        web:
          build: .
          environment:
            - NODE_ENV=production

    `,
      },
    ],
  },
  {
    name: 'quotes in a map do not',
    files: {
      ...API,
      Dockerfile: STARTS,
      'docker-compose.yml': dedent`
        services:
          web:
            build: .
            environment:
              NODE_ENV: "production"

      `,
    },
  },
  {
    name: 'prod, with the measured figure',
    files: {
      ...PAGES,
      Dockerfile: STARTS,
      'docker-compose.yml': dedent`
        services:
          web:
            build: .
            environment:
              NODE_ENV: "«prod»"

      `,
    },
    finds: [
      {
        messageId: 'misspelt',
        severity: 'warning',
        says: ['`prod`', '11–33×'],
        fixed: dedent`
          services:
            web:
              build: .
              environment:
                NODE_ENV: "production"

        `,
      },
    ],
  },
  {
    name: 'prod for an image that cannot be seen, in a project that reads it',
    files: {
      ...API_START,
      'docker-compose.yml': dedent`
      services:
        web:
          image: me/app
          environment:
            NODE_ENV: «PRODUCTION»

    `,
    },
    finds: [{ messageId: 'misspelt' }],
  },
  {
    name: 'development for an image that cannot be seen, in a file for production',
    files: {
      ...API_START,
      'compose.production.yaml': dedent`
        services:
          web:
            image: me/app
            environment:
              - NODE_ENV=«development»

      `,
    },
    finds: [{ messageId: 'development', says: ['an image of the project'] }],
  },
  {
    name: 'a stage chosen by target',
    files: {
      ...API,
      Dockerfile: dedent`
          FROM node:22 AS base
          WORKDIR /app
          COPY . .
          FROM base AS web
          CMD ["node", "server.js"]
          FROM base AS jobs
          CMD ["node", "jobs.js"]

        `.replace('CMD ["node", "server.js"]', '«CMD ["node", "server.js"]»'),
      'jobs.js': '',
      'docker-compose.yml': dedent`
        services:
          web:
            build:
              context: .
              target: web

      `,
    },
    finds: [{ messageId: 'missing' }],
  },
  {
    name: 'build arguments from compose',
    files: {
      ...API,
      Dockerfile: dedent`
        FROM node:22
        ARG NODE_ENV
        ENV NODE_ENV=$NODE_ENV
        WORKDIR /app
        COPY . .
        CMD ["node", "server.js"]

      `,
      'docker-compose.yml': dedent`
        services:
          web:
            build:
              context: .
              args:
                NODE_ENV: production

      `,
    },
  },
  {
    name: "a monorepo's compose file above sets it",
    files: {
      ...API,
      Dockerfile: STARTS,
      '../docker-compose.yml': dedent`
        services:
          api:
            build: ./project
            environment:
              NODE_ENV: production

      `,
    },
  },
  {
    name: "a service of a package below is that package's",
    files: {
      'package.json': '{"name":"mono","private":true}',
      'api/package.json': manifest({ dependencies: ['express'] }),
      'api/server.js': "require('express')().listen(1)",
      'docker-compose.yml': dedent`
        services:
          api:
            build: ./api
            command: «node server.js»

      `,
      'api/Dockerfile': IMAGE,
    },
    finds: [{ messageId: 'missing' }],
  },
  {
    name: 'the first version of the format',
    files: {
      ...API,
      Dockerfile: IMAGE,
      'docker-compose.yml': dedent`
      web:
        build: .
        command: «node server.js»

    `,
    },
    finds: [{ messageId: 'missing' }],
  },
  {
    name: 'a comment and a block scalar',
    files: {
      ...API,
      Dockerfile: IMAGE,
      'docker-compose.yml': dedent`
        services:
          web:
            build: .
            command: «>
              sh -c "node wait.js &&
              node server.js"
        »
      `,
      'wait.js': '',
    },
    finds: [{ messageId: 'missing', says: ['`node server.js`'] }],
  },
];
