// What the language server needs of the world around it. The entry gives the real one, tests give their own.
import type { MessageReader, MessageWriter } from 'vscode-languageserver/node';
import type { startWork } from '../workspace/thread-work.ts';
import type { AnyRule } from '../analysis/rule.ts';
import type { FixCheck } from '../workspace/fix.ts';
import type { LintJob, LintJobMessage } from './workers/lint-job.ts';
import type { IndexMessage, IndexRequest } from './shared/index-messages.ts';
import type { AnalysisPlace } from '../workspace/project-index/analysis-place.ts';
import type { LoopDelayMeter } from './shared/loop-delay.ts';

export interface RunningJob {
  /** Settles when the job has stopped and holds nothing any more; what it had not said by then is lost. */
  stop(): Promise<void>;
}

export interface RunningIndex {
  post(request: IndexRequest): void;
  /** Settles when it holds nothing any more. */
  stop(): Promise<void>;
}

/** A session of the server in another thread. */
export interface RunningSession {
  reader: MessageReader;
  writer: MessageWriter;
  /** Settles when it holds nothing any more. */
  stop(): Promise<void>;
}

export interface ServerDeps {
  readonly rules: readonly AnyRule[];
  /** Nodometer's own version. */
  readonly version: string;
  /** Version of the Node that runs the server, without the `v`. */
  readonly nodeVersion: string;
  readonly platform: string;
  /** Where many files are analyzed, and what is kept of it; undefined from the sources. */
  readonly analysis?: AnalysisPlace;
  /** Milliseconds from any fixed moment. */
  now(): number;
  /** Loaded when fixes are first asked for: it brings Babel's traversal. */
  loadFixCheck(): Promise<FixCheck>;
  /** Absolute path of a rule's page. */
  findRulePage(ruleId: string): string | undefined;
  /** Starts a job away from this thread. `listen` gets its messages; `died` is called when it ends without having said `done`. */
  startLintJob(job: LintJob, listen: (message: LintJobMessage) => void, died: (error: Error) => void): RunningJob;
  /**
   * Starts the index of the project away from this thread; without it each file is taken for itself. `died` is called when it ends by
   * itself.
   */
  startIndex?(listen: (message: IndexMessage) => void, died: (error: Error) => void): RunningIndex;
  /** Starts a session for documents that take long; without it, they hold up this one. `died` is called when it ends by itself. */
  startSlowSession?(died: (error: Error) => void): RunningSession;
  /** Measures work of this thread; the default is the one of `workspace/`. */
  startWork?: typeof startWork;
  /** Whether this is that session: it has no index and watches nothing. */
  isSlowSession?: boolean;
  measureLoopDelay(): LoopDelayMeter;
}
