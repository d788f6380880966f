// Judges one start: whether NODE_ENV matters to the program, and whether the program gets `production`.
import type { ProjectInfo } from '../../protocol/project.ts';
import { findEffects, loadsServer, type Effects } from './effects.ts';
import { EXAMPLE_ENV_FILES, findNodeEnv } from '../../analysis/deployment/env-file.ts';
import type { EnvState, Place, Start } from '../../analysis/deployment/launch.ts';
import { dirname, join } from '../../analysis/deployment/paths.ts';
import { EXPRESS_ERRORS } from '../../knowledge/node-env-packages.ts';
import { OwnAnswers } from './own-answers.ts';
import { readProgram, type Program } from './program.ts';
import type { Manifest, ProjectFiles } from '../../analysis/deployment/project-files.ts';
import { judgeValue } from './values.ts';

export type Verdict =
  /** Gets `production`, or sets it itself. */
  | { kind: 'fine' }
  /** Unknown, or deliberately set to something else. */
  | { kind: 'quiet' }
  | { kind: 'missing'; isWeak: boolean }
  | { kind: 'host'; env: EnvState & { kind: 'host' } }
  | { kind: 'misspelt' | 'development'; value: string; place: Place | undefined };

export interface Judged {
  start: Start;
  effects: Effects;
  manifest: Manifest | undefined;
  verdict: Verdict;
}

export class Judge {
  readonly #files: ProjectFiles;
  readonly #info: ProjectInfo;
  readonly #own: OwnAnswers;
  readonly #programs = new Map<string, Program>();

  constructor(files: ProjectFiles, info: ProjectInfo) {
    this.#files = files;
    this.#info = info;
    this.#own = new OwnAnswers(files, info);
  }

  /** The server among the starts to which NODE_ENV matters; undefined if there is none. `env` replaces the start's own. */
  findServer(starts: readonly Start[], purpose: 'development' | 'production' | undefined, env?: EnvState): Judged | undefined {
    let last: Judged | undefined;
    for (const start of starts) {
      // A file that does not exist and is not built from one that does: its behavior is unknown.
      if (start.entry === undefined && !start.mayBeUnseen) continue;
      const manifest = start.manifestFolder === undefined ? undefined : this.#files.nearestManifest(start.manifestFolder);
      const program = this.#program(start);
      const effects = this.#effects(program, manifest);
      if (!effects) continue;
      const verdict: Verdict =
        effects.text === '' ? { kind: 'quiet' } : this.#verdict({ ...start, env: env ?? start.env }, program, purpose);
      const judged = { start, effects, manifest, verdict };
      // `node migrate.js && node server.js`: prefers one that certainly loads a server, else the last one that may.
      if (program && loadsServer(program)) return judged;
      last = judged;
    }
    return last;
  }

  #effects(program: Program | undefined, manifest: Manifest | undefined): Effects | undefined {
    const effects = findEffects(program, manifest);
    const isAboutErrors = effects?.text.includes(EXPRESS_ERRORS) === true && program !== undefined;
    return isAboutErrors && this.#own.answersErrors(program) ? findEffects(program, manifest, true) : effects;
  }

  #program(start: Start): Program | undefined {
    if (start.entry === undefined) return undefined;
    const key = `${start.entry}\n${start.preloads.join('\n')}\n${start.folder ?? ''}`;
    let program = this.#programs.get(key);
    if (!program) {
      program = readProgram(start.entry, start.preloads, start.folder, this.#files, this.#info);
      this.#programs.set(key, program);
    }
    return program;
  }

  #verdict(start: Start, program: Program | undefined, purpose: 'development' | 'production' | undefined): Verdict {
    // The sources set it in any case, or under a condition that is only known at run time.
    if (program?.setsNodeEnv === 'perhaps') return { kind: 'quiet' };
    const { env } = start;
    if (env.kind === 'unknown') return { kind: 'quiet' };
    if (env.kind === 'value') return judgedValue(env.value, env.place, purpose);
    if (program?.setsNodeEnv === 'production') return { kind: 'fine' };
    if (start.isDevelopment && purpose !== 'production') return { kind: 'quiet' };
    // sails and other frameworks of its age accept `--prod`.
    if (start.flags.some((flag) => /^--?(?:prod(?:uction)?|env(?:ironment)?=prod(?:uction)?)$/.test(flag))) return { kind: 'quiet' };
    if (program && this.#own.preparesNext(program)) return { kind: 'quiet' };
    let isWeak = false;
    for (const path of program?.envFiles ?? []) {
      const found = findNodeEnv(this.#files.readText(path) ?? '');
      if (found) return judgedValue(found.value, { path, span: found.span }, purpose);
      const example = EXAMPLE_ENV_FILES.map((name) => findNodeEnv(this.#files.readText(join(dirname(path), name)) ?? '')).find(Boolean);
      if (example) {
        if (example.value === 'production' || example.value === '') return { kind: 'quiet' };
        isWeak = true;
      }
    }
    return env.kind === 'host' ? { kind: 'host', env } : { kind: 'missing', isWeak };
  }
}

function judgedValue(value: string, place: Place | undefined, purpose: 'development' | 'production' | undefined): Verdict {
  switch (judgeValue(value)) {
    case 'production':
      return { kind: 'fine' };
    case 'misspelt':
      return { kind: 'misspelt', value, place };
    case 'development':
      return purpose === 'production' ? { kind: 'development', value, place } : { kind: 'quiet' };
    case 'empty':
      return { kind: 'missing', isWeak: false };
    case 'other':
      return { kind: 'quiet' };
  }
}
