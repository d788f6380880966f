// One language server with the client that talks to it. Loaded when the first server starts: the library costs more than all the rest of
// the activation.
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  CloseAction,
  ErrorAction,
  LanguageClient,
  RevealOutputChannelOn,
  TransportKind,
  type LanguageClientOptions,
  type ServerOptions,
} from 'vscode-languageclient/node';
import { l10n, type LogOutputChannel } from 'vscode';
import {
  COMMANDS,
  INDEX_NOTIFICATION,
  PRODUCT,
  ROUTES_NOTIFICATION,
  SERVER_NODE_ARGUMENTS,
  STATUS_NOTIFICATION,
  type IndexState,
  type InitializationOptions,
  type StatusParams,
} from '../../protocol/editor.ts';
import { documentSelector } from './document-selector.ts';
import type { NodeChoice } from './node-choice.ts';
import { withReasons } from './refused-actions.ts';
import { reviewed } from '../review-change.ts';
import { CannotLaunch, type Launched } from './server-session.ts';

export { WorkDoneProgress } from 'vscode-languageclient/node';

export interface LaunchOptions {
  /** Absolute path of the server's file. */
  serverFile: string;
  node: NodeChoice;
  folderSchemes: readonly string[];
  /** Whether functions of the workspace may be run. */
  mayRun: boolean;
  output: LogOutputChannel;
  onStatus(status: StatusParams): void;
  onIndex(state: IndexState): void;
  /** The routes of the workspace may be others now. */
  onRoutes(): void;
}

/** For F5 with a debugger that waits for the server. */
const DEBUG_ARGUMENTS = ['--nolazy', '--inspect=6009'];
/** A few broken messages are survived; a connection that gives nothing else is not. */
const MAX_CONNECTION_ERRORS = 5;

/** Tells the log instead of the user, who hears of crashes from the session, in one message. */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }

  /** The library asks for a stop when the start failed, too, and would then reject with nobody listening. */
  override async stop(timeout?: number): Promise<void> {
    if (this.isRunning()) await super.stop(timeout);
  }
}

/** Throws `CannotLaunch` when there is no server to start. */
export function launch(options: LaunchOptions): Launched<LanguageClient> {
  const { serverFile } = options;
  if (!existsSync(serverFile))
    throw new CannotLaunch(
      l10n.t('The language server file is missing: {0}. Reinstall the extension; in a checkout, run `npm run build`.', serverFile),
    );
  const closed = deferred();
  const released = deferred();
  const client = new QuietClient(PRODUCT, 'Nodometer', serverOptions(options), {
    ...clientOptions(options),
    errorHandler: {
      error: (_error, _message, count) => ({
        action: (count ?? 0) < MAX_CONNECTION_ERRORS ? ErrorAction.Continue : ErrorAction.Shutdown,
        handled: true,
      }),
      // The library takes away the diagnostics when this answers: that waits until the next server runs or none will.
      closed: async () => {
        closed.resolve();
        await released.promise;
        return { action: CloseAction.DoNotRestart, handled: true, message: 'the connection to the language server is closed' };
      },
    },
  });
  client.onNotification(STATUS_NOTIFICATION, (status: StatusParams) => options.onStatus(status));
  client.onNotification(INDEX_NOTIFICATION, (state: IndexState) => options.onIndex(state));
  client.onNotification(ROUTES_NOTIFICATION, () => options.onRoutes());
  return {
    client,
    started: client.start(),
    closed: closed.promise,
    stop: () => client.stop(),
    release: () => {
      released.resolve();
      client.serverProcess?.kill();
    },
  };
}

function serverOptions({ serverFile, node }: LaunchOptions): ServerOptions {
  // The extension's folder, never the workspace's, as working directory: nothing of a project decides what the server loads.
  const server = {
    module: serverFile,
    transport: TransportKind.ipc,
    runtime: node.runtime,
    options: { cwd: dirname(dirname(serverFile)), execArgv: [...SERVER_NODE_ARGUMENTS] },
  };
  return { run: server, debug: { ...server, options: { ...server.options, execArgv: [...SERVER_NODE_ARGUMENTS, ...DEBUG_ARGUMENTS] } } };
}

function clientOptions({ node, folderSchemes, mayRun, output }: LaunchOptions): LanguageClientOptions {
  const initializationOptions: InitializationOptions = {
    nodeVersion: node.version,
    nodeVersionSource: node.source,
    clientCommands: true,
    trusted: mayRun,
  };
  return {
    documentSelector: documentSelector(folderSchemes),
    initializationOptions,
    outputChannel: output,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    initializationFailedHandler: () => false,
    // At once after each change and each save; the server knows `nodometer.run` and answers as before where it should wait.
    diagnosticPullOptions: { onChange: true, onSave: true, onFocus: false, onTabs: false },
    middleware: {
      // A menu that shows everything twice is VS Code's doing (1.139): a window that restarts its extension host while it starts may keep
      // the first one beside the second. Each has this client, which registers one provider, and a server, which is asked once.
      provideCodeActions: async (document, range, context, token, next) => withReasons(await next(document, range, context, token)),
      resolveCodeAction: async (item, token, next) => reviewed(await next(item, token), 'data' in item ? item.data : undefined),
    },
    markdown: { isTrusted: { enabledCommands: [COMMANDS.openRuleDocumentation] } },
  };
}

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
