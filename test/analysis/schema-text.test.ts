// Which lists a text in the schema language of GraphQL has.
import { dedent } from '../../analysis/testing/dedent.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readSchemaText } from '../../analysis/facts/handlers/schema-text.ts';

const listsOf = (text: string): string[] => readSchemaText(text).lists.map(({ type, field }) => `${field}: ${type}`);

describe('lists in the schema language of GraphQL', () => {
  it('are those that fields return', () => {
    assert.deepEqual(listsOf('type Query { users: [User!]! me: User, ids: [ID] }\ninterface Node { all: [[Node!]] }'), [
      'Query.users: User',
      'Query.ids: ID',
      'Node.all: Node',
    ]);
  });

  it('are found in extensions, and after directives and interfaces', () => {
    assert.deepEqual(
      listsOf('extend type User implements Node & Named @key(fields: "id") @shareable { posts(first: Int): [Post] @cost(by: [A]) }'),
      ['User.posts: Post'],
    );
  });

  it('are not those of arguments, inputs, comments, and descriptions', () => {
    assert.deepEqual(
      listsOf(`
        """ type A { all: [A] } """
        input Users { all: [User] }
        enum Kind { A B }
        # type B { all: [B] }
        type Query { "all: [C]" me(in: [User!]): User }
        directive @of(types: [String]) on FIELD_DEFINITION
        schema { query: Query }
      `),
      [],
    );
  });

  it('are told where their fields begin', () => {
    const text = 'type Query { users: [User] }';
    assert.deepEqual(
      readSchemaText(text).lists.map(({ at }) => text.slice(at, at + 5)),
      ['users'],
    );
  });

  it('hold the types of interfaces, unions, and edges', () => {
    assert.deepEqual(
      readSchemaText(
        dedent`
          type User implements Node & Named { id: ID } union Found = | User | Post
          type PostEdge { node: Post! cursor: ID } type Page { node: Text }
        `,
      ).members,
      [
        ['User', 'Node'],
        ['User', 'Named'],
        ['User', 'Found'],
        ['Post', 'Found'],
        ['Post', 'PostEdge'],
      ],
    );
  });

  it('end where a text breaks off', () => {
    for (const text of ['type', 'type A {', 'type A { a: [', '"""', 'type A { a(', 'union A =', '} ) ] type A { a: [A] }'])
      assert.ok(readSchemaText(text).lists.length <= 1);
  });
});
