// Bundles the command, the language server and the extension into dist/: code that is rarely needed lies in chunks of its own, so that a
// cold start reads little.
import { build as bundle, type Metafile, type Plugin, transform } from 'esbuild';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { extensionReadme, withoutRelativeLinks } from './extension-readme.ts';
import { ROOT, ruleIds } from './generate.ts';
import { SHORT_RANGES } from './short-ranges.ts';

const HARNESS = 'profiler/harness';
/** The one file of the harness that needs packages: it runs on our own Node, beside the program. */
const GENERATOR = 'generator.cjs';

/** Unicode's tables make these a megabyte, as much as all the rest, and few files hold an expression to ask them about. */
const LATE = /^(?:scslre|@eslint-community\/regexpp)$/;
const LATE_FILE = 'scslre.cjs';

/**
 * What autocannon loads for its own command line: forms, tables, colors, a progress bar, arguments. Its `form-data` brings a table of all
 * media types. Without them, the generator is 40 % smaller packed.
 */
const FOR_COMMAND_LINE = /^(?:form-data|cli-table3|chalk|color-support|pretty-bytes|progress|char-spinner|cross-argv|manage-path)$/;

/** Renames what is local to functions of packages: these names made the .vsix 7 % larger. */
const SHORT_NAMES_IN_PACKAGES: Plugin = {
  name: 'short names in packages',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]node_modules[\\/].*\.[cm]?js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      // Without a format, esbuild keeps the names at the top of a file, in case other scripts use them. A word in a comment costs only
      // that.
      const isCommonJs = !/\b(?:import|export)\b/.test(text);
      const isModule = path.endsWith('.mjs') || (/^(?:import|export)\b/m.test(text) && !/\bexports\b/.test(text));
      const format = isCommonJs ? 'cjs' : isModule ? 'esm' : undefined;
      const { code } = await transform(text, { loader: 'js', ...(format && { format }), minifyIdentifiers: true, target: 'node20' });
      return { contents: code, loader: 'js' };
    });
  },
};

/**
 * Renames what is local to files of our own, which made the .vsix 3 % larger. Names of exports, methods, and properties stay, for stack
 * traces in bug reports.
 */
const SHORT_LOCALS: Plugin = {
  name: 'short names of locals',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      if (/[\\/]node_modules[\\/]/.test(path)) return undefined;
      const { code } = await transform(await readFile(path, 'utf8'), {
        loader: 'ts',
        minifyIdentifiers: true,
        target: 'node20',
        tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
      });
      return { contents: code, loader: 'js' };
    });
  },
};

export interface BuildResult {
  /** The command, to be run with Node. */
  command: string;
  /** What VS Code loads. */
  extension: string;
  /** Bytes of JavaScript. */
  size: number;
  /** File name of each script to the names of those that it loads. */
  imports: ReadonlyMap<string, readonly string[]>;
}

