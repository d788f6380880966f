// "Measure under load": which server, which request; then it is run, and its report shown.
import { basename } from 'node:path';
import { l10n, Uri, window, workspace } from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import {
  LOAD_EXAMPLE_REQUEST,
  LOAD_REQUEST,
  PRODUCT,
  type LoadExample,
  type LoadParams,
  type LoadResult,
  type LoadRoute,
} from '../../protocol/editor.ts';
import { askForText, pick, tell, type Choice } from '../message.ts';
import { printsOf } from '../report/file-prints.ts';
import { loadModel } from '../report/load-model.ts';
import type { ShownPage } from '../report/report-panel.ts';
import { workspaceFiles } from '../report/workspace-files.ts';
import { KnownRequests, type SuggestedRequest } from './known-requests.ts';
import { loadMessage } from './profile-text.ts';
import { agreementFor, isSaved, scriptItems, secondsFor, tellFailure } from './program-commands.ts';
import { tellNotRunning } from './progress-request.ts';
import type { OpenGate, RunGate } from './run-gate.ts';
import { problemOfRequest } from './typed-request.ts';

export interface LoadCommandDeps {
  client(): LanguageClient | undefined;
  gate: RunGate;
  nodePath(): string | undefined;
  /** `message` is shown where the report does not open by itself. */
  show(page: ShownPage, message: string): void;
}

/** A file that is started, or a script of the package.json at `uri`. */
interface Program {
  uri: Uri;
  script?: string;
}

interface ProgramItem extends Choice {
  program: Program;
}

const MS_PER_S = 1000;
const START = 'start';
const DEFAULT_CONNECTIONS = 10;

export class LoadCommands {
  readonly #deps: LoadCommandDeps;
  readonly #requests = new KnownRequests();
  #program: string | undefined;

  constructor(deps: LoadCommandDeps) {
    this.#deps = deps;
  }

  /** `given`: a `LoadRoute`; anything else, and the user is asked for the request. */
  async measureRoute(given?: unknown): Promise<void> {
    const route = routeOf(given);
    const near = route ? Uri.parse(route.uri) : window.activeTextEditor?.document.uri;
    // Nobody picks what is refused afterwards.
    if (!workspace.isTrusted) {
      const uri = near ?? workspace.workspaceFolders?.[0]?.uri ?? Uri.file('/');
      return this.#deps.gate.run({ uri, question: '' }, () => Promise.resolve());
    }
    const server = this.#deps.client();
    if (!server) return tellNotRunning();
    const program = await this.#pickProgram(server, near);
    if (!program) return;
    const request = await this.#askForRequest(route, route && (await server.sendRequest<LoadExample>(LOAD_EXAMPLE_REQUEST, route)));
    if (!request) return;
    this.#requests.keep(keyOf(program), request);
    await this.measure(program.uri, program.script, request.request);
  }

