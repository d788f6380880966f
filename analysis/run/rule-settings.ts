// How rules are set for one file: by the user's configuration, else as the rules declare themselves.
import type { Severity } from '../../protocol/finding.ts';
import type { AnyRule } from '../rule.ts';

export interface RuleSetting {
  severity: Severity;
  /** Whether the user named the severity; then no report of the rule is raised above it. */
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
