// Files that should say how a program is started, but are broken, hostile or enormous. Argument: injuries for each sound file.
import type { DeploymentFile, DeploymentKind } from '../../../protocol/project.ts';
import { PROJECT } from '../check.ts';
import type { OddCase } from '../child.ts';
import { mutate } from '../mutations.ts';
import { Random } from '../random.ts';
import { dedent } from '../../../analysis/testing/dedent.ts';

export const SOUND: Readonly<Record<DeploymentKind, readonly string[]>> = {
  'package-json': [
    dedent`
      {
        "name": "a",
        "main": "server.js",
        "scripts": { "start": "node server.js", "dev": "NODE_ENV=development nodemon server.js" },
        "dependencies": { "express": "^5.0.0" },
        "engines": { "node": ">=18" }
      }

    `,
    '{"scripts":{"start":"cross-env NODE_ENV=prodution node ./bin/www","build":"npm run a && npm run b"},"dependencies":{"express":"4"}}',
  ],
  dockerfile: [
    dedent`
      FROM node:22 AS build
      WORKDIR /app
      COPY . .
      RUN npm ci && npm run build

      FROM node:22-slim
      ARG NODE_ENV
      ENV PORT=3000 \\
          NODE_ENV=$NODE_ENV
      COPY --from=build /app /app
      HEALTHCHECK CMD curl -f http://localhost/ || exit 1
      ENTRYPOINT ["npm", "run"]
      CMD ["start"]

    `,
    dedent`
      # syntax=docker/dockerfile:1
      # escape=\`
      FROM --platform=linux/amd64 node:22
      RUN <<EOF
      set -e
      npm ci
      EOF
      ENV NODE_ENV production
      CMD node server.js

    `,
    dedent`
      FROM node
      CMD ["node", "server.js"]

    `,
  ],
  compose: [
    dedent`
      services:
        web:
          build: .
          command: node server.js
          environment:
            - NODE_ENV=development
            - PORT
          env_file: [.env]
        db:
          image: postgres

    `,
    dedent`
      x-env: &env
        NODE_ENV: "production "
      services:
        web:
          image: node:22
          environment:
            <<: *env
            A: 1

    `,
  ],
  pm2: [
    'module.exports = { apps: [{ name: "a", script: "./server.js", env: { NODE_ENV: "development" }, env_production: { NODE_ENV: "production" } }] };\n',
    dedent`
      apps:
        - script: server.js
          name: a
          env:
            NODE_ENV: prod

    `,
    '{ "apps": [{ "script": "server.js", "instances": "max" }] }\n',
  ],
  procfile: [
    dedent`
    web: node server.js
    worker: NODE_ENV=development node worker.js

  `,
  ],
  systemd: [
    dedent`
      [Unit]
      Description=a

      [Service]
      Environment=PORT=3000 "NODE_ENV=dev"
      EnvironmentFile=-/etc/a
      ExecStart=/usr/bin/node \\
        /srv/a/server.js

      [Install]
      WantedBy=multi-user.target

    `,
  ],
  kubernetes: [
    dedent`
      apiVersion: apps/v1
      kind: Deployment
      metadata: { name: a }
      spec:
        template:
          spec:
            containers:
              - name: a
                image: node:22
                command: ["node", "server.js"]
                env:
                  - name: NODE_ENV
                    value: staging
      ---
      kind: Service

    `,
  ],
  env: [
    dedent`
    # settings
    NODE_ENV=development
    export PORT="3000"
    KEY='a
    b'

  `,
  ],
};

export const KINDS = Object.keys(SOUND) as DeploymentKind[];

const NAMES: Readonly<Record<DeploymentKind, string>> = {
  'package-json': 'package.json',
  dockerfile: 'Dockerfile',
  compose: 'docker-compose.yml',
  pm2: 'ecosystem.config.cjs',
  procfile: 'Procfile',
  systemd: 'a.service',
  kubernetes: 'k8s/a.yaml',
  env: '.env',
};

const LONG = 60_000;

