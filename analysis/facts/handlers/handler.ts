// What a handler is, and how it was found.
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
  /** Exported for a platform whose process has one call at a time: AWS Lambda. */
  | 'invocation'
  /** A message of a broker, a mail. */
  | 'message'
  /** A message from a window to the main process of Electron. */
  | 'ipc'
  /** A job of a queue. */
  | 'job'
  /** Runs when data is saved or read through a model. */
  | 'hook'
  /** Known only by its parameters (`req, res, next`). Its registration is in another file. */
  | 'signature';

export interface Handler {
  fn: FunctionNode;
  kind: HandlerKind;
  /** Id of the framework model, e.g. `express`. */
  framework: string;
  /** As a person writes it: `GET /users/:id`; undefined if the path is not a literal. */
  route?: string;
  /** The registration call, the decorator, or the function itself. */
  site: Node;
  /** The parts of the route, if this file does not determine it. */
  parts?: RegistrationParts;
  /** Versions that the application puts before the path; '' for a route without one. */
  versions?: readonly string[];
  /**
   * In s: it runs at most once in that time, and other requests get what it answered. 0 if only the build runs it. Both hold if nothing that
   * the file loads asks for data of the request.
   */
  interval?: number;
}

/** An expression that is passed as a handler. */
export type HandlerArgument = Omit<Handler, 'fn'> & {
  node: Node;
  /** Names of the properties that hold handlers, if it is an object. By default, those that frameworks usually have. */
  options?: readonly string[];
  /** Whether those properties are tables of tables of handlers. */
  isDeep?: boolean;
};

export interface RegistrationParts {
  method: string | Node;
  path: Node;
  /** What comes before the path. */
  prefix: string;
}

/** A call that registers a route, whether or not its handler could be resolved to a function. */
export interface RouteSite {
  call: Node;
  /** Position of the verb: `get` in `app.get(…)`. */
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
  /** Absolute path of the file, for file-based routers. */
  file: string;
  text: string;
  /** Names of the project's dependencies, if known. */
  dependencies: ReadonlySet<string>;
}
