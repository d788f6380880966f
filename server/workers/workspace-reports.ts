// What `workspace/diagnostic` tells of files that are not open. The request stays unanswered while there is nothing new to tell.
import { createHash } from 'node:crypto';
import {
  DocumentDiagnosticReportKind,
  type CancellationToken,
  type Diagnostic,
  type WorkspaceDiagnosticParams,
  type WorkspaceDiagnosticReport,
  type WorkspaceDocumentDiagnosticReport,
} from 'vscode-languageserver/node';
import { URI } from 'vscode-uri';
import { pathOfUri } from '../documents/documents.ts';
import type { LintPart } from './lint-job.ts';

interface Report {
  parts: Map<LintPart, readonly Diagnostic[]>;
  items: Diagnostic[];
  resultId: string;
}

type Send = (items: WorkspaceDocumentDiagnosticReport[]) => void;

interface Waiting {
  /** What the client has of each URI. */
  known: Map<string, string>;
  send: Send | undefined;
  finish(items: WorkspaceDocumentDiagnosticReport[]): void;
}

/** Changes that come this close together are sent together, in ms. */
const GATHER_MS = 50;

export class WorkspaceReports {
  readonly #reports = new Map<string, Report>();
  /** URIs whose diagnostics the client may still show though there are none. */
  readonly #toClear = new Set<string>();
  readonly #isOpen: (uri: string) => boolean;
  readonly #waiting = new Set<Waiting>();
  #timer: NodeJS.Timeout | undefined;

  /** Open documents answer for themselves. */
  constructor(isOpen: (uri: string) => boolean) {
    this.#isOpen = isOpen;
  }

  get uris(): string[] {
    return [...this.#reports.keys()];
  }

  /** Clients write the URI of a file in different ways. */
  get(uri: string): Diagnostic[] {
    return this.#reports.get(canonical(uri))?.items ?? [];
  }

  put(uri: string, part: LintPart, diagnostics: readonly Diagnostic[]): void {
    const report = this.#reports.get(uri) ?? { parts: new Map(), items: [], resultId: '' };
    if (diagnostics.length > 0) report.parts.set(part, diagnostics);
    else report.parts.delete(part);
    report.items = [...report.parts.values()].flat().sort(byPlace);
    report.resultId = resultIdOf(report.items);
    if (report.items.length > 0) this.#reports.set(uri, report);
    else if (this.#reports.delete(uri)) this.#toClear.add(uri);
    this.#changed();
  }

  drop(given: string): void {
    const uri = canonical(given);
    if (!this.#reports.delete(uri)) return;
    this.#toClear.add(uri);
    this.#changed();
  }

  /** A document was closed: from now on the client is to show what is known of the file. */
  closed(given: string): void {
    const uri = canonical(given);
    if (!this.#reports.has(uri)) this.#toClear.add(uri);
    this.#changed();
  }

  /** Tells all news from now on, for clients that do not ask. */
  follow(send: Send): void {
    this.#waiting.add({ known: new Map(), send, finish: () => undefined });
  }

  /** Answers those who wait, because a run has ended. */
  answerWaiting(): void {
    this.#flush();
    for (const waiting of [...this.#waiting]) waiting.finish([]);
  }

  pull(params: WorkspaceDiagnosticParams, token: CancellationToken, send: Send | undefined): Promise<WorkspaceDiagnosticReport> {
    const known = new Map(params.previousResultIds.map(({ uri, value }) => [uri, value]));
    const first = this.#newsFor(known);
    if (first.length > 0) {
      if (!send) return Promise.resolve({ items: first });
      send(first);
    }
    return new Promise((resolve) => {
      const waiting: Waiting = {
        known,
        send,
        finish: (items) => {
          cancellation.dispose();
          this.#waiting.delete(waiting);
          resolve({ items });
        },
      };
      const cancellation = token.onCancellationRequested(() => waiting.finish([]));
      this.#waiting.add(waiting);
    });
  }

  #changed(): void {
    this.#timer ??= setTimeout(() => this.#flush(), GATHER_MS);
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const waiting of [...this.#waiting]) {
      const news = this.#newsFor(waiting.known);
      if (news.length === 0) continue;
      if (waiting.send) waiting.send(news);
      else waiting.finish(news);
    }
  }

  /** What differs from what the client knows, which is then what it knows. */
  #newsFor(known: Map<string, string>): WorkspaceDocumentDiagnosticReport[] {
    const news: WorkspaceDocumentDiagnosticReport[] = [];
    const tell = (uri: string, items: Diagnostic[], resultId: string) => {
      known.set(uri, resultId);
      news.push({ kind: DocumentDiagnosticReportKind.Full, uri, version: null, items, resultId });
    };
    for (const [uri, { items, resultId }] of this.#reports) {
      if (!this.#isOpen(uri) && known.get(uri) !== resultId) tell(uri, items, resultId);
    }
    for (const uri of new Set([...known.keys(), ...this.#toClear])) {
      if (this.#reports.has(uri) || this.#isOpen(uri)) continue;
      if (this.#toClear.has(uri) || known.get(uri) !== NOTHING) tell(uri, [], NOTHING);
    }
    this.#toClear.clear();
    return news;
  }
}

const NOTHING = resultIdOf([]);

function canonical(uri: string): string {
  return uri.startsWith('file:') ? URI.file(pathOfUri(uri)).toString() : uri;
}

/** The same for the same diagnostics, so that what has not changed is not sent again. */
export function resultIdOf(items: readonly Diagnostic[]): string {
  return createHash('sha1').update(JSON.stringify(items)).digest('base64url');
}

function byPlace(a: Diagnostic, b: Diagnostic): number {
  return (
    a.range.start.line - b.range.start.line ||
    a.range.start.character - b.range.start.character ||
    (String(a.code) < String(b.code) ? -1 : 1)
  );
}
