// Routes as a client writes them: what the file of a router registers, below every path that other files mount the router at.
import type { RouteBase } from '../../facts/handlers/bases.ts';
import { joinPaths } from '../../facts/handlers/route-paths.ts';
import { WholeKind } from '../points-to/numbering.ts';
import type { LinkedProject } from '../calls/linked-project.ts';
import { ObjectKind, type Root } from '../summary/format.ts';

interface Parent {
  /** Node of the application or router that it is mounted on. */
  node: number;
  /** Node of what is mounted. */
  child: number;
  path: string;
  file: number;
}

// `app`, `/api`, `/v1`, `/users`: real programs have two to four levels.
const MAX_DEPTH = 8;

// A router with more mounts than this is shared by everything.
const MOST_PLACES = 12;

/** How many ways up to follow. Routers that are mounted on each other multiply them. */
const MOST_WAYS = 400;

/** Nodes that a router is followed to. */
const MOST_REACHED = 2000;

/** A way up from a router, as far as it has been followed. */
interface Way {
  node: number;
  /** The mount that led here, and the way below it. */
  mount: Parent | undefined;
  below: Way | undefined;
  /** All mounts of this router. */
  parents: readonly Parent[];
  depth: number;
}

export class Routes {
  readonly #solver: LinkedProject['solver'];
  readonly #files: LinkedProject['numbering']['files'];
  readonly #bases: (RouteBase & { file: string })[] = [];
  readonly #byObject = new Map<number, Parent[]>();
  /** For plugins: by the node of the parameter that is their application. */
  readonly #byNode = new Map<number, Parent[]>();
  /** By the node of a router. */
  readonly #ofNode = new Map<number, readonly Parent[]>();
  /** In the order of their first mounts. */
  readonly #orders = new Map<readonly Parent[], number>();
  /** The prefixes above nodes, for the routes of one file. */
  readonly #above = new Map<number, readonly string[]>();
  #aboveFor = -1;

  /** `unloaded`: files that the program does not load, and whose mounts it does not make. */
  constructor({ solver, mounts, numbering }: LinkedProject, unloaded: ReadonlySet<number>) {
    this.#solver = solver;
    this.#files = numbering.files;
    for (const {
      summary: { base, file },
    } of numbering.files)
      if (base) this.#bases.push({ ...base, file: file.replaceAll('\\', '/') });
    for (const { file, parent, path, child } of mounts) {
      if (unloaded.has(file)) continue;
      for (const object of solver.objectsIn(child)) {
        const kind = solver.kinds[object];
        if (kind === WholeKind.Result) this.#put(this.#byObject, object, { node: parent, child, path, file });
        else if (kind === ObjectKind.Function) {
          const first = solver.functions.parameterOf(solver.objectFn[object] as number, 0);
          if (first !== 0) this.#put(this.#byNode, first, { node: parent, child, path, file });
        }
      }
    }
  }

  /**
   * A route at every place where its router is mounted. `app`: the node that it is registered on. `file`: the route already includes the
   * mounts in this file.
   */
  full(root: Root, route: string | undefined, app: number | undefined, file: number): readonly (string | undefined)[] {
    const { kind } = root;
    const based = route === undefined || this.#bases.length === 0 ? undefined : this.#based(root, route, file);
    if (based) return based;
    if (route === undefined || app === undefined || kind === 'socket') return [route];
    const [, method = '', paths = route] = /^([A-Z|]+ )?(.*)$/s.exec(route) ?? [];
    if (file !== this.#aboveFor) this.#above.clear();
    this.#aboveFor = file;
    return this.#prefixes(app, file).map((prefix) =>
      prefix === ''
        ? route
        : `${method}${paths
            .split(', ')
            .map((path) => joinPaths(prefix, path) || '/')
            .join(', ')}`,
    );
  }

  /** Whether something puts a router somewhere. */
  isMounted(app: number): boolean {
    return this.#parentsOf(app).length > 0;
  }

