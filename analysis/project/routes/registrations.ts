// Which functions are registered for which routes. If a function registers its arguments, each of its calls counts; if a loop registers the
// rows of a table, each row does. What a call such as `app.get('/', show)` registers within its file is found by
// facts/handlers/registrations.ts.
import { mayNameModel } from '../../facts/outside/bulk-creates.ts';
import { PassedFunctions } from './registered-functions.ts';
import type { LinkedProject } from '../calls/linked-project.ts';
import { Routes } from './routes.ts';
import { ELEMENT, ObjectKind, siteSpan, type Root, type RoutePart } from '../summary/format.ts';
import type { CallRecord } from '../points-to/tasks.ts';

/**
 * The depth of functions that pass a registration on. In practice a registering function has at most one around it, which gets the texts.
 */
const MAX_DEPTH = 3;
/** How many routes one registration in a function may stand for. With more, they are not told apart. */
const MOST_USES = 2000;
const METHODS: Readonly<Record<string, string>> = { DEL: 'DELETE', ANY: 'ALL', '*': 'ALL' };

export interface RootUse {
  /** With the route as a client writes it, and the most specific place. */
  root: Root;
  /** As in the summary of the file. */
  own: Root;
  /** Number of the file that contains the place. */
  file: number;
  fn: number;
  /** Number of the call site that is the place, if it is not the registration itself; otherwise -1. */
  site: number;
}

/** A node, or a member of the objects in a node. */
interface Spot {
  base: number;
  name?: number;
  /** The node of the member itself, if it has one. */
  node?: number;
}

interface Use {
  handlers: readonly Spot[];
  /** Arguments of wrappers that are handlers: `wrap(show)`. */
  wrapped: readonly Spot[];
  method: string | Spot | undefined;
  path: readonly (string | Spot)[];
  app: Spot | undefined;
  site: number;
  /** Whether the handlers or the wrapped functions are those of one caller or row. */
  isResolved: boolean;
  isAppResolved: boolean;
  callers: readonly { owner: number; call: CallRecord }[];
}

/** Numbers of files whose handlers may not be in use. */
export interface IdleFiles {
  /** Those that a line names which is commented out. */
  off: ReadonlySet<number>;
  /** Those that the program does not load. */
  unloaded: ReadonlySet<number>;
  /** Those that are loaded, but whose exports nobody uses. */
  untaken: ReadonlySet<number>;
  /** Those that a program that serves loads. */
  served: ReadonlySet<number>;
  /** Those that ask for data of the request, or load what does. */
  asking: ReadonlySet<number>;
}

export function rootsOf(linked: LinkedProject, idle: IdleFiles): RootUse[] {
  return new Registrations(linked, idle).roots();
}

/** Takes the new roots and call positions of a file in which only positions changed. */
export function refresh(use: RootUse, renewed: ReadonlyMap<Root, Root | undefined>, linked: LinkedProject): void {
  const own = renewed.get(use.own) ?? use.own;
  const { route } = use.root;
  use.own = own;
  use.root = { ...own, ...(route === undefined ? {} : { route }), ...(use.site < 0 ? {} : spanOf(linked, use.site)) };
}

class Registrations {
  readonly #linked: LinkedProject;
  readonly #routes: Routes;
  readonly #idle: IdleFiles;
  readonly #found: RootUse[] = [];
  readonly #seen = new Set<string>();
  readonly #functions: PassedFunctions;
  readonly #routed = new Set<number>();
  /** Calls of function f: from `first[f]` to `first[f + 1]`. */
  readonly #first: Int32Array;
  readonly #calls: Int32Array;
  readonly #element: number;
  /** By call: the functions that it passes. */
  readonly #passedByCall = new Map<CallRecord, ReadonlySet<number>>();
  /** By function: the functions that its callers pass to it. */
  readonly #passedTo = new Map<number, Set<number>>();
  /** By place: functions whose routes are resolved there by callers or rows. */
  readonly #resolvedAt = new Map<string, Set<number>>();

