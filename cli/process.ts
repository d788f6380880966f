// The process of a command: its signals, and the end of its streams.
import { runCommand } from './command.ts';
import { internalError } from './exit-code.ts';
import { EXIT_FAILED, type Host } from './host.ts';
import { packageVersion } from './installed-analysis.ts';
import { processHost } from './process-host.ts';
import { safeText } from './safe-output.ts';

export async function runProcess(): Promise<void> {
  const interruption = new AbortController();
  process.once('SIGINT', () => {
    interruption.abort();
    // A second Ctrl-C ends the process at once: `once` has given Node's own handler back.
  });
  // Node would end the process with 1, which says that something was found. The server has a policy of its own.
  if (process.argv[2] !== 'lsp')
    process.on('uncaughtException', (error) => {
      process.stderr.write(safeText(internalError(error), false));
      process.exit(EXIT_FAILED);
    });
  for (const stream of [process.stdout, process.stderr]) {
    // `nodometer lint | head`: the reader has seen enough.
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
  const host: Host = {
    ...processHost(interruption.signal),
    startLanguageServer: async () => (await import('../server/main.ts')).startServer(packageVersion()),
  };
  // Not process.exit: a long report to a pipe would be cut off.
  process.exitCode = await runCommand(process.argv.slice(2), host);
}
