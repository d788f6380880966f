// Code that runs once: the top level of a module, functions that only startup calls, installers, and what ends the process. A loop there
// ends before the first request.
import {
  enclosingFunction,
  functionName,
  isCall,
  isFunction,
  isMember,
  memberName,
  parentOf,
  unwrap,
  type FunctionNode,
  type Node,
} from '../../analysis/module/ast.ts';
import { iteratingCallOf, type Repetition } from '../../analysis/facts/hotness.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { isLongByConstant } from '../shared/long-loops.ts';
import { isPageCode, pathBelowRoot } from '../shared/page-code.ts';

// By name, if the callers are in other files.
const START_UP =
  /^(?:_*(?:init|initiali[sz]e|set[uU]p|bootstrap|boot|main|install|uninstall|migrate|seed|configure|onModuleInit|onApplicationBootstrap|start(?:up|Server)?|upgrade)|(?:init|initiali[sz]e|set[uU]p|bootstrap|install|migrate|seed|configure|register|load|reload|read|parse|validate|build|compile|generate)(?:App|Application|Server|Routes?|Router|Plugins?|Modules?|Extensions?|Config|Configs|Configuration|Settings|Env|Environment|Schemas?|Middlewares?|Locales?|Translations?|Themes?|Commands?|Webpack|Assets|Docs|Swagger|OpenApi)|_*(?:load|register|read|extend|merge)\w*(?:Configs?|Configuration|Plugins?|Extensions?|Middlewares?|Locales?|Translations?))$/;

const SHUT_DOWN = /^_*(?:shut_?[dD]own|gracefulShutdown|tear[dD]own|onClose|onModuleDestroy|(?:before|on)ApplicationShutdown)$/;
/** `app.addHook('onClose', …)` of Fastify, `process.on('SIGTERM', …)` */
const AT_THE_END = /^(?:onClose|preClose|SIG[A-Z]{3,5}|exit|beforeExit)$/;

// Parameters for the application that a module adds itself to.
const HOST = /^_?(?:app|server|router|fastify|express|io|program|grunt|gulp|sequelize|DataTypes)$/;

// Names for work that updates data or settings of an older version.
const MIGRATION = /migrat|upgrade|backfill|legacy/i;

// Settings are read once, whatever shape they have.
const CONFIG_FOLDERS = /(?:^|[\\/])config(?:s|uration)?(?:[\\/]|\.[cm]?[jt]s$)/;

/** Also a package of a monorepo: `packages/migrations/src`. */
const MIGRATION_FOLDERS = /[\\/](?:db-?)?migrations?[\\/]/;

const MAX_CALLERS = 4;

/** Whether a repetition runs once in the life of the process, and only briefly. */
export function isOneOff(facts: Facts, repetition: Repetition): boolean {
  if (isLongByConstant(facts, repetition)) return false;
  const { node } = repetition;
  return CONFIG_FOLDERS.test(pathBelowRoot(facts)) || isMigration(facts, node) || isOneOffIn(facts, functionThatRuns(node), 0);
}

/** The same for all calls of a function, judged by its own file and its name. */
export function isOneOffFunction(facts: Facts, fn: FunctionNode): boolean {
  return CONFIG_FOLDERS.test(pathBelowRoot(facts)) || isMigration(facts, fn.body) || isOneOffIn(facts, functionThatRuns(fn.body), 0);
}

/** `migrations.add('drop-locale', async () => { … })`, `function upgradeRules() {}`, `settings-migration.ts` */
function isMigration(facts: Facts, node: Node): boolean {
  if (/migrat/i.test(facts.source.file.replace(/^.*[\\/]/, '')) || MIGRATION_FOLDERS.test(pathBelowRoot(facts))) return true;
  for (let fn = enclosingFunction(node); fn; fn = enclosingFunction(fn)) {
    if (MIGRATION.test(functionName(fn) ?? '')) return true;
    const call = parentOf(fn);
    if (isCall(call) && call.callee !== fn && MIGRATION.test(facts.source.slice(call.callee).slice(-60))) return true;
  }
  return false;
}

