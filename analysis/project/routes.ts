// Routes as a client writes them: what a router's file registers, below everything that other files mount the router at.
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
  readonly #byObject = new Map<number, Parent[]>();
  /** For plugins: by the node of the parameter that is the application in them. */
  readonly #byNode = new Map<number, Parent[]>();

  constructor({ solver, mounts }: Linked) {
    this.#solver = solver;
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
  full({ kind }: Root, route: string | undefined, app: number | undefined, file: number): readonly (string | undefined)[] {
    if (route === undefined || app === undefined || kind === 'socket') return [route];
    const [, method = '', paths = route] = /^([A-Z|]+ )?(.*)$/s.exec(route) ?? [];
    return this.#prefixes(app, file, 0).map((prefix) => (prefix === '' ? route : `${method}${paths.split(', ').map((path) => joinPaths(prefix, path) || '/').join(', ')}`));
  }

  #prefixes(node: number, file: number, depth: number): readonly string[] {
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

function put(map: Map<number, Parent[]>, key: number, parent: Parent): void {
  const known = map.get(key);
  if (!known) map.set(key, [parent]);
  else if (!known.some(({ node, path }) => node === parent.node && path === parent.path)) known.push(parent);
}
