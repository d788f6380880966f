// require-heap-limit: small projects in memory, the place of every finding marked in the file itself with « and ».
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deploymentKindOf } from '../../analysis/deployment/deployment-files.ts';
import { dockerBytes, kubernetesBytes } from '../../analysis/deployment/memory-limit.ts';
import { applyEdits } from '../../analysis/module/edit.ts';
import { defaultSettings } from '../../analysis/run/rule-settings.ts';
import { lintDeployment } from '../../analysis/run/run.ts';
import { dedent } from '../../analysis/testing/dedent.ts';
import { readMarks } from '../../analysis/testing/rule-tester.ts';
import type { Finding } from '../../protocol/finding.ts';
import { missesCgroup2, nodeVersionOf } from '../../rules/require-heap-limit/container.ts';
import { rule } from '../../rules/require-heap-limit/rule.ts';

const ROOT = '/project';
const PACKAGE = JSON.stringify({ name: 'shop', scripts: { start: 'node server.js' } });
const SERVER = "require('node:http').createServer((request, response) => response.end()).listen(80);";
const API = { 'package.json': PACKAGE, 'server.js': SERVER };

function lint(files: Readonly<Record<string, string>>): readonly Finding[] {
  const texts = new Map(Object.entries(files).map(([path, text]) => [`${ROOT}/${path}`, text]));
  const deployment = [...texts].flatMap(([path, text]) => {
    const kind = deploymentKindOf(path);
    return kind ? [{ path, kind, text }] : [];
  });
  const info = { root: ROOT, nodeRange: '>=18', nodeRangeSource: 'the test' };
  const { findings, crashes } = lintDeployment(
    { root: ROOT, info, files: deployment, readText: (path) => texts.get(path) },
    [rule],
    defaultSettings([rule]),
  );
  for (const crash of crashes) throw crash.error;
  return findings;
}

const dockerfile = (image = 'node:22', more = '') => dedent`
  FROM ${image}
  WORKDIR /app
  COPY . .
  ${more}CMD ["node", "server.js"]

`;
const compose = (memory: string, more = '') =>
  dedent`
    services:
      web:
        build: .
        mem_limit: ${memory}
    ${more.replaceAll(/^(?=.)/gm, '    ')}
  `;
const pod = (memory: string, more = '') =>
  dedent`
    apiVersion: apps/v1
    kind: Deployment
    spec:
      template:
        spec:
          containers:
            - name: shop
              image: registry.example.com/shop:1
              resources:
                requests: { memory: 64Mi }
                limits: { memory: ${memory} }

  ` + more.replaceAll(/^(?=.)/gm, '        ');

interface Case {
  files: Readonly<Record<string, string>>;
  finds?: { id: string; severity?: string; says?: readonly string[]; fixed?: string };
}

