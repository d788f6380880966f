// The watchdog's thread: sees the heartbeat stop, asks the stuck thread through the inspector where it is and which queues still run, and
// writes that down at once.
'use strict';
const inspector = require('node:inspector');
const { parentPort, receiveMessageOnPort, threadId, workerData } = require('node:worker_threads');
const { MOST_ASKED_MS, isCrowd, mayBeOfCall } = require('./crowd.cjs');
const { Beat, Phase } = require('./heartbeat.cjs');
const { PACKAGES, cpuTime, hideFrom, now, openRecords, takeBack, userFile, userFrame } = require('./records.cjs');
const { writeSourceMap } = require('./source-maps.cjs');

const POLL_MS = 5;
// The stack must be taken before the block is over: connecting takes 7 to 18 ms (measured on Node 18 to 26).
const ASK_AFTER_SHARE = 0.4;
const ASK_AFTER_LEAST_MS = 12;
const STACKS = 40;
// Uneven, so as not to fall into step with a loop.
const LATER_MS = [3, 7, 13, 5, 11];
const AGAIN_MS = 100;
// What is found at first may be over soon: a handler reads its request and then goes into the loop that blocks. So the thread is looked at
// again when the block
// has lasted so many times as long: seldom enough to cost little, often enough that some look stands for a third of it.
const LOOK_AGAIN_FACTOR = 3;
// Stepping through Node's queue crashed Node 18.20.8 in every third run (SIGSEGV); there looking again is enough.
const MAY_STEP = Number(process.versions.node.split('.')[0]) >= 20;
// Of a recursion the innermost ones, and those that called it.
const INNER_FRAMES = 12;
const OUTER_FRAMES = 8;
const QUEUES = 'node:internal/process/task_queues';
const REPORT_EVERY_MS = 250;
// The queues are distinguished by processor time, not by the clock: on a crowded machine the stuck thread waits for its turn, and it rests
// while its stack is read.
// Probes that ran in less than half of what was left before the loop turned ran in the block; less than this tells nothing.
const TELLING_CPU_MS = 10;
// That neither queue ran is reported only after so much work without a turn: ending the looking is work, too, and so is what other threads
// of the process do.
const SILENT_CPU_MS = 150;
// JavaScript answers within a few ms of work; native code answers when it is done, and then the block is over.
const NATIVE_CPU_MS = 30;
// Without any answer for so long the thread is in native code, which is synchronous. Six stuck processes on two cores answered within 1.5
// s.
const NATIVE_MS = 4000;
// What an endless block is given on top, so that its stack and its kind are known before the end.
const EVIDENCE_MS = 3000;

// On a crowded machine a thread that works waits for its turn: what it did not work for as long does not count, up to a limit.
const WORKED_SHARE = 0.6;
const MOST_WAITED = 4;
// A program that loads its packages, or has its TypeScript compiled, stands still for seconds before it begins.
const SLOW_START_UP_MS = 8000;

// One or two happen on any machine.
const LEAST_CROWDS = 3;
// While another phase has its turn, what ends is not asked about: the answer would take its time from what is measured. This much of the
// limit is no end.
const ASIDE_SHARE = 0.5;

const { beats: buffer, told: toldBuffer, folder, thresholdMs, endlessMs, startsSlowly, beatMs, hidden, putIn } = workerData;
const beats = new Float64Array(buffer);
const told = new Int32Array(toldBuffer);
const records = openRecords(folder, threadId);
if (hidden) hideFrom(hidden);
if (putIn) takeBack(putIn);
const askAfter = Math.max(ASK_AFTER_LEAST_MS, thresholdMs * ASK_AFTER_SHARE);

/** @typedef {{ file: string, line: number, column: number, functionName: string }} Frame */
/**
 * A deep recursion is not kept whole. Of what is around it, frames of packages go first: a handler that calls it has a dozen frames of its
 * framework around itself, and a verdict is about the place of the call.
 * @param {Frame[]} frames from the inside out
 */
function dropOne(frames) {
  const ofPackage = frames.findIndex(({ file }, i) => i >= INNER_FRAMES && PACKAGES.test(file));
  frames.splice(ofPackage === -1 ? INNER_FRAMES : ofPackage, 1);
}

/** One answer to where the thread is; `at` in ms since the last beat. @typedef {{ at: number, stack: Frame[] }} Look */
/** @typedef {{ cpuAtPost: number, micro?: number, tick?: number, immediate?: number }} Probes */

