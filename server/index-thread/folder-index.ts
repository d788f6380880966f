// The index of one folder: every file's analysis, the graph of all of them, and what was sent of both.
import { basename, sep } from 'node:path';
import type { FoundCall } from '../../analysis/profile/calls.ts';
import { placesOf } from '../../analysis/project/answers/function-answer.ts';
import type { LintResult } from '../../analysis/run/run.ts';
import { Source } from '../../analysis/module/source.ts';
import type { Span } from '../../protocol/finding.ts';
import type { EditorSettings } from '../../protocol/settings.ts';
import { scriptKind } from '../../workspace/discovery/left-out.ts';
import type { LintRun } from '../../workspace/lint-run.ts';
import { openAnalysis } from '../../workspace/project-index/analysis-place.ts';
import { PathFindings } from '../../workspace/project-index/path-findings.ts';
import { projectCalls } from '../../workspace/project-index/project-calls.ts';
import { statsOf } from '../../files/path-stats.ts';
import { convertCallers, type ConvertOutcome } from './convert-callers.ts';
import { folderTools, type FolderHost, type FolderTools } from '../shared/folder-tools.ts';
import { Baselines } from '../shared/baselines.ts';
import { diagnosticsOf, type KnownIn, type LintedFile } from '../workers/lint-job.ts';
import type { IndexHost, IndexJob, PathAnswer } from '../shared/index-messages.ts';
import { listRoutes, routeAnswers, type ListedRoute } from './route-answers.ts';

/** What came together. */
interface Changes {
  files: Set<string>;
  /** Others may be reached in another way. */
  isOther: boolean;
  /** Files came or went. */
  isMoved: boolean;
}

/** By how much the times of a file system may lag behind the clock, in ms: those of Linux by a tick of 4 or 10, those of FAT by 2,000. */
const CLOCK_MS = 2_000;

/** No diagnostics look like this. */
const OPEN = 'open';

function withoutFindings(path: string): LintedFile {
  return { path, part: 'module', diagnostics: [] };
}

