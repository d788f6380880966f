// Schemas of GraphQL in files of their own are read with the project.
import { dedent } from '../../analysis/testing/dedent.ts';
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { readProjectLayout } from '../../workspace/project-index/project-layout.ts';
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
