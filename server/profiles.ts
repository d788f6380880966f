// Profiles of functions in open documents: prepared here, run in child processes, kept beside the code. Only in workspaces that the user trusts.
import type { CancellationToken } from 'vscode-languageserver/node';
import { findDeoptReason, isBenignDeopt } from '../knowledge/deopt-reasons.ts';
import type { ClearEvidenceParams, ProfileParams, ProfileResult, ReasonWords } from '../protocol/editor.ts';
import type { DeoptGroup } from '../protocol/evidence.ts';
import { probeNode } from '../profiler/node-binary.ts';
import { profileFunction } from '../profiler/profile.ts';
import { EvidenceStores } from '../workspace/evidence-store.ts';
import { isUserFile, prepareTarget } from '../workspace/profile-target.ts';
import { toRange } from './convert.ts';
import type { ServerDeps } from './deps.ts';
import type { DocumentLinter } from './document-linter.ts';
import type { OpenDocument, OpenDocuments } from './documents.ts';
import type { ProjectView } from './project-view.ts';
import type { Progress } from './workspace-lint.ts';

export interface ProfilesRequest {
  deps: ServerDeps;
  documents: OpenDocuments;
  linter: DocumentLinter;
  view: ProjectView;
  /** Whether the user trusts the workspace. */
  trusted: boolean;
  log(message: string): void;
  /** Evidence was added or taken away: diagnostics are to be asked for again. */
  changed(): void;
}

const NOT_TRUSTED: ProfileResult = { ok: false, why: 'Profiling runs the code, and this workspace is not trusted.', remedy: 'Trust the workspace first (Workspaces: Manage Workspace Trust).' };

export class Profiles {
  readonly #request: ProfilesRequest;

  constructor(request: ProfilesRequest) {
    this.#request = request;
  }

  async profile(params: ProfileParams, token: CancellationToken, progress: Progress | undefined): Promise<ProfileResult> {
    const { documents, trusted } = this.#request;
    if (!trusted) return NOT_TRUSTED;
    const document = documents.get(params.textDocument.uri);
    if (!document?.onDisk || !document.isScript) return { ok: false, why: 'Only JavaScript and TypeScript files on disk can be run.', remedy: 'Save the file first.' };
    const prepared = await this.#prepare(document, params);
    if (!prepared.ok) return { ok: false, why: prepared.why, remedy: prepared.remedy, ...(prepared.example === undefined ? {} : { example: prepared.example }) };
    const { target, text, calls, program, format, hypotheses, span } = prepared.prepared;
    const stop = new AbortController();
    const cancellation = token.onCancellationRequested(() => stop.abort());
    progress?.begin(`Profiling ${target.functionName ?? 'the function'}`, 0, 'looking at Node', true);
    try {
      const node = await probeNode(params.nodePath ?? 'node', stop.signal);
      if (!node.ok) return { ok: false, why: node.reason, remedy: 'Choose another Node: Nodometer: Select Node.' };
      const outcome = await profileFunction({
        node: node.node, target, text, calls, program, format, hypotheses, budgetMs: params.budgetMs, readOnly: params.readOnly, signal: stop.signal,
        date: new Date().toISOString(), isUserFile, isBenign: isBenignDeopt,
        progress: (done, total, kind) => progress?.report(Math.floor((done / total) * PERCENT), `${kind} (${done + 1} of ${total})`),
      });
      if (!outcome.ok) return { ok: false, why: outcome.reason, remedy: outcome.aborted ? '' : program ? `It was started as \`node ${program.entry}\`.` : 'Call it in another way with a `@profile` comment above it.' };
      this.#storesFor().storeOf(document.path).keep(outcome.report, prepared.prepared, params.budgetMs);
      this.#request.changed();
      return { ok: true, report: outcome.report, range: toRange(document.text, span), reasons: reasonsOf(outcome.report.deopts) };
    } finally {
      cancellation.dispose();
      progress?.done();
    }
  }

  clear({ textDocument }: ClearEvidenceParams): boolean {
    const document = this.#request.documents.get(textDocument.uri);
    if (!document?.onDisk) return false;
    const cleared = this.#storesFor().storeOf(document.path).clear();
    if (cleared) this.#request.changed();
    return cleared;
  }

  async #prepare(document: OpenDocument, { position, calls }: ProfileParams) {
    const { linter, deps } = this.#request;
    const result = await linter.lintNow(document, { isCancellationRequested: false, onCancellationRequested: () => ({ dispose: () => undefined }) });
    if (!result.context) return { ok: false as const, why: result.reason ?? 'The file is not looked at.', remedy: 'See the status of the file.' };
    const { settings, project } = result.context;
    return prepareTarget({ file: document.path, text: document.text.getText(), at: { offset: document.text.offsetAt(position) }, typed: calls ?? [], rules: deps.rules, settings, project });
  }

  #storesFor(): EvidenceStores {
    return new EvidenceStores((folder) => this.#request.view.projects.findRoot(folder), (message) => this.#request.log(message));
  }
}

const PERCENT = 100;

function reasonsOf(deopts: readonly DeoptGroup[]): Record<string, ReasonWords> {
  return Object.fromEntries(deopts.flatMap(({ reason }) => {
    const known = findDeoptReason(reason);
    return known ? [[reason, { meaning: known.meaning, remedy: known.remedy }]] : [];
  }));
}
