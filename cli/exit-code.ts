// From whatever a command ends with to an exit code.
import { CommandError, Interrupted } from '../workspace/errors.ts';
import { EXIT_FAILED, EXIT_INTERRUPTED, type ExitCode, type Host } from './host.ts';
import { withSafeMessages } from './safe-output.ts';

export type Command = (argv: readonly string[], host: Host) => Promise<ExitCode>;

export async function exitCodeOf(command: Command, argv: readonly string[], given: Host): Promise<ExitCode> {
  const host = withSafeMessages(given);
  try {
    return await command(argv, host);
  } catch (error) {
    if (error instanceof Interrupted) {
      host.stderr.write('nodometer: interrupted; no report was written. Files that were already fixed stay fixed.\n');
      return EXIT_INTERRUPTED;
    }
    if (error instanceof CommandError) host.stderr.write(`nodometer: ${error.message}\n`);
    else host.stderr.write(internalError(error));
    return EXIT_FAILED;
  }
}

export function internalError(error: unknown): string {
  return `nodometer: internal error. This is a bug in Nodometer; please report it.\n${error instanceof Error ? error.stack : String(error)}\n`;
}
