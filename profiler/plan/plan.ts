// From what is asked for to one child process: arguments, flags, environment, and the input of the harness. Pure: it reads and starts
// nothing.
import type { ProgramRequest, SourcePlace } from '../../protocol/evidence.ts';
import type { ModuleFormat } from './module-format.ts';
import type { NodeBinary } from './node-binary.ts';
import { refusedFlag, refusedVariable } from './read-only.ts';
import { withRetained, type RetainedPlaces } from './retained.ts';
import { withClocks, type ClockedCalls } from './timed-calls.ts';

/**
 * What disturbs each other runs apart.
 * `trace`: V8's log of tiers, deoptimizations, inline caches and maps. `time`: nothing but the clock and the heap.
 * `io`: blocking core calls. `exceptions`: what is thrown and made. `watch`: blocks and delay of the event loop.
 * `idle`: the delay of an event loop without any work, the floor for `watch`. `counts`: how often each block ran. `cpu`: a `.cpuprofile`.
 * `feedback`: what V8 keeps of operators and calls, and how arrays changed. `load`: a server while a load generator asks it.
 * `retained`: what calls or requests leave behind, counted after collections.
 */
export type RunKind = 'trace' | 'feedback' | 'time' | 'io' | 'exceptions' | 'watch' | 'idle' | 'counts' | 'cpu' | 'load' | 'retained';

/** What one process collects at a time; a run goes through its phases in their order. */
export interface Phase {
  /** Together, where they leave each other alone. */
  kinds: readonly RunKind[];
  /** How long it measures, in ms. */
  measureMs: number;
  /** How much longer it may go on until `leastCalls` are made, in ms; 0 unless said. */
  patienceMs?: number;
  /** So many of each are worth waiting for: fewer would say nothing. */
  leastCalls?: number;
  /** Of requests that take long so many are enough. */
  fewCalls?: number;
}

/** A compiler of the user's project, for TypeScript that no loader of theirs takes. */
export interface Compiler {
  kind: 'esbuild' | 'typescript';
  /** What `require` is given, absolute. */
  path: string;
  /** `compilerOptions` of the tsconfig.json, as far as they say what the code means. */
  options: Readonly<Record<string, unknown>>;
}

/** How a project's TypeScript becomes JavaScript while it is loaded: its maps then give the places. */
export interface Loading {
  /** Flags of Node that load a loader: `--import file:///…/tsx/dist/loader.mjs`. */
  flags: readonly string[];
  /** Variables that the loader reads, for programs whose user has not set them. */
  env?: Readonly<Record<string, string>>;
  compiler?: Compiler;
}

/** Text that stands in for a file's own, with the same lines and columns. */
export interface Replacement {
  /** Absolute path. */
  file: string;
  text?: string;
  /** In place of `text`: put behind what the loaders make of the file. */
  append?: string;
  /** What the text is, where neither the file's ending nor a package.json tells. */
  format?: ModuleFormat;
}

export type Target =
  /** Calls, evaluated in the scope of a module. */
  | {
      type: 'function';
      /** Absolute path. */
      file: string;
      /** Expressions: `add(1, 2)`, `new Cart(3).total()`. What gives a promise is awaited, generators are drained. */
      calls: readonly string[];
      /** Statements that run once, before the calls and in their scope: `const cart = new Cart(3);`. */
      setup?: string;
      /** The module's text; read from the file when it is left out. */
      text?: string;
      /** Where neither the file's ending nor a package.json tells. */
      format?: ModuleFormat;
    }
  /** A whole program, as `node file …arguments` runs it. */
  | {
      type: 'file';
      file: string;
      arguments: readonly string[];
      /**
       * Sent in turns to the servers that the program starts, all of which are made to listen on free ports of the loopback. What comes
       * before the first one is start-up.
       */
      requests?: readonly ProgramRequest[];
    }
  /** A command that starts Node programs, e.g. `npm run test` as an array; no shell. Its `node` is the one of the run. */
  | { type: 'command'; command: readonly [string, ...string[]] };

