// The loader thread of Nodes without module.registerHooks (before 22.15 and 23.5): gives the host's text for a module of the user's.

/** @type {Map<string, { text: string, format?: string }>} */
const texts = new Map();

/** @param {{ texts: [string, { text: string, format?: string }][] }} data */
export function initialize(data) {
  for (const [url, one] of data.texts) texts.set(url, one);
}

/** @param {string} url @param {{ format?: string }} context @param {(url: string, context: object) => Promise<unknown>} next */
export async function load(url, context, next) {
  const one = texts.get(url.replace(/[?#].*$/, ''));
  const format = one?.format ?? context.format;
  return one && format === 'module' ? { format, source: one.text, shortCircuit: true } : next(url, context);
}
