// What is read with the project beside its code: schemas of GraphQL in files of their own, and names for folders that come from a package.json
// or from Babel.
import { dedent } from '../../analysis/testing/dedent.ts';
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { readProjectLayout } from '../../workspace/project-index/project-layout.ts';
import { Resolver } from '../../analysis/project/files/layout.ts';
import { meaningOf } from '../../server/documents/watched-files.ts';
import { rules } from '../../rules/index.ts';
import { folderWith, runIn } from '../cli/support.ts';

const SCHEMA = 'type Query { users: [User] }';

describe('schemas of GraphQL in files of their own', () => {
  it('are read beside the code, and below it in folders for them', () => {
    const folder = folderWith({
      'package.json': '{"dependencies":{"@apollo/server":"4.0.0"}}',
      'src/server.js': '',
      'src/users.graphql': SCHEMA,
      'graphql/posts/posts.gql': 'type Query { posts: [Post] }',
      'graphql/readme.md': SCHEMA,
      'other/else.graphql': 'type Query { others: [Other] }',
    });
    try {
      const { schemas = [] } = readProjectLayout([join(folder.path, 'src/server.js')]);
      assert.deepEqual(
        schemas.map(({ lists }) => lists.map(({ field }) => field)),
        [['Query.posts'], ['Query.users']],
      );
    } finally {
      folder.dispose();
    }
  });

  it('tell which field returns a list', async () => {
    const { out } = await runIn(
      {
        'package.json': '{"dependencies":{"@apollo/server":"4.0.0","mongoose":"8.0.0"}}',
        'schema.graphql': `# users\n${SCHEMA}\n`,
        'server.js': dedent`
            const { ApolloServer } = require('@apollo/server');
            const { Post } = require('./models');
            new ApolloServer({ typeDefs: read(), resolvers: { User: { posts: (user) => Post.find({ author: user.id }) } } });

          `,
      },
      ['lint', '--format', 'json', '--no-cache'],
      { rules },
    );
    assert.match(out, /`Query\.users` returns a list of them/);
    assert.match(out, /schema\.graphql",\s+"line": 2/);
  });

  it('are left alone where no package has to do with GraphQL, and above the packages', () => {
    const plain = folderWith({ 'package.json': '{}', 'index.js': '', 'schema.graphql': SCHEMA });
    const nested = folderWith({
      'schema.graphql': SCHEMA,
      'app/package.json': '{"dependencies":{"graphql":"16.0.0"}}',
      'app/index.js': '',
    });
    try {
      assert.equal(readProjectLayout([join(plain.path, 'index.js')]).schemas, undefined);
      assert.equal(readProjectLayout([join(nested.path, 'app/index.js')]).schemas, undefined);
    } finally {
      plain.dispose();
      nested.dispose();
    }
  });
});

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

  it('of module-resolver for an environment that serves, not for tests', async () => {
    const plugins = [['module-resolver', { alias: { dao: './app/dao' } }]];
    for (const [name, isFound] of [
      ['production', true],
      ['test', false],
    ] as const) {
      const files = { '.babelrc': JSON.stringify({ env: { [name]: { plugins } } }), 'package.json': manifest({}) };
      assert.equal(await found({ ...files, 'index.js': server('dao/users'), 'app/dao/users.js': users }), isFound, name);
    }
  });

  it('that are absolute paths are no folders of the project', async () => {
    const files = { 'index.js': server('@dao/users'), 'app/dao/users.js': users };
    assert.ok(!(await found({ 'package.json': manifest({ _moduleAliases: { '@dao': '/app/dao' } }), ...files })));
    const folder = folderWith({ ...files, 'package.json': '{}' });
    try {
      writeFileSync(join(folder.path, 'package.json'), manifest({ _moduleAliases: { '@dao': join(folder.path, 'app/dao') } }));
      const paths = ['index.js', 'app/dao/users.js'].map((one) => join(folder.path, one).replaceAll('\\', '/'));
      const resolver = new Resolver(new Map(paths.map((one, i) => [one, i])), readProjectLayout(paths));
      if (process.platform !== 'win32') assert.equal(resolver.resolve(paths[0] ?? '', '@dao/users'), 1);
    } finally {
      folder.dispose();
    }
  });

  it('of tsconfig.json: a file that is there goes before one that a build writes', async () => {
    const files = {
      'package.json': manifest({}),
      'tsconfig.json': '{"compilerOptions": {"baseUrl": ".", "paths": {"@lib/*": ["dist/lib/*", "gen/*"]}}}',
      'index.js': server('@lib/users'),
      'src/lib/users.js': 'exports.verify = () => 1;',
    };
    assert.ok(await found({ ...files, 'gen/users.js': users }));
    assert.ok(await found({ ...files, 'src/lib/users.js': users }));
  });

  it('tell the editor that they have changed', () => {
    for (const name of ['.babelrc', '.babelrc.json', 'babel.config.json', 'tsconfig.json'])
      assert.ok(meaningOf(join('app', name)).context, name);
    assert.ok(!meaningOf(join('app', 'other.json')).context);
  });
});

describe('files that nothing imports beside those in use', () => {
  const plugin = (path: string, body: string): string => `module.exports = async (app) => { app.get('${path}', async () => ${body}); };`;
  const blocking = (path: string): string => plugin(path, "require('crypto').pbkdf2Sync('p', 's', 200000, 64, 'sha512')");
  const fastify = { dependencies: { fastify: '5' } };
  const files = {
    'server.js': "const f = require('fastify')(); f.register(require('./plugins/health')); f.listen({ port: 1 });",
    'plugins/health.js': plugin('/h', "'ok'"),
    'plugins/app.js': blocking('/a'),
  };
  const isReported = async (given: Readonly<Record<string, string>>): Promise<boolean> =>
    (await runIn(given, ['lint'], { rules })).out.includes('no-sync-in-handler');

  it('are in use if a script of the package starts them', async () => {
    const starting = { ...fastify, scripts: { start: 'fastify start -l info plugins/app.js' } };
    assert.ok(await isReported({ ...files, 'package.json': JSON.stringify(starting) }));
    assert.ok(!(await isReported({ ...files, 'package.json': JSON.stringify({ ...fastify, scripts: { start: 'node server.js' } }) })));
  });

  it('may be imported by an alias of another tool, even one that begins with the scope of a package', async () => {
    const more = { 'package.json': JSON.stringify({ dependencies: { fastify: '5', '@acme/log': '1' } }) };
    const importing = (specifier: string): string => `require('${specifier}');\n${files['server.js']}`;
    assert.ok(await isReported({ ...files, ...more, 'server.js': importing('@acme/plugins/app') }));
    assert.ok(!(await isReported({ ...files, ...more, 'server.js': importing('@acme/metrics') })));
    assert.ok(!(await isReported({ ...files, ...more, 'server.js': importing('@acme/log/plain') })));
  });
});
