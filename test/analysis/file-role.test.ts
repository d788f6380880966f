// A file's role by its place in the project.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findFileRole, type FileRole } from '../../analysis/facts/file-role.ts';
import { ModuleIndex } from '../../analysis/module/module-index.ts';
import { parse } from '../../analysis/module/parse.ts';
import { Source } from '../../analysis/module/source.ts';
import { FRAMEWORKS } from '../../knowledge/frameworks.ts';
import { SERVER_PACKAGES } from '../../knowledge/server-packages.ts';
import type { PackageManifest } from '../../protocol/project.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

function roleOf(file: string, root: string, manifest: Partial<PackageManifest> = {}, place?: string, text = 'export {};'): FileRole {
  const outcome = parse(file, text);
  assert.ok(outcome.ok);
  const whole: PackageManifest = { bin: [], scripts: {}, dependencies: {}, devDependencies: {}, private: false, ...manifest };
  return findFileRole({
    file,
    project: { root, ...(place ? { place } : {}), manifest: whole, nodeRange: '>=20', nodeRangeSource: 'test' },
    module: new ModuleIndex(outcome.ast),
    source: new Source(file, text),
  });
}

test('build/ holds scripts, unless the package starts from it', () => {
  assert.equal(roleOf('/p/build/app.js', '/p'), 'script');
  assert.equal(roleOf('/p/build/app.js', '/p', { main: 'lib/index.js', scripts: { build: 'node build/run.js' } }), 'script');
  assert.equal(roleOf('/p/build/chunks/app.js', '/p', { scripts: { start: 'npm run build && node build/app.js' } }), 'application');
  assert.equal(roleOf('/p/build/chunks/app.js', '/p', { main: './build/app.js' }), 'application');
  assert.equal(roleOf('/p/scripts/app.js', '/p', { main: './build/app.js' }), 'script');
});

test('a folder of scripts holds the program where a package with a server starts from it', () => {
  const dependencies = { express: '^4.22.1' };
  assert.equal(
    roleOf('/p/scripts/services/boards.js', '/p', {
      dependencies,
      scripts: { start: 'apidoc -i scripts/ && node ./scripts/server.js --mode=production' },
    }),
    'application',
  );
  assert.equal(roleOf('/p/tools/api.js', '/p', { dependencies, main: 'tools/api.js' }), 'application');
  // The scripts' own scripts, another folder's, other scripts of package.json, a package without a server, what create-react-app leaves
  // behind.
  assert.equal(roleOf('/p/scripts/tools/clean.js', '/p', { dependencies, scripts: { start: 'node scripts/server.js' } }), 'script');
  assert.equal(roleOf('/p/src/scripts/clean.js', '/p', { dependencies, scripts: { start: 'node scripts/server.js' } }), 'script');
  assert.equal(
    roleOf('/p/scripts/clean.js', '/p', { dependencies, scripts: { start: 'node server.js', clean: 'node scripts/clean.js' } }),
    'script',
  );
  assert.equal(roleOf('/p/scripts/clean.js', '/p', { scripts: { start: 'node scripts/server.js' } }), 'script');
  assert.equal(roleOf('/p/scripts/start.js', '/p', { dependencies, scripts: { start: 'node scripts/start.js' } }), 'script');
  assert.equal(
    roleOf('/p/install/setup.js', '/p', { dependencies, scripts: { start: 'chmod +x install/start.sh && install/start.sh' } }),
    'script',
  );
  assert.equal(roleOf('/p/scripts/clean.js', '/p', { dependencies, scripts: { start: 'apidoc -i scripts/ && node server.js' } }), 'script');
});

test('a project of its own in a folder frontend is the browser’s', () => {
  assert.equal(roleOf('/p/frontend/src/menu.ts', '/p/frontend'), 'browser');
  assert.equal(roleOf('/p/frontend/src/menu.ts', '/p'), 'browser');
  assert.equal(roleOf('/p/backend/src/menu.ts', '/p/backend'), 'application');
});