/** A program that starts a server, and what it is asked. */
export interface ServedProgram {
  /** What `node` is given, absolute. */
  entry: string;
  /** Absolute. */
  cwd: string;
  /** None unless said. */
  arguments?: readonly string[];
  requests: readonly ProgramRequest[];
  /** The same requests, each time with other values where values were made up; undefined where none were. */
  varied?: readonly ProgramRequest[];
  /** Where the body of the function begins that the requests are to reach: whether any did. */
  handler?: SourcePlace;
  /** Of Node, as its start script has them. */
  flags?: readonly string[];
  /** As its start script sets them. */
  env?: Readonly<Record<string, string>>;
}

export interface Limits {
  /** After this the run is killed, in ms. */
  wallMs: number;
  /** How long the harness measures before it ends the run by itself, in ms; half of `wallMs` unless said. */
  measureMs?: number;
  /** How much longer it may go on until `leastCalls` are made, in ms; 0 unless said. */
  patienceMs?: number;
  /** Old space of V8, in MB. */
  heapMb?: number;
  /** Resident memory of all processes of the run together, in MB: buffers are not on V8's heap. Linux only. */
  residentMb?: number;
  /** Kept of each of the two output streams, in bytes; the rest is counted and left out. */
  outputBytes?: number;
  /** The run is stopped when its temp folder (V8's logs above all) holds more, in bytes. */
  folderBytes?: number;
}

export interface RunRequest {
  kind: RunKind;
  /** Unless said one, of `kind`. More than one only for functions and programs that are asked. */
  phases?: readonly Phase[];
  node: NodeBinary;
  /** Not needed for `idle`. */
  target?: Target;
  /** Set where code is compiled while it is loaded. A function's own file is then read from the disk, whatever its target's `text` is. */
  loading?: Loading;
  /** Other modules whose text is replaced, e.g. TypeScript whose types are taken out. */
  replacements?: readonly Replacement[];
  /** Absolute; the target's folder unless said. */
  cwd?: string;
  /** Added to the host's environment; undefined takes a variable out. */
  env?: Readonly<Record<string, string | undefined>>;
  /** Hands the host's NODE_OPTIONS down. */
  inheritNodeOptions?: boolean;
  /** Further flags of Node or V8. */
  flags?: readonly string[];
  /** Runs under Node's permission model: reading everything, writing only into the run's own folder, no child processes. */
  readOnly?: boolean;
  limits: Limits;
  /** Blocks shorter than this are not reported, in ms. */
  thresholdMs?: number;
  /** `watch`: ends the run when the event loop has not turned for so long, in ms. */
  endlessMs?: number;
  /** At most so many calls of each call text, or of each request. */
  callLimit?: number;
  /** So many of each are worth waiting for: fewer would say nothing. */
  leastCalls?: number;
  /** The phase, by its number, before which the run waits for its turn: 0 unless said. */
  holdAt?: number;
  /** `trace`: without on-stack replacement. Of a function's module only while it is loaded. */
  withoutOsr?: boolean;
  /** `io`: calls that no hook sees. */
  clocked?: ClockedCalls;
  /** `retained`: places whose containers are counted. */
  retained?: RetainedPlaces;
  /** `retained`: how long a request takes at most, as far as that is known, in ms. */
  usualMs?: number;
  /** `feedback`: the files whose functions are looked at, absolute; the target's unless said. */
  feedbackOf?: readonly string[];
  /** `load`: the file in which the load generator writes when its window begins and ends, and whether causes are looked for, too. */
  window?: { file: string; diagnoses: boolean };
}

export interface PlannedRun {
  executable: string;
  arguments: readonly string[];
  env: Readonly<Record<string, string>>;
  cwd: string;
  /** What the harness reads, to be written to `inputFile` before the start. */
  input: Readonly<Record<string, unknown>>;
  inputFile: string;
  /** A script that makes V8 log the shapes that it has from the start, to be written before the start; required before all else. */
  shapeProbe: string | undefined;
  limits: Required<Limits>;
}

export type PlanOutcome = { ok: true; run: PlannedRun } | { ok: false; reason: string };

export interface PlanPaths {
  /** The run's temp folder, absolute. */
  folder: string;
  /** Where the files of the harness lie, absolute. */
  harness: string;
  cwd: string;
  /** Joins like node:path does on the machine of the run. */
  join: (...parts: string[]) => string;
  dirname: (path: string) => string;
  /** `:`, or `;` on Windows. */
  delimiter: string;
}

