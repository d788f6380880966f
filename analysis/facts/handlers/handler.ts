// What a handler is, and what it is found by.
import type { FunctionNode, Node } from '../../module/ast.ts';
import type { ModuleIndex } from '../../module/module-index.ts';
import type { Bindings } from '../bindings.ts';
import type { Calls } from '../calls.ts';
import type { Holders } from '../holders.ts';
import type { Origins } from '../origins.ts';

export type HandlerKind =
  /** Registered for a path and method, or for a whole server. */
  | 'route'
  | 'middleware'
  /** A message or event of a connected client: ws, socket.io. */
  | 'socket'
  /** Exported for a serverless platform or a file-based router. */
  | 'exported'
  /** A message of a broker, a mail. */
  | 'message'
  /** A job of a queue. */
  | 'job'
  /** Runs when data is saved or read through a model. */
  | 'hook'
  /** Known only by its parameters (`req, res, next`); its registration stands in another file. */
  | 'signature';

export interface Handler {
  fn: FunctionNode;
  kind: HandlerKind;
  /** Id of the framework model, e.g. `express`. */
  framework: string;
  /** As a person writes it: `GET /users/:id`; undefined when the path is not a literal. */
  route?: string;
  /** The registration call, the decorator, or the function itself. */
  site: Node;
  /** What the route is made of, where that is not known here. */
  parts?: RegistrationParts;
  /** Versions of the route that the application puts before its path; '' for a route that has none. */
  versions?: readonly string[];
}

/** An expression that stands where a handler is passed. */
export type HandlerArgument = Omit<Handler, 'fn'> & {
  node: Node;
  /** Names of the properties that hold handlers where it is an object; the frameworks' usual ones unless said. */
  options?: readonly string[];
  /** Whether these are tables of tables of handlers. */
  isDeep?: boolean;
};

export interface RegistrationParts {
  method: string | Node;
  path: Node;
  /** What stands before the path. */
  prefix: string;
}

/** A call that registers a route, whether or not its handler could be followed to a function. */
export interface RouteSite {
  call: Node;
  /** Where the verb stands: `get` in `app.get(…)`. */
  verb: Node;
  framework: string;
  route?: string;
}

export interface HandlerSources {
  module: ModuleIndex;
  bindings: Bindings;
  origins: Origins;
  holders: Holders;
  calls: Calls;
  /** Absolute path of the file: file-based routers go by it. */
  file: string;
  /** Names of the project's dependencies, when known. */
  dependencies: ReadonlySet<string>;
}
