// The language server: what the client sends to the parts that answer it. No state outside of what `createServer` makes.
import { messageOf } from '../protocol/unknown-values.ts';
import {
  CodeLensRefreshRequest,
  DidChangeConfigurationNotification,
  DidChangeWatchedFilesNotification,
  DidChangeWorkspaceFoldersNotification,
  ErrorCodes,
  LSPErrorCodes,
  ResponseError,
  CancellationTokenSource,
  type CancellationToken,
  type Connection,
  type InitializeParams,
  type InitializeResult,
} from 'vscode-languageserver/node';
import { URI } from 'vscode-uri';
import {
  ACCEPT_REQUEST,
  COMMANDS,
  FIX_ALL_REQUEST,
  INDEX_NOTIFICATION,
  ROUTES_NOTIFICATION,
  PRODUCT,
  type AcceptParams,
  type FixAllParams,
  type IndexState,
  type LintWorkspaceParams,
  type LintWorkspaceResult,
} from '../protocol/editor.ts';
import type { EditorSettings } from '../protocol/settings.ts';
import { count } from '../workspace/count.ts';
import type { EvidenceStores } from '../workspace/profile/evidence-store.ts';
import { Baselines } from './shared/baselines.ts';
import { abilitiesOf, type ClientAbilities } from './client-abilities.ts';
import { DeploymentProjects } from './documents/deployment-projects.ts';
import type { ServerDeps } from './deps.ts';
import { Diagnostics, pageUriOf } from './documents/diagnostics.ts';
import { Cancelled, DocumentLinter } from './documents/document-linter.ts';
import { OpenDocuments, pathOfUri, type OpenDocument } from './documents/documents.ts';
import { Features } from './features.ts';
import { FileUpdates } from './documents/file-updates.ts';
import { Folders, type Folder } from './documents/folders.ts';
import { IndexClient, isIndexed } from './index-client.ts';
import type { LintJob } from './workers/lint-job.ts';
import type { IndexJob } from './shared/index-messages.ts';
import { offerToIgnore } from './runs/offer-to-ignore.ts';
import { Profiles } from './runs/profiles.ts';
import { ProgramRuns } from './runs/program-runs.ts';
import { ProjectView, problemsOf } from './shared/project-view.ts';
import { answerFirstSession, askFirstSession, SlowDocuments } from './slow-documents.ts';
import { capabilitiesOf, decodeOptions } from './server-abilities.ts';
import { answerDocuments } from './document-requests.ts';
import { answerRuns } from './runs/run-requests.ts';
import { answerOwnRequests } from './own-requests.ts';
import { Teller } from './teller.ts';
import { WATCHERS } from './documents/watched-files.ts';
import { WorkspaceLint, type Progress } from './workers/workspace-lint.ts';
import { WorkspaceReports } from './workers/workspace-reports.ts';

export interface Server {
  /** Stops what runs and frees what is held; the connection stays the caller's. */
  dispose(): Promise<void>;
}

/** How often the loop's delay is looked at, in ms. */
const LOOP_DELAY_EVERY_MS = 60_000;
/** A delay from here on is logged at the level of information, in ms: people notice it (RAIL's limit for a response is 100 ms). */
const LOOP_DELAY_TOLD_MS = 100;

export function createServer(connection: Connection, deps: ServerDeps): Server {
  const session = new Session(connection, deps);
  session.listen();
  return session;
}

class Session implements Server {
  readonly #connection: Connection;
  readonly #deps: ServerDeps;
  readonly #teller: Teller;
  readonly #documents: OpenDocuments;
  readonly #folders: Folders;
  readonly #reports: WorkspaceReports;
  readonly #workspaceLint: WorkspaceLint;
  readonly #slow: SlowDocuments;
  readonly #loopDelay;
  readonly #loopTimer: NodeJS.Timeout;
  #parts: Parts | undefined;
  #params: InitializeParams | undefined;
  #isDisposed = false;
  /** Settings of a client that sends them unasked. */
  #sentSettings: unknown;

