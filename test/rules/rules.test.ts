// Holds every rule in the table to the same standard: complete folder, strict cases, examples that do what they say.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { analyzeModule, lintText, type LintRequest } from '../../analysis/run/run.ts';
import { defaultSettings } from '../../analysis/run/rule-settings.ts';
import { readModule } from '../../analysis/module/text-reader.ts';
import type { AnyRule } from '../../analysis/rule.ts';
import { checkCases, type RuleCases } from '../../analysis/testing/rule-tester.ts';
import { rules } from '../../rules/index.ts';
import type { Oracle } from '../../rules/shared/oracle.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const HEADINGS = ['What', 'Why', 'Bad', 'Good', 'When not to', 'Measured', 'Options'];
const PROJECT = { nodeRange: '>=18', nodeRangeSource: 'the test', root: '/project' };

/** Findings of one rule in a text that stands for `src/<name>` of some project. */
function findingsOf(rule: AnyRule, text: string, name: string) {
  const result = lintText({
    file: `/project/src/${name}`,
    text,
    project: PROJECT,
    rules: [rule],
    settings: defaultSettings([rule]),
    reportUnusedDisables: false,
    forRuns: true,
  });
  assert.equal(result.issue, undefined, `${name} does not parse: ${result.issue?.message}`);
  assert.deepEqual(result.crashes, []);
  return result.findings;
}

function folderOf(rule: AnyRule): string {
  return join(ROOT, 'rules', rule.meta.id);
}

for (const rule of rules) {
  const { id } = rule.meta;
  const read = (name: string) => readFileSync(join(folderOf(rule), name), 'utf8');

  describe(id, () => {
    it('has a complete folder', () => {
      for (const name of ['rule.ts', 'README.md']) assert.ok(existsSync(join(folderOf(rule), name)), `${id}/${name} is missing`);
      if (rule.create)
        for (const name of ['cases.ts', 'bad.js', 'good.js']) assert.ok(existsSync(join(folderOf(rule), name)), `${id}/${name} is missing`);
      if (rule.meta.proof === 'measured' && rule.create)
        assert.ok(existsSync(join(folderOf(rule), 'oracle.ts')), `${id} says "measured" and has no oracle`);
    });

    it('names evidence for messages that it has', () => {
      for (const { messages } of rule.meta.confirmedBy)
        for (const message of messages ?? []) assert.ok(message in rule.meta.messages, `${id} has no message ${message}`);
    });

    it('passes its cases', async () => {
      if (!rule.create) return;
      const { cases } = (await import(pathToFileURL(join(folderOf(rule), 'cases.ts')).href)) as { cases: RuleCases };
      assert.ok(cases.valid.length >= 10 && cases.invalid.length >= 5, 'too few cases to say anything');
      checkCases(rule, cases, rules);
    });

    it('says nothing in files that take no part, where it is left out of them', async () => {
      if (!rule.meta.forRequestsOnly) return;
      const { cases } = (await import(pathToFileURL(join(folderOf(rule), 'cases.ts')).href)) as { cases: RuleCases };
      let outlined = 0;
      let proposed = 0;
      for (const { code: marked } of cases.invalid) {
        const code = marked.replace(/[«»]/g, '');
        for (const name of ['public/a.js', 'scripts/a.js', 'migrations/a.js', 'test/a.js', 'public/a.ts']) {
          const request: LintRequest = {
            file: `/project/${name}`,
            text: code,
            project: PROJECT,
            rules: [rule],
            settings: defaultSettings([rule]),
            mode: 'outline',
          };
          const quick = readModule(request.file, code);
          const read = readModule(request.file, code);
          if (!quick.ok || !read.ok || !analyzeModule(request, quick.module).analysis.isOutlined) continue;
          outlined++;
          const { findings, proposals } = analyzeModule({ ...request, mode: 'summary' }, read.module).analysis;
          assert.deepEqual([...findings, ...proposals.flatMap(({ otherwise }) => otherwise ?? [])], [], `${name}: ${code}`);
          proposed += proposals.length;
        }
      }
      assert.ok(
        outlined >= cases.invalid.length && (proposed > 0 || id !== 'no-sync-in-handler'),
        `${outlined} outlined, ${proposed} proposals`,
      );
    });

    it('has a page with the fixed headings', () => {
      const page = read('README.md');
      assert.equal(/^# (.+)$/m.exec(page)?.[1], id);
      const headings = [...page.replace(/```[\s\S]*?```/g, '').matchAll(/^## (.+)$/gm)].map((match) => match[1]);
      assert.deepEqual(
        headings.filter((heading) => HEADINGS.includes(heading ?? '')),
        HEADINGS,
      );
    });

    it('has examples on its page that do what they say', () => {
      const blocks = [...read('README.md').matchAll(/^```(js|ts) (bad|good)\n([\s\S]*?)^```$/gm)];
      if (rule.create) {
        assert.ok(
          blocks.some((block) => block[2] === 'bad'),
          'no ```js bad block',
        );
        assert.ok(
          blocks.some((block) => block[2] === 'good'),
          'no ```js good block',
        );
      }
      for (const [, language, kind, code = ''] of blocks) {
        const { length } = findingsOf(rule, code, `app.${language}`);
        if (kind === 'bad') assert.ok(length > 0, `a bad example reports nothing:\n${code}`);
        else assert.equal(length, 0, `a good example is reported:\n${code}`);
      }
    });

    it('reports bad.js and leaves good.js alone', () => {
      if (!rule.create) return;
      assert.ok(findingsOf(rule, read('bad.js'), 'bad.js').length > 0, 'bad.js reports nothing');
      assert.deepEqual(
        findingsOf(rule, read('good.js'), 'good.js').map((finding) => finding.message.what),
        [],
      );
    });

    it('gets the same results from bad.js and good.js', async () => {
      if (!existsSync(join(folderOf(rule), 'oracle.ts'))) return;
      const { oracle } = (await import(pathToFileURL(join(folderOf(rule), 'oracle.ts')).href)) as { oracle: Oracle };
      const [bad, good] = await Promise.all(
        ['bad.js', 'good.js'].map(
          (name) => import(pathToFileURL(join(folderOf(rule), name)).href) as Promise<Record<string, (...args: unknown[]) => unknown>>,
        ),
      );
      const run = async (module: typeof bad) => {
        const fn = module?.[oracle.exportName];
        assert.equal(typeof fn, 'function', `${oracle.exportName} is not exported`);
        return fn?.(...oracle.args());
      };
      assert.deepEqual(await run(good), await run(bad));
    });
  });
}
