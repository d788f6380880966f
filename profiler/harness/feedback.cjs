// What V8 keeps of operators and calls, which its log does not tell: the feedback vectors of the user's functions, printed when the run is
// over,
// and the bytecode that says which slot belongs to which place. V8 prints both on the file descriptor 1 and nowhere else (Node 18 to 26),
// so that
// this run gives the descriptor to a file: what the program writes there is lost, and the other runs have it.
'use strict';
const fs = require('node:fs');
const { join } = require('node:path');
const v8 = require('node:v8');
const vm = require('node:vm');
const { userFile } = require('./records.cjs');
const { realPath } = require('./replace.cjs');

// Marks of our own between what V8 prints.
const SCRIPT = '@nodometer script ';
const FUNCTION = '@nodometer function ';
const END = '@nodometer end';
// A function of each closure; more of one place tell no more.
const MAX_FUNCTIONS = 400;
const MAX_OF_ONE_PLACE = 3;
const MAX_SCRIPT_LENGTH = 1_000_000;
const STDOUT = 1;
const { closeSync, existsSync, openSync, writeSync } = fs;

/** As `run/run.ts` has it. */
const FEEDBACK_ON_WINDOWS = 'feedback-0.txt';

/** From here on everything that is written to the standard output goes to the file. @param {string} folder */
function redirectOutput(folder) {
  // libuv closes none of the first three descriptors there: the process was started with the file.
  if (process.platform === 'win32') return existsSync(join(folder, FEEDBACK_ON_WINDOWS));
  closeSync(STDOUT);
  // The lowest number that is free.
  return openSync(join(folder, `feedback-${process.pid}.txt`), 'w') === STDOUT;
}

/** @param {string} text */
function lineStartsOf(text) {
  const starts = [0];
  for (const match of text.matchAll(/\r\n|[\n\r\u2028\u2029]/g)) starts.push((match.index ?? 0) + match[0].length);
  return starts;
}

/**
 * Where a function's own source lies: V8 tells the offset of its parameters.
 * @param {string} text
 * @param {string} source
 * @param {number} offset
 */
function findSpan(text, source, offset) {
  for (let before = 0; before < source.length && before <= offset; before += 1) {
    if (text.startsWith(source, offset - before)) return { start: offset - before, end: offset - before + source.length };
  }
  return undefined;
}

/**
 * The functions that are alive and belong to one of the scripts.
 * @param {(method: string, params?: object) => any} post
 * @param {Map<string, Script>} scripts
 * @returns {Live[]}
 */
function liveFunctions(post, scripts) {
  const held = Symbol('functions');
  const { result: prototype } = post('Runtime.evaluate', { expression: 'Function.prototype', objectGroup: 'nodometer' });
  const { objects } = post('Runtime.queryObjects', { prototypeObjectId: prototype.objectId, objectGroup: 'nodometer' });
  // Most of the functions of a process are Node's own and those of packages.
  const sources = [...scripts.values()].map(({ text }) => ({ value: text }));
  const { result: own } = post('Runtime.callFunctionOn', {
    objectId: objects.objectId,
    functionDeclaration: `function (...texts) {
      const toString = Function.prototype.toString;
      return this.filter((one) => { try { const source = toString.call(one); return !source.endsWith('[native code] }') && texts.some((text) => text.includes(source)); } catch { return false; } });
    }`,
    arguments: sources,
    objectGroup: 'nodometer',
  });
  Object.defineProperty(globalThis, held, { value: [], configurable: true });
  Object.defineProperty(globalThis, Symbol.for('nodometer.functions'), {
    value: /** @type {any} */ (globalThis)[held],
    configurable: true,
  });
  post('Runtime.callFunctionOn', {
    objectId: own.objectId,
    functionDeclaration: 'function () { globalThis[Symbol.for("nodometer.functions")].push(...this); }',
  });
  /** @type {Function[]} */
  const functions = /** @type {any} */ (globalThis)[held];
  delete (/** @type {any} */ (globalThis)[held]);
  delete (/** @type {any} */ (globalThis)[Symbol.for('nodometer.functions')]);
  const { result: elements } = post('Runtime.getProperties', { objectId: own.objectId, ownProperties: true });
  /** @type {Map<string, number>} */
  const counts = new Map();
  const found = [];
  for (const { name, value } of elements) {
    const fn = functions[Number(name)];
    if (!fn || !value?.objectId || found.length >= MAX_FUNCTIONS) continue;
    const { internalProperties = [] } = post('Runtime.getProperties', { objectId: value.objectId, ownProperties: true });
    const location = internalProperties.find((/** @type {{ name: string }} */ one) => one.name === '[[FunctionLocation]]')?.value?.value;
    const script = location && scripts.get(location.scriptId);
    if (!script) continue;
    const offset = (script.starts[location.lineNumber] ?? 0) + location.columnNumber;
    const span = findSpan(script.text, Function.prototype.toString.call(fn), offset);
    if (!span) continue;
    const key = `${location.scriptId}:${offset}`;
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    if (count < MAX_OF_ONE_PLACE) found.push({ fn, script, offset, ...span });
  }
  return found;
}

