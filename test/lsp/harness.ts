// A language server and a client of the protocol's own library in one process, joined by in-memory streams.
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  createConnection,
  createProtocolConnection,
  MessageType,
  ProposedFeatures,
  StreamMessageReader,
  StreamMessageWriter,
  type ClientCapabilities,
  type CodeAction,
  type CodeLens,
  type Diagnostic,
  type DocumentDiagnosticReport,
  type FileChangeType,
  type Hover,
  type InitializeResult,
  type MessageConnection,
  type Position,
  type ProtocolConnection,
  type PublishDiagnosticsParams,
  type Range,
  type Registration,
  type TextDocumentContentChangeEvent,
  type WorkspaceFolder,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { URI } from 'vscode-uri';
import {
  FIX_ALL_REQUEST,
  LINT_WORKSPACE_REQUEST,
  PRODUCT,
  ROUTES_NOTIFICATION,
  STATUS_NOTIFICATION,
  type FixAllResult,
  type InitializationOptions,
  type LintWorkspaceParams,
  type LintWorkspaceResult,
  type StatusParams,
} from '../../protocol/editor.ts';
import type { FixKind } from '../../protocol/finding.ts';
import { findDamage } from '../../analysis/fix/verify.ts';
import { rules } from '../../rules/index.ts';
import type { RunningJob, ServerDeps } from '../../server/deps.ts';
import { runLintJob, type LintJob, type LintJobMessage } from '../../server/workers/lint-job.ts';
import { ProjectIndex } from '../../server/index-thread/project-index.ts';
import type { IndexRequest } from '../../server/shared/index-messages.ts';
import { createServer } from '../../server/server.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

/** What VS Code says of itself, as far as the server asks. */
export const VS_CODE: ClientCapabilities = {
  textDocument: {
    diagnostic: { relatedInformation: true, codeDescriptionSupport: true, dataSupport: true, tagSupport: { valueSet: [1, 2] } },
    codeAction: {
      codeActionLiteralSupport: { codeActionKind: { valueSet: [] } },
      disabledSupport: true,
      isPreferredSupport: true,
      dataSupport: true,
      resolveSupport: { properties: ['edit'] },
    },
    hover: { contentFormat: ['markdown', 'plaintext'] },
  },
  workspace: {
    configuration: true,
    didChangeConfiguration: { dynamicRegistration: true },
    didChangeWatchedFiles: { dynamicRegistration: true },
    workspaceFolders: true,
    diagnostics: { refreshSupport: true },
    codeLens: { refreshSupport: true },
    workspaceEdit: { documentChanges: true },
    applyEdit: true,
  },
  window: { workDoneProgress: true, showDocument: { support: true } },
};

/** An editor that waits for diagnostics to be sent and can do little else. */
export const SIMPLE_EDITOR: ClientCapabilities = {
  textDocument: { publishDiagnostics: { relatedInformation: true, versionSupport: true } },
};

export const RUNNING_NODE = '20.19.0';

/** A server that has not said what was waited for by then has forgotten it; nothing here takes a tenth of it. */
const GIVEN_UP_AFTER_MS = 30_000;

export interface StartOptions {
  /** Paths of the workspace's folders; URIs are taken as they are. */
  folders?: readonly string[];
  capabilities?: ClientCapabilities;
  /** What the client calls itself. */
  client?: string;
  /** The section `nodometer` for a folder's URI. A function is asked anew each time, and may answer later. */
  settings?: unknown;
  options?: InitializationOptions;
  deps?: Partial<ServerDeps>;
}

export interface Message {
  type: MessageType;
  message: string;
}

export function uriOf(path: string): string {
  return pathToFileURL(path).href;
}

/** Runs a workspace's lint job in this thread, one turn of the loop later. */
export function jobHere(lintRules: ServerDeps['rules'] = rules): ServerDeps['startLintJob'] {
  return (job: LintJob, listen: (message: LintJobMessage) => void, died: (error: Error) => void): RunningJob => {
    const interruption = new AbortController();
    const done = delay(0)
      .then(() =>
        runLintJob(structuredClone(job), {
          rules: lintRules,
          now: () => performance.now(),
          signal: interruption.signal,
          post: (message) => listen(structuredClone(message)),
        }),
      )
      .catch(died);
    return {
      async stop() {
        interruption.abort();
        await done;
      },
    };
  };
}

/** Messages of the index that are on their way, and requests that it works on. */
export interface IndexWork {
  pending: number;
}

/** Changes of files are gathered for 200 ms by the server, which runs in this thread. */
const SILENT_MS = 300;

/** Comes back when the index has nothing more to say of what it was told. */
export async function quiet(index: IndexWork): Promise<void> {
  // Edits are gathered for 40 ms before they are sent.
  for (let times = 0; times < 3; times = index.pending === 0 ? times + 1 : 0) await delay(20);
}

