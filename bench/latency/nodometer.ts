// A client of the built language server, over stdio, with the library that editors use.
import { spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import {
  createProtocolConnection,
  DidChangeTextDocumentNotification,
  DidOpenTextDocumentNotification,
  DocumentDiagnosticRequest,
  ExitNotification,
  InitializedNotification,
  InitializeRequest,
  LogMessageNotification,
  PublishDiagnosticsNotification,
  ShutdownRequest,
  StreamMessageReader,
  StreamMessageWriter,
  type Diagnostic,
  type InitializeParams,
  type ProtocolConnection,
  type PublishDiagnosticsParams,
} from 'vscode-languageserver/node';
import { SERVER_NODE_ARGUMENTS } from '../../protocol/editor.ts';
import type { Keystroke } from './typing.ts';

export type Way = 'pull' | 'push';

export interface ServerClient {
  connection: ProtocolConnection;
  /** Of the server's process. */
  pid: number;
  /** Whether it still runs. */
  isRunning(): boolean;
  /** What the server logged, oldest first. */
  log: readonly string[];
  open(path: string, text: string): Promise<readonly Diagnostic[]>;
  /** Sends one keystroke; settles with the diagnostics of the text after it. */
  type(path: string, keystroke: Keystroke): Promise<readonly Diagnostic[]>;
  /** Asks once more, without an edit: what the way there and back costs. */
  ask(path: string): Promise<void>;
  close(): Promise<void>;
}

/** What VS Code says that it can do, as far as it matters here. */
function capabilities(way: Way): InitializeParams['capabilities'] {
  const diagnostics = {
    relatedInformation: true,
    codeDescriptionSupport: true,
    dataSupport: true,
    tagSupport: { valueSet: [1 as const, 2 as const] },
  };
  return {
    textDocument:
      way === 'pull'
        ? { diagnostic: { ...diagnostics, dynamicRegistration: false } }
        : { publishDiagnostics: { ...diagnostics, versionSupport: true } },
    window: { workDoneProgress: true },
  };
}

/** The server is started as the extension starts it. */
export async function startNodometer(
  serverFile: string,
  folder: string,
  way: Way,
  args: readonly string[] = SERVER_NODE_ARGUMENTS,
): Promise<ServerClient> {
  const child = spawn(process.execPath, [...args, serverFile, '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const connection = createProtocolConnection(new StreamMessageReader(child.stdout), new StreamMessageWriter(child.stdin));
  const log: string[] = [];
  const waiting = new Map<string, (params: PublishDiagnosticsParams) => void>();
  connection.onNotification(LogMessageNotification.type, ({ message }) => void log.push(message));
  connection.onNotification(PublishDiagnosticsNotification.type, (params) => waiting.get(`${params.uri} ${params.version}`)?.(params));
  connection.listen();
  await connection.sendRequest(InitializeRequest.type, {
    processId: process.pid,
    rootUri: null,
    capabilities: capabilities(way),
    workspaceFolders: [{ uri: pathToFileURL(folder).href, name: 'bench' }],
  });
  await connection.sendNotification(InitializedNotification.type, {});
  const versions = new Map<string, number>();
  const known = new Map<string, { resultId: string | undefined; items: readonly Diagnostic[] }>();
  const pull = async (uri: string): Promise<readonly Diagnostic[]> => {
    const before = known.get(uri);
    const report = await connection.sendRequest(DocumentDiagnosticRequest.type, {
      textDocument: { uri },
      previousResultId: before?.resultId,
    });
    const items = report.kind === 'full' ? report.items : (before?.items ?? []);
    known.set(uri, { resultId: report.resultId, items });
    return items;
  };
  const pushed = (uri: string): Promise<readonly Diagnostic[]> =>
    new Promise((resolve) => {
      const key = `${uri} ${versions.get(uri)}`;
      waiting.set(key, ({ diagnostics }) => {
        waiting.delete(key);
        resolve(diagnostics);
      });
    });
  const after = (uri: string, sent: Promise<void>): Promise<readonly Diagnostic[]> => {
    const answer = way === 'pull' ? pull(uri) : pushed(uri);
    return sent.then(() => answer);
  };
  return {
    connection,
    log,
    pid: child.pid ?? 0,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    open(path, text) {
      const uri = pathToFileURL(path).href;
      versions.set(uri, 1);
      return after(
        uri,
        connection.sendNotification(DidOpenTextDocumentNotification.type, {
          textDocument: { uri, languageId: 'javascript', version: 1, text },
        }),
      );
    },
    type(path, { line, column, insert }) {
      const uri = pathToFileURL(path).href;
      const version = (versions.get(uri) ?? 0) + 1;
      versions.set(uri, version);
      const position = { line, character: column };
      return after(
        uri,
        connection.sendNotification(DidChangeTextDocumentNotification.type, {
          textDocument: { uri, version },
          contentChanges: [{ range: { start: position, end: position }, text: insert }],
        }),
      );
    },
    async ask(path) {
      await pull(pathToFileURL(path).href);
    },
    async close() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      await connection.sendRequest(ShutdownRequest.type);
      await connection.sendNotification(ExitNotification.type);
      await ended;
      connection.dispose();
    },
  };
}
