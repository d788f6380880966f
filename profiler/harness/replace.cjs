// Puts the host's text in the place of a module's own, for CommonJS and ES modules alike; lines and columns are the host's business.
'use strict';
const fs = require('node:fs');
const Module = require('node:module');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');

/**
 * `append`: put behind what the loaders make of the file.
 * @typedef {{ file: string, text?: string, append?: string, format?: 'commonjs' | 'module' }} Replacement
 */

/** tsx puts CommonJS into a function of its own (4.23); what is to see the module's names stands inside. */
const WRAPPED = /^__filename=(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*');\(\(\)=>\{/;
const END_OF_WRAPPED = /\n?\}\)\(\);?\s*(?:\/\/# sourceMappingURL=\S*\s*)?$/;

/** Once, through however many hooks the text goes. @param {unknown} source @param {string} more */
function withMore(source, more) {
  const text = typeof source === 'string' ? source : Buffer.from(/** @type {Uint8Array} */ (source)).toString('utf8');
  const end = WRAPPED.test(text) ? (END_OF_WRAPPED.exec(text)?.index ?? text.length) : text.length;
  return text.slice(0, end).endsWith(more) ? text : text.slice(0, end) + more + text.slice(end);
}

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
  const byPath = new Map(
    replacements.flatMap((one) => [
      [one.file, one],
      [realPath(one.file), one],
    ]),
  );
  const prototype = /** @type {any} */ (Module).prototype;
  const compile = prototype._compile;
  // Node 22 and later hand over the format as a third argument.
  prototype._compile = function _compile(/** @type {string} */ content, /** @type {string} */ filename, /** @type {unknown[]} */ ...rest) {
    const one = byPath.get(filename);
    return Reflect.apply(compile, this, [
      one?.append === undefined ? (one?.text ?? content) : withMore(content, one.append),
      filename,
      ...rest,
    ]);
  };
  if (replacements.every(({ format }) => format === 'commonjs')) return;
  const byUrl = new Map([...byPath].map(([path, one]) => [pathToFileURL(path).href, one]));
  const { registerHooks, register } = /** @type {any} */ (Module);
  if (registerHooks) {
    registerHooks({
      load(/** @type {string} */ url, /** @type {{ format?: string }} */ context, /** @type {Function} */ next) {
        const one = byUrl.get(url.replace(/[?#].*$/, ''));
        if (one?.append !== undefined) {
          const loaded = next(url, context);
          // A CommonJS text may come later.
          return loaded.source == null ? loaded : { ...loaded, source: withMore(loaded.source, one.append), shortCircuit: true };
        }
        // `module-typescript` and its like: the host has taken the types out already.
        const format = one?.format ?? context.format?.replace('-typescript', '');
        return one && format ? { format, source: one.text, shortCircuit: true } : next(url, context);
      },
    });
  } else if (register) {
    // The loader thread of Node 18.19 to 22.14 gets the texts of ES modules only: a CommonJS text would lose its `require`.
    const texts = [...byUrl]
      .filter(([, { format }]) => format !== 'commonjs')
      .map(([url, { text, append, format }]) => [url, { text, append, format }]);
    register(pathToFileURL(join(__dirname, 'esm-loader.mjs')).href, { data: { texts } });
  } else tell(`Node ${process.versions.node} cannot load ES modules through a hook. Node 18.19 or 20.6 is required.`);
}

module.exports = { installReplacements, realPath, withMore };
