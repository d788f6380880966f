// The strings that the extension shows, gathered from its sources: the bundle that translations start from.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ModuleIndex } from '../analysis/module/module-index.ts';
import { parse } from '../analysis/module/parse.ts';
import { Source } from '../analysis/module/source.ts';

/** Text of l10n/bundle.l10n.json for the sources in a folder. Throws when a call of `t` has no literal text: it could not be translated. */
export function renderStringBundle(folder: string): string {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .sort();
  const strings = files.flatMap((name) => shownStrings(name, readFileSync(join(folder, name), 'utf8')));
  return `${JSON.stringify(Object.fromEntries([...new Set(strings)].sort().map((text) => [text, text])), null, 2)}\n`;
}

/** First arguments of `t(…)` and `l10n.t(…)`. */
export function shownStrings(file: string, text: string): string[] {
  const outcome = parse(file, text);
  if (!outcome.ok) throw new Error(`${file}: ${outcome.issue.message}`);
  return new ModuleIndex(outcome.ast).nodes('CallExpression').flatMap(({ callee, arguments: [first], start }) => {
    const name = callee.type === 'Identifier' ? callee : callee.type === 'MemberExpression' ? callee.property : undefined;
    if (name?.type !== 'Identifier' || name.name !== 't') return [];
    if (first?.type === 'StringLiteral') return [first.value];
    throw new Error(`${file}:${new Source(file, text).positionAt(start ?? 0).line}: the first argument of t is not a string literal`);
  });
}
