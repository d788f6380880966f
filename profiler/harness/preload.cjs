// Loaded before the user's program (`--require`), for runs of whole files and scripts; reaches child processes through NODE_OPTIONS.
'use strict';
const { readFileSync } = require('node:fs');
const { performance } = require('node:perf_hooks');
const { isMainThread, threadId } = require('node:worker_threads');
const { makePhases } = require('./collectors.cjs');
const { PACKAGES, PACKAGE_MANAGER, cpuTime, describeError, openRecords, released, tellReached } = require('./records.cjs');
const { installReplacements, realPath } = require('./replace.cjs');
const { redirectServers, serveRequests } = require('./servers.cjs');
const { sourceMapWriter } = require('./source-maps.cjs');
const { tellThreads } = require('./threads.cjs');

const { setImmediate: immediately, setInterval: every, setTimeout: after, clearInterval: stop, clearTimeout: cancel } = globalThis;
const { reallyExit } = /** @type {any} */ (process);
const { eventLoopUtilization } = performance;

// A package that starts the program (tsx, nodemon) is there before it. Its own time is over first; it waits for the program's.
const LAUNCHER_POLL_MS = 50;
const isLauncher = PACKAGES.test(process.argv[1] ?? '');
const POLL_MS = 5;
// The worker that sends the requests waits so long for the last of them, and some more.
const LATE_ANSWERS_MS = 1500;
// Top-level `await` may go on for ever: what comes after so much waiting is the program's work. By the clock, a crowded machine would end a
// start-up in the middle.
const MAX_IDLE_MS = 1000;
// One that computes for ever never waits: after so much of the processor's time since the loop began to turn, the rest is its work, too.
const MAX_BUSY_MS = 2000;

/** An ES module that is the entry is loaded over several turns; until then Node keeps a listener of this name (Node 18 to 26). */
function isEntryLoading() {
  return process.listeners('exit').some(({ name }) => name === 'handleProcessExit');
}

/** Called once, when the program has ended: V8 compiles it then, and its log says when. `parse/v8-log.ts` knows its name. */
function nodometerProgramEnds() {
  /* What counts is that it is compiled. */
}

/** Processes that it started and that have not ended. */
function hasChildren() {
  return /** @type {any} */ (process)
    ._getActiveHandles()
    .some((/** @type {object | null} */ one) => one?.constructor?.name === 'ChildProcess');
}

/** This process as another, with these arguments. @param {string[]} args */
function startAgain(args) {
  const { execve } = /** @type {any} */ (process);
  // From Node 22.15 on the process itself can go on as another: who started it can still signal it, and wait for it.
  if (execve && process.platform !== 'win32') {
    process.emitWarning = () => {
      /* That it is experimental is no matter of the user's. */
    };
    Reflect.apply(execve, process, [process.execPath, [process.execPath, ...args], process.env]);
  }
  const { spawnSync } = require('node:child_process');
  const { status, signal } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (signal) process.kill(process.pid, signal);
  reallyExit.call(process, status ?? 1);
}

