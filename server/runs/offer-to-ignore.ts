// The first evidence of a repository: whether Git gets it is the user's decision, and asked once.
import type { Connection } from 'vscode-languageserver/node';
import { hideFromGit, isNewToGit } from '../../workspace/profile/evidence-in-git.ts';

const IGNORE = 'Ignore in Git';
const KEEP = 'Keep in Git';

/** Says where verdicts are kept, and writes a .gitignore beside them if the user wants it. */
export async function offerToIgnore(
  evidence: string,
  connection: Pick<Connection, 'window'>,
  platform: string,
  failed: (what: string, error: unknown) => void,
): Promise<void> {
  try {
    if (!isNewToGit(evidence, platform)) return;
    const answer = await connection.window.showInformationMessage(
      'Nodometer keeps verdicts in .nodometer/evidence.json. Commit the file to share them with your team.',
      { title: IGNORE },
      { title: KEEP },
    );
    if (answer?.title === IGNORE) hideFromGit(evidence);
  } catch (error) {
    failed('writing .nodometer/.gitignore', error);
  }
}