/** Holds the project's index in this thread; each message comes a turn of the loop later. */
export function indexHere(lintRules: ServerDeps['rules'] = rules, work: IndexWork = { pending: 0 }): NonNullable<ServerDeps['startIndex']> {
  return (listen) => {
    let isOver = false;
    const later =
      <T>(take: (message: T) => unknown) =>
      (message: T) => {
        const copy = structuredClone(message);
        work.pending++;
        void delay(0)
          .then(() => (isOver ? undefined : take(copy)))
          .finally(() => work.pending--);
      };
    const index = new ProjectIndex({
      rules: lintRules,
      now: () => performance.now(),
      log: (message) => listen({ kind: 'log', message }),
      post: later(listen),
    });
    return {
      post: later((request: IndexRequest) => index.handle(request)),
      async stop() {
        isOver = true;
        index.stop();
      },
    };
  };
}

export function depsForTests(more: Partial<ServerDeps> = {}, work?: IndexWork): ServerDeps {
  return {
    rules,
    version: '1.2.3',
    nodeVersion: RUNNING_NODE,
    platform: 'linux',
    now: () => performance.now(),
    loadFixCheck: async () => findDamage,
    findRulePage: (ruleId) => fileURLToPath(new URL(`../../rules/${ruleId}/README.md`, import.meta.url)),
    startLintJob: jobHere(more.rules),
    startIndex: indexHere(more.rules, work),
    measureLoopDelay: () => ({ read: () => ({ p50: 0, p99: 0, max: 0 }), stop: () => undefined }),
    ...more,
  };
}

/** A client on any connection: the in-memory server's, or that of a process. */
export class Client {
  readonly connection: ProtocolConnection;
  readonly logs: Message[] = [];
  /** What the user is shown. */
  readonly messages: Message[] = [];
  readonly published: PublishDiagnosticsParams[] = [];
  readonly statuses = new Map<string, StatusParams>();
  readonly registrations: Registration[] = [];
  readonly progress: { token: string | number; value: { kind: string; message?: string; percentage?: number } }[] = [];
  readonly shown: string[] = [];
  readonly edits: unknown[] = [];
  refreshes = 0;
  lensRefreshes = 0;
  /** How often the server said that the list of routes may be another one. */
  routeChanges = 0;
  settings: unknown;
  readonly #waiters = new Set<() => void>();
  readonly #documents = new Map<string, TextDocument>();

  /** What the index has to do, where it is in this process. */
  protected index: IndexWork = { pending: 0 };

  constructor(connection: ProtocolConnection, settings?: unknown) {
    this.connection = connection;
    this.settings = settings;
    const heard =
      <P>(take: (params: P) => void) =>
      (params: P) => {
        take(params);
        for (const waiter of [...this.#waiters]) waiter();
      };
    const heardRequest =
      <P, R>(take: (params: P) => R) =>
      (params: P) => {
        const answer = take(params);
        for (const waiter of [...this.#waiters]) waiter();
        return answer;
      };
    connection.onNotification(
      'window/logMessage',
      heard((message: Message) => this.logs.push(message)),
    );
    connection.onNotification(
      'window/showMessage',
      heard((message: Message) => this.messages.push(message)),
    );
    connection.onNotification(
      'textDocument/publishDiagnostics',
      heard((params: PublishDiagnosticsParams) => this.published.push(params)),
    );
    connection.onNotification(
      STATUS_NOTIFICATION,
      heard((status: StatusParams) => this.statuses.set(status.uri, status)),
    );
    connection.onNotification(
      ROUTES_NOTIFICATION,
      heard(() => this.routeChanges++),
    );
    // Where a partial result goes is the library's own matter; the type leaves out that it can be asked for the rest.
    (connection as unknown as MessageConnection).onUnhandledProgress(
      heard((params) => this.progress.push(params as (typeof this.progress)[number])),
    );
    connection.onRequest(
      'client/registerCapability',
      heardRequest(({ registrations }: { registrations: Registration[] }) => {
        this.registrations.push(...registrations);
        return null;
      }),
    );
    connection.onRequest(
      'workspace/configuration',
      heardRequest(({ items }: { items: { scopeUri?: string; section?: string }[] }) =>
        Promise.all(
          items.map(({ scopeUri, section }) => {
            assert.equal(section, PRODUCT);
            return (
              (typeof this.settings === 'function' ? (this.settings as (uri: string | undefined) => unknown)(scopeUri) : this.settings) ??
              null
            );
          }),
        ),
      ),
    );
    connection.onRequest(
      'window/workDoneProgress/create',
      heardRequest(() => null),
    );
    connection.onRequest(
      'workspace/diagnostic/refresh',
      heardRequest(() => {
        this.refreshes++;
        return null;
      }),
    );
    connection.onRequest(
      'workspace/codeLens/refresh',
      heardRequest(() => {
        this.lensRefreshes++;
        return null;
      }),
    );
    connection.onRequest(
      'window/showDocument',
      heardRequest(({ uri }: { uri: string }) => {
        this.shown.push(uri);
        return { success: true };
      }),
    );
    connection.onRequest(
      'workspace/applyEdit',
      heardRequest(({ edit }: { edit: unknown }) => {
        this.edits.push(edit);
        return { applied: true };
      }),
    );
  }

  async initialize({ folders = [], capabilities = VS_CODE, client, options }: StartOptions = {}): Promise<InitializeResult> {
    const workspaceFolders = folders.map(
      (folder): WorkspaceFolder => ({ uri: folder.includes('://') ? folder : uriOf(folder), name: folder }),
    );
    const result = await this.connection.sendRequest('initialize', {
      processId: null,
      rootUri: null,
      clientInfo: client === undefined ? undefined : { name: client },
      capabilities,
      workspaceFolders,
      initializationOptions: options,
    });
    await this.connection.sendNotification('initialized', {});
    return result as InitializeResult;
  }

  /** Comes back when the condition holds, which is asked after each message of the server. */
  async until(what: string, holds: () => boolean): Promise<void> {
    if (holds()) return;
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiters.delete(waiter);
        reject(
          new Error(dedent`
          waited in vain for: ${what}
          ${this.logs.map(({ message }) => message).join('\n')}
        `),
        );
      }, GIVEN_UP_AFTER_MS);
      const waiter = () => {
        if (!holds()) return;
        clearTimeout(timer);
        this.#waiters.delete(waiter);
        resolve();
      };
      this.#waiters.add(waiter);
    });
  }

