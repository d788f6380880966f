// What a file is for. Tests, scripts, migrations and build files run outside of requests, whatever their functions look like.
import { hasServerPackage } from '../../knowledge/server-packages.ts';
import type { ModuleIndex } from '../module/module-index.ts';
import type { ProjectInfo } from '../../protocol/project.ts';
import type { Source } from '../module/source.ts';

export type FileRole = 'application' | 'test' | 'script' | 'cli' | 'migration' | 'config' | 'worker' | 'browser' | 'declaration';

const BY_PATH: readonly [FileRole, RegExp][] = [
  ['declaration', /\.d\.[cm]?ts$/i],
  [
    'test',
    /(?:^|\/)(?:__tests?__|__mocks__|__fixtures__|tests?|specs?|e2e|cypress|fixtures|testing|test[-_]?(?:utils?|helpers?|support|doubles)|jest|vitest|jest-?utils|vitest-?utils|unit-?tests?|integration-?tests?|benchmarks?|bench)\/|[.-](?:test|tests|spec|e2e|e2e-spec|bench|stories|story)\.[cm]?[jt]sx?$|(?:^|\/)(?:jest|vitest|karma|mocha|ava|cypress|playwright|wdio|nightwatch)\.(?:config|setup|conf)[^/]*$|(?:^|\/(?<!\/(?:controllers?|routes?|routers?|services?|handlers?|models?|api)\/))(?:test|spec)\.[cm]?[jt]sx?$|^tests?[-_][\w-]+\.[cm]?[jt]s$|(?:^|\/)(?:jest|vitest|test)[.-]?(?:setup|globals?|environment)[^/]*\.[cm]?[jt]sx?$/i,
  ],
  [
    'migration',
    /(?:^|\/)(?:migrations?|[\w-]+[-_]migrations?|seeds?|seeders?|upgrades?)\/|(?:^|\/)(?:migrate|seed|migrations?)\.[cm]?[jt]sx?$/i,
  ],
  [
    'config',
    /(?:^|\/)(?:gruntfile|gulpfile|jakefile|rakefile|webpack[\w.-]*|rollup[\w.-]*|vite[\w.-]*|babel[\w.-]*|metro[\w.-]*|ecosystem[\w.-]*|karma[\w.-]*)\.[cm]?[jt]s$|\.(?:config|conf|rc)\.[cm]?[jt]s$|(?:^|\/)\.[\w-]+rc\.[cm]?js$|(?:^|\/)(?:gulp|grunt|webpack|\.storybook|\.config)\//i,
  ],
  [
    'script',
    /(?:^|\/)(?:scripts?|tools?|tooling|build(?:-?(?:scripts?|tools?|utils?))?|ci|\.github|docs?|examples?-build|dev-tools|packaging|deploy(?:ment)?s?|install(?:er)?|extra|codegen|generators?|release)\//i,
  ],
  ['cli', /(?:^|\/)(?:bin|cli|commands?)\/|(?:^|\/)(?:cli|bin|command)\.[cm]?[jt]s$/i],
  [
    'browser',
    /(?:^|\/)(?:public|static|assets|browser|frontend|front-end|wwwroot|www|web_modules|bower_components|webapp)\/|\.(?:client|browser)\.[cm]?[jt]sx?$/i,
  ],
  ['worker', /(?:^|\/)[\w-]*[.-]worker\.[cm]?[jt]s$|(?:^|\/)(?:workers?)\/[\w-]+\.worker\./i],
];

/** Folders of a package with code that nobody starts any more. */
const LEFT_BEHIND = /(?:^|\/)(?:_?(?:old|unused|deprecated|obsolete)|bak)\//i;

/** Modules that only a test, a task runner or a command-line program imports. */
const BY_IMPORT: Readonly<Record<string, FileRole>> = {
  'node:test': 'test',
  test: 'test',
  mocha: 'test',
  chai: 'test',
  sinon: 'test',
  supertest: 'test',
  '@jest/globals': 'test',
  vitest: 'test',
  ava: 'test',
  tap: 'test',
  tape: 'test',
  'chai-http': 'test',
  '@playwright/test': 'test',
  nock: 'test',
  grunt: 'script',
  gulp: 'script',
  benchmark: 'script',
  shelljs: 'script',
  commander: 'cli',
  yargs: 'cli',
  inquirer: 'cli',
  '@oclif/core': 'cli',
  '@oclif/command': 'cli',
  minimist: 'cli',
  meow: 'cli',
  cac: 'cli',
  enquirer: 'cli',
  prompts: 'cli',
  nopt: 'cli',
  'yargs/yargs': 'cli',
  clipanion: 'cli',
  vorpal: 'cli',
  caporal: 'cli',
  sade: 'cli',
  optimist: 'cli',
};

