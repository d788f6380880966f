// What holds for a file: its configuration, settings and project. Read from disk once and kept until something on disk changes.
import { existsSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import { RUNNING_NODE, type ProjectInfo } from '../../protocol/project.ts';
import type { EditorSettings } from '../../protocol/settings.ts';
import type { AnyRule } from '../../analysis/rule.ts';
import type { RuleSettings } from '../../analysis/run/rule-settings.ts';
import { EMPTY_CONFIG } from '../../workspace/config/config.ts';
import { ConfigFinder, type LoadedConfig } from '../../workspace/config/config-finder.ts';
import { ConfigError, type CommandError } from '../../workspace/errors.ts';
import { gitIgnoreOptions, type GitIgnoreOptions } from '../../workspace/discovery/git-ignore.ts';
import { findLeftOut, type Ignoring } from '../../workspace/discovery/left-out.ts';
import { ProjectFinder } from '../../workspace/project.ts';
import { insideOf } from '../../files/inside.ts';
import { DEFAULT_MAX_FILE_SIZE, type IsLinted } from '../../workspace/discovery/read-source.ts';
import { SettingsResolver } from '../../workspace/config/rule-settings.ts';
import type { SkipReason } from '../../workspace/discovery/skipped.ts';

export interface FileContext {
  config: LoadedConfig;
  settings: RuleSettings;
  project: ProjectInfo;
  /** Bytes. */
  maxFileSize: number;
  /** Why the file is not linted, when it is not. */
  leftOut: SkipReason | undefined;
  /** Whether another file, the source of a compiled one, is linted. */
  isLinted: IsLinted;
}

export interface ViewRequest {
  rules: readonly AnyRule[];
  /** Version of the Node that runs the user's programs, as far as it is known. */
  runningNode: string;
  platform: string;
  warn(message: string): void;
  /** A configuration cannot be used. Reported once, until it is mended or broken in another way. */
  broken(path: string, error: CommandError): void;
}

/** Where a range given in the editor's settings comes from, for people. */
export const NODE_SETTING_SOURCE = 'nodometer.node in the settings';

export class ProjectView {
  readonly #request: ViewRequest;
  readonly #lastGood = new Map<string, LoadedConfig>();
  #broken = new Set<string>();
  /** What was wrong with which configuration at the last warning. */
  readonly #warned = new Map<string, string>();
  #configs: ConfigFinder;
  #projects: ProjectFinder;
  #resolvers = new Map<EditorSettings, SettingsResolver>();
  #contexts = new Map<EditorSettings, Map<string, Promise<FileContext>>>();
  #generation = 0;

  constructor(request: ViewRequest) {
    this.#request = request;
    this.#configs = this.#newConfigs();
    this.#projects = this.#newProjects();
  }

  /** Counts the times that everything was forgotten. */
  get generation(): number {
    return this.#generation;
  }

  get projects(): ProjectFinder {
    return this.#projects;
  }

  get configs(): ConfigFinder {
    return this.#configs;
  }

  get git(): GitIgnoreOptions {
    const { platform, warn } = this.#request;
    return gitIgnoreOptions(platform, warn);
  }

  /** Forgets what was read, because something on disk or in the settings has changed. */
  reset(): void {
    this.#generation++;
    this.#configs = this.#newConfigs();
    this.#projects = this.#newProjects();
    this.#resolvers = new Map();
    this.#contexts = new Map();
    this.#broken = new Set();
    for (const path of [...this.#lastGood.keys(), ...this.#warned.keys()]) {
      if (existsSync(path)) continue;
      this.#lastGood.delete(path);
      this.#warned.delete(path);
    }
  }

  /** `folder` is the workspace folder that holds the path, if any. */
  contextFor(path: string, folder: string | undefined, editor: EditorSettings): Promise<FileContext> {
    return this.#remember(`disk ${path}`, editor, () => this.#read(path, folder, editor));
  }

  /** For a document that lies on no disk: the editor's settings are all that is known. */
  contextWithoutDisk(path: string, editor: EditorSettings): Promise<FileContext> {
    return this.#remember(`elsewhere ${path}`, editor, () => this.#withoutDisk(path, editor));
  }

  #remember(key: string, editor: EditorSettings, read: () => Promise<FileContext>): Promise<FileContext> {
    let byKey = this.#contexts.get(editor);
    if (!byKey) this.#contexts.set(editor, (byKey = new Map()));
    let context = byKey.get(key);
    if (!context) byKey.set(key, (context = read()));
    return context;
  }

  async #withoutDisk(path: string, editor: EditorSettings): Promise<FileContext> {
    const config: LoadedConfig = { ...EMPTY_CONFIG, folder: dirname(path) };
    const resolver = this.#resolverFor(editor);
    await resolver.prepare(config);
    const project: ProjectInfo = editor.node
      ? { nodeRange: editor.node, nodeRangeSource: NODE_SETTING_SOURCE }
      : { nodeRange: this.#request.runningNode, nodeRangeSource: RUNNING_NODE };
    return {
      config,
      settings: resolver.forFile(path, config),
      project,
      maxFileSize: editor.maxFileSize,
      leftOut: isOfPackage(path) ? 'node-modules' : undefined,
      isLinted: () => false,
    };
  }

  async settingsFor(path: string, config: LoadedConfig, editor: EditorSettings): Promise<RuleSettings> {
    const resolver = this.#resolverFor(editor);
    await resolver.prepare(config);
    return resolver.forFile(path, config);
  }

  projectFor(folder: string, config: LoadedConfig, editor: EditorSettings): ProjectInfo {
    const fromEditor =
      config.node === undefined
        ? editor.node
          ? { range: editor.node, source: NODE_SETTING_SOURCE }
          : undefined
        : { range: config.node, source: `node in ${config.path ?? 'the configuration'}` };
    return this.#projects.infoFor(folder, fromEditor);
  }

  async #read(path: string, folder: string | undefined, editor: EditorSettings): Promise<FileContext> {
    const configs = this.#configs;
    const config = await configs.forFolder(dirname(path));
    const ignoring: Ignoring = { configs, useIgnoreFiles: true };
    // Outside of every workspace folder a file was opened for its own sake; only what others wrote is left alone.
    const leftOut =
      folder !== undefined ? await findLeftOut(path, folder, ignoring, this.git) : isOfPackage(path) ? 'node-modules' : undefined;
    if (config.path !== undefined && !this.#broken.has(config.path)) {
      this.#lastGood.set(config.path, config);
      this.#warned.delete(config.path);
    }
    return {
      config,
      leftOut,
      isLinted: (source) => {
        const inside = config.ignored && insideOf(config.folder, source);
        const isIgnored = inside !== undefined && config.ignored?.ignores(inside.split(sep).join('/'));
        return folder !== undefined && insideOf(folder, source) !== undefined && !isIgnored && existsSync(source);
      },
      settings: await this.settingsFor(path, config, editor),
      project: this.projectFor(dirname(path), config, editor),
      maxFileSize: config.maxFileSize ?? editor.maxFileSize ?? DEFAULT_MAX_FILE_SIZE,
    };
  }

  #resolverFor(editor: EditorSettings): SettingsResolver {
    let resolver = this.#resolvers.get(editor);
    if (!resolver)
      this.#resolvers.set(
        editor,
        (resolver = new SettingsResolver(this.#request.rules, new Map(), { base: new Map(Object.entries(editor.rules)) })),
      );
    return resolver;
  }

  #newConfigs(): ConfigFinder {
    const { rules, broken, warn } = this.#request;
    return new ConfigFinder({
      search: true,
      cwd: sep,
      rules,
      warn,
      recover: (path, error) => {
        this.#broken.add(path);
        if (this.#warned.get(path) !== error.message) broken(path, error);
        this.#warned.set(path, error.message);
        return this.#lastGood.get(path);
      },
    });
  }

  #newProjects(): ProjectFinder {
    const { runningNode, warn } = this.#request;
    return new ProjectFinder({ runningNode, warn });
  }
}

/** Whether it belongs to an installed package. */
function isOfPackage(path: string): boolean {
  return /[\\/]node_modules[\\/]/.test(path);
}

/** The places of a configuration's mistakes; one that cannot even be read is wrong at its start. */
export function problemsOf(path: string, error: CommandError): readonly { line: number; column: number; message: string }[] {
  if (!(error instanceof ConfigError)) return [{ line: 1, column: 1, message: error.message }];
  return error.problems.filter((problem) => problem.file === path);
}
