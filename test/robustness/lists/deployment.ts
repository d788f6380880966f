// Files that should say how a program is started, but are broken, hostile or enormous. Argument: injuries for each sound file.
import type { DeploymentFile, DeploymentKind } from '../../../protocol/project.ts';
import { PROJECT } from '../check.ts';
import type { OddCase } from '../child.ts';
import { mutate } from '../mutations.ts';
import { Random } from '../random.ts';

const SOUND: Readonly<Record<DeploymentKind, readonly string[]>> = {
  'package-json': [
    '{\n  "name": "a",\n  "main": "server.js",\n  "scripts": { "start": "node server.js", "dev": "NODE_ENV=development nodemon server.js" },\n  "dependencies": { "express": "^5.0.0" },\n  "engines": { "node": ">=18" }\n}\n',
    '{"scripts":{"start":"cross-env NODE_ENV=prodution node ./bin/www","build":"npm run a && npm run b"},"dependencies":{"express":"4"}}',
  ],
  dockerfile: [
    'FROM node:22 AS build\nWORKDIR /app\nCOPY . .\nRUN npm ci && npm run build\n\nFROM node:22-slim\nARG NODE_ENV\nENV PORT=3000 \\\n    NODE_ENV=$NODE_ENV\nCOPY --from=build /app /app\nHEALTHCHECK CMD curl -f http://localhost/ || exit 1\nENTRYPOINT ["npm", "run"]\nCMD ["start"]\n',
    '# syntax=docker/dockerfile:1\n# escape=`\nFROM --platform=linux/amd64 node:22\nRUN <<EOF\nset -e\nnpm ci\nEOF\nENV NODE_ENV production\nCMD node server.js\n',
    'FROM node\nCMD ["node", "server.js"]\n',
  ],
  compose: [
    'services:\n  web:\n    build: .\n    command: node server.js\n    environment:\n      - NODE_ENV=development\n      - PORT\n    env_file: [.env]\n  db:\n    image: postgres\n',
    'x-env: &env\n  NODE_ENV: "production "\nservices:\n  web:\n    image: node:22\n    environment:\n      <<: *env\n      A: 1\n',
  ],
  pm2: [
    'module.exports = { apps: [{ name: "a", script: "./server.js", env: { NODE_ENV: "development" }, env_production: { NODE_ENV: "production" } }] };\n',
    'apps:\n  - script: server.js\n    name: a\n    env:\n      NODE_ENV: prod\n',
    '{ "apps": [{ "script": "server.js", "instances": "max" }] }\n',
  ],
  procfile: ['web: node server.js\nworker: NODE_ENV=development node worker.js\n'],
  systemd: [
    '[Unit]\nDescription=a\n\n[Service]\nEnvironment=PORT=3000 "NODE_ENV=dev"\nEnvironmentFile=-/etc/a\nExecStart=/usr/bin/node \\\n  /srv/a/server.js\n\n[Install]\nWantedBy=multi-user.target\n',
  ],
  kubernetes: [
    'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: a }\nspec:\n  template:\n    spec:\n      containers:\n        - name: a\n          image: node:22\n          command: ["node", "server.js"]\n          env:\n            - name: NODE_ENV\n              value: staging\n---\nkind: Service\n',
  ],
  env: ['# settings\nNODE_ENV=development\nexport PORT="3000"\nKEY=\'a\nb\'\n'],
};

