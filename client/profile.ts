// "Profile this function": asks, runs, shows. Nothing of an untrusted workspace is ever sent to be run.
import { ConfigurationTarget, l10n, ProgressLocation, Uri, window, workspace, type CancellationToken, type Disposable, type TextDocument } from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { CLEAR_EVIDENCE_REQUEST, COMMANDS, PRODUCT, PROFILE_REQUEST, type ClearEvidenceParams, type EditorPosition, type ProfileParams, type Profiled, type ProfileResult, type ProfileTarget } from '../protocol/editor.ts';
import type { ProfileReport } from '../protocol/evidence.ts';
import { Evidence } from './evidence.ts';
import { notesOf } from './evidence-notes.ts';
import { tell } from './message.ts';
import { ProfileMemory, type Store } from './profile-memory.ts';
import { doneMessage, failureMessage, refusalOf } from './profile-text.ts';
import { requestWithProgress, tellNotRunning, type UserProgress } from './progress-request.ts';
import { ReportPanel, type ShownReport } from './report-panel.ts';
import type { Status } from './status.ts';
import { calleeOf, problemOfCall } from './typed-call.ts';

export interface ProfilingDeps {
  client(): LanguageClient | undefined;
  status: Status;
  /** Of the workspace. */
  store: Store;
  /** Folder with the script and the style of the report. */
  pages: Uri;
  isVirtual(): boolean;
  /** The Node that the user's setting names, an absolute path; undefined for the one on the PATH. */
  nodePath(): string | undefined;
}

const MS_PER_S = 1000;
/** Long enough to be read, in ms. */
const MESSAGE_MS = 10_000;
/** Runs before the last one that the report compares with. */
const MOST_BEFORE = 5;

/** Loaded when it is first used. */
export class Profiling implements Disposable {
  readonly #deps: ProfilingDeps;
  readonly #memory: ProfileMemory;
  readonly #evidence: Evidence;
  readonly #panel: ReportPanel;
  #isRunning = false;
  #last: ShownReport | undefined;
  /** By file and function, the oldest first. */
  readonly #reports = new Map<string, readonly ProfileReport[]>();

  constructor(deps: ProfilingDeps) {
    this.#deps = deps;
    this.#memory = new ProfileMemory(deps.store);
    this.#evidence = new Evidence(l10n.t);
    this.#panel = new ReportPanel(deps.pages);
  }

  dispose(): void {
    this.#evidence.dispose();
    this.#panel.dispose();
  }

