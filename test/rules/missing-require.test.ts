// ES modules have no `require`, unless a file of the package makes a global of one.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findingsOf } from './whole-project.ts';

const SERVER = `
import express from 'express';
const app = express();
app.get('/a', (req, res) => {
  const { execSync } = require('child_process');
  res.send(execSync('git log'));
});
app.listen(3000);
`;
const PROJECT = {
  manifest: {
    type: 'module',
    bin: [],
    scripts: { start: 'node dist/index.js' },
    dependencies: { express: '^5.0.0' },
    devDependencies: {},
    private: true,
  },
} as const;
const CREATED = "import { createRequire } from 'node:module';";

const found = (index: string): number =>
  findingsOf(['no-sync-in-handler'], { 'index.ts': `${index} await import('./server.js');`, 'server.js': SERVER }, PROJECT).length;

describe('require in an ES module', () => {
  for (const index of ['', `${CREATED} const require = createRequire(import.meta.url); globalThis.fetch ??= require('undici').fetch;`])
    it(`is missing beside: ${index}`, () => assert.equal(found(index), 0));

  for (const index of [
    'globalThis.require = createRequire(import.meta.url);',
    '(globalThis as any).require = createRequire(import.meta.url);',
    "global['require'] ??= createRequire(import.meta.url);",
    'const require = createRequire(import.meta.url); Object.assign(globalThis, { require });',
  ])
    it(`is there beside: ${index}`, () => assert.equal(found(`${CREATED} ${index}`), 1));
});
