// The process of a command: its signals, and the end of its streams.
import { runCommand } from './command.ts';
import type { Host } from './host.ts';
import { packageVersion } from './installed-analysis.ts';
import { processHost } from './process-host.ts';

export async function runProcess(): Promise<void> {
  const interruption = new AbortController();
  process.once('SIGINT', () => {
    interruption.abort();
    // A second Ctrl-C ends the process at once: `once` has given Node's own handler back.
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
