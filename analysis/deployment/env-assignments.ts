// The environment after an assignment of NODE_ENV in a shell: literals, defaults such as `${NODE_ENV:-production}`, `set` of cmd.exe.
import type { CommandText } from './command-text.ts';
import { UNKNOWN, type EnvState } from './launch.ts';
import { valueAfter, type SimpleCommand, type Word } from './shell-words.ts';

export interface ShellVariables {
  env: EnvState;
  /** NODE_ENV as a shell variable that is not exported (yet). */
  variable: EnvState | undefined;
}

/** The state after `NODE_ENV=<value>`. `before` is the value of `$NODE_ENV`. */
export function assignedState(value: Word, text: CommandText, before: EnvState): EnvState {
  if (!value.expands) return { kind: 'value', value: value.text, place: text.place(value.start, value.end) };
  if (/^\$\{?NODE_ENV\}?$/.test(value.text)) return before;
  const withDefault = /^\$\{NODE_ENV:?[-=](.*)\}$/s.exec(value.text);
  if (!withDefault) return UNKNOWN;
  if (before.kind === 'value' || before.kind === 'unknown') return before;
  const fallback = withDefault[1] ?? '';
  if (/[$`]/.test(fallback)) return UNKNOWN;
  const raw = text.text.slice(value.start, value.end);
  const at = value.start + Math.max(0, raw.lastIndexOf(fallback));
  return { kind: 'value', value: fallback, place: text.place(at, at + fallback.length) };
}

/** The state after `export …`. `readFile` reads the file of `export $(cat .env | xargs)`. */
export function exportedState(
  words: readonly Word[],
  text: CommandText,
  state: ShellVariables,
  readFile: (path: string) => EnvState,
): EnvState {
  let env = state.env;
  for (const word of words) {
    if (word.text === 'NODE_ENV') env = state.variable ?? env;
    else if (word.text.startsWith('NODE_ENV=')) env = assignedState(valueAfter(word, 'NODE_ENV', text.text), text, env);
    else if (/^(?:\$\(|`)/.test(word.text)) {
      const file = /(?<![\w./-])[\w./-]*\.?env[\w.-]*/.exec(word.text)?.[0];
      const loaded = file === undefined ? UNKNOWN : readFile(file);
      if (env.kind !== 'value') env = loaded;
    }
  }
  return env;
}

/** `set NODE_ENV=production && …` of cmd.exe: everything up to `&&` is the value, including the space before it. */
export function cmdSetState(word: Word | undefined, command: SimpleCommand, text: CommandText): EnvState | undefined {
  if (!word || !/^NODE_ENV=/i.test(word.text)) return undefined;
  const value = valueAfter(word, 'NODE_ENV', text.text);
  if (word.quoted) return { kind: 'value', value: value.text, place: text.place(value.start, value.end) };
  const written = text.text.slice(value.start, command.nextAt);
  return { kind: 'value', value: written, place: text.place(value.start, command.nextAt) };
}

/** `env`, `cross-env`: the state for the command that follows, and its words. */
export function readEnvCall(words: readonly Word[], text: CommandText, before: EnvState): { env: EnvState; rest: readonly Word[] } {
  let env = before;
  let i = 1;
  for (; i < words.length; i++) {
    const word = words[i] as Word;
    if (word.text === '-i' || word.text === '--ignore-environment' || word.text === '-') env = { kind: 'unset' };
    else if (word.text === '-u' || word.text === '-C' || word.text === '--unset') {
      if (words[++i]?.text === 'NODE_ENV') env = { kind: 'unset' };
    } else if (/^NODE_ENV=/.test(word.text)) env = assignedState(valueAfter(word, 'NODE_ENV', text.text), text, env);
    else if (!/^[A-Za-z_][A-Za-z0-9_]*=/.test(word.text) && !word.text.startsWith('-')) break;
  }
  return { env, rest: words.slice(i) };
}

/** `env-cmd`, `dotenv`: the file that they load, other assignments, and the words of the command. */
export function readEnvFileCall(
  name: string,
  words: readonly Word[],
  text: CommandText,
  before: EnvState,
): { env: EnvState; path: string; rest: readonly Word[] } {
  let env = before;
  let path = '.env';
  let isNamed = false;
  let i = 1;
  for (; i < words.length; i++) {
    const option = words[i]?.text ?? '';
    if (option === '--') {
      i++;
      break;
    }
    if (option === '-f' || option === '--file' || (name !== 'env-cmd' && option === '-e')) {
      path = words[++i]?.text ?? path;
      isNamed = true;
    } else if (name === 'dotenv' && option === '-c') path = `.env.${words[++i]?.text ?? ''}`;
    else if (name === 'dotenv' && option === '-v') {
      const word = words[++i];
      if (word && /^NODE_ENV=/.test(word.text)) env = assignedState(valueAfter(word, 'NODE_ENV', text.text), text, env);
    } else if (name === 'env-cmd' && (option === '-e' || option === '--environments' || option === '-r' || option === '--rc-file')) {
      i++;
      env = UNKNOWN;
    } else if (!option.startsWith('-')) {
      // env-cmd up to version 8 takes the file first: `env-cmd .env.production node server.js`.
      if (name !== 'env-cmd' || isNamed || !/(?:^|\/)\.?[\w.-]*env|\.(?:json|js)$/.test(option) || i > 1) break;
      path = option;
      isNamed = true;
    }
  }
  return { env, path, rest: words.slice(i) };
}
