// The index of the workspace's folders, away from the thread that answers the editor: every file's analysis, the graph of all of them,
// patched edit by edit.
import { stackOf } from '../../protocol/unknown-values.ts';
import { Interrupted } from '../../workspace/errors.ts';
import type { IndexHost, IndexJob, IndexRequest } from '../shared/index-messages.ts';
import { FolderIndex, isBelow } from './folder-index.ts';

/** As long as nothing changes, lenses are worked out: a pause in typing, in ms. */
const ROUTES_WAIT_MS = 200;
/** Who looks at a document for so long may edit it, in ms: then the project is solved so that its edits cost what the document brings. */
const PREPARE_WAIT_MS = 400;
/**
 * Nobody edits any more: what is sent then is what the terminal says. So many times what it takes to solve the project, within bounds in
 * ms: who goes on should not meet it.
 */
const REBUILD_WAIT = { times: 8, least: 1_000, most: 10_000 };

const CHANGING: ReadonlySet<IndexRequest['kind']> = new Set(['build', 'edit', 'close', 'disk']);

/** One of a workspace. Requests are answered one after the other; one to build ends the building before it. */
export class ProjectIndex {
  readonly #host: IndexHost;
  #folders: FolderIndex[] = [];
  #interruption = new AbortController();
  #queue: Promise<void> = Promise.resolve();
  #reports = false;
  /** Since it was last told. */
  #hasChanged = false;
  #routesTimer: NodeJS.Timeout | undefined;
  #prepareTimer: NodeJS.Timeout | undefined;
  #rebuildTimer: NodeJS.Timeout | undefined;
  /** What it took to prepare, in ms. */
  #preparation = 0;
  /** The document that was opened or edited last. */
  #current: string | undefined;

  constructor(host: IndexHost) {
    this.#host = host;
  }

  /** Settles when the request has been answered; never rejects. */
  handle(request: IndexRequest): Promise<void> {
    if (request.kind === 'build') {
      this.#interruption.abort();
      this.#interruption = new AbortController();
    }
    const { signal } = this.#interruption;
    this.#queue = this.#queue
      .then(() => this.#answer(request, signal))
      .catch((error: unknown) => {
        if (!(error instanceof Interrupted)) this.#host.log(`The project index failed: ${stackOf(error)}`);
      });
    clearTimeout(this.#routesTimer);
    this.#routesTimer = setTimeout(() => this.#tellRoutes(), ROUTES_WAIT_MS);
    this.#routesTimer.unref();
    if (CHANGING.has(request.kind)) this.#hasChanged = true;
    if (request.kind === 'edit') this.#current = request.path;
    clearTimeout(this.#prepareTimer);
    this.#prepareTimer = setTimeout(() => void this.prepare(), PREPARE_WAIT_MS);
    this.#prepareTimer.unref();
    clearTimeout(this.#rebuildTimer);
    this.#rebuildTimer = setTimeout(
      () => void this.rebuild(),
      Math.min(Math.max(REBUILD_WAIT.times * this.#preparation, REBUILD_WAIT.least), REBUILD_WAIT.most),
    );
    this.#rebuildTimer.unref();
    return this.#queue;
  }

  /** Makes edits of the document that is looked at cheap. Settles when it is done; never rejects. */
  prepare(): Promise<void> {
    this.#queue = this.#queue
      .then(() => {
        const path = this.#current;
        const started = this.#host.now();
        if (path !== undefined) this.#folderOf(path)?.prepare(path);
        this.#preparation = Math.max(this.#preparation, this.#host.now() - started);
      })
      .catch((error: unknown) => this.#host.log(`The project index could not prepare for edits: ${stackOf(error)}`));
    return this.#queue;
  }

  /**
   * Solves the project as the terminal does, where edits have left another order, and tells what is another then. Settles when it is done;
   * never rejects.
   */
  rebuild(): Promise<void> {
    this.#queue = this.#queue
      .then(() => {
        for (const folder of this.#folders) folder.rebuild();
      })
      .catch((error: unknown) => this.#host.log(`The project graph could not be rebuilt: ${stackOf(error)}`));
    return this.#queue;
  }

  /** Behind all that is to be done, so that no edit waits for it. */
  #tellRoutes(): void {
    this.#queue = this.#queue
      .then(() => {
        for (const folder of this.#folders) folder.tellRoutes();
        if (this.#hasChanged) this.#host.post({ kind: 'changed' });
        this.#hasChanged = false;
      })
      .catch((error: unknown) => this.#host.log(`The route lenses could not be computed: ${stackOf(error)}`));
  }

  stop(): void {
    clearTimeout(this.#routesTimer);
    clearTimeout(this.#prepareTimer);
    clearTimeout(this.#rebuildTimer);
    this.#interruption.abort();
  }

  async #answer(request: IndexRequest, signal: AbortSignal): Promise<void> {
    switch (request.kind) {
      case 'build':
        return signal.aborted ? undefined : this.#build(request.job, signal);
      case 'edit':
        if (!(await this.#folderOf(request.path)?.edit(request.path, request.text, request.sequence)))
          this.#host.post({ kind: 'unknown', path: request.path, sequence: request.sequence });
        return undefined;
      case 'close':
        return this.#folderOf(request.path)?.close(request.path);
      case 'disk':
        for (const folder of this.#folders) await folder.disk(request.paths.filter((path) => this.#folderOf(path) === folder));
        return undefined;
      case 'convert':
        this.#host.post({
          kind: 'converted',
          id: request.id,
          outcome: await this.#folderOf(request.path)?.convert(request.path, request.span),
        });
        return undefined;
      case 'ask':
        this.#host.post({
          kind: 'answered',
          id: request.id,
          files: request.paths.flatMap((path) => {
            const answers = this.#folderOf(path)?.answersIn(path);
            return answers ? [{ path, answers }] : [];
          }),
        });
        return undefined;
      case 'calls':
        this.#host.post({ kind: 'called', id: request.id, calls: this.#folderOf(request.path)?.callsOf(request.path, request.offset) });
        return undefined;
      case 'list':
        this.#host.post({ kind: 'listed', id: request.id, routes: this.#folders.flatMap((folder) => folder.listRoutes()) });
        return undefined;
      case 'report':
        this.#reports = request.on;
        for (const folder of this.#folders) await folder.report(request.on);
        return undefined;
    }
  }

  async #build(job: IndexJob, signal: AbortSignal): Promise<void> {
    const { now, post } = this.#host;
    const started = now();
    // The old folders are let go first: two indexes at once take twice the memory.
    this.#folders = [];
    const built: FolderIndex[] = [];
    let files = 0;
    for (const { path, editor } of job.folders) {
      if (!editor.enable) continue;
      const folder = new FolderIndex(path, editor, job, { ...this.#host, signal });
      files += await folder.build(job.open.filter((document) => isBelow(document.path, path)));
      built.push(folder);
    }
    this.#folders = built;
    if (this.#reports) for (const folder of built) await folder.report(true);
    post({ kind: 'built', files, ms: now() - started });
  }

  /** The innermost. */
  #folderOf(path: string): FolderIndex | undefined {
    return this.#folders.filter((folder) => isBelow(path, folder.path)).sort((a, b) => b.path.length - a.path.length)[0];
  }
}
