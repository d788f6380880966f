// What the child tells the host: one line of JSON for each record, written at once, so that it survives a kill. Plain JavaScript for Node
// 18 to 26.
'use strict';
const fs = require('node:fs');
const { join } = require('node:path');
const { fileURLToPath } = require('node:url');
const { inspect } = require('node:util');

// Taken before the user's code runs: it may replace what the globals mean (fake timers), and a run of its own wraps the core functions.
const { closeSync, existsSync, openSync, readFileSync, readSync, writeSync } = fs;
const { setTimeout: after } = globalThis;
const prepareStackTrace = (/** @type {unknown} */ _error, /** @type {NodeJS.CallSite[]} */ sites) => sites;
const captureStackTrace = Error.captureStackTrace;
const hrtime = process.hrtime.bigint;
const cpuUsage = process.cpuUsage.bind(process);
/** @type {(() => NodeJS.CpuUsage) | undefined} */
const threadCpuUsage = /** @type {any} */ (process).threadCpuUsage?.bind(process);
const { stringify } = JSON;

const NS_PER_MS = 1e6;
const US_PER_MS = 1e3;
const MAX_MESSAGE = 500;
const MAX_STACK_LINES = 12;
const FRAMES = 60;
/** Numbers of `schedstat`, in ns: https://docs.kernel.org/scheduler/sched-stats.html */
const RAN = 0;
const WAITED = 1;

/** Milliseconds since an arbitrary point; the same point for all threads of the machine. */
function now() {
  return Number(hrtime()) / NS_PER_MS;
}

/** Milliseconds of processor time that the process has used, all threads together. */
function cpuTime() {
  const { user, system } = cpuUsage();
  return (user + system) / US_PER_MS;
}

/**
 * How long the main thread has waited for a processor since it began, in ms: what a crowded machine makes of a call, or of a turn of the
 * loop, is not theirs.
 * Linux counts it, for each thread apart; elsewhere it is always 0. Waiting for a disk, a child or another thread does not count.
 * @param {string} [thread] the thread that asks: `/proc/thread-self`
 * @returns {() => number}
 */
function makeWaited(thread = `/proc/self/task/${process.pid}`) {
  // Another system, or a kernel that does not count.
  return makeScheduled(thread, WAITED) ?? (() => 0);
}

/**
 * How long the main thread has run on a processor, in ms. Where Linux does not tell: the thread's own clock (Node 23.9 and later), else all
 * threads of the process together. It is asked by the thread itself.
 * @returns {() => number}
 */
function makeWorked() {
  const scheduled = makeScheduled(`/proc/self/task/${process.pid}`, RAN);
  if (scheduled) return scheduled;
  if (!threadCpuUsage) return cpuTime;
  return () => {
    const { user, system } = threadCpuUsage();
    return (user + system) / US_PER_MS;
  };
}

/** @param {string} thread @param {number} field @returns {(() => number) | undefined} ms */
function makeScheduled(thread, field) {
  /** @type {number} */
  let descriptor;
  try {
    descriptor = openSync(`${thread}/schedstat`, 'r');
  } catch {
    return undefined;
  }
  const buffer = Buffer.alloc(64);
  let last = 0;
  return () => {
    try {
      last = Number(buffer.toString('latin1', 0, readSync(descriptor, buffer, 0, buffer.length, 0)).split(' ')[field]) / NS_PER_MS || last;
    } catch {
      // The user's code has closed what it did not open.
    }
    return last;
  };
}

/**
 * Whether the main thread sleeps: it neither runs nor waits for a processor. What it has waited is counted when the wait ends, so a wait
 * that has begun before a time is taken would be taken off as a whole. Elsewhere than on Linux nothing is taken off, and it is always true.
 * https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html: the state stands behind the name, which is in parentheses.
 * @returns {() => boolean}
 */
