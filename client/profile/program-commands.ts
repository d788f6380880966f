// Commands about whole programs: trace a file or an npm script, measure its event-loop lag; and the comparison of a function on several
// Nodes.
import { basename } from 'node:path';
import { l10n, Uri, window, workspace, type QuickPickItem, type TextDocument } from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import {
  COMMANDS,
  COMPARE_REQUEST,
  LAG_REQUEST,
  PRODUCT,
  PROFILE_PROGRAM_REQUEST,
  SCRIPTS_REQUEST,
  type CompareParams,
  type CompareResult,
  type EditorPosition,
  type LagParams,
  type LagResult,
  type ProgramParams,
  type ProgramResult,
  type RunFailure,
  type ScriptsParams,
  type ScriptsResult,
} from '../../protocol/editor.ts';
import { MOST_PROGRAM_RUNS, nameOfTarget } from '../../protocol/evidence.ts';
import type { Machine } from '../../node-versions/discovery.ts';
import type { NodeVersions } from '../../node-versions/versions.ts';
import type { CallPrompt } from './call-prompt.ts';
import { comparisonModel } from '../report/comparison-model.ts';
import { lagModel } from '../report/lag-model.ts';
import { ask, pick, tell } from '../message.ts';
import { pickNodes } from './pick-nodes.ts';
import { printOf, printsOf } from '../report/file-prints.ts';
import { failureMessage, lagMessage, programMessage } from './profile-text.ts';
import { programModel } from '../report/program-model.ts';
import { tellNotRunning } from './progress-request.ts';
import type { ShownPage } from '../report/report-panel.ts';
import { workspaceFiles } from '../report/workspace-files.ts';
import type { OpenGate, RunGate } from './run-gate.ts';

export interface ProgramCommandDeps {
  client(): LanguageClient | undefined;
  gate: RunGate;
  prompt: CallPrompt;
  cpuProfiles: Uri;
  nodePath(): string | undefined;
  machine: Machine;
  versions: NodeVersions;
  /** `message` is shown where the report does not open by itself. */
  show(page: ShownPage, message: string): void;
}

export interface ScriptItem extends QuickPickItem {
  manifest: Uri;
  name: string;
}

const MS_PER_S = 1000;
const DEFAULT_SECONDS = 10;

export class ProgramCommands {
  readonly #deps: ProgramCommandDeps;

  constructor(deps: ProgramCommandDeps) {
    this.#deps = deps;
  }

  async traceFile(given?: unknown): Promise<void> {
    const uri = fileOf(given);
    if (!uri) return tell('information', l10n.t('Open the file to run first.'));
    await this.trace(uri);
  }

  async traceScript(): Promise<void> {
    const script = await this.#pickScript(l10n.t('npm script to trace'));
    if (script) await this.trace(script.manifest, script.name);
  }

  /** A file, or a script of the package.json at `uri`. */
  async trace(uri: Uri, script?: string): Promise<void> {
    const question =
      script === undefined
        ? l10n.t(
            'This executes {0} up to {1} times, for up to {2} s each, including its side effects.',
            workspace.asRelativePath(uri),
            MOST_PROGRAM_RUNS,
            secondsFor(uri),
          )
        : l10n.t(
            'This executes `npm run {0}` up to {1} times, for up to {2} s each, including its side effects.',
            script,
            MOST_PROGRAM_RUNS,
            secondsFor(uri),
          );
    await this.#deps.gate.run({ uri, agreement: agreementFor(uri, script), question }, (gate) => this.#trace(gate, uri, script));
  }

  async measureLag(given?: unknown): Promise<void> {
    const uri = fileOf(given);
    if (!uri) return tell('information', l10n.t('Open the file to run first.'));
    await this.lag(uri);
  }

  async measureScriptLag(): Promise<void> {
    const script = await this.#pickScript(l10n.t('npm script to monitor'));
    if (script) await this.lag(script.manifest, script.name);
  }

  /** A file, or a script of the package.json at `uri`. */
  async lag(uri: Uri, script?: string): Promise<void> {
    const question =
      script === undefined
        ? l10n.t('This executes {0} for up to {1} s, including its side effects.', workspace.asRelativePath(uri), secondsFor(uri))
        : l10n.t('This executes `npm run {0}` for up to {1} s, including its side effects.', script, secondsFor(uri));
    await this.#deps.gate.run({ uri, agreement: agreementFor(uri, script), question }, (gate) => this.#lag(gate, uri, script));
  }