  /** Comes back when the index has nothing more to say of what it was told. */
  indexed(): Promise<void> {
    return quiet(this.index);
  }

  /**
   * Does something that has the server ask for everything to be asked for again, and comes back when it has been silent for longer than it
   * gathers what
   * files change: what the index has to say of something earlier may have it ask, too.
   */
  async refreshed(work: () => unknown): Promise<void> {
    await this.indexed();
    let before = this.refreshes;
    await work();
    await this.until('a refresh', () => this.refreshes > before);
    while (this.refreshes > before) {
      before = this.refreshes;
      await delay(SILENT_MS);
    }
  }

  async open(
    uri: string,
    text: string,
    { languageId = 'javascript', version = 1 }: { languageId?: string; version?: number } = {},
  ): Promise<void> {
    this.#documents.set(uri, TextDocument.create(uri, languageId, version, text));
    await this.connection.sendNotification('textDocument/didOpen', { textDocument: { uri, languageId, version, text } });
  }

  async change(uri: string, ...contentChanges: TextDocumentContentChangeEvent[]): Promise<void> {
    const document = this.#document(uri);
    const version = document.version + 1;
    this.#documents.set(uri, TextDocument.update(document, contentChanges, version));
    await this.connection.sendNotification('textDocument/didChange', { textDocument: { uri, version }, contentChanges });
  }

  /** Replaces the first `part` of the text. */
  async replace(uri: string, part: string, text: string): Promise<void> {
    await this.change(uri, { range: this.rangeOf(uri, part), text });
  }

  async save(uri: string): Promise<void> {
    await this.connection.sendNotification('textDocument/didSave', { textDocument: { uri } });
  }

  async close(uri: string): Promise<void> {
    this.#documents.delete(uri);
    await this.connection.sendNotification('textDocument/didClose', { textDocument: { uri } });
  }

  async watched(...changes: readonly { uri: string; type: FileChangeType }[]): Promise<void> {
    await this.connection.sendNotification('workspace/didChangeWatchedFiles', { changes });
  }

  async configure(settings: unknown): Promise<void> {
    this.settings = settings;
    await this.connection.sendNotification('workspace/didChangeConfiguration', {
      settings: settings === undefined ? null : { [PRODUCT]: settings },
    });
  }

  textOf(uri: string): string {
    return this.#document(uri).getText();
  }

  versionOf(uri: string): number {
    return this.#document(uri).version;
  }

  rangeOf(uri: string, part: string): Range {
    const document = this.#document(uri);
    const start = document.getText().indexOf(part);
    assert.notEqual(start, -1, `the text has no ${part}`);
    return { start: document.positionAt(start), end: document.positionAt(start + part.length) };
  }

  async pull(uri: string, previousResultId?: string): Promise<DocumentDiagnosticReport> {
    return this.connection.sendRequest('textDocument/diagnostic', { textDocument: { uri }, identifier: PRODUCT, previousResultId });
  }

