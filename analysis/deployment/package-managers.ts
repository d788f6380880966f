// What a call of npm, yarn or pnpm runs: a script of a package.json, or a command.
import type { Word } from './shell-words.ts';

export interface ManagerCall {
  script: string | undefined;
  /** The command after `exec`, or after a bare name that is not a script. */
  words: readonly Word[] | undefined;
  folder: string | undefined;
  workspace: string | undefined;
  /** What is appended to the script: `-- --production`. */
  flags: readonly string[];
  /**
   * `--omit=dev`, `--production`: npm then sets NODE_ENV=production for the script (seen with npm 11; documented for npm 6 as
   * `production`).
   */
  omitsDev: boolean;
}

const FOLDER_OPTIONS: ReadonlySet<string> = new Set(['--prefix', '-C', '--cwd', '--dir']);
const WORKSPACE_OPTIONS: ReadonlySet<string> = new Set(['-w', '--workspace', '--filter', '-F']);
const VALUED_OPTIONS: ReadonlySet<string> = new Set(['--loglevel', '--userconfig', '--cache', '--omit', '--only', '--reporter']);
/** Sub-commands that run no script of the project. */
const OTHER_COMMANDS: ReadonlySet<string> = new Set([
  'install',
  'i',
  'ci',
  'add',
  'remove',
  'uninstall',
  'update',
  'up',
  'upgrade',
  'audit',
  'prune',
  'rebuild',
  'cache',
  'config',
  'link',
  'pack',
  'publish',
  'version',
  'view',
  'info',
  'ls',
  'list',
  'outdated',
  'login',
  'set',
  'get',
  'init',
  'create',
  'dedupe',
  'fund',
  'import',
  'fetch',
  'deploy',
  'store',
  'why',
  'patch',
  'plugin',
  'global',
  'policies',
  'unplug',
]);

export function readManagerCall(manager: string, words: readonly Word[], isScript: (name: string) => boolean): ManagerCall | undefined {
  const call: { -readonly [K in keyof ManagerCall]: ManagerCall[K] } = {
    script: undefined,
    words: undefined,
    folder: undefined,
    workspace: undefined,
    flags: [],
    omitsDev: false,
  };
  let runs = false;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as Word;
    const [option = '', ...rest] = word.text.split('=');
    const inline = rest.length > 0 ? rest.join('=') : undefined;
    if (word.text === '--') {
      call.flags = words.slice(at + 1).map((flag) => flag.text);
      break;
    }
    if (word.text.startsWith('-')) {
      const value =
        inline ??
        (FOLDER_OPTIONS.has(option) || WORKSPACE_OPTIONS.has(option) || VALUED_OPTIONS.has(option) ? words[++at]?.text : undefined);
      if (FOLDER_OPTIONS.has(option)) call.folder = value;
      else if (WORKSPACE_OPTIONS.has(option)) call.workspace = value;
      else if (
        (option === '--production' && inline !== 'false') ||
        (option === '--omit' && value === 'dev') ||
        (option === '--only' && /^prod/.test(value ?? ''))
      )
        call.omitsDev = true;
      if (call.script !== undefined && manager !== 'npm') call.flags = [...call.flags, word.text];
      continue;
    }
    if (call.script !== undefined) {
      // yarn and pnpm pass all further words to the script. npm passes positional words.
      call.flags = [...call.flags, word.text];
      continue;
    }
    if (runs) {
      if (!isKnown(word.text, isScript, call) && manager !== 'npm') return { ...call, words: words.slice(at) };
      call.script = word.text;
    } else if (word.text === 'run' || word.text === 'run-script') runs = true;
    else if (word.text === 'exec' || word.text === 'x' || word.text === 'dlx') {
      const from = words[at + 1]?.text === '--' ? at + 2 : at + 1;
      return { ...call, words: words.slice(from) };
    } else if (word.text === 'node' && manager !== 'npm') return { ...call, words: words.slice(at) };
    else if (word.text === 'workspace' && manager !== 'npm') call.workspace = words[++at]?.text;
    else if (word.text === 'start') call.script = 'start';
    else if (OTHER_COMMANDS.has(word.text) || manager === 'npm') return undefined;
    else if (isKnown(word.text, isScript, call)) call.script = word.text;
    else return { ...call, words: words.slice(at) };
  }
  return call.script === undefined ? undefined : call;
}

/** Scripts of other folders are not known yet, so any name counts as a script there. */
function isKnown(
  name: string,
  isScript: (name: string) => boolean,
  call: { folder: string | undefined; workspace: string | undefined },
): boolean {
  return call.folder !== undefined || call.workspace !== undefined || isScript(name);
}