/**
 * The stack of the functions that were found for most of the block: each look stands for the time around it, in the ratio of the looks.
 * @param {readonly Look[]} looks
 * @param {number} until ms since the last beat
 * @returns {Frame[]}
 */
function mainStack(looks, until) {
  /** @type {Map<string, { ms: number, stack: Frame[] }>} */
  const parts = new Map();
  let begin = 0;
  for (const [i, { at, stack }] of looks.entries()) {
    const next = looks[i + 1];
    const end = next ? Math.sqrt(at * next.at) : Math.max(at, until);
    const key = stack.map(({ file, functionName }) => `${file}:${functionName}`).join();
    parts.set(key, { ms: (parts.get(key)?.ms ?? 0) + end - begin, stack });
    begin = end;
  }
  return [...parts.values()].reduce((/** @type {{ ms: number, stack: Frame[] }} */ most, part) => (part.ms > most.ms ? part : most), {
    ms: 0,
    stack: [],
  }).stack;
}

/** @param {number} stalled time of the last beat @param {() => void} heard called when the thread has begun to answer */
function ask(stalled, heard) {
  /** Those that found the user's code. @type {Look[]} */
  const looks = [];
  /** Whether the thread has been asked once more, and has not answered yet. */
  let isAgain = false;
  /** Processor time when the last look ended. */
  let looked = 0;
  /** Whether the user's code was found where Node empties its queues, and not in a callback of the loop's. */
  let isQueued = false;
  let taken = 0;
  let over = false;
  /** @type {{ probes: Probes[], read: number, asked: number }} */
  let answer = { probes: [], read: 0, asked: 0 };

  /** @type {Map<string, string>} */
  const urls = new Map();
  const session = new inspector.Session();
  session.connectToMainThread();
  /** Scripts that were compiled while they were loaded. */
  const compiled = new Set();
  session.on('Debugger.scriptParsed', ({ params }) => {
    urls.set(params.scriptId, params.url);
    if (params.sourceMapURL?.startsWith('data:')) compiled.add(params.scriptId);
  });
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let next;
  const pause = () => {
    if (over) return;
    session.post('Debugger.pause', later);
  };
  // From when the thread has heard it: one with large scripts takes longer to begin debugging than it is waited for here, and orders would
  // pile up
  // faster than it takes them.
  const later = () => {
    if (!over) next = setTimeout(again, AGAIN_MS);
  };
  // A pause or a step may wait for a call that never comes; only a fresh start takes it back.
  const again = () => {
    if (over) return;
    session.post('Debugger.disable');
    session.post('Debugger.enable', pause);
  };
  session.on('Debugger.paused', ({ params }) => {
    // Too late: this is what came after the block.
    if (beats[Beat.Last] === stalled && !over) {
      taken += 1;
      /** @type {Frame[]} */
      const frames = [];
      /** Of what called the outermost function of the user's. @type {string | undefined} */
      let caller;
      for (const { functionName, location } of params.callFrames) {
        const url = urls.get(location.scriptId) ?? '';
        const place = userFrame(url, location.lineNumber + 1, (location.columnNumber ?? 0) + 1);
        if (place && frames.length >= INNER_FRAMES + OUTER_FRAMES) dropOne(frames);
        if (place) frames.push({ functionName: functionName || '(anonymous)', ...place });
        caller = place ? undefined : (caller ?? url);
      }
      // Those that show the user's code: others stand in Node's own queue.
      if (frames.length > 0) {
        if (looks.length === 0) isQueued = caller === undefined || caller === QUEUES;
        looks.push({ at: now() - stalled, stack: frames });
      }
      // What never ends is killed, and could not tell of its maps any more.
      for (const {
        location: { scriptId },
      } of params.callFrames) {
        const file = compiled.delete(scriptId) ? userFile((urls.get(scriptId) ?? '').replace(/[?#].*$/, '')) : undefined;
        if (file === undefined || PACKAGES.test(file)) continue;
        session.post('Debugger.getScriptSource', { scriptId }, (error, source) => {
          if (!error) writeSourceMap(records, file, source.scriptSource);
        });
      }
    }
    clearTimeout(next);
    if (taken >= STACKS || looks.length > 0 || over) {
      looked = cpuTime();
      session.post('Debugger.resume');
      session.post('Debugger.disable');
      // Looking costs the thread work in which no queue can run: what is asked now is not disturbed any more.
      if (!over) evaluate('ask(false)', () => {});
      isAgain = false;
      return;
    }
    // The thread may be found in Node's own queue again and again: by ticks in half of the looks, by an optimized `await` in each of them
    // (Node 20 to 26). A step into what comes next finds the latter, a look somewhat later the former. Blackboxing `node:` finds less.
    if (MAY_STEP && taken % 2 === 1) {
      session.post('Debugger.stepInto', later);
    } else {
      session.post('Debugger.resume');
      next = setTimeout(pause, LATER_MS[taken % LATER_MS.length]);
    }
  });
  // Without breaks: a thread that pauses in what it evaluates for a message is deaf to all further messages, and waits at full speed for
  // ever
  // (3 of 56 runs of a program with many short blocks on a crowded machine, Node 20.20.2).
  const evaluate = (/** @type {string} */ what, /** @type {(value: unknown) => void} */ then) =>
    session.post(
      'Runtime.evaluate',
      { expression: `globalThis[Symbol.for('nodometer.probe')].${what}`, returnByValue: true, disableBreaks: true },
      (error, answer) => {
        if (!error) then(/** @type {any} */ (answer).result?.value);
      },
    );
  const read = (/** @type {() => void} */ then) =>
    evaluate('read()', (value) => {
      if (typeof value === 'string') answer = JSON.parse(value);
      then();
    });
  // First of all: the more of the block is left when the probes are queued, the more they tell.
  const posted = cpuTime();
  evaluate('ask(true)', () => {});
  session.post('Debugger.enable', heard);
  pause();
  return {
    hasStack: () => looks.length > 0,
    /** What the thread worked for this one. @param {import('./crowd.cjs').Pause} pause */
    without: (pause) => ({ ...pause, worked: pause.worked - Math.min(MOST_ASKED_MS, answer.asked) }),
    /** @param {number} duration of the block so far, in ms */
    stack: (duration) => mainStack(looks, duration),
    /** Once more, where the user's code was found; an order that is still waiting is not given twice. */
    lookAgain() {
      if (over || looks.length === 0 || isAgain) return;
      isAgain = true;
      evaluate('look()', () => {});
      session.post('Debugger.enable', pause);
    },
    read,
    /** What the thread knew when the watching ended. @param {typeof answer} last */
    learn(last) {
      answer = last;
    },
    kind: (/** @type {boolean} */ isOver) =>
      isOver
        ? kindOf(answer.probes, answer.read, posted)
        : kindMeanwhile(
            answer.probes.slice(1).filter(({ cpuAtPost }) => cpuAtPost >= looked),
            answer.read,
            isQueued,
          ),
    end() {
      over = true;
      clearTimeout(next);
      session.disconnect();
    },
  };
}

/**
 * While it goes on, a probe that ran is proof by itself: the loop has not turned. How early it ran says nothing, for the thread may have
 * been looked at until
 * then (a stuck promise queue was taken for plain code by that, once, on a crowded machine). Each reading asks anew, and the last one that
 * tells counts.
 * A queue that never empties keeps the other from its turn. Where both had theirs, they feed each other, or callbacks of the loop came one
 * after the other.
 * @param {Probes[]} probes asked after the last look @param {number} read @param {boolean} isQueued
 */
function kindMeanwhile(probes, read, isQueued) {
  let both = 0;
  for (const { cpuAtPost, micro, tick } of probes.reverse()) {
    if (tick !== undefined && micro !== undefined) both += 1;
    // The thread may be asked and read between the two queues: that the other has not had its turn yet tells nothing.
    else if (read - cpuAtPost < TELLING_CPU_MS) continue;
    else if (tick !== undefined) return 'next-tick';
    else if (micro !== undefined) return 'microtask';
    else if (read - cpuAtPost >= SILENT_CPU_MS) return 'synchronous';
  }
  if (both === 0) return 'unknown';
  return isQueued ? 'next-tick' : 'synchronous';
}

/**
 * @param {Probes[]} probes
 * @param {number} read processor time of the answer
 * @param {number} posted processor time when the thread was asked
 */
function kindOf(probes, read, posted) {
  const kinds = probes.slice(0, 2).map(({ cpuAtPost, micro, tick, immediate }) => {
    // A probe that has not run may still run late in the rest; the loop's turn ends the rest.
    const rest = (immediate ?? read) - cpuAtPost;
    const ranEarly = (/** @type {number | undefined} */ at) => at !== undefined && at - cpuAtPost < rest / 2;
    if (rest < TELLING_CPU_MS) return immediate !== undefined && cpuAtPost - posted > NATIVE_CPU_MS ? 'synchronous' : 'unknown';
    // Callbacks of the loop (timers that are due, requests that have come) may follow on each other, and both queues are emptied after each
    // of them.
    if (ranEarly(tick) && ranEarly(micro)) return 'synchronous';
    if (ranEarly(tick)) return 'next-tick';
    if (ranEarly(micro)) return 'microtask';
    return 'synchronous';
  });
  const queue = kinds.find((kind) => kind === 'next-tick') ?? kinds.find((kind) => kind === 'microtask');
  if (queue) return queue;
  return kinds.find((kind) => kind === 'synchronous') ?? 'unknown';
}

function endProcess() {
  records.write({ type: 'ended', by: 'endless', code: null });
  process.kill(process.pid, 'SIGKILL');
}

let blocks = 0;
/** Pauses that were the machine's doing. */
let crowds = 0;
/**
 * @type {{ id: number, stalled: number, cpu: number, looks: number, lookAt: number, inspection: ReturnType<typeof ask> | undefined,
 * startUp: boolean, isAside: boolean, reported: number, isReported: boolean } | undefined}
 */
let open;

/**
 * By how often this thread came to look, not by the clock: on a crowded machine neither of the two threads gets its turn, and an order to
 * pause may wait for the one that takes it back.
 * @param {NonNullable<typeof open>} block @param {number} less ms that do not count @param {number} limit
 */
function isEndless(block, less, limit) {
  const stuckFor = block.looks * POLL_MS - less;
  return stuckFor > limit && (cpuTime() - block.cpu > limit * WORKED_SHARE || stuckFor > limit * MOST_WAITED);
}

/**
 * A start-up in which only packages are at work: one that checks types takes its time, and ends.
 * @param {NonNullable<typeof open>} block
 */
function isCompiling({ startUp, inspection }) {
  const stack = inspection?.stack(Infinity) ?? [];
  return startUp && stack.length > 0 && stack.every(({ file }) => PACKAGES.test(file));
}

/**
 * @param {NonNullable<typeof open>} block @param {number} duration @param {boolean} endless @param {string} kind
 * @param {{ crowded?: boolean, held?: boolean, waited?: number }} [machine] `crowded`: it counts only if a call of Node's took it. `held`: it
 * is the machine's doing, whose processors the thread waited for, in ms
 */
function report(block, duration, endless, kind, machine) {
  block.reported = now();
  block.isReported = true;
  // Beside another phase, what ended is no block of this one.
  records.write({
    type: 'block',
    id: block.id,
    from: block.stalled,
    duration,
    endless,
    kind,
    ...machine,
    startUp: block.startUp || (block.isAside && !endless),
    stack: block.inspection?.stack(duration) ?? [],
  });
}

/** @param {number} stalled @param {number} stuckFor */
function newBlock(stalled, stuckFor) {
  return {
    id: (blocks += 1),
    stalled,
    cpu: cpuTime(),
    looks: Math.floor(stuckFor / POLL_MS),
    lookAt: stuckFor * LOOK_AGAIN_FACTOR,
    inspection: undefined,
    reported: now(),
    isReported: false,
  };
}

/** How long the pause was that began then. @param {number} stalled @param {number} otherwise @returns {import('./crowd.cjs').Pause} */
function pauseAt(stalled, otherwise) {
  const at = beats.indexOf(stalled, Beat.Pauses);
  const [gap = 0, waited = 0, worked = gap] = at > 0 ? beats.subarray(at + 1) : [otherwise];
  return { gap, waited, worked };
}

/** What goes on when the watching ends ends with it. */
function tellLast(/** @type {number} */ beat) {
  const pause = pauseAt(beat, 0);
  const known = open?.stalled === beat ? open : undefined;
  const last = parentPort && receiveMessageOnPort(parentPort);
  if (last) known?.inspection?.learn(last.message);
  const isFound = known?.inspection?.hasStack() ?? false;
  const crowded = isCrowd(known?.inspection?.without(pause) ?? pause, isFound, thresholdMs);
  if (pause.gap < thresholdMs || (crowded && !mayBeOfCall(known?.inspection?.without(pause) ?? pause, isFound, thresholdMs))) return;
  const block = known ?? { ...newBlock(beat, pause.gap), startUp: false, isAside: false };
  report(
    block,
    crowded ? pause.gap - pause.waited : pause.gap - beatMs / 2,
    false,
    known?.inspection?.kind(true) ?? 'unknown',
    crowded ? { crowded } : { waited: pause.waited },
  );
}

const poll = setInterval(() => {
  const beat = beats[Beat.Last] ?? 0;
  if (beats[Beat.Phase] === Phase.Done) {
    clearInterval(poll);
    tellLast(beat);
    if (crowds >= LEAST_CROWDS)
      records.write({
        type: 'problem',
        text: `The machine was busy: ${crowds} times, the event loop stood still for ${thresholdMs} ms or more while other programs used the processors. They are not findings.`,
      });
    Atomics.store(told, 0, 1);
    Atomics.notify(told, 0);
    // It may be asked about still.
    open?.inspection?.end();
    return;
  }
  if (open && beat !== open.stalled) {
    const block = open;
    open = undefined;
    const pause = pauseAt(block.stalled, beat - block.stalled);
    const { gap } = pause;
    // The block began somewhere in the interval after the last beat: in the middle of it, on average.
    const duration = gap - beatMs / 2;
    const { inspection } = block;
    if (!inspection) return;
    const finish = () => {
      const isFound = inspection.hasStack();
      const own = inspection.without(pause);
      const crowded = gap >= thresholdMs && isCrowd(own, isFound, thresholdMs);
      if (gap >= thresholdMs && !crowded) report(block, duration, false, inspection.kind(true), { waited: pause.waited });
      // Native code answers nobody, and a crowded machine holds it up: whether a call of Node's took this time, the calls themselves tell.
      else if (mayBeOfCall(own, isFound, thresholdMs)) report(block, gap - pause.waited, false, inspection.kind(true), { crowded });
      // What the code was at meanwhile is known, and not whether it took the time.
      else if (crowded && isFound) report(block, gap, false, inspection.kind(true), { held: true });
      // What was written down while it went on is taken back.
      else if (block.isReported) report(block, 0, false, 'unknown');
      if (crowded && !block.startUp && !block.isAside) crowds += 1;
      inspection.end();
    };
    // The probes say when they ran, so the kind of a block can be determined after it.
    inspection.read(finish);
  }
  const stuckFor = now() - beat;
  // Nobody asks what a program's start-up does, and looking at it takes its time.
  const isStarting = startsSlowly && beats[Beat.Phase] === Phase.StartUp;
  const isAside = beats[Beat.Phase] === Phase.Aside;
  if (
    !open &&
    stuckFor > (isStarting ? SLOW_START_UP_MS : isAside ? Math.max(askAfter, (endlessMs ?? Infinity) * ASIDE_SHARE) : askAfter)
  ) {
    const block = { ...newBlock(beat, stuckFor), startUp: beats[Beat.Phase] === Phase.StartUp, isAside };
    open = block;
    try {
      // Beginning to answer is work, the more the larger the scripts are.
      open.inspection = ask(beat, () => {
        block.cpu = cpuTime();
      });
    } catch (error) {
      records.write({
        type: 'problem',
        text: `The stack of the blocked thread could not be read: ${error instanceof Error ? error.message : error}`,
      });
    }
    return;
  }
  if (open) open.looks += 1;
  if (open && stuckFor > open.lookAt) {
    open.lookAt = stuckFor * LOOK_AGAIN_FACTOR;
    open.inspection?.lookAgain();
  }
  if (!open || stuckFor < thresholdMs || now() - open.reported < REPORT_EVERY_MS) return;
  const block = open;
  const { inspection } = block;
  block.reported = now();
  const limit = block.startUp && startsSlowly ? Math.max(endlessMs ?? 0, SLOW_START_UP_MS) : endlessMs;
  let answered = false;
  inspection?.read(() => {
    answered = true;
    // A beat comes before the loop's turn ends: what ran by then may have run because of it.
    if (open !== block || beats[Beat.Last] !== block.stalled) return;
    report(block, stuckFor, true, inspection.kind(false));
    if (
      endlessMs !== undefined &&
      isEndless(block, 0, limit) &&
      inspection.hasStack() &&
      !isCompiling(block) &&
      inspection.kind(false) !== 'unknown'
    )
      endProcess();
  });
  setTimeout(() => {
    if (open !== block) return;
    if (!answered)
      report(
        block,
        now() - block.stalled,
        true,
        now() - block.stalled > NATIVE_MS ? 'synchronous' : (inspection?.kind(false) ?? 'unknown'),
      );
    if (endlessMs !== undefined && isEndless(block, EVIDENCE_MS, limit) && !isCompiling(block)) endProcess();
  }, REPORT_EVERY_MS / 2);
}, POLL_MS);
