// All findings of a project, for commands that are about one of them.
import type { AnyRule } from '../analysis/rule.ts';
import type { Finding } from '../protocol/finding.ts';
import { FindingIds } from '../workspace/baseline/finding-ids.ts';
import { runDeployment } from '../workspace/deployment-run.ts';
import { findRepositoryRoot } from '../workspace/discovery/git-ignore.ts';
import { Skipped } from '../workspace/discovery/skipped.ts';
import type { LintRun } from '../workspace/lint-run.ts';
import type { Host } from './host.ts';
import { RunSetup, type SetupArguments } from './run-setup.ts';

export interface ProjectFindings {
  run: LintRun;
  ids: FindingIds;
  rules: readonly AnyRule[];
  /** Undefined where no finding has the ID. */
  find(id: string): Finding | undefined;
}

/** Of the current folder. @param dryRun what `LintRun.keepFixed` writes stays in memory */
export async function readProjectFindings(args: SetupArguments, host: Host, dryRun: boolean): Promise<ProjectFindings> {
  const rules = await host.loadRules();
  const setup = new RunSetup(args, host, rules);
  try {
    await setup.configs.prepare();
    const discovery = await setup.discover(['.']);
    const run = setup.newRun('.', { fix: undefined, namedFixes: [], dryRun, onlyFindings: true });
    await run.prepare();
    const others = await setup.othersOf(['.'], discovery);
    await run.scripts(discovery.scripts, others);
    run.project.save(true);
    await runDeployment({
      run,
      discovery,
      discoverIn: async (folder) => (await setup.discover([folder], new Skipped())).deployment,
    });
    const ids = new FindingIds(run, findRepositoryRoot(host.cwd) ?? host.cwd);
    return {
      run,
      ids,
      rules,
      find: (id) => run.files.flatMap(({ findings }) => findings).find((finding) => ids.of(finding).id === id),
    };
  } finally {
    setup.progress.clear();
  }
}