  /** The function at the cursor, on the Nodes that the user picks. */
  async compareNodes(): Promise<void> {
    const editor = window.activeTextEditor;
    if (!editor) return tell('information', l10n.t('Place the cursor in the function to compare.'));
    const {
      document,
      selection: { active },
    } = editor;
    await this.compare(document, { line: active.line, character: active.character });
  }

  async compare(document: TextDocument, position: EditorPosition): Promise<void> {
    const question = l10n.t(
      'This executes {0} repeatedly on each Node version that you pick, including its side effects.',
      workspace.asRelativePath(document.uri),
    );
    await this.#deps.gate.run({ uri: document.uri, question }, async (gate) => {
      const nodePaths = await pickNodes(this.#deps);
      if (nodePaths.length > 0) await this.#compare(gate, document, position, nodePaths);
    });
  }

  async #trace(gate: OpenGate, uri: Uri, script?: string): Promise<void> {
    if (!(await isSaved(uri, script))) return;
    const startedAt = Date.now();
    const params: ProgramParams = {
      ...this.#common(gate, uri, script),
      runMs: secondsFor(uri) * MS_PER_S,
      cpuProfiles: this.#deps.cpuProfiles.fsPath,
    };
    const result = await gate.request<ProgramResult>({
      method: PROFILE_PROGRAM_REQUEST,
      params,
      name: 'trace',
      title: l10n.t('Nodometer: tracing {0}', script ?? basename(uri.fsPath)),
    });
    if (!result?.ok) return tellFailure(result);
    const { report, reasons, markdown } = result;
    this.#deps.show(
      {
        title: l10n.t('Trace: {0}', script ?? basename(uri.fsPath)),
        model: (words) => programModel({ report, reasons, ...words }),
        markdown,
        date: report.date,
        again: { kind: 'trace', uri: uri.toString(), script },
        prints: await printsOf(report.program?.files ?? [], startedAt, workspaceFiles),
        cpuProfile: report.cpuProfile,
      },
      programMessage(report, l10n.t),
    );
  }

  async #lag(gate: OpenGate, uri: Uri, script?: string): Promise<void> {
    if (!(await isSaved(uri, script))) return;
    const startedAt = Date.now();
    const params: LagParams = { ...this.#common(gate, uri, script), measureMs: secondsFor(uri) * MS_PER_S };
    const result = await gate.request<LagResult>({
      method: LAG_REQUEST,
      params,
      name: 'lag',
      title: l10n.t('Nodometer: monitoring {0}', script ?? basename(uri.fsPath)),
    });
    if (!result?.ok) return tellFailure(result);
    const { report, markdown } = result;
    this.#deps.show(
      {
        title: l10n.t('Lag: {0}', script ?? basename(uri.fsPath)),
        model: (words) => lagModel({ report, ...words }),
        markdown,
        date: report.date,
        again: { kind: 'lag', uri: uri.toString(), script },
        // Nothing says which other files the program read.
        prints: await printsOf([uri.fsPath], startedAt, workspaceFiles),
      },
      lagMessage(report, l10n.t),
    );
  }

  async #compare(gate: OpenGate, document: TextDocument, position: CompareParams['position'], nodePaths: readonly string[]): Promise<void> {
    let calls: readonly string[] = [];
    const seconds = workspace.getConfiguration(PRODUCT, document.uri).get('profile.seconds', 5);
    for (;;) {
      const print = printOf(document.getText());
      const params: CompareParams = {
        textDocument: { uri: gate.server.code2ProtocolConverter.asUri(document.uri) },
        position,
        calls,
        budgetMs: seconds * MS_PER_S,
        nodePaths,
        readOnly: gate.readOnly,
      };
      const result = await gate.request<CompareResult>({
        method: COMPARE_REQUEST,
        params,
        name: 'compare',
        title: l10n.t('Nodometer: comparing Node versions'),
      });
      if (result?.ok) {
        const { rows, reports, markdown } = result;
        const name = (reports[0] && nameOfTarget(reports[0].target)) ?? l10n.t('a function');
        this.#deps.show(
          {
            title: l10n.t('Compare: {0}', name),
            model: (words) => comparisonModel({ rows, reports, ...words }),
            markdown,
            date: reports[0]?.date ?? new Date().toISOString(),
            again: { kind: 'compare', uri: document.uri.toString(), position, name: reports[0]?.target.functionName },
            prints: [{ file: document.uri.fsPath, print }],
          },
          l10n.t('{0} was compared on {1} Node versions.', name, rows.length),
        );
        return;
      }
      if (!result || result.example === undefined || calls.length > 0) return tellFailure(result);
      const call = await this.#deps.prompt.ask(document, result.example, result.why);
      if (call === undefined) return;
      calls = [call];
    }
  }

  #common({ server, readOnly }: OpenGate, uri: Uri, script: string | undefined): Pick<ProgramParams, 'program' | 'nodePath' | 'readOnly'> {
    return {
      program: { uri: server.code2ProtocolConverter.asUri(uri), ...(script === undefined ? {} : { script }) },
      nodePath: this.#deps.nodePath(),
      readOnly,
    };
  }

  /** Of the package.json nearest to the open file, and those of the workspace's folders. */
  async #pickScript(title: string): Promise<ScriptItem | undefined> {
    // Nobody picks what is refused afterwards.
    if (!workspace.isTrusted) {
      await this.#deps.gate.run({ uri: workspace.workspaceFolders?.[0]?.uri ?? Uri.file('/'), question: '' }, () => Promise.resolve());
      return undefined;
    }
    const server = this.#deps.client();
    if (!server) {
      tellNotRunning();
      return undefined;
    }
    const active = window.activeTextEditor?.document.uri;
    const items = await scriptItems(server, active);
    if (items.length === 0) {
      tell('information', l10n.t('No package.json with scripts was found.'));
      return undefined;
    }
    return pick(items, { title, matchOnDescription: true });
  }
}

