// Packages that only programs with a server depend on: the frameworks' (frameworks.ts), and what serves pages or queries with a framework
// inside. A folder of scripts from which such a package starts holds the application, and a package with one is more than a browser's code.
import { FRAMEWORKS, type FrameworkModel } from './frameworks.ts';

export interface ServerPackage {
  /** Name on npm. */
  name: string;
  /** What it serves; `desktop`: windows, from a program that may block like a server. */
  kind: 'requests' | 'pages' | 'queries' | 'desktop';
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

/** One row a package. */
export const SERVER_PACKAGES: readonly ServerPackage[] = [...FRAMEWORKS.flatMap(serversOf), ...OTHERS];

const NAMES: ReadonlySet<string> = new Set(SERVER_PACKAGES.map(({ name }) => name));

/** Whether one of these packages serves. */
export function hasServerPackage(dependencies: Readonly<Record<string, string>>): boolean {
  return Object.keys(dependencies).some((name) => NAMES.has(name));
}

function serversOf({ id, packages, notServers = [], source }: FrameworkModel): ServerPackage[] {
  if (notServers === 'all') return [];
  // `hono/tiny` is a part of a package; a manifest names the whole.
  const names = packages.filter((name) => !notServers.includes(name) && !/^[^@/]+\/|^@[^/]+\/[^/]+\//.test(name));
  return names.map((name) => ({ name, kind: 'requests', framework: id, source }));
}