  constructor(connection: Connection, deps: ServerDeps) {
    this.#connection = connection;
    this.#deps = deps;
    this.#teller = new Teller(connection);
    this.#documents = new OpenDocuments((document, change) => {
      this.#parts?.linter.changed(document, change);
      this.#parts?.index.changed(document, change);
    });
    this.#reports = new WorkspaceReports(
      (uri) => this.#documents.get(uri) !== undefined || this.#documents.atPath(pathOfUri(uri)) !== undefined,
    );
    this.#folders = new Folders({
      rules: deps.rules,
      fetch: (scopeUri) => this.#fetchSettings(scopeUri),
      warn: (message) => this.#teller.warn(message),
    });
    this.#workspaceLint = new WorkspaceLint({
      deps,
      reports: this.#reports,
      crashed: (crash) => this.#teller.crashed(crash),
      log: (message) => connection.console.info(message),
    });
    this.#slow = new SlowDocuments({
      connection,
      start: deps.startSlowSession,
      startWork: deps.startWork,
      documents: this.#documents,
      index: () => this.#ready().index,
      params: () => ({
        ...(this.#params as InitializeParams),
        workspaceFolders: this.#folders.all.map(({ uri }) => ({ uri, name: uri })),
      }),
      settings: () => this.#sentSettings,
      isSlowSession: this.#deps.isSlowSession === true,
      evidenceChanged: () => this.#ready().changed(),
      log: (message) => this.#teller.logOnce(message),
    });
    this.#loopDelay = deps.measureLoopDelay();
    this.#loopTimer = setInterval(() => this.#logLoopDelay(), LOOP_DELAY_EVERY_MS);
    this.#loopTimer.unref();
  }

  listen(): void {
    const connection = this.#connection;
    connection.onInitialize((params) => this.#initialize(params));
    connection.onInitialized(() => void this.#guard('Starting', () => this.#initialized()));
    connection.onDidOpenTextDocument(({ textDocument: { uri, languageId, version, text } }) =>
      this.#touched(this.#documents.open(uri, languageId, version, text), 'open'),
    );
    connection.onDidChangeTextDocument((params) => {
      const {
        textDocument: { uri, version },
        contentChanges,
      } = params;
      const outcome = this.#documents.change(uri, version, contentChanges);
      const document = this.#documents.get(uri);
      if (outcome === 'applied' && document) {
        this.#slow.changed(uri, params);
        this.#touched(document, 'change');
      } else connection.console.warn(`A change of ${uri} to version ${version} was ignored: ${outcome}.`);
    });
    connection.onDidSaveTextDocument(({ textDocument: { uri } }) => {
      const document = this.#documents.saved(uri);
      this.#slow.saved(uri);
      if (document) this.#touched(document, 'save');
    });
    connection.onDidCloseTextDocument(({ textDocument: { uri } }) => this.#closed(uri));
    connection.onDidChangeConfiguration((params) => {
      const { settings } = params;
      this.#slow.tell(DidChangeConfigurationNotification.method, params);
      this.#sentSettings = (settings as Record<string, unknown> | null)?.[PRODUCT] ?? settings;
      this.#folders.resetSettings();
      void this.#guard('Reading the settings', () => this.#updates().settingsChanged());
    });
    connection.onDidChangeWatchedFiles((params) => {
      this.#slow.tell(DidChangeWatchedFilesNotification.method, params);
      void this.#guard('Following changed files', () => this.#updates().filesChanged(params.changes));
    });
    connection.languages.diagnostics.onWorkspace((params, token, _, partial) => {
      // Missing where the client takes no partial results; the library has taken their token out of the parameters.
      const send = partial && ((items: Parameters<typeof partial.report>[0]['items']) => partial.report({ items }));
      return this.#answer('Linting the workspace', token, () => this.#reports.pull(params, token, send));
    });
    answerOwnRequests(connection, (what, token, work) => this.#answer(what, token, work), {
      slow: this.#slow,
      features: () => this.#ready().features,
      lint: (params, token) => this.#lintOnRequest(params, token),
      accept: (params, token) => this.#accept(params, token),
    });
    answerRuns(
      connection,
      (what, token, work) => this.#answer(what, token, work),
      () => this.#ready(),
      { slow: this.#slow, platform: this.#deps.platform },
    );
    answerDocuments(connection, (what, token, work) => this.#answer(what, token, work), {
      features: () => this.#ready().features,
      diagnostics: () => this.#ready().diagnostics,
      slow: this.#slow,
    });
    if (this.#deps.isSlowSession)
      answerFirstSession(connection, { documents: this.#documents, parts: () => this.#ready(), refresh: () => this.#refresh() });
    connection.onExecuteCommand(({ command, arguments: args }, token) =>
      this.#answer(command, token, () => this.#execute(command, args ?? [], token)),
    );
    connection.onShutdown(() => this.dispose());
  }

  async dispose(): Promise<void> {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    clearInterval(this.#loopTimer);
    this.#logLoopDelay();
    this.#loopDelay.stop();
    this.#parts?.diagnostics.dispose();
    this.#parts?.updates.dispose();
    this.#reports.answerWaiting();
    await Promise.all([this.#workspaceLint.dispose(), this.#parts?.index.stop(), this.#slow.dispose()]);
  }

  #initialize(params: InitializeParams): InitializeResult {
    if (this.#parts) throw new ResponseError(ErrorCodes.InvalidRequest, 'The server is initialized already.');
    this.#params = params;
    const options = decodeOptions(params.initializationOptions);
    const abilities = abilitiesOf(params.capabilities, params.clientInfo?.name);
    const { rules, version, nodeVersion, platform } = this.#deps;
    const roots = params.workspaceFolders?.map((folder) => folder.uri) ?? [
      params.rootUri ?? (params.rootPath ? URI.file(params.rootPath).toString() : undefined),
    ];
    this.#folders.set(roots.filter((uri) => typeof uri === 'string'));
    const runningNode = options.nodeVersion ?? nodeVersion;
    const view = new ProjectView({
      rules,
      platform,
      runningNode,
      warn: (message) => this.#teller.logOnce(message),
      broken: (path, error) => {
        const [first] = problemsOf(path, error);
        this.#teller.error(
          `${path}${first ? `:${first.line}: ${first.message}` : ' cannot be used.'} The last valid configuration stays in effect.`,
        );
      },
    });
    const documents = this.#documents;
    const deployment = new DeploymentProjects({
      rules,
      view,
      now: () => this.#deps.now(),
      openText: (path) => documents.atPath(path)?.text.getText(),
      log: (message) => this.#teller.logOnce(message),
    });
    const log = (message: string) => this.#teller.logOnce(message);
    const refreshLenses = (): void =>
      void (
        abilities.refreshLenses && this.#guard('Refreshing the lenses', () => this.#connection.sendRequest(CodeLensRefreshRequest.type))
      );
    // Verdicts and settings are on lenses, too, and VS Code asks for these again on its own only after an edit.
    const refreshAll = (): void => {
      this.#refresh();
      refreshLenses();
    };
    const index = new IndexClient({
      startIndex: this.#deps.startIndex,
      log,
      refresh: () => this.#refresh(),
      linted: (files) => {
        for (const { path, part, diagnostics } of files) this.#reports.put(URI.file(path).toString(), part, diagnostics);
      },
      state: (state) => this.#tellIndex(state, options.clientCommands),
      changed: () => this.#tellRoutes(options.clientCommands),
      lenses: refreshLenses,
      ...(this.#deps.isSlowSession && askFirstSession(this.#connection)),
    });
    const linter = new DocumentLinter({
      rules,
      folders: this.#folders,
      view,
      deployment,
      log,
      index,
      watches: abilities.watch,
      limited: this.#slow.limited,
      crashed: (crash) => this.#teller.crashed(crash),
      outdated: () => {
        deployment.reset();
        this.#refresh();
      },
    });
    const failed = (what: string, error: unknown) => this.#failed(what, error);
    let baselines: { generation: number; now: Baselines } | undefined;
    const baselinesNow = (): Baselines => {
      const { generation } = view;
      if (baselines?.generation !== generation)
        baselines = { generation, now: new Baselines((path) => this.#folders.findFolder(path)?.path, log) };
      return baselines.now;
    };
    const diagnostics = new Diagnostics({
      connection: this.#connection,
      deps: this.#deps,
      documents,
      linter,
      reports: this.#reports,
      slow: (uri) => this.#slow.take(uri),
      abilities,
      baselines: baselinesNow,
      status: options.clientCommands,
      failed,
    });
    const features = new Features({
      deps: this.#deps,
      documents,
      linter,
      diagnostics,
      index,
      abilities,
      baselines: baselinesNow,
      clientCommands: options.clientCommands,
      profiles: options.profiles,
      limited: this.#slow.limited,
      warn: (message) => this.#teller.warn(message),
    });
    const changed = (): void => {
      linter.evidenceChanged();
      this.#slow.tellEvidence();
      refreshAll();
      this.#tellRoutes(options.clientCommands);
    };
    const running = {
      deps: this.#deps,
      documents,
      view,
      trusted: options.profiles,
      warn: (message: string) => this.#teller.warn(message),
      changed,
      kept: ({ begun }: EvidenceStores) => {
        changed();
        for (const evidence of begun) void offerToIgnore(evidence, this.#connection, this.#deps.platform, failed);
      },
    };
    const profiles = new Profiles({ ...running, linter, index, limited: this.#slow.limited });
    const programs = new ProgramRuns({ ...running, folders: this.#folders, index });
    const updates = new FileUpdates({
      documents,
      folders: this.#folders,
      view,
      linter,
      deployment,
      diagnostics,
      index,
      reports: this.#reports,
      failed,
      buildIndex: () => this.#buildIndex(),
      refresh: refreshAll,
      lintWorkspace: () => this.#lintUnasked(),
      forgetWorkspace: () => this.#workspaceLint.stop(),
      isLinting: () => this.#workspaceLint.isRunning,
    });
    if (!abilities.pullsWorkspace) this.#reports.follow((items) => diagnostics.publishReports(items));
    this.#parts = { abilities, view, linter, index, diagnostics, features, profiles, programs, updates, changed, runningNode };
    return { serverInfo: { name: 'Nodometer', version }, capabilities: capabilitiesOf(abilities, options.clientCommands) };
  }

  async #initialized(): Promise<void> {
    const connection = this.#connection;
    const { abilities, runningNode } = this.#ready();
    const { version, nodeVersion } = this.#deps;
    connection.console.info(
      `Nodometer ${version} on Node ${nodeVersion}${runningNode === nodeVersion ? '' : `; programs are assumed to run on Node ${runningNode}`}.`,
    );
    if (abilities.configurationChanges) await connection.client.register(DidChangeConfigurationNotification.type, { section: PRODUCT });
    if (abilities.watch) await connection.client.register(DidChangeWatchedFilesNotification.type, { watchers: [...WATCHERS] });
    if (abilities.folderChanges) {
      connection.workspace.onDidChangeWorkspaceFolders(
        (event) =>
          void this.#guard('Following folders', async () => {
            this.#slow.tell(DidChangeWorkspaceFoldersNotification.method, { event });
            const { added, removed } = event;
            this.#folders.change(
              added.map(({ uri }) => uri),
              removed.map(({ uri }) => uri),
            );
            await this.#updates().foldersChanged(removed.map(({ uri }) => pathOfUri(uri)));
          }),
      );
    }
    // It reads them when it has its first document.
    if (!this.#deps.isSlowSession) await this.#updates().settingsChanged();
  }

  #touched(document: OpenDocument, how: 'open' | 'change' | 'save'): void {
    const parts = this.#parts;
    if (!parts) return;
    parts.updates.documentTouched(document, how);
    if (how === 'open') parts.index.opened(document);
    else if (how === 'change') parts.index.edited(document);
    if (how === 'open') parts.diagnostics.opened(document.uri);
    if (!parts.abilities.pull && !this.#slow.has(document.uri)) parts.diagnostics.push(document);
  }

  #closed(uri: string): void {
    const document = this.#documents.close(uri);
    const parts = this.#parts;
    this.#slow.closed(uri);
    if (!document || !parts) return;
    parts.diagnostics.closed(uri);
    parts.linter.closed(document);
    void this.#guard('Closing', () => parts.updates.documentClosed(document));
  }

  async #lintOnRequest({ workDoneToken, folders: wanted }: LintWorkspaceParams, token: CancellationToken): Promise<LintWorkspaceResult> {
    const progress = workDoneToken === undefined ? undefined : this.#connection.window.attachWorkDoneProgress(workDoneToken);
    return this.#lintFolders(
      this.#folders.all.filter(({ uri }) => !wanted || wanted.includes(uri)),
      token,
      progress,
    );
  }

  /** Because the settings say so. */
  async #lintUnasked(): Promise<void> {
    if (this.#deps.isSlowSession) return;
    if (!this.#ready().abilities.progress) {
      await this.#lintFolders(this.#folders.all, new CancellationTokenSource().token, undefined);
      return;
    }
    const progress = await this.#connection.window.createWorkDoneProgress();
    await this.#lintFolders(this.#folders.all, progress.token, progress);
  }

  /** Everything anew: settings, configurations or folders are other ones. */
  async #buildIndex(): Promise<void> {
    const { index } = this.#ready();
    const folders = (await this.#foldersOnDisk(this.#folders.all)).filter(({ editor }) => editor.enable && editor['index.enable']);
    if (folders.length === 0) return index.stop();
    index.build(
      () => this.#documents.all().filter(isIndexed),
      (documents): IndexJob => ({ ...this.#jobFor(folders), open: documents.map(({ path, text }) => ({ path, text: text.getText() })) }),
    );
  }

  #jobFor(folders: LintJob['folders']): LintJob {
    const { abilities, runningNode } = this.#ready();
    const { platform, analysis, rules } = this.#deps;
    const pages = Object.fromEntries(
      rules.flatMap(({ meta }) => {
        const page = pageUriOf(this.#deps, meta.id);
        return page === undefined ? [] : [[meta.id, page]];
      }),
    );
    return {
      folders,
      allFolders: this.#folders.all.flatMap(({ path }) => path ?? []),
      runningNode,
      platform,
      analysis,
      abilities: abilities.diagnostics,
      pages,
    };
  }

  async #foldersOnDisk(folders: readonly Folder[]): Promise<{ path: string; editor: EditorSettings }[]> {
    const onDisk: { path: string; editor: EditorSettings }[] = [];
    for (const folder of folders)
      if (folder.path !== undefined) onDisk.push({ path: folder.path, editor: await this.#folders.settingsFor(folder) });
    return onDisk;
  }

  #tellIndex(state: IndexState, isWanted: boolean): void {
    if (!isWanted) return;
    this.#connection
      .sendNotification(INDEX_NOTIFICATION, state)
      .catch((error: unknown) => this.#failed('Sending the state of the index', error));
  }

  #tellRoutes(isWanted: boolean): void {
    if (!isWanted) return;
    this.#connection
      .sendNotification(ROUTES_NOTIFICATION)
      .catch((error: unknown) => this.#failed('Sending that routes have changed', error));
  }

  async #lintFolders(folders: readonly Folder[], token: CancellationToken, progress: Progress | undefined): Promise<LintWorkspaceResult> {
    const { updates } = this.#ready();
    const job = this.#jobFor(await this.#foldersOnDisk(folders));
    const keeps = (uri: string) => {
      const owner = this.#folders.findFolder(pathOfUri(uri));
      return owner !== undefined && !folders.includes(owner);
    };
    const result = await this.#workspaceLint.run({ job, keeps, token, progress });
    if (!result.cancelled) updates.workspaceLinted();
    return result;
  }

  async #execute(command: string, args: readonly unknown[], token: CancellationToken): Promise<unknown> {
    const [first] = args;
    if (command === COMMANDS.lintWorkspace) {
      const { files, findings } = await this.#lintOnRequest({}, token);
      this.#teller.inform(`${count(findings, 'finding')} in ${count(files, 'file')}.`);
      return undefined;
    }
    if (command === COMMANDS.openRuleDocumentation && typeof first === 'string') {
      const uri = pageUriOf(this.#deps, first);
      if (uri !== undefined && this.#ready().abilities.showDocument) return this.#connection.window.showDocument({ uri });
      this.#teller.inform(uri === undefined ? `There is no documentation for ${first}.` : `Documentation for ${first}: ${uri}`);
      return undefined;
    }
    if (command === COMMANDS.fixFile && typeof first === 'string') {
      const params: FixAllParams = { textDocument: { uri: first }, kind: 'safe' };
      const { features } = this.#ready();
      const { edits } = await this.#slow.answer(FIX_ALL_REQUEST, first, params, token, () => features.fixAll(params, token));
      return this.#connection.workspace.applyEdit({ changes: { [first]: [...edits] } });
    }
    if (command === COMMANDS.acceptFinding && typeof first === 'object' && first !== null)
      return this.#accept({ ...(first as AcceptParams), reason: undefined }, token);
    throw new ResponseError(ErrorCodes.InvalidParams, `${command} cannot be run with ${JSON.stringify(args)}.`);
  }

  async #accept(params: AcceptParams, token: CancellationToken): Promise<boolean> {
    const { features, updates } = this.#ready();
    const isOk = await this.#slow.answer(ACCEPT_REQUEST, params.uri, params, token, async () => {
      const { ok, message } = await features.accept(params, token);
      if (ok) this.#teller.inform(message);
      else this.#teller.warn(message);
      return ok;
    });
    if (isOk) updates.baselineChanged();
    return isOk;
  }

  /** Asks the client to ask again, or sends again. */
  #refresh(): void {
    const { abilities, diagnostics } = this.#ready();
    if (!abilities.pull)
      for (const document of this.#documents.all())
        if (this.#slow.has(document.uri)) this.#slow.tellKnown(document.uri);
        else diagnostics.push(document);
    else if (abilities.refresh) void this.#guard('Refreshing', () => this.#connection.languages.diagnostics.refresh());
  }

  async #fetchSettings(scopeUri: string | undefined): Promise<unknown> {
    if (!this.#parts?.abilities.configuration) return this.#sentSettings;
    try {
      return await this.#connection.workspace.getConfiguration({ scopeUri, section: PRODUCT });
    } catch (error) {
      this.#connection.console.warn(`The editor did not send its settings (${messageOf(error)}); the defaults are used.`);
      return undefined;
    }
  }

  #ready(): Parts {
    if (!this.#parts) throw new ResponseError(ErrorCodes.ServerNotInitialized, 'The server is not initialized yet.');
    return this.#parts;
  }

  #updates(): FileUpdates {
    return this.#ready().updates;
  }

  /** Runs what nobody waits for: an error is logged. */
  async #guard(what: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#failed(what, error);
    }
  }

  /** Runs what the client waits for: an error of ours is logged and answered, never an end of the process. */
  async #answer<T>(what: string, token: CancellationToken, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Cancelled || token.isCancellationRequested) throw new ResponseError(LSPErrorCodes.RequestCancelled, 'cancelled');
      if (error instanceof ResponseError) throw error;
      this.#failed(what, error);
      throw new ResponseError(ErrorCodes.InternalError, `${what} failed: ${messageOf(error)}`);
    }
  }

  #failed(what: string, error: unknown): void {
    // Work that the end has caught up with: nobody is there to hear of it, and the connection throws.
    if (this.#isDisposed) return;
    this.#connection.console.error(`${what} failed. ${error instanceof Error ? error.stack : String(error)}`);
  }

  #logLoopDelay(): void {
    const { p50, p99, max } = this.#loopDelay.read();
    const text = `Event loop delay of the server: p50 ${p50} ms, p99 ${p99} ms, max ${max} ms.`;
    if (max >= LOOP_DELAY_TOLD_MS) this.#connection.console.info(text);
    else this.#connection.console.debug(text);
  }
}

interface Parts {
  abilities: ClientAbilities;
  view: ProjectView;
  linter: DocumentLinter;
  index: IndexClient;
  diagnostics: Diagnostics;
  features: Features;
  profiles: Profiles;
  programs: ProgramRuns;
  updates: FileUpdates;
  changed(): void;
  /** Version of the Node that programs are taken to run on where their project says nothing. */
  runningNode: string;
}
