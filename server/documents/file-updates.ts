// Keeps everything true when files, folders, settings or other documents change.
import { basename, sep } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { FileChangeType, type FileEvent } from 'vscode-languageserver/node';
import { CancellationTokenSource } from 'vscode-languageserver/node';
import { URI } from 'vscode-uri';
import { deploymentFileKind, scriptKind, startsNode } from '../../workspace/discovery/left-out.ts';
import { readSource } from '../../workspace/discovery/read-source.ts';
import type { DeploymentProjects } from './deployment-projects.ts';
import type { Diagnostics } from './diagnostics.ts';
import type { DocumentLinter } from './document-linter.ts';
import { createDocument, pathOfUri, withoutMark, type OpenDocument, type OpenDocuments } from './documents.ts';
import type { Folders } from './folders.ts';
import type { IndexClient } from '../index-client.ts';
import type { ProjectView } from '../shared/project-view.ts';
import { PATIENTLY } from '../slow-documents.ts';
import { meaningOf } from './watched-files.ts';
import type { WorkspaceReports } from '../workers/workspace-reports.ts';
import { statsOf } from '../../files/path-stats.ts';

export interface FileUpdatesRequest {
  documents: OpenDocuments;
  folders: Folders;
  view: ProjectView;
  linter: DocumentLinter;
  deployment: DeploymentProjects;
  diagnostics: Diagnostics;
  index: IndexClient;
  reports: WorkspaceReports;
  /** Has the client ask again for the diagnostics of all open documents. */
  refresh(): void;
  /** Reads the whole project anew, or stops to. */
  buildIndex(): Promise<void>;
  /** Lints all folders, because the settings say so. */
  lintWorkspace(): Promise<void>;
  /** Stops a run. */
  forgetWorkspace(): Promise<void>;
  isLinting(): boolean;
  failed(what: string, error: unknown): void;
}

/** Changes that come together (a branch is switched) are followed together, in ms. */
const QUIET_MS = 200;
/** More files than this are cheaper to lint by a run of its own. */
const FEW_FILES = 30;

export class FileUpdates {
  readonly #request: FileUpdatesRequest;
  readonly #timers = new Map<string, NodeJS.Timeout>();
  /** Whether the whole workspace was linted, so that files that are not open have diagnostics to be kept true. */
  #knowsWorkspace = false;
  #followed: 'openFiles' | 'workspace' = 'openFiles';

  constructor(request: FileUpdatesRequest) {
    this.#request = request;
  }

  dispose(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  workspaceLinted(): void {
    this.#knowsWorkspace = true;
    this.#request.index.report(true);
  }

  async settingsChanged(): Promise<void> {
    this.#resetView();
    await this.#followScope();
  }

  async foldersChanged(removed: readonly string[]): Promise<void> {
    const { reports, folders } = this.#request;
    for (const uri of reports.uris) {
      const path = pathOfUri(uri);
      if (removed.some((folder) => path.startsWith(folder)) && !folders.findFolder(path)) reports.drop(uri);
    }
    this.#resetView();
    await this.#followScope();
  }

  documentTouched(document: OpenDocument, how: 'open' | 'change' | 'save'): void {
    const { linter, deployment } = this.#request;
    if (!document.onDisk) return;
    const meaning = meaningOf(document.path);
    // Other deployment files are judged by this one as it stands in the editor.
    if (how !== 'open' && deploymentFileKind(document.path)) {
      this.#later('deployment', async () => {
        if (this.#others(document).length === 0) return;
        linter.deploymentChanged();
        this.#request.refresh();
      });
    }
    // Clients that watch no files tell of saves at least.
    if (how === 'save' && meaning.context) this.#later('context', async () => this.#resetView());
    if (how === 'open' && deploymentFileKind(document.path)) deployment.reset();
  }

  /** By the server itself. Clients that watch files tell of it once more. */
  baselineChanged(): void {
    this.#resetView();
  }

