// The commands that ask the language server for something: lint the workspace, fix the file.
import { commands, l10n, Position, ProgressLocation, Range, TextEdit, window, workspace, WorkspaceEdit, type CancellationToken, type LogOutputChannel, type Progress, type TextDocument } from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { COMMANDS, FIX_ALL_REQUEST, LINT_WORKSPACE_REQUEST, type FixAllParams, type FixAllResult, type LintWorkspaceParams, type LintWorkspaceResult } from '../protocol/editor.ts';
import { tell, type Button } from './message.ts';
import { fixMessage, rejectedLines, workspaceMessage } from './result-text.ts';
import type { Status } from './status.ts';

export interface CommandDeps {
  /** The client of a server that runs, or undefined. */
  client(): LanguageClient | undefined;
  status: Status;
  output: LogOutputChannel;
}

/** As in the Language Server Protocol: what a server reports about work under way. */
interface WorkDone {
  message?: string;
  percentage?: number;
}

export async function lintWorkspace(deps: CommandDeps): Promise<void> {
  const client = deps.client();
  if (!client) return tellNotRunning();
  const options = { location: ProgressLocation.Notification, title: l10n.t('Nodometer: linting the workspace'), cancellable: true };
  const result = await window.withProgress(options, (progress, cancel) => deps.status.during(requestLint(client, progress, cancel)));
  if (result.findings > 0) await commands.executeCommand('workbench.actions.view.problems');
  tell('information', workspaceMessage(result, l10n.t));
}

async function requestLint(client: LanguageClient, progress: Progress<{ message?: string; increment?: number }>, cancel: CancellationToken): Promise<LintWorkspaceResult> {
  const { WorkDoneProgress } = await import('./language-client.ts');
  const workDoneToken = `lint-workspace-${Date.now()}`;
  let percent = 0;
  const reports = client.onProgress(WorkDoneProgress.type, workDoneToken, ({ message, percentage = percent }: WorkDone) => {
    progress.report({ message, increment: percentage - percent });
    percent = percentage;
  });
  try {
    const params: LintWorkspaceParams = { workDoneToken };
    return await client.sendRequest<LintWorkspaceResult>(LINT_WORKSPACE_REQUEST, params, cancel);
  } finally {
    reports.dispose();
  }
}

export async function fixFile(deps: CommandDeps): Promise<void> {
  const document = window.activeTextEditor?.document;
  if (!document) {
    tell('information', l10n.t('Open the file first that should be fixed.'));
    return;
  }
  const client = deps.client();
  if (!client) return tellNotRunning();
  const params: FixAllParams = { textDocument: { uri: client.code2ProtocolConverter.asUri(document.uri), version: document.version }, kind: 'safe' };
  const result = await client.sendRequest<FixAllResult>(FIX_ALL_REQUEST, params);
  if (!(await apply(document, params.textDocument.version, result))) {
    tell('warning', l10n.t('Nodometer: the file changed in the meantime, nothing was fixed. Try again.'));
    return;
  }
  for (const line of rejectedLines(result)) deps.output.info(line);
  const rejected: Button[] = result.rejected.length > 0 ? [{ title: l10n.t('Show Output'), command: COMMANDS.showOutput }] : [];
  tell('information', fixMessage(result, l10n.t), ...rejected);
}

/** One edit, so that one undo takes it back. False when it does not fit the document any more. */
async function apply(document: TextDocument, version: number | undefined, { edits }: FixAllResult): Promise<boolean> {
  if (document.version !== version) return false;
  if (edits.length === 0) return true;
  const edit = new WorkspaceEdit();
  edit.set(document.uri, edits.map(({ range: { start, end }, newText }) => TextEdit.replace(new Range(new Position(start.line, start.character), new Position(end.line, end.character)), newText)));
  return workspace.applyEdit(edit);
}

function tellNotRunning(): void {
  tell('warning', l10n.t('The language server of Nodometer does not run.'), { title: l10n.t('Restart'), command: COMMANDS.restartServer });
}
