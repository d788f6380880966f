// What one file contributes to the project graph: plain numbers and texts that can be cached, sent between threads and patched. Objects
// (functions, classes, literals) flow between nodes (variables, results, parameters).
import type { RouteBase } from '../../facts/handlers/bases.ts';
import type { FileRole } from '../../facts/file-role.ts';
import type { SchemaTypes } from '../../facts/handlers/schema-types.ts';
import type { Span } from '../../../protocol/finding.ts';

export type { SchemaText } from '../../facts/handlers/schema-text.ts';

/** Increased whenever the meaning of a summary changes. Caches of other versions are ignored. */
export const SUMMARY_VERSION = 51;

/** The codes of operations. Operands follow the code in the flat list. They are local to the file. */
export const Op = {
  /** dst src: every object in `src` is also in `dst`. */
  Copy: 0,
  /** dst object */
  Object: 1,
  /** dst base name: `dst = base.name`. */
  Load: 2,
  /** dst base name: like Load, for `base.name.x = …`. If a package created `base`, the property gets an object. */
  LoadOpen: 3,
  /** base name src: `base.name = src`. */
  Store: 4,
  /** object name src: a declared property of a literal or a class. */
  Field: 5,
  /** site result callee this flags argumentCount arguments… passedCount passed…; `passed`: functions in literals among the arguments. */
  Call: 6,
  /** dst specifier: the exports object of the module. */
  Import: 7,
  /** dst specifier: the default export, including the default of a CommonJS module. */
  ImportDefault: 8,
  /** dst pattern: any file that the path with `*` may mean. */
  ImportPattern: 9,
  /** dst type: instances of the classes in `type`. */
  Instance: 10,
  /** object base: `object` inherits all properties of the objects in `base`. */
  Inherit: 11,
  /** object class: the instance `object` inherits the properties of the instances of the classes in `class`. */
  Extend: 12,
  /** target source: everything in `target` gets all properties of everything in `source`. */
  Mix: 13,
  /** child parent: instances of functions in `child` inherit from instances of those in `parent`. */
  Inherits: 14,
  /** instances type: the class implements what is in `type`. */
  Implements: 15,
  /** function this: the value of `this` in the functions in `function`. */
  This: 16,
  /** token value: what an injection container provides for a token. Either may be a class or any object. */
  Provide: 17,
  /** dst token: what a container provides. */
  Inject: 18,
  /** dst name: what a container provides for a name. */
  InjectNamed: 19,
  /** name value */
  ProvideNamed: 20,
  /** parent path child: `parent.use(path, child)`. */
  Mount: 21,
  /**
   * function: stands for the previous call, which may be a blocking function of a package, or a line of a log whose level is off by
   * default. It runs only if the call is one.
   */
  Blocks: 22,
  /** index text: an argument of the previous call. */
  ArgumentText: 23,
  /** object name text: a property of a literal that may be a row of a route table. */
  FieldText: 24,
  /** list row: a row of a list. */
  Row: 25,
  /** parameter list: the list of a rest parameter. */
  Rest: 26,
  /** parameter default: what the parameter is if the argument is left out. */
  Default: 27,
  /** function rest: in a function that uses `arguments`, the arguments that have no parameter. */
  Arguments: 28,
  /** dst library: a logger that only writes what is above the default level. */
  Logger: 29,
  /** class parameter name: the constructor keeps what it gets as that parameter in that property, which the class calls. */
  Keep: 30,
} as const;

/** Name operand of Load and Store: any property. */
export const ANY_NAME = -1;
/** Name operand of Load if the property is called: also the methods of classes and the functions of modules. */
export const ANY_METHOD = -2;
/** Name operand of Load, beside the names that are known: what was stored under a name that is not. */
export const ANY_STORED = -3;

/** Name of the elements of arrays, maps and sets. No property can have this name. */
export const ELEMENT = '[]';

/** Name of the keys of maps. */
export const KEY = '[key]';
/** Name of what a generator returns, and of what `next` passes to it. What it yields are its elements. */
export const RETURNED = '[returned]';
export const SENT = '[sent]';
/** The method that a loop over an object runs. */
export const ITERATOR = '@@iterator';

