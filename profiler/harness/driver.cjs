// Runs one function: loads its module, calls it as the kind of run asks, and ends the process. Started as `node … driver.cjs <input.json>`.
'use strict';
const { readFileSync } = require('node:fs');
const Module = require('node:module');
const { dirname, extname, join } = require('node:path');
const { pathToFileURL } = require('node:url');
const v8 = require('node:v8');
const vm = require('node:vm');
const { threadId } = require('node:worker_threads');
const { watchBuiltins } = require('./builtins.cjs');
const { callOften, makeCall, neverOptimize, startOver, summary, turn } = require('./calls.cjs');
const { makePhases } = require('./collectors.cjs');
const { describeError, hideFrom, makeIsWorthwhile, now, openRecords, released, tellReached } = require('./records.cjs');
const { installReplacements, realPath } = require('./replace.cjs');
const { sourceMapWriter } = require('./source-maps.cjs');
const { tellThreads } = require('./threads.cjs');

const { reallyExit } = /** @type {any} */ (process);
// Taken before the user's code can replace it.
const { setTimeout: after } = globalThis;
const ROUNDS = 2;
const LATE_BATCH = 20;
/** Of calls in turns: one more batch of each ends soon after the time is up. */
const TURN_MS = 20;
const DRAIN_MS = 1000;

const input = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
process.argv.length = 2;
const records = openRecords(input.folder, threadId);
const state = { stage: 'load', phase: 0 };
/** @type {import('./calls.cjs').Call[]} */
let calls = [];
/** @type {(() => void) | undefined} what was seen until a program that ends itself does so */
let finishEarly;
/**
 * Built-in functions that the module has replaced by the time it is loaded: later, those that the run itself replaces would be among them.
 * @type {string[]}
 */
let replaced = [];

/** What the user's code wrote may still wait for the reader of the pipe. */
async function drain() {
  const until = now() + DRAIN_MS;
  while (now() < until && (process.stdout?.writableLength > 0 || process.stderr?.writableLength > 0)) await turn();
}

/** @param {string} by @param {number} code */
async function end(by, code) {
  try {
    await drain();
  } catch {
    // The user has put something else in the place of the streams.
  }
  records.write({ type: 'ended', by, code });
  reallyExit.call(process, code);
}

/** @param {string} stage @param {unknown} error @param {object} [more] */
function fail(stage, error, more) {
  records.write({ type: 'failure', stage, error: describeError(error), ...more });
  return end('failure', 1);
}

process.on('uncaughtExceptionMonitor', (error, origin) => {
  records.write({
    type: 'failure',
    stage: origin === 'unhandledRejection' ? 'rejection' : 'uncaught',
    during: state.stage,
    error: describeError(error),
  });
});
process.prependListener('exit', (code) => {
  if (calls.length > 0) records.write(summary(calls, state.phase));
  finishEarly?.();
  records.write({ type: 'ended', by: 'exit', code, during: state.stage });
});
process.on('beforeExit', () => {
  // Nothing is left that could settle the promise that this run waits for.
  records.write({ type: 'failure', stage: 'unsettled', during: state.stage, error: { type: '', message: '' } });
  void end('failure', 1);
});

/** Its own end keeps what was seen until then, which a kill would not. */
function endPending() {
  records.write(summary(calls, state.phase));
  finishEarly?.();
  return fail('pending', undefined, { ms: input.pendingMs });
}

/** `module` where Node would take the file for an ES module, undefined where only the text could tell. @param {string} file */
function formatOf(file) {
  const extension = extname(file);
  if (extension === '.mjs' || extension === '.mts') return 'module';
  if (extension === '.cjs' || extension === '.cts') return 'commonjs';
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    try {
      const { type } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      return type === 'module' || type === 'commonjs' ? type : undefined;
    } catch (error) {
      // No manifest here; a broken one is reported by the loader itself.
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT') return undefined;
    }
    if (dirname(folder) === folder) return undefined;
  }
}

/** @param {string} file @param {string | undefined} format */
async function load(file, format) {
  if (format === 'module') return import(pathToFileURL(file).href);
  // A require of its own for each target: errors name the target, not this file.
  return Module.createRequire(file)(file);
}

/** In brackets as in the suffix, so that a text of several statements does not pass. @param {string} text */
function syntaxErrorOf(text) {
  try {
    new vm.Script(`[() => (${text}\n)]`);
    return undefined;
  } catch (error) {
    return error;
  }
}

/**
 * What is counted is divided by all calls, so each call must have run as often as the others, however long it takes.
 * @param {{ limit: number, until: number, enough: () => boolean }} bounds `limit` for each call
 */
async function callInTurns({ limit, until, enough }) {
  let done = 0;
  let most = 1;
  while (done < limit && now() < until && !enough()) {
    const began = now();
    const times = Math.min(most, limit - done);
    for (const call of calls) await callOften(call, { limit: times, until: Infinity, size: times, enough });
    done += times;
    if (now() - began < TURN_MS) most = Math.min(most * 2, LATE_BATCH);
  }
}

