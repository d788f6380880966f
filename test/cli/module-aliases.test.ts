// Names for folders that come from a package.json or from Babel: what they lead to is linted with the program.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dedent } from '../../analysis/testing/dedent.ts';
import { rules } from '../../rules/index.ts';
import { runIn } from './support.ts';

const server = (specifier: string): string => dedent`
  require('module-alias/register');
  const app = require('express')();
  const { verify } = require('${specifier}');
  app.post('/login', (req, res) => res.json(verify(req.body)));
  app.listen(3000);
`;
const users = dedent`
  const { pbkdf2Sync } = require('crypto');
  exports.verify = ({ password }) => pbkdf2Sync(password, 'salt', 100000, 64, 'sha512').toString('hex');
`;
const manifest = (more: object): string => JSON.stringify({ private: true, dependencies: { express: '4' }, ...more });

async function found(files: Readonly<Record<string, string>>): Promise<boolean> {
  return (await runIn(files, ['lint'], { rules })).out.includes('`crypto.pbkdf2Sync` blocks the event loop on every `POST /login`');
}

describe('aliases of folders', () => {
  it('in _moduleAliases: the longer of two, a folder that a build writes to, and a file', async () => {
    for (const [specifier, alias] of [
      ['@dao/users', { '@': '.', '@dao': 'app/dao' }],
      ['@dao/users', { '@dao': 'dist/app/dao' }],
      ['users', { users: './app/dao/users.js' }],
      ['root/app/dao/users', { root: './' }],
    ] as const) {
      const files = { 'package.json': manifest({ _moduleAliases: alias }), 'index.js': server(specifier), 'app/dao/users.js': users };
      assert.ok(await found(files), JSON.stringify(alias));
    }
  });

  it('in _moduleDirectories', async () => {
    assert.ok(
      await found({
        'package.json': manifest({ _moduleDirectories: ['app'] }),
        'index.js': server('dao/users'),
        'app/dao/users.js': users,
      }),
    );
  });

  it('of module-resolver, in a .babelrc with comments and in a package.json', async () => {
    const plugins = [['module-resolver', { root: ['./app'], alias: { '^@regex/(.+)': './x/\\1', dao: ['./app/dao'] } }]];
    assert.ok(
      await found({
        'package.json': manifest({}),
        '.babelrc': `{ // of Babel\n"plugins": ${JSON.stringify(plugins)} }`,
        'index.js': server('dao/users'),
        'app/dao/users.js': users,
      }),
    );
    assert.ok(
      await found({ 'package.json': manifest({ babel: { plugins } }), 'index.js': server('dao/users'), 'app/dao/users.js': users }),
    );
  });

  it('that are no aliases lead nowhere: another folder, a name that only begins alike, values of other types', async () => {
    for (const more of [
      {},
      { _moduleAliases: { '@da': 'app/dao' } },
      { _moduleAliases: { '@dao': 'lib/other' } },
      { _moduleAliases: 'app', _moduleDirectories: [1, null], babel: { plugins: [['module-resolver', 'x'], 'module-resolver', null] } },
      { _moduleAliases: [['@dao', 'app/dao']], babel: [] },
    ])
      assert.ok(
        !(await found({ 'package.json': manifest(more), 'index.js': server('@dao/users'), 'app/dao/users.js': users })),
        JSON.stringify(more),
      );
  });
});
