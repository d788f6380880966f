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

/** Started before the module is loaded: functions that were optimised before would count from their next compilation only. @param {{ write(record: Record<string, unknown>): void }} records */
function installCounts(records) {
  const post = connect();
  post('Profiler.enable');
  post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  return {
    arm() { /* Runs from the start. */ },
    finish() {
      const { result } = post('Profiler.takePreciseCoverage');
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
      records.write({ type: 'counts', files });
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
