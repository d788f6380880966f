// What the extension and the language server say to each other beyond the Language Server Protocol. Plain JSON, no dependencies.
import type { ComparisonRow, Difference, LagReport, ProfileReport, VerdictKind } from './evidence.ts';
import type { FixKind } from './finding.ts';
import type { LoadReport, RequestOrigin } from './load.ts';

/** `source` of every diagnostic, first part of every setting and command. */
export const PRODUCT = 'nodometer';

/**
 * What Node is started with for the server. The tree of a long file is as large as V8's usual young generation (16 MiB), so that each
 * keystroke would have it copied; with twice the room linting a 5,000-line file takes a seventh less time. V8's helper threads for
 * collections, which the worker threads' runs keep busy, would be waited for: without them 98 to 100 % of the keystrokes during a run over
 * 3,000 files were answered within 100 ms, with them 97 to 98 %, and the run took half as long (Node 20, 2 busy cores).
 */
export const SERVER_NODE_ARGUMENTS: readonly string[] = ['--max-semi-space-size=32', '--single-threaded-gc'];

/** Server to client, notification, `StatusParams`: what became of a document. */
export const STATUS_NOTIFICATION = 'nodometer/status';
/** Server to client, notification, `IndexState`: how far the index of the whole project is. */
export const INDEX_NOTIFICATION = 'nodometer/index';
/** Client to server, request, `RoutesResult`: all routes of the workspace, as the index of the project knows them. */
export const ROUTES_REQUEST = 'nodometer/routes';
/** Server to client, notification: `ROUTES_REQUEST` may have another answer now. */
export const ROUTES_NOTIFICATION = 'nodometer/routesChanged';
/** Client to server, request, `LintWorkspaceParams` to `LintWorkspaceResult`. */
export const LINT_WORKSPACE_REQUEST = 'nodometer/lintWorkspace';
/** Client to server, request, `FixAllParams` to `FixAllResult`. */
export const FIX_ALL_REQUEST = 'nodometer/fixAll';

/** Client to server, request, `AcceptParams` to `boolean`: adds a finding to the baseline. The server says what became of it. */
export const ACCEPT_REQUEST = 'nodometer/accept';

/** Client to server, request, `ProfileParams` to `ProfileResult`: runs a function of a trusted workspace. */
export const PROFILE_REQUEST = 'nodometer/profile';
/** Client to server, request, `ProgramParams` to `ProgramResult`: traces a file or npm script of a trusted workspace. */
export const PROFILE_PROGRAM_REQUEST = 'nodometer/profileProgram';
/** Client to server, request, `LagParams` to `LagResult`: watches the event loop of a file or npm script of a trusted workspace. */
export const LAG_REQUEST = 'nodometer/lag';
/** Client to server, request, `LoadParams` to `LoadResult`: puts a server of a trusted workspace under load. */
export const LOAD_REQUEST = 'nodometer/load';
/** Client to server, request, `LoadRoute` to `LoadExample`: how a route is asked, by comments and OpenAPI files. Reads, runs nothing. */
export const LOAD_EXAMPLE_REQUEST = 'nodometer/loadExample';
/** Client to server, request, `CompareParams` to `CompareResult`: runs a function of a trusted workspace on several Nodes. */
export const COMPARE_REQUEST = 'nodometer/compareNodes';
/** Client to server, request, `MeasureFixParams` to `MeasureFixResult`: runs a function of a trusted workspace with and without a fix. */
export const MEASURE_FIX_REQUEST = 'nodometer/measureFix';
/**
 * Client to server, request, `MeasureChangeParams` to `MeasureChangeResult`: runs a function of a trusted workspace as it is now and as it
 * was at a commit.
 */
export const MEASURE_CHANGE_REQUEST = 'nodometer/measureChange';
/** Client to server, request, `ScriptsParams` to `ScriptsResult`: the npm scripts around a file or folder. Reads, runs nothing. */
export const SCRIPTS_REQUEST = 'nodometer/scripts';
/** Client to server, request, `FunctionsParams` to `FunctionsResult`: the functions that a selection touches. */
export const FUNCTIONS_REQUEST = 'nodometer/functions';
/** Client to server, request, `ClearEvidenceParams` to `boolean | null`: whether there was any; null if it stays, which the server says. */
export const CLEAR_EVIDENCE_REQUEST = 'nodometer/clearEvidence';

/** Kind of the code action that makes all safe fixes, for `editor.codeActionsOnSave`. */
export const FIX_ALL_KIND = 'source.fixAll.nodometer';

