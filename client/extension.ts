// The extension's entry: what VS Code calls when a workspace has something to look at.
import { messageOf } from '../protocol/unknown-values.ts';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { commands, l10n, Uri, window, workspace, type ExtensionContext, type LogOutputChannel } from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { COMMANDS, PRODUCT, REPORT_VIEW, ROUTES_VIEW, type CommandId } from '../protocol/editor.ts';
import { createConfig } from './create-config.ts';
import { schemesOf } from './session/document-selector.ts';
import { tell, type Button } from './message.ts';
import { chooseNode, expandHome } from './session/node-choice.ts';
import { findNodeOnPath } from '../node-versions/discovery.ts';
import { canRunServer, NodeVersions, thisMachine } from '../node-versions/versions.ts';
import type { Profiling } from './profile/profile.ts';
import { KeptReport, reportContext } from './report/kept-report.ts';
import { RestartPolicy } from './session/restart-policy.ts';
import { ChangeReview } from './review-change.ts';
import { openRuleDocumentation } from './rule-documentation.ts';
import { showRoutePlaces } from './route-places.ts';
import { RoutesView } from './routes-view.ts';
import { openSample, showFirstFile, type SampleDeps } from './sample-project.ts';
import { rulesOfManifest } from './rule-list.ts';
import { selectNode } from './session/select-node.ts';
import { setContext } from './set-context.ts';
import { acceptFinding, fixFile, lintWorkspace } from './session/server-commands.ts';
import { ServerSession, type Launched, type ServerState } from './session/server-session.ts';
import { Status } from './session/status.ts';
import { LanguageModelTools } from './tools/language-model-tools.ts';

/** What other extensions and tests may ask for. */
export interface ExtensionApi {
  /** Own time of `activate`, in milliseconds. */
  activationTime: number;
  /** Resolves when the first server runs, or when it is known that none will. */
  started: Promise<void>;
  /** Process of the language server that runs now. */
  serverPid(): number | undefined;
}

export function activate(context: ExtensionContext): ExtensionApi {
  const begin = performance.now();
  const output = window.createOutputChannel('Nodometer', { log: true });
  context.subscriptions.push(output);
  try {
    const session = setUp(context, output);
    const started = session.start();
    const activationTime = performance.now() - begin;
    output.info(`activated in ${activationTime.toFixed(1)} ms, ${workspace.isTrusted ? 'trusted' : 'not trusted'} workspace`);
    return { activationTime, started, serverPid: () => session.client?.serverProcess?.pid };
  } catch (error) {
    tellFailure(
      l10n.t(
        'Nodometer could not be activated: {0}. Reload the window. If that does not help, disable the extension named in the output, or report the problem.',
        messageOf(error),
      ),
      error,
      output,
    );
    throw error;
  }
}