/**
 * Before the full name of a type of a namespace that the project shares, as a specifier of `Op.Import`. If the namespace is imported,
 * `' from '` and its specifier follow.
 */
export const NAMESPACE = 'namespace:';

/** Hidden properties of a model: a document, and a list of documents. */
export const DOCUMENT = '[document]';
export const DOCUMENTS = '[documents]';
/** Hidden property of both: what a query for them gives after `sort`, `exec` and the like. It is the same again. */
export const QUERY = '[query]';

/** Positions of an array that are told apart if a literal fills them. */
export const INDEXES = ['[0]', '[1]', '[2]', '[3]', '[4]', '[5]', '[6]', '[7]', '[8]', '[9]'] as const;

export const ObjectKind = { Exports: 0, Function: 1, Class: 2, Instance: 3, Literal: 4, Array: 5, Interface: 6 } as const;

/** Fields of an abstract object's record in `FileSummary.objects`; -1 for none. */
export const ObjectField = {
  Kind: 0,
  /** The function that it is. For a class, its constructor. */
  Function: 1,
  /** The instance of a class, the class of an instance. */
  Counterpart: 2,
  Name: 3,
  Flags: 4,
} as const;
export const OBJECT_STRIDE = 5;

export const ObjectFlag = {
  /** An instance of an abstract class. */
  Abstract: 1,
} as const;

/** Fields of a function's record in `FileSummary.functions`. */
export const FunctionField = {
  /** -1 for none. */
  Name: 0,
  Start: 1,
  /** End of the head: name and parameters. */
  End: 2,
  /** Node of the first parameter; the others follow. */
  FirstParameter: 3,
  ParameterCount: 4,
  /** Node. */
  Result: 5,
  /** Node of `this`; 0 for none. */
  This: 6,
  Flags: 7,
  /** The enclosing function; -1 for none. */
  Outer: 8,
} as const;
export const FUNCTION_STRIDE = 9;

export const FunctionFlag = {
  Rest: 1,
  Arguments: 2,
  Async: 4,
  Generator: 8,
  Arrow: 16,
  Abstract: 32,
  Call: 64,
  /** Opens a port: `server.listen(3000)`. */
  Listens: 128,
  /** Starts an app of Electron: it awaits `app.whenReady()` and registers what windows ask for. */
  Starts: 256,
  /** `private` or `protected`: by its name alone, only its own class calls it. */
  Restricted: 512,
  /** A method that all instances of its class have, and nothing in its file replaces. No other class of the file has the name of its class. */
  Kept: 1024,
} as const;

/** Fields of a call site's record in `FileSummary.sites`. */
export const SiteField = {
  /** -1 for the top level. */
  Function: 0,
  Start: 1,
  End: 2,
  Flags: 3,
} as const;
export const SITE_STRIDE = 4;

/** The position of a call site. */
export function siteSpan(sites: readonly number[], site: number): Span {
  const at = site * SITE_STRIDE;
  return { start: sites[at + SiteField.Start] as number, end: sites[at + SiteField.End] as number };
}

