// Compiles TypeScript while it is loaded, with the compiler of the user's project, for projects without a loader of their own: `node
// dist/main.js` after a build.
'use strict';
const fs = require('node:fs');
const Module = require('node:module');
const { dirname, extname, join } = require('node:path');
const { fileURLToPath, pathToFileURL } = require('node:url');

const { readFileSync, statSync } = fs;
const TYPESCRIPT = /\.(?:[cm]?ts|tsx)$/;
/** What an import may leave out, or write as it will be called after the build. */
const ENDINGS = ['.ts', '.tsx', '.mts', '.cts', '/index.ts', '/index.tsx'];
const BUILT = /** @type {const} */ ([
  ['.js', '.ts'],
  ['.js', '.tsx'],
  ['.mjs', '.mts'],
  ['.cjs', '.cts'],
  ['.jsx', '.tsx'],
]);

/** @typedef {{ kind: 'esbuild' | 'typescript', path: string, options: Record<string, unknown> }} Compiler */

/** @param {string} file @returns {'module' | 'commonjs'} */
function formatOf(file) {
  const extension = extname(file);
  if (extension === '.mts') return 'module';
  if (extension === '.cts') return 'commonjs';
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    try {
      return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).type === 'module' ? 'module' : 'commonjs';
    } catch {
      // No manifest here; a broken one is reported by Node itself.
    }
    if (dirname(folder) === folder) return 'commonjs';
  }
}

/**
 * @param {Compiler} compiler
 * @returns {(text: string, file: string, format: 'module' | 'commonjs') => string} JavaScript with its map in it
 */
function makeCompile({ kind, path, options }) {
  // The user's own, by its absolute path.
  const compiler = Module.createRequire(path)(path);
  if (kind === 'esbuild') {
    return (text, file, format) =>
      compiler.transformSync(text, {
        loader: file.endsWith('x') ? 'tsx' : 'ts',
        format: format === 'module' ? 'esm' : 'cjs',
        sourcemap: 'inline',
        sourcefile: file,
        keepNames: true,
        target: `node${process.versions.node}`,
        tsconfigRaw: { compilerOptions: options },
      }).code;
  }
  return (text, file, format) =>
    compiler.transpileModule(text, {
      fileName: file,
      compilerOptions: {
        ...options,
        module: format === 'module' ? compiler.ModuleKind.ESNext : compiler.ModuleKind.CommonJS,
        target: compiler.ScriptTarget.ES2022,
        sourceMap: false,
        inlineSourceMap: true,
        inlineSources: false,
        declaration: false,
        noEmit: false,
        noEmitHelpers: false,
        importHelpers: false,
        isolatedModules: true,
        allowImportingTsExtensions: false,
      },
    }).outputText;
}

/** @param {string} path */
function isFile(path) {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** The TypeScript file that a path means; undefined where the path is a file itself, or nothing is found. @param {string} path */
function findSource(path) {
  if (isFile(path)) return undefined;
  for (const [built, source] of BUILT)
    if (path.endsWith(built) && isFile(path.slice(0, -built.length) + source)) return path.slice(0, -built.length) + source;
  const ending = ENDINGS.find((one) => isFile(path + one));
  return ending === undefined ? undefined : path + ending;
}

/** For `import`: relative paths, and URLs. @param {string} specifier @param {string | undefined} parent */
function resolveImport(specifier, parent) {
  if (!/^(?:\.{0,2}\/|file:)/.test(specifier)) return undefined;
  try {
    const url = new URL(specifier, parent);
    const found = url.protocol === 'file:' ? findSource(fileURLToPath(url)) : undefined;
    return found === undefined ? undefined : pathToFileURL(found).href;
  } catch {
    // The loader will say what is wrong with it.
    return undefined;
  }
}

/** @param {Compiler} settings @param {(problem: string) => void} tell */
function installCompiler(settings, tell) {
  const compile = makeCompile(settings);
  const extensions = /** @type {any} */ (Module)._extensions;
  for (const extension of ['.ts', '.tsx', '.cts', '.mts']) {
    extensions[extension] = (/** @type {any} */ module, /** @type {string} */ file) =>
      module._compile(compile(readFileSync(file, 'utf8'), file, 'commonjs'), file);
  }
  const resolveFilename = /** @type {any} */ (Module)._resolveFilename;
  /** @type {any} */ (Module)._resolveFilename = function _resolveFilename(
    /** @type {string} */ request,
    /** @type {any} */ parent,
    /** @type {unknown[]} */ ...rest
  ) {
    const found = /^\.{0,2}\//.test(request) && parent?.filename ? findSource(join(dirname(parent.filename), request)) : undefined;
    return Reflect.apply(resolveFilename, this, [found ?? request, parent, ...rest]);
  };
  const { registerHooks, register } = /** @type {any} */ (Module);
  if (registerHooks) {
    registerHooks({
      // `require` comes here, too, and takes no URLs.
      resolve(
        /** @type {string} */ specifier,
        /** @type {{ parentURL?: string, conditions?: string[] }} */ context,
        /** @type {Function} */ next,
      ) {
        const found = resolveImport(specifier, context.parentURL);
        return next(found === undefined ? specifier : context.conditions?.includes('require') ? fileURLToPath(found) : found, context);
      },
      load(/** @type {string} */ url, /** @type {object} */ context, /** @type {Function} */ next) {
        const file = url.startsWith('file:') ? fileURLToPath(url.replace(/[?#].*$/, '')) : '';
        if (!TYPESCRIPT.test(file)) return next(url, context);
        const format = formatOf(file);
        return { format, source: compile(readFileSync(file, 'utf8'), file, format), shortCircuit: true };
      },
    });
  } else if (register) register(pathToFileURL(join(__dirname, 'compile-loader.mjs')).href, { data: { settings } });
  else tell(`Node ${process.versions.node} cannot load ES modules through a hook. Node 18.19 or 20.6 is required.`);
}

module.exports = { TYPESCRIPT, formatOf, installCompiler, makeCompile, resolveImport };
