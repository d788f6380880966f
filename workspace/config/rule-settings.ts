// Severity and options of every rule for one file: defaults, then the configuration, its overrides, then `--rule`.
import { dirname, relative, sep } from 'node:path';
import type { Severity } from '../../protocol/finding.ts';
import type { AnyRule } from '../../analysis/rule.ts';
import { defaultSettings, type RuleSetting, type RuleSettings } from '../../analysis/run/rule-settings.ts';
import type { RuleConfigs } from './config.ts';
import type { LoadedConfig } from './config-finder.ts';
import type { ProjectFinder } from '../project.ts';
import { compileGlobs, type PathTest } from '../discovery/globs.ts';

interface Matchers {
  overrides: readonly PathTest[];
  /** Settings by the overrides that apply, written as a string of 0 and 1: files of equal settings share one object. */
  settings: Map<string, RuleSettings>;
}

export class SettingsResolver {
  readonly #defaults: RuleSettings;
  readonly #severities: ReadonlyMap<string, Severity>;
  readonly #base: RuleConfigs;
  readonly #last: RuleConfigs;
  readonly #hasLast: (file: string) => boolean;
  readonly #byConfig = new Map<LoadedConfig, Matchers>();

  /** `severities` and `last` win over the configuration, the configuration over `base`. `hasLast`: for which files `last` holds. */
  constructor(
    rules: readonly AnyRule[],
    severities: ReadonlyMap<string, Severity>,
    {
      base = new Map(),
      last = new Map(),
      hasLast = () => true,
    }: { base?: ReadonlyMap<string, Severity>; last?: RuleConfigs; hasLast?: (file: string) => boolean } = {},
  ) {
    this.#last = last;
    this.#hasLast = hasLast;
    this.#defaults = defaultSettings(rules);
    this.#severities = severities;
    this.#base = new Map([...base].map(([id, severity]) => [id, { severity, options: {} }]));
  }

  /** Compiles the globs of a configuration, once. The glob library is loaded by those who have overrides. */
  async prepare(config: LoadedConfig): Promise<void> {
    if (this.#byConfig.has(config)) return;
    const overrides: PathTest[] = [];
    for (const override of config.overrides) overrides.push(await compileGlobs(override.files, (globs) => config.tooSlow?.(globs)));
    this.#byConfig.set(config, { overrides, settings: new Map() });
  }

  forFile(file: string, config: LoadedConfig): RuleSettings {
    const matchers = this.#byConfig.get(config);
    if (!matchers) throw new Error(`no settings were prepared for ${file}`);
    // Most projects have no overrides; then no path is worked out.
    const path = matchers.overrides.length === 0 ? '' : relative(config.folder, file).split(sep).join('/');
    const applies = matchers.overrides.map((matches) => matches(path));
    const hasLast = this.#hasLast(file);
    const key = [...applies, hasLast].map((yes) => (yes ? '1' : '0')).join('');
    let settings = matchers.settings.get(key);
    if (!settings) {
      settings = this.#merge([
        this.#base,
        config.rules,
        ...config.overrides.filter((_, i) => applies[i]).map((override) => override.rules),
        hasLast ? this.#last : new Map(),
      ]);
      matchers.settings.set(key, settings);
    }
    return settings;
  }

  #merge(layers: readonly RuleConfigs[]): RuleSettings {
    const settings: Record<string, RuleSetting> = { ...this.#defaults };
    for (const layer of layers) {
      for (const [id, config] of layer) {
        const before = settings[id];
        if (!before) continue;
        settings[id] = {
          severity: config.severity ?? before.severity,
          explicit: before.explicit || config.severity !== undefined,
          options: { ...before.options, ...config.options },
        };
      }
    }
    for (const [id, severity] of this.#severities) {
      const before = settings[id];
      if (before) settings[id] = { ...before, severity, explicit: true };
    }
    return settings;
  }
}

/** Whether callers of exported functions count, too. `in-libraries`: only of packages that others use. */
export type ExportsMode = boolean | 'in-libraries';

/** What `--exports` sets: rules that look at library code, too, do so. */
export function settingsWith(
  exports: ExportsMode | undefined,
  rules: readonly AnyRule[],
  severities: ReadonlyMap<string, Severity>,
  projects: ProjectFinder,
): SettingsResolver {
  if (!exports) return new SettingsResolver(rules, severities);
  const last = new Map(
    rules.filter(({ meta }) => Object.hasOwn(meta.options, EXPORTS)).map(({ meta }) => [meta.id, { options: { [EXPORTS]: true } }]),
  );
  return new SettingsResolver(rules, severities, { last, hasLast: (file) => exports === true || projects.isInLibrary(dirname(file)) });
}

const EXPORTS = 'exports';
