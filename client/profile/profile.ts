// "Profile this function": asks, runs, shows. Nothing of an untrusted workspace is ever sent to be run.
import {
  commands,
  l10n,
  Range,
  Uri,
  window,
  workspace,
  WorkspaceEdit,
  type Disposable,
  type TextDocument,
  type WebviewPanel,
} from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import {
  CLEAR_EVIDENCE_REQUEST,
  COMMANDS,
  FUNCTIONS_REQUEST,
  MEASURE_CHANGE_REQUEST,
  MEASURE_FIX_REQUEST,
  PRODUCT,
  PROFILE_REQUEST,
  type ClearEvidenceParams,
  type EditorPosition,
  type FixTarget,
  type FunctionsParams,
  type FunctionsResult,
  type MeasureChangeParams,
  type MeasureChangeResult,
  type MeasureFixParams,
  type MeasureFixResult,
  type ProfileParams,
  type Profiled,
  type ProfileResult,
  type ProfileTarget,
} from '../../protocol/editor.ts';
import { nameOfTarget, type ProfileReport } from '../../protocol/evidence.ts';
import type { Machine } from '../../node-versions/discovery.ts';
import type { NodeVersions } from '../../node-versions/versions.ts';
import { CallPrompt } from './call-prompt.ts';
import { Evidence } from './evidence.ts';
import { notesOf } from './evidence-notes.ts';
import { askForText, mention, tell, type Button } from '../message.ts';
import { ProfileMemory, type Store } from './profile-memory.ts';
import { changeMessage, doneMessage, failureMessage, measuredMessage } from './profile-text.ts';
import { LoadCommands } from './load-commands.ts';
import { ProgramCommands } from './program-commands.ts';
import { tellNotRunning } from './progress-request.ts';
import { printOf } from '../report/file-prints.ts';
import { KeptReport } from '../report/kept-report.ts';
import { exportName, exportText } from '../report/report-export.ts';
import { reportModel } from '../report/report-model.ts';
import { ReportPanel, type ShownPage } from '../report/report-panel.ts';
import { RunGate, type OpenGate } from './run-gate.ts';
import type { Status } from '../session/status.ts';

export interface ProfilingDeps {
  client(): LanguageClient | undefined;
  status: Status;
  /** Of the workspace. */
  store: Store;
  /** Of the extension. */
  version: string;
  /** Folder with the script and the style of the report. */
  pages: Uri;
  /** Folder of the extension's own for CPU profiles. */
  cpuProfiles: Uri;
  isVirtual(): boolean;
  /** The Node that the user's setting names, an absolute path; undefined for the one on the PATH. */
  nodePath(): string | undefined;
  machine: Machine;
  versions: NodeVersions;
}

const MS_PER_S = 1000;
/** Long enough to be read, in ms. */
const MESSAGE_MS = 10_000;
/** Runs before the last one that the report compares with. */
const MOST_BEFORE = 5;

/** Loaded when it is first used. */
export class Profiling implements Disposable {
  readonly #deps: ProfilingDeps;
  readonly #gate: RunGate;
  readonly #prompt: CallPrompt;
  readonly #evidence: Evidence;
  readonly #panel: ReportPanel;
  readonly programs: ProgramCommands;
  readonly load: LoadCommands;
  /** By file and function, the oldest first. */
  readonly #reports = new Map<string, readonly ProfileReport[]>();