export const SiteFlag = {
  New: 1,
  /** Runs for the first request only: behind a cache that lives on. */
  Once: 2,
  /** In a branch that production does not take, or that a program rejects once it is set up. */
  DevelopmentOnly: 4,
  /** Runs in each iteration of a loop, or for each item of a list, that is not known to be short and does not wait. */
  Repeated: 8,
  /** Passes a function by name to something that calls it once per item. */
  Iterates: 16,
  /** Passes functions to something that runs them at the end of the process, or at another time when no request waits. */
  Detached: 32,
  /** The arguments flow, but the call itself is at another site. */
  FlowOnly: 64,
  /** `super(…)` */
  Super: 128,
  /** `p.then(f)`: runs the passed function. */
  Callback: 256,
  /** Runs only what the project has: `rule.apply(x)` may be a method of the project, or the `apply` of all functions. */
  IfOwn: 512,
  /** In a `try` whose catch block handles the exception. */
  Guarded: 1024,
  /** The loop ends with this call, or at its first "no": `if (!isValid(row)) return`. */
  EndsLoop: 2048,
  /** Runs only if the caller leaves out the first argument of the enclosing function. The next bits are for the next arguments. */
  IfLeftOut: 4096,
  /** The first argument is another object each time the call runs. The next bits are for the next arguments. */
  Each: 65536,
  /** Of what runs `Once`: its cache expires, so that startup does not fill it for good. After the bits of `Each`. */
  Expires: 8388608,
  /** Sends its first argument, or writes it as text: whatever functions are in it, a package does not call them. */
  Sends: 16777216,
  /** In a branch of its function that a condition chooses. */
  Conditional: 33554432,
  /** Runs the functions that it is passed each time: `then`, `map`, `transaction`. Of others, that is not known. */
  RunsPassed: 67108864,
  /** Writes its arguments into a log, or makes a pattern of them: a value that may be one of several functions is none that it calls. */
  Writes: 134217728,
  /** Few runs of a command get there: a branch of an option, the end of a failure. */
  Seldom: 268435456,
  /** Runs one of several, or what it is passed for one of several subcommands. */
  OneOf: 536870912,
  /** Nothing waits for the promise that it may return, and its function goes on. */
  Dropped: 1073741824,
} as const;

/** How many arguments have a bit of `IfLeftOut`. */
const LEFT_OUT_ARGUMENTS = 4;
/** Position and mask of the bits of `IfLeftOut`. */
export const LEFT_OUT_SHIFT = 12;
export const LEFT_OUT_MASK = 15;

export function leftOutFlag(argument: number): number {
  return argument >= 0 && argument < LEFT_OUT_ARGUMENTS ? SiteFlag.IfLeftOut << argument : 0;
}

/** How many arguments have a bit of `Each`. */
export const EACH_ARGUMENTS = 7;

export function eachFlag(argument: number): number {
  return argument < EACH_ARGUMENTS ? SiteFlag.Each << argument : 0;
}

/** Fields of a hop's record in `FileSummary.hops`. */
export const HopField = { Function: 0, Site: 1, KindAndFlags: 2 } as const;
export const HOP_STRIDE = 3;

/** The kind of a hop, in the lowest bits. */
export const HopKindCode = {
  Call: 0,
  Tick: 1,
  Microtask: 2,
  Then: 3,
  /** The function awaits or returns the result of the call. */ Awaited: 4,
} as const;
export const HOP_KIND_MASK = 7;

/** Fields of a record in `FileSummary.throws`. */
export const ThrowField = { Function: 0, Start: 1, End: 2 } as const;
export const THROW_STRIDE = 3;

/**
 * Fields of a record in `FileSummary.queries`. Codes below 0 are of what is taken. The key is the string with the field that tells the row:
 * '' if there is no single one, and -1 if the source does not show it.
 */
export const QueryField = { Function: 0, Start: 1, End: 2, Code: 3, Key: 4 } as const;
export const QUERY_STRIDE = 5;

/** Fields of a record in `FileSummary.getters`. */
export const GetterField = { Function: 0, Start: 1, End: 2, Name: 3 } as const;
export const GETTER_STRIDE = 4;

/** Fields of a record in `FileSummary.argumentKinds`. As many kinds follow as `Count` says. */
export const ArgumentsField = { Site: 0, Flags: 1, Count: 2, FirstKind: 3 } as const;

/** Higher numbers of conditions count as this. */
export const MOST_CONDITIONS = 3;

export const HopFlag = {
  /** Multiplied by the number of conditions, up to `MOST_CONDITIONS`. */
  Condition: 8,
  /** Behind a condition that no loop has. The hop is not part of a round. */
  Unfit: 32,
  /** After an `await` of the same function. */
  AfterAwait: 64,
  /** Runs once per item of a list. */
  Walk: 128,
} as const;

/** The kind of an argument. `Keys` plus the number of a text: an object literal with these keys. */
export const KindCode = {
  Unknown: 0,
  Number: 1,
  String: 2,
  Boolean: 3,
  Bigint: 4,
  Date: 5,
  Absent: 6,
  Instance: 7,
  Other: 8,
  Keys: 9,
} as const;

