import { API, API_START, PAGES, manifest, type DeploymentCase } from './case.ts';

const IMAGE = 'FROM node:22\nWORKDIR /app\nCOPY . .\nRUN npm ci\n';
const STARTS = `${IMAGE}CMD ["node", "server.js"]\n`;

export const composeCases: readonly DeploymentCase[] = [
  {
    name: "a name without a value passes the host's on",
    files: {
      ...API_START,
      Dockerfile: IMAGE,
      'docker-compose.yml':
        'services:\n  web:\n    build: .\n    environment:\n      «NODE_ENV:»\n      PORT: 80\n    command: sh -c "until nc -z db 1; do sleep 1; done; node seed.js && npm start"\n',
      'seed.js': '',
    },
    finds: [
      {
        messageId: 'host',
        says: ['The service `web` starts `node server.js`'],
        related: ['package.json: "node server.js"'],
        fixed:
          'services:\n  web:\n    build: .\n    environment:\n      NODE_ENV: production\n      PORT: 80\n    command: sh -c "until nc -z db 1; do sleep 1; done; node seed.js && npm start"\n',
      },
    ],
  },
  {
    name: 'the same in the list form, reported here and not in the Dockerfile again',
    files: {
      ...API,
      Dockerfile: STARTS,
      'compose.yaml': 'services:\n  web:\n    build: .\n    environment:\n      - PORT=80\n      - «NODE_ENV»\n',
    },
    finds: [
      { messageId: 'host', fixed: 'services:\n  web:\n    build: .\n    environment:\n      - PORT=80\n      - NODE_ENV=production\n' },
    ],
  },
  {
    name: '${NODE_ENV} without a default',
    files: {
      ...API,
      Dockerfile: STARTS,
      'docker-compose.yml': 'services:\n  web:\n    build: .\n    environment:\n      - NODE_ENV=«${NODE_ENV}»\n',
    },
    finds: [{ messageId: 'host', fixed: 'services:\n  web:\n    build: .\n    environment:\n      - NODE_ENV=${NODE_ENV:-production}\n' }],
  },
  {
    name: '${NODE_ENV:-production}',
    files: {
      ...API,
      Dockerfile: STARTS,
      'docker-compose.yml': 'services:\n  web:\n    build: .\n    environment:\n      NODE_ENV: ${NODE_ENV:-production}\n',
    },
  },
  {
    name: '${NODE_ENV} from the .env beside it',
    files: {
      ...API,
      Dockerfile: STARTS,
      '.env': 'NODE_ENV=production\n',
      'docker-compose.yml': 'services:\n  web:\n    build: .\n    environment:\n      NODE_ENV: ${NODE_ENV}\n',
    },
  },
  {
    name: 'a template asks for it in .env',
    files: {
      ...API,
      Dockerfile: STARTS,
      '.env.example': 'NODE_ENV=development\n',
      'docker-compose.yml': 'services:\n  web:\n    build: .\n    environment:\n      NODE_ENV: ${NODE_ENV}\n',
    },
  },
  {
    name: 'the image sets it, the name without a value aside',
    files: {
      ...API,
      Dockerfile: `${IMAGE}ENV NODE_ENV=production\nCMD ["node", "server.js"]\n`,
      'docker-compose.yml': 'services:\n  web:\n    build: .\n    environment:\n      PORT: 80\n',
    },
  },
  {
    name: 'compose sets it for the image, map',
    files: {
      ...API,
      Dockerfile: STARTS,
      'docker-compose.yml': 'services:\n  web:\n    build: .\n    environment:\n      NODE_ENV: production\n',
    },
  },
  {
    name: 'compose sets it for the image, list',
    files: {
      ...API,
      Dockerfile: STARTS,
      'docker-compose.yml': 'services:\n  web:\n    build:\n      context: .\n    environment:\n      - "NODE_ENV=production"\n',
    },
  },
  {
    name: 'compose sets it in an env_file',
    files: {
      ...API,
      Dockerfile: STARTS,
      'web.env': 'NODE_ENV=production\n',
      'docker-compose.yml': 'services:\n  web:\n    build: .\n    env_file:\n      - web.env\n',
    },
  },
  {
    name: 'an env_file that is not committed',
    files: { ...API, Dockerfile: STARTS, 'docker-compose.yml': 'services:\n  web:\n    build: .\n    env_file: .env\n' },
  },
  {
    name: 'an env_file without it',
    files: {
      ...API,
      Dockerfile: `${IMAGE}«CMD ["node", "server.js"]»\n`,
      'web.env': 'PORT=80\n',
      'docker-compose.yml': 'services:\n  web:\n    build: .\n    env_file: web.env\n',
    },
    finds: [{ messageId: 'missing', related: ['docker-compose.yml: web'] }],
  },
  {
    name: 'compose sets it for the image as it is published',
    files: {
      ...API,
      Dockerfile: STARTS,
      'docker-compose.yml': 'services:\n  web:\n    image: me/app:latest\n    environment:\n      NODE_ENV: production\n',
    },
  },
  {
    name: 'set in a merged block',
    files: {
      ...API,
      Dockerfile: STARTS,
      'docker-compose.yml':
        'x-env: &env\n  NODE_ENV: production\nservices:\n  web:\n    build: .\n    environment:\n      <<: *env\n      PORT: 80\n',
    },
  },
  {
    name: 'set in an anchored list',
    files: {
      ...API,
      Dockerfile: STARTS,
      'docker-compose.yml': 'x-env: &env\n  - NODE_ENV=production\nservices:\n  web:\n    build: .\n    environment: *env\n',
    },
  },
  {
    name: 'set in the service that it extends',
    files: {
      ...API,
      Dockerfile: STARTS,
      'docker-compose.yml':
        'services:\n  base:\n    build: .\n    environment: { NODE_ENV: production }\n  web:\n    extends: base\n    ports: ["80:80"]\n',
    },
  },
  {
    name: 'one cause: the Dockerfile, with the service beside it',
    files: {
      ...API,
      Dockerfile: `${IMAGE}«CMD ["node", "server.js"]»\n`,
      'docker-compose.yml': 'services:\n  web:\n    build: .\n    ports: ["80:80"]\n',
    },
    finds: [{ messageId: 'missing', related: ['docker-compose.yml: web'] }],
  },
  {
    name: 'its own command on an image without one, no environment yet',
    files: {
      ...API,
      Dockerfile: IMAGE,
      'docker-compose.yml': 'services:\n    web:\n        build: .\n        command: «node server.js»\n',
    },
    finds: [
      {
        messageId: 'missing',
        fixed:
          'services:\n    web:\n        environment:\n            NODE_ENV: production\n        build: .\n        command: node server.js\n',
      },
    ],
  },
  {
    name: 'the environment as a map',
    files: {
      ...API,
      Dockerfile: IMAGE,
      'docker-compose.yml':
        'services:\n  web:\n    build: .\n    command: «["node", "server.js"]»\n    environment:\n      # the port\n      PORT: 80\n',
    },
    finds: [
      {
        messageId: 'missing',
        fixed:
          'services:\n  web:\n    build: .\n    command: ["node", "server.js"]\n    environment:\n      # the port\n      NODE_ENV: production\n      PORT: 80\n',
      },
    ],
  },
  {
    name: 'the environment as a list',
    files: {
      ...API,
      Dockerfile: IMAGE,
      'docker-compose.yml': 'services:\n  web:\n    build: .\n    command: «npm run serve»\n    environment:\n    - PORT=80\n',
      'package.json': manifest({ dependencies: ['express'], scripts: { serve: 'node server.js' } }),
    },
    finds: [
      {
        messageId: 'missing',
        related: ['package.json: "node server.js"'],
        fixed: 'services:\n  web:\n    build: .\n    command: npm run serve\n    environment:\n    - NODE_ENV=production\n    - PORT=80\n',
      },
    ],
  },
  {
    name: 'the environment in flow style',
    files: {
      ...API,
      Dockerfile: IMAGE,
      'docker-compose.yml': 'services:\n  web:\n    build: .\n    command: «node server.js»\n    environment: { PORT: 80 }\n',
    },
    finds: [
      {
        messageId: 'missing',
        fixed: 'services:\n  web:\n    build: .\n    command: node server.js\n    environment: { NODE_ENV: production, PORT: 80 }\n',
      },
    ],
  },
  {
    name: 'set in the command',
    files: {
      ...API,
      Dockerfile: IMAGE,
      'docker-compose.yml': 'services:\n  web:\n    build: .\n    command: sh -c "NODE_ENV=production node server.js"\n',
    },
  },
  {
    name: 'sources mounted for development',
    files: {
      ...API,
      Dockerfile: IMAGE,
      'docker-compose.yml': 'services:\n  web:\n    build: .\n    command: node server.js\n    volumes:\n      - .:/app\n',
    },
  },
  {
    name: 'data mounted',
    files: {
      ...API,
      Dockerfile: IMAGE,
      'docker-compose.yml':
        'services:\n  web:\n    build: .\n    command: «node server.js»\n    volumes:\n      - ./data:/data\n      - uploads:/app/uploads\n',
    },
    finds: [{ messageId: 'missing' }],
  },
  {
    name: 'a development file',
    files: {
      ...API,
      Dockerfile: IMAGE,
      'docker-compose.dev.yml': 'services:\n  web:\n    build: .\n    command: node server.js\n',
      'docker-compose.override.yml': 'services:\n  web:\n    build: .\n    command: node server.js\n',
    },
  },
  {
    name: 'a service for tests',
    files: {
      ...API,
      Dockerfile: IMAGE,
      'docker-compose.yml':
        'services:\n  web-test:\n    build: .\n    command: node server.js\n  web:\n    profiles: [dev]\n    build: .\n    command: node server.js\n',
    },
  },
  { name: 'only databases', files: { ...API, 'docker-compose.yml': 'services:\n  db:\n    image: mongo:6\n  cache:\n    image: redis\n' } },
  { name: 'an image from elsewhere', files: { ...API, 'docker-compose.yml': 'services:\n  web:\n    image: somebody/app:1\n' } },
  {
    name: 'development in a plain compose file',
    files: {
      ...API,
      Dockerfile: STARTS,
      'docker-compose.yml': 'services:\n  web:\n    build: .\n    environment:\n      NODE_ENV: development\n',
    },
  },
  {
    name: 'development in the production file, over the base',
    files: {
      ...API,
      Dockerfile: STARTS,
      'docker-compose.yml': 'services:\n  web:\n    build: .\n',
      'docker-compose.prod.yml': 'services:\n  web:\n    environment:\n      NODE_ENV: «development»\n',
    },
    finds: [
      { messageId: 'development', says: ['The service `web`'], fixed: 'services:\n  web:\n    environment:\n      NODE_ENV: production\n' },
    ],
  },
  {
    name: 'the production file sets it over the base',
    files: {
      ...API,
      Dockerfile: STARTS,
      'docker-compose.yml': 'services:\n  web:\n    build: .\n    environment:\n      NODE_ENV: ${NODE_ENV}\n',
      'docker-compose.prod.yml': 'services:\n  web:\n    environment:\n      NODE_ENV: production\n',
    },
  },
  {
    name: 'quotes in a list belong to the value',
    files: {
      ...API,
      Dockerfile: STARTS,
      'docker-compose.yml': 'services:\n  web:\n    build: .\n    environment:\n      - NODE_ENV=«"production"»\n',
    },
    finds: [{ messageId: 'misspelt', fixed: 'services:\n  web:\n    build: .\n    environment:\n      - NODE_ENV=production\n' }],
  },
  {
    name: 'quotes in a map do not',
    files: {
      ...API,
      Dockerfile: STARTS,
      'docker-compose.yml': 'services:\n  web:\n    build: .\n    environment:\n      NODE_ENV: "production"\n',
    },
  },
  {
    name: 'prod, with the measured figure',
    files: {
      ...PAGES,
      Dockerfile: STARTS,
      'docker-compose.yml': 'services:\n  web:\n    build: .\n    environment:\n      NODE_ENV: "«prod»"\n',
    },
    finds: [
      {
        messageId: 'misspelt',
        says: ['`prod`', '11–33×'],
        fixed: 'services:\n  web:\n    build: .\n    environment:\n      NODE_ENV: "production"\n',
      },
    ],
  },
  {
    name: 'prod for an image that cannot be seen, in a project that reads it',
    files: { ...API_START, 'docker-compose.yml': 'services:\n  web:\n    image: me/app\n    environment:\n      NODE_ENV: «PRODUCTION»\n' },
    finds: [{ messageId: 'misspelt' }],
  },
  {
    name: 'development for an image that cannot be seen, in a file for production',
    files: {
      ...API_START,
      'compose.production.yaml': 'services:\n  web:\n    image: me/app\n    environment:\n      - NODE_ENV=«development»\n',
    },
    finds: [{ messageId: 'development', says: ['an image of the project'] }],
  },
  {
    name: 'a stage chosen by target',
    files: {
      ...API,
      Dockerfile:
        `FROM node:22 AS base\nWORKDIR /app\nCOPY . .\nFROM base AS web\nCMD ["node", "server.js"]\nFROM base AS jobs\nCMD ["node", "jobs.js"]\n`.replace(
          'CMD ["node", "server.js"]',
          '«CMD ["node", "server.js"]»',
        ),
      'jobs.js': '',
      'docker-compose.yml': 'services:\n  web:\n    build:\n      context: .\n      target: web\n',
    },
    finds: [{ messageId: 'missing' }],
  },
  {
    name: 'build arguments from compose',
    files: {
      ...API,
      Dockerfile: 'FROM node:22\nARG NODE_ENV\nENV NODE_ENV=$NODE_ENV\nWORKDIR /app\nCOPY . .\nCMD ["node", "server.js"]\n',
      'docker-compose.yml': 'services:\n  web:\n    build:\n      context: .\n      args:\n        NODE_ENV: production\n',
    },
  },
  {
    name: "a monorepo's compose file above sets it",
    files: {
      ...API,
      Dockerfile: STARTS,
      '../docker-compose.yml': 'services:\n  api:\n    build: ./project\n    environment:\n      NODE_ENV: production\n',
    },
  },
  {
    name: "a service of a package below is that package's",
    files: {
      'package.json': '{"name":"mono","private":true}',
      'api/package.json': manifest({ dependencies: ['express'] }),
      'api/server.js': "require('express')().listen(1)",
      'docker-compose.yml': 'services:\n  api:\n    build: ./api\n    command: «node server.js»\n',
      'api/Dockerfile': IMAGE,
    },
    finds: [{ messageId: 'missing' }],
  },
  {
    name: 'the first version of the format',
    files: { ...API, Dockerfile: IMAGE, 'docker-compose.yml': 'web:\n  build: .\n  command: «node server.js»\n' },
    finds: [{ messageId: 'missing' }],
  },
  {
    name: 'a comment and a block scalar',
    files: {
      ...API,
      Dockerfile: IMAGE,
      'docker-compose.yml': 'services:\n  web:\n    build: .\n    command: «>\n      sh -c "node wait.js &&\n      node server.js"\n»',
      'wait.js': '',
    },
    finds: [{ messageId: 'missing', says: ['`node server.js`'] }],
  },
];