  constructor(deps: ProfilingDeps) {
    this.#deps = deps;
    const memory = new ProfileMemory(deps.store);
    this.#gate = new RunGate({ ...deps, memory });
    this.#prompt = new CallPrompt(memory);
    this.#evidence = new Evidence(l10n.t);
    this.#panel = new ReportPanel({
      folder: deps.pages,
      kept: new KeptReport(deps.store, deps.version),
    });
    const show = (page: ShownPage, message: string): void => this.#showPage(page, message);
    this.programs = new ProgramCommands({ ...deps, gate: this.#gate, prompt: this.#prompt, show });
    this.load = new LoadCommands({ ...deps, gate: this.#gate, show });
  }

  dispose(): void {
    this.#evidence.dispose();
    this.#panel.dispose();
  }

  /** `given`: a `ProfileTarget`; anything else, and it is the function at the cursor. */
  async run(given: unknown): Promise<void> {
    const target = await targetOf(given);
    if (!target) return tell('information', l10n.t('Place the cursor in the function to profile.'));
    const { document, position } = target;
    await this.#gate.run({ uri: document.uri, question: questionFor(document) }, async (gate) => {
      await this.#profile(gate, document, position);
    });
  }

  /** `given`: a `FixTarget`; anything else, and it is the finding at the cursor. The fix is applied unless it makes the code slower. */
  async applyAndMeasure(given: unknown): Promise<void> {
    const target = await targetOf(given);
    if (!target) return tell('information', l10n.t('Place the cursor on the warning whose fix to measure.'));
    const { document, position } = target;
    const { ruleId } = (typeof given === 'object' && given !== null ? given : {}) as Partial<FixTarget>;
    await this.#gate.run({ uri: document.uri, question: questionFor(document) }, async ({ server, readOnly, request }) => {
      const params: MeasureFixParams = {
        textDocument: { uri: server.code2ProtocolConverter.asUri(document.uri) },
        position,
        ruleId,
        nodePath: this.#deps.nodePath(),
        readOnly,
      };
      const title = l10n.t('Nodometer: measuring the fix');
      const result = await request<MeasureFixResult>({ method: MEASURE_FIX_REQUEST, params, name: 'measure-fix', title });
      if (!result) return tell('information', l10n.t('Measuring was stopped. The fix was not applied.'));
      if (!result.ok)
        return tell('warning', failureMessage(result, l10n.t), { title: l10n.t('Show Output'), command: COMMANDS.showOutput });
      const apply = (): Promise<boolean> => applyFix(document, result);
      if (result.difference.verdict === 'slower')
        return tell('warning', measuredMessage(result, false, l10n.t), { title: l10n.t('Apply Anyway'), command: () => void apply() });
      tell('information', measuredMessage(result, await apply(), l10n.t));
    });
  }

  /** The function at the cursor as it is now and as it was at a commit that the user names: whatever else has changed counts, too. */
  async measureChange(): Promise<void> {
    const target = await targetOf(undefined);
    if (!target) return tell('information', l10n.t('Place the cursor in the function whose change to measure.'));
    const { document, position } = target;
    await this.#gate.run({ uri: document.uri, question: questionFor(document) }, async ({ server, readOnly, request }) => {
      const base = await askForText({
        title: l10n.t('Measure Change Since Commit'),
        prompt: l10n.t('The branch, tag, or commit to compare with. All changes since then count, not only those in this function.'),
        value: 'HEAD',
        validateInput: (value) => (value.trim() === '' ? l10n.t('Enter a branch, tag, or commit.') : undefined),
      });
      if (base === undefined) return;
      const params: MeasureChangeParams = {
        textDocument: { uri: server.code2ProtocolConverter.asUri(document.uri) },
        position,
        base: base.trim(),
        nodePath: this.#deps.nodePath(),
        readOnly,
      };
      const title = l10n.t('Nodometer: measuring the change');
      const result = await request<MeasureChangeResult>({ method: MEASURE_CHANGE_REQUEST, params, name: 'measure-change', title });
      if (!result) tell('information', l10n.t('Measuring was stopped.'));
      else if (result.ok) tell('information', changeMessage(result, l10n.t));
      else tell('warning', failureMessage(result, l10n.t), { title: l10n.t('Show Output'), command: COMMANDS.showOutput });
    });
  }

  /** The functions that the selection touches, one after the other; the file when it touches none. */
  async runSelection(): Promise<void> {
    const editor = window.activeTextEditor;
    if (!editor) return tell('information', l10n.t('Select the functions to trace.'));
    const {
      document,
      selection: { start, end },
    } = editor;
    const server = this.#deps.client();
    const params: FunctionsParams | undefined = server && {
      textDocument: { uri: server.code2ProtocolConverter.asUri(document.uri) },
      range: { start: { line: start.line, character: start.character }, end: { line: end.line, character: end.character } },
    };
    // Without a server the gate says what is wrong.
    const { functions } = server && params ? await server.sendRequest<FunctionsResult>(FUNCTIONS_REQUEST, params) : { functions: [] };
    if (functions.length === 0) return this.programs.traceFile();
    await this.#gate.run({ uri: document.uri, question: questionFor(document) }, async (gate) => {
      for (const { position } of functions) if (!(await this.#profile(gate, document, position))) return;
    });
  }

  stop(): void {
    if (!this.#gate.stop()) tell('information', l10n.t('No run is in progress.'));
  }

  showReport(): void {
    if (!this.#panel.showAgain()) tell('information', nothingYet());
  }

  /** What the last report is of. A function is looked for by its name: it may have moved. */
  async profileAgain(): Promise<void> {
    const again = this.#panel.report?.again;
    if (!again) return tell('information', nothingYet());
    const uri = Uri.parse(again.uri);
    switch (again.kind) {
      case 'trace':
        return this.programs.trace(uri, again.script);
      case 'lag':
        return this.programs.lag(uri, again.script);
      case 'load':
        return this.load.measure(uri, again.script, again.request);
      default: {
        const document = await workspace.openTextDocument(uri);
        const position = await this.#positionOf(document, again);
        if (!position) return tell('information', l10n.t('{0} is no longer in {1}.', again.name ?? '', workspace.asRelativePath(uri)));
        if (again.kind === 'compare') return this.programs.compare(document, position);
        await this.#gate.run({ uri, question: questionFor(document) }, async (gate) => {
          await this.#profile(gate, document, position, again.calls);
        });
      }
    }
  }

  async exportReport(): Promise<void> {
    const { report } = this.#panel;
    if (!report) return tell('information', nothingYet());
    const uri = Uri.parse(report.again.uri);
    const folder = workspace.getWorkspaceFolder(uri)?.uri ?? Uri.joinPath(uri, '..');
    const target = await window.showSaveDialog({
      title: l10n.t('Export Report as Markdown'),
      defaultUri: Uri.joinPath(folder, exportName(report)),
      filters: { Markdown: ['md'] },
    });
    if (!target) return;
    await workspace.fs.writeFile(target, new TextEncoder().encode(exportText(report, await this.#panel.staleText())));
    tell('information', l10n.t('The report was saved as {0}.', workspace.asRelativePath(target)), {
      title: l10n.t('Open'),
      command: () => void window.showTextDocument(target),
    });
  }

  /** A panel of the time before the window was reloaded. */
  restoreReport(panel: WebviewPanel): void {
    this.#panel.restore(panel);
  }

  async openCpuProfile(): Promise<void> {
    const path = this.#panel.report?.cpuProfile;
    if (path === undefined) return tell('information', l10n.t('The last run has no CPU profile.'));
    await commands.executeCommand('vscode.open', Uri.file(path));
  }

  async clear(): Promise<void> {
    const uri = window.activeTextEditor?.document.uri ?? this.#lastUri();
    this.#evidence.clear();
    await this.#panel.clear();
    this.#reports.clear();
    const server = this.#deps.client();
    if (!server) return tellNotRunning();
    const params: ClearEvidenceParams | undefined = uri && { textDocument: { uri: server.code2ProtocolConverter.asUri(uri) } };
    const wasThere = params !== undefined && (await server.sendRequest<boolean | null>(CLEAR_EVIDENCE_REQUEST, params));
    if (wasThere === null) return;
    tell('information', wasThere ? l10n.t('Evidence cleared.') : l10n.t('There is no saved evidence for this file.'));
  }

  #lastUri(): Uri | undefined {
    const again = this.#panel.report?.again;
    return again && Uri.parse(again.uri);
  }

  /** Undefined where another function is there now, and none has its name. */
  async #positionOf(
    document: TextDocument,
    { name, position }: Pick<ProfileTarget, 'position'> & { name?: string },
  ): Promise<EditorPosition | undefined> {
    const server = this.#deps.client();
    // Without a server the gate says what is wrong.
    if (!server || name === undefined) return position;
    const textDocument = { uri: server.code2ProtocolConverter.asUri(document.uri) };
    const within = async (start: EditorPosition, end: EditorPosition): Promise<FunctionsResult['functions']> =>
      (await server.sendRequest<FunctionsResult>(FUNCTIONS_REQUEST, { textDocument, range: { start, end } } satisfies FunctionsParams))
        .functions;
    const all = await within({ line: 0, character: 0 }, { line: document.lineCount, character: 0 });
    const distance = (one: { position: EditorPosition }): number => Math.abs(one.position.line - position.line);
    const [nearest] = all.filter((one) => one.name === name).sort((a, b) => distance(a) - distance(b));
    if (nearest) return nearest.position;
    const [there] = await within(position, { ...position, character: position.character + 1 });
    return there ? undefined : position;
  }

  /** False when nothing more should be run: it was stopped, or cannot be. */
  async #profile(gate: OpenGate, document: TextDocument, position: EditorPosition, typed: readonly string[] = []): Promise<boolean> {
    let calls = typed;
    for (;;) {
      const { version } = document;
      const print = printOf(document.getText());
      const result = await this.#request(gate, document, position, calls);
      if (result?.ok) {
        this.#show(document, result, document.version === version, {
          again: { kind: 'function', uri: document.uri.toString(), position, name: result.report.target.functionName, calls },
          prints: [{ file: document.uri.fsPath, print }],
        });
        return true;
      }
      if (!result) tell('information', l10n.t('Profiling was stopped.'));
      else if (result.example === undefined || calls.length > 0)
        tell('warning', failureMessage(result, l10n.t), { title: l10n.t('Show Output'), command: COMMANDS.showOutput });
      const call =
        result?.example === undefined || calls.length > 0 ? undefined : await this.#prompt.ask(document, result.example, result.why);
      if (call === undefined) return false;
      calls = [call];
    }
  }

  /** Undefined when the user stopped it. */
  #request(
    { server, readOnly, request }: OpenGate,
    document: TextDocument,
    position: EditorPosition,
    calls: readonly string[],
  ): Promise<ProfileResult | undefined> {
    const { nodePath, cpuProfiles } = this.#deps;
    const seconds = workspace.getConfiguration(PRODUCT, document.uri).get('profile.seconds', 5);
    const params: ProfileParams = {
      textDocument: { uri: server.code2ProtocolConverter.asUri(document.uri) },
      position,
      calls,
      budgetMs: seconds * MS_PER_S,
      nodePath: nodePath(),
      readOnly,
      cpuProfiles: cpuProfiles.fsPath,
    };
    return request<ProfileResult>({ method: PROFILE_REQUEST, params, name: 'profile', title: l10n.t('Nodometer: profiling') });
  }

  /** `isSame`: the text is still the one that was run. Otherwise nobody can say which lines the places are on. */
  #show(document: TextDocument, profiled: Profiled, isSame: boolean, run: Pick<ShownPage, 'again' | 'prints'>): void {
    const { report, range, reasons, markdown } = profiled;
    const name = report.target.functionName ?? `line ${range.start.line}`;
    const key = `${report.target.file}#${name}`;
    const before = this.#reports.get(key) ?? [];
    this.#reports.set(key, [...before, report].slice(-MOST_BEFORE));
    const { lineCount } = document;
    const page: ShownPage = {
      title: l10n.t('Profile: {0}', nameOfTarget(report.target) ?? l10n.t('a function')),
      model: (words) => reportModel({ profiled, before, lineCount, ...words }),
      markdown,
      date: report.date,
      cpuProfile: report.cpuProfile,
      ...run,
    };
    if (isSame)
      this.#evidence.show(
        document,
        name,
        { first: range.start.line, last: range.end.line },
        notesOf({ report, reasons, start: range.start.line, lineCount, t: l10n.t }),
      );
    this.#showPage(page, doneMessage(report, l10n.t));
  }

  #showPage(page: ShownPage, message: string): void {
    const open: Button[] = page.cpuProfile === undefined ? [] : [{ title: l10n.t('Open CPU Profile'), command: COMMANDS.openCpuProfile }];
    if (this.#panel.show(page)) mention(message, MESSAGE_MS);
    else tell('information', message, { title: l10n.t('Show Report'), command: COMMANDS.showReport }, ...open);
  }
}

/** False where the text is another by now. */
async function applyFix(document: TextDocument, { edits, version }: MeasureFixResult & { ok: true }): Promise<boolean> {
  if (document.version !== version) return false;
  const edit = new WorkspaceEdit();
  for (const { range, newText } of edits)
    edit.replace(document.uri, new Range(range.start.line, range.start.character, range.end.line, range.end.character), newText);
  return workspace.applyEdit(edit);
}

function nothingYet(): string {
  return l10n.t('Nothing has been profiled in this workspace yet.');
}

function questionFor({ uri }: TextDocument): string {
  return l10n.t('This executes {0} repeatedly, including its side effects.', workspace.asRelativePath(uri));
}

async function targetOf(given: unknown): Promise<{ document: TextDocument; position: EditorPosition } | undefined> {
  const { uri, position } = (typeof given === 'object' && given !== null ? given : {}) as Partial<ProfileTarget>;
  if (typeof uri === 'string' && typeof position?.line === 'number' && typeof position.character === 'number')
    return { document: await workspace.openTextDocument(Uri.parse(uri)), position };
  const editor = window.activeTextEditor;
  return (
    editor && { document: editor.document, position: { line: editor.selection.active.line, character: editor.selection.active.character } }
  );
}
