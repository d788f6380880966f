// The summary of one parsed file, from the same parse and the same node index that the rules use.
import {
  enclosingFunction,
  endOf,
  isCall,
  isFunction,
  isMember,
  parentOf,
  memberName,
  startOf,
  staticName,
  unwrap,
  type FunctionNode,
  type Node,
  type t,
} from '../../module/ast.ts';
import { OPTION_HANDLERS } from '../../../knowledge/frameworks.ts';
import { definedModel, modelsCreatedInBulk } from '../../facts/outside/bulk-creates.ts';
import { isUnreachable } from '../../facts/control-flow.ts';
import { isInDevelopmentBranch } from '../../facts/development.ts';
import { isBehindFiles, noEarlierRoutes } from '../../facts/earlier-routes.ts';
import { isForAdministrators, isInTheirFolder } from '../../facts/handlers/administrators.ts';
import { propertyValue } from '../../facts/handlers/route-paths.ts';
import { findSchemaTypes } from '../../facts/handlers/schema-types.ts';
import type { RegistrationParts } from '../../facts/handlers/handler.ts';
import type { Facts } from '../../facts/index.ts';
import { sentQueries } from '../../facts/outside/sent-queries.ts';
import { associationCalls, associationGetters } from '../../facts/queries.ts';
import { mockingLoads } from '../../facts/outside/mocked-modules.ts';
import { providersOf } from '../../facts/outside/providers.ts';
import { isCommandFile, startsOf } from '../../facts/outside/starts.ts';
import { backgroundLoops } from '../../facts/outside/background-loops.ts';
import { mayAskForRequest } from '../../facts/outside/request-data.ts';
import { repeatedCallbacks } from '../../facts/outside/timers.ts';
import { readFiles, writtenFiles } from '../../facts/outside/written-files.ts';
import { takenByFunctions } from '../../facts/outside/taken.ts';
import { isInUncalled, isOnlyExported, isRouterOnlyExported, onlyIn } from '../../facts/outside/unused-exports.ts';
import { typeImports, unusedImports } from '../../facts/outside/unused-imports.ts';
import { headSpan } from '../../facts/request-paths.ts';
import { SummaryBuilder } from './builder.ts';
import { REGISTERING } from './call-flow.ts';
import { evaluate } from './expressions.ts';
import { Flow } from './walk.ts';
import { readArgumentKinds } from './argument-kinds.ts';
import { readGuards } from './branches.ts';
import { readHops } from './queue-hops.ts';
import { declareImports } from './module-flow.ts';
import { routeParts, spotOf, spotsWithin } from './route-parts.ts';
import { SUMMARY_VERSION, takesPart, type FileSummary, type Root, type RootKind, type StartSummary } from './format.ts';
import { declareInterface, declareNamespaces, declareTypes, isEsModule } from './type-flow.ts';

export interface Summarized {
  summary: FileSummary;
  /** The numbers of the functions in the summary, valid as long as the tree is. */
  functions: ReadonlyMap<FunctionNode, number>;
  /** The functions that stand for calls that block, or log, or not; only the project knows which. */
  blocking: ReadonlyMap<Node, number>;
}