const CASES: Readonly<Record<string, Case>> = {
  'Node takes half of 512 MB by itself': { files: { ...API, Dockerfile: dockerfile(), 'compose.yaml': compose('512m') } },
  'a limit that fits': {
    files: {
      ...API,
      Dockerfile: dockerfile(),
      'compose.yaml': compose('512m', 'environment:\n  NODE_OPTIONS: --max-old-space-size=384\n'),
    },
  },
  'a small container with a limit that fits': {
    files: {
      ...API,
      Dockerfile: dockerfile(),
      'compose.yaml': compose('128m', 'environment:\n  - NODE_OPTIONS=--max-old-space-size=80\n'),
    },
  },
  'a percentage always fits': {
    files: {
      ...API,
      Dockerfile: dockerfile(),
      'compose.yaml': compose('128m', 'command: node --max-old-space-size-percentage=50 server.js\n'),
    },
  },
  'the flag of the command wins over NODE_OPTIONS': {
    files: {
      ...API,
      Dockerfile: dockerfile('node:22', 'ENV NODE_OPTIONS=--max-old-space-size=4096\n'),
      'compose.yaml': compose('512m', 'command: node --max-old-space-size=256 server.js\n'),
    },
  },
  "the service's NODE_OPTIONS wins over that of the image": {
    files: {
      ...API,
      Dockerfile: dockerfile('node:22', 'ENV NODE_OPTIONS=--max-old-space-size=4096\n'),
      'compose.yaml': compose('512m', 'environment:\n  NODE_OPTIONS: --max-old-space-size=256\n'),
    },
  },
  'a large limit without a limit of memory': {
    files: {
      ...API,
      Dockerfile: dockerfile('node:22', 'ENV NODE_OPTIONS=--max-old-space-size=4096\n'),
      'compose.yaml': dedent`
        services:
          web:
            build: .

      `,
    },
  },
  'a small container that does not run Node': {
    files: {
      ...API,
      Dockerfile: dockerfile(),
      'compose.yaml': dedent`
        services:
          cache:
            image: redis:7
            mem_limit: 64m

      `,
    },
  },
  'a reservation is no limit': {
    files: {
      ...API,
      Dockerfile: dockerfile(),
      'compose.yaml': dedent`
        services:
          web:
            build: .
            deploy:
              resources:
                reservations:
                  memory: 64M

      `,
    },
  },
  'a limit that the host sets': { files: { ...API, Dockerfile: dockerfile(), 'compose.yaml': compose('${MEMORY}') } },
  'a small container whose environment is not shown': {
    files: { ...API, Dockerfile: dockerfile(), 'compose.yaml': compose('128m', 'env_file: .env.secret\n') },
  },
  'a shell script of the image sets it': {
    files: {
      ...API,
      'start.sh': 'export NODE_OPTIONS=--max-old-space-size=$HEAP\nexec node server.js\n',
      Dockerfile: dedent`
        FROM node:22
        WORKDIR /app
        COPY . .
        CMD ["sh", "start.sh"]

      `,
      'compose.yaml': compose('128m'),
    },
  },
  'a development setup': {
    files: { ...API, Dockerfile: dockerfile(), 'compose.yaml': compose('128m', 'volumes:\n  - .:/app\n') },
  },
  'Node 20.3 sees cgroup v2': {
    files: { ...API, Dockerfile: dockerfile('node:20.3-alpine'), 'compose.yaml': compose('512m') },
  },
  'a sidecar in a pod': {
    files: {
      ...API,
      Dockerfile: dockerfile(),
      'k8s/deployment.yaml': pod(
        '1Gi',
        dedent`
          - name: proxy
            image: envoy:1
            resources: { limits: { memory: 64Mi } }

        `,
      ),
    },
  },
  'a chart whose values are not known': {
    files: { ...API, Dockerfile: dockerfile(), 'charts/shop/templates/deployment.yaml': pod('{{ .Values.memory }}') },
  },
  'a value from a map that is not shown': {
    files: {
      ...API,
      Dockerfile: dockerfile(),
      'k8s/deployment.yaml': pod('128Mi', '  env:\n    - name: NODE_OPTIONS\n      valueFrom: { configMapKeyRef: { name: a, key: b } }\n'),
    },
  },
  'a build that needs more than the server': {
    files: {
      ...API,
      'package.json': JSON.stringify({ scripts: { build: 'node --max-old-space-size=4096 build.js', start: 'node server.js' } }),
      Dockerfile: dockerfile('node:22', 'RUN npm run build\n'),
      'compose.yaml': compose('512m'),
    },
  },

  'the command of the service': {
    files: { ...API, Dockerfile: dockerfile(), 'compose.yaml': compose('512m', 'command: node --max-old-space-size=«4096» server.js\n') },
    finds: {
      id: 'above',
      says: ['`--max-old-space-size=4096` lets the heap grow beyond the 512 MB of the service `web`', '`--max-old-space-size=384`'],
      fixed: compose('512m', 'command: node --max-old-space-size=384 server.js\n'),
    },
  },
  'equal to the limit': {
    files: {
      ...API,
      Dockerfile: dockerfile(),
      'compose.yaml': compose('1g', 'environment:\n  - NODE_OPTIONS=--enable-source-maps --max_old_space_size=«1024»\n'),
    },
    finds: {
      id: 'above',
      says: ['the 1,024 MB of'],
      fixed: compose('1g', 'environment:\n  - NODE_OPTIONS=--enable-source-maps --max_old_space_size=768\n'),
    },
  },
  'the command of the image': {
    files: {
      ...API,
      Dockerfile: dedent`
        FROM node:22
        WORKDIR /app
        COPY . .
        CMD ["node", "--max-old-space-size=«2048»", "server.js"]

      `,
      'compose.yaml': dedent`
        services:
          web:
            build: .
            deploy:
              resources:
                limits:
                  memory: 1G

      `,
    },
    finds: {
      id: 'above',
      fixed: dedent`
        FROM node:22
        WORKDIR /app
        COPY . .
        CMD ["node", "--max-old-space-size=768", "server.js"]

      `,
    },
  },
  'ENV of a stage below': {
    files: {
      ...API,
      Dockerfile: dedent`
        FROM node:22 AS base
        ENV NODE_OPTIONS="--max-old-space-size=«8192»"
        FROM base
        WORKDIR /app
        COPY . .
        CMD node server.js

      `,
      'compose.yaml': compose('2gb'),
    },
    finds: {
      id: 'above',
      fixed: dedent`
        FROM node:22 AS base
        ENV NODE_OPTIONS="--max-old-space-size=1536"
        FROM base
        WORKDIR /app
        COPY . .
        CMD node server.js

      `,
    },
  },
  'a script of package.json that the image runs': {
    files: {
      'server.js': SERVER,
      'package.json': '{"name": "shop", "scripts": {"start": "node --max-old-space-size=«4096» server.js"}}',
      Dockerfile: dedent`
        FROM node:22
        WORKDIR /app
        COPY . .
        CMD ["npm", "start"]

      `,
      'compose.yaml': compose('512m'),
    },
    finds: { id: 'above', fixed: '{"name": "shop", "scripts": {"start": "node --max-old-space-size=384 server.js"}}' },
  },
  'a shell script, which gets no finding of its own': {
    files: {
      ...API,
      'start.sh': 'exec node --max-old-space-size=4096 server.js\n',
      Dockerfile: dedent`
        FROM node:22
        WORKDIR /app
        COPY . .
        CMD ["sh", "start.sh"]

      `,
      'compose.yaml': compose('«512m»'),
    },
    finds: { id: 'above' },
  },
  'a container of Kubernetes': {
    files: {
      ...API,
      'k8s/deployment.yaml': pod('512Mi', '  env:\n    - name: NODE_OPTIONS\n      value: "--max-old-space-size=«1024»"\n'),
    },
    finds: {
      id: 'above',
      says: ['the container `shop`'],
      fixed: pod('512Mi', '  env:\n    - name: NODE_OPTIONS\n      value: "--max-old-space-size=384"\n'),
    },
  },
  'docker run in a script': {
    files: {
      ...API,
      'package.json': '{"scripts": {"up": "docker run --rm -m 512m shop node --max-old-space-size=«2048» server.js && echo 4096"}}',
    },
    finds: {
      id: 'above',
      fixed: '{"scripts": {"up": "docker run --rm -m 512m shop node --max-old-space-size=384 server.js && echo 4096"}}',
    },
  },
  'a Node that does not see cgroup v2': {
    files: { ...API, Dockerfile: dockerfile('node:18-alpine'), 'compose.yaml': compose('«1g»') },
    finds: { id: 'unseen', says: ['The service `web` has 1,024 MB of memory, which Node 18 does not see', '--max-old-space-size=768'] },
  },
  'a small container': {
    files: { ...API, Dockerfile: dockerfile(), 'compose.yaml': compose('«256m»') },
    finds: { id: 'small', severity: 'hint', says: ['The service `web` has 256 MB', '--max-old-space-size=160'] },
  },
  'a small container of Kubernetes': {
    files: { ...API, Dockerfile: dockerfile(), 'k8s/deployment.yaml': pod('«128Mi»') },
    finds: { id: 'small', severity: 'hint', says: ['--max-old-space-size=80'] },
  },
  "an image of Node's own": {
    files: {
      ...API,
      'compose.yaml': dedent`
        services:
          web:
            image: node:24
            command: node server.js
            mem_limit: «128m»

      `,
    },
    finds: { id: 'small', severity: 'hint' },
  },
};

