// The findings of the file that ESLint lints: asked for once, for all rules.
import type { IndexClient } from './index-client.ts';
import type { Problem, Reported } from './questions.ts';

/** Default of `timeLimit`, in s. A cold run over 1,500 files takes a few. Our choice. */
const TIME_LIMIT_S = 60;

export interface Asked {
  /** Absolute path. */
  file: string;
  text: string;
  cwd: string;
  /** `settings.nodometer` of ESLint's configuration. */
  settings: unknown;
}

export interface FileAnswer {
  found: readonly Reported[];
  /** Only for the rule that asked first. */
  problems: readonly Problem[];
}

interface Settings {
  timeLimit: number;
  hints: boolean;
  problem?: Problem;
}

export class FileFindings {
  readonly #client: IndexClient;
  #last: { asked: Asked; found: readonly Reported[]; rules: Set<string> } | undefined;
  /** Problems of all files, and the file in which each was told. */
  readonly #told = new Map<string, string>();

  constructor(client: IndexClient) {
    this.#client = client;
  }

  of(asked: Asked, ruleId: string): FileAnswer {
    const last = this.#last;
    // A rule that asks again does so because the file is linted again: other files may have changed since.
    if (last && last.asked.file === asked.file && last.asked.text === asked.text && !last.rules.has(ruleId)) {
      last.rules.add(ruleId);
      return { found: last.found, problems: [] };
    }
    const { timeLimit, hints, problem: wrong } = readSettings(asked.settings);
    const { file, text, cwd } = asked;
    const { found: all, problem } = this.#client.ask({ file, text, cwd }, timeLimit * 1000);
    const found = hints ? all : all.filter(({ isHint }) => !isHint);
    this.#last = { asked, found, rules: new Set([ruleId]) };
    return { found, problems: [wrong, problem].flatMap((one) => (one && this.#isToTell(one, file) ? [one] : [])) };
  }

  #isToTell({ message, at }: Problem, file: string): boolean {
    if (at) return true;
    const toldIn = this.#told.get(message);
    this.#told.set(message, toldIn ?? file);
    return toldIn === undefined || toldIn === file;
  }
}

function readSettings(given: unknown): Settings {
  const defaults = { timeLimit: TIME_LIMIT_S, hints: true };
  if (given === undefined) return defaults;
  if (typeof given !== 'object' || given === null) return { ...defaults, problem: { message: '`settings.nodometer` must be an object.' } };
  const settings: Settings = { ...defaults };
  for (const [name, value] of Object.entries(given)) {
    if (name === 'timeLimit' && typeof value === 'number' && value > 0) settings.timeLimit = Math.min(value, 3600);
    else if (name === 'hints' && typeof value === 'boolean') settings.hints = value;
    else
      settings.problem = {
        message: `\`settings.nodometer.${name}\` is not used: there are only \`timeLimit\` (seconds) and \`hints\` (true or false). Options of rules are in nodometer.config.json.`,
      };
  }
  return settings;
}
