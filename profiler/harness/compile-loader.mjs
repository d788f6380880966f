// The loader thread of Nodes without module.registerHooks (before 22.15 and 23.5): compiles TypeScript for `import`.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const { TYPESCRIPT, formatOf, makeCompile, resolveImport } = createRequire(import.meta.url)('./compile.cjs');

/** @type {{ compile?: (text: string, file: string, format: string) => string }} */
const state = {};

/** @param {{ settings: object }} data */
export function initialize({ settings }) {
  state.compile = makeCompile(settings);
}

/** @param {string} specifier @param {{ parentURL?: string }} context @param {(specifier: string, context: object) => unknown} next */
export function resolve(specifier, context, next) {
  return next(resolveImport(specifier, context.parentURL) ?? specifier, context);
}

/** @param {string} url @param {object} context @param {(url: string, context: object) => unknown} next */
export function load(url, context, next) {
  const file = url.startsWith('file:') ? fileURLToPath(url.replace(/[?#].*$/, '')) : '';
  if (!state.compile || !TYPESCRIPT.test(file)) return next(url, context);
  const format = formatOf(file);
  // The main thread compiles what it requires.
  return format === 'commonjs'
    ? { format, shortCircuit: true }
    : { format, source: state.compile(readFileSync(file, 'utf8'), file, format), shortCircuit: true };
}
