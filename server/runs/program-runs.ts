// Files and npm scripts of a trusted workspace, traced or watched as whole programs; and the Node versions a function is compared on.
import { existsSync, mkdirSync, copyFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { CancellationToken } from 'vscode-languageserver/node';
import { URI } from 'vscode-uri';
import type { FunctionLookup } from '../../analysis/project/answers/function-answer.ts';
import { isBenignDeopt } from '../../knowledge/deopt-reasons.ts';
import type {
  LagParams,
  LagResult,
  LoadExample,
  LoadParams,
  LoadResult,
  LoadRoute,
  ProgramName,
  ProgramParams,
  ProgramResult,
  RunFailure,
  ScriptsParams,
  ScriptsResult,
} from '../../protocol/editor.ts';
import { Facts } from '../../analysis/facts/index.ts';
import { Source } from '../../analysis/module/source.ts';
import { readModule } from '../../analysis/module/text-reader.ts';
import { textOfRequest } from '../../analysis/profile/requests.ts';
import { measureLag } from '../../profiler/lag.ts';
import { measureLoad } from '../../profiler/load/measure.ts';
import { profileProgram } from '../../profiler/program.ts';
import { withOriginText } from '../../workspace/formats/request-source.ts';
import { loadRequestOf, typedRoute, withOrigin } from '../../workspace/load/load-request.ts';
import { ownRoutesOf } from '../../workspace/load/project-routes.ts';
import { findProjectRoot } from '../../workspace/project-index/project-root.ts';
import { loadTarget, readRoute } from '../../workspace/load/load-program.ts';
import { EvidenceStores } from '../../workspace/profile/evidence-store.ts';
import { findScripts } from '../../workspace/profile/npm-script.ts';
import { isProgramFile, ProgramFiles, readOrNothing } from '../../workspace/profile/profile-files.ts';
import { fileProgram, scriptProgram, type RunProgram } from '../../workspace/profile/run-program.ts';
import { EDITOR_LIMIT_MS, withinOneLimit } from '../../workspace/time-limit.ts';
import { pathOfUri, type OpenDocuments } from '../documents/documents.ts';
import type { ServerDeps } from '../deps.ts';
import type { Folders } from '../documents/folders.ts';
import type { IndexClient } from '../index-client.ts';
import type { ProjectView } from '../shared/project-view.ts';
import { lagMarkdown, loadMarkdown, profileMarkdown } from './report-markdown.ts';
import { nodeFor, NOT_TRUSTED, reasonsOf, stoppable } from './run-gate.ts';
import type { Progress } from '../workers/workspace-lint.ts';

export interface ProgramRunsRequest {
  deps: ServerDeps;
  documents: OpenDocuments;
  folders: Folders;
  /** What it does not know is taken for itself. */
  index: Pick<IndexClient, 'lookupsFor' | 'listRoutes'>;
  view: ProjectView;
  /** Whether the user trusts the workspace. */
  trusted: boolean;
  /** Shows a message to the user. */
  warn(message: string): void;
  /** Evidence was added. */
  kept(stores: EvidenceStores): void;
}

/** As the terminal's `nodometer lag` unless said, in ms. */
const THRESHOLD_MS = 50;
/** As the terminal's `nodometer load` unless said, in ms. */
const WARM_UP_MS = 1000;

export class ProgramRuns {
  readonly #request: ProgramRunsRequest;

  constructor(request: ProgramRunsRequest) {
    this.#request = request;
  }

  async profile(
    { program: named, runMs, nodePath, readOnly, cpuProfiles }: ProgramParams,
    token: CancellationToken,
    progress: Progress | undefined,
  ): Promise<ProgramResult> {
    if (!this.#request.trusted) return NOT_TRUSTED;
    const program = this.#programOf(named);
    if ('ok' in program) return program;
    const files = this.#files();
    return stoppable(`Tracing ${program.command}`, token, progress, async ({ signal, report: tell }): Promise<ProgramResult> => {
      const node = await nodeFor(nodePath, signal);
      if (!node.ok) return node;
      const outcome = await profileProgram({
        ...program,
        node: node.node,
        runMs,
        readOnly,
        signal,
        date: new Date().toISOString(),
        isUserFile: isProgramFile,
        isBenign: isBenignDeopt,
        textOf: (file) => files.textOf(file),
        hypothesesFor: async (some) => {
          const lookups = await this.#lookupsFor(some);
          return files.hypothesesFor(some, (file) => lookups.get(file));
        },
        keepCpuProfile: cpuProfileKeeper(cpuProfiles, program.command),
        progress: tell,
      });
      if (!outcome.ok) return { ok: false, why: outcome.reason, remedy: '' };
      const { report } = outcome;
      const stores = new EvidenceStores(
        (folder) => this.#request.view.projects.findRoot(folder),
        (message) => this.#request.warn(message),
      );
      for (const one of files.all) stores.storeOf(one.file).keepProgram(report, one, runMs);
      this.#request.kept(stores);
      return { ok: true, report, reasons: reasonsOf(report.deopts), markdown: profileMarkdown([report], program.cwd) };
    });
  }

  async lag(
    { program: named, measureMs, nodePath, readOnly }: LagParams,
    token: CancellationToken,
    progress: Progress | undefined,
  ): Promise<LagResult> {
    if (!this.#request.trusted) return NOT_TRUSTED;
    const program = this.#programOf(named);
    if ('ok' in program) return program;
    return stoppable(`Monitoring ${program.command}`, token, progress, async ({ signal, report: tell }): Promise<LagResult> => {
      const node = await nodeFor(nodePath, signal);
      if (!node.ok) return node;
      const { target, command, cwd } = program;
      const outcome = await measureLag({
        node: node.node,
        target,
        command,
        cwd,
        measureMs,
        readOnly,
        thresholdMs: THRESHOLD_MS,
        date: new Date().toISOString(),
        progress: (kind) => tell(kind === 'idle' ? 0 : 1, 2, kind === 'idle' ? 'idle event loop' : 'event loop'),
        signal,
      });
      return outcome.ok ? { ...outcome, markdown: lagMarkdown(outcome.report, cwd) } : { ok: false, why: outcome.reason, remedy: '' };
    });
  }

  /** The server runs with all its side effects: read-only runs have no port to listen on. */
  async load(
    { program: named, request: asked, origin = { notes: [] }, connections, measureMs, nodePath }: LoadParams,
    token: CancellationToken,
    progress: Progress | undefined,
  ): Promise<LoadResult> {
    if (!this.#request.trusted) return NOT_TRUSTED;
    const route = readRoute(asked);
    if (!route.ok) return { ok: false, why: route.why, remedy: '' };
    const program = this.#programOf(named);
    if ('ok' in program) return program;
    const { script } = named;
    const found = loadTarget(
      { ...(script === undefined ? { entry: pathOfUri(named.uri) } : { script }), programArguments: [] },
      { cwd: program.cwd, projects: this.#request.view.projects },
    );
    if (!found.ok) return { ok: false, why: found.why, remedy: '' };
    const { target } = found;
    return stoppable(`Measuring ${target.command} under load`, token, progress, async ({ signal, report: tell }): Promise<LoadResult> => {
      const node = await nodeFor(nodePath, signal);
      if (!node.ok) return node;
      const outcome = await measureLoad({
        program: { ...target.program, node: node.node },
        command: target.command,
        load: { request: route.request, connections, warmUpMs: WARM_UP_MS, measureMs },
        date: new Date().toISOString(),
        signal,
        progress: (step) => tell(step === 'figures' ? 0 : 1, 2, step === 'figures' ? 'figures' : 'causes'),
      });
      if (!outcome.ok) return { ok: false, why: withOriginText(outcome.reason, origin, program.cwd), remedy: '' };
      const report = withOrigin(outcome.report, origin);
      return { ok: true, report, markdown: loadMarkdown(report, program.cwd) };
    });
  }

  /** How a route is asked, by a comment above its handler or an OpenAPI file of its project. */
  async loadExample({ uri, route, request }: LoadRoute): Promise<LoadExample> {
    const typed = route === undefined ? undefined : typedRoute(route);
    if (!typed || !uri.startsWith('file:')) return { request, origin: { notes: [] } };
    const { index, documents, view } = this.#request;
    const file = pathOfUri(uri);
    const folder = dirname(file);
    const own = view.projects.findRoot(folder) ?? folder;
    const isOwn = ownRoutesOf(file, view.projects);
    const limited = withinOneLimit(EDITOR_LIMIT_MS);
    const outcome = await loadRequestOf({
      typed,
      folders: [...new Set([own, findProjectRoot(folder) ?? own])],
      cwd: own,
      routes: async () =>
        ((await index.listRoutes()) ?? []).flatMap(({ route: listed, file: from, handlers }) =>
          listed === undefined ? [] : [{ route: listed, isOwn: isOwn(from), handlers }],
        ),
      limited,
      factsOf: (path) => {
        const text = documents.get(URI.file(path).toString())?.text.getText() ?? readOrNothing(path);
        if (text === undefined) return undefined;
        const project = view.projects.infoFor(dirname(path));
        return limited(undefined, () => {
          const read = readModule(path, text);
          return read.ok ? new Facts(read.module, new Source(path, text), project) : undefined;
        });
      },
    });
    if (!outcome.ok) return { request, origin: { notes: [] } };
    const { source, notes } = outcome;
    return { request: source ? textOfRequest(outcome.request) : request, origin: { ...(source && { source }), notes } };
  }

  /** Reads only: which scripts there are is no secret of a workspace that is not trusted. */
  scripts({ uri }: ScriptsParams): ScriptsResult {
    const path = pathOfUri(uri);
    const found = findScripts(existsSync(join(path, 'package.json')) ? path : dirname(path));
    return found
      ? { manifest: URI.file(found.manifest).toString(), scripts: found.scripts.map(({ name, text }) => ({ name, text })) }
      : { scripts: [] };
  }

  #programOf({ uri, script }: ProgramName): RunProgram | RunFailure {
    const path = pathOfUri(uri);
    if (!uri.startsWith('file:') || !existsSync(path))
      return { ok: false, why: `${uri} is not a file on disk.`, remedy: 'Save the file first.' };
    if (script !== undefined) {
      const found = scriptProgram(script, dirname(path));
      return found.ok ? found.program : { ...found, remedy: '' };
    }
    const document = this.#request.documents.get(uri);
    if (document && !document.isScript) return { ok: false, why: `${basename(path)} is not a JavaScript or TypeScript file.`, remedy: '' };
    // The project's folder, where a person would start it.
    const cwd = this.#request.view.projects.findRoot(dirname(path)) ?? dirname(path);
    return fileProgram(path, cwd);
  }

  /** The program read the files from the disk; what is known of a text that is not saved is about another one. */
  async #lookupsFor(paths: readonly string[]): Promise<ReadonlyMap<string, FunctionLookup>> {
    const { index, documents } = this.#request;
    const isSaved = (path: string) => {
      const document = documents.get(URI.file(path).toString());
      return !document || document.text.getText() === readOrNothing(path);
    };
    return index.lookupsFor(paths.filter(isSaved));
  }

  #files(): ProgramFiles {
    const { deps, folders, view } = this.#request;
    return new ProgramFiles({
      rules: deps.rules,
      settingsFor: async (file) => {
        const folder = folders.findFolder(file);
        const { settings, project } = await view.contextFor(file, folder?.path, await folders.settingsFor(folder));
        return { settings, project };
      },
    });
  }
}

/** Kept under the name of what was run, so that the next run replaces it. */
export function cpuProfileKeeper(folder: string | undefined, name: string): ((path: string) => Promise<string>) | undefined {
  if (folder === undefined) return undefined;
  return async (path) => {
    mkdirSync(folder, { recursive: true });
    const target = join(folder, `${name.replaceAll(/[^\w.-]+/g, '-').slice(0, MOST_NAME)}.cpuprofile`);
    copyFileSync(path, target);
    return target;
  };
}

const MOST_NAME = 60;