describe('require-heap-limit', () => {
  for (const [name, { files: marked, finds }] of Object.entries(CASES)) {
    it(name, () => {
      for (const lineBreak of ['\n', '\r\n']) {
        const files: Record<string, string> = {};
        const places: string[] = [];
        for (const [path, text] of Object.entries(marked)) {
          const { code, spans } = readMarks(text.replaceAll('\n', lineBreak));
          files[path] = code;
          for (const { start, end } of spans) places.push(`${path}:${start}-${end}`);
        }
        const findings = lint(files);
        assert.deepEqual(
          findings.map(({ file, span }) => `${file.slice(ROOT.length + 1)}:${span.start}-${span.end}`),
          places,
        );
        assert.equal(places.length, finds ? 1 : 0);
        const finding = findings[0];
        if (!finds || !finding) continue;
        assert.equal(finding.messageId, finds.id);
        assert.equal(finding.severity, finds.severity ?? 'warning');
        const text = `${finding.message.what} ${finding.message.why} ${finding.message.remedy}`;
        assert.ok(!/\{\{|\}\}|undefined|NaN/.test(text), text);
        for (const part of finds.says ?? []) assert.ok(text.includes(part), `"${text}" lacks "${part}"`);
        const path = finding.file.slice(ROOT.length + 1);
        const fixed = finding.fixes[0] && applyEdits(files[path] ?? '', finding.fixes[0].edits);
        assert.equal(fixed, finds.fixed?.replaceAll('\n', lineBreak));
        if (fixed !== undefined) assert.deepEqual(lint({ ...files, [path]: fixed }), []);
      }
    });
  }

  it('reads sizes as Docker and Kubernetes do', () => {
    assert.deepEqual(['512m', '512M', '512mb', '1.5g', '1024', '64kib', '0', '${M}', 'max'].map(dockerBytes), [
      2 ** 29,
      2 ** 29,
      2 ** 29,
      1.5 * 2 ** 30,
      1024,
      2 ** 16,
      undefined,
      undefined,
      undefined,
    ]);
    assert.deepEqual(['512Mi', '512M', '1Gi', '1G', '1000', '{{ x }}'].map(kubernetesBytes), [
      2 ** 29,
      512e6,
      2 ** 30,
      1e9,
      1000,
      undefined,
    ]);
  });

  it('knows which Node sees the limits of cgroup v2', () => {
    const versions = [
      'node:16',
      'node:18',
      'node:18.18.0-alpine',
      'docker.io/library/node:18.18.2',
      'node:20',
      'node:20.2',
      'node:20.3.0',
      'node:22-slim',
    ];
    assert.deepEqual(
      versions.map((image) => missesCgroup2(nodeVersionOf(image) ?? '99')),
      [true, true, false, true, false, true, false, false],
    );
    assert.deepEqual(['node:lts', 'node', 'mynode:18', 'bitnami/node:18'].map(nodeVersionOf), [undefined, undefined, undefined, undefined]);
  });
});
