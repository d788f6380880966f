// `nodometer mcp`: a server for coding agents on standard input and output.
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { CommandError } from '../../workspace/errors.ts';
import { statsOf } from '../../files/path-stats.ts';
import { MCP_HELP } from '../help.ts';
import { EXIT_INTERRUPTED, EXIT_OK, type ExitCode, type Host } from '../host.ts';
import { readOptions } from './lint-arguments.ts';

const OPTIONS = {
  'allow-run': { type: 'boolean' },
  'allow-writes': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Comes back at once; the process serves on until the client ends the connection. */
export async function mcpCommand(argv: readonly string[], host: Host): Promise<ExitCode> {
  const { values, positionals } = readOptions(argv, OPTIONS);
  if (values.has('help')) {
    host.stdout.write(MCP_HELP);
    return EXIT_OK;
  }
  if (positionals.length > 1) throw new CommandError('`nodometer mcp` serves one folder. Start a server for each.');
  const mayRun = values.has('allow-run');
  const mayWrite = values.has('allow-writes');
  if (mayWrite && !mayRun) throw new CommandError('`--allow-writes` requires `--allow-run`.');
  const given = resolve(host.cwd, positionals[0] ?? '.');
  if (!statsOf(given)?.isDirectory()) throw new CommandError(`\`${positionals[0]}\` is not a folder.`);
  host.signal.addEventListener('abort', () => process.exit(EXIT_INTERRUPTED));
  const { serve } = await import('../mcp/server.ts');
  await serve({ folder: realpathSync(given), mayRun, mayWrite, host });
  return EXIT_OK;
}