export const ArgumentFlag = {
  /** In a hot loop. */
  Hot: 1,
  /** In a hot loop that does little else. */
  Light: 2,
  /** In a `catch` or a `throw`. */
  Never: 4,
} as const;

export type RootKind =
  | 'route'
  | 'middleware'
  | 'socket'
  | 'exported'
  | 'invocation'
  | 'signature'
  | 'message'
  | 'ipc'
  | 'job'
  | 'hook'
  /** These run again and again in a process that serves. */
  | 'timer'
  | 'loop';

/** Whether no request leads there: timers and background loops. */
export function isBackground(kind: RootKind): boolean {
  return kind === 'timer' || kind === 'loop';
}

/** A text, or the node of one. */
export type RoutePart = string | number;

/** The parts of a route. */
export interface RouteParts {
  method: RoutePart;
  path: readonly RoutePart[];
}

/** An entry point: a function of the file, or the functions in a node. */
export interface Root {
  fn?: number;
  node?: number;
  /** Names of the properties that hold handlers, if the node holds an object. */
  options?: readonly string[];
  /** Whether those properties are tables of tables of handlers. */
  isDeep?: boolean;
  kind: RootKind;
  framework: string;
  route?: string;
  /** For a route that only callers or the rows of a table determine. */
  parts?: RouteParts;
  /** Nodes of the arguments of a wrapper in the handler's position. */
  wrapped?: readonly number[];
  /** Versions of a controller's route; '' for none. */
  versions?: readonly string[];
  /** Where it is registered: only the head of the call. */
  start: number;
  end: number;
  /** Node of the application or router that it is registered on. */
  app?: number;
  developmentOnly?: boolean;
  /** Whether it only gets what others did not handle: errors, and paths without a route. */
  isLeftover?: boolean;
  /** Whether a file server stands before it, which answers what it finds in its folder. */
  isBehindFiles?: boolean;
  /** Whether it is registered on a router that is all that its file exports. */
  isOfRouter?: boolean;
  /** Whether the function that its file exports registers it, on its parameter or on a router: `export default async (app) => { app.get(…) }`. */
  isOfPlugin?: boolean;
  /** The exported function around it, if nothing else in its file names it: somebody must call it. */
  onlyIn?: { name: string; fn: number };
  /** Whether nothing in its file takes what looks like a handler, or the router that a handler is registered on. */
  isOnlyExported?: boolean;
  /** Whether only administrators get to the handler, by the names of what stands before it. */
  isForAdministrators?: boolean;
  /** In s: it runs at most once in that time; 0 if only the build runs it. Unless something that its file loads asks for data of the request. */
  interval?: number;
  /** Of hooks: the model of Sequelize. */
  model?: string;
}

/** What a file says of the classes that Nest makes: see `facts/outside/providers.ts`. */
export interface ProviderSummary {
  named: readonly string[];
  /** Names of classes that the file makes itself. */
  made?: readonly string[];
  /** Functions that run before the program listens, with the name of their class; '' for the class of a module. */
  starting: readonly (readonly [name: string, fn: number])[];
  hasPerRequest?: true;
}

/** What runs and is loaded as soon as a file is. */
export interface StartSummary {
  /** Whether users start it: a `bin` of the package, or a file with a hashbang. */
  isCommand?: true;
  /** Opens a port. */
  listens?: true;
  /** Turns on V8's code cache on disk. */
  cachesCode?: true;
  /** Specifiers of files that are always loaded. Numbers of texts. */
  loads: readonly number[];
  /**
   * Packages that take long to load: whether the file loads them at once, and which functions use them. -1 for the top level. What few runs
   * get to is left out.
   */
  packages: readonly { name: string; isLoaded: boolean; uses: readonly number[] }[];
}

/** The property of what a call returns, at this call site; -1 for one that nothing is known of. */
export interface Lack {
  site: number;
  name: string;
}

/** A condition that never holds if all these properties are never set. */
export interface Guard {
  lacks: readonly Lack[];
  /** The call sites that run only if it holds. */
  sites: readonly number[];
}

/** A call of an object's method that runs only if the object lacks another one: `db.closeAndWait ? db.closeAndWait() : db.close()`. */
export interface Instead {
  site: number;
  /** Name of the other method. */
  of: string;
}

