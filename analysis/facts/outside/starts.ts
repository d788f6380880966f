// What a file loads as soon as it is loaded itself, and which of its functions use the packages that take long to load.
import semver from 'semver';
import { LOAD_TIMES, type LoadTime } from '../../../knowledge/packages/load-times.ts';
import {
  enclosingFunction,
  isCall,
  isFunction,
  isMember,
  memberName,
  parentOf,
  unwrap,
  type FunctionNode,
  type Node,
} from '../../module/ast.ts';
import { walkWithin } from '../../module/module-index.ts';
import type { Binding } from '../bindings.ts';
import { patternIdentifiers } from '../identifiers.ts';
import type { FileRole } from '../file-role.ts';
import type { Facts } from '../index.ts';
import { SeldomPlaces } from './seldom.ts';

export interface PackageLoad {
  /** Of a program that is run and waited for: a name that no package has. */
  name: string;
  isProgram?: true;
  /** The name in the `import`, or the `require`, that runs as soon as the file does; undefined if only a function loads the package. */
  place?: Node;
  /** The functions with uses that most runs may get to; undefined for the top level of the file. */
  uses: readonly (FunctionNode | undefined)[];
  /** Whether it has uses that few runs get to, by what is around them. */
  hasSeldom: boolean;
}

export interface Starts {
  /** Of files of the project that are always loaded. */
  loads: readonly string[];
  packages: readonly PackageLoad[];
  /** The first place that loads anything but parts of Node. */
  first?: Node;
  /** Whether it turns on V8's code cache on disk. */
  cachesCode: boolean;
}