/**
 * As the module's own loader compiles it: the same scopes give the same slots.
 * @param {string} file
 * @param {string} text
 * @param {boolean} isModule
 */
function compileAgain(file, text, isModule) {
  // Everything at once, and nothing that is known from before.
  for (const flag of ['--no-compilation-cache', '--no-lazy', '--print-bytecode', '--print-bytecode-filter=*']) v8.setFlagsFromString(flag);
  try {
    if (isModule) new /** @type {any} */ (vm).SourceTextModule(text, { identifier: file });
    else vm.compileFunction(text, ['exports', 'require', 'module', '__filename', '__dirname'], { filename: file });
  } finally {
    v8.setFlagsFromString('--no-print-bytecode');
  }
}

/** @typedef {{ file: string, text: string, starts: number[], isModule: boolean }} Script */
/** @typedef {{ fn: Function, script: Script, offset: number, start: number, end: number }} Live */

/** What there is of the files now. @param {ReadonlySet<string>} files @returns {{ scripts: Script[], functions: Live[] }} */
function lookAround(files) {
  const { Session } = require('node:inspector');
  const session = new Session();
  session.connect();
  const post = (/** @type {string} */ method, /** @type {object} */ params = {}) => {
    /** @type {any} */
    let answer;
    session.post(method, params, (error, result) => {
      if (error) throw new Error(`${method}: ${error.message}`);
      answer = result;
    });
    return answer;
  };
  /** @type {Map<string, Script>} */
  const scripts = new Map();
  session.on('Debugger.scriptParsed', ({ params }) => {
    const file = userFile(params.url);
    if (file !== undefined && files.has(file))
      scripts.set(params.scriptId, { file, text: '', starts: [], isModule: params.isModule === true });
  });
  try {
    post('Debugger.enable');
    for (const [scriptId, script] of scripts) {
      script.text = post('Debugger.getScriptSource', { scriptId }).scriptSource;
      script.starts = lineStartsOf(script.text);
      if (script.text.length > MAX_SCRIPT_LENGTH) scripts.delete(scriptId);
    }
    return { scripts: [...scripts.values()], functions: scripts.size === 0 ? [] : liveFunctions(post, scripts) };
  } finally {
    session.disconnect();
  }
}

/** @param {readonly Live[]} functions */
function printFeedback(functions) {
  v8.setFlagsFromString('--allow-natives-syntax');
  const print = new Function('fn', '%DebugPrint(fn)');
  for (const { fn, script, offset, start, end } of functions) {
    writeSync(STDOUT, `\n${FUNCTION}${JSON.stringify({ file: script.file, name: fn.name, offset, start, end })}\n`);
    print(fn);
  }
}

/** @param {{ write(record: Record<string, unknown>): void }} records @param {{ folder: string, feedbackOf: readonly string[] }} input */
function installFeedback(records, { folder, feedbackOf }) {
  const isRedirected = redirectOutput(folder);
  const files = new Set(feedbackOf.map(realPath));
  /** @type {Live[]} */
  let early = [];
  return {
    arm() {
      // The search collects garbage, and V8 then forgets what the calls called. What there is now is held until the end.
      early = lookAround(files).functions;
    },
    finish() {
      if (!isRedirected) {
        records.write({
          type: 'problem',
          text: 'The output of V8 could not be separated from the output of the program, so there is no type feedback.',
        });
        return;
      }
      printFeedback(early);
      // Of what was made since then, the operators are left.
      const { scripts, functions } = lookAround(files);
      const known = new Set(early.map(({ fn }) => fn));
      printFeedback(functions.filter(({ fn }) => !known.has(fn)));
      for (const { file, text, starts, isModule } of scripts) {
        writeSync(STDOUT, `\n${SCRIPT}${JSON.stringify({ file, starts })}\n`);
        compileAgain(file, text, isModule);
      }
      writeSync(STDOUT, `\n${END}\n`);
    },
  };
}

module.exports = { installFeedback };