const DEFAULT_HEAP_MB = 1024;
/** Of one program; a command may start several. */
const DEFAULT_RESIDENT_MB = 2 * DEFAULT_HEAP_MB;
const RESIDENT_MB_OF_COMMANDS = 4 * DEFAULT_HEAP_MB;
const DEFAULT_OUTPUT_BYTES = 1024 * 1024;
// A storm of cache misses writes 20 MB a second (measured on Node 22).
const DEFAULT_FOLDER_BYTES = 200 * 1024 * 1024;
const DEFAULT_THRESHOLD_MS = 50;
/** `add(a, b)` needs up to 22 539 calls to reach TurboFan (Node 18; measured, Node 18 to 26 lie between 3 011 and that). */
const TRACE_CALLS = 60_000;
/** V8 gives a function its feedback after a few calls, and widens it at once: these are for what comes seldom. */
const FEEDBACK_CALLS = 5000;
const NO_LIMIT = 1e12;
/** Each latency is written down; more than these do not move a median. */
const TIMED_REQUESTS = 5000;
/** Left between the end of the wait for a server and the end of the run, in ms. */
const LISTEN_MARGIN_MS = 1000;
const LEAST_LISTEN_MS = 1000;
const CALL_LIMITS: Readonly<Record<RunKind, number>> = {
  trace: TRACE_CALLS,
  feedback: FEEDBACK_CALLS,
  time: NO_LIMIT,
  io: 200,
  exceptions: 200,
  watch: NO_LIMIT,
  idle: 0,
  counts: 1000,
  cpu: NO_LIMIT,
  load: NO_LIMIT,
  retained: 500,
};

/** Kinds that ask V8's inspector, which Node's permission model forbids unless it is allowed. */
const BY_INSPECTOR: ReadonlySet<RunKind> = new Set(['feedback', 'exceptions', 'watch', 'counts', 'cpu']);

/**
 * One of them is enough for all: the same text compiles to the same text. Not beside a watchdog: two that debug one thread can stop it for
 * ever.
 */
const WITH_MAPS: ReadonlySet<RunKind> = new Set(['trace', 'counts']);

/**
 * Whether a run may ask V8's inspector: under the permission model Node 20 and 22 forbid it, Node 24 and 26 have a flag for it (measured).
 */
export function isAllowed(kind: RunKind, node: NodeBinary, readOnly: boolean | undefined): boolean {
  return !readOnly || !BY_INSPECTOR.has(kind) || node.nodeFlags.includes('--allow-inspector');
}

/** Set by a test runner, a debugger or a coverage tool around the host: they are about the host, not about the run. */
const OF_THE_HOST = [
  'NODE_OPTIONS',
  'NODE_V8_COVERAGE',
  'NODE_TEST_CONTEXT',
  'NODE_CHANNEL_FD',
  'NODE_UNIQUE_ID',
  'NODE_INSPECT_RESUME_ON_START',
  'ELECTRON_RUN_AS_NODE',
  'VSCODE_INSPECTOR_OPTIONS',
  'NODOMETER_RUN',
];

const EXPOSE = 'globalThis[Symbol.for("nodometer.expose")]?.(';

/** A call in two parts, for the clock: it runs over the second one alone. Source texts. */
export interface CallParts {
  /** Makes the arguments of the call, as an array. */
  values: string;
  /** The call of what was made, which is named `nodometerValues`. */
  call: string;
}

/**
 * Put at the end of a module's text, hands the calls to the harness: they see what the module sees, exported or not, and no line moves.
 * Each call becomes a small function of its own, which the harness invokes many times.
 * @param parts of the calls that make what they hand over, by the call
 */
export function exposeSuffix(calls: readonly string[], setup = '', parts: ReadonlyMap<string, CallParts> = new Map()): string {
  const wrappers = calls.map((call) => {
    const two = parts.get(call);
    const plain = `() => (${call}\n)`;
    return two ? `Object.assign(${plain}, { make: () => ${two.values}, use: (nodometerValues) => (${two.call}\n) })` : plain;
  });
  // What has no name of its own is one of what the module exports, which the harness hands in: an ES module has no `exports`.
  const given = [setup, ...calls].some((text) => /\bexports\.default\b/.test(text)) ? 'exports' : '';
  return `\n;${EXPOSE}(${given}) => {\n${setup}\nreturn [${wrappers.join(',\n')}];\n});\n`;
}

