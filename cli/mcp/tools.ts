// The tools of `nodometer mcp` and of VS Code: their arguments are checked here, and the commands do the work.
import { existsSync, realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { CommandError } from '../../workspace/errors.ts';
import { isRecord } from '../../protocol/unknown-values.ts';
import { targetOf } from '../commands/profile-arguments.ts';
import { exitCodeOf, type Command } from '../exit-code.ts';
import { EXIT_FAILED, EXIT_INTERRUPTED, type Host } from '../host.ts';
import { safeText } from '../safe-output.ts';
import { explainFinding } from './explain.ts';
import { PAGE_CHARACTERS, Pages } from './pages.ts';

export interface Served {
  /** Absolute, without links. Nothing outside of it is looked at because a client asks. */
  folder: string;
  /** Whether code of the folder may be executed. */
  mayRun: boolean;
  /** Whether that code may write files and start processes. */
  mayWrite: boolean;
  host: Host;
}

export interface Answer {
  text: string;
  isError: boolean;
}

export interface Tool {
  name: string;
  description: string;
  /** JSON Schema: what a client may send. */
  properties: Readonly<Record<string, { type: 'string' | 'integer'; description: string; enum?: readonly string[]; maxLength?: number }>>;
  /** Executes code of the folder. */
  runs: boolean;
  call(args: Arguments, host: Host, served: Served): Promise<string>;
}

/** The editor ships these and no others. */
const COMMANDS = {
  lint: async () => (await import('../commands/lint.ts')).lintCommand,
  explain: async () => (await import('../commands/rule-commands.ts')).explainCommand,
  profile: async () => (await import('../commands/profile.ts')).profileCommand,
  compare: async () => (await import('../commands/compare.ts')).compareCommand,
} satisfies Record<string, () => Promise<Command>>;

/** Characters of one argument: a call with its arguments, or a request with its body. */
const MOST_CHARACTERS = 4_000;
const ROUNDS = { least: 6, most: 60 };
const SECONDS = { least: 1, most: 30 };
const CURSOR = { type: 'string', description: 'Only this: the next page of an earlier answer.', maxLength: 40 } as const;

const TARGET = {
  type: 'string',
  description: 'A function in the folder: file.js:name, file.js:line, or file.js:line:column.',
  maxLength: MOST_CHARACTERS,
} as const;
const CALL = { type: 'string', description: 'A call as source code, such as add(1, 2).', maxLength: MOST_CHARACTERS } as const;
const REQUEST = { type: 'string', description: 'A request that reaches it, such as GET /users/1.', maxLength: MOST_CHARACTERS } as const;
const ENTRY = { type: 'string', description: 'The file in the folder that starts the server.', maxLength: MOST_CHARACTERS } as const;

export const TOOLS: readonly Tool[] = [
  {
    name: 'findings',
    description:
      'Lists performance problems of the Node.js code in the folder, without running it. One line each: place, severity, rule, ID, route, what it is and what to do, measured cost, fix, and how to prove it. The last line begins with "done:".',
    properties: {
      path: { type: 'string', description: 'A file or folder in the folder; all of it if left out.', maxLength: MOST_CHARACTERS },
      since: {
        type: 'string',
        description: 'A Git branch, tag, or commit: only what has changed since then.',
        maxLength: MOST_CHARACTERS,
      },
      cursor: CURSOR,
    },
    runs: false,
    call: async (args, host, { folder }) => {
      const path = args.text('path');
      const since = args.text('since');
      return command(
        [
          'lint',
          '--format=agent',
          '--no-progress',
          '--exit-zero',
          ...(since === undefined ? [] : [`--since=${since}`]),
          '--',
          ...(path === undefined ? [] : [insidePath(path, folder)]),
        ],
        host,
      );
    },
  },
  {
    name: 'explain',
    description:
      'Explains one finding by its ID: why it costs, the path from the request to it, the code, and the code with each fix. Or explains a rule.',
    properties: {
      id: { type: 'string', description: 'The ID of a finding, as `findings` lists it.', maxLength: 40 },
      rule: { type: 'string', description: 'A rule, such as no-sync-in-handler.', maxLength: 100 },
      cursor: CURSOR,
    },
    runs: false,
    call: async (args, host) => {
      const id = args.text('id');
      const rule = args.text('rule');
      if ((id === undefined) === (rule === undefined)) throw new CommandError('Specify either `id` or `rule`.');
      return id === undefined ? command(['explain', '--no-color', '--', rule ?? ''], host) : explainFinding(id, host);
    },
  },
  {
    name: 'prove',
    description:
      'Executes a function of the folder repeatedly under V8 tracing, and says for each finding in it whether Node confirms it, and what it costs. One line each. Works only where the user has allowed it.',
    properties: {
      target: TARGET,
      call: CALL,
      request: REQUEST,
      entry: ENTRY,
      seconds: { type: 'integer', description: `Time for all runs, ${SECONDS.least} to ${SECONDS.most} (default 5).` },
      cursor: CURSOR,
    },
    runs: true,
    call: (args, host, served) => {
      const seconds = args.integer('seconds', SECONDS);
      return command(
        [
          'profile',
          '--no-save',
          ...(seconds === undefined ? [] : [`--time=${seconds}`]),
          ...runOptions(args, served),
          targetIn(args, served),
        ],
        host,
      );
    },
  },
  {
    name: 'compare',
    description:
      'Executes a function of the folder and another version of it in fresh processes, and says whether it is faster or slower. The other version is a Git commit, or the code with the first fix of a rule. Works only where the user has allowed it.',
    properties: {
      target: TARGET,
      base: { type: 'string', description: 'A Git branch, tag, or commit to compare with.', maxLength: MOST_CHARACTERS },
      fix: { type: 'string', description: 'A rule whose first fix in the function is compared with the code as it is.', maxLength: 100 },
      call: CALL,
      request: REQUEST,
      entry: ENTRY,
      rounds: { type: 'integer', description: `Processes of each version, ${ROUNDS.least} to ${ROUNDS.most} (default 12).` },
      cursor: CURSOR,
    },
    runs: true,
    call: (args, host, served) => {
      const base = args.text('base');
      const fix = args.text('fix');
      const rounds = args.integer('rounds', ROUNDS);
      if ((base === undefined) === (fix === undefined)) throw new CommandError('Specify either `base` or `fix`.');
      return command(
        [
          'compare',
          base === undefined ? `--fix=${fix}` : `--base=${base}`,
          ...(rounds === undefined ? [] : [`--rounds=${rounds}`]),
          ...runOptions(args, served),
          targetIn(args, served),
        ],
        host,
      );
    },
  },
];

/** What `prove` and `compare` share. The user has agreed by starting the server with `--allow-run`. */
function runOptions(args: Arguments, { folder, mayWrite }: Served): string[] {
  const [call, request, entry] = [args.text('call'), args.text('request'), args.text('entry')];
  return [
    '--format=agent',
    '--yes',
    ...(mayWrite ? [] : ['--read-only']),
    ...(call === undefined ? [] : [`--call=${call}`]),
    ...(request === undefined ? [] : [`--request=${request}`]),
    ...(entry === undefined ? [] : [`--entry=${insidePath(entry, folder)}`]),
  ];
}

function targetIn(args: Arguments, { folder }: Served): string {
  const target = args.text('target');
  if (target === undefined) throw new CommandError('`target` is required, such as src/app.js:12.');
  const { file, at } = targetOf(target);
  if (at === undefined || file === undefined)
    throw new CommandError('`target` must name a function: file.js:name, file.js:line, or file.js:line:column.');
  return `${insidePath(file, folder)}${target.slice(file.length)}`;
}

/** The path relative to the folder, whatever links lead to. */
function insidePath(given: string, folder: string): string {
  const path = resolve(folder, given);
  if (given.includes('\0') || !existsSync(path)) throw new CommandError('There is no such file in the folder.');
  const inside = relative(folder, realpathSync(path));
  if (inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside))
    throw new CommandError('The path leads out of the folder that this server is for.');
  const shown = relative(folder, path);
  return shown === '' ? '.' : `.${sep}${shown}`;
}