function makeIsAsleep() {
  /** @type {number} */
  let descriptor;
  try {
    descriptor = openSync(`/proc/self/task/${process.pid}/stat`, 'r');
  } catch {
    return () => true;
  }
  const buffer = Buffer.alloc(128);
  return () => {
    try {
      const text = buffer.toString('latin1', 0, readSync(descriptor, buffer, 0, buffer.length, 0));
      return text[text.lastIndexOf(')') + 2] === 'S';
    } catch {
      return true;
    }
  };
}

/** @param {string} folder the run's temp folder @param {number} threadId */
function openRecords(folder, threadId) {
  const descriptor = openSync(join(folder, `records-${process.pid}-${threadId}.jsonl`), 'a');
  return {
    /** @param {Record<string, unknown>} record */
    write(record) {
      writeSync(descriptor, `${stringify({ pid: process.pid, ...record })}\n`);
    },
  };
}

const HOLD_POLL_MS = 5;

/**
 * The host has the program loaded while others still measure, and writes this file when it is its turn.
 * @param {string | undefined} path
 * @returns {Promise<number>} the share of its time that each phase to come has
 */
function released(path) {
  return new Promise((resolve) => {
    const look = () => {
      if (path === undefined) resolve(1);
      else if (existsSync(path)) resolve(numberIn(path) ?? 1);
      else after(look, HOLD_POLL_MS);
    };
    look();
  });
}

/** @param {string} path of a file that the host has put there as a whole */
function numberIn(path) {
  const number = Number.parseFloat(readFileSync(path, 'utf8'));
  return Number.isNaN(number) ? undefined : number;
}

const NEED_POLL_MS = 100;
// A crowded machine may leave more time to what is still to come.
const MOST_FASTER = 1.5;

/**
 * Whether further calls would still change what can be said. While it is not known how many are needed, they would; then only as long as
 * those
 * that are missing can come in time.
 * @param {string} folder the run's temp folder, in which the host tells what is needed
 */
function makeIsWorthwhile(folder) {
  const path = join(folder, 'need');
  /** @type {number | undefined} */
  let need;
  let looked = 0;
  /**
   * @param {{ done: number, made?: number, began: number, end: number }} calls those that count, all that were made since when, and until
   * when more can be made
   */
  return ({ done, made = done, began, end }) => {
    if (need === undefined && now() - looked > NEED_POLL_MS) {
      looked = now();
      if (existsSync(path)) need = numberIn(path);
    }
    if (need === undefined) return true;
    const pace = made / Math.max(now() - began, 1);
    return done < need && done + pace * MOST_FASTER * (end - now()) >= need;
  };
}

/** Tells the host that a phase begins, or waits for its turn. @param {string} folder @param {number} phase */
function tellReached(folder, phase) {
  closeSync(openSync(join(folder, `reached-${phase}`), 'w'));
}

/**
 * @param {string} location path or `file:` URL as V8 has it
 * @returns {string | undefined} absolute path; undefined for Node's own code and the harness
 */
function userFile(location) {
  if (!location || location.startsWith('node:') || location.startsWith('internal/') || location.startsWith('evalmachine.'))
    return undefined;
  let file = location;
  if (location.startsWith('file:')) {
    try {
      file = fileURLToPath(location);
    } catch {
      return undefined;
    }
  }
  return file.startsWith(__dirname) || !/^(?:[/\\]|[A-Za-z]:)/.test(file) ? undefined : file;
}

/** @type {{ file: string, line: number }[]} */
const hidden = [];

/**
 * The wrappers around the calls stand in the module after its last line: they are no place of the user's.
 * @param {{ file: string, line: number }} from
 */
function hideFrom(from) {
  hidden.push(from);
}

/** @typedef {{ file: string, line: number, column: number, length: number }} PutIn */
/** @type {PutIn[]} */
const putIn = [];

/**
 * The clocks around calls stand in lines of the user's, whose columns are told without them.
 * @param {readonly PutIn[]} list in the order of the text
 */
function takeBack(list) {
  putIn.push(...list);
}

