// Node's hooks for modules: TypeScript comes from the store. The same functions work on Node's thread for hooks, and on the main thread.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compiled } from './compiled.mjs';

const SOURCE = /\.m?ts$/;
/** Files that are known to be there: each is imported by many. */
const there = new Set();

export function resolve(specifier, context, next) {
  // Node itself looks for packages, follows links of absolute paths, and says what is missing.
  if (specifier.startsWith('.') && SOURCE.test(specifier) && context.parentURL?.startsWith('file:')) {
    const { href } = new URL(specifier, context.parentURL);
    if (there.has(href) || existsSync(fileURLToPath(href))) {
      there.add(href);
      return { url: href, format: 'module', shortCircuit: true };
    }
  }
  return next(specifier, context);
}

export function load(url, context, next) {
  const path = url.split('?')[0];
  if (!path.startsWith('file:') || !SOURCE.test(path)) return next(url, context);
  return { format: 'module', source: compiled(fileURLToPath(path)), shortCircuit: true };
}