  /** A file, or a script of the package.json at `uri`. */
  async measure(uri: Uri, script: string | undefined, request: string): Promise<void> {
    const connections = workspace.getConfiguration(PRODUCT, uri).get('load.connections', DEFAULT_CONNECTIONS);
    const question = l10n.t(
      'This starts {0} twice on free ports of 127.0.0.1 and sends it {1} over {2} connections for up to {3} s each, with all side effects of these requests.',
      script === undefined ? workspace.asRelativePath(uri) : `npm run ${script}`,
      request,
      connections,
      secondsFor(uri),
    );
    await this.#deps.gate.run(
      {
        uri,
        agreement: `load ${agreementFor(uri, script)} ${request}`,
        question,
        notReadOnly: l10n.t('A server under load cannot run read-only. To measure it, turn off the setting `nodometer.profile.readOnly`.'),
      },
      (gate) => this.#measure(gate, { uri, script }, { request, connections }),
    );
  }

  async #measure(
    gate: OpenGate,
    { uri, script }: Program,
    { request, connections }: Pick<LoadParams, 'request' | 'connections'>,
  ): Promise<void> {
    if (!(await isSaved(uri, script))) return;
    const startedAt = Date.now();
    const params: LoadParams = {
      program: { uri: gate.server.code2ProtocolConverter.asUri(uri), ...(script === undefined ? {} : { script }) },
      request,
      origin: this.#requests.originOf(keyOf({ uri, ...(script !== undefined && { script }) }), request),
      connections,
      measureMs: secondsFor(uri) * MS_PER_S,
      nodePath: this.#deps.nodePath(),
    };
    const result = await gate.request<LoadResult>({
      method: LOAD_REQUEST,
      params,
      name: 'load',
      title: l10n.t('Nodometer: measuring {0} under load', request),
    });
    if (!result?.ok) return tellFailure(result);
    const { report, markdown } = result;
    this.#deps.show(
      {
        title: l10n.t('Load: {0}', `${report.request.method} ${report.request.path}`),
        model: (words) => loadModel({ report, ...words }),
        markdown,
        date: report.date,
        again: { kind: 'load', uri: uri.toString(), script, request },
        // Nothing says which other files the program read.
        prints: await printsOf([uri.fsPath], startedAt, workspaceFiles),
      },
      loadMessage(report, l10n.t),
    );
  }

  /** The one picked last stands first; before any was, the script `start`. */
  async #pickProgram(server: LanguageClient, near: Uri | undefined): Promise<Program | undefined> {
    const scripts = (await scriptItems(server, near)).map(
      ({ manifest, name, label, description, detail }): ProgramItem => ({
        label: `npm run ${label}`,
        description,
        detail,
        icon: 'package',
        program: { uri: manifest, script: name },
      }),
    );
    const active = window.activeTextEditor?.document;
    const files = [near, active?.languageId === 'javascript' || active?.languageId === 'typescript' ? active.uri : undefined];
    const unique = new Map(files.flatMap((uri) => (uri?.scheme === 'file' ? [[uri.toString(), uri] as const] : [])));
    const items: ProgramItem[] = [
      ...scripts,
      ...[...unique.values()].map(
        (uri): ProgramItem => ({
          label: `node ${basename(uri.fsPath)}`,
          detail: workspace.asRelativePath(uri),
          icon: 'file-code',
          program: { uri },
        }),
      ),
    ];
    if (items.length === 0) {
      tell('information', l10n.t('Open the file that starts the server first.'));
      return undefined;
    }
    const rank = ({ program }: ProgramItem): number => (keyOf(program) === this.#program ? 0 : program.script === START ? 1 : 2);
    const picked = await pick(
      items.sort((a, b) => rank(a) - rank(b)),
      { title: l10n.t('Program that starts the server'), matchOnDescription: true },
    );
    if (picked) this.#program = keyOf(picked.program);
    return picked?.program;
  }

  async #askForRequest(route: LoadRoute | undefined, example: LoadExample | undefined): Promise<SuggestedRequest | undefined> {
    const key = route ? `${route.uri} ${route.request}` : '';
    const suggested = this.#requests.suggestionFor(key, example);
    const { source, notes = [] } = suggested.origin ?? {};
    const from = source ? [l10n.t('Taken from {0}: {1}.', workspace.asRelativePath(source.file), source.parts.join(', '))] : [];
    const typed = await askForText({
      title: l10n.t('Request to measure'),
      prompt: [l10n.t('A method and a path. Headers and a body follow the path.'), ...from, ...notes].join(' '),
      value: suggested.request,
      placeHolder: 'POST /users -H "x-key: 1" {"name":"a"}',
      ignoreFocusOut: true,
      validateInput: (text) => problemOfRequest(text, l10n.t),
    });
    return typed === undefined ? undefined : this.#requests.typed(key, suggested, typed);
  }
}

function keyOf({ uri, script }: Program): string {
  return agreementFor(uri, script);
}

function routeOf(given: unknown): LoadRoute | undefined {
  const { uri, request, route } = (typeof given === 'object' && given !== null ? given : {}) as Partial<Record<keyof LoadRoute, unknown>>;
  if (typeof uri !== 'string' || typeof request !== 'string') return undefined;
  return { uri, request, ...(typeof route === 'string' ? { route } : {}) };
}
