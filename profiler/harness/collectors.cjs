// One collector for each kind of run: `arm` when its phase begins, `finish` (synchronous) when it ends, or the process does.
'use strict';
const { takeBack } = require('./records.cjs');
const { realPath } = require('./replace.cjs');

/**
 * `early`: as soon as there is a program, for what is of interest during its start-up, too. `begin`: when the start-up is over, before an
 * earlier phase. `ready`: what is armed watches.
 * @typedef {{ early?(): void, begin?(): void, arm(): void, ready?: () => Promise<unknown> | undefined, finish(): void, flush?: () =>
 * Promise<unknown>, isFull?: () => boolean }} Collector
 */
/**
 * @typedef {Pick<Required<Collector>, 'arm' | 'finish' | 'ready'> & { tellLong(ms: number): void }} SyncCalls
 * @typedef {{ kinds: string[], measureMs: number, patienceMs: number, leastCalls: number, fewCalls?: number, callLimit: number, collector:
 * Required<Collector> }} Phase
 */

const NOTHING = {
  arm() {
    /* The driver measures, or V8 writes its own log. */
  },
  finish() {
    /* As above. */
  },
};

/**
 * @param {string} kind @param {any} input @param {{ write(record: Record<string, unknown>): void }} records
 * @param {() => SyncCalls} syncCalls
 * @param {() => Collector} retained
 * @param {() => boolean} [isFirstCall]
 * @returns {Collector}
 */
function makeCollector(kind, input, records, syncCalls, retained, isFirstCall) {
  switch (kind) {
    case 'io':
      return syncCalls();
    // Proxies of the constructors would be reported as what a `new` calls.
    case 'exceptions':
      return require('./exceptions.cjs').installExceptions(
        records,
        !input.phases.some((/** @type {Phase} */ { kinds }) => kinds.includes('feedback')),
        isFirstCall,
      );
    case 'idle':
      return require('./watchdog.cjs').installWatchdog(input, records);
    case 'watch':
      return watchWithCalls(require('./watchdog.cjs').installWatchdog(input, records), syncCalls(), input.thresholdMs);
    case 'counts':
      return require('./inspector-runs.cjs').installCounts(
        records,
        input.requests ? 'left' : input.target.type === 'function' ? 'counted' : 'apart',
      );
    case 'feedback':
      return require('./feedback.cjs').installFeedback(records, input);
    case 'cpu':
      return require('./inspector-runs.cjs').installCpu(records, input.folder);
    case 'retained':
      return retained();
    case 'time':
      return input.requests ? require('./servers.cjs').installGcTime(records) : NOTHING;
    default:
      return NOTHING;
  }
}

/**
 * The watchdog asks the thread where it is. Native code does not answer before it is done, and then the block is often over: what the
 * calls themselves say tells which of them it was.
 * @param {Required<Pick<Collector, 'begin' | 'arm' | 'finish' | 'flush'>>} watchdog
 * @param {SyncCalls} calls
 * @param {number} thresholdMs
 * @returns {Collector}
 */
function watchWithCalls(watchdog, calls, thresholdMs) {
  return {
    ...watchdog,
    arm() {
      watchdog.arm();
      calls.tellLong(thresholdMs / 2);
    },
    finish() {
      calls.tellLong(Infinity);
      watchdog.finish();
    },
  };
}

/**
 * All are there from the start: what they wrap must be wrapped before the user's code takes it.
 * @param {any} input
 * @param {{ write(record: Record<string, unknown>): void }} records
 * @param {() => boolean} [isFirstCall] whether some call has not been made once yet
 * @returns {Phase[]}
 */
function makePhases(input, records, isFirstCall) {
  if (input.clocks) {
    // V8 names the file that a link leads to.
    for (const one of input.clocks.putIn) one.file = realPath(one.file);
    takeBack(input.clocks.putIn);
  }
  /** @type {SyncCalls | undefined} */
  let installed;
  const syncCalls = () => (installed ??= require('./sync-calls.cjs').installSyncCalls(records, input));
  /** What earlier phases have left counts in the later ones. @type {Collector | undefined} */
  let counter;
  const retained = () => (counter ??= require('./retained.cjs').installRetained(records, input));
  return input.phases.map((/** @type {Omit<Phase, 'collector'>} */ phase) => {
    const collectors = phase.kinds.map((kind) => makeCollector(kind, input, records, syncCalls, retained, isFirstCall));
    return {
      ...phase,
      collector: {
        early: () => collectors.forEach((one) => one.early?.()),
        begin: () => collectors.forEach((one) => one.begin?.()),
        arm: () => collectors.forEach((one) => one.arm()),
        ready: () => Promise.all(collectors.map((one) => one.ready?.())),
        flush: () => Promise.all(collectors.map((one) => one.flush?.())),
        isFull: () => collectors.some((one) => one.isFull?.()),
        finish: () => collectors.forEach((one) => one.finish()),
      },
    };
  });
}

module.exports = { makePhases };