/** Registers what the user can reach. The server is not started yet. */
function setUp(context: ExtensionContext, output: LogOutputChannel): ServerSession<LanguageClient> {
  const versions = new NodeVersions();
  const machine = thisMachine();
  const rules = rulesOfManifest(context.extension.packageJSON);
  const status = new Status(folderSchemes());
  const version = String((context.extension.packageJSON as { version?: unknown }).version);
  const routes = new RoutesView({ client: () => session.client, store: context.workspaceState });
  let problemShown: string | undefined;

  const launch = async (): Promise<Launched<LanguageClient>> => {
    // Loaded here: activation does not wait for the library.
    const library = import('./session/language-client.ts');
    const node = await chooseNode(nodePath(), { machine, versions, mayRun: mayRun(), t: l10n.t });
    status.node = node;
    status.folderSchemes = folderSchemes();
    if (node.problem && node.problem !== problemShown)
      tell('warning', node.problem, { title: l10n.t('Select Node'), command: COMMANDS.selectNode });
    problemShown = node.problem;
    output.info(
      `server runs on ${node.runtime ?? "VS Code's own Node"}; Node of the user: ${node.version ? `${node.version} (${node.source ?? ''})` : 'unknown'}`,
    );
    const { launch } = await library;
    return launch({
      serverFile: context.asAbsolutePath('dist/server.js'),
      node,
      folderSchemes: folderSchemes(),
      mayRun: mayRun(),
      output,
      onStatus: (document) => (status.document = document),
      onIndex: (index) => {
        status.index = index;
        routes.index = index;
      },
      onRoutes: () => routes.refresh(),
    });
  };
  const session = new ServerSession<LanguageClient>({
    launch,
    policy: new RestartPolicy(() => performance.now()),
    // An aborted wait is over, like any other.
    wait: (milliseconds, signal) => sleep(milliseconds, undefined, { signal }).catch(() => undefined),
    onState: (state) => {
      status.server = state;
      routes.refresh();
      tellState(state);
    },
    log: (message) => output.warn(message),
  });
  const restart = async (): Promise<void> => {
    versions.forget();
    tools.reset();
    await session.start();
  };

  // Loaded when it is first asked for: most windows profile nothing.
  let loaded: Promise<Profiling> | undefined;
  const profiling = (): Promise<Profiling> =>
    (loaded ??= import('./profile/profile.ts').then(({ Profiling }) => {
      const own = new Profiling({
        client: () => session.client,
        status,
        store: context.workspaceState,
        version,
        pages: Uri.file(context.asAbsolutePath('dist')),
        cpuProfiles: Uri.joinPath(context.globalStorageUri, 'cpu-profiles'),
        isVirtual,
        nodePath: () => expandHome(nodePath(), machine) || undefined,
        machine,
        versions,
      });
      context.subscriptions.push(own);
      return own;
    }));
  const tools = new LanguageModelTools({
    file: context.asAbsolutePath('dist/agent-tools.js'),
    cwd: context.extensionPath,
    findNode: async () => {
      const { runtime } = await chooseNode(nodePath(), { machine, versions, mayRun: mayRun(), t: l10n.t });
      if (runtime !== undefined) return runtime;
      const path = findNodeOnPath(machine);
      const found = path === undefined ? undefined : await versions.of(path);
      return found !== undefined && canRunServer(found) ? path : undefined;
    },
    log: (message) => output.info(message),
  });
  // What is kept of the time before a reload; the panel follows what comes after.
  setContext(reportContext(new KeptReport(context.workspaceState, version).get()));
  context.subscriptions.push(new ChangeReview());
  const deps = { client: () => session.client, status, output };
  const sample: SampleDeps = {
    shipped: context.asAbsolutePath('walkthrough/sample'),
    copy: Uri.joinPath(context.globalStorageUri, 'sample').fsPath,
    store: context.globalState,
  };
  void guarded(COMMANDS.openSample, () => showFirstFile(sample), output);
  const handlers: Record<CommandId, (argument?: unknown) => unknown> = {
    [COMMANDS.lintWorkspace]: () => lintWorkspace(deps),
    [COMMANDS.fixFile]: () => fixFile(deps),
    [COMMANDS.acceptFinding]: (target) => acceptFinding(deps, target),
    [COMMANDS.restartServer]: restart,
    [COMMANDS.showOutput]: () => output.show(),
    [COMMANDS.openRuleDocumentation]: (id) => openRuleDocumentation(rules, Uri.file(context.asAbsolutePath('dist/docs')), id),
    [COMMANDS.selectNode]: () => selectNode(machine, versions),
    [COMMANDS.createConfig]: (folder) => createConfig(rules, folder instanceof Uri ? folder : undefined),
    [COMMANDS.openSample]: () => openSample(sample),
    [COMMANDS.showFixes]: showFixes,
    [COMMANDS.showRoutePlaces]: showRoutePlaces,
    [COMMANDS.showRoutes]: () => commands.executeCommand(`${ROUTES_VIEW}.focus`),
    [COMMANDS.sortRoutes]: () => routes.sort(),
    [COMMANDS.profileRoute]: async (entry) => {
      const target = await routes.targetOf(entry);
      if (target) await (await profiling()).run(target);
    },
    [COMMANDS.profileFunction]: async (target) => (await profiling()).run(target),
    [COMMANDS.traceSelection]: async () => (await profiling()).runSelection(),
    [COMMANDS.traceFile]: async (file) => (await profiling()).programs.traceFile(file),
    [COMMANDS.traceScript]: async () => (await profiling()).programs.traceScript(),
    [COMMANDS.measureLag]: async (file) => (await profiling()).programs.measureLag(file),
    [COMMANDS.measureScriptLag]: async () => (await profiling()).programs.measureScriptLag(),
    [COMMANDS.measureLoad]: async (route) => (await profiling()).load.measureRoute(routes.loadOf(route) ?? route),
    [COMMANDS.applyAndMeasure]: async (target) => (await profiling()).applyAndMeasure(target),
    [COMMANDS.measureChange]: async () => (await profiling()).measureChange(),
    [COMMANDS.compareNodes]: async () => (await profiling()).programs.compareNodes(),
    [COMMANDS.stop]: async () => (await profiling()).stop(),
    [COMMANDS.showReport]: async () => (await profiling()).showReport(),
    [COMMANDS.profileAgain]: async () => (await profiling()).profileAgain(),
    [COMMANDS.exportReport]: async () => (await profiling()).exportReport(),
    [COMMANDS.openCpuProfile]: async () => (await profiling()).openCpuProfile(),
    [COMMANDS.clearEvidence]: async () => (await profiling()).clear(),
  };
  for (const [id, handler] of Object.entries(handlers))
    context.subscriptions.push(commands.registerCommand(id, (argument: unknown) => guarded(id, () => handler(argument), output)));

  context.subscriptions.push(
    window.registerWebviewPanelSerializer(REPORT_VIEW, {
      deserializeWebviewPanel: (panel) => guarded(REPORT_VIEW, async () => (await profiling()).restoreReport(panel), output),
    }),
  );

  let schemes = schemesOf(folderSchemes()).join();
  const restartInBackground = (reason: string): void => {
    output.info(`restarting the language server: ${reason}`);
    void guarded(COMMANDS.restartServer, restart, output);
  };
  context.subscriptions.push(
    status,
    routes,
    tools,
    { dispose: () => session.stop() },
    workspace.onDidGrantWorkspaceTrust(() => restartInBackground('the workspace is trusted now')),
    workspace.onDidCloseTextDocument(({ uri }) => status.forget(uri.toString())),
    workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration(`${PRODUCT}.nodePath`)) restartInBackground('nodometer.nodePath changed');
    }),
    workspace.onDidChangeWorkspaceFolders(() => {
      const now = schemesOf(folderSchemes()).join();
      if (now === schemes) return;
      schemes = now;
      restartInBackground('a folder of another kind was added or removed');
    }),
  );
  return session;
}

