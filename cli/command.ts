// From the command line's words to a command.
import { didYouMean } from '../workspace/config/closest-name.ts';
import { MAIN_HELP } from './help.ts';
import { CommandError } from '../workspace/errors.ts';
import { exitCodeOf, type Command } from './exit-code.ts';
import { EXIT_OK, type ExitCode, type Host } from './host.ts';

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

export function runCommand(argv: readonly string[], host: Host): Promise<ExitCode> {
  return exitCodeOf(dispatch, argv, host);
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
