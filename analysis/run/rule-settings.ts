// The settings of the rules for one file: those of the user's configuration, or else the defaults of the rules.
import type { Severity } from '../../protocol/finding.ts';
import type { AnyRule } from '../rule.ts';

export interface RuleSetting {
  severity: Severity;
  /** Whether the user set the severity. It is then the maximum for all reports of the rule. */
  explicit: boolean;
  options: Readonly<Record<string, unknown>>;
}

export type RuleSettings = Readonly<Record<string, RuleSetting>>;

/** Settings with every rule at its declared severity and options. */
export function defaultSettings(rules: readonly AnyRule[]): RuleSettings {
  return Object.fromEntries(
    rules.map(({ meta }) => [meta.id, { severity: meta.severity, explicit: false, options: defaultOptions(meta) }]),
  );
}

export function defaultOptions(meta: AnyRule['meta']): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(meta.options as Record<string, { default: unknown }>).map(([name, spec]) => [name, spec.default]),
  );
}
