// Finds the configuration that holds for a folder: the nearest nodometer.config.json on the way up. It stands alone; outer ones are not
// merged in.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ignore from 'ignore';
import { MOST_BYTES, readTextFile } from '../../files/read-text-file.ts';
import type { AnyRule } from '../../analysis/rule.ts';
import { inTime, mayBeSlow } from '../discovery/globs.ts';
import { EMPTY_CONFIG, type Config } from './config.ts';
import { CommandError, ConfigError } from '../errors.ts';
import { statsOf } from '../../files/path-stats.ts';

export const CONFIG_NAME = 'nodometer.config.json';

export interface LoadedConfig extends Config {
  /** The file, when there is one. */
  path?: string;
  /** Folder that the globs are relative to. */
  folder: string;
  /** Tells the file as it was read from other states of it; undefined when there is no file. */
  stamp?: string;
  /** Made of `ignores`; undefined when there are none. */
  ignored?: { ignores(path: string): boolean };
  /** Called with patterns of the file that are not applied because they take too long. */
  tooSlow?(patterns: string): void;
}

export interface ConfigSource {
  /** A file for everything, instead of looking for one; globs are then relative to the working directory. */
  fixed?: string;
  /** False: every folder has the empty configuration. */
  search: boolean;
  cwd: string;
  rules: readonly AnyRule[];
  /** Called with what is not applied. */
  warn(message: string): void;
  /** What to use in place of a configuration that cannot be used. Without it, the error ends the run. */
  recover?(path: string, error: CommandError): LoadedConfig | undefined;
}

export class ConfigFinder {
  readonly #source: ConfigSource;
  readonly #byFolder = new Map<string, LoadedConfig>();
  readonly #empty: LoadedConfig;
  #fixed: LoadedConfig | undefined;

  constructor(source: ConfigSource) {
    this.#source = source;
    this.#empty = { ...EMPTY_CONFIG, folder: source.cwd };
  }

  /** Reads the fixed configuration, so that a broken one is reported before anything else. */
  async prepare(): Promise<void> {
    const { fixed, cwd } = this.#source;
    if (fixed !== undefined) this.#fixed = await this.#load(fixed, cwd);
  }

  async forFolder(folder: string): Promise<LoadedConfig> {
    return this.#byFolder.get(folder) ?? this.#find(folder);
  }

  /** For a folder that `forFolder` was asked about before. */
  known(folder: string): LoadedConfig {
    return this.#byFolder.get(folder) ?? this.#fixed ?? this.#empty;
  }

  async #find(folder: string): Promise<LoadedConfig> {
    const path = join(folder, CONFIG_NAME);
    const parent = dirname(folder);
    let config: LoadedConfig;
    if (this.#fixed) config = this.#fixed;
    else if (!this.#source.search) config = this.#empty;
    else if (existsSync(path)) config = await this.#loadOrRecover(path, folder);
    else config = parent === folder ? this.#empty : await this.forFolder(parent);
    this.#byFolder.set(folder, config);
    return config;
  }

  async #loadOrRecover(path: string, folder: string): Promise<LoadedConfig> {
    const stamp = stampOf(path);
    try {
      return await this.#load(path, folder);
    } catch (error) {
      if (!(error instanceof CommandError) || !this.#source.recover) throw error;
      return { ...(this.#source.recover(path, error) ?? { ...EMPTY_CONFIG, path, folder }), stamp };
    }
  }

  async #load(path: string, folder: string): Promise<LoadedConfig> {
    // Taken first: what is written between the two is read again, instead of never.
    const stamp = stampOf(path);
    const reading = readTextFile(path, MOST_BYTES.settings);
    if (!reading.ok)
      throw new CommandError(
        reading.problem === 'missing'
          ? `Cannot read the configuration file ${path}: ENOENT.`
          : `The configuration file ${path} ${reading.why}.`,
      );
    // The decoder and its JSON parser are loaded by those who have a configuration.
    const { decodeConfig } = await import('./config-decode.ts');
    const decoded = decodeConfig(path, reading.text, this.#source.rules);
    if (!decoded.ok) throw new ConfigError(decoded.problems);
    const { config } = decoded;
    const tooSlow = (patterns: string): void =>
      this.#source.warn(`${path}: the patterns ${patterns} take too long and are not applied. Use fewer wildcards.`);
    return { ...config, path, folder, stamp, tooSlow, ignored: ignoredBy(config.ignores, tooSlow) };
  }
}

function ignoredBy(patterns: readonly string[], tooSlow: (patterns: string) => void): LoadedConfig['ignored'] {
  if (patterns.length === 0) return undefined;
  const matcher = ignore().add([...patterns]);
  const slow = patterns.filter(mayBeSlow);
  if (slow.length === 0) return matcher;
  const rest = ignore().add(patterns.filter((pattern) => !mayBeSlow(pattern)));
  const ignores = inTime(
    (path) => matcher.ignores(path),
    (path) => rest.ignores(path),
    () => tooSlow(slow.map((pattern) => `\`${pattern}\``).join(', ')),
  );
  return { ignores };
}

/** Whether the configuration's file is another than when it was read, or gone. Costs one look at the disk. */
export function isOutdated({ path, stamp }: LoadedConfig): boolean {
  return path !== undefined && stampOf(path) !== stamp;
}

/** Whether there is by now a file nearer to the folder than this configuration's. Costs a look at the disk for each folder between them. */
export function isOvertaken({ path }: LoadedConfig, folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    const nearer = join(at, CONFIG_NAME);
    if (nearer === path) return false;
    if (existsSync(nearer)) return true;
    if (dirname(at) === at) return false;
  }
}

function stampOf(path: string): string | undefined {
  // A file that cannot be looked at is reported when it is read.
  const stats = statsOf(path);
  return stats && `${stats.mtimeMs} ${stats.size} ${stats.ino}`;
}
