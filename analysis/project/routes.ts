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

export class Routes {
  readonly #solver: Linked['solver'];
  readonly #byObject = new Map<number, Parent>();
  /** For plugins: by the node of the parameter that is the application in them. */
  readonly #byNode = new Map<number, Parent>();

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

  /** `app`: node of what the root is registered on, in the whole project's numbers. */
  full(root: Root, app: number | undefined, file: number): string | undefined {
    if (root.route === undefined || app === undefined || root.kind === 'socket') return root.route;
    const prefix = this.#prefix(app, file, 0);
    if (prefix === '') return root.route;
    const [, method = '', paths = root.route] = /^([A-Z|]+ )?(.*)$/s.exec(root.route) ?? [];
    return `${method}${paths.split(', ').map((path) => joinPaths(prefix, path) || '/').join(', ')}`;
  }

  /** What the file itself mounts, its routes already have. */
  #prefix(node: number, file: number, depth: number): string {
    if (depth > MAX_DEPTH) return '';
    const parent = this.#parentOf(node);
    if (!parent || parent.node === node) return '';
    const above = this.#prefix(parent.node, file, depth + 1);
    return parent.file === file ? above : joinPaths(above, parent.path);
  }

  #parentOf(node: number): Parent | undefined {
    const own = this.#byNode.get(node);
    if (own) return own;
    for (const object of this.#solver.objectsIn(node)) {
      const found = this.#byObject.get(object);
      if (found) return found;
    }
    return undefined;
  }
}

/** The first place counts: a router that is mounted twice answers there, too. */
function put(map: Map<number, Parent>, key: number, parent: Parent): void {
  if (!map.has(key)) map.set(key, parent);
}