export function isBelow(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

export class FolderIndex {
  readonly path: string;
  readonly #job: IndexJob;
  readonly #knownIn: KnownIn;
  readonly #host: IndexHost & FolderHost;
  readonly #tools: FolderTools;
  /** Texts of open documents. */
  readonly #overlay = new Map<string, string>();
  /** Sequence of each open document's newest text. */
  readonly #open = new Map<string, number>();
  /** By open document: what was last sent of its routes. */
  readonly #sentRoutes = new Map<string, string>();
  readonly #tellsRoutes: boolean;
  /** What was last sent of a file, as JSON. */
  readonly #sent = new Map<string, string>();
  /** What the project knew of a file when its findings were sent, as JSON. */
  readonly #decided = new Map<string, string>();
  readonly #run: LintRun;
  #reports = false;
  /** When the files were begun to be read, in ms since the epoch. */
  #readSince = Infinity;

  constructor(path: string, editor: EditorSettings, job: IndexJob, host: IndexHost & FolderHost) {
    this.path = path;
    this.#job = job;
    this.#host = host;
    this.#tellsRoutes = editor['codeLens.routes'];
    // When a baseline changes, the index is built anew.
    const baselines = new Baselines(() => path, host.log);
    this.#knownIn = (file, text, findings) => baselines.knownIn(file, text, findings, editor.baseline);
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
    this.#readSince = Date.now() - CLOCK_MS;
    const discovery = await this.#tools.discoverOwn();
    if (!discovery) return 0;
    await this.#run.analyze(discovery.scripts);
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
    // What was sent of its file is sent again when it is closed.
    if (isNew && this.#reports) this.#sent.set(path, OPEN);
    if (before === text) this.#tellPaths(path);
    else await this.#changes((changes) => this.#take(path, text, changes));
    return true;
  }

  /** To be called while there is nothing else to do: may solve the whole project. */
  prepare(path: string): void {
    if (this.#open.has(path) && !this.#run.project.hasFailed) this.#run.project.graph.prepare(path, this.#inUse());
  }

  rebuild(): void {
    if (this.#run.project.hasFailed) return;
    if (this.#run.project.graph.rebuild(this.#inUse())) this.#follow({ files: new Set(), isOther: true, isMoved: false });
  }

  /** Files whose answers are sent, or decide about what is. */
  #inUse(): ReadonlySet<string> {
    return new Set([...this.#open.keys(), ...this.#run.project.proposing()]);
  }

  /** Undefined where the file takes no part. */
  answersIn(file: string): readonly PathAnswer[] | undefined {
    const { project } = this.#run;
    return project.analysisOf(file) && project.answersIn(file);
  }

  callsOf(file: string, offset: number): readonly FoundCall[] | undefined {
    return this.#run.project.analysisOf(file) && projectCalls(this.#run, file, { offset });
  }

  async convert(file: string, span: Span): Promise<ConvertOutcome | undefined> {
    if (this.#run.project.analysisOf(file) === undefined) return undefined;
    const { findDamage } = await import('../../analysis/fix/verify.ts');
    return convertCallers({ run: this.#run, folder: this.path, file, span, findDamage });
  }

  async close(path: string): Promise<void> {
    this.#open.delete(path);
    this.#sentRoutes.delete(path);
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
      for (const { path } of scripts)
        if (!this.#run.project.analysisOf(path) && paths.some((folder) => isBelow(path, folder))) await this.#read(path, changes);
    });
  }

  /** Tells of all files that are not open, of those without findings, too, and goes on telling what changes; or stops to. */
  async report(on: boolean): Promise<void> {
    // Who asks has just read the files. What has changed since they were read here must not be answered with what was found before.
    if (on) await this.disk(this.#changedSinceRead());
    this.#reports = on;
    this.#sent.clear();
    this.#decided.clear();
    for (const path of this.#open.keys()) this.#sent.set(path, OPEN);
    // What the index before this one sent is not known.
    if (on) this.#tellFiles(this.#run.project.files(), new Set(), true);
  }

  #changedSinceRead(): string[] {
    const since = this.#readSince;
    this.#readSince = Date.now() - CLOCK_MS;
    return [...this.#run.project.files()].filter((path) => (statsOf(path)?.mtimeMs ?? Infinity) >= since);
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
      this.#sent.delete(file);
      this.#decided.delete(file);
      changes.files.add(file);
    }
    if (gone.length === 0) return;
    // What was sent of them may still be on its way to a client that knows already that they are gone.
    if (this.#reports) this.#host.post({ kind: 'files', files: gone.map(withoutFindings) });
    changes.isMoved = true;
    changes.isOther = true;
  }

  /**
   * Tells what changes have made another: of the files themselves alone, and of those whose paths lead through them, where only places have
   * changed.
   */
  #follow({ files, isOther }: Changes): void {
    const { project } = this.#run;
    const leadsThrough = (file: string) => [...files].some((path) => project.leadsThrough(file, path));
    const concerned = isOther ? [...project.proposing()] : [...project.proposing()].filter(leadsThrough);
    for (const file of this.#open.keys())
      if (
        isOther ||
        files.has(file) ||
        project.answersIn(file).some(({ answer }) => placesOf(answer).some((place) => place.file !== undefined && files.has(place.file)))
      )
        this.#tellPaths(file);
    if (this.#reports) this.#tellFiles(new Set([...files, ...concerned, ...(isOther ? this.#sent.keys() : [])]), files);
  }

  /** Sends what has changed since it was sent last. */
  tellRoutes(): void {
    if (!this.#tellsRoutes || this.#run.project.hasFailed) return;
    const findings = new PathFindings(this.#run);
    for (const [path, sequence] of this.#open) {
      if (!this.#run.project.analysisOf(path)) continue;
      const routes = routeAnswers(this.#run, path, findings);
      const text = `${sequence} ${JSON.stringify(routes)}`;
      if (this.#sentRoutes.get(path) === text) continue;
      this.#sentRoutes.set(path, text);
      this.#host.post({ kind: 'routes', path, sequence, routes });
    }
  }

  listRoutes(): ListedRoute[] {
    return this.#run.project.hasFailed ? [] : listRoutes(this.#run);
  }

  #tellPaths(path: string): void {
    const sequence = this.#open.get(path);
    if (sequence !== undefined) this.#host.post({ kind: 'paths', path, sequence, answers: this.#run.project.answersIn(path) });
  }

  /** `changed`: files with another text. `isFirst`: nothing is known of what was sent before. */
  #tellFiles(files: Iterable<string>, changed: ReadonlySet<string>, isFirst = false): void {
    const news: LintedFile[] = [];
    for (const file of files) {
      if (this.#open.has(file) || !this.#run.project.analysisOf(file) || !this.#isDecidedAnew(file, changed)) continue;
      const linted = this.#linted(file);
      const text = linted.diagnostics.length === 0 ? '' : JSON.stringify(linted.diagnostics);
      if (!isFirst && text === (this.#sent.get(file) ?? '')) continue;
      if (text === '') this.#sent.delete(file);
      else this.#sent.set(file, text);
      news.push(linted);
    }
    if (news.length > 0) this.#host.post({ kind: 'files', files: news });
  }

  /** Whether there may be other findings in a file than those that were sent last. */
  #isDecidedAnew(file: string, changed: ReadonlySet<string>): boolean {
    const answers = this.#run.project.answersTo(file);
    const text = JSON.stringify(answers);
    const isSame = this.#decided.get(file) === text;
    this.#decided.set(file, text);
    // Of places in another text the lines may be others, even where the offsets are not.
    return (
      !isSame ||
      changed.has(file) ||
      answers.some((answer) => answer && placesOf(answer).some((place) => place.file !== undefined && changed.has(place.file)))
    );
  }

  #linted(file: string): LintedFile {
    const analysis = this.#run.project.analysisOf(file);
    const nothing = withoutFindings(file);
    // Most files have nothing to say: they are not read again.
    if (!analysis || (analysis.findings.length === 0 && analysis.proposals.length === 0 && analysis.comments.length === 0)) return nothing;
    const text = this.#run.textNow(file);
    if (text === undefined) return nothing;
    const { findings }: LintResult = this.#run.concluded(file, text);
    return {
      ...nothing,
      diagnostics: diagnosticsOf(file, text, findings, { ...this.#job, knownIn: this.#knownIn }, (other) => this.#source(other)),
    };
  }

  #source(path: string): Source | undefined {
    const text = this.#run.textNow(path);
    return text === undefined ? undefined : new Source(path, text);
  }

  async #isLeftOut(path: string): Promise<boolean> {
    return this.#tools.isLeftOut(path);
  }
}
