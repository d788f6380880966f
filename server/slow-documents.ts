// Documents that hold up the thread that answers the editor: a second session of this server takes them over, in a thread of its own. What
// the client asks about them goes there, and what that session says goes to the client.
import {
  createMessageConnection,
  DidChangeTextDocumentNotification,
  DidCloseTextDocumentNotification,
  DidOpenTextDocumentNotification,
  DidSaveTextDocumentNotification,
  InitializedNotification,
  PublishDiagnosticsNotification,
  RegistrationRequest,
  ShowMessageNotification,
  type CancellationToken,
  type Connection,
  type InitializeParams,
  type MessageConnection,
} from 'vscode-languageserver/node';
import { INDEX_NOTIFICATION, ROUTES_NOTIFICATION } from '../protocol/editor.ts';
import type { FoundCall } from '../analysis/profile/calls.ts';
import type { Span } from '../protocol/finding.ts';
import {
  EDITOR_LIMIT_MS,
  FIRST_TURN_LIMIT_MS,
  HELD_UP_SHARE,
  MOST_STRETCH,
  TookTooLong,
  TURN_LIMIT_MS,
  withinTime,
  withinTimeOr,
  type Limited,
} from '../workspace/time-limit.ts';
import { startWork } from '../workspace/thread-work.ts';
import type { RunningSession, ServerDeps } from './deps.ts';
import type { ClientAbilities } from './client-abilities.ts';
import type { Diagnostics } from './documents/diagnostics.ts';
import type { DocumentLinter } from './documents/document-linter.ts';
import type { OpenDocuments } from './documents/documents.ts';
import type { IndexClient, IndexClientRequest } from './index-client.ts';
import type { PathAnswer } from './shared/index-messages.ts';
import type { ConvertOutcome } from './index-thread/convert-callers.ts';
import type { RouteAnswer } from './index-thread/route-answers.ts';

/** To that session: what the project knows of a document. */
export const KNOWN_NOTIFICATION = 'nodometer/known';
/** To that session, and from it: verdicts were added or taken away. */
export const EVIDENCE_NOTIFICATION = 'nodometer/evidence';
/** From that session: `IndexClient.convert`. */
export const CONVERT_REQUEST = 'nodometer/convert';
/** From that session: `IndexClient.callsOf`. */
export const CALLS_REQUEST = 'nodometer/calls';

export interface KnownParams {
  uri: string;
  answers: readonly PathAnswer[] | undefined;
  routes: readonly RouteAnswer[];
}

export interface ConvertParams {
  uri: string;
  span: Span;
  isChosen: boolean;
}

export interface CallsParams {
  uri: string;
  offset: number;
}

/** Where nobody takes over. */
export const PATIENTLY: Limited = (otherwise, work) => withinTimeOr(otherwise, EDITOR_LIMIT_MS, work);

/** A session that keeps dying is let go. */
const MOST_STARTS = 3;
/** What this thread has analyzed by then, V8 has compiled, in ms. Measured: a file of 20 KB takes 170 ms at first, 45 ms then. */
const COLD_MS = 500;

export interface SlowDocumentsRequest {
  connection: Connection;
  start: ServerDeps['startSlowSession'];
  startWork: ServerDeps['startWork'];
  documents: OpenDocuments;
  index(): IndexClient;
  /** As the client would send them today. */
  params(): InitializeParams;
  /** The settings of a client that sends them unasked. */
  settings(): unknown;
  /** Whether this is that session. */
  isSlowSession: boolean;
  /** The other session has added or taken away verdicts. */
  evidenceChanged(): void;
  log(message: string): void;
}

interface Session {
  connection: MessageConnection;
  running: RunningSession;
}

interface Taken {
  /** The news of the index that were passed on. */
  news: number | undefined;
  /** It is tried here once more, by V8's compiled code then: the other session only follows its edits. */
  isTried: boolean;
  /** It took too long the second time, too. */
  wasTried: boolean;
}

export class SlowDocuments {
  readonly #request: SlowDocumentsRequest;
  /** By URI. */
  readonly #taken = new Map<string, Taken>();
  #session: Session | undefined;
  #starts = 0;
  /** In ms, under `limited`. */
  #worked = 0;
  /** Requests after which messages are for the user, and not what this session has said already. */
  #spoken = 0;

