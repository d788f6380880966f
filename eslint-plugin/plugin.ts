// The plugin: one rule of ESLint for each rule of Nodometer. All of them show what the index says of a file.
import { isAbsolute, join } from 'node:path';
import type { Rule } from 'eslint10';
import { FileFindings } from './file-findings.ts';
import { findEngine, IndexClient, pageOf } from './index-client.ts';
import type { Change } from './questions.ts';
import { RULES, type RuleRow } from './rule-table.ts';

declare const NODOMETER_VERSION: string;

const BYTE_ORDER_MARK = '\ufeff';

const engine = findEngine();
const findings = new FileFindings(new IndexClient(engine));

function ruleFor(row: RuleRow): Rule.RuleModule {
  const { id, summary, type, fix } = row;
  return {
    meta: {
      type,
      docs: { description: summary, recommended: true, url: pageOf(engine, id) },
      schema: [],
      // A safe fix keeps what the code does, which is what ESLint asks of a fix.
      ...(fix === 'safe' ? { fixable: 'code' as const } : {}),
      ...(fix === 'none' ? {} : { hasSuggestions: true }),
    },
    create: (context) => ({ Program: () => report(context, row) }),
  };
}

function report(context: Rule.RuleContext, { id, fix: kind }: RuleRow): void {
  const { sourceCode, cwd, filename, physicalFilename, settings } = context;
  // A block of another file, such as of Markdown: it has neither imports nor requests of its own.
  if (filename !== physicalFilename) return;
  // ESLint names a text without a file `<input>` or `<text>`.
  const file = isAbsolute(filename) ? filename : join(cwd, 'stdin.js');
  // ESLint counts without the mark.
  const shift = sourceCode.hasBOM ? 1 : 0;
  const text = shift === 1 ? `${BYTE_ORDER_MARK}${sourceCode.text}` : sourceCode.text;
  const at = (offset: number): number => Math.min(Math.max(offset - shift, 0), sourceCode.text.length);
  const locOf = ({ start, end }: { start: number; end: number }) => ({
    start: sourceCode.getLocFromIndex(at(start)),
    end: sourceCode.getLocFromIndex(at(end)),
  });
  const fixer =
    ({ start, end, text: replacement }: Change) =>
    (fixes: Rule.RuleFixer) =>
      fixes.replaceTextRange([at(start), at(end)], replacement);
  const { found, problems } = findings.of({ file, text, cwd, settings: settings.nodometer }, id);
  for (const { message, at: place } of problems)
    context.report({ loc: locOf(place ?? { start: 0, end: 0 }), message: place ? message : `Nodometer: ${message}` });
  for (const { ruleId, message, start, end, fix, suggestions } of found) {
    if (ruleId !== id) continue;
    context.report({
      loc: locOf({ start, end }),
      message,
      ...(fix && kind === 'safe' ? { fix: fixer(fix) } : {}),
      ...(kind === 'none' ? {} : { suggest: suggestions.map(({ title, change }) => ({ desc: title, fix: fixer(change) })) }),
    });
  }
}

const plugin = {
  meta: { name: 'eslint-plugin-nodometer', version: NODOMETER_VERSION, namespace: 'nodometer' },
  rules: Object.fromEntries(RULES.map((row) => [row.id, ruleFor(row)])),
  configs: {} as Record<string, object>,
};

plugin.configs.recommended = {
  name: 'nodometer/recommended',
  plugins: { nodometer: plugin },
  rules: Object.fromEntries(RULES.map(({ id, severity }) => [`nodometer/${id}`, severity])),
};

export default plugin;
