// The index of the workspace's folders, away from the thread that answers the editor: every file's analysis, the graph of all of them, patched edit by edit.
import type { FoundCall } from '../analysis/profile/calls.ts';
import { placesOf, type FunctionAnswer } from '../analysis/project/answers.ts';
import type { LintResult } from '../analysis/run.ts';
import { Source } from '../analysis/source.ts';
import type { EditorSettings } from '../protocol/settings.ts';
import { Interrupted } from '../workspace/errors.ts';
import { scriptKind } from '../workspace/left-out.ts';
import type { LintRun } from '../workspace/lint-run.ts';
import type { Span } from '../protocol/finding.ts';
import { openAnalysis } from '../workspace/project-index/analysis-place.ts';
import { statsOf } from '../workspace/stats.ts';
import { PathFindings } from '../workspace/project-index/path-findings.ts';
import { projectCalls } from '../workspace/project-index/project-calls.ts';
import { basename, sep } from 'node:path';
import { convertCallers, type ConvertOutcome } from './convert-callers.ts';
import { folderTools, type FolderHost, type FolderTools } from './folder-tools.ts';
import { diagnosticsOf, type LintedFile, type LintJob } from './lint-job.ts';
import { routeAnswers, type RouteAnswer } from './route-answers.ts';

export interface IndexJob extends LintJob {
  /** Documents that are open, with their texts. */
  open: readonly { path: string; text: string }[];
}

export type IndexRequest =
  /** Everything anew. */
  | { kind: 'build'; job: IndexJob }
  /** A document as it stands in the editor. `sequence` counts them. */
  | { kind: 'edit'; path: string; text: string; sequence: number }
  /** A document was closed: its file counts. */
  | { kind: 'close'; path: string }
  /** Files that were made, changed or deleted on disk. */
  | { kind: 'disk'; paths: readonly string[] }
  /** What can be done about the blocking call at a span of a file; answered by `converted` of the same number. */
  | { kind: 'convert'; id: number; path: string; span: Span }
  /** What is known of the functions of any files; answered by `answered` of the same number. */
  | { kind: 'ask'; id: number; paths: readonly string[] }
  /** How the project calls the function at an offset of a file; answered by `called` of the same number. */
  | { kind: 'calls'; id: number; path: string; offset: number }
  /** Whether the findings of files that are not open are told, too. */
  | { kind: 'report'; on: boolean };

/** What is known of an open document's functions, by where they start. */
export interface PathAnswer {
  /** Its number in the summary of the text that this is about. */
  fn: number;
  start: number;
  answer: FunctionAnswer;
}

export type IndexMessage =
  | { kind: 'progress'; done: number; total: number }
  | { kind: 'built'; files: number; ms: number }
  /** `sequence`: of the text that the offsets are about. */
  | { kind: 'paths'; path: string; sequence: number; answers: readonly PathAnswer[] }
  /** Of the routes that an open document registers; told when nothing has changed for a moment. */
  | { kind: 'routes'; path: string; sequence: number; routes: readonly RouteAnswer[] }
  /** The file is none of the project's. */
  | { kind: 'unknown'; path: string; sequence: number }
  /** Findings of modules that are not open; none are told, too. */
  | { kind: 'files'; files: readonly LintedFile[] }
  | { kind: 'converted'; id: number; outcome: ConvertOutcome | undefined }
  /** Without the files that are none of the project's. */
  | { kind: 'answered'; id: number; files: readonly { path: string; answers: readonly PathAnswer[] }[] }
  | { kind: 'called'; id: number; calls: readonly FoundCall[] | undefined }
  | { kind: 'log'; message: string };

/** What came together. */
interface Changes {
  files: Set<string>;
  /** Others may be reached in another way. */
  isOther: boolean;
  /** Files came or went. */
  isMoved: boolean;
}

/** As long as nothing changes, lenses are worked out: a pause in typing, in ms. */
const ROUTES_WAIT_MS = 200;

/** No diagnostics look like this. */
const OPEN = 'open';

export interface IndexHost extends Omit<FolderHost, 'signal'> {
  post(message: IndexMessage): void;
}

