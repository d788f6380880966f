// What a nodometer.config.json says, once it is decoded.
import type { Severity } from '../../protocol/finding.ts';

export interface RuleConfig {
  severity?: Severity;
  options: Readonly<Record<string, unknown>>;
}

export type RuleConfigs = ReadonlyMap<string, RuleConfig>;

export interface Override {
  files: readonly string[];
  rules: RuleConfigs;
}

export interface Config {
  /** Semver range. */
  node?: string;
  rules: RuleConfigs;
  ignores: readonly string[];
  overrides: readonly Override[];
  /** Bytes. */
  maxFileSize?: number;
}

export const EMPTY_CONFIG: Config = { rules: new Map(), ignores: [], overrides: [] };