/** The text with the suffix, unless the host has put it there already. */
export function exposeCalls(text: string, calls: readonly string[], setup?: string): string {
  // Loaders take a byte order mark away, and nobody would take it from a replaced text.
  const plain = text.startsWith('\uFEFF') ? text.slice(1) : text;
  return plain.includes(EXPOSE) ? plain : plain + exposeSuffix(calls, setup);
}

/** The line from which on an exposed text is the suffix's, from 1: nothing there is a place of the user's. */
export function suffixLine(exposed: string): number {
  return exposed.slice(0, exposed.indexOf(EXPOSE)).split('\n').length;
}

/** Flags of V8's log, as far as this Node knows them. They are the same on Node 18 to 26. */
export function traceFlags(node: NodeBinary, folder: string, join: PlanPaths['join'], withoutOsr = false): string[] {
  // V8 fills in `%p` and `%t`; one that belongs to the folder's name is doubled.
  const inFolder = (name: string): string => join(folder.replaceAll('%', '%%'), name);
  const wanted = [
    '--log-deopt',
    '--log-ic',
    '--log-maps',
    // With details a trivial script writes 11 to 17 MB, without them 0.4 to 1.1 MB (measured on Node 18 to 26).
    '--no-log-maps-details',
    // Else every isolate opens a file of its own name. With a fixed name the log of a worker is lost on Node 18 and 22, so the name has %p
    // and %t.
    '--no-logfile-per-isolate',
    `--logfile=${inFolder('v8-%p-%t.log')}`,
    // The same run gives the same trace.
    '--no-concurrent-recompilation',
    // --log-deopt also prints on the user's stdout on Node 18 to 24.
    '--redirect-code-traces',
    `--redirect-code-traces-to=${join(folder, 'code-traces.txt')}`,
    ...(withoutOsr ? ['--no-use-osr'] : []),
  ];
  const known = new Set(node.v8Flags);
  return wanted.filter((flag) => known.has(plainName(flag)));
}

/** From this major on what on-stack replacement hides is seen all the same. */
const FIRST_TELLING_MAJOR = 22;

/**
 * A loop that was entered by on-stack replacement holds the functions that it calls, and what is passed to them after it deoptimizes
 * nothing: `for (…) add(i, i + 1); add('', '')` showed its "not a Smi" in 0 of 10 runs with these flags on Node 18 and 20, and in 10 of 10
 * without on-stack replacement. On Node 22, 24 and 26 it showed in 10 of 10 either way.
 */
export function hidesBehindOsr({ version }: NodeBinary): boolean {
  return Number.parseInt(version, 10) < FIRST_TELLING_MAJOR;
}

/** Kinds of elements, on the standard output; and what compiles the text of an ES module once more. */
function feedbackFlagsOf({ v8Flags, nodeFlags }: NodeBinary): string[] {
  // With code of Sparkplug on the stack, Node 22 (V8 12.4) ends with a failed check of its own when it tells of elements.
  return [
    ...(v8Flags.includes('trace-elements-transitions') && v8Flags.includes('sparkplug')
      ? ['--trace-elements-transitions', '--no-sparkplug']
      : []),
    ...(nodeFlags.includes('--experimental-vm-modules') ? ['--experimental-vm-modules', '--no-warnings'] : []),
  ];
}

function plainName(flag: string): string {
  return flag
    .replace(/^--(?:no-)?/, '')
    .replace(/=.*$/, '')
    .replaceAll('_', '-');
}