/** The scripts of the package.json nearest to a file, and of those of the workspace's folders. */
export async function scriptItems(server: LanguageClient, near: Uri | undefined): Promise<ScriptItem[]> {
  const places = [...(near?.scheme === 'file' ? [near] : []), ...(workspace.workspaceFolders ?? []).map(({ uri }) => uri)];
  const items = new Map<string, ScriptItem>();
  for (const uri of places) {
    const params: ScriptsParams = { uri: server.code2ProtocolConverter.asUri(uri) };
    const { manifest, scripts } = await server.sendRequest<ScriptsResult>(SCRIPTS_REQUEST, params);
    if (manifest === undefined) continue;
    const where = Uri.parse(manifest);
    for (const { name, text } of scripts)
      items.set(`${manifest}#${name}`, {
        label: name,
        description: text,
        detail: workspace.asRelativePath(where),
        manifest: where,
        name,
      });
  }
  return [...items.values()];
}

/** What the user agrees to, once. */
export function agreementFor(uri: Uri, script: string | undefined): string {
  return script === undefined ? uri.toString() : `${uri.toString()}#${script}`;
}

/** What a menu names, or the open file. */
function fileOf(given: unknown): Uri | undefined {
  return given instanceof Uri ? given : window.activeTextEditor?.document.uri;
}

export function secondsFor(uri: Uri): number {
  return workspace.getConfiguration(PRODUCT, uri).get('profile.programSeconds', DEFAULT_SECONDS);
}

/** A program reads its files from the disk. */
export async function isSaved(uri: Uri, script: string | undefined): Promise<boolean> {
  const dirty = workspace.textDocuments.filter(
    ({ isDirty, uri: one }) => isDirty && one.scheme === 'file' && (script !== undefined || one.toString() === uri.toString()),
  );
  if (dirty.length === 0) return true;
  const save = { title: l10n.t('Save and Run') };
  const names = dirty.map(({ uri: one }) => workspace.asRelativePath(one)).join(', ');
  if ((await ask('warning', { text: l10n.t('{0} has unsaved changes, and the program reads the saved file.', names) }, save)) !== save)
    return false;
  for (const document of dirty) if (!(await document.save())) return false;
  return true;
}

export function tellFailure(result: RunFailure | undefined): void {
  if (!result) tell('information', l10n.t('Profiling was stopped.'));
  else tell('warning', failureMessage(result, l10n.t), { title: l10n.t('Show Output'), command: COMMANDS.showOutput });
}
