// Puts the host's text in the place of a module's own, for CommonJS and ES modules alike; lines and columns are the host's business.
'use strict';
const fs = require('node:fs');
const Module = require('node:module');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');

/** @typedef {{ file: string, text: string, format?: 'commonjs' | 'module' }} Replacement */

/** @param {string} file */
function realPath(file) {
  try {
    return fs.realpathSync(file);
  } catch {
    // The loader will say what is wrong with it.
    return file;
  }
}

/** @param {readonly Replacement[]} replacements @param {(problem: string) => void} tell */
function installReplacements(replacements, tell) {
  if (replacements.length === 0) return;
  const byPath = new Map(replacements.flatMap((one) => [[one.file, one], [realPath(one.file), one]]));
  const prototype = /** @type {any} */ (Module).prototype;
  const compile = prototype._compile;
  // Node 22 and later hand over the format as a third argument.
  prototype._compile = function _compile(/** @type {string} */ content, /** @type {string} */ filename, /** @type {unknown[]} */ ...rest) {
    return Reflect.apply(compile, this, [byPath.get(filename)?.text ?? content, filename, ...rest]);
  };
  if (replacements.every(({ format }) => format === 'commonjs')) return;
  const byUrl = new Map([...byPath].map(([path, one]) => [pathToFileURL(path).href, one]));
  const { registerHooks, register } = /** @type {any} */ (Module);
  if (registerHooks) {
    registerHooks({
      load(/** @type {string} */ url, /** @type {{ format?: string }} */ context, /** @type {Function} */ next) {
        const one = byUrl.get(url.replace(/[?#].*$/, ''));
        // `module-typescript` and its like: the host has taken the types out already.
        const format = one?.format ?? context.format?.replace('-typescript', '');
        return one && format ? { format, source: one.text, shortCircuit: true } : next(url, context);
      },
    });
  } else if (register) {
    // The loader thread of Node 18.19 to 22.14 gets the texts of ES modules only: a CommonJS text would lose its `require`.
    const texts = [...byUrl].filter(([, { format }]) => format !== 'commonjs').map(([url, { text, format }]) => [url, { text, format }]);
    register(pathToFileURL(join(__dirname, 'esm-loader.mjs')).href, { data: { texts } });
  } else tell(`Node ${process.versions.node} cannot load ES modules through a hook; 18.19 or 20.6 is needed.`);
}

module.exports = { installReplacements, realPath };