export function summarize(facts: Facts): Summarized {
  const { module, source } = facts;
  const mocks = mockingLoads(facts);
  const writes = writtenFiles(facts);
  const reads = readFiles(facts);
  const bulk = modelsCreatedInBulk(facts);
  const out = new SummaryBuilder();
  const flow = new Flow(facts, out);
  declareTypes(flow);
  for (const type of ['TSInterfaceDeclaration', 'TSTypeAliasDeclaration'] as const)
    for (const node of module.nodes(type)) declareInterface(flow, node);
  declareImports(flow);
  flow.open(module.program);
  declareNamespaces(flow);
  for (const statement of module.program.body) evaluate(flow, statement, false);
  if (facts.isApplication()) addRoots(flow);
  const timers = mayRepeat(facts) ? repeatedIn(flow) : [];
  flow.close();
  const argumentKinds = readArgumentKinds(flow);
  const starts = readStarts(flow);
  const schema = findSchemaTypes(facts);
  const getters = associationCalls(facts).flatMap(({ fn, call, name }) => {
    const index = flow.functionIndexes.get(fn);
    return index === undefined ? [] : [index, startOf(call), endOf(call), out.text(name)];
  });
  const associations = associationGetters(facts);
  const unused = unusedImports(facts);
  const types = typeImports(facts);
  const queries = [...sentQueries(facts), ...takenByFunctions(facts).map((one) => ({ ...one, key: undefined }))].flatMap(
    ({ fn, call, code, key }) => {
      const index = flow.functionIndexes.get(fn);
      return index === undefined ? [] : [index, startOf(call), endOf(call), code, key ? out.text(key.name ?? '') : -1];
    },
  );
  const summary: FileSummary = {
    version: SUMMARY_VERSION,
    file: source.file,
    strings: out.strings,
    nodeCount: out.nodeCount,
    objects: out.objects,
    functions: out.functions,
    sites: out.sites,
    ops: out.ops,
    throws: out.throws,
    queries,
    roots: out.roots,
    ...(getters.length > 0 ? { getters } : {}),
    ...(associations.length > 0 ? { associations } : {}),
    ...(schema ? { schema } : {}),
    ...readHops(flow),
    ...(flow.emptied.length > 0 ? { emptied: flow.emptied.flatMap(({ site, fn }) => [site, flow.functionIndexes.get(fn) ?? -1]) } : {}),
    ...readProviders(flow),
    argumentKinds,
    isModule: isEsModule(module),
    role: facts.role,
    ...(writes.length > 0 ? { writes } : {}),
    ...(reads.length > 0 ? { reads } : {}),
    ...(starts ? { starts } : {}),
    ...(timers.length > 0 ? { timers } : {}),
    ...(out.loadsOthers || LOADS_IN_BUNDLE.test(source.text) || findsByName(flow) || loadsFolders(flow) ? { loadsOthers: true } : {}),
    ...strangersIn(facts),
    ...(unused.length > 0 ? { unused } : {}),
    ...(types.length > 0 ? { types } : {}),
    ...(mayAskForRequest(facts) ? { asksForRequest: true } : {}),
    ...(bulk.length > 0 ? { bulk } : {}),
    ...readGuards(flow),
    ...(mocks ? { mocksFiles: mocks } : {}),
    ...requireGivenBy(source.text),
    ...commentedOutIn(source.text),
    ...(facts.handlers.base && facts.isApplication() ? { base: facts.handlers.base } : {}),
  };
  return { summary, functions: flow.functionIndexes, blocking: flow.blocking };
}