  async documentClosed(document: OpenDocument): Promise<void> {
    this.#request.index.closed(document);
    if (this.#knowsWorkspace && document.onDisk) await this.#lintFromDisk(document.path);
  }

  async filesChanged(changes: readonly FileEvent[]): Promise<void> {
    const { linter, deployment, reports, documents, index } = this.#request;
    const onDisk: string[] = [];
    const toLint: string[] = [];
    let context = false;
    let judged = false;
    // More than one of our patterns may match a file.
    const distinct = new Map(changes.map((change) => [`${change.type} ${change.uri}`, change])).values();
    for (const { uri, type } of distinct) {
      const path = pathOfUri(uri);
      const meaning = meaningOf(path);
      // A path of any name may have been a folder with files in it.
      const isNewFolder = type === FileChangeType.Created && !meaning.lintable && statsOf(path)?.isDirectory() === true;
      if (meaning.lintable || isNewFolder || type === FileChangeType.Deleted) onDisk.push(path);
      context ||= meaning.context;
      judged ||= meaning.deployment;
      if (type === FileChangeType.Deleted) {
        reports.drop(uri);
        reports.drop(URI.file(path).toString());
        if (this.#knowsWorkspace && !meaning.lintable) this.#dropBelow(path);
      } else if (meaning.lintable && !documents.atPath(path)) toLint.push(path);
      else if (this.#knowsWorkspace && isNewFolder) this.#later('workspace', () => this.#request.lintWorkspace());
    }
    // What holds for files is read anew below, with all of them.
    if (!context) index.diskChanged(onDisk);
    if (judged) {
      deployment.reset();
      linter.deploymentChanged();
      const hasOpen = documents.all().some((document) => deploymentFileKind(document.path));
      if (hasOpen) this.#later('refresh', async () => this.#request.refresh());
    }
    if (context) {
      this.#later('context', async () => this.#resetView());
      if (this.#knowsWorkspace) this.#later('workspace', () => this.#request.lintWorkspace());
    } else if (this.#knowsWorkspace && toLint.length > FEW_FILES) this.#later('workspace', () => this.#request.lintWorkspace());
    else if (this.#knowsWorkspace) for (const path of toLint) await this.#lintFromDisk(path);
  }

  /** When it was a folder, the files in it are gone, too. */
  #dropBelow(folder: string): void {
    const { reports } = this.#request;
    for (const uri of reports.uris) if (pathOfUri(uri).startsWith(folder + sep)) reports.drop(uri);
  }

  #resetView(): void {
    const { view, deployment, buildIndex, failed } = this.#request;
    view.reset();
    deployment.reset();
    this.#request.refresh();
    buildIndex().catch((error: unknown) => failed('Reading the project', error));
  }

  /** Does what `nodometer.lintScope` says. */
  async #followScope(): Promise<void> {
    const { folders, reports, lintWorkspace, forgetWorkspace, isLinting } = this.#request;
    const { lintScope } = await folders.settingsFor(folders.all[0]);
    const before = this.#followed;
    this.#followed = lintScope;
    if (lintScope === 'workspace' && folders.all.length > 0) await lintWorkspace();
    else if (before === 'workspace') {
      if (isLinting()) await forgetWorkspace();
      this.#knowsWorkspace = false;
      this.#request.index.report(false);
      for (const uri of reports.uris) reports.drop(uri);
    } else if (this.#knowsWorkspace) await lintWorkspace();
  }

  /** Lints one file that is not open, as a run over the workspace would. */
  async #lintFromDisk(path: string): Promise<void> {
    const { linter, diagnostics, reports, folders, view, index } = this.#request;
    // The index tells of modules, and knows what they are called by.
    if (index.isOn && !deploymentFileKind(path)) return;
    const uri = URI.file(path).toString();
    const folder = folders.findFolder(path);
    // What is not open is judged only inside of the workspace.
    const context = folder && (await view.contextFor(path, folder.path, await folders.settingsFor(folder)));
    const reading = context && readSource(path, context.maxFileSize, false, context.isLinted);
    if (reading?.kind !== 'text') {
      reports.drop(uri);
      return;
    }
    await nextTurn();
    const isScript = scriptKind(path, basename(path)) === 'maybe-script' && startsNode(reading.text);
    const document = createDocument(uri, isScript ? 'javascript' : '', 0, withoutMark(reading.text));
    const result = await linter.lint(document, new CancellationTokenSource().token, PATIENTLY);
    // A run tells modules and deployment apart; here both come at once.
    reports.put(uri, 'deployment', []);
    reports.put(uri, 'module', diagnostics.diagnosticsOf(document, result));
  }

  #others({ path, uri }: OpenDocument): OpenDocument[] {
    const { documents, deployment } = this.#request;
    const root = deployment.rootOf(path);
    return documents
      .all()
      .filter((other) => other.uri !== uri && other.onDisk && deploymentFileKind(other.path) && deployment.rootOf(other.path) === root);
  }

  #later(name: string, work: () => Promise<void>): void {
    clearTimeout(this.#timers.get(name));
    this.#timers.set(
      name,
      setTimeout(() => {
        this.#timers.delete(name);
        work().catch((error: unknown) => this.#request.failed(`Following changes (${name})`, error));
      }, QUIET_MS),
    );
  }
}