/** Given to every kind of file, whatever it is meant for. */
const HOSTILE: readonly [name: string, text: string][] = [
  ['nothing', ''],
  ['white space', ' \n\t\r\n'],
  ['a NUL byte', '\0'],
  ['a byte order mark', '\uFEFF'],
  ['a byte order mark and an object', '\uFEFF{"scripts":{"start":"node a.js"}}'],
  ['null', 'null'],
  ['a number', '1'],
  ['a string', '"a"'],
  ['an array', '[]'],
  ['an empty object', '{}'],
  ['an unclosed object', '{"scripts": {"start": "node'],
  ['a trailing comma', '{"scripts":{"start":"node a.js",},}'],
  ['JSON with comments', '{ // a\n "scripts": /* b */ {"start": "node a.js"} }'],
  ['single quotes', "{'scripts': {'start': 'node a.js'}}"],
  ['duplicate keys', '{"scripts":{"start":"node a.js"},"scripts":{"start":1}}'],
  ['wrong types', '{"name":1,"main":[],"bin":7,"scripts":["start"],"dependencies":"express","engines":{"node":{}},"type":null}'],
  ['wrong types within', '{"scripts":{"start":null,"dev":{},"x":["node"]},"dependencies":{"express":1}}'],
  [
    '__proto__',
    '{"__proto__":{"scripts":{"start":"node a.js"}},"scripts":{"__proto__":"node b.js","constructor":"node c.js","hasOwnProperty":"node d.js"}}',
  ],
  [
    'scripts that run each other',
    '{"scripts":{"start":"npm run a","a":"npm run b && npm start","b":"npm run a"},"dependencies":{"express":"5"}}',
  ],
  ['deep JSON', `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`],
  ['deep arrays', '['.repeat(100_000)],
  ['a long string', `{"scripts":{"start":"${'node a.js && '.repeat(LONG / 13)}"}}`],
  ['a long line', 'a '.repeat(LONG)],
  ['many lines', 'ENV A=1\n'.repeat(LONG / 8)],
  ['tabs in YAML', 'services:\n\tweb:\n\t\timage: node\n'],
  [
    'duplicate keys in YAML',
    dedent`
    services:
      web: {image: node}
      web: {image: node}
    services: 1

  `,
  ],
  [
    'wrong types in YAML',
    dedent`
    services:
      - web
    services2: [

  `,
  ],
  [
    'types turned round',
    dedent`
    services: web
    spec: 3
    apps: {a: 1}
    kind: [Deployment]

  `,
  ],
  [
    'unclosed quotes',
    dedent`
    services:
      web:
        command: "node a.js

  `,
  ],
  [
    'an unknown alias',
    dedent`
    services:
      web: *nobody

  `,
  ],
  [
    'an alias to itself',
    dedent`
    services: &a
      web: *a

  `,
  ],
  [
    'tags',
    dedent`
    services: !!js/function "x"
    spec: !!binary "="
    kind: !custom {a: 1}

  `,
  ],
  [
    'ten documents',
    dedent`
    kind: Deployment
    ---

  `.repeat(10),
  ],
  [
    'document marks only',
    dedent`
    ---
    ...
    ---
    %YAML 9.9
    ---

  `,
  ],
  [
    'complex keys',
    dedent`
    ? {a: [b]}
    : c
    ? - d
    : - e

  `,
  ],
  [
    'a bomb of aliases',
    dedent`
      a0: &a0 [x,x,x,x,x,x,x,x,x]
      ${Array.from({ length: 12 }, (_, i) => `a${i + 1}: &a${i + 1} [${Array.from({ length: 9 }, () => `*a${i}`).join(',')}]`).join('\n')}
      services: *a12
      spec: *a12
      apps: *a12

    `,
  ],
  [
    'a bomb of merges',
    dedent`
      x0: &x0 {a: 1}
      ${Array.from({ length: 12 }, (_, i) => `x${i + 1}: &x${i + 1}\n  <<: [${Array.from({ length: 9 }, () => `*x${i}`).join(', ')}]`).join('\n')}
      services:
        web:
          environment:
            <<: *x12

    `,
  ],

  // The names differ: read as JavaScript they are labels, and @babel/parser 7.29 makes an error for every pair of equal ones around one
  // another.
  ['deep YAML', Array.from({ length: 2000 }, (_, i) => `${' '.repeat(i)}a${i}:`).join('\n')],
  ['deep flow YAML', `a: ${'['.repeat(20_000)}`],
  ['many keys', Array.from({ length: 8000 }, (_, i) => `k${i}: v`).join('\n')],
  ['only FROM', 'FROM'],
  [
    'FROM nothing',
    dedent`
    FROM scratch
    CMD
    ENTRYPOINT
    ENV
    ARG

  `,
  ],
  [
    'no FROM',
    dedent`
    CMD node a.js
    ENV NODE_ENV
    ENV =production
    ENV NODE_ENV= =

  `,
  ],
  [
    'broken exec form',
    dedent`
    FROM node
    CMD ["node", "a.js"
    ENTRYPOINT [node a.js]
    CMD [1, {"a": null}]

  `,
  ],
  ['a line that never ends', `FROM node\nRUN a ${'\\\n'.repeat(20_000)}`],
  [
    'a heredoc that never ends',
    dedent`
    FROM node
    RUN <<EOF
    node a.js

  `,
  ],
  [
    'variables in a circle',
    dedent`
    ARG A=$B
    ARG B=$A
    FROM node:$A
    ENV NODE_ENV=\${NODE_ENV:-\${NODE_ENV}}
    ENV A=\${A:+\${B} C=$
    CMD node $A

  `,
  ],
  [
    'thousands of stages',
    dedent`
    ${Array.from({ length: 5000 }, (_, i) => `FROM node AS s${i}`).join('\n')}
    FROM s4999
    CMD ["node", "a.js"]

  `,
  ],
  [
    'stages in a circle',
    dedent`
    FROM b AS a
    FROM a AS b
    CMD ["node","a.js"]

  `,
  ],
  [
    'ONBUILD and unknown words',
    dedent`
    FROM node
    ONBUILD ONBUILD CMD node a.js
    FOO bar
    \\
    #

  `,
  ],
  [
    'sections without names',
    dedent`
    []
    [[Service]]
    =
    ExecStart
    ExecStart=
    Environment="unclosed
    Environment=\\

  `,
  ],
  [
    'colons only',
    dedent`
    :::
    :
    web:
     web : 

  `,
  ],
  [
    'equals only',
    dedent`
    =
    NODE_ENV
    NODE_ENV=
    =production
    export
    NODE_ENV==

  `,
  ],
  ['code that is broken', 'module.exports = { apps: [{ script: '],
  [
    'code of all kinds',
    'const a = require("./b"); module.exports = { apps: [...a, { script: x(), env: { [k]: v, ...e, NODE_ENV } }, null, 1, , ], deploy() {} }; export default module;',
  ],
  ['shell quoting', 'web: NODE_ENV="prod" FOO=\'a b" node $(cat x) `y` && (cd z; node a.js) || true & <<< ;; | #\n'],
  ['all CR', 'FROM node\rENV A=1\rCMD node a.js\r'],
  [
    'astral',
    dedent`
    services:
      "😀": {image: "node", environment: ["NODE_ENV=😀"]}

  `,
  ],
  ['binary', Array.from({ length: 4096 }, (_, i) => String.fromCharCode((i * 7919) % 256)).join('')],
];