/** `// app.use(require('./routes/old'));` */
function commentedOutIn(text: string): Pick<FileSummary, 'commentedOut'> {
  if (!text.includes('// ')) return {};
  const found = new Set<string>();
  for (const line of text.split('\n')) {
    if (!line.trimStart().startsWith('//')) continue;
    const specifier = /(?:require\(|from )['"](\.[^'"]+)['"]/.exec(line)?.[1];
    if (specifier) found.add(specifier);
  }
  return found.size > 0 ? { commentedOut: [...found] } : {};
}

function readProviders({ facts, functionIndexes }: Flow): Pick<FileSummary, 'providers'> {
  const found = providersOf(facts);
  if (!found) return {};
  const starting = found.starting.map(({ name, isModule, fn }) => [isModule ? '' : name, functionIndexes.get(fn) ?? -1] as const);
  return {
    providers: {
      named: found.named,
      starting,
      ...(found.made.length > 0 ? { made: found.made } : {}),
      ...(found.hasPerRequest ? { hasPerRequest: true } : {}),
    },
  };
}

function readStarts({ facts, out, functionIndexes }: Flow): StartSummary | undefined {
  const { loads, packages, cachesCode } = startsOf(facts);
  const isCommand = isCommandFile(facts);
  if (loads.length + packages.length === 0 && !isCommand && !cachesCode && !out.listens) return undefined;
  return {
    loads: loads.map((specifier) => out.text(specifier)),
    packages: packages.map(({ name, place, uses }) => ({
      name,
      isLoaded: place !== undefined,
      uses: uses.map((fn) => (fn ? (functionIndexes.get(fn) ?? -1) : -1)),
    })),
    ...(isCommand ? { isCommand } : {}),
    ...(cachesCode ? { cachesCode } : {}),
    ...(out.listens ? { listens: true } : {}),
  };
}

/** `globalThis.require = createRequire(import.meta.url)` */
const requireGivenBy = (text: string): Pick<FileSummary, 'givesRequire'> =>
  text.includes('createRequire') && MAKES_GLOBAL.test(text) ? { givesRequire: true } : {};

/** Also `Object.assign(globalThis, { require })`. */
const MAKES_GLOBAL = /\b(?:globalThis|global)(?: as [\w.]{1,30})?\)?(?:\.require\b|\[['"]require['"]|,[^;\n]{0,30}\brequire\b)/;

/** A short summary for a file that does not participate by itself: a test, a migration, browser code. Undefined for all other files. */
export function outlineOf(facts: Facts): FileSummary | undefined {
  const {
    role,
    source: { file },
  } = facts;
  if (takesPart(role, () => facts.isApplication())) return undefined;
  const mocks = mockingLoads(facts);
  const out = new SummaryBuilder();
  const { strings, nodeCount, objects, functions, sites, ops, throws, roots } = out;
  return {
    version: SUMMARY_VERSION,
    file,
    strings,
    nodeCount,
    objects,
    functions,
    sites,
    ops,
    throws,
    queries: [],
    roots,
    hops: [],
    settled: [],
    argumentKinds: [],
    isModule: false,
    role,
    ...(mocks ? { mocksFiles: mocks } : {}),
    ...requireGivenBy(facts.source.text),
    isOutline: true,
  };
}

/** Kinds of handlers that a call registers. */
const REGISTERED: ReadonlySet<RootKind> = new Set(['route', 'middleware', 'socket', 'message', 'ipc', 'job']);

function addRoots(flow: Flow): void {
  const { handlers, handlerArguments } = flow.facts.handlers;
  const isInFolder = isInTheirFolder(flow.facts.source.file, flow.facts.project.root);
  const earlier = noEarlierRoutes();
  const add = (root: Omit<Root, 'start' | 'end'>, site: Node, handler: Node): void => {
    const { start, end } = headSpan(site);
    const model = root.kind === 'hook' && root.framework === 'sequelize' ? definedModel(site, flow.facts) : undefined;
    const router = root.app === undefined ? undefined : exportedRouter(flow, site);
    flow.out.roots.push({
      ...root,
      start,
      end,
      ...(isInDevelopmentBranch(site, (node) => flow.slice(node), flow.facts.bindings) || isUnreachable(site)
        ? { developmentOnly: true }
        : {}),
      ...(model === undefined ? {} : { model }),
      ...(isForLeftovers(site) ? { isLeftover: true } : {}),
      ...(router ? { isOfRouter: true } : {}),
      ...(root.app !== undefined && isOfPlugin(flow, site) ? { isOfPlugin: true } : {}),
      ...(root.kind === 'route' && isBehindFiles(site, flow.facts.origins, earlier) ? { isBehindFiles: true } : {}),
      ...(REGISTERED.has(root.kind)
        ? aroundIn(flow, site)
        : root.kind === 'signature' && isFunction(handler) && !findsByName(flow)
          ? aroundIn(flow, handler.body)
          : {}),
      ...(isUntaken(flow, root.kind, handler, router) ? { isOnlyExported: true } : {}),
      ...(isForAdministrators(site, handler, functionOf(flow, handler)) || (root.route === undefined && !root.parts && isInFolder)
        ? { isForAdministrators: true }
        : {}),
    });
  };
  for (const { fn, kind, framework, route, site, parts, versions, interval } of handlers) {
    const index = flow.functionIndexes.get(fn);
    if (index !== undefined)
      add(
        {
          fn: index,
          kind,
          framework,
          ...(route === undefined ? {} : { route }),
          ...partsIn(flow, parts, fn, site),
          ...(versions ? { versions } : {}),
          ...(interval === undefined ? {} : { interval }),
          ...appOf(flow, site),
        },
        site,
        fn,
      );
  }
  for (const { node, kind, framework, route, site, options, isDeep, parts } of handlerArguments) {
    const more = partsIn(flow, parts, node, site);
    for (const value of options ? wholeValue(flow, node) : valuesIn(flow, node))
      add(
        {
          node: value,
          ...more,
          ...(options ? { options } : {}),
          ...(isDeep ? { isDeep } : {}),
          kind,
          framework,
          ...(route === undefined ? {} : { route }),
          ...appOf(flow, site),
        },
        site,
        node,
      );
  }
}

/** Whether its timers may be those of a server. What is named `mail.worker.ts`, and is no thread, may be a part of the process that loads it. */
function mayRepeat({ role, source }: Facts): boolean {
  return role === 'application' || (role === 'worker' && !NAMES_THREADS.test(source.text));
}

/** https://threads.js.org, comlink, workerpool, piscina: packages that start a file in a thread. */
const NAMES_THREADS = /\b(?:parentPort|workerData|worker_threads|comlink|workerpool|piscina|tinypool)\b|['"]threads(?:\/worker)?['"]/;

/** What timers and loops run again and again. */
function repeatedIn(flow: Flow): Root[] {
  const { facts, functionIndexes } = flow;
  const rootsOf = (value: Node, site: Node, kind: 'timer' | 'loop'): Root[] => {
    if (isInDevelopmentBranch(site, (node) => flow.slice(node), flow.facts.bindings) || isUnreachable(site) || isInUncalled(site, facts))
      return [];
    const root = { kind, framework: 'node', ...headSpan(site), ...aroundIn(flow, site) } as const;
    const known = isFunction(value) ? functionIndexes.get(value) : undefined;
    if (known !== undefined) return [{ fn: known, ...root }];
    const nodes = valuesIn(flow, value).map((node): Root => ({ node, ...root }));
    if (nodes.length > 0 || kind === 'timer') return nodes;
    // `this.work`
    return facts.calls.functionsOf(value).flatMap((one): Root[] => {
      const fn = functionIndexes.get(one);
      return fn === undefined ? [] : [{ fn, ...root }];
    });
  };
  return [
    ...repeatedCallbacks(facts).flatMap(({ callback, call }) => rootsOf(callback, call, 'timer')),
    ...backgroundLoops(facts).flatMap(({ loop, runs }) => runs.flatMap((value) => rootsOf(value, loop, 'loop'))),
  ];
}

// https://cloud.google.com/functions/docs/functions-framework, and routers that find a handler by the `operationId` of a description. Those
// that only show a description load nothing.
const FIND_BY_NAME =
  /functions-framework|firebase-functions|openapi|swagger(?!-ui|-jsdoc|-autogen|-themes)|exegesis|serverless|module-resolver/;
/** Packages that load the files of a folder. */
const LOAD_FOLDERS =
  /auto-?load|consign|awilix|enrouten|express-load|(?:file|mount|dynamic|folder|auto(?:matic)?)-?rout|hapi-router|(?:include|require)-(?:all|dir)|(?:require|bulk)-?(?:index|require)|oas-tools|module-alias|glob/;
/** What bundlers load. */
const LOADS_IN_BUNDLE = /\bimport\.meta\.glob|\brequire\.context\(/;

/** Whether a package of the project may call an exported handler by its name. */
function findsByName({ facts: { project } }: Flow): boolean {
  const { dependencies, devDependencies } = project.manifest ?? {};
  return Object.keys({ ...dependencies, ...devDependencies }).some((name) => FIND_BY_NAME.test(name));
}

/** `@routes/users`, `~/users`, `#users`: perhaps an alias that another tool resolves. */
function strangersIn({ module, project: { manifest } }: Facts): Pick<FileSummary, 'strangers'> {
  const known = new Set(
    Object.keys({ ...manifest?.dependencies, ...manifest?.devDependencies }).flatMap((name) => [name, name.split('/')[0] as string]),
  );
  // `@opentelemetry/resources`, where only `@opentelemetry/api` is named, comes with it. `@acme/routes/users` is as often an alias.
  const isKnown = ([scope = '', name, ...inside]: readonly string[]): boolean =>
    known.has(`${scope}/${name}`) || (scope.length > 1 && inside.length === 0 && known.has(scope));
  const found = [...module.importedModules()].filter((name) => /^[@~#]/.test(name) && !isKnown(name.split('/')));
  return found.length > 0 ? { strangers: found } : {};
}

function loadsFolders({ facts: { project } }: Flow): boolean {
  return Object.keys(project.manifest?.dependencies ?? {}).some((name) => LOAD_FOLDERS.test(name));
}

function aroundIn(flow: Flow, site: Node): Pick<Root, 'onlyIn'> {
  const around = onlyIn(site, flow.facts);
  const fn = around && flow.functionIndexes.get(around.fn);
  return fn === undefined ? {} : { onlyIn: { name: around?.name as string, fn } };
}

/** A handler that is declared in the same file. */
function functionOf({ facts: { bindings } }: Flow, handler: Node): FunctionNode | undefined {
  const node = unwrap(handler);
  if (isFunction(node)) return node;
  const binding = node.type === 'Identifier' ? bindings.resolve(node) : undefined;
  if (!binding || !bindings.isConstant(binding)) return undefined;
  const { declaration } = binding;
  if (isFunction(declaration)) return declaration;
  const init = declaration.type === 'VariableDeclarator' && declaration.init ? unwrap(declaration.init) : undefined;
  return isFunction(init) ? init : undefined;
}

/** `app.setErrorHandler(fn)`, `app.notFound(fn)`, `app.addHook('onError', fn)` */
function isForLeftovers(site: Node): boolean {
  if (!isCall(site)) return false;
  const callee = unwrap(site.callee);
  const [first] = site.arguments;
  const names = [isMember(callee) ? memberName(callee) : undefined, first ? staticName(unwrap(first), true) : undefined];
  return names.some((name) => name !== undefined && LEFTOVERS.test(name));
}

const LEFTOVERS =
  /^(?:set(?:Error|NotFound)Handler|on(?:Error|NotFound|Timeout|RequestAbort)|notFound|NotFound|error|uncaughtException|restifyError)$/;

function partsIn(flow: Flow, argumentParts: RegistrationParts | undefined, handler: Node, site: Node): Pick<Root, 'parts' | 'wrapped'> {
  const parts = argumentParts && routeParts(flow, argumentParts.method, argumentParts.path, argumentParts.prefix);
  // At the top level, and outside of loops over tables, there are no callers or rows that know more.
  const wrapped = parts || enclosingFunction(site) ? spotsWithin(flow, handler, site) : [];
  return { ...(parts ? { parts } : {}), ...(wrapped.length > 0 ? { wrapped } : {}) };
}

/** Whether nothing in the file takes what looks like a handler, or the router that it is registered on. */
function isUntaken({ facts }: Flow, kind: RootKind, handler: Node, router: t.Identifier | undefined): boolean {
  if (kind === 'signature') return isFunction(handler) && isOnlyExported(handler, facts);
  return router !== undefined && isRouterOnlyExported(router, facts);
}

/** `const router = express.Router()` and `module.exports = router` */
function exportedRouter({ facts }: Flow, site: Node): t.Identifier | undefined {
  const app = receiverOf(site);
  if (app.type !== 'Identifier' || defaultExport(facts) !== app.name) return undefined;
  const declaration = facts.bindings.resolve(app)?.declaration;
  const init = declaration?.type === 'VariableDeclarator' ? declaration.init : undefined;
  return init != null && isCall(init) && facts.source.slice(init.callee).endsWith('Router') ? app : undefined;
}

/** `export default async (app) => { app.get(…) }`, also by name. Or `module.exports = () => { router.get(…); return router; }`. */
function isOfPlugin({ facts }: Flow, site: Node): boolean {
  const app = receiverOf(site);
  const declaration = app.type === 'Identifier' ? facts.bindings.resolve(app)?.declaration : undefined;
  const init = declaration?.type === 'VariableDeclarator' ? declaration.init : undefined;
  const isRouter = init != null && isCall(init) && facts.source.slice(init.callee).endsWith('Router');
  const fn = isRouter ? enclosingFunction(site) : declaration;
  const holder = fn && isFunction(fn) && !enclosingFunction(fn) ? parentOf(fn) : undefined;
  if (!holder || !fn) return false;
  if (holder.type === 'ExportDefaultDeclaration') return true;
  if (holder.type === 'AssignmentExpression') return facts.source.slice(holder.left) === 'module.exports';
  const id = holder.type === 'VariableDeclarator' ? holder.id : fn.type === 'FunctionDeclaration' ? fn.id : undefined;
  return id?.type === 'Identifier' && defaultExport(facts) === id.name;
}

/** `app` of `app.get(…)` */
function receiverOf(site: Node): Node {
  const callee = isCall(site) ? unwrap(site.callee) : site;
  return isMember(callee) ? unwrap(callee.object) : callee;
}

/** Of the whole text, so that it is looked for once and not for each route. */
function defaultExport(facts: Facts): string | undefined {
  return facts.remember('name of the default export', () => /(?:module\.exports =|export default) (\w+)/.exec(facts.source.text))?.[1];
}

/** The nodes of an argument: its own, or those of the handlers in an options object. */
function valuesIn(flow: Flow, argument: Node): number[] {
  const node = unwrap(argument);
  if (node.type === 'SpreadElement') return valuesIn(flow, node.argument);
  if (node.type === 'ObjectExpression')
    return OPTION_HANDLERS.flatMap((name) => propertyValue(node, name) ?? []).flatMap((value) => valuesIn(flow, value));
  if (node.type === 'ArrayExpression') return node.elements.flatMap((element) => (element ? valuesIn(flow, element) : []));
  // Inline functions are registered directly.
  if (isFunction(node)) return [];
  const value =
    (node.type === 'Identifier' || isMember(node) ? spotOf(flow, node) : undefined) ??
    flow.values.get(argument) ??
    flow.values.get(node) ??
    (node.type === 'Identifier' ? evaluateAgain(flow, node) : undefined);
  return value ? [value] : [];
}

/** The node of an argument that is an object of handlers. */
function wholeValue(flow: Flow, argument: Node): number[] {
  const value = flow.values.get(argument) ?? flow.values.get(unwrap(argument));
  return value ? [value] : [];
}

function evaluateAgain(flow: Flow, node: Node): number | undefined {
  const value = node.type === 'Identifier' ? flow.bindings.resolve(node) : undefined;
  return value ? flow.nodeOf(value) : undefined;
}

/**
 * The node of the application that a registration is called on: `router` in `router.route('/a').get(show)`, `Router()` in
 * `Router().get('/a', show).get('/b', list)`.
 */
function appOf(flow: Flow, site: Node): { app?: number } {
  let at: Node = site;
  while (isCall(at)) {
    const callee = unwrap(at.callee);
    const method = isMember(callee) ? memberName(callee) : undefined;
    if (!isMember(callee) || (at !== site && method !== undefined && !REGISTERING.has(method))) break;
    at = unwrap(callee.object);
  }
  if (at === site) return {};
  const binding = at.type === 'Identifier' ? flow.bindings.resolve(at) : undefined;
  const app = (at.type === 'Identifier' ? spotOf(flow, at) : undefined) ?? (binding ? flow.nodeOf(binding) : flow.values.get(at));
  return app ? { app } : {};
}
