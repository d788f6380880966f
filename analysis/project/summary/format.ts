// What one file contributes to the project's graph: plain numbers and texts, so that it can be cached, sent between threads and patched.
// Values flow between nodes (variables, results, parameters); objects (functions, classes, literals) are what flows.
import type { RouteBase } from '../../facts/handlers/bases.ts';
import type { FileRole } from '../../facts/file-role.ts';
import type { Span } from '../../../protocol/finding.ts';

/** Raised whenever the meaning of a summary changes: caches of other versions are ignored. */
export const SUMMARY_VERSION = 23;

/** One number each; the operands follow in the flat list. All operands are local to the file. */
export const Op = {
  /** dst src: what is in `src` is in `dst`. */
  Copy: 0,
  /** dst object */
  Object: 1,
  /** dst base name: `dst = base.name`. */
  Load: 2,
  /** dst base name: like Load, for `base.name.x = …`: gives the property an object where a package made `base`. */
  LoadOpen: 3,
  /** base name src: `base.name = src`. */
  Store: 4,
  /** object name src: a property that a literal or a class declares. */
  Field: 5,
  /** site result callee this flags argumentCount arguments… passedCount passed…; `passed`: functions in literals among the arguments. */
  Call: 6,
  /** dst specifier: the module's exports object. */
  Import: 7,
  /** dst specifier: the default export, with what CommonJS makes of it. */
  ImportDefault: 8,
  /** dst pattern: any file that the path with `*` in it may mean. */
  ImportPattern: 9,
  /** dst type: instances of the classes in `type`. */
  Instance: 10,
  /** object base: `object` has all properties of what is in `base`. */
  Inherit: 11,
  /** object class: instances (`object`) have the properties of the instances of what is in `class`. */
  Extend: 12,
  /** target source: everything in `target` gets the properties of everything in `source`. */
  Mix: 13,
  /** child parent: instances of functions in `child` inherit from instances of those in `parent`. */
  Inherits: 14,
  /** instances type: the class implements what is in `type`. */
  Implements: 15,
  /** function this: what `this` is in the functions in `function`. */
  This: 16,
  /** token value: what an injection container gives for a token; either may be a class or any object. */
  Provide: 17,
  /** dst token: what a container gives. */
  Inject: 18,
  /** dst name: what a container gives for a name. */
  InjectNamed: 19,
  /** name value */
  ProvideNamed: 20,
  /** parent path child: `parent.use(path, child)`. */
  Mount: 21,
  /** function: stands for the call before it, which may be a blocking function of a package; runs where it is one. */
  Blocks: 22,
  /** index text: what the call before it is passed there. */
  ArgumentText: 23,
  /** object name text: a property of a literal that may be a row of a table of routes. */
  FieldText: 24,
  /** list row: a row that stands in a list. */
  Row: 25,
  /** parameter list: the list that a rest parameter is. */
  Rest: 26,
} as const;

/** Name operand of Load and Store: any property. */
export const ANY_NAME = -1;
/** Name operand of Load where the property is called: the methods of classes and the functions of modules are meant, too. */
export const ANY_METHOD = -2;

/** Name of the elements of arrays, maps and sets; no property can be called that. */
export const ELEMENT = '[]';

/** Places of a list that are told apart, where a literal says what stands there. */
export const INDEXES = ['[0]', '[1]', '[2]', '[3]', '[4]', '[5]', '[6]', '[7]', '[8]', '[9]'] as const;

export const ObjectKind = { Exports: 0, Function: 1, Class: 2, Instance: 3, Literal: 4, Array: 5, Interface: 6 } as const;

/** An abstract object's record in `FileSummary.objects`, field by field; -1 stands for none. */
export const ObjectField = {
  Kind: 0,
  /** The function that it is, or the constructor of the class that it is. */
  Function: 1,
  /** Of a class its instance, of an instance its class. */
  Counterpart: 2,
  Name: 3,
  Flags: 4,
} as const;
export const OBJECT_STRIDE = 5;

export const ObjectFlag = {
  /** An instance of an abstract class. */
  Abstract: 1,
} as const;

/** A function's record in `FileSummary.functions`, field by field. */
export const FunctionField = {
  /** -1: none. */
  Name: 0,
  Start: 1,
  /** Of the head: name and parameters. */
  End: 2,
  /** Node of the first parameter; the others follow. */
  FirstParameter: 3,
  ParameterCount: 4,
  /** Node. */
  Result: 5,
  /** Node of `this`; 0: none. */
  This: 6,
  Flags: 7,
  /** The function that it is written in; -1: none. */
  Outer: 8,
} as const;
export const FUNCTION_STRIDE = 9;

export const FunctionFlag = { Rest: 1, Arguments: 2, Async: 4, Generator: 8, Arrow: 16, Abstract: 32, Call: 64 } as const;

/** A call site's record in `FileSummary.sites`, field by field. */
export const SiteField = {
  /** -1: the top level. */
  Function: 0,
  Start: 1,
  End: 2,
  Flags: 3,
} as const;
export const SITE_STRIDE = 4;

/** Where a call site of a file stands. */
export function siteSpan(sites: readonly number[], site: number): Span {
  const at = site * SITE_STRIDE;
  return { start: sites[at + SiteField.Start] as number, end: sites[at + SiteField.End] as number };
}

