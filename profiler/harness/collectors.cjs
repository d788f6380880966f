// One collector for each kind of run: `arm` when the start-up is over, `finish` (synchronous) before the process ends.
'use strict';

/** `early`: as soon as there is a program, for what is of interest during its start-up, too. @typedef {{ early?(): void, arm(): void, finish(): void, settle?: () => Promise<unknown>, isFull?: () => boolean }} Collector */

const NOTHING = { arm() { /* The driver measures, or V8 writes its own log. */ }, finish() { /* As above. */ } };

/** @param {any} input @param {{ write(record: Record<string, unknown>): void }} records @returns {Collector} */
function makeCollector(input, records) {
  switch (input.kind) {
    case 'io': return require('./sync-calls.cjs').installSyncCalls(records);
    case 'exceptions': return require('./exceptions.cjs').installExceptions(records);
    case 'idle':
    case 'watch': return require('./watchdog.cjs').installWatchdog(input, records);
    case 'counts': return require('./inspector-runs.cjs').installCounts(records, input.requests ? 'left' : input.target.type === 'function' ? 'counted' : 'apart');
    case 'feedback': return require('./feedback.cjs').installFeedback(records, input);
    case 'cpu': return require('./inspector-runs.cjs').installCpu(records, input.folder);
    case 'time': return input.requests ? require('./servers.cjs').installGcTime(records) : NOTHING;
    default: return NOTHING;
  }
}

module.exports = { makeCollector };
