// Handlers that a platform, a file-based router, a decorator or a base class finds.
import type { HandlerCase } from './handler-case.ts';

export const exportCases: readonly HandlerCase[] = [
  {
    name: 'lambda handlers',
    code: `
exports.handler = async (event) => 1;
module.exports.resize = (event, context, callback) => { console.log(event.Records); };
exports.other = (event, context) => 1;`,
    handlers: ['invocation aws-lambda - @1', 'invocation aws-lambda - @2'],
  },
  {
    name: 'a wrapped lambda handler',
    file: '/project/functions/hello.ts',
    code: `
import middy from '@middy/core';
const hello: Handler = async (event) => ({ statusCode: 200 });
export const handler = middy(hello).use(cors()).use(log());`,
    handlers: ['invocation aws-lambda - @2'],
  },
  {
    name: 'lambda handlers in other spellings',
    file: '/project/functions/list.ts',
    code: `
import { APIGatewayProxyHandler } from 'aws-lambda';
import * as lambda from 'aws-lambda';
import { middyfy } from '@libs/lambda';
import middy from '@middy/core';
export const main: APIGatewayProxyHandler = async (e) => ({ statusCode: 200 });
export const read: lambda.Handler<string> = async () => 1;
const list = async (event) => 1;
export const lists = middyfy(list);
export const save = middy().use(cors()).handler(async (e) => 1);
exports.handler = (e, ctx, cb) => cb(null, 1);
async function lambdaHandler(_, context) { return 1; }
export { lambdaHandler };`,
    handlers: [
      'invocation aws-lambda - @5',
      'invocation aws-lambda - @6',
      'invocation aws-lambda - @7',
      'invocation aws-lambda - @9',
      'invocation aws-lambda - @10',
      'invocation aws-lambda - @11',
    ],
  },
  {
    name: 'exports that only resemble lambda handlers',
    file: '/project/src/handler.ts',
    code: `
import { Handler } from 'other';
import type { Context } from 'aws-lambda';
export const main: Handler = async (e) => 1;
export const kept: Context = make(() => 1);
exports.handler = (element, index) => 1;
exports.lambdaHandler = (e) => e.target;
export async function run(event) { return event; }
export default async () => 1;
const inner: Handler = (event) => 1;`,
    handlers: [],
  },
  {
    name: 'a command of a command-line program is no lambda',
    code: `
exports.command = 'build';
exports.handler = async (argv) => {};
export const builder = {};`,
    handlers: [],
  },
  {
    name: 'cloud functions',
    code: `
const functions = require('firebase-functions');
const { onCall } = require('firebase-functions/v2/https');
const { http } = require('@google-cloud/functions-framework');
exports.a = functions.https.onRequest((req, res) => res.end());
exports.b = functions.runWith({ secrets }).https.onRequest(handle);
exports.c = onCall(async (data) => 1);
http('d', (q, s) => s.send(''));
function handle(req, res) {}`,
    handlers: [
      'exported cloud-functions - @4',
      'exported cloud-functions - @6',
      'exported cloud-functions - @7',
      'exported cloud-functions - @8',
    ],
  },
  {
    name: 'azure functions, both models',
    code: `
const { app } = require('@azure/functions');
app.http('users', { methods: ['GET'], handler: async (request, context) => ({}) });
module.exports = async function (context, req) { context.res = { body: req.query.name }; };`,
    handlers: ['exported azure-functions ALL /api/users @2', 'exported azure-functions - @3'],
  },
  {
    name: 'a Next.js API route',
    file: '/project/pages/api/users/[id].ts',
    code: `
export default async function handler(q, s) { s.end(); }`,
    handlers: ['exported next /api/users/:id @1'],
  },
  {
    name: 'Next.js route handlers',
    file: '/project/src/app/(shop)/items/[...slug]/route.ts',
    code: `
export async function GET(request) { return new Response(); }
export const POST = withAuth(async () => new Response());
export const dynamic = 'force-dynamic';`,
    handlers: ['exported next GET /items/* @1', 'exported next POST /items/* @2'],
  },
  {
    name: 'Next.js middleware and getServerSideProps',
    file: '/project/src/pages/about.tsx',
    code: `
export async function getServerSideProps() { return { props: {} }; }
export default function Page() { return null; }`,
    handlers: ['exported next /about @1'],
  },
  {
    name: 'a server action',
    file: '/project/app/actions.ts',
    code: `
'use server';
export async function save(form) {}
function local() {}`,
    handlers: ['exported react-server - @2'],
  },
  {
    name: 'a nitro handler',
    file: '/project/server/api/hello.get.ts',
    code: `
export default defineEventHandler(async (event) => 1);`,
    handlers: ['exported h3 GET /api/hello @1'],
  },
  {
    name: 'a SvelteKit endpoint',
    file: '/project/src/routes/api/[id]/+server.ts',
    code: `
export const GET = async ({ params }) => new Response();`,
    handlers: ['exported sveltekit GET /api/:id @1'],
  },
  {
    name: 'a SvelteKit page with actions',
    file: '/project/src/routes/login/+page.server.ts',
    code: `
export async function load({ locals }) { return {}; }
export const actions = { default: async ({ request }) => {}, async out() {} };`,
    handlers: ['exported sveltekit /login @1', 'exported sveltekit /login @2', 'exported sveltekit /login @2'],
  },
  {
    name: 'a Remix route',
    file: '/project/app/routes/users.$id.tsx',
    code: `
export async function loader({ params }) { return null; }
export const action = async ({ request }) => null;
export default function Page() { return null; }`,
    handlers: ['exported remix GET /users/:id @1', 'exported remix ACTION /users/:id @2'],
  },
  {
    name: 'a NestJS controller',
    file: '/project/src/users.controller.ts',
    code: `
import { Controller, Get, Post as Create } from '@nestjs/common';
@Controller('users')
export class UsersController {
  @Get(':id')
  one() { return 1; }
  @Create()
  async add() {}
  helper() {}
}`,
    handlers: ['route nestjs GET /users/:id @4', 'route nestjs POST /users @6'],
    sites: ['GET /users/:id @4', 'POST /users @6'],
  },
  {
    name: 'a NestJS controller with options, gateway, resolver',
    file: '/project/src/x.ts',
    code: `
import { Controller, All } from '@nestjs/common';
import { WebSocketGateway, SubscribeMessage } from '@nestjs/websockets';
import { Resolver, Query } from '@nestjs/graphql';
@Controller({ path: 'v1/x', version: '1' }) class A { @All(['a', 'b']) f() {} }
@WebSocketGateway() class B { @SubscribeMessage('move') f() {} }
@Resolver() class C { @Query() users() {} }`,
    handlers: ['route nestjs ALL /v1/x/a, /v1/x/b @4', 'socket nestjs WS move @5', 'route graphql query users @6'],
    sites: ['ALL /v1/x/a, /v1/x/b @4', 'WS move @5', 'query users @6'],
  },
  {
    name: 'NestJS guards, interceptors, pipes and filters',
    file: '/project/src/guard.ts',
    code: `
import { CanActivate, NestInterceptor, type PipeTransform } from '@nestjs/common';
export class A implements CanActivate { canActivate(x) { return true; } other() {} }
export class B implements NestInterceptor { intercept(x, y) { return y.handle(); } }
export class C implements PipeTransform { transform(x) { return x; } }`,
    handlers: ['middleware nestjs - @2', 'middleware nestjs - @3', 'middleware nestjs - @4'],
  },
  {
    name: 'Angular guards run in a browser',
    file: '/project/src/guard.ts',
    code: `
import { CanActivate } from '@angular/router';
export class A implements CanActivate { canActivate() { return true; } }`,
    handlers: [],
  },
  {
    name: 'routing-controllers and own decorators',
    file: '/project/src/x.ts',
    code: `
import { JsonController, Get } from 'routing-controllers';
import { RestController, Get as Fetch } from '@/decorators';
import { Get as Field } from './fields';
@JsonController('/pets') class A { @Get('/:id') f() {} }
@RestController('/own') class B { @Fetch('/x') f() {} }
class C { @Field('/y') f() {} }`,
    handlers: ['route routing-controllers GET /pets/:id @4', 'route decorators GET /own/x @5'],
    sites: ['GET /pets/:id @4', 'GET /own/x @5'],
  },
  {
    name: 'own decorators of these names that are not about GraphQL or routes',
    file: '/project/src/x.ts',
    dependencies: ['graphql'],
    code: `
import { Query, query, property, get } from './decorators';
import { Query as Select } from '@acme/orm';
import { ViewChild } from '@acme/view';
class UserRepository { @Select('findByName') find() {} @Select('SELECT * FROM users') all() {} }
class Reports { @Select('SELECT * FROM users') all() {} @Query('users.list') list() {} @query({ page: 1 }) page() {} @query('a', 'b', 'c') many() {} }
class Page { show(@Query('page') page) {} @query('canvas') canvas; @query('h1') get title() { return 1; } @property('name') name() {} }
@RestController('/users') class Users { @get('/') @query('page') list() {} }
class Cache { @get('/users') users() {} }
@Controller() class Settings { @ViewChild('x') x() {} }`,
    handlers: ['route decorators GET /users @7'],
    sites: ['GET /users @7'],
  },
  {
    name: 'resolvers of GraphQL and controllers with own decorators',
    file: '/project/src/x.ts',
    code: `
import { resolver, query, Mutation, property, FieldResolver } from '@app/graphql/decorators';
import subscription from './subscription';
import { controller, get, Post } from '@acme/http';
@resolver class A { @query('Users') users() {} @Mutation('SaveUser') save() {} @subscription('Changes') changes() {} @property('User', 'posts') posts() {} @property('Query', 'Me') me() {} }
@Resolver(User) class B { @query() users() {} @query(() => [User]) others() {} @FieldResolver() posts() {} }
class PostsResolver { @query('Posts') list() {} @property('author') author() {} }
class C { @query('Posts') list() {} }
@controller('/users') class D { @get('/:id') show() {} @Post() save() {} @get('name') name() {} }`,
    handlers: [
      'route graphql query Users @4',
      'route graphql mutation SaveUser @4',
      'route graphql subscription Changes @4',
      'route graphql FIELD User.posts @4',
      'route graphql query Me @4',
      'route graphql query users @5',
      'route graphql query others @5',
      'route graphql field posts @5',
      'route graphql query Posts @6',
      'route graphql field author @6',
      'route decorators GET /users/:id @8',
      'route decorators POST /users @8',
    ],
    sites: [
      'query Users @4',
      'mutation SaveUser @4',
      'subscription Changes @4',
      'FIELD User.posts @4',
      'query Me @4',
      'query users @5',
      'query others @5',
      'field posts @5',
      'query Posts @6',
      'field author @6',
      'GET /users/:id @8',
      'POST /users @8',
    ],
  },
  {
    name: 'exported tables that are no resolvers of GraphQL',
    file: '/project/src/x.ts',
    dependencies: ['@apollo/server'],
    code: `
export const labels = { Query: { users() { return 'Users'; } }, Mutation: 'change' };
export const names = { Query: 'query', users: (a, b) => a };
const kept = { Query: { users(parent, args) {} } };
kept.Query.users();`,
    handlers: [],
  },
  {
    name: 'exported tables of a file that is not about GraphQL',
    file: '/project/src/queries.ts',
    dependencies: ['@apollo/server'],
    code: `
export const queries = { Query: { users: (table, file) => table + file }, Mutation: { save(_, file) {} } };`,
    handlers: [],
  },
  {
    name: 'a visitor of the syntax of GraphQL',
    file: '/project/src/visitor.ts',
    dependencies: ['@apollo/server'],
    code: `
import { visit } from 'graphql';
export default { Query: { enter(node, key) {}, leave(node, key) {} } };`,
    handlers: [],
  },
  {
    name: 'exported resolvers with parameters of their own names: in a folder of resolvers',
    file: '/project/src/resolvers/users.ts',
    dependencies: ['@apollo/server'],
    code: `
export default { Query: { users(account, filter) {} } };`,
    handlers: ['route graphql FIELD Query.users @1'],
  },
  {
    name: 'exported resolvers with parameters of their own names: exported under that name',
    file: '/project/src/users.ts',
    dependencies: ['@apollo/server'],
    code: `
export const userResolvers = { Query: { users(account, filter) {} } };`,
    handlers: ['route graphql FIELD Query.users @1'],
  },
  {
    name: 'exported resolvers with parameters of their own names: beside a package of GraphQL',
    file: '/project/src/users.ts',
    dependencies: ['@apollo/server'],
    code: `
import { GraphQLError } from 'graphql';
export default { Mutation: { save(account, filter) { throw new GraphQLError('x'); } } };`,
    handlers: ['route graphql FIELD Mutation.save @2'],
  },
  {
    name: 'exported resolvers in a project that serves no GraphQL',
    file: '/project/src/x.ts',
    dependencies: ['express'],
    code: `
export default { Query: { users(parent, args) {} } };`,
    handlers: [],
  },
  {
    name: 'exported resolvers of GraphQL',
    file: '/project/src/x.ts',
    dependencies: ['@apollo/server'],
    code: `
const list = async (parent, args) => {};
const resolvers = { User: { posts(user) {} }, Query: { list, one: async () => {} }, Mutation: { save(parent, args, context) {} } };
export default resolvers;`,
    handlers: [
      'route graphql FIELD Mutation.save @2',
      'route graphql FIELD Query.list @1',
      'route graphql FIELD Query.one @2',
      'route graphql FIELD User.posts @2',
    ],
  },
  {
    name: 'an egg controller',
    code: `
const { Controller } = require('egg');
module.exports = class HomeController extends Controller {
  async index() { this.ctx.body = 1; }
  get service() { return this.ctx.service; }
};`,
    handlers: ['route egg - @3'],
  },
  {
    name: 'inversify-express-utils',
    file: '/project/src/c.ts',
    code: `
import { controller, httpGet, httpPost } from 'inversify-express-utils';
@controller('/users')
export class Users {
  @httpGet('/:id') show() {}
  @httpPost('/') async add() {}
  load() {}
}`,
    handlers: ['route inversify GET /users/:id @4', 'route inversify POST /users @5'],
    sites: ['GET /users/:id @4', 'POST /users @5'],
  },
  {
    name: 'a file of Remix with dots for slashes',
    file: '/project/app/routes/_shop.users_.$id.export[.]csv.ts',
    code: `
export async function loader({ params }) { return load(params.id); }
export async function action({ request }) { return save(await request.formData()); }`,
    handlers: ['exported remix GET /users/:id/export.csv @1', 'exported remix ACTION /users/:id/export.csv @2'],
  },
  {
    name: 'procedures in routers, and a job by its queue',
    code: `
import { initTRPC } from '@trpc/server';
import { Worker } from 'bullmq';
const t = initTRPC.create();
export const appRouter = t.router({ files: t.router({ list: t.procedure.query(() => load()) }) });
export const remove = t.procedure.input(Id).mutation(({ input }) => drop(input));
new Worker('resize', async (job) => { shrink(job.data); });`,
    handlers: ['route trpc RPC files.list @4', 'route trpc RPC remove @5', 'job bullmq JOB resize @6'],
  },
];
