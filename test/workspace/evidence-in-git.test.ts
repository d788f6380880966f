// The first evidence of a repository: who is asked what, and what is written.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { sayWhatGitSees } from '../../cli/new-evidence.ts';
import { offerToIgnore } from '../../server/runs/offer-to-ignore.ts';
import { isNewToGit } from '../../workspace/profile/evidence-in-git.ts';
import { EvidenceStores } from '../../workspace/profile/evidence-store.ts';
import { folderWith } from '../cli/support.ts';

type Files = Readonly<Record<string, string>>;
const PACKAGE = { 'package.json': '{}', 'a.js': '' };

/** A folder with a measured fix, and the file that it is kept in. */
function withEvidence(files: Files, isRepository = true) {
  const folder = folderWith({ ...PACKAGE, ...files });
  if (isRepository) mkdirSync(join(folder.path, '.git', 'info'), { recursive: true });
  const stores = new EvidenceStores(() => folder.path, assert.fail);
  const keep = (into = stores): void =>
    into.storeOf(join(folder.path, 'a.js')).keepFix({
      file: join(folder.path, 'a.js'),
      functionName: 'f',
      normalized: 'f',
      ruleId: 'no-unstable-shape',
      node: '20.20.2',
      date: '2026-11-24T00:00:00.000Z',
      difference: {
        verdict: 'same',
        per: 'call',
        first: { name: 'before', median: 1, processes: 8 },
        second: { name: 'after', median: 1, processes: 8 },
        low: -1,
        high: 1,
        confidence: 0.997,
      } as never,
    });
  keep();
  return { folder, stores, keep, evidence: join(folder.path, '.nodometer', 'evidence.json') };
}

async function offered(evidence: string, title: string | undefined) {
  const asked: string[] = [];
  const failures: unknown[] = [];
  const showInformationMessage = async (message: string, ...actions: { title: string }[]) => {
    asked.push([message, ...actions.map((action) => action.title)].join(' | '));
    return actions.find((action) => action.title === title);
  };
  await offerToIgnore(evidence, { window: { showInformationMessage } } as never, 'linux', (_, error) => failures.push(error));
  return { asked, failures };
}

describe('the first evidence of a repository', () => {
  it('is new to Git unless a pattern covers it', () => {
    const cases: readonly [Files, boolean][] = [
      [{}, true],
      [{ '.gitignore': '.nodometer/\n' }, false],
      [{ '.gitignore': 'evidence.json\n' }, false],
      [{ '.nodometer/.gitignore': '*\n' }, false],
      [{ '.gitignore': '.nodometer/*\n!.nodometer/evidence.json\n' }, true],
      [{ '.git/info/exclude': '.nodometer\n' }, false],
    ];
    for (const [files, isNew] of cases) {
      const { folder, evidence } = withEvidence(files);
      assert.equal(isNewToGit(evidence, 'linux'), isNew, JSON.stringify(files));
      folder.dispose();
    }
    const { folder, evidence } = withEvidence({}, false);
    assert.equal(isNewToGit(evidence, 'linux'), false);
    folder.dispose();
  });

  it('is hidden from Git only if the user wants it', async () => {
    for (const [answer, expected] of [
      ['Ignore in Git', '*\n!baseline.json\n'],
      ['Keep in Git', undefined],
      [undefined, undefined],
    ] as const) {
      const { folder, evidence } = withEvidence({});
      const { asked, failures } = await offered(evidence, answer);
      assert.deepEqual(asked, [
        'Nodometer keeps verdicts in .nodometer/evidence.json. Commit the file to share them with your team. | Ignore in Git | Keep in Git',
      ]);
      assert.deepEqual(failures, []);
      const ignore = join(folder.path, '.nodometer', '.gitignore');
      assert.equal(existsSync(ignore) ? readFileSync(ignore, 'utf8') : undefined, expected);
      assert.equal(isNewToGit(evidence, 'linux'), expected === undefined);
      assert.equal(isNewToGit(join(folder.path, '.nodometer', 'baseline.json'), 'linux'), true);
      folder.dispose();
    }
  });

  it('asks nothing where Git does not see it, and never writes over a file', async () => {
    const { folder, evidence } = withEvidence({ '.gitignore': '.nodometer\n' });
    assert.deepEqual((await offered(evidence, 'Ignore in Git')).asked, []);
    folder.dispose();
    const own = withEvidence({ '.nodometer/.gitignore': '*.log\n' });
    const { failures } = await offered(own.evidence, 'Ignore in Git');
    assert.equal(failures.length, 1);
    assert.equal(readFileSync(join(own.folder.path, '.nodometer', '.gitignore'), 'utf8'), '*.log\n');
    own.folder.dispose();
  });

  it('is mentioned in the terminal, once', () => {
    const { folder, stores, keep } = withEvidence({});
    const said: string[] = [];
    const stderr = { write: (text: string) => said.push(text) } as never;
    sayWhatGitSees(stores, { cwd: folder.path, platform: 'linux', stderr });
    assert.deepEqual(said, [
      'nodometer: Verdicts are kept in .nodometer/evidence.json. Commit the file to share them with your team, or add .nodometer/ to .gitignore.\n',
    ]);
    const later = new EvidenceStores(() => folder.path, assert.fail);
    keep(later);
    sayWhatGitSees(later, { cwd: folder.path, platform: 'linux', stderr });
    assert.equal(said.length, 1);
    folder.dispose();
  });
});