  /** `GET /users` of a controller in an application with the prefix `/api` and versions: `GET /api/v1/users`. */
  #based({ framework, versions }: Root, route: string, file: number): readonly string[] | undefined {
    const [, method, path] = /^([A-Z|]+ )(\/.*)$/s.exec(route) ?? [];
    const base = method === undefined ? undefined : this.#baseOf(framework, file);
    if (!base || method === undefined || path === undefined) return undefined;
    const paths = path.split(', ');
    const { version, prefix, excluded } = base;
    const named = version ? (versions ?? version.usual) : [];
    return (named.length > 0 ? named : ['']).map(
      (one) =>
        method +
        paths
          .map(
            (own) =>
              joinPaths(joinPaths(excluded.includes(own) ? '' : prefix, one === '' ? '' : `/${version?.prefix ?? ''}${one}`), own) || '/',
          )
          .join(', '),
    );
  }

  /** Of several applications in one project, the nearest. */
  #baseOf(framework: string, file: number): RouteBase | undefined {
    const own = this.#files[file]?.summary.file.replaceAll('\\', '/') ?? '';
    let best: { base: RouteBase; shared: number } | undefined;
    for (const base of this.#bases) {
      if (base.framework !== framework) continue;
      const shared = sharedFolders(base.file, own);
      if (!best || shared > best.shared) best = { base, shared };
    }
    return best?.base;
  }

  #prefixes(node: number, file: number): readonly string[] {
    let prefixes = this.#above.get(node);
    if (!prefixes) this.#above.set(node, (prefixes = this.#prefixesAbove(node, file)));
    return prefixes;
  }

  /** Breadth first, to find the shortest prefixes. A router is never above itself. */
  #prefixesAbove(node: number, file: number): readonly string[] {
    const found = new Set<string>();
    const ways: Way[] = [{ node, mount: undefined, below: undefined, parents: this.#parentsOf(node), depth: 0 }];
    for (const way of ways) {
      if (way.parents.length === 0 || way.depth > MAX_DEPTH) found.add(prefixOf(way, file));
      if (found.size >= MOST_PLACES || way.depth > MAX_DEPTH) continue;
      for (const mount of way.parents) {
        if (ways.length >= MOST_WAYS) break;
        const parents = this.#parentsOf(mount.node);
        if (!isOn(way, mount.node, parents)) ways.push({ node: mount.node, mount, below: way, parents, depth: way.depth + 1 });
      }
    }
    return found.size === 0 ? [''] : [...found].slice(0, MOST_PLACES);
  }

  /** Of several routers in a node, those of the first one mounted. */
  #parentsOf(node: number): readonly Parent[] {
    const known = this.#byNode.get(node) ?? this.#ofNode.get(node);
    if (known) return known;
    let found: readonly Parent[] | undefined;
    for (const object of this.#solver.objectsIn(node)) {
      const parents = this.#byObject.get(object);
      if (parents && (!found || (this.#orders.get(parents) ?? 0) < (this.#orders.get(found) ?? 0))) found = parents;
    }
    found = found && found.length > 1 ? this.#reached(node, found) : (found ?? []);
    this.#ofNode.set(node, found);
    return found;
  }

  /**
   * Routers that one function makes are one object: of its mounts, those that the router of this node gets to. All of them where it gets to
   * none, or too far to tell.
   */
  #reached(node: number, parents: readonly Parent[]): readonly Parent[] {
    const seen = new Set([node]);
    for (const at of seen) {
      if (seen.size > MOST_REACHED) return parents;
      for (const next of this.#solver.copiesOf(at)) seen.add(next);
    }
    const reached = parents.filter(({ child }) => seen.has(child));
    return reached.length > 0 && reached.length < parents.length ? reached : parents;
  }

  #put(map: Map<number, Parent[]>, key: number, parent: Parent): void {
    const known = map.get(key);
    if (!known) {
      const list = [parent];
      this.#orders.set(list, this.#orders.size);
      map.set(key, list);
    } else if (!known.some(({ node, child, path }) => node === parent.node && child === parent.child && path === parent.path))
      known.push(parent);
  }
}

function isOn(way: Way | undefined, node: number, parents: readonly Parent[]): boolean {
  for (let at = way; at; at = at.below) if (at.node === node || (parents.length > 0 && at.parents === parents)) return true;
  return false;
}

/** The routes already include the mounts in the file itself. */
function prefixOf(way: Way, file: number): string {
  let prefix = '';
  for (let at = way; at.mount && at.below; at = at.below) if (at.mount.file !== file) prefix = joinPaths(prefix, at.mount.path);
  return prefix;
}

function sharedFolders(a: string, b: string): number {
  const [first, second] = [a.split('/'), b.split('/')];
  const other = first.findIndex((part, i) => part !== second[i]);
  return other < 0 ? first.length : other;
}