/** `make` in the data of a code action whose edit reaches into other files: to be looked at before it is made. */
export const ACROSS_FILES = 'acrossFiles';

/** The panel with the report, by which VS Code brings it back. */
export const REPORT_VIEW = 'nodometer.report';

/** Context keys of VS Code: commands are offered only where there is something for them. */
export const CONTEXT_KEYS = {
  /** A run that can be stopped. */
  isRunning: 'nodometer.isRunning',
  hasReport: 'nodometer.hasReport',
  hasCpuProfile: 'nodometer.hasCpuProfile',
} as const;

/** The list of all routes. */
export const ROUTES_VIEW = 'nodometer.routes';

/** Commands of the extension. An action or lens may name one only to a client with `clientCommands`. */
export const COMMANDS = {
  lintWorkspace: 'nodometer.lintWorkspace',
  fixFile: 'nodometer.fixFile',
  /** Argument: `AcceptTarget`. */
  acceptFinding: 'nodometer.acceptFinding',
  restartServer: 'nodometer.restartServer',
  showOutput: 'nodometer.showOutput',
  /** Argument: the rule's id; without it the user is asked. */
  openRuleDocumentation: 'nodometer.openRuleDocumentation',
  selectNode: 'nodometer.selectNode',
  createConfig: 'nodometer.createConfig',
  /** Opens a small project to try everything with. */
  openSample: 'nodometer.openSample',
  /** Opens the menu of quick fixes at the cursor. */
  showFixes: 'nodometer.showFixes',
  /** Argument: `RoutePlaces`; without it those of the route at the cursor. */
  showRoutePlaces: 'nodometer.showRoutePlaces',
  /** Opens the view with all routes. */
  showRoutes: 'nodometer.showRoutes',
  sortRoutes: 'nodometer.sortRoutes',
  /** Argument: an entry of that view. */
  profileRoute: 'nodometer.profileRoute',
  /** Argument: `ProfileTarget`; without it the function at the cursor. */
  profileFunction: 'nodometer.profileFunction',
  traceSelection: 'nodometer.traceSelection',
  traceFile: 'nodometer.traceFile',
  traceScript: 'nodometer.traceScript',
  measureLag: 'nodometer.measureLag',
  measureScriptLag: 'nodometer.measureScriptLag',
  /** Argument: `LoadRoute`, or an entry of the view with all routes; without it the user is asked for the request. */
  measureLoad: 'nodometer.measureLoad',
  compareNodes: 'nodometer.compareNodes',
  /** Argument: `FixTarget`; without it the finding at the cursor. */
  applyAndMeasure: 'nodometer.applyAndMeasure',
  measureChange: 'nodometer.measureChange',
  stop: 'nodometer.stop',
  showReport: 'nodometer.showReport',
  /** What the last report is of. */
  profileAgain: 'nodometer.profileAgain',
  /** The last report, into a file that the user names. */
  exportReport: 'nodometer.exportReport',
  openCpuProfile: 'nodometer.openCpuProfile',
  clearEvidence: 'nodometer.clearEvidence',
} as const;
export type CommandId = (typeof COMMANDS)[keyof typeof COMMANDS];

/** `initializationOptions`. All of it may be missing: other editors send none. */
export interface InitializationOptions {
  /** Version of the Node that the user runs programs with, e.g. `22.11.0`. Not looked for in untrusted workspaces. */
  nodeVersion?: string;
  /** Where that Node was found, for people: `nodometer.nodePath`, `node on PATH`. */
  nodeVersionSource?: string;
  /** Whether the user trusts the workspace: only then is anything of it run. */
  trusted?: boolean;
  /** Whether the client registers the commands above itself. */
  clientCommands?: boolean;
}

/** `skipped`: not read, with the reason. `failed`: read, but the result is not complete. `off`: `nodometer.enable` is false. */
export type DocumentState = 'linted' | 'skipped' | 'failed' | 'off';

export interface StatusParams {
  uri: string;
  state: DocumentState;
  /** For people, one sentence: why it is skipped, what failed. */
  reason?: string;
  /** Node versions that the file's project runs on, as a semver range. */
  nodeRange?: string;
  /** Where that range comes from: `engines.node in package.json`. */
  nodeRangeSource?: string;
  findings?: number;
  /** Version of the document that this is about. */
  version?: number;
}

/** `off`: each file is taken for itself, because the settings say so or the index failed. */
export type IndexState = { kind: 'building'; done: number; total: number } | { kind: 'built'; files: number } | { kind: 'off' };