/** @param {import('./collectors.cjs').Phase} phase */
async function measure({ kinds, measureMs, callLimit, leastCalls, patienceMs, collector }) {
  const start = now();
  const has = (/** @type {string} */ kind) => kinds.includes(kind);
  const until = start + measureMs;
  const enough = () => collector.isFull();
  if (has('time')) return require('./timing.cjs').time(calls, { measureMs }, records);
  if (has('idle'))
    return new Promise((resolve) => {
      setTimeout(resolve, measureMs);
    });
  // One call after the other, each until it is hot, and all of that twice: what the later ones undo shows, and whether it is undone again.
  const isCounted = calls.length > 1 && !['trace', 'feedback', 'watch', 'cpu'].some(has);
  if (isCounted) await callInTurns({ limit: callLimit, until, enough });
  const rounds = isCounted ? 0 : has('trace') || has('feedback') ? ROUNDS : 1;
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, call] of calls.entries()) {
      const share = (round * calls.length + index + 1) / (rounds * calls.length);
      const size = has('watch') ? 1 : 100;
      const limit = Math.floor((callLimit * (round + 1)) / rounds) - Math.floor((callLimit * round) / rounds);
      await callOften(call, { limit, until: Math.min(until, start + measureMs * share), size, enough });
    }
  }
  // Fewer than these would say nothing: they are waited for, within limits.
  const end = until + patienceMs;
  const isWorthwhile = makeIsWorthwhile(input.folder);
  for (const call of calls) {
    // As if each had run as often as this one: what the others did often says nothing of the values that this one passes.
    const isInVain = () => {
      const made = calls.reduce((sum, one) => sum + one.calls, 0);
      return enough() || !isWorthwhile({ done: Math.min(made, call.calls * calls.length), made, began: start, end });
    };
    await callOften(call, { limit: leastCalls - call.calls, until: end, size: has('watch') ? 1 : LATE_BATCH, enough: isInVain });
  }
  return undefined;
}

async function main() {
  const { file, calls: texts } = input.target;
  for (const [index, text] of texts.entries()) {
    const error = syntaxErrorOf(text);
    if (error) return fail('call-syntax', error, { call: index });
  }
  // Every loader takes the files of a package without a type for CommonJS, whatever they are written in.
  const format = formatOf(file) ?? (input.isCompiled ? 'commonjs' : input.format);
  if (input.hidden) {
    // V8 names the file that a link leads to.
    input.hidden.file = realPath(file);
    hideFrom(input.hidden);
  }
  const tell = (/** @type {string} */ text) => records.write({ type: 'problem', text });
  if (input.compiler) require('./compile.cjs').installCompiler(input.compiler, tell);
  installReplacements(
    input.replacements.map((/** @type {object} */ one) => ({ format, ...one })),
    tell,
  );
  /** @type {((exported: unknown) => any[]) | undefined} */
  let expose;
  if (input.kind !== 'idle') tellThreads(records);
  Object.defineProperty(globalThis, Symbol.for('nodometer.expose'), {
    value: (/** @type {typeof expose} */ make) => {
      expose = make;
    },
    configurable: true,
  });
  let phases;
  try {
    phases = makePhases(input, records, () => calls.some(({ firstMs }) => firstMs === undefined));
  } catch (error) {
    return fail('collector', error);
  }
  if (input.kind !== 'idle') {
    // The file of a function may start a server, whose port is taken by the one that runs. What the function itself starts is its own.
    require('./servers.cjs').redirectServers(
      () => {
        /* Nobody asks it. */
      },
      () => state.stage === 'load',
    );
    const replacedNow = watchBuiltins();
    const start = now();
    let exported;
    try {
      exported = await load(file, format);
    } catch (error) {
      return fail('load', error, { file });
    }
    records.write({ type: 'loaded', ms: now() - start });
    replaced = replacedNow();
    // The module's own loops are done; those of the calls are replaced on the stack as ever.
    if (input.restoresOsr) v8.setFlagsFromString('--use-osr');
    if (!expose) return fail('not-exposed', undefined);
    // Before the calls: they may never end.
    if (input.maps)
      sourceMapWriter(
        records,
        phases.some(({ kinds }) => kinds.includes('counts')),
      )();
    state.stage = 'setup';
    let wrappers;
    try {
      wrappers = expose(exported);
    } catch (error) {
      return fail('setup', error);
    }
    if (!neverOptimize(wrappers.flatMap((one) => [one, ...(one.make ? [one.make, one.use] : [])])))
      records.write({
        type: 'problem',
        text: 'The call wrappers could not be excluded from optimization. The function may have been inlined into them.',
      });
    calls = wrappers.map(makeCall);
  }
  state.stage = 'calls';
  await released(input.hold);
  after(() => void endPending(), input.pendingMs).unref();
  // The first turn of the loop belongs to the start-up.
  await turn();
  await turn();
  // The loop is not watched yet.
  if (input.kind === 'idle') records.write({ type: 'throw-cost', ...require('./throw-cost.cjs').throwCost() });
  for (const { collector } of phases) collector.begin();
  for (const [index, phase] of phases.entries()) {
    const { collector } = phase;
    state.stage = 'calls';
    state.phase = index;
    records.write({ type: 'phase', phase: index });
    tellReached(input.folder, index);
    collector.arm();
    await collector.ready();
    finishEarly = collector.finish;
    try {
      await measure(phase);
    } finally {
      state.stage = 'finish';
      await collector.flush();
      finishEarly = undefined;
      collector.finish();
    }
    records.write(summary(calls, index));
    for (const call of calls) startOver(call);
  }
  return end('done', 0);
}

records.write({ type: 'started', node: process.versions.node, v8: process.versions.v8, main: input.target.file });
main().catch((error) => fail('harness', error, replaced.length > 0 ? { replaced } : {}));