/** The objects that a function returns, if nobody else has them. */
export interface Result {
  fn: number;
  /** Names of properties that a literal sets. */
  set: readonly string[];
  /** Call sites whose results are returned. */
  calls: readonly number[];
  /** Properties that are set if one of these is. */
  copied?: readonly (readonly [string, readonly Lack[]])[];
}

export interface FileSummary {
  version: number;
  /** Absolute path. */
  file: string;
  /** Specifiers of files of the project in lines that are commented out. */
  commentedOut?: readonly string[];
  strings: readonly string[];
  /** Nodes are numbered from 1; 0 means "nothing". Node 1 is `module.exports`, node 2 the original `exports` object. */
  nodeCount: number;
  objects: readonly number[];
  functions: readonly number[];
  sites: readonly number[];
  ops: readonly number[];
  /** `ThrowField`s: the first `throw new …` of each function that does not catch it. */
  throws: readonly number[];
  /** `QueryField`s: the first query that each function sends whenever it is called, and what it takes. */
  queries: readonly number[];
  /** `GetterField`s: calls that may be getters of associations, such as `order.getItems()`. */
  getters?: readonly number[];
  /** The names of the getters that associations of this file make. */
  associations?: readonly string[];
  roots: readonly Root[];
  /** Which types of GraphQL its fields return in lists. */
  schema?: SchemaTypes;
  /** What the file sets before all routes of controllers. */
  base?: RouteBase;
  /** `HopField`s: hops through which functions may come round again in the queues of ticks and microtasks. */
  hops: readonly number[];
  /** Async functions that never wait, provided that the functions of other files that they await never do. */
  settled: readonly number[];
  /** Pairs of a site that fills a cache and a function that empties it. */
  emptied?: readonly number[];
  providers?: ProviderSummary;
  /** `ArgumentsField`s: the arguments of calls, if anything is known of them. */
  argumentKinds: readonly number[];
  /** Written as an ES module. */
  isModule: boolean;
  /** Set for a test that replaces functions of `fs`: what it loads of the project. `true` if that is not known. */
  mocksFiles?: readonly string[] | true;
  /** Whether it gives every file a global `require`: `globalThis.require = createRequire(import.meta.url)`. */
  givesRequire?: true;
  /** Base names of the files that it writes, as far as it says them. */
  writes?: readonly string[];
  /** Those that it reads at once. */
  reads?: readonly string[];
  starts?: StartSummary;
  /** What its timers and background loops run again and again. Entry points, if a program that serves loads the file. */
  timers?: readonly Root[];
  /** Whether it loads files whose names it does not say, or a package of its project does. */
  loadsOthers?: true;
  /** Specifiers that may be aliases: `@routes/users`, if no dependency has that name. */
  strangers?: readonly string[];
  /** Specifiers of imports whose names nothing in the file uses. */
  unused?: readonly string[];
  /** Specifiers of which only types are imported, so that they load nothing. */
  types?: readonly string[];
  /** Asks Next.js for data of the request, or may have a package do so. */
  asksForRequest?: true;
  /** Names of models that it creates in bulk; '' for one without a name. */
  bulk?: readonly string[];
  guards?: readonly Guard[];
  instead?: readonly Instead[];
  /** Names of properties that it deletes, or sets to `null` or the like: whatever has a method of that name may lose it. */
  replaces?: readonly string[];
  results?: readonly Result[];
  /** What the file is for, judged by its path and imports. Tests and scripts participate only if the application imports them. */
  role: FileRole;
  /** Only the name and role of the file were recorded. It does not participate by itself. */
  isOutline?: true;
}

/**
 * Roles of files that participate by themselves. A command may wire up the program: in many projects it is the file that `npm start` runs.
 */
export const OWN_ROLES: ReadonlySet<FileRole> = new Set(['application', 'cli', 'worker', 'config']);

/** Whether a file participates even if nothing imports it. `isApplication`: whether it may register handlers. */
export function takesPart(role: FileRole, isApplication: () => boolean): boolean {
  return OWN_ROLES.has(role) || isApplication();
}