export interface LintWorkspaceParams {
  /** For progress by `$/progress`. */
  workDoneToken?: string | number;
  /** URIs of workspace folders; all of them when it is missing. */
  folders?: readonly string[];
}

export interface LintWorkspaceResult {
  files: number;
  findings: number;
  errors: number;
  warnings: number;
  hints: number;
  cancelled: boolean;
}

export interface FixAllParams {
  textDocument: { uri: string; version?: number };
  /** `suggestion` makes the safe ones, too. */
  kind: FixKind;
  /** Only this rule's fixes. */
  ruleId?: string;
}

/** As in the Language Server Protocol: lines and UTF-16 code units, both from 0. */
export interface EditorPosition {
  line: number;
  character: number;
}

export interface EditorTextEdit {
  range: { start: EditorPosition; end: EditorPosition };
  newText: string;
}

/** A fix that was not made, and why. */
export interface RejectedFix {
  ruleId: string;
  title: string;
  reason: string;
}

export interface FixAllResult {
  /** Not overlapping; empty when the document has meanwhile another version than the one asked for. */
  edits: readonly EditorTextEdit[];
  /** How many fixes the edits make. */
  made: number;
  rejected: readonly RejectedFix[];
}

/** What is found on a route's path, in whichever file; what its code lens names. */
export interface RoutePlaces {
  uri: string;
  /** Where the route is registered. */
  position: EditorPosition;
  places: readonly { uri: string; range: { start: EditorPosition; end: EditorPosition } }[];
}

/** `isOn`: false where there is no index of the project, so that nothing is known of routes. */
export interface RoutesResult {
  isOn: boolean;
  routes: readonly KnownRoute[];
}

/** A registration under one path. */
export interface KnownRoute {
  /** `GET /users/:id`; undefined where its path is not known. */
  route?: string;
  uri: string;
  /** Where it is registered. */
  position: EditorPosition;
  /** A request that reaches it, such as `GET /users/1`. */
  request?: string;
  /** Undefined where the handler is not known. */
  handler?: ProfileTarget;
  /** Calls that block, and other findings, in whichever file its requests come by. */
  blocking: number;
  others: number;
  /** The nearest of them. */
  places: readonly RouteFinding[];
  /** The worst that the last profiles say about its findings. */
  verdict?: VerdictKind;
  /** Of the newest profile of its handler, in ns; `isP99` of requests, else the median of calls. */
  time?: { ns: number; isP99: boolean; node: string };
}

export interface RouteFinding {
  uri: string;
  range: { start: EditorPosition; end: EditorPosition };
  /** One sentence. */
  what: string;
  verdict?: VerdictKind;
}

/** What a code lens or a light bulb names. */
export interface ProfileTarget {
  uri: string;
  /** Inside of the function. */
  position: EditorPosition;
}

/** A route to be put under load. */
export interface LoadRoute {
  /** The file that registers it. */
  uri: string;
  /** A request that reaches it, such as `GET /users/1`. */
  request: string;
  /** The route itself: `GET /users/:id`. */
  route?: string;
}

/** The request to suggest to the user. */
export interface LoadExample {
  /** As `nodometer load --route` takes it. */
  request: string;
  origin: RequestOrigin;
}

export interface ProfileParams {
  textDocument: { uri: string };
  position: EditorPosition;
  /** Calls as source text, from the user; they go before all that is found. */
  calls?: readonly string[];
  /** For all runs together, in ms. */
  budgetMs: number;
  /** The Node to run it on: a path; the one on the PATH unless said. */
  nodePath?: string;
  /** Under Node's permission model: reads files, writes none, starts nothing. */
  readOnly?: boolean;
  /** Folder in which the CPU profile is kept, absolute; none is kept without it. */
  cpuProfiles?: string;
  /** For progress by `$/progress`. */
  workDoneToken?: string | number;
}

/** A reason of V8 in plain words, as sentences. */
export interface ReasonWords {
  meaning: string;
  remedy: string;
}

/** The report as the terminal writes it for files. */
export interface WithMarkdown {
  markdown: string;
}

export interface Profiled extends WithMarkdown {
  ok: true;
  report: ProfileReport;
  /** The function. */
  range: { start: EditorPosition; end: EditorPosition };
  /** By V8's word, for the reasons in the report that are known. */
  reasons: Readonly<Record<string, ReasonWords>>;
}

export type ProfileResult =
  | Profiled
  /** `why` and `remedy` are sentences; `example` is set where arguments are missing and shows the form of a call. */
  | { ok: false; why: string; remedy: string; example?: string };