export const SiteFlag = {
  New: 1,
  /** Runs for the first request only: behind a cache that outlives it. */
  Once: 2,
  /** In a branch that production does not take, or that a program which has been set up refuses. */
  DevelopmentOnly: 4,
  /** Once per round of a loop, or per item of a list, that is not known to be short and whose rounds do not wait. */
  Repeated: 8,
  /** Passes a function, referenced by name, on to what calls it once per item. */
  Iterates: 16,
  /** Hands functions on to what runs at the process's end or at another time that no request waits for. */
  Detached: 32,
  /** The arguments flow, but the call itself stands at another site. */
  FlowOnly: 64,
  /** `super(…)` */
  Super: 128,
  /** `p.then(f)`: a function that is passed runs. */
  Callback: 256,
  /** In a `try` whose catch takes what it throws. */
  Guarded: 1024,
  /** The loop ends with it, or with its first "no": `if (!isValid(row)) return`. */
  Decides: 2048,
  /** Runs only where the first argument of the function around it is left out; the next bits stand for the next arguments. */
  Spare: 4096,
  /** The first argument is another object whenever the call runs; the next bits stand for the next arguments. */
  Each: 65536,
} as const;

/** So many arguments have a bit of `Spare`. */
const SPARE_ARGUMENTS = 4;
/** All bits of `Spare`, and where they begin. */
export const SPARE_SHIFT = 12;
export const ALL_SPARE = 15;

export function spareFlag(argument: number): number {
  return argument >= 0 && argument < SPARE_ARGUMENTS ? SiteFlag.Spare << argument : 0;
}

/** So many arguments have a bit. */
export const EACH_ARGUMENTS = 8;

export function eachFlag(argument: number): number {
  return argument < EACH_ARGUMENTS ? SiteFlag.Each << argument : 0;
}

/** A hop's record in `FileSummary.hops`, field by field. */
export const HopField = { Function: 0, Site: 1, KindAndFlags: 2 } as const;
export const HOP_STRIDE = 3;

/** What a hop is, in the lowest bits. */
export const HopKindCode = {
  Call: 0,
  Tick: 1,
  Microtask: 2,
  Then: 3,
  /** The function waits for what the call gives, or gives it. */ Awaited: 4,
} as const;
export const HOP_KIND_MASK = 7;

/** More conditions than this are as many as this. */
export const MOST_CONDITIONS = 3;

export const HopFlag = {
  /** Times the number of conditions, up to `MOST_CONDITIONS`. */
  Condition: 8,
  /** Behind a question that no loop asks: it is no round of one. */
  Unfit: 32,
  /** Behind an `await` of the same function. */
  AfterAwait: 64,
  /** Made once per item of a list. */
  Walk: 128,
} as const;

/** Of a kind of value that a call passes; `Keys` and the number of a text: an object literal with these keys. */
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
  /** In a loop that goes round often. */
  Hot: 1,
  /** … and does little else. */
  Light: 2,
  /** In a `catch` or a `throw`. */
  Never: 4,
} as const;

export type RootKind = 'route' | 'middleware' | 'socket' | 'exported' | 'signature' | 'message' | 'job' | 'hook';

/** A text, or the node of one. */
export type RoutePart = string | number;

/** What a route is put together from. */
export interface RouteParts {
  method: RoutePart;
  path: readonly RoutePart[];
}

/** Something that runs for each request: a function of the file, or whatever is in a node. */
export interface Root {
  fn?: number;
  node?: number;
  /** Names of the properties that hold handlers, where the node holds an object. */
  options?: readonly string[];
  /** Whether these are tables of tables of handlers. */
  isDeep?: boolean;
  kind: RootKind;
  framework: string;
  route?: string;
  /** For a route that only callers or a table's rows tell. */
  parts?: RouteParts;
  /** Nodes of what is passed to a wrapper in the handler's place. */
  wrapped?: readonly number[];
  /** Versions of a controller's route; '' for none. */
  versions?: readonly string[];
  /** Where it is registered; the head only. */
  start: number;
  end: number;
  /** Node of the application or router that it is registered on. */
  app?: number;
  developmentOnly?: boolean;
}

export interface FileSummary {
  version: number;
  /** Absolute path. */
  file: string;
  strings: readonly string[];
  /** Nodes are numbered from 1; 0 is "nothing". Node 1 is `module.exports`, node 2 the first `exports` object. */
  nodeCount: number;
  objects: readonly number[];
  functions: readonly number[];
  sites: readonly number[];
  ops: readonly number[];
  /** function, start, end: the first `throw new …` of each function that leaves it. */
  throws: readonly number[];
  roots: readonly Root[];
  /** What the file sets before all routes of controllers. */
  base?: RouteBase;
  /** function, site, kind and flags: steps by which functions may come round again through the queues of ticks and microtasks. */
  hops: readonly number[];
  /** Async functions that are done without having waited, if those of other files that they wait for are. */
  settled: readonly number[];
  /** site, flags, count, kinds…: what calls pass, where something of it is known. */
  argumentKinds: readonly number[];
  /** Written as an ES module. */
  isModule: boolean;
  /** What the file is for, by its place and what it imports: tests and scripts take part only where the application imports them. */
  role: FileRole;
  /** Nothing but the file's name and role was written down: by itself it takes no part. */
  isOutline?: true;
}
