// Text of a nodometer.config.json to settings. Every mistake is reported with its place, what was expected, and what stood there.
import { getNodeValue, parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser';
import semver from 'semver';
import { SEVERITIES, type Severity } from '../../protocol/finding.ts';
import type { AnyRule, OptionSpec } from '../../analysis/rule.ts';
import { isTooDeep } from '../../analysis/deployment/json-tree.ts';
import { Source } from '../../analysis/module/source.ts';
import { LONGEST_PATTERN } from '../discovery/globs.ts';
import { didYouMean } from './closest-name.ts';
import { EMPTY_CONFIG, type Config, type Override, type RuleConfig, type RuleConfigs } from './config.ts';
import { listOf } from '../count.ts';
import type { ConfigProblem } from '../errors.ts';

export type DecodedConfig = { ok: true; config: Config } | { ok: false; problems: readonly ConfigProblem[] };

const FIELDS = ['$schema', 'node', 'rules', 'ignores', 'overrides', 'maxFileSize'];
const RULE_FIELDS = ['severity', 'options'];
const OVERRIDE_FIELDS = ['files', 'rules'];

export function decodeConfig(file: string, text: string, rules: readonly AnyRule[]): DecodedConfig {
  const source = new Source(file, text);
  const syntax: ParseError[] = [];
  const json = text.charCodeAt(0) === 0xfeff ? ` ${text.slice(1)}` : text;
  if (isTooDeep(json)) return { ok: false, problems: [{ file, line: 1, column: 1, message: 'the JSON is nested too deeply to be read.' }] };
  const root = parseTree(json, syntax, { allowTrailingComma: true });
  const first = syntax[0];
  if (first) {
    const { line, column } = source.positionAt(first.offset);
    return { ok: false, problems: [{ file, line, column, message: `invalid JSON: ${spaced(printParseErrorCode(first.error))}.` }] };
  }
  const decoder = new Decoder(source, rules);
  const config = root ? decoder.config(root) : decoder.fail(undefined, 'an object', 'nothing') && EMPTY_CONFIG;
  return decoder.problems.length > 0 ? { ok: false, problems: decoder.problems } : { ok: true, config };
}

class Decoder {
  readonly problems: ConfigProblem[] = [];
  readonly #source: Source;
  readonly #rules: ReadonlyMap<string, AnyRule>;

  constructor(source: Source, rules: readonly AnyRule[]) {
    this.#source = source;
    this.#rules = new Map(rules.map((rule) => [rule.meta.id, rule]));
  }

  fail(node: Node | undefined, expected: string, received: string = node ? describe(node) : 'nothing', more = ''): true {
    return this.#say(node, `expected ${expected}, got ${received}.${more}`);
  }

  #say(node: Node | undefined, message: string): true {
    const { line, column } = this.#source.positionAt(node?.offset ?? 0);
    this.problems.push({ file: this.#source.file, line, column, message });
    return true;
  }

  config(root: Node): Config {
    const config: { -readonly [K in keyof Config]: Config[K] } = { ...EMPTY_CONFIG };
    for (const [name, value, key] of this.#properties(root, 'the configuration', FIELDS)) {
      if (name === '$schema') this.#string(value, 'a string');
      else if (name === 'node') config.node = this.#nodeRange(value);
      else if (name === 'rules') config.rules = this.#ruleConfigs(value);
      else if (name === 'ignores') config.ignores = this.#patterns(value, 'an array of .gitignore patterns');
      else if (name === 'overrides') config.overrides = this.#items(value, 'an array of objects').map((item) => this.#override(item));
      else if (name === 'maxFileSize') config.maxFileSize = this.#bytes(value);
      else this.#unknown(key, 'setting', name, FIELDS);
    }
    return config;
  }

  #override(node: Node): Override {
    let files: readonly string[] | undefined;
    let rules: RuleConfigs | undefined;
    for (const [name, value, key] of this.#properties(node, 'an override', OVERRIDE_FIELDS)) {
      if (name === 'files') {
        files = this.#patterns(value, 'an array of globs');
        if (files.length === 0) this.fail(value, 'at least one glob', 'an empty array');
      } else if (name === 'rules') rules = this.#ruleConfigs(value);
      else this.#unknown(key, 'override field', name, OVERRIDE_FIELDS);
    }
    if (node.type === 'object') {
      if (!files) this.#say(node, 'an override requires `files`.');
      if (!rules) this.#say(node, 'an override requires `rules`.');
    }
    return { files: files ?? [], rules: rules ?? new Map() };
  }

  #ruleConfigs(node: Node): RuleConfigs {
    const configs = new Map<string, RuleConfig>();
    for (const [id, value, key] of this.#properties(node, '`rules`', [])) {
      const rule = this.#rules.get(id);
      if (rule) configs.set(id, this.#ruleConfig(value, rule));
      else this.#unknown(key, 'rule', id, this.#rules.keys());
    }
    return configs;
  }

  #ruleConfig(node: Node, rule: AnyRule): RuleConfig {
    if (node.type !== 'object') {
      if (node.type === 'string') return { severity: this.#severity(node), options: {} };
      this.fail(node, 'a severity or an object with `severity` and `options`');
      return { options: {} };
    }
    let severity: Severity | undefined;
    let options: Record<string, unknown> = {};
    for (const [name, value, key] of this.#properties(node, "the rule's settings", RULE_FIELDS)) {
      if (name === 'severity') severity = this.#severity(value);
      else if (name === 'options') options = this.#options(value, rule);
      else if (Object.hasOwn(rule.meta.options, name))
        this.#say(key, `\`${name}\` is an option of ${rule.meta.id}; move it into \`options\`.`);
      else this.#unknown(key, 'rule field', name, RULE_FIELDS);
    }
    return { severity, options };
  }

  #severity(node: Node): Severity | undefined {
    const found = SEVERITIES.find((severity) => severity === node.value);
    const expected = listOf(
      SEVERITIES.map((severity) => `"${severity}"`),
      'or',
    );
    if (!found) this.fail(node, expected, describe(node), node.type === 'string' ? didYouMean(String(node.value), SEVERITIES) : '');
    return found;
  }

  #options(node: Node, rule: AnyRule): Record<string, unknown> {
    const specs = rule.meta.options as Readonly<Record<string, OptionSpec>>;
    const options: Record<string, unknown> = {};
    for (const [name, value, key] of this.#properties(node, `the options of ${rule.meta.id}`, Object.keys(specs))) {
      const spec = Object.hasOwn(specs, name) ? specs[name] : undefined;
      if (spec) options[name] = this.#option(value, spec);
      else this.#unknown(key, `option of ${rule.meta.id}`, name, Object.keys(specs));
    }
    return options;
  }

  #option(node: Node, spec: OptionSpec): unknown {
    switch (spec.type) {
      case 'boolean':
        if (node.type !== 'boolean') this.fail(node, 'true or false');
        return node.value;
      case 'number':
        if (node.type !== 'number') this.fail(node, 'a number');
        else if (spec.minimum !== undefined && Number(node.value) < spec.minimum) this.fail(node, `a number of at least ${spec.minimum}`);
        return node.value;
      case 'string':
        if (node.type !== 'string') this.fail(node, 'a string');
        else if (spec.values && !spec.values.includes(String(node.value))) {
          this.fail(
            node,
            listOf(
              spec.values.map((value) => `"${value}"`),
              'or',
            ),
            describe(node),
            didYouMean(String(node.value), spec.values),
          );
        }
        return node.value;
      case 'string[]':
        return this.#strings(node, 'an array of strings');
    }
  }

  #nodeRange(node: Node): string | undefined {
    const text = this.#string(node, 'a semver range such as ">=20"');
    if (text === undefined) return undefined;
    if (semver.validRange(text) === null) this.fail(node, 'a semver range such as ">=20"');
    return text;
  }

  #bytes(node: Node): number | undefined {
    if (Number.isSafeInteger(node.value) && Number(node.value) > 0) return Number(node.value);
    this.fail(node, 'a positive whole number of bytes');
    return undefined;
  }

  #string(node: Node, expected: string): string | undefined {
    if (node.type === 'string') return String(node.value);
    this.fail(node, expected);
    return undefined;
  }

  #strings(node: Node, expected: string): string[] {
    return this.#items(node, expected).flatMap((item) => {
      if (item.type === 'string' && item.value !== '') return [String(item.value)];
      this.fail(item, 'a non-empty string');
      return [];
    });
  }

  #patterns(node: Node, expected: string): string[] {
    const patterns = this.#strings(node, expected);
    if (patterns.some(({ length }) => length > LONGEST_PATTERN))
      this.#say(node, `a pattern has more than ${LONGEST_PATTERN.toLocaleString('en-US')} characters.`);
    return patterns;
  }

  #items(node: Node, expected: string): readonly Node[] {
    if (node.type === 'array') return node.children ?? [];
    this.fail(node, expected);
    return [];
  }

  /** Name, value and key of each property. A name that stands twice is a mistake: JSON would silently keep the last. */
  #properties(node: Node, what: string, fields: readonly string[]): [name: string, value: Node, key: Node][] {
    if (node.type !== 'object') {
      this.fail(node, fields.length > 0 ? `an object (${what})` : `an object with rule IDs as keys (${what})`);
      return [];
    }
    const seen = new Set<string>();
    return (node.children ?? []).flatMap((property) => {
      const [key, value] = property.children ?? [];
      if (!key || !value) return [];
      const name = String(key.value);
      if (seen.has(name)) this.#say(key, `duplicate key \`${name}\`.`);
      seen.add(name);
      return [[name, value, key] satisfies [string, Node, Node]];
    });
  }

  #unknown(key: Node, what: string, name: string, known: Iterable<string>): void {
    const names = [...known];
    const all = names.length === 0 ? 'None are available.' : didYouMean(name, names).trim() || `Available: ${names.join(', ')}.`;
    this.#say(key, `unknown ${what} \`${name}\`. ${all}`);
  }
}

function describe(node: Node): string {
  if (node.type === 'object') return 'an object';
  if (node.type === 'array') return 'an array';
  // Long enough to recognize the value, short enough for one line.
  const SHOWN = 60;
  const text = JSON.stringify(getNodeValue(node)) ?? 'nothing';
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

/** `CommaExpected` → `comma expected`. */
function spaced(code: string): string {
  return code.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
}
