// Real texts with real findings for the tests of the language server's pure parts: the samples and every rule's bad cases.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from '../../protocol/finding.ts';
import type { ProjectInfo } from '../../protocol/project.ts';
import { SCRIPT_FILE } from '../../analysis/module/parse.ts';
import { lintText } from '../../analysis/run/run.ts';
import { defaultSettings } from '../../analysis/run/rule-settings.ts';
import type { InvalidCase, RuleCases } from '../../analysis/testing/rule-tester.ts';
import { rules } from '../../rules/index.ts';
import { ROOT } from '../../scripts/generate.ts';

export interface FileText {
  file: string;
  text: string;
}

export const PROJECT: ProjectInfo = {
  nodeRange: '>=18',
  nodeRangeSource: 'engines.node in package.json',
  root: '/p',
  manifest: { bin: [], scripts: {}, dependencies: { express: '^5.0.0' }, devDependencies: {}, private: true },
};

/** All rules at their defaults, with what only a run can judge; comments that silence nothing are reported. */
export function lintReal(file: string, text: string): readonly Finding[] {
  return lintText({ file, text, project: PROJECT, rules, settings: defaultSettings(rules), forRuns: true }).findings;
}

/** The samples' modules, as they stand. */
export function sampleScripts(): FileText[] {
  const folder = join(ROOT, 'samples');
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && SCRIPT_FILE.test(entry.name) && !entry.parentPath.includes('node_modules'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((file) => ({ file, text: readFileSync(file, 'utf8') }));
}

const CASES: readonly RuleCases[] = await Promise.all(
  // Rules about deployment files alone have no modules as cases.
  rules
    .filter(({ create }) => create)
    .map(async ({ meta }) => ((await import(`../../rules/${meta.id}/cases.ts`)) as { cases: RuleCases }).cases),
);

/** Every rule's invalid cases without options of their own, marks taken out. */
export function caseTexts(): FileText[] {
  return CASES.flatMap(({ invalid }) => invalid)
    .filter((one: InvalidCase) => !one.options)
    .map((one) => ({ file: `/p/${one.file ?? 'src/app.js'}`, text: one.code.replace(/[«»]/g, '') }));
}

/** A request handler that blocks, in the fewest lines, and where. */
export const HANDLER = `const fs = require('node:fs');
const app = require('express')();
app.get('/terms', (request, response) => { response.send(fs.readFileSync('terms.txt', 'utf8')); });
`;
export const HANDLER_PLACES: readonly string[] = ['3:58 no-sync-in-handler'];