const OWN_PATH = /^(?:[./#~]|@\/)/;
/** https://www.npmjs.com/package/v8-compile-cache and its successor do what Node does since 22.1. */
const CACHES = /^v8-compile-cache(?:-lib)?$/;

export function seldomPlacesOf(facts: Facts): SeldomPlaces {
  return facts.remember('seldom', () => new SeldomPlaces(facts.bindings));
}

export function startsOf(facts: Facts): Starts {
  return facts.remember('starts', () => findStarts(facts));
}

/** What the package takes to load, if the project has a version that was measured. A file without a project has the newest of these. */
export function loadTimeOf(name: string, { project: { manifest } }: Facts): LoadTime | undefined {
  const row = Object.hasOwn(LOAD_TIMES, name) ? LOAD_TIMES[name] : undefined;
  if (!row || !manifest) return row;
  const range = manifest.dependencies[name] ?? manifest.devDependencies[name];
  const major = range === undefined ? undefined : majorOf(range);
  return major !== undefined && major >= row.from && major <= row.to ? row : undefined;
}

function majorOf(range: string): number | undefined {
  try {
    return semver.minVersion(range)?.major;
  } catch {
    // `workspace:*`, `latest`: not known.
    return undefined;
  }
}

interface Load {
  place?: Node;
  isProgram?: true;
  uses: (FunctionNode | undefined)[];
  hasSeldom: boolean;
}

class Loads {
  readonly #facts: Facts;
  readonly #packages = new Map<string, Load>();
  readonly loads = new Set<string>();
  first: Node | undefined;
  cachesCode = false;

  constructor(facts: Facts) {
    this.#facts = facts;
  }

  get packages(): PackageLoad[] {
    return [...this.#packages].map(([name, one]) => ({ name, ...one }));
  }

  /** At the top level. `bindings`: the variables that hold it; undefined if it is used at once. */
  take(specifier: string, place: Node, bindings: readonly Binding[] | undefined): void {
    if (CACHES.test(specifier)) this.cachesCode = true;
    else if (!specifier.startsWith('node:')) this.first ??= place;
    if (OWN_PATH.test(specifier)) this.loads.add(specifier);
    if (!loadTimeOf(specifier, this.#facts)) return;
    const one = this.#of(specifier);
    one.place ??= place;
    const references = (bindings ?? []).flatMap((binding) => this.#facts.bindings.references(binding));
    if (references.length === 0) one.uses.push(undefined);
    for (const reference of references) this.#use(one, reference);
  }

  /** `const revision = execSync('git rev-parse HEAD').toString()`, at the top level. */
  takeProgram(call: Node): void {
    let value = call;
    for (let up = parentOf(value); up && up.type !== 'VariableDeclarator'; value = up, up = parentOf(value))
      if (!isMember(up) && !(up.type === 'CallExpression' && up.callee === value)) return;
    const declarator = parentOf(value);
    if (declarator?.type !== 'VariableDeclarator' || declarator.id.type !== 'Identifier') return;
    const { bindings, source } = this.#facts;
    const binding = bindings.lookUp(declarator.id.name, declarator.id);
    if (!binding || !bindings.isConstant(binding)) return;
    const one = this.#of(`${this.#packages.size} ${source.file}`);
    one.place = call;
    one.isProgram = true;
    for (const reference of bindings.references(binding)) this.#use(one, reference);
  }

  /** Where it is loaded later. */
  takeLate(specifier: string, at: Node): void {
    if (loadTimeOf(specifier, this.#facts)) this.#use(this.#of(specifier), at);
  }

  #of(name: string): Load {
    let one = this.#packages.get(name);
    if (!one) this.#packages.set(name, (one = { uses: [], hasSeldom: false }));
    return one;
  }

  #use(one: { uses: (FunctionNode | undefined)[]; hasSeldom: boolean }, at: Node): void {
    const fn = enclosingFunction(at);
    if (seldomPlacesOf(this.#facts).has(at)) one.hasSeldom = true;
    else if (!one.uses.includes(fn)) one.uses.push(fn);
  }
}

function findStarts(facts: Facts): Starts {
  const { module, bindings, source } = facts;
  const found = new Loads(facts);
  const isTypeScript = /\.[cm]?tsx?$/.test(source.file);
  for (const statement of module.program.body) {
    if (statement.type === 'ImportDeclaration') {
      if (statement.importKind === 'type' || statement.importKind === 'typeof') continue;
      const values = statement.specifiers.filter((one) => one.type !== 'ImportSpecifier' || one.importKind !== 'type');
      const held = values.flatMap(({ local }) => bindings.lookUp(local.name, module.program) ?? []);
      // TypeScript removes imports of which only types are used.
      if (isTypeScript && statement.specifiers.length > 0 && held.every((one) => bindings.references(one).length === 0)) continue;
      found.take(statement.source.value, statement.source, held);
    } else if (statement.type === 'ExportAllDeclaration' || statement.type === 'ExportNamedDeclaration') {
      if (statement.source && statement.exportKind !== 'type') found.take(statement.source.value, statement.source, undefined);
    } else if (statement.type === 'TSImportEqualsDeclaration' && statement.moduleReference.type === 'TSExternalModuleReference') {
      const binding = bindings.lookUp(statement.id.name, module.program);
      if (binding && bindings.references(binding).length > 0)
        found.take(statement.moduleReference.expression.value, statement.moduleReference.expression, [binding]);
    }
  }
  for (const call of module.nodes('CallExpression')) {
    const callee = unwrap(call.callee);
    if (RUNS.test(calleeName(callee)) && !enclosingFunction(call) && !facts.chosenPlaces.has(call)) {
      const origin = facts.origins.moduleMember(callee);
      if (origin?.module === 'child_process' && RUNS.test(origin.path.join('.'))) found.takeProgram(call);
    }
    const first = call.arguments[0] && unwrap(call.arguments[0]);
    const isRequire = callee.type === 'Identifier' && callee.name === 'require' && !bindings.resolve(callee);
    if ((!isRequire && callee.type !== 'Import') || first?.type !== 'StringLiteral') continue;
    takeCall(found, facts, call, first.value);
  }
  if (!found.cachesCode && source.text.includes('enableCompileCache')) found.cachesCode = true;
  const { loads, packages, first, cachesCode } = found;
  return { loads: [...loads], packages, cachesCode, ...(first ? { first } : {}) };
}

const RUNS = /^(?:exec|execFile|spawn)Sync$/;

function calleeName(callee: Node): string {
  return callee.type === 'Identifier' ? callee.name : isMember(callee) ? (memberName(callee) ?? '') : '';
}

function takeCall(found: Loads, facts: Facts, call: Node, specifier: string): void {
  if (enclosingFunction(call) || facts.chosenPlaces.has(call)) {
    found.takeLate(specifier, call);
    return;
  }
  let value = call;
  let parent = parentOf(value);
  while (isMember(parent) && parent.object === value) {
    value = parent;
    parent = parentOf(value);
  }
  if (parent?.type !== 'VariableDeclarator' || parent.init !== value) {
    found.take(specifier, call, undefined);
    return;
  }
  const held = patternIdentifiers(parent.id).map((identifier) => facts.bindings.lookUp(identifier.name, identifier));
  const isConstant = held.every((one): one is Binding => one !== undefined && facts.bindings.isConstant(one));
  found.take(specifier, call, isConstant ? (held as Binding[]) : undefined);
}

/** Roles of files that users start. A script in a folder of tools is started by those who make the program. */
const STARTED: ReadonlySet<FileRole> = new Set(['cli', 'application']);
const BUILT = /^(?:dist|lib|build|out|esm|cjs)\//;

/** Whether users start the file, and wait for what it loads: a `bin` of its package or its source, or a file with a hashbang. */
export function isCommandFile({ role, source, project: { root, manifest } }: Facts): boolean {
  if (!STARTED.has(role)) return false;
  if (/^\uFEFF?#!.*\b(?:node|tsx|ts-node|bun)\b/.test(source.text)) return true;
  const folder = root?.replaceAll('\\', '/').replace(/\/$/, '');
  const path = source.file.replaceAll('\\', '/');
  if (!manifest || folder === undefined || !path.startsWith(`${folder}/`)) return false;
  const stem = (text: string): string => text.replace(/^\.\//, '').replace(/\.[cm]?[jt]sx?$/, '');
  const own = stem(path.slice(folder.length + 1));
  return manifest.bin.some((entry) => {
    const written = stem(entry);
    return own === written || (BUILT.test(written) && ['src/', ''].some((from) => own === written.replace(BUILT, from)));
  });
}

/**
 * Whether a function that calls `app.whenReady()` starts an app of Electron: it also calls `ipcMain.handle`, which throws if the channel has
 * a handler already (https://www.electronjs.org/docs/latest/api/ipc-main). Any other function may wait for an app that has long been ready.
 *
 * @param callee of the call
 */
export function startsElectron({ origins }: Facts, fn: FunctionNode, callee: Node): boolean {
  if (origins.moduleMember(callee)?.module !== 'electron') return false;
  let handles = false;
  walkWithin(fn.body, (node) => {
    if (isFunction(node) || handles) return false;
    const origin = isCall(node) ? origins.moduleMember(node.callee) : undefined;
    if (origin?.module === 'electron' && origin.path.join('.') === 'ipcMain.handle') handles = true;
    return undefined;
  });
  return handles;
}
