// Routes as a client writes them: what a router's file registers, below everything that other files mount the router at.
import type { RouteBase } from '../facts/handlers/bases.ts';
import { joinPaths } from '../facts/handlers/route-paths.ts';
import { WholeKind } from './constraints.ts';
import type { Linked } from './link.ts';
import { FUNCTION_STRIDE, ObjectKind, type Root } from './summary.ts';

interface Parent {
  /** Node of the application or router that it is mounted on. */
  node: number;
  path: string;
  file: number;
}

// `app`, `/api`, `/v1`, `/users`: real programs have two to four.
const MAX_DEPTH = 8;

// A router that is mounted more often than this is everybody's.
const MOST_PLACES = 12;

export class Routes {
  readonly #solver: Linked['solver'];
  readonly #files: readonly string[];
  readonly #bases: (RouteBase & { file: string })[] = [];
  readonly #byObject = new Map<number, Parent[]>();
  /** For plugins: by the node of the parameter that is the application in them. */
  readonly #byNode = new Map<number, Parent[]>();
  /** What is above nodes at a depth, for the routes of one file: routers that are mounted on each other have as many ways up as there are orders. */
  readonly #above = new Map<number, readonly string[]>();
  #aboveFor = -1;

  constructor({ solver, mounts, numbering }: Linked) {
    this.#solver = solver;
    this.#files = numbering.files.map(({ summary }) => summary.file.replaceAll('\\', '/'));
    numbering.files.forEach(({ summary: { base } }, i) => { if (base) this.#bases.push({ ...base, file: this.#files[i] ?? '' }); });
    for (const { file, parent, path, child } of mounts) {
      for (const object of solver.objectsIn(child)) {
        const kind = solver.kinds[object];
        if (kind === WholeKind.Result) put(this.#byObject, object, { node: parent, path, file });
        else if (kind === ObjectKind.Function) {
          const fn = (solver.objectFn[object] as number) * FUNCTION_STRIDE;
          if ((solver.fns[fn + 4] as number) > 0) put(this.#byNode, solver.fns[fn + 3] as number, { node: parent, path, file });
        }
      }
    }
  }

  /** A route at every place where its router is mounted. `app`: node of what it is registered on; `file`: mounts in this file, the route already has. */
  full(root: Root, route: string | undefined, app: number | undefined, file: number): readonly (string | undefined)[] {
    const { kind } = root;
    const based = route === undefined || this.#bases.length === 0 ? undefined : this.#based(root, route, file);
    if (based) return based;
    if (route === undefined || app === undefined || kind === 'socket') return [route];
    const [, method = '', paths = route] = /^([A-Z|]+ )?(.*)$/s.exec(route) ?? [];
    if (file !== this.#aboveFor) this.#above.clear();
    this.#aboveFor = file;
    return this.#prefixes(app, file, 0).map((prefix) => (prefix === '' ? route : `${method}${paths.split(', ').map((path) => joinPaths(prefix, path) || '/').join(', ')}`));
  }

  /** `GET /users` of a controller, where the application sets `/api` and versions: `GET /api/v1/users`. */
  #based({ framework, versions }: Root, route: string, file: number): readonly string[] | undefined {
    const [, method, path] = /^([A-Z|]+ )(\/.*)$/s.exec(route) ?? [];
    const base = method === undefined ? undefined : this.#baseOf(framework, file);
    if (!base || method === undefined || path === undefined) return undefined;
    const paths = path.split(', ');
    const { version, prefix, excluded } = base;
    const named = version ? (versions ?? version.usual) : [];
    return (named.length > 0 ? named : ['']).map((one) => method + paths.map((own) => joinPaths(joinPaths(excluded.includes(own) ? '' : prefix, one === '' ? '' : `/${version?.prefix ?? ''}${one}`), own) || '/').join(', '));
  }

  /** Of several applications in one project, the one that stands nearest. */
  #baseOf(framework: string, file: number): RouteBase | undefined {
    const own = this.#files[file] ?? '';
    let best: { base: RouteBase; shared: number } | undefined;
    for (const base of this.#bases) {
      if (base.framework !== framework) continue;
      const shared = sharedFolders(base.file, own);
      if (!best || shared > best.shared) best = { base, shared };
    }
    return best?.base;
  }

  #prefixes(node: number, file: number, depth: number): readonly string[] {
    const key = node * (MAX_DEPTH + 2) + depth;
    let prefixes = this.#above.get(key);
    if (!prefixes) this.#above.set(key, (prefixes = this.#prefixesAbove(node, file, depth)));
    return prefixes;
  }

  #prefixesAbove(node: number, file: number, depth: number): readonly string[] {
    const parents = depth > MAX_DEPTH ? [] : this.#parentsOf(node).filter((parent) => parent.node !== node);
    if (parents.length === 0) return [''];
    const found = new Set<string>();
    for (const parent of parents) for (const above of this.#prefixes(parent.node, file, depth + 1)) found.add(parent.file === file ? above : joinPaths(above, parent.path));
    return [...found].slice(0, MOST_PLACES);
  }

  #parentsOf(node: number): readonly Parent[] {
    const own = this.#byNode.get(node);
    if (own) return own;
    for (const object of this.#solver.objectsIn(node)) {
      const found = this.#byObject.get(object);
      if (found) return found;
    }
    return [];
  }
}

function sharedFolders(a: string, b: string): number {
  const [first, second] = [a.split('/'), b.split('/')];
  const other = first.findIndex((part, i) => part !== second[i]);
  return other < 0 ? first.length : other;
}

function put(map: Map<number, Parent[]>, key: number, parent: Parent): void {
  const known = map.get(key);
  if (!known) map.set(key, [parent]);
  else if (!known.some(({ node, path }) => node === parent.node && path === parent.path)) known.push(parent);
}