/** @param {string} file @param {number} line @param {number} column */
function ownColumn(file, line, column) {
  let own = column;
  for (const one of putIn) {
    if (one.file !== file || one.line !== line || own <= one.column) continue;
    own = Math.max(one.column, own - one.length);
  }
  return own;
}

/** @param {string} location path or URL @param {number} line @param {number} column */
function userFrame(location, line, column) {
  const file = userFile(location);
  if (!file || hidden.some((from) => from.file === file && line >= from.line)) return undefined;
  return { file, line, column: putIn.length === 0 ? column : ownColumn(file, line, column) };
}

const PACKAGES = /[/\\]node_modules[/\\]/;
// A package manager starts the script; it is not what is measured.
const PACKAGE_MANAGER = /[/\\](?:npm|npx|pnpm|yarn|corepack)(?:-cli)?(?:\.[cm]?js)?$|[/\\]node_modules[/\\](?:npm|pnpm|yarn|corepack)[/\\]/;

/** @param {Function} below frames above and including this function are left out @returns {NodeJS.CallSite[]} innermost first */
function callSites(below) {
  const { prepareStackTrace: previous, stackTraceLimit } = Error;
  /** @type {{ stack?: unknown }} */
  const holder = {};
  Error.stackTraceLimit = FRAMES;
  Error.prepareStackTrace = prepareStackTrace;
  captureStackTrace(holder, below);
  const sites = holder.stack;
  Error.prepareStackTrace = previous;
  Error.stackTraceLimit = stackTraceLimit;
  return Array.isArray(sites) ? sites : [];
}

/** The user's functions that are running, innermost first. @param {Function} below as in `callSites` */
function userStack(below) {
  return callSites(below).flatMap((site) => {
    const place = userFrame(site.getFileName() ?? '', site.getLineNumber() ?? 1, site.getColumnNumber() ?? 1);
    return place ? [{ functionName: site.getFunctionName() || '(anonymous)', ...place }] : [];
  });
}

/**
 * Where the user's code called: the innermost frame outside of packages, and the innermost one inside of them when that is deeper.
 * @param {Function} below as in `callSites`
 */
function userPlaces(below) {
  let inside;
  for (const site of callSites(below)) {
    const place = userFrame(site.getFileName() ?? '', site.getLineNumber() ?? 1, site.getColumnNumber() ?? 1);
    if (!place) continue;
    if (!PACKAGES.test(place.file)) return { place, inside };
    inside ??= place;
  }
  return { place: inside, inside: undefined };
}

/** @param {unknown} value anything that can be thrown */
function describeError(value) {
  try {
    if (
      value instanceof Error ||
      (typeof value === 'object' && value !== null && typeof (/** @type {Error} */ (value).stack) === 'string')
    ) {
      const error = /** @type {Error & { code?: unknown }} */ (value);
      // `fetch failed` says nothing without it.
      const reason = /** @type {NodeJS.ErrnoException | undefined} */ (error.cause)?.code;
      return {
        type: String(error.name ?? 'Error'),
        message: `${error.message}${typeof reason === 'string' ? `: ${reason}` : ''}`.slice(0, MAX_MESSAGE),
        code: typeof error.code === 'string' ? error.code : undefined,
        stack: String(error.stack).split('\n').slice(0, MAX_STACK_LINES).join('\n'),
      };
    }
    return { type: '(not an Error)', message: inspect(value, { depth: 1 }).slice(0, MAX_MESSAGE) };
  } catch {
    // A getter or a Proxy of the user's that throws while it is looked at.
    return { type: '(not an Error)', message: 'a value that cannot be shown' };
  }
}

module.exports = {
  PACKAGES,
  PACKAGE_MANAGER,
  cpuTime,
  describeError,
  hideFrom,
  makeIsWorthwhile,
  makeIsAsleep,
  makeWaited,
  makeWorked,
  now,
  openRecords,
  released,
  takeBack,
  tellReached,
  userFile,
  userFrame,
  userPlaces,
  userStack,
};
