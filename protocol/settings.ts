// The one table of editor settings: the manifest, the README and the decoder are made from it.
import { isRecord } from './unknown-values.ts';
import type { Severity } from './finding.ts';

/**
 * Where VS Code lets a setting be written. `resource`: per folder. `window`: per window.
 * `machine-overridable`: not carried from machine to machine, because its value is a path.
 */
export type SettingScope = 'resource' | 'window' | 'machine-overridable';

interface CommonSpec {
  scope: SettingScope;
  /** Names an executable or is otherwise unsafe: ignored in a workspace that the user does not trust. */
  restricted?: true;
}

export interface BooleanSetting extends CommonSpec {
  type: 'boolean';
  default: boolean;
}
export interface NumberSetting extends CommonSpec {
  /** A whole number. */
  type: 'number';
  default: number;
  minimum: number;
}
export interface TextSetting extends CommonSpec {
  type: 'string';
  default: string;
  /** `node-range`: empty, or a semver range. */
  format?: 'node-range';
}
export interface ChoiceSetting extends CommonSpec {
  type: 'choice';
  default: string;
  values: readonly string[];
}
/** Rule id to severity. */
export interface RulesSetting extends CommonSpec {
  type: 'rules';
  default: Readonly<Record<string, Severity>>;
}
export type SettingSpec = BooleanSetting | NumberSetting | TextSetting | ChoiceSetting | RulesSetting;

/** 1 MiB, the terminal's limit: larger files are bundles and data. */
const MAX_FILE_SIZE = 1_048_576;

/** By key without the leading `nodometer.`, in the order in which they are shown. Texts are in package.nls.json under `settings.<key>`. */
export const SETTINGS = {
  enable: { type: 'boolean', default: true, scope: 'resource' },
  run: { type: 'choice', default: 'onType', values: ['onType', 'onSave'], scope: 'resource' },
  lintScope: { type: 'choice', default: 'openFiles', values: ['openFiles', 'workspace'], scope: 'window' },
  'index.enable': { type: 'boolean', default: true, scope: 'resource' },
  rules: { type: 'rules', default: {}, scope: 'resource' },
  node: { type: 'string', default: '', format: 'node-range', scope: 'resource' },
  maxFileSize: { type: 'number', default: MAX_FILE_SIZE, minimum: 1, scope: 'resource' },
  reportUnusedDisables: { type: 'boolean', default: true, scope: 'resource' },
  baseline: { type: 'choice', default: 'fade', values: ['fade', 'hint', 'show'], scope: 'resource' },
  'codeAction.disableComment.enable': { type: 'boolean', default: true, scope: 'resource' },
  'codeAction.disableComment.location': {
    type: 'choice',
    default: 'separateLine',
    values: ['separateLine', 'sameLine'],
    scope: 'resource',
  },
  'codeAction.showDocumentation': { type: 'boolean', default: true, scope: 'resource' },
  'hover.enable': { type: 'boolean', default: true, scope: 'resource' },
  'codeLens.routes': { type: 'boolean', default: true, scope: 'resource' },
  'profile.seconds': { type: 'number', default: 5, minimum: 1, scope: 'resource' },
  'profile.programSeconds': { type: 'number', default: 10, minimum: 1, scope: 'resource' },
  'profile.confirm': { type: 'choice', default: 'ask', values: ['ask', 'never'], scope: 'resource', restricted: true },
  'profile.readOnly': { type: 'boolean', default: false, scope: 'resource' },
  'load.connections': { type: 'number', default: 10, minimum: 1, scope: 'resource' },
  nodePath: { type: 'string', default: '', scope: 'machine-overridable', restricted: true },
  'trace.server': { type: 'choice', default: 'off', values: ['off', 'messages', 'verbose'], scope: 'window' },
} as const satisfies Record<string, SettingSpec>;

export type SettingKey = keyof typeof SETTINGS;

type ValueOf<S extends SettingSpec> = S extends { values: readonly (infer V)[] }
  ? V
  : S extends BooleanSetting
    ? boolean
    : S extends NumberSetting
      ? number
      : S extends TextSetting
        ? string
        : Readonly<Record<string, Severity>>;

export type EditorSettings = { readonly [K in SettingKey]: ValueOf<(typeof SETTINGS)[K]> };

export interface DecodedSettings {
  settings: EditorSettings;
  /** One sentence for each value that could not be used. */
  problems: readonly string[];
}