export function deploymentCase(name: string, kind: DeploymentKind, text: string): OddCase {
  const path = `/project/${NAMES[kind]}`;
  const file: DeploymentFile = { path, kind, text };
  // The broken file beside sound ones: rules look from one to the other.
  const others = KINDS.filter((other) => other !== kind && other !== 'pm2').map(
    (other): DeploymentFile => ({ path: `/project/${NAMES[other]}`, kind: other, text: SOUND[other][0] ?? '' }),
  );
  const files = [file, ...others];
  return {
    name: `${name} as ${kind}`,
    project: {
      root: '/project',
      info: PROJECT,
      files,
      readText: (wanted) =>
        files.find((known) => known.path === wanted)?.text ??
        (wanted.endsWith('server.js') ? 'require("express")().listen(1);' : undefined),
    },
  };
}

export function* cases([injuries = '20']: readonly string[]): Generator<OddCase> {
  for (const kind of KINDS) {
    for (const [name, text] of HOSTILE) yield deploymentCase(name, kind, text);
    for (const [i, text] of SOUND[kind].entries()) {
      yield deploymentCase(`sound file ${i}`, kind, text);
      yield deploymentCase(`sound file ${i} with CRLF`, kind, text.replaceAll('\n', '\r\n'));
      for (let seed = 0; seed < Number(injuries); seed++)
        yield deploymentCase(`sound file ${i}, injury ${seed}`, kind, mutate(new Random(seed), text));
    }
    // Another kind's file under this name.
    for (const other of KINDS) yield deploymentCase(`a ${other} file`, kind, SOUND[other][0] ?? '');
  }
}