  /**
   * What an editor shows in the end. The server answers with what the file says where the index, which may be busy, has not answered within
   * 100 ms of the opening; it has the editor ask again then.
   */
  async diagnose(uri: string): Promise<Diagnostic[]> {
    const first = await this.pull(uri);
    assert.ok(first.kind === 'full');
    if (first.resultId === undefined) return first.items;
    while (this.index.pending > 0) await delay(1);
    const again = await this.pull(uri, first.resultId);
    return again.kind === 'full' ? again.items : first.items;
  }

  /** `3:5 no-sync-in-handler` for each diagnostic, lines and columns from 1. */
  async places(uri: string): Promise<string[]> {
    return placesOf(await this.diagnose(uri));
  }

  async actions(uri: string, range: Range, only?: string[]): Promise<CodeAction[]> {
    return (
      (await this.connection.sendRequest<CodeAction[] | null>('textDocument/codeAction', {
        textDocument: { uri },
        range,
        context: { diagnostics: [], only },
      })) ?? []
    );
  }

  async resolve(action: CodeAction): Promise<CodeAction> {
    return this.connection.sendRequest('codeAction/resolve', action);
  }

  async hover(uri: string, position: Position): Promise<Hover | null> {
    return this.connection.sendRequest('textDocument/hover', { textDocument: { uri }, position });
  }

  async lenses(uri: string): Promise<CodeLens[]> {
    return (await this.connection.sendRequest<CodeLens[] | null>('textDocument/codeLens', { textDocument: { uri } })) ?? [];
  }

  async fixAll(uri: string, kind: FixKind, ruleId?: string): Promise<FixAllResult> {
    return this.connection.sendRequest(FIX_ALL_REQUEST, { textDocument: { uri, version: this.versionOf(uri) }, kind, ruleId });
  }

  async lintWorkspace(params: LintWorkspaceParams = {}): Promise<LintWorkspaceResult> {
    return this.connection.sendRequest(LINT_WORKSPACE_REQUEST, params);
  }

  #document(uri: string): TextDocument {
    const document = this.#documents.get(uri);
    assert.ok(document, `${uri} is not open`);
    return document;
  }
}

export function placesOf(diagnostics: readonly Diagnostic[]): string[] {
  return diagnostics.map(({ range: { start }, code }) => `${start.line + 1}:${start.character + 1} ${String(code)}`);
}

/** A server in this process with its client. */
export class Session extends Client {
  readonly #dispose: () => Promise<void>;
  readonly toServer: PassThrough;
  initialized: InitializeResult = { capabilities: {} };

  constructor(deps: ServerDeps, settings: unknown, index: IndexWork = { pending: 0 }) {
    const toServer = new PassThrough();
    const toClient = new PassThrough();
    super(createProtocolConnection(new StreamMessageReader(toClient), new StreamMessageWriter(toServer)), settings);
    this.toServer = toServer;
    this.index = index;
    const serverSide = createConnection(ProposedFeatures.all, new StreamMessageReader(toServer), new StreamMessageWriter(toClient));
    const server = createServer(serverSide, deps);
    serverSide.listen();
    this.connection.listen();
    this.#dispose = async () => {
      await server.dispose();
      this.connection.dispose();
      serverSide.dispose();
    };
  }

  /** Errors that the server has logged. A test that expects some takes them out. */
  takeErrors(): string[] {
    const errors = this.logs.filter(({ type }) => type === MessageType.Error).map(({ message }) => message);
    this.logs.splice(0, this.logs.length, ...this.logs.filter(({ type }) => type !== MessageType.Error));
    return errors;
  }

  /** Fails when the server has logged an error. */
  async dispose(): Promise<void> {
    const result = await this.connection.sendRequest('shutdown');
    assert.equal(result, null);
    const errors = this.takeErrors();
    await this.#dispose();
    assert.deepEqual(errors, []);
  }
}

export async function start(options: StartOptions = {}): Promise<Session> {
  const work = { pending: 0 };
  const session = new Session(depsForTests(options.deps, work), options.settings, work);
  session.initialized = await session.initialize({ ...options, options: options.options ?? { clientCommands: true } });
  // The server asks for its settings first, and then has the client ask for everything again.
  if ((options.capabilities ?? VS_CODE).workspace?.diagnostics?.refreshSupport)
    await session.until('the start', () => session.refreshes > 0);
  await session.indexed();
  return session;
}

/** Runs a test with a server, which has logged no error by its end. */
export function withServer(options: StartOptions, test: (session: Session) => Promise<void>): () => Promise<void> {
  return async () => {
    const session = await start(options);
    let failed = true;
    try {
      await test(session);
      failed = false;
    } finally {
      // The first error is the one to be read.
      if (failed) await session.dispose().catch(() => undefined);
      else await session.dispose();
    }
  };
}

/** As VS Code writes it: everything that is not plain is encoded. */
export function vscodeUri(path: string): string {
  return URI.file(path).toString();
}