/** An installer that is a project of its own. It runs once, for whoever sets up the program. */
const INSTALLER_PROJECT = /\/install(?:er)?\/?$/i;
/** A package of a monorepo that helps its tests, or holds them. */
const TEST_PROJECT =
  /\/(?:(?:jest|vitest|test)-?utils|(?:integration|acceptance|functional|e2e|smoke)-?tests?|e2e|cypress|playwright)\/?$/i;
/** A package in a folder of tests of another: `test/webhook/package.json` below the package of the program. */
const WITHIN_TESTS = /(?:^|\/)(?:tests?|__tests__|e2e|(?:integration|acceptance|functional|e2e)-?tests?)(?:\/|$)/i;
/** A package in a folder of commands below the source of another: `src/cli/utils/repair/package.json`. */
const WITHIN_COMMANDS = /(?:^|\/)src\/(?:.+\/)?(?:cli|bin|scripts?|tools?)\/./i;
const BROWSER_PROJECT = /\/(?:frontend|front-end|webapp)\/?$/i;

/** Tools that build programs for browsers only. */
const BROWSER_BUILDERS: readonly string[] = ['react-scripts', '@craco/craco', 'react-app-rewired', '@vue/cli-service', '@angular/cli'];

/** Folders of browser packages that a server delivers. Bower copies their package.json as well. */
const COPIED_FOR_BROWSERS = /(?:^|\/)(?:public|static|wwwroot|web_modules|bower_components)(?:\/|$)/;

export interface FileRoleInput {
  file: string;
  project: ProjectInfo;
  module: ModuleIndex;
  source: Source;
}

/**
 * The role of a file, judged by its path, its `bin` entry, its hashbang and its imports. An import is only a hint (`commander` in a server
 * with flags) in a file that also starts a server. Callers decide by the handlers that they find.
 */
