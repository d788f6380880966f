// The watchdog's thread: sees the heartbeat stop, asks the stuck thread through the inspector where it is and which queues still run, and writes that down at once.
'use strict';
const inspector = require('node:inspector');
const { threadId, workerData } = require('node:worker_threads');
const { hideFrom, now, openRecords, userFrame } = require('./records.cjs');

const POLL_MS = 5;
// The stack must be taken before the block is over: connecting takes 7 to 18 ms (measured on Node 18 to 26).
const ASK_AFTER_SHARE = 0.4;
const ASK_AFTER_LEAST_MS = 12;
const STACKS = 3;
const STACK_EVERY_MS = 20;
const MAX_FRAMES = 20;
const REPORT_EVERY_MS = 250;
// Probes that ran in less than half of the time that was left before the loop turned ran in the block; a rest shorter than this tells nothing.
const TELLING_REST_MS = 10;

const { beats: buffer, folder, thresholdMs, endlessMs, beatMs, hidden } = workerData;
const beats = new Float64Array(buffer);
const records = openRecords(folder, threadId);
if (hidden) hideFrom(hidden);
const askAfter = Math.max(ASK_AFTER_LEAST_MS, thresholdMs * ASK_AFTER_SHARE);

/** @typedef {{ file: string, line: number, column: number, functionName: string }} Frame */

/** @param {number} stalled time of the last beat */
function ask(stalled) {
  /** @type {Frame[]} */
  let stack = [];
  let taken = 0;
  let over = false;
  /** @type {{ asked?: number, micro?: number, tick?: number, immediate?: number, now?: number }} */
  let probes = {};
  /** @type {Map<string, string>} */
  const urls = new Map();
  const session = new inspector.Session();
  session.connectToMainThread();
  session.on('Debugger.scriptParsed', ({ params }) => urls.set(params.scriptId, params.url));
  session.on('Debugger.paused', ({ params }) => {
    // Too late: this is what came after the block.
    if (beats[0] === stalled && !over) {
      taken += 1;
      const frames = [];
      for (const { functionName, location } of params.callFrames) {
        const place = userFrame(urls.get(location.scriptId) ?? '', location.lineNumber + 1, (location.columnNumber ?? 0) + 1);
        if (place && frames.length < MAX_FRAMES) frames.push({ functionName: functionName || '(anonymous)', ...place });
      }
      // The first one that shows the user's code: a later one may stand in Node's own queue.
      if (stack.length === 0) stack = frames;
    }
    session.post('Debugger.resume');
    if (taken < STACKS && stack.length === 0 && !over) setTimeout(() => { if (!over) session.post('Debugger.pause'); }, STACK_EVERY_MS);
    else session.post('Debugger.disable');
  });
  const evaluate = (/** @type {string} */ what, /** @type {(value: unknown) => void} */ then) => session.post('Runtime.evaluate', { expression: `globalThis[Symbol.for('nodometer.probe')].${what}()`, returnByValue: true }, (error, answer) => {
    if (!error) then(/** @type {any} */ (answer).result?.value);
  });
  const read = (/** @type {() => void} */ then) => evaluate('read', (value) => {
    if (typeof value === 'string') probes = JSON.parse(value);
    then();
  });
  // First of all: the more of the block is left when the probes are queued, the more they tell.
  evaluate('ask', () => {});
  session.post('Debugger.enable');
  session.post('Debugger.pause');
  return {
    stack: () => stack,
    read,
    kind: () => kindOf(probes),
    end() {
      over = true;
      session.disconnect();
    },
  };
}

/** @param {{ asked?: number, micro?: number, tick?: number, immediate?: number, now?: number }} probes */
function kindOf({ asked, micro, tick, immediate, now: read }) {
  if (asked === undefined || read === undefined) return 'unknown';
  // A probe that has not run may still run late in the rest; the loop's turn ends the rest.
  const rest = (immediate ?? read) - asked;
  if (rest < TELLING_REST_MS) return 'unknown';
  const ranEarly = (/** @type {number | undefined} */ at) => at !== undefined && at - asked < rest / 2;
  return ranEarly(tick) ? 'next-tick' : ranEarly(micro) ? 'microtask' : 'synchronous';
}

let blocks = 0;
/** @type {{ id: number, stalled: number, inspection: ReturnType<typeof ask> | undefined, startUp: boolean, reported: number } | undefined} */
let open;

/** @param {NonNullable<typeof open>} block @param {number} duration @param {boolean} endless @param {string} kind */
function report(block, duration, endless, kind) {
  block.reported = now();
  records.write({ type: 'block', id: block.id, duration, endless, kind, startUp: block.startUp, stack: block.inspection?.stack() ?? [] });
}

setInterval(() => {
  const beat = beats[0] ?? 0;
  if (open && beat !== open.stalled) {
    const block = open;
    open = undefined;
    // The block began somewhere in the interval after the last beat: in the middle of it, on average.
    const gap = beat - block.stalled;
    const duration = gap - beatMs / 2;
    const { inspection } = block;
    if (!inspection) return;
    const finish = () => {
      if (gap >= thresholdMs) report(block, duration, false, inspection.kind());
      inspection.end();
    };
    // The probes say when they ran, so the kind of a block can be told after it.
    inspection.read(finish);
  }
  const stuckFor = now() - beat;
  if (!open && stuckFor > askAfter) {
    open = { id: (blocks += 1), stalled: beat, inspection: undefined, startUp: beats[1] !== 1, reported: now() };
    try {
      open.inspection = ask(beat);
    } catch (error) {
      records.write({ type: 'problem', text: `The stuck thread could not be asked where it is: ${error instanceof Error ? error.message : error}` });
    }
    return;
  }
  if (!open || stuckFor < thresholdMs || now() - open.reported < REPORT_EVERY_MS) return;
  const block = open;
  // Without an answer the thread is in native code, which is synchronous for sure.
  let answered = false;
  block.reported = now();
  block.inspection?.read(() => {
    answered = true;
    if (open === block) report(block, stuckFor, true, block.inspection?.kind() ?? 'unknown');
  });
  setTimeout(() => {
    if (!answered && open === block) report(block, now() - block.stalled, true, 'synchronous');
  }, REPORT_EVERY_MS / 2);
  if (endlessMs !== undefined && stuckFor > endlessMs) {
    setTimeout(() => {
      if (open !== block) return;
      records.write({ type: 'ended', by: 'endless', code: null });
      process.kill(process.pid, 'SIGKILL');
    }, REPORT_EVERY_MS);
  }
}, POLL_MS);
