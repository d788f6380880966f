// `nodometer lsp`: the language server for editors that start it by a command.
import { CommandError } from '../../workspace/errors.ts';
import { LSP_HELP } from '../help.ts';
import { EXIT_INTERRUPTED, EXIT_OK, type ExitCode, type Host } from '../host.ts';
import { readOptions } from './lint-arguments.ts';

const TRANSPORTS = ['stdio', 'node-ipc', 'socket', 'pipe'] as const;
const OPTIONS = {
  stdio: { type: 'boolean' },
  'node-ipc': { type: 'boolean' },
  socket: { type: 'string' },
  pipe: { type: 'string' },
  // Editors add it, so that the server can end when they do.
  clientProcessId: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Comes back at once; the process serves on until the client ends the connection. */
export async function lspCommand(argv: readonly string[], host: Host): Promise<ExitCode> {
  const { values, positionals } = readOptions(argv, OPTIONS);
  if (values.has('help')) {
    host.stdout.write(LSP_HELP);
    return EXIT_OK;
  }
  if (positionals[0] !== undefined)
    throw new CommandError(
      `\`nodometer lsp\` does not take a path (got \`${positionals[0]}\`). The editor tells the server which folders are open.`,
    );
  if (!TRANSPORTS.some((name) => values.has(name)))
    throw new CommandError('Specify how the editor connects to the server: `nodometer lsp --stdio`.');
  host.signal.addEventListener('abort', () => process.exit(EXIT_INTERRUPTED));
  await host.startLanguageServer();
  return EXIT_OK;
}