export interface SettingsKnowledge {
  /** Ids of all rules; when it is missing, any id is taken. */
  ruleIds?: readonly string[];
  /** Whether a text is a semver range; when it is missing, any text is taken. */
  isNodeRange?: (text: string) => boolean;
}

/** From quiet to loud, as they are offered. */
export const SEVERITY_CHOICES: readonly Severity[] = ['off', 'hint', 'warning', 'error'];

/**
 * The section `nodometer` as an editor sends it, nested (`{ hover: { enable } }`) or with dots in its keys. Missing values take their
 * defaults silently, bad ones with a problem.
 */
export function decodeSettings(section: unknown, knowledge: SettingsKnowledge = {}): DecodedSettings {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  const given = new Map<string, unknown>();
  if (isRecord(section)) collect(section, '', given);
  else if (section !== undefined && section !== null)
    problems.push(`\`nodometer\` must be an object with settings, not ${shown(section)}. The defaults are used.`);
  for (const [key, spec] of Object.entries<SettingSpec>(SETTINGS)) {
    const value = given.get(key);
    given.delete(key);
    values[key] = value === undefined || value === null ? spec.default : decode(key, spec, value, knowledge, problems);
  }
  for (const key of given.keys()) problems.push(`Unknown setting \`nodometer.${key}\` is ignored.`);
  // Every key of the table was given a value of its type above.
  return { settings: values as unknown as EditorSettings, problems };
}

/** What holds when an editor says nothing. */
export function defaultEditorSettings(): EditorSettings {
  return decodeSettings(undefined).settings;
}

/** Walks down until a key of the table is met; `rules` is one value, whatever it holds. */
function collect(object: Readonly<Record<string, unknown>>, prefix: string, given: Map<string, unknown>): void {
  for (const [name, value] of Object.entries(object)) {
    const key = `${prefix}${name}`;
    if (!Object.hasOwn(SETTINGS, key) && isRecord(value) && isGroup(key)) collect(value, `${key}.`, given);
    else given.set(key, value);
  }
}

function isGroup(key: string): boolean {
  return Object.keys(SETTINGS).some((known) => known.startsWith(`${key}.`));
}

function decode(key: string, spec: SettingSpec, value: unknown, knowledge: SettingsKnowledge, problems: string[]): unknown {
  const reject = (expected: string): unknown => {
    problems.push(`\`nodometer.${key}\` must be ${expected}, not ${shown(value)}. The default (${JSON.stringify(spec.default)}) is used.`);
    return spec.default;
  };
  switch (spec.type) {
    case 'boolean':
      return typeof value === 'boolean' ? value : reject('true or false');
    case 'number':
      return typeof value === 'number' && Number.isSafeInteger(value) && value >= spec.minimum
        ? value
        : reject(`a whole number of at least ${spec.minimum}`);
    case 'string':
      if (typeof value !== 'string') return reject('a string');
      if (spec.format === 'node-range' && value.trim() !== '' && knowledge.isNodeRange?.(value) === false)
        return reject('a semver range such as ">=20", or empty');
      return value.trim();
    case 'choice':
      return typeof value === 'string' && spec.values.includes(value) ? value : reject(oneOf(spec.values));
    case 'rules':
      return isRecord(value) ? decodeRules(key, value, knowledge.ruleIds, problems) : reject('an object with rule ids as keys');
  }
}

/** A bad entry loses itself only; the others hold. */
function decodeRules(
  key: string,
  value: Readonly<Record<string, unknown>>,
  ruleIds: readonly string[] | undefined,
  problems: string[],
): Readonly<Record<string, Severity>> {
  const rules: Record<string, Severity> = {};
  for (const [id, wanted] of Object.entries(value)) {
    const severity = SEVERITY_CHOICES.find((choice) => choice === wanted);
    if (ruleIds && !ruleIds.includes(id))
      problems.push(`\`nodometer.${key}\` names an unknown rule, "${id}". Known rules: ${ruleIds.join(', ')}.`);
    else if (severity) rules[id] = severity;
    else if (wanted !== null)
      problems.push(
        `\`nodometer.${key}.${id}\` must be ${oneOf(SEVERITY_CHOICES)}, not ${shown(wanted)}. The rule keeps its default severity.`,
      );
  }
  return rules;
}

/** `"a", "b" or "c"`. */
function oneOf(values: readonly string[]): string {
  const quoted = values.map((value) => `"${value}"`);
  return `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1) ?? ''}`;
}

/** Long enough to recognize a value, short enough for one line. */
const MAX_SHOWN = 60;

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