export async function build(outFolder: string = join(ROOT, 'dist')): Promise<BuildResult> {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  rmSync(outFolder, { recursive: true, force: true });
  mkdirSync(join(outFolder, 'docs'), { recursive: true });
  const { metafile } = await bundle({
    absWorkingDir: ROOT,
    entryPoints: {
      nodometer: 'cli/main.ts',
      server: 'server/entry.ts',
      'lint-worker': 'server/workers/lint-worker.ts',
      'analysis-thread': 'cli/analysis-thread.ts',
      'agent-tools': 'cli/agent-tools.ts',
      'index-thread': 'server/index-thread/index-thread.ts',
      'eslint-thread': 'eslint-plugin/index-thread/index-thread.ts',
    },
    outdir: outFolder,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    splitting: true,
    // The `main` of some packages (jsonc-parser) is UMD, which hides its own requires from a bundler.
    mainFields: ['module', 'main'],
    // All in one folder: the code finds its docs relative to itself.
    chunkNames: '[name]-[hash]',
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    metafile: true,
    define: { NODOMETER_VERSION: JSON.stringify(version) },
    // CommonJS packages ask for Node's own modules with `require`, which ES modules lack.
    plugins: [
      SHORT_NAMES_IN_PACKAGES,
      SHORT_LOCALS,
      {
        name: 'read when it is first asked for',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: LATE }, ({ path, namespace }) => (namespace === 'late' ? undefined : { path, namespace: 'late' }));
          onLoad({ filter: LATE, namespace: 'late' }, () => ({
            // Loading it on a slow machine may take longer than a file's first time limit, which ends it wherever it is. Node keeps what
            // was loaded by then, and would give that out the next time.
            contents: `let late;
const load = () => {
  if (!late) {
    const file = require.resolve('./late/${LATE_FILE}');
    if (require.cache[file]?.loaded === false) delete require.cache[file];
    late = require(file);
  }
  return late;
};
export const analyse = (...args) => load().analyse(...args);
export const visitRegExpAST = (...args) => load().visitRegExpAST(...args);
export function RegExpParser(...args) {
  return new (load().RegExpParser)(...args);
}`,
          }));
          onResolve({ filter: /^\.\/late\// }, ({ path }) => ({ path, external: true }));
        },
      },
    ],
    banner: { js: `import{createRequire as nodometerRequire}from'node:module';const require=nodometerRequire(import.meta.url);` },
  });
  const command = join(outFolder, 'nodometer.js');
  writeFileSync(command, `#!/usr/bin/env node\n${readFileSync(command, 'utf8').replace(/^#!.*\n/, '')}`);
  chmodSync(command, 0o755);
  for (const id of ruleIds()) {
    const readme = join(ROOT, 'rules', id, 'README.md');
    // Pages link sources of Nodometer, which are not shipped.
    if (existsSync(readme)) writeFileSync(join(outFolder, 'docs', `${id}.md`), withoutRelativeLinks(readFileSync(readme, 'utf8')));
  }
  // Findings of runs link to it, from a folder without its pictures.
  writeFileSync(
    join(outFolder, 'docs', 'profiling.md'),
    extensionReadme(readFileSync(join(ROOT, 'docs', 'profiling.md'), 'utf8'), undefined),
  );
  // Loaded by the Node that is profiled, file by file: plain JavaScript for Node 18 and later, without its comments.
  mkdirSync(join(outFolder, 'harness'), { recursive: true });
  for (const name of readdirSync(join(ROOT, HARNESS)).filter((one) => /\.[cm]js$/.test(one) && one !== GENERATOR)) {
    const text = readFileSync(join(ROOT, HARNESS, name), 'utf8');
    const { code } = await transform(text, { loader: 'js', minifyWhitespace: true, legalComments: 'none', target: 'node18' });
    writeFileSync(join(outFolder, 'harness', name), code);
  }
  const metafiles = [
    metafile,
    await bundleLate(outFolder),
    await bundleGenerator(outFolder),
    await bundleExtension(outFolder),
    await bundlePage(outFolder),
  ];
  writeFileSync(join(outFolder, 'THIRD-PARTY-LICENSES.txt'), thirdPartyLicenses(metafiles));
  const outputs = metafiles.flatMap((one) => Object.entries(one.outputs));
  return {
    command,
    extension: join(outFolder, 'extension.cjs'),
    size: outputs.reduce((sum, [, output]) => sum + output.bytes, 0),
    imports: new Map(
      outputs.map(([file, output]) => [
        basename(file),
        output.imports.filter(({ path, external }) => !external || path.startsWith('./')).map(({ path }) => basename(path)),
      ]),
    ),
  };
}

