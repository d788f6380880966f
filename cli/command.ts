// From the command line's words to a command, and from whatever it ends with to an exit code.
import { didYouMean } from '../workspace/config/closest-name.ts';
import { MAIN_HELP } from './help.ts';
import { CommandError, Interrupted } from '../workspace/errors.ts';
import { EXIT_FAILED, EXIT_INTERRUPTED, EXIT_OK, type ExitCode, type Host } from './host.ts';

import { withSafeMessages } from './safe-output.ts';

type Command = (argv: readonly string[], host: Host) => Promise<ExitCode>;

// Each is loaded when it is called for, so that `--version` reads next to nothing.
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  compare: async () => (await import('./commands/compare.ts')).compareCommand,
  lint: async () => (await import('./commands/lint.ts')).lintCommand,
  explain: async () => (await import('./commands/rule-commands.ts')).explainCommand,
  fix: async () => (await import('./commands/fix.ts')).fixCommand,
  graph: async () => (await import('./commands/graph.ts')).graphCommand,
  import: async () => (await import('./commands/import.ts')).importCommand,
  lag: async () => (await import('./commands/lag.ts')).lagCommand,
  load: async () => (await import('./commands/load.ts')).loadCommand,
  paths: async () => (await import('./commands/paths.ts')).pathsCommand,
  profile: async () => (await import('./commands/profile.ts')).profileCommand,
  lsp: async () => (await import('./commands/lsp.ts')).lspCommand,
  mcp: async () => (await import('./commands/mcp.ts')).mcpCommand,
  rules: async () => (await import('./commands/rule-commands.ts')).rulesCommand,
};

export async function runCommand(argv: readonly string[], given: Host): Promise<ExitCode> {
  const host = withSafeMessages(given);
  try {
    return await dispatch(argv, host);
  } catch (error) {
    if (error instanceof Interrupted) {
      host.stderr.write('nodometer: interrupted; no report was written. Files that were already fixed stay fixed.\n');
      return EXIT_INTERRUPTED;
    }
    if (error instanceof CommandError) host.stderr.write(`nodometer: ${error.message}\n`);
    else
      host.stderr.write(
        `nodometer: internal error. This is a bug in Nodometer; please report it.\n${error instanceof Error ? error.stack : String(error)}\n`,
      );
    return EXIT_FAILED;
  }
}

async function dispatch(argv: readonly string[], host: Host): Promise<ExitCode> {
  const [name, ...rest] = argv;
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    const about = rest[0];
    if (name === 'help' && about !== undefined && Object.hasOwn(COMMANDS, about)) return dispatch([about, '--help'], host);
    host.stdout.write(MAIN_HELP);
    return EXIT_OK;
  }
  if (name === '--version' || name === '-v' || name === 'version') {
    host.stdout.write(`${host.version}\n`);
    return EXIT_OK;
  }
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!load) throw new CommandError(unknownCommand(name));
  const command = await load();
  return command(rest, host);
}

function unknownCommand(name: string): string {
  if (name.startsWith('-')) return `Unknown option \`${name}\` before a command. Run \`nodometer --help\` to list the commands.`;
  const closest = didYouMean(name, Object.keys(COMMANDS));
  // A path is the likeliest other word: other linters take one there.
  return `Unknown command \`${name}\`.${closest || ` To lint a path, run: nodometer lint ${name}`}`;
}
