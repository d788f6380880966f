// What a call of PM2 or forever starts.
import type { Word } from './shell-words.ts';

export interface Pm2Call {
  /** PM2's own configuration file. */
  ecosystem: string | undefined;
  /** `--env production`: uses `env_production` of that file. */
  envName: string | undefined;
  target: Word | undefined;
  flags: readonly string[];
  isDevelopment: boolean;
}

const PM2_VALUED: ReadonlySet<string> = new Set([
  '-n',
  '--name',
  '-i',
  '--instances',
  '--env',
  '-o',
  '--output',
  '-e',
  '--error',
  '-l',
  '--log',
  '--cwd',
  '--only',
  '--interpreter',
  '--node-args',
  '--interpreter-args',
  '--max-memory-restart',
  '--exp-backoff-restart-delay',
  '--restart-delay',
  '--max-restarts',
  '-u',
  '--user',
  '--uid',
  '--gid',
  '--namespace',
  '--cron',
  '-c',
  '--log-type',
  '--log-date-format',
  '--kill-timeout',
  '--listen-timeout',
  '-p',
  '--pid',
  '--port',
  '--web',
  '--secret',
  '--public',
  '--filter-env',
  '--ignore-watch',
  '--watch-delay',
]);
const START_COMMANDS = /^(?:start|startOrRestart|startOrReload|startOrGracefulReload|restart|reload|gracefulReload)$/;
const ECOSYSTEM = /\.config\.[cm]?[jt]s$|\.(?:json5?|ya?ml)$|(?:^|\/)ecosystem(?:\.[\w-]+)*\.[cm]?js$/;

export function readPm2(name: string, words: readonly Word[]): Pm2Call | undefined {
  const call: { -readonly [K in keyof Pm2Call]: Pm2Call[K] } = {
    ecosystem: undefined,
    envName: undefined,
    target: undefined,
    flags: [],
    isDevelopment: false,
  };
  let command: string | undefined = name === 'pm2' ? undefined : 'start';
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as Word;
    if (word.text === '--') {
      call.flags = words.slice(at + 1).map((flag) => flag.text);
      break;
    }
    if (word.text.startsWith('-')) {
      const equals = word.text.indexOf('=');
      const option = equals > 0 ? word.text.slice(0, equals) : word.text;
      const value = equals > 0 ? word.text.slice(equals + 1) : PM2_VALUED.has(option) ? words[++at]?.text : undefined;
      if (option === '--env') call.envName = value;
      else if (option === '--watch') call.isDevelopment = true;
      else if (option === '--interpreter' && value !== undefined && !/node|tsx/.test(value)) return undefined;
      continue;
    }
    if (command === undefined || (name !== 'pm2' && call.target === undefined && word.text === 'start')) {
      if (!START_COMMANDS.test(word.text)) return undefined;
      command = word.text;
    } else if (call.target === undefined) call.target = word;
  }
  if (command === undefined) return undefined;
  if (call.target === undefined) return { ...call, ecosystem: 'ecosystem.config.js' };
  return ECOSYSTEM.test(call.target.text) ? { ...call, ecosystem: call.target.text } : call;
}

const FOREVER_VALUED: ReadonlySet<string> = new Set([
  '-m',
  '--max',
  '-l',
  '-o',
  '-e',
  '-p',
  '-c',
  '--command',
  '--uid',
  '--minUptime',
  '--spinSleepTime',
  '--sourceDir',
  '--workingDir',
  '--pidFile',
  '--killSignal',
  '--watchDirectory',
  '--watchIgnore',
  '--id',
]);

export function readForever(words: readonly Word[]): { word: Word; flags: readonly string[] } | undefined {
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as Word;
    if (word.text.startsWith('-')) {
      if (FOREVER_VALUED.has(word.text)) at++;
    } else if (/^(?:stop|stopall|list|logs|restartall|cleanlogs|set|clear|columns)$/.test(word.text)) return undefined;
    else if (word.text !== 'start' && word.text !== 'restart') return { word, flags: words.slice(at + 1).map((flag) => flag.text) };
  }
  return undefined;
}
