// The loader thread of Nodes without module.registerHooks (before 22.15 and 23.5): gives the host's text for a module of the user's.

/** @typedef {{ text?: string, append?: string, format?: string }} Given */

/** @type {Map<string, Given>} */
const texts = new Map();

/** @param {{ texts: [string, Given][] }} data */
export function initialize(data) {
  for (const [url, one] of data.texts) texts.set(url, one);
}

/** @param {string} url @param {{ format?: string }} context @param {(url: string, context: object) => Promise<any>} next */
export async function load(url, context, next) {
  const one = texts.get(url.replace(/[?#].*$/, ''));
  if (one?.append !== undefined) {
    const loaded = await next(url, context);
    // A CommonJS text comes later, in the main thread.
    if (loaded.source == null) return loaded;
    const text = typeof loaded.source === 'string' ? loaded.source : Buffer.from(loaded.source).toString('utf8');
    return { ...loaded, source: text.endsWith(one.append) ? text : text + one.append, shortCircuit: true };
  }
  const format = one?.format ?? context.format;
  return one && format === 'module' ? { format, source: one.text, shortCircuit: true } : next(url, context);
}
