// Resolvers of GraphQL: those that run for each element of a list, and those that look as if they did.
import type { InvalidCase, ValidCase } from '../../analysis/testing/rule-tester.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

const MODELS = dedent`
  const mongoose = require('mongoose');
  const Post = mongoose.model('Post');
  const User = mongoose.model('User');

`;
const CODE_FIRST = dedent`
  const { GraphQLObjectType, GraphQLList, GraphQLNonNull, GraphQLInterfaceType } = require('graphql');
  ${MODELS}
`;
const APOLLO = `const { ApolloServer, gql } = require('apollo-server');\n${MODELS}`;
/** Users in a list, each with its posts. */
const SCHEMA = 'gql`type Query { users(ids: [ID!]): [User!]! me: User } type User { id: ID! posts: [Post!]! } type Post { id: ID! }`';

/** A server whose users have posts. */
const server = (resolver: string, schema = SCHEMA): string =>
  `${APOLLO}new ApolloServer({ typeDefs: ${schema}, resolvers: { User: { ${resolver} } } });\n`;

export const innocentResolvers: readonly ValidCase[] = [
  {
    name: 'a loader',
    code: dedent`
      ${server('posts: (user, args, { loaders }) => loaders.postsByAuthor.load(user.id)')}
    `,
  },
  {
    name: 'roots run once for a request',
    code: dedent`
      ${APOLLO}const typeDefs = gql${'`type Query { users: [User] } type User { name: String }`'};
      new ApolloServer({ typeDefs, resolvers: {
        Query: { users: (root) => User.find({ tenant: root.tenant }) },
        Mutation: { addUser: (root) => User.findById(root.id) },
      } });
    `,
  },
  {
    name: 'only the parent is read',
    code: dedent`
      ${server('posts: (user) => user.posts.filter((post) => post.author === user.id)')}
    `,
  },
  {
    name: 'the query is not about the parent',
    code: dedent`
      ${server('posts: (user, args) => Post.find({ topic: args.topic })')}
    `,
  },
  {
    name: 'no list holds the type, but lists of IDs as arguments do',
    code: dedent`
      ${server('posts: (user) => Post.find({ author: user.id })', 'gql`type Query { me(in: [User]): User } type User { posts: [Post] }`')}
    `,
  },
  {
    name: 'a list in a comment, in a description, and in an input',
    code: dedent`
      ${server(
        'posts: (user) => Post.find({ author: user.id })',
        'gql`"""[User]""" type Query { "users: [User]" me: User # users: [User]\n } input Users { all: [User] } type User { posts: [Post] }`',
      )}
    `,
  },
  {
    name: 'what the list has loaded already',
    code: dedent`
      ${server('posts(user) { if (user.posts) return user.posts; return Post.find({ author: user.id }); }')}
    `,
  },
  {
    name: 'what the list has loaded already, in an expression',
    code: dedent`
      ${server('posts: (user) => user.posts ?? Post.find({ author: user.id })')}
    `,
  },
  {
    name: 'only if the client asks for more than the key',
    code: dedent`
      ${server('posts(user, args, context, info) { if (info.fieldNodes.length === 1) return []; return Post.find({ author: user.id }); }')}
    `,
  },
  {
    name: 'behind a cache',
    code: dedent`
      ${server('posts(user, args, { cache }) { if (!cache.has(user.id)) cache.set(user.id, Post.find({ author: user.id })); return cache.get(user.id); }')}
    `,
  },
  {
    name: 'only those of the user who asks',
    code: dedent`
      ${server('posts(user, args, { viewer }) { if (viewer.id !== user.id) return []; return Post.find({ author: user.id }); }')}
    `,
  },
  {
    name: 'the client of Prisma makes one query of them',
    code: dedent`
      const { ApolloServer, gql } = require('apollo-server');
      const { PrismaClient } = require('@prisma/client');
      const prisma = new PrismaClient();
      const typeDefs = gql${'`type Query { posts: [Post] } type Post { author: User } type User { id: ID }`'};
      new ApolloServer({ typeDefs, resolvers: { Post: { author: (post) => prisma.user.findUnique({ where: { id: post.authorId } }) } } });
    `,
  },
  {
    name: 'in a test',
    file: 'test/posts.test.js',
    code: dedent`
      ${server('posts: (user) => Post.find({ author: user.id })')}
    `,
  },
  {
    name: 'a helper that queries only sometimes',
    code: dedent`
      ${server("posts: (user) => require('./posts').postsOf(user.id)")}
    `,
    others: {
      'src/posts.js': dedent`
        ${MODELS}const known = new Map();
        exports.postsOf = (id) => known.get(id) ?? load(id);
        function load(id) { return Post.find({ author: id }); }

      `,
    },
  },
  {
    name: 'a function that is no resolver',
    code: dedent`
      ${server('name: (user) => user.name')}exports.postsOf = (user) => Post.find({ author: user.id });
      app.get('/', async (req, res) => res.json(await exports.postsOf(req.user)));
    `,
  },
  {
    name: 'a method that Sequelize does not make',
    project: { manifest: manifestWith('sequelize', 'graphql') },
    code: dedent`
      ${CODE_FIRST}const Order = new GraphQLObjectType({ name: 'Order', fields: { total: { resolve: (order) => order.getTotal() } } });
      new GraphQLObjectType({ name: 'Query', fields: { orders: { type: new GraphQLList(Order) } } });
    `,
    others: { 'src/models.js': "const { Order, Item } = require('./all');\nOrder.hasMany(Item);\n" },
  },
];

export const resolverCases: readonly InvalidCase<'one' | 'all' | 'http' | 'resolver'>[] = [
  {
    name: 'a resolver of a field of an element',
    code: dedent`
      ${server('posts: (user) => «Post.find({ author: user.id })»')}
    `,
    findings: [
      {
        messageId: 'resolver',
        severity: 'hint',
        route: 'FIELD User.posts',
        message:
          '`Post.find` sends a query in the resolver of `User.posts`, for one parent. `Query.users` returns a list of them, and GraphQL runs the resolver once for each element. If a client selects this field of 100 elements, that is 100 round trips. The resolver sees one element at a time, so it cannot ask for all of them. Load it through a `DataLoader`, one for each request: it collects the keys of all elements, and asks once: `find({ author: { $in: values } })`.',
        related: ['a list of `User` here', 'handled'],
      },
    ],
  },
  {
    name: 'through variables, behind a check of the key, once for each resolver',
    code: dedent`
      ${server(`async posts({ id }) {
        if (!id) return [];
        const filter = { author: id };
        const posts = await «Post.find(filter)»;
        return posts.length === 0 ? Post.find({ coAuthor: id }) : posts;
      }`)}
    `,
    findings: [{ messageId: 'resolver' }],
  },
  {
    name: 'graphql-js, where a function returns the fields, and a list is in another file',
    file: 'src/post.js',
    code: dedent`
      ${CODE_FIRST}const PostType = new GraphQLObjectType({
        name: 'Post',
        fields: () => ({ author: { type: require('./user'), async resolve(post) { return «User.findById(post.authorId)»; } } }),
      });
      module.exports = { PostType };
    `,
    others: {
      'src/schema.js': dedent`
        ${CODE_FIRST}const { PostType } = require('./post');
        module.exports = new GraphQLObjectType({ name: 'Query', fields: { posts: { type: new GraphQLNonNull(new GraphQLList(PostType)) } } });

      `,
    },
    findings: [{ messageId: 'resolver', route: 'FIELD Post.author', related: ['a list of `Post` here', 'handled'] }],
  },
  {
    name: 'fields that several types share, and the list of an interface',
    code: dedent`
      ${CODE_FIRST}const NodeType = new GraphQLInterfaceType({ name: 'Node' });
      const commonFields = () => ({ owner: { resolve: (item) => «User.findById(item.ownerId)» } });
      new GraphQLObjectType({ name: 'Song', interfaces: [NodeType], fields: () => ({ ...commonFields() }) });
      new GraphQLObjectType({ name: 'Query', fields: { items: { type: new GraphQLList(NodeType) } } });
    `,
    findings: [{ messageId: 'resolver', route: 'FIELD Song.owner' }],
  },
  {
    name: 'fields that other files share',
    file: 'src/fields.js',
    code: dedent`
      ${MODELS}// graphql
      exports.commonFields = () => ({ owner: { resolve: (item) => «User.findById(item.ownerId)» } });
    `,
    others: {
      'src/schema.js': dedent`
        ${CODE_FIRST}const { commonFields } = require('./fields');
        const Song = new GraphQLObjectType({ name: 'Song', fields: () => ({ ...commonFields() }) });
        new GraphQLObjectType({ name: 'Query', fields: { songs: { type: new GraphQLList(Song) } } });

      `,
    },
    findings: [{ messageId: 'resolver', route: 'FIELD Song.owner' }],
  },
  {
    name: 'a table of resolvers whose functions are in another file, and the edges of a connection',
    file: 'src/resolvers/user.js',
    project: { manifest: manifestWith('graphql') },
    code: dedent`
      ${MODELS}exports.posts = async (parent, args) => «Post.find({ author: parent.id })».limit(args.first);
    `,
    others: {
      'src/server.js': dedent`
        ${APOLLO}const { posts } = require('./resolvers/user');
        const typeDefs = gql\`type Query { users: UserConnection! } type UserConnection { edges: [UserEdge!]! } type UserEdge { node: User } extend type User { posts: [Post] }\`;
        new ApolloServer({ typeDefs, resolvers: { User: { posts } } });

      `,
    },
    findings: [{ messageId: 'resolver', route: 'FIELD User.posts' }],
  },
  {
    name: 'the types that a generator writes know the lists, too',
    file: 'src/server.ts',
    code: dedent`
      import { ApolloServer } from '@apollo/server';
      import { User } from './models/user';
      import type { Query } from './generated';
      import 'mongoose';
      new ApolloServer({ typeDefs: readSchema(), resolvers: { Post: { author: (post) => «User.findById(post.authorId)» } } });
    `,
    others: { 'src/generated.ts': "export type Query = { __typename?: 'Query'; posts?: Maybe<Array<Maybe<Post>>>; };\n" },
    findings: [{ messageId: 'resolver', route: 'FIELD Post.author' }],
  },
  {
    name: 'Nest, where a service of another file sends the query',
    file: 'src/author.resolver.ts',
    code: dedent`
      import { Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
      import { PostsService } from './posts.service';
      import { Author } from './author';
      @Resolver(() => Author)
      export class AuthorResolver {
        constructor(private readonly posts: PostsService) {}
        @Query(() => [Author])
        authors() { return []; }
        @ResolveField('posts')
        async listPosts(@Parent() author: Author) { const { id } = author; return «this.posts.findAll(id)»; }
      }
    `,
    others: {
      'src/posts.service.ts': dedent`
        import { Injectable } from '@nestjs/common';
        import { Repository } from 'typeorm';
        @Injectable()
        export class PostsService {
          constructor(private readonly postRepository: Repository<Post>) {}
          findAll(authorId: number) { return this.postRepository.find({ where: { authorId } }); }
        }

      `,
    },
    findings: [{ messageId: 'resolver', route: 'FIELD Author.posts', related: ['the query', 'a list of `Author` here', 'handled'] }],
  },
  {
    name: 'a class for a page of objects',
    file: 'src/content.resolver.ts',
    code: dedent`
      import { Parent, ResolveField, Resolver } from '@nestjs/graphql';
      import { PrismaService } from './prisma.service';
      import { Content } from './content';
      import '@prisma/client';
      @Resolver(() => Content)
      export class ContentResolver {
        constructor(private readonly prisma: PrismaService) {}
        @ResolveField('steps')
        steps(@Parent() content: Content) { return «this.prisma.step.findMany({ where: { versionId: content.versionId } })»; }
        @ResolveField('version')
        version(@Parent() content: Content) { return this.prisma.version.findUnique({ where: { id: content.versionId } }); }
      }
    `,
    others: {
      'src/content-connection.ts': dedent`
        import { ObjectType } from '@nestjs/graphql';
        import Paginated from './paginated';
        import { Content } from './content';
        @ObjectType()
        export class ContentConnection extends Paginated(Content) {}

      `,
    },
    findings: [{ messageId: 'resolver', route: 'FIELD Content.steps' }],
  },
  {
    name: 'type-graphql',
    file: 'src/recipe.ts',
    code: dedent`
      import { Arg, FieldResolver, Query, Resolver, Root } from 'type-graphql';
      import { Rate } from './models';
      import 'mongoose';
      @Resolver(of => Recipe)
      class RecipeResolver {
        @Query(returns => [Recipe])
        recipes() { return recipes; }
        @FieldResolver()
        ratings(@Arg('since') since: number, @Root() recipe: Recipe) { return «Rate.find({ recipe: recipe.id })»; }
      }
    `,
    findings: [{ messageId: 'resolver', route: 'FIELD Recipe.ratings', related: ['a list of `Recipe` here', 'handled'] }],
  },
  {
    name: 'Pothos',
    file: 'src/schema.ts',
    project: { manifest: manifestWith('@pothos/core') },
    code: dedent`
      import { builder } from './builder';
      import { db } from './db';
      import 'mongoose';
      import { Post } from './models';
      const UserRef = builder.objectRef<User>('User');
      UserRef.implement({ fields: (t) => ({ posts: t.field({ type: [PostRef], resolve: (user) => «Post.find({ author: user.id })» }) }) });
      builder.queryField('users', (t) => t.field({ type: [UserRef], resolve: () => db.users }));
    `,
    findings: [{ messageId: 'resolver', route: 'FIELD User.posts' }],
  },
  {
    name: 'Nexus',
    file: 'src/schema.ts',
    code: dedent`
      import { objectType, queryType } from 'nexus';
      import 'mongoose';
      import { Post } from './models';
      export const User = objectType({ name: 'User', definition(t) {
        t.list.field('posts', { type: 'Post', resolve: (user) => «Post.find({ author: user.id })» });
      } });
      export const Query = queryType({ definition(t) { t.nonNull.list.field('users', { type: 'User' }); } });
    `,
    findings: [{ messageId: 'resolver', route: 'FIELD User.posts' }],
  },
  {
    name: 'another service',
    code: dedent`
      ${server('posts: (user) => «fetch(`https://posts.example.org/by/${user.id}`)»')}
    `,
    findings: [{ messageId: 'resolver', data: { kind: 'request', batch: '' } }],
  },
  {
    name: 'a getter that an association of Sequelize makes, where the row has it',
    project: { manifest: manifestWith('sequelize', 'graphql') },
    code: dedent`
      ${CODE_FIRST}const Order = new GraphQLObjectType({ name: 'Order', fields: {
        buyer: { resolve: (order) => (order.getBuyer ? «order.getBuyer()».then((buyer) => buyer.name) : null) },
        items: { resolve(order) { const items = «order.getItems()»; return order.isEmpty || items; } },
      } });
      new GraphQLObjectType({ name: 'Query', fields: { orders: { type: new GraphQLList(Order) } } });
    `,
    others: {
      'src/models.js': dedent`
        const { Order, User, Item } = require('./all');
        Order.belongsTo(User, { as: 'buyer' });
        Order.hasMany(Item);

      `,
    },
    findings: [{ messageId: 'resolver', route: 'FIELD Order.buyer' }, { messageId: 'resolver' }],
  },
];

function manifestWith(...names: readonly string[]): NonNullable<NonNullable<ValidCase['project']>['manifest']> {
  return {
    name: 'app',
    type: undefined,
    main: undefined,
    bin: [],
    scripts: {},
    dependencies: Object.fromEntries(names.map((name) => [name, '*'])),
    devDependencies: {},
    private: true,
  };
}
