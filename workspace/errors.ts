// What ends a run early: something that the user has to put right, or the user's own wish.

/** Something that the user has to put right before the run can go on. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError';
}

/** A mistake in a configuration file, with its place. */
export interface ConfigProblem {
  /** Absolute path. */
  file: string;
  /** From 1. */
  line: number;
  /** From 1, in UTF-16 code units. */
  column: number;
  message: string;
}

/** A configuration that cannot be used. */
export class ConfigError extends CommandError {
  override readonly name = 'ConfigError';
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[]) {
    super(
      `Invalid configuration:\n${problems.map(({ file, line, column, message }) => `  ${file}:${line}:${column}: ${message}`).join('\n')}`,
    );
    this.problems = problems;
  }
}

/** The user asked to stop. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}
