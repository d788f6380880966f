// The shape of one fact: "this call holds up the event loop until it is done, and this is how to write it so that it does not".

export type BlockingCategory = 'fs' | 'process' | 'compression' | 'crypto' | 'wait' | 'sqlite' | 'archive' | 'parse' | 'diagnostics';

/** What the loop waits for: a disk, a whole child process, this thread's own computing, or somebody else's signal. */
export type BlockingCost = 'io' | 'spawn' | 'cpu' | 'wait';

/**
 * How loud a call deserves to be on a request path.
 * `hint`: it blocks, but the typical call is too short or too deliberate to be worth a warning.
 * `off`: known here for the profiler and for hovers; not reported unless somebody asks for it.
 */
export type BlockingLevel = 'warning' | 'hint' | 'off';

/** All the conditions that are present must be seen in the code; a size that is not a literal is not seen. */
export interface BlockingCondition {
  /** No argument from this position on is a function or a name that may hold one. */
  noCallbackFrom?: number;
  /** A literal number (or a product, sum or shift of literals) of at least that size stands at the position. */
  sizeArgument?: { index: number; atLeast: number };
  /** The argument is not a buffer that is made on the spot, or in a constant, with fewer bytes. */
  unlessSmallBuffer?: { index: number; under: number };
  /** The argument is a number; the function does something cheap with other types. */
  numberArgument?: number;
  /** The argument is a file's path (a string), not the file's contents. */
  pathArgument?: number;
  /** No object argument sets this option to true, in a variable or spread either, and none that the file does not show is named as options. */
  unlessOption?: string;
  /** The argument is there, and is neither a text that the file shows nor what it reads from a file. */
  changingText?: number;
  /** The argument is none of these texts. */
  unlessText?: { index: number; oneOf: readonly string[] };
  /** The argument is no variable of a function around the one that calls: what that holds, no-setup-per-request may tell to be built once. */
  notFromOutside?: number;
  /** The object was made in the function that calls its method, for the same reason. */
  ownObject?: true;
  /** The same function calls none of these functions of the module, which take longer and are told. */
  unlessBeside?: readonly string[];
  /** No argument stands at this position. */
  noArgument?: number;
  /** What the call gives is not kept for the next one. */
  unlessKept?: true;
}

export interface CheaperCase {
  /** Position of the argument whose literal value makes the call cheap. */
  argument: number;
  oneOf: readonly string[];
  /** Whether it is cheap without that argument, too. */
  orNone?: true;
  level: BlockingLevel;
}

/**
 * The same work without blocking. `result` says whether awaiting it gives what the blocking call returns;
 * when it differs, `note` says how, and an automatic conversion must not pretend otherwise.
 */
export type AsyncForm =
  /** A function that returns a promise. `module` is written as one would import it. */
  | { kind: 'promise'; module: string; path: readonly string[]; result: 'same' | 'differs'; note?: string }
  /** A function whose last argument is a callback; `promisify` from `node:util` makes it return a promise. */
  | { kind: 'callback'; module: string; path: readonly string[]; result: 'same' | 'differs'; note?: string }
  /** Another method of the same object. */
  | { kind: 'method'; name: string; style: 'promise' | 'callback'; result: 'same' | 'differs'; note?: string }
  /** There is none; `advice` says what to do instead. `remedy`: the whole sentence, where a message needs another one. */
  | { kind: 'none'; advice: string; remedy?: string };

/** How the object is made whose method blocks: `new DatabaseSync(…)`, then `.prepare(…)`. */
export interface Maker {
  /** Property names from the module; empty when the module itself is called. */
  path: readonly string[];
  by: 'call' | 'new';
  /** Methods called one after another on what that gives. */
  then?: readonly string[];
  /** What that gives is a list, and the object is an element of it. */
  element?: true;
  /** The call is given an object that has this property. */
  option?: string;
  /** The call is given no object that has this property, or may have it. */
  without?: string;
  /** The argument is there, and is neither a text or list that the file shows nor what it reads from a file. */
  changing?: number;
  /** The call has no more arguments. */
  most?: number;
}

export interface BlockingCall {
  /** `global` for what needs no import: `Atomics.wait`. */
  root?: 'module' | 'global';
  /** Specifier without `node:`, or the global's name. */
  module: string;
  /**
   * Property names from the module, `default` left out; empty when the module itself is called. The method's name when `madeBy` is there.
   */
  path: readonly string[];
  /** The call is a method of an object that the module makes in one of these ways. */
  madeBy?: readonly Maker[];
  /** No other package has a method of that name: in a file that imports the package, it is this one, whatever the object comes from. */
  byImport?: true;
  /**
   * The package gives the object this method, as middleware does to responses: it is this one on every parameter of a function in a project
   * that depends on the package.
   */
  byDependency?: true;
  /** Semver range of the package's versions in which the call blocks for that long. Absent: every version. */
  versions?: string;
  /** Name of the object's class, for messages: `Dir` in `Dir#readSync`. */
  className?: string;
  /** Default `call`. `tag`: a template literal's tag. */
  by?: 'call' | 'new' | 'tag';
  category: BlockingCategory;
  cost: BlockingCost;
  /** Default `warning`. */
  level?: BlockingLevel;
  /**
   * The level of a call unless two nested loops of its file repeat it in one turn of the event loop, its function calls itself, or it has
   * the option `recursive` and does not make a folder. Default: `level`.
   */
  single?: BlockingLevel;
  /** Semver range of Node versions that have the call. Absent: every version from 18 on. */
  nodeRange?: string;
  /** Only there on these `process.platform`s. */
  platforms?: readonly string[];
  when?: BlockingCondition;
  cheaper?: CheaperCase;
  asyncForm: AsyncForm;
  /** What the other requests wait for, where the words for the cost are not exact. */
  waitsFor?: string;
  /** It returns first, and computes later on the same thread: how long the call took says nothing. */
  isLater?: true;
  /** What was measured, as a sentence: of a call at the level `single`, if there is one. */
  took?: string;
  note?: string;
  /** Page of the documentation, or `package@version file` that was read. */
  source: string;
}
