// Where code is compiled while it is loaded (tsx, ts-node, a compiler of the project's): hands the host the text that runs and the map that
// the compiler put into it.
'use strict';
const { PACKAGES, userFile } = require('./records.cjs');

/** Where the compiler put it. */
const INLINE = /\/\/[#@] sourceMappingURL=data:application\/json[^,]*;base64,([A-Za-z0-9+/=]+)/g;
const MAX_LENGTH = 8_000_000;

/**
 * @param {{ write(record: Record<string, unknown>): void }} records
 * @param {string} file
 * @param {string} text
 * @returns {boolean} whether there was one
 */
function writeSourceMap(records, file, text) {
  const encoded = text.length > MAX_LENGTH ? undefined : [...text.matchAll(INLINE)].at(-1)?.[1];
  if (encoded !== undefined) records.write({ type: 'source-map', file, text, map: Buffer.from(encoded, 'base64').toString('utf8') });
  return encoded !== undefined;
}

/**
 * @param {{ write(record: Record<string, unknown>): void }} records
 * @param {boolean} isCounting the session is kept to the end then: with the last one that debugs, V8 throws away the counters of all blocks
 * (Node 18 to 26)
 * @returns {() => void} writes the maps that are not written yet
 */
function sourceMapWriter(records, isCounting) {
  /** @type {Set<string>} */
  const written = new Set();
  /** @type {import('node:inspector').Session | undefined} */
  let kept;
  return () => {
    const { Session } = require('node:inspector');
    const session = new Session();
    /** @type {{ id: string, file: string }[]} */
    const scripts = [];
    session.on('Debugger.scriptParsed', ({ params }) => {
      const file = userFile(params.url.replace(/[?#].*$/, ''));
      if (file !== undefined && !PACKAGES.test(file) && !written.has(file) && params.sourceMapURL?.startsWith('data:'))
        scripts.push({ id: params.scriptId, file });
    });
    try {
      session.connect();
      session.post('Debugger.enable');
      for (const { id, file } of scripts) {
        session.post('Debugger.getScriptSource', { scriptId: id }, (error, answer) => {
          if (!error && writeSourceMap(records, file, answer.scriptSource)) written.add(file);
        });
      }
    } catch (error) {
      records.write({
        type: 'problem',
        text: `Locations in compiled code could not be mapped: ${error instanceof Error ? error.message : error}.`,
      });
    } finally {
      const over = isCounting ? kept : session;
      kept = session;
      over?.disconnect();
    }
  };
}

module.exports = { sourceMapWriter, writeSourceMap };