test('a package that was copied to what a server gives out is the browser’s', () => {
  assert.equal(roleOf('/p/public/js/vendor/acorn/acorn.js', '/p/public/js/vendor/acorn', {}, 'public/js/vendor/acorn'), 'browser');
  assert.equal(roleOf('/p/public/app.js', '/p/public', {}, 'public'), 'browser');
  // The place alone says nothing of a program that is started there.
  assert.equal(roleOf('/p/public/api/app.js', '/p/public/api', { scripts: { start: 'node app.js' } }, 'public/api'), 'application');
  assert.equal(roleOf('/p/packages/acorn/acorn.js', '/p/packages/acorn', {}, 'packages/acorn'), 'application');
});

test('a script named test-… beside package.json is a test; a service of that name is none', () => {
  assert.equal(roleOf('/p/test-sharp.js', '/p'), 'test');
  assert.equal(roleOf('/p/src/test-results.js', '/p'), 'application');
  assert.equal(roleOf('/p/testing-hall.js', '/p'), 'application');
});

test('what imports shelljs is a script, unless other files can have something of it', () => {
  assert.equal(roleOf('/p/run.js', '/p', {}, undefined, "const shell = require('shelljs');\nshell.exec('ls');"), 'script');
  assert.equal(
    roleOf(
      '/p/app/plugins.js',
      '/p',
      {},
      undefined,
      dedent`
      const shell = require('shelljs');
      module.exports = () => shell.exec('ls');
    `,
    ),
    'application',
  );
  assert.equal(
    roleOf(
      '/p/app/plugins.js',
      '/p',
      {},
      undefined,
      dedent`
      import shell from 'shelljs';
      export const list = () => shell.exec('ls');
    `,
    ),
    'application',
  );
});

test('each server package of the table makes a program of a folder of scripts, and is listed once', () => {
  const names = SERVER_PACKAGES.map(({ name }) => name);
  assert.deepEqual(
    names.filter((name, i) => names.indexOf(name) !== i),
    [],
  );
  for (const name of ['express', '@tinyhttp/app', 'h3', 'elysia', 'egg', 'micro', 'connect', 'uWebSockets.js', 'next'])
    assert.ok(names.includes(name), name);
  for (const name of names) {
    const started = { dependencies: { [name]: '1.0.0' }, scripts: { start: 'node scripts/server.js' } };
    assert.equal(roleOf('/p/scripts/server.js', '/p', started), 'application', name);
    assert.equal(roleOf('/p/src/app.js', '/p', { devDependencies: { 'react-scripts': '5.0.1', [name]: '1.0.0' } }), 'application', name);
  }
});

test('clients, middleware and what a platform starts make none', () => {
  const others = FRAMEWORKS.flatMap(({ packages, notServers }) => (notServers === 'all' ? packages : (notServers ?? [])));
  for (const name of ['passport', 'restify-clients', 'isomorphic-ws', 'firebase-functions']) assert.ok(others.includes(name), name);
  for (const name of others) {
    const started = { dependencies: { [name]: '1.0.0' }, scripts: { start: 'node scripts/server.js' } };
    assert.equal(roleOf('/p/scripts/server.js', '/p', started), 'script', name);
  }
});

test('below a folder of routes, the names of folders are parts of URLs', () => {
  for (const file of [
    'app/api/migrations/route.ts',
    'src/app/api/tests/[id]/route.ts',
    'pages/api/scripts/run.ts',
    'pages/api/seed.ts',
    'src/routes/tools/+server.ts',
    'src/routes/tests/+page.server.ts',
    'server/api/migrations/list.get.ts',
    'app/routes/scripts/list.tsx',
    'src/routes/migrations/index.js',
    'controllers/docs/list.js',
    'routes/commands/public.js',
  ])
    assert.equal(roleOf(`/p/${file}`, '/p'), 'application', file);
});

