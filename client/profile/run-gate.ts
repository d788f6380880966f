// What all commands have in common that run the user's code: no run without trust, none before the user agreed, one at a time, progress, a
// way to stop it.
import { CancellationTokenSource, ConfigurationTarget, l10n, ProgressLocation, workspace, type CancellationToken, type Uri } from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { CONTEXT_KEYS, PRODUCT } from '../../protocol/editor.ts';
import { setContext } from '../set-context.ts';
import { ask, tell, withProgress } from '../message.ts';
import { agreementOf, detailOf, type Agreement, type Answer } from './agreement.ts';
import type { ProfileMemory } from './profile-memory.ts';
import { refusalOf } from './profile-text.ts';
import { requestWithProgress, tellNotRunning, type UserProgress } from './progress-request.ts';
import type { Status } from '../session/status.ts';

export interface GateDeps {
  client(): LanguageClient | undefined;
  status: Status;
  isVirtual(): boolean;
  memory: ProfileMemory;
}

export interface GatedRun {
  /** What is run: a file, or the package.json of a script. */
  uri: Uri;
  /** What the user agrees to, once; the file itself unless said. */
  agreement?: string;
  /** Asked before the first run. */
  question: string;
  /** Why it cannot be run read-only, as a sentence; undefined where it can. */
  notReadOnly?: string;
}

export interface ServerRequest {
  method: string;
  params: object;
  /** Stands in the token of its progress. */
  name: string;
  /** Above the progress. */
  title: string;
}

/** A server that may be asked to run something, until `work` is done. */
export interface OpenGate {
  server: LanguageClient;
  /** Under Node's permission model: the code can read files, but write none and start nothing. */
  readOnly: boolean;
  /** Undefined when the user stopped it. */
  request<Result extends { ok: boolean }>(request: ServerRequest): Promise<Result | undefined>;
}

export class RunGate {
  readonly #deps: GateDeps;
  #isRunning = false;
  #stop: CancellationTokenSource | undefined;

  constructor(deps: GateDeps) {
    this.#deps = deps;
  }

  /** False when nothing runs. */
  stop(): boolean {
    this.#stop?.cancel();
    return this.#stop !== undefined;
  }

  async run({ uri, agreement, question, notReadOnly }: GatedRun, work: (gate: OpenGate) => Promise<void>): Promise<void> {
    const refusal = refusalOf({ trusted: workspace.isTrusted, virtual: this.#deps.isVirtual(), onDisk: uri.scheme === 'file' }, l10n.t);
    if (refusal)
      return tell(
        'warning',
        refusal,
        ...(workspace.isTrusted ? [] : [{ title: l10n.t('Manage Workspace Trust'), command: 'workbench.trust.manage' as const }]),
      );
    // Who wants to be protected is not run unprotected.
    if (notReadOnly !== undefined && workspace.getConfiguration(PRODUCT, uri).get('profile.readOnly', false))
      return tell('warning', notReadOnly);
    if (this.#isRunning)
      return tell('information', l10n.t('A run is already in progress.'), {
        title: l10n.t('Stop'),
        command: () => this.stop(),
      });
    this.#isRunning = true;
    try {
      const agreed = await this.#agreed(uri, agreement ?? uri.toString(), question, notReadOnly === undefined);
      if (agreed === undefined) return;
      const server = this.#deps.client();
      if (!server) return tellNotRunning();
      const readOnly = agreed === 'read-only' || workspace.getConfiguration(PRODUCT, uri).get('profile.readOnly', false);
      await work({ server, readOnly, request: (request) => this.#request(server, request) });
    } finally {
      this.#isRunning = false;
    }
  }

  /** The first time, the user is asked; undefined when he does not want it. */
  #agreed(uri: Uri, agreement: string, question: string, canBeReadOnly: boolean): Promise<Agreement | undefined> {
    const settings = workspace.getConfiguration(PRODUCT, uri);
    const isProtected = settings.get('profile.readOnly', false);
    const detail = detailOf({ isProtected, canBeReadOnly }, l10n.t);
    const titles: Readonly<Record<Answer, string>> = {
      run: l10n.t('Run'),
      'read-only': l10n.t('Run Read-Only'),
      always: l10n.t('Always in This Workspace'),
    };
    return agreementOf({
      agreement,
      memory: this.#deps.memory,
      isNeverAsked: settings.get('profile.confirm') === 'never',
      isProtected,
      canBeReadOnly,
      hasWorkspace: workspace.workspaceFolders !== undefined,
      ask: async (answers) =>
        (await ask('warning', { text: question, detail }, ...answers.map((answer) => ({ title: titles[answer], answer }))))?.answer,
      neverAskAgain: () => settings.update('profile.confirm', 'never', ConfigurationTarget.Workspace),
    });
  }

  async #request<Result extends { ok: boolean }>(
    server: LanguageClient,
    { title, ...request }: ServerRequest,
  ): Promise<Result | undefined> {
    const stop = new CancellationTokenSource();
    this.#stop = stop;
    setContext({ [CONTEXT_KEYS.isRunning]: true });
    const send = async (progress: UserProgress, cancel: CancellationToken): Promise<Result | undefined> => {
      const subscription = cancel.onCancellationRequested(() => stop.cancel());
      try {
        const result = await requestWithProgress<Result>(server, request, progress, stop.token);
        return stop.token.isCancellationRequested && !result.ok ? undefined : result;
      } catch (error) {
        if (stop.token.isCancellationRequested) return undefined;
        throw error;
      } finally {
        subscription.dispose();
      }
    };
    try {
      return await withProgress({ location: ProgressLocation.Notification, title, cancellable: true }, (progress, cancel) =>
        this.#deps.status.during(send(progress, cancel), 'profiling'),
      );
    } finally {
      this.#stop = undefined;
      setContext({ [CONTEXT_KEYS.isRunning]: false });
      stop.dispose();
    }
  }
}