/** The function whose call runs a node. Callbacks of `map` and similar methods belong to the function around them. */
export function functionThatRuns(node: Node): FunctionNode | undefined {
  let fn = enclosingFunction(node);
  while (fn && (iteratingCallOf(fn) || isCalledAtOnce(fn))) fn = enclosingFunction(fn);
  return fn;
}

function isOneOffIn(facts: Facts, fn: FunctionNode | undefined, depth: number): boolean {
  if (!fn) return true;
  const name = functionName(fn)?.replace(/^.*\./, '');
  const looksLikeIt =
    (name !== undefined && (START_UP.test(name) || SHUT_DOWN.test(name))) ||
    isForTheEnd(fn) ||
    isHostModule(fn) ||
    (depth < MAX_CALLERS && isOnlyCalledOnce(facts, fn, depth));
  // Last, because it finds the handlers of the whole file, which takes a fifth of all rules' time after a keystroke.
  return looksLikeIt && !facts.requestPaths.toFunction(fn);
}

function isForTheEnd(fn: FunctionNode): boolean {
  const call = parentOf(fn);
  if (!isCall(call) || !isMember(call.callee) || !/^(?:addHook|on|once)$/.test(memberName(call.callee) ?? '')) return false;
  const [event, listener] = call.arguments;
  if (listener !== fn || event?.type !== 'StringLiteral' || !AT_THE_END.test(event.value)) return false;
  const object = unwrap(call.callee.object);
  return memberName(call.callee) === 'addHook' || (object.type === 'Identifier' && object.name === 'process');
}

/** `(async () => { … })()` */
function isCalledAtOnce(fn: FunctionNode): boolean {
  const call = parentOf(fn);
  return isCall(call) && unwrap(call.callee) === fn;
}

/** `module.exports = (app) => { … }` */
function isHostModule(fn: FunctionNode): boolean {
  const first = fn.params[0];
  if (first?.type !== 'Identifier' || !HOST.test(first.name)) return false;
  const parent = parentOf(fn);
  return (
    parent?.type === 'ExportDefaultDeclaration' ||
    (parent?.type === 'AssignmentExpression' &&
      isMember(parent.left) &&
      (memberName(parent.left) === 'exports' || parentOf(parent)?.type === 'ExpressionStatement'))
  );
}

/** A function that only one-off code of this file can call: every mention of its name is such a call. */
function isOnlyCalledOnce(facts: Facts, fn: FunctionNode, depth: number): boolean {
  const parent = parentOf(fn);
  const identifier =
    fn.type === 'FunctionDeclaration'
      ? fn.id
      : parent?.type === 'VariableDeclarator' && parent.id.type === 'Identifier'
        ? parent.id
        : undefined;
  const binding = identifier && facts.bindings.resolve(identifier);
  if (
    !binding ||
    parent?.type === 'ExportNamedDeclaration' ||
    parent?.type === 'ExportDefaultDeclaration' ||
    parentOf(parentOf(parent ?? fn) ?? fn)?.type === 'ExportNamedDeclaration'
  )
    return false;
  const references = facts.bindings.references(binding);
  return (
    references.length > 0 &&
    references.every((reference) => {
      const call = parentOf(reference);
      if (!isCall(call) || call.callee !== reference) return false;
      const from = functionThatRuns(call);
      return from !== fn && isOneOffIn(facts, from, depth + 1);
    })
  );
}

/** Whether code of this file serves or computes, so that a slow object there costs time. */
export function isPerformanceRelevant(facts: Facts): boolean {
  return (facts.role === 'worker' || facts.isApplication()) && !isPageCode(facts);
}

/** The route and the path of a place that a request reaches, for the report. */
export function routeOf(facts: Facts, node: Node): string | undefined {
  const fn = functionThatRuns(node);
  return fn && isFunction(fn) ? facts.requestPaths.toFunction(fn)?.handler.route : undefined;
}