export function findFileRole(input: FileRoleInput): FileRole {
  const { file, project, module, source } = input;
  const byPlace = roleByPlace(file, project);
  if (byPlace) return byPlace;
  if (/^\uFEFF?#!/.test(source.text)) return 'cli';
  for (const name of module.importedModules()) {
    const role = Object.hasOwn(BY_IMPORT, name) ? BY_IMPORT[name] : undefined;
    // A controller or a service may run commands, too. A script exports nothing.
    if (role && !(name === 'shelljs' && /\bexport\b|\bexports\b/.test(source.text))) return role;
  }
  // Searching the text is cheaper than checking all identifiers.
  if (source.text.includes('parentPort') && module.nodes('Identifier').some((identifier) => identifier.name === 'parentPort'))
    return 'worker';
  return 'application';
}

function isBuiltForBrowsers({ manifest }: ProjectInfo): boolean {
  if (!manifest) return false;
  const { dependencies, devDependencies } = manifest;
  const isBuilt = BROWSER_BUILDERS.some((name) => Object.hasOwn(dependencies, name) || Object.hasOwn(devDependencies, name));
  return isBuilt && !hasServerPackage(dependencies) && !hasServerPackage(devDependencies);
}

/** Undefined if the text decides. */
export function roleByPlace(file: string, project: ProjectInfo): FileRole | undefined {
  const inside = pathInProject(file, project);
  const before = aboveRoutes(inside);
  for (const [role, pattern] of BY_PATH)
    if (
      pattern.test(IS_ABOUT_FILES.has(role) ? before.withTests : before.path) &&
      !(role === 'script' && isProgram(inside, pattern, project))
    )
      return role;
  // Without a package.json, the folder may hold all that there is.
  if (project.manifest && LEFT_BEHIND.test(before.path) && !isProgram(inside, LEFT_BEHIND, project)) return 'script';
  // `frontend/package.json` makes a separate project of the browser code.
  if (BROWSER_PROJECT.test(project.root?.replaceAll('\\', '/') ?? '')) return 'browser';
  if (isBuiltForBrowsers(project)) return 'browser';
  if (TEST_PROJECT.test(project.root?.replaceAll('\\', '/') ?? '') || WITHIN_TESTS.test(project.place ?? '')) return 'test';
  if (WITHIN_COMMANDS.test(project.place ?? '')) return 'script';
  if (INSTALLER_PROJECT.test(project.root?.replaceAll('\\', '/') ?? '')) return 'script';
  if (project.place && COPIED_FOR_BROWSERS.test(project.place) && project.manifest?.scripts.start === undefined) return 'browser';
  if (project.manifest?.bin.some((entry) => inside === entry.replace(/^\.\//, ''))) return 'cli';
  return undefined;
}

/**
 * Below a folder of routes, the names of folders are parts of URLs: `app/api/migrations/route.ts`, `pages/api/scripts/run.ts`. `isExact`:
 * only a file of this name is a route, so it is no test either, whatever its folders are called.
 */
const ROUTE_FOLDERS: readonly { folder: RegExp; isExact?: boolean }[] = [
  { folder: /(?:^|\/)app\/(?=(?:.+\/)?route\.[cm]?[jt]sx?$)/, isExact: true },
  { folder: /(?:^|\/)routes\/(?=(?:.+\/)?\+(?:server|(?:page|layout)\.server)\.[jt]s$)/, isExact: true },
  { folder: /(?:^|\/)pages\/api\/(?=.+\.[cm]?[jt]sx?$)/ },
  { folder: /(?:^|\/)server\/(?:api|routes)\/(?=.+\.[cm]?[jt]s$)/ },
  { folder: /(?:^|\/)app\/routes\/(?=.+\.[jt]sx?$)/ },
  { folder: /(?:^|\/)(?:routes?|routers?|controllers?)\/(?=.+\.[cm]?[jt]sx?$)/ },
];
const IS_ABOUT_FILES: ReadonlySet<FileRole> = new Set(['declaration', 'test']);

/** A path without what is below its folder of routes. `withTests`: with what tells tests apart there. */
function aboveRoutes(inside: string): { path: string; withTests: string } {
  for (const { folder, isExact } of ROUTE_FOLDERS) {
    const match = folder.exec(inside);
    if (!match) continue;
    const path = inside.slice(0, match.index + match[0].length);
    return { path: `${path}${ROUTE_FILE}`, withTests: isExact ? path + inside.slice(inside.lastIndexOf('/') + 1) : inside };
  }
  return { path: inside, withTests: inside };
}

/** Stands for any file in a folder of routes. */
const ROUTE_FILE = 'index.js';

/** `scripts/server.js`, `tools/api`; not `-i scripts/` or `install/start.sh`. */
const STARTED = /\/(?:[^/.]+|[^/]+\.[cm]?[jt]sx?)$/;

/**
 * Whether the package starts from a folder that looks like one for scripts. The folder then holds the program, not its tools. `build/`
 * contains compiled code. Elsewhere (`node scripts/server.js`) the package must depend on a server framework, and `scripts/start.js`, which
 * create-react-app leaves behind, never counts.
 */
function isProgram(inside: string, scripts: RegExp, { manifest }: ProjectInfo): boolean {
  const [folder = '', ...rest] = inside.split('/');
  if (!manifest || rest.length === 0 || scripts.test(rest.join('/'))) return false;
  const isOutput = folder === 'build';
  if (!isOutput && !hasServerPackage(manifest.dependencies)) return false;
  return [manifest.main, manifest.scripts.start, ...(isOutput ? manifest.bin : [])].some((text) =>
    text
      ?.split(/\s+/)
      .some((word) => `/${word}`.includes(`/${folder}/`) && (isOutput || STARTED.test(word)) && !/(?:^|\/)scripts\/start\b/.test(word)),
  );
}

/** Path relative to the project's folder, with forward slashes. If the folder is unknown, the last three parts. */
function pathInProject(file: string, project: ProjectInfo): string {
  const path = file.replaceAll('\\', '/');
  const root = project.root?.replaceAll('\\', '/').replace(/\/$/, '');
  if (root && path.startsWith(`${root}/`)) return path.slice(root.length + 1);
  return path.split('/').slice(-3).join('/');
}