export function planRun(request: RunRequest, hostEnv: Readonly<Record<string, string | undefined>>, paths: PlanPaths): PlanOutcome {
  const { kind, node, limits } = request;
  const { folder, harness, join } = paths;
  const target: Target = kind === 'idle' || !request.target ? { type: 'function', file: '', calls: [], text: '' } : request.target;
  if (kind !== 'idle' && !request.target) return { ok: false, reason: 'The run has no target.' };
  const requests = target.type === 'file' ? target.requests : undefined;
  if (requests?.length === 0) return { ok: false, reason: 'There is no request to send.' };
  // npm and a shell stand between, which start programs and write files themselves.
  if (request.readOnly && target.type === 'command')
    return {
      ok: false,
      reason: 'An npm script cannot be run under the permission model, because it starts other programs. Specify the file that it runs.',
    };
  const permissions = request.readOnly ? permissionFlags(request, paths, target.type !== 'function') : { ok: true as const, flags: [] };
  if (!permissions.ok) return permissions;

  const measureMs = limits.measureMs ?? limits.wallMs / 2;
  const phases = (request.phases ?? [{ kinds: [kind], measureMs, patienceMs: limits.patienceMs, leastCalls: request.leastCalls }]).map(
    (phase) => ({
      ...phase,
      patienceMs: phase.patienceMs ?? 0,
      leastCalls: phase.leastCalls ?? 0,
      callLimit:
        request.callLimit ??
        (requests && phase.kinds.includes('time') ? TIMED_REQUESTS : Math.max(...phase.kinds.map((one) => CALL_LIMITS[one]))),
    }),
  );
  const kinds = phases.flatMap((phase) => phase.kinds);
  const total = (times: (phase: (typeof phases)[number]) => number): number => phases.reduce((sum, phase) => sum + times(phase), 0);
  const inputFile = join(folder, 'input.json');
  const logFlags = kind === 'trace' ? traceFlags(node, folder, join, request.withoutOsr) : [];
  const feedbackFlags = kind === 'feedback' ? feedbackFlagsOf(node) : [];
  const shapeProbe = kind === 'trace' ? join(folder, 'shape-probe.cjs') : undefined;
  const heapMb = limits.heapMb ?? DEFAULT_HEAP_MB;
  const traceOnly = [...logFlags, ...(shapeProbe === undefined ? [] : ['--require', shapeProbe])];
  const nodeFlags = [
    ...traceOnly,
    ...feedbackFlags,
    `--max-old-space-size=${heapMb}`,
    ...permissions.flags,
    ...(request.loading?.flags ?? []),
    ...(request.flags ?? []),
  ];
  const env = environmentOf(request, hostEnv);
  const replacements = [...(request.replacements ?? [])];
  // What is compiled while it is loaded has no text yet.
  const clocked = kinds.includes('io') && !request.loading && target.type !== 'command' ? request.clocked : undefined;
  const clocks = clocked && withClocks(clocked);
  const counted = kinds.includes('retained') && !request.loading && target.type !== 'command' ? request.retained : undefined;
  const marked = counted && withRetained(counted);
  let hidden;
  let executable = node.path;
  let args: string[];
  if (target.type === 'function') {
    if (kind !== 'idle') {
      if (target.calls.length === 0) return { ok: false, reason: 'There is no call to make.' };
      if (request.loading) replacements.push({ file: target.file, append: exposeSuffix(target.calls, target.setup) });
      else {
        const text = exposeCalls(clocks?.text ?? marked ?? target.text ?? '', target.calls, target.setup);
        replacements.push({ file: target.file, text, format: target.format });
        hidden = { file: target.file, line: suffixLine(text) };
      }
    }
    args = [...nodeFlags, join(harness, 'driver.cjs'), inputFile];
  } else {
    if (clocked && clocks) replacements.push({ file: clocked.file, text: clocks.text, format: clocked.format });
    if (counted) replacements.push({ file: counted.file, text: marked, format: counted.format });
    env.NODE_OPTIONS = [env.NODE_OPTIONS, `--require ${quoteOption(join(harness, kind === 'load' ? 'load.cjs' : 'preload.cjs'))}`]
      .filter(Boolean)
      .join(' ');
    if (target.type === 'file') args = [...nodeFlags, target.file, ...target.arguments];
    else {
      [executable, ...args] = target.command;
      // The flags of V8's log reach the Node programs through the preload; the others are allowed here.
      env.NODE_OPTIONS += ` --max-old-space-size=${heapMb}`;
      const name = Object.keys(env).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH';
      env[name] = [paths.dirname(node.path), env[name]].filter(Boolean).join(paths.delimiter);
    }
  }
  env.NODOMETER_RUN = inputFile;
  const input = {
    kind,
    folder,
    target: target.type === 'function' ? { type: target.type, file: target.file, calls: target.calls } : { type: target.type },
    format: target.type === 'function' ? target.format : undefined,
    replacements,
    hidden,
    clocks: clocks && {
      calls: clocked?.calls.map(({ name, place, round, isJob, isPart, own, object }) => ({
        name,
        place,
        round,
        isJob,
        isPart,
        own,
        setsPrototype: object !== undefined,
      })),
      putIn: clocks.putIn,
    },
    retained: counted?.sites.map(({ kind }) => ({ kind })),
    usualMs: request.usualMs,
    compiler: request.loading?.compiler,
    isCompiled: request.loading !== undefined,
    maps: (request.loading !== undefined || target.type !== 'function') && kinds.some((one) => WITH_MAPS.has(one)),
    logFlags: traceOnly,
    restoresOsr: target.type === 'function' && request.withoutOsr === true,
    phases: clocked?.isAwaited ? phases.map((phase) => (phase.kinds.includes('io') ? { ...phase, isOneByOne: true } : phase)) : phases,
    holdAt: request.holdAt ?? 0,
    feedbackOf: kind === 'feedback' ? (request.feedbackOf ?? (target.type === 'command' ? [] : [target.file])) : undefined,
    thresholdMs: request.thresholdMs ?? DEFAULT_THRESHOLD_MS,
    endlessMs: request.endlessMs,
    ...(request.window && { windowFile: request.window.file, diagnoses: request.window.diagnoses, measureMs }),
    pendingMs: (limits.wallMs + total((phase) => phase.measureMs + phase.patienceMs)) / 2,
    ...(requests && target.type === 'file'
      ? {
          requests,
          program: target.file,
          listenMs: Math.max(LEAST_LISTEN_MS, limits.wallMs - total((phase) => phase.measureMs) - LISTEN_MARGIN_MS),
        }
      : {}),
  };
  const cwd = request.cwd ?? (target.type === 'command' || !target.file ? paths.cwd : paths.dirname(target.file));
  return {
    ok: true,
    run: {
      executable,
      arguments: args,
      env,
      cwd,
      input,
      inputFile,
      shapeProbe,
      limits: {
        wallMs: limits.wallMs,
        measureMs,
        patienceMs: limits.patienceMs ?? 0,
        heapMb,
        residentMb: limits.residentMb ?? (target.type === 'command' ? RESIDENT_MB_OF_COMMANDS : DEFAULT_RESIDENT_MB),
        outputBytes: limits.outputBytes ?? DEFAULT_OUTPUT_BYTES,
        folderBytes: limits.folderBytes ?? DEFAULT_FOLDER_BYTES,
      },
    },
  };
}

