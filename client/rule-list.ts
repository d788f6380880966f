// The rules as the extension knows them: from the settings in its own manifest.

export interface RuleEntry {
  id: string;
  summary: string;
  /** The rule's own severity. */
  severity: string;
}

/** `manifest`: package.json as VS Code gives it, its texts filled in. Empty when it has another form. */
export function rulesOfManifest(manifest: unknown): RuleEntry[] {
  const rules = at(manifest, ['contributes', 'configuration', 'properties', 'nodometer.rules', 'properties']);
  if (typeof rules !== 'object' || rules === null) return [];
  return Object.entries(rules).map(([id, rule]) => ({
    id,
    summary: textOf(at(rule, ['description'])),
    severity: textOf(at(rule, ['default'])),
  }));
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>)[key] : undefined),
    value,
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
