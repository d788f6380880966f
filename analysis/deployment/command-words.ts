// What the words of one simple command mean: wrappers that run another command (`exec`, `tini --`, `su-exec node`), and Node's own options.
import type { SimpleCommand, Word } from './shell-words.ts';
import { basename } from './paths.ts';

interface Wrapper {
  /** Options whose value is the next word. */
  valued: readonly string[];
  /** How many words precede the wrapped command. */
  skip: number;
}

const NOTHING: Wrapper = { valued: [], skip: 0 };
const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  exec: { valued: ['-a'], skip: 0 },
  nohup: NOTHING,
  setsid: NOTHING,
  command: NOTHING,
  builtin: NOTHING,
  time: NOTHING,
  unbuffer: NOTHING,
  catchsegv: NOTHING,
  tini: { valued: ['-e', '-p'], skip: 0 },
  'tini-static': { valued: ['-e', '-p'], skip: 0 },
  'docker-init': NOTHING,
  'dumb-init': { valued: ['-r', '--rewrite'], skip: 0 },
  catatonit: NOTHING,
  nice: { valued: ['-n'], skip: 0 },
  ionice: { valued: ['-c', '-n', '-p'], skip: 0 },
  taskset: { valued: [], skip: 1 },
  stdbuf: { valued: ['-i', '-o', '-e'], skip: 0 },
  chrt: { valued: [], skip: 1 },
  timeout: { valued: ['-s', '-k'], skip: 1 },
  'su-exec': { valued: [], skip: 1 },
  gosu: { valued: [], skip: 1 },
  's6-setuidgid': { valued: [], skip: 1 },
  setuidgid: { valued: [], skip: 1 },
  chpst: { valued: ['-u', '-U', '-b', '-m'], skip: 0 },
  setpriv: { valued: ['--reuid', '--regid', '--groups'], skip: 0 },
  runuser: { valued: ['-u', '-g'], skip: 0 },
  sudo: { valued: ['-u', '-g', '-h', '-p'], skip: 0 },
  'xvfb-run': { valued: ['-s', '-n', '-f', '-e', '-p', '-w'], skip: 0 },
  dockerize: { valued: ['-wait', '-timeout', '-template', '-stdout', '-stderr', '-wait-retry-interval', '-delims'], skip: 0 },
  numactl: NOTHING,
};

/** Scripts that wait for something and then run the command after `--`. */
const WAITERS = /^(?:wait-?for(?:-?it)?|wait-port|wait-on|wait|wait_for(?:_it)?)(?:\.sh)?$/;

/** The words that a wrapper runs; undefined if the command is not a wrapper. */
export function unwrapWords(words: readonly Word[]): readonly Word[] | undefined {
  const name = basename(words[0]?.text ?? '');
  const separator = words.findIndex((word) => word.text === '--');
  if (WAITERS.test(name)) return separator > 0 ? words.slice(separator + 1) : [];
  const wrapper = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : undefined;
  if (!wrapper) return undefined;
  let at = 1;
  while (at < words.length) {
    const text = words[at]?.text ?? '';
    if (text === '--') {
      at++;
      break;
    }
    if (!text.startsWith('-')) break;
    at += wrapper.valued.includes(text) ? 2 : 1;
  }
  return words.slice(at + wrapper.skip);
}

const VALUED_NODE_OPTIONS: ReadonlySet<string> = new Set([
  '-r',
  '--require',
  '--import',
  '--loader',
  '--experimental-loader',
  '-C',
  '--conditions',
  '--env-file',
  '--env-file-if-exists',
  '--title',
  '--input-type',
  '--icu-data-dir',
  '--openssl-config',
  '--stack-trace-limit',
  '--max-http-header-size',
  '--watch-path',
  '--disable-warning',
  '--localstorage-file',
  '-P',
  '--project',
  '--tsconfig',
  '-O',
  '--cwd-mode',
  '--dir',
  '--extensions',
  '-x',
  '--presets',
  '--config-file',
]);

export interface NodeArguments {
  entry: Word | undefined;
  flags: readonly string[];
  preloads: readonly string[];
  envFiles: readonly { path: string; isOptional: boolean }[];
  isDevelopment: boolean;
  /** `node --run <script>` */
  script: string | undefined;
}

/** Splits the words after `node` (or a runner with its options) into options, the entry and the flags of the entry. */
export function readNodeArguments(words: readonly Word[]): NodeArguments {
  const preloads: string[] = [];
  const envFiles: { path: string; isOptional: boolean }[] = [];
  let isDevelopment = false;
  let script: string | undefined;
  let at = 0;
  for (; at < words.length; at++) {
    const text = words[at]?.text ?? '';
    if (text === '--') {
      at++;
      break;
    }
    if (!text.startsWith('-') || text === '-') break;
    const equals = text.indexOf('=');
    const option = equals > 0 ? text.slice(0, equals) : text;
    const value =
      equals > 0 ? text.slice(equals + 1) : VALUED_NODE_OPTIONS.has(option) || option === '--run' ? (words[++at]?.text ?? '') : '';
    if (option === '-r' || option === '--require' || option === '--import') preloads.push(value);
    else if (option === '--env-file' || option === '--env-file-if-exists')
      envFiles.push({ path: value, isOptional: option.endsWith('exists') });
    else if (option === '--watch' || option === '--test' || option === '--inspect-brk' || option === '--hot') isDevelopment = true;
    else if (option === '--run') script = value;
    // Code on the command line, `--version`, a syntax check: no server.
    else if (/^(?:-e|--eval|-p|-pe|--print|-v|--version|-c|--check|-h|--help|-i|--interactive)$/.test(option))
      return { entry: undefined, flags: [], preloads, envFiles, isDevelopment, script };
  }
  return { entry: words[at], flags: words.slice(at + 1).map((word) => word.text), preloads, envFiles, isDevelopment, script };
}

/** Programs that run a script file the way node does. */
export const NODE_RUNNERS: ReadonlySet<string> = new Set([
  'node',
  'nodejs',
  'iojs',
  'ts-node',
  'ts-node-esm',
  'ts-node-transpile-only',
  'tsx',
  'esno',
  'swc-node',
  'babel-node',
  'esbuild-runner',
  'esr',
  'jiti',
  'sucrase-node',
]);
/** The same for development: they watch and restart. */
export const DEVELOPMENT_RUNNERS: ReadonlySet<string> = new Set([
  'nodemon',
  'node-dev',
  'ts-node-dev',
  'tsnd',
  'supervisor',
  'node-supervisor',
  'pm2-dev',
  'tsc-watch',
]);
/** Tools that mark a script as one for development if they run next to a server. */
const DEVELOPMENT_COMPANIONS: ReadonlySet<string> = new Set([
  'nodemon',
  'node-dev',
  'ts-node-dev',
  'tsnd',
  'webpack-dev-server',
  'react-scripts',
  'ng',
  'vite',
  'vue-cli-service',
  'browser-sync',
  'livereload',
  'concurrently',
]);

/** How many of the words are options and their values. */
export function skipOptions(words: readonly Word[], valued: readonly string[]): number {
  let at = 0;
  while (at < words.length && words[at]?.text.startsWith('-')) at += valued.includes(words[at]?.text ?? '') ? 2 : 1;
  return at;
}

/** Whether a command is a tool that serves or watches during development. */
export function isCompanion(command: SimpleCommand): boolean {
  const names = command.words.slice(0, 3).map((word) => basename(word.text));
  return names.some((name) => DEVELOPMENT_COMPANIONS.has(name)) && !command.words.some((word) => /^(?:build|run-?build)$/.test(word.text));
}
