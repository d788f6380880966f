// What the sources of a program show: which packages they load, whether they render views, whether they set NODE_ENV themselves. Imports
// are read from the text, because parsing every file of an application would cost more than all other rules. Only a file that writes
// NODE_ENV is parsed.
import { Facts } from '../../analysis/facts/index.ts';
import { ModuleIndex } from '../../analysis/module/module-index.ts';
import { parse } from '../../analysis/module/parse.ts';
import { Source } from '../../analysis/module/source.ts';
import type { ProjectInfo } from '../../protocol/project.ts';
import { findNodeEnvWrites } from './node-env-writes.ts';
import { dirname, join } from '../../analysis/deployment/paths.ts';
import type { ProjectFiles } from '../../analysis/deployment/project-files.ts';

export interface Program {
  /** Its own source files, as absolute paths. */
  files: readonly string[];
  /** Names of the packages (and core modules) that its files load. */
  packages: ReadonlySet<string>;
  /** Whether every import could be resolved. Then a package that is not listed is not loaded. */
  isComplete: boolean;
  /** Whether something in it listens: `createServer(…)`, `.listen(…)`. */
  listens: boolean;
  /** Also true where something that was not read may. */
  rendersViews: boolean;
  /** Whether it turns Express's view cache on or off explicitly. */
  setsViewCache: boolean;
  /** Whether nunjucks keeps its templates only with NODE_ENV=production: `noCache: process.env.NODE_ENV !== 'production'`. */
  tiesTemplateCache: boolean;
  /** How its code sets NODE_ENV to production: certainly, conditionally or in an unknown way, or not at all. */
  setsNodeEnv: 'production' | 'perhaps' | 'no';
  /** `.env` files that it loads into process.env, as absolute paths. */
  envFiles: readonly string[];
}

// The server side of an application has some hundred files. With more, the answer is "not complete"; but the files nearest to the entry,
// which come first, set up the views.
const MAX_FILES = 400;
// A file longer than this is a bundle.
const MAX_LENGTH = 600_000;

