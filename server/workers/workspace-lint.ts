// Runs over the whole workspace: starts the jobs, adds up what they say, tells progress, stops them.
import type { CancellationToken } from 'vscode-languageserver';
import { DiagnosticSeverity, type Diagnostic } from 'vscode-languageserver/node';
import { URI } from 'vscode-uri';
import type { LintWorkspaceResult } from '../../protocol/editor.ts';
import type { RunningJob, ServerDeps } from '../deps.ts';
import type { LintJob, LintJobMessage, LintPart } from './lint-job.ts';
import type { WorkspaceReports } from './workspace-reports.ts';

export interface Progress {
  begin(title: string, percentage: number, message: string, cancellable: boolean): void;
  report(percentage: number, message: string): void;
  done(): void;
}

export interface WorkspaceLintRequest {
  deps: ServerDeps;
  reports: WorkspaceReports;
  crashed(crash: { ruleId: string; file: string; error: Error }): void;
  log(message: string): void;
}

export interface LintFoldersRequest {
  job: LintJob;
  token: CancellationToken;
  progress: Progress | undefined;
  /** Whether what is known of a file stands though the run has not met it. */
  keeps(uri: string): boolean;
}

interface Tally {
  files: number;
  findings: number;
  errors: number;
  warnings: number;
  hints: number;
}

interface Run {
  folders: ReadonlySet<string>;
  result: Promise<LintWorkspaceResult>;
}

export class WorkspaceLint {
  readonly #request: WorkspaceLintRequest;
  #stopCurrent: (() => Promise<void>) | undefined;
  #newest: Run | undefined;
  #isDisposed = false;

  constructor(request: WorkspaceLintRequest) {
    this.#request = request;
  }

  get isRunning(): boolean {
    return this.#stopCurrent !== undefined;
  }

  /** A run that is still going on is stopped: the newer one reads the same files later, and its result is that of both. */
  async run(request: LintFoldersRequest): Promise<LintWorkspaceResult> {
    const {
      job: { folders },
      token,
    } = request;
    const own: Run = { folders: new Set(folders.map(({ path }) => path)), result: this.#run(request) };
    this.#newest = own;
    let awaited = own;
    let result = await own.result;
    while (
      result.cancelled &&
      !token.isCancellationRequested &&
      this.#newest !== awaited &&
      folders.every(({ path }) => this.#newest?.folders.has(path))
    ) {
      const stopped = result;
      awaited = this.#newest;
      result = await Promise.race([
        awaited.result,
        new Promise<LintWorkspaceResult>((resolve) => token.onCancellationRequested(() => resolve(stopped))),
      ]);
    }
    return result;
  }

  async #run(request: LintFoldersRequest): Promise<LintWorkspaceResult> {
    // Of several that wait here each stops the one before.
    while (this.#stopCurrent) await this.stop();
    const { deps, reports, log } = this.#request;
    const { job, token, progress } = request;
    const started = deps.now();
    const tally: Tally = { files: 0, findings: 0, errors: 0, warnings: 0, hints: 0 };
    if (this.#isDisposed || token.isCancellationRequested) {
      progress?.done();
      return { ...tally, cancelled: true };
    }
    const seen = new Map<LintPart, Set<string>>([
      ['module', new Set()],
      ['deployment', new Set()],
    ]);
    progress?.begin('Nodometer', 0, 'finding files', true);
    const take = (path: string, part: LintPart, diagnostics: readonly Diagnostic[]) => {
      const uri = URI.file(path).toString();
      seen.get(part)?.add(uri);
      for (const { severity } of diagnostics) tally[COUNTED_AS[severity ?? DiagnosticSeverity.Error]]++;
      tally.findings += diagnostics.length;
      reports.put(uri, part, diagnostics);
    };
    let running: RunningJob | undefined;
    let stopped = false;
    const stop = async () => {
      stopped = true;
      await running?.stop();
    };
    const finished = new Promise<void>((resolve, reject) => {
      const listen = (message: LintJobMessage) => {
        if (stopped) return;
        if (message.kind === 'files') for (const { path, part, diagnostics } of message.files) take(path, part, diagnostics);
        else if (message.kind === 'progress') {
          const { done, total } = message;
          progress?.report(total === 0 ? 0 : Math.floor((done / total) * PERCENT), `${done} of ${total} files`);
        } else if (message.kind === 'crash')
          this.#request.crashed({
            ruleId: message.ruleId,
            file: message.file,
            error: Object.assign(new Error(message.message), { stack: message.stack }),
          });
        else if (message.kind === 'log') log(message.message);
        else {
          tally.files += message.files;
          resolve();
        }
      };
      running = deps.startLintJob(job, listen, reject);
    });
    const cancelled = new Promise<'cancelled'>((resolve) => {
      token.onCancellationRequested(() => resolve('cancelled'));
      this.#stopCurrent = async () => {
        resolve('cancelled');
        await stop();
      };
    });
    const own = this.#stopCurrent;
    try {
      const outcome = await Promise.race([finished, cancelled]);
      await stop();
      if (outcome === 'cancelled') return { ...tally, cancelled: true };
      // What was found earlier and not again is gone.
      for (const uri of reports.uris)
        for (const [part, uris] of seen) if (!uris.has(uri) && !request.keeps(uri)) reports.put(uri, part, []);
      log(`Linted ${tally.files} files in ${Math.round(deps.now() - started)} ms: ${tally.findings} findings.`);
      return { ...tally, cancelled: false };
    } catch (error) {
      await stop();
      throw error;
    } finally {
      // When it was not waited for it may still fail.
      finished.catch((error: unknown) => log(`A lint job ended with ${String(error)}.`));
      if (this.#stopCurrent === own) this.#stopCurrent = undefined;
      progress?.done();
      reports.answerWaiting();
    }
  }

  async stop(): Promise<void> {
    await this.#stopCurrent?.();
  }

  /** Stops for good. */
  async dispose(): Promise<void> {
    this.#isDisposed = true;
    await this.stop();
  }
}

const PERCENT = 100;

const COUNTED_AS: Readonly<Record<DiagnosticSeverity, 'errors' | 'warnings' | 'hints'>> = {
  [DiagnosticSeverity.Error]: 'errors',
  [DiagnosticSeverity.Warning]: 'warnings',
  [DiagnosticSeverity.Information]: 'hints',
  [DiagnosticSeverity.Hint]: 'hints',
};
