// The first evidence of a repository is a new file in it: where it is, and what can be done about it, said once.
import { relative, sep } from 'node:path';
import { isNewToGit } from '../workspace/profile/evidence-in-git.ts';
import type { EvidenceStores } from '../workspace/profile/evidence-store.ts';
import type { Host } from './host.ts';

export function sayWhatGitSees({ begun }: EvidenceStores, { cwd, platform, stderr }: Pick<Host, 'cwd' | 'platform' | 'stderr'>): void {
  for (const evidence of begun) {
    if (!isNewToGit(evidence, platform)) continue;
    const shown = relative(cwd, evidence).split(sep).join('/');
    stderr.write(
      `nodometer: Verdicts are kept in ${shown}. Commit the file to share them with your team, or add .nodometer/ to .gitignore.\n`,
    );
  }
}