/** Runs a command as a user would, and gives what it prints. */
async function command([name, ...argv]: readonly [keyof typeof COMMANDS, ...string[]], host: Host): Promise<string> {
  const written = { out: '', err: '' };
  const streamOf = (name: 'out' | 'err') => ({
    write: (text: string) => {
      written[name] += text;
    },
  });
  const code = await exitCodeOf(await COMMANDS[name](), argv, { ...host, stdout: streamOf('out'), stderr: streamOf('err') });
  if (code === EXIT_FAILED || code === EXIT_INTERRUPTED)
    throw new CommandError(`${written.err.trim()}${written.out === '' ? '' : `\n${written.out}`}`);
  return `${written.err}${written.out}`;
}

/** What a client sent, checked against the tool's own schema. */
export class Arguments {
  readonly #given: Readonly<Record<string, unknown>>;

  constructor(given: unknown, { name, properties }: Tool) {
    if (given !== undefined && !isRecord(given)) throw new CommandError('The arguments must be an object.');
    this.#given = given ?? {};
    const names = Object.keys(properties);
    for (const [key, value] of Object.entries(this.#given)) {
      const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
      if (!property) throw new CommandError(`\`${name}\` has no argument \`${key.slice(0, 100)}\`. It takes ${names.join(', ')}.`);
      if (property.type === 'string' ? typeof value !== 'string' : !Number.isInteger(value))
        throw new CommandError(`\`${key}\` must be ${property.type === 'string' ? 'a text' : 'a whole number'}.`);
      if (property.maxLength !== undefined && (value as string).length > property.maxLength)
        throw new CommandError(`\`${key}\` must have at most ${property.maxLength} characters.`);
      if (value === '') throw new CommandError(`\`${key}\` must not be empty.`);
    }
    if (this.#given.cursor !== undefined && Object.keys(this.#given).length > 1)
      throw new CommandError('`cursor` goes on with an earlier answer, so it is the only argument.');
  }

  text(name: string): string | undefined {
    return this.#given[name] as string | undefined;
  }

  integer(name: string, { least, most }: { least: number; most: number }): number | undefined {
    const value = this.#given[name] as number | undefined;
    if (value !== undefined && (value < least || value > most)) throw new CommandError(`\`${name}\` must be from ${least} to ${most}.`);
    return value;
  }
}

/** Calls tools one after the other: measurements would disturb each other. */
export class ToolCalls {
  readonly #served: Served;
  readonly #pages = new Pages();
  #last: Promise<unknown> = Promise.resolve();

  constructor(served: Served) {
    this.#served = served;
  }

  async call(name: string, given: unknown, signal: AbortSignal): Promise<Answer> {
    try {
      return { text: await this.#answer(name, given, signal), isError: false };
    } catch (error) {
      // What is no CommandError is a bug of ours: its text has paths of this machine, and says nothing to an agent.
      const why = error instanceof CommandError ? error.message : 'Internal error of Nodometer. Run the command in a terminal to see it.';
      return { text: safeText(`error: ${why}`, false).slice(0, PAGE_CHARACTERS), isError: true };
    }
  }

  async #answer(name: string, given: unknown, signal: AbortSignal): Promise<string> {
    const tool = TOOLS.find((one) => one.name === name);
    if (!tool) throw new CommandError(`There is no tool \`${name.slice(0, 100)}\`. There are ${TOOLS.map((one) => one.name).join(', ')}.`);
    const args = new Arguments(given, tool);
    const cursor = args.text('cursor');
    if (cursor !== undefined) {
      const page = this.#pages.next(cursor);
      if (page === undefined) throw new CommandError('This cursor is no longer known. Call the tool again without it.');
      return page;
    }
    const { mayRun, folder, host } = this.#served;
    if (tool.runs && !mayRun)
      throw new CommandError(
        `\`${name}\` executes code of this folder, and the user has not allowed that. Only the user can, by starting the server with \`nodometer mcp --allow-run\`.`,
      );
    const run = this.#last.then(() => {
      if (signal.aborted) throw new CommandError('Canceled.');
      return tool.call(args, { ...host, cwd: folder, signal, confirm: async () => false }, this.#served);
    });
    this.#last = run.catch(() => undefined);
    return this.#pages.first(await run);
  }
}
