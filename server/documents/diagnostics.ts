// Answers `textDocument/diagnostic`, or pushes diagnostics to clients that do not ask, and tells what became of each document.
import {
  DocumentDiagnosticReportKind,
  type CancellationToken,
  type Connection,
  type Diagnostic,
  type DocumentDiagnosticReport,
  type WorkspaceDocumentDiagnosticReport,
} from 'vscode-languageserver/node';
import { CancellationTokenSource } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { URI } from 'vscode-uri';
import { textOfFile } from '../../files/read-text-file.ts';
import { STATUS_NOTIFICATION, type StatusParams } from '../../protocol/editor.ts';
import { Source } from '../../analysis/module/source.ts';
import { TookTooLong } from '../../workspace/time-limit.ts';
import { DEFAULT_MAX_FILE_SIZE } from '../../workspace/discovery/read-source.ts';
import type { ClientAbilities } from '../client-abilities.ts';
import { findSeen, type FoundSeen } from '../../workspace/profile/kept-seen.ts';
import { configDiagnostics, isConfigDocument } from './config-document.ts';
import type { Baselines, KnownFindings } from '../shared/baselines.ts';
import { toDiagnostics, type ConvertContext } from '../shared/convert.ts';
import { seenDiagnostics } from './seen-by-run.ts';
import type { ServerDeps } from '../deps.ts';
import { Cancelled, type DocumentLinter, type DocumentResult } from './document-linter.ts';
import type { OpenDocument, OpenDocuments } from './documents.ts';
import { resultIdOf, type WorkspaceReports } from '../workers/workspace-reports.ts';

export interface DiagnosticsRequest {
  connection: Connection;
  deps: ServerDeps;
  documents: OpenDocuments;
  linter: DocumentLinter;
  reports: WorkspaceReports;
  abilities: ClientAbilities;
  /** As they are now. */
  baselines(): Baselines;
  /** Whether the client wants `nodometer/status`. */
  status: boolean;
  failed(what: string, error: unknown): void;
  /** Whether another session pushes the diagnostics of a document from now on. */
  slow(uri: string): boolean;
}

/** How long a push waits for more edits, in ms: half of the time between two keystrokes at 200 words a minute (60 ms). */
const PUSH_DELAY_MS = 30;

export class Diagnostics {
  readonly #request: DiagnosticsRequest;
  readonly #pushes = new Map<string, { timer: NodeJS.Timeout; cancellation: CancellationTokenSource }>();
  readonly #published = new Map<string, string>();
  readonly #pages = new Map<string, string | undefined>();
  readonly #converted = new WeakMap<DocumentResult, Diagnostic[]>();
  readonly #known = new WeakMap<DocumentResult, { known: KnownFindings | undefined }>();
  /** Of the last text that could be parsed: what is moved along has no syntax to be recognized by. */
  readonly #lastKnown = new WeakMap<OpenDocument, { known: KnownFindings | undefined; count: number }>();

  constructor(request: DiagnosticsRequest) {
    this.#request = request;
  }

