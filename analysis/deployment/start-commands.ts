// Follows start commands to the Node programs that they start, with the NODE_ENV of each: through wrappers, `env` and `cross-env`, npm,
// yarn and pnpm scripts, shell scripts, PM2 and forever. What it cannot follow makes the environment unknown, never wrong.
import { COMMANDS_THAT_SET_IT, COMMANDS_WITH_HIDDEN_ENVIRONMENT } from '../../knowledge/node-env-setters.ts';
import { mappedShellText, opaqueShellText, shellText, type CommandText } from './command-text.ts';
import { DEVELOPMENT_RUNNERS, NODE_RUNNERS, isCompanion, readNodeArguments, skipOptions, unwrapWords } from './command-words.ts';
import { findNodeEnv } from './env-file.ts';
import { assignedState, cmdSetState, exportedState, readEnvCall, readEnvFileCall, type ShellVariables } from './env-assignments.ts';
import { UNKNOWN, type EnvState, type Place, type Start, type Terrain, type Via } from './launch.ts';
import { readManagerCall } from './package-managers.ts';
import { readForever, readPm2 } from './process-managers.ts';
import { basename, dirname, isBuiltPath, join, purposeOf } from './paths.ts';
import type { Manifest, ProjectFiles } from './project-files.ts';
import type { SimpleCommand, Word } from './shell-words.ts';

export interface ShellState extends ShellVariables {
  cwd: string;
  /** The words that a script's `"$@"` stands for. */
  rest: { words: readonly Word[]; text: CommandText } | undefined;
  /** npm's `omit=dev` or `production`: npm then sets NODE_ENV for the scripts it runs (npm 6 to 11). */
  npmOmitsDev: boolean;
}

/** PM2's own file, started by a command. */
export interface EcosystemStart {
  path: string;
  envName: string | undefined;
  env: EnvState;
  place: Place;
  via: readonly Via[];
}

export interface Outcome {
  starts: Start[];
  ecosystems: EcosystemStart[];
  /** Whether something ran that the interpreter cannot read. */
  isHidden: boolean;
}

// Scripts call scripts. A cycle ends here.
const MAX_DEPTH = 10;

// Where Dockerfiles put scripts that they call by name alone.
const PATH_FOLDER = '/usr/local/bin';

export function freshState(cwd: string, env: EnvState): ShellState {
  return { cwd, env, variable: undefined, rest: undefined, npmOmitsDev: false };
}

export class Interpreter {
  readonly #files: ProjectFiles;
  readonly #terrain: Terrain;
  readonly #outcome: Outcome = { starts: [], ecosystems: [], isHidden: false };

  constructor(files: ProjectFiles, terrain: Terrain) {
    this.#files = files;
    this.#terrain = terrain;
  }

  run(text: CommandText, state: ShellState, via: readonly Via[] = [], flags: readonly string[] = []): Outcome {
    this.#runText(text, { ...state }, via, flags, 0);
    return this.#outcome;
  }