/** @param {string} path */
function start(path) {
  const input = JSON.parse(readFileSync(path, 'utf8'));
  // V8 takes no log flags from NODE_OPTIONS, and opens no log for a thread that runs already, whatever `v8.setFlagsFromString` sets: a
  // child that
  // lacks them is started again with them. Measured on Node 18, 20, 22, 24 and 26: programs of an npm script, what they `spawn`, `fork` and
  // start
  // as workers, and the files of `node --test` all write their log. One with a channel to its parent would lose it; `fork`, `cluster` and
  // the test
  // runners that build on them hand the flags down by themselves.
  const lacksLog = input.logFlags.length > 0 && !process.execArgv.some((flag) => flag.startsWith('--logfile='));
  if (lacksLog && !process.send) {
    startAgain([...process.execArgv, ...input.logFlags, ...process.argv.slice(1)]);
  }
  const records = openRecords(input.folder, threadId);
  records.write({ type: 'started', node: process.versions.node, v8: process.versions.v8, main: process.argv[1] ?? '' });
  if (lacksLog)
    records.write({
      type: 'problem',
      text: `${process.argv[1]} was started with an IPC channel and without its parent's flags, so V8 wrote no log for it.`,
    });
  const tell = (/** @type {string} */ text) => records.write({ type: 'problem', text });
  tellThreads(records);
  if (input.compiler) require('./compile.cjs').installCompiler(input.compiler, tell);
  installReplacements(input.replacements, tell);
  const phases = makePhases(input, records);
  const writeMaps = input.maps
    ? sourceMapWriter(
        records,
        phases.some(({ kinds }) => kinds.includes('counts')),
      )
    : () => {
        /* What runs is what was written. */
      };
  let current = 0;
  let finished = false;
  let armed = false;
  const finish = () => {
    const phase = phases[current];
    if (finished || !phase) return;
    finished = true;
    nodometerProgramEnds();
    writeMaps();
    if (armed || phase.kinds.includes('counts') || phase.kinds.includes('exceptions')) phase.collector.finish();
  };
  const endNow = async (/** @type {string} */ by) => {
    await phases[current]?.collector.flush();
    finish();
    records.write({ type: 'ended', by, code: 0 });
    reallyExit.call(process, 0);
  };
  const budgetOver = () => {
    if (isLauncher && hasChildren()) after(budgetOver, LAUNCHER_POLL_MS).unref();
    else void endNow('budget');
  };
  process.on('uncaughtExceptionMonitor', (error, origin) => {
    records.write({
      type: 'failure',
      stage: origin === 'unhandledRejection' ? 'rejection' : armed ? 'uncaught' : 'load',
      error: describeError(error),
    });
  });
  process.prependListener('exit', (code) => {
    finish();
    records.write({ type: 'ended', by: 'exit', code });
  });
  /** @type {ReturnType<typeof after> | undefined} */
  let limit;
  // Of its time, for each phase to come.
  let share = 1;
  const beginPhase = () => {
    const phase = phases[current];
    if (!phase) return;
    phase.collector.arm();
    records.write({ type: 'phase', phase: current });
    if (input.requests) tellReached(input.folder, current);
    // A server never ends by itself; this does not keep a program alive that does.
    limit = after(budgetOver, phase.measureMs + phase.patienceMs + (input.requests ? LATE_ANSWERS_MS : 0));
    limit.unref();
  };
  const arm = () => {
    if (armed || finished) return;
    armed = true;
    writeMaps();
    for (const { collector } of phases) collector.begin();
    records.write({ type: 'loaded', ms: process.uptime() * 1000 });
    beginPhase();
  };
  /** Undefined after the last one, else the share of its time that it has. */
  const nextPhase = async () => {
    const collector = phases[current]?.collector;
    if (finished || !collector || !phases[current + 1]) return undefined;
    await collector.flush();
    // The end of the program may have come first.
    if (finished) return undefined;
    collector.finish();
    cancel(limit);
    current += 1;
    if (current === input.holdAt) tellReached(input.folder, current);
    if (current === input.holdAt) share = await released(input.hold);
    if (finished) return undefined;
    beginPhase();
    return share;
  };
  if (input.requests) {
    // What a program does before it is asked for anything is its start-up.
    serveRequests(input, records, {
      begin: async () => {
        if (input.holdAt === 0) share = await released(input.hold);
        arm();
        await phases[current]?.collector.ready();
        return share;
      },
      next: nextPhase,
      end: endNow,
    });
    // A child of the program may have other things to do than to listen.
    const isProgram = realPath(process.argv[1] ?? '') === realPath(input.program);
    if (isProgram)
      after(() => {
        if (!armed) void endNow('budget');
      }, input.listenMs).unref();
    return;
  }
  immediately(() => {
    if (!isEntryLoading()) {
      arm();
      return;
    }
    const began = cpuTime();
    const poll = every(() => {
      const isStarting = eventLoopUtilization.call(performance).idle < MAX_IDLE_MS && cpuTime() - began < MAX_BUSY_MS;
      if (isEntryLoading() && isStarting) return;
      stop(poll);
      arm();
    }, POLL_MS);
    poll.unref();
  });
  if (input.kind === 'cpu') arm();
  phases[0]?.collector.early();
}

const path = process.env.NODOMETER_RUN;
// A thread of the program's is not measured, and its servers stay inside, too.
if (path && !isMainThread && JSON.parse(readFileSync(path, 'utf8')).requests)
  redirectServers(() => {
    /* Not asked. */
  });
if (path && isMainThread && process.argv[1] && !PACKAGE_MANAGER.test(process.argv[1])) start(path);
