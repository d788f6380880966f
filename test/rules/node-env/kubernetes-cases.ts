import { API, API_START, type DeploymentCase } from './case.ts';

const STARTS = 'FROM node:22\nWORKDIR /app\nCOPY . .\nCMD ["node", "server.js"]\n';
const MARKED = STARTS.replace('CMD ["node", "server.js"]', '«CMD ["node", "server.js"]»');

function deployment(container: string, extra = ''): string {
  return `apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  template:\n    spec:\n      containers:\n${container.replace(/^/gm, '        ')}${extra}\n`;
}

export const kubernetesCases: readonly DeploymentCase[] = [
  {
    name: 'the manifest sets it for the image',
    files: {
      ...API,
      Dockerfile: STARTS,
      'k8s/web.yaml': deployment('- name: web\n  image: me/web:1\n  env:\n    - name: NODE_ENV\n      value: production'),
    },
  },
  {
    name: 'nobody sets it: the image is the cause',
    files: {
      ...API,
      Dockerfile: MARKED,
      'k8s/web.yaml': deployment('- name: web\n  image: me/web:1\n  env:\n    - name: PORT\n      value: "80"'),
    },
    finds: [{ messageId: 'missing' }],
  },
  {
    name: 'its own command',
    files: {
      ...API,
      Dockerfile: 'FROM node:22\nWORKDIR /app\nCOPY . .\n',
      'k8s/web.yaml': deployment('- name: web\n  image: me/web:1\n  command: «["node", "server.js"]»'),
    },
    finds: [
      {
        messageId: 'missing',
        says: ['The container `web`'],
        fixed: deployment(
          '- name: web\n  env:\n    - name: NODE_ENV\n      value: production\n  image: me/web:1\n  command: ["node", "server.js"]',
        ),
      },
    ],
  },
  {
    name: 'its own command with an env list',
    files: {
      ...API_START,
      Dockerfile: 'FROM node:22\nWORKDIR /app\nCOPY . .\n',
      'deployment.yml': deployment(
        '- name: web\n  image: me/web:1\n  command: «["npm", "start"]»\n  env:\n  - name: PORT\n    value: "80"',
      ),
    },
    finds: [
      {
        messageId: 'missing',
        related: ['package.json: "node server.js"'],
        fixed: deployment(
          '- name: web\n  image: me/web:1\n  command: ["npm", "start"]\n  env:\n  - name: NODE_ENV\n    value: production\n  - name: PORT\n    value: "80"',
        ),
      },
    ],
  },
  {
    name: 'misspelt',
    files: {
      ...API,
      Dockerfile: STARTS,
      'k8s/web.yaml': deployment('- name: web\n  image: me/web:1\n  env:\n    - name: NODE_ENV\n      value: "«prod»"'),
    },
    finds: [{ messageId: 'misspelt' }],
  },
  {
    name: 'development in the production overlay',
    files: {
      ...API,
      Dockerfile: STARTS,
      'k8s/overlays/production/web.yaml': deployment(
        '- name: web\n  image: me/web:1\n  env:\n    - name: NODE_ENV\n      value: «development»',
      ),
    },
    finds: [{ messageId: 'development' }],
  },
  {
    name: 'development in a development overlay',
    files: {
      ...API,
      Dockerfile: MARKED,
      'k8s/overlays/dev/web.yaml': deployment('- name: web\n  image: me/web:1\n  env:\n    - name: NODE_ENV\n      value: development'),
    },
    finds: [{ messageId: 'missing' }],
  },
  {
    name: 'a ConfigMap of the project sets it',
    files: {
      ...API,
      Dockerfile: STARTS,
      'k8s/web.yaml': `${deployment('- name: web\n  image: me/web:1\n  envFrom:\n    - configMapRef:\n        name: conf')}---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: conf\ndata:\n  NODE_ENV: production\n`,
    },
  },
  {
    name: 'a ConfigMap of the project lacks it',
    files: {
      ...API,
      Dockerfile: MARKED,
      'k8s/web.yaml': `${deployment('- name: web\n  image: me/web:1\n  envFrom:\n    - configMapRef:\n        name: conf')}---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: conf\ndata:\n  PORT: "80"\n`,
    },
    finds: [{ messageId: 'missing' }],
  },
  {
    name: 'a secret may hold it',
    files: {
      ...API,
      Dockerfile: STARTS,
      'k8s/web.yaml': deployment('- name: web\n  image: me/web:1\n  envFrom:\n    - secretRef:\n        name: s'),
    },
  },
  {
    name: 'valueFrom',
    files: {
      ...API,
      Dockerfile: STARTS,
      'k8s/web.yaml': deployment(
        '- name: web\n  image: me/web:1\n  env:\n    - name: NODE_ENV\n      valueFrom:\n        secretKeyRef: { name: s, key: k }',
      ),
    },
  },
  {
    name: 'a Helm template',
    files: {
      ...API,
      Dockerfile: MARKED,
      'charts/web/templates/deployment.yaml': deployment(
        '- name: web\n  image: {{ .Values.image }}\n  {{- if .Values.x }}\n  command: ["node"]\n  {{- end }}',
      ),
    },
    finds: [{ messageId: 'missing' }],
  },
  {
    name: 'a Helm template sets it',
    files: {
      ...API,
      Dockerfile: STARTS,
      'deploy/helm/charts/web/templates/deployment.yaml': deployment(
        '- name: web\n  image: {{ include "web.image" . | quote }}\n  {{- if .Values.x }}\n  livenessProbe:\n    initialDelaySeconds: 10\n  {{- end }}\n  env:\n    - name: NODE_ENV\n      value: production',
      ),
    },
  },
  {
    name: 'a Helm template gives it a value of its own',
    files: {
      ...API,
      Dockerfile: STARTS,
      'charts/web/templates/deployment.yaml': deployment(
        '- name: web\n  image: "{{ .Values.image }}:{{ .Values.tag }}"\n  env:\n    - name: NODE_ENV\n      value: {{ .Values.environment | quote }}',
      ),
    },
  },
  {
    name: 'a Helm template whose variables stand in the values',
    files: {
      ...API,
      Dockerfile: STARTS,
      'charts/web/templates/deployment.yaml': deployment(
        '- name: web\n  image: {{ .Values.image }}\n  env:\n    {{- toYaml .Values.env | nindent 4 }}',
      ),
    },
  },
  {
    name: 'a Helm template for development',
    files: {
      ...API,
      Dockerfile: MARKED,
      'charts/web-dev/templates/deployment.yaml': deployment(
        '- name: web\n  image: {{ .Values.image }}\n  env:\n    - name: NODE_ENV\n      value: production',
      ),
    },
    finds: [{ messageId: 'missing' }],
  },
  {
    name: 'a chart of the monorepo around the package sets it',
    files: {
      ...API,
      'api/package.json': API['package.json'],
      'api/server.js': API['server.js'],
      'api/Dockerfile': STARTS,
      '../deploy/charts/api/templates/deployment.yaml': deployment(
        '- name: api\n  image: {{ .Values.image }}\n  env:\n    - name: NODE_ENV\n      value: production',
      ),
    },
  },
  {
    name: 'a chart around the package, for another image',
    files: {
      ...API,
      'api/package.json': API['package.json'],
      'api/server.js': API['server.js'],
      'api/Dockerfile': MARKED,
      '../deploy/charts/shop/templates/deployment.yaml': deployment(
        '- name: shop\n  image: {{ .Values.image }}\n  env:\n    - name: NODE_ENV\n      value: production',
      ),
    },
    finds: [{ messageId: 'missing' }],
  },
  {
    name: 'a manifest around the package lacks it',
    files: {
      ...API,
      'api/package.json': API['package.json'],
      'api/server.js': API['server.js'],
      'api/Dockerfile': MARKED,
      '../k8s/api.yaml': deployment('- name: api\n  image: me/api:1\n  env:\n    - name: PORT\n      value: "80"'),
    },
    finds: [{ messageId: 'missing' }],
  },
  {
    name: 'a sidecar and a job',
    files: {
      ...API,
      'k8s/web.yaml': deployment('- name: proxy\n  image: envoyproxy/envoy\n  command: ["envoy"]'),
      'k8s/job.yaml':
        'apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: seed\nspec:\n  template:\n    spec:\n      containers:\n        - name: seed\n          image: node:22\n          command: ["node", "server.js"]\n',
    },
  },
  {
    name: 'another YAML file of that folder',
    files: { ...API, 'deploy/values.yaml': 'image: x\nenv:\n  - name: NODE_ENV\n    value: prod\n' },
  },
];