  #runText(text: CommandText, state: ShellState, via: readonly Via[], flags: readonly string[], depth: number): void {
    if (depth > MAX_DEPTH) return;
    if (/\bcase\s+["']?\$\{?NODE_ENV/.test(text.text)) this.#hide(state);
    const isDevelopment = text.commands.some((command) => isCompanion(command));
    const before = this.#outcome.starts.length;
    for (const [i, command] of text.commands.entries()) {
      const last = i === text.commands.length - 1;
      this.#runCommand(command, text, state, via, last ? flags : [], depth);
    }
    if (isDevelopment) for (const start of this.#outcome.starts.slice(before)) start.isDevelopment = true;
  }

  #runCommand(
    command: SimpleCommand,
    text: CommandText,
    state: ShellState,
    via: readonly Via[],
    flags: readonly string[],
    depth: number,
  ): void {
    let env = state.env;
    for (const assignment of command.assignments) {
      if (assignment.name === 'NODE_ENV') env = assignedState(assignment.value, text, env);
    }
    if (command.words.length === 0) {
      if (command.assignments.some(({ name }) => name === 'NODE_ENV')) {
        // A shell variable only reaches the program if it is exported, before or after.
        if (state.env.kind === 'unset') state.variable = env;
        else state.env = env;
      }
      return;
    }
    const place = text.place(command.start, command.end);
    this.#runWords(command.words, { text, command, place, via, flags, depth }, state, env);
  }

  #runWords(words: readonly Word[], at: Site, state: ShellState, env: EnvState): void {
    const head = words[0];
    if (!head) return;
    const name = basename(head.text);
    const inner = { ...state, env };
    if (/^\$\{?@\}?$|^\$\*$/.test(head.text)) {
      if (state.rest)
        this.#runWords(
          state.rest.words,
          {
            ...at,
            text: state.rest.text,
            place: state.rest.text.place(state.rest.words[0]?.start ?? 0, state.rest.words.at(-1)?.end ?? 0),
          },
          { ...inner, rest: undefined },
          env,
        );
      return;
    }
    if (this.#runBuiltin(name, words, at, state, env)) return;
    const unwrapped = unwrapWords(words);
    if (unwrapped) return this.#runWords(unwrapped, at, state, env);
    if (COMMANDS_WITH_HIDDEN_ENVIRONMENT.has(name)) {
      const separator = words.findIndex((word) => word.text === '--' || word.text === 'run' || word.text === 'exec');
      this.#outcome.isHidden = true;
      return this.#runWords(separator > 0 ? words.slice(separator + 1) : [], at, state, env.kind === 'value' ? env : UNKNOWN);
    }
    if (name === 'npx' || name === 'pnpx')
      return this.#runWords(words.slice(1 + skipOptions(words.slice(1), ['-p', '--package', '-c', '--call'])), at, state, env);
    if (name === 'env' || name === 'cross-env' || name === 'cross-env-shell') return this.#runEnv(words, at, inner);
    if (name === 'env-cmd' || name === 'dotenv' || name === 'dotenv-run' || name === 'dotenv-run-script')
      return this.#runEnvFileCommand(name, words, at, inner);
    if (/^(?:sh|bash|ash|dash|zsh|ksh)$/.test(name)) return this.#runShell(words, at, inner);
    if (NODE_RUNNERS.has(name) || DEVELOPMENT_RUNNERS.has(name)) return this.#runNode(name, words.slice(1), at, inner);
    if (name === 'npm' || name === 'yarn' || name === 'pnpm' || name === 'yarnpkg') return this.#runManager(name, words, at, inner);
    if (name === 'pm2' || name === 'pm2-runtime' || name === 'pm2-docker') return this.#runPm2(name, words, at, inner);
    if (name === 'forever') {
      const script = readForever(words.slice(1));
      return script ? this.#start([script.word], name, script.flags, [], at, inner, false) : undefined;
    }
    if (name === 'concurrently' || name === 'run-p' || name === 'run-s' || name === 'npm-run-all' || name === 'npm-run-all2')
      return this.#runMany(words.slice(1), at, inner);
    if (name === 'nest' && words[1]?.text === 'start') return this.#startNest(words, at, inner);
    if (name === 'sails' && words[1]?.text === 'lift')
      return this.#start(
        [{ ...head, text: 'app.js' }],
        'sails lift',
        words.slice(2).map((word) => word.text),
        [],
        at,
        inner,
        false,
      );
    if (COMMANDS_THAT_SET_IT.some((row) => row.command === name && (row.argument === '*' || words[1]?.text === row.argument))) return;
    this.#runFile(words, at, inner);
  }

  /** Runs a shell built-in that changes the state for later commands. Returns false for any other command. */
  #runBuiltin(name: string, words: readonly Word[], at: Site, state: ShellState, env: EnvState): boolean {
    switch (name) {
      case 'cd': {
        const target = words[1];
        if (target && !target.expands) state.cwd = join(state.cwd, target.text);
        return true;
      }
      case 'export':
      case 'declare':
      case 'typeset':
        state.env = exportedState(words.slice(1), at.text, state, (path) => this.#readEnvFile(path, state));
        return true;
      case 'set':
      case 'SET':
        if (!this.#terrain.isPosix) state.env = cmdSetState(words[1], at.command, at.text) ?? state.env;
        return true;
      case 'unset':
        if (words.some((word) => word.text === 'NODE_ENV')) state.env = { kind: 'unset' };
        return true;
      case ':': {
        const default_ = /^\$\{NODE_ENV:?=(.*)\}$/.exec(words[1]?.text ?? '')?.[1];
        if (default_ !== undefined && words[1])
          state.variable = { kind: 'value', value: default_, place: at.text.place(words[1].start, words[1].end) };
        return true;
      }
      case 'source':
      case '.':
        this.#source(words[1], at, state);
        return true;
      case 'eval':
        this.#hide(state);
        return true;
      case '[':
      case '[[':
      case 'test':
        if (words.some((word) => word.text.includes('NODE_ENV'))) this.#hide(state);
        return true;
      default:
        if (!words[0]?.text.toLowerCase().startsWith('$env:node_env')) return false;
        this.#hide(state);
        return env !== undefined;
    }
  }

  #hide(state: ShellState): void {
    this.#outcome.isHidden = true;
    if (state.env.kind !== 'value') state.env = UNKNOWN;
  }

  #source(target: Word | undefined, at: Site, state: ShellState): void {
    // nvm and similar tools set PATH, not NODE_ENV.
    if (!target || /nvm|asdf|fnm|\.profile|\.bashrc|\.cargo/.test(target.text)) return;
    const path = target.expands ? undefined : this.#find(target.text, state.cwd);
    const text = path === undefined ? undefined : this.#files.readText(path);
    if (path === undefined || text === undefined) return this.#hide(state);
    const entry = findNodeEnv(text);
    if (entry) state.env = { kind: 'value', value: entry.value, place: { path, span: entry.span } };
    else this.#runText(shellText(path, text), state, at.via, [], at.depth + 1);
  }

  /** NODE_ENV in a file that a command loads; UNKNOWN if the file does not exist. */
  #readEnvFile(path: string, state: { cwd: string; env: EnvState }): EnvState {
    const found = this.#find(path, state.cwd);
    const text = found === undefined ? undefined : this.#files.readText(found);
    if (found === undefined || text === undefined) return UNKNOWN;
    const entry = findNodeEnv(text);
    return entry ? { kind: 'value', value: entry.value, place: { path: found, span: entry.span } } : state.env;
  }

  #runEnv(words: readonly Word[], at: Site, state: ShellState): void {
    const { env, rest } = readEnvCall(words, at.text, state.env);
    const only = rest[0];
    if (rest.length === 1 && only?.quoted && /\s/.test(only.text))
      return this.#runText(this.#inside(only, at.text), { ...state, env }, at.via, at.flags, at.depth + 1);
    this.#runWords(rest, at, { ...state, env }, env);
  }

  #runEnvFileCommand(name: string, words: readonly Word[], at: Site, state: ShellState): void {
    const call = readEnvFileCall(name, words, at.text, state.env);
    const env = call.env.kind === 'unset' ? this.#readEnvFile(call.path, { cwd: state.cwd, env: call.env }) : call.env;
    this.#runWords(call.rest, at, { ...state, env }, env);
  }

  #runShell(words: readonly Word[], at: Site, state: ShellState): void {
    for (let i = 1; i < words.length; i++) {
      const word = words[i] as Word;
      if (/^-[a-z]*c$/.test(word.text)) {
        const body = words[i + 1];
        if (body) this.#runText(this.#inside(body, at.text), state, at.via, at.flags, at.depth + 1);
        return;
      }
      if (word.text.startsWith('-') || word.text.startsWith('+')) {
        if (word.text === '-o') i++;
        continue;
      }
      return this.#runFile(words.slice(i), at, state, true);
    }
  }

  #runNode(name: string, words: readonly Word[], at: Site, state: ShellState): void {
    const isWatch = name === 'tsx' && words[0]?.text === 'watch';
    const { entry, flags, preloads, envFiles, isDevelopment, script } = readNodeArguments(isWatch ? words.slice(1) : words);
    let env = state.env;
    for (const file of envFiles) {
      // The environment of the process takes precedence over --env-file.
      if (env.kind === 'unset') env = this.#readEnvFile(file.path, { cwd: state.cwd, env });
      if (env.kind === 'unknown' && file.isOptional) env = UNKNOWN;
    }
    const inner = { ...state, env };
    if (script !== undefined) return this.#runScript(script, flags, at, inner, undefined);
    if (!entry || entry.expands) return;
    // `node node_modules/.bin/next start` is that command.
    const tool = /^(?:\.\/|\/.*\/)?node_modules\/(?:\.bin\/|(@[^/]+\/[^/]+|[^/]+)\/)/.exec(entry.text);
    if (tool)
      return this.#runWords(
        [{ ...entry, text: tool[1] ? basename(tool[1]) : basename(entry.text) }, ...words.slice(words.indexOf(entry) + 1)],
        at,
        inner,
        env,
      );
    this.#start([entry], name, flags, preloads, at, inner, isDevelopment || isWatch || DEVELOPMENT_RUNNERS.has(name));
  }

  #runManager(name: string, words: readonly Word[], at: Site, state: ShellState): void {
    const call = readManagerCall(name, words.slice(1), (script) => this.#manifest(state.cwd)?.scripts.has(script) ?? false);
    if (!call) return;
    let cwd = call.folder === undefined ? state.cwd : join(state.cwd, call.folder);
    if (call.workspace !== undefined) cwd = this.#workspaceFolder(state.cwd, call.workspace) ?? join(state.cwd, call.workspace);
    const inner = { ...state, cwd };
    if (call.words) return this.#runWords(call.words, at, inner, inner.env);
    const setsIt =
      name === 'npm' &&
      (call.omitsDev ||
        state.npmOmitsDev ||
        /^[ \t]*(?:omit[ \t]*=[ \t]*dev|production[ \t]*=[ \t]*true)[ \t]*$/m.test(this.#readIn('.npmrc', cwd) ?? ''));
    if (setsIt) inner.env = { kind: 'value', value: 'production', place: undefined };
    if (call.script !== undefined) this.#runScript(call.script, [...call.flags, ...at.flags], at, inner, name);
  }

  #runScript(script: string, flags: readonly string[], at: Site, state: ShellState, manager: string | undefined): void {
    const manifest = this.#manifest(state.cwd);
    if (!manifest) return;
    const found = manifest.scripts.get(script);
    if (found) {
      const shown = script === 'start' && manager ? `${manager} start` : `${manager ?? 'node --'} run ${script}`;
      const step: Via = { path: manifest.path, span: found.span, message: `\`${shown}\` runs this script` };
      const before = this.#outcome.starts.length;
      this.#runText(
        mappedShellText(manifest.path, found.text, found.offsets),
        { ...state, variable: undefined, rest: undefined },
        [...at.via, step],
        flags,
        at.depth + 1,
      );
      if (purposeOf(script) === 'development') for (const start of this.#outcome.starts.slice(before)) start.isDevelopment = true;
    } else if (script === 'start' && manager === 'npm') {
      // Without a start script, npm runs `node server.js`.
      const head = at.command.words[0];
      if (head) this.#start([{ ...head, text: 'server.js' }], 'node', flags, [], at, state, false);
    }
  }

  #runMany(words: readonly Word[], at: Site, state: ShellState): void {
    for (const word of words) {
      if (word.text.startsWith('-') || word.expands) continue;
      const script = word.text.replace(/^(?:npm|yarn|pnpm):/, '');
      if (this.#manifest(state.cwd)?.scripts.has(script)) this.#runScript(script, [], at, state, 'npm');
      else if (/\s/.test(word.text)) this.#runText(this.#inside(word, at.text), state, at.via, [], at.depth + 1);
    }
  }

  #runPm2(name: string, words: readonly Word[], at: Site, state: ShellState): void {
    const call = readPm2(name, words.slice(1));
    if (!call) return;
    if (call.ecosystem !== undefined) {
      const path = this.#find(call.ecosystem, state.cwd);
      if (path === undefined) this.#outcome.isHidden = true;
      else this.#outcome.ecosystems.push({ path, envName: call.envName, env: state.env, place: at.place, via: at.via });
      return;
    }
    const word = call.target;
    if (!word) return;
    if (/\s/.test(word.text)) return this.#runText(this.#inside(word, at.text), state, at.via, [], at.depth + 1);
    if (!/[./]/.test(word.text) && this.#find(word.text, state.cwd) === undefined) {
      const argumentWords = words.slice(words.indexOf(word) + 1).filter((other) => other.text !== '--');
      return this.#runWords([word, ...argumentWords], at, state, state.env);
    }
    this.#start([word], name, call.flags, [], at, state, call.isDevelopment);
  }

  #startNest(words: readonly Word[], at: Site, state: ShellState): void {
    const project = words.slice(2).find((word) => !word.text.startsWith('-'));
    const isDevelopment = words.some((word) => /^(?:--watch|-w|--debug|-d)$/.test(word.text));
    const head = words[0] as Word;
    this.#start(
      [{ ...head, text: 'dist/main.js' }, ...(project ? [{ ...head, text: `apps/${project.text}/src/main.ts` }] : [])],
      'nest start',
      [],
      [],
      at,
      state,
      isDevelopment,
    );
  }

  /** A command that is a file: a shell script, or a program that starts with `#!/usr/bin/env node`. */
  #runFile(words: readonly Word[], at: Site, state: ShellState, isShell = false): void {
    const head = words[0];
    if (!head || head.expands) return;
    const ownBin = this.#manifest(state.cwd)?.bin.get(head.text);
    const path = this.#find(ownBin ?? head.text, state.cwd) ?? (head.text.includes('/') ? undefined : this.#find(head.text, PATH_FOLDER));
    const text = path === undefined ? undefined : this.#files.readText(path);
    if (path === undefined || text === undefined) {
      // A script outside the project may set anything. A bare word is a program of the system.
      if (isShell || /\.(?:sh|bash)$/.test(head.text) || /^\.{0,2}\//.test(head.text)) this.#hide(state);
      if (this.#outcome.isHidden) this.#followUnreadable(words, at, state);
      return;
    }
    const shebang = /^\uFEFF?#!.*/.exec(text)?.[0] ?? '';
    if (/\bnode\b|\btsx\b|ts-node/.test(shebang))
      return this.#start(
        [{ ...head, text: ownBin ?? head.text }],
        '',
        words.slice(1).map((word) => word.text),
        [],
        at,
        state,
        false,
      );
    if (!isShell && !/\bsh\b|\b[bdkz]?a?sh\b/.test(shebang) && !/\.(?:sh|bash)$/.test(path)) return;
    const before = this.#outcome.starts.length;
    this.#runText(shellText(path, text), { ...state, rest: { words: words.slice(1), text: at.text } }, at.via, [], at.depth + 1);
    if (purposeOf(basename(path)) === 'development') for (const start of this.#outcome.starts.slice(before)) start.isDevelopment = true;
  }

  /** An entrypoint that cannot be read usually ends with `exec "$@"`: its words are followed, in an unknown environment. */
  #followUnreadable(words: readonly Word[], at: Site, state: ShellState): void {
    const rest = words.slice(1);
    if (rest.length > 0)
      this.#runWords(
        rest,
        at,
        { ...state, env: state.env.kind === 'value' ? state.env : UNKNOWN },
        state.env.kind === 'value' ? state.env : UNKNOWN,
      );
  }

  #start(
    targets: readonly Word[],
    runner: string,
    flags: readonly string[],
    preloads: readonly string[],
    at: Site,
    state: ShellState,
    isDevelopment: boolean,
  ): void {
    const candidates = targets.flatMap((target) => this.#terrain.candidates(target.text, state.cwd));
    let entry: string | undefined;
    for (const candidate of candidates) entry ??= this.#files.findModule(candidate);
    const target = targets[0]?.text ?? '';
    const ownFolder = this.#manifest(state.cwd)?.folder;
    const folder = ownFolder ?? this.#terrain.candidates('.', state.cwd)[0];
    const manifestFolder = entry === undefined ? ownFolder : dirname(entry);
    const shown = runner === '' || runner.includes(' ') ? runner || target : `${runner} ${target}`;
    this.#outcome.starts.push({
      env: state.env,
      entry,
      mayBeUnseen: !/\.\w+$/.test(target) || candidates.some((candidate) => isBuiltPath(candidate, this.#files.root)),
      manifestFolder,
      folder,
      shown,
      flags: [...flags, ...at.flags],
      preloads,
      place: at.place,
      via: at.via,
      isDevelopment:
        isDevelopment ||
        (entry !== undefined &&
          /(?:^|\/)(?:examples?|tests?|__tests__|fixtures|benchmarks?|docs?|scripts?|tools?)\//.test(
            `${dirname(entry).slice(this.#files.root.length)}/`,
          )),
    });
  }

  #manifest(cwd: string): Manifest | undefined {
    for (const path of this.#terrain.candidates('package.json', cwd)) {
      const manifest = this.#files.manifestAt(path);
      if (manifest) return manifest;
    }
    return undefined;
  }

  #workspaceFolder(cwd: string, name: string): string | undefined {
    const short = basename(name);
    for (const folder of [name, `packages/${short}`, `apps/${short}`, `services/${short}`, `libs/${short}`, short]) {
      if (this.#manifest(join(cwd, folder))) return join(cwd, folder);
    }
    return undefined;
  }

  #find(path: string, cwd: string): string | undefined {
    return this.#terrain.candidates(path, cwd).find((candidate) => this.#files.has(candidate));
  }

  #readIn(path: string, cwd: string): string | undefined {
    const found = this.#find(path, cwd);
    return found === undefined ? undefined : this.#files.readText(found);
  }

  /** The shell text inside a quoted word: `sh -c "…"`. */
  #inside(word: Word, text: CommandText): CommandText {
    const place = text.place(word.start, word.end);
    const raw = this.#files.readText(place.path)?.slice(place.span.start, place.span.end) ?? '';
    const quote = /^["']/.test(raw) ? 1 : 0;
    return raw.slice(quote, raw.length - quote) === word.text
      ? shellText(place.path, word.text, place.span.start + quote)
      : opaqueShellText(place, word.text);
  }
}

interface Site {
  text: CommandText;
  command: SimpleCommand;
  /** Where the simple command stands. */
  place: Place;
  via: readonly Via[];
  flags: readonly string[];
  depth: number;
}
