// A request to the server whose work under way is shown, and which the user can stop.
import { l10n, type CancellationToken, type Progress } from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { COMMANDS } from '../../protocol/editor.ts';
import { tell } from '../message.ts';

/** As in the Language Server Protocol: what a server reports about work under way. */
interface WorkDone {
  message?: string;
  percentage?: number;
}

export type UserProgress = Progress<{ message?: string; increment?: number }>;

/** `name` stands in the token of the request's progress. */
export async function requestWithProgress<Result>(
  client: LanguageClient,
  request: { method: string; params: object; name: string },
  progress: UserProgress,
  cancel: CancellationToken,
): Promise<Result> {
  const { WorkDoneProgress } = await import('../session/language-client.ts');
  const workDoneToken = `${request.name}-${Date.now()}`;
  let percent = 0;
  const reports = client.onProgress(WorkDoneProgress.type, workDoneToken, ({ message, percentage = percent }: WorkDone) => {
    progress.report({ message, increment: percentage - percent });
    percent = percentage;
  });
  try {
    return await client.sendRequest<Result>(request.method, { ...request.params, workDoneToken }, cancel);
  } finally {
    reports.dispose();
  }
}

export function tellNotRunning(): void {
  tell('warning', l10n.t('The Nodometer language server is not running.'), { title: l10n.t('Restart'), command: COMMANDS.restartServer });
}
