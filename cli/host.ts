// What a command needs of the world around it. The entry gives the real one, tests give their own.
import type { AnyRule } from '../analysis/rule.ts';
import type { FixCheck } from '../workspace/fix.ts';
import type { AnalysisPlace } from '../workspace/project-index/analysis-place.ts';

export interface OutputStream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
  /** The stream below, for a line that is written over and over. */
  readonly raw?: OutputStream;
}

export interface Host {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readStdin(): Promise<string>;
  /** Aborted when the user asks to stop (SIGINT). */
  readonly signal: AbortSignal;
  /** Milliseconds from any fixed moment. */
  now(): number;
  /** Version of the Node that runs the command, without the `v`. */
  readonly nodeVersion: string;
  /** Where many files can be analyzed, and what is kept of it; undefined where the command is not a built one. */
  readonly analysis?: AnalysisPlace;
  /** In ms since 1970. */
  date(): number;
  /** Absolute path of that Node. */
  readonly nodePath: string;
  /** Asks a question that yes or no answers. False where nobody can be asked. */
  confirm(question: string): Promise<boolean>;
  /** Nodometer's own version. */
  readonly version: string;
  /** Loaded when a command needs them: `--version` does not. */
  loadRules(): Promise<readonly AnyRule[]>;
  /** Loaded when fixes are going to be made: it brings Babel's traversal. */
  loadFixCheck(): Promise<FixCheck>;
  /** Serves the editor that started this process; the arguments say by which streams. */
  startLanguageServer(): Promise<void>;
  /** A rule's README as Markdown. */
  findRuleDoc(ruleId: string): string | undefined;
}

export const EXIT_OK = 0;
/** Errors were found, or more warnings than `--max-warnings` allows. */
export const EXIT_FINDINGS = 1;
/** The command could not do its work: wrong arguments, broken configuration, a missing path, a rule that crashed. */
export const EXIT_FAILED = 2;
/** `nodometer profile`: it ran, and neither cleared nor confirmed what was suspected. */
export const EXIT_INCONCLUSIVE = 3;
/** 128 + SIGINT, as shells report it. */
export const EXIT_INTERRUPTED = 130;

export type ExitCode = typeof EXIT_OK | typeof EXIT_FINDINGS | typeof EXIT_FAILED | typeof EXIT_INCONCLUSIVE | typeof EXIT_INTERRUPTED;
