// supervisord: what its programs run, and what it sets for them (http://supervisord.org/configuration.html).
import { UNKNOWN, UNSET, type EnvState } from './launch.ts';

export interface Supervised {
  command: string;
  /** Folder on the machine that runs it. */
  folder: string;
  env: EnvState;
}

/** By path, with forward slashes and in lower case. */
export const SUPERVISOR = /(?:^|\/)supervisord?(?:[._-][^/]+)?\.(?:conf|ini)$|(?:^|\/)supervisord?(?:\.d|\/conf\.d)?\/[^/]+\.(?:conf|ini)$/;

export function parseSupervisor(path: string, text: string): Supervised[] {
  const programs: (Supervised & { own?: EnvState })[] = [];
  let all: EnvState = UNSET;
  let section = '';
  let program: (Supervised & { own?: EnvState }) | undefined;
  let at = 0;
  for (const line of text.split('\n')) {
    const head = /^\[([^\]]+)\]/.exec(line)?.[1];
    const setting = /^(\w+)[ \t]*[=:]/.exec(line);
    if (head !== undefined) {
      section = head;
      program = head.startsWith('program:') ? { command: '', folder: '/', env: UNSET } : undefined;
      if (program) programs.push(program);
    } else if (setting) {
      const value = line.slice(setting[0].length).replace(/ ;.*$/, '').trim();
      if (setting[1] === 'environment' && (program || section === 'supervisord')) {
        const env = nodeEnvIn(path, value, at + line.indexOf(value, setting[0].length));
        if (program) program.own = env;
        else all = env;
      } else if (program && setting[1] === 'command') program.command = value;
      else if (program && setting[1] === 'directory') program.folder = value;
    }
    at += line.length + 1;
  }
  return programs.map(({ command, folder, own }) => ({ command, folder, env: own && own.kind !== 'unset' ? own : all }));
}

/** `A="b",NODE_ENV="production"`; `%(ENV_X)s` is from the environment of supervisord. */
function nodeEnvIn(path: string, settings: string, start: number): EnvState {
  const match = /(?:^|,)[ \t]*NODE_ENV[ \t]*=[ \t]*["']?([^"',]*)/.exec(settings);
  if (!match) return UNSET;
  const value = (match[1] ?? '').trim();
  if (value.includes('%')) return UNKNOWN;
  const at = start + match.index + match[0].indexOf(value, match[0].indexOf('=') + 1);
  return { kind: 'value', value, place: { path, span: { start: at, end: at + value.length } } };
}