function environmentOf(
  { env: added, inheritNodeOptions, loading }: RunRequest,
  hostEnv: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const env: Record<string, string> = { ...loading?.env };
  for (const [name, value] of Object.entries(hostEnv)) {
    if (value !== undefined && (!OF_THE_HOST.includes(name) || (name === 'NODE_OPTIONS' && inheritNodeOptions))) env[name] = value;
  }
  for (const [name, value] of Object.entries(added ?? {})) {
    if (value === undefined) delete env[name];
    else env[name] = value;
  }
  return env;
}

function permissionFlags(
  { node, kind, flags = [], env = {}, inheritNodeOptions }: RunRequest,
  { folder, harness, join }: PlanPaths,
  serves: boolean,
): { ok: true; flags: string[] } | { ok: false; reason: string } {
  const known = new Set(node.nodeFlags);
  const flag = ['--permission', '--experimental-permission'].find((name) => known.has(name));
  if (!flag) return { ok: false, reason: `Node ${node.version} has no permission model. Node 20 or newer is required.` };
  if (!isAllowed(kind, node, true))
    return {
      ok: false,
      reason: `Under the permission model, Node ${node.version} does not allow the inspector, which this run (${kind}) requires.`,
    };
  const refused = refusedFlag(flags) ?? (inheritNodeOptions ? 'NODE_OPTIONS' : refusedVariable(env));
  if (refused !== undefined)
    return {
      ok: false,
      reason: `The program is started with \`${refused}\`, which read-only runs do not pass on, because it could lift the restrictions.`,
    };
  return {
    ok: true,
    flags: [
      flag,
      '--allow-fs-read=*',
      `--allow-fs-write=${join(folder, '*')}`,
      '--allow-worker',
      ...['--allow-inspector', ...(serves ? ['--allow-net'] : [])].filter((name) => known.has(name)),
      '--require',
      join(harness, 'read-only.cjs'),
    ],
  };
}

/** NODE_OPTIONS is split at spaces; double quotes hold together, and a backslash quotes inside of them. */
function quoteOption(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
