// Rules that find what they find, and never come to an end with a fix.
import type { AnyRule } from '../../analysis/rule.ts';

export function withEndlessFixes(rules: readonly AnyRule[]): AnyRule[] {
  const repair = (): never => {
    for (;;);
  };
  return rules.map((rule): AnyRule => {
    const { create } = rule;
    if (!create) return rule;
    return { ...rule, create: (given) => create({ ...given, report: (problem) => given.report({ ...problem, repair }) }) };
  });
}
