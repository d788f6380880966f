// `npm run new-rule -- <id>`: makes a rule with which every test of the repository passes, for its author to fill in.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { generated, ROOT } from './generate.ts';
import { TYPESCRIPT_FLAGS } from './typescript/flags.ts';

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
${['{}', '[]', 'null', 'true', '1', "'text'", '() => {}', 'class {}', 'new Map()', 'async () => {}'].map((value) => `    { name: 'a value of another kind: ${value.replaceAll("'", '')}', code: ${quoted(`const value = ${value};`)} },`).join('\n')}
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

/** As Biome writes it: in single quotes, unless there are some inside. */
function quoted(text: string): string {
  return text.includes("'") ? JSON.stringify(text) : `'${text}'`;
}

/** A small program with the example, and a mark at the place that must be found; no run can tell whether a heuristic is right. */
function newSample(id: string): string {
  return `// A planted problem for ${id}. Put a small application that people might write in its place, or plant the problem in one of the others.

/** @profile run() */
export function run() {
  return typeof nodometerExample === 'function' ? nodometerExample() : 1;
  //                                              ^ ${id}: found (inconclusive)
}
`;
}

/** Writes the rule's folder and a sample, and what is generated from them; answers with what went wrong, or undefined. */
export async function createRule(id: string, root: string = ROOT): Promise<string | undefined> {
  if (!ID.test(id)) return `"${id}" is not a rule id: lower case, words joined by hyphens, starting with no-, prefer- or require-`;
  const folder = join(root, 'rules', id);
  if (existsSync(folder)) return `rules/${id} is there already`;
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of newRuleFiles(id)) writeFileSync(join(folder, name), text);
  const sample = join(root, 'samples', id);
  mkdirSync(sample, { recursive: true });
  writeFileSync(join(sample, 'example.js'), newSample(id));
  for (const [path, text] of await generated(root)) writeFileSync(join(root, path), text);
  return writeSnapshots(root);
}

/** What the server says about the samples, the new one included. A process of its own, since this one does not know the new rule. */
function writeSnapshots(root: string): string | undefined {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const run = spawnSync(process.execPath, [...TYPESCRIPT_FLAGS, '--test', join('test', 'lsp', 'snapshots.test.ts')], {
    cwd: root,
    env: { ...env, NODOMETER_WRITE_SNAPSHOTS: '1' },
    encoding: 'utf8',
  });
  return run.status === 0 ? undefined : `test/lsp/snapshots could not be written:\n${run.stdout}${run.stderr}`;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const id = process.argv[2] ?? '';
  const problem = await createRule(id);
  if (problem) {
    console.error(problem);
    process.exitCode = 2;
  } else
    console.log(
      `made rules/${id} and samples/${id}, with a snapshot; next: cases.ts, then rule.ts, then README.md (CONTRIBUTING.md has the steps)`,
    );
}
