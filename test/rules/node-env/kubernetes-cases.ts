// Projects with Kubernetes manifests.
import { API, API_START, type DeploymentCase } from './case.ts';
import { dedent } from '../../../analysis/testing/dedent.ts';

const STARTS = dedent`
  FROM node:22
  WORKDIR /app
  COPY . .
  CMD ["node", "server.js"]

`;
const MARKED = STARTS.replace('CMD ["node", "server.js"]', '«CMD ["node", "server.js"]»');

function deployment(container: string, extra = ''): string {
  return dedent`
    apiVersion: apps/v1
    kind: Deployment
    metadata:
      name: web
    spec:
      template:
        spec:
          containers:
    ${container.replace(/^/gm, '        ')}${extra}

  `;
}

export const kubernetesCases: readonly DeploymentCase[] = [
  {
    name: 'the manifest sets it for the image',
    files: {
      ...API,
      Dockerfile: STARTS,
      'k8s/web.yaml': deployment(dedent`
        - name: web
          image: me/web:1
          env:
            - name: NODE_ENV
              value: production
      `),
    },
  },
  {
    name: 'nobody sets it: the image is the cause',
    files: {
      ...API,
      Dockerfile: MARKED,
      'k8s/web.yaml': deployment(dedent`
        - name: web
          image: me/web:1
          env:
            - name: PORT
              value: "80"
      `),
    },
    finds: [{ messageId: 'missing' }],
  },
  {
    name: 'its own command',
    files: {
      ...API,
      Dockerfile: dedent`
        FROM node:22
        WORKDIR /app
        COPY . .

      `,
      'k8s/web.yaml': deployment(dedent`
        - name: web
          image: me/web:1
          command: «["node", "server.js"]»
      `),
    },
    finds: [
      {
        messageId: 'missing',
        says: ['The container `web`'],
        fixed: deployment(
          dedent`
            - name: web
              env:
                - name: NODE_ENV
                  value: production
              image: me/web:1
              command: ["node", "server.js"]
          `,
        ),
      },
    ],
  },
  {
    name: 'its own command with an env list',
    files: {
      ...API_START,
      Dockerfile: dedent`
        FROM node:22
        WORKDIR /app
        COPY . .

      `,
      'deployment.yml': deployment(
        dedent`
          - name: web
            image: me/web:1
            command: «["npm", "start"]»
            env:
            - name: PORT
              value: "80"
        `,
      ),
    },
    finds: [
      {
        messageId: 'missing',
        related: ['package.json: "node server.js"'],
        fixed: deployment(
          dedent`
            - name: web
              image: me/web:1
              command: ["npm", "start"]
              env:
              - name: NODE_ENV
                value: production
              - name: PORT
                value: "80"
          `,
        ),
      },
    ],
  },
  {
    name: 'misspelt',
    files: {
      ...API,
      Dockerfile: STARTS,
      'k8s/web.yaml': deployment(dedent`
        - name: web
          image: me/web:1
          env:
            - name: NODE_ENV
              value: "«prod»"
      `),
    },
    finds: [{ messageId: 'misspelt' }],
  },
  {
    name: 'development in the production overlay',
    files: {
      ...API,
      Dockerfile: STARTS,
      'k8s/overlays/production/web.yaml': deployment(
        dedent`
          - name: web
            image: me/web:1
            env:
              - name: NODE_ENV
                value: «development»
        `,
      ),
    },
    finds: [{ messageId: 'development' }],
  },
  {
    name: 'development in a development overlay',
    files: {
      ...API,
      Dockerfile: MARKED,
      'k8s/overlays/dev/web.yaml': deployment(dedent`
        - name: web
          image: me/web:1
          env:
            - name: NODE_ENV
              value: development
      `),
    },
    finds: [{ messageId: 'missing' }],
  },
  {
    name: 'a ConfigMap of the project sets it',
    files: {
      ...API,
      Dockerfile: STARTS,
      'k8s/web.yaml': dedent`
        ${deployment('- name: web\n  image: me/web:1\n  envFrom:\n    - configMapRef:\n        name: conf')}---
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: conf
        data:
          NODE_ENV: production

      `,
    },
  },
  {
    name: 'a ConfigMap of the project lacks it',
    files: {
      ...API,
      Dockerfile: MARKED,
      'k8s/web.yaml': dedent`
        ${deployment('- name: web\n  image: me/web:1\n  envFrom:\n    - configMapRef:\n        name: conf')}---
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: conf
        data:
          PORT: "80"

      `,
    },
    finds: [{ messageId: 'missing' }],
  },
  {
    name: 'a secret may hold it',
    files: {
      ...API,
      Dockerfile: STARTS,
      'k8s/web.yaml': deployment(dedent`
        - name: web
          image: me/web:1
          envFrom:
            - secretRef:
                name: s
      `),
    },
  },
  {
    name: 'valueFrom',
    files: {
      ...API,
      Dockerfile: STARTS,
      'k8s/web.yaml': deployment(
        dedent`
          - name: web
            image: me/web:1
            env:
              - name: NODE_ENV
                valueFrom:
                  secretKeyRef: { name: s, key: k }
        `,
      ),
    },
  },
  {
    name: 'a Helm template',
    files: {
      ...API,
      Dockerfile: MARKED,
      'charts/web/templates/deployment.yaml': deployment(
        dedent`
          - name: web
            image: {{ .Values.image }}
            {{- if .Values.x }}
            command: ["node"]
            {{- end }}
        `,
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
        dedent`
          - name: web
            image: {{ include "web.image" . | quote }}
            {{- if .Values.x }}
            livenessProbe:
              initialDelaySeconds: 10
            {{- end }}
            env:
              - name: NODE_ENV
                value: production
        `,
      ),
    },
  },
  {
    name: 'a Helm template gives it a value of its own',
    files: {
      ...API,
      Dockerfile: STARTS,
      'charts/web/templates/deployment.yaml': deployment(
        dedent`
          - name: web
            image: "{{ .Values.image }}:{{ .Values.tag }}"
            env:
              - name: NODE_ENV
                value: {{ .Values.environment | quote }}
        `,
      ),
    },
  },
  {
    name: 'a Helm template whose variables stand in the values',
    files: {
      ...API,
      Dockerfile: STARTS,
      'charts/web/templates/deployment.yaml': deployment(
        dedent`
          - name: web
            image: {{ .Values.image }}
            env:
              {{- toYaml .Values.env | nindent 4 }}
        `,
      ),
    },
  },
  {
    name: 'a Helm template for development',
    files: {
      ...API,
      Dockerfile: MARKED,
      'charts/web-dev/templates/deployment.yaml': deployment(
        dedent`
          - name: web
            image: {{ .Values.image }}
            env:
              - name: NODE_ENV
                value: production
        `,
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
        dedent`
          - name: api
            image: {{ .Values.image }}
            env:
              - name: NODE_ENV
                value: production
        `,
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
        dedent`
          - name: shop
            image: {{ .Values.image }}
            env:
              - name: NODE_ENV
                value: production
        `,
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
      '../k8s/api.yaml': deployment(dedent`
        - name: api
          image: me/api:1
          env:
            - name: PORT
              value: "80"
      `),
    },
    finds: [{ messageId: 'missing' }],
  },
  {
    name: 'a sidecar and a job',
    files: {
      ...API,
      'k8s/web.yaml': deployment(dedent`
        - name: proxy
          image: envoyproxy/envoy
          command: ["envoy"]
      `),
      'k8s/job.yaml': dedent`
          apiVersion: batch/v1
          kind: Job
          metadata:
            name: seed
          spec:
            template:
              spec:
                containers:
                  - name: seed
                    image: node:22
                    command: ["node", "server.js"]

        `,
    },
  },
  {
    name: 'another YAML file of that folder',
    files: {
      ...API,
      'deploy/values.yaml': dedent`
      image: x
      env:
        - name: NODE_ENV
          value: prod

    `,
    },
  },
];