/** One of a workspace. Requests are answered one after the other; one to build ends the building before it. */
export class ProjectIndex {
  readonly #host: IndexHost;
  #folders: FolderIndex[] = [];
  #interruption = new AbortController();
  #queue: Promise<void> = Promise.resolve();
  #reports = false;
  #routesTimer: NodeJS.Timeout | undefined;

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
    this.#queue = this.#queue.then(() => this.#answer(request, signal)).catch((error: unknown) => {
      if (!(error instanceof Interrupted)) this.#host.log(`The index of the project failed: ${error instanceof Error ? error.stack ?? error.message : String(error)}`);
    });
    clearTimeout(this.#routesTimer);
    this.#routesTimer = setTimeout(() => this.#tellRoutes(), ROUTES_WAIT_MS);
    this.#routesTimer.unref();
    return this.#queue;
  }

  /** Behind all that is to be done, so that no edit waits for it. */
  #tellRoutes(): void {
    this.#queue = this.#queue.then(() => {
      for (const folder of this.#folders) folder.tellRoutes();
    }).catch((error: unknown) => this.#host.log(`The lenses of routes could not be worked out: ${error instanceof Error ? error.stack ?? error.message : String(error)}`));
  }

  stop(): void {
    clearTimeout(this.#routesTimer);
    this.#interruption.abort();
  }

  async #answer(request: IndexRequest, signal: AbortSignal): Promise<void> {
    switch (request.kind) {
      case 'build':
        return signal.aborted ? undefined : this.#build(request.job, signal);
      case 'edit':
        if (!(await this.#folderOf(request.path)?.edit(request.path, request.text, request.sequence))) this.#host.post({ kind: 'unknown', path: request.path, sequence: request.sequence });
        return undefined;
      case 'close':
        return this.#folderOf(request.path)?.close(request.path);
      case 'disk':
        for (const folder of this.#folders) await folder.disk(request.paths.filter((path) => this.#folderOf(path) === folder));
        return undefined;
      case 'convert':
        this.#host.post({ kind: 'converted', id: request.id, outcome: await this.#folderOf(request.path)?.convert(request.path, request.span) });
        return undefined;
      case 'ask':
        this.#host.post({ kind: 'answered', id: request.id, files: request.paths.flatMap((path) => {
          const answers = this.#folderOf(path)?.answersIn(path);
          return answers ? [{ path, answers }] : [];
        }) });
        return undefined;
      case 'calls':
        this.#host.post({ kind: 'called', id: request.id, calls: this.#folderOf(request.path)?.callsOf(request.path, request.offset) });
        return undefined;
      case 'report':
        this.#reports = request.on;
        for (const folder of this.#folders) folder.report(request.on);
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
    if (this.#reports) for (const folder of built) folder.report(true);
    post({ kind: 'built', files, ms: now() - started });
  }

  /** The innermost. */
  #folderOf(path: string): FolderIndex | undefined {
    return this.#folders.filter((folder) => isBelow(path, folder.path)).sort((a, b) => b.path.length - a.path.length)[0];
  }
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

class FolderIndex {
  readonly path: string;
  readonly #job: IndexJob;
  readonly #host: IndexHost & FolderHost;
  readonly #tools: FolderTools;
  /** Texts of open documents. */
  readonly #overlay = new Map<string, string>();
  /** Sequence of each open document's newest text. */
  readonly #open = new Map<string, number>();
  /** By open document: what was last told of its routes. */
  readonly #toldRoutes = new Map<string, string>();
  readonly #tellsRoutes: boolean;
  /** What was last told of a file, as JSON. */
  readonly #told = new Map<string, string>();
  readonly #run: LintRun;
  #reports = false;

  constructor(path: string, editor: EditorSettings, job: IndexJob, host: IndexHost & FolderHost) {
    this.path = path;
    this.#job = job;
    this.#host = host;
    this.#tellsRoutes = editor['codeLens.routes'];
    this.#tools = folderTools(path, editor, job, host);
    const analysis = job.analysis && openAnalysis(job.analysis, path, () => Date.now());
    this.#run = this.#tools.newRun(analysis, (done, total) => host.post({ kind: 'progress', done, total }), this.#overlay);
  }

  /** How many files there are. */
  async build(open: IndexJob['open']): Promise<number> {
    for (const { path, text } of open) {
      this.#overlay.set(path, text);
      this.#open.set(path, 0);
    }
    const discovery = await this.#tools.discoverOwn();
    if (!discovery) return 0;
    await this.#run.analyse(discovery.scripts);
    this.#run.project.save(true);
    for (const [path, sequence] of this.#open) {
      if (this.#run.project.analysisOf(path)) this.#tellPaths(path);
      else this.#host.post({ kind: 'unknown', path, sequence });
    }
    return discovery.scripts.length;
  }

  /** Whether the file takes part. */
  async edit(path: string, text: string, sequence: number): Promise<boolean> {
    const isNew = !this.#open.has(path);
    this.#open.set(path, sequence);
    const before = this.#overlay.get(path);
    this.#overlay.set(path, text);
    if (this.#run.project.analysisOf(path) === undefined && (await this.#isLeftOut(path))) return false;
    // What was told of its file is told again when it is closed.
    if (isNew && this.#reports) this.#told.set(path, OPEN);
    if (before === text) this.#tellPaths(path);
    else await this.#changes((changes) => this.#take(path, text, changes));
    return true;
  }

  /** Undefined where the file takes no part. */
  answersIn(file: string): readonly PathAnswer[] | undefined {
    const { project } = this.#run;
    return project.analysisOf(file) && project.graph.answersIn(file);
  }

  callsOf(file: string, offset: number): readonly FoundCall[] | undefined {
    return this.#run.project.analysisOf(file) && projectCalls(this.#run, file, { offset });
  }

  async convert(file: string, span: Span): Promise<ConvertOutcome | undefined> {
    if (this.#run.project.analysisOf(file) === undefined) return undefined;
    const { findDamage } = await import('../analysis/fix/verify.ts');
    return convertCallers({ run: this.#run, folder: this.path, file, span, findDamage });
  }

  async close(path: string): Promise<void> {
    this.#open.delete(path);
    this.#toldRoutes.delete(path);
    this.#overlay.delete(path);
    await this.disk([path]);
  }

  async disk(paths: readonly string[]): Promise<void> {
    await this.#changes(async (changes) => {
      let hasFolders = false;
      for (const path of paths) {
        // The editor's text counts until it is closed.
        if (this.#open.has(path)) continue;
        const stats = statsOf(path);
        if (stats?.isDirectory()) hasFolders = true;
        else if (!stats?.isFile()) this.#vanished(path, changes);
        else if (!(await this.#isLeftOut(path))) await this.#read(path, changes);
      }
      // Of a folder that comes as a whole, clients tell the folder alone.
      const scripts = hasFolders ? ((await this.#tools.discoverOwn())?.scripts ?? []) : [];
      for (const { path } of scripts) if (!this.#run.project.analysisOf(path) && paths.some((folder) => isBelow(path, folder))) await this.#read(path, changes);
    });
  }

  /** Tells of all files that are not open, of those without findings, too, and goes on telling what changes; or stops to. */
  report(on: boolean): void {
    this.#reports = on;
    this.#told.clear();
    for (const path of this.#open.keys()) this.#told.set(path, OPEN);
    // What the index before this one told is not known.
    if (on) this.#tellFiles(this.#run.project.files(), true);
  }

  /** Changes that come together are followed together: what leads where is worked out once. */
  async #changes(work: (changes: Changes) => Promise<void>): Promise<void> {
    const changes: Changes = { files: new Set(), isOther: false, isMoved: false };
    await work(changes);
    if (changes.isMoved) this.#run.project.layOut();
    if (changes.files.size > 0) this.#follow(changes);
  }

  async #read(path: string, changes: Changes): Promise<void> {
    const kind = scriptKind(path, basename(path));
    if (!kind) return;
    const text = await this.#run.textOf({ path, named: false, needsShebang: kind === 'maybe-script' });
    if (text === undefined) this.#vanished(path, changes);
    else await this.#take(path, text, changes);
  }

  async #take(path: string, text: string, changes: Changes): Promise<void> {
    const { project } = this.#run;
    const isNew = project.analysisOf(path) === undefined;
    const isOther = project.change(await this.#run.requestFor(path, text));
    changes.files.add(path);
    changes.isMoved ||= isNew;
    changes.isOther ||= isNew || isOther;
  }

  /** A file, or a folder with all that was in it. */
  #vanished(path: string, changes: Changes): void {
    const { project } = this.#run;
    const gone = [...project.files()].filter((file) => file === path || isBelow(file, path));
    for (const file of gone) {
      project.remove(file);
      this.#told.delete(file);
      changes.files.add(file);
    }
    if (gone.length === 0) return;
    changes.isMoved = true;
    changes.isOther = true;
  }

  /** Tells what changes have made another: of the files themselves alone, and of those whose paths lead through them, where only places have changed. */
  #follow({ files, isOther }: Changes): void {
    const { project } = this.#run;
    const leadsThrough = (file: string) => [...files].some((path) => project.leadsThrough(file, path));
    const concerned = isOther ? [...project.proposing()] : [...project.proposing()].filter(leadsThrough);
    for (const file of this.#open.keys()) if (isOther || files.has(file) || project.graph.answersIn(file).some(({ answer }) => placesOf(answer).some((place) => place.file !== undefined && files.has(place.file)))) this.#tellPaths(file);
    if (this.#reports) this.#tellFiles(new Set([...files, ...concerned, ...(isOther ? this.#told.keys() : [])]));
  }

  /** Tells what has become another since it was told last. */
  tellRoutes(): void {
    if (!this.#tellsRoutes) return;
    const findings = new PathFindings(this.#run);
    for (const [path, sequence] of this.#open) {
      if (!this.#run.project.analysisOf(path)) continue;
      const routes = routeAnswers(this.#run, path, findings);
      const text = `${sequence} ${JSON.stringify(routes)}`;
      if (this.#toldRoutes.get(path) === text) continue;
      this.#toldRoutes.set(path, text);
      this.#host.post({ kind: 'routes', path, sequence, routes });
    }
  }

  #tellPaths(path: string): void {
    const sequence = this.#open.get(path);
    if (sequence !== undefined) this.#host.post({ kind: 'paths', path, sequence, answers: this.#run.project.graph.answersIn(path) });
  }

  /** `isFirst`: nothing is known of what was told before. */
  #tellFiles(files: Iterable<string>, isFirst = false): void {
    const news: LintedFile[] = [];
    for (const file of files) {
      if (this.#open.has(file) || !this.#run.project.analysisOf(file)) continue;
      const linted = this.#linted(file);
      const text = linted.diagnostics.length === 0 ? '' : JSON.stringify(linted.diagnostics);
      if (!isFirst && text === (this.#told.get(file) ?? '')) continue;
      if (text === '') this.#told.delete(file);
      else this.#told.set(file, text);
      news.push(linted);
    }
    if (news.length > 0) this.#host.post({ kind: 'files', files: news });
  }

  #linted(file: string): LintedFile {
    const analysis = this.#run.project.analysisOf(file);
    const nothing: LintedFile = { path: file, part: 'module', diagnostics: [] };
    // Most files have nothing to say: they are not read again.
    if (!analysis || (analysis.findings.length === 0 && analysis.proposals.length === 0 && analysis.comments.length === 0)) return nothing;
    const text = this.#run.textNow(file);
    if (text === undefined) return nothing;
    const { findings }: LintResult = this.#run.settled(file, text);
    return { ...nothing, diagnostics: diagnosticsOf(file, text, findings, this.#job, (other) => this.#source(other)) };
  }

  #source(path: string): Source | undefined {
    const text = this.#run.textNow(path);
    return text === undefined ? undefined : new Source(path, text);
  }

  async #isLeftOut(path: string): Promise<boolean> {
    return this.#tools.isLeftOut(path);
  }
}
