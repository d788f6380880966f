// Two runs by V8's inspector: how often each function and block ran, and where the processor's time went.
'use strict';
const fs = require('node:fs');
const { join } = require('node:path');
const { PACKAGES, userFile } = require('./records.cjs');

const SAMPLING_INTERVAL_US = 200;
const { writeFileSync } = fs;

/** Session of this thread: every post is answered before it returns. */
function connect() {
  const { Session } = require('node:inspector');
  const session = new Session();
  session.connect();
  /** @param {string} method @param {object} [params] @returns {any} */
  return (method, params) => {
    let answer;
    session.post(method, params, (error, result) => {
      // Since Node 24 the error is an Error, before it was the protocol's plain object.
      if (error) throw new Error(`${method}: ${error.message}`);
      answer = result;
    });
    return answer;
  };
}

/** @typedef {{ name: string, blocks: boolean, ranges: { start: number, end: number, count: number }[] }} Counted */

/**
 * Started before the module is loaded: functions that were optimized before would count from their next compilation only.
 * @param {{ write(record: Record<string, unknown>): void }} records
 * @param {'counted' | 'left' | 'apart'} startUp what becomes of what ran before `arm`
 */
function installCounts(records, startUp) {
  const post = connect();
  post('Profiler.enable');
  post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  /** V8 starts from zero after each of these, and leaves out what has not run since (Node 18 to 26). */
  const take = () => {
    const { result } = post('Profiler.takePreciseCoverage');
    /** @type {{ file: string, functions: Counted[] }[]} */
    const files = [];
    for (const { url, functions } of result) {
      const file = userFile(url);
      if (!file || PACKAGES.test(file)) continue;
      files.push({
        file,
        functions: functions.map((/** @type {any} */ one) => ({
          name: one.functionName,
          blocks: one.isBlockCoverage,
          ranges: one.ranges.map((/** @type {any} */ range) => ({ start: range.startOffset, end: range.endOffset, count: range.count })),
        })),
      });
    }
    return files;
  };
  /** @type {ReturnType<typeof take>} */
  let before = [];
  let armed = false;
  return {
    arm() {
      armed = true;
      if (startUp === 'counted') return;
      before = take();
      if (startUp === 'apart') records.write({ type: 'counts', startUp: true, files: before });
    },
    finish() {
      const files = take();
      if (startUp === 'apart' && !armed) {
        records.write({ type: 'counts', startUp: true, files });
        return;
      }
      for (const { file, functions } of before) {
        const counted = files.find((one) => one.file === file);
        const known = new Set(counted?.functions.map(({ ranges }) => `${ranges[0]?.start} ${ranges[0]?.end}`));
        const idle = functions
          .filter(({ ranges }) => !known.has(`${ranges[0]?.start} ${ranges[0]?.end}`))
          .map((one) => ({ ...one, ranges: one.ranges.slice(0, 1).map((range) => ({ ...range, count: 0 })) }));
        if (counted) counted.functions.push(...idle);
        else files.push({ file, functions: idle });
      }
      records.write({ type: 'counts', files });
      // Another phase may come.
      post('Profiler.stopPreciseCoverage');
    },
  };
}

/** @param {{ write(record: Record<string, unknown>): void }} records @param {string} folder */
function installCpu(records, folder) {
  const post = connect();
  let started = false;
  post('Profiler.enable');
  post('Profiler.setSamplingInterval', { interval: SAMPLING_INTERVAL_US });
  return {
    arm() {
      if (started) return;
      started = true;
      post('Profiler.start');
    },
    finish() {
      if (!started) return;
      const { profile } = post('Profiler.stop');
      const path = join(folder, `${process.pid}.cpuprofile`);
      writeFileSync(path, JSON.stringify(profile));
      records.write({ type: 'cpu-profile', path });
    },
  };
}

module.exports = { installCounts, installCpu };
