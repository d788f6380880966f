// Service managers. systemd units: what ExecStart runs, and what Environment sets for it; supervisord: the same of its programs
// (http://supervisord.org/configuration.html).
import type { Edit, Span } from '../../protocol/finding.ts';
import { shellText, type CommandText } from './command-text.ts';
import { UNKNOWN, UNSET, type EnvState } from './launch.ts';
import { lineBreakOf } from './yaml-edits.ts';

export interface Unit {
  path: string;
  command: CommandText;
  commandSpan: Span;
  env: EnvState;
  /** Folder on the machine that runs it. */
  folder: string;
  addition: Edit;
}

const LINE = /^[ \t]*([A-Za-z]+)[ \t]*=[ \t]*((?:[^\r\n\\]|\\(?!\r?\n)|\\\r?\n)*)/gm;
const SECTION = /^[ \t]*\[([^\]\r\n]+)\][ \t]*$/gm;

/** `dropIns`: the files in the unit's `.service.d` folder. */
export function parseUnit(path: string, text: string, dropIns: readonly { path: string; text: string }[]): Unit | undefined {
  const section = serviceSection(text);
  if (!section) return undefined;
  let env: EnvState = UNSET;
  let folder = '/';
  let command: { value: string; start: number; lineStart: number } | undefined;
  for (const line of lines(text, section)) {
    if (line.name === 'ExecStart' && line.value !== '') {
      // `-`, `@`, `+`, `!` and `:` before the program belong to systemd.
      const prefix = /^[-@+!:|]*/.exec(line.value)?.[0].length ?? 0;
      command ??= { value: line.value.slice(prefix), start: line.start + prefix, lineStart: line.lineStart };
    } else if (line.name === 'WorkingDirectory') folder = line.value.replace(/^[-~]/, '') || '/';
    else env = environmentAfter(env, line, path);
  }
  for (const dropIn of dropIns) {
    const inner = serviceSection(dropIn.text);
    if (inner) for (const line of lines(dropIn.text, inner)) env = environmentAfter(env, line, dropIn.path);
  }
  if (!command) return undefined;
  return {
    path,
    env,
    folder: folder.startsWith('/') ? folder : '/',
    command: shellText(path, command.value, command.start),
    commandSpan: { start: command.start, end: command.start + command.value.length },
    addition: { start: command.lineStart, end: command.lineStart, text: `Environment=NODE_ENV=production${lineBreakOf(text)}` },
  };
}

function environmentAfter(env: EnvState, line: Line, path: string): EnvState {
  if (line.name === 'EnvironmentFile') return env.kind === 'value' && env.value === 'production' ? env : UNKNOWN;
  if (line.name === 'PassEnvironment' && /\bNODE_ENV\b/.test(line.value)) return UNKNOWN;
  if (line.name !== 'Environment') return env;
  if (line.value === '') return UNSET;
  // `Environment=A=b "NODE_ENV=production" NODE_ENV='production'`: quotes are removed anywhere.
  const match = /(?:^|\s)(?:"NODE_ENV=([^"]*)"|'NODE_ENV=([^']*)'|NODE_ENV=(?:"([^"]*)"|'([^']*)'|(\S*)))/.exec(line.value);
  if (!match) return env;
  const value = match[1] ?? match[2] ?? match[3] ?? match[4] ?? match[5] ?? '';
  if (value.includes('%')) return UNKNOWN;
  const at = line.start + match.index + match[0].indexOf(value, match[0].indexOf('=') + 1);
  return { kind: 'value', value, place: { path, span: { start: at, end: at + value.length } } };
}

interface Line {
  name: string;
  value: string;
  /** Offset of the value. */
  start: number;
  lineStart: number;
}

function serviceSection(text: string): Span | undefined {
  let start: number | undefined;
  for (const match of text.matchAll(SECTION)) {
    if (start !== undefined) return { start, end: match.index ?? text.length };
    if (match[1] === 'Service') start = (match.index ?? 0) + match[0].length;
  }
  return start === undefined ? undefined : { start, end: text.length };
}

function* lines(text: string, section: Span): Generator<Line> {
  for (const match of text.slice(section.start, section.end).matchAll(LINE)) {
    const value = match[2] ?? '';
    const lineStart = section.start + (match.index ?? 0);
    yield { name: match[1] ?? '', value: value.trimEnd(), start: lineStart + match[0].length - value.length, lineStart };
  }
}

export interface Supervised {
  command: string;
  /** Folder on the machine that runs it. */
  folder: string;
  env: EnvState;
}

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
