// Packages that only programs with a server depend on: the frameworks' (frameworks.ts), and what serves pages or queries with a framework
// inside. A folder of scripts from which such a package starts holds the application, and a package with one is more than a browser's code.
import { FRAMEWORKS, type FrameworkModel } from './frameworks.ts';

export interface ServerPackage {
  /** Name on npm. */
  name: string;
  /**
   * What it serves. `platform`: requests, by a server inside or by conventions of its own that no model describes. `desktop`: windows, from
   * a program that may block like a server.
   */
  kind: 'requests' | 'pages' | 'queries' | 'platform' | 'desktop';
  /** Id of the framework model that knows its handlers, where there is one. */
  framework?: string;
  source: string;
}

/** Servers whose handlers are not registered on an application object: files, resolvers, windows. */
const OTHERS: readonly ServerPackage[] = [
  { name: 'next', kind: 'pages', source: 'https://nextjs.org/docs/pages/api-reference/cli/next#next-start-options' },
  { name: 'nuxt', kind: 'pages', source: 'https://nuxt.com/docs/getting-started/deployment#entry-point' },
  { name: '@angular/ssr', kind: 'pages', source: 'https://angular.dev/guide/ssr' },
  { name: '@nguniversal/express-engine', kind: 'pages', source: 'https://github.com/angular/universal/tree/main/modules/express-engine' },
  { name: 'apollo-server', kind: 'queries', source: 'https://www.apollographql.com/docs/apollo-server/v3/getting-started' },
  { name: '@apollo/server', kind: 'queries', source: 'https://www.apollographql.com/docs/apollo-server/getting-started' },
  { name: 'electron', kind: 'desktop', source: 'https://www.electronjs.org/docs/latest/tutorial/process-model' },
];

/** Their handlers are known where they are written for a framework of the table, and not by anything of their own. */
const PLATFORMS: readonly Omit<ServerPackage, 'kind'>[] = [
  { name: '@nestjs/platform-express', source: 'https://docs.nestjs.com/first-steps#platform' },
  { name: '@nestjs/platform-fastify', source: 'https://docs.nestjs.com/techniques/performance' },
  { name: '@hono/node-server', source: 'https://github.com/honojs/node-server#usage' },
  { name: '@feathersjs/koa', source: 'https://feathersjs.com/api/koa' },
  { name: '@fastify/view', source: 'https://github.com/fastify/point-of-view#quick-start' },
  { name: 'koa-error', source: 'https://github.com/koajs/error#example' },
  { name: 'loopback', source: 'https://loopback.io/doc/en/lb3/Creating-an-application.html' },
  { name: '@loopback/rest', source: 'https://loopback.io/doc/en/lb4/Server.html' },
  { name: 'sails', source: 'https://sailsjs.com/documentation/reference/application/sails-lift' },
  { name: '@strapi/strapi', source: 'https://docs.strapi.io/cms/cli' },
  { name: '@adonisjs/core', source: 'https://docs.adonisjs.com/guides/concepts/application-lifecycle' },
  { name: '@adonisjs/http-server', source: 'https://github.com/adonisjs/http-server' },
  { name: 'thinkjs', source: 'https://thinkjs.org/en/doc/index.html' },
  { name: 'actionhero', source: 'https://www.actionherojs.com/tutorials/web-server' },
  { name: 'moleculer-web', source: 'https://moleculer.services/docs/0.14/moleculer-web.html' },
  { name: 'parse-server', source: 'https://docs.parseplatform.org/parse-server/guide/' },
  { name: '@slack/bolt', source: 'https://tools.slack.dev/bolt-js/getting-started' },
  { name: 'probot', source: 'https://probot.github.io/docs/hello-world/' },
  { name: '@remix-run/serve', source: 'https://v2.remix.run/docs/other-api/serve' },
  { name: '@react-router/serve', source: 'https://reactrouter.com/api/other-api/serve' },
  { name: '@astrojs/node', source: 'https://docs.astro.build/en/guides/integrations-guide/node/' },
  { name: '@sveltejs/adapter-node', source: 'https://svelte.dev/docs/kit/adapter-node' },
  { name: 'apollo-server-express', source: 'https://www.apollographql.com/docs/apollo-server/v3/integrations/middleware' },
  { name: 'apollo-server-koa', source: 'https://www.apollographql.com/docs/apollo-server/v3/integrations/middleware' },
  { name: 'apollo-server-fastify', source: 'https://www.apollographql.com/docs/apollo-server/v3/integrations/middleware' },
  { name: 'graphql-yoga', source: 'https://the-guild.dev/graphql/yoga-server/docs' },
  { name: 'express-graphql', source: 'https://github.com/graphql/express-graphql#simple-setup' },
  { name: 'mercurius', source: 'https://mercurius.dev/#/?id=quick-start' },
];

/** One row a package. */
export const SERVER_PACKAGES: readonly ServerPackage[] = [
  ...FRAMEWORKS.flatMap(serversOf),
  ...OTHERS,
  ...PLATFORMS.map((row) => ({ ...row, kind: 'platform' as const })),
];

const KINDS: ReadonlyMap<string, ServerPackage['kind']> = new Map(SERVER_PACKAGES.map(({ name, kind }) => [name, kind]));

/** Whether one of these packages serves. */
export function hasServerPackage(dependencies: Readonly<Record<string, string>>): boolean {
  return Object.keys(dependencies).some((name) => KINDS.has(name));
}

/** Whether a program that loads it answers requests: neither pages that a build makes, nor windows. */
export function answersRequests(name: string): boolean {
  const kind = KINDS.get(name);
  return kind !== undefined && kind !== 'pages' && kind !== 'desktop';
}

function serversOf({ id, packages, notServers = [], source }: FrameworkModel): ServerPackage[] {
  if (notServers === 'all') return [];
  // `hono/tiny` is a part of a package; a manifest names the whole.
  const names = packages.filter((name) => !notServers.includes(name) && !/^[^@/]+\/|^@[^/]+\/[^/]+\//.test(name));
  return names.map((name) => ({ name, kind: 'requests', framework: id, source }));
}