const KINDS = Object.keys(SOUND) as DeploymentKind[];

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
  ['duplicate keys in YAML', 'services:\n  web: {image: node}\n  web: {image: node}\nservices: 1\n'],
  ['wrong types in YAML', 'services:\n  - web\nservices2: [\n'],
  ['types turned round', 'services: web\nspec: 3\napps: {a: 1}\nkind: [Deployment]\n'],
  ['unclosed quotes', 'services:\n  web:\n    command: "node a.js\n'],
  ['an unknown alias', 'services:\n  web: *nobody\n'],
  ['an alias to itself', 'services: &a\n  web: *a\n'],
  ['tags', 'services: !!js/function "x"\nspec: !!binary "="\nkind: !custom {a: 1}\n'],
  ['ten documents', 'kind: Deployment\n---\n'.repeat(10)],
  ['document marks only', '---\n...\n---\n%YAML 9.9\n---\n'],
  ['complex keys', '? {a: [b]}\n: c\n? - d\n: - e\n'],
  [
    'a bomb of aliases',
    `a0: &a0 [x,x,x,x,x,x,x,x,x]\n${Array.from({ length: 12 }, (_, i) => `a${i + 1}: &a${i + 1} [${Array.from({ length: 9 }, () => `*a${i}`).join(',')}]`).join('\n')}\nservices: *a12\nspec: *a12\napps: *a12\n`,
  ],
  [
    'a bomb of merges',
    `x0: &x0 {a: 1}\n${Array.from({ length: 12 }, (_, i) => `x${i + 1}: &x${i + 1}\n  <<: [${Array.from({ length: 9 }, () => `*x${i}`).join(', ')}]`).join('\n')}\nservices:\n  web:\n    environment:\n      <<: *x12\n`,
  ],

  // The names differ: read as JavaScript they are labels, and @babel/parser 7.29 makes an error for every pair of equal ones around one
  // another.
  ['deep YAML', Array.from({ length: 2000 }, (_, i) => `${' '.repeat(i)}a${i}:`).join('\n')],
  ['deep flow YAML', `a: ${'['.repeat(20_000)}`],
  ['many keys', Array.from({ length: 8000 }, (_, i) => `k${i}: v`).join('\n')],
  ['only FROM', 'FROM'],
  ['FROM nothing', 'FROM scratch\nCMD\nENTRYPOINT\nENV\nARG\n'],
  ['no FROM', 'CMD node a.js\nENV NODE_ENV\nENV =production\nENV NODE_ENV= =\n'],
  ['broken exec form', 'FROM node\nCMD ["node", "a.js"\nENTRYPOINT [node a.js]\nCMD [1, {"a": null}]\n'],
  ['a line that never ends', `FROM node\nRUN a ${'\\\n'.repeat(20_000)}`],
  ['a heredoc that never ends', 'FROM node\nRUN <<EOF\nnode a.js\n'],
  ['variables in a circle', 'ARG A=$B\nARG B=$A\nFROM node:$A\nENV NODE_ENV=${NODE_ENV:-${NODE_ENV}}\nENV A=${A:+${B} C=$\nCMD node $A\n'],
  ['thousands of stages', `${Array.from({ length: 5000 }, (_, i) => `FROM node AS s${i}`).join('\n')}\nFROM s4999\nCMD ["node", "a.js"]\n`],
  ['stages in a circle', 'FROM b AS a\nFROM a AS b\nCMD ["node","a.js"]\n'],
  ['ONBUILD and unknown words', 'FROM node\nONBUILD ONBUILD CMD node a.js\nFOO bar\n\\\n#\n'],
  ['sections without names', '[]\n[[Service]]\n=\nExecStart\nExecStart=\nEnvironment="unclosed\nEnvironment=\\\n'],
  ['colons only', ':::\n:\nweb:\n web : \n'],
  ['equals only', '=\nNODE_ENV\nNODE_ENV=\n=production\nexport\nNODE_ENV==\n'],
  ['code that is broken', 'module.exports = { apps: [{ script: '],
  [
    'code of all kinds',
    'const a = require("./b"); module.exports = { apps: [...a, { script: x(), env: { [k]: v, ...e, NODE_ENV } }, null, 1, , ], deploy() {} }; export default module;',
  ],
  ['shell quoting', 'web: NODE_ENV="prod" FOO=\'a b" node $(cat x) `y` && (cd z; node a.js) || true & <<< ;; | #\n'],
  ['all CR', 'FROM node\rENV A=1\rCMD node a.js\r'],
  ['astral', 'services:\n  "😀": {image: "node", environment: ["NODE_ENV=😀"]}\n'],
  ['binary', Array.from({ length: 4096 }, (_, i) => String.fromCharCode((i * 7919) % 256)).join('')],
];

function one(name: string, kind: DeploymentKind, text: string): OddCase {
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
    for (const [name, text] of HOSTILE) yield one(name, kind, text);
    for (const [i, text] of SOUND[kind].entries()) {
      yield one(`sound file ${i}`, kind, text);
      yield one(`sound file ${i} with CRLF`, kind, text.replaceAll('\n', '\r\n'));
      for (let seed = 0; seed < Number(injuries); seed++)
        yield one(`sound file ${i}, injury ${seed}`, kind, mutate(new Random(seed), text));
    }
    // Another kind's file under this name.
    for (const other of KINDS) yield one(`a ${other} file`, kind, SOUND[other][0] ?? '');
  }
}
