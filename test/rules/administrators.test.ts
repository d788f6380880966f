// What only administrators wait for is a hint, or not reported: by the names of routes, or of the folders above a handler.
import { dedent } from '../../analysis/testing/dedent.ts';
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

/** A route with something before its handler, and what the handler does first. */
const checked = (before: string, first = ''): Files => ({
  'server.js': `
const app = require('express')();
const { hash } = require('./hash');
const { requireAdmin, adminOrOwner, requireRole, auth } = require('./auth');
app.post('/users', ${before}(req, res) => { ${first} res.send(hash(req.body.password)); });
app.listen(3000);
`,
  'auth.js':
    'exports.requireAdmin = exports.adminOrOwner = (req, res, next) => next(); exports.requireRole = exports.auth = () => exports.requireAdmin;',
});

/** Handlers of another file, which look like such. */
const elsewhere = (rest: string): Files => ({
  'server.js': `
const app = require('express')();
const users = require('./users');
const { auth } = require('./auth');
app.post('/users', ${rest});
app.listen(3000);
`,
  'users.js': `
const { hash } = require('./hash');
const create = (req, res, next) => { try { res.status(201).json(hash(req.body.password)); } catch (error) { next(error); } };
exports.create = exports.createByAdmin = create;
exports.all = [(req, res, next) => next(), create];
`,
  'auth.js': 'exports.auth = (role) => (req, res, next) => next();',
});

const nest = (decorator: string): Files => ({
  'users.controller.ts': `
import { Body, Controller, Post, UseGuards } from '@nestjs/common';
import { hash } from './hash';
import { AdminGuard, Roles } from './guards';
@Controller('users')
export class UsersController {
  ${decorator}
  @Post()
  create(@Body() body: { password: string }) { return hash(body.password); }
}
`,
  'guards.ts': 'export class AdminGuard {} export const Roles = (...roles: string[]) => () => roles;',
});

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
    ['a check before the handler', checked('requireAdmin, '), 'hint'],
    ['a check with a role', checked("requireRole('admin'), "), 'hint'],
    ['a check with two roles', checked("requireRole('admin', 'editor'), "), 'warning'],
    ['a check that lets others through, too', checked('adminOrOwner, '), 'warning'],
    ['a check of something else', checked("auth({ realm: 'administration' }), "), 'warning'],
    ['a check in the handler', checked('', 'if (!req.user || !req.user.isAdmin) return res.sendStatus(403);'), 'hint'],
    ['a check of the role in the handler', checked('', "if (req.user.role !== 'admin') return res.sendStatus(403);"), 'hint'],
    [
      'a check in the handler that lets owners through',
      checked('', 'if (!req.user.isAdmin && !req.user.isOwner) return res.sendStatus(403);'),
      'warning',
    ],
    ['a branch for administrators', checked('', 'if (!req.user.isAdmin) req.body.role = "user";'), 'warning'],
    ['work for others than administrators', checked('', 'if (req.user.isAdmin) return res.end();'), 'warning'],
    ['a check before a handler of another file', elsewhere("auth('admin'), users.create"), 'hint'],
    ['a check before a list of another file', elsewhere("auth('admin'), ...users.all"), 'hint'],
    ['no check before a handler of another file', elsewhere('auth(), users.create'), 'warning'],
    ['a handler that is named for them', elsewhere('auth(), users.createByAdmin'), 'hint'],
    ['a guard', nest('@UseGuards(AdminGuard)'), 'hint'],
    ['a decorator with a role', nest("@Roles('admin')"), 'hint'],
    ['a decorator with two roles', nest("@Roles('admin', 'member')"), 'warning'],
  ] as const)
    it(`${name}: ${expected}`, () => {
      assert.deepEqual(severityIn(files), [expected]);
    });

  const CHECK = "exports.hash = (name) => require('node:fs').existsSync(name);";
  it('a blocking call that is a hint for everyone is one for them, too', () => {
    assert.deepEqual(severityIn({ 'server.js': serverWith('/users'), 'hash.js': CHECK }), ['hint']);
    assert.deepEqual(severityIn({ 'server.js': serverWith('/admin/users'), 'hash.js': CHECK }), ['hint']);
  });

  it('another hint is not reported for them', () => {
    const waiting = (route: string): string => dedent`
      const app = require('express')();
      app.get('${route}', async (req, res) => {
        const user = await fetch('https://a.example/users/' + req.params.id);
        const posts = await fetch('https://b.example/posts/' + req.params.id);
        res.json({ user: await user.json(), posts: await posts.json() });
      });
      app.listen(3000);
    `;
    const found = (route: string): number => findingsOf(['no-sequential-await'], { 'server.js': waiting(route) }).length;
    assert.deepEqual([found('/users/:id'), found('/admin/users/:id')], [1, 0]);
  });

  it('nor is a blocking call where only invocations lead, one at a time', () => {
    const handler = dedent`
      const { hash } = require('./hash');
      exports.handler = async (event) => ({ statusCode: 200, body: String(hash(event.body)) });
    `;
    assert.deepEqual(severityIn({ 'lambda.js': handler }), ['hint']);
    assert.deepEqual(severityIn({ 'lambda.js': handler, 'hash.js': CHECK }), []);
  });
});