/** The setting; VS Code does not hand it on in a workspace that is not trusted. */
function nodePath(): string {
  return workspace.getConfiguration(PRODUCT).get('nodePath', '').trim();
}

/** Whether anything of the workspace may be run. */
function mayRun(): boolean {
  return workspace.isTrusted && !isVirtual();
}

/** Whether none of the folders is on a disk. */
function isVirtual(): boolean {
  const schemes = folderSchemes();
  return schemes.length > 0 && !schemes.includes('file');
}

function folderSchemes(): string[] {
  return (workspace.workspaceFolders ?? []).map(({ uri }) => uri.scheme);
}

/** VS Code's own menu. Asked for by its kind, it also shows the fixes that are refused, with their reasons. */
async function showFixes(): Promise<void> {
  await commands.executeCommand('workbench.action.focusActiveEditorGroup');
  await commands.executeCommand('editor.action.codeAction', { kind: 'quickfix', apply: 'never' });
}

function tellState(state: ServerState): void {
  const buttons: Button[] = [
    { title: l10n.t('Restart'), command: COMMANDS.restartServer },
    { title: l10n.t('Show Output'), command: COMMANDS.showOutput },
  ];
  if (state.kind === 'given-up')
    tell(
      'error',
      l10n.t('The Nodometer language server crashed five times in three minutes and will not be restarted. See the output for details.'),
      ...buttons,
    );
  else if (state.kind === 'impossible') tell('error', state.reason, ...buttons);
}

/** A command that fails says so, in words, and writes the rest to the log. */
async function guarded(command: string, run: () => unknown, output: LogOutputChannel): Promise<void> {
  try {
    await run();
  } catch (error) {
    tellFailure(l10n.t('Nodometer: the command {0} failed: {1}', command, messageOf(error)), error, output);
  }
}

function tellFailure(message: string, error: unknown, output: LogOutputChannel): void {
  output.error(message, error instanceof Error ? (error.stack ?? '') : '');
  tell('error', message, { title: l10n.t('Show Output'), command: () => output.show() });
}