test('above a folder of routes, and for tests in it, they still tell what a file is for', () => {
  assert.equal(roleOf('/p/test/fixtures/app/api/users/route.ts', '/p'), 'test');
  // What nobody starts any more, unless the program still imports it, or a package starts from there.
  assert.equal(roleOf('/p/old/backend/server.js', '/p'), 'script');
  assert.equal(roleOf('/p/src/unused/server.js', '/p'), 'script');
  assert.equal(roleOf('/p/routes/old/list.js', '/p'), 'application');
  assert.equal(roleOf('/p/golden/server.js', '/p'), 'application');
  assert.equal(roleOf('/p/migrations/routes/list.js', '/p'), 'migration');
  assert.equal(roleOf('/p/scripts/routes/list.js', '/p'), 'script');
  assert.equal(roleOf('/p/src/routes/__tests__/list.js', '/p'), 'test');
  assert.equal(roleOf('/p/packages/core/src/jestutils/flush.js', '/p'), 'test');
  assert.equal(roleOf('/p/packages/jest-utils/src/flush.js', '/p'), 'test');
  assert.equal(roleOf('/p/packages/jest-utils/src/flush.js', '/p/packages/jest-utils'), 'test');
  assert.equal(roleOf('/p/packages/utils/src/flush.js', '/p/packages/utils'), 'application');
  assert.equal(roleOf('/p/src/uploads/test-helpers/receiver.js', '/p'), 'test');
  assert.equal(roleOf('/p/src/testUtils/receiver.js', '/p'), 'test');
  assert.equal(roleOf('/p/src/latest-helpers/receiver.js', '/p'), 'application');
  assert.equal(roleOf('/p/src/routes/tests/list.js', '/p'), 'test');
  assert.equal(roleOf('/p/pages/api/list.test.ts', '/p'), 'test');
  assert.equal(roleOf('/p/src/routes/users/server.test.ts', '/p'), 'test');
  assert.equal(roleOf('/p/src/app/migrations/list.ts', '/p'), 'migration');
  assert.equal(roleOf('/p/src/routers.js', '/p'), 'application');
});

test('what is named after the program that is started may be a part of it, or be started by an image', () => {
  const starting = { scripts: { start: 'node server.js' } };
  for (const file of ['server-simple.js', 'routes/server-demo.js', 'modules/server-sample.js', 'plugins/server-demo.js'])
    assert.equal(roleOf(`/p/${file}`, '/p', starting), 'application', file);
});

test('a package in a folder of tests holds tests, and so does one that is named after them', () => {
  assert.equal(roleOf('/p/test/webhook/app.js', '/p/test/webhook', {}, 'test/webhook'), 'test');
  assert.equal(roleOf('/p/packages/api/e2e/app.js', '/p/packages/api/e2e', {}, 'packages/api/e2e'), 'test');
  assert.equal(roleOf('/p/integration-test/src/login.ts', '/p/integration-test'), 'test');
  assert.equal(roleOf('/p/packages/cypress/src/proxy.ts', '/p/packages/cypress'), 'test');
  // The folder above the outermost package is where somebody keeps projects.
  assert.equal(roleOf('/test/shop/app.js', '/test/shop'), 'application');
  assert.equal(roleOf('/p/packages/latest/app.js', '/p/packages/latest', {}, 'packages/latest'), 'application');
  assert.equal(roleOf('/p/packages/load-test/app.js', '/p/packages/load-test', {}, 'packages/load-test'), 'application');
});

test('a package in a folder of commands below a source folder is one of them, not a package of that name', () => {
  assert.equal(roleOf('/p/src/cli/utils/repair/index.js', '/p/src/cli/utils/repair', {}, 'src/cli/utils/repair'), 'script');
  assert.equal(roleOf('/p/packages/cli/src/server.js', '/p/packages/cli', {}, 'packages/cli'), 'application');
  assert.equal(roleOf('/p/src/cli/server.js', '/p/src/cli', {}, 'src/cli'), 'application');
});
