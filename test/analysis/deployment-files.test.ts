// Which files say how a program is started, by their names.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deploymentKindOf } from '../../analysis/deployment/deployment-files.ts';
import type { DeploymentKind } from '../../protocol/project.ts';

const KINDS: Readonly<Record<DeploymentKind | 'none', readonly string[]>> = {
  'package-json': ['package.json', '/srv/app/package.json', 'C:\\work\\app\\package.json'],
  dockerfile: [
    'Dockerfile',
    'dockerfile',
    'docker/Dockerfile',
    'Dockerfile.prod',
    'Dockerfile-production',
    'dev.Dockerfile',
    'prod.dockerfile',
    'Containerfile',
    'Dockerfile.alpine',
  ],
  compose: [
    'docker-compose.yml',
    'docker-compose.yaml',
    'compose.yaml',
    'compose.prod.yml',
    'docker-compose-redis.yml',
    'docker-compose.override.yml',
    'prod.compose.yml',
    'docker-stack.yml',
  ],
  pm2: [
    'ecosystem.config.js',
    'ecosystem.config.cjs',
    'ecosystem.json',
    'ecosystem.prod.config.js',
    'pm2.config.js',
    'pm2.json',
    'process.yml',
    'processes.json',
    'web.pm2.json',
  ],
  procfile: ['Procfile', 'Procfile.dev'],
  systemd: [
    'app.service',
    'deploy/app.service',
    '/etc/systemd/system/app.service.d/override.conf',
    'supervisor.conf',
    'docker/supervisord.conf',
    'supervisor/web.ini',
    'etc/supervisor/conf.d/web.conf',
    'supervisord.d/web.ini',
    'supervisor-web.conf',
  ],
  kubernetes: [
    'k8s/web.yaml',
    'kubernetes/base/web.yml',
    'deploy/web.yaml',
    'charts/web/templates/deployment.yaml',
    'web-deployment.yaml',
    'deployment.yml',
    'statefulset.yaml',
  ],
  env: ['.env', '.env.production', 'prod.env', 'config/.env.local'],
  none: [
    'package-lock.json',
    'my-package.json',
    'dockerfile.js',
    'Dockerfile.hbs',
    'Dockerfile.md',
    '.dockerignore',
    'Dockerfile.dockerignore',
    'composer.json',
    'compose.js',
    'docker-compose.hbs',
    'process.js',
    'ecosystem-lint.js',
    'lint-ecosystem.js',
    'user.service.ts',
    'user.service.js',
    '.envrc',
    'nginx.conf',
    'conf.d/web.conf',
    'supervisor.js',
    'hypervisor.conf',
    'env',
    '.env.js',
    '.env.d.ts',
    'environment.ts',
    '.github/workflows/deploy.yml',
    '.github/deploy/x.yml',
    'config.yaml',
    'openapi.yml',
    'server.js',
  ],
};

describe('deploymentKindOf', () => {
  for (const [kind, paths] of Object.entries(KINDS)) {
    it(kind, () => {
      for (const path of paths) assert.equal(deploymentKindOf(path), kind === 'none' ? undefined : kind, path);
    });
  }
});
