// `npm run new-rule -- <id>`: makes the folder of a rule that passes every test of the repository, for its author to fill in.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { generated, ROOT } from './generate.ts';

const ID = /^(?:no|prefer|require)(?:-[a-z0-9]+)+$/;

/**
 * Texts of a new rule's files by name. The example reports calls of a global that no program has, so that it harms nobody before it is
 * filled in.
 */
export function newRuleFiles(id: string): Map<string, string> {
  const call = 'nodometerExample';
  const options = 'const tick = nodometerExample;';
  return new Map([
    [
      'rule.ts',
      `// What the rule finds, in one line.
import { defineRule } from '../../analysis/rule.ts';

export const rule = defineRule<'found'>({
  meta: {
    id: '${id}',
    group: 'event-loop',
    summary: 'One sentence that says what is reported',
    severity: 'hint',
    proof: 'heuristic',
    nodeRange: '*',
    fix: 'none',
    messages: {
      found: {
        what: '\`{{call}}\` does what the rule is about.',
        why: 'The mechanism, with the Node versions it holds for.',
        remedy: 'What to write instead.',
      },
    },
    options: {},
    confirmedBy: [],
  },
  create({ facts, report, source }) {
    return {
      CallExpression(call) {
        // Cheapest guard first; then by origin, never by name.
        if (!facts.origins.isGlobal(call.callee, '${call}')) return;
        report({ at: call, messageId: 'found', data: { call: source.slice(call.callee) } });
      },
    };
  },
});
`,
    ],
    [
      'cases.ts',
      `import type { RuleCases } from '../../analysis/testing/rule-tester.ts';

// Valid cases are the tempting innocents; invalid ones mark the exact place. Replace all of these.
export const cases: RuleCases<'found'> = {
  valid: [
${['{}', '[]', 'null', 'true', '1', "'text'", '() => {}', 'class {}', 'new Map()', 'async () => {}'].map((value) => `    { name: 'a value of another kind: ${value.replaceAll("'", '')}', code: ${JSON.stringify(`const value = ${value};`)} },`).join('\n')}
    { name: 'mentioned, not called', code: '${options}' },
  ],
  invalid: [
${['', '1', '1, 2', '{}', '[]'].map((args) => `    { name: 'called with (${args})', code: '«${call}(${args})»;', findings: [{ messageId: 'found' }] },`).join('\n')}
  ],
};
`,
    ],
    [
      'bad.js',
      `/** The slow form. Must report, and return what good.js returns. */\nexport function run() {\n  return typeof globalThis.${call} === 'function' ? ${call}() : 1;\n}\n`,
    ],
    ['good.js', `/** The same result without what the rule is about. */\nexport function run() {\n  return 1;\n}\n`],
    [
      'README.md',
      `# ${id}

## What

What is reported, and what is not.

## Why

The mechanism, from which Node version to which, with a source.

## Bad

\`\`\`js bad
${call}();
\`\`\`

## Good

\`\`\`js good
${options}
\`\`\`

## When not to

Cases in which the code is right as it is.

## Measured

Not measured yet: the rule is a heuristic.

## Options

None.
`,
    ],
  ]);
}

/** Writes the folder below \`root\`; answers with what went wrong, or undefined. */
export async function createRule(id: string, root: string = ROOT): Promise<string | undefined> {
  if (!ID.test(id)) return `"${id}" is not a rule id: lower case, words joined by hyphens, starting with no-, prefer- or require-`;
  const folder = join(root, 'rules', id);
  if (existsSync(folder)) return `rules/${id} is there already`;
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of newRuleFiles(id)) writeFileSync(join(folder, name), text);
  for (const [path, text] of await generated(root)) writeFileSync(join(root, path), text);
  return undefined;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const problem = await createRule(process.argv[2] ?? '');
  if (problem) {
    console.error(problem);
    process.exitCode = 2;
  } else console.log(`made rules/${process.argv[2]}; next: cases.ts first, then rule.ts, then README.md (CONTRIBUTING.md has the steps)`);
}
