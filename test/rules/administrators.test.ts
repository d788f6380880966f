// What only administrators wait for is a hint, or not reported: by the names of routes, or of the folders above a handler.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findingsOf, type Files } from './whole-project.ts';

const HASH = `
const { pbkdf2Sync } = require('node:crypto');
exports.hash = (password) => pbkdf2Sync(password, 'salt', 100000, 64, 'sha512');
`;

const serverWith = (...routes: readonly string[]): string => `
const app = require('express')();
const { hash } = require('./hash');
${routes.map((route) => `app.post('${route}', (req, res) => res.send(hash(req.body.password)));`).join('\n')}
app.listen(3000);
`;

const SIGNATURE = `
const { hash } = require('../../hash');
exports.create = (req, res) => { res.status(200).json({ hash: hash(req.body.password) }); };
`;

const severityIn = (files: Files): string[] =>
  findingsOf(['no-sync-in-handler'], { 'hash.js': HASH, ...files }).map(({ severity }) => severity);

describe('requests of administrators', () => {
  for (const [name, files, expected] of [
    ['a route for administrators', { 'server.js': serverWith('/api/admin/users') }, 'hint'],
    ['a route at whose end the word is', { 'server.js': serverWith('/users/superadmin') }, 'hint'],
    ['two of them', { 'server.js': serverWith('/admin/users', '/admin/keys') }, 'hint'],
    ['one of them, and one for everyone', { 'server.js': serverWith('/admin/users', '/users') }, 'warning'],
    ['a word that only starts alike', { 'server.js': serverWith('/adminton/users') }, 'warning'],
    ['a route for everyone, in a folder of that name', { 'admin/server.js': serverWith('/users').replace('./hash', '../hash') }, 'warning'],
    ['a handler without a known route, in such a folder', { 'admin/controllers/users.js': SIGNATURE }, 'hint'],
    ['a handler without a known route, elsewhere', { 'api/controllers/users.js': SIGNATURE }, 'warning'],
  ] as const)
    it(`${name}: ${expected}`, () => {
      assert.deepEqual(severityIn(files), [expected]);
    });

  const CHECK = "exports.hash = (name) => require('node:fs').existsSync(name);";
  it('what is a hint for everyone is not reported for them', () => {
    assert.deepEqual(severityIn({ 'server.js': serverWith('/users'), 'hash.js': CHECK }), ['hint']);
    assert.deepEqual(severityIn({ 'server.js': serverWith('/admin/users'), 'hash.js': CHECK }), []);
  });

  it('nor is it where only invocations lead, one at a time', () => {
    const handler =
      "const { hash } = require('./hash');\nexports.handler = async (event) => ({ statusCode: 200, body: String(hash(event.body)) });";
    assert.deepEqual(severityIn({ 'lambda.js': handler }), ['hint']);
    assert.deepEqual(severityIn({ 'lambda.js': handler, 'hash.js': CHECK }), []);
  });
});
