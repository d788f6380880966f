// What VS Code's tools for language models ask: the tools of `nodometer mcp` for one folder, over the channel of a child process. The
// server package of the protocol would be a tenth of the extension.
import { realpathSync } from 'node:fs';
import { ALLOW_RUN, type ToolMessage, type ToolReply } from '../protocol/agent-tools.ts';
import { EXIT_FAILED } from './host.ts';
import { ToolCalls } from './mcp/tools.ts';
import { processHost } from './process-host.ts';

const [folder = '.', ...flags] = process.argv.slice(2);
const closed = new AbortController();
const running = new Map<number, AbortController>();
const calls = new ToolCalls({
  folder: realpathSync(folder),
  mayRun: flags.includes(ALLOW_RUN),
  mayWrite: false,
  host: {
    ...processHost(closed.signal),
    startLanguageServer: () => Promise.reject(new Error('The editor has its own.')),
  },
});

async function answer({ id, tool, arguments: given }: Exclude<ToolMessage, { cancel: number }>): Promise<void> {
  const stop = new AbortController();
  running.set(id, stop);
  const { text, isError } = await calls.call(tool, given, AbortSignal.any([stop.signal, closed.signal]));
  running.delete(id);
  // The editor may be gone by now.
  if (process.connected) process.send?.({ id, text, isError } satisfies ToolReply);
}

process.on('message', (message: ToolMessage) => {
  if ('cancel' in message) running.get(message.cancel)?.abort();
  else void answer(message);
});
// Runs end with the window that asked for them.
process.once('disconnect', () => closed.abort());
if (!process.connected) process.exitCode = EXIT_FAILED;