  constructor(linked: LinkedProject, idle: IdleFiles) {
    this.#linked = linked;
    this.#idle = idle;
    this.#routes = new Routes(linked, idle.unloaded);
    this.#first = linked.callers.first;
    this.#calls = linked.callers.calls;
    this.#functions = new PassedFunctions(linked);
    this.#element = linked.numbering.findName(ELEMENT) ?? -3;
  }

  roots(): RootUse[] {
    this.#linked.numbering.files.forEach(({ summary }, file) => {
      if (this.#idle.unloaded.has(file)) return;
      for (const root of summary.roots)
        if (
          !root.developmentOnly &&
          !this.#isBuilt(root, file) &&
          !this.#isUnused(root, file) &&
          !this.#isMadeForUnloaded(root, file) &&
          !this.#isSwitchedOff(root, file)
        )
          this.#read(root, file);
      if (this.#idle.served.has(file)) for (const timer of summary.timers ?? []) if (!this.#isUnused(timer, file)) this.#read(timer, file);
    });
    return this.#found.filter((use) => !this.#isResolvedElsewhere(use));
  }

  /** Whether only the build runs it. */
  #isBuilt({ interval }: Root, file: number): boolean {
    return interval === 0 && !this.#idle.asking.has(file);
  }

  /** Whether nothing calls the exported function that registers it, and no other file names it. */
  #isUnused({ onlyIn, kind, fn: own, isOnlyExported }: Root, file: number): boolean {
    const { numbering } = this.#linked;
    const isUntaken = kind === 'signature' && isOnlyExported === true && own !== undefined && this.#idle.untaken.has(file);
    if (onlyIn === undefined && !isUntaken) return false;
    // Without a route in the program, something else may call what looks like a handler.
    if (kind === 'signature' && !numbering.files.some(({ summary }) => summary.roots.some((root) => root.kind === 'route'))) return false;
    if (isUntaken && this.#isUncalled(own + (numbering.files[file]?.fn ?? 0))) return true;
    if (onlyIn === undefined) return false;
    const fn = onlyIn.fn + (numbering.files[file]?.fn ?? 0);
    if (!this.#isUncalled(fn)) return false;
    const name = numbering.findName(onlyIn.name);
    return name === undefined || !numbering.files.some(({ names }, other) => other !== file && names.includes(name));
  }

  /**
   * `export function sanitize() { return (req, res, next) => … }`: whether all calls of the function around it are in files that are not
   * loaded, and no other file names it, to pass it on.
   */
  #isMadeForUnloaded({ kind, fn: own }: Root, file: number): boolean {
    if (kind !== 'signature' || own === undefined || this.#idle.unloaded.size === 0) return false;
    const { numbering, solver } = this.#linked;
    const maker = solver.functions.outerOf(own + (numbering.files[file]?.fn ?? 0));
    if (maker < 0 || this.#isUncalled(maker)) return false;
    for (let k = this.#first[maker] as number; k < (this.#first[maker + 1] as number); k++)
      if (!this.#idle.unloaded.has(fileOf(this.#linked, (solver.calls[this.#calls[k] as number] as CallRecord).site))) return false;
    return this.#isNamedByUnloadedOnly(maker, file);
  }

  /** Whether a function is a property of something, and no file that is loaded names such a property, besides its own. */
  #isNamedByUnloadedOnly(fn: number, file: number): boolean {
    const { numbering, solver } = this.#linked;
    const { all } = solver.fields;
    const names = new Set<number>();
    for (let i = 0; i < all.length; i += 3)
      if (solver.objectsIn(all[i + 2] as number).some((one) => solver.kinds[one] === ObjectKind.Function && solver.objectFn[one] === fn))
        names.add(all[i + 1] as number);
    if (names.size === 0 || names.has(this.#element)) return false;
    return numbering.files.every(
      (one, other) => other === file || this.#idle.unloaded.has(other) || !one.names.some((name) => names.has(name)),
    );
  }

  #isUncalled(fn: number): boolean {
    return this.#first[fn] === this.#first[fn + 1];
  }

  /** Whether nothing mounts the router of a file, and what did is commented out, or the name of its import is all that is left. */
  #isSwitchedOff({ isOfRouter, isOnlyExported, app }: Root, file: number): boolean {
    if (!isOfRouter || app === undefined) return false;
    if (!this.#idle.off.has(file) && !(isOnlyExported && this.#idle.untaken.has(file))) return false;
    return !this.#routes.isMounted(app + (this.#linked.numbering.files[file]?.node ?? 0));
  }

  #read(root: Root, file: number): void {
    const { node: base, fn: fnBase } = this.#linked.numbering.files[file] as LinkedProject['numbering']['files'][number];
    const place = `${file} ${root.start}`;
    const direct = new Set<number>();
    if (root.fn !== undefined) direct.add(root.fn + fnBase);
    if (root.node !== undefined)
      for (const from of this.#argumentsFor(root.node + base)) for (const fn of this.#functions.in(from, root)) direct.add(fn);
    const resolved = new Set<number>();
    if (root.kind === 'route') {
      const start: Use = {
        handlers: root.node === undefined ? [] : [this.#spot(root.node + base)],
        wrapped: (root.wrapped ?? []).map((node) => this.#spot(node + base)),
        method: root.parts ? this.#part(root.parts.method, base) : undefined,
        path: (root.parts?.path ?? []).map((part) => this.#part(part, base)),
        app: root.app === undefined ? undefined : this.#spot(root.app + base),
        site: -1,
        isResolved: false,
        isAppResolved: false,
        callers: [],
      };
      const uses = this.#expand(start, 0);
      if (uses.length <= MOST_USES)
        for (const use of uses)
          if (use.isResolved || use.isAppResolved || use.path.length > 0) this.#take(root, file, use, direct, resolved);
    }
    if (resolved.size > 0) this.#resolvedAt.set(place, new Set([...(this.#resolvedAt.get(place) ?? []), ...resolved]));
    if (root.isDeep && root.framework === 'graphql' && root.node !== undefined)
      for (const from of this.#argumentsFor(root.node + base))
        for (const [fn, field] of this.#functions.fieldsIn(from, root)) {
          resolved.add(fn);
          // The fields of one type, whose name is known where the table is used.
          const type = root.route === undefined || field.includes('.') ? 'FIELD ' : `${root.route}.`;
          this.#add(root, file, -1, fn, `${type}${field}`, undefined, file);
        }
    const route = root.isDeep && root.framework === 'graphql' ? undefined : root.route;
    for (const fn of direct)
      if (!resolved.has(fn) && !this.#isNeverRun(root, fn))
        this.#add(root, file, -1, fn, route, root.app === undefined ? undefined : root.app + base, file);
  }

  /** A hook of a model that nothing creates in bulk. */
  #isNeverRun({ model }: Root, fn: number): boolean {
    if (model === undefined) return false;
    const { numbering, solver } = this.#linked;
    if (!/^(?:before|after)BulkCreate$/.test(numbering.names[solver.functions.nameOf(fn)] ?? '')) return false;
    // A name of no model may stand for any: `const Member = require('./user')(sequelize)`.
    const models = numbering.files.flatMap(({ summary }) => summary.roots.flatMap((root) => root.model ?? []));
    const isAnother = (name: string): boolean => !mayNameModel(name, model) && models.some((one) => mayNameModel(name, one));
    return numbering.files.every(({ summary }) => (summary.bulk ?? []).every(isAnother));
  }

  /** One registration for each caller of the enclosing function, if it depends on what the callers pass. */
  #expand(use: Use, depth: number): Use[] {
    const owner = depth < MAX_DEPTH ? this.#ownerOf(use) : -1;
    if (owner < 0) return [use];
    const { solver } = this.#linked;
    const from = solver.functions.firstParameterOf(owner);
    const uses: Use[] = [];
    for (let k = this.#first[owner] as number; k < (this.#first[owner + 1] as number) && uses.length <= MOST_USES; k++) {
      const call = solver.calls[this.#calls[k] as number] as CallRecord;
      const handlers = use.handlers.flatMap((spot) => this.#argumentSpots(spot, owner, from, call));
      const wrapped = use.wrapped.flatMap((spot) => this.#argumentSpots(spot, owner, from, call));
      const text = (part: string | Spot): string | Spot => this.#textFromArguments(part, owner, from, call);
      const path = use.path.map(text);
      const app = use.app && this.#argumentSpots(use.app, owner, from, call)[0];
      const isPathResolved = isOther(path, use.path);
      const isResolved = isPathResolved || isOther(handlers, use.handlers) || isOther(wrapped, use.wrapped);
      // The place that names the path, or else the one that passes the handler.
      const isPlace = (isPathResolved || (isResolved && use.site < 0)) && spanOf(this.#linked, call.site).start >= 0;
      uses.push(
        ...this.#expand(
          {
            handlers,
            wrapped,
            method: use.method === undefined ? undefined : text(use.method),
            path,
            app,
            site: isPlace ? call.site : use.site,
            isResolved: use.isResolved || isResolved,
            isAppResolved: use.isAppResolved || app !== use.app,
            callers: [...use.callers, { owner, call }],
          },
          depth + 1,
        ),
      );
    }
    return uses.length > 0 ? uses : [use];
  }

  /** The function on whose parameters a use depends. */
  #ownerOf({ handlers, wrapped, path, method, app }: Use): number {
    const { owners } = this.#linked;
    for (const spot of [...handlers, ...wrapped, ...path, method, app]) {
      if (typeof spot !== 'object') continue;
      const owner = owners[this.#parameter(spot.base)] ?? -1;
      if (owner >= 0 && (this.#first[owner + 1] as number) > (this.#first[owner] as number)) return owner;
    }
    return -1;
  }

  /** The list of a rest parameter counts as the parameter. */
  #parameter(node: number): number {
    return this.#linked.tables.rests.get(node) ?? node;
  }

  #argumentSpots(spot: Spot, owner: number, from: number, call: CallRecord): Spot[] {
    const parameter = this.#parameter(spot.base);
    if ((this.#linked.owners[parameter] ?? -1) !== owner) return [spot];
    const index = parameter - from;
    if (parameter === spot.base) {
      const arg = call.args[index] ?? 0;
      return arg <= 0 ? [] : [spot.name === undefined ? this.#spot(arg) : { base: arg, name: spot.name }];
    }
    // `(...args)`: one position in the list, or any of them.
    const place = spot.name === undefined ? undefined : /^\[(\d)\]$/.exec(this.#linked.numbering.names[spot.name] ?? '')?.[1];
    const args = place === undefined ? call.args.slice(index) : call.args.slice(index + Number(place), index + Number(place) + 1);
    return args.flatMap((arg) => (arg > 0 ? [this.#spot(arg)] : []));
  }

  #textFromArguments(part: string | Spot, owner: number, from: number, call: CallRecord): string | Spot {
    if (typeof part === 'string') return part;
    const parameter = this.#parameter(part.base);
    if ((this.#linked.owners[parameter] ?? -1) !== owner) return part;
    const place =
      parameter === part.base
        ? part.name === undefined
          ? 0
          : undefined
        : Number(/^\[(\d)\]$/.exec(this.#linked.numbering.names[part.name ?? -1] ?? '')?.[1] ?? Number.NaN);
    const text = place === undefined ? undefined : call.texts?.get(parameter - from + place);
    return text ?? this.#argumentSpots(part, owner, from, call)[0] ?? { base: 0 };
  }

  #take(root: Root, file: number, use: Use, direct: ReadonlySet<number>, resolved: Set<number>): void {
    const place = use.site < 0 ? file : fileOf(this.#linked, use.site);
    // A wrapped function is known for each caller. The result of the wrapper is known only for all callers together.
    const spots = use.wrapped.length > 0 && use.isResolved ? use.wrapped : [...use.handlers, ...use.wrapped];
    const add = (fn: number, route: string | undefined): void => {
      if (use.path.length > 0 && route === undefined && !use.isResolved) return;
      // That a caller passes the application tells nothing of the route.
      if (route !== undefined || use.isResolved) resolved.add(fn);
      this.#add(root, place, use.site, fn, route, use.app && (use.app.node ?? use.app.base), use.isAppResolved ? -1 : file);
    };
    const rows = new Set<number>();
    for (const spot of use.path)
      if (typeof spot === 'object' && spot.name !== undefined) for (const row of this.#rowsIn(spot.base)) rows.add(row);
    if (rows.size === 0) {
      const route = root.route ?? routeOf(use.method, use.path);
      for (const spot of spots) for (const fn of this.#functionsAt(spot, root)) if (!this.#isOthers(fn, use)) add(fn, route);
      if (spots.length === 0 || (root.fn !== undefined && !use.isResolved)) for (const fn of direct) add(fn, route);
      return;
    }
    for (const row of rows) {
      const texts = this.#linked.tables.texts.get(row);
      const read = (part: string | Spot): string | Spot =>
        typeof part === 'object' && part.name !== undefined ? (texts?.get(part.name) ?? part) : part;
      const route = routeOf(use.method === undefined ? undefined : read(use.method), use.path.map(read));
      if (route === undefined) continue;
      for (const { base, name } of [...use.handlers, ...use.wrapped]) {
        const isOfRow = name !== undefined && this.#rowsIn(base).has(row);
        const nodes = isOfRow ? this.#members(row, name) : [];
        for (const node of nodes) for (const fn of this.#functions.in(node, root)) add(fn, route);
      }
    }
  }

  /** The rows that a node may be: its points-to set, and all rows of the list that it is read from, which may exceed the limit of a set. */
  #rowsIn(node: number): Set<number> {
    const { solver, tables } = this.#linked;
    const rows = new Set(solver.objectsIn(node).filter((object) => tables.texts.has(object)));
    for (const from of this.#argumentsFor(node)) {
      const { base, name } = this.#spot(from);
      if (name === this.#element) for (const list of solver.objectsIn(base)) for (const row of tables.rows.get(list) ?? []) rows.add(row);
    }
    return rows;
  }

  /** Whether other callers pass a function and this one does not. Then it got here on a path that does not tell callers apart. */
  #isOthers(fn: number, { callers }: Use): boolean {
    return callers.some(({ owner, call }) => this.#functionsPassedTo(owner).has(fn) && !this.#functionsPassedBy(call).has(fn));
  }

  #functionsPassedTo(owner: number): ReadonlySet<number> {
    let passed = this.#passedTo.get(owner);
    if (passed) return passed;
    this.#passedTo.set(owner, (passed = new Set()));
    for (let k = this.#first[owner] as number; k < (this.#first[owner + 1] as number); k++)
      for (const fn of this.#functionsPassedBy(this.#linked.solver.calls[this.#calls[k] as number] as CallRecord)) passed.add(fn);
    return passed;
  }

  #functionsPassedBy(call: CallRecord): ReadonlySet<number> {
    let passed = this.#passedByCall.get(call);
    if (!passed) this.#passedByCall.set(call, (passed = new Set(call.args.flatMap((arg) => this.#functions.in(Math.abs(arg))))));
    return passed;
  }

  #functionsAt({ base, name }: Spot, root: Root): readonly number[] {
    if (name === undefined) return this.#functions.in(base, root);
    const found = new Set<number>();
    for (const object of this.#linked.solver.objectsIn(base))
      for (const node of this.#members(object, name)) for (const fn of this.#functions.in(node, root)) found.add(fn);
    return [...found];
  }

  #members(object: number, name: number): number[] {
    const { solver } = this.#linked;
    const fields = solver.fieldsOf(object);
    const found: number[] = [];
    // For an array, a value with an unknown position may be at any.
    for (let i = 0; i < fields.length; i += 2)
      if (fields[i + 1] === name || (name < 0 && solver.kinds[object] !== ObjectKind.Exports)) found.push(fields[i] as number);
    if (found.length === 0 && solver.kinds[object] === ObjectKind.Array)
      for (let i = 0; i < fields.length; i += 2) if (fields[i + 1] === this.#element) found.push(fields[i] as number);
    return found;
  }

  #spot(node: number): Spot {
    const { base, name } = this.#linked.tables.loads;
    const from = base[node] ?? 0;
    return from === 0 ? { base: node } : { base: from, name: name[node] as number, node };
  }

  #part(part: RoutePart, base: number): string | Spot {
    return typeof part === 'string' ? part : this.#spot(part + base);
  }

  #add(own: Root, file: number, site: number, fn: number, route: string | undefined, app: number | undefined, mountedIn: number): void {
    const span = site < 0 ? {} : spanOf(this.#linked, site);
    for (const full of this.#routes.full(own, route, app, mountedIn)) {
      const key = `${fn} ${own.kind === 'signature' ? 's' : ''} ${full ?? ''}`;
      if (this.#seen.has(key)) continue;
      this.#seen.add(key);
      if (full !== undefined && own.kind === 'route') this.#routed.add(fn);
      this.#found.push({ root: { ...own, ...(full === undefined ? {} : { route: full }), ...span }, own, file, fn, site });
    }
  }

  /** Whether a registration lacks its route or its method, and another one at the same place knows more. */
  #isResolvedElsewhere({ own, root, file, fn, site }: RootUse): boolean {
    if (own.kind !== 'route' || (root.route !== undefined && /^[A-Z|]+ /.test(root.route))) return false;
    // It came out of a wrapper or a table on a path that does not tell routes apart.
    if (root.route === undefined && own.parts && this.#routed.has(fn)) return true;
    if (site < 0 && root.route === undefined && this.#resolvedAt.get(`${file} ${own.start}`)?.has(fn)) return true;
    return this.#better.get(`${fn} ${file} ${root.start}`) === true;
  }

  get #better(): ReadonlyMap<string, boolean> {
    return (this.#betterPlaces ??= new Map(
      this.#found.flatMap(({ root, file, fn }) =>
        root.route !== undefined && /^[A-Z|]+ /.test(root.route) ? [[`${fn} ${file} ${root.start}`, true] as const] : [],
      ),
    ));
  }

  #betterPlaces: ReadonlyMap<string, boolean> | undefined;

  /** The parameter of a registering function may be a hundred handlers, more than a set holds. So the argument of each call counts. */
  #argumentsFor(node: number): Set<number> {
    const nodes = new Set([node]);
    const { owners, solver } = this.#linked;
    for (const one of nodes) {
      const owner = owners[one] ?? -1;
      if (owner < 0) continue;
      const index = one - solver.functions.firstParameterOf(owner);
      const last = solver.functions.parameterCountOf(owner) - 1;
      for (let k = this.#first[owner] as number; k < (this.#first[owner + 1] as number); k++) {
        const { args } = solver.calls[this.#calls[k] as number] as CallRecord;
        for (let i = index; i < (index === last ? args.length : index + 1); i++) if (args[i]) nodes.add(Math.abs(args[i] as number));
      }
    }
    return nodes;
  }
}

function isOther(a: readonly (string | Spot)[], b: readonly (string | Spot)[]): boolean {
  return a.length !== b.length || a.some((one, i) => one !== b[i]);
}

function routeOf(method: string | Spot | undefined, path: readonly (string | Spot)[]): string | undefined {
  if (typeof method !== 'string' || path.length === 0 || !path.every((part) => typeof part === 'string')) return undefined;
  const name = method.toUpperCase();
  const text = path
    .join('')
    .replace(/\/\/+/g, '/')
    .replace(/(.)\/$/, '$1');
  return name === 'USE' ? undefined : `${METHODS[name] ?? name} ${text.startsWith('/') || text.startsWith('*') ? text : `/${text}`}`;
}

function fileOf({ numbering: { files } }: LinkedProject, site: number): number {
  let low = 0;
  let high = files.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((files[middle]?.site ?? 0) <= site) low = middle;
    else high = middle - 1;
  }
  return low;
}

function spanOf(linked: LinkedProject, site: number): { start: number; end: number } {
  const {
    summary: { sites },
    site: base,
  } = linked.numbering.files[fileOf(linked, site)] as LinkedProject['numbering']['files'][number];
  return siteSpan(sites, site - base);
}
