// What several rules need to know about one module. Each part is computed on first use.
import type { ProjectInfo } from '../../protocol/project.ts';
import type { Node } from '../module/ast.ts';
import { groupBy } from '../module/group-by.ts';
import type { ModuleIndex } from '../module/module-index.ts';
import type { Source } from '../module/source.ts';
import { Bindings } from './bindings.ts';
import { CallArguments } from './call-arguments.ts';
import { Calls } from './calls.ts';
import { ChosenPlaces } from './chosen-places.ts';
import { findFileRole, type FileRole } from './file-role.ts';
import type { Handler, HandlerSources } from './handlers/handler.ts';
import { findHandlers, type HandlerReport } from './handlers/index.ts';
import { ModuleExports } from './handlers/module-exports.ts';
import { Holders } from './holders.ts';
import { Hotness } from './hotness.ts';
import { Origins } from './origins.ts';
import { ProjectImports } from './project-imports.ts';
import { QueueHops } from './queue-hops.ts';
import { RequestPaths } from './request-paths.ts';
import { Shapes } from './shapes.ts';
import { Values } from './values.ts';

const DEPENDENCIES = new WeakMap<ProjectInfo, ReadonlySet<string>>();

/** Names of packages. All files of a project share the set. */
function dependenciesOf(project: ProjectInfo): ReadonlySet<string> {
  let names = DEPENDENCIES.get(project);
  if (!names)
    DEPENDENCIES.set(
      project,
      (names = new Set([...Object.keys(project.manifest?.dependencies ?? {}), ...Object.keys(project.manifest?.devDependencies ?? {})])),
    );
  return names;
}

export class Facts {
  readonly module: ModuleIndex;
  readonly source: Source;
  readonly project: ProjectInfo;
  #bindings: Bindings | undefined;
  #origins: Origins | undefined;
  #holders: Holders | undefined;
  #calls: Calls | undefined;
  #hotness: Hotness | undefined;
  #callArguments: CallArguments | undefined;
  #chosenPlaces: ChosenPlaces | undefined;
  #shapes: Shapes | undefined;
  #values: Values | undefined;
  #handlers: HandlerReport | undefined;
  #exports: ModuleExports | undefined;
  #requestPaths: RequestPaths | undefined;
  #role: FileRole | undefined;
  #projectImports: ProjectImports | undefined;
  #queueHops: QueueHops | undefined;

  readonly #remembered = new Map<string, unknown>();

  constructor(module: ModuleIndex, source: Source, project: ProjectInfo) {
    this.module = module;
    this.source = source;
    this.project = project;
  }

  /** Caches an answer about the whole file. A file with a thousand findings would compute it a thousand times. */
  remember<T>(question: string, answer: () => T): T {
    if (!this.#remembered.has(question)) this.#remembered.set(question, answer());
    return this.#remembered.get(question) as T;
  }

  /** Which declaration an identifier refers to. */
  get bindings(): Bindings {
    return (this.#bindings ??= new Bindings(this.module));
  }

  /** Which export of a module or which global an expression refers to. */
  get origins(): Origins {
    return (this.#origins ??= new Origins(this.module, this.bindings));
  }

  /** Which objects and classes an expression may be. */
  get holders(): Holders {
    return (this.#holders ??= new Holders(this.module, this.bindings));
  }

  /** Which functions of this file a call may run. */
  get calls(): Calls {
    return (this.#calls ??= new Calls(this.module, this.bindings, this.holders));
  }

  /** Which places a condition of their function chooses. */
  get chosenPlaces(): ChosenPlaces {
    return (this.#chosenPlaces ??= new ChosenPlaces());
  }

  /** How often a place runs. */
  get hotness(): Hotness {
    return (this.#hotness ??= new Hotness(this.module, this.calls, this.bindings));
  }

  /** The arguments that calls in this file pass to a function. */
  get callArguments(): CallArguments {
    return (this.#callArguments ??= new CallArguments(this.module, this.calls));
  }

  /** The shape (own properties in order, and their maker) of the objects that an expression creates. */
  get shapes(): Shapes {
    return (this.#shapes ??= new Shapes(this.module, this.bindings, this.holders, this.calls));
  }

  /** The type of an expression's value: number, string, object of a shape, … */
  get values(): Values {
    return (this.#values ??= new Values(this.bindings, this.holders, this.calls, this.shapes, this.callArguments));
  }

  /** Which functions answer requests. */
  get handlers(): HandlerReport {
    return (this.#handlers ??= findHandlers(this.#sources()));
  }

  /** What a function is registered as. To search all handlers for each finding takes quadratic time in generated files. */
  handlersOf(fn: Node | undefined): readonly Handler[] {
    const byFunction = this.remember('handlers by function', () => groupBy(this.handlers.handlers, (one): Node => one.fn));
    return (fn && byFunction.get(fn)) ?? [];
  }

  /** What the file exports. */
  get exports(): ModuleExports {
    return (this.#exports ??= new ModuleExports(this.#sources()));
  }

  /** Which functions run while a request waits. Empty for files that are not part of a running application. */
  get requestPaths(): RequestPaths {
    return (this.#requestPaths ??= new RequestPaths(this.module, this.calls, this.isApplication() ? this.handlers.handlers : []));
  }

  /** What the file imports from other files of the project. */
  get projectImports(): ProjectImports {
    return (this.#projectImports ??= new ProjectImports(this.module, this.bindings));
  }

  /** Hops to other files through the queues of ticks and microtasks. */
  get queueHops(): QueueHops {
    return (this.#queueHops ??= new QueueHops(this));
  }

  /** What the file is for, judged by its path and its imports. */
  get role(): FileRole {
    return (this.#role ??= findFileRole({ file: this.source.file, project: this.project, module: this.module, source: this.source }));
  }

  /**
   * Whether code in this file may run in a server process. A command may start a server, and a folder named `frontend` may contain one that
   * renders pages: there, the registered handlers decide. A server in a build script only serves its author.
   */
  isApplication(): boolean {
    if (this.role === 'application') return true;
    // A bundle may contain both worker code and the server that starts it. Routes decide.
    if (this.role === 'worker') return this.handlers.handlers.some((handler) => handler.kind === 'route' && handler.route !== undefined);
    if (this.role !== 'cli' && this.role !== 'browser') return false;
    return this.handlers.handlers.some(
      (handler) =>
        handler.kind === 'route' ||
        handler.kind === 'socket' ||
        handler.kind === 'message' ||
        handler.kind === 'ipc' ||
        handler.kind === 'job' ||
        (this.role === 'cli' && handler.kind === 'middleware'),
    );
  }

  #sources(): HandlerSources {
    return {
      module: this.module,
      bindings: this.bindings,
      origins: this.origins,
      holders: this.holders,
      calls: this.calls,
      file: this.source.file,
      text: this.source.text,
      dependencies: dependenciesOf(this.project),
    };
  }
}