const IMPORT =
  /\brequire\s*\(\s*(['"`])([^'"`$\n]+)\1\s*[,)]|\b(?:import|export)\s+(type\s+)?(?:[\w$*\s{},]{1,4000}?\s+from\s*|)(['"])([^'"\n]+)\4|\bimport\s*\(\s*(['"`])([^'"`$\n]+)\6|\bfrom\s*(['"])([^'"\n]+)\8/g;
const DYNAMIC_IMPORT = /\b(?:require|import)\s*\(\s*(?!(['"`])[^'"`$\n]+\1\s*[,)])[^)\s]/;
const STRING_OR_COMMENT = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[\s\S])*`|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;
const MENTIONS_WRITE = /NODE_ENV['"]?\]?\s*(?:\|\|=|\?\?=|=(?![=>]))/;
const TIED_CACHE = /\bnoCache\s{0,8}:[^,\n{}]{0,60}\bNODE_ENV\b[^,\n{}]{0,20}!==?\s{0,8}['"`]production\b/;
const BULK_WRITE = /\bObject\.assign\s*\(\s*process\.env\b[\s\S]{0,2000}?NODE_ENV\b|\bprocess\.env\s*=[^=][\s\S]{0,2000}?NODE_ENV\b/;
const ENV_FILE_LOADERS: ReadonlySet<string> = new Set([
  'dotenv',
  'dotenv-flow',
  'dotenv-safe',
  'dotenv-expand',
  'dotenv-defaults',
  'dotenv-extended',
  'dotenv-override',
  '@dotenvx/dotenvx',
  'custom-env',
  '@nestjs/config',
  'env2',
  'node-env-file',
  'envdotjs',
  'dotenv-cli',
  '@dotenv-run/load',
  'node-env-run',
]);
const ENV_FILE_NAME = /['"`/]((?:[\w.-]+\/){0,20}[\w-]*\.env(?:[.-][\w-]+)?|[\w-]+\.env)['"`]/g;

export function readProgram(
  entry: string,
  preloads: readonly string[],
  folder: string | undefined,
  files: ProjectFiles,
  info: ProjectInfo,
): Program {
  const walk = new Walk(files, info, folder);
  for (const preload of preloads) walk.preload(preload, folder ?? dirname(entry));
  walk.add(entry);
  return walk.run();
}

class Walk {
  readonly #files: ProjectFiles;
  readonly #info: ProjectInfo;
  readonly #folder: string | undefined;
  readonly #queue: string[] = [];
  readonly #seen = new Set<string>();
  readonly #packages = new Set<string>();
  readonly #envFiles = new Set<string>();
  #isComplete = true;
  #isCut = false;
  /** Nobody can name all files. */
  #isOpen = false;
  #listens = false;
  #rendersViews = false;
  #setsViewCache = false;
  #tiesTemplateCache = false;
  #setsNodeEnv: Program['setsNodeEnv'] = 'no';

  constructor(files: ProjectFiles, info: ProjectInfo, folder: string | undefined) {
    this.#files = files;
    this.#info = info;
    this.#folder = folder;
  }

  add(path: string): void {
    if (this.#seen.has(path)) return;
    this.#seen.add(path);
    this.#queue.push(path);
  }

  preload(specifier: string, folder: string): void {
    if (/^[./]/.test(specifier)) {
      const path = this.#files.findModule(join(folder, specifier));
      if (path) this.add(path);
      else this.#isComplete = false;
      return;
    }
    this.#usePackage(specifier, folder);
    if (ENV_FILE_LOADERS.has(packageName(specifier))) this.#envFiles.add(join(folder, '.env'));
  }

  run(): Program {
    for (let path = this.#queue.shift(); path !== undefined; path = this.#queue.shift()) {
      if (this.#seen.size > MAX_FILES) {
        this.#isCut = !this.#isOpen;
        this.#isComplete = false;
        break;
      }
      const text = this.#files.readText(path);
      if (text === undefined || text.length > MAX_LENGTH) this.#isComplete = false;
      else this.#read(path, text);
    }
    return {
      files: [...this.#seen],
      packages: this.#packages,
      isComplete: this.#isComplete,
      listens: this.#listens,
      rendersViews: this.#rendersViews || !(this.#isComplete || this.#isCut),
      setsViewCache: this.#setsViewCache,
      tiesTemplateCache: this.#tiesTemplateCache,
      setsNodeEnv: this.#setsNodeEnv,
      envFiles: [...this.#envFiles],
    };
  }

  #read(path: string, original: string): void {
    if (path.endsWith('.json')) return;
    const text = original.replace(STRING_OR_COMMENT, (part) => (part.startsWith('/') ? ' ' : part));
    for (const match of text.matchAll(IMPORT)) {
      if (match[3]) continue;
      const specifier = match[2] ?? match[5] ?? match[7] ?? match[9];
      if (specifier) this.#follow(specifier, path);
    }
    if (DYNAMIC_IMPORT.test(text)) {
      this.#isComplete = false;
      this.#isOpen = true;
    }
    if (/\.listen\s*\(|\bcreateServer\s*\(/.test(text)) this.#listens = true;
    if (
      /(?<!\b(?:ejs|pug|[Mm]ustache|nunjucks|ReactDOM))\.render\s*\(|['"`]view engine['"`]|\.engine\s*\(|setViewEngine|@Render\(/.test(text)
    )
      this.#rendersViews = true;
    if (/['"`]view cache['"`]/.test(text)) this.#setsViewCache = true;
    if (TIED_CACHE.test(text)) this.#tiesTemplateCache = true;
    if (MENTIONS_WRITE.test(text)) this.#readWrites(path, original);
    if (BULK_WRITE.test(text) && this.#setsNodeEnv === 'no') this.#setsNodeEnv = 'perhaps';
    if (/\bprocess\.loadEnvFile\s*\(/.test(text)) this.#addEnvFiles(path, text);
    if (
      [...this.#packages].some((name) => ENV_FILE_LOADERS.has(name)) &&
      /env/i.test(text) &&
      /dotenv|@nestjs\/config|env2|custom-env|node-env-file/.test(text)
    )
      this.#addEnvFiles(path, text);
  }

  #readWrites(path: string, text: string): void {
    const outcome = parse(path, text);
    if (!outcome.ok) {
      this.#setsNodeEnv = this.#setsNodeEnv === 'production' ? 'production' : 'perhaps';
      return;
    }
    const facts = new Facts(new ModuleIndex(outcome.ast), new Source(path, text), this.#info);
    for (const write of findNodeEnvWrites(facts)) {
      if (write.value !== undefined && write.value !== 'production') continue;
      if (write.value === 'production' && write.isCertain) this.#setsNodeEnv = 'production';
      else if (this.#setsNodeEnv === 'no') this.#setsNodeEnv = 'perhaps';
    }
  }

  #addEnvFiles(path: string, text: string): void {
    const named = [...text.matchAll(ENV_FILE_NAME)].map((match) => match[1] ?? '');
    const folders = [
      dirname(path),
      ...(this.#folder === undefined ? [] : [this.#folder]),
      this.#files.nearestManifest(dirname(path))?.folder ?? dirname(path),
    ];
    for (const name of named.length > 0 ? named : ['.env']) {
      for (const folder of folders) this.#envFiles.add(join(folder, name));
    }
  }

  #follow(specifier: string, from: string): void {
    if (/^\.{1,2}(?:\/|$)/.test(specifier) || specifier.startsWith('/')) {
      if (/\.(?:css|scss|less|svg|png|graphql|gql|html|txt|node|wasm)$/.test(specifier)) return;
      const path = this.#files.findModule(join(dirname(from), specifier));
      if (path) this.add(path);
      else if (!specifier.endsWith('.json')) this.#isComplete = false;
      return;
    }
    if (/^(?:@|~|#)\//.test(specifier) || specifier.startsWith('#')) {
      const folder = this.#files.nearestManifest(dirname(from))?.folder ?? dirname(from);
      const rest = specifier.replace(/^[@~#]\/?/, '');
      const path = this.#files.findModule(join(folder, `src/${rest}`)) ?? this.#files.findModule(join(folder, rest));
      if (path) this.add(path);
      else this.#isComplete = false;
      return;
    }
    this.#usePackage(specifier, dirname(from));
  }

  #usePackage(specifier: string, folder: string): void {
    const name = packageName(specifier);
    const manifest = this.#files.nearestManifest(folder);
    if (manifest && !manifest.dependencies.has(name) && !manifest.devDependencies.has(name) && /\//.test(specifier)) {
      // `import x from 'src/app/x'` with a base folder, or a package of the same workspace.
      const path =
        this.#files.findModule(join(manifest.folder, specifier)) ?? this.#files.findModule(join(manifest.folder, `src/${specifier}`));
      if (path) return this.add(path);
    }
    this.#packages.add(name);
  }
}

function packageName(specifier: string): string {
  const bare = specifier.replace(/^node:/, '');
  const parts = bare.split('/');
  return bare.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? bare);
}
