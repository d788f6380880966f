// Projects with PM2, systemd, Procfiles, and supervisord.
import { API, API_START, PAGES, manifest, type DeploymentCase } from './case.ts';
import { dedent } from '../../../analysis/testing/dedent.ts';

const UNIT = dedent`
  [Unit]
  Description=App

  [Service]
  WorkingDirectory=/srv/app

`;

export const processCases: readonly DeploymentCase[] = [
  {
    name: 'PM2 without env',
    files: {
      ...API,
      'ecosystem.config.js': dedent`
        module.exports = {
          apps: [{
            name: 'web',
            script: '«server.js»',
            instances: 2,
          }],
        };

      `,
    },
    finds: [
      {
        messageId: 'missing',
        says: ["PM2's app `web`"],
        fixed: dedent`
            module.exports = {
              apps: [{
                name: 'web',
                script: 'server.js',
                env: { NODE_ENV: 'production' },
                instances: 2,
              }],
            };

          `,
      },
    ],
  },
  {
    name: 'PM2, env on several lines',
    files: {
      ...API,
      'ecosystem.config.js': dedent`
          module.exports = {
            apps: [{
              script: "./«server.js»",
              env: {
                PORT: 80
              }
            }]
          }

        `.replace('./«server.js»', '«./server.js»'),
    },
    finds: [
      {
        messageId: 'missing',
        fixed: dedent`
            module.exports = {
              apps: [{
                script: "./server.js",
                env: {
                  NODE_ENV: "production",
                  PORT: 80
                }
              }]
            }

          `,
      },
    ],
  },
  {
    name: 'PM2, env on one line and an empty one',
    files: {
      ...API,
      'ecosystem.config.cjs':
        "module.exports = { apps: [{ script: '«server.js»', env: { PORT: 80 } }, { script: '«server.js»', env: {} }] };\n",
    },
    finds: [
      {
        messageId: 'missing',
        fixed:
          "module.exports = { apps: [{ script: 'server.js', env: { NODE_ENV: 'production', PORT: 80 } }, { script: 'server.js', env: {} }] };\n",
      },
      {
        messageId: 'missing',
        fixed:
          "module.exports = { apps: [{ script: 'server.js', env: { PORT: 80 } }, { script: 'server.js', env: { NODE_ENV: 'production' } }] };\n",
      },
    ],
  },
  {
    name: 'PM2 in JSON',
    files: {
      ...API,
      'ecosystem.json': dedent`
      {
        "apps": [
          {
            "name": "web",
            "script": "«server.js»"
          }
        ]
      }

    `,
    },
    finds: [
      {
        messageId: 'missing',
        fixed: dedent`
            {
              "apps": [
                {
                  "name": "web",
                  "script": "server.js",
                  "env": { "NODE_ENV": "production" }
                }
              ]
            }

          `,
      },
    ],
  },
  {
    name: 'PM2 in YAML',
    files: {
      ...API,
      'process.yml': dedent`
      apps:
        - script: «server.js»
          name: web

    `,
    },
    finds: [
      {
        messageId: 'missing',
        fixed: dedent`
      apps:
        - script: server.js
          env:
            NODE_ENV: production
          name: web

    `,
      },
    ],
  },
  {
    name: 'PM2 sets it',
    files: { ...API, 'ecosystem.config.js': "module.exports = { apps: [{ script: 'server.js', env: { NODE_ENV: 'production' } }] };\n" },
  },
  {
    name: 'PM2 sets it through a constant and a spread',
    files: {
      ...API,
      'ecosystem.config.js': dedent`
          const env = { NODE_ENV: 'production' };
          const base = { env };
          module.exports = { apps: [{ ...base, script: 'server.js' }] };

        `,
    },
  },
  {
    name: 'PM2 takes something from outside',
    files: {
      ...API,
      'ecosystem.config.js':
        "module.exports = { apps: [{ script: 'server.js', env: require('./env') }, { ...require('./base'), script: 'server.js' }, { script: 'server.js', env: { NODE_ENV: process.env.NODE_ENV || 'production' } }] };\n",
    },
  },
  {
    name: 'PM2, two environments',
    files: {
      ...API,
      'ecosystem.config.js':
        "module.exports = { apps: [{ script: 'server.js', env: { NODE_ENV: 'development' }, env_production: { NODE_ENV: 'production' } }] };\n",
    },
  },
  {
    name: 'PM2, only env_production, nobody in the project starts it',
    files: {
      ...API,
      'ecosystem.config.js': "module.exports = { apps: [{ script: 'server.js', env_production: { NODE_ENV: 'production' } }] };\n",
    },
  },
  {
    name: 'PM2, env_production asked for',
    files: {
      ...API,
      'package.json': manifest({ dependencies: ['express'], scripts: { start: 'pm2-runtime ecosystem.config.js --env production' } }),
      'ecosystem.config.js': "module.exports = { apps: [{ script: 'server.js', env_production: { NODE_ENV: 'production' } }] };\n",
    },
  },
  {
    name: 'PM2, env_production never asked for',
    files: {
      ...API,
      Dockerfile: dedent`
        FROM node:22
        WORKDIR /app
        COPY . .
        CMD ["pm2-runtime", "start", "ecosystem.config.js"]

      `,
      'ecosystem.config.js': "module.exports = { apps: [{ script: '«server.js»', env_production: { NODE_ENV: 'production' } }] };\n",
    },
    finds: [
      {
        messageId: 'missing',
        says: ['only if it is started with `--env production`'],
        related: [
          'Dockerfile: "pm2-runtime", "start", "ecosystem.config.js"'
            .replace('"pm2-runtime"', 'pm2-runtime"')
            .replace('"ecosystem.config.js"', '"ecosystem.config.js'),
        ],
      },
    ],
  },
  {
    name: 'PM2 in an image that sets it',
    files: {
      ...API,
      Dockerfile: dedent`
        FROM node:22
        ENV NODE_ENV=production
        WORKDIR /app
        COPY . .
        CMD ["pm2-runtime", "ecosystem.config.js"]

      `,
      'ecosystem.config.js': "module.exports = { apps: [{ script: 'server.js' }] };\n",
    },
  },
  {
    name: 'PM2, development in env_production',
    files: {
      ...API,
      'ecosystem.config.js':
        "module.exports = { apps: [{ script: 'server.js', env: { NODE_ENV: 'development' }, env_production: { NODE_ENV: '«development»' } }] };\n",
    },
    finds: [{ messageId: 'development', says: ['`env_production`'] }],
  },
  {
    name: 'PM2, prod',
    files: { ...PAGES, 'ecosystem.config.js': "module.exports = { apps: [{ script: 'server.js', env: { NODE_ENV: '«prod»' } }] };\n" },
    finds: [{ messageId: 'misspelt', severity: 'warning', says: ['11–33×'] }],
  },
  {
    name: 'PM2 through npm',
    files: { ...API_START, 'ecosystem.config.js': "module.exports = { apps: [{ name: 'web', script: '«npm»', args: 'start' }] };\n" },
    finds: [{ messageId: 'missing', related: ['package.json: "node server.js"'] }],
  },
  {
    name: 'PM2 watching, and another interpreter',
    files: {
      ...API,
      'ecosystem.config.js':
        "module.exports = { apps: [{ script: 'server.js', watch: true }, { script: 'server.js', interpreter: 'python3' }, { script: 'jobs.py' }] };\n",
    },
  },
  {
    name: 'PM2 starts next',
    files: {
      'package.json': manifest({ dependencies: ['next', 'express'] }),
      'ecosystem.config.js':
        "module.exports = { apps: [{ script: 'node_modules/next/dist/bin/next', args: 'start' }, { script: './node_modules/.bin/next', args: 'start' }] };\n",
    },
  },
  { name: 'PM2 for development', files: { ...API, 'ecosystem.dev.config.js': "module.exports = { apps: [{ script: 'server.js' }] };\n" } },
  {
    name: 'PM2 by command in package.json',
    files: { ...API, 'package.json': manifest({ dependencies: ['express'], scripts: { start: '«pm2 start server.js -i max»' } }) },
    finds: [{ messageId: 'missing', severity: 'hint' }],
  },
  {
    name: 'PM2 by command with the variable',
    files: {
      ...API,
      'package.json': manifest({ dependencies: ['express'], scripts: { start: 'NODE_ENV=production pm2 start server.js --name web' } }),
    },
  },

  {
    name: 'systemd',
    files: {
      ...API,
      'deploy/app.service': dedent`
      ${UNIT}ExecStart=«/usr/bin/node /srv/app/server.js»
      Restart=always

    `,
    },
    finds: [
      {
        messageId: 'missing',
        says: ['This unit'],
        fixed: dedent`
          ${UNIT}Environment=NODE_ENV=production
          ExecStart=/usr/bin/node /srv/app/server.js
          Restart=always

        `,
      },
    ],
  },
  {
    name: 'systemd with npm',
    files: { ...API_START, 'app.service': `${UNIT}ExecStart=«/usr/bin/npm start»\n` },
    finds: [{ messageId: 'missing', related: ['package.json: "node server.js"'] }],
  },
  {
    name: 'supervisord sets it for its program, or for all',
    files: {
      ...API_START,
      'supervisor.conf': dedent`
        [program:web]
        command=/usr/bin/node -r dotenv/config /srv/app/server.js
        directory=/srv/app
        environment=PORT="80", NODE_ENV="production",X=1 ; for all workers

      `,
    },
  },
  {
    name: 'supervisord sets it for all programs',
    files: {
      ...API_START,
      'docker/supervisord.conf': dedent`
        [supervisord]
        environment=NODE_ENV=production
        [program:web]
        command=npm start
        directory=/srv/app

      `,
    },
  },
  {
    name: 'supervisord starts something else with it, or sets another value elsewhere',
    files: {
      ...API,
      'package.json': manifest({ dependencies: ['express'], scripts: { start: '«node server.js»' } }),
      'supervisor.conf': dedent`
        [program:python]
        command=python worker.py
        environment=NODE_ENV="production"
        [program:web]
        command=node server.js
        environment=MY_NODE_ENV="production"

      `,
    },
    finds: [{ messageId: 'missing' }],
  },
  {
    name: 'systemd sets it',
    files: {
      ...API,
      'app.service': dedent`
      ${UNIT}Environment=NODE_ENV=production
      ExecStart=/usr/bin/node server.js

    `,
    },
  },
  {
    name: 'systemd sets it among others, quoted',
    files: {
      ...API,
      'app.service': dedent`
        ${UNIT}Environment="PORT=80" "NODE_ENV=production"
        ExecStart=/usr/bin/node server.js

      `,
      'other.service': dedent`
        ${UNIT}Environment=PORT=80 NODE_ENV='production' X=y
        ExecStart=/usr/bin/node server.js

      `,
    },
  },
  {
    name: 'systemd takes it from a file of the machine',
    files: {
      ...API,
      'app.service': dedent`
      ${UNIT}EnvironmentFile=-/etc/default/app
      ExecStart=/usr/bin/node server.js

    `,
    },
  },
  {
    name: 'systemd sets it in a drop-in',
    files: {
      ...API,
      'app.service': `${UNIT}ExecStart=/usr/bin/node server.js\n`,
      'app.service.d/env.conf': dedent`
        [Service]
        Environment=NODE_ENV=production

      `,
    },
  },
  { name: 'systemd through env', files: { ...API, 'app.service': `${UNIT}ExecStart=/usr/bin/env NODE_ENV=production node server.js\n` } },
  {
    name: 'systemd, misspelt',
    files: {
      ...API,
      'app.service': dedent`
      ${UNIT}Environment=NODE_ENV=«Production»
      ExecStart=/usr/bin/node server.js

    `,
    },
    finds: [
      {
        messageId: 'misspelt',
        fixed: dedent`
      ${UNIT}Environment=NODE_ENV=production
      ExecStart=/usr/bin/node server.js

    `,
      },
    ],
  },
  {
    name: 'systemd, something else',
    files: {
      ...API,
      'nginx.service': dedent`
        [Service]
        ExecStart=/usr/sbin/nginx

      `,
      'x.service': dedent`
        [Service]
        ExecStart=/usr/bin/node /opt/other/tool.js

      `,
    },
  },

  { name: 'Procfile: the buildpack sets it', files: { ...API, Procfile: 'web: node server.js\n' } },
  {
    name: 'Procfile: told otherwise',
    files: {
      ...API,
      Procfile: dedent`
      web: NODE_ENV=«development» node server.js
      worker: node jobs.js

    `,
    },
    finds: [
      {
        messageId: 'development',
        says: ['The process type `web`'],
        fixed: dedent`
          web: NODE_ENV=production node server.js
          worker: node jobs.js

        `,
      },
    ],
  },
  {
    name: 'Procfile: misspelt',
    files: { ...API, Procfile: 'web: env NODE_ENV=«prod» node server.js\n' },
    finds: [{ messageId: 'misspelt' }],
  },
  { name: 'Procfile for development', files: { ...API, 'Procfile.dev': 'web: NODE_ENV=development node server.js\n' } },

  {
    name: '.env.production with another value',
    files: {
      ...API_START,
      Procfile: 'web: npm start\n',
      '.env.production': dedent`
      PORT=1
      NODE_ENV=«prod» # live

    `,
    },
    finds: [
      {
        messageId: 'misspelt',
        fixed: dedent`
      PORT=1
      NODE_ENV=production # live

    `,
      },
    ],
  },
  {
    name: '.env.production for development',
    files: { ...API_START, Procfile: 'web: npm start\n', '.env.production': 'NODE_ENV="«development»"\n' },
    finds: [{ messageId: 'development' }],
  },
  {
    name: '.env.production as it should be',
    files: { ...API_START, Procfile: 'web: npm start\n', '.env.production': "export NODE_ENV='production'\n" },
  },
];