/** The plugin for ESLint: its rules ask the package `nodometer`, which is installed with it. */
export async function buildPlugin(outFolder: string = join(ROOT, 'eslint-plugin', 'dist')): Promise<string> {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  rmSync(outFolder, { recursive: true, force: true });
  mkdirSync(outFolder, { recursive: true });
  const outfile = join(outFolder, 'plugin.js');
  await bundle({
    absWorkingDir: ROOT,
    entryPoints: ['eslint-plugin/plugin.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    minifySyntax: true,
    legalComments: 'none',
    define: { NODOMETER_VERSION: JSON.stringify(version) },
  });
  copyFileSync(join(ROOT, 'eslint-plugin', 'types.d.ts'), join(outFolder, 'plugin.d.ts'));
  return outfile;
}

/** In a folder of its own: the npm package leaves out what lies beside the command and is the extension's. */
async function bundleLate(outFolder: string): Promise<Metafile> {
  const { metafile } = await bundle({
    absWorkingDir: ROOT,
    stdin: {
      // With `import`, a second copy of regexpp would come with scslre, which requires it.
      contents: `const { RegExpParser, visitRegExpAST } = require('@eslint-community/regexpp');
exports.analyse = require('scslre').analyse;
exports.RegExpParser = RegExpParser;
exports.visitRegExpAST = visitRegExpAST;`,
      resolveDir: ROOT,
    },
    outfile: join(outFolder, 'late', LATE_FILE),
    plugins: [SHORT_RANGES],
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    // Names, too: none of it is ours, and it is an eighth of the package.
    minify: true,
    legalComments: 'none',
    metafile: true,
  });
  return metafile;
}

async function bundleGenerator(outFolder: string): Promise<Metafile> {
  const { metafile } = await bundle({
    absWorkingDir: ROOT,
    entryPoints: [join(HARNESS, GENERATOR)],
    outfile: join(outFolder, 'harness', GENERATOR),
    plugins: [
      {
        name: 'no command line',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: FOR_COMMAND_LINE }, ({ path }) => ({ path, namespace: 'left-out' }));
          onLoad({ filter: /./, namespace: 'left-out' }, ({ path }) => ({
            contents: `module.exports = class { constructor() { throw new Error('${path} is not part of this build'); } };`,
          }));
        },
      },
    ],
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    minify: true,
    legalComments: 'none',
    metafile: true,
  });
  return metafile;
}

/**
 * CommonJS, as VS Code 1.100 loads it. The language client's library lies in a file of its own, which is read after the activation:
 * it is many times the rest. So does what shows profiles, which most windows never do. They share no code with the server, which is another
 * process.
 */
async function bundleExtension(outFolder: string): Promise<Metafile> {
  const { metafile } = await bundle({
    absWorkingDir: ROOT,
    entryPoints: {
      extension: 'client/extension.ts',
      'language-client': 'client/session/language-client.ts',
      profile: 'client/profile/profile.ts',
    },
    outdir: outFolder,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    // The Node of VS Code 1.100.
    target: 'node20',
    format: 'cjs',
    external: ['vscode'],
    // VS Code gives the module `vscode` to `require`, and not to each `import()`.
    supported: { 'dynamic-import': false },
    plugins: [
      SHORT_NAMES_IN_PACKAGES,
      SHORT_LOCALS,
      {
        name: 'files apart',
        setup({ onResolve }) {
          onResolve({ filter: /\/(?:language-client|profile)\.ts$/ }, ({ kind, path }) =>
            kind === 'entry-point' ? undefined : { path: `./${basename(path, '.ts')}.cjs`, external: true },
          );
        },
      },
    ],
    mainFields: ['module', 'main'],
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    metafile: true,
  });
  return metafile;
}

/** What the report's page loads. It may name nothing outside: all of it is in one script and one style. */
async function bundlePage(outFolder: string): Promise<Metafile> {
  const { metafile } = await bundle({
    absWorkingDir: ROOT,
    entryPoints: { report: 'client/report/page/report.js', 'report-style': 'client/report/page/report.css' },
    outdir: outFolder,
    bundle: true,
    platform: 'browser',
    // The Chromium of VS Code 1.100.
    target: 'chrome132',
    format: 'iife',
    minify: true,
    legalComments: 'none',
    metafile: true,
  });
  return metafile;
}

/** The license text of every package that ended up in a bundle: MIT and its like ask for it. */
function thirdPartyLicenses(metafiles: readonly Metafile[]): string {
  const packages = new Set<string>();
  for (const input of metafiles.flatMap((metafile) => Object.keys(metafile.inputs))) {
    const found = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1];
    if (found) packages.add(found);
  }
  return [...packages]
    .sort()
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as {
        name: string;
        version: string;
        license?: string;
      };
      const file = readdirSync(join(ROOT, folder)).find((entry) => /^licen[cs]e/i.test(entry));
      return `${name} ${version} (${license ?? 'license not stated'})\n\n${file ? readFileSync(join(ROOT, folder, file), 'utf8').trim() : ''}\n`;
    })
    .join(`\n${'-'.repeat(72)}\n\n`);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { command, size } = await build();
  await buildPlugin();
  console.log(`built ${relative(ROOT, command)} (${Math.round(size / 1024)} KB in all)`);
}