/** A file, or an npm script of the package.json at `uri`. */
export interface ProgramName {
  uri: string;
  /** Of a script. */
  script?: string;
}

export interface ProgramParams {
  program: ProgramName;
  /** For each of its runs, in ms. */
  runMs: number;
  /** The Node to run it on: a path; the one on the PATH unless said. */
  nodePath?: string;
  /** Under Node's permission model: reads files, writes none, starts nothing. */
  readOnly?: boolean;
  /** Folder in which the CPU profile is kept, absolute; none is kept without it. */
  cpuProfiles?: string;
  workDoneToken?: string | number;
}

export type RunFailure = { ok: false /** Sentences. */; why: string; remedy: string };

export type ProgramResult =
  | ({ ok: true; report: ProfileReport /** By V8's word. */; reasons: Readonly<Record<string, ReasonWords>> } & WithMarkdown)
  | RunFailure;

export interface LagParams {
  program: ProgramName;
  /** How long it is watched, in ms. */
  measureMs: number;
  nodePath?: string;
  /** Under Node's permission model: reads files, writes none, starts nothing. */
  readOnly?: boolean;
  workDoneToken?: string | number;
}

export type LagResult = ({ ok: true; report: LagReport } & WithMarkdown) | RunFailure;

export interface LoadParams {
  program: ProgramName;
  /** As `nodometer load --route` takes it. */
  request: string;
  /** Of a request that was suggested, and that the user left as it was. */
  origin?: RequestOrigin;
  connections: number;
  /** For each of the two servers, in ms. */
  measureMs: number;
  nodePath?: string;
  workDoneToken?: string | number;
}

export type LoadResult = ({ ok: true; report: LoadReport } & WithMarkdown) | RunFailure;

export interface CompareParams extends ProfileParams {
  /** Absolute paths, in the order in which they are shown. */
  nodePaths: readonly string[];
}

/** A finding whose fix is to be measured. */
export interface FixTarget extends ProfileTarget {
  ruleId?: string;
}

export interface MeasureFixParams extends Pick<ProfileParams, 'textDocument' | 'position' | 'nodePath' | 'readOnly' | 'workDoneToken'> {
  /** Undefined for the finding nearest to the position. */
  ruleId?: string;
}

export type MeasureFixResult =
  | {
      ok: true;
      /** The fix, as the light bulb names it. */
      title: string;
      functionName?: string;
      difference: Difference;
      /** The fix, for this version of the document. */
      edits: readonly { range: { start: EditorPosition; end: EditorPosition }; newText: string }[];
      version: number;
    }
  | (RunFailure & { example?: string });

export interface MeasureChangeParams extends Pick<ProfileParams, 'textDocument' | 'position' | 'nodePath' | 'readOnly' | 'workDoneToken'> {
  /** A branch, tag, or commit. */
  base: string;
}

export type MeasureChangeResult =
  | {
      ok: true;
      functionName?: string;
      /** First the base, by its name and commit, then the code as it is now. */
      difference: Difference;
    }
  | (RunFailure & { example?: string });

export type CompareResult =
  | ({
      ok: true;
      rows: readonly ComparisonRow[] /** Of those that could be run. */;
      reports: readonly ProfileReport[];
      reasons: Readonly<Record<string, ReasonWords>>;
    } & WithMarkdown)
  | (RunFailure & { example?: string });

export interface ScriptsParams {
  /** A file or folder: the nearest package.json counts. */
  uri: string;
}

export interface ScriptsResult {
  /** URI of the package.json; undefined where there is none. */
  manifest?: string;
  scripts: readonly { name: string; text: string }[];
}

export interface FunctionsParams {
  textDocument: { uri: string };
  range: { start: EditorPosition; end: EditorPosition };
}

export interface FunctionsResult {
  /** The innermost ones that can be profiled; empty where the selection touches none. */
  functions: readonly { name: string; position: EditorPosition; line: number }[];
}

export interface ClearEvidenceParams {
  /** Any file of the project whose evidence is to go. */
  textDocument: { uri: string };
}

/** A finding of one version of a document. */
export interface AcceptTarget {
  uri: string;
  version: number;
  ruleId: string;
  /** Place among the document's findings. */
  index: number;
}

export interface AcceptParams extends AcceptTarget {
  /** For the people who read the baseline. */
  reason?: string;
}

/** `data` of a diagnostic. */
export interface DiagnosticData {
  ruleId: string;
  messageId: string;
  /** Place among the document's findings. */
  index: number;
}
