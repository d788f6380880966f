// `require` in an ES module, which has none: the call throws, and what it would have loaded never runs.
import { enclosingFunction, isCall, isMember, unwrap, type CallNode, type Node } from '../../../analysis/module/ast.ts';
import type { Facts } from '../../../analysis/facts/index.ts';

/**
 * Whether a call is a member of what the global `require` gives, in a function of an ES module that Node or tsx runs as it is. Checked with
 * Node 20.20 and tsx 4.23: `require is not defined`. (tsx has it in a module that a CommonJS module loads, so that the package must also be
 * the one that is started.) Bundlers may give it, and so may other loaders.
 */
export function isOfMissingRequire(call: CallNode, facts: Facts): boolean {
  if (!facts.source.text.includes('require(') || !/\bexport\b|\bimport\b/.test(facts.source.text)) return false;
  const callee = unwrap(call.callee);
  const object = isMember(callee) ? unwrap(callee.object) : callee;
  const declaration = object.type === 'Identifier' ? facts.bindings.resolve(object)?.declaration : undefined;
  const loaded = unwrap(declaration?.type === 'VariableDeclarator' && declaration.init ? declaration.init : object);
  const load = isMember(loaded) ? unwrap(loaded.object) : loaded;
  return isGlobalRequire(load, facts) && enclosingFunction(load) !== undefined && isRunAsModule(facts);
}

function isGlobalRequire(node: Node, { bindings }: Facts): boolean {
  if (!isCall(node)) return false;
  const callee = unwrap(node.callee);
  return callee.type === 'Identifier' && callee.name === 'require' && bindings.isGlobal(callee);
}

/** `tsx src/index.ts`, `node --import tsx src/index.ts`: the sources themselves. No `-r hook`, which may make a global of it. */
const RUNS_SOURCE =
  /\b(?:tsx|node)(?: watch)?(?: --?(?!r\b|require\b|loader\b|experimental-loader\b)[\w-]+(?:[= ](?:tsx|[\w./-]+\.(?:json|env)))?)* [\w./-]+\.m?ts\s*$/;
const RUNS_SCRIPT = /\bnode(?: --(?!import\b|require\b|loader\b|experimental-loader\b)[\w-]+(?:=[\w./-]+)?)* [\w./-]+(?<!\.cjs)\s*$/;
/** Of Node's options: a module that runs first. */
const LOADS_MORE = /--(?:import|require|loader|experimental-loader)\b|-r\b/;
/** Whatever may write another kind of module than the source is, or add a `require` to it. */
const BUNDLERS =
  /\b(?:esbuild|webpack|rollup|rolldown|rspack|tsup|tsdown|unbuild|ncc|pkgroll|microbundle|parcel|swc|babel|bun|ts-node|jiti|nest|next|nuxt|nitro|remix|astro|electron|wrangler|serverless|turbo|nx|--ssr)\b/;

/** Whether the package says that its files are ES modules, and that Node or tsx starts them without a bundler. */
function isRunAsModule({ project: { manifest }, source: { file, text } }: Facts): boolean {
  const extension = /\.([cm]?)[jt]sx?$/i.exec(file)?.[1]?.toLowerCase();
  if (!manifest || extension === undefined || extension === 'c' || /\b(?:globalThis|global)\.require\b/.test(text)) return false;
  if (manifest.type !== 'module') return false;
  const script = manifest.scripts.start ?? '';
  const start = script.split(/&&|;/).at(-1) ?? '';
  if (start.length > LONGEST_SCRIPT || (script.includes('NODE_OPTIONS') && LOADS_MORE.test(script))) return false;
  return RUNS_SOURCE.test(start) || (RUNS_SCRIPT.test(start) && !mayBundle(manifest));
}

/** Whether a script names a bundler, or one is installed and a script builds, such as `node build.mjs`. */
function mayBundle({ scripts, dependencies, devDependencies }: NonNullable<Facts['project']['manifest']>): boolean {
  if (Object.values(scripts).some((script) => BUNDLERS.test(script))) return true;
  return (
    BUILDS.test(Object.keys(scripts).join(' ')) && [dependencies, devDependencies].some((all) => BUNDLERS.test(Object.keys(all).join(' ')))
  );
}

const BUILDS = /build|bundle|compile|pack|prepare|prestart|postinstall|dist|release|deploy/i;

/** Our choice: a longer one does more than start a program. */
const LONGEST_SCRIPT = 300;