  /** `given`: a `ProfileTarget`; anything else, and it is the function at the cursor. */
  async run(given: unknown): Promise<void> {
    const { client, isVirtual } = this.#deps;
    const target = await targetOf(given);
    if (!target) return tell('information', l10n.t('Put the cursor into the function that should be profiled.'));
    const { document, position } = target;
    const refusal = refusalOf({ trusted: workspace.isTrusted, virtual: isVirtual(), onDisk: document.uri.scheme === 'file' }, l10n.t);
    if (refusal) return tell('warning', refusal, ...(workspace.isTrusted ? [] : [{ title: l10n.t('Manage Workspace Trust'), command: 'workbench.trust.manage' as const }]));
    if (this.#isRunning) return tell('information', l10n.t('A function is being profiled already. Stop it first.'));
    this.#isRunning = true;
    try {
      if (!(await this.#mayRun(document))) return;
      const server = client();
      if (!server) return tellNotRunning();
      await this.#profile(server, document, position);
    } finally {
      this.#isRunning = false;
    }
  }

  showReport(): void {
    if (this.#last) this.#panel.show(this.#last, true);
    else tell('information', l10n.t('Nothing has been profiled in this window yet.'));
  }

  async clear(): Promise<void> {
    const uri = window.activeTextEditor?.document.uri ?? this.#lastUri();
    this.#evidence.clear();
    this.#panel.close();
    this.#last = undefined;
    this.#reports.clear();
    const server = this.#deps.client();
    if (!server) return tellNotRunning();
    const params: ClearEvidenceParams | undefined = uri && { textDocument: { uri: server.code2ProtocolConverter.asUri(uri) } };
    const wasThere = params !== undefined && (await server.sendRequest<boolean>(CLEAR_EVIDENCE_REQUEST, params));
    tell('information', wasThere ? l10n.t('The evidence of this project is gone.') : l10n.t('There is no evidence on the disk for this file.'));
  }

  #lastUri(): Uri | undefined {
    return this.#last && Uri.file(this.#last.profiled.report.target.file);
  }

  /** The first time, the user is asked. */
  async #mayRun({ uri }: TextDocument): Promise<boolean> {
    const settings = workspace.getConfiguration(PRODUCT, uri);
    if (settings.get('profile.confirm') === 'never' || this.#memory.hasAgreed(uri.toString())) return true;
    const run = { title: l10n.t('Run') };
    const always = { title: l10n.t('Always in This Workspace') };
    const detail = l10n.t('It runs on your machine as you would run it: files are written, requests are sent, programs are started.');
    const answer = await window.showWarningMessage(l10n.t('This runs {0} many times, with everything that it does.', workspace.asRelativePath(uri)), { modal: true, detail }, run, ...(workspace.workspaceFolders ? [always] : []));
    if (answer === undefined) return false;
    if (answer === always) await settings.update('profile.confirm', 'never', ConfigurationTarget.Workspace);
    await this.#memory.agree(uri.toString());
    return true;
  }

  async #profile(server: LanguageClient, document: TextDocument, position: EditorPosition): Promise<void> {
    let calls: readonly string[] = [];
    for (;;) {
      const { version } = document;
      const result = await this.#request(server, document, position, calls);
      if (result === undefined) return tell('information', l10n.t('Profiling was stopped.'));
      if (result.ok) return this.#show(document, result, document.version === version);
      if (result.example === undefined || calls.length > 0) return tell('warning', failureMessage(result, l10n.t), { title: l10n.t('Show Output'), command: COMMANDS.showOutput });
      const call = await this.#askForCall(document, result.example, result.why);
      if (call === undefined) return;
      calls = [call];
    }
  }

  /** Undefined when the user stopped it. */
  async #request(server: LanguageClient, document: TextDocument, position: EditorPosition, calls: readonly string[]): Promise<ProfileResult | undefined> {
    const { nodePath, status } = this.#deps;
    const seconds = workspace.getConfiguration(PRODUCT, document.uri).get('profile.seconds', 6);
    const params: ProfileParams = { textDocument: { uri: server.code2ProtocolConverter.asUri(document.uri) }, position, calls, budgetMs: seconds * MS_PER_S, nodePath: nodePath() };
    const send = async (progress: UserProgress, cancel: CancellationToken): Promise<ProfileResult | undefined> => {
      try {
        const result = await requestWithProgress<ProfileResult>(server, { method: PROFILE_REQUEST, params, name: 'profile' }, progress, cancel);
        return cancel.isCancellationRequested && !result.ok ? undefined : result;
      } catch (error) {
        if (cancel.isCancellationRequested) return undefined;
        throw error;
      }
    };
    return window.withProgress({ location: ProgressLocation.Notification, title: l10n.t('Nodometer: profiling'), cancellable: true }, (progress, cancel) => status.during(send(progress, cancel), 'profiling'));
  }

  async #askForCall(document: TextDocument, example: string, why: string): Promise<string | undefined> {
    const uri = document.uri.toString();
    const name = calleeOf(example);
    const value = this.#memory.callOf(uri, name) ?? example;
    const open = value.indexOf('(') + 1;
    const call = await window.showInputBox({
      title: l10n.t('Profile {0}', name), prompt: l10n.t('{0} Write a call that it should be profiled with.', why), value, valueSelection: [open, Math.max(open, value.lastIndexOf(')'))],
      placeHolder: example, ignoreFocusOut: true, validateInput: (text) => problemOfCall(text, l10n.t),
    });
    if (call === undefined) return undefined;
    await this.#memory.rememberCall(uri, name, call.trim());
    return call.trim();
  }

  /** `isSame`: the text is still the one that was run. Otherwise nobody can say which lines the places are on. */
  #show(document: TextDocument, profiled: Profiled, isSame: boolean): void {
    const { report, range, reasons } = profiled;
    const name = report.target.functionName ?? `line ${range.start.line}`;
    const key = `${report.target.file}#${name}`;
    const before = this.#reports.get(key) ?? [];
    this.#reports.set(key, [...before, report].slice(-MOST_BEFORE));
    this.#last = { profiled, before, lineCount: document.lineCount };
    if (isSame) this.#evidence.show(document, name, { first: range.start.line, last: range.end.line }, notesOf({ report, reasons, start: range.start.line, lineCount: document.lineCount, t: l10n.t }));
    const message = doneMessage(report, l10n.t);
    if (this.#panel.show(this.#last, false)) window.setStatusBarMessage(message, MESSAGE_MS);
    else tell('information', message, { title: l10n.t('Show Report'), command: COMMANDS.showReport });
  }
}

async function targetOf(given: unknown): Promise<{ document: TextDocument; position: EditorPosition } | undefined> {
  const { uri, position } = (typeof given === 'object' && given !== null ? given : {}) as Partial<ProfileTarget>;
  if (typeof uri === 'string' && typeof position?.line === 'number' && typeof position.character === 'number') return { document: await workspace.openTextDocument(Uri.parse(uri)), position };
  const editor = window.activeTextEditor;
  return editor && { document: editor.document, position: { line: editor.selection.active.line, character: editor.selection.active.character } };
}