  async pull(uri: string, previousResultId: string | undefined, token: CancellationToken): Promise<DocumentDiagnosticReport> {
    const { documents, reports } = this.#request;
    const document = documents.get(uri);
    // VS Code asks once more when a document is closed; then it is a file like others.
    const items = document ? (await this.#diagnose(document, token)).items : reports.get(uri);
    const resultId = resultIdOf(items);
    if (resultId === previousResultId) return { kind: DocumentDiagnosticReportKind.Unchanged, resultId };
    return { kind: DocumentDiagnosticReportKind.Full, resultId, items };
  }

  /** To be called when a document was opened, changed or saved, or when what it is judged by has changed. */
  push(document: OpenDocument): void {
    const { uri } = document;
    this.#cancelPush(uri);
    const cancellation = new CancellationTokenSource();
    const timer = setTimeout(() => void this.#pushNow(document, cancellation.token), PUSH_DELAY_MS);
    this.#pushes.set(uri, { timer, cancellation });
  }

  /** What was pushed of the file before is no longer shown beside what the client asks for. */
  opened(uri: string): void {
    const { abilities, reports } = this.#request;
    if (abilities.pull && !abilities.pullsWorkspace && reports.get(uri).length > 0) this.#publish(uri, undefined, []);
  }

  closed(uri: string): void {
    this.#cancelPush(uri);
    this.#published.delete(uri);
    const { abilities, reports } = this.#request;
    if (abilities.pullsWorkspace) reports.closed(uri);
    else this.#publish(uri, undefined, reports.get(uri));
  }

  /** What is known of files that are not open, for clients that do not ask. */
  publishReports(reports: readonly WorkspaceDocumentDiagnosticReport[]): void {
    for (const report of reports) if (report.kind === DocumentDiagnosticReportKind.Full) this.#publish(report.uri, undefined, report.items);
  }

  dispose(): void {
    for (const uri of [...this.#pushes.keys()]) this.#cancelPush(uri);
  }

  async #pushNow(document: OpenDocument, token: CancellationToken): Promise<void> {
    try {
      const { items, version } = await this.#diagnose(document, token);
      if (token.isCancellationRequested || this.#request.documents.get(document.uri) !== document) return;
      this.#publish(document.uri, version, items);
    } catch (error) {
      // A newer push takes its place.
      if (error instanceof Cancelled || (error instanceof TookTooLong && this.#request.slow(document.uri))) return;
      this.#request.failed(`Linting ${document.uri}`, error);
    }
  }

  #publish(uri: string, version: number | undefined, diagnostics: Diagnostic[]): void {
    this.#request.connection
      .sendDiagnostics({ uri, version, diagnostics })
      .catch((error: unknown) => this.#request.failed('Sending diagnostics', error));
  }

  #cancelPush(uri: string): void {
    const push = this.#pushes.get(uri);
    if (!push) return;
    clearTimeout(push.timer);
    push.cancellation.cancel();
    this.#pushes.delete(uri);
  }

  /** `version`: the one that the diagnostics are about. */
  async #diagnose(document: OpenDocument, token: CancellationToken): Promise<{ items: Diagnostic[]; version: number }> {
    const { linter, deps } = this.#request;
    if (isConfigDocument(document)) {
      this.#tell({ uri: document.uri, state: 'linted', reason: 'This is the configuration file.', version: document.text.version });
      return { items: configDiagnostics(document, deps.rules), version: document.text.version };
    }
    const result = await linter.lint(document, token);
    const { state, reason, project, findings, version } = result;
    this.#tell({
      uri: document.uri,
      state,
      reason,
      nodeRange: project?.nodeRange,
      nodeRangeSource: project?.nodeRangeSource,
      findings: findings.length,
      version,
    });
    return { items: this.diagnosticsOf(document, result), version };
  }

  /** Of a result, in the order of its findings; behind them what runs saw. */
  diagnosticsOf(document: OpenDocument, result: DocumentResult): Diagnostic[] {
    let diagnostics = this.#converted.get(result);
    if (!diagnostics) {
      const context = this.contextOf(document, result);
      diagnostics = [...toDiagnostics(result.findings, context), ...seenDiagnostics(this.#seenIn(document, result), context)];
      this.#converted.set(result, diagnostics);
    }
    return diagnostics;
  }

  /** Of text that cannot be parsed nobody knows whether it is the same. */
  #seenIn({ onDisk, path, dialectPath }: OpenDocument, { state, text }: DocumentResult): FoundSeen[] {
    const profiles = onDisk && state === 'linted' ? this.#request.linter.evidenceAt(path)?.profiles : undefined;
    return profiles ? findSeen(profiles, dialectPath, text) : [];
  }

  #knownIn(document: OpenDocument, result: DocumentResult): KnownFindings | undefined {
    const { findings, stale, text, editor } = result;
    if (!document.onDisk || findings.length === 0) return undefined;
    const last = this.#lastKnown.get(document);
    if (stale) return last?.count === findings.length ? last.known : undefined;
    let found = this.#known.get(result);
    if (!found) {
      found = { known: this.#request.baselines().knownIn(document.path, text, findings, editor.baseline) };
      this.#known.set(result, found);
    }
    this.#lastKnown.set(document, { known: found.known, count: findings.length });
    return found.known;
  }

  contextOf(document: OpenDocument, result: DocumentResult): ConvertContext {
    const { uri, languageId, text } = document;
    const { abilities, documents } = this.#request;
    const known = this.#knownIn(document, result);
    return {
      ...(known && { known }),
      // The client's edits change the document in place; a result is about the text of its own version.
      document: text.version === result.version ? text : TextDocument.create(uri, languageId, result.version, result.text),
      abilities: abilities.diagnostics,
      toUri: (path) => documents.atPath(path)?.uri ?? URI.file(path).toString(),
      pageOf: (ruleId) => this.#pageOf(ruleId),
      locate: (path) => locate(path, documents),
    };
  }

  /** Looked for on disk once: each finding asks at each keystroke. */
  #pageOf(ruleId: string): string | undefined {
    if (!this.#pages.has(ruleId)) this.#pages.set(ruleId, pageUriOf(this.#request.deps, ruleId));
    return this.#pages.get(ruleId);
  }

  /** Each document's state, when it is another than before. The version alone is no news. */
  #tell(params: StatusParams): void {
    const { connection, status, failed } = this.#request;
    if (!status) return;
    const text = JSON.stringify({ ...params, version: undefined });
    if (this.#published.get(params.uri) === text) return;
    this.#published.set(params.uri, text);
    connection.sendNotification(STATUS_NOTIFICATION, params).catch((error: unknown) => failed('Sending the status', error));
  }
}

export function pageUriOf(deps: ServerDeps, ruleId: string): string | undefined {
  const page = deps.findRulePage(ruleId);
  return page === undefined ? undefined : URI.file(page).toString();
}

/** Another file's text: as it stands in the editor, or on disk. */
export function locate(path: string, documents: OpenDocuments): Source | undefined {
  const open = documents.atPath(path);
  if (open) return new Source(path, open.text.getText());
  const text = textOfFile(path, DEFAULT_MAX_FILE_SIZE);
  // Without its text the related place is the file itself.
  return text === undefined ? undefined : new Source(path, text);
}