  constructor(request: SlowDocumentsRequest) {
    this.#request = request;
  }

  /** Throws `TookTooLong` where another session can take over: `answer` listens for it. */
  readonly limited: Limited = (otherwise, work) => {
    if (!this.#canStart) return PATIENTLY(otherwise, work);
    const limit = this.#worked < COLD_MS ? FIRST_TURN_LIMIT_MS : TURN_LIMIT_MS;
    for (let stretch = 1; ; ) {
      const soFar = (this.#request.startWork ?? startWork)();
      try {
        return withinTime(work, Math.ceil(limit * stretch));
      } catch (error) {
        const { ms, waited } = soFar();
        const worked = Math.max(1, ms - waited);
        // Other programs had the processor: it is tried once more, for as much longer.
        if (!(error instanceof TookTooLong) || stretch > 1 || worked > ms * HELD_UP_SHARE) throw error;
        stretch = Math.min(MOST_STRETCH, ms / worked);
      } finally {
        const { ms, waited } = soFar();
        this.#worked += ms - waited;
      }
    }
  };

  has(uri: string): boolean {
    return this.#taken.get(uri)?.isTried === false;
  }

  /** What the client asks about a document, by the session that has it. */
  async answer<T>(method: string, uri: string, params: object, token: CancellationToken, work: () => Promise<T>): Promise<T> {
    if (!this.has(uri))
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof TookTooLong) || !this.take(uri)) throw error;
      }
    const session = this.#session;
    if (!session) return work();
    this.tellKnown(uri);
    this.#spoken++;
    try {
      const answer = await session.connection.sendRequest<T>(method, params, token);
      const taken = this.#taken.get(uri);
      if (taken) taken.isTried = !taken.wasTried;
      return answer;
    } finally {
      this.#spoken--;
    }
  }

  /** Whether the other session has the document from now on. */
  take(uri: string): boolean {
    const document = this.#request.documents.get(uri);
    if (!document || !(this.#session ??= this.#start())) return false;
    const taken = this.#taken.get(uri);
    if (taken) Object.assign(taken, { isTried: false, wasTried: true });
    else this.#open(uri);
    return true;
  }

  changed(uri: string, params: object): void {
    if (this.#taken.has(uri)) this.tell(DidChangeTextDocumentNotification.method, params);
  }

  saved(uri: string): void {
    if (this.#taken.has(uri)) this.tell(DidSaveTextDocumentNotification.method, { textDocument: { uri } });
  }

  closed(uri: string): void {
    if (this.#taken.delete(uri)) this.tell(DidCloseTextDocumentNotification.method, { textDocument: { uri } });
  }

  /** To be called when the project may know something else of the document. */
  tellKnown(uri: string): void {
    const document = this.#request.documents.get(uri);
    const known = document && this.#request.index().knownOf(document);
    const taken = this.#taken.get(uri);
    if (!known || !taken || taken.news === known.news) return;
    taken.news = known.news;
    this.tell(KNOWN_NOTIFICATION, { uri, answers: known.answers, routes: known.routes } satisfies KnownParams);
  }

  /** To be called when verdicts were added or taken away: the other session needs to know. */
  tellEvidence(): void {
    const { connection, isSlowSession, log } = this.#request;
    if (!isSlowSession) return this.tell(EVIDENCE_NOTIFICATION, {});
    connection.sendNotification(EVIDENCE_NOTIFICATION, {}).catch((error: unknown) => log(String(error)));
  }

  /** What both sessions need to know. */
  tell(method: string, params: object): void {
    this.#session?.connection.sendNotification(method, params).catch((error: unknown) => this.#request.log(String(error)));
  }

  async dispose(): Promise<void> {
    this.#starts = MOST_STARTS;
    await this.#end();
  }

  get #canStart(): boolean {
    return this.#session !== undefined || (this.#request.start !== undefined && this.#starts < MOST_STARTS);
  }

  #start(): Session | undefined {
    const { start, log, params, settings, index, documents, evidenceChanged } = this.#request;
    if (!start || !this.#canStart) return undefined;
    this.#starts++;
    log('A file takes long to analyze. It has a thread of its own from now on.');
    const running = start((error) => {
      log(`The thread for files that take long ended: ${error.message}`);
      const uris = [...this.#taken.keys()];
      void this.#end();
      // What a file has done to it, it may do again: the client asks again with the next edit.
      if ((this.#session = this.#start())) for (const uri of uris) this.#open(uri);
    });
    const connection = createMessageConnection(running.reader, running.writer);
    const client = this.#request.connection;
    connection.onRequest((method, given) =>
      // This session has registered the same, and watches for both.
      method === RegistrationRequest.method ? null : client.sendRequest(method, given),
    );
    connection.onRequest<ConvertOutcome | null, void>(
      CONVERT_REQUEST,
      async ({ uri, span, isChosen }: ConvertParams): Promise<ConvertOutcome | null> => {
        const document = documents.get(uri);
        return (document && (await index().convert(document, span, isChosen))) ?? null;
      },
    );
    connection.onRequest<readonly FoundCall[] | null, void>(
      CALLS_REQUEST,
      async ({ uri, offset }: CallsParams): Promise<readonly FoundCall[] | null> => {
        const document = documents.get(uri);
        return (document && (await index().callsOf(document, offset))) ?? null;
      },
    );
    connection.onNotification(EVIDENCE_NOTIFICATION, evidenceChanged);
    // The client's progress of a run there. The library keeps it from the listener for all notifications.
    connection.onUnhandledProgress((progress) => {
      client.sendNotification('$/progress', progress).catch((error: unknown) => log(String(error)));
    });
    connection.onNotification((method, given) => {
      if (this.#isForClient(method, given)) client.sendNotification(method, given).catch((error: unknown) => log(String(error)));
    });
    connection.onError(([error]) => log(error.message));
    connection.listen();
    this.#session = { connection, running };
    const own = settings();
    // In this order they are read in this order.
    connection.sendRequest('initialize', { ...params(), processId: null }).catch((error: unknown) => log(String(error)));
    this.tell(InitializedNotification.method, {});
    if (own !== undefined) this.tell('workspace/didChangeConfiguration', { settings: own });
    return this.#session;
  }

  #isForClient(method: string, given: unknown): boolean {
    if (method === PublishDiagnosticsNotification.method) return this.has((given as { uri: string }).uri);
    if (method === ShowMessageNotification.method) return this.#spoken > 0;
    return method !== INDEX_NOTIFICATION && method !== ROUTES_NOTIFICATION;
  }

  #open(uri: string): void {
    const document = this.#request.documents.get(uri);
    if (!document) return;
    const { languageId, text } = document;
    this.#taken.set(uri, { news: undefined, isTried: false, wasTried: false });
    this.tell(DidOpenTextDocumentNotification.method, { textDocument: { uri, languageId, version: text.version, text: text.getText() } });
    this.tellKnown(uri);
  }

  async #end(): Promise<void> {
    const session = this.#session;
    this.#session = undefined;
    this.#taken.clear();
    if (!session) return;
    session.connection.dispose();
    await session.running.stop();
  }
}

/** In the session that has the slow documents: what only the first one can answer. */
export function askFirstSession(connection: Connection): Pick<IndexClientRequest, 'convert' | 'callsOf'> {
  return {
    convert: (uri, span, isChosen) => connection.sendRequest(CONVERT_REQUEST, { uri, span, isChosen } satisfies ConvertParams),
    callsOf: (uri, offset) => connection.sendRequest(CALLS_REQUEST, { uri, offset } satisfies CallsParams),
  };
}

export interface FirstSessionRequest {
  documents: OpenDocuments;
  parts(): { abilities: ClientAbilities; diagnostics: Diagnostics; index: IndexClient; linter: DocumentLinter };
  /** As in `FileUpdatesRequest`. */
  refresh(): void;
}

/** In the session that has the slow documents: what the first one tells. */
export function answerFirstSession(connection: Connection, { documents, parts, refresh }: FirstSessionRequest): void {
  connection.onNotification(KNOWN_NOTIFICATION, ({ uri, answers, routes }: KnownParams) => {
    const { abilities, diagnostics, index } = parts();
    const document = documents.get(uri);
    if (!document) return;
    index.told(document, answers, routes);
    if (!abilities.pull) diagnostics.push(document);
  });
  connection.onNotification(EVIDENCE_NOTIFICATION, () => {
    parts().linter.evidenceChanged();
    refresh();
  });
}
